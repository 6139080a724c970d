"""The gate: every function reads through it, what it accepts, and that it never writes to it.

What it refuses, and in which words, stands in refusals/inputs.txt.
"""

from __future__ import annotations

import collections
import functools
import inspect
import math
import pickle
import re
import subprocess
import sys
from itertools import product
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from numpy.testing import assert_array_equal

from mlm_helpers import example_based, hamming, label_based, ranking, summary, uncertainty
from mlm_helpers._core import blocks, counts, inputs
from mlm_helpers.catalogue import METRICS
from mlm_helpers.conventions import identify, report
from mlm_helpers.scorecard import Scorecard

Y_TRUE = [[1, 0], [0, 1], [1, 1]]
Y_PRED = [[1, 1], [0, 1], [0, 1]]
SCORES = [[0.9, 0.2], [0.1, 0.3], [0.8, 0.4]]
GOOD = {"y_pred": Y_PRED, "y_score": SCORES, "y_prob": SCORES}
READERS = inputs.read_label_sets, inputs.read_label_scores, inputs.read_probabilities
NAN = math.nan
NAMED = pd.DataFrame(Y_TRUE, columns=["cat", "dog"], index=["x", "y", "z"])
MASKED = np.ma.masked_array([[1, 0], [0, 1], [1, 9]], mask=[[0, 1], [0, 0], [0, 1]])

CALLS = {  # every public function, by what it reads beside the truth
    kind: [functools.partial(m.function, **m.required) for m in METRICS if m.reads == kind]
    for kind in GOOD
}
CALLS["y_pred"].append(label_based.confusion)


def snapshot(thing):
    """What must not change."""
    if sp.issparse(thing):
        return {k: v.tobytes() for k, v in vars(thing).items() if isinstance(v, np.ndarray)}
    if isinstance(thing, (pd.DataFrame, pd.Series)):
        return repr(thing), repr(thing.dtypes)  # small enough to be shown whole
    return pickle.dumps(thing)


# ---------------------------------------------------------------------------- every function stands behind it


def bad_input(other):
    """Truth, the other matrix and weights, one of which is bad."""
    yield [[1, 0], [2, 1], [1, 1]], other, None
    yield Y_TRUE, sp.csc_array([[0, 0], [math.inf, 1], [1, NAN]]), None
    yield Y_TRUE, MASKED, None
    yield MASKED, sp.csc_array(other), None
    yield NAMED, pd.DataFrame(other, columns=["dog", "cat"]), None
    yield NAMED, other, [1, -1, -2]
    yield NAMED, other, pd.Series([1, 2, 3], index=["x", "z", "y"])


@pytest.mark.parametrize("kind, read", [*zip(CALLS, READERS, strict=True)])
def test_every_function_refuses_what_the_gate_refuses_and_writes_to_nothing(kind, read):
    for *pair, weight in bad_input(GOOD[kind]):
        before = [snapshot(thing) for thing in (*pair, weight)]
        with pytest.raises((TypeError, ValueError)) as gate:
            read(*pair, weight)
        for function in CALLS[kind]:
            with pytest.raises(gate.type, match=f"^{re.escape(str(gate.value))}$"):
                function(*pair, sample_weight=weight)
        assert [snapshot(thing) for thing in (*pair, weight)] == before


def readonly(cells, of=np.array):
    result = of(cells)
    names = ("data", "indices", "indptr")
    for part in [getattr(result, name) for name in names] if sp.issparse(result) else [result]:
        part.flags.writeable = False
    return result


@pytest.mark.parametrize("of", [np.array, sp.csr_array])
@pytest.mark.parametrize("dtype", [bool, int, float])
def test_no_function_writes_to_what_it_reads(of, dtype):
    weight = readonly([1.0, 2, 4])
    for function in (*CALLS["y_pred"], *CALLS["y_score"], *CALLS["y_prob"]):
        takes_ties = "ties" in inspect.signature(function).parameters
        for options in [{"ties": ties} for ties in inputs.TIES] if takes_ties else [{}]:
            pair = (readonly(np.array(rows, dtype), of) for rows in (Y_TRUE, Y_PRED))
            assert np.isfinite(function(*pair, sample_weight=weight, **options)).all()


