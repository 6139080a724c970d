"""The judge accepts right functions, shows wrong ones the smallest data, and reports failures."""

# ruff: noqa: B905  # learners write zip without strict

import math
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
def cases_of(metric):
    """The smallest cases of a metric, and a few larger ones."""
    cases = list(islice(small_cases(metric), 2000))
    return cases[:120] + cases[120::19]  # every 19th of the others, for speed


def quick_verdict(metric, function):
    """The judge's verdict on a function, from few cases."""
    return verdict_on(metric, function, cases_of(metric))


# ---------------------------------------------------------------------------- the cases


NAMES = [  # metrics that compare scores within samples, within labels, or everywhere; and of sets
    "samples F1", "coverage", "weighted F1", "macro AUROC", "micro AP", "macro Brier score",
    "samples hierarchical F1",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_cases_have_the_value_of_the_metric_and_the_smallest_come_first(name):
    metric = VARIANTS[name]
    cases = list(islice(small_cases(metric), 400))
    for case in cases[::7]:
        value = metric(case.y_true, case.y_pred)
        assert case.value == pytest.approx(value, abs=1e-12, nan_ok=True)
    sizes = [(np.size(case.y_true), len(case.y_true)) for case in cases]
    assert sizes == sorted(sizes)
    distinct = {(*size, c.y_true.tobytes(), c.y_pred.tobytes()) for size, c in zip(sizes, cases)}
    assert len(distinct) == len(cases)


def test_a_case_is_undefined_if_it_has_0_over_0():
    for case in cases_of(example_based.f1):
        samples = zip(case.y_true, case.y_pred, strict=True)
        assert case.is_defined == all(any(t) or any(p) for t, p in samples)
    for case in islice(small_cases(VARIANTS["macro AUROC"]), 300):
        n_positives = case.y_true.sum(axis=0)
        assert case.is_defined == all((n_positives > 0) & (n_positives < len(case.y_true)))


# ---------------------------------------------------------------------------- right functions


def hits_and_sizes(t, p):
    """The numbers of hits, true labels and predicted labels of a sample."""
    return sum(1 for a, b in zip(t, p) if a and b), sum(t), sum(p)


def plain_f1(y_true, y_pred):
    total = 0
    for t, p in zip(y_true, y_pred):
        hits, n_true, n_predicted = hits_and_sizes(t, p)
        total += 2 * hits / (n_true + n_predicted) if n_true + n_predicted else 0
    return total / len(y_true)


def f1_that_changes_its_data(y_true, y_pred):
    value = plain_f1(y_true, y_pred)
    y_true[0][0] = 1
    y_pred[0][0] = 0
    return value


RIGHT = [
    f1_that_changes_its_data,
    example_based.f1,  # returns a NumPy number
    lambda t, p: Fraction(plain_f1(t, p)),
    lambda t, p: np.array(plain_f1(t, p)),
    lambda t, p: Decimal(plain_f1(t, p)),
    lambda t, p: np.float32(plain_f1(t, p)),
]


@pytest.mark.parametrize("function", RIGHT, ids=lambda f: f.__name__)
def test_a_right_function_is_right(function):
    verdict = quick_verdict(example_based.f1, function)
    assert (verdict.right, verdict.counterexample) == (True, None)


def test_a_verdict_counts_the_data_that_were_tried():
    """There are 4ⁿ data of n cells.

    One shape has 1 cell, two have 2, 3 and 6 cells, three have 4: 9,124 in all.
    """
    says = judge(hamming.hamming_loss, lambda t, p: np.mean(t != p)).says
    assert says == "lambda is right on all 9,124 small data that were tried."


def test_options_that_are_bound_are_judged():
    def mean_f1_of_defined_samples(t, p):
        counts = map(hits_and_sizes, t, p)
        values = [2 * hits / (n_t + n_p) for hits, n_t, n_p in counts if n_t + n_p]
        return sum(values) / len(values) if values else math.nan

    metric = partial(example_based.f1, zero_division=math.nan)
    assert quick_verdict(metric, mean_f1_of_defined_samples).right is True

    def precision_at_2(t, s):
        first_two = np.argsort(-s, axis=1, kind="stable")[:, :2]
        return np.take_along_axis(t, first_two, axis=1).sum() / (2 * len(t))

    metric = partial(top_k.precision, k=2)
    assert quick_verdict(partial(metric, ties="first"), precision_at_2).right is True
    assert quick_verdict(metric, precision_at_2).right is False  # under the default tie rule


# ---------------------------------------------------------------------------- wrong functions


def f1_without_last_sample(y_true, y_pred):
    return plain_f1(y_true[:-1], y_pred[:-1]) if len(y_true) > 1 else plain_f1(y_true, y_pred)


WRONG = [
    (example_based.f1, partial(label_based.f1, average="micro")),
    (example_based.f1, lambda t, p: np.float32(example_based.accuracy(t, p))),
    (example_based.f1, lambda t, p: (t & p).mean()),
    (example_based.f1, f1_without_last_sample),
    (example_based.f1, partial(example_based.f1, zero_division=1.0)),
    (ranking.coverage, partial(ranking.coverage, start=0)),
    (ranking.one_error, partial(ranking.one_error, ties="min")),
    (curves.average_precision, lambda t, s: curves.average_precision(t.T, s.T)),
    (partial(top_k.precision, k=2), partial(top_k.precision, k=1)),
]


@pytest.mark.parametrize(("metric", "function"), WRONG, ids=range(len(WRONG)))
def test_a_wrong_function_gets_the_smallest_data_and_its_name(metric, function, snapshot):
    verdict = quick_verdict(metric, function)
    assert verdict.right is False
    assert verdict.says == snapshot
    pairs = [(case.y_true, case.y_pred) for case in cases_of(metric)]  # smallest first
    data = next(pair for pair in pairs if not abs(function(*pair) - metric(*pair)) < 1e-9)
    solution = solve(metric, *data)
    title, *steps = verdict.counterexample.steps
    assert (title.text, tuple(steps)) == (solution.title, solution.steps)


# ---------------------------------------------------------------------------- failing functions


def f1_without_convention(t, p):
    """F1 that divides by 0."""
    counts = map(hits_and_sizes, t, p)
    values = [2 * int(hits) / int(n_true + n_predicted) for hits, n_true, n_predicted in counts]
    return sum(values) / len(values)


def raises(y_true, y_pred):
    raise KeyError("label")


def raises_with_long_message(t, p):
    raise ValueError("much " * 10**5)


FAILING = [
    f1_without_convention, raises, raises_with_long_message,
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


@pytest.mark.parametrize("function", FAILING, ids=range(len(FAILING)))
def test_failures_are_reported_with_data_unless_nothing_is_returned(function, snapshot):
    verdict = quick_verdict(example_based.f1, function)
    assert verdict.right is False
    assert verdict.says == snapshot
    is_unwritten = "returns nothing yet" in verdict.says
    assert (verdict.counterexample is None) == is_unwritten


def test_a_keyboard_interrupt_stops_the_judge():
    def stopped(y_true, y_pred):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        quick_verdict(example_based.f1, stopped)


REFUSED = {
    "several values": (partial(label_based.f1, average=None), plain_f1),
    "no small data": (partial(top_k.precision, k=6), plain_f1),
    "no metric": (plain_f1, plain_f1),
    "no function": (example_based.f1, 0.5),
}


@pytest.mark.parametrize("arguments", REFUSED.values(), ids=REFUSED)
def test_wrong_arguments_are_refused(arguments, snapshot):
    with pytest.raises((TypeError, ValueError)) as refused:
        judge(*arguments)
    assert str(refused.value) == snapshot
