"""The smallest data on which two metrics disagree: found by looking at all of them.

A world is a truth and a prediction (or scores) of a few cells. All worlds of a size are evaluated,
sizes in growing order, so a case that is found is a smallest one, and None is a fact: up to that
size there is none.
"""

from __future__ import annotations

import functools
import math
import os
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlm_helpers import catalogue, inputs
from mlm_helpers.board import Board, Sentence, Table
from mlm_helpers.board.numbers import with_decimal

THRESHOLD = 0.5
SMALLEST = 1e-14
"""Values that differ by less are taken as equal: no two small fractions are as near, but for extreme β."""
_MOST = 1_000_000  # predictions of one truth that are looked at together
Rows = NDArray[Any]


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

    def copy(self) -> Disagreement:
        """The same with lists of its own."""
        lists = {name: deepcopy(getattr(self, name)) for name in ("y_true", "first", "second")}
        return replace(self, **lists)

    @property
    def verdicts(self) -> list[str]:
        """Each metric's two values in words, and which prediction it finds better."""
        return [
            _verdict(self.metric_a, self.values_a),
            _verdict(self.metric_b, self.values_b),
        ]

    def __repr__(self) -> str:
        """Show the data and the verdicts as text."""
        names = [catalogue.describe(metric) for metric in (self.metric_a, self.metric_b)]
        rows = tuple(
            (str(i), *(" ".join(f"{cell:g}" for cell in row) for row in sample))
            for i, sample in enumerate(zip(self.y_true, self.first, self.second, strict=True), 1)
        )
        data = Table("The smallest data", ("sample", "truth", "first", "second"), rows)
        return repr(Board(" and ".join(names), (data, *map(Sentence, self.verdicts))))


def _verdict(metric: Callable[..., Any], values: tuple[float, float]) -> str:
    higher_is_better = catalogue.of(metric).higher_is_better
    one, two = (with_decimal(Fraction(value).limit_denominator(1000)) for value in values)
    better = "first" if (values[0] > values[1]) == higher_is_better else "second"
    name = f"{catalogue.describe(metric)} {'↑' if higher_is_better else '↓'}"
    return f"{name}  first {one}, second {two}: prefers the {better}"


