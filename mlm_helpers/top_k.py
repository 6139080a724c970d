"""Top-k metrics: only the k labels of highest score of each sample count, as on a screen.

Where scores are tied, ``ties`` decides which labels these are; by default a value is the mean over
all orders of tied labels. Scores may be sparse. Then a label without a stored score is never among
the first k, so there may be fewer than k.

In the formulas, Y are the relevant labels of sample i, T its first k labels, and r is the rank.
"""

from functools import partial
from typing import Any

import numpy as np

from mlm_helpers._core import counts, ordering
from mlm_helpers._core.documented import documented
from mlm_helpers._core.inputs.ancestry import align_to_labels
from mlm_helpers._core.inputs.data import Data, FloatArray, LabelMatrix, ScoreMatrix
from mlm_helpers._core.inputs.options import TopKTies, check_options, check_top_k_ties, read_k
from mlm_helpers._core.inputs.read import read_label_scores, read_labels, read_per_label

__all__ = [
    "inverse_propensities", "ndcg", "precision", "propensity_scored_ndcg",
    "propensity_scored_precision", "r_precision", "recall", "rp",
]  # fmt: skip


@documented
def precision(
    y_true: LabelMatrix,
    y_score: ScoreMatrix,
    *,
    k: int,
    ties: TopKTies = "average",
    sample_weight: Any = None,
    per_sample: bool = False,
) -> float | FloatArray:
    r"""Mean share of relevant labels among the first k: P@k.

    .. math:: \frac{1}{n} \sum_i \frac{|Y_i \cap T_i|}{k}

    Range 0 to 1, higher is better; a sample of fewer than k relevant labels cannot reach 1. The
    number of relevant labels is divided by k even where fewer than k labels are scored or known.

    References
    ----------
    Jain et al., "Extreme multi-label loss functions for recommendation, tagging, ranking &
    other missing label applications", 2016.

    Examples
    --------
    >>> precision([[1, 0, 1, 0, 0]], [[0.3, 0.4, 0.5, 0.1, 0.15]], k=2)
    0.5
    >>> precision([[1, 0, 0]], [[0.5, 0.5, 0.1]], k=1)
    0.5
    """
    formula = partial(ordering.precision_at, k=read_k(k))
    args = y_true, y_score, sample_weight
    # No sample is undefined, because k is not 0.
    return _mean_over_samples(formula, args, ties, undefined=0.0, per_sample=per_sample)


@documented
def recall(
    y_true: LabelMatrix,
    y_score: ScoreMatrix,
    *,
    k: int,
    ties: TopKTies = "average",
    undefined: float = 0.0,
    sample_weight: Any = None,
    per_sample: bool = False,
) -> float | FloatArray:
    r"""Mean share of the relevant labels that are among the first k: R@k.

    .. math:: \frac{1}{n} \sum_i \frac{|Y_i \cap T_i|}{|Y_i|}

    Range 0 to 1, higher is better; a sample of more than k relevant labels cannot reach 1.

    References
    ----------
    Manning et al., "Introduction to information retrieval", 2008, section 8.4.

    Examples
    --------
    >>> recall([[1, 0, 1, 0, 0]], [[0.3, 0.4, 0.5, 0.1, 0.15]], k=3)
    1.0
    """
    formula = partial(ordering.recall_at, k=read_k(k))
    args = y_true, y_score, sample_weight
    return _mean_over_samples(formula, args, ties, undefined, per_sample)


@documented
def r_precision(
    y_true: LabelMatrix,
    y_score: ScoreMatrix,
    *,
    ties: TopKTies = "average",
    undefined: float = 0.0,
    sample_weight: Any = None,
    per_sample: bool = False,
) -> float | FloatArray:
    r"""R-precision: mean precision at k, where k is each sample's number of relevant labels.

    .. math:: \frac{1}{n} \sum_i \frac{\sum_{j \in Y_i} [r_i(j) \leq |Y_i|]}{|Y_i|}

    It is precision and recall at this k at once, because both divide by the number of relevant
    labels. Range 0 to 1, higher is better.

    References
    ----------
    Manning et al., "Introduction to information retrieval", 2008, section 8.4. YouTube-8M calls it
    PERR, precision at equal recall rate.

    Examples
    --------
    >>> r_precision([[1, 0, 1], [0, 1, 0]], [[0.9, 0.8, 0.1], [0.7, 0.6, 0.5]])  # 1/2 and 0/1
    0.25
    """
    args = y_true, y_score, sample_weight
    return _mean_over_samples(ordering.r_precision, args, ties, undefined, per_sample)


