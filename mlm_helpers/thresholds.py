"""From scores to label sets: by a threshold, the first k labels or a share of the samples; the best threshold.

A metric of label sets judges both the scores and the rule that made label sets of them. A threshold that
is best on the data it was tuned on is seldom best on other data: tune on a validation set. A rule returns
an array of 0 and 1, or for a pandas DataFrame another one with its columns and index. Bad input raises a
TypeError or a ValueError.

The rules are the SCut, RCut and PCut of Y. Yang, "A study of thresholding strategies for text
categorization", 2001.
"""

import math
import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from mlm_helpers import catalogue
from mlm_helpers._core import counts, inputs, ordering
from mlm_helpers._core.counts import Counts
from mlm_helpers._core.inputs import Data, FloatArray, LabelMatrix, Ties, refuse

_ROUNDING = 1e-12  # values that differ by less, as a share of the largest, are equal
_PATIENCE = 3  # seconds after which a search shows how far it is


def at(y_score: Any, threshold: Any = None, *, inclusive: bool = True) -> Any:
    """Label sets of all labels that score at least a threshold (SCut).

    Parameters
    ----------
    y_score : matrix of finite numbers, shape (n_samples, n_labels)
    threshold : number, or one for each label, optional
        In the unit of the scores; inf predicts nothing. By default 0.5, for scores from 0 to 1; others need
        a threshold. The index of a Series has to agree with the columns of a DataFrame.
    inclusive : bool
        Whether a score equal to the threshold is predicted, ``>=`` (torcheval, MEKA, MULAN, spaCy), or
        not, ``>`` (scikit-learn's OneVsRestClassifier, keras, torchmetrics).

    Returns
    -------
    array of 0 and 1, or DataFrame, shape (n_samples, n_labels)

    Examples
    --------
    >>> at([[0.5, 0.4], [0.2, 0.9]])
    array([[1, 0],
           [0, 1]], dtype=int8)
    >>> at([[0.5, 0.4]], [0.6, 0.4])
    array([[0, 1]], dtype=int8)
    """
    inputs.check_choice(inclusive, (True, False), "inclusive")
    score = inputs.read_score_matrix(y_score)
    if threshold is None:
        threshold, outside = 0.5, np.abs(score - 0.5) > 0.5 + 1e-6  # but for rounding
        if outside.any():
            value, where = refuse.first_value_and_place(score, outside)
            raise ValueError(
                f"y_score holds {inputs.short_repr(value)} at {where}, and 0.5, the threshold by default, is for"
                " probabilities: pass threshold=0 for logits, or the threshold that was tuned"
            )
    inputs.check_label_order(y_score, threshold, "threshold")
    each = inputs.broadcast_to_labels(threshold, score.shape[1], "threshold", -math.inf, math.inf)
    least = inputs.as_score_dtype(each, score)
    chosen = score >= least if inclusive else score > least
    return inputs.as_frame_like(chosen.astype(np.int8), y_score)


def top(y_score: Any, k: int, *, ties: Ties = "first") -> Any:
    """Label sets of the k labels of each sample that score highest (RCut).

    Parameters
    ----------
    y_score : matrix of finite numbers, shape (n_samples, n_labels)
    k : int, from 1 to the number of labels
    ties : "first", "last", "worst", "best" or "average"
        How ties are ranked, see `ranking.ranks`; labels of rank k or less are predicted. "first" and
        "last" predict exactly k labels. Of labels tied across rank k, "worst" predicts none, "best" all.

    Returns
    -------
    array of 0 and 1, or DataFrame, shape (n_samples, n_labels)

    Examples
    --------
    >>> top([[0.5, 0.4, 0.4]], 2)
    array([[1, 1, 0]], dtype=int8)
    """
    inputs.check_choice(ties, inputs.TIES, "ties")
    score = inputs.read_score_matrix(y_score)
    chosen = ordering.ranks(score, ties) <= inputs.read_k(k, score.shape[1])
    return inputs.as_frame_like(chosen.astype(np.int8), y_score)


