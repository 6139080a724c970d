"""Every number the five documents print: by its metric, in exact fractions, and at its printed digits."""

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


def name_of(case):
    document, value = case
    return f"{document.id}, {value.example}, {value.quantity}: {value.printed}"


# ---------------------------------------------------------------------------- the exact values


@pytest.mark.parametrize("case", OF_METRICS, ids=map(name_of, OF_METRICS))
def test_value_by_its_metric_and_in_fractions(case):
    document, value = case
    example = document.examples[value.example]
    module, _, name = value.metric.partition(".")
    metric = getattr(import_module(f"mlm_helpers.{module}"), name)
    truth, other = example.y_true, example.y_score if module == "ranking" else example.y_pred
    result = metric(truth, other, **value.options)
    if value.label is not None:
        assert result[value.label] == pytest.approx(float(value.value), rel=1e-15)
        truth, other = (np.array(matrix)[:, [value.label]] for matrix in (truth, other))
        exact = worked.solve(metric, truth, other).value  # one label has one average
    else:
        assert result == pytest.approx(float(value.value), rel=1e-15)
        exact = worked.solve(metric, truth, other, **value.options).value
    assert exact == value.value


def test_counts_supports_and_points_of_curves_have_no_metric():
    counts = [
        sum(c) for c in zip(*map(tp_fp_fn_tn, MACRO_MICRO.y_true, MACRO_MICRO.y_pred), strict=True)
    ]
    names = ("true positives", "false positives", "false negatives", "true negatives")
    known = dict(zip((f"{name} of all labels" for name in names), counts, strict=True))
    known |= {f"report, label {j}, support": n for j, n in enumerate((3, 2, 1, 1))}
    known |= {
        f"micro-F1, {name}, epoch {epoch}": F(str(point))
        for name, curve in FORMULAS.curves.items()
        for epoch, point in zip(FORMULAS.epochs, curve, strict=True)
    }
    for _, value in PUBLISHED:
        if not value.metric:
            exact = known.get(value.quantity, 7)  # 7 is the sum of the supports
            assert value.value == exact, value.quantity
            assert F(value.printed) == value.value


# ---------------------------------------------------------------------------- what is printed


@pytest.mark.parametrize("case", PUBLISHED, ids=map(name_of, PUBLISHED))
def test_printed_is_the_value_at_its_digits(case):
    """Rounded or cut off; but where the document's table swaps false alarms and misses."""
    _, value = case
    scaled = value.value * 10 ** len(value.printed.partition(".")[2])
    if value.slip == "its table swaps FP and FN":
        assert exact_value(value.printed) != value.value
    elif "." in value.printed:
        digits = value.printed.replace(".", "")
        assert int(digits) in (round(scaled), math.floor(scaled))
    else:
        assert exact_value(value.printed) == value.value


def test_a_table_that_swaps_false_alarms_and_misses_prints_precision_as_recall():
    swapped = {v.metric: v for v in MACRO_MICRO.published if v.slip == "its table swaps FP and FN"}
    precision, recall = swapped["label_based.precision"], swapped["label_based.recall"]
    assert exact_value(precision.printed) == recall.value == 1
    assert exact_value(recall.printed) == precision.value == F(7, 8)


def test_the_report_is_scikit_learns():
    """The document prints it to two digits, and to six."""
    cells = [v.printed for v in MACRO_MICRO.published if v.quantity.startswith("report")]
    found = []
    for digits in (2, 6):
        report = classification_report(MACRO_MICRO.y_true, MACRO_MICRO.y_pred, digits=digits)
        found += re.findall(r"\d\.\d+|\d+(?=\n|$)", report.partition("support")[2])
    assert cells == found


def test_model_one_s_last_two_ranks_are_printed_the_wrong_way_round():
    for name, scores in RANKING.scores.items():
        ranks = tuple(1 + sum(other > score for other in scores) for score in scores)
        printed = RANKING.printed_ranks[name]
        assert printed == ((*ranks[:3], ranks[4], ranks[3]) if name == "model one" else ranks)


# ---------------------------------------------------------------------------- data
