"""What notebook 09 says of real data, and what its cells show: the emoji, by plain counts at every cut."""

from collections import Counter
from functools import cache, partial
from itertools import combinations, permutations

import numpy as np
from facts import always, as_table, cell_table, cell_text, decimal
from plain import MODELS, correct_cells_gained, counts_at_thresholds, f1, samples_f1, split

from mlm_course import emoji
from mlm_helpers import data, hamming, ranking

NOTEBOOK = "09_real_data"
LOWER = {"zero-one loss", "Hamming loss", "coverage", "one-error", "ranking loss"}
EXACT = {"subset accuracy", "zero-one loss", "Hamming loss"}


# ---------------------------------------------------------------------------- every metric


def of_sets(y_true, y_pred):
    """Metrics of label sets by name; 0/0 is 0."""
    exact, cells = (y_true == y_pred).all(axis=1).mean(), (y_true == y_pred).mean()
    found = {"subset accuracy": exact, "zero-one loss": 1 - exact, "Hamming loss": 1 - cells}
    for average, axis in {"samples": 1, "macro": 0, "weighted": 0, "micro": None}.items():
        hits, predicted, true = (y.sum(axis=axis) for y in (y_true * y_pred, y_pred, y_true))
        wholes = {"precision": predicted, "recall": true, "F1": (predicted + true) / 2}
        wholes["Jaccard" if axis != 1 else "accuracy (Jaccard)"] = predicted + true - hits
        for kind, whole in wholes.items():
            weights = true if average == "weighted" else None
            found[f"{average} {kind}"] = np.average(hits / np.maximum(whole, 0.5), weights=weights)
    return found


def precision_area(hits, predicted):
    """Average precision of each column: the precision at each cut, for the share of the positives found there."""
    found = np.diff(hits, axis=0) * hits[1:] / np.maximum(predicted[1:], 1)
    return found.sum(axis=0) / np.maximum(hits[-1], 1)


def pairs_lost(hits, predicted, tied=0.5):
    """The share of each column's pairs in which the false one is ahead; a tied pair counts so much of one."""
    true, alarms = hits[-1], np.diff(predicted - hits, axis=0)
    behind = true - tied * hits[:-1] - (1 - tied) * hits[1:]
    return (alarms * behind).sum(axis=0) / np.maximum(true * (predicted[-1] - true), 1)


def top_share(y_true, y_score):
    """Of the labels that share the first place of a sample, the share that is true."""
    first = y_score == y_score.max(axis=1, keepdims=True)
    return (first * y_true).sum(axis=1) / first.sum(axis=1)


def of_scores(y_true, y_score):
    """Metrics of scores by name; in ranking metrics and AP ties are at their worst."""
    both, top, support = (y_true, y_score), top_share(y_true, y_score), y_true.sum(axis=0)
    _, hits, depth = counts_at_thresholds(y_true.T, y_score.T)
    some = y_true.any(axis=1)
    found = {
        "coverage": np.where(hits == hits[-1], depth, np.inf).min(axis=0).mean(),
        "one-error": (top < 1).mean(),
        "ranking loss": pairs_lost(hits, depth, tied=1).mean(),
        "average precision": np.where(some, precision_area(hits, depth), 1).mean(),
        "precision at 1": top.mean(),
        "recall at 1": (top / np.maximum(y_true.sum(axis=1), 1)).mean(),
        "nDCG at 1": top.mean(),
    }
    _, *counts = counts_at_thresholds(*both)
    _, *pooled = counts_at_thresholds(*(matrix.reshape(-1, 1) for matrix in both))
    for name, area in (("AP", precision_area), ("AUROC", lambda *c: 1 - pairs_lost(*c))):
        found[f"macro {name}"] = area(*counts).mean()
        found[f"weighted {name}"] = np.average(area(*counts), weights=support)
        found[f"micro {name}"] = area(*pooled)[0]
    return found


@cache
def values(repeat=0):
    """The value of each metric, model by model, on one split."""
    y_true, scores, sets = split(repeat)
    each = {m: of_sets(y_true, sets[m]) | of_scores(y_true, scores[m]) for m in sets}
    return {name: {m: float(each[m][name]) for m in sets} for name in each["nothing"]}


@cache
def won():
    """For each metric and pair of models, on how many splits each of the two is the better."""
    found = {}
    for name in values():
        sign = -1 if name in LOWER else 1
        lines = [{m: round(sign * v, 12) for m, v in values(i)[name].items()} for i in range(5)]
        for a, b in combinations(lines[0], 2):
            ahead = sum(line[a] > line[b] for line in lines), sum(x[a] < x[b] for x in lines)
            found[name, a, b] = f"{ahead[0]} : {ahead[1]}"
    return found


def told(a, b, verdict):
    return {name for name in values() if won()[name, a, b] == verdict}


