"""Worked solutions: any metric of the catalogue on data small enough to follow, step by step.

This is the second road to every number. It is plain Python with `fractions.Fraction`, reads its
input through the same gate as the metric functions, and shares nothing else with them: it calls no
metric and imports no NumPy. Which steps belong to a metric is said in `STEPS`.
"""

from mlm_helpers.board import Board, Equation, Ratio, Sentence, Table
from mlm_helpers.worked.exercises import Exercise, exercise
from mlm_helpers.worked.problem import LARGEST, Problem
from mlm_helpers.worked.solution import STEPS, Solution, solve

__all__ = [
    "LARGEST", "STEPS", "Board", "Equation", "Exercise", "Problem", "Ratio", "Sentence",
    "Solution", "Table", "exercise", "solve",
]  # fmt: skip
