"""From scores to label sets: by a threshold, the top k labels or a share; the best threshold.

A metric of label sets evaluates both the scores and the rule that turns them into label sets. A
threshold that is best on the data it was tuned on is seldom best on other data: tune on a
validation set. Label sets are an array of 0 and 1, or for a pandas DataFrame a DataFrame with the
same columns and index. Bad input raises a TypeError or a ValueError.

The rules are SCut, RCut and PCut of Yang, "A study of thresholding strategies for text
categorization", 2001.

How `tune` searches: most metrics are a mean over units, which are the samples, the labels or, under
micro, all cells as a single one. From the highest score to the lowest, one sweep over all cells
adds up by how much each cell changes the mean once it is predicted. It thus visits all thresholds.
"""

import math
import warnings
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mlm_helpers import catalogue
from mlm_helpers._core import counts, ordering
from mlm_helpers._core.averages import Averaging, mean_of
from mlm_helpers._core.inputs import refuse
from mlm_helpers._core.inputs.ancestry import align_to_labels
from mlm_helpers._core.inputs.data import (
    Data,
    FloatArray,
    LabelArray,
    LabelMatrix,
    ScoreMatrix,
    as_score_dtype,
)
from mlm_helpers._core.inputs.options import (
    Ties,
    check_choice,
    check_options,
    read_k,
    resolve_names,
)
from mlm_helpers._core.inputs.read import (
    read_label_scores,
    read_per_label,
    read_score_matrix,
)
from mlm_helpers._core.inputs.refuse import check_label_order, short_repr
from mlm_helpers._core.named import as_frame_like
from mlm_helpers._core.progress import progress
from mlm_helpers.catalogue.arguments import (
    align_options,
    find_record,
    read_metric_value,
    resolve_scalar_options,
)
from mlm_helpers.catalogue.metric import MetricFunction

__all__ = ["at", "share", "top", "tune"]

_TOLERANCE = 1e-12  # values that differ by less, relative to the largest, count as equal


def at(y_score: ScoreMatrix, threshold: Any = None, *, inclusive: bool = True) -> Any:
    """Label sets in the shape of the scores: the labels whose score reaches a threshold (SCut).

    Parameters
    ----------
    y_score : matrix of finite numbers, shape (n_samples, n_labels)
    threshold : number, or one for each label, optional
        In the unit of the scores; inf predicts nothing. The default, 0.5, is for scores from 0 to
        1; other scores need a threshold. The index of a Series must match the columns of a
        DataFrame.
    inclusive : bool
        Whether a label whose score equals the threshold is predicted, ``>=`` (torcheval, MEKA,
        MULAN, spaCy), or not, ``>`` (scikit-learn's OneVsRestClassifier, keras, torchmetrics).

    Examples
    --------
    >>> at([[0.5, 0.4], [0.2, 0.9]])
    array([[1, 0],
           [0, 1]], dtype=int8)
    >>> at([[0.5, 0.4]], [0.6, 0.4])
    array([[0, 1]], dtype=int8)
    """
    check_choice(inclusive, (True, False), "inclusive")
    score = read_score_matrix(y_score)
    if threshold is None:
        threshold = 0.5
        is_outside = np.abs(score - 0.5) > 0.5 + 1e-6  # a rounded softmax may exceed 1
        if is_outside.any():
            value, place = refuse.first_value_and_place(score, is_outside)
            fact = f"y_score holds {short_repr(value)} at {place}, and 0.5, the default threshold,"
            remedy = "pass threshold=0 for logits, or the threshold that was tuned"
            raise ValueError(f"{fact} is for probabilities: {remedy}")
    check_label_order(y_score, threshold, "threshold")
    n_labels = score.shape[1]
    by_label = read_per_label(threshold, n_labels, "threshold", -math.inf, math.inf)
    thresholds = as_score_dtype(by_label, score)
    y_pred = score >= thresholds if inclusive else score > thresholds
    return as_frame_like(y_pred.astype(np.int8), y_score)


