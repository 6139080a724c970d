"""The number that is sought, and how near is near enough."""

import math
from decimal import Decimal
from typing import Any, NamedTuple

import numpy as np

from mlm_helpers._core import inputs
from mlm_helpers._core.inputs.kinds import is_number, is_whole
from mlm_helpers.conventions.tool import close


class Sought(NamedTuple):
    """A number, the decimals that it was printed with, and the precision that it was kept in."""

    value: float
    decimals: int
    kept: str = ""
    share: float = 0.0  # how far it may be off for that


def sought(value: Any, decimals: Any) -> Sought:
    """Read the number that is sought; what is none is refused."""
    if not is_number(value):
        raise TypeError(f"value is {inputs.shown(value)}: give it as a float, such as 0.5")
    try:
        number = float(value)
    except OverflowError:
        raise ValueError(
            f"value is {inputs.shown(value)}, which no float holds: give a float, such as 0.5"
        ) from None
    digits = Decimal(str(value)).as_tuple()
    if decimals is None:
        least = 0 if is_whole(value) and abs(number) > 1 else 1
        decimals = max(least, -int(digits.exponent) if math.isfinite(number) else 1)
    decimals = min(inputs.whole(decimals, "decimals", 0), 400)
    return Sought(number, decimals, *_kept(value, len(digits.digits)))


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
