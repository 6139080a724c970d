"""The usual slips: each makes the number that one finds by hand."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from sklearn import metrics
from worlds import one_a_record

from mlm_course.practice.confusions import Confusion, confusions
from mlm_course.practice.slips import SLIPS, Task
from mlm_helpers import (
    catalogue,
    conventions,
    curves,
    example_based,
    hamming,
    label_based,
    ranking,
    top_k,
)

SLIP = {slip.says: slip for slip in SLIPS}


def places(slip, metric, y_true, y_other):
    function = partial(slip.of, metric)
    return Confusion(slip.says, function).numbers(np.array(y_true), np.array(y_other))


def numbers(*asked):
    return [number for _, number in places(*asked)]


F2, AT_2, NDCG = partial(example_based.fbeta, beta=2), partial(top_k.precision, k=2), partial(top_k.ndcg, k=2)  # fmt: skip
SECOND = 1 / math.log2(3)  # what a hit at the second place gains
T, P = [[1, 1, 0, 0], [1, 0, 1, 1], [0, 1, 0, 0]], [[1, 0, 1, 0], [1, 0, 1, 0], [1, 1, 0, 0]]
# hits 1, 2, 1; false alarms 1, 0, 1; misses 1, 1, 0: F1 1/2, 4/5, 2/3
S = [[0.9, 0.2, 0.7, 0.1], [0.3, 0.8, 0.6, 0.4], [0.5, 0.4, 0.3, 0.2]]
# ranks of the relevant 1 3; 4 2 3; 2: coverage 3, 4, 2; pairs wrong 1 of 4, 3 of 3, 1 of 3
# ranks of the positives of each label 1 3; 3 2; 2; 1

BY_HAND = [
    ("the value is taken from 1", example_based.f1, Fraction(31, 90)),
    ("the values are added up, and not divided by their number", example_based.f1, Fraction(59, 30)),
    ("the sum is divided by the number on the other side of the matrix", example_based.f1, Fraction(59, 120)),
    ("false alarms are not counted", example_based.f1, Fraction(37, 45)),  # 2/3, 4/5, 1
    ("misses are not counted", example_based.f1, Fraction(7, 9)),  # 2/3, 1, 2/3
    ("what is rightly left out counts as a hit", example_based.f1, Fraction(50, 63)),  # 2/3, 6/7, 6/7
    ("the hits are divided by all cells", example_based.f1, Fraction(1, 3)),
    ("the hits are counted once above and twice below", example_based.f1, Fraction(59, 180)),
    ("the mean of precision and recall is taken, not their harmonic mean", example_based.f1, Fraction(25, 36)),
    ("the matrix is read along the other side, samples for labels", example_based.f1, Fraction(8, 15)),  # 4/5, 2/3, 2/3, 0
    ("the first relevant label is read, not the last", ranking.coverage, Fraction(5, 3)),
    ("the ranks of the relevant labels are averaged", ranking.coverage, Fraction(7, 3)),
    ("the rank is divided by the number of labels", ranking.coverage, Fraction(3, 4)),
    ("the scores are put in order from the lowest up", ranking.coverage, Fraction(10, 3)),
    ("the wrong pairs are counted, and not divided", ranking.ranking_loss, Fraction(5, 3)),
    ("the wrong pairs are divided by all pairs of labels", ranking.ranking_loss, Fraction(5, 18)),
    ("all samples are pooled before dividing", ranking.ranking_loss, Fraction(5, 10)),
    ("1 is divided by each rank, whatever is relevant above", ranking.average_precision, Fraction(55, 108)),
    ("only the first relevant label is read", ranking.average_precision, Fraction(2, 3)),
    ("the share is read at the last relevant label alone", ranking.average_precision, Fraction(23, 36)),
    ("the hits are divided by the number of labels", AT_2, Fraction(1, 4)),
    ("the hits are divided by as many as there can be", AT_2, Fraction(2, 3)),
    ("the hits are counted, and not divided", AT_2, 1),
    ("β weighs precision, not recall", F2, Fraction(389, 594)),  # β = ½: 1/2, 10/11, 5/9
    ("β is not squared", F2, Fraction(2, 3)),  # 3/6, 6/8, 3/4
    ("the wrong cells are divided by the labels that are true or predicted", hamming.hamming_loss, Fraction(1, 2)),  # 2/3, 1/3, 1/2
    ("the wrong cells are divided by the number of samples alone", hamming.hamming_loss, Fraction(4, 3)),
    ("the wrong pairs are divided by the number of labels", ranking.ranking_loss, Fraction(5, 12)),
    ("the wrong pairs are divided by the relevant labels alone", ranking.ranking_loss, Fraction(5, 6)),  # 1/2, 1, 1
    ("the shares are divided by the number of labels", ranking.average_precision, Fraction(49, 144)),  # 5/12, 23/48, 1/8
    ("it is not divided by the best order", NDCG, (1 + 2 * SECOND) / 3),
    ("the best order has k hits, however few are relevant", NDCG, (1 + 2 * SECOND) / (1 + SECOND) / 3),
    ("the best order is not cut off at k", NDCG, (1 / (1 + SECOND) + SECOND / (1 + SECOND + 1 / 2) + SECOND) / 3),
    ("a hit is divided by the logarithm of its place, not of its place + 1", NDCG, Fraction(2, 3)),  # 1/2, 1/2, 1
    ("a hit is divided by its place, without a logarithm", NDCG, Fraction(1, 2)),  # 2/3, 1/3, 1/2
    ("1 is divided by each rank, whatever is positive above", curves.average_precision, Fraction(31, 48)),  # 2/3, 5/12, 1/2, 1
    ("the points of the curve are joined by straight lines", curves.average_precision, Fraction(59, 96)),  # 19/24, 10/24, 1/4, 1
]  # fmt: skip


@pytest.mark.parametrize(("says", "metric", "value"), BY_HAND, ids=[says for says, *_ in BY_HAND])
def test_a_slip_makes_what_a_pencil_makes(says, metric, value):
    other = P if catalogue.of(metric).reads == "y_pred" else S
    assert SLIP[says].fits(Task(metric, np.array(T), np.array(other)))
    assert numbers(SLIP[says], metric, T, other) == [pytest.approx(float(value))]


IN_PLACES = {  # the precision of the sample in which it happens; it is 1/2, 1 and 1/2 before
    "one false alarm is counted as a miss": {1: 1 / 1, 3: 1 / 1},
    "one miss is counted as a false alarm": {1: 1 / 3, 2: 2 / 3},
    "one false alarm is overlooked": {1: 1 / 1, 3: 1 / 1},
    "one miss is overlooked": {1: 1 / 2, 2: 2 / 2},
    "one false alarm is counted as a hit": {1: 2 / 2, 3: 2 / 2},
    "one miss is counted as a hit": {1: 2 / 3, 2: 3 / 3},
}


@pytest.mark.parametrize("says", IN_PLACES)
def test_one_cell_that_is_miscounted_changes_its_sample_alone(says):
    found = dict(places(SLIP[says], example_based.precision, T, P))
    before = {1: 1 / 2, 2: 1.0, 3: 1 / 2}
    assert found == {
        f"sample {i}": pytest.approx(sum((before | {i: value}).values()) / 3)
        for i, value in IN_PLACES[says].items()
    }


def test_each_hit_can_be_overlooked():
    """Of two hits in a sample, one is left, and nothing else is predicted."""
    found = numbers(SLIP["one hit is overlooked"], example_based.precision, T, P)
    assert found == pytest.approx([(0 + 1 + 1 / 2) / 3, 2 / 3, 2 / 3, (1 / 2 + 1 + 0) / 3])


def test_left_out_and_alone():
    each = [1 / 2, 4 / 5, 2 / 3]
    assert numbers(SLIP["one sample is left out"], example_based.f1, T, P) == pytest.approx(
        [(4 / 5 + 2 / 3) / 2, (1 / 2 + 2 / 3) / 2, (1 / 2 + 4 / 5) / 2]
    )
    assert numbers(SLIP["only one value is taken"], example_based.f1, T, P) == pytest.approx(each)
    of_labels = [4 / 5, 2 / 3, 2 / 3, 0]
    found = places(SLIP["one label is left out"], label_based.f1, T, P)
    labels, values = zip(*found, strict=True)
    assert labels == ("label 1", "label 2", "label 3", "label 4")
    assert values == pytest.approx([(sum(of_labels) - one) / 3 for one in of_labels])


def test_every_slip_is_tried():
    others = {"one hit is overlooked", "one sample is left out", "one label is left out"}
    others |= {"only one value is taken"}
    assert {says for says, *_ in BY_HAND} | {*IN_PLACES} | others == {*SLIP}


def test_a_mean_of_labels_is_divided_by_the_samples():
    """F1 of the labels is 4/5, 2/3, 2/3 and 0; there are three samples."""
    slip = SLIP["the sum is divided by the number on the other side of the matrix"]
    assert numbers(slip, label_based.f1, T, P) == [pytest.approx(32 / 15 / 3)]


def test_a_weighted_mean_weighs_its_slips_too():
    """Hits 2, 1, 1 and 0 of three cells; the labels are true 2, 2, 1 and 1 times."""
    weighted = partial(label_based.f1, average="weighted")
    slip = SLIP["the hits are divided by all cells"]
    assert numbers(slip, weighted, T, P) == [pytest.approx((2 * 2 + 2 * 1 + 1 + 0) / 3 / 6)]


def test_a_place_of_its_own_is_asked_where_labels_are_tied():
    says = "a hit is divided by its place, without a logarithm"
    metric = partial(top_k.ndcg, k=2)
    assert numbers(SLIP[says], metric, [[1, 0, 0]], [[0.5, 0.5, 0.1]]) == []
    assert numbers(SLIP[says], metric, [[1, 0, 0]], [[0.5, 0.6, 0.1]]) == [1 / 2]


def test_straight_lines_are_the_area_of_scikit_learn():
    rng = np.random.default_rng(0)
    for _ in range(20):
        truth = np.vstack([rng.integers(0, 2, (5, 3)), [[1, 1, 1]], [[0, 0, 0]]])
        score = rng.permutation(21).reshape(7, 3) / 21
        areas = []
        for y_true, y_score in zip(truth.T, score.T, strict=True):
            precision, recall, _ = metrics.precision_recall_curve(y_true, y_score)
            areas.append(metrics.auc(recall, precision))
        slip = SLIP["the points of the curve are joined by straight lines"]
        assert slip.of(curves.average_precision, truth, score) == pytest.approx(np.mean(areas))


# ---------------------------------------------------------------------------- what can be taken for a metric


TRIALS = [(np.array(T), np.array(P)), (1 - np.array(T), np.array(P)), (np.array(P), np.array(T))]


@pytest.mark.parametrize("name", one_a_record())
def test_what_always_is_the_metric_is_no_confusion(name):
    metric = catalogue.variants()[name]
    scored = catalogue.of(metric).reads == "y_score"
    trials = [(np.array(t), np.array(S)) for t in (T, P, np.roll(T, 1))] if scored else TRIALS
    found = confusions(metric, trials)
    assert name not in {one.says for one in found}
    asked = [float(metric(*pair)) for pair in trials]
    for one in found:
        given = [n for pair in trials for _, n in one.numbers(*pair)]
        assert given
        assert not np.allclose(given, asked) if len(given) == len(asked) else True


def test_of_two_that_are_always_the_same_one_is_told():
    """Micro recall is weighted recall, whatever the data."""
    found = {one.says for one in confusions(example_based.recall, TRIALS)}
    assert len({"micro recall", "weighted recall"} & found) == 1


def test_every_reading_of_identify_is_tried():
    rng = np.random.default_rng(1)
    trials = [tuple(rng.integers(0, 2, (2, 6, 5))) for _ in range(6)]
    found = {one.says for one in confusions(example_based.f1, trials)}
    sets_read = {
        name
        for name, metric in catalogue.variants(catalogue.taught()).items()
        if catalogue.of(metric).reads == "y_pred"
    }
    sets_read |= {*conventions.quantities.DERIVED}
    assert sets_read - {"samples F1", "weighted recall", "zero-one loss"} <= found


@pytest.mark.parametrize("k", [5, 7])
def test_one_place_more_and_one_less_are_taken_for_it_whatever_is_asked(k):
    of_nine = [(np.ones((1, 9), dtype=int), np.arange(9, 0, -1)[None] / 10)]
    found = {one.says: one for one in confusions(partial(top_k.recall, k=k), of_nine)}
    for other in (k - 1, k + 1):
        ((_, number),) = found[f"recall at {other}"].numbers(*of_nine[0])
        assert number == pytest.approx(other / 9)
        assert found[f"recall at {other}"].instead == f"recall at {other}; asked is recall at {k}"
