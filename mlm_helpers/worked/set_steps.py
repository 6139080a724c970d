"""Set metrics by hand: count hits, false alarms and misses, in a hierarchy with all ancestors, and divide."""

import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from mlm_helpers._core import inputs
from mlm_helpers.tables import Ratio, Sentence, Step, Table
from mlm_helpers.tables.numbers import Number, format_number
from mlm_helpers.worked import average
from mlm_helpers.worked.average import StepsAndValue, Term
from mlm_helpers.worked.problem import ONE, Matrix, Problem, data_table, exact, label_sets, table_of

OF_ROWS = "✓ hits", "✗ false alarms", "○ misses"
OF_COLUMNS = "✓ TP", "✗ FP", "○ FN", "TN"


class ExactCounts(NamedTuple):
    """✓ hits, ✗ false alarms, ○ misses, and what is rightly left out."""

    tp: Fraction
    fp: Fraction
    fn: Fraction
    tn: Fraction


def count_outcomes(cells: Iterable[tuple[Any, Any, Any]]) -> ExactCounts:
    """Count (truth, prediction, weight) cells whose truth is known, each as often as its weight says."""
    totals = {outcome: Fraction(0) for outcome in ((1, 1), (0, 1), (1, 0), (0, 0))}
    for truth, prediction, weight in cells:
        if truth is not None:
            totals[truth, prediction] += weight
    return ExactCounts(*totals.values())


class SetRatio(NamedTuple):
    """A fraction of four counts as it is written down, and its formula in symbols."""

    ratio: Callable[[ExactCounts], Ratio]
    formula: str


def fbeta(beta: float) -> SetRatio:
    """Fβ in whole numbers: with β = p/q, misses count p² and false alarms q²."""
    misses, alarms = (n**2 for n in exact(beta).as_integer_ratio())
    hits = misses + alarms
    return SetRatio(
        lambda c: Ratio(hits * c.tp, hits * c.tp + misses * c.fn + alarms * c.fp),
        f"{hits}✓ / ({hits}✓ + {alarms}✗ + {misses}○)",
    )


def square_root(value: Fraction) -> Number:
    """The square root: a fraction where it is one, else a float."""
    above, below = value.as_integer_ratio()
    close = Fraction(math.isqrt(above * below << 128), below << 64)  # of small weights, too
    return close if close**2 == value else float(close)


PRECISION = SetRatio(lambda c: Ratio(c.tp, c.tp + c.fp), "✓ / (✓ + ✗)")
RECALL = SetRatio(lambda c: Ratio(c.tp, c.tp + c.fn), "✓ / (✓ + ○)")
F1 = SetRatio(lambda c: Ratio(2 * c.tp, 2 * c.tp + c.fp + c.fn), "2✓ / (2✓ + ✗ + ○)")
JACCARD = SetRatio(lambda c: Ratio(c.tp, c.tp + c.fp + c.fn), "✓ / (✓ + ✗ + ○)")
ACCURACY = SetRatio(lambda c: Ratio(c.tp + c.tn, sum(c, Fraction(0))), "(✓ + TN) / cells")
SPECIFICITY = SetRatio(lambda c: Ratio(c.tn, c.tn + c.fp), "TN / (TN + ✗)")
NEGATIVE_VALUE = SetRatio(lambda c: Ratio(c.tn, c.tn + c.fn), "TN / (TN + ○)")
BALANCED = SetRatio(
    lambda c: Ratio(c.tp * (c.tn + c.fp) + c.tn * (c.tp + c.fn), 2 * (c.tp + c.fn) * (c.tn + c.fp)),
    "(✓ (TN + ✗) + TN (✓ + ○)) / 2 (✓ + ○) (TN + ✗)",
)
MATTHEWS = SetRatio(
    lambda c: Ratio(
        c.tp * c.tn - c.fp * c.fn,
        square_root((c.tp + c.fp) * (c.tp + c.fn) * (c.tn + c.fp) * (c.tn + c.fn)),
    ),
    "(✓ TN − ✗ ○) / √((✓ + ✗) (✓ + ○) (TN + ✗) (TN + ○))",
)
KAPPA = SetRatio(
    lambda c: Ratio(
        2 * (c.tp * c.tn - c.fp * c.fn),
        (c.tp + c.fp) * (c.tn + c.fp) + (c.tp + c.fn) * (c.tn + c.fn),
    ),
    "2 (✓ TN − ✗ ○) / ((✓ + ✗) (TN + ✗) + (✓ + ○) (TN + ○))",
)
HAMMING = SetRatio(lambda c: Ratio(c.fp + c.fn, sum(c, Fraction(0))), "(✗ + ○) / labels")
ALL_RIGHT = SetRatio(lambda c: Ratio(Fraction(c.fp + c.fn == 0), ONE), "1 if ✗ + ○ = 0")
ANY_WRONG = SetRatio(lambda c: Ratio(Fraction(c.fp + c.fn != 0), ONE), "1 if ✗ + ○ > 0")


