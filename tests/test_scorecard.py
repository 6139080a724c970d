"""Scorecards: against the metric functions and plain counting, split every way, written and read back."""

from __future__ import annotations

import copy
import json
import math
import pickle
import re
import tracemalloc
from dataclasses import replace
from functools import partial
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
import worlds
from drawing import hiding
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from scipy import sparse
from throwaway import KIN_F1, OVERLAP, added

from mlm_helpers import catalogue, top_k
from mlm_helpers._core import blocks, inputs
from mlm_helpers.scorecard import Scorecard, Sum, poisson_weights

NAN = math.nan
DEFAULTS = {
    "zero_division": 0.0, "beta": 2.0, "ties": None, "start": 1, "undefined": None, "k": 1,
}  # fmt: skip


def kept():
    """The metrics of which batches add up and that ask nothing of each label, by name.

    Those of probabilities aside, which the test of every record has.
    """
    some = [record for record in catalogue.METRICS if record.reads != "y_prob"]
    found = {name: (m, catalogue.of(m)) for name, m in catalogue.variants(some).items()}
    return {n: m for n, (m, r) in found.items() if not r.left_out and not r.asks_per_label}


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
    values, undefined = card.values(), card.undefined()
    assert {name: values[name] for name in expected} == close(expected)
    without = {name: undefined[name] for name in expected if undefined[name]}
    assert without == {
        "samples accuracy (Jaccard)": 1, "samples precision": 1, "samples recall": 2,
        "samples F1": 1, "samples F2": 1, "macro precision": 1, "weighted precision": 1,
        "macro recall": 1, "weighted recall": 1, "coverage": 2, "one-error": 2, "ranking loss": 2,
        "average precision": 2, "recall at 1": 2, "nDCG at 1": 2,
    }  # fmt: skip
    assert_array_equal(card.confusion, [[1, 0, 0], [0, 0, 1], [0, 1, 0], [2, 2, 2]])
    assert card.sums["example_based.recall"] == Sum(0.5, 3.0, 2)


CONVENTIONS = [
    *({"zero_division": value} for value in worlds.ZERO_DIVISIONS),
    *({"ties": value} for value in worlds.TIES),
    *({"undefined": value} for value in (0.0, 1.0, NAN, -1.0)),
    *({"beta": value} for value in (0, 0.5, 3)),
    *({"start": value} for value in (0, 1)),
    {"zero_division": NAN, "beta": 0.25, "ties": "average", "start": 0, "undefined": NAN},
]


def without_a_value(metric, y_true, y_pred, y_score, beta):
    """The number of samples or labels, or whether all cells, have no value of their own."""
    record = catalogue.of(metric)
    rules = {"zero_division": NAN, "undefined": NAN, "beta": beta, "per_sample": True}
    options = {name: rule for name, rule in rules.items() if name in record.options}
    if record.along == "label" and metric.keywords["average"] != "micro":
        options["average"] = None
    other = y_score if record.reads == "y_score" else y_pred
    return np.isnan(partial(metric, **options)(y_true, other)).sum()


@pytest.mark.parametrize("chosen", [{}, *CONVENTIONS], ids=str)
def test_every_value_is_the_public_functions_and_what_has_none_is_counted(chosen):
    for seed in range(2):
        *matrices, weight = world(seed)
        weight = weight if seed else None
        card = Scorecard.from_batch(*matrices, sample_weight=weight, **chosen)
        expected = by_functions(*matrices, sample_weight=weight, **chosen)
        assert list(card.values()) == list(expected)
        assert card.values() == close(expected)
        beta = chosen.get("beta", 2)
        without = [without_a_value(metric, *matrices, beta) for metric in kept().values()]
        assert list(card.undefined().values()) == without


def test_beta_1_is_f1_and_appears_once():
    y_true, y_pred, _, _ = world(4)
    card = Scorecard.from_batch(y_true, y_pred, beta=1)
    two = Scorecard.from_batch(y_true, y_pred).values()
    assert card.values() == {name: value for name, value in two.items() if "F2" not in name}
    near = Scorecard.from_batch([[1, 1, 1]], [[1, 0, 0]], beta=1.0000001).values()
    assert near["samples F1"] == 0.5
    assert near["samples F1.0000001"] == pytest.approx(0.5 - 2.5e-8, rel=1e-10)


