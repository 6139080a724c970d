"""Random truths, predictions, scores, weights and options, the same on every run."""

from __future__ import annotations

from functools import cache, partial
from math import nan
from typing import Any, NamedTuple
from zlib import crc32

import all_small
import numpy as np
import pytest

NUMBERS = (0, 1e-9, 0.25, 0.5, 0.99, 1, 3, 1e9)  # of options, also near the ends of what they take
RANDOM_OPTIONS = {
    "zero_division": all_small.ZERO_DIVISIONS,
    "undefined": (0.0, 1.0, -0.5, nan),
}


class Problem(NamedTuple):
    """Input of a metric (``y``: prediction or scores), and a generator for further draws."""

    y_true: Any
    y: Any
    weights: Any
    options: dict[str, Any]
    random: np.random.Generator


@cache
def random_matrices(reads):
    """1,000 triples (truth, prediction or scores, whole weights), at most 12 × 9 cells."""
    random, triples = np.random.default_rng(0), []
    for _ in range(1000):
        shape = random.integers(1, 13), random.integers(1, 10)
        densities = random.choice([0.1, 0.4, 0.7], 2)  # of the truth and of the prediction
        y_true, y_pred = (random.random((2, *shape)) < densities[:, None, None]).astype(int)
        scores = random.integers(0, 5, shape) / 4
        weights = random.integers(0, 4, shape[0])
        weights[0] += not weights.any()  # at least one sample counts
        triples.append((y_true, y_pred if reads == "y_pred" else scores, weights))
    return triples


def random_rankings(n_samples, n_labels):
    """Truth and scores, with few to many relevant labels and few to many ties in a sample."""
    random = np.random.default_rng(0)
    densities = random.random((n_samples, 1))
    n_scores = random.integers(1, 2 * n_labels, (n_samples, 1))
    score = np.floor(random.random((n_samples, n_labels)) * n_scores)
    return (random.random(score.shape) < densities).astype(int), score


def on_random_problems(number, *, without=()):
    """Decorator: run a check on ``number`` problems, the smallest first.

    In `make exhaustive` there are five times as many.

    Options named in ``without`` keep their defaults.
    """

    def decorate(check):
        def test(record, times):
            seed = [crc32(text.encode()) for text in (record.id, check.__name__)]
            random = np.random.default_rng(seed)
            values = {name: option_values(p) for name, p in record.parameters.items()}
            values |= {**RANDOM_OPTIONS, "average": record.averages or (None,)}
            values["ties"] = record.tie_rules
            values = {n: v for n, v in values.items() if n in record.defaults and n not in without}
            triples = random_matrices(record.reads)
            indices = random.choice(len(triples), number * times, replace=False)
            selected = [triples[i] for i in indices]
            for y_true, y, weights in sorted(selected, key=lambda triple: triple[0].size):
                options = {name: v[random.integers(len(v))] for name, v in values.items()}
                if options.get("k", 1) > y.shape[1]:  # more than there are labels
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


def option_values(parameter, n_labels=None):
    """Values of an option for n_labels labels: those in its record, and single numbers."""
    if parameter.per_label:
        numbers = [number for number in NUMBERS[:-1] if takes(parameter.check, [number], 1)]
        of_size = [*parameter.values, *(partial(np.full, fill_value=number) for number in numbers)]
        return [value(n_labels) if n_labels else value for value in of_size]
    numbers = [number for number in NUMBERS if takes(parameter.check, number)]
    return [*parameter.values, *parameter.further_values, *numbers]


def takes(check, *arguments):
    """Whether the check of an option lets a value pass."""
    try:
        check(*arguments)
    except (TypeError, ValueError):
        return False
    return True


def agree(value, expected):
    """True if both have one shape and differ by at most 1e-12 everywhere; nan equals nan."""
    expected = np.asarray(expected, dtype=float)
    return np.shape(value) == expected.shape and np.allclose(
        value, expected, rtol=0, atol=1e-12, equal_nan=True
    )


def mask_cells(y_true, random, most):
    """The truth with up to ``most`` cells masked.

    Under the mask is a 7, which no metric may read.
    """
    size = np.size(y_true)
    mask = random.permutation(size).reshape(np.shape(y_true)) < min(most, size)
    return np.ma.MaskedArray(np.where(mask, 7, y_true), mask)
