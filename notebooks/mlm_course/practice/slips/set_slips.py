"""Slips with set metrics: cells that are miscounted, and hits divided by something else."""

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from mlm_course.practice.slips.task import Matrix, NumbersByPlace, SlipsByMetric, Task, reads_as
from mlm_helpers._core import counts
from mlm_helpers._core.counts import Counts

Cell = tuple[int, int]
HIT, ALARM, MISS, LEFT_OUT = (1, 1), (0, 1), (1, 0), (0, 0)
"""What a cell is: its truth, and what is predicted."""


def _reads_sets(task: Task) -> bool:
    return task.record.reads == "y_pred"


_counts_hits = reads_as(counts.precision, counts.recall, counts.jaccard, counts.f1, counts.fbeta)


def _cells(task: Task, kind: Cell) -> Iterator[tuple[int, int, str]]:
    """Row and column of the cells of a kind, and the sample or label in which each counts."""
    for i, j in np.argwhere((task.truth == kind[0]) & (task.prediction == kind[1])):
        yield i, j, {"sample": f"sample {i + 1}", "label": f"label {j + 1}"}.get(task.unit, "")


def _value(task: Task, cells: Iterable[tuple[int, int, str]], after: Cell) -> float:
    """The metric if these cells were of another kind."""
    truth, other = task.truth.copy(), task.prediction.copy()
    for i, j, _ in cells:
        truth[i, j], other[i, j] = after
    return task.value(truth, other)


def _all_as(before: Cell, after: Cell) -> Callable[[Task], float]:
    """All cells of a kind counted as another."""
    return lambda task: _value(task, _cells(task, before), after)


def _one_as(before: Cell, after: Cell) -> Callable[[Task], NumbersByPlace]:
    """One cell of a kind counted as another."""
    return lambda task: ((cell[-1], _value(task, [cell], after)) for cell in _cells(task, before))


def _ratio(formula: Callable[[Counts], tuple[Matrix, Matrix]]) -> Callable[[Task], float]:
    """Another ratio of the four counts."""
    return lambda task: task.mean(*formula(task.counts()))


def _arithmetic_mean(task: Task) -> float:
    """The mean of precision and recall, where F1 is their harmonic mean."""
    ratios = counts.precision, counts.recall
    precision, recall = (counts.safe_divide(*ratio(task.counts()), 0.0) for ratio in ratios)
    return task.mean(precision + recall, 2)


ANYWHERE: SlipsByMetric = (
    (_reads_sets, {
        "false alarms are not counted": _all_as(ALARM, LEFT_OUT),
        "misses are not counted": _all_as(MISS, LEFT_OUT),
    }),
    (_counts_hits, {
        "what is rightly left out counts as a hit": _all_as(LEFT_OUT, HIT),
        "the hits are divided by all cells": _ratio(lambda c: (c.tp, c.tp + c.fp + c.fn + c.tn)),
    }),
    (reads_as(counts.f1), {
        "the hits are counted once above and twice below":
            _ratio(lambda c: (c.tp, 2 * c.tp + c.fp + c.fn)),
        "the mean of precision and recall is taken, not their harmonic mean": _arithmetic_mean,
    }),
    (lambda task: "beta" in task.options, {
        "β weighs precision, not recall": lambda task: task.value(beta=1 / task.options["beta"]),
        "β is not squared": lambda task: task.value(beta=task.options["beta"] ** 0.5),
    }),
    (reads_as(counts.hamming_loss), {
        "the wrong cells are divided by the labels that are true or predicted":
            _ratio(lambda c: (c.fp + c.fn, c.tp + c.fp + c.fn)),
        "the wrong cells are divided by the number of samples alone":
            lambda task: float((task.truth != task.prediction).sum() / len(task.truth)),
    }),
)  # fmt: skip
IN_PLACES: SlipsByMetric = (
    (_reads_sets, {
        "one false alarm is counted as a miss": _one_as(ALARM, MISS),
        "one miss is counted as a false alarm": _one_as(MISS, ALARM),
        "one false alarm is overlooked": _one_as(ALARM, LEFT_OUT),
        "one miss is overlooked": _one_as(MISS, LEFT_OUT),
        "one hit is overlooked": _one_as(HIT, LEFT_OUT),
        "one false alarm is counted as a hit": _one_as(ALARM, HIT),
        "one miss is counted as a hit": _one_as(MISS, HIT),
    }),
)  # fmt: skip
