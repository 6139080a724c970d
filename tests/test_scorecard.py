"""Scorecards: against the metric functions, by hand, in batches, and written to JSON."""

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


def by_functions(y_true, y_pred, y_score, sample_weight, conventions):
    """The values of the public functions, by their names in the catalogue."""
    given = {name: value for name, value in conventions.items() if value is not None}
    values = {}
    for name, metric in catalogue.variants().items():
        record = catalogue.record_of(metric)
        matrix = {"y_pred": y_pred, "y_score": y_score}.get(record.reads)
        if matrix is not None and record.is_additive and not record.required_per_label:
            options = {option: v for option, v in given.items() if option in record.defaults}
            if options.get("ties") not in record.tie_rules:  # one of ranks in top k, or the reverse
                options.pop("ties", None)
            name_with_beta = re.sub("F2$", f"F{given['beta']:g}", name)  # "macro F2", for example
            values[name_with_beta] = metric(y_true, matrix, sample_weight=sample_weight, **options)
    return values


def random_data(seed=0, n_samples=30, n_labels=6):
    """Truth, prediction, scores with ties, weights; some samples, some labels are empty."""
    rng = np.random.default_rng(seed)
    y_true, y_pred = (rng.random((2, n_samples, n_labels)) < 0.3).astype(int)
    y_true[::7] = y_pred[::5] = 0
    if seed % 2:
        y_true[1] = 1  # a true sample for each label
    else:
        y_true[:, 1] = y_pred[:, 1] = y_true[:, 2] = y_pred[:, 3] = 0
    return y_true, y_pred, rng.integers(0, 4, y_true.shape) / 4, rng.integers(0, 3, n_samples) + 0.5


def test_by_hand():
    # Sample 0: a hit and a miss. Sample 1: no true label, a false alarm. Sample 2: no true or
    # predicted label.
    card = Scorecard.from_batch(
        [[1, 1, 0], [0, 0, 0], [0, 0, 0]],
        [[1, 0, 0], [0, 0, 1], [0, 0, 0]],
        [[3, 1, 2], [3, 2, 1], [3, 2, 1]],
    )
    undefined = {name: n for name, n in card.undefined().items() if n}
    expected = {
        "samples precision": (1 / 3, 1), "samples recall": (1 / 6, 2), "Hamming loss": (2 / 9, 0),
        "macro precision": (1 / 3, 1), "micro precision": (1 / 2, 0), "macro recall": (1 / 3, 1),
        "coverage": (1.0, 2), "average precision": ((5 / 6 + 2) / 3, 2), "recall at 1": (1 / 6, 2),
    }  # fmt: skip
    for name, (value, n_undefined) in expected.items():
        assert card.values()[name] == close(value) and undefined.get(name, 0) == n_undefined
    assert_array_equal(card.confusion, [[1, 0, 0], [0, 0, 1], [0, 1, 0], [2, 2, 2]])
    assert card.sums["example_based.recall"] == Sum(0.5, 3.0, 2)


def test_beta_1_is_f1_and_appears_once():
    beta_1, beta_2 = (Scorecard.from_batch(*random_data(4)[:2], beta=b).values() for b in (1, 2))
    assert beta_1 == {name: value for name, value in beta_2.items() if "F2" not in name}


def test_a_ratio_of_sums_adds_up_if_its_option_per_label_is_given():
    y_true, _, y_score, weight = random_data(7)
    name, option = "propensity-scored nDCG at 2", {"inverse_propensities": [1, 2, 4, 8, 1.5, 3]}
    batches = [(y_true[i::2], None, y_score[i::2], weight[i::2]) for i in (0, 1)]
    without, card = (
        sum(Scorecard.from_batch(*data, sample_weight=w, k=2, **given) for *data, w in batches)
        for given in ({}, option)
    )
    assert name not in without.values() and "inverse_propensities" not in repr(without)
    value = top_k.propensity_scored_ndcg(y_true, y_score, sample_weight=weight, k=2, **option)
    assert card.values()[name] == close(value)
    assert card.undefined()[name] == sum(not any(row) for row in y_true)


def test_cells_that_a_sparse_matrix_does_not_store_have_no_rank_in_top_k():
    """One of two labels has a score, below 0: it is first in top k, but second for coverage."""
    score = sparse.csr_array(([-0.5], ([0], [0])), shape=(1, 2))
    values = Scorecard.from_batch([[1, 1]], None, score, k=2).values()
    assert (values["precision at 2"], values["coverage"]) == (0.5, 2.0)


