"""Ranking and top-k metrics by hand: a sample's labels as a list, from the highest score down.

Each function named for a metric solves one list: from its entries and the metric's options it makes
the steps and the metric's value. `average_over_samples` and `pooled_ratio` turn the values of all
lists into one number. `column_steps` uses the same functions on lists of a label's samples.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import accumulate, groupby, pairwise, product
from typing import Any, NamedTuple, TypeAlias

from mlm_helpers.tables import Cell, Equation, Ratio, Sentence, Step, Table, count_phrase, equation
from mlm_helpers.tables.numbers import ONE, Number, format_number
from mlm_helpers.worked import average
from mlm_helpers.worked.average import MetricSteps, StepsAndValue, Term, weighted_sum
from mlm_helpers.worked.problem import Problem, as_fraction, label_sets, table_of


class Entry(NamedTuple):
    """A label in the list of a sample, or a sample in the list of a label."""

    name: str
    relevant: Any  # True, False, or None where it is unknown
    score: float
    position: int  # in the data, from 0
    weight: Fraction = ONE
    rank: Fraction = ONE  # the weight of all entries down to this one, including its own
    rank_among_relevant: Fraction = ONE  # the weight of the relevant entries down to this one

    @property
    def mark(self) -> str:
        """Relevance in a table: ✓, ? where it is unknown, or nothing."""
        return "?" if self.relevant is None else "✓" * self.relevant


Entries: TypeAlias = Sequence[Entry]
Options: TypeAlias = Mapping[str, Any]
StepsAndTerm: TypeAlias = tuple[list[Step], Term | None]  # of one list; None if undefined
ListSolver: TypeAlias = Callable[[Entries, Options], StepsAndTerm]  # some ignore the options
LABEL_HEADER = "relevant label", "rank among the relevant", "rank among all", "fraction"
SAMPLE_HEADER = "sample", "positives down to it", "all down to it", "precision"


def sort_by_score(entries: Iterable[Entry], ties: str) -> list[Entry]:
    """The entries from the highest score down.

    Tied entries keep the order of the data; if ties are "last", they have the reverse order.
    """
    sign = -1 if ties == "last" else 1
    return sorted(entries, key=lambda entry: (-entry.score, sign * entry.position))


def rank_entries(entries: Iterable[Entry], ties: str) -> list[Entry]:
    """The entries of known relevance with their ranks, from the highest score down.

    The rank of an entry is its own weight plus the weights of the entries above it. An entry tied
    with it adds the share of its weight that the tie rule says.
    """
    known = [entry for entry in entries if entry.relevant is not None]
    ranked = []
    for entry in known:
        weights = [
            other.weight * (ONE if other is entry else share_below(entry, other, ties))
            for other in known
        ]
        rank = sum(weights, Fraction(0))
        among_relevant = weighted_sum(weights, (other.relevant for other in known))
        ranked.append(entry._replace(rank=rank, rank_among_relevant=among_relevant))
    return sort_by_score(ranked, ties)


def share_below(entry: Entry, other: Entry, ties: str) -> Fraction:
    """1 if the entry ranks below the other, 0 if it ranks above it.

    Of two tied entries, "first" and "last" place one below the other by their positions. By "max",
    "average" and "min", the share is 1, 1/2 or 0 for both of them.
    """
    if entry.score != other.score:
        return Fraction(entry.score < other.score)
    if ties == "first":
        return Fraction(other.position < entry.position)
    if ties == "last":
        return Fraction(other.position > entry.position)
    return {"max": ONE, "average": ONE / 2, "min": Fraction(0)}[ties]


def coverage_steps(entries: Entries, options: Options) -> StepsAndTerm:
    """Coverage: the largest rank of a relevant label, where the top rank is ``start``."""
    ranks = [entry.rank - 1 + options["start"] for entry in entries if entry.relevant]
    return [], max(ranks, default=None)


def one_error_steps(entries: Entries, options: Options) -> StepsAndTerm:
    """One-error: 1 if the top label is irrelevant, else 0.

    Where labels tie for the top, one-error is 1 if any of them is irrelevant ("max") or if all are
    irrelevant ("min"); by "average" it is the share of them that are irrelevant.
    """
    if not any(entry.relevant for entry in entries):
        return [], None
    top = [entry for entry in entries if entry.rank == entries[0].rank]
    share_irrelevant = Fraction(sum(not entry.relevant for entry in top), len(top))
    if options["ties"] == "average":
        return [], share_irrelevant
    is_wrong = share_irrelevant == 1 if options["ties"] == "min" else share_irrelevant > 0
    return [], Fraction(is_wrong)


def pair_steps(entries: Entries, options: Options, is_auc: bool = False) -> StepsAndTerm:
    """Ranking loss: the share of misordered pairs (relevant, irrelevant). AUROC: 1 minus that.

    The weight of a pair is the product of the weights of its entries. A tied pair counts as
    misordered by the share that the tie rule says; in AUROC, which has no tie rule, by half.
    """
    relevant = [entry for entry in entries if entry.relevant]
    irrelevant = [entry for entry in entries if not entry.relevant]
    pairs = list(product(relevant, irrelevant))
    if not pairs:
        return [], None
    lost = total = Fraction(0)
    misordered = []
    for a, b in pairs:
        weight = a.weight * b.weight
        loss = share_below(a, b, options.get("ties", "average"))
        lost += weight * loss
        total += weight
        if loss:
            word = "before" if a.score < b.score else "tied with"
            misordered.append(f"{b.name} {word} {a.name}")
    text = f"{len(pairs)} pairs of relevant and irrelevant; misordered: "
    text += f"{'; '.join(misordered) or 'none'}."
    return [Sentence(text)], Ratio(total - lost if is_auc else lost, total)


def average_precision_steps(entries: Entries, options: Options) -> StepsAndTerm:
    """Average precision: the mean of the precisions at the relevant entries, or interpolated ones.

    Precision at an entry is its rank among the relevant entries ÷ its rank among all. Only the
    metric of `curves`, whose lists have samples, has the option ``interpolation``.
    """
    relevant = [entry for entry in rank_entries(entries, options["ties"]) if entry.relevant]
    if not relevant:
        return [], None
    precisions = [Ratio(entry.rank_among_relevant, entry.rank) for entry in relevant]
    caption, header = "Each relevant label", LABEL_HEADER
    if "interpolation" in options:
        caption, header = "Each positive", SAMPLE_HEADER
    rows: list[tuple[Cell, ...]] = [
        (entry.name, *map(format_number, ratio), ratio)
        for entry, ratio in zip(relevant, precisions, strict=True)
    ]
    cells: Sequence[Cell] = precisions
    values = list(map(average.value_of, precisions))
    weights = [entry.weight for entry in relevant]
    interpolation = options.get("interpolation")
    if interpolation is not None:
        values = interpolated(values, relevant, options["ties"])
        cells = list(map(str, values))
    if interpolation in (11, 101):  # the number of equally spaced recalls to average over
        weights = n_recalls_first_reached(interpolation, weights)
    line, value = average.mean_equation(cells, values, weights)
    return [Table(caption, header, tuple(rows)), line], value


def interpolated(precisions: Sequence[Number], relevant: Entries, ties: str) -> list[Number]:
    """For each relevant entry, the highest precision at its recall or a higher one.

    Recall grows down the list. The entries from this recall on are the entry itself, the entries
    below it, and the entries tied with it that the tie rule does not put above it.
    """
    rule = ties if ties in ("first", "last") else "min"  # else tied entries have the same recall
    pairs = list(zip(precisions, relevant, strict=True))
    highest = []
    for entry in relevant:
        highest.append(max(p for p, other in pairs if not share_below(entry, other, rule)))
    return highest


def n_recalls_first_reached(n_recalls: int, weights: Sequence[Fraction]) -> list[Fraction]:
    """How many of ``n_recalls`` equally spaced recalls each relevant entry reaches first.

    ``weights`` are those of the relevant entries from the highest score down. The recalls are 0,
    1/(n_recalls − 1), and so on to 1, so that the recall r reaches ⌊r (n_recalls − 1)⌋ + 1 of them.
    """
    total = sum(weights)
    recalls = [cumulative / total for cumulative in accumulate(weights)]
    n_reached = [math.floor(recall * (n_recalls - 1)) + 1 for recall in recalls]
    return [Fraction(after - before) for before, after in pairwise([0, *n_reached])]


def top_k_steps(divisor: Callable[..., int], entries: Entries, options: Options) -> StepsAndTerm:
    """Hits among the first k labels ÷ ``divisor(k, n_relevant)``; None if the divisor is 0.

    For a metric without an option ``k``, k is the number of relevant labels.
    """
    n_relevant = sum(entry.relevant for entry in entries)
    k = options.get("k", n_relevant)
    denominator = divisor(k, n_relevant)
    if not denominator:
        return [], None
    table, gains = top_k_places(entries, {**options, "k": k})
    return [table], Ratio(sum(gains), denominator)


def ndcg_steps(entries: Entries, options: Options) -> StepsAndTerm:
    """NDCG at k: the discounted gain of the first k labels ÷ that of the best order."""
    steps, ratio = gain_steps(entries, options, is_discounted=True)
    # as a number, since the equation of the mean would write the ratio as 1.5/1.631
    return steps, None if ratio is None else average.value_of(ratio)


def gain_steps(entries: Entries, options: Options, is_discounted: bool = False) -> StepsAndTerm:
    """Gain of the first k labels ÷ gain of the k labels with the largest gains.

    If ``normalize`` is False, the divisor is the gain of k labels that each have a gain of 1.
    """
    k, is_normalized = options["k"], options.get("normalize", True)
    largest = sorted((gain(entry, options) for entry in entries if entry.relevant), reverse=True)
    best_gains = largest[:k] if is_normalized else [ONE] * k
    if not best_gains:
        return [], None
    table, gains = top_k_places(entries, options, is_discounted)
    text, total = _sum_of(gains, is_discounted)
    best_text, best = _sum_of(best_gains, is_discounted)
    ratio = Ratio(total, best)
    steps = [table]
    if is_normalized:
        n_hits = count_phrase(len(best_gains), "hit")
        steps.append(Sentence(f"The best order begins with {n_hits}."))
    line = equation(("(", text, ") ÷ (", best_text, ")"), average.value_of(ratio))
    return [*steps, line], ratio


def gain(entry: Entry, options: Options) -> Fraction:
    """Gain of a label among the first k: 0 if irrelevant, else 1 or its inverse propensity."""
    if not entry.relevant:
        return Fraction(0)
    gains = options.get("inverse_propensities")
    return as_fraction(gains[entry.position]) if gains else ONE


def discount(place: int) -> Number:
    """The factor 1 / log2(place + 1) of a gain at a place (from 1); exact where it is rational."""
    power = math.log2(place + 1)
    return Fraction(1, int(power)) if power.is_integer() else 1 / power


def top_k_places(
    entries: Entries, options: Options, is_discounted: bool = False
) -> tuple[Step, list[Fraction]]:
    """A table of the labels at the first k places, and the gain at each place.

    Tied labels share their places: the largest gains come first if ties are "best" and last if they
    are "worst"; if they are "average", each place has the mean gain. The column of gains is named
    for hits, which have a gain of 1 in all metrics without propensities. The entries are ranked, so
    tied ones stand together. Those without a score, which is -inf, have no place.
    """
    k, ties = options["k"], options["ties"]
    names: list[str] = []
    gains: list[Fraction] = []
    scored = [entry for entry in entries if entry.score > -math.inf]
    for _, group in groupby(scored, lambda entry: entry.rank):
        tied = list(group)
        tied_gains = sorted((gain(entry, options) for entry in tied), reverse=ties != "worst")
        if ties == "average":
            tied_gains = [sum(tied_gains, Fraction(0)) / len(tied)] * len(tied)
        gains += tied_gains
        names += [" or ".join(entry.name for entry in tied)] * len(tied)
    names, gains = names[:k], gains[:k]
    places = range(1, len(names) + 1)
    columns = {"place": list(map(str, places)), "label": names, "hits": list(map(str, gains))}
    if is_discounted:
        columns["each divided by"] = [f"log2({place + 1})" for place in places]
    return table_of(f"The first {k}", columns), gains


def _sum_of(gains: Sequence[Fraction], is_discounted: bool) -> tuple[str, Number]:
    """The sum of the gains at places 1, 2, …, discounted or not, as text and as a number.

    The text leaves out gains of 0.
    """
    hits = [(gain, place) for place, gain in enumerate(gains, start=1) if gain]
    texts = [f"{g} / log2({place + 1})" if is_discounted else str(g) for g, place in hits]
    values = [g * discount(place) if is_discounted else g for g, place in hits]
    return " + ".join(texts) or "0", sum(values)


def average_over_samples(solve_list: ListSolver, problem: Problem) -> StepsAndValue:
    """Steps and value of a metric of each sample's ranked labels, averaged over the samples."""
    steps, terms = steps_of_lists(solve_list, problem, _label_lists(problem))
    is_single = len(terms) == 1 and not problem.options["per_sample"]
    if is_single and isinstance(steps[-1], Equation):  # which already ends with the value
        return steps, average.value_of(terms[0])
    columns = {"sample": problem.samples, "relevant labels": label_sets(problem, problem.truth)}
    table = average.table_of_terms("Each sample", columns, terms)
    return average.average_steps(problem, [*steps, table], terms)


