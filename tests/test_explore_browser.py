"""The explorer's own arithmetic, in a real browser: the package's numbers, on every small world."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from functools import cache
from itertools import chain, combinations, product

import browser
import mounted
import numpy as np
import pytest
import worlds

from mlm_course import disagreement
from mlm_course.practice.page import VARIANTS, chosen, page, values
from mlm_helpers import thresholds
from mlm_helpers._core import inputs

pytestmark = browser.needs_chromium

METRICS = page([[1]])["metrics"]
EMPTY = ("nan", 0, 1)
PAIRS = list(combinations(VARIANTS, 2))
MOST = 4000  # cases on one page


def answered(cases, act, folder):
    """What the module answers, case by case."""
    scripts = mounted.Scripts()
    for first in range(0, len(cases), MOST):
        scripts({"metrics": METRICS, "cases": cases[first : first + MOST]}, act)(lambda: None)
    answers = scripts.run(folder)
    assert all(isinstance(answer, list) for answer in answers), answers
    return [one for answer in answers for one in answer]


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
    act = "for (const shown of given.cases) seen.push(compute(shown, given.metrics));"
    return answered(cases, act, folder)


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
    rest = list(product(EMPTY, (0, 1), inputs.INTERPOLATIONS, range(1, shape[1] + 1)))
    names = ("ties", "undefined", "start", "interpolation", "k")
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
            "interpolation": draw.choice(inputs.INTERPOLATIONS),
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


# ---------------------------------------------------------------------------- disagreements


def searched(asked, folder):
    """Pairs of metrics for which the module finds other data than the package."""
    act = """for (const [a, b, options] of given.cases) {
      const pair = [a, b].map((key) => given.metrics.find((metric) => metric.key === key));
      seen.push(disagreement(...pair, options));
    }"""
    answers = zip(asked, answered(asked, act, folder), strict=True)
    return [(one, answer) for one, answer in answers if answer != found(*one)]


def found(a, b, options):
    """What the package finds, as the module writes it."""
    answer = disagreement.smallest_disagreement(*(chosen(VARIANTS[key], options) for key in (a, b)))
    if answer is None:
        return None
    has_scores = any(metric["reads"] == "y_score" for metric in METRICS if metric["key"] in (a, b))
    return [
        {
            "y_true": np.array(answer.y_true).tolist(),
            **({"y_score": np.array(other).tolist()} if has_scores else {}),
            "y_pred": np.array(thresholds.at(other) if has_scores else other).tolist(),
        }
        for other in (answer.first, answer.second)
    ]


CONVENTIONS = [
    (["top_k.precision", "top_k.recall", "ranking.coverage", "label_based.f1:macro"],
     {"k": 2, "ties": "best", "undefined": "nan", "zero_division": "agree"}),
    (["curves.average_precision:macro", "curves.roc_auc:macro", "ranking.coverage", "example_based.fbeta"],
     {"interpolation": 11, "start": 0, "beta": 0.5}),
    (["curves.average_precision:macro", "curves.roc_auc:macro", "label_based.f1:macro", "ranking.one_error"],
     {"ties": "first"}),
    (["curves.average_precision:macro", "curves.average_precision:micro", "top_k.recall"], {"ties": "last"}),
]  # fmt: skip


def test_it_finds_the_smallest_data_too(tmp_path):
    asked = [(*pair, {}) for pair in PAIRS[5::80]]
    asked += [(*pair, o) for keys, o in CONVENTIONS for pair in combinations(keys, 2)]
    assert searched(asked, tmp_path) == []


@pytest.mark.exhaustive
@pytest.mark.parametrize("part", range(6))
def test_it_finds_the_smallest_data_of_every_pair(part, tmp_path):
    assert searched([(*pair, {}) for pair in PAIRS[part::6]], tmp_path) == []
