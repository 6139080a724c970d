"""Counts, accuracy, cost and rates per label, by hand. test_all_small.py has averages and 0/0."""

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
EMPTY, WRONG = "0/0, no cell is wrong", "0/0, a cell is wrong"
VALUES_OF_0_OVER_0 = {0.0: (0, 0), 1.0: (1, 1), NAN: (NAN, NAN), "agree": (1, 0)}  # EMPTY, WRONG


@pytest.mark.parametrize("weight", COUNTS)
def test_confusion(weight):
    result = confusion(Y_TRUE, Y_PRED, sample_weight=weight)
    assert type(result) is Counts
    assert_array_equal(result, COUNTS[weight])
    assert {outcome.shape for outcome in result} == {(5,)}
    assert {outcome.dtype.kind for outcome in result} == {"i" if weight is None else "f"}
    data = np.array(Y_TRUE), np.array(Y_PRED)
    matrices = metrics.multilabel_confusion_matrix(*data, sample_weight=weight)
    tn, fp, fn, tp = matrices.reshape(5, 4).T
    assert_array_equal(result, [tp, fp, fn, tn])


# ------------------------------------------------------------------------- the share of right cells


def test_accuracy_of_each_label_of_a_published_question():
    """From issue 513 of pytorch/ignite: 6, 6 and 5 of the 7 samples are right."""
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
    y_pred = [[0, 0], [1, 0], [1, 1]]  # right in 2 of 3 cells, and in the only known one
    assert accuracy(half_known, y_pred) == pytest.approx((2 / 3 + 1) / 2, rel=1e-15)
    micro = accuracy(half_known, y_pred, average="micro")
    assert micro == 3 / 4 == 1 - hamming_loss(half_known, y_pred)


def test_a_label_that_is_never_predicted_has_the_accuracy_of_its_negatives():
    y_true, y_pred = np.arange(20).reshape(-1, 1) == 0, np.zeros((20, 1))
    assert accuracy(y_true, y_pred) == 0.95
    assert recall(y_true, y_pred) == 0


# ------------------------------------------------------------------------- the price of wrong cells


def test_cost_by_hand():
    """In four samples, labels have 1, 0, 0, 2 and 0 false alarms, and 0, 1, 0, 0 and 1 misses."""
    price = partial(cost, Y_TRUE, Y_PRED, miss=10, false_alarm=2)
    assert_array_equal(price(average=None), [2 / 4, 10 / 4, 0, 4 / 4, 10 / 4])
    assert price() == (2 + 10 + 0 + 4 + 10) / 20
    weighted = [6 / 10, 20 / 10, 0, 12 / 10, 30 / 10]
    assert_allclose(price(average=None, sample_weight=WEIGHT), weighted, rtol=1e-15)
    prices = {"miss": [9, 4, 9, 9, 1], "false_alarm": [3, 9, 9, 0, 9]}
    assert_array_equal(cost(Y_TRUE, Y_PRED, **prices, average=None), [3 / 4, 4 / 4, 0, 0, 1 / 4])
    half_known = np.ma.MaskedArray(Y_TRUE, [[0] * 5] * 2 + [[1] * 5] * 2)  # two samples of four
    costs = cost(half_known, Y_PRED, miss=10, false_alarm=2, average=None)
    assert_array_equal(costs, [0, 10 / 2, 0, 2 / 2, 0])


def test_prices_may_be_a_tensor_beside_labels_that_have_names():
    tensor = type("Tensor", (np.ndarray,), {"dtype": "torch.int64"})  # not a dtype of NumPy
    miss = np.array([9, 2, 9, 9, 5]).view(tensor)  # The second and the last label are missed once.
    frame = pd.DataFrame(Y_TRUE, columns=[*"abcde"])
    assert cost(frame, Y_PRED, miss=miss, false_alarm=1) == (2 + 5 + 3) / 20


def test_the_cheapest_threshold_of_chances_is_the_share_of_a_false_alarm_in_both_prices():
    """Of ten samples with score p/10, p have the label. `tune` returns a score that occurs."""
    score = np.repeat(np.arange(1, 10) / 10, 10)[:, None]
    truth = np.tile(np.arange(10), 9)[:, None] < (10 * score).round()
    y_true, y_score = np.hstack([truth, truth]), np.hstack([score, score])
    prices = {"miss": [5, 2], "false_alarm": [1, 8]}
    thresholds = tune(partial(cost, **prices), y_true, y_score, per_label=True)
    assert thresholds.tolist() == [0.2, 0.9]  # above 1/6 and 8/10, where both answers cost the same


# ---------------------------------------------------------------------------- rates that read TN

