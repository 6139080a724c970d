"""ASL: its helper_functions.py for mAP, and its validate.py for the columns beside it."""

import math

from mlm_helpers.conventions.readings import TAGGING
from mlm_helpers.conventions.tool import Departure, Tool, Translation
from mlm_helpers.conventions.tools.mlgcn import nan_of_no_hit
from mlm_helpers.conventions.tools.shared import ranked

_ABOVE = Departure(
    "a score of exactly 0.8 is a no: the threshold is score > 0.8, if not asked for another",
    [[1]], [[0.8]], "predicted 0",
)  # fmt: skip
_NEVER_100 = Departure(
    "each label's positives are increased by 1e-8, so that a perfect mAP is never exactly 100",
    [[1]], [[0.5]], "99.999999",
)  # fmt: skip
_NAN = {"zero_division": math.nan}
TOOL = Tool(
    "ASL", "its files, with NumPy 2.4.6", "recorded run",
    {
        "macro AP": ranked("mAP / 100", "last", 0.0, interpolation=None),
        TAGGING["CP"]: Translation("P_C / 100", {"zero_division": 0.0}),
        TAGGING["CR"]: Translation("R_C / 100", {"zero_division": 0.0}),
        "macro F1": Translation("F_C / 100", {"zero_division": 0.0}),  # where others print CF1
        TAGGING["OP"]: Translation("P_O / 100", _NAN),
        TAGGING["OR"]: Translation("R_O / 100", _NAN),
        TAGGING["OF1"]: Translation("F_O / 100", _NAN, (nan_of_no_hit,)),
    },
    notes=(_ABOVE, _NEVER_100), says_columns=True,
)  # fmt: skip
