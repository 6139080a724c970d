"""Scorecards: against the metric functions and plain counting, split every way, written and read back."""

from __future__ import annotations

import copy
import html
import json
import math
import pickle
import re
import tracemalloc

import numpy as np
import pandas as pd
import pytest
import worlds
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from scipy import sparse

from mlm_helpers import blocks, catalogue, inputs, label_based, ranking
from mlm_helpers.counts import Counts
from mlm_helpers.scorecard import Scorecard, Sum
from mlm_helpers.worked import solve

NAN = math.nan
DEFAULTS = {
    "zero_division": 0.0, "beta": 2.0, "ties": None, "start": 1, "undefined": None, "k": 1,
}  # fmt: skip


def kept():
    """What adds up, by name."""
    found = catalogue.variants().items()
    return {name: metric for name, metric in found if not catalogue.of(metric).left_out}


def close(value):
    return pytest.approx(value, rel=1e-12, abs=1e-12, nan_ok=True)


def by_functions(y_true, y_pred=None, y_score=None, *, sample_weight=None, **chosen):
    """What the public functions say, one by one, by the names of the catalogue."""
    conventions = {n: value for n, value in (DEFAULTS | chosen).items() if value is not None}
    values = {}
    for name, metric in kept().items():
        record = catalogue.of(metric)
        other = y_pred if record.reads == "y_pred" else y_score
        if other is not None:
            options = {o: value for o, value in conventions.items() if o in record.options}
            name = re.sub("F2$", f"F{conventions['beta']:g}", name)
            values[name] = metric(y_true, other, sample_weight=sample_weight, **options)
    return values


def world(seed=0, n_samples=30, n_labels=6):
    """Truth, prediction, scores with ties, weights; with empty rows and labels that are never there."""
    rng = np.random.default_rng(seed)
    y_true, y_pred = (rng.random((2, n_samples, n_labels)) < 0.3).astype(int)
    y_true[::7] = y_pred[::5] = 0
    if seed % 2:  # a sample with every label, or labels that are never there
        y_true[1] = 1
    else:
        y_true[:, 1] = y_pred[:, 1] = y_true[:, 2] = y_pred[:, 3] = 0
    return y_true, y_pred, rng.integers(0, 4, y_true.shape) / 4, rng.integers(0, 3, n_samples) + 0.5


def same(card, other):
    """Whether two scorecards hold the same: whole numbers exactly, sums of ratios nearly."""
    assert (card.n_samples, card.n_labels) == (other.n_samples, other.n_labels)
    assert card.labels == other.labels
    assert repr(card.conventions) == repr(other.conventions)
    assert list(card.sums) == list(other.sums)
    for name, kept in card.sums.items():
        assert kept.undefined == other.sums[name].undefined
        assert kept[:2] == close(other.sums[name][:2])
    assert (card.confusion is None) == (other.confusion is None)
    if card.confusion is not None:
        for mine, theirs in zip(card.confusion, other.confusion, strict=True):
            assert mine.dtype == theirs.dtype
            if mine.dtype.kind == "i":
                assert_array_equal(mine, theirs)
            else:
                assert mine == close(theirs)
    assert card.values() == close(other.values())
    assert card.undefined() == other.undefined()
    return True


# ---------------------------------------------------------------------------- the numbers


def test_by_hand():
    # Sample 0: label 0 hit, label 1 missed. Sample 1: nothing true, label 2 predicted. Sample 2: empty.
    card = Scorecard.from_batch(
        [[1, 1, 0], [0, 0, 0], [0, 0, 0]],
        [[1, 0, 0], [0, 0, 1], [0, 0, 0]],
        [[3, 1, 2], [3, 2, 1], [3, 2, 1]],
    )
    expected = {
        "subset accuracy": 1 / 3, "zero-one loss": 2 / 3,
        "samples accuracy (Jaccard)": 1 / 6, "samples precision": 1 / 3, "samples recall": 1 / 6,
        "samples F1": 2 / 9, "samples F2": 5 / 9 / 3, "Hamming loss": 2 / 9,
        "macro precision": 1 / 3, "micro precision": 1 / 2, "weighted precision": 1 / 2,
        "macro recall": 1 / 3, "micro recall": 1 / 2, "weighted recall": 1 / 2,
        "macro F1": 1 / 3, "micro F1": 1 / 2, "weighted F1": 1 / 2,
        "macro F2": 1 / 3, "micro F2": 1 / 2, "weighted F2": 1 / 2,
        "macro Jaccard": 1 / 3, "micro Jaccard": 1 / 3, "weighted Jaccard": 1 / 2,
        "coverage": 1.0, "one-error": 2 / 3, "ranking loss": 1 / 2 / 3,
        "average precision": (5 / 6 + 2) / 3,
        "precision at 1": 1 / 3, "recall at 1": 1 / 2 / 3, "nDCG at 1": 1 / 3,
    }  # fmt: skip
    assert card.values() == close(expected)
    assert {name: without for name, without in card.undefined().items() if without} == {
        "samples accuracy (Jaccard)": 1, "samples precision": 1, "samples recall": 2,
        "samples F1": 1, "samples F2": 1, "macro precision": 1, "weighted precision": 1,
        "macro recall": 1, "weighted recall": 1, "coverage": 2, "one-error": 2, "ranking loss": 2,
        "average precision": 2, "recall at 1": 2, "nDCG at 1": 2,
    }  # fmt: skip
    assert_array_equal(card.confusion, [[1, 0, 0], [0, 0, 1], [0, 1, 0], [2, 2, 2]])
    assert card.sums["example_based.recall"] == Sum(0.5, 3.0, 2)
    assert list(card.values()) == list(card.undefined()) == list(kept())


