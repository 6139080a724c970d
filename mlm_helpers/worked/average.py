"""From one value per sample, or per label, to one number: the mean as it is written down."""

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from mlm_helpers.board import Cell, Equation, Ratio, Sentence, Step, equation
from mlm_helpers.board.numbers import Number, plain
from mlm_helpers.worked.problem import Problem

Value: TypeAlias = Number | tuple[Number, ...]
Worked: TypeAlias = tuple[list[Step], Value]
Weights: TypeAlias = Sequence[Fraction] | None
ONE = Fraction(1)


class Term(NamedTuple):
    """A value to average: as the sum writes it, the number, and as a table writes it."""

    written: Cell
    value: Number
    shown: Cell


NOTHING_KNOWN = Term("nan", math.nan, "left out, nothing is known")


def by_rule(value: Any, rule: str) -> Term:
    """The term that an option gives where there is no value; nan leaves it out."""
    if math.isnan(value):
        return Term("nan", math.nan, f"left out, by {rule}")
    number = exact(value)
    return Term(str(number), number, f"{plain(number)}, by {rule}")


def exact(value: Any) -> Fraction:
    """Read a number as it is written: 0.1 is 1/10."""
    return Fraction(str(float(value)))


def over_samples(problem: Problem, steps: list[Step], terms: Sequence[Term]) -> Worked:
    """Average the values of the samples, weighted; or leave each, if the metric is asked to."""
    if problem.settings.get("per_sample"):
        return steps, tuple(term.value for term in terms)
    return mean(steps, terms, problem.weight, "sample")


def over_labels(
    problem: Problem, steps: list[Step], terms: Sequence[Term], supports: Sequence[Fraction]
) -> Worked:
    """Average the values of the labels: "macro", "weighted" by their relevant samples, or None."""
    average = problem.settings["average"]
    if average is None:
        return steps, tuple(term.value for term in terms)
    kept = [s for s, term in zip(supports, terms, strict=True) if not math.isnan(term.value)]
    if average == "macro" or not kept:
        return mean(steps, terms, None, "label")
    how = "Each label weighs its support, TP + FN."
    if not any(kept):
        how = "No label that is left has a relevant sample: all weigh the same."
    return mean([*steps, Sentence(how)], terms, supports if any(kept) else None, "label")


def mean(steps: list[Step], terms: Sequence[Term], weights: Weights, what: str) -> Worked:
    """Write the mean of the terms that are not left out as a sum."""
    pairs = zip(weights or [ONE] * len(terms), terms, strict=True)
    kept = [(weight, term) for weight, term in pairs if not math.isnan(term.value)]
    if not any(weight for weight, _ in kept):
        missing = "weight" if kept else what
        return [*steps, Sentence(f"No {missing} is left to average: the value is nan.")], math.nan
    left = [weight for weight, _ in kept] if weights else None
    line, value = mean_line([t.written for _, t in kept], [t.value for _, t in kept], left)
    return [*steps, line], value


def mean_line(
    cells: Sequence[Cell], values: Sequence[Number], weights: Weights
) -> tuple[Equation, Number]:
    """The line 1/n (a + b + …) = mean, or (u × a + v × b + …) ÷ (u + v + …) = weighted mean."""
    if not weights:
        value = weighed([ONE] * len(values), values) / len(values)
        if len(cells) == 1:
            return equation((cells[0],), value), value
        factor = Ratio(ONE, Fraction(len(cells)))
        return equation((factor, "(", *_sum((cell,) for cell in cells), ")"), value), value
    total = " + ".join(map(plain, weights))
    products = _sum((plain(w), " × ", cell) for w, cell in zip(weights, cells, strict=True))
    value = weighed(weights, values) / sum(weights)
    return equation(("(", *products, ")", " ÷ ", f"({total})"), value), value


def _sum(addends: Iterable[tuple[Cell, ...]]) -> list[Cell]:
    """Addends with plus signs between them."""
    return [part for addend in addends for part in (" + ", *addend)][1:]


def weighed(weights: Iterable[Fraction], values: Iterable[Any]) -> Any:
    """The sum of the values times their weights."""
    return sum((weight * value for weight, value in zip(weights, values, strict=True)), Fraction(0))
