"""Each number that a tool gave against the table, the tools' rules once more in plain Python, and what is told."""

from __future__ import annotations

import functools
import math
import re
from fractions import Fraction
from math import nan

import numpy as np
import pytest
import worlds
from scipy import sparse

from mlm_helpers import (
    curves,
    exact_match,
    example_based,
    hamming,
    label_based,
    ranking,
    top_k,
    uncertainty,
)
from mlm_helpers.conventions import (
    TOOLS,
    compare,
    identify,
    last_run,
    names,
    number,
    options,
    recorded,
    report,
)
from mlm_helpers.conventions.quantities import quantities
from mlm_helpers.conventions.tool import NO_RULE, close
from mlm_helpers.conventions.translate import first_departure, read
from tools.peers import same

QUANTITIES = quantities()
NAME_OF = {q.general: q.name for q in reversed(QUANTITIES.values())}  # F2 for Fβ, at 1 for at k
RECORDS = {case.name: case for case in recorded()}
F1 = "samples F1"
PERFECT = [[1, 0, 0], [0, 0, 0]]  # with a sample that has no label
CF1 = "F1 of macro precision and macro recall"
ABSENT = [[1, 0, 0], [0, 1, 0]]  # and the last label never occurs


def reads_scores(name):
    return QUANTITIES[name].reads == "y_score"


def keys(tool):
    return [tool.key(setting) for setting in ("", *tool.settings)]


# ---------------------------------------------------------------------------- the record

WITHOUT_RULE = [
    ("ASL", "macro AP"),  # another processor, another number
    ("keras", "macro AP"), ("keras", "micro AP"), ("torchmetrics", "micro calibration error"),
]  # fmt: skip


@pytest.mark.parametrize("case", RECORDS.values(), ids=list(RECORDS))
def test_every_recorded_number_is_what_the_table_says(case):
    """Those of `recorded`, and all that tools gave when they last ran."""
    (ran,) = (data["numbers"] for data in last_run()["inputs"] if data["name"] == case.name)
    for name, numbers in (*ran.items(), *case.numbers.items()):
        for key, value in numbers.items():
            value = value if str(value).startswith("raises") else float(value)
            found = number(key, name, case.y_true, case.other(name))
            no_rule = found == NO_RULE and (key.partition(",")[0], name) in WITHOUT_RULE
            assert no_rule or same(found, value), (key, name)


# ---------------------------------------------------------------------------- the table


@pytest.mark.parametrize("tool", TOOLS.values(), ids=lambda tool: tool.name)
def test_names_and_options_of_a_tool_are_ours(tool):
    assert tool.known in ("run", "recorded run", "read in source") and tool.version
    for general, translation in tool.metrics.items():
        quantity = QUANTITIES[NAME_OF[general]]
        assert translation.call
        assert set(translation.settings) <= set(tool.settings)
        # Nothing is left to a default of ours: every convention of the metric is named.
        assert set(translation.options) == set(quantity.choices)
        other = [[0.2, 0.1]] if quantity.reads == "y_score" else [[1, 0]]
        metric = quantity.function
        for setting in ("", *translation.settings):
            assert isinstance(metric([[1, 0]], other, **translation.asked(setting)), float)


# ---------------------------------------------------------------------------- departures


DEPARTURES = [
    (
        tool.name,
        NAME_OF[general].replace("at 1", f"at {2 if 'at k = 2' in departure.shows[:18] else 1}"),
        departure,
    )
    for tool in TOOLS.values()
    for general, translation in tool.metrics.items()
    for departure in translation.departures
    if departure.number
]


def departs(key, name, data):
    """The departure that makes a difference on data."""
    tool, _, setting = key.partition(", ")
    translation = TOOLS[tool].metrics[QUANTITIES[name].general]
    quantity = QUANTITIES[name]
    metric = functools.partial(quantity.function, **translation.asked(setting))
    truth, other = read(quantity, *data)
    found = first_departure(translation.departing(setting), metric, truth, other)
    return found[0] if found and not close(found[1], float(metric(truth, other))) else None


