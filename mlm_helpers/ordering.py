"""Who stands where: the labels of a sample in the order of their scores, and who wins a tie.

Every ranking metric is read off two ranks: a label's rank among all labels, and a relevant label's
rank among the relevant ones. Rank 1 is the highest score. A curve metric is read off the same two ranks
of a label's samples: `Order` has many short rows, `column` makes one long list.
"""

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mlm_helpers.blocks import blocks
from mlm_helpers.counts import Parts
from mlm_helpers.inputs import FloatArray, LabelMatrix, ScoreMatrix, Weights

Numbers: TypeAlias = NDArray[Any]


class Order:
    """The labels of some samples in order.

    Attributes
    ----------
    relevant : array of bool, shape (n_samples, n_labels)
    score : array, same shape
    ties : "worst", "best", "average", "first" or "last"
    """

    def __init__(self, relevant: NDArray[np.bool_], score: ScoreMatrix, ties: str) -> None:
        """Put ties in order where index decides; all else is worked out when it is asked for."""
        by_index = ties in ("first", "last")
        self.relevant = np.ascontiguousarray(relevant)
        self.score = np.ascontiguousarray(_places(score, ties) if by_index else score)
        self.ties = ties

    @cached_property
    def n_relevant(self) -> Numbers:
        """How many labels of each sample are relevant."""
        return _count(self.relevant)

    @property
    def n_irrelevant(self) -> Numbers:
        """How many are not."""
        return np.asarray(self.score.shape[1] - self.n_relevant)

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
        return _rank(self.ties, lambda beats: _bisect(ordered, sample, score, beats))

    @cached_property
    def among(self) -> Numbers:
        """Rank of each relevant label among the relevant ones, who stand as they do among all."""
        sample, _ = self._cells
        key = sample * self.rank.max(initial=1) + self.rank  # in order of sample, then of rank
        ordered, first = np.sort(key), np.searchsorted(sample, sample)

        def count(beats: np.ufunc) -> Numbers:
            side: Literal["left", "right"] = "left" if beats is np.greater else "right"
            return np.asarray(np.searchsorted(ordered, key, side) - first)

        return _rank(self.ties, count)

    @property
    def deepest(self) -> Numbers:
        """The largest rank of a relevant label; of no meaning where there is none."""
        sample, score = self._cells
        if "rank" in self.__dict__:  # sorted already
            # Of another type, `at` is slow.
            deepest = np.zeros(len(self.score), dtype=self.rank.dtype)
            np.maximum.at(deepest, sample, self.rank)
            return deepest
        lowest = np.full(len(self.score), score.max(initial=0), dtype=score.dtype)
        np.minimum.at(lowest, sample, score)
        return _rank(self.ties, lambda beats: _count(beats(self.score, lowest[:, None])))

    def sum(self, values: Numbers) -> FloatArray:
        """Add up, sample by sample, what each relevant label has."""
        sums = np.bincount(self._cells[0], weights=values, minlength=len(self.score))
        return sums.astype(float, copy=False)


class Column(NamedTuple):
    """Who stands where in one long list; for each positive in it, the lowest first.

    Attributes
    ----------
    own : what it weighs, 1 without weights
    hits : the weight of the positives down to it, which is its rank among them
    alarms : the weight of the negatives down to it
    negatives : the weight of all negatives
    """

    own: Numbers
    hits: Numbers
    alarms: Numbers
    negatives: Any


def column(
    positive: NDArray[np.bool_], score: ScoreMatrix, ties: str, weight: Weights = None
) -> Column:
    """Put all cells of a matrix into one list: of one label, or of all of them row by row.

    A weight says how much a sample counts, not how many are tied: each rank holds all of one's own.
    """
    if weight is not None:
        positive = positive & (weight > 0)[:, None]  # what weighs nothing is not there
    if ties in ("first", "last"):
        positive, score, weight = _in_line(positive, score, ties, weight)
    found = score[positive]
    if weight is None:  # all there is to do is sorting, which is fast
        found, ordered = np.sort(found), np.sort(score, axis=None)
        hits = _rank(ties, lambda beats: _above(found, found, beats))
        rank = _rank(ties, lambda beats: _above(ordered, found, beats))
        return Column(np.ones(len(found), dtype=int), hits, rank - hits, score.size - len(found))
    own = np.broadcast_to(weight[:, None], score.shape)[positive]
    order = np.lexsort((-own, found))  # of tied ones the heaviest first: down to it, most are hits
    found, own = found[order], own[order]
    first = np.concatenate([[0.0], own[::-1].cumsum()])  # what the first so many weigh
    hits = _rank(ties, lambda beats: first[_above(found, found, beats)], own)
    weighed = partial(_weigh, positive, score, weight, found)
    alarms = _rank(ties, weighed, 0.0)
    return Column(own, hits, alarms[1:], alarms[0])


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


