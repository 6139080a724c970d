"""Tables of labels, models and groups: against a pencil, scikit-learn, and the intervals one by one."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
import pandas
import pytest
from sklearn.metrics import precision_recall_fscore_support

from mlm_helpers import curves, data, example_based, hamming, label_based, ranking, summary
from mlm_helpers.uncertainty import compare, interval

RNG = np.random.default_rng(0)
Y_TRUE = (RNG.random((60, 3)) < 0.4).astype(int)


def noisy(share, seed):
    """The truth with a share of its cells turned."""
    turned = np.random.default_rng(seed).random(Y_TRUE.shape) < share
    return np.where(turned, 1 - Y_TRUE, Y_TRUE)


GOOD, FAIR, POOR = noisy(0.05, 1), noisy(0.2, 2), noisy(0.4, 3)
SCORE = FAIR + RNG.random(Y_TRUE.shape)


# ---------------------------------------------------------------------------- labels


def test_labels_of_three_samples_by_hand():
    """The label "sky" is never true, "sea" is never predicted."""
    columns = ["cat", "sea", "sky"]
    y_true = pandas.DataFrame([[1, 0, 0], [1, 1, 0], [0, 1, 0]], columns=columns)
    y_pred = pandas.DataFrame([[1, 0, 0], [1, 0, 0], [1, 0, 0]], columns=columns)
    y_score = [[0.9, 0.1, 0.5], [0.2, 0.2, 0.5], [0.5, 0.3, 0.5]]
    shown = summary.labels(y_true, y_pred, y_score=y_score)
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
    assert "–: 0/0, which counts 0 in a macro average" in repr(shown)
    assert "sky    0        0   0   0   –          –       –      –" in repr(shown)


def test_labels_are_those_of_scikit_learn():
    shown = summary.labels(Y_TRUE, FAIR).frame()
    theirs = precision_recall_fscore_support(Y_TRUE, FAIR)
    assert np.allclose(shown.iloc[:3][["precision", "recall", "F1", "support"]].T, theirs)
    for average in ("macro", "micro"):
        theirs = precision_recall_fscore_support(Y_TRUE, FAIR, average=average)[:3]
        assert np.allclose(shown.loc[average, ["precision", "recall", "F1"]], theirs)


def test_intervals_of_labels_are_those_of_their_columns():
    names = ["cat", "sea", "sky"]
    shown = summary.labels(Y_TRUE, FAIR, y_score=SCORE, labels=names, level=0.9).frame()
    for metric, column, other in (
        (label_based.f1, "F1", FAIR),
        (curves.average_precision, "AP", SCORE),
    ):
        ends = [column, f"{column} low", f"{column} high"]
        for j, name in enumerate(names):
            found = interval(metric, Y_TRUE[:, [j]], other[:, [j]], level=0.9)
            assert shown.loc[name, ends].to_list() == pytest.approx(found[:3])
        for average in ("macro", "micro"):
            found = interval(partial(metric, average=average), Y_TRUE, other, level=0.9)
            assert shown.loc[average, ends].to_list() == pytest.approx(found[:3])


def test_labels_of_known_cells_alone():
    partly = Y_TRUE.copy()
    partly[:20, 0] = -1
    shown = summary.labels(data.unknown(partly), FAIR)
    assert f" 20 of {partly.size} cells are unknown, and left out." in repr(shown)
    shown = shown.frame()
    alone = summary.labels(Y_TRUE[20:, [0]], FAIR[20:, [0]]).frame()
    assert shown.loc["0"].to_list() == alone.loc["0"].to_list()


# ---------------------------------------------------------------------------- models


@pytest.mark.parametrize(("predictions", "ahead"), [
    ({"good": GOOD, "fair": FAIR, "poor": POOR}, "good"),
    ({"poor": POOR, "fair": FAIR, "good": GOOD}, "good"),
    ({"good": GOOD, "twin": GOOD, "poor": POOR}, None),
    ({"fair": FAIR, "other": noisy(0.2, 8), "poor": POOR}, None),
    ({"good": GOOD}, None),
])  # fmt: skip
def test_the_best_is_named_where_its_lead_over_every_other_is_sure(predictions, ahead):
    metrics = [label_based.f1, hamming.hamming_loss, lambda t, p: float((t == p).mean())]
    shown = summary.models(Y_TRUE, predictions, metrics=metrics, level=0.95)
    for metric, row in zip(metrics, shown.frame().itertuples(index=False), strict=True):
        values = dict(zip(shown.frame().columns, row, strict=True))
        for name, other in predictions.items():
            found = interval(metric, Y_TRUE, other)
            assert [values[name], values[f"{name} low"], values[f"{name} high"]] == list(found[:3])
        assert values.get("best") == ahead
        if ahead:
            for name in predictions.keys() - {ahead}:
                low, high = compare(metric, Y_TRUE, predictions[ahead], predictions[name])[0][1:3]
                assert low > 0 or high < 0
    assert "Hamming loss ↓" in shown.frame().index and "<lambda>" in shown.frame().index


def test_groups_are_drawn_whole_for_models_too():
    patients = np.arange(60) // 6
    shown = summary.models(
        Y_TRUE, {"a": FAIR}, metrics=[label_based.f1], level=0.95, groups=patients
    )
    found = interval(label_based.f1, Y_TRUE, FAIR, groups=patients)
    assert shown.frame().iloc[0, :3].to_list() == list(found[:3])


def test_groups_are_drawn_whole_for_labels_too():
    patients = np.arange(60) // 6
    shown = summary.labels(Y_TRUE, FAIR, level=0.95, groups=patients)
    found = interval(label_based.f1, Y_TRUE, FAIR, groups=patients)
    row = shown.frame().loc["macro"]
    assert [row["F1"], row["F1 low"], row["F1 high"]] == list(found[:3])
    assert "10 groups of samples (so few make intervals too narrow) drawn whole" in repr(shown)
    assert "too narrow" not in repr(
        summary.labels(Y_TRUE, FAIR, level=0.95, groups=np.arange(60) // 2)
    )


def test_without_a_level_nobody_is_best():
    shown = summary.models(Y_TRUE, {"good": GOOD, "poor": POOR})
    assert list(shown.frame().columns) == ["good", "poor"]
    assert shown.frame().loc["samples F1", "good"] == example_based.f1(Y_TRUE, GOOD)


def test_usual_metrics_read_what_the_predictions_are():
    scored = summary.models(Y_TRUE, {"a": SCORE, "b": -SCORE}).frame()
    assert scored.loc["ranking loss ↓", "b"] == ranking.ranking_loss(Y_TRUE, -SCORE)
    assert "macro AP" in scored.index and "macro F1" not in scored.index
    assert "macro F1" in summary.models(Y_TRUE, {"a": GOOD == 1}).frame().index


# ---------------------------------------------------------------------------- groups


@pytest.mark.parametrize(("metric", "worst"), [(label_based.f1, min), (hamming.hamming_loss, max)])
def test_groups_are_their_samples_alone(metric, worst):
    years = RNG.choice([2019, 2020, 2003], 60)
    weight = RNG.random(60)
    found = summary.groups(partial(metric, sample_weight=weight), Y_TRUE, FAIR, years, level=0.95)
    frame, value = found.frame(), found.frame().columns[1]
    assert list(frame.index) == ["2003", "2019", "2020", "all"]  # not as they occur
    for year in (2003, 2019, 2020, None):
        rows = np.flatnonzero(years == year) if year else np.arange(60)
        alone = interval(partial(metric, sample_weight=weight[rows]), Y_TRUE[rows], FAIR[rows])
        row = frame.loc[str(year or "all")]
        assert row.iloc[:4].to_list() == pytest.approx([len(rows), *alone[:3]])
    marked = frame[frame["worst"] == "yes"][value]
    assert marked.to_list() == [worst(frame[value].iloc[:3])]


def test_inside_a_group_patients_are_drawn_whole():
    years, patients = np.repeat([2019, 2020], [36, 24]), np.arange(60) // 6
    found = summary.groups(
        label_based.f1, Y_TRUE, FAIR, years, level=0.95, together=patients
    ).frame()
    for year, rows in (("2019", slice(36)), ("2020", slice(36, 60)), ("all", slice(60))):
        alone = interval(label_based.f1, Y_TRUE[rows], FAIR[rows], groups=patients[rows])
        assert found.loc[year].iloc[1:4].to_list() == pytest.approx(list(alone[:3]))
    one = summary.groups(label_based.f1, Y_TRUE, FAIR, patients, level=0.95, together=patients)
    assert one.frame().iloc[:-1, 2].isna().all()  # one patient has no interval


def test_a_group_without_a_value_is_not_the_worst():
    groups = ["one", "none", "none", *["many"] * 57]
    y_true = Y_TRUE.copy()
    y_true[:3] = [[1, 1, 0], [0, 0, 0], [0, 0, 0]]
    metric = partial(label_based.recall, zero_division=math.nan)
    found = summary.groups(metric, y_true, np.ones_like(y_true), groups, level=0.95).frame()
    assert found["macro recall, zero_division=nan"].isna().to_dict() == {
        "many": False, "none": True, "one": False, "all": False}  # fmt: skip
    assert np.isnan(found.iloc[2, 2]) and found.iloc[0, 2] == 1  # one sample has no interval
    assert found["worst"].to_dict() == {"many": "yes", "none": "", "one": "yes", "all": ""}


# ---------------------------------------------------------------------------- what is said


def test_bad_input_gets_a_sentence():
    f1 = [label_based.f1]
    for call, sentence in (
        (lambda: summary.labels(Y_TRUE, GOOD[:5]), r"y_pred has shape \(5, 3\)"),
        (lambda: summary.labels(Y_TRUE, GOOD, y_score=SCORE[:5]), r"y_score has shape \(5, 3\)"),
        (lambda: summary.labels(Y_TRUE, GOOD, labels=["a"]), "labels has 1 names"),
        (lambda: summary.labels(Y_TRUE, GOOD, level=95), "level is 95"),
        (lambda: summary.models(Y_TRUE, GOOD), "predictions is array.*: give a dict"),
        (lambda: summary.models(Y_TRUE, {}), "predictions is {}: give a dict"),
        (lambda: summary.models(Y_TRUE, {"a": GOOD[:5]}), r"predictions\['a'\] has shape"),
        (lambda: summary.models(Y_TRUE, {"a": GOOD, "b": SCORE}), "predictions hold label sets and scores: give one kind"),
        (lambda: summary.models(Y_TRUE, {"a": SCORE}, metrics=f1), r"predictions\['a'\] holds the score"),
        (lambda: summary.models(Y_TRUE, {"a": GOOD}, metrics=[partial(label_based.f1, average=None)]), "average is None"),
        (lambda: summary.models(Y_TRUE, {"a": GOOD}, level=0), "level is 0"),
        (lambda: summary.models(Y_TRUE, {"a": GOOD}, metrics=["f1"]), "metric is 'f1'"),
        (lambda: summary.groups(label_based.f1, Y_TRUE, GOOD, ["a"]), "groups has 1 values for 60"),
        (lambda: summary.groups(label_based.f1, Y_TRUE, GOOD, ["a"] * 60, together=[1]), "together has 1 values for 60"),
        (lambda: summary.groups(label_based.f1, Y_TRUE, GOOD, ["a"] * 60, level=2), "level is 2"),
        (lambda: summary.groups(label_based.f1, Y_TRUE, SCORE, ["a"] * 60), "y_other holds the score"),
    ):  # fmt: skip
        with pytest.raises((ValueError, TypeError), match=sentence):
            call()
