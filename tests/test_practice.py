"""Sheets: what is right, what is close, and what a wrong answer is said to be."""

from __future__ import annotations

import math
import random
import re
from decimal import Decimal
from fractions import Fraction
from functools import cache, partial

import numpy as np
import pytest
import worlds

from mlm_course import practice
from mlm_course.practice.answers import read
from mlm_course.practice.sheets import APART
from mlm_course.practice.slips import SLIPS
from mlm_helpers import catalogue, example_based, hamming, label_based, ranking
from mlm_helpers.board import Board, Sentence, Table

VARIANTS = catalogue.variants()
every_variant = pytest.mark.parametrize("name", VARIANTS)
one_a_record = pytest.mark.parametrize("name", worlds.one_a_record())
SHARES = [name for name, metric in VARIANTS.items() if catalogue.of(metric).range == (0, 1)]


@cache
def sheet(name, seed):
    return practice.sheet(VARIANTS[name], seed=seed)


def other(asked):
    return asked.y_pred or asked.y_score


# ---------------------------------------------------------------------------- what is read


@pytest.mark.parametrize(
    ("given", "value", "decimals"),
    [
        ("19/30", Fraction(19, 30), None),
        ("2 2/3", Fraction(8, 3), None),
        ("0.633", Fraction(633, 1000), 3),
        ("0,633", Fraction(633, 1000), 3),
        ("≈0.63", Fraction(63, 100), 2),
        ("63.3 %", Fraction(633, 1000), 3),
        ("-0.5", Fraction(-1, 2), 1),
        ("\N{MINUS SIGN}0.5", Fraction(-1, 2), 1),
        ("1e-1", Fraction(1, 10), 1),
        ("0.489.", Fraction(489, 1000), 3),
        ("0.444…", Fraction(444, 1000), 3),
        (3, Fraction(3), 0),
        (0.25, Fraction(1, 4), 2),
        (np.float32(0.1), Fraction(1, 10), 1),
        (Decimal("0.330"), Fraction(33, 100), 3),
        (Fraction(19, 30), Fraction(19, 30), None),
    ],
)
def test_an_answer_is_read_as_it_is_meant(given, value, decimals):
    answer = read(given)
    assert answer.value == value
    assert decimals is None or answer.decimals == decimals
    assert decimals is not None or answer.fits(value + Fraction(1, 10**6)) == ""


NONSENSE = [
    " ", "a half", "½", "1/0", "1/2/3", "0.6 0.7", "nan", "0..5", "1 0.5", "9" * 70, "2²/45", "1e400", "22/45 = 0.489",
    None, True, math.inf, [0.5], np.array([0.5]), 1j, 10**400, 5e-324, Fraction(10**400), Decimal("sNaN"),
]  # fmt: skip


@pytest.mark.parametrize("given", NONSENSE, ids=range(len(NONSENSE)))
def test_nonsense_gets_a_sentence(given):
    verdict = sheet("samples F1", 1).check(given)
    assert verdict.right is None
    assert verdict.says.startswith("The answer is ")
    is_number = isinstance(given, int | float | Decimal | Fraction)
    assert verdict.says.endswith(
        f", and no {'value of a metric' if is_number else 'number'} can be read in it:"
        " give a fraction such as 2/3, a decimal such as 0.667 or a percentage such as 66.7 %."
    )


# ---------------------------------------------------------------------------- right and not quite


def places(value, n):
    """All ways to write a value at so many decimals: cut off, and rounded up or down where it is halfway."""
    scaled, sign = abs(Fraction(value)) * 10**n, -1 if value < 0 else 1
    down = math.floor(scaled)
    kept = {down} if scaled - down < Fraction(1, 2) else {down, down + 1}
    return {f"{Decimal(sign * one).scaleb(-n):.{n}f}" for one in kept}


def accepted(value, share):
    """Each form in which a value is right."""
    forms = [
        float(value),
        np.float64(value),
        np.float32(value),
        np.nextafter(np.float32(value), np.float32(9)),  # what a sum may make of it
        np.float16(value),
        repr(float(value)),
        str(float(value)).replace(".", ","),
    ]
    if isinstance(value, Fraction):
        twice = f"{2 * value.numerator}/{2 * value.denominator}"
        forms += [value, str(value), twice, f" {value.numerator} / {value.denominator} "]
    for n in (2, 3, 4, 6):
        for text in places(value, n):
            forms += [
                text,
                f"{text}…",
                text.replace(".", ","),
                float(text) if float(text) != round(float(text), 1) else text,
            ]
            if share:
                percent = f"{Decimal(text).scaleb(2):f}"
                forms += [f"{percent} %", f"{percent}%".replace(".", ",")]
    return forms


