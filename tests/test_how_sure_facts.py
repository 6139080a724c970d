"""Facts of notebook 12 on intervals, in plain NumPy and by resamples of other seeds."""

import re
from functools import cache, partial
from itertools import combinations
from math import exp

import numpy as np
import pytest
from facts import as_table, cell_table, cell_text, decimal
from plain import at, best_threshold, f1, f1_of_counts
from scipy import stats

from mlm_course import emoji, records
from mlm_helpers import example_based, thresholds
from mlm_helpers.data import folds

NOTEBOOK = "12_how_sure"
RECORD = records.load("coverage")
MODELS = "trees", "neighbours", "mix"


def jaccard(y_true, y_pred):
    """Jaccard of each sample; 0/0 counts 0."""
    intersection, union = (y_true & y_pred).sum(axis=1), (y_true | y_pred).sum(axis=1)
    return intersection / np.maximum(union, 1)


def mean(draws, values):
    """The mean of the samples' values in each draw."""
    return draws @ values / draws.sum(axis=1)


METRICS = {  # of draws d, a row each (how often it has each sample), truth t and prediction p
    "micro F1": lambda d, t, p: f1_of_counts(d @ (t & p).sum(axis=1), d @ (t + p).sum(axis=1), 0),
    "macro F1": lambda d, t, p: f1_of_counts(d @ (t & p), d @ (t + p), 0).mean(axis=1),
    "samples F1": lambda d, t, p: mean(d, f1(t, p, axis=1)),
    "accuracy (Jaccard)": lambda d, t, p: mean(d, jaccard(t, p)),
    "Hamming loss ↓": lambda d, t, p: mean(d, (t != p).mean(axis=1)),
    "subset accuracy": lambda d, t, p: mean(d, (t == p).all(axis=1)),
}


@cache
def evaluated_half(repeat=0, seed=1, tune=best_threshold):
    """The truth of the half to test on, and what each model predicts there.

    The other half tunes thresholds.
    """
    y = emoji.load().y
    is_val = folds(y, 2, seed=seed) == 0
    scores = dict(emoji.scores(repeat))
    scores["mix"] = (scores["trees"] + scores["neighbours"]) / 2
    tuned = {m: tune(y[is_val], scores[m][is_val]) for m in MODELS}
    return y[~is_val], {m: at(scores[m][~is_val], tuned[m]) for m in MODELS}


@cache
def draws(seed=7):
    """How often each of 786 samples is in each of 500 resamples."""
    rng = np.random.default_rng(seed)
    return rng.multinomial(786, np.full(786, 1 / 786), size=500).astype(float)


@cache
def resampled(name, model, seed=7, repeat=0):
    """The metric of a model on 500 resamples."""
    y_true, y_preds = evaluated_half(repeat)
    return METRICS[name](draws(seed), y_true, y_preds[model])


@cache
def value(name, model, repeat=0):
    """The metric of a model on the half to evaluate on, each sample once."""
    y_true, y_preds = evaluated_half(repeat)
    each_once = np.ones((1, len(y_true)))
    return float(METRICS[name](each_once, y_true, y_preds[model])[0])


def close_to_error(name, model):
    """Approximately the standard error of a metric, by the resamples."""
    return pytest.approx(resampled(name, model).std(), rel=0.1, abs=5e-5)  # shown to four places


def near_quantiles(values, bias=5e-4):
    """Approximately the ends of the middle 95 % of values, to half their deviation and a bias."""
    return pytest.approx(np.quantile(values, (0.025, 0.975)), abs=values.std() / 2 + bias)


def ends(row):
    return float(row["low"]), float(row["high"])


def n_misses(name, method="ours"):
    """The number of simulated data sets whose interval misses the true value."""
    row = next(row for row in RECORD["rows"] if row["name"] == name)
    return sum(map(len, row[method].values()))


