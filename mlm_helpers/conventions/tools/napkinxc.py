"""napkinxc."""

from __future__ import annotations

import numpy as np

from mlm_helpers import label_based
from mlm_helpers.conventions.records import Departure, Matrix, Options, Tool, Translation
from mlm_helpers.conventions.tools.shared import UNSTABLE


def _wrong_labels(truth: Matrix, other: Matrix) -> int:
    return int((truth != (other > 0)).sum())


def _undivided_hamming(truth: Matrix, other: Matrix, asked: Options) -> float:
    return _wrong_labels(truth, other) / len(truth)


def _napkin_macro_f1(truth: Matrix, other: Matrix, asked: Options) -> float | str | None:
    predicted = other > 0
    cells = (truth & predicted, ~truth & predicted, truth & ~predicted)
    if not all(kind.any() for kind in cells):
        return "raises ValueError"
    seen = int(np.flatnonzero((truth | predicted).any(axis=0))[-1]) + 1
    return float(label_based.f1(truth[:, :seen], predicted[:, :seen]))


def _napkin_micro_f1(truth: Matrix, other: Matrix, asked: Options) -> str | None:
    return None if truth.any() or other.any() else "raises ZeroDivisionError"


TOOL = Tool(
    "napkinXC", "0.7.2", "run",
    {
        "Hamming loss": Translation("hamming_loss", {}, (Departure(
            "the mean number of wrong labels a sample, not divided by the number of labels",
            [[1, 0]], [[0, 0]], "1", _undivided_hamming,
        ),)),
        "samples F1": Translation("samples_f1_measure", {"zero_division": 0.0}, (Departure(
            "with zero_division=1 every sample with true labels and no hit counts 1, and two empty sets 0",
            [[1]], [[0]], "1 with zero_division=1",
        ),)),
        "macro F1": Translation("macro_f1_measure", {"zero_division": 0.0}, (Departure(
            "it raises where there is no hit, no false alarm or no miss in all the data, and averages over the"
            " labels up to the last one that occurs",
            [[1]], [[1]], "ValueError", _napkin_macro_f1,
        ),)),
        "micro F1": Translation("micro_f1_measure", {"zero_division": 0.0}, (Departure(
            "it raises where nothing is true and nothing predicted",
            [[0]], [[0]], "ZeroDivisionError", _napkin_micro_f1,
        ),)),
        "one-error": Translation(
            "1 - precision_at_k(k=1)", {"ties": "first", "undefined": 1.0}, (UNSTABLE,)
        ),
    },
)  # fmt: skip
