"""The usual slips: each a sentence and the numbers that it makes."""

from collections.abc import Callable
from typing import Any, NamedTuple

from mlm_course.practice.slips import general, rank_slips, set_slips
from mlm_course.practice.slips.task import Matrix, Task
from mlm_helpers.catalogue import MetricFunction

__all__ = ["SLIPS", "Slip", "Task"]


class Slip(NamedTuple):
    """One way to go wrong.

    Attributes
    ----------
    says : what is done, to stand behind "if"
    number : the number that it makes of a `Task`; or, where it happens in one place or another, each
        place with its number
    fits : whether it can happen to the metric of a `Task`
    in_places : whether it happens in one place or another
    """

    says: str
    number: Callable[[Task], Any]
    fits: Callable[[Task], bool]
    in_places: bool

    def of(self, metric: MetricFunction, truth: Matrix, other: Matrix) -> Any:
        """The number that it makes of a metric, or each place where it can happen with its number."""
        number = self.number(Task(metric, truth, other))
        return list(number) if self.in_places else number


_ANYWHERE = *general.ANYWHERE, *set_slips.ANYWHERE, *rank_slips.ANYWHERE
_IN_PLACES = *set_slips.IN_PLACES, *general.IN_PLACES
SLIPS = tuple(
    Slip(says, number, fits, in_places)
    for in_places, kinds in ((False, _ANYWHERE), (True, _IN_PLACES))
    for fits, slips in kinds
    for says, number in slips.items()
)
"""Every slip; those that can happen in one place or another come last."""
