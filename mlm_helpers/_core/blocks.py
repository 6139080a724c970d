"""Rows of a large matrix, few enough at a time to stay in a processor's cache."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

CELLS = 2**17  # that are worked on at a time


def blocks(matrix: Any) -> Iterator[slice]:
    """Slices of rows, each of few enough cells (of a CSR array, stored cells) for a processor's cache."""
    if hasattr(matrix, "indptr"):
        return _of_stored(matrix.indptr)
    step = max(min(CELLS * len(matrix) // max(matrix.size, 1), len(matrix)), 1)
    return (slice(first, first + step) for first in range(0, len(matrix), step))


def parts(matrix: NDArray[Any]) -> Iterator[slice]:
    """One slice of all rows; of a large matrix eight slices, of which a copy takes little memory."""
    step = len(matrix) if matrix.size <= 8 * CELLS else -(-len(matrix) // 8)
    return (slice(first, first + step) for first in range(0, len(matrix), step))


def _of_stored(indptr: NDArray[Any]) -> Iterator[slice]:
    """Slices of the rows of a CSR array; a row that stores more than fits has a slice of its own."""
    first = 0
    while first < len(indptr) - 1:
        end = int(np.searchsorted(indptr, int(indptr[first]) + CELLS, "right")) - 1
        rows = slice(first, max(end, first + 1))
        yield rows
        first = rows.stop
