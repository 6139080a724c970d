"""The usual slips: each makes the number that one finds by hand (slips.toml)."""

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
from mlm_course.practice.confusions import Confusion, confusions, explanation
from mlm_course.practice.slips import SLIPS, Task
from mlm_helpers import catalogue, conventions, example_based, top_k

SOURCE = (Path(__file__).parent / "slips.toml").read_text("utf-8")
SLIP = {slip.description: slip for slip in SLIPS}


def places(says, metric, y_true, y_pred):
    function = partial(SLIP[says].numbers, metric)
    return Confusion(says, function).numbers(np.array(y_true), np.array(y_pred))


T, P = [[1, 1, 0, 0], [1, 0, 1, 1], [0, 1, 0, 0]], [[1, 0, 1, 0], [1, 0, 1, 0], [1, 1, 0, 0]]
S = [[0.9, 0.2, 0.7, 0.1], [0.3, 0.8, 0.6, 0.4], [0.5, 0.4, 0.3, 0.2]]

ROOMS = {name: room for name, room in vars(mlm_helpers).items() if isinstance(room, ModuleType)}
BY_HAND = [
    (eval(metric, {**ROOMS, "partial": partial}), says, found)
    for metric, slips in tomllib.loads(SOURCE).items()
    for says, found in slips.items()
]


@pytest.mark.parametrize(("metric", "says", "found"), BY_HAND)
def test_a_slip_makes_what_a_pencil_makes(metric, says, found):
    other = P if catalogue.record_of(metric).reads == "y_pred" else S
    assert SLIP[says].applies_to(Task(metric, np.array(T), np.array(other)))
    assert places(says, metric, T, other) == [
        (place, pytest.approx(eval(number, {"second": 1 / log2(3)})))
        for place, number in ([("", found)] if isinstance(found, str) else found)
    ]


def test_every_slip_is_tried():
    assert {says for _, says, _ in BY_HAND} == {*SLIP}


def test_a_place_of_its_own_is_asked_where_labels_are_tied():
    says = "a hit is divided by its place, without a logarithm"
    metric = partial(top_k.ndcg, k=2)
    assert places(says, metric, [[1, 0, 0]], [[0.5, 0.5, 0.1]]) == []
    assert places(says, metric, [[1, 0, 0]], [[0.5, 0.6, 0.1]]) == [("", 1 / 2)]


# ---------------------------------------------------------------------------- what can be taken for a metric


TRIALS = [(np.array(T), np.array(P)), (1 - np.array(T), np.array(P)), (np.array(P), np.array(T))]


@pytest.mark.parametrize("name", ["samples recall", "micro F1", "average precision", "macro AUROC"])
def test_what_always_is_the_metric_is_no_confusion(name):
    """And of two that are always the same one is told: micro recall is weighted recall."""
    metric = catalogue.variants()[name]
    scored = catalogue.record_of(metric).reads == "y_score"
    trials = [(np.array(t), np.array(S)) for t in (T, P, np.roll(T, 1))] if scored else TRIALS
    found = confusions(metric, trials)
    says = {one.description for one in found}
    assert name not in says and len(says & {"micro recall", "weighted recall"}) < 2
    asked = [float(metric(*pair)) for pair in trials]
    for one in found:
        given = [n for pair in trials for _, n in one.numbers(*pair)]
        assert given and (len(given) != len(asked) or not np.allclose(given, asked))


def test_every_reading_of_identify_is_tried():
    trials = np.random.default_rng(1).integers(0, 2, (6, 2, 6, 5))
    found = {one.description for one in confusions(example_based.f1, trials)}
    read = [record for record in catalogue.taught_records() if record.reads == "y_pred"]
    known = {*catalogue.variants(read), *conventions.quantities.DERIVED}
    assert known - {"samples F1", "weighted recall", "zero-one loss"} <= found


def test_one_place_more_and_one_less_are_taken_for_it_whatever_is_asked(k=7):
    of_nine = [(np.ones((1, 9), dtype=int), np.arange(9, 0, -1)[None] / 10)]
    found = {one.description: one for one in confusions(partial(top_k.recall, k=k), of_nine)}
    for other in (k - 1, k + 1):
        ((_, number),) = found[f"recall at {other}"].numbers(*of_nine[0])
        assert number == pytest.approx(other / 9)
        assert (
            found[f"recall at {other}"].comparison == f"recall at {other}; asked is recall at {k}"
        )


# ---------------------------------------------------------------------------- how it is said


def slipped(says, *places, near=1):
    return Confusion(says, lambda *_: [(place, 0.3) for place in places or ("",)], near)


def other(name):
    return Confusion(name, lambda *_: [("", 0.3)], 0, f"{name}, its mean; asked is F1")


SAID = [
    # metrics are told before slips, and no number twice
    ([slipped("it slips"), other("one"), other("two")],
     "0.30 is one, its mean; asked is F1. It is also two. It also comes out if it slips."),
    # the nearest three
    ([slipped("it is far", near=3), *map(slipped, ("it slips 1", "it slips 2", "it slips 3"))],
     "0.30 comes out if it slips 1; or if it slips 2; or if it slips 3."),
    # each place once
    ([slipped("it slips", "sample 1", "sample 1", "sample 3")],
     "0.30 comes out if it slips (sample 1 or sample 3)."),
]  # fmt: skip


@pytest.mark.parametrize(("every", "says"), SAID, ids=range(3))
def test_ways_to_a_number_are_told(every, says):
    assert explanation(read_answer("0.30"), every, TRIALS[0]) == says
