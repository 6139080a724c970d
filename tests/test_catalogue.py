"""The catalogue: one record per metric, what it takes and what it refuses; formulas in words."""

from __future__ import annotations

import inspect
import json
import math
from functools import partial
from itertools import product

import numpy as np
import pytest

from mlm_course import records
from mlm_helpers import catalogue, curves, hierarchy, label_based, probability, ranking, top_k
from mlm_helpers.catalogue import METRICS
from tools import readme

MODULES = {inspect.getmodule(record.function) for record in METRICS}
HELPERS = {  # public, but no metrics
    label_based.confusion, ranking.ranks, curves.precision_recall, curves.roc, top_k.inverse_propensities,
    hierarchy.closure, hierarchy.closed_data,
    probability.reliability,
}  # fmt: skip
PUBLIC = [
    function
    for module in MODULES
    for name, function in inspect.getmembers(module, inspect.isfunction)
    if not name.startswith("_") and function.__module__ == module.__name__
]


def by_id(records):
    return pytest.mark.parametrize("record", records, ids=lambda record: record.id)


# ---------------------------------------------------------------------------- all records


def test_every_public_metric_has_exactly_one_record():
    recorded = [record.function for record in METRICS]
    assert len(recorded) == len(set(recorded))
    assert set(recorded) | HELPERS == set(PUBLIC)


def test_no_two_metrics_have_one_name():
    averages = [[a for a in record.averages if a] for record in METRICS]
    assert len(catalogue.variants()) == sum(len(some) or 1 for some in averages)


@pytest.mark.parametrize("name", catalogue.variants())
def test_the_share_of_unknown_cells_shifts_the_metrics_that_read_a_row_as_a_whole(name):
    """Under all masks of each row at once, every cell is known in half of the copies."""
    metric = catalogue.variants()[name]
    y_true = np.array([[1, 0, 1], [0, 1, 1], [1, 1, 0], [0, 0, 1]])
    y_score = np.array([[0.8, 0.6, 0.7], [0.4, 0.3, 0.9], [0.2, 0.7, 0.5], [0.6, 0.1, 0.3]])
    if catalogue.record_of(metric).reads == "y_pred":
        y_score = y_score >= 0.5
    masks = np.tile([*product((False, True), repeat=3)], (4, 1))
    masked = np.ma.MaskedArray(y_true.repeat(8, axis=0), masks)
    same = metric(masked, y_score.repeat(8, axis=0)) == pytest.approx(metric(y_true, y_score))
    assert same != catalogue.record_of(metric).shifts_when_masked


# ---------------------------------------------------------------------------- formulas, in words and for browsers

WORTH = {  # of a sample with 3 hits, 1 false alarm, 2 misses and 4 cells rightly left out
    "labels true or predicted": 6, "predicted labels": 4, "true labels": 5, "wrong cells": 3,
    "all cells": 10, "hits": 3, "β²": 4, "×": "*", "÷": "/",
}  # fmt: skip
SAMPLE = [[1] * 5 + [0] * 5], [[1] * 3 + [0] * 2 + [1] + [0] * 4]
WHERE = {  # by how many are true, and how many are predicted, of three
    lambda true, said: true == 0: (
        "a sample has no true label", "no sample has the label", "a sample has no relevant label",
        "a label has no positive", "no sample has a true label", "no sample has a relevant label"),
    lambda true, said: said == 0: (
        "nothing is predicted for a sample", "a label is never predicted", "nothing is predicted for any sample"),
    lambda true, said: true + said == 0: (
        "a sample has neither true nor predicted labels", "a label is neither true nor predicted anywhere",
        "no sample has a true or a predicted label"),
    lambda true, said: true in (0, 3): (
        "a sample has no relevant or no irrelevant label", "a label has no positive or no negative",
        "no sample has the label, or every sample has it"),
    lambda true, said: true == 3: ("every sample has the label",),
    lambda true, said: said == 3: ("a label is predicted for every sample",),
    lambda true, said: bool({true, said} & {0, 3}): (
        "no sample or every sample has the label, or is predicted to have it",),
    lambda true, said: true == said and true in (0, 3): (
        "no sample has the label or is predicted to, or every sample has it and is",),
}  # fmt: skip


@by_id([r for r in catalogue.taught_records() if r.reads == "y_pred" and r.family != "exact match"])
def test_the_words_of_a_set_metric_are_its_formula(record):
    said = record.formula_in_words
    for word, worth in WORTH.items():
        said = said.replace(word, str(worth))
    data = [np.transpose(one) for one in SAMPLE] if record.unit == "label" else SAMPLE
    assert eval(said) == pytest.approx(record.function(*data, **record.required))


@by_id([record for record in METRICS if record.undefined_where])
def test_it_is_undefined_where_its_record_says(record):
    each = {"per_sample": True} if record.unit == "sample" else {}
    each |= {"average": None} if None in record.averages else {}
    each |= dict.fromkeys({"undefined", "zero_division"} & record.defaults.keys(), math.nan)
    (holds,) = (holds for holds, words in WHERE.items() if record.undefined_where in words)
    for true, said in product(product((0, 1), repeat=3), repeat=2):
        shape = (1, 3) if record.unit == "sample" else (3, 1)
        other = (3, 2, 1) if record.reads == "y_score" else said
        data = np.reshape(true, shape), np.reshape(other, shape)
        value = record.function(*data, **record.required, **each)
        assert np.isnan(value).all() == holds(sum(true), sum(said))


def test_mathml_is_that_of_the_formulas():
    known, made = records.load("mathml"), json.loads(readme.mathml())
    assert known.items() <= made.items(), "run make notebooks"
    assert {record.latex for record in catalogue.taught_records()} <= known.keys(), (
        "run make notebooks"
    )


def test_a_document_s_names_stand_in_the_order_of_the_averages():
    for said in (said for record in METRICS for said in record.names.values() if ", " in said):
        macro, micro = said.split(", ")
        assert macro.startswith(("macro", "宏观")) and micro.startswith(("micro", "微观"))


def test_an_option_per_label_takes_a_function_of_their_number():
    """So that data of any size can be searched."""
    y_true, y_score = [[1, 0, 1]], [[3, 2, 1]]
    of = partial(top_k.propensity_scored_precision, y_true, y_score, k=1)
    assert of(inverse_propensities=lambda n: range(1, n + 1)) == of([1, 2, 3]) == 1 / 3


def test_no_two_betas_have_one_name():
    for beta, name in ((2.0, "F2"), (0.5, "F0.5"), (1.0000001, "F1.0000001")):
        assert catalogue.full_name(partial(label_based.fbeta, beta=beta)) == f"macro {name}"
