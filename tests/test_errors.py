"""Which label is predicted instead of which, and the worst samples: by hand, and against plain Python."""

from functools import partial
from itertools import product
from math import nan

import numpy as np
import pandas as pd
import pytest
import worlds
from scipy.sparse import coo_array, csc_matrix, csr_array

from mlm_helpers import (
    catalogue,
    curves,
    errors,
    example_based,
    hamming,
    hierarchy,
    label_based,
    probability,
    ranking,
)

TRUTH = [[1, 1, 0, 0], [1, 0, 0, 0], [0, 1, 1, 0], [0, 0, 0, 0]]
SAID = [[0, 0, 1, 1], [0, 0, 1, 0], [1, 1, 0, 0], [0, 0, 0, 1]]
LABELS = ["sea", "sun", "sky", "sand"]


def pairs(y_true, y_pred, unknown=()):
    """Samples with a miss of j and a false alarm of k, by sets."""
    found = {}
    for i, (true, said) in enumerate(zip(y_true, y_pred, strict=True)):
        cells = [
            (j, t, p)
            for j, (t, p) in enumerate(zip(true, said, strict=True))
            if (i, j) not in unknown
        ]
        missed, false = ([j for j, *cell in cells if cell == kind] for kind in ([1, 0], [0, 1]))
        for pair in product(missed, false):
            found[pair] = found.get(pair, 0) + 1
    return found


def stored(counts):
    """The counts that are not 0."""
    cells = coo_array(counts)
    return dict(
        zip(
            zip(cells.row.tolist(), cells.col.tolist(), strict=True),
            cells.data.tolist(),
            strict=True,
        )
    )


def test_four_samples_by_hand():
    """The first has two misses and two false alarms, so four pairs; the last a false alarm alone."""
    found = errors.instead(TRUTH, SAID, labels=LABELS)
    assert found.counts.tolist() == [[0, 0, 2, 1], [0, 0, 1, 1], [1, 0, 0, 0], [0, 0, 0, 0]]
    assert (found.missed.tolist(), found.false_alarms.tolist()) == ([2, 1, 1, 0], [1, 0, 2, 2])
    np.testing.assert_equal(found.shares, [[0, 0, 1, 0.5], [0, 0, 1, 1], [1, 0, 0, 0], [nan] * 4])
    assert found.largest(3) == [("sea", "sky", 2), ("sea", "sand", 1), ("sun", "sky", 1)]
    assert len(found.largest()) == 5


def test_the_table_shows_what_a_pair_is_to_be_compared_with():
    """Sky is a false alarm in both samples in which sea was missed, and in half of all four."""
    text = errors.instead(TRUTH, SAID, labels=LABELS).table(2).to_text()
    assert [line.split() for line in text.splitlines()[-2:]] == [
        ["sea", "sky", "2", "1", "0.5"],
        ["sea", "sand", "1", "0.5", "0.5"],
    ]
    found = errors.instead(TRUTH, SAID, labels=["<a>", *LABELS[1:]])
    assert "<td>sky</td><td>2</td>" in found._repr_html_() and "&lt;a&gt;" in found._repr_html_()
    assert repr(found) == found.table(10).to_text()


def test_every_small_world_is_counted_as_by_sets():
    for shape in ((2, 2), (1, 4)):
        for y_true, y_pred in worlds.pairs(*shape, False):
            assert stored(errors.instead(y_true, y_pred).counts) == pairs(y_true, y_pred)


KINDS = {
    "bool": lambda y: np.array(y, bool), "uint8": lambda y: np.array(y, "u1"), "float": lambda y: np.array(y, "f4"),
    "frame": pd.DataFrame, "csr": csr_array, "csc": csc_matrix,
}  # fmt: skip


@pytest.mark.parametrize("kinds", [*product(KINDS, KINDS)], ids="-".join)
def test_any_two_containers_give_the_same(kinds):
    found = errors.instead(*(KINDS[kind](y) for kind, y in zip(kinds, (TRUTH, SAID), strict=True)))
    plain = errors.instead(TRUTH, SAID)
    assert stored(found.counts) == stored(plain.counts)
    assert found.largest() == plain.largest() and repr(found) == repr(plain)
    assert (found.missed == plain.missed).all() and (found.false_alarms == plain.false_alarms).all()


def test_many_samples_and_labels_are_counted_alike_dense_and_sparse():
    """More rows than are multiplied at a time; sparse counts store no pair that does not occur."""
    rng = np.random.default_rng(0)
    y_true, y_pred = rng.random((2, 3000, 30)) < 0.1
    dense, sparse = (
        errors.instead(y_true, y_pred),
        errors.instead(*map(csr_array, (y_true, y_pred))),
    )
    assert stored(dense.counts) == pairs(1 * y_true, 1 * y_pred) == stored(sparse.counts)
    kept = dense.missed > 0
    assert np.array_equal(sparse.shares.toarray()[kept], dense.shares[kept])
    assert (
        dense.largest(50)
        == sparse.largest(50)
        == sorted(dense.largest(900), key=lambda pair: -pair[2])[:50]
    )
    eye = csr_array(np.eye(3))
    assert errors.instead(eye, eye).counts.nnz == 0


def test_an_unknown_cell_is_neither_missed_nor_predicted_falsely():
    for cells in product([False, True], repeat=4):
        unknown = np.array(cells).reshape(1, 4)
        for y_true, y_pred in (TRUTH[:1], SAID[:1]), (TRUTH[2:3], SAID[2:3]):
            found = errors.instead(np.ma.masked_array(y_true, unknown), y_pred)
            expected = pairs(y_true, y_pred, set(map(tuple, np.argwhere(unknown).tolist())))
            assert stored(found.counts) == expected
    assert errors.instead(np.ma.masked_array(TRUTH, np.eye(4)), SAID).false_alarms.tolist() == [
        1,
        0,
        2,
        1,
    ]


