"""Slips with metrics of scores: wrong ranks, discounts and denominators."""

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from mlm_course.practice.slips.task import Matrix, SlipsByMetric, Task, has_formula
from mlm_helpers import curves, ranking
from mlm_helpers._core import ordering
from mlm_helpers.conventions.quantities import has_ties


def _ratio_of_sums(task: Task) -> float:
    """The sum of the samples' numerators divided by the sum of their denominators."""
    numerators, denominators = task.ratios()
    return float(numerators.sum() / denominators.sum())


def _divided_by(denominator: Callable[[Task], Any]) -> Callable[[Task], float]:
    """The slip that divides each sample's numerator by another denominator."""
    return lambda task: task.mean_ratio(task.ratios()[0], denominator(task))


_by_n_labels = _divided_by(lambda task: task.truth.shape[1])
_undivided = _divided_by(lambda task: 1)


def _mean_over_ranks(statistic: Callable[[Matrix], float]) -> Callable[[Task], float]:
    """The slip that averages a statistic of each sample's relevant ranks (ascending), or 0."""

    def mean_statistic(task: Task) -> float:
        ranks = ranking.ranks(task.prediction, ties=task.options["ties"])
        relevant = (np.sort(row[truth == 1]) for row, truth in zip(ranks, task.truth, strict=True))
        return float(np.mean([statistic(row) if len(row) else 0.0 for row in relevant]))

    return mean_statistic


_mean_reciprocal_rank = _mean_over_ranks(lambda ranks: (1 / ranks).mean())


def _mean_reciprocal_rank_of_labels(task: Task) -> float:
    """The mean of 1/rank over a label's positive samples, averaged over the labels."""
    metric = partial(ranking.average_precision, ties=task.options["ties"])
    return _mean_reciprocal_rank(Task(metric, task.truth.T, task.prediction.T))


def _area_of_trapezoids(task: Task) -> float:
    """The area under straight lines between the points of a label's precision-recall curve."""
    areas = []
    for truth, score in zip(task.truth.T, task.prediction.T, strict=True):
        points = curves.precision_recall(truth, score)
        precision, recall = np.append(1, points.precision), np.append(0, points.recall)
        areas.append(np.sum(np.diff(recall) * (precision[1:] + precision[:-1]) / 2))
    return float(np.mean(areas))


def _ndcg(
    discount: Callable[[Matrix], Matrix], n_best: Callable[[int, int], int]
) -> Callable[[Task], float]:
    """The slip of nDCG with another discount, or with ``n_best(k, n_relevant)`` hits at best."""

    def mean_ndcg(task: Task) -> float:
        if has_ties(task.prediction):
            raise ValueError("tied labels have no places of their own")
        k, order = task.options["k"], np.argsort(-task.prediction)
        hits = np.take_along_axis(task.truth, order, axis=1)
        discounts = discount(np.arange(1, hits.shape[1] + 1))
        dcg = (hits * discounts)[:, :k].sum(axis=1)
        best_dcg = [discounts[: n_best(k, n_relevant)].sum() for n_relevant in hits.sum(axis=1)]
        return task.mean_ratio(dcg, np.array(best_dcg))

    return mean_ndcg


def _log_discount(place: Matrix) -> Matrix:
    """The discount of nDCG, 1 / log2(place + 1)."""
    return np.asarray(1 / np.log2(place + 1))


WITHOUT_PLACES: SlipsByMetric = (
    (lambda task: task.record.reads == "y_score" and task.record.formula is not None, {
        "all samples are pooled before dividing": _ratio_of_sums,
    }),
    (has_formula(ordering.coverage), {
        "the first relevant label is read, not the last": _mean_over_ranks(lambda ranks: ranks[0]),
        "the ranks of the relevant labels are averaged":
            _mean_over_ranks(lambda ranks: ranks.mean()),
        "the rank is divided by the number of labels": _by_n_labels,
    }),
    (has_formula(ordering.ranking_loss), {
        "the wrong pairs are divided by all pairs of labels":
            _divided_by(lambda task: math.comb(task.truth.shape[1], 2)),
        "the wrong pairs are divided by the number of labels": _by_n_labels,
        "the wrong pairs are divided by the relevant labels alone":
            _divided_by(lambda task: task.truth.sum(axis=1)),
        "the wrong pairs are counted, and not divided": _undivided,
    }),
    (has_formula(ordering.average_precision), {
        "1 is divided by each rank, whatever is relevant above": _mean_reciprocal_rank,
        "only the first relevant label is read": _mean_over_ranks(lambda ranks: 1 / ranks[0]),
        "the share is read at the last relevant label alone":
            _mean_over_ranks(lambda ranks: len(ranks) / ranks[-1]),
        "the shares are divided by the number of labels": _by_n_labels,
    }),
    (has_formula(ordering.precision_at, ordering.recall_at), {
        "the hits are divided by the number of labels": _by_n_labels,
        "the hits are divided by as many as there can be":
            _divided_by(lambda task: np.minimum(task.truth.sum(axis=1), task.options["k"])),
        "the hits are counted, and not divided": _undivided,
    }),
    (has_formula(ordering.ndcg_at), {
        "it is not divided by the best order": _undivided,
        "the best order has k hits, however few are relevant":
            _ndcg(_log_discount, lambda k, n_relevant: k),
        "the best order is not cut off at k":
            _ndcg(_log_discount, lambda k, n_relevant: n_relevant),
        "a hit is divided by the logarithm of its place, not of its place + 1":
            _ndcg(lambda place: 1 / np.log2(np.maximum(place, 2)), min),
        "a hit is divided by its place, without a logarithm": _ndcg(lambda place: 1 / place, min),
    }),
    (lambda task: task.record.function is curves.average_precision and task.is_mean, {
        "1 is divided by each rank, whatever is positive above": _mean_reciprocal_rank_of_labels,
        "the points of the curve are joined by straight lines": _area_of_trapezoids,
    }),
)  # fmt: skip
