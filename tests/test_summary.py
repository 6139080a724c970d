"""Tables of labels, models and groups: against a pencil, and the intervals one by one.

What is refused, and in which words, stands in refusals/summary.txt.
"""

import math
from functools import partial
from statistics import NormalDist

import numpy as np
import pandas
import pytest

from mlm_helpers import curves, data, exact_match, example_based, hamming, label_based, summary
from mlm_helpers._core import counts, inputs
from mlm_helpers.uncertainty import compare, interval, per_label

RNG = np.random.default_rng(0)
Y_TRUE = (RNG.random((60, 3)) < 0.4).astype(int)


def noisy(share, seed):
    """The truth with a share of its cells turned."""
    turned = np.random.default_rng(seed).random(Y_TRUE.shape) < share
    return np.where(turned, 1 - Y_TRUE, Y_TRUE)


GOOD, FAIR, POOR = noisy(0.05, 1), noisy(0.2, 2), noisy(0.4, 3)
PATIENTS = np.arange(60) // 6
SCORE = FAIR + RNG.random(Y_TRUE.shape)


# ---------------------------------------------------------------------------- labels


def test_table_of_labels_of_three_samples_by_hand(snapshot):
    """The label "sky" is never true, "sea" is never predicted."""
    y_true, y_pred = [[1, 0, 0], [1, 1, 0], [0, 1, 0]], [[1, 0, 0], [1, 0, 0], [1, 0, 0]]
    y_score = [[0.9, 0.1, 0.5], [0.2, 0.2, 0.5], [0.5, 0.3, 0.5]]
    frame = pandas.DataFrame(y_true, columns=["cat", "sea", "sky"])
    shown = summary.labels(frame, y_pred, y_score=y_score)
    none, head = math.nan, ["support", "TP", "FP", "FN", "precision", "recall", "F1", "AP"]
    expected = pandas.DataFrame({
        "cat": [2, 2, 1, 0, 2 / 3, 1, 4 / 5, 5 / 6],
        "sea": [2, 0, 0, 2, none, 0, 0, 1],
        "sky": [0, 0, 0, 0, none, none, none, none],
        "macro": [none, none, none, none, 2 / 9, 1 / 3, 4 / 15, 11 / 18],
        "micro": [4, 2, 1, 2, 2 / 3, 1 / 2, 4 / 7, (1 + 2 / 6 + 2 * 4 / 8) / 4],
    }, index=head).T.astype(dict.fromkeys(head[:4], "Int64"))  # fmt: skip
    # All scores from the top: a hit, four tied misses, a hit, two tied hits.
    pandas.testing.assert_frame_equal(shown.frame(), expected, check_names=False)
    assert repr(shown) == snapshot


def test_intervals_of_labels_are_those_of_their_columns():
    names, y_true, y_pred = ["sea", "sky"], Y_TRUE[:, :2], FAIR[:, :2]
    shown = summary.labels(y_true, y_pred, labels=names, level=0.9).frame()
    for metric, column in ((label_based.recall, "recall"), (label_based.f1, "F1")):
        ends, alone = [column, f"{column} low", f"{column} high"], {"zero_division": math.nan}
        each = per_label(partial(metric, **alone), y_true, y_pred, level=0.9)
        for average in ("macro", "micro"):
            each.append(interval(partial(metric, average=average), y_true, y_pred, level=0.9))
        for name, one in zip([*names, "macro", "micro"], each, strict=True):
            assert shown.loc[name, ends].to_list() == pytest.approx(one[:3])


def test_labels_in_the_order_of_a_column():
    """From the lowest on, or with a minus from the highest; a dash last, and the averages below."""
    y_true, y_pred = [[1, 0, 0, 1], [1, 1, 0, 0]], [[1, 0, 0, 1], [0, 0, 0, 1]]
    shown = partial(summary.labels, y_true, y_pred, labels=["sea", "lake", "sky", "sun"])
    for sort, order in (
        ("precision", "sun sea lake sky"),
        ("-precision", "sea sun lake sky"),
        ("label", "lake sea sky sun"),
    ):
        assert [*shown(sort=sort).frame().index] == [*order.split(), "macro", "micro"]
    two = shown(sort="-support", most=2)
    assert [*two.frame().index] == ["sea", "lake", "macro", "micro"]
    assert "4 labels, of which 2 are shown." in repr(two)
    assert two.frame().loc["micro"].to_list() == shown().frame().loc["micro"].to_list()


