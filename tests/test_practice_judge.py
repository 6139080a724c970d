"""The judge: right functions are right, wrong ones get the smallest data, and what a function does is told."""

# ruff: noqa: B905  # learners write as they write

from __future__ import annotations

import math
import re
import sys
from decimal import Decimal
from fractions import Fraction
from functools import cache, partial
from itertools import islice

import numpy as np
import pytest
from worlds import one_a_record

from mlm_course.practice.judging import judge, judged, small_worlds
from mlm_helpers import (
    catalogue,
    curves,
    exact_match,
    example_based,
    label_based,
    ranking,
    top_k,
    worked,
)

VARIANTS = catalogue.variants()


@cache
def some(metric):
    """The smallest worlds, and a few of the larger ones."""
    every = list(islice(small_worlds(metric), 2000))
    return every[:200] + every[200::9]


def tried(metric, function):
    return judged(metric, function, some(metric))


# ---------------------------------------------------------------------------- the worlds


@pytest.mark.parametrize("name", one_a_record())
def test_worlds_have_the_value_of_the_metric_and_the_smallest_come_first(name):
    metric = VARIANTS[name]
    every = list(islice(small_worlds(metric), 600))
    for world in every[::13]:
        value = metric(world.y_true, world.y_other)
        assert world.value == pytest.approx(value, abs=1e-12, nan_ok=True)
    sizes = [(np.size(world.y_true), len(world.y_true)) for world in every]
    assert sizes == sorted(sizes)
    assert len({(repr(world.y_true), repr(world.y_other)) for world in every}) == len(every)


def test_a_world_knows_what_is_nothing_by_nothing():
    for world in some(example_based.f1):
        rows = zip(world.y_true, world.y_other, strict=True)
        assert world.has_value == all(any(t) or any(p) for t, p in rows)
    for world in some(VARIANTS["macro AUROC"]):
        positives = [sum(column) for column in zip(*world.y_true, strict=True)]
        assert world.has_value == all(0 < n < len(world.y_true) for n in positives)


def test_k_of_five_has_its_world():
    sizes = {(len(w.y_true), len(w.y_true[0])) for w in small_worlds(partial(top_k.recall, k=5))}
    assert sizes == {(1, 5)}


# ---------------------------------------------------------------------------- right functions


def three(t, p):
    return sum(1 for a, b in zip(t, p) if a and b), sum(t), sum(p)


def plain_f1(y_true, y_pred):
    total = 0
    for t, p in zip(y_true, y_pred):
        hits, true, said = three(t, p)
        total += 2 * hits / (true + said) if true + said else 0
    return total / len(y_true)


RIGHT = [
    plain_f1,
    example_based.f1,  # a NumPy number
    lambda t, p: Fraction(plain_f1(t, p)),
    lambda t, p: np.array(plain_f1(t, p)),
    lambda t, p: Decimal(plain_f1(t, p)),
    lambda t, p: np.float32(plain_f1(t, p)),
    lambda t, p: plain_f1(t, p) + 1e-12,
]  # fmt: skip


@pytest.mark.parametrize("function", RIGHT, ids=lambda f: f.__name__)
def test_a_right_function_is_right(function):
    verdict = tried(example_based.f1, function)
    assert (verdict.right, verdict.beside) == (True, None)


def test_a_right_function_is_told_on_how_many_data_it_is_right():
    """Of n cells 4**n: of 1, twice of 2 and 3, three times of 4, twice of 6."""
    says = judge(example_based.f1, plain_f1).says
    assert says == "plain_f1 is right on all 9,124 small data that were tried."


def test_options_that_are_bound_are_judged():
    def left_out(t, p):
        each = [2 * h / (a + b) for h, a, b in map(three, t, p) if a + b]
        return sum(each) / len(each) if each else math.nan

    assert tried(partial(example_based.f1, zero_division=math.nan), left_out).right is True
    assert tried(example_based.f1, left_out).right is False
    assert tried(partial(label_based.f1, average="micro"), plain_f1).right is False

    def at_two(t, s):
        order = np.argsort(-s, axis=1, kind="stable")[:, :2]
        return np.take_along_axis(t, order, axis=1).sum() / (2 * len(t))

    assert tried(partial(top_k.precision, k=2, ties="first"), at_two).right is True
    assert tried(partial(top_k.precision, k=2), at_two).right is False  # ties are another matter


