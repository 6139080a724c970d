"""Cells that nobody annotated; samples dealt out to folds: by hand, and real data."""

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array

from mlm_helpers import hamming, inputs
from mlm_helpers.course import emoji
from mlm_helpers.data import folds, unknown

DATA = emoji.load()

NAN = float("nan")


@pytest.mark.parametrize(
    "rows, value",
    [
        ([[1, -1], [0, 1]], -1),
        (np.array([[1, -1], [0, 1]], dtype="f2"), -1.0),
        (pd.DataFrame([[1, -1], [0, 1]]), -1),
        ([[1, NAN], [0, 1]], NAN),
        (np.array([[1, NAN], [0, 1]]), None),
        ([[1, None], [False, True]], None),
        (pd.DataFrame([[1, None], [0, 1]]), NAN),
        (pd.DataFrame([[1, None], [0, 1]]).astype("Int64"), NAN),
        (pd.DataFrame([[1, None], [0, 1]], dtype=object), None),
        (np.ma.masked_array([[1, 5], [0, 1]], mask=[[0, 1], [0, 0]]), -1),
    ],
)
def test_what_nobody_annotated_is_masked(rows, value):
    found = unknown(rows, value)
    assert found.tolist() == [[1, None], [0, 1]]


@pytest.mark.parametrize(
    "rows, value, sentence",
    [
        ([[1, -1]], NAN, "holds -1 at row 0, column 1"),
        ([[1, None]], -1, "holds None at row 0, column 1"),
        (pd.DataFrame([[1, pd.NA]]), -1, "holds <NA> at row 0, column 1"),
        ([[2, -1]], -1, "holds 2"),
        ([["cat", -1]], -1, "'cat' at row 0, column 0.*MultiLabelBinarizer"),
        (np.array([["cat"]]), NAN, "'cat' at row 0, column 0.*MultiLabelBinarizer"),
        ([[1, -1], [0]], -1, "is ragged, row 1 has length 1"),
        ([[np.array([1, 2]), 0]], None, "row 0, column 0, which is not a real number"),
        ([np.ma.masked_array([1, 0], mask=[0, 1])], -1, r"np.ma.stack\(y_true\)"),
        (
            csr_array([[1, -1]]),
            -1,
            r"unknown cells are read in dense ones: pass y_true.toarray\(\)",
        ),
        ([[1, 0]], 2, "value is 2: choose one of -1, nan, None"),
    ],
)
def test_only_0_1_and_the_value_occur(rows, value, sentence):
    with pytest.raises((TypeError, ValueError), match=sentence):
        unknown(rows, value)


def test_the_names_of_a_frame_go_along():
    """Columns in another order are refused; a part of the truth has no names that could be wrong."""
    truth = unknown(pd.DataFrame({"cat": [1, -1], "dog": [0, 1]}, index=["x", "y"]))
    said = pd.DataFrame({"dog": [0, 1], "cat": [1, 1]}, index=["x", "y"])
    with pytest.raises(
        ValueError, match=r"'dog' at .* columns .*reindex\(columns=y_true.columns\)"
    ):
        hamming.hamming_loss(truth, said)
    assert hamming.hamming_loss(truth, said.reindex(columns=truth.columns)) == 0
    assert hamming.hamming_loss(truth[:1], said[:1].to_numpy()) == 1
    assert inputs.label_names(None, 2, truth) == ["cat", "dog"]
    assert inputs.label_names(None, 2, truth[:1]) == ["0", "1"]


def spread(y, fold, n_folds):
    """How far each label's positives differ between the folds."""
    return np.ptp([y[fold == i].sum(axis=0) for i in range(n_folds)], axis=0)


@pytest.mark.parametrize("seed", range(20))
def test_a_small_deal_by_hand(seed):
    """The rare label's two samples part; then each fold gets one of the two others that have the first.

    The two without labels part as well: whatever is drawn, all is even.
    """
    y = np.array([[1, 1], [1, 1], [1, 0], [1, 0], [0, 0], [0, 0]])
    fold = folds(y, 2, seed=seed)
    assert [sorted(fold[pair]) for pair in ([0, 1], [2, 3], [4, 5])] == [[0, 1]] * 3


@pytest.mark.parametrize("seed", range(20))
def test_the_rarest_goes_first(seed):
    """Three samples have the frequent label, two the rare one: these are apart, whatever is drawn.

    Then the fold that has no sample with the frequent label gets one, and the smaller one the last.
    """
    y = np.array([[1, 0], [1, 0], [1, 1], [0, 1]])
    fold = folds(y, 2, seed=seed)
    assert fold[2] != fold[3]
    assert fold[0] != fold[1]


@pytest.mark.parametrize("n_folds", [2, 3, 5, 10])
def test_every_fold_of_the_emoji_has_every_label(n_folds):
    fold = folds(DATA.y, n_folds)
    positives = np.array([DATA.y[fold == i].sum(axis=0) for i in range(n_folds)])
    assert positives[:, DATA.y.sum(axis=0) >= n_folds].min() >= 1
    assert np.ptp(np.bincount(fold, minlength=n_folds)) <= 1


def test_labels_are_spread_more_evenly_than_by_chance():
    """On average the counts of three folds differ by less than 1, at random by more than 3."""
    rng = np.random.default_rng(0)
    by_chance = [spread(DATA.y, rng.permutation(len(DATA.y)) % 3, 3).mean() for _ in range(20)]
    dealt = [spread(DATA.y, folds(DATA.y, 3, seed=seed), 3).mean() for seed in range(5)]
    assert max(dealt) < 1 and min(by_chance) > 3


@pytest.mark.parametrize("kind", [bool, "u1", "u8", "f4", float, pd.DataFrame, csr_array])
def test_any_matrix_of_0_and_1_is_dealt_out(kind):
    y = np.array([[1, 0], [1, 1], [0, 1], [1, 0]])
    given = kind(y) if kind in (pd.DataFrame, csr_array) else y.astype(kind)
    assert folds(given, 2).tolist() == folds(y, 2).tolist()


def test_a_seed_says_which_folds():
    one, again, other = (folds(DATA.y, 3, seed=seed) for seed in (1, 1, 2))
    assert (one == again).all() and (one != other).any()


@pytest.mark.parametrize(
    ("arguments", "seed", "error", "said"),
    [
        (([[2, 0], [1, 0]], 2), 0, ValueError, "y holds 2 at row 0, column 0"),
        (([[1, 0], [1, 0]], 1), 0, ValueError, "n_folds is 1: give a whole number from 2 to 2"),
        (([[1, 0], [1, 0]], 3), 0, ValueError, "n_folds is 3"),
        (([[1, 0], [1, 0]], 2), 0.5, ValueError, "seed is 0.5"),
        (([["a"]], 2), 0, TypeError, "y holds 'a'"),
    ],
)
def test_what_cannot_be_dealt_out_is_refused(arguments, seed, error, said):
    with pytest.raises(error, match=said):
        folds(*arguments, seed=seed)
