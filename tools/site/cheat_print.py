"""The cheat sheet on paper: one page, A4 landscape, drawn by Matplotlib from `pages.cheat_sheet`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.patches import Rectangle
from matplotlib.textpath import text_to_path

from mlm_helpers.catalogue import FAMILIES
from mlm_helpers.course.figures.look import BLUE, FAINT, INK, PALE, QUIET
from tools.site.pages.cheat_sheet import CHANGES, LEGEND, Line, arrow, lines

TITLE = "Multi-label metrics by hand: the cheat sheet"
STYLE: Any = {"font.family": "STIXGeneral", "mathtext.fontset": "stix", "pdf.fonttype": 42}
WIDTH, HEIGHT = 841.9, 595.3  # points: A4, landscape
MARGIN, LEADING, PAD = 20.0, 8.2, 2.2
SIZE, FORMULA = 7.7, 10.4


class Column(NamedTuple):
    """A column of the sheet: its heading, where it starts, and how wide its text may be."""

    head: str
    left: float
    width: float


COLUMNS = (
    Column("metric", 20, 84),
    Column("function", 106, 102),
    Column("formula, of one\nsample or label", 212, 92),
    Column("values", 306, 22),
    Column("what 0/0 counts, or what\nhas no value, by default", 332, 118),
    Column("ties, by\ndefault", 454, 28),
    *(Column(head, 486 + 28 * place, 26) for place, head in enumerate(CHANGES.values())),
    Column("scikit-learn", 574, 96),
    Column("notebook 09 advises it, if your\nusers see …", 678, 144),
)


def write(path: Path) -> None:
    """Write the sheet as PDF, the same bytes each time."""
    with matplotlib.rc_context(STYLE):
        metadata = {"Title": TITLE, "CreationDate": None, "Producer": None, "Creator": None}
        draw().savefig(path, format="pdf", metadata=metadata)


def draw() -> Figure:
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(WIDTH / 72, HEIGHT / 72))
        top = _head(figure)
        for family, counts in FAMILIES.items():
            top = _band(figure, top, family, counts)
            for line in lines():
                if line.metric.family == family:
                    top = _row(figure, top, line)
        _legend(figure, top)
        return figure


def _text(
    figure: Figure, left: float, base: float, text: str, size: float = SIZE, **look: Any
) -> None:
    figure.text(left / WIDTH, base / HEIGHT, text, fontsize=size, **({"color": INK} | look))


def _head(figure: Figure) -> float:
    _text(figure, MARGIN, HEIGHT - MARGIN - 10, "Multi-label metrics by hand", 16, weight="bold")
    said = "the default conventions; ↑ higher, ↓ lower is better"
    _text(figure, WIDTH - MARGIN, HEIGHT - MARGIN - 10, said, 9, ha="right", color=QUIET)
    base = HEIGHT - MARGIN - 31
    for column in COLUMNS:
        _text(figure, column.left, base, column.head, weight="bold", linespacing=1.0)
    return base - 3


def _band(figure: Figure, top: float, family: str, counts: str) -> float:
    height = LEADING + 2.4
    place = (MARGIN - 4) / WIDTH, (top - height) / HEIGHT
    size = (WIDTH - 2 * MARGIN + 8) / WIDTH, height / HEIGHT
    figure.add_artist(Rectangle(place, *size, facecolor=PALE, edgecolor="none", zorder=0))
    base = top - height + 3
    _text(figure, MARGIN, base, f"{family[0].upper()}{family[1:]}", weight="bold", color=BLUE)
    _text(figure, COLUMNS[1].left, base, counts)
    return top - height - 1


def _row(figure: Figure, top: float, line: Line) -> float:
    latex = line.metric.latex.replace(
        r"\mathbin{\triangle}", r"\triangle"
    )  # Matplotlib knows no \mathbin
    formula = f"${latex}$"
    _, tall, below = _measured(formula, FORMULA)
    metric = line.metric
    cells = [
        f"{metric.name} {arrow(metric)}",
        metric.id,
        None,
        line.values,
        line.undefined,
        line.ties,
        *line.changes,
        metric.sklearn_name if metric.sklearn else "–",
        line.use or "–",
    ]
    wrapped = [
        list(wrap(cell, column.width)) if cell else []
        for cell, column in zip(cells, COLUMNS, strict=True)
    ]
    height = max(tall, max(map(len, wrapped)) * LEADING) + PAD
    for pieces, column in zip(wrapped, COLUMNS, strict=True):
        first = top - (height - len(pieces) * LEADING) / 2 - LEADING + 2.2
        for place, piece in enumerate(pieces):
            bold = "bold" if column is COLUMNS[0] else "normal"
            _text(figure, column.left, first - place * LEADING, piece, weight=bold)
    _text(figure, COLUMNS[2].left, top - (height + tall) / 2 + below, formula, FORMULA)
    rule = Rectangle(
        (MARGIN / WIDTH, (top - height) / HEIGHT),
        1 - 2 * MARGIN / WIDTH,
        0,
        edgecolor=FAINT,
        linewidth=0.3,
    )
    figure.add_artist(rule)
    return top - height


def _legend(figure: Figure, top: float) -> None:
    left, base = MARGIN, top - LEADING - 2
    for sign, says in LEGEND:
        said = f"{sign}  {says}"
        width, _, _ = _measured(said, SIZE)
        if left + width > WIDTH - MARGIN:
            left, base = MARGIN, base - LEADING - 1
        _text(figure, left, base, said)
        left += width + 18


def wrap(text: str, width: float) -> Iterator[str]:
    """A text in lines no wider than so many points; names may be cut after one of their _ and (."""
    line = ""
    for piece in re.split(r"(?<=[ _])|(?<=\w\()", text):
        if line and _measured(f"{line}{piece}".rstrip(), SIZE)[0] > width:
            yield line.rstrip()
            line = ""
        line += piece
    yield line


def _measured(text: str, size: float) -> tuple[float, float, float]:
    """How wide and tall a text is, and how far it goes below its line, in points."""
    look = FontProperties(family=STYLE["font.family"], size=size, math_fontfamily="stix")
    wide, tall, below = text_to_path.get_text_width_height_descent(text, look, "$" in text)
    return float(wide), float(tall), float(below)
