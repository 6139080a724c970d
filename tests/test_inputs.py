"""The gate: what it refuses, in which words; what it accepts; and that it never writes to it."""

from __future__ import annotations

import array
import collections
import functools
import inspect
import math
import pickle
import re
import subprocess
import sys
import warnings
from itertools import product

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from numpy.testing import assert_array_equal

from mlm_helpers import example_based, hamming, label_based, ranking
from mlm_helpers._core import blocks, counts, inputs
from mlm_helpers.catalogue import METRICS

Y_TRUE = [[1, 0], [0, 1], [1, 1]]
Y_PRED = [[1, 1], [0, 1], [0, 1]]
SCORES = [[0.9, 0.2], [0.1, 0.3], [0.8, 0.4]]
GOOD = {"y_pred": Y_PRED, "y_score": SCORES, "y_prob": SCORES}
NAN, INF = math.nan, math.inf

CALLS = {  # every public function, by what it reads beside the truth
    kind: [functools.partial(m.function, **m.required) for m in METRICS if m.reads == kind]
    for kind in GOOD
}
CALLS["y_pred"].append(label_based.confusion)

MATRIX = "give a matrix with one row per sample and one column per label, a 0 or 1 in each cell"
BINARIZE = "turn label sets into a 0/1 matrix with sklearn.preprocessing.MultiLabelBinarizer"
TAGS = "turn tags into matrices with mlm_helpers.data.from_tags(y_true, y_pred, separator=...)"
UNKNOWN = "<if nobody annotated the cell, pass mlm_helpers.data.unknown(y_true, {}), else >"  # y_true alone
MISSING = "decide whether the label is relevant, or leave the sample out"
WEIGHTS = "give one finite weight of 0 or more per sample, not all 0"
SCORE = MATRIX.replace("0 or 1", "score")
WORDS = {  # the remedies that depend on what is asked for; the longer names first
    "labels": {"RAGGED": f"{MATRIX}; {BINARIZE}", "ADVICE": MATRIX, "BINARIZE": BINARIZE, "TAGS": TAGS,
               "MISSING": MISSING},
    "scores": dict.fromkeys(("RAGGED", "ADVICE", "BINARIZE", "TAGS", "MISSING"), SCORE),
}  # fmt: skip


def snapshot(thing):
    """What must not change; generators and the like have no such thing."""
    if sp.issparse(thing):
        return {k: v.tobytes() for k, v in vars(thing).items() if isinstance(v, np.ndarray)}
    if isinstance(thing, (pd.DataFrame, pd.Series)):
        return repr(thing), repr(thing.dtypes)  # small enough to be shown whole
    try:
        return pickle.dumps(thing)
    except Exception:
        return None


def check_refusal(call, error, sentence, *values):
    """One exception of exactly this type and sentence; no warning, and no value written to."""
    before = [snapshot(value) for value in values]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(error) as caught:
            call()
    assert type(caught.value) is error
    assert str(caught.value) == sentence
    assert "\n" not in sentence
    assert [snapshot(value) for value in values] == before


def refused_by_all(kind, y_true, other, error, sentence, *values, **options):
    """By every function that reads this kind, in one sentence."""
    for function in CALLS[kind]:
        call = functools.partial(function, y_true, other, **options)
        check_refusal(call, error, sentence, *values)


def refused_everywhere(bad, error, sentence, role):
    """As each argument that has this role."""
    for word, text in WORDS[role].items():
        sentence = sentence.replace(word, text)
    of_other = re.sub("<(if|else).*?>", "", sentence)
    if role == "scores":
        sentence = of_other.replace("NAME", "y_score")
        refused_by_all("y_score", Y_TRUE, bad, error, sentence, bad)
        return check_refusal(lambda: ranking.ranks(bad), error, sentence, bad)
    refused_by_all("y_pred", Y_TRUE, bad, error, of_other.replace("NAME", "y_pred"), bad)
    of_truth = re.sub("<((if|else).*?)>", r"\1", sentence).replace("NAME", "y_true")
    for kind, good in GOOD.items():
        refused_by_all(kind, bad, good, error, of_truth, bad)


def cases(table):
    return pytest.mark.parametrize(
        "bad, error, sentence", [pytest.param(*row, id=name) for name, row in table.items()]
    )


class OnTheGpu:
    def __array__(self, *args, **kwargs):
        raise RuntimeError("can't convert\n  cuda:0 device type tensor to numpy")


class Thing:
    """Its repr shows a memory address."""


class Unprintable:
    def __repr__(self):
        raise ZeroDivisionError


def frame(**columns):
    return pd.DataFrame(columns)


def column(bad, dtype=None):
    return frame(a=pd.Series([1, bad, 1], dtype=dtype), b=[0, 1, 1])


# ---------------------------------------------------------------------------- no matrix of labels or of scores

TOP = "row 0, column 0"

recursive: list = []
recursive.append(recursive)


def empty(*shape):
    return ValueError, f"NAME has shape {shape}, empty or not of two dimensions: ADVICE"


deep = empty


def ragged(row, length, wanted):
    lengths = f"row {row} has length {length} where row 0 has {wanted}"
    return ValueError, f"NAME is ragged, {lengths}: RAGGED"


def not_real(shown, place="row 1, column 0", remedy="ADVICE", kind="real number"):
    return TypeError, f"NAME holds {shown} at {place}, which is not a {kind}: {remedy}"


def no_row(shown, place, remedy="ADVICE"):
    return not_real(shown, place, remedy, "row of numbers")


def unreadable(kind, why):
    remedy = "convert it to a NumPy array first"
    return TypeError, f"NAME is of type {kind}, which NumPy cannot read ({why}): {remedy}"


