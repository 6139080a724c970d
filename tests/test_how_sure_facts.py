"""What notebook 12 says of intervals, and what its cells show: counted anew, and drawn anew with other seeds."""

import re
from fractions import Fraction as F
from functools import cache
from math import comb, exp

import numpy as np
import pytest
from facts import as_table, cell_table, cell_text, decimal
from plain import at, best_threshold, f1, f1_of_counts
from scipy import stats

from mlm_course import emoji, records
from mlm_helpers.data import folds

NOTEBOOK = "12_how_sure"
RECORD = records.load("coverage")
MODELS = "trees", "neighbours", "mix"


def jaccard(y_true, y_pred):
    """Of each sample; 0/0 is 0."""
    both, either = (y_true & y_pred).sum(axis=1), (y_true | y_pred).sum(axis=1)
    return both / np.maximum(either, 1)


def mean(times, values):
    return times @ values / times.sum(axis=1)


METRICS = {  # of resamples: how many times each sample is there
    "micro F1": lambda w, t, p: f1_of_counts(w @ (t & p).sum(axis=1), w @ (t + p).sum(axis=1), 0),
    "macro F1": lambda w, t, p: f1_of_counts(w @ (t & p), w @ (t + p), 0).mean(axis=1),
    "samples F1": lambda w, t, p: mean(w, f1(t, p, 1)),
    "accuracy (Jaccard)": lambda w, t, p: mean(w, jaccard(t, p)),
    "Hamming loss ↓": lambda w, t, p: mean(w, (t != p).mean(axis=1)),
    "subset accuracy": lambda w, t, p: mean(w, (t == p).all(axis=1)),
}


@cache
def sets(repeat=0):
    """The truth of the half that judges, and what each model predicts there."""
    y = emoji.load().y
    first = folds(y, 2, seed=1) == 0
    scores = dict(emoji.scores(repeat))
    scores["mix"] = (scores["trees"] + scores["neighbours"]) / 2
    cuts = {m: best_threshold(y[first], scores[m][first]) for m in MODELS}
    return y[~first], {m: at(scores[m][~first], cuts[m]) for m in MODELS}


@cache
def resamples(seed=7):
    rng = np.random.default_rng(seed)
    return rng.multinomial(786, np.full(786, 1 / 786), size=500).astype(float)


@cache
def drawn(name, model, seed=7, repeat=0):
    """The metric of a model in resamples of our own."""
    y_true, predicted = sets(repeat)
    return METRICS[name](resamples(seed), y_true, predicted[model])


@cache
def value(name, model, repeat=0):
    y_true, predicted = sets(repeat)
    return float(METRICS[name](np.ones((1, 786)), y_true, predicted[model])[0])


def error_of(name, model):
    return pytest.approx(drawn(name, model).std(), rel=0.1, abs=5e-5)  # shown to four places


def near_quantiles(values, bias=5e-4):
    return pytest.approx(np.quantile(values, (0.025, 0.975)), abs=values.std() / 2 + bias)


def ends(row):
    return float(row["low"]), float(row["high"])


def missed(name, method="ours"):
    row = next(row for row in RECORD["rows"] if row["name"] == name)
    return sum(map(len, row[method].values()))


# ---------------------------------------------------------------------------- facts


def test_intervals_miss_the_truth_in_4_to_7_of_100_data_sets_but_for_a_rare_label():
    names = [row["name"] for row in RECORD["rows"]]
    usual, (rare_f1, rare_ap, of_emoji, *alone) = names[:14], names[14:]
    assert (RECORD["data_sets"], RECORD["samples"], RECORD["level"]) == (1000, 150, 0.95)
    assert all(40 <= missed(name) < 70 for name in usual)
    assert min(map(missed, (rare_f1, rare_ap, of_emoji))) > 70
    assert len(alone) == 4 and max(map(missed, alone)) < 70
    short = {name for name in usual[:11] if missed(name, "percentile") > 75}
    assert short == {"macro F1", "macro AP"}
    both = "ours", "percentile"
    held = {name: [1 - missed(name, method) / 1000 for method in both] for name in names}
    heads = "ours", "percentiles"
    assert cell_table(NOTEBOOK, "10-47") == as_table(
        heads, *((name, *held[name]) for name in usual)
    )
    rare = [(r["name"], *held[r["name"]], r["truth"], r["mean"]) for r in RECORD["rows"][14:]]
    assert cell_table(NOTEBOOK, "10-48") == as_table((*heads, "truth", "mean value"), *rare)


