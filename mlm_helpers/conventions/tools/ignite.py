"""PyTorch-Ignite."""

from typing import Any

from mlm_helpers.conventions.records import Tool, Translation, translations
from mlm_helpers.conventions.tools.shared import ALL_AVERAGES, evaluated


def run(call: str, y_true: Any, y_other: Any, setting: str = "", **bound: Any) -> Any:
    """Update a metric once; an F-score is made of a precision and a recall."""
    import torch
    from ignite import metrics

    batch = torch.as_tensor(y_other), torch.as_tensor(y_true)

    def f_score(beta: float) -> Any:
        parts = [
            make(average=False, is_multilabel=True) for make in (metrics.Precision, metrics.Recall)
        ]
        score = metrics.Fbeta(beta, precision=parts[0], recall=parts[1])
        for part in parts:  # after Fbeta, which resets them
            part.update(batch)
        return score.compute()

    def find(name: str) -> Any:
        def compute(**options: Any) -> Any:
            metric = getattr(metrics, name)(**{"is_multilabel": True, **options})
            metric.update(batch)
            return metric.compute()

        return {"Fbeta": f_score, **bound}.get(name, compute)

    return evaluated(call, find)


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
    package="pytorch-ignite", run=run,
)  # fmt: skip
