"""Set metrics by hand: count hits, false alarms and misses, and make a fraction of the counts."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any, NamedTuple

from mlm_helpers import inputs
from mlm_helpers.board import Cell, Ratio, Step, Table
from mlm_helpers.board.numbers import plain
from mlm_helpers.worked.average import (
    Number,
    Worked,
    exact,
    mean,
    over_labels,
    over_samples,
)
from mlm_helpers.worked.problem import Problem, columns, data, label_set

ONE = Fraction(1)


class Counts(NamedTuple):
    """✓ hits, ✗ false alarms, ○ misses, and what is rightly left out."""

    tp: Fraction
    fp: Fraction
    fn: Fraction
    tn: Fraction


def count(cells: Iterable[tuple[Any, Any, Any]]) -> Counts:
    """Count (truth, prediction, weight) cells, each as often as its weight says.

    Examples
    --------
    >>> print(*count([(1, 1, 1), (1, 0, 2), (0, 0, 1)]))
    1 0 2 1
    """
    found = {outcome: Fraction(0) for outcome in ((1, 1), (0, 1), (1, 0), (0, 0))}
    for truth, prediction, weight in cells:
        found[truth, prediction] += weight
    return Counts(*found.values())


# ---------------------------------------------------------------------------- the fractions


class SetRatio(NamedTuple):
    """A fraction of four counts as it is written down, and its formula in symbols.

    Examples
    --------
    >>> PRECISION.formula, PRECISION.ratio(count([(1, 1, 1), (0, 1, 1)]))
    ('✓ / (✓ + ✗)', Ratio(above=Fraction(1, 1), below=Fraction(2, 1)))
    """

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
HAMMING = SetRatio(lambda c: Ratio(c.fp + c.fn, sum(c, Fraction(0))), "(✗ + ○) / labels")
ALL_RIGHT = SetRatio(lambda c: Ratio(Fraction(c.fp + c.fn == 0), ONE), "1 if ✗ + ○ = 0")
ANY_WRONG = SetRatio(lambda c: Ratio(Fraction(c.fp + c.fn != 0), ONE), "1 if ✗ + ○ > 0")


class Judged(NamedTuple):
    """A fraction of counts, what it is worth, and why."""

    ratio: Ratio
    value: Number
    why: str

    @property
    def term(self) -> Cell:
        """The fraction as written, or the number that a rule put in the place of 0/0."""
        return self.ratio if self.ratio.below else str(self.value)


def judge(kind: SetRatio, counts: Counts, zero_division: Any = 0.0) -> Judged:
    """Say what the fraction is worth, by the rule of ``zero_division`` where it is 0/0.

    Examples
    --------
    >>> judge(PRECISION, count([(1, 0, 1)]), "agree").why
    "0, by zero_division='agree': only one is empty"
    """
    ratio = kind.ratio(counts)
    if ratio.below:
        value = ratio.above / ratio.below
        return Judged(ratio, value, str(value))
    rule = f"by zero_division={inputs.shown(zero_division)}"
    if zero_division == "agree":
        both = counts.tp + counts.fp + counts.fn == 0
        which = "both are empty" if both else "only one is empty"
        return Judged(ratio, Fraction(both), f"{int(both)}, {rule}: {which}")
    if math.isnan(zero_division):
        return Judged(ratio, math.nan, f"left out, {rule}")
    return Judged(ratio, Fraction(int(zero_division)), f"{int(zero_division)}, {rule}")


# ---------------------------------------------------------------------------- the steps


def per_sample(kind: SetRatio, problem: Problem) -> Worked:
    """Take a fraction of each row, then their mean."""
    each = _samples(problem)
    judged = _judge_all(kind, each, problem)
    rows: list[tuple[Cell, ...]] = [
        (sample, *map(plain, counts[:3]), found.ratio, found.why)
        for sample, counts, found in zip(problem.samples, each, judged, strict=True)
    ]
    header = ("sample", "✓ hits", "✗ false alarms", "○ misses", kind.formula, "value")
    steps: list[Step] = [data(problem), Table("Each sample", header, tuple(rows))]
    return over_samples(problem, steps, [f.term for f in judged], [f.value for f in judged])


def all_or_nothing(kind: SetRatio, problem: Problem) -> Worked:
    """Show the labels that are wrong in each row, and the 1 or 0 that they make."""
    values = [kind.ratio(counts).above for counts in _samples(problem)]
    rows = []
    for sample, t, p, value in zip(
        problem.samples, problem.truth, problem.other, values, strict=True
    ):
        wrong = [a != b for a, b in zip(t, p, strict=True)]
        rows.append((sample, label_set(problem.labels, wrong), str(value)))
    table = Table("Each sample", ("sample", "wrong labels", "value"), tuple(rows))
    return over_samples(problem, [data(problem), table], list(map(str, values)), values)


def per_label(kind: SetRatio, problem: Problem) -> Worked:
    """Take a fraction of each column, then their average; or for micro, of all columns together."""
    weight = problem.weight or [ONE] * len(problem.samples)
    each = [count(zip(t, p, weight, strict=True)) for t, p in columns(problem)]
    counted = [(name, *map(plain, c)) for name, c in zip(problem.labels, each, strict=True)]
    header = ("label", "✓ TP", "✗ FP", "○ FN", "TN", kind.formula, "value")
    steps: list[Step] = [data(problem)]
    rows: list[tuple[Cell, ...]]
    if problem.settings["average"] == "micro":
        total = Counts(*(sum(one, Fraction(0)) for one in zip(*each, strict=True)))
        (found,) = _judge_all(kind, [total], problem)
        rows = [(*row, "", "") for row in counted]
        rows.append(("all labels", *map(plain, total), found.ratio, found.why))
        steps.append(Table("Each label, and all together", header, tuple(rows)))
        return mean(steps, [found.term], [found.value], None, "label")
    judged = _judge_all(kind, each, problem)
    rows = [(*row, f.ratio, f.why) for row, f in zip(counted, judged, strict=True)]
    steps.append(Table("Each label", header, tuple(rows)))
    written, values = [f.term for f in judged], [f.value for f in judged]
    return over_labels(problem, steps, written, values, [c.tp + c.fn for c in each])


def _samples(problem: Problem) -> list[Counts]:
    ones = [ONE] * len(problem.labels)
    return [
        count(zip(t, p, ones, strict=True))
        for t, p in zip(problem.truth, problem.other, strict=True)
    ]


def _judge_all(kind: SetRatio, each: Iterable[Counts], problem: Problem) -> list[Judged]:
    rule = problem.settings.get("zero_division", 0.0)
    return [judge(kind, counts, rule) for counts in each]
