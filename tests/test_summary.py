"""Tables of labels, models and subgroups: by hand, and their intervals one by one.

Refusals and their messages are in refusals/summary.txt.
"""

import math
from functools import partial
from statistics import NormalDist

import numpy as np
import pandas
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlm_helpers import (
    catalogue,
    curves,
    data,
    exact_match,
    example_based,
    hamming,
    label_based,
    summary,
)
from mlm_helpers._core import counts
from mlm_helpers._core.inputs.read import read_label_sets
from mlm_helpers.uncertainty import compare, interval, per_label

RNG = np.random.default_rng(0)
Y_TRUE = (RNG.random((60, 3)) < 0.4).astype(int)


def with_errors(share, seed):
    """The truth with about this share of its cells flipped."""
    is_wrong = np.random.default_rng(seed).random(Y_TRUE.shape) < share
    return np.where(is_wrong, 1 - Y_TRUE, Y_TRUE)


GOOD, FAIR, POOR = with_errors(0.05, 1), with_errors(0.2, 2), with_errors(0.4, 3)
PATIENTS = np.arange(60) // 6
SCORE = FAIR + RNG.random(Y_TRUE.shape)


def test_table_of_labels_of_three_samples_by_hand(snapshot):
    """The label "sky" is never true, "sea" is never predicted."""
    y_true, y_pred = [[1, 0, 0], [1, 1, 0], [0, 1, 0]], [[1, 0, 0], [1, 0, 0], [1, 0, 0]]
    y_score = [[0.9, 0.1, 0.5], [0.2, 0.2, 0.5], [0.5, 0.3, 0.5]]
    as_frame = partial(pandas.DataFrame, columns=["cat", "sea", "sky"])
    table = summary.labels(as_frame(y_true), y_pred, y_score=y_score)
    nan = math.nan
    header = ["support", "TP", "FP", "FN", "precision", "recall", "F1", "F1 baseline", "AP"]
    # The micro AP reads all nine scores in descending order: a hit, four tied misses, a hit, two
    # tied hits.
    expected = pandas.DataFrame({
        "cat": [2, 2, 1, 0, 2 / 3, 1, 4 / 5, 4 / 5, 5 / 6],
        "sea": [2, 0, 0, 2, nan, 0, 0, 4 / 5, 1],
        "sky": [0, 0, 0, 0, nan, nan, nan, 0, nan],
        "macro": [nan, nan, nan, nan, 2 / 9, 1 / 3, 4 / 15, 8 / 15, 11 / 18],
        "micro": [4, 2, 1, 2, 2 / 3, 1 / 2, 4 / 7, 8 / 13, (1 + 2 / 6 + 2 * 4 / 8) / 4],
    }, index=header).T.astype(dict.fromkeys(header[:4], "Int64"))  # fmt: skip
    pandas.testing.assert_frame_equal(table.frame(), expected, check_names=False)
    named_by_prediction = summary.labels(y_true, as_frame(y_pred), y_score=y_score)
    assert repr(table) == repr(named_by_prediction) == snapshot


def test_the_f1_baseline_is_that_of_predicting_every_label():
    """2π / (1 + π) for a label with the share π; unknown cells do not count."""
    for y_true in (Y_TRUE, np.ma.MaskedArray(Y_TRUE, GOOD != FAIR)):
        *of_labels, macro, micro = summary.labels(y_true, POOR).frame()["F1 baseline"]
        share = y_true.mean(axis=0)
        np.testing.assert_allclose(of_labels, 2 * share / (1 + share))
        for average, value in (("macro", macro), ("micro", micro)):
            assert value == pytest.approx(label_based.f1(y_true, Y_TRUE >= 0, average=average))


ADDITIONAL = [  # records of set metrics that have no column of their own
    record
    for record in catalogue.METRICS
    if record.reads_label_counts and "micro" in record.averages
    if record.name not in ("precision", "recall", "F1")
]


