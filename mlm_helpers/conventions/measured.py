"""One data set, of which each matrix is counted, and each row and column sorted, once for many metrics."""

import math
from collections.abc import Callable, Mapping
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlm_helpers import catalogue
from mlm_helpers._core import counts, inputs, ordering
from mlm_helpers._core.counts import Counts, averaged, divided
from mlm_helpers._core.inputs import Data, FloatArray

Matrix = NDArray[Any]
_COLUMNS = 50


class Measured:
    """The values of metrics on a data set, each kept for the next convention or tool that asks for it.

    Attributes
    ----------
    truth, other : matrices of shape (n_samples, n_labels)
        As `inputs` reads them. Of label sets only ``rows`` and ``labels`` are read, their counts.
    """

    def __init__(self, truth: Matrix, other: Matrix) -> None:
        self.truth, self.other = truth, other
        self._kept: dict[Any, Any] = {}

    @classmethod
    def of_counts(cls, rows: Counts, labels: Counts) -> "Measured":
        """Label sets of which only the counts are known."""
        data = cls(np.empty(0), np.empty(0))
        data.rows, data.labels, data.support = rows, labels, labels.tp + labels.fn
        return data

    @cached_property
    def rows(self) -> Counts:
        """The counts of each sample."""
        return counts.count(Data(self.truth, self.other), axis=1)

    @cached_property
    def labels(self) -> Counts:
        """The counts of each label."""
        return counts.count(Data(self.truth, self.other), axis=0)

    @cached_property
    def n_relevant(self) -> NDArray[Any]:
        """The number of relevant labels of each sample."""
        return np.asarray(self.truth.sum(axis=1))

    @cached_property
    def support(self) -> NDArray[Any]:
        """The number of positives of each label."""
        return np.asarray(self.truth.sum(axis=0))

    @cached_property
    def columns(self) -> list["Measured"]:
        """The data of each label alone, of the first 50."""
        labels = range(min(self.truth.shape[1], _COLUMNS))
        return [Measured(self.truth[:, [j]], self.other[:, [j]]) for j in labels]

    def once(self, key: Any, make: Callable[[], Any]) -> Any:
        """Make something where it is first asked for, and keep it."""
        if key not in self._kept:
            self._kept[key] = make()
        return self._kept[key]

    def value(self, metric: Any, **options: Any) -> float:
        """The number that ``metric(truth, other, **options)`` returns."""
        if metric.args:  # a derived number, made of the values of metrics
            return float(metric.args[0](self, **metric.keywords, **options))
        record, chosen = _chosen(metric, options)
        if not can_be_counted(metric):
            return float(metric(self.truth, self.other, **options))
        values = self.values(metric, **options)
        if record.along == "sample":
            return counts.mean(values)
        support = self.support if chosen["average"] == "weighted" else values
        return float(averaged(values, support, chosen["average"]))

    def values(self, metric: Any, **options: Any) -> FloatArray:
        """The values that a metric averages: of samples or labels, or under micro of all cells."""
        record, chosen = _chosen(metric, options)
        each, filling = self.each(metric, **options), chosen.get("undefined")
        if "zero_division" in chosen:
            counted = self._counts(record, chosen)
            filling = counts.value_of_0_over_0(counted, chosen["zero_division"])
        return each if filling is None else np.where(np.isnan(each), filling, each)

    def each(self, metric: Any, **options: Any) -> FloatArray:
        """The same values, nan where one is undefined."""
        record, chosen = _chosen(metric, options)
        own = {o: chosen[o] for o in (*record.parameters, "ties", "undefined") if o in chosen}
        if "undefined" in own:
            own["undefined"] = math.nan
        is_micro = chosen.get("average") == "micro"
        along = {"average": "micro" if is_micro else None}
        own |= {"per_sample": True} if record.along == "sample" else along
        values: FloatArray = self.once((record, *own.items()), lambda: self._read(record, own))
        return values

    def _read(self, record: catalogue.Metric, own: dict[str, Any]) -> FloatArray:
        """Ask a metric of scores itself, or count label sets."""
        if record.reads == "y_pred":
            return divided(*record.formula(own)(self._counts(record, own)), math.nan)
        ask = partial(record.function, **own)
        if own.get("ties", "worst") == "worst" or inputs.is_sparse(self.other):
            return np.atleast_1d(ask(self.truth, self.other))
        return self._with_ties(ask, "cells" if own.get("average") else record.along, own["ties"])

    def _counts(self, record: catalogue.Metric, chosen: Mapping[str, Any]) -> Counts:
        """The counts of each sample or label, or of all cells."""
        if record.along == "sample":
            return self.rows
        if chosen["average"] != "micro":
            return self.labels
        return pooled(self.labels)

    def _with_ties(self, ask: Any, along: str, ties: str) -> FloatArray:
        """The values under a rule for ties: those under "worst", but where a true cell is tied."""
        truth, other, values = self.truth, self.other, self.each(ask, ties="worst").copy()
        if along == "cells":
            if not self.once(along, lambda: _tied(truth.reshape(1, -1), other.reshape(1, -1))):
                return values
            if ties in ("first", "last"):
                ask, other = (
                    partial(ask, ties="worst"),
                    self.once(ties, lambda: _places(other, ties)),
                )
            return np.atleast_1d(ask(truth, other))
        by_row = along == "sample"
        tied = self.once(along, lambda: _tied(*((truth, other) if by_row else (truth.T, other.T))))
        part: Any = tied if by_row else (slice(None), tied)
        if tied.any():
            values[tied] = ask(truth[part], other[part])
        return values


