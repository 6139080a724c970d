"""Facts of notebook 03: every cell counts the same, and the loss of predicting nothing."""

from fractions import Fraction as F
from math import isclose

import numpy as np
from facts import always, cell_accuracy, subset_accuracy, tp_fp_fn_tn

from mlm_course.disagreement import smallest_disagreement
from mlm_course.documents import SKLEARN_GUIDE as GUIDE
from mlm_helpers import conventions
from mlm_helpers.example_based import f1
from mlm_helpers.hamming import hamming_loss


def test_a_true_negative_counts_as_much_as_a_hit():
    def is_unchanged_if_hits_and_true_negatives_swap(y_true, y_pred):
        """Hits become true negatives, and true negatives hits."""
        is_right = y_true == y_pred
        swapped = (np.where(is_right, 1 - matrix, matrix) for matrix in (y_true, y_pred))
        return hamming_loss(y_true, y_pred) == hamming_loss(*swapped)

    always(is_unchanged_if_hits_and_true_negatives_swap)


def test_rows_first_columns_first_or_all_at_once_is_one_hamming_loss():
    def equals_all_means(y_true, y_pred):
        is_wrong = y_true != y_pred
        means = is_wrong.mean(axis=1).mean(), is_wrong.mean(axis=0).mean(), is_wrong.mean()
        return np.allclose(means, hamming_loss(y_true, y_pred))

    always(equals_all_means)


def test_two_numbers_are_called_hamming_score():
    """MEKA's is 1 − Hamming loss, the document's is intersection over union."""
    assert conventions.TOOLS["MEKA"].metrics[conventions.LABEL_WISE].call == "Hamming score"
    scores = {v.metric for v in GUIDE.published if v.quantity.startswith("Hamming score")}
    assert scores == {"example_based.accuracy"}


def test_the_loss_of_predicting_nothing_is_the_label_density():
    always(
        lambda y_true, y_pred: isclose(hamming_loss(y_true, np.zeros_like(y_pred)), y_true.mean()),
        ((2, 2), (1, 3)),
    )


def test_predicting_nothing_has_the_lower_loss_just_where_false_alarms_outnumber_hits():
    def is_decided_by_false_alarms_and_hits(y_true, y_pred):
        tp, fp, _, _ = tp_fp_fn_tn(y_true.ravel(), y_pred.ravel())
        difference = hamming_loss(y_true, y_pred) - hamming_loss(y_true, np.zeros_like(y_pred))
        return isclose(difference * y_true.size, fp - tp, abs_tol=1e-9)

    always(is_decided_by_false_alarms_and_hits)
    rng = np.random.default_rng(0)
    assert all(
        is_decided_by_false_alarms_and_hits(*rng.integers(2, size=(2, 7, 9))) for _ in range(99)
    )


def test_hamming_loss_and_samples_f1_do_not_disagree_below_three_cells():
    for n, n_labels in ((1, 2), (2, 1)):
        assert not smallest_disagreement(hamming_loss, f1, max_samples=n, max_labels=n_labels)


def test_the_notes_accuracy_pays_for_right_cells_in_rows_with_mistakes():
    data = GUIDE.y_true, GUIDE.y_pred
    assert (cell_accuracy(*data), subset_accuracy(*data)) == (F(7, 12), F(1, 3))