def told(shows, name):
    """The number, or the error, that a departure's words begin with or give for the metric."""
    said = re.search(rf"{name} ([^)]*)\)", shows)
    words = (said[1] if said else shows).removeprefix("coverage ")
    error = re.match(r"(?:an )?(error|\w+Error)\b", words)
    if error:
        return f"raises {error[1]}"
    return (
        float(Fraction(re.match(r"[-\d./]+", words)[0]))
        if words[0] in "-0123456789"
        else float(words)
    )


@pytest.mark.parametrize(
    ("tool", "name", "departure"),
    DEPARTURES,
    ids=[f"{tool}, {name}: {d.says[:30]}" for tool, name, d in DEPARTURES],
)
def test_the_smallest_input_shows_the_departure_and_no_smaller_one_does(tool, name, departure):
    data = departure.y_true, departure.y_other
    shown = [key for key in keys(TOOLS[tool]) if departs(key, name, data) is departure]
    if (tool, name, departure.shows) in ELSEWHERE:
        assert not shown
        return
    values = [number(key, name, *data) for key in shown]
    assert shown
    if NO_RULE in values:
        no_number = ("0 or 1", "1/2 or 1", "anything from 0 to 1", "0, as")
        assert departure.shows.startswith((*no_number, "0.306853, where", "0.525 under 15 bins"))
    elif "coverage" not in departure.shows or name == "coverage":  # else its words are of coverage
        assert any(same(value, told(departure.shows, name)) for value in values)
    smaller = ((1, 1), (1, 2), (2, 1), (1, 3), (3, 1))
    k = QUANTITIES[name].bound.get("k", 1)
    for shape in (s for s in smaller if math.prod(s) < np.size(departure.y_true) and s[1] >= k):
        for world in worlds.pairs(*shape, reads_scores(name)):
            assert all(departs(key, name, world) is not departure for key in keys(TOOLS[tool]))


ELSEWHERE = [  # shared words, whose input shows it of another metric
    *(("torchmetrics", f"{average} {area}", "coverage 2")
      for average in ("macro", "weighted") for area in ("AP", "AUROC")),
    ("torchmetrics", "ranking loss", "coverage 2"),
]  # fmt: skip


def test_batches_of_torchmetrics_by_hand():
    (departure,) = (
        d for d in TOOLS["torchmetrics"].metrics["ranking loss"].departures if "batches" in d.says
    )
    each = ranking.ranking_loss(departure.y_true, departure.y_other, per_sample=True).tolist()
    assert each == [1, 0, 0, 0, 0]  # so 1/5; and of two batches (1 + 0) / (1 + 1)


EXAMPLES = [
    (tool.key(one.get("setting", "")), one) for tool in TOOLS.values() for one in tool.examples
]


@pytest.mark.parametrize(("key", "example"), EXAMPLES)
def test_numbers_of_the_tools_by_hand(key, example):
    """The examples in the tools' files: fractions, roots and logarithms, or refusals."""
    gives, data = example["gives"], (example["y_true"], example["y_other"])
    if not gives.startswith(("raises ", NO_RULE)):
        gives = float(eval(gives, {"log": math.log, "sqrt": math.sqrt, "nan": nan}))
    for name in example["metrics"]:
        assert close(number(key, name, *data), gives), name


@pytest.mark.parametrize("name", [n for n, q in QUANTITIES.items() if q.general.endswith(" at k")])
def test_every_tool_reads_scores_that_are_not_all_there(name):
    """Whatever the truth comes as; and what was given stays as it was, a stored 0 too."""
    y_true = [[1, 0, 0, 0, 1], [0, 1, 1, 0, 0], [0, 0, 0, 0, 0]]
    score = sparse.csr_array(([0.5, 0.5, 0.0, 0.4], ([0, 0, 1, 2], [0, 1, 2, 0])), shape=(3, 5))
    for tool in TOOLS.values():
        for setting, _ in tool.answers(QUANTITIES[name].general):
            key = tool.key(setting)
            values = [number(key, name, y, score) for y in (y_true, sparse.csr_array(y_true))]
            assert close(*values)
            assert isinstance(values[0], float) or values[0] == NO_RULE
    assert score.nnz == 4


