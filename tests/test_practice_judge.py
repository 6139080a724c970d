"""The judge: right functions are right, wrong ones get the smallest data, and nothing that they do is suffered."""

# ruff: noqa: B905, SIM105  # learners write as they write

from __future__ import annotations

import itertools
import logging
import math
import re
import sys
import threading
import time
import warnings
from decimal import Decimal
from fractions import Fraction
from functools import cache, partial

import numpy as np
import pytest
import throwaway
from sklearn import metrics

from mlm_helpers import (
    catalogue,
    curves,
    exact_match,
    example_based,
    hamming,
    label_based,
    ranking,
    top_k,
    worked,
)
from mlm_helpers.course.practice import judging, limit
from mlm_helpers.course.practice.judging import judge as judged
from mlm_helpers.course.practice.trials import SIZES, worlds

VARIANTS = catalogue.variants()
every_variant = pytest.mark.parametrize("name", VARIANTS)


@cache
def small(name):
    return list(worlds(VARIANTS[name]))


# ---------------------------------------------------------------------------- the worlds


@every_variant
def test_a_world_has_the_value_of_the_metric(name):
    metric = VARIANTS[name]
    for world in small(name)[::97]:
        value = metric(world.y_true, world.y_other)
        assert (math.isnan(value) and math.isnan(world.value)) or world.value == pytest.approx(
            value, abs=1e-12
        )


@every_variant
def test_no_world_of_a_size_is_missing(name):
    """Two to the number of cells truths; as many predictions, or all weak orders of what is compared."""
    record, average = (
        catalogue.of(VARIANTS[name]),
        catalogue.settings(VARIANTS[name]).get("average"),
    )
    orders = {1: 1, 2: 3, 3: 13, 4: 75}
    found = {}
    for world in small(name):
        size = len(world.y_true), len(world.y_true[0])
        found.setdefault(size, set()).add((world.y_true, world.y_other))
    for n_samples, n_labels in SIZES:
        cells = n_samples * n_labels
        others = 2**cells
        if record.reads == "y_score":
            lists, length = (
                (n_samples, n_labels) if record.along == "sample" else (n_labels, n_samples)
            )
            lists, length = (1, cells) if average == "micro" else (lists, length)
            if length > 4:
                assert (n_samples, n_labels) not in found
                continue
            others = orders[length] ** lists
        assert len(found[n_samples, n_labels]) == 2**cells * others
    assert sum(map(len, found.values())) == len(small(name))


@every_variant
def test_the_smallest_come_first(name):
    sizes = [(np.size(world.y_true), len(world.y_true)) for world in small(name)]
    assert sizes == sorted(sizes)


def test_a_world_knows_what_is_nothing_by_nothing():
    for world in small("samples F1"):
        empty = any(
            not any(t) and not any(p) for t, p in zip(world.y_true, world.y_other, strict=True)
        )
        assert world.has_value == (not empty)
    for world in small("macro AUROC"):
        positives = [sum(column) for column in zip(*world.y_true, strict=True)]
        assert world.has_value == all(0 < n < len(world.y_true) for n in positives)


# ---------------------------------------------------------------------------- right functions


def three(t, p):
    return sum(1 for a, b in zip(t, p) if a and b), sum(t), sum(p)


def plain_f1(y_true, y_pred):
    total = 0
    for t, p in zip(y_true, y_pred):
        hits, true, said = three(t, p)
        total += 2 * hits / (true + said) if true + said else 0
    return total / len(y_true)


def array_f1(y_true, y_pred):
    hits, both = (y_true & y_pred).sum(axis=1), y_true.sum(axis=1) + y_pred.sum(axis=1)
    return np.mean(np.where(both > 0, 2 * hits / np.maximum(both, 1), 0))


def list_f1(y_true, y_pred):
    """Needs lists: two rows that are arrays have no truth value."""
    total = 0
    for t, p in zip(y_true, y_pred):
        if t == p and sum(t):
            total += 1
        elif sum(t) + sum(p):
            total += 2 * three(t, p)[0] / (sum(t) + sum(p))
    return total / len(y_true)


