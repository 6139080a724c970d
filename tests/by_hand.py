"""Every metric once more, in plain Python and exact fractions, straight from its formula.

Nothing here comes from the package. A label set is a Python set; a rank is found by counting who
stands above. The options are the package's own; nan stands for "left out".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from math import isnan, nan

Value = Fraction | float  # a float only where it is nan
Rows = Sequence[Sequence[float]]
Cell = tuple[int, int]  # sample, label


def exact(number: float) -> Value:
    return number if isnan(number) else Fraction(number)


def exact_weights(sample_weight: Sequence[float] | None) -> tuple[Fraction, ...] | None:
    return None if sample_weight is None else tuple(map(Fraction, sample_weight))


@lru_cache(maxsize=100_000)
def mean(values: tuple[Value, ...], weights: tuple[Fraction, ...] | None = None) -> Value:
    weights = (Fraction(1),) * len(values) if weights is None else weights
    kept = [(v, w) for v, w in zip(values, weights, strict=True) if not isnan(v)]
    total = sum(w for _, w in kept)
    return sum(v * w for v, w in kept) / total if total else nan


def mean_or_each(
    values: Sequence[Value], sample_weight: Sequence[float] | None, per_sample: bool
) -> Value | list[Value]:
    return list(values) if per_sample else mean(tuple(values), exact_weights(sample_weight))


# ---------------------------------------------------------------------------- set metrics


@lru_cache(maxsize=100_000)
def cells(matrix: tuple[tuple[int, ...], ...]) -> frozenset[Cell]:
    return frozenset((i, j) for i, row in enumerate(matrix) for j, cell in enumerate(row) if cell)


@lru_cache(maxsize=100_000)
def sample(matrix: tuple[tuple[int, ...], ...], i: int) -> frozenset[Cell]:
    return frozenset(cell for cell in cells(matrix) if cell[0] == i)


@lru_cache(maxsize=100_000)
def label(matrix: tuple[tuple[int, ...], ...], j: int) -> frozenset[Cell]:
    return frozenset(cell for cell in cells(matrix) if cell[1] == j)


@lru_cache(maxsize=100_000)
def size(some: frozenset[Cell], weights: tuple[Fraction, ...] | None) -> Fraction:
    return sum((Fraction(1) if weights is None else weights[i] for i, _ in some), Fraction(0))


@lru_cache(maxsize=100_000)
def ratio(
    name: str,
    true: frozenset[Cell],
    pred: frozenset[Cell],
    weights: tuple[Fraction, ...] | None,
    zero_division: float | str,
    beta: float,
) -> Value:
    """One ratio of set sizes: of a sample, of a label or of everything, as the cells given are."""
    both, either = size(true & pred, weights), size(true | pred, weights)
    t, p = size(true, weights), size(pred, weights)
    b2 = Fraction(beta) ** 2
    part, whole = {
        "precision": (both, p),
        "recall": (both, t),
        "f1": (2 * both, t + p),
        "fbeta": ((1 + b2) * both, b2 * t + p),
        "jaccard": (both, either),
    }[name]
    if whole:
        return part / whole
    if zero_division == "agree":
        return Fraction(either == 0)
    return exact(zero_division)


def wrong_labels(y_true: Rows, y_pred: Rows) -> list[int]:
    return [len(sample(y_true, i) ^ sample(y_pred, i)) for i in range(len(y_true))]


def subset_accuracy(y_true, y_pred, *, sample_weight=None, per_sample=False):
    equal = [Fraction(wrong == 0) for wrong in wrong_labels(y_true, y_pred)]
    return mean_or_each(equal, sample_weight, per_sample)


def zero_one_loss(y_true, y_pred, *, sample_weight=None, per_sample=False):
    unequal = [Fraction(wrong != 0) for wrong in wrong_labels(y_true, y_pred)]
    return mean_or_each(unequal, sample_weight, per_sample)


def hamming_loss(y_true, y_pred, *, sample_weight=None, per_sample=False):
    shares = [Fraction(wrong, len(y_true[0])) for wrong in wrong_labels(y_true, y_pred)]
    return mean_or_each(shares, sample_weight, per_sample)


def example_based(
    name, y_true, y_pred, *, beta=1, zero_division=0.0, sample_weight=None, per_sample=False
):
    values = [
        ratio(name, sample(y_true, i), sample(y_pred, i), None, zero_division, beta)
        for i in range(len(y_true))
    ]
    return mean_or_each(values, sample_weight, per_sample)


def label_based(
    name, y_true, y_pred, *, beta=1, average="macro", zero_division=0.0, sample_weight=None
):
    weights = exact_weights(sample_weight)
    if average == "micro":
        return ratio(name, cells(y_true), cells(y_pred), weights, zero_division, beta)
    labels = range(len(y_true[0]))
    values = [
        ratio(name, label(y_true, j), label(y_pred, j), weights, zero_division, beta)
        for j in labels
    ]
    if average is None:
        return values
    if average == "macro":
        return mean(tuple(values))
    support = tuple(size(label(y_true, j), weights) for j in labels)
    left = [s for s, v in zip(support, values, strict=True) if not isnan(v)]
    return mean(tuple(values), support if any(left) else None)


def confusion(y_true, y_pred, *, sample_weight=None):
    """The lists tp, fp, fn, tn, an entry per label."""
    weights = exact_weights(sample_weight) or (Fraction(1),) * len(y_true)
    table = {kind: [Fraction(0)] * len(y_true[0]) for kind in ("11", "01", "10", "00")}
    for true_row, pred_row, weight in zip(y_true, y_pred, weights, strict=True):
        for j, (t, p) in enumerate(zip(true_row, pred_row, strict=True)):
            table[f"{t}{p}"][j] += weight
    return tuple(table.values())


# ---------------------------------------------------------------------------- ranking metrics


def rank(j: int, among: Sequence[int], scores: Sequence[float], ties: str) -> Fraction:
    above = sum(scores[k] > scores[j] for k in among)
    tied = [k for k in among if scores[k] == scores[j]]
    best, worst = above + 1, above + len(tied)
    return {
        "best": Fraction(best),
        "worst": Fraction(worst),
        "average": Fraction(best + worst, 2),
        "first": Fraction(best + sum(k < j for k in tied)),
        "last": Fraction(best + sum(k > j for k in tied)),
    }[ties]


def ranks(y_score, *, ties="worst"):
    return [[rank(j, range(len(row)), row, ties) for j in range(len(row))] for row in y_score]


def coverage_of(relevant, irrelevant, scores, ties, start):
    every = range(len(scores))
    return max(rank(j, every, scores, ties) for j in relevant) - 1 + start


def one_error_of(relevant, irrelevant, scores, ties):
    top = [j for j, score in enumerate(scores) if score == max(scores)]
    wrong = [j in irrelevant for j in top]
    return {
        "worst": Fraction(any(wrong)),
        "best": Fraction(all(wrong)),
        "average": Fraction(sum(wrong), len(wrong)),
        "first": Fraction(wrong[0]),
        "last": Fraction(wrong[-1]),
    }[ties]


def ranking_loss_of(relevant, irrelevant, scores, ties):
    def error(j: int, k: int) -> Fraction:
        """Of relevant j and irrelevant k."""
        if scores[j] != scores[k]:
            return Fraction(scores[j] < scores[k])
        tie = {"worst": 1, "best": 0, "average": 0.5, "first": k < j, "last": k > j}
        return Fraction(tie[ties])

    errors = [error(j, k) for j in relevant for k in irrelevant]
    return sum(errors) / len(errors)


def average_precision_of(relevant, irrelevant, scores, ties):
    every = range(len(scores))
    shares = (rank(j, relevant, scores, ties) / rank(j, every, scores, ties) for j in relevant)
    return mean(tuple(shares))


def ranking(
    of_sample, defined, y_true, y_score, *, undefined, sample_weight=None, per_sample=False, **how
):
    values = []
    for truth, scores in zip(y_true, y_score, strict=True):
        relevant = [j for j, cell in enumerate(truth) if cell]
        irrelevant = [j for j, cell in enumerate(truth) if not cell]
        if defined(relevant, irrelevant):
            values.append(of_sample(relevant, irrelevant, scores, **how))
        else:
            values.append(exact(undefined))
    return mean_or_each(values, sample_weight, per_sample)


def some_relevant(relevant, irrelevant):
    return bool(relevant)


def some_of_both(relevant, irrelevant):
    return bool(relevant and irrelevant)


# ---------------------------------------------------------------------------- by name

METRICS: dict[str, Callable[..., Value | list[Value]]] = {
    "exact_match.subset_accuracy": subset_accuracy,
    "exact_match.zero_one_loss": zero_one_loss,
    "hamming.hamming_loss": hamming_loss,
    "example_based.accuracy": partial(example_based, "jaccard"),
    "example_based.precision": partial(example_based, "precision"),
    "example_based.recall": partial(example_based, "recall"),
    "example_based.f1": partial(example_based, "f1"),
    "example_based.fbeta": partial(example_based, "fbeta"),
    "label_based.precision": partial(label_based, "precision"),
    "label_based.recall": partial(label_based, "recall"),
    "label_based.f1": partial(label_based, "f1"),
    "label_based.fbeta": partial(label_based, "fbeta"),
    "label_based.jaccard": partial(label_based, "jaccard"),
    "ranking.coverage": partial(
        ranking, coverage_of, some_relevant, ties="worst", start=1, undefined=0.0
    ),
    "ranking.one_error": partial(ranking, one_error_of, some_relevant, ties="worst", undefined=1.0),
    "ranking.ranking_loss": partial(
        ranking, ranking_loss_of, some_of_both, ties="worst", undefined=0.0
    ),
    "ranking.average_precision": partial(
        ranking, average_precision_of, some_relevant, ties="worst", undefined=1.0
    ),
}