@pytest.mark.parametrize("n", [1, 2, 7, 30])
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array])
def test_a_perfect_prediction_has_exactly_the_best_values_under_any_weights(kind, n):
    """In one batch, and in batches of one sample; 0/0 agrees, and counts 1."""
    rng = np.random.default_rng(0)
    y_true = rng.random((n, 4)) < 0.5
    weight = rng.choice([0.1, 0.2, 0.6, 0.7, 1.0], n)

    def card(rows):
        options = {"sample_weight": weight[rows], "zero_division": "agree"}
        return Scorecard.from_batch(kind(y_true[rows]), kind(y_true[rows]), **options)

    for whole in (card(slice(n)), sum(card([i]) for i in range(n))):
        for name, value in whole.values().items():
            metric = catalogue.variants()[name]
            record = catalogue.record_of(metric)
            best = record.range[1] if record.higher_is_better else 0.0
            reaches_best = metric(np.eye(4), np.eye(4)) == best  # each label has both classes
            assert value == best or not reaches_best, name


# ---------------------------------------------------------------------------- batches


def problem(seed):
    """Truth (in part unknown), prediction, scores (or one of both), weights, options, batches."""
    rng = np.random.default_rng(seed)
    shape = n_samples, _ = rng.integers(1, 15), rng.integers(1, 7)
    y_true, y_pred = rng.random((2, *shape)) < rng.choice([0.1, 0.5, 0.9])
    y_score = rng.integers(1, 4, shape) / 4
    if seed % 3 == 0:
        y_true = mask_cells(y_true, rng, most=rng.integers(y_true.size + 1))
    if seed % 4 == 0:
        y_pred = None
    if seed % 4 == 1:
        y_score = None
    weight = rng.choice([0, 0.1, 1 / 3, 1, 7.5], n_samples)
    weight[0] = 1
    conventions = {
        "k": 1,
        "zero_division": all_small.ZERO_DIVISIONS[seed % 4],
        "beta": float(rng.choice([0, 0.3, 1, 2])),
        "ties": [None, *all_small.TIES, "worst", "best"][seed % 8],
        "start": seed % 2,
        "undefined": [None, 0.0, 1.0, -1.0, NAN][seed % 5],
    }
    ends = sorted({0, n_samples, *rng.integers(1, n_samples + 1, 3).tolist()})
    batches = rng.permutation([slice(*pair) for pair in pairwise(ends)])
    return (y_true, y_pred, y_score), None if seed % 5 < 2 else weight, conventions, batches


def same(card, other):
    """True if two scorecards have equal values and can be added; else an AssertionError."""
    assert (card + other).n_samples == 2 * card.n_samples == 2 * other.n_samples
    assert card.values() == close(other.values())
    assert card.undefined() == other.undefined()
    return True


MORE_SEEDS = [pytest.param(seed, marks=pytest.mark.exhaustive) for seed in range(20, 100)]


@pytest.mark.parametrize("seed", [*range(20), *MORE_SEEDS])
def test_batches_merged_and_stored_give_the_scorecard_of_the_whole_data(seed):
    """All containers of matrices are tried in test_every_metric.py."""
    matrices, weight, conventions, batches = problem(seed)

    def card(rows):
        of_rows = (None if matrix is None else matrix[rows] for matrix in matrices)
        weight_of_rows = None if weight is None else weight[rows]
        return Scorecard.from_batch(*of_rows, sample_weight=weight_of_rows, **conventions)

    whole = card(slice(None))
    assert whole.values() == close(by_functions(*matrices, weight, conventions))
    cards = [card(rows) for rows in batches]
    texts = [card.to_json() for card in cards]
    assert same(sum(pickle.loads(pickle.dumps(cards))), whole)
    assert same(sum(map(Scorecard.from_json, texts)), whole)
    assert [card.to_json() for card in cards] == texts


def test_addition_keeps_whole_numbers_whole_and_both_operands():
    *matrices, weight = random_data(5)
    card, weighted = (Scorecard.from_batch(*matrices, sample_weight=w) for w in (None, weight))
    texts = card.to_json(), weighted.to_json()
    doubled = card + card
    assert doubled.confusion.tp.dtype == np.intp
    assert_array_equal(doubled.confusion.tn, 2 * card.confusion.tn)
    stacked, weights = [np.vstack([m, m]) for m in matrices], np.append(np.ones(30), weight)
    assert same(card + weighted, Scorecard.from_batch(*stacked, sample_weight=weights))
    doubled.confusion.tp[:] = 99
    assert (card.to_json(), weighted.to_json()) == texts


def test_a_batch_of_weight_0_adds_samples_and_no_weight():
    *matrices, weight = random_data(6)
    weight[:10] = 0
    weightless, others = (
        Scorecard.from_batch(*(m[rows] for m in matrices), sample_weight=weight[rows])
        for rows in (slice(0, 10), slice(10, None))
    )
    assert same(weightless + others, Scorecard.from_batch(*matrices, sample_weight=weight))
    values = weightless.values()  # the metric functions refuse weights that are all 0
    assert math.isnan(values["Hamming loss"]) and math.isnan(values["coverage"])