@given(st.integers(0, 2**32))
def test_values_of_set_metrics_are_those_of_their_functions_bit_for_bit(seed):
    """Also of unknown cells and of weighted samples."""
    rng = np.random.default_rng(seed)
    y_true, y_pred, is_unknown = rng.random((3, *rng.integers(1, 9, 2))) < rng.random((3, 1, 1))
    y_true = np.ma.MaskedArray(y_true, is_unknown) if rng.integers(2) else y_true
    options = {"sample_weight": rng.random(len(y_true))} if rng.integers(4) == 0 else {}
    metrics = [partial(record.function, **record.required, **options) for record in ADDITIONAL]
    columns = summary.labels(y_true, y_pred, metrics=metrics).columns()[-len(metrics) :]
    for record, metric, (_, cells) in zip(ADDITIONAL, metrics, columns, strict=True):
        expected = [*metric(y_true, y_pred, average=None, **record.nan_if_undefined)]
        expected += [metric(y_true, y_pred, average=average) for average in ("macro", "micro")]
        np.testing.assert_array_equal(np.array(cells, dtype=float), expected)


def test_intervals_of_labels_are_those_of_their_columns():
    names, y_true, y_pred = ["sea", "sky"], Y_TRUE[:, :2], FAIR[:, :2]
    frame = summary.labels(y_true, y_pred, labels=names, level=0.9).frame()
    for metric, column in ((label_based.recall, "recall"), (label_based.f1, "F1")):
        undefined_is_nan = partial(metric, zero_division=math.nan)
        intervals = per_label(undefined_is_nan, y_true, y_pred, level=0.9)
        for average in ("macro", "micro"):
            intervals.append(interval(partial(metric, average=average), y_true, y_pred, level=0.9))
        ends = [column, f"{column} low", f"{column} high"]
        for name, expected in zip([*names, "macro", "micro"], intervals, strict=True):
            assert frame.loc[name, ends].to_list() == pytest.approx(expected[:3])


def test_labels_are_sorted_by_a_column():
    """Ascending, or with a minus descending; a dash comes last, and the averages stay below."""
    y_true, y_pred = [[1, 0, 0, 1], [1, 1, 0, 0]], [[1, 0, 0, 1], [0, 0, 0, 1]]
    labels = partial(summary.labels, y_true, y_pred, labels=["sea", "lake", "sky", "sun"])
    for sort, order in (
        ("precision", "sun sea lake sky"),
        ("-precision", "sea sun lake sky"),
        ("label", "lake sea sky sun"),
    ):
        assert [*labels(sort=sort).frame().index] == [*order.split(), "macro", "micro"]
    first_two = labels(sort="-support", most=2)
    assert [*first_two.frame().index] == ["sea", "lake", "macro", "micro"]
    assert "4 labels, of which 2 are shown." in repr(first_two)
    assert first_two.frame().loc["micro"].to_list() == labels().frame().loc["micro"].to_list()


def test_additional_metrics_of_labels_and_fixed_decimals():
    """The second label is never true or predicted: its specificity is 1, its F2 is 0/0."""
    metrics = [partial(label_based.fbeta, beta=2), label_based.specificity, curves.roc_auc]
    y_true, y_pred = [[1, 0], [1, 0], [0, 0], [0, 0]], [[1, 0], [0, 0], [0, 0], [1, 0]]
    table = summary.labels(y_true, y_pred, y_score=y_pred, metrics=metrics, decimals=2)
    last_columns = [line.split()[-3:] for line in repr(table).splitlines()[1:]]
    assert last_columns == [
        ["F2", "specificity", "AUROC"],
        ["0.50", "0.50", "0.50"],
        ["–", "1.00", "–"],
        ["0.25", "0.75", "0.50"],
        ["0.50", "0.83", "0.67"],
    ]


def test_unknown_cells_do_not_count_in_the_table_of_labels(snapshot):
    with_unknown = Y_TRUE.copy()
    with_unknown[:20, 0] = -1
    masked = data.unknown(with_unknown)
    frame = summary.labels(masked, FAIR).frame()
    known = summary.labels(Y_TRUE[20:, [0]], FAIR[20:, [0]]).frame()
    assert frame.loc["0"].to_list() == known.loc["0"].to_list()
    text = repr(summary.labels(masked, FAIR, level=0.95, groups=PATIENTS))
    assert text.splitlines()[0] == snapshot
    pairs = np.arange(60) // 2
    assert "too narrow" not in repr(summary.labels(Y_TRUE, FAIR, level=0.9, groups=pairs))


