"""Replicates of a scorecard: their draws by hand, their numbers by the functions, any cut, a bootstrap."""

from __future__ import annotations

import functools
import itertools
import math
import time
import tracemalloc
from decimal import Decimal, localcontext

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from scipy import sparse
from test_scorecard import by_functions, close, world

from mlm_helpers import catalogue
from mlm_helpers._core import blocks
from mlm_helpers.scorecard import Scorecard, poisson_weights, replicates
from mlm_helpers.uncertainty import Interval

NAN = math.nan

# ---------------------------------------------------------------------------- draws


def philox(counter, key):
    """Philox4x64-10 in whole numbers of Python."""
    low, counter, key = 2**64, list(counter), list(key)
    for _ in range(10):
        one, other = 0xD2E7470EE14C6C93 * counter[0], 0xCA5A826395121157 * counter[2]
        counter = [
            other // low ^ counter[1] ^ key[0], other % low,
            one // low ^ counter[3] ^ key[1], one % low,
        ]  # fmt: skip
        key = [(key[0] + 0x9E3779B97F4A7C15) % low, (key[1] + 0xBB67AE8584CAA73B) % low]
    return counter


def poisson(word):
    """How many of the chances P(X ≤ k) a word reaches, in sixty digits."""
    with localcontext() as context:
        context.prec = 60
        term = chance = Decimal(-1).exp()
        k, share = 0, Decimal(word) / 2**64
        while share >= chance:
            k += 1
            term /= k
            chance += term
        return k


