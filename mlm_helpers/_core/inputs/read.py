"""Reading: any container as a matrix of zeros and ones, as one of finite numbers, or as weights."""

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
from mlm_helpers._core.inputs.cells import Data, FloatArray, Known, Weights, dense

_NUMBERS = "buif"  # kinds of dtype that are read as they are
_SIZE = 1e100  # up to here (and down to its inverse) no sum or product of the metrics overflows


def read_label_sets(
    y_true: Any, y_pred: Any, sample_weight: Any = None, *, name: str = "y_pred", **options: bool
) -> Data:
    """Read truth and prediction as matrices of zeros and ones of one shape, and the weights.

    Both keep their kind of number, and are CSR arrays if both came sparse. With ``is_batch`` all weights
    may be 0. ``name`` is what the caller calls the prediction.
    """
    options["keep_sparse"] = kinds.is_sparse(y_true)
    return _beside(read_labels, y_true, y_pred, sample_weight, name, **options)


def read_label_scores(
    y_true: Any, y_score: Any, sample_weight: Any = None, *, name: str = "y_score", **options: bool
) -> Data:
    """Read truth and weights as `read_label_sets` does, and scores as a matrix of finite numbers.

    Both matrices come back dense; in sparse scores, what is not stored is 0. With ``keep_sparse``
    both come back as CSR arrays where scores are sparse: what is not stored has no score.
    """
    return _beside(_finite, y_true, y_score, sample_weight, name, **options)


def read_probabilities(
    y_true: Any, y_prob: Any, sample_weight: Any = None, *, name: str = "y_prob", **options: bool
) -> Data:
    """Read truth and weights as `read_label_sets` does, and numbers from 0 to 1, as dense matrices."""
    read = partial(_finite, are_probabilities=True)
    return _beside(read, y_true, y_prob, sample_weight, name, **options)


def _beside(
    read: Any,
    y_true: Any,
    y_pred: Any,
    sample_weight: Any,
    name: str,
    is_batch: bool = False,
    keep_sparse: bool = False,
) -> Data:
    """The truth, a matrix beside it as ``read`` reads it, and the weights."""
    (true, known), other = read_truth(y_true), read(y_pred, name)
    refuse.different_shapes(true, other, name)
    if known is not None:
        refuse.sparse(other, name)
    data = Data(true, other, _weights(sample_weight, true.shape[0], is_batch), known)
    refuse.check_same_order({"y_true": y_true, name: y_pred, "sample_weight": sample_weight})
    if keep_sparse and data.is_sparse:
        return replace(data, truth=type(other)(true))
    return data.dense()


def stored_scores(score: Any) -> Any:
    """A CSR array of the scores that are neither 0 nor nan; of the other cells there is none."""
    from scipy.sparse import coo_array, csr_array

    cells = coo_array(score)
    kept = (cells.data != 0) & ~np.isnan(cells.data)
    places = cells.row[kept], cells.col[kept]
    return csr_array((cells.data[kept], places), shape=cells.shape)


def read_per_label(
    raw: Any, n_labels: int, name: str, low: float = 1, high: float = _SIZE
) -> FloatArray:
    """Read a number of each label, none below or above; by default an inverse propensity."""
    return _vector(resolve_for_size(raw, n_labels, name), n_labels, name, low, high)


def resolve_for_size(raw: Any, n_labels: int, name: str) -> Any:
    """An option; or what a function makes of the number of labels, for data of many sizes."""
    try:
        return raw(n_labels) if callable(raw) else raw
    except Exception as error:
        what = f"{name} is {refuse.short_repr(raw)}, which fails for {n_labels} labels"
        raise ValueError(f"{what} ({error}): {refuse.advice(name)}") from None


def broadcast_to_labels(raw: Any, n_labels: int, name: str, low: float, high: float) -> FloatArray:
    """Read one number for all labels, or one of each, none below or above."""
    if not kinds.is_number(raw):
        return read_per_label(raw, n_labels, name, low, high)
    if not low <= raw <= high or float(np.finfo(float).max) < abs(raw) < math.inf:
        raise ValueError(f"{name} is {refuse.short_repr(raw)}: {refuse.advice(name)}")
    return np.full(n_labels, float(raw))


def _vector(raw: Any, length: int, name: str, low: float, high: float) -> FloatArray:
    """Read one number of each label, or of each sample, none below or above."""
    array = _array(raw, name)
    if array.shape != (length,):
        flat = f"{name}.squeeze()" if hasattr(raw, "iloc") else f"np.ravel({name})"
        is_flat = array.shape in ((length, 1), (1, length)) and length > 1
        remedy = f"pass {flat}" if is_flat else refuse.advice(name)
        raise ValueError(f"{name} has shape {array.shape}, not ({length},): {remedy}")
    with np.errstate(over="ignore"):
        values = array.astype(float)
    for i in np.flatnonzero(~((values >= low) & (values <= high)))[:1]:
        value = refuse.short_repr(values[i])
        raise ValueError(f"{name} holds {value} at position {i}: {refuse.advice(name)}")
    return values


