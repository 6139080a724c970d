"""Every number that the five documents print is its metric's exact value at its digits."""

from __future__ import annotations

import math
import re
from fractions import Fraction as F
from importlib import import_module

import numpy as np
import pytest
from facts import tp_fp_fn_tn
from notebook_rules import exact_value
from sklearn.metrics import classification_report

from mlm_course.documents import DOCUMENTS, FORMULAS, MACRO_MICRO, RANKING
from mlm_helpers import worked

PUBLISHED = [(document, value) for document in DOCUMENTS for value in document.published]
OF_METRICS = [(document, value) for document, value in PUBLISHED if value.metric]
SWAPPED = "its table swaps FP and FN"


def case_id(case):
    document, published = case
    return f"{document.id}, {published.example}, {published.quantity}: {published.printed}"


# ---------------------------------------------------------------------------- the exact values


@pytest.mark.parametrize("case", OF_METRICS, ids=map(case_id, OF_METRICS))
def test_metric_and_worked_solution_have_the_exact_value(case):
    document, published = case
    example = document.examples[published.example]
    module, _, name = published.metric.partition(".")
    metric = getattr(import_module(f"mlm_helpers.{module}"), name)
    y_true, y = example.y_true, example.y_score if module == "ranking" else example.y_pred
    result = metric(y_true, y, **published.options)
    if published.label is None:
        solution = worked.solve(metric, y_true, y, **published.options)
    else:
        result = result[published.label]
        columns = (np.array(matrix)[:, [published.label]] for matrix in (y_true, y))
        solution = worked.solve(metric, *columns)  # macro of one label is the value of the label
    assert result == pytest.approx(float(published.value), rel=1e-15)
    assert solution.value == published.value


def test_values_without_a_metric_are_counts_supports_and_points_of_curves():
    samples = zip(*map(tp_fp_fn_tn, MACRO_MICRO.y_true, MACRO_MICRO.y_pred), strict=True)
    names = ("true positives", "false positives", "false negatives", "true negatives")
    exact = {f"{name} of all labels": sum(n) for name, n in zip(names, samples, strict=True)}
    exact |= {f"report, label {j}, support": n for j, n in enumerate((3, 2, 1, 1))}
    exact |= {
        f"report, {average} avg, support": 7
        for average in ("micro", "macro", "weighted", "samples")
    }
    for name, curve in FORMULAS.curves.items():
        for epoch, point in zip(FORMULAS.epochs, curve, strict=True):
            exact[f"micro-F1, {name}, epoch {epoch}"] = F(str(point))
    for _, published in PUBLISHED:
        if not published.metric:
            assert F(published.printed) == published.value == exact[published.quantity]


# ---------------------------------------------------------------------------- what is printed


@pytest.mark.parametrize("case", PUBLISHED, ids=map(case_id, PUBLISHED))
def test_printed_number_is_the_value_rounded_or_truncated(case):
    """In the table of a document that swaps false alarms and misses, it is another number."""
    _, published = case
    if published.slip == SWAPPED:
        assert exact_value(published.printed) != published.value
    elif "." in published.printed:
        whole, _, decimals = published.printed.partition(".")
        scaled = published.value * 10 ** len(decimals)
        assert int(whole + decimals) in (round(scaled), math.floor(scaled))
    else:
        assert exact_value(published.printed) == published.value


def test_a_table_that_swaps_false_alarms_and_misses_prints_precision_as_recall():
    swapped = {value.metric: value for value in MACRO_MICRO.published if value.slip == SWAPPED}
    precision, recall = swapped["label_based.precision"], swapped["label_based.recall"]
    assert exact_value(precision.printed) == recall.value == 1
    assert exact_value(recall.printed) == precision.value == F(7, 8)


def test_the_report_is_scikit_learns():
    """The document prints it with two digits, then with six."""
    report = [v.printed for v in MACRO_MICRO.published if v.quantity.startswith("report")]
    expected = []
    for digits in (2, 6):
        text = classification_report(MACRO_MICRO.y_true, MACRO_MICRO.y_pred, digits=digits)
        expected += re.findall(r"\d\.\d+|\d+(?=\n|$)", text.partition("support")[2])
    assert report == expected


def test_model_one_s_last_two_ranks_are_printed_the_wrong_way_round():
    for model, scores in RANKING.scores.items():
        ranks = tuple(1 + sum(other > score for other in scores) for score in scores)
        if model == "model one":
            ranks = (*ranks[:3], ranks[4], ranks[3])
        assert RANKING.printed_ranks[model] == ranks
