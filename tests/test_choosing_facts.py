"""What notebook 11 says of the choice of a metric: on all small worlds, by a challenge's numbers, by plain counts."""

from functools import partial
from itertools import product

import numpy as np
import pytest
import sklearn.metrics as skm
from drawing import pool, same
from facts import always, decimal, rows, said, shown
from plain import at, micro_f1, split
from worlds import matrices, pairs, weak_orderings

from mlm_course import disagreement, invariance, practice
from mlm_helpers import catalogue, curves, hamming, label_based, ranking, top_k

NOTEBOOK = "11_choosing_a_metric"


def test_an_unused_label_lowers_macro_f1_and_hamming_loss_and_leaves_micro_f1():
    def holds(y_true, y_pred):
        more = [np.pad(cells, ((0, 0), (0, 1))) for cells in (y_true, y_pred)]
        both = [(m(y_true, y_pred), m(*more)) for m in (label_based.f1, hamming.hamming_loss)]
        lower = all(after < before or before == after == 0 for before, after in both)
        return lower and micro_f1(*more) == micro_f1(y_true, y_pred)

    always(holds)


def test_in_fbeta_a_miss_weighs_beta_squared_times_as_much_as_a_false_alarm():
    def weighs(y_true, y_pred):
        hits, misses, alarms = (
            (y_true & y_pred).sum(),
            (y_true & 1 - y_pred).sum(),
            (1 - y_true & y_pred).sum(),
        )
        return all(
            np.isclose(
                label_based.fbeta(y_true, y_pred, beta=beta, average="micro")
                * ((1 + weight) * hits + weight * misses + alarms),
                (1 + weight) * hits,
            )
            for beta, weight in ((2, 4), (0.5, 1 / 4), (3, 9))
        )

    always(weighs)


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
        assert (ranking.coverage([truth], [down]), ranking.ranking_loss([truth], [down])) == (
            size,
            0,
        )


def clash(a, b, y_true):
    """Whether two predictions, or two orders, of this truth are put in opposite order by two metrics."""
    shape = np.shape(y_true)
    of_sets = [np.array(m) for m in matrices(*shape)] if shape[1] < 4 else []
    of_scores = [np.array(m) for m in product(weak_orderings(shape[1]), repeat=shape[0])]
    of, values = catalogue.variants(), []
    for name in (a, b):
        read = of_scores if catalogue.of(of[name]).reads == "y_score" else of_sets
        values.append(
            [
                (1 if catalogue.of(of[name]).higher_is_better else -1) * of[name](y_true, other)
                for other in read
            ]
        )
    one, other = np.round(values, 9)
    order = np.sign(one[:, None] - one) * np.sign(other[:, None] - other)
    return bool((order < 0).any())


def test_a_truth_on_which_each_pair_disagrees():
    for pair, row in shown(NOTEBOOK, "09-38").items():
        truth = np.array(eval(row["truth of the case found"]))
        a, b = pair.split(" and ")
        assert truth.shape in ((3, 2), (1, 5)) and clash(a, b, truth), pair
        assert not any(clash(a, b, np.array(small)) for small in matrices(2, 2)), pair


def test_never_disagree_is_said_of_the_pairs_of_theorems():
    table = shown(NOTEBOOK, "09-36")
    assert {*table} == {" and ".join(pair) for pair in disagreement.SAME_ORDER}


def test_four_changes_never_move_a_metric():
    """They have no column in the table; on other data than the search tried, too."""
    never = {
        "repeat every sample",
        "reorder labels",
        "reorder samples",
        "rescale scores monotonically",
    }
    heads = {*next(iter(shown(NOTEBOOK, "09-41").values()))}
    assert heads == {*invariance.TRANSFORMATIONS} - never
    for name, metric in catalogue.variants(catalogue.taught()).items():
        for how in (invariance.TRANSFORMATIONS[one] for one in never):
            for y_true, y, _ in pool(catalogue.of(metric).reads)[:4] if how.applies(metric) else ():
                data = y_true[:4, :4], y[:4, :4]
                assert all(same(metric(*w), metric(*data)) for w in how.ways(*data)), (name, how)


