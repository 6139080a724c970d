"""Resampling: against all possible resamples, repeated rows, a published interval and SciPy."""

import math
import tracemalloc
from functools import cache, partial
from itertools import product
from statistics import NormalDist

import numpy as np
import pandas as pd
import pytest
import scipy.stats
import throwaway
import tqdm
from random_inputs import agree, mask_cells, on_random_problems
from scipy.sparse import csr_array, csr_matrix
from sklearn import metrics

from mlm_helpers import catalogue, curves, example_based, hamming, label_based, ranking, uncertainty
from mlm_helpers import data as unknown_cells
from mlm_helpers._core import blocks, progress
from mlm_helpers.uncertainty import Comparison, Interval, compare, interval, per_label, prevalence

micro_f1 = partial(label_based.f1, average="micro")
macro_f2 = partial(label_based.fbeta, beta=2)


def data(n_samples=40, n_labels=3, seed=0):
    """Truth, predictions and scores with ties; the labels of a sample are correlated."""
    rng = np.random.default_rng(seed)
    of_sample, of_cell = rng.normal(size=(n_samples, 1)), rng.normal(size=(n_samples, n_labels))
    latent = of_sample + of_cell
    score = np.round(latent + rng.normal(size=latent.shape), 1)
    return (latent > 0.8).astype(int), (score > 1).astype(int), score


Y_TRUE, Y_PRED, Y_SCORE = data()


def sets_or_scores(metric, y_pred, y_score):
    """The matrix that the metric reads."""
    return y_score if catalogue.record_of(metric).reads == "y_score" else y_pred


@pytest.mark.parametrize("groups", ["abc", "bacacc"])
@pytest.mark.parametrize("name", ["samples F1", "micro F1", "macro F1", "macro AUROC"])
def test_values_are_as_frequent_as_among_all_possible_resamples(name, groups):
    """Three patients with one sample each, or one, two and three: 27 equally likely resamples."""
    metric, n_resamples = catalogue.variants()[name], 1_000
    group = np.array([*groups])
    y_true, y_pred, y_score = (m[: len(groups)] for m in data(n_samples=6, n_labels=2, seed=13))
    y_pred = sets_or_scores(metric, y_pred, y_score)
    rows_of = {patient: np.flatnonzero(group == patient) for patient in "abc"}
    resamples = [np.concatenate([*map(rows_of.get, abc)]) for abc in product("abc", repeat=3)]
    possible = [metric(y_true[rows], y_pred[rows]) for rows in resamples]
    possible = np.nan_to_num(possible, nan=-1).round(9)
    options = {"n_resamples": n_resamples, "groups": None if groups == "abc" else group}
    (drawn,) = uncertainty.resample(metric, y_true, {"y": y_pred}, **options)
    values = np.nan_to_num(drawn.resampled, nan=-1).round(9)
    assert {*values} == {*possible}
    for value in {*possible}:
        share = (possible == value).mean()
        error = math.sqrt(share * (1 - share) / n_resamples)
        assert abs((values == value).mean() - share) <= 4.5 * error
    assert drawn.value == metric(y_true, y_pred)
    jackknife = [metric(y_true[group != g], y_pred[group != g]) for g in dict.fromkeys(groups)]
    assert drawn.jackknife == pytest.approx(jackknife, nan_ok=True)


def test_undefined_resamples_are_counted():
    """One label with a positive and a negative: half of all resamples lack one of the two."""
    y_true, right, wrong = [[1], [0]], [[0.9], [0.1]], [[0.1], [0.9]]
    result = interval(curves.roc_auc, y_true, right, n_resamples=400)
    assert abs(result.undefined - 200) <= 4.5 * math.sqrt(100)
    assert result[:4] == (1, 1, 1, 0)
    comparison = compare(curves.roc_auc, y_true, right, wrong, n_resamples=400)
    assert comparison.difference.undefined == result.undefined
    assert (comparison.difference.value, comparison.share_first_better) == (1, 1)


