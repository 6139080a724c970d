"""Tables, sentences and equations, displayed as text in a terminal and as HTML in a notebook.

`table` displays rows of values as a table. A `Display` has a title and steps below it; each step
is a `Table`, a `Sentence` or an `Equation`. Each cell of a table, and each part of an equation, is
a text or a `Ratio`.
"""

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from mlm_helpers._core.inputs.options import read_int
from mlm_helpers.tables import render
from mlm_helpers.tables.numbers import Number, decimal, format_number, relation_and_decimal

__all__ = ["Display", "table"]

Value: TypeAlias = str | int | float | Fraction | tuple[Any, ...] | None  # a tuple: an interval

# 1/2 to ½, and so on; NFKC writes ½ as 1⁄2, with a slash of its own
_GLYPHS = {unicodedata.normalize("NFKC", c).replace("⁄", "/"): c for c in "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"}


class Ratio(NamedTuple):
    """A fraction that is not reduced: 2/2 stays 2/2.

    Numerator and denominator are whole numbers, Fractions, or floats (roots and logarithms).
    """

    numerator: Any
    denominator: Any


Cell = str | Ratio


class Table(NamedTuple):
    """Rows of cells under a header; the first cell of a row names the row."""

    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    values: tuple[tuple[Any, ...], ...] = ()  # the cells before rounding, if known

    def lines(self) -> list[tuple[str, ...]]:
        """The header and the rows, with ratios as text."""
        return [self.header, *(tuple(map(with_slash, row)) for row in self.rows)]


class Sentence(NamedTuple):
    """A line of text."""

    text: str


class Equation(NamedTuple):
    """A line of arithmetic: numbers and ratios between operators."""

    parts: tuple[Cell, ...]

    @property
    def text(self) -> str:
        """The line as text, in which a left side of several parts has glyphs, such as ½ for 1/2.

        The left side ends before the first = or ≈. A left side that is a single ratio keeps its
        slash: 1/2 = 0.5.
        """
        parts = list(map(with_slash, self.parts))
        end = next((i for i, part in enumerate(parts) if part in (" = ", " ≈ ")), len(parts))
        if end > 1:
            parts[:end] = [_GLYPHS.get(part, part) for part in parts[:end]]
        return "".join(parts)


Step = Table | Sentence | Equation


def with_slash(cell: Cell) -> str:
    """Text of a cell; a ratio is written with a slash."""
    return cell if isinstance(cell, str) else "/".join(map(format_number, cell))


def count_phrase(n: int, noun: str) -> str:
    """Text of a count with its noun: "1 label", "2 labels"."""
    return f"{n} {noun}{'s' * (n != 1)}"


def equation(left: Sequence[Cell], value: Number) -> Equation:
    """The line "left = 2/3 ≈ 0.667": the left side, and the value as a ratio and as a decimal.

    A float and a whole number have no ratio. A form that equals the left side is left out.
    """
    forms: list[tuple[str, Cell]] = []
    if isinstance(value, float):
        forms.append((" ≈ ", decimal(value)))
    else:
        if value.denominator != 1:
            forms.append((" = ", Ratio(value.numerator, value.denominator)))
        forms.append(relation_and_decimal(value))
    left_text = "".join(map(with_slash, left))
    parts = [*left]
    for relation, form in forms:
        if with_slash(form) != left_text:
            parts += [relation, form]
    return Equation(tuple(parts))