def test_further_metrics_of_labels_and_fixed_decimals():
    """Of the second label nothing is true or predicted: its specificity is 1, its F2 is 0/0."""
    further = [partial(label_based.fbeta, beta=2), label_based.specificity, curves.roc_auc]
    y_true, y_pred = [[1, 0], [1, 0], [0, 0], [0, 0]], [[1, 0], [0, 0], [0, 0], [1, 0]]
    shown = summary.labels(y_true, y_pred, y_score=y_pred, metrics=further, decimals=2)
    found = [line.split()[-3:] for line in repr(shown).splitlines()[1:]]
    assert found == [
        ["F2", "specificity", "AUROC"],
        ["0.50", "0.50", "0.50"],
        ["–", "1.00", "–"],
        ["0.25", "0.75", "0.50"],
        ["0.50", "0.83", "0.67"],
    ]


def test_unknown_cells_do_not_count_in_the_table_of_labels(snapshot):
    partly = Y_TRUE.copy()
    partly[:20, 0] = -1
    unknown = data.unknown(partly)
    shown = summary.labels(unknown, FAIR).frame()
    alone = summary.labels(Y_TRUE[20:, [0]], FAIR[20:, [0]]).frame()
    assert shown.loc["0"].to_list() == alone.loc["0"].to_list()
    said = repr(summary.labels(unknown, FAIR, level=0.95, groups=PATIENTS))
    assert said.splitlines()[0] == snapshot
    many = np.arange(60) // 2
    assert "too narrow" not in repr(summary.labels(Y_TRUE, FAIR, level=0.9, groups=many))


# ---------------------------------------------------------------------------- models


def p_of(metric, first, second):
    """Two-sided, of the normal distribution: a paired difference divided by its standard error about 0."""
    lead = compare(metric, Y_TRUE, first, second).difference
    variance = lead.standard_error**2 + lead.value**2 / len(Y_TRUE)
    return math.erfc(abs(lead.value) / math.sqrt(2 * variance))


@pytest.mark.parametrize(("seed", "best"), [(4, None), (7, "good")])
def test_the_best_differs_from_every_other_after_a_correction_for_all_pairs_and_metrics(seed, best):
    """Four of the six p values are tiny. By Holm the next one counts twice, and the last one once."""
    metrics, predictions = [label_based.f1, hamming.hamming_loss], {"poor": POOR, "good": GOOD}
    close = sorted(p_of(metric, GOOD, noisy(0.1, seed)) for metric in metrics)
    assert min(close) < 0.05  # uncorrected, "good" would be best of some metric
    assert (2 * close[0] <= 0.05 and close[1] <= 0.05) == (best == "good")
    predictions["fair"] = noisy(0.1, seed)
    frame = summary.models(Y_TRUE, predictions, metrics=metrics, level=0.95).frame()
    for metric, (_, row) in zip(metrics, frame.iterrows(), strict=True):
        one = interval(metric, Y_TRUE, GOOD)
        assert row[["good", "good low", "good high"]].to_list() == list(one[:3])
        assert row["best"] == best or (best is None and math.isnan(row["best"]))


def test_nobody_is_best_whose_lead_may_be_chance():
    predictions = {"good": GOOD, "twin": GOOD, "poor": POOR}
    metrics = [label_based.f1, lambda t, p: float((t == p).mean())]
    frame = summary.models(Y_TRUE, predictions, metrics=metrics, level=0.95).frame()
    assert frame["best"].isna().all() and frame.index[1] == "<lambda>"
    assert "best" not in summary.models(Y_TRUE, {"good": GOOD}, metrics=metrics, level=0.95).frame()


@pytest.mark.parametrize(
    ("n_samples", "decide", "best"),  # z is √decide; a sign test says 2^-4 of 5 samples
    [(5, 5, None), (6, 6, "right"), (8, 3, None), (8, 5, "right")],
)
def test_a_lead_is_as_sure_as_the_number_of_samples_that_decide(n_samples, decide, best):
    right, other = np.ones((2, n_samples, 2))
    other[:decide] = 0
    models, metrics = {"right": right, "other": other}, [hamming.hamming_loss]
    shown = summary.models(right, models, metrics=metrics, level=0.95)
    assert dict(shown.columns())["best"] == [best]


