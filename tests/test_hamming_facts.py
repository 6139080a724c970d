"""Facts of notebook 03: every cell counts, what a loss of nothing said is, and its bound."""

from fractions import Fraction as F
from functools import partial
from math import isclose

import facts
import numpy as np
from facts import always, cells_right, rows, rows_right, sometimes, tally

from mlm_course import documents
from mlm_course.disagreement import smallest_disagreement
from mlm_helpers import conventions, example_based
from mlm_helpers.exact_match import zero_one_loss
from mlm_helpers.hamming import hamming_loss

shown, said = partial(facts.shown, "03_hamming_loss"), partial(facts.said, "03_hamming_loss")
GUIDE, RANKING = documents.SKLEARN_GUIDE, documents.RANKING
DATA = GUIDE.y_true, GUIDE.y_pred


def nothing(y_true):
    return np.zeros(np.shape(y_true), int)


# ---------------------------------------------------------------------------- every cell counts


def test_a_dot_counts_as_much_as_a_hit():
    def holds(y_true, y_pred):
        """Each hit becomes a dot, each dot a hit."""
        right = y_true == y_pred
        other = np.where(right, 1 - y_true, y_true), np.where(right, 1 - y_pred, y_pred)
        return hamming_loss(y_true, y_pred) == hamming_loss(*other)

    always(holds)


def test_rows_first_columns_first_or_all_at_once_is_one_hamming_loss():
    def holds(y_true, y_pred):
        wrong = y_true != y_pred
        ways = wrong.mean(axis=1).mean(), wrong.mean(axis=0).mean(), wrong.mean()
        return np.allclose(ways, hamming_loss(y_true, y_pred))

    always(holds)
    assert said("03-13") == "rows: 1/2 0 3/4 → mean 5/12\ncolumns: 1/3 1/3 2/3 1/3 → mean 5/12\n"


def test_hamming_loss_is_0_for_a_perfect_prediction_alone():
    always(lambda y_true, y_pred: (hamming_loss(y_true, y_pred) == 0) == (y_true == y_pred).all())


def test_hamming_loss_of_the_guide_by_hand():
    """Cells wrong: 2, 0 and 3 of 4."""
    assert cells_right(*DATA) == 1 - F(2 + 0 + 3, 3 * 4)
    for cell in ("03-03", "03-09"):
        assert "Sample 1: hit label 2, false alarm label 3, miss label 4; sample 2" in said(cell)
    assert said("03-03").startswith("Accuracy (Jaccard)")
    assert "all cells together: 5/12" in said("03-09")
    assert said("03-07") == "wrong cells in each row: [2, 0, 3]\nall cells: 3 × 4 = 12\n"
    assert said("03-08") == "5/12 ≈ 0.4167\n"
    assert said("03-16") == "0.4167\n[0.5  0.   0.75]\n0.4167\n"
    assert [*shown("03-18", table=1)["3"].values()] == ["1", "1", "2", "3/4", "3/4"]


def test_the_document_cuts_its_hamming_loss_off():
    """Of 5/12 it prints the first four digits; rounded, the last is a 7."""
    assert shown("03-21", names=2) == rows(
        ("exactly", "rounded"),
        ("main", "5/12", F(5, 12), 5 / 12),
        ("main", "0.4166", F(5, 12), 5 / 12),
        ("all zeros", "0.75", F(3, 4), 3 / 4),
        names=2,
        places=4,
    )


# ---------------------------------------------------------------------------- the other side


def test_label_wise_accuracy_pays_in_rows_with_mistakes_too():
    """Right cells: 2, 4 and 1; right samples: the second."""
    assert (cells_right(*DATA), rows_right(*DATA)) == (F(2 + 4 + 1, 12), F(1, 3))
    assert said("03-24").startswith(
        "right cells in each row: [2, 4, 1] together 7\nsamples predicted right: 1"
    )
    assert said("03-25") == "Accuracy 7/12\nAccuracy + Hamming loss = 1\nSubset Accuracy 1/3\n"


def test_two_numbers_are_called_hamming_score():
    """MEKA's is 1 − Hamming loss, the document's is intersection over union."""
    assert conventions.TOOLS["MEKA"].metrics[conventions.LABEL_WISE].call == "Hamming score"
    scores = {v.metric: v.value for v in GUIDE.published if v.of.startswith("Hamming score")}
    assert scores == {"example_based.accuracy": F(19, 36)}
    assert shown("03-28") == rows(
        ("exactly", "rounded"),
        ("intersection over union per sample", F(19, 36), 19 / 36),
        ("1 − Hamming loss", F(7, 12), 7 / 12),
        places=4,
    )


# ---------------------------------------------------------------------------- two models


def test_models_of_the_same_labels_have_the_same_hamming_loss():
    """Truth sport and entertainment, predicted geography and entertainment; scores as documented."""
    one, two = (RANKING.examples[f"model {name}"] for name in ("one", "two"))
    assert one.y_pred == two.y_pred and one.y_score != two.y_score
    assert said("03-31").splitlines() == [
        "model one scores [0.3, 0.4, 0.5, 0.1, 0.15] Hamming loss 2/5",
        "model two scores [0.3, 0.4, 0.6, 0.1, 0.35] Hamming loss 2/5",
        "same prediction: True",
    ]
    assert "hit entertainment, false alarm geography, miss sport; all cells" in said("03-32")


