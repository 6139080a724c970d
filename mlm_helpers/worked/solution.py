"""Solutions: a metric's value, computed by hand and shown step by step."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from mlm_helpers._core import inputs
from mlm_helpers.tables import Display
from mlm_helpers.worked import column_steps as columns
from mlm_helpers.worked import rank_steps as ranks
from mlm_helpers.worked import set_steps as sets
from mlm_helpers.worked.average import Value, Worked
from mlm_helpers.worked.problem import Problem, read

STEPS: dict[str, Callable[[Problem], Worked]] = {
    "exact_match.subset_accuracy": partial(sets.all_or_nothing, sets.ALL_RIGHT),
    "exact_match.zero_one_loss": partial(sets.all_or_nothing, sets.ANY_WRONG),
    "example_based.accuracy": partial(sets.per_sample, sets.JACCARD),
    "example_based.precision": partial(sets.per_sample, sets.PRECISION),
    "example_based.recall": partial(sets.per_sample, sets.RECALL),
    "example_based.f1": partial(sets.per_sample, sets.F1),
    "example_based.fbeta": lambda p: sets.per_sample(sets.fbeta(p.settings["beta"]), p),
    "hamming.hamming_loss": partial(sets.of_cells, sets.HAMMING),
    "label_based.precision": partial(sets.per_label, sets.PRECISION),
    "label_based.recall": partial(sets.per_label, sets.RECALL),
    "label_based.f1": partial(sets.per_label, sets.F1),
    "label_based.fbeta": lambda p: sets.per_label(sets.fbeta(p.settings["beta"]), p),
    "label_based.jaccard": partial(sets.per_label, sets.JACCARD),
    "label_based.accuracy": partial(sets.per_label, sets.ACCURACY),
    "label_based.cost": sets.cost,
    "label_based.specificity": partial(sets.per_label, sets.SPECIFICITY),
    "label_based.negative_predictive_value": partial(sets.per_label, sets.NEGATIVE_VALUE),
    "label_based.balanced_accuracy": partial(sets.per_label, sets.BALANCED),
    "label_based.matthews_correlation": partial(sets.per_label, sets.MATTHEWS),
    "label_based.kappa": partial(sets.per_label, sets.KAPPA),
    "ranking.coverage": partial(ranks.per_sample, ranks.read_coverage),
    "ranking.one_error": partial(ranks.per_sample, ranks.read_one_error),
    "ranking.ranking_loss": partial(ranks.per_sample, ranks.read_pairs),
    "ranking.average_precision": partial(ranks.per_sample, ranks.read_average_precision),
    "curves.average_precision": partial(columns.per_label, ranks.read_average_precision),
    "curves.roc_auc": partial(columns.per_label, partial(ranks.read_pairs, is_won=True)),
    "top_k.precision": partial(ranks.per_sample, partial(ranks.read_share, lambda k, _: k)),
    "top_k.recall": partial(ranks.per_sample, partial(ranks.read_share, lambda _, n: n)),
    "top_k.r_precision": partial(ranks.per_sample, partial(ranks.read_share, lambda _, n: n)),
    "top_k.rp": partial(ranks.per_sample, partial(ranks.read_share, min)),
    "top_k.ndcg": partial(ranks.per_sample, ranks.read_ndcg),
    "top_k.propensity_scored_precision": partial(ranks.pooled, ranks.read_worth),
    "top_k.propensity_scored_ndcg": partial(ranks.pooled, partial(ranks.read_worth, by_place=True)),
    "hierarchy.precision": partial(sets.closed, sets.PRECISION),
    "hierarchy.recall": partial(sets.closed, sets.RECALL),
    "hierarchy.f1": partial(sets.closed, sets.F1),
    "probability.log_loss": partial(columns.per_label, columns.read_log_loss),
    "probability.brier": partial(columns.per_label, columns.read_brier),
    "probability.calibration_error": partial(columns.per_label, columns.read_calibration_error),
}
"""For each metric, by the id of its record, what makes steps and value of a `Problem`."""


@dataclass(frozen=True, repr=False)
class Solution(Display):
    """A metric's value and the steps to it, under a title with the metric and its options.

    Attributes
    ----------
    value : Fraction, or nan where there is none; a tuple of them for one value per label or sample
        A float where logarithms do not cancel, as in most values of nDCG, or where there is a root.
    """

    value: Value

    def __float__(self) -> float:
        """Return the value as a float; several values have none, and raise a TypeError."""
        value: Any = self.value
        return float(value)


def solve(
    metric: Callable[..., Any],
    y_true: Any,
    y_pred_or_score: Any,
    *,
    labels: Sequence[str] | None = None,
    samples: Sequence[str] | None = None,
    **options: Any,
) -> Solution:
    r"""A metric's value computed by hand, with every step.

    Parameters
    ----------
    metric : public metric function, or a ``functools.partial`` of one
    y_true : matrix of 0 and 1, shape (n_samples, n_labels), at most 50 of each
        Masked cells are unknown and left out: tables show ?.
    y_pred_or_score : matrix of the same shape
        Predictions (0 and 1), or scores for a ranking metric.
    labels, samples : names, optional
        By default a DataFrame's own, else numbers from 1.
    **options
        The metric's keyword arguments. Weights and beta are exact: 0.1 is 1/10.

    Returns
    -------
    Solution
        ``.value`` is an exact Fraction in the metric's range (nan where there is no value, a float
        where logarithms do not cancel), or a tuple of them where the metric returns an array.

    Raises
    ------
    TypeError, ValueError
        One sentence: whatever the metric itself refuses, more than 50 samples or labels, an option
        that the metric does not take, or names that do not fit.

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
    problem = read(metric, y_true, y_pred_or_score, labels, samples, options)
    steps, value = STEPS[problem.record.id](problem)
    return Solution(_title(problem), tuple(steps), value)


def _title(problem: Problem) -> str:
    """Name, function, the average, and the other options that are not at their default."""
    words = [f"{problem.record.name}: {problem.record.id}"]
    for option, value in problem.settings.items():
        text = inputs.short_repr(value)
        if option == "average" or text != inputs.short_repr(problem.record.defaults[option]):
            words.append(f"{option}={text}")
    return ", ".join(words)