NO_MATRIX = {
    f"{type(thing).__name__} {i}": (thing, TypeError, f"NAME is of type {type(thing).__name__}: ADVICE")
    for i, thing in enumerate([
        None, "101", bytearray(b"101"), 1, np.array(1), {"a": [1, 0]}, (row for row in Y_PRED), Thing(),
    ])
} | {
    f"1-D {type(thing).__name__}": (
        thing, ValueError,
        "NAME has one dimension, its shape is (3,), and needs two: for a single sample pass"
        " np.reshape(NAME, (1, -1)), for a single label np.reshape(NAME, (-1, 1))",
    )
    for thing in (
        [1, 0, 1], np.array([1, 0, 1]), pd.Series([1, 0, 1]), sp.coo_array(np.array([1, 0, 1])),
    )
} | {
    "its __array__ raises": (
        OnTheGpu(), *unreadable("OnTheGpu", "can't convert cuda:0 device type tensor to numpy")),
    "empty": ([], *empty(0)),
    "no labels": ([[], [], []], *empty(3, 0)),
    "empty sparse": (sp.csr_array((0, 2)), *empty(0, 2)),
    "3-D list": ([Y_PRED, Y_PRED], *deep(2, 3, 2)),
    "3-D sparse": (sp.coo_array(np.ones((2, 2, 2))), *deep(2, 2, 2)),
    # ---- ragged
    "a row too short": ([[1, 0], [1], [1, 1]], *ragged(1, 1, 2)),
    "an object array of lists": (np.array([[1, 0], [1]], dtype=object), *ragged(1, 1, 2)),
    "a number for a row": ([[1, 0], 1, [1]], *no_row("1", "row 1")),
    "a list in a cell": ([[1, [0]], [1, 1]], *not_real("[0]", "row 0, column 1", "BINARIZE")),
    "a Series of rows": (
        pd.Series(Y_PRED), TypeError,
        "NAME holds rows within cells: make one matrix of them, np.stack(NAME)",
    ),
    # ---- label sets
    "label-name lists, ragged": ([["cat"], ["dog", "cat"], []], *not_real("'cat'", TOP, "TAGS")),
    "label names": (["cat", "dog", "cat"], *not_real("'cat'", "row 0", "TAGS")),
    "sets": ([{0}, {1}, {0, 1}], *not_real("{0}", "row 0", "BINARIZE")),
    "dicts": ([{"cat": 1}, {"dog": 1}], *not_real("{'cat': 1}", "row 0", "TAGS")),
    # ---- lists of matrices
    "predict_proba": (
        [np.full((3, 2), 0.5), np.full((3, 2), 0.5)], ValueError,
        "NAME is a list of matrices, as predict_proba returns one per label: keep the column of"
        " class 1, np.column_stack([p[:, 1] for p in NAME])",
    ),
    "masked cell": ([[1, np.ma.masked], [0, 1], [0, 1]], *not_real("masked", "row 0, column 1")),
}  # fmt: skip

TEXT = "turn text into numbers with np.asarray(NAME).astype(float)"

NO_NUMBERS = {
    "text '1'": ([[1, 1], ["1", 1], [0, 1]], *not_real("'1'", remedy=TEXT)),
    "text array": (np.array([["1", "0"]] * 3), *not_real("'1'", TOP, TEXT)),
    "categories": (column("cat").astype("category"), *not_real("'cat'", remedy="TAGS")),
    "a set": ([[1, 1], [{1}, 1], [0, 1]], *not_real("{1}", remedy="BINARIZE")),
    "None": ([[1, 1], [None, 1], [None, 1]], *not_real("None", remedy=UNKNOWN.format("np.nan") + "MISSING")),
    "NA of Int64": (column(pd.NA, "Int64"), *not_real("<NA>", remedy=UNKNOWN.format("np.nan") + "MISSING")),
    "complex array": (np.array(Y_PRED, dtype=complex), *not_real("(1+0j)", TOP)),
    "complex sparse": (sp.csc_array([[1, 0j], [2j, 1], [1, 1]]), TypeError,
                       "NAME is a sparse matrix of complex128 values: ADVICE"),
    "timedelta64": (np.ones((3, 2), dtype="m8[s]"), *not_real("1 seconds", TOP)),
    "structured array": (np.array([(1, 0)] * 3, dtype="i4,i4"), *not_real("(1, 0)", "row 0")),
    "an address": ([[1, 1], [Thing(), 1]], *not_real("<test_inputs.Thing object>")),
    "no repr": ([[1, 1], [Unprintable(), 1]], *not_real("an object of type Unprintable")),
}  # fmt: skip


def test_sparse_of_objects_is_refused():
    bad = sp.coo_array(np.ones((3, 2)))
    bad.data = bad.data.astype(object)
    refused_everywhere(bad, TypeError, "NAME is a sparse matrix of object values: ADVICE", "labels")


def no_label(shown, remedy, place="row 1, column 0"):
    return ValueError, f"NAME holds {shown} at {place}, where only 0 or 1 may stand: {remedy}"


THRESHOLD = "threshold scores first, for example NAME >= 0.5"
CLASS = "if it is a class number, BINARIZE"
SIGN = UNKNOWN.format("-1") + "if it means 'not relevant', pass NAME > 0"

