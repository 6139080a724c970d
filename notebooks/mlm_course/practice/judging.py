"""A learner's own function against every small world."""

import linecache
import math
import numbers
import traceback
from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from mlm_course.practice import limit, words
from mlm_course.practice.answers import Verdict
from mlm_course.practice.confusions import Confusion, Pair, confusions
from mlm_course.practice.trials import World, worlds
from mlm_helpers import catalogue, worked
from mlm_helpers._core import inputs
from mlm_helpers.board import Board, Sentence
from mlm_helpers.board.numbers import decimal, with_decimal

NEAR = 1e-9  # what rounding can make of a value
SECONDS, TOGETHER = 4.0, 60.0  # for one call, and for all: enough on a busy machine, too
_COMPARED = 100  # wrong worlds, and as many of all, on which what a function computes is sought
_TOLD = 200  # characters of what an exception says
NOTHING = "returns nothing, so its last line may lack a return"
_TRIALS = 30  # of these, on which ways to a number are told apart


class Outcome(NamedTuple):
    """The number that a call returned, or what it did instead."""

    number: float | None
    failed: str = ""
    off: float = NEAR  # what rounding can make of the number


class Trial(NamedTuple):
    """The outcomes of all calls, and the places of those that are wrong."""

    outcomes: list[Outcome]
    failures: list[int]
    too_slow: bool


def judge(metric: Callable[..., Any], function: Callable[[Any, Any], Any]) -> Verdict:
    """Try a function on all small data, and show the smallest on which it is wrong.

    It is called with the truth and the predictions (or scores) as NumPy arrays, which can be read row
    by row too; if it is wrong with these, with nested lists. It may return any real number, a
    Fraction too. What 0/0 is worth is the metric's default, unless the metric has another one bound.

    Parameters
    ----------
    metric : public metric function, or a ``functools.partial`` of one
    function : callable
        Takes ``(y_true, y_pred)``, or ``(y_true, y_score)`` where the metric reads scores.

    Returns
    -------
    Verdict
        ``right`` is True or False, or None if it is right but too slow to try all. Where it is wrong,
        the worked solution stands beside. An exception and an endless loop are told;
        what the function prints shows at every call. A loop inside C, such as
        ``sum(itertools.count())``, cannot be stopped: restart the kernel.

    Raises
    ------
    TypeError, ValueError
        If ``function`` is none, or the metric is none of the catalogue, or leaves several values.

    Examples
    --------
    >>> from mlm_helpers import exact_match
    >>> def my_accuracy(y_true, y_pred):
    ...     return sum(list(t) == list(p) for t, p in zip(y_true, y_pred)) / len(y_true)
    >>> judge(exact_match.subset_accuracy, my_accuracy).right
    True
    """
    catalogue.check_one_value(metric, any_samples=True)
    if not callable(function):
        raise TypeError(
            f"function is {inputs.shown(function)}: pass the function itself, not its value"
        )
    every = list(worlds(metric))
    if not every:
        raise ValueError(
            f"k is {catalogue.settings(metric)['k']}, more labels than small data have: bind 5 or less"
        )
    return judged(metric, function, every)


def judged(
    metric: Callable[..., Any], function: Callable[[Any, Any], Any], every: Sequence[World]
) -> Verdict:
    """Try a function on these worlds, the smallest first."""
    name = str(getattr(function, "__name__", "")).strip("<>") or "the function"
    trial = _tried(function, every, np.array)
    if trial.failures and not trial.too_slow:
        first = trial.failures[0]
        if not _tried(function, every[: first + 1], lists).failures:  # it wants lists
            trial = _tried(function, every, lists)
    if all(outcome.failed == NOTHING for outcome in trial.outcomes):
        return Verdict(False, f"{name} returns nothing yet: write its lines, and end with return.")
    if trial.failures:
        return Verdict(False, *_wrong(metric, name, every, trial))
    if trial.too_slow:
        number = f"the smallest {len(trial.outcomes):,} of {len(every):,} data"
        return Verdict(None, f"{name} is right on {number}, and too slow to try the others.")
    return Verdict(True, f"{name} is right on all {len(every):,} small data that were tried.")


# ---------------------------------------------------------------------------- calling it


def lists(rows: tuple[Any, ...]) -> list[list[Any]]:
    """A matrix as nested lists."""
    return [list(row) for row in rows]


def _tried(
    function: Callable[..., Any], every: Sequence[World], make: Callable[[Any], Any]
) -> Trial:
    """Call a function on each world, up to a call that does not end."""
    outcomes, over = limit.results(
        lambda world: _called(function, world, make), every, SECONDS, TOGETHER
    )
    if over == "call":
        outcomes.append(Outcome(None, f"has not come to an end after {SECONDS:g} seconds"))
    pairs = enumerate(zip(every, outcomes, strict=False))
    failures = [i for i, (world, one) in pairs if not _is_near(world.value, one)]
    return Trial(outcomes, failures, len(outcomes) < len(every))


