"""Top-k metrics: numbers of tools, sparse scores. test_every_metric.py has all orders of ties."""

from __future__ import annotations

import math
import tracemalloc
from itertools import product

import all_small
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from random_inputs import random_rankings
from scipy import sparse

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
TIES = all_small.TOP_K_TIES
LOG3 = math.log2(3)


def csr(rows, n_labels):
    """CSR array of scores, from a dict of each row's scored labels."""
    cells = [(i, j, score) for i, row in enumerate(rows) for j, score in row.items()]
    i, j, score = zip(*cells, strict=True)
    return sparse.csr_array((score, (i, j)), shape=(len(rows), n_labels))


# ---------------------------------------------------------------------------- numbers of tools

NO_TIES = [[1, 0, 0, 0, 0], [0, 1, 1, 1, 0]], [[0.9, 0.8, 0.7, 0.2, 0.1], [0.1, 0.9, 0.5, 0.4, 0.8]]
FIRST_WITHOUT_LABELS = [[0, 0, 0], [1, 0, 0]], [[0.9, 0.8, 0.7]] * 2
TIED_LAST_RELEVANT = [[0, 0, 1]], [[0.5] * 3]
TIED_FIRST_RELEVANT = [[1, 0, 0]], [[0.5] * 3]
FEW_SCORED = [[1, 0, 0, 0, 0], [0, 1, 1, 1, 0]], csr([{0: 0.9}, {1: 0.9, 4: 0.8}], 5)


@pytest.mark.parametrize(
    "k, metric, expected",
    [
        # sample 0 has its hit at rank 1; sample 1 has 2 hits of 3, at ranks 1 and 3
        (3, precision, 0.5), (3, recall, 0.8333333333333333), (3, ndcg, 0.8519590445170673),
        (2, recall, 0.6666666666666666), (2, ndcg, 0.8065735963827292), (2, precision, 0.5),
        (1, precision, 1), (1, recall, 0.6666666666666666), (1, ndcg, 1),
        # RP@2 has 1 of 1 hit and 1 of 2, RP@3 1 of 1 and 2 of 3, RP@1 1 of 1 twice
        (2, rp, 0.75), (3, rp, 5 / 6), (1, rp, 1),
    ],
)  # fmt: skip
def test_values_from_hits_and_relevant_labels(k, metric, expected):
    for ties in TIES:  # No scores are tied.
        value = metric(*NO_TIES, k=k, ties=ties)
        assert type(value) is float
        assert value == pytest.approx(expected, rel=1e-15)


def test_r_precision_reads_as_many_labels_as_are_relevant():
    """1 hit of 1, and 2 of 3. LibMultiLabel's RP@3 of the same data is 5/6, too."""
    for ties in TIES:
        assert r_precision(*NO_TIES, ties=ties) == pytest.approx((1 + 2 / 3) / 2, rel=1e-15)
        few = r_precision(*FEW_SCORED, ties=ties)  # In sample 1 R is 3, and 2 labels are scored.
        assert few == pytest.approx((1 + 1 / 3) / 2)
    assert r_precision(*NO_TIES, sample_weight=[3, 1]) == pytest.approx((3 + 2 / 3) / 4)
    assert r_precision([[0, 0], [1, 1]], [[1, 2]] * 2, undefined=NAN) == 1


@pytest.mark.parametrize("undefined, expected", [(0.0, 0.5), (1.0, 1.0), (NAN, 1.0)])
def test_a_sample_without_relevant_labels(undefined, expected):
    """scikit-learn, napkinXC and pyxclib return 0.5, Annif 1, torchmetrics either, by option."""
    for metric in (recall, ndcg, rp):
        assert metric(*FIRST_WITHOUT_LABELS, k=2, undefined=undefined) == expected
        values = metric(*FIRST_WITHOUT_LABELS, k=2, undefined=undefined, per_sample=True)
        assert_array_equal(values, [undefined, 1])
    assert precision(*FIRST_WITHOUT_LABELS, k=2) == 0.25
    assert ndcg(*FIRST_WITHOUT_LABELS, k=2) == 0.5


@pytest.mark.parametrize(
    "data, expected",
    [(TIED_LAST_RELEVANT, {"average": 1 / 3, "worst": 0, "best": 1, "first": 0, "last": 1}),
     (TIED_FIRST_RELEVANT, {"average": 1 / 3, "worst": 0, "best": 1, "first": 1, "last": 0})],
    ids=["last", "first"],
)  # fmt: skip
def test_all_tied(data, expected):
    """scikit-learn averages all orders; napkinXC puts the first label first, pyxclib the last."""
    for metric in METRICS.values():
        assert {ties: metric(*data, k=1, ties=ties) for ties in TIES} == expected
        assert metric(*data, k=1) == expected["average"]
        at_3 = {precision: 1 / 3, recall: 1, rp: 1, ndcg: (1 + 1 / LOG3 + 1 / 2) / 3}
        assert metric(*data, k=3) == pytest.approx(at_3[metric])


