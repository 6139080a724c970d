"""Which label is predicted instead of which, and the worst samples: by hand, and against plain Python.

What is refused, and in which words, stands in refusals/errors.txt.
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
SAID = [[0, 0, 1, 1], [0, 0, 1, 0], [1, 1, 0, 0], [0, 0, 0, 1]]
LABELS = ["sea", "sun", "sky", "sand"]


def pairs(y_true, y_pred):
    """In how many samples j is missed and k a false alarm, for each j and k."""
    of, rows = range(len(y_true[0])), [*zip(y_true, y_pred, strict=True)]
    return [[sum(t[j] > p[j] and t[k] < p[k] for t, p in rows) for k in of] for j in of]


def listed(matrix):
    return coo_array(matrix).toarray().tolist()


@pytest.mark.parametrize("kind", [list, partial(np.array, dtype="u1"), csc_matrix])
def test_four_samples_by_hand(kind):
    """The first has two misses and two false alarms, so four pairs; the last a false alarm alone."""
    found = label_confusions(kind(TRUTH), kind(SAID), labels=LABELS)
    assert listed(found.counts) == [[0, 0, 2, 1], [0, 0, 1, 1], [1, 0, 0, 0], [0, 0, 0, 0]]
    assert (found.missed.tolist(), found.false_alarms.tolist()) == ([2, 1, 1, 0], [1, 0, 2, 2])
    assert found.largest(3) == [("sea", "sky", 2), ("sea", "sand", 1), ("sun", "sky", 1)]
    assert len(found.largest()) == 5


def test_the_table_shows_what_a_pair_is_to_be_compared_with(snapshot):
    """Sky is a false alarm in both samples in which sea was missed; sea in one of all four, not where sky was."""
    found = label_confusions(TRUTH, SAID, labels=["<sea>", *LABELS[1:]])
    assert f"{found!r}\n\n{found.table(2)!r}" == snapshot
    assert "&lt;sea&gt;" in found._repr_html_()


def test_many_samples_and_labels_are_counted_alike_dense_and_sparse(monkeypatch):
    """More rows than are multiplied at a time; sparse counts store no pair that does not occur."""
    monkeypatch.setattr(blocks, "BLOCK_CELLS", 700)
    y_true, y_pred = np.random.default_rng(0).random((2, 300, 20)) < 0.1
    dense, sparse = (label_confusions(kind(y_true), kind(y_pred)) for kind in (np.array, csr_array))
    assert listed(dense.counts) == listed(sparse.counts) == pairs(y_true.tolist(), y_pred.tolist())
    by_size = sorted(dense.largest(400), key=lambda pair: -pair[2])
    assert dense.largest(50) == sparse.largest(50) == by_size[:50]
    assert label_confusions(csr_array(y_true), csr_array(y_true)).counts.nnz == 0


@pytest.mark.parametrize("kind", [np.array, csr_array])
def test_without_a_pair_the_table_is_empty(kind):
    """A perfect prediction, one without false alarms, and one label."""
    for true, said in (([[1, 0]], [[1, 0]]), ([[1, 0]], [[0, 0]]), ([[1]], [[0]])):
        found = label_confusions(kind(true), kind(said))
        assert found.largest() == [] and len(found.table().steps[0].rows) == 0


def test_an_unknown_cell_is_neither_missed_nor_predicted_falsely():
    for cells in product([False, True], repeat=4):
        unknown = np.array([cells, cells[::-1]])
        masked = label_confusions(np.ma.masked_array(TRUTH[:2], unknown), SAID[:2])
        plain = label_confusions(*(np.where(unknown, 0, y[:2]) for y in (TRUTH, SAID)))
        for name in ("counts", "missed", "false_alarms"):
            assert (getattr(masked, name) == getattr(plain, name)).all()


def test_names_are_those_of_a_frame_unless_others_are_given():
    true, said = (pd.DataFrame(y, columns=LABELS) for y in (TRUTH, SAID))
    for data in ((true, said), (true, SAID), (TRUTH, said)):
        assert label_confusions(*data).largest(1) == [("sea", "sky", 2)]
    assert label_confusions(true, said, labels=list("abcd")).largest(1) == [("a", "c", 2)]
    assert label_confusions(TRUTH, SAID).largest(1) == [("0", "2", 2)]


# ------------------------------------------------------------------------------ the worst samples


@pytest.mark.parametrize(
    "metric, sign", [(partial(example_based.f1, zero_division=nan), 1), (hamming.hamming_loss, -1)]
)
def test_the_worst_come_first_and_who_has_no_value_not_at_all(metric, sign):
    """As a plain sort of the values has them, the lowest first where higher is better; most are ties."""
    y_true, other = np.random.default_rng(0).integers(0, 2, (2, 200, 3))
    values = metric(y_true, other, per_sample=True)
    order = sorted((round(sign * v, 9), i) for i, v in enumerate(values.tolist()) if v == v)
    found = worst_samples(metric, y_true, other, n=200)
    assert found.samples.tolist() == [i for _, i in order]
    assert found.values.tolist() == values[found.samples].tolist()
    assert worst_samples(metric, y_true, other).samples.tolist() == [i for _, i in order[:10]]


def test_the_worst_by_hand():
    """F1: 0, 0, 1/2 and 0, a false alarm alone; wrong are 4, 2, 2 and 1 of 4 cells."""
    assert worst_samples(example_based.f1, TRUTH, SAID).samples.tolist() == [0, 1, 3, 2]
    found = worst_samples(hamming.hamming_loss, csr_array(TRUTH), csr_array(SAID), n=3)
    assert (found.samples.tolist(), found.values.tolist()) == ([0, 1, 2], [1, 0.5, 0.5])


def test_values_that_differ_by_rounding_alone_are_ties():
    """(1 + 1 + 3/6) ÷ 3 and (1 + 2/3) ÷ 2 are 5/6, of which floats make two numbers, the second smaller."""
    y_true, y_score = [[1, 1, 0, 0, 0, 1], [1, 0, 1, 0, 0, 0]], [[6, 5, 4, 3, 2, 1]] * 2
    found = worst_samples(ranking.average_precision, y_true, y_score)
    assert found.values[0] > found.values[1] and found.samples.tolist() == [0, 1]


def test_the_losses_of_probabilities_by_hand():
    """Squares of the distances: (.01 + .04) ÷ 2, (.81 + .04) ÷ 2, and .25 alone where the other cell is unknown."""
    y_prob = [[0.9, 0.2], [0.1, 0.8], [0.5, 0.1]]
    y_true = np.ma.masked_equal([[1, 0], [1, 1], [0, -1]], -1)
    found = worst_samples(probability.brier, y_true, y_prob)
    assert found.samples.tolist() == [1, 2, 0]
    assert found.values == pytest.approx([0.425, 0.25, 0.025])
    everything = np.ma.masked_all((1, 2), dtype=int)
    assert worst_samples(probability.brier, everything, [[0.5, 0.5]]).samples.size == 0


def test_samples_are_named_as_the_frame_names_them():
    names = ["a.png", "b.png", "c.png", "d.png"]
    true = pd.DataFrame(TRUTH, index=names)
    for data in ((true, SAID), (TRUTH, pd.DataFrame(SAID, names)), (unknown(true), SAID)):
        found = worst_samples(hamming.hamming_loss, *data, n=2)
        assert found.samples.tolist() == ["a.png", "b.png"]
        assert true.loc[found.samples].to_numpy().tolist() == TRUTH[:2]
    kept = true.reset_index(drop=True)[1:]  # rows 1, 2 and 3 of a file
    assert worst_samples(hamming.hamming_loss, kept, SAID[1:]).samples.tolist() == [1, 2, 3]
