"""Label-based metrics: count per label, then average over labels.

Macro divides first and averages then, so every label weighs the same; micro adds the counts of all
labels up first and divides once, so every cell weighs the same; weighted is macro with each label
weighing as much as it has relevant samples, its support. 0/0 is worth what ``zero_division`` says.
"""

from functools import partial
from typing import Any

from mlm_helpers import counts, inputs
from mlm_helpers.counts import Counts, mean_over_labels
from mlm_helpers.documented import documented
from mlm_helpers.inputs import Average, FloatArray, ZeroDivision


@documented()
def confusion(y_true: Any, y_pred: Any, *, sample_weight: Any = None) -> Counts:
    """True and false positives and negatives of each label.

    Returns
    -------
    Counts
        Named tuple ``(tp, fp, fn, tn)`` of arrays of shape (n_labels,), in samples: whole numbers,
        or floats if there are weights.

    References
    ----------
    The document "多ラベル分類の評価指標について", 2019-10-31.

    Examples
    --------
    >>> y_true = [[1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 1]]
    >>> y_pred = [[1, 0, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1]]
    >>> confusion(y_true, y_pred).fp
    array([0, 0, 1, 0])
    """
    return counts.count(inputs.label_sets(y_true, y_pred, sample_weight), axis=0)


@documented()
def precision(
    y_true: Any,
    y_pred: Any,
    *,
    average: Average = "macro",
    zero_division: ZeroDivision = 0.0,
    sample_weight: Any = None,
) -> float | FloatArray:
    r"""Of the samples predicted to have a label, the share that have it.

    .. math:: \frac{TP}{TP + FP}

    of each label, averaged as ``average`` says. Range 0 to 1, higher is better. 0/0 where a label
    is never predicted.

    References
    ----------
    The document "多ラベル分類の評価指標について", 2019-10-31.

    Examples
    --------
    >>> y_true = [[1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 1]]
    >>> y_pred = [[1, 0, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1]]
    >>> precision(y_true, y_pred)
    0.875
    >>> precision(y_true, y_pred, average=None)
    array([1. , 1. , 0.5, 1. ])
    """
    data = inputs.label_sets(y_true, y_pred, sample_weight)
    return mean_over_labels(counts.precision, data, average, zero_division)


@documented()
def recall(
    y_true: Any,
    y_pred: Any,
    *,
    average: Average = "macro",
    zero_division: ZeroDivision = 0.0,
    sample_weight: Any = None,
) -> float | FloatArray:
    r"""Of the samples that have a label, the share predicted to have it.

    .. math:: \frac{TP}{TP + FN}

    of each label, averaged as ``average`` says. Range 0 to 1, higher is better. 0/0 where no sample
    has the label.

    References
    ----------
    The document "多ラベル分類の評価指標について", 2019-10-31.

    Examples
    --------
    >>> y_true = [[1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 1]]
    >>> y_pred = [[1, 0, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1]]
    >>> recall(y_true, y_pred)
    1.0
    """
    data = inputs.label_sets(y_true, y_pred, sample_weight)
    return mean_over_labels(counts.recall, data, average, zero_division)


@documented()
def f1(
    y_true: Any,
    y_pred: Any,
    *,
    average: Average = "macro",
    zero_division: ZeroDivision = 0.0,
    sample_weight: Any = None,
) -> float | FloatArray:
    r"""Harmonic mean of a label's precision and recall.

    .. math:: \frac{2 TP}{2 TP + FN + FP}

    of each label, averaged as ``average`` says. Range 0 to 1, higher is better. 0/0 where a label
    is neither true nor predicted anywhere. Macro-F1 is the mean of the labels' F1s, not the F1 of
    the mean precision and the mean recall.

    References
    ----------
    The document "多ラベル分類の評価指標について", 2019-10-31.

    Examples
    --------
    >>> y_true = [[1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 1]]
    >>> y_pred = [[1, 0, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1]]
    >>> f1(y_true, y_pred)
    0.9166666666666666
    >>> f1(y_true, y_pred, average="micro")
    0.9333333333333333
    >>> f1(y_true, y_pred, average=None)
    array([1.        , 1.        , 0.66666667, 1.        ])
    """
    data = inputs.label_sets(y_true, y_pred, sample_weight)
    return mean_over_labels(counts.f1, data, average, zero_division)


@documented()
def fbeta(
    y_true: Any,
    y_pred: Any,
    *,
    beta: float,
    average: Average = "macro",
    zero_division: ZeroDivision = 0.0,
    sample_weight: Any = None,
) -> float | FloatArray:
    r"""F-score of a label in which recall weighs beta times as much as precision.

    .. math:: \frac{(1 + \beta^2) TP}{(1 + \beta^2) TP + \beta^2 FN + FP}

    of each label, averaged as ``average`` says. Range 0 to 1, higher is better. 0/0 where a label
    is neither true nor predicted anywhere (for ``beta=0``, where it is never predicted).

    References
    ----------
    C. J. van Rijsbergen, "Information Retrieval", 2nd edition, 1979, chapter 7.

    Examples
    --------
    >>> y_true = [[1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 1]]
    >>> y_pred = [[1, 0, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1]]
    >>> fbeta(y_true, y_pred, beta=2)
    0.9583333333333334
    """
    inputs.beta(beta)
    parts = partial(counts.fbeta, beta=beta)
    data = inputs.label_sets(y_true, y_pred, sample_weight)
    return mean_over_labels(parts, data, average, zero_division)


@documented()
def jaccard(
    y_true: Any,
    y_pred: Any,
    *,
    average: Average = "macro",
    zero_division: ZeroDivision = 0.0,
    sample_weight: Any = None,
) -> float | FloatArray:
    r"""Of the samples that have a label or are predicted to, the share where both hold.

    .. math:: \frac{TP}{TP + FP + FN}

    of each label, averaged as ``average`` says. Range 0 to 1, higher is better. 0/0 where a label
    is neither true nor predicted anywhere.

    References
    ----------
    P. Jaccard, "The distribution of the flora in the alpine zone", New Phytologist 11, 1912.

    Examples
    --------
    >>> y_true = [[1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 1]]
    >>> y_pred = [[1, 0, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1]]
    >>> jaccard(y_true, y_pred)
    0.875
    """
    data = inputs.label_sets(y_true, y_pred, sample_weight)
    return mean_over_labels(counts.jaccard, data, average, zero_division)