@dataclass(frozen=True, repr=False)
class Display:
    """A title, which may be empty, and the steps below it."""

    title: str
    steps: tuple[Step, ...]

    def to_text(self) -> str:
        """The display as plain text."""
        return self._paragraphs(render.as_text, as_line=str)  # str: plain text needs no escapes

    __repr__ = to_text

    def to_html(self) -> str:
        """The display as HTML without style sheet, script or class."""
        title = f"<p><strong>{render.escape_html(self.title)}</strong></p>" if self.title else ""
        steps = self._rendered(render.as_html, lambda text: f"<p>{render.escape_html(text)}</p>")
        return "\n".join(filter(None, ["<div>", title, *steps, "</div>"]))

    _repr_html_ = to_html

    def markdown(self) -> str:
        """The display as Markdown."""
        return self._paragraphs(render.as_markdown, render.escape_markdown)

    def latex(self, caption: str = "", label: str = "") -> str:
        r"""The display as LaTeX; its tables need the package booktabs.

        ``caption`` and ``label`` are for a display with one table: the caption, written in LaTeX,
        replaces the table's caption, and ``\ref`` takes the label, such as ``tab:f1``.
        """
        as_latex = partial(render.as_latex, latex_caption=caption, label=label)
        return self._paragraphs(as_latex, render.escape_latex)

    def _paragraphs(self, as_table: Callable[..., str], as_line: Callable[[str], str]) -> str:
        """The title, unless it is empty, and the steps, separated by empty lines."""
        paragraphs = [as_line(self.title), *self._rendered(as_table, as_line)]
        return "\n\n".join(filter(None, paragraphs))

    def _rendered(self, as_table: Callable[..., str], as_line: Callable[[str], str]) -> list[str]:
        """The text of each step.

        ``as_table`` makes it of a table's caption and lines, ``as_line`` of the text of a sentence
        or an equation.
        """
        return [
            as_table(step.caption, step.lines()) if isinstance(step, Table) else as_line(step.text)
            for step in self.steps
        ]

    def frame(self) -> Any:
        """The first table as a pandas DataFrame of unrounded numbers; the index names its rows.

        A column of intervals is followed by two columns of their ends, such as "F1 low" and "F1
        high". A column of integers with missing ones has the dtype Int64.
        """
        from pandas import DataFrame, Index, Series, concat

        (header, names), *columns = self.columns()
        index = Index(names, name=header)
        series = [Series(cells, index, dtype=_dtype(cells), name=name) for name, cells in columns]
        return concat([DataFrame(index=index), *series], axis=1)

    def columns(self) -> list[tuple[str, list[Any]]]:
        """Name and cells of each column of `frame`, the index first."""
        table = next(step for step in self.steps if isinstance(step, Table))
        columns = []  # an interval is a tuple that begins with its value, low end and high end
        for name, *cells in zip(table.header, *(table.values or table.rows), strict=True):
            has_intervals = any(isinstance(cell, tuple) for cell in cells)
            intervals = [cell if isinstance(cell, tuple) else (cell, None, None) for cell in cells]
            for i, suffix in enumerate(("", " low", " high") if has_intervals else ("",)):
                columns.append((name + suffix, [interval[i] for interval in intervals]))
        return columns


def _dtype(cells: list[Any]) -> str | None:
    """The dtype of a column that pandas should not choose; None where pandas chooses.

    Of integers with None, pandas would make floats, and of None alone, objects.
    """
    types = {type(cell) for cell in cells if cell is not None}
    if not types:
        return "float"
    return "Int64" if None in cells and types == {int} else None


def printable(name: str) -> str:
    """A name on one line, with � for each invisible character, and "" for an empty name.

    U+200C and U+200D stay, since they join letters: without them some scripts are misspelt. A
    right-to-left name stands between U+2068 and U+2069, which keep the text around it in order.
    """
    line = " ".join(name.split()) or '""'
    text = "".join(c if c.isprintable() or c in "\u200c\u200d" else "\ufffd" for c in line)
    is_right_to_left = any(unicodedata.bidirectional(c) in ("R", "AL", "AN") for c in text)
    return f"\u2068{text}\u2069" if is_right_to_left else text


def one_line(text: str) -> str:
    """A text on one line, as `printable` writes it; empty if there are only blanks."""
    return printable(text) if text.strip() else ""


def format_value(value: Any, decimals: int, fixed: bool = False) -> str:
    """Text of a value in a cell; with ``fixed`` all floats have that number of decimals.

    >>> [format_value(value, 2) for value in ("sea", 3, 2 / 3, True, None, (0.5, 0.25, 0.625))]
    ['sea', '3', '0.67', 'True', '–', '0.5 (0.25 to 0.62)']
    """
    if value is None:
        return "–"
    if isinstance(value, tuple):
        middle, low, high = (format_value(number, decimals, fixed) for number in value[:3])
        return f"{middle} ({low} to {high})"
    value = value.item() if hasattr(value, "item") else value  # a NumPy scalar
    return decimal(value, decimals, fixed) if isinstance(value, float) else one_line(str(value))


def table(
    columns: Iterable[str],
    rows: Iterable[Iterable[Value]],
    caption: str = "",
    decimals: int = 3,
    fixed: int | None = None,
) -> Display:
    """A table, displayed as text in a terminal and as HTML in a notebook.

    Parameters
    ----------
    columns : names of the n columns
    rows : rows of n cells, of which the first names the row
        Text, numbers, Fractions, Intervals, or None for a missing value.
    caption : text above the table, optional
    decimals : number of decimals to which floats are rounded, without trailing zeros
    fixed : number of decimals that all floats have, such as 3 for 0.480; optional

    Examples
    --------
    >>> from fractions import Fraction
    >>> table(("metric", "tree", "Bayes"), [("F1", 2 / 3, Fraction(4, 9)), ("errors", 3, None)])
    metric  tree   Bayes
    F1      0.667  4/9
    errors  3      –
    """
    header, values = tuple(map(one_line, columns)), tuple(map(tuple, rows))
    if any(len(row) != len(header) for row in values):
        raise ValueError("rows and columns differ in length: give one cell per column or None")
    is_fixed = fixed is not None
    # named "decimals", which is the argument of the summaries that pass ``fixed``
    places = read_int(fixed, "decimals", 0, 15) if is_fixed else decimals
    body = tuple(tuple(format_value(value, places, is_fixed) for value in row) for row in values)
    return Display("", (Table(one_line(caption), header, body, values),))
