"""The paragraph to write in a paper."""

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlm_helpers import catalogue, uncertainty
from mlm_helpers._core import inputs
from mlm_helpers._core.inputs.kinds import is_number
from mlm_helpers.tables import count_phrase, format_value
from mlm_helpers.tables.numbers import decimal

_AVERAGED = {
    "samples": "a value per sample, then their mean",
    "all": "one ratio of two sums over the samples",
    "macro": "a value per label, then their mean",
    "micro": "one ratio over all cells",
    "weighted": "a value per label, then their mean, weighted by the label's true samples",
}
_TIES = {
    "first": "of tied {} the lowest index ranks first",
    "last": "of tied {} the highest index ranks first",
    "worst": "tied {} share their largest rank",
    "best": "tied {} share their smallest rank",
    "average": "tied {} share their mean rank",
}


def report(
    metrics: Sequence[Callable[..., Any]],
    y_true: Any,
    y_pred: Any = None,
    y_score: Any = None,
    *,
    y_prob: Any = None,
    decision: str = "",
    level: float | None = None,
    groups: Any = None,
    decimals: int | None = None,
) -> str:
    """The paragraph for a paper that makes results unambiguous: data, metrics, conventions, every 0/0.

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
        The group of each sample; intervals draw groups whole, as in `uncertainty.interval`.
    decimals : int, optional
        Every value has so many decimals; by default three where there are intervals, else up to six.

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
    metrics = catalogue.as_list_of_metrics(metrics)
    if not isinstance(decision, str):
        raise TypeError(
            f"decision is {inputs.short_repr(decision)}: give text, such as 'score >= 0.5'"
        )
    is_fixed = decimals is not None or level is not None
    places = inputs.read_int(
        (3 if is_fixed else 6) if decimals is None else decimals, "decimals", 0
    )
    matrices = {"y_true": y_true, "y_pred": y_pred, "y_score": y_score, "y_prob": y_prob}
    inputs.check_same_order(matrices)
    sentences = _of_data(y_true)
    if decision:
        sentences.append(f"A label is predicted where {decision}.")
    for metric in metrics:
        record, chosen = catalogue.record_of(metric), catalogue.resolve_scalar_options(metric)
        other = matrices[record.reads]
        if other is None:
            raise ValueError(
                f"{record.reads} is missing: {catalogue.general_name(metric)} reads it"
            )
        value = uncertainty.value_or_interval(metric, y_true, other, level, groups)
        named = {o: chosen[o] for o in ("average", *record.required) if o in chosen}
        name = catalogue.full_name(functools.partial(record.function, **named))
        rules = _conventions(record, chosen, catalogue.undefined_mask(metric, y_true, other))
        if record.reads_label_counts and record.sklearn and np.shape(y_true)[1] == 1:
            rules.append("scikit-learn would average over both classes of this one column")
        if record.shifts_when_masked and np.ma.is_masked(y_true):
            why = "its value shifts with the share of unknown cells"
            rules.append(f"{why}, so it is not comparable with one on whole annotation")
        sentences.append(f"{name} = {format_value(value, places, is_fixed)}: {'; '.join(rules)}.")
    if level is not None and metrics:
        drawn = "samples" if groups is None else uncertainty.groups_in_words(groups)
        sentences.append(
            f"In parentheses: {100 * level:g} % intervals, BCa bootstrap of the {drawn}, 1,000 resamples."
        )
    return " ".join(sentences)


def _of_data(y_true: Any) -> list[str]:
    """How many samples, labels, true labels and unknown cells there are."""
    truth, known = inputs.read_truth(y_true)
    samples, labels = map(count_phrase, truth.shape, ("sample", "label"))
    without = [np.count_nonzero(truth.sum(axis=axis) == 0) for axis in (1, 0)]
    sentences = [
        f"{samples}, {labels},"
        f" label cardinality (true labels a sample) {decimal(truth.sum() / truth.shape[0], 6)};"
        f" {without[0]} of {samples} and {without[1]} of {labels} have no true label."
    ]
    if known is not None:
        unknown = f"{np.count_nonzero(~known)} of {known.size} cells"
        sentences.append(f"{unknown} of the truth are unknown and left out.")
    return sentences


def _conventions(
    record: catalogue.Metric, chosen: Mapping[str, Any], missing: NDArray[np.bool_]
) -> list[str]:
    """How a metric averages, its other conventions, and how often a rule for 0/0 was needed."""
    average = chosen.get("average", "all" if record.unit == "all" else "samples")
    needed = f"this ratio is {'' if missing.all() else 'not '}0/0"
    if missing.ndim:
        along = "sample" if average == "samples" else record.unit
        needed = f"{np.count_nonzero(missing)} of {count_phrase(missing.size, along)}"
    rules = [_AVERAGED[average]]
    without = "0/0" if average in ("micro", "all") else f"a {record.unit} without a value"
    undefined = {"zero_division": "0/0", "undefined": without}
    for option in undefined.keys() & chosen.keys():
        rules.append(f"{undefined[option]} {_counts(record, chosen[option])} ({needed})")
    if "ties" in chosen:
        tied = {"micro": "cells", "samples": "labels", "all": "labels"}.get(average, "samples")
        of_orders = f"the value is the {chosen['ties']} over all orders of tied {tied}"
        is_by_index = chosen["ties"] in ("first", "last") or not record.over_tie_orders
        rules.append(_TIES[chosen["ties"]].format(tied) if is_by_index else of_orders)
    others = record.parameters.keys() - record.required - {"average"}  # which the name says
    others |= {o for o in record.required_per_label if not is_number(chosen[o])}
    rules += [
        f"{o}={inputs.short_repr(chosen[o])}" for o in sorted(others) if chosen[o] is not None
    ]
    if chosen.get("sample_weight") is not None:
        rules.append("samples are weighted")
    return rules


def _counts(record: catalogue.Metric, value: float | str) -> str:
    """What 0/0, or an undefined sample or label, counts."""
    if value == "agree":
        agree = "nothing is wrong" if record.reads_tn else "truth and prediction are both empty"
        return f"counts 1 where {agree}, else 0"
    return "is left out" if math.isnan(float(value)) else f"counts {decimal(float(value), 6)}"
