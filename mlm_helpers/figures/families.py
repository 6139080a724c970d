"""The map of metrics: the families, how each counts, and their members."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes

from mlm_helpers import catalogue
from mlm_helpers.figures.cells import Layout, draw_cells, draw_frames
from mlm_helpers.figures.grids import RATIOS, matters
from mlm_helpers.figures.look import MARKS, QUIET, SIZE
from mlm_helpers.figures.pen import box, headline, page, write
from mlm_helpers.figures.words import capital, plural

NEEDS = {"y_pred": "label sets", "y_score": "scores"}
_FILLS = {"y_pred": "#EDF3F7", "y_score": "#FBF0D9"}
_GRIDS = {"exact match": ("exact match", "sample"), "Hamming": ("Hamming loss", "cell")}
"""What a family's little grid counts, where that is not a ratio along each row or column."""


def metric_map(metrics: Iterable[Any] | None = None) -> Axes:
    """The families of metrics: what each needs, what it counts together, and which metrics it has.

    Parameters
    ----------
    metrics : records with name, family, higher_is_better, reads and along; by default the catalogue's

    Returns
    -------
    Axes

    Examples
    --------
    >>> from mlm_helpers.catalogue import METRICS
    >>> from mlm_helpers.figures import alt_text
    >>> alt_text(metric_map(METRICS[:2]))
    'Map of 2 metrics, ↑ higher or ↓ lower is better. Exact match, from label sets (each row: all \
right, or not): subset accuracy ↑, zero-one loss ↓.'
    """
    given = catalogue.METRICS if metrics is None else metrics
    order = list(catalogue.FAMILIES)
    records = sorted(given, key=lambda metric: (order.index(metric.family), metric.reads))
    groups = groupby(records, lambda metric: (metric.family, metric.reads))
    bands = [_Band.of(list(members)) for _, members in groups]
    head = f"Map of {plural(len(records), 'metric')}, ↑ higher or ↓ lower is better."
    listed = "; ".join(band.sentence for band in bands)
    ax = page(9.8, 1.3 + sum(band.height for band in bands), f"{head} {capital(listed)}.")
    headline(ax, "The map of metrics")
    y = 0.8
    for band in bands:
        _draw_band(ax, y, band)
        y += band.height
    key = "↑ higher is better     ↓ lower is better"
    write(ax, 0.3, y + 0.2, key, fontsize=SIZE - 2, color=QUIET)
    return ax


class _Band(NamedTuple):
    """The metrics of one family that need the same."""

    family: str
    reads: str
    along: str
    names: list[str]

    @classmethod
    def of(cls, members: list[Any]) -> _Band:
        names = [f"{metric.name} {'↑' if metric.higher_is_better else '↓'}" for metric in members]
        return cls(members[0].family, members[0].reads, members[0].along, names)

    @property
    def counts(self) -> str:
        return catalogue.FAMILIES[self.family]

    @property
    def sentence(self) -> str:
        return f"{self.family}, from {NEEDS[self.reads]} ({self.counts}): {', '.join(self.names)}"

    @property
    def rows(self) -> int:
        return (len(self.names) + 1) // 2

    @property
    def height(self) -> float:
        return max(1.3, 0.5 + 0.34 * self.rows)


def _draw_band(ax: Axes, y: float, band: _Band) -> None:
    """One family: its little grid, its name, how it counts, what it needs; its metrics by twos."""
    height = band.height - 0.1
    middle = y + height / 2
    box(ax, 0.3, y, 9.2, height, facecolor=_FILLS[band.reads], edgecolor="none")
    if band.reads == "y_score":
        _draw_scores(ax, 0.5, middle)
    else:
        _draw_grid(ax, 0.5, middle, band)
    write(ax, 1.75, middle - 0.3, capital(band.family), fontweight="bold", fontsize=SIZE + 1)
    write(ax, 1.75, middle, band.counts, fontsize=SIZE - 2)
    needs = f"needs {NEEDS[band.reads]}"
    write(ax, 1.75, middle + 0.28, needs, fontsize=SIZE - 2, color=QUIET)
    for i, name in enumerate(band.names):
        level = middle + 0.34 * (i // 2 - (band.rows - 1) / 2)
        write(ax, 5.1 + 2.25 * (i % 2), level, name, label=f"metric-{i}")


def _draw_scores(ax: Axes, x: float, middle: float) -> None:
    """A falling list of scores."""
    for i, (score, mark) in enumerate(zip((1.0, 0.75, 0.45, 0.2), (3, 0, 3, 0), strict=True)):
        style = {"facecolor": MARKS[mark].fill, "edgecolor": MARKS[mark].edge}
        box(ax, x, middle - 0.43 + 0.23 * i, score, 0.17, **style)


def _draw_grid(ax: Axes, x: float, middle: float, band: _Band) -> None:
    """A family's way of counting on nine cells."""
    ratio, per = _GRIDS.get(band.family, ("accuracy", band.along))
    apart = {"sample": (0.05, 0.1), "label": (0.1, 0.05), "cell": (0.05, 0.05)}[per]
    xs, ys = (0.23 + np.array(apart))[:, None] * np.arange(3)
    outcome = np.array([[3, 0, 2], [0, 3, 0], [1, 0, 3]])
    top = middle - (ys[-1] + 0.23) / 2
    at = Layout((x + 0.06 + xs).tolist(), (top + ys).tolist(), 0.23, 0.23)
    name = f"{band.family}-"
    draw_cells(ax, at, outcome, matters(RATIOS[ratio]), name)
    draw_frames(ax, at, per, [""] * 3 if per != "cell" else [], name)
