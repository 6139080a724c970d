"""Every number leads back to the metric and the convention that it came from, and to no wrong one."""

import math
import re
from fractions import Fraction
from functools import cache
from itertools import islice, product
from math import inf, nan

import numpy as np
import pytest
import worlds
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from mlm_course.documents import DOCUMENTS
from mlm_helpers import catalogue, hamming
from mlm_helpers.board import Sentence, Table
from mlm_helpers.conventions import (
    TOOLS,
    identify,
    number,
    recorded,
    report,
)
from mlm_helpers.conventions.identify import Sought, fit
from mlm_helpers.conventions.quantities import quantities, ways
from mlm_helpers.conventions.tool import close
from mlm_helpers.conventions.translate import numbers_of

QUANTITIES = {n: q for n, q in quantities().items() if q.reads != "y_prob"}
F1 = "samples F1"
PERFECT = [[1, 0, 0], [0, 0, 0]]  # with a sample that has no label
ABSENT = [[1, 0, 0], [0, 1, 0]]  # and the last label never occurs


def reads_scores(name):
    return QUANTITIES[name].reads == "y_score"


# ---------------------------------------------------------------------------- the documents

PUBLISHED = [
    (document, value)
    for document in DOCUMENTS
    for value in document.published
    if value.metric and "swaps" not in value.slip
]


def name_of(value):
    module = value.metric.partition(".")[0]
    record = next(r for r in catalogue.METRICS if r.id == value.metric)
    if value.label is not None:
        return f"{record.name} of column {value.label} alone"
    kind = {"example_based": "samples ", "label_based": value.options.get("average", "macro")}
    return f"{kind.get(module, '')} {record.name}".replace("  ", " ").strip()


@pytest.mark.parametrize(
    "case", PUBLISHED[::3], ids=lambda case: f"{case[0].id}, {case[1].of}: {case[1].printed}"
)
def test_a_value_that_a_document_prints_is_identified(case):
    document, value = case
    example = document.examples[value.data]
    printed = float(value.value)
    decimals = None
    if re.fullmatch(r"\d+\.\d+", value.printed):
        printed, decimals = float(value.printed), len(value.printed.partition(".")[2])
    others = (None, example.y_score) if value.metric.startswith("ranking") else (example.y_pred,)
    found = identify(printed, example.y_true, *others, decimals=decimals)
    matches = [match for match in found.matches if match.metric == name_of(value)]
    # Our defaults are the documents' conventions: 0/0 is 0, the top rank is 1.
    defaults = {"zero_division": 0.0, "start": 1, "ties": "worst"}
    (match,) = (
        m
        for m in matches
        if all(defaults.get(o, setting) == setting for o, setting in m.options.items())
        and not m.says
    )
    assert abs(match.value - float(value.value)) < 1e-9
    off = abs(Fraction(str(printed)) - value.value)
    half = Fraction(1, 2 * 10**decimals) if decimals else Fraction(0)
    by_hand = "rounded" if off <= half else "truncated"
    by_hand = "exactly" if off <= Fraction(1, 10**10) else by_hand
    assert match.fit == by_hand
    if by_hand == "truncated":
        assert math.floor(value.value * 10**decimals) == round(printed * 10**decimals)


# ---------------------------------------------------------------------------- by hand


def found_by(matches, metric):
    return [match for match in matches if match.metric == metric]


def test_half_a_perfect_prediction():
    """F1 of the sample without labels is 0/0: 0.5 where that is 0."""
    found = identify(0.5, PERFECT, PERFECT)
    (match,) = found_by(found.matches, F1)
    assert dict(match.options) == {"zero_division": 0.0}
    assert match.convention == "zero_division=0.0"
    assert match.fit == "exactly"
    assert {"scikit-learn", "torchmetrics", "river", "MEKA"} <= set(match.tools)
    assert not {"MULAN", "Spark MLlib"} & set(match.tools)
    assert found.nearest == ()

    (match,) = found_by(identify(1.0, PERFECT, PERFECT).matches, "subset accuracy")
    assert (dict(match.options), match.convention) == ({}, "any")


def test_one_and_agree_are_told_apart_only_where_they_differ():
    """Truth 1, prediction 0: precision is 0/0; nothing right, so that "agree" says 0."""
    ways = {
        m.convention: m for m in found_by(identify(0, [[1]], [[0]]).matches, "samples precision")
    }
    assert set(ways) == {"zero_division=0.0", "zero_division='agree'"}
    assert "MULAN" in ways["zero_division='agree'"].tools
    assert "scikit-learn" in ways["zero_division=0.0"].tools
    utiml, one = found_by(identify(1, [[1]], [[0]]).matches, "samples precision")
    assert utiml.tools == ("utiml",)  # which predicts the label
    assert one.convention == "zero_division=1.0"
    assert set(one.tools) == {
        "scikit-learn, zero_division=1",
        "torchmetrics, zero_division=1",
        "mldr, undefined_value=1",
    }


