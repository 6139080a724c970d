"""Small worlds: all data of a few cells, every truth with every prediction or order of the scores.

A search meets the fewest cells first, then the fewest samples, then truth and prediction in
lexicographic order, row by row. So the first world with some property is a smallest one.
"""

import functools
import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlm_course.numbers import with_decimal
from mlm_helpers import catalogue
from mlm_helpers._core import counts, inputs
from mlm_helpers.catalogue import MetricFunction
from mlm_helpers.tables.numbers import decimal

THRESHOLD = 0.5
PROBABILITIES = (0.1, 0.3, 0.7, 0.9)  # the probabilities of a cell that are tried
TOLERANCE = 1e-14  # values that differ by less are equal: only under extreme β two are as near
_MOST = 8  # cells of a world
_AT_ONCE = 20_000  # worlds whose values are found in one call
Rows = NDArray[Any]
Values = NDArray[np.float64]
Batch = tuple[Rows, Rows, list[Values]]
"""Truths, all predictions or orders of scores, and the values of each metric of each with each.

Shapes (n_truths, n_samples, n_labels), (n_others, n_samples, n_labels) and (n_truths, n_others).
"""
Size = tuple[int, int]
Scopes = frozenset[str]  # among which cells some metrics compare scores


def batches(metrics: tuple[MetricFunction, ...], *bounds: tuple[int, int]) -> Iterator[Batch]:
    """All worlds of the sizes that the metrics take within any of the bounds, the smallest first.

    A bound is a pair: most samples and most labels.
    """
    for metric in metrics:
        check_one_value(metric)
    sizes = set()
    for n_samples, n_labels in bounds:
        inputs.read_int(n_samples, "max_samples", 1)
        inputs.read_int(n_labels, "max_labels", 1)
        if n_samples * n_labels > _MOST:
            raise ValueError(
                f"max_samples is {n_samples} and max_labels is {n_labels}: a search of more than {_MOST} cells"
                " takes too long, give smaller sizes"
            )
        sizes |= {*product(range(1, n_samples + 1), range(1, n_labels + 1))}
    in_order = sorted(sizes, key=lambda size: (math.prod(size), size))
    for metric in metrics:
        if not any(accepts_size(metric, *size) for size in in_order):
            metric(*np.ones((2, *in_order[-1]), dtype=int))  # raises what is wrong with its options
    for size in in_order:
        if all(accepts_size(metric, *size) for metric in metrics):
            yield from batches_of_size(metrics, *size)


def check_one_value(metric: MetricFunction) -> None:
    """Refuse options under which a metric returns several numbers, or that belong to certain samples."""
    if catalogue.resolve_scalar_options(metric).get("sample_weight") is not None:
        raise ValueError("sample_weight is bound, and the samples are made here: leave it out")


