"""Facts of notebook 09, on the emoji: which model leads under which metric, and why."""

from collections import Counter
from functools import cache, partial
from itertools import chain, combinations

import numpy as np
from facts import as_table, cell_table, cell_text, decimal
from plain import MODELS, correct_cells_gained, f1, split

from mlm_course import emoji
from mlm_helpers import catalogue, example_based

NOTEBOOK = "09_real_data"
LOWER = {"zero-one loss", "Hamming loss", "coverage", "one-error", "ranking loss"}
EXACT = {"subset accuracy", "zero-one loss", "Hamming loss"}
METRICS = catalogue.variants(r for r in catalogue.taught_records() if "beta" not in r.defaults)


# ---------------------------------------------------------------------------- every metric


@cache
def metric_values(repeat=0):
    """Value of each metric on one split: metric → model → value."""
    y_true, scores, sets = split(repeat)
    matrices = {"y_pred": sets, "y_score": scores}
    return {
        name: {m: float(metric(y_true, y[m])) for m in sets}
        for name, metric in METRICS.items()
        for y in [matrices[catalogue.record_of(metric).reads]]
    }


@cache
def wins():
    """By metric and two models: on how many splits the first and second is better, "3 : 2"."""
    texts = {}
    for name in metric_values():
        rows = [metric_values(repeat)[name] for repeat in range(5)]
        for a, b in combinations(rows[0], 2):
            gains = np.array([round(row[a] - row[b], 12) for row in rows])
            gains = -gains if name in LOWER else gains
            texts[name, a, b] = f"{(gains > 0).sum()} : {(gains < 0).sum()}"
    return texts


def metrics_with(a, b, text):
    """The metrics under which models a and b have the wins "5 : 0", for example."""
    return {name for name in metric_values() if wins()[name, a, b] == text}


def neighbours_wins(value):
    """On how many of five splits a value of label sets is larger for neighbours than linear."""
    return sum(
        value(y_true, sets["neighbours"]) > value(y_true, sets["linear"])
        for y_true, _, sets in map(split, range(5))
    )


def test_every_metric_of_every_model_is_computed_again():
    table = cell_table(NOTEBOOK, "09-12")
    assert table == {
        f"{'↓' if name in LOWER else '↑'} {name}": {m: decimal(v) for m, v in row.items()}
        for name, row in metric_values().items()
    }
    ten_rows, y_true = cell_table(NOTEBOOK, "09-13"), split()[0]
    for row_name, row in ten_rows.items():
        metric = METRICS[row_name[2:]]
        is_of_sets = catalogue.record_of(metric).reads == "y_pred"
        of_everything = decimal(metric(y_true, np.ones_like(y_true))) if is_of_sets else "–"
        assert row == table[row_name] | {"everything": of_everything}


def test_which_model_leads_under_each_metric():
    rows = metric_values()
    best = {name: (min if name in LOWER else max)(rows[name], key=rows[name].get) for name in rows}
    not_trees = {name for name, model in best.items() if model != "trees"}
    assert not_trees == EXACT | {"micro precision"}
    assert {best[name] for name in not_trees} == {"neighbours"}
    worse_than_frequent = {
        (name, model)
        for name, row in rows.items()
        for model in MODELS
        if (row["frequent"] - row[model]) * (-1 if name in LOWER else 1) > 0
    }
    by_ranking = {("coverage", "neighbours"), ("ranking loss", "neighbours")}
    assert worse_than_frequent == by_ranking | {("Hamming loss", "linear")}
    highest = Counter(max(row, key=row.get) for row in rows.values())  # wrong where lower is better
    for cell, leaders in (("09-61", highest), ("09-63", Counter(best.values()))):
        assert cell_table(NOTEBOOK, cell) == as_table(("leads under",), *leaders.items())


def test_on_how_many_splits_one_model_beats_another():
    assert {"3 : 2", "5 : 0", "0 : 5"} <= {*wins().values()}
    assert wins()["subset accuracy", "neighbours", "trees"] == "2 : 3"


def test_under_which_metrics_one_model_always_wins():
    for pair, row in cell_table(NOTEBOOK, "09-24").items():
        first, second = (metrics_with(*pair.split(" or "), text) for text in ("5 : 0", "0 : 5"))
        counts = len(first), len(second), len(metric_values()) - len(first) - len(second)
        columns = "the first always", "the second always", "neither"
        assert tuple(int(row[column]) for column in columns) == counts
        smaller = min(first, second, key=len)
        assert {*filter(None, row["names of the smaller side"].split(", "))} == smaller
    assert metrics_with("linear", "nothing", "0 : 5") == EXACT
    assert metrics_with("neighbours", "trees", "4 : 1") == {"Hamming loss", "micro precision"}
    assert {"micro F1", "micro AP", "Hamming loss"} <= metrics_with("neighbours", "linear", "5 : 0")