NO_LABELS = {
    "2": ([[1, 0], [2, 3], [1, 1]], *no_label("2", CLASS)),
    "-1/+1": ([[1, -1], [-1, 1], [1, 1]], *no_label("-1", SIGN, "row 0, column 1")),
    "uint8": (np.array([[1, 0], [255, 1]], dtype=np.uint8), *no_label("255", CLASS)),
    "unprintable": ([[1, 0], [10**5000, 1]], *no_label("an object of type int", CLASS)),
    "score": (np.array([[1, 0], [0.3, 0.2], [1, 1]]), *no_label("the score 0.3", THRESHOLD)),
    "whole score": ([[2.0, 0.5], [1, 1]], *no_label("the score 2.0", THRESHOLD, TOP)),
    "nan": ([[1, 0], [NAN, NAN], [1, 1]], *no_label("nan", UNKNOWN.format("np.nan") + MISSING)),
    "nan in a frame": (column(None, float), *no_label("nan", UNKNOWN.format("np.nan") + MISSING)),
    "inf": ([[1, 0], [INF, 1]], *no_label("the score inf", THRESHOLD)),
    "Fortran order": (np.asfortranarray([[1, 5], [4, 0]]),
                      *no_label("5", CLASS, "row 0, column 1")),
    "sparse 2": (sp.csr_array([[0, 0], [2, 1], [1, 3]]), *no_label("2", CLASS)),
    "sparse nan": (sp.csc_array([[0, 0], [NAN, 1], [1, 7]]), *no_label("nan", UNKNOWN.format("np.nan") + MISSING)),
    "sparse score": (sp.dok_array(np.array([[1, 0], [0.5, 1]])),
                     *no_label("the score 0.5", THRESHOLD)),
    "duplicates": (sp.coo_array(([1, 1, 1], ([2, 1, 1], [1, 0, 0])), shape=(3, 2)),
                   *no_label("2", CLASS)),
    "unsorted sparse": (sp.csr_array(([3, 2], [1, 0], [0, 0, 2]), shape=(2, 2)),
                        *no_label("2", CLASS)),
}  # fmt: skip


def no_rank(shown, place="row 1, column 0", name="y_score"):
    what = "which is not finite, or is whole and beyond 2**53, where floats round"
    remedy = "give finite numbers, or scale all of them down"
    return ValueError, f"{name} holds {shown} at {place}, {what}: {remedy}"


NO_SCORES = {
    "nan": ([[1, 0], [NAN, INF]], *no_rank("nan")),
    "inf": (np.array([[1, 0], [INF, 1]], dtype="f4"), *no_rank("inf")),
    "sparse nan": (sp.csc_array([[0, 0], [NAN, 1], [1, NAN]]), *no_rank("nan")),
    "sparse inf": (sp.dia_array(np.array([[1, 0], [0, INF]])), *no_rank("inf", "row 1, column 1")),
    "above 2**53": ([[1, 0], [2**53 + 1, 1]], *no_rank(2**53 + 1)),
    "below -2**53": ([[1, 0], [-(2**53) - 1, 1]], *no_rank(-(2**53) - 1)),
    "beside a float": ([[1, 0.5], [2**53 + 1, 1]], *no_rank(2**53 + 1)),
    "uint64": (np.array([[1, 0], [2**63, 1]], dtype=np.uint64), *no_rank(2**63)),
    "int64": (np.array([[1, 0], [-(2**63), 1]]), *no_rank(-(2**63))),  # has no absolute value
    "above int64": ([[1, 0], [2**64, 2**64 + 1]], *no_rank(2**64)),
    "above floats": ([[1, 0], [-(10**400), 1]], *no_rank("-1" + "0" * 55 + "...")),
    "sparse": (sp.coo_array(np.array([[0, 0], [2**53 + 1, 1]])), *no_rank(2**53 + 1)),
}


@cases(NO_MATRIX | NO_NUMBERS | {f"label {name}": row for name, row in NO_LABELS.items()})
def test_only_0_and_1_are_labels(bad, error, sentence):
    refused_everywhere(bad, error, sentence, "labels")


@cases(NO_MATRIX | NO_NUMBERS | {f"score {name}": row for name, row in NO_SCORES.items()})
def test_only_finite_numbers_are_scores(bad, error, sentence):
    refused_everywhere(bad, error, sentence, "scores")


# ---------------------------------------------------------------------------- unknown cells

MASKED = np.ma.masked_array([[1, 0], [0, 1], [1, 9]], mask=[[0, 1], [0, 0], [0, 1]])


def only_the_truth(name):
    reason = "only the y_true of a metric can have unknown cells, as one masked array"
    remedy = f"give every cell of {name} a value, or leave out the rows that are not fully known"
    return TypeError, f"{name} is or holds a masked array, and {reason}: {remedy}"


def dense_alone(name):
    return TypeError, f"{name} is sparse, and unknown cells are not: pass {name}.toarray()"


@pytest.mark.parametrize("kind", CALLS)
def test_the_truth_alone_is_masked_and_read_in_dense_matrices(kind):
    rows, sparse = [[1, 0], MASKED[0], [0, 1]], sp.csc_array(GOOD[kind])
    refused_by_all(kind, Y_TRUE, MASKED, *only_the_truth(kind), MASKED)
    refused_by_all(kind, Y_TRUE, rows, *only_the_truth(kind))
    refused_by_all(kind, rows, GOOD[kind], *only_the_truth("y_true"))
    refused_by_all(kind, MASKED, sparse, *dense_alone(kind), MASKED)
    nothing_masked = np.ma.masked_array(Y_TRUE)
    for function in CALLS[kind]:
        assert_array_equal(function(nothing_masked, sparse), function(Y_TRUE, sparse))


@pytest.mark.parametrize("junk", [0, 1, 9, -1, NAN, INF, None, "?", [1]])
def test_under_a_mask_anything_may_stand(junk):
    cells = np.array([[1, None], [0, 1], [1, None]], dtype=object)
    cells[0, 1] = cells[2, 1] = junk
    data = inputs.label_sets(np.ma.masked_array(cells, MASKED.mask), Y_PRED)
    assert_array_equal(data.truth, [[1, 0], [0, 1], [1, 0]])
    assert_array_equal(data.known, [[1, 0], [1, 1], [1, 0]])
    assert_array_equal(data.weighing(np.array([2.0, 3, 5])).cells, [[2, 0], [3, 3], [5, 0]])
    assert_array_equal(data.rows([2, 1]).columns([1]).dense().known, [[0], [1]])
    matrix = np.ma.MaskedArray(
        quiet_matrix([[1, 1], [0, 1], [1, 1]]), MASKED.mask
    )  # * is another product
    assert_array_equal(inputs.label_sets(matrix, Y_PRED).truth, data.truth)


