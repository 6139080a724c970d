"""Curve metrics: tools' numbers, hand arithmetic, scikit-learn, and the ranking metrics turned sideways."""

from __future__ import annotations

import math
import tracemalloc
import warnings
from fractions import Fraction
from functools import partial

import numpy as np
import pandas as pd
import pytest
from drawing import CHOICES, few, many, rankings, same
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn import metrics

from mlm_helpers import blocks, inputs, ranking
from mlm_helpers.curves import average_precision, precision_recall, roc, roc_auc

NAN = math.nan
F = Fraction
AVERAGES = ("macro", "micro", "weighted", None)


def close(value):
    return pytest.approx(float(value), rel=1e-14, abs=0, nan_ok=True)


# ---------------------------------------------------------------------------- what tools print

LABELS = {  # one label each: truth and scores
    "T1": ([1, 0], [0.5, 0.5]),
    "T1r": ([0, 1], [0.5, 0.5]),
    "T2": ([0, 1, 1, 0], [0.9, 0.5, 0.5, 0.5]),
    "I1": ([0, 1, 1], [0.9, 0.8, 0.7]),
    "I2": ([1, 0, 1], [0.9, 0.8, 0.7]),
}
RULES = {  # in the order of the labels
    # scikit-learn, torchmetrics, torcheval, MEKA's AUPRC, MULAN's MacroAUCPR
    ("worst", None): [F(1, 2), F(1, 2), F(1, 2), F(7, 12), F(5, 6)],
    # ML-GCN, mmpretrain, MULAN's MeanAveragePrecision
    ("first", None): [1, F(1, 2), (F(1, 2) + F(2, 3)) / 2, F(7, 12), F(5, 6)],
    # ASL: in T2 the last sample, a negative, comes second, and the positives third and fourth
    ("last", None): [F(1, 2), 1, (F(1, 3) + F(2, 4)) / 2, F(7, 12), F(5, 6)],
    # Query2Label; VOC 2007 and pycocotools: 6 of 11 levels, 51 of 101, are up to 1/2
    ("first", "all"): [1, F(1, 2), F(2, 3), F(2, 3), F(5, 6)],
    ("first", 11): [1, F(1, 2), F(2, 3), F(2, 3), (6 + 5 * F(2, 3)) / 11],
    ("first", 101): [1, F(1, 2), F(2, 3), F(2, 3), (51 + 50 * F(2, 3)) / 101],
    # tied positives share a place: 1 of 1; 2 of 3 in T2 (1.5 positives of 3 under "average")
    ("best", None): [1, 1, F(1, 2), F(7, 12), F(5, 6)],
    ("average", None): [F(2, 3), F(2, 3), F(3, 2) / 3, F(7, 12), F(5, 6)],
}


@pytest.mark.parametrize("rule", RULES, ids=str)
def test_every_rule_on_every_label(rule):
    ties, interpolation = rule
    for (truth, score), value in zip(LABELS.values(), RULES[rule], strict=True):
        data = [[t] for t in truth], [[s] for s in score]
        result = average_precision(*data, ties=ties, interpolation=interpolation)
        assert type(result) is float
        assert result == close(value)


def test_auroc_of_the_same_labels():
    """A tie is half a pair: of T2's four pairs two are lost, two tied."""
    values = [F(1, 2), F(1, 2), F(1, 4), 0, F(1, 2)]
    for (truth, score), value in zip(LABELS.values(), values, strict=True):
        assert roc_auc([[t] for t in truth], [[s] for s in score]) == close(value)


N1 = [[1, 0], [0, 0], [1, 0]], [[0.9, 0.2], [0.8, 0.6], [0.7, 0.1]]
S1 = [[0, 0], [1, 1], [1, 0]], [[0.9, 0.2], [0.8, 0.6], [0.3, 0.7]]


