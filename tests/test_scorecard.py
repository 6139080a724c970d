"""Scorecards: against the metric functions and plain counting, split every way, written and read back."""

from __future__ import annotations

import json
import math
import pickle
import re
import tracemalloc
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
from throwaway import OVERLAP, added

from mlm_helpers import catalogue, top_k
from mlm_helpers._core import blocks
from mlm_helpers.scorecard import Scorecard, Sum

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
    return {n: m for n, (m, r) in found.items() if r.adds_up and not r.asks_per_label}


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
            options = {o: value for o, value in conventions.items() if o in record.defaults}
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


def test_beta_1_is_f1_and_appears_once():
    y_true, y_pred, _, _ = world(4)
    card = Scorecard.from_batch(y_true, y_pred, beta=1)
    two = Scorecard.from_batch(y_true, y_pred).values()
    assert card.values() == {name: value for name, value in two.items() if "F2" not in name}


@pytest.mark.parametrize("weighted", [False, True])
def test_a_ratio_of_sums_adds_up_where_what_it_asks_of_each_label_is_given(weighted):
    y_true, _, y_score, weight = world(7)
    weights = weight if weighted else np.ones(len(y_true))
    worth = {"inverse_propensities": [1, 2, 4, 8, 1.5, 3], "k": 2}
    name, metric = "propensity-scored nDCG at 2", top_k.propensity_scored_ndcg
    cards = [
        Scorecard.from_batch(
            y_true[rows], None, y_score[rows], sample_weight=weights[rows], **worth
        )
        for rows in (slice(0, 11), slice(11, 30))
    ]  # fmt: skip
    whole = Scorecard.from_json(sum(cards).to_json())
    found = metric(y_true, y_score, sample_weight=weights, **worth)
    assert whole.values()[name] == close(found)
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
    for n in (1, 2, 7, 40):
        y_true = rng.random((n, 4)) < 0.5
        y_true[:, 0] = y_true[0] = True
        weight = rng.choice([0.1, 0.2, 0.6, 0.7, 1.0], n)
        whole, *each = (
            Scorecard.from_batch(
                kind(y_true[r]), kind(y_true[r]), sample_weight=weight[r], zero_division="agree"
            )
            for r in (slice(n), *([i] for i in range(n)))
        )
        for card in (whole, sum(each)):
            for name, value in card.values().items():
                record = catalogue.of(catalogue.variants()[name])
                assert value == (record.range[1] if record.higher_is_better else 0.0), name


# ---------------------------------------------------------------------------- everything at once


FORMS = {
    "masked": np.asanyarray,
    "array": np.asarray,
    "DataFrame": pd.DataFrame,
    "csr": sparse.csr_array,
}
DENSE = ("array", "DataFrame")


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
    ends = sorted(draw(st.sets(st.integers(1, n_samples))) | {0, n_samples})
    runs = draw(st.permutations([slice(*pair) for pair in pairwise(ends)]))
    forms = draw(st.tuples(*[st.sampled_from(list(FORMS))] * 3))
    if draw(st.integers(0, 2)) == 0:  # some of the truth is unknown
        matrices[0] = hiding(matrices[0], rng, most=rng.integers(matrices[0].size + 1))
        forms = "masked", *(form if form in DENSE else "array" for form in forms[1:])
    return matrices, weight, chosen, runs, forms


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
    return type(one) is type(other) and one == (close(other) if type(one) is float else other)


def assert_it_is_the_whole(problem):
    """However data come and are cut, merged, written, pickled and read back."""
    matrices, weight, chosen, runs, forms = problem

    def card(rows, forms):
        read = (
            None if matrix is None else FORMS[form](matrix[rows])
            for form, matrix in zip(forms, matrices, strict=True)
        )
        of = None if weight is None else weight[rows]
        return Scorecard.from_batch(*read, sample_weight=of, **chosen)

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
        ({}, {"zero_division": 1}, "zero_division is 0.0 in one scorecard and 1 in the other"),
        ({"undefined": NAN}, {"undefined": 1}, "undefined is nan in one scorecard and 1 in the other"),
        ({}, {"ties": "best"}, "ties is None in one scorecard and 'best' in the other"),
    ],
)  # fmt: skip
def test_scorecards_of_other_labels_or_conventions(one, other, sentence):
    with pytest.raises(ValueError) as caught:
        card(**one) + card(**other)
    assert str(caught.value) == f"{sentence}: add scorecards of the same labels and conventions"


