"""What changes a metric: data changed in nine ways, and the smallest on which its value changes too.

All worlds of a size are changed and read again, sizes in growing order, as in `disagreement`: what is
found is a smallest case, and None means none up to that size. Where a change never matters, at any
size, `REASONS` says why.
"""

import functools
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from itertools import permutations, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlm_helpers import catalogue, counts, curves, inputs, ordering, worlds
from mlm_helpers.board import Board, Sentence, Table
from mlm_helpers.worlds import SMALLEST, Metric, Rows, Values

World = tuple[Rows, Rows]  # truth, and prediction or scores; or those of many worlds
_GAP = 0.1  # by so much the lowest score is lower than all others


@dataclass(frozen=True)
class Transformation:
    """One way to change data.

    Attributes
    ----------
    says : str
        What it does, in a sentence.
    ways : callable
        From truth and prediction, or scores, of shape (n_samples, n_labels), or of many worlds at
        once (n_worlds, n_samples, n_labels), to all changed ones, one after the other.
    reads : tuple of str
        What the metrics read, "y_pred" or "y_score", whose data can be changed so.
    """

    says: str
    ways: Callable[[Rows, Rows], Iterator[World]]
    reads: tuple[str, ...] = ("y_pred", "y_score")

    def applies(self, metric: Metric) -> bool:
        """Whether the data of a metric can be changed so."""
        return catalogue.of(metric).reads in self.reads


def _swap(y_true: Rows, y_pred: Rows) -> Iterator[World]:
    yield y_pred, y_true


def _append(y_true: Rows, y_other: Rows, axis: int) -> Iterator[World]:
    nothing = np.zeros_like(y_true.take([0], axis))
    scored = y_other.dtype.kind == "f"
    lowest = y_other.min(axis=(-2, -1), keepdims=True) - _GAP if scored else 0
    grown = (y_true, nothing), (y_other, nothing + lowest)
    yield np.concatenate(grown[0], axis), np.concatenate(grown[1], axis)


def _repeat(y_true: Rows, y_other: Rows) -> Iterator[World]:
    yield np.concatenate([y_true, y_true], -2), np.concatenate([y_other, y_other], -2)


def _reorder(y_true: Rows, y_other: Rows, axis: int) -> Iterator[World]:
    _, *orders = permutations(range(y_true.shape[axis]))
    for order in orders:
        yield y_true.take(order, axis), y_other.take(order, axis)


def _rescale(y_true: Rows, y_score: Rows) -> Iterator[World]:
    yield y_true, y_score**3
    yield y_true, 10 * y_score - 3


def _shift(y_true: Rows, y_score: Rows) -> Iterator[World]:
    for i in range(y_score.shape[-2]):
        shifted = y_score.copy()
        shifted[..., i, :] += 1
        yield y_true, shifted


def _flip(y_true: Rows, y_other: Rows) -> Iterator[World]:
    yield 1 - y_true, 1 - y_other


TRANSFORMATIONS = {
    "swap truth and prediction": Transformation(
        "Each takes the place of the other.", _swap, ("y_pred",)
    ),
    "append an unused label": Transformation(
        "Nobody has it, and nobody predicts it: it scores below all others.",
        partial(_append, axis=-1),
    ),
    "append an empty sample": Transformation(
        "No label is true or predicted: all of them are tied, below all other scores.",
        partial(_append, axis=-2),
    ),
    "repeat every sample": Transformation("All samples, then all of them again.", _repeat),
    "reorder labels": Transformation("The columns change places.", partial(_reorder, axis=-1)),
    "reorder samples": Transformation("The rows change places.", partial(_reorder, axis=-2)),
    "rescale scores monotonically": Transformation(
        "A score s becomes s³, or 10 s − 3: what was greater stays greater.", _rescale, ("y_score",)
    ),
    "shift a sample's scores": Transformation(
        "The scores of one sample grow by 1.", _shift, ("y_score",)
    ),
    "flip all cells": Transformation(
        "0 and 1 change places in truth and prediction; a score s becomes 1 − s.", _flip
    ),
}
"""The changes, by name."""


