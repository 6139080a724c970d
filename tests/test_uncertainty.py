"""Resampling: all resamples there are, rows that are repeated, a published interval, other tools."""

import math
import tracemalloc
from functools import cache, partial
from itertools import product
from unittest import mock

import numpy as np
import pytest
import scipy.stats
import throwaway
import tqdm
from random_inputs import agree, mask_cells, on_random_problems
from scipy.sparse import csr_array, csr_matrix
from sklearn import metrics

from mlm_helpers import catalogue, curves, example_based, hamming, label_based, ranking, uncertainty
from mlm_helpers import data as unknown_cells
from mlm_helpers._core import blocks
from mlm_helpers.uncertainty import Comparison, Interval, compare, interval, per_label

micro_f1 = partial(label_based.f1, average="micro")
macro_f2 = partial(label_based.fbeta, beta=2)


def data(n_samples=40, n_labels=3, seed=0):
    """Truth, predictions and scores with ties, of rows in which labels depend on each other."""
    rng = np.random.default_rng(seed)
    shared, shape = rng.normal(size=(n_samples, 1)), (n_samples, n_labels)
    decides = shared + rng.normal(size=shape)
    score = np.round(decides + rng.normal(size=shape), 1)
    return (decides > 0.8).astype(int), (score > 1).astype(int), score


Y_TRUE, Y_PRED, Y_SCORE = data()


def read(metric, prediction, score):
    return score if catalogue.record_of(metric).reads == "y_score" else prediction


# ---------------------------------------------------------------------------- resamples


@pytest.mark.parametrize("groups", ["abc", "bacacc"])
@pytest.mark.parametrize("name", ["samples F1", "micro F1", "macro F1", "macro AUROC"])
def test_values_come_as_often_as_among_all_resamples(name, groups):
    """Three patients of a sample each, or of one, two and three: 27 resamples, equally likely."""
    metric, n_resamples, group = catalogue.variants()[name], 1_000, np.array([*groups])
    y_true, y_pred, y_score = (matrix[: len(groups)] for matrix in data(6, 2, seed=13))
    y_pred = read(metric, y_pred, y_score)
    rows_of = {one: np.flatnonzero(group == one) for one in "abc"}
    drawn = [np.concatenate([*map(rows_of.get, three)]) for three in product("abc", repeat=3)]
    every = [metric(y_true[rows], y_pred[rows]) for rows in drawn]
    every = np.nan_to_num(every, nan=-1).round(9)
    given = None if groups == "abc" else group
    (found,) = uncertainty.resample(metric, y_true, {"y_pred": y_pred}, n_resamples, 0, given)
    values = np.nan_to_num(found.resampled, nan=-1).round(9)
    assert {*values} == {*every}
    for value in {*every}:
        share = (every == value).mean()
        spread = math.sqrt(share * (1 - share) / n_resamples)
        assert abs((values == value).mean() - share) <= 4.5 * spread
    assert found.value == metric(y_true, y_pred)
    left_out = [metric(y_true[group != one], y_pred[group != one]) for one in dict.fromkeys(groups)]
    assert found.jackknife == pytest.approx(left_out, nan_ok=True)


def test_undefined_resamples_are_counted():
    """One label, a positive and a negative: half of all resamples lack one of the two."""
    found = interval(curves.roc_auc, [[1], [0]], [[0.9], [0.1]], n_resamples=400)
    assert abs(found.undefined - 200) <= 4.5 * math.sqrt(100)
    assert found[:4] == (1, 1, 1, 0)
    both = compare(curves.roc_auc, [[1], [0]], [[0.9], [0.1]], [[0.1], [0.9]], n_resamples=400)
    assert both.difference.undefined == found.undefined
    assert (both.difference.value, both.share_first_better) == (1, 1)


