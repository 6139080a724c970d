"""Same predictions, two numbers: other tools' conventions as options of this package.

`TOOLS` holds, for each tool and metric, the tool's name for it and the options of our function that
return the tool's number. Behaviour that no option expresses is a `Departure`, in words and as a
rule, with the smallest input that shows it. `recorded_cases` are inputs with the numbers that tools
gave on them; tests compare each of these numbers with `TOOLS`. `LABEL_WISE` names a number of tools
that is not a metric here: 1 − Hamming loss. Bad input raises a TypeError or a ValueError.
"""

from mlm_helpers.conventions.identify import Identification, Match, identify
from mlm_helpers.conventions.quantities import LABEL_WISE
from mlm_helpers.conventions.report import report
from mlm_helpers.conventions.tool import Departure, Tool, Translation, recorded_cases
from mlm_helpers.conventions.tools import TOOLS
from mlm_helpers.conventions.translate import number, options

__all__ = [
    "LABEL_WISE", "TOOLS", "Departure", "Identification", "Match", "Tool", "Translation",
    "identify", "number", "options", "recorded_cases", "report",
]  # fmt: skip
