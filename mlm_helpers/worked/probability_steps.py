"""Probability metrics by hand: the loss of each cell of a label, or its samples in bins."""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Any

from mlm_helpers.board import Cell, Sentence, Step
from mlm_helpers.board.numbers import Number, decimal, plain
from mlm_helpers.worked.average import ONE, exact, mean_line, weighed
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
    groups = _groups(items, lambda item: item.score)
    if len(groups) < len(items):
        steps.append(Sentence(_in_parts(groups)))
    return steps, value


def read_calibration_error(items: Sequence[Entry], settings: Settings) -> Reading:
    """Read the distance of mean probability and share of positives in each bin; then its norm."""
    n_bins, norm = settings["bins"], settings["norm"]

    def bin_of(item: Entry) -> int:  # an edge belongs to the bin below it
        return max(math.ceil(exact(item.score) * int(n_bins)), 1)

    groups = _groups(items, bin_of)
    sizes, means, shares = zip(*map(_of_group, groups), strict=True)
    gaps = [abs(p - o) for p, o in zip(means, shares, strict=True)]
    what = "weight of samples" if weights_of(items) else "samples"
    columns = {
        "bin": [_interval(bin_of(group[0]), n_bins) for group in groups],
        what: list(map(plain, sizes)),
        "mean probability": list(map(plain, means)),
        "share of positives": list(map(plain, shares)),
        "distance": list(map(plain, gaps)),
    }
    steps: list[Step] = [table_of("Bins that hold a sample", columns)]
    if norm == "max":
        return steps, max(gaps)
    power = 2 if norm == "l2" else 1
    mean = weighed(sizes, (gap**power for gap in gaps)) / sum(sizes)
    if norm == "l2":
        steps.append(Sentence(f"The root of the mean of the squares, √({mean})."))
        mean = root(mean)
    return steps, mean


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


def _in_parts(groups: Sequence[Sequence[Entry]]) -> str:
    """Murphy's decomposition: reliability − resolution + uncertainty."""
    sizes, means, shares = zip(*map(_of_group, groups), strict=True)
    total = sum(sizes)
    base = weighed(sizes, shares) / total
    reliability = weighed(sizes, ((p - o) ** 2 for p, o in zip(means, shares, strict=True))) / total
    resolution = weighed(sizes, ((o - base) ** 2 for o in shares)) / total
    uncertainty = base * (1 - base)
    return (
        "Samples of one probability together: reliability − resolution + uncertainty ="
        f" {reliability} − {resolution} + {uncertainty} = {reliability - resolution + uncertainty}."
    )


def _interval(place: int, n_bins: int) -> str:
    """The ends of a bin: [0, 0.1] is the lowest one, then (0.1, 0.2]."""
    low, high = (plain(Fraction(edge, n_bins)) for edge in (place - 1, place))
    return f"{'(' if place > 1 else '['}{low}, {high}]"


def _groups(items: Sequence[Entry], key: Callable[[Entry], Any]) -> list[list[Entry]]:
    """The samples of each bin, or of each probability, the lowest first."""
    return [list(group) for _, group in groupby(sorted(items, key=key), key)]


def _of_group(group: Sequence[Entry]) -> tuple[Fraction, Fraction, Fraction]:
    """The weight of a group, its mean probability and its share of positives."""
    weights = [item.weight for item in group]
    size = weighed(weights, [ONE] * len(group))
    chances = weighed(weights, (exact(item.score) for item in group))
    return size, chances / size, weighed(weights, (item.relevant for item in group)) / size
