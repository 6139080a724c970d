"""Learning by doing: sheets that say what a wrong answer computes, a judge, a quiz, a grid to click.

A wrong number is named by what it is: another metric, another convention (`conventions.identify`), or
one of the usual slips (`SLIPS`).
"""

from mlm_helpers.course.practice.answers import Verdict
from mlm_helpers.course.practice.explore import explore
from mlm_helpers.course.practice.judging import judge
from mlm_helpers.course.practice.quizzes import Quiz, quiz
from mlm_helpers.course.practice.sheets import Sheet, sheet
from mlm_helpers.course.practice.slips import SLIPS, Slip

__all__ = [
    "SLIPS", "Quiz", "Sheet", "Slip", "Verdict",
    "explore", "judge", "quiz", "sheet",
]  # fmt: skip