# ---------------------------------------------------------------------------- models


def p_value(metric, first, second):
    """Two-sided, of the normal distribution: the paired difference ÷ its standard error about 0."""
    difference = compare(metric, Y_TRUE, first, second).difference
    variance = difference.standard_error**2 + difference.value**2 / len(Y_TRUE)
    return math.erfc(abs(difference.value) / math.sqrt(2 * variance))


@pytest.mark.parametrize(("seed", "best"), [(4, None), (7, "good")])
def test_best_differs_from_all_others_after_a_correction_for_all_pairs_and_metrics(seed, best):
    """Four of the six p values are tiny.

    Holm's correction doubles the next one and leaves the last.
    """
    metrics, fair = [label_based.f1, hamming.hamming_loss], with_errors(0.1, seed)
    smaller, largest = sorted(p_value(metric, GOOD, fair) for metric in metrics)
    assert smaller < 0.05  # uncorrected, "good" would be best by some metric
    assert (2 * smaller <= 0.05 and largest <= 0.05) == (best == "good")
    predictions = {"poor": POOR, "good": GOOD, "fair": fair}
    frame = summary.models(Y_TRUE, predictions, metrics=metrics, level=0.95).frame()
    for metric, (_, row) in zip(metrics, frame.iterrows(), strict=True):
        expected = interval(metric, Y_TRUE, GOOD)
        assert row[["good", "good low", "good high"]].to_list() == list(expected[:3])
        assert row["best"] == best or (best is None and math.isnan(row["best"]))


def test_no_model_is_best_if_another_one_is_equal():
    predictions = {"good": GOOD, "twin": GOOD, "poor": POOR}
    metrics = [label_based.f1, lambda t, p: float((t == p).mean())]
    frame = summary.models(Y_TRUE, predictions, metrics=metrics, level=0.95).frame()
    assert frame["best"].isna().all() and frame.index[1] == "<lambda>"
    assert "best" not in summary.models(Y_TRUE, {"good": GOOD}, metrics=metrics, level=0.95).frame()


@pytest.mark.parametrize(
    ("n_samples", "n_wrong", "best"),  # z is √n_wrong; a sign test of 5 samples has p ≥ 2^-4
    [(5, 5, None), (6, 6, "right"), (8, 3, None), (8, 5, "right")],
)
def test_best_requires_enough_samples_in_which_the_models_differ(n_samples, n_wrong, best):
    right, other = np.ones((2, n_samples, 2))
    other[:n_wrong] = 0
    models, metrics = {"right": right, "other": other}, [hamming.hamming_loss]
    table = summary.models(right, models, metrics=metrics, level=0.95)
    assert dict(table.columns())["best"] == [best]


def test_default_metrics_are_those_for_which_all_models_have_a_matrix():
    both = summary.models(Y_TRUE, {"a": (GOOD, SCORE), "b": (POOR, -SCORE)}).frame()
    assert both.loc["samples F1", "b"] == example_based.f1(Y_TRUE, POOR)
    assert both.loc["macro AUROC", "b"] == curves.roc_auc(Y_TRUE, -SCORE)
    sets = summary.models(Y_TRUE, {"a": (GOOD, SCORE), "b": POOR == 1}).frame()
    scores = summary.models(Y_TRUE, {"a": SCORE, "b": (POOR, -SCORE)}).frame()
    assert [*sets.index, *scores.index] == [*both.index] and sets.index[-1] == "subset accuracy"


