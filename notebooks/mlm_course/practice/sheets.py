"""A sheet: fresh data, a question, and what a wrong answer computes."""

import dataclasses
import functools
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Any

import numpy as np

from mlm_course import small_data
from mlm_course.numbers import with_decimal
from mlm_course.practice.answers import (
    EXACT_DECIMALS,
    MIN_DECIMALS,
    Answer,
    Verdict,
    no_number_message,
    read_answer,
)
from mlm_course.practice.confusions import (
    MAX_EXPLANATIONS,
    Confusion,
    Pair,
    averaging_in_words,
    confusions,
    explanation,
)
from mlm_helpers import catalogue
from mlm_helpers._core import inputs
from mlm_helpers.tables import Display, Sentence, Step, Table
from mlm_helpers.tables.numbers import Number, decimal
from mlm_helpers.worked import Solution
from mlm_helpers.worked.exercises import Exercise, exercise

MIN_GAP = 0.02  # numbers that far apart differ at two decimals, however they are rounded or cut off
_TRIALS = 8  # data on which a confusion can show that it is another number
_ATTEMPTS = 1000
_CHOICE = 3  # sheets of which the clearest is taken


@dataclass(frozen=True, repr=False)
class Sheet(Display):
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
        number, value = read_answer(answer), single_value(self._solution)
        if number is None:
            return Verdict(None, no_number_message(answer))
        if number.is_percentage and value > 1:
            return Verdict(
                False,
                f"{number.text} is a percentage, and the value is not a share: give a plain number.",
            )
        fit = number.match_kind(value)
        if fit == "exactly":
            return Verdict(True, f"Right: {value_text(value)}.")
        if fit and number.decimals >= MIN_DECIMALS:
            how = "cut off" if fit == "truncated" else fit
            return Verdict(True, f"Right: {number.text} is {value_text(value)}, {how}.")
        return Verdict(False, self._mistake(number, value, bool(fit)))

    def hint(self) -> Display:
        """The formula in words, and the counts or ranks before the division."""
        tables = [step for step in self._solution.steps if isinstance(step, Table)]
        steps = filter(None, map(_undivided, tables))
        said = filter(
            None,
            [catalogue.record_of(self.metric).formula_in_words, averaging_in_words(self.metric)],
        )
        return Display("", (Sentence(f"{'; '.join(said)}."), *steps))

    def solution(self) -> Solution:
        """Every step to the value."""
        return self._solution

    @property
    def data(self) -> Pair:
        """The truth, and the predictions or scores, as arrays."""
        return np.array(self.y_true), np.array(self.y_pred or self.y_score)

    def _mistake(self, number: Answer, value: Number, fits: bool) -> str:
        """What a wrong answer computes, or what it lacks."""
        given, ways = number.text, (self.confusions, self.data)
        if fits and (number.decimals == MIN_DECIMALS - 1 or value > 1):
            exactly = explanation(number._replace(decimals=EXACT_DECIMALS), *ways)
            rounded = f"{given} may be the value rounded: give two or more decimals."
            return f"{rounded} As an exact value, {exactly}" if exactly else rounded
        if catalogue.record_of(self.metric).range == (0, 1):
            if number.times_power_of_10(-2).is_right(value):
                return f"{given} is right as a percentage: write {given} %."
            if number.times_power_of_10(2).is_right(value):
                return f"{given} is a hundredth of the value: leave out the percent sign."
        if found := explanation(number, *ways):
            return found
        if number.decimals == EXACT_DECIMALS and abs(number.value - value) < 10**-MIN_DECIMALS:
            remedy = "give the exact fraction, or two or more decimals."
            return f"{given} is close, but a fraction must be exact: {remedy}"
        return f"{given} is not right, and no usual slip gives it: count again, or look at .hint()."


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
    small_data.check_one_value(metric)
    size = {"n_samples": n_samples, "n_labels": n_labels}
    trials = [_data(exercise(metric, seed=-1 - i, **size)) for i in range(_TRIALS)]
    every = confusions(metric, trials)
    clear = islice(_clear(metric, size, every, inputs.read_int(seed, "seed")), _CHOICE)
    chosen = min(clear, key=lambda one: _hidden(every, _data(one)), default=None)
    if chosen is None:
        raise ValueError(
            f"no data of {n_samples} samples and {n_labels} labels turned up on which every usual mistake"
            f" changes {catalogue.full_name(metric)}: ask for other numbers of them, about 3 and 4"
        )
    y_true, other, solution = chosen
    y_pred, y_score = (
        (other, None) if catalogue.record_of(metric).reads == "y_pred" else (None, other)
    )
    steps = (
        *data_steps(solution),
        Sentence('Your answer: .check("…"); stuck: .hint(), .solution()'),
    )
    title = f"Compute {solution.title}"
    return Sheet(title, steps, metric, y_true, y_pred, y_score, every, solution)


