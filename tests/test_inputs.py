"""Reading of arguments: shared by all metrics, from many containers, and without writing to them.

The approved messages about invalid arguments are those of refusals/inputs.txt.
"""

from __future__ import annotations

import collections
import functools
import math
import pickle
import re
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from numpy.testing import assert_array_equal

from mlm_helpers import example_based, hamming, label_based, ranking, summary, uncertainty
from mlm_helpers._core import counts
from mlm_helpers._core.inputs.options import CHECKS, frame_names, resolve_names
from mlm_helpers._core.inputs.read import (
    read_label_scores,
    read_label_sets,
    read_probabilities,
    read_score_matrix,
)
from mlm_helpers.catalogue import METRICS
from mlm_helpers.catalogue.arguments import find_record
from mlm_helpers.conventions import identify, report
from mlm_helpers.scorecard import Scorecard

Y_TRUE = [[1, 0], [0, 1], [1, 1]]
Y_PRED = [[1, 1], [0, 1], [0, 1]]
SCORES = [[0.9, 0.2], [0.1, 0.3], [0.8, 0.4]]
GOOD = {"y_pred": Y_PRED, "y_score": SCORES, "y_prob": SCORES}
READERS = read_label_sets, read_label_scores, read_probabilities
NAN = math.nan
NAMED = pd.DataFrame(Y_TRUE, columns=["cat", "dog"], index=["x", "y", "z"])
MASKED = np.ma.masked_array([[1, 0], [0, 1], [1, 9]], mask=[[0, 1], [0, 0], [0, 1]])

CALLS = {  # every metric, by what it reads as prediction
    kind: [functools.partial(m.function, **m.required) for m in METRICS if m.reads == kind]
    for kind in GOOD
}
CALLS["y_pred"].append(label_based.confusion)


def contents(container):
    """The contents of a container, equal before and after a call that does not write to it."""
    if sp.issparse(container):
        return {k: v.tobytes() for k, v in vars(container).items() if isinstance(v, np.ndarray)}
    if isinstance(container, (pd.DataFrame, pd.Series)):
        return repr(container), repr(container.dtypes)  # small enough for a repr without gaps
    return pickle.dumps(container)


# -------------------------------------------------------------------- all metrics share the reading


def invalid_arguments(prediction):
    """Truth, prediction and weights, of which at least one argument is invalid."""
    yield [[1, 0], [2, 1], [1, 1]], prediction, None
    yield Y_TRUE, sp.csc_array([[0, 0], [math.inf, 1], [1, NAN]]), None
    yield Y_TRUE, MASKED, None
    yield MASKED, sp.csc_array(prediction), None
    yield NAMED, pd.DataFrame(prediction, columns=["dog", "cat"]), None
    yield NAMED, prediction, [1, -1, -2]
    yield NAMED, prediction, pd.Series([1, 2, 3], index=["x", "z", "y"])


@pytest.mark.parametrize("kind, read", [*zip(CALLS, READERS, strict=True)])
def test_all_metrics_refuse_invalid_arguments_as_their_reader_does_and_write_to_none(kind, read):
    for *pair, weight in invalid_arguments(GOOD[kind]):
        contents_before = [contents(argument) for argument in (*pair, weight)]
        with pytest.raises((TypeError, ValueError)) as refusal:
            read(*pair, weight)
        for function in CALLS[kind]:
            with pytest.raises(refusal.type, match=f"^{re.escape(str(refusal.value))}$"):
                function(*pair, sample_weight=weight)
        assert [contents(argument) for argument in (*pair, weight)] == contents_before


def readonly(cells, container=np.array):
    result = container(cells)
    names = ("data", "indices", "indptr")
    for part in [getattr(result, name) for name in names] if sp.issparse(result) else [result]:
        part.flags.writeable = False
    return result


