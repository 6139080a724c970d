"""Truth, predictions, scores, weights and options of any metric, drawn by hypothesis."""

from __future__ import annotations

from math import nan

import numpy as np
import worlds
from hypothesis import assume, settings
from hypothesis import strategies as st

few = settings(derandomize=True, deadline=None, max_examples=16)
many = settings(derandomize=True, deadline=None, max_examples=40)

CHOICES = {
    "beta": st.sampled_from([0, 0.25, 0.5, 1, 2, 3]),
    "zero_division": st.sampled_from(worlds.ZERO_DIVISIONS),
    "ties": st.sampled_from(worlds.TIES),
    "start": st.sampled_from([0, 1]),
    "undefined": st.sampled_from([0.0, 1.0, -0.5, nan]),
}


def digits(base, width):
    """Rows of digits, each drawn as one number, which is quicker than digit by digit."""
    numbers = st.integers(0, base**width - 1)
    return numbers.map(lambda number: tuple(number // base**j % base for j in range(width)))


def quarters(row):
    return tuple(digit / 4 for digit in row)


def without_ties(row):
    return tuple(16 * digit + j for j, digit in enumerate(row))


@st.composite
def problems(draw, reads="y_pred", tied=True):
    """Truth, prediction or scores, and whole-number weights: matrices as tuples of rows."""
    n_samples, n_labels = draw(st.integers(1, 12)), draw(st.integers(1, 9))
    row = label_set = digits(2, n_labels)
    if reads == "y_score":
        row = digits(5, n_labels).map(quarters) if tied else digits(9, n_labels).map(without_ties)
    y_true, y = (draw(st.tuples(*[kind] * n_samples)) for kind in (label_set, row))
    return y_true, y, draw(digits(4, n_samples).filter(any))


def rankings(tied=True):
    return problems("y_score", tied)


def drawn(data, record, *, without=()):
    """A problem that this metric reads, and options of it: ``(y_true, y), weights, options``."""
    *matrices, weights = data.draw(problems(record.reads))
    own = {name: st.sampled_from(p.values) for name, p in record.parameters.items()}
    averages = {"average": st.sampled_from(record.averages or (None,))}
    options = {
        name: data.draw(choices, label=name)
        for name, choices in (own | CHOICES | averages).items()
        if name in record.options and name not in without
    }
    depth = max(options.get("k", 1), options.get("depth", 1))
    assume(depth <= len(matrices[0][0]))  # none shows more labels than there are
    return matrices, weights, options


def same(value, expected):
    """To 1e-12, and nan is nan."""
    expected = np.asarray(expected, dtype=float)
    return np.shape(value) == expected.shape and np.allclose(
        value, expected, rtol=0, atol=1e-12, equal_nan=True
    )
