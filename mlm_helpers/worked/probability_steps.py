"""Probability metrics by hand: the loss of each cell of a label, or its samples in bins."""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Any

from mlm_helpers.board import Cell, Sentence, Step
from mlm_helpers.board.numbers import Number, decimal, plain
from mlm_helpers.worked.average import exact, mean_line, weighed
from mlm_helpers.worked.column_steps import weights_of
from mlm_helpers.worked.problem import table_of
from mlm_helpers.worked.rank_steps import Entry, Reading, Settings
from mlm_helpers.worked.set_steps import root

EPSILON = Fraction(1, 2**52)  # of a float64


def read_log_loss(items: Sequence[Entry], settings: Settings) -> Reading:
    """Read −ln of the probability of what is true; then their mean, in which the logarithms stay."""
    least = EPSILON if settings["clip"] is None else exact(settings["clip"])
    chances = [exact(item.score) if item.relevant else 1 - exact(item.score) for item in items]
    losses = [-math.log(min(max(chance, least), 1 - least)) for chance in chances]
    written = [f"−ln {plain(one) if one >= least else decimal(float(least))}" for one in chances]
    return _mean(items, "probability of what is true", chances, losses, written)


def read_brier(items: Sequence[Entry], settings: Settings) -> Reading:
    """Read (p − y)², then their mean; where probabilities repeat, its three parts."""
    errors = [exact(item.score) - item.relevant for item in items]
    losses = [error**2 for error in errors]
    steps, value = _mean(items, "probability − truth", errors, losses, list(map(plain, losses)))
    groups = _grouped(items, lambda item: item.score)
    if len(groups) == len(items):
        return steps, value
    _, sizes, means, shares = zip(*groups, strict=True)
    base, total = weighed(sizes, shares) / sum(sizes), sum(sizes)
    reliability = weighed(sizes, ((p - o) ** 2 for p, o in zip(means, shares, strict=True))) / total
    resolution = weighed(sizes, ((o - base) ** 2 for o in shares)) / total
    parts = f"{reliability} − {resolution} + {base * (1 - base)} = {value}"
    sentence = "Samples of one probability together: reliability − resolution + uncertainty ="
    return [*steps, Sentence(f"{sentence} {parts}.")], value


def read_calibration_error(items: Sequence[Entry], settings: Settings) -> Reading:
    """Read the distance of mean probability and share of positives in each bin; then its norm."""
    n_bins, norm = settings["bins"], settings["norm"]
    # an edge belongs to the bin below it
    groups = _grouped(items, lambda item: max(math.ceil(exact(item.score) * n_bins), 1))
    places, sizes, means, shares = zip(*groups, strict=True)
    gaps = [abs(p - o) for p, o in zip(means, shares, strict=True)]
    ends = [[plain(Fraction(edge, n_bins)) for edge in (place - 1, place)] for place in places]
    columns = {
        "bin": [f"{'(' if low != '0' else '['}{low}, {high}]" for low, high in ends],
        "weight of samples" if weights_of(items) else "samples": list(map(plain, sizes)),
        "mean probability": list(map(plain, means)),
        "share of positives": list(map(plain, shares)),
        "distance": list(map(plain, gaps)),
    }
    steps: list[Step] = [table_of("Bins that hold a sample", columns)]
    if norm == "max":
        return steps, max(gaps)
    if norm == "l1":
        return steps, weighed(sizes, gaps) / sum(sizes)
    mean = weighed(sizes, (gap**2 for gap in gaps)) / sum(sizes)
    return [*steps, Sentence(f"The root of the mean of the squares, √({mean}).")], root(mean)


def _mean(
    items: Sequence[Entry],
    header: str,
    numbers: Sequence[Fraction],
    losses: Sequence[Number],
    written: Sequence[Cell],
) -> tuple[list[Step], Number]:
    """The table of the losses, and their mean."""
    names = [item.name for item in items]
    columns = {"sample": names, header: list(map(plain, numbers)), "loss": written}
    line, value = mean_line(written, losses, weights_of(items))
    return [table_of("Each sample", columns), line], value


def _grouped(
    items: Sequence[Entry], key: Callable[[Entry], Any]
) -> list[tuple[Any, Fraction, Fraction, Fraction]]:
    """For each key: the weight of its samples, their mean probability, their share of positives."""
    groups = []
    for name, each in groupby(sorted(items, key=key), key):
        group = list(each)
        weights = [item.weight for item in group]
        size = sum(weights, Fraction(0))
        chances = weighed(weights, (exact(item.score) for item in group))
        positives = weighed(weights, (item.relevant for item in group))
        groups.append((name, size, chances / size, positives / size))
    return groups