def off_by_one(value, decimals):
    """Decimals that are one too many, or one too few, in the last place; cut off counts as right."""
    for n in decimals:
        right = {int(Decimal(text).scaleb(n)) for text in places(value, n)}
        for wrong in (min(right) - 1, max(right) + 1):
            yield f"{Decimal(wrong).scaleb(-n):f}"


def right_is_right(name, seed, decimals):
    asked, share = sheet(name, seed), name in SHARES
    value = asked.solution().value
    for form in accepted(value, share):
        verdict = asked.check(form)
        assert verdict.right is True, (name, seed, form, verdict)
        assert verdict.says.startswith("Right: ")
    for form in off_by_one(value, decimals):
        assert asked.check(form).right is False, (name, seed, form)


@one_a_record
def test_a_right_answer_is_never_refused(name):
    right_is_right(name, 1, [3])


@pytest.mark.exhaustive
@every_variant
def test_no_right_answer_of_another_sheet_is_refused(name):
    right_is_right(name, 2, [2, 3, 4])


FEW = "may be the value rounded: give two or more decimals."
EXACT = "is close, but a fraction must be exact: give the exact fraction, or two or more decimals."
NO_SHARE = "is a percentage, and the value is not a share: give a plain number."
UNKNOWN = "is not right, and no usual slip gives it: count again, or look at .hint()."
SAID = [  # of samples F1, 22/45 = 0.4888…, of micro F1, 4/11, and of coverage, 10/3
    ("samples F1", "22/45", True, "Right: 22/45 ≈ 0.489."),
    ("samples F1", "0.49", True, "Right: 0.49 is 22/45 ≈ 0.489, rounded."),
    ("samples F1", "48 %", True, "Right: 48 % is 22/45 ≈ 0.489, cut off."),
    ("samples F1", "0.4", False, f"0.4 {FEW}"),
    ("samples F1", 0.5, False, f"0.5 {FEW}"),
    ("micro F1", 0.4, False, f"0.4 {FEW} As an exact value, 0.4 comes out if one false alarm is overlooked; or "),
    ("samples F1", "49/100", False, f"49/100 {EXACT}"),
    ("samples F1", Fraction(49, 100), False, f"49/100 {EXACT}"),
    ("samples F1", "48.9", False, "48.9 is right as a percentage: write 48.9 %."),
    ("samples F1", "0.489 %", False, "0.489 % is a hundredth of the value: leave out the percent sign."),
    ("samples F1", "0.1234", False, f"0.1234 {UNKNOWN}"),
    ("samples F1", "51/100", False, f"51/100 {UNKNOWN}"),
    ("samples F1", "9" * 60, False, f"{'9' * 60} {UNKNOWN}"),
    ("samples F1", Fraction(10**59), False, f"1{'0' * 59} {UNKNOWN}"),
    ("coverage", "3.33", True, "Right: 3.33 is 10/3 ≈ 3.333, rounded."),
    ("coverage", "333.3%", False, f"333.3% {NO_SHARE}"),
    ("coverage", "1000/3 %", False, f"1000/3 % {NO_SHARE}"),
    ("coverage", "1e99 %", False, f"1e99 % {NO_SHARE}"),
    ("coverage", 333.333, False, f"333.333 {UNKNOWN}"),
    ("coverage", "3", False, f"3 {FEW}"),
    ("coverage", -1e59, False, ""),
]  # fmt: skip


@pytest.mark.parametrize(("name", "given", "right", "says"), SAID, ids=range(len(SAID)))
def test_what_is_said_of_an_answer(name, given, right, says):
    verdict = sheet(name, 1).check(given)
    assert verdict.right is right
    assert verdict.says.startswith(says)


def test_what_is_exact_at_one_decimal_is_right():
    sheets = (
        practice.sheet(hamming.hamming_loss, seed=i, n_samples=2, n_labels=5) for i in range(200)
    )
    tenths = (Fraction(1, 5), Fraction(2, 5), Fraction(3, 10))
    asked = next(one for one in sheets if one.solution().value in tenths)
    assert asked.check(f"{float(asked.solution()):.1f}").right is True


# ---------------------------------------------------------------------------- no sheet is ambiguous