def fraction_f1(y_true, y_pred):
    total = Fraction(0)
    for t, p in zip(y_true, y_pred):
        hits, true, said = map(int, three(t, p))
        total += Fraction(2 * hits, true + said) if true + said else 0
    return total / len(y_true)


RIGHT = [
    plain_f1, array_f1, list_f1, fraction_f1,
    lambda t, p: np.float32(plain_f1(t, p)) if plain_f1(t, p) in (0, 1, 0.5) else plain_f1(t, p),
    lambda t, p: np.array(plain_f1(t, p)),
    lambda t, p: Decimal(plain_f1(t, p)),
    lambda t, p: plain_f1(t, p) + 1e-12,
]  # fmt: skip


@pytest.mark.parametrize("function", RIGHT, ids=lambda f: f.__name__)
def test_a_right_function_is_right(function):
    verdict = judged(example_based.f1, function)
    assert verdict.right is True, verdict
    assert (
        verdict.says
        == f"{function.__name__.strip('<>')} is right on all 9,124 small data that were tried."
    )
    assert verdict.beside is None


@every_variant
def test_the_metric_itself_is_right(name):
    """On a part of the worlds, for the metrics take their time."""
    every = small(name)[:400]
    trial = judging._tried(VARIANTS[name], every, np.array)
    assert trial.failures == [] and len(trial.outcomes) == len(every)


@pytest.mark.exhaustive
@every_variant
def test_the_metric_itself_is_right_on_all(name):
    assert judged(VARIANTS[name], VARIANTS[name]).right is True


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("metric", "theirs"),
    [
        (example_based.f1, partial(metrics.f1_score, average="samples", zero_division=0.0)),
        (exact_match.subset_accuracy, metrics.accuracy_score),
        (ranking.coverage, metrics.coverage_error),
        (ranking.ranking_loss, metrics.label_ranking_loss),
    ],
)
def test_scikit_learn_is_right(metric, theirs):
    """On all but data of one label, where it reads a column as binary."""

    def function(y_true, y_other):
        return theirs(y_true, y_other) if y_true.shape[1] > 1 else metric(y_true, y_other)

    assert judged(metric, function).right is not False


def test_options_that_are_bound_are_judged():
    def left_out(t, p):
        each = [2 * h / (a + b) for h, a, b in map(three, t, p) if a + b]
        return sum(each) / len(each) if each else math.nan

    assert judged(partial(example_based.f1, zero_division=math.nan), left_out).right is True
    verdict = judged(example_based.f1, left_out)
    assert verdict.right is False
    micro = partial(label_based.f1, average="micro")
    assert judged(micro, plain_f1).right is False

    def at_two(t, s):
        order = np.argsort(-s, axis=1, kind="stable")[:, :2]
        return np.take_along_axis(t, order, axis=1).sum() / (2 * len(t))

    assert judged(partial(top_k.precision, k=2, ties="first"), at_two).right is True
    assert judged(partial(top_k.precision, k=2), at_two).right is False  # ties are another matter


# ---------------------------------------------------------------------------- wrong functions


def smallest(metric, function):
    """Size of the smallest data on which a function is wrong, found by trying again."""
    for world in worlds(metric):
        value = metric(np.array(world.y_true), np.array(world.y_other))
        if not abs(function(np.array(world.y_true), np.array(world.y_other)) - value) < 1e-9:
            return world
    return None


def micro_f1(y_true, y_pred):
    hits, both = (y_true & y_pred).sum(), y_true.sum() + y_pred.sum()
    return 2 * hits / both if both else 0.0


def jaccard(y_true, y_pred):
    shares = [h / (t + p - h) if t + p - h else 0 for h, t, p in map(three, y_true, y_pred)]
    return sum(shares) / len(shares)


def by_all(y_true, y_pred):
    return (y_true & y_pred).mean()


def missing_last(y_true, y_pred):
    return plain_f1(y_true[:-1], y_pred[:-1]) if len(y_true) > 1 else plain_f1(y_true, y_pred)


def one_minus(y_true, y_pred):
    return 1 - plain_f1(y_true, y_pred)


def added_up(y_true, y_pred):
    return plain_f1(y_true, y_pred) * len(y_true)


