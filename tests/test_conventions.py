"""Stored numbers of tools against `TOOLS`, their departures, options and reports."""

import functools
import json
import math
import re
from fractions import Fraction
from importlib import resources
from itertools import product
from math import nan

import all_small
import numpy as np
import pytest
from scipy import sparse

from mlm_helpers import (
    curves,
    example_based,
    hamming,
    hierarchy,
    label_based,
    ranking,
    top_k,
    uncertainty,
)
from mlm_helpers.conventions import TOOLS, identify, number, options, report
from mlm_helpers.conventions.quantities import quantities
from mlm_helpers.conventions.tool import NO_RULE, is_close, recorded_cases
from mlm_helpers.conventions.tools import _tool as read_tool
from mlm_helpers.conventions.translate import read_cached, tool_number
from tools.live import scikit_learn
from tools.peers import answer, is_same_number, last_run

QUANTITIES = quantities()
# A name for each general name: F2 for Fβ, "precision at 1" for "precision at k".
NAME_OF = {q.general_name: q.name for q in reversed(QUANTITIES.values())}
CASES = {case.name: case for case in recorded_cases()}
PERFECT = [[1, 0, 0], [0, 0, 0]]  # with a sample that has no label
ABSENT = [[1, 0, 0], [0, 1, 0]]  # and the last label never occurs
LAST_RUN = {case["name"]: case["numbers"] for case in last_run()["inputs"]}


def keys(tool):
    """The tool's name alone and with each of its settings, as in stored numbers."""
    return [tool.key(setting) for setting in ("", *tool.settings)]


# -------------------------------------------------------------------- stored numbers and departures

WITHOUT_RULE = [
    ("ASL", "macro AP"),  # which depends on the processor
    ("keras", "macro AP"), ("keras", "micro AP"), ("torchmetrics", "micro calibration error"),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))
def test_every_recorded_number_is_what_the_table_says(case):
    """Those of `recorded_cases`, and those of the last run of the tools."""
    table_number = functools.cache(
        lambda key, name: number(key, name, case.y_true, case.prediction_for(name))
    )
    for name, numbers in (*LAST_RUN[case.name].items(), *case.numbers.items()):
        for key, stored in numbers.items():
            value = stored if str(stored).startswith("raises") else float(stored)
            expected = table_number(key, name)
            no_rule = expected == NO_RULE and (key.partition(",")[0], name) in WITHOUT_RULE
            pair = f"the table gives {expected}, recorded is {stored}"
            assert no_rule or is_same_number(expected, value), (key, name, case.name, pair)


@pytest.mark.parametrize("tool", TOOLS.values(), ids=lambda tool: tool.name)
def test_names_and_options_of_a_tool_are_ours(tool):
    for general_name, translation in tool.metrics.items():
        quantity = QUANTITIES[NAME_OF[general_name]]
        assert translation.call
        assert set(translation.settings) <= set(tool.settings)
        # Every convention of the metric is named, so that no default of ours counts.
        assert set(translation.options) == set(quantity.conventions)
        y = [[0.2, 0.1]] if quantity.reads == "y_score" else [[1, 0]]
        for setting in ("", *translation.settings):
            our_options = translation.under(setting).options
            assert isinstance(quantity.function([[1, 0]], y, **our_options), float)


def test_every_tool_has_a_recorded_number_a_live_one_or_an_example():
    numbers = [case.numbers for case in CASES.values()] + list(LAST_RUN.values())
    keys_with_numbers = {
        key for metrics in numbers for values in metrics.values() for key in values
    }
    for tool in TOOLS.values():
        assert tool.examples or keys_with_numbers & {*keys(tool)}, tool.name
    file = resources.files("mlm_helpers.conventions") / "field.json"
    versions = json.loads(file.read_text(encoding="utf-8"))["versions"]
    assert {key.partition(",")[0] for key in keys_with_numbers} <= versions.keys()
    for tool in TOOLS.values():
        is_run = not versions.get(tool.name, "computed").startswith("computed")
        assert is_run == (tool.known != "read in source"), tool.name


FILE = """
name = "A tool"
version = "1"
known = "run"
[metrics]
"macro F1" = { call = "f1", options = { zero_division = 0.0 }, departures = ["other"] }
[departures.other]
says = "it counts 1 without a hit"
y_true = [[1]]
y_pred = [[0]]
shows = "1"
rule = [1.0, "there is no hit"]
"""


