"""Tables of labels, models and groups: against a pencil, and the intervals one by one.

What is refused, and in which words, stands in refusals/summary.txt.
"""

from __future__ import annotations

import math
from functools import partial

import numpy as np
import pandas
import pytest

from mlm_helpers import curves, data, example_based, hamming, label_based, ranking, summary
from mlm_helpers.uncertainty import compare, interval

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


def test_labels_of_three_samples_by_hand(snapshot):
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
    }, index=head).T  # fmt: skip
    # All scores from the top: a hit, four tied misses, a hit, two tied hits.
    pandas.testing.assert_frame_equal(shown.frame(), expected, check_names=False)
    assert repr(shown) == snapshot


def test_intervals_of_labels_are_those_of_their_columns():
    names, (y_true, y_pred, score) = ["sea", "sky"], (y[:, :2] for y in (Y_TRUE, FAIR, SCORE))
    shown = summary.labels(y_true, y_pred, y_score=score, labels=names, level=0.9).frame()
    for metric, column, other, some in (
        (label_based.f1, "F1", y_pred, ["sea", "sky", "macro", "micro"]),
        (curves.average_precision, "AP", score, ["sky", "micro"]),
    ):
        for name in some:
            of, average = ([names.index(name)], "macro") if name in names else ([0, 1], name)
            one = partial(metric, average=average)
            found = interval(one, y_true[:, of], other[:, of], level=0.9)
            ends = [column, f"{column} low", f"{column} high"]
            assert shown.loc[name, ends].to_list() == pytest.approx(found[:3])


