"""The quiz "Which number is this?": data, a number, and four recipes, one of which gives it."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from mlm_course.numbers import with_decimal
from mlm_course.practice.answers import Verdict
from mlm_course.practice.sheets import MIN_GAP, Sheet, sheet, single_value
from mlm_helpers import catalogue
from mlm_helpers._core.inputs.options import read_int
from mlm_helpers._core.inputs.refuse import short_repr
from mlm_helpers.tables import Display, Step, Table
from mlm_helpers.worked import Solution

LETTERS = "ABCD"


@dataclass(frozen=True, repr=False)
class Quiz(Display):
    """Data, a number and four recipes; a notebook displays them.

    Attributes
    ----------
    y_true : nested list of shape (n_samples, n_labels)
    y_pred, y_score : nested list of the same shape; None for the one that the metric does not read
    recipes : dict from letters to recipes: a metric's name, and for a slip the mistake
    numbers : dict from letters to the numbers that the recipes give
    """

    y_true: list[list[int]]
    y_pred: list[list[int]] | None
    y_score: list[list[float]] | None
    recipes: dict[str, str]
    numbers: dict[str, float] = field(repr=False)
    _answer: str = field(repr=False)
    _solution: Solution = field(repr=False)

    def check(self, choice: Any) -> Verdict:
        """The verdict on a letter; for a wrong letter it has the number that the recipe gives."""
        letter = choice.strip("(.:) \n").upper() if isinstance(choice, str) else ""
        if isinstance(choice, str) and not choice:
            prompt = "No answer yet: write A, B, C or D between the quotes, and run the cell"
            return Verdict(None, f"{prompt}; .solution() shows every step.")
        if letter not in self.recipes:
            return Verdict(None, f"The answer is {short_repr(choice)}: give A, B, C or D.")
        value = with_decimal(single_value(self._solution))
        if letter == self._answer:
            return Verdict(True, f"Right: {self.recipes[letter]} gives {value}.")
        number = f"{letter}, {self.recipes[letter]}, gives {self.numbers[letter]:.3f}"
        return Verdict(False, f"{number}, and the number is {value}.")

    def solution(self) -> Solution:
        """The worked solution: every step to the number."""
        return self._solution

    def page_json(self) -> dict[str, Any]:
        """The question as JSON, for ``mountQuiz`` of the explorer's script."""
        verdicts = {letter: self.check(letter) for letter in self.recipes}
        samples = [f"sample {i}" for i, _ in enumerate(self.y_true, 1)]
        labels = [f"label {j}" for j, _ in enumerate(self.y_true[0], 1)]
        data = {"y_true": self.y_true, "y_pred": self.y_pred, "y_score": self.y_score}
        return {
            "number": with_decimal(single_value(self._solution)),
            "shown": {"samples": samples, "labels": labels, **data},
            "choices": [
                {"letter": letter, "recipe": self.recipes[letter]}
                | {"right": verdict.right, "says": verdict.says}
                for letter, verdict in verdicts.items()
            ],
            "solution": self._solution.to_html(),
        }


def quiz(*, seed: int) -> Quiz:
    """A multiple-choice question: data, a number, and four recipes, one of which gives the number.

    One recipe is a metric of the course, three are usual confusions with it: other metrics or
    slips. All four numbers differ, at two decimals too.

    Parameters
    ----------
    seed : int
        The same seed gives the same quiz on every machine.

    Returns
    -------
    Quiz
        A notebook displays it; ``.check("B")`` judges a letter, ``.solution()`` shows every step.

    Examples
    --------
    >>> question = quiz(seed=1)
    >>> sorted(question.recipes)
    ['A', 'B', 'C', 'D']
    >>> sum(bool(question.check(letter).right) for letter in question.recipes)
    1
    """
    rng = random.Random(read_int(seed, "seed"))
    metrics = list(catalogue.variants(catalogue.taught_records()).values())
    options: list[tuple[str, float]] = []
    while len(options) < len(LETTERS):  # a few sheets have fewer than three wrong recipes
        metric = metrics[int(rng.random() * len(metrics))]
        exercise = sheet(metric, seed=int(rng.random() * 10**6))
        solution = exercise.solution()
        right = catalogue.full_name(metric), float(solution)
        options = [right, *_wrong_recipes(exercise, rng)]
    shuffled = sorted(options, key=lambda _: rng.random())
    recipes = {letter: recipe for letter, (recipe, _) in zip(LETTERS, shuffled, strict=True)}
    numbers = {letter: number for letter, (_, number) in zip(LETTERS, shuffled, strict=True)}
    title = f"Which number is this: {with_decimal(single_value(solution))}?"
    data_tables: list[Step] = [step for step in exercise.steps if isinstance(step, Table)]
    choices = Table("One of these gives it", ("", "recipe"), tuple(recipes.items()))
    data = exercise.y_true, exercise.y_pred, exercise.y_score
    answer = LETTERS[shuffled.index(right)]
    return Quiz(title, (*data_tables, choices), *data, recipes, numbers, answer, solution)


def _wrong_recipes(exercise: Sheet, rng: random.Random) -> Iterator[tuple[str, float]]:
    """Up to three usual confusions of a sheet, metrics first, with numbers that all differ."""
    usual = [confusion for confusion in exercise.confusions if confusion.is_usual]
    numbers = [float(exercise.solution())]
    for confusion in sorted(usual, key=lambda c: (not c.comparison, rng.random())):
        recipe = confusion.description
        if not confusion.comparison:  # a mistake is a clause: name the metric that it is made with
            recipe = f"{catalogue.full_name(exercise.metric)}, if {recipe}"
        for _, number in confusion.numbers(*exercise.data):
            if len(numbers) < len(LETTERS) and all(abs(number - n) >= MIN_GAP for n in numbers):
                numbers.append(number)
                yield recipe, number
