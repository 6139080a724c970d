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
from mlm_helpers._core.blocks import blocks
from mlm_helpers._core.counts import Counts, Parts
from mlm_helpers._core.inputs import Data, FloatArray, LabelMatrix, ScoreMatrix, Ties

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

    The result is as good as that of trying every threshold. It is a score that occurs (of scores of more
    than double precision, the next float below it) or inf, which predicts nothing. Of equally good
    thresholds it is the highest, except with ``per_label`` under micro. Values are equal where they differ
    by less than 1e-12 of their size. The search takes the memory of some fifteen copies of the scores.
    Bad input raises a TypeError or a ValueError.

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
    goal = None if reaching is None else _Goal(reaching, y_true, y_score, per_label)
    if not per_label:
        cuts, values = _curve(rule, data)
        allowed = goal.reached(_curve(goal.rule, goal.data)[1]) if goal else True
        return float(_best(values, cuts, allowed=allowed)[0])
    pooled = rule.average == "micro"
    if rule.is_whole or not (rule.linear if pooled else rule.by_label):
        raise ValueError(
            f"per_label is True, and under {rule.name} the best cut of a label depends"
            " on those of the others: give per_label=False, or a metric of labels"
        )
    if goal and (pooled or goal.rule.average == "micro" or not goal.rule.by_label):
        raise ValueError(
            f"per_label is True, and {rule.name if pooled else goal.rule.name} is no value of a label,"
            " which reaching needs: give per_label=False, or average='macro' of metrics of labels"
        )
    return _pooled(rule, data) if pooled else _each(rule, data, goal)


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
    data = replace(data, truth=data.truth != 0, other=_doubles(data.other))
    return _Rule(metric, record, chosen), data


class _Rule:
    """A metric as a function of counts, with the sign that makes greater better."""

    def __init__(
        self, metric: Callable[..., Any], record: catalogue.Metric, chosen: dict[str, Any]
    ) -> None:
        self.metric, self.name = metric, catalogue.describe(metric)
        self.is_whole = record.prepare is not None or record.along == "all"
        self.sign = 1 if record.higher_is_better else -1
        self.formula = record.formula(chosen)
        self.zero_division = chosen.get("zero_division", 0.0)
        self.average = chosen.get("average", "macro")
        self.along, self.linear, self.votes = record.along, record.linear, record.votes
        # Whether labels' values are averaged; so are those of samples, if their wholes are all cells.
        self.by_label = record.along == "label" or record.of_cells

    def parts(self, counted: Counts) -> Parts:
        """Part and whole."""
        part, whole = self.formula(counted)
        return self.sign * part, whole

    def values(self, counted: Counts) -> FloatArray:
        """The values of counts."""
        values = self.sign * counts.ratio(self.formula, counted, self.zero_division)
        return np.nan_to_num(values, nan=0.0)  # where nothing is known, all cuts are alike


class _Goal:
    """A value that a metric has to reach, over all labels or for each label."""

    def __init__(self, reaching: Any, y_true: Any, y_score: Any, per_label: bool) -> None:
        if not (isinstance(reaching, tuple) and len(reaching) == 2):
            raise TypeError(
                f"reaching is {inputs.shown(reaching)}: give a metric and the value that it has to"
                " reach, such as (label_based.recall, 0.8)"
            )
        self.rule, self.data = _read(reaching[0], y_true, y_score)
        n_values = self.data.shape[1] if per_label else 1
        name = "the value in reaching"
        self.bound = inputs.for_labels(reaching[1], n_values, name, -math.inf, math.inf)
        self.per_label = per_label

    def reached(self, values: FloatArray, first: int = 0) -> NDArray[np.bool_]:
        """Where the values of cuts, a row for each label from ``first`` on, reach the goal."""
        bound = self.rule.sign * np.broadcast_to(self.bound, (first + len(values),))[first:]
        size = np.maximum(np.abs(bound), np.abs(values).max(axis=1))
        found: NDArray[np.bool_] = values >= (bound - _ROUNDING * size)[:, None]
        for row in np.flatnonzero(~found.any(axis=1)):
            where = f" in column {first + row}" if self.per_label else ""
            least, most = ("least", "most") if self.rule.sign > 0 else ("most", "least")
            raise ValueError(
                f"reaching asks for {self.rule.name} of at {least}"
                f" {inputs.shown(float(self.rule.sign * bound[row]))}{where}, which no threshold reaches:"
                f" the {most} is {inputs.shown(float(self.rule.sign * values[row].max()))}"
            )
        return found


def _doubles(score: ScoreMatrix) -> FloatArray:
    """Scores as floats that reach the same floats: of a finer score, the next one below it."""
    rounded = score.astype(float)
    return np.where(rounded > score, np.nextafter(rounded, -np.inf), rounded) + 0.0


def _down(truth: LabelMatrix, score: FloatArray, weight: FloatArray) -> tuple[FloatArray, Counts]:
    """Each row's scores in falling order, and its counts when the first none, one, two … are predicted."""
    order = np.argsort(-score, axis=1, kind="stable")
    positive, weight = (np.take_along_axis(each, order, axis=1) for each in (truth, weight))
    counted = Counts(*np.zeros((4, len(order), order.shape[1] + 1)))
    # Each by itself: a difference of two sums is rounded.
    for above, below, marked in (
        (counted.tp, counted.fn, np.where(positive, weight, 0)),
        (counted.fp, counted.tn, np.where(positive, 0, weight)),
    ):
        np.cumsum(marked, axis=1, out=above[:, 1:])
        np.cumsum(marked[:, ::-1], axis=1, out=below[:, -2::-1])
    return np.take_along_axis(score, order, axis=1), counted


