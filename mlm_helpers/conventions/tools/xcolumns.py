"""xCOLUMNs, which averages over columns alone: for a value per sample, transpose."""

from typing import Any

import numpy as np

from mlm_helpers import catalogue, counts
from mlm_helpers.conventions.readings import LABEL_WISE, Matrix
from mlm_helpers.conventions.tool import Departure, Tool, Translation
from mlm_helpers.conventions.tools.shared import UNSTABLE, departure, translations
from mlm_helpers.inputs import Data


def _ratio(ours: Any, truth: Matrix, other: Matrix) -> float | None:
    """Its ratio, β where it has it; with its default epsilon, if that shows in the fourth place."""
    if "zero_division" not in ours.keywords:  # no ratio
        return None
    record: Any = catalogue.of(ours)
    axis = {"samples": 1, "macro": 0, "micro": None}[ours.keywords.get("average", "samples")]
    swapped = {option: 1 / ours.keywords[option] for option in record.required}
    part, whole = record.parts(counts.count(Data(truth, other), axis=axis), **swapped)
    # Its Fβ is ours with both sides of the fraction β² times as large.
    epsilon = 1e-6 * truth.shape[axis or 0] * swapped.get("beta", 1) ** 2
    without, theirs = (float(np.mean(counts.divided(part, whole + e, 0))) for e in (0, epsilon))
    return theirs if abs(theirs - without) > 5e-5 else without


def _swapped(call: str, y_true: list[list[int]], y_pred: list[list[int]]) -> Translation:
    departure = Departure(
        "β stands on the wrong side: its Fβ is F with 1/β",
        y_true, y_pred, "5/9 for β = 2, where F2 is 5/6", _ratio,
    )  # fmt: skip
    return Translation(call, {"zero_division": 0.0}, (departure,))


@departure("it raises where k is the number of labels", [[1]], [[0.5]], "ValueError at k = 1")
def _fewer_than_all(ours: Any, truth: Matrix, score: Matrix) -> str | None:
    all_are_first = isinstance(score, np.ndarray) and ours.keywords["k"] >= truth.shape[1]
    return "raises ValueError" if all_are_first else None


_EPSILON = Departure(
    "epsilon is added after the counts were divided by the number of samples: with many samples it"
    " weighs on rare labels",
    [[1]], [[1]], "recall 0.5 for a label found in its only occurrence among a million samples",
    _ratio,
)  # fmt: skip
_RATIOS = {
    "samples accuracy (Jaccard)": "macro_jaccard_score(y_true.T, y_pred.T)",
    "samples precision": "macro_precision(y_true.T, y_pred.T)",
    "samples recall": "macro_recall(y_true.T, y_pred.T)",
    "samples F1": "macro_f1_score(y_true.T, y_pred.T)",
    "{average} precision": "{average}_precision",
    "{average} recall": "{average}_recall",
    "{average} F1": "{average}_f1_score",
    "{average} Jaccard": "{average}_jaccard_score",
}
TOOL = Tool(
    "xCOLUMNs", "0.0.2", "run",
    {
        "Hamming loss": Translation("hamming_loss"),
        LABEL_WISE: Translation("hamming_score"),
        **translations(_RATIOS, ("macro", "micro"), zero_division=0.0),
        "samples Fβ": _swapped("macro_fbeta_score(y_true.T, y_pred.T)", [[1, 0]], [[1, 1]]),
        "macro Fβ": _swapped("macro_fbeta_score", [[1], [0]], [[1], [1]]),
        "micro Fβ": _swapped("micro_fbeta_score", [[1], [0]], [[1], [1]]),
        "precision at k": Translation(
            "precision_at_k(y_true, predict_top_k(y_score, k), k=k)", {"ties": "first"},
            (_fewer_than_all, UNSTABLE),
        ),
    },
    notes=(_EPSILON,),
)  # fmt: skip
