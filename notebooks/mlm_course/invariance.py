"""Which changes of the data change a metric: nine changes, and the smallest data on which the value changes."""

import functools
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import permutations, product
from typing import NamedTuple

import numpy as np

from mlm_course import small_data
from mlm_course.small_data import TOLERANCE, Rows
from mlm_helpers import catalogue, tables
from mlm_helpers._core import inputs
from mlm_helpers.catalogue import MetricFunction
from mlm_helpers.tables import Display

World = tuple[Rows, ...]  # truth, and prediction or scores; or those of many worlds
_GAP = 0.1  # by so much the lowest score is lower than all others


class Transformation(NamedTuple):
    """One way to change data.

    Attributes
    ----------
    sentence : str
        The change in a sentence.
    variants : callable
        From truth and prediction, or scores, of shape (n_samples, n_labels), or of many worlds at
        once (n_worlds, n_samples, n_labels), to all changed ones, one after the other.
    reads : tuple of str
        The kinds of input ("y_pred", "y_score", "y_prob") that can be changed in this way.
    """

    sentence: str
    variants: Callable[[Rows, Rows], Iterable[World]]
    reads: tuple[str, ...] = ("y_pred", "y_score", "y_prob")

    def applies(self, metric: MetricFunction) -> bool:
        """Whether the data of a metric can be changed in this way."""
        return catalogue.record_of(metric).reads in self.reads


def _append(y_true: Rows, y_pred: Rows, axis: int) -> Iterator[World]:
    nothing = np.zeros_like(y_true.take([0], axis))
    scored = y_pred.dtype.kind == "f"
    lowest = y_pred.min(axis=(-2, -1), keepdims=True) - _GAP if scored else 0
    yield np.concatenate([y_true, nothing], axis), np.concatenate([y_pred, nothing + lowest], axis)


def _reorder(y_true: Rows, y_pred: Rows, axis: int) -> Iterator[World]:
    _, *orders = permutations(range(y_true.shape[axis]))
    for order in orders:
        yield y_true.take(order, axis), y_pred.take(order, axis)


def _shift(y_true: Rows, y_score: Rows) -> Iterator[World]:
    for sample in np.eye(y_score.shape[-2]):
        yield y_true, y_score + sample[:, None]


TRANSFORMATIONS = {
    "swap truth and prediction": Transformation(
        "Each takes the place of the other.",
        lambda y_true, y_pred: [(y_pred, y_true)],
        reads=("y_pred",),
    ),
    "append an unused label": Transformation(
        "Nobody has it, and nobody predicts it: it scores below all others.",
        partial(_append, axis=-1),
    ),
    "append an empty sample": Transformation(
        "No label is true or predicted: all of them are tied, below all other scores.",
        partial(_append, axis=-2),
    ),
    "repeat every sample": Transformation(
        "All samples, then all of them again.",
        lambda *world: [tuple(np.concatenate([matrix, matrix], -2) for matrix in world)],
    ),
    "reorder labels": Transformation("The columns change places.", partial(_reorder, axis=-1)),
    "reorder samples": Transformation("The rows change places.", partial(_reorder, axis=-2)),
    "rescale scores monotonically": Transformation(
        "A score s becomes s³, or 10 s − 3: what was greater stays greater.",
        lambda y_true, y_score: [(y_true, y_score**3), (y_true, 10 * y_score - 3)],
        reads=("y_score",),
    ),
    "shift a sample's scores": Transformation(
        "The scores of one sample grow by 1.", _shift, ("y_score",)
    ),
    "flip all cells": Transformation(
        "0 and 1 change places in truth and prediction; a score s becomes 1 − s.",
        lambda y_true, y_pred: [(1 - y_true, 1 - y_pred)],
    ),
}
"""The changes, by name."""


class Change(NamedTuple):
    """Data on which a change of the data changes the metric's value.

    Attributes
    ----------
    metric, name : the metric, as it was given, and the name of the transformation
    y_true, y_pred : nested lists of shape (n_samples, n_labels)
        The truth, and the prediction, or the scores where the metric reads scores.
    changed_true, changed_other : nested lists
        Both after the change.
    values : tuple of float
        The metric's value before and after; nan where there is none.
    """

    metric: MetricFunction
    name: str
    y_true: list[list[int]]
    y_pred: list[list[float]]
    changed_true: list[list[int]]
    changed_other: list[list[float]]
    values: tuple[float, float]


