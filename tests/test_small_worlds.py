"""The package against fractions by hand, on every world small enough to have them all."""

from __future__ import annotations

from itertools import product
from math import isnan, nan

import by_hand
import numpy as np
import pytest
import worlds
from scipy.stats import rankdata

from mlm_helpers import label_based, ranking
from mlm_helpers.catalogue import METRICS

# What these files run is covered by the others; tracing it would double their time.
pytestmark = pytest.mark.no_cover

SET_METRICS = [record for record in METRICS if record.reads == "y_pred"]
RATIOS = [record for record in SET_METRICS if "zero_division" in record.options]
RANKING_METRICS = [record for record in METRICS if record.reads == "y_score"]


def asked(records):
    """Pairs (record, beta); beta is {} for those that take none."""
    return [
        pytest.param(record, beta, id=" ".join([record.id, *map(str, beta.values())]))
        for record in records
        for beta in ([{"beta": b} for b in worlds.BETAS] if "beta" in record.options else [{}])
    ]


def array(matrix):
    return np.array(matrix, dtype=bool)


def same(value, exact):
    return abs(value - exact) <= 1e-12 or (isnan(value) and isnan(exact))


def all_same(values, exact):
    return np.shape(values) == np.shape(exact) and all(map(same, values, exact))


def turn(choices, number):
    return choices[number % len(choices)]


def anything_undefined(record, world, options):
    """Whether zero_division matters: a sample, a label or, for micro, everything is 0/0."""
    if options.get("average", "micro") != "micro":
        options = options | {"average": None}
    if record.family == "example-based":
        options = options | {"per_sample": True}
    values = by_hand.METRICS[record.id](*world, **options, zero_division=nan)
    return any(map(isnan, values if isinstance(values, list) else [values]))


