"""Facts of notebook 01: all or nothing, what others call it, and what more labels do to it."""

import contextlib
from fractions import Fraction as F
from functools import partial
from math import floor, isclose

import facts
import numpy as np
import pytest
import sklearn.metrics as skm
from facts import always, cells_right, decimal, rows, rows_right, sometimes

from mlm_course.disagreement import smallest_disagreement
from mlm_course.documents import SKLEARN_GUIDE as GUIDE
from mlm_helpers import conventions, example_based
from mlm_helpers.exact_match import subset_accuracy
from mlm_helpers.hamming import hamming_loss

shown, said = partial(facts.shown, "01_exact_match"), partial(facts.said, "01_exact_match")
DATA = GUIDE.y_true, GUIDE.y_pred  # rows right: 1 of 3; cells wrong: 2, 0 and 3 of 4


def wrong_labels(y_true, y_pred):
    return [sum(map(int.__ne__, t, p)) for t, p in zip(y_true, y_pred, strict=True)]


# ---------------------------------------------------------------------------- all or nothing


def test_a_row_is_worth_1_or_nothing():
    def all_or_nothing(y_true, y_pred):
        values = subset_accuracy(y_true, y_pred, per_sample=True)
        return values.tolist() == (y_true == y_pred).all(axis=1).tolist()

    always(all_or_nothing)
    assert said("01-15") == "[0. 1. 0.]\n"


def test_exact_match_of_the_guide_by_hand():
    assert (rows_right(*DATA), wrong_labels(*DATA)) == (F(1, 3), [2, 0, 3])
    outcomes = "Sample 1: hit label 2, false alarm label 3, miss label 4; sample 2: hit label 2 and label 3"
    assert outcomes in said("01-03")
    assert said("01-07") == "[False, True, False]\n1/3 ≈ 0.3333\n"
    assert said("01-12") == "2/3 ≈ 0.6667\ntogether: 1\n"
    assert shown("01-10", table=1)["3"] == {"wrong labels": "{1, 2, 3}", "value": "0"}
    assert shown("01-10", table=1)["2"] == {"wrong labels": "∅", "value": "1"}
    assert shown("01-14") == rows(
        ("by hand", "our helper", "scikit-learn"),
        ("exact match", F(1, 3), 1 / 3, 1 / 3),
        ("zero-one loss", F(2, 3), 2 / 3, 2 / 3),
    )


def test_not_exactly_right_is_not_completely_wrong():
    assert said("01-21").splitlines() == [
        "wrong labels in each sample: [2, 0, 3]",
        "samples with a wrong label: 2",
        "samples with only wrong labels: 0",
    ]


def test_the_document_cuts_its_loss_off():
    (printed,) = (v for v in GUIDE.published if v.metric == "exact_match.zero_one_loss")
    assert printed.printed == "0.66666" == f"{floor(F(2, 3) * 10**5) / 10**5}" != f"{2 / 3:.5f}"


# ---------------------------------------------------------------------------- names


@pytest.mark.parametrize(
    ("where", "name"),
    [
        ("scikit-learn", "accuracy_score"),
        ("torchmetrics", "MultilabelExactMatch"),
        ("MULAN", "Subset Accuracy"),
        ("untitled note, zh-CN", "Subset Accuracy"),
    ],
)
def test_what_others_call_exact_match(where, name):
    assert shown("01-24")[where] == {"its name": name}
    assert conventions.names(subset_accuracy).get(where, name) == name


def test_three_answers_a_sample_one_of_them_wrong():
    truth, predicted = [[1, 0, 0], [0, 0, 1], [1, 1, 0]], [[0, 0, 0], [0, 1, 1], [0, 1, 0]]
    assert wrong_labels(truth, predicted) == [1, 1, 1]
    assert said("01-26") == "accuracy_score: 0.0\nright cells: 6/9 ≈ 0.667\n"


def test_only_exact_match_and_zero_one_loss_add_up_to_1():
    """On the document: exact match 1/3, Jaccard 19/36; losses 2/3 and 5/12."""
    assert shown("01-29") == rows(
        ("plus zero-one loss", "plus Hamming loss"),
        ("exact match", 1, 1 / 3 + 5 / 12),
        ("Jaccard", 19 / 36 + 2 / 3, 19 / 36 + 5 / 12),
    )
    sometimes(
        lambda y_true, y_pred: subset_accuracy(y_true, y_pred) + hamming_loss(y_true, y_pred) < 0.9
    )


def test_scikit_learn_has_no_partner_of_hamming_loss():
    """None of its functions of label matrices is the share of right cells."""
    data = np.random.default_rng(0).integers(2, size=(2, 30, 4))  # too many cells for chance
    for name, metric in vars(skm).items():
        for options in ({}, {"average": "samples"}, {"average": "macro"}, {"average": "micro"}):
            with contextlib.suppress(TypeError, ValueError, AttributeError, Warning):
                value = metric(*data, **options)
                assert not isinstance(value, float) or not isclose(value, cells_right(*data)), name


