"""Curve metrics: the samples of a label in the order of their scores, at every threshold at once.

The average precision of a label is that of the ranking metrics on the transposed matrix, and its
AUROC is 1 minus the ranking loss there with ``ties="average"``; only undefined values differ.
Averages are those of the label-based metrics, but micro puts all cells into one list, which
compares scores of different labels.
"""

import math
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from mlm_helpers._core import ranked_list
from mlm_helpers._core.averages import AVERAGES
from mlm_helpers._core.counts import average_labels, safe_divide
from mlm_helpers._core.documented import documented
from mlm_helpers._core.inputs.data import Data, FloatArray, LabelMatrix, ScoreArray, ScoreMatrix
from mlm_helpers._core.inputs.options import Average, Interpolation, Ties, check_options
from mlm_helpers._core.inputs.read import read_label_scores, read_one_label

__all__ = ["PrecisionRecall", "Roc", "average_precision", "precision_recall", "roc", "roc_auc"]


class PrecisionRecall(NamedTuple):
    """The points of a precision-recall curve: arrays of one length, the highest threshold first."""

    precision: FloatArray
    recall: FloatArray
    thresholds: ScoreArray


class Roc(NamedTuple):
    """The points of a ROC curve: arrays of one length, the highest threshold first."""

    false_positive_rate: FloatArray
    true_positive_rate: FloatArray
    thresholds: ScoreArray


@documented
def average_precision(
    y_true: LabelMatrix,
    y_score: ScoreMatrix,
    *,
    average: Average = "macro",
    ties: Ties = "max",
    interpolation: Interpolation = None,
    undefined: float = 0.0,
    sample_weight: Any = None,
) -> float | FloatArray:
    r"""Mean share of positives among the samples ranked at or above each positive one.

    .. math:: \frac{1}{|Y|} \sum_{i \in Y} \frac{r_Y(i)}{r(i)}

    of each label, averaged as ``average`` says; Y are the samples that have the label, and r is the
    rank of a sample in its column, among all or among Y. With ``ties="max"`` and without
    ``interpolation`` it is the area under the steps of the precision-recall curve. Macro is known
    as mAP. Range 0 to 1, higher is better. Memory, apart from copies of the input: in one list at a
    time (a column, or for micro all cells), about 2 bytes per cell, or 34 under "first" and "last",
    and 48 per positive, or 96 with weights.

    Parameters
    ----------
    ties
        How tied samples are ranked. Under "max" they are one threshold; under "first" and "last"
        they keep the input order or its reverse (in micro row by row); see `ranking.ranks`.
    interpolation
        None reads the precision at each positive. "all" reads the largest precision there or below:
        at this recall or any greater one (VOC 2010). 11 (VOC 2007) and 101 (COCO) take the mean of
        these largest precisions where recall first reaches 0, 1/10, …, 1, or 0, 1/100, …, 1.

    References
    ----------
    Everingham et al., "The Pascal Visual Object Classes (VOC) Challenge", 2010, section 4.2; and
    scikit-learn's ``average_precision_score``.

    Examples
    --------
    >>> y_true, y_score = [[1, 0], [0, 1], [1, 1]], [[0.9, 0.9], [0.8, 0.8], [0.7, 0.7]]
    >>> average_precision(y_true, y_score, average=None)
    array([0.83333333, 0.58333333])
    >>> average_precision(y_true, y_score, average=None, interpolation="all")
    array([0.83333333, 0.66666667])
    """
    check_options(ties=ties, interpolation=interpolation)
    formula = partial(ranked_list.average_precision, interpolation=interpolation)
    data = read_label_scores(y_true, y_score, sample_weight)
    return _average_columns(formula, data, average, ties, undefined)


@documented
def roc_auc(
    y_true: LabelMatrix,
    y_score: ScoreMatrix,
    *,
    average: Average = "macro",
    undefined: float = math.nan,
    sample_weight: Any = None,
) -> float | FloatArray:
    r"""Share of the (positive, negative) pairs of samples in which the positive one scores higher.

    .. math:: 1 - \frac{\sum_{i \in Y} (r(i) - r_Y(i))}{|Y| (n - |Y|)}

    of each label, averaged as ``average`` says; Y are the samples with the label, and r is a
    sample's rank in its column, among all or among Y. A tied pair counts half. It is the area under
    the ROC curve. Range 0 to 1, higher is better; random scores have 1/2 on average. A label
    without negatives is undefined, too. Where only some labels have a value, scikit-learn's macro
    average is nan. Memory is as in `average_precision`.

    References
    ----------
    Hanley & McNeil, "The meaning and use of the area under a receiver operating characteristic
    (ROC) curve", Radiology 143, 1982.

    Examples
    --------
    >>> y_true, y_score = [[1, 0], [0, 1], [1, 1]], [[0.9, 0.9], [0.8, 0.8], [0.7, 0.7]]
    >>> roc_auc(y_true, y_score, average=None)
    array([0.5, 0. ])
    >>> roc_auc([[1], [0]], [[0.5], [0.5]])
    0.5
    """
    data = read_label_scores(y_true, y_score, sample_weight)
    return _average_columns(ranked_list.concordant_pairs, data, average, "average", undefined)


