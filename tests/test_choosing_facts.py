"""Facts of notebook 11, about the choice of a metric: on all small data, and from counts."""

from functools import partial
from math import isclose

import numpy as np
import pytest
from facts import always, as_table, cell_table, decimal
from plain import at, micro_f1, split

from mlm_course import invariance, small_data
from mlm_helpers import curves, exact_match, hamming, label_based, ranking, thresholds, top_k

NOTEBOOK = "11_choosing_a_metric"


def test_an_unused_label_lowers_macro_f1_and_hamming_loss_and_leaves_micro_f1():
    def are_lowered_and_left(y_true, y_pred):
        padded = [np.pad(matrix, ((0, 0), (0, 1))) for matrix in (y_true, y_pred)]
        for metric in (label_based.f1, hamming.hamming_loss):
            before, after = metric(y_true, y_pred), metric(*padded)
            if not (after < before or before == after == 0):
                return False
        return micro_f1(*padded) == micro_f1(y_true, y_pred)

    always(are_lowered_and_left)


def test_which_metrics_stay_when_truth_and_prediction_are_swapped_or_change_with_an_unused_label():
    """In symmetric ones false alarms count like misses.

    The label adds to divisors, and pairs in order.
    """
    found = invariance.all_changes().items()
    symmetric = {"subset accuracy", "zero-one loss", "Hamming loss", "samples accuracy (Jaccard)"}
    symmetric |= {"samples F1", "macro F1", "micro F1", "macro Jaccard", "micro Jaccard"}
    assert symmetric == {m for (m, how), change in found if how.startswith("swap") and not change}
    changed = {m for (m, how), change in found if how == "append an unused label" and change}
    macro = {f"macro {name}" for name in ("precision", "recall", "F1", "F2", "Jaccard", "AP")}
    assert changed == macro | {"Hamming loss", "ranking loss", "micro AUROC"}


def test_micro_f1_follows_the_frequent_label_and_macro_f1_both_labels_alike():
    y_true = np.array([[1, 0]] * 9 + [[0, 1]])
    no_rare, no_frequent = y_true * [1, 0], y_true * [0, 1]
    assert micro_f1(y_true, no_rare) > 0.9 > 0.5 > micro_f1(y_true, no_frequent)
    assert [label_based.f1(y_true, y_pred) for y_pred in (no_rare, no_frequent)] == [0.5, 0.5]


def test_average_precision_and_ndcg_reward_the_top_auroc_and_coverage_every_place_alike():
    """Each truth has one positive: at the first place by score, at the second, third, fourth."""
    truths, score = np.eye(4, dtype=int), np.arange(4, 0, -1)
    column = score[:, None]
    average_precisions = [curves.average_precision(truth[:, None], column) for truth in truths]
    assert np.allclose(average_precisions, [1, 1 / 2, 1 / 3, 1 / 4])
    aurocs = [curves.roc_auc(truth[:, None], column) for truth in truths]
    assert np.allclose(aurocs, [1, 2 / 3, 1 / 3, 0])
    assert [ranking.coverage([truth], [score]) for truth in truths] == [1, 2, 3, 4]
    assert [ranking.one_error([truth], [score]) for truth in truths] == [0, 1, 1, 1]
    assert [top_k.precision([truth], [score], k=2) for truth in truths] == [1 / 2, 1 / 2, 0, 0]
    ndcgs = [top_k.ndcg([truth], [score], k=2) for truth in truths]
    assert ndcgs[0] > ndcgs[1] > ndcgs[2] == ndcgs[3] == 0
    # coverage grows with the number of relevant labels, ranking loss does not
    for n_relevant, truth in enumerate(np.tri(4, dtype=int), start=1):
        assert ranking.coverage([truth], [score]) == n_relevant
        assert ranking.ranking_loss([truth], [score]) == 0


def test_costs_of_errors_and_fbeta():
    y_true, scores, sets = split()
    at_thresholds = {f"trees at {t}": at(scores["trees"], t) for t in (0.2, 0.5, 0.8)}
    rows = {}
    for name, y_pred in (sets | at_thresholds).items():
        tp, fp, fn = (y_true & y_pred).sum(), (y_pred > y_true).sum(), (y_pred < y_true).sum()
        f2 = float(5 * tp / (5 * tp + 4 * fn + fp))
        f_half = float(1.25 * tp / (1.25 * tp + 0.25 * fn + fp))
        miss_cost, alarm_cost = (float(total / len(y_true)) for total in (4 * fn + fp, fn + 4 * fp))
        rows[name] = miss_cost, f2, alarm_cost, f_half
    columns = "a miss costs 4", "micro F2", "a false alarm costs 4", "micro F0.5"
    lines = ((name, *row) for name, row in rows.items())
    assert cell_table(NOTEBOOK, "09-51") == as_table(columns, *lines)
    columns_of_values = zip(*rows.values(), strict=True)
    miss_cost, _, alarm_cost, f_half = (dict(zip(rows, c, strict=True)) for c in columns_of_values)
    assert min(miss_cost, key=miss_cost.get) == "trees"
    assert [name for name in rows if alarm_cost[name] < alarm_cost["nothing"]] == ["trees at 0.8"]
    assert max(f_half, key=f_half.get) == "trees at 0.5"


