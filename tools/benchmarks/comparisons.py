"""The functions that are compared: a metric here, in scikit-learn and in torchmetrics."""

import functools
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, NamedTuple, TypeAlias

from mlm_helpers import catalogue, top_k
from mlm_helpers.catalogue.arguments import resolve_options
from mlm_helpers.conventions import TOOLS
from tools.live import LIVE

Arrays: TypeAlias = tuple[Any, Any]
"""Truth, and prediction: label sets or scores."""

OURS, SKLEARN, TORCH = "mlm_helpers", "scikit-learn", "torchmetrics"

SET_METRICS = (
    "subset accuracy", "Hamming loss",
    "samples accuracy (Jaccard)", "samples precision", "samples recall", "samples F1",
    "macro F1", "micro F1", "weighted F1", "macro Jaccard",
)  # fmt: skip
RATES = ("macro specificity", "macro Matthews correlation", "macro kappa")
RANKING_METRICS = ("coverage", "one-error", "ranking loss", "average precision")
SCORE_METRICS = (
    "macro AP", "micro AP", "macro AUROC", "micro AUROC", "precision at 5", "nDCG at 5",
)  # fmt: skip
METRICS = {  # by section
    "dense": SET_METRICS + RATES + RANKING_METRICS,
    "sparse": SET_METRICS,
    "scores": SCORE_METRICS,
}


class Tool(NamedTuple):
    """A tool's function for a metric, whose time is measured."""

    function: Callable[[Any, Any], Any]  # of truth and prediction
    prepare: Callable[[Any, Any], Arrays] = lambda *arrays: arrays  # converts them; not timed
    tolerance: float = 1e-6  # largest relative difference from our number


def tools_with(metric: str, section: str) -> dict[str, Tool]:
    """The tools compared on a metric, ours first; torchmetrics on dense data, if installed."""
    ours = metrics_by_name()[metric]
    tools = {OURS: Tool(ours)}
    if catalogue.general_name(ours) in TOOLS[SKLEARN].metrics:
        tools[SKLEARN] = _live_tool(SKLEARN, ours)
    is_dense = section != "sparse" and find_spec("torchmetrics")
    if is_dense and catalogue.general_name(ours) in TOOLS[TORCH].metrics:
        # torchmetrics sums average precision in float32, and breaks ties of precision at 5
        # arbitrarily.
        tolerance = 1e-4 if metric in ("average precision", "precision at 5") else 1e-6
        tools[TORCH] = _live_tool(TORCH, ours)._replace(prepare=_tensors, tolerance=tolerance)
    return tools


def metrics_by_name() -> dict[str, Any]:
    """The metrics of the catalogue by name, and precision and nDCG also at k = 5."""
    at_5 = (functools.partial(metric, k=5) for metric in (top_k.precision, top_k.ndcg))
    return catalogue.variants() | {catalogue.full_name(metric): metric for metric in at_5}


def _live_tool(name: str, ours: Any) -> Tool:
    """Another tool's function for one of our metrics, called as `tools.live` calls it."""
    call = TOOLS[name].metrics[catalogue.general_name(ours)].call
    required = catalogue.record_of(ours).required
    options = {k: v for k, v in resolve_options(ours).items() if k in required}
    return Tool(functools.partial(LIVE[name][1], call, setting="", **options))


def _tensors(y_true: Any, y_pred: Any) -> Arrays:
    """NumPy arrays as PyTorch tensors."""
    from torch import from_numpy

    return from_numpy(y_true), from_numpy(y_pred)
