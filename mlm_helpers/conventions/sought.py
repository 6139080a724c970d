"""The number that is sought, and how near is near enough."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Any, NamedTuple

import numpy as np

from mlm_helpers import inputs
from mlm_helpers.conventions.records import close


class Sought(NamedTuple):
    """A number, the decimals that it was printed with, and the precision that it was kept in."""

    value: float
    decimals: int
    kept: str = ""
    share: float = 0.0  # how far it may be off for that


def sought(value: Any, decimals: Any) -> Sought:
    """Read the number that is sought; what is none is refused."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(
        value, (int, float, np.integer, np.floating)
    ):
        raise TypeError(f"value is {inputs.shown(value)}: give it as a float, such as 0.5")
    try:
        number = float(value)
    except OverflowError:
        raise ValueError(
            f"value is {inputs.shown(value)}, which no float holds: give a float, such as 0.5"
        ) from None
    digits = Decimal(str(value)).as_tuple()
    if decimals is None:
        whole = isinstance(value, (int, np.integer)) and abs(number) > 1
        places = -digits.exponent if isinstance(digits.exponent, int) else 1  # of nan and inf none
        decimals = max(0 if whole else 1, places)
    elif isinstance(decimals, bool) or not isinstance(decimals, (int, np.integer)) or decimals < 0:
        raise ValueError(f"decimals is {inputs.shown(decimals)}: give a whole number of 0 or more")
    return Sought(number, min(int(decimals), 400), *_kept(value, len(digits.digits)))


def _kept(value: Any, n_digits: int) -> tuple[str, float]:
    """In which precision a number was kept, if not in double, and how far that may be off.

    A float of many digits may be one of lower precision, written out or as short as it can be.
    """
    for kind, words, share in (
        (np.float16, "in half precision", 2**-11),
        (np.float32, "in single precision", 1e-6),
    ):
        with np.errstate(over="ignore"):
            lower = kind(value)
        written = n_digits >= 7 and float(lower) == value
        written |= n_digits >= 8 and str(lower) == str(value)
        if isinstance(value, kind) or (isinstance(value, float) and written):
            return words, share
    return "", 0.0


def fit(asked: Sought, candidate: float | str) -> str:
    """How a candidate gives the number, in words; empty where it does not."""
    if isinstance(candidate, str):
        return ""
    value, step = asked.value, 10.0**-asked.decimals
    if close(value, candidate):
        return "exactly"
    off, slack = abs(candidate - value), step * 1e-6
    if off <= asked.share * abs(candidate) < math.inf:
        return asked.kept
    if off <= step / 2 + slack:
        return "rounded"
    if candidate * value >= 0 and -slack <= abs(candidate) - abs(value) < step - slack:
        return "truncated"
    return ""
