"""Tables of labels, of several models and of subgroups of samples, with confidence intervals.

A table displays itself in a terminal and in a notebook; ``.frame()`` has its unrounded numbers, and
``.markdown()`` and ``.latex()`` write it for a page or a paper. Bad input raises a TypeError or a
ValueError. These options are the same for all tables; `models`, whose rows are metrics, does not
have ``sort`` and ``most``:

``level``, between 0 and 1: the confidence level of the intervals; under None there are none.
``groups``: the group of each sample, as in `uncertainty.interval`; groups are drawn whole.
``sort``, a column: "F1" sorts the rows from the lowest F1 to the highest, "-F1" from the highest to
the lowest; rows with a dash in this column come last. ``most``: how many rows are shown at most.
The rows of averages and of all samples stand below, and include what is not shown. ``decimals``:
how many each number has that is not a count; by default 3, without trailing zeros.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import combinations
from statistics import NormalDist
from typing import Any, TypeAlias

import numpy as np

from mlm_helpers import catalogue, curves, label_based, tables, uncertainty
from mlm_helpers._core import counts
from mlm_helpers._core.inputs import refuse
from mlm_helpers._core.inputs.data import Data, FloatArray, LabelMatrix, ScoreMatrix
from mlm_helpers._core.inputs.kinds import stored_values
from mlm_helpers._core.inputs.options import read_int, resolve_names
from mlm_helpers._core.inputs.read import (
    read_groups,
    read_label_scores,
    read_label_sets,
    read_truth,
)
from mlm_helpers.catalogue.arguments import (
    align_options,
    as_list_of_metrics,
    find_record,
    resolve_options,
    sign,
)
from mlm_helpers.catalogue.metric import MetricFunction

__all__ = ["compare_labels", "labels", "models", "subgroups"]

# The default metrics of `models`, as `catalogue.variants` calls them: of label sets, and of scores.
_SETS = "micro F1, macro F1, samples F1, samples accuracy (Jaccard), Hamming loss, subset accuracy"
_SCORES = "micro AP, macro AP, macro AUROC, average precision, ranking loss, one-error"
# The metrics of `labels`, and its rows below the labels.
_OF_LABELS: list[MetricFunction] = [label_based.precision, label_based.recall, label_based.f1]
_AVERAGES: tuple[Any, ...] = ("macro", "micro")
# By model: a matrix, and before it the argument that it is in, as messages name it.
_Matrices: TypeAlias = dict[str, tuple[str, Any]]
_DAGGER = (
    " †: shifts with the share of unknown cells, even where they are unknown at random;"
    " compare only on samples annotated in full."
)


def labels(
    y_true: LabelMatrix,
    y_pred: LabelMatrix,
    *,
    y_score: ScoreMatrix | None = None,
    labels: Sequence[str] | None = None,
    metrics: Iterable[MetricFunction] = (),
    level: float | None = None,
    groups: Any = None,
    sort: str | None = None,
    most: int | None = None,
    decimals: int | None = None,
) -> tables.Display:
    """Table of the labels: support, counts, precision, recall, F1 and average precision (AP).

    The macro and the micro averages stand below the labels. A dash stands for 0/0. The column "F1
    baseline" has the F1 of a model that predicts every label for every sample: 2π / (1 + π), where
    π is the share of the samples that have the label.

    Parameters
    ----------
    y_true, y_pred : matrix of 0 and 1, shape (n_samples, n_labels)
    y_score : matrix of finite numbers, same shape, optional
        Adds a column of average precision.
    labels : a different name for each label, by default the columns of a DataFrame, else numbers
    metrics : list of metrics with a macro and a micro average, optional
        Additional columns, such as ``[label_based.specificity]``.
    level, groups, sort, most, decimals
        As in all tables, see `summary`.

    Examples
    --------
    >>> labels([[1, 0], [1, 1], [0, 1]], [[1, 0], [1, 0], [1, 0]], labels=["cat", "sea"])
    3 samples, 2 labels. F1 baseline: every label predicted. –: 0/0, which counts 0 in a macro \
