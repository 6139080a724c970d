"""Sheets: fresh data, a question, and the explanation of a wrong answer."""

import functools
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice
from typing import Any

import numpy as np

from mlm_course import small_data
from mlm_course.numbers import with_decimal
from mlm_course.practice import answers, confusions
from mlm_course.practice.answers import EXACT_DECIMALS, MIN_DECIMALS, Answer, Verdict
from mlm_course.practice.confusions import Confusion, Pair
from mlm_helpers import catalogue
from mlm_helpers._core.inputs.options import read_int
from mlm_helpers.tables import Display, Sentence, Step, Table
from mlm_helpers.tables.numbers import Number
from mlm_helpers.worked import Solution
from mlm_helpers.worked.exercises import Exercise, exercise

MIN_GAP = 0.02  # numbers this far apart differ at two decimals, both rounded and truncated
_N_TRIALS = 8  # exercises on which a confusion may differ from the metric
_N_ATTEMPTS = 1000  # exercises tried for one seed
_N_CANDIDATES = 3  # unambiguous exercises from which the best is chosen


@dataclass(frozen=True, repr=False)
class Sheet(Display):
    """Data and the question for a metric's value on them; a notebook displays both.

    Attributes
    ----------
    metric : the metric asked for, with its options
    y_true : nested list of shape (n_samples, n_labels)
    y_pred, y_score : nested list of the same shape; None for the one that the metric does not read
    confusions : ways to a wrong number, the nearest first
    """

    metric: Callable[..., Any]
    y_true: list[list[int]]
    y_pred: list[list[int]] | None
    y_score: list[list[float]] | None
    confusions: tuple[Confusion, ...] = field(repr=False)
    _solution: Solution = field(repr=False)

    def check(self, answer: Any) -> Verdict:
        """The verdict on an answer; for a wrong answer it says which metric or mistake gives it.

        The exact value is right, and the value rounded or cut off at two or more decimals.

        Parameters
        ----------
        answer : a fraction, a decimal or a percentage: ``"19/30"``, ``"0.633"``, ``"63.3 %"``,
        0.633
        """
        number, value = answers.read_answer(answer), single_value(self._solution)
        if number is None:
            return Verdict(None, answers.no_number_message(answer))
        if number.is_percentage and value > 1:
            problem = "is a percentage, and the value is not a share"
            return Verdict(False, f"{number.text} {problem}: give a plain number.")
        if not number.is_right(value):
            return Verdict(False, self._feedback(number, value))
        kind = number.match_kind(value)
        if kind == "exactly":
            return Verdict(True, f"Right: {with_decimal(value)}.")
        kind = "cut off" if kind == "truncated" else kind
        return Verdict(True, f"Right: {number.text} is {with_decimal(value)}, {kind}.")

    def hint(self) -> Display:
        """The formula in words, and the counts or ranks before the division."""
        tables = [step for step in self._solution.steps if isinstance(step, Table)]
        formula = catalogue.record_of(self.metric).teaching.words
        words = filter(None, [formula, confusions.averaging(self.metric).in_words])
        steps = filter(None, map(_without_results, tables))
        return Display("", (Sentence(f"{'; '.join(words)}."), *steps))

    def solution(self) -> Solution:
        """The worked solution: every step to the value."""
        return self._solution

    @property
    def data(self) -> Pair:
        """The truth, and the predictions or scores, as arrays."""
        return np.array(self.y_true), np.array(self.y_pred or self.y_score)

    def _feedback(self, answer: Answer, value: Number) -> str:
        """What a wrong answer computes, or what it lacks."""
        text, decimals = answer.text, answer.decimals
        is_value_rounded = answer.match_kind(value) != ""
        if is_value_rounded and (decimals == MIN_DECIMALS - 1 or value > 1):
            remedy = f"{text} may be the value rounded: give two or more decimals."
            exact_answer = answer._replace(decimals=EXACT_DECIMALS)
            explained = confusions.explanation(exact_answer, self.confusions, self.data)
            return f"{remedy} As an exact value, {explained}" if explained else remedy
        if catalogue.record_of(self.metric).range == (0, 1):
            if answer.times_power_of_10(-2).is_right(value):
                return f"{text} is right as a percentage: write {text} %."
            if answer.times_power_of_10(2).is_right(value):
                return f"{text} is a hundredth of the value: leave out the percent sign."
        explained = confusions.explanation(answer, self.confusions, self.data)
        if explained:
            return explained
        if decimals == EXACT_DECIMALS and abs(answer.value - value) < 10**-MIN_DECIMALS:
            remedy = "give the exact fraction, or two or more decimals."
            return f"{text} is close, but a fraction must be exact: {remedy}"
        return f"{text} is not right, and no usual slip gives it: count again, or look at .hint()."


