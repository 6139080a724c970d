"""What notebook 11 says of real models, and what its cells show: by scikit-learn and plain counts on the emoji."""

import re
from collections import Counter
from functools import cache
from itertools import combinations, product

import numpy as np
import sklearn.metrics as skm
from facts import always, decimal, rows, said, shown
from plain import MODELS, at, best_cut, f1, halves, micro_f1, samples_f1
from worlds import matrices, weak_orderings

from mlm_helpers import (
    catalogue,
    curves,
    disagreement,
    example_based,
    hamming,
    label_based,
    ranking,
    top_k,
)
from mlm_helpers.course import emoji

NOTEBOOK = "11_choosing_a_metric"
LOWER = {"zero-one loss", "Hamming loss", "coverage", "one-error", "ranking loss"}
EXACT = {"subset accuracy", "zero-one loss", "Hamming loss"}
AVERAGES = "macro", "micro", "weighted"


def set_metric(name):
    """The metric of this name in scikit-learn."""
    average, _, kind = name.partition(" ")
    kind = "jaccard" if "accard" in kind else kind.lower()
    metric = getattr(skm, f"{kind}_score")
    return lambda y_true, y_pred: metric(y_true, y_pred, average=average, zero_division=0)


def top_share(y_true, y_score):
    """Of the labels that share the first place of a sample, the share that is true."""
    first = y_score == y_score.max(axis=1, keepdims=True)
    return (first * y_true).sum(axis=1) / first.sum(axis=1)


SAMPLES = [f"samples {kind}" for kind in ("accuracy (Jaccard)", "precision", "recall", "F1")]
LABELS = [f"{a} {kind}" for kind in ("precision", "recall", "F1", "Jaccard") for a in AVERAGES]
READ_SETS = {
    "subset accuracy": skm.accuracy_score,
    "zero-one loss": skm.zero_one_loss,
    "Hamming loss": skm.hamming_loss,
} | {name: set_metric(name) for name in SAMPLES + LABELS}
READ_SCORES = {
    "coverage": skm.coverage_error,
    "one-error": lambda t, s: float((top_share(t, s) < 1).mean()),
    "ranking loss": skm.label_ranking_loss,
    "average precision": skm.label_ranking_average_precision_score,
    "precision at 1": lambda t, s: float(top_share(t, s).mean()),
    "recall at 1": lambda t, s: float((top_share(t, s) / np.maximum(t.sum(axis=1), 1)).mean()),
    "nDCG at 1": lambda t, s: skm.ndcg_score(t, s, k=1),
}
for average, (name, metric) in product(
    AVERAGES, {"AP": skm.average_precision_score, "AUROC": skm.roc_auc_score}.items()
):
    READ_SCORES[f"{average} {name}"] = lambda t, s, m=metric, a=average: m(t, s, average=a)
NAMES = {*READ_SETS, *READ_SCORES}


@cache
def split(repeat):
    """Truth, scores and sets of the half that judges."""
    (y_tune, tune), (y_test, test) = halves(repeat)
    sets = {m: at(test[m], best_cut(micro_f1, y_tune, tune[m])) for m in MODELS}
    sets["frequent"] = np.zeros_like(y_test)
    sets["frequent"][:, y_tune.sum(axis=0).argmax()] = 1
    sets["nothing"] = np.zeros_like(y_test)
    return y_test, {model: test[model] for model in sets}, sets


@cache
def won():
    """For each metric and pair of models, on how many splits each of the two is the better."""
    of, found = catalogue.variants(), {}
    for name in NAMES:
        sign = -1 if name in LOWER else 1
        values = []
        for repeat in range(5):
            truth, scores, sets = split(repeat)
            read = scores if name in READ_SCORES else sets
            values.append({model: sign * of[name](truth, read[model]) for model in sets})
        for a, b in combinations(sets, 2):
            ahead = sum(row[a] > row[b] for row in values), sum(row[a] < row[b] for row in values)
            found[name, a, b] = f"{ahead[0]} : {ahead[1]}"
    return found


def told(a, b, verdict):
    return {name for name in NAMES if won()[name, a, b] == verdict}


