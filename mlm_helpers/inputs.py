"""The one gate: the only code of the package that looks at raw input.

What passes is a matrix of booleans (NumPy, or CSR where truth and prediction both came sparse) or a
matrix of finite floats. What does not pass gets one sentence: which argument, which value, where,
and what to do. Rows are samples, columns are labels; both are numbered from 0, as in Python.
"""

from __future__ import annotations

import math
import reprlib
import sys
from collections.abc import Mapping, Sequence, Set
from typing import Any, NoReturn, TypeAlias

import numpy as np
from numpy.typing import NDArray

LabelMatrix: TypeAlias = NDArray[np.bool_]
"""Booleans of shape (n_samples, n_labels); a CSR array, which has the same operators, may stand in."""
ScoreMatrix: TypeAlias = NDArray[np.floating[Any]]
FloatArray: TypeAlias = NDArray[np.float64]
Weights: TypeAlias = FloatArray | None

AVERAGES = ("macro", "micro", "weighted", None)
TIES = ("worst", "best", "average", "first", "last")

_BINARIZE = "turn label sets into a 0/1 matrix with sklearn.preprocessing.MultiLabelBinarizer"
_REAL = (bool, int, float, np.bool_, np.integer, np.floating)


# ---------------------------------------------------------------------------- matrices


def label_sets(
    y_true: Any, y_pred: Any, sample_weight: Any = None
) -> tuple[LabelMatrix, LabelMatrix, Weights]:
    """Read truth and prediction as boolean matrices of one shape, and the weights.

    Parameters
    ----------
    y_true, y_pred : matrix of 0 and 1, shape (n_samples, n_labels)
    sample_weight : array of shape (n_samples,), optional

    Returns
    -------
    y_true, y_pred : boolean arrays, or CSR arrays if both came sparse
    weight : float array of shape (n_samples,), or None

    Raises
    ------
    TypeError, ValueError
        One sentence that names the argument, the first offending value and the remedy.

    Examples
    --------
    >>> y_true, y_pred, weight = label_sets([[1, 0]], [[1, 1]])
    >>> y_pred
    array([[ True,  True]])
    """
    truth, prediction = _zeros_and_ones(y_true, "y_true"), _zeros_and_ones(y_pred, "y_pred")
    _check_same_rows_and_columns(y_true, truth, y_pred, prediction, "y_pred")
    if not (_is_sparse(truth) and _is_sparse(prediction)):
        truth, prediction = _dense(truth), _dense(prediction)
    return truth, prediction, _weights(sample_weight, y_true, truth.shape[0])


def label_scores(
    y_true: Any, y_score: Any, sample_weight: Any = None
) -> tuple[LabelMatrix, ScoreMatrix, Weights]:
    """Read truth as a boolean matrix, scores as a matrix of finite floats, and the weights.

    Parameters
    ----------
    y_true : matrix of 0 and 1, shape (n_samples, n_labels)
    y_score : matrix of finite numbers, same shape; in a sparse one, what is not stored is 0
    sample_weight : array of shape (n_samples,), optional

    Returns
    -------
    y_true, y_score : dense arrays; float scores keep their precision
    weight : float array of shape (n_samples,), or None

    Raises
    ------
    TypeError, ValueError
        One sentence that names the argument, the first offending value and the remedy.

    Examples
    --------
    >>> y_true, y_score, weight = label_scores([[1, 0]], [[3, 4]])
    >>> y_score
    array([[3., 4.]])
    """
    truth, score = _zeros_and_ones(y_true, "y_true"), scores(y_score)
    _check_same_rows_and_columns(y_true, truth, y_score, score, "y_score")
    return _dense(truth), score, _weights(sample_weight, y_true, truth.shape[0])


def scores(y_score: Any) -> ScoreMatrix:
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
    matrix = _matrix(y_score, "y_score")
    values = _stored(matrix)
    finite = np.isfinite(values)
    if not finite.all():
        value, place = _first(matrix, ~finite)
        raise ValueError(
            f"y_score holds {value!r} at {place}, which has no rank:"
            " give every label a finite score"
        )
    if values.dtype.kind in "iu":
        inexact = (values > 2**53) | (values < -(2**53))
        if inexact.any():
            value, place = _first(matrix, inexact)
            raise ValueError(
                f"y_score holds the whole number {value} at {place}, and beyond 2**53 floats"
                " cannot tell neighbours apart: scale the scores down"
            )
    dense = _dense(matrix)
    return dense if dense.dtype.kind == "f" else dense.astype(float)


def _zeros_and_ones(raw: Any, name: str) -> LabelMatrix:
    matrix = _matrix(raw, name)
    values = _stored(matrix)
    if values.dtype != bool:
        alien = (values != 0) & (values != 1)
        if alien.any():
            _refuse_value(*_first(matrix, alien), name)
    return matrix.astype(bool, copy=False)