def test_columns_of_image_tagging():
    """Y = 10, 11 and P = 11, 01: P 1 and 1/2, R 1/2 and 1, so CF1 3/4; each label's F1 is 2/3."""
    case = RECORDS["tagging"]
    data = case.y_true, case.y_pred
    assert close(number("ML-GCN", CF1, *data), Fraction(3, 4))
    assert options("ASL", "macro precision") == options("ASL", label_based.precision)
    (match,) = (m for m in identify(0.75, *data).matches if m.metric == CF1)
    assert match.tools == ("ML-GCN", "LibMultiLabel")


# ---------------------------------------------------------------------------- options


@pytest.mark.parametrize(
    ("tool", "metric", "expected"),
    [
        ("MULAN", example_based.f1, {"zero_division": "agree"}),
        ("scikit-learn, zero_division=1", label_based.recall, {"zero_division": 1.0}),
        ("scikit-learn, zero_division=1", hamming.hamming_loss, {}),
        ("ignite", functools.partial(label_based.fbeta, beta=7), {"zero_division": 0.0}),
        ("ignite", functools.partial(label_based.f1, average=None), {"zero_division": 0.0}),
        ("keras", functools.partial(label_based.fbeta, beta=2, average="weighted", zero_division=1.0),
         {"zero_division": 0.0}),
        ("LAMDA MATLAB", functools.partial(ranking.coverage, ties="best"),
         {"start": 0, "ties": "last", "undefined": -1.0}),
        ("mldr, ties_method='min'", ranking.one_error, {"ties": "first", "undefined": 1.0}),
        ("mldr, undefined_value=0", example_based.f1, {"zero_division": "agree"}),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)  # fmt: skip
def test_options(tool, metric, expected):
    """What the metric itself has bound, other than its average, is not asked about."""
    assert options(tool, metric) == expected


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: options("mulan", example_based.f1), "tool is 'mulan': choose one of 'scikit-learn', "),
        (lambda: options(None, example_based.f1), "tool is 'None': choose one of "),
        (lambda: options("keras, loud", label_based.f1),
         "setting of keras is 'loud': choose one of '', 'no threshold'"),
        (lambda: options("river, loud", label_based.f1),
         "setting of river is 'loud': choose one of ''"),
        (lambda: options("MULAN", functools.partial(label_based.fbeta, average="weighted")),
         "metric of MULAN is 'weighted Fβ': choose one of 'subset accuracy', 'Hamming loss', "),
        (lambda: options("ASL", CF1),
         "metric of ASL is 'F1 of macro precision and macro recall': choose one of 'macro AP'"),
        (lambda: options("MULAN", print), "metric is print, which the catalogue does not hold"),
        (lambda: number("MULAN", "samples Fβ", PERFECT, PERFECT), "name is 'samples Fβ': choose"),
        (lambda: compare(["x"], "both_empty"), "name is ['x']: choose one of 'subset accuracy', "),
        (lambda: compare(F1, "some_case"),
         "case is 'some_case': choose one of 'both_empty', 'truth_empty', "),
    ],
)  # fmt: skip
def test_what_does_not_exist_gets_one_sentence(call, sentence):
    with pytest.raises(ValueError) as error:
        call()
    assert str(error.value).startswith(sentence)


