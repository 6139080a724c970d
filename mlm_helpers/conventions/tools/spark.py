"""spark."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from mlm_helpers import example_based
from mlm_helpers.conventions.records import (
    Departure,
    Matrix,
    Options,
    Tool,
    Translation,
    translations,
)


def _wrong_labels(truth: Matrix, other: Matrix) -> int:
    return int((truth != (other > 0)).sum())


def _spoils(metric: Callable[..., Any]) -> Departure:
    """Spark's samples metrics: one 0/0 makes the mean nan."""

    def number(truth: Matrix, other: Matrix, asked: Options) -> float | None:
        values = metric(truth, other, zero_division=math.nan, per_sample=True)
        return math.nan if np.isnan(values).any() else None

    return Departure(
        "a sample with 0/0 makes the whole mean nan", [[1], [0]], [[1], [0]], "nan", number
    )


def _spark_hamming(truth: Matrix, other: Matrix, asked: Options) -> float | None:
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(
            np.divide(
                _wrong_labels(truth, other), truth.size / truth.shape[1] * truth.any(axis=0).sum()
            )
        )


TOOL = Tool(
    "Spark MLlib", "4.3.0", "run",
    {
        "subset accuracy": Translation("subsetAccuracy"),
        "Hamming loss": Translation("hammingLoss", {}, (Departure(
            "the wrong labels are divided by the number of samples times the number of labels that occur in"
            " the truth, which can be 0",
            [[0]], [[1]], "inf", _spark_hamming,
        ),)),
        "samples accuracy (Jaccard)": Translation("accuracy", {"zero_division": math.nan}, (
            _spoils(example_based.accuracy),)),
        "samples precision": Translation("precision", {"zero_division": 0.0}),
        "samples recall": Translation("recall", {"zero_division": math.nan}, (
            _spoils(example_based.recall),)),
        "samples F1": Translation("f1Measure", {"zero_division": math.nan}, (
            _spoils(example_based.f1),)),
        **translations(
            {"micro precision": "microPrecision", "micro recall": "microRecall",
             "micro F1": "microF1Measure"},
            zero_division=math.nan,
        ),
    },
    notes=(Departure(
        "label sets are arrays, compared in order: list the labels of both sides in one order",
        [[1, 0, 1]], [[1, 0, 1]], "subset accuracy 0 if the prediction is given as [2, 0], the truth as [0, 2]",
    ),),
)  # fmt: skip