average.
    label  support  TP  FP  FN  precision  recall  F1     F1 baseline
    cat    2        2   1   0   0.667      1       0.8    0.8
    sea    2        0   0   2   –          0       0      0.8
    macro  –        –   –   –   0.333      0.5     0.4    0.8
    micro  4        2   1   2   0.667      0.5     0.571  0.8
    """
    data = read_label_sets(y_true, y_pred)
    n_samples, n_labels = data.shape
    refuse.check_same_order({"y_true": y_true, "y_pred": y_pred, "y_score": y_score})
    names = resolve_names(labels, range(n_labels), "label", y_true, y_pred, y_score)
    names = _distinct_names("labels", names, *_AVERAGES)
    # Each column has an entry for each label, then one for macro and one for micro.
    columns: dict[str, list[Any]] = {"label": [*names, *_AVERAGES]}
    confusion = counts.count(data, axis=0)
    tp, fp, fn, tn = confusion
    for name, count in {"support": tp + fn, "TP": tp, "FP": fp, "FN": fn}.items():
        columns[name] = [*map(int, count), None, int(count.sum())]
    of_scores = [] if y_score is None else [curves.average_precision]
    metrics = as_list_of_metrics(metrics)
    for metric in [*_OF_LABELS, *of_scores, *metrics]:
        record, options = catalogue.record_of(metric), resolve_options(metric)
        if not {*_AVERAGES} <= {*record.averages}:
            name = catalogue.full_name(metric)
            raise ValueError(f"metrics has {name}: give metrics with a macro and a micro average")
        if record.reads_label_counts and options["sample_weight"] is None and level is None:
            values = _values_of_counts(record, options, confusion)
        else:
            matrix = y_pred if record.reads == "y_pred" else y_score
            values = _values_or_intervals(metric, y_true, matrix, level, groups)
        columns[_metric_header(partial(metric, average=None), y_true)] = [*map(_cell, values)]
        if metric is label_based.f1:
            # If every label is predicted, misses become hits, and true negatives false alarms.
            all_predicted = counts.Counts(tp + fn, fp + tn, 0 * fn, 0 * tn)
            baseline = _values_of_counts(record, record.nan_if_undefined, all_predicted)
            columns["F1 baseline"] = [*map(_cell, baseline)]
    rows = [*zip(*columns.values(), strict=True)]
    labels_shown, n_shown = _sorted_rows([*columns], rows[:n_labels], sort, most)
    caption = _caption(f"{_size(n_samples, n_labels)}{n_shown}.", y_true, level, groups)
    caption += " F1 baseline: every label predicted."
    if any(None in column[:n_labels] for column in columns.values()):
        caption += f" –: {'undefined' if metrics else '0/0, which counts 0 in a macro average'}."
    return tables.table(columns, labels_shown + rows[n_labels:], caption, fixed=decimals)


def _values_of_counts(
    record: catalogue.Metric, options: Any, confusion: counts.Counts
) -> list[Any]:
    """A set metric's column in `labels`: the value of each label, nan for 0/0, and the averages."""
    formula = record.bound_formula(options)
    zero_division = options.get("zero_division", math.nan)
    of_averages = [counts.average_ratio(formula, confusion, a, zero_division) for a in _AVERAGES]
    return [*counts.ratio(formula, confusion, math.nan), *of_averages]


def _values_or_intervals(metric: MetricFunction, *arguments: Any) -> list[Any]:
    """A metric's column in `labels`: the value of each label, nan for 0/0, and the averages.

    ``arguments`` are those of `uncertainty.value_or_interval`; with a level there, the values have
    intervals.
    """
    of_labels = partial(metric, average=None, **catalogue.record_of(metric).nan_if_undefined)
    values = [*uncertainty.value_or_interval(of_labels, *arguments)]
    averaged = (partial(metric, average=average) for average in _AVERAGES)
    return values + [uncertainty.value_or_interval(bound, *arguments) for bound in averaged]


