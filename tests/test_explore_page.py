"""The explorer on a page, in a real browser: what is clicked, slid and typed is what is counted and said.

And a question with four recipes. What a test does there stands in mounted.js, under its name.
"""

from __future__ import annotations

import math
import random
from fractions import Fraction
from itertools import product

import browser
import mounted
import pytest
import worlds

from mlm_course.practice import quiz
from mlm_course.practice.page import VARIANTS, chosen, page, values

pytestmark = browser.needs_chromium
on = mounted.Scripts()
answers, seen = on.fixtures()

LABELS = ["cat", "dog", "sea"]
Y_TRUE = [[1, 0, 1], [0, 1, 0]]
Y_PRED = [[1, 1, 0], [0, 1, 0]]
Y_SCORE = [[0.9, 0.6, 0.2], [0.4, 0.8, 0.4]]
SETS = page(Y_TRUE, Y_PRED, labels=LABELS)
RANKS = page(Y_TRUE, y_score=Y_SCORE, labels=LABELS)


def shown(y_true, y_pred=None, y_score=None, **options):
    """The package's numbers of what should be on the screen."""
    return values({"y_true": y_true, "y_pred": y_pred, "y_score": y_score, "options": options})


# ---------------------------------------------------------------------------- the grid


@on(SETS)
def test_truth_and_prediction_are_toggled_apart_and_every_metric_counts(seen):
    cells, numbers, hit, one, both, two, apart, three = seen
    assert cells == [
        "sample 1, cat: hit",
        "sample 1, dog: false alarm",
        "sample 1, sea: miss",
        "sample 2, cat: rightly left out",
        "sample 2, dog: hit",
        "sample 2, sea: rightly left out",
    ]
    assert numbers == shown(Y_TRUE, Y_PRED)
    assert numbers["example_based.f1"] == "3/4" and numbers["hamming.hamming_loss"] == "1/3"
    assert (hit, both) == ("sample 1, sea: hit", "sample 1, dog: hit")
    assert apart == ["sample 2, cat: miss", "sample 2, dog: miss"]
    assert one == shown(Y_TRUE, [[1, 1, 1], [0, 1, 0]])
    assert two == shown([[1, 1, 1], [0, 1, 0]], [[1, 1, 1], [0, 1, 0]])
    assert three == shown([[1, 1, 1], [1, 1, 0]], [[1, 1, 1], [0, 0, 0]])


@on(RANKS)
def test_keys_go_from_cell_to_cell_change_either_side_and_reach_nobody_else(seen):
    *moved, (*free, heard) = *seen[:6], seen[6:]
    assert moved == [
        ["sample 1, cat: hit"], "sample 1, dog: false alarm", "sample 2, dog: hit",
        ["sample 2, dog: hit"], "sample 2, dog: false alarm", "sample 2, dog: rightly left out",
    ]  # fmt: skip
    assert free == [False, False, True, True, True]
    assert heard == ["Tab", "a", "p"]


@on(SETS)
def test_what_changed_is_said_and_one_can_start_again(seen):
    start, one, two, *again = seen
    assert start == "samples F1 is 3/4."
    before, after = shown(Y_TRUE, Y_PRED), shown(Y_TRUE, [[1, 0, 0], [0, 1, 0]])
    moved = sum(before[key] != after[key] for key in before)
    assert one == (
        f"sample 1, dog: rightly left out. samples F1 was 3/4, is 5/6. {moved} metrics changed."
    )
    assert two == f"sample 1, dog: false alarm. macro recall is 2/3. {moved} metrics changed."
    assert again == ["sample 1, dog: false alarm", "The start"]


@on(SETS)
def test_the_metric_in_focus_shows_its_numbers_put_in(seen):
    f1, formula, macro, micro, weighted, exact, left_out = seen
    assert f1 == ["sample 1: 2/4", "sample 2: 2/2", "(2/4 + 2/2) ÷ 2 = 3/4 = 0.75"]
    assert "".join(formula.split()) == "2|Y∩Z||Y|+|Z|"
    assert macro[2:] == ["sea: 0/0, taken as 0", "(1/1 + 1/2 + 0) ÷ 3 = 1/2 = 0.5"]
    assert micro == ["all cells: 2/3", "2/3 ≈ 0.667"]
    assert weighted[-1] == "(1/1 + 1/1 + 0/1) ÷ 3 = 2/3 ≈ 0.667"
    assert exact[-1] == "(0/1 + 1/1) ÷ 2 = 1/2 = 0.5"
    assert left_out[2:] == ["sea: 0/0, left out", "(1/1 + 1/2) ÷ 2 = 3/4 = 0.75"]


