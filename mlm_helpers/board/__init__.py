"""What is shown: a title and steps below it, as text in a terminal and as HTML in a notebook."""

from collections.abc import Iterable
from dataclasses import dataclass

from mlm_helpers.board.pieces import Cell, Equation, Ratio, Sentence, Step, Table, equation, slashed
from mlm_helpers.board.render import as_html, as_text, escape, printable
from mlm_helpers.board.values import Value, words, written

__all__ = [
    "Board", "Cell", "Equation", "Ratio", "Sentence", "Step", "Table", "Value", "equation",
    "printable", "slashed", "table",
]  # fmt: skip


@dataclass(frozen=True, repr=False)
class Board:
    """A title, where there is one, and the steps below it; every rendering is made from these, the same on every run."""

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


def table(
    columns: Iterable[str], rows: Iterable[Iterable[Value]], caption: str = "", decimals: int = 3
) -> Board:
    """Rows under the names of their columns, as HTML in a notebook and as text beside it.

    Parameters
    ----------
    columns : n names
    rows : each of n cells, of which the first names the row: words, numbers, or None for no value;
        a Fraction stays one
    caption : what the table shows, optional
    decimals : to so many places a float is rounded

    Examples
    --------
    >>> from fractions import Fraction
    >>> table(("metric", "tree", "Bayes"), [("F1", 2 / 3, Fraction(4, 9)), ("errors", 3, None)])
    metric  tree   Bayes
    F1      0.667  4/9
    errors  3      –
    """
    header = tuple(map(words, columns))
    body = []
    for i, row in enumerate(rows, start=1):
        cells = tuple(written(value, decimals) for value in row)
        if len(cells) != len(header):
            found = f"{len(cells)} cells under {len(header)} columns"
            raise ValueError(f"row {i} has {found}: give a cell for each, None where there is none")
        body.append(cells)
    return Board("", (Table(words(caption), header, tuple(body)),))
