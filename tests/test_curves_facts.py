"""Facts of notebook 06: what AP and AUROC count, ties, labels without positives, and chance."""

from fractions import Fraction as F
from itertools import permutations, product
from statistics import mean

import numpy as np
import pytest
import sklearn.metrics as skm
from facts import always

from mlm_helpers import curves, ranking


def ap(truth, score):
    """The mean share of positives down to each positive; tied samples are there together."""
    found = [s for t, s in zip(truth, score, strict=True) if t]
    return mean(F(sum(f >= s for f in found), sum(o >= s for o in score)) for s in found)


def auroc(truth, score):
    """The mean over each positive with each negative: 1 if it scores higher, half for the same."""
    up, down = ([s for t, s in zip(truth, score, strict=True) if t == kind] for kind in (1, 0))
    return mean(F((u > d) + (u >= d), 2) for u, d in product(up, down))


def of_columns(holds):
    """It holds of every column of three samples that has a positive and a negative.

    The column is a row of a small world: there scores have every order.
    """

    def of_one(y_true, y_score):
        truth, score = y_true[0].tolist(), y_score[0].tolist()
        return len({*truth}) == 1 or holds(truth, score)

    always(of_one, ((1, 3),))


def value(metric, truth, score, **options):
    return metric([[t] for t in truth], [[s] for s in score], **options)


def near(a, b):
    return np.allclose(np.array(a, dtype=float), np.array(b, dtype=float), rtol=0, atol=1e-12)


def test_ap_is_the_mean_precision_at_the_positives():
    of_columns(lambda *column: near(value(curves.average_precision, *column), ap(*column)))


def test_auroc_is_the_share_of_pairs_in_the_right_order_and_a_tie_is_half_of_one():
    of_columns(lambda *column: near(value(curves.roc_auc, *column), auroc(*column)))


def test_down_the_list_both_rates_rise_or_stay():
    of_columns(lambda *column: all((np.diff(r) >= 0).all() for r in curves.roc(*column)[:2]))


def test_areas_under_the_points():
    def areas(truth, score):
        precision, recall, _ = curves.precision_recall(truth, score)
        steps = np.diff(recall, prepend=0) @ precision
        right, up, _ = (np.insert(rate, 0, 0) for rate in curves.roc(truth, score))
        return near([steps, np.trapezoid(up, right)], [ap(truth, score), auroc(truth, score)])

    of_columns(areas)


def test_the_mean_auroc_of_all_orders_of_a_list_is_a_half():
    assert mean(auroc([1, 0, 0, 1, 0], order) for order in permutations(range(5))) == F(1, 2)


def test_lrap_ignores_the_level_of_a_row_and_map_that_of_a_column():
    by_row, by_column = np.array([[4], [0]]), np.array([[4, 0]])
    lrap, m_ap = ranking.average_precision, curves.average_precision

    def holds(y_true, y_score):
        rows = near(lrap(y_true, y_score), lrap(y_true, y_score + by_row))
        return rows and near(m_ap(y_true, y_score), m_ap(y_true, y_score + by_column))

    always(holds, ((2, 2),))
    y_true = np.eye(2)
    assert lrap(y_true, y_true + by_column) < 1 and m_ap(y_true, y_true + by_row) < 1


def test_under_worst_the_order_of_samples_does_not_matter_and_scikit_learn_agrees():
    def holds(truth, score):
        every = permutations(zip(truth, score, strict=True))
        found = [value(curves.average_precision, *zip(*order, strict=True)) for order in every]
        return near(found, skm.average_precision_score(truth, score))

    of_columns(holds)


def test_ap_and_auroc_of_a_label_without_positives_are_undefined():
    """By default 0 in macro AP, left out of macro AUROC; scikit-learn counts 0 and returns nan."""
    y_true, y_score = np.array([[0, 1], [0, 0]]), np.array([[0.5, 0.9], [0.1, 0.2]])
    for metric, default in ((curves.average_precision, 0.5), (curves.roc_auc, 1.0)):
        assert np.isnan(metric(y_true, y_score, average=None, undefined=np.nan)[0])
        assert metric(y_true, y_score) == default
        assert metric(y_true, y_score, average="weighted", undefined=0.0) == 1.0
    with pytest.warns(UserWarning, match="No positive class"):
        assert skm.average_precision_score(y_true, y_score) == 0.5
        assert skm.average_precision_score(y_true, y_score, average="weighted") == 1
    with pytest.warns(UserWarning, match="Only one class"):
        assert np.isnan(skm.roc_auc_score(y_true, y_score))
        assert skm.roc_auc_score(y_true, y_score, average="weighted") == 1


def test_a_curve_metric_is_a_ranking_metric_of_the_transposed_matrix():
    undefined = {"undefined": np.nan}

    def turned(y_true, y_score):
        sideways, upright = (y_true, y_score), (y_true.T, y_score.T)
        each = curves.average_precision(*upright, average=None, **undefined)
        loss = ranking.ranking_loss(*sideways, ties="average", per_sample=True, **undefined)
        same = ranking.average_precision(*sideways, per_sample=True, **undefined)
        areas = curves.roc_auc(*upright, average=None)
        return np.allclose([each, areas], [same, 1 - loss], equal_nan=True)

    always(turned, ((1, 3), (2, 2)))


def test_micro_is_one_label_of_all_cells():
    def one_label(y_true, y_score):
        cells = y_true.reshape(-1, 1), y_score.reshape(-1, 1)
        return all(
            np.isclose(m(y_true, y_score, average="micro"), m(*cells), equal_nan=True)
            for m in (curves.average_precision, curves.roc_auc)
        )

    always(one_label, ((2, 2),))


# ---------------------------------------------------------------------------- where they mislead


def test_each_negative_at_the_bottom_raises_auroc_and_leaves_ap():
    grown = [([1, 0] + [0] * n, [1, 2] + [0] * n) for n in range(1, 6)]
    areas = [value(curves.roc_auc, *one) for one in grown]
    assert areas == sorted({*areas})
    assert {value(curves.average_precision, *one) for one in grown} == {0.5}


def test_a_constant_score_has_the_share_of_positives_as_ap():
    for truth in product((0, 1), repeat=4):
        if any(truth):
            column, tied = np.reshape(truth, (4, 1)), np.full((4, 1), 0.5)
            theirs = skm.average_precision_score(column, tied)
            assert curves.average_precision(column, tied) == theirs == sum(truth) / 4
            assert curves.roc_auc(column, tied, undefined=0.5) == 0.5


def test_the_mean_ap_of_all_orders_is_never_below_the_share_of_positives():
    for n in range(1, 6):
        for positives in range(1, n + 1):
            truth = [int(i < positives) for i in range(n)]
            mean_ap = mean(ap(order, range(n, 0, -1)) for order in set(permutations(truth)))
            assert mean_ap > F(positives, n) or positives == n


def test_ap_of_labels_is_made_of_precision_recall_and_the_share_of_positives():
    def is_made(y_true, y_pred):
        if not y_true.any():
            return True
        hits = (y_true & y_pred).sum()
        recall, precision = hits / y_true.sum(), hits / max(y_pred.sum(), 1)
        made = recall * precision + (1 - recall) * y_true.mean()
        return np.isclose(curves.average_precision(y_true, y_pred), made)

    always(is_made, ((3, 1), (4, 1)))
