"""A learner's own function against every small world."""

import linecache
import math
import numbers
import traceback
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mlm_course import small_data
from mlm_course.numbers import with_decimal
from mlm_course.practice.answers import Verdict
from mlm_course.practice.confusions import Confusion, confusions, convention_in_words
from mlm_helpers import catalogue, worked
from mlm_helpers._core import inputs
from mlm_helpers.tables import Display, Sentence
from mlm_helpers.tables.numbers import decimal

TOLERANCE = 1e-6  # what rounding can make of a value, that of a float32 too
_EXACT = 1e-9  # a float that is as near to a fraction is that fraction
_COMPARED = 100  # wrong worlds, and as many of all, on which what a function computes is sought
_TOLD = 200  # characters of what an exception says
NOTHING = "returns nothing, so its last line may lack a return"
_TRIALS = 30  # of these, on which ways to a number are told apart

SIZES = ((1, 1), (1, 2), (2, 1), (1, 3), (3, 1), (1, 4), (2, 2), (4, 1), (2, 3), (3, 2))
"""Samples and labels: fewest cells, then fewest samples."""
_MOST = 20_000  # worlds of one size; a size of more is left out
_MOST_ALONE = 2_000  # of a metric that is asked world by world


class Case(NamedTuple):
    """Data, and what a metric is there.

    Attributes
    ----------
    y_true, y_pred : arrays of shape (n_samples, n_labels)
    value : float
    is_defined : whether each sample, or label, has a value of its own: nothing is 0/0
    """

    y_true: NDArray[Any]
    y_pred: NDArray[Any]
    value: float
    is_defined: bool


class Outcome(NamedTuple):
    """The number that a call returned, or what it did instead."""

    number: float | None
    failure: str = ""


Tried = tuple[Case, Outcome]


