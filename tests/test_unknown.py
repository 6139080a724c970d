"""Unknown cells: every metric is what it is of lists from which the unknown labels, or samples, were taken; and bounds.

A row or a column is what the metric is of what is left of it, which is known everywhere; what is made of all rows and
columns, the worked steps say as well.
"""

from __future__ import annotations

from functools import cache, partial
from itertools import combinations_with_replacement, product
from math import nan
from unittest import mock
from zlib import crc32

import all_small
import numpy as np
import pytest
import throwaway
from random_inputs import RANDOM_OPTIONS, agree, mask_cells, on_random_problems, option_values

from mlm_helpers import catalogue, example_based, hierarchy, label_based, top_k, worked
from mlm_helpers._core import blocks
from mlm_helpers.curves import precision_recall, roc
from mlm_helpers.data import bounds, unknown
from mlm_helpers.exact_match import subset_accuracy
from mlm_helpers.probability import reliability

NEWCOMERS = [record for record in throwaway.RECORDS if not record.prepare]
RECORDS = [*catalogue.METRICS, *NEWCOMERS]
every_metric = pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.id)


@pytest.fixture(autouse=True, scope="module")
def throwaways_and_short_runs():
    """Matrices are read a row or two at a time."""
    with throwaway.installed(), mock.patch.object(blocks, "BLOCK_CELLS", 4):
        yield


# ---------------------------------------------------------------------------- of what is left


def value(function, *data, **options):
    """The one value of one row or one column."""
    return float(np.ravel(function(*data, **options))[0])


def of_row(record, row, other, options):
    """One sample; of fewer than k labels hits are divided by k all the same."""
    known = np.not_equal(row, None)
    n_known, options, factor = int(known.sum()), options | {"per_sample": True}, 1.0
    if options.get("k", 0) > n_known:
        factor = n_known / options["k"] if record.function is top_k.precision else 1.0
        options["k"] = n_known
    lists = ([each[known].tolist()] for each in (row, other))
    return factor * value(record.function, *lists, **options) if n_known else nan


def of_column(record, column, other, weights, options):
    """One label, or all cells in one list."""
    known = np.not_equal(column, None)
    if not weights[known].sum():
        return nan
    lists = (each[known, None].tolist() for each in (column, other))
    options = options | {"average": None, "sample_weight": weights[known]}
    return value(record.function, *lists, **options)


def flat(record, y_true, y_pred, parents, average, **options):
    """A hierarchical metric as the flat one of closed sets."""
    room = label_based if average == "micro" else example_based
    metric = getattr(room, record.function.__name__)
    options |= {"average": "micro"} if average == "micro" else {}
    kept = slice(0 if options.pop("root") or not any(parents) else 1, None)  # the root is label 0
    closed = (hierarchy.closure(y, parents)[:, kept] for y in (y_true, y_pred))
    return metric(*closed, **options)


# ---------------------------------------------------------------------------- the same of all at once


def drawn(record, random):
    """Truth with None where it is unknown, the other matrix, weights or None, and options."""
    shape = random.integers(1, 5, 2)
    shares = random.choice([0.1, 0.3, 0.7, 0.9], 2)[:, None, None]
    truth, known = shares > random.random((2, *shape))
    for cells in (known, known.T):  # a sample, or a label, of which nothing is known
        cells[random.integers(len(cells))] &= random.random() < 0.8
    true = np.where(known, truth.astype(int), None)
    other = random.integers(0, 2 if record.reads == "y_pred" else 5, shape)
    other = other / 4 if record.reads == "y_prob" else other
    if record.reads == "y_score":  # single precision would make them one
        other = other if random.random() < 0.7 else 2**53 - other
    weights = random.integers(0, 4, shape[0])
    weights[0] += not weights.any()
    options = {**RANDOM_OPTIONS, "average": record.averages}
    options |= {name: option_values(one, shape[1]) for name, one in record.parameters.items()}
    options = {n: v[random.integers(len(v))] for n, v in options.items() if n in record.defaults}
    if "k" in options:
        options["k"] = min(int(random.integers(1, 4)), int(shape[1]))
    return true, other, weights if random.random() < 0.7 else None, options


def masked(true, random):
    """Under the mask stands anything."""
    kinds = (object, "?"), (float, nan), (np.int8, -1), (float, 1), (bool, True)
    kind, junk = kinds[random.integers(5)]
    mask = np.equal(true, None)
    return np.ma.MaskedArray(np.where(mask, junk, true).astype(kind), mask)


def parts(record, ask, true, other, weights, options):
    """What the metric says of rows or columns, and what it is of what is left of each."""
    if record.unit == "sample":
        rows = zip(true, other, strict=True)
        yield ask(**options, per_sample=True), [of_row(record, *row, options) for row in rows]
    if record.unit == "label":
        columns = zip(true.T, other.T, strict=True)
        own = {name: np.ravel(options[name]) for name in record.required_per_label}
        each = [
            of_column(record, *column, weights, options | {n: v[[j]] for n, v in own.items()})
            for j, column in enumerate(columns)
        ]
        yield ask(**options | {"average": None}), each
    if record.unit == "label" and "micro" in record.averages:
        lists = true.ravel(), other.ravel(), np.repeat(weights, true.shape[1])
        yield ask(**options | {"average": "micro"}), of_column(record, *lists, options)
    if record.family == "hierarchy":
        yield ask(**options), flat(record, *ask.args, **ask.keywords, **options)


