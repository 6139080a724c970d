"""What pictures say: names, counts and fractions as one reads them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

from matplotlib.axes import Axes

from mlm_helpers.board.numbers import with_decimal

Labels: TypeAlias = Sequence[str] | None


def alt_text(ax: Axes) -> str:
    """The sentence that says what a picture of this module shows.

    Examples
    --------
    >>> from mlm_helpers.figures import label_matrix
    >>> alt_text(label_matrix([[1, 0]], labels=["sea", "sun"]))
    'Label matrix of 1 sample and 2 labels (sea, sun). Sample 1: sea.'
    """
    return str(ax.get_label())


def counted(above: int, below: int) -> str:
    """A ratio of counts as counted, then reduced: '4/12 = 1/3 ≈ 0.333'."""
    if below == 0:
        return "0/0, taken as 0"
    reduced = with_decimal(Fraction(above, below))
    counted = f"{above}/{below}"
    return reduced if reduced.split()[0] == counted else f"{counted} = {reduced}"


def plural(count: int, noun: str) -> str:
    """A count with its noun: '1 label', '2 labels'."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def named(given: Labels, count: int, prefix: str) -> list[str]:
    """The given names, or numbered ones; a wrong number of names is refused."""
    names = [f"{prefix} {i + 1}" for i in range(count)] if given is None else list(map(str, given))
    if len(names) != count:
        raise ValueError(f"{plural(len(names), 'name')} for {plural(count, prefix)}: give {count}")
    return names


def joined(names: Sequence[str]) -> str:
    """Names as one reads them: 'A', 'A and B', 'A, B and C'."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def capital(text: str) -> str:
    """A text as it begins a sentence; all but its first letter stays."""
    return text[:1].upper() + text[1:]
