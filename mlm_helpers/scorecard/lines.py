"""The lines of a scorecard: each metric with its value, computed from the sums and counts."""

import functools
import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from mlm_helpers import catalogue
from mlm_helpers._core import inputs
from mlm_helpers._core.counts import Counts, averaged_ratio
from mlm_helpers.scorecard.sums import Conventions, Sum


class Line(NamedTuple):
    """One metric: its name, function and value, and how many of what have no value of their own."""

    name: str
    metric: functools.partial[Any]
    value: float
    without: int
    of: str

    @property
    def record(self) -> catalogue.Metric:
        """The metric's record in the catalogue."""
        return catalogue.of(self.metric)

    @property
    def in_sklearn(self) -> str:
        """The scikit-learn function of the same number, or a dash."""
        average = self.metric.keywords.get("average", self.record.defaults.get("average"))
        return self.record.sklearn_call(average) or "–"


def lines(
    n_samples: int,
    n_labels: int,
    conventions: Conventions,
    sums: Mapping[str, Sum],
    confusion: Counts | None,
) -> Iterator[Line]:
    """Every metric that sums and counts give, in the order of the catalogue."""
    seen = set()  # with beta=1, Fβ is the F1 of the line before
    for record in catalogue.METRICS:
        found: Iterable[Line] = ()
        if record.id in sums:
            found = [_of_sum(record, n_samples, conventions, sums[record.id])]
        elif confusion is not None and record.of_label_counts:
            found = _of_counts(record, n_labels, conventions, confusion)
        for line in found:
            if line.name not in seen:
                seen.add(line.name)
                yield line


def _of_sum(record: catalogue.Metric, n_samples: int, conventions: Conventions, kept: Sum) -> Line:
    metric = _bound(record, conventions)
    value = kept.total / kept.weight if kept.weight > 0 else math.nan
    name = catalogue.describe(metric)
    return Line(name, metric, value, kept.undefined, f"{n_samples} samples")


def _of_counts(
    record: catalogue.Metric, n_labels: int, conventions: Conventions, confusion: Counts
) -> Iterator[Line]:
    """A line for each average."""
    parts = record.formula(conventions)
    for average in inputs.AVERAGES[:-1]:
        counted, of = confusion, f"{n_labels} labels"
        if average == "micro":
            counted, of = Counts(*(column.sum() for column in confusion)), "1 ratio"
        value = averaged_ratio(parts, counted, average, conventions["zero_division"])
        without = int(np.count_nonzero(parts(counted)[1] == 0))
        metric = functools.partial(_bound(record, conventions), average=average)
        yield Line(catalogue.describe(metric), metric, float(value), without, of)


def _bound(record: catalogue.Metric, conventions: Conventions) -> functools.partial[Any]:
    """The metric with what stands in its name: what it requires, but for options per label."""
    required = (name for name in record.required if name not in record.asks_per_label)
    return functools.partial(record.function, **{name: conventions[name] for name in required})