@pytest.mark.parametrize("container", [np.array, sp.csr_array])
@pytest.mark.parametrize("dtype", [bool, int, float])
def test_no_metric_writes_to_its_arguments(container, dtype):
    weight = readonly([1.0, 2, 4])
    for function in (*CALLS["y_pred"], *CALLS["y_score"], *CALLS["y_prob"]):
        tie_rules = getattr(find_record(function), "tie_rules", ())
        for options in [{"ties": ties} for ties in tie_rules] or [{}]:
            pair = (readonly(np.array(rows, dtype), container) for rows in (Y_TRUE, Y_PRED))
            assert np.isfinite(function(*pair, sample_weight=weight, **options)).all()


@pytest.mark.parametrize("junk", [1, -1, NAN, None, "?"])
def test_masked_cells_may_hold_any_value(junk):
    cells = np.array([[1, None], [0, 1], [1, None]], dtype=object)
    cells[0, 1] = cells[2, 1] = junk
    data = read_label_sets(np.ma.masked_array(cells, MASKED.mask), Y_PRED)
    assert_array_equal(data.truth, [[1, 0], [0, 1], [1, 0]])
    assert_array_equal(data.known, [[1, 0], [1, 1], [1, 0]])
    assert_array_equal(
        data.with_weight(np.array([2.0, 3, 5])).cell_weights, [[2, 0], [3, 3], [5, 0]]
    )
    assert_array_equal(data.select_samples([2, 1]).select_labels([1]).dense().known, [[0], [1]])
    matrix = np.array([[1, 1], [0, 1], [1, 1]]).view(np.matrix)  # its * is the matrix product
    masked = np.ma.MaskedArray(matrix, MASKED.mask)
    assert_array_equal(read_label_sets(masked, Y_PRED).truth, data.truth)


# ---------------------------------------------------------------------------- weights


@pytest.mark.parametrize("order", [([1, 0, 2], slice(None)), (slice(None), [1, 0])])
def test_two_frames_must_have_one_order_even_if_the_truth_has_no_names(order):
    y_pred, score = (pd.DataFrame(cells, [*"xyz"], ["cat", "dog"]) for cells in (Y_PRED, SCORES))
    reordered, f1 = y_pred.iloc[order], label_based.f1
    row = pd.Series([1, 2, 2], index=reordered.index)
    calls = [
        lambda: uncertainty.compare(f1, Y_TRUE, y_pred, reordered),
        lambda: summary.models(Y_TRUE, {"first": y_pred, "second": reordered}),
        lambda: summary.compare_labels(Y_TRUE, y_pred, reordered),
        lambda: summary.labels(Y_TRUE, reordered, y_score=score),
        lambda: identify(0.5, Y_TRUE, reordered, score),
        lambda: report([f1], Y_TRUE, reordered, score),
        lambda: Scorecard.from_batch(Y_TRUE, reordered, score),
        lambda: f1(Y_TRUE, y_pred, sample_weight=row),
        lambda: uncertainty.interval(f1, Y_TRUE, y_pred, groups=row),
        lambda: summary.subgroups(f1, Y_TRUE, y_pred, row),
    ]
    rows_are_reordered = order[0] == [1, 0, 2]
    for call in calls if rows_are_reordered else calls[:-3]:  # The last three read no columns.
        with pytest.raises(ValueError, match="at position 0 of its"):
            call()


@pytest.mark.parametrize("weight", [[1e-100, 0, 0], [1e100, 0, 0], [5e-324, 1, 0]])
@pytest.mark.parametrize("beta", [0, 1e-200, 1e200])
def test_valid_weights_neither_overflow_nor_underflow(weight, beta):
    # All predictions of the samples with weight are right; a weight too small to change a sum is
    # ignored.
    truth, prediction = [[1, 1], [1, 1], [0, 0]], [[1, 1], [1, 1], [1, 1]]
    for average in ("macro", "micro", "weighted"):
        call = functools.partial(
            label_based.fbeta, truth, prediction, beta=beta, sample_weight=weight
        )
        assert call(average=average) == 1