@pytest.mark.parametrize("missing", ["y_pred", "y_score"])
def test_scorecards_of_other_metrics(missing):
    for pair in ((card(), card(**{missing: False})), (card(**{missing: False}), card())):
        with pytest.raises(ValueError, match=r" in one scorecard and .* in the other: add "):
            pair[0] + pair[1]


@pytest.mark.parametrize("other", [1, 0, None, "card", [1]])
def test_what_is_no_scorecard(other):
    with pytest.raises(TypeError):
        card() + other


def test_one_convention_spelled_differently():
    for convention, spellings in (
        ("zero_division", (1, 1.0, np.float32(1))),
        ("zero_division", (NAN, np.float32("nan"))),
        ("beta", (0, -0.0)),
        ("ties", ("best", np.str_("best"))),
    ):
        cards = [card(**{convention: spelling}) for spelling in spellings]
        assert sum(cards).n_samples == len(spellings)
        assert sum(Scorecard.from_json(each.to_json()) for each in cards).n_samples == len(cards)


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


@pytest.mark.parametrize(
    "options, error, sentence",
    [
        ({"y_pred": False, "y_score": False}, ValueError,
         "y_pred, y_score and y_prob are missing: give one of them or more"),
        ({"treshold": 0.5}, TypeError, "treshold is no convention of a scorecard: it takes "),
        ({"ties": "middle"}, ValueError, "ties is 'middle': choose one of "),
        ({"k": 3}, ValueError, "k is 3, more than the 2 labels: give a smaller k"),
        ({"labels": "ab"}, TypeError, "labels is of type str: give a list of names"),
    ],
)  # fmt: skip
def test_options_are_checked(options, error, sentence):
    with pytest.raises(error) as caught:
        card(**options)
    assert str(caught.value).startswith(sentence)


# ---------------------------------------------------------------------------- stored


def test_written_and_read_back():
    """Names of any letters, and nan, which JSON itself does not have."""
    labels = ["貓", "é", "<b>", '"\\', "\ud800", "a\nb"]
    card = Scorecard.from_batch(*world()[:3], labels=labels, zero_division=NAN, ties="last")
    text = card.to_json()
    text.encode("ascii")  # whatever a file's encoding is
    back = Scorecard.from_json(text)
    assert (back.to_json(), repr(back)) == (text, repr(card))
    assert same(back + card, card + card)


@pytest.mark.parametrize("version", [2, "1", None])
def test_another_version_is_refused(version):
    content = json.loads(card().to_json()) | {"version": version, "sums": "of the future"}
    for text, named in ((json.dumps(content), version), ("[]", None), ("{}", None)):
        with pytest.raises(ValueError) as caught:
            Scorecard.from_json(text)
        assert str(caught.value) == (
            f"the scorecard has version {named!r} and this package reads version 1:"
            " compute the scorecard again"
        )


def test_a_stored_k_above_the_number_of_labels_is_refused():
    content = json.loads(card().to_json())
    content["conventions"]["k"] = 5
    with pytest.raises(ValueError, match=r"^k is 5, more than the 2 labels: give a smaller k$"):
        Scorecard.from_json(json.dumps(content))


def test_a_card_of_a_version_with_other_metrics():
    """Read is what it holds, and added is none that has another metric."""
    old = card()
    with added(OVERLAP):
        new, read = card(), Scorecard.from_json(old.to_json())
        assert read.values() == old.values()
        assert new.values() == old.values() | {"samples overlap": 1.0}
        for pair in ((new, read), (read, new)):
            with pytest.raises(
                ValueError, match=r"^throwaway\.overlap is .* in one scorecard and "
            ):
                pair[0] + pair[1]


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
    """Each row has the metric's value, direction, how many have no value, and scikit-learn's call."""
    y_true, y_pred, y_score, _ = world()
    card = Scorecard.from_batch(y_true, y_pred, y_score)
    assert repr(card).splitlines()[0] == "30 samples, 6 labels"
    (table,) = card.table().steps
    values, without = card.values(), card.undefined()
    assert [row[0] for row in table.rows] == list(values)
    for name, family, value, arrow, none, call in table.rows:
        record = catalogue.of(catalogue.variants()[name])
        assert float(value) == pytest.approx(values[name], abs=5.1e-7)
        assert (family, arrow) == (record.family, "↑" if record.higher_is_better else "↓")
        assert none == (str(without[name]) if without[name] else "–")
        average = name.split()[0] if record.averages else None
        assert call == (record.sklearn_call(average) or "–")
    some = card.table([catalogue.of(top_k.ndcg)]).steps[0]
    assert some.rows == tuple(row for row in table.rows if row[0] == "nDCG at 1")