def test_where_nothing_has_a_value_there_are_no_ends():
    """No label of any row is relevant, and what has no value is left out."""
    metric = partial(ranking.average_precision, undefined=math.nan)
    found = interval(metric, [[0, 0]] * 3, [[1, 2]] * 3)
    assert np.isnan(found[:4]).all() and found.undefined == 1000
    both = compare(metric, [[0, 0]] * 3, [[1, 2]] * 3, [[2, 1]] * 3)
    assert np.isnan([*both.difference[:4], both.share_first_better]).all()


@pytest.mark.parametrize("record", (*catalogue.METRICS, *throwaway.RECORDS), ids=lambda r: r.id)
@on_random_problems(8)
def test_a_resample_is_its_rows_repeated(record, y_true, y, weights, options, random):
    """With and without weights, unknown cells and CSR arrays; by a product, or from few cells."""
    n, few = len(y_true), random.integers(2)
    is_sparse = few and record.reads == "y_pred" and random.integers(2)
    if options.get("average", "macro") is None:
        options["average"] = record.averages[0]
    if random.integers(2) and not is_sparse:
        y_true = mask_cells(y_true, random, most=n)
    weight = random.permutation(weights) if random.integers(2) else None
    rows = np.sort(random.integers(n, size=(4, n)))
    times = np.array([np.bincount(one, minlength=n) for one in rows], dtype=np.float32)
    metric = partial(record.function, **options, sample_weight=weight)
    pair = (csr_array(y_true), csr_array(y)) if is_sparse else (y_true, y)
    with throwaway.installed(), mock.patch.object(uncertainty, "_SPARSE_SHARE", few):
        checked = uncertainty.read_data(metric, *pair, "y")
        values = uncertainty._statistic(metric, checked)(times)
    for one, value in zip(rows, values, strict=True):
        again = None if weight is None else weight[one]
        if again is not None and not again.any():
            assert math.isnan(value)
        else:
            assert agree(
                value, record.function(y_true[one], y[one], **options, sample_weight=again)
            )


def test_functions_of_others():
    theirs = partial(metrics.f1_score, average="macro", zero_division=0.0)
    for chosen in ({}, {"sample_weight": np.arange(40) % 3 + 0.5}):
        some = (partial(metric, **chosen) for metric in (label_based.f1, theirs))
        found = [interval(metric, Y_TRUE, Y_PRED, n_resamples=40) for metric in some]
        assert np.allclose(*found, rtol=0, atol=1e-9)


def test_a_function_gets_csr_arrays_of_sparse_data():
    sparse, few = (csr_matrix(Y_TRUE), csr_array(Y_PRED)), {"n_resamples": 40}
    found = interval(lambda t, p: t.multiply(p).sum(), *sparse, **few)
    assert found == interval(lambda t, p: (t * p).sum(), Y_TRUE, Y_PRED, **few)


# ---------------------------------------------------------------------------- what is drawn


def test_the_draws_of_a_seed_are_these():
    """Whole numbers below 5, as NumPy's PCG64 gives them; a change of it would be seen here."""
    rows = [[4, 3, 2, 1, 1], [0, 0, 0, 0, 4]]
    *_, one, two = uncertainty._draws(np.arange(5), 5, 2, 0)
    assert [one.tolist(), two.tolist()] == [[rows[i].count(j) for j in range(5)] for i in (0, 1)]


@pytest.mark.parametrize("metric", [example_based.f1, label_based.f1, curves.average_precision])
def test_a_seed_gives_the_same_result_however_many_are_held_together(metric, monkeypatch):
    y_pred = read(metric, Y_PRED, Y_SCORE)
    first = interval(metric, Y_TRUE, y_pred, n_resamples=60, seed=7)
    assert interval(metric, Y_TRUE, y_pred, n_resamples=60, seed=7) == first
    assert interval(metric, Y_TRUE, y_pred, n_resamples=60, seed=8) != first
    monkeypatch.setattr(blocks, "BLOCK_CELLS", 20)
    for cells, draws in ((1, 100), (150, 100), (2**20, 7)):
        monkeypatch.setattr(uncertainty, "_BATCH_CELLS", cells)
        monkeypatch.setattr(uncertainty, "_BATCH_DRAWS", draws)
        assert interval(metric, Y_TRUE, y_pred, n_resamples=60, seed=7) == pytest.approx(first)


