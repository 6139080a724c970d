"""Curve metrics by hand: the samples of a label as a list in order of score, read from the top down."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise, product

from mlm_helpers.board import Equation, Ratio, Sentence, Table
from mlm_helpers.board.numbers import plain
from mlm_helpers.worked import average
from mlm_helpers.worked.average import ONE, Weights, Worked
from mlm_helpers.worked.problem import Columns, Problem, data, table_of
from mlm_helpers.worked.rank_steps import (
    Entry,
    Read,
    Reading,
    Settings,
    in_order,
    loss,
    ranked,
    read_lists,
    shares_down_to,
)

NO_POSITIVE, NO_NEGATIVE = "No sample has it", "Every sample has it, so there is no pair"


def read_average_precision(items: Sequence[Entry], settings: Settings) -> Reading:
    """Read the share of positives down to each positive; then their mean, or an interpolated one."""
    ties, points = settings["ties"], settings["interpolation"]
    positives = [item for item in ranked(items, ties) if item.relevant]
    if not positives:
        return [], NO_POSITIVE
    header = ("sample", "positives down to it", "all down to it", "precision")
    columns, values = shares_down_to(positives, header)
    cells, weights = columns["precision"], weights_of(positives)
    if points is not None:
        strict = ties if ties in ("first", "last") else "best"  # a tied positive is not above
        values = [
            max(v for v, b in zip(values, positives, strict=True) if not loss(a, b, strict))
            for a in positives
        ]
        cells = columns["largest here or below"] = [str(value) for value in values]
    if points not in (None, "all"):
        weights = _levels(positives, points)
        columns[f"of {points} levels of recall"] = [str(weight) for weight in weights]
    line, value = average.mean_line(cells, values, weights)
    return [table_of("Each positive", columns), line], value


def _levels(positives: Sequence[Entry], points: int) -> list[Fraction]:
    """How many levels of recall, from 0 to 1, each positive is the first to reach."""
    total = sum(item.weight for item in positives)
    down_to = [sum(item.weight for item in positives[:n]) for n in range(1, len(positives) + 1)]
    reached = [0, *(weight * (points - 1) // total + 1 for weight in down_to)]
    return [Fraction(b - a) for a, b in pairwise(reached)]


def read_pairs_won(items: Sequence[Entry], settings: Settings) -> Reading:
    """Read in how many pairs of a positive and a negative the positive is above; a tie is half a pair."""
    positives = [item for item in items if item.relevant]
    negatives = [item for item in items if not item.relevant]
    if not (positives and negatives):
        return [], NO_NEGATIVE if positives else NO_POSITIVE
    won, every, lost, tied = Fraction(0), Fraction(0), [], []
    for a, b in product(positives, negatives):
        error = loss(a, b, "average")
        every += a.weight * b.weight
        won += a.weight * b.weight * (1 - error)
        if a.score == b.score:
            tied.append(f"{a.name} tied with {b.name} (½ is won)")
        elif error:
            lost.append(f"{b.name} above {a.name}")
    pairs = f"{len(positives)} × {len(negatives)} = {len(positives) * len(negatives)} pairs"
    missing = "; ".join(lost + tied) or "none"
    words = f"{pairs} of a positive and a negative sample; not won: {missing}."
    if weights_of(items):
        words += " A pair weighs the product of its samples' weights."
    return [Sentence(words)], Ratio(won, every)


def weights_of(items: Sequence[Entry]) -> Weights:
    """The weights; None where all weigh 1."""
    weights = [item.weight for item in items]
    return weights if set(weights) != {ONE} else None


def per_label(read: Read, problem: Problem) -> Worked:
    """Read a number off each column, then average; or for micro, off all cells as one list."""
    labels = range(len(problem.labels))
    columns = {f"Label {problem.labels[j]}": column(problem, [j]) for j in labels}
    if problem.settings["average"] == "micro":
        columns = {"All cells": column(problem, labels)}
    known = [[item for item in items if item.relevant is not None] for items in columns.values()]
    tables = [_table(caption, items, problem) for caption, items in columns.items()]
    steps, terms = read_lists(read, problem, zip(tables, known, strict=True))
    steps = [data(problem), *steps]
    if problem.settings["average"] == "micro":
        if isinstance(steps[-1], Equation):  # which ends with the value
            return steps, terms[0].value
        return average.mean(steps, terms, None, "label")
    each: Columns = {"label": problem.labels, "value": [term.shown for term in terms]}
    steps.append(table_of("Each label", each))
    supports = [sum((i.weight for i in items if i.relevant), Fraction(0)) for items in known]
    return average.over_labels(problem, steps, terms, supports)


def column(problem: Problem, labels: Sequence[int]) -> list[Entry]:
    """The cells of some labels as one list, from the highest score down; what weighs 0 is not there."""
    items = []
    for place, (i, j) in enumerate(product(range(len(problem.samples)), labels)):
        name = problem.samples[i] + (f", {problem.labels[j]}" if len(labels) > 1 else "")
        cell = problem.truth[i][j], problem.other[i][j], problem.written[i][j]
        items.append(Entry(name, *cell, place, problem.weight[i] if problem.weight else ONE))
    return in_order((item for item in items if item.weight), problem.settings.get("ties", "worst"))


def _table(caption: str, items: Sequence[Entry], problem: Problem) -> Table:
    what = "probability" if problem.record.reads == "y_prob" else "score"
    columns = {
        "sample": [item.name for item in items],
        what: [item.written for item in items],
        "positive": ["?" if item.relevant is None else "✓" * item.relevant for item in items],
    }
    if problem.weight:
        columns["weight"] = [plain(item.weight) for item in items]
    return table_of(f"{caption}, from the highest {what} down", columns)
