"""What a number can be: a metric with its average, or what goes by a metric's name elsewhere."""

import inspect
import itertools
import math
from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np

from mlm_helpers import catalogue, hamming
from mlm_helpers._core import counts, inputs
from mlm_helpers.conventions.cached_data import CachedData, Matrix

CONVENTIONS: dict[str, tuple[Any, ...]] = {
    "zero_division": (0.0, 1.0, math.nan, "agree"),
    "ties": inputs.TIES,
    "undefined": (0.0, 1.0, math.nan),
}
"""The values that searches try of options which several metrics have."""


class Quantity(NamedTuple):
    """One number that can be read off data."""

    name: str  # as `catalogue.full_name` names it, or its name in `DERIVED`
    function: partial[Any]  # the metric with its average and what it requires
    general_name: str  # as `catalogue.general_name` names it: its key in ``Tool.metrics``
    reads: str  # "y_pred", "y_score" or "y_prob"
    required: Mapping[str, Any]  # what the metric requires, such as β
    conventions: Mapping[str, tuple[Any, ...]]  # its conventions, and the values that each can take


def _of_means(
    average: str, beta: float, data: CachedData, zero_division: float | str = 0.0
) -> float:
    """Fβ of the mean precision and the mean recall: not the mean of the Fβs."""
    both = [quantities()[f"{average} {one}"].function for one in ("precision", "recall")]
    p, r = (data.value(metric, zero_division=zero_division) for metric in both)
    whole = beta**2 * p + r
    return (1 + beta**2) * p * r / whole if whole else 0.0


def _with_both(axis: str, data: CachedData) -> float:
    """The mean F1 of those samples or labels that have a precision and a recall."""
    tp, fp, fn, _ = getattr(data, axis)
    has_both = (tp + fp > 0) & (tp + fn > 0)
    return counts.nanmean(counts.safe_divide(2 * tp, has_both * (2 * tp + fp + fn), math.nan))


def read_sets(y_true: Any, y_pred: Any) -> CachedData:
    """Truth and predictions, checked."""
    data = inputs.read_label_sets(y_true, y_pred)
    return CachedData(data.truth, data.prediction)


def _of_matrices(made: Callable[..., float], y_true: Any, y_pred: Any, **options: Any) -> float:
    """A derived number of matrices."""
    return made(read_sets(y_true, y_pred), **options)


LABEL_WISE = "1 − Hamming loss"
_MADE: dict[str, Callable[..., float]] = {
    LABEL_WISE: lambda data: 1 - data.value(partial(hamming.hamming_loss)),
    **{
        f"F{beta} of {average} precision and {average} recall": partial(_of_means, average, beta)
        for beta in (1, 2)
        for average in ("macro", "samples", "weighted")
    },
    "macro F1 of the labels that have a precision and a recall": partial(_with_both, "labels"),
    "samples F1 of the samples that have a precision and a recall": partial(_with_both, "rows"),
}
DERIVED = tuple(_MADE)[:3]
"""Numbers that go by a metric's name elsewhere and are made of metrics here."""


def _derived(name: str) -> Quantity:
    """A derived number as a quantity, with the conventions that its function takes."""
    made = _MADE[name]
    taken = {o: CONVENTIONS[o] for o in inspect.signature(made).parameters if o in CONVENTIONS}
    return Quantity(name, partial(_of_matrices, made), name, "y_pred", {}, taken)


RARER = [_derived(name) for name in _MADE if name not in DERIVED]
"""Numbers of label sets that only `identify` tries."""


@cache
def quantities() -> dict[str, Quantity]:
    """Every number that a tool may print: the catalogue's metrics, then the derived ones.

    A metric is there under each average, with each value of what it requires; one that requires an option
    per label, or that is no average of values of its own, is not.
    """
    found = []
    for record in catalogue.METRICS:
        if record.required_per_label or record.prepare or record.unit == "all":
            continue
        shared = {name: one for name, one in record.parameters.items() if not one.per_label}
        values = CONVENTIONS | {
            name: one.values + one.further_values for name, one in shared.items()
        }
        named = {name: values[name] for name in record.required}  # what the quantity's name says
        if record.averages:
            named["average"] = tuple(average for average in record.averages if average)
        choices = {o: values[o] for o in record.defaults if o in values and o not in named}
        for chosen in option_combinations(named):
            function = partial(record.function, **chosen)
            names = catalogue.full_name(function), function, catalogue.general_name(function)
            bound = {name: chosen[name] for name in record.required}
            found.append(Quantity(*names, record.reads, bound, choices))
    return {quantity.name: quantity for quantity in (*found, *map(_derived, DERIVED))}


def option_combinations(choices: Mapping[str, Iterable[Any]]) -> list[dict[str, Any]]:
    """Every way to choose a value of each option."""
    return [dict(zip(choices, way, strict=True)) for way in itertools.product(*choices.values())]


def quantity_of(name: Any) -> Quantity:
    """The quantity of that name; any other name is refused."""
    inputs.check_choice(name, list(quantities()), "name")
    return quantities()[name]


def has_ties(score: Matrix) -> bool:
    """Whether two scores of a row are equal."""
    return not np.diff(np.sort(score, axis=1)).all()