@pytest.mark.parametrize("n_frequent", [40, 4])
def test_memory_is_a_fraction_of_the_data(monkeypatch, n_frequent):
    y_true, y_pred, _ = data(40_000, 40)
    y_true[:, n_frequent:] = y_pred[:, n_frequent:] = 0
    monkeypatch.setattr(uncertainty, "_BATCH_CELLS", 2**18)
    monkeypatch.setattr(uncertainty, "_JACKKNIFE_PARTS", 10)
    interval(label_based.f1, Y_TRUE, Y_PRED)
    tracemalloc.start()
    interval(label_based.f1, y_true, y_pred, n_resamples=40)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < (y_true.nbytes + y_pred.nbytes) / 4


DRAWS = ((interval, [Y_PRED]), (per_label, [Y_PRED]), (compare, [Y_PRED, Y_PRED[::-1]]))


@pytest.mark.parametrize(("draws", "others"), DRAWS)
def test_a_sample_that_stands_there_three_times_as_a_group_is_drawn_as_once_alone(draws, others):
    rows = np.repeat(np.arange(40), 3)
    once = draws(macro_f2, Y_TRUE, *others)
    thrice = draws(macro_f2, Y_TRUE[rows], *(other[rows] for other in others), groups=rows)
    assert np.allclose(np.hstack(thrice), np.hstack(once))


@pytest.mark.parametrize("option", [{"seed": 8}, {"n_resamples": 77}, {"level": 0.8}], ids=str)
@pytest.mark.parametrize(("draws", "others"), DRAWS)
def test_every_option_changes_what_is_drawn(draws, others, option):
    data = macro_f2, Y_TRUE, *others
    assert not np.allclose(np.hstack(draws(*data, **option)), np.hstack(draws(*data)))


# ---------------------------------------------------------------------------- two predictions


def test_the_direction_is_the_metrics_own():
    worse = Y_PRED.copy()
    worse[:30] = 1 - Y_TRUE[:30]
    against = partial(compare, y_true=Y_TRUE, n_resamples=60)
    for metric, sign in ((hamming.hamming_loss, -1), (label_based.f1, 1), (micro_f1, 1)):
        found = against(metric, first=Y_PRED, second=worse)
        assert found.share_first_better == 1
        assert found.difference.low * sign > 0 and found.difference.high * sign > 0
        assert against(metric, first=worse, second=Y_PRED).share_first_better == 0
        equal = against(metric, first=worse, second=worse.copy())
        assert equal == Comparison(Interval(0, 0, 0, 0, 0), 0.5)
    found = against(lambda t, p: hamming.hamming_loss(t, p), first=Y_PRED, second=worse)
    assert found.share_first_better == 0


def test_a_tie_is_half_a_win():
    """The first one is right in row 0 alone, the second in row 1: of four resamples two tie."""
    truth, first, second = [[1], [1]], [[1], [0]], [[0], [1]]
    found = compare(example_based.accuracy, truth, first, second, n_resamples=4000)
    assert abs(found.share_first_better - 1 / 2) <= 4.5 * math.sqrt(1 / 8 / 4000)
    found = compare(example_based.accuracy, truth, first, [[0], [0]], n_resamples=4000)
    assert abs(found.share_first_better - 7 / 8) <= 4.5 * math.sqrt(3 / 64 / 4000)


# ---------------------------------------------------------------------------- the interval


def test_the_shares_are_those_of_the_textbook():
    """Efron & Tibshirani, "An introduction to the bootstrap", 1993, page 186: z0 .146, a .061."""
    reach = scipy.stats.norm.ppf(0.95)
    shares = [uncertainty._bca_alpha(end, 0.146, 0.061) for end in (-reach, reach)]
    assert shares == pytest.approx([0.110, 0.985], abs=1e-3)


