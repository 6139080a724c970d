"""From scores to label sets: a cut, the first k labels, a share of the samples; and the best cut.

Every metric of label sets judges the rule that made the sets, too. What is tuned on some data is paid
for on others: tune on a validation set.
"""

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlm_helpers import catalogue, counts, inputs, ordering
from mlm_helpers.blocks import blocks
from mlm_helpers.counts import Counts
from mlm_helpers.inputs import Data, FloatArray, LabelMatrix, ScoreMatrix, Ties

Labels = NDArray[np.int8]


def at(y_score: Any, cut: Any = 0.5, *, inclusive: bool = True) -> Labels:
    """Predict what scores at least a cut.

    Bad input raises a TypeError or a ValueError.

    Parameters
    ----------
    y_score : matrix of finite numbers, shape (n_samples, n_labels)
    cut : number, or one for each label
        In the unit of the scores; inf predicts nothing.
    inclusive : bool
        Whether a score of exactly the cut is predicted, ``>=`` (torcheval, MEKA, MULAN, spaCy), or
        not, ``>`` (scikit-learn's OneVsRestClassifier, keras, torchmetrics).

    Returns
    -------
    array of 0 and 1, shape (n_samples, n_labels)

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
    cuts = inputs.for_labels(cut, score.shape[1], "cut", -math.inf, math.inf).astype(score.dtype)
    return (score >= cuts if inclusive else score > cuts).astype(np.int8)


def top(y_score: Any, k: int, *, ties: Ties = "first") -> Labels:
    """Predict the k labels of each sample that score highest (RCut).

    Bad input raises a TypeError or a ValueError.

    Parameters
    ----------
    y_score : matrix of finite numbers, shape (n_samples, n_labels)
    k : int, from 1 to the number of labels
    ties : "first", "last", "worst", "best" or "average"
        Whose rank is at most k, see `ranking.ranks`. "first" and "last" predict exactly k labels; of
        those tied at the edge "worst" predicts none and "best" all.

    Returns
    -------
    array of 0 and 1, shape (n_samples, n_labels)

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
    return (ordering.ranks(score, ties) <= inputs.k(k, score.shape[1])).astype(np.int8)


def share(y_score: Any, shares: Any) -> Labels:
    """Predict each label for its share of the samples, those that score highest for it (PCut).

    As many samples as the share of them, rounded, a half up; of tied ones the first. Bad input raises
    a TypeError or a ValueError.

    Parameters
    ----------
    y_score : matrix of finite numbers, shape (n_samples, n_labels)
    shares : number from 0 to 1, or one for each label
        Such as ``y_train.mean(axis=0)``.

    Returns
    -------
    array of 0 and 1, shape (n_samples, n_labels)

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
    wanted = inputs.for_labels(shares, score.shape[1], "shares", 0, 1)
    how_many = np.floor((wanted * len(score)).round(9) + 0.5)  # 0.1 of 5 is a half
    ranks = ordering.ranks(score.T, "first").T
    return (ranks <= how_many).astype(np.int8)


def tune(
    metric: Callable[..., Any], y_true: Any, y_score: Any, *, per_label: bool = False
) -> float | FloatArray:
    """Find the cut whose predictions, what scores at least so much, are best under a metric.

    Exact, but for rounding: as good as trying every cut. The cut is a score that occurs, or inf, which
    predicts nothing; of equally good ones the highest, but for labels under micro. It takes the memory
    of some fifteen copies of the scores. Bad input raises a TypeError or a ValueError.

    Parameters
    ----------
    metric : public metric function of label sets, or a ``functools.partial`` of it
        With its options bound, such as ``partial(label_based.f1, average="micro")``.
    y_true : matrix of 0 and 1, shape (n_samples, n_labels)
    y_score : matrix of finite numbers, same shape
    per_label : bool
        One cut for all labels, or one for each. The second only for Hamming loss and label-based
        metrics: elsewhere the best cut of a label hangs on the cuts of all others.

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
    """
    inputs.one_of(per_label, (True, False), "per_label")
    record, chosen = catalogue.of(metric), catalogue.settings(metric)
    if record.reads != "y_pred":
        raise ValueError(f"metric is {record.name}, which reads scores: it needs no cut")
    if isinstance(chosen.get("zero_division"), float) and math.isnan(chosen["zero_division"]):
        raise ValueError(
            "zero_division is nan, under which a cut changes what is averaged: bind 0.0, 1.0 or"
            ' "agree" in the metric'
        )
    data = inputs.label_scores(y_true, y_score, chosen["sample_weight"])
    truth, score, weights = data.truth, data.other, data.cells
    rule = _Rule(record, chosen)
    if not per_label:
        return _one_cut(rule, truth != 0, score, weights)
    if record.along == "sample" and record.family != "Hamming":
        raise ValueError(
            f"per_label is True, and under {catalogue.describe(metric)} the best cut of a label hangs"
            " on those of the others: give per_label=False, or a metric of labels"
        )
    columns = truth.T != 0, score.T, weights.T
    return _ratio_of_sums(rule, *columns) if rule.average == "micro" else _each(rule, *columns)


class _Rule:
    """A metric as a function of counts."""

    def __init__(self, record: catalogue.Metric, chosen: dict[str, Any]) -> None:
        own = {name: chosen[name] for name in record.parameters}
        self.parts = functools.partial(record.parts, **own)
        self.zero_division = chosen.get("zero_division", 0.0)
        self.average = chosen.get("average", "macro")
        self.along = record.along
        self.sign = 1 if record.higher_is_better else -1

    def values(self, counted: Counts) -> FloatArray:
        """The values of counts, the greater the better."""
        return self.sign * counts.ratio(self.parts, counted, self.zero_division)


def _down(
    truth: LabelMatrix, score: ScoreMatrix, weights: FloatArray
) -> tuple[ScoreMatrix, Counts]:
    """Each row's scores in falling order, and its counts when the first none, one, two … are predicted."""
    order = np.argsort(-score, axis=1, kind="stable")
    positive = np.take_along_axis(truth, order, axis=1)
    weight = np.take_along_axis(weights, order, axis=1)
    tp, shown = (
        np.pad(np.cumsum(w, axis=1), ((0, 0), (1, 0))) for w in (weight * positive, weight)
    )
    fn, rest = tp[:, -1:] - tp, shown[:, -1:] - shown
    return np.take_along_axis(score, order, axis=1), Counts(tp, shown - tp, fn, rest - fn)


