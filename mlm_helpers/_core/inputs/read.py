"""Reading: any container as a matrix of zeros and ones or of finite numbers, or as weights.

A metric calls `read_label_sets`, `read_label_scores` or `read_probabilities`. All matrices come
through `_read_matrix`, and every dense one through `as_array`. ``raw`` is an argument as it was
passed, and ``name`` is its name in messages.
"""

from collections.abc import Callable, Hashable
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlm_helpers._core.blocks import row_blocks
from mlm_helpers._core.inputs import kinds, refuse, remedies
from mlm_helpers._core.inputs.data import Data, FloatArray, Known, Weights, dense
from mlm_helpers._core.inputs.kinds import Array, Mask

_NUMBER_KINDS = "buif"  # NumPy's kinds of dtype for booleans, integers and floats
_ROUNDED = "which a float would round", "give numbers within ±2**53"  # problem and remedy
# No weight is larger, and no sum of weights is smaller than its inverse, except 0: so no metric
# overflows or underflows.
_LARGEST = 1e100


def read_label_sets(
    y_true: Any,
    y_pred: Any,
    sample_weight: Any = None,
    *,
    name: str = "y_pred",
    is_batch: bool = False,
) -> Data:
    """Read truth and prediction as matrices of zeros and ones of one shape, and the weights.

    Both keep their dtype, and are CSR arrays if both came sparse. With ``is_batch`` the samples are
    a part of the data set, so that all their weights may be 0. Messages call the prediction
    ``name``.
    """
    is_sparse = kinds.is_sparse(y_true)
    return _read_data(
        read_labels, y_true, y_pred, sample_weight, name, is_batch, keep_sparse=is_sparse
    )


def read_label_scores(
    y_true: Any, y_score: Any, sample_weight: Any = None, *, name: str = "y_score", **options: bool
) -> Data:
    """Read truth and weights as `read_label_sets` does, and scores as a matrix of finite numbers.

    Both matrices are dense in the result, and a cell that sparse scores do not store has the score
    0. With ``keep_sparse`` both are CSR arrays if the scores are sparse, and such a cell has no
    score. The other option is ``is_batch``.
    """
    return _read_data(_read_scores, y_true, y_score, sample_weight, name, **options)


def read_probabilities(
    y_true: Any, y_prob: Any, sample_weight: Any = None, *, name: str = "y_prob", **options: bool
) -> Data:
    """Read truth and weights as `read_label_sets` does, and probabilities; both become dense.

    The option is ``is_batch``.
    """
    return _read_data(_read_probabilities, y_true, y_prob, sample_weight, name, **options)


def _read_data(
    read_prediction: Callable[[Any, str], Any],
    y_true: Any,
    y_pred: Any,
    sample_weight: Any,
    name: str,
    is_batch: bool = False,
    keep_sparse: bool = False,
) -> Data:
    """The truth, the prediction and the weights, whose shapes and names have to match.

    ``read_prediction(raw, name)`` reads and checks the prediction. The matrices of the result are
    dense, but with ``keep_sparse`` both are CSR arrays if the prediction is one.
    """
    truth, known = read_truth(y_true)
    prediction = read_prediction(y_pred, name)
    refuse.check_equal_shapes(truth, prediction, name)
    if known is not None:
        refuse.check_not_sparse(prediction, name)
    weight = _read_weights(sample_weight, truth.shape[0], is_batch)
    data = Data(truth, prediction, weight, known)
    refuse.check_same_order({"y_true": y_true, name: y_pred, "sample_weight": sample_weight})
    if keep_sparse and data.is_sparse:
        return replace(data, truth=type(prediction)(truth))  # csr_array, without an import
    return data.dense()


def read_per_label(
    raw: Any, n_labels: int, name: str, low: float = 1, high: float = _LARGEST
) -> FloatArray:
    """Read one number for all labels, or one per label, from ``low`` to ``high``.

    The default range is that of inverse propensities. ``raw`` can also be a function that returns
    the numbers. The result has the shape (n_labels,).
    """
    raw = resolve_for_size(raw, n_labels)
    by_label = [raw] * n_labels if kinds.is_number(raw) else raw
    return _read_vector(by_label, n_labels, name, low, high)


