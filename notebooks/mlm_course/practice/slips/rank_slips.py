"""Slips with scores: the wrong rank, and hits divided by something else."""

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from mlm_course.practice.slips.task import Matrix, SlipsByMetric, Task, reads_as
from mlm_helpers import curves, ranking
from mlm_helpers._core import ordering
from mlm_helpers.conventions.quantities import has_ties


def _pooled(task: Task) -> float:
    """All parts divided by all wholes."""
    part, whole = task.parts()
    return float(part.sum() / whole.sum())


def _part_by(whole: Callable[[Task], Any]) -> Callable[[Task], float]:
    """The part of each sample divided by another whole."""
    return lambda task: task.mean(task.parts()[0], whole(task))


_by_labels = _part_by(lambda task: task.truth.shape[1])
_undivided = _part_by(lambda task: 1)


def _of_ranks(read: Callable[[Matrix], float]) -> Callable[[Task], float]:
    """The mean of what is read off the ranks of each sample's relevant labels."""

    def number(task: Task) -> float:
        every = ranking.ranks(task.prediction, ties=task.options["ties"])
        each = (np.sort(ranks[truth == 1]) for ranks, truth in zip(every, task.truth, strict=True))
        return float(np.mean([read(ranks) if len(ranks) else 0.0 for ranks in each]))

    return number


_one_by_rank = _of_ranks(lambda ranks: (1 / ranks).mean())


def _one_by_rank_of_columns(task: Task) -> float:
    """The same, read off each label's samples."""
    metric = partial(ranking.average_precision, ties=task.options["ties"])
    return _one_by_rank(Task(metric, task.truth.T, task.prediction.T))


def _straight_lines(task: Task) -> float:
    """The area under straight lines between the points of precision and recall."""
    areas = []
    for truth, score in zip(task.truth.T, task.prediction.T, strict=True):
        points = curves.precision_recall(truth, score)
        precision, recall = np.append(1, points.precision), np.append(0, points.recall)
        areas.append(np.sum(np.diff(recall) * (precision[1:] + precision[:-1]) / 2))
    return float(np.mean(areas))


def _gain(
    discount: Callable[[Matrix], Matrix], best: Callable[[int, int], int]
) -> Callable[[Task], float]:
    """Discounted hits among the first k, divided by those of so many hits at the top."""

    def number(task: Task) -> float:
        if has_ties(task.prediction):
            raise ValueError("tied labels have no places of their own")
        k, order = task.options["k"], np.argsort(-task.prediction)
        hits = np.take_along_axis(task.truth, order, axis=1)
        gains = discount(np.arange(1, hits.shape[1] + 1))
        most = [gains[: best(k, n_relevant)].sum() for n_relevant in hits.sum(axis=1)]
        return task.mean((hits * gains)[:, :k].sum(axis=1), np.array(most))

    return number


def _usual(place: Matrix) -> Matrix:
    return np.asarray(1 / np.log2(place + 1))


ANYWHERE: SlipsByMetric = (
    (lambda task: task.record.reads == "y_score" and task.record.parts is not None, {
        "all samples are pooled before dividing": _pooled,
    }),
    (reads_as(ordering.coverage), {
        "the first relevant label is read, not the last": _of_ranks(lambda ranks: ranks[0]),
        "the ranks of the relevant labels are averaged": _of_ranks(lambda ranks: ranks.mean()),
        "the rank is divided by the number of labels": _by_labels,
    }),
    (reads_as(ordering.ranking_loss), {
        "the wrong pairs are divided by all pairs of labels":
            _part_by(lambda task: math.comb(task.truth.shape[1], 2)),
        "the wrong pairs are divided by the number of labels": _by_labels,
        "the wrong pairs are divided by the relevant labels alone":
            _part_by(lambda task: task.truth.sum(axis=1)),
        "the wrong pairs are counted, and not divided": _undivided,
    }),
    (reads_as(ordering.average_precision), {
        "1 is divided by each rank, whatever is relevant above": _one_by_rank,
        "only the first relevant label is read": _of_ranks(lambda ranks: 1 / ranks[0]),
        "the share is read at the last relevant label alone":
            _of_ranks(lambda ranks: len(ranks) / ranks[-1]),
        "the shares are divided by the number of labels": _by_labels,
    }),
    (reads_as(ordering.precision_at, ordering.recall_at), {
        "the hits are divided by the number of labels": _by_labels,
        "the hits are divided by as many as there can be":
            _part_by(lambda task: np.minimum(task.truth.sum(axis=1), task.options["k"])),
        "the hits are counted, and not divided": _undivided,
    }),
    (reads_as(ordering.ndcg_at), {
        "it is not divided by the best order": _undivided,
        "the best order has k hits, however few are relevant":
            _gain(_usual, lambda k, relevant: k),
        "the best order is not cut off at k": _gain(_usual, lambda k, relevant: relevant),
        "a hit is divided by the logarithm of its place, not of its place + 1":
            _gain(lambda place: 1 / np.log2(np.maximum(place, 2)), min),
        "a hit is divided by its place, without a logarithm": _gain(lambda place: 1 / place, min),
    }),
    (lambda task: task.record.function is curves.average_precision and task.is_mean, {
        "1 is divided by each rank, whatever is positive above": _one_by_rank_of_columns,
        "the points of the curve are joined by straight lines": _straight_lines,
    }),
)  # fmt: skip