def read_groups(raw: Any, beside: Any, n_samples: int, name: str = "groups") -> NDArray[np.intp]:
    """Read the group of each sample beside named matrices; numbered as they occur, by default its own."""
    advice = "give one value per sample, such as its patient's number"
    raw = range(n_samples) if raw is None and name == "groups" else raw
    shape = (len(raw),) if kinds.is_list(raw) else np.shape(raw)
    if shape != (n_samples,):
        raise ValueError(f"{name} has shape {shape}, not ({n_samples},): {advice}")
    refuse.check_same_order({**beside, name: raw})
    values = kinds.as_list(raw)
    number: dict[Any, int] = {}
    for i, value in enumerate(values):
        if kinds.is_missing(value) or not isinstance(value, Hashable):
            raise ValueError(f"{name} holds {refuse.short_repr(value)} at position {i}: {advice}")
        number.setdefault(value, len(number))
    return np.array([number[value] for value in values], dtype=np.intp)


def as_frame_like(cells: Any, like: Any, columns: Any = None) -> Any:
    """Cells as a DataFrame with the rows of a pandas object, and its columns or those given; else as they are."""
    if not hasattr(like, "iloc"):
        return cells
    from pandas import DataFrame

    return DataFrame(cells, index=like.index, columns=like.columns if columns is None else columns)


