"""Replicates of a scorecard: their draws by hand, their numbers by the functions, any cut, a bootstrap."""

from __future__ import annotations

import copy
import json
import math
import pickle
import random
import tracemalloc
from decimal import Decimal, localcontext
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from scipy import sparse
from test_scorecard import by_functions, close, merge, world

from mlm_helpers import blocks, catalogue, counts, label_based
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


@pytest.mark.parametrize(
    "counter, key, words",
    [
        ([0] * 4, [0] * 2,
         [0x16554D9ECA36314C, 0xDB20FE9D672D0FDC, 0xD7E772CEE186176B, 0x7E68B68AEC7BA23B]),
        ([2**64 - 1] * 4, [2**64 - 1] * 2,
         [0x87B092C3013FE90B, 0x438C3C67BE8D0224, 0x9CC7D7C69CD777B6, 0xA09CAEBF594F0BA0]),
        ([0x243F6A8885A308D3, 0x13198A2E03707344, 0xA4093822299F31D0, 0x082EFA98EC4E6C89],
         [0x452821E638D01377, 0xBE5466CF34E90C6C],
         [0xA528F45403E61D95, 0x38C72DBD566E9788, 0xA5A1610E72FD18B5, 0x57BD43B5E52B7FE6]),
    ],
)  # fmt: skip
def test_philox_gives_the_known_answers(counter, key, words):
    """Those that its authors publish beside their code."""
    assert philox(counter, key) == words


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


def chi_square(observed, expected):
    return float(((observed - expected) ** 2 / expected).sum())


CHANCES = np.array([math.exp(-1) / math.factorial(k) for k in range(5)])
CHANCES = np.append(CHANCES, 1 - CHANCES.sum())  # 0 to 4, and more


@pytest.mark.parametrize("seed", [0, 7, 2**63])
def test_weights_are_poisson(seed):
    drawn = poisson_weights(10_000, 100, seed=seed)
    number = drawn.size
    found = np.bincount(np.minimum(drawn, 5).ravel(), minlength=6)
    assert (
        chi_square(found, number * CHANCES) < 20.5
    )  # 5 degrees of freedom: 999 of 1,000 are below
    # four standard errors; the fourth central moment is 4
    assert abs(drawn.mean() - 1) < 4 * math.sqrt(1 / number)
    assert abs(drawn.var() - 1) < 4 * math.sqrt(3 / number)


NEIGHBOURS = {
    "rows": lambda drawn: (drawn[:, :-1], drawn[:, 1:]),
    "rows, four apart": lambda drawn: (drawn[:, :-4], drawn[:, 4:]),
    "replicates": lambda drawn: (drawn[:-1], drawn[1:]),
    "both": lambda drawn: (drawn[:-1, :-1], drawn[1:, 1:]),
    "seeds": lambda drawn: (drawn, poisson_weights(10_000, 100, seed=1)),
    "halves of a key": lambda drawn: (drawn[1], poisson_weights(10_000, 1, seed=1)[0]),
}


@pytest.mark.parametrize("kind", NEIGHBOURS)
def test_neighbours_are_independent(kind):
    one, other = NEIGHBOURS[kind](poisson_weights(10_000, 100))
    cells = np.bincount((6 * np.minimum(one, 5) + np.minimum(other, 5)).ravel(), minlength=36)
    expected = one.size * np.outer(CHANCES, CHANCES).ravel()
    assert chi_square(cells, expected) < 66.6  # 35 degrees of freedom: 999 of 1,000 are below


def test_each_seed_and_each_replicate_is_another():
    drawn = [poisson_weights(50, 20, seed=seed).tolist() for seed in range(20)]
    assert len({str(weights) for of_seed in drawn for weights in of_seed}) == 400


# ---------------------------------------------------------------------------- their numbers


