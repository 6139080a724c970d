"""Worked solutions: any metric of the catalogue on data small enough to follow, step by step.

The steps compute every value a second time, in plain Python with `fractions.Fraction`. They check
their input as the metric functions do, and share nothing else with them: they call no metric and
import no NumPy. `STEPS` has the steps of each metric.
"""

from mlm_helpers.worked.exercises import Exercise, exercise
from mlm_helpers.worked.solution import STEPS, Solution, solve

__all__ = ["STEPS", "Exercise", "Solution", "exercise", "solve"]
