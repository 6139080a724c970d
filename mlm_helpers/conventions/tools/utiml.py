"""utiml, in R."""

import math
from dataclasses import replace
from typing import Any

import numpy as np

from mlm_helpers.conventions.readings import LABEL_WISE, Matrix
from mlm_helpers.conventions.records import Departure, Tool, Translation, translations
from mlm_helpers.conventions.tools.shared import FROM_HALF


def _filled(ours: Any, truth: Matrix, other: Matrix) -> float:
    """Of the all equal zeros of a row without predictions, the first counts as the top label."""
    empty = np.flatnonzero(other.sum(axis=1) == 0)
    cells = np.ones(len(empty), dtype=bool), (empty, np.zeros_like(empty))
    if isinstance(other, np.ndarray):
        filled = other.astype(bool)
        filled[cells[1]] = True
    else:
        filled = other + type(other)(cells, shape=other.shape)
    return float(ours(truth, filled))


def _fills_empty_rows(name: str) -> Departure:
    return Departure(
        "a sample for which nothing is predicted gets its top label predicted, unless"
        " utiml.empty.prediction is TRUE",
        [[1]], [[0]], "0" if name == "Hamming loss" else "1", _filled,
    )  # fmt: skip


def _single_row(ours: Any, truth: Matrix, other: Matrix) -> str | None:
    return "raises error" if np.count_nonzero(truth.any(axis=1)) == 1 else None


_SINGLE_ROW = Departure(
    "it stops where exactly one sample has a true label, since R then drops the matrix to a vector",
    [[1]], [[0.5]], "an error", _single_row,
)  # fmt: skip

_UTIML_SET = {
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
TOOL = Tool(
    "utiml", "0.1.4 and later", "read in source",
    {
        **{
            name: replace(translation, departures=(_fills_empty_rows(name),))
            for name, translation in _UTIML_SET.items()
        },
        "coverage": Translation(
            "coverage", {"start": 0, "ties": "first", "undefined": math.nan}, (_SINGLE_ROW,)
        ),
        "one-error": Translation("one-error", {"ties": "first", "undefined": 1.0}),
        "ranking loss": Translation("ranking-loss", {"ties": "first", "undefined": 0.0}),
        "average precision": Translation(
            "average-precision", {"ties": "first", "undefined": math.nan}, (_SINGLE_ROW,)
        ),
    },
    notes=(FROM_HALF,),
)  # fmt: skip
