"""Small worlds: every truth, every prediction, and every order of the scores, of a few cells.

What is sought in them is sought in sizes that grow, so what is found first is a smallest case.
"""

import functools
import math
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlm_helpers import catalogue, counts, inputs
from mlm_helpers.board.numbers import with_decimal

THRESHOLD = 0.5
SMALLEST = 1e-14  # values that differ by less are equal: only under extreme β two are as near
_MOST = 1_000_000  # predictions of one truth that are looked at together
_PATIENCE = 3  # seconds after which a search shows how far it is
Metric = Callable[..., Any]
Rows = NDArray[Any]
Values = NDArray[np.float64]
Kinds = frozenset[tuple[str, str]]  # what metrics read, and along what


def kinds_of(metrics: Iterable[Metric]) -> Kinds:
    """What some metrics read, and along what they have values."""
    return frozenset((record.reads, record.along) for record in map(catalogue.of, metrics))


def shown(value: float) -> str:
    """As a fraction, if it is one of small numbers: under an extreme β it is not."""
    if math.isnan(value):
        return "nan"
    fraction = Fraction(value).limit_denominator(1000)
    return with_decimal(fraction) if abs(fraction - value) < SMALLEST else f"{value:.15g}"


def written(*matrices: Any) -> tuple[tuple[str, ...], ...]:
    """Rows of a table: the number of each sample, and its cells in each of some matrices."""
    samples = enumerate(zip(*matrices, strict=True), 1)
    return tuple(
        (str(i), *(" ".join(f"{cell:g}" for cell in row) for row in sample))
        for i, sample in samples
    )


# ---------------------------------------------------------------------------- what is searched


def sizes(
    max_samples: int, max_labels: int, metrics: tuple[Metric, ...]
) -> Iterator[tuple[int, int]]:
    """Numbers of samples and labels that all metrics take: fewest cells, then fewest samples.

    Refused, before anything is searched, is a size of more predictions than can be held.
    """
    inputs.whole(max_samples, "max_samples", 1)
    inputs.whole(max_labels, "max_labels", 1)
    _check_held(max_samples, max_labels, kinds_of(metrics))
    every = product(range(1, max_samples + 1), range(1, max_labels + 1))
    ordered = sorted(every, key=lambda size: (math.prod(size), size))
    return (size for size in ordered if all(_takes(metric, *size) for metric in metrics))


def smallest(search: Callable[..., Any], *bounds: tuple[int, int]) -> Any:
    """The smallest of what a search finds within each of some largest sizes, or None."""
    found = [search(max_samples=samples, max_labels=labels) for samples, labels in bounds]
    cases = [(np.size(case.y_true), len(case.y_true), case) for case in found if case]
    return min(cases, key=lambda case: case[:2])[-1] if cases else None


def _check_held(max_samples: int, max_labels: int, kinds: Kinds) -> None:
    n_samples, n_labels = min(max_samples, 30), min(max_labels, 30)  # far too many already
    values = {"y_pred": 2, "y_score": max(2, _together(n_samples, n_labels, kinds))}
    if max(values[reads] for reads, _ in kinds) ** (n_samples * n_labels) > _MOST:
        raise ValueError(
            f"max_samples is {inputs.shown(max_samples)} and max_labels is {inputs.shown(max_labels)}: one"
            f" truth can have more than {_MOST:,} predictions there, too many to hold: give smaller sizes"
        )


def _takes(metric: Metric, n_samples: int, n_labels: int) -> bool:
    """Whether a metric has a value on data of a size: none has precision at 5 on three labels."""
    ones = np.ones((n_samples, n_labels), dtype=int)
    try:
        metric(ones, ones)
    except ValueError:
        return False
    return True


def one_by_one(
    truths: Iterable[tuple[int, ...]], size: tuple[int, int], total: int
) -> Iterable[tuple[int, ...]]:
    """Truths of a size; after some seconds a bar shows how far the search is."""
    from tqdm import tqdm

    bar: Iterable[tuple[int, ...]] = tqdm(
        truths,
        "{} × {}".format(*size),
        total=total,
        leave=False,
        delay=_PATIENCE,
    )
    return bar


