"""Unknown cells: every metric is what it is of lists from which the unknown labels, or samples, were taken.

What is left of a row or a column is known everywhere; its value is found in fractions in `make test`, and by the
function itself in `make exhaustive`, where data are drawn a thousand times as often.
"""

from __future__ import annotations

import math
from functools import cache, partial
from itertools import product
from math import nan
from zlib import crc32

import numpy as np
import pytest
import throwaway
from drawing import CHOICES, same

from mlm_helpers import catalogue, example_based, label_based, top_k, worked

NEWCOMERS = [record for record in throwaway.RECORDS if not record.prepare]
RECORDS = [*catalogue.METRICS, *NEWCOMERS]
every_metric = pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.id)


@pytest.fixture(autouse=True, scope="module")
def throwaways():
    with throwaway.installed():
        yield


# ---------------------------------------------------------------------------- of lists that are known everywhere


@cache
def by_fractions(function, rows, others, weights, options):
    """The steps of a person."""
    found = worked.solve(function, rows, others, sample_weight=weights, **thawed(options))
    value = found.value
    return float(value[0] if isinstance(value, tuple) else value)


@cache
def by_function(function, rows, others, weights, options):
    """The metric itself, which other tests hold against fractions."""
    return float(np.ravel(function(rows, others, sample_weight=weights, **thawed(options)))[0])


def frozen(options):
    return tuple(
        (name, tuple(map(tuple, value)) if name == "parents" else tuple(value))
        if isinstance(value, list)
        else (name, value)
        for name, value in options.items()
    )


def thawed(options):
    return {name: list(v) if isinstance(v, tuple) else v for name, v in options}


def of_row(plain, record, true, other, options):
    """One sample, its unknown labels taken out; of fewer than k labels hits are divided by k all the same."""
    labels = [j for j, cell in enumerate(true) if cell is not None]
    if not labels:
        return nan
    options = dict(options, per_sample=True)
    factor = 1.0
    if options.get("k", 0) > len(labels):
        if record.function is top_k.precision:
            factor = len(labels) / options["k"]
        options["k"] = len(labels)
    row = tuple(true[j] for j in labels), tuple(other[j] for j in labels)
    return factor * plain(record.function, (row[0],), (row[1],), None, frozen(options))


def of_list(plain, record, cells, options):
    """One label, or all cells in one list: triples of truth, the other matrix and weight, the unknown taken out."""
    known = [(true, other, weight) for true, other, weight in cells if true is not None]
    if sum(weight for _, _, weight in known) == 0:
        return nan
    true, other, weights = zip(*known, strict=True)
    column = tuple((one,) for one in true), tuple((one,) for one in other)
    return plain(record.function, *column, weights, frozen(options))


def mean(values, weights):
    kept = [(v, w) for v, w in zip(values, weights, strict=True) if not math.isnan(v)]
    whole = sum(w for _, w in kept)
    return sum(v * w for v, w in kept) / whole if whole else nan


def of_samples(plain, record, rows, others, weights, options):
    """A value of each sample, and their mean; Hamming loss is one of all cells."""
    values = [
        of_row(plain, record, row, other, options) for row, other in zip(rows, others, strict=True)
    ]
    if record.family == "Hamming":
        known = [sum(cell is not None for cell in row) for row in rows]
        weights = [weight * one for weight, one in zip(weights, known, strict=True)]
    return values, mean(values, weights)


def of_labels(plain, record, rows, others, weights, options):
    """Under its average, or a value of each label for None."""
    average = options["average"]
    if average == "micro":
        cells = [
            (cell, one, weight)
            for row, other, weight in zip(rows, others, weights, strict=True)
            for cell, one in zip(row, other, strict=True)
        ]
        return of_list(plain, record, cells, options)
    values, supports = [], []
    for column, other in zip(zip(*rows, strict=True), zip(*others, strict=True), strict=True):
        cells = list(zip(column, other, weights, strict=True))
        values.append(of_list(plain, record, cells, dict(options, average=None)))
        supports.append(sum(weight for cell, _, weight in cells if cell))
    left = [s for s, value in zip(supports, values, strict=True) if not math.isnan(value)]
    even = average != "weighted" or not any(left)
    return values if average is None else mean(values, [1] * len(values) if even else supports)


