"""From one value per sample, or per label, to one number: the mean as it is written down."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from mlm_helpers.board import Cell, Ratio, Sentence, Step, equation
from mlm_helpers.board.numbers import plain
from mlm_helpers.worked.problem import Problem

Number: TypeAlias = Fraction | float
"""The float is nan: left out, or no value."""

Value: TypeAlias = Number | tuple[Number, ...]
Worked: TypeAlias = tuple[list[Step], Value]


def exact(value: Any) -> Fraction:
    """Read a number as it is written: 0.1 is 1/10."""
    return Fraction(str(float(value)))


def is_nan(value: Value) -> bool:
    """Tell what is no Fraction."""
    return isinstance(value, float)


def over_samples(
    problem: Problem, steps: list[Step], written: Sequence[Cell], values: Sequence[Number]
) -> Worked:
    """Average the values of the samples, weighted; or leave each, if the metric is asked to."""
    if problem.settings.get("per_sample"):
        return steps, tuple(values)
    return mean(steps, written, values, problem.weight, "sample")


def over_labels(
    problem: Problem,
    steps: list[Step],
    written: Sequence[Cell],
    values: Sequence[Number],
    supports: Sequence[Fraction],
) -> Worked:
    """Average the values of the labels: "macro", "weighted" by their relevant samples, or None."""
    average = problem.settings["average"]
    if average is None:
        return steps, tuple(values)
    kept = [s for s, v in zip(supports, values, strict=True) if not is_nan(v)]
    if average == "macro" or not kept:
        return mean(steps, written, values, None, "label")
    if any(kept):
        said = "Each label weighs as much as it has relevant samples, TP + FN."
        return mean([*steps, Sentence(said)], written, values, supports, "label")
    said = "No label that is left has a relevant sample: all weigh the same."
    return mean([*steps, Sentence(said)], written, values, None, "label")


def mean(
    steps: Sequence[Step],
    written: Sequence[Cell],
    values: Sequence[Number],
    weights: Sequence[Fraction] | None,
    what: str,
) -> tuple[list[Step], Number]:
    """Write the mean of the values that are not left out as a sum."""
    kept = [i for i, value in enumerate(values) if not is_nan(value)]
    weight = [weights[i] if weights else Fraction(1) for i in kept]
    if not sum(weight):
        missing = "weight" if kept else what
        return [*steps, Sentence(f"No {missing} is left to average: the value is nan.")], math.nan
    total = sum(w * Fraction(values[i]) for w, i in zip(weight, kept, strict=True))
    terms = [written[i] for i in kept]
    left = _weighted_sum(terms, weight) if weights else mean_of(terms)
    value = Fraction(total) / sum(weight)
    return [*steps, equation(left, value)], value


def mean_of(terms: Sequence[Cell]) -> tuple[Cell, ...]:
    """Write 1/n (a + b + …); a single term stands alone."""
    if len(terms) == 1:
        return (terms[0],)
    joined = [part for term in terms for part in (" + ", term)][1:]
    return (Ratio(Fraction(1), Fraction(len(terms))), "(", *joined, ")")


def _weighted_sum(terms: Sequence[Cell], weights: Sequence[Fraction]) -> tuple[Cell, ...]:
    """(u × a + v × b + …) ÷ (u + v + …)."""
    pairs = zip(map(plain, weights), terms, strict=True)
    joined = [part for weight, term in pairs for part in (" + ", weight, " × ", term)][1:]
    return ("(", *joined, ")", " ÷ ", "(", " + ".join(map(plain, weights)), ")")
