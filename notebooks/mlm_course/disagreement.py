"""The smallest data on which two metrics disagree, found by a search of all small data."""

import functools
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from mlm_course import small_data
from mlm_course.small_data import TOLERANCE, Values
from mlm_helpers import catalogue
from mlm_helpers.catalogue import MetricFunction
from mlm_helpers.tables import Display, Sentence, Table


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
    def verdicts(self) -> list[str]:
        """A line for each metric: its two values, and the prediction that it prefers."""
        lines = []
        for metric, values in (self.metric_a, self.values_a), (self.metric_b, self.values_b):
            name, arrow = catalogue.full_name(metric), "↑" if _sign(metric) > 0 else "↓"
            first, second = map(small_data.fraction_or_root, values)
            better = "first" if (values[0] - values[1]) * _sign(metric) > 0 else "second"
            lines.append(f"{name} {arrow}  first {first}, second {second}: prefers the {better}")
        return lines

    def __repr__(self) -> str:
        """Show the data and the verdicts as text."""
        names = [catalogue.full_name(metric) for metric in (self.metric_a, self.metric_b)]
        columns = map(small_data.row_texts, (self.y_true, self.first, self.second))
        rows = tuple((str(i), *row) for i, row in enumerate(zip(*columns, strict=True), 1))
        data = Table("The smallest data", ("sample", "truth", "first", "second"), rows)
        return repr(Display(" and ".join(names), (data, *map(Sentence, self.verdicts))))


def smallest_disagreement(
    metric_a: MetricFunction, metric_b: MetricFunction, *, max_samples: int = 2, max_labels: int = 3
) -> Disagreement | None:
    """The smallest data on which metric A prefers one prediction and metric B the other.

    Smallest means fewest cells, then fewest samples, then first in lexicographic order of truth,
    first and second prediction, row by row. A preference is a difference of more than 1e-14;
    nan is no preference, and sizes that a metric refuses are left out. Two set metrics are
    tried on all pairs of predictions; as soon as one reads scores, on all orders of the labels, ties
    included, and beside a set metric on every way in which the threshold can split the order; as soon as
    one reads probabilities, on 0.1, 0.3, 0.7 and 0.9 for each label.

    Parameters
    ----------
    metric_a, metric_b : public metric functions, or ``functools.partial`` of them
        With their options bound, so a metric can be compared with itself under other options.
    max_samples, max_labels : int
        The largest size to search, at most 8 cells; beyond 6 it takes long.

    Returns
    -------
    Disagreement, or None if there is none up to that size

    Raises
    ------
    TypeError, ValueError
        If a metric is not in the catalogue, lacks an option, or has an option bound under which it
        returns several values or needs certain samples; if a size is no whole number of 1 or more, or
        of more than 8 cells.

    Examples
    --------
    >>> from mlm_helpers import exact_match, hamming
    >>> found = smallest_disagreement(exact_match.subset_accuracy, hamming.hamming_loss)
    >>> found.y_true, found.first, found.second
    ([[0, 0, 0], [0, 0, 0]], [[0, 0, 0], [1, 1, 1]], [[0, 0, 1], [0, 0, 1]])
    """
    signs = _sign(metric_a), _sign(metric_b)
    for truths, others, both in small_data.batches((metric_a, metric_b), (max_samples, max_labels)):
        for truth, *values in zip(truths, *both, strict=True):
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


@functools.cache
def all_pairs() -> dict[tuple[str, str], Disagreement | None]:
    """The smallest disagreement of every two metrics that the course teaches, in the default sizes.

    Keys are pairs of names, as in `catalogue.variants`; values are what `smallest_disagreement` returns.
    Metrics with a required option are left out: Fβ is a different metric for every β.
    """
    of = catalogue.variants(record for record in catalogue.taught_records() if not record.required)
    return {(a, b): smallest_disagreement(of[a], of[b]) for a, b in combinations(of, 2)}


def _sign(metric: MetricFunction) -> int:
    return 1 if catalogue.record_of(metric).higher_is_better else -1


def _first_opposed(by_a: Values, by_b: Values) -> tuple[int, int] | None:
    """The first two worlds that a and b put in opposite order, both by more than rounding."""
    known = np.flatnonzero(~np.isnan(by_a + by_b))
    values = np.stack([by_a[known], by_b[known]], axis=1)
    different, which = np.unique(values, axis=0, return_inverse=True)
    gaps = different[:, None] - different
    signs = np.where(np.abs(gaps) > TOLERANCE, np.sign(gaps), 0)
    opposed = signs.prod(axis=-1) < 0
    has_partner = opposed.any(axis=1)[which.ravel()]
    if not has_partner.any():
        return None
    first = int(has_partner.argmax())
    second = int(opposed[which.ravel()[first]][which.ravel()].argmax())
    return int(known[first]), int(known[second])
