"""Truth, predictions, scores, weights and options of any metric, drawn by a seed."""

from __future__ import annotations

from functools import cache
from math import nan
from typing import Any, NamedTuple
from zlib import crc32

import all_small
import numpy as np
import pytest

RANDOM_OPTIONS = {
    "beta": (0, 0.25, 0.5, 1, 2, 3),
    "zero_division": all_small.ZERO_DIVISIONS,
    "ties": all_small.TIES,
    "undefined": (0.0, 1.0, -0.5, nan),
}


class Problem(NamedTuple):
    """What a metric reads, whole-number weights, options of it, and what else a test wants to draw."""

    y_true: Any
    y: Any
    weights: Any
    options: dict[str, Any]
    random: np.random.Generator


@cache
def random_matrices(reads):
    """Matrices and weights of up to 12 samples and 9 labels, from nearly empty to nearly full."""
    random, found = np.random.default_rng(0), []
    for _ in range(1000):
        shape = random.integers(1, 13), random.integers(1, 10)
        y_true, y_pred = (random.choice([0.1, 0.4, 0.7], 2) > random.random((2, *shape)).T).T
        quarters = random.integers(0, 5, shape) / 4
        weights = random.integers(0, 4, shape[0])
        weights[0] += not weights.any()
        found.append((1 * y_true, 1 * y_pred if reads == "y_pred" else quarters, weights))
    return found


def random_rankings(n_samples, n_labels):
    """Truth and scores: few and many relevant labels, few and many ties."""
    rng = np.random.default_rng(0)
    share, heights = rng.random((n_samples, 1)), rng.integers(1, 2 * n_labels, (n_samples, 1))
    score = np.floor(rng.random((n_samples, n_labels)) * heights)
    return (rng.random(score.shape) < share).astype(int), score


def on_random_problems(number, *, without=()):
    """A test of a record on so many problems, the smallest first; in `make exhaustive` on five times as many."""

    def decorate(check):
        def test(record, times):
            random = np.random.default_rng(
                [crc32(text.encode()) for text in (record.id, check.__name__)]
            )
            taken = {name: p.values for name, p in record.parameters.items()}
            taken |= {**RANDOM_OPTIONS, "average": record.averages or (None,)}
            taken = {n: v for n, v in taken.items() if n in record.defaults and n not in without}
            some = random_matrices(record.reads)
            chosen = random.choice(len(some), number * times, replace=False)
            for y_true, y, weights in sorted(
                (some[i] for i in chosen), key=lambda one: one[0].size
            ):
                options = {
                    name: values[random.integers(len(values))] for name, values in taken.items()
                }
                if options.get("k", 1) > y.shape[1]:
                    options["k"] = 1
                problem = Problem(y_true, y, weights, options, random)
                try:
                    check(record, *problem)
                except AssertionError as error:
                    error.add_note(f"{record} of {problem}")
                    raise

        test.__name__, test.__doc__ = check.__name__, check.__doc__
        times = [1, pytest.param(5, marks=pytest.mark.exhaustive)]
        return pytest.mark.parametrize("times", times)(test)

    return decorate


def option_values(parameter, n_labels):
    """The values of an option that searches try on data of so many labels."""
    return [value(n_labels) if parameter.per_label else value for value in parameter.values]


def agree(value, expected):
    """To 1e-12, and nan is nan."""
    expected = np.asarray(expected, dtype=float)
    return np.shape(value) == expected.shape and np.allclose(
        value, expected, rtol=0, atol=1e-12, equal_nan=True
    )


def mask_cells(y_true, random, most):
    """The truth with at most so many cells masked, and something else than 0 under the mask."""
    size = np.size(y_true)
    mask = random.permutation(size).reshape(np.shape(y_true)) < min(most, size)
    return np.ma.MaskedArray(np.where(mask, 7, y_true), mask)
