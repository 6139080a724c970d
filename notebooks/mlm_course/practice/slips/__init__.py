"""The usual slips: each a sentence and the numbers that it makes."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from mlm_course.practice.slips import rank_slips, set_slips
from mlm_course.practice.slips.task import Matrix, NumbersByPlace, SlipsByMetric, Task
from mlm_helpers.catalogue import MetricFunction

__all__ = ["SLIPS", "Slip", "Task"]


class Slip(NamedTuple):
    """One way to go wrong.

    Attributes
    ----------
    description : what is done, to stand behind "if"
    compute : the number that it makes of a `Task`; or, where it happens in one place or another, each
        place with its number
    applies_to : whether it can happen to the metric of a `Task`
    has_places : whether it happens in one place or another
    """

    description: str
    compute: Callable[[Task], Any]
    applies_to: Callable[[Task], bool]
    has_places: bool

    def numbers(self, metric: MetricFunction, truth: Matrix, other: Matrix) -> Any:
        """The number that it makes of a metric, or each place where it can happen with its number."""
        number = self.compute(Task(metric, truth, other))
        return list(number) if self.has_places else number


def _has_average(task: Task) -> bool:
    return task.unit != ""


def _sum(task: Task) -> float:
    return float(np.nansum(task.unit_values()))


def _left_out(task: Task, noun: str, axis: int) -> NumbersByPlace:
    """The metric of all samples, or of all labels, but one."""
    for i in range(task.truth.shape[axis]):
        left = np.delete(task.truth, i, axis), np.delete(task.prediction, i, axis)
        yield f"{noun} {i + 1}", task.value(*left)


_ANYWHERE: SlipsByMetric = (
    (lambda task: task.record.range == (0, 1), {
        "the value is taken from 1": lambda task: 1 - task.value(),
    }),
    (lambda task: task.record.reads == "y_score", {
        "the scores are put in order from the lowest up": lambda task: task.value(prediction=-task.prediction),
    }),
    (_has_average, {
        "the matrix is read along the other side, samples for labels":
            lambda task: task.value(task.truth.T, task.prediction.T),
    }),
    (lambda task: task.is_mean, {
        "the values are added up, and not divided by their number": _sum,
        "the sum is divided by the number on the other side of the matrix":
            lambda task: _sum(task) / task.truth.shape[1 if task.unit == "sample" else 0],
    }),
    *set_slips.ANYWHERE,
    *rank_slips.ANYWHERE,
)  # fmt: skip
_IN_PLACES: SlipsByMetric = (
    *set_slips.IN_PLACES,
    (lambda task: True, {"one sample is left out": lambda task: _left_out(task, "sample", 0)}),
    (lambda task: task.record.unit == "label", {
        "one label is left out": lambda task: _left_out(task, "label", 1),
    }),
    (_has_average, {
        "only one value is taken": lambda task: (
            (f"{task.unit} {i}", float(value)) for i, value in enumerate(task.unit_values(), start=1)
        ),
    }),
)  # fmt: skip
SLIPS = tuple(
    Slip(says, number, fits, in_places)
    for in_places, kinds in ((False, _ANYWHERE), (True, _IN_PLACES))
    for fits, slips in kinds
    for says, number in slips.items()
)
"""Every slip; those that can happen in one place or another come last."""
