"""Label-based metrics: count per label, then average over labels.

Macro divides first and then averages, so every label weighs the same. Micro first adds up the
counts of all labels and divides once, so every cell weighs the same. Weighted is macro with each
label weighted by its support, the number (or total weight) of samples that have it.
``zero_division`` decides the value of 0/0. A formula in a docstring is that of one label.
`confusion`, `precision`, `recall` and `f1` are those of the document
"多ラベル分類の評価指標について", 2019-10-31.
"""

from functools import partial
from typing import Any, Literal

from mlm_helpers._core import counts
from mlm_helpers._core.averages import AVERAGES
from mlm_helpers._core.counts import Counts, average_ratio
from mlm_helpers._core.documented import documented
from mlm_helpers._core.inputs.ancestry import align_to_labels
from mlm_helpers._core.inputs.data import FloatArray, LabelMatrix
from mlm_helpers._core.inputs.options import Average, ZeroDivision, check_options
from mlm_helpers._core.inputs.read import read_label_sets, read_per_label

__all__ = [
    "accuracy", "balanced_accuracy", "confusion", "cost", "f1", "fbeta", "jaccard", "kappa",
    "matthews_correlation", "negative_predictive_value", "precision", "recall", "specificity",
]  # fmt: skip

read_prices = partial(read_per_label, low=0, high=1e100)
"""Reads the cost of a miss, or of a false alarm, of each label; finite sums need an upper limit."""


@documented
def confusion(y_true: LabelMatrix, y_pred: LabelMatrix, *, sample_weight: Any = None) -> Counts:
    """True and false positives and negatives of each label.

    Returns
    -------
    Counts
        Named tuple ``(tp, fp, fn, tn)`` of arrays of shape (n_labels,), in samples: whole numbers,
        or floats if there are weights.

    Examples
    --------
    >>> y_true = [[1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 1]]
    >>> y_pred = [[1, 0, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1]]
    >>> confusion(y_true, y_pred).fp
    array([0, 0, 1, 0])
    """
    return counts.count(read_label_sets(y_true, y_pred, sample_weight), axis=0)


@documented
def precision(
    y_true: LabelMatrix,
    y_pred: LabelMatrix,
    *,
    average: Average = "macro",
    zero_division: ZeroDivision = 0.0,
    sample_weight: Any = None,
) -> float | FloatArray:
    r"""Of the samples predicted to have a label, the share that have it.

    .. math:: \frac{TP}{TP + FP}

    Range 0 to 1, higher is better. 0/0 where a label is never predicted.

    Examples
    --------
    >>> y_true = [[1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 1]]
    >>> y_pred = [[1, 0, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1]]
    >>> precision(y_true, y_pred)
    0.875
    >>> precision(y_true, y_pred, average=None)
    array([1. , 1. , 0.5, 1. ])
    """
    return _average(counts.precision, y_true, y_pred, average, zero_division, sample_weight)


@documented
def recall(
    y_true: LabelMatrix,
    y_pred: LabelMatrix,
    *,
    average: Average = "macro",
    zero_division: ZeroDivision = 0.0,
    sample_weight: Any = None,
) -> float | FloatArray:
    r"""Of the samples that have a label, the share predicted to have it.

    .. math:: \frac{TP}{TP + FN}

    Range 0 to 1, higher is better. 0/0 where no sample has the label.

    Examples
    --------
    >>> y_true = [[1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 1]]
    >>> y_pred = [[1, 0, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1]]
    >>> recall(y_true, y_pred)
    1.0
    """
    return _average(counts.recall, y_true, y_pred, average, zero_division, sample_weight)


@documented
def f1(
    y_true: LabelMatrix,
    y_pred: LabelMatrix,
    *,
    average: Average = "macro",
    zero_division: ZeroDivision = 0.0,
    sample_weight: Any = None,
) -> float | FloatArray:
    r"""Harmonic mean of a label's precision and recall.

    .. math:: \frac{2 TP}{2 TP + FN + FP}

    Range 0 to 1, higher is better. 0/0 where a label is neither true nor predicted anywhere.
    Macro-F1 is the mean of the labels' F1s, not the F1 of the mean precision and the mean recall.

    Examples
    --------
    >>> y_true = [[1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 1]]
    >>> y_pred = [[1, 0, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1]]
    >>> f1(y_true, y_pred)
    0.9166666666666666
    >>> f1(y_true, y_pred, average="micro")
    0.9333333333333333
    """
    return _average(counts.f1, y_true, y_pred, average, zero_division, sample_weight)