def _size(n_samples: int, n_labels: int) -> str:
    """The numbers of samples and labels with their nouns, such as "3 samples, 2 labels"."""
    return f"{tables.count_phrase(n_samples, 'sample')}, {tables.count_phrase(n_labels, 'label')}"


def compare_labels(
    y_true: LabelMatrix,
    first: LabelMatrix | ScoreMatrix,
    second: LabelMatrix | ScoreMatrix,
    *,
    metric: MetricFunction = label_based.f1,
    labels: Sequence[str] | None = None,
    level: float = 0.95,
    groups: Any = None,
    sort: str | None = "p",
    most: int | None = None,
    decimals: int | None = None,
) -> tables.Display:
    """Table of labels with the difference between two predictions, the smallest p first.

    The interval of a difference is that of `uncertainty.compare` for the label alone. The p value
    is corrected for all labels (Holm 1979). The first prediction is called better or worse if p is
    at most 1 − level.

    p is two-sided: the difference is divided by its standard error under random exchange of the two
    predictions of each sample (or group), and compared with the normal distribution. For recall
    this is McNemar's test (1947); other ratios are linearised about their pooled value. If only k
    samples (or groups) contribute to the difference, p is at least 2^(1 − k), as in a sign test. In
    400 data sets with two equal models and 50 labels of about four positives each, a label was
    called better or worse in one data set. With p values from bootstrap standard errors, which are
    too small for such labels, this was so in more than a quarter of the data sets.

    Parameters
    ----------
    y_true, first, second : matrix of 0 and 1, shape (n_samples, n_labels)
    metric : label-based metric
        One ratio of weighted sums of a label's TP, FP, FN and TN, such as recall, F1 or
        specificity; not kappa, balanced accuracy or Matthews' correlation.
    labels, level, groups, sort, most, decimals
        As in `labels` and all tables, see `summary`. With ``sort=None`` labels keep their order.

    Examples
    --------
    >>> y_true, first = [[1, 0], [0, 1], [1, 1]] * 9, [[1, 1], [0, 1], [1, 0]] * 9
    >>> compare_labels(y_true, first, [[1, 0], [0, 1], [0, 0]] * 9, labels=["cat", "sea"])
    27 samples, 2 labels, F1. In parentheses: 95 % intervals, uncorrected. p: corrected for 2 \
labels.
    label  first  second  difference                 p      first is
    cat    1      0.667   0.333 (0.154 to 0.576)     0.008  better
    sea    0.5    0.667   -0.167 (-0.325 to -0.084)  0.008  worse
    """
    record = catalogue.record_of(metric)
    if not (record.reads_label_counts and record.linear):
        name = catalogue.full_name(metric)
        raise ValueError(f"metric is {name}: give a ratio of a label's counts, such as recall")
    uncertainty.check_resampling(level)
    matrices = {"first": first, "second": second}
    data_sets = [uncertainty.read_data(metric, y_true, m, name) for name, m in matrices.items()]
    metric = align_options(metric, y_true, first)
    n_samples, n_labels = data_sets[0].shape
    names = resolve_names(labels, range(n_labels), "label", y_true, first, second)
    group = read_groups(groups, {"y_true": y_true} | matrices, n_samples)
    macro = partial(metric, average="macro", **record.nan_if_undefined)
    resamples = uncertainty.resample_data(macro, data_sets, group, is_per_label=True)
    options = record.resolve_per_label(resolve_options(metric), n_labels)
    p_values = []
    for j in range(n_labels):
        formula = record.bound_formula(record.options_of_label(options, j))
        label_first, label_second = (data.select_labels([j]) for data in data_sets)
        p_values.append(_exchange_p_value(formula, label_first, label_second, group))
    corrected = _holm_corrected(p_values)
    rows = []
    # Labels of the same corrected p keep this order, by the uncorrected p, in `_sorted_rows`.
    for j in np.argsort(p_values, kind="stable") if sort == "p" else range(n_labels):
        first_j, second_j = resamples[j], resamples[n_labels + j]
        difference = first_j.minus(second_j)
        cells = _cell(first_j.value), _cell(second_j.value), _cell(difference, level)
        side = "better" if sign(metric) * difference.value > 0 else "worse"
        p = float(corrected[j])
        rows.append((names[j], *cells, p, side if p <= 1 - level else ""))  # "": not significant
    header = "label", "first", "second", "difference", "p", "first is"
    rows, n_shown = _sorted_rows(header, rows, sort, most)
    metric_name = _metric_header(partial(metric, average=None), y_true)
    size = f"{_size(n_samples, n_labels)}{n_shown}, {metric_name}."
    caption = _caption(size, y_true, level, groups).removesuffix(".")
    caption += f", uncorrected. p: corrected for {tables.count_phrase(n_labels, 'label')}."
    return tables.table(header, rows, caption, fixed=decimals)