def test_a_function_may_change_its_own_data():
    def clears(y_true, y_pred):
        value = plain_f1(y_true, y_pred)
        y_true[0][0], y_pred[0][0] = 1, 0
        return value

    assert tried(example_based.f1, clears).right is True


# ---------------------------------------------------------------------------- wrong functions


def smallest(metric, function):
    """The smallest data on which a function is wrong, found by trying again."""
    for world in some(metric):
        data = np.array(world.y_true), np.array(world.y_other)
        if not abs(function(*data) - metric(*data)) < 1e-9:
            return world
    return None


def missing_last(y_true, y_pred):
    return plain_f1(y_true[:-1], y_pred[:-1]) if len(y_true) > 1 else plain_f1(y_true, y_pred)


def of_means(y_true, y_pred):
    p = np.mean([h / s if s else 0 for h, _, s in map(three, y_true, y_pred)])
    r = np.mean([h / t if t else 0 for h, t, _ in map(three, y_true, y_pred)])
    return 2 * p * r / (p + r) if p + r else 0.0


WRONG = [
    (example_based.f1, partial(label_based.f1, average="micro"), "It computes micro F1, all cells counted together; asked is samples F1, a value for each sample, then their mean."),
    (example_based.f1, example_based.accuracy, "It computes samples accuracy (Jaccard), hits ÷ labels true or predicted; asked is samples F1, 2 × hits ÷ (true labels + predicted labels)."),
    (example_based.f1, lambda t, p: np.float32(example_based.accuracy(t, p)), "It computes samples accuracy (Jaccard)"),
    (example_based.f1, lambda t, p: (t & p).mean(), "if the hits are divided by all cells."),
    (example_based.f1, missing_last, "if one sample is left out."),
    (example_based.f1, lambda t, p: 1 - plain_f1(t, p), "if the value is taken from 1."),
    (example_based.f1, lambda t, p: plain_f1(t, p) * len(t), "if the values are added up, and not divided by their number."),
    (example_based.f1, of_means, "It computes F1 of samples precision and samples recall; asked is samples F1, the mean of the F1s."),
    (example_based.f1, partial(example_based.f1, zero_division=1.0), "That is what comes out if 0/0 counts as 1."
     " It is wrong only where something is 0/0; for samples F1, 0/0 counts as 0."),
    (ranking.coverage, partial(ranking.coverage, start=0), "if ranks are counted from 0."),
    (ranking.coverage, lambda t, s: ranking.coverage(t, -s), "if the scores are put in order from the lowest up."),
    (ranking.one_error, partial(ranking.one_error, ties="best"), "if ties is 'best'."),
    (curves.average_precision, lambda t, s: curves.average_precision(t.T, s.T), "along the other side, samples for labels."),
    (partial(top_k.precision, k=2), partial(top_k.precision, k=1), "It computes precision at 1"),
]  # fmt: skip


@pytest.mark.parametrize(("metric", "function", "says"), WRONG, ids=range(len(WRONG)))
def test_a_wrong_function_gets_the_smallest_data_and_its_name(metric, function, says):
    verdict = tried(metric, function)
    assert verdict.right is False
    assert says in verdict.says, verdict.says
    world = smallest(metric, function)
    shown = worked.solve(metric, world.y_true, world.y_other)
    assert verdict.beside.steps[1:] == shown.steps
    assert verdict.beside.steps[0].text == shown.title
    data = np.array(world.y_true), np.array(world.y_other)
    for number in (metric(*data), function(*data)):
        text = str(Fraction(float(number)).limit_denominator(1000))
        assert re.search(rf"(?<![\d/]){re.escape(text)}(?![\d/])", verdict.says.partition(". ")[0])


