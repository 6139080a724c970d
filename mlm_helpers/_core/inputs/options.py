"""The options of metrics and the values that each may have; names of labels and samples."""

import math
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from functools import partial
from typing import Any, Literal, TypeAlias, TypeVar, get_args

from mlm_helpers._core.averages import averages_of_labels
from mlm_helpers._core.inputs.kinds import (
    MAX_EXACT_INT,
    axis_names,
    is_integer,
    is_list_like,
    is_number,
    is_real,
)
from mlm_helpers._core.inputs.refuse import short_repr

Average: TypeAlias = Literal["macro", "micro", "weighted"] | None
Interpolation: TypeAlias = Literal["all", 11, 101] | None
Norm: TypeAlias = Literal["l1", "l2", "max"]
Ties: TypeAlias = Literal["max", "min", "average", "first", "last"]  # the rank of tied items
TopKTies: TypeAlias = Literal["worst", "best", "average", "first", "last"]  # the value at a tie
TieRule: TypeAlias = Ties | TopKTies
ZeroDivision: TypeAlias = float | Literal["agree"]
Entry = TypeVar("Entry")

INTERPOLATIONS: tuple[Interpolation, ...] = (None, "all", 11, 101)
TIES: tuple[Ties, ...] = get_args(Ties)
TOP_K_TIES: tuple[TopKTies, ...] = get_args(TopKTies)
_NEW_NAMES = {"worst": "max", "best": "min"}  # of rules for ties


def check_choice(value: Any, allowed: Sequence[Any], name: str) -> None:
    """Refuse an option that is not among the values allowed."""
    # Arrays and other objects are refused without a comparison, which need not give True or False.
    is_scalar = value is None or isinstance(value, str) or is_real(value)
    if is_scalar and any(_is_same(value, choice) for choice in allowed):
        return
    remedy = "choose one of"
    if len(allowed) > 9:  # too many to read, so the message has the three most similar
        by_text = {str(choice).lower(): choice for choice in allowed}
        similar = get_close_matches(str(value).lower(), by_text, n=3, cutoff=0)
        allowed = [by_text[text] for text in similar]
        remedy = "choose one such as"
    choices = ", ".join(map(repr, allowed))
    raise ValueError(f"{name} is {short_repr(value)}: {remedy} {choices}")


def _is_same(value: Any, choice: Any) -> bool:
    """Whether a value equals a choice; here nan equals nan, and True does not equal 1."""
    is_equal = value == choice or (value != value and choice != choice)
    return is_equal and is_number(value) == is_number(choice)


def look_up(table: Mapping[str, Entry], key: Any, name: str) -> Entry:
    """The entry of a table for a key; a ValueError names the keys, or the most similar ones.

    Messages call the key ``name``.
    """
    check_choice(key, list(table), name)
    return table[key]


def check_number(value: Any, name: str) -> None:
    """Refuse an option that is not a number in its range."""
    is_allowed, remedy = _NUMBERS[name]
    if not (is_number(value) and is_allowed(value)):
        raise ValueError(f"{name} is {short_repr(value)}: give {remedy}")


def _check_clip(value: Any) -> None:
    """Refuse a ``clip`` that is neither None nor a number in its range."""
    if value is not None:
        check_number(value, "clip")


def read_int(value: Any, name: str, low: int | None = None, high: int | None = None) -> int:
    """Read a size or a seed: a whole number from ``low`` to ``high``.

    None is no limit; ``high`` is given only together with ``low``.
    """
    if is_integer(value) and (low is None or value >= low) and (high is None or value <= high):
        return int(value)
    limits = "" if low is None else f" of {low} or more"
    limits = limits if high is None else f" from {low} to {high}"
    raise ValueError(f"{name} is {short_repr(value)}: give a whole number{limits}")


def read_k(value: Any, n_labels: int | None = None) -> int:
    """Read ``k``: a whole number of 1 or more, and at most the number of labels if it is given."""
    return read_int(value, "k", 1, n_labels)


def check_average(value: Any, allowed: Sequence[Any] | None = None) -> None:
    """Refuse an average that is not allowed; by default those of label-based metrics are."""
    if allowed is None and isinstance(value, str) and value == "samples":
        raise ValueError("average is 'samples': use a metric of example_based or ranking")
    check_choice(value, allowed or averages_of_labels(), "average")


