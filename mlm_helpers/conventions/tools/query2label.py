"""Query2Label, with the voc_mAP of SSGRL."""

import math

from mlm_helpers.conventions.tool import Tool
from mlm_helpers.conventions.tools.shared import nan_of_one, ranked

TOOL = Tool(
    "Query2Label", "its repository, with NumPy 2.4.6", "recorded run",
    {
        "macro AP": ranked(
            "voc_mAP / 100", "first", math.nan, nan_of_one([[1, 0]], [[0.9, 0.2]]),
            interpolation="all",
        ),
    },
)  # fmt: skip
