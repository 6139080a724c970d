"""Rows of a large matrix, few enough at a time to stay in a processor's cache."""

from collections.abc import Iterator
from typing import Any

from numpy.typing import NDArray

CELLS = 2**17  # that are worked on at a time


def blocks(matrix: NDArray[Any]) -> Iterator[slice]:
    """Rows of a matrix, in runs of few enough cells to stay in a processor's cache."""
    step = max(min(CELLS * len(matrix) // max(matrix.size, 1), len(matrix)), 1)
    return (slice(first, first + step) for first in range(0, len(matrix), step))
