"""Every small world on which a function is tried, with the metric's value there: the smallest first."""

import math
from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mlm_course import small_data
from mlm_helpers import catalogue
from mlm_helpers.catalogue import MetricFunction

SIZES = ((1, 1), (1, 2), (2, 1), (1, 3), (3, 1), (1, 4), (2, 2), (4, 1), (2, 3), (3, 2))
"""Samples and labels: fewest cells, then fewest samples."""
_MOST = 20_000  # worlds of one size; a size of more is left out
_MOST_ALONE = 2_000  # of a metric that is asked world by world
Row = tuple[Any, ...]


class World(NamedTuple):
    """Data, and what a metric is there.

    Attributes
    ----------
    y_true, y_other : tuples of rows
    value : float
    has_value : whether each sample, or label, has a value of its own: nothing is 0/0
    """

    y_true: tuple[Row, ...]
    y_other: tuple[Row, ...]
    value: float
    has_value: bool

    @property
    def pair(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """Both matrices as new arrays."""
        return np.array(self.y_true), np.array(self.y_other)


def worlds(metric: MetricFunction) -> Iterator[World]:
    """Every world of a small size that the metric takes; of one row of five, if it takes none smaller."""
    record = catalogue.of(metric)
    rules = {"zero_division", "undefined"} & {*record.options}
    most = _MOST_ALONE if record.along == "all" else _MOST
    strict = partial(metric, **dict.fromkeys(rules, math.nan))
    taken = [size for size in SIZES if small_data.takes(metric, *size)]
    for n_samples, n_labels in taken or [
        size for size in ((1, 5),) if small_data.takes(metric, *size)
    ]:
        for truth, others, (values,) in small_data.of_size((metric,), n_samples, n_labels):
            if 2**truth.size * len(others) > most:
                break
            own, _ = small_data.averaged(strict, np.broadcast_to(truth, others.shape), others)
            y_true = tuple(map(tuple, truth.tolist()))
            for other, value, each in zip(others.tolist(), values, np.isnan(own), strict=True):
                yield World(y_true, tuple(map(tuple, other)), float(value), not each.any())