def test_an_interval_has_no_ends_if_the_metric_is_undefined():
    """No sample has a relevant label, and such samples are left out.

    A comparison has none either.
    """
    metric = partial(ranking.average_precision, undefined=math.nan)
    result = interval(metric, [[0, 0]] * 3, [[1, 2]] * 3)
    assert np.isnan(result[:4]).all() and result.undefined == 1000
    comparison = compare(metric, [[0, 0]] * 3, [[1, 2]] * 3, [[2, 1]] * 3)
    assert np.isnan([*comparison.difference[:4], comparison.share_first_better]).all()


@pytest.mark.parametrize("record", (*catalogue.METRICS, *throwaway.RECORDS), ids=lambda r: r.id)
@on_random_problems(8)
def test_a_resample_is_its_rows_repeated(record, y_true, y, weights, options, random):
    """With and without weights, unknown cells and CSR arrays."""
    n = len(y_true)
    is_sparse = record.reads == "y_pred" and random.integers(2)
    if options.get("average", "macro") is None:
        options["average"] = record.averages[0]
    if random.integers(2) and not is_sparse:
        y_true = mask_cells(y_true, random, most=n)
    weight = random.permutation(weights) if random.integers(2) else None
    resamples = np.sort(random.integers(n, size=(4, n)))
    draws = np.array([np.bincount(rows, minlength=n) for rows in resamples], dtype=np.float32)
    metric = partial(record.function, **options, sample_weight=weight)
    pair = (csr_array(y_true), csr_array(y)) if is_sparse else (y_true, y)
    with throwaway.installed():
        checked = uncertainty.read_data(metric, *pair, "y")
        values = uncertainty._statistic(metric, checked)(draws)
    for rows, value in zip(resamples, values, strict=True):
        options["sample_weight"] = None if weight is None else weight[rows]
        if weight is not None and not weight[rows].any():
            assert math.isnan(value)
        else:
            assert agree(value, record.function(y_true[rows], y[rows], **options))


def test_a_function_of_scikit_learn_has_the_interval_of_ours():
    sklearn_f1 = partial(metrics.f1_score, average="macro", zero_division=0.0)
    for options in ({}, {"sample_weight": np.arange(40) % 3 + 0.5}):
        weighted = (partial(metric, **options) for metric in (label_based.f1, sklearn_f1))
        intervals = [interval(metric, Y_TRUE, Y_PRED, n_resamples=40) for metric in weighted]
        assert np.allclose(*intervals, rtol=0, atol=1e-9)


def test_a_function_gets_csr_arrays_of_sparse_data():
    sparse, options = (csr_matrix(Y_TRUE), csr_array(Y_PRED)), {"n_resamples": 40}
    result = interval(lambda t, p: t.multiply(p).sum(), *sparse, **options)
    assert result == interval(lambda t, p: (t * p).sum(), Y_TRUE, Y_PRED, **options)


# ---------------------------------------------------------------------------- draws


def test_the_draws_of_a_seed_never_change():
    """The integers below 5 that NumPy's PCG64 gave; a NumPy that draws others would fail here."""
    resamples = [[4, 3, 2, 1, 1], [0, 0, 0, 0, 4]]
    *_, first, second = uncertainty._draws(np.arange(5), n_parts=5, n_resamples=2, seed=0)
    expected = [np.bincount(rows, minlength=5).tolist() for rows in resamples]
    assert [first.tolist(), second.tolist()] == expected
    rng = np.random.default_rng(0)
    assert rng.multinomial(20, [0.4, 0.1, 0.5], 2).tolist() == [[9, 1, 10], [4, 0, 16]]
    assert rng.binomial(100, 0.35, 5).tolist() == [42, 39, 26, 38, 35]


@pytest.mark.parametrize("metric", [example_based.f1, label_based.f1, curves.average_precision])
def test_a_seed_gives_the_same_result_in_batches_of_any_size(metric, monkeypatch):
    y_pred = sets_or_scores(metric, Y_PRED, Y_SCORE)
    first = interval(metric, Y_TRUE, y_pred, n_resamples=60, seed=7)
    assert interval(metric, Y_TRUE, y_pred, n_resamples=60, seed=7) == first
    assert interval(metric, Y_TRUE, y_pred, n_resamples=60, seed=8) != first
    monkeypatch.setattr(blocks, "BLOCK_CELLS", 20)
    for cells, draws in ((1, 100), (150, 100), (2**20, 7)):
        monkeypatch.setattr(uncertainty, "_BATCH_CELLS", cells)
        monkeypatch.setattr(uncertainty, "_BATCH_DRAWS", draws)
        assert interval(metric, Y_TRUE, y_pred, n_resamples=60, seed=7) == pytest.approx(first)