@documented
def fbeta(
    y_true: LabelMatrix,
    y_pred: LabelMatrix,
    *,
    beta: float,
    average: Average = "macro",
    zero_division: ZeroDivision = 0.0,
    sample_weight: Any = None,
) -> float | FloatArray:
    r"""F-score of a label in which recall is beta times as important as precision.

    .. math:: \frac{(1 + \beta^2) TP}{(1 + \beta^2) TP + \beta^2 FN + FP}

    Range 0 to 1, higher is better. 0/0 where a label is neither true nor predicted anywhere (for
    ``beta=0``, where it is never predicted).

    References
    ----------
    C. J. van Rijsbergen, "Information Retrieval", 2nd edition, 1979, chapter 7.

    Examples
    --------
    >>> y_true, y_pred = [[1, 0], [1, 0], [0, 1], [0, 0]], [[1, 0], [0, 1], [0, 1], [0, 0]]
    >>> fbeta(y_true, y_pred, beta=2, average=None)
    array([0.55555556, 0.83333333])
    """
    check_options(beta=beta)
    formula = partial(counts.fbeta, beta=beta)
    return _average(formula, y_true, y_pred, average, zero_division, sample_weight)


@documented
def jaccard(
    y_true: LabelMatrix,
    y_pred: LabelMatrix,
    *,
    average: Average = "macro",
    zero_division: ZeroDivision = 0.0,
    sample_weight: Any = None,
) -> float | FloatArray:
    r"""Of the samples that have a label or are predicted to have it, the share where both hold.

    .. math:: \frac{TP}{TP + FP + FN}

    Range 0 to 1, higher is better. 0/0 where a label is neither true nor predicted anywhere.

    References
    ----------
    P. Jaccard, "The distribution of the flora in the alpine zone", New Phytologist 11, 1912.

    Examples
    --------
    >>> y_true, y_pred = [[1, 0], [1, 0], [0, 1], [0, 0]], [[1, 0], [0, 1], [0, 1], [0, 0]]
    >>> jaccard(y_true, y_pred)
    0.5
    """
    return _average(counts.jaccard, y_true, y_pred, average, zero_division, sample_weight)


@documented
def accuracy(
    y_true: LabelMatrix,
    y_pred: LabelMatrix,
    *,
    average: Average = "macro",
    sample_weight: Any = None,
) -> float | FloatArray:
    r"""Share of a label's cells that are right: true positives and true negatives.

    .. math:: \frac{TP + TN}{TP + FP + FN + TN}

    Range 0 to 1, higher is better. Undefined (nan) only for a label that has no known cell, or only
    known cells of weight 0. With every cell known, micro and macro are 1 − `hamming.hamming_loss`.
    Compare with a model that never predicts the label: where 5 % of the samples have it, its
    accuracy is 0.95.

    References
    ----------
    Sokolova & Lapalme, "A systematic analysis of performance measures for classification tasks",
    2009.

    Examples
    --------
    >>> y_true, y_pred = [[1, 0], [1, 0], [0, 1], [0, 0]], [[1, 0], [0, 1], [0, 1], [0, 0]]
    >>> accuracy(y_true, y_pred, average=None)
    array([0.75, 0.75])
    """
    # Any value of 0/0 would do: it occurs only without known cells of positive weight, and is nan.
    zero_division = 0.0
    return _average(counts.accuracy, y_true, y_pred, average, zero_division, sample_weight)