CONVENTIONS = [
    {}, {"zero_division": NAN, "undefined": NAN}, {"zero_division": "agree", "undefined": -1.0},
    {"zero_division": 1.0, "ties": "average", "start": 0, "beta": 0.5},
]  # fmt: skip


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("chosen", CONVENTIONS, ids=str)
def test_each_replicate_is_every_metric_under_its_weights(chosen, weighted):
    for seed in range(2):
        *matrices, weight = world(seed)
        weight = weight if weighted else None
        card = Scorecard.from_batch(
            *matrices, sample_weight=weight, replicates=8, seed=seed, first_row=11, **chosen
        )
        drawn = poisson_weights(len(matrices[0]), 8, seed=seed, first_row=11)
        found = card.replicated_values()
        assert list(found) == list(card.values())
        for r, times in enumerate(drawn):
            of = times * (1.0 if weight is None else weight)
            expected = by_functions(*matrices, sample_weight=of, **chosen)
            assert {name: values[r] for name, values in found.items()} == close(expected)
        plain = Scorecard.from_batch(*matrices, sample_weight=weight, **chosen)
        assert card.values() == plain.values()
        assert card.undefined() == plain.undefined()


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("form", [sparse.csr_array, sparse.csc_matrix, np.ndarray.tolist])
def test_of_any_kind_of_matrix(form, weighted):
    y_true, y_pred, y_score, weight = world(2)
    options = {"sample_weight": weight if weighted else None, "replicates": 5}
    plain = Scorecard.from_batch(y_true, y_pred, y_score, **options)
    other = Scorecard.from_batch(form(y_true), form(y_pred), y_score, **options)
    assert other.replicated_values().keys() == plain.replicated_values().keys()
    for name, values in plain.replicated_values().items():
        assert other.replicated_values()[name].tolist() == close(values.tolist())
    for one, another in zip(plain.replicates.confusion, other.replicates.confusion, strict=True):
        assert one.dtype == another.dtype == (float if weighted else np.intp)
        assert one == close(another)
        assert_array_equal(one == 0, another == 0)


def test_by_hand():
    """Rows 3 and 4 are drawn once each in replicate 0, rows 0 to 2 not at all: the first is wrong."""
    assert poisson_weights(5, 1).tolist() == [[0, 0, 0, 1, 1]]
    card = Scorecard.from_batch([[1]] * 5, [[1], [1], [1], [0], [1]], replicates=1)
    assert card.values()["subset accuracy"] == 4 / 5
    assert card.replicated_values()["subset accuracy"].tolist() == [1 / 2]
    assert [counted.tolist() for counted in card.replicates.confusion] == [
        [[1]],
        [[0]],
        [[1]],
        [[0]],
    ]
    assert card.replicates.rows == ((0, 5),)


def test_of_predictions_or_of_scores_alone():
    y_true, y_pred, y_score, _ = world(3)
    both = Scorecard.from_batch(y_true, y_pred, y_score, replicates=6).replicated_values()
    found = {}
    for other in ({"y_pred": y_pred}, {"y_score": y_score}):
        card = Scorecard.from_batch(y_true, **other, replicates=6)
        found |= card.replicated_values()
        assert (card.replicates.confusion is None) == ("y_score" in other)
    assert found.keys() == both.keys()
    for name, values in found.items():
        assert_array_equal(values, both[name])


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


# ---------------------------------------------------------------------------- any cut


WHOLE = ("exact_match.subset_accuracy", "exact_match.zero_one_loss", "ranking.one_error")


@st.composite
def cuts(draw):
    """Data, and which of its rows are read together: some runs of rows, down to single ones."""
    n_samples, n_labels = draw(st.integers(1, 25)), draw(st.integers(1, 5))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    y_true, y_pred = rng.random((2, n_samples, n_labels)) < draw(st.sampled_from([0.1, 0.5]))
    weight = None
    if draw(st.booleans()):
        weight = rng.choice([0, 0.1, 1 / 3, 1, 7.5], n_samples)
        weight[0] = 1
    ends = sorted(draw(st.sets(st.integers(1, n_samples), max_size=n_samples)) | {0, n_samples})
    runs = [slice(*pair) for pair in pairwise(ends)]
    matrices = y_true, y_pred, rng.integers(0, 3, y_true.shape)
    first_row = draw(st.sampled_from([0, 3, 10**9]))
    return matrices, weight, runs, first_row, draw(st.randoms(use_true_random=False))


def alike(one, other):
    """Whether replicates are the same: whole numbers to the last bit, sums of ratios nearly."""
    assert one.replicates.rows == other.replicates.rows
    assert one.replicates.seed == other.replicates.seed
    for name, mine, theirs in zip(
        one.sums, one.replicates.sums, other.replicates.sums, strict=True
    ):
        if one.replicates.confusion.tp.dtype.kind == "i":
            assert_array_equal(mine[1], theirs[1])
            if name in WHOLE:
                assert_array_equal(mine, theirs)
        assert mine == close(theirs)
    for mine, theirs in zip(one.replicates.confusion, other.replicates.confusion, strict=True):
        assert mine.dtype == theirs.dtype
        if mine.dtype.kind == "i":
            assert_array_equal(mine, theirs)
        assert mine == close(theirs)
    return True


