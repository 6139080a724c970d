"""What a number can be: a metric with its average, or what goes by a metric's name elsewhere."""

import functools
import itertools
import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mlm_helpers import catalogue, example_based, hamming, label_based
from mlm_helpers._core import inputs

Matrix = NDArray[Any]

CONVENTIONS: dict[str, tuple[Any, ...]] = {
    "zero_division": (0.0, 1.0, math.nan, "agree"),
    "ties": inputs.TIES,
    "undefined": (0.0, 1.0, math.nan),
}
"""The values that searches try of options which several metrics have."""


class Quantity(NamedTuple):
    """One number that can be read off data."""

    name: str  # as `catalogue.describe` names it, or its name in `DERIVED`
    function: functools.partial[Any]  # the metric with its average and what it requires
    general: str  # as `catalogue.general` names it: its key in ``Tool.metrics``
    reads: str  # "y_pred", "y_score" or "y_prob"
    bound: Mapping[str, Any]  # what the metric requires, such as β
    choices: Mapping[str, tuple[Any, ...]]  # its conventions, and the values that each can take


def _f1_of_means(family: Any, y_true: Any, y_pred: Any, zero_division: float | str = 0.0) -> float:
    """Harmonic mean of the mean precision and the mean recall: not the mean of the F1s."""
    p = float(family.precision(y_true, y_pred, zero_division=zero_division))
    r = float(family.recall(y_true, y_pred, zero_division=zero_division))
    return 2 * p * r / (p + r) if p + r else 0.0


LABEL_WISE = "1 − Hamming loss"
DERIVED: dict[str, Callable[..., float]] = {
    LABEL_WISE: lambda y_true, y_pred: 1 - float(hamming.hamming_loss(y_true, y_pred)),
    "F1 of macro precision and macro recall": functools.partial(_f1_of_means, label_based),
    "F1 of samples precision and samples recall": functools.partial(_f1_of_means, example_based),
}
"""Numbers that go by a metric's name elsewhere and are made of metrics here."""


def quantities() -> dict[str, Quantity]:
    """Every number that a tool may print: the catalogue's metrics, then the derived ones.

    A metric stands there under each average, with each value of what it requires. One that needs an option
    per label, such as inverse propensities, is not among them.
    """
    return _quantities(tuple(catalogue.METRICS))


@functools.cache
def _quantities(records: tuple[catalogue.Metric, ...]) -> dict[str, Quantity]:
    """The quantities of these records, and the derived ones."""
    found = []
    for record in (record for record in records if not record.asks_per_label):
        shared = {name: one for name, one in record.parameters.items() if not one.per_label}
        values = CONVENTIONS | {name: one.values + one.also for name, one in shared.items()}
        named = {name: values[name] for name in record.required}  # what the quantity's name says
        if record.averages:
            named["average"] = tuple(average for average in record.averages if average)
        choices = {o: values[o] for o in record.defaults if o in values and o not in named}
        for chosen in ways(named):
            function = functools.partial(record.function, **chosen)
            names = catalogue.describe(function), function, catalogue.general(function)
            bound = {name: chosen[name] for name in record.required}
            found.append(Quantity(*names, record.reads, bound, choices))
    for name, made in DERIVED.items():
        rule = {} if name == LABEL_WISE else {"zero_division": CONVENTIONS["zero_division"]}
        found.append(Quantity(name, functools.partial(made), name, "y_pred", {}, rule))
    return {quantity.name: quantity for quantity in found}


def ways(choices: Mapping[str, Iterable[Any]]) -> list[dict[str, Any]]:
    """Every way to choose a value of each option."""
    return [dict(zip(choices, way, strict=True)) for way in itertools.product(*choices.values())]


def quantity_of(name: Any) -> Quantity:
    """The quantity of that name; any other name is refused."""
    inputs.one_of(name, list(quantities()), "name")
    return quantities()[name]


def any_tie(score: Matrix) -> bool:
    """Whether two scores of a row are equal."""
    return not np.diff(np.sort(score, axis=1)).all()
