"""The map of metrics, and the pictures in the folder figures/."""

from collections.abc import Callable
from itertools import groupby

import numpy as np
from matplotlib.axes import Axes

from mlm_course import documents
from mlm_course.documents import RANKING
from mlm_course.figures.cells import Layout, draw_cells, draw_frames
from mlm_course.figures.charts import tool_dots
from mlm_course.figures.curve_pictures import curve_steps
from mlm_course.figures.grids import RATIOS, label_grid, marks_of
from mlm_course.figures.lists import rank_lists, top_window
from mlm_course.figures.look import IGNORED, INK, MARKS, SIZE
from mlm_course.figures.pen import draw_box, page, write, write_small
from mlm_course.figures.phrases import capitalized
from mlm_course.figures.trees import label_trees
from mlm_helpers import catalogue, conventions
from mlm_helpers.tables import count_phrase

_INPUTS = {"y_pred": "label sets", "y_score": "scores"}
_FILLS = {"y_pred": "#EDF3F7", "y_score": "#FBF0D9"}
_GRIDS = {"exact match": ("exact match", "sample"), "Hamming": ("Hamming loss", "cell")}
"""Ratio and unit of a family's small grid; other families have the accuracy per unit."""


def metric_map() -> Axes:
    """Picture of all metrics by family, with each family's input and what it counts together."""
    records = catalogue.taught_records()
    bands = [list(group) for _, group in groupby(records, lambda m: (m.family, m.reads))]
    heights = [max(1.3, 0.5 + 0.34 * ((len(metrics) + 1) // 2)) for metrics in bands]
    head = f"Map of {count_phrase(len(records), 'metric')}, ↑ higher or ↓ lower is better."
    alt = f"{head} {capitalized('; '.join(map(_band_phrase, bands)))}."
    ax = page(width=9.8, height=1.3 + sum(heights), alt=alt, title="The map of metrics")
    y = 0.8
    for metrics, height in zip(bands, heights, strict=True):
        _draw_band(ax, y, height - 0.1, metrics)
        y += height
    write_small(ax, 0.3, y + 0.2, "↑ higher is better     ↓ lower is better")
    return ax


def _names_with_arrows(metrics: list[catalogue.Metric]) -> list[str]:
    """Name and direction of each metric: 'subset accuracy ↑'."""
    return [f"{metric.name} {'↑' if metric.higher_is_better else '↓'}" for metric in metrics]


def _band_phrase(metrics: list[catalogue.Metric]) -> str:
    """Family, input, way of counting and metrics of a band, for the alternative text."""
    family, source = metrics[0].family, _INPUTS[metrics[0].reads]
    names = ", ".join(_names_with_arrows(metrics))
    return f"{family}, from {source} ({catalogue.FAMILIES[family]}): {names}"


def _draw_band(ax: Axes, y: float, height: float, metrics: list[catalogue.Metric]) -> None:
    """Draw a family: a small grid or list of scores, its name, and its metrics in two columns."""
    family, reads = metrics[0].family, metrics[0].reads
    middle = y + height / 2
    draw_box(ax, 0.3, y, 9.2, height, facecolor=_FILLS[reads], edgecolor="none")
    if reads == "y_score":
        _draw_scores(ax, middle, family, metrics[0].unit)
    else:
        _draw_grid(ax, middle, family, *_GRIDS.get(family, ("accuracy", metrics[0].unit)))
    write(ax, 1.75, middle - 0.3, capitalized(family), fontweight="bold", fontsize=SIZE + 1)
    write(ax, 1.75, middle, catalogue.FAMILIES[family], fontsize=SIZE - 2)
    write_small(ax, 1.75, middle + 0.28, f"needs {_INPUTS[reads]}")
    last_row = (len(metrics) - 1) // 2
    for i, name in enumerate(_names_with_arrows(metrics)):
        row, column = divmod(i, 2)
        write(ax, 5.1 + 2.25 * column, middle + 0.34 * (row - last_row / 2), name)


def _draw_scores(ax: Axes, middle: float, family: str, unit: str) -> None:
    """Draw four scores, the highest first, in a row (sample) or a column; frame those read."""
    n_read = 2 if family == "top k" else 4
    for i, (score, outcome) in enumerate([(1.0, 3), (0.75, 0), (0.45, 3), (0.2, 0)]):
        row = 0.55 + 0.26 * i, middle + 0.42 - 0.84 * score, 0.17, 0.84 * score
        place = row if unit == "sample" else (0.55, middle - 0.42 + 0.225 * i, 0.95 * score, 0.165)
        draw_box(ax, *place, **(MARKS[outcome] if i < n_read else IGNORED).box_style)
    frame = 0.5, middle - 0.48, 0.26 * n_read + 0.015, 0.96
    draw_box(ax, *frame, label=f"frame-{family}-0", facecolor="none", edgecolor=INK, linewidth=1.1)


def _draw_grid(ax: Axes, middle: float, family: str, ratio: str, unit: str) -> None:
    """Draw a grid of three samples and three labels, with frames around its units."""
    side = 0.23
    column_gap, row_gap = (0.1 if unit == axis else 0.05 for axis in ("label", "sample"))
    xs, ys = 0.56 + (side + column_gap) * np.arange(3), (side + row_gap) * np.arange(3)
    ys += middle - (ys[-1] + side) / 2
    grid = Layout(xs.tolist(), ys.tolist(), side, side)
    outcomes = np.array([[3, 0, 2], [0, 3, 0], [1, 0, 3]])
    draw_cells(ax, grid, outcomes, marks_of(RATIOS[ratio]))
    draw_frames(ax, grid, unit, prefix=f"{family}-")


PHOTOS = (
    [[0, 1], [1, 0], [1, 0], [0, 1], [1, 0]],
    [[0.71, 0.88], [0.92, 0.77], [0.48, 0.31], [0.15, 0.22], [0.64, 0.53]],
)
"""Truth and scores of five photos and two labels, dog and sea."""


def _document_grid(document: documents.Document, ratio: str, per: str) -> Axes:
    """The label grid of a document's first example."""
    return label_grid(document.y_true, document.y_pred, ratio, per=per, labels=document.labels)


def _dog_curves() -> Axes:
    """The curves of the label dog in `PHOTOS`."""
    dog, scores = ([row[0] for row in rows] for rows in PHOTOS)
    return curve_steps(dog, scores, samples=[f"photo {i}" for i in range(1, 6)], label="dog")


def perfect_prediction() -> Axes:
    """Chart of each tool's default samples F1 for a perfect prediction with an empty sample."""
    cases = {case.name: case for case in conventions.recorded_cases()}
    numbers = cases["perfect+both_empty"].numbers["samples F1"].items()  # by tool and setting
    defaults = {tool: number for tool, number in numbers if tool in conventions.TOOLS}
    title = f"A perfect prediction, and its samples F1 in {len(defaults)} tools"
    return tool_dots(defaults, title=title)


def _two_photos() -> Axes:
    """The windows of two photos, on the data of notebook 07."""
    y_true = [[1, 0, 0, 0, 0], [0, 1, 1, 1, 0]]
    y_score = [[0.9, 0.8, 0.7, 0.2, 0.1], [0.1, 0.9, 0.5, 0.4, 0.8]]
    labels, samples = ["dog", "sea", "sun", "boat", "rain"], ["photo one", "photo two"]
    return top_window(y_true, y_score, k=3, labels=labels, samples=samples)


def _cat_and_dog() -> Axes:
    """The trees of a small hierarchy, on the data of notebook 13."""
    labels = ["animal", "vehicle", "cat", "dog", "car", "boat"]
    cat, dog, car = [0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 1, 0]
    parents, samples = [[], [], [0], [0], [1], [1]], ["predicts dog", "predicts car"]
    return label_trees([cat, cat], [dog, car], parents, labels=labels, samples=samples)


PICTURES: dict[str, Callable[[], Axes]] = {
    "exact_match": lambda: _document_grid(documents.SKLEARN_GUIDE, "exact match", "sample"),
    "example_based": lambda: _document_grid(documents.PARTIAL_CREDIT, "accuracy", "sample"),
    "hamming": lambda: _document_grid(documents.SKLEARN_GUIDE, "Hamming loss", "cell"),
    "label_based": lambda: _document_grid(documents.MACRO_MICRO, "F1", "label"),
    "ranking": lambda: rank_lists(RANKING.scores, RANKING.y_true, RANKING.labels),
    "curves": _dog_curves,
    "top_k": _two_photos,
    "hierarchy": _cat_and_dog,
    "metric_map": metric_map,
    "perfect_prediction": perfect_prediction,
}
"""The pictures of the README and of the site, by file name without ending."""
