"""What notebook 12 says of intervals, and what its cells show: counted anew, and drawn anew with other seeds."""

import re
from collections import Counter
from fractions import Fraction as F
from functools import cache
from itertools import product
from math import comb, exp
from statistics import pvariance

import numpy as np
import pytest
from facts import always, decimal, rows, said, shown
from plain import at, best_cut, f1, macro_f1, micro_f1
from scipy import stats
from sklearn.model_selection import train_test_split

from mlm_course import emoji, records
from mlm_helpers import curves, example_based, label_based, uncertainty
from mlm_helpers.data import folds

NOTEBOOK = "12_how_sure"
RECORD = records.load("coverage")
MODELS = "trees", "neighbours", "mix"


def jaccard(y_true, y_pred):
    """Of each sample; 0/0 is 0."""
    both, either = (y_true & y_pred).sum(axis=1), (y_true | y_pred).sum(axis=1)
    return both / np.maximum(either, 1)


def f1_of(times, y_true, y_pred):
    """Of all labels together, or of each that has a column, where each sample is there so many times."""
    hits, whole = times @ (y_true & y_pred), times @ (y_true + y_pred)
    return 2 * hits / np.maximum(whole, 1)


def mean(times, values):
    return times @ values / times.sum(axis=1)


METRICS = {  # of resamples: how many times each sample is there
    "micro F1": lambda w, t, p: (
        2 * (w @ (t & p).sum(axis=1)) / np.maximum(w @ (t + p).sum(axis=1), 1)
    ),
    "macro F1": lambda w, t, p: f1_of(w, t, p).mean(axis=1),
    "samples F1": lambda w, t, p: mean(w, f1(t, p, 1)),
    "accuracy (Jaccard)": lambda w, t, p: mean(w, jaccard(t, p)),
    "Hamming loss ↓": lambda w, t, p: mean(w, (t != p).mean(axis=1)),
    "subset accuracy": lambda w, t, p: mean(w, (t == p).all(axis=1)),
}


def value(name, y_true, y_pred):
    return float(METRICS[name](np.ones((1, len(y_true)), dtype=int), y_true, y_pred)[0])


@cache
def sets(repeat=0):
    """The truth of the half that judges, and what each model predicts there."""
    y = emoji.load().y
    first = folds(y, 2, seed=1) == 0
    scores = dict(emoji.scores(repeat))
    scores["mix"] = (scores["trees"] + scores["neighbours"]) / 2
    cuts = {m: best_cut(y[first], scores[m][first]) for m in MODELS}
    return y[~first], {m: at(scores[m][~first], cuts[m]) for m in MODELS}


@cache
def drawn(name, model, other=None, apart=False):
    """The metric of a model, or how far it is ahead of another, in 1,000 resamples of our own."""
    y_true, said_of = sets()
    rng = np.random.default_rng(7)
    times, others = rng.multinomial(786, np.full(786, 1 / 786), size=(2, 1000)).astype(float)
    found = METRICS[name](times, y_true, said_of[model])
    if other:
        found = found - METRICS[name](others if apart else times, y_true, said_of[other])
    return found


def error_of(name, model):
    return pytest.approx(drawn(name, model).std(), rel=0.1)


def holds_zero(words):
    low, high = words
    return low <= 0 <= high


def differences():
    """From the picture: metric → ends of the interval of trees minus mix."""
    found = re.findall(
        r"(?:: |; )([^;:]+?) -?[\d.]+ \((-?[\d.]+) to (-?[\d.]+)\)", said(NOTEBOOK, "10-29")
    )
    return {name: (float(low), float(high)) for name, low, high in found}


def missed(name, method="ours"):
    row = next(row for row in RECORD["rows"] if row["name"] == name)
    return sum(map(len, row[method].values()))


# ---------------------------------------------------------------------------- facts


def test_the_variance_of_all_means_is_that_of_the_samples_divided_by_their_number():
    samples = F(1), F(1, 2), F(0)
    means = [sum(each) / 3 for each in product(samples, repeat=3)]
    assert (pvariance(samples), pvariance(means)) == (F(1, 6), F(1, 18))


def test_a_resample_lacks_a_label_of_m_of_n_samples_with_chance_1_minus_m_over_n_to_the_n():
    for n in (2, 3, 4):
        for m in range(1, n):
            lacking = [min(picked) >= m for picked in product(range(n), repeat=n)]
            assert F(sum(lacking), len(lacking)) == (1 - F(m, n)) ** n