def test_usual_metrics_are_those_that_all_models_can_be_read_by():
    both = summary.models(Y_TRUE, {"a": (GOOD, SCORE), "b": (POOR, -SCORE)}).frame()
    assert both.loc["samples F1", "b"] == example_based.f1(Y_TRUE, POOR)
    assert both.loc["macro AUROC", "b"] == curves.roc_auc(Y_TRUE, -SCORE)
    sets = summary.models(Y_TRUE, {"a": (GOOD, SCORE), "b": POOR == 1}).frame()
    scores = summary.models(Y_TRUE, {"a": SCORE, "b": (POOR, -SCORE)}).frame()
    assert [*sets.index, *scores.index] == [*both.index] and sets.index[-1] == "subset accuracy"


def test_a_dash_stands_where_a_model_lacks_what_a_metric_reads():
    metrics = label_based.f1, curves.roc_auc
    models = {"sets": GOOD, "both": (POOR, SCORE), "scores": SCORE, "binary": (None, GOOD)}
    frame = summary.models(Y_TRUE, models, metrics=metrics).frame()
    assert frame[["sets", "both", "scores", "binary"]].isna().to_numpy().tolist() == [
        [False, False, True, True],
        [True, False, False, False],
    ]
    assert frame.loc["macro AUROC", "both"] == frame.loc["macro AUROC", "scores"]


def test_names_of_models_are_columns_of_their_own():
    """Whatever models are called, each value is found under its name."""
    models = {"macro F1": GOOD, "best": POOR, "a": FAIR, "a low": GOOD}
    frame = summary.models(Y_TRUE, models, metrics=[label_based.f1]).frame()
    for name, prediction in models.items():
        assert frame.loc["macro F1", name] == label_based.f1(Y_TRUE, prediction)


def test_a_dagger_marks_what_shifts_with_the_share_of_unknown_cells():
    masked = np.ma.MaskedArray(Y_TRUE, np.random.default_rng(5).random(Y_TRUE.shape) < 0.2)
    shown = summary.models(masked, {"a": (GOOD, SCORE)})
    means = ["micro F1", "macro F1", "Hamming loss ↓", "micro AP", "macro AP", "macro AUROC"]
    assert [name for name in shown.frame().index if not name.endswith(" †")] == means
    marked = summary.subgroups(example_based.f1, masked, GOOD, PATIENTS)
    assert marked.frame().columns[1] == "samples F1 †"
    for board in (shown, marked):
        assert "†: shifts with the share of unknown cells" in repr(board)
    assert "†" not in repr(summary.labels(masked, GOOD)) + repr(summary.models(Y_TRUE, {"a": GOOD}))


def test_groups_are_drawn_whole_for_models_and_labels_too():
    wanted = [*interval(label_based.f1, Y_TRUE, FAIR, groups=PATIENTS)[:3]]
    drawn = {"level": 0.95, "groups": PATIENTS}
    shown = summary.models(Y_TRUE, {"a": FAIR}, metrics=[label_based.f1], **drawn).frame()
    assert shown.iloc[0, :3].to_list() == wanted
    labels = summary.labels(Y_TRUE, FAIR, **drawn).frame()
    assert labels.loc["macro", ["F1", "F1 low", "F1 high"]].to_list() == wanted


# ---------------------------------------------------------------------------- two predictions, label by label