def values():
    """The table of all metrics as shown: name → model → value."""
    table = shown(NOTEBOOK, "09-12")
    return {name[2:]: {m: float(v) for m, v in row.items()} for name, row in table.items()}


def quarters(y_true, y_pred):
    return f1(y_true, y_pred, 0).reshape(4, 26).mean(axis=1)


def empty(y):
    return ~y.any(axis=1)


# ---------------------------------------------------------------------------- facts


def test_hamming_loss_prefers_a_model_to_nothing_just_where_it_has_more_hits_than_false_alarms():
    def just(y_true, y_pred):
        prefers = hamming.hamming_loss(y_true, y_pred) < y_true.mean() - 1e-12
        return prefers == ((y_true & y_pred).sum() > ((1 - y_true) & y_pred).sum())

    always(just)


def test_on_an_empty_sample_f1_is_0_or_0_over_0_where_the_model_is_silent_too():
    def holds(y_true, y_pred):
        each = example_based.f1(y_true, y_pred, zero_division=np.nan, per_sample=True)
        silent = empty(y_pred)[empty(y_true)]
        each = each[empty(y_true)]
        return (np.isnan(each) == silent).all() and not each[~silent].any()

    always(holds)


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


# ---------------------------------------------------------------------------- the data and the models


def test_09_the_emoji():
    y = emoji.load().y
    lines = [
        ("pictures", 1572),
        ("labels", 104),
        ("labels per picture, mean", y.sum() / 1572),
        ("pictures without a label, share", empty(y).mean()),
        ("cells that are 1, share", y.sum() / y.size),
    ]
    assert shown(NOTEBOOK, "09-06") == rows(("emoji",), *lines)
    assert y.sum(axis=0).min() == 12 and (y.sum(axis=0) > 50).sum() < 10


def test_how_much_each_model_predicts():
    y_true, _, sets = split(0)
    lines = [
        (name, int(one.sum()), float(empty(one).mean()))
        for name, one in (sets | {"the truth": y_true}).items()
    ]
    assert shown(NOTEBOOK, "09-09") == rows(
        ("labels said", "pictures without a label, share"), *lines
    )


def test_every_metric_of_every_model_is_that_of_scikit_learn():
    y_true, scores, sets = split(0)
    table = shown(NOTEBOOK, "09-12")
    assert len(table) == len(NAMES)
    for name, metric in (READ_SETS | READ_SCORES).items():
        read = scores if name in READ_SCORES else sets
        line = {model: decimal(metric(y_true, read[model])) for model in sets}
        assert table[f"{'↓' if name in LOWER else '↑'} {name}"] == line, name


def test_the_pictures_have_the_values_of_the_table():
    for cell in ("09-13", "09-25"):
        for name, points in re.findall(
            r"(?:\. |; )([^;.:]+) [↑↓]: ([^;]+)(?=;|\.$)", said(NOTEBOOK, cell)
        ):
            row = dict(point.rsplit(" ", 1) for point in points.split(", "))
            assert {model: float(value) for model, value in row.items()} == values()[name], (
                cell,
                name,
            )
        order = list(row.values())
    assert order == sorted(order, reverse=True)  # from best to worst, of macro AUROC


def test_who_leads():
    best = {n: (min if n in LOWER else max)(row, key=row.get) for n, row in values().items()}
    other = {name for name, model in best.items() if model != "trees"}
    assert other == EXACT | {"micro precision"} and {best[name] for name in other} == {"neighbours"}
    wrong = Counter(max(row, key=row.get) for row in values().values())
    for cell, leaders in (("09-61", wrong), ("09-63", Counter(best.values()))):
        assert shown(NOTEBOOK, cell) == rows(("leads under",), *leaders.items())


