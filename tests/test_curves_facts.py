"""Facts of notebook 06: what AP and AUROC count, ties, labels without positives, and chance."""

from fractions import Fraction as F
from itertools import combinations_with_replacement, permutations, product
from statistics import NormalDist, mean

import numpy as np
import pytest
import sklearn.metrics as skm
from facts import always
from scipy.integrate import quad

from mlm_course import emoji
from mlm_helpers import curves, ranking


def ap(truth, score):
    """Mean over positives of the precision at their score; equal scores are predicted too."""
    positives = [s for t, s in zip(truth, score, strict=True) if t]
    return mean(F(sum(p >= s for p in positives), sum(o >= s for o in score)) for s in positives)


def auroc(truth, score):
    """Mean over pairs of a positive and a negative: 1 in the right order, 1/2 for a tie."""
    pos, neg = ([s for t, s in zip(truth, score, strict=True) if t == kind] for kind in (1, 0))
    return mean(F((p > n) + (p >= n), 2) for p, n in product(pos, neg))


def check_columns(holds):
    """Assert that something holds for each column of three samples with a positive and a negative.

    The column is the only row of a small data set, because scores of a row have every order there.
    """

    def holds_for_row(y_true, y_score):
        truth, score = y_true[0].tolist(), y_score[0].tolist()
        return len({*truth}) == 1 or holds(truth, score)

    always(holds_for_row, ((1, 3),))


def value(metric, truth, score, **options):
    return metric([[t] for t in truth], [[s] for s in score], **options)


def are_close(a, b):
    return np.allclose(np.array(a, dtype=float), np.array(b, dtype=float), rtol=0, atol=1e-12)


def test_ap_is_the_mean_precision_at_the_positives():
    check_columns(lambda *column: are_close(value(curves.average_precision, *column), ap(*column)))


def test_auroc_is_the_share_of_pairs_in_the_right_order_and_a_tie_is_half_of_one():
    check_columns(lambda *column: are_close(value(curves.roc_auc, *column), auroc(*column)))


def test_down_the_list_both_rates_rise_or_stay():
    check_columns(lambda *column: all((np.diff(r) >= 0).all() for r in curves.roc(*column)[:2]))


def test_areas_under_the_points():
    def are_areas(truth, score):
        precision, recall, _ = curves.precision_recall(truth, score)
        steps = np.diff(recall, prepend=0) @ precision
        fpr, tpr, _ = (np.insert(points, 0, 0) for points in curves.roc(truth, score))
        return are_close([steps, skm.auc(fpr, tpr)], [ap(truth, score), auroc(truth, score)])

    check_columns(are_areas)


def test_the_mean_auroc_of_all_orders_of_a_list_is_a_half():
    assert mean(auroc([1, 0, 0, 1, 0], order) for order in permutations(range(5))) == F(1, 2)


def test_lrap_ignores_the_level_of_a_row_and_map_that_of_a_column():
    row_levels, column_levels = np.array([[4], [0]]), np.array([[4, 0]])
    lrap, m_ap = ranking.average_precision, curves.average_precision

    def levels_change_nothing(y_true, y_score):
        lraps = lrap(y_true, y_score), lrap(y_true, y_score + row_levels)
        m_aps = m_ap(y_true, y_score), m_ap(y_true, y_score + column_levels)
        return are_close(*lraps) and are_close(*m_aps)

    always(levels_change_nothing, ((2, 2),))
    y_true = np.eye(2)
    assert lrap(y_true, y_true + column_levels) < 1 and m_ap(y_true, y_true + row_levels) < 1


def test_where_ties_share_the_largest_rank_the_order_of_samples_does_not_matter():
    def is_equal_for_all_orders(truth, score):
        orders = permutations(zip(truth, score, strict=True))
        values = [value(curves.average_precision, *zip(*order, strict=True)) for order in orders]
        return are_close(values, skm.average_precision_score(truth, score))

    check_columns(is_equal_for_all_orders)


def test_ap_and_auroc_of_a_label_without_positives_are_undefined():
    """By default AP counts as 0 and AUROC is left out.

    In scikit-learn AP counts as 0, AUROC is nan.
    """
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

    def is_ranking_metric(y_true, y_score):
        data, transposed = (y_true, y_score), (y_true.T, y_score.T)
        label_aps = curves.average_precision(*transposed, average=None, **undefined)
        sample_aps = ranking.average_precision(*data, per_sample=True, **undefined)
        areas = curves.roc_auc(*transposed, average=None)
        losses = ranking.ranking_loss(*data, ties="average", per_sample=True, **undefined)
        return np.allclose([label_aps, areas], [sample_aps, 1 - losses], equal_nan=True)

    always(is_ranking_metric, ((1, 3), (2, 2)))


def test_defaults_of_curve_and_ranking_metrics_differ_for_ties_and_lists_without_pairs():
    assert value(curves.roc_auc, [1, 0], [5, 5]) == 1 - ranking.ranking_loss([[1, 0]], [[5, 5]]) / 2
    for positive, score in product((0, 1), permutations((5, 5, 4))):
        assert value(curves.average_precision, [positive] * 3, score) == positive
        assert np.isnan(value(curves.roc_auc, [positive] * 3, score))