def share(y_score: Any, shares: Any) -> Any:
    """Label sets in which each label has its share of the samples: those that score highest for it (PCut).

    The number of samples is rounded, a half up; of tied samples the first are taken.

    Parameters
    ----------
    y_score : matrix of finite numbers, shape (n_samples, n_labels)
    shares : number from 0 to 1, or one for each label
        Such as ``y_train.mean(axis=0)``. A Series is read as in `at`.

    Returns
    -------
    array of 0 and 1, or DataFrame, shape (n_samples, n_labels)

    Examples
    --------
    >>> share([[0.9, 0.1], [0.8, 0.2], [0.7, 0.3]], [1 / 3, 2 / 3])
    array([[1, 0],
           [0, 1],
           [0, 1]], dtype=int8)
    """
    score = inputs.read_score_matrix(y_score)
    inputs.check_label_order(y_score, shares, "shares")
    wanted = inputs.broadcast_to_labels(shares, score.shape[1], "shares", 0, 1)
    how_many = np.floor((wanted * len(score)).round(9) + 0.5)  # 0.1 of 5 is a half
    ranks = ordering.ranks(score.T, "first").T
    return inputs.as_frame_like((ranks <= how_many).astype(np.int8), y_score)


def tune(
    metric: Callable[..., Any],
    y_true: Any,
    y_score: Any,
    *,
    per_label: bool = False,
    constraint: tuple[Callable[..., Any], Any] | None = None,
    higher_is_better: bool | None = None,
) -> float | FloatArray:
    """The threshold whose predictions are best under a metric; predicted is what scores at least as much.

    The result is as good as that of trying every threshold. It is a score that occurs, as a float64, or
    inf, which predicts nothing. Of equally good thresholds, but for 1e-12 of the value, it is the highest,
    except with ``per_label`` under micro. The search takes the memory of 16 copies of the scores as float64,
    or 19 with a constraint; of 3 with ``per_label``, except under micro.

    Parameters
    ----------
    metric : public metric function of label sets, a ``functools.partial`` of it, or any function
        Any other function gets truth and prediction as arrays and returns one number, or nan where a
        threshold is to be skipped. It is called for each distinct score: round the scores if there are
        too many.
    y_true : matrix of 0 and 1, shape (n_samples, n_labels)
        Masked cells are left out; a label without a known cell gets inf.
    y_score : matrix of finite numbers, same shape
    per_label : bool
        One threshold for all labels, or one for each, of Hamming loss and label-based metrics (under micro,
        only of ratios of sums): under others a label's best threshold depends on those of all other labels.
    constraint : (metric, value), optional
        Allow only thresholds under which this metric is at least that value, or at most where lower is
        better; any other function has to be at least the value. If no threshold reaches it, a ValueError
        says so. If ``per_label``, each label has to reach the value, or its own entry of an array, and
        neither metric can be micro; a label that cannot gets inf, and a UserWarning names it.
    higher_is_better : bool, optional
        Required for a function that the catalogue does not hold.

    Returns
    -------
    float, or array of shape (n_labels,) if ``per_label``

    References
    ----------
    Lipton et al., "Optimal thresholding of classifiers to maximize F1 measure", 2014; Dinkelbach,
    "On nonlinear fractional programming", 1967, for ratios of sums.

    Examples
    --------
    >>> from mlm_helpers import label_based
    >>> y_true, y_score = [[1, 0], [0, 0], [1, 1]], [[0.9, 0.3], [0.5, 0.2], [0.4, 0.4]]
    >>> tune(label_based.f1, y_true, y_score)
    0.4
    >>> tune(label_based.f1, y_true, y_score, per_label=True)
    array([0.4, 0.4])

    Other data may miss a value that is just reached on these. It is safer to let the lower end of an
    interval reach it:

    >>> from mlm_helpers import uncertainty
    >>> y_score = [[i // 10 / 10] for i in range(100)]
    >>> y_true = [[int(i % 10 < i // 10)] for i in range(100)]  # of those that score 0.9 nine of ten
    >>> tune(label_based.recall, y_true, y_score, constraint=(label_based.precision, 0.5))
    0.1
    >>> def lower_end(y_true, y_pred):
    ...     return uncertainty.interval(label_based.precision, y_true, y_pred).low
    >>> tune(label_based.recall, y_true, y_score, constraint=(lower_end, 0.5))
    0.4
    """
    inputs.check_choice(per_label, (True, False), "per_label")
    inputs.check_choice(higher_is_better, (True, False, None), "higher_is_better")
    rule = _read(metric, y_true, y_score, higher_is_better)
    labels: Any = range(rule.data.shape[1] if per_label else 1)
    goal: Any = None
    least, wanted = np.zeros(len(labels)), ""
    if constraint is not None:
        if not isinstance(constraint, tuple | list) or len(constraint) != 2:
            given = inputs.short_repr(constraint)
            raise TypeError(
                f"constraint is {given}: give a metric and a value, as in (recall, 0.8)"
            )
        is_function = catalogue.find_record(constraint[0]) is None
        goal = _read(constraint[0], y_true, y_score, True if is_function else None)
        value = inputs.align_to_labels(
            constraint[1], "constraint[1]", y_true=y_true, y_score=y_score
        )
        name = "the value in constraint"
        least = inputs.broadcast_to_labels(value, len(labels), name, -math.inf, math.inf)
        limit = f"at {'least' if goal.sign > 0 else 'most'} {inputs.short_repr(constraint[1])}"
        wanted = f"constraint asks for {goal.name} of {limit}, which no threshold reaches"
    if not per_label:
        best = _best(rule, goal, least[0])
        if math.isnan(best):
            most = goal.sign * float(np.fmax.reduce(_curve(goal)[1]))
            raise ValueError(f"{wanted}: the best is {inputs.short_repr(most)}")
        return best
    if goal is None and rule.average == "micro" and rule.record.linear and not rule.is_called:
        return _best_pooled(rule)
    for one in (rule, goal or rule):
        one.check_per_label()
    best_of_each = (_best(rule.of_label(j), goal and goal.of_label(j), least[j]) for j in labels)
    thresholds = np.fromiter(best_of_each, float)
    unreached = np.isnan(thresholds)
    if unreached.any():
        names = inputs.resolve_names(None, labels, "label", y_true, y_score)
        some = refuse.first_three([names[j] for j in np.flatnonzero(unreached)])
        text = f"{wanted} for {some}: these labels get inf, which predicts nothing"
        warnings.warn(text, stacklevel=2)
    return np.where(unreached, math.inf, thresholds)


