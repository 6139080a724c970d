"""Probability metrics: whether the score of a label is the probability that a sample has it.

Log loss and Brier score give each cell a loss, whose expected value is lowest when the predicted
probability is the true one. Calibration error puts a label's samples into bins by their
probability, and compares each bin's mean probability with its share of positives. Log loss and
Brier score do not need "micro": if the known cells of every label have the same total weight, the
mean over all is the macro value.
"""

import math
from collections.abc import Callable
from functools import partial
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mlm_helpers._core import losses
from mlm_helpers._core.averages import AVERAGES
from mlm_helpers._core.counts import average_labels, check_macro_or_none, safe_divide
from mlm_helpers._core.documented import documented
from mlm_helpers._core.inputs.data import Data, FloatArray, LabelMatrix, ScoreMatrix, as_score_dtype
from mlm_helpers._core.inputs.options import Norm, check_average, check_options
from mlm_helpers._core.inputs.read import read_one_label, read_probabilities

__all__ = ["Reliability", "brier", "calibration_error", "log_loss", "reliability"]

check_macro_micro_or_none = partial(check_average, allowed=("macro", "micro", None))


class Reliability(NamedTuple):
    """The bins of one label that contain a sample: arrays of one length, the lowest bin first."""

    mean_probability: FloatArray
    share: FloatArray
    samples: NDArray[np.intp]


@documented
def log_loss(
    y_true: LabelMatrix,
    y_prob: ScoreMatrix,
    *,
    average: Literal["macro"] | None = "macro",
    clip: float | None = None,
    sample_weight: Any = None,
) -> float | FloatArray:
    r"""Mean of −ln of the probability of each cell's truth: p for a true label, else 1 − p.

    .. math:: -\frac{1}{n} \sum_{i} (y_i \ln p_i + (1 - y_i) \ln(1 - p_i))

    of each label, averaged as ``average`` says. Range −ln(1 − ``clip``), about 0 by default, to −ln
    ``clip``, lower is better; probability 1/2 everywhere has ln 2 ≈ 0.693. Known as binary
    cross-entropy. scikit-learn's ``log_loss`` reads a label matrix as classes, one per sample, and
    returns another number.

    References
    ----------
    Good, "Rational Decisions", Journal of the Royal Statistical Society B 14, 1952.

    Examples
    --------
    >>> y_true, y_prob = [[1, 0], [0, 0]], [[0.5, 0.5], [0.5, 0.5]]
    >>> round(log_loss(y_true, y_prob), 4)
    0.6931
    """
    check_options(clip=clip)
    data = read_probabilities(y_true, y_prob, sample_weight)
    return _mean_label_losses(partial(losses.binary_cross_entropy, clip=clip), data, average)


@documented
def brier(
    y_true: LabelMatrix,
    y_prob: ScoreMatrix,
    *,
    average: Literal["macro"] | None = "macro",
    sample_weight: Any = None,
) -> float | FloatArray:
    r"""Mean squared difference of probability and truth, which is 1 or 0.

    .. math:: \frac{1}{n} \sum_{i} (p_i - y_i)^2

    of each label, averaged as ``average`` says. Range 0 to 1, lower is better; probability 1/2
    everywhere has 1/4. The Brier score of one label is scikit-learn's ``brier_score_loss``.

    References
    ----------
    Brier, "Verification of forecasts expressed in terms of probability", Monthly Weather Review 78,
    1950; he adds the squares of both classes, which is twice as much.

    Examples
    --------
    >>> brier([[1, 0], [0, 0]], [[0.9, 0.2], [0.4, 0.2]], average=None).round(3)
    array([0.085, 0.04 ])
    """
    data = read_probabilities(y_true, y_prob, sample_weight)
    return _mean_label_losses(losses.squared_error, data, average)


@documented
def calibration_error(
    y_true: LabelMatrix,
    y_prob: ScoreMatrix,
    *,
    bins: int = 10,
    norm: Norm = "l1",
    average: Literal["macro", "micro"] | None = "macro",
    sample_weight: Any = None,
) -> float | FloatArray:
    r"""Distance between mean probability and share of positives, over the bins of a label.

    .. math:: \sum_b \frac{|B_b|}{n} \lvert \bar{p}_b - \bar{y}_b \rvert

    over the bins B_b of each label under ``norm="l1"``, averaged as ``average`` says; a bin that
    holds no sample is left out. Range 0 to 1, lower is better. Under "l1" the label's mean is the
    expected calibration error (ECE) of its probability, not of max(p, 1 − p), the confidence in the
    more probable answer. The bins are [0, 1/B], (1/B, 2/B], …: a probability on an edge is in the
    lower bin, as in scikit-learn; in torchmetrics it is in the upper one. Many bins with few
    samples each bias the error upwards.

    Parameters
    ----------
    average : "macro", "micro" or None
        Mean over labels, one list of all cells, whose bins are pooled, or a value per label.

    References
    ----------
    Naeini et al., "Obtaining Well Calibrated Probabilities Using Bayesian Binning", 2015; Kumar et
    al., "Verified Uncertainty Calibration", 2019, for ``norm="l2"``.

    Examples
    --------
    >>> y_true, y_prob = [[0], [0], [1], [1]], [[0.25], [0.25], [0.75], [0.75]]
    >>> calibration_error(y_true, y_prob, bins=2)
    0.25
    >>> reliability([1, 0], [0.5, 0.6], bins=2).mean_probability
    array([0.5, 0.6])
    """
    check_options(bins=bins, norm=norm)
    check_macro_micro_or_none(average)
    data = read_probabilities(y_true, y_prob, sample_weight)
    weight, difference = _sums_per_bin(data, int(bins))
    if AVERAGES[average].is_pooled:
        weight, difference = (sums.sum(axis=0, keepdims=True) for sums in (weight, difference))
    total = np.broadcast_to(weight.sum(axis=1, keepdims=True), weight.shape)
    share = safe_divide(weight, total, math.nan)
    # Empty bins have the gap 0; but all bins of a label without samples have nan, as their share.
    gap = safe_divide(np.abs(difference), weight, undefined=0 * share)
    values = NORMS[norm](share, gap)
    return average_labels(values, support=None, average=average)