def of_means(y_true, y_pred):
    p = np.mean([h / s if s else 0 for h, _, s in map(three, y_true, y_pred)])
    r = np.mean([h / t if t else 0 for h, t, _ in map(three, y_true, y_pred)])
    return 2 * p * r / (p + r) if p + r else 0.0


def perfect_where_empty(y_true, y_pred):
    each = [2 * h / (t + p) if t + p else 1 for h, t, p in map(three, y_true, y_pred)]
    return sum(each) / len(each)


WRONG = [
    (example_based.f1, micro_f1, "It computes micro F1, all cells counted together; asked is samples F1"),
    (example_based.f1, jaccard, "It computes samples accuracy (Jaccard), hits ÷ labels true or predicted; asked is"),
    (example_based.f1, by_all, "if the hits are divided by all cells."),
    (example_based.f1, missing_last, "if one sample is left out."),
    (example_based.f1, one_minus, "if the value is taken from 1."),
    (example_based.f1, added_up, "if the values are added up, and not divided by their number."),
    (example_based.f1, of_means, "It computes F1 of samples precision and samples recall; asked is samples F1, the mean of the F1s."),
    (example_based.f1, perfect_where_empty, "That is what comes out if 0/0 counts as 1."
     " It is wrong only where something is 0/0; for samples F1, 0/0 counts as 0."),
    (ranking.coverage, lambda t, s: ranking.coverage(t, s, start=0) if t.any(axis=1).all() else ranking.coverage(t, s), "if ranks are counted from 0."),
    (ranking.coverage, lambda t, s: ranking.coverage(t, -s), "if the scores are put in order from the lowest up."),
    (ranking.one_error, lambda t, s: ranking.one_error(t, s, ties="best"), "if ties is 'best'."),
    (curves.average_precision, lambda t, s: curves.average_precision(t.T, s.T), "along the other side, samples for labels."),
    (partial(top_k.precision, k=2), lambda t, s: top_k.precision(t, s, k=1), "It computes precision at 1"),
]  # fmt: skip


@pytest.mark.parametrize(("metric", "function", "says"), WRONG, ids=range(len(WRONG)))
def test_a_wrong_function_gets_the_smallest_data_and_its_name(metric, function, says):
    verdict = judged(metric, function)
    assert verdict.right is False
    assert says in verdict.says, verdict.says
    world = smallest(metric, function)
    shown = worked.solve(metric, world.y_true, world.y_other)
    assert verdict.beside.steps[1:] == shown.steps
    assert verdict.beside.steps[0].text == shown.title
    ours, theirs = (
        metric(world.y_true, world.y_other),
        function(np.array(world.y_true), np.array(world.y_other)),
    )
    for number in (ours, theirs):
        text = str(Fraction(float(number)).limit_denominator(1000))
        assert re.search(rf"(?<![\d/]){re.escape(text)}(?![\d/])", verdict.says.partition(". ")[0])


def test_an_error_only_at_nothing_by_nothing_is_told_as_such():
    def bare(t, p):
        each = [2 * int(h) / (int(a) + int(b)) for h, a, b in map(three, t, p)]
        return sum(each) / len(each)

    verdict = judged(example_based.f1, bare)
    assert verdict.right is False
    assert verdict.says.startswith(
        "bare raises ZeroDivisionError: division by zero, in the line each = ["
    )
    assert verdict.says.endswith(
        "It is wrong only where something is 0/0; for samples F1, 0/0 counts as 0."
    )
    assert "samples F1 is 0 there." in verdict.says


# ---------------------------------------------------------------------------- told, never suffered


def changes_truth(y_true, y_pred):
    value = plain_f1(y_true, y_pred)
    y_true[0][0] = 1 - y_true[0][0]
    return value


def changes_other(y_true, y_pred):
    value = plain_f1(y_true, y_pred)
    y_pred *= 0
    return value


def prints(y_true, y_pred):
    print("so far", y_true)
    return plain_f1(y_true, y_pred)


def warns(y_true, y_pred):
    warnings.warn("careful", stacklevel=1)
    return plain_f1(y_true, y_pred)


def raises(y_true, y_pred):
    raise KeyError("label")


