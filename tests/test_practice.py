"""Sheets: what is right, what is close, and what a wrong answer is said to be."""

from __future__ import annotations

import math
import random
import re
from decimal import Decimal
from fractions import Fraction
from functools import cache, partial

import all_small
import numpy as np
import pytest

from mlm_course import practice
from mlm_course.practice import sheets
from mlm_course.practice.answers import read_answer
from mlm_helpers import catalogue, example_based, hamming, label_based, ranking
from mlm_helpers.tables import Display, Sentence

VARIANTS = catalogue.variants()
# Of samples, of labels, of all cells; of sets, ranks, columns and probabilities; above 1, below 0, and with a root.
SOME = [
    "samples F1", "micro F1", "micro Matthews correlation", "coverage", "average precision",
    "macro AUROC", "macro Brier score", "micro hierarchical F1",
]  # fmt: skip
OTHERS = [
    pytest.param(n, marks=pytest.mark.exhaustive) for n in all_small.one_variant_per_record()[::2]
]
every_sort = pytest.mark.parametrize("name", [*SOME, *OTHERS])


@cache
def sheet(name, seed=1):
    return practice.sheet(VARIANTS[name], seed=seed)


# ---------------------------------------------------------------------------- what is read


READ = [
    ("2 2/3", 8 / 3, None), (Fraction(19, 30), 19 / 30, None),
    ("0,633", 0.633, 3), ("≈0.63", 0.63, 2), ("63.3 %", 0.633, 3), ("\N{MINUS SIGN}0.5", -0.5, 1),
    ("1e-1", 0.1, 1), ("0.489.", 0.489, 3), ("0.444…", 0.444, 3),
    (3, 3, 0), (0.25, 0.25, 2), (np.float32(0.1), 0.1, 1), (Decimal("0.330"), 0.33, 3),
]  # fmt: skip


@pytest.mark.parametrize(("given", "value", "decimals"), READ)
def test_an_answer_is_read_as_it_is_meant(given, value, decimals):
    answer = read_answer(given)
    assert float(answer.value) == value
    assert decimals is None or answer.decimals == decimals
    assert decimals is not None or answer.match_kind(answer.value + Fraction(1, 10**6)) == ""


ANSWERS = {
    # 22/45 = 0.4888…; then micro F1, macro F1 as well as precision, recall, Jaccard, F1 of precision and recall
    "samples F1": [
        "22/45", "0.49", "48 %", "0.4", 0.5, "49/100", Fraction(49, 100), "48.9", "0.489 %", "0.1234", "51/100",
        "6/13", "5/12", "7/9", "1/3", "70/129",
        "9" * 60, Fraction(10**59), "<b>",
        "", "a half", "1/0", "0.6 0.7", "0..5", "9" * 70, "2²/45", "1e400", "22/45 = 0.489",
        None, True, math.inf, [0.5], 1j, 10**400, 5e-324, Fraction(10**400), Decimal("sNaN"),
    ],
    "micro F1": [0.4],  # 4/11
    "coverage": ["3.33", "333.3%", "1000/3 %", "1e99 %", 333.333, "3", -1e59],  # 10/3
}  # fmt: skip


@pytest.mark.parametrize("name", ANSWERS)
def test_what_is_said_of_an_answer(name, snapshot):
    verdicts = [(given, sheet(name).check(given)) for given in ANSWERS[name]]
    assert "\n".join(f"{str(g)[:80]!r}: {v.right} {v.says}" for g, v in verdicts) == snapshot


# ---------------------------------------------------------------------------- right and not quite


def places(value, n):
    """All ways to write a value at so many decimals: cut off, and rounded up or down where it is halfway."""
    scaled = abs(Fraction(value)) * 10**n
    down, sign = math.floor(scaled), -1 if value < 0 else 1
    kept = {down} if scaled - down < Fraction(1, 2) else {down, down + 1}
    return {f"{Decimal(sign * one).scaleb(-n):.{n}f}" for one in kept}


def accepted(value, share):
    """Each form in which a value is right."""
    forms = [float(value), np.float16(value), repr(float(value)).replace(".", ",")]
    forms += [np.nextafter(np.float32(value), np.float32(9))]  # what a sum may make of it
    if isinstance(value, Fraction):
        forms += [value, str(value), f" {2 * value.numerator} / {2 * value.denominator} "]
    for n in (2, 3, 6):
        for text in places(value, n):
            forms += [text, f"{text}…", f"{Decimal(text).scaleb(2):f} %" if share else text]
    return forms


@every_sort
def test_a_right_answer_is_never_refused(name):
    asked = sheet(name)
    value = asked.solution().value
    for form in accepted(value, catalogue.record_of(asked.metric).range == (0, 1)):
        verdict = asked.check(form)
        assert verdict.right is True, (form, verdict)
        assert verdict.says.startswith("Right: ")


@every_sort
def test_one_more_or_less_in_the_last_place_is_wrong(name):
    """Cut off counts as right."""
    right = {int(Decimal(text).scaleb(3)) for text in places(sheet(name).solution().value, 3)}
    for wrong in (min(right) - 1, max(right) + 1):
        assert sheet(name).check(f"{Decimal(wrong).scaleb(-3):f}").right is False


