"""Resampling: all resamples there are, rows that are repeated, a published interval, other tools."""

from __future__ import annotations

import math
import tracemalloc
from functools import partial
from itertools import product

import numpy as np
import pandas
import pytest
import scipy.stats
import throwaway
import tqdm
import worlds
from scipy.sparse import csr_array, csr_matrix
from sklearn import metrics

from mlm_helpers import (
    catalogue,
    curves,
    exact_match,
    example_based,
    hamming,
    label_based,
    ranking,
    top_k,
    uncertainty,
)
from mlm_helpers._core import blocks
from mlm_helpers.uncertainty import Comparison, Interval, compare, interval

micro_f1 = partial(label_based.f1, average="micro")


def data(n_samples=40, n_labels=3, seed=0):
    """Truth, predictions and scores with ties, of rows in which labels depend on each other."""
    rng = np.random.default_rng(seed)
    shared, shape = rng.normal(size=(n_samples, 1)), (n_samples, n_labels)
    decides = shared + rng.normal(size=shape)
    score = np.round(decides + rng.normal(size=shape), 1)
    return (decides > 0.8).astype(int), (score > 1).astype(int), score


Y_TRUE, Y_PRED, Y_SCORE = data()


def read(metric, prediction, score):
    return score if catalogue.of(metric).reads == "y_score" else prediction


# ---------------------------------------------------------------------------- all resamples there are


def every_value(metric, y_true, y_other):
    """The metric of each of the n to the n resamples, which are equally likely."""
    y_true, y_other = np.array(y_true), np.array(y_other)
    n = len(y_true)
    return np.array(
        [metric(y_true[list(rows)], y_other[list(rows)]) for rows in product(range(n), repeat=n)]
    )


@pytest.mark.parametrize("name", ["subset accuracy", "samples F1", "micro F1", "macro F1", "Hamming loss"])  # fmt: skip
@pytest.mark.parametrize("world", [
    ([[1, 0], [1, 1]], [[1, 0], [0, 1]]),
    ([[1, 0], [1, 1], [0, 0]], [[1, 1], [0, 1], [0, 0]]),
    ([[1, 0, 0], [1, 1, 0], [0, 1, 1]], [[1, 0, 0], [0, 1, 1], [0, 0, 1]]),
])  # fmt: skip
def test_values_come_as_often_as_among_all_resamples(name, world):
    metric, n_resamples = catalogue.variants()[name], 5_000
    every = every_value(metric, *world).round(9)
    (found,) = uncertainty.draw(metric, world[0], {"y_other": world[1]}, n_resamples, 0)
    values = found.resampled.round(9)
    assert set(values) == set(every)
    for value in set(every):
        share = (every == value).mean()
        spread = math.sqrt(share * (1 - share) / n_resamples)
        assert abs((values == value).mean() - share) <= 4.5 * spread
    spread = math.sqrt((((every - every.mean()) ** 2 - every.var()) ** 2).mean() / n_resamples)
    error = uncertainty.bca_interval(found, 0.95).standard_error
    assert abs(error**2 - every.var()) <= 4.5 * spread + 1e-3 * every.var()
    assert found.value == metric(*world)


def test_undefined_resamples_are_counted():
    """One label, a positive and a negative: half of all resamples lack one of the two."""
    found = interval(curves.roc_auc, [[1], [0]], [[0.9], [0.1]], n_resamples=1000)
    assert abs(found.undefined - 500) <= 4.5 * math.sqrt(250)
    assert found[:4] == (1, 1, 1, 0)
    both = compare(curves.roc_auc, [[1], [0]], [[0.9], [0.1]], [[0.1], [0.9]])
    assert both.difference.undefined == found.undefined
    assert (both.difference.value, both.share_first_better) == (1, 1)


