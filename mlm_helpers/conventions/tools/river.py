"""river, which reads one sample after another."""

from mlm_helpers.conventions.readings import LABEL_WISE
from mlm_helpers.conventions.tool import Tool, Translation
from mlm_helpers.conventions.tools.shared import translations

_CALLS = {
    f"{average} {ours}": f"multioutput.{theirs}Average({metric})"
    for average, theirs, jaccard in (
        ("samples", "Sample", "accuracy (Jaccard)"),
        ("macro", "Macro", "Jaccard"), ("micro", "Micro", "Jaccard"),
    )
    for ours, metric in (
        (jaccard, "Jaccard"), ("precision", "Precision"), ("recall", "Recall"),
        ("F1", "F1"), ("Fβ", "FBeta"),
    )
}  # fmt: skip
TOOL = Tool(
    "river", "0.26.1", "run",
    {
        "subset accuracy": Translation("multioutput.ExactMatch"),
        LABEL_WISE: Translation("multioutput.MicroAverage(Accuracy)"),
        **translations(_CALLS, zero_division=0.0),
    },
)  # fmt: skip