def pooled(labels: Counts) -> Counts:
    """The counts of all labels together, as if they were one."""
    return Counts(*(each.sum(keepdims=True) for each in labels))


def as_two_classes(rows: Counts, labels: Counts, reads_tn: bool = False) -> Measured:
    """Each label and its absence as two labels; where one of them does not occur, the other is both.

    For metrics that read true negatives, which are other metrics of the absence, it is the other way round.
    """
    tp, fp, fn, tn = labels
    both = np.array([[tp, fp, fn, tn], [tn, fn, fp, tp]])
    occurs = np.asarray(both[:, :3].any(axis=1, keepdims=True))
    counted = np.where(occurs[::-1] if reads_tn else occurs, both, both[::-1])
    data = Measured.of_counts(rows, Counts(*counted.swapaxes(0, 1).reshape(4, -1)))
    data.support = (both[:, 0] + both[:, 2]).ravel()
    return data


def _chosen(metric: Any, options: Mapping[str, Any]) -> tuple[catalogue.Metric, dict[str, Any]]:
    """The record of a metric, and all its options."""
    record = catalogue.of(metric)
    return record, {**record.defaults, **metric.keywords, **options}


def can_be_counted(metric: Any) -> bool:
    """Whether a metric is an average of values that can be kept, or is made of such metrics."""
    record = None if metric.args else catalogue.of(metric)
    if record is None or record.reads == "y_pred":
        return record is None or (record.adds_up and record.along != "all")
    return record.along == "label" or "per_sample" in record.defaults


def _tied(truth: Matrix, score: Matrix) -> NDArray[np.bool_]:
    """The rows in which a true label has the score of another label: its worst rank is not its best."""
    data = Data(truth, score)
    (worst, _), (best, _) = (
        ordering.read([lambda rows: (rows.sum(rows.rank), rows.n_relevant)], data, ties)[0]
        for ties in ("worst", "best")
    )
    return np.asarray(worst > best)


def _places(score: Matrix, ties: str) -> Matrix:
    """Places from the bottom up in place of all scores: tied ones by their index, "first" or "last" on top."""
    ahead = slice(None, None, -1 if ties == "first" else 1)
    order = np.argsort(score.ravel()[ahead], kind="stable")
    places = np.empty_like(order)
    places[order] = np.arange(len(order))
    return places[ahead].reshape(score.shape)