# ---------------------------------------------------------------------------- saying nothing


def test_the_loss_of_predicting_nothing_is_the_label_density():
    always(lambda y_true, y_pred: isclose(hamming_loss(y_true, nothing(y_true)), y_true.mean()))
    assert shown("03-40") == rows(
        ("density", "loss of predicting nothing"),
        ("main", F(7, 12), 7 / 12),  # 2 + 2 + 3 true cells
        ("all zeros", F(3, 4), 3 / 4),
        ("sparse", F(1, 3), 1 / 3),
        places=4,
    )
    assert not np.any(GUIDE.examples["all zeros"].y_pred)
    assert "Sample 1: miss label 2; sample 2: miss label 1 and label 2; all cells" in said("03-20")


def test_seven_cells_are_true_and_seven_are_right_by_chance():
    assert np.sum(DATA[0]) == 7 == 12 * cells_right(*DATA)
    sometimes(lambda y_true, y_pred: y_true.sum() != (y_true == y_pred).sum())
    assert said("03-41") == "loss of the model: 5/12\ntrue cells: 7 right cells: 7\n"


def test_where_a_label_of_three_is_true_silence_beats_saying_all():
    """And with one of two they tie."""
    silent, loud = (hamming_loss([[1, 0, 0]], [[said] * 3]) for said in (0, 1))
    assert (silent, loud) == (1 / 3, 2 / 3)
    assert hamming_loss([[1, 0]], [[0, 0]]) == hamming_loss([[1, 0]], [[1, 1]])
    assert "Says nothing: miss label 1, 1/3; says all: hit label 1, false alarm" in said("03-35")


def test_where_labels_are_rare_silence_has_next_to_no_loss():
    """Three are true: silence misses 3, who finds them says 4 more."""
    lines = [(many, 3 / many, 4 / many) for many in (10, 100, 1000, 10_000)]
    assert shown("03-37") == rows(("loss of the silent", "loss of the finder"), *lines, places=4)
    assert [line.split()[-1] for line in said("03-38").splitlines()] == ["0.9997", "0.0", "1.0"]


def test_hamming_loss_and_f1_part_on_three_cells_and_no_fewer():
    """Of one true label: silence, and hit with two false alarms."""
    found = smallest_disagreement(hamming_loss, example_based.f1)
    counts = [tally(found.y_true[0], other[0]) for other in (found.first, found.second)]
    assert counts == [(0, 0, 1, 2), (1, 2, 0, 0)]
    for n_samples, n_labels in ((1, 2), (2, 1)):
        sizes = {"max_samples": n_samples, "max_labels": n_labels}
        assert smallest_disagreement(hamming_loss, example_based.f1, **sizes) is None
    assert "first 1/3 ≈ 0.333, second 2/3 ≈ 0.667: prefers the first. Samples F1" in said("03-44")
    assert "first 0, second 1/2 = 0.5: prefers the second." in said("03-44")


# ---------------------------------------------------------------------------- zero-one loss


def test_hamming_loss_is_never_above_zero_one_loss_and_on_one_label_the_same():
    """Of 16 · 16 pairs equal where each row is right or all wrong: (4 · 2)² of them."""

    def holds(y_true, y_pred):
        small, large = hamming_loss(y_true, y_pred), zero_one_loss(y_true, y_pred)
        return small == large if y_true.shape[1] == 1 else small <= large

    always(holds)
    assert said("03-47").splitlines() == [
        "Of 256 pairs, Hamming loss is the larger one in 0",
        f"equal: {(4 * 2) ** 2} smaller: {256 - (4 * 2) ** 2}",
    ]
    assert said("03-49") == "Hamming loss: 0.5\nzero-one loss: 1.0\n"


# ---------------------------------------------------------------------------- the ladder


def test_sets_do_not_show_what_they_leave_out():
    """Of twelve cells nine are named, five of them wrong."""
    four = [sum(column) for column in zip(*map(tally, *DATA), strict=True)]
    assert (sum(four[:3]), four[1] + four[2], four[3]) == (9, 5, 3)
    assert said("03-64") == "Hamming loss: 5/9\n"
    assert said("03-66") == "cells that nobody names: 3\nHamming loss: 5/12\n"


def test_hamming_loss_is_the_bill_where_each_wrong_box_costs_alike():
    """Of ten boxes three are right: one hit and two misses, three hits and three false alarms, three misses."""
    assert shown("03-68") == rows(
        ("Hamming loss", "F1", "minutes"),
        ("shy", 2 / 10, 2 * 1 / (2 * 1 + 2), 2),
        ("bold", 3 / 10, 2 * 3 / (2 * 3 + 3), 3),
        ("no model", 3 / 10, 0, 3),
    )
