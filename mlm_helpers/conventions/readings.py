"""What a number can be: every metric, and what is made of metrics and goes by their names."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlm_helpers import catalogue, example_based, hamming, inputs, label_based

Matrix = NDArray[Any]


def _label_wise_accuracy(y_true: Any, y_pred: Any) -> float:
    return 1 - float(hamming.hamming_loss(y_true, y_pred))


def _f1_of_means(family: Any, y_true: Any, y_pred: Any, zero_division: float | str = 0.0) -> float:
    """Harmonic mean of the mean precision and the mean recall: not the mean of the F1s."""
    p = float(family.precision(y_true, y_pred, zero_division=zero_division))
    r = float(family.recall(y_true, y_pred, zero_division=zero_division))
    return 2 * p * r / (p + r) if p + r else 0.0 * p


LABEL_WISE = "1 − Hamming loss"
DERIVED: dict[str, Callable[..., float]] = {
    LABEL_WISE: _label_wise_accuracy,
    "F1 of macro precision and macro recall": functools.partial(_f1_of_means, label_based),
    "F1 of samples precision and samples recall": functools.partial(_f1_of_means, example_based),
}
"""Numbers that go by a metric's name elsewhere and are made of metrics here."""


@functools.cache
def readings() -> dict[str, Callable[..., Any]]:
    """Every number that a tool may print, by name: the catalogue's and the derived ones."""
    return catalogue.variants() | DERIVED


def reading(name: str) -> Callable[..., Any]:
    if name not in readings():
        raise ValueError(f"name is {name!r}: choose one of {listed(readings())}")
    return readings()[name]


@functools.cache
def reads_scores(name: str) -> bool:
    return name not in DERIVED and catalogue.of(reading(name)).reads == "y_score"


def read(y_true: Any, y_other: Any, *, scores: bool) -> tuple[Matrix, Matrix]:
    """Both matrices, through the gate; dense, and labels as booleans."""
    read = inputs.label_scores if scores else inputs.label_sets
    truth, other, _ = read(y_true, y_other)
    if not isinstance(truth, np.ndarray):
        truth, other = truth.toarray(), other.toarray()
    return truth.astype(bool), other if scores else other.astype(bool)


def listed(names: Iterable[str]) -> str:
    return ", ".join(repr(name) for name in names)
