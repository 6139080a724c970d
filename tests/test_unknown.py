"""Metrics of data with unknown cells: equal to those of lists without these cells; and bounds.

A row or a column without its unknown cells is fully known, and gives the expected value of the row
or column. Expected averages of all rows and columns come from the worked steps.
"""

from __future__ import annotations

import pickle
from copy import copy, deepcopy
from functools import partial
from itertools import product
from math import nan
from unittest import mock
from zlib import crc32

import numpy as np
import pandas as pd
import pytest
import throwaway
from random_inputs import RANDOM_OPTIONS, agree, mask_cells, on_random_problems, option_values

from mlm_helpers import catalogue, example_based, hierarchy, label_based, top_k, worked
from mlm_helpers._core import blocks
from mlm_helpers.curves import precision_recall, roc
from mlm_helpers.data import bounds, unknown
from mlm_helpers.exact_match import subset_accuracy
from mlm_helpers.probability import reliability

THROWAWAY_RECORDS = [record for record in throwaway.RECORDS if not record.prepare]
RECORDS = [*catalogue.METRICS, *THROWAWAY_RECORDS]
every_metric = pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.id)


@pytest.fixture(autouse=True, scope="module")
def throwaway_metrics_and_small_blocks():
    """Matrices are read one or two rows at a time."""
    with throwaway.installed(), mock.patch.object(blocks, "BLOCK_CELLS", 4):
        yield


# ---------------------------------------------------------- one row or column without unknown cells


def first_value(function, *data, **options):
    """The only value of one row or one column."""
    return float(np.ravel(function(*data, **options))[0])


def value_of_row(record, truth, prediction, options):
    """The value of one sample.

    With fewer than k known labels, precision still divides the hits by k.
    """
    known = np.not_equal(truth, None)
    n_known, options, factor = int(known.sum()), options | {"per_sample": True}, 1.0
    if options.get("k", 0) > n_known:
        factor = n_known / options["k"] if record.function is top_k.precision else 1.0
        options["k"] = n_known
    lists = ([row[known].tolist()] for row in (truth, prediction))
    return factor * first_value(record.function, *lists, **options) if n_known else nan


def value_of_column(record, truth, prediction, weights, options):
    """The value of one label, or of all cells as one column, without unknown cells.

    It is nan if they weigh nothing.
    """
    known = np.not_equal(truth, None)
    if not weights[known].sum():
        return nan
    lists = (column[known, None].tolist() for column in (truth, prediction))
    options = options | {"average": None, "sample_weight": weights[known]}
    return first_value(record.function, *lists, **options)


def flat_metric(record, y_true, y_pred, parents, average, **options):
    """The value of a hierarchical metric by the flat metric of sets closed under ancestors."""
    family = label_based if average == "micro" else example_based
    metric = getattr(family, record.function.__name__)
    options |= {"average": "micro"} if average == "micro" else {}
    first = 0 if options.pop("root") or not any(parents) else 1  # the root is label 0
    closed = (hierarchy.closure(y, parents)[:, first:] for y in (y_true, y_pred))
    return metric(*closed, **options)


# ---------------------------------------------------------------- a whole matrix with unknown cells


def random_problem(record, rng):
    """Truth with None for unknown cells, prediction, weights or None, and options."""
    shape = rng.integers(1, 5, 2)
    shares = rng.choice([0.1, 0.3, 0.7, 0.9], 2)[:, None, None]
    truth, known = shares > rng.random((2, *shape))
    for cells in (known, known.T):  # a sample, or a label, without known cells
        cells[rng.integers(len(cells))] &= rng.random() < 0.8
    true = np.where(known, truth.astype(int), None)
    prediction = rng.integers(0, 2 if record.reads == "y_pred" else 5, shape)
    prediction = prediction / 4 if record.reads == "y_prob" else prediction
    if record.reads == "y_score":  # integers that single precision would make equal
        prediction = prediction if rng.random() < 0.7 else 2**53 - prediction
    weights = rng.integers(0, 4, shape[0])
    weights[0] += not weights.any()
    options = {**RANDOM_OPTIONS, "average": record.averages, "ties": record.tie_rules}
    options |= {name: option_values(p, shape[1]) for name, p in record.parameters.items()}
    options = {n: v[rng.integers(len(v))] for n, v in options.items() if n in record.defaults}
    if "k" in options:
        options["k"] = min(int(rng.integers(1, 4)), int(shape[1]))
    return true, prediction, weights if rng.random() < 0.7 else None, options


def masked(true, rng):
    """A masked array, whose masked cells may hold any value."""
    dtypes = (object, "?"), (float, nan), (np.int8, -1), (float, 1), (bool, True)
    dtype, junk = dtypes[rng.integers(5)]
    mask = np.equal(true, None)
    return np.ma.MaskedArray(np.where(mask, junk, true).astype(dtype), mask)


def actual_and_expected(record, call, true, prediction, weights, options):
    """Values by row and column, each with the values of the rows or columns alone."""
    if record.unit == "sample":
        rows = zip(true, prediction, strict=True)
        yield call(**options, per_sample=True), [value_of_row(record, *r, options) for r in rows]
    if record.unit == "label":
        per_label = {name: np.ravel(options[name]) for name in record.required_per_label}
        expected = []
        for j, column in enumerate(zip(true.T, prediction.T, strict=True)):
            label_options = options | {name: values[[j]] for name, values in per_label.items()}
            expected.append(value_of_column(record, *column, weights, label_options))
        yield call(**options | {"average": None}), expected
    if record.unit == "label" and "micro" in record.averages:
        cells = true.ravel(), prediction.ravel(), np.repeat(weights, true.shape[1])
        yield call(**options | {"average": "micro"}), value_of_column(record, *cells, options)
    if record.family == "hierarchy":
        yield call(**options), flat_metric(record, *call.args, **call.keywords, **options)