def of_worth(plain, record, rows, others, weights, options):
    """What was reached of what could be: sums over samples of what each is, unnormalized, times k."""
    options = dict(options, normalize=False)
    worth, reached, possible = options["inverse_propensities"], 0.0, 0.0
    for row, other, weight in zip(rows, others, weights, strict=True):
        labels = [j for j, cell in enumerate(row) if cell is not None]
        if not labels:
            continue
        k = min(options["k"], len(labels))
        places = range(1, k + 1)
        is_ndcg = record.function is top_k.propensity_scored_ndcg
        times = weight * sum(1 / math.log2(place + 1) if is_ndcg else 1 for place in places)
        own = [worth[j] for j in labels]
        given = frozen(dict(options, k=k, inverse_propensities=own))
        true = tuple(row[j] for j in labels)
        best = tuple(cell * one for cell, one in zip(true, own, strict=True))
        scores = tuple(other[j] for j in labels)
        reached += times * plain(record.function, (true,), (scores,), None, given)
        possible += times * plain(record.function, (true,), (best,), None, given)
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


def of_trees(plain, record, rows, others, weights, options):
    """A label of a closed set is unknown where two ways to fill in differ; then one list, or the mean of samples."""
    parents, name = options["parents"], record.function.__name__
    closed, others = [], [above(other, parents) for other in others]
    for row in rows:
        sets = zip(*(above(way, parents) for way in ways(row)), strict=True)
        closed.append([cells[0] if len(set(cells)) == 1 else None for cells in sets])
    options = {"zero_division": options["zero_division"]} | (
        {"average": "micro"} if options["average"] == "micro" else {}
    )
    if "average" in options:
        of = catalogue.of(getattr(label_based, name))
        return of_labels(plain, of, closed, others, weights, options)
    of = catalogue.of(getattr(example_based, name))
    return of_samples(plain, of, closed, others, weights, options)[1]


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
    weights = random.integers(0, 4, shape[0])
    weights[0] += not weights.any()
    options = {**CHOICES, "average": record.averages}
    options |= {name: one.examples(shape[1]) for name, one in record.parameters.items()}
    options = {n: v[random.integers(len(v))] for n, v in options.items() if n in record.options}
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


def expected(plain, record, true, other, weights, options):
    rows, others = true.tolist(), [tuple(row) for row in other.tolist()]
    weights = [1] * len(rows) if weights is None else weights.tolist()
    of = {"sample": of_samples, "label": of_labels}.get(record.along)
    of = of or (of_trees if record.family == "hierarchy" else of_worth)
    return of(plain, record, rows, others, weights, options)


@pytest.mark.parametrize(
    "plain, times",
    [(by_fractions, 60), pytest.param(by_function, 10_000, marks=pytest.mark.exhaustive)],
    ids=["fractions", "function"],
)
@every_metric
def test_unknown_cells_are_not_there(record, plain, times):
    random = np.random.default_rng(crc32(record.id.encode()))
    for _ in range(times):
        true, other, weights, options = drawn(record, random)
        kind = random.choice(
            ["f2", "f4", "f8", "i8"] if record.reads == "y_score" else [other.dtype]
        )
        given = masked(true, random), other.astype(kind)
        value = record.function(*given, sample_weight=weights, **options)
        wanted = expected(plain, record, true, other, weights, options)
        if record.along == "sample":
            each, wanted = wanted
            found = record.function(*given, sample_weight=weights, **options, per_sample=True)
            assert same(found, each), (true, other, weights, options)
        assert same(value, wanted), (true, other, weights, options, value, wanted)


@every_metric
def test_a_mask_of_nothing_and_one_of_everything(record):
    """The same as without a mask; and nan, in silence, whatever the average or the value of 0/0."""
    true, other = np.array([[1, 0], [0, 1]]), np.array([[1, 1], [0, 1]])
    all_known, nothing = np.ma.MaskedArray(true), np.ma.MaskedArray(true, mask=True)
    metric = partial(record.function, **record.required)
    assert metric(all_known, other) == metric(true, other)
    worth = {n: 1.0 for n in ("zero_division", "undefined") if n in record.options}
    choices = [{"average": average} for average in record.averages] or [{}]
    choices += [{"per_sample": True}] * (record.along == "sample")
    for chosen in choices:
        for weight in (None, [1, 0]):
            assert np.isnan(metric(nothing, other, sample_weight=weight, **worth, **chosen)).all()
