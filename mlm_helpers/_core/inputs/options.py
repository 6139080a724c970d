"""Options: what each may be, written once for every metric."""

import math
from collections.abc import Callable, Sequence
from difflib import SequenceMatcher
from functools import partial
from typing import Any, Literal, TypeAlias, get_args

from mlm_helpers._core.inputs.kinds import (
    MAX_EXACT_INT,
    axis_names,
    is_integer,
    is_list,
    is_number,
    is_real,
)
from mlm_helpers._core.inputs.refuse import first_three, short_repr

Average: TypeAlias = Literal["macro", "micro", "weighted"] | None
Interpolation: TypeAlias = Literal["all", 11, 101] | None
Norm: TypeAlias = Literal["l1", "l2", "max"]
Ties: TypeAlias = Literal["worst", "best", "average", "first", "last"]
ZeroDivision: TypeAlias = float | Literal["agree"]

AVERAGES: tuple[Average, ...] = ("macro", "micro", "weighted", None)
INTERPOLATIONS: tuple[Interpolation, ...] = (None, "all", 11, 101)
TIES: tuple[Ties, ...] = get_args(Ties)


def check_choice(value: Any, allowed: Sequence[Any], name: str) -> None:
    """Refuse an option that is not one of those allowed; any nan is nan."""
    is_plain = value is None or isinstance(value, str) or is_real(value)  # no array
    for choice in allowed if is_plain else ():
        is_equal = value == choice or (value != value and choice != choice)
        if is_equal and is_number(value) == is_number(choice):  # True is not 1
            return
    choices = ", ".join(map(repr, allowed))
    if len(allowed) > 9:  # more than one reads
        like = partial(SequenceMatcher, None, str(value).lower())
        choices = first_three(sorted(allowed, key=lambda one: -like(str(one).lower()).ratio()))
    raise ValueError(f"{name} is {short_repr(value)}: choose one of {choices}")


def check_number(value: Any, name: str) -> None:
    """Refuse an option that is not a number of those allowed."""
    is_allowed, remedy = _NUMBERS[name]
    is_none = value is None and remedy.endswith("None")
    if not (is_none or (is_number(value) and is_allowed(value))):
        raise ValueError(f"{name} is {short_repr(value)}: give {remedy}")


def read_int(value: Any, name: str, least: int | None = None, most: int | None = None) -> int:
    """Read a size or a seed: a whole number of Python or NumPy, from ``least`` to ``most``."""
    if is_integer(value) and (least is None or value >= least) and (most is None or value <= most):
        return int(value)
    span = "" if least is None else f" of {least} or more"
    span = span if most is None else f" from {least} to {most}"
    raise ValueError(f"{name} is {short_repr(value)}: give a whole number{span}")


def read_k(value: Any, n_labels: int | None = None) -> int:
    """Read a ``k``, a whole number from 1 to the number of labels, where that is known."""
    return read_int(value, "k", 1, n_labels)


def _average(value: Any) -> None:
    if isinstance(value, str) and value == "samples":
        raise ValueError("average is 'samples': take a metric of example_based, or of ranking")
    check_choice(value, AVERAGES, "average")


_CHOICES: dict[str, Sequence[Any]] = {
    **dict.fromkeys(("normalize", "per_sample", "root"), (True, False)),
    "interpolation": INTERPOLATIONS,
    "norm": get_args(Norm),
    "start": (0, 1),
    "ties": TIES,
    "zero_division": (0.0, 1.0, math.nan, "agree"),
}
_NUMBERS: dict[str, tuple[Callable[[float], bool], str]] = {
    **dict.fromkeys(
        ("beta", "a", "b"), (lambda x: 0 <= x < math.inf, "a finite number of 0 or more")
    ),
    "clip": (lambda x: 0 < x < 0.5, "a number between 0 and 1/2, such as 1e-15, or None"),
    "level": (lambda x: 0 < x < 1, "a number between 0 and 1, such as 0.95"),
    "undefined": (lambda x: not abs(x) > MAX_EXACT_INT, "nan or a number within ±2**53"),
}
CHECKS: dict[str, Callable[[Any], object]] = {
    **{
        name: partial(check_choice, allowed=allowed, name=name)
        for name, allowed in _CHOICES.items()
    },
    **{name: partial(check_number, name=name) for name in _NUMBERS},
    "average": _average,
    "bins": partial(read_int, name="bins", least=1, most=2**16),
    "k": read_k,
}
"""What refuses a bad value of an option, by the option's name."""


def check_options(**options: Any) -> None:
    """Refuse options that have a bad value."""
    for name, value in options.items():
        CHECKS[name](value)


def frame_names(axis: str, *matrices: Any) -> list[Any] | None:
    """The names that the first frame among matrices gives its "columns" or "index", unless these just count."""
    frames = [x for x in matrices if hasattr(x, "columns")]  # a Series has none
    own = next((own for x in frames if (own := axis_names(x, axis)) is not None), None)
    return None if own is None or list(own) == [*range(len(own))] else list(own)


def resolve_names(
    given: Any, otherwise: Sequence[Any] | None, noun: str, *frames: Any
) -> list[str]:
    """Different names of labels or samples: those given, those of the first frame, or as many others."""
    if given is None:
        given = frame_names("columns" if noun == "label" else "index", *frames) or otherwise
    if not is_list(given):  # a set has no order
        raise TypeError(f"{noun}s is of type {type(given).__name__}: give a list of names")
    names = [str(name) for name in given]
    if otherwise is not None and len(names) != len(otherwise):
        lengths = f"length {len(names)}, and the number of {noun}s is {len(otherwise)}"
        raise ValueError(f"{noun}s has {lengths}: give a name for each {noun}")
    first: dict[str, int] = {}
    for i, name in enumerate(names):
        if (j := first.setdefault(name, i)) < i:
            where = f"{name!r} at positions {j} and {i}"
            raise ValueError(f"{noun}s has {where}: name each {noun} differently")
    return names