def test_every_metric_of_every_model_is_counted_again():
    table = cell_table(NOTEBOOK, "09-12")
    assert table == {
        f"{'↓' if name in LOWER else '↑'} {name}": {m: decimal(v) for m, v in row.items()}
        for name, row in values().items()
    }
    some = cell_table(NOTEBOOK, "09-13")
    assert len(some) == 10 and some == {name: table[name] for name in some}


def test_who_leads():
    best = {n: (min if n in LOWER else max)(row, key=row.get) for n, row in values().items()}
    other = {name for name, model in best.items() if model != "trees"}
    assert other == EXACT | {"micro precision"} and {best[name] for name in other} == {"neighbours"}
    ahead = {
        (name, model)
        for name, row in values().items()
        for model in MODELS
        if (row["frequent"] - row[model]) * (-1 if name in LOWER else 1) > 0
    }
    ranked = {("coverage", "neighbours"), ("ranking loss", "neighbours")}
    assert ahead == ranked | {("Hamming loss", "linear")}
    wrong = Counter(max(row, key=row.get) for row in values().values())
    for cell, leaders in (("09-61", wrong), ("09-63", Counter(best.values()))):
        assert cell_table(NOTEBOOK, cell) == as_table(("leads under",), *leaders.items())


def test_on_how_many_splits_one_model_beats_another():
    table = cell_table(NOTEBOOK, "09-22")
    assert {*table} == {*values()}
    for name, row in table.items():
        assert row == {pair: won()[(name, *pair.split(" : "))] for pair in row}
    assert {"3 : 2", "5 : 0", "0 : 5"} <= {*won().values()}


def test_which_reversals_hold():
    for pair, row in cell_table(NOTEBOOK, "09-24").items():
        first, second = (told(*pair.split(" or "), verdict) for verdict in ("5 : 0", "0 : 5"))
        counts = len(first), len(second), len(values()) - len(first) - len(second)
        heads = "the first always", "the second always", "neither"
        assert [int(row[head]) for head in heads] == [*counts]
        smaller = min(first, second, key=len)
        assert {*filter(None, row["names of the smaller side"].split(", "))} == smaller
    assert told("linear", "nothing", "0 : 5") == EXACT
    assert told("neighbours", "trees", "4 : 1") == {"Hamming loss", "micro precision"}
    assert {"micro F1", "micro AP", "Hamming loss"} <= told("neighbours", "linear", "5 : 0")


# ---------------------------------------------------------------------------- the pictures and their labels


def empty(y):
    return ~y.any(axis=1)


def test_how_much_each_model_predicts():
    y_true, _, sets = split()
    every = sets | {"the truth": y_true}
    lines = [(name, int(one.sum()), float(empty(one).mean())) for name, one in every.items()]
    heads = "labels predicted", "pictures without a label, share"
    assert cell_table(NOTEBOOK, "09-09") == as_table(heads, *lines)


def quarters(y_true, y_pred):
    return f1(y_true, y_pred, 0).reshape(4, 26).mean(axis=1)


def test_frequent_and_rare_labels():
    y_true, _, sets = split()
    support, labels = y_true.sum(axis=0), emoji.load().labels
    each = {model: f1(y_true, sets[model], 0) for model in MODELS}
    for label, row in cell_table(NOTEBOOK, "09-16").items():
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
    assert cell_table(NOTEBOOK, "09-18") == as_table(heads, *lines)


def test_a_third_with_more_positives_is_never_scored_higher():
    y, frequent = emoji.load().y, emoji.scores()["frequent"]
    fold = data.folds(y, 3, seed=0)
    inside = np.array([y[fold == i].mean(axis=0) for i in range(3)])
    outside = np.array([frequent[fold == i][0] for i in range(3)])
    for a, b in permutations(range(3), 2):
        more = inside[a] > inside[b]
        assert (outside[a] <= outside[b])[more].all() and (outside[a] < outside[b]).any()


def test_the_trees_confuse_man_woman_and_person():
    y_true, _, sets = split()
    missed, alarms = y_true * (1 - sets["trees"]), sets["trees"] * (1 - y_true)
    labels = emoji.load().labels
    every = [(int(n), labels[j], labels[k]) for (j, k), n in np.ndenumerate(missed.T @ alarms)]
    pairs = sorted(every, reverse=True)
    assert [n for n, *_ in pairs[:7]] == [12, 12, 10, 8, 6, 6, 3]
    assert {name for _, *names in pairs[:6] for name in names} == {"man", "woman", "person"}
    drawn = cell_text(NOTEBOOK, "09-108")
    assert "Man missed: woman 12, person 6" in drawn and "person missed: man 8, woman 10" in drawn


def test_some_labels_are_never_found():
    y_true, _, sets = split()
    support, predicted = y_true.sum(axis=0), sets["trees"].sum(axis=0)
    hits = (y_true * sets["trees"]).sum(axis=0)
    assert support[hits == 0].max() < 12
    groups = {"never": predicted == 0, "but never rightly": (predicted > 0) & (hits == 0)}
    groups["rightly at least once"] = hits > 0
    lines = [(name, int(group.sum()), int(support[group].sum())) for name, group in groups.items()]
    assert cell_table(NOTEBOOK, "09-110") == as_table(("labels", "positives"), *lines)


