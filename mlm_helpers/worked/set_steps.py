"""Set metrics by hand: count hits, false alarms and misses, and make a fraction of the counts."""

import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any, NamedTuple

from mlm_helpers._core import inputs
from mlm_helpers.board import Cell, Ratio, Table
from mlm_helpers.board.numbers import Number, Root, plain
from mlm_helpers.worked.average import (
    NOTHING_KNOWN,
    ONE,
    Term,
    Worked,
    exact,
    mean,
    over_labels,
    over_samples,
    term,
)
from mlm_helpers.worked.problem import Problem, data, label_set

_SMALL = Fraction(1, 10**300)  # smaller ones, such as products of weights, are no floats


class Counts(NamedTuple):
    """✓ hits, ✗ false alarms, ○ misses, and what is rightly left out."""

    tp: Fraction
    fp: Fraction
    fn: Fraction
    tn: Fraction


def count(cells: Iterable[tuple[Any, Any, Any]]) -> Counts:
    """Count (truth, prediction, weight) cells whose truth is known, each as often as its weight says."""
    found = {outcome: Fraction(0) for outcome in ((1, 1), (0, 1), (1, 0), (0, 0))}
    for truth, prediction, weight in cells:
        if truth is not None:
            found[truth, prediction] += weight
    return Counts(*found.values())


class SetRatio(NamedTuple):
    """A fraction of four counts as it is written down, and its formula in symbols; roots by `root`."""

    ratio: Callable[[Counts], Ratio]
    formula: str


def fbeta(beta: float) -> SetRatio:
    """Fβ in whole numbers: with β = p/q, misses count p² and false alarms q²."""
    misses, alarms = (n**2 for n in exact(beta).as_integer_ratio())
    hits = misses + alarms
    terms = ((hits, "✓"), (alarms, "✗"), (misses, "○"))
    above, *others = [f"{factor if factor > 1 else ''}{s}" for factor, s in terms if factor]
    return SetRatio(
        lambda c: Ratio(hits * c.tp, hits * c.tp + misses * c.fn + alarms * c.fp),
        f"{above} / ({' + '.join([above, *others])})",
    )