class _Rule:
    """A metric to tune for, with its options and data; of its values the greater is the better."""

    def __init__(self, metric: Callable[..., Any], record: Any, data: Data, chosen: Any, sign: int):
        self.metric, self.record, self.data, self.chosen = metric, record, data, chosen
        self.sign, self.average = sign, chosen.get("average")
        self.name = catalogue.full_name(metric) if record else catalogue.function_name(metric)
        # A metric that prepares the data before it counts, or any function.
        self.is_called = record is None or record.prepare is not None or record.unit == "all"

    def check_per_label(self) -> None:
        """Refuse metrics of which a label's best threshold is not its own affair."""
        remedy, record = "average='macro' of a metric of labels", self.record
        if record is None:
            remedy = "tune each column, as in tune(metric, y_true[:, [j]], y_score[:, [j]], ...)"
        elif record.is_share_of_cells or (record.reads_label_counts and self.average != "micro"):
            return
        raise ValueError(
            f"per_label is True, and under {self.name} the best threshold of a label depends on those of"
            f" the others: give per_label=False, or {remedy}"
        )

    def of_label(self, j: int) -> "_Rule":
        """The same metric of one label."""
        own = {name: self.chosen[name][[j]] for name in self.record.required_per_label}
        data, chosen = self.data.select_labels([j]), {**self.chosen, **own}
        return _Rule(self.metric, self.record, data, chosen, self.sign)

    def values(self, counted: Counts) -> FloatArray:
        """The values of counts, whose rows are samples, labels or one list of all cells.

        0 without a known cell, where all thresholds are equally good.
        """
        formula = self.record.formula(self.chosen, self.data.shape[1])
        columns = Counts(*(each.T for each in counted))  # as formulas read labels
        values = counts.ratio(formula, columns, self.chosen.get("zero_division", 0.0)).T
        return self.sign * np.nan_to_num(values, nan=0.0)


