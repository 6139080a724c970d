"""Counts, accuracy, cost and rates per label, by hand; other averages and 0/0: test_all_small.py."""

from __future__ import annotations

import math
from fractions import Fraction as F
from functools import partial
from itertools import product

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn import metrics

from mlm_helpers._core.counts import Counts
from mlm_helpers.hamming import hamming_loss
from mlm_helpers.label_based import (
    accuracy,
    balanced_accuracy,
    confusion,
    cost,
    kappa,
    matthews_correlation,
    negative_predictive_value,
    recall,
    specificity,
)
from mlm_helpers.thresholds import tune

NAN = math.nan
# Per label: ✓✓✗, ✓○, never, ✗✗, ○.
Y_TRUE = [[1, 1, 0, 0, 0], [1, 1, 0, 0, 0], [0, 0, 0, 0, 1], [0, 0, 0, 0, 0]]
Y_PRED = [[1, 1, 0, 0, 0], [1, 0, 0, 1, 0], [1, 0, 0, 0, 0], [0, 0, 0, 1, 0]]
WEIGHT = (1, 2, 3, 4)
COUNTS = {
    None: ([2, 1, 0, 0, 0], [1, 0, 0, 2, 0], [0, 1, 0, 0, 1], [1, 2, 4, 2, 3]),
    WEIGHT: ([3, 1, 0, 0, 0], [3, 0, 0, 6, 0], [0, 2, 0, 0, 3], [4, 7, 10, 4, 7]),
}
EMPTY, LOST = "neither true nor predicted", "0/0, but not both empty"
WORTH = {0.0: (0, 0), 1.0: (1, 1), NAN: (NAN, NAN), "agree": (1, 0)}  # of EMPTY and of LOST


@pytest.mark.parametrize("weight", COUNTS)
def test_confusion(weight):
    result = confusion(Y_TRUE, Y_PRED, sample_weight=weight)
    assert type(result) is Counts
    assert_array_equal(result, COUNTS[weight])
    assert {one.shape for one in result} == {(5,)}
    assert {one.dtype.kind for one in result} == {"i" if weight is None else "f"}
    pair = np.array(Y_TRUE), np.array(Y_PRED)
    theirs = metrics.multilabel_confusion_matrix(*pair, sample_weight=weight)
    assert_array_equal(np.transpose(result), theirs.reshape(5, 4)[:, [3, 1, 2, 0]])


# ---------------------------------------------------------------------------- the share of right cells


def test_accuracy_of_each_label_of_a_published_question():
    """pytorch/ignite, issue 513: of 7 samples 6, 6 and 5 are right."""
    y_true = [[1, 1, 0], [1, 0, 0], [0, 1, 1], [1, 1, 0], [0, 0, 0], [1, 0, 1], [0, 1, 0]]
    y_pred = [[1, 0, 0], [1, 0, 1], [0, 1, 1], [1, 1, 0], [0, 0, 0], [0, 0, 1], [0, 1, 1]]
    assert_allclose(accuracy(y_true, y_pred, average=None), [6 / 7, 6 / 7, 5 / 7], rtol=1e-15)
    assert accuracy(y_true, y_pred) == pytest.approx(17 / 21, rel=1e-15)


def test_mean_accuracy_is_1_minus_hamming_loss_where_every_cell_is_known():
    for cells in product((0, 1), repeat=8):
        y_true, y_pred = np.reshape(cells, (2, 2, 2))
        for average in ("macro", "micro"):
            assert accuracy(y_true, y_pred, average=average) == 1 - hamming_loss(y_true, y_pred)
    half_known = np.ma.MaskedArray([[1, 0], [1, 0], [1, 0]], [[0, 0], [0, 1], [0, 1]])
    said = [[0, 0], [1, 0], [1, 1]]  # 2 of 3 right, and the only known cell
    assert accuracy(half_known, said) == pytest.approx((2 / 3 + 1) / 2, rel=1e-15)
    micro = accuracy(half_known, said, average="micro")
    assert micro == 3 / 4 == 1 - hamming_loss(half_known, said)


def test_a_label_that_is_never_predicted_has_the_accuracy_of_its_negatives():
    rare, never = np.arange(20).reshape(-1, 1) == 0, np.zeros((20, 1))
    assert accuracy(rare, never) == 0.95
    assert recall(rare, never) == 0


# ---------------------------------------------------------------------------- the price of wrong cells


def test_cost_by_hand():
    """Of four samples the labels have 1, 0, 0, 2 and 0 false alarms, and 0, 1, 0, 0 and 1 misses."""
    price = partial(cost, Y_TRUE, Y_PRED, miss=10, false_alarm=2)
    assert_array_equal(price(average=None), [2 / 4, 10 / 4, 0, 4 / 4, 10 / 4])
    assert price() == (2 + 10 + 0 + 4 + 10) / 20
    weighted = [6 / 10, 20 / 10, 0, 12 / 10, 30 / 10]
    assert_allclose(price(average=None, sample_weight=WEIGHT), weighted, rtol=1e-15)
    each = {"miss": [9, 4, 9, 9, 1], "false_alarm": [3, 9, 9, 0, 9]}
    assert_array_equal(cost(Y_TRUE, Y_PRED, **each, average=None), [3 / 4, 4 / 4, 0, 0, 1 / 4])
    half_known = np.ma.MaskedArray(Y_TRUE, [[0] * 5] * 2 + [[1] * 5] * 2)
    known = cost(half_known, Y_PRED, miss=10, false_alarm=2, average=None)
    assert_array_equal(known, [0, 10 / 2, 0, 2 / 2, 0])


