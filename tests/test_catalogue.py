"""The catalogue: one record per metric, what it takes and what it refuses; formulas in words; memory."""

from __future__ import annotations

import inspect
import json
import math
import re
import tracemalloc
from dataclasses import replace
from functools import cache, partial
from itertools import islice, product
from pathlib import Path

import numpy as np
import pytest
from sklearn import metrics

from mlm_helpers import (
    blocks,
    catalogue,
    curves,
    hierarchy,
    inputs,
    label_based,
    probability,
    ranking,
    top_k,
)
from mlm_helpers.catalogue import FAMILIES, METRICS
from tools import readme

MODULES = {inspect.getmodule(record.function): record.family for record in METRICS}
HELPERS = {  # public, but no metrics
    label_based.confusion, ranking.ranks, curves.precision_recall, curves.roc, top_k.inverse_propensities,
    hierarchy.closure,
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


each_metric = pytest.mark.parametrize("record", METRICS, ids=lambda record: record.id)


def variants(record):
    """Its options and its function with them: with every average, or as it is."""
    for average in record.averages or ["none"]:
        options = record.required | ({} if average == "none" else {"average": average})
        yield options, partial(record.function, **options)


# ---------------------------------------------------------------------------- all records


def test_every_public_metric_has_exactly_one_record():
    recorded = [record.function for record in METRICS]
    assert len(recorded) == len(set(recorded))
    assert set(recorded) | HELPERS == set(PUBLIC)


def test_a_family_is_a_module_and_they_stand_in_the_order_of_the_course():
    assert list(MODULES.values()) == list(FAMILIES)
    order = [list(FAMILIES).index(record.family) for record in METRICS]
    assert order == sorted(order)


def test_no_two_metrics_have_one_name():
    averages = [[a for a in record.averages if a] for record in METRICS]
    assert len(catalogue.variants()) == sum(len(some) or 1 for some in averages)


SIGNATURES = {  # as DESIGN.md pins them
    "exact_match.subset_accuracy": "sample_weight=None, per_sample=False",
    "exact_match.zero_one_loss": "sample_weight=None, per_sample=False",
    "hamming.hamming_loss": "sample_weight=None, per_sample=False",
    **{
        f"example_based.{name}": "zero_division=0.0, sample_weight=None, per_sample=False"
        for name in ("accuracy", "precision", "recall", "f1")
    },
    "example_based.fbeta": "beta, zero_division=0.0, sample_weight=None, per_sample=False",
    **{
        f"label_based.{name}": "average='macro', zero_division=0.0, sample_weight=None"
        for name in ("precision", "recall", "f1", "jaccard")
    },
    "label_based.fbeta": "beta, average='macro', zero_division=0.0, sample_weight=None",
    "ranking.coverage":
        "start=1, ties='worst', undefined=0.0, sample_weight=None, per_sample=False",
    "ranking.one_error": "ties='worst', undefined=1.0, sample_weight=None, per_sample=False",
    "ranking.ranking_loss": "ties='worst', undefined=0.0, sample_weight=None, per_sample=False",
    "ranking.average_precision":
        "ties='worst', undefined=1.0, sample_weight=None, per_sample=False",
    "curves.average_precision":
        "average='macro', ties='worst', interpolation=None, undefined=0.0, sample_weight=None",
    "curves.roc_auc": "average='macro', undefined=nan, sample_weight=None",
    "top_k.precision": "k, ties='average', sample_weight=None, per_sample=False",
    "top_k.recall":
        "k, ties='average', undefined=0.0, sample_weight=None, per_sample=False",
    "top_k.ndcg":
        "k, ties='average', undefined=0.0, sample_weight=None, per_sample=False",
    "probability.log_loss": "average='macro', clip=None, sample_weight=None",
    "probability.brier": "average='macro', sample_weight=None",
    "probability.calibration_error":
        "bins=10, norm='l1', average='macro', sample_weight=None",
}  # fmt: skip


@pytest.mark.parametrize("name", SIGNATURES)
def test_signature(name):
    (record,) = (record for record in METRICS if record.id == name)
    parameters = inspect.signature(record.function).parameters.values()
    bare = [parameter.replace(annotation=inspect.Parameter.empty) for parameter in parameters]
    expected = f"(y_true, {record.reads}, *, {SIGNATURES[name]})"
    assert str(inspect.Signature(bare)) == expected


# ---------------------------------------------------------------------------- each record


@pytest.mark.parametrize(
    "stranger, shown",
    [
        (math.sqrt, "sqrt"),
        (ranking.ranks, "ranks"),
        (metrics.hamming_loss, "hamming_loss"),
        (partial(label_based.confusion), "confusion"),
        ("hamming_loss", "of type str"),
        (None, "of type NoneType"),
        (object(), "of type object"),
    ],
)
def test_of_refuses_what_it_does_not_hold(stranger, shown):
    with pytest.raises(ValueError) as caught:
        catalogue.of(stranger)
    assert str(caught.value) == (
        f"metric is {shown}, which the catalogue does not hold: pass a public metric function of"
        " mlm_helpers or a functools.partial of it"
    )


def test_options_are_bound_by_name():
    with pytest.raises(ValueError) as caught:
        catalogue.of(partial(label_based.f1, [[1]]))
    assert str(caught.value) == "metric has [[1]] bound by position: bind options by name alone"


@pytest.mark.parametrize("function", sorted(HELPERS, key=str), ids=lambda f: f.__name__)
def test_docstring_of_what_is_no_metric(function):
    text = inspect.getdoc(function)
    sections = re.findall(r"^(\w+)\n-{3,}$", text, re.MULTILINE)
    assert "Raises" in sections or "raises a TypeError or a ValueError" in " ".join(text.split())
    assert [s for s in sections if s != "Raises"] == [
        "Parameters",
        "Returns",
        "References",
        "Examples",
    ]
    assert f">>> {function.__name__}(" in text


# ---------------------------------------------------------------------------- formulas, in words and for browsers

WORTH = {  # of a sample with 3 hits, 1 false alarm, 2 misses and 4 cells rightly left out
    "labels true or predicted": 6, "predicted labels": 4, "true labels": 5, "wrong cells": 3,
    "all cells": 10, "hits": 3, "β²": 4, "×": "*", "÷": "/",
}  # fmt: skip
SAMPLE = [[1] * 5 + [0] * 5], [[1] * 3 + [0] * 2 + [1] + [0] * 4]
NEITHER = "a sample has neither true nor predicted labels"
WHERE = {  # by how many are true, and how many are predicted, of three
    NEITHER: lambda true, said: true + said == 0,
    "nothing is predicted for a sample": lambda true, said: said == 0,
    "a sample has no true label": lambda true, said: true == 0,
    "a label is neither true nor predicted anywhere": lambda true, said: true + said == 0,
    "a label is never predicted": lambda true, said: said == 0,
    "no sample has the label": lambda true, said: true == 0,
    "a sample has no relevant label": lambda true, said: true == 0,
    "a sample has no relevant or no irrelevant label": lambda true, said: true in (0, 3),
    "a label has no positive": lambda true, said: true == 0,
    "a label has no positive or no negative": lambda true, said: true in (0, 3),
}


@by_id([r for r in catalogue.taught() if r.reads == "y_pred" and r.family != "exact match"])
def test_the_words_of_a_set_metric_are_its_formula(record):
    said = record.words
    for word, worth in WORTH.items():
        said = said.replace(word, str(worth))
    data = [np.transpose(one) for one in SAMPLE] if record.along == "label" else SAMPLE
    assert eval(said) == pytest.approx(record.function(*data, **record.required))


@by_id([record for record in catalogue.taught() if record.undefined_where])
def test_it_is_undefined_where_its_record_says(record):
    each = {"per_sample": True} if record.along == "sample" else {"average": None}
    option = "undefined" if "undefined" in record.options else "zero_division"
    for true, said in product(product((0, 1), repeat=3), repeat=2):
        shape = (1, 3) if record.along == "sample" else (3, 1)
        other = (3, 2, 1) if record.reads == "y_score" else said
        data = np.reshape(true, shape), np.reshape(other, shape)
        (value,) = record.function(*data, **record.required, **each, **{option: math.nan})
        assert math.isnan(value) == WHERE[record.undefined_where](sum(true), sum(said))


def test_mathml_is_that_of_the_formulas():
    stored = (Path(catalogue.__file__).parent / "records" / "mathml.json").read_text("utf-8")
    known, made = json.loads(stored), json.loads(readme.mathml())
    assert known.items() <= made.items(), "run make readme"
    assert {record.latex for record in catalogue.taught()} <= known.keys(), "run make readme"


def test_a_record_that_the_catalogue_has_is_refused():
    (record,) = (record for record in METRICS if record.function is label_based.f1)
    with pytest.raises(
        ValueError, match=r"has a record of label_based\.f1: one function, one record"
    ):
        catalogue.add(record)
    twin = replace(record, function=lambda y_true, y_pred, *, average="macro": 0)
    with pytest.raises(ValueError, match="has a metric named macro F1: choose another name"):
        catalogue.add(twin)
    assert twin not in METRICS


def test_an_option_per_label_takes_a_function_of_their_number():
    """So that data of any size can be searched."""
    y_true, y_score = [[1, 0, 1]], [[3, 2, 1]]
    of = partial(top_k.propensity_scored_precision, y_true, y_score, k=1)
    assert of(inverse_propensities=lambda n: range(1, n + 1)) == of([1, 2, 3]) == 1 / 3


# ---------------------------------------------------------------------------- memory

LAYOUTS = {
    "C": np.ascontiguousarray,
    "Fortran": np.asfortranarray,
    "strided": lambda cells: np.repeat(cells, 2, axis=1)[:, ::2],
}


KINDS = (("i8", "C"), ("?", "C"), ("f8", "Fortran"), ("f4", "strided"))


@cache
def cells(scored, kind, layout):
    """Truth, and predictions or scores."""
    rng, shape = np.random.default_rng(0), (5000, 100)
    y_true, y = rng.random(shape) < 0.05, rng.random(shape)
    y = y.astype("f4" if kind == "?" else kind) if scored else (y < 0.05).astype(kind)
    return LAYOUTS[layout](y_true.astype(kind)), LAYOUTS[layout](y)


@pytest.mark.parametrize("step", [11, pytest.param(1, marks=pytest.mark.exhaustive)])
@each_metric
def test_memory_beside_the_input(record, step, monkeypatch):
    """Less than one boolean copy of the input (of the truth alone where scores are ranked).

    But where all cells are one list, an eighth of it is sorted at a time, which takes twice that; three copies where
    tied ones stay in line. Of kinds of cells, options and weights each eleventh combination is tried, or all are.
    """
    monkeypatch.setattr(blocks, "CELLS", 2**12)
    weight, ranked = np.random.default_rng(0).random(5000), record.reads != "y_pred"
    choices = [{"ties": ties} for ties in inputs.TIES] if "ties" in record.options else [{}]
    every = product(choices, KINDS, variants(record), (None, weight))
    for choice, kind, (options, metric), weights in islice(every, 0, None, step):
        y_true, y = cells(ranked, *kind)
        before = y_true.copy(), y.copy()
        metric(y_true[:9], y[:9], sample_weight=weight[:9], **choice)
        room = y_true.size + (0 if ranked else y.size)
        if record.asks_per_label:  # what a label is worth, of each of the first k
            room += y.size // 8
        if ranked and options.get("average") == "micro":
            in_line = choice.get("ties") in ("first", "last")
            room += 3 * 8 * y.size if in_line else y.nbytes // 4
            numbers = 6 if weights is None else 12  # of each positive
            room += 8 * numbers * np.count_nonzero(y_true)
        tracemalloc.start()
        metric(y_true, y, sample_weight=weights, **choice)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak <= room, (kind, options, choice)
        assert np.array_equal(y_true, before[0]) and np.array_equal(y, before[1])


@pytest.mark.parametrize(
    "beta, name",
    [(2, "F2"), (2.0, "F2"), (0.5, "F0.5"), (10, "F10"), (1.0000001, "F1.0000001"), (0, "F0")],
)
def test_no_two_betas_have_one_name(beta, name):
    assert catalogue.describe(partial(label_based.fbeta, beta=beta)) == f"macro {name}"
