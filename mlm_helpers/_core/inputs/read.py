"""Reading: any container as a matrix of zeros and ones, as a matrix of finite numbers, or as weights."""

import math
import warnings
from collections.abc import Hashable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlm_helpers._core.blocks import row_blocks
from mlm_helpers._core.inputs import kinds, refuse, remedies
from mlm_helpers._core.inputs.data import Data, FloatArray, Known, Weights, dense

_NUMBER_KINDS = "buif"  # the kinds of dtype of which no cell has to be converted
_LARGEST = 1e100  # with weights from its inverse up to this, no metric overflows or underflows


def read_label_sets(
    y_true: Any, y_pred: Any, sample_weight: Any = None, *, name: str = "y_pred", **options: bool
) -> Data:
    """Read truth and prediction as matrices of zeros and ones of one shape, and the weights.

    Both keep their dtype, and are CSR arrays if both came sparse. With ``is_batch`` all weights
    may be 0. Messages call the prediction ``name``.
    """
    options["keep_sparse"] = kinds.is_sparse(y_true)
    return _read_data(read_labels, (y_true, y_pred, sample_weight), name, **options)


def read_label_scores(
    y_true: Any, y_score: Any, sample_weight: Any = None, *, name: str = "y_score", **options: bool
) -> Data:
    """Read truth and weights as `read_label_sets` does, and scores as a matrix of finite numbers.

    Both matrices are dense in the result, and a cell that sparse scores do not store is 0. With
    ``keep_sparse`` both are CSR arrays if the scores are sparse: a cell that is not stored has no
    score.
    """
    return _read_data(_read_scores, (y_true, y_score, sample_weight), name, **options)


def read_probabilities(
    y_true: Any, y_prob: Any, sample_weight: Any = None, *, name: str = "y_prob", **options: bool
) -> Data:
    """Read truth and weights as `read_label_sets` does, and probabilities; both matrices become dense."""
    read = partial(_read_scores, are_probabilities=True)
    return _read_data(read, (y_true, y_prob, sample_weight), name, **options)


def _read_data(
    read: Any, arguments: Any, name: str, is_batch: bool = False, keep_sparse: bool = False
) -> Data:
    """The truth, the prediction as the function ``read`` reads it, and the weights; all have to match."""
    y_true, y_pred, sample_weight = arguments
    (truth, known), prediction = read_truth(y_true), read(y_pred, name)
    refuse.check_equal_shapes(truth, prediction, name)
    if known is not None:
        refuse.check_not_sparse(prediction, name)
    data = Data(truth, prediction, _read_weights(sample_weight, truth.shape[0], is_batch), known)
    refuse.check_same_order({"y_true": y_true, name: y_pred, "sample_weight": sample_weight})
    if keep_sparse and data.is_sparse:
        return replace(data, truth=type(prediction)(truth))
    return data.dense()


def stored_scores(score: Any) -> Any:
    """CSR array of the scores that are neither 0 nor nan; other cells count as cells without a score."""
    from scipy.sparse import coo_array, csr_array

    cells = coo_array(score)
    has_score = (cells.data != 0) & ~np.isnan(cells.data)
    positions = cells.row[has_score], cells.col[has_score]
    return csr_array((cells.data[has_score], positions), shape=cells.shape)


def read_per_label(
    raw: Any, n_labels: int, name: str, low: float = 1, high: float = _LARGEST
) -> FloatArray:
    """Read one number per label, from ``low`` to ``high``; the defaults are those of inverse propensities."""
    return _read_vector(resolve_for_size(raw, n_labels, name), n_labels, name, low, high)


def resolve_for_size(raw: Any, n_labels: int, name: str) -> Any:
    """The option itself; if it is a function of the number of labels, its result for this number."""
    try:
        return raw(n_labels) if callable(raw) else raw
    except Exception as error:
        problem = f"{name} is {refuse.short_repr(raw)}, which fails for {n_labels} labels"
        raise ValueError(f"{problem} ({error}): {refuse.advice(name)}") from None


def broadcast_to_labels(raw: Any, n_labels: int, name: str, low: float, high: float) -> FloatArray:
    """Read one number for all labels, or one per label, from ``low`` to ``high``; shape (n_labels,)."""
    if not kinds.is_number(raw):
        return read_per_label(raw, n_labels, name, low, high)
    is_too_large = float(np.finfo(float).max) < abs(raw) < math.inf  # an integer, say
    if is_too_large or not low <= raw <= high:
        raise ValueError(f"{name} is {refuse.short_repr(raw)}: {refuse.advice(name)}")
    return np.full(n_labels, float(raw))