@pytest.mark.parametrize("weighted", [False, True])
def test_a_ratio_of_sums_adds_up_where_what_it_asks_of_each_label_is_given(weighted):
    y_true, _, y_score, weight = world(7)
    weights = weight if weighted else np.ones(len(y_true))
    worth = {"inverse_propensities": [1, 2, 4, 8, 1.5, 3], "k": 2}
    name, metric = "propensity-scored nDCG at 2", top_k.propensity_scored_ndcg
    cards = [
        Scorecard.from_batch(
            y_true[rows], None, y_score[rows], sample_weight=weights[rows],
            replicates=3, first_row=rows.start, **worth,
        )
        for rows in (slice(0, 11), slice(11, 30))
    ]  # fmt: skip
    whole = Scorecard.from_json(sum(cards).to_json())
    found = metric(y_true, y_score, sample_weight=weights, **worth)
    assert whole.values()[name] == close(found)
    for r, times in enumerate(poisson_weights(30, 3)):
        of = metric(y_true, y_score, sample_weight=times * weights, **worth)
        assert whole.replicated_values()[name][r] == close(of)
    assert whole.undefined()[name] == sum(not any(row) for row in y_true)
    plain = Scorecard.from_batch(y_true, None, y_score, k=2)
    assert name not in plain.values() and "inverse_propensities" not in repr(plain)
    with pytest.raises(ValueError, match=r"^inverse_propensities has shape \(2,\), not \(6,\)"):
        Scorecard.from_batch(y_true, None, y_score, inverse_propensities=[1, 2])
    with pytest.raises(ValueError, match=r"^inverse_propensities is \[1.0, 2.0, 4.0.* and None"):
        whole + plain


def test_what_is_not_stored_is_no_score():
    """Of two labels one is scored, below 0: it is first, and the other is no second."""
    score = sparse.csr_array(([-0.5], ([0], [0])), shape=(1, 2))
    values = Scorecard.from_batch([[1, 1]], None, score, k=2).values()
    assert (values["precision at 2"], values["coverage"]) == (0.5, 2.0)


