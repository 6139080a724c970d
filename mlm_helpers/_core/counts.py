"""The four counts of set metrics, ratios of them, and their averages.

Every set metric of the course is a ratio of these four numbers:

====  =======================================================
tp    ✓ true positives, relevant and predicted
fp    ✗ false positives, predicted but not relevant
fn    ○ false negatives, relevant but not predicted
tn    true negatives, neither relevant nor predicted
====  =======================================================

*Which axis you count along* makes the family: per sample, per label, or over everything.
*Whether you divide before or after you average* makes macro and micro.
"""

import math
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mlm_helpers._core.averages import AVERAGES
from mlm_helpers._core.inputs.data import Data, FloatArray, Weights
from mlm_helpers._core.inputs.options import Average, ZeroDivision, check_average, check_options

Ratio: TypeAlias = tuple[NDArray[Any], NDArray[Any]]
"""Numerator and denominator of a ratio: arrays with an entry per sample or label, or numbers."""

Formula: TypeAlias = Callable[..., Ratio]
"""A metric as numerator and denominator: a function of `Counts`, or of `ordering.RankedRows`.

Options such as ``beta`` are bound by ``functools.partial`` first.
"""

check_macro_or_none = partial(check_average, allowed=("macro", None))
"""Check of ``average`` for metrics that have no "micro" and no "weighted"."""

_MAX_EXACT_SINGLE = 2**24  # single precision holds every whole number up to this one


class Counts(NamedTuple):
    """True positives, false positives, false negatives and true negatives, all of one shape.

    Whole numbers without sample weights, floats with them. The shape is (n_samples,) when counted
    per sample, (n_labels,) per label, () over everything.
    """

    tp: NDArray[Any]
    fp: NDArray[Any]
    fn: NDArray[Any]
    tn: NDArray[Any]


def count(data: Data, *, axis: int) -> Counts:
    """Counts along an axis: per sample for ``axis=1``, per label for 0.

    Counts per label are weighted: with weights of the shape (n_draws, n_samples) they have a row
    per draw. Counts per sample are not, because a weight would cancel in the ratio of one sample.
    """
    is_weighted = axis == 0 and data.weight is not None
    if data.is_sparse:
        return _weigh_sparse(data) if is_weighted else _count_sparse(data, axis)
    # OpenBLAS sometimes flags a product of zeros and ones as invalid although every number is right
    # (numpy issue 24067 is such a case).
    with np.errstate(invalid="ignore"):
        return _weigh_dense(data) if is_weighted else _count_dense(data, axis)


def _outcomes(hits: Any, predicted: Any, true: Any, known: Any = 1) -> Counts:
    """TP, FP, FN and TN from how many cells are hits, predicted, true and known.

    Of single cells these numbers are 0 or 1, in matrices.
    """
    return Counts(hits, predicted - hits, true - hits, known - predicted - true + hits)


def _indicators(data: Data, rows: slice, dtype: Any) -> NDArray[Any]:
    """Matrices of 0 and 1 of some rows: hits, predicted and true cells; known ones if not all are.

    They are one array, shape (3 or 4, n_rows, n_labels).
    """
    indicators = np.empty((3 if data.known is None else 4, *data.truth[rows].shape), dtype)
    hits, predicted, true = indicators[:3]
    predicted[:] = data.prediction[rows]
    true[:] = data.truth[rows]
    if data.known is not None:
        indicators[3] = data.known[rows]
        predicted *= indicators[3]
    np.multiply(predicted, true, out=hits)
    return indicators


def _count_dense(data: Data, axis: int) -> Counts:
    """Counts of dense matrices, from the numbers of hits, predicted, true and known cells.

    These numbers are products with a vector of ones in single precision, which is fast. They are
    exact up to 2**24: a block has fewer rows, and rows of more labels take double precision.
    """
    n_labels = data.shape[1]
    dtype = np.float32 if n_labels <= _MAX_EXACT_SINGLE else np.float64
    n_cells = np.zeros((4, data.shape[1 - axis]), dtype=np.intp)  # hits, predicted, true, known
    if data.known is None:
        n_cells[3] = data.shape[axis]
    for rows in data.row_blocks():
        indicators = _indicators(data, rows, dtype)
        sums = n_cells[: len(indicators)]  # a view: without the known cells, if all are known
        if axis == 1:
            sums[:, rows] = indicators @ np.ones(n_labels, dtype)
        else:
            sums += (np.ones(indicators.shape[1], dtype) @ indicators).astype(np.intp)
    return _outcomes(*n_cells)


def _weigh_dense(data: Data) -> Counts:
    """Weighted counts per label of dense matrices; each of TP, FP, FN and TN is a sum of weights.

    As differences of two sums, which suffice in `_count_dense`, weighted counts would be rounded.
    """
    weight: Any = data.weight
    sums = np.zeros((4, *weight.shape[:-1], data.shape[1]))
    for rows in data.row_blocks():
        indicators = _indicators(data, rows, np.float32)
        sums += [weight[..., rows] @ cells for cells in _outcomes(*indicators)]
    return Counts(*sums)


