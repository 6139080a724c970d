"""The smallest data on which two metrics disagree: found by looking at all of them.

A world is a truth and a prediction (or scores) of a few cells. All worlds of a size are evaluated,
sizes in growing order, so a case that is found is a smallest one, and None is a fact: up to that
size there is none.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlm_helpers import catalogue

THRESHOLD = 0.5
Rows = NDArray[Any]


@dataclass(frozen=True)
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

    metric_a: Callable[..., Any]
    metric_b: Callable[..., Any]
    y_true: list[list[int]]
    first: list[list[float]]
    second: list[list[float]]
    values_a: tuple[float, float]
    values_b: tuple[float, float]

    @property
    def a_prefers(self) -> str:
        """Which prediction metric A finds better, "first" or "second"; B prefers the other one."""
        first_is_higher = self.values_a[0] > self.values_a[1]
        higher_is_better = catalogue.of(self.metric_a).higher_is_better
        return "first" if first_is_higher == higher_is_better else "second"


def smallest_disagreement(
    metric_a: Callable[..., Any],
    metric_b: Callable[..., Any],
    *,
    max_samples: int = 2,
    max_labels: int = 3,
) -> Disagreement | None:
    """Find the smallest data on which A finds one prediction better and B the other.

    Smallest means, within the sizes that are searched: fewest cells, then fewest samples, then
    first in lexicographic order of the truth, the first and the second prediction, row by row. Both preferences are strict, and where a
    metric has no value (nan) it has no preference. Two set metrics are tried on all pairs of
    predictions; as soon as one reads scores, on all orders of the labels, ties included; a set
    metric among them reads the labels that score at least 0.5, and then every way in which the
    threshold can cut the order is tried too. Scores rise by 0.1 (by 0.01 from five labels on), and
    those above a cut by 0.5 more.

    Parameters
    ----------
    metric_a, metric_b : public metric functions, or ``functools.partial`` of them
        Options that are bound count, so a metric can be held against itself.
    max_samples, max_labels : int
        The largest size to search; beyond 6 cells the search takes long.

    Returns
    -------
    Disagreement, or None if there is none up to that size

    Raises
    ------
    ValueError
        If a metric is not in the catalogue or has an option bound that leaves no single value or
        fixes the samples, or if a size is not a whole number of 1 or more.

    References
    ----------
    None: the search is exhaustive.

    Examples
    --------
    >>> from mlm_helpers import exact_match, hamming
    >>> found = smallest_disagreement(exact_match.subset_accuracy, hamming.hamming_loss)
    >>> found.y_true, found.first, found.second
    ([[0, 0, 0], [0, 0, 0]], [[0, 0, 0], [1, 1, 1]], [[0, 0, 1], [0, 0, 1]])
    """
    records = catalogue.of(metric_a), catalogue.of(metric_b)
    for metric in (metric_a, metric_b):
        _check_one_value(metric)
    for name, size in (("max_samples", max_samples), ("max_labels", max_labels)):
        if not isinstance(size, (int, np.integer)) or size < 1:
            raise ValueError(f"{name} is {size!r}: give a whole number of 1 or more")
    reads = frozenset(record.reads for record in records)
    for n_samples, n_labels in _sizes(max_samples, max_labels):
        truth_rows, other_rows = _binary_rows(n_labels), _other_rows(n_labels, reads)
        evaluate_a = _evaluator(metric_a, n_samples, n_labels, reads)
        evaluate_b = _evaluator(metric_b, n_samples, n_labels, reads)
        # Whatever clashes still does with its samples sorted: truths in order are enough.
        for truth in combinations_with_replacement(range(len(truth_rows)), n_samples):
            a, b = evaluate_a(truth), evaluate_b(truth)
            opposed = _first_opposed(a * _sign(metric_a), b * _sign(metric_b))
            if opposed:
                one, two = opposed
                others = list(product(range(len(other_rows)), repeat=n_samples))
                return Disagreement(
                    metric_a,
                    metric_b,
                    truth_rows[list(truth)].tolist(),
                    other_rows[list(others[one])].tolist(),
                    other_rows[list(others[two])].tolist(),
                    (float(a[one]), float(a[two])),
                    (float(b[one]), float(b[two])),
                )
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
    """Search every pair of the catalogue's metrics, each average apart, in the default sizes.

    Fβ is left out, since it is a different metric for every β.

    Returns
    -------
    dict
        From a pair of names, as `catalogue.variants` gives them, to the smallest disagreement, or
        None where there is none up to 2 samples and 3 labels.
    """
    metrics = {
        name: metric
        for name, metric in catalogue.variants().items()
        if "beta" not in catalogue.of(metric).options
    }
    return {
        (a, b): smallest_disagreement(metrics[a], metrics[b]) for a, b in combinations(metrics, 2)
    }


def _check_one_value(metric: Callable[..., Any]) -> None:
    """Refuse bound options that leave no single value to compare, or that fix the samples."""
    bound = metric.keywords if isinstance(metric, functools.partial) else {}
    if "average" in bound and bound["average"] is None:
        raise ValueError("average is None, a value per label: bind macro, micro or weighted")
    for name in ("per_sample", "sample_weight"):
        if bound.get(name) is not None and bound[name] is not False:
            raise ValueError(f"{name} is bound, and the search makes its own samples: leave it out")


def _sign(metric: Callable[..., Any]) -> int:
    return 1 if catalogue.of(metric).higher_is_better else -1


def _sizes(max_samples: int, max_labels: int) -> list[tuple[int, int]]:
    """All sizes, fewest cells first, then fewest samples."""
    sizes = product(range(1, max_samples + 1), range(1, max_labels + 1))
    return sorted(sizes, key=lambda size: (size[0] * size[1], size[0]))


# ---------------------------------------------------------------------------- worlds, row by row


def _binary_rows(n_labels: int) -> Rows:
    """Every row of 0 and 1, in lexicographic order."""
    return np.array(list(product((0, 1), repeat=n_labels)))


@functools.cache
def _other_rows(n_labels: int, reads: frozenset[str]) -> Rows:
    """Every row of predictions or scores that must be tried for metrics that read this."""
    if reads == {"y_pred"}:
        return _binary_rows(n_labels)
    return _score_rows(n_labels, cut="y_pred" in reads)


def _score_rows(n_labels: int, *, cut: bool) -> Rows:
    """Scores for every order of the labels, ties included, and every cut by the threshold."""
    rows = set()
    for levels in product(range(n_labels), repeat=n_labels):
        if set(levels) == set(range(max(levels) + 1)):  # no level is left out
            for below in range(max(levels) + 2) if cut else (0,):
                rows.add(tuple(_score(level, below, n_labels, cut) for level in levels))
    return np.array(sorted(rows))


def _score(level: int, below: int, n_labels: int, cut: bool) -> float:
    """A score for a level; with a cut, the lowest ``below`` levels stay under the threshold."""
    step = 0.1 if n_labels < 5 else 0.01
    above = THRESHOLD if cut and level >= below else 0
    return round(step * (level + 1) + above, 2)


# ---------------------------------------------------------------------------- values of all worlds

Values = NDArray[np.float64]
Evaluator = Callable[[tuple[int, ...]], Values]
"""Takes a truth as the numbers of its rows; returns a value for each prediction, in order."""


@functools.lru_cache(maxsize=256)  # a metric is compared with many others on the same worlds
def _evaluator(
    metric: Callable[..., Any], n_samples: int, n_labels: int, reads: frozenset[str]
) -> Evaluator:
    record = catalogue.of(metric)
    truth_rows, other_rows = _binary_rows(n_labels), _other_rows(n_labels, reads)
    if record.reads == "y_pred":
        other_rows = (other_rows >= THRESHOLD).astype(int)
    if "per_sample" in record.options:
        return _row_by_row(metric, truth_rows, other_rows)
    return _world_by_world(metric, truth_rows, other_rows, n_samples)


def _row_by_row(metric: Callable[..., Any], truth_rows: Rows, other_rows: Rows) -> Evaluator:
    """Mean over samples: the metric is asked once about every pair of rows."""
    truths, others = len(truth_rows), len(other_rows)
    y_true = np.repeat(truth_rows, others, axis=0)
    y_other = np.tile(other_rows, (truths, 1))
    table = metric(y_true, y_other, per_sample=True).reshape(truths, others)

    def evaluate(truth: tuple[int, ...]) -> Values:
        per_sample = np.meshgrid(*(table[row] for row in truth), indexing="ij")
        worlds = np.stack(per_sample, axis=-1).reshape(-1, len(truth))
        left = ~np.isnan(worlds)
        total, count = np.where(left, worlds, 0).sum(axis=1), left.sum(axis=1)
        value: Values = np.full(len(worlds), np.nan)
        np.divide(total, count, out=value, where=count > 0)
        return value

    return evaluate


def _world_by_world(
    metric: Callable[..., Any], truth_rows: Rows, other_rows: Rows, n_samples: int
) -> Evaluator:
    """Any metric of label sets: it is asked once about every world."""
    different, which = np.unique(other_rows, axis=0, return_inverse=True)
    predictions = [
        different[list(rows)] for rows in product(range(len(different)), repeat=n_samples)
    ]
    shape = (len(different),) * n_samples
    numbers = np.ravel_multi_index(
        np.array(list(product(which.ravel(), repeat=n_samples))).T, shape
    )

    @functools.cache
    def of_different(truth: tuple[int, ...]) -> Values:
        y_true = truth_rows[list(truth)]
        return np.array([metric(y_true, y_pred) for y_pred in predictions])

    return lambda truth: of_different(truth)[numbers]


def _first_opposed(a: Values, b: Values) -> tuple[int, int] | None:
    """The first two worlds that a and b put in opposite order, both strictly."""
    pairs, which = np.unique(np.column_stack([a, b]).round(9), axis=0, return_inverse=True)
    by_a, by_b = (np.sign(column[:, None] - column) for column in pairs.T)
    opposed = by_a * by_b < 0
    has_partner = opposed.any(axis=1)[which.ravel()]
    if not has_partner.any():
        return None
    one = int(np.argmax(has_partner))
    return one, int(np.argmax(opposed[which.ravel()[one], which.ravel()]))
