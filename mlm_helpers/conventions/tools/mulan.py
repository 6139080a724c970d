"""MULAN, in Java on Weka."""

import math
from typing import Any

import numpy as np

from mlm_helpers.conventions.readings import Matrix
from mlm_helpers.conventions.tool import Tool, Translation
from mlm_helpers.conventions.tools.shared import (
    FROM_HALF,
    STEPS,
    departure,
    nan_of_one,
    ranked,
    translations,
)


@departure(
    "scores that differ by less than 0.000001 are tied",
    [[1, 0]], [[0.5000005, 0.5]], "coverage 1, by the text of its sort",
)  # fmt: skip
def _nearly_tied(ours: Any, truth: Matrix, score: Matrix) -> float | None:
    """From the lowest score on, whatever lies less than 1e-6 above the lowest of a tie joins it."""
    gaps = np.diff(np.sort(score.astype(float), axis=1))
    if not ((gaps > 0) & (gaps < 1e-6)).any():
        return None
    order = np.argsort(score, axis=1)
    ascending = np.take_along_axis(score.astype(float), order, axis=1)
    for below, above in zip(ascending.T[:-1], ascending.T[1:], strict=True):
        np.copyto(above, below, where=above - below < 1e-6)
    tied = np.empty_like(ascending)
    np.put_along_axis(tied, order, ascending, axis=1)
    return float(ours(truth, tied))


_NAN = {"undefined": math.nan}
_MACRO_AUCPR = {"MacroAUCPR": {**STEPS, "undefined": 0.0}}  # a measure of its own, from Weka
_SETS = {
    "samples accuracy (Jaccard)": "Example-Based Accuracy",
    "samples precision": "Example-Based Precision", "samples recall": "Example-Based Recall",
    "samples F1": "Example-Based F Measure", "samples Fβ": "Example-Based F Measure (with beta)",
    "micro precision": "Micro-averaged Precision", "micro recall": "Micro-averaged Recall",
    "micro F1": "Micro-averaged F-Measure", "micro Fβ": "Micro-averaged F-Measure (with beta)",
    "macro precision": "Macro-averaged Precision", "macro recall": "Macro-averaged Recall",
    "macro F1": "Macro-averaged F-Measure", "macro Fβ": "Macro-averaged F-Measure (with beta)",
}  # fmt: skip
TOOL = Tool(
    "MULAN", "git 43f6389 (2022-09), Weka 3.9.7", "recorded run",
    {
        "subset accuracy": Translation("Subset Accuracy"),
        "Hamming loss": Translation("Hamming Loss"),
        **translations(_SETS, zero_division="agree"),
        "coverage": ranked("Coverage", "last", 0.0, _nearly_tied, start=0),
        "one-error": ranked("OneError", "last", 1.0, _nearly_tied),
        "ranking loss": ranked("Ranking Loss", "last", 0.0, _nearly_tied),
        "average precision": ranked("Average Precision", "last", math.nan, _nearly_tied),
        "macro AP": ranked(
            "Mean Average Precision", "first", math.nan, settings=_MACRO_AUCPR, interpolation=None
        ),
        "macro AUROC": Translation("Macro-averaged AUC", _NAN, (nan_of_one([[1, 0], [0, 0]], [[0.9, 0.2], [0.8, 0.1]]),)),
        "micro AUROC": Translation("Micro-averaged AUC", _NAN),
    },
    tuple(_MACRO_AUCPR), (FROM_HALF,),
)  # fmt: skip