# ---------------------------------------------------------------------------- one model


def test_the_metrics_of_three_models():
    lines = []
    for name in METRICS:
        trees, neighbours, mix = (value(name, model) for model in MODELS)
        lines.append((name, trees, neighbours, mix, trees - mix))
        assert (trees < mix) == ("↓" in name)
    assert cell_table(NOTEBOOK, "10-04") == as_table((*MODELS, "trees − mix"), *lines, places=4)
    assert cell_text(NOTEBOOK, "10-03").endswith("trees 0.22; mix 0.215.")


def test_the_standard_error_and_the_middle_95_percent_of_resamples():
    y_true, predicted = sets()
    root = jaccard(y_true, predicted["trees"]).std() / 786**0.5
    errors = [row["standard error"] for row in cell_table(NOTEBOOK, "10-11").values()]
    assert errors[0] == decimal(root, 4)
    for n_resamples, error in zip((10, 100, 1000), errors[1:], strict=True):
        assert float(error) == pytest.approx(root, rel=2 / (2 * n_resamples) ** 0.5)
    row = cell_table(NOTEBOOK, "10-13")["accuracy (Jaccard)"]
    assert ends(row) == near_quantiles(drawn("accuracy (Jaccard)", "trees"))


def test_intervals_agree_with_resamples_of_another_seed():
    for name, row in cell_table(NOTEBOOK, "10-15").items():
        assert row["value"] == decimal(value(name, "trees"), 4)
        assert float(row["standard error"]) == error_of(name, "trees")
        bias = 0.02 if name == "macro F1" else 0  # resamples of macro F1 lack rare labels
        assert ends(row) == near_quantiles(drawn(name, "trees"), bias)
        assert bars("10-16")[name] == pytest.approx(ends(row), abs=6e-4)
    labels = sets()[1]["trees"].sum(axis=1)
    center, low, high, *_ = map(float, re.findall(r"=([\d.]+)", cell_text(NOTEBOOK, "10-18")))
    assert center == round(labels.mean(), 4)  # and 90 of 100 lie within 1.645 errors
    assert high - low == pytest.approx(2 * 1.645 * labels.std() / len(labels) ** 0.5, rel=0.1)


def test_resampling_cells_gives_too_small_a_standard_error():
    y_true, predicted = sets()
    tp, wrong = (y_true & predicted["trees"]).sum(), (y_true != predicted["trees"]).sum()
    rng, cells = np.random.default_rng(3), y_true.size
    for k, (name, row) in zip((1, 2, 4), cell_table(NOTEBOOK, "10-20").items(), strict=True):
        shares = np.array([tp, wrong, cells - tp - wrong]) / cells
        hits, errors, _ = rng.multinomial(k * cells, shares, size=4000).T
        by_cells = (2 * hits / (2 * hits + errors)).std()
        assert name == f"{k} ×" and row["micro F1"] == decimal(value("micro F1", "trees"))
        assert float(row["error by pictures"]) == error_of("micro F1", "trees")
        assert float(row["error by cells"]) == pytest.approx(by_cells, rel=0.05)


def test_mcnemar_on_cells():
    y_true, predicted = sets()
    right, other = (predicted[model] == y_true for model in ("trees", "neighbours"))
    trees, neighbours = int((right & ~other).sum()), int((other & ~right).sum())
    lines = []
    for k in (1, 2, 4):
        n = k * (trees + neighbours)
        p = F(2 * sum(comb(n, i) for i in range(k * trees + 1)), 2**n)
        lines.append((f"{k} ×", k * trees, k * neighbours, float(p)))
    heads = "only the trees right", "only the neighbours right", "p"
    assert cell_table(NOTEBOOK, "10-22") == as_table(heads, *lines, places=4)
    low, high = ends(cell_table(NOTEBOOK, "10-23")["Hamming loss"])
    assert low <= 0 <= high


