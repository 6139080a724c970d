"""The pieces of a board, tables, sentences and equations; and how a value is written in a cell."""

import unicodedata
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from mlm_helpers.board.numbers import Number, approximate, decimal, plain

Value: TypeAlias = str | int | float | Fraction | tuple[Any, ...] | None
"""Words, a number, or a number with the two ends of its interval."""


class Ratio(NamedTuple):
    """A fraction as it is written down, so that 2/2 stays 2/2; both numbers are Fractions, or floats."""

    above: Any
    below: Any

    @classmethod
    def of(cls, value: Fraction) -> "Ratio":
        """A fraction in lowest terms."""
        return cls(*map(Fraction, value.as_integer_ratio()))


Cell = str | Ratio


class Table(NamedTuple):
    """Rows of cells under a header; the first cell of a row names the row.

    The values are what the cells were before they were rounded, where that is known.
    """

    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    values: tuple[tuple[Any, ...], ...] = ()

    def lines(self) -> list[tuple[str, ...]]:
        """The header and the rows, each cell written in one line."""
        return [self.header, *(tuple(map(slashed, row)) for row in self.rows)]


class Sentence(NamedTuple):
    """A line of words."""

    text: str


class Equation(NamedTuple):
    """A line of arithmetic: numbers and ratios between operators."""

    parts: tuple[Cell, ...]


Step = Table | Sentence | Equation


def slashed(cell: Cell) -> str:
    """Write a cell in one line, a ratio with a slash."""
    return cell if isinstance(cell, str) else f"{plain(cell.above)}/{plain(cell.below)}"


def equation(left: tuple[Cell, ...], value: Number) -> Equation:
    """The line: left = exact value ≈ decimal, equal ones written once; a float has its decimal alone."""
    if isinstance(value, float):
        rounded = decimal(value)
        return Equation(left if left == (rounded,) else (*left, " ≈ ", rounded))
    sign, rounded = approximate(value)
    parts, shown = left, ["".join(map(slashed, left)), f"{value}/1"]
    for equals, cell in ((" = ", Ratio.of(value)), (sign, rounded)):
        if slashed(cell) not in shown:
            parts = (*parts, equals, cell)
            shown.append(slashed(cell))
    return Equation(parts)


def printable(name: str) -> str:
    """Write a name in one line without invisible characters (the joiners of some scripts excepted).

    Right-to-left names stand between marks that keep them from turning their surroundings around.
    """
    one_line = " ".join(name.split()) or '""'
    seen = "".join(c if c.isprintable() or c in "\u200c\u200d" else "\ufffd" for c in one_line)
    if any(unicodedata.bidirectional(c) in ("R", "AL", "AN") for c in seen):
        return f"\u2068{seen}\u2069"
    return seen


def words(text: str) -> str:
    """Write words in one line; of blanks alone, an empty text.

    >>> words("sea  and sun"), words("")
    ('sea and sun', '')
    """
    return printable(text) if text.strip() else ""


def written(value: Value, decimals: int) -> str:
    """Text of a value in a cell.

    >>> [written(value, 2) for value in ("sea", 3, 2 / 3, True, None, (0.5, 0.25, 0.625))]
    ['sea', '3', '0.67', 'True', '–', '0.5 (0.25 to 0.62)']
    """
    if value is None:
        return "–"
    if isinstance(value, tuple):
        middle, low, high = (written(number, decimals) for number in value[:3])
        return f"{middle} ({low} to {high})"
    plain = value.item() if hasattr(value, "item") else value  # of a NumPy scalar
    if isinstance(plain, str):
        return words(plain)
    if isinstance(plain, int | Fraction):
        return str(plain)
    if isinstance(plain, float):
        return decimal(plain, decimals)
    raise TypeError(f"a cell is a {type(plain).__name__}: give words, a number, or None for none")