CONVENTIONS = [
    *({"zero_division": value} for value in worlds.ZERO_DIVISIONS),
    *({"ties": value} for value in worlds.TIES),
    *({"undefined": value} for value in (0.0, 1.0, NAN, -1.0)),
    *({"beta": value} for value in (0, 0.5, 3)),
    *({"start": value} for value in (0, 1)),
    {"zero_division": NAN, "beta": 0.25, "ties": "average", "start": 0, "undefined": NAN},
]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("chosen", [{}, *CONVENTIONS], ids=str)
def test_every_value_is_the_public_functions(chosen, weighted):
    for seed in range(2):
        *matrices, weight = world(seed)
        weight = weight if weighted else None
        card = Scorecard.from_batch(*matrices, sample_weight=weight, **chosen)
        expected = by_functions(*matrices, sample_weight=weight, **chosen)
        assert list(card.values()) == list(expected)
        assert card.values() == close(expected)


def test_conventions_matter():
    """Otherwise the tests of each would prove nothing."""
    default = Scorecard.from_batch(*world()[:3]).values()
    for chosen in CONVENTIONS:
        if not chosen.items() <= DEFAULTS.items():
            assert list(Scorecard.from_batch(*world()[:3], **chosen).values().values()) != list(
                default.values()
            )


FORMS = {
    "lists": np.ndarray.tolist,
    "bool": lambda matrix: matrix.astype(bool),
    "columns first": np.asfortranarray,
    "DataFrame": pd.DataFrame,
    **{kind: getattr(sparse, f"{kind}_array") for kind in ("csr", "csc", "coo", "lil", "dok")},
    "csr_matrix": sparse.csr_matrix,
}


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("form", FORMS)
def test_every_kind_of_matrix(form, weighted):
    y_true, y_pred, y_score, weight = world(8)
    weight = weight if weighted else None
    plain = Scorecard.from_batch(y_true, y_pred, y_score, sample_weight=weight)
    make = FORMS[form]
    for pred in (make(y_pred), y_pred):
        if isinstance(pred, np.ndarray) or form != "lists":
            assert same(
                Scorecard.from_batch(make(y_true), pred, y_score, sample_weight=weight), plain
            )
    assert plain.values() == close(by_functions(y_true, y_pred, y_score, sample_weight=weight))


def test_predictions_or_scores_or_both():
    y_true, y_pred, y_score, _ = world(3)
    both = Scorecard.from_batch(y_true, y_pred, y_score).values()
    sets, ranks = Scorecard.from_batch(y_true, y_pred), Scorecard.from_batch(y_true, None, y_score)
    assert sets.values() | ranks.values() == both
    assert sets.values() == close(by_functions(y_true, y_pred))
    assert ranks.values() == close(by_functions(y_true, None, y_score))
    assert ranks.confusion is None
    assert len(sets.values()) + len(ranks.values()) == len(both) == len(kept())


def test_beta_1_is_f1_and_appears_once():
    y_true, y_pred, _, _ = world(4)
    card = Scorecard.from_batch(y_true, y_pred, beta=1)
    two = Scorecard.from_batch(y_true, y_pred).values()
    assert card.values() == {name: value for name, value in two.items() if "F2" not in name}
    assert [row[0] for row in card.table().steps[0].rows] == list(card.values())


def test_a_beta_next_to_1_is_not_f1():
    card = Scorecard.from_batch([[1, 1, 1]], [[1, 0, 0]], beta=1.0000001).values()
    assert card["samples F1"] == 0.5
    assert card["samples F1.0000001"] == pytest.approx(0.5 - 2.5e-8, rel=1e-10)


# ---------------------------------------------------------------------------- what has no value


def has_none(record, true, pred, beta):
    """Whether a set metric of these rows (or columns) is 0/0."""
    tp, either = (sum(map(f, zip(true, pred, strict=True))) for f in (all, any))
    name = record.function.__name__
    if name == "precision" or (name == "fbeta" and beta == 0):
        return not sum(pred)
    if name == "recall":
        return not sum(true)
    return not (tp or either)


