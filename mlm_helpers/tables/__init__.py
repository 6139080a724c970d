"""Boards: tables, sentences and equations, displayed as text in a terminal and as HTML in a notebook."""

import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from mlm_helpers._core import inputs
from mlm_helpers.tables import render
from mlm_helpers.tables.numbers import Number, decimal, format_number, sign_and_decimal

Value: TypeAlias = str | int | float | Fraction | tuple[Any, ...] | None  # a tuple: an interval

_GLYPHS = {unicodedata.normalize("NFKC", c).replace("⁄", "/"): c for c in "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"}


class Ratio(NamedTuple):
    """A fraction as it is written down, so that 2/2 stays 2/2; both numbers are Fractions, or roots."""

    numerator: Any
    denominator: Any


Cell = str | Ratio


class Table(NamedTuple):
    """Rows of cells under a header; the first cell of a row names the row."""

    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    values: tuple[tuple[Any, ...], ...] = ()  # of the cells, unrounded, where these are known

    def lines(self) -> list[tuple[str, ...]]:
        """The header and the rows, each cell written in one line."""
        return [self.header, *(tuple(map(with_slash, row)) for row in self.rows)]


class Sentence(NamedTuple):
    """A line of words."""

    text: str


class Equation(NamedTuple):
    """A line of arithmetic: numbers and ratios between operators."""

    parts: tuple[Cell, ...]

    @property
    def text(self) -> str:
        """The line in plain characters; in a sum, 1/2 as ½ where Unicode has the fraction."""
        parts = list(map(with_slash, self.parts))
        end = next((i for i, part in enumerate(parts) if part in (" = ", " ≈ ")), len(parts))
        if end > 1:
            parts[:end] = [_GLYPHS.get(part, part) for part in parts[:end]]
        return "".join(parts)


Step = Table | Sentence | Equation


def with_slash(cell: Cell) -> str:
    """Write a cell in one line, a ratio with a slash."""
    return (
        cell
        if isinstance(cell, str)
        else f"{format_number(cell.numerator)}/{format_number(cell.denominator)}"
    )


def count_phrase(n: int, noun: str) -> str:
    """Text of a number of things: "1 label", "2 labels"."""
    return f"{n} {noun}{'s' * (n != 1)}"


def equation(left: tuple[Cell, ...], value: Number) -> Equation:
    """The line: left = exact value ≈ decimal, equal ones written once; a float has its decimal alone."""
    if isinstance(value, float):
        rounded = decimal(value)
        return Equation(left if left == (rounded,) else (*left, " ≈ ", rounded))
    sign, rounded = sign_and_decimal(value)
    parts, shown = left, ["".join(map(with_slash, left)), f"{value}/1"]
    reduced = Ratio(*map(Fraction, value.as_integer_ratio()))
    for equals, cell in ((" = ", reduced), (sign, rounded)):
        if with_slash(cell) not in shown:
            parts = (*parts, equals, cell)
            shown.append(with_slash(cell))
    return Equation(parts)