def _count_sparse(data: Data, axis: int) -> Counts:
    """Counts of CSR arrays, from the numbers of cells that are stored in each row or column."""
    matrices: Any = data.truth * data.prediction, data.prediction, data.truth
    if axis == 1:
        hits, predicted, true = (np.diff(m.indptr).astype(np.intp) for m in matrices)
    else:
        n_labels = data.shape[1]
        hits, predicted, true = (np.bincount(m.indices, minlength=n_labels) for m in matrices)
    return _outcomes(hits, predicted, true, known=data.shape[axis])


def _weigh_sparse(data: Data) -> Counts:
    """Weighted counts per label of CSR arrays; TN is the whole weight minus the three others.

    This difference is rounded, so it is replaced by 0 where no sample of positive weight is a true
    negative.
    """
    truth: Any = data.truth
    # Hits are 1 in both matrices, false alarms only in the prediction, misses only in the truth.
    outcomes = truth * data.prediction, data.prediction > truth, truth > data.prediction
    weight = np.asarray(data.weight, dtype=float)
    tp, fp, fn = (weight @ cells for cells in outcomes)
    tn = weight.sum(axis=-1, keepdims=True) - tp - fp - fn
    has_weight = (weight > 0).astype(float)  # to count the true negatives of positive weight
    n_tn = has_weight.sum(axis=-1, keepdims=True) - sum(has_weight @ cells for cells in outcomes)
    return Counts(tp, fp, fn, np.where(n_tn > 0, np.maximum(tn, 0), 0))


# ---------------------------------------------------------------------------- ratios


def exact_match(counts: Counts) -> Ratio:
    """1 / 1 for a sample without a wrong cell, 0 / 1 for any other: exact match.

    The denominator is 0 for a sample without known cells.
    """
    n_wrong, n_cells = hamming_loss(counts)
    return n_wrong == 0, n_cells > 0


def zero_one_loss(counts: Counts) -> Ratio:
    """1 / 1 for a sample with a wrong cell, 0 / 1 for one without: zero-one loss.

    The denominator is 0 for a sample without known cells.
    """
    n_wrong, n_cells = hamming_loss(counts)
    return n_wrong > 0, n_cells > 0


def hamming_loss(counts: Counts) -> Ratio:
    """(FP + FN) / all cells: Hamming loss."""
    tp, fp, fn, tn = counts
    return fp + fn, tp + fp + fn + tn


def accuracy(counts: Counts) -> Ratio:
    """(TP + TN) / all cells: accuracy, 1 minus the share of wrong cells."""
    tp, fp, fn, tn = counts
    return tp + tn, tp + fp + fn + tn


def cost(counts: Counts, miss: Any, false_alarm: Any) -> Ratio:
    """(miss × FN + false_alarm × FP) / all cells: the mean cost.

    A price is a number, or an array with one for each label.
    """
    tp, fp, fn, tn = counts
    return miss * fn + false_alarm * fp, tp + fp + fn + tn


def precision(counts: Counts) -> Ratio:
    """TP / (TP + FP): the share of the predicted cells that are relevant."""
    return counts.tp, counts.tp + counts.fp


def recall(counts: Counts) -> Ratio:
    """TP / (TP + FN): the share of the relevant cells that are predicted."""
    return counts.tp, counts.tp + counts.fn


def jaccard(counts: Counts) -> Ratio:
    """TP / (TP + FP + FN): the intersection over the union."""
    return counts.tp, counts.tp + counts.fp + counts.fn


def fbeta(counts: Counts, beta: float) -> Ratio:
    """(1 + β²) TP / ((1 + β²) TP + β² FN + FP): recall is β times as important as precision."""
    tp, fp, fn, _ = counts
    # Beyond these bounds the ratio no longer changes, and within them β² neither overflows nor
    # becomes 0. A product of huge floats is inf, which is cut; ``** 2`` would raise.
    beta2 = min(max(float(beta) * float(beta), 1e-150), 1e150) if beta else 0.0
    return (1 + beta2) * tp, (1 + beta2) * tp + beta2 * fn + fp


def f1(counts: Counts) -> Ratio:
    """2 TP / (2 TP + FN + FP): the harmonic mean of precision and recall."""
    return fbeta(counts, beta=1)


def specificity(counts: Counts) -> Ratio:
    """TN / (TN + FP): the share of the irrelevant cells that are not predicted."""
    return counts.tn, counts.tn + counts.fp


def negative_predictive_value(counts: Counts) -> Ratio:
    """TN / (TN + FN): the share of the cells not predicted that are irrelevant."""
    return counts.tn, counts.tn + counts.fn


def balanced_accuracy(counts: Counts) -> Ratio:
    """(recall + specificity) / 2 as one fraction; 0/0 where either of them is 0/0."""
    tp, fp, fn, tn = np.asarray(counts, dtype=float)  # Products of whole numbers could overflow.
    return tp * (tn + fp) + tn * (tp + fn), 2 * (tp + fn) * (tn + fp)


