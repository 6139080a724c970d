"""Missed beside falsely predicted labels, and the worst samples: by hand, in plain Python.

The approved messages about invalid arguments are those of refusals/errors.txt.
"""

from functools import partial
from itertools import product
from math import nan

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import coo_array, csc_matrix, csr_array

from mlm_helpers import example_based, hamming, probability, ranking
from mlm_helpers._core import blocks
from mlm_helpers.data import unknown
from mlm_helpers.errors import label_confusions, worst_samples

TRUTH = [[1, 1, 0, 0], [1, 0, 0, 0], [0, 1, 1, 0], [0, 0, 0, 0]]
PRED = [[0, 0, 1, 1], [0, 0, 1, 0], [1, 1, 0, 0], [0, 0, 0, 1]]
LABELS = ["sea", "sun", "sky", "sand"]


def pair_counts(y_true, y_pred):
    """The number of samples in which j is missed and k is a false alarm, for all labels j and k."""
    labels, rows = range(len(y_true[0])), [*zip(y_true, y_pred, strict=True)]
    return [[sum(t[j] > p[j] and t[k] < p[k] for t, p in rows) for k in labels] for j in labels]


def as_lists(matrix):
    return coo_array(matrix).toarray().tolist()


@pytest.mark.parametrize("kind", [list, partial(np.array, dtype="u1"), csc_matrix])
def test_four_samples_by_hand(kind):
    """The first sample has two misses and two false alarms, so four pairs; the last no pair."""
    pairs = label_confusions(kind(TRUTH), kind(PRED), labels=LABELS)
    assert as_lists(pairs.counts) == [[0, 0, 2, 1], [0, 0, 1, 1], [1, 0, 0, 0], [0, 0, 0, 0]]
    assert (pairs.missed.tolist(), pairs.false_alarms.tolist()) == ([2, 1, 1, 0], [1, 0, 2, 2])
    assert pairs.largest(3) == [("sea", "sky", 2), ("sea", "sand", 1), ("sun", "sky", 1)]
    assert len(pairs.largest()) == 5


def test_the_table_shows_the_share_of_a_false_alarm_where_missed_and_anywhere(snapshot):
    """Sky is a false alarm where sea is missed, twice; sea is one where sky is missed, once."""
    pairs = label_confusions(TRUTH, PRED, labels=["<sea>", *LABELS[1:]])
    assert f"{pairs!r}\n\n{pairs.table(2)!r}" == snapshot
    assert "&lt;sea&gt;" in pairs._repr_html_()


def test_dense_and_sparse_counts_of_several_blocks_are_equal(monkeypatch):
    """Sparse counts store only the pairs that occur."""
    monkeypatch.setattr(blocks, "BLOCK_CELLS", 700)
    y_true, y_pred = np.random.default_rng(0).random((2, 300, 20)) < 0.1
    dense, sparse = (label_confusions(kind(y_true), kind(y_pred)) for kind in (np.array, csr_array))
    assert as_lists(dense.counts) == as_lists(sparse.counts) == pair_counts(y_true, y_pred)
    by_size = sorted(dense.largest(400), key=lambda pair: -pair[2])
    assert dense.largest(50) == sparse.largest(50) == by_size[:50]
    assert label_confusions(csr_array(y_true), csr_array(y_true)).counts.nnz == 0


@pytest.mark.parametrize("kind", [np.array, csr_array])
def test_without_a_pair_the_table_is_empty(kind):
    """A perfect prediction, a prediction without false alarms, and data with one label."""
    for true, pred in (([[1, 0]], [[1, 0]]), ([[1, 0]], [[0, 0]]), ([[1]], [[0]])):
        pairs = label_confusions(kind(true), kind(pred))
        assert pairs.largest() == [] and len(pairs.table().steps[0].rows) == 0


def test_an_unknown_cell_is_neither_missed_nor_predicted_falsely():
    for cells in product([False, True], repeat=4):
        is_unknown = np.array([cells, cells[::-1]])
        masked = label_confusions(np.ma.masked_array(TRUTH[:2], is_unknown), PRED[:2])
        plain = label_confusions(*(np.where(is_unknown, 0, y[:2]) for y in (TRUTH, PRED)))
        for name in ("counts", "missed", "false_alarms"):
            assert (getattr(masked, name) == getattr(plain, name)).all()


