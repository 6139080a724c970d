"""The number that is sought, and how near is near enough."""

import math
from decimal import Decimal
from typing import Any, NamedTuple

import numpy as np

from mlm_helpers._core import inputs
from mlm_helpers._core.inputs.kinds import is_number, is_whole
from mlm_helpers.conventions.tool import close


class Sought(NamedTuple):
    """A number, the decimals that it was printed with, and whether it was kept in single precision."""

    value: float
    decimals: int
    is_single: bool = False


def sought(value: Any, decimals: Any) -> Sought:
    """Read the number that is sought; what is not a number is refused."""
    if not is_number(value):
        raise TypeError(f"value is {inputs.shown(value)}: give it as a float, such as 0.5")
    if is_whole(value) and abs(value) >= 2**1023:
        raise ValueError(
            f"value is {inputs.shown(value)}, which no float holds: give a float, such as 0.5"
        )
    _, digits, exponent = Decimal(str(value)).as_tuple()
    if decimals is None:
        least = 0 if is_whole(value) and abs(value) > 1 else 1
        decimals = max(least, -int(exponent) if math.isfinite(value) else 1)
    decimals = min(inputs.whole(decimals, "decimals", 0), 400)
    with np.errstate(over="ignore"):
        single = np.float32(value)  # which a float can write out, or as short as it can be
    is_written = len(digits) >= 7 and float(single) == value
    is_shortened = len(digits) >= 8 and str(single) == str(value)
    is_single = isinstance(value, np.float32) or is_written or is_shortened
    return Sought(float(value), decimals, is_single)


def fit(target: Sought, candidate: float | str) -> str:
    """How a candidate gives the number, in words; empty where it does not."""
    if isinstance(candidate, str):
        return ""
    value, step = target.value, 10.0**-target.decimals
    if close(value, candidate):
        return "exactly"
    off, slack = abs(candidate - value), step * 1e-6
    if target.is_single and off <= 1e-6 * abs(candidate) < math.inf:
        return "in single precision"
    if off <= step / 2 + slack:
        return "rounded"
    if candidate * value >= 0 and -slack <= abs(candidate) - abs(value) < step - slack:
        return "truncated"
    return ""
