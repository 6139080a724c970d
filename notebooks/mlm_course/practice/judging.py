"""A learner's own function, judged on all small data sets."""

import linecache
import math
import numbers
import traceback
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import partial
from textwrap import shorten
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mlm_course import small_data
from mlm_course.numbers import with_decimal
from mlm_course.practice.answers import Verdict
from mlm_course.practice.confusions import Confusion, confusions, convention_in_words
from mlm_helpers import catalogue, worked
from mlm_helpers._core.inputs.refuse import short_repr
from mlm_helpers.catalogue.arguments import resolve_options
from mlm_helpers.tables import Display, Sentence
from mlm_helpers.tables.numbers import decimal

TOLERANCE = 1e-6  # relative error by rounding, in single precision too
_FRACTION_TOLERANCE = 1e-9  # a float so near to a simple fraction is shown as that fraction
NOTHING = "returns nothing, so its last line may lack a return"
SIZES = ((1, 1), (1, 2), (2, 1), (1, 3), (3, 1), (1, 4), (2, 2), (4, 1), (2, 3), (3, 2))
"""Samples and labels: fewest cells first, then fewest samples."""
_MAX_CASES = 20_000  # sizes with more data sets are skipped
_MAX_SLOW_CASES = 2_000  # the same for metrics of the whole data set, computed case by case
_MAX_MESSAGE = 200  # characters of an exception's message
_MAX_COMPARED = 100  # wrong results, and results, with which confusions are compared
_MAX_TRIALS = 30  # data sets on which confusions must differ from each other


class Case(NamedTuple):
    """A small data set with the metric's value on it.

    Attributes
    ----------
    y_true, y_pred : arrays of shape (n_samples, n_labels)
    value : float
    is_defined : whether the metric is defined for each sample, or label: nothing is 0/0
    """

    y_true: NDArray[Any]
    y_pred: NDArray[Any]
    value: float
    is_defined: bool


class Result(NamedTuple):
    """The number that a learner's function returned on a case, or how it failed there."""

    case: Case
    number: float | None
    failure: str = ""

    @property
    def is_right(self) -> bool:
        """Whether the number is the metric's value, up to rounding."""
        return self.is_near(self.case.value)

    def is_near(self, value: float) -> bool:
        """Whether the number is a value, up to rounding; nan equals nan."""
        if self.number is None:
            return False
        if math.isnan(value):
            return math.isnan(self.number)
        return abs(self.number - value) <= TOLERANCE * max(1, abs(value))


