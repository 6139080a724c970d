"""All small data sets: each truth of a few cells with each prediction, or each order of the scores.

They come with the fewest cells first, then the fewest samples, then truth and prediction in
lexicographic order, row by row. So the first data set with some property is a smallest one.
"""

import functools
import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mlm_course.numbers import with_decimal
from mlm_helpers import catalogue
from mlm_helpers._core import counts
from mlm_helpers._core.averages import AVERAGES, mean_of
from mlm_helpers._core.inputs.options import read_int
from mlm_helpers.catalogue.arguments import resolve_options, resolve_scalar_options
from mlm_helpers.catalogue.metric import MetricFunction
from mlm_helpers.tables.numbers import decimal

THRESHOLD = 0.5  # at which set metrics read scores
PROBABILITIES = (0.1, 0.3, 0.7, 0.9)  # that are tried for each cell
TOLERANCE = 1e-14  # values closer than this count as equal; only an extreme β gives such values
_MAX_CELLS = 8
_BATCH_SIZE = 20_000  # data sets whose values are computed in one call
Rows = NDArray[Any]
Values = NDArray[np.float64]
Size = tuple[int, ...]  # n_samples, n_labels
Range = tuple[int, int]  # start and stop; slices cannot be arguments of cached functions
Scopes = frozenset[str]  # see `_scope`


class Batch(NamedTuple):
    """Some truths and all predictions of one size, with the values of metrics."""

    truths: Rows  # shape (n_truths, n_samples, n_labels)
    predictions: Rows  # or scores, shape (n_predictions, n_samples, n_labels)
    values: list[Values]  # of each metric, shape (n_truths, n_predictions)


def batches(metrics: tuple[MetricFunction, ...], *bounds: Size) -> Iterator[Batch]:
    """All data sets within the bounds (max_samples, max_labels) that the metrics accept.

    The smallest come first.
    """
    for metric in metrics:
        check_one_value(metric)
    sizes = set()
    for n_samples, n_labels in bounds:
        read_int(n_samples, "max_samples", 1)
        read_int(n_labels, "max_labels", 1)
        if n_samples * n_labels > _MAX_CELLS:
            remedy = f"a search of more than {_MAX_CELLS} cells takes too long, give smaller sizes"
            raise ValueError(f"max_samples is {n_samples} and max_labels is {n_labels}: {remedy}")
        sizes |= {*product(range(1, n_samples + 1), range(1, n_labels + 1))}
    ascending = sorted(sizes, key=lambda size: (math.prod(size), size))
    for metric in metrics:
        if not any(accepts_size(metric, *size) for size in ascending):
            metric(*np.ones((2, *ascending[-1]), dtype=int))  # raises the error about its options
    for size in ascending:
        if all(accepts_size(metric, *size) for metric in metrics):
            yield from batches_of_size(metrics, *size)


def check_one_value(metric: MetricFunction) -> None:
    """Refuse a metric of several values (`resolve_scalar_options` does) or of weighted samples."""
    if resolve_scalar_options(metric).get("sample_weight") is not None:
        raise ValueError("sample_weight is bound, and the samples are made here: leave it out")


