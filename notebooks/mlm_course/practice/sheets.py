"""A sheet: fresh data, a question, and what a wrong answer computes."""

import dataclasses
import functools
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, islice
from typing import Any

import numpy as np

from mlm_course.practice import words
from mlm_course.practice.answers import ENOUGH, EXACT, Answer, Verdict, nothing_read, read
from mlm_course.practice.confusions import Confusion, Pair, confusions
from mlm_course.practice.naming import MOST, named
from mlm_helpers import catalogue
from mlm_helpers._core import inputs
from mlm_helpers.board import Board, Sentence, Table
from mlm_helpers.board.numbers import Number, decimal, with_decimal
from mlm_helpers.worked import Solution
from mlm_helpers.worked.exercises import drawn, exercise, is_worth_asking

APART = 0.02  # numbers that far apart differ at two decimals, however they are rounded or cut off
_TRIALS = 8  # data on which a confusion can show that it is another number
_ATTEMPTS = 1000
_CHOICE = 3  # sheets of which the clearest is taken


@dataclass(frozen=True, repr=False)
class Sheet(Board):
    """Data and a question about them; shows itself.

    Attributes
    ----------
    metric : the metric that is asked, with its options
    y_true : nested list of shape (n_samples, n_labels)
    y_pred, y_score : the same, whichever of them the metric reads; the other is None
    confusions : other ways to a number, the nearest first
    """

    metric: Callable[..., Any]
    y_true: list[list[int]]
    y_pred: list[list[int]] | None
    y_score: list[list[float]] | None
    confusions: tuple[Confusion, ...] = dataclasses.field(repr=False)
    _solution: Solution = dataclasses.field(repr=False)

    def check(self, answer: Any) -> Verdict:
        """Whether an answer is right; of a wrong one, what it computes.

        Right is the exact value, or the value rounded or cut off at two or more decimals.

        Parameters
        ----------
        answer : text or number
            A fraction, a decimal or a percentage: ``"19/30"``, ``"0.633"``, ``"63.3 %"``, 0.633.

        Returns
        -------
        Verdict
            ``right`` is True, False, or None where no number can be read.
        """
        number, value = read(answer), value_of(self._solution)
        if number is None:
            return Verdict(None, nothing_read(answer))
        if number.is_percentage and value > 1:
            return Verdict(
                False,
                f"{number.written} is a percentage, and the value is not a share: give a plain number.",
            )
        fit = number.fits(value)
        if fit == "exactly":
            return Verdict(True, f"Right: {written(value)}.")
        if fit and number.decimals >= ENOUGH:
            how = "cut off" if fit == "truncated" else fit
            return Verdict(True, f"Right: {number.written} is {written(value)}, {how}.")
        named_as = functools.partial(named, self.metric, every=self.confusions, data=self.data)
        if fit and (number.decimals == ENOUGH - 1 or value > 1):
            said = f"{number.written} may be the value rounded: give two or more decimals."
            exactly = named_as(number._replace(decimals=EXACT))
            return Verdict(False, f"{said} As an exact value, {exactly}" if exactly else said)
        said = self._percentage(number, value) or named_as(number)
        if not said and number.decimals == EXACT and abs(number.value - value) < 10**-ENOUGH:
            said = (
                f"{number.written} is close, but a fraction must be exact:"
                " give the exact fraction, or two or more decimals."
            )
        unknown = f"{number.written} is not right, and no usual slip gives it: count again, or look at .hint()."
        return Verdict(False, said or unknown)

    def hint(self) -> Board:
        """The formula in words, and the counts or ranks before the division."""
        tables = [step for step in self._solution.steps if isinstance(step, Table)]
        steps = filter(None, map(_undivided, tables))
        return Board("", (Sentence(f"{words.recipe(self.metric)}."), *steps))

    def solution(self) -> Solution:
        """Every step to the value."""
        return self._solution

    @property
    def data(self) -> Pair:
        """The truth, and the predictions or scores, as arrays."""
        return np.array(self.y_true), np.array(self.y_pred or self.y_score)

    def _percentage(self, number: Answer, value: Number) -> str:
        """Say that only the percent sign is wrong."""
        if catalogue.of(self.metric).range != (0, 1):
            return ""
        if number.shifted(-2).is_right(value):
            return f"{number.written} is right as a percentage: write {number.written} %."
        if number.shifted(2).is_right(value):
            return f"{number.written} is a hundredth of the value: leave out the percent sign."
        return ""


def sheet(
    metric: Callable[..., Any], *, seed: int, n_samples: int = 3, n_labels: int = 4, **options: Any
) -> Sheet:
    """An exercise on fresh data, on which no usual mistake gives the value of the metric.

    The data are those of `worked.exercise`: the value is neither the lowest nor the highest. The number
    of each usual mistake is further from the value than rounding can be. Scores are tied where ``ties``
    is given.

    Parameters
    ----------
    metric : public metric function, or a ``functools.partial`` of one
    seed : int
        The same seed gives the same sheet, everywhere.
    n_samples, n_labels : int, from 1 (2 for labels, and for samples of a curve metric) to 50
        The larger the data, the less a mistake changes: far beyond 10 × 10 no sheet may turn up.
    **options
        The metric's own.

    Returns
    -------
    Sheet
        Shows itself; ``.check("19/30")`` judges an answer, ``.hint()`` and ``.solution()`` help.

    Raises
    ------
    TypeError, ValueError
        One sentence: whatever `worked.exercise` refuses, options that leave several values or fix
        the samples, or a size at which no such data turn up.

    Examples
    --------
    >>> from mlm_helpers import example_based
    >>> asked = sheet(example_based.f1, seed=1)
    >>> asked.check(example_based.f1(asked.y_true, asked.y_pred)).right
    True
    >>> asked.check("a half").right
    """
    if options:
        metric = functools.partial(metric, **options)
    catalogue.check_one_value(metric, any_samples=True)
    bound = getattr(metric, "keywords", {})
    size: dict[str, Any] = {"n_samples": n_samples, "n_labels": n_labels, "ties": "ties" in bound}
    frozen = ((name, _frozen(value)) for name, value in bound.items())
    every = _known(catalogue.of(metric).function, tuple(frozen), tuple(size.items()))
    found = _clear(metric, size, every, inputs.whole(seed, "seed"))
    chosen = min(islice(found, _CHOICE), key=lambda one: _hidden(every, one[1]), default=None)
    if chosen is None:
        raise ValueError(
            f"no data of {n_samples} samples and {n_labels} labels turned up on which every usual mistake"
            f" changes {catalogue.describe(metric)}: ask for other numbers of them, about 3 and 4"
        )
    y_true, other, task, solution = exercise(metric, seed=chosen[0], **size)
    y_pred, y_score = (other, None) if catalogue.of(metric).reads == "y_pred" else (None, other)
    steps = (*task.steps, Sentence('Your answer: .check("…"); stuck: .hint(), .solution()'))
    return Sheet(task.title, steps, metric, y_true, y_pred, y_score, every, solution)


