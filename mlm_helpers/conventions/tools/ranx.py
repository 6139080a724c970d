"""ranx, of information retrieval: a sample is a query."""

from mlm_helpers.conventions.tool import Tool
from mlm_helpers.conventions.tools.shared import UNMEASURED, at_k

TOOL = Tool(
    "ranx", "0.3.21", "recorded run",
    at_k(
        UNMEASURED, ties="first", undefined=0.0,
        precision="precision@k", recall="recall@k", nDCG="ndcg@k",
    ),
)  # fmt: skip