PRECISION = SetRatio(lambda c: Ratio(c.tp, c.tp + c.fp), "✓ / (✓ + ✗)")
RECALL = SetRatio(lambda c: Ratio(c.tp, c.tp + c.fn), "✓ / (✓ + ○)")
F1 = fbeta(1)
JACCARD = SetRatio(lambda c: Ratio(c.tp, c.tp + c.fp + c.fn), "✓ / (✓ + ✗ + ○)")
SPECIFICITY = SetRatio(lambda c: Ratio(c.tn, c.tn + c.fp), "TN / (TN + ✗)")
NEGATIVE_VALUE = SetRatio(lambda c: Ratio(c.tn, c.tn + c.fn), "TN / (TN + ○)")
BALANCED = SetRatio(
    lambda c: Ratio(c.tp * (c.tn + c.fp) + c.tn * (c.tp + c.fn), 2 * (c.tp + c.fn) * (c.tn + c.fp)),
    "(✓ (TN + ✗) + TN (✓ + ○)) / 2 (✓ + ○) (TN + ✗)",
)
MATTHEWS = SetRatio(
    lambda c: Ratio(
        c.tp * c.tn - c.fp * c.fn,
        root((c.tp + c.fp) * (c.tp + c.fn) * (c.tn + c.fp) * (c.tn + c.fn)),
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


def root(value: Fraction) -> Number:
    """The square root: a fraction where it is one, else a `Root`, or a close fraction where that vanishes."""
    above, below = value.as_integer_ratio()
    exact_root = Fraction(math.isqrt(above), math.isqrt(below))
    if exact_root**2 == value:
        return exact_root
    if value > _SMALL:
        return Root(value)
    return Fraction(math.isqrt(above * below << 128), below << 64)


def worth(kind: SetRatio, counts: Counts, zero_division: Any = 0.0) -> Term:
    """Say what the fraction is worth, by the rule of ``zero_division`` where it is 0/0."""
    if not any(counts):
        return NOTHING_KNOWN
    ratio = kind.ratio(counts)
    if ratio.below:
        return term(ratio.above and ratio.above / ratio.below, ratio)
    rule = f"by zero_division={inputs.shown(zero_division)}"
    if zero_division == "agree":
        zero_division = counts.fp + counts.fn == 0
        rule += ": nothing is wrong" if zero_division else ": something is wrong"
    if math.isnan(zero_division):
        return Term("nan", math.nan, f"left out, {rule}")
    value = Fraction(int(zero_division))
    return Term(str(value), value, f"{value}, {rule}")


def per_sample(kind: SetRatio, problem: Problem) -> Worked:
    """Take a fraction of each row, then their mean."""
    each = _samples(problem)
    terms = _terms(kind, each, problem)
    header = ("sample", "✓ hits", "✗ false alarms", "○ misses", kind.formula, "value")
    rows: list[tuple[Cell, ...]] = [
        (sample, *map(plain, counts[:3]), kind.ratio(counts), one.said)
        for sample, counts, one in zip(problem.samples, each, terms, strict=True)
    ]
    return over_samples(problem, [data(problem), Table("Each sample", header, tuple(rows))], terms)


def of_cells(kind: SetRatio, problem: Problem) -> Worked:
    """Take the mean of the rows while all have as many known cells, else one fraction of all cells."""
    alike = all(None not in row for row in problem.truth)
    return (per_sample if alike or problem.settings["per_sample"] else pooled)(kind, problem)


def pooled(kind: SetRatio, problem: Problem) -> Worked:
    """Add up the counts of the rows, weighted; then take one fraction."""
    each, weight = _samples(problem), problem.weight or [ONE] * len(problem.samples)
    weighed = [Counts(*(w * n for n in c)) for w, c in zip(weight, each, strict=True)]
    total = Counts(*(sum(kinds, Fraction(0)) for kinds in zip(*weighed, strict=True)))
    (one,) = _terms(kind, [total], problem)
    times = ", times its weight" if problem.weight else ""
    counted = [(name, *map(plain, c[:3])) for name, c in zip(problem.samples, weighed, strict=True)]
    last = ("all samples", *map(plain, total[:3]), kind.ratio(total), one.said)
    header = ("sample", "✓ hits", "✗ false alarms", "○ misses", kind.formula, "value")
    rows = (*((*row, "", "") for row in counted), last)
    table = Table(f"Each sample{times}, and all together", header, rows)
    return mean([data(problem), table], [one], None, "sample")


def all_or_nothing(kind: SetRatio, problem: Problem) -> Worked:
    """Show the labels that are wrong in each row, and the 1 or 0 that they make."""
    terms = [t._replace(written=t.said) for t in _terms(kind, _samples(problem), problem)]
    pairs = [zip(t, p, strict=True) for t, p in zip(problem.truth, problem.other, strict=True)]
    wrong = [
        label_set(problem.labels, [a is not None and a != b for a, b in cells]) for cells in pairs
    ]
    rows = zip(problem.samples, wrong, [one.said for one in terms], strict=True)
    table = Table("Each sample", ("sample", "wrong labels", "value"), tuple(rows))
    return over_samples(problem, [data(problem), table], terms)


def per_label(kind: SetRatio, problem: Problem) -> Worked:
    """Take a fraction of each column, then their average; or for micro, of all columns together."""
    weight = problem.weight or [ONE] * len(problem.samples)
    columns = zip(zip(*problem.truth, strict=True), zip(*problem.other, strict=True), strict=True)
    each = [count(zip(t, p, weight, strict=True)) for t, p in columns]
    header = ("label", "✓ TP", "✗ FP", "○ FN", "TN", kind.formula, "value")
    counted = [(name, *map(plain, c)) for name, c in zip(problem.labels, each, strict=True)]
    if problem.settings["average"] == "micro":
        total = Counts(*(sum(kinds, Fraction(0)) for kinds in zip(*each, strict=True)))
        (one,) = _terms(kind, [total], problem)
        last = ("all labels", *map(plain, total), kind.ratio(total), one.said)
        rows = (*((*row, "", "") for row in counted), last)
        table = Table("Each label, and all together", header, rows)
        return mean([data(problem), table], [one], None, "label")
    terms = _terms(kind, each, problem)
    judged = zip(counted, each, terms, strict=True)
    rows = tuple((*row, kind.ratio(counts), one.said) for row, counts, one in judged)
    supports = [counts.tp + counts.fn for counts in each]
    return over_labels(problem, [data(problem), Table("Each label", header, rows)], terms, supports)


def _samples(problem: Problem) -> list[Counts]:
    rows = zip(problem.truth, problem.other, strict=True)
    return [count((t, p, 1) for t, p in zip(*row, strict=True)) for row in rows]


def _terms(kind: SetRatio, each: Iterable[Counts], problem: Problem) -> list[Term]:
    rule = problem.settings.get("zero_division")
    return [worth(kind, counts, rule) for counts in each]
