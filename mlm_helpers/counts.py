"""Four counts, and the ratios that are made of them.

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

from __future__ import annotations

import math
from functools import partial, reduce
from operator import mul
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mlm_helpers import inputs
from mlm_helpers.inputs import FloatArray, LabelMatrix, Weights

_SINGLE = 2**24  # up to here single precision holds every whole number


class Counts(NamedTuple):
    """True positives, false positives, false negatives and true negatives, all of one shape.

    Whole numbers without sample weights, floats with them. The shape is (n_samples,) when counted
    per sample, (n_labels,) per label, () over everything.
    """

    tp: NDArray[Any]
    fp: NDArray[Any]
    fn: NDArray[Any]
    tn: NDArray[Any]


def count(
    y_true: LabelMatrix, y_pred: LabelMatrix, *, axis: int | None, weight: Weights = None
) -> Counts:
    """Count along an axis: 1 gives a value per sample, 0 per label, None one over everything.

    Parameters
    ----------
    y_true, y_pred : arrays or CSR arrays of zeros and ones, shape (n_samples, n_labels)
    axis : 0, 1 or None
    weight : array of shape (n_samples,), optional
        How often a sample counts; not for ``axis=1``, where samples stand apart.

    Examples
    --------
    >>> y_true = np.array([[True, True, False], [False, True, False]])
    >>> y_pred = np.array([[True, False, True], [False, True, False]])
    >>> count(y_true, y_pred, axis=1).tp
    array([1, 1])
    >>> count(y_true, y_pred, axis=0).fp
    array([0, 0, 1])
    """
    return _count(_both(y_true, y_pred), y_true, y_pred, axis, weight)


def count_both_ways(
    y_true: LabelMatrix, y_pred: LabelMatrix, weight: Weights = None
) -> tuple[Counts, Counts]:
    """Count per sample and per label in one read of the matrices.

    Examples
    --------
    >>> y_true = np.array([[True, True, False], [False, True, False]])
    >>> y_pred = np.array([[True, False, True], [False, True, False]])
    >>> [counts.tp for counts in count_both_ways(y_true, y_pred)]
    [array([1, 1]), array([1, 1, 0])]
    """
    if weight is not None or not isinstance(y_true, np.ndarray) or y_true.shape[1] > _SINGLE:
        both = _both(y_true, y_pred)
        return _count(both, y_true, y_pred, 1, None), _count(both, y_true, y_pred, 0, weight)
    n_samples, n_labels = y_true.shape
    by_sample = np.empty((3, n_samples), dtype=np.intp)
    by_label = np.zeros((3, n_labels), dtype=np.intp)
    runs = list(inputs.blocks(y_true))
    # Single precision holds what a block adds up to exactly, and adds up the fastest.
    cells = np.empty((3, len(y_true[runs[0]]), n_labels), dtype=np.float32)
    for rows in runs:
        hits, pred, true = block = cells[:, : len(y_true[rows])]
        pred[:], true[:] = y_pred[rows], y_true[rows]
        np.multiply(true, pred, out=hits)
        by_sample[:, rows] = block @ np.ones(n_labels, dtype=np.float32)
        by_label += (np.ones(len(true), dtype=np.float32) @ block).astype(np.intp)
    return _counts(by_sample, n_labels), _counts(by_label, n_samples)


def _counts(sums: NDArray[np.intp], cells: int) -> Counts:
    tp, predicted, true = sums
    return Counts(tp, predicted - tp, true - tp, cells - predicted - true + tp)


def _both(y_true: LabelMatrix, y_pred: LabelMatrix) -> tuple[LabelMatrix, ...]:
    """What is multiplied to mark the hits: dense matrices as they are added up, sparse ones now."""
    return (y_true, y_pred) if isinstance(y_true, np.ndarray) else (y_true * y_pred,)


def _count(
    both: tuple[LabelMatrix, ...],
    y_true: LabelMatrix,
    y_pred: LabelMatrix,
    axis: int | None,
    weight: Weights,
) -> Counts:
    counted = partial(total, axis=axis, weight=weight)
    tp = counted(*both)
    if weight is None:
        fp, fn = counted(y_pred) - tp, counted(y_true) - tp
    else:  # the difference of two sums of floats is rounded
        fp, fn = counted(y_pred > y_true), counted(y_true > y_pred)
    n_samples, n_labels = y_true.shape
    rows = n_samples if weight is None else weight.sum()
    cells = {0: rows, 1: n_labels, None: rows * n_labels}[axis]
    return Counts(tp, fp, fn, np.maximum(cells - tp - fp - fn, 0))


def total(*matrices: LabelMatrix, axis: int | None, weight: Weights = None) -> NDArray[Any]:
    """How many cells are 1 in all of the matrices, each as often as its sample counts.

    Examples
    --------
    >>> total(np.array([[1, 1, 0], [0, 1, 0]]), np.array([[1, 1, 1], [0, 0, 0]]), axis=1)
    array([2, 0])
    """
    if isinstance(matrices[0], np.ndarray):
        return _sum_of_products(matrices, axis, weight)
    cells = reduce(mul, matrices)
    if weight is None:
        return _stored(cells, axis)
    per_label = np.asarray(weight @ cells)
    return per_label if axis == 0 else np.asarray(per_label.sum())


def _sum_of_products(
    matrices: tuple[LabelMatrix, ...], axis: int | None, weight: Weights
) -> NDArray[Any]:
    """Of dense matrices, in one read and without an array of the products."""
    factors = [m.view(np.uint8) if m.dtype == bool else m for m in matrices]
    if weight is not None:
        factors.insert(0, weight)
    indices = ",".join("ij"[: factor.ndim] for factor in factors)
    left = {0: "j", 1: "i", None: ""}[axis]
    wide = np.result_type(np.intp, *factors)  # holds every whole sum exactly
    sums = np.asarray(np.einsum(f"{indices}->{left}", *factors, dtype=wide))
    return sums.astype(np.intp if weight is None else float)


def _stored(cells: Any, axis: int | None) -> NDArray[Any]:
    """How many cells a CSR array stores."""
    if axis == 1:
        return np.asarray(np.diff(cells.indptr), dtype=np.intp)
    if axis == 0:
        return np.bincount(cells.indices, minlength=cells.shape[1])
    return np.asarray(cells.nnz)


def precision(counts: Counts, zero_division: float | str) -> FloatArray:
    """TP / (TP + FP): of what was predicted, how much is relevant."""
    return _ratio(counts.tp, counts.tp + counts.fp, counts, zero_division)


def recall(counts: Counts, zero_division: float | str) -> FloatArray:
    """TP / (TP + FN): of what is relevant, how much was predicted."""
    return _ratio(counts.tp, counts.tp + counts.fn, counts, zero_division)


def jaccard(counts: Counts, zero_division: float | str) -> FloatArray:
    """TP / (TP + FP + FN): the intersection over the union."""
    return _ratio(counts.tp, counts.tp + counts.fp + counts.fn, counts, zero_division)


def fbeta(counts: Counts, zero_division: float | str, beta: float) -> FloatArray:
    """(1 + β²) TP / ((1 + β²) TP + β² FN + FP): recall weighs β times as much as precision."""
    tp, fp, fn, _ = counts
    # Past these bounds no count tells the difference, and β² neither overflows nor vanishes.
    square = min(max(float(beta) * float(beta), 1e-150), 1e150) if beta else 0.0
    return _ratio((1 + square) * tp, (1 + square) * tp + square * fn + fp, counts, zero_division)


def f1(counts: Counts, zero_division: float | str) -> FloatArray:
    """2 TP / (2 TP + FN + FP): the harmonic mean of precision and recall."""
    return fbeta(counts, zero_division, beta=1)


def _ratio(
    part: NDArray[Any], whole: NDArray[Any], counts: Counts, zero_division: float | str
) -> FloatArray:
    """``part / whole``, and by ``zero_division`` where the whole is 0."""
    if zero_division == "agree":
        zero_division = counts.tp + counts.fp + counts.fn == 0
    value: FloatArray = np.full(np.shape(whole), zero_division, dtype=float)
    np.divide(part, whole, out=value, where=whole > 0)
    return value


def mean(values: FloatArray, weight: Weights = None) -> float:
    """Mean of the values that are not nan; nan where no value or no weight is left.

    Examples
    --------
    >>> mean(np.array([1.0, 0.5, np.nan]))
    0.75
    >>> mean(np.array([1.0, 0.5, np.nan]), np.array([1.0, 3.0, 9.0]))
    0.625
    """
    weight = np.ones(values.shape) if weight is None else weight
    kept = ~np.isnan(values)
    if not kept.all():
        values, weight = values[kept], weight[kept]
    whole = weight.sum()
    return float(weight @ values / whole) if whole > 0 else math.nan


def summary(values: FloatArray, weight: Weights, per_sample: bool) -> float | FloatArray:
    """The values, one per sample, or their weighted mean."""
    inputs.one_of(per_sample, (True, False), "per_sample")
    return values if per_sample else mean(values, weight)