def compare(record, some_worlds, **weight):
    """On each world every average, and every zero_division where it matters; the betas take turns."""
    ours, by_fractions = record.function, by_hand.METRICS[record.id]
    takes = record.options
    averages = [{"average": a} for a in ("macro", "micro", "weighted")]
    for number, world in enumerate(some_worlds):
        matrices = array(world.y_true), array(world.y_pred)
        beta = {"beta": turn(worlds.BETAS, number)} if "beta" in takes else {}
        for average in averages if "average" in takes else [{}]:
            options = beta | average | weight
            zero_divisions = [{}]
            if "zero_division" in takes:
                every = worlds.ZERO_DIVISIONS
                if not anything_undefined(record, world, options):
                    every = [turn(every, number // len(worlds.BETAS))]
                zero_divisions = [{"zero_division": z} for z in every]
            for zero_division in zero_divisions:
                value = ours(*matrices, **options, **zero_division)
                exact = by_fractions(*world, **options, **zero_division)
                assert same(value, exact), (world, options, zero_division)


def test_the_worlds_are_all_there():
    assert [len(worlds.worlds(*shape)) for shape in worlds.SHAPES] == [256, 4096, 4096]
    assert [len(set(worlds.worlds(*shape))) for shape in worlds.SHAPES] == [256, 4096, 4096]
    assert [len(worlds.representatives(*shape)) for shape in worlds.SHAPES] == [76, 430, 430]
    up_to_label_order = [len(worlds.worlds_up_to_label_order(*shape)) for shape in worlds.SHAPES]
    assert up_to_label_order == [16 * 17 // 2, 64 * 65 // 2, 16 * 17 * 18 // 6]
    assert [len(worlds.weak_orderings(n)) for n in (1, 2, 3, 4)] == [1, 3, 13, 75]


def test_every_metric_is_computed_by_hand():
    assert [record.id for record in METRICS if record.id not in by_hand.METRICS] == []


@pytest.mark.parametrize("shape", worlds.SHAPES, ids=str)
@pytest.mark.parametrize("record", SET_METRICS, ids=lambda record: record.id)
def test_set_metric_on_every_world(record, shape):
    compare(record, worlds.worlds(*shape))


@pytest.mark.parametrize("shape", worlds.SHAPES, ids=str)
@pytest.mark.parametrize("record", SET_METRICS, ids=lambda record: record.id)
def test_set_metric_with_weights(record, shape):
    some = worlds.worlds_up_to_label_order(*shape)
    compare(record, some, sample_weight=worlds.WEIGHTS[shape[0]])


@pytest.mark.parametrize("shape", worlds.SHAPES, ids=str)
@pytest.mark.parametrize(("record", "beta"), asked(RATIOS))
def test_every_option_on_representatives(record, beta, shape):
    """Every beta with every zero_division, also where nothing is 0/0."""
    averages = [{"average": a} for a in worlds.AVERAGES] if "average" in record.options else [{}]
    for number, world in enumerate(worlds.representatives(*shape)):
        matrices = array(world.y_true), array(world.y_pred)
        options = beta | turn(averages, number)
        for zero_division in worlds.ZERO_DIVISIONS:
            values = record.function(*matrices, **options, zero_division=zero_division)
            exact = by_hand.METRICS[record.id](*world, **options, zero_division=zero_division)
            agree = all_same if isinstance(exact, list) else same
            assert agree(values, exact), (world, options, zero_division)


@pytest.mark.parametrize("n_labels", [1, 2, 3, 4])
@pytest.mark.parametrize("zero_division", worlds.ZERO_DIVISIONS)
@pytest.mark.parametrize(
    ("record", "beta"), asked(r for r in SET_METRICS if "per_sample" in r.options)
)
def test_every_sample_there_can_be(record, beta, zero_division, n_labels):
    y_true, y_pred = zip(*product(worlds.rows(n_labels), repeat=2), strict=True)
    options = beta | {"per_sample": True}
    if "zero_division" in record.options:
        options["zero_division"] = zero_division
    values = record.function(array(y_true), array(y_pred), **options)
    assert all_same(values, by_hand.METRICS[record.id](y_true, y_pred, **options))


def every_label(n_samples):
    """All the columns of truth and prediction that n samples can have, beside each other."""
    columns = zip(*product(worlds.rows(n_samples), repeat=2), strict=True)
    return worlds.World(*(tuple(zip(*matrix, strict=True)) for matrix in columns))


@pytest.mark.parametrize("n_samples", [1, 2, 3])
@pytest.mark.parametrize("zero_division", worlds.ZERO_DIVISIONS)
@pytest.mark.parametrize(
    ("record", "beta"), asked(r for r in SET_METRICS if "average" in r.options)
)
def test_every_label_there_can_be(record, beta, zero_division, n_samples):
    world = every_label(n_samples)
    for weight in (None, worlds.WEIGHTS.get(n_samples)):
        options = {"average": None, "zero_division": zero_division, "sample_weight": weight}
        values = record.function(array(world.y_true), array(world.y_pred), **beta, **options)
        assert all_same(values, by_hand.METRICS[record.id](*world, **beta, **options))


@pytest.mark.parametrize("n_samples", [1, 2, 3])
def test_confusion_of_every_label_there_can_be(n_samples):
    world = every_label(n_samples)
    for weight in (None, worlds.WEIGHTS.get(n_samples)):
        counts = label_based.confusion(
            array(world.y_true), array(world.y_pred), sample_weight=weight
        )
        by_fractions = by_hand.confusion(*world, sample_weight=weight)
        assert all(map(all_same, counts, by_fractions))


# ---------------------------------------------------------------------------- ranking


def cases(n_labels):
    """Every truth with every tie pattern."""
    return list(product(worlds.rows(n_labels), worlds.weak_orderings(n_labels)))


def ranking_options(record):
    for ties, undefined in product(worlds.TIES, (0.0, 1.0, nan)):
        for start in ({"start": 1}, {"start": 0}) if "start" in record.options else ({},):
            yield start | {"ties": ties, "undefined": undefined}


@pytest.mark.parametrize("n_labels", [1, 2, 3])
@pytest.mark.parametrize("record", RANKING_METRICS, ids=lambda record: record.id)
def test_ranking_metric_on_every_tie_pattern(record, n_labels):
    for truth, scores in cases(n_labels):
        for options in ({}, *ranking_options(record)):
            value = record.function([truth], [scores], **options)
            exact = by_hand.METRICS[record.id]([truth], [scores], **options)
            assert same(value, exact), (truth, scores, options)


@pytest.mark.parametrize("n_labels", [1, 2, 3, 4])
@pytest.mark.parametrize("record", RANKING_METRICS, ids=lambda record: record.id)
def test_ranking_metric_of_every_sample_at_once(record, n_labels):
    y_true, y_score = zip(*cases(n_labels), strict=True)
    for options in ranking_options(record):
        values = record.function(y_true, y_score, **options, per_sample=True)
        exact = by_hand.METRICS[record.id](y_true, y_score, **options, per_sample=True)
        assert all_same(values, exact), options


@pytest.mark.parametrize("weight", [None, worlds.WEIGHTS[2], (0.0, 2.0)], ids=str)
@pytest.mark.parametrize("record", RANKING_METRICS, ids=lambda record: record.id)
def test_ranking_metric_on_every_pair_of_samples(record, weight):
    for number, pair in enumerate(product(cases(2), repeat=2)):
        y_true, y_score = zip(*pair, strict=True)
        for options in list(ranking_options(record))[number % 5 :: 5]:
            value = record.function(y_true, y_score, **options, sample_weight=weight)
            exact = by_hand.METRICS[record.id](y_true, y_score, **options, sample_weight=weight)
            assert same(value, exact), (y_true, y_score, options)


@pytest.mark.parametrize("n_labels", [1, 2, 3, 4])
@pytest.mark.parametrize("ties", worlds.TIES)
def test_ranks_by_hand(ties, n_labels):
    y_score = worlds.weak_orderings(n_labels)
    assert ranking.ranks(y_score, ties=ties).tolist() == by_hand.ranks(y_score, ties=ties)


@pytest.mark.parametrize("n_labels", [1, 2, 3, 4])
@pytest.mark.parametrize(
    ("ties", "method"),
    [("worst", "max"), ("best", "min"), ("average", "average"), ("first", "ordinal")],
)
def test_ranks_by_scipy(ties, method, n_labels):
    y_score = np.array(worlds.weak_orderings(n_labels))
    theirs = rankdata(-y_score, method=method, axis=1)
    assert ranking.ranks(y_score, ties=ties).tolist() == theirs.tolist()


@pytest.mark.parametrize("n_labels", [1, 2, 3, 4])
def test_ranks_where_the_last_of_tied_labels_wins(n_labels):
    y_score = np.array(worlds.weak_orderings(n_labels))
    theirs = rankdata(-y_score[:, ::-1], method="ordinal", axis=1)[:, ::-1]
    assert ranking.ranks(y_score, ties="last").tolist() == theirs.tolist()