@pytest.mark.parametrize("junk", [1, -1, NAN, None, "?"])
def test_under_a_mask_anything_may_stand(junk):
    cells = np.array([[1, None], [0, 1], [1, None]], dtype=object)
    cells[0, 1] = cells[2, 1] = junk
    data = inputs.read_label_sets(np.ma.masked_array(cells, MASKED.mask), Y_PRED)
    assert_array_equal(data.truth, [[1, 0], [0, 1], [1, 0]])
    assert_array_equal(data.known, [[1, 0], [1, 1], [1, 0]])
    assert_array_equal(
        data.with_weight(np.array([2.0, 3, 5])).cell_weights, [[2, 0], [3, 3], [5, 0]]
    )
    assert_array_equal(data.select_samples([2, 1]).select_labels([1]).dense().known, [[0], [1]])
    matrix = np.array([[1, 1], [0, 1], [1, 1]]).view(np.matrix)  # whose * is another product
    masked = np.ma.MaskedArray(matrix, MASKED.mask)
    assert_array_equal(inputs.read_label_sets(masked, Y_PRED).truth, data.truth)


# ---------------------------------------------------------------------------- weights


@pytest.mark.parametrize("moved", [([1, 0, 2], slice(None)), (slice(None), [1, 0])])
def test_frames_agree_in_names_also_beside_a_truth_without_names(moved):
    named, score = (pd.DataFrame(cells, [*"xyz"], ["cat", "dog"]) for cells in (Y_PRED, SCORES))
    other, f1 = named.iloc[moved], label_based.f1
    row = pd.Series([1, 2, 2], index=other.index)
    calls = [
        lambda: uncertainty.compare(f1, Y_TRUE, named, other),
        lambda: summary.models(Y_TRUE, {"first": named, "second": other}),
        lambda: summary.compare_labels(Y_TRUE, named, other),
        lambda: summary.labels(Y_TRUE, other, y_score=score),
        lambda: identify(0.5, Y_TRUE, other, score),
        lambda: report([f1], Y_TRUE, other, score),
        lambda: Scorecard.from_batch(Y_TRUE, other, score),
        lambda: f1(Y_TRUE, named, sample_weight=row),
        lambda: uncertainty.interval(f1, Y_TRUE, named, groups=row),
        lambda: summary.subgroups(f1, Y_TRUE, named, row),
    ]
    for call in calls if moved[0] == [1, 0, 2] else calls[:-3]:
        with pytest.raises(ValueError, match="at position 0 of its"):
            call()


@pytest.mark.parametrize("weight", [[1e-100, 0, 0], [1e100, 0, 0], [5e-324, 1, 0]])
@pytest.mark.parametrize("beta", [0, 1e-200, 1e200])
def test_no_weight_that_passes_overflows_or_vanishes(weight, beta):
    # one right sample alone decides; a weight that vanishes beside 1 changes nothing
    truth, right = [[1, 1], [1, 1], [0, 0]], [[1, 1], [1, 1], [1, 1]]
    for average in ("macro", "micro", "weighted"):
        call = functools.partial(label_based.fbeta, truth, right, beta=beta, sample_weight=weight)
        assert call(average=average) == 1


def test_good_weights():
    for weight in (
        (1.0, 2, np.int8(3)),
        np.array([1, 2, 3], dtype=np.uint8),
        np.array([1, 2, 3], dtype=object),
        pd.Series([1, 2, 3], dtype="Int64"),
        [1e-100, 2e-100, 3e-100],
    ):  # wrong cells 1, 0, 1 of 2 with weights 1, 2, 3: (1/2 + 3/2) / 6
        assert hamming.hamming_loss(Y_TRUE, Y_PRED, sample_weight=weight) == pytest.approx(1 / 3)


