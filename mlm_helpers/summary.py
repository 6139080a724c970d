"""Tables of labels, of several models and of groups of samples, with intervals.

A table shows itself in a terminal and in a notebook; ``.frame()`` has its numbers unrounded,
``.markdown()`` and ``.latex()`` write it for a page or a paper. Bad input raises a TypeError or a
ValueError.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from mlm_helpers import (
    catalogue,
    curves,
    exact_match,
    example_based,
    hamming,
    label_based,
    ranking,
    tables,
    uncertainty,
)
from mlm_helpers._core import inputs
from mlm_helpers._core.inputs.kinds import stored

_SETS: list[Callable[..., Any]] = [
    partial(label_based.f1, average="micro"),
    label_based.f1,
    example_based.f1,
    example_based.accuracy,
    hamming.hamming_loss,
    exact_match.subset_accuracy,
]
_SCORES: list[Callable[..., Any]] = [
    partial(curves.average_precision, average="micro"),
    curves.average_precision,
    curves.roc_auc,
    ranking.average_precision,
    ranking.ranking_loss,
    ranking.one_error,
]


def labels(
    y_true: Any,
    y_pred: Any,
    *,
    y_score: Any = None,
    labels: Sequence[str] | None = None,
    level: float | None = None,
    groups: Any = None,
) -> tables.Board:
    """Table of the labels: support, counts, precision, recall, F1 and average precision (AP).

    Below stand the macro and the micro averages. A dash stands where a label's value is 0/0.

    Parameters
    ----------
    y_true, y_pred : matrix of 0 and 1, shape (n_samples, n_labels)
    y_score : matrix of finite numbers, same shape, optional
        With scores the table has a column for average precision.
    labels : a different name for each label, optional
        By default the columns of a DataFrame, else numbers.
    level : float between 0 and 1, optional
        The level of the intervals of F1 and average precision; without it there are none.
    groups : sequence of n_samples values, optional
        The group of each sample; the intervals draw groups whole, as in `uncertainty.interval`.

    Returns
    -------
    Board

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
    n_samples, n_labels = inputs.label_sets(y_true, y_pred).shape
    columns: dict[str, list[Any]] = {}
    columns["label"] = inputs.resolve_names(
        labels, range(n_labels), "label", y_true, y_pred, y_score
    )
    columns["label"] += ["macro", "micro"]
    tp, fp, fn, _ = label_based.confusion(y_true, y_pred)
    for name, count in {"support": tp + fn, "TP": tp, "FP": fp, "FN": fn}.items():
        columns[name] = [*map(int, count), None, int(count.sum())]

    def values(metric: Any, y_pred: Any, level: float | None = None, **undefined: Any) -> Any:
        each, *averages = (
            uncertainty.value_or_interval(partial(metric, **one), y_true, y_pred, level, groups)
            for one in ({"average": None} | undefined, {"average": "macro"}, {"average": "micro"})
        )
        return [*map(_cell, each), *averages]

    columns["precision"] = values(label_based.precision, y_pred, zero_division=math.nan)
    columns["recall"] = values(label_based.recall, y_pred, zero_division=math.nan)
    columns["F1"] = values(label_based.f1, y_pred, level, zero_division=math.nan)
    if y_score is not None:
        columns["AP"] = values(curves.average_precision, y_score, level, undefined=math.nan)
    caption = _caption(f"{n_samples} samples, {n_labels} labels.", y_true, level, groups)
    if any(None in column[:n_labels] for column in columns.values()):
        caption += " –: 0/0, which counts 0 in a macro average."
    return tables.table(columns, zip(*columns.values(), strict=True), caption)


def _cell(value: Any) -> Any:
    """What stands in a cell: None for nan, and for an interval around nan."""
    return None if np.isnan(np.ravel(value)[0]) else value


