"""From one value per sample, or per label, to one number: the mean as it is written down."""

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from mlm_helpers.tables import Cell, Equation, Ratio, Sentence, Step, equation
from mlm_helpers.tables.numbers import Number, format_number
from mlm_helpers.worked.problem import ONE, Problem

Term: TypeAlias = Ratio | Number
"""A value to average, as a ratio where it is written as one."""
Value: TypeAlias = Number | tuple[Number, ...]
StepsAndValue: TypeAlias = tuple[list[Step], Value]


def value_of(term: Term) -> Number:
    """The number of a term; exact where it is 0 or 1, whatever the logarithms are."""
    above, below = term if isinstance(term, Ratio) else (term, ONE)
    return Fraction(above == below) if above in (0, below) else above / below


def format_term(term: Term) -> str:
    """The number of a term as a table writes it."""
    value = value_of(term)
    is_rounded = isinstance(value, float) and not math.isnan(value)
    return f"≈ {format_number(value)}" if is_rounded else str(value)


def average_steps(
    problem: Problem, steps: list[Step], terms: Sequence[Term], supports: Sequence[Fraction] = ()
) -> StepsAndValue:
    """Average the values of samples by their weights, those of labels as asked; or leave each alone."""
    average = problem.options.get("average", "samples")
    if average is None or problem.options.get("per_sample"):
        return steps, tuple(map(value_of, terms))
    if not supports:
        return mean_steps(steps, terms, problem.weight)
    each = zip(supports, terms, strict=True)
    if average == "weighted" and any(s for s, term in each if not math.isnan(value_of(term))):
        return mean_steps(
            [*steps, Sentence("Each label weighs its support, TP + FN.")], terms, supports
        )
    return mean_steps(steps, terms, [ONE] * len(terms))


def mean_steps(
    steps: list[Step], terms: Sequence[Term], weights: Sequence[Fraction]
) -> StepsAndValue:
    """Write the mean of the terms that are not left out as a sum."""
    each = zip(weights, terms, map(value_of, terms), strict=True)
    kept = [(weight, term, value) for weight, term, value in each if not math.isnan(value)]
    if not any(weight for weight, *_ in kept):
        return [*steps, Sentence("Nothing is left to average: the value is nan.")], math.nan
    left, each_term, values = zip(*kept, strict=True)
    cells = [t if isinstance(t, Ratio) else format_term(t).removeprefix("≈ ") for t in each_term]
    line, value = mean_equation(cells, values, left)
    return [*steps, line], value


def mean_equation(
    cells: Sequence[Cell], values: Sequence[Number], weights: Sequence[Fraction]
) -> tuple[Equation, Number]:
    """The line 1/n (a + b + …) = mean, or (u × a + v × b + …) ÷ (u + v + …) = weighted mean."""
    value = weighted_sum(weights, values) / sum(weights)
    factors = [
        () if set(weights) == {ONE} else (format_number(weight), " × ") for weight in weights
    ]
    each = zip(factors, cells, strict=True)
    left = [part for factor, cell in each for part in (" + ", *factor, cell)][1:]
    if any(factors):
        left = ["(", *left, ")", " ÷ ", f"({' + '.join(map(format_number, weights))})"]
    elif len(cells) > 1:
        left = [Ratio(ONE, Fraction(len(cells))), "(", *left, ")"]
    return equation(tuple(left), value), value


def weighted_sum(weights: Iterable[Fraction], values: Iterable[Any]) -> Any:
    """The sum of the values times their weights."""
    return sum((weight * value for weight, value in zip(weights, values, strict=True)), Fraction(0))