def test_nan_of_spark():
    matches = found_by(identify(nan, PERFECT, PERFECT).matches, "samples recall")
    (match,) = matches
    assert match.tools == ("Spark MLlib",)
    assert match.convention == "its own rule"
    assert match.says == "a sample with 0/0 makes the whole mean nan"
    assert (dict(match.options), math.isnan(match.value)) == ({}, True)


def test_a_tool_needs_no_setting_for_what_it_does_by_default():
    for match in identify(1.0, [[1, 0]], [[1, 0]]).matches:
        named = {tool for tool in match.tools if "," not in tool}
        assert not any(tool.partition(",")[0] in named for tool in match.tools if "," in tool)

    matches = identify(0.5, PERFECT, PERFECT).matches
    (match,) = found_by(matches, "samples recall")
    assert match.tools == (
        *("scikit-learn", "torchmetrics", "utiml", "ignite", "river", "xCOLUMNs"),
        "Hugging Face evaluate",
        "mldr, undefined_value=0",  # only if asked to
    )


TRUTH, PREDICTION = [[1, 1, 0], [0, 1, 0], [0, 0, 1]], [[1, 0, 0], [0, 1, 1], [0, 0, 1]]
# F1 of the samples 2/3, 2/3, 1: 7/9; columns: F1 1, 2/3, 2/3, which is 7/9 too; micro 6/8.


def test_rounded_truncated_and_a_percentage():
    def fits(value, **how):
        matches = identify(value, TRUTH, PREDICTION, **how).matches
        return {match.fit for match in found_by(matches, F1)}

    assert fits(7 / 9) == {"exactly"}
    assert fits(0.7777777777) == {"exactly"}
    assert fits(0.7777777) == {"truncated"}
    assert fits(0.778) == {"rounded"}
    assert fits(0.77) == {"truncated"}
    assert fits(0.776) == set()
    assert fits(0.779) == set()
    assert fits(77.78) == {"as a percentage"}
    assert fits(77.7) == fits(78, decimals=0) == fits(77, decimals=0) == {"as a percentage"}
    assert fits(78) == fits(77) == {"as a percentage"}  # a whole number was rounded
    assert fits(78.0) == fits(77.9) == fits(177.78) == set()
    assert fit(Sought(0.6, 1), 5 / 9) == "rounded" and not fit(Sought(0.6, 1), 0.549)
    # The decimals that were printed
    assert fits(0.8) == {"rounded"}
    assert fits(0.8, decimals=2) == set()
    assert fits(0.7) == {"truncated"}
    assert fits(1, decimals=0) == {"rounded"}
    assert fits(np.float64(0.78), decimals=np.int64(2)) == {"rounded"}


@pytest.mark.parametrize(
    ("value", "fit"),
    [
        (np.float32(7 / 9), "rounded"),  # it is printed 0.7777778
        (float(np.float32(7 / 9)), "in single precision"),  # 0.7777777910232544
        (np.float32(0.78), "rounded"),
        (0.77777778, "rounded"),
        (np.float32(0.77779), ""),
        (0.7777791023, ""),
    ],
)
def test_a_number_kept_in_lower_precision(value, fit):
    assert {m.fit for m in found_by(identify(value, TRUTH, PREDICTION).matches, F1)} == {fit} - {""}


def test_single_precision_of_a_large_number_and_as_it_is_printed():
    """A coverage of 189.4 is 189.39999389648438 in single precision; and 1/3 is printed 0.33333334."""
    truth, score = np.zeros((5, 200), dtype=int), np.tile(np.linspace(1, 0, 200), (5, 1))
    truth[range(5), [188, 188, 188, 189, 189]] = 1
    for value, fits in (
        (np.float32(189.4), "rounded"),
        (189.39999389648438, "in single precision"),
    ):
        (match,) = identify(value, truth, None, score).matches
        assert (match.metric, match.fit, match.value) == ("coverage", fits, 189.4)
        assert dict(match.options) == {"start": 1}
    exact = found_by(identify(0.33333334, [[1, 1, 1]], [[1, 0, 0]]).matches, "samples recall")
    assert [match.fit for match in exact] == ["in single precision"]