def _ends(ordered: ScoreMatrix) -> NDArray[np.bool_]:
    """After how many of a falling row a cut can be: none of them, or the last of those tied."""
    ends = np.ones((len(ordered), ordered.shape[1] + 1), dtype=bool)
    ends[:, 1:-1] = ordered[:, 1:] != ordered[:, :-1]
    return ends


def _first_best(values: FloatArray, ordered: ScoreMatrix) -> FloatArray:
    """The cut of each row that is best, the highest of those."""
    first = np.where(_ends(ordered), values, -np.inf).argmax(axis=1)
    cuts = np.concatenate([np.full((len(ordered), 1), np.inf), ordered], axis=1)
    return np.take_along_axis(cuts, first[:, None], axis=1)[:, 0].astype(float)


def _one_cut(rule: _Rule, truth: LabelMatrix, score: ScoreMatrix, weights: FloatArray) -> float:
    """Walk down all scores at once: each moves the value of its row, its column, or of the whole."""
    votes = weights[:, 0]
    if rule.average == "micro":
        rows = truth.reshape(1, -1), score.reshape(1, -1), weights.reshape(1, -1)
        votes = np.ones(1)
    elif rule.along == "label":
        rows = truth.T, score.T, weights.T
        support = (weights * truth).sum(axis=0)
        votes = support if rule.average == "weighted" and support.any() else np.ones(len(support))
    else:
        rows = truth, score, weights
    ordered, moves = [], []
    for some in blocks(rows[1]):
        down, counted = _down(*(each[some] for each in rows))
        values = votes[some, None] * rule.values(counted)
        ordered.append(down.ravel())
        moves.append(np.diff(values).ravel())
    down, moved = np.concatenate(ordered), np.concatenate(moves)
    order = np.argsort(-down, kind="stable")
    gained = np.append(0, np.cumsum(moved[order], dtype=np.longdouble)) / votes.sum()
    return float(_first_best(gained[None].astype(float), down[None, order])[0])


def _each(rule: _Rule, truth: LabelMatrix, score: ScoreMatrix, weights: FloatArray) -> FloatArray:
    """Each label's own best cut: their mean, whatever their votes, is best where each is."""
    found = []
    for some in blocks(score):
        ordered, counted = _down(truth[some], score[some], weights[some])
        found.append(_first_best(rule.values(counted), ordered))
    return np.concatenate(found)


def _ratio_of_sums(
    rule: _Rule, truth: LabelMatrix, score: ScoreMatrix, weights: FloatArray
) -> FloatArray:
    """Dinkelbach's steps: the cuts that are best for part − value × whole, until the value stays."""
    ordered, counted = _down(truth, score, weights)
    part, whole = rule.parts(counted)
    cuts, best = np.full(len(score), np.inf), -np.inf

    def value(cuts: FloatArray) -> float:
        found = counts.count(Data(truth.T, at(score.T, cuts), weights[0]), axis=None)
        return float(rule.values(found))

    new = ordered[:, -1].astype(float)  # everything
    while (reached := value(new)) > best + 1e-12:
        cuts, best = new, reached
        new = _first_best(part - best * whole, ordered)
    return cuts
