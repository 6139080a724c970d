"""Replicates of a scorecard: what it would hold of resampled data, so that it knows how sure it is.

In a bootstrap each row is drawn so and so many times: 1 on average, and of many rows nearly as a
Poisson distribution with mean 1 says. So each row gets a weight from that distribution, one for each
replicate. It depends on the seed, the replicate and the row's number alone, never on a batch or a
machine: therefore replicates add up as the card itself does.

References
----------
Chamandy et al., "Estimating uncertainty for massive data streams", 2012; and Salmon et al.,
"Parallel random numbers: as easy as 1, 2, 3", 2011.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mlm_helpers import blocks, counts, inputs
from mlm_helpers.counts import Counts
from mlm_helpers.inputs import Data, FloatArray, Weights
from mlm_helpers.scorecard.sums import Sum
from mlm_helpers.uncertainty import Interval

Rows: TypeAlias = tuple[tuple[int, int], ...]
LARGEST_SEED, LAST_ROW = 2**64 - 1, 2**53


class Replicates(NamedTuple):
    """What adds up of each replicate.

    Attributes
    ----------
    seed : int
    rows : tuple of pairs of int
        The numbers of the rows that were read, from the first to before the second of each pair: in
        growing order, and no longer than there are gaps.
    sums : array of shape (n_metrics, 2, n_replicates)
        Total and weight of each metric that has a value per sample, in the order of the card's sums.
    confusion : Counts, or None
        Arrays of shape (n_replicates, n_labels), of whole numbers unless samples were weighted.
    """

    seed: int
    rows: Rows
    sums: FloatArray
    confusion: Counts | None

    @property
    def number(self) -> int:
        """How many there are."""
        return int(self.sums.shape[2])

    def of(self, change: Callable[[NDArray[Any]], NDArray[Any]]) -> "Replicates":
        """The same with each array changed."""
        counted = self.confusion and Counts(*map(change, self.confusion))
        return Replicates(self.seed, self.rows, change(self.sums), counted)

    def cards(self, sums: Mapping[str, Sum]) -> Iterator[dict[str, Any]]:
        """What each puts in the place of a card's sums and counts."""
        for r in range(self.number):
            totals = zip(sums.items(), self.sums[:, :, r].tolist(), strict=True)
            yield {
                "sums": {
                    name: Sum(pair[0], pair[1], kept.undefined) for (name, kept), pair in totals
                },
                "confusion": self.confusion and Counts(*(each[r] for each in self.confusion)),
            }

    def plus(self, other: "Replicates") -> "Replicates":
        """Those of both, which have the same seed and number, and no row in common."""
        confusion = None
        if self.confusion is not None and other.confusion is not None:
            confusion = Counts(*map(np.add, self.confusion, other.confusion))
        rows = joined(self.rows, other.rows)
        return Replicates(self.seed, rows, self.sums + other.sums, confusion)


def joined(*ranges: Iterable[tuple[int, int]]) -> Rows:
    """Ranges of rows in growing order, neighbours made one; none may be there twice."""
    found: list[tuple[int, int]] = []
    for first, end in sorted(pair for each in ranges for pair in each):
        if found and first < found[-1][1]:
            raise ValueError(
                f"row {first} is in both scorecards, so their replicates do not add up:"
                " give as first_row of each batch the number of its first row in the whole"
            )
        if found and first == found[-1][1]:
            first, _ = found.pop()
        found.append((first, end))
    return tuple(found)


# ---------------------------------------------------------------------------- drawing


def poisson_weights(
    n_rows: int, n_replicates: int, *, seed: int = 0, first_row: int = 0
) -> NDArray[np.uint8]:
    """How often each row is drawn in each replicate: independent numbers, Poisson with mean 1.

    Row i of replicate r reads word i mod 4 of Philox4x64-10 under the key (seed, r) at the counter
    ⌊i/4⌋ + 1, a whole number u below 2**64, and weighs as much as there are k with u/2**64 ≥ P(X ≤ k).
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
    """Read how many replicates are asked for, of which seed, from which row on."""
    return (
        inputs.whole(number, name, 0),
        inputs.whole(seed, "seed", 0, LARGEST_SEED),
        inputs.whole(first_row, "first_row", 0, LAST_ROW),
    )


def _draws(
    number: int, seed: int, first_row: int, sizes: Iterable[int]
) -> Iterator[NDArray[np.uint8]]:
    """Weights of so many rows, and of so many after them, and so on."""
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


def _steps() -> list[np.uint64]:
    """The least words that reach the chance of at most 0, of at most 1, and so on: the 21st is none."""
    chances = [Fraction(1, math.factorial(k)) for k in range(40)]
    reached = (sum(chances[: k + 1]) / sum(chances) for k in range(20))
    return [np.uint64(math.ceil(2**64 * chance)) for chance in reached]


_STEPS = _steps()


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
    values: Sequence[FloatArray],
    weight: Weights,
    sets: Data | None,
    number: int,
    seed: int,
    first_row: int,
) -> Replicates:
    """Add up, in each replicate, values per sample and the counts of each label.

    In blocks of rows: the weights of a block are as many as the cells of any other block, or as the
    counts that are kept.
    """
    n_rows, n_labels = len(values[0]), sets.shape[1] if sets else 1
    step = min(max(blocks.CELLS // number, n_labels), 2**19)  # sums that single precision holds
    firsts = range(0, n_rows, step)
    sums = np.zeros((len(values), 2, number))
    counted = np.zeros((4, number, n_labels), dtype=np.intp if weight is None else float)
    sizes = (min(step, n_rows - first) for first in firsts)
    for first, drawn in zip(firsts, _draws(number, seed, first_row, sizes), strict=True):
        rows = slice(first, first + step)
        weights: Any = drawn.astype(np.float32) if weight is None else drawn * weight[rows]
        with np.errstate(invalid="ignore"):  # as in counts: no product of finite numbers is
            sums += _sums([each[rows] for each in values], weights.astype(float, copy=False))
        if sets:
            found = counts.count(sets.weighing(None).rows(rows).weighing(weights), axis=0)
            counted += np.array(found).astype(counted.dtype, copy=False)
    confusion = Counts(*counted) if sets else None
    return Replicates(seed, ((first_row, first_row + n_rows),), sums, confusion)


def _sums(values: Sequence[FloatArray], weights: FloatArray) -> FloatArray:
    """Total and weight of the values that are not nan, both added up in one order."""
    everything = weights @ np.ones(weights.shape[1])
    sums = np.empty((len(values), 2, len(weights)))
    for (total, whole), each in zip(sums, values, strict=True):
        kept = ~np.isnan(each)
        total[:] = weights @ np.where(kept, each, 0)
        whole[:] = everything if kept.all() else weights @ kept.astype(float)
    return sums


# ---------------------------------------------------------------------------- how sure


def interval(value: float, replicated: FloatArray, level: float) -> Interval:
    """Percentiles and standard deviation of the replicates that have a value."""
    inputs.level(level)
    known = replicated[~np.isnan(replicated)]
    error = float(known.std(ddof=1)) if len(known) > 1 else math.nan
    undefined = len(replicated) - len(known)
    if math.isnan(value) or not len(known):
        return Interval(value, math.nan, math.nan, error, undefined)
    low, high = np.quantile(known, [(1 - level) / 2, (1 + level) / 2])
    return Interval(value, float(low), float(high), error, undefined)