def test_frequent_and_rare_labels():
    y_true, _, sets = split(0)
    support, labels = y_true.sum(axis=0), emoji.load().labels
    each = {model: f1(y_true, sets[model], 0) for model in MODELS}
    table = shown(NOTEBOOK, "09-16")
    for label, row in table.items():
        j = labels.index(label)
        assert row == {"positives": str(support[j])} | {m: decimal(each[m][j]) for m in MODELS}
    share = support.reshape(4, 26).sum(axis=1) / support.sum()
    means = [quarters(y_true, sets[model]) for model in MODELS]
    ahead = sum(
        quarters(t, p["neighbours"]) > quarters(t, p["linear"]) for t, _, p in map(split, range(5))
    )
    lines = [
        (name, float(share[i]), *(float(mean[i]) for mean in means), f"{ahead[i]} : {5 - ahead[i]}")
        for i, name in enumerate(("first", "second", "third", "last"))
    ]
    heads = "of positives", *MODELS, "neighbours : linear, five splits"
    assert shown(NOTEBOOK, "09-18") == rows(heads, *lines)
    drawn = said(NOTEBOOK, "09-19").removeprefix("Metrics by model. ").removesuffix(".").split("; ")
    assert drawn == [
        f"F1, {name} quarter ↑: "
        + ", ".join(f"{m} {decimal(mean)}" for m, mean in zip(MODELS, means, strict=True))
        for name, _, *means, _ in lines
    ]


# ---------------------------------------------------------------------------- reversals


def test_on_how_many_splits_one_model_beats_another():
    table = shown(NOTEBOOK, "09-22")
    assert {*table} == NAMES
    for name, row in table.items():
        assert row == {pair: won()[(name, *pair.split(" : "))] for pair in row}
    assert {"3 : 2", "5 : 0", "0 : 5"} <= {*won().values()}


def test_which_reversals_hold():
    for pair, row in shown(NOTEBOOK, "09-24").items():
        first, second = (told(*pair.split(" or "), verdict) for verdict in ("5 : 0", "0 : 5"))
        smaller = min(first, second, key=len)
        assert [int(row[f"the {which} always"]) for which in ("first", "second")] == [
            len(first),
            len(second),
        ]
        assert int(row["neither"]) == len(NAMES) - len(first) - len(second)
        assert {*filter(None, row["names of the smaller side"].split(", "))} == smaller
    assert told("linear", "nothing", "0 : 5") == EXACT
    assert told("neighbours", "trees", "4 : 1") == {"Hamming loss", "micro precision"}
    assert {"micro F1", "micro AP", "Hamming loss"} <= told("neighbours", "linear", "5 : 0")


def test_ties_and_empty_sets_change_who_wins():
    y_true, scores, sets = split(0)
    lines = [
        (rule, *(float(loss(y_true, s, tied)) for s in scores.values()))
        for rule, tied in (("worst", 1), ("average", 0.5), ("best", 0))
    ]
    assert shown(NOTEBOOK, "09-28") == rows(scores, *lines)
    lines = []
    for rule in ("0.0", "nan", "agree"):
        ahead = sum(
            worth(t, p["neighbours"], rule) > worth(t, p["linear"], rule)
            for t, _, p in map(split, range(5))
        )
        lines.append(
            (rule, *(worth(y_true, one, rule) for one in sets.values()), f"{ahead} : {5 - ahead}")
        )
    assert shown(NOTEBOOK, "09-31") == rows((*sets, "neighbours : linear"), *lines)


def loss(y_true, y_score, tied):
    """Ranking loss, where a tied pair is worth so much of a wrong one."""
    each = [0.0]
    for truth, score in zip(y_true, y_score, strict=True):
        up, down = score[truth == 1][:, None], score[truth == 0]
        each.append(((up < down) + tied * (up == down)).mean() if up.size and down.size else 0.0)
    return sum(each) / len(y_true)


def worth(y_true, y_pred, rule):
    """Samples F1 where 0/0 is 0, left out, or 1."""
    both = empty(y_true) & empty(y_pred)
    if rule == "nan":
        return samples_f1(y_true[~both], y_pred[~both])
    return samples_f1(y_true, y_pred) + (both.mean() if rule == "agree" else 0.0)


# ---------------------------------------------------------------------------- any data


def clash(a, b, y_true):
    """Whether two predictions, or two orders, of this truth are put in opposite order by two metrics."""
    shape = np.shape(y_true)
    of_sets = [np.array(m) for m in matrices(*shape)] if shape[1] < 4 else []
    of_scores = [np.array(m) for m in product(weak_orderings(shape[1]), repeat=shape[0])]
    of, pairs = catalogue.variants(), []
    for name in (a, b):
        read = of_scores if name in READ_SCORES else of_sets
        pairs.append([(-1 if name in LOWER else 1) * of[name](y_true, other) for other in read])
    one, other = np.round(pairs, 9)
    order = np.sign(one[:, None] - one) * np.sign(other[:, None] - other)
    return bool((order < 0).any())