def test_intervals_miss_the_true_value_in_4_to_7_percent_of_data_sets_except_with_a_rare_label():
    names = [row["name"] for row in RECORD["rows"]]
    frequent, (rare_f1, rare_ap, of_emoji, *single_labels) = names[:14], names[14:]
    assert (RECORD["data_sets"], RECORD["samples"], RECORD["level"]) == (1000, 150, 0.95)
    assert all(40 <= n_misses(name) < 70 for name in frequent)
    assert min(map(n_misses, (rare_f1, rare_ap, of_emoji))) > 70
    assert len(single_labels) == 4 and max(map(n_misses, single_labels)) < 70
    too_short = {name for name in frequent if n_misses(name, "percentile") > 75}
    assert too_short == {"macro F1", "macro AP"}
    methods = "ours", "percentile"
    coverage = {}
    for name in names:
        coverage[name] = [1 - n_misses(name, method) / 1000 for method in methods]
    rows = [(name, *coverage[name]) for name in (*frequent[:5], *frequent[11:13], of_emoji)]
    assert cell_table(NOTEBOOK, "10-47") == as_table(("BCa", "percentile"), *rows)
    rare_rows = [row for row in RECORD["rows"][14:] if row["name"] != of_emoji]
    rows = [(row["name"], *coverage[row["name"]], row["truth"], row["mean"]) for row in rare_rows]
    table = cell_table(NOTEBOOK, "10-48")
    heads = "coverage", "coverage, percentile", "truth", "mean value"
    assert [row.pop("method") for row in table.values()] == ["BCa"] * 2 + ["Wilson"] * 4
    assert table == as_table(heads, *rows)


# ---------------------------------------------------------------------------- one model


def test_the_metrics_of_three_models():
    rows = []
    for name in METRICS:
        trees, neighbours, mix = (value(name, model) for model in MODELS)
        rows.append((name, trees, neighbours, mix, trees - mix))
        assert (trees < mix) == ("↓" in name)
    assert cell_table(NOTEBOOK, "10-04") == as_table((*MODELS, "trees − mix"), *rows, places=4)
    assert cell_text(NOTEBOOK, "10-03").endswith("trees 0.22; mix 0.215.")


def test_a_lead_depends_on_the_metric_that_thresholds_were_tuned_for():
    for repeat in range(3):
        leads = []
        for tuned_for in (emoji.MICRO_F1, example_based.accuracy):
            y_true, _, y_pred = emoji.split(repeat, tuned_for)
            leads.append(np.subtract(*(jaccard(y_true, y_pred[m]).mean() for m in MODELS[:2])))
        assert abs(leads[0] - leads[1]) > 0.001


def test_the_standard_error_and_the_middle_95_percent_of_resamples():
    y_true, y_preds = evaluated_half()
    expected = jaccard(y_true, y_preds["trees"]).std() / 786**0.5
    errors = [row["standard error"] for row in cell_table(NOTEBOOK, "10-11").values()]
    assert errors[0] == decimal(expected, 4)
    for n_resamples, error in zip((10, 100, 1000), errors[1:], strict=True):
        assert float(error) == pytest.approx(expected, rel=2 / (2 * n_resamples) ** 0.5)
    row = cell_table(NOTEBOOK, "10-13")["accuracy (Jaccard)"]
    assert ends(row) == near_quantiles(resampled("accuracy (Jaccard)", "trees"))


def test_intervals_agree_with_resamples_of_another_seed():
    for name, row in cell_table(NOTEBOOK, "10-15").items():
        assert row["value"] == decimal(value(name, "trees"), 4)
        assert float(row["standard error"]) == close_to_error(name, "trees")
        bias = 0.02 if name == "macro F1" else 0  # some resamples lack rare labels
        assert ends(row) == near_quantiles(resampled(name, "trees"), bias)


def test_resampling_cells_gives_too_small_a_standard_error():
    """The more so if each label is written twice or four times; by pictures nothing changes."""
    y_true, y_preds = evaluated_half()
    n_tp, n_wrong = (y_true & y_preds["trees"]).sum(), (y_true != y_preds["trees"]).sum()
    rng, n_cells = np.random.default_rng(3), y_true.size
    shares = np.array([n_tp, n_wrong, n_cells - n_tp - n_wrong]) / n_cells
    rows_by_copies = zip((1, 2, 4), cell_table(NOTEBOOK, "10-20").items(), strict=True)
    for n_copies, (name, row) in rows_by_copies:
        tp, wrong, _ = rng.multinomial(n_copies * n_cells, shares, size=4000).T
        error_by_cells = (2 * tp / (2 * tp + wrong)).std()
        assert name == f"{n_copies} ×" and row["micro F1"] == decimal(value("micro F1", "trees"))
        assert float(row["error by pictures"]) == close_to_error("micro F1", "trees")
        assert float(row["error by cells"]) == pytest.approx(error_by_cells, rel=0.05)
        assert error_by_cells < 0.85 * float(row["error by pictures"])