def test_a_dash_stands_where_a_model_has_no_matrix_for_the_metric():
    metrics = label_based.f1, curves.roc_auc
    models = {"sets": GOOD, "both": (POOR, SCORE), "scores": SCORE, "binary": (None, GOOD)}
    frame = summary.models(Y_TRUE, models, metrics=metrics).frame()
    assert frame[["sets", "both", "scores", "binary"]].isna().to_numpy().tolist() == [
        [False, False, True, True],
        [True, False, False, False],
    ]
    assert frame.loc["macro AUROC", "both"] == frame.loc["macro AUROC", "scores"]


def test_a_dagger_marks_metrics_that_shift_with_the_share_of_unknown_cells():
    masked = np.ma.MaskedArray(Y_TRUE, np.random.default_rng(5).random(Y_TRUE.shape) < 0.2)
    models = summary.models(masked, {"a": (GOOD, SCORE)})
    stable = ["micro F1", "macro F1", "Hamming loss ↓", "micro AP", "macro AP", "macro AUROC"]
    assert [name for name in models.frame().index if not name.endswith(" †")] == stable
    subgroups = summary.subgroups(example_based.f1, masked, GOOD, PATIENTS)
    assert subgroups.frame().columns[1] == "samples F1 †"
    for table in (models, subgroups):
        assert "†: shifts with the share of unknown cells" in repr(table)
    assert "†" not in repr(summary.labels(masked, GOOD)) + repr(summary.models(Y_TRUE, {"a": GOOD}))


def test_groups_are_drawn_whole_for_models_and_labels():
    expected = [*interval(label_based.f1, Y_TRUE, FAIR, groups=PATIENTS)[:3]]
    options = {"level": 0.95, "groups": PATIENTS}
    models = summary.models(Y_TRUE, {"a": FAIR}, metrics=[label_based.f1], **options).frame()
    assert models.iloc[0, :3].to_list() == expected
    labels = summary.labels(Y_TRUE, FAIR, **options).frame()
    assert labels.loc["macro", ["F1", "F1 low", "F1 high"]].to_list() == expected


# ------------------------------------------------------------------ two predictions, label by label