@documented
def cost(
    y_true: LabelMatrix,
    y_pred: LabelMatrix,
    *,
    miss: Any,
    false_alarm: Any,
    average: Literal["macro"] | None = "macro",
    sample_weight: Any = None,
) -> float | FloatArray:
    r"""Mean cost per sample of a label's errors: each miss and each false alarm has its price.

    .. math:: \frac{\mathrm{miss} \cdot FN + \mathrm{false\ alarm} \cdot FP}{TP + FP + FN + TN}

    Range 0 to the largest cost, lower is better. Undefined (nan) only for a label that has no known
    cell, or only known cells of weight 0. With every cell known, the macro average times the number
    of labels is the mean total cost per sample. If the scores are calibrated probabilities, the
    threshold of lowest expected cost is false_alarm ÷ (miss + false_alarm).

    Parameters
    ----------
    miss : number of 0 or more, or one for each label
        The cost of a label that is true and not predicted, in the unit of ``false_alarm``. A
        Series must have the columns of the label matrix as its index, if that matrix is a
        DataFrame.
    false_alarm : number of 0 or more, or one for each label
        The cost of a label that is predicted and not true.
    average : "macro" or None
        Mean over labels, or a value per label.

    References
    ----------
    C. Elkan, "The foundations of cost-sensitive learning", IJCAI 2001.

    Examples
    --------
    >>> y_true, y_pred = [[1, 0], [1, 0], [0, 1], [0, 0]], [[1, 0], [0, 1], [0, 1], [0, 0]]
    >>> cost(y_true, y_pred, miss=6, false_alarm=2, average=None)
    array([1.5, 0.5])
    >>> cost(y_true, y_pred, miss=6, false_alarm=[2, 6])
    1.5
    """
    counts.check_macro_or_none(average)
    data = read_label_sets(y_true, y_pred, sample_weight)
    prices = {"miss": miss, "false_alarm": false_alarm}
    for name, price in prices.items():
        aligned = align_to_labels(price, name, y_true=y_true, y_pred=y_pred)
        prices[name] = read_prices(aligned, data.shape[1], name)
    formula = partial(counts.cost, **prices)
    # Any value of 0/0 would do: it occurs only without known cells of positive weight, and is nan.
    return average_ratio(formula, counts.count(data, axis=0), average, zero_division=0.0)


@documented
def specificity(
    y_true: LabelMatrix,
    y_pred: LabelMatrix,
    *,
    average: Average = "macro",
    zero_division: ZeroDivision = 0.0,
    sample_weight: Any = None,
) -> float | FloatArray:
    r"""Of the samples without a label, the share not predicted to have it: the true negative rate.

    .. math:: \frac{TN}{TN + FP}

    Range 0 to 1, higher is better. 0/0 where every sample has the label. A label that is rare and
    rarely predicted has a specificity near 1, and one that is neither true nor predicted anywhere
    has 1.

    References
    ----------
    J. Yerushalmy, "Statistical problems in assessing methods of medical diagnosis", 1947.

    Examples
    --------
    >>> y_true, y_pred = [[1, 0], [1, 0], [0, 1], [0, 0]], [[1, 0], [0, 1], [0, 1], [0, 0]]
    >>> specificity(y_true, y_pred, average=None)
    array([1.        , 0.66666667])
    """
    return _average(counts.specificity, y_true, y_pred, average, zero_division, sample_weight)


@documented
def negative_predictive_value(
    y_true: LabelMatrix,
    y_pred: LabelMatrix,
    *,
    average: Average = "macro",
    zero_division: ZeroDivision = 0.0,
    sample_weight: Any = None,
) -> float | FloatArray:
    r"""Of the samples predicted not to have a label, the share that do not have it.

    .. math:: \frac{TN}{TN + FN}

    Range 0 to 1, higher is better. 0/0 where a label is predicted for every sample.

    References
    ----------
    T. J. Vecchio, "Predictive value of a single diagnostic test in unselected populations", 1966.

    Examples
    --------
    >>> y_true, y_pred = [[1, 0], [1, 0], [0, 1], [0, 0]], [[1, 0], [0, 1], [0, 1], [0, 0]]
    >>> negative_predictive_value(y_true, y_pred, average=None)
    array([0.66666667, 1.        ])
    """
    formula = counts.negative_predictive_value
    return _average(formula, y_true, y_pred, average, zero_division, sample_weight)