def page(asked: Sheet) -> dict[str, Any]:
    """What is said to each answer, as JSON for a page without a kernel: the value, and every usual mistake's number, exact and rounded.

    Examples
    --------
    >>> from mlm_helpers import example_based
    >>> right, *others = page(sheet(example_based.f1, seed=1))["answers"]
    >>> right["says"], sum(one["right"] for one in others)
    ('Right: 22/45 ≈ 0.489.', 2)
    """
    numbers = [number for one in asked.confusions for _, number in one.numbers(*asked.data)]
    value = value_of(asked.solution())
    answers: dict[str, dict[str, Any]] = {}
    for number in dict.fromkeys(round(n, 9) for n in (float(value), *numbers)):
        given = Fraction(number).limit_denominator(1000) if answers else value
        exact = str(given) if abs(float(given) - number) < 1e-8 else f"{number:.6f}"
        for text in (exact, f"{number:.3f}", f"{number:.2f}"):  # few decimals may fit several
            verdict = asked.check(text)
            answers.setdefault(
                text,
                {"value": number, "written": text, "says": verdict.says, "right": verdict.right},
            )
    return {
        "answers": list(answers.values()),
        "hint": asked.hint().to_html(),
        "solution": asked.solution().to_html(),
    }


def value_of(solution: Solution) -> Number:
    """The one value that is asked for."""
    value = solution.value
    assert not isinstance(value, tuple)  # `check_one_value` saw to it
    return value


def written(value: Number) -> str:
    """A value with its decimal; what is no fraction has that alone."""
    return decimal(value) if isinstance(value, float) else with_decimal(value)


def _frozen(value: Any) -> Any:
    """An option of each label as tuples, which a cache can hold."""
    listed = value.tolist() if hasattr(value, "tolist") else value
    return tuple(map(_frozen, listed)) if isinstance(listed, list) else listed


@functools.lru_cache(maxsize=128)
def _known(
    function: Any, bound: tuple[tuple[str, Any], ...], size: tuple[tuple[str, Any], ...]
) -> tuple[Confusion, ...]:
    """The confusions that can happen on exercises of a size."""
    metric = functools.partial(function, **dict(bound))
    return confusions(metric, [_fresh(metric, dict(size), -1 - i) for i in range(_TRIALS)])


def _fresh(metric: Callable[..., Any], size: dict[str, Any], seed: int) -> Pair:
    """The data of `worked.exercise`, found by the metric itself, which takes a tenth of the time."""
    for y_true, other in drawn(metric, seed=seed, **size):
        data = np.array(y_true), np.array(other)
        if is_worth_asking(metric, round(float(metric(*data)), 9), size["n_labels"]):
            break
    return data


def _clear(
    metric: Callable[..., Any], size: dict[str, Any], every: tuple[Confusion, ...], seed: int
) -> Iterator[tuple[int, Pair]]:
    """Seeds and data of exercises that tell the value from every usual confusion."""
    usual = [one for one in every if one.is_usual]
    for attempt in range(seed * _ATTEMPTS, (seed + 1) * _ATTEMPTS):
        data = _fresh(metric, size, attempt)
        value = float(metric(*data))
        for one in usual:
            if any(abs(number - value) < APART for _, number in one.numbers(*data)):
                usual.remove(one)  # most likely the next exercise's, too: it is asked first
                usual.insert(0, one)
                break
        else:
            if not size["ties"] or _ties_matter(metric, value, data):
                yield attempt, data


def _ties_matter(metric: Callable[..., Any], value: float, data: Pair) -> bool:
    others = (float(metric(*data, ties=ties)) for ties in inputs.TIES)
    return any(abs(other - value) >= APART for other in others)


def _hidden(every: tuple[Confusion, ...], data: Pair) -> int:
    """The number of confusions that a verdict would leave out, since nearer ones give the same number."""
    each = ({round(number, 9) for _, number in one.numbers(*data)} for one in every)
    return sum(max(0, count - MOST) for count in Counter(chain.from_iterable(each)).values())


def _undivided(table: Table) -> Table | None:
    """A table without its computed columns; None where only the data are left."""
    keep = [
        j
        for j, name in enumerate(table.header)
        if name != "value" and all(isinstance(row[j], str) for row in table.rows)
    ]
    rows = tuple(tuple(row[j] for j in keep) for row in table.rows)
    left = Table(table.caption, tuple(table.header[j] for j in keep), rows)
    return (
        left if len(keep) > 1 and left.header[1] not in ("true labels", "relevant labels") else None
    )
