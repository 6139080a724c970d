"""Nine changes of the data, and the smallest data on which each changes the value of a metric."""

import functools
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import permutations, product
from typing import NamedTuple

import numpy as np

from mlm_course import small_data
from mlm_course.small_data import TOLERANCE, Rows
from mlm_helpers import catalogue
from mlm_helpers._core.inputs.options import check_choice
from mlm_helpers.catalogue.metric import MetricFunction

Matrices = tuple[Rows, ...]  # truth, and prediction or scores
_GAP = 0.1  # from the lowest score to appended scores below it


class Transformation(NamedTuple):
    """One way to change the data of metrics that read one of some kinds of input."""

    sentence: str  # the change in a sentence
    # From truth and prediction, or scores, of one data set (n_samples, n_labels) or of many
    # (n_sets, n_samples, n_labels), to all pairs of their changed versions.
    variants: Callable[[Rows, Rows], Iterable[Matrices]]
    reads: tuple[str, ...] = ("y_pred", "y_score", "y_prob")

    def applies(self, metric: MetricFunction) -> bool:
        """Whether the data of a metric can be changed in this way."""
        return catalogue.record_of(metric).reads in self.reads


def _append(y_true: Rows, y_pred: Rows, axis: int) -> Iterator[Matrices]:
    """The data with a further row or column, not true, not predicted: 0, or the lowest scores."""
    zeros = np.zeros_like(y_true.take([0], axis))
    lowest = y_pred.min(axis=(-2, -1), keepdims=True) - _GAP if y_pred.dtype.kind == "f" else 0
    yield np.concatenate([y_true, zeros], axis), np.concatenate([y_pred, zeros + lowest], axis)


def _reorder(y_true: Rows, y_pred: Rows, axis: int) -> Iterator[Matrices]:
    """The data with rows or columns in each order but the present one."""
    _, *orders = permutations(range(y_true.shape[axis]))  # the first is the present order
    for order in orders:
        yield y_true.take(order, axis), y_pred.take(order, axis)


def _shift(y_true: Rows, y_score: Rows) -> Iterator[Matrices]:
    """The data with 1 added to the scores of each sample in turn."""
    for is_shifted in np.eye(y_score.shape[-2]):
        yield y_true, y_score + is_shifted[:, None]


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
        lambda *matrices: [tuple(np.concatenate([m, m], -2) for m in matrices)],
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
"""The transformations, by name."""


class Change(NamedTuple):
    """Data on which a transformation changes the metric's value.

    Attributes
    ----------
    y_true, y_pred : nested lists of shape (n_samples, n_labels)
        The truth, and the prediction, or the scores if the metric reads scores.
    changed_true, changed_other : truth and prediction after the change
    values : the metric's value before and after the change; nan where it is undefined
    """

    y_true: list[list[int]]
    y_pred: list[list[float]]
    changed_true: list[list[int]]
    changed_other: list[list[float]]
    values: tuple[float, float]


def smallest_change(
    metric: MetricFunction, name: str, *, max_samples: int = 2, max_labels: int = 3
) -> Change | None:
    """The smallest data on which a transformation changes the metric's value, or None.

    Smallest means fewest cells, then fewest samples, then first in lexicographic order of truth and
    prediction, row by row. A value changes if it differs by more than 1e-14, or if exactly one of
    the two is nan. Sizes that the metric refuses are left out. All predictions are tried, or all
    orders of the scores that the metric compares, ties included.

    Parameters
    ----------
    metric : public metric function, or ``functools.partial`` of it
        With its options bound.
    name : one of `TRANSFORMATIONS`
    max_samples, max_labels : int
        The largest size to search, at most 8 cells; more than 6, or 4 for micro AP and AUROC, take
        long.

    Raises
    ------
    TypeError, ValueError
        If the metric is not in the catalogue, lacks a required option, returns several values, has
        sample weights bound, or reads data that can't be changed in this way; if there is no such
        transformation; if a size is not a whole number of 1 or more, or has more than 8 cells.

    Examples
    --------
    >>> from mlm_helpers import hamming
    >>> change = smallest_change(hamming.hamming_loss, "append an unused label")
    >>> change.y_true, change.y_pred, change.changed_true, change.changed_other, change.values
    ([[0]], [[1]], [[0, 0]], [[1, 0]], (1.0, 0.5))
    """
    check_choice(name, tuple(TRANSFORMATIONS), "name")
    if not TRANSFORMATIONS[name].applies(metric):
        full_name = catalogue.full_name(metric)
        raise ValueError(f"name is {name!r}, which does not apply to {full_name}: choose another")
    return _smallest(metric, name, (max_samples, max_labels))


def _smallest(metric: MetricFunction, name: str, *bounds: tuple[int, int]) -> Change | None:
    """The smallest change within any of the bounds (max_samples, max_labels)."""
    for truths, predictions, (values,) in small_data.batches((metric,), *bounds):
        before, value_before = small_data.cross_product(truths, predictions), values.ravel()
        variants = list(TRANSFORMATIONS[name].variants(*before))
        if not variants:  # a single sample has no other order
            continue
        after = (np.concatenate(matrices) for matrices in zip(*variants, strict=True))
        values_after = small_data.metric_values(metric, *after).reshape(len(variants), -1)
        is_changed = ~np.isclose(value_before, values_after, 0, TOLERANCE, equal_nan=True)
        if is_changed.any():
            i = int(is_changed.any(axis=0).argmax())  # the first data set that changes
            variant = int(is_changed[:, i].argmax())
            (y_true, y_pred), (new_true, new_pred) = (
                [matrix[i].tolist() for matrix in data] for data in (before, variants[variant])
            )
            pair = float(value_before[i]), float(values_after[variant, i])
            return Change(y_true, y_pred, new_true, new_pred, pair)
    return None


@functools.cache
def all_changes() -> dict[tuple[str, str], Change | None]:
    """The smallest data on which each transformation changes each metric that the course teaches.

    Keys are the name of a metric, as in `catalogue.variants`, and the name of a transformation that
    applies to it. None means that no data were found within 2 samples × 3 labels and 3 × 2; within
    2 × 2 for micro averages of curves, which compare all cells.
    """
    metrics = catalogue.variants(catalogue.taught_records())
    bounds = {"micro AP": [(2, 2)], "micro AUROC": [(2, 2)]}
    return {
        (metric, name): _smallest(metrics[metric], name, *bounds.get(metric, [(2, 3), (3, 2)]))
        for metric, name in product(metrics, TRANSFORMATIONS)
        if TRANSFORMATIONS[name].applies(metrics[metric])
    }
