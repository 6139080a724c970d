"""Facts of notebook 00: sets and matrices, the four outcomes of a cell, three metrics called accuracy."""

from fractions import Fraction as F
from functools import partial
from math import isclose

import facts
import numpy as np
import pytest
import worlds
from facts import always, cells_right, rows, rows_right, tally
from sklearn.metrics import accuracy_score, multilabel_confusion_matrix
from sklearn.preprocessing import MultiLabelBinarizer

from mlm_course import documents, figures
from mlm_helpers import conventions, exact_match, example_based

shown, said = partial(facts.shown, "00_start_here"), partial(facts.said, "00_start_here")
TRUTH, MODEL = documents.SKLEARN_GUIDE.y_true, documents.SKLEARN_GUIDE.y_pred
SECOND = [[0, 1, 0, 0], [0, 1, 0, 0], [1, 0, 1, 0]]  # the second model of "Choose"


def overlaps(y_true, y_pred):
    each = [tally(t, p) for t, p in zip(y_true, y_pred, strict=True)]
    return [F(tp, tp + fp + fn) if tp + fp + fn else F(1) for tp, fp, fn, _ in each]


def overlap(y_true, y_pred):
    """Where both are empty they are equal: 1."""
    return sum(overlaps(y_true, y_pred)) / len(y_true)


# ---------------------------------------------------------------------------- sets and matrices


def test_every_row_of_a_label_matrix_is_another_set():
    binarizer = MultiLabelBinarizer(classes=range(4)).fit([])
    back = binarizer.inverse_transform(np.array(worlds.rows(4)))
    assert len(set(back)) == 2**4


def test_a_binarizer_with_classes_keeps_their_order():
    """And gives the tags of a sample back in that order."""
    binarizer = MultiLabelBinarizer(classes=["dog", "sun", "sea"])
    matrix = binarizer.fit_transform([["sea", "dog"], ["sun"]])
    assert matrix.tolist() == [[1, 0, 1], [0, 1, 0]]
    assert binarizer.inverse_transform(matrix) == [("dog", "sea"), ("sun",)]


def test_a_binarizer_without_classes_has_the_tags_that_occur_in_alphabetical_order():
    assert MultiLabelBinarizer().fit([["sun", "people"], ["sea"]]).classes_.tolist() == [
        "people", "sea", "sun",
    ]  # fmt: skip
    assert said("00-34") == "['people' 'sea' 'sun']\n"


def test_two_binarizers_can_make_different_sets_equal():
    sets = [["sea"], ["sun"]], [["dog"], ["sun"]]
    apart = [MultiLabelBinarizer().fit_transform(s).tolist() for s in sets]
    one = MultiLabelBinarizer(classes=["dog", "sun", "sea"])
    together = [one.fit_transform(s).tolist() for s in sets]
    assert apart[0] == apart[1]
    assert rows_right(*together) == F(1, 2)
    assert (said("00-40"), said("00-42")) == ("accuracy: 1.0\n", "accuracy: 0.5\n")


def test_the_photos_of_the_picture_are_those_of_the_matrix():
    assert "Photo 1: sun, people; photo 2: sun, sea; photo 3: dog, sea, people" in said("00-04")
    assert TRUTH == [[0, 1, 0, 1], [0, 1, 1, 0], [1, 0, 1, 1]]  # dog, sun, sea, people
    assert said("00-06").startswith(str(np.array(TRUTH)))
    assert "[('sun', 'people'), ('sun', 'sea'), ('dog', 'sea', 'people')]" in said("00-06")


# ---------------------------------------------------------------------------- the four outcomes


def test_hit_false_alarm_miss_and_dot_are_tp_fp_fn_and_tn():
    """Scikit-learn's table is [[TN, FP], [FN, TP]]."""
    place = {"rightly left out": (0, 0), "false alarm": (0, 1), "miss": (1, 0), "hit": (1, 1)}
    for mark, (t, p) in zip(figures.MARKS, [(0, 0), (0, 1), (1, 0), (1, 1)], strict=True):
        table = multilabel_confusion_matrix([[t, 1]], [[p, 1]])[0]
        assert table[place[mark.word]] == 1 == table.sum()