@pytest.mark.parametrize("read", [inputs.read_label_sets, inputs.read_label_scores])
def test_a_batch_may_weigh_nothing(read):
    data = read([[1, 0], [0, 1]], [[1, 0], [0, 1]], [0, 0], is_batch=True)
    assert data.weight.tolist() == [0.0, 0.0]
    for bad in ([0, NAN], [0], [0, 1e-200]):
        with pytest.raises(ValueError, match="sample_weight"):
            read([[1, 0], [0, 1]], [[1, 0], [0, 1]], bad, is_batch=True)


# ---------------------------------------------------------------------------- options


def test_every_function_checks_its_options():
    for m in METRICS:
        for option in m.defaults.keys() & inputs.CHECKS.keys():
            with pytest.raises(ValueError, match=rf"^{option} is \[1\]: (give|choose) "):
                m.function(Y_TRUE, GOOD[m.reads], **(m.required | {option: [1]}))
    with pytest.raises(ValueError, match=r"^ties is \[1\]: choose "):
        ranking.ranks(SCORES, ties=[1])


@pytest.mark.parametrize("kind", [np.float32, np.longdouble, np.int8])
def test_options_of_every_kind_of_number(kind):
    truth, nothing, scores = [[0, 0], [1, 0]], [[0, 0], [1, 0]], [[1, 0], [0, 1]]
    one = kind(1)
    assert example_based.f1(truth, nothing, zero_division=one) == 1
    assert example_based.fbeta(truth, nothing, beta=one) == 0.5
    assert ranking.coverage(truth, scores, undefined=one) == 1.5  # (1 + 2) / 2
    if kind != np.int8:
        assert example_based.f1(truth, nothing, zero_division=kind("nan")) == 1
        assert ranking.coverage(truth, scores, undefined=kind("nan")) == 2
    assert label_based.f1(truth, nothing, average=np.str_("micro")) == 1
    assert hamming.hamming_loss(truth, nothing, per_sample=np.True_).shape == (2,)


# ---------------------------------------------------------------------------- sizes, seeds and names


def test_labels_have_the_names_given_else_those_of_a_frame_else_numbers():
    array, numbered = np.array(Y_TRUE), pd.DataFrame(Y_TRUE)
    names = functools.partial(inputs.resolve_names, default=range(2), noun="label")
    for given in ([1, "b"], np.array(["1", "b"]), pd.Index(["1", "b"]), collections.deque("1b")):
        assert names(given) == ["1", "b"] and {*map(type, names(given))} == {str}
    assert inputs.resolve_names([1, "b"], range(2), "label", NAMED) == ["1", "b"]
    assert inputs.resolve_names(None, range(2), "label", array, NAMED) == ["cat", "dog"]
    assert inputs.resolve_names(None, range(2), "label", array, Y_TRUE) == ["0", "1"]
    assert inputs.frame_names("index", array, NAMED) == ["x", "y", "z"]
    assert inputs.frame_names("columns", numbered) is None  # as pandas numbers what has no names


def test_frames_are_matched_by_name_only_with_frames():
    swapped = NAMED[["dog", "cat"]]
    assert hamming.hamming_loss(NAMED, NAMED.copy()) == 0
    assert hamming.hamming_loss(NAMED, swapped.to_numpy()) == pytest.approx(2 / 3)  # rows 0 and 1
    assert hamming.hamming_loss(NAMED, sp.csr_array(swapped)) == pytest.approx(2 / 3)
    with pytest.raises(ValueError, match="'dog' at position 0 of its columns"):
        hamming.hamming_loss(like_polars(Y_TRUE), like_polars(Y_TRUE, ["dog", "cat"]))
    assert hamming.hamming_loss(like_polars(Y_TRUE), NAMED) == 0
    lists = [pd.Index([[1], [2], [3]], dtype=object) for _ in range(2)]
    for index, equal in (([0, 1, 2], [0.0, 1.0, 2.0]), ([NAN, 1, 2], [NAN, 1, 2]), lists):
        assert hamming.hamming_loss(NAMED.set_axis(index), NAMED.set_axis(equal)) == 0


# ---------------------------------------------------------------------------- what passes


def like_polars(rows, columns=("cat", "dog")):
    """A frame without an index, whose columns are a list."""
    return SimpleNamespace(columns=[*columns], to_numpy=functools.partial(np.array, rows))