def clear(name, seed):
    asked = sheet(name, seed)
    value, data = float(asked.solution()), (np.array(asked.y_true), np.array(other(asked)))
    record = catalogue.of(asked.metric)
    low, high = record.bounds(data[0].shape[1], catalogue.settings(asked.metric))
    assert low < value < high
    assert value == pytest.approx(float(asked.metric(*data)))
    usual = [one for one in asked.confusions if one.is_usual]
    assert len(usual) >= (4 if record in catalogue.taught() else 1)  # slips come with teaching
    for one in usual:
        assert all(abs(number - value) >= APART for _, number in one.numbers(*data)), one.says


@one_a_record
def test_a_sheet_is_neither_trivial_nor_ambiguous(name):
    clear(name, 1)


@pytest.mark.exhaustive
@every_variant
def test_more_sheets_are_neither_trivial_nor_ambiguous(name):
    for seed in range(1, 6):
        clear(name, seed)


def pencil(rows):
    """Numbers that are often taken for the mean of the samples' F1, in plain Python."""

    def three(cells):
        cells = list(cells)
        return sum(t and p for t, p in cells), sum(t for t, _ in cells), sum(p for _, p in cells)

    each = [three(zip(*row, strict=True)) for row in rows]
    hits, true, said = map(sum, zip(*each, strict=True))
    share = [(h / s if s else 0, h / t) for h, t, s in each]
    p, r = (sum(column) / len(rows) for column in zip(*share, strict=True))
    columns = zip(*[[*zip(t, s, strict=True)] for t, s in rows], strict=True)
    labels = [three(column) for column in columns]
    return {
        "micro F1": 2 * hits / (true + said),
        "macro F1": sum(2 * h / (t + s) if t + s else 0 for h, t, s in labels) / len(labels),
        "samples precision": p,
        "samples recall": r,
        "samples accuracy (Jaccard)": sum(h / (t + s - h) for h, t, s in each) / len(each),
        "F1 of samples precision and samples recall": 2 * p * r / (p + r) if p + r else 0,
    }


@pytest.mark.parametrize("seed", range(5))
def test_what_a_pencil_computes_is_named(seed):
    asked = sheet("samples F1", seed)
    for name, number in pencil(list(zip(asked.y_true, asked.y_pred, strict=True))).items():
        assert abs(number - float(asked.solution())) >= APART
        verdict = asked.check(number)
        assert verdict.right is False
        assert names(verdict, name), (name, verdict)


# ---------------------------------------------------------------------------- wrong answers are named


def names(verdict, what):
    """Whether a verdict says that the number is this metric, or comes out if this is done."""
    found = re.search(rf"(?:is|also|and|if) {re.escape(what)}(?=[,;. ])", verdict.says)
    return found is not None and verdict.right is False


SORTS = ("metric", "convention", "slip", "slip in one place")


def sort_of(one):
    if one.instead:
        return "metric"
    slips = {slip.says: slip.in_places for slip in SLIPS}
    return SORTS[2 + slips[one.says]] if one.says in slips else "convention"


def wrong_answers(asked, rng, number):
    """Wrong answers of each sort in turn, with what they are; as fractions where they are some."""
    value, data = float(asked.solution()), (np.array(asked.y_true), np.array(other(asked)))
    of_sort = {sort: [] for sort in SORTS}
    for one in asked.confusions:
        wrong = [n for _, n in one.numbers(*data) if abs(n - value) > 1e-9]
        of_sort[sort_of(one)] += [(one.says, n) for n in wrong]
    sorts = [sort for sort in SORTS if of_sort[sort]]
    for i in range(number):
        says, n = rng.choice(of_sort[sorts[i % len(sorts)]])
        fraction = Fraction(n).limit_denominator(5000)
        yield says, str(fraction) if abs(fraction - n) < 1e-9 else n


def test_at_least_nine_in_ten_wrong_answers_are_named():
    rng, named = random.Random(0), []
    for name in worlds.one_a_record():
        asked = sheet(name, 1)
        for says, answer in wrong_answers(asked, rng, 4):
            verdict = asked.check(answer)
            assert verdict.right is False, (name, answer, verdict)
            named.append(names(verdict, says))
    assert sum(named) >= 0.9 * len(named)


# ---------------------------------------------------------------------------- the sheet itself


def test_the_same_seed_gives_the_same_sheet():
    one, two = (practice.sheet(ranking.coverage, seed=5) for _ in range(2))
    assert one.y_true == two.y_true and one.y_score == two.y_score
    assert repr(one) == repr(two) and one.y_pred is None
    assert repr(practice.sheet(ranking.coverage, seed=6)) != repr(one)


