"""Small worlds: every pair of truth and prediction, and every way scores can tie, of a small shape.

A matrix is a tuple of rows, a row a tuple of 0s and 1s (or of scores).
"""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement, permutations, product
from math import nan
from typing import NamedTuple

SHAPES = ((2, 2), (3, 2), (2, 3))  # samples, labels
WEIGHTS = {2: (0.5, 3.0), 3: (0.5, 0.0, 3.0)}
ZERO_DIVISIONS = (0.0, 1.0, nan, "agree")
BETAS = (0, 0.5, 1, 2)
AVERAGES = ("macro", "micro", "weighted", None)
TIES = ("worst", "best", "average", "first", "last")

Row = tuple[int, ...]
Matrix = tuple[Row, ...]


class World(NamedTuple):
    y_true: Matrix
    y_pred: Matrix


def rows(n_labels: int) -> list[Row]:
    return list(product((0, 1), repeat=n_labels))


def matrices(n_samples: int, n_labels: int) -> list[Matrix]:
    return list(product(rows(n_labels), repeat=n_samples))


@cache
def worlds(n_samples: int, n_labels: int) -> list[World]:
    every = matrices(n_samples, n_labels)
    return [World(y_true, y_pred) for y_true in every for y_pred in every]


@cache
def representatives(n_samples: int, n_labels: int) -> list[World]:
    """One world of each kind; worlds are of a kind if reordering samples and labels makes them one.

    A world is a list of samples, each a truth and a prediction: where their order does not matter,
    it is a multiset of samples. Of its versions under the orders of the labels, the least stands for all.
    """
    samples = list(product(rows(n_labels), repeat=2))
    kinds = {
        min(
            tuple(sorted(tuple(tuple(row[j] for j in order) for row in sample) for sample in world))
            for order in permutations(range(n_labels))
        )
        for world in combinations_with_replacement(samples, n_samples)
    }
    return [World(*zip(*world, strict=True)) for world in sorted(kinds)]


def in_turns(record, options, some_worlds):
    """Each world with each of the options, but for β, whose values take turns."""
    step = len(BETAS) if "beta" in record.options else 1
    for number, world in enumerate(some_worlds):
        for chosen in options[number % step :: step]:
            yield world, chosen


def weak_orderings(n_labels: int) -> list[Row]:
    """Every way to order labels with ties, as scores 0, 1, … without gaps."""
    return [
        scores
        for scores in product(range(n_labels), repeat=n_labels)
        if set(scores) == set(range(len(set(scores))))
    ]


@cache
def worlds_up_to_label_order(n_samples: int, n_labels: int) -> list[World]:
    """For sample weights, under which only the order of the labels does not matter."""
    columns = list(product(rows(n_samples), repeat=2))
    chosen = combinations_with_replacement(columns, n_labels)
    return [
        World(*(tuple(zip(*matrix, strict=True)) for matrix in zip(*world, strict=True)))
        for world in chosen
    ]


@cache
def pairs(n_samples: int, n_labels: int, scores: bool) -> list[tuple[list[list[int]], ...]]:
    """Truth, and predictions or scores with every tie; of the orders of the samples only one."""
    samples = product(rows(n_labels), weak_orderings(n_labels) if scores else rows(n_labels))
    return [
        tuple([list(row) for row in matrix] for matrix in zip(*world, strict=True))
        for world in combinations_with_replacement(samples, n_samples)
    ]