def _caption(counted: str, y_true: Any, level: float | None, groups: Any) -> str:
    """What was counted, then sentences on unknown cells, on intervals and on the groups that they draw."""
    if np.ma.is_masked(y_true):
        unknown = np.count_nonzero(np.ma.getmaskarray(y_true))
        counted += f" {unknown} of {np.size(y_true)} cells are unknown, and left out."
    if level is None:
        return counted
    drawn = "" if groups is None else f", {uncertainty.groups_in_words(groups)} drawn whole"
    return f"{counted} In parentheses: {100 * level:g} % intervals{drawn}."


def models(
    y_true: Any,
    predictions: Mapping[str, Any],
    *,
    metrics: Iterable[Callable[..., Any]] | None = None,
    level: float | None = None,
    groups: Any = None,
) -> tables.Board:
    """Table of several models side by side: a row for each metric, a column for each model.

    With a level, the column "best" names the model whose difference from every other one, by
    `uncertainty.compare`, has an interval without 0; where there is no such model, a dash. Without a
    level no model is marked.

    Parameters
    ----------
    y_true : matrix of 0 and 1, shape (n_samples, n_labels)
    predictions : dict of matrices of the same shape, by the models' names
        Label sets or scores.
    metrics : list of metrics, optional
        Public metric functions, partials of them, or other functions whose higher value is better.
        By default six usual metrics: of label sets where all predictions are 0 or 1, else of scores.
    level : float between 0 and 1, optional
        The level of the intervals of values and differences; without it there are none.
    groups : sequence of n_samples values, optional
        The group of each sample; the intervals draw groups whole, as in `uncertainty.interval`.

    Returns
    -------
    Board

    Examples
    --------
    >>> y_true, trees = [[1, 0], [0, 1], [1, 1]] * 20, [[1, 0], [0, 1], [1, 0]] * 20
    >>> metrics = label_based.f1, exact_match.subset_accuracy
    >>> models(y_true, {"trees": trees, "all": [[1, 1]] * 60}, metrics=metrics, level=0.95)
    60 samples, 2 labels. In parentheses: 95 % intervals. Best: the interval of its difference \
from every other model leaves out 0.
    metric           trees                   all                     best
    macro F1         0.833 (0.755 to 0.894)  0.8 (0.761 to 0.854)    –
    subset accuracy  0.667 (0.533 to 0.783)  0.333 (0.217 to 0.467)  trees
    """
    if not isinstance(predictions, Mapping) or not predictions:
        given = inputs.shown(predictions)
        raise TypeError(f"predictions is {given}: give a dict of matrices by the models' names")
    named = {f"predictions[{name!r}]": matrix for name, matrix in predictions.items()}
    rows, header = [], ["metric", *map(str, predictions)]
    for metric in _usual(y_true, named) if metrics is None else metrics:
        if level is None:
            every = [uncertainty.read(metric, y_true, one, name) for name, one in named.items()]
            metric = catalogue.matched(metric, y_true, next(iter(named.values())))
            rows.append([_name(metric), *(_cell(uncertainty.value(metric, one)) for one in every)])
            continue
        uncertainty.check_resampling(level)
        drawn = uncertainty.draw(metric, y_true, named, groups=groups)
        intervals = (uncertainty.bca_interval(one, level) for one in drawn)
        rows.append([_name(metric), *map(_cell, intervals)])
        if len(predictions) > 1:
            rows[-1].append(_best(metric, dict(zip(header[1:], drawn, strict=True)), level))
    n_samples, n_labels = np.shape(y_true)
    caption = _caption(f"{n_samples} samples, {n_labels} labels.", y_true, level, groups)
    if level is not None and len(predictions) > 1:
        caption += " Best: the interval of its difference from every other model leaves out 0."
        header.append("best")
    return tables.table(header, rows, caption)


def _usual(y_true: Any, named: Mapping[str, Any]) -> list[Callable[..., Any]]:
    """The usual metrics of label sets where all predictions are such, else of scores."""
    are_sets = set()
    for name, matrix in named.items():
        cells = stored(inputs.label_scores(y_true, matrix, keep_sparse=True, name=name).other)
        are_sets.add(bool(np.isin(cells, (0, 1)).all()))
    if len(are_sets) > 1:
        raise ValueError("predictions hold label sets and scores: give one kind, or name metrics")
    return _SETS if are_sets == {True} else _SCORES