def sheet(
    metric: Callable[..., Any], *, seed: int, n_samples: int = 3, n_labels: int = 4, **options: Any
) -> Sheet:
    """An exercise on fresh data, on which no usual mistake gives the value of the metric.

    The data come from `worked.exercise`, so the value is neither the lowest nor the highest. Each
    usual mistake gives a number that differs from the value at two decimals. Scores are tied where
    ``ties`` is given, and only there.

    Parameters
    ----------
    metric : public metric function, or a ``functools.partial`` of one
    seed : int
        The same seed gives the same sheet on every machine.
    n_samples, n_labels : int, from 1 (2 for labels, and for samples of a curve metric) to 50
        The larger the data, the less a mistake changes: far above 10 × 10 there may be no such
        data.
    **options
        Options of the metric.

    Returns
    -------
    Sheet
        A notebook displays it; ``.check("19/30")`` judges an answer, ``.hint()`` and
        ``.solution()`` help.

    Raises
    ------
    TypeError, ValueError
        For what `worked.exercise` refuses, options that leave several values or fix the samples, or
        a size at which no such data are found.

    Examples
    --------
    >>> from mlm_helpers import example_based
    >>> practice_sheet = sheet(example_based.f1, seed=1)
    >>> practice_sheet.check("22/45").right
    True
    >>> practice_sheet.check("a half").right
    """
    if options:
        metric = functools.partial(metric, **options)
    small_data.check_one_value(metric)
    size = {"n_samples": n_samples, "n_labels": n_labels}
    trials = [_matrices(exercise(metric, seed=-1 - i, **size)) for i in range(_N_TRIALS)]
    alternatives = confusions.confusions(metric, trials)
    exercises = _unambiguous_exercises(metric, size, alternatives, read_int(seed, "seed"))
    candidates = list(islice(exercises, _N_CANDIDATES))
    if not candidates:
        raise ValueError(
            f"no data of {n_samples} samples and {n_labels} labels turned up on which every usual"
            f" mistake changes {catalogue.full_name(metric)}: ask for other numbers of them, about"
            " 3 and 4"
        )
    best = min(candidates, key=lambda candidate: _n_unnamed(alternatives, _matrices(candidate)))
    y_true, prediction, solution = best
    title, data = f"Compute {solution.title}", data_steps(solution)
    reads_sets = catalogue.record_of(metric).reads == "y_pred"
    y_pred, y_score = (prediction, None) if reads_sets else (None, prediction)
    return Sheet(title, data, metric, y_true, y_pred, y_score, alternatives, solution)


def data_steps(solution: Solution) -> tuple[Step, ...]:
    """The tables of a solution that show the data alone.

    That is the first table; or every table of ranks, without its ranks and in the order of the
    labels.
    """
    tables: list[Step] = []
    for step in solution.steps:
        if isinstance(step, Table) and step.header[0] == "rank":
            rows = sorted((row[1:] for row in step.rows), key=lambda row: int(str(row[0])))
            tables.append(Table(step.caption, step.header[1:], tuple(rows)))
    return tuple(tables) or solution.steps[:1]


