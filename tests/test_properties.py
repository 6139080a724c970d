"""What holds for any truth, prediction and scores: larger shapes, found by hypothesis."""

from __future__ import annotations

from math import isnan, nan

import by_hand
import numpy as np
import pandas as pd
import pytest
import worlds
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.metrics import roc_auc_score

from mlm_helpers import exact_match, example_based, hamming, label_based, ranking
from mlm_helpers.catalogue import METRICS

# What these files run is covered by the others; tracing it would double their time.
pytestmark = pytest.mark.no_cover

few = settings(derandomize=True, deadline=None, max_examples=16)
many = settings(derandomize=True, deadline=None, max_examples=40)

PER_SAMPLE = [record for record in METRICS if "per_sample" in record.options]
RANKING = [record for record in METRICS if record.reads == "y_score"]
LABEL_BASED = [record for record in METRICS if "average" in record.options]
LOSSES = [ranking.coverage, ranking.one_error, ranking.ranking_loss]

every_metric = pytest.mark.parametrize("record", METRICS, ids=lambda record: record.id)
per_sample_metrics = pytest.mark.parametrize("record", PER_SAMPLE, ids=lambda record: record.id)
ranking_metrics = pytest.mark.parametrize("record", RANKING, ids=lambda record: record.id)
label_based_metrics = pytest.mark.parametrize("record", LABEL_BASED, ids=lambda record: record.id)

CHOICES = {
    "beta": st.sampled_from([0, 0.25, 0.5, 1, 2, 3]),
    "average": st.sampled_from(worlds.AVERAGES),
    "zero_division": st.sampled_from(worlds.ZERO_DIVISIONS),
    "ties": st.sampled_from(worlds.TIES),
    "start": st.sampled_from([0, 1]),
    "undefined": st.sampled_from([0.0, 1.0, -0.5, nan]),
}