@pytest.mark.parametrize("chosen", [{}, *CONVENTIONS], ids=str)
@pytest.mark.parametrize("weighted", [False, True])
def test_undefined_counts_what_has_no_value(chosen, weighted):
    for seed in range(2):
        y_true, y_pred, y_score, weight = world(seed)
        weight = weight if weighted else None
        expected = {}
        for name, metric in kept().items():
            record, beta = catalogue.of(metric), chosen.get("beta", 2)
            sizes = [sum(row) for row in y_true.tolist()]
            if record.family in ("exact match", "Hamming"):
                pairs = []
            elif record.family == "example-based":
                pairs = zip(y_true.tolist(), y_pred.tolist(), strict=True)
            elif record.family == "label-based" and metric.keywords["average"] == "micro":
                pairs = [(y_true.ravel().tolist(), y_pred.ravel().tolist())]
            elif record.family == "label-based":
                pairs = zip(y_true.T.tolist(), y_pred.T.tolist(), strict=True)
            name = re.sub("F2$", f"F{beta:g}", name)
            if record.family == "ranking":
                full = y_true.shape[1] if record.function is ranking.ranking_loss else None
                expected[name] = sum(size in (0, full) for size in sizes)
            elif record.family == "top k":
                expected[name] = sizes.count(0) if "undefined" in record.options else 0
            else:
                expected[name] = sum(has_none(record, *pair, beta) for pair in pairs)
        card = Scorecard.from_batch(y_true, y_pred, y_score, sample_weight=weight, **chosen)
        assert card.undefined() == expected
        assert expected["samples recall"] > 1
        if seed % 2:
            assert expected["ranking loss"] > expected["coverage"] > 0
        else:
            assert expected["macro recall"] == 2


def test_a_micro_average_without_a_value():
    card = Scorecard.from_batch([[0, 0], [0, 0]], [[0, 1], [0, 0]])
    without = card.undefined()
    assert without["micro recall"] == 1
    assert without["micro precision"] == without["micro F1"] == 0
    assert without["macro recall"] == without["weighted recall"] == 2


def test_all_left_out_is_nan():
    card = Scorecard.from_batch([[0, 0]], [[0, 0]], zero_division=NAN)
    assert math.isnan(card.values()["samples F1"]) and math.isnan(card.values()["macro F1"])
    assert card.values()["subset accuracy"] == 1.0
    assert card.sums["example_based.f1"] == Sum(0.0, 0.0, 1)
    json.loads(card.to_json(), parse_constant=pytest.fail)
    assert same(Scorecard.from_json(card.to_json()), card)


# ---------------------------------------------------------------------------- adding up


@st.composite
def splits(draw):
    """A world, conventions, and two ways to split it, in any order and any grouping."""
    n_samples, n_labels = draw(st.integers(1, 14)), draw(st.integers(1, 6))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    y_true, y_pred = rng.random((2, n_samples, n_labels)) < draw(st.sampled_from([0.1, 0.5, 0.9]))
    present = rng.random(n_labels) < 0.8
    matrices = [y_true & present, y_pred & present, rng.integers(0, 3, y_true.shape)]
    absent = draw(st.sampled_from([None, 1, 2]))
    if absent is not None:
        matrices[absent] = None
    weight = None
    if draw(st.booleans()):
        weight = rng.choice([0, 0.1, 1 / 3, 1, 7.5], n_samples)
        weight[0] = 1
    chosen = {
        "zero_division": draw(st.sampled_from(worlds.ZERO_DIVISIONS)),
        "beta": draw(st.sampled_from([0, 0.3, 1, 2.0])),
        "ties": draw(st.sampled_from([None, *worlds.TIES])),
        "start": draw(st.sampled_from([0, 1])),
        "undefined": draw(st.sampled_from([None, 0.0, 1.0, -1.0, NAN])),
    }
    batch_of = rng.integers(0, draw(st.integers(1, 6)), n_samples)
    return matrices, weight, chosen, batch_of, draw(st.randoms(use_true_random=False))


def merge(cards, chance):
    """Add up in random order and random groups."""
    cards = list(cards)
    while len(cards) > 1:
        first, second = (cards.pop(chance.randrange(len(cards))) for _ in range(2))
        cards.insert(chance.randrange(len(cards) + 1), first + second)
    return cards[0]


def assert_it_is_the_whole(split):
    matrices, weight, chosen, batch_of, chance = split

    def card(rows):
        of_rows = (None if matrix is None else matrix[rows] for matrix in matrices)
        return Scorecard.from_batch(
            *of_rows, sample_weight=None if weight is None else weight[rows], **chosen
        )

    whole = card(slice(None))
    batches = [card(np.flatnonzero(batch_of == b)) for b in sorted(set(batch_of.tolist()))]
    before = [batch.to_json() for batch in batches]
    assert same(merge(batches, chance), whole)
    assert same(sum(pickle.loads(pickle.dumps(batches))), whole)
    assert same(sum(map(Scorecard.from_json, before)), whole)
    assert [batch.to_json() for batch in batches] == before
    expected = by_functions(*matrices, sample_weight=weight, **chosen)
    assert whole.values() == close(expected)


@settings(derandomize=True, deadline=None, max_examples=25)
@given(splits())
def test_any_split_in_any_order_is_the_whole(split):
    assert_it_is_the_whole(split)


@pytest.mark.exhaustive
@settings(derandomize=True, deadline=None, max_examples=1000)
@given(splits())
def test_a_thousand_splits(split):
    assert_it_is_the_whole(split)


def test_small_worlds_sample_by_sample():
    for y_true, y_pred in worlds.representatives(2, 2)[::3]:
        samples = zip(y_true, y_pred, strict=True)
        values = sum(Scorecard.from_batch([t], [p]) for t, p in samples).values()
        for name, metric in kept().items():
            if catalogue.of(metric).reads == "y_pred":
                assert values[name] == close(float(solve(metric, y_true, y_pred).value))


