"""The functions against the worked solutions, in fractions, on worlds small enough to have them all.

A worked solution takes 0.3 ms. So `make test` asks for one world of each kind, and of the larger
shapes for some (as test_worked.py does too, without weights); `make exhaustive` for every world.
"""

from __future__ import annotations

from functools import partial
from itertools import product
from math import nan

import numpy as np
import pytest
import worlds
from scipy.stats import rankdata

from mlm_helpers import ranking
from mlm_helpers.catalogue import METRICS
from mlm_helpers.worked import solve

# What these files run is covered by the others; tracing it would double their time.
pytestmark = pytest.mark.no_cover

exhaustive = pytest.mark.exhaustive
SET_METRICS = [record for record in METRICS if record.reads == "y_pred"]
RANKING_METRICS = [r for r in METRICS if r.reads == "y_score" and r.along == "sample"]
CURVE_METRICS = [r for r in METRICS if r.reads == "y_score" and r.along == "label"]
CHOICES = {
    "average": worlds.AVERAGES,
    "zero_division": worlds.ZERO_DIVISIONS,
    "beta": worlds.BETAS,
    "ties": worlds.TIES,
    "undefined": (0.0, 1.0, nan),
    "start": (1, 0),
}


def by_id(records):
    return pytest.mark.parametrize("record", records, ids=lambda record: record.id)


def every_option(record, **fixed):
    """All combinations of the options that a metric takes."""
    own = {name: parameter.values for name, parameter in record.parameters.items()}
    taken = {name: v for name, v in (own | CHOICES).items() if name in record.options}
    taken |= {name: [value] for name, value in fixed.items()}
    return [dict(zip(taken, values, strict=True)) for values in product(*taken.values())]


def meet(record, y_true, y_other, **options):
    y_true, y_other = np.array(y_true), np.array(y_other)
    value = record.function(y_true, y_other, **options)
    exact = np.array(solve(record.function, y_true, y_other, **options).value, dtype=float)
    assert np.shape(value) == exact.shape
    assert np.allclose(value, exact, rtol=0, atol=1e-12, equal_nan=True), (y_true, y_other, options)


def meet_on(record, some_worlds):
    for world, chosen in worlds.in_turns(record, every_option(record), some_worlds):
        meet(record, *world, **chosen)


