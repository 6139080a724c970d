"""MEKA, in Java on Weka."""

import math

from mlm_helpers.conventions.readings import LABEL_WISE
from mlm_helpers.conventions.tool import Departure, Tool, Translation
from mlm_helpers.conventions.tools.shared import (
    FROM_HALF,
    STEPS,
    nan_of_one,
    ranked,
    translations,
    unstable_from,
)

_UNSTABLE = Departure(
    "ties are broken by a sort that is not stable: from three labels on no rule holds",
    [[1, 0, 0]], [[0.5, 0.5, 0.1]],
    "0 by the text of that sort, where the last label first gives 0.5", unstable_from(3),
)  # fmt: skip
_NAN = {"undefined": math.nan}
_RATIOS = {
    "samples F1": "F1 (macro averaged by example)",
    "macro precision": "Macro Precision", "macro recall": "Macro Recall",
    "macro F1": "F1 (macro averaged by label)",
    "micro precision": "Micro Precision", "micro recall": "Micro Recall",
    "micro F1": "F1 (micro averaged)",
}  # fmt: skip
TOOL = Tool(
    "MEKA", "git f9ffe23 (1.9.10-SNAPSHOT), Weka 3.9.7", "recorded run",
    {
        "subset accuracy": Translation("Exact match"),
        "zero-one loss": Translation("ZeroOne loss"),
        "Hamming loss": Translation("Hamming loss"),
        LABEL_WISE: Translation("Hamming score"),
        "samples accuracy (Jaccard)": Translation("Accuracy", {"zero_division": "agree"}),
        **translations(_RATIOS, zero_division=0.0),
        "one-error": ranked("One error", "first", 1.0),
        "ranking loss": ranked("Rank loss", "last", 0.0, _UNSTABLE),
        "average precision": ranked("Avg precision", "worst", 1.0),
        "macro AP": Translation(
            "AUPRC (macro averaged)", STEPS | _NAN, (nan_of_one([[1, 0]], [[0.9, 0.2]]),)
        ),
        "micro AP": Translation("getPRCArea(Micro Curve Data)", STEPS | _NAN),
        "macro AUROC": Translation(
            "AUROC (macro averaged)", _NAN,
            (nan_of_one([[1, 0], [0, 0]], [[0.9, 0.2], [0.8, 0.1]]),),
        ),
        "micro AUROC": Translation("getROCArea(Micro Curve Data)", _NAN),
    },
    notes=(FROM_HALF,),
)  # fmt: skip
