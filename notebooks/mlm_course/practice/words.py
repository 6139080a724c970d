"""Metrics and conventions in a few words."""

from typing import Any

from mlm_helpers import catalogue
from mlm_helpers._core import counts, inputs
from mlm_helpers.catalogue import MetricFunction
from mlm_helpers.conventions.quantities import DERIVED, Quantity

AVERAGES = {
    "macro": "a value for each label, then their mean",
    "micro": "all cells counted together",
    "weighted": "a value for each label, weighed by its true samples",
    None: "a value for each sample, then their mean",
}
CONVENTIONS = {
    ("zero_division", "0.0"): "0/0 counts as 0",
    ("zero_division", "1.0"): "0/0 counts as 1",
    ("zero_division", "nan"): "what is 0/0 is left out of the mean",
    ("zero_division", "'agree'"): "0/0 counts as 1 where nothing is wrong",
    ("undefined", "0.0"): "what has no value counts as 0",
    ("undefined", "1.0"): "what has no value counts as 1",
    ("undefined", "nan"): "what has no value is left out of the mean",
    ("start", "0"): "ranks are counted from 0",
    ("start", "1"): "ranks are counted from 1",
}


def convention(option: str, value: Any) -> str:
    """An option with its value, to stand after "if"."""
    return CONVENTIONS.get((option, repr(value)), f"{option} is {inputs.shown(value)}")


def average(metric: MetricFunction) -> str:
    """What is done with the values of samples or labels."""
    if catalogue.of(metric).along == "all":
        return "added up over all samples, then divided"
    return AVERAGES[catalogue.settings(metric).get("average")]


def recipe(metric: MetricFunction) -> str:
    """The formula of a metric, and how its values are averaged."""
    return "; ".join(filter(None, [catalogue.of(metric).words, average(metric)]))


def instead(metric: MetricFunction, quantity: Quantity) -> str:
    """Another metric and the one that was asked for, each with what tells it from the other."""
    asked = catalogue.describe(metric)
    if quantity.name in DERIVED:
        is_mean = catalogue.of(metric).parts is counts.f1 and average(metric) != AVERAGES["micro"]
        return f"{quantity.name}; asked is {asked}{', the mean of the F1s' * is_mean}"
    both: tuple[MetricFunction, MetricFunction] = (quantity.function, metric)
    names, hows = (quantity.name, asked), [catalogue.of(one).words for one in both]
    if hows[0] == hows[1] or not all(hows):
        hows = [average(one) for one in both]
    if hows[0] == hows[1]:
        hows = ["", ""]
    said = [f"{name}, {how}" if how else name for name, how in zip(names, hows, strict=True)]
    return "; asked is ".join(said)
