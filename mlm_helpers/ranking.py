"""Ranking metrics: they depend only on the order in which the scores put the labels.

Coverage, ranking loss and average precision are computed from two ranks, of which 1 is the highest
score: a label's rank among all labels, and a relevant one's among the relevant ones. One-error
reads the top labels.
"""

from functools import partial
from typing import Any, Literal

from mlm_helpers._core import ordering
from mlm_helpers._core.documented import documented
from mlm_helpers._core.inputs.data import FloatArray, LabelMatrix, ScoreMatrix
from mlm_helpers._core.inputs.options import Ties, check_options
from mlm_helpers._core.inputs.read import read_label_scores, read_score_matrix
from mlm_helpers._core.ordering import mean_over_rankings

__all__ = ["average_precision", "coverage", "one_error", "ranking_loss", "ranks"]


@documented
def ranks(y_score: ScoreMatrix, *, ties: Ties = "max") -> FloatArray:
    """The rank of each label among those of its sample; 1 is the highest score.

    Parameters
    ----------
    ties
        The rank that tied labels get: all the largest, the smallest or the mean of the ranks that
        they occupy ("max", "min", "average"), or each one of these ranks, in the order of their
        index, the lowest or the highest first ("first", "last").

    Returns
    -------
    array of shape (n_samples, n_labels)

    References
    ----------
    The document "多标签分类评价指标介绍（一）", coverage.

    Examples
    --------
    >>> ranks([[0.3, 0.4, 0.5, 0.1, 0.15]])
    array([[3., 2., 1., 5., 4.]])
    >>> for ties in ("max", "min", "average", "first", "last"):
    ...     print(ties, ranks([[0.5, 0.5, 0.1]], ties=ties))
    max [[2. 2. 3.]]
    min [[1. 1. 3.]]
    average [[1.5 1.5 3. ]]
    first [[1. 2. 3.]]
    last [[2. 1. 3.]]
    """
    check_options(ties=ties)
    return ordering.ranks(read_score_matrix(y_score), ties)


@documented
def coverage(
    y_true: LabelMatrix,
    y_score: ScoreMatrix,
    *,
    start: Literal[0, 1] = 1,
    ties: Ties = "max",
    undefined: float = 0.0,
    sample_weight: Any = None,
    per_sample: bool = False,
) -> float | FloatArray:
    r"""Mean number of labels to read, from the top of the ranking, to have seen every relevant one.

    .. math:: \frac{1}{n} \sum_i \max_{j \in Y_i} r_i(j)

    where r is the rank among all labels, with the top label at rank ``start``. With ``start=0`` the
    value of a sample with relevant labels is one less than the number to read. Range ``start`` to
    n_labels − 1 + ``start``, apart from samples without relevant labels, whose value is
    ``undefined``; lower is better.

    References
    ----------
    The document "多标签分类评价指标介绍（一）", coverage; and Schapire & Singer, "BoosTexter",
    2000, where ranks start at 0.

    Examples
    --------
    >>> coverage([[1, 0, 1, 0, 0]], [[0.3, 0.4, 0.5, 0.1, 0.15]])
    3.0
    """
    check_options(start=start, ties=ties)
    formula = partial(ordering.coverage, start=start)
    data = read_label_scores(y_true, y_score, sample_weight)
    return mean_over_rankings(formula, data, ties, undefined, per_sample)


