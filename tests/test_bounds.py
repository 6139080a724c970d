"""Bounds over unknown labels: the lowest and highest of all fillings, tried one by one."""

from __future__ import annotations

import math
from functools import partial
from itertools import product

import numpy as np
import pytest
import throwaway
from drawing import hiding, on, same

from mlm_helpers import catalogue, curves, data, hamming, hierarchy, label_based, ranking
from mlm_helpers._core import counts

RECORDS = (*catalogue.METRICS, *throwaway.RECORDS)
every_metric = pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.id)


@pytest.fixture(autouse=True, scope="module")
def throwaways():
    with throwaway.installed():
        yield


def tried(metric, y_true, y_other):
    """Lowest and highest value over all fillings."""
    hidden, values = np.flatnonzero(np.ma.getmaskarray(y_true)), []
    for cells in product((0, 1), repeat=len(hidden)):
        truth = y_true.filled(0)
        truth.flat[hidden] = cells
        values.append(metric(truth, y_other))
    known = [value for value in values if not math.isnan(value)] or [math.nan]
    return min(known), max(known)


@every_metric
@on(12)
def test_bounds_are_those_of_all_fillings(record, y_true, y, weights, options, random):
    if options.get("average", "") is None:
        options["average"] = "macro"
    if random.random() < 0.3:
        options["sample_weight"] = weights * 0.1
    metric = partial(record.function, **options)
    y_true = hiding(y_true, random, most=5)
    if options.get("average") == "weighted" and "nan" in str(options.get("zero_division")):
        with pytest.raises(ValueError, match="zero_division is nan and average 'weighted'"):
            data.bounds(metric, y_true, y)
    else:
        assert same(data.bounds(metric, y_true, y), tried(metric, y_true, y))


def test_by_hand():
    """Two known hits and a miss; unknown are one that is predicted, and two that are not."""
    y_true = data.unknown([[1, 1, -1], [1, -1, -1]])
    y_pred = [[1, 0, 1], [1, 0, 0]]
    micro = partial(label_based.f1, average="micro")
    assert data.bounds(micro, y_true, y_pred) == (4 / 8, 6 / 7)  # 2·2/(4 + 1 + 3), 2·3/(6 + 1)
    assert data.bounds(hamming.hamming_loss, y_true, y_pred) == (1 / 6, 4 / 6)


def masked(*rows):
    return np.ma.masked_equal(rows, -1)


HARD = [  # where less than all would be overlooked: a support of 1 of 2; one in the middle, of tied and of heavy ones
    (partial(label_based.f1, average="weighted"), masked([-1, 1], [-1, 1]), [[1, 1], [1, 1]]),
    (
        partial(curves.average_precision, average="weighted"),
        masked([-1, 1], [-1, 1], [0, 0], [-1, 1], [0, 0], [0, -1], [0, 0], [-1, 0]),
        [[1, 0], [1, 1], [1, 0], [0, 1], [1, 0], [0, 1], [1, 0], [0, 1]],
    ),
    (  # positives at 10 and, three of them tied, at 100; one more just above or below these is worth less
        curves.average_precision,
        masked(*[[0]] * 9, [1], *[[0]] * 86, [-1], [1], [1], [-1], *[[0]] * 19, [-1]),
        [*[[9]] * 10, *[[5]] * 86, [4], [3], [3], [3], *[[2]] * 19, [1]],
    ),
    (
        partial(curves.roc_auc, sample_weight=[5, 4, 1, 6]),
        masked([0], [-1], [-1], [-1]),
        [[1], [8], [8], [8]],
    ),
]


@pytest.mark.parametrize(("metric", "y_true", "y_other"), HARD)
def test_what_extremes_alone_would_miss(metric, y_true, y_other):
    assert same(data.bounds(metric, y_true, np.array(y_other)), tried(metric, y_true, y_other))


def test_by_hand_where_support_weighs():
    """One positive of the first label: (1 × 2/3 + 2 × 1) / 3; none or two make 1."""
    metric, y_true, y_pred = HARD[0]
    assert same(data.bounds(metric, y_true, y_pred), (8 / 9, 1))


def test_a_step_before_the_formula_may_take_from_one_label_to_another():
    def closed_f1(y_true, y_pred, *, average="macro", zero_division=0.0, sample_weight=None):
        closed = (hierarchy.closure(y, [[], [0]]) for y in (y_true, y_pred))
        return label_based.f1(*closed, average=average, zero_division=zero_division)

    record = catalogue.Metric(
        "closed F1", closed_f1, "label-based", "", True, counts.f1, along="label",
        prepare=lambda given, _: hierarchy.closed(given, [[], [0]]),
    )  # fmt: skip
    y_true, y_pred = masked([-1, -1], [0, -1], [0, 0]), np.array([[1, 0], [0, 1], [1, 1]])
    with throwaway.added(record):
        for average in ("macro", "micro"):
            metric = partial(closed_f1, average=average)
            assert same(data.bounds(metric, y_true, y_pred), tried(metric, y_true, y_pred))


def test_the_metric_of_the_known_cells_can_lie_outside():
    """The relevant label is first of one known label, and second of two, whatever the other is."""
    y_true, y_score = masked([1, -1]), [[0.5, 0.9]]
    assert ranking.coverage(y_true, y_score) == 1
    assert data.bounds(ranking.coverage, y_true, y_score) == (2, 2)


def test_all_known_bounds_are_the_metric_itself():
    assert data.bounds(hamming.hamming_loss, [[1, 0]], [[1, 1]]) == (0.5, 0.5)


def test_large_data_are_bounded_where_counts_add_up_and_in_the_order_of_a_column():
    rng = np.random.default_rng(0)
    score = rng.random((400, 8))
    y_true = hiding(rng.random(score.shape) < score, rng, most=800)
    micro = partial(label_based.f1, average="micro")
    low, high = data.bounds(micro, y_true, score > 0.5)
    assert low < micro(y_true.filled(0), score > 0.5) < high
    for metric in (curves.roc_auc, curves.average_precision):
        low, high = data.bounds(metric, y_true, score)
        assert low < metric(y_true.filled(0), score) < high


def test_what_takes_too_long_is_refused_by_name():
    y_true = hiding(np.ones((60, 50), int), np.random.default_rng(0), most=1500)
    for name, tried in (
        ("coverage", "row, which"),
        ("macro AP", "column, as an unknown cell is tied"),
    ):
        with pytest.raises(ValueError, match=f"1500 unknown .* {name} try every way to .* {tried}"):
            data.bounds(catalogue.variants()[name], y_true, np.ones((60, 50)))