# ---------------------------------------------------------------------------- two that do not match

NAMED = pd.DataFrame(Y_TRUE, columns=["cat", "dog"], index=["x", "y", "z"])
PAIRS = pd.MultiIndex.from_tuples([("cat", 1), ("cat", 2)])
LONG = "x" * 99
SAME = "give both the same in one order"
IN_ORDER = "give both the same in one order, such as by NAME.reindex({0}=y_true.{0})"


def objects(*names):
    return pd.Index(names, dtype=object)


def other_shape(shape):
    remedy = "give both the same samples as rows and the same labels as columns"
    return f"NAME has shape {shape} and y_true has shape (3, 2): {remedy}"


def other_name(shown, position, axis, of_truth, remedy=IN_ORDER):
    where = f"at position {position} of its {axis} where y_true has {of_truth}"
    return f"NAME has {shown} {where}: {remedy.format(axis)}"


MISMATCHES = {
    "fewer samples": (Y_TRUE, [[1, 0]], other_shape((1, 2))),
    "transposed": (Y_TRUE, np.ones((2, 3)), other_shape((2, 3))),
    "one label": (sp.csr_array(Y_TRUE), np.ones((3, 1)), other_shape((3, 1))),
    "columns swapped": (NAMED, NAMED[["dog", "cat"]], other_name("'dog'", 0, "columns", "'cat'")),
    "index reordered": (NAMED, NAMED.loc[["x", "z", "y"]], other_name("'z'", 1, "index", "'y'")),
    "another column": (NAMED, NAMED.rename(columns={"dog": "cow"}), other_name("'cow'", 1, "columns", "'dog'", SAME)),
    "columns left out": (NAMED, NAMED[["cat"]], other_shape((3, 1))),
    "pairs as columns": (NAMED.set_axis(PAIRS, axis=1), NAMED.set_axis(PAIRS[::-1], axis=1),
        other_name("('cat', 2)", 0, "columns", "('cat', 1)")),
    "NA in the index": (NAMED.set_axis([NAN, pd.NA, 1]), NAMED.set_axis([NAN, 1, pd.NA]),
        other_name("1", 1, "index", "<NA>")),
    "lists in the index": (
        NAMED.set_axis(objects([1], [2], [3])), NAMED.set_axis(objects([1], [3], [2])),
        other_name("[3]", 1, "index", "[2]")),
    "names that are long": (
        NAMED.set_axis([f"{LONG}1", "y", "z"]), NAMED.set_axis([f"{LONG}2", "y", "z"]),
        other_name(f"'{LONG[:56]}...", 0, "index", f"'{LONG[:56]}...", SAME)),
}  # fmt: skip


@pytest.mark.parametrize("y_true, other, sentence", MISMATCHES.values(), ids=MISMATCHES)
@pytest.mark.parametrize("kind", CALLS)
def test_truth_and_the_other_must_match(y_true, other, sentence, kind):
    refused_by_all(kind, y_true, other, ValueError, sentence.replace("NAME", kind), y_true, other)


# ---------------------------------------------------------------------------- weights


def no_weight(text, error=ValueError):
    return error, f"sample_weight {text}: {WEIGHTS}"


def out_of_range(shown):
    why = "where there is no mean, or floats overflow or vanish"
    return ValueError, f"sample_weight sums to {shown}, {why}: {WEIGHTS}, and scale them"


LARGE = 2**53 + 1
BAD_WEIGHTS = {
    "too few": ([1, 1], *no_weight("has shape (2,), not (3,)")),
    "ragged": ([[1], [1, 1], [1]], *no_weight("is ragged, row 1 has length 2 where row 0 has 1")),
    "text": ("balanced", *no_weight("is of type str", TypeError)),
    "sparse": (sp.coo_array(np.ones(3)), *no_weight("is of type coo_array", TypeError)),
    "masked": (np.ma.masked_array([1, 2, 3], mask=[0, 1, 0]), *only_the_truth("sample_weight")),
    "text '2'": (["1", "2", "3"], TypeError,
                 "sample_weight holds '1' at row 0, which is not a real number: turn text into"
                 " numbers with np.asarray(sample_weight).astype(float)"),
    **{
        shown: (bad, *no_weight(f"holds {shown} at row {row}, which is not a real number", TypeError))
        for shown, row, bad in (
            ("'x'", 1, [1, "x", 1]), ("<NA>", 1, pd.Series([1, pd.NA, 1], dtype=object)),
        )
    },
    "below 0": ([1, -1, -2], *no_weight("holds -1.0 at position 1")),
    "nan": ([1, NAN, -1], *no_weight("holds nan at position 1")),
    "inf": ([1, 1, INF], *no_weight("holds inf at position 2")),
    **{
        f"above 2**53 {i}": (bad, *no_rank(LARGE, "row 1", "sample_weight"))
        for i, bad in enumerate([
            [1.0, LARGE, 1], np.array([0, LARGE, 1]),
        ])
    },
    "all 0": ([0, -0.0, 0], *out_of_range("0.0")),
    "sum overflows": ([1e308] * 3, *out_of_range("inf")),
    "too small a sum": ([0, 5e-324, 0], *out_of_range("5e-324")),
}  # fmt: skip


@cases(BAD_WEIGHTS)
def test_bad_weights(bad, error, sentence):
    for kind, good in GOOD.items():
        refused_by_all(kind, Y_TRUE, good, error, sentence, bad, sample_weight=bad)


def test_weights_follow_the_index_of_the_truth():
    weight = pd.Series([1, 2, 3], index=["x", "z", "y"])
    sentence = other_name("'z'", 1, "index", "'y'").replace("NAME", "sample_weight")
    for kind, good in GOOD.items():
        refused_by_all(kind, NAMED, good, ValueError, sentence, NAMED, sample_weight=weight)
    # Jaccard 1/2, 1, 1/2 with weights 1, 2, 3: (1/2 + 2 + 3/2) / 6
    for truth, good in ((NAMED, weight.set_axis(["x", "y", "z"])), (Y_TRUE, weight)):
        assert example_based.accuracy(truth, Y_PRED, sample_weight=good) == pytest.approx(2 / 3)


