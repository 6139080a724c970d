"""The usual slips: each a sentence and the number that it makes."""

from mlm_course.practice.slips import general, rank_slips, set_slips
from mlm_course.practice.slips.task import Slip, Task

__all__ = ["SLIPS", "Slip", "Task"]

_ANYWHERE = *general.ANYWHERE, *set_slips.ANYWHERE, *rank_slips.ANYWHERE
_IN_PLACES = *set_slips.IN_PLACES, *general.IN_PLACES
SLIPS = tuple(
    Slip(says, number, fits, in_places)
    for in_places, kinds in ((False, _ANYWHERE), (True, _IN_PLACES))
    for fits, slips in kinds
    for says, number in slips.items()
)
"""Every slip; those that can happen in one place or another come last."""