def test_names_of_an_average_are_its_own():
    """Documents that tell averages apart name macro first, then micro."""
    f1 = {
        a: names(functools.partial(label_based.f1, average=a))
        for a in ("macro", "micro", "weighted")
    }
    assert (f1["macro"]["macro_micro"], f1["micro"]["macro_micro"]) == ("macro-F1", "micro-F1")
    assert "macro_micro" not in f1["weighted"]
    assert f1["micro"]["MULAN"] == "Micro-averaged F-Measure"
    assert "Spark MLlib" not in f1["macro"]
    f2 = names(functools.partial(example_based.fbeta, beta=2))
    assert f2["MULAN"] == "Example-Based F Measure (with beta)"
    assert list(names(exact_match.subset_accuracy).values())[-1] == "Subset Accuracy"


def test_sparse_matrices_give_the_same():
    truth, prediction = sparse.csr_array(PERFECT), sparse.csr_array(ABSENT)
    for name in ("Hamming loss", "samples recall", "macro F1"):
        for tool in ("Spark MLlib", "napkinXC", "utiml"):
            if name in TOOLS[tool].metrics:
                assert same(
                    number(tool, name, truth, prediction), number(tool, name, PERFECT, ABSENT)
                )
    assert identify(0.5, truth, prediction).matches == identify(0.5, PERFECT, ABSENT).matches
    assert report([example_based.f1], truth, prediction) == report(
        [example_based.f1], PERFECT, ABSENT
    )


# ---------------------------------------------------------------------------- side by side


def rows_of(board):
    (table,) = board.steps
    return {row[0]: row[1:] for row in table.rows}


def shown(value):
    return value if isinstance(value, str) else f"{value:.6f}".rstrip("0").rstrip(".")


@pytest.mark.parametrize("metric", QUANTITIES)
def test_rows_are_the_tools_that_have_the_metric_and_numbers_are_the_recorded(metric):
    general, k = QUANTITIES[metric].general, QUANTITIES[metric].bound.get("k", 1)
    having = [name for name, tool in TOOLS.items() if general in tool.metrics]
    cases = [case for case in RECORDS.values() if having and len(case.y_true[0]) >= k]
    for case in cases[len(metric) % 7 :: 20]:
        rows = rows_of(compare(metric, case.name))
        assert list(rows) == having
        for tool, (theirs, call, _, ours) in rows.items():
            assert call == TOOLS[tool].metrics[general].call
            on_record = case.numbers.get(metric, {}).get(tool)
            assert on_record is None or theirs == shown(on_record)
            assert ours in (theirs, "no option says it") or close(float(ours), float(theirs))


def test_perfect_prediction_side_by_side():
    """As CONVENTIONS of the field has it: 0.5 in most tools, 1 in MULAN, nan in Spark."""
    board = compare(F1, "perfect+both_empty")
    assert board.title == "samples F1: perfect prediction, one row legitimately empty"
    assert board.steps[0].caption == f"truth {PERFECT}, given {PERFECT}"
    rows = rows_of(board)
    assert {tool: row[0] for tool, row in rows.items()} == {
        **dict.fromkeys(("scikit-learn", "torchmetrics", "river", "MEKA"), "0.5"),
        **dict.fromkeys(("napkinXC", "xCOLUMNs", "utiml", "Hugging Face evaluate"), "0.5"),
        **dict.fromkeys(("MULAN", "mldr"), "1"),
        "Spark MLlib": "nan",
    }
    assert rows["MULAN"][1:] == ("Example-Based F Measure", "zero_division='agree'", "1")
    assert rows["Spark MLlib"][1:] == ("f1Measure", "zero_division=nan", "no option says it")


# ---------------------------------------------------------------------------- what to write in a paper

Y_TRUE, Y_PRED = [[1, 0, 1], [0, 1, 0], [0, 0, 0]], [[1, 1, 0], [0, 1, 0], [0, 0, 0]]
Y_SCORE = [[0.9, 0.5, 0.5], [0.2, 0.8, 0.1], [0.3, 0.2, 0.1]]
DATA = (
    "3 samples, 3 labels, label cardinality (true labels a sample) 1;"
    " 1 of 3 samples and 0 of 3 labels have no true label."
)
A_MEAN = "a value per sample, then their mean"


def with_options(function, **chosen):
    return functools.partial(function, **chosen)


