"""The numbers that tools print: each metric with its average, and formulas made of metrics.

Conventions are options that decide a metric's value in cases that its definition leaves open, or
among its variants. A quantity takes them as arguments, while its average and the options that its
metric requires, such as β, are part of its name.
"""

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np

from mlm_helpers import catalogue, hamming
from mlm_helpers._core.inputs.kinds import Array
from mlm_helpers._core.inputs.options import TIES, look_up
from mlm_helpers._core.inputs.read import read_label_sets
from mlm_helpers.conventions.cached_data import CachedData

CONVENTIONS: dict[str, tuple[Any, ...]] = {
    "zero_division": (0.0, 1.0, math.nan, "agree"),
    "ties": TIES,
    "undefined": (0.0, 1.0, math.nan),
}
"""The options that several metrics share, each with the values that searches try."""


Formula = Callable[..., float]
"""A function of `CachedData`, with the conventions that it takes as keyword arguments."""


class Quantity(NamedTuple):
    """A metric with its average and required options, or a formula made of metrics."""

    name: str  # from `catalogue.full_name`, such as "micro F1"; or the formula in words
    function: partial[Any]  # called with truth, prediction and any of the conventions
    general_name: str  # from `catalogue.general_name`, such as "micro Fβ": key in ``Tool.metrics``
    reads: str  # "y_pred", "y_score" or "y_prob"
    required: Mapping[str, Any]  # options without a default, such as β
    conventions: Mapping[str, tuple[Any, ...]]  # its other options, each with the values to try
    formula: Formula | None = None  # None for a metric of the catalogue

    @property
    def record(self) -> catalogue.Metric | None:
        """The metric's record in the catalogue; None for a formula."""
        return None if self.formula else catalogue.record_of(self.function)

    def value(self, data: CachedData, **options: Any) -> float:
        """The number that ``function(truth, prediction, **options)`` returns, from cached data."""
        if self.formula:
            return float(self.formula(data, **self.function.keywords, **options))
        return data.value(self.function, **options)


def _f_of_means(average: str, beta: float, data: CachedData, zero_division: Any = 0.0) -> float:
    """Fβ of the mean precision and the mean recall, which is not the mean of the Fβs.

    If both means are 0, it is 0.
    """
    names = f"{average} precision", f"{average} recall"
    p, r = (quantities()[name].value(data, zero_division=zero_division) for name in names)
    denominator = beta**2 * p + r
    return (1 + beta**2) * p * r / denominator if denominator else 0.0


def _apply(formula: Formula, y_true: Any, y_pred: Any, **options: Any) -> float:
    """The value of a formula on two matrices of labels, which are read first."""
    data = read_label_sets(y_true, y_pred)
    return formula(CachedData(data.truth, data.prediction), **options)


def _of_formula(name: str, formula: Formula, *options: str) -> Quantity:
    """A formula of label sets as a quantity; ``options`` are the conventions that it takes."""
    conventions = {option: CONVENTIONS[option] for option in options}
    return Quantity(name, partial(_apply, formula), name, "y_pred", {}, conventions, formula)


def _of_means(average: str, beta: float = 1) -> Quantity:
    """Fβ of the mean precision and the mean recall as a quantity."""
    name = f"F{beta} of {average} precision and {average} recall"
    return _of_formula(name, partial(_f_of_means, average, beta), "zero_division")


LABEL_WISE = "1 − Hamming loss"
_PRINTED_FORMULAS = [  # Tools print these numbers under a metric's name.
    _of_formula(LABEL_WISE, lambda data: 1 - data.value(partial(hamming.hamming_loss))),
    _of_means("macro"),
    _of_means("samples"),
]
RARE = [  # No tool of `TOOLS` prints these numbers; only `identify` tries them.
    _of_means("weighted"),
    *(_of_means(average, beta=2) for average in ("macro", "samples", "weighted")),
]


@cache
def quantities() -> dict[str, Quantity]:
    """Every number that a tool may print, by name: metrics of the catalogue, then formulas.

    A metric is listed under each average, and each value that its record has of its required
    options. Left out are metrics that require a number for each label, and metrics without a value
    per sample or label.
    """
    listed: list[Quantity] = []
    for record in catalogue.METRICS:
        if not record.required_per_label and record.unit != "all":
            listed += _of_metric(record)
    return {quantity.name: quantity for quantity in listed + _PRINTED_FORMULAS}


def _of_metric(record: catalogue.Metric) -> Iterator[Quantity]:
    """A metric as quantities: one for each average and each value of its required options."""
    own_values = {name: p.values + p.further_values for name, p in record.parameters.items()}
    values = CONVENTIONS | own_values  # which replace the shared values of an option
    in_name = {name: values[name] for name in record.required}  # stated in the quantity's name
    if record.averages:
        # Without the average None, which gives no single number.
        in_name["average"] = tuple(average for average in record.averages if average)
    conventions = {o: values[o] for o in record.defaults if o in values and o not in in_name}
    for options in option_combinations(in_name):
        metric = partial(record.function, **options)
        required = {option: options[option] for option in record.required}
        yield Quantity(
            catalogue.full_name(metric),
            metric,
            catalogue.general_name(metric),
            record.reads,
            required,
            conventions,
        )


def option_combinations(values: Mapping[str, Iterable[Any]]) -> list[dict[str, Any]]:
    """Every combination of one value per option, as keyword arguments.

    Examples
    --------
    >>> option_combinations({"start": (0, 1), "ties": ("min",)})
    [{'start': 0, 'ties': 'min'}, {'start': 1, 'ties': 'min'}]
    """
    return [dict(zip(values, row, strict=True)) for row in itertools.product(*values.values())]


def quantity_of(name: Any) -> Quantity:
    """The quantity of that name; a ValueError lists the names."""
    return look_up(quantities(), name, "name")


def has_ties(score: Array) -> bool:
    """Whether any row of the matrix has two equal scores, which are neighbours in order."""
    return not np.diff(np.sort(score, axis=1)).all()