def test_why_a_swap_or_an_empty_sample_does_not_move_f1():
    """On all sets of three samples and two labels; the weights of weighted F1 are those of the truth."""
    table, averages = shown(NOTEBOOK, "09-41"), ("macro", "micro", "weighted")
    for name, metric in (("F1", label_based.f1), ("Jaccard", label_based.jaccard)):
        for average in averages:
            function, row = partial(metric, average=average), table[f"{average} {name}"]
            worlds = [[np.array(m) for m in world] for world in pairs(3, 2, scores=False)]
            swapped = all(same(function(t, p), function(p, t)) for t, p in worlds)
            assert swapped == (average != "weighted") == (row["swap truth and prediction"] == "–")
            longer = ((np.vstack([m, [[0, 0]]]) for m in world) for world in worlds)
            assert all(
                same(function(*a), function(*b)) for a, b in zip(worlds, longer, strict=True)
            )
            assert row["append an empty sample"] == "–"
    assert shown(NOTEBOOK, "09-45") == rows(
        ("truth", "prediction", "macro F1"),
        ("before", "[[1]]", "[[1]]", "1"),
        ("after", "[[1, 0]]", "[[1, 0]]", "0.5"),
    )


def test_bills_and_fbeta():
    y_true, scores, sets = split()
    lines = []
    for name, one in (
        sets | {f"trees at {cut}": at(scores["trees"], cut) for cut in (0.2, 0.5, 0.8)}
    ).items():
        hits, alarms, misses = (
            (y_true & one).sum(),
            (one & 1 - y_true).sum(),
            (y_true & 1 - one).sum(),
        )
        f2, half = (
            float((1 + w) * hits / ((1 + w) * hits + w * misses + alarms)) for w in (4, 1 / 4)
        )
        lines.append((name, 4 * misses + alarms, f2, misses + 4 * alarms, half))
    heads = "a miss costs 4", "micro F2", "a false alarm costs 4", "micro F0.5"
    assert shown(NOTEBOOK, "09-51") == rows(heads, *lines)
    by = [{line[0]: line[column] for line in lines} for column in (1, 3, 4)]
    assert [min(by[0], key=by[0].get), min(by[1], key=by[1].get), max(by[2], key=by[2].get)] == [
        "trees",
        "trees at 0.8",
        "trees at 0.5",
    ]
    assert all(by[1][model] > by[1]["nothing"] for model in sets if model != "nothing")


def test_five_metrics_have_five_winners():
    """Of the 40 teams of the challenge's own table: the best value of each metric, and whose it is."""
    best = {
        "AUROC": ("UMCUVA", "0.915"), "AP": ("DSAIL_SNU", "0.514"), "exact match": ("Triage", "0.382"),
        "macro F1": ("HeartBeats", "0.487"), "challenge score": ("prna", "0.533"),
    }  # fmt: skip
    teams, table = shown(NOTEBOOK, "11-01"), shown(NOTEBOOK, "09-71")
    for metric, (team, value) in best.items():
        assert teams[team][metric] == value
        assert all(float(row[metric]) < float(value) for t, row in teams.items() if t != team)
        prna = teams["prna"][metric]
        assert table[metric] == {"best team": team, "its value": value, "prna's value": prna}


def rewarded(y_true, y_pred, reward, normal=0):
    """PhysioNet's score by a pencil: each true label with each predicted one, of all in either set."""

    def earned(said):
        total = 0
        for truth, row in zip(y_true, said, strict=True):
            true, predicted = ({j for j, one in enumerate(r) if one} for r in (truth, row))
            pairs = sum(reward[j][k] for j, k in product(true, predicted))
            total += pairs / max(len(true | predicted), 1)
        return total

    idle = earned([[int(j == normal) for j in range(len(row))] for row in y_true])
    return (earned(y_pred) - idle) / (earned(y_true) - idle) if earned(y_true) != idle else None