def judge(metric: Callable[..., Any], function: Callable[[Any, Any], Any]) -> Verdict:
    """Try a function on all small data, and show the smallest on which it is wrong.

    It is called with the truth and the predictions (or scores) as NumPy arrays, which can be read row
    by row too. It may return any real number, a Fraction too. What 0/0 is worth is the metric's
    default, unless the metric has another one bound.

    Parameters
    ----------
    metric : public metric function, or a ``functools.partial`` of one
    function : callable
        Takes ``(y_true, y_pred)``, or ``(y_true, y_score)`` where the metric reads scores.

    Returns
    -------
    Verdict
        ``right`` is True or False. Where it is wrong, the worked solution stands beside. An exception
        is told; what the function prints shows at every call. Press the stop button (Ctrl+C in a
        terminal) where it never ends; a loop inside C ends with the kernel alone: restart that.

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
    small_data.check_one_value(metric)
    if not callable(function):
        raise TypeError(
            f"function is {inputs.short_repr(function)}: pass the function itself, not its value"
        )
    every = list(small_cases(metric))
    if not every:
        raise ValueError(
            f"k is {catalogue.resolve_options(metric)['k']}, more labels than small data have: bind 5 or less"
        )
    return verdict_on(metric, function, every)


def verdict_on(
    metric: Callable[..., Any], function: Callable[[Any, Any], Any], every: Sequence[Case]
) -> Verdict:
    """Try a function on these worlds, the smallest first."""
    name = str(getattr(function, "__name__", "")).strip("<>") or "the function"
    pairs = [(world, _called(function, world)) for world in every]
    if all(outcome.failure == NOTHING for _, outcome in pairs):
        return Verdict(False, f"{name} returns nothing yet: write its lines, and end with return.")
    wrong = [(world, outcome) for world, outcome in pairs if not _is_near(world.value, outcome)]
    if not wrong:
        return Verdict(True, f"{name} is right on all {len(every):,} small data that were tried.")
    (world, outcome), *_ = wrong
    asked, value = catalogue.full_name(metric), _shown(world.value)
    if outcome.number is None:
        said = f"{name} {outcome.failure}. {asked} is {value} there."
    else:
        said = f"{name} gives {_shown(outcome.number)} where {asked} is {value}."
        said = f"{said} {_computed(metric, pairs, wrong)}".strip()
    if not any(world.is_defined for world, _ in wrong):
        said += f" It is wrong only where something is 0/0; for {asked}, {_rule(metric)}."
    solution = worked.solve(metric, world.y_true, world.y_pred)
    steps = (Sentence(solution.title), *solution.steps)
    return Verdict(False, said, Display("The smallest data on which it goes wrong:", steps))


# ---------------------------------------------------------------------------- on what it is tried, and how


def small_cases(metric: Callable[..., Any]) -> Iterator[Case]:
    """Every world of a small size that the metric takes; of one row of five, if it takes none smaller."""
    record = catalogue.record_of(metric)
    rules = {"zero_division", "undefined"} & {*record.defaults}
    most = _MOST_ALONE if record.unit == "all" else _MOST
    strict = partial(metric, **dict.fromkeys(rules, math.nan))
    taken = [size for size in SIZES if small_data.accepts_size(metric, *size)]
    for size in taken or [size for size in ((1, 5),) if small_data.accepts_size(metric, *size)]:
        others = small_data.all_predictions(*size, small_data.comparison_scopes((metric,)))
        if 2 ** math.prod(size) * len(others) > most:
            continue
        for truths, _, (values,) in small_data.batches_of_size((metric,), *size):
            y_true, y_pred = small_data.cross_product(truths, others)
            own, _ = small_data.unit_values(strict, y_true, y_pred)
            each = zip(y_true, y_pred, values.flat, np.isnan(own), strict=True)
            for truth, other, value, undefined in each:
                yield Case(truth, other, float(value), not undefined.any())


def _called(function: Callable[..., Any], world: Case) -> Outcome:
    try:
        return _read(function(world.y_true.copy(), world.y_pred.copy()))
    except (Exception, SystemExit) as error:
        return Outcome(None, f"raises {type(error).__name__}{_where(error, function)}")


def _read(number: Any) -> Outcome:
    """The returned number as a float."""
    if number is None:
        return Outcome(None, NOTHING)
    if isinstance(number, np.ndarray) and number.ndim == 0:
        number = number[()]
    if not isinstance(number, numbers.Real | Decimal | np.bool_):
        returned = f"{inputs.short_repr(number)}, of type {type(number).__name__}"
        return Outcome(None, f"returns {returned}: return a number")
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
    return abs(outcome.number - value) <= TOLERANCE * max(1, abs(value))


# ---------------------------------------------------------------------------- what is told


def _rule(metric: Callable[..., Any]) -> str:
    settings = catalogue.resolve_options(metric)
    option = next(o for o in ("zero_division", "undefined") if o in settings)
    return convention_in_words(option, settings[option])


def _computed(metric: Callable[..., Any], pairs: Sequence[Tried], wrong: Sequence[Tried]) -> str:
    """What it computes on all data, if it is one thing; "" if it is none that is known."""
    wrong = [(world, outcome) for world, outcome in wrong if outcome.number is not None]
    real = [(world, outcome) for world, outcome in wrong if world.is_defined]
    among = [(w, o) for w, o in pairs if o.number is not None and (w.is_defined or not real)]
    chosen = [*_spread(real or wrong), *_spread(among)]
    trials = [(world.y_true, world.y_pred) for world, _ in chosen[:: len(chosen) // _TRIALS + 1]]
    for one in confusions(metric, trials):
        if all(_explains(one, *tried) for tried in chosen):
            start = "It computes" if one.comparison else "That is what comes out if"
            return f"{start} {one.comparison or one.description}."
    return ""


def _spread(tried: Sequence[Tried]) -> Sequence[Tried]:
    """Some of many, the first among them."""
    return tried[:: len(tried) // _COMPARED + 1]


def _explains(one: Confusion, world: Case, outcome: Outcome) -> bool:
    """Whether a confusion gives a number, if it gives any."""
    found = one.numbers(world.y_true, world.y_pred)
    return not found or any(_is_near(value, outcome) for _, value in found)


def _shown(value: float) -> str:
    """As a fraction, if it is one of small numbers."""
    if not math.isfinite(value):
        return str(value)
    fraction = Fraction(value).limit_denominator(1000)
    return with_decimal(fraction) if abs(fraction - value) < _EXACT else decimal(value, 6)
