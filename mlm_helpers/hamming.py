"""Hamming loss: every cell of the label matrix is one question, right or wrong."""

from typing import Any

from mlm_helpers._core import counts
from mlm_helpers._core.documented import documented
from mlm_helpers._core.inputs.data import FloatArray, LabelMatrix
from mlm_helpers._core.inputs.read import read_label_sets

__all__ = ["hamming_loss"]


@documented
def hamming_loss(
    y_true: LabelMatrix, y_pred: LabelMatrix, *, sample_weight: Any = None, per_sample: bool = False
) -> float | FloatArray:
    r"""Share of the cells of the label matrix that are wrong.

    .. math:: \frac{1}{n} \sum_i \frac{|Y_i \mathbin{\triangle} Z_i|}{L}

    with :math:`Y_i` the true and :math:`Z_i` the predicted labels of sample i, △ the labels in one
    but not in both, and L the number of labels. Range 0 to 1, lower is better. Undefined (nan) only
    without known cells. 1 minus the loss is the share of right cells, which scikit-learn's
    ``accuracy_score`` gives for flattened matrices; `label_based.accuracy` is the share of a single
    label. With unknown cells the loss is the mean over all known cells, so each sample's value is
    weighted by its number of known cells.

    References
    ----------
    The document "sklearn中多标签分类场景下的常见的模型评估指标", Hamming loss; and Schapire &
    Singer, "Improved boosting algorithms using confidence-rated predictions", 1999.

    Examples
    --------
    >>> y_true = [[0, 1, 0, 1], [0, 1, 1, 0], [1, 0, 1, 1]]
    >>> y_pred = [[0, 1, 1, 0], [0, 1, 1, 0], [0, 1, 0, 1]]
    >>> hamming_loss(y_true, y_pred)
    0.4166666666666667
    >>> hamming_loss(y_true, y_pred, per_sample=True)
    array([0.5 , 0.  , 0.75])
    """
    data = read_label_sets(y_true, y_pred, sample_weight).weighted_by_known()
    return counts.mean_over_samples(counts.hamming_loss, data, per_sample=per_sample)
