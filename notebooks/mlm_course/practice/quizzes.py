"""Which number is this? Data, a number, and four recipes, one of which gives it."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from mlm_course.practice.answers import Verdict
from mlm_course.practice.sheets import MIN_GAP, Sheet, sheet, single_value, value_text
from mlm_helpers import catalogue
from mlm_helpers._core import inputs
from mlm_helpers.tables import Display, Sentence, Step, Table
from mlm_helpers.worked import Solution

LETTERS = "ABCD"


@dataclass(frozen=True, repr=False)
class Quiz(Display):
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
        """Whether a letter is right; of a wrong one, the number that its recipe gives."""
        letter = choice.strip("(.:) \n").upper() if isinstance(choice, str) else ""
        if isinstance(choice, str) and not choice:
            return Verdict(
                None, "No answer yet: write A, B, C or D between the quotes, and run the cell."
            )
        if letter not in self.recipes:
            return Verdict(None, f"The answer is {inputs.short_repr(choice)}: give A, B, C or D.")
        value = value_text(single_value(self._solution))
        if letter == self._answer:
            return Verdict(True, f"Right: {self.recipes[letter]} gives {value}.")
        number = f"{letter}, {self.recipes[letter]}, gives {self.numbers[letter]:.3f}"
        return Verdict(False, f"{number}, and the number is {value}.")

    def solution(self) -> Solution:
        """Every step to the number."""
        return self._solution

    def page_json(self) -> dict[str, Any]:
        """The question as JSON, for ``mountQuiz`` of the explorer's module."""
        verdicts = {letter: self.check(letter) for letter in self.recipes}
        return {
            "number": value_text(single_value(self._solution)),
            "shown": {
                "samples": [f"sample {i}" for i, _ in enumerate(self.y_true, 1)],
                "labels": [f"label {j}" for j, _ in enumerate(self.y_true[0], 1)],
                "y_true": self.y_true,
                "y_pred": self.y_pred,
                "y_score": self.y_score,
            },
            "choices": [
                {"letter": letter, "recipe": recipe}
                | {"right": verdicts[letter].right, "says": verdicts[letter].says}
                for letter, recipe in self.recipes.items()
            ],
            "solution": self._solution.to_html(),
        }


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
    rng = random.Random(inputs.read_int(seed, "seed"))
    metrics = list(catalogue.variants(catalogue.taught_records()).values())
    every: list[tuple[str, float]] = []
    while len(every) < len(LETTERS):  # nearly every sheet has three others
        metric = metrics[int(rng.random() * len(metrics))]
        asked = sheet(metric, seed=int(rng.random() * 10**6))
        every = [(catalogue.full_name(metric), float(asked.solution())), *wrong_recipes(asked, rng)]
    shuffled = sorted(every, key=lambda _: rng.random())
    recipes = {letter: recipe for letter, (recipe, _) in zip(LETTERS, shuffled, strict=True)}
    numbers = {letter: number for letter, (_, number) in zip(LETTERS, shuffled, strict=True)}
    answer = LETTERS[shuffled.index(every[0])]
    title = f"Which number is this: {value_text(single_value(asked.solution()))}?"
    steps: tuple[Step, ...] = (
        *(step for step in asked.steps if isinstance(step, Table)),
        Table("One of these gives it", ("", "recipe"), tuple(recipes.items())),
        Sentence('Your answer: .check("…"); stuck: .solution()'),
    )
    data = asked.y_true, asked.y_pred, asked.y_score
    return Quiz(title, steps, *data, recipes, numbers, answer, asked.solution())


def wrong_recipes(asked: Sheet, rng: random.Random) -> Iterator[tuple[str, float]]:
    """Three usual confusions, other metrics first, whose numbers are apart; each with its number."""
    usual = [one for one in asked.confusions if one.is_usual]
    order = {id(one): rng.random() for one in usual}
    numbers = [float(asked.solution())]
    for one in sorted(usual, key=lambda one: (not one.comparison, order[id(one)])):
        recipe = (
            one.description
            if one.comparison
            else f"{catalogue.full_name(asked.metric)}, if {one.description}"
        )
        for _, number in one.numbers(*asked.data):
            if len(numbers) < len(LETTERS) and all(abs(number - n) >= MIN_GAP for n in numbers):
                numbers.append(number)
                yield recipe, number