def resolve_for_size(raw: Any, n_labels: int) -> Any:
    """The value of an option; if this is a function, its value for the number of labels."""
    return raw(n_labels) if callable(raw) else raw


def _read_vector(raw: Any, length: int, name: str, low: float, high: float) -> FloatArray:
    """Read one number per label, or per sample, from ``low`` to ``high``; shape (length,)."""
    array = _read_array(raw, name)
    advice = refuse.advice(name)
    if array.shape != (length,):
        raise ValueError(f"{name} has shape {array.shape}, not ({length},): {advice}")
    values = array.astype(float)
    is_outside = _is_outside(values, low, high)
    if is_outside.any():
        refuse.not_allowed_values(values, is_outside, name, "which is out of range", advice)
    return values


def read_groups(raw: Any, matrices: Any, n_samples: int, name: str = "groups") -> NDArray[np.intp]:
    """Read the group of each sample; groups are numbered in the order of their first samples.

    The option ``groups`` may be None: then each sample is a group. An argument with another name is
    required. ``matrices`` are the arguments, by name, with whose rows the names of ``raw`` have to
    agree. The result has the shape (n_samples,).
    """
    advice = "give one value per sample, such as its patient's number"
    raw = range(n_samples) if raw is None and name == "groups" else raw
    if not kinds.is_list_like(raw) or len(raw) != n_samples:
        problem = f"{name} is {refuse.short_repr(raw)}, not a list of length {n_samples}"
        raise ValueError(f"{problem}: {advice}")
    refuse.check_same_order({**matrices, name: raw})
    numbers = []
    number_of: dict[Any, int] = {}
    for i, value in enumerate(kinds.as_list(raw)):
        if kinds.is_missing(value) or not isinstance(value, Hashable):
            raise ValueError(f"{name} holds {refuse.short_repr(value)} at position {i}: {advice}")
        numbers.append(number_of.setdefault(value, len(number_of)))
    return np.array(numbers, dtype=np.intp)


def read_one_label(y_true: Any, y_pred: Any, name: str = "y_score") -> tuple[Array, ...]:
    """Read truth and scores of the known samples of one label, as two 1-D arrays.

    Both arguments are lists, or matrices of one column. If ``name`` is not "y_score", the scores
    have to be probabilities.
    """
    read = read_label_scores if name == "y_score" else read_probabilities
    data = read(_as_column(y_true, "y_true"), _as_column(y_pred, name))
    if data.shape[1] > 1:
        problem = f"y_true has {data.shape[1]} columns, and a curve shows one label"
        raise ValueError(f"{problem}: give one column, such as y_true[:, 0] and {name}[:, 0]")
    known = ~np.ma.getmaskarray(data.y_true)
    return data.truth[known], data.prediction[known]


def _as_column(raw: Any, name: str) -> Any:
    """A list, a Series or a 1-D array as a matrix of one column; a matrix unchanged."""
    if hasattr(raw, "to_frame"):  # a Series keeps its index, which is compared with others
        return raw.to_frame(0)  # 0 is the name of the column
    cells = raw if hasattr(raw, "reshape") else _read_array(raw, name)
    return cells.reshape(-1, 1) if cells.ndim == 1 else raw


def read_score_matrix(y_score: Any) -> NDArray[np.floating[Any]]:
    """Read scores as a dense matrix of finite floats, shape (n_samples, n_labels)."""
    score = dense(_read_scores(y_score))
    return score if score.dtype.kind == "f" else score.astype(float)


def read_truth(raw: Any, name: str = "y_true") -> tuple[Any, Known]:
    """Read the truth as a `LabelArray`, and its known cells; None means all of them.

    Masked cells may hold any value.
    """
    if not isinstance(raw, np.ma.MaskedArray):
        return read_labels(raw, name), None
    known = ~np.ma.getmaskarray(raw)
    values = as_array(raw.data)
    # The masked cells become 0. For whole numbers a product is many times as fast as np.where;
    # among floats it would keep nan, because nan times 0 is nan.
    cells = values * known if values.dtype.kind in "bui" else np.where(known, values, 0)
    return read_labels(cells, name), None if known.all() else known


