"""Probability metrics by hand: the loss of each cell of a label, or its samples in bins."""

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby

from mlm_helpers.board import Cell, Ratio, Sentence, Step, Table, equation
from mlm_helpers.board.numbers import Number, decimal, plain
from mlm_helpers.worked.average import ONE, exact, mean_of, weighed
from mlm_helpers.worked.column_steps import Item, Reading
from mlm_helpers.worked.rank_steps import Settings
from mlm_helpers.worked.set_steps import root

EPSILON = Fraction(1, 2**52)  # of a float64


def read_log_loss(items: Sequence[Item], settings: Settings) -> Reading:
    """Read −ln of the probability of what is true; then their mean, in which the logarithms stay."""
    least = EPSILON if settings["clip"] is None else exact(settings["clip"])
    given = [exact(item.score) if item.positive else 1 - exact(item.score) for item in items]
    clipped = [min(max(chance, least), 1 - least) for chance in given]
    losses = [-math.log(chance) for chance in clipped]
    written = [
        f"−ln {plain(chance)}" if chance >= least else decimal(loss)
        for chance, loss in zip(given, losses, strict=True)
    ]
    table = _cells(items, "probability of what is true", list(map(plain, given)), written)
    steps, value = _mean([table], items, losses, written)
    if min(given) < least:
        steps.append(
            Sentence(f"A number below {decimal(float(least))}, the clip, counts as the clip.")
        )
    return steps, value


def read_brier(items: Sequence[Item], settings: Settings) -> Reading:
    """Read (p − y)², then their mean; where probabilities repeat, its three parts."""
    errors = [exact(item.score) - item.positive for item in items]
    losses = [error**2 for error in errors]
    table = _cells(items, "probability − truth", list(map(plain, errors)), list(map(plain, losses)))
    steps, value = _mean([table], items, losses, list(map(plain, losses)))
    groups = _groups(items)
    if len(groups) < len(items):
        steps.append(Sentence(_in_parts(groups)))
    return steps, value


def _in_parts(groups: Sequence[Sequence[Item]]) -> str:
    """Murphy's decomposition: reliability − resolution + uncertainty."""
    sizes, means, shares = zip(*map(_of_group, groups), strict=True)
    total = sum(sizes)
    base = weighed(sizes, shares) / total
    apart = weighed(sizes, ((p - o) ** 2 for p, o in zip(means, shares, strict=True)))
    resolved = weighed(sizes, ((o - base) ** 2 for o in shares))
    parts = apart / total, resolved / total, base * (1 - base)
    return (
        "Samples of one probability together: reliability − resolution + uncertainty ="
        f" {parts[0]} − {parts[1]} + {parts[2]} = {parts[0] - parts[1] + parts[2]}."
    )


def read_calibration_error(items: Sequence[Item], settings: Settings) -> Reading:
    """Read the distance of mean probability and share of positives in each bin; then its norm."""
    n_bins, norm = settings["bins"], settings["norm"]
    groups = _groups(items, n_bins)
    sizes, means, shares = zip(*map(_of_group, groups), strict=True)
    gaps = [abs(p - o) for p, o in zip(means, shares, strict=True)]
    rows = [
        (_bin(_place(group[0], n_bins), n_bins), *map(plain, numbers))
        for group, *numbers in zip(groups, sizes, means, shares, gaps, strict=True)
    ]
    what = "samples" if all(item.weight == 1 for item in items) else "weight of samples"
    header = ("bin", what, "mean probability", "share of positives", "distance")
    steps: list[Step] = [Table("Bins that hold a sample", header, tuple(rows))]
    if norm == "max":
        return steps, Ratio(max(gaps), ONE)
    power = 2 if norm == "l2" else 1
    mean = weighed(sizes, (gap**power for gap in gaps)) / sum(sizes, Fraction(0))
    if norm == "l2":
        steps.append(Sentence(f"The root of the mean of the squares, √({mean})."))
    return steps, Ratio.of(root(mean) if norm == "l2" else mean)


# ---------------------------------------------------------------------------- shared


def _place(item: Item, n_bins: int) -> int:
    """The number of its bin; an edge belongs to the bin below it."""
    return max(math.ceil(exact(item.score) * n_bins), 1)


def _bin(place: int, n_bins: int) -> str:
    """The ends of a bin: [0, 0.1] is the lowest one, then (0.1, 0.2]."""
    low, high = (plain(Fraction(edge, n_bins)) for edge in (place - 1, place))
    return f"{'(' if place > 1 else '['}{low}, {high}]"


def _groups(items: Sequence[Item], n_bins: int = 0) -> list[list[Item]]:
    """The samples of each bin, the lowest first; without bins those of each probability."""

    def key(item: Item) -> float:
        return _place(item, n_bins) if n_bins else item.score

    return [list(group) for _, group in groupby(sorted(items, key=key), key)]


def _of_group(group: Sequence[Item]) -> tuple[Fraction, Fraction, Fraction]:
    """The weight of a group, its mean probability and its share of positives."""
    weights = [item.weight for item in group]
    chances = weighed(weights, (exact(item.score) for item in group))
    positives, size = weighed(weights, (item.positive for item in group)), sum(weights, Fraction(0))
    return size, chances / size, positives / size


def _cells(items: Sequence[Item], header: str, own: list[str], losses: list[str]) -> Step:
    rows = zip((item.name for item in items), own, losses, strict=True)
    return Table("Each sample", ("sample", header, "loss"), tuple(rows))


def _mean(
    steps: list[Step], items: Sequence[Item], losses: Sequence[Number], written: list[str]
) -> Reading:
    """The mean of the losses; weighted ones are not written out."""
    weights = [item.weight for item in items]
    value = weighed(weights, losses) / sum(weights, Fraction(0))
    if all(weight == 1 for weight in weights):
        cells: list[Cell] = [*written]
        return [*steps, equation(mean_of(cells), value)], Ratio.of(value)
    return [*steps, Sentence("Each cell counts as much as its sample weighs.")], Ratio.of(value)