def every_truth(n_samples: int, n_labels: int) -> Iterator[Rows]:
    """Every truth, in lexicographic order; after some seconds a bar shows how far the search is."""
    rows = binary_rows(n_labels)
    truths = product(range(len(rows)), repeat=n_samples)
    for truth in one_by_one(truths, (n_samples, n_labels), len(rows) ** n_samples):
        yield rows[list(truth)]


# ---------------------------------------------------------------------------- worlds, row by row


def binary_rows(n_labels: int) -> Rows:
    """Every row of 0 and 1, in lexicographic order."""
    return np.array(list(product((0, 1), repeat=n_labels)))


@functools.cache
def others(n_samples: int, n_labels: int, kinds: Kinds) -> Rows:
    """Every prediction, or all scores, that must be tried; shape (many, n_samples, n_labels)."""
    reads, cells = {kind[0] for kind in kinds}, _together(n_samples, n_labels, kinds)
    cut = "y_pred" in reads
    rows = score_rows(cells, cut=cut) if "y_score" in reads else binary_rows(cells)
    worlds = product(range(len(rows)), repeat=n_samples * n_labels // cells)
    return rows[list(worlds)].reshape(-1, n_samples, n_labels)


def _together(n_samples: int, n_labels: int, kinds: Kinds) -> int:
    """How many cells' scores are compared: those of a row, or of columns too, so all of them."""
    return n_labels * (n_samples if ("y_score", "label") in kinds else 1)


def score_rows(n_cells: int, *, cut: bool) -> Rows:
    """Scores for every order of some cells, ties included, and every cut by the threshold."""
    step = 0.1 if n_cells < 5 else 0.01
    rows = {
        tuple(round(step * (level + 1) + THRESHOLD * (level >= below), 2) for level in levels)
        for levels in product(range(n_cells), repeat=n_cells)
        if set(levels) == set(range(max(levels) + 1))  # no level is left out
        for below in (range(max(levels) + 2) if cut else (n_cells,))  # levels under the threshold
    }
    return np.array(sorted(rows))


def as_read(metric: Metric, y_other: Rows) -> Rows:
    """Scores as a metric reads them: a set metric, the labels of a score of at least 1/2."""
    scored = catalogue.of(metric).reads == "y_score"
    return y_other if scored else (y_other >= THRESHOLD).astype(int)


# ---------------------------------------------------------------------------- values of worlds


def values(metric: Metric, y_true: Rows, y_other: Rows) -> Values:
    """A metric's value of each of many worlds, all of shape (n_worlds, n_samples, n_labels).

    The metric is asked once: for each row's value, or each column's, each pool's for micro.
    """
    record, (n_worlds, _, n_labels) = catalogue.of(metric), y_true.shape
    if record.along == "sample":
        rows = (worlds.reshape(-1, n_labels) for worlds in (y_true, y_other))
        return mean_of_rows(np.asarray(metric(*rows, per_sample=True)).reshape(n_worlds, -1))
    average = catalogue.settings(metric)["average"]
    if average == "micro":  # one list of all cells
        y_true, y_other = (worlds.reshape(n_worlds, -1, 1) for worlds in (y_true, y_other))
    columns = np.stack([np.concatenate(worlds, axis=-1) for worlds in (y_true, y_other)])
    which = np.arange(columns.shape[-1])
    if record.reads == "y_score":  # to sort a column takes long, and many are alike
        columns, which = np.unique(columns, axis=-1, return_inverse=True)
    of_columns = metric(*columns, average=None)[which.ravel()].reshape(n_worlds, -1)
    support = y_true.sum(axis=1)
    averaged = map(functools.partial(counts.averaged, average=average), of_columns, support)
    return np.array(list(averaged))


def mean_of_rows(of_rows: Values) -> Values:
    """The mean of the values that are not nan, along the last axis."""
    left = ~np.isnan(of_rows)
    return counts.divided(np.where(left, of_rows, 0).sum(axis=-1), left.sum(axis=-1), math.nan)