def test_auroc_does_not_see_how_rare_a_label_is_and_average_precision_does():
    """Every negative sample is there ten times: AUROC stays, AP falls, unless it is 1."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        truth = np.array([[0], [1], *rng.integers(0, 2, (8, 1))])
        score = rng.integers(0, 2 + seed, (10, 1))
        rows = np.repeat(np.arange(10), np.where(truth[:, 0], 1, 10))
        rare = truth[rows], score[rows]
        assert isclose(curves.roc_auc(truth, score), curves.roc_auc(*rare))
        before, after = curves.average_precision(truth, score), curves.average_precision(*rare)
        assert after < before or before == after == 1


def test_ranking_and_top_k_need_one_scale_per_sample_and_curves_one_per_label():
    """Other scales for each sample, then for each label: rising functions of the scores."""
    of_rows = [ranking.coverage, ranking.one_error, ranking.ranking_loss, ranking.average_precision]
    of_rows += [partial(m, k=2) for m in (top_k.precision, top_k.recall, top_k.ndcg)]
    of_columns = [curves.average_precision, curves.roc_auc]
    of_cells = [partial(metric, average="micro") for metric in of_columns]
    changed = set()
    for seed in range(20):
        rng = np.random.default_rng(seed)
        y_true, y_score = rng.integers(0, 2, (8, 4)), rng.integers(0, 4, (8, 4))
        scales = {axis: rng.permutation(y_score.shape[axis]) * 10 for axis in (0, 1)}
        by_row, by_column = y_score + scales[0][:, None], y_score * 2 + scales[1]
        for kind, metrics in (("row", of_rows), ("column", of_columns), ("cell", of_cells)):
            for i, metric in enumerate(metrics):
                value, *others = (metric(y_true, s) for s in (y_score, by_row, by_column))
                for scaled, other in zip(("row", "column"), others, strict=True):
                    if kind == scaled:
                        assert isclose(value, other)
                    elif not isclose(value, other):
                        changed.add((kind, i, scaled))
    assert len(changed) == len(of_rows) + len(of_columns) + 2 * len(of_cells)


def test_micro_f1_of_the_highest_class_of_a_group_is_its_accuracy():
    for seed in range(20):
        rng = np.random.default_rng(seed)
        for n_classes in (2, 3, 5):
            score = rng.dirichlet(np.ones(n_classes), 30)
            truth = np.eye(n_classes, dtype=int)[rng.integers(0, n_classes, 30)]
            highest = thresholds.top(score, 1)
            accuracy = (score.argmax(axis=1) == truth.argmax(axis=1)).mean()
            assert np.isclose(exact_match.subset_accuracy(truth, highest), accuracy)
            assert np.isclose(micro_f1(truth, highest), accuracy)
            assert at(score, 0.5).any(axis=1).all() == (n_classes == 2)


@pytest.mark.parametrize(
    "size",
    [(1, 2), (2, 2), *(pytest.param(s, marks=pytest.mark.exhaustive) for s in ((3, 2), (2, 3)))],
)
def test_a_metric_at_its_best_and_the_worst_values_of_the_others(size):
    """For all data of a size whose samples have a true and a false label each."""
    of_rows = ranking.ranking_loss, ranking.coverage, ranking.average_precision
    of_cells = [partial(m, average="micro") for m in (curves.roc_auc, curves.average_precision)]
    metrics = *of_rows, ranking.one_error, curves.roc_auc, *of_cells
    lowest_auroc, highest_loss = 1.0, 0.0
    for truths, _, values in small_data.batches_of_size(metrics, *size):
        for i in np.flatnonzero((truths.any(axis=2) & ~truths.all(axis=2)).all(axis=1)):
            loss, coverage, precision, one_error, auroc, *micro = (value[i] for value in values)
            is_best = loss == 0
            for value in (-coverage, precision):
                assert ((value > value.max() - 1e-12) == is_best).all()
            assert not one_error[is_best].any()
            for value in micro:
                assert ((value == 1) == (micro[0] == 1)).all()
            assert is_best[micro[0] == 1].all() and not (auroc[micro[0] == 1] < 1).any()
            if not np.isnan(auroc).all():
                lowest_auroc = min(lowest_auroc, np.nanmin(auroc[is_best]))
                highest_loss = max(highest_loss, loss[auroc == 1].max())
    if size == (2, 3):
        assert (lowest_auroc, highest_loss) == (0, 1)


def test_precision_and_recall_of_three_suggestions():
    """Over all orders of tied labels, each one tied at the third place has the same chance."""
    y_true, scores, _ = split()
    for model, row in cell_table(NOTEBOOK, "11-15").items():
        score = scores[model]
        third = -np.sort(-score, axis=1)[:, 2:3]
        is_above, is_tied = score > third, score == third
        chance = (3 - is_above.sum(axis=1)) / is_tied.sum(axis=1)
        tp = (y_true * is_above).sum(axis=1) + chance * (y_true * is_tied).sum(axis=1)
        recall = tp / np.maximum(y_true.sum(axis=1), 1)
        assert row["P@3"] == decimal(tp.mean() / 3)
        assert row["recall at 3"] == decimal(recall.mean())
