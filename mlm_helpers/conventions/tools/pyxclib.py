"""pyxclib, from its repository."""

from mlm_helpers.conventions.records import Tool, Translation
from mlm_helpers.conventions.tools.shared import UNSTABLE

TOOL = Tool(
    "pyxclib", "git 5d13086", "recorded run",
    {
        "samples accuracy (Jaccard)": Translation("jaccard_similarity", {"zero_division": 0.0}),
        "one-error": Translation(
            "1 - precision(k=1)", {"ties": "last", "undefined": 1.0}, (UNSTABLE,)
        ),
    },
)  # fmt: skip
