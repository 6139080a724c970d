"""The pieces of a board: tables, sentences and equations."""

from fractions import Fraction
from typing import Any, NamedTuple

from mlm_helpers.board.numbers import Number, approximate, decimal, plain


class Ratio(NamedTuple):
    """A fraction as it is written down, so that 2/2 stays 2/2; both numbers are Fractions, or roots."""

    above: Any
    below: Any

    @classmethod
    def of(cls, value: Number) -> "Ratio":
        """A number in lowest terms; a float, which has no denominator, over 1."""
        if isinstance(value, float):
            return cls(value, Fraction(1))
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
    exact = Ratio.of(value)
    sign, rounded = approximate(value)
    parts, said = left, ["".join(map(slashed, left)), f"{value}/1"]
    for equals, cell in ((" = ", exact), (sign, rounded)):
        if slashed(cell) not in said:
            parts = (*parts, equals, cell)
            said.append(slashed(cell))
    return Equation(parts)