def test_the_p_of_mcnemars_test_on_cells_falls_if_each_label_is_written_more_often():
    y_true, y_preds = evaluated_half()
    for models in combinations(MODELS, 2):
        right, other_right = (y_preds[model] == y_true for model in models)
        n_only, n_other_only = (right & ~other_right).sum(), (other_right & ~right).sum()
        p_values = [
            stats.binomtest(int(k * n_only), int(k * (n_only + n_other_only))).pvalue
            for k in (1, 2, 4)
        ]
        assert p_values[0] > 2 * p_values[1] > 4 * p_values[2]


def test_rare_labels_vanish():
    """A label with m positives in 60 samples is absent with probability (1 − m/60)^60."""
    rows = np.random.default_rng(1).choice(786, size=60, replace=False)
    positives = evaluated_half()[0][rows].sum(axis=0)
    for m, row in zip((1, 2, 3), cell_table(NOTEBOOK, "10-32").values(), strict=True):
        *texts, share_absent = row.values()
        p_absent = (1 - m / 60) ** 60
        assert texts == [str((positives == m).sum()), decimal(p_absent), decimal(exp(-m))]
        assert float(share_absent) == pytest.approx(p_absent, abs=0.01)
    undefined = int(cell_text(NOTEBOOK, "10-34").partition("undefined=")[2].rstrip(")\n"))
    assert undefined == pytest.approx(1000 * (1 - 2 / 60) ** 60, abs=40)


def test_four_times_the_pictures_have_half_the_error():
    y_true, y_preds = evaluated_half()
    rng, errors = np.random.default_rng(5), {196: [], 784: []}
    for n, values in errors.items():
        drawn = rng.multinomial(n, np.full(786, 1 / 786), size=2000).astype(float)
        for name in ("samples F1", "accuracy (Jaccard)", "Hamming loss ↓", "subset accuracy"):
            values += [METRICS[name](drawn, y_true, y_preds[m]).std() for m in MODELS]
    assert np.divide(errors[196], errors[784]) == pytest.approx(2, rel=0.15)


def test_pictures_for_a_power():
    name = "accuracy (Jaccard)"
    lead = value(name, "trees") - value(name, "mix")
    z = lead / (resampled(name, "trees") - resampled(name, "mix")).std()
    for power, row in cell_table(NOTEBOOK, "10-40").items():
        errors = stats.norm.ppf(0.975) + stats.norm.ppf(float(power.removesuffix(" %")) / 100)
        needed = int(row[f"pictures for a lead of {decimal(lead)}"].replace(",", ""))
        assert needed == pytest.approx(786 * (errors / z) ** 2, rel=0.15)


def test_paired_draws_have_the_smaller_error():
    for name, row in cell_table(NOTEBOOK, "10-28").items():
        trees, mix = resampled(name, "trees"), resampled(name, "mix")
        assert row["difference"] == decimal(value(name, "trees") - value(name, "mix"), 4)
        separate = resampled(name, "mix", seed=8)
        for column, other in (("error, paired draws", mix), ("error, separate draws", separate)):
            error = (trees - other).std()
            assert float(row[column]) == pytest.approx(error, rel=0.15, abs=5e-5)
        assert row["error, paired draws"] < row["error, separate draws"]


def picture_intervals(cell):
    """The intervals by name in a picture's text, such as "Trees: micro F1 0.4 (0.3 to 0.5)"."""
    intervals = re.findall(r"(?:: |; )([^;:]+?) \S+ \((\S+) to (\S+)\)", cell_text(NOTEBOOK, cell))
    return {name: (float(low), float(high)) for name, low, high in intervals}


def test_a_difference_may_exclude_0_although_two_intervals_overlap():
    first, second = picture_intervals("10-26").values()
    assert first[0] < second[1]
    intervals = picture_intervals("10-29")
    assert [*intervals] == [*METRICS]
    for name, (low, high) in intervals.items():
        includes_0 = name in ("accuracy (Jaccard)", "samples F1", "subset accuracy")
        assert (low <= 0 <= high) is includes_0


def test_the_interval_of_a_difference_includes_0_only_without_pairing():
    for cell, is_paired in (("10-68", False), ("10-70", True)):
        low, high = (float(number) for number in cell_text(NOTEBOOK, cell).split()[-2:])
        assert (low <= 0 <= high) is not is_paired


