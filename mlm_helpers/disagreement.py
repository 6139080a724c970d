"""The smallest data on which two metrics disagree: found by looking at all of them.

A world is a truth and a prediction (or scores) of a few cells. All worlds of a size are evaluated,
sizes in growing order: what is found is a smallest case, and None means none up to that size.
"""

import functools
import math
import os
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlm_helpers import catalogue, counts, inputs
from mlm_helpers.board import Board, Sentence, Table
from mlm_helpers.board.numbers import with_decimal

THRESHOLD = 0.5
SMALLEST = 1e-14  # values that differ by less are equal: only under extreme β two are as near
_MOST = 1_000_000  # predictions of one truth that are looked at together
_PATIENCE = 3  # seconds after which a search shows how far it is
Metric = Callable[..., Any]
Rows = NDArray[Any]
Values = NDArray[np.float64]
Kinds = frozenset[tuple[str, str]]  # what the two metrics read, and along what


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

    metric_a: Metric
    metric_b: Metric
    y_true: list[list[int]]
    first: list[list[float]]
    second: list[list[float]]
    values_a: tuple[float, float]
    values_b: tuple[float, float]

    @property
    def a_prefers(self) -> str:
        """Which prediction metric A finds better, "first" or "second"; B prefers the other one."""
        return _better(self.metric_a, self.values_a)

    @property
    def verdicts(self) -> list[str]:
        """Each metric's two values in words, and which prediction it finds better."""
        both = (self.metric_a, self.values_a), (self.metric_b, self.values_b)
        return [
            f"{catalogue.describe(metric)} {'↑' if _sign(metric) > 0 else '↓'}  first {_shown(one)},"
            f" second {_shown(two)}: prefers the {_better(metric, (one, two))}"
            for metric, (one, two) in both
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


def _better(metric: Metric, values: tuple[float, float]) -> str:
    return "first" if (values[0] - values[1]) * _sign(metric) > 0 else "second"


def _shown(value: float) -> str:
    """As a fraction, if it is one of small numbers: under an extreme β it is not."""
    fraction = Fraction(value).limit_denominator(1000)
    return with_decimal(fraction) if abs(fraction - value) < SMALLEST else f"{value:.15g}"


def smallest_disagreement(
    metric_a: Metric, metric_b: Metric, *, max_samples: int = 2, max_labels: int = 3
) -> Disagreement | None:
    """Find the smallest data on which A finds one prediction better and B the other.

    Smallest means fewest cells, then fewest samples, then first in lexicographic order of truth,
    first and second prediction, row by row. Both preferences are strict, by more than 1e-14; no
    value (nan) is no preference, and a size that a metric refuses holds no case. Two set metrics are
    tried on all pairs of predictions; as soon as one reads scores, on all orders of the labels, ties
    included, and beside a set metric on every way in which the threshold can cut the order. A search
    of some seconds shows how far it is.

    Parameters
    ----------
    metric_a, metric_b : public metric functions, or ``functools.partial`` of them
        Options that are bound count, so a metric can be held against itself.
    max_samples, max_labels : int
        The largest size to search; beyond 6 cells it takes long.

    Returns
    -------
    Disagreement, or None if there is none up to that size

    Raises
    ------
    TypeError, ValueError
        If a metric is none of the catalogue, lacks an option, has one bound that leaves no single
        value or fixes the samples; if a size is no whole number of 1 or more, or too large to hold.

    Examples
    --------
    >>> from mlm_helpers import exact_match, hamming
    >>> found = smallest_disagreement(exact_match.subset_accuracy, hamming.hamming_loss)
    >>> found.y_true, found.first, found.second
    ([[0, 0, 0], [0, 0, 0]], [[0, 0, 0], [1, 1, 1]], [[0, 0, 1], [0, 0, 1]])
    """
    metrics = metric_a, metric_b
    for metric in metrics:
        _check_one_value(metric)
    inputs.whole(max_samples, "max_samples", 1)
    inputs.whole(max_labels, "max_labels", 1)
    kinds = frozenset((record.reads, record.along) for record in map(catalogue.of, metrics))
    _check_held(max_samples, max_labels, kinds)
    sizes = product(range(1, max_samples + 1), range(1, max_labels + 1))
    for size in sorted(sizes, key=lambda size: (math.prod(size), size)):
        if not all(_takes(metric, *size) for metric in metrics):
            continue
        truth_rows, others = _binary_rows(size[1]), _others(*size, kinds)
        evaluate_a, evaluate_b = (_evaluator(metric, *size, kinds) for metric in metrics)
        for truth in _truths(*size):
            a, b = evaluate_a(truth), evaluate_b(truth)
            opposed = _first_opposed(a * _sign(metric_a), b * _sign(metric_b))
            if opposed:
                one, two = opposed
                y_true, first, second = truth_rows[list(truth)], others[one], others[two]
                data = y_true.tolist(), first.tolist(), second.tolist()
                values = (float(a[one]), float(a[two])), (float(b[one]), float(b[two]))
                return Disagreement(metric_a, metric_b, *data, *values)
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

    From a pair of names, as `catalogue.variants` gives them, to what `smallest_disagreement` finds.
    Metrics with a required option are left out: Fβ is a different metric for every β.
    """
    found = catalogue.variants().items()
    names = tuple(name for name, metric in found if not catalogue.of(metric).required)
    return deepcopy(_all_pairs(names))


@functools.cache
def _all_pairs(names: tuple[str, ...]) -> dict[tuple[str, str], Disagreement | None]:
    of = catalogue.variants()
    return {(a, b): smallest_disagreement(of[a], of[b]) for a, b in combinations(names, 2)}


def _check_one_value(metric: Metric) -> None:
    """Refuse bound options that leave no single value to compare, or that fix the samples."""
    chosen = catalogue.settings(metric)
    if chosen.get("average", "none") is None:
        raise ValueError("average is None, a value per label: bind macro, micro or weighted")
    for name in ("per_sample", "sample_weight"):
        if chosen.get(name) is not None and chosen[name] is not False:
            raise ValueError(f"{name} is bound, and the search makes its own samples: leave it out")


def _sign(metric: Metric) -> int:
    return 1 if catalogue.of(metric).higher_is_better else -1


def _check_held(max_samples: int, max_labels: int, kinds: Kinds) -> None:
    """Refuse, before anything is searched, a size of more predictions than can be held."""
    n_samples, n_labels = min(max_samples, 30), min(max_labels, 30)  # far too many already
    values = {"y_pred": 2, "y_score": max(2, _together(n_samples, n_labels, kinds))}
    if max(values[reads] for reads, _ in kinds) ** (n_samples * n_labels) > _MOST:
        raise ValueError(
            f"max_samples is {inputs.shown(max_samples)} and max_labels is {inputs.shown(max_labels)}: one"
            f" truth can have more than {_MOST:,} predictions there, too many to hold: give smaller sizes"
        )


def _together(n_samples: int, n_labels: int, kinds: Kinds) -> int:
    """How many cells' scores are compared: those of a row, or of columns too, so all of them."""
    return n_labels * (n_samples if ("y_score", "label") in kinds else 1)


def _takes(metric: Metric, n_samples: int, n_labels: int) -> bool:
    """Whether a metric has a value on data of a size: none has precision at 5 on three labels."""
    ones = np.ones((n_samples, n_labels), dtype=int)
    try:
        metric(ones, ones)
    except ValueError:
        return False
    return True


# ---------------------------------------------------------------------------- worlds, row by row


def _truths(n_samples: int, n_labels: int) -> Any:
    """Truths as the numbers of their rows; after some seconds a bar shows how far the search is."""
    from tqdm import tqdm

    # Whatever clashes still does with its samples sorted: truths in order are enough.
    return tqdm(
        combinations_with_replacement(range(2**n_labels), n_samples),
        f"{n_samples} × {n_labels}",
        total=math.comb(2**n_labels + n_samples - 1, n_samples),
        leave=False,
        delay=_PATIENCE,
        disable="MLM_QUIET" in os.environ,
    )


def _binary_rows(n_labels: int) -> Rows:
    """Every row of 0 and 1, in lexicographic order."""
    return np.array(list(product((0, 1), repeat=n_labels)))


@functools.cache
def _others(n_samples: int, n_labels: int, kinds: Kinds) -> Rows:
    """Every prediction, or all scores, that must be tried; shape (many, n_samples, n_labels)."""
    reads, cells = {kind[0] for kind in kinds}, _together(n_samples, n_labels, kinds)
    cut = "y_pred" in reads
    rows = _score_rows(cells, cut=cut) if "y_score" in reads else _binary_rows(cells)
    worlds = product(range(len(rows)), repeat=n_samples * n_labels // cells)
    return rows[list(worlds)].reshape(-1, n_samples, n_labels)


def _score_rows(n_cells: int, *, cut: bool) -> Rows:
    """Scores for every order of some cells, ties included, and every cut by the threshold."""
    step = 0.1 if n_cells < 5 else 0.01
    rows = {
        tuple(round(step * (level + 1) + THRESHOLD * (level >= below), 2) for level in levels)
        for levels in product(range(n_cells), repeat=n_cells)
        if set(levels) == set(range(max(levels) + 1))  # no level is left out
        for below in (range(max(levels) + 2) if cut else (n_cells,))  # levels under the threshold
    }
    return np.array(sorted(rows))


# ---------------------------------------------------------------------------- values of all worlds

Evaluator = Callable[[tuple[int, ...]], Values]  # from a truth, to a value for each prediction


@functools.lru_cache(maxsize=256)  # a metric is compared with many others on the same worlds
def _evaluator(metric: Metric, n_samples: int, n_labels: int, kinds: Kinds) -> Evaluator:
    record, others = catalogue.of(metric), _others(n_samples, n_labels, kinds)
    if record.reads == "y_pred":
        others = (others >= THRESHOLD).astype(int)
    elif record.along == "label":
        others = _places(others, catalogue.settings(metric)["average"] == "micro")
    of_kind = _row_by_row if record.along == "sample" else _world_by_world
    return of_kind(metric, _binary_rows(n_labels), others)


def _places(others: Rows, micro: bool) -> Rows:
    """How many scores each one beats: in its column, or for micro anywhere. A label's metric sees no more."""
    lists = others.reshape(len(others), 1, -1) if micro else others.swapaxes(1, 2)
    places = (lists[..., :, None] > lists[..., None, :]).sum(axis=-1)
    return np.asarray(places.reshape(others.shape) if micro else places.swapaxes(1, 2))


def _row_by_row(metric: Metric, truth_rows: Rows, others: Rows) -> Evaluator:
    """Mean over samples: the metric is asked about each row of a truth beside all others' rows."""
    rows, which = _different(others.reshape(-1, others.shape[-1]))
    which = which.reshape(others.shape[:2])

    @functools.cache
    def of_rows(truth: int) -> Values:
        y_true = np.broadcast_to(truth_rows[truth], rows.shape)
        return np.asarray(metric(y_true, rows, per_sample=True))

    def evaluate(truth: tuple[int, ...]) -> Values:
        worlds = np.stack([of_rows(row)[which[:, i]] for i, row in enumerate(truth)], axis=-1)
        left = ~np.isnan(worlds)
        return counts.divided(np.where(left, worlds, 0).sum(axis=1), left.sum(axis=1), math.nan)

    return evaluate


def _world_by_world(metric: Metric, truth_rows: Rows, others: Rows) -> Evaluator:
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
    """Values as steps of a stair, lowest first: those that differ by rounding alone share one."""
    order = np.argsort(values)
    steps = np.empty(len(values), dtype=int)
    steps[order] = np.cumsum(np.diff(values[order], prepend=values[order][:1]) > SMALLEST)
    return steps