@pytest.mark.parametrize("weight", [[1e-100, 0, 0], [1e100, 0, 0], [5e-324, 1, 0]])
@pytest.mark.parametrize("beta", [0, 1e-200, 1, 1e200])
def test_no_weight_that_passes_overflows_or_vanishes(weight, beta):
    # one right sample alone decides; a weight that vanishes beside 1 changes nothing
    truth, right = [[1, 1], [1, 1], [0, 0]], [[1, 1], [1, 1], [1, 1]]
    for average in ("macro", "micro", "weighted"):
        call = functools.partial(label_based.fbeta, truth, right, beta=beta, sample_weight=weight)
        assert call(average=average) == 1


@pytest.mark.parametrize(
    "weight",
    [(1, 2, 3), np.array([1, 2, 3], dtype=np.uint8), np.array([1, 2, 3], dtype=object),
     array.array("d", [1, 2, 3]), range(1, 4), pd.Series([1, 2, 3], dtype="Int64"),
     np.array([3, 2, 1])[::-1], [1e-100, 2e-100, 3e-100], [1.0, 2, np.int8(3)]],
)  # fmt: skip
def test_good_weights(weight):
    # wrong cells 1, 0, 1 of 2 with weights 1, 2, 3: (1/2 + 3/2) / 6
    assert hamming.hamming_loss(Y_TRUE, Y_PRED, sample_weight=weight) == pytest.approx(1 / 3)
    # of truth values, rows 0 and 2 count, each half wrong
    assert hamming.hamming_loss(Y_TRUE, Y_PRED, sample_weight=[True, False, True]) == 0.5


# ---------------------------------------------------------------------------- options

CHOICES = {
    "average": "choose one of 'macro', 'micro', 'weighted', None",
    "zero_division": "choose one of 0.0, 1.0, nan, 'agree'",
    "per_sample": "choose one of True, False",
    "ties": "choose one of 'worst', 'best', 'average', 'first', 'last'",
    "start": "choose one of 0, 1",
    "undefined": "give nan or a number within ±2**53",
    "beta": "give a finite number of 0 or more",
    "k": "give a whole number of 1 or more",
    "interpolation": "choose one of None, 'all', 11, 101",
    "normalize": "choose one of True, False",
}
NEVER = {  # good for no option at all
    "'samples'": "samples", "'nan'": "nan", "1j": 1j, "inf": INF, "an object of type int": -(10**5000),
    "1 seconds": np.timedelta64(1, "s"), "['macro']": ["macro"], "array([1, 0])": np.array([1, 0]),
    "masked": np.ma.masked, "<NA>": pd.NA, "<built-in function len>": len,
    "an object of type Unprintable": Unprintable(),
}  # fmt: skip
MEAN_OF_SAMPLES = "average is 'samples': take a metric of example_based, or of ranking"
ALSO_BAD = {
    "average": [True, 0, 1, NAN, "agree", "worst"],
    "zero_division": [None, True, False, np.True_, 0.5, 2, -1, "macro"],
    "per_sample": [None, 0, 1, 1.0, NAN, "True", np.int64(1)],
    "ties": [None, True, 0, NAN, "macro", "min"],
    "start": [None, True, False, np.True_, 2, -1, 0.5, NAN],
    "undefined": [None, True, np.False_, 1e16, -(2**53) - 2, 1e308],
    "beta": [None, True, False, -1, -1e-300, NAN, np.float32(NAN), 10**400],
    "interpolation": [10, "11", True],
    "normalize": [None, 0, 1],
    "k": [None, True, np.True_, 0, -1, 1.0, np.float64(2), NAN, np.int64(0)],
}


def written(value):
    text = str(value) if isinstance(value, np.generic) else repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


@pytest.mark.parametrize("option", CHOICES)
def test_bad_options(option):
    calls = [inputs.CHECKS[option]]
    for m in METRICS:
        if option in m.defaults and (option != "average" or m.averages == inputs.AVERAGES):
            call = functools.partial(m.function, Y_TRUE, GOOD[m.reads])
            calls.append(lambda value, call=call, had=m.required: call(**(had | {option: value})))
    if option == "ties":
        calls.append(lambda value: ranking.ranks(SCORES, ties=value))
    for shown, value in [*((written(bad), bad) for bad in ALSO_BAD[option]), *NEVER.items()]:
        for call in calls:
            sentence = f"{option} is {shown}: {CHOICES[option]}"
            if (option, shown) == ("average", "'samples'"):
                sentence = MEAN_OF_SAMPLES
            check_refusal(functools.partial(call, value), ValueError, sentence, value)


@pytest.mark.parametrize("kind", [float, np.float16, np.float32, np.longdouble, int, np.int8])
def test_options_of_every_kind_of_number(kind):
    truth, nothing = [[0, 0], [1, 0]], [[0, 0], [1, 0]]
    for one in (kind(1), np.array(1, dtype=kind)[()]):
        assert example_based.f1(truth, nothing, zero_division=one) == 1
        assert example_based.fbeta(truth, nothing, beta=one) == 0.5
        assert ranking.coverage(truth, [[1, 0], [0, 1]], start=one) == 1  # (0 + 2) / 2
        assert ranking.coverage(truth, [[1, 0], [0, 1]], undefined=one) == 1.5  # (1 + 2) / 2
    assert label_based.f1(truth, nothing, average=np.str_("micro")) == 1
    if np.issubdtype(kind, np.floating):
        assert example_based.f1(truth, nothing, zero_division=kind("nan")) == 1
        assert ranking.coverage(truth, [[1, 0], [0, 1]], undefined=kind("nan")) == 2
    assert hamming.hamming_loss(truth, nothing, per_sample=np.True_).shape == (2,)
    assert ranking.coverage([[0, 0]], [[1, 0]], undefined=-(2**53)) == -(2**53)  # the largest


