"""Ranking metrics: no threshold, only the order in which the scores put the labels.

Every metric of this family is read off two ranks: a label's rank among all labels, and a relevant
label's rank among the relevant ones. Rank 1 is the highest score. Who wins a tie is what ``ties``
says, and a sample on which a metric does not exist is worth what ``undefined`` says.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlm_helpers import inputs
from mlm_helpers.counts import summary
from mlm_helpers.inputs import FloatArray, LabelMatrix, ScoreMatrix


def ranks(y_score: Any, *, ties: str = "worst") -> FloatArray:
    """Rank the labels of each sample by score; 1 is the highest score.

    Parameters
    ----------
    y_score : matrix of finite numbers, shape (n_samples, n_labels)
    ties : "worst", "best", "average", "first" or "last"
        Tied labels share the largest, smallest or mean of their ranks, or are put in order of
        their index, lowest or highest first.

    Returns
    -------
    array of shape (n_samples, n_labels)

    Raises
    ------
    TypeError, ValueError
        One sentence that names the argument, the first offending value and the remedy.

    References
    ----------
    The document "多标签分类评价指标介绍（一）", coverage.

    Examples
    --------
    >>> ranks([[0.3, 0.4, 0.5, 0.1, 0.15]])
    array([[3., 2., 1., 5., 4.]])
    >>> ranks([[0.5, 0.5, 0.1]], ties="average")
    array([[1.5, 1.5, 3. ]])
    """
    inputs.one_of(ties, inputs.TIES, "ties")
    score = inputs.scores(y_score)
    return _ranks_among(np.ones(score.shape, dtype=bool), score, ties)


def coverage(
    y_true: Any,
    y_score: Any,
    *,
    start: int = 1,
    ties: str = "worst",
    undefined: float = 0.0,
    sample_weight: Any = None,
    per_sample: bool = False,
) -> float | FloatArray:
    r"""Mean depth to which one must read the ranked labels to meet every relevant one.

    .. math:: \frac{1}{n} \sum_i \max_{j \in Y_i} \mathrm{rank}_i(j)

    with the top label at rank ``start``. Range ``start`` to n_labels − 1 + ``start``, in labels,
    lower is better.

    Parameters
    ----------
    y_true : matrix of 0 and 1, shape (n_samples, n_labels)
    y_score : matrix of finite numbers, shape (n_samples, n_labels)
    start : 1 or 0
        The rank of the top label: 1 in scikit-learn, 0 in the papers and in MULAN.
    ties : "worst", "best", "average", "first" or "last"
        Who wins a tie, see `ranks`.
    undefined : float
        The value of a sample without relevant labels, returned as it is; nan leaves it out.
    sample_weight : array of shape (n_samples,), optional
    per_sample : bool
        Return the value of each sample (nan where it is left out) instead of their mean.

    Returns
    -------
    float, or array of shape (n_samples,)

    Raises
    ------
    TypeError, ValueError
        One sentence that names the argument, the first offending value and the remedy.

    References
    ----------
    The document "多标签分类评价指标介绍（一）", coverage; and Schapire & Singer, "BoosTexter", 2000,
    which counts from 0.

    Examples
    --------
    >>> coverage([[1, 0, 1, 0, 0]], [[0.3, 0.4, 0.5, 0.1, 0.15]])
    3.0
    """
    inputs.one_of(start, (0, 1), "start")
    truth, score, weight = _read(y_true, y_score, sample_weight, ties, undefined)
    deepest = np.where(truth, _ranks_among_all(score, ties), 0).max(axis=1)
    value = np.where(truth.any(axis=1), deepest - 1 + start, undefined)
    return summary(value, weight, per_sample)


def one_error(
    y_true: Any,
    y_score: Any,
    *,
    ties: str = "worst",
    undefined: float = 1.0,
    sample_weight: Any = None,
    per_sample: bool = False,
) -> float | FloatArray:
    r"""Share of samples whose top-ranked label is not relevant.

    .. math:: \frac{1}{n} \sum_i [\arg\max_j s_{ij} \notin Y_i]

    Range 0 to 1, lower is better. Where several labels are tied at the top: an error if any of them
    is irrelevant ("worst"), only if all are ("best"), the irrelevant share of them ("average"), or
    judged by the one of lowest ("first") or highest ("last") index.

    Parameters
    ----------
    y_true : matrix of 0 and 1, shape (n_samples, n_labels)
    y_score : matrix of finite numbers, shape (n_samples, n_labels)
    ties : "worst", "best", "average", "first" or "last"
        Who wins a tie.
    undefined : float
        The value of a sample without relevant labels, returned as it is; nan leaves it out.
    sample_weight : array of shape (n_samples,), optional
    per_sample : bool
        Return the value of each sample (nan where it is left out) instead of their mean.

    Returns
    -------
    float, or array of shape (n_samples,)

    Raises
    ------
    TypeError, ValueError
        One sentence that names the argument, the first offending value and the remedy.

    References
    ----------
    The document "多标签分类评价指标介绍（一）", one-error; and Schapire & Singer, "BoosTexter", 2000.

    Examples
    --------
    >>> one_error([[1, 0, 1, 0, 0]], [[0.3, 0.4, 0.5, 0.1, 0.15]])
    0.0
    >>> one_error([[1, 0]], [[0.5, 0.5]], ties="average")
    0.5
    """
    truth, score, weight = _read(y_true, y_score, sample_weight, ties, undefined)
    rank = _ranks_among_all(score, ties)
    top = rank == rank.min(axis=1, keepdims=True)
    error = (top & ~truth).sum(axis=1) / top.sum(axis=1)
    if ties == "worst":
        error = np.ceil(error)
    if ties == "best":
        error = np.floor(error)
    value = np.where(truth.any(axis=1), error, undefined)
    return summary(value, weight, per_sample)


def ranking_loss(
    y_true: Any,
    y_score: Any,
    *,
    ties: str = "worst",
    undefined: float = 0.0,
    sample_weight: Any = None,
    per_sample: bool = False,
) -> float | FloatArray:
    r"""Mean share of (relevant, irrelevant) label pairs in the wrong order.

    .. math:: \frac{1}{n} \sum_i \frac{|\{(j, k) : j \in Y_i, k \notin Y_i,
        \mathrm{rank}_i(j) > \mathrm{rank}_i(k)\}|}{|Y_i| (L - |Y_i|)}

    The irrelevant labels above a relevant one are its rank among all labels less its rank among the
    relevant ones. Range 0 to 1, lower is better. A tied pair is a full error ("worst"), none
    ("best"), half of one ("average"), or judged by index ("first", "last").

    Parameters
    ----------
    y_true : matrix of 0 and 1, shape (n_samples, n_labels)
    y_score : matrix of finite numbers, shape (n_samples, n_labels)
    ties : "worst", "best", "average", "first" or "last"
        Who wins a tie.
    undefined : float
        The value of a sample without relevant or without irrelevant labels, returned as it is; nan
        leaves it out.
    sample_weight : array of shape (n_samples,), optional
    per_sample : bool
        Return the value of each sample (nan where it is left out) instead of their mean.

    Returns
    -------
    float, or array of shape (n_samples,)

    Raises
    ------
    TypeError, ValueError
        One sentence that names the argument, the first offending value and the remedy.

    References
    ----------
    The document "多标签分类评价指标介绍（一）", ranking loss; and Schapire & Singer, "BoosTexter", 2000.

    Examples
    --------
    >>> ranking_loss([[1, 0, 1, 0, 0]], [[0.3, 0.4, 0.5, 0.1, 0.15]])
    0.16666666666666666
    """
    truth, score, weight = _read(y_true, y_score, sample_weight, ties, undefined)
    above = _ranks_among_all(score, ties) - _ranks_among(truth, score, ties)
    wrong_pairs = np.where(truth, above, 0).sum(axis=1)
    relevant = truth.sum(axis=1)
    pairs = relevant * (truth.shape[1] - relevant)
    value = np.divide(
        wrong_pairs, pairs, out=np.full(pairs.shape, float(undefined)), where=pairs > 0
    )
    return summary(value, weight, per_sample)


def average_precision(
    y_true: Any,
    y_score: Any,
    *,
    ties: str = "worst",
    undefined: float = 1.0,
    sample_weight: Any = None,
    per_sample: bool = False,
) -> float | FloatArray:
    r"""Mean share of relevant labels among those ranked at or above each relevant one.

    .. math:: \frac{1}{n} \sum_i \frac{1}{|Y_i|} \sum_{j \in Y_i}
        \frac{\mathrm{rank\ of\ } j \mathrm{\ within\ } Y_i}{\mathrm{rank}_i(j)}

    Range above 0 up to 1, higher is better. Also called label ranking average precision.

    Parameters
    ----------
    y_true : matrix of 0 and 1, shape (n_samples, n_labels)
    y_score : matrix of finite numbers, shape (n_samples, n_labels)
    ties : "worst", "best", "average", "first" or "last"
        Who wins a tie, in both ranks alike; see `ranks`.
    undefined : float
        The value of a sample without relevant labels, returned as it is; nan leaves it out.
    sample_weight : array of shape (n_samples,), optional
    per_sample : bool
        Return the value of each sample (nan where it is left out) instead of their mean.

    Returns
    -------
    float, or array of shape (n_samples,)

    Raises
    ------
    TypeError, ValueError
        One sentence that names the argument, the first offending value and the remedy.

    References
    ----------
    The document "多标签分类评价指标介绍（一）", average precision; and Schapire & Singer, "BoosTexter",
    2000.

    Examples
    --------
    >>> average_precision([[1, 0, 1, 0, 0]], [[0.3, 0.4, 0.5, 0.1, 0.15]])
    0.8333333333333333
    """
    truth, score, weight = _read(y_true, y_score, sample_weight, ties, undefined)
    share = _ranks_among(truth, score, ties) / _ranks_among_all(score, ties)
    relevant = truth.sum(axis=1)
    total = np.where(truth, share, 0).sum(axis=1)
    value = np.divide(
        total, relevant, out=np.full(total.shape, float(undefined)), where=relevant > 0
    )
    return summary(value, weight, per_sample)


# ---------------------------------------------------------------------------- the only ordering


def _read(
    y_true: Any, y_score: Any, sample_weight: Any, ties: str, undefined: float
) -> tuple[LabelMatrix, ScoreMatrix, inputs.Weights]:
    inputs.one_of(ties, inputs.TIES, "ties")
    inputs.undefined(undefined)
    return inputs.label_scores(y_true, y_score, sample_weight)


def _ranks_among_all(score: ScoreMatrix, ties: str) -> FloatArray:
    return _ranks_among(np.ones(score.shape, dtype=bool), score, ties)


def _ranks_among(members: LabelMatrix, score: ScoreMatrix, ties: str) -> FloatArray:
    """Rank of each member label among the members of its row; other labels get no use of theirs.

    From the top down, a member's rank is how many members stand up to its place. Labels that tie
    share the rank at the start of their run, the one at its end, or the mean of the two.
    """
    if ties == "last":
        return _ranks_among(members[:, ::-1], score[:, ::-1], "first")[:, ::-1]
    order = np.argsort(-score, axis=1, kind="stable")
    start, end = _runs(np.take_along_axis(score, order, axis=1))
    member = np.take_along_axis(members, order, axis=1)
    standing = np.cumsum(member, axis=1, dtype=np.intp)
    best = np.take_along_axis(standing - member, start, axis=1) + 1
    worst = np.take_along_axis(standing, end, axis=1)
    by_rule = {"worst": worst, "best": best, "average": (worst + best) / 2, "first": standing}
    rank = np.empty(score.shape)
    np.put_along_axis(rank, order, by_rule[ties], axis=1)
    return rank


def _runs(ordered: ScoreMatrix) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """First and last place of the run of equal scores that each place of a sorted row is in."""
    places = np.arange(ordered.shape[1])
    same = ordered[:, 1:] == ordered[:, :-1]
    edge = np.zeros((len(ordered), 1), dtype=bool)
    start = np.maximum.accumulate(np.where(np.hstack([edge, same]), 0, places), axis=1)
    after = np.where(np.hstack([same, edge]), places[-1], places)
    end = np.minimum.accumulate(after[:, ::-1], axis=1)[:, ::-1]
    return start, end
