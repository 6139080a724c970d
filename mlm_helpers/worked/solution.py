"""Solutions: a metric's value, computed by hand and shown step by step."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from mlm_helpers._core.inputs.data import LabelMatrix, ScoreMatrix
from mlm_helpers._core.inputs.refuse import short_repr
from mlm_helpers.tables import Display
from mlm_helpers.worked import column_steps as columns
from mlm_helpers.worked import rank_steps as ranks
from mlm_helpers.worked import set_steps as sets
from mlm_helpers.worked.average import StepsAndValue, Value
from mlm_helpers.worked.problem import Problem, read_problem

_hits_over_k = partial(ranks.top_k_steps, lambda k, n_relevant: k)
_hits_over_relevant = partial(ranks.top_k_steps, lambda k, n_relevant: n_relevant)
_discounted_gain = partial(ranks.gain_steps, is_discounted=True)
STEPS: dict[str, Callable[[Problem], StepsAndValue]] = {  # by the id of the metric's record
    "exact_match.subset_accuracy": partial(sets.wrong_labels_per_sample, sets.ALL_RIGHT),
    "exact_match.zero_one_loss": partial(sets.wrong_labels_per_sample, sets.ANY_WRONG),
    "example_based.accuracy": partial(sets.ratio_per_sample, sets.JACCARD),
    "example_based.precision": partial(sets.ratio_per_sample, sets.PRECISION),
    "example_based.recall": partial(sets.ratio_per_sample, sets.RECALL),
    "example_based.f1": partial(sets.ratio_per_sample, sets.F1),
    "example_based.fbeta": lambda p: sets.ratio_per_sample(sets.fbeta(p.options["beta"]), p),
    "hamming.hamming_loss": partial(sets.ratio_of_cells, sets.HAMMING),
    "label_based.precision": partial(sets.ratio_per_label, sets.PRECISION),
    "label_based.recall": partial(sets.ratio_per_label, sets.RECALL),
    "label_based.f1": partial(sets.ratio_per_label, sets.F1),
    "label_based.fbeta": lambda p: sets.ratio_per_label(sets.fbeta(p.options["beta"]), p),
    "label_based.jaccard": partial(sets.ratio_per_label, sets.JACCARD),
    "label_based.accuracy": partial(sets.ratio_per_label, sets.ACCURACY),
    "label_based.cost": sets.cost_per_label,
    "label_based.specificity": partial(sets.ratio_per_label, sets.SPECIFICITY),
    "label_based.negative_predictive_value": partial(sets.ratio_per_label, sets.NEGATIVE_VALUE),
    "label_based.balanced_accuracy": partial(sets.ratio_per_label, sets.BALANCED),
    "label_based.matthews_correlation": partial(sets.ratio_per_label, sets.MATTHEWS),
    "label_based.kappa": partial(sets.ratio_per_label, sets.KAPPA),
    "ranking.coverage": partial(ranks.average_over_samples, ranks.coverage_steps),
    "ranking.one_error": partial(ranks.average_over_samples, ranks.one_error_steps),
    "ranking.ranking_loss": partial(ranks.average_over_samples, ranks.pair_steps),
    "ranking.average_precision": partial(ranks.average_over_samples, ranks.average_precision_steps),
    "curves.average_precision": partial(columns.average_over_labels, ranks.average_precision_steps),
    "curves.roc_auc": partial(columns.average_over_labels, partial(ranks.pair_steps, is_auc=True)),
    "top_k.precision": partial(ranks.average_over_samples, _hits_over_k),
    "top_k.recall": partial(ranks.average_over_samples, _hits_over_relevant),
    "top_k.r_precision": partial(ranks.average_over_samples, _hits_over_relevant),
    "top_k.rp": partial(ranks.average_over_samples, partial(ranks.top_k_steps, min)),
    "top_k.ndcg": partial(ranks.average_over_samples, ranks.ndcg_steps),
    "top_k.propensity_scored_precision": partial(ranks.pooled_ratio, ranks.gain_steps),
    "top_k.propensity_scored_ndcg": partial(ranks.pooled_ratio, _discounted_gain),
    "hierarchy.precision": partial(sets.ratio_with_ancestors, sets.PRECISION),
    "hierarchy.recall": partial(sets.ratio_with_ancestors, sets.RECALL),
    "hierarchy.f1": partial(sets.ratio_with_ancestors, sets.F1),
    "probability.log_loss": partial(columns.average_over_labels, columns.log_loss_steps),
    "probability.brier": partial(columns.average_over_labels, columns.brier_steps),
    "probability.calibration_error": partial(columns.average_over_labels, columns.ece_steps),
}


@dataclass(frozen=True, repr=False)
class Solution(Display):
    """A metric's value and the steps to it, under a title with the metric and its options.

    Attributes
    ----------
    value : Fraction, or nan if undefined; a tuple of them for one value per label or sample
        A float where logarithms do not cancel, as in most values of nDCG, or where there is a root.
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
    """The metric's name and id, its average, and its other options that are not at their default."""
    parts = [f"{problem.record.name}: {problem.record.id}"]
    for option, value in problem.options.items():
        text = short_repr(value)
        if option == "average" or text != short_repr(problem.record.defaults[option]):
            parts.append(f"{option}={text}")
    return ", ".join(parts)