def test_where_nothing_has_a_value_there_are_no_ends():
    """No label of any row is relevant, and what has no value is left out."""
    metric = partial(ranking.average_precision, undefined=math.nan)
    found = interval(metric, [[0, 0]] * 3, [[1, 2]] * 3)
    assert np.isnan(found[:4]).all() and found.undefined == 1000
    both = compare(metric, [[0, 0]] * 3, [[1, 2]] * 3, [[2, 1]] * 3)
    assert np.isnan([*both.difference[:4], both.share_first_better]).all()


# ---------------------------------------------------------------------------- each resample alone


def options(record):
    """All options that change what a value is."""
    choices = {
        "zero_division": worlds.ZERO_DIVISIONS,
        "undefined": (0.5, math.nan),
        "ties": worlds.TIES,
        "average": [*filter(None, record.averages)],
        **{name: parameter.values for name, parameter in record.parameters.items()},
    }
    own = {name: values for name, values in choices.items() if name in record.defaults}
    return [dict(zip(own, chosen, strict=True)) for chosen in product(*own.values())]


WEIGHTS = [None, np.array([0.5, 0, 3, 1, 1.25]), np.array([0, 0, 0, 0, 2])]


@pytest.mark.parametrize("step", [7, pytest.param(1, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("weight", WEIGHTS, ids=["unweighted", "weighted", "one weighs"])
@pytest.mark.parametrize("record", (*catalogue.METRICS, *throwaway.RECORDS), ids=lambda r: r.id)
def test_a_resample_is_its_rows_repeated(record, weight, step):
    rng = np.random.default_rng(1)
    y_true, y_pred, y_score = data(5, 3, seed=2)
    y_true[:, 2] = [0, 0, 0, 0, 1]
    y_true[0] = y_pred[0] = 0
    y_other = {"y_pred": y_pred, "y_score": y_score, "y_prob": 1 / (1 + np.exp(-y_score))}[
        record.reads
    ]
    truths = np.ma.MaskedArray(y_true, rng.random(y_true.shape) < 0.4), y_true
    rows = np.sort(rng.integers(5, size=(12, 5)))
    times = np.array([np.bincount(one, minlength=5) for one in rows], dtype=np.float32)
    with throwaway.installed():
        first = weight is None  # so that a metric with one option meets both, too
        for i, chosen in enumerate(options(record)[::step], first):
            y_true = truths[i % 2]
            metric = partial(record.function, **chosen, sample_weight=weight)
            statistic = uncertainty._statistic(
                metric, uncertainty.read(metric, y_true, y_other, "y")
            )
            for one, value in zip(rows, statistic(times), strict=True):
                if weight is not None and not weight[one].any():
                    assert math.isnan(value)
                    continue
                again = None if weight is None else weight[one]
                expected = record.function(y_true[one], y_other[one], **chosen, sample_weight=again)
                assert value == pytest.approx(expected, abs=1e-12, nan_ok=True), chosen


def test_functions_of_others():
    bound = {"average": "macro", "zero_division": 0.0}
    weight = np.arange(40) % 3 + 0.5
    for chosen in ({}, {"sample_weight": weight}):
        ours = interval(partial(label_based.f1, **chosen), Y_TRUE, Y_PRED, n_resamples=40)
        score = partial(metrics.f1_score, **bound, **chosen)
        theirs = interval(score, Y_TRUE, Y_PRED, n_resamples=40)
        assert np.allclose(ours, theirs, rtol=0, atol=1e-9)
    scored = partial(top_k.propensity_scored_precision, inverse_propensities=[1, 2, 3], k=1)
    found = interval(scored, Y_TRUE, Y_SCORE, n_resamples=50)
    assert found.value == scored(Y_TRUE, Y_SCORE) and found.low < found.value < found.high


def test_a_function_gets_csr_arrays_of_sparse_data():
    found = interval(lambda t, p: t.multiply(p).sum(), csr_matrix(Y_TRUE), csr_array(Y_PRED))
    assert found == interval(lambda t, p: (t * p).sum(), Y_TRUE, Y_PRED)


# ---------------------------------------------------------------------------- what is drawn


def test_the_draws_of_a_seed_are_these():
    """Whole numbers below 5, as NumPy's PCG64 gives them; a change of it would be seen here."""
    rows = [[4, 3, 2, 1, 1], [0, 0, 0, 0, 4]]
    *_, one, two = uncertainty._draws(np.arange(5), 5, 2, 0)
    assert [one.tolist(), two.tolist()] == [[rows[i].count(j) for j in range(5)] for i in (0, 1)]


@pytest.mark.parametrize("metric", [example_based.f1, label_based.f1, curves.average_precision])
def test_a_seed_gives_the_same_result_however_many_are_held_together(metric, monkeypatch):
    y_other = read(metric, Y_PRED, Y_SCORE)
    first = interval(metric, Y_TRUE, y_other, n_resamples=60, seed=7)
    assert interval(metric, Y_TRUE, y_other, n_resamples=60, seed=7) == first
    assert interval(metric, Y_TRUE, y_other, n_resamples=60, seed=8) != first
    monkeypatch.setattr(blocks, "CELLS", 20)
    for cells, draws in ((1, 100), (150, 100), (2**20, 7)):
        monkeypatch.setattr(uncertainty, "_CELLS", cells)
        monkeypatch.setattr(uncertainty, "_DRAWS", draws)
        assert interval(metric, Y_TRUE, y_other, n_resamples=60, seed=7) == pytest.approx(first)


@pytest.mark.parametrize("metric", [micro_f1, hamming.hamming_loss, example_based.f1])
def test_rows_are_drawn_and_not_cells(metric):
    """Every label twice says nothing new; of twice as many cells the error would be smaller."""
    once = interval(metric, Y_TRUE, Y_PRED)
    twice = interval(metric, np.hstack([Y_TRUE, Y_TRUE]), np.hstack([Y_PRED, Y_PRED]))
    assert twice == pytest.approx(once, abs=1e-12)
    more = interval(metric, np.vstack([Y_TRUE] * 4), np.vstack([Y_PRED] * 4))
    assert more.standard_error == pytest.approx(once.standard_error / 2, rel=0.1)


def test_the_error_of_a_mean_is_that_of_the_textbook():
    values = example_based.f1(Y_TRUE, Y_PRED, per_sample=True)
    found = interval(example_based.f1, Y_TRUE, Y_PRED, n_resamples=5_000)
    assert found.standard_error == pytest.approx(values.std() / math.sqrt(40), rel=0.05)


def test_memory_is_a_fraction_of_the_data(monkeypatch):
    y_true, y_pred, _ = data(40_000, 40)
    monkeypatch.setattr(uncertainty, "_CELLS", 2**18)
    interval(label_based.f1, Y_TRUE, Y_PRED)
    tracemalloc.start()
    interval(label_based.f1, y_true, y_pred, n_resamples=40)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < (y_true.nbytes + y_pred.nbytes) / 4


# ---------------------------------------------------------------------------- groups that are drawn whole


@pytest.mark.parametrize("name", ["samples F1", "micro F1", "macro F1", "macro AUROC"])
def test_groups_come_as_often_as_among_all_resamples_of_groups(name):
    """Three patients of one, two and three samples: 27 resamples of whole patients, equally likely."""
    metric, n_resamples = catalogue.variants()[name], 5_000
    groups = np.array(["b", "a", "c", "a", "c", "c"])
    y_true, y_pred, y_score = (matrix[:6] for matrix in data(6, 2, seed=8))
    y_other = read(metric, y_pred, y_score)
    rows = [np.concatenate([np.flatnonzero(groups == g) for g in drawn])
            for drawn in product("abc", repeat=3)]  # fmt: skip
    every = np.array([metric(y_true[one], y_other[one]) for one in rows])
    every = every[~np.isnan(every)]
    (found,) = uncertainty.draw(metric, y_true, {"y_other": y_other}, n_resamples, 0, groups)
    values = found.resampled[~np.isnan(found.resampled)]
    assert len(values) / n_resamples == pytest.approx(len(every) / 27, abs=0.03)
    assert {*values.round(9)} == {*every.round(9)}
    assert abs(values.mean() - every.mean()) <= 4.5 * every.std() / math.sqrt(n_resamples)
    assert values.std() == pytest.approx(every.std(), rel=0.05)
    left_out = [metric(y_true[groups != g], y_other[groups != g]) for g in "bac"]
    assert found.left_out == pytest.approx(left_out, nan_ok=True)


@pytest.mark.parametrize("metric", [example_based.f1, label_based.f1, curves.roc_auc])
def test_a_group_for_each_sample_draws_what_is_drawn_without(metric):
    y_other = read(metric, Y_PRED, Y_SCORE)
    names = [f"patient {i}" for i in np.random.default_rng(3).permutation(40)]
    alone = interval(metric, Y_TRUE, y_other, n_resamples=60)
    assert interval(metric, Y_TRUE, y_other, n_resamples=60, groups=names) == alone
    twice, both = (np.repeat(matrix, 2, axis=0) for matrix in (Y_TRUE, y_other))
    twins = interval(metric, twice, both, n_resamples=60, groups=np.repeat(names, 2))
    assert twins == pytest.approx(alone)  # a twin says nothing new
    apart = compare(metric, Y_TRUE, y_other, Y_TRUE, n_resamples=60)
    assert compare(metric, Y_TRUE, y_other, Y_TRUE, n_resamples=60, groups=names) == apart


@pytest.mark.parametrize(("groups", "sentence"), [
    (["a"] * 39, "groups has 39 values for 40 samples: give one value per sample"),
    ("ab" * 20, "groups is of type str"),
    (["a"] * 40, "groups has 1 value, which is the same"),
    ([math.nan, *range(39)], "groups holds nan at position 0"),
    (pandas.Series(range(40))[::-1], "groups has 39 at position 0 of its index"),
])  # fmt: skip
def test_bad_groups_get_a_sentence(groups, sentence):
    truth = pandas.DataFrame(Y_TRUE)
    for call in (interval, partial(compare, second=Y_PRED)):
        with pytest.raises((ValueError, TypeError), match=sentence):
            call(label_based.f1, truth, Y_PRED, groups=groups)


# ---------------------------------------------------------------------------- two predictions


def test_equal_predictions_differ_by_nothing():
    for name, metric in catalogue.variants().items():
        y_other = read(metric, Y_PRED, Y_SCORE)
        found = compare(metric, Y_TRUE, y_other, y_other.copy(), n_resamples=40)
        assert found == Comparison(Interval(0, 0, 0, 0, 0), 0.5), name


def test_the_direction_is_the_metrics_own():
    worse = Y_PRED.copy()
    worse[:30] = 1 - Y_TRUE[:30]
    for metric, sign in ((hamming.hamming_loss, -1), (label_based.f1, 1), (micro_f1, 1)):
        found = compare(metric, Y_TRUE, Y_PRED, worse)
        assert found.share_first_better == 1
        assert found.difference.low * sign > 0 and found.difference.high * sign > 0
        assert compare(metric, Y_TRUE, worse, Y_PRED).share_first_better == 0
    assert compare(lambda t, p: hamming.hamming_loss(t, p), Y_TRUE, Y_PRED, worse)[1] == 0


def test_a_tie_is_half_a_win():
    """The first one is right in row 0 alone, the second in row 1: of four resamples two tie."""
    truth, first, second = [[1], [1]], [[1], [0]], [[0], [1]]
    found = compare(exact_match.subset_accuracy, truth, first, second, n_resamples=4000)
    assert abs(found.share_first_better - 1 / 2) <= 4.5 * math.sqrt(1 / 8 / 4000)
    found = compare(exact_match.subset_accuracy, truth, first, [[0], [0]], n_resamples=4000)
    assert abs(found.share_first_better - 7 / 8) <= 4.5 * math.sqrt(3 / 64 / 4000)


def test_both_are_read_off_the_same_resamples():
    """A second one that is as good in each row but one: the difference varies as that row does."""
    second = Y_PRED.copy()
    row = int(np.flatnonzero((Y_TRUE == Y_PRED).all(axis=1))[0])
    second[row, 0] = 1 - second[row, 0]
    found = compare(hamming.hamming_loss, Y_TRUE, Y_PRED, second, n_resamples=5_000)
    once = 1 / (40 * 3)  # what drawing the row once changes; how often has variance 1 - 1/40
    assert found.difference.value == pytest.approx(-once)
    assert found.difference.standard_error == pytest.approx(once * math.sqrt(1 - 1 / 40), rel=0.05)
    alone = interval(hamming.hamming_loss, Y_TRUE, Y_PRED).standard_error
    assert found.difference.standard_error < alone / 2


# ---------------------------------------------------------------------------- the interval


def test_the_shares_are_those_of_the_textbook():
    """Efron & Tibshirani, "An introduction to the bootstrap", 1993, page 186: z0 .146, a .061."""
    reach = scipy.stats.norm.ppf(0.95)
    shares = [uncertainty._share_below(end, 0.146, 0.061) for end in (-reach, reach)]
    assert shares == pytest.approx([0.110, 0.985], abs=1e-3)


def test_skew_moves_both_ends_up_or_down(monkeypatch):
    """Of ten rows nine pull by -1 and one by 9: cubes add up to 720, squares to 90."""
    monkeypatch.setattr(uncertainty, "_degrees_of_freedom", lambda _: math.inf)
    resampled, reach = np.array([0.4, 0.6] * 500), scipy.stats.norm.ppf(0.95)
    skew = 720 / (6 * 90**1.5)
    wanted = [end / (1 - skew * end) for end in (-reach, reach)]
    left_out = 0.5 - np.array([9, *[-1] * 9]) / 1000
    shares = uncertainty._bca_shares(uncertainty.Drawn(0.5, left_out, resampled), 0.9)
    assert shares == pytest.approx(scipy.stats.norm.cdf(wanted))
    mirrored = uncertainty._bca_shares(uncertainty.Drawn(0.5, 1 - left_out, resampled), 0.9)
    assert mirrored == pytest.approx(1 - scipy.stats.norm.cdf(wanted[::-1]))


def test_where_no_sample_decides_alone_it_is_the_interval_of_scipy(monkeypatch):
    """With z for t. SciPy draws others, so the ends agree as far as 20,000 resamples can tell."""
    monkeypatch.setattr(uncertainty, "_degrees_of_freedom", lambda _: math.inf)
    y_true, y_pred, _ = data(60, 4, seed=5)
    ours = interval(hamming.hamming_loss, y_true, y_pred, n_resamples=20_000)
    each = (hamming.hamming_loss(y_true, y_pred, per_sample=True),)
    theirs = scipy.stats.bootstrap(
        each, np.mean, n_resamples=20_000, method="BCa", vectorized=True, rng=np.random.default_rng(0)
    )  # fmt: skip
    assert ours.standard_error == pytest.approx(theirs.standard_error, rel=0.02)
    slack = ours.standard_error / 10
    assert abs(ours.low - theirs.confidence_interval.low) < slack
    assert abs(ours.high - theirs.confidence_interval.high) < slack


def test_students_t_is_that_of_scipy():
    assert uncertainty._student_quantile(0.995, 3) == pytest.approx(
        5.840909, abs=1e-6
    )  # a textbook's
    for freedom in (*range(1, 201), 3.3, 17.25, 1e4, math.inf):
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
    normal = np.random.default_rng(0).normal(size=100_000)
    assert freedom(normal) == pytest.approx(100_000, rel=0.05)  # kurtosis 3: 2 / (3/n - 1/n)


def test_parts_of_the_rows_say_what_single_rows_say(monkeypatch):
    y_true, y_pred, _ = data(400, 4)
    (by_group,) = uncertainty.draw(label_based.f1, y_true, {"y_other": y_pred}, 400, 0)
    monkeypatch.setattr(uncertainty, "_PARTS", 400)
    (by_row,) = uncertainty.draw(label_based.f1, y_true, {"y_other": y_pred}, 400, 0)
    assert (len(by_group.left_out), len(by_row.left_out)) == (200, 400)
    one, two = (uncertainty.bca_interval(found, 0.95) for found in (by_group, by_row))
    assert np.abs(np.subtract(one, two)).max() < two.standard_error / 5


# ---------------------------------------------------------------------------- what is said


@pytest.mark.parametrize(("options", "sentence"), [
    ({"level": 95}, "level is 95: give a number between"),
    ({"level": math.nan}, "level is nan"),
    ({"n_resamples": 39}, "n_resamples is 39: give a whole number from 40 to 10000000"),
    ({"n_resamples": 1e3}, "n_resamples is 1000.0"),
    ({"seed": -1}, "seed is -1: give a whole number of 0 or more"),
    ({"y_true": [[1, 0]], "y_other": [[1, 0]]}, "y_true has 1 sample"),
    ({"y_other": Y_PRED[:5]}, r"y_other has shape \(5, 3\) and y_true"),
    ({"metric": np.mean, "y_other": Y_PRED[:5]}, r"y_other has shape \(5, 3\)"),
    ({"y_other": Y_SCORE}, "y_other holds the score"),
    ({"metric": "f1"}, "metric is 'f1': give a function"),
    ({"metric": partial(label_based.f1, average=None)}, "average is None, a value per label: bind macro"),
    ({"metric": example_based.fbeta}, "missing a required argument: 'beta'"),
    ({"metric": partial(metrics.f1_score, sample_weight=[1])}, "sample_weight has shape"),
    ({"metric": lambda t, p: t.mean(axis=0)}, "metric returned array.*one finite number"),
    ({"metric": lambda t, p: math.inf}, "metric returned inf"),
])  # fmt: skip
def test_bad_input_gets_a_sentence(options, sentence):
    with pytest.raises((ValueError, TypeError), match=sentence):
        interval(**{"metric": label_based.f1, "y_true": Y_TRUE, "y_other": Y_PRED} | options)


def test_two_predictions_are_refused_by_their_names():
    with pytest.raises(ValueError, match=r"^first has shape"):
        compare(label_based.f1, Y_TRUE, Y_PRED[:5], Y_PRED)
    with pytest.raises(ValueError, match=r"^second holds nan at row 0"):
        compare(ranking.coverage, Y_TRUE, Y_SCORE, Y_SCORE * math.nan)


def test_it_is_shown_with_rounded_numbers():
    one = Interval(1 / 3, 0.25, 0.5, 1 / 30, 2)
    assert repr(one) == (
        "Interval(value=0.3333, low=0.25, high=0.5, standard_error=0.0333, undefined=2)"
    )
    assert repr(Comparison(one, 0.875)).endswith("undefined=2), share_first_better=0.875)")


def test_a_long_run_shows_how_far_it_is(monkeypatch, capsys):
    monkeypatch.setattr(uncertainty, "_PATIENCE", 0)
    bar = tqdm.tqdm
    for quiet in (True, False):
        monkeypatch.setattr(tqdm, "tqdm", partial(bar, disable=quiet))
        interval(curves.roc_auc, Y_TRUE, Y_SCORE, n_resamples=60)
        said = capsys.readouterr().err
        assert ("/101 [" in said) != quiet  # all rows, 40 left out, 60 resamples
        assert bool(said) != quiet
