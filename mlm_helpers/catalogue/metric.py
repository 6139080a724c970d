"""The record of a metric: what other modules need to know about it."""

import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from typing import Any, Literal, TypeAlias

import numpy as np

from mlm_helpers._core import counts
from mlm_helpers._core.averages import averages_of_labels
from mlm_helpers._core.inputs.data import Data, FloatArray
from mlm_helpers._core.inputs.options import TIES
from mlm_helpers._core.inputs.read import read_label_scores, read_label_sets, read_probabilities

MetricFunction: TypeAlias = Callable[..., Any]
"""A metric as an argument: a public function, or a ``functools.partial`` of it; in some places any
function of truth and prediction."""
_signature = cache(inspect.signature)  # which is slow

FAMILIES = {
    "exact match": "each row: all right, or not",
    "example-based": "each row: a ratio; then their mean",
    "Hamming": "every cell: right, or wrong",
    "label-based": "each column: a ratio; or all pooled",
    "ranking": "each row: its labels by score",
    "curves": "each column: its samples by score",
    "top k": "each row: its first k labels",
    "probability": "each cell, or each bin of a column: the probability against the truth",
    "hierarchy": "each label brings those above it; then as before",
}
"""The families in the order of the course, and how each counts."""


@dataclass(frozen=True)
class Parameter:
    """An option in the formula of a metric, such as β or k."""

    #: Raises an error for a bad value. For an option per label it also takes the number of labels,
    #: and returns the values as an array or list.
    check: Callable[..., object]
    #: The values that searches try; examples use the first where the option has no default. For an
    #: option per label each is a function of the number of labels, which metrics accept too.
    values: tuple[Any, ...]
    symbol: str = ""  #: the end of the metric's name that a value replaces, as β in Fβ
    #: Values of tools and papers that `conventions` tries, too.
    further_values: tuple[Any, ...] = ()
    per_label: bool = False  #: whether its value has an entry for each label, such as its parents

    def resolve(self, value: Any, n_labels: int) -> Any:
        """The checked value; that of an option per label becomes an array or list."""
        if self.per_label:
            return self.check(value, n_labels)
        self.check(value)
        return value


@dataclass(frozen=True)
class Teaching:
    """What the course says of a metric."""

    #: The formula of one value, before averaging. Of one sample: Y are its true and Z its predicted
    #: labels out of L, T its first k labels, r(j) the rank of label j, and r_Y(j) its rank within
    #: Y; w_j is the weight of label j, and v_1, v_2, … are those of Y from the largest on. Of one
    #: label: Y are the samples out of n that have it, r(i) is the rank of sample i, B_b are the
    #: samples in bin b. A hat adds all ancestors. Options are named, as in \mathrm{false\ alarm}.
    latex: str
    words: str  #: the same formula in words, such as "hits ÷ predicted labels"
    undefined_where: str = ""  #: when a value is undefined: "nothing is predicted for a sample"
    #: The notebook whose exercises and pictures have the metric. None: it is in no exercise.
    notebook: str | None = None


