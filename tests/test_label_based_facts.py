"""Facts of notebook 04: counts per label, dividing or averaging first, where averages differ."""

from functools import partial
from itertools import product
from math import isclose, nan

import all_small
import numpy as np
import pytest
from facts import always, sometimes, tp_fp_fn_tn
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import f1_score

from mlm_helpers import example_based, label_based
from mlm_helpers.exact_match import subset_accuracy
from mlm_helpers.label_based import f1, jaccard, specificity

micro_f1 = partial(f1, average="micro")


def f1_and_harmonic_mean(family, *data, **average):
    """F1, and the harmonic mean of the precision and the recall of the same average."""
    p, r = (metric(*data, **average) for metric in (family.precision, family.recall))
    return family.f1(*data, **average), 2 * p * r / (p + r) if p + r else 0.0


def cf1(*data):
    """The harmonic mean of macro precision and macro recall."""
    return f1_and_harmonic_mean(label_based, *data)[1]


# ---------------------------------------------------------------------------- divide, then average


def test_micro_f1_ignores_which_label_a_mistake_belongs_to():
    def rolled(matrix):
        """Row i with its cells moved by i labels, so that mistakes belong to other labels."""
        return np.array([np.roll(row, i) for i, row in enumerate(matrix)])

    always(
        lambda y_true, y_pred: micro_f1(y_true, y_pred) == micro_f1(rolled(y_true), rolled(y_pred))
    )
    sometimes(lambda y_true, y_pred: f1(y_true, y_pred) != f1(rolled(y_true), rolled(y_pred)))


def test_the_axis_of_the_counts_makes_the_family():
    """F1 per sample is F1 per label of the transposed matrix.

    Micro F1 is that of one sample of all cells.
    """

    def per_sample_is_per_label_transposed(y_true, y_pred):
        per_sample = example_based.f1(y_true, y_pred, per_sample=True)
        per_label = f1(y_true.T, y_pred.T, average=None)
        of_all_cells = example_based.f1(y_true.reshape(1, -1), y_pred.reshape(1, -1))
        is_micro = isclose(of_all_cells, micro_f1(y_true, y_pred))
        return np.allclose(per_sample, per_label) and is_micro

    always(per_sample_is_per_label_transposed)


def test_only_micro_f1_is_the_harmonic_mean_of_its_precision_and_recall():
    """The other averages of F1 are never above the harmonic mean, and sometimes below it."""
    for family, average in (
        (label_based, {"average": "micro"}),
        (label_based, {"average": "macro"}),
        (label_based, {"average": "weighted"}),
        (example_based, {}),
    ):
        rng = np.random.default_rng(0)
        random_data = (rng.random((2, 30, 8)) < share for share in np.linspace(0.02, 0.98, 49))
        data_sets = [*all_small.representatives(2, 2), *random_data]
        pairs = [f1_and_harmonic_mean(family, *data, **average) for data in data_sets]
        gaps = [mean - value for value, mean in pairs]
        assert min(gaps) >= -1e-12
        assert (max(gaps) < 1e-12) == (average == {"average": "micro"})


def test_jaccard_of_a_label_is_never_above_its_f1():
    """F1 = 2J / (1 + J)."""

    def is_2j_over_1_plus_j(y_true, y_pred):
        j, f = (metric(y_true, y_pred, average=None) for metric in (jaccard, f1))
        return np.allclose(f, 2 * j / (1 + j)) and np.all(j <= f)

    always(is_2j_over_1_plus_j, ((3, 1),))


def test_micro_f1_is_exact_match_where_each_sample_has_one_true_and_one_predicted_label():
    def is_exact_match_of_single_labels(y_true, y_pred):
        is_single = {*y_true.sum(axis=1), *y_pred.sum(axis=1)} == {1}
        return not is_single or isclose(micro_f1(y_true, y_pred), subset_accuracy(y_true, y_pred))

    always(is_exact_match_of_single_labels, ((2, 2), (1, 3), (3, 2)))


# ---------------------------------------------------------------------------- by chance