def test_where_no_sample_decides_alone_it_is_the_interval_of_scipy(monkeypatch):
    """With z for t, of a skewed mean. SciPy draws others: the ends agree as far as 10,000 resamples can tell."""
    monkeypatch.setattr(uncertainty, "_degrees_of_freedom", lambda _: math.inf)
    rng, options = np.random.default_rng(0), {"vectorized": True, "method": "BCa"}
    values = rng.exponential(size=(40, 1))
    ours = interval(lambda _, value: value.mean(), np.ones((40, 1)), values, n_resamples=10_000)
    theirs = scipy.stats.bootstrap((values[:, 0],), np.mean, n_resamples=10_000, rng=rng, **options)
    assert ours.standard_error == pytest.approx(theirs.standard_error, rel=0.02)
    assert ours[1:3] == pytest.approx(theirs.confidence_interval, abs=ours.standard_error / 10)


def test_an_interval_holds_its_own_value_or_has_no_ends():
    """Every label has one positive, which a resample lacks in 37 of 100: all macro averages are lower."""
    found = interval(label_based.f1, np.eye(60), np.diag(np.arange(60) % 3 > 0))
    assert found.value == pytest.approx(2 / 3) and math.isnan(found.low) and math.isnan(found.high)
    for share in range(101):  # of the resamples that are below the value
        resampled = np.where(np.arange(100) < share, 0, 1) + np.linspace(0.1, 0.2, 100)
        drawn = uncertainty.Resamples(1.0, np.array([0, 1, 3]), resampled)
        found = uncertainty.bca_interval(drawn, 0.8)
        assert math.isnan(found.low + found.high) or found.low <= 1 <= found.high


def test_students_t_is_that_of_scipy():
    assert uncertainty._student_quantile(0.995, 3) == pytest.approx(5.840909, abs=1e-6)  # of tables
    for freedom in (1, 2, 3, 3.3, 8, 17.25, 60, 199, 1e4, math.inf):
        for level in (0.5, 0.9, 0.95, 0.99, 0.999):
            expected = scipy.stats.t.ppf((1 + level) / 2, freedom)
            found = uncertainty._student_quantile((1 + level) / 2, freedom)
            assert found == pytest.approx(expected, rel=1e-6), (freedom, level)


def test_degrees_of_freedom_are_few_where_few_rows_decide():
    def freedom(influence):
        return uncertainty._degrees_of_freedom(np.array(influence, dtype=float))

    assert freedom([1, -1] * 50) == 99
    one_of_four = freedom([1, -1, *[0] * 98])  # fourth powers 2, squares 2: 2 / (2/4 - 1/100)
    assert one_of_four == pytest.approx(2 / 0.49)
    assert freedom([1, *[0] * 99]) == 3


def test_parts_of_the_rows_say_what_single_rows_say(monkeypatch):
    y_true, y_pred, _ = data(400, 4)
    (by_group,) = uncertainty.resample(label_based.f1, y_true, {"y_pred": y_pred}, 400, 0)
    monkeypatch.setattr(uncertainty, "_JACKKNIFE_PARTS", 400)
    (by_row,) = uncertainty.resample(label_based.f1, y_true, {"y_pred": y_pred}, 400, 0)
    assert (len(by_group.jackknife), len(by_row.jackknife)) == (200, 400)
    one, two = (uncertainty.bca_interval(found, 0.95) for found in (by_group, by_row))
    assert np.abs(np.subtract(one, two)).max() < two.standard_error / 5


# ---------------------------------------------------------------------------- of each label

