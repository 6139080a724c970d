"""The smallest data on which two metrics disagree, found by a search of all small data."""

import functools
from collections.abc import Iterable
from copy import deepcopy
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from mlm_course import small_data
from mlm_course.small_data import SMALLEST, Values
from mlm_helpers import catalogue
from mlm_helpers.board import Board, Sentence, Table
from mlm_helpers.catalogue import MetricFunction


@dataclass(frozen=True, repr=False)
class Disagreement:
    """One truth and two predictions that two metrics put in opposite order.

    Attributes
    ----------
    metric_a, metric_b : the two metrics, as they were given
    y_true, first, second : nested lists of shape (n_samples, n_labels)
        The truth and the two predictions; scores where a metric reads scores. A set metric then
        reads the labels with a score of at least 0.5.
    values_a, values_b : tuple of float
        Each metric's value of the first and of the second.
    """

    metric_a: MetricFunction
    metric_b: MetricFunction
    y_true: list[list[int]]
    first: list[list[float]]
    second: list[list[float]]
    values_a: tuple[float, float]
    values_b: tuple[float, float]

    @property
    def a_prefers(self) -> str:
        """The prediction that metric A prefers, "first" or "second"; metric B prefers the other one."""
        return _better(self.metric_a, self.values_a)

    @property
    def verdicts(self) -> list[str]:
        """A line for each metric: its two values, and the prediction that it prefers."""
        both = (self.metric_a, self.values_a), (self.metric_b, self.values_b)
        return [
            f"{catalogue.describe(metric)} {'↑' if _sign(metric) > 0 else '↓'}  first {small_data.shown(one)},"
            f" second {small_data.shown(two)}: prefers the {_better(metric, (one, two))}"
            for metric, (one, two) in both
        ]

    def __repr__(self) -> str:
        """Show the data and the verdicts as text."""
        names = [catalogue.describe(metric) for metric in (self.metric_a, self.metric_b)]
        rows = small_data.written(self.y_true, self.first, self.second)
        data = Table("The smallest data", ("sample", "truth", "first", "second"), rows)
        return repr(Board(" and ".join(names), (data, *map(Sentence, self.verdicts))))


def _better(metric: MetricFunction, values: tuple[float, float]) -> str:
    return "first" if (values[0] - values[1]) * _sign(metric) > 0 else "second"


def smallest_disagreement(
    metric_a: MetricFunction, metric_b: MetricFunction, *, max_samples: int = 2, max_labels: int = 3
) -> Disagreement | None:
    """The smallest data on which metric A prefers one prediction and metric B the other.

    Smallest means fewest cells, then fewest samples, then first in lexicographic order of truth,
    first and second prediction, row by row. A preference is a difference of more than 1e-14;
    nan is no preference, and sizes that a metric refuses are left out. Two set metrics are
    tried on all pairs of predictions; as soon as one reads scores, on all orders of the labels, ties
    included, and beside a set metric on every way in which the threshold can cut the order; as soon as
    one reads probabilities, on 0.1, 0.3, 0.7 and 0.9 for each label. A search of
    some seconds shows its progress.

    Parameters
    ----------
    metric_a, metric_b : public metric functions, or ``functools.partial`` of them
        With their options bound, so a metric can be compared with itself under other options.
    max_samples, max_labels : int
        The largest size to search; beyond 6 cells it takes long.

    Returns
    -------
    Disagreement, or None if there is none up to that size

    Raises
    ------
    TypeError, ValueError
        If a metric is not in the catalogue, lacks an option, or has an option bound under which it
        returns several values or needs certain samples; if a size is no whole number of 1 or more, or
        takes too much memory.

    Examples
    --------
    >>> from mlm_helpers import exact_match, hamming
    >>> found = smallest_disagreement(exact_match.subset_accuracy, hamming.hamming_loss)
    >>> found.y_true, found.first, found.second
    ([[0, 0, 0], [0, 0, 0]], [[0, 0, 0], [1, 1, 1]], [[0, 0, 1], [0, 0, 1]])
    """
    signs = _sign(metric_a), _sign(metric_b)
    for truth, others, values in small_data.every((metric_a, metric_b), (max_samples, max_labels)):
        opposed = _first_opposed(*(v * sign for v, sign in zip(values, signs, strict=True)))
        if opposed:
            first, second = (others[one].tolist() for one in opposed)
            of_a, of_b = ((float(v[opposed[0]]), float(v[opposed[1]])) for v in values)
            return Disagreement(metric_a, metric_b, truth.tolist(), first, second, of_a, of_b)
    return None


SAME_ORDER = {
    ("subset accuracy", "zero-one loss"): "they add up to 1",
    ("micro recall", "weighted recall"): "they are equal: a label's support is its weight and its"
    " denominator",
    ("micro F1", "micro Jaccard"): "F1 = 2J / (1 + J) rises with J",
}
"""The pairs that can never disagree, whatever the size, and why."""


def all_pairs(
    records: Iterable[catalogue.Metric] | None = None,
) -> dict[tuple[str, str], Disagreement | None]:
    """The smallest disagreement of every pair of metrics, each average apart, in the default sizes.

    Keys are pairs of names, as in `catalogue.variants`; values are what `smallest_disagreement` returns.
    Without records, the metrics are those that the course teaches. Metrics with a required option are
    left out: Fβ is a different metric for every β.
    """
    some = catalogue.taught() if records is None else records
    return deepcopy(_all_pairs(tuple(record for record in some if not record.required)))


@functools.lru_cache(maxsize=8)
def _all_pairs(
    records: tuple[catalogue.Metric, ...],
) -> dict[tuple[str, str], Disagreement | None]:
    of = catalogue.variants(records)
    return {(a, b): smallest_disagreement(of[a], of[b]) for a, b in combinations(of, 2)}


def _sign(metric: MetricFunction) -> int:
    return 1 if catalogue.of(metric).higher_is_better else -1


def _first_opposed(by_a: Values, by_b: Values) -> tuple[int, int] | None:
    """The first two worlds that a and b put in opposite order, both strictly."""
    known = np.flatnonzero(~(np.isnan(by_a) | np.isnan(by_b)))
    a, b = _steps(by_a[known]), _steps(by_b[known])
    lowest, highest = np.full(len(a) + 1, len(a)), np.full(len(a) + 1, -1)
    np.minimum.at(lowest, a, b)  # of b, at each step of a; then at this step or a higher one
    np.maximum.at(highest, a + 1, b)  # at a lower step
    lowest, highest = np.minimum.accumulate(lowest[::-1])[::-1], np.maximum.accumulate(highest)
    has_partner = (lowest[a + 1] < b) | (highest[a] > b)
    if not has_partner.any():
        return None
    one = int(np.argmax(has_partner))
    opposed = (a - a[one]) * (b - b[one]) < 0
    return int(known[one]), int(known[np.argmax(opposed)])


def _steps(values: Values) -> NDArray[np.intp]:
    """The rank of each value, the lowest first; values that differ by rounding alone share a rank."""
    order = np.argsort(values)
    steps = np.empty(len(values), dtype=int)
    steps[order] = np.cumsum(np.diff(values[order], prepend=values[order][:1]) > SMALLEST)
    return steps