def test_labels_for_which_the_first_is_better_by_hand():
    """Of 20 samples with "sea", 12 are hits of the first prediction only, 3 of the second.

    McNemar's z is (12 - 3)/√15. In "sky" the predictions differ in 3 samples: a sign test has p ≥
    1/4.
    """
    first, second = np.zeros((2, 20, 3), dtype=int)
    first[:17, 0] = second[:5, 0] = second[17:, 0] = 1  # sea: 5 hits of both, and no miss of both
    second[:3, 1] = 1  # sky
    options = {"metric": label_based.recall, "labels": ["sea", "sky", "sun"], "level": 0.9}
    compared = partial(summary.compare_labels, np.ones((20, 3)), **options)
    frame = compared(first, second).frame()
    assert list(frame.index) == ["sea", "sky", "sun"]
    assert frame["first"].to_list() == [17 / 20, 0, 0]
    assert frame["difference"].to_list() == pytest.approx([9 / 20, -3 / 20, 0])
    p = 3 * math.erfc(9 / math.sqrt(15) / math.sqrt(2)), 2 * 0.25, 1
    assert frame["p"].to_list() == pytest.approx(p)
    assert frame["first is"].to_list() == ["better", "", ""]
    reverse = compared(second, first, sort="-difference", most=2).frame()
    assert list(reverse.index) == ["sky", "sun"] and reverse["p"].to_list() == [0.5, 1]
    assert compared(second, first).frame().loc["sea", "first is"] == "worse"
    cost = partial(label_based.cost, miss=1, false_alarm=1)  # lower is better
    assert compared(first, second, metric=cost).frame().loc["sea", "first is"] == "better"
    grouped = compared(second, first, groups=np.arange(20) // 17, sort=None).frame()  # 2 groups
    assert grouped["p"].to_list() == [1, 1, 1]


def test_the_cost_of_a_label_has_its_own_price_and_is_better_if_lower():
    truth, right, wrong = np.ones((20, 2)), np.ones((20, 2)), np.zeros((20, 2))
    cost = partial(label_based.cost, miss=[1, 3], false_alarm=1)
    frame = summary.compare_labels(truth, right, wrong, metric=cost).frame()
    assert frame["difference"].to_list() == [-1, -3] and [*frame["first is"]] == ["better"] * 2
    # The predictions differ by the price in all 20 samples: z is 20 ÷ √20.
    assert frame["p"].to_list() == pytest.approx([2 * math.erfc(math.sqrt(10))] * 2)


def test_intervals_of_labels_are_paired():
    frame = summary.compare_labels(Y_TRUE, GOOD, FAIR, groups=PATIENTS, sort=None).frame()
    for j, (_, row) in enumerate(frame.iterrows()):
        columns = (matrix[:, [j]] for matrix in (Y_TRUE, GOOD, FAIR))
        expected = compare(label_based.f1, *columns, groups=PATIENTS).difference
        ends = row[["difference", "difference low", "difference high"]].to_list()
        assert ends == pytest.approx(expected[:3])


def exchange_p_values(first, second):
    """The p value of each label, for F1."""
    n_samples, n_labels = first.shape
    p_values = []
    for j in range(n_labels):
        pair = first.select_labels([j]), second.select_labels([j])
        p_values.append(summary._exchange_p_value(counts.f1, *pair, np.arange(n_samples)))
    return p_values


@pytest.mark.exhaustive
@pytest.mark.parametrize("model", [(6, 0.3, 0.7, 0.1), (50, 0.02, 0.5, 0.02)])
def test_labels_of_two_equal_models_seldom_differ_significantly(model):
    """Any label does in 5 % of 400 data sets of 200 samples, to three standard errors.

    So do rare labels.
    """
    n_labels, prevalence, recall, false_alarm_rate = model
    n_different, rng = 0, np.random.default_rng(0)
    for _ in range(400):
        y_true = rng.random((200, n_labels)) < prevalence
        share = np.where(y_true, recall, false_alarm_rate)
        pair = [read_label_sets(y_true, rng.random(y_true.shape) < share) for _ in range(2)]
        n_different += min(summary._holm_corrected(exchange_p_values(*pair))) <= 0.05
    assert n_different <= 20 + 3 * math.sqrt(400 * 0.05 * 0.95)


def test_the_standard_error_of_a_difference_is_that_of_random_exchanges():
    """The two predictions of each weighted sample are exchanged at random, 1,000 times."""
    weight, rng = RNG.random(60) + 0.5, np.random.default_rng(0)
    f1 = partial(label_based.f1, average=None, sample_weight=weight)
    differences = []
    for is_exchanged in [np.zeros((60, 1), dtype=bool), *(rng.random((1000, 60, 1)) < 0.5)]:
        first, second = np.where(is_exchanged, POOR, FAIR), np.where(is_exchanged, FAIR, POOR)
        differences.append(f1(Y_TRUE, first) - f1(Y_TRUE, second))
    observed, *exchanged = differences
    pair = (read_label_sets(Y_TRUE, y_pred, weight) for y_pred in (FAIR, POOR))
    z = [NormalDist().inv_cdf(1 - p / 2) for p in exchange_p_values(*pair)]
    assert np.abs(observed) / np.std(exchanged, axis=0) == pytest.approx(z, rel=0.08)


# ---------------------------------------------------------------------------- subgroups


@pytest.mark.parametrize("level", [None, 0.95])
@pytest.mark.parametrize("metric", [label_based.f1, hamming.hamming_loss])
def test_subgroups_are_their_samples_alone(metric, level):
    years, weight = RNG.choice([2019, 2020, 2003], 60), RNG.random(60)
    weighted = partial(metric, sample_weight=weight)
    frame = summary.subgroups(weighted, Y_TRUE, FAIR, years, level=level).frame()
    assert list(frame.index) == ["2003", "2019", "2020", "all"]  # sorted

    for name, rows in [*((str(year), years == year) for year in {*years}), ("all", years > 0)]:
        of_rows = partial(metric, sample_weight=weight[rows])
        numbers = interval(of_rows, Y_TRUE[rows], FAIR[rows])[: 3 if level else 1]  # value, ends
        row = frame.loc[name].to_list()
        assert row[: len(numbers) + 1] == pytest.approx([sum(rows), *numbers])
        if name != "all":
            others = metric(Y_TRUE[~rows], FAIR[~rows], sample_weight=weight[~rows])
            assert frame.loc[name, "difference"] == pytest.approx(numbers[0] - others)


def test_subgroups_that_cannot_be_sorted_stand_as_they_occur():
    table = summary.subgroups(hamming.hamming_loss, [[1], [1]], [[1], [0]], [2j, 1j])
    assert [*table.frame().index] == ["2j", "1j", "all"]


def test_the_difference_from_all_other_samples_by_hand():
    """Two independent means, 1/2 of 20 and 2/3 of 30: the variances are 1/4 ÷ 20 and 2/9 ÷ 30."""
    right = np.array([1, 0] * 10 + [1, 1, 0] * 10)[:, None]
    by = ["a"] * 20 + ["b"] * 30
    data = np.ones((50, 1)), right, by
    table = summary.subgroups(exact_match.subset_accuracy, *data, level=0.95)
    first, second, _ = (difference for *_, difference in table.steps[0].values)
    standard_error = math.sqrt(1 / 80 + 2 / 270)
    assert (first.value, second.value) == (pytest.approx(-1 / 6), pytest.approx(1 / 6))
    for difference in (first, second):
        assert difference.standard_error == pytest.approx(standard_error, rel=0.05)
        assert difference.high - difference.low == pytest.approx(4 * standard_error, rel=0.05)


def test_patients_within_a_subgroup_are_drawn_whole(snapshot):
    years, options = np.repeat([2019, 2020], [36, 24]), {"level": 0.95, "groups": PATIENTS}
    by_year = summary.subgroups(label_based.f1, Y_TRUE, FAIR, years, **options)
    assert repr(by_year).splitlines()[0] == snapshot
    for year, rows in (("2019", slice(36)), ("2020", slice(36, 60)), ("all", slice(60))):
        expected = interval(label_based.f1, Y_TRUE[rows], FAIR[rows], groups=PATIENTS[rows])
        row = by_year.frame().loc[year].iloc[1:4]
        assert row.to_list() == pytest.approx(list(expected[:3]))
    by_patient = summary.subgroups(label_based.f1, Y_TRUE, FAIR, PATIENTS, **options).frame()
    assert by_patient["macro F1 low"].iloc[:-1].isna().all()  # a single group has no interval
    assert "difference low" not in by_patient


def test_patients_in_two_subgroups_are_drawn_whole():
    """Each patient has two equal samples, one per subgroup: every difference is 0."""
    rows = np.arange(60).repeat(2)
    data = example_based.f1, Y_TRUE[rows], FAIR[rows], [0, 1] * 60
    grouped = summary.subgroups(*data, level=0.95, groups=rows).frame()
    ends = grouped[["difference", "difference low", "difference high"]].iloc[:2]
    assert ends.to_numpy().tolist() == [[0, 0, 0], [0, 0, 0]]
    ungrouped = summary.subgroups(*data, level=0.95).frame()
    assert ungrouped["difference high"].iloc[0] > 0.05


def test_an_undefined_subgroup_or_one_of_one_sample_has_no_interval():
    by = ["one", "none", "none", *["many"] * 57]
    y_true = Y_TRUE.copy()
    y_true[:3] = [[1, 1, 0], [0, 0, 0], [0, 0, 0]]
    metric = partial(label_based.recall, zero_division=math.nan)
    frame = summary.subgroups(metric, y_true, np.ones_like(y_true), by, level=0.95).frame()
    name = "macro recall, zero_division=nan"
    assert frame.index[frame[name].isna()].to_list() == ["none"]
    assert frame.loc["one", name] == 1 and math.isnan(frame.loc["one", f"{name} low"])
    assert frame["difference"].isna().to_list() == [False, True, False, True]
    one_subgroup = summary.subgroups(metric, y_true, y_true, ["x"] * 60, level=0.95).frame()
    assert one_subgroup["difference"].isna().all() and one_subgroup.loc["x", name] == 1
