"""Hamming loss, by hand. test_all_small.py compares with scikit-learn."""

from __future__ import annotations

import pytest

from mlm_helpers.hamming import hamming_loss

Y_TRUE = [[0, 1, 0, 1], [0, 1, 1, 0], [1, 0, 1, 1]]
Y_PRED = [[0, 1, 1, 0], [0, 1, 1, 0], [0, 1, 0, 1]]


@pytest.mark.parametrize(
    "y_true, y_pred, loss",
    [
        (Y_TRUE, Y_PRED, 5 / 12),  # (2 + 0 + 3) / (3 · 4), the document "sklearn中…"
        ([[0, 1], [1, 1]], [[0, 0], [0, 0]], 3 / 4),  # the same document
        # the document "多标签分类评价指标介绍（一）"
        ([[1, 0, 1, 0, 0]], [[0, 1, 1, 0, 0]], 2 / 5),
        ([[0, 0]], [[0, 0]], 0),  # two empty sets are equal
    ],
)
def test_by_hand(y_true, y_pred, loss):
    value = hamming_loss(y_true, y_pred)
    assert type(value) is float
    assert value == pytest.approx(loss, abs=1e-15)