def _read_vector(raw: Any, length: int, name: str, low: float, high: float) -> FloatArray:
    """Read one number per label, or per sample, from ``low`` to ``high``; shape (length,)."""
    array = _as_array(raw, name)
    if array.shape != (length,):
        code = f"{name}.squeeze()" if hasattr(raw, "iloc") else f"np.ravel({name})"
        is_row_or_column = array.shape in ((length, 1), (1, length)) and length > 1
        remedy = f"pass {code}" if is_row_or_column else refuse.advice(name)
        raise ValueError(f"{name} has shape {array.shape}, not ({length},): {remedy}")
    with np.errstate(over="ignore"):
        values = array.astype(float)
    wrong = np.flatnonzero(~((values >= low) & (values <= high)))  # also nan
    if len(wrong):
        problem = f"{name} holds {refuse.short_repr(values[wrong[0]])} at position {wrong[0]}"
        raise ValueError(f"{problem}: {refuse.advice(name)}")
    return values


def read_groups(raw: Any, matrices: Any, n_samples: int, name: str = "groups") -> NDArray[np.intp]:
    """Read the group of each sample, numbered in order of first occurrence; by default each is a group."""
    advice = "give one value per sample, such as its patient's number"
    raw = range(n_samples) if raw is None and name == "groups" else raw  # others are required
    shape = (len(raw),) if kinds.is_list_like(raw) else np.shape(raw)
    if shape != (n_samples,):
        raise ValueError(f"{name} has shape {shape}, not ({n_samples},): {advice}")
    refuse.check_same_order({**matrices, name: raw})
    values, number_of = kinds.as_list(raw), dict[Any, int]()
    for i, value in enumerate(values):
        if kinds.is_missing(value) or not isinstance(value, Hashable):
            raise ValueError(f"{name} holds {refuse.short_repr(value)} at position {i}: {advice}")
        number_of.setdefault(value, len(number_of))
    return np.array([number_of[value] for value in values], dtype=np.intp)


def as_frame_like(cells: Any, like: Any, columns: Any = None) -> Any:
    """Cells as a DataFrame with the index of a pandas object, and its columns or those given; else unchanged."""
    if not hasattr(like, "iloc"):
        return cells
    from pandas import DataFrame

    return DataFrame(cells, index=like.index, columns=like.columns if columns is None else columns)


def read_one_label(y_true: Any, y_pred: Any, name: str = "y_score") -> tuple[NDArray[Any], ...]:
    """Read truth and scores (for "y_prob" probabilities) of a label's known samples: lists, or matrices of a column."""
    read = read_label_scores if name == "y_score" else read_probabilities
    data = read(_as_column(y_true, "y_true"), _as_column(y_pred, name))
    if data.shape[1] > 1:
        problem = f"y_true has {data.shape[1]} columns, and a curve shows one label"
        raise ValueError(f"{problem}: give one column, such as y_true[:, 0] and {name}[:, 0]")
    known = ~np.ma.getmaskarray(data.y_true)
    return data.truth[known], data.prediction[known]


def _as_column(raw: Any, name: str) -> Any:
    """A list, a Series or a one-dimensional array as a matrix of one column; a matrix unchanged."""
    if hasattr(raw, "to_frame"):  # a Series keeps its index, which is compared with others
        return raw.to_frame(0)
    is_array = kinds.is_sparse(raw) or isinstance(raw, np.ma.MaskedArray)
    cells = raw if is_array else _as_array(raw, name)
    return cells.reshape(-1, 1) if cells.ndim == 1 else raw


def read_score_matrix(y_score: Any) -> NDArray[np.floating[Any]]:
    """Read scores as a dense matrix of finite floats, shape (n_samples, n_labels)."""
    score = dense(_read_scores(y_score))
    return score if score.dtype.kind == "f" else score.astype(float)