@pytest.mark.parametrize("first_row", [0, 1, 6, 2**32 + 3, 2**53 - 9])
@pytest.mark.parametrize("seed", [0, 1, 2**64 - 1])
def test_weights_are_those_that_are_documented(first_row, seed):
    """Word i mod 4 of the block at ⌊i/4⌋ + 1, under the seed and the replicate."""
    expected = [
        [
            poisson(philox([row // 4 + 1, 0, 0, 0], [seed, r])[row % 4])
            for row in range(first_row, first_row + 9)
        ]
        for r in range(4)
    ]
    drawn = poisson_weights(9, 4, seed=seed, first_row=first_row)
    assert_array_equal(drawn, expected)
    assert_array_equal(poisson_weights(4, 2, seed=seed, first_row=first_row + 3), drawn[:2, 3:7])


def test_the_steps_between_weights_are_the_chances():
    """The words at and just below each step, where a slip of one bit would show."""
    steps = [int(step) for step in replicates._STEPS]
    words = sorted({word for step in steps for word in (step - 1, step, step + 1)} | {0, 2**64 - 1})
    words = [word for word in words if 0 <= word < 2**64]
    found = replicates._poisson(np.array(words, dtype=np.uint64)).tolist()
    assert found == [poisson(word) for word in words]
    assert found[0] == 0 and found[-1] == 20 and len(steps) == 20


# ---------------------------------------------------------------------------- their numbers


CONVENTIONS = [
    {}, {"zero_division": NAN, "undefined": NAN}, {"zero_division": "agree", "undefined": -1.0},
    {"zero_division": 1.0, "ties": "average", "start": 0, "beta": 0.5},
]  # fmt: skip


@pytest.mark.parametrize("chosen", CONVENTIONS, ids=str)
def test_each_replicate_is_every_metric_under_its_weights(chosen):
    for seed in range(2):
        *matrices, weight = world(seed)
        weight = weight if seed else None
        card = Scorecard.from_batch(
            *matrices, sample_weight=weight, replicates=4, seed=seed, first_row=11, **chosen
        )
        drawn = poisson_weights(len(matrices[0]), 4, seed=seed, first_row=11)
        found = card.replicated_values()
        assert list(found) == list(card.values())
        for r, times in enumerate(drawn):
            of = times * (1.0 if weight is None else weight)
            expected = by_functions(*matrices, sample_weight=of, **chosen)
            assert {name: values[r] for name, values in found.items()} == close(expected)


def test_by_hand():
    """Rows 3 and 4 are drawn once each in replicate 0, rows 0 to 2 not at all: the first is wrong."""
    assert poisson_weights(5, 1).tolist() == [[0, 0, 0, 1, 1]]
    card = Scorecard.from_batch([[1]] * 5, [[1], [1], [1], [0], [1]], replicates=1)
    assert card.values()["subset accuracy"] == 4 / 5
    assert card.replicated_values()["subset accuracy"].tolist() == [1 / 2]
    assert [count.item() for count in card.replicates.confusion] == [1, 0, 1, 0]
    assert card.replicates.rows == ((0, 5),)


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array])
def test_a_perfect_prediction_is_exactly_perfect_in_each_replicate(kind):
    rng = np.random.default_rng(0)
    for n in (1, 2, 7, 60, 333):
        y_true = rng.random((n, 4)) < 0.5
        y_true[:, 0] = True
        weight = rng.choice([0.1, 0.2, 0.6, 0.7, 1.0], n)
        found = Scorecard.from_batch(
            kind(y_true), kind(y_true), sample_weight=weight, zero_division=NAN, replicates=9
        ).replicated_values()
        for name, values in found.items():
            best = 1.0 if catalogue.of(catalogue.variants()[name]).higher_is_better else 0.0
            assert set(values[~np.isnan(values)].tolist()) <= {best}, name


def test_a_replicate_without_a_row_has_no_value():
    """The function refuses weights that are all 0."""
    empty = poisson_weights(2, 50).sum(axis=1) == 0
    assert 0 < empty.sum() < 50
    card = Scorecard.from_batch([[1, 0]] * 2, [[1, 0]] * 2, [[2, 1]] * 2, replicates=50)
    for name in ("subset accuracy", "samples F1", "coverage"):
        assert_array_equal(np.isnan(card.replicated_values()[name]), empty)
        assert card.intervals()[name].undefined == empty.sum()


def test_no_label_is_invented_where_weights_are_rounded():
    """True negatives are what is left of sparse data: a rounded difference is not left over."""
    ones = sparse.csr_array(np.ones((40, 3), dtype=int))
    weight = np.random.default_rng(0).random(40)
    card = Scorecard.from_batch(ones, ones, sample_weight=weight, replicates=30)
    assert not card.replicates.confusion.tn.any()
    assert not card.replicates.confusion.fp.any()


def test_in_blocks(monkeypatch):
    y_true, y_pred, y_score, weight = world(6, n_samples=200)
    for w, kind in itertools.product((None, weight), (np.asarray, sparse.csr_array)):
        data = kind(y_true), kind(y_pred), y_score
        options = {"sample_weight": w, "replicates": 9, "first_row": 2}
        whole = Scorecard.from_batch(*data, **options).replicates
        with monkeypatch.context() as patched:
            patched.setattr("mlm_helpers._core.blocks.CELLS", 30)
            again = Scorecard.from_batch(*data, **options).replicates
        assert again.sums == close(whole.sums)
        assert np.array(again.confusion) == close(np.array(whole.confusion))


# ---------------------------------------------------------------------------- how sure


def test_a_known_standard_error():
    """Of a share p of n rows it is √(p(1 − p)/n)."""
    y_pred = [[1]] * 300 + [[0]] * 100
    card = Scorecard.from_batch([[1]] * 400, y_pred, replicates=500)
    expected = math.sqrt(0.75 * 0.25 / 400)
    values = card.replicated_values()["subset accuracy"]
    found, narrow = (replicates.interval(0.75, values, level) for level in (0.95, 0.5))
    assert abs(found.standard_error / expected - 1) < 0.12  # four times 1/√(2·500)
    assert found.low < narrow.low < 0.75 < narrow.high < found.high
    # of a normal distribution, half lies within 0.674 standard errors
    assert abs((narrow.high - narrow.low) / (2 * 0.674 * expected) - 1) < 0.25


def test_interval_by_hand():
    found = replicates.interval(0.5, np.array([0.0, 1.0, NAN, 2.0, 3.0, 4.0]), 0.5)
    assert found == Interval(0.5, 1.0, 3.0, math.sqrt(2.5), 1)
    assert found._fields == ("value", "low", "high", "standard_error", "undefined")
    one = replicates.interval(0.5, np.array([0.25, NAN]), 0.9)
    assert one[:3] == (0.5, 0.25, 0.25) and math.isnan(one.standard_error) and one.undefined == 1
    assert all(map(math.isnan, replicates.interval(NAN, np.array([1.0, 2.0]), 0.9)[:3]))
    none = replicates.interval(NAN, np.array([NAN, NAN]), 0.9)
    assert all(map(math.isnan, none[:4])) and none.undefined == 2


def test_what_is_no_size_and_no_level():
    for arguments, name in (((-1, 1), "n_rows"), ((1, -1), "n_replicates")):
        with pytest.raises(ValueError, match=rf"^{name} is -1: give a whole number "):
            poisson_weights(*arguments)
    assert poisson_weights(0, 2).shape == (2, 0) and poisson_weights(2, 0).shape == (0, 2)
    for level in (0, 1, 95, NAN, "0.95"):
        with pytest.raises(ValueError, match=r"^level is .*: give a number between 0 and 1, such"):
            Scorecard.from_batch([[1]], [[1]], replicates=3).intervals(level)


@pytest.mark.parametrize("first_row", [0, 4, 2, 9])
def test_a_row_that_both_have_read(first_row):
    """Above all where all batches begin at 0."""
    ten, other = (
        Scorecard.from_batch([[1]] * n, [[1]] * n, replicates=2, first_row=f)
        for n, f in ((10, 0), (3, first_row))
    )
    for one, another in ((ten, other), (other, ten)):
        with pytest.raises(ValueError) as caught:
            one + another
        assert str(caught.value) == (
            f"row {first_row} is in both scorecards, so their replicates do not add up: give as"
            " first_row of each batch the number of its first row in the whole"
        )


def ranges(rows):
    """Runs of neighbours in a set of rows."""
    firsts = sorted(row for row in rows if row - 1 not in rows)
    ends = sorted(row + 1 for row in rows if row + 1 not in rows)
    return tuple(zip(firsts, ends, strict=True))


ROWS = st.sets(st.integers(0, 15), min_size=1)


@settings(derandomize=True, deadline=None, max_examples=100)
@given(ROWS, ROWS)
def test_ranges_of_rows_are_joined_as_sets_are(one, other):
    if one & other:
        with pytest.raises(ValueError, match=rf"^row {min(one & other)} is in both scorecards"):
            replicates.joined(ranges(one), ranges(other))
    else:
        assert replicates.joined(ranges(one), ranges(other)) == ranges(one | other)


def test_many_ranges_are_joined_fast():
    """One after another, 8,000 took seven seconds when each merge looked at all of them."""
    start = time.process_time()
    rows = functools.reduce(replicates.joined, (((10 * i, 10 * i + 2),) for i in range(8000)))
    assert time.process_time() - start < 1.5
    assert len(rows) == 8000


def test_memory():
    """Beside the matrices and a few numbers per sample: blocks, however many rows there are."""
    rng = np.random.default_rng(0)
    y_true, y_pred = rng.random((2, 20_000, 20)) < 0.05
    Scorecard.from_batch(y_true[:10], y_pred[:10], replicates=200)
    tracemalloc.start()
    kept = Scorecard.from_batch(y_true, y_pred, replicates=200)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    of_counts = 4 * 200 * 20 * 8
    assert peak < 20 * 8 * len(y_true) + 40 * blocks.CELLS + 3 * of_counts
    assert peak < 200 * len(y_true) * 8 / 4  # as floats, the weights of all rows
    assert sum(counted.nbytes for counted in kept.replicates.confusion) == of_counts
