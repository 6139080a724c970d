"""What is at most what: the inequalities of the course, and others that one would believe.

Each is a claim about the values of some metrics on any data. A true one has a reason; of a false one
the smallest data on which it fails are found by looking at all of them, as in `disagreement`.
"""

import functools
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from mlm_helpers import catalogue, example_based, ranking, top_k, worlds
from mlm_helpers.board import Board, Sentence, Table
from mlm_helpers.worlds import SMALLEST, Metric

Sides = Callable[..., tuple[Any, Any]]


@dataclass(frozen=True, eq=False)
class Inequality:
    """A claim: one side is at most the other, or both are equal.

    Attributes
    ----------
    says : str
        The claim.
    metrics : tuple of public metric functions, or ``functools.partial`` of them
    sides : callable
        From the metrics' values to both sides.
    why : str
        Why it is true of any data; empty where it is false.
    equal : bool
        Whether the sides are claimed to be equal.
    """

    says: str
    metrics: tuple[Metric, ...]
    sides: Sides
    why: str = ""
    equal: bool = False

    def fails(self, *values: Any) -> Any:
        """Where these values of the metrics contradict the claim; no value (nan) contradicts none."""
        left, right = self.sides(*values)
        return left - right > SMALLEST if not self.equal else np.abs(left - right) > SMALLEST


@dataclass(frozen=True, repr=False)
class Counterexample:
    """Data on which a claim fails.

    Attributes
    ----------
    claim : Inequality
    y_true, y_other : nested lists of shape (n_samples, n_labels)
        The truth and the prediction; scores where one of the metrics reads scores. A set metric then
        reads the labels with a score of at least 0.5.
    values : tuple of float
        The value of each metric.
    """

    claim: Inequality
    y_true: list[list[int]]
    y_other: list[list[float]]
    values: tuple[float, ...]

    @property
    def said(self) -> str:
        """The two sides in numbers: "1 > 1/2 = 0.5"."""
        left, right = map(float, self.claim.sides(*self.values))
        return f"{worlds.shown(left)} {'>' if left > right else '<'} {worlds.shown(right)}"

    def __repr__(self) -> str:
        """Show the data and the numbers as text."""
        read = _read(self.claim)
        data = Table(
            "The smallest data",
            ("sample", "truth", read),
            worlds.written(self.y_true, self.y_other),
        )
        of = zip(self.claim.metrics, self.values, strict=True)
        each = (f"{catalogue.describe(metric)} {worlds.shown(value)}" for metric, value in of)
        said = Sentence("; ".join(each)), Sentence(f"But {self.said}")
        return repr(Board(self.claim.says, (data, *said)))


def _read(claim: Inequality) -> str:
    scored = any(catalogue.of(metric).reads == "y_score" for metric in claim.metrics)
    return "scores" if scored else "prediction"


def smallest_counterexample(
    claim: Inequality, *, max_samples: int = 2, max_labels: int = 3
) -> Counterexample | None:
    """Find the smallest data on which a claim fails, by more than 1e-14.

    Smallest means fewest cells, then fewest samples, then first in lexicographic order of truth and
    prediction, row by row. A size that a metric refuses holds no case.

    Parameters
    ----------
    claim : Inequality
        One of `ALL`, or one's own.
    max_samples, max_labels : int
        The largest size to search; beyond 6 cells it takes long.

    Returns
    -------
    Counterexample, or None if there is none up to that size

    Raises
    ------
    TypeError, ValueError
        If a metric is none of the catalogue, lacks an option, has one bound that leaves no single
        value or fixes the samples; if a size is no whole number of 1 or more, or too large to hold.

    Examples
    --------
    >>> from mlm_helpers import exact_match
    >>> metrics = exact_match.subset_accuracy, example_based.accuracy
    >>> smallest_counterexample(Inequality("exact ≤ partial", metrics, lambda a, b: (a, b)))
    exact ≤ partial
    <BLANKLINE>
    The smallest data
    sample  truth  prediction
    1       0      0
    <BLANKLINE>
    subset accuracy 1; samples accuracy (Jaccard) 0
    <BLANKLINE>
    But 1 > 0
    """
    if not isinstance(claim, Inequality):
        raise TypeError(
            f"claim is of type {type(claim).__name__}: give an Inequality, such as one of ALL"
        )
    for metric in claim.metrics:
        catalogue.check_one_value(metric, any_samples=True)
    kinds = worlds.kinds_of(claim.metrics)
    for size in worlds.sizes(max_samples, max_labels, claim.metrics):
        others = worlds.others(*size, kinds)
        read = [worlds.as_read(metric, others) for metric in claim.metrics]
        for truth in worlds.every_truth(*size):
            y_true = np.broadcast_to(truth, others.shape)
            pairs = zip(claim.metrics, read, strict=True)
            values = [worlds.values(metric, y_true, other) for metric, other in pairs]
            fails = claim.fails(*values)
            if fails.any():
                one = int(fails.argmax())
                there = tuple(float(value[one]) for value in values)
                return Counterexample(claim, truth.tolist(), others[one].tolist(), there)
    return None