def test_macro_f1_is_no_mean_over_samples():
    y_true, y_pred = np.array([[1, 0], [1, 1]]), np.array([[1, 0], [0, 1]])
    alone = np.mean([macro_f1(t[None], p[None]) for t, p in zip(y_true, y_pred, strict=True)])
    assert alone != label_based.f1(y_true, y_pred)


def test_a_label_that_vanished_has_no_auroc():
    always(
        lambda y_true, y_pred: y_true.any() or np.isnan(curves.roc_auc(y_true, y_pred)), ((3, 1),)
    )


def test_stratify_takes_each_label_set_for_a_class():
    often, once = [[0, 1]] * 4 + [[1, 0]] * 4, [[1, 1]]
    with pytest.raises(ValueError, match="only 1 member"):
        train_test_split(often + once, stratify=often + once, test_size=0.5)
    assert "only 1 member, which is too few" in said(NOTEBOOK, "10-105")


def test_two_equally_good_methods_differ_cleanly_on_n_data_sets_once_in_2_to_the_n_minus_1():
    """And that is the least p of Wilcoxon's test."""
    for n in (3, 4, 5, 6, 7):
        wins = [len({*each}) == 1 for each in product((True, False), repeat=n)]
        assert F(sum(wins), len(wins)) == F(2, 2**n)
        assert stats.wilcoxon(range(1, n + 1)).pvalue == 2 / 2**n


def test_pooled_the_largest_data_set_may_decide_alone():
    first, second = [F(9, 10)] * 2 + [F(1, 2)], [F(8, 10)] * 2 + [F(6, 10)]
    sizes = 10, 10, 1000
    assert [a > b for a, b in zip(first, second, strict=True)] == [True, True, False]
    assert sum(map(F.__mul__, first, map(F, sizes))) < sum(map(F.__mul__, second, map(F, sizes)))


def test_intervals_miss_the_truth_in_4_to_7_of_100_data_sets_but_for_a_rare_label():
    *usual, rare_f1, rare_ap = [row["name"] for row in RECORD["rows"]]
    assert (RECORD["data_sets"], RECORD["samples"], RECORD["level"]) == (1000, 150, 0.95)
    assert all(40 <= missed(name) < 70 for name in usual)
    assert min(missed(rare_f1), missed(rare_ap)) > 70
    short = {name for name in usual[:11] if missed(name, "percentile") > 75}
    assert short == {"macro F1", "macro AP"}


# ---------------------------------------------------------------------------- what the cells show


def test_the_metrics_of_three_models():
    y_true, said_of = sets()
    lines = []
    for name in METRICS:
        trees, neighbours, mix = (value(name, y_true, said_of[model]) for model in MODELS)
        lines.append((name, trees, neighbours, mix, trees - mix))
        assert (trees < mix) == ("↓" in name)
    assert shown(NOTEBOOK, "10-04") == rows((*MODELS, "trees − mix"), *lines, places=4)
    assert said(NOTEBOOK, "10-03").endswith("trees 0.22; mix 0.215.")


def test_all_resamples_of_three_photos():
    times = Counter(F(a + b + c, 6) for a, b, c in product(range(3), repeat=3))
    assert shown(NOTEBOOK, "10-08") == rows(
        map(str, sorted(times)), ("times", *(times[m] for m in sorted(times)))
    )
    assert shown(NOTEBOOK, "10-09") == rows(
        ("variance",), ("the 3 photos", F(1, 6)), ("the 27 means", F(1, 18))
    )


def test_the_standard_error_and_the_middle_95_of_100():
    y_true, said_of = sets()
    each = jaccard(y_true, said_of["trees"])
    rng, lines = np.random.default_rng(0), [("all, by the root", float(each.std() / 786**0.5))]
    for n_resamples in (10, 100, 1_000):
        means = np.sort(rng.choice(each, size=(n_resamples, 786)).mean(axis=1))
        lines.append((f"{n_resamples:,}", float(means.std())))
    assert shown(NOTEBOOK, "10-11") == rows(("standard error",), *lines, places=4)
    line = "accuracy (Jaccard)", float(means[25]), float(means[-26])
    assert shown(NOTEBOOK, "10-13") == rows(("low", "high"), line, places=4)


