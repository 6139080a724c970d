"""What kind of value or container an object is, and which names it has."""

import sys
from collections.abc import Iterable, Sequence, Set
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]
Mask: TypeAlias = NDArray[np.bool_]

MAX_EXACT_INT = 2**53  # beyond this a float no longer holds every integer
AXES = ("columns", "index")
_REAL = (bool, int, float, np.bool_, np.integer, np.floating)


def is_real(value: Any) -> bool:
    """Whether a value is a real number or a truth value, of Python or NumPy."""
    # NumPy's type of durations is a subclass of np.integer.
    return isinstance(value, _REAL) and not isinstance(value, np.timedelta64)


def is_number(value: Any) -> bool:
    """Whether a value is a real number and not a truth value."""
    return is_real(value) and not isinstance(value, (bool, np.bool_))


def is_integer(value: Any) -> bool:
    """Whether a value is an integer of Python or NumPy and not a truth value."""
    return is_number(value) and isinstance(value, (int, np.integer))


def is_missing(value: Any) -> bool:
    """Whether a value is None, nan, or pandas' NA or NaT; pandas is not imported to find out."""
    is_nan = is_real(value) and value != value  # only nan differs from itself
    return value is None or is_nan or type(value).__name__ in ("NAType", "NaTType")


def is_sequence(raw: Any) -> bool:
    """Whether an object is a Python sequence, such as a list or tuple, but not text or bytes."""
    return isinstance(raw, Sequence) and not isinstance(raw, (str, bytes, bytearray, memoryview))


def is_list_like(raw: Any) -> bool:
    """Whether an object holds its values in order: a sequence, a Series or a 1-D array.

    A sparse array of SciPy is not list-like, even with one dimension.
    """
    return is_sequence(raw) or (len(getattr(raw, "shape", ())) == 1 and not is_sparse(raw))


def is_collection(raw: Any) -> bool:
    """Whether an object holds several values: a set, or a list, a Series or a 1-D array."""
    return isinstance(raw, Set) or is_list_like(raw)


def as_list(raw: Any) -> Any:
    """An array or a Series as a list of Python values; an object without ``tolist`` unchanged."""
    return raw.tolist() if hasattr(raw, "tolist") else raw


def is_sparse(raw: Any) -> bool:
    """Whether an object is a sparse container of SciPy; SciPy is not imported to find out."""
    sparse = sys.modules.get("scipy.sparse")
    return sparse is not None and bool(sparse.issparse(raw))


def axis_names(raw: Any, axis: str) -> Any:
    """Names of the columns or rows of a frame of pandas, polars or Arrow; None if it has none.

    ``axis`` is "columns" or "index". The masked array that `data.unknown` makes of a DataFrame has
    the names of that DataFrame.
    """
    if axis == "columns" and hasattr(raw, "column_names"):  # Arrow, whose columns are arrays
        return raw.column_names
    names = getattr(raw, axis, None)
    return names if isinstance(names, Iterable) else None  # the ``index`` of a list is a method


def stored_values(matrix: Any) -> Array:
    """The values that a matrix stores: all cells of an array, the data of a CSR array."""
    return matrix.data if is_sparse(matrix) else matrix  # type: ignore[no-any-return]
