"""The MATLAB files of LAMDA that circulate with ML-kNN."""

import math
from typing import Any

from mlm_helpers.conventions.readings import Matrix
from mlm_helpers.conventions.records import Departure, Tool, Translation


def _without_full_samples(ours: Any, truth: Matrix, score: Matrix) -> float | None:
    rest = ~truth.all(axis=1)
    if rest.all():
        return None
    return float(ours(truth[rest], score[rest])) if rest.any() else math.nan


_LEAVES_FULL_OUT = Departure(
    "samples whose labels are all relevant are left out too, and nothing may be left",
    [[1]], [[0.5]], "nan", _without_full_samples,
)  # fmt: skip

TOOL = Tool(
    "LAMDA MATLAB", "the files that circulate with ML-kNN", "read in source",
    {
        "Hamming loss": Translation("Hamming_loss"),
        "coverage": Translation("coverage", {"start": 0, "ties": "last", "undefined": -1.0}),
        "one-error": Translation(
            "One_error", {"ties": "best", "undefined": math.nan}, (_LEAVES_FULL_OUT,)
        ),
        "ranking loss": Translation("Ranking_loss", {"ties": "worst", "undefined": math.nan}),
        "average precision": Translation(
            "Average_precision", {"ties": "last", "undefined": math.nan}, (_LEAVES_FULL_OUT,)
        ),
    },
    notes=(Departure(
        "truth and prediction are matrices of -1 and 1, labels as rows; with 0 for -1 its tests for"
        " empty samples fail in silence",
        [[1, 0]], [[1, 0]], "Hamming loss 0.5 where one side is written with 0",
    ),),
)  # fmt: skip
