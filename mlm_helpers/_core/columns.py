"""Ranks in one list: the samples of a label in the order of their scores.

A curve metric is read off the same two ranks as a ranking metric, here of a label's samples: an
`ordering.Order` has many short rows, a `Column` is one long list.
"""

from functools import partial
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mlm_helpers._core.blocks import parts
from mlm_helpers._core.counts import Parts
from mlm_helpers._core.inputs import Data, FloatArray, Interpolation, Ties
from mlm_helpers._core.ordering import Numbers, rank_of


class Column(NamedTuple):
    """The ranks in one list, for each positive, the lowest score first.

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


def column(data: Data, ties: Ties) -> Column:
    """The cells of matrices as one list, row by row: of one label or of all.

    A weight says how much a sample counts, not how many are tied: each rank holds all of one's own.
    """
    if data.known is not None:
        data = _known(data, data.known)
    if ties in ("first", "last"):
        data = _in_line(data, ties)
    score, positive = data.other, data.truth != 0
    if data.weight is None:  # all there is to do is sorting, which is fast
        found = np.sort(score[positive])
        hits = rank_of(ties, partial(_above, found, found))
        alarms = -rank_of(ties, partial(_above, found, found), 0)
        for rows in parts(score):
            ordered = np.sort(score[rows], axis=None)
            alarms += rank_of(ties, partial(_above, ordered, found), 0)
        return Column(np.ones(len(found), dtype=int), hits, alarms, score.size - len(found))
    positive &= data.cells > 0  # what weighs nothing is not there
    found, own = score[positive], data.cells[positive]
    order = np.lexsort((-own, found))  # of tied ones the heaviest first: down to it, most are hits
    found, own = found[order], own[order]
    first = np.concatenate([[0.0], own[::-1].cumsum()])  # what the first so many weigh
    hits = rank_of(ties, lambda beats: first[_above(found, found, beats)], own)
    alarms = rank_of(ties, partial(_weigh, data, found), 0.0)
    return Column(own, hits, alarms[1:], alarms[0])


# ---------------------------------------------------------------------------- readings


def precision_down(column: Column, interpolation: Interpolation) -> Parts:
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
    """Pairs of a positive and a negative below it, and all pairs of a positive and a negative."""
    won = (column.own * (column.negatives - column.alarms)).sum()
    return won, float(column.own.sum()) * column.negatives


# ---------------------------------------------------------------------------- the list


def _known(data: Data, known: NDArray[np.bool_]) -> Data:
    """The known cells in one column, row by row."""
    weight = None if data.weight is None else data.cells[known]
    return Data(data.truth[known][:, None], data.other[known][:, None], weight)


def _in_line(data: Data, ties: Ties) -> Data:
    """Cells in one column from the bottom up, with places instead of scores: tied ones by their index."""
    ahead = slice(None, None, -1 if ties == "first" else 1)
    order = np.argsort(data.other[ahead, ahead], axis=None, kind="stable")
    weight = None if data.weight is None else data.weight[ahead][order // data.shape[1]]
    positive = (data.truth[ahead, ahead] != 0).ravel()[order][:, None]
    return Data(positive, np.arange(len(order))[:, None], weight)


def _above(ordered: Numbers, found: Numbers, beats: np.ufunc) -> NDArray[np.intp]:
    """How many of a sorted list beat each of those found."""
    side: Literal["left", "right"] = "right" if beats is np.greater else "left"
    return len(ordered) - np.searchsorted(ordered, found, side)


def _weigh(data: Data, found: Numbers, beats: np.ufunc) -> FloatArray:
    """Total weight of the negatives, then that of the negatives that beat each of the sorted positives."""
    side: Literal["left", "right"] = "left" if beats is np.greater else "right"
    sums = np.zeros(len(found) + 1)
    for rows in data.blocks():
        score = data.other[rows].ravel()
        order = np.argsort(score)  # looked up in order, they are found faster
        beaten = np.searchsorted(found, score[order], side)
        cells = np.where(data.truth[rows] != 0, 0.0, data.cells[rows])
        sums += np.bincount(beaten, cells.ravel()[order], len(sums))
    return sums[::-1].cumsum()[::-1]