def read_one_label(
    y_true: Any, y_pred: Any, name: str = "y_score"
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Read truth and scores, or "y_prob", of one label: from lists, or from one column each."""
    read = read_label_scores if name == "y_score" else read_probabilities
    data = read(_upright(y_true, "y_true"), _upright(y_pred, name))
    if data.shape[1] > 1:
        what = f"y_true has {data.shape[1]} columns, and a curve is of one label"
        raise ValueError(f"{what}: give one of each, such as y_true[:, 0] and {name}[:, 0]")
    known = ~np.ma.getmaskarray(data.y_true)
    return data.truth[known], data.prediction[known]


def _upright(raw: Any, name: str) -> Any:
    """A list of numbers as a column; anything else as it is."""
    if hasattr(raw, "to_frame"):  # a Series, whose index is compared
        return raw.to_frame(0)
    is_read = kinds.is_sparse(raw) or isinstance(raw, np.ma.MaskedArray)
    cells = raw if is_read else _array(raw, name)
    return cells.reshape(-1, 1) if cells.ndim == 1 else raw


def read_score_matrix(y_score: Any) -> NDArray[np.floating[Any]]:
    """Read scores as a dense matrix of finite floats, shape (n_samples, n_labels)."""
    score = dense(_finite(y_score))
    return score if score.dtype.kind == "f" else score.astype(float)


def read_truth(raw: Any, name: str = "y_true") -> tuple[Any, Known]:
    """The truth as a `LabelMatrix`, and where it is known; under a mask anything may stand."""
    if not isinstance(raw, np.ma.MaskedArray):
        return read_labels(raw, name), None
    known = np.logical_not(np.ma.getmaskarray(raw))
    values = np.asarray(raw.data, dtype=raw.dtype if raw.dtype.kind in _NUMBERS else object)
    # A product is many times as fast, but nan times 0 is nan.
    cells = values * known if values.dtype.kind in "bui" else np.where(known, values, 0)
    return read_labels(cells, name, is_masked=True), None if known.all() else known


def read_labels(raw: Any, name: str, is_masked: bool = False) -> Any:
    """Read any container as a `LabelMatrix`: an array, or a CSR array if it came sparse."""
    matrix = _matrix(raw, name, is_masked)
    values = kinds.stored_values(matrix)
    if not _only_0_and_1(values):
        wanted = (values != 0) & (values != 1)
        refuse.not_binary(matrix, wanted, name, None if is_masked else raw)
    if kinds.is_sparse(matrix):
        matrix.data = values.astype(bool, copy=False)
        if not matrix.data.all():
            matrix = matrix.copy()  # what eliminates zeros also writes to the indices
            matrix.eliminate_zeros()
    return matrix


def _only_0_and_1(values: NDArray[Any]) -> bool:
    if values.dtype.kind in "iu":  # any other bit of any number would show
        return np.bitwise_or.reduce(values, axis=None) in (0, 1)
    parts = (values[rows] for rows in row_blocks(values) if values.dtype != bool)
    return all(((part == 0) | (part == 1)).all() for part in parts)


def _finite(raw: Any, name: str = "y_score", are_probabilities: bool = False) -> Any:
    """Any accepted container as a `ScoreMatrix`, a sparse one as a CSR array."""
    matrix = _matrix(raw, name)
    _check_size(matrix, name, raw, are_probabilities)
    values = kinds.stored_values(matrix)
    if values.dtype == bool:  # the numbers 0 and 1
        if not kinds.is_sparse(matrix):
            return matrix.view(np.uint8)
        matrix.data = values.view(np.uint8)
    return matrix


def _check_size(matrix: Any, name: str, raw: Any, are_probabilities: bool = False) -> None:
    """Refuse nan, infinity, and whole numbers that floats would round; or what is no probability."""
    values = kinds.stored_values(matrix)
    high = np.finfo(values.dtype).max if values.dtype.kind == "f" else kinds.MAX_EXACT_INT
    low, high = (0, 1) if are_probabilities else (-high, high)
    if not (values.min(initial=0) >= low and values.max(initial=0) <= high):  # nan if one is
        refuse_first: Any = refuse.not_a_probability if are_probabilities else refuse.not_rankable
        refuse_first(matrix, ~((values >= low) & (values <= high)), name, raw)


def _weights(sample_weight: Any, n_samples: int, is_batch: bool) -> Weights:
    if sample_weight is None:
        return None
    name = "sample_weight"
    weight = _vector(sample_weight, n_samples, name, 0, np.finfo(float).max)
    with np.errstate(over="ignore"):
        total = weight.sum()
    if not (1 / _SIZE <= total <= _SIZE or (total == 0 and is_batch)):
        what = f"{refuse.short_repr(total)}, where there is no mean, or floats overflow or vanish"
        raise ValueError(f"{name} sums to {what}: {refuse.advice(name)}, and scale them")
    return weight


def _matrix(raw: Any, name: str, is_masked: bool = False) -> Any:
    """Any accepted container as a matrix of real numbers; a sparse one as a CSR array."""
    refuse.list_of_matrices(raw, name)
    matrix = _csr(raw, name) if kinds.is_sparse(raw) else _array(raw, name, is_masked)
    refuse.not_two_dimensional(matrix.shape, name, raw)
    return matrix


def _csr(raw: Any, name: str) -> Any:
    """A CSR array that holds each cell once and in order; it shares what it can with what was given."""
    from scipy.sparse import csr_array

    if raw.dtype.kind not in _NUMBERS:
        raise TypeError(f"{name} is a sparse matrix of {raw.dtype} values: {refuse.advice(name)}")
    if len(raw.shape) != 2:
        return raw
    matrix = csr_array(raw)
    if not matrix.has_canonical_format:
        matrix = matrix.copy()
        matrix.sum_duplicates()
    matrix.data = _plain(matrix.data)
    return matrix


def _array(raw: Any, name: str, is_masked: bool = False) -> NDArray[Any]:
    """Any dense container as an array: of real numbers, unless it has too many dimensions."""
    refuse.masked(raw, name)
    array = as_cell_array(raw, name)
    if array.ndim == 0 or isinstance(raw, bytearray):
        raise TypeError(f"{name} is of type {type(raw).__name__}: {refuse.advice(name)}")
    if array.ndim > 2 or array.dtype.kind in _NUMBERS:
        return _plain(array)
    return _floats(array, name, None if is_masked else raw)


def as_cell_array(raw: Any, name: str) -> NDArray[Any]:
    """Any dense container as an array, whatever its cells hold."""
    if kinds.is_nested(raw):
        refuse.masked(raw, name)
    try:
        if not kinds.is_nested(raw):
            return np.asarray(raw.to_numpy() if hasattr(raw, "to_numpy") else raw)
        with warnings.catch_warnings():  # NumPy would only warn of a masked cell
            warnings.filterwarnings("error", "Warning: converting a masked element")
            array = np.asarray(raw)
        # Beside text numbers are text by now, and beside floats large whole numbers are rounded.
        is_rounded = array.dtype == float and bool((np.abs(array) >= kinds.MAX_EXACT_INT).any())
        is_other = is_rounded or array.dtype.kind not in _NUMBERS
        return np.asarray(raw, dtype=object) if is_other else array
    except Exception:  # ragged rows or masked cells, or what a foreign __array__ raises
        try:
            return np.asarray(raw, dtype=object)
        except Exception as error:
            what = f"{type(raw).__name__}, which NumPy cannot read ({' '.join(str(error).split())})"
            raise TypeError(f"{name} is of type {what}: convert it to an array first") from None


def _plain(values: NDArray[Any]) -> NDArray[Any]:
    """Booleans of the bytes 0 and 1, which are added up: a view of a mask may hold others."""
    if values.dtype != bool or values.view(np.uint8).max(initial=0) <= 1:
        return values
    return np.not_equal(values.view(np.uint8), 0)


def _floats(cells: NDArray[Any], name: str, raw: Any) -> FloatArray:
    """Cells of any kind as floats, if each is a real number that a float can hold."""
    if cells.ndim == 1 and any(map(kinds.is_list, cells)):
        refuse.nested_rows(cells, name, raw)
    for i, cell in enumerate(cells.flat):
        if not kinds.is_real(cell):
            where = refuse.position_text(*np.unravel_index(i, cells.shape))
            refuse.not_real(cell, where, name, remedies.for_cells(cell, cells, raw, name))
    large = [kinds.is_integer(cell) and abs(int(cell)) > kinds.MAX_EXACT_INT for cell in cells.flat]
    if any(large):
        refuse.not_rankable(cells, np.reshape(large, cells.shape), name)
    return cells.astype(float)
