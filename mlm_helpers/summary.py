"""Tables of labels, of several models and of subgroups of samples, with intervals.

A table shows itself in a terminal and in a notebook; ``.frame()`` has its numbers unrounded,
``.markdown()`` and ``.latex()`` write it for a page or a paper. Bad input raises a TypeError or a
ValueError. Options that all tables share:

``level``, a number between 0 and 1: that of the intervals. ``groups``: as in `uncertainty.interval`.
``sort``, a column: rows stand in the order of "F1" from the lowest on, of "-F1" from the highest, a dash
last. ``most``: the number of rows that are shown. Averages, and the row of all samples, are those of all
rows, and stay below. ``decimals``: those of all numbers but counts; by default 3, without needless zeros.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import combinations
from statistics import NormalDist
from typing import Any, TypeAlias

import numpy as np

from mlm_helpers import catalogue, curves, label_based, tables, uncertainty
from mlm_helpers._core import counts, inputs
from mlm_helpers._core.inputs import Data, FloatArray
from mlm_helpers._core.inputs.kinds import stored_values

_SETS = "micro F1, macro F1, samples F1, samples accuracy (Jaccard), Hamming loss, subset accuracy"
_SCORES = "micro AP, macro AP, macro AUROC, average precision, ranking loss, one-error"
_OF_LABELS: list[Callable[..., Any]] = [label_based.precision, label_based.recall, label_based.f1]
_ENDS, _MEANS = ("low", "high"), ("macro", "micro")
_Named: TypeAlias = dict[str, tuple[str, Any]]
_DAGGER = " †: shifts with the share of unknown cells, even where they are unknown at random; compare only at equal shares."


def labels(
    y_true: Any,
    y_pred: Any,
    *,
    y_score: Any = None,
    labels: Sequence[str] | None = None,
    metrics: Iterable[Callable[..., Any]] = (),
    level: float | None = None,
    groups: Any = None,
    sort: str | None = None,
    most: int | None = None,
    decimals: int | None = None,
) -> tables.Display:
    """Table of the labels: support, counts, precision, recall, F1 and average precision (AP).

    Below stand the macro and the micro averages. A dash stands where a label's value is 0/0.

    Parameters
    ----------
    y_true, y_pred : matrix of 0 and 1, shape (n_samples, n_labels)
    y_score : matrix of finite numbers, same shape, optional
        Average precision has a column where they are given.
    labels : a different name for each label, by default the columns of a DataFrame, else numbers
    metrics : list of metrics with a macro and a micro average, optional
        Further columns, such as ``[label_based.specificity]``.
    level, groups, sort, most, decimals
        As in all tables, see `summary`.

    Examples
    --------
    >>> labels([[1, 0], [1, 1], [0, 1]], [[1, 0], [1, 0], [1, 0]], labels=["cat", "sea"])
    3 samples, 2 labels. –: 0/0, which counts 0 in a macro average.
    label  support  TP  FP  FN  precision  recall  F1
    cat    2        2   1   0   0.667      1       0.8
    sea    2        0   0   2   –          0       0
    macro  –        –   –   –   0.333      0.5     0.4
    micro  4        2   1   2   0.667      0.5     0.571
    """
    n_samples, n_labels = inputs.read_label_sets(y_true, y_pred).shape
    inputs.check_same_order({"y_true": y_true, "y_pred": y_pred, "y_score": y_score})
    names = inputs.resolve_names(labels, range(n_labels), "label", y_true, y_pred, y_score)
    columns: dict[str, list[Any]] = {"label": [*_distinct("labels", names, *_MEANS), *_MEANS]}
    tp, fp, fn, _ = label_based.confusion(y_true, y_pred)
    for name, count in {"support": tp + fn, "TP": tp, "FP": fp, "FN": fn}.items():
        columns[name] = [*map(int, count), None, int(count.sum())]
    scored = [] if y_score is None else [curves.average_precision]
    for metric in [*_OF_LABELS, *scored, *(metrics := catalogue.as_list_of_metrics(metrics))]:
        record = catalogue.record_of(metric)
        if not {*_MEANS} <= {*record.averages}:
            name = catalogue.full_name(metric)
            raise ValueError(f"metrics has {name}: give metrics with a macro and a micro average")
        other = y_pred if record.reads == "y_pred" else y_score
        each, *means = (
            uncertainty.value_or_interval(partial(metric, **bound), y_true, other, level, groups)
            for bound in ({"average": None} | _nan(metric), *({"average": one} for one in _MEANS))
        )
        columns[_name(partial(metric, average=None), y_true)] = [*map(_cell, (*each, *means))]
    rows = [*zip(*columns.values(), strict=True)]
    ordered, shown = _ordered([*columns], rows[:n_labels], sort, most)
    caption = _caption(f"{_size(n_samples, n_labels)}{shown}.", y_true, level, groups)
    if any(None in column[:n_labels] for column in columns.values()):
        caption += f" –: {'undefined' if metrics else '0/0, which counts 0 in a macro average'}."
    return tables.table(columns, ordered + rows[n_labels:], caption, fixed=decimals)


def _size(n_samples: int, n_labels: int) -> str:
    """The number of samples and of labels, in words."""
    return f"{tables.count_phrase(n_samples, 'sample')}, {tables.count_phrase(n_labels, 'label')}"


def _nan(metric: Callable[..., Any]) -> dict[str, Any]:
    """The option under which a metric is nan where it is 0/0."""
    options = {"zero_division", "undefined"} & catalogue.record_of(metric).defaults.keys()
    return dict.fromkeys(options, math.nan)


def compare_labels(
    y_true: Any,
    first: Any,
    second: Any,
    *,
    metric: Callable[..., Any] = label_based.f1,
    labels: Sequence[str] | None = None,
    level: float = 0.95,
    groups: Any = None,
    sort: str | None = "p",
    most: int | None = None,
    decimals: int | None = None,
) -> tables.Display:
    """Table of the labels at which one of two predictions of the same samples is better, the surest first.

    The interval of a difference is that of `uncertainty.compare` for the label alone. The p value is
    corrected for all labels (Holm 1979): where it is at most 1 − level, the first is called better or worse.

    p is two-sided, of the normal distribution: the difference divided by its standard error, if the two
    predictions of each sample (or group) are exchanged at random. For recall this is McNemar's test (1947);
    other ratios are linearised about their pooled value. Where k samples decide, p is at least 2^(1 − k), as
    in a sign test. It told no label of two equal models apart in 400 data sets of 50 labels with some four
    positives each; p values from resamples, whose standard errors are too small there, did in 27 %.

    Parameters
    ----------
    y_true, first, second : matrix of 0 and 1, shape (n_samples, n_labels)
    metric : metric of labels whose formula has no root, such as recall, F1 or specificity
    labels, level, groups, sort, most, decimals
        As in `labels` and all tables, see `summary`. With ``sort=None`` labels keep their order.

    Examples
    --------
    >>> y_true, first = [[1, 0], [0, 1], [1, 1]] * 9, [[1, 1], [0, 1], [1, 0]] * 9
    >>> compare_labels(y_true, first, [[1, 0], [0, 1], [0, 0]] * 9, labels=["cat", "sea"])
    27 samples, 2 labels, F1. In parentheses: 95 % intervals, uncorrected. p: corrected for 2 labels.
    label  first  second  difference                 p      first is
    cat    1      0.667   0.333 (0.154 to 0.576)     0.008  better
    sea    0.5    0.667   -0.167 (-0.325 to -0.084)  0.008  worse
    """
    record = catalogue.record_of(metric)
    if not (record.reads_label_counts and record.linear):
        name = catalogue.full_name(metric)
        raise ValueError(f"metric is {name}: give a ratio of a label's counts, such as recall")
    uncertainty.check_resampling(level)
    both = {"first": first, "second": second}
    one, other = (
        uncertainty.read_data(metric, y_true, matrix, name) for name, matrix in both.items()
    )
    n_samples, n_labels = one.shape
    names = inputs.resolve_names(labels, range(n_labels), "label", y_true, first, second)
    group = inputs.read_groups(groups, {"y_true": y_true} | both, n_samples)
    alone = partial(metric, average="macro", **_nan(metric))
    drawn = uncertainty.resample(alone, y_true, both, groups=groups, is_per_label=True)
    bound, p_values = catalogue.resolve_options(catalogue.align_options(metric, y_true, first)), []
    prices = {
        n: record.parameters[n].resolve(bound[n], n_labels) for n in record.required_per_label
    }
    for j in range(n_labels):
        parts = record.formula(bound | {name: price[[j]] for name, price in prices.items()})
        p_values.append(
            _p_of_exchanges(parts, one.select_labels([j]), other.select_labels([j]), group)
        )
    corrected, rows = _holm(p_values), []
    for j in np.argsort(p_values, kind="stable") if sort == "p" else range(n_labels):
        lead = drawn[j].minus(drawn[n_labels + j])
        cells = _cell(drawn[j].value), _cell(drawn[n_labels + j].value), _cell(lead, level)
        side = "better" if uncertainty.sign(metric) * lead.value > 0 else "worse"
        word = side if corrected[j] <= 1 - level else ""
        rows.append((names[j], *cells, float(corrected[j]), word))
    header = "label", "first", "second", "difference", "p", "first is"
    rows, shown = _ordered(header, rows, sort, most)
    counted = f"{_size(n_samples, n_labels)}{shown}"
    counted += f", {_name(partial(metric, average=None), y_true)}."
    caption = _caption(counted, y_true, level, groups)[:-1]
    caption += f", uncorrected. p: corrected for {tables.count_phrase(n_labels, 'label')}."
    return tables.table(header, rows, caption, fixed=decimals)


def _p_of_exchanges(parts: Callable[..., Any], first: Data, second: Data, group: Any) -> float:
    """Two-sided p value of the difference between two predictions of one label."""
    part, whole = parts(counts.count(first, axis=1))
    other_part, other_whole = parts(counts.count(second, axis=1))
    weight = np.ones(len(group)) if first.weight is None else first.weight
    pooled = counts.ratio_of_sums(part + other_part, whole + other_whole, weight)
    moved = weight * (part - other_part - np.nan_to_num(pooled) * (whole - other_whole))
    decide = np.bincount(group, moved)
    decide = decide[np.abs(decide) > uncertainty.TOLERANCE]
    z = abs(decide.sum()) / max(math.sqrt(decide @ decide), uncertainty.TOLERANCE)
    return min(max(2 * NormalDist().cdf(-z), 2.0 ** (1 - len(decide))), 1.0)


def _holm(p_values: Sequence[float]) -> FloatArray:
    """Holm's correction: each p value times the number of those that are not smaller, never decreasing."""
    corrected, n = np.empty(len(p_values)), len(p_values)
    rising = np.maximum.accumulate(np.sort(p_values) * np.arange(n, 0, -1))
    corrected[np.argsort(p_values)] = np.minimum(rising, 1)
    return corrected


