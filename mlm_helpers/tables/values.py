"""How names, words and values are written in a cell."""

import unicodedata
from typing import Any

from mlm_helpers.tables.numbers import decimal


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


def written(value: Any, decimals: int, fixed: bool = False) -> str:
    """Text of a value in a cell; with ``fixed`` every float has so many decimals.

    >>> [written(value, 2) for value in ("sea", 3, 2 / 3, True, None, (0.5, 0.25, 0.625))]
    ['sea', '3', '0.67', 'True', '–', '0.5 (0.25 to 0.62)']
    """
    if value is None:
        return "–"
    if isinstance(value, tuple):
        middle, low, high = (written(number, decimals, fixed) for number in value[:3])
        return f"{middle} ({low} to {high})"
    plain = value.item() if hasattr(value, "item") else value  # of a NumPy scalar
    return decimal(plain, decimals, fixed) if isinstance(plain, float) else words(str(plain))
