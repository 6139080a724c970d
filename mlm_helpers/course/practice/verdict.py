"""The verdict on an answer."""

from dataclasses import dataclass

from mlm_helpers.board import Board
from mlm_helpers.board.render import escape


@dataclass(frozen=True, repr=False)
class Verdict:
    """Whether an answer is right, with a sentence; shows itself.

    Attributes
    ----------
    right : True, False, or None where it cannot be told
    says : str
    beside : Board, or None
        What can be looked at: data, numbers, the worked solution.
    """

    right: bool | None
    says: str
    beside: Board | None = None

    def __repr__(self) -> str:
        """Show the verdict as text."""
        return "\n\n".join([self.says, *([repr(self.beside)] if self.beside else [])])

    def _repr_html_(self) -> str:
        beside = f"\n{self.beside.to_html()}" if self.beside else ""
        return f"<p>{escape(self.says)}</p>{beside}"
