"""What students may answer: the numbers that usual mistakes make of the data on a slide."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from mlm_helpers import catalogue
from mlm_helpers.board.numbers import decimal, with_decimal
from mlm_helpers.course.practice.confusions import confusions

MOST = 3  # mistakes that are told, and as many other metrics


def answers(asked: Mapping[str, Any], data: Mapping[str, Any]) -> str:
    """A paragraph for the teacher: the right number, other numbers, and how one comes to each."""
    options = {name: value for name, value in asked.items() if name != "metric"}
    of_name = {one.id: one.function for one in catalogue.METRICS}
    metric = partial(of_name[asked["metric"]], **options)
    pair = (np.array(data["y_true"]), np.array(data.get("y_pred") or data["y_score"]))
    right = float(metric(*pair))
    mistakes: dict[float, str] = {}
    metrics: dict[float, str] = {}
    for one in filter(lambda one: one.is_usual, confusions(metric, [pair])):
        for _, number in one.numbers(*pair):
            if abs(number - right) > 1e-9:
                told = metrics if one.instead else mistakes
                told.setdefault(
                    number, f"{shown(number)} {'is' if one.instead else 'if'} {one.says}"
                )
    lines = [*list(mistakes.values())[-MOST:], *list(metrics.values())[:MOST]]
    return f"{catalogue.describe(metric)} is {shown(right)}. Other answers: {'; '.join(lines)}."


def shown(number: float) -> str:
    """As a fraction, if it is one of small numbers."""
    fraction = Fraction(number).limit_denominator(1000)
    return with_decimal(fraction) if abs(fraction - number) < 1e-9 else decimal(number, 3)
