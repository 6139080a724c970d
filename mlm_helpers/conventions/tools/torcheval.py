"""torcheval, on PyTorch tensors."""

from mlm_helpers.conventions.readings import LABEL_WISE
from mlm_helpers.conventions.tool import Tool, Translation
from mlm_helpers.conventions.tools.shared import FROM_HALF, STEPS

TOOL = Tool(
    "torcheval", "0.0.7", "run",
    {
        "subset accuracy": Translation("multilabel_accuracy"),
        LABEL_WISE: Translation("multilabel_accuracy(criteria='hamming')"),
        "Hamming loss": Translation("1 - multilabel_accuracy(criteria='hamming')"),
        "macro AP": Translation("multilabel_auprc(average='macro')", {**STEPS, "undefined": 0.0}),
        "macro AUROC": Translation("binary_auroc(num_tasks=n_labels).mean()", {"undefined": 0.5}),
    },
    notes=(FROM_HALF,),
)  # fmt: skip