def models(
    y_true: Any,
    predictions: Mapping[str, Any],
    *,
    metrics: Iterable[Callable[..., Any]] | None = None,
    level: float | None = None,
    groups: Any = None,
    decimals: int | None = None,
) -> tables.Display:
    """Table of several models side by side: a row for each metric, a column for each model.

    With a level, the column "best" names the model that is surely better than every other one, or none: p
    is two-sided, of the normal distribution, the paired difference divided by its standard error if both
    were equal, of n samples or groups no less than 2^(1 − n), and at most 1 − level after a correction for
    all metrics and pairs of models (Holm 1979). The intervals are those of each value alone, uncorrected.

    Parameters
    ----------
    y_true : matrix of 0 and 1, shape (n_samples, n_labels)
    predictions : dict by the models' names
        Of each model a matrix of the same shape, label sets or scores, or both: ``(y_pred, y_score)``. A
        matrix of 0 and 1 alone holds label sets; scores that are all 0 or 1 are ``(None, y_score)``. A dash
        stands where a model lacks what a metric reads.
    metrics : list of metrics, optional
        Public metric functions, partials of them, or other functions whose higher value is better.
        By default six usual metrics of label sets where all models have them, and six of scores likewise.
    level, groups, decimals
        As in all tables, see `summary`.

    Examples
    --------
    >>> from mlm_helpers import exact_match
    >>> y_true, trees = [[1, 0], [0, 1], [1, 1]] * 20, [[1, 0], [0, 1], [1, 0]] * 20
    >>> metrics = label_based.f1, exact_match.subset_accuracy
    >>> models(y_true, {"trees": trees, "all": [[1, 1]] * 60}, metrics=metrics, level=0.95)
    60 samples, 2 labels. In parentheses: 95 % intervals, uncorrected. Best: differs from every other model, \
corrected for 2 comparisons.
    metric           trees                   all                     best
    macro F1         0.833 (0.755 to 0.894)  0.8 (0.761 to 0.854)    –
    subset accuracy  0.667 (0.533 to 0.783)  0.333 (0.217 to 0.467)  trees
    """
    if not isinstance(predictions, Mapping) or not predictions:
        given = inputs.short_repr(predictions)
        raise TypeError(f"predictions is {given}: give a dict of matrices by the models' names")
    ends = [] if level is None else [f"{name} {end}" for name in predictions for end in _ENDS]
    names = _distinct("predictions", predictions, "metric", *ends, *["best"] * bool(ends))
    sets, scores = _sets_and_scores(y_true, dict(zip(names, predictions.items(), strict=True)))
    if metrics is None:
        usual = _SETS.split(", ") * (len(sets) == len(names))
        usual += _SCORES.split(", ") * (len(scores) == len(names))
        if not usual:
            kinds = "predictions hold label sets and scores"
            raise ValueError(f"{kinds}: give (y_pred, y_score) of each, or name metrics")
        metrics = map(catalogue.variants().__getitem__, usual)
    if level is not None:
        uncertainty.check_resampling(level)
    (n_samples, n_labels), every, rows = np.shape(y_true), [], []
    named = dict((*sets.values(), *scores.values()))
    group = inputs.read_groups(groups, {"y_true": y_true} | named, n_samples)
    for metric in catalogue.as_list_of_metrics(metrics):
        readable, record = scores | sets, catalogue.find_record(metric)
        if record:
            readable = (sets or scores) if record.reads == "y_pred" else (scores or sets)
        drawn = {}
        for name, (called, matrix) in readable.items():
            one = catalogue.align_options(metric, y_true, matrix)
            data = uncertainty.read_data(one, y_true, matrix, called)
            drawn[name] = _drawn(one, data, group, slice(None), level)
        every.append((metric, drawn))
        rows.append([_name(metric, y_true), *(_cell(drawn.get(name), level) for name in names)])
    counted, header = f"{_size(n_samples, n_labels)}.", ["metric", *names]
    caption = _caption(counted, y_true, level, groups, [row[0] for row in rows])
    if level is not None and len(names) > 1:
        header.append("best")
        rows = [[*row, best] for row, best in zip(rows, _best(every, level), strict=True)]
        n_comparisons = sum(math.comb(len(drawn), 2) for _, drawn in every)
        caption = f"{caption[:-1]}, uncorrected. Best: differs from every other model,"
        caption += f" corrected for {tables.count_phrase(n_comparisons, 'comparison')}."
    return tables.table(header, rows, caption, fixed=decimals)


