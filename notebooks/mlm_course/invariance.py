"""Which changes of the data change a metric: nine changes, and the smallest data on which the value changes.

Where a change never matters, at any size, `REASONS` says why.
"""

import functools
from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from itertools import permutations, product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mlm_course import small_data
from mlm_course.small_data import SMALLEST, Rows, Values
from mlm_helpers import catalogue
from mlm_helpers._core import inputs
from mlm_helpers.board import Board, Sentence, Table
from mlm_helpers.catalogue import MetricFunction

World = tuple[Rows, Rows]  # truth, and prediction or scores; or those of many worlds
_GAP = 0.1  # by so much the lowest score is lower than all others


@dataclass(frozen=True)
class Transformation:
    """One way to change data.

    Attributes
    ----------
    says : str
        The change in a sentence.
    ways : callable
        From truth and prediction, or scores, of shape (n_samples, n_labels), or of many worlds at
        once (n_worlds, n_samples, n_labels), to all changed ones, one after the other.
    reads : tuple of str
        The kinds of input ("y_pred", "y_score", "y_prob") that can be changed in this way.
    """

    says: str
    ways: Callable[[Rows, Rows], Iterator[World]]
    reads: tuple[str, ...] = ("y_pred", "y_score", "y_prob")

    def applies(self, metric: MetricFunction) -> bool:
        """Whether the data of a metric can be changed in this way."""
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
    """Data on which a change of the data changes the metric's value.

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

    metric: MetricFunction
    name: str
    y_true: list[list[int]]
    y_other: list[list[float]]
    changed_true: list[list[int]]
    changed_other: list[list[float]]
    values: tuple[float, float]

    def __repr__(self) -> str:
        """Show the data before and after, and the two values, as text."""
        metric, (before, after) = (
            catalogue.describe(self.metric),
            map(small_data.shown, self.values),
        )
        scored = catalogue.of(self.metric).reads != "y_pred"
        header = ("sample", "truth", "scores" if scored else "prediction")
        first = Table("The smallest data", header, small_data.written(self.y_true, self.y_other))
        changed = small_data.written(self.changed_true, self.changed_other)
        said = Sentence(f"{metric}  before {before}, after {after}")
        return repr(
            Board(f"{metric}: {self.name}", (first, Table("Changed", header, changed), said))
        )


def smallest_change(
    metric: MetricFunction, name: str, *, max_samples: int = 2, max_labels: int = 3
) -> Change | None:
    """The smallest data on which a change of the data changes the metric's value.

    Smallest means fewest cells, then fewest samples, then first in lexicographic order of truth and
    prediction, row by row. The two values differ by more than 1e-14, or exactly one of them is nan.
    Sizes that the metric refuses are left out. All predictions are tried, or all orders of the scores
    that the metric compares, ties included. A search of some seconds shows its progress.

    Parameters
    ----------
    metric : public metric function, or ``functools.partial`` of it
        With its options bound.
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
        If the metric is not in the catalogue, lacks an option, has an option bound under which it
        returns several values or needs certain samples, or reads data that cannot be changed in this
        way; if there is no transformation of that name; if a size is no whole number of 1 or more, or
        takes too much memory.

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
    inputs.one_of(name, tuple(TRANSFORMATIONS), "name")
    if not TRANSFORMATIONS[name].applies(metric):
        reads = {"y_pred": "label sets", "y_score": "scores", "y_prob": "probabilities"}
        own, changes = catalogue.of(metric).reads, TRANSFORMATIONS[name].reads
        raise ValueError(
            f"name is {name!r}, which changes {reads[changes[0]]}, and {catalogue.describe(metric)} reads"
            f" {reads[own]}: choose another one"
        )
    return _smallest(metric, name, (max_samples, max_labels))


def _smallest(metric: MetricFunction, name: str, *bounds: tuple[int, int]) -> Change | None:
    for truth, others, (before,) in small_data.every((metric,), *bounds):
        y_true = np.broadcast_to(truth, others.shape)
        ways = list(TRANSFORMATIONS[name].ways(y_true, others))
        if not ways:  # one sample has no other order
            continue
        changed = (np.concatenate(matrices) for matrices in zip(*ways, strict=True))
        after = small_data.values(metric, *changed).reshape(-1, len(before))
        differ = _differ(before, after)
        if differ.any():
            one = int(differ.any(axis=0).argmax())
            way = int(differ[:, one].argmax())
            old, new = ([m[one].tolist() for m in world] for world in ((y_true, others), ways[way]))
            values = float(before[one]), float(after[way, one])
            return Change(metric, name, old[0], old[1], new[0], new[1], values)
    return None


def _differ(before: Values, after: Values) -> NDArray[np.bool_]:
    """Where two values are not the same; nan is the same as nan."""
    return ~(np.abs(before - after) <= SMALLEST) & ~(np.isnan(before) & np.isnan(after))


# ---------------------------------------------------------------------------- all at once


class Reason(NamedTuple):
    """Why a change keeps the value, and the metrics to which that applies: what their records may hold.

    And which of the properties that a record reads off its formula must, or must not, hold.
    """

    why: str
    reads: str = "y_pred, y_score or y_prob"
    along: str = "sample, label or all"
    average: str = "None, macro, micro or weighted"
    has: str = ""
    lacks: str = ""

    def fits(self, metric: MetricFunction) -> bool:
        """Whether the reason applies to a metric."""
        record, chosen = catalogue.of(metric), catalogue.settings(metric)
        along, average = record.averaged_along(chosen), chosen.get("average")
        return (
            record.reads in self.reads
            and along in self.along
            and (str(average) in self.average or along == "sample")
            and (not self.has or getattr(record, self.has))
            and not (self.lacks and getattr(record, self.lacks))
        )


