"""Learning by doing: sheets that say what a wrong answer computes, a judge for your own function, a quiz.

A wrong number is named by what it is: another metric, another convention (`conventions.identify`), or
one of the usual slips (`SLIPS`).
"""

from mlm_helpers.practice.judging import judge
from mlm_helpers.practice.quizzes import Quiz, quiz
from mlm_helpers.practice.sheets import Sheet, sheet
from mlm_helpers.practice.slips import SLIPS, Slip
from mlm_helpers.practice.verdict import Verdict

__all__ = [
    "SLIPS", "Quiz", "Sheet", "Slip", "Verdict",
    "judge", "quiz", "sheet",
]  # fmt: skip
