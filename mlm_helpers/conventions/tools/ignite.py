"""PyTorch-Ignite."""

import functools
from typing import Any

from mlm_helpers.conventions.records import Tool, Translation, translations
from mlm_helpers.conventions.tools.shared import ALL_AVERAGES, evaluated


def run(call: str, y_true: Any, y_other: Any, setting: str = "", **bound: Any) -> Any:
    """Update a metric once; an F-score is made of a precision and a recall."""
    import torch
    from ignite import metrics

    batch = torch.as_tensor(y_other), torch.as_tensor(y_true)

    def f_score(beta: float) -> Any:
        part = {"average": False, "is_multilabel": True}
        precision, recall = metrics.Precision(**part), metrics.Recall(**part)
        score = metrics.Fbeta(beta, precision=precision, recall=recall)
        precision.update(batch)  # after Fbeta, which resets it
        recall.update(batch)
        return score.compute()

    def compute(name: str, **options: Any) -> Any:
        metric = getattr(metrics, name)(**{"is_multilabel": True, **options})
        metric.update(batch)
        return metric.compute()

    given = {"Fbeta": f_score, **bound}
    return evaluated(call, lambda name: given.get(name, functools.partial(compute, name)))


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
