"""Learning by doing: sheets that say what a wrong answer computes, a judge, a quiz, a grid to click.

A wrong number is named by what it is: another metric, another convention, or one of the usual slips
(`slips.SLIPS`).
"""

from mlm_course.practice.answers import Verdict
from mlm_course.practice.explore import explore
from mlm_course.practice.judging import judge
from mlm_course.practice.quizzes import Quiz, quiz
from mlm_course.practice.sheets import Sheet, sheet

__all__ = ["Quiz", "Sheet", "Verdict", "explore", "judge", "quiz", "sheet"]
