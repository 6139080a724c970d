"""The development kit of the PASCAL VOC challenges, in MATLAB."""

import math

from mlm_helpers.conventions.tool import Tool
from mlm_helpers.conventions.tools.shared import ranked

_LATER = {"since 2010": {"interpolation": "all"}}
TOOL = Tool(
    "VOC devkit", "as published in 2007 and 2010", "read in source",
    {
        "macro AP": ranked(
            "VOCevalcls, the mean over classes", "first", math.nan, settings=_LATER, interpolation=11
        ),
    },
    tuple(_LATER),
)  # fmt: skip