def reliability(y_true: LabelMatrix, y_prob: ScoreMatrix, *, bins: int = 10) -> Reliability:
    """Mean probability, share of positives and number of samples of each bin of one label.

    These are the points of a reliability diagram, as scikit-learn's ``calibration_curve`` computes
    them; points on its diagonal are perfectly calibrated. The bins are those of
    `calibration_error`; empty bins are left out. Bad input raises a TypeError or a ValueError.

    Parameters
    ----------
    y_true : list of 0 and 1, shape (n_samples,)
        Or one column of a matrix.
    y_prob : list of numbers from 0 to 1, shape (n_samples,)
    bins : int
        The number of bins of equal width.

    Examples
    --------
    >>> reliability([0, 0, 1, 1], [0.25, 0.25, 0.75, 0.75], bins=2).share
    array([0., 1.])
    """
    check_options(bins=bins)
    truth, probability = read_one_label(y_true, y_prob, "y_prob")
    bin_index = _bin_of(probability, int(bins))
    samples = np.bincount(bin_index)
    sums = (np.bincount(bin_index, values.astype(float)) for values in (probability, truth))
    mean, share = (total[samples > 0] / samples[samples > 0] for total in sums)
    return Reliability(mean, share, samples[samples > 0])


def _mean_label_losses(loss: Any, data: Data, average: Any) -> float | FloatArray:
    """The mean loss of each label's known cells if ``average`` is None, else the mean over labels.

    ``loss`` is a function of `losses` with its options bound, as for `losses.cell_losses`.
    """
    check_macro_or_none(average)
    weight = np.ones(data.shape[0]) if data.weight is None else data.weight
    total = np.zeros(data.shape[1])
    for rows in data.row_blocks():
        total += weight[rows] @ losses.cell_losses(loss, data, rows)
    values = safe_divide(total, data.label_weights, math.nan)
    return average_labels(values, support=None, average=average)


NORMS: dict[str, Callable[[FloatArray, FloatArray], FloatArray]] = {
    "l1": lambda share, gap: (share * gap).sum(axis=1),
    "l2": lambda share, gap: np.sqrt((share * gap**2).sum(axis=1)),
    "max": lambda share, gap: gap.max(axis=1),
}
"""Calibration error of each label, from each bin's share of samples and its gap.

Both are arrays of shape (n_labels, n_bins).
"""


def _bin_of(probability: NDArray[Any], n_bins: int) -> NDArray[np.integer[Any]]:
    """Index of the bin of each probability, from 0; an edge belongs to the bin below it."""
    edges = as_score_dtype(np.arange(1, n_bins) / n_bins, probability)
    if n_bins > 32:
        return np.searchsorted(edges, probability)
    # For few edges, whose number fits a byte, a loop is faster than a search.
    n_below = np.zeros(probability.shape, dtype=np.uint8)
    for edge in edges:
        n_below += probability > edge
    return n_below


def _sums_per_bin(data: Data, n_bins: int) -> tuple[FloatArray, FloatArray]:
    """Weight of the samples, and weighted sum of truth − probability, of each label and bin.

    Both have the shape (n_labels, n_bins).
    """
    shape = data.shape[1], n_bins
    weight, difference = np.zeros((2, data.shape[1] * n_bins))
    first_bin = np.arange(data.shape[1]) * n_bins  # of each label, in one list of all bins
    for rows in data.row_blocks():
        block = data.select_samples(rows)
        bin_index = np.add(_bin_of(block.prediction, n_bins), first_bin, dtype=np.intp).ravel()
        per_cell = block.cell_weights * np.subtract(block.truth, block.prediction, dtype=float)
        weight += np.bincount(bin_index, block.cell_weights.ravel(), minlength=len(weight))
        difference += np.bincount(bin_index, per_cell.ravel(), minlength=len(weight))
    return weight.reshape(shape), difference.reshape(shape)