# ---------------------------------------------------------------------------- the claims

_NAMED = catalogue.variants()


def _claim(says: str, metrics: str, sides: Sides, why: str = "", equal: bool = False) -> Inequality:
    return Inequality(says, tuple(_NAMED[name] for name in metrics.split(", ")), sides, why, equal)


def _harmonic(p: Any, r: Any) -> Any:
    """The harmonic mean; 0 of two zeros."""
    return 2 * p * r / np.maximum(p + r, 1e-300)


def _smaller_than_f1(p: Any, r: Any, f1: Any) -> tuple[Any, Any]:
    return np.minimum(p, r), f1


def _jaccard_of_f1(jaccard: Any, f1: Any) -> tuple[Any, Any]:
    return jaccard, f1 / (2 - f1)


def _in_order(left: Any, right: Any) -> tuple[Any, Any]:
    return left, right


_JACCARD = "samples accuracy (Jaccard)"
ALL = (
    _claim(
        "Hamming loss ≤ zero-one loss", "Hamming loss, zero-one loss", _in_order,
        "a wrong cell makes its sample wrong",
    ),
    _claim("subset accuracy ≤ samples Jaccard", f"subset accuracy, {_JACCARD}", _in_order),
    Inequality(
        "subset accuracy ≤ samples Jaccard, where 0/0 is 1",
        (_NAMED["subset accuracy"], partial(example_based.accuracy, zero_division=1.0)), _in_order,
        "a sample that is all right has a Jaccard of 1",
    ),
    _claim(
        "samples Jaccard ≤ samples F1", f"{_JACCARD}, samples F1", _in_order,
        "F1 counts the hits once more, above the line and below",
    ),
    _claim(
        "samples Jaccard ≤ 1 − Hamming loss", f"{_JACCARD}, Hamming loss", lambda j, h: (j, 1 - h),
        "cells rightly left out come on top, above the line and below",
    ),
    _claim(
        "samples Jaccard ≤ the smaller of samples precision and recall",
        f"{_JACCARD}, samples precision, samples recall", lambda j, p, r: (j, np.minimum(p, r)),
        "the union holds the true labels and the predicted ones",
    ),
    _claim(
        "samples Jaccard = F1 / (2 − F1) of samples F1", f"{_JACCARD}, samples F1", _jaccard_of_f1,
        equal=True,
    ),
    _claim(
        "micro Jaccard = F1 / (2 − F1) of micro F1", "micro Jaccard, micro F1", _jaccard_of_f1,
        "both are ratios of the same three counts", equal=True,
    ),
    _claim(
        "the smaller of micro precision and recall ≤ micro F1",
        "micro precision, micro recall, micro F1", _smaller_than_f1,
        "F1 is a mean of the two, taken once",
    ),
    _claim(
        "the smaller of samples precision and recall ≤ samples F1",
        "samples precision, samples recall, samples F1", _smaller_than_f1,
    ),
    _claim(
        "the smaller of macro precision and recall ≤ macro F1",
        "macro precision, macro recall, macro F1", _smaller_than_f1,
    ),
    _claim(
        "macro F1 ≤ the mean of macro precision and recall",
        "macro F1, macro precision, macro recall", lambda f1, p, r: (f1, (p + r) / 2),
        "on every label, a harmonic mean is at most the plain one",
    ),
    _claim(
        "macro F1 ≤ CF1", "macro F1, macro precision, macro recall",
        lambda f1, p, r: (f1, _harmonic(p, r)),
        "a harmonic mean bends down: that of the means is at least the mean of them",
    ),
    _claim(
        "CF1 ≤ macro F1 + 1/2", "macro F1, macro precision, macro recall",
        lambda f1, p, r: (_harmonic(p, r), f1 + 1 / 2),
        "a label's F1 is at most 1/2 below the mean of its precision and recall; CF1 is at most theirs",
    ),
    _claim("macro F1 ≤ micro F1", "macro F1, micro F1", _in_order),
    _claim(
        "micro F1 ≤ 1 − Hamming loss", "micro F1, Hamming loss", lambda f1, h: (f1, 1 - h)
    ),
    _claim("micro precision = micro recall", "micro precision, micro recall", _in_order, equal=True),
    _claim(
        "micro recall = weighted recall", "micro recall, weighted recall", _in_order,
        "a label's support is its weight and its denominator", equal=True,
    ),
    _claim("one-error ≤ zero-one loss", "one-error, zero-one loss", _in_order),
    Inequality(
        "one-error ≤ zero-one loss, where a sample without true labels is no error",
        (partial(ranking.one_error, undefined=0.0), _NAMED["zero-one loss"]), _in_order,
        "if just the true labels reach the threshold, one of them is at the top",
    ),
    _claim("precision at 1 = 1 − one-error", "precision at 1, one-error",
           lambda p, error: (p, 1 - error), equal=True),
    Inequality(
        "precision at 1 = 1 − one-error, where both take a tie at its worst",
        (partial(top_k.precision, k=1, ties="worst"), ranking.one_error),
        lambda p, error: (p, 1 - error), "both ask whether the top label is true", equal=True,
    ),
    _claim(
        "ranking loss ≤ 1 − average precision", "ranking loss, average precision",
        lambda loss, ap: (loss, 1 - ap),
    ),
    _claim(
        "1 − average precision ≤ ranking loss", "average precision, ranking loss",
        lambda ap, loss: (1 - ap, loss),
    ),
    Inequality(
        "recall at 1 ≤ recall at 2",
        (partial(top_k.recall, k=1), partial(top_k.recall, k=2)), _in_order,
        "a longer window loses no hit",
    ),
    Inequality(
        "precision at 2 ≤ precision at 1",
        (partial(top_k.precision, k=2), partial(top_k.precision, k=1)), _in_order,
    ),
    _claim("macro AP ≤ macro AUROC", "macro AP, macro AUROC", _in_order),
)  # fmt: skip
"""The claims, true and false; CF1 is the F1 of macro precision and macro recall."""


