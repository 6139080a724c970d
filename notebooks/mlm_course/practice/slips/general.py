"""Slips that any metric invites: in the mean, in the direction, and in what is left out."""

import numpy as np

from mlm_course.practice.slips.task import Kinds, Placed, Task


def _has_average(task: Task) -> bool:
    return task.unit != ""


def _sum(task: Task) -> float:
    return float(np.nansum(task.each()))


def _left_out(task: Task, noun: str, axis: int) -> Placed:
    """The metric of all samples, or of all labels, but one."""
    for i in range(task.truth.shape[axis]):
        left = np.delete(task.truth, i, axis), np.delete(task.other, i, axis)
        yield f"{noun} {i + 1}", task.value(*left)


def _one_not_added(task: Task) -> Placed:
    """The mean with one value forgotten in the sum, yet counted in the number."""
    each = task.each()
    for i, value in enumerate(each, start=1):
        yield f"{task.unit} {i}", float(np.nansum(each) - value) / np.sum(~np.isnan(each))


ANYWHERE: Kinds = (
    (lambda task: task.record.range == (0, 1), {
        "the value is taken from 1": lambda task: 1 - task.value(),
    }),
    (lambda task: task.record.reads == "y_score", {
        "the scores are put in order from the lowest up": lambda task: task.value(other=-task.other),
    }),
    (_has_average, {
        "the matrix is read along the other side, samples for labels":
            lambda task: task.value(task.truth.T, task.other.T),
    }),
    (lambda task: task.is_mean, {
        "the values are added up, and not divided by their number": _sum,
        "the sum is divided by the number on the other side of the matrix":
            lambda task: _sum(task) / task.truth.shape[1 if task.unit == "sample" else 0],
    }),
)  # fmt: skip
IN_PLACES: Kinds = (
    (lambda task: True, {"one sample is left out": lambda task: _left_out(task, "sample", 0)}),
    (lambda task: task.record.along == "label", {
        "one label is left out": lambda task: _left_out(task, "label", 1),
    }),
    (lambda task: task.is_mean, {
        "one value is not added, yet counted in the mean": _one_not_added,
    }),
    (_has_average, {
        "only one value is taken": lambda task: (
            (f"{task.unit} {i}", float(value)) for i, value in enumerate(task.each(), start=1)
        ),
    }),
)  # fmt: skip
