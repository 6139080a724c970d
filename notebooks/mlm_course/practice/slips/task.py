"""A metric on data as a slip sees it: again on other data, value by value, before it is divided."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mlm_helpers import catalogue
from mlm_helpers._core import counts, ordering
from mlm_helpers._core.counts import Counts, Parts
from mlm_helpers._core.inputs import Data

Matrix = NDArray[Any]
NumbersByPlace = Iterator[tuple[str, float]]
"""Where a slip can happen, and the number it makes there."""


class Task(NamedTuple):
    """A metric with its options, the truth, and the predictions or scores."""

    metric: Callable[..., Any]
    truth: Matrix
    prediction: Matrix

    @property
    def record(self) -> catalogue.Metric:
        """What is known of the metric."""
        return catalogue.record_of(self.metric)

    @property
    def options(self) -> dict[str, Any]:
        """Every option of the metric."""
        return catalogue.resolve_options(self.metric)

    @property
    def unit(self) -> str:
        """What has a value of its own: "sample", "label", or "" where all cells are one list."""
        return "" if self.options.get("average") == "micro" else self.record.unit

    @property
    def is_mean(self) -> bool:
        """Whether values are averaged that all weigh the same."""
        return self.unit == "sample" or self.options.get("average") == "macro"

    def value(self, truth: Any = None, prediction: Any = None, **options: Any) -> float:
        """Compute the metric: of other data, or with other options, where they are given."""
        data = (
            self.truth if truth is None else truth,
            self.prediction if prediction is None else prediction,
        )
        return float(self.metric(*data, **options))

    def unit_values(self) -> Matrix:
        """The values of the samples, or of the labels."""
        if self.record.unit == "all":
            return np.array([self.value()])
        every = {"per_sample": True} if self.record.unit == "sample" else {"average": None}
        return np.asarray(self.metric(self.truth, self.prediction, **every))

    def counts(self) -> Counts:
        """The four counts of each sample, of each label, or of all cells."""
        axis = {"sample": 1, "label": 0, "all": 1}.get(self.unit)
        return counts.count(Data(self.truth, self.prediction), axis=axis)

    def parts(self) -> Parts:
        """Part and whole for each sample, of a metric that reads scores."""
        formula = self.record.formula(self.options, self.truth.shape[1])
        data, ties = Data(self.truth, self.prediction), self.options["ties"]
        part, whole = ordering.parts_per_sample([formula], data, ties)[0]
        return part, whole

    def mean(self, part: Matrix, whole: Any) -> float:
        """Divide, and average as the metric does; where the whole is 0, the value is 0."""
        values = counts.safe_divide(part, np.broadcast_to(whole, np.shape(part)), 0.0)
        average = self.options.get("average", "macro")
        if average == "weighted":
            return float(counts.average_labels(values, self.truth.sum(axis=0), average))
        return float(values.mean())


SlipsByMetric = tuple[tuple[Callable[[Task], bool], dict[str, Callable[[Task], Any]]], ...]
"""To which metrics slips can happen; and what each says, with the number that it makes."""


def reads_as(*formulas: Callable[..., object]) -> Callable[[Task], bool]:
    """Whether the metric of a task is one of these formulas."""
    return lambda task: task.record.parts in formulas