@pytest.mark.parametrize("times", [12, pytest.param(75, marks=pytest.mark.exhaustive)])
@every_metric
def test_metrics_leave_unknown_cells_out(record, times):
    rng = np.random.default_rng(crc32(record.id.encode()))
    for _ in range(times):
        true, prediction, weights, options = random_problem(record, rng)
        is_small = record.reads == "y_score" and prediction.max() < 5
        dtype = rng.choice(["f2", "f4", "f8"]) if is_small else prediction.dtype
        matrices = masked(true, rng), prediction.astype(dtype)
        call = partial(record.function, *matrices, sample_weight=weights)
        solution = worked.solve(record.function, *matrices, sample_weight=weights, **options)
        expected = np.array(solution.value, float)
        assert agree(call(**options), expected), (true, prediction, weights, options, expected)
        weights = np.ones(len(true)) if weights is None else weights
        problem = true, prediction, weights, options
        for actual, expected in actual_and_expected(record, call, *problem):
            assert agree(actual, expected), (*problem, actual, expected)


# ---------------------------------------------------------------------------- by hand


def test_a_sample_is_right_if_its_known_cells_are():
    """The behaviour that torchmetrics #3083 asks for."""
    prediction = np.array([[0.11, 0.22, 0.84], [0.73, 0.33, 0.92]]) >= 0.5
    assert subset_accuracy(unknown([[0, 1, 0], [1, 0, -1]]), prediction) == 1 / 2


def test_unknown_cells_are_refused_if_numpy_drops_their_mask():
    truth = unknown([[1, -1]])
    closed = hierarchy.closure(truth, [[], [0]])
    for array in (np.vstack([truth, truth]), np.delete(truth, [], axis=0), np.asarray(closed)):
        with pytest.raises(ValueError, match="y_true holds -1"):
            subset_accuracy(array, np.ones(array.shape))


@pytest.mark.parametrize(
    "same", [np.ma.copy, copy, deepcopy, lambda y: pickle.loads(pickle.dumps(y))]
)
def test_copies_of_unknown_cells_keep_the_names_and_parts_have_none(same):
    frame = pd.DataFrame([[1, -1], [0, 1]], ["x", "y"], ["a", "b"])
    truth = same(unknown(frame))
    assert truth.tolist() == [[1, None], [0, 1]] and truth.fill_value == -1
    with pytest.raises(ValueError, match="'b' at position 0 of its columns"):
        subset_accuracy(truth, frame[["b", "a"]].abs())
    assert subset_accuracy(truth[::-1], frame[::-1].abs()) == 1


def test_closed_sets_know_a_cell_if_all_fillings_agree_on_it():
    """The ancestor of a true label is true.

    A label is false if all labels below it are known to be false.
    """
    animal_cat_dog, no = [[], [0], [0]], None
    truth = [[no, 1, no], [no, no, 0], [0, no, 0], [0, 0, 0], [no, 0, 0], [1, no, no]]
    closed = [[1, 1, no], [no, no, 0], [no, no, 0], [0, 0, 0], [no, 0, 0], [1, no, no]]
    assert hierarchy.closure(unknown(truth, None), animal_cat_dog).tolist() == closed


@pytest.mark.parametrize("curve", [precision_recall, roc, reliability])
def test_a_curve_has_the_points_of_the_known_samples(curve):
    truth, score = np.ma.masked_equal([1, -1, 0, 1], -1), [0.9, 0.8, 0.7, 0.6]
    expected = [points.tolist() for points in curve([1, 0, 1], [0.9, 0.7, 0.6])]
    for y_true in (truth, truth[:, None]):
        assert [points.tolist() for points in curve(y_true, score)] == expected
    assert [len(points) for points in curve(np.ma.masked_all(4, int), score)] == [0, 0, 0]


# ----------------------------------------------------------------- bounds: all fillings, one by one


def bounds_by_fillings(metric, y_true, y_pred):
    """Lowest and highest value over all truths that fill in the unknown cells, which are -1."""
    row_fillings = (product(*((0, 1) if cell < 0 else (cell,) for cell in row)) for row in y_true)
    values = [metric(truth, y_pred) for truth in product(*row_fillings)]
    return min(values), max(values)


def has_bounds(record, options):
    """Whether `bounds` takes the metric with these options."""
    is_rate_with_tn = record.family == "label-based" and record.reads_tn
    if record.reads != "y_pred" or record.prepare or is_rate_with_tn:
        return False
    return options.get("average") != "weighted" and "nan" not in str(options.get("zero_division"))


@every_metric
@on_random_problems(6)
def test_bounds_are_those_of_all_fillings_or_refused(record, y_true, y, weights, options, random):
    if options.get("average", "") is None:
        options["average"] = "macro"
    if random.random() < 0.3:
        options["sample_weight"] = weights * 0.1
    metric = partial(record.function, **options)
    y_true = mask_cells(y_true, random, most=5)
    if has_bounds(record, options):
        assert agree(bounds(metric, y_true, y), bounds_by_fillings(metric, y_true.filled(-1), y))
    else:
        with pytest.raises(ValueError, match=r"^metric is .*, which .*: bounds takes metrics such"):
            bounds(metric, y_true, y)
