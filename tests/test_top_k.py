"""The first k labels: recorded numbers, sparse scores; every order of ties: test_every_metric.py."""

from __future__ import annotations

import math
import tracemalloc
from fractions import Fraction
from itertools import product

import all_small
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from random_inputs import random_rankings
from scipy import sparse

from mlm_helpers import worked
from mlm_helpers._core import blocks
from mlm_helpers.top_k import (
    inverse_propensities,
    ndcg,
    precision,
    propensity_scored_ndcg,
    propensity_scored_precision,
    r_precision,
    recall,
    rp,
)

NAN = math.nan
METRICS = {m.__name__: m for m in (precision, recall, rp, ndcg)}
TIES = all_small.TIES
LOG3 = math.log2(3)


def csr(rows, n_labels):
    """From the scored labels of each row: a label that is not there has no score."""
    cells = [(i, j, score) for i, row in enumerate(rows) for j, score in row.items()]
    i, j, score = zip(*cells, strict=True)
    return sparse.csr_array((score, (i, j)), shape=(len(rows), n_labels))


def every_cell(matrix):
    """Sparse, with each cell stored, 0 included."""
    matrix = np.array(matrix)
    places = np.indices(matrix.shape).reshape(2, -1)
    return sparse.csr_array((matrix.ravel(), tuple(places)), shape=matrix.shape)


# ---------------------------------------------------------------------------- what tools gave

Q1 = [[1, 0, 0, 0, 0], [0, 1, 1, 1, 0]], [[0.9, 0.8, 0.7, 0.2, 0.1], [0.1, 0.9, 0.5, 0.4, 0.8]]
Q2 = [[0, 0, 0], [1, 0, 0]], [[0.9, 0.8, 0.7]] * 2
Q3, Q3R = ([[0, 0, 1]], [[0.5] * 3]), ([[1, 0, 0]], [[0.5] * 3])
Q5 = [[1, 0, 0, 0, 0], [0, 1, 1, 1, 0]], csr([{0: 0.9}, {1: 0.9, 4: 0.8}], 5)


@pytest.mark.parametrize(
    "k, metric, expected",
    [
        # hits 1 and 2 of 3 at places 1; 1 and 3
        (3, precision, 0.5), (3, recall, 0.8333333333333333), (3, ndcg, 0.8519590445170673),
        (2, recall, 0.6666666666666666), (2, ndcg, 0.8065735963827292), (2, precision, 0.5),
        (1, precision, 1), (1, recall, 0.6666666666666666), (1, ndcg, 1),
        # hits 1 of 1 and 1 of 2 that fit; 1 of 1 and 2 of 3; 1 of 1 twice
        (2, rp, 0.75), (3, rp, 5 / 6), (1, rp, 1),
    ],
)  # fmt: skip
def test_of_hits_and_relevant_labels(k, metric, expected):
    for ties in TIES:  # there are none
        value = metric(*Q1, k=k, ties=ties)
        assert type(value) is float
        assert value == pytest.approx(expected, rel=1e-15)


def test_r_precision_of_as_many_labels_as_are_relevant():
    """Of one label the first is a hit, of three 2; LibMultiLabel's RP@3 of the same data is 5/6, too."""
    for ties in TIES:
        assert r_precision(*Q1, ties=ties) == pytest.approx((1 + 2 / 3) / 2, rel=1e-15)
        assert r_precision(*Q5, ties=ties) == pytest.approx(
            (1 + 1 / 3) / 2
        )  # of three 2 are scored
    assert r_precision(*Q1, sample_weight=[3, 1]) == pytest.approx((3 + 2 / 3) / 4)
    assert r_precision([[0, 0], [1, 1]], [[1, 2]] * 2, undefined=NAN) == 1


@pytest.mark.parametrize("undefined, expected", [(0.0, 0.5), (1.0, 1.0), (NAN, 1.0)])
def test_a_sample_without_relevant_labels(undefined, expected):
    """scikit-learn, napkinXC and pyxclib say 0.5, Annif 1; torchmetrics any of them, as it is asked."""
    for metric in (recall, ndcg, rp):
        assert metric(*Q2, k=2, undefined=undefined) == expected
        each = metric(*Q2, k=2, undefined=undefined, per_sample=True)
        assert_array_equal(each, [undefined, 1])
    assert precision(*Q2, k=2) == 0.25
    assert ndcg(*Q2, k=2) == 0.5