@pytest.mark.parametrize(
    ("metric", "sentence"),
    [
        (exact_match.subset_accuracy, f"subset accuracy = 0.666667: {A_MEAN}."),
        (hamming.hamming_loss, f"Hamming loss = 0.222222: {A_MEAN}."),  # 2 of 9 cells
        # F1 of the samples: 2/4, 1 and 0/0
        (example_based.f1, f"samples F1 = 0.5: {A_MEAN}; 0/0 counts 0 (1 of 3 samples)."),
        (with_options(example_based.f1, zero_division=nan),
         f"samples F1 = 0.75: {A_MEAN}; 0/0 is left out (1 of 3 samples)."),
        (with_options(example_based.fbeta, beta=2, zero_division="agree"),
         f"samples F2 = 0.833333: {A_MEAN}; 0/0 counts 1 where truth and prediction are both"
         " empty, else 0 (1 of 3 samples)."),
        (
            with_options(example_based.f1, sample_weight=[3, 1, 0]),  # (3/2 + 1) / 4
            f"samples F1 = 0.625: {A_MEAN}; 0/0 counts 0 (1 of 3 samples); samples are weighted.",
        ),
        # precision of the labels: 1/1, 1/2 and 0/0
        (label_based.precision, "macro precision = 0.5: a value per label, then their mean;"
         " 0/0 counts 0 (1 of 3 labels)."),
        (with_options(label_based.recall, average="micro"),
         "micro recall = 0.666667: one ratio over all cells; 0/0 counts 0 (this ratio is not 0/0)."),
        # depths: 3 where the tie is lost, 1, and none
        (ranking.coverage,
         f"coverage = 1.333333: {A_MEAN}; a sample without a value counts 0 (1 of 3 samples);"
         " tied labels share their largest rank; start=1."),
        (
            with_options(ranking.coverage, start=0, ties="best", undefined=nan),  # 1 and 0
            f"coverage = 0.5: {A_MEAN}; a sample without a value is left out (1 of 3 samples);"
            " tied labels share their smallest rank; start=0.",
        ),
        # in half of the orders the second place of the first sample is a hit: 3/4, 1/2 and 0
        (with_options(top_k.precision, k=2),
         f"precision at 2 = 0.416667: {A_MEAN}; the value is the average over all orders of tied labels."),
        # of the columns: first, and the one with two tied above it; none undefined, as each is true once
        (with_options(curves.average_precision, ties="first", interpolation=11),
         "macro AP = 1: a value per label, then their mean; a label without a value counts 0"
         " (0 of 3 labels); of tied samples the lowest index ranks first; interpolation=11."),
        (with_options(curves.average_precision, average="micro", interpolation="all"),
         "micro AP = 0.916667: one ratio over all cells; a label without a value counts 0 (this ratio is not 0/0);"
         " tied cells share their largest rank; interpolation='all'."),
    ],
)  # fmt: skip
def test_report(metric, sentence):
    assert report([metric], Y_TRUE, Y_PRED, Y_SCORE) == f"{DATA} {sentence}"


@pytest.mark.parametrize(
    ("metric", "data", "said"),
    [
        # Only the first sample counts, which has no label: 0/0.
        (with_options(label_based.recall, average="micro", sample_weight=[1, 0]),
         ([[0, 0], [1, 0]], [[0, 0], [1, 0]]), "micro recall = 0: one ratio over all cells; 0/0 counts 0 (this ratio is 0/0)"),
        # Only the first sample counts, in which label 1 is neither true nor predicted.
        (with_options(label_based.f1, sample_weight=[1, 0]),
         ([[1, 0], [0, 1]], [[1, 0], [0, 1]]), "macro F1 = 0.5: a value per label, then their mean; 0/0 counts 0 (1 of 2 labels)"),
    ],
)  # fmt: skip
def test_report_counts_with_the_weights(metric, data, said):
    assert f"{said}; samples are weighted." in report([metric], *data)


