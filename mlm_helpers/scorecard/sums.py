"""What adds up over batches: sums of the metrics that have a value per sample."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from mlm_helpers import catalogue, counts, inputs, ordering
from mlm_helpers.counts import Counts, Parts
from mlm_helpers.inputs import Data, FloatArray, Weights

Conventions = Mapping[str, Any]
DEFAULTS = {"zero_division": 0.0, "beta": 2.0, "ties": None, "start": 1, "undefined": None}
_OWN = ("ties", "undefined")  # None: each metric's own default


class Sum(NamedTuple):
    """What adds up of a metric that has a value per sample.

    The weighted sum of the values that count, the sum of their weights, and how many samples have no
    value of their own (and counted as the conventions say, or not at all).
    """

    total: float
    weight: float
    undefined: int

    def plus(self, other: "Sum") -> "Sum":
        """The sums of both."""
        return Sum(
            self.total + other.total, self.weight + other.weight, self.undefined + other.undefined
        )


class Values(NamedTuple):
    """Of a metric, the value of each sample, nan where it does not count; and how many have none."""

    each: FloatArray
    undefined: int

    def sum(self, weight: Weights) -> Sum:
        """What adds up of them."""
        return Sum(*counts.weighed(self.each, weight), self.undefined)


def checked_conventions(given: Mapping[str, Any]) -> dict[str, Any]:
    """Every convention: given, or its default; checked, and equal ones written in one way.

    Beside those that families share, the options that a metric requires, by default as in tables.
    """
    parameters = {n: p for record in catalogue.METRICS for n, p in record.parameters.items()}
    required = {n: v for record in catalogue.METRICS for n, v in record.required.items()}
    chosen = DEFAULTS | required | dict(given)
    for name, value in chosen.items():
        if name not in DEFAULTS | required:
            known = ", ".join(DEFAULTS | required)
            raise TypeError(f"{name} is no convention of a scorecard: it takes {known}")
        if name in parameters:
            parameters[name].check(value)
        elif not (name in _OWN and value is None):
            inputs.CHECKS[name](value)
    return {
        name: _written(value, parameters[name].values[0] if name in parameters else 0.0)
        for name, value in chosen.items()
    }


def _written(value: Any, like: Any) -> Any:
    if value is None or isinstance(value, str):
        return value and str(value)
    return int(value) if isinstance(like, int) else float(value) + 0.0  # -0.0 is 0.0


def summed(reads: str) -> list[catalogue.Metric]:
    """The metrics of predictions, or of scores, whose values per sample add up."""
    return [
        record
        for record in catalogue.METRICS
        if record.reads == reads and record.along == "sample" and not record.left_out
    ]


def of_sets(data: Data, chosen: Conventions) -> tuple[Iterator[tuple[str, Values]], Counts]:
    """Values of the set metrics that have one per sample, by id, and the counts of each label."""
    per_sample, per_label = counts.count_both_ways(data)
    per_sample = Counts(*(column.astype(float) for column in per_sample))  # divides the fastest
    worth = counts.worth(per_sample, chosen["zero_division"])
    values = (
        (record.id, _values(record.formula(chosen)(per_sample), worth))
        for record in summed("y_pred")
    )
    return values, per_label


def of_scores(data: Data, chosen: Conventions) -> Iterator[tuple[str, Values]]:
    """Values of the metrics that are read off the ranks, from one sort of the scores for each rule of ties."""
    found: dict[str, Parts] = {}
    asked = {name: chosen[name] for name in _OWN if chosen[name] is not None}
    alike = defaultdict(list)
    for record in summed("y_score"):
        alike[record.keeps_sparse, (record.defaults | asked)["ties"]].append(record)
    for (keeps_sparse, ties), records in alike.items():
        formulas = [record.formula(chosen) for record in records]
        read = ordering.read(formulas, data if keeps_sparse else data.dense(), ties)
        found |= {record.id: parts for record, parts in zip(records, read, strict=True)}
    for record in summed("y_score"):
        yield record.id, _values(found[record.id], (record.defaults | asked).get("undefined"))


def _values(parts: Parts, worth: Any) -> Values:
    part, whole = np.broadcast_arrays(*parts)
    return Values(counts.divided(part, whole, worth), int(np.count_nonzero(whole == 0)))