def _exchange_p_value(formula: counts.Formula, first: Data, second: Data, group: Any) -> float:
    """Two-sided p value of the difference between two predictions of a label, under exchanges.

    The ratios Σ n1 / Σ d1 and Σ n2 / Σ d2 are linearised about the pooled ratio R: their difference
    is proportional to the sum of the terms n1 − n2 − R (d1 − d2). An exchange flips the sign of a
    sample's (or group's) term, so the variance of the sum is the sum of the squared terms. If k
    terms differ from 0, p is at least 2^(1 − k).
    """
    n1, d1 = formula(counts.count(first, axis=1))
    n2, d2 = formula(counts.count(second, axis=1))
    weight = np.ones(len(group)) if first.weight is None else first.weight
    pooled = np.nan_to_num(counts.ratio_of_sums(n1 + n2, d1 + d2, weight))
    terms = np.bincount(group, weight * (n1 - n2 - pooled * (d1 - d2)))
    terms = terms[np.abs(terms) > uncertainty.TOLERANCE]
    z = abs(terms.sum()) / max(math.sqrt(terms @ terms), uncertainty.TOLERANCE)
    return min(max(2 * NormalDist().cdf(-z), 2.0 ** (1 - len(terms))), 1.0)


def _holm_corrected(p_values: Sequence[float]) -> FloatArray:
    """P values after Holm's correction, in the same order.

    The i-th smallest of n is multiplied by n + 1 − i, but is at least the one before it and at
    most 1.
    """
    rising = np.maximum.accumulate(np.sort(p_values) * np.arange(len(p_values), 0, -1))
    return np.minimum(rising, 1)[np.argsort(np.argsort(p_values))]  # argsort twice gives ranks


