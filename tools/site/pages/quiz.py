"""The quiz, which asks without a kernel: which number is this?"""

from __future__ import annotations

from mlm_helpers.practice import quizzes
from tools.site.explorers import place
from tools.site.pages.markdown import page

SEEDS = range(12)
INTRO = """\
A number, the data that it was computed of, and four recipes. Count by hand, or guess first and count
then: each choice says which number it gives, and every step can be shown.
"""
ELSE = "<p>The quiz needs JavaScript. In a notebook, practice.quiz(seed=1) asks the same.</p>"


def text() -> str:
    """The questions of some seeds, which `site.js` asks one by one."""
    return page("Quiz: which number is this?", INTRO, place("mlm-asks", quizzes.page(SEEDS), ELSE))