def test_all_left_out_is_nan():
    card = Scorecard.from_batch([[0, 0]], [[0, 0]], zero_division=NAN)
    assert math.isnan(card.values()["samples F1"]) and math.isnan(card.values()["macro F1"])
    assert card.values()["subset accuracy"] == 1.0
    assert card.sums["example_based.f1"] == Sum(0.0, 0.0, 1)


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array])
def test_a_perfect_prediction_is_exactly_perfect_under_any_weights(kind):
    rng = np.random.default_rng(0)
    for n in range(1, 60, 3):
        y_true = rng.random((n, 4)) < 0.5
        y_true[:, 0] = y_true[0] = True
        weight = rng.choice([0.1, 0.2, 0.6, 0.7, 1.0], n)
        half = [
            Scorecard.from_batch(
                kind(y_true[r]), kind(y_true[r]), sample_weight=weight[r], zero_division="agree"
            )
            for r in (slice(0, n // 2 + 1), slice(n // 2 + 1, n))
            if len(y_true[r])
        ]
        for card in (
            Scorecard.from_batch(kind(y_true), kind(y_true), sample_weight=weight, zero_division="agree"), sum(half),
        ):  # fmt: skip
            for name, value in card.values().items():
                record = catalogue.of(catalogue.variants()[name])
                assert value == (record.range[1] if record.higher_is_better else 0.0), name


# ---------------------------------------------------------------------------- everything at once


FORMS = {
    "masked": np.asanyarray,
    "array": np.asarray,
    "lists": np.ndarray.tolist,
    "columns first": np.asfortranarray,
    "DataFrame": pd.DataFrame,
    **{kind: getattr(sparse, f"{kind}_array") for kind in ("csr", "csc", "coo", "lil")},
    "csr_matrix": sparse.csr_matrix,
}
DENSE = ("array", "lists", "columns first", "DataFrame")


@st.composite
def problems(draw):
    """Data of any kind, every option of a scorecard, and runs of rows to be read in any order."""
    n_samples, n_labels = draw(st.integers(1, 14)), draw(st.integers(1, 6))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    y_true, y_pred = rng.random((2, n_samples, n_labels)) < draw(st.sampled_from([0.1, 0.5, 0.9]))
    present = rng.random(n_labels) < 0.8
    score = rng.integers(1, 4, y_true.shape) / 4  # none is 0, so that sparse ones are all stored
    matrices = [
        y_true & present,
        y_pred & present,
        score.astype(draw(st.sampled_from(["f4", "f8"]))),
    ]
    absent = draw(st.sampled_from([None, 1, 2]))
    if absent is not None:
        matrices[absent] = None
    weight = rng.choice([0, 0.1, 1 / 3, 1, 7.5], n_samples) if draw(st.booleans()) else None
    if weight is not None:
        weight[0] = 1
    chosen = {
        "zero_division": draw(st.sampled_from(worlds.ZERO_DIVISIONS)),
        "beta": draw(st.sampled_from([0, 0.3, 1, 2.0])),
        "ties": draw(st.sampled_from([None, *worlds.TIES])),
        "start": draw(st.sampled_from([0, 1])),
        "undefined": draw(st.sampled_from([None, 0.0, 1.0, -1.0, NAN])),
    }
    options = {"replicates": draw(st.sampled_from([0, 3])), "seed": draw(st.integers(0, 2**64 - 1))}
    if matrices[2] is not None:
        options["cuts"] = draw(st.sampled_from([None, [0.5], [0.3, 0.5, 0.75]]))
    ends = sorted(draw(st.sets(st.integers(1, n_samples))) | {0, n_samples})
    runs = draw(st.permutations([slice(*pair) for pair in pairwise(ends)]))
    forms = draw(st.tuples(*[st.sampled_from(list(FORMS))] * 3))
    if draw(st.integers(0, 2)) == 0:  # some of the truth is unknown
        matrices[0] = hiding(matrices[0], rng, most=rng.integers(matrices[0].size + 1))
        forms = "masked", *(form if form in DENSE else "lists" for form in forms[1:])
    return matrices, weight, chosen, options, runs, forms


def same(card, other):
    """Whether two scorecards hold the same: whole numbers exactly, sums of floats nearly."""
    mine, theirs = (json.loads(each.to_json()) for each in (card, other))
    assert alike(mine, theirs), (mine, theirs)
    return True


def alike(one, other):
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(alike(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(alike, one, other))
    nearly = type(one) is float and math.isclose(one, other, rel_tol=1e-12, abs_tol=1e-12)
    return type(one) is type(other) and (nearly or one == other)


def assert_it_is_the_whole(problem):
    """However data come and are cut, merged, written, pickled and read back."""
    matrices, weight, chosen, options, runs, forms = problem

    def card(rows, forms):
        read = (
            None if matrix is None else FORMS[form](matrix[rows])
            for form, matrix in zip(forms, matrices, strict=True)
        )
        of = None if weight is None else weight[rows]
        return Scorecard.from_batch(
            *read, sample_weight=of, first_row=rows.start, **options, **chosen
        )

    everything = slice(0, len(matrices[0]))
    whole = card(everything, ("masked", "array", "array"))
    assert whole.values() == close(by_functions(*matrices, sample_weight=weight, **chosen))
    assert same(card(everything, forms), whole)
    batches = [card(rows, forms) for rows in runs]
    before = [batch.to_json() for batch in batches]
    assert same(sum(batches), whole)
    assert same(sum(pickle.loads(pickle.dumps(batches))), whole)
    middle = len(batches) // 2
    read = [Scorecard.from_json(text) for text in before]
    assert same(sum(read[middle:]) + sum(read[:middle]) if middle else sum(read), whole)
    assert [batch.to_json() for batch in batches] == before


@settings(derandomize=True, deadline=None, max_examples=40)
@given(problems())
def test_any_data_split_merged_and_stored_are_the_whole(problem):
    assert_it_is_the_whole(problem)


@pytest.mark.exhaustive
@settings(derandomize=True, deadline=None, max_examples=200)
@given(problems())
def test_more_splits(problem):
    assert_it_is_the_whole(problem)


def test_addition_keeps_whole_numbers_whole_and_both_operands():
    y_true, y_pred, y_score, weight = world(5)
    card, weighted = (
        Scorecard.from_batch(y_true, y_pred, y_score, sample_weight=w) for w in (None, weight)
    )
    before = card.to_json(), weighted.to_json()
    both, mixed = card + card, card + weighted
    assert both.confusion.tp.dtype == np.intp
    assert_array_equal(both.confusion.tn, 2 * card.confusion.tn)
    twice = [np.vstack([matrix] * 2) for matrix in (y_true, y_pred, y_score)]
    weights = np.append(np.ones(len(y_true)), weight)
    assert same(mixed, Scorecard.from_batch(*twice, sample_weight=weights))
    both.confusion.tp[:] = 99
    assert (card.to_json(), weighted.to_json()) == before


def test_a_batch_of_weight_0_adds_samples_and_no_weight():
    *matrices, weight = world(6)
    weight[:10] = 0
    batches = [
        Scorecard.from_batch(*(m[rows] for m in matrices), sample_weight=weight[rows])
        for rows in (slice(0, 10), slice(10, None))
    ]
    assert same(sum(batches), Scorecard.from_batch(*matrices, sample_weight=weight))
    assert math.isnan(batches[0].values()["Hamming loss"])  # where the function refuses
    assert math.isnan(batches[0].values()["coverage"])
    assert same(Scorecard.from_json(batches[0].to_json()), batches[0])
    for options in ({}, {"y_score": matrices[2][:10], "y_pred": None}):
        with pytest.raises(ValueError, match=r"^sample_weight sums to 1e-200, where floats"):
            given = {"y_pred": matrices[1][:10]} | options
            Scorecard.from_batch(matrices[0][:10], **given, sample_weight=[1e-200] + [0] * 9)


# ---------------------------------------------------------------------------- what is not added


def test_batches_take_the_names_of_their_frames_so_that_none_in_another_order_is_added():
    frame = pd.DataFrame([[1, 0], [0, 1]], columns=["cat", "sea"])
    score = pd.DataFrame([[0.9, 0.2], [0.1, 0.8]], columns=["cat", "sea"])
    assert Scorecard.from_batch(frame, frame).labels == ("cat", "sea")
    assert Scorecard.from_batch(frame.to_numpy(), y_score=score).labels == ("cat", "sea")
    assert Scorecard.from_batch(frame.to_numpy(), frame.to_numpy()).labels is None
    assert Scorecard.from_batch(frame, frame, labels=["a", "b"]).labels == ("a", "b")
    turned = frame[["sea", "cat"]]
    with pytest.raises(
        ValueError, match="label 0 is 'cat' in one scorecard and 'sea' in the other"
    ):
        Scorecard.from_batch(frame, frame) + Scorecard.from_batch(turned, turned)


def card(*, n_labels=2, y_pred=True, y_score=True, **options):
    one = [[1] + [0] * (n_labels - 1)]
    return Scorecard.from_batch(one, one if y_pred else None, one if y_score else None, **options)


@pytest.mark.parametrize(
    "one, other, sentence",
    [
        ({}, {"n_labels": 3}, "n_labels is 2 in one scorecard and 3 in the other"),
        ({}, {"labels": ["a", "b"]}, "label 0 is None in one scorecard and 'a' in the other"),
        ({"labels": ["a", "b"]}, {"labels": ["a", "c"]},
         "label 1 is 'b' in one scorecard and 'c' in the other"),
        ({}, {"zero_division": 1}, "zero_division is 0.0 in one scorecard and 1.0 in the other"),
        ({"undefined": NAN}, {"undefined": 1}, "undefined is nan in one scorecard and 1.0 in the other"),
        ({}, {"ties": "best"}, "ties is None in one scorecard and 'best' in the other"),
        ({"cuts": [0.5, 0.7]}, {"cuts": [0.5, 0.8]},
         "cut 1 is 0.7 in one scorecard and 0.8 in the other"),
        ({"replicates": 3}, {"replicates": 4, "first_row": 1},
         "the number of replicates is 3 in one scorecard and 4 in the other"),
        ({"replicates": 3}, {"replicates": 3, "seed": 1, "first_row": 1},
         "seed is 0 in one scorecard and 1 in the other"),
    ],
)  # fmt: skip
def test_scorecards_of_other_labels_or_conventions(one, other, sentence):
    with pytest.raises(ValueError) as caught:
        card(**one) + card(**other)
    assert str(caught.value) == f"{sentence}: add scorecards of the same labels and conventions"


@pytest.mark.parametrize("missing", ["y_pred", "y_score"])
def test_scorecards_of_other_metrics(missing):
    for pair in ((card(), card(**{missing: False})), (card(**{missing: False}), card())):
        with pytest.raises(ValueError, match=r" is on one scorecard alone: add .* made$"):
            pair[0] + pair[1]


@pytest.mark.parametrize("other", [1, 0, None, "card", [1]])
def test_what_is_no_scorecard(other):
    with pytest.raises(TypeError):
        card() + other


@pytest.mark.parametrize(
    "convention, spellings",
    [
        ("zero_division", (1, 1.0, np.float32(1), np.int64(1))),
        ("zero_division", (NAN, float("nan"), np.float32("nan"), -NAN)),
        ("zero_division", ("agree", np.str_("agree"))),
        ("beta", (0, 0.0, -0.0)),
        ("undefined", (0, -0.0, np.int8(0))),
        ("start", (1, 1.0, np.int64(1))),
        ("ties", ("best", np.str_("best"))),
    ],
)
def test_one_convention_spelled_differently(convention, spellings):
    cards = [card(**{convention: spelling}) for spelling in spellings]
    assert sum(cards).n_samples == len(spellings)
    assert len({each.to_json() for each in cards}) == 1
    assert sum(Scorecard.from_json(each.to_json()) for each in cards).n_samples == len(spellings)


def test_a_batch_that_is_known_in_full_weighs_by_its_cells_beside_one_that_is_not():
    """One of four cells wrong, then one of the two that are known: 2 of 6, in either order."""
    full = Scorecard.from_batch([[1, 0, 0, 0]], [[0, 0, 0, 0]])
    partly = Scorecard.from_batch(np.ma.masked_equal([[1, 0, -1, -1]], -1), [[0, 0, 1, 0]])
    for both in (full + partly, partly + full):
        assert both.values()["Hamming loss"] == pytest.approx(2 / 6)


# ---------------------------------------------------------------------------- bad input


def test_probabilities_beside_unknown_cells_are_refused():
    with pytest.raises(
        ValueError, match="y_true has unknown cells, with which the mean over labels"
    ):
        Scorecard.from_batch(np.ma.masked_equal([[1, -1]], -1), y_prob=[[0.5, 0.5]])


def test_input_is_refused_in_the_sentence_of_the_gate():
    for arguments in (
        ([[0, 2]], [[0, 1]]), ([[0, 1]], [[0, 0.5]]), ([[0, 1]], [[0, 1], [1, 1]]), ([0, 1], [0, 1]),
    ):  # fmt: skip
        with pytest.raises(ValueError) as of_gate:
            inputs.label_sets(*arguments)
        with pytest.raises(ValueError) as of_card:
            Scorecard.from_batch(*arguments)
        assert str(of_card.value) == str(of_gate.value)


@pytest.mark.parametrize(
    "options, error, sentence",
    [
        ({"y_pred": False, "y_score": False}, ValueError,
         "y_pred and y_score are both missing: give one of them or both"),
        ({"y_score": False, "cuts": [0.5]}, ValueError,
         "cuts is given and y_score is missing: give the scores to be cut"),
        ({"treshold": 0.5}, TypeError, "treshold is no convention of a scorecard: it takes "),
        ({"ties": "middle"}, ValueError, "ties is 'middle': choose one of "),
        ({"k": 3}, ValueError, "k is 3, more than the 2 labels: give a smaller k"),
        ({"labels": "ab"}, TypeError, "labels is of type str: give a list of 2 names"),
        ({"cuts": 0.5}, TypeError, "cuts is 0.5: give a list of numbers in growing order"),
        ({"cuts": np.array([0.5, 0.1])}, ValueError, "cuts holds 0.1 at position 1: give a list of"),
        ({"cuts": [0.5, 0.5]}, ValueError, "cuts holds 0.5 at position 1: give a list of"),
        ({"cuts": ["0.5"]}, ValueError, "cuts holds '0.5' at position 0: give a list of"),
        ({"cuts": [0.1, NAN]}, ValueError, "cuts holds nan at position 1: give a list of"),
        ({"replicates": 2.5}, ValueError, "replicates is 2.5: give a whole number of 0 or more"),
        ({"seed": 2**64}, ValueError, "seed is 18446744073709551616: give a whole number from 0 to"),
        ({"first_row": -1}, ValueError, "first_row is -1: give a whole number from 0 to"),
    ],
)  # fmt: skip
def test_options_are_checked(options, error, sentence):
    with pytest.raises(error) as caught:
        card(**options)
    assert str(caught.value).startswith(sentence)


# ---------------------------------------------------------------------------- stored


CARDS = {
    "sets": lambda: Scorecard.from_batch(*world()[:2], zero_division=NAN, undefined=NAN, replicates=2),
    "scores": lambda: Scorecard.from_batch(world()[0], None, world()[2], undefined=-1, cuts=[0.5]),
    "both": lambda: Scorecard.from_batch(*world()[:3], cuts=[0.2, 0.7], zero_division="agree"),
    "tenths": lambda: Scorecard.from_batch(
        *world()[:3], sample_weight=world()[3] / 10, replicates=3, first_row=2**53, seed=2**64 - 1
    ),
    "names": lambda: Scorecard.from_batch(
        *world()[:3], labels=["貓", "é", "<b>", '"\\', "\ud800", "a\nb"], ties="last", start=0
    ),
    "pieces": lambda: (
        card(replicates=3, first_row=3) + card(replicates=3, first_row=9, sample_weight=[0.5])
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", CARDS)
def test_written_and_read_back(kind):
    card = CARDS[kind]()
    text = card.to_json()
    text.encode("ascii")  # whatever a file's encoding is
    content = json.loads(text, parse_constant=pytest.fail)  # neither NaN nor Infinity
    assert (content["format"], content["version"]) == ("mlm_helpers.scorecard", 1)
    rewritten = json.dumps(content, sort_keys=True, indent=2)  # as another tool may
    for back in (Scorecard.from_json(rewritten), copy.deepcopy(card)):
        assert back.to_json() == text
        assert repr(back) == repr(card)


def test_a_file_of_version_1_is_read_for_ever():
    """As it was written in November 2026."""
    text = """{"format": "mlm_helpers.scorecard", "version": 1, "n_samples": 2, "n_labels": 2,
        "labels": null, "conventions": {"zero_division": 0.0, "beta": 2.0, "ties": null, "start": 1,
        "undefined": "nan", "k": 1}, "sums": {"ranking.coverage": [3.0, 2.0, 0],
        "ranking.one_error": [1.0, 2.0, 0], "ranking.ranking_loss": [1.0, 2.0, 0],
        "ranking.average_precision": [1.5, 2.0, 0], "top_k.precision": [1.0, 2.0, 0],
        "top_k.recall": [1.0, 2.0, 0], "top_k.ndcg": [1.0, 2.0, 0]}, "confusion": null,
        "bins": [[0.5], [[0, 1], [1, 0]], [[0, 1], [1, 0]]], "replicates": {"seed": 0,
        "rows": [[0, 2]], "sums": {"ranking.coverage": [[4.0], [2.0]], "ranking.one_error": [[2.0],
        [2.0]], "ranking.ranking_loss": [[2.0], [2.0]], "ranking.average_precision": [[1.0], [2.0]],
        "top_k.precision": [[0.0], [2.0]], "top_k.recall": [[0.0], [2.0]], "top_k.ndcg": [[0.0],
        [2.0]]}, "confusion": null}}"""
    card, old = Scorecard.from_json(text), json.loads(text)
    assert (card.n_samples, card.values()["coverage"]) == (2, 1.5)
    assert math.isnan(card.conventions["undefined"])
    assert card.replicated_values()["coverage"].tolist() == [2.0]
    assert card.bounds()["macro AUROC"] == (0.5, 0.0, 1.0)
    again = json.loads(card.to_json())
    again["conventions"] = {name: again["conventions"][name] for name in old["conventions"]}
    assert again == old


def damaged(text):
    with pytest.raises(ValueError) as caught:
        Scorecard.from_json(text)
    sentence = str(caught.value)
    assert "\n" not in sentence and len(sentence) < 200
    return sentence


def test_no_scorecard_at_all():
    text = CARDS["both"]().to_json()
    for wrong in (
        *(text[:end] for end in (0, 1, len(text) // 2, len(text) - 1)),
        *(None, 3, "{", "\0", "[" * 100_000, b"\xff\xfe\xff", '{"a": ' + "9" * 10_000 + "}"),
    ):
        assert re.fullmatch(r"text is no JSON \(.*\): give what to_json wrote", damaged(wrong))
    for other in ("null", "[]", '"x"', "{}", '{"format": "x"}', '{"format": null, "version": 1}'):
        sentence = "text is no scorecard, its format is not 'mlm_helpers.scorecard'"
        assert damaged(other) == f"{sentence}: give what to_json wrote"


@pytest.mark.parametrize("version", [2, "1", None, True, 1.0])
def test_another_version(version):
    content = json.loads(card().to_json()) | {"version": version, "sums": "of the future"}
    assert damaged(json.dumps(content)) == (
        f"the scorecard has version {version!r} and this package reads version 1:"
        " update the package, or compute the scorecard again"
    )


def changed(content, path, value):
    content = copy.deepcopy(content)
    parent = content
    for step in path[:-1]:
        parent = parent[step]
    parent[path[-1]] = value
    return content


HAMMING, OF_REPLICATES = ["sums", "hamming.hamming_loss"], ["replicates", "sums"]
WRONG = [  # where, what stands there now, and the start of the reason that is given
    (["n_samples"], 0, "n_samples is 0"),
    (["n_labels"], 3, "confusion is not 4 × 3 finite numbers"),
    (["labels"], ["a", "a"], "labels has 'a' at positions 0 and 1"),
    (["conventions"], None, "conventions is None and no mapping"),
    (["conventions", "beta"], "nan", "beta is nan"),
    (["conventions", "k"], 5, "k is 5, more than the 2 labels"),
    (HAMMING, [1, 1], "sums is not 15 × 3 finite numbers"),
    ([*HAMMING, 0], NAN, "sums is not 15 × 3 finite numbers"),
    (["confusion", 0, 1], "1", "confusion is not 4 × 2 finite numbers"),
    (["bins", 0], [0.5, 0.4], "cuts holds 0.4 at position 1"),
    (["replicates", "seed"], 2**64, "seed is 18446744073709551616"),
    (OF_REPLICATES, {}, "'exact_match.subset_accuracy' is missing"),
    ([*OF_REPLICATES, "hamming.hamming_loss", 0, 1], -(10**30), "replicates is not 15 × 2 × n"),
    (["replicates", "confusion", 3, 0], [1], "confusion of replicates is not 4 × 3 × 2 finite"),
]  # fmt: skip


@pytest.mark.parametrize("path, value, reason", WRONG)
def test_a_damaged_file(path, value, reason):
    options = {"labels": ["a", "b"], "cuts": [0.5], "replicates": 3}
    whole = card(first_row=3, **options) + card(first_row=5, **options)
    sentence = damaged(json.dumps(changed(json.loads(whole.to_json()), path, value)))
    assert sentence.startswith(f"the scorecard is damaged, {reason}")
    assert sentence.endswith("compute it again")


def leaves(content, path=()):
    if isinstance(content, (dict, list)) and content:
        yield from ((*path,),) if path else ()
        pairs = content.items() if isinstance(content, dict) else enumerate(content)
        for key, value in pairs:
            yield from leaves(value, (*path, key))
    else:
        yield path


STRANGE = [None, True, -1, 2, 0.5, 1e308, NAN, 10**400, "nan", "worst", [], {}, [[]], [1, 2, 3]]


def test_whatever_stands_at_any_place_is_refused_in_one_sentence_or_can_be_used():
    content = json.loads(CARDS["pieces"]().to_json())
    for path in list(leaves(content))[::23]:
        for value in STRANGE:
            text = json.dumps(changed(content, path, value))
            try:
                read = Scorecard.from_json(text)
            except ValueError:
                damaged(text)
                continue
            read.undefined(), repr(read)
            json.loads(read.to_json(), parse_constant=pytest.fail)


def test_a_card_of_a_version_with_other_metrics():
    """Read is what it holds; of a metric that is not known, a sentence."""
    old = card()
    with added(OVERLAP):
        new, read = card(), Scorecard.from_json(old.to_json())
        assert read.values() == old.values()
        assert new.values() == old.values() | {"samples overlap": 1.0}
        for pair in ((new, read), (read, new)):
            with pytest.raises(
                ValueError, match=r"^throwaway\.overlap is on one scorecard alone: "
            ):
                pair[0] + pair[1]
        text = new.to_json()
    assert damaged(text) == (
        "the scorecard holds 'throwaway.overlap', which this package does not know:"
        " update the package, or compute the scorecard again"
    )
    assert "'threshold', which this package" in damaged(
        json.dumps(changed(json.loads(old.to_json()), ["conventions", "threshold"], 0.5))
    )


def kin_f1(y_true, y_pred, kin, *, average="macro", zero_division=0.0, sample_weight=None):
    """Of labels that their kin has joined."""


def test_what_is_on_no_card_is_said():
    """What needs all scores of a label, and what changes the labels before it counts them."""
    curves = {name for name, why in card().left_out().items() if "all scores" in why}
    assert curves == {"macro AP", "macro AUROC"}
    with added(replace(KIN_F1, name="of kin", function=kin_f1, along="label")):
        assert card().left_out().keys() == curves  # that its kin is not given, a user knows
        both = card(kin=[[1], []])
        assert "it changes the labels" in both.left_out()["macro of kin"]
        assert "Left out: macro of kin: it changes" in repr(both)
        assert "macro of kin" not in both.values()


# ---------------------------------------------------------------------------- size, memory, table


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


def test_table():
    """Each row has the metric's value, interval, direction and how many have no value."""
    y_true, y_pred, y_score, _ = world()
    card = Scorecard.from_batch(y_true, y_pred, y_score, labels=list("abcdef"), replicates=4)
    assert repr(card).splitlines()[0] == "30 samples, 6 labels"
    (table,), intervals = card.table().steps[:1], card.intervals()
    values, without = card.values(), card.undefined()
    assert [row[0] for row in table.rows] == list(values)
    assert table.header[3:6] == ("95 % from", "to", "standard error")
    for name, family, value, *interval, arrow, none, call in table.rows:
        record = catalogue.of(catalogue.variants()[name])
        numbers = [values[name], *intervals[name][1:4]]
        assert [float(cell) for cell in (value, *interval)] == pytest.approx(numbers, 1e-5, 1e-5)
        assert (family, arrow) == (record.family, "↑" if record.higher_is_better else "↓")
        of = {"sample": "30 samples", "label": "6 labels"}[record.along]
        of = "1 ratio" if name.startswith("micro") else of
        assert none == (f"{without[name]} of {of}" if without[name] else "–")
        average = f"(average={name.split()[0]!r})" if name.endswith((" F1", " F2")) else ""
        assert call == (record.sklearn_name.partition("(")[0] + average if average else call)
    calls = {row[0]: row[-1] for row in table.rows}
    assert calls["macro specificity"] == "recall_score(1 - y_true, 1 - y_pred, average='macro')"
    assert calls["weighted specificity"] == "–"  # which is another number there
    plain = Scorecard.from_batch(y_true, y_pred, y_score).table()
    assert plain.steps[0].rows == tuple((*row[:3], *row[6:]) for row in table.rows)
    assert "<script>" not in Scorecard.from_batch([[1]], [[1]], labels=["<script>"])._repr_html_()


def test_named_labels_have_a_row_each():
    """The second is never predicted; the second batch weighs its samples 0.5 and 2."""
    halves = [
        Scorecard.from_batch([[1, 0], [1, 1]], [[1, 0], [0, 0]], labels=["cat", "sea"]),
        Scorecard.from_batch(
            [[0, 1], [1, 0]], [[1, 0], [1, 0]], labels=["cat", "sea"], sample_weight=[0.5, 2]
        ),
    ]
    *_, table = sum(halves).table().steps
    assert table.header == ("label", "support", "TP", "FP", "FN", "precision", "recall", "F1")
    assert table.rows[0] == ("cat", "4", "3", "0.5", "1", "0.857143", "0.75", "0.8")
    assert table.rows[1] == ("sea", "1.5", "0", "0", "1.5", "–", "0", "0")
    assert len(Scorecard.from_batch([[1, 0]], [[1, 0]]).table().steps) == 1


def test_the_table_says_how_its_intervals_are_made():
    card = Scorecard.from_batch([[1, 0]] * 9, [[1, 0]] * 9, replicates=4)
    assert "percentiles of the replicates" in repr(card)
    assert "percentiles" not in repr(Scorecard.from_batch([[1, 0]], [[1, 0]]))
