"""Scorecards: against the metric functions and plain counting, split every way, written and read back."""

from __future__ import annotations

import math
import pickle
import re
import tracemalloc
from itertools import pairwise

import all_small
import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from random_inputs import mask_cells
from scipy import sparse
from throwaway import OVERLAP, added

from mlm_helpers import catalogue, top_k
from mlm_helpers._core import blocks
from mlm_helpers.scorecard import Scorecard, Sum

NAN = math.nan


def close(value):
    return pytest.approx(value, rel=1e-12, abs=1e-12, nan_ok=True)


def by_functions(y_true, y_pred, y_score, sample_weight, chosen):
    """What the public functions say, one by one, by the names of the catalogue."""
    conventions = {n: value for n, value in chosen.items() if value is not None}
    values = {}
    for name, metric in catalogue.variants().items():
        record = catalogue.record_of(metric)
        other = {"y_pred": y_pred, "y_score": y_score}.get(record.reads)
        if other is not None and record.is_additive and not record.required_per_label:
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
    card, two = (Scorecard.from_batch(*world(4)[:2], beta=beta).values() for beta in (1, 2))
    assert card == {name: value for name, value in two.items() if "F2" not in name}


def test_a_ratio_of_sums_adds_up_if_its_option_per_label_is_given():
    y_true, _, y_score, weight = world(7)
    name, worth = "propensity-scored nDCG at 2", {"inverse_propensities": [1, 2, 4, 8, 1.5, 3]}
    parts = [(y_true[i::2], None, y_score[i::2], weight[i::2]) for i in (0, 1)]
    plain, card = (
        sum(Scorecard.from_batch(*d, sample_weight=w, k=2, **own) for *d, w in parts)
        for own in ({}, worth)
    )
    assert name not in plain.values() and "inverse_propensities" not in repr(plain)
    found = top_k.propensity_scored_ndcg(y_true, y_score, sample_weight=weight, k=2, **worth)
    assert card.values()[name] == close(found)
    assert card.undefined()[name] == sum(not any(row) for row in y_true)


def test_what_is_not_stored_is_no_score():
    """Of two labels one is scored, below 0: it is first, and the other is no second."""
    score = sparse.csr_array(([-0.5], ([0], [0])), shape=(1, 2))
    values = Scorecard.from_batch([[1, 1]], None, score, k=2).values()
    assert (values["precision at 2"], values["coverage"]) == (0.5, 2.0)


@pytest.mark.parametrize("n", [1, 2, 7, 30])
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array])
def test_a_perfect_prediction_is_exactly_perfect_under_any_weights(kind, n):
    rng = np.random.default_rng(0)
    y_true = rng.random((n, 4)) < 0.5
    y_true[:, 0] = y_true[0] = True
    weight = rng.choice([0.1, 0.2, 0.6, 0.7, 1.0], n)

    def card(rows):
        own = {"sample_weight": weight[rows], "zero_division": "agree"}
        return Scorecard.from_batch(kind(y_true[rows]), kind(y_true[rows]), **own)

    for one in (card(slice(n)), sum(card([i]) for i in range(n))):
        for name, value in one.values().items():
            record = catalogue.record_of(catalogue.variants()[name])
            assert value == (record.range[1] if record.higher_is_better else 0.0), name


# ---------------------------------------------------------------------------- everything at once


def problem(seed):
    """Truth that may be unknown, predictions and scores or one of them, weights, conventions, runs of rows in any order."""
    draw = np.random.default_rng(seed)
    shape = n_samples, _ = draw.integers(1, 15), draw.integers(1, 7)
    y_true, y_pred = draw.random((2, *shape)) < draw.choice([0.1, 0.5, 0.9])
    matrices = [y_true, y_pred, draw.integers(1, 4, shape) / 4]
    if seed % 3 == 0:
        matrices[0] = mask_cells(y_true, draw, most=draw.integers(y_true.size + 1))
    if seed % 4 < 2:
        matrices[seed % 4 + 1] = None
    weight = draw.choice([0, 0.1, 1 / 3, 1, 7.5], n_samples)
    weight[0] = 1
    options = {
        "k": 1,
        "zero_division": all_small.ZERO_DIVISIONS[seed % 4],
        "beta": float(draw.choice([0, 0.3, 1, 2])),
        "ties": [None, *all_small.TIES][seed % 6],
        "start": seed % 2,
        "undefined": [None, 0.0, 1.0, -1.0, NAN][seed % 5],
    }
    ends = sorted({0, n_samples, *draw.integers(1, n_samples + 1, 3).tolist()})
    runs = [slice(*pair) for pair in pairwise(ends)]
    return matrices, None if seed % 5 < 2 else weight, options, draw.permutation(runs)