def smallest_disagreement(
    metric_a: Callable[..., Any],
    metric_b: Callable[..., Any],
    *,
    max_samples: int = 2,
    max_labels: int = 3,
) -> Disagreement | None:
    """Find the smallest data on which A finds one prediction better and B the other.

    Smallest means, within the sizes that are searched: fewest cells, then fewest samples, then
    first in lexicographic order of the truth, the first and the second prediction, row by row. Both
    preferences are strict (values that differ by less than 1e-14 are taken as equal), and where a
    metric has no value (nan) it has no preference; a size that a metric refuses holds no case. A
    search of some seconds shows how far it is. Two set metrics are tried on all pairs of
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
        fixes the samples, or if a size is not a whole number of 1 or more, or has more predictions
        of one truth than can be held.
    TypeError
        If an option that a metric requires is not bound.

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
    for metric in (metric_a, metric_b):
        _check_one_value(metric)
    for name, size in (("max_samples", max_samples), ("max_labels", max_labels)):
        inputs.whole(size, name, 1)
    kinds = frozenset(_kind(metric) for metric in (metric_a, metric_b))
    for n_samples, n_labels in _sizes(max_samples, max_labels):
        if not (_takes(metric_a, n_samples, n_labels) and _takes(metric_b, n_samples, n_labels)):
            continue
        truth_rows, others = _binary_rows(n_labels), _others(n_samples, n_labels, kinds)
        evaluate_a = _evaluator(metric_a, n_samples, n_labels, kinds)
        evaluate_b = _evaluator(metric_b, n_samples, n_labels, kinds)
        # Whatever clashes still does with its samples sorted: truths in order are enough.
        truths = combinations_with_replacement(range(len(truth_rows)), n_samples)
        for truth in _watched(truths, len(truth_rows), n_samples, n_labels):
            a, b = evaluate_a(truth), evaluate_b(truth)
            opposed = _first_opposed(a * _sign(metric_a), b * _sign(metric_b))
            if opposed:
                one, two = opposed
                return Disagreement(
                    metric_a,
                    metric_b,
                    truth_rows[list(truth)].tolist(),
                    others[one].tolist(),
                    others[two].tolist(),
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


def all_pairs() -> dict[tuple[str, str], Disagreement | None]:
    """Search every pair of the catalogue's metrics, each average apart, in the default sizes.

    Metrics with a required option are left out: Fβ is a different metric for every β.

    Returns
    -------
    dict
        From a pair of names, as `catalogue.variants` gives them, to the smallest disagreement, or
        None where there is none up to 2 samples and 3 labels.
    """
    names = tuple(
        name for name, metric in catalogue.variants().items() if not catalogue.of(metric).required
    )
    return {pair: found and found.copy() for pair, found in _all_pairs(names).items()}


@functools.cache
def _all_pairs(names: tuple[str, ...]) -> dict[tuple[str, str], Disagreement | None]:
    metrics = catalogue.variants()
    return {
        (a, b): smallest_disagreement(metrics[a], metrics[b]) for a, b in combinations(names, 2)
    }


def _check_one_value(metric: Callable[..., Any]) -> None:
    """Refuse bound options that leave no single value to compare, or that fix the samples."""
    chosen = catalogue.settings(metric)
    if chosen.get("average", "none") is None:
        raise ValueError("average is None, a value per label: bind macro, micro or weighted")
    for name in ("per_sample", "sample_weight"):
        if chosen.get(name) is not None and chosen[name] is not False:
            raise ValueError(f"{name} is bound, and the search makes its own samples: leave it out")


def _sign(metric: Callable[..., Any]) -> int:
    return 1 if catalogue.of(metric).higher_is_better else -1


def _kind(metric: Callable[..., Any]) -> tuple[str, str]:
    """What a metric reads, and along what: this decides which worlds differ for it."""
    record = catalogue.of(metric)
    return record.reads, record.along


def _sizes(max_samples: int, max_labels: int) -> list[tuple[int, int]]:
    """All sizes, fewest cells first, then fewest samples."""
    sizes = product(range(1, max_samples + 1), range(1, max_labels + 1))
    return sorted(sizes, key=lambda size: (size[0] * size[1], size[0]))


def _takes(metric: Callable[..., Any], n_samples: int, n_labels: int) -> bool:
    """Whether a metric has a value on data of a size: none has precision at 5 on three labels."""
    ones = np.ones((n_samples, n_labels), dtype=int)
    try:
        metric(ones, ones)
    except ValueError:
        return False
    return True


def _watched(truths: Any, n_rows: int, n_samples: int, n_labels: int) -> Any:
    """The same truths; after some seconds a bar shows how far the search is."""
    from tqdm import tqdm

    return tqdm(
        truths,
        f"{n_samples} × {n_labels}",
        total=math.comb(n_rows + n_samples - 1, n_samples),
        leave=False,
        delay=3,
        disable="MLM_QUIET" in os.environ,
    )


# ---------------------------------------------------------------------------- worlds, row by row


def _binary_rows(n_labels: int) -> Rows:
    """Every row of 0 and 1, in lexicographic order."""
    return np.array(list(product((0, 1), repeat=n_labels)))


@functools.cache
def _others(n_samples: int, n_labels: int, kinds: frozenset[tuple[str, str]]) -> Rows:
    """Every prediction, or all scores, that must be tried; shape (many, n_samples, n_labels)."""
    reads = {kind[0] for kind in kinds}
    together = ("y_score", "label") in kinds  # scores are compared down a column too
    cells = n_samples * n_labels if together else n_labels
    many = (2 if reads == {"y_pred"} else cells) ** (n_samples * n_labels)
    if many > _MOST:
        raise ValueError(
            f"{n_samples} samples × {n_labels} labels have up to {many:,} predictions of one truth,"
            f" and a search holds {_MOST:,}: give a smaller max_samples or max_labels"
        )
    if reads == {"y_pred"}:
        rows = _binary_rows(n_labels)
    else:
        rows = _score_rows(cells, cut="y_pred" in reads)
    if together:
        return rows.reshape(-1, n_samples, n_labels)
    return rows[list(product(range(len(rows)), repeat=n_samples))]


def _score_rows(n_cells: int, *, cut: bool) -> Rows:
    """Scores for every order of some cells, ties included, and every cut by the threshold."""
    rows = set()
    for levels in product(range(n_cells), repeat=n_cells):
        if set(levels) == set(range(max(levels) + 1)):  # no level is left out
            for below in range(max(levels) + 2) if cut else (0,):
                rows.add(tuple(_score(level, below, n_cells, cut) for level in levels))
    return np.array(sorted(rows))


def _score(level: int, below: int, n_cells: int, cut: bool) -> float:
    """A score for a level; with a cut, the lowest ``below`` levels stay under the threshold."""
    step = 0.1 if n_cells < 5 else 0.01
    above = THRESHOLD if cut and level >= below else 0
    return round(step * (level + 1) + above, 2)


# ---------------------------------------------------------------------------- values of all worlds

Values = NDArray[np.float64]
Evaluator = Callable[[tuple[int, ...]], Values]
"""Takes a truth as the numbers of its rows; returns a value for each prediction, in order."""


@functools.lru_cache(maxsize=256)  # a metric is compared with many others on the same worlds
def _evaluator(
    metric: Callable[..., Any], n_samples: int, n_labels: int, kinds: frozenset[tuple[str, str]]
) -> Evaluator:
    record = catalogue.of(metric)
    truth_rows, others = _binary_rows(n_labels), _others(n_samples, n_labels, kinds)
    if record.reads == "y_pred":
        others = (others >= THRESHOLD).astype(int)
    if record.along == "sample":
        return _row_by_row(metric, truth_rows, others)
    return _world_by_world(metric, truth_rows, others)


def _row_by_row(metric: Callable[..., Any], truth_rows: Rows, others: Rows) -> Evaluator:
    """Mean over samples: the metric is asked once about every pair of rows."""
    rows, which = _different(others.reshape(-1, others.shape[-1]))
    y_true = np.repeat(truth_rows, len(rows), axis=0)
    y_other = np.tile(rows, (len(truth_rows), 1))
    table = metric(y_true, y_other, per_sample=True).reshape(len(truth_rows), len(rows))
    which = which.reshape(others.shape[:2])

    def evaluate(truth: tuple[int, ...]) -> Values:
        worlds = np.stack([table[row, which[:, i]] for i, row in enumerate(truth)], axis=-1)
        left = ~np.isnan(worlds)
        total, count = np.where(left, worlds, 0).sum(axis=1), left.sum(axis=1)
        value: Values = np.full(len(worlds), np.nan)
        np.divide(total, count, out=value, where=count > 0)
        return value

    return evaluate


def _world_by_world(metric: Callable[..., Any], truth_rows: Rows, others: Rows) -> Evaluator:
    """Any metric: it is asked once about every world that it can tell from others."""
    different, which = _different(others)

    @functools.cache
    def of_different(truth: tuple[int, ...]) -> Values:
        y_true = truth_rows[list(truth)]
        return np.array([metric(y_true, other) for other in different])

    return lambda truth: of_different(truth)[which]


def _different(worlds: Rows) -> tuple[Rows, NDArray[np.intp]]:
    """Those that differ, and which of them each is."""
    different, which = np.unique(worlds, axis=0, return_inverse=True)
    return different, which.ravel()


def _first_opposed(a: Values, b: Values) -> tuple[int, int] | None:
    """The first two worlds that a and b put in opposite order, both strictly."""
    steps = np.column_stack([_steps(a), _steps(b)])
    pairs, which = np.unique(steps, axis=0, return_inverse=True)
    by_a, by_b = (np.sign(column[:, None] - column) for column in pairs.T)
    opposed = by_a * by_b < 0
    has_partner = opposed.any(axis=1)[which.ravel()]
    if not has_partner.any():
        return None
    one = int(np.argmax(has_partner))
    return one, int(np.argmax(opposed[which.ravel()[one], which.ravel()]))


def _steps(values: Values) -> Values:
    """Values as steps of a stair, lowest first: those that differ by rounding alone share one."""
    order = np.argsort(values)  # nan comes last
    steps = np.empty(len(values))
    rises = np.diff(values[order], prepend=values[order][:1]) > SMALLEST
    steps[order] = np.cumsum(rises)
    steps[np.isnan(values)] = np.nan
    return steps