def test_weights_of_many_containers():
    for weight in (
        (1.0, 2, np.int8(3)),
        np.array([1, 2, 3], dtype=np.uint8),
        np.array([1, 2, 3], dtype=object),
        pd.Series([1, 2, 3], dtype="Int64"),
        [1e-100, 2e-100, 3e-100],
    ):  # wrong cells 1, 0, 1 of 2 with weights 1, 2, 3: (1/2 + 3/2) / 6
        assert hamming.hamming_loss(Y_TRUE, Y_PRED, sample_weight=weight) == pytest.approx(1 / 3)


@pytest.mark.parametrize("read", [read_label_sets, read_label_scores])
def test_all_weights_of_a_batch_may_be_0(read):
    data = read([[1, 0], [0, 1]], [[1, 0], [0, 1]], [0, 0], is_batch=True)
    assert data.weight.tolist() == [0.0, 0.0]
    for invalid in ([0, NAN], [0], [0, 1e-200]):
        with pytest.raises(ValueError, match="sample_weight"):
            read([[1, 0], [0, 1]], [[1, 0], [0, 1]], invalid, is_batch=True)


# ---------------------------------------------------------------------------- options


def test_every_metric_checks_its_options():
    for m in METRICS:
        for option in m.defaults.keys() & CHECKS.keys():
            with pytest.raises(ValueError, match=rf"^{option} is \[1\]: (give|choose) "):
                m.function(Y_TRUE, GOOD[m.reads], **(m.required | {option: [1]}))
    with pytest.raises(ValueError, match=r"^ties is \[1\]: choose "):
        ranking.ranks(SCORES, ties=[1])


@pytest.mark.parametrize("dtype", [np.float32, np.longdouble, np.int8])
def test_options_may_be_numbers_of_numpy(dtype):
    y_true, y_pred, y_score = [[0, 0], [1, 0]], [[0, 0], [1, 0]], [[1, 0], [0, 1]]
    assert example_based.f1(y_true, y_pred, zero_division=dtype(1)) == 1
    assert example_based.fbeta(y_true, y_pred, beta=dtype(1)) == 0.5
    assert ranking.coverage(y_true, y_score, undefined=dtype(1)) == 1.5  # (1 + 2) / 2
    if dtype != np.int8:
        assert example_based.f1(y_true, y_pred, zero_division=dtype("nan")) == 1
        assert ranking.coverage(y_true, y_score, undefined=dtype("nan")) == 2
    assert label_based.f1(y_true, y_pred, average=np.str_("micro")) == 1
    assert hamming.hamming_loss(y_true, y_pred, per_sample=np.True_).shape == (2,)


# --------------------------------------------------------------------------- sizes, seeds and names


def test_label_names_are_those_given_else_those_of_a_frame_else_numbers():
    array, numbered = np.array(Y_TRUE), pd.DataFrame(Y_TRUE)
    for names in ([1, "b"], np.array(["1", "b"]), pd.Index(["1", "b"]), collections.deque("1b")):
        texts = resolve_names(names, range(2), "label", NAMED)
        assert texts == ["1", "b"] and {*map(type, texts)} == {str}
    assert resolve_names(None, range(2), "label", array, NAMED) == ["cat", "dog"]
    assert resolve_names(None, range(2), "label", array, Y_TRUE) == ["0", "1"]
    assert frame_names("index", array, NAMED) == ["x", "y", "z"]
    assert frame_names("columns", numbered) is None  # the numbers of pandas are not names


def test_names_are_compared_only_if_both_matrices_have_them():
    swapped = NAMED[["dog", "cat"]]
    assert hamming.hamming_loss(NAMED, NAMED.copy()) == 0
    assert hamming.hamming_loss(NAMED, swapped.to_numpy()) == pytest.approx(2 / 3)  # rows 0 and 1
    assert hamming.hamming_loss(NAMED, sp.csr_array(swapped)) == pytest.approx(2 / 3)
    with pytest.raises(ValueError, match="'dog' at position 0 of its columns"):
        hamming.hamming_loss(like_polars(Y_TRUE), like_polars(Y_TRUE, ["dog", "cat"]))
    assert hamming.hamming_loss(like_polars(Y_TRUE), NAMED) == 0
    lists = [pd.Index([[1], [2], [3]], dtype=object) for _ in range(2)]
    for first, second in (([0, 1, 2], [0.0, 1.0, 2.0]), ([NAN, 1, 2], [NAN, 1, 2]), lists):
        assert hamming.hamming_loss(NAMED.set_axis(first), NAMED.set_axis(second)) == 0


