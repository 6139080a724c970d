"""Which number is this? Data, a number, and four recipes, one of which gives it."""

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mlm_course.practice.answers import Verdict
from mlm_course.practice.sheets import APART, Sheet, sheet, value_of, written
from mlm_helpers import catalogue
from mlm_helpers._core import inputs
from mlm_helpers.board import Board, Sentence, Table
from mlm_helpers.worked import Solution

LETTERS = "ABCD"
Recipes = dict[str, tuple[str, float]]
"""By letter, each recipe and the number that it gives."""


@dataclass(frozen=True, repr=False)
class Quiz(Board):
    """Data, a number and four recipes; shows itself.

    Attributes
    ----------
    y_true : nested list of shape (n_samples, n_labels)
    y_pred, y_score : the same, whichever is read; the other is None
    recipes : dict of letter to recipe
    numbers : dict of letter to the number that the recipe gives
    """

    y_true: list[list[int]]
    y_pred: list[list[int]] | None
    y_score: list[list[float]] | None
    recipes: dict[str, str]
    numbers: dict[str, float] = field(repr=False)
    _answer: str = field(repr=False)
    _solution: Solution = field(repr=False)

    def check(self, choice: Any) -> Verdict:
        """Whether a letter, or a recipe, is right; of a wrong one, the number that it gives."""
        letter = self._letter(choice)
        if isinstance(choice, str) and not choice:
            return Verdict(
                None, "No answer yet: write A, B, C or D between the quotes, and run the cell."
            )
        if not letter:
            return Verdict(None, f"The answer is {inputs.shown(choice)}: give A, B, C or D.")
        value = written(value_of(self._solution))
        if letter == self._answer:
            return Verdict(True, f"Right: {self.recipes[letter]} gives {value}.")
        number = f"{letter}, {self.recipes[letter]}, gives {self.numbers[letter]:.3f}"
        return Verdict(False, f"{number}, and the number is {value}.")

    def solution(self) -> Solution:
        """Every step to the number."""
        return self._solution

    def _letter(self, choice: Any) -> str:
        """The letter given, or the letter of the recipe given."""
        said = _bare(choice) if isinstance(choice, str) else ""
        return next((a for a, recipe in self.recipes.items() if said in (a, _bare(recipe))), "")


def _bare(text: str) -> str:
    """A text without the signs that may stand around a letter."""
    return text.strip("(.:) \n").upper()


def quiz(*, seed: int) -> Quiz:
    """The question which of four recipes gives a number.

    One recipe is a metric of the course, three are usually mistaken for it: other metrics, and slips.
    All four numbers differ, at two decimals too.

    Parameters
    ----------
    seed : int
        The same seed gives the same quiz, everywhere.

    Returns
    -------
    Quiz
        Shows itself; ``.check("B")`` judges a letter, ``.solution()`` shows every step.

    Examples
    --------
    >>> asked = quiz(seed=1)
    >>> sorted(asked.recipes)
    ['A', 'B', 'C', 'D']
    >>> sum(bool(asked.check(letter).right) for letter in asked.recipes)
    1
    """
    rng = random.Random(inputs.whole(seed, "seed"))
    asked, lettered = drawn(rng, catalogue.taught(), sheet)
    recipes = {letter: recipe for letter, (recipe, _) in lettered.items()}
    numbers = {letter: number for letter, (_, number) in lettered.items()}
    solution, name = asked.solution(), catalogue.describe(asked.metric)
    answer = next(letter for letter, recipe in recipes.items() if recipe == name)
    tables = shown(asked, "One of these gives it", lettered)
    ask = Sentence('Your answer: .check("…"); stuck: .solution()')
    title = f"Which number is this: {written(value_of(solution))}?"
    data = asked.y_true, asked.y_pred, asked.y_score
    return Quiz(title, (*tables, ask), *data, recipes, numbers, answer, solution)


def drawn(
    rng: random.Random, records: Iterable[catalogue.Metric], make: Callable[..., Sheet], **more: Any
) -> tuple[Sheet, Recipes]:
    """A sheet of one of these metrics, and four recipes: the metric and what is usually taken for it."""
    metrics = list(catalogue.variants(records).values())
    while True:  # nearly every sheet has three others
        metric = metrics[int(rng.random() * len(metrics))]
        asked = make(metric, seed=int(rng.random() * 10**6), **more)
        every = [(catalogue.describe(metric), float(asked.solution())), *others(asked, rng)]
        if len(every) == len(LETTERS):
            shuffled = sorted(every, key=lambda _: rng.random())
            return asked, dict(zip(LETTERS, shuffled, strict=True))


def shown(asked: Sheet, caption: str, recipes: Recipes) -> tuple[Table, ...]:
    """The data of a sheet, and the recipes by their letters."""
    data = (step for step in asked.steps if isinstance(step, Table))
    rows = tuple((letter, recipe) for letter, (recipe, _) in recipes.items())
    return (*data, Table(caption, ("", "recipe"), rows))


def page(seeds: Iterable[int]) -> dict[str, Any]:
    """The questions as JSON, for ``mountQuiz`` of the explorer's module.

    Examples
    --------
    >>> (question,) = page([3])["questions"]
    >>> question["number"], question["choices"][0]["says"]
    ('5/12 ≈ 0.417', 'A, macro F1, gives 0.325, and the number is 5/12 ≈ 0.417.')
    """
    if not isinstance(seeds, Iterable) or not (every := list(seeds)):
        raise ValueError(f"seeds is {inputs.shown(seeds)}: give one or more, such as range(5)")
    return of(*(quiz(seed=seed) for seed in every))


def of(*asked: Quiz) -> dict[str, Any]:
    """Quizzes as JSON, for ``mountQuiz`` of the explorer's module."""
    return {"questions": list(map(_question, asked))}


def _question(asked: Quiz) -> dict[str, Any]:
    shape = np.shape(asked.y_true)
    choices = []
    for letter, recipe in asked.recipes.items():
        verdict = asked.check(letter)
        choices.append(
            {"letter": letter, "recipe": recipe, "right": verdict.right, "says": verdict.says}
        )
    return {
        "number": written(value_of(asked.solution())),
        "shown": {
            "samples": inputs.numbered("sample", shape[0]),
            "labels": inputs.numbered("label", shape[1]),
            "y_true": asked.y_true,
            "y_pred": asked.y_pred,
            "y_score": asked.y_score,
        },
        "choices": choices,
        "solution": asked.solution().to_html(),
    }


def others(asked: Sheet, rng: random.Random) -> Iterator[tuple[str, float]]:
    """Three usual confusions, other metrics first, whose numbers are apart; each with its number."""
    usual = [one for one in asked.confusions if one.is_usual]
    order = {id(one): rng.random() for one in usual}
    numbers = [float(asked.solution())]
    for one in sorted(usual, key=lambda one: (not one.instead, order[id(one)])):
        recipe = one.says if one.instead else f"{catalogue.describe(asked.metric)}, if {one.says}"
        for _, number in one.numbers(*asked.data):
            if len(numbers) < len(LETTERS) and all(abs(number - n) >= APART for n in numbers):
                numbers.append(number)
                yield recipe, number
