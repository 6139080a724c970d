"""The map of metrics: the families, how each counts, and their members."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from mlm_helpers import catalogue
from mlm_helpers.figures.cells import Layout, draw_cells, draw_frames
from mlm_helpers.figures.grids import RATIOS
from mlm_helpers.figures.look import MARKS, QUIET, SIZE
from mlm_helpers.figures.pen import box, headline, page, write
from mlm_helpers.figures.words import capital, plural

# How each family counts: in words, and as the arguments of its little grid.
COUNTS = {
    "exact match": ("each row: all right, or not", "exact match", "sample"),
    "example-based": ("each row: a ratio; then their mean", "accuracy", "sample"),
    "Hamming": ("every cell: right, or wrong", "Hamming loss", "cell"),
    "label-based": ("each column: a ratio; or all pooled", "accuracy", "label"),
    "ranking": ("each row: its labels by score", "", ""),
}
NEEDS = {"y_pred": "label sets", "y_score": "scores"}


def metric_map(metrics: Iterable[Any] | None = None) -> Axes:
    """The families of metrics: what each needs, what it counts together, and which metrics it has.

    Parameters
    ----------
    metrics : records with name, family, direction and reads; by default the catalogue's

    Returns
    -------
    Axes

    Examples
    --------
    >>> from mlm_helpers.figures import alt_text
    >>> from mlm_helpers.catalogue import METRICS
    >>> alt_text(metric_map(METRICS[:2]))
    'Map of 2 metrics, ↑ higher or ↓ lower is better. Exact match, from label sets (each row: all \
right, or not): subset accuracy ↑, zero-one loss ↓.'
    """
    given = catalogue.METRICS if metrics is None else metrics
    records = sorted(given, key=lambda metric: list(COUNTS).index(metric.family))
    bands = {
        (family, NEEDS[reads]): [
            f"{m.name} {'↑' if m.direction == 'higher is better' else '↓'}" for m in members
        ]
        for (family, reads), members in groupby(records, lambda m: (m.family, m.reads))
    }
    parts = [
        f"{family}, from {needs} ({COUNTS[family][0]}): {', '.join(names)}"
        for (family, needs), names in bands.items()
    ]
    head = f"Map of {plural(len(records), 'metric')}, ↑ higher or ↓ lower is better."
    height = 1.3 + sum(_band_height(names) for names in bands.values())
    ax = page(9.8, height, f"{head} {capital('; '.join(parts))}.")
    headline(ax, "The map of metrics")
    y = 0.8
    for (family, needs), names in bands.items():
        _draw_band(ax, y, family, needs, names)
        y += _band_height(names)
    key = "↑ higher is better     ↓ lower is better"
    write(ax, 0.3, y + 0.2, key, fontsize=SIZE - 2, color=QUIET)
    return ax


def _band_height(names: list[str]) -> float:
    return max(1.3, 0.5 + 0.34 * ((len(names) + 1) // 2))


def _draw_band(ax: Axes, y: float, family: str, needs: str, names: list[str]) -> None:
    """One family: its little grid, its name, how it counts, what it needs; its metrics by twos."""
    height = _band_height(names) - 0.1
    middle = y + height / 2
    fill = "#EDF3F7" if needs == NEEDS["y_pred"] else "#FBF0D9"
    box(ax, 0.3, y, 9.2, height, facecolor=fill, edgecolor="none")
    _draw_icon(ax, 0.5, middle, family)
    write(ax, 1.75, middle - 0.3, capital(family), fontweight="bold", fontsize=SIZE + 1)
    write(ax, 1.75, middle, COUNTS[family][0], fontsize=SIZE - 2)
    write(ax, 1.75, middle + 0.28, f"needs {needs}", fontsize=SIZE - 2, color=QUIET)
    rows = (len(names) + 1) // 2
    for i, name in enumerate(names):
        level = middle + 0.34 * (i // 2 - (rows - 1) / 2)
        write(ax, 5.1 + 2.25 * (i % 2), level, name, label=f"metric-{i}")


def _draw_icon(ax: Axes, x: float, middle: float, family: str) -> None:
    """A family's way of counting on nine cells; for rankings a falling list of scores."""
    _, ratio, per = COUNTS[family]
    if not per:
        for i, (score, mark) in enumerate(zip((1.0, 0.75, 0.45, 0.2), (3, 0, 3, 0), strict=True)):
            style = {"facecolor": MARKS[mark].fill, "edgecolor": MARKS[mark].edge}
            box(ax, x, middle - 0.43 + 0.23 * i, score, 0.17, **style)
        return
    apart = {"sample": (0.05, 0.1), "label": (0.1, 0.05), "cell": (0.05, 0.05)}[per]
    xs, ys = (0.23 + np.array(apart))[:, None] * np.arange(3)
    outcome = np.array([[3, 0, 2], [0, 3, 0], [1, 0, 3]])
    top = middle - (ys[-1] + 0.23) / 2
    at = Layout((x + 0.06 + xs).tolist(), (top + ys).tolist(), 0.23, 0.23)
    draw_cells(ax, at, outcome, RATIOS[ratio].below, name=f"{family}-")
    draw_frames(ax, at, per, [""] * 3 if per != "cell" else [], name=f"{family}-")
