"""Who stands where in one long list: the samples of a label in the order of their scores.

A curve metric is read off the same two ranks as a ranking metric, here of a label's samples: an
`ordering.Order` has many short rows, a `Column` is one long list.
"""

from functools import partial
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mlm_helpers.blocks import blocks, parts
from mlm_helpers.counts import Parts
from mlm_helpers.inputs import FloatArray, ScoreMatrix, Weights
from mlm_helpers.ordering import Numbers, rank_of


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
        found = np.sort(found)
        hits = rank_of(ties, partial(_above, found, found))
        alarms = -rank_of(ties, partial(_above, found, found), 0)
        for rows in parts(score):
            ordered = np.sort(score[rows], axis=None)
            alarms += rank_of(ties, partial(_above, ordered, found), 0)
        return Column(np.ones(len(found), dtype=int), hits, alarms, score.size - len(found))
    own = np.broadcast_to(weight[:, None], score.shape)[positive]
    order = np.lexsort((-own, found))  # of tied ones the heaviest first: down to it, most are hits
    found, own = found[order], own[order]
    first = np.concatenate([[0.0], own[::-1].cumsum()])  # what the first so many weigh
    hits = rank_of(ties, lambda beats: first[_above(found, found, beats)], own)
    weighed = partial(_weigh, positive, score, weight, found)
    alarms = rank_of(ties, weighed, 0.0)
    return Column(own, hits, alarms[1:], alarms[0])


# ---------------------------------------------------------------------------- readings


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


# ---------------------------------------------------------------------------- the list


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