def test_prices_may_be_a_tensor_beside_labels_that_have_names():
    tensor = type("Tensor", (np.ndarray,), {"dtype": "torch.int64"})  # of no kind of NumPy's
    miss = np.array([9, 2, 9, 9, 5]).view(tensor)  # of the second label and of the last one each
    named = pd.DataFrame(Y_TRUE, columns=[*"abcde"])
    assert cost(named, Y_PRED, miss=miss, false_alarm=1) == (2 + 5 + 3) / 20


def test_the_cheapest_threshold_of_chances_is_the_share_of_a_false_alarm_in_both_prices():
    """Of ten samples with a score of p/10, p are true; of the scores that occur it is the next above."""
    score = np.repeat(np.arange(1, 10) / 10, 10)[:, None]
    truth = np.tile(np.arange(10), 9)[:, None] < (10 * score).round()
    two, prices = np.hstack([score, score]), {"miss": [5, 2], "false_alarm": [1, 8]}
    each = tune(partial(cost, **prices), np.hstack([truth, truth]), two, per_label=True)
    assert each.tolist() == [0.2, 0.9]  # above 1/6 and 8/10, where both answers cost the same


# ---------------------------------------------------------------------------- rates that read TN

RATES = (specificity, negative_predictive_value, balanced_accuracy, matthews_correlation, kappa)
# Columns: ✓ ○ TN ✗, all right, always yes on three positives and a negative, never true nor predicted.
RATE_TRUE = [[1, 1, 1, 0], [1, 0, 1, 0], [0, 1, 1, 0], [0, 0, 0, 0]]
RATE_SAID = [[1, 1, 1, 0], [0, 0, 1, 0], [0, 1, 1, 0], [1, 0, 1, 0]]
RATE_VALUES = {  # micro: ✓ 6, ✗ 2, ○ 1, TN 7
    specificity: ([F(1, 2), 1, 0, 1], F(7, 9)),
    negative_predictive_value: ([F(1, 2), 1, EMPTY, 1], F(7, 8)),
    balanced_accuracy: ([F(1, 2), 1, F(1, 2), EMPTY], F(6, 7) / 2 + F(7, 9) / 2),
    matthews_correlation: ([0, 1, LOST, EMPTY], 40 / math.sqrt(8 * 7 * 9 * 8)),
    kappa: ([0, 1, 0, EMPTY], F(2 * 40, 8 * 9 + 7 * 8)),
}


@pytest.mark.parametrize("zero_division", WORTH)
@pytest.mark.parametrize("metric", RATES)
def test_rates_by_hand(metric, zero_division):
    each, micro = RATE_VALUES[metric]
    empty, lost = WORTH[zero_division]
    is_wrong = metric is negative_predictive_value  # 0/0 beside a false alarm
    worth = {EMPTY: lost if is_wrong else empty, LOST: lost}
    values = [float(worth.get(value, value)) for value in each]
    found = partial(metric, RATE_TRUE, RATE_SAID, zero_division=zero_division)
    assert_allclose(found(average=None), values, rtol=1e-14)
    kept = [(v, s) for v, s in zip(values, (2, 2, 3, 0), strict=True) if v == v]
    assert found() == pytest.approx(sum(v for v, _ in kept) / len(kept), rel=1e-14)
    weighted = sum(v * s for v, s in kept) / sum(s for _, s in kept)
    assert found(average="weighted") == pytest.approx(weighted, rel=1e-14)
    assert found(average="micro") == pytest.approx(float(micro), rel=1e-14)


COLUMN = {  # scikit-learn's call for one column, and what it makes of 0/0; of the other rates: test_all_small.py
    balanced_accuracy: (metrics.balanced_accuracy_score, "the other rate"),
    matthews_correlation: (metrics.matthews_corrcoef, 0),
    kappa: (metrics.cohen_kappa_score, NAN),
}


@pytest.mark.filterwarnings("ignore")  # of 0/0 and of single classes
@pytest.mark.parametrize("metric", COLUMN)
def test_rates_equal_scikit_learns_for_each_column(metric):
    """On all columns of three weighted samples; where they are 0/0, as it has it."""
    theirs, undefined = COLUMN[metric]
    weight, columns = [1, 2, 3], np.array(list(product((0, 1), repeat=3))).T
    for truth in columns.T:
        table = np.repeat(truth[:, None], 8, axis=1)
        ours = metric(table, columns, average=None, zero_division=NAN, sample_weight=weight)
        for value, said in zip(ours, columns.T, strict=True):
            expected = theirs(truth, said, sample_weight=weight)
            if math.isnan(value) and undefined == "the other rate":
                right = np.average(truth == said, weights=weight)
                assert expected == pytest.approx(right)
            else:
                value = undefined if math.isnan(value) else value
                assert_allclose(value, expected, atol=1e-14)


@pytest.mark.parametrize("metric", RATES)
def test_rates_of_any_weights_have_a_value(metric):
    """From 1e-100 to 1e99 nothing vanishes into 0/0, overflows or leaves the range; perfect stays exactly 1."""
    rng = np.random.default_rng(0)
    for _ in range(50):
        weight = 10.0 ** rng.choice([-100, -60, -20, 0, 20, 99], size=8)
        truth, said = rng.integers(2, size=(2, 8, 3))
        truth[:2], said[:4] = [[0], [1]], [[0], [1], [0], [1]]
        weight[rng.integers(8)] = 1.0
        for average in ("micro", None):
            found = metric(truth, said, average=average, zero_division=NAN, sample_weight=weight)
            assert (np.abs(found) <= 1).all()
            assert np.all(metric(truth, truth, average=average, sample_weight=weight) == 1)
