"""Solutions: a metric's value, computed by hand and shown step by step."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from mlm_helpers._core.inputs.data import LabelMatrix, ScoreMatrix
from mlm_helpers._core.inputs.refuse import short_repr
from mlm_helpers.tables import Display
from mlm_helpers.worked import column_steps as columns
from mlm_helpers.worked import rank_steps as ranks
from mlm_helpers.worked import set_steps as sets
from mlm_helpers.worked.average import Value
from mlm_helpers.worked.problem import Problem, read_problem

STEPS = sets.STEPS | ranks.STEPS | columns.STEPS
"""The steps of each metric, by the id of its record, from the modules whose names end in _steps."""


@dataclass(frozen=True, repr=False)
class Solution(Display):
    """A metric's value and the steps to it, under a title with the metric and its options.

    Attributes
    ----------
    value : Fraction, or nan if undefined; a tuple of them for one value per label or sample
        A float if it has a logarithm, as most values of nDCG, or a root that is not rational.
    """

    value: Value

    def __float__(self) -> float:
        """The value as a float; a TypeError is raised for a tuple of values."""
        return float(self.value)  # type: ignore[arg-type]


def solve(
    metric: Callable[..., Any],
    y_true: LabelMatrix,
    y_pred_or_score: LabelMatrix | ScoreMatrix,
    *,
    labels: Sequence[str] | None = None,
    samples: Sequence[str] | None = None,
    **options: Any,
) -> Solution:
    r"""A metric's value computed by hand, with all steps.

    Parameters
    ----------
    metric : public metric function, or a ``functools.partial`` of one
    y_true : matrix of 0 and 1, shape (n_samples, n_labels), at most 50 of each
        Masked cells are unknown and left out: tables show them as ?.
    y_pred_or_score : matrix of the same shape
        Predictions (0 and 1), or scores for a ranking metric.
    labels, samples : names, optional
        By default those of a DataFrame, else numbers from 1.
    **options
        The metric's keyword arguments. Weights and beta are exact: 0.1 is 1/10.

    Raises
    ------
    TypeError, ValueError
        For input that the metric itself refuses, more than 50 samples or labels, an option that
        the metric does not take, or a wrong number of names.

    Examples
    --------
    >>> from mlm_helpers import example_based
    >>> y_true = [[0, 1, 0, 1], [0, 1, 1, 0], [1, 0, 1, 1]]
    >>> y_pred = [[0, 1, 1, 0], [0, 1, 1, 0], [0, 1, 0, 1]]
    >>> solve(example_based.precision, y_true, y_pred).value
    Fraction(2, 3)
    >>> print(solve(example_based.precision, y_true, y_pred).to_text().splitlines()[-1])
    ⅓(½ + 2/2 + ½) = 2/3 ≈ 0.667
    """
    problem = read_problem(metric, y_true, y_pred_or_score, labels, samples, options)
    steps, value = STEPS[problem.record.id](problem)
    return Solution(_title(problem), tuple(steps), value)


def _title(problem: Problem) -> str:
    """The metric's name and id, its average, and other options that differ from their default."""
    parts = [f"{problem.record.name}: {problem.record.id}"]
    for option, value in problem.options.items():
        text = short_repr(value)
        if option == "average" or text != short_repr(problem.record.defaults[option]):
            parts.append(f"{option}={text}")
    return ", ".join(parts)
