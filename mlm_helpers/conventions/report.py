"""What to write in a paper."""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mlm_helpers import catalogue
from mlm_helpers.conventions.identify import decimal_of
from mlm_helpers.conventions.readings import read
from mlm_helpers.conventions.records import Options
from mlm_helpers.conventions.translate import name_of

_AVERAGED = {
    "samples": "a value per sample, then their mean",
    "macro": "a value per label, then their mean",
    "micro": "one ratio over all cells",
    "weighted": "a value per label, then their mean, weighted by the label's true samples",
}
_TIED = {
    "worst": "tied labels share their largest rank",
    "best": "tied labels share their smallest rank",
    "average": "tied labels share their mean rank",
    "first": "of tied labels the lowest index ranks first",
    "last": "of tied labels the highest index ranks first",
}


def report(
    metrics: Sequence[Callable[..., Any]],
    y_true: Any,
    y_pred: Any = None,
    y_score: Any = None,
    *,
    decision: str = "",
) -> str:
    """Write the paragraph that makes results unambiguous: data, metrics, conventions, undefined cases.

    Parameters
    ----------
    metrics : sequence of public metric functions, or of ``functools.partial`` of them
        Conventions other than the defaults are bound in the partial.
    y_true, y_pred : matrix of 0 and 1, shape (n_samples, n_labels)
    y_score : matrix of finite numbers, same shape
        Needed where a metric reads scores.
    decision : str, optional
        How scores became predictions, such as "score >= 0.5".

    Returns
    -------
    str
        One paragraph.

    Raises
    ------
    TypeError, ValueError
        One sentence that names the argument, the first offending value and the remedy.

    References
    ----------
    None: it says in words what the arguments are.

    Examples
    --------
    >>> from mlm_helpers import example_based
    >>> print(report([example_based.f1], [[1, 0], [0, 0]], [[1, 0], [0, 0]]))
    2 samples, 2 labels, label cardinality (true labels a sample) 0.5; 1 of 2 samples and 1 of 2 \
labels have no true label. samples F1 = 0.5: a value per sample, then their mean; 0/0 counts 0 (1 of 2 samples).
    """
    truth, _ = read(y_true, y_true, scores=False)
    n_samples, n_labels = truth.shape
    sentences = [
        f"{n_samples} samples, {n_labels} labels, label cardinality (true labels a sample)"
        f" {decimal_of(truth.sum() / n_samples)}; {n_samples - truth.any(axis=1).sum()} of {n_samples} samples and"
        f" {n_labels - truth.any(axis=0).sum()} of {n_labels} labels have no true label."
    ]
    if decision:
        sentences.append(f"A label is predicted where {decision}.")
    for metric in metrics:
        reads = catalogue.of(metric).reads
        other = {"y_pred": y_pred, "y_score": y_score}[reads]
        if other is None:
            raise ValueError(f"{reads} is missing: {name_of(metric)} reads it")
        sentences.append(_sentence(metric, y_true, other))
    return " ".join(sentences)


def _sentence(metric: Callable[..., Any], y_true: Any, y_other: Any) -> str:
    """One metric: its value, how it averages, its conventions, and how often they were needed."""
    record = catalogue.of(metric)
    parameters = inspect.signature(record.function).parameters
    bound = metric.keywords if isinstance(metric, functools.partial) else {}
    chosen = {name: parameters[name].default for name in record.options} | bound
    value = metric(y_true, y_other)
    if np.ndim(value):
        raise ValueError(
            f"{record.id} gives one value per label or sample here: bind what gives one number"
        )
    said = [_AVERAGED[chosen.get("average", "samples")]]
    undecided = _undecided(record, chosen, y_true, y_other)
    for option, words in (("zero_division", "0/0"), ("undefined", "a sample without a value")):
        if option in chosen:
            said.append(f"{words} {_worth(chosen[option])} ({undecided})")
    if "start" in chosen:
        said.append(f"the top label has rank {chosen['start']}")
    if "ties" in chosen:
        said.append(_TIED[chosen["ties"]])
    if chosen.get("sample_weight") is not None:
        said.append("samples are weighted")
    beta = {"beta": bound["beta"]} if "beta" in bound else {}
    average = {"average": chosen["average"]} if "average" in chosen else {}
    name = catalogue.describe(functools.partial(record.function, **average, **beta))
    return f"{name} = {decimal_of(float(value))}: {'; '.join(said)}."


def _worth(value: float | str) -> str:
    if value == "agree":
        return "counts 1 where truth and prediction are both empty, else 0"
    return "is left out" if math.isnan(float(value)) else f"counts {decimal_of(float(value))}"


def _undecided(record: catalogue.Metric, chosen: Options, y_true: Any, y_other: Any) -> str:
    """How many of the values that are averaged do not exist."""
    beta = {"beta": chosen["beta"]} if "beta" in chosen else {}
    if "zero_division" in chosen and "average" in chosen:
        average = "micro" if chosen["average"] == "micro" else None
        values = record.function(y_true, y_other, average=average, zero_division=math.nan, **beta)
        if average:
            return "it is" if math.isnan(values) else "it is not"
        of = f"{np.size(values)} labels"
    elif "zero_division" in chosen or "undefined" in chosen:
        option = "zero_division" if "zero_division" in chosen else "undefined"
        values = record.function(y_true, y_other, per_sample=True, **{option: math.nan}, **beta)
        of = f"{np.size(values)} samples"
    else:
        return ""
    return f"{np.isnan(values).sum()} of {of}"