# ---------------------------------------------------------------------------- thresholds, ties and empty sets


def test_hamming_loss_prefers_a_model_to_nothing_just_where_it_has_more_hits_than_false_alarms():
    def just(y_true, y_pred):
        prefers = hamming.hamming_loss(y_true, y_pred) < y_true.mean() - 1e-12
        return prefers == ((y_true & y_pred).sum() > ((1 - y_true) & y_pred).sum())

    always(just, ((2, 2),))


def test_tuned_for_hamming_loss_the_linear_model_is_silent_and_the_trees_lead():
    (y_true, _, by_f1), (_, _, by_loss) = split(), split(0, correct_cells_gained)
    lines = []
    for m in (*MODELS, "nothing"):
        both = by_f1[m], by_loss[m]
        cells = (n for one in both for n in (int(one.sum()), float((one != y_true).mean())))
        lines.append((m, *cells))
    heads = "predicted", "Hamming loss", "predicted, tuned for it", "Hamming loss, tuned for it"
    assert cell_table(NOTEBOOK, "09-113") == as_table(heads, *lines)
    assert by_loss["linear"].sum() == 0
    for y_true, _, sets in (split(repeat, correct_cells_gained) for repeat in range(5)):
        assert (y_true != sets["trees"]).sum() < (y_true != sets["neighbours"]).sum()


def test_the_rule_for_ties_decides_between_neighbours_and_linear():
    tops, precisions = [], []
    for truth, scores, _ in map(split, range(5)):
        pair = scores["neighbours"], scores["linear"]
        tops.append([top_share(truth, one).mean() for one in pair])
        tied = partial(ranking.average_precision, truth, ties="average")
        precisions.append([tied(one) for one in pair])
    assert [sum(a > b for a, b in one) for one in (tops, precisions)] == [5, 2]
    assert won()["one-error", "neighbours", "linear"] == "1 : 4"


def worth(y_true, y_pred, rule):
    """Samples F1 where 0/0 is 0, left out, or 1."""
    both = empty(y_true) & empty(y_pred)
    if rule == "nan":
        return samples_f1(y_true[~both], y_pred[~both])
    return samples_f1(y_true, y_pred) + (both.mean() if rule == "agree" else 0.0)


def test_ties_and_empty_sets_change_who_wins():
    y_true, scores, sets = split()
    curves = [counts_at_thresholds(y_true.T, one.T)[1:] for one in scores.values()]
    lines = [
        (rule, *(float(pairs_lost(*curve, tied).mean()) for curve in curves))
        for rule, tied in (("worst", 1), ("average", 0.5), ("best", 0))
    ]
    assert cell_table(NOTEBOOK, "09-28") == as_table(scores, *lines)
    lines, splits = [], [*map(split, range(5))]
    for rule in ("0.0", "nan", "agree"):
        wins = [worth(t, p["neighbours"], rule) > worth(t, p["linear"], rule) for t, _, p in splits]
        each = (worth(y_true, one, rule) for one in sets.values())
        lines.append((rule, *each, f"{sum(wins)} : {5 - sum(wins)}"))
    assert cell_table(NOTEBOOK, "09-31") == as_table((*sets, "neighbours : linear"), *lines)


def test_the_neighbours_are_silent_on_more_pictures_without_a_label():
    for y_true, _, sets in map(split, range(5)):
        silent = {m: int(empty(sets[m])[empty(y_true)].sum()) for m in MODELS}
        assert silent["neighbours"] > silent["linear"]


def labels_read(y_true, y_score):
    """Of pictures with a label, ties at their worst, at their best and in random order: of g tied labels, r of them
    true, the last true one is on average at r (g + 1) / (r + 1).
    """
    truth, score = y_true[y_true.any(axis=1)], y_score[y_true.any(axis=1)]
    lowest = np.where(truth, score, np.inf).min(axis=1, keepdims=True)
    above, tied = (score > lowest).sum(axis=1), (score == lowest).sum(axis=1)
    true = ((score == lowest) * truth).sum(axis=1)
    depths = above + tied, above + 1, above + true * (tied + 1) / (true + 1)
    return [float(depth.mean()) for depth in depths]


def test_the_two_clerks():
    y_true, scores, _ = split()
    models = "neighbours", "linear"
    first, *table = (
        [float(row[m]) for m in models] for row in cell_table(NOTEBOOK, "09-65").values()
    )
    assert first == [round(values()["micro precision"][m], 3) for m in models]
    off = np.abs(np.transpose([labels_read(y_true, scores[m]) for m in models]) - table)
    assert (off.max(axis=1) <= (5e-4, 5e-4, 0.8)).all()  # twenty random orders are near their mean
    for truth, score, _ in map(split, range(5)):
        neighbours, linear = (labels_read(truth, score[m])[2] for m in models)
        assert linear < neighbours - 8
