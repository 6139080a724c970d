"""Same predictions, two numbers: other tools' conventions as options of this package.

`TOOLS` holds the tools, and per tool the metrics that it has: under which name, and the options
of ours that return its number. What no option says is a `Departure`, in words and as a rule, with
the smallest input that shows it. Numbers that the tools gave are in `recorded_cases`; tests hold every one
of them against this table.
"""

from mlm_helpers.conventions.identify import Identification, Match, identify
from mlm_helpers.conventions.quantities import DERIVED, LABEL_WISE
from mlm_helpers.conventions.report import report
from mlm_helpers.conventions.tool import (
    Departure,
    RecordedCase,
    Tool,
    Translation,
    last_run,
    recorded_cases,
)
from mlm_helpers.conventions.tools import TOOLS
from mlm_helpers.conventions.translate import compare, names, number, options

__all__ = [
    "DERIVED", "LABEL_WISE", "TOOLS", "Departure", "Identification", "Match", "RecordedCase",
    "Tool", "Translation", "compare", "identify", "last_run", "names", "number", "options",
    "recorded_cases", "report",
]  # fmt: skip