def test_the_smallest_truth_on_which_each_pair_disagrees():
    for pair, row in shown(NOTEBOOK, "09-38").items():
        truth = np.array(eval(row["truth of the smallest case"]))
        a, b = pair.split(" and ")
        assert truth.shape in ((3, 2), (1, 5)) and clash(a, b, truth), pair
        assert not any(clash(a, b, np.array(small)) for small in matrices(2, 2)), pair


def test_never_disagree_is_said_of_the_pairs_of_theorems():
    table = shown(NOTEBOOK, "09-36")
    assert {*table} == {" and ".join(pair) for pair in disagreement.SAME_ORDER}


def test_reasons_are_counted_as_they_are_drawn():
    """A "=" of the picture for each metric that a reason of the table holds for."""
    head, *lines = said(NOTEBOOK, "09-41").split("the changes are ")[1].rstrip(".").split(". ")
    changes = head.split(", ")
    drawn = [line.rpartition(": ")[2].split() for line in ". ".join(lines).split("; ")]
    table = shown(NOTEBOOK, "09-43", names=2)
    for column, change in enumerate(changes):
        reasons = [
            int(row["metrics"]) for name, row in table.items() if name.startswith(f"{change}, ")
        ]
        assert sum(reasons) == [line[column] for line in drawn].count("="), change
    assert "before 1, after 1/2 = 0.5" in said(NOTEBOOK, "09-45")


def test_bills_and_fbeta():
    y_true, scores, sets = split(0)
    lines = []
    for name, one in (sets | {"trees at 0.5": at(scores["trees"], 0.5)}).items():
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
        "nothing",
        "trees at 0.5",
    ]


def test_the_two_clerks_and_the_report():
    for name, row in shown(NOTEBOOK, "09-65").items():
        assert row == {m: decimal(values()[name][m]) for m in ("neighbours", "linear")} | {
            "splits won": won()[name, "neighbours", "linear"]
        }
    y_true, _, sets = split(0)
    interval, report = said(NOTEBOOK, "09-68").splitlines()
    assert f"value={micro_f1(y_true, sets['trees']):.3f}" in interval
    assert report.startswith(
        f"786 samples, 104 labels, label cardinality (true labels a sample) {y_true.sum() / 786:.6f}; {empty(y_true).sum()} of 786 "
    )


# ---------------------------------------------------------------------------- a challenge's five metrics, and its reward


def test_five_metrics_have_five_winners():
    """Of the 40 teams of the challenge's own table: the best value of each metric, and whose it is."""
    best = {
        "AUROC": ("UMCUVA", "0.915"), "AP (AUPRC)": ("DSAIL_SNU", "0.514"), "exact match": ("Triage", "0.382"),
        "macro F1": ("HeartBeats", "0.487"), "challenge score": ("prna", "0.533"),
    }  # fmt: skip
    table = shown(NOTEBOOK, "09-71")
    assert {team: row["place"] for team, row in table.items()} == {
        "prna": "1", "HeartBeats": "3", "Triage": "4", "DSAIL_SNU": "6", "UMCUVA": "7",
    }  # fmt: skip
    for metric, (team, value) in best.items():
        assert table[team][metric] == value
        assert all(float(row[metric]) < float(value) for t, row in table.items() if t != team)


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
        exact, f1s = skm.accuracy_score(truth, y_pred), set_metric("macro F1")(truth, y_pred)
        texts = [decimal(float(v)) for v in (exact, f1s, (earned[name] - 1) / 2)]
        assert [*row.values()] == texts, name


def test_the_reward_of_the_truth_is_1_and_that_of_always_normal_is_0():
    reward = [[1, 0.25], [0.25, 1]]

    def is_scaled(y_true, y_pred):
        idle = np.zeros_like(y_true)
        idle[:, 0] = 1
        of_truth = rewarded(y_true, y_true, reward)
        return of_truth is None or (of_truth, rewarded(y_true, idle, reward)) == (1, 0)

    always(is_scaled, ((2, 2), (1, 2)))
