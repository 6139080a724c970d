"""Facts of notebook 02: how mistakes change precision, F1 and Fβ."""

from fractions import Fraction as F
from itertools import pairwise
from math import isclose

import numpy as np
import sklearn.metrics
from facts import always

from mlm_course.documents import SKLEARN_GUIDE as GUIDE
from mlm_helpers.example_based import accuracy, f1, fbeta, precision, recall


def test_precision_does_not_see_misses():
    always(lambda y_true, y_pred: precision(y_true, y_pred) == precision(y_true & y_pred, y_pred))


def test_f1_of_a_sample_is_the_harmonic_mean_and_nearer_to_the_smaller():
    def is_harmonic_mean_near_the_smaller(y_true, y_pred):
        p, r, f = (metric(y_true, y_pred) for metric in (precision, recall, f1))
        harmonic = 2 * p * r / (p + r) if p + r else 0
        return isclose(f, harmonic) and f - min(p, r) <= max(p, r) - f + 1e-12

    always(is_harmonic_mean_near_the_smaller, ((1, 2), (1, 3)))


def test_f1_of_a_sample_is_never_below_its_accuracy():
    """F1 = 2A / (1 + A), which is A for 0 and 1 only."""

    def is_2a_over_1_plus_a(y_true, y_pred):
        a, f = (metric(y_true, y_pred, per_sample=True) for metric in (accuracy, f1))
        return np.allclose(f, 2 * a / (1 + a)) and all((f > a) == ((a > 0) & (a < 1)))

    always(is_2a_over_1_plus_a)


def test_a_miss_weighs_beta_squared_false_alarms():
    def fbeta_of(beta, fp, fn):
        """Fβ of a sample with one hit."""
        truth, predicted = [1] + [0] * fp + [1] * fn, [1] + [1] * fp + [0] * fn
        return fbeta([truth], [predicted], beta=float(beta))

    for beta in (F(1, 2), F(2), F(3)):
        misses, alarms = beta.denominator**2, beta.numerator**2
        assert isclose(fbeta_of(beta, 0, misses), fbeta_of(beta, alarms, 0))
        assert isclose(fbeta_of(beta, 1, 3), (1 + beta**2) / ((1 + beta**2) + 3 * beta**2 + 1))


def test_predicting_nothing_has_precision_1_if_0_over_0_counts_1_but_0_if_the_sets_must_agree():
    for y_true in map(np.array, ([[1, 0, 0]], [[1, 1, 0], [0, 1, 0]], [[1], [1], [1]])):
        nothing = np.zeros_like(y_true)
        assert precision(y_true, nothing, zero_division=1.0) == 1
        assert precision(y_true, nothing, zero_division="agree") == 0


def test_scikit_learn_has_neither_name_of_the_guide_for_its_jaccard_score():
    names = "jaccrd_similarity_score", "jaccard_similarity_score", "jaccard_score"
    assert [hasattr(sklearn.metrics, name) for name in names] == [False, False, True]


def test_weights_move_the_guides_hamming_score():
    for weights, value in ((None, 19 / 36), ([1, 0, 0], 1 / 3)):
        assert isclose(accuracy(GUIDE.y_true, GUIDE.y_pred, sample_weight=weights), value)


def test_fbeta_of_a_sample_never_moves_away_from_its_recall_as_beta_grows():
    """Of a sample that has a true label, whatever 0/0 counts."""

    def comes_nearer(y_true, y_pred, rule):
        r = recall(y_true, y_pred)
        values = [
            fbeta(y_true, y_pred, beta=b, zero_division=rule) for b in (0.25, 0.5, 1, 2, 5, 100)
        ]
        gaps = [abs(value - r) for value in values]
        return all(later <= gap + 1e-12 for gap, later in pairwise(gaps)) and gaps[-1] < 1e-3

    for rule in (0.0, 1.0, np.nan, "agree"):
        always(
            lambda y_true, y_pred, rule=rule: (
                not y_true.any() or comes_nearer(y_true, y_pred, rule)
            ),
            ((1, 2), (1, 3), (1, 4)),
        )
