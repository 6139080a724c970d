"""From scores to label sets: by a threshold, the first k labels or a share of the samples; the best threshold.

A metric of label sets judges both the scores and the rule that made label sets of them. A threshold that
is best on the data it was tuned on is seldom best on other data: tune on a validation set.

Arguments call a threshold ``cut``.
"""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlm_helpers import catalogue
from mlm_helpers._core import counts, inputs, ordering
from mlm_helpers._core.counts import Counts
from mlm_helpers._core.inputs import Data, FloatArray, LabelMatrix, Ties

_ROUNDING = 1e-12  # values that differ by less, as a share of the largest, are equal

_NOTHING_KNOWN = "y_true is unknown in each cell that counts: give one that is known somewhere"


def at(y_score: Any, cut: Any = 0.5, *, inclusive: bool = True) -> Any:
    """Label sets of all labels that score at least a threshold.

    Bad input raises a TypeError or a ValueError.

    Parameters
    ----------
    y_score : matrix of finite numbers, shape (n_samples, n_labels)
    cut : number, or one for each label
        The threshold, in the unit of the scores; inf predicts nothing. The index of a Series has to agree
        with the columns of a DataFrame.
    inclusive : bool
        Whether a score equal to the threshold is predicted, ``>=`` (torcheval, MEKA, MULAN, spaCy), or
        not, ``>`` (scikit-learn's OneVsRestClassifier, keras, torchmetrics).

    Returns
    -------
    array of 0 and 1, shape (n_samples, n_labels)
        For a pandas DataFrame another one, with the same columns and index.

    References
    ----------
    Y. Yang, "A study of thresholding strategies for text categorization", 2001: SCut.

    Examples
    --------
    >>> at([[0.5, 0.4], [0.2, 0.9]])
    array([[1, 0],
           [0, 1]], dtype=int8)
    >>> at([[0.5, 0.4], [0.2, 0.9]], [0.6, 0.4])
    array([[0, 1],
           [0, 1]], dtype=int8)
    """
    inputs.one_of(inclusive, (True, False), "inclusive")
    score = inputs.scores(y_score)
    inputs.same_labels(y_score, cut, "cut")
    each = inputs.for_labels(cut, score.shape[1], "cut", -math.inf, math.inf)
    cuts = inputs.as_compared(each, score)
    chosen = score >= cuts if inclusive else score > cuts
    return inputs.framed(chosen.astype(np.int8), y_score)


def top(y_score: Any, k: int, *, ties: Ties = "first") -> Any:
    """Label sets of the k labels of each sample that score highest (RCut).

    Bad input raises a TypeError or a ValueError.

    Parameters
    ----------
    y_score : matrix of finite numbers, shape (n_samples, n_labels)
    k : int, from 1 to the number of labels
    ties : "first", "last", "worst", "best" or "average"
        How ties are ranked, see `ranking.ranks`; labels of rank k or less are predicted. "first" and
        "last" predict exactly k labels. Of labels tied across rank k, "worst" predicts none, "best" all.

    Returns
    -------
    array of 0 and 1, shape (n_samples, n_labels)
        For a pandas DataFrame another one, with the same columns and index.

    References
    ----------
    See `at`.

    Examples
    --------
    >>> top([[0.5, 0.4, 0.4]], 2)
    array([[1, 1, 0]], dtype=int8)
    """
    inputs.one_of(ties, inputs.TIES, "ties")
    score = inputs.scores(y_score)
    chosen = ordering.ranks(score, ties) <= inputs.k(k, score.shape[1])
    return inputs.framed(chosen.astype(np.int8), y_score)


def share(y_score: Any, shares: Any) -> Any:
    """Label sets in which each label has its share of the samples: those that score highest for it (PCut).

    The number of samples is rounded, a half up; of tied samples the first are taken. Bad input raises a
    TypeError or a ValueError.

    Parameters
    ----------
    y_score : matrix of finite numbers, shape (n_samples, n_labels)
    shares : number from 0 to 1, or one for each label
        Such as ``y_train.mean(axis=0)``. A Series is read as in `at`.

    Returns
    -------
    array of 0 and 1, shape (n_samples, n_labels)
        For a pandas DataFrame another one, with the same columns and index.

    References
    ----------
    See `at`.

    Examples
    --------
    >>> share([[0.9, 0.1], [0.8, 0.2], [0.7, 0.3]], [1 / 3, 2 / 3])
    array([[1, 0],
           [0, 1],
           [0, 1]], dtype=int8)
    """
    score = inputs.scores(y_score)
    inputs.same_labels(y_score, shares, "shares")
    wanted = inputs.for_labels(shares, score.shape[1], "shares", 0, 1)
    how_many = np.floor((wanted * len(score)).round(9) + 0.5)  # 0.1 of 5 is a half
    ranks = ordering.ranks(score.T, "first").T
    return inputs.framed((ranks <= how_many).astype(np.int8), y_score)