@dataclass(frozen=True, repr=False)
class Change:
    """Data on which a metric changes its value when they are changed.

    Attributes
    ----------
    metric, name : the metric, as it was given, and the name of the transformation
    y_true, y_other : nested lists of shape (n_samples, n_labels)
        The truth, and the prediction, or the scores where the metric reads scores.
    changed_true, changed_other : nested lists
        Both after the change.
    values : tuple of float
        The metric's value before and after; nan where there is none.
    """

    metric: Metric
    name: str
    y_true: list[list[int]]
    y_other: list[list[float]]
    changed_true: list[list[int]]
    changed_other: list[list[float]]
    values: tuple[float, float]

    def __repr__(self) -> str:
        """Show the data before and after, and the two values, as text."""
        metric, (before, after) = catalogue.describe(self.metric), map(worlds.shown, self.values)
        scored = catalogue.of(self.metric).reads == "y_score"
        header = ("sample", "truth", "scores" if scored else "prediction")
        first = Table("The smallest data", header, worlds.written(self.y_true, self.y_other))
        changed = worlds.written(self.changed_true, self.changed_other)
        said = Sentence(f"{metric}  before {before}, after {after}")
        return repr(
            Board(f"{metric}: {self.name}", (first, Table("Changed", header, changed), said))
        )


def smallest_change(
    metric: Metric, name: str, *, max_samples: int = 2, max_labels: int = 3
) -> Change | None:
    """Find the smallest data on which a metric has another value once they are changed.

    Smallest means fewest cells, then fewest samples, then first in lexicographic order of truth and
    prediction, row by row. Values are different by more than 1e-14; or one is there and the other is
    not (nan). A size that the metric refuses holds no case. Of predictions all are tried, of scores
    all orders of those that the metric compares, ties included. A search of some seconds shows how far
    it is.

    Parameters
    ----------
    metric : public metric function, or ``functools.partial`` of it
        Options that are bound count.
    name : str
        One of `TRANSFORMATIONS`.
    max_samples, max_labels : int
        The largest size to search; beyond 6 cells it takes long, for micro averages of curves beyond 4.

    Returns
    -------
    Change, or None if there is none up to that size

    Raises
    ------
    TypeError, ValueError
        If the metric is none of the catalogue, lacks an option, has one bound that leaves no single
        value or fixes the samples, or reads what cannot be changed so; if there is no transformation
        of that name; if a size is no whole number of 1 or more, or too large to hold.

    Examples
    --------
    >>> from mlm_helpers import hamming
    >>> smallest_change(hamming.hamming_loss, "append an unused label")
    Hamming loss: append an unused label
    <BLANKLINE>
    The smallest data
    sample  truth  prediction
    1       0      1
    <BLANKLINE>
    Changed
    sample  truth  prediction
    1       0 0    1 0
    <BLANKLINE>
    Hamming loss  before 1, after 1/2 = 0.5
    """
    catalogue.check_one_value(metric, any_samples=True)
    inputs.one_of(name, tuple(TRANSFORMATIONS), "name")
    transformation = TRANSFORMATIONS[name]
    if not transformation.applies(metric):
        raise ValueError(_not_applicable(metric, name))
    for size in worlds.sizes(max_samples, max_labels, (metric,)):
        others = _others(metric, *size)
        for truth in worlds.every_truth(*size):
            y_true = np.broadcast_to(truth, others.shape)
            changed = list(transformation.ways(y_true, others))
            before = worlds.values(metric, y_true, others)
            after = [worlds.values(metric, *way) for way in changed]
            differ = np.array([_differ(before, values) for values in after])
            if differ.any():
                one = int(differ.any(axis=0).argmax())
                way = int(differ[:, one].argmax())
                old, new = ([m[one].tolist() for m in w] for w in ((y_true, others), changed[way]))
                values = float(before[one]), float(after[way][one])
                return Change(metric, name, old[0], old[1], new[0], new[1], values)
    return None


def _not_applicable(metric: Metric, name: str) -> str:
    reads = {"y_pred": "label sets", "y_score": "scores"}
    own = catalogue.of(metric).reads
    (needed,) = {*reads} - {own}
    return (
        f"name is {name!r}, which changes {reads[needed]}, and {catalogue.describe(metric)} reads"
        f" {reads[own]}: choose another one"
    )


def _others(metric: Metric, n_samples: int, n_labels: int) -> Rows:
    """Every prediction, or every order of the scores that are compared, in lexicographic order."""
    record, kinds = catalogue.of(metric), worlds.kinds_of((metric,))
    by_column = record.along == "label" and catalogue.settings(metric)["average"] != "micro"
    if record.reads == "y_score" and by_column:
        columns = worlds.others(n_labels, n_samples, frozenset({("y_score", "sample")}))
        return np.unique(columns.swapaxes(1, 2), axis=0)
    return worlds.others(n_samples, n_labels, kinds)


def _differ(before: Values, after: Values) -> NDArray[np.bool_]:
    """Where two values are not the same; nan is the same as nan."""
    return ~(np.abs(before - after) <= SMALLEST) & ~(np.isnan(before) & np.isnan(after))