def test_small_numbers_are_told_apart():
    """One wrong cell of four million: 2.5e-7, to which 3e-7 is not equal, nor 5e-4 of napkinXC, nor 0."""
    truth = sparse.csr_array((2000, 2000))
    prediction = sparse.csr_array(([1], ([0], [0])), shape=truth.shape)
    (match,) = found_by(identify(2.5e-7, truth, prediction).matches, "Hamming loss")
    assert (match.fit, match.value) == ("exactly", 2.5e-7)
    assert "scikit-learn" in match.tools and "napkinXC" not in match.tools
    for other in (3.1e-7, 2.6e-7):
        assert not found_by(identify(other, truth, prediction).matches, "Hamming loss")
    for decimals, fits in ((7, False), (6, True)):
        found = identify(0.0, truth, prediction, decimals=decimals)
        assert bool(found_by(found.matches, "Hamming loss")) == fits
    assert not close(*numbers_of("Spark MLlib", "Hamming loss", truth, prediction))
    assert "Hamming loss = 2.5e-07:" in report([hamming.hamming_loss], truth, prediction)


def test_a_percentage_is_sought_only_where_nothing_else_fits():
    scores = [[0.9, 0.8, 0.1]]
    found = identify(2.0, [[0, 1, 0]], [[0, 1, 0]], scores)
    assert {match.metric for match in found.matches} == {"coverage"}
    assert {match.fit for match in found.matches} == {"exactly"}


def test_a_negative_value_is_cut_towards_zero():
    """LAMDA counts a sample without labels -1: coverages 0, -1 and -1."""
    truth, scores = [[1, 0], [0, 0], [0, 0]], [[0.9, 0.1]] * 3
    (match,) = found_by(identify(-0.66, truth, None, scores).matches, "coverage")
    assert (match.fit, match.tools) == ("truncated", ("LAMDA MATLAB",))
    assert dict(match.options) == {"start": 0, "undefined": -1.0}
    assert identify(-0.65, truth, None, scores).matches == ()
    assert identify(0.66, truth, None, scores, decimals=2).matches[0].value == pytest.approx(2 / 3)


def test_nothing_fits_and_the_nearest_are_told():
    """0.7: nearest are 2/3 (subset accuracy is 1/3), 3/4 (micro F1), then others further off."""
    found = identify(0.7, TRUTH, PREDICTION, decimals=4)
    assert found.matches == ()
    assert found.title == "0.7: no metric gives it here, as far as was tried"
    said = [step.text for step in found.steps if isinstance(step, Sentence)]
    assert said[0] == (
        "Not tried: sample weights, thresholds, parts of the data, other values of β and k."
    )
    assert [round(match.value, 6) for match in found.nearest] == [0.666667] * 3
    assert all((match.fit, match.convention) == ("", "any") for match in found.nearest)
    (table,) = (step for step in found.steps if isinstance(step, Table))
    assert (table.caption, table.rows[0][2:4]) == ("The nearest", ("0.666667", "no"))

    values = [m.value for m in identify(0.97, [[1, 0]], [[0, 1]], [[0.1, 0.9]], decimals=3).nearest]
    assert values == sorted(values, key=lambda value: abs(value - 0.97))
    assert identify(inf, TRUTH, PREDICTION).nearest == ()


def test_f1_of_mean_precision_and_mean_recall():
    """Truth 11, prediction 10: P 1 and R 1/2, so 2/3. Of two rows 2/3 too, where P and R are 3/4."""
    of_samples = "F1 of samples precision and samples recall"
    assert found_by(identify(2 / 3, [[1, 1]], [[1, 0]]).matches, of_samples)
    y_true, y_pred = [[1, 1], [1, 0]], [[1, 0], [1, 1]]
    assert found_by(identify(0.75, y_true, y_pred).matches, of_samples)
    assert found_by(identify(2 / 3, y_true, y_pred).matches, F1)
    assert not found_by(identify(2 / 3, y_true, y_pred).matches, of_samples)
    # Labels 4 and 1 times true, 1 and 4 times predicted, each hit once: P and R are 5/8, the F1s 2/5.
    (case,) = (case for case in recorded() if case.name == "macroF1_definition")
    for value, metric in ((0.625, "F1 of macro precision and macro recall"), (0.4, "macro F1")):
        assert found_by(identify(value, case.y_true, case.y_pred).matches, metric)


def test_columns_alone():
    """Column 1 of the truth holds 2, the prediction 1 of them: precision 1, recall 1/2, F1 2/3."""
    matches = identify(2 / 3, TRUTH, PREDICTION).matches
    assert {m.metric for m in matches if "alone" in m.metric} == {
        "F1 of column 1 alone",
        "F1 of column 2 alone",
    }
    assert all(m.convention == "any" and m.tools == () for m in matches if "alone" in m.metric)


