"""Top-k metrics by hand: who is among the first k labels of a sample, and what a hit counts there."""

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

from mlm_helpers.board import Ratio, Sentence, Step, Table, equation
from mlm_helpers.board.numbers import Number, plain
from mlm_helpers.worked.average import ONE, exact
from mlm_helpers.worked.rank_steps import NONE_RELEVANT, Label, Reading, Settings


class Tied(NamedTuple):
    """Labels that can change places: one alone, where none is tied with it or the index decides."""

    labels: list[Label]
    seats: int  # how many of the first k places they take

    @property
    def hits(self) -> int:
        """How many of them are relevant."""
        return sum(label.relevant for label in self.labels)

    def seated(self, ties: str, worth: Sequence[Fraction] = ()) -> list[Fraction]:
        """What stands at each of their places, from the top down: a hit, or what it is worth."""
        gains = [worth[one.place] if worth else ONE for one in self.labels if one.relevant]
        gains += [Fraction(0)] * (len(self.labels) - self.hits)
        if ties == "average":
            return [sum(gains, Fraction(0)) / len(gains)] * self.seats
        return sorted(gains, reverse=ties != "worst")[: self.seats]


def window(labels: Sequence[Label], k: int) -> Iterator[Tied]:
    """Those that can be among the first k, from the top down; a label without a score cannot."""
    scored = (label for label in labels if label.score > -math.inf)
    for _, group in groupby(scored, lambda label: label.rank):
        tied = list(group)
        yield Tied(tied, min(k, len(tied)))
        k -= len(tied)
        if k <= 0:
            return


def read_precision(labels: Sequence[Label], settings: Settings) -> Reading:
    """Read the hits among the first k, of k."""
    said, hits = _hits(labels, settings)
    return said, Ratio(Fraction(hits.numerator), Fraction(settings["k"] * hits.denominator))


def read_recall(labels: Sequence[Label], settings: Settings) -> Reading:
    """Read the hits among the first k, of the relevant labels."""
    said, hits = _hits(labels, settings)
    n_relevant = sum(label.relevant for label in labels)
    if not n_relevant:
        return said, NONE_RELEVANT
    return said, Ratio(Fraction(hits.numerator), Fraction(n_relevant * hits.denominator))


def read_r_precision(labels: Sequence[Label], settings: Settings) -> Reading:
    """Read the hits among as many labels as are relevant, of these."""
    n_relevant = sum(label.relevant for label in labels)
    if not n_relevant:
        return [], NONE_RELEVANT
    steps, share = read_recall(labels, {**settings, "k": n_relevant})
    relevant = (
        f"{n_relevant} label{' is' if n_relevant == 1 else 's are'} relevant, so k is {n_relevant}."
    )
    return [Sentence(relevant), *steps], share


def read_r_precision_at(labels: Sequence[Label], settings: Settings) -> Reading:
    """Read the hits among the first k, of k or of the relevant labels, whichever are fewer."""
    is_full = sum(label.relevant for label in labels) >= settings["k"]
    return (read_precision if is_full else read_recall)(labels, settings)


def _hits(labels: Sequence[Label], settings: Settings) -> tuple[list[Step], Fraction]:
    """Say who is among the first k, and what becomes of a tie at the edge."""
    k, ties = settings["k"], settings["ties"]
    groups = list(window(labels, k))
    inside = [tied for tied in groups if tied.seats == len(tied.labels)]
    sure = sum(tied.hits for tied in inside)
    who, hits, said = _names(inside), Fraction(sure), f"Hits: {sure}."
    for edge in groups[len(inside) :]:
        share = sum(edge.seated(ties), Fraction(0))
        size = len(edge.labels)
        who += f"{', and ' * bool(inside)}{edge.seats} of the {size} tied: {_names([edge])}"
        how = f"{share} of the tied in the {ties} order"
        if ties == "average":
            how = f"{edge.seats} × {edge.hits}/{size} = {share} of the tied on average over all orders"
        hits += share
        said = f"Hits: {sure}, and {how}; {hits} in all."
    steps: list[Step] = [Sentence(f"The first {k}: {_filled(who, groups, k)}."), Sentence(said)]
    return steps, hits


def _names(groups: Sequence[Tied]) -> str:
    labels = [label for tied in groups for label in tied.labels]
    return ", ".join(f"{label.name} ✓" if label.relevant else label.name for label in labels)


def _filled(who: str, groups: Sequence[Tied], k: int) -> str:
    """With the places that stay empty, where too few labels have a score."""
    empty = k - sum(tied.seats for tied in groups)
    return f"{who or 'none'}; {empty} of {k} places stay empty" if empty else who


