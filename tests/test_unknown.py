"""Unknown cells: every metric is what it is of lists from which the unknown labels, or samples, were taken.

What is left of a row or a column is known everywhere; its value is found in fractions.
"""

from __future__ import annotations

import math
from functools import partial
from itertools import product
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
FOUND = {}
every_metric = pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.id)


@pytest.fixture(autouse=True, scope="module")
def throwaways_and_short_runs():
    """Matrices are read a row or two at a time."""
    with throwaway.installed(), mock.patch.object(blocks, "CELLS", 4):
        yield


# ---------------------------------------------------------------------------- of lists that are known everywhere


def by_hand(function, rows, others, weights, options):
    """The value in fractions, by the steps of a person; small lists come again and again."""
    key = repr((function, rows, others, weights, options))
    if key not in FOUND:
        solved = worked.solve(function, rows, others, sample_weight=weights, **options).value
        FOUND[key] = float(solved[0] if isinstance(solved, tuple) else solved)
    return FOUND[key]


def left(row, *others):
    """The known labels of a row, and what others have there."""
    kept = [j for j, cell in enumerate(row) if cell is not None]
    return [[each[j] for j in kept] for each in (row, *others)]


def of_row(record, row, other, options):
    """One sample; of fewer than k labels hits are divided by k all the same."""
    true, others = left(row, other)
    if not true:
        return nan
    options, factor = options | {"per_sample": True}, 1.0
    if options.get("k", 0) > len(true):
        factor = len(true) / options["k"] if record.function is top_k.precision else 1.0
        options["k"] = len(true)
    return factor * by_hand(record.function, [true], [others], None, options)


def of_list(record, cells, options):
    """One label, or all cells in one list: of truth, the other matrix and weight."""
    known = [cell for cell in cells if cell[0] is not None]
    if sum(weight for _, _, weight in known) == 0:
        return nan
    true, other, weights = zip(*known, strict=True)
    return by_hand(record.function, [[t] for t in true], [[o] for o in other], weights, options)


def mean(values, weights):
    kept = [(v, w) for v, w in zip(values, weights, strict=True) if not math.isnan(v)]
    whole = sum(w for _, w in kept)
    return sum(v * w for v, w in kept) / whole if whole else nan


def of_samples(record, rows, others, weights, options):
    """A value of each sample, and their mean; Hamming loss is one of all cells."""
    values = [of_row(record, row, other, options) for row, other in zip(rows, others, strict=True)]
    if record.family == "Hamming":
        known = [sum(cell is not None for cell in row) for row in rows]
        weights = [weight * one for weight, one in zip(weights, known, strict=True)]
    return values, mean(values, weights)


def of_labels(record, rows, others, weights, options):
    """Under its average, or a value of each label for None."""
    average = options["average"]
    if average == "micro":
        cells = [
            (cell, one, weight)
            for row, other, weight in zip(rows, others, weights, strict=True)
            for cell, one in zip(row, other, strict=True)
        ]
        return of_list(record, cells, options)
    values, supports = [], []
    for column, other in zip(zip(*rows, strict=True), zip(*others, strict=True), strict=True):
        cells = list(zip(column, other, weights, strict=True))
        values.append(of_list(record, cells, dict(options, average=None)))
        supports.append(sum(weight for cell, _, weight in cells if cell))
    left = [s for s, value in zip(supports, values, strict=True) if not math.isnan(value)]
    even = average != "weighted" or not any(left)
    return values if average is None else mean(values, [1] * len(values) if even else supports)


def of_worth(record, rows, others, weights, options):
    """What was reached of what could be: sums over samples of what each is, unnormalized, times k."""
    is_ndcg, reached, possible = "ndcg" in record.id, 0.0, 0.0
    for row, other, weight in zip(rows, others, weights, strict=True):
        true, score, worth = left(row, other, options["inverse_propensities"])
        if true:
            k = min(options["k"], len(true))
            given = options | {"k": k, "inverse_propensities": worth, "normalize": False}
            best = [cell * one for cell, one in zip(true, worth, strict=True)]
            of = partial(by_hand, record.function, [true])
            places = range(1, k + 1)
            times = weight * sum(1 / math.log2(place + 1) if is_ndcg else 1 for place in places)
            reached += times * of([score], None, given)
            possible += times * of([best], None, given)
    return reached / possible if possible else nan


def ways(row):
    """All ways to fill in the unknown labels."""
    return product(*((0, 1) if cell is None else (cell,) for cell in row))


def above(row, parents):
    """With all ancestors, which are looked for upwards."""
    found = [j for j, cell in enumerate(row) if cell]
    for label in found:
        found += [parent for parent in parents[label] if parent not in found]
    return tuple(int(j in found) for j in range(len(row)))


def of_trees(record, rows, others, weights, options):
    """A label of a closed set is unknown where two ways to fill in differ; then one list, or the mean of samples."""
    parents, name = options["parents"], record.function.__name__
    closed, others = [], [above(other, parents) for other in others]
    for row in rows:
        sets = zip(*(above(way, parents) for way in ways(row)), strict=True)
        closed.append([cells[0] if len(set(cells)) == 1 else None for cells in sets])
    taken = {"zero_division": options["zero_division"]}
    if options["average"] == "micro":
        of = catalogue.of(getattr(label_based, name))
        return of_labels(of, closed, others, weights, taken | {"average": "micro"})
    of = catalogue.of(getattr(example_based, name))
    return of_samples(of, closed, others, weights, taken)[1]


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


def expected(record, true, other, weights, options):
    rows, others = true.tolist(), other.tolist()
    weights = [1] * len(rows) if weights is None else weights.tolist()
    of = {"sample": of_samples, "label": of_labels}.get(record.along)
    of = of or (of_trees if record.family == "hierarchy" else of_worth)
    return of(record, rows, others, weights, options)


@pytest.mark.parametrize("times", [25, pytest.param(200, marks=pytest.mark.exhaustive)])
@every_metric
def test_unknown_cells_are_not_there(record, times):
    random = np.random.default_rng(crc32(record.id.encode()))
    for _ in range(times):
        true, other, weights, options = drawn(record, random)
        small = record.reads == "y_score" and other.max() < 5
        kind = random.choice(["f2", "f4", "f8"]) if small else other.dtype
        given = masked(true, random), other.astype(kind)
        value = record.function(*given, sample_weight=weights, **options)
        wanted = expected(record, true, other, weights, options)
        if record.along == "sample":
            each, wanted = wanted
            found = record.function(*given, sample_weight=weights, **options, per_sample=True)
            assert same(found, each), (true, other, weights, options)
        assert same(value, wanted), (true, other, weights, options, value, wanted)


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
