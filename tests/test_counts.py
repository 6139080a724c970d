"""Counts along three axes, and means.

Ratios are tested in test_example_based.py and test_label_based.py.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy.sparse import csr_array

from mlm_helpers._core import blocks, counts
from mlm_helpers._core.inputs.data import Data

NAN = math.nan


@pytest.mark.parametrize("kind", ["?", "i1", "f2"])
def test_counts_are_whole_and_do_not_overflow(kind):
    ones = np.ones((300, 3000), dtype=kind)  # i1 ends at 127, and f2 cannot add 1 to 2048
    for axis, expected in ((0, 300), (1, 3000)):
        result = counts.count(Data(ones, ones), axis=axis)
        assert (result.tp == expected).all() and not np.any(result[1:])
        assert result.tp.dtype == np.intp
    assert (counts.count(Data(ones, ones, np.full(300, 0.5)), axis=0).tp == 150).all()


LAYOUTS = {
    "rows first": np.ascontiguousarray,
    "columns first": np.asfortranarray,
    "backwards": lambda m: m[::-1, ::-1].copy()[::-1, ::-1],
    "CSR": csr_array,
}


@pytest.mark.parametrize("block", [1, 64])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_any_layout_and_kind(layout, block, monkeypatch):
    monkeypatch.setattr(blocks, "BLOCK_CELLS", block)
    rng = np.random.default_rng(block)
    make = LAYOUTS[layout]
    for kind in ("?", "i1", "f2", "g", ">i4"):
        y_true, y_pred = rng.random((2, *rng.integers(1, 40, 2))) < 0.5
        truth = make(y_true.astype("?" if layout == "CSR" else kind))
        cells = [y_true & y_pred, ~y_true & y_pred, y_true & ~y_pred, ~y_true & ~y_pred]
        weights = rng.random(len(y_true))
        for axis, weight in (1, None), (0, None), (0, weights):
            result = counts.count(Data(truth, make(y_pred), weight), axis=axis)
            for outcome, is_outcome in zip(result, cells, strict=True):
                cell_weight = 1 if weight is None else weight[:, None]
                expected = (is_outcome * cell_weight).sum(axis=axis)
                np.testing.assert_allclose(outcome, expected, rtol=1e-12, atol=1e-12)
                assert np.shape(outcome) == np.shape(expected)
                assert np.asarray(outcome).dtype == (np.intp if weight is None else float)


def test_rows_of_more_cells_than_single_precision_counts(monkeypatch):
    data = Data(np.eye(3), np.tri(3))
    expected = [counts.count(data, axis=axis) for axis in (1, 0)]
    monkeypatch.setattr(counts, "_MAX_EXACT_SINGLE", 2)
    monkeypatch.setattr(np, "float32", object())  # NumPy refuses this dtype, so it is not used.
    for expected_counts, axis in zip(expected, (1, 0), strict=True):
        assert_array_equal(counts.count(data, axis=axis), expected_counts)


ANY_SIZE = 10.0 ** np.linspace(-80, 80, 1000)


@pytest.mark.parametrize("kind", [np.asarray, csr_array])
@pytest.mark.parametrize("scale", [1, ANY_SIZE], ids=["1", "any"])
def test_with_weights_no_count_is_invented(kind, scale):
    """An outcome that no sample has is exactly 0, although sums of floats in two orders differ.

    TN of CSR arrays is the difference of such sums: right up to a rounding of the whole weight, and
    0 where it should be 0.
    """
    rng = np.random.default_rng(0)
    weight = rng.random(1000) * scale
    weight[::9] = 0
    truth, pred = rng.random((2, 1000, 30)) < rng.random((2, 1, 30))
    truth[:, :3] = pred[:, :3] = weight[:, None] > 0  # no true negatives
    truth[:, 3:6] |= weight[:, None] > np.median(weight)  # light true negatives only
    for y_pred in (pred, truth):
        result = counts.count(Data(kind(truth), kind(y_pred), weight), axis=0)
        outcomes = truth & y_pred, ~truth & y_pred, truth & ~y_pred, ~truth & ~y_pred
        for outcome, cells in zip(result, outcomes, strict=True):
            exact = np.array([math.fsum(weight[column]) for column in cells.T])
            is_rounded = kind is csr_array and cells[~truth & ~y_pred].any()
            rounding = 1e-12 * weight.sum() if is_rounded else 0
            np.testing.assert_allclose(outcome, exact, rtol=1e-12, atol=rounding)
            assert not outcome[exact == 0].any()


@pytest.mark.parametrize("kind", [np.asarray, csr_array])
def test_several_rows_of_weights_give_the_counts_of_each_row(kind, monkeypatch):
    rng = np.random.default_rng(0)
    truth, pred = (rng.random((2, 30, 4)) < 0.4).astype(int)
    data = Data(kind(truth), kind(pred))
    whole_numbers = rng.integers(4, size=(5, 30))
    monkeypatch.setattr("mlm_helpers._core.blocks.BLOCK_CELLS", 20)
    floats = whole_numbers.astype(np.float32), whole_numbers * ANY_SIZE[:30]
    for weights in (whole_numbers, *floats):
        result = counts.count(data.with_weight(weights), axis=0)
        for i, weight in enumerate(weights):
            counts_of_row = counts.count(data.with_weight(weight.astype(float)), axis=0)
            for outcome, expected in zip(result, counts_of_row, strict=True):
                assert outcome.shape == (5, 4)
                rounding = 1e-12 * weight.sum() if kind is csr_array else 0
                np.testing.assert_allclose(outcome[i], expected, rtol=1e-12, atol=rounding)


def test_an_invalid_flag_of_the_matrix_library_does_not_become_a_warning():
    """The flag comes at random.

    An infinite cell, which public functions refuse, always raises it.
    """
    cells = np.array([[np.inf, 0.0]])
    counts.count(Data(cells, cells[:, ::-1]), axis=0)
    with pytest.warns(RuntimeWarning, match="invalid value"):
        cells * cells[:, ::-1]


@pytest.mark.parametrize(
    "values, weight, expected",
    [
        ([1, 0.5], None, 0.75),
        ([1, 0.5, NAN], None, 0.75),  # nan is left out
        ([1, 0.5, NAN], [1, 3, 9], 0.625),  # (1 + 1.5) / 4
        ([1, 0.5], [0, 2], 0.5),
        ([NAN, NAN], None, NAN),  # no value
        ([NAN, 1], [1, 0], NAN),  # no weight
        ([0, 0], None, 0),
    ],
)
def test_mean(values, weight, expected):
    value = counts.nanmean(np.array(values, float), weight and np.array(weight, float))
    assert type(value) is float
    assert_array_equal(value, expected)


def test_the_mean_of_ones_is_exactly_1_under_any_weights():
    """Products and weights are added up in the same order; a dot product has another."""
    rng = np.random.default_rng(0)
    for n in range(1, 300, 5):
        assert counts.nanmean(np.ones(n), rng.random(n)) == 1.0
        assert counts.nanmean(np.ones(n), rng.choice([0.1, 0.2, 0.7], n)) == 1.0
