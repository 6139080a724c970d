"""Theorems that hold for any truth, prediction and scores, on larger data found by hypothesis."""

from __future__ import annotations

from math import nan

import numpy as np
import pytest
import worlds
from drawing import CHOICES, drawn, few, many, problems, rankings, same
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from mlm_helpers import exact_match, example_based, hamming, label_based, ranking
from mlm_helpers.catalogue import METRICS

BY_SCORE = [record for record in METRICS if record.reads == "y_score"]
RANKING = [record for record in BY_SCORE if record.along == "sample"]
LOSSES = [ranking.coverage, ranking.one_error, ranking.ranking_loss]

ranking_metrics = pytest.mark.parametrize("record", RANKING, ids=lambda record: record.id)


# ---------------------------------------------------------------------------- order


@ranking_metrics
@few
@given(data=st.data())
def test_last_is_first_of_the_reversed_labels(record, data):
    (y_true, y_score), _, options = drawn(data, record, without=["ties"])
    y_true, y_score = np.array(y_true), np.array(y_score)
    last = record.function(y_true, y_score, **options, ties="last")
    reversed_labels = y_true[:, ::-1], y_score[:, ::-1]
    assert same(record.function(*reversed_labels, **options, ties="first"), last)


@pytest.mark.parametrize("record", BY_SCORE, ids=lambda record: record.id)
@few
@given(data=st.data())
def test_only_the_order_of_the_scores_matters(record, data):
    (y_true, y_score), _, options = drawn(data, record)
    value = record.function(y_true, y_score, **options)
    for increasing in (np.exp, lambda s: 8 * s - 5, lambda s: s**3):
        assert same(record.function(y_true, increasing(np.array(y_score)), **options), value)


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


@pytest.mark.parametrize("loss", LOSSES)
@many
@given(problem=rankings())
def test_ties_from_best_to_worst(loss, problem):
    y_true, y_score, _ = problem
    best, average, worst, first, last = (
        loss(y_true, y_score, ties=ties, per_sample=True)
        for ties in ("best", "average", "worst", "first", "last")
    )
    for between in (average, first, last):
        assert (best <= between + 1e-12).all() and (between <= worst + 1e-12).all()


@many
@given(problem=rankings())
def test_average_rank_lies_between_first_and_last(problem):
    first, average, last = (
        ranking.ranks(problem[1], ties=ties) for ties in ("first", "average", "last")
    )
    assert same((first + last) / 2, average)


@ranking_metrics
@few
@given(data=st.data(), problem=rankings(tied=False))
def test_without_ties_nobody_need_win_them(record, data, problem):
    y_true, y_score, _ = problem
    options = dict(record.required)
    if "undefined" in record.options:
        options["undefined"] = data.draw(CHOICES["undefined"])
    values = {str(record.function(y_true, y_score, ties=ties, **options)) for ties in worlds.TIES}
    assert len(values) == 1


@many
@given(problem=rankings(), ties=CHOICES["ties"], undefined=CHOICES["undefined"])
def test_coverage_from_zero_is_one_less(problem, ties, undefined):
    """For samples with labels; what those without are worth does not depend on the start."""
    y_true, y_score, _ = problem
    zero, one = (
        ranking.coverage(
            y_true, y_score, start=start, ties=ties, undefined=undefined, per_sample=True
        )
        for start in (0, 1)
    )
    labelled = np.any(y_true, axis=1)
    assert same(zero[labelled], one[labelled] - 1)
    assert same(zero[~labelled], [undefined] * (~labelled).sum())
    assert same(one[~labelled], [undefined] * (~labelled).sum())


@many
@given(problem=rankings(), ties=st.sampled_from(["best", "first", "last"]))
def test_one_error_asks_who_has_rank_one(problem, ties):
    y_true, y_score, _ = problem
    top = ranking.ranks(y_score, ties=ties) == 1
    hit = (top & np.array(y_true, dtype=bool)).any(axis=1)
    errors = ranking.one_error(y_true, y_score, ties=ties, per_sample=True)
    assert same(errors, 1.0 - hit)


@pytest.mark.parametrize("ties", ["worst", "first", "last"])
@many
@given(data=st.data(), problem=rankings())
def test_average_precision_is_one_where_ranking_loss_is_none(ties, data, problem):
    y_true, y_score, _ = problem
    if data.draw(st.booleans(), label="mostly right"):
        y_score = np.array(y_true) * 2 + np.array(y_score)
    options = {"ties": ties, "undefined": nan, "per_sample": True}
    loss = ranking.ranking_loss(y_true, y_score, **options)
    precision = ranking.average_precision(y_true, y_score, **options)
    both = ~np.isnan(loss)
    assert same(loss[both] == 0, precision[both] >= 1 - 1e-12)
