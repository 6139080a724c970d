"""Spark MLlib, which needs Java."""

import math
from typing import Any

import numpy as np

from mlm_helpers import label_based
from mlm_helpers.conventions.readings import Matrix
from mlm_helpers.conventions.records import Departure, Tool, Translation, translations


def _spoiled(ours: Any, truth: Matrix, other: Matrix) -> float | None:
    return math.nan if np.isnan(ours(truth, other, per_sample=True)).any() else None


_SPOILS = Departure(
    "a sample with 0/0 makes the whole mean nan", [[1], [0]], [[1], [0]], "nan", _spoiled
)


def _hamming(ours: Any, truth: Matrix, other: Matrix) -> float:
    tp, fp, fn, _ = label_based.confusion(truth, other)
    with np.errstate(divide="ignore", invalid="ignore"):
        return float((fp + fn).sum() / (truth.shape[0] * np.count_nonzero(tp + fn)))


TOOL = Tool(
    "Spark MLlib", "4.3.0", "run",
    {
        "subset accuracy": Translation("subsetAccuracy"),
        "Hamming loss": Translation("hammingLoss", {}, (Departure(
            "the wrong labels are divided by the number of samples times the number of labels that"
            " occur in the truth, which can be 0",
            [[0]], [[1]], "inf", _hamming,
        ),)),
        "samples accuracy (Jaccard)": Translation("accuracy", {"zero_division": math.nan}, (_SPOILS,)),
        "samples precision": Translation("precision", {"zero_division": 0.0}),
        "samples recall": Translation("recall", {"zero_division": math.nan}, (_SPOILS,)),
        "samples F1": Translation("f1Measure", {"zero_division": math.nan}, (_SPOILS,)),
        **translations(
            {"micro precision": "microPrecision", "micro recall": "microRecall", "micro F1": "microF1Measure"},
            zero_division=math.nan,
        ),
    },
    notes=(Departure(
        "label sets are arrays, compared in order: list the labels of both sides in one order",
        [[1, 0, 1]], [[1, 0, 1]],
        "subset accuracy 0 if the prediction is given as [2, 0], the truth as [0, 2]",
    ),),
)  # fmt: skip
