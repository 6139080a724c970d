"""What changes a metric: cases by pencil, a plain search in fractions, and larger data where nothing was found."""

from __future__ import annotations

from fractions import Fraction as F
from functools import partial
from itertools import islice, permutations, product
from math import isnan, nan

import numpy as np
import pytest
import worlds
from drawing import pool, same
from test_disagreement import OWN_SAMPLES

from mlm_course.invariance import TRANSFORMATIONS, all_changes, smallest_change, table
from mlm_helpers import (
    catalogue,
    curves,
    example_based,
    hamming,
    label_based,
    ranking,
    top_k,
)

METRICS = catalogue.variants(catalogue.taught())  # of the others: test_every_metric.py
CELLS = [
    (metric, name)
    for metric, name in product(METRICS, TRANSFORMATIONS)
    if TRANSFORMATIONS[name].applies(METRICS[metric])
]


# ---------------------------------------------------------------------------- by pencil

# Truth, prediction or scores; both changed; the value before and after.
BY_PENCIL = {
    # A hit of one wrong cell becomes one of two; F1 of a label that is not there is 0.
    ("Hamming loss", "append an unused label"): ([[0]], [[1]], [[0, 0]], [[1, 0]], 1, F(1, 2)),
    ("macro F1", "append an unused label"): ([[1]], [[1]], [[1, 0]], [[1, 0]], 1, F(1, 2)),
    # Of two labels, one pair is tied, the worst of cases; then there are two, one of them right.
    ("ranking loss", "append an unused label"): (
        [[0, 1]], [[0.1, 0.1]], [[0, 1, 0]], [[0.1, 0.1, 0]], 1, F(1, 2),
    ),
    ("macro AUROC", "append an empty sample"): ([[1]], [[0.1]], [[1], [0]], [[0.1], [0]], nan, 1),
    # The positive sample was tied with the negative one, now it is above.
    ("macro AP", "shift a sample's scores"): (
        [[0], [1]], [[0.1], [0.1]], [[0], [1]], [[0.1], [1.1]], F(1, 2), 1,
    ),
    # The labels have 1/2 and 3/4 either way, but 1 and 2 positives of 3 become 2 and 1.
    ("weighted AUROC", "flip all cells"): (
        [[0, 0], [0, 1], [1, 1]], [[0.1, 0.1], [0.1, 0.1], [0.1, 0.2]],
        [[1, 1], [1, 0], [0, 0]], [[0.9, 0.9], [0.9, 0.9], [0.9, 0.8]], F(2, 3), F(7, 12),
    ),
}  # fmt: skip


def matches(found, case):
    """Whether a change is this one: data, changed data and values."""
    if found is None or case is None:
        return found is case
    ours = (found.y_true, found.y_other, found.changed_true, found.changed_other, *found.values)
    return all(
        np.shape(one) == np.shape(other) and same(one, np.array(other, dtype=float))
        for one, other in zip(ours, case, strict=True)
    )


@pytest.mark.parametrize(("metric", "name"), BY_PENCIL)
def test_by_pencil(metric, name):
    assert matches(all_changes()[metric, name], BY_PENCIL[metric, name])


OPTIONS = {  # a convention that is bound, and what then changes; or None
    "reorder labels, ties in order": (
        partial(ranking.coverage, ties="first"), "reorder labels",
        ([[0, 1]], [[0.1, 0.1]], [[1, 0]], [[0.1, 0.1]], 2, 1),
    ),
    "reorder labels, no tie in order": (ranking.coverage, "reorder labels", None),
    "reorder samples, ties in order": (
        partial(curves.average_precision, ties="first"), "reorder samples",
        ([[0], [1]], [[0.1], [0.1]], [[1], [0]], [[0.1], [0.1]], F(1, 2), 1),
    ),
    "repeat, a tie at its mean rank": (  # rank 1 of 1 ÷ 3/2 of 2; then 3/2 of 2 ÷ 5/2 of 4
        partial(curves.average_precision, ties="average"), "repeat every sample",
        ([[0], [1]], [[0.1], [0.1]], [[0], [1]] * 2, [[0.1], [0.1]] * 2, F(2, 3), F(3, 5)),
    ),
    "0/0 is 1": (
        partial(label_based.f1, zero_division=1.0), "append an unused label",
        ([[0]], [[1]], [[0, 0]], [[1, 0]], 0, F(1, 2)),
    ),
    "0/0 is left out": (partial(label_based.f1, zero_division=nan), "append an unused label", None),
    "a weight of 0 for all": (
        partial(label_based.precision, average="weighted", zero_division=1.0),
        "append an unused label", ([[0]], [[1]], [[0, 0]], [[1, 0]], 0, F(1, 2)),
    ),
    "no value is 1/2": (
        partial(curves.roc_auc, undefined=0.5), "append an unused label",
        ([[0], [1]], [[0.1], [0.2]], [[0, 0], [1, 0]], [[0.1, 0], [0.2, 0]], 1, F(3, 4)),
    ),
    "F1 is symmetric": (partial(example_based.fbeta, beta=1), "swap truth and prediction", None),
}  # fmt: skip