# ---------------------------------------------------------------------------- sizes, seeds and names

LIMITS = {(1, 50): " from 1 to 50", (1,): " of 1 or more", (): ""}


@pytest.mark.parametrize(
    "bad, limits",
    [*product([True, 2.0, "2", None, [2], np.array(2), np.timedelta64(2, "s")], LIMITS),
     (0, (1, 50)), (51, (1, 50)), (np.int8(51), (1, 50)), (10**400, (1, 50)), (-1, (1,))],
)  # fmt: skip
def test_what_is_no_whole_number_within_its_limits(bad, limits):
    shown = "'2'" if isinstance(bad, str) else written(bad)
    call = functools.partial(inputs.whole, bad, "seed", *limits)
    check_refusal(call, ValueError, f"seed is {shown}: give a whole number{LIMITS[limits]}")


@pytest.mark.parametrize("kind", [int, np.int8, np.uint64, np.intp])
def test_whole_numbers_of_every_kind(kind):
    for least, value, most in ((1, 1, 50), (1, 50, 50), (50, 50, None), (None, 0, None)):
        result = inputs.whole(kind(value), "n", least, most)
        assert result == value and type(result) is int


@pytest.mark.parametrize(
    "given",
    [["1", "b"], [1, "b"], np.array(["1", "b"]), pd.Index(["1", "b"]), collections.deque("1b")],
)  # fmt: skip
def test_names_are_text_in_order(given):
    result = inputs.resolve_names(given, range(2), "label")
    assert result == ["1", "b"] and {type(name) for name in result} == {str}


@pytest.mark.parametrize(
    "given, sentence",
    [
        (["a"], "LABELs has 1 names for 3 LABELs: give one per LABEL"),
        ([], "LABELs has 0 names for 3 LABELs: give one per LABEL"),
        (list("abcd"), "LABELs has 4 names for 3 LABELs: give one per LABEL"),
        (["a", "b", "a"], "LABELs has 'a' at positions 0 and 2: name each LABEL differently"),
        ([1, "1", "b"], "LABELs has '1' at positions 0 and 1: name each LABEL differently"),
    ],
)
def test_names_that_do_not_fit(given, sentence):
    for one in ("label", "sample"):
        call = functools.partial(inputs.resolve_names, given, range(3), one)
        check_refusal(call, ValueError, sentence.replace("LABEL", one))


@pytest.mark.parametrize(
    "given",
    ["ab", {"a", "b"}, {"a": 1, "b": 2}, iter("ab"), 2, np.array("ab"), NAMED[["cat"]]],
)
def test_names_have_an_order(given):
    sentence = f"samples is of type {type(given).__name__}: give a list of names"
    check_refusal(lambda: inputs.resolve_names(given, range(2), "sample"), TypeError, sentence)


def test_labels_have_the_names_given_else_those_of_a_frame_else_numbers():
    array, numbered = np.array(Y_TRUE), pd.DataFrame(Y_TRUE)
    names = functools.partial(inputs.resolve_names, None, range(2), "label")
    assert inputs.resolve_names(["a", "b"], range(2), "label", NAMED) == ["a", "b"]
    assert names(array, NAMED) == ["cat", "dog"]
    assert names(array, Y_TRUE) == ["0", "1"]
    assert inputs.frame_names("index", array, NAMED) == ["x", "y", "z"]
    assert inputs.frame_names("columns", numbered) is None  # as pandas numbers what has no names
    twice = NAMED.set_axis(["cat", "cat"], axis=1)
    sentence = "labels has 'cat' at positions 0 and 1: name each label differently"
    check_refusal(lambda: names(twice), ValueError, sentence)


# ---------------------------------------------------------------------------- what passes


class LikePolars:
    """A frame without an index, whose columns are a list."""

    def __init__(self, rows, columns=("cat", "dog")):
        self.rows, self.columns = rows, list(columns)

    def to_numpy(self):
        return np.array(self.rows)


def readonly(rows, dtype=None):
    result = np.array(rows, dtype=dtype)
    result.flags.writeable = False
    return result


def quiet_matrix(rows):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # NumPy does not recommend np.matrix
        return np.matrix(rows)


def every_cell(rows, columns, copies):
    """A CSR array that stores every cell, its columns in this order; the copies as 0."""
    cells = np.array(rows)[:, columns]
    stored = np.dstack([cells, *[np.zeros_like(cells)] * (copies - 1)])
    places = np.tile(np.repeat(columns, copies), 3)
    return sp.csr_array((stored.ravel(), places, 2 * copies * np.arange(4)), shape=(3, 2))


LAYOUTS = {
    "C": np.ascontiguousarray,
    "Fortran": np.asfortranarray,
    "strided": lambda cells: np.repeat(np.repeat(cells, 2, axis=0), 3, axis=1)[::2, ::3],
    "reversed": lambda cells: cells[::-1, ::-1].copy()[::-1, ::-1],
}
ANY_NUMBERS = {
    "list": lambda rows: rows,
    "tuple": lambda rows: tuple(map(tuple, rows)),
    "deque": lambda rows: collections.deque(map(collections.deque, rows)),
    "list of arrays": lambda rows: list(map(np.array, rows)),
    **{str(t): (lambda rows, t=t: np.array(rows, t)) for t in ("i1", "i8", "u1", "f2", "f4", "f8", "g")},
    "big-endian": lambda rows: np.array(rows, ">i4"),
    "object": lambda rows: np.array(rows, dtype=object),
    "np.matrix": quiet_matrix,
    **{name: (lambda rows, of=of: of(np.array(rows))) for name, of in LAYOUTS.items()},
    "read-only": readonly,
    "frame": lambda rows: pd.DataFrame(rows, columns=["cat", "dog"]),
    "frame Int64": lambda rows: pd.DataFrame(rows).astype("Int64"),
    "frame Float64": lambda rows: pd.DataFrame(rows).astype("Float64"),
    "frame sparse": lambda rows: pd.DataFrame(rows).astype(pd.SparseDtype(int, 0)),
    "like polars": LikePolars,
    "explicit zeros": lambda rows: every_cell(rows, [0, 1], 1).tocoo(),
    "explicit zeros in CSR": lambda rows: every_cell(rows, [0, 1], 1),
    "unsorted": lambda rows: every_cell(rows, [1, 0], 1),
    "duplicates": lambda rows: every_cell(rows, [1, 0], 2),
    **{
        f"{fmt} {cls.__name__}": (lambda rows, fmt=fmt, cls=cls: cls(np.array(rows)).asformat(fmt))
        for fmt in ("bsr", "coo", "csc", "csr", "dia", "dok", "lil")
        for cls in (sp.csr_array, sp.csr_matrix)
    },
}  # fmt: skip