def test_intervals_hold_what_resamples_of_another_seed_do():
    y_true, said_of = sets()
    for name, row in shown(NOTEBOOK, "10-15").items():
        expected, error = value(name, y_true, said_of["trees"]), drawn(name, "trees").std()
        assert row["value"] == decimal(expected, 4)
        assert float(row["standard error"]) == error_of(name, "trees")
        for end, quantile in (("low", 0.025), ("high", 0.975)):
            at_quantile = np.quantile(drawn(name, "trees"), quantile)
            bias = 0.02 if name == "macro F1" else 0  # resamples of macro F1 lack rare labels
            assert float(row[end]) == pytest.approx(at_quantile, abs=error / 2 + bias)
        assert f"{name} {decimal(expected)} ({decimal(float(row['low']))} to" in said(
            NOTEBOOK, "10-16"
        )
    labels = said_of["trees"].sum(axis=1)
    center, low, high, *_ = map(float, re.findall(r"=([\d.]+)", said(NOTEBOOK, "10-18")))
    assert center == round(labels.mean(), 4)  # and 90 of 100 lie within 1.645 errors
    assert high - low == pytest.approx(2 * 1.645 * labels.std() / len(labels) ** 0.5, rel=0.1)


def test_cells_promise_too_small_an_error():
    y_true, said_of = sets()
    tp = (y_true & said_of["trees"]).sum()
    wrong, cells = (y_true != said_of["trees"]).sum(), y_true.size
    rng = np.random.default_rng(3)
    for k, (name, row) in zip((1, 2, 4), shown(NOTEBOOK, "10-20").items(), strict=True):
        shares = np.array([tp, wrong, cells - tp - wrong]) / cells
        hits, errors, _ = rng.multinomial(k * cells, shares, size=4000).T
        assert name == f"{k} ×" and row["micro F1"] == decimal(micro_f1(y_true, said_of["trees"]))
        assert float(row["error by pictures"]) == error_of("micro F1", "trees")
        assert float(row["error by cells"]) == pytest.approx(
            (2 * hits / (2 * hits + errors)).std(), rel=0.05
        )


def test_mcnemar_on_cells():
    y_true, said_of = sets()
    right = {model: said_of[model] == y_true for model in MODELS}
    trees = int((right["trees"] & ~right["neighbours"]).sum())
    neighbours = int((right["neighbours"] & ~right["trees"]).sum())
    lines = []
    for k in (1, 2, 4):
        n = k * (trees + neighbours)
        p = F(2 * sum(comb(n, i) for i in range(k * trees + 1)), 2**n)
        lines.append((f"{k} ×", k * trees, k * neighbours, float(p)))
    heads = "only the trees right", "only the neighbours right", "p"
    assert shown(NOTEBOOK, "10-22") == rows(heads, *lines, places=4)
    row = shown(NOTEBOOK, "10-23")["Hamming loss"]
    assert holds_zero((float(row["low"]), float(row["high"])))


def test_paired_draws_have_the_smaller_error():
    y_true, said_of = sets()
    for name, row in shown(NOTEBOOK, "10-28").items():
        trees, mix = (value(name, y_true, said_of[model]) for model in ("trees", "mix"))
        assert row["difference"] == decimal(trees - mix, 4)
        paired, apart = float(row["error, paired"]), float(row["error, each on its own"])
        small = 5e-5  # they are shown to four places
        assert paired == pytest.approx(drawn(name, "trees", "mix").std(), rel=0.15, abs=small)
        assert apart == pytest.approx(
            drawn(name, "trees", "mix", apart=True).std(), rel=0.15, abs=small
        )
        assert paired < apart


def test_the_difference_may_leave_out_0_where_two_intervals_overlap():
    trees, mix = re.findall(r"\((-?[\d.]+) to (-?[\d.]+)\)", said(NOTEBOOK, "10-26"))
    assert float(trees[0]) < float(mix[1])
    open_ = {name for name, ends in differences().items() if holds_zero(ends)}
    assert open_ == {"accuracy (Jaccard)", "samples F1", "subset accuracy"}
    for name, (low, high) in differences().items():
        quantiles = np.quantile(drawn(name, "trees", "mix"), (0.025, 0.975))
        assert (low, high) == pytest.approx(
            tuple(quantiles), abs=drawn(name, "trees", "mix").std() / 2 + 5e-4
        )


def test_rare_labels_vanish():
    y_true, _ = sets()
    few = y_true[np.random.default_rng(1).choice(786, size=60, replace=False)]
    picked = np.random.default_rng(2).integers(60, size=(1_000, 60))
    positives, present = few.sum(axis=0), np.array([few[p].any(axis=0) for p in picked])
    lines = [
        (
            m,
            int((positives == m).sum()),
            (1 - m / 60) ** 60,
            exp(-m),
            float(1 - present[:, positives == m].mean()),
        )
        for m in (1, 2, 3)
    ]
    heads = "such labels", "chance", "near", "vanished, counted"
    assert shown(NOTEBOOK, "10-32") == rows(heads, *lines)
    assert (
        pytest.approx(int(said(NOTEBOOK, "10-34").partition("undefined=")[2].rstrip(")\n")), abs=40)
        == 1000 * (1 - 2 / 60) ** 60
    )
    kept = present[:, positives > 0].sum(axis=1)
    numbers = (positives > 0).sum(), decimal(kept.mean(), 1), kept.max()
    assert [text for row in shown(NOTEBOOK, "10-35").values() for text in row.values()] == [
        str(n) for n in numbers
    ]
    assert said(NOTEBOOK, "10-62") == f"lacks it: {exp(-1):.3f}\n"