def batches_of_size(metrics: tuple[MetricFunction, ...], *size: int) -> Iterator[Batch]:
    """All data sets of the size (n_samples, n_labels), some truths at a time."""
    scopes, truths = comparison_scopes(metrics), all_truths(*size)
    predictions = all_predictions(*size, scopes=scopes)
    n_truths = max(1, _BATCH_SIZE // len(predictions))
    for start in range(0, len(truths), n_truths):
        part = start, start + n_truths
        values = [_values_of_part(metric, part, size, scopes) for metric in metrics]
        yield Batch(truths[slice(*part)], predictions, values)


@functools.lru_cache(maxsize=1024)
def accepts_size(metric: MetricFunction, n_samples: int, n_labels: int) -> bool:
    """Whether a metric accepts data of a size: precision at 5 needs five labels."""
    ones = np.ones((n_samples, n_labels), dtype=int)
    try:
        metric(ones, ones)
    except ValueError:
        return False
    return True


def _scope(metric: MetricFunction) -> str:
    """Among which cells a metric compares scores: those of a "row", of a "column", or "all".

    It is "none" for a set metric, and "cell" for a metric of probabilities, which compares none.
    """
    record = catalogue.record_of(metric)
    if record.reads != "y_score":
        return "none" if record.reads == "y_pred" else "cell"
    if record.unit != "label":
        return "row"
    average = resolve_options(metric)["average"]
    return "all" if AVERAGES[average].is_pooled else "column"


def comparison_scopes(metrics: tuple[MetricFunction, ...]) -> Scopes:
    """Among which cells the metrics compare scores: all if only some compare columns.

    See `_scope`.
    """
    scopes = frozenset(map(_scope, metrics))
    return scopes | {"all"} if "column" in scopes and len(scopes) > 1 else scopes


def binary_rows(n_labels: int) -> Rows:
    """All rows of 0 and 1, in lexicographic order; shape (2**n_labels, n_labels)."""
    return np.array(list(product((0, 1), repeat=n_labels)))


@functools.cache
def all_truths(n_samples: int, n_labels: int) -> Rows:
    """All truths of a size, in lexicographic order; shape (n_truths, n_samples, n_labels)."""
    return np.array(list(product(binary_rows(n_labels), repeat=n_samples)))


def score_rows(n_cells: int, *, with_threshold: bool) -> Rows:
    """A row of scores for each order of cells, with ties, and if asked each threshold's place."""
    step = 0.1 if n_cells < 5 else 0.01  # all levels have room below the threshold
    rows = set()
    for levels in product(range(n_cells), repeat=n_cells):
        n_levels = max(levels) + 1
        if len(set(levels)) == n_levels:  # the levels are 0, 1, … without a gap
            for n_below in range(n_levels + 1) if with_threshold else (n_levels,):
                scores = [step * (level + 1) + THRESHOLD * (level >= n_below) for level in levels]
                rows.add(tuple(round(score, 2) for score in scores))
    return np.array(sorted(rows))


@functools.lru_cache(maxsize=32)
def all_predictions(n_samples: int, n_labels: int, scopes: Scopes) -> Rows:
    """All predictions or scores that these scopes tell apart: (n_predictions, n_samples, n_labels).

    Each group of cells that are compared (a row, a column, a cell or all) has all its rows of
    scores.
    """
    n_cells = n_samples * n_labels
    n_compared = n_cells if "all" in scopes else n_samples if "column" in scopes else n_labels
    if "cell" in scopes:
        n_compared, rows = 1, np.array(PROBABILITIES)[:, None]
    elif scopes == {"none"}:
        rows = binary_rows(n_compared)
    else:
        rows = score_rows(n_compared, with_threshold="none" in scopes)
    combinations = rows[list(product(range(len(rows)), repeat=n_cells // n_compared))]
    if scopes == {"column"}:
        return np.unique(combinations.swapaxes(1, 2), axis=0)  # in lexicographic order again
    return combinations.reshape(-1, n_samples, n_labels)


@functools.lru_cache(maxsize=32)
def _distinct_predictions(size: Size, scopes: Scopes, reads: str) -> tuple[Rows, Rows]:
    """The distinct predictions, as label sets if a metric reads sets, and each one's index."""
    predictions = all_predictions(*size, scopes=scopes)
    if reads == "y_pred":
        predictions = (predictions >= THRESHOLD).astype(int)
    distinct, inverse = np.unique(predictions, axis=0, return_inverse=True)
    return distinct, inverse.ravel()


@functools.lru_cache(maxsize=1024)  # a metric is compared with many others on the same data
def _values_of_part(metric: MetricFunction, part: Range, size: Size, scopes: Scopes) -> Values:
    """A metric's values of the truths from part[0] to part[1] with all predictions of a size."""
    distinct, inverse = _distinct_predictions(size, scopes, catalogue.record_of(metric).reads)
    truths = all_truths(*size)[slice(*part)]
    values = metric_values(metric, *cross_product(truths, distinct))
    return values.reshape(len(truths), -1)[:, inverse]


def cross_product(truths: Rows, predictions: Rows) -> tuple[Rows, Rows]:
    """Each truth with each prediction, as two arrays of the same length."""
    return np.repeat(truths, len(predictions), axis=0), np.tile(predictions, (len(truths), 1, 1))


def metric_values(metric: MetricFunction, y_true: Rows, y_pred: Rows) -> Values:
    """A metric's value of each of many data sets, arrays of shape (n_sets, n_samples, n_labels)."""
    values, weights = unit_values(metric, y_true, y_pred)
    is_defined = ~np.isnan(values)
    weights = np.where(is_defined, weights, 0)
    # where no defined label has support, all of them weigh the same
    weights = np.where(weights.any(axis=-1, keepdims=True), weights, is_defined)
    totals = (np.where(is_defined, values, 0) * weights).sum(axis=-1)
    return counts.safe_divide(totals, weights.sum(axis=-1), math.nan)


def unit_values(metric: MetricFunction, y_true: Rows, y_pred: Rows) -> tuple[Values, Rows]:
    """The values that a metric averages in each data set, and their weights: (n_sets, n_units).

    One call computes the values of all rows, of all columns, or for micro of all cells of a data
    set as one column. Only a metric without such values is called once for each data set.
    """
    record, n_sets = catalogue.record_of(metric), len(y_true)
    if record.unit == "sample":
        rows = [matrices.reshape(-1, matrices.shape[-1]) for matrices in (y_true, y_pred)]
        values = np.asarray(metric(*rows, per_sample=True)).reshape(n_sets, -1)
        return values, np.ones_like(values)
    if record.unit == "all":
        values = np.array([[metric(*matrices)] for matrices in zip(y_true, y_pred, strict=True)])
        return values, np.ones_like(values)
    averaging = mean_of(resolve_options(metric)["average"])
    if averaging.is_pooled:
        y_true, y_pred = (matrices.reshape(n_sets, -1, 1) for matrices in (y_true, y_pred))
    # the columns of all data sets side by side, shape (2, n_samples, n_sets * n_labels)
    columns = np.stack([np.moveaxis(m, 1, 0).reshape(m.shape[1], -1) for m in (y_true, y_pred)])
    is_curve = record.reads == "y_score"
    values = _curve_values(metric, columns) if is_curve else metric(*columns, average=None)
    values = values.reshape(n_sets, -1)
    return values, y_true.sum(axis=1) if averaging.weighs_support else np.ones_like(values)


_CURVE_VALUES: dict[Any, dict[bytes, float]] = {}  # by metric with options, then by column


def _curve_values(metric: MetricFunction, columns: Rows) -> Values:
    """A curve metric's values of columns (2, n_samples, n_columns); equal ones computed once."""
    options = resolve_options(metric) | {"average": None}
    known = _CURVE_VALUES.setdefault((catalogue.record_of(metric).function, str(options)), {})
    flat = np.ascontiguousarray(columns.reshape(-1, columns.shape[-1]).T)
    as_bytes = flat.view(f"V{flat[0].nbytes}").ravel()  # bytes sort faster than numbers
    keys, first, inverse = np.unique(as_bytes, return_index=True, return_inverse=True)
    new = [i for i, key in enumerate(keys.tolist()) if key not in known]
    values = metric(*columns[..., first[new]], average=None) if new else ()
    known.update(zip(keys[new].tolist(), values, strict=True))
    return np.array([known[key] for key in keys.tolist()])[inverse]


def fraction_or_root(value: float) -> str:
    """Text of a value, as a fraction or the root of one if its denominator is at most 1000.

    >>> fraction_or_root(2 / 3), fraction_or_root(-(3**-0.5))
    ('2/3 ≈ 0.667', '-√(1/3) ≈ -0.577')
    """
    if math.isnan(value):
        return "nan"
    fraction, square = (Fraction(x).limit_denominator(1000) for x in (value, value**2))
    if abs(fraction - value) < TOLERANCE:
        return with_decimal(fraction)
    if abs(square - value**2) < TOLERANCE:
        return f"{'-' * (value < 0)}√({square}) ≈ {decimal(value)}"
    return f"{value:.15g}"


def row_texts(matrix: Any) -> list[str]:
    """Text of each row of a matrix: "0 1 1"."""
    return [" ".join(f"{cell:g}" for cell in row) for row in matrix]