@documented
def rp(
    y_true: LabelMatrix,
    y_score: ScoreMatrix,
    *,
    k: int,
    ties: TopKTies = "average",
    undefined: float = 0.0,
    sample_weight: Any = None,
    per_sample: bool = False,
) -> float | FloatArray:
    r"""R-precision at k, RP@k: hits among the first k ÷ the largest possible number of hits.

    .. math:: \frac{1}{n} \sum_i \frac{|Y_i \cap T_i|}{\min(k, |Y_i|)}

    It is `precision` for a sample of k relevant labels or more, and `recall` for one of k or fewer.
    Range 0 to 1, higher is better.

    References
    ----------
    Chalkidis et al., "Large-scale multi-label text classification on EU legislation", 2019.

    Examples
    --------
    >>> rp([[1, 0, 1], [0, 1, 0]], [[0.9, 0.8, 0.1], [0.7, 0.6, 0.5]], k=2)  # 1/2 and 1/1
    0.75
    >>> rp([[1, 1, 1]], [[3, 2, 1]], k=2), precision([[1, 1, 1]], [[3, 2, 1]], k=2)
    (1.0, 1.0)
    >>> rp([[1, 0, 0]], [[3, 2, 1]], k=2), recall([[1, 0, 0]], [[3, 2, 1]], k=2)
    (1.0, 1.0)
    """
    formula = partial(ordering.r_precision_at, k=read_k(k))
    args = y_true, y_score, sample_weight
    return _mean_over_samples(formula, args, ties, undefined, per_sample)


@documented
def ndcg(
    y_true: LabelMatrix,
    y_score: ScoreMatrix,
    *,
    k: int,
    ties: TopKTies = "average",
    undefined: float = 0.0,
    sample_weight: Any = None,
    per_sample: bool = False,
) -> float | FloatArray:
    r"""Normalized discounted cumulative gain: a hit counts less, the lower its rank.

    .. math:: \frac{1}{n} \sum_i \frac{\sum_{j \in Y_i \cap T_i} \frac{1}{\log_2(r_i(j) + 1)}}
        {\sum_{j = 1}^{\min(k, |Y_i|)} \frac{1}{\log_2(j + 1)}}

    The denominator is the sum for the best order. Range 0 to 1, higher is better.

    References
    ----------
    Järvelin & Kekäläinen, "Cumulated gain-based evaluation of IR techniques", 2002; for its mean
    over ties, McSherry & Najork, "Computing information retrieval performance measures efficiently
    in the presence of tied scores", 2008.

    Examples
    --------
    >>> ndcg([[0, 0, 1, 0]], [[0.4, 0.3, 0.2, 0.1]], k=3)  # third place: 1 / log2(4)
    0.5
    """
    formula = partial(ordering.ndcg_at, k=read_k(k))
    args = y_true, y_score, sample_weight
    return _mean_over_samples(formula, args, ties, undefined, per_sample)


def inverse_propensities(y_train: LabelMatrix, *, a: float = 0.55, b: float = 1.5) -> FloatArray:
    """Estimate of 1 ÷ propensity for each label, from its frequency in training.

    The propensity is the chance that a true label is annotated. For N samples, n of which have the
    label, the estimate is 1 + C (n + b)^−a, where C = (ln N − 1) (b + 1)^a. A label of one sample
    gets ln N, whatever a and b are. Bad input raises a TypeError or a ValueError.

    Parameters
    ----------
    y_train : matrix of 0 and 1, shape (n_samples, n_labels)
        The training set, of 3 samples or more.
    a, b : floats of 0 or more
        0.55 and 1.5 by default; 0.5 and 0.4 for Wikipedia, 0.6 and 2.6 for Amazon.

    Returns
    -------
    array of shape (n_labels,)
        Numbers of 1 or more; a rarer label has a larger one if a > 0.

    References
    ----------
    Jain et al., 2016, see `precision`; a critique: Schultheis et al., arXiv 2207.13186.

    Examples
    --------
    >>> inverse_propensities([[1, 1, 0], [1, 0, 0], [1, 0, 0]]).round(3)
    array([1.071, 1.099, 1.131])
    """
    check_options(a=a, b=b)
    y_train = read_labels(y_train, "y_train")
    n_samples = y_train.shape[0]
    if n_samples < 3:
        raise ValueError(f"y_train has {n_samples} of at least 3 samples: give the training set")
    n_positives = counts.count(Data(y_train, y_train), axis=0).tp  # each positive is a TP
    with np.errstate(divide="ignore", over="ignore"):
        inverse = 1 + (np.log(n_samples) - 1) * ((b + 1) / (n_positives + b)) ** a
    if not np.isfinite(inverse).all():
        raise ValueError(f"a is {a} and b is {b}: a label counts infinitely; give a larger b")
    return np.asarray(inverse)