# ---------------------------------------------------------------------------- accepted containers


def like_polars(rows, columns=("cat", "dog")):
    """A frame as polars has it: without an index, and with a list of column names."""
    return SimpleNamespace(columns=[*columns], to_numpy=functools.partial(np.array, rows))


def full_csr(rows, columns, n_stored):
    """A CSR array that stores every cell n times, its value, then 0; columns in this order."""
    cells = np.array(rows)[:, columns]
    values = np.dstack([cells, *[np.zeros_like(cells)] * (n_stored - 1)])
    indices = np.tile(np.repeat(columns, n_stored), 3)
    return sp.csr_array((values.ravel(), indices, 2 * n_stored * np.arange(4)), shape=(3, 2))


CONTAINERS = {  # in addition to those of test_every_metric
    "deque": lambda rows: collections.deque(map(collections.deque, rows)),
    **{kind: functools.partial(np.array, dtype=kind) for kind in ("u1", ">i4", "f2", "g", object)},
    "np.matrix": lambda rows: np.array(rows).view(np.matrix),
    "frame Int64": lambda rows: pd.DataFrame(rows).astype("Int64"),
    "frame sparse": lambda rows: pd.DataFrame(rows).astype(pd.SparseDtype(int, 0)),
    "like polars": like_polars,
    "unsorted": lambda rows: full_csr(rows, [1, 0], 1),
    "duplicates": lambda rows: full_csr(rows, [1, 0], 2).tocoo(),
    "csr_matrix": lambda rows: sp.csr_matrix(np.array(rows)),
}
LABEL_CONTAINERS = {  # for zeros and ones only
    "lists of bool": lambda rows: [[bool(cell) for cell in row] for row in rows],
    "frame boolean": lambda rows: pd.DataFrame(rows).astype("boolean"),
    "sparse bool": lambda rows: sp.csr_array(np.array(rows, bool)),
}


@pytest.mark.parametrize("name", CONTAINERS | LABEL_CONTAINERS)
def test_containers(name):
    make = (CONTAINERS | LABEL_CONTAINERS)[name]
    for y_true, y_pred in ((make(Y_TRUE), make(Y_PRED)), (Y_TRUE, make(Y_PRED))):
        contents_before = contents(y_true), contents(y_pred)
        # hits {0}, {1}, {1}; true or predicted {0, 1}, {1}, {0, 1}
        assert_array_equal(example_based.accuracy(y_true, y_pred, per_sample=True), [0.5, 1, 0.5])
        assert hamming.hamming_loss(y_true, y_pred) == pytest.approx(1 / 3)  # 2 of 6 cells
        # label 0: tp, tn, fn; label 1: fp, tp, tp; weights 1, 2, 4
        confusion = label_based.confusion(y_true, y_pred, sample_weight=[1, 2, 4])
        assert_array_equal(confusion, [[1, 6], [0, 1], [4, 0], [2, 0]])
        assert (contents(y_true), contents(y_pred)) == contents_before
    if name in CONTAINERS:
        y_score = make([[3, 0], [0, 2], [2, 1]])
        # the lowest relevant label has rank 1, 1 and 2
        assert_array_equal(ranking.coverage(make(Y_TRUE), y_score, per_sample=True), [1, 1, 2])
        assert_array_equal(ranking.ranks(y_score), [[1, 2], [2, 1], [1, 2]])


def test_booleans_whose_bytes_are_not_0_and_1_count_as_1():
    """A mask of bytes 0 and 255, viewed as booleans: dense, sparse, labels, scores, weights."""
    truth, pred, ones, weight = (
        (np.array(cells, "u1") * 255).view(bool) for cells in (Y_TRUE, Y_PRED, [1] * 4, [1, 0, 1])
    )
    sparse = sp.coo_array((ones, np.nonzero(Y_PRED)), shape=(3, 2))
    for y_pred in (pred, sparse.tocsr()):
        per_sample = counts.count(read_label_sets(truth, y_pred), axis=1)
        assert_array_equal(per_sample, [[1, 1, 1], [1, 0, 0], [0, 0, 1], [0, 1, 0]])
        assert_array_equal(ranking.ranks(y_pred), [[2, 2], [2, 1], [2, 1]])
    assert hamming.hamming_loss(Y_TRUE, Y_PRED, sample_weight=weight) == 0.5  # rows 0 and 2


