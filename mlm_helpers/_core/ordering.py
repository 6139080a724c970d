"""Ranks of the labels of a sample, by their scores and a rule for ties.

Every ranking metric is read off two ranks: a label's rank among all labels, and a relevant label's
rank among the relevant ones. Rank 1 is the highest score. A top-k metric is read off the first k
places alone; of sparse scores, too, where a label without a score has no place. The samples of a
label stand in `columns`.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mlm_helpers._core import inputs
from mlm_helpers._core.blocks import row_blocks
from mlm_helpers._core.counts import Parts, mean_or_values, safe_divide
from mlm_helpers._core.inputs import Data, FloatArray, ScoreMatrix, Ties

Numbers: TypeAlias = NDArray[Any]


class RankedRows:
    """The labels of some samples in the order of their scores; all ranks are computed lazily."""

    def __init__(self, data: Data, ties: Ties) -> None:
        score = data.prediction
        if data.known is not None:  # unknown labels stand below: none is relevant or read
            score = np.where(data.known, score, -np.inf)
        self.relevant = np.ascontiguousarray(data.truth, dtype=bool)
        self._score = np.ascontiguousarray(score)
        self.ties, self.shape, self.n_known = ties, data.shape, data.n_known
        self.n_relevant = _count(self.relevant)

    @cached_property
    def score(self) -> ScoreMatrix:
        """The scores, or the positions that replace them where ties are broken by index."""
        if self.ties in ("first", "last"):
            return np.ascontiguousarray(_positions(self._score, self.ties))
        return self._score

    def candidates(self, k: int) -> tuple[Numbers, Numbers, ScoreMatrix, NDArray[np.bool_]]:
        """Sample, label, score and relevance of all that can be among the first k, sample by sample."""
        score, n_labels = self._score, self.shape[1]
        edge = np.partition(score, n_labels - k, axis=1)[:, n_labels - k, None]
        cells = np.flatnonzero(score >= edge)
        sample, label = cells // n_labels, cells % n_labels
        return sample, label, score.ravel()[cells], self.relevant.ravel()[cells]

    @cached_property
    def _relevant_scores(self) -> tuple[NDArray[np.intp], ScoreMatrix]:
        """Sample and score of each relevant label, sample by sample."""
        cells = np.flatnonzero(self.relevant)
        return cells // self.shape[1], self.score.ravel()[cells]

    @cached_property
    def rank(self) -> Numbers:
        """Rank of each relevant label among all labels of its sample, sample by sample."""
        sample, score = self._relevant_scores
        ordered = np.sort(self.score, axis=1)
        return rank_under_ties(self.ties, lambda beats: _bisect(ordered, sample, score, beats))

    @cached_property
    def rank_among_relevant(self) -> Numbers:
        """Rank of each relevant label among the relevant ones, who stand as they do among all."""
        sample, _ = self._relevant_scores
        key = sample * self.rank.max(initial=1) + self.rank  # in order of sample, then of rank
        ordered, start = np.sort(key), np.searchsorted(sample, sample)

        def n_above(beats: np.ufunc) -> Numbers:
            side: Literal["left", "right"] = "left" if beats is np.greater else "right"
            return np.asarray(np.searchsorted(ordered, key, side) - start)

        return rank_under_ties(self.ties, n_above)

    @property
    def largest_rank(self) -> Numbers:
        """The largest rank of a relevant label; of no meaning where there is none."""
        sample, score = self._relevant_scores
        lowest = np.full(self.shape[0], score.max(initial=0), dtype=score.dtype)
        np.minimum.at(lowest, sample, score)
        return rank_under_ties(self.ties, lambda beats: _count(beats(self.score, lowest[:, None])))

    def sum_per_sample(self, values: Numbers) -> FloatArray:
        """The sum over each sample's relevant labels, from a value for each relevant label."""
        sums = np.bincount(self._relevant_scores[0], weights=values, minlength=self.shape[0])
        return sums.astype(float, copy=False)


class SparseRows:
    """Samples in CSR arrays, for top-k metrics: only labels that are stored have a score."""

    def __init__(self, data: Data, ties: Ties) -> None:
        self.relevant: Any = data.truth
        self.score: Any = data.prediction
        self.ties, self.shape = ties, data.shape

    @property
    def n_relevant(self) -> Numbers:
        """Number of relevant labels per sample."""
        return np.diff(self.relevant.indptr)

    def candidates(self, k: int) -> tuple[Numbers, Numbers, ScoreMatrix, NDArray[np.bool_]]:
        """Sample, label, score and relevance of all labels that have a score, sample by sample."""
        sample, label = _cells(self.score)
        pairs = (sample, label), _cells(self.relevant)
        cells, relevant = (row * self.shape[1] + column for row, column in pairs)
        return sample, label, self.score.data, np.isin(cells, relevant, assume_unique=True)


