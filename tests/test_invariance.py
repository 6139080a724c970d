"""Changes of data that change a metric, by hand and on larger data."""

from __future__ import annotations

from fractions import Fraction as F
from functools import partial
from itertools import islice, product
from math import nan

import numpy as np
import pytest
from random_inputs import agree, random_matrices

from mlm_course.invariance import TRANSFORMATIONS, all_changes, smallest_change
from mlm_helpers import catalogue, curves, hamming, label_based, ranking

METRICS = catalogue.variants(catalogue.taught_records())
CELLS = [
    (metric, name)
    for metric, name in product(METRICS, TRANSFORMATIONS)
    if TRANSFORMATIONS[name].applies(METRICS[metric])
]


def is_same(change, expected):
    """Whether a `Change` has these data, changed data and values, or both are None."""
    if change is None or expected is None:
        return change is expected
    *data, values = change
    return all(map(agree, (*data, *values), expected))


# A metric with options, a transformation, and None or the smallest data: truth and prediction, both
# after the change, and the value before and after.
WITH_OPTIONS = {
    "reorder labels, ties in order": (
        partial(ranking.coverage, ties="first"), "reorder labels",
        ([[0, 1]], [[0.1, 0.1]], [[1, 0]], [[0.1, 0.1]], 2, 1),
    ),
    "reorder samples, ties in order": (
        partial(curves.average_precision, ties="first"), "reorder samples",
        ([[0], [1]], [[0.1], [0.1]], [[1], [0]], [[0.1], [0.1]], F(1, 2), 1),
    ),
    "repeat, a tie at its mean rank": (  # 1 ÷ 3/2, then 3/2 ÷ 5/2
        partial(curves.average_precision, ties="average"), "repeat every sample",
        ([[0], [1]], [[0.1], [0.1]], [[0], [1]] * 2, [[0.1], [0.1]] * 2, F(2, 3), F(3, 5)),
    ),
    "precision becomes recall": (
        partial(label_based.precision, average="micro"), "swap truth and prediction",
        ([[0, 1]], [[1, 1]], [[1, 1]], [[0, 1]], F(1, 2), 1),
    ),
    "a tie is broken": (
        curves.average_precision, "shift a sample's scores",
        ([[0], [1]], [[0.1], [0.1]], [[0], [1]], [[0.1], [1.1]], F(1, 2), 1),
    ),
    "one more cell is right": (
        hamming.hamming_loss, "append an empty sample",
        ([[0]], [[1]], [[0], [0]], [[1], [0]], 1, F(1, 2)),
    ),
    "the order of scores is left": (ranking.coverage, "rescale scores monotonically", None),
    "0/0 is left out": (partial(label_based.f1, zero_division=nan), "append an unused label", None),
    "a weight of 0 for all": (
        partial(label_based.precision, average="weighted", zero_division=1.0),
        "append an unused label", ([[0]], [[1]], [[0, 0]], [[1, 0]], 0, F(1, 2)),
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", WITH_OPTIONS)
def test_options_matter(case):
    metric, name, expected = WITH_OPTIONS[case]
    assert is_same(smallest_change(metric, name), expected)


# All changed data of a transformation in their order, from truth, prediction and a score below all
# others.


def test_the_largest_case_is_the_flip_that_exchanges_the_weights_of_labels():
    """The labels have 1/2 and 3/4 either way, but 1 and 2 positives of 3 become 2 and 1."""
    case = (
        [[0, 0], [0, 1], [1, 1]], [[0.1, 0.1], [0.1, 0.1], [0.1, 0.2]],
        [[1, 1], [1, 0], [0, 0]], [[0.9, 0.9], [0.9, 0.9], [0.9, 0.8]], F(2, 3), F(7, 12),
    )  # fmt: skip
    assert is_same(all_changes()["weighted AUROC", "flip all cells"], case)
    assert max(np.size(change.y_true) for change in all_changes().values() if change) == 6


def test_no_larger_data_move_a_metric_where_no_small_data_do():
    """Where `all_changes` has None, on data of up to 5 samples and labels."""
    assert list(all_changes()) == CELLS
    for (metric, name), change in all_changes().items():
        if change is None:
            function = METRICS[metric]
            for y_true, y, _ in random_matrices(catalogue.record_of(function).reads)[:6]:
                data = y_true[:5, :5], y[:5, :5]
                for changed in islice(TRANSFORMATIONS[name].variants(*data), 2):
                    assert agree(function(*changed), function(*data)), (metric, name, data)


def test_values_of_all_changes_are_those_of_the_metrics():
    for (metric, _), change in all_changes().items():
        if change:
            data = (change.y_true, change.y_pred), (change.changed_true, change.changed_other)
            assert agree(change.values, [METRICS[metric](*matrices) for matrices in data])


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("shift a sample's scores", "which does not apply to Hamming"),
        ("sort", "choose one of 's"),
    ],
)
def test_what_is_refused(name, words):
    with pytest.raises(ValueError, match=words):
        smallest_change(hamming.hamming_loss, name)
