"""The explorer's own arithmetic, in a real browser: the package's numbers, on every small world."""

from __future__ import annotations

import html
import json
import math
import random
import re
from fractions import Fraction
from functools import cache, partial
from itertools import combinations, product

import browser
import pytest
import worlds

from mlm_helpers import inputs
from mlm_helpers.course.practice.explore import SCRIPT, VARIANTS, chosen, disagree, page, values

pytestmark = browser.needs_chromium

METRICS = page([[1]])["metrics"]
EMPTY = ("nan", 0, 1)
PAIRS = list(combinations(VARIANTS, 2))
PAGE = """<!doctype html><meta charset="utf-8"><pre id="seen">no answer</pre>
<script id="asked" type="application/json">{asked}</script>
<script type="module">
{script}
const {{ metrics, cases }} = JSON.parse(document.getElementById("asked").textContent);
const answer = ([name, ...given]) => ({answers})[name](...given);
document.getElementById("seen").textContent = JSON.stringify(cases.map(answer));
</script>"""
ANSWERS = """{
  compute: (truth, prediction, scores, options) => {
    const found = compute(truth, prediction, scores, { metrics, ...options });
    return metrics.map((metric) => found[metric.key] ?? null);
  },
  disagreement: (a, b, options) => {
    const of = (key) => metrics.find((metric) => metric.key === key);
    return disagreement(of(a), of(b), options);
  },
  exact: (number) => text(exact(number)),
  meets: (relation, value, goal) => meets([["one", relation, goal]], { one: value }),
}"""


MOST = 4000  # cases on one page


def answered(cases, folder):
    """What the module answers, case by case."""
    pages = [cases[first : first + MOST] for first in range(0, len(cases), MOST)]
    return [answer for some in pages for answer in answers_of(some, folder)]


def answers_of(cases, folder):
    asked = json.dumps({"metrics": METRICS, "cases": cases})
    file = folder / "page.html"
    file.write_text(PAGE.format(asked=asked, script=SCRIPT, answers=ANSWERS), encoding="utf-8")
    page_seen = browser.opened(file.as_uri(), folder / "profile")
    return json.loads(
        html.unescape(re.search('<pre id="seen">(.*?)</pre>', page_seen, re.DOTALL)[1])
    )


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


def wrong(cases, folder):
    """Where the module and the package differ."""
    found = []
    for case, numbers in zip(cases, answered(cases, folder), strict=True):
        _, y_true, y_pred, y_score, options = case
        for metric, number in zip(METRICS, numbers, strict=True):
            other = y_pred if metric["reads"] == "y_pred" else y_score
            if other is None:
                assert number is None
                continue
            taken = tuple((name, options[name]) for name in options if name in metric["options"])
            value = expected(metric["key"], y_true, other, taken)
            if not same(number, value):
                found.append((metric["key"], case, number, value))
    return found


def sets(shape, some=worlds.worlds):
    """Every truth and prediction of a size, with everything that 0/0 can be worth; β takes turns."""
    for number, world in enumerate(some(*shape)):
        for turn, empty in enumerate((*EMPTY, "agree"), start=number):
            options = {"zero_division": empty, "beta": worlds.BETAS[turn % len(worlds.BETAS)]}
            yield "compute", world.y_true, world.y_pred, None, options


def ranked(shape, step=1):
    """Every truth with scores in every order, ties included, under every tie; the rest takes turns."""
    rest = list(product(EMPTY, (0, 1), inputs.INTERPOLATIONS, range(1, shape[1] + 1)))
    names = ("ties", "undefined", "start", "interpolation", "k")
    tied = product(worlds.TIES, worlds.pairs(*shape, True))
    for number, (ties, (y_true, y_score)) in list(enumerate(tied))[::step]:
        options = dict(zip(names, (ties, *rest[number % len(rest)]), strict=True))
        yield "compute", tupled(y_true), None, tupled(y_score), options


def tupled(matrix):
    return tuple(map(tuple, matrix))


def drawn(number, seed):
    """Truths with empty rows, predictions, scores with ties, and any conventions."""
    draw = random.Random(seed)
    for _ in range(number):
        n_samples, n_labels = draw.randint(1, 5), draw.randint(1, 6)
        density, levels = draw.choice((0.1, 0.4, 0.8)), draw.choice((2, 4, 100))

        def matrix(cell, n_samples=n_samples, n_labels=n_labels):
            return tuple(tuple(cell() for _ in range(n_labels)) for _ in range(n_samples))

        def bit(density=density):
            return int(draw.random() < density)

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
        truth, score = matrix(bit), matrix(partial(draw.randrange, levels))
        yield "compute", truth, matrix(bit), score, kept


