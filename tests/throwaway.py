"""Three metrics that the package does not have, each with its function, record and worked steps.

`installed` adds them to the catalogue; everything that lists, solves, adds up or names metrics must
then work for them without a change to any other file.
"""

from __future__ import annotations

from contextlib import contextmanager
from fractions import Fraction
from functools import partial
from unittest import mock

import numpy as np

from mlm_helpers import catalogue, worked
from mlm_helpers._core import counts, ordering
from mlm_helpers._core.inputs.data import Data
from mlm_helpers._core.inputs.options import TOP_K_TIES, check_top_k_ties, read_k
from mlm_helpers._core.inputs.read import read_label_scores, read_label_sets
from mlm_helpers._core.inputs.refuse import short_repr
from mlm_helpers.catalogue import Metric, Parameter, Teaching
from mlm_helpers.conventions.quantities import quantities
from mlm_helpers.tables import Ratio, Sentence
from mlm_helpers.worked import rank_steps as ranks
from mlm_helpers.worked import set_steps as sets

# ------------------------------------------------------- a value per sample that is not linear


def hits_over_smaller_set(c):
    """Numerator and denominator of the overlap, from counts."""
    return c.tp, np.minimum(c.tp + c.fp, c.tp + c.fn)


def overlap(y_true, y_pred, *, zero_division=0.0, sample_weight=None, per_sample=False):
    """The overlap coefficient of true and predicted labels: a mean over samples."""
    data = read_label_sets(y_true, y_pred, sample_weight)
    return counts.mean_over_samples(hits_over_smaller_set, data, zero_division, per_sample)


OVERLAP = Metric(
    name="overlap", function=overlap, formula=hits_over_smaller_set, family="example-based",
    prefix="samples",
    higher_is_better=True,
    teaching=Teaching(
        r"\frac{|Y \cap Z|}{\min(|Y|, |Z|)}", "hits ÷ the smaller of true and predicted labels",
        undefined_where="a sample has no true label, or no predicted one",
    ),
)  # fmt: skip
SMALLER = sets.SetRatio(
    lambda c: Ratio(c.tp, min(c.tp + c.fp, c.tp + c.fn)), "✓ / min(✓ + ✗, ✓ + ○)"
)

# ------------------------------------------------------- the first k labels


def any_hit(rows, k):
    """Numerator and denominator of success: whether there is a hit among the first k, and 1."""
    hits = ordering.select_top_k(rows, k).gain_of_first(k)
    return hits > 0, np.ones_like(hits)


def success(y_true, y_score, *, k, ties="average", sample_weight=None, per_sample=False):
    """The share of samples with a hit among their first k labels."""
    check_top_k_ties(ties)
    data = read_label_scores(y_true, y_score, sample_weight, keep_sparse=True)
    formula = partial(any_hit, k=read_k(k))
    return ordering.mean_over_rankings(formula, data, ties, 0.0, per_sample)


SUCCESS = Metric(
    name="success at k", function=success, formula=any_hit, family="top k", reads="y_score",
    teaching=Teaching(r"[Y \cap T \neq \emptyset]", "1 where a hit can be among the first k"),
    higher_is_better=True, keeps_sparse=True,
    parameters={
        "k": Parameter(read_k, (1, 2), "k"), "ties": Parameter(check_top_k_ties, TOP_K_TIES),
    },
)  # fmt: skip


def success_of_sample(labels, options):
    """The steps and the value of one sample in a worked solution."""
    table, hits = ranks.top_k_places(labels, options)
    return [table], Ratio(Fraction(sum(hits) > 0), Fraction(1))


# ----------------------------------------------- an option per label, and a step before the formula


def check_kin(kin, n_labels):
    """For each label a list of its kin: the labels that are true or predicted wherever it is."""
    kin = kin(n_labels) if callable(kin) else kin
    is_index = [0 <= label < n_labels for labels in kin for label in labels]
    if len(kin) != n_labels or not all(is_index):
        problem = f"kin is {short_repr(kin)}"
        raise ValueError(f"{problem}: give the indices of the kin of each label")
    return [list(labels) for labels in kin]


def with_kin(data, options):
    """The data in which the kin of every true or predicted label are true or predicted, too."""
    kin = check_kin(options["kin"], data.shape[1])
    brings = np.eye(len(kin), dtype=int)
    for label, kin_of_label in enumerate(kin):
        brings[label, kin_of_label] = 1
    dense = data.dense()
    truth, prediction = ((m @ brings > 0).astype(int) for m in (dense.truth, dense.prediction))
    return Data(truth, prediction, data.weight)


def kin_f1(y_true, y_pred, kin, *, zero_division=0.0, sample_weight=None, per_sample=False):
    """The mean F1 of the samples, after each label has brought its kin."""
    data = with_kin(read_label_sets(y_true, y_pred, sample_weight), {"kin": kin})
    return counts.mean_over_samples(counts.f1, data, zero_division, per_sample)


KIN = Parameter(
    check_kin,
    (lambda n: [[]] + [[0]] * (n - 1), lambda n: [[j] for j in range(n)]),
    per_label=True,
)
KIN_F1 = Metric(
    name="kin F1", function=kin_f1, formula=counts.f1, family="example-based", prefix="samples",
    higher_is_better=True,
    teaching=Teaching(
        r"\frac{2\,|Y' \cap Z'|}{|Y'| + |Z'|}",
        "2 × hits ÷ (true labels + predicted labels), each with its kin",
        undefined_where="a sample has neither true nor predicted labels",
    ),
    parameters={"kin": KIN}, prepare=with_kin,
)  # fmt: skip


def steps_of_kin(problem):
    """The steps and the value of kin F1 in a worked solution."""
    kin = problem.options["kin"]
    truth, prediction = (
        [
            [
                cell or any(has and j in kin_of_it for has, kin_of_it in zip(row, kin, strict=True))
                for j, cell in enumerate(row)
            ]
            for row in matrix
        ]
        for matrix in (problem.truth, problem.prediction)
    )  # fmt: skip
    steps, value = sets.ratio_of_samples(
        sets.F1, problem._replace(truth=truth, prediction=prediction)
    )
    return [steps[0], Sentence("Each label is counted with its kin."), *steps[1:]], value


# ------------------------------------------------------- the catalogue with these metrics

RECORDS = (OVERLAP, SUCCESS, KIN_F1)
STEPS = {
    OVERLAP.id: partial(sets.ratio_of_samples, SMALLER),
    SUCCESS.id: partial(ranks.average_over_samples, success_of_sample),
    KIN_F1.id: steps_of_kin,
}


@contextmanager
def added(*records):
    """Add metrics to the catalogue within a ``with`` block."""
    original = list(catalogue.METRICS)
    catalogue.METRICS.extend(records)
    quantities.cache_clear()
    try:
        yield
    finally:
        catalogue.METRICS[:] = original
        quantities.cache_clear()


@contextmanager
def installed():
    """Add the three metrics and their worked steps within a ``with`` block."""
    with added(*RECORDS), mock.patch.dict(worked.STEPS, STEPS):
        yield
