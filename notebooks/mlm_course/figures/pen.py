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
_HEAD: Any = {"fontsize": SIZE + 3, "fontweight": "bold"}


def page(width: float, height: float, alt: str, title: str = "") -> Axes:
    """A white page measured in inches from its upper left corner."""
    ax = Figure(figsize=(width, height), facecolor=PAPER).add_axes((0, 0, 1, 1), label=alt)
    ax.set(xlim=(0, width), ylim=(height, 0))
    ax.set_axis_off()
    headline(ax, title)
    return ax


def chart(width: float, height: float, margins: Sequence[float], alt: str, title: str = "") -> Axes:
    """Axes for data; margins in inches: left, bottom, right, top; a quiet grid; a title above them."""
    left, bottom, right, top = margins
    inside = (width - left - right) / width, (height - bottom - top) / height
    place = (left / width, bottom / height, *inside)
    figure = Figure(figsize=(width, height), facecolor=PAPER)
    figure.text(0.3 / width, 1 - 0.42 / height, title, **_TEXT | _HEAD)
    ax = figure.add_axes(place, facecolor=PAPER, label=alt)
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(QUIET)
    ax.tick_params(labelsize=SIZE - 2, color=QUIET, labelcolor=INK)
    ax.grid(axis="y", color="#E4E4E4", linewidth=0.8)
    ax.set_axisbelow(True)
    return ax


def name_rows(ax: Axes, names: Sequence[str], pad: float) -> None:
    """A row of a chart for each name, the first on top."""
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.set_yticks(range(len(names)), names)
    ax.tick_params(axis="y", length=0, labelsize=SIZE, pad=pad)


def figure_of(ax: Axes) -> Figure:
    """The whole picture that Axes are a part of."""
    assert isinstance(ax.figure, Figure)
    return ax.figure


def write(ax: Axes, x: float, y: float, text: str, **style: Any) -> None:
    """Text, by default left of x and centred on y; a dollar sign stays a dollar sign."""
    ax.text(x, y, text, **_TEXT | style)


def small(ax: Axes, x: float, y: float, text: str) -> None:
    """What stands aside or below: a key, a unit, a note."""
    write(ax, x, y, text, fontsize=SIZE - 2, color=QUIET)


def headline(ax: Axes, text: str, x: float = 0.3, y: float = 0.4) -> None:
    """What a page, or a part of it, is called."""
    write(ax, x, y, text, **_HEAD)


def width_of(texts: Iterable[str], size: float = SIZE) -> float:
    """The width in inches of the longest of some texts."""
    return max((_text_width(text, size) for text in texts), default=0.0)


@functools.cache
def _text_width(text: str, size: float) -> float:
    font = FontProperties(family="DejaVu Sans", size=size)
    return float(text_to_path.get_text_width_height_descent(text, font, False)[0]) / 72


def box(ax: Axes, x: float, y: float, width: float, height: float, **style: Any) -> None:
    """A rectangle with slightly rounded corners."""
    shape = FancyBboxPatch((x, y), width, height, boxstyle="round,pad=0,rounding_size=0.06")
    shape.set(**style)
    ax.add_patch(shape)


def cell(ax: Axes, x: float, y: float, width: float, height: float, look: Mark, name: str) -> None:
    """One cell of a grid: its box and its symbol, both findable by name."""
    edge = 0.6 + 1.3 * height
    box(ax, x, y, width, height, linewidth=edge, label=f"cell-{name}", **look.box)
    center = {"ha": "center", "fontsize": 31 * height, "label": f"mark-{name}"}
    write(ax, x + width / 2, y + height / 2, look.symbol, color=look.ink, **center)