def read_annotations(raw: Any) -> tuple[Mask, Mask]:
    """Read the labels of each annotator, and which cells are known.

    Both have the shape (n_annotators, n_samples, n_labels).
    """
    refuse.check_one_matrix_per_annotator(raw)
    arguments = {f"annotations[{i}]": matrix for i, matrix in enumerate(raw)}
    refuse.check_same_order(arguments)
    truths = []
    known = []
    for name, matrix in arguments.items():
        truth, mask = read_truth(matrix, name)
        truths.append(dense(truth) != 0)
        known.append(np.ones(truth.shape, bool) if mask is None else mask)
        refuse.check_equal_shapes(truths[0], truth, name, "annotations[0]")
    return np.array(truths), np.array(known)


def read_labels(raw: Any, name: str) -> Any:
    """Read any container as a `LabelArray`: an array, or a CSR array if it came sparse."""
    matrix = _read_matrix(raw, name)
    values = kinds.stored_values(matrix)
    if not _are_binary(values):
        is_wrong = (values != 0) & (values != 1)
        # Cells of nan or -1 are named before others: a threshold, which mends 0.5, makes them 0.
        is_unknown = np.isnan(values) | (values == -1)
        is_wrong = is_unknown if is_unknown.any() else is_wrong
        remedy = remedies.for_number(values[is_wrong][0], raw, name)
        refuse.not_allowed_values(matrix, is_wrong, name, "where only 0 or 1 is allowed", remedy)
    return matrix if values is matrix else _without_zeros(matrix)  # a CSR array is not its values


def _without_zeros(csr: Any) -> Any:
    """A CSR array of truth values that stores no zeros; ``csr`` stores 0 and 1."""
    # This array is that of `_read_csr`, so the argument keeps its data.
    csr.data = csr.data.astype(bool, copy=False)
    if csr.data.all():
        return csr
    # eliminate_zeros also writes to the indices, which can be those of the argument.
    csr = csr.copy()
    csr.eliminate_zeros()
    return csr


def _are_binary(values: Array) -> bool:
    """Whether all values are 0 or 1."""
    if values.dtype.kind in "iu":  # The bitwise OR has every bit that any of the integers has.
        return np.bitwise_or.reduce(values, axis=None) in (0, 1)
    parts = (values[rows] for rows in row_blocks(values))  # to compare them takes little memory
    return values.dtype == bool or all(((part == 0) | (part == 1)).all() for part in parts)


def _read_scores(raw: Any, name: str = "y_score") -> Any:
    """Read finite numbers that floats hold exactly; a sparse container as a CSR array."""
    matrix = _read_matrix(raw, name)
    values = kinds.stored_values(matrix)
    is_float = values.dtype.kind == "f"
    high = np.finfo(values.dtype).max if is_float else kinds.MAX_EXACT_INT
    if not _are_within(values, -high, high):
        is_wrong = _is_outside(values, -high, high)
        advice = ("which is not finite", "give finite numbers") if is_float else _ROUNDED
        refuse.not_allowed_values(matrix, is_wrong, name, *advice)
    return _with_bytes(matrix)


def _read_probabilities(raw: Any, name: str) -> Any:
    """Read numbers from 0 to 1; a sparse container as a CSR array."""
    matrix = _read_matrix(raw, name)
    values = kinds.stored_values(matrix)
    if not _are_within(values, 0, 1):
        problem = "which is not a number from 0 to 1"
        remedy = "give probabilities: the sigmoid of logits, and np.clip of rounded probabilities"
        refuse.not_allowed_values(matrix, _is_outside(values, 0, 1), name, problem, remedy)
    return _with_bytes(matrix)


def _are_within(values: Array, low: float, high: float) -> bool:
    """Whether no value is below ``low``, above ``high`` or nan.

    ``low`` is at most 0 and ``high`` at least 0, so 0 can stand for the values where there are
    none: a CSR array may store no cell.
    """
    return bool(values.min(initial=0) >= low and values.max(initial=0) <= high)


def _is_outside(values: Array, low: float, high: float) -> Mask:
    """Which values are below ``low``, above ``high`` or nan."""
    return ~((values >= low) & (values <= high))