def assert_any_cut_is_the_whole(problem):
    matrices, weight, runs, first_row, chance = problem

    def card(rows):
        of = None if weight is None else weight[rows]
        return Scorecard.from_batch(
            *(matrix[rows] for matrix in matrices),
            sample_weight=of, replicates=7, seed=5, first_row=first_row + rows.start,
        )  # fmt: skip

    whole = card(slice(0, len(matrices[0])))
    batches = [card(rows) for rows in runs]
    assert alike(merge(batches, chance), whole)
    assert alike(sum(pickle.loads(pickle.dumps(batches))), whole)
    assert alike(sum(Scorecard.from_json(batch.to_json()) for batch in batches[::-1]), whole)
    assert whole.replicates.rows == ((first_row, first_row + len(matrices[0])),)


@settings(derandomize=True, deadline=None, max_examples=40)
@given(cuts())
def test_any_cut_in_any_order_has_the_same_replicates(problem):
    assert_any_cut_is_the_whole(problem)


@pytest.mark.exhaustive
@settings(derandomize=True, deadline=None, max_examples=1000)
@given(cuts())
def test_a_thousand_cuts(problem):
    assert_any_cut_is_the_whole(problem)


def three_batches():
    """Thirty rows, and where they are cut."""
    *matrices, _ = world(4)
    runs = [slice(0, 7), slice(7, 8), slice(8, 30)]
    return matrices, None, runs, 0, random.Random(0)


def test_the_whole_is_found_again_only_if_rows_have_numbers(monkeypatch):
    """A weight that depends on the position in the batch is a mistake."""
    assert_any_cut_is_the_whole(three_batches())
    by_row = replicates._draws
    monkeypatch.setattr(
        replicates, "_draws", lambda number, seed, _, sizes: by_row(number, seed, 0, sizes)
    )
    with pytest.raises(AssertionError):
        assert_any_cut_is_the_whole(three_batches())


def test_in_blocks(monkeypatch):
    y_true, y_pred, y_score, weight = world(6, n_samples=200)
    make = [
        lambda w=w, kind=kind: Scorecard.from_batch(
            kind(y_true), kind(y_pred), y_score, sample_weight=w, replicates=9, first_row=2
        )
        for w in (None, weight)
        for kind in (np.asarray, sparse.csr_array)
    ]
    whole = [one() for one in make]
    monkeypatch.setattr("mlm_helpers.blocks.CELLS", 30)
    for one, before in zip(make, whole, strict=True):
        assert alike(one(), before)


# ---------------------------------------------------------------------------- how sure


def lumpy(n_samples=400, n_labels=12):
    """Rows that are easy or hard as a whole: wrong cells come together."""
    rng = np.random.default_rng(1)
    y_true = rng.random((n_samples, n_labels)) < 0.3
    wrong = rng.random(y_true.shape) < np.where(rng.random((n_samples, 1)) < 0.2, 0.6, 0.03)
    return (
        y_true,
        y_true ^ wrong,
        y_true + rng.normal(0, 0.5 + 1.5 * wrong.mean(1)[:, None], wrong.shape),
    )


def bootstrap(y_true, y_pred, y_score, n_resamples=400):
    """The values of every metric on rows that are drawn with replacement, in a plain loop."""
    rng = np.random.default_rng(2)
    found = []
    for _ in range(n_resamples):
        rows = [int(rng.integers(len(y_true))) for _ in range(len(y_true))]
        found.append(by_functions(y_true[rows], y_pred[rows], y_score[rows]))
    return {name: [values[name] for values in found] for name in found[0]}


def assert_it_is_as_sure_as_the_bootstrap(card, drawn):
    """Both scatter by chance: of 400 resamples, a standard error is known to about 1 in 28."""
    for name, (value, low, high, error, undefined) in card.intervals().items():
        assert undefined == 0
        of_rows = np.std(drawn[name], ddof=1)
        assert abs(error / of_rows - 1) < 0.2, name
        for end, percent in ((low, 2.5), (high, 97.5)):
            assert abs(end - np.percentile(drawn[name], percent)) < 0.5 * of_rows, name
        assert low < value < high


DATA = lumpy()