@documented
def balanced_accuracy(
    y_true: LabelMatrix,
    y_pred: LabelMatrix,
    *,
    average: Average = "macro",
    zero_division: ZeroDivision = 0.0,
    sample_weight: Any = None,
) -> float | FloatArray:
    r"""Mean of a label's recall and specificity.

    .. math:: \frac{1}{2} \left( \frac{TP}{TP + FN} + \frac{TN}{TN + FP} \right)

    Range 0 to 1, higher is better; a constant prediction has 1/2. If no sample or every sample has
    the label, one rate is 0/0 and the whole value is ``zero_division``, even if every cell is
    right; scikit-learn's function warns and returns the other rate.

    References
    ----------
    K. H. Brodersen et al., "The balanced accuracy and its posterior distribution", ICPR 2010.

    Examples
    --------
    >>> y_true, y_pred = [[1, 0], [1, 0], [0, 1], [0, 0]], [[1, 0], [0, 1], [0, 1], [0, 0]]
    >>> balanced_accuracy(y_true, y_pred, average=None)
    array([0.75      , 0.83333333])
    """
    return _average(counts.balanced_accuracy, y_true, y_pred, average, zero_division, sample_weight)


@documented
def matthews_correlation(
    y_true: LabelMatrix,
    y_pred: LabelMatrix,
    *,
    average: Average = "macro",
    zero_division: ZeroDivision = 0.0,
    sample_weight: Any = None,
) -> float | FloatArray:
    r"""Correlation of a label's truth and prediction: Matthews' coefficient, also called phi.

    .. math:: \frac{TP \cdot TN - FP \cdot FN}
        {\sqrt{(TP + FP)(TP + FN)(TN + FP)(TN + FN)}}

    Range -1 to 1, higher is better; 0 is no better than chance. 0/0 where no sample or every sample
    has the label, or is predicted to have it.

    References
    ----------
    Matthews, "Comparison of the predicted and observed secondary structure of T4 phage lysozyme",
    1975.

    Examples
    --------
    >>> y_true, y_pred = [[1, 0], [1, 0], [0, 1], [0, 0]], [[1, 0], [0, 1], [0, 1], [0, 0]]
    >>> matthews_correlation(y_true, y_pred)
    0.5773502691896258
    """
    formula = counts.matthews_correlation
    return _average(formula, y_true, y_pred, average, zero_division, sample_weight)


@documented
def kappa(
    y_true: LabelMatrix,
    y_pred: LabelMatrix,
    *,
    average: Average = "macro",
    zero_division: ZeroDivision = 0.0,
    sample_weight: Any = None,
) -> float | FloatArray:
    r"""Agreement of a label's truth and prediction beyond chance: Cohen's kappa.

    .. math:: \frac{2 (TP \cdot TN - FP \cdot FN)}{(TP + FP)(TN + FP) + (TP + FN)(TN + FN)}

    which is (p − q) ÷ (1 − q) with p the share of right samples, and q the share expected if truth
    and prediction are independent. Range -1 to 1, higher is better. 0/0 where truth and prediction
    both have the label in every sample, or both in none.

    References
    ----------
    J. Cohen, "A coefficient of agreement for nominal scales", 1960.

    Examples
    --------
    >>> y_true, y_pred = [[1, 0], [1, 0], [0, 1], [0, 0]], [[1, 0], [0, 1], [0, 1], [0, 0]]
    >>> kappa(y_true, y_pred)
    0.5
    """
    return _average(counts.kappa, y_true, y_pred, average, zero_division, sample_weight)


def _average(
    formula: Any, y_true: Any, y_pred: Any, average: Average, zero_division: Any, sample_weight: Any
) -> float | FloatArray:
    """Average over labels of a formula of each label's counts, or its value of all cells."""
    data = read_label_sets(y_true, y_pred, sample_weight)
    check_options(average=average, zero_division=zero_division)
    # Micro adds up the counts of either axis. Those per sample are faster for CSR arrays, but have
    # no weights.
    axis = 1 if AVERAGES[average].is_pooled and data.weight is None else 0
    return average_ratio(formula, counts.count(data, axis=axis), average, zero_division)
