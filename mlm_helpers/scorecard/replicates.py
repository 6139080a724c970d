"""Replicates of a scorecard: its sums and counts on resampled data, for standard errors and intervals.

A bootstrap draws each row 0, 1, 2, … times: once on average and, of many rows, nearly Poisson with
mean 1. So each row gets a weight from that distribution in each replicate. The weight depends on the
seed, the replicate and the row's number alone, never on a batch or a machine: therefore replicates
add up as the scorecard itself does.

References
----------
Chamandy et al., "Estimating uncertainty for massive data streams", 2012; and Salmon et al.,
"Parallel random numbers: as easy as 1, 2, 3", 2011.
"""

import math
from bisect import bisect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mlm_helpers._core import blocks, counts, inputs
from mlm_helpers._core.counts import Counts
from mlm_helpers._core.inputs import Data, FloatArray, Weights
from mlm_helpers.scorecard.sums import Sum, Values, plus
from mlm_helpers.uncertainty import Interval, around

Rows: TypeAlias = tuple[tuple[int, int], ...]
LARGEST_SEED, LAST_ROW = 2**64 - 1, 2**53


class Replicates(NamedTuple):
    """The sums and counts of each replicate.

    Attributes
    ----------
    seed : int
    rows : tuple of pairs of int
        The rows that were read, as ranges ``(first, end)`` in growing order; neighbours are joined.
    sums : array of shape (n_metrics, 2, n_replicates)
        Total and weight of each metric, in the order of the card's sums.
    confusion : Counts, or None
        Arrays of shape (n_replicates, n_labels), of whole numbers unless samples were weighted.
    """

    seed: int
    rows: Rows
    sums: FloatArray
    confusion: Counts | None

    @property
    def number(self) -> int:
        """The number of replicates."""
        return int(self.sums.shape[2])

    def each(self, sums: Mapping[str, Sum]) -> Iterator[tuple[dict[str, Sum], Counts | None]]:
        """The sums and counts of each replicate, named as those of the scorecard."""
        for r in range(self.number):
            pairs = zip(sums.items(), self.sums[:, :, r].tolist(), strict=True)
            named = {name: Sum(pair[0], pair[1], kept.undefined) for (name, kept), pair in pairs}
            yield named, self.confusion and Counts(*(column[r] for column in self.confusion))

    def plus(self, other: "Replicates") -> "Replicates":
        """The replicates of both, which have the same seed and number, and no row in common."""
        rows, confusion = joined(self.rows, other.rows), plus(self.confusion, other.confusion)
        return Replicates(self.seed, rows, self.sums + other.sums, confusion)


def joined(one: Rows, other: Rows) -> Rows:
    """Ranges of rows in growing order, neighbours made one; a row in both is refused.

    Only the ranges beside the fewer ones are looked at, so that adding up many batches stays fast.
    """
    few, many = sorted((one, other), key=len)
    start, stop = max(bisect(many, few[0]) - 1, 0), bisect(many, few[-1]) + 1
    found: list[tuple[int, int]] = []
    for first, end in sorted((*many[start:stop], *few)):
        if found and first < found[-1][1]:
            raise ValueError(
                f"row {first} is in both scorecards, so their replicates do not add up:"
                " give as first_row of each batch the number of its first row in the whole"
            )
        if found and first == found[-1][1]:
            first, _ = found.pop()
        found.append((first, end))
    return (*many[:start], *found, *many[stop:])


# ---------------------------------------------------------------------------- drawing


def poisson_weights(
    n_rows: int, n_replicates: int, *, seed: int = 0, first_row: int = 0
) -> NDArray[np.uint8]:
    """How often each row is drawn in each replicate: independent numbers, Poisson with mean 1.

    Row i of replicate r reads word i mod 4 of Philox4x64-10 under the key (seed, r) at the counter
    ⌊i/4⌋ + 1, a whole number u below 2**64. Its weight is the number of k with u/2**64 ≥ P(X ≤ k).
    That is arithmetic of whole numbers, the same everywhere. Bad input raises a ValueError.

    Parameters
    ----------
    n_rows, n_replicates : int
    seed : int
        From 0 to 2**64 - 1.
    first_row : int
        The number of the first of the rows.

    Returns
    -------
    array of shape (n_replicates, n_rows)

    References
    ----------
    "Parallel random numbers: as easy as 1, 2, 3": Philox.

    Examples
    --------
    >>> poisson_weights(6, 2)
    array([[0, 0, 0, 1, 1, 0],
           [2, 2, 1, 1, 1, 0]], dtype=uint8)
    >>> poisson_weights(3, 2, first_row=3)
    array([[1, 1, 0],
           [1, 1, 0]], dtype=uint8)
    """
    inputs.whole(n_rows, "n_rows", 0, LAST_ROW)
    checked(n_replicates, seed, first_row, "n_replicates")
    return next(_draws(n_replicates, seed, first_row, [n_rows]))