@pytest.mark.parametrize(
    ("options", "value"),
    [
        ({}, F(5, 12)),  # the absent label counts 0: scikit-learn, torchmetrics, ASL
        ({"undefined": NAN}, F(5, 6)),  # is left out: MULAN's MAP
        ({"undefined": NAN, "interpolation": 101}, F(253, 303)),  # pycocotools
        ({"average": "weighted"}, F(5, 6)),  # weighs 0: scikit-learn
    ],
    ids=str,
)
def test_a_label_without_positives(options, value):
    assert average_precision(*N1, **options) == close(value)


def test_auroc_of_a_label_without_positives():
    assert_array_equal(roc_auc(*N1, average=None), [1 / 2, NAN])
    assert roc_auc(*N1) == 1 / 2
    assert roc_auc(*N1, undefined=0.0) == 1 / 4  # torchmetrics, keras
    assert roc_auc(*N1, average="weighted") == 1 / 2  # scikit-learn
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert math.isnan(metrics.roc_auc_score(*N1))  # what we do not: a label is left out


@pytest.mark.parametrize(
    ("metric", "values"),
    [
        # labels: positives second and third of three, 7/12; second of three, 1/2
        (average_precision, {"macro": F(13, 24), "micro": F(8, 15), "weighted": F(5, 9)}),
        # no pair of 2, one of 2; in one list of six 4 of 9
        (roc_auc, {"macro": F(1, 4), "micro": F(4, 9), "weighted": F(1, 6)}),
    ],
)
def test_data_that_tell_the_averages_apart(metric, values):
    for average, value in values.items():
        assert metric(*S1, average=average) == close(value)


# ---------------------------------------------------------------------------- weights, by hand


@pytest.mark.parametrize(
    ("ties", "value"),
    [("worst", F(2, 3)), ("best", 1), ("average", F(4, 5)), ("first", 1), ("last", F(2, 3))],
)
def test_a_positive_of_weight_2_tied_with_a_negative_of_weight_1(ties, value):
    """All of its own weight, and none, half or all of the other's: 2 of 2, of 2.5 or of 3."""
    data = [[1], [0]], [[0.5], [0.5]]
    assert average_precision(*data, ties=ties, sample_weight=[2, 1]) == close(value)
    assert roc_auc(*data, sample_weight=[2, 1]) == 1 / 2


@pytest.mark.parametrize(
    ("ties", "interpolation", "value"),
    [
        ("worst", None, F(4, 5)),  # both: 4 of 5
        ("best", None, (1 * F(1, 2) + 3 * F(3, 4)) / 4),  # 1 of 2, and 3 of 4
        ("best", "all", F(3, 4)),
        ("best", 11, F(3, 4)),
        ("average", None, (1 * F(5, 7) + 3 * F(7, 9)) / 4),  # 2.5 of 3.5, and 3.5 of 4.5
        ("average", "all", F(7, 9)),
        ("first", None, (1 * F(1, 2) + 3 * F(4, 5)) / 4),
        ("last", None, (3 * F(3, 4) + 1 * F(4, 5)) / 4),
    ],
)
def test_tied_positives_of_weights_1_and_3_below_a_negative(ties, interpolation, value):
    options = {"ties": ties, "interpolation": interpolation, "sample_weight": [1, 3, 1]}
    assert average_precision([[1], [1], [0]], [[0.2], [0.2], [0.9]], **options) == close(value)


def test_auroc_weighs_pairs():
    """Positives 1 and 2, negatives 3 and 4: won are 1 · 3 and 1 · 4, tied is 2 · 4, lost is 2 · 3."""
    data = [[1], [0], [1], [0]], [[0.9], [0.8], [0.7], [0.7]]
    assert roc_auc(*data, sample_weight=[1, 3, 2, 4]) == close(F(3 + 4 + 4, 21))


@pytest.mark.parametrize("ties", inputs.TIES)
@pytest.mark.parametrize("metric", [average_precision, roc_auc])
def test_what_weighs_nothing_is_not_there(metric, ties):
    """Neither a first positive nor a first negative, nor tied ones."""
    options = {"ties": ties} if metric is average_precision else {}
    truth, score = np.array([[1, 0, 1, 0, 1, 0]]).T, np.array([[9, 8, 5, 5, 2, 1]]).T
    for drop in ([0], [1], [0, 1], [2], [3], [0, 2, 4], [1, 3, 5]):
        weight = np.array([1.0, 2, 3, 4, 5, 6])
        weight[drop] = 0
        kept = weight > 0
        value = metric(truth, score, sample_weight=weight, **options)
        assert same(value, metric(truth[kept], score[kept], sample_weight=weight[kept], **options))


