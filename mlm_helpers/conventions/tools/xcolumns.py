"""xCOLUMNs, which averages over columns alone: for a value per sample, transpose."""

from typing import Any

import numpy as np

from mlm_helpers import catalogue, counts
from mlm_helpers.conventions.readings import LABEL_WISE, Matrix
from mlm_helpers.conventions.records import Departure, Tool, Translation, translations
from mlm_helpers.conventions.tools.shared import evaluated


def run(call: str, y_true: Any, y_other: Any, setting: str = "", **bound: Any) -> Any:
    """Call a function of ``xcolumns.metrics``, a ratio with almost no epsilon."""
    from xcolumns import metrics

    data = {"y_true": y_true, "y_pred": y_other}

    def find(name: str) -> Any:
        if name in data:
            return data[name]
        options = bound if name.startswith("hamming") else {"epsilon": 1e-9, **bound}
        return lambda *given: getattr(metrics, name)(*(given or data.values()), **options)

    return evaluated(call, find)


def _ratio(ours: Any, truth: Matrix, other: Matrix) -> float | None:
    """Its ratio, β where it has it; with its default epsilon, where that shows in the fourth place."""
    if "zero_division" not in ours.keywords:  # no ratio
        return None
    record, average = catalogue.of(ours), ours.keywords.get("average")
    assert record.parts is not None
    axis = 1 if record.along == "sample" else None if average == "micro" else 0
    swapped = {option: 1 / ours.keywords[option] for option in record.required}
    part, whole = record.parts(counts.count(truth, other, axis=axis), **swapped)
    # Its Fβ is ours with both sides of the fraction β² times as large.
    epsilon = 1e-6 * truth.shape[1 if axis == 1 else 0] * swapped.get("beta", 1) ** 2
    without, theirs = (
        float(np.mean(counts.divided(part, whole, 0))),
        float(np.mean(part / (whole + epsilon))),
    )
    return theirs if abs(theirs - without) > 5e-5 else without


def _swapped(y_true: list[list[int]], y_pred: list[list[int]]) -> Departure:
    return Departure(
        "β stands on the wrong side: its Fβ is F with 1/β",
        y_true, y_pred, "5/9 for β = 2, where F2 is 5/6", _ratio,
    )  # fmt: skip


_EPSILON = Departure(
    "epsilon is added after the counts were divided by the number of samples: with many samples it"
    " weighs on rare labels",
    [[1]], [[1]], "recall 0.5 for a label found in its only occurrence among a million samples",
    _ratio,
)  # fmt: skip

TOOL = Tool(
    "xCOLUMNs", "0.0.2", "run",
    {
        "Hamming loss": Translation("hamming_loss"),
        LABEL_WISE: Translation("hamming_score"),
        **translations(
            {
                "samples accuracy (Jaccard)": "macro_jaccard_score(y_true.T, y_pred.T)",
                "samples precision": "macro_precision(y_true.T, y_pred.T)",
                "samples recall": "macro_recall(y_true.T, y_pred.T)",
                "samples F1": "macro_f1_score(y_true.T, y_pred.T)",
                "samples Fβ": "macro_fbeta_score(y_true.T, y_pred.T)",
                "{average} precision": "{average}_precision",
                "{average} recall": "{average}_recall",
                "{average} F1": "{average}_f1_score",
                "{average} Fβ": "{average}_fbeta_score",
                "{average} Jaccard": "{average}_jaccard_score",
            },
            ("macro", "micro"),
            {
                "samples Fβ": _swapped([[1, 0]], [[1, 1]]),
                "macro Fβ": _swapped([[1], [0]], [[1], [1]]),
                "micro Fβ": _swapped([[1], [0]], [[1], [1]]),
            },
            zero_division=0.0,
        ),
    },
    notes=(_EPSILON,),
    package="xcolumns", run=run,
)  # fmt: skip
