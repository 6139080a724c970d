"""A data set of which each matrix is counted, and each row and column sorted, once for many metrics."""

import math
from collections.abc import Callable
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlm_helpers import catalogue
from mlm_helpers._core import columns, counts, inputs, ordering
from mlm_helpers._core.counts import Counts
from mlm_helpers._core.inputs import Data, FloatArray

Matrix = NDArray[Any]


class CachedData:
    """Truth and the matrix beside it, with all values of metrics that were read off them."""

    def __init__(self, truth: Matrix, other: Matrix) -> None:
        self.truth, self.prediction = truth, other
        self._kept: dict[Any, Any] = {}

    @classmethod
    def of_counts(cls, rows: Counts, labels: Counts) -> "CachedData":
        """Label sets of which only the counts are known."""
        data = cls(np.empty(0), np.empty(0))
        data.rows, data.labels, data.support = rows, labels, labels.tp + labels.fn
        return data

    @cached_property
    def rows(self) -> Counts:
        """The counts of each sample."""
        return counts.count(Data(self.truth, self.prediction), axis=1)

    @cached_property
    def labels(self) -> Counts:
        """The counts of each label."""
        return counts.count(Data(self.truth, self.prediction), axis=0)

    @cached_property
    def support(self) -> NDArray[Any]:
        """The number of positives of each label."""
        return np.asarray(self.truth.sum(axis=0))

    def once(self, key: Any, make: Callable[[], Any]) -> Any:
        """Make something where it is first asked for, and keep it."""
        if key not in self._kept:
            self._kept[key] = make()
        return self._kept[key]

    def value(self, metric: Any, **options: Any) -> float:
        """The number that ``metric(truth, other, **options)`` returns."""
        if metric.args:  # a derived number, made of the values of metrics
            return float(metric.args[0](self, **metric.keywords, **options))
        average = {**metric.keywords, **options}.get("average", "macro")
        return float(counts.average_labels(self.values(metric, **options), self.support, average))

    def values(self, metric: Any, **options: Any) -> FloatArray:
        """The values that a metric averages: of samples or labels, or under micro of all cells."""
        record = catalogue.record_of(metric)
        chosen = {**record.defaults, **metric.keywords, **options}
        average = "micro" if chosen.get("average") == "micro" else None
        if record.reads == "y_pred":
            counted = self.rows if record.unit == "sample" else self.labels
            counted = pooled(counted) if average else counted
            zero_division = chosen.get("zero_division", math.nan)
            return counts.ratio(record.formula(chosen), counted, zero_division)
        own = {o: chosen[o] for o in (*record.parameters, "ties") if o in chosen}
        own |= {"per_sample": True} if record.unit == "sample" else {"average": average}
        if "undefined" in chosen:
            own["undefined"] = math.nan
        each: FloatArray = self.once((record, *own.items()), lambda: self._of_scores(record, own))
        return np.where(np.isnan(each), chosen.get("undefined", math.nan), each)

    def missing(self, metric: Any) -> NDArray[np.bool_]:
        """Which of these values are undefined."""
        rules = {"zero_division", "undefined"} & catalogue.record_of(metric).defaults.keys()
        return np.isnan(self.values(metric, **dict.fromkeys(rules, math.nan)))

    def _of_scores(self, record: catalogue.Metric, own: dict[str, Any]) -> FloatArray:
        """The values that a metric of scores returns; ties matter only where a true cell is tied."""
        ask, along = partial(record.function, **own), own.get("average") or record.unit
        if own.get("ties", "worst") == "worst" or inputs.is_sparse(self.prediction):
            return np.atleast_1d(ask(self.truth, self.prediction))
        worst = {**own, "ties": "worst"}
        if along == "micro" and (rule := own["ties"]) in ("first", "last"):
            cells = Data(self.truth, self.prediction)
            cells = self.once(rule, lambda: columns.break_ties_by_index(cells, rule))
            return np.atleast_1d(partial(record.function, **worst)(cells.truth, cells.prediction))
        values = self.once((record, *worst.items()), lambda: self._of_scores(record, worst)).copy()
        tied = self.once(along, lambda: _tied(along, self.truth, self.prediction))
        if tied.any():
            part = {"micro": slice(None), "sample": tied, "label": (slice(None), tied)}[along]
            values[tied] = ask(self.truth[part], self.prediction[part])
        return np.asarray(values)


def pooled(labels: Counts) -> Counts:
    """The counts of all labels together, as if they were one."""
    return Counts(*(each.sum(keepdims=True) for each in labels))


def as_two_classes(rows: Counts, labels: Counts, reads_tn: bool = False) -> CachedData:
    """Each label and its absence as two labels; where one of them does not occur, the other is both.

    For metrics that read true negatives, which are other metrics of the absence, it is the other way round.
    """
    tp, fp, fn, tn = labels
    both = np.array([[tp, fp, fn, tn], [tn, fn, fp, tp]])
    occurs = np.asarray(both[:, :3].any(axis=1, keepdims=True))
    counted = np.where(occurs[::-1] if reads_tn else occurs, both, both[::-1])
    data = CachedData.of_counts(rows, Counts(*counted.swapaxes(0, 1).reshape(4, -1)))
    data.support = (both[:, 0] + both[:, 2]).ravel()
    return data


def _tied(along: str, *matrices: Matrix) -> NDArray[np.bool_]:
    """Where a true cell has the score of another: its worst rank is not its best."""
    rows = [one.T if along == "label" else one for one in matrices]
    if along == "micro":
        rows = [one.reshape(1, -1) for one in matrices]
    ranks = [lambda rows: (rows.sum_per_sample(rows.rank), rows.n_relevant)]
    worst, best = (
        ordering.parts_per_sample(ranks, Data(*rows), ties) for ties in ("worst", "best")
    )
    return np.asarray(worst[0, 0] > best[0, 0])