def error_of_the_mean(y_true, y_pred, some):
    data = y_true[some], y_pred[some]
    found = uncertainty.interval(example_based.accuracy, *data, n_resamples=100)
    return found.standard_error


def test_four_times_the_pictures_have_half_the_error():
    """Of the mean of n pictures the error is the spread over the root of n; twenty draws are averaged."""
    y_true, said_of = sets()
    each = jaccard(y_true, said_of["trees"])
    rng, lines = np.random.default_rng(0), []
    for n in (49, 196, 784):
        chosen = [rng.permutation(786)[:n] for _ in range(20)]
        errors = [error_of_the_mean(y_true, said_of["trees"], some) for some in chosen]
        assert np.mean(errors) == pytest.approx(each.std() / n**0.5, rel=0.04)
        lines.append((n, float(np.mean(errors)), float(np.mean(errors) * n**0.5)))
    heads = "standard error, mean of 20", "times the root of their number"
    assert shown(NOTEBOOK, "10-38") == rows(heads, *lines)
    ahead = value("accuracy (Jaccard)", y_true, said_of["trees"]) - value(
        "accuracy (Jaccard)", y_true, said_of["mix"]
    )
    gap, pictures, more = (
        text for row in shown(NOTEBOOK, "10-40").values() for text in row.values()
    )
    assert gap == decimal(ahead)
    needed = 7.86 * (1.96 * drawn("accuracy (Jaccard)", "trees", "mix").std() / ahead) ** 2
    assert int(pictures) == pytest.approx(needed, rel=0.15)
    both = stats.norm.ppf(0.975) + stats.norm.ppf(0.8)
    assert int(more) == pytest.approx(int(pictures) * (both / 1.96) ** 2, rel=0.02)


def test_of_eight_metrics_one_is_lucky_more_often():
    table = {
        name: float(row["share of the tosses"]) for name, row in shown(NOTEBOOK, "10-44").items()
    }
    independent, either = (
        table.pop("so it would be if they were independent"),
        table.pop("at least one of them"),
    )
    assert independent == round(1 - 0.95**8, 3)
    assert len(table) == 8 and all(0.03 < share <= 20 / 400 for share in table.values())
    assert max(table.values()) * 3 < either < independent


def test_how_often_intervals_hold_the_truth():
    both = "ours", "percentile"
    lines = [(r["name"], *(1 - missed(r["name"], m) / 1000 for m in both)) for r in RECORD["rows"]]
    assert shown(NOTEBOOK, "10-47") == rows(("ours", "percentiles"), *lines)
    rare = RECORD["rows"][-2]
    assert (
        said(NOTEBOOK, "10-48")
        == f"macro F1, rare label truth: {rare['truth']:.3f} mean value: {rare['mean']:.3f}\n"
    )
    assert shown(NOTEBOOK, "10-51") == rows(
        ("chance",), *((n, F(2, 2**n)) for n in (3, 4, 5, 6, 7))
    )


def test_another_training_and_twins():
    y_true, said_of = sets()
    again = sets(1)[1]["trees"]
    trees, other = micro_f1(y_true, said_of["trees"]), micro_f1(y_true, again)
    row = shown(NOTEBOOK, "10-54")["trees − trees again"]
    assert row["difference"] == decimal(trees - other, 4)
    assert 0 < float(row["low"]) < float(row["difference"]) < float(row["high"])
    table = shown(NOTEBOOK, "10-56-1")
    once, twice = (table[name] for name in ("trees", "trees, each picture twice"))
    assert once["value"] == twice["value"] == decimal(trees, 4)
    assert float(once["standard error"]) == error_of("micro F1", "trees")
    ratio = float(once["standard error"]) / float(twice["standard error"])
    assert ratio == pytest.approx(2**0.5, rel=0.1)
    assert float(once["low"]) < float(twice["low"]) < float(twice["high"]) < float(once["high"])
    assert {"man factory worker", "woman factory worker"} <= {*emoji.load().names}