def test_addition_keeps_whole_numbers_whole_and_both_operands():
    y_true, y_pred, y_score, weight = world(5)
    card, weighted = (
        Scorecard.from_batch(y_true, y_pred, y_score, sample_weight=w) for w in (None, weight)
    )
    before = card.to_json(), weighted.to_json()
    both, mixed = card + card, card + weighted
    assert both.confusion.tp.dtype == np.intp
    assert_array_equal(both.confusion.tn, 2 * card.confusion.tn)
    assert same(
        mixed,
        Scorecard.from_batch(
            *(np.vstack([matrix] * 2) for matrix in (y_true, y_pred, y_score)),
            sample_weight=np.append(np.ones(len(y_true)), weight),
        ),
    )
    assert (card.to_json(), weighted.to_json()) == before
    assert not any(np.shares_memory(a, b) for a in both.confusion for b in card.confusion)


def test_a_batch_of_weight_0_adds_samples_and_no_weight():
    *matrices, weight = world(6)
    weight[:10] = 0
    batches = [
        Scorecard.from_batch(*(m[rows] for m in matrices), sample_weight=weight[rows])
        for rows in (slice(0, 10), slice(10, None))
    ]
    assert same(sum(batches), Scorecard.from_batch(*matrices, sample_weight=weight))
    assert batches[0].n_samples == 10
    assert math.isnan(batches[0].values()["Hamming loss"])  # where the function refuses
    assert math.isnan(batches[0].values()["coverage"])
    assert same(Scorecard.from_json(batches[0].to_json()), batches[0])
    for options in ({}, {"y_score": matrices[2][:10], "y_pred": None}):
        with pytest.raises(ValueError, match=r"^sample_weight sums to 1e-200, where floats"):
            given = {"y_pred": matrices[1][:10]} | options
            Scorecard.from_batch(matrices[0][:10], **given, sample_weight=[1e-200] + [0] * 9)


# ---------------------------------------------------------------------------- what is not added


def card(*, n_labels=2, y_pred=True, y_score=True, **options):
    one = [[1] + [0] * (n_labels - 1)]
    return Scorecard.from_batch(one, one if y_pred else None, one if y_score else None, **options)


@pytest.mark.parametrize(
    "one, other, sentence",
    [
        ({}, {"n_labels": 3}, "n_labels is 2 in one scorecard and 3 in the other"),
        ({"labels": ["a", "b"]}, {}, "label 0 is 'a' in one scorecard and None in the other"),
        ({}, {"labels": ["a", "b"]}, "label 0 is None in one scorecard and 'a' in the other"),
        ({"labels": ["a", "b"]}, {"labels": ["a", "c"]},
         "label 1 is 'b' in one scorecard and 'c' in the other"),
        ({"labels": ["a", "b"]}, {"labels": ["b", "a"]},
         "label 0 is 'a' in one scorecard and 'b' in the other"),
        ({}, {"zero_division": 1}, "zero_division is 0.0 in one scorecard and 1.0 in the other"),
        ({"zero_division": NAN}, {"zero_division": "agree"},
         "zero_division is nan in one scorecard and 'agree' in the other"),
        ({}, {"beta": 0.5}, "beta is 2.0 in one scorecard and 0.5 in the other"),
        ({}, {"ties": "best"}, "ties is None in one scorecard and 'best' in the other"),
        ({}, {"start": 0}, "start is 1 in one scorecard and 0 in the other"),
        ({}, {"undefined": 0}, "undefined is None in one scorecard and 0.0 in the other"),
        ({"undefined": NAN}, {"undefined": 1}, "undefined is nan in one scorecard and 1.0 in the other"),
    ],
)  # fmt: skip
def test_scorecards_of_other_labels_or_conventions(one, other, sentence):
    with pytest.raises(ValueError) as caught:
        card(**one) + card(**other)
    assert str(caught.value) == f"{sentence}: add scorecards of the same labels and conventions"


@pytest.mark.parametrize("missing", ["y_pred", "y_score"])
def test_scorecards_of_other_metrics(missing):
    for pair in ((card(), card(**{missing: False})), (card(**{missing: False}), card())):
        with pytest.raises(ValueError, match=r"predictions or scores .* the same metrics$"):
            pair[0] + pair[1]
    with pytest.raises(ValueError, match=r"predictions or scores .* the same metrics$"):
        card(y_pred=False) + card(y_score=False)


@pytest.mark.parametrize("other", [1, 0, None, "card", {}, 1.5, [1]])
def test_what_is_no_scorecard(other):
    with pytest.raises(TypeError):
        card() + other
    if other != 0:
        with pytest.raises(TypeError):
            other + card()