def _called(function: Callable[..., Any], world: World, make: Callable[[Any], Any]) -> Outcome:
    try:
        return _read(function(make(world.y_true), make(world.y_other)))
    except limit.Stopped:
        raise
    except BaseException as error:  # SystemExit, too
        return Outcome(None, f"raises {type(error).__name__}{_where(error, function)}")


def _read(number: Any) -> Outcome:
    """The returned number as a float; one of lower precision may be off by its rounding."""
    if number is None:
        return Outcome(None, NOTHING)
    if isinstance(number, np.ndarray) and number.ndim == 0:
        number = number[()]
    if not isinstance(number, numbers.Real | Decimal | np.bool_):
        returned = f"{inputs.shown(number)}, of type {type(number).__name__}"
        return Outcome(None, f"returns {returned}: return a number")
    if isinstance(number, np.float16 | np.float32):
        return Outcome(float(number), off=4 * float(np.finfo(number.dtype).eps))
    return Outcome(float(number))


def _where(error: BaseException, function: Any) -> str:
    """The message of an exception, and the last line of the function's file that it went through."""
    text = str(error)
    said = f": {' '.join(text[:_TOLD].split())}{'…' * (len(text) > _TOLD)}" if text else ""
    file = getattr(getattr(function, "__code__", None), "co_filename", None)
    lines = [n for f, n in traceback.walk_tb(error.__traceback__) if f.f_code.co_filename == file]
    source = linecache.getline(file, lines[-1]).strip() if file and lines else ""
    return f"{said}, in the line {source}" if source else said


def _is_near(value: float, outcome: Outcome) -> bool:
    """Whether rounding can make one of the other; nan is nan."""
    if outcome.number is None:
        return False
    if math.isnan(value):
        return math.isnan(outcome.number)
    return abs(outcome.number - value) <= outcome.off * max(1, abs(value))


# ---------------------------------------------------------------------------- what is told


def _wrong(
    metric: Callable[..., Any], name: str, every: Sequence[World], trial: Trial
) -> tuple[str, Board]:
    """The smallest data on which it fails, and what it computes there and elsewhere."""
    first = trial.failures[0]
    world, outcome = every[first], trial.outcomes[first]
    solution = worked.solve(metric, world.y_true, world.y_other)
    asked = catalogue.describe(metric)
    if outcome.number is None:
        said = f"{name} {outcome.failed}. {asked} is {_shown(world.value)} there."
    else:
        number = _shown(outcome.number, beside=world.value)
        said = f"{name} gives {number} where {asked} is {_shown(world.value)}."
        said = f"{said} {_computed(metric, every, trial)}".strip()
    if not trial.too_slow and not any(every[i].has_value for i in trial.failures):
        said += f" It is wrong only where something is 0/0; for {asked}, {_rule(metric)}."
    steps = (Sentence(solution.title), *solution.steps)
    return said, Board("The smallest data on which it goes wrong:", steps)


def _rule(metric: Callable[..., Any]) -> str:
    settings = catalogue.settings(metric)
    option = next(o for o in ("zero_division", "undefined") if o in settings)
    return words.convention(option, settings[option])


def _computed(metric: Callable[..., Any], every: Sequence[World], trial: Trial) -> str:
    """What it computes on all data, if it is one thing; "" if it is none that is known."""
    numbers_of = {i: o for i, o in enumerate(trial.outcomes) if o.number is not None}
    wrong = [i for i in trial.failures if i in numbers_of]
    real = [i for i in wrong if every[i].has_value]
    among = [i for i in numbers_of if every[i].has_value or not real]
    chosen = [*_spread(real or wrong), *_spread(among)]
    pairs: dict[int, Pair] = {
        i: (np.array(every[i].y_true), np.array(every[i].y_other)) for i in chosen
    }
    for one in confusions(metric, [pairs[i] for i in chosen[:: len(chosen) // _TRIALS + 1]]):
        if all(_explains(one, pairs[i], numbers_of[i]) for i in chosen):
            if one.instead:
                return f"It computes {one.instead}."
            return f"That is what comes out if {one.says}."
    return ""


def _spread(places: Sequence[int]) -> Sequence[int]:
    """Some of many, the first among them."""
    return places[:: len(places) // _COMPARED + 1]


def _explains(one: Confusion, data: Pair, outcome: Outcome) -> bool:
    """Whether a confusion gives a number, if it gives any."""
    found = one.numbers(*data)
    return not found or any(_is_near(value, outcome) for _, value in found)


def _shown(value: float, beside: float = math.nan) -> str:
    """As a fraction, if it is one of small numbers; with all digits where six are those of the other."""
    if not math.isfinite(value):
        return str(value)
    fraction = Fraction(value).limit_denominator(1000)
    if abs(fraction - value) < NEAR:
        return with_decimal(fraction)
    return repr(value) if abs(value - beside) < 1e-5 else decimal(value, 6)
