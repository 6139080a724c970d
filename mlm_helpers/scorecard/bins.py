"""What adds up of the curves: how many positives and negatives of each label score between given cuts.

Where in its bin a sample stands is not kept. So what is known of a curve metric is its value on scores
that are cut down to their bins, and how far any order within the bins can be from it.
"""

import math
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mlm_helpers import catalogue, columns, counts, inputs
from mlm_helpers.columns import Column
from mlm_helpers.counts import Parts
from mlm_helpers.inputs import Average, Data
from mlm_helpers.inputs.kinds import is_number

Ways: TypeAlias = tuple[Parts, Parts, Parts]
"""Part and whole of a value, of the least that it can be and of the most."""


class Bins(NamedTuple):
    """Counts between cuts.

    Attributes
    ----------
    cuts : tuple of float
        In growing order; who scores exactly a cut is above it.
    positives, negatives : arrays of shape (n_labels, n_cuts + 1)
        How many of each label are in each bin, the lowest first: whole numbers unless weighted.
    """

    cuts: tuple[float, ...]
    positives: NDArray[Any]
    negatives: NDArray[Any]

    def plus(self, other: "Bins") -> "Bins":
        """The counts of both, which have the same cuts."""
        return Bins(self.cuts, self.positives + other.positives, self.negatives + other.negatives)


class Bound(NamedTuple):
    """The value of a metric on binned scores, and between what its value on the scores lies."""

    value: float
    low: float
    high: float


def checked_cuts(cuts: Any) -> tuple[float, ...]:
    """Read cuts: at least one finite number, in growing order."""
    given = cuts.tolist() if isinstance(cuts, np.ndarray) else cuts
    remedy = "give a list of numbers in growing order"
    if not isinstance(given, (list, tuple)):
        raise TypeError(f"cuts is {inputs.shown(cuts)}: {remedy}")
    if not given:
        raise ValueError(f"cuts is empty: {remedy}")
    for i, cut in enumerate(given):
        if not (is_number(cut) and math.isfinite(cut) and (i == 0 or cut > given[i - 1])):
            raise ValueError(f"cuts holds {inputs.shown(cut)} at position {i}: {remedy}")
    return tuple(map(float, given))


def of_scores(data: Data, cuts: tuple[float, ...]) -> Bins:
    """Count each label's positives and negatives in each bin."""
    truth, score, weight = data.truth, data.other, data.weight
    n_labels, n_bins = data.shape[1], len(cuts) + 1
    sums = np.zeros(2 * n_labels * n_bins, dtype=np.intp if weight is None else float)
    first = np.arange(n_labels) * n_bins
    for rows in data.blocks():
        cells = np.searchsorted(cuts, score[rows], side="right") + first
        cells += (truth[rows] == 0) * (n_labels * n_bins)
        weights = None if weight is None else np.repeat(weight[rows], n_labels)
        sums += np.bincount(cells.ravel(), weights, len(sums)).astype(sums.dtype, copy=False)
    positives, negatives = sums.reshape(2, n_labels, n_bins)
    return Bins(cuts, positives, negatives)


def _precision(column: Column, above: NDArray[Any]) -> Ways:
    """Each bin as a tie; with its negatives first; with its positives first, tied with one another."""
    value, most = (
        columns.precision_down(column._replace(alarms=alarms), None)
        for alarms in (column.alarms, above)
    )
    own, hits, alarms, _ = column
    is_whole = own.dtype.kind in "iu"
    # The sum of x / (x + alarms) over the ranks x of its positives is no less than this integral.
    lowest = hits - own + (0.5 if is_whole else 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        least = own - np.where(alarms > 0, alarms * np.log1p(own / (lowest + alarms)), 0.0)
    alone = is_whole & (own == 1)
    least = np.where(alone, hits / (hits + alarms), least)
    return value, (least.sum(), own.sum()), most


def _pairs(column: Column, above: NDArray[Any]) -> Ways:
    """The same of pairs: those within a bin are half won, lost or won."""
    half, least, most = (
        columns.pairs_won(column._replace(alarms=alarms))
        for alarms in ((column.alarms + above) / 2, column.alarms, above)
    )
    return half, least, most


READINGS: dict[str, Callable[[Column, NDArray[Any]], Ways]] = {
    "curves.average_precision": _precision,
    "curves.roc_auc": _pairs,
}
"""For each metric that bins bound, by the id of its record, how it is read off a column of bins.

Beside what stands down to each bin, its own included, it is given the negatives above it.
"""


def bounds(bins: Bins, undefined: float | None) -> dict[str, Bound]:
    """Of each curve metric under each average, by name."""
    found = {}
    for record in catalogue.METRICS:
        if record.id in READINGS:
            worth = record.defaults["undefined"] if undefined is None else undefined
            for average in inputs.AVERAGES[:-1]:
                name = catalogue.describe(partial(record.function, average=average))
                found[name] = _bound(READINGS[record.id], bins, average, worth)
    return found


def _bound(
    reading: Callable[[Column, NDArray[Any]], Ways],
    bins: Bins,
    average: Average,
    undefined: float,
) -> Bound:
    counted = bins[1:]
    if average == "micro":
        counted = tuple(each.sum(axis=0, keepdims=True) for each in counted)
    ways = [reading(*_column(*one)) for one in zip(*counted, strict=True)]
    support = counted[0].sum(axis=1)
    part, whole = np.array(ways, dtype=float).transpose(2, 1, 0)
    values = counts.divided(part, whole, undefined)
    return Bound(*(float(counts.averaged(each, support, average)) for each in values))


def _column(positives: NDArray[Any], negatives: NDArray[Any]) -> tuple[Column, NDArray[Any]]:
    """The bins that hold positives, and the negatives above each."""
    hits, alarms = (each[::-1].cumsum()[::-1] for each in (positives, negatives))
    above, some = np.append(alarms[1:], 0), positives > 0
    return Column(positives[some], hits[some], alarms[some], alarms[0]), above[some]