@pytest.mark.parametrize(
    "convention, spellings",
    [
        ("zero_division", (1, 1.0, np.float32(1), np.int64(1))),
        ("zero_division", (0, 0.0, -0.0)),
        ("zero_division", (NAN, float("nan"), np.float32("nan"), -NAN)),
        ("zero_division", ("agree", np.str_("agree"))),
        ("beta", (0, 0.0, -0.0)),
        ("beta", (2, 2.0, np.float16(2))),
        ("undefined", (0, -0.0, np.int8(0))),
        ("undefined", (NAN, np.float64("nan"))),
        ("start", (1, 1.0, np.int64(1))),
        ("ties", ("best", np.str_("best"))),
    ],
)
def test_one_convention_spelled_differently(convention, spellings):
    cards = [card(**{convention: spelling}) for spelling in spellings]
    whole = sum(cards)
    assert whole.n_samples == len(spellings)
    assert len({each.to_json() for each in cards}) == 1
    assert same(sum(Scorecard.from_json(each.to_json()) for each in cards), whole)


# ---------------------------------------------------------------------------- bad input


def test_input_is_refused_in_the_sentence_of_the_gate():
    for arguments in (
        ([[0, 2]], [[0, 1]]), ([[0, 1]], [[0, 0.5]]), ([[0, 1]], [[0, 1], [1, 1]]), ([0, 1], [0, 1]),
    ):  # fmt: skip
        with pytest.raises(ValueError) as of_gate:
            inputs.label_sets(*arguments)
        with pytest.raises(ValueError) as of_card:
            Scorecard.from_batch(*arguments)
        assert str(of_card.value) == str(of_gate.value)
    with pytest.raises(ValueError, match=r"^y_score holds nan at row 0, column 1"):
        Scorecard.from_batch([[0, 1]], [[0, 1]], [[0, NAN]])
    for options in ({"y_pred": [[0, 1]]}, {"y_score": [[0, 1]]}):
        with pytest.raises(ValueError, match=r"^sample_weight holds -1.0 at row 0"):
            Scorecard.from_batch([[0, 1]], **options, sample_weight=[-1])


def test_neither_predictions_nor_scores():
    with pytest.raises(ValueError) as caught:
        Scorecard.from_batch([[1, 0]])
    assert str(caught.value) == "y_pred and y_score are both missing: give one of them or both"


@pytest.mark.parametrize(
    "convention, value",
    [("zero_division", 2), ("zero_division", True), ("zero_division", "0"), ("beta", -1), ("beta", NAN),
     ("ties", "middle"), ("start", 2), ("start", True), ("undefined", math.inf), ("undefined", "nan")],
)  # fmt: skip
def test_conventions_are_checked(convention, value):
    with pytest.raises(ValueError, match=f"^{convention} is .*: (choose|give) "):
        card(**{convention: value})


@pytest.mark.parametrize(
    "labels, error, sentence",
    [
        ("ab", TypeError, "labels is of type str: give a list of 2 names"),
        (2, TypeError, "labels is of type int: give a list of 2 names"),
        (["a"], ValueError, "labels has 1 names for 2 labels: give one per label"),
        (["a", "b", "c"], ValueError, "labels has 3 names for 2 labels: give one per label"),
        (["a", "a"], ValueError,
         "labels has 'a' at positions 0 and 1: name each label differently"),
        ([1, "1"], ValueError, "labels has '1' at positions 0 and 1: name each label differently"),
    ],
)  # fmt: skip
def test_names_that_do_not_fit(labels, error, sentence):
    with pytest.raises(error) as caught:
        card(labels=labels)
    assert str(caught.value) == sentence


@pytest.mark.parametrize("labels", [[1, 2], ("1", "2"), np.array([1, 2]), pd.Index(["1", "2"])])
def test_names_are_text(labels):
    assert card(labels=labels).labels == ("1", "2")


# ---------------------------------------------------------------------------- size, pickle, JSON


def big(n_samples, n_labels, **options):
    rng = np.random.default_rng(0)
    y_true, y_pred = rng.random((2, n_samples, n_labels)) < 0.2
    return Scorecard.from_batch(y_true, y_pred, rng.random(y_true.shape), **options)


def test_size_depends_on_labels_alone():
    pickled = {n: len(pickle.dumps(big(n, 20))) for n in (300, 3000, 30_000)}
    assert max(pickled.values()) - min(pickled.values()) <= 16  # a whole number takes 2 bytes or 4
    few, more, most = (len(pickle.dumps(big(50, n))) for n in (100, 200, 400))
    assert most - more == pytest.approx(2 * (more - few), abs=16)  # linear
    assert more - few == pytest.approx(100 * 4 * np.intp().itemsize, abs=16)  # four counts a label


CARDS = {
    "sets": lambda: Scorecard.from_batch(*world()[:2]),
    "scores": lambda: Scorecard.from_batch(world()[0], None, world()[2]),
    "both": lambda: Scorecard.from_batch(*world()[:3]),
    "weights": lambda: Scorecard.from_batch(*world()[:3], sample_weight=world()[3]),
    "tenths": lambda: Scorecard.from_batch(*world()[:3], sample_weight=world()[3] / 10),
    "nan": lambda: Scorecard.from_batch(*world()[:3], zero_division=NAN, undefined=NAN),
    "agree": lambda: Scorecard.from_batch(*world()[:3], zero_division="agree", undefined=-1),
    "names": lambda: Scorecard.from_batch(
        *world()[:3], labels=["貓", "é", "<b>", '"\\', "\ud800", "a\nb"], ties="last", start=0
    ),
}


