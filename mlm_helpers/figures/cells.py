"""Rows and columns of cells: where they lie, how they are drawn, framed and put into words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from mlm_helpers.figures.look import IGNORED, INK, MARKS, SIZE
from mlm_helpers.figures.pen import box, cell, width_of, write
from mlm_helpers.figures.words import capital, joined, plural

CELL, TOP = 0.62, 1.25  # inches: the least side of a cell; where the first row begins


class Layout(NamedTuple):
    """Where the cells of a grid lie: the left edges, the upper edges, and the size of a cell."""

    xs: list[float]
    ys: list[float]
    width: float
    height: float

    @property
    def right(self) -> float:
        """Where the last column ends."""
        return self.xs[-1] + self.width

    @property
    def bottom(self) -> float:
        """Where the last row ends."""
        return self.ys[-1] + self.height


def layout(labels: list[str], samples: list[str], per: str = "", top: float = TOP) -> Layout:
    """Cells wide enough for the label names, apart where a frame goes between them."""
    width = max(CELL + 0.1, width_of(labels, SIZE) + 0.2)
    across, down = (0.28 if per == "label" else 0.08), (0.28 if per == "sample" else 0.08)
    xs = 0.55 + width_of(samples) + (width + across) * np.arange(len(labels))
    ys = top + (CELL + down) * np.arange(len(samples))
    return Layout(xs.tolist(), ys.tolist(), width, CELL)


def name_columns(ax: Axes, at: Layout, labels: list[str]) -> None:
    """The names of the labels above the cells."""
    for x, label in zip(at.xs, labels, strict=True):
        write(ax, x + at.width / 2, at.ys[0] - 0.28, label, ha="center")


def name_rows(ax: Axes, at: Layout, samples: list[str]) -> None:
    """The names of the samples on the left of the cells."""
    for y, sample in zip(at.ys, samples, strict=True):
        write(ax, at.xs[0] - 0.25, y + at.height / 2, sample, ha="right")


def grid_sentence(title: str, labels: list[str], samples: list[str], parts: Iterable[str]) -> str:
    """How many samples and labels, the names of these, and what is seen in each row."""
    size = f"{plural(len(samples), 'sample')} and {plural(len(labels), 'label')}"
    names = ", ".join(labels)
    return f"{title} {size} ({names}). {capital('; '.join(parts))}."


def seen(row: NDArray[np.int_], labels: list[str]) -> str:
    """What a row of outcomes holds beside what is rightly left out."""
    parts = [
        f"{MARKS[kind].word} {joined(np.array(labels)[row == kind].tolist())}"
        for kind in (3, 1, 2)
        if kind in row
    ]
    return ", ".join(parts) or "all rightly left out"


def draw_cells(
    ax: Axes, at: Layout, outcome: NDArray[np.int_], counted: Sequence[bool], name: str = ""
) -> None:
    """Every cell: in full colour if it is counted, else grey."""
    for (i, j), kind in np.ndenumerate(outcome):
        look = MARKS[kind]
        if not counted[int(kind)]:
            look = IGNORED._replace(symbol=look.symbol)
        cell(ax, at.xs[j], at.ys[i], at.width, at.height, look, f"{name}{i}-{j}")


def draw_frames(ax: Axes, at: Layout, per: str, notes: list[str], name: str = "") -> None:
    """A frame around what is counted together, and its note beside or below it."""
    pad, left, top = 0.13 * at.height, at.xs[0], at.ys[0]
    wide, high = at.right - left + 2 * pad, at.bottom - top + 2 * pad
    style = {"facecolor": "none", "edgecolor": INK, "linewidth": 0.8 + 1.3 * at.height}
    if per == "cell":
        box(ax, left - pad, top - pad, wide, high, label=f"frame-{name}0", **style)
    for i, note in enumerate(notes):
        bold: dict[str, Any] = {
            "label": f"note-{name}{i}",
            "fontweight": "bold",
            "fontsize": SIZE + 1,
        }
        if per == "sample":
            y = at.ys[i] - pad
            box(ax, left - pad, y, wide, at.height + 2 * pad, label=f"frame-{name}{i}", **style)
            write(ax, at.right + 0.3, at.ys[i] + at.height / 2, note, **bold)
        else:
            x = at.xs[i] - pad
            box(ax, x, top - pad, at.width + 2 * pad, high, label=f"frame-{name}{i}", **style)
            write(ax, at.xs[i] + at.width / 2, at.bottom + 0.38, note, ha="center", **bold)
