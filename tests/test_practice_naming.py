"""How a wrong number is said: what comes first, how much is told, and where it happens."""

from __future__ import annotations

import numpy as np

from mlm_course.practice import judging
from mlm_course.practice.answers import read
from mlm_course.practice.confusions import Confusion, named

DATA = np.array([[0, 0], [1, 0]]), np.array([[0, 0], [0, 1]])


def slip(says, *places, near=1):
    return Confusion(says, lambda *_: [(place, 0.3) for place in places or ("",)], near)


def metric(name, near=0):
    return Confusion(name, lambda *_: [("", 0.3)], near, f"{name}, its mean; asked is F1")


def said(*every, answer="0.30"):
    return named(read(answer), every, DATA)


def test_metrics_are_told_before_slips_and_no_number_twice():
    assert said(slip("it slips"), metric("one"), metric("two")) == (
        "0.30 is one, its mean; asked is F1. It is also two. It also comes out if it slips."
    )
    assert said(slip("it slips"), slip("it falls")) == (
        "0.30 comes out if it slips; or if it falls."
    )


def test_the_nearest_three_are_told():
    far, near = slip("it is far", near=3), [slip(f"it slips {i}") for i in (1, 2, 3)]
    assert said(far, *near) == ("0.30 comes out if it slips 1; or if it slips 2; or if it slips 3.")


def test_each_place_is_told_once():
    assert said(slip("it slips", "sample 1", "sample 1", "sample 3")) == (
        "0.30 comes out if it slips (sample 1 or sample 3)."
    )


def test_a_number_of_a_function_is_shown_as_the_fraction_it_is():
    assert judging._shown(17 / 48) == "17/48 ≈ 0.354"
    assert judging._shown(2**-0.5) == "0.707107"
