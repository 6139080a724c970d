"""Inequalities between metrics: true ones with a reason, and plausible false ones."""

import csv
import functools
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from mlm_course import small_data
from mlm_helpers import catalogue, example_based, ranking, top_k
from mlm_helpers.catalogue.metric import MetricFunction

_FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "": lambda value: value,
    "1 −": lambda value: 1 - value,
    "1/2 +": lambda value: 1 / 2 + value,
    "the smaller of": np.minimum,
    "the mean of": lambda a, b: (a + b) / 2,
    "the harmonic mean of": lambda a, b: 2 * a * b / np.maximum(a + b, 1e-300),  # 0 of two zeros
    "F1 / (2 − F1) of": lambda f1: f1 / (2 - f1),
}
_WITH_OPTIONS = (
    partial(example_based.accuracy, zero_division=1.0),
    partial(ranking.one_error, undefined=0.0),
    partial(top_k.precision, k=1, ties="worst"),
    partial(top_k.precision, k=2),
    partial(top_k.recall, k=2),
)


class Claim(NamedTuple):
    """A claim: the left side is at most the right on all data ("≤"), or the sides are equal ("=").

    A side is a function of metrics: its name in `_FUNCTIONS`, and the names of the metrics, joined
    by " & ". A false claim has no reason.
    """

    text: str
    left_function: str
    left_metrics: str
    sign: str
    right_function: str
    right_metrics: str
    reason: str

    @property
    def metrics(self) -> dict[str, MetricFunction]:
        """The metrics of both sides, by name."""
        by_name = catalogue.variants() | {catalogue.full_name(m): m for m in _WITH_OPTIONS}
        names = f"{self.left_metrics} & {self.right_metrics}".split(" & ")
        return {name: by_name[name] for name in names}

    def sides(self, values: Mapping[str, Any]) -> list[Any]:
        """The values of the left and of the right side, from the values of the metrics."""
        sides = (self.left_function, self.left_metrics), (self.right_function, self.right_metrics)
        return [_FUNCTIONS[f](*(values[m] for m in names.split(" & "))) for f, names in sides]

    def fails(self, values: Mapping[str, Any]) -> Any:
        """Whether values of the metrics contradict the claim; nan contradicts none."""
        excess = np.subtract(*self.sides(values))
        return (np.abs(excess) if self.sign == "=" else excess) > small_data.TOLERANCE


class Counterexample(NamedTuple):
    """Data on which a claim fails, and the values of its two sides there.

    The predictions are scores if a metric reads scores; a set metric then predicts the labels with
    a score of at least 0.5.
    """

    y_true: list[list[int]]
    y_pred: list[list[float]]
    left: float
    right: float

    @property
    def relation(self) -> str:
        """The values of the two sides as text: "1 > 1/2 = 0.5"."""
        left, right = map(small_data.fraction_or_root, (self.left, self.right))
        return f"{left} {'>' if self.left > self.right else '<'} {right}"


with Path(__file__).with_suffix(".csv").open(encoding="utf-8", newline="") as _table:
    ALL = tuple(Claim(*row) for row in csv.reader(_table))[1:]  # below the header
"""The claims, true and false; CF1 is the F1 of macro precision and macro recall."""


@functools.cache
def smallest_counterexample(claim: Claim) -> Counterexample | None:
    """The smallest data on which a claim fails, within 2 samples × 3 labels or 1 × 4.

    Examples
    --------
    >>> smallest_counterexample(ALL[1]).relation
    '1 > 0'
    """
    metrics = claim.metrics
    for truths, predictions, values in small_data.batches((*metrics.values(),), (2, 3), (1, 4)):
        by_name = dict(zip(metrics, values, strict=True))
        fails = claim.fails(by_name)
        if fails.any():
            i, j = map(int, np.argwhere(fails)[0])
            left, right = (float(side[i, j]) for side in claim.sides(by_name))
            return Counterexample(truths[i].tolist(), predictions[j].tolist(), left, right)
    return None
