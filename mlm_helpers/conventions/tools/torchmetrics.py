"""torchmetrics, on PyTorch tensors."""

import math
from typing import Any

import numpy as np

from mlm_helpers.conventions.readings import LABEL_WISE, Matrix
from mlm_helpers.conventions.records import Departure, Tool, Translation
from mlm_helpers.conventions.tools import shared
from mlm_helpers.conventions.tools.shared import departure, ranked, translations


def _squashed(score: Matrix) -> Matrix:
    """Scores as it sees them; those outside 0 to 1 in the single precision of PyTorch's tensors."""
    if score.min() >= 0 and score.max() <= 1:
        return score
    with np.errstate(over="ignore"):
        return 1 / (1 + np.exp(-score.astype(np.float32)))


@departure(
    "scores outside 0 to 1 pass through a sigmoid in single precision, which is exactly 1 from"
    " about 17 on: large scores tie",
    [[0, 1]], [[20, 30]], "coverage 2",
)  # fmt: skip
def _saturated(ours: Any, truth: Matrix, score: Matrix) -> float | None:
    squashed = _squashed(score)
    return None if squashed is score else float(ours(truth, squashed))


_NO_SUPPORT_0 = Departure(
    "where no sample has any label, the weighted mean is 0 whatever zero_division",
    [[0]], [[0]], "0 with zero_division=1", lambda ours, truth, other: None if truth.sum() else 0.0,
)  # fmt: skip
_NO_SUPPORT_NAN = Departure(
    "where no sample has any label, the weighted mean is nan",
    [[0]], [[0]], "nan", lambda ours, truth, other: None if truth.sum() else math.nan,
)  # fmt: skip
_BATCHES = Departure(
    "the number depends on how the data are cut into batches: a batch whose samples all lack a"
    " value counts as one sample",
    [[1, 0], [0, 0], [0, 0], [0, 0], [0, 0]], [[0.1, 0.9]] * 5,
    "0.2 in one update, 0.5 in two (the first sample, then the rest)",
)  # fmt: skip
_SEVENTEEN = Departure(
    "from 17 labels on, ties are broken by a sort that is not stable: no rule holds",
    [[1] + [0] * 16], [[0.5] * 17], "anything from 0 to 1",
    lambda ours, truth, score: shared.unstable_from(17)(ours, truth, _squashed(score)),
)  # fmt: skip
_SQUASHED = Departure(
    "as soon as one score of a batch lies outside 0 to 1, all its scores pass through a sigmoid"
    " before the threshold, so that every score above 0 is a yes",
    [[1, 0]], [[1.01, 0.1]], "Hamming distance 0.5; with 1.0 for 1.01 it is 0",
)  # fmt: skip

_RATIOS = {
    "samples precision": "binary_precision(multidim_average='samplewise')",
    "samples recall": "binary_recall(multidim_average='samplewise')",
    "samples F1": "binary_f1_score(multidim_average='samplewise')",
    "samples Fβ": "binary_fbeta_score(multidim_average='samplewise')",
    "{average} precision": "MultilabelPrecision(average='{average}')",
    "{average} recall": "MultilabelRecall(average='{average}')",
    "{average} F1": "MultilabelF1Score(average='{average}')",
    "{average} Fβ": "MultilabelFBetaScore(average='{average}')",
    "{average} Jaccard": "MultilabelJaccardIndex(average='{average}')",
}


def _weighted(call: str, *departures: Departure, worth_of_one: float) -> Translation:
    settings = {"zero_division=1": {"zero_division": worth_of_one}}
    return Translation(f"{call}(average='weighted')", {"zero_division": 0.0}, departures, settings)


TOOL = Tool(
    "torchmetrics", "1.9.0", "run",
    {
        "subset accuracy": Translation("MultilabelExactMatch"),
        "Hamming loss": Translation("MultilabelHammingDistance"),
        LABEL_WISE: Translation("MultilabelAccuracy"),
        **translations(_RATIOS, shared.ALL_AVERAGES, shared.ONE, zero_division=0.0),
        "weighted precision": _weighted("MultilabelPrecision", _NO_SUPPORT_0, worth_of_one=1.0),
        "weighted Jaccard": _weighted("MultilabelJaccardIndex", _NO_SUPPORT_NAN, worth_of_one=1.0),
        # A label without true samples weighs 0, so that zero_division never counts.
        "weighted recall": _weighted("MultilabelRecall", worth_of_one=0.0),
        "weighted F1": _weighted("MultilabelF1Score", worth_of_one=0.0),
        "weighted Fβ": _weighted("MultilabelFBetaScore", worth_of_one=0.0),
        "coverage": ranked("MultilabelCoverageError", "worst", 0.0, _saturated, start=1),
        "ranking loss": ranked(
            "MultilabelRankingLoss", "last", 0.0, _BATCHES, _SEVENTEEN, _saturated
        ),
        "average precision": ranked("MultilabelRankingAveragePrecision", "worst", 1.0, _saturated),
    },
    tuple(shared.ONE), (shared.ABOVE_HALF, _SQUASHED),
)  # fmt: skip
