"""Curve and probability metrics by hand: a label's samples from the highest score down."""

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

from mlm_helpers._core.averages import AVERAGES
from mlm_helpers.tables import Sentence, Step, Table
from mlm_helpers.tables.numbers import Number, decimal, format_number
from mlm_helpers.worked import average
from mlm_helpers.worked import rank_steps as ranks
from mlm_helpers.worked.average import MetricSteps, StepsAndValue, weighted_mean
from mlm_helpers.worked.problem import SCORE_NOUNS, Problem, as_fraction, data_table, table_of
from mlm_helpers.worked.rank_steps import Entries, Entry, ListSolver, Options, StepsAndTerm
from mlm_helpers.worked.set_steps import square_root


def average_over_labels(solve_list: ListSolver, problem: Problem) -> StepsAndValue:
    """Steps and value of a metric of each label's scores, averaged; for micro, of all scores."""
    labels = range(len(problem.labels))
    names, columns = problem.labels, [[j] for j in labels]
    if AVERAGES[problem.options["average"]].is_pooled:  # all labels are one column
        names, columns = ["of any name"], [[*labels]]
    lists, supports = [], []
    noun = SCORE_NOUNS[problem.record.reads]
    for name, column in zip(names, columns, strict=True):
        entries = column_entries(problem, column)
        rows = tuple((entry.name, f"{entry.score:g}", entry.mark) for entry in entries)
        caption = f"Label {name}, from the highest {noun} down"
        known = [entry for entry in entries if entry.relevant is not None]
        lists.append((Table(caption, ("sample", noun, "positive"), rows), known))
        supports.append(sum((entry.weight for entry in known if entry.relevant), Fraction(0)))
    steps, terms = ranks.steps_of_lists(solve_list, problem, lists)
    table = average.table_of_terms("Each label", {"label": names}, terms)
    steps = [data_table(problem), *steps, table]
    return average.average_steps(problem, steps, terms, supports)


def column_entries(problem: Problem, labels: Sequence[int]) -> list[Entry]:
    """The cells of these labels from the highest score down, without samples of weight 0."""
    entries = []
    for position, (i, j) in enumerate(product(range(len(problem.samples)), labels)):
        name = problem.samples[i] + (f", {problem.labels[j]}" if len(labels) > 1 else "")
        truth, score = problem.truth[i][j], problem.prediction[i][j]
        entries.append(Entry(name, truth, score, position, problem.weights[i]))
    weighted = [entry for entry in entries if entry.weight]
    return ranks.sort_by_score(weighted, problem.options.get("ties", "max"))


def log_loss_steps(entries: Entries, options: Options) -> StepsAndTerm:
    """Log loss: the mean of −ln p, where p is the clipped probability of the true outcome."""
    clip = options["clip"]
    lowest = Fraction(1, 2**52) if clip is None else as_fraction(clip)  # 2⁻⁵²: epsilon of a float64
    texts, losses = [], []
    for entry in entries:
        chance = as_fraction(entry.score) if entry.relevant else 1 - as_fraction(entry.score)
        p = min(max(chance, lowest), 1 - lowest)
        # a clipped probability is rounded, since its exact decimal is too long to show
        text = decimal(float(p)) if p in (lowest, 1 - lowest) else format_number(p)
        texts.append(f"−ln {text}")
        losses.append(-math.log(p))
    return _mean_loss(entries, {"loss": texts}, losses)


