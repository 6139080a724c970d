"""Time, memory and growth: what is measured, and how.

Every call gets arrays of its own, so that none finds in the cache, or in an object, what an earlier
call left there. The tools take turns, so that a busy moment of the machine falls on all of them.
"""

from __future__ import annotations

import math
import tracemalloc
import warnings
from collections.abc import Callable, Mapping, Sequence
from time import perf_counter
from typing import Any, NamedTuple, TypeAlias

import numpy as np

Arrays: TypeAlias = tuple[Any, Any]
"""Truth, and label sets or scores."""


def as_they_are(y_true: Any, y_other: Any) -> Arrays:
    """Give a tool the arrays unchanged."""
    return y_true, y_other


class Tool(NamedTuple):
    """One tool's way to a number.

    Attributes
    ----------
    function : callable
        Takes truth and prediction, returns a number; this is timed.
    prepare : callable
        Turns NumPy arrays into what the tool reads; this is not timed.
    tolerance : float
        By how much, relatively, its number may differ from the first tool's.
    """

    function: Callable[[Any, Any], Any]
    prepare: Callable[[Any, Any], Arrays] = as_they_are
    tolerance: float = 1e-6


class Result(NamedTuple):
    """The shortest time of a tool in seconds, and its number."""

    seconds: float
    value: float


def race(
    tools: Mapping[str, Tool],
    fresh: Callable[[], Arrays],
    *,
    repetitions: int = 3,
    patience: float = math.inf,
) -> dict[str, Result]:
    """Let tools take turns, each time on fresh arrays, and keep the shortest time of each.

    Parameters
    ----------
    tools : mapping of name to tool
    fresh : makes new arrays at each call
    repetitions : how often each tool runs
    patience : a tool that has run for more seconds than this does not run again
    """
    times: dict[str, list[float]] = {name: [] for name in tools}
    values: dict[str, float] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scikit-learn's, of 0/0
        for _ in range(repetitions):
            for name, tool in tools.items():
                if sum(times[name]) <= patience:
                    seconds, values[name] = _once(tool, fresh)
                    times[name].append(seconds)
    return {name: Result(min(times[name]), values[name]) for name in tools}


def _once(tool: Tool, fresh: Callable[[], Arrays]) -> Result:
    arrays = tool.prepare(*fresh())
    start = perf_counter()
    value = tool.function(*arrays)
    seconds = perf_counter() - start
    return Result(seconds, float(value))


def check_equal(metric: str, tools: Mapping[str, Tool], results: Mapping[str, Result]) -> None:
    """Refuse times of tools that do not give the first tool's number."""
    (ours, (_, value)), *others = results.items()
    for name, (_, other) in others:
        tolerance = tools[name].tolerance
        if not math.isclose(value, other, rel_tol=tolerance, abs_tol=tolerance):
            raise ValueError(
                f"{metric} is {value!r} for {ours} and {other!r} for {name}:"
                " times of unequal numbers say nothing"
            )


def read_once(y_true: Any, y_other: Any) -> float:
    """Sum two matrices; of a sparse one, all that it stores."""
    return float(sum(part.sum() for matrix in (y_true, y_other) for part in _stored(matrix)))


def sort_scores(y_true: Any, y_score: Any) -> float:
    """Sort all scores as one list, which is what no curve of them gets around."""
    return float(np.sort(y_score, axis=None)[0])


def _stored(matrix: Any) -> list[Any]:
    if isinstance(matrix, np.ndarray):
        return [matrix]
    return [matrix.data, matrix.indices, matrix.indptr]


def extra_memory(function: Callable[..., Any], *arrays: Any) -> int:
    """Bytes that a call holds at its peak beyond what was held before it."""
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        tracemalloc.reset_peak()
        function(*arrays)
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()


def exponent(sizes: Sequence[float], times: Sequence[float | None]) -> float | None:
    """Fit time = constant · size ** exponent by least squares on logarithms; None from one point."""
    points = [(size, time) for size, time in zip(sizes, times, strict=True) if time is not None]
    if len(points) < 2:
        return None
    x, y = np.log(points).T
    return float(np.polyfit(x, y, 1)[0])


def rounded(value: float | None, digits: int = 3) -> float | None:
    """Keep a few significant digits, which is all that a time has."""
    if value is None:
        return None
    short = float(f"{value:.{digits}g}")
    return int(short) if short.is_integer() else short