TOLD = [
    (lambda t, p: None, "lambda returns nothing, so its last line may lack a return."),
    (lambda t, p: plain_f1, "lambda returns <function plain_f1>, of type function, where a number is asked."),
    (lambda t, p: "0.5", "lambda returns '0.5', of type str, where a number is asked."),
    (lambda t, p: [0.5], "lambda returns [0.5], of type list, where a number is asked."),
    (lambda t, p: np.array([0.5, 0.5]), "of type ndarray, where a number is asked."),
    (lambda t, p: 1j, "lambda returns 1j, of type complex, where a number is asked."),
    (lambda t, p: math.nan, "lambda gives nan where samples F1 is 0."),
    (lambda t, p: math.inf, "lambda gives inf where samples F1 is 0."),
    (lambda t, p: True, "lambda gives 1 where samples F1 is 0."),
    (lambda t: 0.5, "lambda raises TypeError: "),
    (changes_truth, "changes_truth changes y_true: work on a copy."),
    (changes_other, "changes_other changes its second argument: work on a copy."),
    (raises, "raises raises KeyError: 'label', in the line raise KeyError(\"label\")."),
    (lambda t, p: sys.exit(), "lambda raises SystemExit"),
    (lambda t, p: (_ for _ in ()).throw(KeyboardInterrupt), "lambda raises KeyboardInterrupt"),
    (lambda t, p: judge_forever(t, p), "lambda raises RecursionError: maximum recursion depth exceeded"),
]  # fmt: skip


def judge_forever(y_true, y_pred):
    return judge_forever(y_true, y_pred)


@pytest.mark.parametrize(("function", "says"), TOLD, ids=range(len(TOLD)))
def test_whatever_a_function_does_is_told(function, says, monkeypatch):
    monkeypatch.setattr(judging, "worlds", lambda metric: small("samples F1")[:300])
    verdict = judged(example_based.f1, function)
    assert verdict.right is False
    assert verdict.says.startswith(says) or says in verdict.says


# -- what a function returns, raises or does cannot end the trial unnoticed


def equal(t, p):
    return float((np.array(t) == np.array(p)).all(1).mean())


def only_one_row(t, p):
    if len(t) != 1:
        raise AssertionError(t)
    return equal(t, p)


def raises_an_array(t, p):
    raise ValueError(np.array([1, 2]))


def makes_rows_arrays(t, p):
    if t == p:
        return 1.0
    for i in range(len(t)):
        t[i] = np.array(t[i])
    return 0.0


class NoFloat(float):
    def __float__(self):
        raise RuntimeError("no")


class NoText(Exception):
    def __str__(self):
        raise RuntimeError("no")


class NoName:
    def __getattr__(self, name):
        raise RuntimeError(name)

    def __call__(self, t, p):
        return equal(t, p)


class Exits(float):
    def __float__(self):
        raise SystemExit


def raises_no_text(t, p):
    raise NoText("label")


MUCH = "much " * 10**5


def says_much(t, p):
    raise ValueError(MUCH)


def stops_at_once(t, p):
    raise limit.Stopped


def stops(t, p):
    if len(t) > 1:
        raise limit.Stopped
    return equal(t, p)


UNREAD = [
    (only_one_row, "only_one_row raises AssertionError: "),
    (raises_an_array, "raises_an_array raises ValueError: [1 2], in the line raise ValueError("),
    (makes_rows_arrays, "makes_rows_arrays changes y_true: work on a copy."),
    (lambda t, p: 10**400, "of type int, which no float holds."),
    (lambda t, p: 10**5000, "lambda returns an object of type int, of type int, which no float holds."),
    (lambda t, p: Fraction(10**400), "of type Fraction, which no float holds."),
    (lambda t, p: Decimal("sNaN"), "lambda returns Decimal('sNaN'), of type Decimal, which no float holds."),
    (lambda t, p: NoFloat(1), "lambda returns 1.0, of type NoFloat, which no float holds."),
    (lambda t, p: Exits(1), "lambda returns or raises what cannot be read."),
    (raises_no_text, "raises_no_text raises NoText, in the line raise NoText(\"label\")."),
    (stops, "stops ends not itself alone, but what calls it too."),
]  # fmt: skip