def models(
    y_true: LabelMatrix,
    predictions: Mapping[str, Any],
    *,
    metrics: Iterable[MetricFunction] | None = None,
    level: float | None = None,
    groups: Any = None,
    decimals: int | None = None,
) -> tables.Display:
    """Table of several models side by side: a row for each metric, a column for each model.

    With a level, the column "best" names the model that is significantly better than every other
    one, if there is one: p is at most 1 − level after a correction for all metrics and pairs of
    models (Holm 1979). p is two-sided: the paired difference is divided by the standard error that
    it would have if both models were equal, and compared with the normal distribution. p is at
    least 2^(1 − n) for n jackknife parts (samples or groups, at most 200). The intervals are those
    of each model's values, uncorrected.

    Parameters
    ----------
    y_true : matrix of 0 and 1, shape (n_samples, n_labels)
    predictions : dict by the models' names
        For each model label sets or scores, a matrix of the same shape, or both: ``(y_pred,
        y_score)``. A matrix of 0 and 1 is read as label sets; give scores that are all whole
        numbers from -1 to 2 as ``(None, y_score)``. A dash marks a metric whose input the model
        does not provide.
    metrics : list of metrics, optional
        Public metric functions, partials of them, or other functions, of which a higher value
        counts as better. By default six common metrics of label sets if all models have label sets,
        and six of scores if all models have scores.
    level, groups, decimals
        As in all tables, see `summary`.

    Examples
    --------
    >>> from mlm_helpers import exact_match
    >>> y_true, trees = [[1, 0], [0, 1], [1, 1]] * 20, [[1, 0], [0, 1], [1, 0]] * 20
    >>> metrics = label_based.f1, exact_match.subset_accuracy
    >>> models(y_true, {"trees": trees, "all": [[1, 1]] * 60}, metrics=metrics, level=0.95)
    60 samples, 2 labels. In parentheses: 95 % intervals, uncorrected. Best: differs from every \
other model, corrected for 2 comparisons.
    metric           trees                   all                     best
    macro F1         0.833 (0.755 to 0.894)  0.8 (0.761 to 0.854)    –
    subset accuracy  0.667 (0.533 to 0.783)  0.333 (0.217 to 0.467)  trees
    """
    if not isinstance(predictions, Mapping) or not predictions:
        text = refuse.short_repr(predictions)
        raise TypeError(f"predictions is {text}: give a dict of matrices by the models' names")
    reserved = ["metric"]
    if level is not None:
        uncertainty.check_resampling(level)
        reserved += ["best", *(f"{name} {end}" for name in predictions for end in ("low", "high"))]
    names = _distinct_names("predictions", predictions, *reserved)
    n_samples, n_labels = read_truth(y_true)[0].shape
    sets, scores = _sets_and_scores(y_true, predictions)
    if metrics is None:
        defaults = _SETS.split(", ") if len(sets) == len(names) else []
        defaults += _SCORES.split(", ") if len(scores) == len(names) else []
        if not defaults:
            problem = "predictions hold neither label sets of all models nor scores of all"
            raise ValueError(f"{problem}: give (y_pred, y_score) of each, or name metrics")
        metrics = map(catalogue.variants().__getitem__, defaults)
    matrices = dict((*sets.values(), *scores.values()))  # each by its argument
    group = read_groups(groups, {"y_true": y_true} | matrices, n_samples)
    results, rows = [], []
    for metric in as_list_of_metrics(metrics):
        # A function outside the catalogue gets the label sets of a model, or else its scores.
        readable = scores | sets
        if record := find_record(metric):  # if all matrices are of the wrong kind, they are refused
            readable = (sets or scores) if record.reads == "y_pred" else (scores or sets)
        resamples = {}
        for name, (argument, matrix) in readable.items():
            aligned = align_options(metric, y_true, matrix)
            data = uncertainty.read_data(aligned, y_true, matrix, argument)
            resamples[name] = _resamples(aligned, data, group, slice(None), level)
        results.append((metric, resamples))
        cells = (_cell(resamples.get(name), level) for name in names)
        rows.append([_metric_header(metric, y_true), *cells])
    header, row_names = ["metric", *names], [row[0] for row in rows]
    caption = _caption(f"{_size(n_samples, n_labels)}.", y_true, level, groups, row_names)
    if level is not None and len(names) > 1:
        header.append("best")
        best, n_comparisons = _best_models(results, level)
        rows = [[*row, name] for row, name in zip(rows, best, strict=True)]
        caption = f"{caption.removesuffix('.')}, uncorrected. Best: differs from every other model,"
        caption += f" corrected for {tables.count_phrase(n_comparisons, 'comparison')}."
    return tables.table(header, rows, caption, fixed=decimals)


