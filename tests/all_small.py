"""Small worlds: every pair of truth and prediction, and every way scores can tie, of a small shape.

A matrix is a tuple of rows, a row a tuple of 0s and 1s (or of scores). `Exact` has a metric's value of
each in fractions; `predictions` are what a plain search goes through.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, permutations, product
from math import isnan, nan
from typing import NamedTuple

from mlm_helpers import catalogue, worked

SHAPES = ((2, 2), (3, 2), (2, 3))  # samples, labels
WEIGHTS = {2: (0.5, 3.0), 3: (0.5, 0.0, 3.0)}
ZERO_DIVISIONS = (0.0, 1.0, nan, "agree")
BETAS = (0, 0.5, 1, 2)
TIES = ("worst", "best", "average", "first", "last")

Row = tuple[int, ...]
Matrix = tuple[Row, ...]


def one_variant_per_record() -> list[str]:
    """The name of a variant of every record; which average it has takes turns."""
    of_record: dict[str, list[str]] = {}
    for name, metric in catalogue.variants().items():
        of_record.setdefault(catalogue.record_of(metric).id, []).append(name)
    return [names[i % len(names)] for i, names in enumerate(of_record.values())]


class DataSet(NamedTuple):
    y_true: Matrix
    y_pred: Matrix


def rows(n_labels: int) -> list[Row]:
    return list(product((0, 1), repeat=n_labels))


def matrices(n_samples: int, n_labels: int) -> list[Matrix]:
    return list(product(rows(n_labels), repeat=n_samples))


@cache
def data_sets(n_samples: int, n_labels: int) -> list[DataSet]:
    every = matrices(n_samples, n_labels)
    return [DataSet(y_true, y_pred) for y_true in every for y_pred in every]


@cache
def representatives(n_samples: int, n_labels: int) -> list[DataSet]:
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
    return [DataSet(*zip(*world, strict=True)) for world in sorted(kinds)]


def weak_orderings(n_labels: int) -> list[Row]:
    """Every way to order labels with ties, as scores 0, 1, … without gaps."""
    return [
        scores
        for scores in product(range(n_labels), repeat=n_labels)
        if set(scores) == set(range(len(set(scores))))
    ]


@cache
def data_sets_up_to_label_order(n_samples: int, n_labels: int) -> list[DataSet]:
    """For sample weights, under which only the order of the labels does not matter."""
    columns = list(product(rows(n_samples), repeat=2))
    chosen = combinations_with_replacement(columns, n_labels)
    return [
        DataSet(*(tuple(zip(*matrix, strict=True)) for matrix in zip(*world, strict=True)))
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


# ---------------------------------------------------------------------------- in fractions


@cache
def unit_value(metric, truth, other, **options):
    """The value of one row, in fractions; under an average, of one column."""
    y_true, y_pred = ([[float(cell) for cell in row]] for row in (truth, other))
    if options:
        y_true, y_pred = (list(zip(*matrix, strict=True)) for matrix in (y_true, y_pred))
    return worked.solve(metric, y_true, y_pred, **options).value


class Exact:
    """A metric's value in fractions. Worked solutions are too slow for every world: one is asked for
    each row, or each column; what is left is to average.
    """

    def __init__(self, metric):
        self.metric, self.record = metric, catalogue.record_of(metric)
        self.average = catalogue.resolve_options(metric).get("average")

    def value(self, y_true, y_pred):
        """A set metric reads the labels that score at least 1/2."""
        scored = self.record.reads != "y_pred"
        if not scored:
            y_pred = tuple(tuple(int(2 * cell >= 1) for cell in row) for row in y_pred)
        if self.record.unit == "all":
            floats = [[float(cell) for cell in row] for row in y_pred]
            return worked.solve(self.metric, y_true, floats).value
        units = list(zip(y_true, y_pred, strict=True))
        if self.record.unit == "sample":
            return mean([unit_value(self.metric, *row) for row in units], [1] * len(units))
        units = [tuple(zip(*row, strict=True)) for row in units]  # cells, as pairs
        columns = list(zip(*units, strict=True))
        if self.average == "micro":
            columns = [sum(units, ())]
        if not scored:  # in which order its cells stand is the same to a column
            columns = [sorted(column) for column in columns]
        weights = [sum(t for t, _ in c) if self.average == "weighted" else 1 for c in columns]
        lists = [tuple(zip(*column, strict=True)) for column in columns]
        return mean([unit_value(self.metric, *cells, average="macro") for cells in lists], weights)

    def prefers(self, one, other):
        """Whether the value ``one`` is strictly better than ``other``; never where one is nan."""
        return one > other if self.record.higher_is_better else one < other


def mean(values, weights):
    """Of the values that are not nan; where no weight is left, of equal weights."""
    kept = [pair for pair in zip(values, weights, strict=True) if not isnan(pair[0])]
    if not any(weight for _, weight in kept):
        kept = [(value, 1) for value, _ in kept]
    total = sum(weight for _, weight in kept)
    return sum(Fraction(1, total) * weight * value for value, weight in kept) if kept else nan


def score_rows(n_cells, cut):
    """Tenths from 0.1 up, one level of tied cells each; what is at or above a cut gets 1/2 more."""
    return sorted(
        tuple(Fraction(level + 1, 10) + Fraction(cut and level >= at, 2) for level in levels)
        for levels in weak_orderings(n_cells)
        for at in range(len(set(levels)) + 1 if cut else 1)
    )


def predictions(metrics, n_samples, n_labels):
    """All predictions, or scores of every order of the cells that one of the metrics compares."""
    scored = [exact.record for exact in metrics if exact.record.reads != "y_pred"]
    if not scored:
        return matrices(n_samples, n_labels)
    if any(one.reads == "y_prob" for one in scored):
        tenths = [Fraction(part, 10) for part in (1, 3, 7, 9)]
        return list(product(product(tenths, repeat=n_labels), repeat=n_samples))
    together = n_labels * (n_samples if any(one.unit == "label" for one in scored) else 1)
    some = score_rows(together, cut=len(scored) < len(metrics))
    lists = [sum(row, ()) for row in product(some, repeat=n_samples * n_labels // together)]
    return [
        tuple(cells[i : i + n_labels] for i in range(0, len(cells), n_labels)) for cells in lists
    ]