def precision_down(column: Column, interpolation: str | int | None) -> Parts:
    """The share of positives down to each positive; their mean, or one of the interpolated ones."""
    precision = column.hits / (column.hits + column.alarms)
    if interpolation is None or not precision.size:
        return (column.own * precision).sum(), column.own.sum()
    best = np.maximum.accumulate(precision)  # at this recall or beyond
    if interpolation == "all":
        return (column.own * best).sum(), column.own.sum()
    reached = column.own[::-1].cumsum()
    levels = np.arange(interpolation) / (int(interpolation) - 1)
    at = np.searchsorted(reached / reached[-1], levels - 1e-12)  # weights add up but for rounding
    return best[::-1][at].sum(), np.asarray(interpolation)


def pairs_won(column: Column) -> Parts:
    """The negatives below each positive, of all such pairs."""
    below = column.own * (column.negatives - column.alarms)
    return below.sum(), (column.own * column.negatives).sum()


def read(
    readings: Sequence[Callable[[Order], Parts]],
    truth: LabelMatrix,
    score: ScoreMatrix,
    ties: str,
) -> FloatArray:
    """Part and whole of each reading for each sample, shape (n_readings, 2, n_samples)."""
    parts = np.empty((len(readings), 2, len(score)))
    for rows in blocks(score):
        order = Order(truth[rows].astype(bool), score[rows], ties)
        for kept, reading in zip(parts, readings, strict=True):
            kept[:, rows] = reading(order)
    return parts


def ranks(score: ScoreMatrix, ties: str) -> FloatArray:
    """The rank of every label, shape (n_samples, n_labels)."""
    out = np.empty(score.shape)
    for rows in blocks(score):
        everything = np.ones(score[rows].shape, dtype=bool)
        out[rows] = Order(everything, score[rows], ties).rank.reshape(everything.shape)
    return out


# ---------------------------------------------------------------------------- the only ordering


def _rank(ties: str, count: Callable[[np.ufunc], Numbers], own: Any = 1) -> Numbers:
    """Ranks, from how much has a greater score, or a greater or equal one, and from one's own weight."""
    if ties == "best":
        return np.asarray(count(np.greater) + own)
    if ties == "average":
        return np.asarray((count(np.greater) + own + count(np.greater_equal)) / 2)
    return count(np.greater_equal)


def _places(score: ScoreMatrix, ties: str) -> NDArray[np.intp]:
    """Places from the bottom up instead of scores: the same order, tied labels by their index."""
    if ties == "first":
        return _places(score[:, ::-1], "last")[:, ::-1]
    order = np.argsort(score, axis=1, kind="stable")
    places = np.empty_like(order)
    np.put_along_axis(places, order, np.arange(score.shape[1])[None, :], axis=1)
    return places


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


def _in_line(
    positive: NDArray[np.bool_], score: ScoreMatrix, ties: str, weight: Weights
) -> tuple[NDArray[np.bool_], ScoreMatrix, Weights]:
    """Cells in one column from the bottom up, with places instead of scores: tied ones by their index."""
    ahead = slice(None, None, -1 if ties == "first" else 1)
    order = np.argsort(score[ahead, ahead], axis=None, kind="stable")
    if weight is not None:
        weight = weight[ahead][order // score.shape[1]]
    positive = positive[ahead, ahead].ravel()[order][:, None]
    return positive, np.arange(len(order))[:, None], weight


def _above(ordered: Numbers, found: Numbers, beats: np.ufunc) -> NDArray[np.intp]:
    """How many of a sorted list beat each of those found."""
    side: Literal["left", "right"] = "right" if beats is np.greater else "left"
    return len(ordered) - np.searchsorted(ordered, found, side)


def _weigh(
    positive: NDArray[np.bool_],
    score: ScoreMatrix,
    weight: FloatArray,
    found: Numbers,
    beats: np.ufunc,
) -> FloatArray:
    """How much all negatives weigh, then how much those that beat each of the sorted ones found."""
    side: Literal["left", "right"] = "left" if beats is np.greater else "right"
    sums = np.zeros(len(found) + 1)
    for rows in blocks(score):
        order = np.argsort(score[rows], axis=None)  # looked up in order, they are found faster
        beaten = np.searchsorted(found, score[rows].ravel()[order], side)
        cells = np.where(positive[rows], 0.0, weight[rows, None])
        sums += np.bincount(beaten, cells.ravel()[order], len(sums))
    return sums[::-1].cumsum()[::-1]
