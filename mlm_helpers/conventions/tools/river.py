"""river, which reads one sample after another."""

from typing import Any

import numpy as np

from mlm_helpers.conventions.readings import LABEL_WISE
from mlm_helpers.conventions.records import Tool, Translation, translations
from mlm_helpers.conventions.tools.shared import evaluated


def run(call: str, y_true: Any, y_other: Any, setting: str = "", **bound: Any) -> Any:
    """Update a metric with each sample."""
    from river import metrics

    def find(name: str) -> Any:
        return metrics.multioutput if name == "multioutput" else getattr(metrics, name)(**bound)

    metric = evaluated(call, find)
    for truth, other in zip(np.equal(y_true, 1), np.equal(y_other, 1), strict=True):
        metric.update(dict(enumerate(truth.tolist())), dict(enumerate(other.tolist())))
    return metric.get()


TOOL = Tool(
    "river", "0.26.1", "run",
    {
        "subset accuracy": Translation("multioutput.ExactMatch"),
        LABEL_WISE: Translation("multioutput.MicroAverage(Accuracy)"),
        **translations(
            {
                "samples accuracy (Jaccard)": "multioutput.SampleAverage(Jaccard)",
                "samples precision": "multioutput.SampleAverage(Precision)",
                "samples recall": "multioutput.SampleAverage(Recall)",
                "samples F1": "multioutput.SampleAverage(F1)",
                "samples Fβ": "multioutput.SampleAverage(FBeta)",
            },
            zero_division=0.0,
        ),
        **{
            f"{average} {name}": Translation(
                f"multioutput.{average.capitalize()}Average({theirs})", {"zero_division": 0.0}
            )
            for average in ("macro", "micro")
            for name, theirs in (
                ("precision", "Precision"), ("recall", "Recall"), ("F1", "F1"), ("Fβ", "FBeta"),
                ("Jaccard", "Jaccard"),
            )
        },
    },
    package="river", run=run,
)  # fmt: skip
