"""The catalogue: one record per metric, with formulas in words and conditions that hold."""

from __future__ import annotations

import inspect
import json
import math
from functools import partial
from itertools import product
from math import sqrt

import numpy as np
import pytest

from mlm_course import records
from mlm_helpers import catalogue, curves, hierarchy, label_based, probability, ranking, top_k
from mlm_helpers.catalogue import METRICS
from tools import readme

MODULES = {inspect.getmodule(record.function) for record in METRICS}
HELPERS = {  # public functions that are not metrics
    label_based.confusion, ranking.ranks, curves.precision_recall, curves.roc,
    top_k.inverse_propensities, hierarchy.closure,
    probability.reliability,
}  # fmt: skip
PUBLIC = [
    function
    for module in MODULES
    for name, function in inspect.getmembers(module, inspect.isfunction)
    if name in module.__all__
]


def by_id(records):
    return pytest.mark.parametrize("record", records, ids=lambda record: record.id)


# ---------------------------------------------------------------------------- all records


def test_every_public_metric_has_exactly_one_record():
    recorded = [record.function for record in METRICS]
    assert len(recorded) == len(set(recorded))
    assert set(recorded) | HELPERS == set(PUBLIC)


def test_no_two_metrics_have_one_name():
    n_averages = [sum(average is not None for average in record.averages) for record in METRICS]
    assert len(catalogue.variants()) == sum(n or 1 for n in n_averages)  # 1 without averages


@pytest.mark.parametrize("name", catalogue.variants())
def test_the_share_of_unknown_cells_shifts_the_metrics_that_read_a_row_as_a_whole(name):
    """Each row is repeated under all masks, so that every cell is known in half of the copies."""
    metric = catalogue.variants()[name]
    y_true = np.array([[1, 0, 1], [0, 1, 1], [1, 1, 0], [0, 0, 1]])
    y_score = np.array([[0.8, 0.6, 0.7], [0.4, 0.3, 0.9], [0.2, 0.7, 0.5], [0.6, 0.1, 0.3]])
    if catalogue.record_of(metric).reads == "y_pred":
        y_score = y_score >= 0.5
    masks = [*product((False, True), repeat=3)]
    truth_copies, score_copies = (m.repeat(len(masks), axis=0) for m in (y_true, y_score))
    masked = np.ma.MaskedArray(truth_copies, np.tile(masks, (len(y_true), 1)))
    is_equal = metric(masked, score_copies) == pytest.approx(metric(y_true, y_score))
    assert is_equal != catalogue.record_of(metric).shifts_when_masked


# ----------------------------------------------------------------- formulas, in words and as MathML

QUANTITIES = {  # in words, of a sample with 3 hits, 1 false alarm, 2 misses and 4 true negatives
    "samples predicted without the label": 6, "samples without the label": 5, "rightly left out": 4,
    "labels true or predicted": 6, "predicted labels": 4, "true labels": 5, "wrong cells": 3,
    "all cells": 10, "hits": 3, "misses × their price": 2 * 5, "false alarms × their price": 1,
    "misses": 2, "false alarms": 1,
    "right by chance": 0.5 * 0.4 + 0.5 * 0.6, "right cells": 7, "right": 0.7,
    "mean of recall and specificity": (3 / 5 + 4 / 5) / 2,
    "correlation of truth and prediction": (3 * 4 - 1 * 2) / sqrt(5 * 4 * 5 * 6),
    "β²": 4, "×": "*", "÷": "/", "−": "-",
}  # fmt: skip
SAMPLE = [[1] * 5 + [0] * 5], [[1] * 3 + [0] * 2 + [1] + [0] * 4]
CONDITIONS = {  # on the numbers of true and of predicted cells among three: in words
    lambda n_true, n_predicted: n_true == 0: (
        "a sample has no true label", "no sample has the label", "a sample has no relevant label",
        "a label has no positive", "no sample has a true label", "no sample has a relevant label"),
    lambda n_true, n_predicted: n_predicted == 0: (
        "nothing is predicted for a sample", "a label is never predicted",
        "nothing is predicted for any sample"),
    lambda n_true, n_predicted: n_true + n_predicted == 0: (
        "a sample has neither true nor predicted labels",
        "a label is neither true nor predicted anywhere",
        "no sample has a true or a predicted label"),
    lambda n_true, n_predicted: n_true in (0, 3): (
        "a sample has no relevant or no irrelevant label", "a label has no positive or no negative",
        "no sample has the label, or every sample has it"),
    lambda n_true, n_predicted: n_true == 3: ("every sample has the label",),
    lambda n_true, n_predicted: n_predicted == 3: ("a label is predicted for every sample",),
    lambda n_true, n_predicted: bool({n_true, n_predicted} & {0, 3}): (
        "no sample or every sample has the label, or is predicted to have it",),
    lambda n_true, n_predicted: n_true == n_predicted and n_true in (0, 3): (
        "no sample has the label or is predicted to, or every sample has it and is",),
}  # fmt: skip


@by_id([r for r in METRICS if r.reads == "y_pred" and r.family != "exact match"])
def test_the_formula_in_words_gives_the_metric_of_a_sample(record):
    """Options are written with blanks: "threshold probability"."""
    per_label = {
        name.replace("_", " "): record.required[name](1)[0] for name in record.required_per_label
    }
    formula, _, _ = record.teaching.words.partition(", ")
    for words, number in (QUANTITIES | per_label).items():
        formula = formula.replace(words, str(number))
    data = [np.transpose(matrix) for matrix in SAMPLE] if record.unit == "label" else SAMPLE
    options = record.required | ({"parents": [[]] * 10} if record.family == "hierarchy" else {})
    assert eval(formula) == pytest.approx(record.function(*data, **options))


@by_id([record for record in METRICS if record.teaching.undefined_where])
def test_a_metric_is_undefined_where_its_record_says(record):
    """On all samples of three labels, or all labels of three samples."""
    options = {"per_sample": True} if record.unit == "sample" else {}
    options |= {"average": None} if None in record.averages else {}
    options |= dict.fromkeys({"undefined", "zero_division"} & record.defaults.keys(), math.nan)
    (condition,) = (
        c for c, words in CONDITIONS.items() if record.teaching.undefined_where in words
    )
    for truth, prediction in product(product((0, 1), repeat=3), repeat=2):
        shape = (1, 3) if record.unit == "sample" else (3, 1)
        y = (3, 2, 1) if record.reads == "y_score" else prediction
        data = np.reshape(truth, shape), np.reshape(y, shape)
        value = record.function(*data, **record.required, **options)
        assert np.isnan(value).all() == condition(n_true=sum(truth), n_predicted=sum(prediction))


def test_mathml_is_that_of_the_formulas():
    stored, rendered = records.load("mathml"), json.loads(readme.mathml())
    assert stored.items() <= rendered.items(), "run make notebooks"
    formulas = {record.teaching.latex for record in catalogue.taught_records()}
    assert formulas <= stored.keys(), "run make notebooks"


def test_no_two_betas_have_one_name():
    for beta, name in ((2.0, "F2"), (0.5, "F0.5"), (1.0000001, "F1.0000001")):
        assert catalogue.full_name(partial(label_based.fbeta, beta=beta)) == f"macro {name}"