def test_an_error_only_at_nothing_by_nothing_is_told_as_such():
    def bare(t, p):
        each = [2 * int(h) / (int(a) + int(b)) for h, a, b in map(three, t, p)]
        return sum(each) / len(each)

    says = tried(example_based.f1, bare).says
    assert says.startswith("bare raises ZeroDivisionError: division by zero, in the line each = [")
    assert says.endswith(
        "samples F1 is 0 there. It is wrong only where something is 0/0; for samples F1, 0/0 counts as 0."
    )


@pytest.mark.parametrize(
    ("off", "told"),
    [
        (2e-6, "lambda gives 1.000002 where subset accuracy is 1."),
        (-0.0625, "lambda gives 15/16 ≈ 0.938 where subset accuracy is 1."),
        (2**-0.5 - 1, "lambda gives 0.707107 where subset accuracy is 1."),
    ],
)
def test_two_numbers_that_differ_look_different(off, told):
    right = exact_match.subset_accuracy
    assert tried(right, lambda t, p: right(t, p) + off).says.startswith(told)


# ---------------------------------------------------------------------------- what a function does


def raises(y_true, y_pred):
    raise KeyError("label")


def calls_itself(y_true, y_pred):
    return calls_itself(y_true, y_pred)


def says_much(t, p):
    raise ValueError("much " * 10**5)


TOLD = [
    (lambda t, p: None if len(t) > 1 else plain_f1(t, p), "lambda returns nothing, so its last line may lack a return."),
    (lambda t, p: "0.5", "lambda returns '0.5', of type str: return a number."),
    (lambda t, p: np.array([0.5, 0.5]), "lambda returns array([0.5, 0.5]), of type ndarray: return a number."),
    (lambda t, p: 10**400, "lambda raises OverflowError: int too large to convert to float. samples F1"),
    (lambda t, p: math.nan, "lambda gives nan where samples F1 is 0."),
    (lambda t: 0.5, "lambda raises TypeError: "),
    (raises, "raises raises KeyError: 'label', in the line raise KeyError(\"label\")."),
    (says_much, f"says_much raises ValueError:{' much' * 40}…, in the line raise "),
    (calls_itself, "calls_itself raises RecursionError: maximum recursion depth exceeded"),
    (lambda t, p: sys.exit(), "lambda raises SystemExit, in the line (lambda t, p: sys.exit()"),
]  # fmt: skip


@pytest.mark.parametrize(("function", "says"), TOLD, ids=range(len(TOLD)))
def test_whatever_a_function_does_is_told(function, says):
    verdict = judged(example_based.f1, function, some(example_based.f1)[:100])
    assert verdict.right is False
    assert says in verdict.says, verdict.says
    assert verdict.beside is not None


def test_an_exercise_that_nobody_tried_shows_no_mistake():
    verdict = judged(example_based.f1, lambda t, p: None, some(example_based.f1)[:9])
    assert (verdict.right, verdict.beside) == (False, None)
    assert verdict.says == "lambda returns nothing yet: write its lines, and end with return."


def test_the_stop_button_ends_it():
    def stopped(y_true, y_pred):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        judge(example_based.f1, stopped)


@pytest.mark.parametrize(
    ("metric", "function", "sentence"),
    [
        (example_based.f1, 0.5, "function is 0.5: pass the function itself, not its value"),
        (partial(label_based.f1, average=None), plain_f1, "average is None, a value per label: bind macro, micro or weighted"),
        (partial(top_k.precision, k=6), plain_f1, "k is 6, more labels than small data have: bind 5 or less"),
        (plain_f1, plain_f1, "metric is plain_f1, which the catalogue does not hold"),
    ],
)  # fmt: skip
def test_bad_requests_get_one_sentence(metric, function, sentence):
    with pytest.raises((TypeError, ValueError), match=f"^{re.escape(sentence)}"):
        judge(metric, function)