def test_labels_of_known_cells_alone(snapshot):
    partly = Y_TRUE.copy()
    partly[:20, 0] = -1
    unknown = data.unknown(partly)
    shown = summary.labels(unknown, FAIR).frame()
    alone = summary.labels(Y_TRUE[20:, [0]], FAIR[20:, [0]]).frame()
    assert shown.loc["0"].to_list() == alone.loc["0"].to_list()
    said = repr(summary.labels(unknown, FAIR, level=0.95, groups=PATIENTS))
    assert said.splitlines()[0] == snapshot
    many = summary.labels(Y_TRUE, FAIR, level=0.9, groups=np.arange(60) // 2)
    assert "too narrow" not in repr(many)


# ---------------------------------------------------------------------------- models


def test_the_best_is_named_where_its_lead_over_every_other_is_sure():
    metrics = [label_based.f1, hamming.hamming_loss, lambda t, p: float((t == p).mean())]
    predictions = {"poor": POOR, "good": GOOD, "fair": FAIR}
    frame = summary.models(Y_TRUE, predictions, metrics=metrics, level=0.95).frame()
    assert list(frame.index) == ["macro F1", "Hamming loss ↓", "<lambda>"]
    for metric, (_, row) in zip(metrics, frame.iterrows(), strict=True):
        for name, other in predictions.items():
            found = interval(metric, Y_TRUE, other)
            assert row[[name, f"{name} low", f"{name} high"]].to_list() == list(found[:3])
        assert row["best"] == "good"
        for other in (POOR, FAIR):
            low, high = compare(metric, Y_TRUE, GOOD, other)[0][1:3]
            assert low > 0 or high < 0


@pytest.mark.parametrize("other", [GOOD, noisy(0.06, 8)], ids=["twin", "close"])
def test_nobody_is_best_whose_lead_may_be_chance(other):
    predictions = {"good": GOOD, "other": other, "poor": POOR}
    metrics = [label_based.f1, hamming.hamming_loss]
    frame = summary.models(Y_TRUE, predictions, metrics=metrics, level=0.95).frame()
    assert frame["best"].to_list() == [None, None]
    assert "best" not in summary.models(Y_TRUE, {"good": GOOD}, metrics=metrics, level=0.95).frame()


def test_groups_are_drawn_whole_for_models_and_labels_too():
    found = interval(label_based.f1, Y_TRUE, FAIR, groups=PATIENTS)
    drawn = {"level": 0.95, "groups": PATIENTS}
    shown = summary.models(Y_TRUE, {"a": FAIR}, metrics=[label_based.f1], **drawn).frame()
    assert shown.iloc[0, :3].to_list() == list(found[:3])
    row = summary.labels(Y_TRUE, FAIR, **drawn).frame().loc["macro"]
    assert [row["F1"], row["F1 low"], row["F1 high"]] == list(found[:3])


def test_usual_metrics_read_what_the_predictions_are_and_without_a_level_nobody_is_best():
    sets = summary.models(Y_TRUE, {"good": GOOD == 1, "poor": POOR}).frame()
    assert list(sets.columns) == ["good", "poor"] and "macro AP" not in sets.index
    assert sets.loc["samples F1", "good"] == example_based.f1(Y_TRUE, GOOD)
    scored = summary.models(Y_TRUE, {"a": SCORE, "b": -SCORE}).frame()
    assert scored.loc["ranking loss ↓", "b"] == ranking.ranking_loss(Y_TRUE, -SCORE)
    micro, macro, *others = scored.index
    assert (micro, macro) == ("micro AP", "macro AP")
    assert others == ["macro AUROC", "average precision", "ranking loss ↓", "one-error ↓"]


# ---------------------------------------------------------------------------- groups


@pytest.mark.parametrize(
    ("metric", "worst", "level"),
    [(label_based.f1, min, None), (hamming.hamming_loss, max, 0.95)],
)
def test_groups_are_their_samples_alone(metric, worst, level):
    years = RNG.choice([2019, 2020, 2003], 60)
    weight = RNG.random(60)
    found = summary.subgroups(
        partial(metric, sample_weight=weight), Y_TRUE, FAIR, years, level=level
    )
    frame, value = found.frame(), found.frame().columns[1]
    assert list(frame.index) == ["2003", "2019", "2020", "all"]  # not as they occur
    for year in (2003, 2019, 2020, None):
        rows = np.flatnonzero(years == year) if year else np.arange(60)
        alone = partial(metric, sample_weight=weight[rows]), Y_TRUE[rows], FAIR[rows]
        numbers = interval(*alone)[:3] if level else [alone[0](*alone[1:])]
        row = frame.loc[str(year or "all")].to_list()
        assert row[: len(numbers) + 1] == pytest.approx([len(rows), *numbers])
    marked = frame[frame["worst"] == "yes"][value]
    assert marked.to_list() == [worst(frame[value].iloc[:3])]


def test_inside_a_group_patients_are_drawn_whole(snapshot):
    years, drawn = np.repeat([2019, 2020], [36, 24]), {"level": 0.95, "groups": PATIENTS}
    found = summary.subgroups(label_based.f1, Y_TRUE, FAIR, years, **drawn)
    assert repr(found).splitlines()[0] == snapshot
    for year, rows in (("2019", slice(36)), ("2020", slice(36, 60)), ("all", slice(60))):
        alone = interval(label_based.f1, Y_TRUE[rows], FAIR[rows], groups=PATIENTS[rows])
        assert found.frame().loc[year].iloc[1:4].to_list() == pytest.approx(list(alone[:3]))
    one = summary.subgroups(label_based.f1, Y_TRUE, FAIR, PATIENTS, **drawn)
    assert one.frame().iloc[:-1, 2].isna().all()  # one patient has no interval


def test_a_group_without_a_value_is_not_the_worst():
    groups = ["one", "none", "none", *["many"] * 57]
    y_true = Y_TRUE.copy()
    y_true[:3] = [[1, 1, 0], [0, 0, 0], [0, 0, 0]]
    metric = partial(label_based.recall, zero_division=math.nan)
    found = summary.subgroups(metric, y_true, np.ones_like(y_true), groups, level=0.95).frame()
    assert found.index[found["macro recall, zero_division=nan"].isna()].to_list() == ["none"]
    assert np.isnan(found.iloc[2, 2]) and found.iloc[0, 2] == 1  # one sample has no interval
    assert found["worst"].to_dict() == {"many": "yes", "none": "", "one": "yes", "all": ""}
