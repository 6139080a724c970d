"""The quiz: one of four recipes gives the number, and no two recipes give the same number."""

import json
from functools import cache
from itertools import combinations

import pytest

from mlm_course.practice import quiz
from mlm_course.practice.sheets import MIN_GAP
from mlm_helpers import catalogue

VARIANTS = catalogue.variants()
MORE_SEEDS = [pytest.param(seed, marks=pytest.mark.exhaustive) for seed in range(100, 112)]
cached_quiz = cache(lambda seed: quiz(seed=seed))


def right_letter(question):
    """The only letter that is right."""
    (letter,) = (letter for letter in "ABCD" if question.check(letter).right)
    return letter


@pytest.mark.parametrize("seed", [0, 2, 3, *MORE_SEEDS])
def test_no_two_recipes_give_the_same_number(seed):
    question = cached_quiz(seed)
    assert list(question.recipes) == list(question.numbers) == list("ABCD")
    assert len(set(question.recipes.values())) == 4
    assert all(abs(a - b) >= MIN_GAP for a, b in combinations(question.numbers.values(), 2))
    assert question.numbers[right_letter(question)] == pytest.approx(float(question.solution()))
    for letter, recipe in question.recipes.items():
        if recipe in VARIANTS:  # the name of a metric, not a slip
            value = VARIANTS[recipe](question.y_true, question.y_pred or question.y_score)
            assert question.numbers[letter] == pytest.approx(value)


def test_a_choice_is_judged(snapshot):
    """The number of seed 3 is macro precision, which is C."""
    choices = ["A", " c. ", "b)", "(D)", "", "E", "()", "AB", 1, None, ["A"]]
    verdicts = [(choice, cached_quiz(3).check(choice)) for choice in choices]
    assert [verdict.right for _, verdict in verdicts] == [False, True, False, False] + 7 * [None]
    assert "\n".join(f"{choice!r}: {verdict.says}" for choice, verdict in verdicts) == snapshot


@pytest.mark.parametrize("seed", [2, 3, 31], ids=["scores", "sets", "slips"])
def test_a_quiz_shows_data_number_and_recipes_but_not_the_solution(seed, snapshot):
    """Slips are among the recipes only if too few metrics are.

    Each slip says with which metric it happens.
    """
    question = cached_quiz(seed)
    assert question._repr_html_().count("<table>") >= 2
    assert question.solution().title not in repr(question)
    assert repr(question) == snapshot


def test_the_same_seed_gives_the_same_quiz_and_other_whole_numbers_differ():
    assert repr(quiz(seed=3)) == repr(cached_quiz(3))
    assert len({cached_quiz(seed).solution().title for seed in (0, 2, 3)}) == 3
    assert len({right_letter(cached_quiz(seed)) for seed in (0, 2, 3)}) > 1
    with pytest.raises(ValueError, match=r"seed is 1\.5: give a whole number"):
        quiz(seed=1.5)


@pytest.mark.parametrize("seed", [2, 3])
def test_the_data_of_a_page_agree_with_check_and_the_solution(seed):
    question = cached_quiz(seed)
    page = json.loads(json.dumps(question.page_json(), allow_nan=False))
    assert question.title == f"Which number is this: {page['number']}?"
    for name in ("y_true", "y_pred", "y_score"):
        assert page["shown"][name] == getattr(question, name)
    assert [len(page["shown"][name]) for name in ("samples", "labels")] == [3, 4]
    for choice, (letter, recipe) in zip(page["choices"], question.recipes.items(), strict=True):
        right, says = question.check(letter).right, question.check(letter).says
        assert choice == {"letter": letter, "recipe": recipe, "right": right, "says": says}
    assert page["solution"] == question.solution()._repr_html_()
