"""Sums for the curve metrics: positives and negatives of each label with scores between given cuts.

The order of the samples within a bin is lost. So of a curve metric two things are known: its value on
scores that are rounded down to their bins, and how far any order within the bins can move it.
"""

import math
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mlm_helpers import catalogue, curves
from mlm_helpers._core import counts, inputs
from mlm_helpers._core.counts import Parts
from mlm_helpers._core.inputs import Average, Data
from mlm_helpers._core.inputs.kinds import is_number

Ways: TypeAlias = tuple[Parts, Parts, Parts]
"""Part and whole of a value, of its lower bound and of its upper bound: one of each for each label."""


class Bins(NamedTuple):
    """Counts between cuts.

    Attributes
    ----------
    cuts : tuple of float
        In growing order; a score of exactly a cut lies above it.
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
    """The value of a metric on binned scores, and the bounds of its value on the scores themselves."""

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
    data = data.dense()
    truth, score = data.truth, data.other
    weight = None if data.weight is None and data.known is None else data.cells
    n_labels, n_bins = data.shape[1], len(cuts) + 1
    sums = np.zeros(2 * n_labels * n_bins, dtype=np.intp if data.weight is None else float)
    first, compared = np.arange(n_labels) * n_bins, inputs.as_compared(cuts, score)
    for rows in data.blocks():
        cells = np.searchsorted(compared, score[rows], side="right") + first
        cells += (truth[rows] == 0) * (n_labels * n_bins)
        weights = None if weight is None else weight[rows].ravel()
        sums += np.bincount(cells.ravel(), weights, len(sums)).astype(sums.dtype, copy=False)
    return Bins(cuts, *sums.reshape(2, n_labels, n_bins))


def _precision(own: Any, hits: Any, alarms: Any, above: Any) -> Ways:
    """Three average precisions: a bin's scores tied, its negatives first, its positives first."""
    value, high = (own * counts.divided(hits, hits + a, 0.0) for a in (alarms, above))
    # With the negatives first: the sum of x / (x + alarms) over the ranks x of the bin's positives,
    # which is no less than this integral.
    is_whole = own.dtype.kind in "iu"
    lowest = hits - own + (0.5 if is_whole else 0.0)
    low = own - alarms * np.log1p(counts.divided(own, lowest + alarms, 0.0))
    low = np.where((own == 1) & is_whole, value, low)
    whole = own.sum(axis=1)
    return (value.sum(axis=1), whole), (low.sum(axis=1), whole), (high.sum(axis=1), whole)


def _pairs(own: Any, hits: Any, alarms: Any, above: Any) -> Ways:
    """Three AUROCs: the pairs within a bin half won, all lost, all won."""
    negatives = alarms[:, :1]
    whole = (own * negatives).sum(axis=1)
    half, low, high = (
        (own * (negatives - beaten)).sum(axis=1) for beaten in ((alarms + above) / 2, alarms, above)
    )
    return (half, whole), (low, whole), (high, whole)


BOUNDED: dict[Callable[..., Any], Callable[..., Ways]] = {
    curves.average_precision: _precision,
    curves.roc_auc: _pairs,
}
"""The metrics that bins bound, and how each is read.

Of each label and bin, the lowest first: its own positives; the positives and the negatives in it and
above it; and the negatives above it.
"""


def bounds(bins: Bins, undefined: float | None) -> dict[str, Bound]:
    """Each curve metric under each average, by name."""
    found = {}
    for metric, ways in BOUNDED.items():
        worth = catalogue.of(metric).defaults["undefined"] if undefined is None else undefined
        for average in inputs.AVERAGES[:-1]:
            name = catalogue.describe(partial(metric, average=average))
            found[name] = _bound(ways, bins, average, worth)
    return found


def _bound(ways: Callable[..., Ways], bins: Bins, average: Average, undefined: float) -> Bound:
    own, other = bins[1:]
    if average == "micro":
        own, other = (each.sum(axis=0, keepdims=True) for each in (own, other))
    hits, alarms = (each[:, ::-1].cumsum(axis=1)[:, ::-1] for each in (own, other))
    above = np.pad(alarms[:, 1:], ((0, 0), (0, 1)))
    values = (
        counts.divided(np.asarray(part, float), np.asarray(whole, float), undefined)
        for part, whole in ways(own, hits, alarms, above)
    )
    support, nothing_known = own.sum(axis=1), (own + other).sum(axis=1) == 0
    return Bound(
        *(
            float(counts.averaged(np.where(nothing_known, math.nan, each), support, average))
            for each in values
        )
    )
