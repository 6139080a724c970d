"""The explorer by itself, with scores, so that every metric and challenge is there."""

from __future__ import annotations

from mlm_course.practice.page import page as explorer
from tools.site.explorers import living
from tools.site.pages.markdown import page

LABELS, SAMPLES = ("dog", "sun", "sea"), ("photo 1", "photo 2", "photo 3")
TRUTH = [[1, 0, 1], [0, 1, 0], [1, 1, 0]]
SCORES = [[0.9, 0.6, 0.4], [0.3, 0.8, 0.2], [0.7, 0.4, 0.5]]


def text() -> str:
    return page(
        "Play with the metrics",
        "Click a cell, or move the threshold: which metrics move? Take a challenge. The address of this page holds what it"
        " shows: a copy of it is a link to your data.",
        living(explorer(TRUTH, y_score=SCORES, labels=LABELS, samples=SAMPLES)),
        "The same metrics for tables of yours: [paste them](paste.md). The smallest data on which two metrics disagree:"
        " [for every pair](disagreements.md).",
    )