def tune(
    metric: Callable[..., Any],
    y_true: Any,
    y_score: Any,
    *,
    per_label: bool = False,
    reaching: tuple[Callable[..., Any], Any] | None = None,
) -> float | FloatArray:
    """The threshold whose predictions are best under a metric; predicted is what scores at least as much.

    The result is as good as that of trying every threshold. It is a score that occurs, as a float64, or
    inf, which predicts nothing. Of equally good thresholds it is the highest, except with ``per_label``
    under micro. Values are equal where they differ by less than 1e-12 of their size. The search takes the
    memory of some fifteen copies of the scores. Bad input raises a TypeError or a ValueError.

    Parameters
    ----------
    metric : public metric function of label sets, or a ``functools.partial`` of it
        With its options bound, such as ``partial(label_based.f1, average="micro")``.
    y_true : matrix of 0 and 1, shape (n_samples, n_labels)
        Masked cells are left out; a label without a known cell gets inf.
    y_score : matrix of finite numbers, same shape
    per_label : bool
        One threshold for all labels, or one for each. One for each is possible for Hamming loss and
        label-based metrics (under micro, only for ratios of sums): under other metrics the best
        threshold of a label depends on those of all other labels.
    reaching : (metric, value), optional
        Allow only thresholds under which this metric is at least that value, or at most where lower is
        better: ``(label_based.recall, 0.8)`` with precision as the metric to tune gives precision at
        a recall of 0.8. If ``per_label``, each label has to reach the value, or its own entry of an
        array, and neither metric can be micro. If no threshold reaches the value, a ValueError says so.

    Returns
    -------
    float, or array of shape (n_labels,) if ``per_label``

    References
    ----------
    Lipton et al., "Optimal thresholding of classifiers to maximize F1 measure", 2014;
    Dinkelbach, "On nonlinear fractional programming", 1967, for ratios of sums.

    Examples
    --------
    >>> from mlm_helpers import label_based
    >>> y_true, y_score = [[1, 0], [0, 0], [1, 1]], [[0.9, 0.3], [0.5, 0.2], [0.4, 0.4]]
    >>> tune(label_based.f1, y_true, y_score)
    0.4
    >>> tune(label_based.f1, y_true, y_score, per_label=True)
    array([0.4, 0.4])
    >>> tune(label_based.precision, y_true, y_score, reaching=(label_based.recall, 0.8))
    0.4
    """
    inputs.one_of(per_label, (True, False), "per_label")
    rule, data = _read(metric, y_true, y_score)
    pooled = rule.average == "micro"
    if per_label and (rule.is_whole or not (rule.record.linear if pooled else rule.by_label)):
        raise ValueError(
            f"per_label is True, and under {rule.name} the best cut of a label depends"
            " on those of the others: give per_label=False, or a metric of labels"
        )
    allowed: Any = True
    if reaching is not None:
        if per_label:
            _refuse_no_value_of_a_label(rule)
        allowed = _allowed(reaching, y_true, y_score, per_label)
    if per_label:
        return _best_pooled(rule, data) if pooled else _best(*_label_curves(rule, data), allowed)
    return float(_best(*_mean_curve(rule, data), allowed)[0])


def _read(metric: Callable[..., Any], y_true: Any, y_score: Any) -> "tuple[_Rule, Data]":
    """A metric that a threshold can be tuned for, and the data with its weights."""
    record, chosen = catalogue.of(metric), catalogue.check_one_value(metric)
    if record.reads != "y_pred":
        raise ValueError(f"metric is {record.name}, which reads scores: it needs no cut")
    if isinstance(chosen.get("zero_division"), float) and math.isnan(chosen["zero_division"]):
        raise ValueError(
            "zero_division is nan, under which a cut changes what is averaged: bind 0.0, 1.0 or"
            ' "agree" in the metric'
        )
    data = inputs.label_scores(y_true, y_score, chosen["sample_weight"])
    if not data.cells.any():
        raise ValueError(_NOTHING_KNOWN)
    # Adding 0 makes -0.0 the same threshold as 0.0.
    data = replace(data, truth=data.truth != 0, other=data.other.astype(float) + 0.0)
    return _Rule(metric, record, chosen), data