@on(page([[1, 0], [0, 1], [1, 0]], y_score=[[0.9, 0.1], [0.8, 0.2], [0.3, 0.5]]))
def test_the_focus_says_what_is_averaged(seen):
    """Positives of label 1 stand at 1 and 3, with precisions 1 and 2/3; that of label 2 at 2, with 1/2."""
    precision, coverage, name, weighted = seen
    assert precision[1:] == ["label 1: 5/6", "label 2: 1/2", "(5/6 + 1/2) ÷ 2 = 2/3 ≈ 0.667"]
    assert coverage == "(1 + 2 + 2) ÷ 3 = 5/3 ≈ 1.667"
    assert name == "samples F0.5 example_based.fbeta"
    assert weighted == "(2 × 1/2 + 1 × 0/1) ÷ 3 = 1/3 ≈ 0.333"


@on(page([[1]], [[1]], labels=["<img src=x onerror=alert(1)>"]))
def test_a_name_is_only_ever_text(seen):
    assert seen == [["sample 1, <img src=x onerror=alert(1)>: hit"], 0]


# ---------------------------------------------------------------------------- scores


@on(RANKS)
def test_a_cut_slides_through_the_scores(seen):
    """The cuts are 0.2, 0.4, 0.6, 0.8, 0.9, and one above them all."""
    start, all_, one, none, by_hand = seen
    assert start == ["5", "2", "Predicted is what scores at least 0.5."]
    assert all_[:2] == [6, "Predicted is what scores at least 0.2."]
    assert one[:2] == [1, "Predicted is what scores at least 0.9."]
    assert one[2] == shown(Y_TRUE, [[1, 0, 0], [0, 0, 0]], Y_SCORE)
    assert none[:2] == [0, "No score is high enough."]
    assert by_hand == "Predictions are set by hand."


# ---------------------------------------------------------------------------- switches

TIED = [[1, 0, 0], [0, 0, 0], [1, 1, 0]], [[0.3, 0.9, 0.3], [0.8, 0.2, 0.2], [0.5, 0.7, 0.7]]
"""A tie below and one above an odd score; a sample and a label without a positive."""


@on(page(TIED[0], y_score=TIED[1]))
def test_every_choice_of_every_switch_is_counted(seen):
    *found, name, ways = seen
    given = page(TIED[0], y_score=TIED[1])
    now = TIED[0], given["shown"]["y_pred"], TIED[1]
    switches = [[choice["options"] for choice in one["choices"]] for one in given["switches"]]
    for choices in switches:
        some, found = found[: len(choices)], found[len(choices) :]
        for options, numbers in zip(choices, some, strict=True):
            assert numbers == shown(*now, **options), options
        assert len({str(numbers) for numbers in some}) > 1  # it makes a difference somewhere
    assert name == "nDCG at 3\u00a0↑"
    assert ways == ["↑ higher is better", "↓ lower is better"]


NEW = {**SETS["metrics"][0], "key": "new.metric", "id": "new.metric", "name": "new metric"}


@on({**SETS, "metrics": [*SETS["metrics"], NEW]})
def test_what_asks_for_scores_or_cannot_be_counted_is_left_out_and_the_last_is_named(seen):
    choices = ["0/0 is", "β"]
    assert seen == [choices, 0, True, False]


# ---------------------------------------------------------------------------- the widget


@on(SETS)
def test_the_widget_tells_its_model_what_is_shown_and_shows_what_that_has(seen):
    sent, kept, back, f1, left = seen
    assert sent == [[[1, 1, 1], [0, 1, 0]], [[1, 0, 1], [0, 1, 0]]]
    assert (kept, back, f1) == ("sample 1, sea: hit", "sample 1, sea: miss", "3/4")
    assert left == []


# ---------------------------------------------------------------------------- a question

QUESTION = quiz(seed=3).page()  # macro precision of truth and prediction, C


@on(QUESTION)
def test_the_data_of_a_question_are_a_grid_of_outcomes(seen):
    """True are {1, 3}, {1}, {1, 4}; predicted {2, 3, 4}, {1, 3, 4}, {1, 4}."""
    sets, signs = seen
    hit, alarm, miss, out = "hit", "false alarm", "miss", "rightly left out"
    assert sets == [
        ["", "label 1", "label 2", "label 3", "label 4"],
        ["sample 1", miss, alarm, hit, alarm],
        ["sample 2", hit, out, alarm, alarm],
        ["sample 3", hit, out, out, hit],
    ]
    assert signs == ["· rightly left out", "✗ false alarm", "○ miss", "✓ hit"]


