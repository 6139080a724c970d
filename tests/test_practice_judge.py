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

from mlm_course.practice.judging import judge, small_cases, verdict_on
from mlm_helpers import catalogue, curves, example_based, hamming, label_based, ranking, top_k
from mlm_helpers.worked import solve

VARIANTS = catalogue.variants()


@cache
def some(metric):
    """The smallest worlds, and a few of the larger ones."""
    every = list(islice(small_cases(metric), 2000))
    return every[:120] + every[120::19]


def tried(metric, function):
    return verdict_on(metric, function, some(metric))


# ---------------------------------------------------------------------------- the worlds


OF_EACH_SCOPE = [
    "samples F1", "coverage", "weighted F1", "macro AUROC", "micro AP", "macro Brier score",
    "samples hierarchical F1",
]  # fmt: skip


@pytest.mark.parametrize("name", OF_EACH_SCOPE)
def test_worlds_have_the_value_of_the_metric_and_the_smallest_come_first(name):
    metric = VARIANTS[name]
    every = list(islice(small_cases(metric), 400))
    for world in every[::7]:
        value = metric(world.y_true, world.y_pred)
        assert world.value == pytest.approx(value, abs=1e-12, nan_ok=True)
    sizes = [(np.size(world.y_true), len(world.y_true)) for world in every]
    assert sizes == sorted(sizes)
    each = {(s, w.y_true.tobytes(), w.y_pred.tobytes()) for s, w in zip(sizes, every)}
    assert len(each) == len(every)


def test_a_world_knows_what_is_nothing_by_nothing():
    for world in some(example_based.f1):
        rows = zip(world.y_true, world.y_pred, strict=True)
        assert world.is_defined == all(any(t) or any(p) for t, p in rows)
    for world in islice(small_cases(VARIANTS["macro AUROC"]), 300):
        positives = [sum(column) for column in zip(*world.y_true, strict=True)]
        assert world.is_defined == all(0 < n < len(world.y_true) for n in positives)


def test_k_of_five_has_its_world():
    worlds = islice(small_cases(partial(top_k.recall, k=5)), 9)
    assert {world.y_true.shape for world in worlds} == {(1, 5)}


# ---------------------------------------------------------------------------- right functions


def three(t, p):
    return sum(1 for a, b in zip(t, p) if a and b), sum(t), sum(p)


def plain_f1(y_true, y_pred):
    total = 0
    for t, p in zip(y_true, y_pred):
        hits, true, said = three(t, p)
        total += 2 * hits / (true + said) if true + said else 0
    return total / len(y_true)


def clears(y_true, y_pred):
    """A function may change its own data."""
    value = plain_f1(y_true, y_pred)
    y_true[0][0], y_pred[0][0] = 1, 0
    return value


RIGHT = [
    clears,
    example_based.f1,  # a NumPy number
    lambda t, p: Fraction(plain_f1(t, p)),
    lambda t, p: np.array(plain_f1(t, p)),
    lambda t, p: Decimal(plain_f1(t, p)),
    lambda t, p: np.float32(plain_f1(t, p)),
]


@pytest.mark.parametrize("function", RIGHT, ids=lambda f: f.__name__)
def test_a_right_function_is_right(function):
    verdict = tried(example_based.f1, function)
    assert (verdict.right, verdict.counterexample) == (True, None)


def test_a_right_function_is_told_on_how_many_data_it_is_right():
    """Of n cells 4**n: of 1, twice of 2 and 3, three times of 4, twice of 6."""
    says = judge(hamming.hamming_loss, lambda t, p: np.mean(t != p)).says
    assert says == "lambda is right on all 9,124 small data that were tried."


def test_options_that_are_bound_are_judged():
    def left_out(t, p):
        each = [2 * h / (a + b) for h, a, b in map(three, t, p) if a + b]
        return sum(each) / len(each) if each else math.nan

    assert tried(partial(example_based.f1, zero_division=math.nan), left_out).right is True

    def at_two(t, s):
        order = np.argsort(-s, axis=1, kind="stable")[:, :2]
        return np.take_along_axis(t, order, axis=1).sum() / (2 * len(t))

    assert tried(partial(top_k.precision, k=2, ties="first"), at_two).right is True
    assert tried(partial(top_k.precision, k=2), at_two).right is False  # ties are another matter


