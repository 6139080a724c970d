"""Options: what each may be, written once for every metric."""

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Literal, TypeAlias, get_args

from mlm_helpers._core.inputs.kinds import (
    EXACT,
    axis_names,
    is_nested,
    is_number,
    is_real,
    is_whole,
)
from mlm_helpers._core.inputs.refuse import shown

Average: TypeAlias = Literal["macro", "micro", "weighted"] | None
Interpolation: TypeAlias = Literal["all", 11, 101] | None
Norm: TypeAlias = Literal["l1", "l2", "max"]
Ties: TypeAlias = Literal["worst", "best", "average", "first", "last"]
ZeroDivision: TypeAlias = float | Literal["agree"]

AVERAGES: tuple[Average, ...] = ("macro", "micro", "weighted", None)
INTERPOLATIONS: tuple[Interpolation, ...] = (None, "all", 11, 101)
TIES: tuple[Ties, ...] = get_args(Ties)


def one_of(value: Any, allowed: Sequence[Any], name: str) -> None:
    """Refuse an option that is not one of those allowed."""
    is_plain = isinstance(value, str) or is_real(value)  # an array is equal to nothing
    if not any(
        value is choice
        or (is_plain and value == choice and is_number(value) == is_number(choice))  # True is not 1
        for choice in allowed
    ):
        choices = ", ".join(map(repr, allowed))
        raise ValueError(f"{name} is {shown(value)}: choose one of {choices}")


def average(value: Any) -> None:
    """Refuse an unknown ``average`` over labels; means over samples are other metrics."""
    if isinstance(value, str) and value == "samples":
        raise ValueError(
            "average is 'samples': choose one of 'macro', 'micro', 'weighted', None, or a metric of"
            " example_based (of scores: of ranking), whose value is a mean over samples"
        )
    one_of(value, AVERAGES, "average")


def zero_division(value: Any) -> None:
    """Refuse a ``zero_division`` that is none of 0, 1, nan and "agree"."""
    if not math.isnan(_float(value)):
        one_of(value, (0.0, 1.0, math.nan, "agree"), "zero_division")


def undefined(value: Any) -> None:
    """Refuse an ``undefined`` that is neither nan nor a number whose mean floats can hold."""
    if abs(_float(value)) > EXACT:
        raise ValueError(f"undefined is {shown(value)}: give nan or a number within ±2**53")


def beta(value: Any, name: str = "beta") -> None:
    """Refuse a ``beta``, or what is like it, that is not a finite number of 0 or more."""
    if not 0 <= _float(value) < math.inf:
        raise ValueError(f"{name} is {shown(value)}: give a finite number of 0 or more")


def k(value: Any, n_labels: int | None = None) -> int:
    """Read a ``k``, a whole number of 1 or more; of so many labels, where their number is known."""
    read = whole(value, "k", 1)
    if n_labels is not None and read > n_labels:
        raise ValueError(f"k is {shown(read)}, more than the {n_labels} labels: give a smaller k")
    return read


def level(value: Any) -> None:
    """Refuse a ``level`` of an interval that is no number between 0 and 1."""
    if not 0 < _float(value) < 1:
        raise ValueError(f"level is {shown(value)}: give a number between 0 and 1, such as 0.95")


def clip(value: Any) -> None:
    """Refuse a ``clip`` that is neither None nor a number between 0 and 1/2."""
    if value is not None and not 0 < _float(value) < 0.5:
        raise ValueError(
            f"clip is {shown(value)}: give a number between 0 and 1/2, such as 1e-15, or None"
        )


def bins(value: Any) -> int:
    """Read a number of bins of equal width."""
    return whole(value, "bins", 1, 2**16)


norm = partial(one_of, allowed=get_args(Norm), name="norm")
interpolation = partial(one_of, allowed=INTERPOLATIONS, name="interpolation")
start = partial(one_of, allowed=(0, 1), name="start")
CHECKS: dict[str, Callable[[Any], object]] = {
    "average": average,
    "beta": beta,
    "bins": bins,
    "clip": clip,
    "interpolation": interpolation,
    "k": k,
    "normalize": partial(one_of, allowed=(True, False), name="normalize"),
    "norm": norm,
    "per_sample": partial(one_of, allowed=(True, False), name="per_sample"),
    "start": start,
    "ties": partial(one_of, allowed=TIES, name="ties"),
    "undefined": undefined,
    "zero_division": zero_division,
}
"""What refuses a bad value of an option, by the option's name."""


def _float(value: Any) -> float:
    """A number as a float; anything else as inf, which no option allows."""
    try:
        return float(value) if is_number(value) else math.inf
    except OverflowError:  # a whole number too large for a float
        return math.inf


def whole(value: Any, name: str, least: int | None = None, most: int | None = None) -> int:
    """Read a size or a seed: a whole number of Python or NumPy, from ``least`` to ``most``."""
    if is_whole(value) and (least is None or value >= least) and (most is None or value <= most):
        return int(value)
    span = "" if least is None else f" of {least} or more"
    span = span if most is None else f" from {least} to {most}"
    raise ValueError(f"{name} is {shown(value)}: give a whole number{span}")


def names(given: Any, count: int | None, what: str) -> list[str]:
    """Read the names of labels or samples, each a different one: ``count``, or any number of them."""
    if not (is_nested(given) or len(getattr(given, "shape", ())) == 1):  # a set has no order
        number = "" if count is None else f"{count} "
        raise TypeError(f"{what} is of type {type(given).__name__}: give a list of {number}names")
    found = [str(name) for name in given]
    each = what.removesuffix("s")
    if count is not None and len(found) != count:
        raise ValueError(f"{what} has {len(found)} names for {count} {what}: give one per {each}")
    first: dict[str, int] = {}
    for i, name in enumerate(found):
        if first.setdefault(name, i) != i:
            where = f"at positions {first[name]} and {i}"
            raise ValueError(f"{what} has {name!r} {where}: name each {each} differently")
    return found


def own_names(axis: str, *matrices: Any) -> list[Any] | None:
    """The names that the first frame among matrices gives its "columns" or "index", unless these just count."""
    for matrix in matrices:
        own = axis_names(matrix, axis)
        if hasattr(matrix, "columns") and own is not None:  # a Series has no columns
            return None if list(own) == [*range(len(own))] else list(own)
    return None


def named(given: Any, otherwise: Sequence[Any], noun: str, *matrices: Any) -> list[str]:
    """The names given to labels or samples; else those in the first frame among matrices; else others."""
    axis = "columns" if noun == "label" else "index"
    own = own_names(axis, *matrices) if given is None else given
    return names(otherwise if own is None else own, len(otherwise), f"{noun}s")


def numbered(noun: str, count: int) -> list[str]:
    """Names for what has none: "label 1", "label 2" and so on."""
    return [f"{noun} {i}" for i in range(1, count + 1)]


def label_names(labels: Any, n_labels: int, *matrices: Any) -> list[str]:
    """The names given; else the columns of the first frame among matrices; else numbers from 0."""
    return named(labels, range(n_labels), "label", *matrices)