def pooled_ratio(solve_list: ListSolver, problem: Problem) -> StepsAndValue:
    """Steps and value of one ratio: the samples' numerators ÷ their denominators, each summed.

    Each sample's numerator and denominator are multiplied by its weight.
    """
    steps, terms = steps_of_lists(solve_list, problem, _label_lists(problem))
    ratios = [term if isinstance(term, Ratio) else Ratio(0, 0) for term in terms]  # 0, 0 adds none
    parts = zip(*ratios, strict=True)
    numerator, denominator = (weighted_sum(problem.weights, column) for column in parts)
    term = Ratio(numerator, denominator) if denominator else math.nan
    return average.mean_steps([*steps, Sentence("All samples together, by weight:")], [term], [ONE])


def steps_of_lists(
    solve_list: ListSolver, problem: Problem, lists: Iterable[tuple[Table, list[Entry]]]
) -> tuple[list[Step], list[Term]]:
    """The steps of all lists, each after its table, and a term for each list.

    The term of an empty list is nan. Where the metric is undefined, the term is its option
    ``undefined``, or nan without this option.
    """
    steps: list[Step] = []
    terms: list[Term] = []
    undefined = as_fraction(problem.options.get("undefined", math.nan))
    for table, entries in lists:
        list_steps, term = solve_list(entries, problem.options) if entries else ([], math.nan)
        steps += [table, *list_steps]
        terms.append(undefined if term is None else term)
    return steps, terms