@pytest.mark.parametrize("average", AVERAGES)
@pytest.mark.parametrize("metric", [average_precision, roc_auc])
def test_equal_weights_change_no_digit(metric, average):
    y_true, y_score = data(3)
    value = metric(y_true, y_score, average=average)
    for weight in (0.1, 1 / 3, 7e-9):
        weights = [weight] * len(y_true)
        assert_array_equal(metric(y_true, y_score, average=average, sample_weight=weights), value)


def test_levels_of_recall():
    """Two of three positives lead: 7 of 11 levels are up to 2/3, and 67 of 101; the others read 3/4."""
    data = [[1], [1], [0], [1]], [[4], [3], [2], [1]]
    assert average_precision(*data, interpolation=11) == close((7 + 4 * F(3, 4)) / 11)
    assert average_precision(*data, interpolation=101) == close((67 + 34 * F(3, 4)) / 101)


@pytest.mark.parametrize("weight", [0.1, 0.3, 1e9 / 7])
def test_rounded_weights_reach_every_level(weight):
    """Ten positives reach a level each; a negative of another weight comes after the third."""
    truth, score = [[1]] * 3 + [[0]] + [[1]] * 7, [[-i] for i in range(11)]
    weights = [weight] * 3 + [2 * weight] + [weight] * 7
    expected = (4 * 1 + 7 * F(10, 12)) / 11  # recall 0, .1, .2 and .3; then 10 of 12 come last
    value = average_precision(truth, score, interpolation=11, sample_weight=weights)
    assert value == pytest.approx(float(expected), rel=1e-12)


# ---------------------------------------------------------------------------- scikit-learn


def data(seed, n_samples=60, n_labels=7):
    """Rare and common labels, many ties; none without positives or negatives."""
    rng = np.random.default_rng(seed)
    y_true = (rng.random((n_samples, n_labels)) < np.linspace(0.05, 0.9, n_labels)).astype(int)
    y_true[0], y_true[1] = 1, 0
    return y_true, np.round(rng.random(y_true.shape) + 0.3 * y_true, seed % 3 + 1)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("average", AVERAGES)