def test_memory_is_a_fraction_of_the_data(monkeypatch):
    y_true, y_pred, _ = data(40_000, 40)
    monkeypatch.setattr(uncertainty, "_BATCH_CELLS", 2**18)
    monkeypatch.setattr(uncertainty, "_JACKKNIFE_PARTS", 10)
    interval(label_based.f1, Y_TRUE, Y_PRED)
    tracemalloc.start()
    interval(label_based.f1, y_true, y_pred, n_resamples=40)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < (y_true.nbytes + y_pred.nbytes) / 4


FUNCTIONS = ((interval, [Y_PRED]), (per_label, [Y_PRED]), (compare, [Y_PRED, Y_PRED[::-1]]))


@pytest.mark.parametrize(("function", "predictions"), FUNCTIONS)
def test_groups_of_three_equal_samples_are_drawn_like_single_samples(function, predictions):
    rows = np.repeat(np.arange(40), 3)
    single = function(macro_f2, Y_TRUE, *predictions)
    tripled = (matrix[rows] for matrix in predictions)
    grouped = function(macro_f2, Y_TRUE[rows], *tripled, groups=rows)
    assert np.allclose(np.hstack(grouped), np.hstack(single))


def test_the_lower_value_is_better_for_losses_only():
    worse = Y_PRED.copy()
    worse[:30] = 1 - Y_TRUE[:30]
    compared = partial(compare, y_true=Y_TRUE, n_resamples=60)
    for metric, sign in ((hamming.hamming_loss, -1), (label_based.f1, 1), (micro_f1, 1)):
        comparison = compared(metric, first=Y_PRED, second=worse)
        assert comparison.share_first_better == 1
        assert comparison.difference.low * sign > 0 and comparison.difference.high * sign > 0
        assert compared(metric, first=worse, second=Y_PRED).share_first_better == 0
        equal = compared(metric, first=worse, second=worse.copy())
        assert equal == Comparison(Interval(0, 0, 0, 0, 0), 0.5)
    comparison = compared(lambda t, p: hamming.hamming_loss(t, p), first=Y_PRED, second=worse)
    assert comparison.share_first_better == 0  # a function, for which higher is better


def test_a_tie_counts_half():
    """Only the first is right in row 0, and only the second in row 1: two of four resamples tie."""
    truth, first, second = [[1], [1]], [[1], [0]], [[0], [1]]
    comparison = compare(example_based.accuracy, truth, first, second, n_resamples=4000)
    assert abs(comparison.share_first_better - 1 / 2) <= 4.5 * math.sqrt(1 / 8 / 4000)
    # A prediction without a hit ties in one of four resamples only: the variance is 3/64, not 1/8.
    comparison = compare(example_based.accuracy, truth, first, [[0], [0]], n_resamples=4000)
    assert abs(comparison.share_first_better - 7 / 8) <= 4.5 * math.sqrt(3 / 64 / 4000)


# ---------------------------------------------------------------------------- the interval


def test_with_normal_quantiles_it_is_the_interval_of_scipy(monkeypatch):
    """Of a skewed mean. SciPy draws other resamples: the ends agree as far as 10,000 can tell."""
    monkeypatch.setattr(uncertainty, "_student_quantile", lambda p, _: NormalDist().inv_cdf(p))
    rng, options = np.random.default_rng(0), {"vectorized": True, "method": "BCa"}
    values = rng.exponential(size=(40, 1))
    ours = interval(lambda _, value: value.mean(), np.ones((40, 1)), values, n_resamples=10_000)
    scipys = scipy.stats.bootstrap((values[:, 0],), np.mean, n_resamples=10_000, rng=rng, **options)
    assert ours.standard_error == pytest.approx(scipys.standard_error, rel=0.02)
    assert ours[1:3] == pytest.approx(scipys.confidence_interval, abs=ours.standard_error / 10)


