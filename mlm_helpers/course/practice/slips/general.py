"""Slips that any metric invites: in the mean, in the direction, and in what is left out."""

from collections.abc import Iterator

import numpy as np

from mlm_helpers.course.practice.slips.task import Task

Placed = Iterator[tuple[str, float]]
"""Where a slip can happen, and the number it makes there."""


def is_share(task: Task) -> bool:
    """Whether the metric lies between 0 and 1."""
    return task.record.range == (0, 1)


def is_mean(task: Task) -> bool:
    """Whether values are averaged that all weigh the same."""
    return task.unit == "sample" or task.settings.get("average") == "macro"


def one_minus(task: Task) -> float:
    """1 minus the value: errors for hits, or hits for errors."""
    return 1 - task.value()


def added_up(task: Task) -> float:
    """The sum of the values, not their mean."""
    return float(np.nansum(task.each()))


def by_the_other_number(task: Task) -> float:
    """The sum of the samples' values divided by the number of labels, or the other way round."""
    other_axis = 1 if task.unit == "sample" else 0
    return added_up(task) / int(task.truth.shape[other_axis])


def turned(task: Task) -> float:
    """The same metric of the matrix turned: samples for labels."""
    return task.value(task.truth.T, task.other.T)


def one_left_out(task: Task) -> Placed:
    """The metric of all samples but one."""
    for i in range(len(task.truth)):
        left = np.delete(task.truth, i, axis=0), np.delete(task.other, i, axis=0)
        yield f"sample {i + 1}", task.value(*left)


def label_left_out(task: Task) -> Placed:
    """The metric of all labels but one."""
    for j in range(task.truth.shape[1]):
        left = np.delete(task.truth, j, axis=1), np.delete(task.other, j, axis=1)
        yield f"label {j + 1}", task.value(*left)


def one_not_added(task: Task) -> Placed:
    """The mean with one value forgotten in the sum, yet counted in the number."""
    each = task.each()
    for i, value in enumerate(each):
        yield f"{task.unit} {i + 1}", float(np.nansum(each) - value) / np.sum(~np.isnan(each))


def one_alone(task: Task) -> Placed:
    """The value of one sample, or label."""
    for i, value in enumerate(task.each()):
        yield f"{task.unit} {i + 1}", float(value)
