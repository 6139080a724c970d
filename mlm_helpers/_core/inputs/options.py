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
    """Refuse an option that is not one of those allowed; any nan is nan."""
    is_plain = isinstance(value, str) or is_real(value)  # an array is equal to nothing
    for choice in allowed:
        if value is choice:
            return
        is_equal = is_plain and (value == choice or (value != value and choice != choice))
        if is_equal and is_number(value) == is_number(choice):  # True is not 1
            return
    raise ValueError(f"{name} is {shown(value)}: choose one of {', '.join(map(repr, allowed))}")


def number(value: Any, name: str, is_allowed: Callable[[float], bool], remedy: str) -> None:
    """Refuse an option that is not a number of those allowed."""
    try:
        found = float(value) if is_number(value) else math.inf
    except OverflowError:  # a whole number too large for a float
        found = math.inf
    if not is_allowed(found):
        raise ValueError(f"{name} is {shown(value)}: give {remedy}")


def whole(value: Any, name: str, least: int | None = None, most: int | None = None) -> int:
    """Read a size or a seed: a whole number of Python or NumPy, from ``least`` to ``most``."""
    if is_whole(value) and (least is None or value >= least) and (most is None or value <= most):
        return int(value)
    span = "" if least is None else f" of {least} or more"
    span = span if most is None else f" from {least} to {most}"
    raise ValueError(f"{name} is {shown(value)}: give a whole number{span}")


def average(value: Any) -> None:
    """Refuse an unknown ``average`` over labels; means over samples are other metrics."""
    if isinstance(value, str) and value == "samples":
        raise ValueError(
            "average is 'samples': choose one of 'macro', 'micro', 'weighted', None, or a metric of"
            " example_based (of scores: of ranking), whose value is a mean over samples"
        )
    one_of(value, AVERAGES, "average")


def k(value: Any, n_labels: int | None = None) -> int:
    """Read a ``k``, a whole number of 1 or more; of so many labels, where their number is known."""
    read = whole(value, "k", 1)
    if n_labels is not None and read > n_labels:
        raise ValueError(f"k is {shown(read)}, more than the {n_labels} labels: give a smaller k")
    return read


def beta(value: Any, name: str = "beta") -> None:
    """Refuse a ``beta``, or what is like it, that is not a finite number of 0 or more."""
    number(value, name, lambda x: 0 <= x < math.inf, "a finite number of 0 or more")


def level(value: Any) -> None:
    """Refuse a ``level`` of an interval that is not a number between 0 and 1."""
    number(value, "level", lambda x: 0 < x < 1, "a number between 0 and 1, such as 0.95")


def undefined(value: Any) -> None:
    """Refuse an ``undefined`` that is neither nan nor a number whose mean floats can hold."""
    number(value, "undefined", lambda x: not abs(x) > EXACT, "nan or a number within ±2**53")


def clip(value: Any) -> None:
    """Refuse a ``clip`` that is neither None nor a number between 0 and 1/2."""
    if value is not None:
        remedy = "a number between 0 and 1/2, such as 1e-15, or None"
        number(value, "clip", lambda x: 0 < x < 0.5, remedy)


bins = partial(whole, name="bins", least=1, most=2**16)
interpolation = partial(one_of, allowed=INTERPOLATIONS, name="interpolation")
norm = partial(one_of, allowed=get_args(Norm), name="norm")
normalize = partial(one_of, allowed=(True, False), name="normalize")
per_sample = partial(one_of, allowed=(True, False), name="per_sample")
start = partial(one_of, allowed=(0, 1), name="start")
ties = partial(one_of, allowed=TIES, name="ties")
zero_division = partial(one_of, allowed=(0.0, 1.0, math.nan, "agree"), name="zero_division")

_PARTIALS = (bins, interpolation, norm, normalize, per_sample, start, ties, zero_division)
CHECKS: dict[str, Callable[[Any], object]] = {
    **{check.keywords["name"]: check for check in _PARTIALS},
    **{check.__name__: check for check in (average, beta, clip, k, undefined)},
}
"""What refuses a bad value of an option, by the option's name."""


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
    frames = [x for x in matrices if hasattr(x, "columns")]  # a Series has none
    own = next((own for x in frames if (own := axis_names(x, axis)) is not None), None)
    return None if own is None or list(own) == [*range(len(own))] else list(own)


def named(given: Any, otherwise: Sequence[Any], noun: str, *matrices: Any) -> list[str]:
    """The names given to labels or samples; else those in the first frame among matrices; else others."""
    if given is None:
        given = own_names("columns" if noun == "label" else "index", *matrices)
    return names(otherwise if given is None else given, len(otherwise), f"{noun}s")


def numbered(noun: str, count: int) -> list[str]:
    """Names for what has none: "label 1", "label 2" and so on."""
    return [f"{noun} {i}" for i in range(1, count + 1)]


def label_names(labels: Any, n_labels: int, *matrices: Any) -> list[str]:
    """The names given; else the columns of the first frame among matrices; else numbers from 0."""
    return named(labels, range(n_labels), "label", *matrices)