def precision_recall(y_true: LabelMatrix, y_score: ScoreMatrix) -> PrecisionRecall:
    """Precision and recall of one label at each threshold: scores at or above it are predicted.

    Thresholds are the scores that occur. Recall is nan without positives, where scikit-learn's
    ``precision_recall_curve`` returns 1. Otherwise scikit-learn returns the same points, lowest
    threshold first, and after them one more of precision 1 and recall 0. Bad input raises a
    TypeError or a ValueError.

    Parameters
    ----------
    y_true : list of 0 and 1, shape (n_samples,)
        Or one column of a matrix.
    y_score : list of finite numbers, shape (n_samples,)

    Examples
    --------
    >>> precision_recall([1, 0, 1], [0.9, 0.8, 0.7]).precision
    array([1.        , 0.5       , 0.66666667])
    """
    tp, fp, thresholds = _points(y_true, y_score)
    return PrecisionRecall(tp / (tp + fp), _rate(tp), thresholds)


def roc(y_true: LabelMatrix, y_score: ScoreMatrix) -> Roc:
    """False and true positive rates of one label at each threshold.

    Thresholds are those of `precision_recall`. The false positive rate is nan without negatives,
    the true positive rate without positives. scikit-learn's ``roc_curve``, with
    ``drop_intermediate=False``, has the same points after a first one at (0, 0). Bad input raises a
    TypeError or a ValueError.

    Parameters
    ----------
    y_true, y_score
        As in `precision_recall`.

    Examples
    --------
    >>> roc([1, 0, 1], [0.9, 0.8, 0.7]).true_positive_rate
    array([0.5, 0.5, 1. ])
    >>> roc([1, 0, 1], [0.9, 0.8, 0.7]).thresholds
    array([0.9, 0.8, 0.7])
    """
    tp, fp, thresholds = _points(y_true, y_score)
    return Roc(_rate(fp), _rate(tp), thresholds)


def _rate(cumulative: FloatArray) -> FloatArray:
    """Cumulative counts ÷ the last of them, which is the total; nan if it is 0."""
    total = cumulative.max(initial=0)  # Counts that add up do not fall.
    return safe_divide(cumulative, np.full(cumulative.shape, total), math.nan)


def _points(y_true: Any, y_score: Any) -> tuple[Any, Any, ScoreArray]:
    """True and false positives at each threshold, and the thresholds: all scores, highest first."""
    truth, score = read_one_label(y_true, y_score)
    thresholds, index = np.unique(score, return_inverse=True)
    tp = np.bincount(index, truth.astype(float))[::-1].cumsum()
    n_predicted = np.bincount(index)[::-1].cumsum()
    return tp, n_predicted - tp, thresholds[::-1]


def _average_columns(
    formula: Any, data: Data, average: Average, ties: Ties, undefined: float
) -> float | FloatArray:
    """Average over labels of a formula of each label's `RankedPositives`.

    For "micro" it is the value of the formula for one list of all cells.
    """
    check_options(average=average, undefined=undefined)
    if data.weight is not None and (data.weight == data.weight[0]).all():
        data = data.with_weight(None)  # Equal weights cancel, and sorting alone is faster.
    is_pooled = AVERAGES[average].is_pooled
    # The columns of each list, as an index that selects a matrix.
    lists: list[Any] = [slice(None)] if is_pooled else [[j] for j in range(data.shape[1])]
    part, whole, support = np.zeros((3, len(lists)))
    for i, labels in enumerate(lists):
        if data.truth[:, labels].any():  # else part and whole stay 0: undefined
            positives = ranked_list.rank_positives(data.select_labels(labels), ties)
            part[i], whole[i] = formula(positives)
            support[i] = positives.weight.sum()
    is_known = data.label_weights.any() if is_pooled else data.label_weights > 0
    values = np.where(is_known, safe_divide(part, whole, undefined), math.nan)
    return average_labels(values, support, average)
