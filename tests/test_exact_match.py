"""Subset accuracy and zero-one loss, by hand. test_all_small.py compares with scikit-learn."""

from __future__ import annotations

from numpy.testing import assert_array_equal

from mlm_helpers.exact_match import subset_accuracy, zero_one_loss

# Sample 0 has two labels wrong, sample 1 none, sample 2 three (the document "sklearn中…").
Y_TRUE = [[0, 1, 0, 1], [0, 1, 1, 0], [1, 0, 1, 1]]
Y_PRED = [[0, 1, 1, 0], [0, 1, 1, 0], [0, 1, 0, 1]]


def test_values_of_the_document():
    assert_array_equal(subset_accuracy(Y_TRUE, Y_PRED, per_sample=True), [0, 1, 0])
    assert_array_equal(zero_one_loss(Y_TRUE, Y_PRED, per_sample=True), [1, 0, 1])
    assert subset_accuracy(Y_TRUE, Y_PRED) == 1 / 3
    assert zero_one_loss(Y_TRUE, Y_PRED) == 2 / 3


def test_two_empty_sets_are_equal():
    assert subset_accuracy([[0, 0], [0, 0]], [[0, 0], [0, 1]]) == 0.5
    assert zero_one_loss([[0, 0], [0, 0]], [[0, 0], [0, 1]]) == 0.5
