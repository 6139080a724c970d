"""Grids of cells, a row per sample and a column per label: positions, drawing, frames and words."""

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike, NDArray

from mlm_course.figures.look import INK, MARKS, SIZE, Mark
from mlm_course.figures.pen import draw_box, draw_cell, text_width, write
from mlm_course.figures.phrases import and_list, capitalized
from mlm_helpers._core.inputs.read import read_label_sets
from mlm_helpers.tables import count_phrase

Outcomes: TypeAlias = NDArray[np.int_]
CELL, TOP = 0.62, 1.25  # inches: smallest side of a cell; upper edge of the first row


class Layout(NamedTuple):
    """Positions in inches: left edge of each column, upper edge of each row, size of a cell."""

    xs: list[float]
    ys: list[float]
    width: float
    height: float

    @property
    def right(self) -> float:
        """Right edge of the last column."""
        return self.xs[-1] + self.width

    @property
    def bottom(self) -> float:
        """Lower edge of the last row."""
        return self.ys[-1] + self.height


def outcome_matrix(y_true: ArrayLike, y_pred: ArrayLike) -> Outcomes:
    """For each cell its index into `MARKS`: 2 * truth + prediction, so 3 is a hit."""
    data = read_label_sets(y_true, y_pred).dense()
    outcomes: Outcomes = 2 * data.truth.astype(int) + data.prediction.astype(int)
    return outcomes


def grid_layout(labels: list[str], samples: list[str], unit: str = "") -> Layout:
    """Cells as wide as the label names, with gaps for a frame around each "sample" or "label"."""
    width = max(CELL + 0.1, text_width(labels) + 0.2)
    column_gap, row_gap = (0.28 if unit == axis else 0.08 for axis in ("label", "sample"))
    xs = 0.55 + text_width(samples) + (width + column_gap) * np.arange(len(labels))
    ys = TOP + (CELL + row_gap) * np.arange(len(samples))
    return Layout(xs.tolist(), ys.tolist(), width, CELL)


def write_names(
    ax: Axes, grid: Layout, labels: Sequence[str] = (), samples: Sequence[str] = ()
) -> None:
    """Write label names above the columns and sample names to the left of the rows."""
    for x, label in zip(grid.xs, labels, strict=False):
        write(ax, x + grid.width / 2, grid.ys[0] - 0.28, label, ha="center")
    for y, sample in zip(grid.ys, samples, strict=False):
        write(ax, grid.xs[0] - 0.25, y + grid.height / 2, sample, ha="right")


def grid_alt_text(title: str, labels: list[str], samples: list[str], phrases: list[str]) -> str:
    """Alternative text of a grid: title, size, label names, and the phrases about its rows."""
    size = f"{count_phrase(len(samples), 'sample')} and {count_phrase(len(labels), 'label')}"
    return f"{title} {size} ({', '.join(labels)}). {capitalized('; '.join(phrases))}."


def outcome_phrases(outcomes: Outcomes, labels: list[str], samples: list[str]) -> list[str]:
    """A phrase per sample with hits, false alarms and misses: 'photo 1: hit A, miss B and C'."""
    phrases = []
    for sample, row in zip(samples, outcomes, strict=True):
        parts = []
        for outcome in (3, 1, 2):  # hit, false alarm, miss
            names = [labels[j] for j in np.flatnonzero(row == outcome)]
            if names:
                parts.append(f"{MARKS[outcome].word} {and_list(names)}")
        phrases.append(f"{sample}: {', '.join(parts) or 'all rightly left out'}")
    return phrases


def draw_cells(
    ax: Axes, grid: Layout, codes: Outcomes, marks: Sequence[Mark] = MARKS, texts: Any = None
) -> None:
    """Draw cell (i, j) with the mark of index ``codes[i, j]``, or with ``texts[i, j]`` on it."""
    for (i, j), code in np.ndenumerate(codes):
        mark = marks[int(code)]
        if texts is not None:
            mark = mark._replace(symbol=str(texts[i, j]))
        draw_cell(ax, grid.xs[j], grid.ys[i], grid.width, grid.height, mark)


def draw_frames(
    ax: Axes, grid: Layout, unit: str, notes: Sequence[str] = (), prefix: str = ""
) -> None:
    """Frame each "sample" or "label", with a note beside or below; or the whole grid ("cell")."""
    pad, left, top = 0.13 * grid.height, grid.xs[0], grid.ys[0]
    width, height = grid.right - left, grid.bottom - top
    frames = {
        "sample": [(left, y, width, grid.height) for y in grid.ys],
        "label": [(x, top, grid.width, height) for x in grid.xs],
        "cell": [(left, top, width, height)],
    }[unit]
    style: Any = {"facecolor": "none", "edgecolor": INK, "linewidth": 0.8 + 1.3 * grid.height}
    for i, (x, y, w, h) in enumerate(frames):
        place = x - pad, y - pad, w + 2 * pad, h + 2 * pad
        draw_box(ax, *place, label=f"frame-{prefix}{i}", **style)
    bold = {"fontweight": "bold", "fontsize": SIZE + 1}
    for i, note in enumerate(notes):
        if unit == "sample":
            write(ax, grid.right + 0.3, grid.ys[i] + grid.height / 2, note, **bold)
        else:
            write(ax, grid.xs[i] + grid.width / 2, grid.bottom + 0.38, note, ha="center", **bold)