def read_truth(raw: Any, name: str = "y_true") -> tuple[Any, Known]:
    """Read the truth as a `LabelArray`, and its known cells (None for all); masked cells may hold any value."""
    if not isinstance(raw, np.ma.MaskedArray):
        return read_labels(raw, name), None
    known = np.logical_not(np.ma.getmaskarray(raw))
    values = np.asarray(raw.data, dtype=raw.dtype if raw.dtype.kind in _NUMBER_KINDS else object)
    # A product is many times as fast as np.where, but keeps nan: nan times 0 is nan.
    cells = values * known if values.dtype.kind in "bui" else np.where(known, values, 0)
    return read_labels(cells, name, is_masked=True), None if known.all() else known


def read_annotations(raw: Any) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Read the labels of each annotator, and which cells are known; shape (n_annotators, n_samples, n_labels)."""
    refuse.check_one_matrix_per_annotator(raw)
    arguments = {f"annotations[{i}]": matrix for i, matrix in enumerate(raw)}
    refuse.check_same_order(arguments)
    pairs = [read_truth(matrix, name) for name, matrix in arguments.items()]
    for name, (truth, _) in zip(arguments, pairs, strict=True):
        refuse.check_equal_shapes(pairs[0][0], truth, name, "annotations[0]")
    known = [np.ones(y.shape, bool) if mask is None else mask for y, mask in pairs]
    return np.array([dense(truth) != 0 for truth, _ in pairs]), np.array(known)


def read_labels(raw: Any, name: str, is_masked: bool = False) -> Any:
    """Read any container as a `LabelArray`: an array, or a CSR array if it came sparse."""
    matrix = _read_matrix(raw, name, is_masked)
    values = kinds.stored_values(matrix)
    if not _are_binary(values):
        is_wrong = (values != 0) & (values != 1)
        refuse.not_binary(matrix, is_wrong, name, None if is_masked else raw)
    if kinds.is_sparse(matrix):
        matrix.data = values.astype(bool, copy=False)
        if not matrix.data.all():
            matrix = matrix.copy()  # eliminate_zeros also writes to the indices, which are shared
            matrix.eliminate_zeros()
    return matrix


def _are_binary(values: NDArray[Any]) -> bool:
    """Whether all values are 0 or 1."""
    if values.dtype.kind in "iu":  # every bit of every integer is in their bitwise OR
        return np.bitwise_or.reduce(values, axis=None) in (0, 1)
    parts = (values[rows] for rows in row_blocks(values))
    return values.dtype == bool or all(((part == 0) | (part == 1)).all() for part in parts)


def _read_scores(raw: Any, name: str = "y_score", are_probabilities: bool = False) -> Any:
    """Read numbers that are finite and exact as floats, or probabilities; a sparse container as a CSR array."""
    matrix = _read_matrix(raw, name)
    values = kinds.stored_values(matrix)
    high = np.finfo(values.dtype).max if values.dtype.kind == "f" else kinds.MAX_EXACT_INT
    low, high = (0, 1) if are_probabilities else (-high, high)
    if not (values.min(initial=0) >= low and values.max(initial=0) <= high):  # or one is nan
        is_wrong = ~((values >= low) & (values <= high))
        if are_probabilities:
            refuse.not_a_probability(matrix, is_wrong, name, raw)
        refuse.not_rankable(matrix, is_wrong, name)
    if values.dtype == bool:  # 0 and 1 instead, which NumPy can negate
        if not kinds.is_sparse(matrix):
            return matrix.view(np.uint8)
        matrix.data = values.view(np.uint8)
    return matrix


def _read_weights(sample_weight: Any, n_samples: int, is_batch: bool) -> Weights:
    """Read one weight per sample; only those of a batch may all be 0."""
    if sample_weight is None:
        return None
    name = "sample_weight"
    weight = _read_vector(sample_weight, n_samples, name, 0, np.finfo(float).max)
    with np.errstate(over="ignore"):
        total = weight.sum()
    if not (1 / _LARGEST <= total <= _LARGEST or (total == 0 and is_batch)):
        problem = f"{refuse.short_repr(total)}, so a mean is undefined, overflows or underflows"
        raise ValueError(f"{name} sums to {problem}: {refuse.advice(name)}, and rescale them")
    return weight


def _read_matrix(raw: Any, name: str, is_masked: bool = False) -> Any:
    """Read any accepted container as a matrix of real numbers; a sparse one as a CSR array."""
    refuse.check_not_list_of_matrices(raw, name)
    matrix = _as_csr(raw, name) if kinds.is_sparse(raw) else _as_array(raw, name, is_masked)
    if len(matrix.shape) != 2 or 0 in matrix.shape:
        refuse.not_two_dimensional(matrix.shape, name, raw)
    return matrix


def _as_csr(raw: Any, name: str) -> Any:
    """A CSR array that holds each cell once and in order; it shares memory with the container if possible."""
    from scipy.sparse import csr_array

    if raw.dtype.kind not in _NUMBER_KINDS:
        raise TypeError(f"{name} is a sparse matrix of {raw.dtype} values: {refuse.advice(name)}")
    if len(raw.shape) != 2:
        return raw
    matrix = csr_array(raw)
    if not matrix.has_canonical_format:
        matrix = matrix.copy()
        matrix.sum_duplicates()
    matrix.data = _with_plain_bools(matrix.data)
    return matrix


def _as_array(raw: Any, name: str, is_masked: bool = False) -> NDArray[Any]:
    """Any dense container as an array of real numbers; unchecked if it has three dimensions or more."""
    refuse.check_not_masked(raw, name)
    array = as_array(raw, name)
    if array.ndim == 0 or isinstance(raw, bytearray):
        raise TypeError(f"{name} is of type {type(raw).__name__}: {refuse.advice(name)}")
    if array.ndim > 2 or array.dtype.kind in _NUMBER_KINDS:
        return _with_plain_bools(array)
    return _as_floats(array, name, None if is_masked else raw)


def as_array(raw: Any, name: str) -> NDArray[Any]:
    """Any dense container as an array that keeps the value of each cell, as objects where needed."""
    if kinds.is_sequence(raw):
        refuse.check_not_masked(raw, name)
    if (array := _inferred_array(raw)) is not None:
        return array
    try:
        return np.asarray(raw, dtype=object)
    except Exception as error:
        problem = f"{type(raw).__name__}, which NumPy cannot read ({' '.join(str(error).split())})"
        raise TypeError(f"{name} is of type {problem}: convert it to an array first") from None


def _inferred_array(raw: Any) -> NDArray[Any] | None:
    """The array that NumPy makes of a container; None where it makes none or would change a cell.

    Numbers beside text become text, and large integers beside floats are rounded.
    """
    try:
        if not kinds.is_sequence(raw):
            return np.asarray(raw.to_numpy() if hasattr(raw, "to_numpy") else raw)
        with warnings.catch_warnings():  # of a masked cell NumPy would only warn
            warnings.filterwarnings("error", "Warning: converting a masked element")
            array = np.asarray(raw)
    except Exception:  # ragged rows, masked cells, or any error of a foreign __array__
        return None
    is_rounded = array.dtype == float and bool((np.abs(array) >= kinds.MAX_EXACT_INT).any())
    return None if is_rounded or array.dtype.kind not in _NUMBER_KINDS else array


def _with_plain_bools(values: NDArray[Any]) -> NDArray[Any]:
    """The values, with booleans as bytes 0 and 1, which can be added up; a view of a mask may hold 255."""
    if values.dtype != bool or values.view(np.uint8).max(initial=0) <= 1:
        return values
    return np.not_equal(values.view(np.uint8), 0)


def _as_floats(cells: NDArray[Any], name: str, raw: Any) -> FloatArray:
    """Cells of any type as floats; refuses the first that is not a real number, or is too large an integer."""
    if cells.ndim == 1 and any(map(kinds.is_list_like, cells)):
        refuse.not_a_matrix(cells, name, raw)
    if wrong := [i for i, cell in enumerate(cells.flat) if not kinds.is_real(cell)]:
        i = wrong[0]
        if isinstance(cells.flat[i], str):  # a word is named before a number written as text
            i = min(wrong, key=lambda i: remedies.becomes_float(cells.flat[i]))
        position = refuse.position_text(*np.unravel_index(i, cells.shape))
        remedy = remedies.for_cells(cells.flat[i], cells, raw, name)
        refuse.not_real(cells.flat[i], position, name, "real number", remedy)
    is_large = [kinds.is_integer(x) and abs(int(x)) > kinds.MAX_EXACT_INT for x in cells.flat]
    if any(is_large):
        refuse.not_rankable(cells, np.reshape(is_large, cells.shape), name)
    return cells.astype(float)