def test_rare_labels_vanish():
    some = np.random.default_rng(1).choice(786, size=60, replace=False)
    positives = sets()[0][some].sum(axis=0)
    chances = (1 - positives / 60) ** 60
    for m, row in zip((1, 2, 3), cell_table(NOTEBOOK, "10-32").values(), strict=True):
        *texts, vanished = row.values()
        chance = (1 - m / 60) ** 60
        assert texts == [str((positives == m).sum()), decimal(chance), decimal(exp(-m))]
        assert float(vanished) == pytest.approx(chance, abs=0.01)
    undefined = int(cell_text(NOTEBOOK, "10-34").partition("undefined=")[2].rstrip(")\n"))
    assert undefined == pytest.approx(1000 * (1 - 2 / 60) ** 60, abs=40)
    has, mean_kept, most = (
        float(row.popitem()[1]) for row in cell_table(NOTEBOOK, "10-35").values()
    )
    assert has == (positives > 0).sum() > most > mean_kept
    assert mean_kept == pytest.approx((1 - chances).sum(), abs=0.3)


def test_four_times_the_pictures_have_half_the_error():
    """Of the mean of n pictures the error is the spread over the root of n; ten draws are averaged."""
    y_true, predicted = sets()
    spread = jaccard(y_true, predicted["trees"]).std()
    table = cell_table(NOTEBOOK, "10-38")
    assert [*table] == ["49", "196", "784"]
    for n, row in table.items():
        error, times_root = map(float, row.values())
        assert times_root == pytest.approx(spread, rel=0.05)
        assert error == pytest.approx(times_root / int(n) ** 0.5, abs=6e-4)
    ahead = value("accuracy (Jaccard)", "trees") - value("accuracy (Jaccard)", "mix")
    gap, pictures, more = (row.popitem()[1] for row in cell_table(NOTEBOOK, "10-40").values())
    assert gap == decimal(ahead)
    error = np.std(drawn("accuracy (Jaccard)", "trees") - drawn("accuracy (Jaccard)", "mix"))
    assert int(pictures) == pytest.approx(7.86 * (1.96 * error / ahead) ** 2, rel=0.15)
    both = stats.norm.ppf(0.975) + stats.norm.ppf(0.8)
    assert int(more) == pytest.approx(int(pictures) * (both / 1.96) ** 2, rel=0.02)


# ---------------------------------------------------------------------------- two models


def test_paired_draws_have_the_smaller_error():
    for name, row in cell_table(NOTEBOOK, "10-28").items():
        trees, mix, other = (drawn(name, *of) for of in (("trees",), ("mix",), ("mix", 8)))
        assert row["difference"] == decimal(value(name, "trees") - value(name, "mix"), 4)
        paired, apart = float(row["error, drawn together"]), float(row["error, drawn apart"])
        assert paired == pytest.approx((trees - mix).std(), rel=0.15, abs=5e-5)
        assert apart == pytest.approx((trees - other).std(), rel=0.15, abs=5e-5)
        assert paired < apart


def bars(cell):
    """The intervals that a picture shows, by their names."""
    found = re.findall(r"(?:: |; )([^;:]+?) \S+ \((\S+) to (\S+)\)", cell_text(NOTEBOOK, cell))
    return {name: (float(low), float(high)) for name, low, high in found}


def test_a_difference_may_exclude_0_although_two_intervals_overlap():
    one, two = bars("10-26").values()
    assert one[0] < two[1]
    assert [*bars("10-29")] == [*METRICS]
    for name, (low, high) in bars("10-29").items():
        assert (low, high) == near_quantiles(drawn(name, "trees") - drawn(name, "mix"))
        is_open = name in ("accuracy (Jaccard)", "samples F1", "subset accuracy")
        assert (low <= 0 <= high) is is_open


def test_the_interval_of_a_difference_includes_0_only_without_pairing():
    for cell, seed in (("10-68", 8), ("10-70", 7)):
        low, high = (float(number) for number in cell_text(NOTEBOOK, cell).split()[-2:])
        ours = drawn("micro F1", "trees") - drawn("micro F1", "mix", seed)
        assert (low, high) == near_quantiles(ours, 0)
        assert (low <= 0 <= high) is (seed == 8)


def test_which_model_leads_depends_on_the_metric():
    for name, row in cell_table(NOTEBOOK, "10-72").items():
        assert row["value"] == decimal(value(name, "trees") - value(name, "neighbours"), 4)
        low, high = ends(row)
        assert (low, high) == near_quantiles(drawn(name, "trees") - drawn(name, "neighbours"))
        assert (low <= 0 <= high) == (name == "subset accuracy")