def test_micro_is_one_label_of_all_cells():
    def is_one_label(y_true, y_score):
        cells = y_true.reshape(-1, 1), y_score.reshape(-1, 1)
        return all(
            np.isclose(m(y_true, y_score, average="micro"), m(*cells), equal_nan=True)
            for m in (curves.average_precision, curves.roc_auc)
        )

    always(is_one_label, ((2, 2),))


RNG = np.random.default_rng(6)


def random_data(tied):
    """A truth with both kinds in each column, and scores of which many are tied, or none."""
    n_samples, n_labels = RNG.integers(5, 40), RNG.integers(2, 6)
    y_true = RNG.integers(0, 2, (n_samples, n_labels))
    y_true[0], y_true[1] = 0, 1
    return y_true, RNG.integers(4, size=y_true.shape) if tied else RNG.random(y_true.shape)


def test_a_model_that_knows_only_label_frequencies_is_above_chance_in_micro():
    """Where the frequencies differ.

    The chance level of tied AP is the share of positives in all cells.
    """
    small = [np.reshape(cells, (3, 2)) for cells in product((0, 1), repeat=6)][1:-1]
    for y_true in (*small, *(random_data(False)[0] for _ in range(50)), np.array(emoji.load().y)):
        scores = np.tile(y_true.mean(axis=0), (len(y_true), 1))
        area = curves.roc_auc(y_true, scores, average="micro")
        area_ap = curves.average_precision(y_true, scores, average="micro")
        above = area > 0.5 + 1e-12, area_ap > y_true.mean() + 1e-12
        assert above == (len({*y_true.sum(axis=0)}) > 1,) * 2


def test_the_area_of_a_mean_roc_curve_differs_from_mean_auroc_by_at_most_an_interval():
    for tied, n_intervals in product((False, True), (2, 5, 10, 100, 1000) * 4):
        y_true, y_score = random_data(tied)
        grid = np.linspace(0, 1, n_intervals + 1)
        points = (skm.roc_curve(*column) for column in zip(y_true.T, y_score.T, strict=True))
        curve = np.mean([np.interp(grid, fpr, tpr) for fpr, tpr, _ in points], axis=0)
        assert abs(skm.auc(grid, curve) - curves.roc_auc(y_true, y_score)) <= 1 / n_intervals


# ---------------------------------------------------------------------------- where they mislead


def test_each_negative_at_the_bottom_raises_auroc_and_leaves_ap():
    columns = [([1, 0] + [0] * n, [1, 2] + [0] * n) for n in range(1, 6)]
    areas = [value(curves.roc_auc, *column) for column in columns]
    assert areas == sorted({*areas})
    assert {value(curves.average_precision, *column) for column in columns} == {0.5}


def test_a_constant_score_has_the_share_of_positives_as_ap():
    for truth in product((0, 1), repeat=4):
        if any(truth):
            column, tied = np.reshape(truth, (4, 1)), np.full((4, 1), 0.5)
            expected = skm.average_precision_score(column, tied)
            assert curves.average_precision(column, tied) == expected == sum(truth) / 4
            assert curves.roc_auc(column, tied, undefined=0.5) == 0.5


def test_chance_lies_between_the_share_of_positives_and_the_mean_of_orders_without_ties():
    """The mean AP of all orders, for each pattern of ties in up to six samples."""
    for n_positive, n in combinations_with_replacement(range(1, 7), 2):
        truths = {*permutations([1] * n_positive + [0] * (n - n_positive))}
        patterns = (np.cumsum([0, *steps]) for steps in product((0, 1), repeat=n - 1))
        levels = [mean(ap(truth, scores) for truth in truths) for scores in patterns]
        assert min(levels) == levels[0] == F(n_positive, n) and max(levels) == levels[-1]


def test_ap_and_auroc_of_hard_labels_are_made_of_rates():
    def are_made_of_rates(y_true, y_pred):
        if len({*y_true.flat}) == 1:
            return True
        recall, fpr = (y_pred[y_true == kind].mean() for kind in (1, 0))
        precision = (y_true & y_pred).sum() / max(y_pred.sum(), 1)
        combination = recall * precision + (1 - recall) * y_true.mean()
        areas = curves.average_precision(y_true, y_pred), curves.roc_auc(y_true, y_pred)
        return are_close(areas, [combination, (recall + 1 - fpr) / 2])

    always(are_made_of_rates, ((3, 1), (4, 1)))


def test_d_prime_is_the_distance_of_normal_scores_and_ap_falls_with_the_share_of_positives():
    d_prime, negative = 2**0.5 * NormalDist().inv_cdf(0.95), NormalDist()
    positive = NormalDist(d_prime)
    assert quad(lambda t: positive.pdf(t) * negative.cdf(t), -8, 12)[0] == pytest.approx(0.95)

    def summand(threshold, share):
        tp = share * positive.cdf(2 * d_prime - threshold)
        fp = (1 - share) * negative.cdf(-threshold)
        return positive.pdf(threshold) * tp / (tp + fp)

    aps = [quad(summand, -8, 8, args=(share,))[0] for share in (0.5, 0.02, 0.01, 0.005)]
    assert aps == pytest.approx([0.951, 0.513, 0.403, 0.302], abs=5e-4)
