"""utiml, in R."""

import math
from typing import Any

import numpy as np

from mlm_helpers.conventions.readings import LABEL_WISE, Matrix
from mlm_helpers.conventions.records import Departure, Tool, Translation, departing, translations
from mlm_helpers.conventions.tools.shared import FROM_HALF


def _filled(ours: Any, truth: Matrix, other: Matrix) -> float:
    """Of the all equal zeros of a row without predictions, the first counts as the top label."""
    empty = np.flatnonzero(other.sum(axis=1) == 0)
    if isinstance(other, np.ndarray):
        filled = other.astype(bool)
        filled[empty, 0] = True
    else:
        first = np.ones(len(empty), dtype=bool), (empty, np.zeros_like(empty))
        filled = other + type(other)(first, shape=other.shape)
    return float(ours(truth, filled))


def _single_row(ours: Any, truth: Matrix, other: Matrix) -> str | None:
    return "raises error" if np.count_nonzero(truth.any(axis=1)) == 1 else None


_FILLS_EMPTY_ROWS = Departure(
    "a sample for which nothing is predicted gets its top label predicted, unless"
    " utiml.empty.prediction is TRUE",
    [[1]], [[0]], "1 (Hamming loss 0)", _filled,
)  # fmt: skip
_SINGLE_ROW = Departure(
    "it stops where exactly one sample has a true label, since R then drops the matrix to a vector",
    [[1]], [[0.5]], "an error", _single_row,
)  # fmt: skip
_SETS = {
    "subset accuracy": Translation("subset-accuracy"),
    "Hamming loss": Translation("hamming-loss"),
    LABEL_WISE: Translation("macro-accuracy, micro-accuracy"),
    **translations(
        {
            "samples accuracy (Jaccard)": "accuracy", "samples precision": "precision",
            "samples recall": "recall", "samples F1": "F1",
            "{average} precision": "{average}-precision", "{average} recall": "{average}-recall",
            "{average} F1": "{average}-F1",
        },
        ("macro", "micro"),
        zero_division=0.0,
    ),
}  # fmt: skip
_RANKS_OF_A_MATRIX = {
    "coverage": Translation("coverage", {"start": 0, "ties": "first", "undefined": math.nan}),
    "average precision": Translation("average-precision", {"ties": "first", "undefined": math.nan}),
}
TOOL = Tool(
    "utiml", "0.1.4 and later", "read in source",
    {
        **departing(_SETS, _FILLS_EMPTY_ROWS),
        **departing(_RANKS_OF_A_MATRIX, _SINGLE_ROW),
        "one-error": Translation("one-error", {"ties": "first", "undefined": 1.0}),
        "ranking loss": Translation("ranking-loss", {"ties": "first", "undefined": 0.0}),
    },
    notes=(FROM_HALF,),
)  # fmt: skip
