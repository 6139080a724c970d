"""Krippendorff's alpha of random annotations, against his recipe of coincidences in fractions."""

import math
from collections import Counter
from fractions import Fraction
from itertools import chain, permutations
from operator import ne

import numpy as np
import pytest

from mlm_helpers.agreement import alpha


def jaccard(a, b):
    return 1 - Fraction(len(a & b), len(a | b)) if a | b else 0


def masi(a, b):
    monotonicity = 1 if a == b else Fraction(2, 3) if a <= b or b <= a else Fraction(1, 3)
    return 1 - (1 - jaccard(a, b)) * monotonicity  # of disjoint sets, 1 - jaccard is 0


def coincidence_alpha(units, distance):
    """1 - D_o / D_e: each of a unit's pairs c, k adds 1 / (m - 1) to o_ck, and n_c is the sum of row c."""
    o, n = Counter(), Counter()
    for values in units:
        for c, k in permutations(values, 2):
            o[c, k] += Fraction(1, len(values) - 1)
            n[c] += Fraction(1, len(values) - 1)
    observed = sum(o[pair] * distance(*pair) for pair in o)
    expected = sum(n[c] * n[k] * distance(c, k) for c in n for k in n)
    return float(1 - (n.total() - 1) * observed / expected) if expected else math.nan


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
        values = [*alpha(annotations), alpha(annotations, average="micro")]
        for name, distance in {"exact": ne, "jaccard": jaccard, "masi": masi}.items():
            expected.append(coincidence_alpha(sets, distance))
            values.append(alpha(annotations, distance=name))
        assert values == pytest.approx(expected, abs=1e-12, rel=0, nan_ok=True), masked
