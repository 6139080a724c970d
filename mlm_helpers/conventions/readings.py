"""What a number can be: every metric with its average, and what is made of metrics and goes by their names."""

from __future__ import annotations

import functools
import inspect
import itertools
import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from mlm_helpers import catalogue, example_based, hamming, inputs, label_based

Matrix = NDArray[Any]
Built = TypeVar("Built")


class Reading(NamedTuple):
    """One number that can be read off data.

    Attributes
    ----------
    name : str
        As `catalogue.describe` names it, or its name in `DERIVED`.
    function : functools.partial
        The metric with its average and what it requires.
    general : str
        As `catalogue.general` names it: its key in ``Tool.metrics``.
    reads : "y_pred" or "y_score"
    bound : mapping
        What the metric requires, such as β.
    choices : mapping of str to tuple
        Its conventions, and the values that each can take.
    """

    name: str
    function: functools.partial[Any]
    general: str
    reads: str
    bound: Mapping[str, Any]
    choices: Mapping[str, tuple[Any, ...]]


def _label_wise_accuracy(y_true: Any, y_pred: Any) -> float:
    return 1 - float(hamming.hamming_loss(y_true, y_pred))


def _f1_of_means(family: Any, y_true: Any, y_pred: Any, zero_division: float | str = 0.0) -> float:
    """Harmonic mean of the mean precision and the mean recall: not the mean of the F1s."""
    p = float(family.precision(y_true, y_pred, zero_division=zero_division))
    r = float(family.recall(y_true, y_pred, zero_division=zero_division))
    return 2 * p * r / (p + r) if p + r else 0.0 * p


LABEL_WISE = "1 − Hamming loss"
DERIVED: dict[str, Callable[..., float]] = {
    LABEL_WISE: _label_wise_accuracy,
    "F1 of macro precision and macro recall": functools.partial(_f1_of_means, label_based),
    "F1 of samples precision and samples recall": functools.partial(_f1_of_means, example_based),
}
"""Numbers that go by a metric's name elsewhere and are made of metrics here."""

_CONVENTIONS: dict[str, tuple[Any, ...]] = {
    "zero_division": (0.0, 1.0, math.nan, "agree"),
    "ties": inputs.TIES,
    "undefined": (0.0, 1.0, math.nan),
}


def remembered(build: Callable[[], Built]) -> Callable[[], Built]:
    """Keep what is built of the catalogue's records, until the catalogue holds others."""
    kept: dict[str, Any] = {"of": None}

    @functools.wraps(build)
    def rebuilt() -> Built:
        if kept["of"] is not catalogue.METRICS:
            kept.update(of=catalogue.METRICS, built=build())
        built: Built = kept["built"]
        return built

    return rebuilt


@remembered
def readings() -> dict[str, Reading]:
    """Every number that a tool may print, by name: the catalogue's metrics, then the derived ones.

    Examples
    --------
    >>> readings()["macro F2"].bound
    {'beta': 2.0}
    """
    found = [reading for record in catalogue.METRICS for reading in of_record(record)]
    for name, function in DERIVED.items():
        choices = {
            o: _CONVENTIONS[o] for o in inspect.signature(function).parameters if o in _CONVENTIONS
        }
        found.append(Reading(name, functools.partial(function), name, "y_pred", {}, choices))
    return {reading.name: reading for reading in found}


def of_record(record: catalogue.Metric) -> list[Reading]:
    """A metric under each average, with each value of what it requires."""
    values = {name: parameter.values for name, parameter in record.parameters.items()}
    required = {name: values.pop(name) for name in record.required}
    choices = {o: (_CONVENTIONS | values)[o] for o in record.options if o in _CONVENTIONS | values}
    averages = {"average": inputs.AVERAGES[:-1]} if record.along == "label" else {}
    found = []
    for chosen in ways(required | averages):
        function = functools.partial(record.function, **chosen)
        bound = {name: chosen[name] for name in required}
        name, general = catalogue.describe(function), catalogue.general(function)
        found.append(Reading(name, function, general, record.reads, bound, choices))
    return found


def ways(choices: Mapping[str, Iterable[Any]]) -> list[dict[str, Any]]:
    """Every way to choose a value of each option.

    Examples
    --------
    >>> ways({"start": (1, 0), "ties": ("worst",)})
    [{'start': 1, 'ties': 'worst'}, {'start': 0, 'ties': 'worst'}]
    """
    return [dict(zip(choices, way, strict=True)) for way in itertools.product(*choices.values())]


def reading_of(name: Any) -> Reading:
    """The reading of that name; a name that there is none of is refused."""
    every = readings()
    inputs.one_of(name, list(every), "name")
    return every[name]


def without_value(metric: Callable[..., Any], y_true: Any, y_other: Any) -> NDArray[np.bool_]:
    """Of the values that a metric averages, which do not exist: of samples, of labels, or of all cells.

    Examples
    --------
    >>> without_value(example_based.f1, [[1, 0], [0, 0]], [[1, 0], [0, 0]])
    array([False,  True])
    """
    record = catalogue.of(metric)
    chosen: dict[str, Any] = {
        o: math.nan for o in ("zero_division", "undefined") if o in record.options
    }
    if record.along == "sample":
        chosen["per_sample"] = True
    elif catalogue.settings(metric)["average"] != "micro":
        chosen["average"] = None
    values = functools.partial(metric, **chosen)(y_true, y_other)
    return np.asarray(np.isnan(values))
