"""Ranking metrics by hand: put the labels of a sample in order, and read a number off it, or off its first k."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate, compress, groupby, pairwise, product
from typing import Any, NamedTuple, TypeAlias

from mlm_helpers.tables import Cell, Equation, Ratio, Sentence, Step, Table, equation
from mlm_helpers.tables.numbers import Number, format_number
from mlm_helpers.worked import average
from mlm_helpers.worked.average import StepsAndValue, Term, weighted_sum
from mlm_helpers.worked.problem import ONE, Problem, exact, label_sets, table_of


class Entry(NamedTuple):
    """A label in the list of a sample, or a sample in the list of a label."""

    name: str
    relevant: Any  # True, False, or None where it is unknown
    score: float
    position: int  # from 0, before the list is put in order
    weight: Fraction = ONE
    rank: Fraction = ONE  # the weight down to it, itself included
    rank_among_relevant: Fraction = ONE

    @property
    def mark(self) -> str:
        """What a table shows of its relevance."""
        return "?" if self.relevant is None else "✓" * self.relevant


Settings: TypeAlias = Mapping[str, Any]
StepsAndTerm: TypeAlias = tuple[list[Step], Ratio | Number | None]
"""The steps, and the number they make, as a ratio where it is written as one; or None where there is none."""
ListSolver: TypeAlias = Callable[[Sequence[Entry], Settings], StepsAndTerm]


def sort_by_score(entries: Iterable[Entry], ties: str) -> list[Entry]:
    """Entries from the highest score down; tied ones by their place."""
    last = -1 if ties == "last" else 1
    return sorted(entries, key=lambda entry: (-entry.score, last * entry.position))


def rank_entries(entries: Iterable[Entry], ties: str) -> list[Entry]:
    """The known entries with their ranks, from the highest score down."""
    known = [entry for entry in entries if entry.relevant is not None]
    placed = []
    for one in known:
        above = [o.weight * (ONE if o is one else below(one, o, ties)) for o in known]
        relevant = weighted_sum(above, (o.relevant for o in known))
        placed.append(one._replace(rank=sum(above, Fraction(0)), rank_among_relevant=relevant))
    return sort_by_score(placed, ties)


def below(one: Entry, other: Entry, ties: str) -> Fraction:
    """1 if the other entry stands above, 0 if below; of a tie, what ``ties`` says."""
    if one.score != other.score:
        return Fraction(bool(one.score < other.score))
    if ties in ("first", "last"):
        return Fraction(
            other.position < one.position if ties == "first" else other.position > one.position
        )
    return {"worst": ONE, "average": ONE / 2, "best": Fraction(0)}[ties]


def coverage_steps(labels: Sequence[Entry], settings: Settings) -> StepsAndTerm:
    """Read the depth of the deepest relevant label, the top one at rank ``start``."""
    depths = [label.rank - 1 + settings["start"] for label in labels if label.relevant]
    return [], max(depths, default=None)


def one_error_steps(labels: Sequence[Entry], settings: Settings) -> StepsAndTerm:
    """Read whether the label at the top is irrelevant; of tied ones, what ``ties`` says."""
    if not any(label.relevant for label in labels):
        return [], None
    top = [label for label in labels if label.rank == labels[0].rank]
    wrong = [label for label in top if not label.relevant]
    if settings["ties"] == "average":
        return [], Fraction(len(wrong), len(top))
    return [], Fraction(wrong == top if settings["ties"] == "best" else bool(wrong))


def pair_steps(items: Sequence[Entry], settings: Settings, is_won: bool = False) -> StepsAndTerm:
    """Read how many pairs of a relevant and an irrelevant entry stand the wrong, or the right, way round."""
    relevant = [item for item in items if item.relevant]
    irrelevant = [item for item in items if not item.relevant]
    pairs = list(product(relevant, irrelevant))
    if not pairs:
        return [], None
    weights = [a.weight * b.weight for a, b in pairs]
    errors = [below(a, b, settings.get("ties", "average")) for a, b in pairs]
    wrong, every = weighted_sum(weights, errors), sum(weights, Fraction(0))
    each, how = zip(pairs, errors, strict=True), {True: "before", False: "tied with"}
    misordered = [f"{b.name} {how[a.score < b.score]} {a.name}" for (a, b), error in each if error]
    said = f"{len(pairs)} pairs of relevant and irrelevant; misordered: "
    said += f"{'; '.join(misordered) or 'none'}."
    return [Sentence(said)], Ratio(every - wrong if is_won else wrong, every)


LABELS = "relevant label", "rank among the relevant", "rank among all", "fraction"
SAMPLES = "sample", "positives down to it", "all down to it", "precision"


def average_precision_steps(items: Sequence[Entry], settings: Settings) -> StepsAndTerm:
    """Read the share of relevant entries down to each; then their mean, or an interpolated one."""
    ties, points = settings["ties"], settings.get("interpolation")
    relevant = [item for item in rank_entries(items, ties) if item.relevant]
    if not relevant:
        return [], None
    shares = [Ratio(one.rank_among_relevant, one.rank) for one in relevant]
    values, weights = (
        [s.numerator / s.denominator for s in shares],
        [one.weight for one in relevant],
    )
    header = SAMPLES if "interpolation" in settings else LABELS  # of a curve, or of a ranking
    caption = "Each positive" if header is SAMPLES else "Each relevant label"
    each = zip(relevant, shares, strict=True)
    rows = [
        (one.name, format_number(share.numerator), format_number(share.denominator), share)
        for one, share in each
    ]
    cells: Sequence[Cell] = shares
    if points is not None:
        strict = ties if ties in ("first", "last") else "best"  # a tied one is not above
        reached = [[not below(a, b, strict) for b in relevant] for a in relevant]
        values = [max(compress(values, each)) for each in reached]
        cells = list(map(str, values))
    if points not in (None, "all"):  # each weighs the levels of recall that it is first to reach
        levels = (down * (points - 1) // sum(weights) + 1 for down in accumulate(weights))
        weights = [Fraction(b - a) for a, b in pairwise([0, *levels])]
    line, value = average.mean_equation(cells, values, weights)
    return [Table(caption, header, tuple(rows)), line], value


def hits_at_k_steps(
    whole: Callable[..., int], labels: Sequence[Entry], settings: Settings
) -> StepsAndTerm:
    """Read the hits among the first k, of a whole that k and the number of relevant labels make."""
    n_relevant = sum(label.relevant for label in labels)
    k = settings.get("k", n_relevant)  # of R-precision
    below = whole(k, n_relevant)
    if not below:
        return [], None
    table, gains = top_k_places(labels, {**settings, "k": k})
    return [table], Ratio(sum(gains, Fraction(0)), Fraction(below))


def ndcg_steps(labels: Sequence[Entry], settings: Settings) -> StepsAndTerm:
    """Read the hits, each divided by a logarithm of its place; and those of the best order."""
    steps, share = gain_steps(labels, settings, by_place=True)
    return steps, None if share is None else average.value_of(share)


def gain_steps(labels: Sequence[Entry], settings: Settings, by_place: bool = False) -> StepsAndTerm:
    """Read what the hits among the first k are worth, and the most that k labels can be worth."""
    k, is_ordered = settings["k"], settings.get("normalize", True)
    worth = sorted((gain(one, settings) for one in labels if one.relevant), reverse=True)
    best = worth[:k] if is_ordered else [ONE] * k
    if not best:
        return [], None
    table, gains = top_k_places(labels, settings, by_place)
    (reached, above), (reachable, below) = (_sum(each, by_place) for each in (gains, best))
    said = Sentence(f"The best order begins with {len(best)} hit{'s' * (len(best) > 1)}.")
    share = Ratio(above, below)
    left = ("(", reached, ") ÷ (", reachable, ")")
    return [table, *[said] * is_ordered, equation(left, average.value_of(share))], share


def gain(label: Entry, settings: Settings) -> Fraction:
    """What a label counts among the first k: 0, or 1 if it is relevant, or what it is worth then."""
    worth = settings.get("inverse_propensities")
    return exact(worth[label.position] if worth else 1) if label.relevant else Fraction(0)


def divisor_text(place: int) -> str:
    """What a hit at a place is divided by, as it is written."""
    return f"log2({place + 1})"


def discount(place: int) -> Number:
    """What a hit at a place counts: 1 over the logarithm, exact where that is a whole number."""
    power = math.log2(place + 1)
    return Fraction(1, int(power)) if power.is_integer() else 1 / power


def top_k_places(
    labels: Sequence[Entry], settings: Settings, by_place: bool = False
) -> tuple[Step, list[Fraction]]:
    """Show who is at each of the first k places; return the hits there, or what they are worth."""
    k, ties = settings["k"], settings["ties"]
    who: list[str] = []
    gains: list[Fraction] = []
    scored = (label for label in labels if label.score > -math.inf)  # others have no place
    for tied in (list(group) for _, group in groupby(scored, lambda label: label.rank)):
        each = [gain(one, settings) for one in tied]
        if ties == "average":
            each = [sum(each, Fraction(0)) / len(each)] * len(each)
        gains += sorted(each, reverse=ties != "worst")
        who += [" or ".join(label.name for label in tied)] * len(tied)
    numbers, gains = range(1, len(who[:k]) + 1), gains[:k]
    columns = {"place": list(map(str, numbers)), "label": who[:k], "hits": list(map(str, gains))}
    if by_place:
        columns["each divided by"] = list(map(divisor_text, numbers))
    return table_of(f"The first {k}", columns), gains


def _sum(gains: Sequence[Fraction], by_place: bool) -> tuple[str, Number]:
    """The sum of the gains, each divided by the logarithm of its place where that counts: text, value."""
    kept = [(gain, place) for place, gain in enumerate(gains, start=1) if gain]
    if not by_place:
        return " + ".join(str(gain) for gain, _ in kept) or "0", sum(gains, Fraction(0))
    total = sum((gain * discount(place) for gain, place in kept), Fraction(0))
    return " + ".join(f"{gain} / {divisor_text(place)}" for gain, place in kept) or "0", total


def average_over_samples(read: ListSolver, problem: Problem) -> StepsAndValue:
    """Read a number off the ranked labels of each sample, then take their mean."""
    steps, terms = steps_of_lists(read, problem, _lists(problem))
    is_one = len(terms) == 1 and not problem.options["per_sample"]
    if is_one and isinstance(steps[-1], Equation):  # which ends with the value
        return steps, average.value_of(terms[0])
    relevant, values = label_sets(problem, problem.truth), map(average.format_term, terms)
    rows = tuple(zip(problem.samples, relevant, values, strict=True))
    each = Table("Each sample", ("sample", "relevant labels", "value"), rows)
    return average.average_steps(problem, [*steps, each], terms)


def pooled_ratio(read: ListSolver, problem: Problem) -> StepsAndValue:
    """Read off each sample what is reached and what can be reached; then divide their sums."""
    steps, shares = steps_of_lists(read, problem, _lists(problem))
    each = zip(problem.weight, shares, strict=True)
    known = [(weight, share) for weight, share in each if isinstance(share, Ratio)]
    reached, reachable = (sum((w * share[i] for w, share in known), Fraction(0)) for i in (0, 1))
    share = Ratio(reached, reachable) if reachable else math.nan
    return average.mean_steps(
        [*steps, Sentence("All samples together, by weight:")], [share], [ONE]
    )


def steps_of_lists(
    read: ListSolver, problem: Problem, lists: Iterable[tuple[Table, list[Entry]]]
) -> tuple[list[Step], list[Term]]:
    """The steps of each list and its term; by ``undefined`` where there is no number."""
    steps: list[Step] = []
    terms: list[Term] = []
    rule = exact(problem.options.get("undefined", math.nan))
    for table, known in lists:
        reading, number = read(known, problem.options) if known else ([], math.nan)
        steps += [table, *reading]
        terms.append(rule if number is None else number)
    return steps, terms


def _lists(problem: Problem) -> Iterable[tuple[Table, list[Entry]]]:
    """The labels of each sample from the top down: as a table, and the known ones."""
    numbers = range(len(problem.labels))
    for sample, *cells in zip(problem.samples, problem.truth, problem.prediction, strict=True):
        entries = [Entry(*one) for one in zip(problem.labels, *cells, numbers, strict=True)]
        labels = rank_entries(entries, problem.options.get("ties", "worst"))
        rows = [(format_number(one.rank), one.name, f"{one.score:g}", one.mark) for one in labels]
        unknown = [one for one in entries if one.relevant is None]
        rows += [("–", one.name, f"{one.score:g}", one.mark) for one in unknown]
        yield Table(f"Sample {sample}", ("rank", "label", "score", "relevant"), tuple(rows)), labels
