"""How metrics and conventions are said in a few words."""

from collections.abc import Callable
from typing import Any

from mlm_helpers import catalogue, counts, curves, inputs, ordering
from mlm_helpers.conventions.readings import DERIVED, Reading

Metric = Callable[..., Any]

AVERAGES = {
    "macro": "a value for each label, then their mean",
    "micro": "all cells counted together",
    "weighted": "a value for each label, weighed by its true samples",
    None: "a value for each sample, then their mean",
}
HOWS: dict[Any, str] = {
    counts.all_right: "1 where all is right",
    counts.any_wrong: "1 where anything is wrong",
    counts.wrong: "wrong cells ÷ all cells",
    counts.precision: "hits ÷ predicted labels",
    counts.recall: "hits ÷ true labels",
    counts.jaccard: "hits ÷ labels true or predicted",
    counts.f1: "2 × hits ÷ (true labels + predicted labels)",
    counts.fbeta: "(1 + β²) × hits ÷ (β² × true labels + predicted labels)",
    ordering.coverage: "the rank of the last relevant label",
    ordering.one_error: "1 where the label at the top is irrelevant",
    ordering.ranking_loss: "pairs in the wrong order ÷ pairs of a relevant and an irrelevant label",
    ordering.average_precision: "at each relevant label, the relevant ones down to it ÷ all down to it",
    ordering.precision_at: "hits among the first k ÷ k",
    ordering.recall_at: "hits among the first k ÷ relevant labels",
    ordering.ndcg_at: "hits among the first k, each ÷ log2(place + 1), ÷ the same of the best order",
    curves.average_precision: "at each positive, the positives down to it ÷ all down to it",
    curves.roc_auc: "pairs in the right order ÷ pairs of a positive and a negative",
}
"""The formula of one sample or one label, by the function that computes it."""

CONVENTIONS = {
    ("zero_division", "0.0"): "0/0 counts as 0",
    ("zero_division", "1.0"): "0/0 counts as 1",
    ("zero_division", "nan"): "what is 0/0 is left out of the mean",
    ("zero_division", "'agree'"): "0/0 counts as 1 where truth and prediction are both empty",
    ("undefined", "0.0"): "what has no value counts as 0",
    ("undefined", "1.0"): "what has no value counts as 1",
    ("undefined", "nan"): "what has no value is left out of the mean",
    ("start", "0"): "ranks are counted from 0",
    ("start", "1"): "ranks are counted from 1",
}


def convention(option: str, value: Any) -> str:
    """An option with its value, to stand behind "if"."""
    return CONVENTIONS.get((option, repr(value)), f"{option} is {inputs.shown(value)}")


def formula(metric: Metric) -> str:
    """The formula of one sample or one label; empty for one that has no words here."""
    record = catalogue.of(metric)
    return HOWS.get(record.parts or record.function, "")


def average(metric: Metric) -> str:
    """What is done with the values of samples or labels."""
    return AVERAGES[catalogue.settings(metric).get("average")]


def recipe(metric: Metric) -> str:
    """How a metric is computed."""
    return "; ".join(filter(None, [formula(metric), average(metric)]))


def instead(metric: Metric, reading: Reading) -> str:
    """Another metric and the one that is asked, each with that in which they differ."""
    asked = catalogue.describe(metric)
    if reading.name in DERIVED:
        is_mean = formula(metric) == HOWS[counts.f1] and average(metric) != AVERAGES["micro"]
        return f"{reading.name}; asked is {asked}{', the mean of the F1s' * is_mean}"
    both: tuple[Metric, Metric] = (reading.function, metric)
    names, hows = (reading.name, asked), [formula(one) for one in both]
    if hows[0] == hows[1] or not all(hows):
        hows = [average(one) for one in both]
    if hows[0] == hows[1]:
        hows = ["", ""]
    said = [f"{name}, {how}" if how else name for name, how in zip(names, hows, strict=True)]
    return "; asked is ".join(said)