def every_cell(rows, columns, copies):
    """A CSR array that stores every cell, its columns in this order; the copies as 0."""
    cells = np.array(rows)[:, columns]
    stored = np.dstack([cells, *[np.zeros_like(cells)] * (copies - 1)])
    places = np.tile(np.repeat(columns, copies), 3)
    return sp.csr_array((stored.ravel(), places, 2 * copies * np.arange(4)), shape=(3, 2))


CONTAINERS = {  # beside those in which test_every_metric gives its data
    "deque": lambda rows: collections.deque(map(collections.deque, rows)),
    **{kind: functools.partial(np.array, dtype=kind) for kind in ("u1", ">i4", "f2", "g", object)},
    "np.matrix": lambda rows: np.array(rows).view(np.matrix),
    "frame Int64": lambda rows: pd.DataFrame(rows).astype("Int64"),
    "frame sparse": lambda rows: pd.DataFrame(rows).astype(pd.SparseDtype(int, 0)),
    "like polars": like_polars,
    "unsorted": lambda rows: every_cell(rows, [1, 0], 1),
    "duplicates": lambda rows: every_cell(rows, [1, 0], 2).tocoo(),
    "csr_matrix": lambda rows: sp.csr_matrix(np.array(rows)),
}
OF_LABELS = {
    "lists of bool": lambda rows: [[bool(cell) for cell in row] for row in rows],
    "frame boolean": lambda rows: pd.DataFrame(rows).astype("boolean"),
    "sparse bool": lambda rows: sp.csr_array(np.array(rows, bool)),
}


@pytest.mark.parametrize("name", CONTAINERS | OF_LABELS)
def test_containers(name):
    make = (CONTAINERS | OF_LABELS)[name]
    for y_true, y_pred in ((make(Y_TRUE), make(Y_PRED)), (Y_TRUE, make(Y_PRED))):
        before = snapshot(y_true), snapshot(y_pred)
        # correct ∩: {0}, {1}, {1}; ∪: {0, 1}, {1}, {0, 1}
        assert_array_equal(example_based.accuracy(y_true, y_pred, per_sample=True), [0.5, 1, 0.5])
        assert hamming.hamming_loss(y_true, y_pred) == pytest.approx(1 / 3)  # 2 of 6 cells
        # label 0: hit, rejected, missed; label 1: false alarm, hit, hit. Weights 1, 2, 4
        confusion = label_based.confusion(y_true, y_pred, sample_weight=[1, 2, 4])
        assert_array_equal(confusion, [[1, 6], [0, 1], [4, 0], [2, 0]])
        assert (snapshot(y_true), snapshot(y_pred)) == before
    if name in CONTAINERS:
        y_score = make([[3, 0], [0, 2], [2, 1]])
        # the relevant labels reach down to rank 1, 1 and 2
        assert_array_equal(ranking.coverage(make(Y_TRUE), y_score, per_sample=True), [1, 1, 2])
        assert_array_equal(ranking.ranks(y_score), [[1, 2], [2, 1], [1, 2]])


def test_truth_values_of_any_bytes_count_as_one():
    """A mask of 0 and 255, seen as truth values: dense and stored, in counts, in ranks and as a weight."""
    truth, pred, ones, weight = (
        (np.array(cells, "u1") * 255).view(bool) for cells in (Y_TRUE, Y_PRED, [1] * 4, [1, 0, 1])
    )
    sparse = sp.coo_array((ones, np.nonzero(Y_PRED)), shape=(3, 2))
    for y_pred in (pred, sparse.tocsr()):
        per_sample = counts.count(inputs.read_label_sets(truth, y_pred), axis=1)
        assert_array_equal(per_sample, [[1, 1, 1], [1, 0, 0], [0, 0, 1], [0, 1, 0]])
        assert_array_equal(ranking.ranks(y_pred), [[2, 2], [2, 1], [2, 1]])
    assert hamming.hamming_loss(Y_TRUE, Y_PRED, sample_weight=weight) == 0.5  # rows 0 and 2


