"""Bounds over unknown labels: the lowest and highest of all fillings, tried one by one."""

from __future__ import annotations

from functools import cache, partial
from itertools import combinations_with_replacement, product

import numpy as np
import pytest
import throwaway
from drawing import hiding, on, same
from worlds import rows

from mlm_helpers import catalogue, data, hamming, label_based

RECORDS = (*catalogue.METRICS, *throwaway.RECORDS)
every_metric = pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.id)


@pytest.fixture(autouse=True, scope="module")
def throwaways():
    with throwaway.installed():
        yield


def fillings(y_true):
    """All truths without unknown cells (-1) that a truth can be."""
    of_rows = (product(*((0, 1) if cell < 0 else (cell,) for cell in row)) for row in y_true)
    return product(*of_rows)


def tried(metric, y_true, y_pred):
    """Lowest and highest value over all fillings."""
    values = [metric(truth, y_pred) for truth in fillings(y_true)]
    return min(values), max(values)


def is_bounded(record, options):
    """Whether two fillings are known to give the bounds."""
    rate_of_tn = record.family == "label-based" and record.reads_tn
    if record.reads != "y_pred" or record.prepare or rate_of_tn:
        return False
    return options.get("average") != "weighted" and "nan" not in str(options.get("zero_division"))


def unknown_data(n_samples, n_labels):
    """All truths with unknown cells and all predictions, but for the order of the samples and of two labels."""
    samples = list(product(product((-1, 0, 1), repeat=n_labels), rows(n_labels)))
    for world in combinations_with_replacement(samples, n_samples):
        if world <= tuple(sorted((true[::-1], pred[::-1]) for true, pred in world)):
            yield tuple(zip(*world, strict=True))


def choices(record):
    """The options of a metric that decide where it lies, each in turn."""
    values = {"average": ("macro", "micro"), "zero_division": (0.0, "agree", 1.0), "beta": (2,)}
    taken = [[(name, v) for v in values[name]] for name in values if name in record.defaults]
    return map(dict, product(*taken))


@pytest.mark.parametrize("record", [r for r in RECORDS if is_bounded(r, {})], ids=repr)
@pytest.mark.parametrize("size", [1, pytest.param(2, marks=pytest.mark.exhaustive)])
def test_bounds_are_those_of_all_fillings_of_all_small_data(record, size):
    shape = (size, 2) if record.along == "sample" else (2, size)
    for options in choices(record):
        metric = partial(record.function, **options)
        of_known = cache(metric)
        for y_true, y_pred in unknown_data(*shape):
            found = data.bounds(metric, np.ma.masked_equal(y_true, -1), y_pred)
            assert same(found, tried(of_known, y_true, y_pred)), (y_true, y_pred, options)


@every_metric
@on(6)
def test_bounds_are_those_of_all_fillings_or_are_refused(
    record, y_true, y, weights, options, random
):
    if options.get("average", "") is None:
        options["average"] = "macro"
    if random.random() < 0.3:
        options["sample_weight"] = weights * 0.1
    metric = partial(record.function, **options)
    y_true = hiding(y_true, random, most=5)
    if is_bounded(record, options):
        assert same(data.bounds(metric, y_true, y), tried(metric, y_true.filled(-1), y))
    else:
        with pytest.raises(ValueError, match=r"^metric is .*, which .*: bounds takes metrics that"):
            data.bounds(metric, y_true, y)


def test_by_hand():
    """Two known hits and a miss; unknown are one that is predicted, and two that are not."""
    y_true = data.unknown([[1, 1, -1], [1, -1, -1]])
    y_pred = [[1, 0, 1], [1, 0, 0]]
    micro = partial(label_based.f1, average="micro")
    assert data.bounds(micro, y_true, y_pred) == (4 / 8, 6 / 7)  # 2·2/(4 + 1 + 3), 2·3/(6 + 1)
    assert data.bounds(hamming.hamming_loss, y_true, y_pred) == (1 / 6, 4 / 6)
    assert data.bounds(hamming.hamming_loss, [[1, 0]], [[1, 1]]) == (0.5, 0.5)  # all is known
