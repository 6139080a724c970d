"""Rows of a large matrix, few enough at a time to stay in a processor's cache."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from numpy.typing import NDArray

CELLS = 2**17  # that are worked on at a time


def blocks(matrix: NDArray[Any]) -> Iterator[slice]:
    """Rows of a matrix, in runs of few enough cells to stay in a processor's cache.

    Examples
    --------
    >>> import numpy as np
    >>> list(blocks(np.zeros((3, 2**16))))
    [slice(0, 2, None), slice(2, 4, None)]
    """
    step = max(min(CELLS * len(matrix) // max(matrix.size, 1), len(matrix)), 1)
    return (slice(first, first + step) for first in range(0, len(matrix), step))