def _sets_and_scores(y_true: Any, predictions: Mapping[Any, Any]) -> tuple[_Matrices, _Matrices]:
    """The label sets of the models that have some, and the scores of those that have some.

    A pair has both. A single matrix is read as label sets if it holds 0 and 1 alone, else as
    scores.
    """
    sets: _Matrices = {}
    scores: _Matrices = {}
    for key, prediction in predictions.items():
        name, argument = str(key), f"predictions[{key!r}]"
        if isinstance(prediction, tuple) and len(prediction) == 2:
            if prediction[0] is prediction[1] is None:
                raise ValueError(f"{argument} is (None, None): give y_pred, y_score or both")
            for i, matrices in enumerate((sets, scores)):
                if prediction[i] is not None:
                    matrices[name] = f"{argument}[{i}]", prediction[i]
        else:
            matrix = read_label_scores(
                y_true, prediction, keep_sparse=True, name=argument
            ).prediction
            values = stored_values(matrix)
            is_other = ~np.isin(values, (0, 1))
            if is_other.any() and np.isin(values[is_other], (-1, 2)).all():  # hardly scores
                value, place = refuse.first_value_and_place(matrix, is_other)
                remedy = "give label sets of 0 and 1, or scores as (None, y_score)"
                raise ValueError(f"{argument} holds {value} at {place}: {remedy}")
            matrices = scores if is_other.any() else sets
            matrices[name] = argument, prediction
    return sets, scores


def _best_models(results: Sequence[tuple[Any, Any]], level: float) -> tuple[list[Any], int]:
    """For each metric the model that is significantly better than all others, or None.

    ``results`` are the metrics, each with a dict of `Resamples` by model. The second value is the
    number of comparisons.
    """
    p_values = []
    for _, resamples in results:
        for first, second in combinations(resamples.values(), 2):
            p_values.append(_resampling_p_value(first.minus(second)))
    corrected = iter(_holm_corrected(p_values))  # in the order of the loop above
    best = []
    for metric, resamples in results:
        p_of_pair = {pair: next(corrected) for pair in combinations(resamples, 2)}
        direction = sign(metric)
        # If a value is nan, any model may lead, but p of its pairs is 1: the leader is not best.
        leader = max(resamples, key=lambda name: direction * resamples[name].value)
        p_of_leader = [p for pair, p in p_of_pair.items() if leader in pair]
        best.append(leader if p_of_leader and max(p_of_leader) <= 1 - level else None)
    return best, len(p_values)


def _resampling_p_value(difference: uncertainty.Resamples) -> float:
    """Two-sided p value of a difference; 1 if the difference is 0 or undefined.

    It is at least 2^(1 − n) for n jackknife parts.
    """
    value, n_parts = difference.value, len(difference.jackknife)
    error = uncertainty.bca_interval(difference, 0.95).standard_error  # the same at any level
    if np.isnan(value + error) or abs(value) < uncertainty.TOLERANCE:
        return 1.0
    # Of equal models, the differences of the n parts scatter about 0. Their mean square about 0 is
    # larger than about the value, by value²; the squared error of their mean is, by value² / n.
    error_if_equal = math.hypot(error, value / math.sqrt(n_parts))
    return max(2 * NormalDist().cdf(-abs(value) / error_if_equal), 2.0 ** (1 - n_parts))