@pytest.mark.parametrize(
    ("word", "typo", "message"),
    [
        (
            "1.0",
            '"both kinds count"',
            "number is 'both kinds count': choose one such as 'both classes",
        ),
        (
            "there is no hit",
            "there is no hid",
            "condition is 'there is no hid': choose one such as 'there",
        ),
        ('["other"]', '["others"]', "departure is 'others': choose one of 'above_half', "),
        ("macro F1", "F1 macro", "metric is 'F1 macro': choose one such as "),
        ('"run"', '"ran"', "known is 'ran': choose one of 'run', 'recorded run', 'read in source'"),
        ("call", "cal", r"Translation.__init__\(\) got an unexpected keyword argument 'cal'"),
    ],
)
def test_an_unknown_word_in_the_file_of_a_tool_is_refused(word, typo, message, tmp_path):
    file = tmp_path / "new.toml"
    file.write_text(FILE.replace(word, typo), encoding="utf-8")
    with pytest.raises((TypeError, ValueError), match=message) as caught:
        read_tool(file)
    assert caught.value.__notes__ == ["This is in new.toml."]


DEPARTURES = [
    (tool.name, NAME_OF[name], departure)
    for tool in TOOLS.values()
    for name, translation in tool.metrics.items()
    for departure in translation.departures
    if departure.rule
]


def departure_on(data, key, name):
    """The departure that changes the tool's number on the data, or None."""
    tool, _, setting = key.partition(", ")
    quantity = QUANTITIES[name]
    translation = TOOLS[tool].metrics[quantity.general_name].under(setting)
    cached = read_cached(quantity, *data)
    value = quantity.value(cached, **translation.options)
    number_of_tool, departure = tool_number(translation, quantity, cached, value)
    return None if is_close(number_of_tool, value) else departure


def numbers_in(words):
    """The numbers and errors that a departure's words name."""
    for word in re.findall(r"-?\d+(?:[./]\d+)?|nan|inf|\w*[Ee]rror", words):
        yield f"raises {word}" if "rror" in word else float(Fraction(word) if "/" in word else word)


def smaller_data(name, n_cells):
    """All data with fewer cells on which the metric is possible."""
    has_scores, k = QUANTITIES[name].reads == "y_score", QUANTITIES[name].required.get("k", 1)
    for n_samples, n_labels in ((1, 1), (1, 2), (2, 1), (1, 3), (3, 1)):
        if n_labels >= k and n_samples * n_labels < n_cells:
            yield from all_small.pairs(n_samples, n_labels, has_scores)