def term(kind: SetRatio, counts: ExactCounts, zero_division: Any = 0.0) -> Term:
    """The fraction; by the rule of ``zero_division`` where it is 0/0, and nan where nothing is known."""
    if not any(counts):
        return math.nan
    ratio = kind.ratio(counts)
    if ratio.denominator:
        return ratio
    is_right = counts.fp + counts.fn == 0
    rule: Number = exact(is_right if zero_division == "agree" else zero_division)
    return rule


def ratio_per_sample(kind: SetRatio, problem: Problem, is_pooled: bool = False) -> StepsAndValue:
    """Take a fraction of each row, then their mean; or of all rows together, weighted, if pooled."""
    each = _rows(problem, problem.weight if is_pooled else [ONE] * len(problem.samples))
    steps, terms = _fractions(kind, problem, "sample", each, is_pooled)
    return (
        average.mean_steps(steps, terms, [ONE])
        if is_pooled
        else average.average_steps(problem, steps, terms)
    )


def ratio_of_cells(kind: SetRatio, problem: Problem) -> StepsAndValue:
    """Take the mean of the rows while all have as many known cells, else one fraction of all cells."""
    alike = all(None not in row for row in problem.truth)
    return ratio_per_sample(kind, problem, not (alike or problem.options["per_sample"]))


def wrong_labels_per_sample(kind: SetRatio, problem: Problem) -> StepsAndValue:
    """Show the labels that are wrong in each row, and the 1 or 0 that they make."""
    each = _rows(problem, [ONE] * len(problem.samples))
    terms = [average.value_of(term(kind, one)) for one in each]
    rows = zip(problem.truth, problem.prediction, strict=True)
    wrong = [[a is not None and a != b for a, b in zip(*row, strict=True)] for row in rows]
    cells = zip(problem.samples, label_sets(problem, wrong), map(str, terms), strict=True)
    table = Table("Each sample", ("sample", "wrong labels", "value"), tuple(cells))
    return average.average_steps(problem, [data_table(problem), table], terms)


def ratio_per_label(kind: SetRatio, problem: Problem) -> StepsAndValue:
    """Take a fraction of each column, then their average; or for micro, of all columns together."""
    each = _columns(problem)
    steps, terms = _fractions(kind, problem, "label", each, problem.options["average"] == "micro")
    return average.average_steps(problem, steps, terms, [c.tp + c.fn for c in each])


def cost_per_label(problem: Problem) -> StepsAndValue:
    """Take the price of each column's wrong cells, divided by its known cells, then their mean."""
    each = _columns(problem)
    prices = {name: [*map(exact, problem.options[name])] for name in ("miss", "false_alarm")}
    priced = zip(each, *prices.values(), strict=True)
    ratios = [Ratio(miss * c.fn + alarm * c.fp, sum(c, Fraction(0))) for c, miss, alarm in priced]
    terms = [ratio if ratio.denominator else math.nan for ratio in ratios]
    columns: dict[str, Sequence[Any]] = {
        "label": problem.labels,
        "○ FN": [format_number(c.fn) for c in each],
        "price of ○": [*map(format_number, prices["miss"])],
        "✗ FP": [format_number(c.fp) for c in each],
        "price of ✗": [*map(format_number, prices["false_alarm"])],
        "price of all / cells": ratios,
        "value": [*map(average.format_term, terms)],
    }
    steps: list[Step] = [data_table(problem), table_of("Each label", columns)]
    return average.average_steps(problem, steps, terms, [c.tp + c.fn for c in each])


