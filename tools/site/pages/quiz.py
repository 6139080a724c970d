"""The quiz: which number is this?"""

from __future__ import annotations

from mlm_course.practice import quiz, quizzes
from tools.site.explorers import mounted
from tools.site.pages.markdown import page

SEEDS = range(1, 41)


def text() -> str:
    return page(
        "Which number is this?",
        "Data, a number, and four recipes, one of which gives it. The other three are what is usually taken for it."
        " Reckon before you choose.",
        mounted(quizzes.page(SEEDS), quiz(seed=SEEDS[0]).to_html()),
    )
