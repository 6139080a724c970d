"""Ranking metrics by hand: put the labels of a sample in order, and read a number off it, or off its first k."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate, groupby, pairwise, product
from typing import Any, NamedTuple, TypeAlias

from mlm_helpers.board import Equation, Ratio, Sentence, Step, Table, equation
from mlm_helpers.board.numbers import Number, plain
from mlm_helpers.worked import average
from mlm_helpers.worked.average import Term, Worked
from mlm_helpers.worked.problem import ONE, Columns, Problem, exact, label_sets, table_of


class Entry(NamedTuple):
    """A label in the list of a sample, or a sample in the list of a label."""

    name: str
    relevant: Any  # True, False, or None where it is unknown
    score: float
    place: int  # from 0, before the list is put in order
    weight: Fraction = ONE
    rank: Fraction = ONE  # the weight down to it, itself included
    rank_among_relevant: Fraction = ONE

    @property
    def mark(self) -> str:
        """What a table shows of its relevance."""
        return "?" if self.relevant is None else "✓" * self.relevant


Settings: TypeAlias = Mapping[str, Any]
Reading: TypeAlias = tuple[list[Step], Ratio | Number | None]
"""The steps, and the number they make, as a ratio where it is written as one; or None where there is none."""
Read: TypeAlias = Callable[[Sequence[Entry], Settings], Reading]


def in_order(entries: Iterable[Entry], ties: str = "worst") -> list[Entry]:
    """Entries from the highest score down; tied ones by their place."""
    last = -1 if ties == "last" else 1
    return sorted(entries, key=lambda entry: (-entry.score, last * entry.place))


def ranked(entries: Sequence[Entry], ties: str) -> list[Entry]:
    """The known entries with their ranks, from the highest score down."""
    known = [entry for entry in entries if entry.relevant is not None]

    def rank(one: Entry, others: Sequence[Entry]) -> Fraction:
        losses = (o.weight * (1 if o is one else loss(one, o, ties)) for o in others)
        return sum(losses, Fraction(0))

    relevant = [entry for entry in known if entry.relevant]
    ranks = [(rank(one, known), rank(one, relevant)) for one in known]
    each = zip(known, ranks, strict=True)
    return in_order((one._replace(rank=a, rank_among_relevant=b) for one, (a, b) in each), ties)


def loss(one: Entry, other: Entry, ties: str) -> Fraction:
    """1 if the other entry stands above, 0 if below; of a tie, what ``ties`` says."""
    if one.score != other.score:
        return Fraction(bool(one.score < other.score))
    if ties in ("first", "last"):
        return Fraction(other.place < one.place if ties == "first" else other.place > one.place)
    return {"worst": ONE, "average": ONE / 2, "best": Fraction(0)}[ties]


def read_coverage(labels: Sequence[Entry], settings: Settings) -> Reading:
    """Read the depth of the deepest relevant label, the top one at rank ``start``."""
    relevant = [label for label in labels if label.relevant]
    if not relevant:
        return [], None
    deepest = max(relevant, key=lambda label: label.rank)
    where = f"{deepest.name}, at rank {plain(deepest.rank)}"
    return [Sentence(f"The deepest relevant label is {where}.")], deepest.rank - 1 + settings[
        "start"
    ]


def read_one_error(labels: Sequence[Entry], settings: Settings) -> Reading:
    """Read whether the label at the top is irrelevant; of tied ones, what ``ties`` says."""
    if not any(label.relevant for label in labels):
        return [], None
    top = [label for label in labels if label.rank == labels[0].rank]
    wrong = [label for label in top if not label.relevant]
    error = Fraction(len(wrong), len(top))
    if settings["ties"] in ("worst", "best"):
        error = Fraction(bool(wrong) if settings["ties"] == "worst" else wrong == top)
    names = ", ".join(label.name for label in top)
    return [Sentence(f"At the top: {names}; {len(wrong)} of {len(top)} not relevant.")], error


def read_pairs(items: Sequence[Entry], settings: Settings, is_won: bool = False) -> Reading:
    """Read how many pairs of a relevant and an irrelevant entry stand the wrong, or the right, way round."""
    relevant = [item for item in items if item.relevant]
    irrelevant = [item for item in items if not item.relevant]
    if not (relevant and irrelevant):
        return [], None
    wrong, every, words = Fraction(0), Fraction(0), []
    for a, b in product(relevant, irrelevant):
        error = loss(a, b, settings.get("ties", "average"))
        wrong += a.weight * b.weight * error
        every += a.weight * b.weight
        if error:
            words.append(f"{b.name} {'before' if a.score < b.score else 'tied with'} {a.name}")
    pairs = f"{len(relevant)} × {len(irrelevant)} = {len(relevant) * len(irrelevant)} pairs"
    sentence = f"{pairs} of relevant and irrelevant; misordered: {'; '.join(words) or 'none'}."
    return [Sentence(sentence)], Ratio(every - wrong if is_won else wrong, every)


LABELS = "relevant label", "rank among the relevant", "rank among all", "fraction"
SAMPLES = "sample", "positives down to it", "all down to it", "precision"


def read_average_precision(items: Sequence[Entry], settings: Settings) -> Reading:
    """Read the share of relevant entries down to each; then their mean, or an interpolated one."""
    ties, points = settings["ties"], settings.get("interpolation")
    relevant = [item for item in ranked(items, ties) if item.relevant]
    if not relevant:
        return [], None
    shares = [Ratio(one.rank_among_relevant, one.rank) for one in relevant]
    values, weights = [s.above / s.below for s in shares], [one.weight for one in relevant]
    above, below = ([plain(share[i]) for share in shares] for i in (0, 1))
    names, cells = [one.name for one in relevant], list[Any](shares)
    header = SAMPLES if "interpolation" in settings else LABELS  # of a curve, or of a ranking
    columns: Columns = dict(zip(header, (names, above, below, cells), strict=True))
    if points is not None:
        strict = ties if ties in ("first", "last") else "best"  # a tied one is not above
        each = list(zip(values, relevant, strict=True))
        values = [max(v for v, b in each if not loss(a, b, strict)) for a in relevant]
        cells = columns["largest here or below"] = list(map(str, values))
    if points not in (None, "all"):  # each weighs the levels of recall that it is first to reach
        levels = (down * (points - 1) // sum(weights) + 1 for down in accumulate(weights))
        weights = [Fraction(b - a) for a, b in pairwise([0, *levels])]
        columns[f"of {points} levels of recall"] = list(map(str, weights))
    line, value = average.mean_line(cells, values, weights)
    caption = "Each positive" if header is SAMPLES else "Each relevant label"
    return [table_of(caption, columns), line], value


# ---------------------------------------------------------------------------- the first k labels


def read_share(
    whole: Callable[[int, int], int], labels: Sequence[Entry], settings: Settings
) -> Reading:
    """Read the hits among the first k, of a whole that k and the number of relevant labels make.

    Without a k, it is the number of relevant labels.
    """
    n_relevant = sum(label.relevant for label in labels)
    k = settings.get("k", n_relevant)
    below = whole(k, n_relevant)
    if not below:
        return [], None
    table, gains = places(labels, {**settings, "k": k})
    hits = sum(gains, Fraction(0))
    return [table], Ratio(Fraction(hits.numerator), Fraction(below * hits.denominator))


def read_ndcg(labels: Sequence[Entry], settings: Settings) -> Reading:
    """Read the hits, each divided by a logarithm of its place; and those of the best order."""
    best = [ONE] * min(settings["k"], sum(label.relevant for label in labels))
    if not best:
        return [], None
    table, hits = places(labels, settings, is_discounted=True)
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
    table, gains = places(labels, settings, is_discounted, worth)
    (reached, a), (reachable, b) = (_sum(each, is_discounted) for each in (gains, best))
    sentence = f"Reached: {reached} = {plain(a)}. Reachable: {reachable} = {plain(b)}."
    return [table, Sentence(sentence)], Ratio(a, b)


def logarithm(place: int) -> str:
    """What a hit at a place is divided by, as it is written."""
    return f"log2({place + 1})"


def discount(place: int) -> Number:
    """What a hit at a place counts: 1 over the logarithm, exact where that is a whole number."""
    power = math.log2(place + 1)
    return Fraction(1, int(power)) if power.is_integer() else 1 / power


def places(
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
    columns["worth, if relevant" if worth else "hits"] = list(map(str, gains))
    if is_discounted:
        columns["each divided by"] = [logarithm(int(place)) for place in columns["place"]]
    return table_of(f"The first {k}", columns), gains


def _sum(gains: Sequence[Fraction], is_discounted: bool) -> tuple[str, Number]:
    """The sum of the gains, each divided by the logarithm of its place if discounted: text, value."""
    terms: list[str] = []
    total: Number = Fraction(0)
    for place, gain in enumerate(gains, start=1):
        if gain:
            terms.append(f"{gain} / {logarithm(place)}" if is_discounted else str(gain))
            total += gain * discount(place) if is_discounted else gain
    return " + ".join(terms) or "0", total


def per_sample(read: Read, problem: Problem) -> Worked:
    """Read a number off the ranked labels of each sample, then take their mean."""
    steps, terms = read_lists(read, problem, _lists(problem))
    is_one = len(terms) == 1 and not problem.settings["per_sample"]
    if is_one and isinstance(steps[-1], Equation):  # which ends with the value
        return steps, average.value_of(terms[0])
    columns: Columns = {
        "sample": problem.samples,
        "relevant labels": label_sets(problem, problem.truth),
        "value": list(map(average.shown, terms)),
    }
    return average.over(problem, [*steps, table_of("Each sample", columns)], terms)


def pooled(read: Read, problem: Problem) -> Worked:
    """Read off each sample what is reached and what can be reached; then divide their sums."""
    steps: list[Step] = []
    reached, reachable = Fraction(0), Fraction(0)
    for weight, (table, labels) in zip(problem.weight, _lists(problem), strict=True):
        reading, sides = read(labels, problem.settings) if labels else ([], None)
        steps += [table, *reading]
        if isinstance(sides, Ratio):
            reached += weight * sides.above
            reachable += weight * sides.below
    share = Ratio(reached, reachable) if reachable else math.nan
    return average.mean([*steps, Sentence("All samples together, by weight:")], [share], [ONE])


def read_lists(
    read: Read, problem: Problem, lists: Iterable[tuple[Table, list[Entry]]]
) -> tuple[list[Step], list[Term]]:
    """The steps of each list and its term; by ``undefined`` where there is no number."""
    steps: list[Step] = []
    terms: list[Term] = []
    for table, known in lists:
        reading, number = read(known, problem.settings) if known else ([], None)
        steps += [table, *reading]
        if number is None:
            number = average.by_rule(problem.settings["undefined"]) if known else math.nan
        terms.append(number)
    return steps, terms


def _lists(problem: Problem) -> Iterable[tuple[Table, list[Entry]]]:
    """The labels of each sample from the top down: as a table, and the known ones."""
    numbers = range(len(problem.labels))
    for sample, *cells in zip(problem.samples, problem.truth, problem.other, strict=True):
        entries = [Entry(*one) for one in zip(problem.labels, *cells, numbers, strict=True)]
        labels = ranked(entries, problem.settings.get("ties", "worst"))
        rows = [(plain(one.rank), one.name, f"{one.score:g}", one.mark) for one in labels]
        unknown = [one for one in entries if one.relevant is None]
        rows += [("–", one.name, f"{one.score:g}", one.mark) for one in unknown]
        yield Table(f"Sample {sample}", ("rank", "label", "score", "relevant"), tuple(rows)), labels
