"""Theorems that hold for any truth, prediction and scores, on larger data found by hypothesis."""

from __future__ import annotations

from math import nan

import numpy as np
import pytest
from drawing import CHOICES, many, problems, rankings, same
from hypothesis import given
from sklearn.metrics import roc_auc_score

from mlm_helpers import exact_match, example_based, hamming, label_based, ranking

# ---------------------------------------------------------------------------- order


# ---------------------------------------------------------------------------- theorems on sets


@many
@given(problem=problems())
def test_subset_accuracy_and_zero_one_loss_are_complements(problem):
    y_true, y_pred, weights = problem
    right = exact_match.subset_accuracy(y_true, y_pred, sample_weight=weights)
    wrong = exact_match.zero_one_loss(y_true, y_pred, sample_weight=weights)
    assert same(right + wrong, 1)


@many
@given(problem=problems())
def test_hamming_loss_counts_false_positives_and_false_negatives(problem):
    y_true, y_pred, weights = problem
    tp, fp, fn, tn = label_based.confusion(y_true, y_pred, sample_weight=weights)
    loss = hamming.hamming_loss(y_true, y_pred, sample_weight=weights)
    assert same(loss, (fp + fn).sum() / (tp + fp + fn + tn).sum())
    assert same(tp + fp + fn + tn, [sum(weights)] * len(y_true[0]))


SWAPS = [
    (example_based, {}),
    *((label_based, {"average": average}) for average in ("macro", "micro", None)),
]


@pytest.mark.parametrize(("family", "average"), SWAPS)
@many
@given(problem=problems(), zero_division=CHOICES["zero_division"])
def test_swapping_truth_and_prediction(family, average, problem, zero_division):
    """Precision becomes recall; F1 and Jaccard stay; not under weighted, which counts the truth."""
    y_true, y_pred, weights = problem
    options = average | {"zero_division": zero_division, "sample_weight": weights}
    precision = family.precision(y_true, y_pred, **options)
    assert same(family.recall(y_pred, y_true, **options), precision)
    jaccard = family.accuracy if family is example_based else family.jaccard
    for metric in (family.f1, jaccard):
        assert same(metric(y_pred, y_true, **options), metric(y_true, y_pred, **options))


@pytest.mark.parametrize(("family", "average"), [*SWAPS, (label_based, {"average": "weighted"})])
@many
@given(problem=problems(), zero_division=CHOICES["zero_division"])
def test_fbeta_between_precision_and_recall(family, average, problem, zero_division):
    y_true, y_pred, weights = problem
    options = average | {"zero_division": zero_division, "sample_weight": weights}

    def fbeta(beta):
        return family.fbeta(y_true, y_pred, **options, beta=beta)

    assert same(fbeta(1), family.f1(y_true, y_pred, **options))
    assert same(fbeta(0), family.precision(y_true, y_pred, **options))
    # Where nothing is relevant, recall is 0/0 and Fβ need not be: let no sample and no label be so.
    relevant = np.array(y_true)
    relevant[:, 0] = relevant[0, :] = 1
    options["sample_weight"] = np.array(weights) + 1
    large = family.fbeta(relevant, y_pred, **options, beta=1e8)
    assert same(large, family.recall(relevant, y_pred, **options))


# ---------------------------------------------------------------------------- theorems on ranks


def auc(truth, scores):
    return roc_auc_score(truth, scores) if 0 < sum(truth) < len(truth) else nan


@many
@given(problem=rankings())
def test_ranking_loss_with_half_a_loss_per_tie_is_one_minus_auc(problem):
    y_true, y_score, _ = problem
    losses = ranking.ranking_loss(y_true, y_score, ties="average", undefined=nan, per_sample=True)
    assert same(losses, [1 - auc(*sample) for sample in zip(y_true, y_score, strict=True)])
