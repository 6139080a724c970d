"""Curve metrics: numbers of tools, arithmetic by hand, scikit-learn, transposed rankings."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn import metrics

from mlm_helpers.curves import average_precision, precision_recall, roc, roc_auc

NAN = math.nan
F = Fraction


def close(value):
    return pytest.approx(float(value), rel=1e-14, abs=0, nan_ok=True)


# ---------------------------------------------------------------------------- what tools print

LABELS = {  # truth and scores of one label
    "T1": ([1, 0], [0.5, 0.5]),
    "T1r": ([0, 1], [0.5, 0.5]),
    "T2": ([0, 1, 1, 0], [0.9, 0.5, 0.5, 0.5]),
    "I1": ([0, 1, 1], [0.9, 0.8, 0.7]),
    "I2": ([1, 0, 1], [0.9, 0.8, 0.7]),
}
RULES = {  # tie rule and interpolation: the average precision of each label
    # scikit-learn, torchmetrics, torcheval, MEKA's AUPRC, MULAN's MacroAUCPR
    ("max", None): [F(1, 2), F(1, 2), F(1, 2), F(7, 12), F(5, 6)],
    # ML-GCN, mmpretrain, MULAN's MeanAveragePrecision
    ("first", None): [1, F(1, 2), (F(1, 2) + F(2, 3)) / 2, F(7, 12), F(5, 6)],
    # ASL: in T2 the last sample, a negative, is second, and the positives are third and fourth
    ("last", None): [F(1, 2), 1, (F(1, 3) + F(2, 4)) / 2, F(7, 12), F(5, 6)],
    # Query2Label; VOC 2007 and pycocotools: 6 of 11 levels, 51 of 101, are up to 1/2
    ("first", "all"): [1, F(1, 2), F(2, 3), F(2, 3), F(5, 6)],
    ("first", 11): [1, F(1, 2), F(2, 3), F(2, 3), (6 + 5 * F(2, 3)) / 11],
    ("first", 101): [1, F(1, 2), F(2, 3), F(2, 3), (51 + 50 * F(2, 3)) / 101],
    # In T2 the tied positives share rank 2 under "min", where 1 of 2 is positive (1.5 of 3 under
    # "average").
    ("min", None): [1, 1, F(1, 2), F(7, 12), F(5, 6)],
    ("average", None): [F(2, 3), F(2, 3), F(3, 2) / 3, F(7, 12), F(5, 6)],
}


@pytest.mark.parametrize("rule", RULES, ids=str)
def test_every_rule_on_every_label(rule):
    ties, interpolation = rule
    for (truth, score), value in zip(LABELS.values(), RULES[rule], strict=True):
        column = [[t] for t in truth], [[s] for s in score]
        result = average_precision(*column, ties=ties, interpolation=interpolation)
        assert type(result) is float
        assert result == close(value)


def test_auroc_of_the_same_labels():
    """A tied pair counts half: of T2's four pairs two are in the wrong order, and two are tied."""
    values = [F(1, 2), F(1, 2), F(1, 4), 0, F(1, 2)]
    for (truth, score), value in zip(LABELS.values(), values, strict=True):
        assert roc_auc([[t] for t in truth], [[s] for s in score]) == close(value)


WITH_ABSENT_LABEL = [[1, 0], [0, 0], [1, 0]], [[0.9, 0.2], [0.8, 0.6], [0.7, 0.1]]


@pytest.mark.parametrize(
    ("options", "value"),
    [
        ({}, F(5, 12)),  # The absent label counts 0 in scikit-learn, torchmetrics and ASL,
        ({"undefined": NAN}, F(5, 6)),  # is left out in MULAN's MAP
        ({"undefined": NAN, "interpolation": 101}, F(253, 303)),  # and in pycocotools,
        ({"average": "weighted"}, F(5, 6)),  # and weighs 0 here, as in scikit-learn.
    ],
    ids=str,
)
def test_a_label_without_positives(options, value):
    assert average_precision(*WITH_ABSENT_LABEL, **options) == close(value)


def test_auroc_of_a_label_without_positives():
    assert_array_equal(roc_auc(*WITH_ABSENT_LABEL, average=None), [1 / 2, NAN])
    assert roc_auc(*WITH_ABSENT_LABEL) == 1 / 2
    assert roc_auc(*WITH_ABSENT_LABEL, undefined=0.0) == 1 / 4  # torchmetrics, keras
    assert roc_auc(*WITH_ABSENT_LABEL, average="weighted") == 1 / 2  # scikit-learn


# ---------------------------------------------------------------------------- weights, by hand


@pytest.mark.parametrize(
    ("ties", "value"),
    [("max", F(2, 3)), ("min", 1), ("average", F(4, 5)), ("first", 1), ("last", F(2, 3))],
)
def test_a_positive_of_weight_2_tied_with_a_negative_of_weight_1(ties, value):
    """Its rank has its weight 2, and none, half or all of the negative's: 2 of 2, 2.5 or 3."""
    column = [[1], [0]], [[0.5], [0.5]]
    assert average_precision(*column, ties=ties, sample_weight=[2, 1]) == close(value)
    assert roc_auc(*column, sample_weight=[2, 1]) == 1 / 2