@pytest.mark.parametrize("worth", [0.0, 1.0, nan])
def test_a_column_without_labels_is_worth_its_zero_division(worth):
    matches = identify(worth, ABSENT, ABSENT).matches
    (match,) = found_by(matches, "F1 of column 2 alone")
    assert match.convention == f"zero_division={worth}"


def test_columns_past_fifty_are_left_alone():
    truth = np.eye(60, dtype=int)
    prediction = truth.copy()
    prediction[49, 49] = prediction[50, 50] = 0
    alone = {
        match.metric
        for match in identify(0.0, truth, prediction).matches
        if match.metric.startswith("recall of column")
    }
    assert alone == {"recall of column 49 alone"}


def test_the_table_shows_twenty_matches_and_a_tool_s_own_rule_below():
    found = identify(0.5, PERFECT, PERFECT)
    table, *told = found.steps
    assert table.header == ("metric", "convention", "value", "fits", "tools")
    assert [row[0] for row in table.rows] == [match.metric for match in found.matches]
    assert "; mldr, undefined_value=0" in str(found)
    assert told[-2:] == [
        Sentence("Metrics that read y_score were not tried: it is missing."),
        Sentence("Metrics that read y_prob were not tried: it is missing."),
    ]
    more = identify(1.0, ABSENT, ABSENT, ABSENT, y_prob=ABSENT)
    table, *told = more.steps
    assert len(table.rows) == 20
    assert told == [Sentence(f"{len(more.matches) - 20} more, less usual, are in .matches.")]
    own = identify(inf, [[0]], [[1]])
    table, rule, *_ = own.steps
    assert own.title == "inf: 1 way to get it"
    assert table.rows == (("Hamming loss", "its own rule", "inf", "exactly", "Spark MLlib"),)
    assert rule.text == f"Spark MLlib, Hamming loss: {own.matches[0].says}."


def test_without_predictions_only_ranks_are_tried():
    found = identify(1.0, [[1, 0]], None, [[0.9, 0.1]])
    assert "Metrics that read y_pred were not tried: it is missing." in str(found)
    assert all(reads_scores(m.metric) for m in found.matches if m.column is None)


@pytest.mark.parametrize(
    ("arguments", "error", "sentence"),
    [
        ((True, PERFECT, PERFECT), TypeError, "value is True: give it as a float, such as 0.5"),
        (("0.5", PERFECT, PERFECT), TypeError, "value is '0.5': give it as a float, such as 0.5"),
        ((10**400, PERFECT, PERFECT), TypeError, "value is 1"),
        (
            (0.5, PERFECT),
            ValueError,
            "y_pred, y_score, y_prob are all missing: give the data behind",
        ),
        ((0.5, [[2]], [[1]]), ValueError, "y_true holds 2 at row 0, column 0"),
        ((0.5, [[1]], [[0.3]]), ValueError, "y_pred holds the score 0.3 at row 0, column 0"),
        ((0.5, [[1]], None, [[nan]]), ValueError, "y_score holds nan"),
        ((0.5, [[1]], [[1]], [[0.1, 0.2]]), ValueError, "y_score has shape"),
    ],
)
def test_what_cannot_be_sought(arguments, error, sentence):
    with pytest.raises(error) as caught:
        identify(*arguments)
    assert str(caught.value).startswith(sentence)


@pytest.mark.parametrize("decimals", [-1, True, 1.5, "2"])
def test_decimals_that_are_none(decimals):
    with pytest.raises(ValueError) as error:
        identify(0.5, PERFECT, PERFECT, decimals=decimals)
    assert str(error.value) == f"decimals is {decimals!r}: give a whole number of 0 or more"


# ---------------------------------------------------------------------------- whatever the data


def has_room(name, y_true):
    return QUANTITIES[name].bound.get("k", 1) <= len(y_true[0])


def conventions_of(name):
    return ways(QUANTITIES[name].choices)


def agrees(way, match):
    return all(same_setting(way[option], setting) for option, setting in match.options.items())


def same_setting(a, b):
    return repr(a) == repr(b)


def value_of(metric, way, y_true, other):
    return QUANTITIES[metric].function(y_true, other, **way)


def value_of_column(match, y_true, y_pred, y_score):
    (record,) = (
        r
        for r in catalogue.METRICS
        if r.along == "label" and match.metric == f"{r.name} of column {match.column} alone"
    )
    other = y_score if record.reads == "y_score" else y_pred
    return record.function(y_true, other, average=None, **match.options)[match.column]


