"""Ranks in one list: the samples of a label in the order of their scores.

A curve metric is read off the same two ranks as a ranking metric, here of a label's samples:
`ordering.RankedRows` has many short rows, a `Column` is one long list.
"""

from functools import partial
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mlm_helpers._core.blocks import large_row_blocks
from mlm_helpers._core.counts import Parts
from mlm_helpers._core.inputs import Data, FloatArray, Interpolation, Ties
from mlm_helpers._core.ordering import Numbers, rank_under_ties


class RankedPositives(NamedTuple):
    """Ranks of the positives in one list, the lowest score first.

    Attributes
    ----------
    weight : the weight of each positive, 1 without weights
    tp : the weight of the positives down to it, which is its rank among them
    fp : the weight of the negatives down to it
    n_negatives : the weight of all negatives
    """

    weight: Numbers
    tp: Numbers
    fp: Numbers
    n_negatives: Any


def rank_positives(data: Data, ties: Ties) -> RankedPositives:
    """The cells of matrices as one list, row by row: of one label or of all.

    Weights scale how much a sample counts; they do not act as ties: the whole weight of an item is in its rank.
    """
    if data.known is not None:
        weight = None if data.weight is None else data.cell_weights[data.known]
        truth, other = (matrix[data.known][:, None] for matrix in (data.truth, data.prediction))
        data = Data(truth, other, weight)
    if ties in ("first", "last"):
        data = break_ties_by_index(data, ties)
    positive = data.truth != 0
    if data.weight is None:
        return _unweighted(np.sort(data.prediction[positive]), data.prediction, ties)
    positive &= data.cell_weights > 0  # a sample of weight 0 is left out
    score, weight = data.prediction[positive], data.cell_weights[positive]
    order = np.lexsort((-weight, score))  # tied ones: the heaviest first, so most are hits
    score, weight = score[order], weight[order]
    weight_of_top = np.concatenate([[0.0], weight[::-1].cumsum()])
    hits = rank_under_ties(ties, lambda beats: weight_of_top[_n_above(score, score, beats)], weight)
    alarms = rank_under_ties(ties, partial(_negatives_above, data, score), 0.0)
    return RankedPositives(weight, hits, alarms[1:], alarms[0])


def _unweighted(score: Numbers, every_score: NDArray[Any], ties: Ties) -> RankedPositives:
    """The column of positives in ascending order among all scores, by sorting alone, which is fast."""
    hits = rank_under_ties(ties, partial(_n_above, score, score))
    alarms = -rank_under_ties(ties, partial(_n_above, score, score), 0)
    for rows in large_row_blocks(every_score):
        ordered = np.sort(every_score[rows], axis=None)
        alarms += rank_under_ties(ties, partial(_n_above, ordered, score), 0)
    return RankedPositives(
        np.ones(len(score), dtype=int), hits, alarms, every_score.size - len(score)
    )


# ---------------------------------------------------------------------------- readings


def average_precision(column: RankedPositives, interpolation: Interpolation) -> Parts:
    """The share of positives down to each positive; their mean, or one of the interpolated ones."""
    precision = column.tp / (column.tp + column.fp)
    if interpolation is None or not precision.size:
        return (column.weight * precision).sum(), column.weight.sum()
    best = np.maximum.accumulate(precision)  # at this recall or beyond
    if interpolation == "all":
        return (column.weight * best).sum(), column.weight.sum()
    reached = column.weight[::-1].cumsum()
    levels = np.arange(interpolation) / (int(interpolation) - 1)
    at = np.searchsorted(reached / reached[-1], levels - 1e-12)  # weights add up but for rounding
    at[-1] = len(reached) - 1  # the last positive alone reaches 1, however little it weighs
    return best[::-1][at].sum(), np.asarray(interpolation)


def concordant_pairs(column: RankedPositives) -> Parts:
    """Pairs of a positive and a negative below it, and all pairs of a positive and a negative."""
    weight = column.weight.astype(float)  # products of whole numbers could overflow
    won = weight * (column.n_negatives - column.fp)
    return won.sum(), (weight * column.n_negatives).sum()


# ---------------------------------------------------------------------------- the list


def break_ties_by_index(data: Data, ties: Ties) -> Data:
    """Cells in one column from the bottom up, with positions in place of scores: tied ones by their index."""
    ahead = slice(None, None, -1 if ties == "first" else 1)
    order = np.argsort(data.prediction[ahead, ahead], axis=None, kind="stable")
    weight = None if data.weight is None else data.weight[ahead][order // data.shape[1]]
    positive = (data.truth[ahead, ahead] != 0).ravel()[order][:, None]
    return Data(positive, np.arange(len(order))[:, None], weight)


def _n_above(ordered: Numbers, score: Numbers, beats: np.ufunc) -> NDArray[np.intp]:
    """How many of a sorted list beat each score."""
    side: Literal["left", "right"] = "right" if beats is np.greater else "left"
    return len(ordered) - np.searchsorted(ordered, score, side)


def _negatives_above(data: Data, score: Numbers, beats: np.ufunc) -> FloatArray:
    """Total weight of the negatives, then that of the negatives that beat each of the sorted positives."""
    side: Literal["left", "right"] = "left" if beats is np.greater else "right"
    sums = np.zeros(len(score) + 1)
    for rows in data.row_blocks():
        other = data.prediction[rows].ravel()
        order = np.argsort(other)  # looked up in order, they are found faster
        beaten = np.searchsorted(score, other[order], side)
        cells = np.where(data.truth[rows] != 0, 0.0, data.cell_weights[rows])
        sums += np.bincount(beaten, cells.ravel()[order], len(sums))
    return sums[::-1].cumsum()[::-1]