Rows: TypeAlias = RankedRows | SparseRows


class TopK:
    """The labels that can be among the first k of their samples, from the top down, with their gains.

    Over all orders of tied labels, the least and the greatest sum of gains is that of the tied labels in
    the order of their gains, and the mean is that of each having an equal share of their places.
    """

    def __init__(
        self, n_samples: int, ties: Ties, sample: Numbers, score: Numbers, gain: Numbers
    ) -> None:
        """Sort labels that come in order of their samples, and in each of their index."""
        index = np.arange(len(sample))
        among_tied = {"worst": -gain, "best": gain, "first": -index, "last": index}.get(ties)
        keys = (score, sample) if among_tied is None else (among_tied, score, sample)
        order = np.lexsort(keys)[::-1]  # the last sample first; its labels from the top
        score, self.sample, self.gain = score[order], sample[order], gain[order]
        self.n_samples = n_samples
        n_in_later_samples = len(index) - np.cumsum(np.bincount(sample, minlength=n_samples))
        self.place = index - n_in_later_samples[self.sample]
        self.starts = np.ones(len(index), dtype=bool)  # of groups: tied labels, or a label alone
        if among_tied is None:
            self.starts[1:] = (self.sample[1:] != self.sample[:-1]) | (score[1:] != score[:-1])
        self.group = np.cumsum(self.starts) - 1

    def hits(self, k: Any) -> FloatArray:
        """The gain of the first k places, per sample; k may differ by sample."""
        inside = self.place < (k[self.sample] if np.ndim(k) else k)
        gain, n_inside, n_tied = (
            np.bincount(self.group, weights) for weights in (self.gain, inside, None)
        )
        return self._sums(self.sample[self.starts], gain * n_inside / n_tied)

    def sum(self, discount: FloatArray) -> FloatArray:
        """The discounted gain of the first places, per sample; as many as there are discounts."""
        gain = (np.bincount(self.group, self.gain) / np.bincount(self.group))[self.group]
        inside = self.place < len(discount)
        return self._sums(self.sample[inside], gain[inside] * discount[self.place[inside]])

    def _sums(self, sample: Numbers, values: Numbers) -> FloatArray:
        return np.bincount(sample, values, self.n_samples).astype(float, copy=False)


def select_top_k(rows: Rows, k: int, gains: FloatArray | None = None) -> TopK:
    """The labels that can be among the first k; a relevant one counts its gain, or 1."""
    inputs.read_k(k, rows.shape[1])
    sample, label, score, relevant = rows.candidates(k)
    gain = relevant.astype(np.int8) if gains is None else relevant * gains[label]
    return TopK(rows.shape[0], rows.ties, sample, score, gain)


# ---------------------------------------------------------------------------- readings


def coverage(rows: RankedRows, start: int) -> Parts:
    """The largest rank of a relevant label, counted from ``start``."""
    return rows.largest_rank - 1 + start, rows.n_relevant > 0


def one_error(rows: RankedRows) -> Parts:
    """The irrelevant share of the labels at the top; under "worst" and "best" if any or all are."""
    top = rows.score == rows.score.max(axis=1, keepdims=True)
    share = _count(top & ~rows.relevant) / _count(top)
    error = {"worst": np.ceil, "best": np.floor}.get(rows.ties, np.asarray)(share)
    return error, rows.n_relevant > 0


def ranking_loss(rows: RankedRows) -> Parts:
    """The irrelevant labels above each relevant one, of all such pairs."""
    n_irrelevant = rows.n_known - rows.n_relevant
    return rows.sum_per_sample(rows.rank - rows.rank_among_relevant), rows.n_relevant * n_irrelevant


def average_precision(rows: RankedRows) -> Parts:
    """The share of relevant labels down to each relevant one; their mean."""
    return rows.sum_per_sample(rows.rank_among_relevant / rows.rank), rows.n_relevant


def precision_at(rows: Rows, k: int) -> Parts:
    """Number of relevant labels among the first k, and k."""
    hits = select_top_k(rows, k).hits(k)
    return hits, np.full_like(hits, k)


def recall_at(rows: Rows, k: int) -> Parts:
    """Number of relevant labels among the first k, and number of relevant labels."""
    return select_top_k(rows, k).hits(k), rows.n_relevant


def r_precision(rows: Rows) -> Parts:
    """Number of relevant labels among as many labels as are relevant, and number of relevant labels."""
    n_relevant = rows.n_relevant
    return select_top_k(rows, int(n_relevant.max(initial=1))).hits(n_relevant), n_relevant