def test_the_f1_of_predicting_every_label_follows_from_the_share_of_positives():
    """It is 2π / (1 + π) of a label or sample with the share π; micro with that of all ones."""
    rng = np.random.default_rng(0)
    random = [rng.random((n, 5)) < share for n in (7, 60) for share in (0.05, 0.3, 0.9)]
    for truth in (*map(np.array, all_small.matrices(3, 2)), *random):
        everything, shares = np.ones_like(truth), truth.mean(axis=0)
        per_label = f1(truth, everything, average=None)
        assert per_label == pytest.approx(2 * shares / (1 + shares))
        assert f1(truth, everything) == pytest.approx(per_label.mean())
        assert micro_f1(truth, everything) == pytest.approx(2 * truth.mean() / (1 + truth.mean()))
        f1s = example_based.f1(truth, everything, per_sample=True)
        assert f1s == pytest.approx(2 * truth.mean(axis=1) / (1 + truth.mean(axis=1)))


def pairs_of_columns(n):
    """All truths and predictions of a label and n samples, and whether the two are independent."""
    for cells in product(product((0, 1), repeat=n), repeat=2):
        tp, fp, fn, _ = tp_fp_fn_tn(*cells)
        yield (*(np.reshape(column, (n, 1)) for column in cells), tp * n == (tp + fp) * (tp + fn))


def test_no_independent_prediction_has_more_f1_on_average_than_predicting_every_label():
    f1s = {}
    for truth, prediction, _ in pairs_of_columns(6):
        f1s.setdefault((truth.sum(), prediction.sum()), []).append(f1(truth, prediction))
    for (n_true, _), values in f1s.items():
        assert np.mean(values) <= 2 * n_true / (n_true + 6) + 1e-12


def test_matthews_and_kappa_of_an_independent_prediction_are_0():
    for *pair, is_independent in pairs_of_columns(4):
        for metric in (label_based.matthews_correlation, label_based.kappa):
            value = metric(*pair, zero_division=nan)
            assert np.isnan(value) or (abs(value) < 1e-12) == is_independent
            assert not abs(value) > 1 + 1e-12


def test_where_positives_are_rarer_precision_follows_from_recall_and_specificity():
    """It is π′R ÷ (π′R + (1 − π′)(1 − specificity)): the negatives of random data are repeated."""
    rng = np.random.default_rng(0)
    for truth, prediction in rng.integers(0, 2, (99, 2, 12, 1)):
        for times in (1, 2, 30):
            rows = np.repeat(np.arange(12), np.where(truth[:, 0], 1, times))
            rarer, share = (truth[rows], prediction[rows]), truth[rows].mean()
            r, s = (rate(truth, prediction) for rate in (label_based.recall, specificity))
            assert (label_based.recall(*rarer), specificity(*rarer)) == pytest.approx((r, s))
            right, wrong = share * r, (1 - share) * (1 - s)
            assert label_based.precision(*rarer) == pytest.approx(right / (right + wrong))


def test_by_default_constant_labels_lower_the_macro_rates_of_a_perfect_prediction():
    """A label that every sample has counts 0 in all five, one that no sample has in three."""
    rates = label_based.balanced_accuracy, label_based.matthews_correlation, label_based.kappa
    for truth in all_small.matrices(3, 3):
        has_all = np.all(truth, axis=0)
        is_defined = np.any(truth, axis=0) & ~has_all
        for rate in (label_based.specificity, label_based.negative_predictive_value):
            assert rate(truth, truth) == pytest.approx(np.mean(~has_all))
        for rate in rates:
            assert rate(truth, truth) == pytest.approx(is_defined.mean())
            left_out = rate(truth, truth, zero_division=nan)
            assert left_out == pytest.approx(1) or not is_defined.any()


