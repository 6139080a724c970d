"""How everything looks: colours, sizes, the marks of the cells and the strokes of the series."""

from collections.abc import Collection
from typing import Any, NamedTuple

INK, QUIET, FAINT, PAPER = "#1A1A1A", "#6B6B6B", "#B8B8B8", "#FFFFFF"
BLUE, ORANGE, VERMILION, GREEN, PALE = "#0072B2", "#E69F00", "#D55E00", "#009E73", "#DCEFFA"
SIZE = 14.0  # points; small text is 2 less


class Mark(NamedTuple):
    """How one outcome of a cell looks."""

    word: str
    symbol: str
    fill: str
    edge: str
    ink: str
    line: str

    @property
    def box(self) -> dict[str, Any]:
        """The look of its box, as keyword arguments."""
        return {"facecolor": self.fill, "edgecolor": self.edge, "linestyle": self.line}


# Indexed by 2 * truth + prediction.
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
CODES = {  # of tables that say how many cells the smallest data have
    "=": Mark("never", "", PAPER, INK, INK, "-"),
    "–": Mark("no case", "", PAPER, FAINT, INK, "--"),
    "1": Mark("1 cell", "", INK, INK, PAPER, "-"),
    "2": Mark("2 cells", "", "#003B5C", "#003B5C", PAPER, "-"),
    "3": Mark("3 cells", "", BLUE, BLUE, PAPER, "-"),
    "4": Mark("4 cells", "", "#8CC4E8", "#8CC4E8", INK, "-"),
}
MANY = Mark("more cells", "", PALE, PALE, INK, "-")


STROKES: tuple[
    tuple[str, str, Any], ...
] = (  # colour, marker and line: series differ in all of them
    ("#000000", "o", "-"),
    (BLUE, "^", (0, (5, 2))),
    (ORANGE, "*", (0, (1, 1.2))),
    (VERMILION, "s", (0, (6, 2, 1, 2))),
    (GREEN, "D", (0, (3, 1, 1, 1, 1, 1))),
)


def strokes(names: Collection[str]) -> dict[str, dict[str, Any]]:
    """A look for each series, as keyword arguments of `Axes.plot`: never told by its colour alone."""
    common = {"linewidth": 2.2, "markeredgecolor": INK, "markeredgewidth": 0.8}
    looks: dict[str, dict[str, Any]] = {}
    for name, (color, marker, line) in zip(names, STROKES[: len(names)], strict=True):
        own = {"label": name, "color": color, "linestyle": line, "marker": marker}
        looks[name] = {**common, **own, "markersize": 11 if marker == "*" else 8}
    return looks
