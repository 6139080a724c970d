"""What several tools do."""

from __future__ import annotations

import math

from mlm_helpers.conventions.records import Departure

ALL_AVERAGES = ("macro", "micro", "weighted")
ONE = {"zero_division=1": {"zero_division": 1.0}}
LEFT_OUT = {"zero_division=nan": {"zero_division": math.nan}}


ABOVE_HALF = Departure(
    "a score of exactly 0.5 is a no: the threshold is score > 0.5", [[1]], [[0.5]], "predicted 0"
)
FROM_HALF = Departure(
    "a score of exactly 0.5 is a yes: the threshold is score >= 0.5", [[1]], [[0.5]], "predicted 1"
)


UNSTABLE = Departure(
    "ties are broken by a sort that is not stable: from four labels on the winner depends on the processor",
    [[0, 0, 0, 1]], [[0, 0, 0.25, 0.25]], "0 or 1",
)  # fmt: skip