def _sets_and_scores(y_true: Any, named: Mapping[str, tuple[Any, Any]]) -> tuple[_Named, _Named]:
    """The label sets and the scores of the models that have them, each with what messages call it."""
    kinds: tuple[_Named, _Named] = {}, {}
    for name, (key, given) in named.items():
        called = f"predictions[{key!r}]"
        if isinstance(given, tuple) and len(given) == 2:
            for i, kind in enumerate(kinds):
                kind |= {} if given[i] is None else {name: (f"{called}[{i}]", given[i])}
        else:
            cells = inputs.read_label_scores(
                y_true, given, keep_sparse=True, name=called
            ).prediction
            kinds[not np.isin(stored_values(cells), (0, 1)).all()][name] = called, given
    return kinds


def _best(every: Sequence[tuple[Any, dict[str, uncertainty.Resamples]]], level: float) -> list[Any]:
    """For each metric the model that differs from every other one, if any does."""
    pairs, p_values = [], []
    for i, (_, drawn) in enumerate(every):
        for one, other in combinations(drawn, 2):
            pairs.append({i, one, other})
            p_values.append(_p_of_resamples(drawn[one].minus(drawn[other])))
    sure = [pair for pair, p in zip(pairs, _holm(p_values), strict=True) if p <= 1 - level]
    best: list[Any] = []
    for i, (metric, drawn) in enumerate(every):
        signed = {name: uncertainty.sign(metric) * one.value for name, one in drawn.items()}
        first = max(signed, key=lambda name: np.nan_to_num(signed[name], nan=-np.inf))
        others = drawn.keys() - {first}
        best.append(first if others and all({i, first, one} in sure for one in others) else None)
    return best