def subgroups(
    metric: MetricFunction,
    y_true: LabelMatrix,
    y_pred: LabelMatrix | ScoreMatrix,
    by: Any,
    *,
    level: float | None = None,
    groups: Any = None,
    sort: str | None = None,
    most: int | None = None,
    decimals: int | None = None,
) -> tables.Display:
    """Table of one metric for each subgroup of the samples, and its difference from all others.

    A subgroup is all samples with one value of ``by``, and has a row. A group is samples that are
    drawn together, because they depend on each other; only intervals need ``groups``.

    Of many subgroups, small ones tend to have the lowest and the highest values by chance alone;
    therefore no subgroup is marked. In a small subgroup many labels may have no true sample:
    ``zero_division=nan`` or ``undefined=nan`` leaves them out of macro averages.

    Parameters
    ----------
    metric, y_true, y_pred
        As in `uncertainty.interval`.
    by : sequence of n_samples values
        The subgroup of each sample, such as its hospital, language or year.
    level, groups, sort, most, decimals
        As in all tables, see `summary`. For the interval of a difference, the subgroup and all
        other samples are resampled independently of each other. If a group has samples in the
        subgroup and outside it, each resample instead draws from the groups of all samples; this
        is not possible for a function outside the catalogue. A subgroup of a single sample, or
        within a single group, has no interval.

    Examples
    --------
    >>> from mlm_helpers import example_based
    >>> y_true, y_pred = [[1, 0], [1, 1], [0, 1], [1, 1]], [[1, 0], [1, 0], [1, 1], [1, 1]]
    >>> subgroups(example_based.f1, y_true, y_pred, ["en", "de", "de", "en"])
    2 subgroups. Difference: from all other samples.
    subgroup  samples  samples F1  difference
    de        2        0.667       -0.333
    en        2        1           0.333
    all       4        0.833       –
    """
    data = uncertainty.read_data(metric, y_true, y_pred, "y_pred")
    metric = align_options(metric, y_true, y_pred)
    matrices = {"y_true": y_true, "y_pred": y_pred}
    # The numbers of the subgroup and of the group of each sample, both from 0.
    subgroup = read_groups(by, matrices, data.shape[0], name="by")
    group = read_groups(groups, matrices | {"by": by}, len(subgroup))
    if level is not None:
        uncertainty.check_resampling(level)
    number_of = dict(zip(by, subgroup, strict=True))  # by the value of a subgroup
    values = [*number_of]
    with suppress(TypeError):  # values without an order stay as they occur
        values.sort(key=lambda value: (type(value).__name__, value))
    rows = []
    for name, value in zip(_distinct_names("by", values, "all"), values, strict=True):
        is_inside = subgroup == number_of[value]
        inside = _resamples(metric, data, group, is_inside, level)
        difference = _difference_from_others(metric, data, group, is_inside, level, inside)
        rows.append((name, int(is_inside.sum()), _cell(inside, level), _cell(difference, level)))
    header = "subgroup", "samples", _metric_header(metric, y_true), "difference"
    rows, n_shown = _sorted_rows(header, rows, sort, most)
    whole = _resamples(metric, data, group, slice(None), level)
    rows.append(("all", len(subgroup), _cell(whole, level), None))
    size = f"{tables.count_phrase(len(values), 'subgroup')}{n_shown}."
    caption = f"{_caption(size, y_true, level, groups, header)} Difference: from all other samples."
    return tables.table(header, rows, caption, fixed=decimals)


def _resamples(
    metric: MetricFunction, data: Data, group: Any, selected: Any, level: Any, seed: int = 0
) -> uncertainty.Resamples:
    """`Resamples` of some samples, selected by a mask or a slice.

    Without a level, or if all these samples are of one group, only the value is not nan.
    """
    samples = data.select_samples(selected)
    unique, inverse = np.unique(group[selected], return_inverse=True)
    if level is not None and len(unique) > 1:
        return uncertainty.resample_data(metric, [samples], inverse, seed=seed)[0]
    value = uncertainty.metric_value(metric, samples) if len(unique) else math.nan  # no sample
    return uncertainty.Resamples(value, np.array([math.nan]), np.array([math.nan]))