def test_few_scored_labels():
    """P@k divides by k even if fewer labels are scored, which a dense matrix cannot say."""
    for ties in TIES:
        assert precision(*FEW_SCORED, k=3, ties=ties) == 1 / 3
        assert recall(*FEW_SCORED, k=3, ties=ties) == rp(*FEW_SCORED, k=3, ties=ties) == 2 / 3
        assert ndcg(*FEW_SCORED, k=3, ties=ties) == pytest.approx(0.7346393630113782, rel=1e-15)
        assert ndcg(*FEW_SCORED, k=2, ties=ties) == pytest.approx(0.8065735963827292, rel=1e-15)
    assert precision(FEW_SCORED[0], FEW_SCORED[1].toarray(), k=3, ties="last") == 0.5


# napkinXC and pyxclib for ten training samples, of which 8, 4, 1 and 0 have the labels
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


def test_a_ratio_of_sums_is_not_a_mean_of_ratios():
    """Sample 0 reaches 1 of 4, sample 1 1 of 1: 2 of 5, whereas the mean of ratios is 5/8."""
    y_true, y_score, inverse = [[1, 0, 1], [1, 0, 0]], [[3, 2, 1], [3, 2, 1]], [1, 1, 4]
    assert propensity_scored_precision(y_true, y_score, inverse, k=1) == 2 / 5
    # sample 0 counts twice: 3 of 9
    weighted = propensity_scored_precision(y_true, y_score, inverse, k=1, sample_weight=[2, 1])
    assert weighted == pytest.approx(3 / 9, rel=1e-15)
    # of the first two: 1 and 1, of (4 + 1) and 1; divided by k instead: 2 of 2 + 2
    assert propensity_scored_precision(y_true, y_score, inverse, k=2) == 2 / 6
    assert propensity_scored_precision(y_true, y_score, inverse, k=2, normalize=False) == 2 / 4
    # the best order of sample 0 has the 4 first: 4 + 1/log2(3), and 1
    best = 4 + 1 / LOG3 + 1
    assert propensity_scored_ndcg(y_true, y_score, inverse, k=2) == pytest.approx(2 / best)
    value = propensity_scored_ndcg(y_true, y_score, [9, 1, 4], k=2, normalize=False)
    assert 1 < value == pytest.approx(9 / (1 + 1 / LOG3))


@pytest.mark.parametrize("metric", [propensity_scored_precision, propensity_scored_ndcg])
def test_without_relevant_labels_the_value_is_nan(metric):
    assert math.isnan(metric([[0, 0]], [[2, 1]], [1, 2], k=1))
    assert math.isnan(metric([[0, 0], [1, 0]], [[2, 1], [2, 1]], [1, 2], k=1, sample_weight=[1, 0]))
    assert metric([[0, 0]], [[2, 1]], [1, 2], k=1, normalize=False) == 0


def test_k_may_be_an_integer_of_8_bits():
    """127 + 2 overflows 8 bits."""
    truth, score = random_rankings(3, 127)
    for metric in METRICS.values():
        assert metric(truth, score, k=np.int8(127)) == metric(truth, score, k=127)


# ---------------------------------------------------------------------------- sparse scores


def filled(score, low):
    """A dense matrix with the score ``low`` in cells that are not stored."""
    full = np.full(score.shape, float(low))
    stored = score.tocoo()
    full[stored.coords] = stored.data
    return full


@pytest.mark.parametrize("ties", ["worst", "best", "average"])
def test_a_label_without_a_stored_score_is_never_among_the_first_k(ties, monkeypatch):
    """In a row of k or more scores, it could as well have the lowest score."""
    monkeypatch.setattr(blocks, "BLOCK_CELLS", 4)  # fewer than some rows store
    rng = np.random.default_rng(1)
    truth = (rng.random((60, 8)) < 0.4).astype(int)
    score = sparse.random_array((60, 8), density=0.6, rng=2, format="csr")
    score.data = np.floor(score.data * 4) - 2  # negative ones and zeros are scores
    stored = np.diff(score.indptr)
    for metric, k in product(METRICS.values(), (1, 3, 8)):
        options = {"k": k, "ties": ties, "per_sample": True}
        values = metric(truth, score, **options)
        values_of_dense = metric(truth, filled(score, -9), **options)
        assert_allclose(values[stored >= k], values_of_dense[stored >= k], rtol=1e-12)
        # In any row, it could as well be ranked below k irrelevant labels.
        padded = np.hstack([filled(score, -9), np.full((60, 8), -8.0)])
        wider = metric(np.hstack([truth, np.zeros((60, 8), int)]), padded, **options)
        assert_allclose(values, wider, rtol=1e-12)
    assert (stored < 3).any() and (stored >= 3).any()


def test_a_stored_zero_is_a_score():
    truth = [[1, 0, 0]]
    assert precision(truth, csr([{0: 0.0}], 3), k=1) == 1
    assert precision(truth, sparse.csr_array((1, 3)), k=1) == 0
    assert precision(truth, csr([{0: 0.0, 1: 0.0}], 3), k=1) == 0.5


def test_memory_is_that_of_what_is_stored():
    """100,000 of 20,000 × 1,000,000 cells are scored."""
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
        assert peak < 200 * score.nnz  # bytes