def _read(metric: Callable[..., Any], y_true: Any, y_score: Any, higher_is_better: Any) -> _Rule:
    """A metric that a threshold can be tuned for, and the data with its weights."""
    record: Any = catalogue.find_record(metric)
    metric = catalogue.align_options(metric, y_true, y_score)
    chosen = catalogue.resolve_scalar_options(metric) if record else {}
    if record is None and higher_is_better is None:
        what = f"metric is {catalogue.function_name(metric)}, which the catalogue does not hold"
        raise ValueError(f"{what}: pass higher_is_better=True, or False of a cost or loss")
    if record and higher_is_better not in (None, record.higher_is_better):
        what = f"a {'higher' if record.higher_is_better else 'lower'} {record.name} is better"
        raise ValueError(f"higher_is_better is {higher_is_better}, and {what}: leave it out here")
    if record and record.reads != "y_pred":
        raise ValueError(f"metric is {record.name}, which reads scores: it needs no threshold")
    if isinstance(chosen.get("zero_division"), float) and math.isnan(chosen["zero_division"]):
        raise ValueError(
            "zero_division is nan, under which a threshold changes what is averaged: bind 0.0 or 1.0"
        )
    data = inputs.read_label_scores(y_true, y_score, chosen.get("sample_weight"))
    if not data.cell_weights.any():
        raise ValueError("y_true is unknown in each cell that counts: give one with known cells")
    for name in record.required_per_label if record else ():
        chosen[name] = record.parameters[name].resolve(chosen[name], data.shape[1])
    # Adding 0 makes -0.0 the same threshold as 0.0.
    truth, score = (data.truth != 0).astype(np.int8), data.prediction.astype(float) + 0.0
    is_better = record.higher_is_better if record else higher_is_better
    return _Rule(
        metric, record, replace(data, truth=truth, prediction=score), chosen, 2 * is_better - 1
    )


def _best(rule: _Rule, goal: _Rule | None, least: float) -> float:
    """The best threshold that reaches the goal's least value, the highest of equally good ones; nan if none does."""
    thresholds, values = _curve(rule)
    allowed = ~np.isnan(values)
    if not allowed.any():
        what = f"{rule.name} is nan at every threshold"
        raise ValueError(f"{what}: give samples for which it has a value at one")
    if goal is not None:
        reached, bound = _curve(goal)[1], goal.sign * least
        allowed &= reached >= bound - _ROUNDING * max(abs(bound), np.fmax.reduce(np.abs(reached)))
    if not allowed.any():
        return math.nan
    best = values[allowed].max() - _ROUNDING * np.fmax.reduce(np.abs(values))
    return float(thresholds[allowed & (values >= best)][0])


