"""What notebook 09 says of real data, and what its cells show: by scikit-learn and plain counts on the emoji."""

from collections import Counter
from functools import cache, partial
from itertools import combinations, permutations, product

import numpy as np
import sklearn.metrics as skm
from facts import always, decimal, rows, said, shown
from plain import MODELS, f1, right_cells, samples_f1, split

from mlm_course import emoji
from mlm_helpers import catalogue, data, example_based, hamming, ranking

NOTEBOOK = "09_real_data"
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
        ("labels predicted", "pictures without a label, share"), *lines
    )


def test_every_metric_of_every_model_is_that_of_scikit_learn():
    y_true, scores, sets = split(0)
    table = shown(NOTEBOOK, "09-12")
    assert len(table) == len(NAMES)
    for name, metric in (READ_SETS | READ_SCORES).items():
        read = scores if name in READ_SCORES else sets
        line = {model: decimal(metric(y_true, read[model])) for model in sets}
        assert table[f"{'↓' if name in LOWER else '↑'} {name}"] == line, name


def test_ten_rows_are_those_of_the_table_of_all():
    some, every = shown(NOTEBOOK, "09-13"), shown(NOTEBOOK, "09-12")
    assert len(some) == 10 and some == {name: every[name] for name in some}


def test_every_thirteenth_label():
    data = emoji.load()
    bars = "; ".join(f"{data.labels[j]} {data.y[:, j].sum()}" for j in range(0, 104, 13))
    assert said(NOTEBOOK, "09-05").rstrip("\n").endswith(f": {bars}.")


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
    weight = [(y_true + sets[m]).sum(axis=0).reshape(4, 26).sum(axis=1) for m in MODELS]
    assert all(one.argmax() == 0 for one in weight)  # in micro F1
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


def test_the_rule_for_ties_decides_between_neighbours_and_linear():
    tops, precisions = [], []
    for truth, scores, _ in map(split, range(5)):
        pair = scores["neighbours"], scores["linear"]
        tops.append([top_share(truth, one).mean() for one in pair])
        tied = partial(ranking.average_precision, truth, ties="average")
        precisions.append([tied(one) for one in pair])
    assert [sum(a > b for a, b in one) for one in (tops, precisions)] == [5, 2]
    assert won()["one-error", "neighbours", "linear"] == "1 : 4"


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


def test_five_pictures_and_what_is_predicted_for_them():
    y_true, _, sets = split()
    y, names, labels = (getattr(emoji.load(), what) for what in ("y", "names", "labels"))
    table = shown(NOTEBOOK, "09-105")
    assert len(table) == 5
    for name, row in table.items():
        truth = y[names.index(name)]
        assert words(labels, truth) == row["truth"]
        same = (y_true == truth).all(axis=1)
        assert any(
            all(words(labels, sets[m][i]) == row[m] for m in MODELS) for i in np.flatnonzero(same)
        )


def words(labels, row):
    return ", ".join(label for label, one in zip(labels, row, strict=True) if one) or "–"


def test_a_third_with_more_positives_is_never_scored_higher():
    y, scores, fold = (
        emoji.load().y,
        emoji.scores()["frequent"],
        data.folds(emoji.load().y, 3, seed=0),
    )
    inside = np.array([y[fold == i].mean(axis=0) for i in range(3)])
    outside = np.array([scores[fold == i][0] for i in range(3)])
    for a, b in permutations(range(3), 2):
        more = inside[a] > inside[b]
        assert (outside[a] <= outside[b])[more].all() and (outside[a] < outside[b]).any()


