"""Who stands where: the labels of a sample in the order of their scores, and who wins a tie.

Every ranking metric is read off two ranks: a label's rank among all labels, and a relevant label's
rank among the relevant ones. Rank 1 is the highest score.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mlm_helpers.blocks import blocks
from mlm_helpers.counts import Parts
from mlm_helpers.inputs import FloatArray, LabelMatrix, ScoreMatrix

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
        return self._rank(lambda beats: _bisect(ordered, sample, score, beats))

    @cached_property
    def among(self) -> Numbers:
        """Rank of each relevant label among the relevant ones, who stand as they do among all."""
        sample, _ = self._cells
        key = sample * self.rank.max(initial=1) + self.rank  # in order of sample, then of rank
        ordered, first = np.sort(key), np.searchsorted(sample, sample)

        def count(beats: np.ufunc) -> Numbers:
            side: Literal["left", "right"] = "left" if beats is np.greater else "right"
            return np.asarray(np.searchsorted(ordered, key, side) - first)

        return self._rank(count)

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
        return self._rank(lambda beats: _count(beats(self.score, lowest[:, None])))

    def sum(self, values: Numbers) -> FloatArray:
        """Add up, sample by sample, what each relevant label has."""
        sums = np.bincount(self._cells[0], weights=values, minlength=len(self.score))
        return sums.astype(float, copy=False)

    def _rank(self, count: Callable[[np.ufunc], Numbers]) -> Numbers:
        """Ranks, from a count of the labels whose score is greater, or greater or equal."""
        if self.ties == "best":
            return count(np.greater) + 1
        if self.ties == "average":
            return (count(np.greater) + 1 + count(np.greater_equal)) / 2
        return count(np.greater_equal)


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