# ---------------------------------------------------------------------------- wrong functions


def missing_last(y_true, y_pred):
    return plain_f1(y_true[:-1], y_pred[:-1]) if len(y_true) > 1 else plain_f1(y_true, y_pred)


WRONG = [
    (example_based.f1, partial(label_based.f1, average="micro")),
    (example_based.f1, lambda t, p: np.float32(example_based.accuracy(t, p))),
    (example_based.f1, lambda t, p: (t & p).mean()),
    (example_based.f1, missing_last),
    (example_based.f1, partial(example_based.f1, zero_division=1.0)),
    (ranking.coverage, partial(ranking.coverage, start=0)),
    (ranking.one_error, partial(ranking.one_error, ties="best")),
    (curves.average_precision, lambda t, s: curves.average_precision(t.T, s.T)),
    (partial(top_k.precision, k=2), partial(top_k.precision, k=1)),
]


@pytest.mark.parametrize(("metric", "function"), WRONG, ids=range(len(WRONG)))
def test_a_wrong_function_gets_the_smallest_data_and_its_name(metric, function, snapshot):
    verdict = tried(metric, function)
    assert verdict.right is False
    assert verdict.says == snapshot
    every = [(world.y_true, world.y_pred) for world in some(metric)]
    data = next(pair for pair in every if not abs(function(*pair) - metric(*pair)) < 1e-9)
    shown = solve(metric, *data)
    assert verdict.counterexample.steps[1:] == shown.steps
    assert verdict.counterexample.steps[0].text == shown.title
    for number in (metric(*data), function(*data)):
        text = str(Fraction(float(number)).limit_denominator(1000))
        assert re.search(rf"(?<![\d/]){re.escape(text)}(?![\d/])", verdict.says.partition(". ")[0])


# ---------------------------------------------------------------------------- what a function does


def bare(t, p):
    """Wrong only where it divides by 0."""
    each = [2 * int(h) / (int(a) + int(b)) for h, a, b in map(three, t, p)]
    return sum(each) / len(each)


def raises(y_true, y_pred):
    raise KeyError("label")


def says_much(t, p):
    raise ValueError("much " * 10**5)


DOES = [
    bare, raises, says_much,
    lambda t, p: None,
    lambda t, p: None if len(t) > 1 else plain_f1(t, p),
    lambda t, p: "0.5",
    lambda t, p: np.array([0.5, 0.5]),
    lambda t, p: 10**400,
    lambda t, p: math.nan,
    lambda t, p: plain_f1(t, p) + 2e-6,  # two numbers that differ look different
    lambda t, p: plain_f1(t, p) + 2**-0.5,
    lambda t, p: sys.exit(),
    lambda t: 0.5,
]  # fmt: skip


@pytest.mark.parametrize("function", DOES, ids=range(len(DOES)))
def test_whatever_a_function_does_is_told(function, snapshot):
    verdict = tried(example_based.f1, function)
    assert verdict.right is False
    assert verdict.says == snapshot
    is_untouched = "returns nothing yet" in verdict.says  # an exercise that nobody tried
    assert (verdict.counterexample is None) == is_untouched


def test_the_stop_button_ends_it():
    def stopped(y_true, y_pred):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tried(example_based.f1, stopped)


REFUSED = {
    "several values": (partial(label_based.f1, average=None), plain_f1),
    "no small data": (partial(top_k.precision, k=6), plain_f1),
    "no metric": (plain_f1, plain_f1),
    "no function": (example_based.f1, 0.5),
}


@pytest.mark.parametrize("asked", REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_judged_gets_a_sentence(asked, snapshot):
    with pytest.raises((TypeError, ValueError)) as refused:
        judge(*asked)
    assert str(refused.value) == snapshot