def digits(base, width):
    """Rows of digits, each drawn as one number, which is quicker than digit by digit."""
    numbers = st.integers(0, base**width - 1)
    return numbers.map(lambda number: tuple(number // base**j % base for j in range(width)))


def quarters(row):
    return tuple(digit / 4 for digit in row)


def without_ties(row):
    return tuple(16 * digit + j for j, digit in enumerate(row))


@st.composite
def problems(draw, reads="y_pred", tied=True):
    """Truth, prediction or scores, and whole-number weights: matrices as tuples of rows."""
    n_samples, n_labels = draw(st.integers(1, 12)), draw(st.integers(1, 9))
    row = label_set = digits(2, n_labels)
    if reads == "y_score":
        row = digits(5, n_labels).map(quarters) if tied else digits(9, n_labels).map(without_ties)
    y_true, y = (draw(st.tuples(*[kind] * n_samples)) for kind in (label_set, row))
    return y_true, y, draw(digits(4, n_samples).filter(any))


def rankings(tied=True):
    return problems("y_score", tied)


def drawn(data, record, *, without=()):
    """A problem that this metric reads, and options of it: ``(y_true, y), weights, options``."""
    *matrices, weights = data.draw(problems(record.reads))
    options = {
        name: data.draw(choices, label=name)
        for name, choices in CHOICES.items()
        if name in record.options and name not in without
    }
    return matrices, weights, options


def same(value, expected):
    """To 1e-12, and nan is nan."""
    expected = np.asarray(expected, dtype=float)
    return np.shape(value) == expected.shape and np.allclose(
        value, expected, rtol=0, atol=1e-12, equal_nan=True
    )


# ---------------------------------------------------------------------------- two roads


@every_metric
@many
@given(data=st.data())
def test_package_and_fractions_meet(record, data):
    (y_true, y), weights, options = drawn(data, record)
    options["sample_weight"] = data.draw(
        st.sampled_from([None, weights, tuple(w / 8 for w in weights)])
    )
    if "per_sample" in record.options:
        options["per_sample"] = data.draw(st.booleans())
    value = record.function(y_true, y, **options)
    assert same(value, by_hand.METRICS[record.id](y_true, y, **options))


@many
@given(problem=problems())
def test_confusion_and_fractions_meet(problem):
    y_true, y_pred, weights = problem
    for weight in (None, weights):
        counts = label_based.confusion(y_true, y_pred, sample_weight=weight)
        assert same(counts, by_hand.confusion(y_true, y_pred, sample_weight=weight))


@many
@given(problem=rankings(), ties=CHOICES["ties"])
def test_ranks_and_fractions_meet(problem, ties):
    assert same(ranking.ranks(problem[1], ties=ties), by_hand.ranks(problem[1], ties=ties))


# ---------------------------------------------------------------------------- weights


@every_metric
@few
@given(data=st.data())
def test_whole_weights_are_repeated_samples(record, data):
    (y_true, y), weights, options = drawn(data, record)
    repeated = np.repeat(y_true, weights, axis=0), np.repeat(y, weights, axis=0)
    weighted = record.function(y_true, y, **options, sample_weight=weights)
    assert same(weighted, record.function(*repeated, **options))


@every_metric
@few
@given(data=st.data(), factor=st.sampled_from([1e-9, 0.3, 7, 1e9]))
def test_scaling_the_weights_changes_nothing(record, data, factor):
    (y_true, y), weights, options = drawn(data, record)
    scaled = np.array(weights) * factor
    value = record.function(y_true, y, **options, sample_weight=weights)
    assert same(record.function(y_true, y, **options, sample_weight=scaled), value)


@every_metric
@few
@given(data=st.data())
def test_equal_weights_change_nothing(record, data):
    (y_true, y), _, options = drawn(data, record)
    equal = [0.25] * len(y_true)
    value = record.function(y_true, y, **options)
    assert same(record.function(y_true, y, **options, sample_weight=equal), value)


@per_sample_metrics
@few
@given(data=st.data())
def test_metric_is_the_weighted_mean_of_its_samples(record, data):
    (y_true, y), weights, options = drawn(data, record)
    values = record.function(y_true, y, **options, sample_weight=weights, per_sample=True)
    assert same(values, record.function(y_true, y, **options, per_sample=True))
    left = [(v, w) for v, w in zip(values, weights, strict=True) if not isnan(v)]
    total = sum(w for _, w in left)
    mean = sum(v * w for v, w in left) / total if total else nan
    assert same(record.function(y_true, y, **options, sample_weight=weights), mean)


# ---------------------------------------------------------------------------- order


@every_metric
@few
@given(data=st.data())
def test_order_of_samples_does_not_matter(record, data):
    (y_true, y), weights, options = drawn(data, record)
    order = data.draw(st.permutations(range(len(y_true))))
    y_true, y, weights = np.array(y_true), np.array(y), np.array(weights)
    value = record.function(y_true, y, **options, sample_weight=weights)
    shuffled = y_true[order], y[order]
    assert same(record.function(*shuffled, **options, sample_weight=weights[order]), value)
    if "per_sample" in record.options:
        values = record.function(y_true, y, **options, per_sample=True)
        assert same(record.function(*shuffled, **options, per_sample=True), values[order])


@every_metric
@few
@given(data=st.data())
def test_order_of_labels_does_not_matter(record, data):
    (y_true, y), weights, options = drawn(data, record)
    if "ties" in options:
        options["ties"] = data.draw(st.sampled_from(["worst", "best", "average"]))
    y_true, y = np.array(y_true), np.array(y)
    order = data.draw(st.permutations(range(y.shape[1])))
    value = record.function(y_true, y, **options, sample_weight=weights)
    if options.get("average", "macro") is None:
        value = value[order]
    shuffled = y_true[:, order], y[:, order]
    assert same(record.function(*shuffled, **options, sample_weight=weights), value)


@ranking_metrics
@few
@given(data=st.data())
def test_last_is_first_of_the_reversed_labels(record, data):
    (y_true, y_score), _, options = drawn(data, record, without=["ties"])
    y_true, y_score = np.array(y_true), np.array(y_score)
    last = record.function(y_true, y_score, **options, ties="last")
    reversed_labels = y_true[:, ::-1], y_score[:, ::-1]
    assert same(record.function(*reversed_labels, **options, ties="first"), last)


@ranking_metrics
@few
@given(data=st.data())
def test_only_the_order_of_the_scores_matters(record, data):
    (y_true, y_score), _, options = drawn(data, record)
    value = record.function(y_true, y_score, **options)
    for increasing in (np.exp, lambda s: 8 * s - 5, lambda s: s**3):
        assert same(record.function(y_true, increasing(np.array(y_score)), **options), value)


# ---------------------------------------------------------------------------- containers

CONTAINERS = {
    "list": lambda rows: [list(row) for row in rows],
    "bool": lambda rows: np.array(rows, dtype=bool),
    "int": lambda rows: np.array(rows, dtype=np.int8),
    "float": lambda rows: np.array(rows, dtype=float),
    "columns first": lambda rows: np.asfortranarray(np.array(rows)),
    "DataFrame": lambda rows: pd.DataFrame(list(rows)),
    "csr": lambda rows: sparse.csr_array(np.array(rows)),
    "csc": lambda rows: sparse.csc_matrix(np.array(rows)),
    "coo": lambda rows: sparse.coo_array(np.array(rows)),
}


@every_metric
@few
@given(data=st.data())
def test_container_does_not_matter(record, data):
    """Truth and prediction, or scores, in containers of their own: sparse beside dense, too."""
    (y_true, y), weights, options = drawn(data, record)
    value = record.function(y_true, y, **options, sample_weight=weights)
    sets = st.sampled_from(sorted(CONTAINERS))
    scores = st.sampled_from(sorted(CONTAINERS.keys() - {"bool", "int"}))
    a = data.draw(sets, label="y_true")
    b = data.draw(sets if record.reads == "y_pred" else scores, label=record.reads)
    pair = CONTAINERS[a](y_true), CONTAINERS[b](y)
    assert same(record.function(*pair, **options, sample_weight=np.array(weights)), value)


@every_metric
@few
@given(data=st.data())
def test_sparse_is_dense(record, data):
    (y_true, y), weights, options = drawn(data, record)
    both = sparse.csr_array(np.array(y_true)), sparse.csr_array(np.array(y))
    for weight in (None, weights):
        value = record.function(y_true, y, **options, sample_weight=weight)
        assert same(record.function(*both, **options, sample_weight=weight), value)


# ---------------------------------------------------------------------------- theorems on sets


@many
@given(problem=problems())
def test_hamming_loss_is_at_most_zero_one_loss(problem):
    y_true, y_pred, weights = problem
    small = hamming.hamming_loss(y_true, y_pred, per_sample=True)
    large = exact_match.zero_one_loss(y_true, y_pred, per_sample=True)
    assert (small <= large).all()
    assert (large <= small * len(y_true[0]) + 1e-12).all()
    small, large = (
        metric(y_true, y_pred, sample_weight=weights)
        for metric in (hamming.hamming_loss, exact_match.zero_one_loss)
    )
    assert small <= large + 1e-12


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


@many
@given(problem=problems(), zero_division=CHOICES["zero_division"])
def test_jaccard_of_a_sample_tells_its_f1(problem, zero_division):
    y_true, y_pred, _ = problem
    options = {"zero_division": zero_division, "per_sample": True}
    jaccard = example_based.accuracy(y_true, y_pred, **options)
    f1 = example_based.f1(y_true, y_pred, **options)
    assert same(f1, 2 * jaccard / (1 + jaccard))
    assert not (jaccard > f1 + 1e-12).any()


@label_based_metrics
@many
@given(data=st.data())
def test_macro_is_the_mean_of_the_labels(record, data):
    (y_true, y_pred), weights, options = drawn(data, record, without=["average"])
    options["sample_weight"] = weights
    values = record.function(y_true, y_pred, **options, average=None)
    left = values[~np.isnan(values)]
    macro = record.function(y_true, y_pred, **options, average="macro")
    assert same(macro, left.mean() if left.size else nan)


@label_based_metrics
@many
@given(data=st.data())
def test_one_label_has_one_average(record, data):
    (y_true, y_pred), weights, options = drawn(data, record, without=["average"])
    one = [row[:1] for row in y_true], [row[:1] for row in y_pred]
    options["sample_weight"] = weights
    (value,) = record.function(*one, **options, average=None)
    for average in ("macro", "micro", "weighted"):
        assert same(record.function(*one, **options, average=average), value), average


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


@many
@given(problem=problems())
def test_micro_f1_is_the_harmonic_mean_of_micro_precision_and_recall(problem):
    y_true, y_pred, weights = problem
    p, r, f = (
        metric(y_true, y_pred, average="micro", sample_weight=weights)
        for metric in (label_based.precision, label_based.recall, label_based.f1)
    )
    assert same(f, 2 * p * r / (p + r) if p + r else 0.0)


@every_metric
@many
@given(data=st.data())
def test_values_stay_in_range(record, data):
    (y_true, y), weights, options = drawn(data, record, without=["undefined", "average"])
    lowest, highest = (len(y_true[0]) if end == "L" else end for end in record.range)
    averages = worlds.AVERAGES if "average" in record.options else (None,)
    for average in averages:
        chosen = options | ({"average": average} if "average" in record.options else {})
        values = np.atleast_1d(record.function(y_true, y, **chosen, sample_weight=weights))
        left = values[~np.isnan(values)]
        assert (lowest - 1e-12 <= left).all() and (left <= highest + 1e-12).all()


@every_metric
@few
@given(problem=problems())
def test_the_perfect_answer_is_the_best(record, problem):
    """With no tie between a relevant and an irrelevant label, and "agree" for nothing at all."""
    y_true, _, _ = problem
    best = record.range[1] if record.higher_is_better else record.range[0]
    options = {"zero_division": "agree"} if "zero_division" in record.options else {}
    options |= {"beta": 2} if "beta" in record.options else {}
    options |= {"undefined": float(best)} if record in RANKING else {}
    value = record.function(y_true, y_true, **options)
    if record.function is ranking.coverage:  # the best there is, is to end with the last relevant
        best = np.mean([sum(row) for row in y_true])
    assert same(value, best)


# ---------------------------------------------------------------------------- theorems on ranks


def auc(truth, scores):
    return roc_auc_score(truth, scores) if 0 < sum(truth) < len(truth) else nan


@many
@given(problem=rankings(tied=False), ties=CHOICES["ties"])
def test_ranking_loss_is_one_minus_auc(problem, ties):
    y_true, y_score, _ = problem
    losses = ranking.ranking_loss(y_true, y_score, ties=ties, undefined=nan, per_sample=True)
    assert same(losses, [1 - auc(*sample) for sample in zip(y_true, y_score, strict=True)])


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
    undefined = data.draw(CHOICES["undefined"])
    values = {
        str(record.function(y_true, y_score, ties=ties, undefined=undefined))
        for ties in worlds.TIES
    }
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