def smallest_change(
    metric: MetricFunction, name: str, *, max_samples: int = 2, max_labels: int = 3
) -> Change | None:
    """The smallest data on which a change of the data changes the metric's value.

    Smallest means fewest cells, then fewest samples, then first in lexicographic order of truth and
    prediction, row by row. The two values differ by more than 1e-14, or exactly one of them is nan.
    Sizes that the metric refuses are left out. All predictions are tried, or all orders of the scores
    that the metric compares, ties included.

    Parameters
    ----------
    metric : public metric function, or ``functools.partial`` of it
        With its options bound.
    name : str
        One of `TRANSFORMATIONS`.
    max_samples, max_labels : int
        The largest size to search, at most 8 cells; beyond 6 it takes long, for micro averages of curves
        beyond 4.

    Returns
    -------
    Change, or None if there is none up to that size

    Raises
    ------
    TypeError, ValueError
        If the metric is not in the catalogue, lacks an option, has an option bound under which it
        returns several values or needs certain samples, or reads data that cannot be changed in this
        way; if there is no transformation of that name; if a size is no whole number of 1 or more, or
        of more than 8 cells.

    Examples
    --------
    >>> from mlm_helpers import hamming
    >>> found = smallest_change(hamming.hamming_loss, "append an unused label")
    >>> found.y_true, found.y_pred, found.changed_true, found.changed_other, found.values
    ([[0]], [[1]], [[0, 0]], [[1, 0]], (1.0, 0.5))
    """
    inputs.check_choice(name, tuple(TRANSFORMATIONS), "name")
    if not TRANSFORMATIONS[name].applies(metric):
        raise ValueError(
            f"name is {name!r}, which does not change what {catalogue.full_name(metric)} reads: choose"
            " another one"
        )
    return _smallest(metric, name, (max_samples, max_labels))


def _smallest(metric: MetricFunction, name: str, *bounds: tuple[int, int]) -> Change | None:
    for truths, others, (of_truths,) in small_data.batches((metric,), *bounds):
        world, before = small_data.cross_product(truths, others), of_truths.ravel()
        ways = list(TRANSFORMATIONS[name].variants(*world))
        if not ways:  # one sample has no other order
            continue
        changed = (np.concatenate(matrices) for matrices in zip(*ways, strict=True))
        after = small_data.metric_values(metric, *changed).reshape(-1, len(before))
        same_or_nan = (np.abs(before - after) <= TOLERANCE) | (np.isnan(before) & np.isnan(after))
        differ = ~same_or_nan
        if differ.any():
            one = int(differ.any(axis=0).argmax())
            way = int(differ[:, one].argmax())
            old, new = ([m[one].tolist() for m in both] for both in (world, ways[way]))
            values = float(before[one]), float(after[way, one])
            return Change(metric, name, old[0], old[1], new[0], new[1], values)
    return None


@functools.cache
def all_changes() -> dict[tuple[str, str], Change | None]:
    """The smallest data on which each change of the data changes each metric that the course teaches.

    Keys are the name of a metric, as in `catalogue.variants`, and the name of a transformation that
    applies to it. None means that no change was found within 2 samples × 3 labels and 3 × 2; within
    2 × 2 for micro averages of curves, which compare all cells.
    """
    pairs = product(catalogue.variants(catalogue.taught_records()).items(), TRANSFORMATIONS)
    bounds = {"micro AP": [(2, 2)], "micro AUROC": [(2, 2)]}
    return {
        (name, how): _smallest(metric, how, *bounds.get(name, [(2, 3), (3, 2)]))
        for (name, metric), how in pairs
        if TRANSFORMATIONS[how].applies(metric)
    }


def table() -> Display:
    """The number of cells of the smallest data: a row for each metric, a column for each change that moves any.

    "–" stands where no change was found, nothing where the change does not apply to the metric.
    """
    changes = all_changes()
    names = dict.fromkeys(name for name, _ in changes)
    moving = [how for how in TRANSFORMATIONS if any(changes.get((name, how)) for name in names)]
    signs = {pair: str(np.size(c.y_true)) if c else "–" for pair, c in changes.items()}
    rows = ((name, *(signs.get((name, how), "") for how in moving)) for name in names)
    return tables.table(("metric", *moving), rows)