def test_the_worlds_are_all_there():
    assert [len(worlds.worlds(*shape)) for shape in worlds.SHAPES] == [256, 4096, 4096]
    assert [len(set(worlds.worlds(*shape))) for shape in worlds.SHAPES] == [256, 4096, 4096]
    assert [len(worlds.representatives(*shape)) for shape in worlds.SHAPES] == [76, 430, 430]
    up_to_label_order = [len(worlds.worlds_up_to_label_order(*shape)) for shape in worlds.SHAPES]
    assert up_to_label_order == [16 * 17 // 2, 64 * 65 // 2, 16 * 17 * 18 // 6]
    assert [len(worlds.weak_orderings(n)) for n in (1, 2, 3, 4)] == [1, 3, 13, 75]


# ---------------------------------------------------------------------------- label sets


@by_id(SET_METRICS)
def test_every_option_on_every_kind_of_two_samples_and_two_labels(record):
    meet_on(record, worlds.representatives(2, 2))


@pytest.mark.parametrize(
    ("shape", "step"), [((2, 2), 1), ((3, 2), 9), ((2, 3), 5)], ids=["2x2", "3x2", "2x3"]
)
@by_id(SET_METRICS)
def test_weights(record, shape, step):
    """The options take turns."""
    options = every_option(record, sample_weight=worlds.WEIGHTS[shape[0]])
    for number, world in enumerate(worlds.worlds_up_to_label_order(*shape)[::step]):
        meet(record, *world, **options[number % len(options)])


@exhaustive
@pytest.mark.parametrize("shape", worlds.SHAPES, ids=str)
@by_id(SET_METRICS)
def test_every_option_on_every_kind(record, shape):
    meet_on(record, worlds.representatives(*shape))


@exhaustive
@pytest.mark.parametrize("shape", worlds.SHAPES, ids=str)
@by_id(SET_METRICS)
def test_weights_on_every_world(record, shape):
    options = every_option(record, sample_weight=worlds.WEIGHTS[shape[0]])
    step = -(-len(options) // 4)
    for number, world in enumerate(worlds.worlds_up_to_label_order(*shape)):
        for chosen in options[number % step :: step]:
            meet(record, *world, **chosen)


def some_at_a_time(rows, most=50):
    """As a worked solution takes them."""
    return [rows[begin : begin + most] for begin in range(0, len(rows), most)]


@pytest.mark.parametrize("n_labels", [1, 2, pytest.param(4, marks=exhaustive)])
@by_id([record for record in SET_METRICS if record.along == "sample"])
def test_every_sample_there_can_be(record, n_labels):
    """Of three labels: test_worked.py."""
    for rows in some_at_a_time(list(product(worlds.rows(n_labels), repeat=2))):
        for options in every_option(record, per_sample=True):
            meet(record, *zip(*rows, strict=True), **options)


@pytest.mark.parametrize("n_samples", [1, 2, 3])
@by_id([record for record in SET_METRICS if record.along == "label"])
def test_every_label_there_can_be(record, n_samples):
    columns = np.array(list(product((0, 1), repeat=2 * n_samples)))
    weights = [None, worlds.WEIGHTS[n_samples]] if n_samples > 1 else [None]
    for some, weight in product(some_at_a_time(columns), weights):
        for options in every_option(record, average=None, sample_weight=weight):
            meet(record, some[:, :n_samples].T, some[:, n_samples:].T, **options)


# ---------------------------------------------------------------------------- scores


def cases(n_labels):
    """Every truth with every tie pattern."""
    return list(product(worlds.rows(n_labels), worlds.weak_orderings(n_labels)))


@by_id(RANKING_METRICS)
def test_every_tie_pattern_of_four_labels(record):
    """The options take turns. Of fewer labels, under every option: test_worked.py."""
    options = every_option(record, per_sample=True)
    for number, some in enumerate(some_at_a_time(cases(4))):
        meet(record, *zip(*some, strict=True), **options[number % len(options)])


@exhaustive
@by_id(RANKING_METRICS)
def test_every_option_on_every_tie_pattern_of_four_labels(record):
    for some, options in product(some_at_a_time(cases(4)), every_option(record, per_sample=True)):
        meet(record, *zip(*some, strict=True), **options)


@pytest.mark.parametrize("weight", [None, worlds.WEIGHTS[2], (0.0, 2.0)], ids=str)
@by_id(RANKING_METRICS)
def test_every_pair_of_samples(record, weight):
    options = every_option(record, sample_weight=weight)
    for number, pair in enumerate(product(cases(2), repeat=2)):
        meet(record, *zip(*pair, strict=True), **options[number % len(options)])


@pytest.mark.parametrize("n_samples", [1, 2, 3, pytest.param(4, marks=exhaustive)])
@by_id(CURVE_METRICS)
def test_every_column_there_can_be(record, n_samples):
    """As labels side by side; with weights the options take turns."""
    columns = cases(n_samples)
    for some in some_at_a_time(columns):
        y_true, y_score = (np.array(part).T for part in zip(*some, strict=True))
        for options in every_option(record, average=None):
            meet(record, y_true, y_score, **options)
    weights = [w for n, w in worlds.WEIGHTS.items() if n == n_samples]
    turns = every_option(record, sample_weight=weights[0]) if weights else []
    for number, options in enumerate(turns):
        y_true, y_score = (np.array(part).T for part in zip(*columns[number % 7 :: 7], strict=True))
        meet(record, y_true[:, :9], y_score[:, :9], **options)


@by_id(CURVE_METRICS)
def test_every_pair_of_columns(record):
    """The options take turns."""
    options = every_option(record)
    for number, pair in enumerate(product(cases(2), repeat=2)):
        y_true, y_score = (np.array(part).T for part in zip(*pair, strict=True))
        meet(record, y_true, y_score, **options[number % len(options)])


def ranked_from_the_last(scores, axis):
    return rankdata(scores[:, ::-1], method="ordinal", axis=axis)[:, ::-1]


@pytest.mark.parametrize("n_labels", [1, 2, 3, 4])
@pytest.mark.parametrize(
    ("ties", "theirs"),
    [
        ("worst", partial(rankdata, method="max")),
        ("best", partial(rankdata, method="min")),
        ("average", partial(rankdata, method="average")),
        ("first", partial(rankdata, method="ordinal")),
        ("last", ranked_from_the_last),
    ],
)
def test_ranks_by_scipy(ties, theirs, n_labels):
    y_score = np.array(worlds.weak_orderings(n_labels))
    assert ranking.ranks(y_score, ties=ties).tolist() == theirs(-y_score, axis=1).tolist()