def _best(
    metric: Callable[..., Any], drawn: Mapping[str, uncertainty.Drawn], level: float
) -> str | None:
    """The model whose difference from every other one has an interval on its better side; else None."""
    sign = uncertainty.sign(metric)
    first = max(drawn, key=lambda name: np.nan_to_num(sign * drawn[name].value, nan=-np.inf))
    for name in drawn.keys() - {first}:
        lead = uncertainty.bca_interval(drawn[first].minus(drawn[name]), level)
        if not min(sign * lead.low, sign * lead.high) > 0:
            return None
    return first


def _name(metric: Callable[..., Any]) -> str:
    """The metric's name, with an arrow where lower is better; or the function's."""
    if catalogue.recorded(metric):
        return catalogue.describe(metric) + " ↓" * (uncertainty.sign(metric) < 0)
    return catalogue.called(metric)


def subgroups(
    metric: Callable[..., Any],
    y_true: Any,
    y_pred: Any,
    by: Any,
    *,
    level: float | None = None,
    groups: Any = None,
) -> tables.Board:
    """Table of one metric for each group of samples and for all, with the worst group marked.

    A small group is often the worst by chance alone; a wide interval warns of that. In a small group
    many labels may have no true sample: bind ``zero_division=nan`` or ``undefined=nan`` to leave such
    labels out of macro averages.

    Parameters
    ----------
    metric : public metric function, a ``functools.partial`` of it, or any function
        From truth and prediction (or scores) to one number.
    y_true : matrix of 0 and 1, shape (n_samples, n_labels)
    y_pred : matrix of the same shape
        What the metric reads.
    by : sequence of n_samples values
        The value by which samples are compared, such as their hospital, language or year.
    level : float between 0 and 1, optional
        The level of the intervals, which resample the samples of a group. One sample has no interval, nor
        have samples that are all together.
    groups : sequence of n_samples values, optional
        The group of each sample, such as its patient; the intervals draw groups whole, as in
        `uncertainty.interval`.

    Returns
    -------
    Board

    Examples
    --------
    >>> y_true, y_pred = [[1, 0], [1, 1], [0, 1], [1, 1]], [[1, 0], [1, 0], [1, 1], [1, 1]]
    >>> subgroups(example_based.f1, y_true, y_pred, ["en", "de", "de", "en"])
    2 groups.
    group  samples  samples F1  worst
    de     2        0.667       yes
    en     2        1
    all    4        0.833
    """
    data = uncertainty.read(metric, y_true, y_pred, "y_pred")
    metric = catalogue.matched(metric, y_true, y_pred)
    group, names = inputs.groups(by, data.shape[0], y_true, name="by"), list(by)
    whole = np.arange(len(group))
    if groups is not None:
        whole = inputs.groups(groups, len(group), y_true)

    def value(rows: Any) -> Any:
        part, drawn = data.rows(rows), np.unique(whole[rows], return_inverse=True)[1]
        if level is None or not drawn.any():
            return uncertainty.value(metric, part)
        uncertainty.check_resampling(level)
        return uncertainty.bca_interval(uncertainty.resample(metric, [part], drawn)[0], level)

    first = np.unique(group, return_index=True)[1]  # where each occurs
    order = sorted(first, key=lambda i: (type(names[i]).__name__, names[i]))
    parts = [np.flatnonzero(group == group[i]) for i in order]
    values = [value(rows) for rows in parts]
    signed = [uncertainty.sign(metric) * np.ravel(one)[0] for one in values]
    worst = ["yes" if one == np.nanmin([math.inf, *signed]) else "" for one in signed]
    columns = [str(names[i]) for i in order], map(len, parts), map(_cell, values), worst
    rows = [*zip(*columns, strict=True), ("all", len(group), _cell(value(slice(None))), "")]
    caption = _caption(f"{len(parts)} groups.", y_true, level, groups)
    return tables.table(("group", "samples", _name(metric), "worst"), rows, caption)
