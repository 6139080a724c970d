"""The same metric in this package, in scikit-learn and in torchmetrics."""

from __future__ import annotations

import functools
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, NamedTuple

from benchmarks.measure import Arrays, Tool
from mlm_helpers import catalogue

OURS, SKLEARN, TORCH = "mlm_helpers", "scikit-learn", "torchmetrics"

SET_METRICS = (
    "subset accuracy",
    "Hamming loss",
    "samples accuracy (Jaccard)",
    "samples precision",
    "samples recall",
    "samples F1",
    "macro F1",
    "micro F1",
    "weighted F1",
    "macro Jaccard",
)
RANKING_METRICS = ("coverage", "one-error", "ranking loss", "average precision")


class Contest(NamedTuple):
    """A metric, what it reads beside the truth, and the tools that have it; ours is the first."""

    metric: str
    reads: str
    tools: dict[str, Tool]


def contest(metric: str, *, sparse: bool = False) -> Contest:
    """Find the tools that have a metric; torchmetrics where it is installed, for dense data."""
    ours = catalogue.variants()[metric]
    record = catalogue.of(ours)
    tools = {OURS: Tool(ours)}
    if record.sklearn:
        tools[SKLEARN] = Tool(_sklearn(ours, record))
    if not sparse and metric in _torchmetrics():
        tools[TORCH] = _torchmetrics()[metric]
    return Contest(metric, record.reads, tools)


def _sklearn(ours: Callable[..., Any], record: catalogue.Metric) -> Callable[[Any, Any], Any]:
    """Read the catalogue's scikit-learn expression as a function of two arrays."""
    from sklearn import metrics

    code = compile(record.sklearn, record.id, "eval")
    names = vars(metrics) | (ours.keywords if isinstance(ours, functools.partial) else {})
    return lambda y_true, y_other: eval(code, names, {"y_true": y_true, record.reads: y_other})


@functools.cache
def _torchmetrics() -> dict[str, Tool]:
    """Every metric above that torchmetrics has; no tool if it is not installed."""
    if find_spec("torchmetrics") is None:
        return {}
    import torchmetrics.functional.classification as torch_metrics
    from torch import from_numpy

    def tensors(y_true: Any, y_other: Any) -> Arrays:
        return from_numpy(y_true), from_numpy(y_other)

    def tool(function: Callable[..., Any], tolerance: float = 1e-6, **options: Any) -> Tool:
        def call(y_true: Any, y_other: Any) -> Any:
            return function(y_other, y_true, num_labels=y_true.shape[1], **options)

        return Tool(call, tensors, tolerance)

    def samplewise(function: Callable[..., Any]) -> Tool:
        """Let each sample be pooled by itself, for which torchmetrics wants a third axis."""
        options = {"average": "micro", "multidim_average": "samplewise"}

        def call(y_true: Any, y_other: Any) -> Any:
            wide = y_other.unsqueeze(-1), y_true.unsqueeze(-1)
            return function(*wide, num_labels=y_true.shape[1], **options).double().mean()

        return Tool(call, tensors)

    f1 = torch_metrics.multilabel_f1_score
    return {
        "subset accuracy": tool(torch_metrics.multilabel_exact_match),
        "Hamming loss": tool(torch_metrics.multilabel_hamming_distance, average="micro"),
        "samples precision": samplewise(torch_metrics.multilabel_precision),
        "samples recall": samplewise(torch_metrics.multilabel_recall),
        "samples F1": samplewise(f1),
        "macro F1": tool(f1, average="macro"),
        "micro F1": tool(f1, average="micro"),
        "weighted F1": tool(f1, average="weighted"),
        "macro Jaccard": tool(torch_metrics.multilabel_jaccard_index, average="macro"),
        "coverage": tool(torch_metrics.multilabel_coverage_error),
        "ranking loss": tool(torch_metrics.multilabel_ranking_loss),
        # one sample after another is added to a number in single precision
        "average precision": tool(torch_metrics.multilabel_ranking_average_precision, 1e-4),
    }
