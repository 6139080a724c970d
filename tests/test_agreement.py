"""Krippendorff's alpha: by hand, by pairs of values in fractions, by other tools, and by its properties."""

from fractions import Fraction
from itertools import permutations
from math import isnan, nan

import numpy as np
import pandas as pd
from scipy import sparse

from mlm_helpers import label_based
from mlm_helpers.agreement import alpha
from mlm_helpers.data import unknown

HAND = [[[1, 1, 0], [0, 1, 1]], [[1, 0, 0], [0, 1, 0]], [[1, 1, 1], [0, 1, 0]]]
DISTANCES = "exact", "jaccard", "masi"


def close(value, expected):
    return np.allclose(value, np.asarray(expected, float), rtol=0, atol=1e-12, equal_nan=True)


def random_annotations(n):
    rng = np.random.default_rng(0)
    for _ in range(n):
        shape = rng.integers(2, 5), rng.integers(1, 7), rng.integers(1, 5)
        y, mask = rng.random((2, *shape)) < rng.choice([0, 0.1, 0.4, 0.7], (2, 1, 1, 1))
        yield np.ma.MaskedArray(np.where(mask, -1, y), mask)


def alphas(y):
    return [*alpha(y), alpha(y, average="micro"), *(alpha(y, distance=d) for d in DISTANCES)]


def distance_of(v, w, distance):
    if distance == "exact" or v == w:
        return Fraction(v != w)
    weight = 1 if distance == "jaccard" else Fraction(2 if v <= w or w <= v else 1, 3)
    return 1 - weight * Fraction(len(v & w), len(v | w))


def alpha_by_pairs(units, distance="exact"):
    units = [values for values in units if len(values) > 1]
    n, all_values = sum(map(len, units)), [v for values in units for v in values]
    expected = sum(distance_of(*pair, distance) for pair in permutations(all_values, 2))
    sums = (sum(distance_of(*p, distance) for p in permutations(values, 2)) for values in units)
    observed = sum(total / (len(values) - 1) for total, values in zip(sums, units, strict=True))
    return 1 - (n - 1) * observed / expected if expected else nan


def sets_of(y):
    """For each sample, the sets of the annotators who know all its labels."""
    whole = [rows.data[~np.ma.getmaskarray(rows).any(axis=1)] for rows in y.swapaxes(0, 1)]
    return [[frozenset(np.flatnonzero(row).tolist()) for row in rows] for rows in whole]


def test_alpha_is_that_of_all_pairs_in_fractions():
    for y in random_annotations(300):
        labels = [[cell.compressed().tolist() for cell in label.T] for label in y.T.swapaxes(1, 2)]
        all_cells = [cell for cells in labels for cell in cells]
        values = [alpha_by_pairs(units) for units in [*labels, all_cells]]
        values += [alpha_by_pairs(sets_of(y), distance) for distance in DISTANCES]
        assert close(alphas(y), values), y


def test_alpha_by_hand_and_by_other_tools():
    """Sets: nltk 3.10.4, AnnotationTask.alpha. Krippendorff 0.9.0 gives the others, too."""
    assert close(alphas(HAND)[:4], [1, 0, -1 / 4, 29 / 80])
    assert close(alphas(HAND)[4:], [0.1071428571428571, 0.29245283018867907, 0.21875])


def test_order_does_not_matter_nor_who_never_looked_or_alone_nor_the_distance_for_one_label():
    rng = np.random.default_rng(1)
    for y in random_annotations(100):
        annotators, samples, labels = map(rng.permutation, y.shape)
        more = np.ma.masked_all((len(y) + 1, y.shape[1] + 2, y.shape[2]), int)
        more[:-1, :-2] = y[annotators][:, samples][:, :, labels]
        more[0, -2:] = 1  # samples that one annotator saw alone
        assert close(alphas(more), [*alpha(y)[labels], *alphas(y)[len(labels) :]])
        assert all(close(alphas(y[:, :, [j]]), value) for j, value in enumerate(alpha(y)))


def test_alpha_of_two_annotators_is_scotts_pi_corrected_for_few_samples():
    for a, b in np.random.default_rng(2).random((200, 2, 9, 1)) < 0.6:
        p = np.mean([a, b])
        pi = (np.mean(a == b) - p**2 - (1 - p) ** 2) / (2 * p * (1 - p)) if 0 < p < 1 else nan
        assert close(alpha([a, b]), 1 - (1 - pi) * (1 - 1 / 18))
        if a.sum() == b.sum():  # then Scott's pi is Cohen's kappa
            assert close(label_based.kappa(a, b, zero_division=nan), pi)


def test_alpha_is_undefined_where_all_values_are_equal_or_nobody_shares_a_cell():
    alone = [unknown([[1, -1], [-1, 0]]), unknown([[-1, 1], [0, -1]])]
    for annotations in (np.ones((3, 2, 2)), np.zeros((2, 3, 1)), alone):
        assert all(map(isnan, alphas(annotations)))


def test_containers_have_the_same_alpha():
    frames = [pd.DataFrame(y, columns=[*"abc"]) for y in HAND]
    for annotations in (np.array(HAND), frames, [*map(sparse.csr_array, frames)]):
        assert alphas(annotations) == alphas(HAND)


def test_more_sets_than_a_block_of_256():
    y = np.ma.asarray(np.random.default_rng(3).random((2, 150, 30)) < 0.3)
    assert close(alpha(y, distance="masi"), alpha_by_pairs(sets_of(y), "masi"))
