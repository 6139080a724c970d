"""The explorer's own arithmetic, in a real browser: the package's numbers, on every small world."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from functools import cache
from itertools import chain, product

import browser
import mounted
import pytest
import worlds

from mlm_course.practice.page import VARIANTS, chosen, page, values

pytestmark = browser.needs_chromium

METRICS = page([[1]])["metrics"]
EMPTY = ("nan", 0, 1)
MOST = 4000  # cases on one page


# ---------------------------------------------------------------------------- values


def same(text, value):
    """A fraction is the float that the package finds; what holds logarithms has six decimals."""
    if "." in text:
        return text == f"{value:.6f}"
    return (
        math.isnan(value) if text == "nan" else math.isclose(Fraction(text), value, rel_tol=1e-12)
    )


@cache
def expected(key, y_true, other, options):
    """The package's number; many cases share it."""
    return float(chosen(VARIANTS[key], dict(options))(y_true, other))


def counted(cases, folder):
    """The module's number of every metric, case by case."""
    scripts = mounted.Scripts()
    act = "for (const shown of given.cases) seen.push(compute(shown, given.metrics));"
    for first in range(0, len(cases), MOST):
        scripts({"metrics": METRICS, "cases": cases[first : first + MOST]}, act)(lambda: None)
    answers = scripts.run(folder)
    assert all(isinstance(answer, list) for answer in answers), answers
    return [one for answer in answers for one in answer]


def wrong(cases, folder):
    """Where the module and the package differ."""
    found = []
    for case, numbers in zip(cases, counted(cases, folder), strict=True):
        asked = [metric for metric in METRICS if case.get(metric["reads"]) is not None]
        assert list(numbers) == [metric["key"] for metric in asked]
        for metric in asked:
            taken = {name: x for name, x in case["options"].items() if name in metric["options"]}
            key, other = metric["key"], case[metric["reads"]]
            value = expected(key, case["y_true"], other, tuple(taken.items()))
            if not same(numbers[key], value):
                found.append((key, case, numbers[key], value))
    return found


def sets(shape, some=worlds.worlds):
    """Every truth and prediction of a size, with everything that 0/0 can be worth; β takes turns."""
    for number, world in enumerate(some(*shape)):
        for turn, empty in enumerate((*EMPTY, "agree"), start=number):
            options = {"zero_division": empty, "beta": worlds.BETAS[turn % len(worlds.BETAS)]}
            yield {"y_true": world.y_true, "y_pred": world.y_pred, "options": options}


def ranked(shape, step=1):
    """Every truth with scores in every order, ties included, under every tie; the rest takes turns."""
    rest = list(product(EMPTY, (0, 1), range(1, shape[1] + 1)))
    names = ("ties", "undefined", "start", "k")
    tied = product(worlds.TIES, worlds.pairs(*shape, True))
    for number, (ties, pair) in list(enumerate(tied))[::step]:
        y_true, y_score = (tuple(map(tuple, matrix)) for matrix in pair)
        options = dict(zip(names, (ties, *rest[number % len(rest)]), strict=True))
        yield {"y_true": y_true, "y_score": y_score, "options": options}


def drawn(number, seed):
    """Truths with empty rows, predictions, scores with ties, and any conventions."""
    draw = random.Random(seed)
    for _ in range(number):
        n_samples, n_labels = draw.randint(1, 5), draw.randint(1, 6)
        density, levels = draw.choice((0.1, 0.4, 0.8)), draw.choice((2, 4, 100))
        size = range(n_samples), range(n_labels)
        y_true, y_pred = (
            tuple(tuple(int(draw.random() < density) for _ in size[1]) for _ in size[0])
            for _ in range(2)
        )
        y_score = tuple(tuple(draw.randrange(levels) for _ in size[1]) for _ in size[0])
        options = {
            "zero_division": draw.choice((*EMPTY, "agree")),
            "undefined": draw.choice((*EMPTY, 0.25)),
            "ties": draw.choice(worlds.TIES),
            "start": draw.randint(0, 1),
            "k": draw.randint(1, n_labels),
            "beta": draw.choice((0, 0.5, 1, 1.5, 2)),
        }
        kept = {name: value for name, value in options.items() if draw.random() < 0.7}
        yield {"y_true": y_true, "y_pred": y_pred, "y_score": y_score, "options": kept}


def test_on_small_and_on_drawn_worlds(tmp_path):
    small = [*sets((2, 2), worlds.representatives), *ranked((2, 2), step=23)]
    assert wrong([*small, *drawn(60, seed=1)], tmp_path) == []


def test_kernel_and_module_write_the_same(tmp_path):
    """Fractions as text, not only as numbers."""
    cases = list(drawn(30, seed=2))
    assert counted(cases, tmp_path) == [values(case) for case in cases]


@pytest.mark.exhaustive
def test_sets_on_small_worlds(tmp_path):
    """Every order of samples and labels at 2 × 2 alone: counts do not see more of it at 3."""
    kinds = (sets(shape, worlds.representatives) for shape in ((3, 2), (2, 3)))
    assert wrong([*sets((2, 2)), *chain(*kinds)], tmp_path) == []


@pytest.mark.exhaustive
def test_ranks_on_small_worlds(tmp_path):
    """Every row of three labels; of three samples each third, of two such rows together each 20th."""
    cases = [*ranked((1, 3)), *ranked((2, 2)), *ranked((3, 2), step=3), *ranked((2, 3), step=20)]
    assert wrong(cases, tmp_path) == []


@pytest.mark.exhaustive
def test_on_drawn_worlds(tmp_path):
    assert wrong(list(drawn(500, seed=3)), tmp_path) == []
