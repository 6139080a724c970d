"""torcheval, on PyTorch tensors."""

import functools
from typing import Any

from mlm_helpers.conventions.readings import LABEL_WISE
from mlm_helpers.conventions.records import Tool, Translation
from mlm_helpers.conventions.tools.shared import FROM_HALF, evaluated


def run(call: str, y_true: Any, y_other: Any, setting: str = "", **bound: Any) -> Any:
    """Call a function of ``torcheval.metrics``."""
    import torch
    from torcheval.metrics import functional

    data = torch.as_tensor(y_other), torch.as_tensor(y_true)
    return evaluated(call, lambda name: functools.partial(getattr(functional, name), *data))


TOOL = Tool(
    "torcheval", "0.0.7", "run",
    {
        "subset accuracy": Translation("multilabel_accuracy"),
        LABEL_WISE: Translation("multilabel_accuracy(criteria='hamming')"),
        "Hamming loss": Translation("1 - multilabel_accuracy(criteria='hamming')"),
    },
    notes=(FROM_HALF,),
    package="torcheval", run=run,
)  # fmt: skip
