"""Boards: tables, sentences and equations, displayed as text in a terminal and as HTML in a notebook."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from mlm_helpers.board.render import as_html, as_latex, as_markdown, as_text, escape
from mlm_helpers.board.values import (
    Cell,
    Equation,
    Ratio,
    Sentence,
    Step,
    Table,
    Value,
    equation,
    printable,
    slashed,
    words,
    written,
)

__all__ = [
    "Board", "Cell", "Equation", "Ratio", "Sentence", "Step", "Table", "Value", "equation",
    "printable", "slashed", "table",
]  # fmt: skip


@dataclass(frozen=True, repr=False)
class Board:
    """A title, which may be empty, and the steps below it; equal boards are rendered equally."""

    title: str
    steps: tuple[Step, ...]

    def __repr__(self) -> str:
        """Show the board as text."""
        return self.to_text()

    def to_text(self) -> str:
        """Write the board as plain text."""
        return "\n\n".join(filter(None, [self.title, *map(as_text, self.steps)]))

    def to_html(self) -> str:
        """Write the board as HTML that needs no style sheet, script or class."""
        title = f"<p><strong>{escape(self.title)}</strong></p>" if self.title else ""
        return "\n".join(filter(None, ["<div>", title, *map(as_html, self.steps), "</div>"]))

    _repr_html_ = to_html

    def markdown(self) -> str:
        """Write the board as Markdown."""
        return "\n\n".join(filter(None, map(as_markdown, (Sentence(self.title), *self.steps))))

    def latex(self) -> str:
        """Write the board as LaTeX, with tables that need the package booktabs."""
        return "\n\n".join(filter(None, map(as_latex, (Sentence(self.title), *self.steps))))

    def frame(self) -> Any:
        """The first table as a pandas DataFrame with unrounded numbers, its rows by their names.

        Where cells hold an interval, two more columns hold its ends, such as "F1 low" and "F1 high".
        """
        from pandas import DataFrame

        columns = self.columns()
        return DataFrame(dict(columns)).set_index(columns[0][0])

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


def table(
    columns: Iterable[str], rows: Iterable[Iterable[Value]], caption: str = "", decimals: int = 3
) -> Board:
    """Board with one table, displayed as text in a terminal and as HTML in a notebook.

    Parameters
    ----------
    columns : n names
    rows : rows of n cells, of which the first names the row: text, numbers, or None for no value; a
        Fraction is written as one, a tuple such as an Interval as a number with its ends
    caption : text above the table, optional
    decimals : the places to which floats are rounded

    Examples
    --------
    >>> from fractions import Fraction
    >>> table(("metric", "tree", "Bayes"), [("F1", 2 / 3, Fraction(4, 9)), ("errors", 3, None)])
    metric  tree   Bayes
    F1      0.667  4/9
    errors  3      –
    """
    header, values = tuple(map(words, columns)), tuple(map(tuple, rows))
    for i, row in enumerate(values, start=1):
        if len(row) != len(header):
            found = f"{len(row)} cells under {len(header)} columns"
            raise ValueError(f"row {i} has {found}: give a cell for each, None where there is none")
    body = tuple(tuple(written(value, decimals) for value in row) for row in values)
    return Board("", (Table(words(caption), header, body, values),))