def _allowed(reaching: Any, y_true: Any, y_score: Any, per_label: bool) -> NDArray[np.bool_]:
    """Which thresholds reach the value of another metric, a row for each label or for all."""
    if not (isinstance(reaching, tuple) and len(reaching) == 2):
        raise TypeError(
            f"reaching is {inputs.shown(reaching)}: give a metric and the value that it has to"
            " reach, such as (label_based.recall, 0.8)"
        )
    rule, data = _read(reaching[0], y_true, y_score)
    if per_label:
        _refuse_no_value_of_a_label(rule)
    _, values = _label_curves(rule, data) if per_label else _mean_curve(rule, data)
    name = "the value in reaching"
    bound = inputs.for_labels(reaching[1], len(values), name, -math.inf, math.inf)
    bound = rule.sign * np.broadcast_to(bound, len(values))
    least = bound - _ROUNDING * np.maximum(np.abs(bound), np.abs(values).max(axis=1))
    allowed: NDArray[np.bool_] = values >= least[:, None]
    for row in np.flatnonzero(~allowed.any(axis=1)):
        limit = "at least" if rule.sign > 0 else "at most"
        column = f" in column {row}" if per_label else ""
        asked, best = (inputs.shown(float(rule.sign * x)) for x in (bound[row], values[row].max()))
        raise ValueError(
            f"reaching asks for {rule.name} of {limit} {asked}{column}, which no threshold reaches:"
            f" the best is {best}"
        )
    return allowed


def _refuse_no_value_of_a_label(rule: "_Rule") -> None:
    if rule.average == "micro" or not rule.by_label:
        raise ValueError(
            f"per_label is True, and {rule.name} is no value of a label, which reaching needs: give"
            " per_label=False, or average='macro' of metrics of labels"
        )


class _Rule:
    """A metric as a function of counts, with the sign that makes greater better."""

    def __init__(
        self, metric: Callable[..., Any], record: catalogue.Metric, chosen: dict[str, Any]
    ) -> None:
        self.metric, self.record, self.name = metric, record, catalogue.describe(metric)
        self.is_whole = record.prepare is not None or record.along == "all"
        self.sign = 1 if record.higher_is_better else -1
        self.formula = record.formula(chosen)
        self.zero_division = chosen.get("zero_division", 0.0)
        self.average = chosen.get("average", "macro")
        # Whether labels' values are averaged; so are those of samples, if their wholes are all cells.
        self.by_label = record.along == "label" or record.of_cells

    def values(self, counted: Counts) -> FloatArray:
        """The values of counts; 0 without a known cell, where all thresholds are equally good."""
        values = self.sign * counts.ratio(self.formula, counted, self.zero_division)
        return np.nan_to_num(values, nan=0.0)


def _cumulative_counts(
    truth: LabelMatrix, score: FloatArray, weight: FloatArray
) -> tuple[FloatArray, Counts]:
    """Each row's scores in descending order, and its counts when the first 0, 1, 2 … are predicted."""
    order = np.argsort(-score, axis=1, kind="stable")
    score, positive, weight = (np.take_along_axis(m, order, axis=1) for m in (score, truth, weight))
    counted = Counts(*np.zeros((4, len(order), order.shape[1] + 1)))
    # Each outcome separately: a difference of two sums is rounded.
    for predicted, left_out, cells in (
        (counted.tp, counted.fn, np.where(positive, weight, 0)),
        (counted.fp, counted.tn, np.where(positive, 0, weight)),
    ):
        np.cumsum(cells, axis=1, out=predicted[:, 1:])
        np.cumsum(cells[:, ::-1], axis=1, out=left_out[:, -2::-1])
    return score, counted


def _tied_together(values: FloatArray, score: FloatArray) -> FloatArray:
    """Each row's values where no threshold separates tied scores: between them, the value before the first."""
    ends = np.ones(values.shape, dtype=bool)
    ends[:, 1:-1] = score[:, 1:] != score[:, :-1]
    last = np.maximum.accumulate(np.where(ends, np.arange(values.shape[1]), 0), axis=1)
    return np.take_along_axis(values, last, axis=1)


