"""A data set of which each matrix is counted, and each row and column sorted, once for many metrics."""

import math
from collections.abc import Callable
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlm_helpers import catalogue
from mlm_helpers._core import counts, inputs, ordering
from mlm_helpers._core.counts import Counts
from mlm_helpers._core.inputs import Data, FloatArray

Matrix = NDArray[Any]


class Measured:
    """Truth and the matrix beside it, with all values of metrics that were read off them."""

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
    def support(self) -> NDArray[Any]:
        """The number of positives of each label."""
        return np.asarray(self.truth.sum(axis=0))

    def column(self, j: int) -> "Measured":
        """The data of one label."""
        cut = slice(None), [j]
        label: Measured = self.once(j, lambda: Measured(self.truth[cut], self.other[cut]))
        return label

    def once(self, key: Any, make: Callable[[], Any]) -> Any:
        """Make something where it is first asked for, and keep it."""
        if key not in self._kept:
            self._kept[key] = make()
        return self._kept[key]

    def value(self, metric: Any, **options: Any) -> float:
        """The number that ``metric(truth, other, **options)`` returns."""
        if metric.args:  # a derived number, made of the values of metrics
            return float(metric.args[0](self, **metric.keywords, **options))
        if not is_of_values(metric):
            return float(metric(self.truth, self.other, **options))
        values, average = (
            self.values(metric, **options),
            {**metric.keywords, **options}.get("average"),
        )
        return float(counts.averaged(values, self.support, average or "macro"))

    def values(self, metric: Any, **options: Any) -> FloatArray:
        """The values that a metric averages: of samples or labels, or under micro of all cells."""
        record = catalogue.of(metric)
        chosen = {**record.defaults, **metric.keywords, **options}
        own = {o: chosen[o] for o in (*record.parameters, "ties", "undefined") if o in chosen}
        if "undefined" in own:
            own["undefined"] = math.nan
        average = {"average": "micro" if chosen.get("average") == "micro" else None}
        own |= {"per_sample": True} if record.along == "sample" else average
        filling = chosen.get("undefined")
        if record.reads == "y_pred":
            counted = self.rows if record.along == "sample" else self.labels
            counted = pooled(counted) if own.get("average") else counted
            each = counts.divided(*record.formula(own)(counted), math.nan)
            if "zero_division" in chosen:
                filling = counts.value_of_0_over_0(counted, chosen["zero_division"])
        else:
            each = self.once((record, *own.items()), lambda: self._asked(record, own))
        return each if filling is None else np.where(np.isnan(each), filling, each)

    def missing(self, metric: Any) -> NDArray[np.bool_]:
        """Which of these values are undefined."""
        rules = {"zero_division", "undefined"} & catalogue.of(metric).defaults.keys()
        return np.isnan(self.values(metric, **dict.fromkeys(rules, math.nan)))

    def _asked(self, record: catalogue.Metric, own: dict[str, Any]) -> FloatArray:
        """The values that a metric of scores returns; ties matter only where a true cell is tied."""
        ask, along = partial(record.function, **own), own.get("average") or record.along
        truth, other = self.truth, self.other
        if own.get("ties", "worst") == "worst" or inputs.is_sparse(other):
            return np.atleast_1d(ask(truth, other))
        shape = (1, -1) if along == "micro" else truth.shape
        turned = (one.T if along == "label" else one.reshape(shape) for one in (truth, other))
        tied = self.once(along, lambda: _tied(*turned))
        worst = {**own, "ties": "worst"}
        values = self.once((record, *worst.items()), lambda: self._asked(record, worst)).copy()
        part = {"micro": slice(None), "sample": tied, "label": (slice(None), tied)}[along]
        if tied.any():
            if along == "micro" and own["ties"] in ("first", "last"):  # sort the one long list once
                other = self.once(own["ties"], lambda: _places(self.other, own["ties"]))
                ask = partial(ask, ties="worst")
            values[tied] = ask(truth[part], other[part])
        return values  # type: ignore[no-any-return]


def is_of_values(metric: Any) -> bool:
    """Whether a metric is an average of values that `Measured` can keep."""
    record = catalogue.of(metric)
    is_made = record.prepare is not None or (record.reads == "y_pred" and not record.parts)
    return record.along != "all" and not is_made


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


def _tied(truth: Matrix, score: Matrix) -> NDArray[np.bool_]:
    """The rows in which a true label has the score of another label: its worst rank is not its best."""
    ranks = [lambda rows: (rows.sum(rows.rank), rows.n_relevant)]
    worst, best = (ordering.read(ranks, Data(truth, score), ties) for ties in ("worst", "best"))
    return np.asarray(worst[0, 0] > best[0, 0])


def _places(score: Matrix, ties: str) -> Matrix:
    """Places of all cells from the bottom up in place of scores: tied ones by their index."""
    ahead = slice(None, None, -1 if ties == "first" else 1)
    order = np.argsort(score.ravel()[ahead], kind="stable")
    places = np.empty_like(order)
    places[order] = np.arange(len(order))
    return places[ahead].reshape(score.shape)
