"""Rows and columns of cells: where they lie, how they are drawn, framed and put into words."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike, NDArray

from mlm_course.figures.look import INK, MARKS, SIZE, Mark
from mlm_course.figures.pen import box, cell, width_of, write
from mlm_course.figures.phrases import capitalized, joined
from mlm_helpers._core import inputs
from mlm_helpers.tables import count_phrase

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


def label_outcomes(y_true: ArrayLike, y_pred: ArrayLike) -> NDArray[np.int_]:
    """Which of `MARKS` each cell is."""
    data = inputs.read_label_sets(y_true, y_pred).dense()
    outcome: NDArray[np.int_] = 2 * data.truth.astype(int) + data.prediction.astype(int)
    return outcome


def layout(labels: list[str], samples: list[str], per: str = "", top: float = TOP) -> Layout:
    """Cells wide enough for the label names, apart where a frame goes between them."""
    width = max(CELL + 0.1, width_of(labels) + 0.2)
    across, down = (0.28 if per == "label" else 0.08), (0.28 if per == "sample" else 0.08)
    xs = 0.55 + width_of(samples) + (width + across) * np.arange(len(labels))
    ys = top + (CELL + down) * np.arange(len(samples))
    return Layout(xs.tolist(), ys.tolist(), width, CELL)


def name_cells(
    ax: Axes, at: Layout, labels: Sequence[str] = (), samples: Sequence[str] = ()
) -> None:
    """The names of the labels above the cells, and those of the samples on their left."""
    for x, label in zip(at.xs, labels, strict=False):
        write(ax, x + at.width / 2, at.ys[0] - 0.28, label, ha="center")
    for y, sample in zip(at.ys, samples, strict=False):
        write(ax, at.xs[0] - 0.25, y + at.height / 2, sample, ha="right")


def sentence(title: str, labels: list[str], samples: list[str], parts: Iterable[str]) -> str:
    """How many samples and labels, the names of these, and what is seen in each row."""
    size = f"{count_phrase(len(samples), 'sample')} and {count_phrase(len(labels), 'label')}"
    return f"{title} {size} ({', '.join(labels)}). {capitalized('; '.join(parts))}."


def seen(outcome: NDArray[np.int_], labels: list[str], samples: list[str]) -> list[str]:
    """What each row of outcomes holds beside what is rightly left out."""
    rows = []
    for sample, row in zip(samples, outcome, strict=True):
        held = {kind: np.array(labels)[row == kind].tolist() for kind in (3, 1, 2)}
        parts = [f"{MARKS[kind].word} {joined(some)}" for kind, some in held.items() if some]
        rows.append(f"{sample}: {', '.join(parts) or 'all rightly left out'}")
    return rows


def draw_cells(
    ax: Axes,
    at: Layout,
    kinds: NDArray[np.int_],
    looks: Sequence[Mark] = MARKS,
    name: str = "",
    texts: NDArray[np.str_] | None = None,
) -> None:
    """Every cell in the look of its kind, with its symbol or a text of its own."""
    for (i, j), kind in np.ndenumerate(kinds):
        look = looks[int(kind)]
        if texts is not None:
            look = look._replace(symbol=str(texts[i, j]))
        cell(ax, at.xs[j], at.ys[i], at.width, at.height, look, f"{name}{i}-{j}")


def draw_frames(ax: Axes, at: Layout, per: str, notes: Sequence[str] = (), name: str = "") -> None:
    """A frame around what is counted together; a row's note beside it, a column's below it."""
    pad, left, top = 0.13 * at.height, at.xs[0], at.ys[0]
    wide, high = at.right - left, at.bottom - top
    frames = {
        "sample": [(left, y, wide, at.height) for y in at.ys],
        "label": [(x, top, at.width, high) for x in at.xs],
        "cell": [(left, top, wide, high)],
    }[per]
    style: Any = {"facecolor": "none", "edgecolor": INK, "linewidth": 0.8 + 1.3 * at.height}
    for i, (x, y, across, down) in enumerate(frames):
        around = x - pad, y - pad, across + 2 * pad, down + 2 * pad
        box(ax, *around, label=f"frame-{name}{i}", **style)
    for i, note in enumerate(notes):
        bold = {"label": f"note-{i}", "fontweight": "bold", "fontsize": SIZE + 1}
        if per == "sample":
            write(ax, at.right + 0.3, at.ys[i] + at.height / 2, note, **bold)
        else:
            write(ax, at.xs[i] + at.width / 2, at.bottom + 0.38, note, ha="center", **bold)
