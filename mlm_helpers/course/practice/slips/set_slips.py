"""Slips with set metrics: cells that are miscounted, and hits divided by something else."""

from collections.abc import Callable

import numpy as np

from mlm_helpers import counts
from mlm_helpers.course.practice.slips.general import Placed
from mlm_helpers.course.practice.slips.task import Matrix, Task, reads_as

Cell = tuple[int, int]
HIT, ALARM, MISS, LEFT_OUT = (1, 1), (0, 1), (1, 0), (0, 0)
"""What a cell is: its truth, and what is predicted."""


def reads_sets(task: Task) -> bool:
    """Whether the metric reads predictions."""
    return task.record.reads == "y_pred"


def has_beta(task: Task) -> bool:
    """Whether the metric has a β."""
    return "beta" in task.settings


is_f1, is_hamming = reads_as(counts.f1), reads_as(counts.wrong)
counts_hits = reads_as(counts.precision, counts.recall, counts.jaccard, counts.f1, counts.fbeta)


def all_as(before: Cell, after: Cell) -> Callable[[Task], float]:
    """All cells of a kind counted as another."""

    def number(task: Task) -> float:
        cells = _cells(task, before)
        return task.value(*_changed(task, cells, after))

    return number


def one_as(before: Cell, after: Cell) -> Callable[[Task], Placed]:
    """One cell of a kind counted as another."""

    def numbers(task: Task) -> Placed:
        for i, j in np.argwhere(_cells(task, before)):
            cell = np.zeros(task.truth.shape, dtype=bool)
            cell[i, j] = True
            yield _place(task, i, j), task.value(*_changed(task, cell, after))

    return numbers


def hit_twice(task: Task) -> Placed:
    """One hit counted twice."""
    for i, j in np.argwhere(_cells(task, HIT)):
        # A hit more is a column, or for labels a row, that has only it.
        truth = np.zeros((1, task.truth.shape[1]) if task.unit == "label" else (len(task.truth), 1))
        truth[(0, j) if task.unit == "label" else (i, 0)] = 1
        axis = 0 if task.unit == "label" else 1
        both = (np.concatenate([m, truth.astype(int)], axis) for m in (task.truth, task.other))
        yield _place(task, i, j), task.value(*both)


def by_all_labels(task: Task) -> float:
    """Hits divided by all cells."""
    c = task.counts()
    return task.mean(c.tp, c.tp + c.fp + c.fn + c.tn)


def hits_once(task: Task) -> float:
    """Hits, not 2 × hits, divided by true + predicted."""
    c = task.counts()
    return task.mean(c.tp, 2 * c.tp + c.fp + c.fn)


def arithmetic_mean(task: Task) -> float:
    """The mean of precision and recall, where F1 is their harmonic mean."""
    c = task.counts()
    precision, recall = (
        counts.divided(*ratio(c), 0.0) for ratio in (counts.precision, counts.recall)
    )
    return task.mean((precision + recall) / 2, np.ones_like(precision))


def beta_the_other_way(task: Task) -> float:
    """1/β for β: precision weighed for recall."""
    return task.value(beta=1 / task.settings["beta"])


def beta_not_squared(task: Task) -> float:
    """β for β²."""
    return task.value(beta=task.settings["beta"] ** 0.5)


def fbeta_of_means(task: Task) -> float:
    """Fβ of the mean precision and the mean recall, where it is the mean of the Fβ."""
    c, square = task.counts(), task.settings["beta"] ** 2
    precision, recall = (task.mean(*ratio(c)) for ratio in (counts.precision, counts.recall))
    return float((1 + square) * precision * recall / (square * precision + recall))


def wrong_by_named(task: Task) -> float:
    """Wrong cells divided by the labels that are true or predicted."""
    c = task.counts()
    return task.mean(c.fp + c.fn, c.tp + c.fp + c.fn)


def wrong_by_samples(task: Task) -> float:
    """Wrong cells divided by the samples alone."""
    return float((task.truth != task.other).sum() / len(task.truth))


def _cells(task: Task, kind: Cell) -> Matrix:
    return np.asarray((task.truth == kind[0]) & (task.other == kind[1]))


def _changed(task: Task, cells: Matrix, after: Cell) -> tuple[Matrix, Matrix]:
    return np.where(cells, after[0], task.truth), np.where(cells, after[1], task.other)


def _place(task: Task, i: int, j: int) -> str:
    return {"sample": f"sample {i + 1}", "label": f"label {j + 1}"}.get(task.unit, "")
