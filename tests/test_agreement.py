"""Krippendorff's alpha: by his table of coincidences, by hand, by tools and by properties."""

from collections import Counter
from fractions import Fraction
from itertools import chain, permutations
from math import isnan, nan
from operator import ne

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from mlm_helpers.agreement import alpha
from mlm_helpers.data import unknown

HAND = [[[1, 1, 0], [0, 1, 1]], [[1, 0, 0], [0, 1, 0]], [[1, 1, 1], [0, 1, 0]]]
DISTANCES = "exact", "jaccard", "masi"


def close(value, expected):
    return np.allclose(value, np.asarray(expected, float), rtol=0, atol=1e-12, equal_nan=True)


def alphas(y):
    return [*alpha(y), alpha(y, average="micro"), *(alpha(y, distance=d) for d in DISTANCES)]


def jaccard(a, b):
    return 1 - Fraction(len(a & b), len(a | b)) if a | b else 0


def masi(a, b):
    monotonicity = 1 if a == b else Fraction(2, 3) if a <= b or b <= a else Fraction(1, 3)
    return 1 - (1 - jaccard(a, b)) * monotonicity  # of disjoint sets, 1 - jaccard is 0


def coincidence_alpha(units, distance):
    """1 - D_o / D_e: a pair c, k of a unit adds 1 / (m - 1) to o_ck; n_c is the sum of row c."""
    o, n = Counter(), Counter()
    for values in units:
        for c, k in permutations(values, 2):
            o[c, k] += Fraction(1, len(values) - 1)
            n[c] += Fraction(1, len(values) - 1)
    observed = sum(o[pair] * distance(*pair) for pair in o)
    expected = sum(n[c] * n[k] * distance(c, k) for c in n for k in n)
    return float(1 - (n.total() - 1) * observed / expected) if expected else nan


@pytest.mark.parametrize("n_draws", [1000, pytest.param(10_000, marks=pytest.mark.exhaustive)])
def test_alpha_is_that_of_the_coincidences(n_draws):
    """With unknown cells, samples and annotators."""
    random = np.random.default_rng(0)
    for _ in range(n_draws):
        shape = n_annotators, n_samples, _ = random.integers([2, 1, 1], [6, 7, 5])
        mask = np.zeros(shape, dtype=bool)
        for size in (shape, (n_annotators, n_samples, 1), (n_annotators, 1, 1)):
            mask |= random.random(size) < random.choice([0, 0, 0.1, 0.5])
        cells = np.where(mask, -1, random.random(shape) < random.random())
        masked = np.ma.masked_equal(cells, -1)
        labels = [[[x for x in unit if x >= 0] for unit in label] for label in cells.T.tolist()]
        samples = cells.swapaxes(0, 1).tolist()
        known_rows = [[row for row in sample if -1 not in row] for sample in samples]
        sets = [[frozenset(np.flatnonzero(row)) for row in rows] for rows in known_rows]
        annotations = masked if random.integers(2) else [*masked]
        expected = [coincidence_alpha(units, ne) for units in (*labels, [*chain(*labels)])]
        expected += [coincidence_alpha(sets, distance) for distance in (ne, jaccard, masi)]
        assert close(alphas(annotations), expected), masked


def test_alpha_by_hand_and_by_other_tools():
    """Sets: nltk 3.10.4, AnnotationTask.alpha. Krippendorff 0.9.0 gives the others, too."""
    assert close(alphas(HAND)[:4], [1, 0, -1 / 4, 29 / 80])
    assert close(alphas(HAND)[4:], [0.1071428571428571, 0.29245283018867907, 0.21875])


def test_alpha_is_undefined_where_all_values_are_equal_or_nobody_shares_a_cell():
    alone = [unknown([[1, -1], [-1, 0]]), unknown([[-1, 1], [0, -1]])]
    for annotations in (np.ones((3, 2, 2)), np.zeros((2, 3, 1)), alone):
        assert all(map(isnan, alphas(annotations)))


def test_containers_have_the_same_alpha():
    frames = [pd.DataFrame(y, columns=[*"abc"]) for y in HAND]
    for annotations in (np.array(HAND), frames, [*map(sparse.csr_array, frames)]):
        assert alphas(annotations) == alphas(HAND)


def test_more_sets_than_a_block_of_256():
    y = np.random.default_rng(3).random((2, 150, 30)) < 0.3
    sets = [[frozenset(np.flatnonzero(row)) for row in rows] for rows in y.swapaxes(0, 1)]
    assert close(alpha(y, distance="masi"), coincidence_alpha(sets, masi))
