"""Curve metrics by hand: the samples of a label as a list in order of score, read from the top down."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

from mlm_helpers.board import Cell, Equation, Ratio, Sentence, Step, Table, equation
from mlm_helpers.board.numbers import plain
from mlm_helpers.worked.average import (
    NOTHING_KNOWN,
    ONE,
    Term,
    Worked,
    mean,
    mean_of,
    over_labels,
    term,
    weighed,
)
from mlm_helpers.worked.problem import Problem, data
from mlm_helpers.worked.rank_steps import Settings, loss, undefined

NO_POSITIVE, NO_NEGATIVE = "No sample has it", "Every sample has it, so there is no pair"


class Item(NamedTuple):
    """A cell of one list; place counts from 0 in the order of input."""

    name: str
    positive: Any  # True, False, or None where it is unknown
    score: float
    written: str
    weight: Fraction
    place: int


class Reach(NamedTuple):
    """A positive, and the share of positives down to it: their weight, and that of all."""

    item: Item
    share: Ratio


Reading = tuple[list[Step], Ratio | str]


def read_average_precision(items: Sequence[Item], settings: Settings) -> Reading:
    """Read the share of positives down to each positive; then their mean, or an interpolated one."""
    ties, points = settings["ties"], settings["interpolation"]
    found = [reach(item, items, ties) for item in items if item.positive]
    if not found:
        return [], NO_POSITIVE
    precision = [one.share.above / one.share.below for one in found]
    best = [
        max(p for p, b in zip(precision, found, strict=True) if _down(a, b, ties)) for a in found
    ]
    header = ["sample", "positives down to it", "all down to it", "precision"]
    rows: list[tuple[Cell, ...]] = [
        (one.item.name, *map(plain, one.share), one.share) for one in found
    ]
    if points is not None:
        header.append("largest here or below")
        rows = [(*row, str(value)) for row, value in zip(rows, best, strict=True)]
    steps: list[Step] = [Table("Each positive", tuple(header), tuple(rows))]
    weights = [one.item.weight for one in found]
    if points not in (None, "all"):
        said, mean_precision = _levels(weights, best, int(points))
        return [*steps, said], Ratio.of(mean_precision)
    values = precision if points is None else best
    total = weighed(weights, values)
    if all(weight == 1 for weight in weights):
        shares: list[Cell] = (
            [one.share for one in found] if points is None else list(map(str, best))
        )
        steps.append(equation(mean_of(shares), total / len(shares)))
    else:
        steps.append(Sentence("Each positive counts as much as its sample weighs."))
    return steps, Ratio.of(total / sum(weights, Fraction(0)))


def read_pairs_won(items: Sequence[Item], settings: Settings) -> Reading:
    """Read in how many pairs of a positive and a negative the positive is above; a tie is half a pair."""
    positives = [item for item in items if item.positive]
    negatives = [item for item in items if not item.positive]
    if not (positives and negatives):
        return [], NO_NEGATIVE if positives else NO_POSITIVE
    pairs = [
        (a, b, a.weight * b.weight, 1 - loss((a.score, 0), (b.score, 0), "average"))
        for a, b in product(positives, negatives)
    ]
    won = sum((weight * share for _, _, weight, share in pairs), Fraction(0))
    number = f"{len(positives)} × {len(negatives)} = {len(pairs)} pairs"
    lost = [f"{b.name} above {a.name}" for a, b, _, share in pairs if share == 0]
    lost += [f"{a.name} tied with {b.name} (½ is won)" for a, b, _, share in pairs if 0 < share < 1]
    said = f"{number} of a positive and a negative sample; not won: {'; '.join(lost) or 'none'}."
    if any(item.weight != 1 for item in items):
        said += " A pair weighs the product of its samples' weights."
    return [Sentence(said)], Ratio(won, sum((pair[2] for pair in pairs), Fraction(0)))


def reach(one: Item, items: Sequence[Item], ties: str) -> Reach:
    """How much stands down to a positive, itself included, and how much of that is positive."""
    down = [
        (other.positive, other.weight * (1 if other is one else _above(other, one, ties)))
        for other in items
    ]
    hits = sum((weight for positive, weight in down if positive), Fraction(0))
    return Reach(one, Ratio(hits, sum((weight for _, weight in down), Fraction(0))))


def _above(other: Item, one: Item, ties: str) -> Fraction:
    return loss((one.score, one.place), (other.score, other.place), ties)


def _down(a: Reach, b: Reach, ties: str) -> bool:
    """Whether b is a itself, tied with it, or below: where recall is the same or greater."""
    in_line = ties in ("first", "last")
    return b is a or (
        _above(a.item, b.item, ties) == 1 if in_line else b.item.score <= a.item.score
    )


def _levels(
    weights: Sequence[Fraction], best: Sequence[Fraction], points: int
) -> tuple[Step, Fraction]:
    """Read the largest precisions where recall reaches each of so many levels from 0 to 1; their mean."""
    whole, reached = sum(weights, Fraction(0)), Fraction(0)
    left = [Fraction(k, points - 1) for k in range(points)]
    terms, total = [], Fraction(0)
    for weight, value in zip(weights, best, strict=True):
        reached += weight
        here = [level for level in left if level * whole <= reached]
        left = left[len(here) :]
        total += len(here) * value
        terms.append(f"{len(here)} × {value}")
    levels = f"recall 0, 1/{points - 1}, …, 1"
    said = f"Of {points} levels, {levels}: ({' + '.join(terms)}) ÷ {points} = {total / points}."
    return Sentence(said), total / points


def per_label(read: Callable[[Sequence[Item], Settings], Reading], problem: Problem) -> Worked:
    """Read a number off each column, then average; or for micro, off all cells as one list."""
    steps: list[Step] = [data(problem)]
    micro = problem.settings["average"] == "micro"
    lists = {name: column(problem, [j]) for j, name in enumerate(problem.labels)}
    if micro:
        lists = {"all labels": column(problem, range(len(problem.labels)))}
    terms, supports = [], []
    for name, items in lists.items():
        steps.append(_listed(f"Label {name}" if not micro else "All cells", items, problem))
        items = [item for item in items if item.positive is not None]
        if not items:
            terms.append(NOTHING_KNOWN)
            supports.append(Fraction(0))
            continue
        said, found = read(items, problem.settings)
        steps += said
        if isinstance(found, str):
            terms.append(undefined(problem.settings["undefined"]))
            steps.append(Sentence(f"{found}: {terms[-1].said}."))
        else:
            value = found.above / found.below
            is_float = isinstance(value, float)
            terms.append(term(value) if is_float else Term(str(value), value, found))
        supports.append(sum((item.weight for item in items if item.positive), Fraction(0)))
    if micro and isinstance(steps[-1], Equation):  # which ends with the value
        return steps, terms[0].value
    if micro:
        return mean(steps, terms, None, "label")
    rows = tuple((name, term.said) for name, term in zip(problem.labels, terms, strict=True))
    return over_labels(
        problem, [*steps, Table("Each label", ("label", "value"), rows)], terms, supports
    )


def column(problem: Problem, labels: Sequence[int]) -> list[Item]:
    """The cells of some labels as one list, from the highest score down; what weighs 0 is not there."""
    weights = problem.weight or [ONE] * len(problem.samples)
    cells = list(product(range(len(problem.samples)), labels))
    items = [
        Item(
            problem.samples[i] + (f", {problem.labels[j]}" if len(labels) > 1 else ""),
            problem.truth[i][j],
            problem.other[i][j],
            problem.written[i][j],
            weights[i],
            place,
        )
        for place, (i, j) in enumerate(cells)
        if weights[i]
    ]
    last = -1 if problem.settings.get("ties") == "last" else 1
    return sorted(items, key=lambda item: (-item.score, last * item.place))


def _listed(caption: str, items: Sequence[Item], problem: Problem) -> Step:
    what = "probability" if problem.record.reads == "y_prob" else "score"
    header = ("sample", what, "positive", *["weight"] * bool(problem.weight))
    rows = tuple(
        (item.name, item.written, _mark(item), *[plain(item.weight)] * bool(problem.weight))
        for item in items
    )
    return Table(f"{caption}, from the highest {what} down", header, rows)


def _mark(item: Item) -> str:
    return "?" if item.positive is None else "✓" * item.positive