def top(y_score: ScoreMatrix, k: int, *, ties: Ties = "first") -> Any:
    """Label sets in the shape of the scores: the k highest-scoring labels of each sample (RCut).

    Parameters
    ----------
    y_score : matrix of finite numbers, shape (n_samples, n_labels)
    k : int, from 1 to the number of labels
    ties : "first", "last", "max", "min" or "average"
        The rank of tied labels, see `ranking.ranks`; labels of rank k or less are predicted.
        "first" and "last" predict exactly k labels. Of a tie that straddles rank k, "max" predicts
        no label and "min" all.

    Examples
    --------
    >>> top([[0.5, 0.4, 0.4]], 2)
    array([[1, 1, 0]], dtype=int8)
    >>> top([[0.5, 0.4, 0.4]], 2, ties="max")
    array([[1, 0, 0]], dtype=int8)
    >>> top([[0.5, 0.4, 0.4]], 2, ties="min")
    array([[1, 1, 1]], dtype=int8)
    """
    check_options(ties=ties)
    score = read_score_matrix(y_score)
    y_pred = ordering.ranks(score, ties) <= read_k(k, score.shape[1])
    return as_frame_like(y_pred.astype(np.int8), y_score)


def share(y_score: ScoreMatrix, shares: Any) -> Any:
    """Label sets in the shape of the scores: each label for a share of the samples (PCut).

    A label is predicted for the samples with its highest scores. Their number is its share of all
    samples, rounded to the nearest integer, halves up. Of tied samples, the first get the label.

    Parameters
    ----------
    y_score : matrix of finite numbers, shape (n_samples, n_labels)
    shares : number from 0 to 1, or one for each label
        Such as ``y_train.mean(axis=0)``. The index of a Series must match the columns, as in `at`.

    Examples
    --------
    >>> share([[0.9, 0.1], [0.8, 0.2], [0.7, 0.3]], [1 / 3, 2 / 3])
    array([[1, 0],
           [0, 1],
           [0, 1]], dtype=int8)
    >>> share([[0.5], [0.5]], [0.5])
    array([[1],
           [0]], dtype=int8)
    """
    score = read_score_matrix(y_score)
    check_label_order(y_score, shares, "shares")
    share_of_label = read_per_label(shares, score.shape[1], "shares", 0, 1)
    # The product is rounded to 9 digits first: 0.29 × 50 is a half, but computed as 14.499…
    n_predicted = np.floor((share_of_label * len(score)).round(9) + 0.5)
    ranks = ordering.ranks(score.T, "first").T
    return as_frame_like((ranks <= n_predicted).astype(np.int8), y_score)