def test_scores_keep_their_precision():
    close = np.array([[1, np.nextafter(np.longdouble(1), 2)]])
    large = [[2**53 - 1, 2**53]], [[-(2**53), 0.5]], np.array([[-(2**53), 2**53]])
    for ascending in (close, *large, [[1e300, 2e300]]):
        assert_array_equal(ranking.ranks(ascending), [[2, 1]])
        assert ranking.coverage([[0, 1]], ascending) == 1
    assert read_score_matrix(np.zeros((1, 1), "f4")).dtype == np.float32
    assert read_score_matrix([[True, False]]).dtype == float


@pytest.mark.parametrize("layout", [np.ascontiguousarray, np.asfortranarray, np.flipud])
@pytest.mark.parametrize("kind", ["?", "i1", "f8"])
def test_valid_matrices_are_neither_copied_nor_converted(kind, layout):
    y_true, y_pred = (layout(np.array(rows, dtype=kind)) for rows in (Y_TRUE, Y_PRED))
    for read in (read_label_sets, read_label_scores):
        data = read(y_true, y_pred)
        assert np.shares_memory(data.truth, y_true) and np.shares_memory(data.prediction, y_pred)
        is_view = kind == "?" and read is read_label_scores  # booleans as the integers 0, 1
        assert (data.truth.dtype, data.prediction.dtype) == (kind, "u1" if is_view else kind)


def matrix_types(data):
    return [type(data.truth), type(data.prediction)]


def test_label_sets_stay_sparse_and_share_memory_if_both_are_sparse():
    sparse = sp.csr_array(np.array(Y_TRUE, bool))
    data = read_label_sets(sparse, sparse)
    assert matrix_types(data) == [sp.csr_array, sp.csr_array]
    assert np.shares_memory(data.truth.indices, sparse.indices)
    assert np.shares_memory(data.truth.data, sparse.data)
    for pair in ((sparse, Y_PRED), (Y_TRUE, sparse)):
        assert matrix_types(read_label_sets(*pair)) == [np.ndarray, np.ndarray]
    assert matrix_types(read_label_scores(sparse, sparse)) == [np.ndarray, np.ndarray]


@pytest.mark.parametrize("truth", [Y_TRUE, sp.csc_matrix(Y_TRUE)], ids=["dense", "sparse"])
def test_sparse_scores_stay_sparse_with_keep_sparse(truth):
    """Stored zeros are kept among the scores; the truth becomes sparse too, with ones only."""
    read = functools.partial(read_label_scores, truth, keep_sparse=True)
    data = read(full_csr([[3, 0], [0, 2], [2, 1]], [0, 1], 1))
    assert matrix_types(data) == [sp.csr_array, sp.csr_array]
    assert_array_equal(data.truth.toarray(), Y_TRUE)
    assert (data.truth.nnz, data.prediction.data.tolist()) == (4, [3, 0, 0, 2, 2, 1])
    assert matrix_types(read(SCORES)) == [np.ndarray, np.ndarray]
    bits = sp.csr_array(np.array(Y_PRED, bool))
    assert read(bits).prediction.data.dtype == np.uint8  # NumPy does not negate booleans


def test_dense_input_imports_no_optional_package():
    code = """
import sys
from mlm_helpers import example_based, ranking
assert example_based.f1([[1, 0]], [[1, 1]], sample_weight=[1])
assert ranking.coverage([[1, 0]], [[2, 1]])
assert not {"scipy", "pandas", "sklearn", "matplotlib"} & {*sys.modules}"""
    subprocess.run([sys.executable, "-c", code], check=True)