def page_json(practice_sheet: Sheet) -> dict[str, Any]:
    """Title, hint, solution and all foreseen answers as JSON, for a page without a kernel.

    The answers are the value and the number of every confusion, exact and rounded, each with its
    verdict.

    Examples
    --------
    >>> from mlm_helpers import example_based
    >>> right, *others = page_json(sheet(example_based.f1, seed=1))["answers"]
    >>> right["says"], sum(answer["right"] for answer in others)
    ('Right: 22/45 ≈ 0.489.', 2)
    """
    solution, data = practice_sheet.solution(), practice_sheet.data
    value = single_value(solution)
    exact_values: dict[float, Number] = {round(float(value), 9): value}
    for confusion in practice_sheet.confusions:
        for number in (round(n, 9) for _, n in confusion.numbers(*data)):
            exact_values.setdefault(number, Fraction(number).limit_denominator(1000))
    by_text: dict[str, dict[str, Any]] = {}
    for number, exact in exact_values.items():
        exact_text = str(exact) if abs(float(exact) - number) < 1e-8 else f"{number:.6f}"
        for text in (exact_text, f"{number:.3f}", f"{number:.2f}"):
            verdict = practice_sheet.check(text)
            answer = {"written": text, "says": verdict.says, "right": verdict.right}
            by_text.setdefault(text, {"value": number, **answer})
    return {
        "answers": list(by_text.values()),
        "hint": practice_sheet.hint().to_html(),
        "solution": solution.to_html(),
        "title": practice_sheet.title,
    }


def single_value(solution: Solution) -> Number:
    """The value of a solution whose options leave one value."""
    value = solution.value
    assert not isinstance(value, tuple)  # `sheet` has called `check_one_value`
    return value


def _unambiguous_exercises(
    metric: Callable[..., Any], size: dict[str, int], alternatives: tuple[Confusion, ...], seed: int
) -> Iterator[Exercise]:
    """Exercises on which all usual confusions are further than `MIN_GAP` from the value.

    If a tie rule is bound to the metric, another rule must change the value as well.
    """
    usual = [confusion for confusion in alternatives if confusion.is_usual]
    rules = (
        catalogue.record_of(metric).tie_rules if "ties" in getattr(metric, "keywords", {}) else ()
    )
    for attempt in range(seed * _N_ATTEMPTS, (seed + 1) * _N_ATTEMPTS):
        candidate = exercise(metric, seed=attempt, **size)
        data = _matrices(candidate)
        value = float(metric(*data))
        near = (c for c in usual if any(abs(n - value) < MIN_GAP for _, n in c.numbers(*data)))
        if first := next(near, None):
            usual.remove(first)  # move to the front, as it is likely to be near again
            usual.insert(0, first)
        elif not rules or any(abs(metric(*data, ties=rule) - value) >= MIN_GAP for rule in rules):
            yield candidate


def _matrices(candidate: Exercise) -> Pair:
    return np.array(candidate.y_true), np.array(candidate.y_pred_or_score)


def _n_unnamed(alternatives: tuple[Confusion, ...], data: Pair) -> int:
    """How many confusions no verdict would name, since too many others give the same number."""
    times: Counter[float] = Counter()
    for confusion in alternatives:
        times.update({round(number, 9) for _, number in confusion.numbers(*data)})
    return sum(max(0, count - confusions.MAX_EXPLANATIONS) for count in times.values())


def _without_results(table: Table) -> Table | None:
    """A table without its computed columns, which hold numbers; None if only the data are left."""
    columns = zip(table.header, *table.rows, strict=True)
    texts = [c for c in columns if c[0] != "value" and all(isinstance(cell, str) for cell in c)]
    header, *rows = zip(*texts, strict=True)
    if len(header) == 1 or header[1] in ("true labels", "relevant labels"):
        return None
    return Table(table.caption, header, tuple(rows))
