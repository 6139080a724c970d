"""Exercises: sheets with data and a question, a judge of functions, a quiz and an explorer.

They explain a wrong number by what gives it: another metric, another convention, or one of the
usual slips (`slips.SLIPS`).
"""

from mlm_course.practice.answers import Verdict
from mlm_course.practice.explore import explore
from mlm_course.practice.judging import judge
from mlm_course.practice.quizzes import Quiz, quiz
from mlm_course.practice.sheets import Sheet, sheet

__all__ = ["Quiz", "Sheet", "Verdict", "explore", "judge", "quiz", "sheet"]
