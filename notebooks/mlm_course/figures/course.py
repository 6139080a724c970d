"""The map of metrics, the pictures in the folder figures/, and what the course draws from its records."""

from collections.abc import Callable
from itertools import groupby
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from mlm_course.documents import MACRO_MICRO, PARTIAL_CREDIT, RANKING, SKLEARN_GUIDE
from mlm_course.figures.cells import Layout, draw_cells, draw_frames
from mlm_course.figures.charts import tool_dots
from mlm_course.figures.curve_pictures import curve_steps
from mlm_course.figures.grids import RATIOS, label_grid, looks
from mlm_course.figures.lists import rank_lists, top_window
from mlm_course.figures.look import MARKS, SIZE
from mlm_course.figures.pen import box, page, small, write
from mlm_course.figures.phrases import capitalized
from mlm_course.figures.trees import label_trees
from mlm_helpers import catalogue, conventions
from mlm_helpers.tables import count_phrase

_NEEDS = {"y_pred": "label sets", "y_score": "scores"}
_FILLS = {"y_pred": "#EDF3F7", "y_score": "#FBF0D9"}
_GRIDS = {"exact match": ("exact match", "sample"), "Hamming": ("Hamming loss", "cell")}
"""What a family's little grid counts, where that is not a ratio along each row or column."""


def metric_map() -> Axes:
    """Picture of the families of metrics: their input, the cells that they count together, their metrics.

    Examples
    --------
    >>> metric_map().get_label()[:151]
    'Map of 22 metrics, ↑ higher or ↓ lower is better. Exact match, from label sets (each row: all \
right, or not): subset accuracy ↑, zero-one loss ↓; examp'
    """
    records = catalogue.taught_records()
    groups = groupby(records, lambda metric: (metric.family, metric.reads))
    bands = [list(members) for _, members in groups]  # the metrics of one family that need the same
    heights = [max(1.3, 0.5 + 0.34 * ((len(band) + 1) // 2)) for band in bands]
    head = f"Map of {count_phrase(len(records), 'metric')}, ↑ higher or ↓ lower is better."
    listed = "; ".join(map(_sentence, bands))
    ax = page(9.8, 1.3 + sum(heights), f"{head} {capitalized(listed)}.", "The map of metrics")
    y = 0.8
    for band, height in zip(bands, heights, strict=True):
        _draw_band(ax, y, height - 0.1, band)
        y += height
    small(ax, 0.3, y + 0.2, "↑ higher is better     ↓ lower is better")
    return ax


def _names(band: list[Any]) -> list[str]:
    """The metrics of a band, each with its direction."""
    return [f"{metric.name} {'↑' if metric.higher_is_better else '↓'}" for metric in band]


def _sentence(band: list[Any]) -> str:
    """A band's part of the alternative text."""
    family, needs = band[0].family, _NEEDS[band[0].reads]
    return f"{family}, from {needs} ({catalogue.FAMILIES[family]}): {', '.join(_names(band))}"


def _draw_band(ax: Axes, y: float, height: float, band: list[Any]) -> None:
    """One family: its little grid, its name, how it counts, what it needs; its metrics by twos."""
    family, reads = band[0].family, band[0].reads
    middle = y + height / 2
    box(ax, 0.3, y, 9.2, height, facecolor=_FILLS[reads], edgecolor="none")
    if reads == "y_score":
        for i, kind in enumerate((3, 0, 3, 0)):  # a falling list of scores
            score = (1.0, 0.75, 0.45, 0.2)[i]
            box(ax, 0.5, middle - 0.43 + 0.23 * i, score, 0.17, **MARKS[kind].box)
    else:
        _draw_grid(ax, middle, family, *_GRIDS.get(family, ("accuracy", band[0].unit)))
    write(ax, 1.75, middle - 0.3, capitalized(family), fontweight="bold", fontsize=SIZE + 1)
    write(ax, 1.75, middle, catalogue.FAMILIES[family], fontsize=SIZE - 2)
    small(ax, 1.75, middle + 0.28, f"needs {_NEEDS[reads]}")
    for i, name in enumerate(_names(band)):
        level = middle + 0.34 * (i // 2 - (len(band) - 1) // 2 / 2)
        write(ax, 5.1 + 2.25 * (i % 2), level, name)


def _draw_grid(ax: Axes, middle: float, family: str, ratio: str, per: str) -> None:
    """A family's way of counting on nine cells."""
    apart = {"sample": (0.05, 0.1), "label": (0.1, 0.05), "cell": (0.05, 0.05)}[per]
    xs, ys = (0.23 + np.array(apart))[:, None] * np.arange(3)
    top = middle - (ys[-1] + 0.23) / 2
    at = Layout((0.56 + xs).tolist(), (top + ys).tolist(), 0.23, 0.23)
    outcome = np.array([[3, 0, 2], [0, 3, 0], [1, 0, 3]])
    draw_cells(ax, at, outcome, looks(RATIOS[ratio]), f"{family}-")
    draw_frames(ax, at, per, name=f"{family}-")


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
    cases = {case.name: case for case in conventions.recorded_cases()}
    numbers = cases["perfect+both_empty"].numbers["samples F1"]
    by_default = {k: v for k, v in numbers.items() if k in conventions.TOOLS}
    title = f"A perfect prediction, and its samples F1 in {len(by_default)} tools"
    return tool_dots(by_default, title=title)


def _two_photos() -> Axes:
    """The data of notebook 07."""
    y_true = [[1, 0, 0, 0, 0], [0, 1, 1, 1, 0]]
    y_score = [[0.9, 0.8, 0.7, 0.2, 0.1], [0.1, 0.9, 0.5, 0.4, 0.8]]
    labels, samples = ["dog", "sea", "sun", "boat", "rain"], ["photo one", "photo two"]
    return top_window(y_true, y_score, k=3, labels=labels, samples=samples)


def _cat_and_dog() -> Axes:
    """The data of notebook 13."""
    labels = ["animal", "vehicle", "cat", "dog", "car", "boat"]
    cat, dog, car = ([int(name == label) for label in labels] for name in ("cat", "dog", "car"))
    parents, samples = [[], [], [0], [0], [1], [1]], ["predicts dog", "predicts car"]
    return label_trees([cat, cat], [dog, car], parents, labels=labels, samples=samples)


PICTURES: dict[str, Callable[[], Axes]] = {
    "exact_match": lambda: _document_grid(SKLEARN_GUIDE, "exact match", "sample"),
    "example_based": lambda: _document_grid(PARTIAL_CREDIT, "accuracy", "sample"),
    "hamming": lambda: _document_grid(SKLEARN_GUIDE, "Hamming loss", "cell"),
    "label_based": lambda: _document_grid(MACRO_MICRO, "F1", "label"),
    "ranking": lambda: rank_lists(RANKING.scores, RANKING.y_true, RANKING.labels),
    "curves": _curves_picture,
    "top_k": _two_photos,
    "hierarchy": _cat_and_dog,
    "metric_map": metric_map,
    "perfect_prediction": perfect_prediction,
}
"""The pictures of the README and of the site, by file stem."""