def judge(metric: Callable[..., Any], function: Callable[[Any, Any], Any]) -> Verdict:
    """The verdict on a function, tried on all small data, with the smallest on which it is wrong.

    The function gets the truth and the predictions (or scores) as NumPy arrays, which can be read
    row by row too. It may return any real number, a Fraction too. Where something is 0/0, the
    convention that is bound to the metric holds, or else its default.

    Parameters
    ----------
    metric : public metric function, or a ``functools.partial`` of one
    function : callable
        Takes ``(y_true, y_pred)``, or ``(y_true, y_score)`` where the metric reads scores.

    Returns
    -------
    Verdict
        ``right`` is True or False. A wrong function's verdict has the worked solution as its
        ``counterexample``. An exception is reported in ``says``; what the function prints appears
        at every call. If the function never ends, press the stop button (Ctrl+C in a terminal), or
        restart the kernel if a loop inside C ignores that.

    Raises
    ------
    TypeError, ValueError
        If ``function`` is not callable, the metric is not in the catalogue, or its options leave
        several values.

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
        text = short_repr(function)
        raise TypeError(f"function is {text}: pass the function itself, not its value")
    cases = list(small_cases(metric))
    if not cases:
        k = resolve_options(metric)["k"]
        raise ValueError(f"k is {k}, more labels than small data have: bind 5 or less")
    return verdict_on(metric, function, cases)


def verdict_on(
    metric: Callable[..., Any], function: Callable[[Any, Any], Any], cases: Sequence[Case]
) -> Verdict:
    """The verdict on a function, tried on these cases, the smallest first."""
    name = str(getattr(function, "__name__", "")).strip("<>") or "the function"
    results = [_result(function, case) for case in cases]
    if all(result.failure == NOTHING for result in results):
        return Verdict(False, f"{name} returns nothing yet: write its lines, and end with return.")
    wrong = [result for result in results if not result.is_right]
    if not wrong:
        return Verdict(True, f"{name} is right on all {len(cases):,} small data that were tried.")
    case, number, failure = wrong[0]
    metric_name, value = catalogue.full_name(metric), _number_text(case.value)
    if number is None:
        text = f"{name} {failure}. {metric_name} is {value} there."
    else:
        text = f"{name} gives {_number_text(number)} where {metric_name} is {value}."
        text = f"{text} {_diagnosis(metric, results)}".strip()
    if not any(result.case.is_defined for result in wrong):
        options = resolve_options(metric)
        option = "zero_division" if "zero_division" in options else "undefined"
        convention = convention_in_words(option, options[option])
        text += f" It is wrong only where something is 0/0; for {metric_name}, {convention}."
    solution = worked.solve(metric, case.y_true, case.y_pred)
    steps = (Sentence(solution.title), *solution.steps)
    return Verdict(False, text, Display("The smallest data on which it goes wrong:", steps))


# ---------------------------------------------------------------------------- cases and results


def small_cases(metric: Callable[..., Any]) -> Iterator[Case]:
    """All data sets of the `SIZES` that the metric accepts, the smallest first.

    A metric that accepts none of them, such as precision at 5, gets those of one sample and 5
    labels.
    """
    record = catalogue.record_of(metric)
    nan_where_undefined = partial(metric, **record.nan_if_undefined)
    max_cases = _MAX_SLOW_CASES if record.unit == "all" else _MAX_CASES
    sizes = [size for size in SIZES if small_data.accepts_size(metric, *size)]
    if not sizes and small_data.accepts_size(metric, 1, 5):
        sizes = [(1, 5)]
    for size in sizes:
        predictions = small_data.all_predictions(*size, small_data.comparison_scopes((metric,)))
        if 2 ** math.prod(size) * len(predictions) > max_cases:
            continue
        for truths, _, (values,) in small_data.batches_of_size((metric,), *size):
            y_true, y_pred = small_data.cross_product(truths, predictions)
            unit_values, _ = small_data.unit_values(nan_where_undefined, y_true, y_pred)
            is_defined = np.logical_not(np.isnan(unit_values).any(axis=1))
            yield from map(Case, y_true, y_pred, values.ravel().tolist(), is_defined.tolist())


def _result(function: Callable[..., Any], case: Case) -> Result:
    """What a function returns or raises on a case; it gets copies, which it may change."""
    try:
        number, failure = _number_or_failure(function(case.y_true.copy(), case.y_pred.copy()))
    except (Exception, SystemExit) as error:
        number, failure = None, f"raises {_error_text(error, function)}"
    return Result(case, number, failure)


def _number_or_failure(returned: Any) -> tuple[float | None, str]:
    """A returned number as a float, and ""; for anything else None, and what is wrong with it."""
    if returned is None:
        return None, NOTHING
    if isinstance(returned, np.ndarray) and returned.ndim == 0:
        returned = returned[()]
    if not isinstance(returned, numbers.Real | Decimal | np.bool_):
        description = f"{short_repr(returned)}, of type {type(returned).__name__}"
        return None, f"returns {description}: return a number"
    return float(returned), ""


def _error_text(error: BaseException, function: Any) -> str:
    """Type and message of an exception, and the last line of the function's file that it passed."""
    message = shorten(str(error)[:9999], _MAX_MESSAGE, placeholder="…")  # it may be endless
    text = f"{type(error).__name__}: {message}" if message else type(error).__name__
    file = getattr(getattr(function, "__code__", None), "co_filename", None)
    passed = traceback.walk_tb(error.__traceback__)
    lines = [line for frame, line in passed if frame.f_code.co_filename == file]
    source = linecache.getline(file, lines[-1]).strip() if file and lines else ""
    return f"{text}, in the line {source}" if source else text


# -------------------------------------------------------------------------- what is wrong, in words


def _diagnosis(metric: Callable[..., Any], results: Sequence[Result]) -> str:
    """What a wrong function computes: the confusion that explains all its numbers, or "".

    Data with 0/0 count only if the function is right on all others: the convention for 0/0 is
    another mistake.
    """
    results = [result for result in results if result.number is not None]
    if any(result.case.is_defined and not result.is_right for result in results):
        results = [result for result in results if result.case.is_defined]
    wrong = [result for result in results if not result.is_right]
    compared = [*_thinned(wrong, _MAX_COMPARED), *_thinned(results, _MAX_COMPARED)]
    trials = [(case.y_true, case.y_pred) for case, *_ in _thinned(compared, _MAX_TRIALS)]
    for confusion in confusions(metric, trials):
        if all(_explains(confusion, result) for result in compared):
            if confusion.comparison:
                return f"It computes {confusion.comparison}."
            return f"That is what comes out if {confusion.description}."
    return ""


def _thinned(results: Sequence[Result], size: int) -> Sequence[Result]:
    """Every n-th result, so that there are at most `size`, the first among them."""
    return results[:: len(results) // size + 1]


def _explains(confusion: Confusion, result: Result) -> bool:
    """Whether a confusion gives the function's number; also if it has no number on that case."""
    values = confusion.numbers(result.case.y_true, result.case.y_pred)
    return not values or any(result.is_near(value) for _, value in values)


def _number_text(value: float) -> str:
    """A number as a fraction with its decimal, if it is one with a denominator up to 1000."""
    if not math.isfinite(value):
        return str(value)
    fraction = Fraction(value).limit_denominator(1000)
    is_fraction = abs(fraction - value) < _FRACTION_TOLERANCE
    return with_decimal(fraction) if is_fraction else decimal(value, 6)
