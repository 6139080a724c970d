"""From one value per sample, or per label, to one number: the mean as it is written down."""

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from mlm_helpers.board import Cell, Ratio, Sentence, Step, equation
from mlm_helpers.board.numbers import Number, decimal, plain
from mlm_helpers.worked.problem import Problem

Value: TypeAlias = Number | tuple[Number, ...]
Worked: TypeAlias = tuple[list[Step], Value]
ONE = Fraction(1)


class Term(NamedTuple):
    """A value to average: as the sum writes it, the number, and as a table says it."""

    written: Cell
    value: Number
    said: Cell


NOTHING_KNOWN = Term("nan", math.nan, "left out, nothing is known")


def term(value: Number, written: Cell = "") -> Term:
    """A value that exists, written as it is where nothing else is given."""
    said = f"≈ {decimal(value)}" if isinstance(value, float) else str(value)
    return Term(written or plain(value), value, said)


def exact(value: Any) -> Fraction:
    """Read a number as it is written: 0.1 is 1/10."""
    return Fraction(str(float(value)))


def is_nan(value: Value) -> bool:
    """Tell what has no value."""
    return isinstance(value, float) and math.isnan(value)


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
    kept = [s for s, term in zip(supports, terms, strict=True) if not is_nan(term.value)]
    if average == "macro" or not kept:
        return mean(steps, terms, None, "label")
    said = "No label that is left has a relevant sample: all weigh the same."
    if any(kept):
        said = "Each label weighs its support, TP + FN."
    return mean([*steps, Sentence(said)], terms, supports if any(kept) else None, "label")


def mean(
    steps: list[Step], terms: Sequence[Term], weights: Sequence[Fraction] | None, what: str
) -> Worked:
    """Write the mean of the terms that are not left out as a sum."""
    pairs = zip(weights or [ONE] * len(terms), terms, strict=True)
    kept = [(weight, term) for weight, term in pairs if not is_nan(term.value)]
    total = sum(weight for weight, _ in kept)
    if not total:
        missing = "weight" if kept else what
        return [*steps, Sentence(f"No {missing} is left to average: the value is nan.")], math.nan
    value = sum((weight * term.value for weight, term in kept), Fraction(0)) / total
    left = _weighted_sum(kept) if weights else mean_of([term.written for _, term in kept])
    return [*steps, equation(left, value)], value


def pooled(
    steps: list[Step], ratios: Sequence[Ratio], weights: Sequence[Fraction] | None
) -> Worked:
    """Add up what stands above the lines and what stands below them; then divide."""
    factors = [f"{plain(weight)} × " for weight in weights] if weights else [""] * len(ratios)
    sums, written = [], []
    for side in zip(*ratios, strict=True):
        sums.append(weighed(weights or [ONE] * len(ratios), side))
        terms = [f + plain(number) for f, number in zip(factors, side, strict=True)]
        written.append(" + ".join(terms))
    above, below = sums
    if not below:
        return [*steps, Sentence("The sum below is 0: the value is nan.")], math.nan
    value = above / below
    return [*steps, equation(("(", written[0], ") ÷ (", written[1], ")"), value)], value


def weighed(weights: Iterable[Fraction], values: Iterable[Any]) -> Any:
    """The sum of the values times their weights."""
    return sum((weight * value for weight, value in zip(weights, values, strict=True)), Fraction(0))


def mean_of(cells: Sequence[Cell]) -> tuple[Cell, ...]:
    """Write 1/n (a + b + …); a single cell stands alone."""
    if len(cells) == 1:
        return (cells[0],)
    joined = [part for cell in cells for part in (" + ", cell)][1:]
    return (Ratio(ONE, Fraction(len(cells))), "(", *joined, ")")


def _weighted_sum(kept: Sequence[tuple[Fraction, Term]]) -> tuple[Cell, ...]:
    """(u × a + v × b + …) ÷ (u + v + …)."""
    joined = [p for weight, term in kept for p in (" + ", plain(weight), " × ", term.written)][1:]
    return ("(", *joined, ")", " ÷ ", "(", " + ".join(plain(weight) for weight, _ in kept), ")")