# -------------------------------------------------------------------- the pictures and their labels


def is_empty(y):
    """True for each row without a label."""
    return ~y.any(axis=1)


def test_how_much_each_model_predicts():
    y_true, _, sets = split()
    matrices = sets | {"the truth": y_true}
    rows = [(name, int(y.sum()), float(is_empty(y).mean())) for name, y in matrices.items()]
    columns = "labels predicted", "pictures without a label, share"
    assert cell_table(NOTEBOOK, "09-09") == as_table(columns, *rows)


def buckets(y_true):
    """Head, medium and tail by the positives that are not in the test, and all labels."""
    n = emoji.load().y.sum(axis=0) - y_true.sum(axis=0)
    return {"head": n >= 20, "medium": (n >= 10) & (n < 20), "tail": n < 10, "all": n >= 0}


def bucket_f1s(y_true, y_pred):
    """Mean F1 of the labels of each bucket."""
    f1s = f1(y_true, y_pred, axis=0)
    return np.array([f1s[is_in].mean() for is_in in buckets(y_true).values()])


def test_frequent_and_rare_labels():
    y_true, _, sets = split()
    support, labels = y_true.sum(axis=0), emoji.load().labels
    f1s = {model: f1(y_true, sets[model], axis=0) for model in MODELS}
    for label, row in cell_table(NOTEBOOK, "09-16").items():
        j = labels.index(label)
        assert row == {"positives": str(support[j])} | {m: decimal(f1s[m][j]) for m in MODELS}
    means, n_wins = [bucket_f1s(y_true, sets[m]) for m in MODELS], neighbours_wins(bucket_f1s)
    rows = []
    for i, (name, is_in) in enumerate(buckets(y_true).items()):
        texts = *(float(mean[i]) for mean in means), f"{n_wins[i]} : {5 - n_wins[i]}"
        rows.append((name, int(is_in.sum()), float(support[is_in].sum() / support.sum()), *texts))
    columns = "labels", "of positives", *MODELS, "neighbours : linear, five splits"
    assert cell_table(NOTEBOOK, "09-18") == as_table(columns, *rows)


def test_buckets_by_test_counts_differ_even_where_all_labels_are_alike():
    """Labels of one frequency, recall and specificity: by training counts, all are alike."""
    rng = np.random.default_rng(0)
    for recall, false_alarms in ((0.6, 0.02), (0.9, 0.01), (0.3, 0.005)):
        training, y_true = rng.random((2, 500, 2_000)) < 0.02
        y_pred = rng.random(y_true.shape) < np.where(y_true, recall, false_alarms)
        f1s = f1(y_true.astype(int), y_pred.astype(int), axis=0)
        gaps = [
            f1s[n > np.median(n)].mean() - f1s[n <= np.median(n)].mean()
            for n in (training.sum(axis=0), y_true.sum(axis=0))
        ]
        assert abs(gaps[0]) < gaps[1] / 3


def test_linear_scores_above_one_tenth_are_higher_than_the_share_that_is_true():
    """More than twice as high in each tenth but the lowest, on five splits."""
    y = emoji.load().y
    for scores in (emoji.scores(repeat)["linear"] for repeat in range(5)):
        for lower in np.arange(1, 10) / 10:
            is_in = (scores >= lower) & (scores <= lower + 0.1)
            assert y[is_in].mean() < scores[is_in].mean() / 2
        assert y[abs(scores - 0.5) < 0.1].mean() < 1 / 10


def test_the_trees_confuse_man_woman_and_person():
    y_true, _, sets = split()
    misses, false_alarms = y_true * (1 - sets["trees"]), sets["trees"] * (1 - y_true)
    labels, counts = emoji.load().labels, misses.T @ false_alarms
    pairs = [(int(n), labels[j], labels[k]) for (j, k), n in np.ndenumerate(counts)]
    pairs.sort(reverse=True)
    assert [n for n, *_ in pairs[:7]] == [12, 12, 10, 8, 6, 6, 3]
    assert {name for _, *names in pairs[:6] for name in names} == {"man", "woman", "person"}
    text = cell_text(NOTEBOOK, "09-108")
    assert "Man missed: woman 12, person 6" in text and "person missed: man 8, woman 10" in text