def test_names_are_those_of_a_frame_unless_others_are_given():
    frames = [pd.DataFrame(y, columns=LABELS) for y in (TRUTH, SAID)]
    assert errors.instead(*frames).largest(1) == [("sea", "sky", 2)]
    assert errors.instead(TRUTH, frames[1]).largest(1) == [("sea", "sky", 2)]
    assert errors.instead(*frames, labels=list("abcd")).largest(1) == [("a", "c", 2)]
    assert errors.instead(TRUTH, SAID).largest(1) == [("0", "2", 2)]


# ------------------------------------------------------------------------------ the worst samples


PER_SAMPLE = [record for record in catalogue.METRICS if "per_sample" in record.options]
SCORES = np.array([[0.1, 0.2, 0.9, 0.8], [0.5, 0.4, 0.6, 0.1], [0.4, 0.4, 0.3, 0.2], [1, 2, 3, 4]])


@pytest.mark.parametrize("record", PER_SAMPLE, ids=lambda record: record.id)
def test_the_worst_come_first_and_who_has_no_value_not_at_all(record):
    """Of each metric, as a plain sort of its values has them; the lowest where higher is better."""
    other = SAID if record.reads == "y_pred" else SCORES
    for worth in (nan, 1.0):
        bound = {name: worth for name in ("zero_division", "undefined") if name in record.options}
        metric = partial(record.function, **record.required, **bound)
        values = metric(TRUTH, other, per_sample=True)
        sign = 1 if record.higher_is_better else -1
        order = sorted((sign * v, i) for i, v in enumerate(values.tolist()) if v == v)
        found = errors.worst(metric, TRUTH, other)
        assert found.samples.tolist() == [i for _, i in order]
        assert found.values.tolist() == values[found.samples].tolist()
        assert errors.worst(metric, TRUTH, other, n=2).samples.tolist() == [i for _, i in order[:2]]


def test_by_hand():
    """F1 of the samples: 0, 0, 1/2 and 0 (one false alarm); wrong cells 4, 2, 2 and 1 of 4."""
    assert errors.worst(example_based.f1, TRUTH, SAID).samples.tolist() == [0, 1, 3, 2]
    found = errors.worst(hamming.hamming_loss, csr_array(TRUTH), csr_array(SAID), n=3)
    assert (found.samples.tolist(), found.values.tolist()) == ([0, 1, 2], [1, 0.5, 0.5])


def test_values_that_differ_by_rounding_alone_are_ties():
    """(1 + 1 + 3/6) ÷ 3 and (1 + 2/3) ÷ 2 are 5/6, of which floats make two numbers, the second smaller."""
    y_true, y_score = [[1, 1, 0, 0, 0, 1], [1, 0, 1, 0, 0, 0]], [[6, 5, 4, 3, 2, 1]] * 2
    found = errors.worst(ranking.average_precision, y_true, y_score)
    assert found.values[0] > found.values[1]
    assert found.samples.tolist() == [0, 1]


def test_an_empty_sample_that_is_right_is_among_the_worst_unless_0_by_0_agrees():
    y = [[1, 1], [0, 0]], [[1, 0], [0, 0]]
    assert errors.worst(example_based.f1, *y, n=1).samples.tolist() == [1]
    assert errors.worst(
        partial(example_based.f1, zero_division="agree"), *y, n=1
    ).samples.tolist() == [0]


@pytest.mark.parametrize(
    ("metric", "like"),
    [
        (label_based.f1, "example_based.f1"),
        (partial(label_based.jaccard, average="micro"), "example_based.accuracy"),
        (hierarchy.precision, "example_based.precision"),
        (curves.average_precision, "ranking."),
        (probability.log_loss, "ranking."),
    ],
)
def test_a_metric_without_values_per_sample_is_refused_by_one_that_has(metric, like):
    with pytest.raises(
        ValueError, match=f"has no value per sample: pass one that has, such as {like}"
    ):
        errors.worst(metric, TRUTH, SAID)


@pytest.mark.parametrize(
    ("call", "error", "said"),
    [
        (lambda: errors.instead(TRUTH, SCORES), ValueError, "y_pred holds the score 0.1 at row 0, column 0"),
        (lambda: errors.instead(TRUTH, np.ma.masked_array(SAID, np.eye(4))), TypeError, "y_pred is a masked array"),
        (lambda: errors.instead(TRUTH, SAID, labels=["a"]), ValueError, "labels has 1 names for 4 labels"),
        (lambda: errors.instead(TRUTH, SAID).largest(0), ValueError, "n is 0: give a whole number of 1 or more"),
        (lambda: errors.instead(TRUTH, SAID).table(1.5), ValueError, "n is 1.5"),
        (lambda: errors.worst(example_based.f1, TRUTH, SAID, n=0), ValueError, "n is 0"),
        (lambda: errors.worst(sum, TRUTH, SAID), ValueError, "metric is sum, which the catalogue does not hold"),
        (lambda: errors.worst(ranking.coverage, TRUTH, SAID[:2]), ValueError, "y_score has shape"),
    ],
)  # fmt: skip
def test_bad_input_gets_one_sentence(call, error, said):
    with pytest.raises(error, match=said):
        call()