def _curve(rule: _Rule) -> tuple[FloatArray, FloatArray]:
    """The thresholds, which are inf and the distinct scores in descending order, and the value at each.

    The threshold sweeps from high to low, and each cell that it passes changes one part of the mean. The
    parts are what the metric averages over: samples, labels, or under micro a single list of all cells.
    """
    data, record = rule.data, rule.record
    if rule.is_called:
        from tqdm import tqdm

        thresholds = np.append(np.inf, np.unique(data.prediction)[::-1])
        each = (at(data.prediction, one) for one in tqdm(thresholds, leave=False, delay=_PATIENCE))
        called = [catalogue.read_metric_value(rule.metric(data.y_true, y_pred)) for y_pred in each]
        return thresholds, rule.sign * np.array(called)
    matrices: Any = data.truth, data.prediction, data.cell_weights
    known = data.cell_weights > 0
    if rule.average == "micro":
        matrices = [matrix.reshape(1, -1) for matrix in matrices]
        votes = np.ones(1)
    elif record.unit == "label":
        matrices = [matrix.T for matrix in matrices]
        support = (data.cell_weights * data.truth).sum(axis=0)
        by_support = rule.average == "weighted" and support.any()
        votes = np.asarray(support if by_support else known.any(axis=0), dtype=float)
    else:
        votes = record.sample_weights(data) * known.any(axis=1)
    score, counted = _cumulative_counts(*matrices)
    # The first of tied scores leave the value as it was before them.
    at_end = np.pad(score[:, 1:] != score[:, :-1], ((0, 0), (1, 1)), constant_values=True)
    last = np.maximum.accumulate(at_end * np.arange(at_end.shape[1]), axis=1)
    values = np.take_along_axis(rule.values(counted), last, axis=1)
    shares = (votes / (votes.sum() or 1))[:, None] * values
    changes, score = np.diff(shares).ravel(), score.ravel()
    order = np.argsort(-score, kind="stable")
    values = shares[:, 0].sum() + np.append(0, np.cumsum(changes[order]))
    return _at_distinct(score[order], values)


def _cumulative_counts(
    truth: LabelMatrix, score: FloatArray, weight: FloatArray
) -> tuple[FloatArray, Counts]:
    """Each row's scores in descending order, and its counts when the first 0, 1, 2 … are predicted."""
    order = np.argsort(-score, axis=1, kind="stable")
    score, positive, weight = (np.take_along_axis(m, order, axis=1) for m in (score, truth, weight))
    both = np.where(positive, weight, 0), np.where(positive, 0, weight)
    # Each outcome separately: a difference of two sums is rounded.
    tp, fp = (np.pad(cells.cumsum(axis=1), ((0, 0), (1, 0))) for cells in both)
    fn, tn = (np.pad(cells[:, ::-1].cumsum(axis=1)[:, ::-1], ((0, 0), (0, 1))) for cells in both)
    return score, Counts(tp, fp, fn, tn)


def _at_distinct(score: FloatArray, values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The thresholds of sorted scores, and the last axis of values where no tied score remains."""
    last = np.concatenate([[True], score[1:] != score[:-1], [True]])
    return np.append(np.inf, score)[last], values[..., last]


def _best_pooled(rule: _Rule) -> FloatArray:
    """Dinkelbach's steps: the thresholds that are best for part − value × whole, until the value stays."""
    score, counted = _cumulative_counts(
        rule.data.truth.T, rule.data.prediction.T, rule.data.cell_weights.T
    )
    four = np.stack(counted, axis=1)
    labels = [_at_distinct(*each) for each in zip(score, four, strict=True)]
    formula, most, thresholds = rule.record.formula(rule.chosen), -math.inf, np.array([])
    # Begin with the fewest wrong cells: where 0/0 agrees, there are none.
    places = [int((cells[1] + cells[2]).argmin()) for _, cells in labels]
    while True:
        chosen = [cells[:, i] for i, (_, cells) in zip(places, labels, strict=True)]
        reached = float(rule.values(Counts(*np.sum(chosen, axis=0))))
        if reached <= most:
            return thresholds
        most = reached
        thresholds = np.array([scores[i] for i, (scores, _) in zip(places, labels, strict=True)])
        # Slightly more than the value that was reached, so that equally good thresholds lose and the loop ends.
        aim = most + _ROUNDING * abs(most)
        ratios = (formula(Counts(*cells)) for _, cells in labels)
        places = [int((rule.sign * part - aim * whole).argmax()) for part, whole in ratios]
