"""The quiz: one of four recipes gives the number, and no two give the same."""

from __future__ import annotations

import json
import random
from functools import cache
from itertools import combinations
from types import SimpleNamespace

import pytest

from mlm_course.practice import quiz, quizzes
from mlm_course.practice.confusions import Confusion
from mlm_course.practice.sheets import APART
from mlm_helpers import catalogue, example_based

SEEDS = range(9)
VARIANTS = catalogue.variants()


@cache
def made(seed):
    return quiz(seed=seed)


@pytest.fixture(params=SEEDS, ids="seed {}".format)
def asked(request):
    return made(request.param)


def right_letter(asked):
    (letter,) = (letter for letter in "ABCD" if asked.check(letter).right)
    return letter


def unambiguous(asked):
    assert list(asked.recipes) == list(asked.numbers) == list("ABCD")
    assert len(set(asked.recipes.values())) == 4
    assert all(abs(a - b) >= APART for a, b in combinations(asked.numbers.values(), 2))
    right = right_letter(asked)
    assert asked.numbers[right] == pytest.approx(float(asked.solution()))
    for letter, recipe in asked.recipes.items():
        if recipe in VARIANTS:  # by the metric itself
            value = VARIANTS[recipe](asked.y_true, asked.y_pred or asked.y_score)
            assert asked.numbers[letter] == pytest.approx(value)


def test_no_two_recipes_give_one_number(asked):
    unambiguous(asked)


@pytest.mark.exhaustive
def test_no_two_recipes_of_thirty_quizzes_give_one_number():
    for seed in range(100, 130):
        unambiguous(quiz(seed=seed))


def test_a_letter_is_judged(asked):
    right = right_letter(asked)
    for letter, recipe in asked.recipes.items():
        wrong = f"{letter}, {recipe}, gives {asked.numbers[letter]:.3f}, and the number is "
        says = f"Right: {recipe} gives " if letter == right else wrong
        forms = [form.format(letter) for form in ("{}", " {}. ", "{})", "({})", "{}:")]
        for choice in (*forms, letter.lower()):
            verdict = asked.check(choice)
            assert verdict.right is (letter == right)
            assert verdict.says.startswith(says)


@pytest.mark.parametrize("given", ["E", "()", "AB", "f1?", 1, None, 0.5, ["A"], True])
def test_nonsense_gets_a_sentence(given):
    verdict = made(0).check(given)
    assert verdict.right is None
    assert verdict.says.endswith(": give A, B, C or D.")


def test_it_shows_data_number_and_recipes_and_no_letter_is_marked(asked):
    text = repr(asked)
    assert text.startswith("Which number is this: ")
    assert all(recipe in text for recipe in asked.recipes.values())
    assert asked.solution().title not in text
    assert asked._repr_html_().count("<table>") >= 2


def test_the_same_seed_gives_the_same_quiz_and_others_differ():
    assert repr(quiz(seed=3)) == repr(made(3))
    assert len({repr(asked) for asked in map(made, SEEDS)}) == len(SEEDS)
    assert len({right_letter(asked) for asked in map(made, SEEDS)}) > 2
    assert len({asked.solution().title for asked in map(made, SEEDS)}) > 6


def test_other_metrics_are_offered_first_and_a_slip_says_of_what():
    """Of 0.51 nobody is told: it is too near to the value, 0.5."""

    def gives(says, number, instead=""):
        return Confusion(says, lambda *_: [("", number)], 1, instead)

    known = [gives("it is turned", n) for n in (0.2, 0.51, 0.3)]
    known.append(gives("micro F1", 0.1, "micro F1; asked is samples F1"))
    asked = SimpleNamespace(
        confusions=known, solution=lambda: 0.5, data=((), ()), metric=example_based.f1
    )
    for seed in range(5):
        first, *rest = quizzes.others(asked, random.Random(seed))
        assert first == ("micro F1", 0.1)
        assert sorted(rest) == [("samples F1, if it is turned", n) for n in (0.2, 0.3)]


@pytest.mark.parametrize("seed", [1.5, "1", None, True])
def test_a_seed_is_a_whole_number(seed):
    with pytest.raises(ValueError, match="seed is"):
        quiz(seed=seed)


# ---------------------------------------------------------------------------- on a page


def test_a_page_says_of_every_letter_what_check_says():
    for asked in map(made, SEEDS):
        question = json.loads(json.dumps(asked.page(), allow_nan=False))
        assert asked.title == f"Which number is this: {question['number']}?"
        shown = question["shown"]
        for name in ("y_true", "y_pred", "y_score"):
            assert shown[name] == getattr(asked, name)
        assert (len(shown["samples"]), len(shown["labels"])) == (3, 4)
        assert [choice["letter"] for choice in question["choices"]] == list("ABCD")
        for choice in question["choices"]:
            verdict = asked.check(choice["letter"])
            assert (choice["right"], choice["says"]) == (verdict.right, verdict.says)
            assert choice["recipe"] == asked.recipes[choice["letter"]]
        assert question["solution"] == asked.solution()._repr_html_()