def of_255(rows):
    """A mask of 0 and 255, seen as truth values."""
    return (np.array(rows, "u1") * 255).view(bool)


ANY_LABELS = ANY_NUMBERS | {
    "bool": lambda rows: np.array(rows, bool),
    "read-only bool": lambda rows: readonly(rows, bool),
    "lists of bool": lambda rows: [[bool(cell) for cell in row] for row in rows],
    "frame boolean": lambda rows: pd.DataFrame(rows).astype("boolean"),
    "sparse bool": lambda rows: sp.csr_array(np.array(rows, bool)),
}  # fmt: skip


@pytest.mark.parametrize("make", ANY_LABELS.values(), ids=ANY_LABELS)
@pytest.mark.parametrize("also_true", [True, False])
def test_containers_of_labels(make, also_true):
    y_true, y_pred = make(Y_TRUE) if also_true else Y_TRUE, make(Y_PRED)
    before = snapshot(y_true), snapshot(y_pred)
    # correct ∩: {0}, {1}, {1}; ∪: {0, 1}, {1}, {0, 1}
    assert_array_equal(example_based.accuracy(y_true, y_pred, per_sample=True), [0.5, 1, 0.5])
    assert hamming.hamming_loss(y_true, y_pred) == pytest.approx(1 / 3)  # 2 of 6 cells
    assert label_based.precision(y_true, y_pred, average="micro") == 0.75  # 3 of 4 ones
    # label 0: hit, rejected, missed; label 1: false alarm, hit, hit. Weights 1, 2, 4
    confusion = label_based.confusion(y_true, y_pred, sample_weight=[1, 2, 4])
    assert_array_equal(confusion, [[1, 6], [0, 1], [4, 0], [2, 0]])
    for function in CALLS["y_pred"]:
        function(y_true, y_pred)
    assert (snapshot(y_true), snapshot(y_pred)) == before


@pytest.mark.parametrize("make", ANY_NUMBERS.values(), ids=ANY_NUMBERS)
def test_containers_of_scores(make):
    y_true, y_score = make(Y_TRUE), make([[3, 0], [0, 2], [2, 1]])
    before = snapshot(y_true), snapshot(y_score)
    # the relevant labels reach down to rank 1, 1 and 2
    assert_array_equal(ranking.coverage(y_true, y_score, per_sample=True), [1, 1, 2])
    assert_array_equal(ranking.ranks(y_score), [[1, 2], [2, 1], [1, 2]])
    for function in CALLS["y_score"]:
        takes_ties = "ties" in inspect.signature(function).parameters
        for options in [{"ties": ties} for ties in inputs.TIES] if takes_ties else [{}]:
            function(y_true, y_score, **options)
    assert (snapshot(y_true), snapshot(y_score)) == before


def test_truth_values_of_any_bytes_count_as_one():
    """What is 255 in memory is 1: dense and stored, in counts, in ranks and as a weight."""
    sparse = sp.coo_array((of_255([1, 1, 1, 1]), np.nonzero(Y_PRED)), shape=(3, 2))
    for y_pred in (of_255(Y_PRED), sparse.tocsr()):
        per_sample = counts.count(inputs.label_sets(of_255(Y_TRUE), y_pred), axis=1)
        assert_array_equal(per_sample, [[1, 1, 1], [1, 0, 0], [0, 0, 1], [0, 1, 0]])
        assert_array_equal(ranking.ranks(y_pred), [[2, 2], [2, 1], [2, 1]])
    weight = of_255([1, 0, 1])
    assert hamming.hamming_loss(Y_TRUE, Y_PRED, sample_weight=weight) == 0.5  # rows 0 and 2


def test_scores_keep_their_precision():
    close = np.array([[1, np.nextafter(np.longdouble(1), 2)]])
    whole = [[2**53 - 1, 2**53]], [[-(2**53), 0.5]], np.array([[-(2**53), 2**53]])
    for ascending in (close, *whole, [[1e300, 2e300]]):
        assert_array_equal(ranking.ranks(ascending), [[2, 1]])
        assert ranking.coverage([[0, 1]], ascending) == 1
    assert inputs.scores(np.zeros((1, 1), "f4")).dtype == np.float32
    assert inputs.scores([[True, False]]).dtype == float


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
@pytest.mark.parametrize("kind", ["?", "i1", "i8", "f4", "f8"])
def test_what_passes_is_neither_copied_nor_converted(kind, layout):
    labels, other = (layout(np.array(rows, dtype=kind)) for rows in (Y_TRUE, Y_PRED))
    for read, second in ((inputs.label_sets, "y_pred"), (inputs.label_scores, "y_score")):
        data = read(labels, other)
        truth, result = data.truth, data.other
        assert np.shares_memory(truth, labels) and np.shares_memory(result, other), second
        assert truth.dtype == kind
        assert result.dtype == ("u1" if (kind, second) == ("?", "y_score") else kind)


