"""Keras, on any of its backends."""

from mlm_helpers.conventions.readings import LABEL_WISE
from mlm_helpers.conventions.records import Departure, Tool, Translation
from mlm_helpers.conventions.tools.shared import ABOVE_HALF, ALL_AVERAGES, translations

_F = {
    "{average} F1": "F1Score(average='{average}', threshold=0.5)",
    "{average} Fβ": "FBetaScore(average='{average}', threshold=0.5)",
}
_LARGEST = Departure(
    "without a threshold, F1Score and FBetaScore count only each sample's largest score as a yes",
    [[1, 1]], [[0.9, 0.8]], "macro F1 0.5 where a threshold of 0.5 gives 1",
)  # fmt: skip
TOOL = Tool(
    "keras", "3.15.1", "run",
    {
        LABEL_WISE: Translation("BinaryAccuracy"),
        **translations(_F, ALL_AVERAGES, settings={"no threshold": {}}, zero_division=0.0),
        "micro precision": Translation("Precision", {"zero_division": 0.0}),
        "micro recall": Translation("Recall", {"zero_division": 0.0}),
    },
    ("no threshold",), (ABOVE_HALF, _LARGEST),
)  # fmt: skip