@dataclass(frozen=True, repr=False)
class Display:
    """A title, which may be empty, and the steps below it; equal boards are rendered equally."""

    title: str
    steps: tuple[Step, ...]

    def to_text(self) -> str:
        """Write the board as plain text."""
        return "\n\n".join(filter(None, [self.title, *self._each(render.as_text, str)]))

    __repr__ = to_text

    def to_html(self) -> str:
        """Write the board as HTML that needs no style sheet, script or class."""
        title = f"<p><strong>{render.escape_html(self.title)}</strong></p>" if self.title else ""
        steps = self._each(render.as_html, lambda text: f"<p>{render.escape_html(text)}</p>")
        return "\n".join(filter(None, ["<div>", title, *steps, "</div>"]))

    _repr_html_ = to_html

    def markdown(self) -> str:
        """Write the board as Markdown."""
        steps = self._each(render.as_markdown, render.escape_markdown)
        return "\n\n".join(filter(None, [render.escape_markdown(self.title), *steps]))

    def latex(self, caption: str = "", label: str = "") -> str:
        """Write the board as LaTeX, with tables that need the package booktabs.

        A caption, which is LaTeX too, takes the place of that of each table.
        """
        table = partial(render.as_latex, instead=caption, label=label)
        steps = self._each(table, render.escape_latex)
        return "\n\n".join(filter(None, [render.escape_latex(self.title), *steps]))

    def _each(self, table: Callable[..., str], line: Callable[[str], str]) -> list[str]:
        return [
            table(step.caption, step.lines()) if isinstance(step, Table) else line(step.text)
            for step in self.steps
        ]

    def frame(self) -> Any:
        """The first table as a pandas DataFrame with unrounded numbers, its rows by their names.

        Where cells hold an interval, two more columns hold its ends, such as "F1 low" and "F1 high".
        Whole numbers stay whole where one is missing (pandas' Int64).
        """
        from pandas import DataFrame, Index, Series, concat

        (first, names), *columns = self.columns()
        index = Index(names, name=first)
        series = [Series(cells, index, _kind(cells), name=name) for name, cells in columns]
        return concat([DataFrame(index=index), *series], axis=1)

    def columns(self) -> list[tuple[str, list[Any]]]:
        """The columns of `frame`, each as its name and its cells."""
        table = next(step for step in self.steps if isinstance(step, Table))
        columns = []
        for name, *cells in zip(table.header, *(table.values or table.rows), strict=True):
            ends = any(isinstance(cell, tuple) for cell in cells)
            every = [cell if isinstance(cell, tuple) else (cell, None, None) for cell in cells]
            for i, end in enumerate(("", " low", " high") if ends else ("",)):
                columns.append((name + end, [cell[i] for cell in every]))
        return columns


def _kind(cells: list[Any]) -> str | None:
    """The kind of numbers of a column of a frame that lacks some; None where pandas finds it."""
    kinds = {type(cell) for cell in cells if cell is not None}
    return "float" if not kinds else "Int64" if None in cells and kinds == {int} else None


# ---------------------------------------------------------------------------- how a cell is written


def printable(name: str) -> str:
    """Write a name in one line, without invisible characters but joiners; a right-to-left one stands apart."""
    one_line = " ".join(name.split()) or '""'
    seen = "".join(c if c.isprintable() or c in "\u200c\u200d" else "\ufffd" for c in one_line)
    if any(unicodedata.bidirectional(c) in ("R", "AL", "AN") for c in seen):
        return f"\u2068{seen}\u2069"
    return seen


def one_line(text: str) -> str:
    """Write words in one line; of blanks alone, an empty text."""
    return printable(text) if text.strip() else ""


def format_value(value: Any, decimals: int, fixed: bool = False) -> str:
    """Text of a value in a cell; with ``fixed`` every float has so many decimals.

    >>> [format_value(value, 2) for value in ("sea", 3, 2 / 3, True, None, (0.5, 0.25, 0.625))]
    ['sea', '3', '0.67', 'True', '–', '0.5 (0.25 to 0.62)']
    """
    if value is None:
        return "–"
    if isinstance(value, tuple):
        middle, low, high = (format_value(number, decimals, fixed) for number in value[:3])
        return f"{middle} ({low} to {high})"
    value = value.item() if hasattr(value, "item") else value  # of a NumPy scalar
    return decimal(value, decimals, fixed) if isinstance(value, float) else one_line(str(value))


def table(
    columns: Iterable[str],
    rows: Iterable[Iterable[Value]],
    caption: str = "",
    decimals: int = 3,
    fixed: int | None = None,
) -> Display:
    """Board with one table, displayed as text in a terminal and as HTML in a notebook.

    Parameters
    ----------
    columns : n names
    rows : rows of n cells, the first of which names the row
        Text, numbers, Fractions, Intervals, or None for no value.
    caption : text above the table, optional
    decimals : the places to which floats are rounded
    fixed : the places that all floats have, such as 0.480; by default 0.48

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
        raise ValueError("rows have other numbers of cells: give one per column, None for none")
    is_fixed = fixed is not None
    places = inputs.read_int(fixed, "decimals", 0, 15) if is_fixed else decimals
    body = tuple(tuple(format_value(value, places, is_fixed) for value in row) for row in values)
    return Display("", (Table(one_line(caption), header, body, values),))