def tune(
    metric: MetricFunction,
    y_true: LabelMatrix,
    y_score: ScoreMatrix,
    *,
    per_label: bool = False,
    constraint: tuple[MetricFunction, Any] | None = None,
    higher_is_better: bool | None = None,
) -> float | FloatArray:
    """The best threshold for a metric, if the labels with at least that score are predicted.

    The result is as good as that of trying every threshold, but it is found from the sorted scores;
    only hierarchical metrics and functions outside the catalogue are called, once per distinct
    score and for inf. The threshold is one of the scores, as a float64, or inf, which predicts
    nothing. Of equally good ones (to 1e-12 of the value) it is the highest. The search takes the
    memory of 16 copies of the scores as float64, of 19 copies with a constraint, and of 3 copies
    with ``per_label``.

    Parameters
    ----------
    metric : public metric function of label sets, a ``functools.partial`` of it, or any function
        Any other function gets truth and prediction as arrays and returns one number, or nan to
        skip a threshold. Round the scores if there are too many distinct ones.
    y_true : matrix of 0 and 1, shape (n_samples, n_labels)
        Masked cells are left out; a label without a known cell gets inf.
    y_score : matrix of finite numbers, same shape
    per_label : bool
        False gives one threshold for all labels, True one for each label. True requires Hamming
        loss or a label-based metric that is not micro: under other metrics, the best threshold of
        a label depends on those of all other labels.
    constraint : (metric, value), optional
        Only thresholds are allowed at which this metric is at least the value, or at most if lower
        is better; any other function must be at least the value. A ValueError is raised if no
        threshold is allowed. If ``per_label``, each label must reach the value, or its own entry of
        an array; a label that cannot reach it gets inf, and a UserWarning names it.
    higher_is_better : bool, optional
        Required for a function outside the catalogue.

    Returns
    -------
    float, or array of shape (n_labels,) if ``per_label``

    References
    ----------
    Lipton et al., "Optimal thresholding of classifiers to maximize F1 measure", 2014.

    Examples
    --------
    >>> from mlm_helpers import label_based
    >>> y_true, y_score = [[1, 0], [0, 0], [1, 1]], [[0.9, 0.3], [0.5, 0.2], [0.4, 0.4]]
    >>> tune(label_based.f1, y_true, y_score)
    0.4
    >>> tune(label_based.f1, y_true, y_score, per_label=True)
    array([0.4, 0.4])
    >>> tune(label_based.recall, [[0], [1]], [[0.2], [0.7]])  # 0.2 reaches the same recall
    0.7

    A value that is just reached on these data may be missed on others. It is safer if the lower end
    of an interval reaches it:

    >>> from mlm_helpers import uncertainty
    >>> y_score = [[i // 10 / 10] for i in range(100)]
    >>> y_true = [[int(i % 10 < i // 10)] for i in range(100)]  # nine of ten with the score 0.9
    >>> tune(label_based.recall, y_true, y_score, constraint=(label_based.precision, 0.5))
    0.1
    >>> def lower_end(y_true, y_pred):
    ...     return uncertainty.interval(label_based.precision, y_true, y_pred).low
    >>> tune(label_based.recall, y_true, y_score, constraint=(lower_end, 0.5))
    0.4
    """
    check_choice(per_label, (True, False), "per_label")
    check_choice(higher_is_better, (True, False, None), "higher_is_better")
    objective = _read_objective(metric, y_true, y_score, higher_is_better, per_label)
    n_thresholds = objective.data.shape[1] if per_label else 1
    constrained: Any = None
    bounds, problem = np.zeros(n_thresholds), ""
    if constraint is not None:
        constrained, bounds, problem = _read_constraint(constraint, y_true, y_score, per_label)
    if not per_label:
        best = _best_threshold(objective, constrained, bounds[0])
        if math.isnan(best):  # the constraint allows no threshold
            _, values = _threshold_curve(constrained)
            best_value = constrained.sign * float(np.fmax.reduce(values))
            raise ValueError(f"{problem}: the best is {short_repr(best_value)}")
        return best
    thresholds = np.zeros(n_thresholds)
    for j in range(n_thresholds):
        constrained_j = constrained and constrained.of_label(j)
        thresholds[j] = _best_threshold(objective.of_label(j), constrained_j, bounds[j])
    unreached = np.isnan(thresholds)  # the constraint allows no threshold of the label
    if unreached.any():
        names = resolve_names(None, range(n_thresholds), "label", y_true, y_score)
        first_names = refuse.first_three([names[j] for j in np.flatnonzero(unreached)])
        text = f"{problem} for {first_names}: these labels get inf, which predicts nothing"
        warnings.warn(text, stacklevel=2)
    return np.where(unreached, math.inf, thresholds)


@dataclass(frozen=True)
class _Objective:
    """A metric that is to be tuned, or that a constraint bounds, with its data and options.

    Its values are multiplied by ``sign``, so that higher ones are always better.
    """

    metric: Any
    record: Any  # None for a function outside the catalogue
    data: Data
    options: dict[str, Any]  # empty for a function outside the catalogue
    sign: int  # -1 if lower values of the metric are better, else 1

    @property
    def averaging(self) -> Averaging:
        """How the metric averages its units: without an option ``average``, over samples.

        A ValueError is raised for an average that is not a mean.
        """
        return mean_of(self.options.get("average", "samples"))

    def of_label(self, j: int) -> "_Objective":
        """The same metric on a single label."""
        options = self.record.options_of_label(self.options, j)
        return replace(self, data=self.data.select_labels([j]), options=options)

    def values(self, counted: counts.Counts) -> FloatArray:
        """The value of each unit times the sign, from counts with a row per unit.

        Of a unit without known cells, the value is 0 at every threshold, so that it favours none.
        """
        formula = self.record.bound_formula(self.options, self.data.shape[1])
        columns = counts.Counts(*(matrix.T for matrix in counted))  # formulas expect units last
        # Metrics without the option have 0/0 only where no cell is known, which gives nan anyway.
        values = counts.ratio(formula, columns, self.options.get("zero_division", 0.0)).T
        return self.sign * np.nan_to_num(values, nan=0.0)


