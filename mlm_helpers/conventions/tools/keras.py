"""Keras, on any of its backends."""

import os
from typing import Any

from mlm_helpers.conventions.readings import LABEL_WISE
from mlm_helpers.conventions.records import Departure, Tool, Translation, translations
from mlm_helpers.conventions.tools.shared import ABOVE_HALF, ALL_AVERAGES, evaluated


def run(call: str, y_true: Any, y_other: Any, setting: str = "", **bound: Any) -> Any:
    """Call a metric object on the arrays."""
    os.environ.setdefault("KERAS_BACKEND", "torch")
    from keras import metrics

    asked: dict[str, Any] = {
        option: float(value) for option, value in bound.items()
    }  # β must be one
    if setting:  # no threshold
        asked["threshold"] = None

    def find(name: str) -> Any:
        return lambda **options: getattr(metrics, name)(**(options | asked))(y_true, y_other)

    return evaluated(call, find)


TOOL = Tool(
    "keras", "3.15.1", "run",
    {
        LABEL_WISE: Translation("BinaryAccuracy"),
        **translations(
            {
                "{average} F1": "F1Score(average='{average}', threshold=0.5)",
                "{average} Fβ": "FBetaScore(average='{average}', threshold=0.5)",
            },
            ALL_AVERAGES,
            settings={"no threshold": {}},
            zero_division=0.0,
        ),
        "micro precision": Translation("Precision", {"zero_division": 0.0}),
        "micro recall": Translation("Recall", {"zero_division": 0.0}),
    },
    ("no threshold",),
    (
        ABOVE_HALF,
        Departure(
            "without a threshold, F1Score and FBetaScore count only each sample's largest score as a yes",
            [[1, 1]], [[0.9, 0.8]], "macro F1 0.5 where a threshold of 0.5 gives 1",
        ),
    ),
    "keras", run,
)  # fmt: skip
