"""Every small world, with the metric's value on it: the smallest first."""

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from mlm_helpers import catalogue

SIZES = ((1, 1), (1, 2), (2, 1), (1, 3), (3, 1), (1, 4), (2, 2), (4, 1), (2, 3), (3, 2))
"""Samples and labels: fewest cells, then fewest samples."""
_MOST = 20_000  # worlds of one size; a size of more is left out
Row = tuple[Any, ...]


class World(NamedTuple):
    """Data, and what a metric is there.

    Attributes
    ----------
    y_true, y_other : tuples of rows
    value : float
    has_value : whether each sample, or label, has a value of its own: nothing is 0/0
    """

    y_true: tuple[Row, ...]
    y_other: tuple[Row, ...]
    value: float
    has_value: bool


def worlds(metric: Callable[..., Any]) -> Iterator[World]:
    """Every world of a small size that the metric takes."""
    settings, kept = catalogue.settings(metric), dict[int, _Units]()
    k = settings.get("k", 1)
    for n_samples, n_labels in (*SIZES, *[(1, k)] * (k == 5)):
        number, length = n_samples, n_labels
        if catalogue.of(metric).along == "label":
            number, length = n_labels, n_samples
            if settings["average"] == "micro":  # all cells are one list
                number, length = 1, n_samples * n_labels
        if n_labels < k or _how_many(metric, length) ** number > _MOST:
            continue
        if length not in kept:
            kept[length] = _evaluated(metric, length)
        yield from _of_size(metric, kept[length], number, n_labels)


class _Units(NamedTuple):
    """What has a value of its own: every row, column, or list of all cells, evaluated once."""

    truths: list[Row]
    others: list[Row]
    values: list[float]
    has_value: list[bool]


def _of_size(
    metric: Callable[..., Any], units: _Units, number: int, n_labels: int
) -> Iterator[World]:
    truths, others, values, has_value = units
    by_row = catalogue.of(metric).along == "sample"
    is_weighted = catalogue.settings(metric).get("average") == "weighted"
    for t in product(range(len(truths)), repeat=number):
        weights = [sum(truths[i]) if is_weighted else 1 for i in t]
        for o in product(range(len(others)), repeat=number):
            chosen = [i * len(others) + j for i, j in zip(t, o, strict=True)]
            yield World(
                _matrix([truths[i] for i in t], n_labels, by_row),
                _matrix([others[j] for j in o], n_labels, by_row),
                _mean([values[unit] for unit in chosen], weights),
                all(has_value[unit] for unit in chosen),
            )


_ORDERS = (1, 1, 3, 13, 75, 541, 4683)  # weak orders of so many


def _how_many(metric: Callable[..., Any], length: int) -> int:
    """How many units of some cells there are."""
    of_others = 2**length if catalogue.of(metric).reads == "y_pred" else _ORDERS[length]
    return int(2**length * of_others)


def scores(length: int) -> list[Row]:
    """Every order of some cells, ties included, as scores between 0 and 1."""
    return [
        tuple(round((level + 1) / (max(levels) + 2), 2) for level in levels)
        for levels in product(range(length), repeat=length)
        if set(levels) == set(range(max(levels) + 1))
    ]


def _evaluated(metric: Callable[..., Any], length: int) -> _Units:
    """The value of each row, or column, and whether it has one whatever the convention."""
    truths: list[Row] = list(product((0, 1), repeat=length))
    record = catalogue.of(metric)
    others = truths if record.reads == "y_pred" else scores(length)
    data = [np.array(matrix) for matrix in zip(*product(truths, others), strict=True)]
    each: dict[str, Any] = {"per_sample": True}
    if record.along == "label":
        data, each = [matrix.T for matrix in data], {"average": None}
    rule = {o: math.nan for o in ("zero_division", "undefined") if o in record.options}
    values, left = metric(*data, **each), metric(*data, **each, **rule)
    return _Units(truths, others, values.tolist(), (~np.isnan(left)).tolist())


def _matrix(units: Sequence[Row], n_labels: int, by_row: bool) -> tuple[Row, ...]:
    """Rows of units: they are rows, or columns, or all cells."""
    if by_row:
        return tuple(units)
    if len(units) == n_labels:
        return tuple(zip(*units, strict=True))
    cells = units[0]
    return tuple(cells[i : i + n_labels] for i in range(0, len(cells), n_labels))


def _mean(values: Sequence[float], weights: Sequence[int]) -> float:
    """The mean of the values that are not nan; where none of them weighs anything, they weigh the same."""
    kept = [pair for pair in zip(values, weights, strict=True) if not math.isnan(pair[0])]
    if not kept:
        return math.nan
    if not any(weight for _, weight in kept):
        kept = [(value, 1) for value, _ in kept]
    return sum(v * w for v, w in kept) / sum(w for _, w in kept)
