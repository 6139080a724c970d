"""river, which reads one sample after another."""

from typing import Any

import numpy as np

from mlm_helpers.conventions.readings import LABEL_WISE
from mlm_helpers.conventions.records import Tool, Translation
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
        **{
            f"{average} {ours}": Translation(
                f"multioutput.{theirs}Average({metric})", {"zero_division": 0.0}
            )
            for average, theirs, jaccard in (
                ("samples", "Sample", "accuracy (Jaccard)"),
                ("macro", "Macro", "Jaccard"),
                ("micro", "Micro", "Jaccard"),
            )
            for ours, metric in (
                (jaccard, "Jaccard"), ("precision", "Precision"), ("recall", "Recall"), ("F1", "F1"),
                ("Fβ", "FBeta"),
            )
        },
    },
    package="river", run=run,
)  # fmt: skip