def _columns(problem: Problem) -> list[ExactCounts]:
    """The weighted counts of each label."""
    columns = zip(
        zip(*problem.truth, strict=True), zip(*problem.prediction, strict=True), strict=True
    )
    return [count_outcomes(zip(t, p, problem.weight, strict=True)) for t, p in columns]


def _rows(problem: Problem, weight: Sequence[Fraction]) -> list[ExactCounts]:
    """The counts of each sample, times its weight."""
    rows = zip(problem.truth, problem.prediction, weight, strict=True)
    return [
        count_outcomes((t, p, w) for t, p in zip(truth, other, strict=True))
        for truth, other, w in rows
    ]


def _fractions(
    kind: SetRatio, problem: Problem, what: str, each: list[ExactCounts], together: bool = False
) -> tuple[list[Step], list[Term]]:
    """The data and a table of the counts, with the fraction of each or of all together; its terms."""
    names, marks = (problem.samples, OF_ROWS) if what == "sample" else (problem.labels, OF_COLUMNS)
    caption, judged = f"Each {what}", each
    if together:
        judged = [ExactCounts(*(sum(column, Fraction(0)) for column in zip(*each, strict=True)))]
        names, each = [*names, f"all {what}s"], each + judged
        caption += ", and all together"
    terms = [term(kind, one, problem.options.get("zero_division")) for one in judged]
    blank = [""] * (len(each) - len(judged))
    columns: dict[str, Sequence[Any]] = {what: names}
    columns |= {mark: [format_number(one[i]) for one in each] for i, mark in enumerate(marks)}
    columns[kind.formula] = blank + [kind.ratio(one) for one in judged]
    columns["value"] = blank + list(map(average.format_term, terms))
    return [data_table(problem), table_of(caption, columns)], terms


# ---------------------------------------------------------------------------- hierarchies


def ratio_with_ancestors(kind: SetRatio, problem: Problem) -> StepsAndValue:
    """Add all ancestors, then take a fraction of each row and their mean, or of all rows together."""
    parents, labels = problem.options["parents"], range(len(problem.labels))
    above = [ancestors(j, parents) for j in labels]
    truth, other = ([_with(row, above) for row in m] for m in (problem.truth, problem.prediction))
    roots = [] if problem.options["root"] else inputs.find_roots(parents)
    counted = [[None if j in roots else row[j] for j in labels] for row in truth]
    is_pooled = problem.options["average"] != "samples"
    steps, value = ratio_per_sample(
        kind, problem._replace(truth=counted, prediction=other), is_pooled
    )
    kin = ([[k in some for k in labels] for some in each] for each in (parents, above))
    added = _added(problem.truth, truth), _added(problem.prediction, other)
    tree = zip(problem.labels, *(label_sets(problem, rows) for rows in kin), strict=True)
    each = zip(problem.samples, *(label_sets(problem, rows) for rows in added), strict=True)
    header = "sample", "to the true", "to the predicted"
    tables = (
        Table("Above each label", ("label", "parents", "all ancestors"), tuple(tree)),
        Table("Ancestors that are added", header, tuple(each)),
    )
    said = [Sentence(f"The root, {problem.labels[j]}, is not counted.") for j in roots]
    return [data_table(problem), *tables, *said, *steps[1:]], value


def _added(before: Matrix, after: Matrix) -> Matrix:
    """The cells that are marked after, and were not before."""
    rows = (zip(*row, strict=True) for row in zip(before, after, strict=True))
    return [[new and not old for old, new in row] for row in rows]


def ancestors(label: int, parents: Sequence[Sequence[int]]) -> set[int]:
    """The parents of a label, their parents, and so on."""
    return {one for parent in parents[label] for one in {parent, *ancestors(parent, parents)}}


def _with(row: Sequence[Any], above: Sequence[set[int]]) -> list[bool | None]:
    """A label is there if it or one below it is, and unknown if one of these may be."""
    below = [[row[j] for j in range(len(row)) if k in {j, *above[j]}] for k in range(len(row))]
    return [True if any(some) else None if None in some else False for some in below]
