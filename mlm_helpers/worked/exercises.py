"""Exercises: random data on which to compute a metric by hand, with the solution."""

import random
from collections.abc import Callable
from typing import Any, NamedTuple

from mlm_helpers import catalogue
from mlm_helpers._core.inputs.options import read_int
from mlm_helpers.catalogue.arguments import resolve_options
from mlm_helpers.worked.problem import MAX_SIZE
from mlm_helpers.worked.solution import Solution, solve


class Exercise(NamedTuple):
    """Random data, n_samples lists of n_labels cells, and the solution."""

    y_true: list[list[int]]
    y_pred_or_score: list[list[Any]]
    solution: Solution


def exercise(metric: Callable[..., Any], *, seed: int, n_samples: int, n_labels: int) -> Exercise:
    """An exercise: random data on which a metric is not trivial, and the solution.

    Every sample has at least one relevant and one irrelevant label, the value (or one of several)
    is neither the lowest nor the highest possible, and scores are tied only if ``ties`` is bound.
    For a metric that reads the scores of each label, every label has a positive and a negative
    sample.

    Parameters
    ----------
    metric : public metric function, or a ``functools.partial`` of one
    seed : int
        The same seed gives the same data on every machine.
    n_samples, n_labels : int, at most 50
        At least 2 labels and 1 sample, or 2 for a metric that reads the scores of each label.

    Raises
    ------
    TypeError, ValueError
        If a size is not a whole number in its bounds, or if 200 random data sets are all trivial.

    Examples
    --------
    >>> from mlm_helpers import hamming
    >>> sheet = exercise(hamming.hamming_loss, seed=1, n_samples=2, n_labels=3)
    >>> 0 < sheet.solution.value < 1
    True
    """
    record = catalogue.record_of(metric)
    by_column = record.reads != "y_pred" and record.unit == "label"  # reads each label's scores
    n_samples = read_int(n_samples, "n_samples", 2 if by_column else 1, MAX_SIZE)
    n_labels = read_int(n_labels, "n_labels", 2, MAX_SIZE)
    # all draws are by rng.random(), whose numbers are the same in every version of Python
    rng = random.Random(read_int(seed, "seed"))
    lowest, highest = record.bounds(n_labels, resolve_options(metric))
    # each list that the metric reads is mixed: a sample's labels, or by column a label's samples
    n_lists, length = (n_labels, n_samples) if by_column else (n_samples, n_labels)
    score_row = _tied_scores if "ties" in getattr(metric, "keywords", {}) else _different_scores
    prediction_row: Any = _binary_row if record.reads == "y_pred" else score_row
    for _ in range(200):
        y_true = [_binary_row(rng, length, is_mixed=True) for _ in range(n_lists)]
        y_pred = [prediction_row(rng, length) for _ in range(n_lists)]
        if by_column:  # transpose: the lists are columns
            y_true, y_pred = (list(map(list, zip(*m, strict=True))) for m in (y_true, y_pred))
        solution = solve(metric, y_true, y_pred)
        values = solution.value if isinstance(solution.value, tuple) else (solution.value,)
        if any(lowest < value < highest for value in values):
            return Exercise(y_true, y_pred, solution)
    raise ValueError(
        f"{record.id} is trivial on {n_samples} × {n_labels} cells: use more samples or labels"
    )


def _binary_row(rng: random.Random, length: int, is_mixed: bool = False) -> list[int]:
    """A random row of 0 and 1; a mixed row has at least one of each."""
    row = [int(rng.random() < 0.5) for _ in range(length)]
    if is_mixed and len(set(row)) == 1:
        position = int(rng.random() * length)
        row[position] = 1 - row[position]
    return row


def _different_scores(rng: random.Random, length: int) -> list[float]:
    """A random row of different scores of two decimals between 0 and 1."""
    scores: dict[float, None] = {}  # a set would not keep their order
    while len(scores) < length:
        scores[int(1 + rng.random() * 99) / 100] = None
    return list(scores)


def _tied_scores(rng: random.Random, length: int) -> list[float]:
    """A random row of scores of two decimals, some tied: there are fewer levels than scores."""
    n_levels = (length + 1) // 2  # each a multiple of the step, which is in hundredths
    step = 100 // (n_levels + 1)
    return [step * (1 + int(rng.random() * n_levels)) / 100 for _ in range(length)]
