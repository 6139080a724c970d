"""Sheets: which answers are right, which are close, and how wrong ones are explained."""

import math
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
from mlm_helpers.catalogue.arguments import resolve_options

VARIANTS = catalogue.variants()
# All averages; metrics of sets, ranks, columns and probabilities; values above 1, below 0, and with
# a root.
NAMES = [
    "samples F1", "micro F1", "micro Matthews correlation", "coverage", "average precision",
    "macro AUROC", "macro Brier score", "micro hierarchical F1",
]  # fmt: skip
OTHER_NAMES = [
    pytest.param(n, marks=pytest.mark.exhaustive) for n in all_small.one_variant_per_record()[::2]
]
each_metric = pytest.mark.parametrize("name", [*NAMES, *OTHER_NAMES])


@cache
def sheet(name, seed=1):
    return practice.sheet(VARIANTS[name], seed=seed)


# ---------------------------------------------------------------------------- reading answers


# What a learner writes, its value, and its decimals; None for an exact number.
ANSWERS_READ = [
    ("2 2/3", 8 / 3, None), (Fraction(19, 30), 19 / 30, None),
    ("0,633", 0.633, 3), ("≈0.63", 0.63, 2), ("63.3 %", 0.633, 3), ("\N{MINUS SIGN}0.5", -0.5, 1),
    ("1e-1", 0.1, 1), ("0.489.", 0.489, 3), ("0.444…", 0.444, 3),
    (3, 3, 0), (0.25, 0.25, 2), (np.float32(0.1), 0.1, 1), (Decimal("0.330"), 0.33, 3),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value", "decimals"), ANSWERS_READ)
def test_an_answer_is_read_with_its_value_and_its_decimals(text, value, decimals):
    """A number without decimals is exact, so a value close to it does not match."""
    answer = read_answer(text)
    assert float(answer.value) == value
    if decimals is None:
        assert answer.match_kind(answer.value + Fraction(1, 10**6)) == ""
    else:
        assert answer.decimals == decimals


ANSWERS = {
    # The value is 22/45 = 0.4888…; the second line has micro F1, macro F1 and precision, recall,
    # Jaccard, and F1 of precision and recall.
    "samples F1": [
        "22/45", "0.49", "48 %", "0.4", 0.5, "49/100", Fraction(49, 100),
        "48.9", "0.489 %", "0.1234", "51/100",
        "6/13", "5/12", "7/9", "1/3", "70/129",
        "9" * 60, Fraction(10**59), "<b>",
        "", "a half", "1/0", "0.6 0.7", "0..5", "9" * 70, "2²/45", "1e400", "22/45 = 0.489",
        None, True, math.inf, [0.5], 1j, 10**400, 5e-324, Fraction(10**400), Decimal("sNaN"),
    ],
    "micro F1": [0.4],  # 4/11
    "coverage": ["3.33", "333.3%", "1000/3 %", "1e99 %", 333.333, "3", -1e59],  # 10/3
}  # fmt: skip


@pytest.mark.parametrize("name", ANSWERS)
def test_feedback_on_answers(name, snapshot):
    verdicts = [(answer, sheet(name).check(answer)) for answer in ANSWERS[name]]
    lines = [
        f"{str(answer)[:80]!r}: {verdict.right} {verdict.says}" for answer, verdict in verdicts
    ]
    assert "\n".join(lines) == snapshot


# ---------------------------------------------------------------------------- right and not quite


def decimal_texts(value, n):
    """The right texts of a value at n decimals: cut off, and rounded if that differs."""
    scaled = abs(Fraction(value)) * 10**n
    floor = math.floor(scaled)
    sign = -1 if value < 0 else 1
    integers = {floor} if scaled - floor < Fraction(1, 2) else {floor, floor + 1}
    return {f"{Decimal(sign * integer).scaleb(-n):.{n}f}" for integer in integers}


def right_answers(value, is_share):
    """The forms in which a value is right: numbers and texts.

    A percentage is right only of a share (a value from 0 to 1).
    """
    forms = [float(value), np.float16(value), repr(float(value)).replace(".", ",")]
    # the next larger float, as a sum with rounding errors may give it
    forms.append(np.nextafter(np.float32(value), np.float32(np.inf)))
    if isinstance(value, Fraction):
        forms += [value, str(value), f" {2 * value.numerator} / {2 * value.denominator} "]
    for n in (2, 3, 6):
        for text in decimal_texts(value, n):
            forms += [text, f"{text}…"]
            if is_share:
                forms.append(f"{Decimal(text).scaleb(2):f} %")
    return forms


@each_metric
def test_a_right_answer_is_never_refused(name):
    question = sheet(name)
    value = question.solution().value
    for form in right_answers(value, catalogue.record_of(question.metric).range == (0, 1)):
        verdict = question.check(form)
        assert verdict.right is True, (form, verdict)
        assert verdict.says.startswith("Right: ")


@each_metric
def test_one_more_or_less_in_the_last_place_is_wrong(name):
    """The values cut off and rounded are both right."""
    texts = decimal_texts(sheet(name).solution().value, 3)
    right = {int(Decimal(text).scaleb(3)) for text in texts}
    for wrong in (min(right) - 1, max(right) + 1):  # in thousandths
        assert sheet(name).check(f"{Decimal(wrong).scaleb(-3):f}").right is False


def test_an_exact_answer_of_one_decimal_is_right():
    question = practice.sheet(hamming.hamming_loss, seed=2, n_samples=2, n_labels=5)
    assert question.solution().value == Fraction(3, 10)
    assert question.check("0.3").right is True


# ---------------------------------------------------------------------------- no sheet is ambiguous


@each_metric
def test_a_sheet_is_neither_trivial_nor_ambiguous(name):
    question = sheet(name)
    value = float(question.solution())
    record = catalogue.record_of(question.metric)
    low, high = record.bounds(question.data[0].shape[1], resolve_options(question.metric))
    assert low < value < high
    assert value == pytest.approx(float(question.metric(*question.data)))
    usual_confusions = [confusion for confusion in question.confusions if confusion.is_usual]
    # slips are known of taught metrics only
    min_n_confusions = 4 if record in catalogue.taught_records() else 1
    assert len(usual_confusions) >= min_n_confusions
    for confusion in usual_confusions:
        gaps = [abs(number - value) for _, number in confusion.numbers(*question.data)]
        assert min(gaps, default=1) >= sheets.MIN_GAP, confusion.description


# ---------------------------------------------------------------------------- the sheet itself


def test_the_same_seed_gives_the_same_sheet():
    again = practice.sheet(VARIANTS["coverage"], seed=1)
    assert repr(again) == repr(sheet("coverage"))
    assert again.y_pred is None  # coverage reads scores
    assert repr(sheet("samples F1", 0)) != repr(sheet("samples F1", 1))


@pytest.mark.parametrize("name", NAMES)
def test_a_sheet_and_its_hint_do_not_show_the_value(name, snapshot):
    question = sheet(name)
    assert question._repr_html_().count("<table>") >= 1
    result = question.solution().to_text().splitlines()[-1]
    assert result not in repr(question) and result not in repr(question.hint())
    assert f"{question!r}\n\nHint: {question.hint()!r}" == snapshot


def test_bound_options_are_in_the_title_and_count_for_the_answer():
    question = practice.sheet(partial(label_based.fbeta, beta=2), seed=3, average="micro")
    assert question.title.endswith("label_based.fbeta, beta=2, average='micro'")
    assert question.check(label_based.fbeta(*question.data, beta=2, average="micro")).right


TIE_RULES = [(ranking.average_precision, "first"), (ranking.one_error, "max")]


@pytest.mark.parametrize(("metric", "ties"), TIE_RULES)
def test_a_given_tie_rule_changes_the_value(metric, ties):
    """Its tables list labels by their position, not by rank, which would give the answer away."""
    question = practice.sheet(metric, seed=1, ties=ties)
    values = [metric(*question.data, ties=rule) for rule in all_small.TIES]
    assert max(abs(value - float(question.solution())) for value in values) >= sheets.MIN_GAP
    assert question.check(metric(*question.data, ties=ties)).right
    tables = question.steps[:3]  # one of each sample
    assert [[label for label, *_ in table.rows] for table in tables] == 3 * [list("1234")]


@pytest.mark.parametrize(
    "options", [{"seed": 1.5}, {"average": None}, {"sample_weight": [1, 2, 3]}], ids=str
)
def test_wrong_options_are_refused(options, snapshot):
    with pytest.raises(ValueError) as refused:
        practice.sheet(label_based.f1, **{"seed": 1} | options)
    assert str(refused.value) == snapshot


def test_a_size_at_which_metrics_coincide_is_refused(monkeypatch):
    """On one sample, samples F1 equals micro F1."""
    monkeypatch.setattr(sheets, "_N_ATTEMPTS", 9)  # for speed
    with pytest.raises(ValueError, match="no data of 1 samples and 4 labels turned up on which"):
        practice.sheet(example_based.f1, seed=1, n_samples=1)
