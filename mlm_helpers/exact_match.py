"""Exact match: a sample is right only when every one of its labels is right.

Y are the true and Z the predicted labels of sample i.
"""

from typing import Any

from mlm_helpers._core import counts
from mlm_helpers._core.documented import documented
from mlm_helpers._core.inputs.data import FloatArray, LabelMatrix
from mlm_helpers._core.inputs.read import read_label_sets

__all__ = ["subset_accuracy", "zero_one_loss"]


@documented
def subset_accuracy(
    y_true: LabelMatrix, y_pred: LabelMatrix, *, sample_weight: Any = None, per_sample: bool = False
) -> float | FloatArray:
    r"""Share of samples whose predicted label set is exactly the true one.

    .. math:: \frac{1}{n} \sum_i [Z_i = Y_i]

    Range 0 to 1, higher is better. Two empty sets are equal, so it is undefined (nan) only for
    a sample without known labels. Also called exact match ratio, and ``accuracy_score`` in
    scikit-learn.

    References
    ----------
    The document "sklearn中多标签分类场景下的常见的模型评估指标", absolute match ratio.

    Examples
    --------
    >>> y_true = [[0, 1, 0, 1], [0, 1, 1, 0], [1, 0, 1, 1]]
    >>> y_pred = [[0, 1, 1, 0], [0, 1, 1, 0], [0, 1, 0, 1]]
    >>> subset_accuracy(y_true, y_pred)
    0.3333333333333333
    >>> subset_accuracy(y_true, y_pred, per_sample=True)
    array([0., 1., 0.])
    """
    data = read_label_sets(y_true, y_pred, sample_weight)
    return counts.mean_over_samples(counts.exact_match, data, per_sample=per_sample)


@documented
def zero_one_loss(
    y_true: LabelMatrix, y_pred: LabelMatrix, *, sample_weight: Any = None, per_sample: bool = False
) -> float | FloatArray:
    r"""Share of samples with at least one wrong label.

    .. math:: \frac{1}{n} \sum_i [Z_i \neq Y_i]

    It is 1 minus subset accuracy. Range 0 to 1, lower is better. It is undefined (nan) only for a
    sample without known labels.

    References
    ----------
    The document "sklearn中多标签分类场景下的常见的模型评估指标", zero-one loss.

    Examples
    --------
    >>> y_true = [[0, 1, 0, 1], [0, 1, 1, 0], [1, 0, 1, 1]]
    >>> y_pred = [[0, 1, 1, 0], [0, 1, 1, 0], [0, 1, 0, 1]]
    >>> zero_one_loss(y_true, y_pred)
    0.6666666666666666
    """
    data = read_label_sets(y_true, y_pred, sample_weight)
    return counts.mean_over_samples(counts.zero_one_loss, data, per_sample=per_sample)