def _p_of_resamples(difference: uncertainty.Resamples) -> float:
    """Two-sided p value of a difference, no less than that of a sign test; 1 where it is 0 or undefined."""
    error, n = uncertainty.bca_interval(difference, 0.95).standard_error, len(difference.jackknife)
    if np.isnan(difference.value + error) or abs(difference.value) < uncertainty.TOLERANCE:
        return 1.0
    z = abs(difference.value) / math.hypot(error, difference.value / math.sqrt(n))  # about 0
    return max(2 * NormalDist().cdf(-z), 2.0 ** (1 - n))


def subgroups(
    metric: Callable[..., Any],
    y_true: Any,
    y_pred: Any,
    by: Any,
    *,
    level: float | None = None,
    groups: Any = None,
    sort: str | None = None,
    most: int | None = None,
    decimals: int | None = None,
) -> tables.Display:
    """Table of one metric for each subgroup of the samples, with its difference from all other samples.

    Of many subgroups, the smallest tend to have the lowest and the highest values by chance alone, and no
    subgroup is marked. In a small one many labels may have no true sample: ``zero_division=nan`` or
    ``undefined=nan`` leaves them out of macro averages.

    Parameters
    ----------
    metric, y_true, y_pred
        As in `uncertainty.interval`.
    by : sequence of n_samples values
        The value by which samples are compared, such as their hospital, language or year.
    level, groups, sort, most, decimals
        As in all tables, see `summary`. The interval of a difference resamples the samples of the subgroup
        and, independently, all others; where some of the groups have samples on both sides, it draws the
        groups of all samples (of functions outside the catalogue, the two sides apart). One sample alone,
        or one group, has no interval.

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
    metric = catalogue.align_options(metric, y_true, y_pred)
    matrices = {"y_true": y_true, "y_pred": y_pred}
    part = inputs.read_groups(by, matrices, data.shape[0], name="by")
    group = inputs.read_groups(groups, matrices | {"by": by}, len(part))
    if level is not None:
        uncertainty.check_resampling(level)
    called = dict(zip(part.tolist(), by, strict=True))
    order = [*called]  # as they occur, if they cannot be sorted
    with suppress(TypeError):
        order.sort(key=lambda one: (type(called[one]).__name__, called[one]))
    names, rows = _distinct("by", [called[one] for one in order], "all"), []
    for name, one in zip(names, order, strict=True):
        inside = part == one
        value = _drawn(metric, data, group, inside, level)
        lead = _lead(metric, data, group, inside, level, value)
        rows.append((name, int(inside.sum()), _cell(value, level), _cell(lead, level)))
    header = "subgroup", "samples", _name(metric, y_true), "difference"
    rows, shown = _ordered(header, rows, sort, most)
    whole = _drawn(metric, data, group, np.full(len(part), True), level)
    rows.append(("all", len(part), _cell(whole, level), None))
    counted = f"{tables.count_phrase(len(order), 'subgroup')}{shown}."
    caption = _caption(counted, y_true, level, groups, header)
    caption += " Difference: from all other samples."
    return tables.table(header, rows, caption, fixed=decimals)


def _drawn(
    metric: Callable[..., Any], data: Data, group: Any, some: Any, level: Any, seed: int = 0
) -> uncertainty.Resamples:
    """The values of some samples: drawn by groups; one value without a level, or of one group."""
    own = np.unique(group[some], return_inverse=True)[1]
    if level is not None and own.any():
        return uncertainty.resample_data(metric, [data.select_samples(some)], own, seed=seed)[0]
    value = uncertainty.metric_value(metric, data.select_samples(some)) if len(own) else math.nan
    return uncertainty.Resamples(value, np.array([math.nan]), np.array([math.nan]))


def _lead(
    metric: Callable[..., Any], data: Data, group: Any, some: Any, level: Any, one: Any
) -> uncertainty.Resamples:
    """The difference between some samples, whose values are drawn, and all others."""
    is_parted = np.isin(group[some], group[~some]).any() and catalogue.find_record(metric)
    if level is not None and is_parted and group.any():
        weight = 1.0 if data.weight is None else data.weight
        sides = [data.with_weight(weight * side) for side in (some, ~some)]
        inside, outside = uncertainty.resample_data(metric, sides, group)
        return inside.minus(outside)
    other = _drawn(metric, data, group, ~some, level, seed=1)
    moved = one.jackknife - one.jackknife.mean(), other.jackknife.mean() - other.jackknife
    resampled = one.resampled - other.resampled
    return uncertainty.Resamples(one.value - other.value, np.concatenate(moved), resampled)


# ---------------------------------------------------------------------------- how tables are written


def _cell(value: Any, level: float | None = None) -> Any:
    """What stands in a cell: a value, with its interval where it has one; None for nan."""
    if isinstance(value, uncertainty.Resamples):
        value = uncertainty.bca_interval(value, level or 0.5)
    if isinstance(value, uncertainty.Interval) and math.isnan(value.low):
        value = value.value
    return None if value is None or math.isnan(np.ravel(value)[0]) else value


def _name(metric: Callable[..., Any], y_true: Any) -> str:
    """The metric's name, with an arrow where lower is better, and a dagger; or the function's."""
    if record := catalogue.find_record(metric):
        shifts = record.shifts_when_masked and np.ma.is_masked(y_true)
        return catalogue.full_name(metric) + " ↓" * (not record.higher_is_better) + " †" * shifts
    return catalogue.function_name(metric)


def _distinct(argument: str, names: Iterable[Any], *own: str) -> list[str]:
    """Names as text; refused where two are alike, or one is a name of the table's own."""
    texts = [*map(str, names)]
    times = Counter([*texts, *own])
    if alike := next((name for name in texts if times[name] > 1), None):
        called = f"{argument} has {alike!r}, as another row or column of the table is called"
        raise ValueError(f"{called}: rename it")
    return texts