def test_report_of_cells_without_a_value():
    metric = with_options(curves.average_precision, average="micro")
    said = report([metric], [[0, 0]], y_score=[[0.1, 0.2]])
    assert "a label without a value counts 0 (this ratio is 0/0)" in said


def test_report_of_several_with_the_decision():
    text = report(
        [hamming.hamming_loss, exact_match.subset_accuracy], Y_TRUE, Y_PRED, decision="score >= 0.5"
    )
    assert text == (
        f"{DATA} A label is predicted where score >= 0.5."
        f" Hamming loss = 0.222222: {A_MEAN}. subset accuracy = 0.666667: {A_MEAN}."
    )
    assert report([], Y_TRUE) == DATA


def test_report_with_intervals():
    y_true, y_pred = np.tile(Y_TRUE, (9, 1)), np.tile(Y_PRED, (9, 1))
    found = uncertainty.interval(hamming.hamming_loss, y_true, y_pred, level=0.9)
    said = report([hamming.hamming_loss], y_true, y_pred, level=0.9)
    assert f"Hamming loss = 0.222222 ({found.low:.6g} to {found.high:.6g}): {A_MEAN}." in said
    assert said.endswith(
        " In parentheses: 90 % intervals, BCa bootstrap of the samples, 1,000 resamples."
    )
    groups = np.repeat(range(9), 3)
    said = report([hamming.hamming_loss], y_true, y_pred, level=0.9, groups=groups)
    assert said.endswith(
        "BCa bootstrap of the 9 groups of samples (so few make intervals too narrow), 1,000 resamples."
    )
    found = uncertainty.interval(hamming.hamming_loss, y_true, y_pred, level=0.9, groups=groups)
    assert f" ({found.low:.6g} to {found.high:.6g}): {A_MEAN}." in said


@pytest.mark.parametrize(
    ("metric", "data", "sentence"),
    [
        (ranking.coverage, (Y_PRED,), "y_score is missing: coverage reads it"),
        (label_based.f1, (None, Y_SCORE), "y_pred is missing: macro F1 reads it"),
        (with_options(label_based.f1, average=None), (Y_PRED,), "average is None, a value per label"),
        (with_options(ranking.coverage, per_sample=True), (None, Y_SCORE),
         "per_sample is True, a value per sample: leave it out"),
        (example_based.f1, ([[1, 2, 0]] * 3,), "y_pred holds 2 at row 0, column 1"),
        (example_based.fbeta, (Y_PRED,), "missing a required argument: 'beta'"),
    ],
)  # fmt: skip
def test_report_refuses(metric, data, sentence):
    with pytest.raises((TypeError, ValueError)) as error:
        report([metric], Y_TRUE, *data)
    assert str(error.value).startswith(sentence)


def test_unknown_cells_are_reported_and_no_tool_is_asked_about_them():
    """One sample has no true label that is known; of another nothing is, which is left out and is no 0/0."""
    y_true, y_pred = np.ma.masked_equal([[1, -1], [-1, -1], [0, 0]], -1), [[1, 1], [1, 0], [0, 0]]
    assert report([example_based.f1], y_true, y_pred) == (
        "3 samples, 2 labels, label cardinality (true labels a sample) 0.333333; 2 of 3 samples and"
        " 1 of 2 labels have no true label. 3 of 6 cells of the truth are unknown and left out."
        " samples F1 = 0.5: a value per sample, then their mean; 0/0 counts 0 (1 of 3 samples)."
    )
    for asks in (functools.partial(number, "MEKA", "samples F1"), functools.partial(identify, 0.5)):
        with pytest.raises(
            ValueError, match="y_true has unknown cells, which tools treat differently"
        ):
            asks(y_true, y_pred)


@pytest.mark.parametrize("metrics", [example_based.f1, None, "f1", 3])
def test_report_wants_a_list(metrics):
    with pytest.raises(TypeError, match=r"^metrics is a .*: give a list, such as"):
        report(metrics, Y_TRUE, Y_PRED)
