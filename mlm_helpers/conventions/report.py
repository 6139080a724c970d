"""The paragraph to write in a paper."""

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from mlm_helpers import catalogue, uncertainty
from mlm_helpers._core import counts
from mlm_helpers._core.averages import Averaging, averaging_of
from mlm_helpers._core.inputs.data import LabelMatrix, ScoreMatrix
from mlm_helpers._core.inputs.kinds import Mask, is_number
from mlm_helpers._core.inputs.options import ZeroDivision, read_int
from mlm_helpers._core.inputs.read import read_truth
from mlm_helpers._core.inputs.refuse import check_same_order, short_repr
from mlm_helpers.catalogue.arguments import (
    align_options,
    as_list_of_metrics,
    resolve_options,
    resolve_scalar_options,
)
from mlm_helpers.catalogue.metric import Metric, MetricFunction
from mlm_helpers.tables import count_phrase, format_value
from mlm_helpers.tables.numbers import decimal

_TIES = {
    "first": "of tied {} the lowest index ranks first",
    "last": "of tied {} the highest index ranks first",
    "max": "tied {} share their largest rank",
    "min": "tied {} share their smallest rank",
    "average": "tied {} share their mean rank",
}
# The value that a rule picks among those of all orders of tied items, where metrics name the rule
# for a rank. Metrics at k name the rule for the value: "worst", "best" or "average".
_VALUE_OVER_TIE_ORDERS = {"max": "worst", "min": "best"}


def report(
    metrics: Sequence[Callable[..., Any]],
    y_true: LabelMatrix,
    y_pred: LabelMatrix | None = None,
    y_score: ScoreMatrix | None = None,
    *,
    y_prob: ScoreMatrix | None = None,
    decision: str = "",
    level: float | None = None,
    groups: Any = None,
    decimals: int | None = None,
) -> str:
    """A paragraph for a paper: values and all that they depend on, such as data and conventions.

    Parameters
    ----------
    metrics : list of public metric functions, or of ``functools.partial`` of them
        Conventions other than the defaults are bound in the partial.
    y_true, y_pred : matrix of 0 and 1, shape (n_samples, n_labels)
    y_score : matrix of finite numbers, same shape
        Needed where a metric reads scores.
    y_prob : matrix of numbers from 0 to 1, same shape
        Needed where a metric reads probabilities.
    decision : str, optional
        How scores became predictions, such as "score >= 0.5".
    level : float between 0 and 1, optional
        The level of an interval for each value, as in `uncertainty.interval`.
    groups : sequence of n_samples values, optional
        The group of each sample; intervals resample whole groups, as in `uncertainty.interval`.
    decimals : int, optional
        Decimals of every value; by default three if there are intervals, else up to six.

    Examples
    --------
    >>> from mlm_helpers import example_based
    >>> print(report([example_based.f1], [[1, 0], [0, 0]], [[1, 0], [0, 0]]))
    2 samples, 2 labels, label cardinality (true labels a sample) 0.5; 1 of 2 samples and 1 of 2 \
labels have no true label. samples F1 = 0.5: a value per sample, then their mean; \
0/0 counts 0 (1 of 2 samples).
    """
    metrics = as_list_of_metrics(metrics)
    if not isinstance(decision, str):
        raise TypeError(f"decision is {short_repr(decision)}: give text like 'score >= 0.5'")
    has_fixed_decimals = decimals is not None or level is not None  # 0.500, else 0.5
    if decimals is None:
        decimals = 6 if level is None else 3
    decimals = read_int(decimals, "decimals", 0)
    matrices = {"y_true": y_true, "y_pred": y_pred, "y_score": y_score, "y_prob": y_prob}
    check_same_order(matrices)
    sentences = _sentences_on_data(y_true)
    if decision:
        sentences.append(f"A label is predicted where {decision}.")
    for metric in metrics:
        record = catalogue.record_of(metric)
        options = resolve_scalar_options(metric)
        name = _name(record, options)
        prediction = matrices[record.reads]
        if prediction is None:
            raise ValueError(f"{record.reads} is missing: {name} reads it")
        value = uncertainty.value_or_interval(metric, y_true, prediction, level, groups)
        number = format_value(value, decimals, has_fixed_decimals)
        rules = "; ".join(_rules(metric, y_true, prediction))
        sentences.append(f"{name} = {number}: {rules}.")
    if level is not None and metrics:
        units = "samples" if groups is None else uncertainty.groups_in_words(groups)
        sentences.append(
            f"In parentheses: {100 * level:g} % intervals, "
            f"BCa bootstrap of the {units}, 1,000 resamples."
        )
    return " ".join(sentences)


def _name(record: Metric, options: Mapping[str, Any]) -> str:
    """The metric's name with its average and required options, such as "micro F2"."""
    in_name = {o: options[o] for o in ("average", *record.required) if o in options}
    return catalogue.full_name(functools.partial(record.function, **in_name))


