"""pycocotools, made for boxes: a label of a sample is one box that fits."""

import math
from typing import Any

from mlm_helpers.conventions.readings import Matrix
from mlm_helpers.conventions.tool import Tool
from mlm_helpers.conventions.tools.shared import departure, ranked


@departure("where no label has positives it is -1", [[0]], [[0.5]], "-1")
def _minus_one(ours: Any, truth: Matrix, score: Matrix) -> float | None:
    return None if truth.any() else -1.0


TOOL = Tool(
    "pycocotools", "2.0.11", "recorded run",
    {"macro AP": ranked("COCOeval.stats[0]", "first", math.nan, _minus_one, interpolation=101)},
)  # fmt: skip