@functools.cache
def refuted(claim: Inequality) -> Counterexample | None:
    """Find the smallest data on which a claim fails, within 2 samples × 3 labels or 1 × 4.

    Examples
    --------
    >>> refuted(ALL[1]).said
    '1 > 0'
    """
    found: Counterexample | None = worlds.smallest(
        partial(smallest_counterexample, claim), (2, 3), (1, 4)
    )
    return found


def sheet() -> Board:
    """All claims on one sheet: why a true one is true, and where a false one fails.

    Examples
    --------
    >>> print(sheet().steps[1].rows[0])
    ('subset accuracy ≤ samples Jaccard', '0', '0', '1 > 0')
    """
    true = [(claim.says, claim.why) for claim in ALL if claim.why]
    false = []
    for found in (refuted(claim) for claim in ALL if not claim.why):
        if found:
            truth, other = (
                " / ".join(" ".join(f"{cell:g}" for cell in row) for row in matrix)
                for matrix in (found.y_true, found.y_other)
            )
            false.append((found.claim.says, truth, other, found.said))
    header = ("claim", "truth", "prediction, or scores", "the two sides there")
    return Board(
        "What is at most what",
        (
            Table("Always true", ("claim", "why"), tuple(true)),
            Table("Not always true: the smallest data", header, tuple(false)),
        ),
    )