def test_the_verdict():
    """Both kinds of luck: the variance of five leads over five, and what two trainings share over resamples."""
    y_true = sets()[0]
    rng = np.random.default_rng(7)
    times = rng.multinomial(786, np.full(786, 1 / 786), size=1000).astype(float)
    for name, row in shown(NOTEBOOK, "10-102", names=2).items():
        metric, of = name.split(", ")
        both = [sets(repeat)[1] for repeat in range(5 if of == "five trainings" else 1)]
        leads = [value(metric, y_true, b["trees"]) - value(metric, y_true, b["mix"]) for b in both]
        assert row["difference"] == decimal(np.mean(leads), 4)
        ahead = sum(lead > 0 for lead in leads)
        assert row["trainings in which the trees lead"] == f"{ahead} of {len(leads)}"
        again = [
            METRICS[metric](times, y_true, b["trees"]) - METRICS[metric](times, y_true, b["mix"])
            for b in both
        ]
        if len(both) == 5:
            shared = np.mean(np.cov(again)[~np.eye(5, dtype=bool)])
            error = (np.var(leads, ddof=1) / 5 + shared) ** 0.5
            half = (float(row["high"]) - float(row["low"])) / 2
            assert 1.9 * error < half < 2.8 * error  # by Student's t
        ends = float(row["low"]), float(row["high"])
        leaves_out = {"one training": {"micro F1", "macro F1"}, "five trainings": {"macro F1"}}
        assert holds_zero(ends) is (metric not in leaves_out[of]), name


def test_a_test_over_labels_takes_them_for_independent():
    y_true, said_of = sets()
    trees, mix = (f1(y_true, said_of[model], 0) for model in ("trees", "mix"))
    ps = [stats.wilcoxon(np.repeat(trees - mix, k)).pvalue for k in (1, 2)]
    lines = [
        (f"{k} ×", float((trees - mix).mean()), f"1 in {1 / p:,.0f}")
        for k, p in zip((1, 2), ps, strict=True)
    ]
    heads = "macro F1, trees − mix", "p of Wilcoxon's test over labels"
    assert shown(NOTEBOOK, "10-108") == rows(heads, *lines, places=4)
    assert ps[1] < ps[0] / 50


def test_the_error_of_five_trainings_has_two_parts():
    y_true = sets()[0]
    said_of = [sets(repeat)[1]["trees"] for repeat in range(5)]
    values = [micro_f1(y_true, one) for one in said_of]
    rng = np.random.default_rng(7)
    times = rng.multinomial(786, np.full(786, 1 / 786), size=1000).astype(float)
    apart = np.cov([METRICS["micro F1"](times, y_true, one) for one in said_of])
    shared = np.mean([apart[i, j] for i, j in product(range(5), repeat=2) if i != j])
    row = shown(NOTEBOOK, "10-55-2")["mean of five"]
    assert row["value"] == decimal(np.mean(values), 4)
    error = float(row["standard error"])
    assert error**2 == pytest.approx(np.var(values, ddof=1) / 5 + shared, rel=0.1)
    assert shown(NOTEBOOK, "10-55-2")["one training"] == shown(NOTEBOOK, "10-56-1")["trees"]


def test_groups_undo_the_twins():
    table = shown(NOTEBOOK, "10-56-1")
    assert table["the same, drawn as groups"] == table["trees"]


def test_scipy_makes_an_interval_for_each_column():
    lines = ("two matrices of three labels", 3), ("row numbers", 1)
    assert shown(NOTEBOOK, "10-58") == rows(("intervals",), *lines)


def test_drawn_twice_the_difference_holds_0_and_drawn_once_it_does_not():
    for cell, apart in (("10-68", True), ("10-70", False)):
        ends = [float(number) for number in said(NOTEBOOK, cell).split()[-2:]]
        ours = drawn("micro F1", "trees", "mix", apart=apart)
        assert ends == pytest.approx(np.quantile(ours, (0.025, 0.975)), abs=ours.std() / 2)
        assert holds_zero(ends) is apart


def test_the_metric_that_was_chosen_decides():
    y_true, said_of = sets()
    for name, row in shown(NOTEBOOK, "10-72").items():
        trees, other = (value(name, y_true, said_of[m]) for m in ("trees", "neighbours"))
        assert row["value"] == decimal(trees - other, 4)
        ends = float(row["low"]), float(row["high"])
        assert ends == pytest.approx(
            np.quantile(drawn(name, "trees", "neighbours"), (0.025, 0.975)), abs=0.01
        )
        assert holds_zero(ends) == (name == "subset accuracy")