RATES = (specificity, negative_predictive_value, balanced_accuracy, matthews_correlation, kappa)
# Labels: ✓ ○ TN ✗; all right; three positives and a negative, all predicted; neither true nor
# predicted.
RATE_TRUE = [[1, 1, 1, 0], [1, 0, 1, 0], [0, 1, 1, 0], [0, 0, 0, 0]]
RATE_PRED = [[1, 1, 1, 0], [0, 0, 1, 0], [0, 1, 1, 0], [1, 0, 1, 0]]
RATE_VALUES = {  # micro: ✓ 6, ✗ 2, ○ 1, TN 7
    specificity: ([F(1, 2), 1, 0, 1], F(7, 9)),
    negative_predictive_value: ([F(1, 2), 1, WRONG, 1], F(7, 8)),
    balanced_accuracy: ([F(1, 2), 1, F(1, 2), EMPTY], F(6, 7) / 2 + F(7, 9) / 2),
    matthews_correlation: ([0, 1, WRONG, EMPTY], 40 / math.sqrt(8 * 7 * 9 * 8)),
    kappa: ([0, 1, 0, EMPTY], F(2 * 40, 8 * 9 + 7 * 8)),
}


@pytest.mark.parametrize("zero_division", VALUES_OF_0_OVER_0)
@pytest.mark.parametrize("metric", RATES)
def test_rates_by_hand(metric, zero_division):
    label_values, micro = RATE_VALUES[metric]
    value_of = dict(zip((EMPTY, WRONG), VALUES_OF_0_OVER_0[zero_division], strict=True))
    values = [float(value_of.get(value, value)) for value in label_values]
    rate = partial(metric, RATE_TRUE, RATE_PRED, zero_division=zero_division)
    assert_allclose(rate(average=None), values, rtol=1e-14)
    supports = 2, 2, 3, 0
    defined = [(v, s) for v, s in zip(values, supports, strict=True) if not math.isnan(v)]
    assert rate() == pytest.approx(sum(v for v, _ in defined) / len(defined), rel=1e-14)
    weighted = sum(v * s for v, s in defined) / sum(s for _, s in defined)
    assert rate(average="weighted") == pytest.approx(weighted, rel=1e-14)
    assert rate(average="micro") == pytest.approx(float(micro), rel=1e-14)


COLUMN_METRICS = {  # scikit-learn's function of one column, and its value of 0/0
    balanced_accuracy: (metrics.balanced_accuracy_score, "the other rate"),
    matthews_correlation: (metrics.matthews_corrcoef, 0),
    kappa: (metrics.cohen_kappa_score, NAN),
}


@pytest.mark.filterwarnings("ignore")  # about 0/0 and single classes
@pytest.mark.parametrize("metric", COLUMN_METRICS)
def test_rates_equal_scikit_learns_for_each_column(metric):
    """On all columns of three weighted samples. test_all_small.py compares the other rates."""
    column_metric, undefined = COLUMN_METRICS[metric]
    weight, columns = [1, 2, 3], np.array(list(product((0, 1), repeat=3))).T
    for truth in columns.T:
        y_true = np.repeat(truth[:, None], 8, axis=1)
        values = metric(y_true, columns, average=None, zero_division=NAN, sample_weight=weight)
        for value, prediction in zip(values, columns.T, strict=True):
            expected = column_metric(truth, prediction, sample_weight=weight)
            if math.isnan(value) and undefined == "the other rate":
                accuracy_of_column = np.average(truth == prediction, weights=weight)
                assert expected == pytest.approx(accuracy_of_column)
            else:
                ours = undefined if math.isnan(value) else value
                assert_allclose(ours, expected, atol=1e-14)


@pytest.mark.parametrize("metric", RATES)
def test_rates_of_any_weights_have_a_value(metric):
    """Weights from 1e-100 to 1e99 cause no 0/0 and no overflow; the best value is exactly 1."""
    rng = np.random.default_rng(0)
    for _ in range(50):
        weight = 10.0 ** rng.choice([-100, -60, -20, 0, 20, 99], size=8)
        y_true, y_pred = rng.integers(2, size=(2, 8, 3))
        y_true[:2] = [[0], [1]]  # Truth and prediction of each label have both values.
        y_pred[:4] = [[0], [1], [0], [1]]
        weight[rng.integers(8)] = 1.0  # The sum must not be tiny.
        for average in ("micro", None):
            options = {"average": average, "sample_weight": weight}
            values = metric(y_true, y_pred, zero_division=NAN, **options)
            assert (np.abs(values) <= 1).all()
            assert np.all(metric(y_true, y_true, **options) == 1)