def test_the_outcomes_of_the_photos():
    """Of prediction [[0,1,1,0], [0,1,1,0], [0,1,0,1]]."""
    assert (
        "Photo 1: hit sun, false alarm sea, miss people; photo 2: hit sun and sea; "
        "photo 3: hit people, false alarm sun, miss dog and sea." in said("00-08")
    )
    counts = [tally(*rows) for rows in zip(TRUTH, MODEL, strict=True)]
    assert counts == [(1, 1, 1, 1), (2, 0, 0, 2), (1, 1, 2, 0)]
    assert shown("00-explore")["photo 3"]["people"] == "✓ hit"
    assert shown("00-explore")["photo 1"]["people"] == "○ miss"


def test_the_four_counts_give_the_share_of_right_cells_and_neither_other_accuracy():
    for accuracy, known in ((rows_right, False), (overlap, False), (cells_right, True)):
        values = {}
        for t, p in worlds.worlds(2, 2):
            values.setdefault(tally(sum(t, ()), sum(p, ())), set()).add(accuracy(t, p))
        assert (max(map(len, values.values())) == 1) is known


# ---------------------------------------------------------------------------- three accuracies


def test_accuracy_score_is_exact_match_on_label_matrices():
    always(
        lambda y_true, y_pred: isclose(accuracy_score(y_true, y_pred), rows_right(y_true, y_pred))
    )


def test_exact_match_is_the_strictest_of_the_three():
    always(
        lambda y_true, y_pred: (
            rows_right(y_true, y_pred) <= min(overlap(y_true, y_pred), cells_right(y_true, y_pred))
        )
    )


def test_one_model_has_three_accuracies():
    accuracies = [of(TRUTH, MODEL) for of in (rows_right, overlap, cells_right)]
    assert accuracies == [F(1, 3), F(19, 36), F(7, 12)]
    assert shown("00-22") == rows(
        ("by hand", "our helper"),
        ("photos entirely right", F(1, 3), 1 / 3),
        ("overlap in each photo", F(19, 36), 19 / 36),
        ("cells right", F(7, 12), 7 / 12),
    )
    assert said("00-12") == "[False, True, False]\n1/3 ≈ 0.3333\n"
    assert said("00-14") == "0.3333\n"
    assert said("00-16") == "1/3 1 1/4\n19/36 ≈ 0.5278\n"
    assert said("00-19") == "7/12 ≈ 0.5833\n"
    bars = (
        "photos entirely right 1/3 ≈ 0.333; overlap in each photo 19/36 ≈ 0.528; cells right 7/12"
    )
    assert bars in said("00-23")


@pytest.mark.parametrize(
    ("metric", "tool", "word"),
    [
        (exact_match.subset_accuracy, "scikit-learn", "accuracy_score"),
        (example_based.accuracy, "partial_credit", "準確率 Accuracy"),
        (example_based.accuracy, "Spark MLlib", "accuracy"),
        (example_based.accuracy, "MULAN", "Example-Based Accuracy"),
    ],
)
def test_who_calls_what_accuracy(metric, tool, word):
    assert conventions.names(metric)[tool] == word


@pytest.mark.parametrize("tool", ["torchmetrics", "keras"])
def test_who_calls_right_cells_accuracy(tool):
    call = conventions.TOOLS[tool].metrics[conventions.LABEL_WISE].call
    assert call.lower().endswith("accuracy")


def test_the_second_model_has_more_right_cells_and_no_photo_entirely_right():
    assert overlaps(TRUTH, SECOND) == [F(1, 2), F(1, 2), F(2, 3)]  # mean 5/9
    assert (rows_right(TRUTH, SECOND), cells_right(TRUTH, SECOND)) == (0, F(9, 12))
    assert shown("00-44") == rows(
        ("photos entirely right", "overlap in each photo", "cells right"),
        ("first model", 1 / 3, 19 / 36, 7 / 12),
        ("second model", 0, 5 / 9, 9 / 12),
    )


def test_the_documents_and_their_languages():
    languages = {title: row["language"] for title, row in shown("00-28").items()}
    assert languages["多ラベル分類の評価指標について"] == "ja"
    assert languages["多标签分类评价指标介绍（一）"] == "zh-CN"