def _refuse_value(value: float, place: str, name: str) -> NoReturn:
    what = repr(value)
    if math.isnan(value):
        remedy = "decide whether the label is relevant, or leave the sample out"
    elif math.isinf(value):
        remedy = "write 1 where the label is meant and 0 elsewhere"
    elif value == -1:
        remedy = f"if -1 means 'not relevant', pass {name} > 0"
    elif value == int(value):
        remedy = f"if it is a class number, {_BINARIZE}"
    else:
        what = f"the score {what}"
        remedy = f"threshold scores first, for example {name} = y_score >= 0.5"
    raise ValueError(f"{name} holds {what} at {place}, where only 0 or 1 may stand: {remedy}")


def _matrix(raw: Any, name: str) -> NDArray[Any]:
    """Any accepted container as a matrix of real numbers; a sparse one as a CSR copy."""
    matrix = _csr_copy(raw, name) if _is_sparse(raw) else _array(raw, name)
    if 0 in matrix.shape:
        raise ValueError(f"{name} is empty, its shape is {matrix.shape}: {_advice(name)}")
    if len(matrix.shape) == 1:
        raise ValueError(
            f"{name} has one dimension, its shape is {matrix.shape}, and needs two:"
            f" for a single sample pass [{name}], for a single label one column per row"
        )
    if len(matrix.shape) > 2:
        raise ValueError(
            f"{name} has {len(matrix.shape)} dimensions, its shape is {matrix.shape}, and needs"
            f" two: {_advice(name)}"
        )
    return matrix


def _csr_copy(raw: Any, name: str) -> Any:
    from scipy.sparse import csr_array

    if raw.dtype.kind not in "buif":
        raise TypeError(f"{name} is a sparse matrix of {raw.dtype} values: {_advice(name)}")
    if len(raw.shape) != 2:
        return raw
    matrix = csr_array(raw, copy=True)
    matrix.sum_duplicates()
    matrix.eliminate_zeros()
    return matrix


def _array(raw: Any, name: str) -> NDArray[Any]:
    """Any dense container as an array of real numbers, of any shape but ()."""
    _refuse_masked_or_nested(raw, name)
    try:
        array = np.asarray(raw.to_numpy() if _is_frame(raw) else raw)
    except Exception as error:  # ragged lists, or whatever a foreign __array__ raises
        _refuse_unreadable(raw, name, error)
    if array.ndim == 0:
        raise TypeError(f"{name} is of type {type(raw).__name__}: {_advice(name)}")
    if array.dtype.kind in "buif":
        return array
    objects = np.asarray(raw, dtype=object) if isinstance(raw, Sequence) else array
    if objects.dtype == object and all(
        issubclass(kind, _REAL) for kind in set(map(type, objects.flat))
    ):
        return objects.astype(float)
    alien = next(i for i, item in enumerate(objects.flat) if not isinstance(item, _REAL))
    value = objects.flat[alien]
    place = _place(*np.unravel_index(alien, objects.shape))
    remedy = f"; {_BINARIZE}" if isinstance(value, str) else ""
    raise TypeError(
        f"{name} holds {reprlib.repr(value)} at {place}, which is not a real number:"
        f" {_advice(name)}{remedy}"
    )


def _refuse_masked_or_nested(raw: Any, name: str) -> None:
    """Refuse what NumPy would take for something else: masks, label sets, lists of matrices."""
    if isinstance(raw, np.ma.MaskedArray):
        raise TypeError(
            f"{name} is a masked array, and no metric says what a masked cell is worth:"
            " fill the cells or leave their samples out"
        )
    if not isinstance(raw, Sequence) or isinstance(raw, (str, bytes)):
        return
    for row, item in enumerate(raw):
        if isinstance(item, np.ma.MaskedArray):
            _refuse_masked_or_nested(item, f"{name}[{row}]")
        if isinstance(item, (str, Set, Mapping)):
            raise TypeError(f"{name} holds {reprlib.repr(item)} as row {row}: {_BINARIZE}")
    if raw and all(getattr(item, "ndim", 0) == 2 for item in raw):
        raise ValueError(
            f"{name} is a list of {len(raw)} matrices, as predict_proba returns one per label:"
            f" keep the column of class 1, np.column_stack([p[:, 1] for p in {name}])"
        )


def _refuse_unreadable(raw: Any, name: str, error: Exception) -> NoReturn:
    if isinstance(raw, Sequence):
        lengths = [len(row) if isinstance(row, Sequence) else 0 for row in raw]
        for row, length in enumerate(lengths):
            if length != lengths[0]:
                raise ValueError(
                    f"{name} is ragged, row {row} has length {length} where row 0 has"
                    f" {lengths[0]}: {_advice(name)}; {_BINARIZE}"
                ) from error
    raise TypeError(
        f"{name} is of type {type(raw).__name__}, which NumPy cannot read ({error}):"
        " convert it to a NumPy array first"
    ) from error