def test_the_trees_confuse_man_woman_and_person():
    y_true, _, sets = split()
    missed, alarms = y_true * (1 - sets["trees"]), sets["trees"] * (1 - y_true)
    labels = emoji.load().labels
    pairs = sorted(
        ((int(n), labels[j], labels[k]) for (j, k), n in np.ndenumerate(missed.T @ alarms)),
        reverse=True,
    )
    assert [n for n, *_ in pairs[:7]] == [12, 12, 10, 8, 6, 6, 3]
    assert {name for _, *names in pairs[:6] for name in names} == {"man", "woman", "person"}
    drawn = said(NOTEBOOK, "09-108")
    assert "Man missed: woman 12, person 6" in drawn and "person missed: man 8, woman 10" in drawn


def test_some_labels_are_never_found():
    y_true, _, sets = split()
    support, predicted = y_true.sum(axis=0), sets["trees"].sum(axis=0)
    hits = (y_true * sets["trees"]).sum(axis=0)
    assert support[hits == 0].max() < 12
    groups = {"never": predicted == 0, "but never rightly": (predicted > 0) & (hits == 0)}
    groups["rightly at least once"] = hits > 0
    assert [int(group.sum()) for group in groups.values()] == [15, 10, 79]
    lines = [(name, int(group.sum()), int(support[group].sum())) for name, group in groups.items()]
    assert shown(NOTEBOOK, "09-110") == rows(("labels", "positives"), *lines)


def test_tuned_for_hamming_loss_the_linear_model_is_silent_and_the_trees_lead():
    (y_true, _, by_f1), (_, _, by_loss) = split(), split(0, right_cells)
    lines = [
        (
            m,
            *(
                n
                for sets in (by_f1, by_loss)
                for n in (int(sets[m].sum()), skm.hamming_loss(y_true, sets[m]))
            ),
        )
        for m in (*MODELS, "nothing")
    ]
    heads = (
        "predicted",
        "Hamming loss",
        "predicted, tuned for it",
        "Hamming loss, tuned for it",
    )
    assert shown(NOTEBOOK, "09-113") == rows(heads, *lines)
    assert by_loss["linear"].sum() == 0
    for y_true, _, sets in (split(repeat, right_cells) for repeat in range(5)):
        assert (y_true != sets["trees"]).sum() < (y_true != sets["neighbours"]).sum()


def test_the_neighbours_are_silent_on_more_pictures_without_a_label():
    for y_true, _, sets in map(split, range(5)):
        silent = {m: int(empty(sets[m])[empty(y_true)].sum()) for m in MODELS}
        assert silent["neighbours"] > silent["linear"]


def test_the_two_clerks():
    y_true, scores, _ = split()
    table, some = shown(NOTEBOOK, "09-65"), y_true.any(axis=1)
    assert table["micro precision"] == {
        m: decimal(values()["micro precision"][m]) for m in ("neighbours", "linear")
    }
    for rule in ("worst", "best"):
        for model, text in table[
            f"labels read in a picture that has one, ties at their {rule}"
        ].items():
            score = scores[model][some]
            lowest = np.where(y_true[some], score, np.inf).min(axis=1, keepdims=True)
            read = (score >= lowest) if rule == "worst" else (score > lowest)
            assert text == decimal(read.sum(axis=1).mean() + (rule == "best")), (model, rule)
    drawn = table["labels read in a picture that has one, ties in random order (20 draws)"]
    for truth, score, _ in map(split, range(5)):
        expected = {m: read_at_random(truth, score[m]) for m in drawn}
        assert expected["linear"] < expected["neighbours"] - 8
        if truth is y_true:
            assert all(abs(float(drawn[m]) - expected[m]) < 0.8 for m in drawn)


def read_at_random(y_true, y_score):
    """The expected coverage, ties in random order: of g tied labels, r of them true, the last true one is on average at r (g + 1) / (r + 1)."""
    found = []
    for truth, score in zip(y_true, y_score, strict=True):
        if truth.any():
            lowest = score[truth == 1].min()
            tied, true = (score == lowest).sum(), (score[truth == 1] == lowest).sum()
            found.append((score > lowest).sum() + true * (tied + 1) / (true + 1))
    return np.mean(found)