@on(quiz(seed=2).page())  # recall at 1 of scores, B
def test_or_a_grid_of_scores(seen):
    ranks, signs = seen
    first = ["sample 1", "irrelevant 0.13", "irrelevant 0.99", "relevant 0.98", "relevant 0.23"]
    assert (ranks[1], signs) == (first, ["✓ relevant"])


@on(QUESTION)
def test_a_choice_is_judged(seen):
    title, start, wrong, right, told = seen
    recipes = ["A: macro F1", "B: macro recall", "C: macro precision", "D: samples precision"]
    assert title == "Which number is this: 11/24 ≈ 0.458?"
    assert start == [recipes, "Choose a recipe, or press its letter.", False]
    words = "D, samples precision, gives 0.556, and the number is 11/24 ≈ 0.458."
    assert wrong == [[*recipes[:3], f"{recipes[3]} ✗"], words, True]
    words = "Right: macro precision gives 11/24 ≈ 0.458."
    assert right == [[*recipes[:2], f"{recipes[2]} ✓", f"{recipes[3]} ✗"], words, True]
    assert told == [False, True]


# ---------------------------------------------------------------------------- its own arithmetic

METRICS = page([[1]])["metrics"]
EMPTY = ("nan", 0, 1)


def same(text, value):
    """A fraction is the float that the package finds; what holds logarithms has six decimals."""
    if "." in text or text == "nan":
        return text == (f"{value:.6f}" if "." in text else str(value))
    return math.isclose(Fraction(text), value, rel_tol=1e-12)


def sets(shape, step):
    """Truth and prediction of every kind, with everything that 0/0 can be worth; β takes turns."""
    every = product(worlds.representatives(*shape), (*EMPTY, "agree"))
    for number, (world, empty) in list(enumerate(every))[::step]:
        options = {"zero_division": empty, "beta": worlds.BETAS[number // 4 % len(worlds.BETAS)]}
        yield {"y_true": world.y_true, "y_pred": world.y_pred, "options": options}


def ranked(shape, step):
    """Every truth with scores in every order, ties included, under every tie; the rest takes turns."""
    rest = list(product(EMPTY, (0, 1), range(1, shape[1] + 1)))
    tied = product(worlds.TIES, worlds.pairs(*shape, True))
    for number, (ties, (y_true, y_score)) in list(enumerate(tied))[::step]:
        names, one = ("ties", "undefined", "start", "k"), (ties, *rest[number % len(rest)])
        options = dict(zip(names, one, strict=True))
        yield {"y_true": y_true, "y_score": y_score, "options": options}


def drawn(number):
    """Truths with empty rows, predictions, scores with ties, and any conventions."""
    draw = random.Random(1)
    for _ in range(number):
        n_labels = draw.randint(1, 6)
        density, levels = draw.choice((0.1, 0.4, 0.8)), draw.choice((2, 4, 100))
        y_true, y_pred, y_score = zip(
            *[
                [
                    [int(draw.random() < density) for _ in range(n_labels)],
                    [int(draw.random() < density) for _ in range(n_labels)],
                    [draw.randrange(levels) for _ in range(n_labels)],
                ]
                for _ in range(draw.randint(1, 5))
            ],
            strict=True,
        )
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


def agree(cases, answers):
    """Whether the module has the package's number of every metric, case by case."""
    for case, numbers in zip(cases, answers, strict=True):
        asked = [metric for metric in METRICS if case.get(metric["reads"]) is not None]
        assert list(numbers) == [metric["key"] for metric in asked]
        for metric in asked:
            key, other = metric["key"], case[metric["reads"]]
            value = float(chosen(VARIANTS[key], case["options"])(case["y_true"], other))
            assert same(numbers[key], value), (key, case, numbers[key], value)


SOME = [*sets((2, 2), 2), *ranked((2, 2), 29), *drawn(50)]


@on({"metrics": METRICS, "cases": SOME})
def test_on_small_and_on_drawn_data_it_counts_as_the_package(seen):
    """And writes the same fractions."""
    agree(SOME, seen)
    assert seen[-15:] == [values(case) for case in SOME[-15:]]


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "cases",
    [
        [*sets((2, 2), 1), *sets((3, 2), 2), *sets((2, 3), 3)],
        [*ranked((1, 3), 1), *ranked((2, 2), 1), *ranked((3, 2), 7), *ranked((2, 3), 40)],
        list(drawn(400)),
    ],
    ids=["sets", "ranks", "drawn"],
)
def test_on_more_data(cases, tmp_path):
    given = {"metrics": METRICS, "cases": cases}
    agree(cases, mounted.run({"counted": given}, tmp_path)["counted"])