# ---------------------------------------------------------------------------- a part


def test_on_small_worlds(tmp_path):
    cases = [*sets((2, 2), worlds.representatives), *ranked((2, 2), step=7)]
    assert wrong(cases, tmp_path) == []


def test_on_drawn_worlds(tmp_path):
    assert wrong(list(drawn(150, seed=1)), tmp_path) == []


def test_numbers_are_read_as_they_are_written_and_compared(tmp_path):
    given = (0, 1, 0.1, 2.5, -0.5, 12.25)
    signs = [("meets", sign, value, "1/2") for sign in "=<>≤" for value in ("1/3", "2/4", "1")]
    answers = answered([*(("exact", number) for number in given), *signs], tmp_path)
    assert answers[:6] == ["0", "1", "1/10", "5/2", "-1/2", "49/4"]
    assert answers[6:] == [
        *(False, True, False), *(True, False, False), *(False, False, True), *(True, True, False)
    ]  # fmt: skip


def test_kernel_and_module_write_the_same(tmp_path):
    """Fractions as text, not only as numbers: what the kernel sends replaces nothing but itself."""
    cases = list(drawn(40, seed=2))
    for case, numbers in zip(cases, answered(cases, tmp_path), strict=True):
        _, y_true, y_pred, y_score, options = case
        found = values({"y_true": y_true, "y_pred": y_pred, "y_score": y_score, "options": options})
        assert list(found.values()) == numbers


def test_what_a_switch_offers_is_tried():
    """Each choice of each switch is among the conventions of the small worlds."""
    some = [*sets((2, 2)), *ranked((2, 3))]
    tried = {(name, value) for *_, options in some for name, value in options.items()}
    switches = page([[1, 0, 1]])["switches"]
    choices = [choice["options"] for one in switches for choice in one["choices"]]
    assert {pair for options in choices for pair in options.items()} <= tried


def searched(pairs, folder, **options):
    """Pairs of metrics for which the module finds other data than the package."""
    cases = [("disagreement", a, b, options) for a, b in pairs]
    return [
        (pair, answer)
        for pair, answer in zip(pairs, answered(cases, folder), strict=True)
        if answer != found(*pair, options)
    ]


def found(a, b, options):
    """What the package finds, as the module writes it."""
    answer = disagree(a, b, options)
    if answer is None:
        return None
    first, second = (answer[side] for side in ("first", "second"))
    worlds = [
        {"prediction": side["y_pred"]} | ({"scores": side["y_score"]} if side["y_score"] else {})
        for side in (first, second)
    ]
    return {"truth": first["y_true"], "first": worlds[0], "second": worlds[1]}


def test_it_finds_the_smallest_data_too(tmp_path):
    assert searched(PAIRS[5::40], tmp_path) == []


@pytest.mark.parametrize(
    ("keys", "options"),
    [
        (
            ["top_k.precision", "top_k.recall", "ranking.coverage", "label_based.f1:macro"],
            {"k": 2, "ties": "best", "undefined": "nan", "zero_division": "agree"},
        ),
        (
            [
                "curves.average_precision:macro",
                "curves.roc_auc:macro",
                "ranking.coverage",
                "example_based.fbeta",
            ],
            {"interpolation": 11, "start": 0, "beta": 0.5},
        ),
    ],
)
def test_it_finds_the_smallest_data_under_conventions(keys, options, tmp_path):
    assert searched(list(combinations(keys, 2)), tmp_path, **options) == []


# ---------------------------------------------------------------------------- all of it


@pytest.mark.exhaustive
@pytest.mark.parametrize("part", range(6))
def test_it_finds_the_smallest_data_of_every_pair(part, tmp_path):
    assert searched(PAIRS[part::6], tmp_path) == []


@pytest.mark.exhaustive
@pytest.mark.parametrize("shape", worlds.SHAPES)
def test_sets_on_every_small_world(shape, tmp_path):
    assert wrong(list(sets(shape)), tmp_path) == []


@pytest.mark.exhaustive
@pytest.mark.parametrize("shape", [(2, 2), (3, 2), (2, 3)])
def test_ranks_on_every_small_world(shape, tmp_path):
    assert wrong(list(ranked(shape)), tmp_path) == []


@pytest.mark.exhaustive
def test_on_ten_thousand_drawn_worlds(tmp_path):
    assert wrong(list(drawn(10_000, seed=3)), tmp_path) == []