def test_what_a_canonical_sparse_matrix_stores_is_shared():
    sparse = sp.csr_array(np.array(Y_TRUE, bool))
    truth = inputs.label_sets(sparse, sparse).truth
    assert np.shares_memory(truth.indices, sparse.indices)
    assert np.shares_memory(truth.data, sparse.data)


@pytest.mark.parametrize("shape, firsts", [((5, 3), [0, 2, 4]), ((2, 7), [0, 1])])
def test_blocks_of_at_most_so_many_cells(shape, firsts, monkeypatch):
    monkeypatch.setattr(blocks, "CELLS", 6)
    runs = list(blocks.blocks(np.zeros(shape)))
    assert [rows.start for rows in runs] == firsts
    assert [rows.stop for rows in runs[:-1]] == firsts[1:] and runs[-1].stop >= shape[0]


@pytest.mark.parametrize("layout", ["C", "Fortran"])
@pytest.mark.parametrize("kind", ["i8", "f4"])
@pytest.mark.parametrize("block", [1, 6, 2**17])
def test_the_first_offending_value_is_found_in_whichever_block(block, kind, layout, monkeypatch):
    monkeypatch.setattr(blocks, "CELLS", block)
    good = np.zeros((9, 3), dtype=kind)
    for bad, row, column in product((2, -1), (0, 4, 8), (0, 2)):
        cells = good.copy()
        cells[row, column] = cells[8, 2] = bad
        shown = np.array(bad, kind)[()]
        place = f"holds {shown} at row {row}, column {column}, "
        lay = LAYOUTS[layout]
        for pair in ((lay(cells), good), (good, lay(cells))):
            with pytest.raises(ValueError, match=place):
                hamming.hamming_loss(*pair)
        cells = cells.astype("f4")
        cells[row, column] = NAN
        with pytest.raises(ValueError, match=f"holds nan at row {row}, column {column}, which is"):
            ranking.coverage(good, lay(cells))


def test_frames_are_matched_by_name_only_with_frames():
    swapped = NAMED[["dog", "cat"]]
    assert hamming.hamming_loss(NAMED, NAMED.copy()) == 0
    assert hamming.hamming_loss(NAMED, swapped.to_numpy()) == pytest.approx(2 / 3)  # rows 0 and 1
    assert hamming.hamming_loss(NAMED, sp.csr_array(swapped)) == pytest.approx(2 / 3)
    assert hamming.hamming_loss(NAMED.set_axis([0, 1, 2]), NAMED.set_axis([0.0, 1.0, 2.0])) == 0
    assert hamming.hamming_loss(NAMED.set_axis([NAN, 1, 2]), NAMED.set_axis([NAN, 1, 2])) == 0
    with pytest.raises(ValueError, match="'dog' at position 0 of its columns"):
        hamming.hamming_loss(LikePolars(Y_TRUE), LikePolars(Y_TRUE, ["dog", "cat"]))
    assert hamming.hamming_loss(LikePolars(Y_TRUE), NAMED) == 0
    lists = NAMED.set_axis(objects([1], [2], [3]))
    assert hamming.hamming_loss(lists, lists.set_axis(objects([1], [2], [3]))) == 0


def kinds(data):
    return [type(data.truth), type(data.other)]


def test_only_two_sparse_matrices_stay_sparse():
    sparse = sp.csr_array(Y_TRUE)
    assert kinds(inputs.label_sets(sparse, sparse)) == [sp.csr_array, sp.csr_array]
    for pair in ((sparse, Y_PRED), (Y_TRUE, sparse)):
        assert kinds(inputs.label_sets(*pair)) == [np.ndarray, np.ndarray]
    assert kinds(inputs.label_scores(sparse, sparse)) == [np.ndarray, np.ndarray]


@pytest.mark.parametrize("truth", [Y_TRUE, sp.csc_matrix(Y_TRUE)], ids=["dense", "sparse"])
def test_sparse_scores_stay_sparse_where_they_are_kept(truth):
    """With the zeros among them; and the truth with them, of ones alone."""
    kept = functools.partial(inputs.label_scores, truth, keep_sparse=True)
    stored = every_cell([[3, 0], [0, 2], [2, 1]], [0, 1], 1)
    data = kept(stored)
    assert kinds(data) == [sp.csr_array, sp.csr_array]
    assert_array_equal(data.truth.toarray(), Y_TRUE)
    assert (data.truth.nnz, data.other.data.tolist()) == (4, [3, 0, 0, 2, 2, 1])
    assert kinds(kept(SCORES)) == [np.ndarray, np.ndarray]
    bits = sp.csr_array(np.array(Y_PRED, bool))
    assert kept(bits).other.data.dtype == np.uint8  # -True is no number


def test_dense_input_imports_nothing_more():
    code = """
import sys
import mlm_helpers
from mlm_helpers import catalogue, example_based, ranking
from mlm_course import documents
assert example_based.f1([[1, 0]], [[1, 1]], sample_weight=[1]) and ranking.coverage([[1, 0]], [[2, 1]])
try:
    example_based.f1([[1, 0]], None)
except TypeError:
    print(*sorted({"scipy", "pandas", "sklearn", "matplotlib"} & set(sys.modules)), "imported")
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (result.stdout, result.stderr) == ("imported\n", "")


@pytest.mark.parametrize("read", [inputs.label_sets, inputs.label_scores])
def test_a_batch_may_weigh_nothing(read):
    data = read([[1, 0], [0, 1]], [[1, 0], [0, 1]], [0, 0], is_batch=True)
    assert data.weight.tolist() == [0.0, 0.0]
    for bad in ([0, -1], [0, math.nan], [0], [0, 1e-200]):
        with pytest.raises(ValueError, match="sample_weight"):
            read([[1, 0], [0, 1]], [[1, 0], [0, 1]], bad, is_batch=True)
