"""A metric as an argument: its record, its options, its names."""

import math
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np

from mlm_helpers._core.inputs.ancestry import align_to_labels
from mlm_helpers._core.inputs.kinds import is_number, is_real
from mlm_helpers._core.inputs.options import CHECKS
from mlm_helpers._core.inputs.refuse import short_repr
from mlm_helpers.catalogue.metric import Metric, MetricFunction
from mlm_helpers.catalogue.records import METRICS


def record_of(metric: MetricFunction) -> Metric:
    """The record of a public metric function, or of a ``functools.partial`` with options by name.

    Examples
    --------
    >>> from mlm_helpers import hamming
    >>> record_of(hamming.hamming_loss).higher_is_better
    False
    """
    if record := find_record(metric):
        return record
    problem = f"metric is {function_name(metric)}, which the catalogue does not hold"
    remedy = "pass a public metric function of mlm_helpers or a functools.partial of it"
    raise ValueError(f"{problem}: {remedy}")


def as_list_of_metrics(metrics: Any) -> list[Any]:
    """The metrics as a list; a TypeError for anything else than a list of them."""
    if not isinstance(metrics, Iterable) or isinstance(metrics, str):
        raise TypeError(f"metrics is {short_repr(metrics)}: give a list, such as [f1]")
    return [*metrics]


def find_record(metric: MetricFunction) -> Metric | None:
    """The record of a metric function or partial; None for any other function."""
    if not callable(metric):
        raise TypeError(f"metric is {short_repr(metric)}: give a function")
    function = getattr(metric, "func", metric)
    return next((record for record in METRICS if record.function is function), None)


def sign(metric: MetricFunction) -> int:
    """-1 if a lower value is better, else 1, as for a function outside the catalogue."""
    record = find_record(metric)
    return -1 if record and not record.higher_is_better else 1


def function_name(function: Callable[..., Any]) -> str:
    """The name of a function or of a partial's function; for other callables that of the type."""
    function = getattr(function, "func", function)
    return str(getattr(function, "__name__", type(function).__name__))


def read_metric_value(value: Any) -> float:
    """The value that a user's metric returned, as a float; TypeError unless finite or nan."""
    if np.ndim(value) or not is_real(np.asarray(value).item()) or math.isinf(value):
        problem = f"metric returned {short_repr(value)}"
        raise TypeError(f"{problem}: give one that returns one finite number, or nan")
    return float(value)


def resolve_options(metric: MetricFunction, **options: Any) -> dict[str, Any]:
    """The value of every option, checked: from ``options``, else as bound, else the default.

    A TypeError is raised for an option that the metric lacks, and for one that has no default and
    is missing.
    """
    record = record_of(metric)
    bound = getattr(metric, "keywords", {}) | options
    if not record.required.keys() <= bound.keys() <= record.defaults.keys():
        known, required = ", ".join(record.defaults), ", ".join(record.required) or "only these"
        problem = f"metric is {function_name(metric)}, whose options are {known}"
        raise TypeError(f"{problem}: bind {required} with partial()")
    resolved = record.defaults | bound
    # Options per label are left to the metric, which knows the labels.
    checks = CHECKS | {o: p.check for o, p in record.parameters.items() if not p.per_label}
    for option in checks.keys() & resolved.keys():
        checks[option](resolved[option])
    return resolved


def align_options(metric: MetricFunction, y_true: Any, y_pred: Any) -> MetricFunction:
    """The metric with its options per label in the order of the columns, not by label name."""
    record = find_record(metric)
    bound = getattr(metric, "keywords", {})
    parameters = record.parameters if record else {}
    per_label = [name for name, p in parameters.items() if p.per_label and name in bound]
    aligned = {
        name: align_to_labels(bound[name], name, y_true=y_true, y_pred=y_pred) for name in per_label
    }
    return partial(metric, **aligned) if aligned else metric


def resolve_scalar_options(metric: MetricFunction) -> dict[str, Any]:
    """Every option of a metric; a ValueError if it would return more than one number."""
    options = resolve_options(metric)
    if options.get("average", "none") is None:
        raise ValueError("average is None, a value per label: bind macro, micro or weighted")
    if options.get("per_sample"):
        raise ValueError("per_sample is True, a value per sample: leave it out")
    return options


def full_name(metric: MetricFunction) -> str:
    """The name of a metric with its average and bound options: "micro F1", "coverage, start=0".

    A function outside the catalogue has its own name.
    """
    if not (record := find_record(metric)):
        return function_name(metric)
    bound = dict(metric.keywords) if isinstance(metric, partial) else {}
    name, prefix = record.name, record.prefix
    # What becomes part of the name is taken out of ``bound``; all that is left follows the name.
    for option, parameter in record.parameters.items():
        if parameter.symbol and option in bound:
            value = short_repr(bound.pop(option)).removesuffix(".0")  # F2, not F2.0
            name = name.removesuffix(parameter.symbol) + value
        elif parameter.per_label and not is_number(bound.get(option)):  # too long for a name
            bound.pop(option, None)
    if record.averages:
        prefix = bound.pop("average", record.defaults["average"]) or ""  # None adds no word
    others = [f"{option}={short_repr(value)}" for option, value in bound.items()]
    return ", ".join([f"{prefix} {name}" if prefix else name, *others])


def variants(records: Iterable[Metric] = METRICS) -> dict[str, MetricFunction]:
    """Every metric under each of its averages, by full name; required options are bound, as β = 2.

    Examples
    --------
    >>> list(variants())[:4]
    ['subset accuracy', 'zero-one loss', 'samples accuracy (Jaccard)', 'samples precision']
    """
    metrics: dict[str, MetricFunction] = {}
    for record in records:
        choices = [{"average": average} for average in record.averages if average]
        for choice in choices or [{}]:  # a metric without averages is there once
            bound = record.required | choice
            metric = partial(record.function, **bound) if bound else record.function
            metrics[full_name(metric)] = metric
    return metrics


def general_name(metric: MetricFunction) -> str:
    """The name of a metric with its average but no other option: "macro Fβ" for F2."""
    record = record_of(metric)
    options = resolve_options(metric, **record.required)  # whose own values need not be bound
    average = {"average": options["average"]} if options.get("average") else {}
    return full_name(partial(record.function, **average))