def same(card, other):
    """Whether two scorecards hold the same; to be added, they have one set of labels and conventions."""
    assert (card + other).n_samples == 2 * card.n_samples == 2 * other.n_samples
    assert card.values() == close(other.values())
    assert card.undefined() == other.undefined()
    return True


MORE = [pytest.param(seed, marks=pytest.mark.exhaustive) for seed in range(20, 100)]


@pytest.mark.parametrize("seed", [*range(20), *MORE])
def test_batches_merged_and_stored_give_the_scorecard_of_the_whole_data(seed):
    """In every container: test_every_metric.py."""
    matrices, weight, options, runs = problem(seed)

    def card(rows):
        some = (None if matrix is None else matrix[rows] for matrix in matrices)
        own = None if weight is None else weight[rows]
        return Scorecard.from_batch(*some, sample_weight=own, **options)

    whole = card(slice(None))
    assert whole.values() == close(by_functions(*matrices, weight, options))
    batches = [card(rows) for rows in runs]
    before = [batch.to_json() for batch in batches]
    read = sum(map(Scorecard.from_json, before))
    assert all(same(some, whole) for some in (sum(pickle.loads(pickle.dumps(batches))), read))
    assert [batch.to_json() for batch in batches] == before


def test_addition_keeps_whole_numbers_whole_and_both_operands():
    *matrices, weight = world(5)
    card, weighted = (Scorecard.from_batch(*matrices, sample_weight=w) for w in (None, weight))
    before = card.to_json(), weighted.to_json()
    both = card + card
    assert both.confusion.tp.dtype == np.intp
    assert_array_equal(both.confusion.tn, 2 * card.confusion.tn)
    twice, weights = [np.vstack([m, m]) for m in matrices], np.append(np.ones(30), weight)
    assert same(card + weighted, Scorecard.from_batch(*twice, sample_weight=weights))
    both.confusion.tp[:] = 99
    assert (card.to_json(), weighted.to_json()) == before


def test_a_batch_of_weight_0_adds_samples_and_no_weight():
    *matrices, weight = world(6)
    weight[:10] = 0
    nothing, rest = (
        Scorecard.from_batch(*(m[rows] for m in matrices), sample_weight=weight[rows])
        for rows in (slice(0, 10), slice(10, None))
    )
    assert same(nothing + rest, Scorecard.from_batch(*matrices, sample_weight=weight))
    assert math.isnan(nothing.values()["Hamming loss"])  # where the function refuses
    assert math.isnan(nothing.values()["coverage"])


# ---------------------------------------------------------------------------- what is not added


def test_batches_take_the_names_of_their_frames_so_that_none_in_another_order_is_added():
    frame = pd.DataFrame([[1, 0], [0, 1]], columns=["cat", "sea"])
    plain = frame.to_numpy()
    assert Scorecard.from_batch(frame, frame).labels == ("cat", "sea")
    assert Scorecard.from_batch(plain, y_score=0.5 * frame).labels == ("cat", "sea")
    assert Scorecard.from_batch(plain, plain).labels is None
    assert Scorecard.from_batch(frame, frame, labels=["a", "b"]).labels == ("a", "b")
    turned = frame[["sea", "cat"]]
    with pytest.raises(ValueError, match="label 0 is 'cat' in one scorecard and 'sea' in the"):
        Scorecard.from_batch(frame, frame) + Scorecard.from_batch(turned, turned)


def card(*, n_labels=2, y_pred=True, y_score=True, **options):
    one = [[1] + [0] * (n_labels - 1)]
    return Scorecard.from_batch(one, one if y_pred else None, one if y_score else None, **options)