errors = partial(label_based.cost, miss=1, false_alarm=1)
SHARES = {
    "precision": (label_based.precision, lambda tp, fp, fn, tn: (tp, fp)),
    "specificity": (label_based.specificity, lambda tp, fp, fn, tn: (tn, fp)),
    "accuracy": (label_based.accuracy, lambda tp, fp, fn, tn: (tp + tn, fp + fn)),
    "errors": (errors, lambda tp, fp, fn, tn: (fp + fn, tp + tn)),
    "jaccard": (label_based.jaccard, lambda tp, fp, fn, tn: (tp, fp + fn)),
    "f1": (label_based.f1, lambda tp, fp, fn, tn: (tp, fp + fn)),
    "f0": (partial(label_based.fbeta, beta=0), lambda tp, fp, fn, tn: (tp, fp)),
}


@cache
def wilson(hits, others):
    """SciPy's interval at 0.9; nan where there is no cell."""
    if not hits + others:
        return math.nan, math.nan
    return scipy.stats.binomtest(hits, hits + others).proportion_ci(0.9, method="wilson")


@pytest.mark.parametrize("name", SHARES)
def test_a_share_of_cells_has_the_interval_of_wilson(name):
    """Labels with all counts of six cells: true positive, false positive and negative, true negative, unknown."""
    metric, cells = SHARES[name]
    every = [of for of in product(range(7), repeat=5) if sum(of) == 6]
    kinds = np.array([np.repeat(range(5), of) for of in every]).T
    y_true = unknown_cells.unknown(np.choose(kinds, (1, 0, 1, 0, -1)))
    y_pred = np.choose(kinds, (1, 1, 0, 0, 1))
    found = per_label(metric, y_true, y_pred, level=0.9)
    assert agree([one.value for one in found], metric(y_true, y_pred, average=None))
    for of, one in zip(every, found, strict=True):
        low, high = wilson(*cells(*of[:4]))
        if name == "f1":
            low, high = (2 * end / (1 + end) for end in (low, high))
        error = (high - low) / (2 * scipy.stats.norm.ppf(0.95))
        expected = pytest.approx((low, high, error, 0), nan_ok=True)
        assert one[1:] == expected, of


def test_wilsons_ends_are_exactly_0_and_1_where_all_cells_are_alike():
    for n in range(1, 60):
        of_hits, of_misses = per_label(label_based.f1, [[1, 1]] * n, [[1, 0]] * n)
        assert of_hits.high == of_hits.value == 1 and of_misses.low == of_misses.value == 0


OTHERS = [
    (label_based.f1, {"groups": np.arange(40) // 2}),
    (partial(label_based.recall, sample_weight=np.arange(40) % 3), {}),
    (macro_f2, {}),
    (partial(label_based.kappa, average=None), {"seed": 3}),
    (curves.average_precision, {}),
    (lambda y_true, y_pred: float((y_true * y_pred).sum()), {}),
]


@pytest.mark.parametrize(("metric", "options"), OTHERS)
def test_other_labels_have_the_interval_of_their_column(metric, options):
    """With groups or weights, or where the metric is no share of cells."""
    y_true, y_pred = Y_TRUE, Y_SCORE if metric is curves.average_precision else Y_PRED
    found = per_label(metric, y_true, y_pred, n_resamples=40, **options)
    if getattr(metric, "keywords", {}).get("average", "") is None:
        metric = partial(metric, average="macro")
    for j, one in enumerate(found):
        columns = y_true[:, [j]], y_pred[:, [j]]
        assert one == pytest.approx(interval(metric, *columns, n_resamples=40, **options))


# ---------------------------------------------------------------------------- what is said


def test_a_long_run_shows_how_far_it_is(monkeypatch, capsys):
    monkeypatch.setattr(tqdm, "tqdm", partial(tqdm.tqdm, disable=False))
    for patience in (3, 0):
        monkeypatch.setattr(uncertainty, "_PROGRESS_DELAY", patience)
        interval(label_based.f1, Y_TRUE, Y_PRED, n_resamples=60)
        said = capsys.readouterr().err
        assert ("/101 [" in said) == (patience == 0)  # all rows, 40 left out, 60 resamples