def _check_same_rows_and_columns(
    raw_true: Any, truth: NDArray[Any], raw: Any, matrix: NDArray[Any], name: str
) -> None:
    if truth.shape != matrix.shape:
        raise ValueError(
            f"{name} has shape {matrix.shape} and y_true has shape {truth.shape}:"
            " give both the same samples as rows and the same labels as columns"
        )
    _check_same_order(raw_true, raw, "columns", name)
    _check_same_order(raw_true, raw, "index", name)


def _check_same_order(raw_true: Any, raw: Any, axis: str, name: str) -> None:
    """Two pandas objects are matched by position here, so their names must agree in order too."""
    true_names, names = getattr(raw_true, axis, None), getattr(raw, axis, None)
    if true_names is None or names is None or callable(true_names) or callable(names):
        return
    true_names, names = list(true_names), list(names)
    if true_names != names:
        pairs = zip(true_names, names, strict=True)
        first = next(i for i, (true_name, other) in enumerate(pairs) if true_name != other)
        raise ValueError(
            f"{name} has {names[first]!r} at position {first} of its {axis} where y_true has"
            f" {true_names[first]!r}: bring both into one order, for example"
            f" {name} = {name}.reindex({axis}=y_true.{axis})"
        )


# ---------------------------------------------------------------------------- weights and options


def _weights(sample_weight: Any, raw_true: Any, n_samples: int) -> Weights:
    if sample_weight is None:
        return None
    name = "sample_weight"
    weight = _array(sample_weight, name).astype(float)
    if weight.shape != (n_samples,):
        raise ValueError(f"{name} has shape {weight.shape}, not ({n_samples},): {_advice(name)}")
    _check_same_order(raw_true, sample_weight, "index", name)
    bad = ~(np.isfinite(weight) & (weight >= 0))
    if bad.any():
        first = int(np.argmax(bad))
        raise ValueError(
            f"{name} holds {weight[first].item()!r} at {_place(first)}: {_advice(name)}"
        )
    if not 0 < weight.sum() < math.inf:
        raise ValueError(
            f"{name} sums to {weight.sum().item()!r}, so there is no mean: {_advice(name)}"
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
        raise ValueError(f"{name} is {reprlib.repr(value)}: choose one of {choices}")


def _is_choice(value: Any, choice: Any) -> bool:
    """Equal and of one kind: neither True nor an array passes for 1."""
    if not isinstance(value, (str, *_REAL)):
        return value is choice
    is_bool = isinstance(value, (bool, np.bool_))
    return is_bool == isinstance(choice, bool) and bool(value == choice)


def zero_division(value: Any) -> None:
    """Refuse a ``zero_division`` that is none of 0, 1, nan and "agree"."""
    if not _is_nan(value):
        one_of(value, (0.0, 1.0, math.nan, "agree"), "zero_division")


def undefined(value: Any) -> None:
    """Refuse an ``undefined`` that is neither a finite number nor nan."""
    if not _is_nan(value) and not _is_finite(value):
        raise ValueError(f"undefined is {reprlib.repr(value)}: give a finite number or nan")


def beta(value: Any) -> None:
    """Refuse a ``beta`` that is not a finite number of 0 or more."""
    if not (_is_finite(value) and value >= 0):
        raise ValueError(f"beta is {reprlib.repr(value)}: give a finite number of 0 or more")


def _is_finite(value: Any) -> bool:
    return (
        isinstance(value, _REAL)
        and not isinstance(value, (bool, np.bool_))
        and math.isfinite(value)
    )


def _is_nan(value: Any) -> bool:
    return isinstance(value, (float, np.floating)) and math.isnan(value)


# ---------------------------------------------------------------------------- what things are


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
    value = _stored(matrix).flat[first].item()
    if _is_sparse(matrix):
        row = int(np.searchsorted(matrix.indptr, first, side="right")) - 1
        return value, _place(row, int(matrix.indices[first]))
    return value, _place(*np.unravel_index(first, matrix.shape))


def _place(*position: Any) -> str:
    return ", ".join(
        f"{axis} {i}" for axis, i in zip(("row", "column", "layer"), position, strict=False)
    )


def _advice(name: str) -> str:
    if name == "sample_weight":
        return "give one finite weight of 0 or more per sample, not all 0"
    kind = "score" if name == "y_score" else "0 or 1"
    return f"give a matrix with one row per sample and one column per label, a {kind} in each cell"
