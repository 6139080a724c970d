"""Ranking metrics by hand: put the labels of a sample in order, and read a number off it."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple, TypeAlias

from mlm_helpers._core import inputs
from mlm_helpers.board import Equation, Ratio, Sentence, Step, Table, equation
from mlm_helpers.board.numbers import Number, decimal, plain
from mlm_helpers.worked import average
from mlm_helpers.worked.average import ONE, Term, Worked
from mlm_helpers.worked.problem import Columns, Problem, label_set, table_of

NONE_RELEVANT = "No label is relevant"
ALL_RELEVANT = "Every label is relevant, so there is no pair"


class Entry(NamedTuple):
    """A label in the list of a sample, or a sample in the list of a label."""

    name: str
    relevant: Any  # True, False, or None where it is unknown
    score: float
    written: str  # the score
    place: int  # from 0, before the list is put in order
    weight: Fraction = ONE
    rank: Fraction = ONE  # the weight down to it, itself included
    rank_among_relevant: Fraction = ONE


Settings: TypeAlias = Mapping[str, Any]
Reading: TypeAlias = tuple[list[Step], Ratio | Number | str]
"""The steps, and the number they make, as a ratio where it is written as one; or a str, why there is none."""
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
        return [], NONE_RELEVANT
    deepest = max(relevant, key=lambda label: label.rank)
    depth = deepest.rank - 1 + settings["start"]
    from_0 = "" if settings["start"] else f", counted from 0: {plain(depth)}"
    where = f"{deepest.name}, at rank {plain(deepest.rank)}{from_0}"
    return [Sentence(f"The deepest relevant label is {where}.")], Ratio(depth, ONE)


def read_one_error(labels: Sequence[Entry], settings: Settings) -> Reading:
    """Read whether the label at the top is irrelevant; of tied ones, what ``ties`` says."""
    if not any(label.relevant for label in labels):
        return [], NONE_RELEVANT
    top = [label for label in labels if label.rank == labels[0].rank]
    wrong = [label for label in top if not label.relevant]
    error = Fraction(len(wrong), len(top))
    if settings["ties"] in ("worst", "best"):
        error = Fraction(bool(wrong) if settings["ties"] == "worst" else wrong == top)
    names = ", ".join(label.name for label in top)
    return [Sentence(f"At the top: {names}; {len(wrong)} of {len(top)} not relevant.")], error


def read_ranking_loss(labels: Sequence[Entry], settings: Settings) -> Reading:
    """Read how many pairs of a relevant and an irrelevant label stand the wrong way round."""
    relevant = [label for label in labels if label.relevant]
    irrelevant = [label for label in labels if not label.relevant]
    if not (relevant and irrelevant):
        return [], ALL_RELEVANT if relevant else NONE_RELEVANT
    errors, words = Fraction(0), []
    for a, b in product(relevant, irrelevant):
        error = loss(a, b, settings["ties"])
        errors += error
        if error:
            tied = f"{b.name} tied with {a.name} (counts {error})"
            words.append(tied if a.score == b.score else f"{b.name} before {a.name}")
    number = len(relevant) * len(irrelevant)
    pairs = f"{len(relevant)} × {len(irrelevant)} = {number} pairs"
    wrong = f"misordered: {'; '.join(words)}" if words else "none is misordered"
    sentence = f"{pairs} of a relevant and an irrelevant label; {wrong}."
    return [Sentence(sentence)], Ratio(errors, Fraction(number))


def read_average_precision(labels: Sequence[Entry], settings: Settings) -> Reading:
    """Read the share of relevant labels down to each relevant one; and take their mean."""
    relevant = [label for label in labels if label.relevant]
    if not relevant:
        return [], NONE_RELEVANT
    header = ("relevant label", "rank among the relevant", "rank among all", "fraction")
    columns, values = shares_down_to(relevant, header)
    line, value = average.mean_line(columns["fraction"], values, None)
    return [table_of("Each relevant label", columns), line], value


def shares_down_to(relevant: Sequence[Entry], header: Sequence[str]) -> tuple[Columns, list[Any]]:
    """The share of relevant entries down to each relevant one: as columns, and its values."""
    shares = [Ratio(one.rank_among_relevant, one.rank) for one in relevant]
    above, below = ([plain(share[i]) for share in shares] for i in (0, 1))
    columns: list[list[Any]] = [[one.name for one in relevant], above, below, shares]
    return dict(zip(header, columns, strict=True)), [share.above / share.below for share in shares]


def per_sample(read: Read, problem: Problem) -> Worked:
    """Read a number off the ranked labels of each sample, then take their mean."""
    steps, terms = read_lists(read, problem, _lists(problem))
    if len(terms) > 1 or problem.settings["per_sample"]:
        columns: Columns = {
            "sample": problem.samples,
            "relevant labels": [label_set(problem.labels, row) for row in problem.truth],
            "value": [term.shown for term in terms],
        }
        steps.append(table_of("Each sample", columns))
    elif isinstance(steps[-1], Equation):  # which ends with the value of the only sample
        return steps, terms[0].value
    return average.over_samples(problem, steps, terms)


def pooled(read: Read, problem: Problem) -> Worked:
    """Read off each sample what is reached and what can be reached; then divide their sums."""
    steps: list[Step] = []
    totals: list[Number] = [Fraction(0), Fraction(0)]
    written: list[list[str]] = [[], []]
    weights = problem.weight or [ONE] * len(problem.samples)
    for weight, (table, labels) in zip(weights, _lists(problem), strict=True):
        reading, sides = read(labels, problem.settings) if labels else ([], None)
        steps += [table, *reading]
        for i, number in enumerate(sides if isinstance(sides, Ratio) else ()):
            totals[i] += weight * number
            written[i].append(f"{plain(weight)} × " * bool(problem.weight) + plain(number))
    if not totals[1]:
        return [*steps, Sentence("The sum below is 0: the value is nan.")], math.nan
    sums, value = [" + ".join(side) for side in written], totals[0] / totals[1]
    return [*steps, equation(("(", sums[0], ") ÷ (", sums[1], ")"), value)], value


def read_lists(
    read: Read, problem: Problem, lists: Iterable[tuple[Table, list[Entry]]]
) -> tuple[list[Step], list[Term]]:
    """The steps of each list and its term; by ``undefined`` where there is no number."""
    steps: list[Step] = []
    terms: list[Term] = []
    for table, known in lists:
        reading, number = read(known, problem.settings) if known else ([], "")
        steps += [table, *reading]
        if not known:
            term = average.NOTHING_KNOWN
        elif isinstance(number, str):
            rule = problem.settings["undefined"]
            term = average.by_rule(rule, f"undefined={inputs.shown(rule)}")
            steps.append(Sentence(f"{number}: {term.shown}."))
        elif isinstance(number, float):
            term = Term(plain(number), float(number), f"≈ {decimal(number)}")
        else:
            ratio = number if isinstance(number, Ratio) else Ratio.of(number)
            cell = plain(ratio.above) if ratio.below == 1 else ratio
            term = Term(cell, ratio.above / ratio.below, cell)
        terms.append(term)
    return steps, terms


def _lists(problem: Problem) -> Iterable[tuple[Table, list[Entry]]]:
    """The labels of each sample from the top down: as a table, and the known ones."""
    ties = problem.settings.get("ties", "worst")
    for i, sample in enumerate(problem.samples):
        cells = problem.truth[i], problem.other[i], problem.written[i]
        each = zip(problem.labels, *cells, range(len(problem.labels)), strict=True)
        entries = [Entry(*one) for one in each]
        labels = ranked(entries, ties)
        rows = []
        for one in labels:
            rank = plain(one.rank) if one.score > -math.inf else "–"
            rows.append((rank, one.name, one.written, "✓" * one.relevant))
        rows += [("–", one.name, one.written, "?") for one in entries if one.relevant is None]
        weight = f", weight {plain(problem.weight[i])}" if problem.weight else ""
        header = ("rank", "label", "score", "relevant")
        yield Table(f"Sample {sample}{weight}", header, tuple(rows)), labels