@pytest.mark.parametrize(("function", "says"), UNREAD, ids=range(len(UNREAD)))
def test_a_trial_that_ends_early_is_never_right(function, says):
    verdict = judged(exact_match.subset_accuracy, function)
    assert verdict.right is False
    assert says in verdict.says, verdict.says
    assert verdict.beside is not None


def test_a_long_message_is_cut_off():
    says = judged(exact_match.subset_accuracy, says_much).says
    assert says.startswith(
        f"says_much raises ValueError:{' much' * 40}…, in the line raise ValueError(MUCH)."
    )


def test_what_was_not_tried_is_not_spoken_of():
    """Of the first data nothing is known but that they are 0/0: what the others are stays open."""
    says = judged(example_based.f1, stops_at_once).says
    assert says == (
        "stops_at_once ends not itself alone, but what calls it too. samples F1 is 0 there."
    )


def test_a_function_whose_name_cannot_be_asked_is_judged():
    verdict = judged(exact_match.subset_accuracy, NoName())
    assert verdict.right is True
    assert verdict.says.startswith("the function is right on all ")


class Raises:
    def __call__(self, t, p):
        raise ValueError("label")


@pytest.mark.parametrize(
    "function", [Raises(), partial(raises_an_array)], ids=["object", "partial"]
)
def test_no_line_is_told_of_what_has_none_of_its_own(function):
    says = judged(exact_match.subset_accuracy, function).says
    assert says.startswith("the function raises ValueError: ")
    assert ", in the line" not in says


@pytest.mark.parametrize("kind", [np.float32, np.float16])
@pytest.mark.parametrize(
    "metric", [hamming.hamming_loss, example_based.f1], ids=lambda f: f.__name__
)
def test_lower_precision_is_right_as_far_as_it_goes(metric, kind):
    every = list(worlds(metric))[::9]
    for make in (kind, lambda value: np.array(value, dtype=kind)):
        trial = judging._tried(lambda t, p, make=make: make(metric(t, p)), every, np.array)
        assert trial.failures == [] and len(trial.outcomes) == len(every)
    off = 20 * float(np.finfo(kind).eps)
    for wrong in (lambda t, p: kind(metric(t, p) + off), lambda t, p: float(kind(metric(t, p)))):
        assert judging._tried(wrong, every, np.array).failures


@pytest.mark.parametrize("kind", [np.float32, np.float16])
def test_a_wrong_number_of_lower_precision_is_named(kind):
    says = judged(example_based.f1, lambda t, p: kind(jaccard(t, p))).says
    assert "It computes samples accuracy (Jaccard)" in says


def test_what_is_printed_is_not_shown_but_told(capsys):
    verdict = judged(example_based.f1, prints)
    assert verdict.right is True
    assert verdict.says.endswith("tried. What it prints is not shown.")
    assert capsys.readouterr().out == ""
    print("again")
    assert capsys.readouterr().out == "again\n"


def logs(y_true, y_pred):
    logging.warning("so far")


@pytest.mark.parametrize("says", [lambda t, p: print("so far", file=sys.stderr), logs])
def test_what_goes_to_stderr_is_not_shown_but_told(says, capsys, monkeypatch):
    shows = logging.StreamHandler(sys.stderr)
    for handlers in ([], [shows]):
        monkeypatch.setattr(logging.root, "handlers", handlers)
        verdict = judged(example_based.f1, lambda t, p: (says(t, p), plain_f1(t, p))[1])
        assert verdict.right is True
        assert verdict.says.endswith("tried. What it prints is not shown.")
        assert logging.root.handlers == handlers
    print("again", file=sys.stderr)
    assert capsys.readouterr() == ("", "again\n")


def test_a_warning_is_no_error_and_filters_stay():
    before = list(warnings.filters)
    assert judged(example_based.f1, warns).right is True
    assert warnings.filters == before


def endless(y_true, y_pred):
    i = 0
    while i < len(y_true):
        pass
    return i


def endless_and_deaf(y_true, y_pred):
    while True:
        try:
            len(y_true)
        except Exception:
            pass


