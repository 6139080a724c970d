"""Counts between cuts: the curve metrics of binned scores, and what the scores themselves can have."""

from __future__ import annotations

import json
import math
import pickle
from functools import partial

import numpy as np
import pytest
from drawing import many, rankings, same
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from mlm_helpers import catalogue
from mlm_helpers.curves import average_precision, roc_auc
from mlm_helpers.scorecard import Scorecard

METRICS = {
    catalogue.describe(metric): metric
    for function in (average_precision, roc_auc)
    for metric in (partial(function, average=a) for a in ("macro", "micro", "weighted"))
}


def card(y_true, y_score, cuts, **options):
    return Scorecard.from_batch(y_true, None, y_score, cuts=cuts, **options)


def within(value, bound):
    """Whether it lies between the ends; where there is none, all three are nan."""
    if math.isnan(value):
        return all(map(math.isnan, bound))
    return bound.low - 1e-12 <= value <= bound.high + 1e-12


# Scores are quarters from 0 to 1.
CUTS = st.sampled_from([(0.3,), (0.5,), (0.25, 0.75), (0.1, 0.2), (0.25, 0.5, 0.75, 1.0)])
WORTH = st.sampled_from([None, 0.0, 1.0, -0.5, math.nan])


@many
@given(problem=rankings(), cuts=CUTS, worth=WORTH, weighted=st.booleans())
def test_the_value_is_that_of_binned_scores_and_the_true_one_lies_within(
    problem, cuts, worth, weighted
):
    y_true, y_score, weights = (np.array(part) for part in problem)
    weight = weights / 8 if weighted else None
    bounds = card(y_true, y_score, cuts, sample_weight=weight, undefined=worth).bounds()
    assert bounds.keys() == METRICS.keys()
    options = {"sample_weight": weight} | ({} if worth is None else {"undefined": worth})
    for name, metric in METRICS.items():
        assert same(bounds[name].value, metric(y_true, np.digitize(y_score, cuts), **options))
        assert within(bounds[name].value, bounds[name])
        assert within(metric(y_true, y_score, **options), bounds[name]), name


@many
@given(problem=rankings(), cuts=CUTS, seed=st.integers(0, 9))
def test_any_order_within_the_bins_lies_within(problem, cuts, seed):
    y_true, y_score, weights = (np.array(part) for part in problem)
    binned = np.digitize(y_score, cuts)
    bounds = card(y_true, binned - 0.5, np.arange(len(cuts) + 1), sample_weight=weights).bounds()
    rng = np.random.default_rng(seed)
    favoured = (0.5 * y_true, 0.5 - 0.5 * y_true, np.zeros(y_true.shape))[seed % 3]
    order = binned + favoured + rng.integers(0, 4, y_true.shape) / 10  # in each bin
    for name, metric in METRICS.items():
        assert within(metric(y_true, order, sample_weight=weights), bounds[name]), name


def test_by_hand():
    """Above .5 a positive and a negative; below as well: one pair of four is won, two lie in bins."""
    y_true, y_score = [[1], [0], [1], [0]], [[0.9], [0.6], [0.3], [0.2]]
    kept = card(y_true, y_score, [0.5])
    assert kept.bins.cuts == (0.5,)
    assert_array_equal(kept.bins.positives, [[1, 1]])
    assert_array_equal(kept.bins.negatives, [[1, 1]])
    assert kept.bounds()["macro AUROC"] == (1 / 2, 1 / 4, 3 / 4)
    # 1 of 2 and 2 of 4; with the negatives first as well; with the positives first 1 of 1 and 2 of 3
    assert kept.bounds()["micro AP"] == pytest.approx((1 / 2, 1 / 2, 5 / 6))
    assert card(y_true, y_score, [0.9]).bins.positives.tolist() == [[1, 1]]  # the cut is above


def test_the_least_is_near_what_can_be_reached():
    """Five positives of one bin after three negatives: 1 of 4, 2 of 5, 3 of 6, 4 of 7, 5 of 8."""
    y_true, y_score = [[0]] * 3 + [[1]] * 5, [[0.1 * i] for i in range(8, 0, -1)]
    reached = average_precision(y_true, y_score)
    assert reached == pytest.approx((1 / 4 + 2 / 5 + 3 / 6 + 4 / 7 + 5 / 8) / 5)
    least = card(y_true, y_score, [0.9]).bounds()["macro AP"].low
    assert reached - 0.002 < least <= reached


def test_exact_where_no_bin_is_mixed():
    """AUROC; and AP too, where no two positives of a bin stand below a negative."""
    y_true, y_score = [[1], [1], [0], [0], [1]], [[0.9], [0.8], [0.6], [0.5], [0.3]]
    bounds = card(y_true, y_score, [0.4, 0.7]).bounds()
    assert bounds["macro AUROC"] == (2 / 3, 2 / 3, 2 / 3)
    expected = (2 / 2 + 2 / 2 + 3 / 5) / 3
    assert bounds["macro AP"] == pytest.approx((expected,) * 3, rel=1e-15)
    assert (roc_auc(y_true, y_score), average_precision(y_true, y_score)) == (
        2 / 3, pytest.approx(expected),
    )  # fmt: skip