def test_the_trees_have_no_hit_of_some_labels():
    y_true, _, sets = split()
    support, predicted = y_true.sum(axis=0), sets["trees"].sum(axis=0)
    tp = (y_true * sets["trees"]).sum(axis=0)
    assert support[tp == 0].max() < 12
    groups = {"never": predicted == 0, "but never rightly": (predicted > 0) & (tp == 0)}
    groups["rightly at least once"] = tp > 0
    rows = [(name, int(group.sum()), int(support[group].sum())) for name, group in groups.items()]
    assert cell_table(NOTEBOOK, "09-110") == as_table(("labels", "positives"), *rows)


# ------------------------------------------------------------------ thresholds, ties and empty sets


def test_tuned_for_hamming_loss_the_linear_model_is_silent_and_the_trees_lead():
    (y_true, _, for_f1), (_, _, for_loss) = split(), split(0, correct_cells_gained)
    rows = []
    for model in (*MODELS, "nothing"):
        predictions = for_f1[model], for_loss[model]
        pairs = ((int(y_pred.sum()), float((y_pred != y_true).mean())) for y_pred in predictions)
        rows.append((model, *chain(*pairs)))
    columns = "predicted", "Hamming loss", "predicted, tuned for it", "Hamming loss, tuned for it"
    assert cell_table(NOTEBOOK, "09-113") == as_table(columns, *rows)
    assert for_loss["linear"].sum() == 0
    for truth, _, sets in (split(repeat, correct_cells_gained) for repeat in range(5)):
        assert (truth != sets["trees"]).sum() < (truth != sets["neighbours"]).sum()


def test_ties_and_empty_sets_change_which_model_wins():
    losses = cell_table(NOTEBOOK, "09-28")
    gaps = [float(row["neighbours"]) - float(row["frequent"]) for row in losses.values()]
    assert [*losses] == ["largest rank", "mean rank", "smallest rank"]
    assert gaps[0] > 0 > gaps[1]
    assert losses["smallest rank"]["nothing"] == "0"
    f1s = cell_table(NOTEBOOK, "09-31")
    for rule, row in zip((0.0, np.nan, "agree"), f1s.values(), strict=True):
        n_wins = neighbours_wins(partial(example_based.f1, zero_division=rule))
        assert row["neighbours : linear"] == f"{n_wins} : {5 - n_wins}"
        assert (n_wins == 5) == (rule != 0.0)
    assert f1s["agree"]["nothing"] > f1s["agree"]["frequent"]


def test_the_neighbours_are_silent_on_more_pictures_without_a_label():
    assert neighbours_wins(lambda y_true, y_pred: (is_empty(y_pred) & is_empty(y_true)).sum()) == 5


def mean_coverages(y_true, y_score):
    """Coverage of pictures with labels, under three rules for ties.

    Ties share the largest or smallest rank, or are in random order.

    If r of g tied labels are relevant, the last of these r is on average at place r (g + 1) / (r +
    1).
    """
    truth, score = y_true[y_true.any(axis=1)], y_score[y_true.any(axis=1)]
    lowest = np.where(truth, score, np.inf).min(axis=1, keepdims=True)
    above, tied = (score > lowest).sum(axis=1), (score == lowest).sum(axis=1)
    relevant = ((score == lowest) * truth).sum(axis=1)
    coverages = above + tied, above + 1, above + relevant * (tied + 1) / (relevant + 1)
    return [float(coverage.mean()) for coverage in coverages]


def test_one_clerk_prefers_the_neighbours_and_the_other_the_linear_model():
    y_true, scores, _ = split()
    models = "neighbours", "linear"
    rows = cell_table(NOTEBOOK, "09-65", names=2).values()
    precisions, *coverages = ([float(row[m]) for m in models] for row in rows)
    assert precisions == [round(metric_values()["micro precision"][m], 3) for m in models]
    expected = np.transpose([mean_coverages(y_true, scores[m]) for m in models])
    errors = np.abs(expected - coverages).max(axis=1)
    assert (errors <= (5e-4, 5e-4, 0.8)).all()  # the last is a mean of twenty random orders
    for truth, score, _ in map(split, range(5)):
        neighbours, linear = (mean_coverages(truth, score[m])[2] for m in models)
        assert linear < neighbours - 8
