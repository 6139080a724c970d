"""The one gate: the only code of the package that looks at raw input.

What passes is a matrix of zeros and ones (NumPy, or CSR where truth and prediction both came sparse)
or a matrix of finite numbers, neither copied nor converted: matrices are large, and one read of each
is what a metric should cost. What does not pass gets one sentence: which argument, which value,
where, and what to do. Rows are samples, columns are labels; both are numbered from 0, as in Python.
"""

from __future__ import annotations

import math
import re
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from typing import Any, NoReturn, TypeAlias

import numpy as np
from numpy.typing import NDArray

LabelMatrix: TypeAlias = NDArray[Any]
"""Zeros and ones of any kind of number, shape (n_samples, n_labels); or a CSR array that stores only
ones, each once and in order."""
ScoreMatrix: TypeAlias = NDArray[Any]
"""Finite numbers of any kind that compares as a number does, shape (n_samples, n_labels)."""
FloatArray: TypeAlias = NDArray[np.float64]
Weights: TypeAlias = FloatArray | None

AVERAGES = ("macro", "micro", "weighted", None)
TIES = ("worst", "best", "average", "first", "last")

_BINARIZE = "turn label sets into a 0/1 matrix with sklearn.preprocessing.MultiLabelBinarizer"
_REAL = (bool, int, float, np.bool_, np.integer, np.floating)
_LABELS = ("y_true", "y_pred")
_BYTES = (bytes, bytearray, memoryview)
_MISSING = ("None", "<NA>", "NaT")
_EXACT = 2**53  # up to here a float is the whole number that was given
_BLOCK = 2**17  # cells that are worked on at a time, few enough to stay in a processor's cache
_SIZE = 1e100  # up to here (and down to its inverse) no sum or product of the metrics overflows


# ---------------------------------------------------------------------------- matrices


def label_sets(
    y_true: Any, y_pred: Any, sample_weight: Any = None, *, of_many: bool = False
) -> tuple[LabelMatrix, LabelMatrix, Weights]:
    """Read truth and prediction as matrices of zeros and ones of one shape, and the weights.

    Parameters
    ----------
    y_true, y_pred : matrix of 0 and 1, shape (n_samples, n_labels)
    sample_weight : array of shape (n_samples,), optional
    of_many : bool
        This is a batch of many, in which the weights may all be 0.

    Returns
    -------
    y_true, y_pred : arrays of what kind of number they came as, or CSR arrays if both came sparse
    weight : float array of shape (n_samples,), or None

    Raises
    ------
    TypeError, ValueError
        One sentence that names the argument, the first offending value and the remedy.

    Examples
    --------
    >>> y_true, y_pred, weight = label_sets([[1, 0]], [[1, 1]])
    >>> y_pred
    array([[1, 1]])
    """
    truth, prediction = _zeros_and_ones(y_true, "y_true"), _zeros_and_ones(y_pred, "y_pred")
    _check_same_rows_and_columns(y_true, truth, y_pred, prediction, "y_pred")
    if not (_is_sparse(truth) and _is_sparse(prediction)):
        truth, prediction = _dense(truth), _dense(prediction)
    return truth, prediction, _weights(sample_weight, y_true, truth.shape[0], of_many)


def label_scores(
    y_true: Any, y_score: Any, sample_weight: Any = None, *, of_many: bool = False
) -> tuple[LabelMatrix, ScoreMatrix, Weights]:
    """Read truth as a matrix of zeros and ones, scores as one of finite numbers, and the weights.

    Parameters
    ----------
    y_true : matrix of 0 and 1, shape (n_samples, n_labels)
    y_score : matrix of finite numbers, same shape; in a sparse one, what is not stored is 0
    sample_weight : array of shape (n_samples,), optional
    of_many : bool
        This is a batch of many, in which the weights may all be 0.

    Returns
    -------
    y_true, y_score : dense arrays of what kind of number they came as
    weight : float array of shape (n_samples,), or None

    Raises
    ------
    TypeError, ValueError
        One sentence that names the argument, the first offending value and the remedy.

    Examples
    --------
    >>> y_true, y_score, weight = label_scores([[1, 0]], [[3, 4]])
    >>> y_score
    array([[3, 4]])
    """
    truth, score = _zeros_and_ones(y_true, "y_true"), _finite(y_score)
    _check_same_rows_and_columns(y_true, truth, y_score, score, "y_score")
    return _dense(truth), score, _weights(sample_weight, y_true, truth.shape[0], of_many)