# ---------------------------------------------------------------------------- refused sums


def test_batches_have_the_labels_of_their_frames_so_that_another_order_is_refused():
    frame = pd.DataFrame([[1, 0], [0, 1]], columns=["cat", "sea"])
    plain = frame.to_numpy()
    assert Scorecard.from_batch(frame, frame).labels == ["cat", "sea"]
    assert Scorecard.from_batch(plain, y_score=0.5 * frame).labels == ["cat", "sea"]
    assert Scorecard.from_batch(plain, plain).labels is None
    assert Scorecard.from_batch(frame, frame, labels=["a", "b"]).labels == ["a", "b"]
    reordered = frame[["sea", "cat"]]
    with pytest.raises(ValueError, match="label 0 is 'cat' in one scorecard and 'sea' in the"):
        Scorecard.from_batch(frame, frame) + Scorecard.from_batch(reordered, reordered)


def card(*, n_labels=2, has_scores=True, **options):
    """The scorecard of one sample with a perfect prediction, and with scores or without."""
    row = [[1] + [0] * (n_labels - 1)]
    return Scorecard.from_batch(row, row, row if has_scores else None, **options)


@pytest.mark.parametrize(
    "other", [{"n_labels": 3}, {"labels": ["a", "b"]}, {"zero_division": 1}, {"has_scores": False}]
)
def test_scorecards_of_different_labels_or_conventions_are_not_added(other):
    """In either order; the messages are in refusals/scorecard.txt."""
    for first, second in ((card(), card(**other)), (card(**other), card())):
        with pytest.raises(ValueError, match=r" in one scorecard and .* in the other: add "):
            first + second


def test_only_scorecards_are_added():
    with pytest.raises(TypeError):
        card() + 1


def test_equal_conventions_of_different_types_are_added():
    for convention, values in (
        ("zero_division", (1, 1.0, np.float32(1))),
        ("zero_division", (NAN, np.float32("nan"))),
        ("ties", ("min", np.str_("min"))),
    ):
        cards = [card(**{convention: value}) for value in values]
        stored = [Scorecard.from_json(card.to_json()) for card in cards]
        assert sum([*cards, *stored]).n_samples == 2 * len(values)


def test_samples_weigh_by_their_known_cells_in_batches_with_and_without_unknown_cells():
    """One of four cells is wrong, then one of two known cells: 2 of 6, in either order."""
    known = Scorecard.from_batch([[1, 0, 0, 0]], [[0, 0, 0, 0]])
    masked = Scorecard.from_batch(np.ma.masked_equal([[1, 0, -1, -1]], -1), [[0, 0, 1, 0]])
    for total in (known + masked, masked + known):
        assert total.values()["Hamming loss"] == pytest.approx(2 / 6)


def test_labels_of_any_characters_and_nan_are_written_and_read_back():
    labels = ["貓", '"\\', "\ud800", "a\nb"]
    card = Scorecard.from_batch([[1, 0, 1, 0]], [[0] * 4], labels=labels, zero_division=NAN)
    text = card.to_json()
    text.encode("ascii")  # so that a file can have any encoding
    back = Scorecard.from_json(text)
    assert (back.to_json(), repr(back)) == (text, repr(card)) and same(back, card)


def test_a_scorecard_from_a_version_with_fewer_metrics():
    """It can be read, but not added to a scorecard with an additional metric."""
    old = card()
    with added(OVERLAP):  # a metric that only the newer version has
        new, stored = card(), Scorecard.from_json(old.to_json())
        assert stored.values() == old.values()
        assert new.values() == old.values() | {"samples overlap": 1.0}
        for first, second in ((new, stored), (stored, new)):
            with pytest.raises(ValueError, match=r"^throwaway\.overlap is .* in one scorecard"):
                first + second


def test_memory_is_far_below_that_of_the_matrices(monkeypatch):
    """Only a block of cells and a few numbers per sample are held in addition to the matrices."""
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


def test_the_table_of_a_scorecard():
    """A row has a metric's family, value, direction, undefined samples and scikit-learn call."""
    y_true, y_pred = [[1, 0], [0, 0], [0, 1]], [[1, 0], [0, 0], [1, 1]]
    text = repr(Scorecard.from_batch(y_true, y_pred, beta=0.5))
    assert text.splitlines()[0] == "3 samples, 2 labels" and ", beta=0.5" in text
    rows = {tuple(re.split("  +", line)) for line in text.splitlines()}
    assert rows >= {
        (
            "samples recall",
            "example-based",
            "0.666667",
            "↑",
            "1",
            "recall_score(average='samples')",
        ),
        ("Hamming loss", "Hamming", "0.166667", "↓", "–", "hamming_loss"),
        ("micro Jaccard", "label-based", "0.666667", "↑", "–", "jaccard_score(average='micro')"),
    }