@pytest.mark.parametrize("step", [13, pytest.param(1, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("case", DEPARTURES, ids=lambda case: f"{case[:2]}: {case[2].says[:30]}")
def test_the_smallest_input_shows_the_departure_and_no_smaller_one_does(case, step):
    tool, name, departure = case
    data = departure.y_true, departure.y_pred
    departing = [key for key in keys(TOOLS[tool]) if departure_on(data, key, name) is departure]
    # Metrics can share a departure whose number is that of coverage.
    if name == "coverage" or not departure.shows.startswith("coverage"):
        values = [number(key, name, *data) for key in departing]
        pairs = product(values, numbers_in(departure.shows))
        assert NO_RULE in values or any(is_same_number(*pair) for pair in pairs)
    for smaller in [*smaller_data(name, np.size(departure.y_true))][::step]:
        departures = [departure_on(smaller, key, name) for key in keys(TOOLS[tool])]
        assert all(other is not departure for other in departures)


EXAMPLES = [
    (tool.key(case.get("setting", "")), case) for tool in TOOLS.values() for case in tool.examples
]


@pytest.mark.parametrize(("key", "example"), EXAMPLES)
def test_numbers_of_the_tools_by_hand(key, example):
    """The examples in the tools' files: fractions, roots and logarithms, or errors."""
    gives, data = example["gives"], (example["y_true"], example["y_pred"])
    if not gives.startswith(("raises ", NO_RULE)):
        gives = float(eval(gives, {"log": math.log, "sqrt": math.sqrt, "nan": nan}))
    for name in example["metrics"]:
        assert is_close(number(key, name, *data), gives), name


AT_K = [name for name, quantity in QUANTITIES.items() if quantity.general_name.endswith(" at k")]


@pytest.mark.parametrize("name", AT_K)
def test_every_tool_reads_sparse_scores(name):
    """With a dense or sparse truth; the scores are not modified, and keep a stored 0."""
    y_true = [[1, 0, 0, 0, 1], [0, 1, 1, 0, 0], [0, 0, 0, 0, 0]]
    score = sparse.csr_array(([0.5, 0.5, 0.0, 0.4], ([0, 0, 1, 2], [0, 1, 2, 0])), shape=(3, 5))
    for tool in TOOLS.values():
        for setting, _ in tool.translations_of(QUANTITIES[name].general_name):
            key = tool.key(setting)
            values = [number(key, name, y, score) for y in (y_true, sparse.csr_array(y_true))]
            assert is_close(*values)
            assert isinstance(values[0], float) or values[0] == NO_RULE
    assert score.nnz == 4


@pytest.mark.parametrize("step", [9, pytest.param(1, marks=pytest.mark.exhaustive)])
def test_scikit_learn_reads_one_column_as_two_classes_as_its_record_says(step):
    """Under every average and zero_division, on all data of two samples; errors too."""
    tool = TOOLS["scikit-learn"]
    for quantity in QUANTITIES.values():
        data = all_small.pairs(2, 1, quantity.reads == "y_score")[::step]
        for setting, translation in tool.translations_of(quantity.general_name):
            for pair in data if quantity.required.get("k", 1) == 1 else ():
                computed = number(tool.key(setting), quantity.name, *pair)
                call, required = translation.call, quantity.required
                expected = answer(scikit_learn, call, *pair, setting, **required)
                assert is_same_number(computed, expected), (quantity.name, setting, pair)


# ---------------------------------------------------------------------------- options


def test_options_are_those_of_the_tool_and_not_of_the_partial():
    """Of the options that the metric has bound, only its average matters."""
    agree, zero, one = ({"zero_division": value} for value in ("agree", 0.0, 1.0))
    weighted = functools.partial(label_based.fbeta, beta=2, average="weighted", **one)
    assert options("keras", weighted) == zero
    assert options("MULAN", example_based.f1) == agree
    assert options("scikit-learn, zero_division=1", label_based.recall) == one
    assert options("mldr, undefined_value=0", example_based.f1) == agree  # ignored by F1
    assert options("mldr, ties_method='min'", ranking.one_error)["ties"] == "first"
    assert options("ASL", "macro precision") == options("ASL", label_based.precision)


def test_sparse_matrices_give_the_same():
    dense = PERFECT, ABSENT
    csr = [sparse.csr_array(matrix) for matrix in dense]
    for tool, name in (("napkinXC", "Hamming loss"), ("utiml", "samples recall")):
        assert number(tool, name, *csr) == number(tool, name, *dense)
    assert identify(0.5, *csr).matches == identify(0.5, *dense).matches
    assert report([example_based.f1], *csr) == report([example_based.f1], *dense)


# ---------------------------------------------------------------------------- reports for a paper

Y_TRUE, Y_PRED = [[1, 0, 1], [0, 1, 0], [0, 0, 0]], [[1, 1, 0], [0, 1, 0], [0, 0, 0]]
Y_SCORE = [[0.9, 0.5, 0.5], [0.2, 0.8, 0.1], [0.3, 0.2, 0.1]]
bound = functools.partial

REPORTED = [  # a metric, its value by hand, and how many values are 0/0
    (hamming.hamming_loss, "0.222222", ""),  # 2 of 9 cells
    # F1 of the samples: 2/4, 1 and 0/0
    (example_based.f1, "0.5", "1 of 3 samples"),
    (bound(example_based.f1, zero_division=nan), "0.75", "1 of 3 samples"),
    (bound(example_based.fbeta, beta=2, zero_division="agree"), "0.833333", "1 of 3 samples"),
    (bound(example_based.f1, sample_weight=[3, 1, 0]), "0.625", "1 of 3 samples"),  # (3/2 + 1) / 4
    # precision of the labels: 1/1, 1/2 and 0/0
    (label_based.precision, "0.5", "1 of 3 labels"),
    (bound(label_based.recall, average="micro"), "0.666667", "this ratio is not 0/0"),
    (bound(label_based.recall, average="micro", sample_weight=[0, 0, 1]), "0", "this ratio is 0/0"),
    # of the second sample alone two labels are neither true nor predicted
    (bound(label_based.f1, sample_weight=[0, 1, 0]), "0.333333", "2 of 3 labels"),
    # rank of the last relevant label: 3 of the tied ones, 1, and undefined
    (ranking.coverage, "1.333333", "1 of 3 samples"),
    # 1 and 0
    (bound(ranking.coverage, start=0, ties="min", undefined=nan), "0.5", "1 of 3 samples"),
    # in half of the orders the first sample has a hit in second place: 3/4; the others: 1/2 and 0
    (bound(top_k.precision, k=2), "0.416667", ""),
    # the positive of each column is first under "first"; no column is undefined
    (bound(curves.average_precision, ties="first", interpolation=11), "1", "0 of 3 labels"),
    (bound(curves.average_precision, average="micro", interpolation="all"),
     "0.916667", "this ratio is not 0/0"),
    (bound(curves.average_precision, average="micro", sample_weight=[0, 0, 1]),
     "0", "this ratio is 0/0"),
    # one false alarm, and one miss of label 2, in 3 samples: the labels cost 0, 2/3 and 4/3
    (bound(label_based.cost, miss=[1, 3, 4], false_alarm=2), "0.666667", ""),
    # with the parent of each label, 2/4, 1 and 0/0
    (bound(hierarchy.f1, parents=[[], [0], [0]], average="samples"),
     "0.5", "1 of 3 samples"),
]  # fmt: skip


def test_a_report_has_the_value_and_how_often_it_is_undefined(snapshot):
    texts = []
    for metric, value, n_undefined in REPORTED:
        text = report([metric], Y_TRUE, Y_PRED, Y_SCORE).partition(" true label. ")[2]
        assert f" = {value}: " in text and n_undefined in text
        texts.append(text)
    assert texts == snapshot


def test_report_of_several_with_the_decision(snapshot):
    metrics = [hamming.hamming_loss, example_based.f1]
    assert report(metrics, Y_TRUE, Y_PRED, decision="score >= 0.5") == snapshot
    assert report([], Y_TRUE) == snapshot


def test_the_number_of_decimals_of_a_report():
    half = [[1, 0], [0, 0]], [[1, 1], [0, 0]]
    assert "samples F1 = 0.3333: " in report([example_based.f1], *half, decimals=4)
    assert "Hamming loss = 0.250: " in report([hamming.hamming_loss], *half, decimals=3)


def test_a_report_of_one_label_says_what_scikit_learn_averages():
    metrics = label_based.f1, bound(label_based.recall, average="micro"), hamming.hamming_loss
    text = report(metrics, [[1], [0]], [[1], [1]])
    assert text.startswith("2 samples, 1 label, ") and "0/0 counts 0 (0 of 1 label)" in text
    remark = "; scikit-learn would average over both classes of this one column"
    assert [remark in sentence for sentence in text.split(" = ")[1:]] == [True, True, False]
    assert "scikit-learn" not in report(metrics, PERFECT, PERFECT)


def test_a_report_says_which_values_shift_with_the_share_of_unknown_cells():
    y_true = np.ma.masked_equal([[1, -1], [0, 1]], -1)
    for metric, shifts in (
        (example_based.f1, True),
        (label_based.f1, False),
        (hamming.hamming_loss, False),
    ):
        assert ("its value shifts" in report([metric], y_true, [[1, 1], [0, 1]])) == shifts
        assert "its value shifts" not in report([metric], y_true.filled(0), [[1, 1], [0, 1]])


@pytest.mark.parametrize("groups", [None, np.repeat(range(9), 3)], ids=["samples", "groups"])
def test_report_with_intervals(groups, snapshot):
    metric = hamming.hamming_loss
    data = [np.tile(matrix, (9, 1)) for matrix in (Y_TRUE, Y_PRED)]
    text = report([metric], *data, level=0.9, groups=groups)
    interval = uncertainty.interval(metric, *data, level=0.9, groups=groups)
    assert f"Hamming loss = 0.222 ({interval.low:.3f} to {interval.high:.3f}): " in text
    assert text.partition("In parentheses: ")[2] == snapshot


def test_unknown_cells_are_reported(snapshot):
    """One sample has no known cell and is left out.

    Another has no known true label and counts as 0/0.
    """
    y_true, y_pred = np.ma.masked_equal([[1, -1], [-1, -1], [0, 0]], -1), [[1, 1], [1, 0], [0, 0]]
    text = report([example_based.f1], y_true, y_pred)
    empty = "2 of 3 samples and 1 of 2 labels have no known true label."
    empty += " 3 of 6 cells of the truth are unknown"
    assert f"(known true labels a sample) 0.333333; {empty}" in text and "(1 of 3 samples)" in text
    assert text == snapshot
