"""Usual slips in computing a metric by hand, each with the number to which it leads."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from mlm_course.practice.slips import rank_slips, set_slips
from mlm_course.practice.slips.task import Matrix, NumbersByPlace, SlipsByMetric, Task
from mlm_helpers.catalogue.metric import MetricFunction

__all__ = ["SLIPS", "Slip", "Task"]


class Slip(NamedTuple):
    """A mistake in computing a metric by hand.

    Attributes
    ----------
    description : the mistake, as the end of a sentence with "if"
    compute : the number to which the slip leads in a `Task`, or an iterator over (place, number)
    applies_to : whether the slip can happen with the metric of a `Task`
    has_places : whether the slip can happen in several places, such as samples, each with a number
    """

    description: str
    compute: Callable[[Task], Any]
    applies_to: Callable[[Task], bool]
    has_places: bool

    def numbers(self, metric: MetricFunction, y_true: Matrix, y_pred: Matrix) -> Any:
        """The number to which the slip leads, or a list of (place, number)."""
        number = self.compute(Task(metric, y_true, y_pred))
        return list(number) if self.has_places else number


def _is_not_micro(task: Task) -> bool:
    """Whether the metric is not a micro average, which counts all cells of the matrix together."""
    return task.unit != ""


def _sum_of_values(task: Task) -> float:
    """The sum of the values that are averaged; undefined ones are left out."""
    return float(np.nansum(task.values()))


def _without_one(task: Task, noun: str, axis: int) -> NumbersByPlace:
    """The metric without the first sample or label, without the second one, and so on."""
    for i in range(task.truth.shape[axis]):
        reduced = np.delete(task.truth, i, axis), np.delete(task.prediction, i, axis)
        yield f"{noun} {i + 1}", task.value(*reduced)


_WITHOUT_PLACES: SlipsByMetric = (
    (lambda task: task.record.range == (0, 1), {
        "the value is taken from 1": lambda task: 1 - task.value(),
    }),
    (lambda task: task.record.reads == "y_score", {
        "the scores are put in order from the lowest up":
            lambda task: task.value(prediction=-task.prediction),
    }),
    (_is_not_micro, {
        "the matrix is read along the other side, samples for labels":
            lambda task: task.value(task.truth.T, task.prediction.T),
    }),
    (lambda task: task.is_mean, {
        "the values are added up, and not divided by their number": _sum_of_values,
        "the sum is divided by the number on the other side of the matrix":
            lambda task: _sum_of_values(task) / task.truth.shape[1 if task.unit == "sample" else 0],
    }),
    *set_slips.WITHOUT_PLACES,
    *rank_slips.WITHOUT_PLACES,
)  # fmt: skip
_WITH_PLACES: SlipsByMetric = (
    *set_slips.WITH_PLACES,
    (lambda task: True, {
        "one sample is left out": lambda task: _without_one(task, "sample", axis=0),
    }),
    (lambda task: task.record.unit == "label", {
        "one label is left out": lambda task: _without_one(task, "label", axis=1),
    }),
    (_is_not_micro, {
        "only one value is taken": lambda task: (
            (f"{task.unit} {i}", float(value)) for i, value in enumerate(task.values(), start=1)
        ),
    }),
)  # fmt: skip
SLIPS = tuple(
    Slip(description, compute, applies_to, has_places)
    for has_places, groups in ((False, _WITHOUT_PLACES), (True, _WITH_PLACES))
    for applies_to, slips in groups
    for description, compute in slips.items()
)
"""All slips; those with places come last."""