def test_labels_that_got_better_by_hand():
    """Of 20 samples that have the label "sea", the first alone finds 12, the second alone 3.

    McNemar's z is (12 - 3)/√15. The sign test of the 3 samples that decide about "sky" says 1/4 at least.
    """
    first, second = np.zeros((2, 20, 3), dtype=int)
    first[:17, 0] = second[:5, 0] = second[17:, 0] = second[:3, 1] = 1
    options = {"metric": label_based.recall, "labels": ["sea", "sky", "sun"], "level": 0.9}
    compared = partial(summary.compare_labels, np.ones((20, 3)), **options)
    frame = compared(first, second).frame()
    assert list(frame.index) == ["sea", "sky", "sun"]
    assert frame["first"].to_list() == [17 / 20, 0, 0]
    assert frame["difference"].to_list() == pytest.approx([9 / 20, -3 / 20, 0])
    p = 3 * math.erfc(9 / math.sqrt(15) / math.sqrt(2)), 2 * 0.25, 1
    assert frame["p"].to_list() == pytest.approx(p)
    assert frame["first is"].to_list() == ["better", "", ""]
    turned = compared(second, first, sort="-difference", most=2).frame()
    assert list(turned.index) == ["sky", "sun"] and turned["p"].to_list() == [0.5, 1]
    assert compared(second, first).frame().loc["sea", "first is"] == "worse"
    cost = partial(label_based.cost, miss=1, false_alarm=1)  # a lower one is better
    assert compared(first, second, metric=cost).frame().loc["sea", "first is"] == "better"
    both = compared(second, first, groups=np.arange(20) // 17, sort=None).frame()  # 2 groups decide
    assert both["p"].to_list() == [1, 1, 1]


def test_of_a_cost_the_lower_is_better_and_its_price_that_of_the_label():
    truth, right, wrong = np.ones((20, 2)), np.ones((20, 2)), np.zeros((20, 2))
    cost = partial(label_based.cost, miss=[1, 3], false_alarm=1)
    frame = summary.compare_labels(truth, right, wrong, metric=cost).frame()
    assert frame["difference"].to_list() == [-1, -3] and [*frame["first is"]] == ["better"] * 2
    # all 20 samples decide, each by its price: z is 20 ÷ √20
    assert frame["p"].to_list() == pytest.approx([2 * math.erfc(math.sqrt(10))] * 2)


def test_intervals_of_labels_are_paired():
    frame = summary.compare_labels(Y_TRUE, GOOD, FAIR, groups=PATIENTS, sort=None).frame()
    for j, (_, row) in enumerate(frame.iterrows()):
        columns = (one[:, [j]] for one in (Y_TRUE, GOOD, FAIR))
        lead = compare(label_based.f1, *columns, groups=PATIENTS).difference
        ends = row[["difference", "difference low", "difference high"]].to_list()
        assert ends == pytest.approx(lead[:3])


@pytest.mark.exhaustive
@pytest.mark.parametrize("model", [(6, 0.3, 0.7, 0.1), (50, 0.02, 0.5, 0.02)])
def test_two_equal_models_are_seldom_told_apart(model):
    """At any label in 5 % of 400 data sets of 200 samples, and three standard deviations; rare labels, too."""
    (n_labels, prevalence, hits, false_alarms), told_apart = model, 0
    rng = np.random.default_rng(0)
    for _ in range(400):
        y_true = rng.random((200, n_labels)) < prevalence
        share = np.where(y_true, hits, false_alarms)
        data = [inputs.read_label_sets(y_true, rng.random(y_true.shape) < share) for _ in range(2)]
        columns = ([one.select_labels([j]) for one in data] for j in range(n_labels))
        p = [summary._exchange_p_value(counts.f1, *two, np.arange(200)) for two in columns]
        told_apart += min(summary._holm_corrected(p)) <= 0.05
    assert told_apart <= 20 + 3 * math.sqrt(400 * 0.05 * 0.95)


def test_the_standard_error_of_a_difference_is_that_of_exchanges():
    """Each sample's two predictions, with its weight, exchanged at random, 1,000 times."""
    weight, rng = RNG.random(60) + 0.5, np.random.default_rng(0)
    f1 = partial(label_based.f1, average=None, sample_weight=weight)
    leads = []
    for turned in [np.zeros((60, 1), dtype=bool), *(rng.random((1000, 60, 1)) < 0.5)]:
        one, other = np.where(turned, POOR, FAIR), np.where(turned, FAIR, POOR)
        leads.append(f1(Y_TRUE, one) - f1(Y_TRUE, other))
    lead = leads.pop(0)
    data = [inputs.read_label_sets(Y_TRUE, one, weight) for one in (FAIR, POOR)]
    for j in range(3):
        p = summary._exchange_p_value(
            counts.f1, *(one.select_labels([j]) for one in data), np.arange(60)
        )
        z = NormalDist().inv_cdf(1 - p / 2)
        assert abs(lead[j]) / np.std(leads, axis=0)[j] == pytest.approx(z, rel=0.08)


# ---------------------------------------------------------------------------- subgroups


@pytest.mark.parametrize("level", [None, 0.95])
@pytest.mark.parametrize("metric", [label_based.f1, hamming.hamming_loss])
def test_subgroups_are_their_samples_alone(metric, level):
    years, weight = RNG.choice([2019, 2020, 2003], 60), RNG.random(60)
    weighted = partial(metric, sample_weight=weight)
    frame = summary.subgroups(weighted, Y_TRUE, FAIR, years, level=level).frame()
    assert list(frame.index) == ["2003", "2019", "2020", "all"]  # not as they occur

    for name, rows in [*((str(year), years == year) for year in {*years}), ("all", years > 0)]:
        alone = partial(metric, sample_weight=weight[rows])
        numbers = interval(alone, Y_TRUE[rows], FAIR[rows])[: 3 if level else 1]
        row = frame.loc[name].to_list()
        assert row[: len(numbers) + 1] == pytest.approx([sum(rows), *numbers])
        if name != "all":
            others = metric(Y_TRUE[~rows], FAIR[~rows], sample_weight=weight[~rows])
            assert frame.loc[name, "difference"] == pytest.approx(numbers[0] - others)


def test_subgroups_that_have_no_order_come_as_they_occur():
    shown = summary.subgroups(hamming.hamming_loss, [[1], [1]], [[1], [0]], [2j, 1j])
    assert [*shown.frame().index] == ["2j", "1j", "all"]


def test_the_difference_from_all_other_samples_by_hand():
    """Two independent means, 1/2 of 20 and 2/3 of 30: the variances are 1/4 ÷ 20 and 2/9 ÷ 30."""
    right = np.array([1, 0] * 10 + [1, 1, 0] * 10)[:, None]
    by = ["a"] * 20 + ["b"] * 30
    data = np.ones((50, 1)), right, by
    shown = summary.subgroups(exact_match.subset_accuracy, *data, level=0.95)
    first, second, _ = (row[3] for row in shown.steps[0].values)
    assert (first.value, second.value) == (pytest.approx(-1 / 6), pytest.approx(1 / 6))
    for lead in (first, second):
        assert lead.standard_error == pytest.approx(math.sqrt(1 / 80 + 2 / 270), rel=0.05)
        assert lead.high - lead.low == pytest.approx(4 * 0.1411, rel=0.05)


def test_patients_within_a_subgroup_are_drawn_whole(snapshot):
    years, drawn = np.repeat([2019, 2020], [36, 24]), {"level": 0.95, "groups": PATIENTS}
    found = summary.subgroups(label_based.f1, Y_TRUE, FAIR, years, **drawn)
    assert repr(found).splitlines()[0] == snapshot
    for year, rows in (("2019", slice(36)), ("2020", slice(36, 60)), ("all", slice(60))):
        alone = interval(label_based.f1, Y_TRUE[rows], FAIR[rows], groups=PATIENTS[rows])
        assert found.frame().loc[year].iloc[1:4].to_list() == pytest.approx(list(alone[:3]))
    one = summary.subgroups(label_based.f1, Y_TRUE, FAIR, PATIENTS, **drawn)
    assert one.frame()["macro F1 low"].iloc[:-1].isna().all()  # one patient has no interval
    assert "difference low" not in one.frame()


def test_patients_in_two_subgroups_are_drawn_whole():
    """Each has two equal samples, one in either subgroup: in no resample is there a difference."""
    twice = np.arange(60).repeat(2)
    data = example_based.f1, Y_TRUE[twice], FAIR[twice], [0, 1] * 60
    whole = summary.subgroups(*data, level=0.95, groups=twice).frame()
    ends = whole[["difference", "difference low", "difference high"]].iloc[:2]
    assert ends.to_numpy().tolist() == [[0, 0, 0], [0, 0, 0]]
    apart = summary.subgroups(*data, level=0.95).frame()
    assert apart["difference high"].iloc[0] > 0.05


def test_a_subgroup_without_a_value_or_of_one_sample_has_no_interval():
    by = ["one", "none", "none", *["many"] * 57]
    y_true = Y_TRUE.copy()
    y_true[:3] = [[1, 1, 0], [0, 0, 0], [0, 0, 0]]
    metric = partial(label_based.recall, zero_division=math.nan)
    found = summary.subgroups(metric, y_true, np.ones_like(y_true), by, level=0.95).frame()
    name = "macro recall, zero_division=nan"
    assert found.index[found[name].isna()].to_list() == ["none"]
    assert found.loc["one", name] == 1 and math.isnan(found.loc["one", f"{name} low"])
    assert found["difference"].isna().to_list() == [False, True, False, True]
    everyone = summary.subgroups(metric, y_true, y_true, ["x"] * 60, level=0.95).frame()
    assert everyone["difference"].isna().all() and everyone.loc["x", name] == 1
