"""The page "Play": the explorer alone, with scores, so that it has every metric and challenge."""

from mlm_course.practice.page import page_json as explorer
from tools.site.explorers import explorer_html
from tools.site.pages.markdown import filled_template

NAMES = {"labels": ("dog", "sun", "sea"), "samples": ("photo 1", "photo 2", "photo 3")}
TRUTH = [[1, 0, 1], [0, 1, 0], [1, 1, 0]]
SCORES = [[0.9, 0.6, 0.4], [0.3, 0.8, 0.2], [0.7, 0.4, 0.5]]


def page() -> str:
    """The page in Markdown, with the explorer."""
    return filled_template("play", explorer=explorer_html(explorer(TRUTH, y_score=SCORES, **NAMES)))
