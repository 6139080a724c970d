"""What students may answer: the numbers that usual mistakes make of the data on a slide."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from mlm_course.practice.confusions import confusions
from mlm_helpers import catalogue
from mlm_helpers.board.numbers import decimal, with_decimal
from tools.needed import needed

MOST = 3  # mistakes that are told, and as many other metrics


def answers(call: str, code: Sequence[str]) -> str:
    """The teacher's paragraph on a call such as ``label_based.f1(y_true, y_pred)``: its value, and other answers.

    `code` are the cells above, of which only what makes the arguments is run.
    """
    names: dict[str, Any] = {}
    exec(f"from mlm_helpers import {call.partition('.')[0]}\n{needed(code, call)}", names)
    parsed = ast.parse(call, mode="eval").body
    assert isinstance(parsed, ast.Call)
    function, *matrices = (eval(ast.unparse(one), names) for one in (parsed.func, *parsed.args))
    metric = partial(
        function, **{str(one.arg): ast.literal_eval(one.value) for one in parsed.keywords}
    )
    pair = (np.array(matrices[0]), np.array(matrices[1]))
    right = float(metric(*pair))
    mistakes: dict[float, str] = {}
    metrics: dict[float, str] = {}
    for one in filter(lambda one: one.is_usual, confusions(metric, [pair])):
        for _, number in one.numbers(*pair):
            if abs(number - right) > 1e-9:
                told, verb = (metrics, "is") if one.instead else (mistakes, "if")
                told.setdefault(number, f"{shown(number)} {verb} {one.says}")
    lines = [*list(mistakes.values())[-MOST:], *list(metrics.values())[:MOST]]
    return f"{catalogue.describe(metric)} is {shown(right)}. Other answers: {'; '.join(lines)}."


def shown(number: float) -> str:
    """A number as a fraction, if it is one of small numbers."""
    fraction = Fraction(number).limit_denominator(1000)
    return with_decimal(fraction) if abs(fraction - number) < 1e-9 else decimal(number, 3)