@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (average_precision, metrics.average_precision_score),
        (roc_auc, metrics.roc_auc_score),
    ],
)
def test_scikit_learn_agrees(ours, theirs, average, seed):
    y_true, y_score = data(seed)
    for weight in (None, np.random.default_rng(seed).random(len(y_true)), np.arange(60) % 3):
        options = {"average": average, "sample_weight": weight}
        expected = theirs(y_true, y_score, **options)
        for truth in (y_true, sparse.csr_array(y_true)):
            assert_allclose(ours(truth, y_score, **options), expected, rtol=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_points_of_scikit_learn(seed):
    y_true, y_score = data(seed)
    for truth, score in zip(y_true.T, y_score.T, strict=True):
        precision, recall, thresholds = metrics.precision_recall_curve(truth, score)
        points = precision_recall(truth, score)
        assert_allclose(points.precision[::-1], precision[:-1], rtol=1e-15)
        assert_allclose(points.recall[::-1], recall[:-1], rtol=1e-15)
        assert_array_equal(points.thresholds[::-1], thresholds)
        assert (precision[-1], recall[-1]) == (1, 0)  # the point that we do not make up

        false, true, thresholds = metrics.roc_curve(truth, score, drop_intermediate=False)
        rates = roc(truth, score)
        assert_allclose(rates.false_positive_rate, false[1:], rtol=1e-15)
        assert_allclose(rates.true_positive_rate, true[1:], rtol=1e-15)
        assert_array_equal(rates.thresholds, thresholds[1:])
        assert (false[0], true[0]) == (0, 0)


@pytest.mark.parametrize("seed", range(3))
def test_areas_under_the_points(seed):
    y_true, y_score = data(seed)
    for j, (truth, score) in enumerate(zip(y_true.T, y_score.T, strict=True)):
        points, rates = precision_recall(truth, score), roc(truth, score)
        steps = np.diff(points.recall, prepend=0) * points.precision
        assert average_precision(y_true, y_score, average=None)[j] == close(steps.sum())
        curve = (np.concatenate([[0], rate]) for rate in rates[:2])
        assert roc_auc(y_true, y_score, average=None)[j] == close(metrics.auc(*curve))


def test_points_by_hand():
    """At .5 two more are found, of which one is right."""
    truth, score = [1, 0, 1, 0, 0], [0.9, 0.5, 0.5, 0.7, 0.1]
    points = precision_recall(truth, score)
    assert_array_equal(points.thresholds, [0.9, 0.7, 0.5, 0.1])
    assert_array_equal(points.precision, [1, 1 / 2, 2 / 4, 2 / 5])
    assert_array_equal(points.recall, [1 / 2, 1 / 2, 1, 1])
    rates = roc(truth, score)
    assert_array_equal(rates.false_positive_rate, [0, 1 / 3, 2 / 3, 1])
    assert_array_equal(rates.true_positive_rate, points.recall)


def test_points_of_a_label_that_is_never_or_always_there():
    assert_array_equal(precision_recall([0, 0], [0.2, 0.1]).recall, [NAN, NAN])
    assert_array_equal(precision_recall([0, 0], [0.2, 0.1]).precision, [0, 0])
    assert_array_equal(roc([0, 0], [0.2, 0.1]).true_positive_rate, [NAN, NAN])
    assert_array_equal(roc([1, 1], [0.2, 0.1]).false_positive_rate, [NAN, NAN])
    assert_array_equal(roc([1, 1], [0.2, 0.1]).true_positive_rate, [1 / 2, 1])


@pytest.mark.parametrize("curve", [precision_recall, roc])
@pytest.mark.parametrize(
    "column",
    [
        tuple,
        np.array,
        pd.Series,
        lambda cells: [[cell] for cell in cells],
        lambda cells: np.reshape(cells, (-1, 1)),
        lambda cells: pd.DataFrame({"sea": cells}),
        lambda cells: sparse.csr_array(np.reshape(cells, (-1, 1))),
    ],
)
def test_a_column_in_any_container(curve, column):
    truth, score = [1, 0, 1], [3, 1, 2]
    for ours, expected in zip(
        curve(column(truth), column(score)), curve(truth, score), strict=True
    ):
        assert_array_equal(ours, expected)


# ---------------------------------------------------------------------------- turned sideways


@many
@given(problem=rankings(), ties=CHOICES["ties"], undefined=CHOICES["undefined"])
def test_a_curve_metric_is_a_ranking_metric_of_the_transposed_matrix(problem, ties, undefined):
    y_true, y_score = (np.array(matrix) for matrix in problem[:2])
    sideways = y_true.T, y_score.T
    options = {"undefined": undefined, "per_sample": True}
    values = average_precision(y_true, y_score, average=None, ties=ties, undefined=undefined)
    assert same(values, ranking.average_precision(*sideways, ties=ties, **options))
    loss = ranking.ranking_loss(*sideways, ties="average", **options | {"undefined": NAN})
    assert same(roc_auc(y_true, y_score, average=None), 1 - loss)


@many
@given(problem=rankings(), interpolation=st.sampled_from([None, "all", 11, 101]))
def test_micro_is_one_label_of_all_cells(problem, interpolation):
    y_true, y_score, weights = problem
    cells = np.reshape(y_true, (-1, 1)), np.reshape(y_score, (-1, 1))
    weight = np.repeat(weights, len(y_true[0]))
    for ties in inputs.TIES:
        metric = partial(average_precision, ties=ties, interpolation=interpolation)
        value = metric(y_true, y_score, average="micro", sample_weight=weights)
        assert same(value, metric(*cells, sample_weight=weight))
        assert same(metric(y_true, y_score, average="micro"), metric(*cells))
    value = roc_auc(y_true, y_score, average="micro", sample_weight=weights)
    assert same(value, roc_auc(*cells, sample_weight=weight))


@many
@given(problem=rankings(), ties=CHOICES["ties"])
def test_interpolation_never_lowers(problem, ties):
    y_true, y_score, weights = problem
    options = {"ties": ties, "average": None, "sample_weight": weights}
    steps = average_precision(y_true, y_score, **options)
    assert (
        average_precision(y_true, y_score, interpolation="all", **options) >= steps - 1e-12
    ).all()


@few
@given(problem=rankings(tied=False))
def test_turned_around_auroc_is_what_is_left_of_1(problem):
    y_true, y_score, weights = problem
    value = roc_auc(y_true, y_score, average=None, sample_weight=weights)
    turned = roc_auc(y_true, -np.array(y_score), average=None, sample_weight=weights)
    assert same(value + turned, np.where(np.isnan(value), NAN, 1.0))


@pytest.mark.parametrize("ties", inputs.TIES)
def test_in_line_is_the_order_of_input(ties):
    """All tied, the i-th of five is the only positive: it stands i-th, or i-th from the end."""
    truth, score = np.eye(5), np.zeros((5, 5))
    place = np.arange(1, 6)
    expected = {
        "first": 1 / place,
        "last": 1 / place[::-1],
        "worst": 1 / 5,
        "best": 1,
        "average": 1 / 3,
    }
    values = average_precision(truth, score, average=None, ties=ties)
    assert_allclose(values, np.broadcast_to(expected[ties], 5), rtol=1e-15)


# ---------------------------------------------------------------------------- corners


def test_corners():
    one = [[1]], [[0.3]]
    assert (average_precision(*one), average_precision([[0]], [[0.3]])) == (1, 0)
    assert math.isnan(roc_auc(*one)) and math.isnan(roc_auc([[0]], [[0.3]]))
    assert roc_auc(*one, undefined=-3) == -3
    everything = [[1, 1], [1, 1]], [[0.3, 0.1], [0.2, 0.4]]
    assert average_precision(*everything) == average_precision(*everything, average="micro") == 1
    assert math.isnan(roc_auc(*everything, average="weighted"))
    constant = [[1, 0], [0, 0], [1, 1]], np.full((3, 2), 0.5)
    assert_array_equal(average_precision(*constant, average=None), [2 / 3, 1 / 3])  # the prevalence
    assert_array_equal(roc_auc(*constant, average=None), [1 / 2, 1 / 2])
    nothing = [[0, 0], [0, 0]], [[0.3, 0.1], [0.2, 0.4]]
    assert average_precision(*nothing, average="weighted", undefined=0.25) == 0.25
    assert math.isnan(average_precision(*nothing, undefined=NAN))


@pytest.mark.parametrize("interpolation", inputs.INTERPOLATIONS)
@pytest.mark.parametrize("ties", inputs.TIES)
def test_perfect_is_exactly_1(ties, interpolation):
    rng = np.random.default_rng(1)
    y_true, y_score = data(1, 200)
    weight, better = rng.random(200), y_score + 5 * y_true
    for average in AVERAGES[:3]:
        for weights in (None, weight):
            options = {"average": average, "sample_weight": weights}
            rules = {"ties": ties, "interpolation": interpolation}
            assert average_precision(y_true, better, **options, **rules) == 1.0
            assert roc_auc(y_true, better, **options) == 1.0


@pytest.mark.parametrize("kind", ["i1", "u2", "i8", "f2", "f4", "g", ">f8"])
@pytest.mark.parametrize("average", AVERAGES)
def test_every_kind_of_score_and_layout(kind, average):
    y_true, y_score = data(0)
    y_score = np.round(10 * y_score)
    weight = np.random.default_rng(0).random(len(y_true))
    for ties in inputs.TIES:
        for weights in (None, weight):
            metric = partial(average_precision, average=average, ties=ties, sample_weight=weights)
            for layout in (np.asfortranarray, lambda m: np.repeat(m, 2, axis=1)[:, ::2]):
                again = metric(layout(y_true), layout(y_score.astype(kind)))
                # what is tied may be weighed in another order
                assert_allclose(again, metric(y_true, y_score), rtol=1e-14)


@pytest.mark.parametrize("block", [1, 10, 64])
def test_blocks_change_nothing(block, monkeypatch):
    y_true, y_score = data(2)
    weight = np.random.default_rng(0).random(len(y_true))
    calls = [
        partial(metric, y_true, y_score, average=average, sample_weight=weight)
        for metric in (average_precision, roc_auc)
        for average in AVERAGES
    ]
    whole = [call() for call in calls]
    monkeypatch.setattr(blocks, "CELLS", block)
    for call, value in zip(calls, whole, strict=True):
        assert_allclose(call(), value, rtol=1e-13)


# ---------------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"ties": "middle"}, "ties is 'middle': choose one of 'worst', 'best', 'average', 'first',"
                             " 'last'"),
        ({"interpolation": 10}, "interpolation is 10: choose one of None, 'all', 11, 101"),
        ({"interpolation": "11"}, "interpolation is '11': choose one of None, 'all', 11, 101"),
        ({"interpolation": True}, "interpolation is True: choose one of None, 'all', 11, 101"),
        ({"average": "samples"}, "average is 'samples': choose one of 'macro', 'micro', 'weighted',"
                                 " None"),
        ({"undefined": "nan"}, "undefined is 'nan': give nan or a number within ±2**53"),
    ],
)  # fmt: skip
def test_bad_options(options, sentence):
    with pytest.raises(ValueError) as caught:
        average_precision(*S1, **options)
    assert str(caught.value) == sentence
    if options.keys() <= {"average", "undefined"}:
        with pytest.raises(ValueError) as caught:
            roc_auc(*S1, **options)
        assert str(caught.value) == sentence