def batches_of_size(
    metrics: tuple[MetricFunction, ...], n_samples: int, n_labels: int
) -> Iterator[Batch]:
    """All worlds of one size, some truths at a time."""
    shape, scopes = (n_samples, n_labels), comparison_scopes(metrics)
    truths, others = all_truths(*shape), all_predictions(*shape, scopes)
    step = max(1, _AT_ONCE // len(others))
    for first in range(0, len(truths), step):
        part = first, first + step
        values = [_of_truths(metric, part, shape, scopes) for metric in metrics]
        yield truths[slice(*part)], others, values


@functools.lru_cache(maxsize=1024)
def accepts_size(metric: MetricFunction, n_samples: int, n_labels: int) -> bool:
    """Whether a metric accepts data of a size: precision at 5 needs five labels."""
    ones = np.ones((n_samples, n_labels), dtype=int)
    try:
        metric(ones, ones)
    except ValueError:
        return False
    return True


# ---------------------------------------------------------------------------- predictions


def _scope(metric: MetricFunction) -> str:
    """Among which cells a metric compares scores: of a "row", a "column", "all", or "none".

    Or "cell" where it reads each as it is: a probability.
    """
    record = catalogue.record_of(metric)
    if record.reads != "y_score":
        return "none" if record.reads == "y_pred" else "cell"
    if record.unit != "label":
        return "row"
    return "all" if catalogue.resolve_options(metric)["average"] == "micro" else "column"


def comparison_scopes(metrics: tuple[MetricFunction, ...]) -> Scopes:
    """The scopes of some metrics; columns beside anything else make one order of all cells."""
    scopes = frozenset(map(_scope, metrics))
    return scopes | {"all"} if "column" in scopes and len(scopes) > 1 else scopes


def binary_rows(n_labels: int) -> Rows:
    """Every row of 0 and 1, in lexicographic order."""
    return np.array(list(product((0, 1), repeat=n_labels)))


@functools.cache
def all_truths(n_samples: int, n_labels: int) -> Rows:
    """Every truth of a size, in lexicographic order; shape (many, n_samples, n_labels)."""
    return np.array(list(product(binary_rows(n_labels), repeat=n_samples)))


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


@functools.lru_cache(maxsize=32)
def all_predictions(n_samples: int, n_labels: int, scopes: Scopes) -> Rows:
    """Every prediction, or all scores, that must be tried; shape (many, n_samples, n_labels)."""
    cells = n_samples if "column" in scopes else n_labels
    if "all" in scopes:
        cells = n_samples * n_labels
    rows = binary_rows(cells)
    if "cell" in scopes:
        cells, rows = 1, np.array(PROBABILITIES)[:, None]
    elif scopes - {"none"}:
        rows = score_rows(cells, cut="none" in scopes)
    lists = rows[list(product(range(len(rows)), repeat=n_samples * n_labels // cells))]
    if scopes == {"column"}:
        return np.unique(lists.swapaxes(1, 2), axis=0)
    return lists.reshape(-1, n_samples, n_labels)


# ---------------------------------------------------------------------------- values


@functools.lru_cache(maxsize=32)
def _different(n_samples: int, n_labels: int, scopes: Scopes, reads: str) -> tuple[Rows, Rows]:
    """Predictions that differ in what a metric reads, and which of them each prediction is."""
    others = all_predictions(n_samples, n_labels, scopes)
    if reads == "y_pred":
        others = (others >= THRESHOLD).astype(int)
    different, which = np.unique(others, axis=0, return_inverse=True)
    return different, which.ravel()


@functools.lru_cache(maxsize=1024)  # a metric is compared with many others on the same worlds
def _of_truths(metric: MetricFunction, part: Size, shape: Size, scopes: Scopes) -> Values:
    """A metric's value of every prediction of some truths."""
    different, which = _different(*shape, scopes, catalogue.record_of(metric).reads)
    truths = all_truths(*shape)[slice(*part)]
    return metric_values(metric, *cross_product(truths, different)).reshape(len(truths), -1)[
        :, which
    ]


def cross_product(truths: Rows, others: Rows) -> tuple[Rows, Rows]:
    """Each truth with each prediction, as two lists of worlds."""
    return np.repeat(truths, len(others), axis=0), np.tile(others, (len(truths), 1, 1))


def metric_values(metric: MetricFunction, y_true: Rows, y_pred: Rows) -> Values:
    """A metric's value of each of many worlds, all of shape (n_worlds, n_samples, n_labels)."""
    own, weights = unit_values(metric, y_true, y_pred)
    left = ~np.isnan(own)
    kept = np.where(left, weights, 0)
    kept = np.where(kept.any(axis=-1, keepdims=True), kept, left)  # without support, all alike
    return counts.safe_divide(
        (np.where(left, own, 0) * kept).sum(axis=-1), kept.sum(axis=-1), math.nan
    )


def unit_values(metric: MetricFunction, y_true: Rows, y_pred: Rows) -> tuple[Values, Rows]:
    """The values that a metric averages in each world, and their weights: (n_worlds, n_values) each.

    The metric is asked once: for the values of all rows, of all columns, or for micro of all lists
    of cells. A metric of the whole data set alone is asked world by world.
    """
    record, n_worlds = catalogue.record_of(metric), len(y_true)
    if record.unit == "sample":
        rows = [worlds.reshape(-1, worlds.shape[-1]) for worlds in (y_true, y_pred)]
        own = np.asarray(metric(*rows, per_sample=True)).reshape(n_worlds, -1)
        return own, np.ones_like(own)
    if record.unit == "all":
        own = np.array([[metric(*world)] for world in zip(y_true, y_pred, strict=True)])
        return own, np.ones_like(own)
    average = catalogue.resolve_options(metric)["average"]
    if average == "micro":  # one list of all cells
        y_true, y_pred = (worlds.reshape(n_worlds, -1, 1) for worlds in (y_true, y_pred))
    columns = np.stack([np.moveaxis(w, 1, 0).reshape(w.shape[1], -1) for w in (y_true, y_pred)])
    is_curve = record.reads == "y_score"
    own = _of_columns(metric, columns) if is_curve else metric(*columns, average=None)
    own = own.reshape(n_worlds, -1)
    return own, y_true.sum(axis=1) if average == "weighted" else np.ones_like(own)


_KNOWN: dict[Any, dict[bytes, float]] = {}  # of a metric with its options, of a column


def _of_columns(metric: MetricFunction, columns: Rows) -> Values:
    """A curve's values of columns: to sort one takes long, and many are alike, so each is asked once."""
    options = catalogue.resolve_options(metric) | {"average": None}
    known = _KNOWN.setdefault((catalogue.record_of(metric).function, str(options)), {})
    each = np.ascontiguousarray(columns.reshape(-1, columns.shape[-1]).T)
    as_bytes = each.view(f"V{each[0].nbytes}").ravel()  # they sort faster than numbers
    keys, first, which = np.unique(as_bytes, return_index=True, return_inverse=True)
    new = [i for i, key in enumerate(keys.tolist()) if key not in known]
    own = metric(*columns[..., first[new]], average=None) if new else ()
    known.update(zip(keys[new].tolist(), own, strict=True))
    return np.array([known[key] for key in keys.tolist()])[which]


# ---------------------------------------------------------------------------- in words


def fraction_or_root(value: float) -> str:
    """As a fraction of small numbers or the root of one, if it is such: under an extreme β it is not.

    >>> fraction_or_root(2 / 3), fraction_or_root(-(3**-0.5))
    ('2/3 ≈ 0.667', '-√(1/3) ≈ -0.577')
    """
    if math.isnan(value):
        return "nan"
    fraction, square = (Fraction(one).limit_denominator(1000) for one in (value, value**2))
    if abs(fraction - value) < TOLERANCE:
        return with_decimal(fraction)
    if abs(square - value**2) < TOLERANCE:
        return f"{'-' * (value < 0)}√({square}) ≈ {decimal(value)}"
    return f"{value:.15g}"


def row_texts(matrix: Any) -> list[str]:
    """Each row of a matrix as text."""
    return [" ".join(f"{cell:g}" for cell in row) for row in matrix]
