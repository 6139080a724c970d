"""Options: what each may be, written once for every metric."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from mlm_helpers.inputs.kinds import EXACT, is_nested, is_number, is_real, is_whole
from mlm_helpers.inputs.refuse import shown

AVERAGES = ("macro", "micro", "weighted", None)
TIES = ("worst", "best", "average", "first", "last")


def one_of(value: Any, allowed: Sequence[Any], name: str) -> None:
    """Refuse an option that is not one of those allowed.

    Examples
    --------
    >>> one_of("samples", AVERAGES, "average")
    Traceback (most recent call last):
        ...
    ValueError: average is 'samples': choose one of 'macro', 'micro', 'weighted', None
    """
    if not any(_is_choice(value, choice) for choice in allowed):
        choices = ", ".join(map(repr, allowed))
        raise ValueError(f"{name} is {shown(value)}: choose one of {choices}")


def _is_choice(value: Any, choice: Any) -> bool:
    """Equal and of one kind: neither True nor an array passes for 1."""
    if not (isinstance(value, str) or is_real(value)):
        return value is choice
    is_bool = isinstance(value, (bool, np.bool_))
    return is_bool == isinstance(choice, bool) and bool(value == choice)


def start(value: Any) -> None:
    """Refuse a ``start`` that is neither 0 nor 1."""
    one_of(value, (0, 1), "start")


def zero_division(value: Any) -> None:
    """Refuse a ``zero_division`` that is none of 0, 1, nan and "agree"."""
    if not _is_nan(value):
        one_of(value, (0.0, 1.0, math.nan, "agree"), "zero_division")


def undefined(value: Any) -> None:
    """Refuse an ``undefined`` that is neither nan nor a number whose mean floats can hold."""
    if not (_is_nan(value) or abs(_float(value)) <= EXACT):
        raise ValueError(f"undefined is {shown(value)}: give nan or a number within ±2**53")


def beta(value: Any) -> None:
    """Refuse a ``beta`` that is not a finite number of 0 or more."""
    if not 0 <= _float(value) < math.inf:
        raise ValueError(f"beta is {shown(value)}: give a finite number of 0 or more")


CHECKS: dict[str, Callable[[Any], None]] = {
    "average": partial(one_of, allowed=AVERAGES, name="average"),
    "beta": beta,
    "per_sample": partial(one_of, allowed=(True, False), name="per_sample"),
    "start": start,
    "ties": partial(one_of, allowed=TIES, name="ties"),
    "undefined": undefined,
    "zero_division": zero_division,
}
"""What refuses a bad value of an option, by the option's name."""


def _is_nan(value: Any) -> bool:
    return is_number(value) and math.isnan(_float(value))


def _float(value: Any) -> float:
    """A number as a float; what is no number as one that nothing allows."""
    try:
        return float(value) if is_number(value) else math.inf
    except OverflowError:  # a whole number too large for a float
        return math.inf


def whole(value: Any, name: str, least: int | None = None, most: int | None = None) -> int:
    """Read a size or a seed: a whole number of Python or NumPy, from ``least`` to ``most``.

    Raises
    ------
    ValueError
        One sentence, if it is a truth value, a float, or anything else.

    Examples
    --------
    >>> whole(np.int64(3), "n_samples", 1)
    3
    >>> whole(51, "n_samples", 1, 50)
    Traceback (most recent call last):
        ...
    ValueError: n_samples is 51: give a whole number from 1 to 50
    """
    if is_whole(value):
        number = int(value)
        if (least is None or least <= number) and (most is None or number <= most):
            return number
    span = "" if least is None else f" of {least} or more"
    span = span if most is None else f" from {least} to {most}"
    raise ValueError(f"{name} is {shown(value)}: give a whole number{span}")


def names(given: Any, count: int, what: str) -> list[str]:
    """Read the names of ``count`` labels or samples, each a different one.

    Raises
    ------
    TypeError, ValueError
        One sentence, if they have no order or number, are too few or many, or if two are the same.

    Examples
    --------
    >>> names(("cat", "dog"), 2, "labels")
    ['cat', 'dog']
    >>> names({"cat", "dog"}, 2, "labels")
    Traceback (most recent call last):
        ...
    TypeError: labels is of type set: give a list of 2 names
    """
    if not (is_nested(given) or len(getattr(given, "shape", ())) == 1):  # a set has no order
        raise TypeError(f"{what} is of type {type(given).__name__}: give a list of {count} names")
    found = [str(name) for name in given]
    each = what.removesuffix("s")
    if len(found) != count:
        raise ValueError(f"{what} has {len(found)} names for {count} {what}: give one per {each}")
    first: dict[str, int] = {}
    for i, name in enumerate(found):
        if first.setdefault(name, i) != i:
            raise ValueError(
                f"{what} has {name!r} at positions {first[name]} and {i}:"
                f" name each {each} differently"
            )
    return found
