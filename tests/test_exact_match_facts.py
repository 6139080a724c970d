"""Facts of notebook 01: exact match is all or nothing, and never rises with more labels."""

import contextlib
from math import floor, isclose

import numpy as np
import sklearn.metrics as skm
from facts import always, cell_accuracy

from mlm_course.disagreement import smallest_disagreement
from mlm_course.documents import SKLEARN_GUIDE as GUIDE
from mlm_helpers.exact_match import subset_accuracy
from mlm_helpers.hamming import hamming_loss


def test_a_sample_counts_1_or_0():
    def is_all_or_nothing(y_true, y_pred):
        values = subset_accuracy(y_true, y_pred, per_sample=True)
        return values.tolist() == (y_true == y_pred).all(axis=1).tolist()

    always(is_all_or_nothing, ((1, 3),))


def test_the_guide_cuts_off_five_numbers_and_rounds_the_others():
    cut_off = set()
    for value in GUIDE.published:
        decimals = value.printed.removeprefix("0.")
        if decimals != value.printed and f"{float(value.value):.{len(decimals)}f}" != value.printed:
            assert int(decimals) == floor(value.value * 10 ** len(decimals))
            cut_off.add(value.printed)
    assert cut_off == {"0.66666", "0.666", "0.6666", "0.5277", "0.4166"}


def test_scikit_learn_has_no_function_for_the_share_of_right_cells():
    """None of its metrics returns the share of right cells for two label matrices."""
    data = np.random.default_rng(0).integers(2, size=(2, 30, 4))  # too many for a coincidence
    for name, metric in vars(skm).items():
        for options in ({}, {"average": "samples"}, {"average": "micro"}):
            with contextlib.suppress(TypeError, ValueError, AttributeError, Warning):
                value = metric(*data, **options)
                is_share = isinstance(value, float) and isclose(value, cell_accuracy(*data))
                assert not is_share, name


def test_exact_match_and_hamming_loss_do_not_disagree_below_six_cells():
    """On data of up to five cells they never order two predictions differently."""
    for n_samples, n_labels in ((1, 5), (5, 1), (2, 2)):
        sizes = {"max_samples": n_samples, "max_labels": n_labels}
        assert smallest_disagreement(subset_accuracy, hamming_loss, **sizes) is None


def test_exact_match_falls_if_an_added_label_is_wrong_in_a_right_sample_and_else_stays_the_same():
    def falls_just_there(y_true, y_pred):
        right_before = (y_true[:, :-1] == y_pred[:, :-1]).all(axis=1)
        loses = (right_before & (y_true[:, -1] != y_pred[:, -1])).any()
        before, after = (
            subset_accuracy(y_true[:, :-1], y_pred[:, :-1]),
            subset_accuracy(y_true, y_pred),
        )
        return after < before if loses else after == before

    always(falls_just_there, ((2, 2), (1, 3)))
    rng = np.random.default_rng(0)
    assert all(falls_just_there(*rng.integers(2, size=(2, 9, 3))) for _ in range(200))
