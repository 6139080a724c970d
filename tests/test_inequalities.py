"""Inequalities between metrics: all claims on all small data, true ones on larger data too."""

from __future__ import annotations

from itertools import product

import all_small
import numpy as np
import pytest
from random_inputs import agree, random_matrices

from mlm_course import small_data
from mlm_course.inequalities import ALL, smallest_counterexample
from mlm_helpers import catalogue, label_based
from mlm_helpers.catalogue.arguments import resolve_options

TRUE = [claim for claim in ALL if claim.reason]
FALSE = [claim for claim in ALL if not claim.reason]


def for_each(claims):
    return pytest.mark.parametrize("claim", claims, ids=lambda claim: claim.text)


@pytest.mark.no_cover
@for_each(ALL)
def test_plain_search_finds_the_same(claim):
    """A search with fractions on up to 4 cells, or for a true claim on up to 3."""
    metrics = {name: all_small.Exact(metric) for name, metric in claim.metrics.items()}
    options = map(resolve_options, claim.metrics.values())
    min_labels = max(bound.get("k", 1) for bound in options)
    sizes = ((1, 1), (1, 2), (2, 1), (1, 3), (1, 4), (2, 2))
    for size in sizes[:4] if claim.reason else sizes:
        if size[1] >= min_labels:
            predictions = all_small.predictions([*metrics.values()], *size)
            for y_true, y_pred in product(all_small.matrices(*size), predictions):
                values = {name: metric.value(y_true, y_pred) for name, metric in metrics.items()}
                if claim.fails(values):
                    assert not claim.reason
                    case = smallest_counterexample(claim)
                    assert agree(case.y_true, y_true) and agree(case.y_pred, y_pred)
                    assert agree([case.left, case.right], list(map(float, claim.sides(values))))
                    return
    assert claim.reason


@for_each(TRUE)
def test_a_true_claim_has_no_counterexample(claim):
    assert smallest_counterexample(claim) is None


@pytest.mark.exhaustive
@for_each(TRUE)
def test_a_true_claim_has_no_counterexample_of_three_samples(claim):
    for _, _, values in small_data.batches((*claim.metrics.values(),), (3, 2)):
        assert not claim.fails(dict(zip(claim.metrics, values, strict=True))).any()


@for_each(TRUE)
def test_a_true_claim_holds_on_larger_data(claim):
    problems = [problem for problem in random_matrices("y_score") if problem[0].shape[1] > 1]
    for y_true, y_score, _ in problems[:40]:  # of two labels or more, for precision at 2
        predictions = {"y_score": y_score, "y_pred": (y_score >= 0.5).astype(int)}
        values = {
            name: metric(y_true, predictions[catalogue.record_of(metric).reads])
            for name, metric in claim.metrics.items()
        }
        left, right = claim.sides(values)
        equal = np.isclose(left, right, rtol=0, atol=1e-12)
        assert equal if claim.sign == "=" else left <= right or equal


@for_each([claim for claim in TRUE if claim.sign == "≤"])
def test_the_reverse_of_a_true_inequality_fails(claim):
    reverse = claim._replace(
        left_function=claim.right_function,
        left_metrics=claim.right_metrics,
        right_function=claim.left_function,
        right_metrics=claim.left_metrics,
    )
    assert smallest_counterexample(reverse) is not None


def test_one_half_is_the_least_that_can_be_added_to_macro_f1():
    """Label 1 is true for all n samples and predicted for one; label 2 the reverse."""
    n = 1000
    y_true = [[1, int(i == 0)] for i in range(n)]
    y_pred = [[int(i == 0), 1] for i in range(n)]
    p, r, f1 = (
        m(y_true, y_pred) for m in (label_based.precision, label_based.recall, label_based.f1)
    )
    assert agree([p, r, f1], [(1 + 1 / n) / 2, (1 + 1 / n) / 2, 2 / (n + 1)])
    (claim,) = (claim for claim in ALL if claim.text == "CF1 ≤ macro F1 + 1/2")
    values = {"macro precision": p, "macro recall": r, "macro F1": f1}
    left, right = claim.sides(values)
    assert 0 < right - left < 0.01
