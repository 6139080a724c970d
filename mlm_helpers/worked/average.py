"""From one value per sample, or per label, to one number: the mean, written as an equation.

A term is such a value, before it is averaged: a number, or a ratio that is not reduced.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from operator import mul
from typing import Any, TypeAlias

from mlm_helpers._core.averages import mean_of
from mlm_helpers.tables import Cell, Equation, Ratio, Sentence, Step, Table, equation
from mlm_helpers.tables.numbers import ONE, Number, format_number
from mlm_helpers.worked.problem import Problem, table_of

Term: TypeAlias = Ratio | Number  # a value to average; a ratio is not reduced
Value: TypeAlias = Number | tuple[Number, ...]
StepsAndValue: TypeAlias = tuple[list[Step], Value]
MetricSteps: TypeAlias = dict[str, Callable[[Problem], StepsAndValue]]


def value_of(term: Term) -> Number:
    """The number of a term; 0/b and b/b are exactly 0 and 1, even if b is a float."""
    numerator, denominator = term if isinstance(term, Ratio) else (term, ONE)
    if numerator in (0, denominator):
        return Fraction(numerator == denominator)
    return numerator / denominator


def format_term(term: Term) -> str:
    """Text of a term's number, with ≈ before a float, which is rounded; nan has none."""
    value = value_of(term)
    is_rounded = isinstance(value, float) and not math.isnan(value)
    return f"≈ {format_number(value)}" if is_rounded else str(value)


def table_of_terms(
    caption: str, columns: Mapping[str, Sequence[Any]], terms: Sequence[Term]
) -> Table:
    """The table of these columns and, last, of the values of the terms."""
    return table_of(caption, {**columns, "value": list(map(format_term, terms))})


def average_steps(
    problem: Problem, steps: list[Step], terms: Sequence[Term], supports: Sequence[Fraction] = ()
) -> StepsAndValue:
    """The steps and the mean of a term per sample, or per label if there are supports.

    Samples are weighted by ``sample_weight``, labels as ``average`` says. Under ``average=None``
    and ``per_sample=True`` nothing is averaged, and the value is a tuple. Terms that are nan are
    left out. If no label that is left has a support, labels weigh the same under "weighted", too.
    """
    average = problem.options.get("average", "samples")  # without this option, it is over samples
    if average is None or problem.options.get("per_sample"):
        return steps, tuple(map(value_of, terms))
    weights: Sequence[Fraction] = [ONE] * len(terms) if supports else problem.weights
    if supports and mean_of(average).weighs_support:
        pairs = zip(supports, terms, strict=True)
        if any(support for support, term in pairs if not math.isnan(value_of(term))):
            steps = [*steps, Sentence("Each label weighs its support, TP + FN.")]
            weights = supports
    return mean_steps(steps, terms, weights)


def mean_steps(
    steps: list[Step], terms: Sequence[Term], weights: Sequence[Fraction]
) -> StepsAndValue:
    """The steps, and the weighted mean of the terms as an equation; nan is left out."""
    pairs = [(w, t) for w, t in zip(weights, terms, strict=True) if not math.isnan(value_of(t))]
    if not any(weight for weight, _ in pairs):
        return [*steps, Sentence("Nothing is left to average: the value is nan.")], math.nan
    defined_weights, defined = zip(*pairs, strict=True)
    # a rounded float has no ≈ here, since the equation has its own
    cells = [t if isinstance(t, Ratio) else format_term(t).removeprefix("≈ ") for t in defined]
    line, value = mean_equation(cells, list(map(value_of, defined)), defined_weights)
    return [*steps, line], value


def mean_equation(
    cells: Sequence[Cell], values: Sequence[Number], weights: Sequence[Fraction]
) -> tuple[Equation, Number]:
    """The mean, after a line that shows it with the values as cells.

    The line is 1/n (a + b + …) = mean or, if weights are not all 1, it is
    (u × a + v × b + …) ÷ (u + v + …) = mean.
    """
    mean = weighted_mean(weights, values)
    is_weighted = set(weights) != {ONE}
    left: list[Cell] = []
    for weight, cell in zip(weights, cells, strict=True):
        factor = (format_number(weight), " × ") if is_weighted else ()
        left += [" + ", *factor, cell]
    left = left[1:]  # without the first +
    if is_weighted:
        left = ["(", *left, ")", " ÷ ", f"({' + '.join(map(format_number, weights))})"]
    elif len(cells) > 1:
        left = [Ratio(1, len(cells)), "(", *left, ")"]
    return equation(left, mean), mean


def weighted_mean(weights: Sequence[Fraction], values: Iterable[Any]) -> Any:
    """The sum of the values times their weights ÷ the sum of the weights."""
    return weighted_sum(weights, values) / sum(weights)


def weighted_sum(weights: Iterable[Fraction], values: Iterable[Any]) -> Any:
    """The sum of the values times their weights."""
    return sum(map(mul, weights, values), Fraction(0))