@one_a_record
def test_it_shows_the_question_and_not_the_answer(name):
    asked = sheet(name, 1)
    text, page = repr(asked), asked._repr_html_()
    assert text.startswith("Compute ") and '.check("…")' in text and page.count("<table>") >= 1
    *tables, _ = asked.steps
    assert all(isinstance(step, Table) for step in tables)
    shown = Board(asked.title, tuple(tables)).to_text()  # no rank, count or value
    assert not re.search(r"[½⅓¼≈÷]|rank  |  value|hits|TP|misordered", shown)
    data = asked.solution().to_text()
    assert all(cell in data for cell in re.findall(r"\{.*?\}|0\.\d+", shown))
    last = asked.solution().to_text().splitlines()[-1]
    assert last not in text and last not in repr(asked.hint())


@one_a_record
def test_a_hint_shows_more_than_the_data_and_less_than_the_value(name):
    asked = sheet(name, 1)
    hint = asked.hint()
    assert len(hint.steps) >= 2
    assert not [step for step in hint.steps if step in asked.steps]
    assert all(step.header[1:] != ("relevant labels",) for step in hint.steps[1:])
    header = [name for step in hint.steps[1:] for name in step.header]
    assert "value" not in header and "fraction" not in header and "precision" not in header
    assert hint.steps[0].text.startswith(f"{catalogue.of(asked.metric).words}; ")


def test_options_are_asked_as_they_are_bound():
    asked = practice.sheet(label_based.f1, seed=3, average="micro")
    assert "average='micro'" in asked.title
    assert asked.check(label_based.f1(asked.y_true, asked.y_pred, average="micro")).right
    bound = practice.sheet(partial(example_based.fbeta, beta=2), seed=3)
    assert bound.check(example_based.fbeta(bound.y_true, bound.y_pred, beta=2)).right


@pytest.mark.parametrize("ties", ["worst", "average", "first"])
@pytest.mark.parametrize("metric", [ranking.one_error, ranking.average_precision])
def test_where_ties_are_given_they_matter(metric, ties):
    for seed in range(2):
        asked = practice.sheet(metric, seed=seed, ties=ties)
        data, value = (asked.y_true, asked.y_score), float(asked.solution())
        rules = ("worst", "best", "average", "first", "last")
        assert max(abs(metric(*data, ties=rule) - value) for rule in rules) >= APART
        assert asked.check(metric(*data, ties=ties)).right


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"seed": 1.5}, "seed is 1.5: give a whole number"),
        ({"seed": 1, "n_samples": 0}, "n_samples is 0: give a whole number from 1 to 50"),
        ({"seed": 1, "average": None}, "average is None, a value per label: bind macro, micro or weighted"),
        ({"seed": 1, "sample_weight": [1, 2, 3]}, "sample_weight is bound, and the samples are made here: leave it out"),
        ({"seed": 1, "ties": "worst"}, "got an unexpected keyword argument 'ties'"),
    ],
)  # fmt: skip
def test_bad_requests_get_one_sentence(options, sentence):
    with pytest.raises((TypeError, ValueError), match=f"^{re.escape(sentence)}"):
        practice.sheet(label_based.f1, **options)


def test_a_size_at_which_all_coincides_is_refused():
    """One sample with one of two labels right: the mean of one value is that of all cells."""
    with pytest.raises(ValueError, match="no data of 1 samples and 4 labels turned up on which"):
        practice.sheet(example_based.f1, seed=1, n_samples=1)


def test_a_verdict_shows_itself():
    verdict = sheet("samples F1", 1).check("<b>")
    assert repr(verdict) == verdict.says
    assert verdict._repr_html_().startswith("<p>") and "<b>" not in verdict._repr_html_()
    beside = Board("Look:", (Sentence("two rows"),))
    assert practice.Verdict(False, "No.", beside)._repr_html_() == f"<p>No.</p>\n{beside.to_html()}"


# ---------------------------------------------------------------------------- what a sheet shows


def test_labels_of_a_sheet_stand_in_their_own_order():
    asked = practice.sheet(
        ranking.average_precision, seed=25, n_samples=2, n_labels=5, ties="worst"
    )
    for table in asked.steps[:2]:
        assert [row[0] for row in table.rows] == list("12345")
        assert table.header == ("label", "score", "relevant")