@pytest.mark.parametrize("case", OPTIONS)
def test_options_count(case):
    metric, name, expected = OPTIONS[case]
    assert matches(smallest_change(metric, name), expected)


def test_the_longest_window_needs_as_many_labels():
    p3, name = partial(top_k.precision, k=3), "append an empty sample"
    assert smallest_change(p3, name, max_labels=2) is None
    assert np.shape(smallest_change(p3, name).y_true) == (1, 3)


def test_an_option_of_each_label_takes_part():
    """The second of two labels is worth twice as much: a hit in it is all, one in the first is half."""
    worth = partial(
        top_k.propensity_scored_precision, k=1, inverse_propensities=lambda n: range(1, n + 1)
    )
    case = [[1, 1]], [[0.1, 0.2]], [[1, 1]], [[0.2, 0.1]], 1, F(1, 2)
    assert matches(smallest_change(worth, "reorder labels"), case)
    assert smallest_change(worth, "reorder samples", max_labels=2) is None


# ---------------------------------------------------------------------------- the plain search


def columns(matrix):
    return tuple(zip(*matrix, strict=True))


def swapped(y_true, y_pred):
    return [(y_pred, y_true)]


def with_label(y_true, y_other, scored):
    low = min(map(min, y_other)) - F(1, 10) if scored else 0
    return [(tuple((*row, 0) for row in y_true), tuple((*row, low) for row in y_other))]


def with_sample(y_true, y_other, scored):
    low = min(map(min, y_other)) - F(1, 10) if scored else 0
    width = len(y_true[0])
    return [((*y_true, (0,) * width), (*y_other, (low,) * width))]


def orders(y_true, y_other):
    each = [list(permutations(matrix)) for matrix in (y_true, y_other)]
    return list(zip(*each, strict=True))[1:]


def label_orders(y_true, y_other):
    turned = orders(columns(y_true), columns(y_other))
    return [(columns(truth), columns(other)) for truth, other in turned]


def of_scores(function, y_score):
    return tuple(tuple(map(function, row)) for row in y_score)


def shifted(y_true, y_score):
    return [
        (y_true, tuple(tuple(s + (k == i) for s in row) for k, row in enumerate(y_score)))
        for i in range(len(y_score))
    ]


def plain_ways(name, y_true, y_other, scored):
    """All changed data, in the order in which the course counts them."""
    return {
        "swap truth and prediction": lambda: swapped(y_true, y_other),
        "append an unused label": lambda: with_label(y_true, y_other, scored),
        "append an empty sample": lambda: with_sample(y_true, y_other, scored),
        "repeat every sample": lambda: [(y_true * 2, y_other * 2)],
        "reorder labels": lambda: label_orders(y_true, y_other),
        "reorder samples": lambda: orders(y_true, y_other),
        "rescale scores monotonically": lambda: [
            (y_true, of_scores(rise, y_other)) for rise in (lambda s: s**3, lambda s: 10 * s - 3)
        ],
        "shift a sample's scores": lambda: shifted(y_true, y_other),
        "flip all cells": lambda: [
            tuple(of_scores(lambda s: 1 - s, matrix) for matrix in (y_true, y_other))
        ],
    }[name]()


def plain_search(metric, name, sizes):
    scored = metric.record.reads != "y_pred"
    for size in sizes:
        for y_true, y_other in product(worlds.matrices(*size), worlds.predictions([metric], *size)):
            before = metric.value(y_true, y_other)
            for changed in plain_ways(name, y_true, y_other, scored):
                after = metric.value(*changed)
                if not (abs(before - after) < 1e-14 or (isnan(before) and isnan(after))):
                    return y_true, y_other, *changed, before, after
    return None