def test_rewards_of_three_hearts():
    """1 + 1/2 · 1/2 + 1, then 1 + 0 + 1, 1 + 3/4 + 3/4, 1 and 0 are earned; 1 is always normal's, 3 the truth's."""
    earned = {
        "flutter for fibrillation": 2.25,
        "normal for fibrillation": 2,
        "both for either": 2.5,
        "always normal": 1,
        "all exchanged": 0,
    }
    said_of = {
        "flutter for fibrillation": [[1, 0, 0], [0, 0, 1], [0, 0, 1]],
        "normal for fibrillation": [[1, 0, 0], [1, 0, 0], [0, 0, 1]],
        "both for either": [[1, 0, 0], [0, 1, 1], [0, 1, 1]],
        "always normal": [[1, 0, 0]] * 3,
        "all exchanged": [[0, 0, 1], [1, 0, 0], [1, 0, 0]],
    }
    truth, reward = np.eye(3, dtype=int), [[1, 0, 0], [0, 1, 0.5], [0, 0.5, 1]]
    for name, row in shown(NOTEBOOK, "09-73").items():
        y_pred = np.array(said_of[name])
        assert rewarded(truth, y_pred, reward) == (earned[name] - 1) / 2
        exact, f1s = (
            skm.accuracy_score(truth, y_pred),
            skm.f1_score(truth, y_pred, average="macro", zero_division=0),
        )
        texts = [decimal(float(v)) for v in (exact, f1s, (earned[name] - 1) / 2)]
        heads = "exact match", "macro F1", "challenge score"
        assert row == dict(zip(heads, texts, strict=True)), name


def test_the_reward_of_the_truth_is_1_and_that_of_always_normal_is_0():
    reward = [[1, 0.25], [0.25, 1]]

    def is_scaled(y_true, y_pred):
        idle = np.zeros_like(y_true)
        idle[:, 0] = 1
        of_truth = rewarded(y_true, y_true, reward)
        return of_truth is None or (of_truth, rewarded(y_true, idle, reward)) == (1, 0)

    always(is_scaled, ((2, 2), (1, 2)))


def test_nine_metrics_survive_a_swap_and_nine_change_with_an_unused_label():
    """On all worlds of two samples and labels; an unused label is never true, never predicted, and scored lowest."""
    survive, change = ({*row["metrics"].split(", ")} for row in shown(NOTEBOOK, "11-05").values())
    assert len(survive) == len(change) == 9

    def moves(metric, how, of_scores):
        every = ([np.array(m) for m in world] for world in pairs(2, 2, of_scores))
        return any(not np.isclose(metric(*w), metric(*how(*w)), equal_nan=True) for w in every)

    for name, metric in catalogue.variants(catalogue.taught()).items():
        of_scores = catalogue.of(metric).reads == "y_score"
        unused = partial(padded, lowest=-1 if of_scores else 0)
        assert moves(metric, unused, of_scores) == (name in change), name
        if not of_scores:
            assert moves(metric, lambda t, p: (p, t), of_scores) == (name not in survive), name


def padded(y_true, y_other, lowest):
    one = (0, 0), (0, 1)
    return np.pad(y_true, one), np.pad(y_other, one, constant_values=lowest)


def test_the_number_to_read_when_choosing():
    """4 of 7 true labels are found: 2/2 of label 1 by weight 2, and so on."""
    question = practice.quiz(seed=41)
    true, predicted = np.array(question.y_true), np.array(question.y_pred)
    assert ((true * predicted).sum(), true.sum()) == (4, 7)
    assert question.recipes["C"] == "weighted recall" and question.check("C").right
    assert skm.recall_score(true, predicted, average="weighted") == pytest.approx(4 / 7)


def test_four_times_the_weight_is_beta_2():
    """Two hits, two misses, no false alarm: 5 · 2 / (5 · 2 + 4 · 2), and 17 · 2 / (17 · 2 + 16 · 2)."""
    assert said(NOTEBOOK, "11-11").strip() == f"micro Fβ: {17 * 2 / (17 * 2 + 16 * 2):.3f}"
    assert said(NOTEBOOK, "11-13").strip() == f"micro F2: {5 * 2 / (5 * 2 + 4 * 2):.3f}"


def test_three_suggestions():
    """The mean over all orders of tied labels: those below the third place's score are out, the tied share what is left."""
    y_true, scores, _ = split()
    for model, row in shown(NOTEBOOK, "11-15").items():
        score = scores[model]
        third = -np.sort(-score, axis=1)[:, 2:3]
        above, tied = score > third, score == third
        left = (3 - above.sum(axis=1)) / tied.sum(axis=1)
        hits = (y_true * above).sum(axis=1) + left * (y_true * tied).sum(axis=1)
        recall = hits / np.maximum(y_true.sum(axis=1), 1)
        assert [row["P@3"], row["recall at 3"]] == [
            decimal(hits.mean() / 3),
            decimal(recall.mean()),
        ]
    assert shown(NOTEBOOK, "11-15")["trees"]["P@3"] == "0.248"