@documented
def propensity_scored_precision(
    y_true: LabelMatrix,
    y_score: ScoreMatrix,
    inverse_propensities: Any,
    *,
    k: int,
    normalize: bool = True,
    ties: TopKTies = "average",
    sample_weight: Any = None,
) -> float:
    """Precision at k in which each hit counts 1 ÷ propensity of its label: PSP@k.

    The value is a ratio of two sums over the data set, not a mean over samples: the inverse
    propensities of the relevant labels among the first k, divided by the same sum for the k
    relevant labels of largest inverse propensity (all of them if a sample has fewer); with
    ``normalize`` nan where no sample has a relevant label. Range 0 to 1 if ``normalize``, higher is
    better.

    References
    ----------
    Jain et al., 2016, see `precision`; a critique: Schultheis et al., arXiv 2207.13186.

    Examples
    --------
    >>> propensity_scored_precision([[1, 0, 1]], [[0.9, 0.5, 0.1]], [1, 1, 4], k=1)
    0.25
    """
    formula = partial(ordering.propensity_scored_at, k=read_k(k), normalize=normalize)
    return _ratio_of_sums(formula, (y_true, y_score, sample_weight), inverse_propensities, ties)


@documented
def propensity_scored_ndcg(
    y_true: LabelMatrix,
    y_score: ScoreMatrix,
    inverse_propensities: Any,
    *,
    k: int,
    normalize: bool = True,
    ties: TopKTies = "average",
    sample_weight: Any = None,
) -> float:
    """The nDCG at k in which each hit counts 1 ÷ propensity of its label: PSnDCG@k.

    It is `propensity_scored_precision` with each hit divided by log2(r + 1), where r is its rank;
    the range is the same.

    References
    ----------
    Jain et al., 2016, see `precision`; a critique: Schultheis et al., arXiv 2207.13186.

    Examples
    --------
    >>> propensity_scored_ndcg([[0, 0, 1]], [[0.9, 0.5, 0.1]], [1, 1, 4], k=3)
    0.5
    """
    formula = partial(ordering.propensity_scored_at, k=read_k(k), normalize=normalize)
    formula = partial(formula, weigh=ordering.discounts)
    return _ratio_of_sums(formula, (y_true, y_score, sample_weight), inverse_propensities, ties)


def _mean_over_samples(
    formula: Any, args: Any, ties: TopKTies, undefined: float, per_sample: bool
) -> float | FloatArray:
    """Mean over samples of a formula of the first k labels, or each sample's if ``per_sample``.

    ``args`` are y_true, y_score and sample_weight.
    """
    check_top_k_ties(ties)
    data = read_label_scores(*args, keep_sparse=True)
    return ordering.mean_over_rankings(formula, data, ties, undefined, per_sample)


def _ratio_of_sums(formula: Any, args: Any, inverse_propensities: Any, ties: TopKTies) -> float:
    """Sum of the numerators of all samples ÷ sum of their denominators.

    ``formula`` is a partial of `ordering.propensity_scored_at`, and ``args`` are y_true, y_score
    and sample_weight.
    """
    check_top_k_ties(ties)
    check_options(normalize=formula.keywords["normalize"])
    data = read_label_scores(*args, keep_sparse=True)
    name = "inverse_propensities"
    values = align_to_labels(inverse_propensities, name, y_true=args[0], y_score=args[1])
    values = read_per_label(values, data.shape[1], name)
    formula = partial(formula, inverse_propensities=values)
    ((numerator, denominator),) = ordering.ratios_per_sample([formula], data, ties)
    return counts.ratio_of_sums(numerator, denominator, data.weight)