def test_an_interval_contains_its_value_or_has_no_ends():
    """Each label has one positive, which 37 of 100 resamples lack: their macros are lower."""
    result = interval(label_based.f1, np.eye(60), np.diag(np.arange(60) % 3 > 0))
    assert result.value == pytest.approx(2 / 3)
    assert math.isnan(result.low) and math.isnan(result.high)
    for n_below in range(101):
        resampled = np.where(np.arange(100) < n_below, 0, 1) + np.linspace(0.1, 0.2, 100)
        resamples = uncertainty.Resamples(1.0, jackknife=np.array([0, 1, 3]), resampled=resampled)
        result = uncertainty.bca_interval(resamples, level=0.8)
        assert math.isnan(result.low + result.high) or result.low <= 1 <= result.high


def test_students_t_is_that_of_scipy():
    assert uncertainty._student_quantile(0.995, 3) == pytest.approx(5.840909, abs=1e-6)  # a table
    for degrees in (3, 3.3, 8, 17.25, 60, 199):
        for level in (0.5, 0.9, 0.95, 0.99, 0.999):
            expected = scipy.stats.t.ppf((1 + level) / 2, degrees)
            quantile = uncertainty._student_quantile((1 + level) / 2, degrees)
            assert quantile == pytest.approx(expected, rel=1e-6), (degrees, level)


def test_degrees_of_freedom_are_few_if_few_samples_determine_the_variance():
    def degrees_of_freedom(influence):
        return uncertainty._degrees_of_freedom(np.array(influence, dtype=float))

    assert degrees_of_freedom([1, -1] * 50) == 99
    two_samples = degrees_of_freedom([1, -1, *[0] * 98])  # Σ d⁴ = V = 2: 2 / (2/4 - 1/100)
    assert two_samples == pytest.approx(2 / 0.49)
    assert degrees_of_freedom([1, *[0] * 99]) == 3


def test_a_jackknife_of_200_parts_agrees_with_one_of_single_samples(monkeypatch):
    y_true, y_pred, _ = data(400, 4)
    (by_part,) = uncertainty.resample(label_based.f1, y_true, {"y_pred": y_pred})
    monkeypatch.setattr(uncertainty, "_JACKKNIFE_PARTS", 400)
    (by_sample,) = uncertainty.resample(label_based.f1, y_true, {"y_pred": y_pred})
    assert (len(by_part.jackknife), len(by_sample.jackknife)) == (200, 400)
    of_parts = uncertainty.bca_interval(by_part, 0.95)
    of_samples = uncertainty.bca_interval(by_sample, 0.95)
    assert np.abs(np.subtract(of_parts, of_samples)).max() < of_samples.standard_error / 5


# ---------------------------------------------------------------------------- intervals per label

SUCCESSES_AND_FAILURES = {
    "precision": (label_based.precision, lambda tp, fp, fn, tn: (tp, fp)),
    "specificity": (label_based.specificity, lambda tp, fp, fn, tn: (tn, fp)),
    "accuracy": (label_based.accuracy, lambda tp, fp, fn, tn: (tp + tn, fp + fn)),
    "jaccard": (label_based.jaccard, lambda tp, fp, fn, tn: (tp, fp + fn)),
    "f1": (label_based.f1, lambda tp, fp, fn, tn: (tp, fp + fn)),
}


@cache
def scipy_wilson(successes, failures):
    """SciPy's interval of level 0.9; nan without cells."""
    if not successes + failures:
        return math.nan, math.nan
    n = successes + failures
    return scipy.stats.binomtest(successes, n).proportion_ci(0.9, method="wilson")