@pytest.mark.parametrize("kind", CARDS)
def test_written_and_read_back(kind):
    card = CARDS[kind]()
    text = card.to_json()
    content = json.loads(text, parse_constant=pytest.fail)  # neither NaN nor Infinity
    assert (content["format"], content["version"]) == ("mlm_helpers.scorecard", 1)
    for back in (Scorecard.from_json(text), pickle.loads(pickle.dumps(card)), copy.deepcopy(card)):
        assert same(back, card)
        assert back.to_json() == text
        assert same(back + card, card + card)
        assert repr(back) == repr(card)
    text.encode("ascii")  # whatever a file's encoding is


# ---------------------------------------------------------------------------- damaged files


def damaged(text):
    with pytest.raises(ValueError) as caught:
        Scorecard.from_json(text)
    sentence = str(caught.value)
    assert "\n" not in sentence and len(sentence) < 300
    return sentence


@pytest.mark.parametrize("kind", CARDS)
def test_a_truncated_file(kind):
    text = CARDS[kind]().to_json()
    for end in {0, 1, len(text) // 3, len(text) // 2, len(text) - 1}:
        assert re.fullmatch(r"text is no JSON \(.*\): give what to_json wrote", damaged(text[:end]))


@pytest.mark.parametrize(
    "text", ["null", "[]", "3", '"x"', "{}", '{"format": "x"}', '{"format": null, "version": 1}']
)
def test_no_scorecard_at_all(text):
    sentence = "text is no scorecard, its format is not 'mlm_helpers.scorecard'"
    assert damaged(text) == f"{sentence}: give what to_json wrote"


def test_no_json_at_all():
    for text in (
        None,
        3,
        "",
        "{",
        "\0",
        "[" * 100_000,
        b"\xff\xfe\xff",
        '{"a": ' + "9" * 10_000 + "}",
    ):
        assert damaged(text).startswith("text is no JSON (")


@pytest.mark.parametrize("version", [2, 0, "1", None, True, 1.0, [1]])
def test_another_version(version):
    content = json.loads(card().to_json()) | {"version": version, "sums": "of the future"}
    assert damaged(json.dumps(content)) == (
        f"the scorecard has version {version!r} and this package reads version 1:"
        " update the package, or compute the scorecard again"
    )


WRONG = [  # for each rule: where, what stands there now, and the reason that is given
    (["n_samples"], 0, "n_samples is 0"),
    (["n_samples"], True, "n_samples is True"),
    (["n_labels"], 10**30, "n_labels is 1000000000000000000000000000000"),
    (["n_labels"], 3, "labels is not 3 names"),
    (["labels"], "ab", "labels is not 2 names"),
    (["labels"], ["a", 1], "labels is not 2 names"),
    (["labels", 1], "a", "labels has 'a' at positions 0 and 1: name each label differently"),
    (["conventions"], None, "conventions is None and no mapping"),
    (["conventions", "beta"], "nan", "beta is nan: give a finite number of 0 or more"),
    (["conventions", "sample_weight"], [1], "conventions has 'sample_weight', which it cannot have"),
    (["sums"], {}, "exact_match.subset_accuracy is missing from sums"),
    (["sums", "ranking.ndcg"], [1, 1, 0], "sums has 'ranking.ndcg', which it cannot have"),
    (["sums", "hamming.hamming_loss"], [1, 1], "the sum of hamming.hamming_loss is [1, 1] and not"
     " three numbers"),
    (["sums", "hamming.hamming_loss", 0], NAN, "the sum of hamming.hamming_loss is [nan, 1.0, 0] and"
     " not three numbers"),
    (["sums", "hamming.hamming_loss", 1], math.inf, "the sum of hamming.hamming_loss is"
     " [0.0, inf, 0] and not three numbers"),
    (["sums", "hamming.hamming_loss", 1], -1.0, "the weight of hamming.hamming_loss is -1.0"),
    (["sums", "hamming.hamming_loss", 1], 0.5, "hamming.hamming_loss weighs 0.5 and another metric"
     " 1.0"),
    (["sums", "exact_match.subset_accuracy", 0], 5e8, "exact_match.subset_accuracy adds up to"
     " 500000000.0 of a weight of 1.0"),
    (["sums", "hamming.hamming_loss", 0], -1.0, "hamming.hamming_loss adds up to -1.0 of a weight of"
     " 1.0"),
    (["sums", "ranking.coverage", 0], 2.5, "ranking.coverage adds up to 2.5 of a weight of 1.0"),
    (["sums", "ranking.coverage", 2], 2, "2 of 1 samples have no value of ranking.coverage"),
    (["sums", "ranking.coverage", 2], 0.5, "0.5 of 1 samples have no value of ranking.coverage"),
    (["confusion"], None, "sums has 'exact_match.subset_accuracy', which it cannot have"),
    (["confusion"], "tp", "confusion is not four lists of 2 counts"),
    (["confusion", 0], [1], "confusion is not four lists of 2 counts"),
    (["confusion", 0, 1], -1, "tp of label 1 is -1"),
    (["confusion", 2, 0], None, "fn of label 0 is None"),
    (["confusion", 3, 1], NAN, "tn of label 1 is nan"),
    (["confusion", 3, 1], 0.5, "the counts of label 1 add up to 0.5, not to 1.0"),
    (["confusion", 0, 1], 1, "the counts of label 1 add up to 2, not to 1"),
]  # fmt: skip


def changed(content, path, value):
    content = copy.deepcopy(content)
    parent = content
    for step in path[:-1]:
        parent = parent[step]
    parent[path[-1]] = value
    return content


@pytest.mark.parametrize("path, value, reason", WRONG, ids=lambda each: str(each)[:40])
def test_a_damaged_file(path, value, reason):
    content = json.loads(card(labels=["a", "b"]).to_json())
    text = json.dumps(changed(content, path, value))
    assert damaged(text) == f"the scorecard is damaged, {reason}: compute it again"


def test_a_file_that_lacks_or_adds_something():
    content = json.loads(card().to_json())
    for path in ([], ["conventions"], ["sums"]):
        inner = content
        for step in path:
            inner = inner[step]
        for key in inner:
            if key not in ("format", "version"):
                less = {name: value for name, value in inner.items() if name != key}
                sentence = damaged(json.dumps(changed(content, path, less) if path else less))
                assert re.search(rf"{key}'? (is missing from|has|which)|'{key}|'exact", sentence)
        more = inner | {"extra": [1.0, 1.0, 0]}
        assert "has 'extra', which it cannot have" in damaged(
            json.dumps(changed(content, path, more) if path else more)
        )


def leaves(content, path=()):
    if isinstance(content, (dict, list)) and content:
        yield from ((*path,),) if path else ()
        pairs = content.items() if isinstance(content, dict) else enumerate(content)
        for key, value in pairs:
            yield from leaves(value, (*path, key))
    else:
        yield path


STRANGE = [
    None, True, False, -1, 0, 1, 2, 0.5, 1e400, -1e400, NAN, 1e308, 10**20, 10**400, "", "nan", "worst",
    [], {}, [[]], [1, 2, 3], {"a": 1}, "x" * 10_000, list(range(10_000)),
]  # fmt: skip


EVERYWHERE = [pytest.param(kind, 1, marks=pytest.mark.exhaustive) for kind in CARDS]


@pytest.mark.parametrize(("kind", "step"), [("both", 3), *EVERYWHERE])
def test_whatever_stands_at_any_place_is_refused_or_kept(kind, step):
    content = json.loads(CARDS[kind]().to_json())
    places = list(leaves(content))
    assert len(places) > 25
    for path in places[::step]:
        for value in STRANGE if path[0] != "confusion" or path[-1] == 0 else STRANGE[:6]:
            text = json.dumps(changed(content, path, value))
            try:
                read = Scorecard.from_json(text)
            except ValueError:
                damaged(text)  # in one sentence
                continue
            read.values(), read.undefined(), repr(read), (read + read)
            again = json.loads(read.to_json(), parse_constant=pytest.fail)
            kept, path = again, list(path)
            for step in path[:-1]:
                kept = kept[step]
            kept[path[-1]] = None
            # what was not touched is as it was
            assert json.dumps(again) == json.dumps(changed(content, path, None))


def test_what_another_tool_rewrites_is_still_read():
    """Sorted by key, and indented."""
    for make in CARDS.values():
        text = json.dumps(json.loads(make().to_json()), sort_keys=True, indent=2)
        assert Scorecard.from_json(text).to_json() == make().to_json()


# ---------------------------------------------------------------------------- shown


SKLEARN = {
    "subset accuracy": "accuracy_score",
    "samples F0.5": "fbeta_score(average='samples')",
    "macro F1": "f1_score(average='macro')",
    "micro F1": "f1_score(average='micro')",
    "one-error": "1 - ndcg_score(k=1)",
}


def test_table():
    y_true, y_pred, y_score, _ = world()
    card = Scorecard.from_batch(y_true, y_pred, y_score, labels=list("abcdef"), beta=0.5)
    text, page = repr(card), card._repr_html_()
    lines = text.splitlines()
    assert lines[0] == "30 samples, 6 labels"
    assert lines[2] == "zero_division=0.0, beta=0.5, ties=None, start=1, undefined=None, k=1"
    rows = re.findall(r"<tr><th scope=\"row\">(.*?)</th>(.*?)</tr>", page)
    assert [html.unescape(name) for name, _ in rows] == list(card.values())
    without = card.undefined()
    for name, cells in rows:
        family, value, arrow, none, others = re.findall("<td>(.*?)</td>", cells)
        record = catalogue.of(catalogue.variants()[name.replace("F0.5", "F2")])
        assert family == record.family
        assert float(value) == pytest.approx(card.values()[name], rel=1e-5, abs=1e-5)
        assert arrow == ("↑" if record.higher_is_better else "↓")
        of = {"label-based": "6 labels", "micro": "1 ratio"}
        kind = of.get("micro" if name.startswith("micro") else family, "30 samples")
        assert none == (f"{without[name]} of {kind}" if without[name] else "–")
        assert html.unescape(others) == SKLEARN.get(name, html.unescape(others))
        if record.along == "label":
            assert f"average='{name.split()[0]}'" in html.unescape(others)
        (line,) = (line for line in lines if line.startswith(f"{name}  "))
        assert all(part in line for part in (family, value, arrow, none))


def test_table_of_what_has_no_value():
    card = Scorecard.from_batch([[0]], [[0]], zero_division=NAN)
    row = next(row for row in card.table().steps[0].rows if row[0] == "samples F1")
    assert row[2:5] == ("nan", "↑", "1 of 1 samples")
    row = next(row for row in card.table().steps[0].rows if row[0] == "micro F1")
    assert row[2:5] == ("nan", "↑", "1 of 1 ratio")


def test_counts_that_were_written_shorter_are_floats_with_the_others():
    """A tool may write 0.0 as 0."""
    content = json.loads(card(sample_weight=[0.5]).to_json())
    assert content["confusion"] == [[0.5, 0], [0, 0], [0, 0], [0, 0.5]]
    content["confusion"][1] = [0, 0]
    read = Scorecard.from_json(json.dumps(content))
    assert {column.dtype for column in read.confusion} == {np.dtype(float)}


def test_a_sample_without_a_value_is_worth_no_more_than_the_conventions_say():
    content = json.loads(Scorecard.from_batch([[0]], None, [[1]]).to_json())
    assert content["sums"]["ranking.one_error"] == [1.0, 1.0, 1]
    content["sums"]["ranking.one_error"][0] = 1.5
    assert damaged(json.dumps(content)) == (
        "the scorecard is damaged, ranking.one_error adds up to 1.5 of a weight of 1.0: compute it again"
    )


def test_a_file_without_a_field_says_which():
    content = json.loads(card().to_json())
    del content["n_labels"]
    assert damaged(json.dumps(content)) == (
        "the scorecard is damaged, n_labels is missing from the scorecard: compute it again"
    )


def test_names_of_labels_do_not_reach_the_page():
    assert "<script>" not in card(labels=["<script>", "b"])._repr_html_()


# ---------------------------------------------------------------------------- memory and shape


def test_memory():
    """Beside the matrices, a block and a few numbers per sample: no other array of their size."""
    rng = np.random.default_rng(0)
    y_true, y_pred = rng.random((2, 20_000, 100)) < 0.05
    y_score = rng.random(y_true.shape)
    Scorecard.from_batch(y_true[:10], y_pred[:10], y_score[:10])
    tracemalloc.start()
    Scorecard.from_batch(y_true, y_pred, y_score)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 20 * 8 * len(y_true) + 40 * blocks.CELLS
    assert peak < y_score.nbytes / 1.5


def test_every_metric_is_on_the_card():
    card = CARDS["both"]()
    of_labels = {record.id for record in catalogue.METRICS if record.along == "label"}
    assert set(card.sums) | of_labels == {record.id for record in catalogue.METRICS}
    assert card.conventions == DEFAULTS


def test_a_convention_that_no_metric_has():
    with pytest.raises(TypeError) as caught:
        Scorecard.from_batch([[1]], [[1]], treshold=0.5)
    assert str(caught.value) == (
        "treshold is no convention of a scorecard: it takes zero_division, beta, ties, start,"
        " undefined, k"
    )


def test_nobody_can_change_a_card():
    """What was merged shares what it is made of."""
    card = CARDS["both"]()
    both, before = card + card, card.to_json()
    with pytest.raises(TypeError):
        card.sums["hamming.hamming_loss"] = Sum(0, 1, 0)
    with pytest.raises(TypeError):
        both.conventions["beta"] = 1.0
    for part in (card, both, pickle.loads(pickle.dumps(card)), Scorecard.from_json(before)):
        with pytest.raises(ValueError, match="read-only"):
            part.confusion.tp[0] = 99
    assert card.to_json() == before


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array])
def test_a_perfect_prediction_is_exactly_perfect_under_any_weights(kind):
    rng = np.random.default_rng(0)
    for n in range(1, 60, 3):
        y_true = rng.random((n, 4)) < 0.5
        y_true[:, 0] = True  # every sample and label has a value
        y_true[0] = [True, True, True, True]
        weight = rng.choice([0.1, 0.2, 0.6, 0.7, 1.0], n)
        half = [
            Scorecard.from_batch(kind(y_true[r]), kind(y_true[r]), sample_weight=weight[r])
            for r in (slice(0, n // 2 + 1), slice(n // 2 + 1, n))
            if len(y_true[r])
        ]
        whole = Scorecard.from_batch(kind(y_true), kind(y_true), sample_weight=weight)
        for card in (whole, sum(half)):
            for name, value in card.values().items():
                higher = catalogue.of(catalogue.variants()[name]).higher_is_better
                assert value == (1.0 if higher else 0.0), name


def test_confusion_is_what_the_label_metrics_divide():
    y_true, y_pred, _, weight = world(9)
    card = Scorecard.from_batch(y_true, y_pred, sample_weight=weight)
    assert isinstance(card.confusion, Counts)
    wrongs = 1 - y_true, 1 - y_pred
    pairs = (y_true, y_pred), (wrongs[0], y_pred), (y_true, wrongs[1]), wrongs
    assert_array_equal(card.confusion, [weight @ (true * pred) for true, pred in pairs])
    assert card.values()["macro F1"] == close(label_based.f1(y_true, y_pred, sample_weight=weight))