def test_scores_keep_their_precision():
    close = np.array([[1, np.nextafter(np.longdouble(1), 2)]])
    whole = [[2**53 - 1, 2**53]], [[-(2**53), 0.5]], np.array([[-(2**53), 2**53]])
    for ascending in (close, *whole, [[1e300, 2e300]]):
        assert_array_equal(ranking.ranks(ascending), [[2, 1]])
        assert ranking.coverage([[0, 1]], ascending) == 1
    assert inputs.read_score_matrix(np.zeros((1, 1), "f4")).dtype == np.float32
    assert inputs.read_score_matrix([[True, False]]).dtype == float


@pytest.mark.parametrize("layout", [np.ascontiguousarray, np.asfortranarray, np.flipud])
@pytest.mark.parametrize("kind", ["?", "i1", "f8"])
def test_what_passes_is_neither_copied_nor_converted(kind, layout):
    labels, other = (layout(np.array(rows, dtype=kind)) for rows in (Y_TRUE, Y_PRED))
    for read in (inputs.read_label_sets, inputs.read_label_scores):
        data = read(labels, other)
        assert np.shares_memory(data.truth, labels) and np.shares_memory(data.prediction, other)
        is_view = kind == "?" and read is inputs.read_label_scores  # of the numbers 0 and 1
        assert (data.truth.dtype, data.prediction.dtype) == (kind, "u1" if is_view else kind)


@pytest.mark.parametrize("kind", ["i8", "f4"])
def test_the_first_offending_value_is_found_in_whichever_block(kind, monkeypatch):
    monkeypatch.setattr(blocks, "BLOCK_CELLS", 6)
    for bad, row, column in product((2, -1), (0, 4, 8), (0, 2)):
        cells = np.zeros((9, 3), dtype=kind)
        cells[row, column] = cells[8, 2] = bad
        with pytest.raises(ValueError, match=rf"holds {bad}\S* at row {row}, column {column}, "):
            hamming.hamming_loss(np.zeros_like(cells), cells)


def kinds(data):
    return [type(data.truth), type(data.prediction)]


def test_only_two_sparse_matrices_stay_sparse_and_share_what_is_stored():
    sparse = sp.csr_array(np.array(Y_TRUE, bool))
    data = inputs.read_label_sets(sparse, sparse)
    assert kinds(data) == [sp.csr_array, sp.csr_array]
    assert np.shares_memory(data.truth.indices, sparse.indices)
    assert np.shares_memory(data.truth.data, sparse.data)
    for pair in ((sparse, Y_PRED), (Y_TRUE, sparse)):
        assert kinds(inputs.read_label_sets(*pair)) == [np.ndarray, np.ndarray]
    assert kinds(inputs.read_label_scores(sparse, sparse)) == [np.ndarray, np.ndarray]


@pytest.mark.parametrize("truth", [Y_TRUE, sp.csc_matrix(Y_TRUE)], ids=["dense", "sparse"])
def test_sparse_scores_stay_sparse_where_they_are_kept(truth):
    """With the zeros among them; and the truth with them, of ones alone."""
    kept = functools.partial(inputs.read_label_scores, truth, keep_sparse=True)
    data = kept(every_cell([[3, 0], [0, 2], [2, 1]], [0, 1], 1))
    assert kinds(data) == [sp.csr_array, sp.csr_array]
    assert_array_equal(data.truth.toarray(), Y_TRUE)
    assert (data.truth.nnz, data.prediction.data.tolist()) == (4, [3, 0, 0, 2, 2, 1])
    assert kinds(kept(SCORES)) == [np.ndarray, np.ndarray]
    bits = sp.csr_array(np.array(Y_PRED, bool))
    assert kept(bits).prediction.data.dtype == np.uint8  # -True is no number


def test_dense_input_imports_nothing_more():
    code = """
import sys
from mlm_helpers import example_based, ranking
assert example_based.f1([[1, 0]], [[1, 1]], sample_weight=[1]) and ranking.coverage([[1, 0]], [[2, 1]])
assert not {"scipy", "pandas", "sklearn", "matplotlib"} & {*sys.modules}"""
    subprocess.run([sys.executable, "-c", code], check=True)
