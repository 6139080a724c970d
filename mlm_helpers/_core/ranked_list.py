"""Ranks in one list: the samples of a label in the order of their scores.

A curve metric is computed from the same two ranks as a ranking metric, but of the samples of a
label: `ordering.RankedRows` has many short rows, `RankedPositives` one long list. A positive is a
cell whose truth is 1, a negative one whose truth is 0.
"""

from functools import partial
from typing import Any, NamedTuple

import numpy as np

from mlm_helpers._core.blocks import large_row_blocks
from mlm_helpers._core.counts import Ratio
from mlm_helpers._core.inputs.data import Data, FloatArray
from mlm_helpers._core.inputs.options import Interpolation, Ties
from mlm_helpers._core.ordering import Numbers, n_higher, rank_under_ties


class RankedPositives(NamedTuple):
    """The positives of one list, the lowest score first. Without weights, every sample weighs 1."""

    weight: Numbers  #: of each positive
    #: Weight of the positives from the top of the list down to each positive: its rank among them.
    cumulative_tp: Numbers
    cumulative_fp: Numbers  #: weight of the negatives from the top down to each positive
    negative_weight: Any  #: of all negatives


def rank_positives(data: Data, ties: Ties) -> RankedPositives:
    """The positives among all cells of the matrices, which are read as one list, row by row.

    A sample of weight 2 counts twice, but not as two tied samples: under every tie rule a rank
    includes the whole weight of its own sample.
    """
    if data.known is not None:  # The known cells become one column.
        known_weight = None if data.weight is None else data.cell_weights[data.known]
        truth, prediction = (m[data.known][:, None] for m in (data.truth, data.prediction))
        data = Data(truth, prediction, known_weight)
    if ties in ("first", "last"):
        data = _untied_cells(data, ties)
    return _rank_unweighted(data, ties) if data.weight is None else _rank_weighted(data, ties)


def _rank_unweighted(data: Data, ties: Ties) -> RankedPositives:
    """The positives, ranked by sorting alone, which is fast.

    The number of negatives down to a positive is that of all cells less that of the positives.
    """
    score = np.sort(data.prediction[data.truth != 0])
    n_positives_above = partial(n_higher, score, score)
    cumulative_tp = rank_under_ties(ties, n_positives_above)
    cumulative_fp = -rank_under_ties(ties, n_positives_above, weight=0)
    for rows in large_row_blocks(data.prediction):
        ascending = np.sort(data.prediction[rows], axis=None)
        n_cells_above = partial(n_higher, ascending, score)
        cumulative_fp += rank_under_ties(ties, n_cells_above, weight=0)
    n_negatives = data.prediction.size - len(score)
    return RankedPositives(np.ones(len(score), int), cumulative_tp, cumulative_fp, n_negatives)


def _rank_weighted(data: Data, ties: Ties) -> RankedPositives:
    """The positives, ranked by the weights of the cells above; those of weight 0 are left out."""
    is_positive = (data.truth != 0) & (data.cell_weights > 0)
    score, weight = data.prediction[is_positive], data.cell_weights[is_positive]
    # Of tied positives the heaviest has the highest precision; it comes first, so that
    # interpolation gives this precision to the others.
    order = np.lexsort((-weight, score))
    score, weight = score[order], weight[order]
    # Entry n is the weight of the n highest positives.
    weight_of_highest = np.append(0.0, weight[::-1].cumsum())

    def positives_above(with_ties: bool) -> Numbers:
        return weight_of_highest[n_higher(score, score, with_ties)]

    cumulative_tp = rank_under_ties(ties, positives_above, weight)
    negatives = rank_under_ties(ties, partial(_negatives_above, data, score), weight=0)
    # Entry 0 is the weight of all negatives; the entries after it belong to the positives.
    return RankedPositives(weight, cumulative_tp, negatives[1:], negatives[0])


def average_precision(positives: RankedPositives, interpolation: Interpolation) -> Ratio:
    """Weighted sum of the precision at each positive, and weight of the positives.

    With ``interpolation``, the precision at a positive is the largest at this one or any lower one,
    that is at this recall or any greater one (Everingham et al., 2010, equation 2). With 11 or 101
    levels of recall it is summed over the levels, and the denominator is their number.
    """
    weight, cumulative_tp, cumulative_fp, _ = positives
    precision = cumulative_tp / (cumulative_tp + cumulative_fp)
    if interpolation is not None:
        precision = np.maximum.accumulate(precision)  # from the lowest positive up
    if interpolation in (None, "all") or not precision.size:
        return (weight * precision).sum(), weight.sum()
    cumulative_weight = weight[::-1].cumsum()
    recall = cumulative_weight / cumulative_weight[-1]  # from the highest score down
    levels = np.arange(interpolation) / (int(interpolation) - 1)  # 0, 0.1, …, 1
    # The first positive from the top that reaches each level. Rounded sums of weights may miss it.
    first_reaching = np.searchsorted(recall, levels - 1e-12)
    first_reaching[-1] = len(recall) - 1  # Recall 1 needs the last positive, however light it is.
    return precision[::-1][first_reaching].sum(), np.asarray(interpolation)


def concordant_pairs(positives: RankedPositives) -> Ratio:
    """Weight of the (positive, negative) pairs whose positive is higher, and of all pairs: AUROC.

    The weight of a pair is the product of both weights.
    """
    weight = positives.weight.astype(float)  # Products of whole numbers could overflow.
    negatives_below = positives.negative_weight - positives.cumulative_fp
    return (weight * negatives_below).sum(), (weight * positives.negative_weight).sum()


def _untied_cells(data: Data, ties: Ties) -> Data:
    """All cells as one column in ascending order of score, with positions 0, 1, … as scores.

    Of tied cells, the one of lowest index comes last under "first", so that it ranks first, and
    comes first under "last". (`ordering.untied_positions`, which reads rows, would copy a matrix
    that is stored column by column.)
    """
    # A stable sort keeps tied cells in the order of their index, or under "first" its reverse.
    direction = slice(None, None, -1 if ties == "first" else 1)
    truth, score = (matrix[direction, direction] for matrix in (data.truth, data.prediction))
    order = np.argsort(score, axis=None, kind="stable")
    weight = data.weight
    if weight is not None:
        weight = weight[direction][order // data.shape[1]]  # by the row of each cell
    is_positive = (truth != 0).ravel()[order]
    return Data(is_positive[:, None], np.arange(len(order))[:, None], weight)


def _negatives_above(data: Data, score: Numbers, with_ties: bool) -> FloatArray:
    """Weights of all negatives (entry 0), and of those above each score i (entry i + 1).

    The scores rise. With ties, negatives at a score are included.
    """
    sums = np.zeros(len(score) + 1)  # Entry n is the weight of the negatives above n scores.
    for rows in data.row_blocks():
        cell_scores = data.prediction[rows].ravel()
        order = np.argsort(cell_scores)  # np.searchsorted is faster for sorted values.
        n_below = np.searchsorted(score, cell_scores[order], "right" if with_ties else "left")
        weight = np.where(data.truth[rows] != 0, 0.0, data.cell_weights[rows])
        sums += np.bincount(n_below, weight.ravel()[order], minlength=len(sums))
    return sums[::-1].cumsum()[::-1]  # above n scores or more
