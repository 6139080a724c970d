"""Example-based metrics: a value per sample, then the mean over samples.

Per sample i, Y is the set of true labels and Z the set of predicted ones. Every metric of this
family is a ratio of the counts of one row; ``zero_division`` decides the value of 0/0.
"""

from functools import partial
from typing import Any

from mlm_helpers._core import counts
from mlm_helpers._core.documented import documented
from mlm_helpers._core.inputs.data import FloatArray, LabelMatrix
from mlm_helpers._core.inputs.options import ZeroDivision, check_options
from mlm_helpers._core.inputs.read import read_label_sets

__all__ = ["accuracy", "f1", "fbeta", "precision", "recall"]


@documented
def accuracy(
    y_true: LabelMatrix,
    y_pred: LabelMatrix,
    *,
    zero_division: ZeroDivision = 0.0,
    sample_weight: Any = None,
    per_sample: bool = False,
) -> float | FloatArray:
    r"""Mean over samples of the share of labels true and predicted among those true or predicted.

    .. math:: \frac{1}{n} \sum_i \frac{|Y_i \cap Z_i|}{|Y_i \cup Z_i|}

    Range 0 to 1, higher is better. 0/0 where a sample has neither true nor predicted labels. A
    sample's value is the Jaccard index of both label sets.

    References
    ----------
    The document "多標籤分類的評估指標筆記", accuracy; and Godbole & Sarawagi, "Discriminative
    methods for multi-labeled classification", 2004.

    Examples
    --------
    >>> y_true = [[1, 0, 1, 1], [1, 1, 0, 0], [1, 0, 1, 0]]
    >>> y_pred = [[1, 0, 0, 0], [0, 1, 0, 1], [1, 1, 1, 0]]
    >>> accuracy(y_true, y_pred)
    0.4444444444444444
    """
    data = read_label_sets(y_true, y_pred, sample_weight)
    return counts.mean_over_samples(counts.jaccard, data, zero_division, per_sample)


@documented
def precision(
    y_true: LabelMatrix,
    y_pred: LabelMatrix,
    *,
    zero_division: ZeroDivision = 0.0,
    sample_weight: Any = None,
    per_sample: bool = False,
) -> float | FloatArray:
    r"""Mean over samples of the share of relevant labels among those predicted.

    .. math:: \frac{1}{n} \sum_i \frac{|Y_i \cap Z_i|}{|Z_i|}

    Range 0 to 1, higher is better. 0/0 where nothing is predicted for a sample.

    References
    ----------
    The document "多標籤分類的評估指標筆記", precision; and Godbole & Sarawagi, 2004, see
    `accuracy`.

    Examples
    --------
    >>> y_true = [[1, 0, 1, 1], [1, 1, 0, 0], [1, 0, 1, 0]]
    >>> y_pred = [[1, 0, 0, 0], [0, 1, 0, 1], [1, 1, 1, 0]]
    >>> precision(y_true, y_pred)
    0.7222222222222222
    """
    data = read_label_sets(y_true, y_pred, sample_weight)
    return counts.mean_over_samples(counts.precision, data, zero_division, per_sample)


@documented
def recall(
    y_true: LabelMatrix,
    y_pred: LabelMatrix,
    *,
    zero_division: ZeroDivision = 0.0,
    sample_weight: Any = None,
    per_sample: bool = False,
) -> float | FloatArray:
    r"""Mean over samples of the share of predicted labels among those relevant.

    .. math:: \frac{1}{n} \sum_i \frac{|Y_i \cap Z_i|}{|Y_i|}

    Range 0 to 1, higher is better. 0/0 where a sample has no true label.

    References
    ----------
    The document "多標籤分類的評估指標筆記", recall; and Godbole & Sarawagi, 2004, see `accuracy`.

    Examples
    --------
    >>> y_true = [[1, 0, 1, 1], [1, 1, 0, 0], [1, 0, 1, 0]]
    >>> y_pred = [[1, 0, 0, 0], [0, 1, 0, 1], [1, 1, 1, 0]]
    >>> recall(y_true, y_pred)
    0.611111111111111
    """
    data = read_label_sets(y_true, y_pred, sample_weight)
    return counts.mean_over_samples(counts.recall, data, zero_division, per_sample)


@documented
def f1(
    y_true: LabelMatrix,
    y_pred: LabelMatrix,
    *,
    zero_division: ZeroDivision = 0.0,
    sample_weight: Any = None,
    per_sample: bool = False,
) -> float | FloatArray:
    r"""Mean over samples of the harmonic mean of a sample's precision and recall.

    .. math:: \frac{1}{n} \sum_i \frac{2 |Y_i \cap Z_i|}{|Y_i| + |Z_i|}

    Range 0 to 1, higher is better. 0/0 where a sample has neither true nor predicted labels. It is
    the mean of the F1s, not the F1 of the mean precision and the mean recall.

    References
    ----------
    The document "多標籤分類的評估指標筆記", F1-score; and Godbole & Sarawagi, 2004, see `accuracy`.

    Examples
    --------
    >>> y_true = [[1, 0, 1, 1], [1, 1, 0, 0], [1, 0, 1, 0]]
    >>> y_pred = [[1, 0, 0, 0], [0, 1, 0, 1], [1, 1, 1, 0]]
    >>> f1(y_true, y_pred)
    0.6
    """
    data = read_label_sets(y_true, y_pred, sample_weight)
    return counts.mean_over_samples(counts.f1, data, zero_division, per_sample)


@documented
def fbeta(
    y_true: LabelMatrix,
    y_pred: LabelMatrix,
    *,
    beta: float,
    zero_division: ZeroDivision = 0.0,
    sample_weight: Any = None,
    per_sample: bool = False,
) -> float | FloatArray:
    r"""Mean over samples of the F-score in which recall is beta times as important as precision.

    .. math:: \frac{1}{n} \sum_i \frac{(1 + \beta^2) |Y_i \cap Z_i|}{\beta^2 |Y_i| + |Z_i|}

    Range 0 to 1, higher is better. 0/0 where a sample has neither true nor predicted labels (for
    ``beta=0``, where nothing is predicted).

    References
    ----------
    C. J. van Rijsbergen, "Information Retrieval", 2nd edition, 1979, chapter 7.

    Examples
    --------
    >>> y_true = [[1, 0, 1, 1], [1, 1, 0, 0], [1, 0, 1, 0]]
    >>> y_pred = [[1, 0, 0, 0], [0, 1, 0, 1], [1, 1, 1, 0]]
    >>> fbeta(y_true, y_pred, beta=2)
    0.5979020979020979
    """
    check_options(beta=beta)
    formula = partial(counts.fbeta, beta=beta)
    data = read_label_sets(y_true, y_pred, sample_weight)
    return counts.mean_over_samples(formula, data, zero_division, per_sample)