@pytest.mark.parametrize(
    "other", [{"n_labels": 3}, {"labels": ["a", "b"]}, {"zero_division": 1}, {"y_score": False}]
)
def test_scorecards_of_different_labels_or_conventions_are_not_added(other):
    """In either order; what is said: refusals/scorecard.txt."""
    for pair in ((card(), card(**other)), (card(**other), card())):
        with pytest.raises(ValueError, match=r" in one scorecard and .* in the other: add "):
            pair[0] + pair[1]


def test_what_is_no_scorecard():
    with pytest.raises(TypeError):
        card() + 1


def test_one_convention_spelled_differently():
    for convention, spellings in (
        ("zero_division", (1, 1.0, np.float32(1))),
        ("zero_division", (NAN, np.float32("nan"))),
        ("ties", ("best", np.str_("best"))),
    ):
        cards = [card(**{convention: spelling}) for spelling in spellings]
        read = [Scorecard.from_json(each.to_json()) for each in cards]
        assert sum([*cards, *read]).n_samples == 2 * len(spellings)


def test_a_batch_that_is_known_in_full_weighs_by_its_cells_beside_one_that_is_not():
    """One of four cells wrong, then one of the two that are known: 2 of 6, in either order."""
    full = Scorecard.from_batch([[1, 0, 0, 0]], [[0, 0, 0, 0]])
    partly = Scorecard.from_batch(np.ma.masked_equal([[1, 0, -1, -1]], -1), [[0, 0, 1, 0]])
    for both in (full + partly, partly + full):
        assert both.values()["Hamming loss"] == pytest.approx(2 / 6)


# ---------------------------------------------------------------------------- stored


def test_names_of_any_letters_and_nan_are_written_and_read_back():
    labels = ["貓", '"\\', "\ud800", "a\nb"]
    card = Scorecard.from_batch([[1, 0, 1, 0]], [[0] * 4], labels=labels, zero_division=NAN)
    text = card.to_json()
    text.encode("ascii")  # whatever a file's encoding is
    back = Scorecard.from_json(text)
    assert (back.to_json(), repr(back)) == (text, repr(card)) and same(back, card)


def test_a_card_of_a_version_with_other_metrics():
    """Read is what it holds, and added is none that has another metric."""
    old = card()
    with added(OVERLAP):
        new, read = card(), Scorecard.from_json(old.to_json())
        assert read.values() == old.values()
        assert new.values() == old.values() | {"samples overlap": 1.0}
        for pair in ((new, read), (read, new)):
            with pytest.raises(ValueError, match=r"^throwaway\.overlap is .* in one scorecard"):
                pair[0] + pair[1]


# ---------------------------------------------------------------------------- size, memory, table


def test_memory(monkeypatch):
    """Beside the matrices, a block and a few numbers per sample: no other array of their size."""
    monkeypatch.setattr(blocks, "BLOCK_CELLS", 2**12)
    rng = np.random.default_rng(0)
    y_true, y_pred = rng.random((2, 4000, 100)) < 0.05
    y_score = rng.random(y_true.shape)
    Scorecard.from_batch(y_true[:10], y_pred[:10], y_score[:10])
    tracemalloc.start()
    Scorecard.from_batch(y_true, y_pred, y_score)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 20 * 8 * len(y_true) + 40 * blocks.BLOCK_CELLS < y_score.nbytes / 3


def test_table():
    """Each row has the metric's value, direction, how many have no value, and scikit-learn's call."""
    y_true, y_pred, y_score, _ = world()
    card = Scorecard.from_batch(y_true, y_pred, y_score, y_prob=y_score)
    assert repr(card).splitlines()[0] == "30 samples, 6 labels"
    (table,) = card.table().steps
    values, without = card.values(), card.undefined()
    assert [row[0] for row in table.rows] == list(values)
    assert table.header[1:5] == ("family", "value", "better", "without a value")
    for name, family, value, arrow, none, call in table.rows:
        record = catalogue.record_of(catalogue.variants()[name])
        assert float(value) == pytest.approx(values[name], abs=5.1e-7)
        assert (family, arrow) == (record.family, "↑" if record.higher_is_better else "↓")
        assert none == (str(without[name]) if without[name] else "–")
        average = name.split()[0] if record.averages else None
        assert call == (record.sklearn_call(average) or "–")
    some = card.table([catalogue.record_of(top_k.ndcg)]).steps[0]
    assert some.rows == tuple(row for row in table.rows if row[0] == "nDCG at 1")