def brier_steps(entries: Entries, options: Options) -> StepsAndTerm:
    """Brier score: the mean of (p − y)², where p is a probability and y the truth, 0 or 1.

    If samples share a probability, a sentence adds the three parts of the score (Murphy 1973), for
    which samples with the same probability are a group: reliability is the mean of (p − share of
    positives in the group)², resolution the mean of (share in the group − share in all samples)²,
    and uncertainty share × (1 − share) in all samples.
    """
    errors = [as_fraction(entry.score) - entry.relevant for entry in entries]
    losses = [error**2 for error in errors]
    columns = {"probability − truth": list(map(format_number, errors))}
    columns["loss"] = list(map(format_number, losses))
    steps, value = _mean_loss(entries, columns, losses)
    groups = _calibration_groups(entries, [entry.score for entry in entries])
    if len(groups) == len(entries):
        return steps, value
    _, weights, means, shares = zip(*groups, strict=True)
    base_rate = weighted_mean(weights, shares)
    gaps = [(p - share) ** 2 for p, share in zip(means, shares, strict=True)]
    reliability = weighted_mean(weights, gaps)
    resolution = weighted_mean(weights, [(share - base_rate) ** 2 for share in shares])
    text = "Samples of one probability together: reliability − resolution + uncertainty"
    text += f" = {reliability} − {resolution} + {base_rate * (1 - base_rate)} = {value}."
    return [*steps, Sentence(text)], value


def ece_steps(entries: Entries, options: Options) -> StepsAndTerm:
    """Calibration error (ECE): the norm of the bins' gaps |mean probability − share of positives|.

    The norm is the maximum, the weighted mean ("l1"), or the root of the weighted mean of squares.
    Bins count from 1. An edge belongs to the bin below it, and the probability 0 to the first bin.
    """
    n_bins, norm = options["bins"], options["norm"]
    bins = [max(math.ceil(as_fraction(entry.score) * n_bins), 1) for entry in entries]
    groups = _calibration_groups(entries, bins)
    header = ("bin up to", "samples", "mean probability", "share of positives")
    # bin i ends at i / n_bins
    rows = [tuple(map(format_number, (Fraction(i, n_bins), *rest))) for i, *rest in groups]
    steps: list[Step] = [Table("Bins that hold a sample", header, tuple(rows))]
    _, weights, means, shares = zip(*groups, strict=True)
    gaps = [abs(p - share) for p, share in zip(means, shares, strict=True)]
    if norm == "max":
        return steps, max(gaps)
    if norm == "l1":
        return steps, weighted_mean(weights, gaps)
    return steps, square_root(weighted_mean(weights, [gap**2 for gap in gaps]))


def _mean_loss(
    entries: Entries, columns: dict[str, list[str]], losses: Sequence[Number]
) -> tuple[list[Step], Number]:
    """Two steps and the mean of the losses: the steps are a table, and the mean as an equation.

    The columns of the table hold a text for each entry, and the column "loss" is also in the
    equation.
    """
    table = table_of("Each sample", {"sample": [entry.name for entry in entries]} | columns)
    weights = [entry.weight for entry in entries]
    line, value = average.mean_equation(columns["loss"], losses, weights)
    return [table, line], value


def _calibration_groups(entries: Entries, keys: Sequence[Any]) -> list[tuple[Any, ...]]:
    """A tuple for each group: its key, weight, mean probability and share of positives.

    ``keys`` has the key of each entry, and the entries with the same key are a group.
    """
    groups = []
    for key in sorted(set(keys)):
        group = [entry for entry, k in zip(entries, keys, strict=True) if k == key]
        weights = [entry.weight for entry in group]
        probability = weighted_mean(weights, (as_fraction(entry.score) for entry in group))
        share = weighted_mean(weights, (entry.relevant for entry in group))
        groups.append((key, sum(weights), probability, share))
    return groups


_STEPS_OF_A_LABEL: dict[str, ListSolver] = {
    "curves.average_precision": ranks.average_precision_steps,
    "curves.roc_auc": partial(ranks.pair_steps, is_auc=True),
    "probability.log_loss": log_loss_steps,
    "probability.brier": brier_steps,
    "probability.calibration_error": ece_steps,
}
STEPS: MetricSteps = {  # by the id of the metric's record
    name: partial(average_over_labels, s) for name, s in _STEPS_OF_A_LABEL.items()
}
