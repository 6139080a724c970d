"""PyTorch-Ignite."""

from mlm_helpers.conventions.tool import Tool, Translation
from mlm_helpers.conventions.tools.shared import ALL_AVERAGES, translations

_PRECISION_RECALL = {
    "samples precision": "Precision(average='samples')",
    "samples recall": "Recall(average='samples')",
    "{average} precision": "Precision(average='{average}')",
    "{average} recall": "Recall(average='{average}')",
}
TOOL = Tool(
    "ignite", "0.5.5", "run",
    {
        "subset accuracy": Translation("Accuracy(is_multilabel=True)"),
        **translations(_PRECISION_RECALL, ALL_AVERAGES, zero_division=0.0),
        **translations({"macro F1": "Fbeta(1)", "macro Fβ": "Fbeta(beta)"}, zero_division=0.0),
    },
)  # fmt: skip
