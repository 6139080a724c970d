"""Ranking metrics by hand: put the labels of a sample in order, and read a number off it."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple, TypeAlias

from mlm_helpers._core import inputs
from mlm_helpers.board import Cell, Equation, Ratio, Sentence, Step, Table, equation, slashed
from mlm_helpers.board.numbers import Number, plain
from mlm_helpers.worked.average import (
    NOTHING_KNOWN,
    ONE,
    Term,
    Worked,
    exact,
    mean_of,
    over_samples,
    pooled,
    term,
)
from mlm_helpers.worked.problem import Problem, label_set

NONE_RELEVANT = "No label is relevant"
ALL_RELEVANT = "Every label is relevant, so there is no pair"


class Label(NamedTuple):
    """A label of one sample as the ranking metrics see it; place counts its columns from 0."""

    name: str
    relevant: bool
    rank: Fraction
    rank_among_relevant: Fraction
    place: int
    score: Any


def ranked(
    relevant: Sequence[Any], score: Sequence[Any], ties: str = "worst", names: Sequence[str] = ()
) -> list[Label]:
    """Put the labels of a sample in order, from the top down, but for unknown ones (None)."""
    everyone = [j for j in range(len(score)) if relevant[j] is not None]
    chosen = [j for j in everyone if relevant[j]]
    labels = []
    for j in everyone:
        among_all, among_relevant = (rank(j, k, score, ties) for k in (everyone, chosen))
        name = names[j] if names else str(j + 1)
        labels.append(Label(name, bool(relevant[j]), among_all, among_relevant, j, score[j]))
    return sorted(labels, key=lambda label: (label.rank, label.place))


def rank(j: int, others: Iterable[int], score: Sequence[Any], ties: str = "worst") -> Fraction:
    """Rank label j among others: 1, and 1 more for each that it loses to."""
    return ONE + sum(loss((score[j], j), (score[k], k), ties) for k in others if k != j)


def pair_error(relevant: Label, irrelevant: Label, ties: str = "worst") -> Fraction:
    """Say how wrong a pair stands: 1 if the irrelevant label is above, a tie as ``ties`` says."""
    one, other = ((label.score, label.place) for label in (relevant, irrelevant))
    return loss(one, other, ties)


def loss(one: tuple[Any, int], other: tuple[Any, int], ties: str) -> Fraction:
    """What a label with its (score, place) loses to another."""
    (score, place), (rival, rival_place) = one, other
    if score != rival:
        return Fraction(bool(score < rival))  # a number of NumPy answers otherwise
    return {
        "worst": Fraction(1),
        "best": Fraction(0),
        "average": Fraction(1, 2),
        "first": Fraction(rival_place < place),
        "last": Fraction(rival_place > place),
    }[ties]


Settings: TypeAlias = Mapping[str, Any]
Reading: TypeAlias = tuple[list[Step], Ratio | Number | str]
"""The steps, and the number they make, as a ratio where it is written as one; or a str, why there is none."""


def read_coverage(labels: Sequence[Label], settings: Settings) -> Reading:
    """Read the depth of the deepest relevant label, the top one at rank ``start``."""
    relevant = [label for label in labels if label.relevant]
    if not relevant:
        return [], NONE_RELEVANT
    deepest = max(relevant, key=lambda label: label.rank)
    depth = deepest.rank - 1 + settings["start"]
    counted = "" if settings["start"] else f", counted from 0: {plain(depth)}"
    said = f"The deepest relevant label is {deepest.name}, at rank {plain(deepest.rank)}{counted}."
    return [Sentence(said)], Ratio(depth, ONE)


def read_one_error(labels: Sequence[Label], settings: Settings) -> Reading:
    """Read whether the label at the top is irrelevant; of tied ones, what ``ties`` says."""
    if not any(label.relevant for label in labels):
        return [], NONE_RELEVANT
    top = [label for label in labels if label.rank == labels[0].rank]
    wrong = [label for label in top if not label.relevant]
    error = {
        "worst": Ratio(Fraction(bool(wrong)), ONE),
        "best": Ratio(Fraction(wrong == top), ONE),
    }.get(settings["ties"], Ratio(Fraction(len(wrong)), Fraction(len(top))))
    if len(top) == 1:
        kind = "not relevant" if wrong else "relevant"
        return [Sentence(f"The top label is {top[0].name}, which is {kind}.")], error
    names = ", ".join(label.name for label in top)
    share = f"{len(wrong)} of {len(top)} are irrelevant"
    worth = f"ties={inputs.shown(settings['ties'])} makes it {slashed(_short(error))}"
    return [Sentence(f"At the top are tied: {names}; {share}, and {worth}.")], error


def read_ranking_loss(labels: Sequence[Label], settings: Settings) -> Reading:
    """Read how many pairs of a relevant and an irrelevant label stand the wrong way round."""
    relevant = [label for label in labels if label.relevant]
    irrelevant = [label for label in labels if not label.relevant]
    if not (relevant and irrelevant):
        return [], ALL_RELEVANT if relevant else NONE_RELEVANT
    errors, words = Fraction(0), []
    for a, b in product(relevant, irrelevant):
        error = pair_error(a, b, settings["ties"])
        errors += error
        if error:
            tied = f"{b.name} tied with {a.name} (counts {error})"
            words.append(tied if a.score == b.score else f"{b.name} before {a.name}")
    number = len(relevant) * len(irrelevant)
    pairs = f"{len(relevant)} × {len(irrelevant)} = {number} pairs"
    pairs += " of a relevant and an irrelevant label"
    found = f"misordered: {'; '.join(words)}" if words else "none is misordered"
    return [Sentence(f"{pairs}; {found}.")], Ratio(errors, Fraction(number))


def read_average_precision(labels: Sequence[Label], settings: Settings) -> Reading:
    """Read the share of relevant labels down to each relevant one; and take their mean."""
    relevant = [label for label in labels if label.relevant]
    if not relevant:
        return [], NONE_RELEVANT
    shares = [Ratio(label.rank_among_relevant, label.rank) for label in relevant]
    rows = tuple(
        (label.name, plain(share.above), plain(share.below), share)
        for label, share in zip(relevant, shares, strict=True)
    )
    header = ("relevant label", "rank among the relevant", "rank among all", "fraction")
    mean = sum((s.above / s.below for s in shares), Fraction(0)) / len(shares)
    steps: list[Step] = [
        Table("Each relevant label", header, rows),
        equation(mean_of(shares), mean),
    ]
    return steps, mean


def per_sample(read: Callable[[Sequence[Label], Settings], Reading], problem: Problem) -> Worked:
    """Read a number off the ranked labels of each sample, then take their mean, or one ratio of sums."""
    steps: list[Step] = []
    terms: list[Term] = []
    ratios: list[Ratio] = []
    ties = problem.settings.get("ties", "worst")
    for i in range(len(problem.samples)):
        labels = ranked(problem.truth[i], problem.other[i], ties, problem.labels)
        steps.append(_listed(problem, i, labels))
        if not labels:
            terms.append(NOTHING_KNOWN)
            ratios.append(Ratio(Fraction(0), Fraction(0)))
            continue
        said, found = read(labels, problem.settings)
        steps += said
        if isinstance(found, str):
            terms.append(undefined(problem.settings["undefined"]))
            steps.append(Sentence(f"{found}: {terms[-1].said}."))
        elif isinstance(found, Ratio):
            ratios.append(found)
            is_pooled = problem.record.along == "all"
            value = math.nan if is_pooled else found.above / found.below
            terms.append(Term(_short(found), value, found if is_pooled else _short(found)))
        else:
            terms.append(term(found, "" if isinstance(found, float) else _short(Ratio.of(found))))
    is_mean = len(terms) > 1 or problem.weight or problem.settings.get("per_sample")
    if not is_mean and isinstance(steps[-1], Equation):  # which ends with this sample's value
        return steps, terms[0].value
    if is_mean:
        steps.append(_each(problem, terms))
    if problem.record.along == "all":
        return pooled(steps, ratios, problem.weight)
    return over_samples(problem, steps, terms)


def _listed(problem: Problem, i: int, labels: Sequence[Label]) -> Table:
    """The labels of a sample from the top down."""
    weight = [plain(problem.weight[i])] if problem.weight else []
    rows = tuple(
        (_rank(one), one.name, problem.written[i][one.place], "✓" * one.relevant) for one in labels
    )
    unknown = [j for j, relevant in enumerate(problem.truth[i]) if relevant is None]
    rows += tuple(("–", problem.labels[j], problem.written[i][j], "?") for j in unknown)
    caption = ", weight ".join([f"Sample {problem.samples[i]}", *weight])
    return Table(caption, ("rank", "label", "score", "relevant"), rows)


def _each(problem: Problem, terms: Sequence[Term]) -> Table:
    """The value of every sample."""
    columns: dict[str, list[Cell]] = {
        "sample": [*problem.samples],
        "relevant labels": [label_set(problem.labels, row) for row in problem.truth],
    }
    if problem.weight:
        columns["weight"] = [*map(plain, problem.weight)]
    last = "reached / reachable" if problem.record.along == "all" else "value"
    columns[last] = [one.said for one in terms]
    return Table("Each sample", tuple(columns), tuple(zip(*columns.values(), strict=True)))


def _rank(label: Label) -> str:
    """A label without a score has none."""
    return plain(label.rank) if label.score > -math.inf else "–"


def _short(found: Ratio) -> Cell:
    return plain(found.above) if found.below == 1 else found


def undefined(rule: Any) -> Term:
    """What ``undefined`` says that a sample without a value is worth."""
    words = f"by undefined={inputs.shown(rule)}"
    if math.isnan(rule):
        return Term("nan", math.nan, f"left out, {words}")
    return Term(str(exact(rule)), exact(rule), f"{plain(exact(rule))}, {words}")
