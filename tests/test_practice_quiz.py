"""The quiz: one of four recipes gives the number, and no two give the same."""

from __future__ import annotations

import json
from functools import cache
from itertools import combinations

import pytest

from mlm_course.practice import quiz
from mlm_course.practice.sheets import MIN_GAP
from mlm_helpers import catalogue

VARIANTS = catalogue.variants()
MORE = [pytest.param(seed, marks=pytest.mark.exhaustive) for seed in range(100, 112)]
made = cache(lambda seed: quiz(seed=seed))


def right_letter(asked):
    (letter,) = (letter for letter in "ABCD" if asked.check(letter).right)
    return letter


@pytest.mark.parametrize("seed", [0, 2, 3, *MORE])
def test_no_two_recipes_give_one_number(seed):
    asked = made(seed)
    assert list(asked.recipes) == list(asked.numbers) == list("ABCD")
    assert len(set(asked.recipes.values())) == 4
    assert all(abs(a - b) >= MIN_GAP for a, b in combinations(asked.numbers.values(), 2))
    assert asked.numbers[right_letter(asked)] == pytest.approx(float(asked.solution()))
    for letter, recipe in asked.recipes.items():
        if recipe in VARIANTS:  # by the metric itself
            value = VARIANTS[recipe](asked.y_true, asked.y_pred or asked.y_score)
            assert asked.numbers[letter] == pytest.approx(value)


def test_a_choice_is_judged(snapshot):
    """Of seed 3, whose number is macro precision, C."""
    choices = ["A", " c. ", "b)", "(D)", "", "E", "()", "AB", 1, None, ["A"]]
    verdicts = [(choice, made(3).check(choice)) for choice in choices]
    assert [verdict.right for _, verdict in verdicts] == [False, True, False, False] + 7 * [None]
    assert "\n".join(f"{choice!r}: {verdict.says}" for choice, verdict in verdicts) == snapshot


@pytest.mark.parametrize("seed", [2, 3, 31], ids=["scores", "sets", "slips"])
def test_it_shows_data_number_and_recipes_and_no_letter_is_marked(seed, snapshot):
    """Other metrics are offered first; a slip says of what."""
    asked = made(seed)
    assert asked._repr_html_().count("<table>") >= 2
    assert asked.solution().title not in repr(asked)
    assert repr(asked) == snapshot


def test_the_same_seed_gives_the_same_quiz_and_others_differ():
    assert repr(quiz(seed=3)) == repr(made(3))
    assert len({made(seed).solution().title for seed in (0, 2, 3)}) == 3
    assert len({right_letter(made(seed)) for seed in (0, 2, 3)}) > 1
    with pytest.raises(ValueError, match=r"seed is 1\.5: give a whole number"):
        quiz(seed=1.5)


@pytest.mark.parametrize("seed", [2, 3])
def test_a_page_says_of_every_letter_what_check_says(seed):
    asked = made(seed)
    question = json.loads(json.dumps(asked.page_json(), allow_nan=False))
    assert asked.title == f"Which number is this: {question['number']}?"
    for name in ("y_true", "y_pred", "y_score"):
        assert question["shown"][name] == getattr(asked, name)
    assert [len(question["shown"][name]) for name in ("samples", "labels")] == [3, 4]
    for choice, (letter, recipe) in zip(question["choices"], asked.recipes.items(), strict=True):
        right, says = asked.check(letter).right, asked.check(letter).says
        assert choice == {"letter": letter, "recipe": recipe, "right": right, "says": says}
    assert question["solution"] == asked.solution()._repr_html_()