def matthews_correlation(counts: Counts) -> Ratio:
    """(TP TN − FP FN) / √((TP + FP) (TP + FN) (TN + FP) (TN + FN)): Pearson's correlation."""
    tp, fp, fn, tn = np.asarray(counts, dtype=float)  # Products of whole numbers could overflow.
    # Two roots, because a product of four counts overflows sooner, and the root of a square is
    # exact. The clip keeps a rounded numerator within ±1.
    whole = np.sqrt((tp + fp) * (tp + fn)) * np.sqrt((tn + fp) * (tn + fn))
    return np.clip(tp * tn - fp * fn, -whole, whole), whole


def kappa(counts: Counts) -> Ratio:
    """2 (TP TN − FP FN) / ((TP + FP) (TN + FP) + (TP + FN) (TN + FN)): agreement beyond chance."""
    tp, fp, fn, tn = np.asarray(counts, dtype=float)  # Products of whole numbers could overflow.
    whole = (tp + fp) * (tn + fp) + (tp + fn) * (tn + fn)
    return np.clip(2 * (tp * tn - fp * fn), -whole, whole), whole  # not beyond ±1 by rounding


# ---------------------------------------------------------------------------- values and their mean


def safe_divide(numerator: Any, denominator: Any, undefined: Any) -> FloatArray:
    """Numerators ÷ denominators; ``undefined`` where a denominator is 0, nan where it is nan."""
    value: FloatArray = np.full(np.shape(denominator), undefined, dtype=float)
    np.divide(numerator, denominator, out=value, where=np.not_equal(denominator, 0))
    return value


def ratio(formula: Formula, counts: Counts, zero_division: ZeroDivision) -> FloatArray:
    """Values of a formula of counts; ``zero_division`` decides the value of 0/0."""
    return safe_divide(*formula(counts), value_of_0_over_0(counts, zero_division))


def value_of_0_over_0(counts: Counts, zero_division: ZeroDivision) -> Any:
    """The value that 0/0 has, for each of the counts; nan where no cell is known.

    Under "agree" it is 1 where no cell is wrong, else 0; otherwise it is ``zero_division``.
    """
    value = counts.fp + counts.fn == 0 if zero_division == "agree" else zero_division
    return np.where(counts.tp + counts.fp + counts.fn + counts.tn > 0, value, math.nan)


def nanmean(values: FloatArray, weight: Weights = None) -> float:
    """Weighted mean of the values that are not nan; nan if there are none, or if they weigh 0."""
    total, whole = weighted_sums(values, weight)
    return total / whole if whole > 0 else math.nan


def weighted_sums(values: FloatArray, weight: Weights) -> tuple[float, float]:
    """Weighted sum of the values that are not nan, and sum of their weights.

    Both are added up in the same order, so that the mean of values of 1 is exactly 1.
    """
    weight = np.ones(np.shape(values)) if weight is None else weight
    is_defined = ~np.isnan(values)
    return float((weight * values)[is_defined].sum()), float(weight[is_defined].sum())


def ratio_of_sums(numerator: FloatArray, denominator: FloatArray, weight: Weights = None) -> float:
    """Sum of the samples' numerators ÷ sum of their denominators; nan if these sum to 0."""
    total, _ = weighted_sums(numerator, weight)
    whole, _ = weighted_sums(denominator, weight)
    return total / whole if whole > 0 else math.nan


def average_labels(
    values: FloatArray, support: NDArray[Any] | None, average: Average
) -> float | FloatArray:
    """The value of a metric, from the values of the labels; for "micro" from the one of all cells.

    A mean leaves out nan. In the weighted mean, labels weigh the same if all that are left have the
    support 0. ``support`` may be None if ``average`` is not "weighted".
    """
    averaging = AVERAGES[average]
    if averaging.combine is not None:
        combined: float | FloatArray = averaging.combine(values, support)
        return combined
    if not averaging.weighs_support or support is None or not support[~np.isnan(values)].any():
        support = None  # labels weigh the same
    return nanmean(values, support)


def mean_or_values(values: FloatArray, weight: Weights, per_sample: bool) -> float | FloatArray:
    """The values if ``per_sample``, else their weighted mean."""
    check_options(per_sample=per_sample)
    return values if per_sample else nanmean(values, weight)


def mean_over_samples(
    formula: Formula, data: Data, zero_division: ZeroDivision = 0.0, per_sample: bool = False
) -> float | FloatArray:
    """Mean over samples of a formula of each sample's counts; or its values, if ``per_sample``."""
    check_options(zero_division=zero_division)
    values = ratio(formula, count(data, axis=1), zero_division)
    return mean_or_values(values, data.weight, per_sample)


def pool(counts: Counts, average: Average) -> Counts:
    """The sum of the counts over all labels for an average that divides once; else the counts."""
    return Counts(*map(np.sum, counts)) if AVERAGES[average].is_pooled else counts


def average_ratio(
    formula: Formula, counts: Counts, average: Average, zero_division: ZeroDivision
) -> float | FloatArray:
    """Average over labels of a formula of each label's counts, or its value of all cells."""
    counts = pool(counts, average)
    values = ratio(formula, counts, zero_division)
    return average_labels(values, support=counts.tp + counts.fn, average=average)