@documented
def one_error(
    y_true: LabelMatrix,
    y_score: ScoreMatrix,
    *,
    ties: Ties = "max",
    undefined: float = 1.0,
    sample_weight: Any = None,
    per_sample: bool = False,
) -> float | FloatArray:
    r"""Share of samples whose top-ranked label is not relevant.

    .. math:: \frac{1}{n} \sum_i [\text{top label}_i \notin Y_i]

    Range 0 to 1, lower is better. If several labels are tied at the top, it is an error if any of
    them is irrelevant ("max") or only if all are ("min"); the irrelevant share of them counts
    ("average"); or the one of lowest ("first") or highest ("last") index decides.

    References
    ----------
    The document "多标签分类评价指标介绍（一）", one-error; and Schapire & Singer, "BoosTexter",
    2000.

    Examples
    --------
    >>> one_error([[1, 0, 1, 0, 0]], [[0.3, 0.4, 0.5, 0.1, 0.15]])
    0.0
    >>> for ties in ("max", "min", "average", "first", "last"):
    ...     print(ties, one_error([[1, 0]], [[0.5, 0.5]], ties=ties))
    max 1.0
    min 0.0
    average 0.5
    first 0.0
    last 1.0
    """
    check_options(ties=ties)
    data = read_label_scores(y_true, y_score, sample_weight)
    return mean_over_rankings(ordering.one_error, data, ties, undefined, per_sample)


@documented
def ranking_loss(
    y_true: LabelMatrix,
    y_score: ScoreMatrix,
    *,
    ties: Ties = "max",
    undefined: float = 0.0,
    sample_weight: Any = None,
    per_sample: bool = False,
) -> float | FloatArray:
    r"""Mean share of (relevant, irrelevant) label pairs in the wrong order.

    .. math:: \frac{1}{n} \sum_i \frac{\sum_{j \in Y_i} (r_i(j) - r_{Y_i}(j))}{|Y_i| (L - |Y_i|)}

    The irrelevant labels above a relevant one are its rank r among all labels less its rank among
    the relevant ones. Range 0 to 1, lower is better. A tied pair is a full error ("max"), none
    ("min"), half of one ("average"), or judged by index ("first", "last"). The value is undefined
    for a sample without irrelevant labels, too.

    References
    ----------
    The document "多标签分类评价指标介绍（一）", ranking loss; and Schapire & Singer,
    "BoosTexter", 2000.

    Examples
    --------
    >>> ranking_loss([[1, 0, 1, 0, 0]], [[0.3, 0.4, 0.5, 0.1, 0.15]])
    0.16666666666666666
    >>> for ties in ("max", "min", "average", "first", "last"):
    ...     print(ties, ranking_loss([[1, 0]], [[0.5, 0.5]], ties=ties))
    max 1.0
    min 0.0
    average 0.5
    first 0.0
    last 1.0
    """
    check_options(ties=ties)
    data = read_label_scores(y_true, y_score, sample_weight)
    return mean_over_rankings(ordering.ranking_loss, data, ties, undefined, per_sample)


@documented
def average_precision(
    y_true: LabelMatrix,
    y_score: ScoreMatrix,
    *,
    ties: Ties = "max",
    undefined: float = 1.0,
    sample_weight: Any = None,
    per_sample: bool = False,
) -> float | FloatArray:
    r"""Mean share of relevant labels among those ranked at or above each relevant one.

    .. math:: \frac{1}{n} \sum_i \frac{1}{|Y_i|} \sum_{j \in Y_i} \frac{r_{Y_i}(j)}{r_i(j)}

    where r is the rank of a label among all labels of its sample, and r with the index Y its rank
    among the relevant ones; ``ties`` holds for both. So a smaller rank of tied labels does not
    always give a higher value: see the last two examples.
    Range above 0 up to 1, higher is better. Also called label ranking average precision.

    References
    ----------
    The document "多标签分类评价指标介绍（一）", average precision; and Schapire & Singer, 2000,
    see `one_error`.

    Examples
    --------
    >>> average_precision([[1, 0, 1, 0, 0]], [[0.3, 0.4, 0.5, 0.1, 0.15]])
    0.8333333333333333
    >>> average_precision([[0, 1, 1, 1]], [[0.9, 0.5, 0.5, 0.5]], ties="max")  # 3 of 4
    0.75
    >>> average_precision([[0, 1, 1, 1]], [[0.9, 0.5, 0.5, 0.5]], ties="min")  # 1 of 2
    0.5
    """
    check_options(ties=ties)
    data = read_label_scores(y_true, y_score, sample_weight)
    return mean_over_rankings(ordering.average_precision, data, ties, undefined, per_sample)