def test_what_is_exact_at_one_decimal_is_right():
    asked = practice.sheet(hamming.hamming_loss, seed=2, n_samples=2, n_labels=5)
    assert asked.solution().value == Fraction(3, 10)
    assert asked.check("0.3").right is True


# ---------------------------------------------------------------------------- no sheet is ambiguous


@every_sort
def test_a_sheet_is_neither_trivial_nor_ambiguous(name):
    asked = sheet(name)
    value = float(asked.solution())
    record = catalogue.record_of(asked.metric)
    low, high = record.bounds(asked.data[0].shape[1], catalogue.resolve_options(asked.metric))
    assert low < value < high
    assert value == pytest.approx(float(asked.metric(*asked.data)))
    usual = [one for one in asked.confusions if one.is_usual]
    assert len(usual) >= (
        4 if record in catalogue.taught_records() else 1
    )  # slips come with teaching
    for one in usual:
        assert all(
            abs(number - value) >= sheets.MIN_GAP for _, number in one.numbers(*asked.data)
        ), one.description


# ---------------------------------------------------------------------------- wrong answers are named


def names(verdict, what):
    """Whether a verdict says that the number is this metric, or comes out if this is done."""
    return re.search(rf"(?:is|also|and|if) {re.escape(what)}(?=[,;. ])", verdict.says) is not None


def test_at_least_nine_in_ten_wrong_answers_are_named():
    """Other metrics, other conventions and slips; as fractions where they are some."""
    rng, named = random.Random(0), []
    for asked in map(sheet, SOME):
        value = float(asked.solution())
        every = [
            (one.description, n) for one in asked.confusions for _, n in one.numbers(*asked.data)
        ]
        for says, n in rng.sample([pair for pair in every if abs(pair[1] - value) > 1e-9], 6):
            fraction = Fraction(n).limit_denominator(5000)
            verdict = asked.check(str(fraction) if abs(fraction - n) < 1e-9 else n)
            assert verdict.right is False, (asked.title, n, verdict)
            named.append(names(verdict, says))
    assert sum(named) >= 0.9 * len(named)


# ---------------------------------------------------------------------------- the sheet itself


def test_the_same_seed_gives_the_same_sheet():
    again = practice.sheet(VARIANTS["coverage"], seed=1)
    assert repr(again) == repr(sheet("coverage")) and again.y_pred is None
    assert repr(sheet("samples F1", 0)) != repr(sheet("samples F1", 1))


@pytest.mark.parametrize("name", SOME)
def test_a_sheet_shows_the_question_and_its_hint_all_but_the_value(name, snapshot):
    asked = sheet(name)
    assert asked._repr_html_().count("<table>") >= 1
    last = asked.solution().to_text().splitlines()[-1]
    assert last not in repr(asked) and last not in repr(asked.hint())
    assert f"{asked!r}\n\nHint: {asked.hint()!r}" == snapshot


def test_options_are_asked_as_they_are_bound():
    asked = practice.sheet(partial(label_based.fbeta, beta=2), seed=3, average="micro")
    assert asked.title.endswith("label_based.fbeta, beta=2, average='micro'")
    assert asked.check(label_based.fbeta(*asked.data, beta=2, average="micro")).right


TIES = [(ranking.average_precision, "first"), (ranking.one_error, "worst")]


@pytest.mark.parametrize(("metric", "ties"), TIES)
def test_where_ties_are_given_they_matter(metric, ties):
    """And the labels stand in their own order."""
    asked = practice.sheet(metric, seed=1, ties=ties)
    others = [metric(*asked.data, ties=rule) for rule in all_small.TIES]
    assert max(abs(other - float(asked.solution())) for other in others) >= sheets.MIN_GAP
    assert asked.check(metric(*asked.data, ties=ties)).right
    assert [[row[0] for row in table.rows] for table in asked.steps[:3]] == [list("1234")] * 3


@pytest.mark.parametrize(
    "options", [{"seed": 1.5}, {"average": None}, {"sample_weight": [1, 2, 3]}], ids=str
)
def test_bad_requests_get_one_sentence(options, snapshot):
    with pytest.raises(ValueError) as refused:
        practice.sheet(label_based.f1, **{"seed": 1} | options)
    assert str(refused.value) == snapshot


def test_a_size_at_which_all_coincides_is_refused(monkeypatch):
    """One sample with one of two labels right: the mean of one value is that of all cells."""
    monkeypatch.setattr(sheets, "_N_ATTEMPTS", 9)
    with pytest.raises(ValueError, match="no data of 1 samples and 4 labels turned up on which"):
        practice.sheet(example_based.f1, seed=1, n_samples=1)


def test_a_verdict_shows_itself():
    verdict = sheet("samples F1").check("<b>")
    assert repr(verdict) == verdict.says
    assert verdict._repr_html_().startswith("<p>") and "<b>" not in verdict._repr_html_()
    beside = Display("Look:", (Sentence("two rows"),))
    assert practice.Verdict(False, "No.", beside)._repr_html_() == f"<p>No.</p>\n{beside.to_html()}"