def _best(
    score: FloatArray, values: FloatArray, allowed: Any = True, rounding: float = _ROUNDING
) -> FloatArray:
    """Each row's best allowed threshold: of those with equal values, but for rounding, the highest."""
    size = np.abs(values).max(axis=1)
    values = np.where(allowed, values, -np.inf)
    least = values.max(axis=1) - rounding * size
    first = (values >= least[:, None]).argmax(axis=1)
    thresholds = np.hstack([np.full((len(score), 1), np.inf), score])
    return np.take_along_axis(thresholds, first[:, None], axis=1)[:, 0]


# ---------------------------------------------------------------------------- values at all thresholds

# Each of these returns scores in descending order, and the value at each of them used as the threshold; the
# first value is that of predicting nothing.


def _label_curves(rule: _Rule, data: Data) -> tuple[FloatArray, FloatArray]:
    """A row for each label: a mean over labels, however weighted, is best where each label is."""
    score, counted = _cumulative_counts(data.truth.T, data.other.T, data.cells.T)
    return score, _tied_together(rule.values(counted), score)


def _mean_curve(rule: _Rule, data: Data) -> tuple[FloatArray, FloatArray]:
    """One row, of distinct scores, for one threshold that sweeps from high to low.

    Each cell that it passes changes one part of the mean. The parts are what the metric averages over:
    samples, labels, or under micro a single list of all cells.
    """
    if rule.is_whole:
        return _by_calling(rule, data)
    matrices: Any = data.truth, data.other, data.cells
    known = data.cells > 0
    if rule.average == "micro":
        matrices = [matrix.reshape(1, -1) for matrix in matrices]
        votes = np.ones(1)
    elif rule.record.along == "label":
        matrices = [matrix.T for matrix in matrices]
        support = (data.cells * data.truth).sum(axis=0)
        by_support = rule.average == "weighted" and support.any()
        votes = np.asarray(support if by_support else known.any(axis=0), dtype=float)
    else:
        votes = rule.record.votes(data) * known.any(axis=1)
    score, counted = _cumulative_counts(*matrices)
    shares = (votes / votes.sum())[:, None] * _tied_together(rule.values(counted), score)
    changes, score = np.diff(shares).ravel(), score.ravel()
    order = np.argsort(-score, kind="stable")
    score, values = score[order], shares[:, 0].sum() + np.cumsum(changes[order])
    last = np.append(score[1:] != score[:-1], True)  # of tied scores
    return score[None, last], np.append(shares[:, 0].sum(), values[last])[None]


def _by_calling(rule: _Rule, data: Data) -> tuple[FloatArray, FloatArray]:
    """The same by calling the metric at each threshold: needed where it prepares the data before it counts."""
    score = np.unique(data.other)[::-1]
    values = [rule.metric(data.y_true, at(data.other, cut)) for cut in (np.inf, *score)]
    if np.isnan(values).any():
        raise ValueError(_NOTHING_KNOWN)
    return score[None], rule.sign * np.array([values])


def _best_pooled(rule: _Rule, data: Data) -> FloatArray:
    """Dinkelbach's steps: the thresholds that are best for part − value × whole, until the value stays."""
    score, counted = _cumulative_counts(data.truth.T, data.other.T, data.cells.T)
    part, whole = rule.formula(counted)
    part = rule.sign * part

    def best(values: FloatArray) -> FloatArray:
        return _best(score, _tied_together(values, score), rounding=0)

    def value(thresholds: FloatArray) -> float:
        predicted = replace(data, other=at(data.other, thresholds))
        return float(rule.values(counts.count(predicted, axis=None)))

    # Begin where all labels are 0/0, with the fewest wrong cells, if that exists; elsewhere anywhere.
    wrong = counted.fp + counted.fn
    thresholds = best(np.where(whole == 0, -wrong, -data.cells.sum()))
    most = -np.inf
    while (reached := value(thresholds)) > most:
        found, most = thresholds, reached
        # Slightly more than the value that was reached, so that equally good thresholds lose and the loop ends.
        thresholds = best(part - (most + _ROUNDING * abs(most)) * whole)
    return found