# ---------------------------------------------------------------------------- logarithms


def read_ndcg(labels: Sequence[Label], settings: Settings) -> Reading:
    """Read the hits, each divided by a logarithm of its place; and those of the best order."""
    k, n_relevant = settings["k"], sum(label.relevant for label in labels)
    if not n_relevant:
        return [], NONE_RELEVANT
    table, hits = _places(labels, k, settings["ties"], (), is_discounted=True)
    best = [ONE] * min(k, n_relevant)
    said = f"The best order begins with {len(best)} hit{'s' * (len(best) > 1)}."
    left = ("(", _sum(hits), ") ÷ (", _sum(best), ")")
    value = _quotient(_discounted(hits), _discounted(best))
    return [table, Sentence(said), equation(left, value)], value


def read_worth(labels: Sequence[Label], settings: Settings, is_discounted: bool = False) -> Reading:
    """Read what the first k are worth, and the most that k labels can be worth."""
    k = settings["k"]
    worth = list(map(exact, settings["inverse_propensities"]))
    best = sorted((worth[one.place] for one in labels if one.relevant), reverse=True)[:k]
    most = "The most that can be reached"
    if not settings["normalize"]:
        most, best = f"{k} hits worth 1 each", [ONE] * k
    table, found = _places(labels, k, settings["ties"], worth, is_discounted)
    sums = [
        _number(_discounted(one)) if is_discounted else sum(one, Fraction(0))
        for one in (found, best)
    ]
    written = (_sum(best) if is_discounted else " + ".join(map(plain, best))) or "0"
    written = " = ".join(dict.fromkeys([written, plain(sums[1])]))
    said = f"Reached: {plain(sums[0])}. {most}: {written}."
    return [table, Sentence(said)], Ratio(*sums)


def read_discounted_worth(labels: Sequence[Label], settings: Settings) -> Reading:
    """Read the same, each divided by a logarithm of its place."""
    return read_worth(labels, settings, is_discounted=True)


def _places(
    labels: Sequence[Label], k: int, ties: str, worth: Sequence[Fraction], is_discounted: bool
) -> tuple[Step, list[Fraction]]:
    """Show who is at each of the first k places; return the hits there, or what they are worth."""
    who, gains = [], []
    for tied in window(labels, k):
        gains += tied.seated(ties, worth)
        who += [" or ".join(label.name for label in tied.labels)] * tied.seats
    places = [*map(str, range(1, len(gains) + 1))]
    columns = {"place": places, "label": who}
    columns["worth, if relevant" if worth else "hits"] = [*map(plain if worth else str, gains)]
    if is_discounted:
        columns["each divided by"] = [logarithm(int(place)) for place in places]
    rows = tuple(zip(*columns.values(), strict=True))
    return Table(f"The first {k}", tuple(columns), rows), gains


def logarithm(place: int) -> str:
    """What a hit at a place is divided by, as it is written."""
    return f"log2({place + 1})"


def discount(place: int) -> float:
    """What a hit at a place counts."""
    return 1 / math.log2(place + 1)


def _sum(hits: Sequence[Fraction]) -> str:
    """As a sum of those that are no 0."""
    written = [f"{hit} / {logarithm(place)}" for place, hit in enumerate(hits, 1) if hit]
    return " + ".join(written) or "0"


def _discounted(hits: Sequence[Fraction]) -> dict[int, Fraction]:
    """Hits divided by the logarithms of their places, by base: log2(9) is 2 log2(3), as 1 log2(3)."""
    of_base: dict[int, Fraction] = {}
    for place, hit in enumerate(hits, 1):
        if hit:
            base, power = _power(place + 1)
            of_base[base] = of_base.get(base, Fraction(0)) + hit / power
    return of_base


def _power(number: int) -> tuple[int, int]:
    """The smallest base of which it is a power, and which."""
    every = ((b, p) for b in range(2, number + 1) for p in range(1, number) if b**p == number)
    return next(every)


def _quotient(found: dict[int, Fraction], most: dict[int, Fraction]) -> Number:
    """Exact where the logarithms cancel, as those of 2 do by themselves; a float where they stay."""
    shares = {found.get(base, Fraction(0)) / most[base] for base in most}
    if len(shares) == 1 and found.keys() <= most.keys():
        return shares.pop()
    return float(_number(found)) / float(_number(most))


def _number(of_base: dict[int, Fraction]) -> Number:
    """Exact without logarithms: log2(2) is 1."""
    if of_base.keys() <= {2}:
        return of_base.get(2, Fraction(0))
    return sum(float(hits) / math.log2(base) for base, hits in of_base.items())