def _ordered(
    header: Sequence[str], rows: list[Any], sort: str | None, most: int | None
) -> tuple[list[Any], str]:
    """The rows in the order of a column, at most so many; and words that say how many there are."""
    if sort is not None:
        name = str(sort).removeprefix("-")
        if name not in header:
            columns = ", ".join(header)
            raise ValueError(
                f"sort is {inputs.short_repr(sort)}: give one of {columns}, or a - and one"
            )
        j = header.index(name)
        known = [row for row in rows if row[j] is not None]
        known.sort(key=lambda row: np.ravel(row[j])[0], reverse=sort != name)
        rows = known + [row for row in rows if row[j] is None]
    if most is None or inputs.read_int(most, "most", 1) >= len(rows):
        return rows, ""
    return rows[:most], f", of which {most} are shown"


def _caption(
    counted: str, y_true: Any, level: float | None, groups: Any, names: Iterable[str] = ()
) -> str:
    """What was counted, then sentences on unknown cells, on intervals and on the groups that they draw."""
    if np.ma.is_masked(y_true):
        unknown = np.count_nonzero(np.ma.getmaskarray(y_true))
        counted += f" {unknown} of {np.size(y_true)} cells are unknown, and left out."
    if any(name.endswith("†") for name in names):
        counted += _DAGGER
    if level is None:
        return counted
    drawn = "" if groups is None else f", {uncertainty.groups_in_words(groups)} drawn whole"
    return f"{counted} In parentheses: {100 * level:g} % intervals{drawn}."