# ---------------------------------------------------------------------------- almost right


def test_almost_right_is_worth_as_little_as_all_wrong():
    always(
        lambda y_true, y_pred: (subset_accuracy(y_true, y_pred) == 0) == (y_true != y_pred).any(),
        ((1, 3),),
    )
    wrong = ("[1, 0]", 1 / 2, 0), ("[0, 0]", 1, 0)
    assert shown("01-32") == rows(("Hamming loss", "exact match"), *wrong)
    assert "J, 1 wrong → 0; all wrong: false alarm B, D, E, G, H and I, miss A" in said("01-34")


def test_exact_match_and_hamming_loss_part_on_six_cells_and_no_fewer():
    """First: one row right, the other all wrong. Second: a mistake in each row."""
    found = smallest_disagreement(subset_accuracy, hamming_loss)
    shares = [
        (rows_right(found.y_true, one), cells_right(found.y_true, one))
        for one in (found.first, found.second)
    ]
    assert shares == [(F(1, 2), F(1, 2)), (0, F(2, 3))]
    for shape in ((1, 5), (5, 1), (2, 2)):
        sizes = dict(zip(("max_samples", "max_labels"), shape, strict=True))
        assert smallest_disagreement(subset_accuracy, hamming_loss, **sizes) is None
    assert (
        "Subset accuracy ↑  first 1/2 = 0.5, second 0: prefers the first. "
        "Hamming loss ↓  first 1/2 = 0.5, second 1/3 ≈ 0.333: prefers the second." in said("01-36")
    )


# ---------------------------------------------------------------------------- more labels


def test_exact_match_never_rises_when_a_label_is_added():
    always(
        lambda y_true, y_pred: (
            subset_accuracy(y_true, y_pred) <= subset_accuracy(y_true[:, :-1], y_pred[:, :-1])
        ),
        ((2, 2), (1, 3)),
    )


def test_independent_mistakes_multiply():
    """Of samples numbered 0 to 10^L − 1, label k is wrong where digit k is a 0."""
    for n_labels in (1, 2, 3, 4):
        numbers = [f"{n:0{n_labels}}" for n in range(10**n_labels)]
        share = F(sum("0" not in number for number in numbers), len(numbers))
        assert share == F(9, 10) ** n_labels
        row = shown("01-39")[str(n_labels)]
        assert row == {"right on all of them": str(share), "as a decimal": decimal(share, 4)}
    bars = [f"{n} labels {decimal(F(9, 10) ** n)}" for n in (2, 5, 6, 7, 10, 20, 50)]
    assert "; ".join(bars) in said("01-41")
    assert F(9, 10) ** 6 > F(1, 2) > F(9, 10) ** 7


def test_mistakes_that_come_together_cost_no_more_than_one():
    truth, together = np.zeros((2, 10, 20), int)
    together[0] = 1
    assert subset_accuracy(truth, together) == 0.9
    assert said("01-43") == "0.9\n"


def test_an_empty_sample_rightly_left_empty_is_right():
    """F1 counts it 0 by default: a perfect prediction of two samples, one of them empty, has one half."""
    perfect = [[1, 0, 0], [0, 0, 0]]
    assert (subset_accuracy(perfect, perfect), example_based.f1(perfect, perfect)) == (1, 1 / 2)
    assert said("01-46") == "exact match: 1.0\nmean F1 of the samples: 0.5\n"


# ---------------------------------------------------------------------------- the ladder


def test_two_cells_must_change_to_double_the_exact_match_of_the_document():
    for i, j in np.ndindex(3, 4):
        mended = np.array(GUIDE.y_pred)
        mended[i, j] ^= 1
        assert rows_right(GUIDE.y_true, mended) < F(2, 3)
    assert rows_right(GUIDE.y_true, [[0, 1, 0, 1], *GUIDE.y_pred[1:]]) == F(2, 3)
    assert said("01-54") == "exact match: 0.667\n"


def test_flat_lists_have_a_sample_for_each_cell():
    flat = [np.ravel(matrix) for matrix in DATA]
    assert isclose(skm.accuracy_score(*flat), cells_right(*DATA))
    assert said("01-61") == "exact match: 0.583\n"
    assert said("01-63") == "equal cells: 7/12\nequal rows: 1/3\n"


def test_a_model_of_more_labels_can_be_better_on_two_of_them():
    """Wrong rows: 2 of 5 and 3 of 5; of A and B alone the second has 1."""
    lines = ("model one, A and B: 0.6", "model two, A to D: 0.4", "model two, A and B: 0.8")
    assert said("01-65").splitlines() == [*lines]
