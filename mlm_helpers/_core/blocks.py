"""Slices of the rows of a large matrix, so that what is computed of a slice takes little memory."""

from collections.abc import Iterator
from typing import Any

import numpy as np

BLOCK_CELLS = 2**17  # few enough for the cache of a processor


def row_blocks(matrix: Any) -> Iterator[slice]:
    """Slices of rows, each of at most ``BLOCK_CELLS`` cells.

    A row of more cells has a slice of its own. Of a CSR array only stored cells count.
    """
    if not hasattr(matrix, "indptr"):
        # Rows of BLOCK_CELLS cells together, but at least one row and at most all.
        step = max(min(BLOCK_CELLS * len(matrix) // max(matrix.size, 1), len(matrix)), 1)
        yield from (slice(first, first + step) for first in range(0, len(matrix), step))
        return
    first, n_stored_before = 0, matrix.indptr  # how many cells are stored before each row
    while first < matrix.shape[0]:
        most_stored = int(n_stored_before[first]) + BLOCK_CELLS
        stop = int(np.searchsorted(n_stored_before, most_stored, "right")) - 1
        yield slice(first, max(stop, first + 1))
        first = max(stop, first + 1)


def large_row_blocks(matrix: Any) -> Iterator[slice]:
    """One slice of all rows; of a large matrix eight slices, so that a copy of one is small."""
    n_rows = matrix.shape[0]
    step = n_rows if matrix.size <= 8 * BLOCK_CELLS else -(-n_rows // 8)  # rounded up
    return (slice(first, first + step) for first in range(0, n_rows, step))
