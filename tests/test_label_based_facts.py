"""Facts of notebook 04: counts per label, dividing before or after averaging, and where averages differ."""

from functools import partial
from math import isclose, nan, sqrt

import all_small
import numpy as np
import pytest
from facts import always, sometimes
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import f1_score

from mlm_helpers import conventions, example_based, label_based
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
    """F1 per sample is F1 per label of the transposed matrix; micro F1 is that of one sample of all cells."""

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
        data_sets = all_small.representatives(2, 2)
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


# ---------------------------------------------------------------------------- where averages differ


def test_on_four_cells_two_of_five_f1s_are_equal():
    """Without empty rows and columns, and with a hit, so that no precision, recall or CF1 is 0/0."""

    def some_are_equal(y_true, y_pred):
        if not (y_true & y_pred).any() or not all(
            matrix.any(axis=axis).all() for matrix in (y_true, y_pred) for axis in (0, 1)
        ):
            return True
        data = y_true, y_pred
        f1s = [f1(*data, average=average) for average in ("macro", "micro", "weighted")]
        f1s += [example_based.f1(*data), cf1(*data)]
        return len({round(value, 9) for value in f1s}) < 5

    always(some_are_equal, ((2, 2),))


def are_ordered_alike(metric_a, metric_b, truth):
    """Whether two metrics never order two predictions for this truth differently."""
    predictions = all_small.matrices(*np.shape(truth))
    signs = []
    for metric in (metric_a, metric_b):
        values = np.array([metric(truth, prediction) for prediction in predictions])
        signs.append(np.sign((values[:, None] - values).round(9)))
    return not (signs[0] * signs[1] < 0).any()


def test_cf1_and_macro_f1_order_four_cells_alike():
    """For one sample or one label they are the same number."""
    assert all(are_ordered_alike(cf1, f1, truth) for truth in all_small.matrices(2, 2))


def test_macro_and_micro_f1_order_one_sample_alike():
    """For one label they are equal. So data on which they disagree, if each label is true, have four cells."""
    assert all(are_ordered_alike(f1, micro_f1, [[1] * n_labels]) for n_labels in (2, 3))


def test_an_invented_label_has_f1_0_under_every_rule_and_an_absent_one_is_0_over_0():
    for rule, absent in ((0.0, 0), (1.0, 1), (nan, nan), ("agree", 1)):
        values = f1([[1, 0, 0]], [[1, 1, 0]], average=None, zero_division=rule)
        assert np.array_equal(values, [1, 0, absent], equal_nan=True)


def test_scikit_learn_warns_of_an_absent_label():
    perfect = [[1, 0, 0], [0, 1, 0]]
    with pytest.warns(UndefinedMetricWarning):
        assert isclose(f1_score(perfect, perfect, average="macro"), 2 / 3)


def test_an_unused_label_never_lowers_macro_or_micro_specificity():
    def with_unused_label(matrix):
        return np.hstack([matrix, np.zeros((len(matrix), 1), dtype=int)])

    for average in ("macro", "micro"):

        def gain(y_true, y_pred, average=average):
            rate = partial(specificity, average=average)
            larger = with_unused_label(y_true), with_unused_label(y_pred)
            return rate(*larger) - rate(y_true, y_pred)

        always(lambda y_true, y_pred, gain=gain: gain(y_true, y_pred) >= -1e-12, ((2, 2),))


def test_torchmetrics_has_micro_matthews_and_hugging_face_macro():
    for tool, average in (("torchmetrics", "micro"), ("Hugging Face evaluate", "macro")):
        metrics, suffix = conventions.TOOLS[tool].metrics, " Matthews correlation"
        assert [name for name in metrics if name.endswith(suffix)] == [average + suffix]


def test_always_predicting_has_matthews_0_except_in_torchmetrics():
    """In torchmetrics 1.9.0: (TP − FP) ÷ √((TP + FP) TP FP), and 1 or -1 if all cells are right or wrong."""
    number = partial(conventions.number, "torchmetrics", "micro Matthews correlation")
    for truth, prediction, value in (
        ([1, 1, 1, 0], [1, 1, 1, 1], 2 / sqrt(12)),
        ([1, 0, 0, 0], [1, 1, 1, 1], -2 / sqrt(12)),
        ([1, 0, 0, 0], [0, 0, 0, 0], 2 / sqrt(12)),
        ([1, 1, 1], [1, 1, 0], 1 / sqrt(6)),
        ([1, 1], [1, 1], 1),
        ([0, 0], [1, 1], -1),
    ):
        assert isclose(number(*(np.array(c)[:, None] for c in (truth, prediction))), value)