@pytest.mark.parametrize("name", SUCCESSES_AND_FAILURES)
def test_a_share_of_cells_has_the_interval_of_wilson(name):
    """Labels of six cells with all counts of TP, FP, FN, TN and unknown cells."""
    metric, successes_and_failures = SUCCESSES_AND_FAILURES[name]
    labels = [counts for counts in product(range(7), repeat=5) if sum(counts) == 6]
    kinds = np.array([np.repeat(range(5), counts) for counts in labels]).T  # 4 is unknown
    y_true = unknown_cells.unknown(np.choose(kinds, (1, 0, 1, 0, -1)))
    y_pred = np.choose(kinds, (1, 1, 0, 0, 1))
    intervals = per_label(metric, y_true, y_pred, level=0.9)
    assert agree([result.value for result in intervals], metric(y_true, y_pred, average=None))
    for counts, result in zip(labels, intervals, strict=True):
        low, high = scipy_wilson(*successes_and_failures(*counts[:4]))
        if name == "f1":
            low, high = (2 * end / (1 + end) for end in (low, high))
        error = (high - low) / (2 * scipy.stats.norm.ppf(0.95))
        expected = pytest.approx((result.value, low, high, error, 0), nan_ok=True)
        assert result == expected, counts


def test_wilsons_ends_are_exactly_0_and_1_if_all_cells_are_equal():
    for n in range(1, 60):
        of_hits, of_misses = per_label(label_based.f1, [[1, 1]] * n, [[1, 0]] * n)
        assert of_hits.high == of_hits.value == 1 and of_misses.low == of_misses.value == 0


