"""Colours, sizes, the marks of cells and the line styles of series."""

from collections.abc import Collection
from typing import Any, NamedTuple

INK, QUIET, FAINT, PAPER = "#1A1A1A", "#6B6B6B", "#B8B8B8", "#FFFFFF"
BLUE, ORANGE, VERMILION, GREEN, PALE = "#0072B2", "#E69F00", "#D55E00", "#009E73", "#DCEFFA"
SIZE = 14.0  # points; small text is 2 less


class Mark(NamedTuple):
    """How one kind of cell looks: its name in words, its symbol, its colours and its line style."""

    word: str
    symbol: str
    fill: str
    edge: str
    ink: str
    line: str

    @property
    def box_style(self) -> dict[str, Any]:
        """Colours and line of the box around the symbol, as keyword arguments of a patch."""
        return {"facecolor": self.fill, "edgecolor": self.edge, "linestyle": self.line}


# The index is 2 * truth + prediction.
MARKS = (
    Mark("rightly left out", "·", PAPER, QUIET, INK, "-"),
    Mark("false alarm", "✗", ORANGE, INK, INK, "-"),
    Mark("miss", "○", PALE, BLUE, "#003B5C", "--"),
    Mark("hit", "✓", BLUE, BLUE, PAPER, "-"),
)
IGNORED = Mark("not counted", "", PAPER, "#DDDDDD", FAINT, "-")

ABSENT_PRESENT = (
    Mark("no label", "0", PAPER, FAINT, QUIET, "-"),
    Mark("label", "1", "#3A3A3A", "#3A3A3A", PAPER, "-"),
)

# Colour, marker and line style: series differ in all three.
SERIES_STYLES: tuple[tuple[str, str, Any], ...] = (
    ("#000000", "o", "-"),
    (BLUE, "^", (0, (5, 2))),
    (ORANGE, "*", (0, (1, 1.2))),
    (VERMILION, "s", (0, (6, 2, 1, 2))),
    (GREEN, "D", (0, (3, 1, 1, 1, 1, 1))),
)


def series_styles(names: Collection[str]) -> dict[str, dict[str, Any]]:
    """Style of each series, as keyword arguments of `Axes.plot`.

    ValueError for more names than styles.
    """
    common = {"linewidth": 2.2, "markeredgecolor": INK, "markeredgewidth": 0.8}
    styles: dict[str, dict[str, Any]] = {}
    for name, (color, marker, line) in zip(names, SERIES_STYLES[: len(names)], strict=True):
        style = {"label": name, "color": color, "linestyle": line, "marker": marker}
        styles[name] = common | style | {"markersize": 11 if marker == "*" else 8}
    return styles
