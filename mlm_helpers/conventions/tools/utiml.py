"""utiml, in R."""

import math
from dataclasses import replace
from typing import Any

import numpy as np

from mlm_helpers.conventions.readings import LABEL_WISE, Matrix
from mlm_helpers.conventions.tool import Tool, Translation
from mlm_helpers.conventions.tools.shared import FROM_HALF, departure, ranked, translations


@departure(
    "a sample for which nothing is predicted gets its top label predicted, unless"
    " utiml.empty.prediction is TRUE",
    [[1]], [[0]], "1 (Hamming loss 0)",
)  # fmt: skip
def _fills_empty_rows(ours: Any, truth: Matrix, other: Matrix) -> float:
    """Of the all equal zeros of a row without predictions, the first counts as the top label."""
    empty = np.flatnonzero(other.sum(axis=1) == 0)
    if isinstance(other, np.ndarray):
        filled = other.astype(bool)
        filled[empty, 0] = True
    else:
        first = np.ones(len(empty), dtype=bool), (empty, np.zeros_like(empty))
        filled = other + type(other)(first, shape=other.shape)
    return float(ours(truth, filled))


@departure(
    "it stops where exactly one sample has a true label, since R then drops the matrix to a vector",
    [[1]], [[0.5]], "an error",
)  # fmt: skip
def _single_row(ours: Any, truth: Matrix, other: Matrix) -> str | None:
    return "raises error" if np.count_nonzero(truth.any(axis=1)) == 1 else None


_RATIOS = {
    "samples accuracy (Jaccard)": "accuracy", "samples precision": "precision",
    "samples recall": "recall", "samples F1": "F1",
    "{average} precision": "{average}-precision", "{average} recall": "{average}-recall",
    "{average} F1": "{average}-F1",
}  # fmt: skip
_SETS = {
    "subset accuracy": Translation("subset-accuracy"),
    "Hamming loss": Translation("hamming-loss"),
    LABEL_WISE: Translation("macro-accuracy, micro-accuracy"),
    **translations(_RATIOS, ("macro", "micro"), zero_division=0.0),
}
TOOL = Tool(
    "utiml", "0.1.4 and later", "read in source",
    {
        **{name: replace(said, departures=(_fills_empty_rows,)) for name, said in _SETS.items()},
        "coverage": ranked("coverage", "first", math.nan, _single_row, start=0),
        "one-error": ranked("one-error", "first", 1.0),
        "ranking loss": ranked("ranking-loss", "first", 0.0),
        "average precision": ranked("average-precision", "first", math.nan, _single_row),
    },
    notes=(FROM_HALF,),
)  # fmt: skip
