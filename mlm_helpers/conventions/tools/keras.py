"""Keras, on any of its backends."""

from typing import Any

import numpy as np

from mlm_helpers.conventions.readings import LABEL_WISE, Matrix
from mlm_helpers.conventions.tool import Departure, Tool, Translation
from mlm_helpers.conventions.tools.shared import (
    ABOVE_HALF,
    ALL_AVERAGES,
    STEPS,
    departure,
    translations,
    unstable_from,
)


def _bins(score: Matrix) -> Matrix:
    """In which of its 200 bins each score lies, the lower end not included."""
    bins: Matrix = np.ceil(score.astype(np.float32) * np.float32(199)).astype(int) - 1
    return np.clip(bins, 0, 199)


@departure(
    "scores are put into 200 bins, and those in one tie", [[1], [0]], [[0.9921], [0.992]], "0.5"
)
def _binned(ours: Any, truth: Matrix, score: Matrix) -> float:
    return float(ours(truth, _bins(score)))


@departure(
    "scores are put into 200 bins, between which the precision-recall curve is interpolated as Davis and"
    " Goadrich (2006) do",
    [[0], [1]], [[0.9], [0.8]], "0.306853, where average precision is 0.5",
)  # fmt: skip
def _interpolated(ours: Any, truth: Matrix, score: Matrix) -> float:
    """The area of each column, or of all cells in one."""
    pooled = (-1, 1) if ours.keywords["average"] == "micro" else truth.shape
    columns = zip(truth.reshape(pooled).T, _bins(score).reshape(pooled).T, strict=True)
    return float(np.mean([_davis_goadrich(label, bins) for label, bins in columns]))


def _davis_goadrich(truth: Matrix, bins: Matrix) -> float:
    """The area between each threshold and the next higher one, added up."""
    hits, predicted = (
        np.bincount(chosen, minlength=201)[::-1].cumsum()[::-1]
        for chosen in (bins[truth > 0], bins)
    )
    more_hits, more = hits[:-1] - hits[1:], predicted[:-1] - predicted[1:]
    with np.errstate(divide="ignore", invalid="ignore"):
        slope = np.where(more > 0, more_hits / more, 0)
        ratio = np.where(predicted[1:] > 0, predicted[:-1] / predicted[1:], 1)
    offset = hits[1:] - slope * predicted[1:]
    area = (slope * (more_hits + offset * np.log(ratio))).sum()
    return float(area / hits[0]) if hits[0] else 0.0


@departure(
    "it adds up the hits and the relevant labels of all samples before it divides",
    [[1], [0]], [[0.5], [0.5]], "1 at k = 1, where the mean of the samples is 0.5",
)  # fmt: skip
def _pooled(ours: Any, truth: Matrix, score: Matrix) -> float:
    return float(ours(truth, score, sample_weight=truth.sum(axis=1))) if truth.sum() else 0.0


_ANY_ORDER = Departure(
    "on PyTorch ties are broken by torch.topk, which promises no order: from four labels on no rule"
    " holds",
    [[0, 0, 1, 0]], [[0.5] * 4], "0 or 1 at k = 1", unstable_from(4),
)  # fmt: skip

_F = {
    "{average} F1": "F1Score(average='{average}', threshold=0.5)",
    "{average} Fβ": "FBetaScore(average='{average}', threshold=0.5)",
}
_LARGEST = Departure(
    "without a threshold, F1Score and FBetaScore count only each sample's largest score as a yes",
    [[1, 1]], [[0.9, 0.8]], "macro F1 0.5 where a threshold of 0.5 gives 1",
)  # fmt: skip
_ZERO = {**STEPS, "undefined": 0.0}
TOOL = Tool(
    "keras", "3.15.1", "run",
    {
        LABEL_WISE: Translation("BinaryAccuracy"),
        **translations(_F, ALL_AVERAGES, settings={"no threshold": {}}, zero_division=0.0),
        "micro precision": Translation("Precision", {"zero_division": 0.0}),
        "micro recall": Translation("Recall", {"zero_division": 0.0}),
        "macro AP": Translation("AUC(curve='PR', multi_label=True)", _ZERO, (_interpolated,)),
        "micro AP": Translation("AUC(curve='PR')", _ZERO, (_interpolated,)),
        "macro AUROC": Translation("AUC(multi_label=True)", {"undefined": 0.0}, (_binned,)),
        "micro AUROC": Translation("AUC", {"undefined": 0.0}, (_binned,)),
        "precision at k": Translation("Precision(top_k=k)", {"ties": "first"}, (_ANY_ORDER,)),
        "recall at k": Translation(
            "Recall(top_k=k)", {"ties": "first", "undefined": 0.0}, (_ANY_ORDER, _pooled)
        ),
    },
    ("no threshold",), (ABOVE_HALF, _LARGEST),
)  # fmt: skip