def _read_objective(
    metric: Any, y_true: Any, y_score: Any, higher_is_better: Any, per_label: bool
) -> _Objective:
    """The metric with its data and options, checked; a ValueError if it cannot be tuned on them."""
    record: Any = find_record(metric)
    metric = align_options(metric, y_true, y_score)
    options = resolve_scalar_options(metric) if record else {}
    if record is None and higher_is_better is None:
        problem = f"metric is {catalogue.full_name(metric)}, which the catalogue does not hold"
        raise ValueError(f"{problem}: pass higher_is_better=True, or False of a cost or loss")
    if record and higher_is_better not in (None, record.higher_is_better):
        problem = f"higher_is_better is {higher_is_better}, but not of {record.name}"
        raise ValueError(f"{problem}: leave it out for a metric of the catalogue")
    if record and record.reads != "y_pred":
        raise ValueError(f"metric is {record.name}, which reads scores: it needs no threshold")
    if options.get("zero_division") not in (0, 1, "agree", None):  # None: there is no such option
        problem = "zero_division is nan, under which a threshold changes what is averaged"
        raise ValueError(f"{problem}: bind 0.0 or 1.0")
    data = read_label_scores(y_true, y_score, options.get("sample_weight"))
    if not data.cell_weights.any():
        raise ValueError("y_true is unknown in each cell that counts: give one with known cells")
    options = record.resolve_per_label(options, data.shape[1]) if record else options
    # Adding 0 turns -0.0 into 0.0, which is the same threshold.
    data = replace(data, prediction=data.prediction.astype(float) + 0.0)
    is_higher_better = record.higher_is_better if record else higher_is_better
    objective = _Objective(metric, record, data, options, 1 if is_higher_better else -1)
    if per_label:
        _check_is_mean_of_labels(objective)
    return objective


def _check_is_mean_of_labels(objective: _Objective) -> None:
    """Refuse metrics under which the best threshold of a label may depend on other labels."""
    record = objective.record
    remedy = "average='macro' of a metric of labels"
    if record is None:
        remedy = "tune each column, as in tune(metric, y_true[:, [j]], y_score[:, [j]], ...)"
    elif record.is_share_of_cells or (
        record.reads_label_counts and not objective.averaging.is_pooled
    ):
        return
    name = catalogue.full_name(objective.metric)
    problem = f"per_label is True, and {name} is not a mean of the labels' values"
    raise ValueError(f"{problem}: give per_label=False for one threshold, or {remedy}")


def _read_constraint(
    constraint: Any, y_true: Any, y_score: Any, per_label: bool
) -> tuple[_Objective, FloatArray, str]:
    """The constraint's metric, its bounds, and the message if no threshold reaches one of them.

    There is a bound for each label, or a single one for the threshold of all labels.
    """
    if not isinstance(constraint, tuple | list) or len(constraint) != 2:
        text = short_repr(constraint)
        raise TypeError(f"constraint is {text}: give a metric and a value, as in (recall, 0.8)")
    metric, value = constraint
    higher_is_better = None if find_record(metric) else True  # None: the catalogue says it
    constrained = _read_objective(metric, y_true, y_score, higher_is_better, per_label)
    n_thresholds = constrained.data.shape[1] if per_label else 1
    bounds = align_to_labels(value, "constraint[1]", y_true=y_true, y_score=y_score)
    noun = "the value in constraint"
    bounds = read_per_label(bounds, n_thresholds, noun, -math.inf, math.inf)
    limit = f"at {'least' if constrained.sign > 0 else 'most'} {short_repr(value)}"
    name = catalogue.full_name(metric)
    problem = f"constraint asks for {name} of {limit}, which no threshold reaches"
    return constrained, bounds, problem


def _best_threshold(objective: _Objective, constrained: _Objective | None, bound: float) -> float:
    """The best threshold that the constraint allows, the highest of equal ones; nan if none is."""
    thresholds, values = _threshold_curve(objective)
    is_allowed = ~np.isnan(values)
    if not is_allowed.any():
        problem = f"{catalogue.full_name(objective.metric)} is nan at every threshold"
        raise ValueError(f"{problem}: give samples for which it has a value at one")
    if constrained is not None:
        _, constrained_values = _threshold_curve(constrained)  # at the same thresholds
        tolerance = _TOLERANCE * max(abs(bound), np.fmax.reduce(np.abs(constrained_values)))
        is_allowed &= constrained_values >= constrained.sign * bound - tolerance
    if not is_allowed.any():
        return math.nan
    tolerance = _TOLERANCE * np.fmax.reduce(np.abs(values))
    is_best = is_allowed & (values >= values[is_allowed].max() - tolerance)
    return float(thresholds[is_best][0])  # the highest, as thresholds descend


