"""river."""

from __future__ import annotations

from mlm_helpers.conventions.readings import LABEL_WISE
from mlm_helpers.conventions.records import Tool, Translation, translations

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
                "macro precision": "multioutput.MacroAverage(Precision)",
                "macro recall": "multioutput.MacroAverage(Recall)",
                "macro F1": "multioutput.MacroAverage(F1)",
                "macro Fβ": "multioutput.MacroAverage(FBeta)",
                "macro Jaccard": "multioutput.MacroAverage(Jaccard)",
                "micro precision": "multioutput.MicroAverage(Precision)",
                "micro recall": "multioutput.MicroAverage(Recall)",
                "micro F1": "multioutput.MicroAverage(F1)",
                "micro Fβ": "multioutput.MicroAverage(FBeta)",
                "micro Jaccard": "multioutput.MicroAverage(Jaccard)",
            },
            zero_division=0.0,
        ),
    },
)  # fmt: skip
