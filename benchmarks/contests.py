"""The same metric in this package, in scikit-learn and in torchmetrics."""

import functools
from importlib.util import find_spec
from typing import Any, NamedTuple

from benchmarks.measure import Arrays, Tool
from mlm_helpers import catalogue, top_k
from mlm_helpers.conventions import TOOLS
from tools.live import LIVE

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
SCORE_METRICS = (
    "macro AP",
    "micro AP",
    "macro AUROC",
    "micro AUROC",
    "precision at 5",
    "nDCG at 5",
)


class Contest(NamedTuple):
    """A metric, what it reads beside the truth, and the tools that have it; ours is the first."""

    metric: str
    reads: str
    tools: dict[str, Tool]


def contest(metric: str, *, sparse: bool = False) -> Contest:
    """Find the tools that have a metric; torchmetrics where it is installed, for dense data."""
    ours = _metrics()[metric]
    record = catalogue.of(ours)
    tools = {OURS: Tool(ours)}
    if record.sklearn:
        tools[SKLEARN] = _tool(SKLEARN, ours)
    if not sparse and find_spec("torchmetrics") and catalogue.general(ours) in TOOLS[TORCH].metrics:
        # of average precision, one sample after another is added to a number in single precision
        tolerance = 1e-4 if metric == "average precision" else 1e-6
        tools[TORCH] = _tool(TORCH, ours)._replace(prepare=_tensors, tolerance=tolerance)
    return Contest(metric, record.reads, tools)


def _metrics() -> dict[str, Any]:
    """Every metric by name, and those at k with another k."""
    at_5 = (functools.partial(metric, k=5) for metric in (top_k.precision, top_k.ndcg))
    return catalogue.variants() | {catalogue.describe(metric): metric for metric in at_5}


def _tool(name: str, ours: Any) -> Tool:
    """A tool's metric, as it is called live."""
    call = TOOLS[name].metrics[catalogue.general(ours)].call
    required = catalogue.of(ours).required
    asked = {option: v for option, v in catalogue.settings(ours).items() if option in required}
    return Tool(functools.partial(LIVE[name].run, call, **asked))


def _tensors(y_true: Any, y_other: Any) -> Arrays:
    from torch import from_numpy

    return from_numpy(y_true), from_numpy(y_other)