def checked(
    number: Any, seed: Any, first_row: Any, name: str = "replicates"
) -> tuple[int, int, int]:
    """Read the number of replicates, their seed, and the number of the first row."""
    return (
        inputs.whole(number, name, 0),
        inputs.whole(seed, "seed", 0, LARGEST_SEED),
        inputs.whole(first_row, "first_row", 0, LAST_ROW),
    )


def _draws(
    number: int, seed: int, first_row: int, sizes: Iterable[int]
) -> Iterator[NDArray[np.uint8]]:
    """Weights of runs of rows, one run after another, of these sizes."""
    at, skipped = divmod(first_row, 4)
    keys = np.empty((number, 2), dtype=np.uint64)
    keys[:, 0], keys[:, 1] = seed, np.arange(number)
    streams = [np.random.Philox(key=key, counter=at) for key in keys]
    for stream in streams:
        stream.random_raw(skipped)
    for size in sizes:
        words = np.empty((number, size), dtype=np.uint64)
        for row, stream in zip(words, streams, strict=True):
            row[:] = stream.random_raw(size)
        yield _poisson(words)


_CHANCES = [Fraction(1, math.factorial(k)) for k in range(40)]
_STEPS = [np.uint64(math.ceil(2**64 * sum(_CHANCES[: k + 1]) / sum(_CHANCES))) for k in range(20)]
"""The least words u with u/2**64 ≥ P(X ≤ k), for k = 0, 1, …: no word reaches the 21st."""


def _poisson(words: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """Words of 64 bits as draws from a Poisson distribution with mean 1."""
    found = np.zeros(words.shape, dtype=np.uint8)
    for step in _STEPS:
        reached = words >= step
        if not reached.any():
            break
        found += reached
    return found


# ---------------------------------------------------------------------------- reading a batch


def of_batch(
    values: Sequence[Values],
    weight: Weights,
    sets: Data | None,
    drawn: tuple[int, int, int],
) -> Replicates:
    """Add up what samples add, and the counts of each label, in each replicate.

    Blocks of rows keep the memory small: a block's weights are as many as the cells of any other
    block, or as the counts that are kept.
    """
    number, seed, first_row = drawn
    n_rows, n_labels = len(values[0].part), sets.shape[1] if sets else 1
    step = min(max(blocks.CELLS // number, n_labels), 2**19)  # sums that single precision holds
    firsts = range(0, n_rows, step)
    sums = np.zeros((len(values), 2, number))
    counted = np.zeros((4, number, n_labels), dtype=np.intp if weight is None else float)
    sizes = (min(step, n_rows - first) for first in firsts)
    for first, times in zip(firsts, _draws(number, seed, first_row, sizes), strict=True):
        rows = slice(first, first + step)
        weights: Any = times.astype(np.float32) if weight is None else times * weight[rows]
        with np.errstate(invalid="ignore"):  # as in counts: no product of finite numbers is
            sums += _sums(values, rows, weights.astype(float, copy=False))
        if sets:
            found = counts.count(sets.weighing(None).rows(rows).weighing(weights), axis=0)
            counted += np.array(found).astype(counted.dtype, copy=False)
    confusion = Counts(*counted) if sets else None
    return Replicates(seed, ((first_row, first_row + n_rows),), sums, confusion)


def _sums(values: Sequence[Values], rows: slice, weights: FloatArray) -> FloatArray:
    """Both sums of each metric in each replicate, added up in one order."""
    everything = weights @ np.ones(weights.shape[1])
    sums = np.empty((len(values), 2, len(weights)))
    for (total, whole), each in zip(sums, values, strict=True):
        counted = each.whole[rows]
        total[:] = weights @ each.part[rows]
        are_all = counted.dtype == bool and counted.all()
        whole[:] = everything if are_all else weights @ counted.astype(float)
    return sums


# ---------------------------------------------------------------------------- intervals


def interval(value: float, replicated: FloatArray, level: float) -> Interval:
    """Percentiles and standard deviation of the replicates that have a value."""
    inputs.level(level)
    return around(value, replicated, lambda _: ((1 - level) / 2, (1 + level) / 2))
