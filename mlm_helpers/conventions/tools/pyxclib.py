"""pyxclib, from its repository."""

from mlm_helpers.conventions.tool import Tool, Translation
from mlm_helpers.conventions.tools.shared import UNSTABLE, at_k, ranked

TOOL = Tool(
    "pyxclib", "git 5d13086", "recorded run",
    {
        "samples accuracy (Jaccard)": Translation("jaccard_similarity", {"zero_division": 0.0}),
        "one-error": ranked("1 - precision(k=1)", "last", 1.0, UNSTABLE),
        **at_k(
            UNSTABLE, ties="last", undefined=0.0,
            precision="precision(k=k)", recall="recall(k=k)", nDCG="ndcg(k=k)",
        ),
    },
)  # fmt: skip
