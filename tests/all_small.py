"""All small data sets of a shape.

Every truth has every prediction, or scores tied in every way.

A matrix is a tuple of rows, and a row a tuple of 0s and 1s, or of scores. `Exact` computes a metric
in fractions. `predictions` lists all predictions or scores that a plain search for a data set has
to try.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, permutations, product
from math import isnan, nan
from typing import NamedTuple

from mlm_helpers import catalogue, worked
from mlm_helpers.catalogue.arguments import resolve_options

SHAPES = ((2, 2), (3, 2), (2, 3))  # samples, labels
WEIGHTS = {2: (0.5, 3.0), 3: (0.5, 0.0, 3.0)}
ZERO_DIVISIONS = (0.0, 1.0, nan, "agree")
BETAS = (0, 0.5, 1, 2)
TIES = ("max", "min", "average", "first", "last")
TOP_K_TIES = ("worst", "best", "average", "first", "last")

Row = tuple[int, ...]
Matrix = tuple[Row, ...]


def one_variant_per_record() -> list[str]:
    """The name of one variant of each record, in turn its first, second, …: averages vary."""
    names_of: dict[str, list[str]] = {}
    for name, metric in catalogue.variants().items():
        names_of.setdefault(catalogue.record_of(metric).id, []).append(name)
    return [names[i % len(names)] for i, names in enumerate(names_of.values())]


class DataSet(NamedTuple):
    y_true: Matrix
    y_pred: Matrix


def rows(n_labels: int) -> list[Row]:
    return list(product((0, 1), repeat=n_labels))


def matrices(n_samples: int, n_labels: int) -> list[Matrix]:
    return list(product(rows(n_labels), repeat=n_samples))


@cache
def data_sets(n_samples: int, n_labels: int) -> list[DataSet]:
    pairs_of_matrices = product(matrices(n_samples, n_labels), repeat=2)
    return [DataSet(y_true, y_pred) for y_true, y_pred in pairs_of_matrices]


@cache
def representatives(n_samples: int, n_labels: int) -> list[DataSet]:
    """One data set of each kind.

    Two are of a kind if they differ in the order of samples and labels only.

    Here a data set is a multiset of samples, each a row of truth and one of prediction. Of its
    versions under all orders of the labels, the smallest represents its kind.
    """
    samples = list(product(rows(n_labels), repeat=2))
    kinds = {
        min(
            tuple(sorted(tuple(tuple(row[j] for j in order) for row in sample) for sample in data))
            for order in permutations(range(n_labels))
        )
        for data in combinations_with_replacement(samples, n_samples)
    }
    return [DataSet(*zip(*data, strict=True)) for data in sorted(kinds)]


def weak_orderings(n_labels: int) -> list[Row]:
    """Every way to order labels with ties, as scores 0, 1, … without gaps."""
    return [
        scores
        for scores in product(range(n_labels), repeat=n_labels)
        if set(scores) == set(range(len(set(scores))))
    ]


@cache
def data_sets_up_to_label_order(n_samples: int, n_labels: int) -> list[DataSet]:
    """Data sets for tests with sample weights, under which the order of the samples matters."""
    columns = list(product(rows(n_samples), repeat=2))
    return [
        DataSet(*(tuple(zip(*matrix, strict=True)) for matrix in zip(*data, strict=True)))
        for data in combinations_with_replacement(columns, n_labels)
    ]


@cache
def pairs(n_samples: int, n_labels: int, scores: bool) -> list[tuple[list[list[int]], ...]]:
    """Truth with predictions, or with scores tied in every way, as lists.

    The samples have one order.
    """
    samples = product(rows(n_labels), weak_orderings(n_labels) if scores else rows(n_labels))
    return [
        tuple([list(row) for row in matrix] for matrix in zip(*data, strict=True))
        for data in combinations_with_replacement(samples, n_samples)
    ]


@cache
def unit_value(metric, truth, prediction, **options):
    """The metric's exact value of one row; with options, which hold an average, of one column."""
    y_true, y_pred = ([[float(cell) for cell in cells]] for cells in (truth, prediction))
    if options:
        y_true, y_pred = (list(zip(*matrix, strict=True)) for matrix in (y_true, y_pred))
    return worked.solve(metric, y_true, y_pred, **options).value


class Exact:
    """A metric in fractions, fast enough for all small data: the average of cached unit values.

    A worked solution of each data set would be too slow, but rows and columns repeat.
    """

    def __init__(self, metric):
        self.metric, self.record = metric, catalogue.record_of(metric)
        self.average = resolve_options(metric).get("average")

    def value(self, y_true, y_pred):
        """The exact value; a set metric predicts the labels that score at least 1/2."""
        is_scored = self.record.reads != "y_pred"
        if not is_scored:
            y_pred = tuple(tuple(int(2 * cell >= 1) for cell in row) for row in y_pred)
        if self.record.unit == "all":
            floats = [[float(cell) for cell in row] for row in y_pred]
            return worked.solve(self.metric, y_true, floats).value
        units = list(zip(y_true, y_pred, strict=True))
        if self.record.unit == "sample":
            return mean([unit_value(self.metric, *row) for row in units], [1] * len(units))
        rows_of_pairs = [tuple(zip(*row, strict=True)) for row in units]  # (truth, prediction)
        columns = list(zip(*rows_of_pairs, strict=True))
        if self.average == "micro":
            columns = [sum(rows_of_pairs, ())]
        if not is_scored:  # Cells may be in any order; sorted, more columns are equal and cached.
            columns = [sorted(column) for column in columns]
        weights = [sum(t for t, _ in c) if self.average == "weighted" else 1 for c in columns]
        lists = [tuple(zip(*column, strict=True)) for column in columns]
        return mean([unit_value(self.metric, *cells, average="macro") for cells in lists], weights)

    def prefers(self, value, other_value):
        """Whether a value is strictly better than another; never if one of them is nan."""
        return value > other_value if self.record.higher_is_better else value < other_value


def mean(values, weights):
    """Weighted mean of the values that are not nan; unweighted if their weights are all 0."""
    defined = [pair for pair in zip(values, weights, strict=True) if not isnan(pair[0])]
    if not any(weight for _, weight in defined):
        defined = [(value, 1) for value, _ in defined]
    total = sum(weight for _, weight in defined)
    return sum(Fraction(1, total) * weight * value for value, weight in defined) if defined else nan


def score_rows(n_cells, split):
    """Scores 0.1, 0.2, … of cells tied in every way.

    If `split`, also with 1/2 more from any level upwards.
    """
    return sorted(
        tuple(Fraction(level + 1, 10) + Fraction(split and level >= start, 2) for level in levels)
        for levels in weak_orderings(n_cells)
        for start in range(len(set(levels)) + 1 if split else 1)
    )


def predictions(metrics, n_samples, n_labels):
    """All predictions, or scores in every order of the cells that one of the metrics compares."""
    scored = [exact.record for exact in metrics if exact.record.reads != "y_pred"]
    if not scored:
        return matrices(n_samples, n_labels)
    if any(record.reads == "y_prob" for record in scored):
        tenths = [Fraction(tenth, 10) for tenth in (1, 3, 7, 9)]
        return list(product(product(tenths, repeat=n_labels), repeat=n_samples))
    n_compared = n_labels * (n_samples if any(r.unit == "label" for r in scored) else 1)
    parts = score_rows(n_compared, split=len(scored) < len(metrics))
    lists = [sum(row, ()) for row in product(parts, repeat=n_samples * n_labels // n_compared)]
    return [
        tuple(cells[i : i + n_labels] for i in range(0, len(cells), n_labels)) for cells in lists
    ]