@pytest.mark.parametrize(
    "data, expected",
    [(Q3, {"average": 1 / 3, "worst": 0, "best": 1, "first": 0, "last": 1}),
     (Q3R, {"average": 1 / 3, "worst": 0, "best": 1, "first": 1, "last": 0})],
    ids=["last", "first"],
)  # fmt: skip
def test_all_tied(data, expected):
    """scikit-learn takes the mean; napkinXC the first label, pyxclib the last."""
    for metric in METRICS.values():
        assert {ties: metric(*data, k=1, ties=ties) for ties in TIES} == expected
        assert metric(*data, k=1) == expected["average"]
        assert metric(*data, k=3) == pytest.approx(
            {"precision": 1 / 3, "recall": 1, "rp": 1, "ndcg": (1 + 1 / LOG3 + 1 / 2) / 3}[
                metric.__name__
            ]
        )


def test_few_scored_labels():
    """Of a window that is not full, too, hits are divided by k; made dense, other labels would be in it."""
    for ties in TIES:
        assert precision(*Q5, k=3, ties=ties) == 1 / 3
        assert recall(*Q5, k=3, ties=ties) == rp(*Q5, k=3, ties=ties) == 2 / 3
        assert ndcg(*Q5, k=3, ties=ties) == pytest.approx(0.7346393630113782, rel=1e-15)
        assert ndcg(*Q5, k=2, ties=ties) == pytest.approx(0.8065735963827292, rel=1e-15)
    assert precision(Q5[0], Q5[1].toarray(), k=3, ties="last") == 0.5


# napkinXC and pyxclib, of ten training samples that have the labels 8, 4, 1 and 0 times
TRAINED = np.arange(10)[:, None] < [8, 4, 1, 0]
PROPENSITIES = {
    (0.55, 1.5): [1.6250649193514164, 1.844254976481087, 2.302585092994046, 2.7251343234120733],
    (0.5, 0.4): [1.5317781373985313, 1.7347570863722162, 2.302585092994046, 3.436913567551396],
    (0.6, 2.6): [1.6814030686146748, 1.905443265448843, 2.302585092994046, 2.583447232783346],
}


@pytest.mark.parametrize("a, b", PROPENSITIES)
def test_inverse_propensities(a, b):
    for train in (TRAINED, sparse.csr_array(TRAINED)):
        values = inverse_propensities(train, a=a, b=b)
        assert_allclose(values, PROPENSITIES[a, b], rtol=1e-14)
    assert values[2] == pytest.approx(math.log(10), rel=1e-15)
    assert_array_equal(inverse_propensities(TRAINED), inverse_propensities(TRAINED, a=0.55, b=1.5))


# ---------------------------------------------------------------------------- propensity-scored


def test_a_ratio_of_sums_is_no_mean_of_ratios():
    """Sample 0 reaches 1 of 4, sample 1 the whole 1: 2 of 5, where the mean would be 5/8."""
    y_true, y_score, worth = [[1, 0, 1], [1, 0, 0]], [[3, 2, 1], [3, 2, 1]], [1, 1, 4]
    assert propensity_scored_precision(y_true, y_score, worth, k=1) == 2 / 5
    # sample 0 counts twice: 3 of 9
    weighted = propensity_scored_precision(y_true, y_score, worth, k=1, sample_weight=[2, 1])
    assert weighted == pytest.approx(3 / 9, rel=1e-15)
    # of the first two: 1 and 1, of (4 + 1) and 1; divided by k instead: 2 of 2 + 2
    assert propensity_scored_precision(y_true, y_score, worth, k=2) == 2 / 6
    assert propensity_scored_precision(y_true, y_score, worth, k=2, normalize=False) == 2 / 4
    # the best order of sample 0 has the 4 first: 4 + 1/log2(3), and 1
    best = 4 + 1 / LOG3 + 1
    assert propensity_scored_ndcg(y_true, y_score, worth, k=2) == pytest.approx(2 / best)
    full = 2 * (1 + 1 / LOG3)
    value = propensity_scored_ndcg(y_true, y_score, worth, k=2, normalize=False)
    assert value == pytest.approx(2 / full)


@pytest.mark.parametrize("metric", [propensity_scored_precision, propensity_scored_ndcg])
def test_nothing_to_reach_is_nan(metric):
    assert math.isnan(metric([[0, 0]], [[2, 1]], [1, 2], k=1))
    assert math.isnan(metric([[0, 0], [1, 0]], [[2, 1], [2, 1]], [1, 2], k=1, sample_weight=[1, 0]))
    assert metric([[0, 0]], [[2, 1]], [1, 2], k=1, normalize=False) == 0


