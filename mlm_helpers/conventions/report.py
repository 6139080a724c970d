"""The paragraph to write in a paper."""

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from mlm_helpers import catalogue, uncertainty
from mlm_helpers._core import counts, inputs
from mlm_helpers.board.numbers import decimal
from mlm_helpers.board.values import written

_AVERAGED = {
    None: "a value per label",
    "samples": "a value per sample, then their mean",
    "all": "one ratio of two sums over the samples",
    "macro": "a value per label, then their mean",
    "micro": "one ratio over all cells",
    "weighted": "a value per label, then their mean, weighted by the label's true samples",
}
_TIED = {
    "worst": "tied {} share their largest rank",
    "best": "tied {} share their smallest rank",
    "average": "tied {} share their mean rank",
    "first": "of tied {} the lowest index ranks first",
    "last": "of tied {} the highest index ranks first",
}
_ORDERED = _TIED | {
    "worst": "the value is the worst over all orders of tied {}",
    "best": "the value is the best over all orders of tied {}",
    "average": "the value is the mean over all orders of tied {}",
}


def report(
    metrics: Sequence[Callable[..., Any]],
    y_true: Any,
    y_pred: Any = None,
    y_score: Any = None,
    *,
    y_prob: Any = None,
    decision: str = "",
    labels: Sequence[str] | None = None,
    level: float | None = None,
    groups: Any = None,
) -> str:
    """The paragraph for a paper that makes results unambiguous: data, metrics, conventions, every 0/0.

    Parameters
    ----------
    metrics : list of public metric functions, or of ``functools.partial`` of them
        Conventions other than the defaults are bound in the partial; ``average=None`` reports each
        label.
    y_true, y_pred : matrix of 0 and 1, shape (n_samples, n_labels)
        For several models, a dict from each model's name to its ``y_pred`` (or scores).
    y_score : matrix of finite numbers, same shape
        Needed where a metric reads scores.
    y_prob : matrix of numbers from 0 to 1, same shape
        Needed where a metric reads probabilities.
    decision : str, optional
        How scores became predictions, such as "score >= 0.5".
    labels : a different name for each label, optional
        By default the columns of a DataFrame, else numbers.
    level : float between 0 and 1, optional
        The level of an interval for each value, as in `uncertainty.interval`.
    groups : sequence of n_samples values, optional
        The group of each sample; intervals draw groups whole, as in `uncertainty.interval`.

    Raises
    ------
    TypeError, ValueError
        One sentence that names the argument, the first offending value and the remedy.

    Examples
    --------
    >>> from mlm_helpers import example_based
    >>> print(report([example_based.f1], [[1, 0], [0, 0]], [[1, 0], [0, 0]]))
    2 samples, 2 labels, label cardinality (true labels a sample) 0.5; 1 of 2 samples and 1 of 2 \
labels have no true label. samples F1 = 0.5: a value per sample, then their mean; \
0/0 counts 0 (1 of 2 samples).
    """
    if callable(metrics) or isinstance(metrics, str) or not isinstance(metrics, Sequence):
        raise TypeError(
            f"metrics is of type {type(metrics).__name__}: give a list of metrics, such as"
            " [hamming_loss]"
        )
    given = {"y_pred": y_pred, "y_score": y_score, "y_prob": y_prob}
    sentences = _of_data(y_true)
    if decision:
        sentences.append(f"A label is predicted where {decision}.")
    for metric in metrics:
        reads, chosen = catalogue.of(metric).reads, catalogue.settings(metric)
        if chosen.get("per_sample"):
            raise ValueError("per_sample is True, a value per sample: leave it out")
        if given[reads] is None:
            raise ValueError(f"{reads} is missing: {catalogue.general(metric)} reads it")
        models = given[reads] if isinstance(given[reads], Mapping) else {"": given[reads]}
        for model, other in models.items():
            found = uncertainty.sure(metric, y_true, other, level, groups)
            if chosen.get("average", "one") is None:
                names = inputs.label_names(labels, len(found), y_true, other)
                pairs = zip(found, names, strict=True)
                values = ", ".join(f"{written(value, 6)} for {name}" for value, name in pairs)
            else:
                values = written(found, 6)
            rules = "; ".join(_conventions(metric, y_true, other))
            sentences.append(f"{model}: " * bool(model) + f"{_name(metric)} = {values}: {rules}.")
    if level is not None and metrics:
        drawn = "samples" if groups is None else uncertainty.named(groups)
        sentences.append(
            f"In parentheses: {100 * level:g} % intervals, BCa bootstrap of the {drawn}, 1,000 resamples."
        )
    return " ".join(sentences)