RESAMPLED = [
    (label_based.f1, {"groups": np.arange(40) // 2}),
    (partial(label_based.recall, sample_weight=np.arange(40) % 3), {}),
    (macro_f2, {}),
    (partial(label_based.kappa, average=None), {"seed": 3}),
    (curves.average_precision, {}),
    (lambda y_true, y_pred: float((y_true * y_pred).sum()), {}),
]


@pytest.mark.parametrize(("metric", "options"), RESAMPLED)
def test_otherwise_a_label_has_the_interval_of_its_column(metric, options):
    """With groups or weights, or if the metric is not a share of cells."""
    y_true, y_pred = Y_TRUE, Y_SCORE if metric is curves.average_precision else Y_PRED
    intervals = per_label(metric, y_true, y_pred, n_resamples=40, **options)
    if getattr(metric, "keywords", {}).get("average", "") is None:  # interval needs one value
        metric = partial(metric, average="macro")
    for j, result in enumerate(intervals):
        columns = y_true[:, [j]], y_pred[:, [j]]
        assert result == pytest.approx(interval(metric, *columns, n_resamples=40, **options))


def test_a_long_run_shows_a_progress_bar(monkeypatch, capsys):
    monkeypatch.setattr(tqdm, "tqdm", partial(tqdm.tqdm, disable=False))
    for delay in (3, 0):
        monkeypatch.setattr(progress, "DELAY", delay)
        interval(label_based.f1, Y_TRUE, Y_PRED, n_resamples=60)
        text = capsys.readouterr().err
        assert ("/101 [" in text) == (delay == 0)  # all samples, 40 left out, 60 resamples


# ---------------------------------------------------------------------------- prevalence


def one_label(outcomes, n_new, n_predicted):
    """Truth and prediction with these counts of TP, FP, FN, TN, and predictions for new data."""
    pair = np.repeat([[1, 0, 1, 0], [1, 1, 0, 0]], outcomes, axis=1)
    return [cells.reshape(-1, 1) for cells in (*pair, (np.arange(n_new) < n_predicted) * 1)]


PREVALENCES = [
    ((3, 1, 1, 3), 8, 5, 3 / 4),  # recall and specificity 3/4: (5/8 - 1/4) / (1/2)
    ((90, 15, 10, 85), 1000, 600, 3 / 5),  # (3/5 - 3/20) / (9/10 - 3/20)
    ((90, 15, 10, 85), 1000, 100, 0),  # (1/10 - 3/20) / (3/4) is -1/15
    ((90, 15, 10, 85), 20, 19, 1),  # (19/20 - 3/20) / (3/4) is 16/15
    # Recall and 1 - specificity are 1/6; recall is lower; no positive; no negative.
    *((n, 6, 1, math.nan) for n in [(1, 2, 5, 10), (1, 3, 5, 9), (0, 2, 0, 10), (2, 0, 1, 0)]),
]


@pytest.mark.parametrize(("outcomes", "n_new", "n_predicted", "expected"), PREVALENCES)
def test_prevalence_by_hand(outcomes, n_new, n_predicted, expected):
    (result,) = prevalence(*one_label(outcomes, n_new, n_predicted))
    assert result.value == pytest.approx(expected, abs=1e-15, nan_ok=True)
    is_undefined = result.undefined == 1000 and np.isnan(result[:4]).all()
    assert is_undefined or 0 <= result.low <= result.value <= result.high <= 1


@pytest.mark.parametrize("seed", range(4))
def test_resamples_of_a_prevalence_are_those_of_drawn_rows(seed):
    """Half a sample of each outcome is added: each is there twice, beside one of each."""
    rng, n_new, values = np.random.default_rng(seed), 6, []
    *outcomes, n_predicted = rng.integers([4, 0, 0, 4, 0], [9, 4, 4, 9, 4])  # TP, FP, FN, TN
    rows = np.repeat(range(4), 2 * np.array(outcomes) + 1)
    new = np.repeat([1, 0], [2 * n_predicted + 1, 2 * (n_new - n_predicted) + 1])
    for _ in range(4000):
        tp, fp, fn, tn = np.bincount(rng.choice(rows, sum(outcomes)), minlength=4)
        part = (tp + fn) * (rng.choice(new, n_new).mean() * (fp + tn) - fp)
        whole = tp * tn - fp * fn
        values.append(np.clip(part / whole, 0, 1) if whole > 0 else -1)
    outcomes = np.array(outcomes)
    resamples = uncertainty._resample_prevalence(outcomes, n_predicted, n_new, 4000, seed)
    drawn = np.nan_to_num(resamples.resampled, nan=-1).round(9)
    assert scipy.stats.ks_2samp(drawn, np.round(values, 9)).pvalue > 1e-3


def test_the_prevalence_of_a_label_depends_on_its_known_cells_only():
    rng = np.random.default_rng(0)
    cells, y_new = rng.integers(0, 2, (40, 5)), rng.integers(0, 2, (70, 5))
    y_true, y_pred = mask_cells(cells, rng, most=60), cells ^ (rng.random((40, 5)) < 0.2)
    for j, result in enumerate(prevalence(y_true, y_pred, csr_array(y_new))):
        columns = y_true[:, [j]], y_pred[:, [j]], y_new[:, [j]]
        assert prevalence(*columns) == [result] != prevalence(*columns, seed=8)
        known = ~columns[0].mask[:, 0]
        frames = pd.DataFrame(cells)[known], pd.DataFrame(y_pred)[known], pd.DataFrame(y_new)
        columns = [frame[[j]] for frame in frames]  # new samples have another index
        assert prevalence(*columns) == [result]
        assert result.low < prevalence(*columns, level=0.5)[0].low


SETTINGS = [(100, 100, 0.3, 0.9, 0.9), (100, 200, 0.1, 0.8, 0.95), (10_000, 100, 0.1, 0.8, 0.95)]
MANY = pytest.param(1000, 0.93, marks=pytest.mark.exhaustive)


@pytest.mark.parametrize(("n_data_sets", "least"), [(200, 0.88), MANY])
@pytest.mark.parametrize(("n_new", "n", "share", "recall", "specificity"), SETTINGS)
def test_intervals_of_a_prevalence(n_data_sets, least, n_new, n, share, recall, specificity):
    """Each label is a data set; chance puts 0.95 of 200 below 0.88 once in 30,000 times."""
    rng = np.random.default_rng(0)
    y_true = rng.random((n + n_new, n_data_sets)) < share
    y_pred = rng.random(y_true.shape) < np.where(y_true, recall, 1 - specificity)
    results = prevalence(y_true[:n], y_pred[:n], y_pred[n:])
    assert np.mean([result.low <= share <= result.high for result in results]) >= least


@pytest.mark.parametrize("n_resamples", [3, 39, 1424, 6000, 10**6, 10**7])
def test_the_level_that_a_message_offers_is_accepted(n_resamples):
    with pytest.raises(ValueError, match="give a level up to") as refusal:
        uncertainty.check_resampling(1 - 1e-9, n_resamples)
    level = float(str(refusal.value).split("up to ")[1].split(",")[0])
    uncertainty.check_resampling(level, n_resamples)