def test_f1_of_flattened_matrices_is_micro_f1_or_reads_the_zeros_too():
    """If the truth has ones and zeros; otherwise scikit-learn may read the column as one class."""
    truths = [truth for truth in all_small.matrices(2, 2) if 0 < np.sum(truth) < 4]
    for pair in product(truths, all_small.matrices(2, 2)):
        flat = [np.ravel(matrix) for matrix in pair]
        of_ones, of_zeros = (micro_f1(*(1 - np.array(pair) if i else pair)) for i in (0, 1))
        assert f1_score(*flat, zero_division=0) == pytest.approx(of_ones)
        assert f1_score(*flat, average="macro") == pytest.approx((of_ones + of_zeros) / 2)
        assert f1_score(*flat, average="micro") == pytest.approx(np.equal(*flat).mean())


# ---------------------------------------------------------------------------- where averages differ


def are_ordered_alike(metric_a, metric_b, truth):
    """Whether two metrics never order two predictions for this truth differently."""
    predictions = all_small.matrices(*np.shape(truth))
    signs = []
    for metric in (metric_a, metric_b):
        values = np.array([metric(truth, prediction) for prediction in predictions])
        signs.append(np.sign((values[:, None] - values).round(9)))
    return not (signs[0] * signs[1] < 0).any()


def test_cf1_and_macro_f1_can_prefer_different_models():
    """CP and CR of model one are 3/4.

    Those of model two are 7/12 and 1, and its F1s 2/3 and 4/5.
    """
    truth, one, two = [[0, 0], [0, 1], [1, 1]], [[0, 0], [1, 0], [1, 1]], [[0, 1], [1, 1], [1, 1]]
    assert (cf1(truth, one), cf1(truth, two)) == pytest.approx((3 / 4, 14 / 19))
    assert (f1(truth, one), f1(truth, two)) == pytest.approx((2 / 3, 11 / 15))


def test_only_the_macro_averages_of_f1_and_jaccard_can_prefer_different_predictions():
    micro_jaccard = partial(jaccard, average="micro")
    for n_samples, n_labels in ((2, 2), (3, 1), (1, 3)):
        truths = all_small.matrices(n_samples, n_labels)
        assert all(are_ordered_alike(micro_f1, micro_jaccard, truth) for truth in truths)
    truth, one, two = ([[0, 0], [0, 0], [1, 1]], [[0, 0], [0, 0], [0, 1]], [[0, 1], [1, 1], [1, 1]])
    assert f1(truth, one) < f1(truth, two)
    assert jaccard(truth, one) > jaccard(truth, two)


def test_macro_and_micro_f1_order_one_sample_alike():
    """For one label they are equal.

    So data on which they disagree, if each label is true, have four cells.
    """
    assert all(are_ordered_alike(f1, micro_f1, [[1] * n_labels]) for n_labels in (2, 3))


def test_an_invented_label_has_f1_0_under_every_rule_and_an_absent_one_is_0_over_0():
    for rule, absent in ((0.0, 0), (1.0, 1), (nan, nan), ("agree", 1)):
        values = f1([[1, 0, 0]], [[1, 1, 0]], average=None, zero_division=rule)
        assert np.array_equal(values, [1, 0, absent], equal_nan=True)


def test_scikit_learn_warns_of_an_absent_label():
    perfect = [[1, 0, 0], [0, 1, 0]]
    with pytest.warns(UndefinedMetricWarning):
        assert isclose(f1_score(perfect, perfect, average="macro"), 2 / 3)


def test_scikit_learn_averages_over_the_columns_of_its_labels():
    for data in np.random.default_rng(4).integers(0, 2, (9, 2, 6, 4)):
        macro = f1_score(*data, average="macro", labels=[3, 1], zero_division=0)
        assert isclose(macro, f1(*data, average=None)[[3, 1]].mean())


def test_an_unused_label_never_lowers_macro_or_micro_specificity():
    def with_unused_label(matrix):
        return np.hstack([matrix, np.zeros((len(matrix), 1), dtype=int)])

    for average in ("macro", "micro"):

        def gain(y_true, y_pred, average=average):
            rate = partial(specificity, average=average)
            larger = with_unused_label(y_true), with_unused_label(y_pred)
            return rate(*larger) - rate(y_true, y_pred)

        always(lambda y_true, y_pred, gain=gain: gain(y_true, y_pred) >= -1e-12, ((2, 2),))
