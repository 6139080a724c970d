"""Learning by doing: sheets that say what a wrong answer computes.

A wrong number is named by what it is: another metric, another convention (`conventions.identify`), or
one of the usual slips (`SLIPS`).
"""

from mlm_helpers.practice.sheet import Sheet, sheet
from mlm_helpers.practice.slips import SLIPS, Slip
from mlm_helpers.practice.verdict import Verdict

__all__ = [
    "SLIPS", "Sheet", "Slip", "Verdict",
    "sheet",
]  # fmt: skip