# ---------------------------------------------------------------------------- all at once

_ALIKE = (counts.all_right, counts.any_wrong, counts.wrong, counts.jaccard, counts.f1)
_EXACT = (counts.all_right, counts.any_wrong)
_NO_TN = (*_EXACT, counts.precision, counts.recall, counts.jaccard, counts.f1, counts.fbeta)
_FROM_THE_TOP = (
    ordering.coverage, ordering.one_error, ordering.average_precision,
    ordering.precision_at, ordering.recall_at, ordering.ndcg_at,
)  # fmt: skip
_AP, _AUROC = curves.average_precision, curves.roc_auc
Says = Callable[[catalogue.Metric, str | None], bool]

REASONS: Mapping[str, Mapping[str, Says]] = {
    "swap truth and prediction": {
        "misses become false alarms, and the formula counts both alike": lambda of, average: (
            of.parts in _ALIKE and average != "weighted"
        ),
    },
    "append an unused label": {
        "it adds cells rightly left out, and the formula counts none": lambda of, average: (
            of.parts in _NO_TN and (of.along == "sample" or average == "micro")
        ),
        "it weighs nothing, as nobody has it": lambda of, average: average == "weighted",
        "it stands below all others, and nothing above it moves": lambda of, average: (
            of.parts in _FROM_THE_TOP or (of.function is _AP and average == "micro")
        ),
        "a label without positives has no value, and is left out": lambda of, average: (
            of.function is _AUROC and average == "macro"
        ),
    },
    "append an empty sample": {
        "it adds cells rightly left out, and the formula counts none": lambda of, average: (
            of.parts in _NO_TN and of.along == "label"
        ),
        "it stands below all positives, where nothing is counted": lambda of, average: (
            of.function is _AP
        ),
    },
    "repeat every sample": {
        "each value is there twice, and their mean stays": lambda of, average: of.along == "sample",
        "all counts grow by one factor, above the line and below": lambda of, average: (
            of.along == "label"
        ),
    },
    "reorder labels": {
        "no formula asks where a label stands in the table": lambda of, average: True,
    },
    "reorder samples": {
        "no formula asks where a sample stands in the table": lambda of, average: True,
    },
    "rescale scores monotonically": {
        "only the order of scores is read, and it stays": lambda of, average: of.reads == "y_score",
    },
    "shift a sample's scores": {
        "only the order within a sample is read, and it stays": lambda of, average: (
            of.reads == "y_score" and of.along == "sample"
        ),
    },
    "flip all cells": {
        "right cells stay right, and wrong ones wrong": lambda of, average: (
            of.parts in (*_EXACT, counts.wrong)
        ),
        "each pair turns round twice: who is true, and who scores more": lambda of, average: (
            of.parts is ordering.ranking_loss or (of.function is _AUROC and average != "weighted")
        ),
    },
}  # fmt: skip
"""Of each change, why it never matters, and to which metrics with the default conventions."""


NONE_FOUND = "none found within 6 cells, and no reason is known"


def never(metric: Metric, name: str) -> str | None:
    """Why a change never matters to a metric with the default conventions; None if it can.

    Examples
    --------
    >>> from mlm_helpers import example_based
    >>> never(example_based.f1, "swap truth and prediction")
    'misses become false alarms, and the formula counts both alike'
    """
    record = catalogue.of(metric)
    average = catalogue.settings(metric).get("average")
    return next((why for why, says in REASONS[name].items() if says(record, average)), None)


def all_changes() -> dict[tuple[str, str], Change | str | None]:
    """Hold every metric that the course teaches, each average apart, against every change.

    From the names of a metric, as `catalogue.variants` gives it, and of a transformation, to the
    reason why it never matters; or to the smallest `Change`, within 2 samples × 3 labels or 3 × 2
    (`NONE_FOUND` without one); or to None, where it does not apply.
    """
    return deepcopy(_all_changes(tuple(catalogue.variants(catalogue.taught()))))


@functools.cache
def _all_changes(names: tuple[str, ...]) -> dict[tuple[str, str], Change | str | None]:
    of = catalogue.variants()
    return {(name, how): _outcome(of[name], how) for name, how in product(names, TRANSFORMATIONS)}


def _outcome(metric: Metric, name: str) -> Any:
    if not TRANSFORMATIONS[name].applies(metric):
        return None
    known = never(metric, name)
    return (
        known
        or worlds.smallest(partial(smallest_change, metric, name), (2, 3), (3, 2))
        or NONE_FOUND
    )
