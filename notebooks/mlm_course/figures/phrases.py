"""Words for pictures: names, counts and fractions as people read them."""

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from mlm_course.numbers import with_decimal
from mlm_helpers._core.inputs.options import resolve_names
from mlm_helpers.tables import Ratio, with_slash

Names: TypeAlias = Sequence[str] | None


def ratio_text(ratio: Ratio) -> str:
    """A ratio of counts, then the reduced fraction and its decimal: '4/12 = 1/3 ≈ 0.333'."""
    as_counted = with_slash(ratio)
    if not ratio.denominator:
        return f"{as_counted}, taken as 0"
    reduced = with_decimal(ratio.numerator / ratio.denominator)
    return reduced if reduced.split()[0] == as_counted else f"{as_counted} = {reduced}"


def display_names(names: Names, count: int, noun: str, *matrices: Any) -> list[str]:
    """The given names, else those of a DataFrame, else numbered ones such as 'label 1'.

    Raises ValueError if two names are equal, or if a matrix has masked cells: pictures have no
    symbol for unknown labels.
    """
    if any(map(np.ma.is_masked, matrices)):
        problem = "y_true has masked cells, which no picture shows"
        raise ValueError(f"{problem}: draw what is known whole")
    letters_or_names = list(names) if isinstance(names, str) else names
    numbered = [f"{noun} {i}" for i in range(1, count + 1)]
    return resolve_names(letters_or_names, numbered, noun, *matrices)


def and_list(names: Sequence[str]) -> str:
    """Names as in a sentence: 'A', 'A and B', 'A, B and C'."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def capitalized(text: str) -> str:
    """The text with a capital first letter; the other letters stay as they are."""
    return text[:1].upper() + text[1:]
