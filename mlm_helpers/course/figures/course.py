"""The pictures in the folder figures/, and what the course draws from its records."""

from collections.abc import Callable
from typing import Any

from matplotlib.axes import Axes

from mlm_helpers import conventions, records
from mlm_helpers.course.documents import MACRO_MICRO, PARTIAL_CREDIT, RANKING, SKLEARN_GUIDE
from mlm_helpers.course.figures.charts import tool_dots
from mlm_helpers.course.figures.curve_pictures import curve_steps
from mlm_helpers.course.figures.families import metric_map
from mlm_helpers.course.figures.grids import label_grid
from mlm_helpers.course.figures.lists import rank_lists, top_window

PHOTOS = (
    [[0, 1], [1, 0], [1, 0], [0, 1], [1, 0]],
    [[0.71, 0.88], [0.92, 0.77], [0.48, 0.31], [0.15, 0.22], [0.64, 0.53]],
)
"""Truth and scores of five photos and two labels, dog and sea."""


def _document_grid(document: Any, ratio: str, per: str) -> Axes:
    return label_grid(document.y_true, document.y_pred, ratio, per=per, labels=document.labels)


def _curves_picture() -> Axes:
    dog, scores = ([row[0] for row in rows] for rows in PHOTOS)
    return curve_steps(dog, scores, samples=[f"photo {i}" for i in range(1, 6)], label="dog")


def perfect_prediction() -> Axes:
    """The samples F1 that each tool gives a perfect prediction with an empty sample, by default."""
    (case,) = (record for record in conventions.recorded() if record.name == "perfect+both_empty")
    by_default = {k: v for k, v in case.numbers["samples F1"].items() if k in conventions.TOOLS}
    return tool_dots(by_default, title="A perfect prediction, and its samples F1 in each tool")


def measured() -> dict[str, Any]:
    """What ``make bench`` measured when it last ran."""
    return records.load("bench")


def _two_photos() -> Axes:
    """The data of notebook 07."""
    y_true = [[1, 0, 0, 0, 0], [0, 1, 1, 1, 0]]
    y_score = [[0.9, 0.8, 0.7, 0.2, 0.1], [0.1, 0.9, 0.5, 0.4, 0.8]]
    labels, samples = ["dog", "sea", "sun", "boat", "rain"], ["photo one", "photo two"]
    return top_window(y_true, y_score, k=3, labels=labels, samples=samples)


PICTURES: dict[str, Callable[[], Axes]] = {
    "exact_match": lambda: _document_grid(SKLEARN_GUIDE, "exact match", "sample"),
    "example_based": lambda: _document_grid(PARTIAL_CREDIT, "accuracy", "sample"),
    "hamming": lambda: _document_grid(SKLEARN_GUIDE, "Hamming loss", "cell"),
    "label_based": lambda: _document_grid(MACRO_MICRO, "F1", "label"),
    "ranking": lambda: rank_lists(RANKING.scores, RANKING.y_true, RANKING.labels),
    "curves": _curves_picture,
    "top_k": _two_photos,
    "metric_map": metric_map,
}
"""The pictures of the README and of the site, by file stem."""
