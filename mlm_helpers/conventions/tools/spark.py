"""Spark MLlib, which needs Java."""

import math
from typing import Any

import numpy as np

from mlm_helpers import label_based
from mlm_helpers.conventions.readings import Matrix
from mlm_helpers.conventions.tool import Departure, Tool, Translation
from mlm_helpers.conventions.tools.shared import departure


@departure("a sample with 0/0 makes the whole mean nan", [[1], [0]], [[1], [0]], "nan")
def _spoils(ours: Any, truth: Matrix, other: Matrix) -> float | None:
    return math.nan if np.isnan(ours(truth, other, per_sample=True)).any() else None


@departure(
    "the wrong labels are divided by the number of samples times the number of labels that occur in"
    " the truth, which can be 0",
    [[0]], [[1]], "inf",
)  # fmt: skip
def _of_labels_seen(ours: Any, truth: Matrix, other: Matrix) -> float:
    tp, fp, fn, _ = label_based.confusion(truth, other)
    with np.errstate(divide="ignore", invalid="ignore"):
        return float((fp + fn).sum() / (truth.shape[0] * np.count_nonzero(tp + fn)))


_IN_ORDER = Departure(
    "label sets are arrays, compared in order: list the labels of both sides in one order",
    [[1, 0, 1]], [[1, 0, 1]],
    "subset accuracy 0 if the prediction is given as [2, 0], the truth as [0, 2]",
)  # fmt: skip
_NAN = {"zero_division": math.nan}
TOOL = Tool(
    "Spark MLlib", "4.3.0", "run",
    {
        "subset accuracy": Translation("subsetAccuracy"),
        "Hamming loss": Translation("hammingLoss", {}, (_of_labels_seen,)),
        "samples accuracy (Jaccard)": Translation("accuracy", _NAN, (_spoils,)),
        "samples precision": Translation("precision", {"zero_division": 0.0}),
        "samples recall": Translation("recall", _NAN, (_spoils,)),
        "samples F1": Translation("f1Measure", _NAN, (_spoils,)),
        "micro precision": Translation("microPrecision", _NAN),
        "micro recall": Translation("microRecall", _NAN),
        "micro F1": Translation("microF1Measure", _NAN),
    },
    notes=(_IN_ORDER,),
)  # fmt: skip