def endless_and_deaf_to_all(y_true, y_pred):
    while True:
        try:
            len(y_true)
        except:  # noqa: E722
            pass


def endless_and_caught(y_true, y_pred):
    try:
        while True:
            pass
    except BaseException:
        return plain_f1(y_true, y_pred)


def endless_later(y_true, y_pred):
    while len(y_true) > 1:
        pass
    return plain_f1(y_true, y_pred)


@pytest.mark.parametrize(
    "function",
    [endless, endless_and_deaf, endless_and_deaf_to_all, endless_and_caught, endless_later],
    ids=lambda f: f.__name__,
)
def test_an_endless_loop_is_stopped(function, monkeypatch):
    monkeypatch.setattr(judging, "SECONDS", 0.2)
    before = threading.active_count()
    verdict = judged(example_based.f1, function)
    assert verdict.right is False
    assert f"{function.__name__} has not come to an end after 0.2 seconds." in verdict.says
    assert len(verdict.beside.steps[1].rows) == (2 if function is endless_later else 1)
    assert "0/0" not in verdict.says
    assert threading.active_count() == before


def test_it_is_stopped_too_where_no_thread_has_a_clock_of_its_own(monkeypatch):
    monkeypatch.setattr(judging, "SECONDS", 0.2)
    monkeypatch.delattr(time, "pthread_getcpuclockid", raising=False)
    before = threading.active_count()
    assert "endless has not come to an end" in judged(example_based.f1, endless).says
    assert threading.active_count() == before


def test_a_busy_machine_costs_nobody_a_point(monkeypatch):
    """What a function waits for is not its work, where a thread has a clock of its own."""
    monkeypatch.setattr(judging, "SECONDS", 0.2)
    monkeypatch.setattr(limit, "_WAITS", 1000)
    monkeypatch.setattr(judging, "worlds", lambda metric: small("samples F1")[:3])

    def held_up(y_true, y_pred):
        time.sleep(0.3)
        return plain_f1(y_true, y_pred)

    assert judged(example_based.f1, held_up).right == hasattr(time, "pthread_getcpuclockid")


def test_what_cannot_be_stopped_is_left_behind(monkeypatch):
    """A wait inside C hears of nothing until it is over."""
    monkeypatch.setattr(judging, "SECONDS", 0.2)
    monkeypatch.setattr(limit, "_TRIES", 2)
    before, over = threading.enumerate(), threading.Event()

    def waits(y_true, y_pred):
        over.wait()

    assert "waits has not come to an end" in judged(example_based.f1, waits).says
    (left,) = (thread for thread in threading.enumerate() if thread not in before)
    assert left.daemon
    over.set()
    left.join()


def test_a_function_that_is_slow_but_right_so_far_is_neither(monkeypatch):
    monkeypatch.setattr(judging, "TOGETHER", 0.3)

    def slow(y_true, y_pred):
        time.sleep(0.01)
        return plain_f1(y_true, y_pred)

    verdict = judged(example_based.f1, slow)
    assert verdict.right is None
    assert re.fullmatch(
        r"slow is right on the smallest \d+ of 9,124 data, and too slow to try the others\.",
        verdict.says,
    )


def test_an_interrupt_leaves_nothing_running(monkeypatch):
    """The reader stops the kernel while a function is tried."""
    calls = itertools.count()

    def interrupted():
        if next(calls) == 3:
            raise KeyboardInterrupt
        return time.perf_counter()

    monkeypatch.setattr(limit.time, "monotonic", interrupted)
    before = threading.active_count()
    with pytest.raises(KeyboardInterrupt):
        judged(example_based.f1, endless)
    assert threading.active_count() == before
    assert sys.stdout.writable()


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
        judged(metric, function)


def test_k_of_five_has_its_world():
    sizes = {(len(w.y_true), len(w.y_true[0])) for w in worlds(partial(top_k.recall, k=5))}
    assert sizes == {(1, 5)}


def test_a_metric_that_the_package_lacks_is_judged_too():
    with throwaway.installed():
        verdict = judged(throwaway.specificity, example_based.recall)
        assert verdict.right is False
        assert "It computes samples recall" in verdict.says
        assert judged(throwaway.label_ap, throwaway.label_ap).right is not False
