"""Ranks of the labels of a sample, by their scores and a rule for ties.

Every ranking metric is read off two ranks: a label's rank among all labels, and a relevant label's
rank among the relevant ones. Rank 1 is the highest score. A top-k metric is read off the first k
places alone; of sparse scores, too, where a label without a score has no place. The samples of a
label stand in `columns`.
"""

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mlm_helpers._core import inputs
from mlm_helpers._core.blocks import blocks
from mlm_helpers._core.counts import Parts, divided, summary
from mlm_helpers._core.inputs import Data, FloatArray, ScoreMatrix, Ties

Numbers: TypeAlias = NDArray[Any]
Worth: TypeAlias = FloatArray | None
"""What it is worth to find each label; 1 where it is not given."""


class Order:
    """The labels of some samples in order.

    Attributes
    ----------
    relevant : array of bool, shape (n_samples, n_labels)
    score : array, same shape
        The scores; where index decides, places instead, of which no two are tied.
    ties : "worst", "best", "average", "first" or "last"
    """

    def __init__(self, data: Data, ties: Ties) -> None:
        """Keep what is given; all else is worked out when it is asked for."""
        score = data.other if data.known is None else _known_first(data.other, data.known)
        self.relevant = np.ascontiguousarray(data.truth, dtype=bool)
        self._given = np.ascontiguousarray(score)
        self.ties, self._n_labels = ties, data.n_known

    @cached_property
    def score(self) -> ScoreMatrix:
        """What is compared."""
        by_index = self.ties in ("first", "last")
        return np.ascontiguousarray(_places(self._given, self.ties)) if by_index else self._given

    @cached_property
    def n_relevant(self) -> Numbers:
        """How many labels of each sample are relevant."""
        return _count(self.relevant)

    def first(self, k: int, worth: Worth = None) -> "First":
        """The labels that can be among the first k; a relevant one gains what it is worth."""
        score, (n_samples, n_labels) = self._given, self._given.shape
        inputs.k(k, n_labels)
        edge = np.partition(score, n_labels - k, axis=1)[:, n_labels - k, None]
        cells = np.flatnonzero(score >= edge)
        gain = _gain(self.relevant.ravel()[cells], cells % n_labels, worth)
        return First(k, self.ties, cells // n_labels, score.ravel()[cells], gain, n_samples)

    def best(self, k: int, worth: FloatArray) -> "First":
        """The first k, in the order that gains most."""
        sample, label = np.divmod(np.flatnonzero(self.relevant), self.relevant.shape[1])
        return First(k, "first", sample, worth[label], worth[label], len(self.relevant))

    @property
    def n_irrelevant(self) -> Numbers:
        """How many are not."""
        return np.asarray(self._n_labels - self.n_relevant)

    @cached_property
    def _cells(self) -> tuple[NDArray[np.intp], ScoreMatrix]:
        """Sample and score of each relevant label, sample by sample."""
        cells = np.flatnonzero(self.relevant)
        return cells // self.score.shape[1], self.score.ravel()[cells]

    @cached_property
    def rank(self) -> Numbers:
        """Rank of each relevant label among all labels of its sample, sample by sample."""
        sample, score = self._cells
        ordered = np.sort(self.score, axis=1)
        return rank_of(self.ties, lambda beats: _bisect(ordered, sample, score, beats))

    @cached_property
    def among(self) -> Numbers:
        """Rank of each relevant label among the relevant ones, who stand as they do among all."""
        sample, _ = self._cells
        key = sample * self.rank.max(initial=1) + self.rank  # in order of sample, then of rank
        ordered, first = np.sort(key), np.searchsorted(sample, sample)

        def count(beats: np.ufunc) -> Numbers:
            side: Literal["left", "right"] = "left" if beats is np.greater else "right"
            return np.asarray(np.searchsorted(ordered, key, side) - first)

        return rank_of(self.ties, count)

    @property
    def deepest(self) -> Numbers:
        """The largest rank of a relevant label; of no meaning where there is none."""
        sample, score = self._cells
        lowest = np.full(len(self.score), score.max(initial=0), dtype=score.dtype)
        np.minimum.at(lowest, sample, score)
        return rank_of(self.ties, lambda beats: _count(beats(self.score, lowest[:, None])))

    def sum(self, values: Numbers) -> FloatArray:
        """Add up, sample by sample, what each relevant label has."""
        sums = np.bincount(self._cells[0], weights=values, minlength=len(self.score))
        return sums.astype(float, copy=False)


class Stored:
    """What top-k metrics ask of an `Order`, of samples in CSR arrays: only what is stored has a score."""

    def __init__(self, data: Data, ties: Ties) -> None:
        self.truth: Any = data.truth
        self.score: Any = data.other
        self.ties = ties

    @property
    def n_relevant(self) -> Numbers:
        """How many labels of each sample are relevant."""
        return np.diff(self.truth.indptr)

    def first(self, k: int, worth: Worth = None) -> "First":
        """The labels that can be among the first k; a relevant one gains what it is worth."""
        n_samples, n_labels = self.score.shape
        inputs.k(k, n_labels)
        sample, label = _stored(self.score)
        scored, relevant = (s * n_labels + j for s, j in ((sample, label), _stored(self.truth)))
        gain = _gain(np.isin(scored, relevant, assume_unique=True), label, worth)
        return First(k, self.ties, sample, self.score.data, gain, n_samples)

    def best(self, k: int, worth: FloatArray) -> "First":
        """The first k, in the order that gains most."""
        sample, label = _stored(self.truth)
        return First(k, "first", sample, worth[label], worth[label], self.score.shape[0])


class First:
    """The labels that can be among the first k of their samples, from the top down; and who wins a tie.

    Over all orders of tied labels, the least and the greatest sum is that of the order by what they
    gain, and the mean is that of each having an equal share of their places.
    """

    def __init__(
        self, k: int, ties: Ties, sample: Numbers, score: Numbers, gain: Numbers, n_samples: int
    ) -> None:
        """Sort labels that come in order of their samples, and in each of their index."""
        index = np.arange(len(sample))
        wins = {"worst": -gain, "best": gain, "first": -index, "last": index}.get(ties)
        keys = (score, sample) if wins is None else (wins, score, sample)
        down = np.lexsort(keys)[::-1]  # the last sample first, but each from the top
        self.k, self.n_samples = k, n_samples
        self.sample, self.gain, score = sample[down], gain[down], score[down]
        later = len(index) - np.cumsum(np.bincount(sample, minlength=n_samples))
        self.place = index - later[self.sample]
        self.begins = np.ones(len(index), dtype=bool)  # each alone, or those of one score together
        if wins is None:
            self.begins[1:] = (self.sample[1:] != self.sample[:-1]) | (score[1:] != score[:-1])

    def hits(self) -> FloatArray:
        """What the labels in the first k places gain, sample by sample."""
        tied = np.cumsum(self.begins) - 1
        gain, inside, all_ = (np.bincount(tied, w) for w in (self.gain, self.place < self.k, None))
        return self._sums(self.sample[self.begins], gain * inside / all_)

    def sum(self, discount: FloatArray) -> FloatArray:
        """The same, each place less by its discount."""
        tied = np.cumsum(self.begins) - 1
        gain = (np.bincount(tied, self.gain) / np.bincount(tied))[tied]
        inside = self.place < self.k
        return self._sums(self.sample[inside], gain[inside] * discount[self.place[inside]])

    def _sums(self, sample: Numbers, values: Numbers) -> FloatArray:
        return np.bincount(sample, values, self.n_samples).astype(float, copy=False)


# ---------------------------------------------------------------------------- readings


def coverage(order: Order, start: int) -> Parts:
    """The depth of the lowest relevant label."""
    return order.deepest - 1 + start, order.n_relevant > 0


def one_error(order: Order) -> Parts:
    """The irrelevant share of the labels at the top; under "worst" and "best" if any or all are."""
    top = order.score == order.score.max(axis=1, keepdims=True)
    share = _count(top & ~order.relevant) / _count(top)
    error = {"worst": np.ceil, "best": np.floor}.get(order.ties, np.asarray)(share)
    return error, order.n_relevant > 0


def ranking_loss(order: Order) -> Parts:
    """The irrelevant labels above each relevant one, of all such pairs."""
    return order.sum(order.rank - order.among), order.n_relevant * order.n_irrelevant


def average_precision(order: Order) -> Parts:
    """The share of relevant labels down to each relevant one; their mean."""
    return order.sum(order.among / order.rank), order.n_relevant


def precision_at(order: Order | Stored, k: int) -> Parts:
    """Number of relevant labels among the first k, and k."""
    hits = order.first(k).hits()
    return hits, np.full_like(hits, k)


def recall_at(order: Order | Stored, k: int) -> Parts:
    """Number of relevant labels among the first k, and number of relevant labels."""
    return order.first(k).hits(), order.n_relevant


def ndcg_at(order: Order | Stored, k: int) -> Parts:
    """Discounted relevant labels among the first k, of what the best order has."""
    found, discount = order.first(k), discounts(k)
    best = np.append(0, np.cumsum(discount))
    return found.sum(discount), best[np.minimum(order.n_relevant, k)]


def discounts(k: int) -> FloatArray:
    """What a hit counts at each of the first k places."""
    return 1 / np.log2(np.arange(2, k + 2))


def _gain_at(
    order: Order | Stored,
    k: int,
    inverse_propensities: FloatArray,
    normalize: bool = True,
    *,
    places: Callable[[int], FloatArray],
) -> Parts:
    """What the relevant labels among the first k are worth at their places, of the most there can be."""
    gain = order.first(k, inverse_propensities).sum(places(k))
    if normalize:
        return gain, order.best(k, inverse_propensities).sum(places(k))
    return gain, np.full_like(gain, places(k).sum())


propensity_scored_precision_at = partial(_gain_at, places=np.ones)
propensity_scored_ndcg_at = partial(_gain_at, places=discounts)


def read(readings: Sequence[Callable[[Any], Parts]], data: Data, ties: Ties) -> FloatArray:
    """Part and whole of each reading for each sample, shape (n_readings, 2, n_samples).

    Both are nan where nothing of a sample is known.
    """
    parts = np.empty((len(readings), 2, data.shape[0]))
    for rows in data.blocks():
        order = (Stored if data.is_sparse else Order)(data.rows(rows), ties)
        for kept, reading in zip(parts, readings, strict=True):
            kept[:, rows] = reading(order)
    if data.known is not None:
        parts[..., ~data.known.any(axis=1)] = np.nan
    return parts


def mean_over_samples(
    reading: Callable[[Any], Parts], data: Data, ties: Ties, undefined: float, per_sample: bool
) -> float | FloatArray:
    """The mean over samples of a value read off each sample's ranks: every ranking and top-k metric."""
    inputs.one_of(ties, inputs.TIES, "ties")
    inputs.undefined(undefined)
    ((part, whole),) = read([reading], data, ties)
    return summary(divided(part, whole, undefined), data.weight, per_sample)


def ranks(score: ScoreMatrix, ties: Ties) -> FloatArray:
    """The rank of every label, shape (n_samples, n_labels)."""
    out = np.empty(score.shape)
    for rows in blocks(score):
        everything = np.ones(score[rows].shape, dtype=bool)
        out[rows] = Order(Data(everything, score[rows]), ties).rank.reshape(everything.shape)
    return out


# ---------------------------------------------------------------------------- the only ordering


def rank_of(ties: Ties, count: Callable[[np.ufunc], Numbers], own: Any = 1) -> Numbers:
    """Ranks, from how much has a greater score, or a greater or equal one, and from one's own weight."""
    if ties == "best":
        return np.asarray(count(np.greater) + own)
    if ties == "average":
        return np.asarray((count(np.greater) + own + count(np.greater_equal)) / 2)
    return count(np.greater_equal)


def _known_first(score: ScoreMatrix, known: NDArray[np.bool_]) -> ScoreMatrix:
    """Scores, each unknown label below all known ones: none is relevant, so nobody asks for its rank."""
    kind = score.dtype if score.dtype.kind == "f" else float
    return np.where(known, score.astype(kind, copy=False), -np.inf)


def _places(score: ScoreMatrix, ties: Ties) -> NDArray[np.intp]:
    """Places from the bottom up instead of scores: the same order, tied labels by their index."""
    if ties == "first":
        return _places(score[:, ::-1], "last")[:, ::-1]
    order = np.argsort(score, axis=1, kind="stable")
    places = np.empty_like(order)
    np.put_along_axis(places, order, np.arange(score.shape[1])[None, :], axis=1)
    return places


def _gain(relevant: NDArray[np.bool_], label: Numbers, worth: Worth) -> Numbers:
    """What each of some labels gains: nothing, or what it is worth."""
    return relevant.view(np.int8) if worth is None else relevant * worth[label]


def _stored(matrix: Any) -> tuple[Numbers, Numbers]:
    """Row and column of what a CSR array stores, row by row."""
    return np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr)), matrix.indices


def _count(cells: NDArray[np.bool_]) -> NDArray[np.intp]:
    """How many cells of each row are true."""
    return np.asarray(np.einsum("ij->i", cells.view(np.uint8), dtype=np.intp))


def _bisect(
    ordered: ScoreMatrix, row: NDArray[np.intp], score: ScoreMatrix, beats: np.ufunc
) -> NDArray[np.intp]:
    """How many of a row beat each score: bisection of sorted rows, for all scores at once."""
    n_labels = ordered.shape[1]
    flat, after = ordered.ravel(), (row + 1) * n_labels
    count = np.zeros_like(row)
    for bit in reversed(range(n_labels.bit_length())):
        more = count + (1 << bit)
        beaten = beats(flat[after - np.minimum(more, n_labels)], score) & (more <= n_labels)
        count += beaten * (1 << bit)
    return count
