"""Curve and probability metrics by hand: the samples of a label as a list, from the highest score down."""

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import groupby, product
from typing import Any

from mlm_helpers.tables import Sentence, Step, Table
from mlm_helpers.tables.numbers import Number, decimal, format_number
from mlm_helpers.worked import average
from mlm_helpers.worked.average import StepsAndValue, weighted_sum
from mlm_helpers.worked.problem import SCORE_NOUNS, Problem, data_table, exact, table_of
from mlm_helpers.worked.rank_steps import (
    Entry,
    ListSolver,
    Settings,
    StepsAndTerm,
    sort_by_score,
    steps_of_lists,
)
from mlm_helpers.worked.set_steps import square_root


def average_over_labels(read: ListSolver, problem: Problem) -> StepsAndValue:
    """Read a number off each column, then average; or for micro, off all cells as one list."""
    labels = range(len(problem.labels))
    names, lists = problem.labels, [column_entries(problem, [j]) for j in labels]
    if problem.options["average"] == "micro":
        names, lists = ["of any name"], [column_entries(problem, labels)]
    what, tables = SCORE_NOUNS[problem.record.reads], []
    for name, items in zip(names, lists, strict=True):
        rows = tuple((item.name, f"{item.score:g}", item.mark) for item in items)
        caption = f"Label {name}, from the highest {what} down"
        tables.append(Table(caption, ("sample", what, "positive"), rows))
    known = [[item for item in items if item.relevant is not None] for items in lists]
    steps, terms = steps_of_lists(read, problem, zip(tables, known, strict=True))
    each = table_of("Each label", {"label": names, "value": list(map(average.format_term, terms))})
    supports = [sum((i.weight for i in items if i.relevant), Fraction(0)) for items in known]
    return average.average_steps(problem, [data_table(problem), *steps, each], terms, supports)


def column_entries(problem: Problem, labels: Sequence[int]) -> list[Entry]:
    """The cells of some labels as one list, from the highest score down; what weighs 0 is not there."""
    items = []
    for place, (i, j) in enumerate(product(range(len(problem.samples)), labels)):
        name = problem.samples[i] + (f", {problem.labels[j]}" if len(labels) > 1 else "")
        cell = problem.truth[i][j], problem.prediction[i][j], place, problem.weight[i]
        items.append(Entry(name, *cell))
    return sort_by_score(
        (item for item in items if item.weight), problem.options.get("ties", "worst")
    )


# ---------------------------------------------------------------------------- probabilities


def log_loss_steps(items: Sequence[Entry], settings: Settings) -> StepsAndTerm:
    """Read −ln of the probability of what is true; then their mean, in which the logarithms stay."""
    clip = settings["clip"]
    least = Fraction(1, 2**52) if clip is None else exact(clip)  # the epsilon of a float64
    chances = [exact(item.score) if item.relevant else 1 - exact(item.score) for item in items]
    clipped = [min(max(chance, least), 1 - least) for chance in chances]
    written = [decimal(float(p)) if p in (least, 1 - least) else format_number(p) for p in clipped]
    losses = [-math.log(p) for p in clipped]
    return _mean(items, {"loss": [f"−ln {p}" for p in written]}, losses)


def brier_steps(items: Sequence[Entry], settings: Settings) -> StepsAndTerm:
    """Read (p − y)², then their mean; where probabilities repeat, its three parts."""
    errors = [exact(item.score) - item.relevant for item in items]
    losses = [error**2 for error in errors]
    columns = {
        "probability − truth": list(map(format_number, errors)),
        "loss": list(map(format_number, losses)),
    }
    steps, value = _mean(items, columns, losses)
    groups = list(_grouped(items, lambda item: item.score))
    if len(groups) == len(items):
        return steps, value
    _, sizes, means, shares = zip(*groups, strict=True)
    total = sum(sizes)
    base = weighted_sum(sizes, shares) / total
    reliability = (
        weighted_sum(sizes, ((p - o) ** 2 for p, o in zip(means, shares, strict=True))) / total
    )
    resolution = weighted_sum(sizes, ((o - base) ** 2 for o in shares)) / total
    said = "Samples of one probability together: reliability − resolution + uncertainty = "
    said += f"{reliability} − {resolution} + {base * (1 - base)} = {value}."
    return [*steps, Sentence(said)], value


def calibration_error_steps(items: Sequence[Entry], settings: Settings) -> StepsAndTerm:
    """Read the distance of mean probability and share of positives in each bin; then its norm."""
    n_bins, norm = settings["bins"], settings["norm"]
    # an edge belongs to the bin below it
    groups = list(_grouped(items, lambda item: max(math.ceil(exact(item.score) * n_bins), 1)))
    header = ("bin up to", "samples", "mean probability", "share of positives")
    rows = [tuple(map(format_number, (Fraction(edge, n_bins), *each))) for edge, *each in groups]
    steps: list[Step] = [Table("Bins that hold a sample", header, tuple(rows))]
    _, sizes, means, shares = zip(*groups, strict=True)
    gaps = [abs(p - o) for p, o in zip(means, shares, strict=True)]
    if norm == "max":
        return steps, max(gaps)
    if norm == "l1":
        return steps, weighted_sum(sizes, gaps) / sum(sizes)
    return steps, square_root(weighted_sum(sizes, (gap**2 for gap in gaps)) / sum(sizes))


def _mean(
    items: Sequence[Entry], columns: dict[str, list[str]], losses: Sequence[Number]
) -> tuple[list[Step], Number]:
    """The table of the losses, and their mean."""
    named = {"sample": [item.name for item in items]} | columns
    line, value = average.mean_equation(columns["loss"], losses, [item.weight for item in items])
    return [table_of("Each sample", named), line], value


def _grouped(
    items: Sequence[Entry], key: Callable[[Entry], Any]
) -> Iterator[tuple[Any, Fraction, Fraction, Fraction]]:
    """For each key: the weight of its samples, their mean probability, their share of positives."""
    for name, each in groupby(sorted(items, key=key), key):
        group = list(each)
        weights = [item.weight for item in group]
        size = sum(weights, Fraction(0))
        chances = weighted_sum(weights, (exact(item.score) for item in group))
        positives = weighted_sum(weights, (item.relevant for item in group))
        yield name, size, chances / size, positives / size