_COUNTS_NONE = "it adds cells rightly left out, and the formula counts none"
_UNWEIGHTED, _WHOLE = "None, macro or micro", "None or micro"
REASONS = {
    "swap truth and prediction": (
        Reason(
            "misses become false alarms, and the formula counts both alike",
            average=_UNWEIGHTED,
            has="errors_alike",
        ),
    ),
    "append an unused label": (
        Reason(_COUNTS_NONE, "y_pred", average=_WHOLE, lacks="reads_tn"),
        Reason(
            "it weighs nothing, as nobody has it",
            along="label",
            average="weighted",
            lacks="reads_tn",
        ),
        Reason("it stands below all others, and nothing above it moves", "y_score", average=_WHOLE),
        Reason(
            "a label without positives has no value, and is left out",
            "y_pred or y_score",
            average="macro",
        ),
    ),
    "append an empty sample": (
        Reason(_COUNTS_NONE, "y_pred", "label or all", lacks="reads_tn"),
        Reason("it stands below all positives, where nothing is counted", "y_score", "label"),
        Reason("it adds nothing, above the line or below", along="all"),
    ),
    "repeat every sample": (
        Reason("each value is there twice, and their mean stays", along="sample"),
        Reason(
            "all counts grow by one factor, above the line and below",
            "y_pred or y_score",
            "label or all",
        ),
        Reason("all sums grow by one factor, above the line and below", "y_prob"),
    ),
    "reorder labels": (
        Reason("no formula asks where a label stands in the table", lacks="asks_per_label"),
    ),
    "reorder samples": (Reason("no formula asks where a sample stands in the table"),),
    "rescale scores monotonically": (Reason("only the order of scores is read, and it stays"),),
    "shift a sample's scores": (
        Reason("only the order within a sample is read, and it stays", along="sample or all"),
    ),
    "flip all cells": (
        Reason(
            "right cells stay right, and wrong ones wrong",
            "y_pred",
            average=_UNWEIGHTED,
            has="right_alike",
        ),
        Reason(
            "positives and negatives change places, and the formula treats both alike",
            "y_pred",
            average=_UNWEIGHTED,
        ),
        Reason(
            "where the label is there, p becomes the 1 − p of where it is not, and back",
            "y_prob",
            has="parts",
        ),
        Reason(
            "each pair turns round twice: who is true, and who scores more",
            "y_score",
            average=_UNWEIGHTED,
        ),
    ),
}
"""Why each change can keep the value; `never` finds out whether it does."""


def never(metric: MetricFunction, name: str) -> str | None:
    """The reason why a change never changes a metric; None if it can, or if no reason is known.

    The reason is one of `REASONS` that fits what the metric reads and averages. It is returned only if the
    change keeps the value of every single row and every single column of up to three cells.

    Examples
    --------
    >>> from mlm_helpers import example_based
    >>> never(example_based.f1, "swap truth and prediction")
    'misses become false alarms, and the formula counts both alike'
    """
    why = next((reason.why for reason in REASONS[name] if reason.fits(metric)), None)
    least = next((n for n in range(1, 7) if small_data.takes(metric, 1, n)), None)
    if not (why and least and TRANSFORMATIONS[name].applies(metric)):
        return None
    return None if _smallest(metric, name, (1, max(3, least)), (3, 1)) else why


@dataclass(frozen=True)
class Outcome:
    """The effect of a change of the data on a metric.

    Attributes
    ----------
    applies : bool
        Whether the metric's data can be changed in this way.
    reason : str or None
        Why the value never changes.
    change : Change or None
        The smallest data on which it changes, within 2 samples × 3 labels or 3 × 2.
    """

    applies: bool = True
    reason: str | None = None
    change: Change | None = None

    @property
    def sign(self) -> str:
        """The number of cells of the smallest data; "=" for never, "?" if none were found, "–" if not applicable."""
        if self.change:
            return str(np.size(self.change.y_true))
        return ("=" if self.reason else "?") if self.applies else "–"


def all_changes(
    records: Iterable[catalogue.Metric] | None = None,
) -> dict[tuple[str, str], Outcome]:
    """The effect of every change on every metric, each average apart, with the default conventions.

    Keys are the name of a metric, as in `catalogue.variants`, and the name of a transformation.
    Without records, the metrics are those that the course teaches.
    """
    return deepcopy(_all_changes(tuple(catalogue.taught() if records is None else records)))


@functools.lru_cache(maxsize=8)
def _all_changes(records: tuple[catalogue.Metric, ...]) -> dict[tuple[str, str], Outcome]:
    found = product(catalogue.variants(records).items(), TRANSFORMATIONS)
    return {(name, how): _outcome(metric, how) for (name, metric), how in found}


def _outcome(metric: MetricFunction, name: str) -> Outcome:
    if not TRANSFORMATIONS[name].applies(metric):
        return Outcome(applies=False)
    reason = never(metric, name)
    return Outcome(True, reason, None if reason else _smallest(metric, name, (2, 3), (3, 2)))