@pytest.mark.parametrize(
    ("ties", "interpolation", "value"),
    [
        ("max", None, F(4, 5)),  # both: 4 of 5
        ("min", None, (1 * F(1, 2) + 3 * F(3, 4)) / 4),  # 1 of 2, and 3 of 4
        ("min", "all", F(3, 4)),
        ("average", None, (1 * F(5, 7) + 3 * F(7, 9)) / 4),  # 2.5 of 3.5, and 3.5 of 4.5
        ("average", "all", F(7, 9)),
        ("first", None, (1 * F(1, 2) + 3 * F(4, 5)) / 4),
        ("last", None, (3 * F(3, 4) + 1 * F(4, 5)) / 4),
    ],
)
def test_tied_positives_of_weights_1_and_3_below_a_negative(ties, interpolation, value):
    options = {"ties": ties, "interpolation": interpolation, "sample_weight": [1, 3, 1]}
    assert average_precision([[1], [1], [0]], [[0.2], [0.2], [0.9]], **options) == close(value)


def test_levels_of_recall():
    """Two of three positives lead: 7 of 11 levels, or 67 of 101, are up to 2/3; others read 3/4."""
    data = [[1], [1], [0], [1]], [[4], [3], [2], [1]]
    assert average_precision(*data, interpolation=11) == close((7 + 4 * F(3, 4)) / 11)
    assert average_precision(*data, interpolation=101) == close((67 + 34 * F(3, 4)) / 101)


def test_rounded_weights_reach_every_level():
    """Each of ten positives reaches a level more; a negative of double weight follows the third."""
    truth, score = [[1]] * 3 + [[0]] + [[1]] * 7, [[-i] for i in range(11)]
    expected = (4 * 1 + 7 * F(10, 12)) / 11  # 1 up to recall 0.3, then the precision of the last
    for weight in (0.1, 0.3, 1e9 / 7):
        weights = [weight] * 3 + [2 * weight] + [weight] * 7
        value = average_precision(truth, score, interpolation=11, sample_weight=weights)
        assert value == pytest.approx(float(expected), rel=1e-12)


@pytest.mark.parametrize("levels", [11, 101])
def test_a_recall_of_1_is_reached_at_the_last_positive_however_little_it_weighs(levels):
    """The first positive reaches all levels but 1; the last one has a precision of 1/2."""
    options = {"sample_weight": [1, 1, 1e-13], "interpolation": levels}
    value = average_precision([[1], [0], [1]], [[3], [2], [1]], **options)
    assert value == pytest.approx((levels - 1 + 1 / 2) / levels)


# ---------------------------------------------------------------------------- scikit-learn


def test_points_of_scikit_learn():
    """For rare and common labels with many ties, each with positives and negatives."""
    rng = np.random.default_rng(0)
    y_true = (rng.random((60, 7)) < np.linspace(0.05, 0.9, 7)).astype(int)
    y_true[0], y_true[1] = 1, 0
    y_score = np.round(rng.random(y_true.shape) + 0.3 * y_true, 1)
    for truth, score in zip(y_true.T, y_score.T, strict=True):
        precision, recall, thresholds = metrics.precision_recall_curve(truth, score)
        points = precision_recall(truth, score)
        assert_allclose(points.precision[::-1], precision[:-1], rtol=1e-15)
        assert_allclose(points.recall[::-1], recall[:-1], rtol=1e-15)
        assert_array_equal(points.thresholds[::-1], thresholds)
        false, true, thresholds = metrics.roc_curve(truth, score, drop_intermediate=False)
        rates = roc(truth, score)
        assert_allclose(rates.false_positive_rate, false[1:], rtol=1e-15)
        assert_allclose(rates.true_positive_rate, true[1:], rtol=1e-15)
        assert_array_equal(rates.thresholds, thresholds[1:])


def test_points_of_a_label_that_is_never_or_always_there():
    assert_array_equal(precision_recall([0, 0], [0.2, 0.1]).recall, [NAN, NAN])
    assert_array_equal(precision_recall([0, 0], [0.2, 0.1]).precision, [0, 0])
    assert_array_equal(roc([0, 0], [0.2, 0.1]).true_positive_rate, [NAN, NAN])
    assert_array_equal(roc([1, 1], [0.2, 0.1]).false_positive_rate, [NAN, NAN])


@pytest.mark.parametrize("curve", [precision_recall, roc])
def test_a_column_in_any_container(curve):
    truth, score = [1, 0, 1], [3, 1, 2]
    expected = curve(truth, score)
    for kind in (np.array, pd.Series, lambda cells: sparse.csr_array(np.reshape(cells, (-1, 1)))):
        for result, points in zip(curve(kind(truth), kind(score)), expected, strict=True):
            assert_array_equal(result, points)


def test_first_and_last_break_ties_by_input_order():
    """All are tied, and the i-th of five is the only positive: it is i-th, or i-th from the end."""
    place = np.arange(1, 6)
    expected = {"first": 1 / place, "last": 1 / place[::-1], "max": [1 / 5] * 5}
    for ties, values in expected.items():
        result = average_precision(np.eye(5), np.zeros((5, 5)), average=None, ties=ties)
        assert_allclose(result, values, rtol=1e-15)
