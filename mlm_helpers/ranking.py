"""Ranking metrics: no threshold, only the order in which the scores put the labels.

Every metric of this family is read off two ranks: a label's rank among all labels, and a relevant
label's rank among the relevant ones. Rank 1 is the highest score. Who wins a tie is what ``ties``
says, and a sample on which a metric does not exist is worth what ``undefined`` says.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mlm_helpers import inputs
from mlm_helpers.counts import summary, total
from mlm_helpers.inputs import FloatArray, LabelMatrix, ScoreMatrix

_Relevant: TypeAlias = NDArray[np.bool_]
_Numbers: TypeAlias = NDArray[Any]


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
    everything = np.broadcast_to(True, score.shape)
    return _by_blocks(_every_rank, everything, score, ties, out=np.empty(score.shape))


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
    deepest = _by_blocks(_deepest_rank, truth, score, ties)
    value = divided(deepest - 1 + start, total(truth, axis=1) > 0, undefined)
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
    share = _by_blocks(_irrelevant_share_at_the_top, truth, score, ties)
    value = divided(_error(share, ties), total(truth, axis=1) > 0, undefined)
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
    wrong_pairs = _by_blocks(_irrelevant_above_relevant, truth, score, ties)
    relevant = total(truth, axis=1)
    pairs = relevant * (truth.shape[1] - relevant)
    value = divided(wrong_pairs, pairs, undefined)
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
    shares = _by_blocks(_shares_of_relevant, truth, score, ties)
    value = divided(shares, total(truth, axis=1), undefined)
    return summary(value, weight, per_sample)


def divided(part: NDArray[Any], whole: NDArray[Any], undefined: float) -> FloatArray:
    """Divide sample by sample; a sample whose whole is 0 has no value, and is worth ``undefined``."""
    value: FloatArray = np.full(part.shape, float(undefined))
    np.divide(part, whole, out=value, where=whole > 0)
    return value


def all_parts(
    truth: LabelMatrix, score: ScoreMatrix, ties: str, start: int
) -> dict[Callable[..., Any], tuple[NDArray[Any], NDArray[Any]]]:
    """Part and whole of every metric of the family, sample by sample, from one sort of the scores."""
    readings = _by_blocks(_all_readings, truth, score, ties, out=np.empty((len(score), 4)))
    deepest, share, wrong_pairs, shares = readings.T
    relevant = total(truth, axis=1)
    return {
        coverage: (deepest - 1 + start, relevant > 0),
        one_error: (_error(share, ties), relevant > 0),
        ranking_loss: (wrong_pairs, relevant * (truth.shape[1] - relevant)),
        average_precision: (shares, relevant),
    }


def _error(share: FloatArray, ties: str) -> FloatArray:
    """One-error, of the irrelevant share of the labels at the top."""
    if ties == "worst":
        return np.ceil(share)
    return np.floor(share) if ties == "best" else share


# ---------------------------------------------------------------------------- block by block


def _read(
    y_true: Any, y_score: Any, sample_weight: Any, ties: str, undefined: float
) -> tuple[LabelMatrix, ScoreMatrix, inputs.Weights]:
    inputs.one_of(ties, inputs.TIES, "ties")
    inputs.undefined(undefined)
    return inputs.label_scores(y_true, y_score, sample_weight)


def _by_blocks(
    of_block: Callable[[_Relevant, ScoreMatrix, str], NDArray[Any]],
    truth: LabelMatrix,
    score: ScoreMatrix,
    ties: str,
    out: FloatArray | None = None,
) -> FloatArray:
    """What a function makes of each sample: what it needs beside, it needs for few rows at a time."""
    out = np.empty(len(score)) if out is None else out
    for rows in inputs.blocks(score):
        block = _untied(score[rows], ties) if ties in ("first", "last") else score[rows]
        relevant = np.ascontiguousarray(truth[rows], dtype=bool)
        out[rows] = of_block(relevant, np.ascontiguousarray(block), ties)
    return out


def _every_rank(everything: _Relevant, score: ScoreMatrix, ties: str) -> _Numbers:
    return _ranks_of_relevant(everything, score, ties)[1].reshape(score.shape)


def _deepest_rank(truth: _Relevant, score: ScoreMatrix, ties: str) -> _Numbers:
    """Rank of the lowest relevant label, which alone is compared with all: no sorting."""
    sample, relevant = _relevant(truth, score)
    lowest = np.full(len(score), relevant.max(initial=0), dtype=score.dtype)
    np.minimum.at(lowest, sample, relevant)
    return _rank(lambda beats: total(beats(score, lowest[:, None]), axis=1), ties)


def _irrelevant_share_at_the_top(truth: _Relevant, score: ScoreMatrix, ties: str) -> _Numbers:
    top = score == score.max(axis=1, keepdims=True)
    return np.asarray((top & ~truth).sum(axis=1) / top.sum(axis=1))


def _irrelevant_above_relevant(truth: _Relevant, score: ScoreMatrix, ties: str) -> _Numbers:
    sample, rank = _ranks_of_relevant(truth, score, ties)
    above = rank - _ranks_among_relevant(sample, rank, ties)
    return np.bincount(sample, weights=above, minlength=len(score))


def _shares_of_relevant(truth: _Relevant, score: ScoreMatrix, ties: str) -> _Numbers:
    sample, rank = _ranks_of_relevant(truth, score, ties)
    share = _ranks_among_relevant(sample, rank, ties) / rank
    return np.bincount(sample, weights=share, minlength=len(score))


def _all_readings(truth: _Relevant, score: ScoreMatrix, ties: str) -> _Numbers:
    """The four readings above, one per column, with the ranks worked out once."""
    sample, rank = _ranks_of_relevant(truth, score, ties)
    among = _ranks_among_relevant(sample, rank, ties)
    deepest = np.zeros(len(score), dtype=rank.dtype)  # of another type, `at` is slow
    np.maximum.at(deepest, sample, rank)
    above, share = (
        np.bincount(sample, weights=each, minlength=len(score))
        for each in (rank - among, among / rank)
    )
    return np.column_stack(
        [deepest, _irrelevant_share_at_the_top(truth, score, ties), above, share]
    )


# ---------------------------------------------------------------------------- the only ordering


def _rank(count: Callable[[np.ufunc], NDArray[Any]], ties: str) -> _Numbers:
    """Ranks, from a count of the labels whose score is greater, or greater or equal."""
    rank: _Numbers
    if ties == "best":
        rank = count(np.greater) + 1
    elif ties == "average":
        rank = (count(np.greater) + 1 + count(np.greater_equal)) / 2
    else:
        rank = count(np.greater_equal)
    return rank


def _untied(score: ScoreMatrix, ties: str) -> NDArray[np.intp]:
    """Places from the bottom up: the same order, but tied labels stand by their index."""
    if ties == "first":
        return _untied(score[:, ::-1], "last")[:, ::-1]
    order = np.argsort(score, axis=1, kind="stable")
    places = np.empty_like(order)
    np.put_along_axis(places, order, np.arange(score.shape[1])[None, :], axis=1)
    return places


def _relevant(truth: _Relevant, score: ScoreMatrix) -> tuple[NDArray[np.intp], ScoreMatrix]:
    """Sample and score of each relevant label, sample by sample."""
    cells = np.flatnonzero(truth)
    return cells // score.shape[1], score.ravel()[cells]


def _ranks_of_relevant(
    truth: _Relevant, score: ScoreMatrix, ties: str
) -> tuple[NDArray[np.intp], _Numbers]:
    """Sample of each relevant label, sample by sample, and its rank among all labels."""
    sample, relevant = _relevant(truth, score)
    ordered = np.sort(score, axis=1)
    return sample, _rank(partial(_count_from_the_top, ordered, sample, relevant), ties)


def _ranks_among_relevant(sample: NDArray[np.intp], rank: _Numbers, ties: str) -> _Numbers:
    """Ranks among the relevant labels of a sample, which stand in the order of their other ranks."""
    key = sample * rank.max(initial=1) + rank  # one number for both, as ranks start at 1
    ordered = np.sort(key)
    first = np.searchsorted(sample, sample)

    def count(beats: np.ufunc) -> _Numbers:
        place = np.searchsorted(ordered, key, "left" if beats is np.greater else "right")
        return np.asarray(place - first)

    return _rank(count, ties)


def _count_from_the_top(
    ordered: ScoreMatrix, row: NDArray[np.intp], score: ScoreMatrix, beats: np.ufunc
) -> NDArray[np.intp]:
    """How many of a row beat each score: bisection of rows sorted upwards, for all scores at once."""
    n_labels = ordered.shape[1]
    flat, after = ordered.ravel(), (row + 1) * n_labels
    count = np.zeros_like(row)
    for bit in reversed(range(n_labels.bit_length())):
        more = count + (1 << bit)
        beaten = beats(flat[after - np.minimum(more, n_labels)], score) & (more <= n_labels)
        count += beaten * (1 << bit)
    return count
