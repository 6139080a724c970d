"""Slips with scores: the wrong order, the wrong rank, and hits divided by something else."""

from collections.abc import Callable
from functools import partial

import numpy as np

from mlm_helpers import curves, ordering, ranking
from mlm_helpers.conventions.quantities import any_tie
from mlm_helpers.course.practice.slips.task import Matrix, Task, reads_as


def reads_scores(task: Task) -> bool:
    """Whether the metric reads scores."""
    return task.record.reads == "y_score"


def has_parts(task: Task) -> bool:
    """Whether the metric divides for each sample."""
    return reads_scores(task) and task.record.parts is not None


def computes(*functions: Callable[..., object]) -> Callable[[Task], bool]:
    """Whether the metric is one of these functions."""
    return lambda task: task.record.function in functions


def ascending(task: Task) -> float:
    """Ranks from the lowest score up."""
    return task.value(other=-task.other)


def pooled(task: Task) -> float:
    """All parts divided by all wholes."""
    part, whole = task.parts()
    return float(part.sum() / whole.sum())


def part_by(whole: Callable[[Task], Matrix]) -> Callable[[Task], float]:
    """The part of each sample divided by another whole."""
    return lambda task: task.mean(task.parts()[0], whole(task))


def n_labels(task: Task) -> Matrix:
    """How many labels there are."""
    return np.full(len(task.truth), task.truth.shape[1])


def n_relevant(task: Task) -> Matrix:
    """How many labels of each sample are relevant."""
    return np.asarray(task.truth.sum(axis=1))


def n_reachable(task: Task) -> Matrix:
    """How many hits there can be among the first k."""
    return np.asarray(np.minimum(n_relevant(task), task.settings["k"]))


def all_pairs(task: Task) -> Matrix:
    """How many pairs any labels make."""
    count = n_labels(task)
    return np.asarray(count * (count - 1) // 2)


def undivided(task: Task) -> Matrix:
    """The whole is 1."""
    return np.ones(len(task.truth))


def _of_ranks(read: Callable[[Matrix], float]) -> Callable[[Task], float]:
    """The mean of what is read off the ranks of each sample's relevant labels."""

    def number(task: Task) -> float:
        every = ranking.ranks(task.other, ties=task.settings["ties"])
        each = (np.sort(ranks[truth == 1]) for ranks, truth in zip(every, task.truth, strict=True))
        return float(np.mean([read(ranks) if len(ranks) else 0.0 for ranks in each]))

    return number


first_relevant = _of_ranks(lambda ranks: ranks[0])
mean_rank = _of_ranks(lambda ranks: ranks.mean())
one_by_rank = _of_ranks(lambda ranks: (1 / ranks).mean())
one_by_first = _of_ranks(lambda ranks: 1 / ranks[0])
precision_at_last = _of_ranks(lambda ranks: len(ranks) / ranks[-1])


def of_columns(slip: Callable[[Task], float]) -> Callable[[Task], float]:
    """A slip that reads rows, of each label's samples."""

    def number(task: Task) -> float:
        metric = partial(ranking.average_precision, ties=task.settings["ties"])
        return slip(Task(metric, task.truth.T, task.other.T))

    return number


def straight_lines(task: Task) -> float:
    """The area under straight lines between the points of precision and recall."""
    areas = []
    for truth, score in zip(task.truth.T, task.other.T, strict=True):
        points = curves.precision_recall(truth, score)
        precision, recall = np.append(1, points.precision), np.append(0, points.recall)
        areas.append(np.sum(np.diff(recall) * (precision[1:] + precision[:-1]) / 2))
    return float(np.mean(areas))


def _gain(
    discount: Callable[[Matrix], Matrix], best: Callable[[int, int], int]
) -> Callable[[Task], float]:
    """Discounted hits among the first k, divided by those of so many hits at the top."""

    def number(task: Task) -> float:
        k, values = task.settings["k"], []
        if any_tie(task.other):
            raise ValueError("tied labels have no places of their own")
        for truth, score in zip(task.truth, task.other, strict=True):
            order = truth[np.argsort(-score)]
            worth = discount(np.arange(1, len(order) + 1))
            most = worth[: best(k, int(order.sum()))].sum()
            values.append((order[:k] * worth[:k]).sum() / most if most else 0.0)
        return float(np.mean(values))

    return number


def _usual(place: Matrix) -> Matrix:
    return np.asarray(1 / np.log2(place + 1))


best_full = _gain(_usual, lambda k, relevant: k)
best_uncut = _gain(_usual, lambda k, relevant: relevant)
late_discount = _gain(lambda place: 1 / np.log2(np.maximum(place, 2)), min)
by_rank = _gain(lambda place: 1 / place, min)

COVERAGE, PAIRS, AVERAGE_PRECISION = (
    reads_as(ordering.coverage),
    reads_as(ordering.ranking_loss),
    reads_as(ordering.average_precision),
)
AT_K, GAIN = reads_as(ordering.precision_at, ordering.recall_at), reads_as(ordering.ndcg_at)
CURVE_AP = computes(curves.average_precision)
