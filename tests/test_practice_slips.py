"""The usual slips: each leads to the number computed by hand in slips.toml."""

from __future__ import annotations

import tomllib
from functools import partial
from math import log2
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import mlm_helpers
from mlm_course.practice.answers import read_answer
from mlm_course.practice.confusions import COMPLEMENT, Confusion, confusions, explanation
from mlm_course.practice.slips import SLIPS, Task
from mlm_helpers import catalogue, top_k

SOURCE = (Path(__file__).parent / "slips.toml").read_text("utf-8")
SLIP = {slip.description: slip for slip in SLIPS}


def numbers(description, metric, y_true, y_pred):
    """Pairs of a slip's place ("" if it has none) and the number to which it leads."""
    function = partial(SLIP[description].numbers, metric)
    return Confusion(description, function).numbers(np.array(y_true), np.array(y_pred))


T, P = [[1, 1, 0, 0], [1, 0, 1, 1], [0, 1, 0, 0]], [[1, 0, 1, 0], [1, 0, 1, 0], [1, 1, 0, 0]]
S = [[0.9, 0.2, 0.7, 0.1], [0.3, 0.8, 0.6, 0.4], [0.5, 0.4, 0.3, 0.2]]

ROOMS = {name: room for name, room in vars(mlm_helpers).items() if isinstance(room, ModuleType)}
BY_HAND = [
    (eval(metric, {**ROOMS, "partial": partial}), description, expected)
    for metric, slips in tomllib.loads(SOURCE).items()
    for description, expected in slips.items()
]


@pytest.mark.parametrize(("metric", "description", "expected"), BY_HAND)
def test_a_slip_leads_to_the_number_computed_by_hand(metric, description, expected):
    y_pred = P if catalogue.record_of(metric).reads == "y_pred" else S
    assert SLIP[description].applies_to(Task(metric, np.array(T), np.array(y_pred)))
    assert numbers(description, metric, T, y_pred) == [
        (place, pytest.approx(eval(number, {"second": 1 / log2(3)})))
        for place, number in ([("", expected)] if isinstance(expected, str) else expected)
    ]


def test_every_slip_has_a_number_by_hand():
    assert {description for _, description, _ in BY_HAND} == {*SLIP}


def test_a_slip_of_places_has_no_number_where_labels_are_tied():
    description = "a hit is divided by its place, without a logarithm"
    metric = partial(top_k.ndcg, k=2)
    assert numbers(description, metric, [[1, 0, 0]], [[0.5, 0.5, 0.1]]) == []
    assert numbers(description, metric, [[1, 0, 0]], [[0.5, 0.6, 0.1]]) == [("", 1 / 2)]


TRIALS = [(np.array(T), np.array(P)), (1 - np.array(T), np.array(P)), (np.array(P), np.array(T))]


@pytest.mark.parametrize("name", ["samples recall", "micro F1", "average precision", "macro AUROC"])
def test_what_always_equals_the_metric_is_not_a_confusion(name):
    """Of two metrics that are always equal, such as micro and weighted recall, one is listed."""
    metric = catalogue.variants()[name]
    is_scored = catalogue.record_of(metric).reads == "y_score"
    trials = [(np.array(t), np.array(S)) for t in (T, P, np.roll(T, 1))] if is_scored else TRIALS
    metric_confusions = confusions(metric, trials)
    names = {confusion.description for confusion in metric_confusions}
    assert name not in names and len(names & {"micro recall", "weighted recall"}) < 2
    values = [float(metric(*pair)) for pair in trials]
    for confusion in metric_confusions:
        others = [number for pair in trials for _, number in confusion.numbers(*pair)]
        assert others and (len(others) != len(values) or not np.allclose(others, values))


def test_k_minus_1_and_k_plus_1_are_confusions_of_every_k(k=7):
    trial = np.ones((1, 9), dtype=int), np.arange(9, 0, -1)[None] / 10
    metric_confusions = confusions(partial(top_k.recall, k=k), [trial])
    by_name = {confusion.description: confusion for confusion in metric_confusions}
    for other_k in (k - 1, k + 1):
        confusion = by_name[f"recall at {other_k}"]
        assert confusion.numbers(*trial) == [("", pytest.approx(other_k / 9))]
        assert confusion.comparison == f"recall at {other_k}; asked is recall at {k}"


def slip(description, *places, distance=1):
    """A slip that leads to 0.3, at each of its places if it has any."""
    return Confusion(description, lambda *_: [(place, 0.3) for place in places or ("",)], distance)


def other_metric(name):
    """A confusion with a metric whose value is 0.3."""
    return Confusion(name, lambda *_: [("", 0.3)], 0, f"{name}, its mean; asked is F1")


EXPLANATIONS = [
    # metrics come before slips, and a number is not repeated
    ([slip("it slips"), other_metric("one"), other_metric("two")],
     "0.30 is one, its mean; asked is F1. It is also two. It also comes out if it slips."),
    # the three nearest
    ([slip("it is far", distance=3), *map(slip, ("it slips 1", "it slips 2", "it slips 3"))],
     "0.30 comes out if it slips 1; or if it slips 2; or if it slips 3."),
    # each place once
    ([slip("it slips", "sample 1", "sample 1", "sample 3")],
     "0.30 comes out if it slips (sample 1 or sample 3)."),
    ([slip(COMPLEMENT), slip("it slips")],
     "0.30 is 1 minus the right value. It also comes out if it slips."),
]  # fmt: skip


@pytest.mark.parametrize(("possible", "text"), EXPLANATIONS, ids=range(4))
def test_a_number_is_explained(possible, text):
    assert explanation(read_answer("0.30"), possible, TRIALS[0]) == text