def test_names_are_those_of_a_frame_unless_others_are_given():
    true, pred = (pd.DataFrame(y, columns=LABELS) for y in (TRUTH, PRED))
    for data in ((true, pred), (true, PRED), (TRUTH, pred)):
        assert label_confusions(*data).largest(1) == [("sea", "sky", 2)]
    assert label_confusions(true, pred, labels=list("abcd")).largest(1) == [("a", "c", 2)]
    assert label_confusions(TRUTH, PRED).largest(1) == [("0", "2", 2)]


# ------------------------------------------------------------------------------ the worst samples


@pytest.mark.parametrize(
    "metric, sign", [(partial(example_based.f1, zero_division=nan), 1), (hamming.hamming_loss, -1)]
)
def test_the_worst_samples_come_first_without_undefined_values(metric, sign):
    """The order is that of sorted values, of which most are tied: the worst first."""
    y_true, y_pred = np.random.default_rng(0).integers(0, 2, (2, 200, 3))
    values = metric(y_true, y_pred, per_sample=True)
    order = sorted((round(sign * v, 9), i) for i, v in enumerate(values.tolist()) if v == v)
    worst = worst_samples(metric, y_true, y_pred, n=200)
    assert worst.samples.tolist() == [i for _, i in order]
    assert worst.values.tolist() == values[worst.samples].tolist()
    assert worst_samples(metric, y_true, y_pred).samples.tolist() == [i for _, i in order[:10]]


def test_the_worst_by_hand():
    """F1 is 0, 0, 1/2 and 0 (only a false alarm); 4, 2, 2 and 1 of 4 cells are wrong."""
    assert worst_samples(example_based.f1, TRUTH, PRED).samples.tolist() == [0, 1, 3, 2]
    worst = worst_samples(hamming.hamming_loss, csr_array(TRUTH), csr_array(PRED), n=3)
    assert (worst.samples.tolist(), worst.values.tolist()) == ([0, 1, 2], [1, 0.5, 0.5])


def test_values_that_differ_by_rounding_alone_are_ties():
    """(1 + 1 + 3/6) ÷ 3 and (1 + 2/3) ÷ 2 are both 5/6, but as floats the second is smaller."""
    y_true, y_score = [[1, 1, 0, 0, 0, 1], [1, 0, 1, 0, 0, 0]], [[6, 5, 4, 3, 2, 1]] * 2
    worst = worst_samples(ranking.average_precision, y_true, y_score)
    assert worst.values[0] > worst.values[1] and worst.samples.tolist() == [0, 1]


def test_the_losses_of_probabilities_by_hand():
    """Mean squared errors: (.01 + .04) ÷ 2, (.81 + .04) ÷ 2, and .25 beside an unknown cell."""
    y_prob = [[0.9, 0.2], [0.1, 0.8], [0.5, 0.1]]
    y_true = np.ma.masked_equal([[1, 0], [1, 1], [0, -1]], -1)
    worst = worst_samples(probability.brier, y_true, y_prob)
    assert worst.samples.tolist() == [1, 2, 0]
    assert worst.values == pytest.approx([0.425, 0.25, 0.025])
    unknown_truth = np.ma.masked_all((1, 2), dtype=int)
    assert worst_samples(probability.brier, unknown_truth, [[0.5, 0.5]]).samples.size == 0


def test_samples_are_named_as_the_frame_names_them():
    names = ["a.png", "b.png", "c.png", "d.png"]
    true = pd.DataFrame(TRUTH, index=names)
    for data in ((true, PRED), (TRUTH, pd.DataFrame(PRED, names)), (unknown(true), PRED)):
        worst = worst_samples(hamming.hamming_loss, *data, n=2)
        assert worst.samples.tolist() == ["a.png", "b.png"]
        assert true.loc[worst.samples].to_numpy().tolist() == TRUTH[:2]
    last_three = true.reset_index(drop=True)[1:]  # with the index values 1, 2 and 3
    assert worst_samples(hamming.hamming_loss, last_three, PRED[1:]).samples.tolist() == [1, 2, 3]