def _check_ties(value: Any) -> None:
    """Refuse a rule that does not say which rank tied items get; for an old name, give the new."""
    if isinstance(value, str) and value in _NEW_NAMES:
        problem = f"ties is {value!r}, now called {_NEW_NAMES[value]!r}"
        raise ValueError(f"{problem}: a rule is named for the rank that tied items get")
    check_choice(value, TIES, "ties")


check_top_k_ties = partial(check_choice, allowed=TOP_K_TIES, name="ties")
"""Check of ``ties`` for top-k metrics, whose "worst" and "best" are values, not ranks."""

# The values that an option can have, by its name.
_CHOICES: dict[str, Sequence[Any]] = {
    **dict.fromkeys(("normalize", "per_sample", "root"), (True, False)),
    "interpolation": INTERPOLATIONS,
    "norm": get_args(Norm),
    "start": (0, 1),
    "zero_division": (0.0, 1.0, math.nan, "agree"),
}
# By the name of an option: whether a number is in its range, and the text of this range.
_NUMBERS: dict[str, tuple[Callable[[float], bool], str]] = {
    **dict.fromkeys(
        ("beta", "a", "b"), (lambda x: 0 <= x < math.inf, "a finite number of 0 or more")
    ),
    "clip": (lambda x: 0 < x < 0.5, "a number between 0 and 1/2, such as 1e-15, or None"),
    "level": (lambda x: 0 < x < 1, "a number between 0 and 1, such as 0.95"),
    # ``not … >`` instead of ``<=`` allows nan.
    "undefined": (lambda x: not abs(x) > MAX_EXACT_INT, "nan or a number within ±2**53"),
}
CHECKS: dict[str, Callable[[Any], object]] = {
    **{name: partial(check_choice, allowed=_CHOICES[name], name=name) for name in _CHOICES},
    **{name: partial(check_number, name=name) for name in _NUMBERS},
    "average": check_average,
    "clip": _check_clip,  # instead of `check_number`, to allow None
    "bins": partial(read_int, name="bins", low=1, high=2**16),
    "k": read_k,
    "ties": _check_ties,
}
"""By the name of an option, the function that refuses its invalid values."""


def check_options(**options: Any) -> None:
    """Refuse the first option with an invalid value."""
    for name, value in options.items():
        CHECKS[name](value)


def frame_names(axis: str, *matrices: Any) -> list[Any] | None:
    """The names on an axis ("columns" or "index") of the first of the matrices that is a frame.

    None if there is no frame, or if its names are the numbers 0, 1, …, which pandas gives by
    default.
    """
    for matrix in matrices:
        # A Series, which has an index and no columns, is not a frame.
        names = axis_names(matrix, axis) if hasattr(matrix, "columns") else None
        if names is not None:
            return None if list(names) == [*range(len(names))] else list(names)
    return None


def resolve_names(names: Any, default: Sequence[Any] | None, noun: str, *frames: Any) -> list[str]:
    """Names of labels or samples, as text; no two are equal.

    The result is ``names``; if this is None, the names of the first frame; without a frame, the
    default. Their number must be that of the default, unless the default is None. ``noun``, which
    is "label" or "sample", says what is named.
    """
    axis = "columns" if noun == "label" else "index"
    of_frame = [*map(str, frame_names(axis, *frames) or ())]
    names = of_frame or default if names is None else names
    if not is_list_like(names):  # a set, say, which has no order
        raise TypeError(f"{noun}s is of type {type(names).__name__}: give a list of names")
    texts = [str(name) for name in names]
    if default is not None and len(texts) != len(default):
        lengths = f"length {len(texts)}, and the number of {noun}s is {len(default)}"
        raise ValueError(f"{noun}s has {lengths}: give a name for each {noun}")
    if len({*texts}) < len(texts):
        name = max(texts, key=texts.count)
        raise ValueError(f"{noun}s has {name!r} more than once: give each {noun} a different name")
    if texts != of_frame and {*texts} == {*of_frame}:
        problem = f"{noun}s has the names of the DataFrame's {axis} in another order"
        raise ValueError(f"{problem}: leave {noun}s out, or reorder all matrices alike")
    return texts