def _label_lists(problem: Problem) -> Iterable[tuple[Table, list[Entry]]]:
    """Each sample's table of labels from the highest score down, and its known ones as entries."""
    header, positions = ("rank", "label", "score", "relevant"), range(len(problem.labels))
    ties = problem.options["ties"]
    rule = {"worst": "max", "best": "min"}.get(ties, ties)  # the first two are of top-k metrics
    rows_by_sample = zip(problem.samples, problem.truth, problem.prediction, strict=True)
    for sample, truth, scores in rows_by_sample:
        entries = list(map(Entry, problem.labels, truth, scores, positions))
        ranked = rank_entries(entries, rule)
        ranks = [(format_number(entry.rank), entry) for entry in ranked]
        ranks += [("–", entry) for entry in entries if entry.relevant is None]  # unknown
        rows = [(rank, entry.name, f"{entry.score:g}", entry.mark) for rank, entry in ranks]
        yield Table(f"Sample {sample}", header, tuple(rows)), ranked


_hits_over_relevant = partial(top_k_steps, lambda k, n_relevant: n_relevant)
_STEPS_OF_A_SAMPLE: dict[str, ListSolver] = {
    "ranking.coverage": coverage_steps,
    "ranking.one_error": one_error_steps,
    "ranking.ranking_loss": pair_steps,
    "ranking.average_precision": average_precision_steps,
    "top_k.precision": partial(top_k_steps, lambda k, n_relevant: k),
    "top_k.recall": _hits_over_relevant,
    "top_k.r_precision": _hits_over_relevant,
    "top_k.rp": partial(top_k_steps, min),
    "top_k.ndcg": ndcg_steps,
}
STEPS: MetricSteps = {  # by the id of the metric's record
    **{name: partial(average_over_samples, s) for name, s in _STEPS_OF_A_SAMPLE.items()},
    "top_k.propensity_scored_precision": partial(pooled_ratio, gain_steps),
    "top_k.propensity_scored_ndcg": partial(pooled_ratio, partial(gain_steps, is_discounted=True)),
}