def test_it_is_as_sure_as_a_bootstrap_of_rows(monkeypatch):
    drawn = bootstrap(*DATA)
    card = sum(
        Scorecard.from_batch(*(m[rows] for m in DATA), replicates=400, first_row=rows.start)
        for rows in (slice(0, 150), slice(150, 400))
    )
    assert_it_is_as_sure_as_the_bootstrap(card, drawn)

    def by_cells(data, *, axis):
        """Draw each label's cells alone."""
        rng = np.random.default_rng
        orders = [rng(j).permutation(len(data.truth)) for j in range(data.shape[1])]
        columns = [
            counts.count(data.columns([j]).weighing(data.weight[:, order]), axis=axis)
            for j, order in enumerate(orders)
        ]
        return [np.concatenate(of_labels, axis=1) for of_labels in zip(*columns, strict=True)]

    monkeypatch.setattr(replicates, "counts", SimpleNamespace(count=by_cells))
    planted = Scorecard.from_batch(*DATA, replicates=400)
    with pytest.raises(AssertionError, match=r"m[ai]cro "):
        assert_it_is_as_sure_as_the_bootstrap(planted, drawn)


def test_a_known_standard_error():
    """Of a share p of n rows it is √(p(1 − p)/n)."""
    y_pred = [[1]] * 300 + [[0]] * 100
    card = Scorecard.from_batch([[1]] * 400, y_pred, replicates=500)
    expected = math.sqrt(0.75 * 0.25 / 400)
    found = card.intervals()["subset accuracy"]
    assert abs(found.standard_error / expected - 1) < 0.12  # four times 1/√(2·500)
    wide, narrow = (card.intervals(level)["subset accuracy"] for level in (0.99, 0.5))
    assert wide.low < found.low < narrow.low < 0.75 < narrow.high < found.high < wide.high
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


def test_two_models_share_their_resamples():
    y_true, y_pred, _, _ = world(8)
    one, other = (
        Scorecard.from_batch(y_true, said, replicates=20) for said in (y_pred, 1 - y_pred)
    )
    first, second = (c.replicated_values()["Hamming loss"] for c in (one, other))
    assert (first + second).tolist() == close([1.0] * 20)  # what one gets wrong, the other does not
    assert first.std() > 0


# ---------------------------------------------------------------------------- what is refused


def card(**options):
    return Scorecard.from_batch([[1, 0]], [[1, 0]], [[1, 0]], **{"replicates": 3, **options})


@pytest.mark.parametrize(
    "options, sentence",
    [
        ({"replicates": -1}, "replicates is -1: give a whole number of 0 or more"),
        ({"replicates": 2.5}, "replicates is 2.5: give a whole number of 0 or more"),
        ({"replicates": True}, "replicates is True: give a whole number of 0 or more"),
        ({"seed": -1}, "seed is -1: give a whole number from 0 to 18446744073709551615"),
        ({"seed": 2**64}, "seed is 18446744073709551616: give a whole number from 0 to"
         " 18446744073709551615"),
        ({"seed": None}, "seed is None: give a whole number from 0 to 18446744073709551615"),
        ({"first_row": -1}, "first_row is -1: give a whole number from 0 to 9007199254740992"),
        ({"first_row": 0.0}, "first_row is 0.0: give a whole number from 0 to 9007199254740992"),
    ],
)  # fmt: skip
def test_what_cannot_be_asked_for(options, sentence):
    with pytest.raises(ValueError) as caught:
        card(**options)
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    "arguments, sentence",
    [((-1, 1), "n_rows is -1: give a whole number from 0 to 9007199254740992"),
     ((1, -1), "n_replicates is -1: give a whole number of 0 or more")],
)  # fmt: skip
def test_weights_of_less_than_nothing(arguments, sentence):
    with pytest.raises(ValueError) as caught:
        poisson_weights(*arguments)
    assert str(caught.value) == sentence
    assert poisson_weights(0, 2).shape == (2, 0) and poisson_weights(2, 0).shape == (0, 2)


@pytest.mark.parametrize("level", [0, 1, -0.5, 95, NAN, "0.95", None, True])
def test_a_level_that_is_none(level):
    with pytest.raises(
        ValueError, match=r"^level is .*: give a number between 0 and 1, such as 0.95$"
    ):
        card().intervals(level)


