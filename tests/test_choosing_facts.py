"""What notebook 11 says of the choice of a metric: on all small data, and by plain counts."""

import numpy as np
from facts import always, as_table, cell_table, decimal
from plain import at, micro_f1, split

from mlm_helpers import curves, hamming, label_based, ranking, top_k

NOTEBOOK = "11_choosing_a_metric"


def test_an_unused_label_lowers_macro_f1_and_hamming_loss_and_leaves_micro_f1():
    def holds(y_true, y_pred):
        more = [np.pad(cells, ((0, 0), (0, 1))) for cells in (y_true, y_pred)]
        both = [(m(y_true, y_pred), m(*more)) for m in (label_based.f1, hamming.hamming_loss)]
        lower = all(after < before or before == after == 0 for before, after in both)
        return lower and micro_f1(*more) == micro_f1(y_true, y_pred)

    always(holds)


def test_in_fbeta_a_miss_weighs_beta_squared_times_as_much_as_a_false_alarm():
    def weighs(y_true, y_pred, beta=2):
        hits, misses, alarms = (
            (y_true & y_pred).sum(),
            (y_true > y_pred).sum(),
            (y_true < y_pred).sum(),
        )
        value = label_based.fbeta(y_true, y_pred, beta=beta, average="micro")
        weighed = (1 + beta**2) * hits
        return np.isclose(value * (weighed + beta**2 * misses + alarms), weighed)

    always(weighs)
    always(lambda y_true, y_pred: weighs(y_true, y_pred, 0.5))


def test_micro_f1_hears_the_frequent_label_and_macro_f1_each_alike():
    y_true = np.array([[1, 0]] * 9 + [[0, 1]])
    no_rare, no_frequent = y_true * [1, 0], y_true * [0, 1]
    assert micro_f1(y_true, no_rare) > 0.9 > 0.5 > micro_f1(y_true, no_frequent)
    assert [label_based.f1(y_true, one) for one in (no_rare, no_frequent)] == [0.5, 0.5]


def test_average_precision_and_ndcg_reward_the_top_auroc_and_coverage_every_place_alike():
    """The one positive at each of four places."""
    truths, down = np.eye(4, dtype=int), np.arange(4, 0, -1)
    ap, auroc = (
        [m(t[:, None], down[:, None]) for t in truths]
        for m in (curves.average_precision, curves.roc_auc)
    )
    assert np.allclose(ap, [1, 1 / 2, 1 / 3, 1 / 4]) and np.allclose(auroc, [1, 2 / 3, 1 / 3, 0])
    assert [ranking.coverage([t], [down]) for t in truths] == [1, 2, 3, 4]
    assert [ranking.one_error([t], [down]) for t in truths] == [0, 1, 1, 1]
    assert [top_k.precision([t], [down], k=2) for t in truths] == [1 / 2, 1 / 2, 0, 0]
    first, second, *rest = (top_k.ndcg([t], [down], k=2) for t in truths)
    assert first > second > 0 == max(rest)
    for size, truth in enumerate(
        np.tri(4, dtype=int), 1
    ):  # ranking loss allows for how many are true
        assert ranking.coverage([truth], [down]) == size
        assert ranking.ranking_loss([truth], [down]) == 0


def test_bills_and_fbeta():
    y_true, scores, sets = split()
    lines = []
    for name, one in (
        sets | {f"trees at {cut}": at(scores["trees"], cut) for cut in (0.2, 0.5, 0.8)}
    ).items():
        hits, alarms, misses = ((y_true & one).sum(), (one > y_true).sum(), (one < y_true).sum())
        f2, half = (
            float((1 + w) * hits / ((1 + w) * hits + w * misses + alarms)) for w in (4, 1 / 4)
        )
        lines.append((name, 4 * misses + alarms, f2, misses + 4 * alarms, half))
    heads = "a miss costs 4", "micro F2", "a false alarm costs 4", "micro F0.5"
    assert cell_table(NOTEBOOK, "09-51") == as_table(heads, *lines)
    bill, _, other_bill, half = ({line[0]: line[i] for line in lines} for i in range(1, 5))
    best = min(bill, key=bill.get), min(other_bill, key=other_bill.get), max(half, key=half.get)
    assert best == ("trees", "trees at 0.8", "trees at 0.5")
    assert all(other_bill[model] > other_bill["nothing"] for model in sets if model != "nothing")


def test_three_suggestions():
    """The mean over all orders of tied labels: those below the third place's score are out, the tied share what is left."""
    y_true, scores, _ = split()
    for model, row in cell_table(NOTEBOOK, "11-15").items():
        score = scores[model]
        third = -np.sort(-score, axis=1)[:, 2:3]
        above, tied = score > third, score == third
        left = (3 - above.sum(axis=1)) / tied.sum(axis=1)
        hits = (y_true * above).sum(axis=1) + left * (y_true * tied).sum(axis=1)
        recall = hits / np.maximum(y_true.sum(axis=1), 1)
        shares = hits.mean() / 3, recall.mean()
        assert [row["P@3"], row["recall at 3"]] == [*map(decimal, shares)]
