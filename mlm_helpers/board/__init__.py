"""What is shown: a title and steps below it, as text in a terminal and as HTML in a notebook."""

from dataclasses import dataclass

from mlm_helpers.board.kinds import Cell, Equation, Ratio, Sentence, Step, Table, equation, slashed
from mlm_helpers.board.render import as_html, as_text, escape, printable

__all__ = [
    "Board", "Cell", "Equation", "Ratio", "Sentence", "Step", "Table", "equation", "printable",
    "slashed",
]  # fmt: skip


@dataclass(frozen=True, repr=False)
class Board:
    """A title and the steps below it; every rendering is made from these, the same on every run."""

    title: str
    steps: tuple[Step, ...]

    def __repr__(self) -> str:
        """Show the board as text."""
        return self.to_text()

    def to_text(self) -> str:
        """Write the board as plain text."""
        return "\n\n".join([self.title, *map(as_text, self.steps)])

    def to_html(self) -> str:
        """Write the board as HTML that needs no style sheet, script or class."""
        title = f"<p><strong>{escape(self.title)}</strong></p>"
        return "\n".join(["<div>", title, *map(as_html, self.steps), "</div>"])

    _repr_html_ = to_html
