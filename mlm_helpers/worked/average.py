"""From one value per sample, or per label, to one number: the mean as it is written down."""

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from mlm_helpers._core import inputs
from mlm_helpers.board import Cell, Equation, Ratio, Sentence, Step, equation
from mlm_helpers.board.numbers import Number, decimal, plain
from mlm_helpers.worked.problem import ONE, Problem, exact

Value: TypeAlias = Number | tuple[Number, ...]
Worked: TypeAlias = tuple[list[Step], Value]


class Term(NamedTuple):
    """A value to average: as the sum writes it, the number, and as a table writes it."""

    written: Cell
    value: Number
    shown: str


NOTHING_KNOWN = Term("nan", math.nan, "nothing is known")


def term(number: Ratio | Number) -> Term:
    """The term of a number, or of a ratio as it is written down."""
    if isinstance(number, Ratio):
        value = term(number.above and number.above / number.below)
        return value._replace(written=number)
    if isinstance(number, float):
        return Term(plain(number), number, f"≈ {decimal(number)}")
    return Term(str(number), number, str(number))


def by_rule(option: str, setting: Any, is_right: bool = False) -> Term:
    """The term that an option gives where there is no value; nan is left out of the mean."""
    value = is_right if setting == "agree" else setting
    number = math.nan if math.isnan(value) else exact(value)
    return Term(str(number), number, f"{plain(number)}, by {option}={inputs.shown(setting)}")


def over_samples(problem: Problem, steps: list[Step], terms: Sequence[Term]) -> Worked:
    """Average the values of the samples, weighted; or leave each, if the metric is asked to."""
    if problem.settings.get("per_sample"):
        return steps, tuple(term.value for term in terms)
    return mean(steps, terms, problem.weight)


def over_labels(
    problem: Problem, steps: list[Step], terms: Sequence[Term], supports: Sequence[Fraction]
) -> Worked:
    """Average the values of the labels, "weighted" by their relevant samples; or leave each, if asked to."""
    average = problem.settings["average"]
    if average is None:
        return steps, tuple(term.value for term in terms)
    if average == "weighted":
        each = zip(supports, terms, strict=True)
        if any(support for support, term in each if not math.isnan(term.value)):
            steps = [*steps, Sentence("Each label weighs its support, TP + FN.")]
            return mean(steps, terms, supports)
    return mean(steps, terms, [ONE] * len(terms))


def mean(steps: list[Step], terms: Sequence[Term], weights: Sequence[Fraction]) -> Worked:
    """Write the mean of the terms that are not left out as a sum."""
    each = zip(weights, terms, strict=True)
    kept = [(w, term.written, term.value) for w, term in each if not math.isnan(term.value)]
    if not any(weight for weight, *_ in kept):
        return [*steps, Sentence("Nothing is left to average: the value is nan.")], math.nan
    left, cells, values = zip(*kept, strict=True)
    line, value = mean_line(cells, values, left)
    return [*steps, line], value


def mean_line(
    cells: Sequence[Cell], values: Sequence[Number], weights: Sequence[Fraction]
) -> tuple[Equation, Number]:
    """The line 1/n (a + b + …) = mean, or (u × a + v × b + …) ÷ (u + v + …) = weighted mean."""
    value = weighed(weights, values) / sum(weights)
    left: tuple[Cell, ...] = (cells[0],)
    if set(weights) != {ONE}:
        products = _sum((plain(w), " × ", cell) for w, cell in zip(weights, cells, strict=True))
        left = ("(", *products, ")", " ÷ ", f"({' + '.join(map(plain, weights))})")
    elif len(cells) > 1:
        left = (Ratio(ONE, Fraction(len(cells))), "(", *_sum((cell,) for cell in cells), ")")
    return equation(left, value), value


def _sum(addends: Iterable[tuple[Cell, ...]]) -> list[Cell]:
    """Addends with plus signs between them."""
    return [part for addend in addends for part in (" + ", *addend)][1:]


def weighed(weights: Iterable[Fraction], values: Iterable[Any]) -> Any:
    """The sum of the values times their weights."""
    return sum((weight * value for weight, value in zip(weights, values, strict=True)), Fraction(0))
