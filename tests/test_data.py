"""Samples dealt out to folds: by hand, and real data."""

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array

from mlm_helpers.course import emoji
from mlm_helpers.data import folds

DATA = emoji.load()


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