def test_of_trees_and_neighbours_only_subset_accuracy_may_be_equal():
    for name, row in cell_table(NOTEBOOK, "10-72").items():
        low, high = ends(row)
        assert (low <= 0 <= high) == (name == "subset accuracy")


def test_a_lead_by_chance_is_more_frequent_among_eight_metrics():
    table = cell_table(NOTEBOOK, "10-44")
    shares = {name: float(row["large, share of the tosses"]) for name, row in table.items()}
    at_least_one = shares.pop("at least one of them")
    assert len(shares) == 8 and all(0.03 < share <= 5 / 100 for share in shares.values())
    assert max(shares.values()) * 3 < at_least_one < 1 - 0.95**8


def test_exchanging_two_models_by_coins_gives_the_p_of_the_permutation_test():
    """By 400 other coins; p is below 0.05 where the interval of the difference leaves out 0."""
    y_true, y_preds = evaluated_half()
    trees, mix, each_once = y_preds["trees"], y_preds["mix"], np.ones((1, 786))
    coins = np.random.default_rng(3).random((400, 786, 1)) < 0.5
    for name, metric in METRICS.items():
        gaps = []
        for coin in coins:
            first, second = np.where(coin, trees, mix), np.where(coin, mix, trees)
            gaps.append(metric(each_once, y_true, first) - metric(each_once, y_true, second))
        real = abs(value(name, "trees") - value(name, "mix"))
        p = (1 + (np.abs(gaps) >= real - 1e-12).sum()) / 401
        shown = float(cell_table(NOTEBOOK, "10-44")[name]["p, permutation test"])
        assert shown == pytest.approx(p, abs=0.08)
        assert (shown < 0.05) == (name in ("micro F1", "macro F1", "Hamming loss ↓"))


def test_wilcoxons_test_over_labels_treats_them_as_independent():
    """If each label is written twice, p is at most a half of what it was.

    The mean difference is the same.
    """
    rng = np.random.default_rng(0)
    y_true, y_preds = evaluated_half()
    gaps = f1(y_true, y_preds["trees"], axis=0) - f1(y_true, y_preds["mix"], axis=0)
    for differences in (gaps, *(rng.normal(0.2, 0.2, size=n) for n in (10, 20, 60))):
        once, twice = (stats.wilcoxon(np.repeat(differences, k)).pvalue for k in (1, 2))
        assert twice < once / 2


# ------------------------------------------------------------------- five trainings, and duplicates


def error_of_mean(values, resampled_values):
    """The error of a mean over trainings.

    It is the root of the variance of their values ÷ their number + their mean covariance.
    """
    covariance = np.cov(resampled_values)[~np.eye(len(values), dtype=bool)].mean()
    return (np.var(values, ddof=1) / len(values) + covariance) ** 0.5


def test_a_second_training_and_duplicated_samples():
    trees = value("micro F1", "trees")
    rows = cell_table(NOTEBOOK, "10-54")
    for (i, j), row in zip(combinations(range(5), 2), rows.values(), strict=True):
        i_less_j = value("micro F1", "trees", i) - value("micro F1", "trees", j)
        assert row["difference"] == decimal(i_less_j, 4)
    assert sum(low * high > 0 for low, high in map(ends, rows.values())) == 5 == len(rows) / 2
    plain, duplicated, grouped = cell_table(NOTEBOOK, "10-56-1").values()
    assert plain["value"] == duplicated["value"] == decimal(trees, 4)
    assert float(plain["standard error"]) == close_to_error("micro F1", "trees")
    ratio = float(plain["standard error"]) / float(duplicated["standard error"])
    assert ratio == pytest.approx(2**0.5, rel=0.1)
    assert ends(plain)[0] < ends(duplicated)[0] < ends(duplicated)[1] < ends(plain)[1]
    assert grouped == plain  # each group is a sample with its duplicate
    assert {"man factory worker", "woman factory worker"} <= {*emoji.load().names}


def test_the_error_of_five_trainings_has_two_parts():
    one, five = cell_table(NOTEBOOK, "10-55-2").values()
    values = [value("micro F1", "trees", repeat) for repeat in range(5)]
    assert five["value"] == decimal(np.mean(values), 4)
    resampled_values = [resampled("micro F1", "trees", repeat=repeat) for repeat in range(5)]
    error = error_of_mean(values, resampled_values)
    assert float(five["standard error"]) == pytest.approx(error, rel=0.05)
    assert one == cell_table(NOTEBOOK, "10-15")["micro F1"]