def _at_cuts(values: FloatArray, ordered: FloatArray) -> FloatArray:
    """Each row's values where a cut can be, after none or the last of those tied; elsewhere the one before."""
    ends = np.ones(values.shape, dtype=bool)
    ends[:, 1:-1] = ordered[:, 1:] != ordered[:, :-1]
    if ends.all():
        return values
    last = np.maximum.accumulate(np.where(ends, np.arange(values.shape[1]), 0), axis=1)
    return np.take_along_axis(values, last, axis=1)


def _best(
    values: FloatArray, ordered: FloatArray, rounding: float = _ROUNDING, allowed: Any = True
) -> FloatArray:
    """The cut of each row that is best of those allowed, the highest that are equal but for rounding."""
    values = _at_cuts(values, ordered)
    kept = values if allowed is True else np.where(allowed, values, -np.inf)
    least = kept.max(axis=1) - rounding * np.abs(values).max(axis=1)
    first = (kept >= least[:, None]).argmax(axis=1)
    cuts = np.hstack([np.full((len(ordered), 1), np.inf), ordered])
    return np.take_along_axis(cuts, first[:, None], axis=1)[:, 0]


def _curve(rule: _Rule, data: Data) -> tuple[FloatArray, FloatArray]:
    """All scores in falling order, a row, and the values when nothing and when down to each is predicted."""
    return _every_cut(rule, data) if rule.is_whole else _one_cut(rule, data)


def _every_cut(rule: _Rule, data: Data) -> tuple[FloatArray, FloatArray]:
    """Compute the metric itself at each cut: needed where the metric prepares the data before it counts."""
    down, tied = np.unique(data.other, return_counts=True)
    down, tied = down[::-1], tied[::-1]
    values = [rule.metric(data.y_true, at(data.other, cut)) for cut in (np.inf, *down)]
    if np.isnan(values).any():
        raise ValueError(_NOTHING_KNOWN)
    repeated = np.repeat(rule.sign * np.array(values), [1, *tied])
    return np.repeat(down, tied)[None], repeated[None]


def _one_cut(rule: _Rule, data: Data) -> tuple[FloatArray, FloatArray]:
    """Go down the scores of all cells: each moves the value of its row, of its column, or of the whole."""
    rows: Any = data.truth, data.other, data.cells
    known = data.cells > 0
    votes = rule.votes(data) * known.any(axis=1)
    if rule.average == "micro":
        rows = [each.reshape(1, -1) for each in rows]
        votes = np.ones(1)
    elif rule.along == "label":
        rows = [each.T for each in rows]
        support = (data.cells * data.truth).sum(axis=0)
        by_support = rule.average == "weighted" and support.any()
        votes = np.asarray(support if by_support else known.any(axis=0), dtype=float)
    start, ordered, moves = 0.0, [], []
    for some in blocks(rows[1]):
        down, counted = _down(*(each[some] for each in rows))
        values = votes[some, None] * _at_cuts(rule.values(counted), down)
        start += values[:, 0].sum()
        ordered.append(down.ravel())
        moves.append(np.diff(values).ravel())
    down, moved = np.concatenate(ordered), np.concatenate(moves)
    order = np.argsort(-down, kind="stable")
    total = np.cumsum(np.append(start, moved[order]), dtype=np.longdouble)
    down = down[None, order]
    return down, _at_cuts((total / votes.sum())[None].astype(float), down)


def _each(rule: _Rule, data: Data, goal: _Goal | None) -> FloatArray:
    """Each label's own best cut: a mean over labels, however weighted, is best where each label is."""
    rows, found = (data.truth.T, data.other.T, data.cells.T), []
    for some in blocks(rows[1]):
        ordered, counted = _down(*(each[some] for each in rows))
        allowed: Any = True
        if goal:
            of_goal = (*rows[:2], goal.data.cells.T)
            reached = goal.rule.values(_down(*(each[some] for each in of_goal))[1])
            allowed = goal.reached(_at_cuts(reached, ordered), some.start or 0)
        found.append(_best(rule.values(counted), ordered, allowed=allowed))
    return np.concatenate(found)


def _pooled(rule: _Rule, data: Data) -> FloatArray:
    """Dinkelbach's steps: the cuts that are best for part − value × whole, until the value stays."""
    ordered, counted = _down(data.truth.T, data.other.T, data.cells.T)
    part, whole = rule.parts(counted)

    def value(cuts: FloatArray) -> float:
        predicted = replace(data, other=at(data.other, cuts))
        return float(rule.values(counts.count(predicted, axis=None)))

    # Where all labels can be 0/0, with the fewest wrong cells; elsewhere it matters not where to begin.
    wrong = counted.fp + counted.fn
    cuts = _best(np.where(whole == 0, -wrong, -data.cells.sum()), ordered, 0)
    best = -np.inf
    while (reached := value(cuts)) > best:
        found, best = cuts, reached
        # A little more is asked for than there is: what has the same value then is seen to be worse.
        cuts = _best(part - (best + _ROUNDING * abs(best)) * whole, ordered, 0)
    return found
