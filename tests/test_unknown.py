"""Unknown cells: every metric is what it is of lists from which the unknown labels, or samples, were taken.

A row or a column is what the metric is of what is left of it, which is known everywhere; what is made of all rows and
columns, the worked steps say as well.
"""

from __future__ import annotations

from functools import partial
from math import nan
from unittest import mock
from zlib import crc32

import numpy as np
import pytest
import throwaway
from drawing import CHOICES, examples, same

from mlm_helpers import (
    catalogue,
    curves,
    exact_match,
    example_based,
    hierarchy,
    label_based,
    probability,
    ranking,
    top_k,
    worked,
)
from mlm_helpers._core import blocks
from mlm_helpers.data import unknown

NEWCOMERS = [record for record in throwaway.RECORDS if not record.prepare]
RECORDS = [*catalogue.METRICS, *NEWCOMERS]
every_metric = pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.id)


@pytest.fixture(autouse=True, scope="module")
def throwaways_and_short_runs():
    """Matrices are read a row or two at a time."""
    with throwaway.installed(), mock.patch.object(blocks, "CELLS", 4):
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


def flat(record, y_true, y_other, parents, average, **options):
    """A hierarchical metric as the flat one of closed sets."""
    room = label_based if average == "micro" else example_based
    metric = getattr(room, record.function.__name__)
    options |= {"average": "micro"} if average == "micro" else {}
    return metric(*(hierarchy.closure(y, parents) for y in (y_true, y_other)), **options)


# ---------------------------------------------------------------------------- the same of all at once


def drawn(record, random):
    """Truth with None where it is unknown, the other matrix, weights or None, and options."""
    shape = random.integers(1, 5, 2)
    truth, known = random.choice([0.1, 0.3, 0.7, 0.9], 2)[:, None, None] > random.random(
        (2, *shape)
    )
    for cells in (known, known.T):  # a sample, or a label, of which nothing is known
        cells[random.integers(len(cells))] &= random.random() < 0.8
    true = np.where(known, truth.astype(int), None)
    other = random.integers(0, 2 if record.reads == "y_pred" else 5, shape)
    other = other / 4 if record.reads == "y_prob" else other
    if record.reads == "y_score":  # single precision would make them one
        other = other if random.random() < 0.7 else 2**53 - other
    weights = random.integers(0, 4, shape[0])
    weights[0] += not weights.any()
    options = {**CHOICES, "average": record.averages}
    options |= {name: examples(one, shape[1]) for name, one in record.parameters.items()}
    options = {n: v[random.integers(len(v))] for n, v in options.items() if n in record.defaults}
    if "k" in options:
        options["k"] = min(int(random.integers(1, 4)), int(shape[1]))
    return true, other, weights if random.random() < 0.7 else None, options


def masked(true, random):
    """Under the mask stands anything."""
    kind, junk = [(object, "?"), (float, nan), (np.int8, -1), (float, 1), (bool, True)][
        random.integers(5)
    ]
    mask = np.equal(true, None)
    return np.ma.MaskedArray(np.where(mask, junk, true).astype(kind), mask)


def parts(record, ask, true, other, weights, options):
    """What the metric says of rows or columns, and what it is of what is left of each."""
    if record.along == "sample":
        rows = zip(true, other, strict=True)
        yield ask(**options, per_sample=True), [of_row(record, *row, options) for row in rows]
    if record.along == "label":
        columns = zip(true.T, other.T, strict=True)
        each = [of_column(record, *column, weights, options) for column in columns]
        yield ask(**options | {"average": None}), each
    if record.along == "label" and "micro" in record.averages:
        lists = true.ravel(), other.ravel(), np.repeat(weights, true.shape[1])
        yield ask(**options | {"average": "micro"}), of_column(record, *lists, options)
    if record.family == "hierarchy":
        yield ask(**options), flat(record, *ask.args, **ask.keywords, **options)


@pytest.mark.parametrize("times", [12, pytest.param(150, marks=pytest.mark.exhaustive)])
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
        assert same(ask(**options), wanted), (true, other, weights, options, wanted)
        weights = np.ones(len(true)) if weights is None else weights
        for found, wanted in parts(record, ask, true, other, weights, options):
            assert same(found, wanted), (true, other, weights, options, found, wanted)


# ---------------------------------------------------------------------------- by hand


def test_numbers_by_hand():
    """The first is asked for in torchmetrics #3083; in the others the unknown label is in no list."""
    said = np.array([[0.11, 0.22, 0.84], [0.73, 0.33, 0.92]]) >= 0.5
    assert exact_match.subset_accuracy(unknown([[0, 1, 0], [1, 0, -1]]), said) == 1 / 2
    assert ranking.coverage(unknown([[1, 0, -1]]), [[0.9, 0.2, 0.5]]) == 1
    assert ranking.ranking_loss(unknown([[1, 0, -1]]), [[0.2, 0.9, 0.5]]) == 1
    assert ranking.one_error(unknown([[0, 1, -1]]), [[0.5, 0.1, 0.9]]) == 1


def test_closed_sets_know_what_every_way_to_fill_them_in_has():
    """Above a label that is there, an ancestor is; it is absent where all below it are known to be."""
    animal_cat_dog, no = [[], [0], [0]], None
    truth = [[no, 1, no], [no, no, 0], [0, no, 0], [0, 0, 0], [no, 0, 0], [1, no, no]]
    found = hierarchy.closure(unknown(truth, None), animal_cat_dog)
    assert found.tolist() == [
        [1, 1, no], [no, no, 0], [no, no, 0], [0, 0, 0], [no, 0, 0], [1, no, no],
    ]  # fmt: skip


@pytest.mark.parametrize("of", [curves.precision_recall, curves.roc, probability.reliability])
def test_points_of_a_curve_are_of_the_known_samples(of):
    truth, score = np.ma.masked_equal([1, -1, 0, 1], -1), [0.9, 0.8, 0.7, 0.6]
    for given in (truth, truth[:, None]):
        for found, wanted in zip(of(given, score), of([1, 0, 1], [0.9, 0.7, 0.6]), strict=True):
            assert found.tolist() == wanted.tolist()
    assert [len(each) for each in of(np.ma.masked_all(4, int), score)] == [0, 0, 0]
