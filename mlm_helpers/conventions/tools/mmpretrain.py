"""mmpretrain, of OpenMMLab."""

from mlm_helpers.conventions.tool import Tool
from mlm_helpers.conventions.tools.shared import FROM_HALF, ranked

TOOL = Tool(
    "mmpretrain", "1.2.0", "recorded run",
    {"macro AP": ranked("AveragePrecision / 100", "first", 0.0, interpolation=None)},
    notes=(FROM_HALF,),
)  # fmt: skip