def test_a_lead_by_chance_is_more_frequent_among_eight_metrics():
    table = cell_table(NOTEBOOK, "10-44")
    shares = {name: float(row["share of the tosses"]) for name, row in table.items()}
    independent = shares.pop("so it would be if they were independent")
    either = shares.pop("at least one of them")
    assert independent == round(1 - 0.95**8, 3)
    assert len(shares) == 8 and all(0.03 < share <= 5 / 100 for share in shares.values())
    assert max(shares.values()) * 3 < either < independent


def test_wilcoxons_test_over_labels_treats_them_as_independent():
    y_true, predicted = sets()
    gaps = f1(y_true, predicted["trees"], 0) - f1(y_true, predicted["mix"], 0)
    ps = [stats.wilcoxon(np.repeat(gaps, k)).pvalue for k in (1, 2)]
    lines = [(f"{k} ×", gaps.mean(), f"1 in {1 / p:,.0f}") for k, p in zip((1, 2), ps, strict=True)]
    heads = "macro F1, trees − mix", "p of Wilcoxon's test over labels"
    assert cell_table(NOTEBOOK, "10-108") == as_table(heads, *lines, places=4)
    assert ps[1] < ps[0] / 50


# ---------------------------------------------------------------------------- five trainings, and twins


def both_kinds_of_luck(values, drawn):
    """The error of a mean of trainings: the variance of their values over their number, and what they share."""
    shared = np.cov(drawn)[~np.eye(len(values), dtype=bool)].mean()
    return (np.var(values, ddof=1) / len(values) + shared) ** 0.5


def test_a_second_training_and_duplicated_samples():
    trees = value("micro F1", "trees")
    row = cell_table(NOTEBOOK, "10-54")["trees − trees again"]
    assert row["difference"] == decimal(trees - value("micro F1", "trees", 1), 4)
    assert 0 < float(row["low"]) < float(row["difference"]) < float(row["high"])
    lead = drawn("micro F1", "trees") - drawn("micro F1", "trees", repeat=1)
    assert float(row["share_first_better"]) == pytest.approx((lead > 0).mean(), abs=0.025)
    once, twice, grouped = cell_table(NOTEBOOK, "10-56-1").values()
    assert once["value"] == twice["value"] == decimal(trees, 4)
    assert float(once["standard error"]) == error_of("micro F1", "trees")
    ratio = float(once["standard error"]) / float(twice["standard error"])
    assert ratio == pytest.approx(2**0.5, rel=0.1)
    assert ends(once)[0] < ends(twice)[0] < ends(twice)[1] < ends(once)[1]
    assert grouped == once  # groups undo the twins
    assert {"man factory worker", "woman factory worker"} <= {*emoji.load().names}


def test_the_error_of_five_trainings_has_two_parts():
    one, five = cell_table(NOTEBOOK, "10-55-2").values()
    values = [value("micro F1", "trees", repeat) for repeat in range(5)]
    assert five["value"] == decimal(np.mean(values), 4)
    again = [drawn("micro F1", "trees", repeat=repeat) for repeat in range(5)]
    error = both_kinds_of_luck(values, again)
    assert float(five["standard error"]) == pytest.approx(error, rel=0.05)
    assert one == cell_table(NOTEBOOK, "10-15")["micro F1"]


def test_which_differences_of_trees_and_mix_exclude_0():
    for name, row in cell_table(NOTEBOOK, "10-102", names=2).items():
        metric, of = name.split(", ", 1)
        repeats = range(1 if of == "one training" else 5)
        leads = np.array([value(metric, "trees", i) - value(metric, "mix", i) for i in repeats])
        assert row["difference"] == decimal(leads.mean(), 4)
        assert row["trainings in which the trees lead"] == f"{sum(leads > 0)} of {len(leads)}"
        low, high = ends(row)
        if len(leads) == 5:
            again = [drawn(metric, "trees", 7, i) - drawn(metric, "mix", 7, i) for i in repeats]
            error, wider = both_kinds_of_luck(leads, again), 2.394 / 1.96 if "level" in of else 1
            assert 1.8 * wider * error < (high - low) / 2 < 2.8 * wider * error  # by Student's t
        leaves_out = {"micro F1", "macro F1"} if of == "one training" else {"macro F1"}
        assert (low <= 0 <= high) is (metric not in leaves_out), name