@pytest.mark.parametrize("times", [12, pytest.param(75, marks=pytest.mark.exhaustive)])
@every_metric
def test_unknown_cells_are_not_there(record, times):
    random = np.random.default_rng(crc32(record.id.encode()))
    for _ in range(times):
        true, other, weights, options = drawn(record, random)
        small = record.reads == "y_score" and other.max() < 5
        kind = random.choice(["f2", "f4", "f8"]) if small else other.dtype
        given = masked(true, random), other.astype(kind)
        ask = partial(record.function, *given, sample_weight=weights)
        steps = worked.solve(record.function, *given, sample_weight=weights, **options).value
        wanted = np.array(steps, float)
        assert agree(ask(**options), wanted), (true, other, weights, options, wanted)
        weights = np.ones(len(true)) if weights is None else weights
        for found, wanted in parts(record, ask, true, other, weights, options):
            assert agree(found, wanted), (true, other, weights, options, found, wanted)


# ---------------------------------------------------------------------------- by hand


def test_a_sample_is_right_where_its_known_cells_are():
    """As is asked for in torchmetrics #3083."""
    said = np.array([[0.11, 0.22, 0.84], [0.73, 0.33, 0.92]]) >= 0.5
    assert subset_accuracy(unknown([[0, 1, 0], [1, 0, -1]]), said) == 1 / 2


def test_where_a_mask_is_lost_the_cells_are_refused():
    truth = unknown([[1, -1]])
    for lost in (np.vstack([truth, truth]), np.delete(truth, [], axis=0), np.asarray(truth)):
        with pytest.raises(ValueError, match="y_true holds -1"):
            subset_accuracy(lost, np.ones(lost.shape))


def test_closed_sets_know_what_every_way_to_fill_them_in_has():
    """Above a label that is there, an ancestor is; it is absent where all below it are known to be."""
    animal_cat_dog, no = [[], [0], [0]], None
    truth = [[no, 1, no], [no, no, 0], [0, no, 0], [0, 0, 0], [no, 0, 0], [1, no, no]]
    found = hierarchy.closure(unknown(truth, None), animal_cat_dog)
    known = [[1, 1, no], [no, no, 0], [no, no, 0], [0, 0, 0], [no, 0, 0], [1, no, no]]
    assert found.tolist() == known


@pytest.mark.parametrize("of", [precision_recall, roc, reliability])
def test_points_of_a_curve_are_of_the_known_samples(of):
    truth, score = np.ma.masked_equal([1, -1, 0, 1], -1), [0.9, 0.8, 0.7, 0.6]
    for given in (truth, truth[:, None]):
        for found, wanted in zip(of(given, score), of([1, 0, 1], [0.9, 0.7, 0.6]), strict=True):
            assert found.tolist() == wanted.tolist()
    assert [len(each) for each in of(np.ma.masked_all(4, int), score)] == [0, 0, 0]


# ---------------------------------------------------------------------------- bounds: all fillings, tried one by one


def tried(metric, y_true, y_pred):
    """Lowest and highest value over all truths without unknown cells (-1) that a truth can be."""
    of_rows = (product(*((0, 1) if cell < 0 else (cell,) for cell in row)) for row in y_true)
    values = [metric(truth, y_pred) for truth in product(*of_rows)]
    return min(values), max(values)


def is_bounded(record, options):
    """Whether two fillings are known to give the bounds."""
    rate_of_tn = record.family == "label-based" and record.reads_tn
    if record.reads != "y_pred" or record.prepare or rate_of_tn:
        return False
    return options.get("average") != "weighted" and "nan" not in str(options.get("zero_division"))


def unknown_data(n_samples, n_labels):
    """All truths with unknown cells and all predictions, but for the order of the samples and of two labels."""
    samples = list(product(product((-1, 0, 1), repeat=n_labels), all_small.rows(n_labels)))
    for world in combinations_with_replacement(samples, n_samples):
        if world <= tuple(sorted((true[::-1], pred[::-1]) for true, pred in world)):
            yield tuple(zip(*world, strict=True))


@pytest.mark.parametrize("record", [r for r in RECORDS if is_bounded(r, {})], ids=repr)
@pytest.mark.parametrize("size", [1, pytest.param(2, marks=pytest.mark.exhaustive)])
def test_bounds_are_those_of_all_fillings_of_all_small_data(record, size):
    shape = (size, 2) if record.unit == "sample" else (2, size)
    averages = set(record.averages or ["none"]) - {"weighted", None}
    for average, zero in product(averages, (0.0, "agree", 1.0)):
        options = {"average": average, "zero_division": zero, "beta": 2}
        options = {name: value for name, value in options.items() if name in record.defaults}
        metric = partial(record.function, **options)
        of_known = cache(metric)
        for y_true, y_pred in unknown_data(*shape):
            found = bounds(metric, np.ma.masked_equal(y_true, -1), y_pred)
            assert agree(found, tried(of_known, y_true, y_pred)), (y_true, y_pred, options)


@every_metric
@on_random_problems(6)
def test_bounds_are_of_all_fillings_or_refused(record, y_true, y, weights, options, random):
    if options.get("average", "") is None:
        options["average"] = "macro"
    if random.random() < 0.3:
        options["sample_weight"] = weights * 0.1
    metric = partial(record.function, **options)
    y_true = mask_cells(y_true, random, most=5)
    if is_bounded(record, options):
        assert agree(bounds(metric, y_true, y), tried(metric, y_true.filled(-1), y))
    else:
        with pytest.raises(
            ValueError, match=r"^metric is .*, which .*: bounds takes metrics such as"
        ):
            bounds(metric, y_true, y)