@pytest.mark.no_cover
@pytest.mark.parametrize("some", [4, pytest.param(1, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("name", TRANSFORMATIONS)
def test_plain_search_finds_the_same(name, some):
    """In sizes up to 3 cells, in fractions: for each fourth metric, or for all of them."""
    metrics = [metric for metric, changed in CELLS if changed == name]
    for metric in metrics[list(TRANSFORMATIONS).index(name) % some :: some]:
        found = all_changes()[metric, name]
        small = found if found and np.size(found.y_true) <= 3 else None
        plain = plain_search(worlds.Exact(METRICS[metric]), name, ((1, 1), (1, 2), (2, 1), (1, 3)))
        assert matches(small, plain), metric


# ---------------------------------------------------------------------------- all changes


def test_no_larger_data_move_a_metric_where_no_small_data_do():
    """Where `all_changes` has None, on data of up to 5 samples and labels."""
    assert list(all_changes()) == CELLS
    for (metric, name), found in all_changes().items():
        if found is None:
            function = METRICS[metric]
            for y_true, y, _ in pool(catalogue.of(function).reads)[:12]:
                data = y_true[:5, :5], y[:5, :5]
                for changed in islice(TRANSFORMATIONS[name].ways(*data), 2):
                    assert same(function(*changed), function(*data)), (metric, name, data)


def test_values_of_all_changes_are_the_metrics_own():
    for (metric, name), found in all_changes().items():
        if found:
            data = (found.y_true, found.y_other), (found.changed_true, found.changed_other)
            assert same(found.values, [METRICS[metric](*world) for world in data])
            assert (catalogue.describe(found.metric), found.name) == (metric, name)
            assert all(type(cell) is int for row in found.changed_true for cell in row)


def test_the_table_counts_cells():
    """Of weighted AUROC: no swap of scores; 1 positive; 2 tied samples; 6 cells are flipped by pencil above."""
    (shown,) = table().steps
    assert shown.header == (
        "metric", "swap truth and prediction", "append an unused label", "append an empty sample",
        "shift a sample's scores", "flip all cells",
    )  # fmt: skip
    rows = {name: row for name, *row in shown.rows}
    assert rows["weighted AUROC"] == ["", "–", "1", "2", "6"]
    assert rows["Hamming loss"] == ["–", "1", "1", "", "–"] and len(rows) == len(METRICS)


def test_a_ratio_that_reads_tn_has_a_case_where_others_never_change():
    """An unused label is right everywhere, 1: beside a false alarm, which is 0, also under weighted."""
    for average in ("macro", "micro", "weighted"):
        metric = partial(label_based.specificity, average=average)
        case = smallest_change(metric, "append an unused label")
        assert matches(case, ([[0]], [[1]], [[0, 0]], [[1, 0]], 0, F(1, 2)))
        for name in ("append an empty sample", "flip all cells"):  # flipped it is recall
            assert np.size(smallest_change(metric, name).y_true) == 1
        assert smallest_change(metric, "repeat every sample") is None


# ---------------------------------------------------------------------------- errors

NAMES = ", ".join(map(repr, TRANSFORMATIONS))


@pytest.mark.parametrize(
    ("metric", "name", "sentence"),
    [
        (
            ranking.coverage, "swap truth and prediction",
            "name is 'swap truth and prediction', which does not change what coverage reads: choose another"
            " one",
        ),
        (
            hamming.hamming_loss, "shift a sample's scores",
            "name is \"shift a sample's scores\", which does not change what Hamming loss reads: choose"
            " another one",
        ),
        (hamming.hamming_loss, "sort", f"name is 'sort': choose one of {NAMES}"),
        (hamming.hamming_loss, None, f"name is None: choose one of {NAMES}"),
        (
            partial(hamming.hamming_loss, sample_weight=[1]), "reorder labels",
            OWN_SAMPLES,
        ),
    ],
)  # fmt: skip
def test_what_is_refused(metric, name, sentence):
    with pytest.raises(ValueError) as error:
        smallest_change(metric, name)
    assert str(error.value) == sentence
