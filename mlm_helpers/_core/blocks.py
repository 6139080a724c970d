"""Rows of a large matrix, few enough at a time to stay in a processor's cache."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

BLOCK_CELLS = 2**17  # that are worked on at a time


def row_blocks(matrix: Any) -> Iterator[slice]:
    """Slices of rows, each of few enough cells (of a CSR array, stored cells) for a processor's cache.

    A row that stores more than fits has a slice of its own.
    """
    if not hasattr(matrix, "indptr"):
        step = max(min(BLOCK_CELLS * len(matrix) // max(matrix.size, 1), len(matrix)), 1)
        yield from (slice(first, first + step) for first in range(0, len(matrix), step))
        return
    first, ends = 0, matrix.indptr
    while first < len(ends) - 1:
        last = int(np.searchsorted(ends, int(ends[first]) + BLOCK_CELLS, "right")) - 1
        rows = slice(first, max(last, first + 1))
        yield rows
        first = rows.stop


def large_row_blocks(matrix: NDArray[Any]) -> Iterator[slice]:
    """One slice of all rows; of a large matrix eight slices, of which a copy takes little memory."""
    step = len(matrix) if matrix.size <= 8 * BLOCK_CELLS else -(-len(matrix) // 8)
    return (slice(first, first + step) for first in range(0, len(matrix), step))