def _of_data(y_true: Any) -> list[str]:
    """How many samples, labels, true labels and unknown cells there are."""
    truth, known = inputs.truth(y_true)
    data = inputs.label_sets(y_true, truth)
    n_samples, n_labels = data.shape
    of_samples, of_labels = counts.count_both_ways(data)
    true = "true" if known is None else "known true"
    sentences = [
        f"{n_samples} samples, {n_labels} labels, label cardinality ({true} labels a sample)"
        f" {decimal(of_labels.tp.sum() / n_samples, 6)};"
        f" {np.count_nonzero(of_samples.tp == 0)} of {n_samples} samples and"
        f" {np.count_nonzero(of_labels.tp == 0)} of {n_labels} labels have no {true} label."
    ]
    if known is not None:
        unknown = f"{np.count_nonzero(~known)} of {known.size} cells"
        sentences.append(f"{unknown} of the truth are unknown and left out of all metrics.")
    return sentences


def _name(metric: Callable[..., Any]) -> str:
    """The metric with its average and what it requires, such as "macro F2"."""
    record, chosen = catalogue.of(metric), catalogue.settings(metric)
    named = {o: chosen[o] for o in ("average", *record.required) if o in chosen}
    return catalogue.describe(functools.partial(record.function, **named))


def _conventions(metric: Callable[..., Any], y_true: Any, y_other: Any) -> list[str]:
    """How a metric averages, its conventions, and how often they were needed."""
    record, chosen = catalogue.of(metric), catalogue.settings(metric)
    average = chosen.get("average", "all" if record.along == "all" else "samples")
    rules = [_AVERAGED[average]]
    for option, undefined in (
        ("zero_division", "0/0"),
        ("undefined", f"a {record.along} without a value"),
    ):
        if option in chosen:
            needed = _needed(metric, option, y_true, y_other)
            rules.append(f"{undefined} {_counts(record, chosen[option])} ({needed})")
    if "start" in chosen:
        rules.append(f"the top label has rank {chosen['start']}")
    if "ties" in chosen:
        tied = "samples" if record.along == "label" else "labels"
        words = _ORDERED if record.reads_orders else _TIED
        rules.append(words[chosen["ties"]].format("cells" if average == "micro" else tied))
    if chosen.get("interpolation") is not None:
        at = chosen["interpolation"]
        recalls = "every recall" if at == "all" else f"{at} recalls"
        rules.append(f"precision is the best at this recall or beyond, read at {recalls}")
    if chosen.get("sample_weight") is not None:
        rules.append("samples are weighted")
    return rules


def _needed(metric: Callable[..., Any], option: str, y_true: Any, y_other: Any) -> str:
    """How many samples or labels are 0/0, or have no value, in these data; or whether the one ratio is."""
    missing = catalogue.without_value(metric, y_true, y_other)
    divides = option == "zero_division"
    if missing.ndim == 0:
        if divides:
            return "this ratio is 0/0" if missing else "this ratio is not 0/0"
        return "all cells together have none" if missing else "all cells together have a value"
    along = catalogue.of(metric).averaged_along(catalogue.settings(metric))
    if missing.any():
        return f"{np.count_nonzero(missing)} of {missing.size} {along}s"
    return f"no {along} is 0/0 here" if divides else f"every {along} has a value here"


def _counts(record: catalogue.Metric, value: float | str) -> str:
    """What 0/0, or an undefined sample or label, counts."""
    if value == "agree":
        agree = "nothing is wrong" if record.reads_tn else "truth and prediction are both empty"
        return f"counts 1 where {agree}, else 0"
    return "is left out" if math.isnan(float(value)) else f"counts {decimal(float(value), 6)}"