def data_steps(solution: Solution) -> tuple[Step, ...]:
    """The first steps of a solution, with the data alone."""
    data: list[Step] = []
    for step in solution.steps:
        if isinstance(step, Table) and step.header[0] == "rank":
            rows = sorted((row[1:] for row in step.rows), key=lambda row: int(str(row[0])))
            data.append(Table(step.caption, step.header[1:], tuple(rows)))
    return tuple(data) or solution.steps[:1]


def page_json(asked: Sheet) -> dict[str, Any]:
    """What is said to each answer, as JSON for a page without a kernel: the value, and every usual mistake's number, exact and rounded.

    Examples
    --------
    >>> from mlm_helpers import example_based
    >>> right, *others = page_json(sheet(example_based.f1, seed=1))["answers"]
    >>> right["says"], sum(one["right"] for one in others)
    ('Right: 22/45 ≈ 0.489.', 2)
    """
    numbers = [number for one in asked.confusions for _, number in one.numbers(*asked.data)]
    value = single_value(asked.solution())
    answers: dict[str, dict[str, Any]] = {}
    for number in dict.fromkeys(round(n, 9) for n in (float(value), *numbers)):
        given = Fraction(number).limit_denominator(1000) if answers else value
        exact = str(given) if abs(float(given) - number) < 1e-8 else f"{number:.6f}"
        for text in (exact, f"{number:.3f}", f"{number:.2f}"):  # few decimals may fit several
            verdict = asked.check(text)
            answer = {"written": text, "says": verdict.says, "right": verdict.right}
            answers.setdefault(text, {"value": number, **answer})
    return {
        "answers": list(answers.values()),
        "hint": asked.hint().to_html(),
        "solution": asked.solution().to_html(),
    }


def single_value(solution: Solution) -> Number:
    """The one value that is asked for."""
    value = solution.value
    assert not isinstance(value, tuple)  # `check_one_value` saw to it
    return value


def value_text(value: Number) -> str:
    """A value with its decimal; what is no fraction has that alone."""
    return decimal(value) if isinstance(value, float) else with_decimal(value)


def _clear(
    metric: Callable[..., Any], size: dict[str, int], every: tuple[Confusion, ...], seed: int
) -> Iterator[Exercise]:
    """Exercises that tell the value from every usual confusion."""
    usual = [one for one in every if one.is_usual]
    tied = inputs.TIES if "ties" in getattr(metric, "keywords", {}) else ()
    for attempt in range(seed * _ATTEMPTS, (seed + 1) * _ATTEMPTS):
        asked = exercise(metric, seed=attempt, **size)
        data = _data(asked)
        value = float(metric(*data))
        near = (c for c in usual if any(abs(n - value) < MIN_GAP for _, n in c.numbers(*data)))
        if first := next(near, None):
            usual.insert(0, usual.pop(usual.index(first)))  # likely near the next value, too
        elif not tied or any(abs(metric(*data, ties=rule) - value) >= MIN_GAP for rule in tied):
            yield asked


def _data(asked: Exercise) -> Pair:
    return np.array(asked.y_true), np.array(asked.y_pred_or_score)


def _hidden(every: tuple[Confusion, ...], data: Pair) -> int:
    """The number of confusions that a verdict would leave out, since nearer ones give the same number."""
    numbers = Counter(n for one in every for n in {round(n, 9) for _, n in one.numbers(*data)})
    return sum(max(0, count - MAX_EXPLANATIONS) for count in numbers.values())


def _undivided(table: Table) -> Table | None:
    """A table without its computed columns; None where only the data are left."""
    columns = zip(table.header, *table.rows, strict=True)
    keep = [c for c in columns if c[0] != "value" and all(isinstance(cell, str) for cell in c)]
    header, *rows = zip(*keep, strict=True)
    if len(header) == 1 or header[1] in ("true labels", "relevant labels"):
        return None
    return Table(table.caption, header, tuple(rows))