def test_which_differences_of_trees_and_mix_exclude_0():
    for name, row in cell_table(NOTEBOOK, "10-102", names=2).items():
        metric, trainings = name.split(", ", 1)
        repeats = range(1 if trainings == "one training" else 5)
        leads = np.array([value(metric, "trees", i) - value(metric, "mix", i) for i in repeats])
        assert row["difference"] == decimal(leads.mean(), 4)
        assert row["trainings in which the trees lead"] == f"{sum(leads > 0)} of {len(leads)}"
        low, high = ends(row)
        exclude_0 = {"one training": {"micro F1", "macro F1"}, "five trainings": {"macro F1"}}
        assert (low <= 0 <= high) is (metric not in exclude_0.get(trainings, {})), name


def leads_of_trainings(name, **division):
    """The lead of the trees over the mix, a row per training: on the half, then on resamples."""
    drawn, leads = np.vstack([np.ones(786), draws()]), []
    for repeat in range(5):
        y_true, y_preds = evaluated_half(repeat, **division)
        trees, mix = (METRICS[name](drawn, y_true, y_preds[m]) for m in ("trees", "mix"))
        leads.append(trees - mix)
    return np.array(leads)


@pytest.mark.parametrize("seed", [2, 3, 4, 5])
def test_on_other_halves_the_difference_of_five_trainings_excludes_0_in_micro_f1(seed):
    leads = leads_of_trainings("micro F1", seed=seed)
    t_with_4_degrees_of_freedom = stats.t.ppf(0.975, 4)  # the largest t of five trainings
    error = error_of_mean(leads[:, 0], leads[:, 1:])
    assert leads[:, 0].mean() > t_with_4_degrees_of_freedom * error


def test_on_other_halves_the_difference_of_five_trainings_may_hold_0_in_macro_f1():
    leads = leads_of_trainings("macro F1", seed=3)
    assert 0 < leads[:, 0].mean() < 1.96 * error_of_mean(leads[:, 0], leads[:, 1:])


def test_tuned_for_accuracy_the_difference_excludes_0_by_one_training_and_not_by_five():
    tune = partial(thresholds.tune, example_based.accuracy)
    leads = leads_of_trainings("accuracy (Jaccard)", tune=tune)
    assert np.quantile(leads[0, 1:], 0.025) > 0
    assert 0 < leads[:, 0].mean() < 1.96 * error_of_mean(leads[:, 0], leads[:, 1:])


# ---------------------------------------------------------------------------- splits


def matrices():
    """The emoji, and random matrices with rare labels."""
    rng = np.random.default_rng(0)
    return emoji.load().y, *(rng.random((300, n)) < rng.random(n) ** 3 / 2 for n in (5, 20, 60))


def unevenness(y, fold):
    """Most − fewest positives of each label in five folds; how many labels a fold lacks."""
    n_positives = np.array([y[fold == i].sum(axis=0) for i in range(5)])
    return np.ptp(n_positives, axis=0), int((n_positives.min(axis=0) == 0)[y.any(axis=0)].sum())


def test_iterative_stratification_leaves_labels_out_of_fewer_folds():
    rows = []
    for y in matrices():
        gaps_by_chance, n_by_chance = unevenness(
            y, np.random.default_rng(0).permutation(len(y)) % 5
        )
        gaps, n_dealt = unevenness(y, folds(y.astype(int), 5))
        assert gaps.mean() < gaps_by_chance.mean() and n_dealt <= n_by_chance
        rows += [["by chance", int(gaps_by_chance.max()), n_by_chance]]
        rows += [["iterative stratification", int(gaps.max()), n_dealt]]
    columns = "most uneven label, most − fewest positives", "labels that a fold lacks"
    assert cell_table(NOTEBOOK, "12-deal") == as_table(columns, *rows[:2])  # of the emoji


def test_repeats_of_a_split_test_some_samples_never_and_others_twice():
    for y in matrices():
        is_tested = [folds(y.astype(int), 5, seed=seed) == 0 for seed in range(5)]
        times = np.bincount(np.sum(is_tested, axis=0), minlength=6)
        assert times[0] > 0.2 * len(y) and times[2:].sum() > 0.1 * len(y)
        if y is emoji.load().y:
            assert (times[0], times[2:].sum()) == (501, 402)