def r_precision_at(rows: Rows, k: int) -> Parts:
    """Number of relevant labels among the first k, and the most that k places can hold."""
    return select_top_k(rows, k).hits(k), np.minimum(rows.n_relevant, k)


def ndcg_at(rows: Rows, k: int) -> Parts:
    """Discounted relevant labels among the first k, of what the best order has."""
    discount = discounts(k)
    most = np.append(0, np.cumsum(discount))
    return select_top_k(rows, k).sum(discount), most[np.minimum(rows.n_relevant, k)]


def discounts(k: int) -> FloatArray:
    """What a hit counts at each of the first k places."""
    return 1 / np.log2(np.arange(2, k + 2))


def propensity_scored_precision_at(
    rows: Rows, k: int, inverse_propensities: FloatArray, normalize: bool = True
) -> Parts:
    """The gain of the relevant labels among the first k, and the most that k labels can gain."""
    return _gain(rows, inverse_propensities, normalize, np.ones(k))


def propensity_scored_ndcg_at(
    rows: Rows, k: int, inverse_propensities: FloatArray, normalize: bool = True
) -> Parts:
    """The same of gains that are discounted by their places."""
    return _gain(rows, inverse_propensities, normalize, discounts(k))


def _gain(rows: Rows, gains: FloatArray, normalize: bool, discount: FloatArray) -> Parts:
    reached = select_top_k(rows, len(discount), gains).sum(discount)
    if not normalize:
        return reached, np.full_like(reached, discount.sum())
    sample, label = _cells(rows.relevant)
    best = TopK(rows.shape[0], "first", sample, gains[label], gains[label])
    return reached, best.sum(discount)


def parts_per_sample(
    readings: Sequence[Callable[[Any], Parts]], data: Data, ties: Ties
) -> FloatArray:
    """Part and whole of each reading for each sample, shape (n_readings, 2, n_samples); nan if unknown."""
    parts = np.empty((len(readings), 2, data.shape[0]))
    for block in data.row_blocks():
        rows = (SparseRows if data.is_sparse else RankedRows)(data.select_samples(block), ties)
        for of_reading, reading in zip(parts, readings, strict=True):
            of_reading[:, block] = reading(rows)
    if data.known is not None:
        parts[..., ~data.known.any(axis=1)] = np.nan
    return parts


def mean_over_rankings(
    reading: Callable[[Any], Parts], data: Data, ties: Ties, undefined: float, per_sample: bool
) -> float | FloatArray:
    """The mean over samples of a value read off each sample's ranks: every ranking and top-k metric."""
    inputs.check_options(ties=ties, undefined=undefined)
    ((part, whole),) = parts_per_sample([reading], data, ties)
    return mean_or_values(safe_divide(part, whole, undefined), data.weight, per_sample)


def ranks(score: ScoreMatrix, ties: Ties) -> FloatArray:
    """The rank of every label, shape (n_samples, n_labels)."""
    out = np.empty(score.shape)
    for rows in row_blocks(score):
        everything = np.ones(score[rows].shape, dtype=bool)
        out[rows] = RankedRows(Data(everything, score[rows]), ties).rank.reshape(everything.shape)
    return out


# ---------------------------------------------------------------------------- ranks


def rank_under_ties(ties: Ties, n_above: Callable[[np.ufunc], Numbers], own: Any = 1) -> Numbers:
    """Rank under a tie rule, from how many items (or how much weight) score higher, or at least as high.

    ``n_above`` counts with ``np.greater`` or ``np.greater_equal``; ``own`` is what an item itself counts.
    """
    if ties == "best":
        return np.asarray(n_above(np.greater) + own)
    if ties == "average":
        return np.asarray((n_above(np.greater) + own + n_above(np.greater_equal)) / 2)
    return n_above(np.greater_equal)


def _positions(score: ScoreMatrix, ties: Ties) -> NDArray[np.intp]:
    """Positions from the bottom up in place of scores: the same order, tied labels by their index."""
    if ties == "first":
        return _positions(score[:, ::-1], "last")[:, ::-1]
    order = np.argsort(score, axis=1, kind="stable")
    positions = np.empty_like(order)
    np.put_along_axis(positions, order, np.arange(score.shape[1])[None, :], axis=1)
    return positions


def _cells(matrix: Any) -> tuple[Numbers, Numbers]:
    """Row and column of what a CSR array stores, or of what is not 0 in an array, row by row."""
    if isinstance(matrix, np.ndarray):
        return np.divmod(np.flatnonzero(matrix), matrix.shape[1])
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