@dataclass(frozen=True, eq=False, repr=False)  # a record equals itself alone, and can be a key
class Metric:
    """The record of a metric."""

    name: str  #: the usual English name, without the average
    function: MetricFunction  #: the public function
    #: The formula, a function that returns ``(numerator, denominator)``; the denominator is 0
    #: exactly where the value is undefined. Its arguments are `counts.Counts`, or for scores
    #: `ordering.RankedRows`, and options. For probabilities it instead returns the loss of a cell,
    #: from its truth and probability. None: the metric has no such formula.
    formula: Any
    teaching: Teaching  #: what only the course reads
    family: str  #: one of `FAMILIES`
    higher_is_better: bool
    #: The argument beside the truth: label sets, scores whose order counts, or probabilities.
    reads: Literal["y_pred", "y_score", "y_prob"] = "y_pred"
    #: What has a value of its own: each sample (the metric is the mean of these values), each label
    #: (the metric is their average), or only the whole data set, "all": numerators and denominators
    #: of the samples are added up before dividing.
    unit: Literal["sample", "label", "all"] = "sample"
    #: Lowest and highest value under any options; "L" is n_labels.
    range: tuple[float | str, float | str] = (0, 1)
    #: Options of this metric, besides those that its family shares.
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    #: A step before the formula, such as adding ancestors: a function of the data and all options
    #: that returns the data for the formula.
    prepare: Callable[[Data, Mapping[str, Any]], Data] | None = None
    prefix: str = ""  #: the word before the name if there is no average: "samples"
    #: A scikit-learn expression with the same value, of ``y_true``, the argument `reads` and the
    #: options.
    sklearn: str = ""
    #: The averages under which this expression has another value than the metric.
    sklearn_differs: tuple[str | None, ...] = ()
    keeps_sparse: bool = False  #: whether cells that a sparse matrix does not store have no score
    reads_tn: bool = False  #: whether the formula of a set metric reads true negatives
    linear: bool = False  #: whether numerator and denominator of a label are sums over its cells
    #: The factor w if a label's value is w·a ÷ (w·a + b), where a and b are numbers of cells: 1 for
    #: Jaccard, 2 for F1. Its odds are w times those of the share a ÷ (a + b). 0: the value has
    #: another form.
    odds_factor: float = 0
    #: Whether a sample's value is a share of its known cells. In the mean, the sample's weight is
    #: then multiplied by their number.
    is_share_of_cells: bool = False
    #: Whether the option ``ties`` chooses from the values under all orders of tied labels.
    over_tie_orders: bool = False

    def __repr__(self) -> str:
        """Text with the function alone: ``Metric(label_based.f1)``."""
        return f"Metric({self.id})"

    @property
    def id(self) -> str:
        """Module and function, such as ``example_based.f1``."""
        return f"{self.function.__module__.rpartition('.')[2]}.{self.function.__name__}"

    @property
    def averages(self) -> tuple[str | None, ...]:
        """The values that its option ``average`` takes; empty without this option."""
        if "average" in self.parameters:
            of_labels = (None,) if self.unit == "label" else ()  # a value per label
            return self.parameters["average"].values + of_labels
        return averages_of_labels() if self.unit == "label" else ()

    @property
    def tie_rules(self) -> tuple[str, ...]:
        """The values that its option ``ties`` takes; empty without this option."""
        if "ties" in self.parameters:
            return self.parameters["ties"].values
        return TIES if "ties" in self.defaults else ()

    @cached_property
    def defaults(self) -> dict[str, Any]:
        """The metric's keyword arguments with their defaults, or ``inspect.Parameter.empty``."""
        options = list(_signature(self.function).parameters.values())[2:]  # without the matrices
        return {option.name: option.default for option in options}

    @cached_property
    def required(self) -> dict[str, Any]:
        """The options without a default, each with the value that tables and examples use."""
        return {
            name: parameter.values[0]
            for name, parameter in self.parameters.items()
            if self.defaults[name] is inspect.Parameter.empty
        }

    @cached_property
    def required_per_label(self) -> tuple[str, ...]:
        """The required options with an entry for each label, which only the user can choose."""
        return tuple(name for name in self.required if self.parameters[name].per_label)

    def bounds(self, n_labels: int, options: Mapping[str, Any]) -> tuple[float, float]:
        """Lowest and highest value of a sample or label under the options."""
        shift = options["start"] - 1 if "start" in self.parameters else 0  # ranks can start at 0
        low, high = (n_labels if end == "L" else float(end) for end in self.range)
        return low + shift, high + shift

    def resolve_per_label(self, options: Mapping[str, Any], n_labels: int) -> dict[str, Any]:
        """The options, of which those with an entry for each label are checked arrays or lists."""
        names = self.required_per_label
        return {**options} | {o: self.parameters[o].resolve(options[o], n_labels) for o in names}

    def options_of_label(self, options: Mapping[str, Any], j: int) -> dict[str, Any]:
        """The options for label j alone: an array with an entry for each label is cut to that of j.

        The options are those of a metric of labels, from `resolve_per_label`, which are arrays. The
        result keeps one dimension, as a metric of a single label expects.
        """
        return {**options} | {name: options[name][[j]] for name in self.required_per_label}

    def bound_formula(self, options: Mapping[str, Any], n_labels: int = 1) -> counts.Formula:
        """The `formula`, with those of the options bound that it takes.

        The values of options per label are checked for ``n_labels`` labels.
        """
        bound = {o: options[o] for o in _signature(self.formula).parameters if o in options}
        for option in bound.keys() & self.parameters:
            bound[option] = self.parameters[option].resolve(bound[option], n_labels)
        return partial(self.formula, **bound)

    def read_data(
        self, y_true: Any, y_pred: Any, sample_weight: Any = None, *, name: str | None = None
    ) -> Data:
        """The data, checked as the metric checks them.

        Messages call the second matrix ``name``, by default as the metric's own argument.
        """
        arguments = y_true, y_pred, sample_weight
        name = name or self.reads
        if self.reads == "y_score":
            return read_label_scores(*arguments, keep_sparse=self.keeps_sparse, name=name)
        read = read_label_sets if self.reads == "y_pred" else read_probabilities
        return read(*arguments, name=name)

    def sample_weights(self, data: Data) -> FloatArray:
        """The weight of each sample in the mean over samples, shape (n_samples,)."""
        weight = (data.weighted_by_known() if self.is_share_of_cells else data).weight
        return np.ones(data.shape[0]) if weight is None else weight

    def sklearn_call(self, average: str | None = None) -> str:
        """The name of the scikit-learn function, with its arguments other than data and options.

        ``precision_score``, or ``precision_score(average='macro')`` for that average; empty where
        scikit-learn has another value.
        """
        if average in self.sklearn_differs:
            return ""
        name, _, arguments = self.sklearn.removesuffix(")").partition("(")
        options = (f"{option}={option}" for option in self.defaults)
        left_out = {"", "y_true", self.reads, *options}  # "": there is no expression
        others = [argument for argument in arguments.split(", ") if argument not in left_out]
        if average and "average=average" in arguments:
            others.append(f"average={average!r}")
        return f"{name}({', '.join(others)})" if others else name

    @property
    def is_additive(self) -> bool:
        """Whether a scorecard has the metric, since its value follows from sums over batches.

        A scorecard adds up what formulas give for the data as they are, without a step `prepare`.
        """
        return self.formula is not None and self.prepare is None

    @property
    def reads_label_counts(self) -> bool:
        """Whether the metric follows, under every average, from TP, FP, FN and TN of the labels."""
        return (self.unit, self.reads) == ("label", "y_pred") and not self.prepare

    @property
    def shifts_when_masked(self) -> bool:
        """Whether the metric reads a row as a whole, so that cells unknown at random shift it.

        The value of a label, and a share of cells, are on average the same on the known cells.
        """
        return self.unit != "label" and not self.is_share_of_cells

    @property
    def nan_if_undefined(self) -> dict[str, float]:
        """The option under which undefined values are nan, as keyword arguments.

        It is empty for a metric without ``zero_division`` and ``undefined``.
        """
        return dict.fromkeys({"zero_division", "undefined"} & self.defaults.keys(), math.nan)
