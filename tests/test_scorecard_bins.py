"""Counts between cuts: the curve metrics of binned scores, and the bounds of the scores themselves."""

from __future__ import annotations

import math
import time
from functools import partial
from itertools import cycle, islice, product

import numpy as np
import pytest
from drawing import hiding, pool, same
from numpy.testing import assert_array_equal
from scipy import sparse

from mlm_helpers import catalogue, thresholds
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
CUTS = [(0.3,), (0.5,), (0.25, 0.75), (0.1, 0.2), (0.25, 0.5, 0.75, 1.0)]
WORTH = [None, 0.0, 1.0, -0.5, math.nan]
FORM = [np.asarray, sparse.csr_array, sparse.coo_array]


def test_the_value_is_that_of_binned_scores_and_the_true_one_lies_within():
    every = zip(pool("y_score"), product(CUTS, WORTH, FORM, (True, False)), strict=False)
    random = np.random.default_rng(0)
    for (y_true, y_score, weights), (cuts, worth, form, weighted) in islice(every, 0, None, 4):
        weight = weights / 8 if weighted else None
        if form is np.asarray:
            y_true = hiding(y_true, random, most=random.integers(y_true.size + 1))
        bounds = card(y_true, form(y_score), cuts, sample_weight=weight, undefined=worth).bounds()
        assert bounds.keys() == METRICS.keys()
        options = {"sample_weight": weight} | ({} if worth is None else {"undefined": worth})
        for name, metric in METRICS.items():
            assert same(bounds[name].value, metric(y_true, np.digitize(y_score, cuts), **options))
            assert within(bounds[name].value, bounds[name])
            assert within(metric(y_true, y_score, **options), bounds[name]), name


def test_any_order_within_the_bins_lies_within():
    rng = np.random.default_rng(0)
    every = zip(pool("y_score")[:45], cycle(CUTS), cycle(range(3)), strict=False)
    for (y_true, y_score, weights), cuts, way in every:
        binned = np.digitize(y_score, cuts)
        edges = np.arange(len(cuts) + 1)
        bounds = card(y_true, binned - 0.5, edges, sample_weight=weights).bounds()
        favoured = (0.5 * y_true, 0.5 - 0.5 * y_true, np.zeros(y_true.shape))[way]
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
    shown = repr(kept).split("\n\n")[-1].splitlines()
    assert shown[0] == "At one cut"
    assert shown[1].split() == ["metric", "binned", "at", "least", "at", "most"]
    assert shown[5].split() == ["macro", "AUROC", "0.5", "0.25", "0.75"]


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64, np.longdouble, int])
def test_a_bin_begins_where_a_threshold_predicts(kind):
    """A score is above a cut if and only if `thresholds.at` predicts it, whatever its type."""
    cuts = [0.3, 0.3001, 0.5, 0.50000001, 0.7, 1]
    score = np.array([[0.3], [0.3001], [0.5], [0.7], [1]]).astype(kind)
    for cut in cuts:
        above = card(np.ones(score.shape), score, [cut]).bins.positives[0, 1]
        assert above == thresholds.at(score, cut).sum()


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


def test_many_samples_in_blocks(monkeypatch):
    monkeypatch.setattr("mlm_helpers._core.blocks.CELLS", 20)
    rng = np.random.default_rng(0)
    y_true, y_score, weight = rng.random((500, 7)) < 0.2, rng.random((500, 7)), rng.random(500)
    cuts = np.linspace(0, 1, 11)[1:-1]
    plain, weighted = (card(y_true, y_score, cuts, sample_weight=w).bins for w in (None, weight))
    for j, (true, label) in enumerate(zip(y_true.T, y_score.T, strict=True)):
        edges = [-np.inf, *cuts, np.inf]
        assert_array_equal(plain.positives[j], np.histogram(label[true], edges)[0])
        assert_array_equal(plain.negatives[j], np.histogram(label[~true], edges)[0])
        found, _ = np.histogram(label[true], edges, weights=weight[true])
        assert weighted.positives[j] == pytest.approx(found)


def test_many_labels_are_bounded_at_once():
    """100,000 labels took eleven seconds, a label at a time."""
    y_true = np.zeros((2, 20_000), dtype=bool)
    y_true[0] = True
    kept = card(y_true, np.random.default_rng(0).random(y_true.shape), [0.3, 0.5])
    start = time.process_time()
    kept.bounds()
    assert time.process_time() - start < 0.5