def _difference_from_others(
    metric: MetricFunction, data: Data, group: Any, is_inside: Any, level: Any, inside: Any
) -> uncertainty.Resamples:
    """The `Resamples` of a subgroup, which are ``inside``, minus those of all other samples.

    If a group has samples inside and outside the subgroup, each resample draws from all groups, and
    has both sides: for one side, the samples of the other weigh 0. Otherwise both sides are drawn
    independently, and the jackknife leaves out parts of one, then of the other. So they are for
    functions outside the catalogue, which may take no weights.
    """
    has_several_groups = group.any()  # groups are numbered from 0
    is_shared = has_several_groups and np.isin(group[is_inside], group[~is_inside]).any()
    if level is not None and is_shared and find_record(metric):
        weight = 1.0 if data.weight is None else data.weight
        sides = [data.with_weight(weight * is_side) for is_side in (is_inside, ~is_inside)]
        of_inside, of_others = uncertainty.resample_data(metric, sides, group)
        return of_inside.minus(of_others)
    others = _resamples(metric, data, group, ~is_inside, level, seed=1)  # 0 drew those inside
    # A change of the others' value changes the difference by as much in the other direction.
    changes = inside.jackknife - inside.jackknife.mean(), others.jackknife.mean() - others.jackknife
    resampled = inside.resampled - others.resampled
    return uncertainty.Resamples(inside.value - others.value, np.concatenate(changes), resampled)


def _cell(value: Any, level: float | None = None) -> Any:
    """The cell of a number, `Interval` or `Resamples`: None, which is shown as a dash, for nan.

    `Resamples` become their interval, and an interval without ends becomes its value.
    """
    if isinstance(value, uncertainty.Resamples):
        value = uncertainty.bca_interval(value, level or 0.5)  # any level: without one, all are nan
    if isinstance(value, uncertainty.Interval) and math.isnan(value.low):
        value = value.value
    # The first entry of an interval is its value.
    return None if value is None or math.isnan(np.ravel(value)[0]) else value


def _metric_header(metric: MetricFunction, y_true: Any) -> str:
    """The metric's name, with ↓ if lower is better and † if unknown cells shift it."""
    name = catalogue.full_name(metric)
    if sign(metric) < 0:
        name += " ↓"
    if (record := find_record(metric)) and record.shifts_when_masked and np.ma.is_masked(y_true):
        name += " †"
    return name


def _distinct_names(argument: str, names: Iterable[Any], *reserved: str) -> list[str]:
    """Names as text; a ValueError if two are equal, or one is the name of another row or column."""
    texts = [*map(str, names)]
    n_times = Counter([*texts, *reserved])
    if repeated := [name for name in texts if n_times[name] > 1]:
        problem = f"{argument} has {repeated[0]!r}, as another row or column of the table is called"
        raise ValueError(f"{problem}: rename it")
    return texts


def _sorted_rows(
    header: Sequence[str], rows: list[Any], sort: str | None, most: int | None
) -> tuple[list[Any], str]:
    """The first ``most`` rows in the order of the column ``sort``, and a phrase if there are more.

    The phrase follows the number of rows in the caption.
    """
    if sort is not None:
        name = str(sort).removeprefix("-")
        if name not in header:
            text, columns = refuse.short_repr(sort), ", ".join(header)
            raise ValueError(f"sort is {text}: give one of {columns}, or a - and one")
        j = header.index(name)
        defined = [row for row in rows if row[j] is not None]
        # The first entry of an interval is its value; a number or text is its own first entry.
        defined.sort(key=lambda row: np.ravel(row[j])[0], reverse=sort != name)
        rows = defined + [row for row in rows if row[j] is None]
    if most is None or read_int(most, "most", 1) >= len(rows):
        return rows, ""
    return rows[:most], f", of which {most} are shown"


def _caption(
    size: str, y_true: Any, level: float | None, groups: Any, headers: Iterable[str] = ()
) -> str:
    """The size of the table, and sentences on unknown cells, a dagger, intervals and groups."""
    if np.ma.is_masked(y_true):
        n_unknown = np.count_nonzero(np.ma.getmaskarray(y_true))
        size += f" {n_unknown} of {np.size(y_true)} cells are unknown, and left out."
    if any(header.endswith("†") for header in headers):
        size += _DAGGER
    if level is None:
        return size
    drawn = "" if groups is None else f", {uncertainty.groups_in_words(groups)} drawn whole"
    return f"{size} In parentheses: {100 * level:g} % intervals{drawn}."
