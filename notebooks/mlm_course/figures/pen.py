"""Paper and pen: pages, charts, text and boxes, measured in inches."""

import functools
from collections.abc import Iterable, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.patches import FancyBboxPatch
from matplotlib.textpath import text_to_path

from mlm_course.figures.look import INK, PAPER, QUIET, SIZE, Mark

_TEXT: Any = {"fontsize": SIZE, "color": INK, "va": "center_baseline", "parse_math": False}
_HEADING: Any = {"fontsize": SIZE + 3, "fontweight": "bold"}


def page(width: float, height: float, alt: str, title: str = "") -> Axes:
    """Empty Axes on white paper; one unit is an inch, and (0, 0) is the upper left corner."""
    ax = Figure(figsize=(width, height), facecolor=PAPER).add_axes((0, 0, 1, 1), label=alt)
    ax.set(xlim=(0, width), ylim=(height, 0))
    ax.set_axis_off()
    write_heading(ax, title)
    return ax


def chart(width: float, height: float, margins: Sequence[float], alt: str, title: str) -> Axes:
    """Axes for data, with a grey grid and a title.

    Sizes are in inches; margins are those at the left, the bottom, the right and the top.
    """
    left, bottom, right, top = margins
    axes_size = (width - left - right) / width, (height - bottom - top) / height
    figure = Figure(figsize=(width, height), facecolor=PAPER)
    figure.text(0.3 / width, 1 - 0.42 / height, title, **_TEXT | _HEADING)
    corner = left / width, bottom / height
    ax = figure.add_axes((*corner, *axes_size), facecolor=PAPER, label=alt)
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(QUIET)
    ax.tick_params(labelsize=SIZE - 2, color=QUIET, labelcolor=INK)
    ax.grid(axis="y", color="#E4E4E4", linewidth=0.8)
    ax.set_axisbelow(True)
    return ax


def name_rows(ax: Axes, names: Sequence[str], pad: float) -> None:
    """Give a chart one row for each name, the first on top; row i lies at y = i."""
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.set_yticks(range(len(names)), names)
    ax.tick_params(axis="y", length=0, labelsize=SIZE, pad=pad)


def figure_of(ax: Axes) -> Figure:
    """The Matplotlib Figure that Axes belong to."""
    assert isinstance(ax.figure, Figure)
    return ax.figure


def write(ax: Axes, x: float, y: float, text: str, **style: Any) -> None:
    """Write text that begins at x and is centred on y; a dollar sign stays a dollar sign."""
    ax.text(x, y, text, **_TEXT | style)


def write_small(ax: Axes, x: float, y: float, text: str) -> None:
    """Write a key, a unit or a note: small and grey."""
    write(ax, x, y, text, fontsize=SIZE - 2, color=QUIET)


def write_heading(ax: Axes, text: str, x: float = 0.3, y: float = 0.4) -> None:
    """Write the title of a page or of a part of it: large and bold."""
    write(ax, x, y, text, **_HEADING)


def text_width(texts: Iterable[str], size: float = SIZE) -> float:
    """Width in inches of the longest of the texts, in a font of ``size`` points."""
    return max((_width_in_inches(text, size) for text in texts), default=0.0)


@functools.cache
def _width_in_inches(text: str, size: float) -> float:
    """Width of one text, which Matplotlib measures in points: 72 are an inch."""
    font = FontProperties(family="DejaVu Sans", size=size)
    return float(text_to_path.get_text_width_height_descent(text, font, False)[0]) / 72


def draw_box(ax: Axes, x: float, y: float, width: float, height: float, **style: Any) -> None:
    """Draw a rectangle with slightly rounded corners; (x, y) is its upper left corner."""
    shape = FancyBboxPatch((x, y), width, height, boxstyle="round,pad=0,rounding_size=0.06")
    shape.set(**style)
    ax.add_patch(shape)


def draw_cell(ax: Axes, x: float, y: float, width: float, height: float, mark: Mark) -> None:
    """Draw a cell of a grid: a box with the symbol of a mark in its middle."""
    draw_box(ax, x, y, width, height, linewidth=0.6 + 1.3 * height, **mark.box_style)
    style = {"ha": "center", "fontsize": 31 * height, "color": mark.ink}
    write(ax, x + width / 2, y + height / 2, mark.symbol, **style)
