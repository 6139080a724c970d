"""Top-k metrics by hand: who is among the first k labels of a sample, and what a hit counts there."""

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby

from mlm_helpers.board import Ratio, Sentence, Step, equation
from mlm_helpers.board.numbers import Number, plain
from mlm_helpers.worked.average import ONE, exact
from mlm_helpers.worked.problem import table_of
from mlm_helpers.worked.rank_steps import NONE_RELEVANT, Entry, Reading, Settings


def read_precision(labels: Sequence[Entry], settings: Settings) -> Reading:
    """Read the hits among the first k, of k."""
    return _share(labels, settings, settings["k"])


def read_recall(labels: Sequence[Entry], settings: Settings) -> Reading:
    """Read the hits among the first k, of the relevant labels."""
    return _share(labels, settings, _n_relevant(labels))


def read_r_precision(labels: Sequence[Entry], settings: Settings) -> Reading:
    """Read the hits among as many labels as are relevant, of these."""
    k = _n_relevant(labels)
    steps, share = _share(labels, {**settings, "k": k}, k)
    relevant = f"{k} label{' is' if k == 1 else 's are'} relevant, so k is {k}."
    return ([Sentence(relevant), *steps], share) if k else ([], NONE_RELEVANT)


def read_r_precision_at(labels: Sequence[Entry], settings: Settings) -> Reading:
    """Read the hits among the first k, of k or of the relevant labels, whichever are fewer."""
    return _share(labels, settings, min(settings["k"], _n_relevant(labels)))


def _n_relevant(labels: Sequence[Entry]) -> int:
    return sum(label.relevant for label in labels)


def _share(labels: Sequence[Entry], settings: Settings, whole: int) -> Reading:
    """Read the hits among the first k, of a whole."""
    steps, hits = _hits(labels, settings)
    if not whole:
        return steps, NONE_RELEVANT
    return steps, Ratio(Fraction(hits.numerator), Fraction(whole * hits.denominator))


def read_ndcg(labels: Sequence[Entry], settings: Settings) -> Reading:
    """Read the hits, each divided by a logarithm of its place; and those of the best order."""
    best = [ONE] * min(settings["k"], _n_relevant(labels))
    if not best:
        return [], NONE_RELEVANT
    table, hits = _places(labels, settings, is_discounted=True)
    sentence = f"The best order begins with {len(best)} hit{'s' * (len(best) > 1)}."
    (reached, above), (reachable, below) = _sum(hits, True), _sum(best, True)
    value = above / below
    if hits == best or not any(hits):  # exact, whatever the logarithms are
        value = Fraction(hits == best)
    left = ("(", reached, ") ÷ (", reachable, ")")
    return [table, Sentence(sentence), equation(left, value)], value


def read_worth(labels: Sequence[Entry], settings: Settings, is_discounted: bool = False) -> Reading:
    """Read what the hits among the first k are worth, and the most that k labels can be worth."""
    worth = list(map(exact, settings["inverse_propensities"]))
    best = sorted((worth[one.place] for one in labels if one.relevant), reverse=True)
    best = best[: settings["k"]] if settings["normalize"] else [ONE] * settings["k"]
    table, gains = _places(labels, settings, is_discounted, worth)
    (reached, a), (reachable, b) = (_sum(each, is_discounted) for each in (gains, best))
    sides = [
        " = ".join(dict.fromkeys(side)) for side in ((reached, plain(a)), (reachable, plain(b)))
    ]
    return [table, Sentence(f"Reached: {sides[0]}. Reachable: {sides[1]}.")], Ratio(a, b)


def logarithm(place: int) -> str:
    """What a hit at a place is divided by, as it is written."""
    return f"log2({place + 1})"


def discount(place: int) -> Number:
    """What a hit at a place counts: 1 over the logarithm, exact where that is a whole number."""
    power = math.log2(place + 1)
    return Fraction(1, int(power)) if power.is_integer() else 1 / power


# ---------------------------------------------------------------------------- the first k places


def _hits(labels: Sequence[Entry], settings: Settings) -> tuple[list[Step], Fraction]:
    """Show who is among the first k; return the number of hits there."""
    table, hits = _places(labels, settings)
    return [table], sum(hits, Fraction(0))


def _places(
    labels: Sequence[Entry],
    settings: Settings,
    is_discounted: bool = False,
    worth: Sequence[Fraction] = (),
) -> tuple[Step, list[Fraction]]:
    """Show who is at each of the first k places; return the hits there, or what they are worth."""
    k, ties = settings["k"], settings["ties"]
    who: list[str] = []
    gains: list[Fraction] = []
    scored = (label for label in labels if label.score > -math.inf)  # others have no place
    for tied in (list(group) for _, group in groupby(scored, lambda label: label.rank)):
        each = [worth[one.place] if worth else ONE for one in tied if one.relevant]
        each += [Fraction(0)] * (len(tied) - len(each))
        if ties == "average":
            each = [sum(each, Fraction(0)) / len(each)] * len(each)
        gains += sorted(each, reverse=ties != "worst")
        who += [" or ".join(label.name for label in tied)] * len(tied)
    who, gains = who[:k], gains[:k]
    columns = {"place": [str(place) for place in range(1, len(who) + 1)], "label": who}
    columns["worth, if relevant" if worth else "hits"] = list(map(plain if worth else str, gains))
    if is_discounted:
        columns["each divided by"] = [logarithm(int(place)) for place in columns["place"]]
    return table_of(f"The first {k}", columns), gains


def _sum(gains: Sequence[Fraction], is_discounted: bool) -> tuple[str, Number]:
    """The sum of the gains, each divided by the logarithm of its place if discounted: text, value."""
    terms: list[str] = []
    total: Number = Fraction(0)
    for place, gain in enumerate(gains, start=1):
        if gain:
            terms.append(f"{gain} / {logarithm(place)}" if is_discounted else plain(gain))
            total += gain * discount(place) if is_discounted else gain
    return " + ".join(terms) or "0", total
