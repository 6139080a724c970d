"""Words for pictures: names, counts and fractions as people read them."""

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from mlm_course.numbers import with_decimal
from mlm_helpers._core import inputs
from mlm_helpers.tables import Ratio, with_slash

Labels: TypeAlias = Sequence[str] | None


def counted(ratio: Ratio) -> str:
    """A ratio of counts as counted, then reduced: '4/12 = 1/3 ≈ 0.333'."""
    as_counted = with_slash(ratio)
    if not ratio.denominator:
        return f"{as_counted}, taken as 0"
    reduced = with_decimal(ratio.numerator / ratio.denominator)
    return reduced if reduced.split()[0] == as_counted else f"{as_counted} = {reduced}"


def named(given: Labels, count: int, noun: str, *matrices: Any) -> list[str]:
    """The given names, those of a frame, or numbered ones; two things of one name are refused.

    So are matrices with masked cells: pictures have no place for unknown labels.
    """
    if any(map(np.ma.is_masked, matrices)):
        raise ValueError(
            "y_true has masked cells, which no picture shows: draw what is known whole"
        )
    each = list(given) if isinstance(given, str) else given
    numbered = [f"{noun} {i}" for i in range(1, count + 1)]
    return inputs.resolve_names(each, numbered, noun, *matrices)


def joined(names: Sequence[str]) -> str:
    """Names as one reads them: 'A', 'A and B', 'A, B and C'."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def capitalized(text: str) -> str:
    """A text as it begins a sentence; all but its first letter stays."""
    return text[:1].upper() + text[1:]