@pytest.mark.parametrize(
    "other, what",
    [
        ({"replicates": 4}, "the number of replicates is 3 in one scorecard and 4 in the other"),
        ({"replicates": 0}, "the number of replicates is 3 in one scorecard and 0 in the other"),
        ({"seed": 1}, "seed is 0 in one scorecard and 1 in the other"),
    ],
)
def test_replicates_of_other_draws_are_not_added(other, what):
    with pytest.raises(ValueError) as caught:
        card() + card(first_row=1, **other)
    assert str(caught.value) == f"{what}: add scorecards of the same labels and conventions"


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


def test_rows_are_kept_in_as_few_ranges_as_there_are():
    cards = [card(first_row=row) for row in (7, 2, 3, 5)]
    assert sum(cards).replicates.rows == ((2, 4), (5, 6), (7, 8))
    assert sum([*cards, card(first_row=4), card(first_row=6)]).replicates.rows == ((2, 8),)
    assert (
        card(replicates=0) + card(replicates=0) is not None
    )  # without replicates rows have no number


# ---------------------------------------------------------------------------- kept, written, shown


CARDS = {
    "both": lambda: Scorecard.from_batch(*world()[:3], replicates=4, seed=2**64 - 1),
    "weights": lambda: Scorecard.from_batch(
        *world()[:3], sample_weight=world()[3] / 10, replicates=3, first_row=2**53
    ),
    "sets": lambda: Scorecard.from_batch(*world()[:2], replicates=2, zero_division=NAN),
    "scores": lambda: Scorecard.from_batch(
        world()[0], None, world()[2], replicates=2, undefined=-1, cuts=[0.5]
    ),
    "pieces": lambda: card(first_row=3) + card(first_row=9),
    "mixed": lambda: card(first_row=3) + card(first_row=9, sample_weight=[0.5]),
}


@pytest.mark.parametrize("kind", CARDS)
def test_written_and_read_back(kind):
    kept = CARDS[kind]()
    text = kept.to_json()
    content = json.loads(text, parse_constant=pytest.fail)
    assert content["version"] == 1
    for back in (
        Scorecard.from_json(text), pickle.loads(pickle.dumps(kept)), copy.deepcopy(kept),
        Scorecard.from_json(json.dumps(content, sort_keys=True, indent=1)),
    ):  # fmt: skip
        assert back.to_json() == text
        assert repr(back) == repr(kept)
        assert (back.replicates.seed, back.replicates.rows) == kept.replicates[:2]
        assert_array_equal(back.replicates.sums, kept.replicates.sums)
        for name, values in kept.replicated_values().items():
            assert_array_equal(back.replicated_values()[name], values)
        if kept.confusion is not None:
            for mine, other in zip(
                back.replicates.confusion, kept.replicates.confusion, strict=True
            ):
                assert mine.dtype == other.dtype
    del content["replicates"]
    without = Scorecard.from_json(json.dumps(content))
    assert without.replicates is None
    assert repr(without.values()) == repr(kept.values())


def test_without_replicates_nothing_has_changed():
    plain = Scorecard.from_batch(*world()[:3])
    assert plain.replicates is None
    assert plain.replicated_values() == plain.intervals() == {}
    assert "replicates" not in json.loads(plain.to_json())
    assert plain.to_json() == Scorecard.from_batch(*world()[:3], seed=9, first_row=5).to_json()


