"""Facts of notebook 11, about the choice of a metric: on all small data, and from counts."""

import numpy as np
from facts import always, as_table, cell_table, decimal
from plain import at, micro_f1, split

from mlm_helpers import curves, hamming, label_based, ranking, top_k

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


def test_in_fbeta_a_miss_weighs_beta_squared_times_as_much_as_a_false_alarm():
    def has_this_weight(y_true, y_pred, beta=2):
        tp, fn, fp = (y_true & y_pred).sum(), (y_true > y_pred).sum(), (y_true < y_pred).sum()
        value = label_based.fbeta(y_true, y_pred, beta=beta, average="micro")
        numerator = (1 + beta**2) * tp
        return np.isclose(value * (numerator + beta**2 * fn + fp), numerator)

    always(has_this_weight)
    always(lambda y_true, y_pred: has_this_weight(y_true, y_pred, beta=0.5))


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
        rows[name] = 4 * fn + fp, f2, fn + 4 * fp, f_half
    columns = "a miss costs 4", "micro F2", "a false alarm costs 4", "micro F0.5"
    lines = ((name, *row) for name, row in rows.items())
    assert cell_table(NOTEBOOK, "09-51") == as_table(columns, *lines)
    columns_of_values = zip(*rows.values(), strict=True)
    miss_cost, _, alarm_cost, f_half = (dict(zip(rows, c, strict=True)) for c in columns_of_values)
    assert min(miss_cost, key=miss_cost.get) == "trees"
    assert min(alarm_cost, key=alarm_cost.get) == "trees at 0.8"
    assert max(f_half, key=f_half.get) == "trees at 0.5"
    assert all(alarm_cost[model] > alarm_cost["nothing"] for model in sets if model != "nothing")


def test_precision_and_recall_of_three_suggestions():
    """The mean over all orders of tied labels: each label tied at the third place has the same chance."""
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
