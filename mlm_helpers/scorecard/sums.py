"""What adds up over batches: sums of the metrics that have a value per sample."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from mlm_helpers import catalogue, counts, inputs, ordering
from mlm_helpers.counts import Counts, Parts
from mlm_helpers.inputs import Weights

Conventions = Mapping[str, Any]


class Sum(NamedTuple):
    """What adds up of a metric that has a value per sample.

    The weighted sum of the values that count, the sum of their weights, and how many samples have no
    value of their own (and counted as the conventions say, or not at all).
    """

    total: float
    weight: float
    undefined: int

    def plus(self, other: Sum) -> Sum:
        """The sums of both."""
        return Sum(
            self.total + other.total, self.weight + other.weight, self.undefined + other.undefined
        )


def conventions(chosen: dict[str, Any]) -> dict[str, Any]:
    """Conventions that were checked, each written in one way: equal ones look equal.

    Beside those that families share, a metric's own required options, by default as tables show them.
    """
    parameters = {n: p for record in catalogue.METRICS for n, p in record.parameters.items()}
    required = {n: v for record in catalogue.METRICS for n, v in record.required.items()}
    for name, value in chosen.items():
        if name in parameters:
            parameters[name].check(value)
        elif name not in inputs.CHECKS:
            raise TypeError(f"{name} is no convention: choose {', '.join(chosen | required)}")
        elif not (name == "undefined" and value is None):
            inputs.CHECKS[name](value)
    return {name: _written(value) for name, value in (chosen | required | chosen).items()}


def _written(value: Any) -> Any:
    if isinstance(value, str):
        return str(value)
    if isinstance(value, (int, np.integer)):
        return int(value)
    return None if value is None else float(value) + 0.0  # which makes -0.0 a 0.0


def own(record: catalogue.Metric, chosen: Conventions) -> dict[str, Any]:
    """The conventions that belong to the formula of a metric."""
    return {name: chosen[name] for name in record.parameters}


def summed(reads: str) -> list[catalogue.Metric]:
    """The metrics of predictions, or of scores, whose values per sample add up."""
    return [
        record
        for record in catalogue.METRICS
        if record.reads == reads and record.along == "sample" and not record.left_out
    ]


def of_sets(
    truth: Any, prediction: Any, weight: Weights, chosen: Conventions
) -> tuple[dict[str, Sum], Counts]:
    """Sums of the set metrics with a value per sample, and the counts of each label."""
    per_sample, per_label = counts.count_both_ways(truth, prediction, weight)
    per_sample = Counts(*(column.astype(float) for column in per_sample))  # divides the fastest
    worth = counts.worth(per_sample, chosen["zero_division"])
    sums = {
        record.id: _sum(record.parts(per_sample, **own(record, chosen)), worth, weight)
        for record in summed("y_pred")
    }
    return sums, per_label


def of_scores(truth: Any, score: Any, weight: Weights, chosen: Conventions) -> dict[str, Sum]:
    """Sums of the metrics that are read off the ranks, from one sort of the scores."""
    records = summed("y_score")
    readings = [functools.partial(record.parts, **own(record, chosen)) for record in records]
    sums = {}
    for record, parts in zip(
        records, ordering.read(readings, truth, score, chosen["ties"]), strict=True
    ):
        worth = chosen["undefined"]
        if worth is None:
            worth = record.defaults.get("undefined")
        sums[record.id] = _sum((parts[0], parts[1]), worth, weight)
    return sums


def _sum(parts: Parts, worth: Any, weight: Weights) -> Sum:
    part, whole = np.broadcast_arrays(*parts)
    total, weighs = counts.weighed(counts.divided(part, whole, worth), weight)
    return Sum(total, weighs, int(np.count_nonzero(whole == 0)))
