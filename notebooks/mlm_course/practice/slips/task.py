"""What slips change: a metric's data and options, its values before averaging, its counts."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mlm_helpers import catalogue
from mlm_helpers._core import counts, ordering
from mlm_helpers._core.averages import AVERAGES
from mlm_helpers._core.counts import Counts, Ratio
from mlm_helpers._core.inputs.data import Data
from mlm_helpers.catalogue.arguments import resolve_options

Matrix = NDArray[Any]
NumbersByPlace = Iterator[tuple[str, float]]  # such as ("sample 2", 0.5)


class Task(NamedTuple):
    """A metric with bound options, the truth, and the predictions or scores."""

    metric: Callable[..., Any]
    truth: Matrix
    prediction: Matrix

    @property
    def record(self) -> catalogue.Metric:
        """The metric's record in the catalogue."""
        return catalogue.record_of(self.metric)

    @property
    def options(self) -> dict[str, Any]:
        """All options of the metric with their values."""
        return resolve_options(self.metric)

    @property
    def unit(self) -> str:
        """What has a value: "sample", "label", "all" for a ratio of sums, or "" for all cells."""
        is_micro = "average" in self.options and AVERAGES[self.options["average"]].is_pooled
        return "" if is_micro else self.record.unit

    @property
    def is_mean(self) -> bool:
        """Whether the metric is an unweighted mean of values of samples or labels."""
        return self.unit == "sample" or self.options.get("average") == "macro"

    def value(self, truth: Any = None, prediction: Any = None, **options: Any) -> float:
        """The metric's value, with truth, prediction or options replaced by those passed."""
        truth = self.truth if truth is None else truth
        prediction = self.prediction if prediction is None else prediction
        return float(self.metric(truth, prediction, **options))

    def values(self) -> Matrix:
        """The metric's values of all samples, or of all labels; or its only value."""
        if self.record.unit == "all":
            return np.array([self.value()])
        options = {"per_sample": True} if self.record.unit == "sample" else {"average": None}
        return np.asarray(self.metric(self.truth, self.prediction, **options))

    def counts(self) -> Counts:
        """tp, fp, fn and tn of each sample, of each label, or of all cells."""
        axis = 0 if self.record.unit == "label" else 1
        counted = counts.count(Data(self.truth, self.prediction), axis=axis)
        return counts.pool(counted, self.options.get("average"))

    def ratios(self) -> Ratio:
        """Numerator and denominator of a ranking metric for each sample."""
        formula = self.record.bound_formula(self.options, self.truth.shape[1])
        data, ties = Data(self.truth, self.prediction), self.options["ties"]
        ((numerators, denominators),) = ordering.ratios_per_sample([formula], data, ties)
        return numerators, denominators

    def mean_ratio(self, numerator: Matrix, denominator: Any) -> float:
        """The ratios of samples or labels, averaged as the metric averages; x/0 counts 0."""
        denominators = np.broadcast_to(denominator, np.shape(numerator))
        values = counts.safe_divide(numerator, denominators, 0.0)
        average = self.options.get("average", "macro")
        return float(counts.average_labels(values, self.truth.sum(axis=0), average))


SlipsByMetric = tuple[tuple[Callable[[Task], bool], dict[str, Callable[[Task], Any]]], ...]
"""Groups of slips: the condition on a task, and the slips' numbers by their descriptions."""


def has_formula(*formulas: Callable[..., object]) -> Callable[[Task], bool]:
    """The condition that the metric of a task has one of these formulas, such as `counts.f1`."""
    return lambda task: task.record.formula in formulas