@pytest.mark.parametrize("curve", [precision_recall, roc])
@pytest.mark.parametrize(
    ("y_true", "y_score", "sentence"),
    [
        ([1, 2], [0.1, 0.2], "y_true holds 2 at row 1, column 0, where only 0 or 1 may stand"),
        ([1, 0], [0.1, NAN], "y_score holds nan at row 1, column 0, which has no rank"),
        ([1, 0], [0.1], "y_score has shape (1, 1) and y_true has shape (2, 1)"),
        ([], [], "y_true is empty"),
        (*S1, "y_true has 2 columns, and a curve is of one label: give one column of each, such as"
              " y_true[:, 0] and y_score[:, 0]"),
        (pd.Series([1, 0], [3, 4]), pd.Series([0.5, 0.1], [4, 3]),
         "y_score has 4 at position 0 of its index where y_true has 3"),
    ],
)  # fmt: skip
def test_bad_columns(curve, y_true, y_score, sentence):
    with pytest.raises((TypeError, ValueError)) as caught:
        curve(y_true, y_score)
    assert str(caught.value).startswith(sentence)


@pytest.mark.parametrize("metric", [average_precision, roc_auc])
def test_a_matrix_of_one_dimension_is_refused(metric):
    with pytest.raises(ValueError, match=r"^y_true has one dimension, .* for a single label"):
        metric([1, 0], [0.2, 0.1])


# ---------------------------------------------------------------------------- many cells


@pytest.mark.parametrize(
    ("metric", "theirs"),
    [
        (average_precision, metrics.average_precision_score),
        (roc_auc, metrics.roc_auc_score),
    ],
)
def test_more_cells_than_are_sorted_at_once_take_less_than_a_copy_of_them(metric, theirs):
    rng = np.random.default_rng(0)
    truth = rng.random((1_100, 1_000)) < 0.05
    score = rng.integers(0, 5_000, truth.shape) / 5_000  # many ties, in and across the parts
    tracemalloc.start()
    value = metric(truth, score, average="micro")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert value == pytest.approx(theirs(truth, score, average="micro"), rel=1e-12)
    assert peak < score.nbytes
