"""The usual slips: each makes the number that one finds by hand."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial

import numpy as np
import pytest

from mlm_course.practice.answers import read
from mlm_course.practice.confusions import Confusion, confusions, named
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


def places(says, metric, y_true, y_other):
    function = partial(SLIP[says].of, metric)
    return Confusion(says, function).numbers(np.array(y_true), np.array(y_other))


def numbers(*asked):
    return [number for _, number in places(*asked)]


F2, AT_2 = partial(example_based.fbeta, beta=2), partial(top_k.precision, k=2)
NDCG = partial(top_k.ndcg, k=2)
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
    ("the sum is divided by the number on the other side of the matrix", label_based.f1, Fraction(32, 45)),  # 4/5, 2/3, 2/3, 0
    ("the hits are divided by all cells", partial(label_based.f1, average="weighted"), Fraction(7, 18)),  # weights 2, 2, 1, 1
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


@pytest.mark.parametrize(("says", "metric", "value"), BY_HAND)
def test_a_slip_makes_what_a_pencil_makes(says, metric, value):
    other = P if catalogue.of(metric).reads == "y_pred" else S
    assert SLIP[says].fits(Task(metric, np.array(T), np.array(other)))
    assert numbers(says, metric, T, other) == [pytest.approx(float(value))]


P_EACH, F1_EACH, F1_LABELS = (1 / 2, 1, 1 / 2), (1 / 2, 4 / 5, 2 / 3), (4 / 5, 2 / 3, 2 / 3, 0)


def mean_with(i, value):
    """The mean precision if that of a sample is another."""
    return f"sample {i}", (sum(P_EACH) - P_EACH[i - 1] + value) / 3


def without(noun, values):
    """The mean of all values but one, for each."""
    n = len(values)
    return [(f"{noun} {i}", (sum(values) - one) / (n - 1)) for i, one in enumerate(values, 1)]


IN_PLACES = [
    ("one false alarm is counted as a miss", example_based.precision, [mean_with(1, 1), mean_with(3, 1)]),
    ("one miss is counted as a false alarm", example_based.precision, [mean_with(1, 1 / 3), mean_with(2, 2 / 3)]),
    ("one false alarm is overlooked", example_based.precision, [mean_with(1, 1), mean_with(3, 1)]),
    ("one miss is overlooked", example_based.precision, [mean_with(1, 1 / 2), mean_with(2, 1)]),
    ("one hit is overlooked", example_based.precision, [mean_with(1, 0), mean_with(2, 1), mean_with(2, 1), mean_with(3, 0)]),
    ("one false alarm is counted as a hit", example_based.precision, [mean_with(1, 1), mean_with(3, 1)]),
    ("one miss is counted as a hit", example_based.precision, [mean_with(1, 2 / 3), mean_with(2, 1)]),
    ("one sample is left out", example_based.f1, without("sample", F1_EACH)),
    ("one label is left out", label_based.f1, without("label", F1_LABELS)),
    ("only one value is taken", example_based.f1, [(f"sample {i}", one) for i, one in enumerate(F1_EACH, 1)]),
]  # fmt: skip


@pytest.mark.parametrize(("says", "metric", "found"), IN_PLACES)
def test_a_slip_in_one_place_names_each(says, metric, found):
    assert places(says, metric, T, P) == [(place, pytest.approx(n)) for place, n in found]


def test_every_slip_is_tried():
    assert {says for says, *_ in (*BY_HAND, *IN_PLACES)} == {*SLIP}


def test_a_place_of_its_own_is_asked_where_labels_are_tied():
    says = "a hit is divided by its place, without a logarithm"
    metric = partial(top_k.ndcg, k=2)
    assert numbers(says, metric, [[1, 0, 0]], [[0.5, 0.5, 0.1]]) == []
    assert numbers(says, metric, [[1, 0, 0]], [[0.5, 0.6, 0.1]]) == [1 / 2]


# ---------------------------------------------------------------------------- what can be taken for a metric


TRIALS = [(np.array(T), np.array(P)), (1 - np.array(T), np.array(P)), (np.array(P), np.array(T))]


@pytest.mark.parametrize("name", ["samples recall", "micro F1", "average precision", "macro AUROC"])
def test_what_always_is_the_metric_is_no_confusion(name):
    """And of two that are always the same one is told: micro recall is weighted recall."""
    metric = catalogue.variants()[name]
    scored = catalogue.of(metric).reads == "y_score"
    trials = [(np.array(t), np.array(S)) for t in (T, P, np.roll(T, 1))] if scored else TRIALS
    found = confusions(metric, trials)
    says = {one.says for one in found}
    assert name not in says and len(says & {"micro recall", "weighted recall"}) < 2
    asked = [float(metric(*pair)) for pair in trials]
    for one in found:
        given = [n for pair in trials for _, n in one.numbers(*pair)]
        assert given and (len(given) != len(asked) or not np.allclose(given, asked))


def test_every_reading_of_identify_is_tried():
    trials = np.random.default_rng(1).integers(0, 2, (6, 2, 6, 5))
    found = {one.says for one in confusions(example_based.f1, trials)}
    read = [record for record in catalogue.taught() if record.reads == "y_pred"]
    known = {*catalogue.variants(read), *conventions.quantities.DERIVED}
    assert known - {"samples F1", "weighted recall", "zero-one loss"} <= found


def test_one_place_more_and_one_less_are_taken_for_it_whatever_is_asked(k=7):
    of_nine = [(np.ones((1, 9), dtype=int), np.arange(9, 0, -1)[None] / 10)]
    found = {one.says: one for one in confusions(partial(top_k.recall, k=k), of_nine)}
    for other in (k - 1, k + 1):
        ((_, number),) = found[f"recall at {other}"].numbers(*of_nine[0])
        assert number == pytest.approx(other / 9)
        assert found[f"recall at {other}"].instead == f"recall at {other}; asked is recall at {k}"


# ---------------------------------------------------------------------------- how it is said


def slipped(says, *places, near=1):
    return Confusion(says, lambda *_: [(place, 0.3) for place in places or ("",)], near)


def other(name):
    return Confusion(name, lambda *_: [("", 0.3)], 0, f"{name}, its mean; asked is F1")


SAID = [
    # metrics are told before slips, and no number twice
    ([slipped("it slips"), other("one"), other("two")],
     "0.30 is one, its mean; asked is F1. It is also two. It also comes out if it slips."),
    # the nearest three
    ([slipped("it is far", near=3), *map(slipped, ("it slips 1", "it slips 2", "it slips 3"))],
     "0.30 comes out if it slips 1; or if it slips 2; or if it slips 3."),
    # each place once
    ([slipped("it slips", "sample 1", "sample 1", "sample 3")],
     "0.30 comes out if it slips (sample 1 or sample 3)."),
]  # fmt: skip


@pytest.mark.parametrize(("every", "says"), SAID, ids=range(3))
def test_ways_to_a_number_are_told(every, says):
    assert named(read("0.30"), every, TRIALS[0]) == says
