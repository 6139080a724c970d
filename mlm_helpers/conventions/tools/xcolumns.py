"""xcolumns."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from mlm_helpers import example_based, label_based
from mlm_helpers.conventions.readings import LABEL_WISE
from mlm_helpers.conventions.records import (
    Departure,
    Matrix,
    Options,
    Tool,
    Translation,
    translations,
)


def _swapped_beta(fbeta: Callable[..., Any], truth: Matrix, other: Matrix, asked: Options) -> float:
    return float(fbeta(truth, other, beta=1 / 2, **asked))  # the readings hold F2


TOOL = Tool(
    "xCOLUMNs", "0.0.2", "run",
    {
        "Hamming loss": Translation("hamming_loss"),
        LABEL_WISE: Translation("hamming_score"),
        **translations(
            {
                "samples accuracy (Jaccard)": "macro_jaccard_score of the transposed matrices",
                "samples precision": "macro_precision of the transposed matrices",
                "samples recall": "macro_recall of the transposed matrices",
                "samples F1": "macro_f1_score of the transposed matrices",
                "samples Fβ": "macro_fbeta_score of the transposed matrices",
                "{average} precision": "{average}_precision",
                "{average} recall": "{average}_recall",
                "{average} F1": "{average}_f1_score",
                "{average} Fβ": "{average}_fbeta_score",
                "{average} Jaccard": "{average}_jaccard_score",
            },
            ("macro", "micro"),
            {
                f"{average} Fβ": Departure(
                    "β stands on the wrong side: its Fβ is F with 1/β",
                    y_true, y_pred, "5/9 for β = 2, where F2 is 5/6",
                    functools.partial(_swapped_beta, function),
                )
                for average, function, y_true, y_pred in (
                    ("samples", example_based.fbeta, [[1, 0]], [[1, 1]]),
                    ("macro", functools.partial(label_based.fbeta, average="macro"),
                     [[1], [0]], [[1], [1]]),
                    ("micro", functools.partial(label_based.fbeta, average="micro"),
                     [[1], [0]], [[1], [1]]),
                )
            },
            zero_division=0.0,
        ),
    },
    notes=(Departure(
        "epsilon is added after the counts were divided by the number of samples: with many samples it"
        " weighs on rare labels",
        [[1]], [[1]], "recall 0.5 for a label found in its only occurrence among a million samples",
    ),),
)  # fmt: skip