def _with_bytes(matrix: Any) -> Any:
    """The matrix, with booleans as bytes 0 and 1: metrics negate scores, NumPy no booleans."""
    if matrix.dtype != bool:
        return matrix
    # Without a copy of an array; a CSR array has no views.
    return matrix.view(np.uint8) if isinstance(matrix, np.ndarray) else matrix.astype(np.uint8)


def _read_weights(sample_weight: Any, n_samples: int, is_batch: bool) -> Weights:
    """Read one weight per sample; only the weights of a batch may all be 0."""
    if sample_weight is None:
        return None
    weight = _read_vector(sample_weight, n_samples, "sample_weight", low=0, high=_LARGEST)
    total = weight.sum()
    if total < 1 / _LARGEST and not (total == 0 and is_batch):
        raise ValueError(f"sample_weight sums to {total}: {refuse.advice('sample_weight')}")
    return weight


def _read_matrix(raw: Any, name: str) -> Any:
    """Read any accepted container as a matrix of real numbers; a sparse one as a CSR array."""
    refuse.check_not_list_of_matrices(raw, name)
    # A sparse matrix of another dtype, such as complex numbers, is refused by `_read_array`.
    is_csr = kinds.is_sparse(raw) and raw.dtype.kind in _NUMBER_KINDS
    matrix = _read_csr(raw) if is_csr else _read_array(raw, name)
    if len(matrix.shape) != 2 or 0 in matrix.shape:
        refuse.not_two_dimensional(matrix.shape, name, raw)
    return matrix


def _read_csr(raw: Any) -> Any:
    """A CSR array with each cell once and in order; it shares memory with ``raw`` if possible."""
    from scipy.sparse import csr_array

    if len(raw.shape) != 2:
        return raw  # `_read_matrix` refuses it.
    matrix = csr_array(raw)
    if not matrix.has_canonical_format:
        matrix = matrix.copy()
        matrix.sum_duplicates()
    matrix.data = _with_plain_bools(matrix.data)
    return matrix


def _read_array(raw: Any, name: str) -> Array:
    """Read any dense container as an array of real numbers.

    The cells of three or more dimensions are not checked, because every caller refuses the shape.
    """
    refuse.check_not_masked(raw, name)
    array = as_array(raw)
    if array.ndim == 0:
        raise TypeError(f"{name} is of type {type(raw).__name__}: {refuse.advice(name)}")
    if array.dtype.kind in _NUMBER_KINDS:
        return _with_plain_bools(array)
    return array if array.ndim > 2 else _as_floats(array, name, raw)


def as_array(raw: Any) -> Array:
    """Any dense container as an array: of numbers, or else of objects, which keep every cell.

    NumPy alone would turn numbers beside text into text.
    """
    source = raw.to_numpy() if hasattr(raw, "to_numpy") else raw
    with suppress(ValueError):  # NumPy raises one for rows of different lengths.
        array = np.asarray(source)
        if array.dtype.kind in _NUMBER_KINDS:
            return array
    return np.asarray(source, dtype=object)


def _with_plain_bools(values: Array) -> Array:
    """The values, with True as the byte 1 everywhere, so that the bytes can be added.

    A view of another array as booleans can hold other bytes: 255, say, in the mask of an image.
    """
    if values.dtype != bool or values.view(np.uint8).max(initial=0) <= 1:
        return values
    return np.not_equal(values.view(np.uint8), 0)


def _as_floats(cells: Array, name: str, raw: Any) -> FloatArray:
    """Cells of any type as floats, if all of them are real numbers."""
    # Rows of different lengths are objects in an array of one dimension.
    if cells.ndim == 1 and any(map(kinds.is_list_like, cells)):
        refuse.not_a_matrix(cells, name)
    if not all(map(kinds.is_real, cells.flat)):
        refuse.not_numbers(cells, name, raw)
    is_large = [kinds.is_integer(x) and abs(x) > kinds.MAX_EXACT_INT for x in cells.flat]
    if any(is_large):
        refuse.not_allowed_values(cells, np.array(is_large), name, *_ROUNDED)
    return cells.astype(float)