def check(found, value, decimals, y_true, y_pred, y_score):
    """No match is wrong: its options and each of its tools give the number; and no tool is forgotten."""

    def other(metric):
        return y_score if reads_scores(metric) else y_pred

    @cache
    def printed(tool, metric):
        return number(tool, metric, y_true, other(metric))

    keys = [(m.fit != "exactly", -sum(tool in TOOLS for tool in m.tools)) for m in found.matches]
    assert keys == sorted(keys)
    for match in found.matches:
        if match.column is not None:
            assert close(value_of_column(match, y_true, y_pred, y_score), match.value)
            continue
        scale, more = (100, 2) if match.fit == "as a percentage" else (1, 0)
        if not close(value / scale, match.value):
            assert abs(value / scale - match.value) < 10 ** -(decimals + more) + 1e-9
        assert all(close(printed(tool, match.metric), match.value) for tool in match.tools)
        if match.says:
            assert match.tools
            given = match.metric, y_true, other(match.metric)
            assert not any(close(*numbers_of(tool, *given)) for tool in match.tools)
            continue
        agreeing = [way for way in conventions_of(match.metric) if agrees(way, match)]
        assert agreeing or match.options["undefined"] in (-1.0, 0.5)  # LAMDA, torcheval
        for way in agreeing[::7] or [match.options]:
            assert close(value_of(match.metric, way, y_true, other(match.metric)), match.value)
    exact = [match for match in found.matches if match.fit == "exactly"]
    for metric in {match.metric for match in exact if match.column is None}:
        named = {tool for match in found_by(exact, metric) for tool in match.tools}
        for name, tool in TOOLS.items():
            if QUANTITIES[metric].general in tool.metrics:
                theirs = printed(name, metric)
                prints = any(close(theirs, match.value) for match in found_by(exact, metric))
                assert prints == (name in named)


@st.composite
def problems(draw):
    shape = draw(st.integers(1, 3)), draw(st.integers(1, 3))

    def matrix(cell):
        return [[draw(cell) for _ in range(shape[1])] for _ in range(shape[0])]

    bit = st.integers(0, 1)
    return matrix(bit), matrix(bit), matrix(st.sampled_from([0.1, 0.5, 0.7]))


@pytest.mark.no_cover
@settings(derandomize=True, deadline=None, max_examples=12)
@given(problem=problems(), data=st.data())
def test_a_number_leads_back_to_where_it_came_from(problem, data):
    y_true, y_pred, y_score = problem
    name = data.draw(st.sampled_from([n for n in sorted(QUANTITIES) if has_room(n, y_true)]))
    way = data.draw(st.sampled_from(conventions_of(name)))
    value = value_of(name, way, y_true, y_score if reads_scores(name) else y_pred)
    found = identify(value, *problem)
    (_,) = (
        m
        for m in found_by(found.matches, name)
        if agrees(way, m) and m.fit == "exactly" and not m.says and close(m.value, value)
    )
    decimals = max(1, len(repr(value).partition(".")[2])) if "e" not in repr(value) else 17
    check(found, value, decimals, *problem)


@pytest.mark.no_cover
@settings(derandomize=True, deadline=None, max_examples=8)
@given(
    problem=problems(),
    percent=st.sampled_from([0, 12, 33, 50, 58, 66, 67, 75, 83, 100, 150, 200, 250]),
    decimals=st.integers(0, 3),
)
def test_no_match_of_any_number_is_wrong(problem, percent, decimals):
    found = identify(percent / 100, *problem, decimals=decimals)
    check(found, percent / 100, decimals, *problem)
    assert bool(found.matches) != bool(found.nearest)


@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("shape", "scores", "step"), [((1, 2), False, 7), ((2, 1), False, 5), ((1, 2), True, 7)]
)
def test_what_is_left_out_makes_no_difference(shape, scores, step):
    """A way to compute fits one match if it gives the number, and else none."""
    every = product(worlds.pairs(*shape, scores), (0.0, 0.5, 1.0, nan))
    for (y_true, other), value in islice(every, 0, None, step):
        found = identify(value, y_true, *((None, other) if scores else (other,)))
        for name in QUANTITIES:
            if reads_scores(name) != scores or not has_room(name, y_true):
                continue
            matches = found_by(found.matches, name)
            matches = [match for match in matches if match.fit == "exactly" and not match.says]
            for way in conventions_of(name):
                fits = close(value_of(name, way, y_true, other), value)
                assert sum(agrees(way, match) for match in matches) == fits, (name, way, y_true)
