"""What a value or a container is."""

import sys
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

MAX_EXACT_INT = 2**53  # up to here a float is the whole number that was given
_REAL = (bool, int, float, np.bool_, np.integer, np.floating)


def is_real(value: Any) -> bool:
    """Whether it is a real number, or a truth value."""
    return isinstance(value, _REAL) and not isinstance(value, np.timedelta64)  # an np.integer


def is_number(value: Any) -> bool:
    """Whether it is a real number and no truth value."""
    return is_real(value) and not isinstance(value, (bool, np.bool_))


def is_integer(value: Any) -> bool:
    """Whether it is an integer of Python or NumPy and no truth value."""
    return is_number(value) and isinstance(value, (int, np.integer))


def is_missing(value: Any) -> bool:
    """Whether it is None, nan, or what pandas writes in their place."""
    is_nan = is_real(value) and value != value
    return value is None or is_nan or type(value).__name__ in ("NAType", "NaTType")


def is_nested(raw: Any) -> bool:
    """Whether it holds its rows one by one, as a list does."""
    return isinstance(raw, Sequence) and not isinstance(raw, (str, bytes, bytearray, memoryview))


def is_list(raw: Any) -> bool:
    """Whether it holds values one by one and in order: a list, a Series or an array."""
    return is_nested(raw) or (len(getattr(raw, "shape", ())) == 1 and not is_sparse(raw))


def as_list(raw: Any) -> Any:
    """An array or a Series as a list; anything else as it is."""
    return raw.tolist() if hasattr(raw, "tolist") else raw


def is_sparse(raw: Any) -> bool:
    """Whether it is a SciPy sparse container; SciPy is not imported to find out."""
    sparse = sys.modules.get("scipy.sparse")
    return sparse is not None and bool(sparse.issparse(raw))


def axis_names(raw: Any, axis: str) -> Any:
    """The "columns" or "index" of a frame of pandas, polars or Arrow; None of what names nothing.

    A masked array has those of the frame that `data.unknown` made it of.
    """
    if axis == "columns" and hasattr(raw, "column_names"):  # Arrow, whose columns are arrays
        return raw.column_names
    can_have = hasattr(raw, "to_numpy") or isinstance(raw, np.ma.MaskedArray)
    own = getattr(raw, axis, None) if can_have else None
    return own if isinstance(own, Iterable) else None


def with_names_of(like: Any, matrix: Any) -> Any:
    """A masked array that keeps the names of a frame, or of what `data.unknown` made of one."""
    for axis in ("columns", "index"):
        if (own := axis_names(like, axis)) is not None:
            setattr(matrix, axis, own)
    return matrix


def stored_values(matrix: Any) -> NDArray[Any]:
    """The values of a matrix that are written down: all of them, or the data of a CSR array."""
    return matrix.data if is_sparse(matrix) else matrix  # type: ignore[no-any-return]