def _threshold_curve(objective: _Objective) -> tuple[FloatArray, FloatArray]:
    """Thresholds from high to low, inf and the distinct scores, and the value × sign at each.

    Functions outside the catalogue and hierarchical metrics are called at each threshold, as only
    means over units can be swept.
    """
    record = objective.record
    if record and not record.prepare and record.unit != "all":
        return _swept_curve(objective)
    y_true, score = objective.data.y_true, objective.data.prediction
    thresholds = np.append(np.inf, np.unique(score)[::-1])
    y_preds = (at(score, threshold) for threshold in progress(thresholds))
    values = [read_metric_value(objective.metric(y_true, y_pred)) for y_pred in y_preds]
    return thresholds, objective.sign * np.array(values)


def _swept_curve(objective: _Objective) -> tuple[FloatArray, FloatArray]:
    """Thresholds from high to low, and the weighted mean over units × sign at each.

    Each cell that becomes predicted changes the value of its unit, and thus the mean, by an amount
    that does not depend on other units. Added up in the order of all scores, the changes lead from
    one mean to the next.
    """
    matrices, weight = _matrices_of_units(objective)
    score, counted = _cumulative_counts(*matrices)
    # Column i of `counted` has a unit's counts once its first i cells are predicted. Tied cells are
    # predicted together: up to the last of them, the unit keeps its value from before the tie.
    ends_tie = np.pad(score[:, 1:] != score[:, :-1], ((0, 0), (1, 1)), constant_values=True)
    last_end_of_tie = np.maximum.accumulate(ends_tie * np.arange(ends_tie.shape[1]), axis=1)
    contributions = np.take_along_axis(objective.values(counted), last_end_of_tie, axis=1)
    contributions *= (weight / (weight.sum() or 1))[:, None]  # to the mean; 0 if all weigh 0
    changes, all_scores = np.diff(contributions).ravel(), score.ravel()
    order = np.argsort(-all_scores, kind="stable")
    means = contributions[:, 0].sum() + np.append(0, np.cumsum(changes[order]))
    thresholds = np.append(np.inf, all_scores[order])
    is_last = np.append(thresholds[1:] != thresholds[:-1], True)  # of the cells with this score
    return thresholds[is_last], means[is_last]


def _matrices_of_units(objective: _Objective) -> tuple[Any, FloatArray]:
    """Truth, scores and cell weights with a row per unit, and each unit's weight in the mean."""
    data, record = objective.data, objective.record
    matrices = data.truth, data.prediction, data.cell_weights
    is_known = data.cell_weights > 0
    if objective.averaging.is_pooled:
        return [matrix.reshape(1, -1) for matrix in matrices], np.ones(1)
    if record.unit == "sample":
        return matrices, record.sample_weights(data) * is_known.any(axis=1)
    support = (data.cell_weights * data.truth).sum(axis=0)
    # In a weighted mean without any support, labels weigh the same, as in `counts.average_labels`.
    is_weighted = objective.averaging.weighs_support and support.any()
    weight = support if is_weighted else is_known.any(axis=0)
    return [matrix.T for matrix in matrices], np.asarray(weight, dtype=float)


def _cumulative_counts(
    truth: LabelArray, score: FloatArray, weight: FloatArray
) -> tuple[FloatArray, counts.Counts]:
    """Each unit's scores in descending order, and its counts if the first 0, 1, 2, … are predicted.

    The arguments have a row per unit. Each outcome is added up by itself, because a difference of
    two sums would be rounded: FN and TN are those of the cells from the end of the row on.
    """
    order = np.argsort(-score, axis=1, kind="stable")
    score, truth, weight = (np.take_along_axis(m, order, axis=1) for m in (score, truth, weight))
    positive, negative = np.where(truth, weight, 0), np.where(truth, 0, weight)
    tp, fp = _sums_up_to(positive), _sums_up_to(negative)
    fn, tn = (_sums_up_to(cells[:, ::-1])[:, ::-1] for cells in (positive, negative))
    return score, counts.Counts(tp, fp, fn, tn)


def _sums_up_to(cells: FloatArray) -> FloatArray:
    """The sums of the first 0, 1, 2, … cells of each row."""
    return np.pad(cells.cumsum(axis=1), ((0, 0), (1, 0)))