@many
@given(problem=rankings(), cuts=CUTS, weighted=st.booleans())
def test_merged_is_whole(problem, cuts, weighted):
    y_true, y_score, weights = (np.array(part) for part in problem)
    weight = weights.astype(float) if weighted else None
    whole = card(y_true, y_score, cuts, sample_weight=weight)
    rows = [slice(i, i + 1) for i in range(len(y_true))]
    parts = [
        card(y_true[r], y_score[r], cuts, sample_weight=None if weight is None else weight[r])
        for r in rows
    ]
    merged = sum(parts)
    assert merged.bounds().keys() == whole.bounds().keys()
    for name, bound in whole.bounds().items():
        assert same(merged.bounds()[name], bound)
    again = Scorecard.from_json(merged.to_json())
    assert repr(again) == repr(merged) == repr(pickle.loads(pickle.dumps(merged)))
    assert again.bins.positives.dtype == merged.bins.positives.dtype


Y_TRUE, Y_SCORE = [[1, 0], [0, 1]], [[0.9, 0.2], [0.4, 0.6]]


def test_it_is_shown_and_a_card_without_cuts_is_as_it_was():
    kept, plain = (
        Scorecard.from_batch(Y_TRUE, None, Y_SCORE, **options) for options in ({"cuts": [0.5]}, {})
    )
    assert plain.bounds() == {} and plain.bins is None
    assert "bins" not in json.loads(plain.to_json())
    assert kept.values() == plain.values()
    assert repr(kept).startswith(repr(plain))
    assert repr(kept).removeprefix(repr(plain)).split("\n\n")[1].splitlines()[:3] == [
        "At one cut",
        "metric          binned  at least  at most",
        "macro AP        1       1         1",
    ]
    with pytest.raises(ValueError, match="read-only"):
        kept.bins.positives[0, 0] = 7


@pytest.mark.parametrize(
    ("cuts", "sentence"),
    [
        (0.5, "cuts is 0.5: give a list of numbers in growing order"),
        ([], "cuts is empty: give a list of numbers in growing order"),
        ([0.1, math.nan], "cuts holds nan at position 1: give a list of numbers in growing order"),
        ([0.2, 0.2], "cuts holds 0.2 at position 1: give a list of numbers in growing order"),
        (np.array([0.5, 0.1]), "cuts holds 0.1 at position 1: give a list of numbers in growing order"),
        (["0.5"], "cuts holds '0.5' at position 0: give a list of numbers in growing order"),
        ([[0.5]], "cuts holds [0.5] at position 0: give a list of numbers in growing order"),
    ],
)  # fmt: skip
def test_bad_cuts(cuts, sentence):
    with pytest.raises((TypeError, ValueError)) as caught:
        card(Y_TRUE, Y_SCORE, cuts)
    assert str(caught.value) == sentence


def test_cuts_need_scores():
    with pytest.raises(ValueError) as caught:
        Scorecard.from_batch(Y_TRUE, Y_TRUE, cuts=[0.5])
    assert str(caught.value) == "cuts is given and y_score is missing: give the scores to be cut"


@pytest.mark.parametrize(
    ("other", "what"),
    [(None, "the number of cuts is 2 in one"), ([0.5], "the number of cuts is 2 in one"),
     ([0.5, 0.8], "cut 1 is 0.7 in one scorecard and 0.8 in the other")],
)  # fmt: skip
def test_different_cuts_are_not_added(other, what):
    with pytest.raises(ValueError) as caught:
        card(Y_TRUE, Y_SCORE, [0.5, 0.7]) + card(Y_TRUE, Y_SCORE, other)
    assert str(caught.value).startswith(what)


@pytest.mark.parametrize(
    ("bins", "sentence"),
    [
        (7, "bins is 7 and not cuts and two tables of counts"),
        ([[0.5], [[1, 0]]], "bins is [[0.5], [[1, 0]]] and not cuts and two tables of counts"),
        ([["a"], [], []], "the cuts are ['a']"),
        ([[0.5, 0.4], [], []], "cuts holds 0.4 at position 1"),
        ([[0.5], [[1, 0]], [[1, 0]]], "the bins are not 2 lists of 2 counts"),
        ([[0.5], [[1, 0], [0, 1]], [[1, 0], [1]]], "the bins are not 2 lists of 2 counts"),
        ([[0.5], [[1, 0], [0, 1]], [[1, 0], [1, -1]]], "a bin holds what is no count"),
        ([[0.5], [[1, 0], [0, 1]], [[1, 0], [1, True]]], "a bin holds what is no count"),
        ([[0.5], [[1, 0], [0, 1]], [[1, 0], [1, 1]]],
         "the bins of a label do not add up to all samples"),
    ],
)  # fmt: skip
def test_damaged_bins_are_refused(bins, sentence):
    content = json.loads(card(Y_TRUE, Y_SCORE, [0.5]).to_json()) | {"bins": bins}
    with pytest.raises(ValueError) as caught:
        Scorecard.from_json(json.dumps(content))
    assert str(caught.value).startswith(f"the scorecard is damaged, {sentence}")


def test_many_samples_in_blocks(monkeypatch):
    rng = np.random.default_rng(0)
    y_true, y_score = rng.random((500, 7)) < 0.2, rng.random((500, 7)).astype("f4")
    cuts = np.linspace(0, 1, 11)[1:-1]
    whole = [card(y_true, y_score, cuts, sample_weight=w) for w in (None, rng.random(500))]
    rng = np.random.default_rng(0)
    rng.random((500, 7)), rng.random((500, 7))
    monkeypatch.setattr("mlm_helpers.blocks.CELLS", 20)
    again = [card(y_true, y_score, cuts, sample_weight=w) for w in (None, rng.random(500))]
    for one, other in zip(whole, again, strict=True):
        assert same(one.bins.positives, other.bins.positives)
        assert same(one.bins.negatives, other.bins.negatives)
    for j, label in enumerate(y_score.T):
        counted, _ = np.histogram(label[y_true[:, j]], [-np.inf, *cuts, np.inf])
        assert_array_equal(whole[0].bins.positives[j], counted)