def scores(y_score: Any) -> NDArray[np.floating[Any]]:
    """Read scores as a dense matrix of finite floats, shape (n_samples, n_labels).

    Raises
    ------
    TypeError, ValueError
        One sentence that names the first offending value and the remedy.

    Examples
    --------
    >>> scores([[1, 3, 2]])
    array([[1., 3., 2.]])
    """
    score = _finite(y_score)
    return score if score.dtype.kind == "f" else score.astype(float)


def blocks(matrix: NDArray[Any]) -> Iterator[slice]:
    """Rows of a matrix, in runs of few enough cells to stay in a processor's cache.

    Examples
    --------
    >>> list(blocks(np.zeros((3, 2**16))))
    [slice(0, 2, None), slice(2, 4, None)]
    """
    step = max(_BLOCK * len(matrix) // max(matrix.size, 1), 1)
    return (slice(first, first + step) for first in range(0, len(matrix), step))


def _finite(y_score: Any) -> ScoreMatrix:
    matrix = _matrix(y_score, "y_score")
    values = _stored(matrix)
    lowest, highest = values.min(initial=0), values.max(initial=0)  # nan if one is
    if not (np.isfinite(lowest) and np.isfinite(highest)):
        value, place = _first(matrix, ~np.isfinite(values))
        raise ValueError(
            f"y_score holds {shown(value)} at {place}, which has no rank:"
            " give every label a finite score"
        )
    if values.dtype.kind in "iu" and not -_EXACT <= int(lowest) <= int(highest) <= _EXACT:
        _refuse_inexact(*_first(matrix, (values > _EXACT) | (values < -_EXACT)), "y_score")
    dense = _dense(matrix)
    return dense.view(np.uint8) if dense.dtype == bool else dense


def _zeros_and_ones(raw: Any, name: str) -> LabelMatrix:
    matrix = _matrix(raw, name)
    values = _stored(matrix)
    if not _only_0_and_1(values):
        alien = (values != 0) & (values != 1)
        are_scores = bool(np.any(values[np.isfinite(values)] % 1))
        _refuse_label(*_first(matrix, alien), name, are_scores)
    return _only_ones(matrix) if _is_sparse(matrix) else matrix


def _only_0_and_1(values: NDArray[Any]) -> bool:
    if values.dtype == bool:
        return True
    if values.dtype.kind in "iu":  # any other bit of any number would show
        return np.bitwise_or.reduce(values, axis=None) in (0, 1)
    parts = (values[rows] for rows in blocks(values))
    return all(((part == 0) | (part == 1)).all() for part in parts)


def _refuse_label(value: Any, place: str, name: str, are_scores: bool) -> NoReturn:
    what = shown(value)
    if value != value:
        remedy = "decide whether the label is relevant, or leave the sample out"
    elif abs(value) == math.inf:
        remedy = "write 1 where the label is meant and 0 elsewhere"
    elif are_scores:
        what = f"the score {what}"
        remedy = f"threshold scores first, for example {name} >= 0.5"
    elif value == -1:
        remedy = f"if -1 means 'not relevant', pass {name} > 0"
    else:
        remedy = f"if it is a class number, {_BINARIZE}"
    raise ValueError(f"{name} holds {what} at {place}, where only 0 or 1 may stand: {remedy}")


def _refuse_inexact(value: Any, place: str, name: str) -> NoReturn:
    numbers = "scores" if name == "y_score" else "weights"
    raise ValueError(
        f"{name} holds the whole number {shown(value)} at {place}, and beyond 2**53 floats"
        f" cannot tell neighbours apart: scale the {numbers} down"
    )


def _refuse_unreal(value: Any, place: str, name: str, kind: str = "real number") -> NoReturn:
    remedy = _advice(name)
    is_number = isinstance(value, str) and re.fullmatch(r"\s*[-+]?[\d.]+\s*", value)
    if is_number and ("column" in place or name == "sample_weight"):
        number = "int" if name in _LABELS else "float"
        remedy = f"turn text into numbers with np.asarray({name}).astype({number})"
    elif name in _LABELS and isinstance(value, (str, Set, list, tuple, Mapping)) and not is_number:
        remedy = _BINARIZE
    elif name in _LABELS and shown(value) in _MISSING:
        remedy = "decide whether the label is relevant, or leave the sample out"
    raise TypeError(f"{name} holds {shown(value)} at {place}, which is not a {kind}: {remedy}")


def _matrix(raw: Any, name: str) -> NDArray[Any]:
    """Any accepted container as a matrix of real numbers; a sparse one as a CSR array."""
    _refuse_list_of_matrices(raw, name)
    matrix = _csr(raw, name) if _is_sparse(raw) else _array(raw, name)
    if 0 in matrix.shape:
        raise ValueError(f"{name} is empty, its shape is {matrix.shape}: {_advice(name)}")
    if len(matrix.shape) == 1:
        raise ValueError(
            f"{name} has one dimension, its shape is {matrix.shape}, and needs two: for a single"
            f" sample pass np.reshape({name}, (1, -1)), for a single label np.reshape({name}, (-1, 1))"
        )
    if len(matrix.shape) > 2:
        raise ValueError(
            f"{name} has {len(matrix.shape)} dimensions, its shape is {matrix.shape}, and needs"
            f" two: {_advice(name)}"
        )
    return matrix


def _csr(raw: Any, name: str) -> Any:
    """A CSR array that holds each cell once and in order; it shares what it can with what was given."""
    from scipy.sparse import csr_array

    if raw.dtype.kind not in "buifc":
        raise TypeError(f"{name} is a sparse matrix of {raw.dtype} values: {_advice(name)}")
    if len(raw.shape) != 2:
        return raw
    matrix = csr_array(raw)
    if not matrix.has_canonical_format:
        matrix = matrix.copy()
        matrix.sum_duplicates()
    if raw.dtype.kind == "c" and 0 not in raw.shape:
        _refuse_unreal(matrix[0, 0], _place(0, 0), name)
    return matrix


def _only_ones(matrix: Any) -> Any:
    matrix.data = matrix.data.astype(bool)
    if not matrix.data.all():
        matrix = matrix.copy()  # what eliminates zeros also writes to the indices
        matrix.eliminate_zeros()
    return matrix


def _array(raw: Any, name: str) -> NDArray[Any]:
    """Any dense container as an array: of real numbers, unless it has too many dimensions."""
    _refuse_masked(raw, name)
    nested = isinstance(raw, Sequence) and not isinstance(raw, (str, *_BYTES))
    try:
        array = _of_lists(raw) if nested else np.asarray(raw.to_numpy() if _is_frame(raw) else raw)
    except Exception as error:  # ragged rows or masked cells, or what a foreign __array__ raises
        array = _objects(raw, name, error)
    if array.ndim == 0 or isinstance(raw, bytearray):
        raise TypeError(f"{name} is of type {type(raw).__name__}: {_advice(name)}")
    # A list of whole numbers and floats is floats by now, and what was large has been rounded.
    rounded = nested and array.dtype == float and bool((np.abs(array) >= _EXACT).any())
    if array.ndim > 2 or (array.dtype.kind in "buif" and not rounded):
        return array
    return _floats(np.asarray(raw, dtype=object) if nested else array, name)


def _of_lists(raw: Any) -> NDArray[Any]:
    """Nested lists as an array; a masked cell in them raises, where NumPy would only warn."""
    with warnings.catch_warnings():
        warnings.filterwarnings("error", "Warning: converting a masked element")
        return np.asarray(raw)


def _objects(raw: Any, name: str, error: Exception) -> NDArray[Any]:
    """The cells of what NumPy cannot read, as far as it can tell cells apart."""
    try:
        return np.asarray(raw, dtype=object)
    except Exception:
        reason = " ".join(str(error).split())
        raise TypeError(
            f"{name} is of type {type(raw).__name__}, which NumPy cannot read ({reason}):"
            " convert it to a NumPy array first"
        ) from error


def _floats(cells: NDArray[Any], name: str) -> NDArray[np.float64]:
    """Cells of any kind as floats, if each is a real number that a float can hold."""
    if cells.ndim == 1 and any(map(_is_row, cells)):
        _refuse_rows(cells, name)
    for i, cell in enumerate(cells.flat):
        if not _is_real(cell):
            _refuse_unreal(cell, _place(*np.unravel_index(i, cells.shape)), name)
        if isinstance(cell, (int, np.integer)) and abs(int(cell)) > _EXACT:
            place = _place(*np.unravel_index(i, cells.shape))
            if name in _LABELS:
                _refuse_label(cell, place, name, are_scores=False)
            _refuse_inexact(cell, place, name)
    return cells.astype(float)


def _refuse_rows(rows: NDArray[Any], name: str) -> NoReturn:
    """Rows that make no matrix: the first one that is no row, holds no numbers, or is too long."""
    for i, row in enumerate(rows):
        if not _is_row(row):
            _refuse_unreal(row, _place(i), name, "row of numbers")
        for j, cell in enumerate(row):
            if not _is_real(cell):
                _refuse_unreal(cell, _place(i, j), name)
        if len(row) != len(rows[0]):
            remedy = f"; {_BINARIZE}" if name in _LABELS else ""
            raise ValueError(
                f"{name} is ragged, row {i} has length {len(row)} where row 0 has"
                f" {len(rows[0])}: {_advice(name)}{remedy}"
            )
    raise TypeError(
        f"{name} holds {shown(rows[0])} at {_place(0)}, a row within a cell:"
        f" make one matrix of the rows, np.stack({name})"
    )


def _refuse_masked(raw: Any, name: str) -> None:
    """Refuse masks, which NumPy would drop without a word."""
    if isinstance(raw, np.ma.MaskedArray):
        raise TypeError(
            f"{name} is a masked array, and no metric says what a masked cell is worth:"
            " fill the cells or leave their samples out"
        )
    if isinstance(raw, Sequence) and not isinstance(raw, (str, *_BYTES)):
        for row, item in enumerate(raw):
            if isinstance(item, np.ma.MaskedArray):
                _refuse_masked(item, f"{name}[{row}]")


def _refuse_list_of_matrices(raw: Any, name: str) -> None:
    """Refuse what predict_proba returns for several labels: a list of (n_samples, 2) arrays."""
    if not (isinstance(raw, (list, tuple)) and raw):
        return
    if all(getattr(item, "ndim", 0) == 2 for item in raw):
        remedy = f": keep the column of class 1, np.column_stack([p[:, 1] for p in {name}])"
        for i, item in enumerate(raw):
            if item.shape[1] != 2:
                remedy = (
                    f", and matrix {i} has shape {item.shape}: keep one column per label, its score"
                    " of class 1, and join them with np.column_stack"
                )
                break
        raise ValueError(
            f"{name} is a list of matrices, as predict_proba returns one per label{remedy}"
        )


def _check_same_rows_and_columns(
    raw_true: Any, truth: NDArray[Any], raw: Any, matrix: NDArray[Any], name: str
) -> None:
    if truth.shape != matrix.shape:
        raise ValueError(
            f"{name} has shape {matrix.shape} and y_true has shape {truth.shape}:"
            " give both the same samples as rows and the same labels as columns"
        )
    for axis in ("columns", "index"):
        _check_same_order(raw_true, raw, axis, name)


def _check_same_order(raw_true: Any, raw: Any, axis: str, name: str) -> None:
    """Two pandas objects are matched by position here, so their names must agree in order too."""
    if not (hasattr(raw_true, "to_numpy") and hasattr(raw, "to_numpy")):
        return
    true_names, names = list(getattr(raw_true, axis, ())), list(getattr(raw, axis, ()))
    for i, (true_name, other) in enumerate(zip(true_names, names, strict=False)):
        # Membership and not !=, which pandas' NA answers with NA; and no nan equals another.
        if other not in {true_name} and repr(other) != repr(true_name):
            remedy = f"give both the same {axis} in one order"
            if set(names) == set(true_names):
                remedy = f"bring both into one order with {name}.reindex({axis}=y_true.{axis})"
            raise ValueError(
                f"{name} has {shown(other)} at position {i} of its {axis} where y_true has"
                f" {shown(true_name)}: {remedy}"
            )


# ---------------------------------------------------------------------------- weights and options


def _weights(sample_weight: Any, raw_true: Any, n_samples: int, of_many: bool) -> Weights:
    if sample_weight is None:
        return None
    name = "sample_weight"
    array = _array(sample_weight, name)
    if array.shape != (n_samples,):
        raise ValueError(f"{name} has shape {array.shape}, not ({n_samples},): {_advice(name)}")
    with np.errstate(over="ignore"):
        weight = array.astype(float)
    _check_same_order(raw_true, sample_weight, "index", name)
    bad = ~(np.isfinite(weight) & (weight >= 0))
    if bad.any():
        value, place = _first(weight, bad)
        raise ValueError(f"{name} holds {shown(value)} at {place}: {_advice(name)}")
    with np.errstate(over="ignore"):
        total = weight.sum()
    if total == 0:
        if of_many:
            return weight
        raise ValueError(f"{name} sums to 0, so there is no mean: {_advice(name)}")
    if not 1 / _SIZE <= total <= _SIZE:
        raise ValueError(
            f"{name} sums to {shown(total)}, where floats overflow or vanish:"
            " scale the weights, only their ratios matter to a mean"
        )
    return weight


def one_of(value: Any, allowed: Sequence[Any], name: str) -> None:
    """Refuse an option that is not one of those allowed.

    Examples
    --------
    >>> one_of("samples", AVERAGES, "average")
    Traceback (most recent call last):
        ...
    ValueError: average is 'samples': choose one of 'macro', 'micro', 'weighted', None
    """
    if not any(_is_choice(value, choice) for choice in allowed):
        choices = ", ".join(repr(choice) for choice in allowed)
        raise ValueError(f"{name} is {shown(value)}: choose one of {choices}")


def _is_choice(value: Any, choice: Any) -> bool:
    """Equal and of one kind: neither True nor an array passes for 1."""
    if not (isinstance(value, str) or _is_real(value)):
        return value is choice
    is_bool = isinstance(value, (bool, np.bool_))
    return is_bool == isinstance(choice, bool) and bool(value == choice)


def zero_division(value: Any) -> None:
    """Refuse a ``zero_division`` that is none of 0, 1, nan and "agree"."""
    if not _is_nan(value):
        one_of(value, (0.0, 1.0, math.nan, "agree"), "zero_division")


def start(value: Any) -> None:
    """Refuse a ``start`` that is neither 0 nor 1."""
    one_of(value, (0, 1), "start")


def undefined(value: Any) -> None:
    """Refuse an ``undefined`` that is neither nan nor a number whose mean floats can hold."""
    if not _is_nan(value) and not (_is_number(value) and abs(_float(value)) <= _EXACT):
        raise ValueError(f"undefined is {shown(value)}: give nan or a number within ±2**53")


def beta(value: Any) -> None:
    """Refuse a ``beta`` that is not a finite number of 0 or more."""
    if not (_is_number(value) and 0 <= _float(value) < math.inf):
        raise ValueError(f"beta is {shown(value)}: give a finite number of 0 or more")


CHECKS: dict[str, Callable[[Any], None]] = {
    "average": lambda value: one_of(value, AVERAGES, "average"),
    "per_sample": lambda value: one_of(value, (True, False), "per_sample"),
    "ties": lambda value: one_of(value, TIES, "ties"),
    "undefined": undefined,
    "zero_division": zero_division,
}

# ---------------------------------------------------------------------------- what things are


def _is_real(value: Any) -> bool:
    return isinstance(value, _REAL) and not isinstance(value, np.timedelta64)  # an np.integer


def _is_number(value: Any) -> bool:
    return _is_real(value) and not isinstance(value, (bool, np.bool_))


def _float(value: Any) -> float:
    try:
        return float(value)
    except OverflowError:  # a whole number too large for a float
        return math.inf


def _is_nan(value: Any) -> bool:
    return isinstance(value, (float, np.floating)) and math.isnan(value)


def _is_row(value: Any) -> bool:
    return isinstance(value, (list, tuple)) or (isinstance(value, np.ndarray) and value.ndim > 0)


def _is_sparse(raw: Any) -> bool:
    """Whether it is a SciPy sparse container; SciPy is not imported to find out."""
    sparse = sys.modules.get("scipy.sparse")
    return sparse is not None and bool(sparse.issparse(raw))


def _is_frame(raw: Any) -> bool:
    return hasattr(raw, "columns") and hasattr(raw, "to_numpy")


def _dense(matrix: Any) -> NDArray[Any]:
    return matrix.toarray() if _is_sparse(matrix) else matrix  # type: ignore[no-any-return]


def _stored(matrix: Any) -> NDArray[Any]:
    """The values of a matrix that are written down: all of them, or the data of a CSR array."""
    return matrix.data if _is_sparse(matrix) else matrix  # type: ignore[no-any-return]


def _first(matrix: Any, wanted: NDArray[np.bool_]) -> tuple[Any, str]:
    """The first wanted value among those stored, row by row, and its place."""
    first = int(np.argmax(wanted))
    value = _stored(matrix).flat[first]
    if _is_sparse(matrix):
        row = int(np.searchsorted(matrix.indptr, first, side="right")) - 1
        return value, _place(row, int(matrix.indices[first]))
    return value, _place(*np.unravel_index(first, matrix.shape))


def shown(value: Any) -> str:
    """A value as one wrote it: not too long, no NumPy type around it, no memory address in it."""
    if isinstance(value, np.generic):
        if not isinstance(value, np.character):
            return str(value)
        value = value.item()
    try:
        text = re.sub(r"\s*\n\s*| at 0x\w+", " ", repr(value)).replace(" >", ">")
    except Exception:  # a whole number of more digits than Python prints, say
        return f"an object of type {type(value).__name__}"
    return text if len(text) <= 60 else f"{text[:57]}..."


def _place(*position: Any) -> str:
    return ", ".join(f"{axis} {i}" for axis, i in zip(("row", "column"), position, strict=False))


def _advice(name: str) -> str:
    if name == "sample_weight":
        return "give one finite weight of 0 or more per sample, not all 0"
    kind = "score" if name == "y_score" else "0 or 1"
    return f"give a matrix with one row per sample and one column per label, a {kind} in each cell"
