"""The MATLAB files of LAMDA that circulate with ML-kNN."""

import math
from typing import Any

from mlm_helpers.conventions.readings import Matrix
from mlm_helpers.conventions.tool import Departure, Tool, Translation
from mlm_helpers.conventions.tools.shared import departure, ranked


@departure(
    "samples whose labels are all relevant are left out too, and nothing may be left",
    [[1]], [[0.5]], "nan",
)  # fmt: skip
def _leaves_full_out(ours: Any, truth: Matrix, score: Matrix) -> float | None:
    rest = ~truth.all(axis=1)
    if rest.all():
        return None
    return float(ours(truth[rest], score[rest])) if rest.any() else math.nan


TOOL = Tool(
    "LAMDA MATLAB", "the files that circulate with ML-kNN", "read in source",
    {
        "Hamming loss": Translation("Hamming_loss"),
        "coverage": ranked("coverage", "last", -1.0, start=0),
        "one-error": ranked("One_error", "best", math.nan, _leaves_full_out),
        "ranking loss": ranked("Ranking_loss", "worst", math.nan),
        "average precision": ranked("Average_precision", "last", math.nan, _leaves_full_out),
    },
    notes=(Departure(
        "truth and prediction are matrices of -1 and 1, labels as rows; with 0 for -1 its tests for"
        " empty samples fail in silence",
        [[1, 0]], [[1, 0]], "Hamming loss 0.5 where one side is written with 0",
    ),),
)  # fmt: skip