def test_k_of_any_kind_of_whole_number():
    """127 + 2 is no number of 8 bits."""
    truth, score = random_rankings(3, 127)
    for metric in METRICS.values():
        assert metric(truth, score, k=np.int8(127)) == metric(truth, score, k=127)


# ---------------------------------------------------------------------------- sparse scores


def filled(score, low):
    """Dense, what is not stored below everything that is."""
    full = np.full(score.shape, float(low))
    stored = score.tocoo()
    full[stored.coords] = stored.data
    return full


@pytest.mark.parametrize("ties", ["worst", "best", "average"])
def test_what_is_not_stored_is_never_predicted(ties):
    """A row of k or more scores is as if all others were lowest; of fewer, no irrelevant one helps or harms."""
    rng = np.random.default_rng(1)
    truth = (rng.random((60, 8)) < 0.4).astype(int)
    score = sparse.random_array((60, 8), density=0.6, rng=2, format="csr")
    score.data = np.floor(score.data * 4) - 2  # negative ones and zeros are scores
    stored = np.diff(score.indptr)
    for metric, k in product(METRICS.values(), (1, 3, 8)):
        options = {"k": k, "ties": ties, "per_sample": True}
        each = metric(truth, score, **options)
        lowest = metric(truth, filled(score, -9), **options)
        assert_allclose(each[stored >= k], lowest[stored >= k], rtol=1e-12)
        # a relevant label without a score is as good as one that stands below k irrelevant ones
        padded = np.hstack([filled(score, -9), np.full((60, 8), -8.0)])
        wider = metric(np.hstack([truth, np.zeros((60, 8), int)]), padded, **options)
        assert_allclose(each, wider, rtol=1e-12)
    assert (stored < 3).any() and (stored >= 3).any()


def test_a_stored_zero_is_a_score():
    truth = [[1, 0, 0]]
    assert precision(truth, csr([{0: 0.0}], 3), k=1) == 1
    assert precision(truth, sparse.csr_array((1, 3)), k=1) == 0
    assert precision(truth, csr([{0: 0.0, 1: 0.0}], 3), k=1) == 0.5


def test_blocks_of_what_is_stored(monkeypatch):
    """All rows in their order, as many at a time as store no more than fits, and at least one."""
    monkeypatch.setattr(blocks, "BLOCK_CELLS", 8)
    stored = [3, 0, 4, 1, 9, 0, 0, 2, 6]
    matrix = sparse.csr_array(np.arange(9)[None] < np.array(stored)[:, None])
    runs = list(blocks.row_blocks(matrix))
    assert [i for rows in runs for i in range(len(stored))[rows]] == list(range(len(stored)))
    for rows, after in zip(runs, [*runs[1:], None], strict=True):
        held = sum(stored[rows])
        assert held <= 8 or rows.stop - rows.start == 1
        assert after is None or held + stored[after.start] > 8


def test_memory_is_that_of_what_is_stored():
    """Of 20,000 × 1,000,000 cells 100,000 are scored; a row that stores many is read by itself."""
    rng, n_samples, n_labels = np.random.default_rng(0), 20_000, 1_000_000
    label = rng.integers(0, n_labels, (n_samples, 5))
    indptr = np.arange(n_samples + 1) * 5
    score = sparse.csr_array((rng.random(label.size), label.ravel(), indptr), (n_samples, n_labels))
    truth = sparse.csr_array((np.ones(label.size), label[::-1].ravel(), indptr), score.shape)
    for metric in METRICS.values():
        tracemalloc.start()
        metric(truth, score, k=5)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 200 * score.nnz


# ---------------------------------------------------------------------------- worked steps


def test_worked_logarithms_cancel_where_they_can():
    """Third place is 1/log2(4), a half; second place is no fraction of the first."""
    half = worked.solve(ndcg, [[0, 0, 1, 0]], [[4, 3, 2, 1]], k=3)
    assert half.value == Fraction(1, 2)
    second = worked.solve(ndcg, [[0, 1, 0, 0]], [[4, 3, 2, 1]], k=3)
    assert type(second.value) is float and second.value == pytest.approx(1 / LOG3, rel=1e-15)
    # of two places one is sure; the other goes to one of three, of whom one is relevant
    tied = worked.solve(precision, [[1, 0, 0, 1]], [[0.9, 0.5, 0.5, 0.5]], k=2)
    assert tied.value == Fraction(2, 3)
