"""The map of metrics: the families, how each counts, and their members."""

from collections.abc import Iterable
from itertools import groupby
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from mlm_helpers import catalogue
from mlm_helpers.course.figures.cells import Layout, draw_cells, draw_frames
from mlm_helpers.course.figures.grids import RATIOS, looks
from mlm_helpers.course.figures.look import MARKS, SIZE
from mlm_helpers.course.figures.pen import box, page, small, write
from mlm_helpers.course.figures.phrases import capital, plural

NEEDS = {"y_pred": "label sets", "y_score": "scores"}
_FILLS = {"y_pred": "#EDF3F7", "y_score": "#FBF0D9"}
_GRIDS = {"exact match": ("exact match", "sample"), "Hamming": ("Hamming loss", "cell")}
"""What a family's little grid counts, where that is not a ratio along each row or column."""


def metric_map(metrics: Iterable[Any] | None = None) -> Axes:
    """The families of metrics: what each needs, what it counts together, and which metrics it has.

    Parameters
    ----------
    metrics : records with name, family, higher_is_better, reads, along; by default those of the course

    Examples
    --------
    >>> from mlm_helpers.catalogue import METRICS
    >>> metric_map(METRICS[:2]).get_label()
    'Map of 2 metrics, ↑ higher or ↓ lower is better. Exact match, from label sets (each row: all \
right, or not): subset accuracy ↑, zero-one loss ↓.'
    """
    order = list(catalogue.FAMILIES)
    records = sorted(
        catalogue.taught() if metrics is None else metrics,
        key=lambda metric: (order.index(metric.family), metric.reads),
    )
    groups = groupby(records, lambda metric: (metric.family, metric.reads))
    bands = [list(members) for _, members in groups]  # the metrics of one family that need the same
    heights = [max(1.3, 0.5 + 0.34 * ((len(band) + 1) // 2)) for band in bands]
    head = f"Map of {plural(len(records), 'metric')}, ↑ higher or ↓ lower is better."
    listed = "; ".join(map(_sentence, bands))
    ax = page(9.8, 1.3 + sum(heights), f"{head} {capital(listed)}.", "The map of metrics")
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
    family, needs = band[0].family, NEEDS[band[0].reads]
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
        _draw_grid(ax, middle, family, *_GRIDS.get(family, ("accuracy", band[0].along)))
    write(ax, 1.75, middle - 0.3, capital(family), fontweight="bold", fontsize=SIZE + 1)
    write(ax, 1.75, middle, catalogue.FAMILIES[family], fontsize=SIZE - 2)
    small(ax, 1.75, middle + 0.28, f"needs {NEEDS[reads]}")
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