def _sentences_on_data(y_true: Any) -> list[str]:
    """Sentences with the numbers of samples, labels, true labels and unknown cells."""
    truth, known = read_truth(y_true)
    n_samples, n_labels = truth.shape
    samples = count_phrase(n_samples, "sample")
    labels = count_phrase(n_labels, "label")
    # Samples without a true label, whose sum is over axis 1, and labels that no sample has, axis 0.
    n_empty, n_unused = (np.count_nonzero(truth.sum(axis=axis) == 0) for axis in (1, 0))
    true = "true label" if known is None else "known true label"
    empty = f"{n_empty} of {samples} and {n_unused} of {labels} have no {true}"
    mean_size = decimal(truth.sum() / n_samples, 6)
    sentences = [f"{samples}, {labels}, label cardinality ({true}s a sample) {mean_size}; {empty}."]
    if known is not None:
        n_unknown = np.count_nonzero(~known)
        sentences.append(
            f"{n_unknown} of {known.size} cells of the truth are unknown and left out."
        )
    return sentences


def _undefined_values(metric: MetricFunction, y_true: Any, prediction: Any) -> Mask:
    """Whether each value that a metric averages is undefined.

    The shape is (n_samples,), (n_labels,), or () for one ratio of sums. Samples and labels of which
    nothing is known are False: the mean leaves them out under every convention.
    """
    metric = align_options(metric, y_true, prediction)
    record = catalogue.record_of(metric)
    options = resolve_options(metric)
    averaging = averaging_of(record.unit, options)
    if record.prepare is None or averaging.is_pooled:
        # The option under which the metric returns a value per label (axis 0), or per sample (1). A
        # pooled metric (None) has one value and needs no option.
        each: Any = {0: {"average": None}, 1: {"per_sample": True}, None: {}}[averaging.axis]
        values = metric(y_true, prediction, **each, **record.nan_if_undefined)
        undefined = np.asarray(np.isnan(values))
    else:
        # A hierarchical metric under average="samples" has no option per_sample, so its formula
        # says where its denominators are 0.
        data = record.prepare(record.read_data(y_true, prediction), options)
        _, denominator = record.bound_formula(options)(counts.count(data, axis=1))
        undefined = denominator == 0
    if undefined.ndim and np.ma.is_masked(y_true):
        undefined &= ~np.ma.getmaskarray(y_true).all(axis=averaging.axis)
    return undefined


def _rules(metric: MetricFunction, y_true: Any, prediction: Any) -> list[str]:
    """How a metric averages, and its other conventions, as clauses."""
    record = catalogue.record_of(metric)
    options = resolve_scalar_options(metric)
    averaging = averaging_of(record.unit, options)
    frequency = _frequency(_undefined_values(metric, y_true, prediction), averaging)
    rules = [averaging.in_words]
    undefined_unit = "0/0" if averaging.is_pooled else f"a {record.unit} without a value"
    # A metric has one of these options, or neither: what it decides the value of.
    subjects = {"zero_division": "0/0", "undefined": undefined_unit}
    for option in subjects.keys() & options.keys():
        rules.append(f"{subjects[option]} {_counts_as(record, options[option])} ({frequency})")
    if "ties" in options:
        rules.append(tie_rule_in_words(record, options["ties"], averaging.is_pooled))
    rules += _other_options(record, options)
    if options.get("sample_weight") is not None:
        rules.append("samples are weighted")
    if record.reads_label_counts and record.sklearn and np.shape(y_true)[1] == 1:
        rules.append("scikit-learn would average over both classes of this one column")
    if record.shifts_when_masked and np.ma.is_masked(y_true):
        rules.append(
            "its value shifts with the share of unknown cells, "
            "so it is not comparable with one on whole annotation"
        )
    return rules


def _frequency(undefined: Mask, averaging: Averaging) -> str:
    """How many of the values that a metric averages are undefined, such as "1 of 3 samples".

    ``undefined`` is from `_undefined_values`; a single value is a ratio of sums.
    """
    if not undefined.ndim:
        return f"this ratio is {'' if undefined.all() else 'not '}0/0"
    unit = "label" if averaging.axis == 0 else "sample"
    return f"{np.count_nonzero(undefined)} of {count_phrase(undefined.size, unit)}"


def _other_options(record: Metric, options: Mapping[str, Any]) -> list[str]:
    """Options of this metric alone that its name does not state, such as "bins=10".

    The name states required options, unless they have a number for each label; other clauses state
    the average and the ties.
    """
    others = record.parameters.keys() - record.required - {"average", "ties"}
    others |= {o for o in record.required_per_label if not is_number(options[o])}
    values = {o: options[o] for o in sorted(others) if options[o] is not None}
    return [f"{option}={short_repr(value)}" for option, value in values.items()]


def tie_rule_in_words(record: Metric, rule: str, is_pooled: bool = False) -> str:
    """What a rule for ties does, such as "tied labels share their largest rank".

    ``is_pooled`` says whether all cells are ranked together, as in a micro average.
    """
    tied = "labels"
    if record.unit == "label":
        tied = "cells" if is_pooled else "samples"
    if record.over_tie_orders and rule not in ("first", "last"):
        value = _VALUE_OVER_TIE_ORDERS.get(rule, rule)
        return f"the value is the {value} over all orders of tied {tied}"
    return _TIES[rule].format(tied)


def _counts_as(record: Metric, value: ZeroDivision) -> str:
    """The verb after "0/0" or "a sample without a value", such as "counts 0" or "is left out"."""
    if value == "agree":
        agree = "nothing is wrong" if record.reads_tn else "truth and prediction are both empty"
        return f"counts 1 where {agree}, else 0"
    return "is left out" if math.isnan(float(value)) else f"counts {decimal(float(value), 6)}"