DAMAGED = [
    (["seed"], -1, "seed is -1"),
    (["seed"], True, "seed is True"),
    (["seed"], 2**64, "seed is 18446744073709551616"),
    (["rows"], None, "rows is None, not 2 rows in growing order"),
    (["rows"], [], "rows is [], not 2 rows in growing order"),
    (["rows"], [[0, 1]], "rows is [[0, 1]], not 2 rows in growing order"),
    (["rows"], [[4, 5], [0, 1]], "rows is [[4, 5], [0, 1]], not 2 rows in growing order"),
    (["rows"], [[0, 1], [1, 2]], "rows is [[0, 1], [1, 2]], not 2 rows in growing order"),
    (["rows"], [[-2, 0]], "rows is [[-2, 0]], not 2 rows in growing order"),
    (["rows"], [[0, 2.0]], "rows is [[0, 2.0]], not 2 rows in growing order"),
    (["rows"], [["a", "c"]], "rows is [['a', 'c']], not 2 rows in growing order"),
    (["sums"], {}, "exact_match.subset_accuracy is missing from replicates"),
    (["sums", "exact_match.subset_accuracy"], 5, "a replicate is 5 and not two lists of numbers"),
    (["sums", "exact_match.subset_accuracy"], [[], []],
     "a replicate is [[], []] and not two lists of numbers"),
    (["sums", "hamming.hamming_loss"], [[0.0], [1.0]],
     "the replicates are not 2 lists of 3 numbers"),
    (["sums", "hamming.hamming_loss", 0, 1], None, "a replicate holds what is no number"),
    (["sums", "hamming.hamming_loss", 0, 1], NAN, "a replicate holds what is no number"),
    (["sums", "hamming.hamming_loss", 0, 1], 99.0,
     "the replicates of hamming.hamming_loss do not add up"),
    (["sums", "hamming.hamming_loss", 0, 1], -0.5,
     "the replicates of hamming.hamming_loss do not add up"),
    (["sums", "hamming.hamming_loss", 1, 1], 0.5,
     "the replicates of hamming.hamming_loss do not add up"),
    (["confusion"], None, "the counts of the replicates are None"),
    (["confusion", 3], [], "the replicates are not 3 lists of 2 counts"),
    (["confusion", 3, 0], [1], "the replicates are not 3 lists of 2 counts"),
    (["confusion", 3, 0, 0], -1, "a replicate holds what is no count"),
    (["confusion", 3, 0, 0], "1", "a replicate holds what is no count"),
    (["confusion", 3, 0, 0], 10**20, "the counts of a replicate do not add up to what it weighs"),
    (["confusion", 3, 0, 0], 77, "the counts of a replicate do not add up to what it weighs"),
]  # fmt: skip


@pytest.mark.parametrize("path, value, reason", DAMAGED, ids=lambda each: str(each)[:40])
def test_damaged_replicates(path, value, reason):
    content = json.loads((card(first_row=3) + card(first_row=5)).to_json())
    parent = content["replicates"]
    for step in path[:-1]:
        parent = parent[step]
    parent[path[-1]] = value
    with pytest.raises(ValueError) as caught:
        Scorecard.from_json(json.dumps(content))
    assert str(caught.value) == f"the scorecard is damaged, {reason}: compute it again"


def test_more_or_less_than_replicates_is_refused():
    content = json.loads(CARDS["scores"]().to_json())
    for replicated, reason in (
        (7, "replicates is 7 and no mapping"),
        ({**content["replicates"], "k": 1}, "replicates has 'k', which it cannot have"),
        ({**content["replicates"], "confusion": []},
         "replicates have counts of labels and the scorecard has none"),
    ):  # fmt: skip
        with pytest.raises(ValueError) as caught:
            Scorecard.from_json(json.dumps(content | {"replicates": replicated}))
        assert str(caught.value) == f"the scorecard is damaged, {reason}: compute it again"


def test_table():
    kept = CARDS["both"]()
    plain = Scorecard.from_batch(*world()[:3])
    with_columns, without = (c.table().steps[0] for c in (kept, plain))
    columns = ("95 % from", "to", "standard error")
    assert with_columns.header[3:6] == columns
    assert without.header == tuple(name for name in with_columns.header if name not in columns)
    for name, *cells in with_columns.rows:
        shown = [float(cell) for cell in cells[2:5]]
        assert shown == pytest.approx(kept.intervals()[name][1:4], rel=1e-5, abs=1e-5)
    assert without.rows == tuple((*row[:3], *row[6:]) for row in with_columns.rows)
    sentence = "No interval: counts between cuts are not kept of each replicate."
    assert sentence in repr(CARDS["scores"]())
    assert sentence not in repr(Scorecard.from_batch(world()[0], None, world()[2], cuts=[0.5]))
    assert sentence not in repr(kept)


def test_nobody_can_change_them():
    kept = CARDS["both"]()
    before = kept.to_json()
    for part in (kept, pickle.loads(pickle.dumps(kept)), Scorecard.from_json(before)):
        for array in (part.replicates.sums, *part.replicates.confusion):
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 99
    assert kept.to_json() == before


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


def test_counts_of_each_replicate_are_the_functions():
    y_true, y_pred, _, _ = world(9)
    kept = Scorecard.from_batch(y_true, y_pred, replicates=5).replicates
    for r, weight in enumerate(poisson_weights(len(y_true), 5)):
        assert_array_equal(
            [counted[r] for counted in kept.confusion],
            label_based.confusion(y_true, y_pred, sample_weight=weight),
        )
