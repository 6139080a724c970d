"""The smallest data on which two metrics disagree, found by a search of all small data sets."""

import functools
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from mlm_course import small_data
from mlm_course.small_data import TOLERANCE, Values
from mlm_helpers import catalogue
from mlm_helpers.catalogue.arguments import sign
from mlm_helpers.catalogue.metric import MetricFunction
from mlm_helpers.tables import Display, Sentence, Table


@dataclass(frozen=True, repr=False)
class Disagreement:
    """A truth and two predictions that two metrics put in opposite order.

    Attributes
    ----------
    metric_a, metric_b : public metric functions, or ``functools.partial`` of them
    y_true, first, second : nested lists of shape (n_samples, n_labels)
        The truth and the two predictions. They are scores if a metric reads scores; a set metric
        then predicts the labels with a score of at least 0.5.
    values_a, values_b : each metric's values of the first and of the second prediction
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
        """A line per metric: its two values, and the prediction that it prefers."""
        lines = []
        for metric, values in (self.metric_a, self.values_a), (self.metric_b, self.values_b):
            name, arrow = catalogue.full_name(metric), "↑" if sign(metric) > 0 else "↓"
            first, second = map(small_data.fraction_or_root, values)
            better = "first" if (values[0] - values[1]) * sign(metric) > 0 else "second"
            lines.append(f"{name} {arrow}  first {first}, second {second}: prefers the {better}")
        return lines

    def __repr__(self) -> str:
        """The data and the verdicts as text."""
        names = map(catalogue.full_name, (self.metric_a, self.metric_b))
        columns = map(small_data.row_texts, (self.y_true, self.first, self.second))
        rows = tuple((str(i), *row) for i, row in enumerate(zip(*columns, strict=True), 1))
        data = Table("The smallest data", ("sample", "truth", "first", "second"), rows)
        return repr(Display(" and ".join(names), (data, *map(Sentence, self.verdicts))))


def smallest_disagreement(
    metric_a: MetricFunction, metric_b: MetricFunction, *, max_samples: int = 2, max_labels: int = 3
) -> Disagreement | None:
    """The smallest data on which metric A prefers one prediction and metric B the other, or None.

    Smallest means fewest cells, then fewest samples, then first in lexicographic order of truth,
    first and second prediction, row by row. A metric prefers a prediction if the values differ by
    more than 1e-14 and neither is nan. Sizes that a metric refuses are left out. For two set
    metrics all predictions are tried; if a metric reads scores, all their orders, ties included,
    and beside a set metric all positions of the threshold; if one reads probabilities, 0.1, 0.3,
    0.7 and 0.9.

    Parameters
    ----------
    metric_a, metric_b : public metric functions, or ``functools.partial`` of them
        With their options bound, so a metric can be compared with itself under other options.
    max_samples, max_labels : int
        The largest size to search: at most 8 cells, and more than 6 take long.

    Raises
    ------
    TypeError, ValueError
        If a metric is not in the catalogue, lacks a required option, returns several values or has
        sample weights bound; if a size is not a whole number of 1 or more, or has more than 8
        cells.

    Examples
    --------
    >>> from mlm_helpers import exact_match, hamming
    >>> smallest = smallest_disagreement(exact_match.subset_accuracy, hamming.hamming_loss)
    >>> smallest.y_true, smallest.first, smallest.second
    ([[0, 0, 0], [0, 0, 0]], [[0, 0, 0], [1, 1, 1]], [[0, 0, 1], [0, 0, 1]])
    """
    sign_a, sign_b = sign(metric_a), sign(metric_b)
    metrics, bounds = (metric_a, metric_b), (max_samples, max_labels)
    for truths, predictions, values in small_data.batches(metrics, bounds):
        for truth, a, b in zip(truths, *values, strict=True):
            pair = _first_opposed(a * sign_a, b * sign_b)
            if pair:
                i, j = pair
                first, second = predictions[i].tolist(), predictions[j].tolist()
                values_a, values_b = ((float(v[i]), float(v[j])) for v in (a, b))
                return Disagreement(*metrics, truth.tolist(), first, second, values_a, values_b)
    return None


SAME_ORDER = {
    ("subset accuracy", "zero-one loss"): "they add up to 1",
    ("micro recall", "weighted recall"): "they are equal: a label's support is its weight and its"
    " denominator",
    ("micro F1", "micro Jaccard"): "F1 = 2J / (1 + J) rises with J",
}
"""The pairs that can't disagree on data of any size, and why."""


@functools.cache
def all_pairs() -> dict[tuple[str, str], Disagreement | None]:
    """The smallest disagreement of every two metrics that the course teaches; None in `SAME_ORDER`.

    Within 2 samples × 3 labels; if there is none, within 3 × 2; if there is none, within 1 × 5.
    Keys are pairs of names, as in `catalogue.variants`. Metrics with a required option are left
    out: Fβ is a different metric for each β.
    """
    metrics = catalogue.variants(r for r in catalogue.taught_records() if not r.required)
    pairs = combinations(metrics, 2)
    return {(a, b): _within_any_bounds(metrics[a], metrics[b]) for a, b in pairs}


def _within_any_bounds(metric_a: MetricFunction, metric_b: MetricFunction) -> Disagreement | None:
    """The smallest disagreement within the first bounds of `all_pairs` that have any."""
    search = functools.partial(smallest_disagreement, metric_a, metric_b)
    results = (search(max_samples=n, max_labels=m) for n, m in ((2, 3), (3, 2), (1, 5)))
    return next(filter(None, results), None)


def _first_opposed(a: Values, b: Values) -> tuple[int, int] | None:
    """Indices of the first two predictions that a and b order differently, if any."""
    defined = np.flatnonzero(~np.isnan(a + b))
    pairs = np.stack([a[defined], b[defined]], axis=1)  # few are distinct: only these are compared
    distinct, inverse = np.unique(pairs, axis=0, return_inverse=True)
    inverse = inverse.ravel()
    gaps = distinct[:, None] - distinct
    signs = np.where(np.abs(gaps) > TOLERANCE, np.sign(gaps), 0)
    is_opposed = signs.prod(axis=-1) < 0
    has_partner = is_opposed.any(axis=1)[inverse]
    if not has_partner.any():
        return None
    first = int(has_partner.argmax())
    second = int(is_opposed[inverse[first], inverse].argmax())
    return int(defined[first]), int(defined[second])
