"""Sums over samples, which add up over batches."""

import operator
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mlm_helpers import catalogue
from mlm_helpers._core import counts, inputs, ordering
from mlm_helpers._core.counts import Counts, Parts
from mlm_helpers._core.inputs import Data, FloatArray, Weights

Conventions = Mapping[str, Any]
DEFAULTS = {"zero_division": 0.0, "beta": 2.0, "ties": None, "start": 1, "undefined": None}
_OWN = ("ties", "undefined")  # None: each metric's own default


class Sum(NamedTuple):
    """A metric's sums: the numerator, the denominator, and the number of undefined samples.

    Of a metric that has a value per sample: the weighted sum of the values that count, the sum of
    their weights, and how many samples have no value of their own (and counted as the conventions
    say, or not at all). Of a ratio of two sums over the data set: the sums.
    """

    total: float
    weight: float
    undefined: int

    def plus(self, other: "Sum") -> "Sum":
        """The sums of both."""
        return Sum(*map(operator.add, self, other))


class Values(NamedTuple):
    """What each sample adds to the numerator and to the denominator of a metric."""

    part: FloatArray
    whole: NDArray[Any]
    undefined: int

    def sum(self, weight: Weights) -> Sum:
        """What adds up of them, in one order, so that equal sums are exactly equal."""
        total, whole = ((x if weight is None else weight * x).sum() for x in self[:2])
        return Sum(float(total), float(whole), self.undefined)


def plus(one: Counts | None, other: Counts | None) -> Counts | None:
    """The counts of both, where there are any."""
    return one and other and Counts(*map(np.add, one, other))


def own_defaults() -> dict[str, Any]:
    """The options that single metrics have, with their defaults, or as in tables where they have none.

    An option per label is None by default, and then its metric is not on the scorecard.
    """
    return {
        name: (None if parameter.per_label else record.required.get(name, record.defaults[name]))
        for record in catalogue.METRICS
        for name, parameter in record.parameters.items()
        if not record.left_out and name not in (*DEFAULTS, "average")
    }


def checked_conventions(given: Mapping[str, Any], n_labels: int) -> dict[str, Any]:
    """Every convention: given, or its default; checked, and equal ones written in one way."""
    parameters = {n: p for record in catalogue.METRICS for n, p in record.parameters.items()}
    defaults = DEFAULTS | own_defaults()
    chosen = defaults | dict(given)
    for name, value in chosen.items():
        if name not in defaults:
            raise TypeError(f"{name} is no convention of a scorecard: {_instead(name, defaults)}")
        if value is None and defaults[name] is None:
            continue
        if name not in parameters:
            inputs.CHECKS[name](value)
        elif parameters[name].per_label:
            chosen[name] = parameters[name].check(value, n_labels)
        else:
            parameters[name].check(value)
    return {
        name: _written(value, parameters[name].values[0] if name in parameters else 0.0)
        for name, value in chosen.items()
    }


def _instead(name: str, defaults: Conventions) -> str:
    """The remedy for an unknown option; for an option per label, why its metric is on no scorecard."""
    why = (record.left_out for record in catalogue.METRICS if name in record.asks_per_label)
    return next(filter(None, why), f"it takes {', '.join(defaults)}")


def told(chosen: Conventions) -> dict[str, Any]:
    """The conventions to be shown: those that families share or metrics require, and what is changed."""
    usual, required = own_defaults(), {n for r in catalogue.METRICS for n in r.required}
    return {
        name: value
        for name, value in chosen.items()
        if name in DEFAULTS or value != usual[name] or (name in required and value is not None)
    }


def _written(value: Any, like: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if value is None or isinstance(value, (str, list, tuple)):
        return str(value) if isinstance(value, str) else value
    return int(value) if isinstance(like, int) else float(value) + 0.0  # -0.0 is 0.0


def summed(reads: str, chosen: Conventions) -> list[catalogue.Metric]:
    """The metrics of predictions, scores or probabilities to which each sample adds by itself.

    Those of probabilities, too, are along labels: their macro average is the mean of all cells.
    """
    return [
        record
        for record in catalogue.METRICS
        if record.reads == reads and not record.left_out
        if record.along != "label" or reads == "y_prob"
        if _is_asked(record, chosen)
    ]  # fmt: skip


def why_left_out(record: catalogue.Metric, chosen: Conventions) -> str:
    """Why a metric is on no scorecard of these conventions; empty if it is, or its options are not given."""
    if not _is_asked(record, chosen):
        return ""
    if record.left_out or record.along != "label":
        return record.left_out
    changes = "it changes the labels before it counts them, and a scorecard counts those given"
    return changes if record.prepare else ""


def _is_asked(record: catalogue.Metric, chosen: Conventions) -> bool:
    """Whether the options per label that the metric requires are given."""
    return all(chosen.get(name) is not None for name in record.asks_per_label)


def of_sets(data: Data, chosen: Conventions) -> tuple[Iterator[tuple[str, Values]], Counts]:
    """What samples add to the set metrics, by id, and the counts of each label."""
    per_sample, per_label = counts.count_both_ways(data)
    per_sample = Counts(*(column.astype(float) for column in per_sample))  # divides the fastest
    values = (
        (record.id, _of_record(record, data, per_sample, chosen))
        for record in summed("y_pred", chosen)
    )
    return values, per_label


def _of_record(record: catalogue.Metric, data: Data, each: Counts, chosen: Conventions) -> Values:
    """From the counts of each sample; where the metric prepares the data, from those counted then."""
    if record.prepare is not None:
        each = counts.count(record.prepare(data, chosen), axis=1)
    parts = record.formula(chosen, data.shape[1])(each)
    return _values(record, data, parts, counts.worth(each, chosen["zero_division"]))


def of_scores(data: Data, chosen: Conventions) -> Iterator[tuple[str, Values]]:
    """What samples add to the metrics of ranks, from one sort of the scores for each rule of ties."""
    found: dict[str, Parts] = {}
    asked = {name: chosen[name] for name in _OWN if chosen[name] is not None}
    alike = defaultdict(list)
    for record in summed("y_score", chosen):
        alike[record.keeps_sparse, (record.defaults | asked)["ties"]].append(record)
    for (keeps_sparse, ties), records in alike.items():
        formulas = [record.formula(chosen, data.shape[1]) for record in records]
        read = ordering.read(formulas, data if keeps_sparse else data.dense(), ties)
        found |= {record.id: parts for record, parts in zip(records, read, strict=True)}
    for record in summed("y_score", chosen):
        worth = (record.defaults | asked).get("undefined")
        yield record.id, _values(record, data, found[record.id], worth)


def of_probabilities(data: Data, chosen: Conventions) -> Iterator[tuple[str, Values]]:
    """What samples add to the metrics of probabilities: the mean loss of their cells."""
    for record in summed("y_prob", chosen):
        yield record.id, _values(record, data, record.of_samples(data, chosen), 0.0)


def _values(record: catalogue.Metric, data: Data, parts: Parts, worth: Any) -> Values:
    part, whole = np.broadcast_arrays(*parts)
    undefined = int(np.count_nonzero(~(whole > 0)))  # nan where nothing is known
    if record.along == "all":
        known = ~np.isnan(whole)
        return Values(np.where(known, part, 0), np.where(known, whole, 0), undefined)
    each = counts.divided(part, whole, worth)
    counted = ~np.isnan(each)
    each = np.where(counted, each, 0.0) if not counted.all() else each
    if not record.of_cells or data.known is None:
        return Values(each, counted, undefined)
    share = data.n_known / data.shape[1]  # a sample known in full is 1 in any batch
    return Values(each * share, counted * share, undefined)
