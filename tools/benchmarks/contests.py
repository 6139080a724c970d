"""The same metric in this package, in scikit-learn and in torchmetrics; its standard error also by NumPy."""

import functools
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import sklearn.metrics as skm
from scipy.sparse import csr_array

from mlm_helpers import catalogue, top_k, uncertainty
from mlm_helpers.conventions import TOOLS
from tools.live import LIVE

Arrays: TypeAlias = tuple[Any, Any]
"""Truth, and label sets or scores."""

OURS, SKLEARN, TORCH, COLUMNS = "mlm_helpers", "scikit-learn", "torchmetrics", "column by column"
NUMPY, RESAMPLES = "NumPy, SciPy", 1000

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
RATES = ("macro specificity", "macro Matthews correlation", "macro kappa")
RANKING_METRICS = ("coverage", "one-error", "ranking loss", "average precision")
SCORE_METRICS = (
    "macro AP",
    "micro AP",
    "macro AUROC",
    "micro AUROC",
    "precision at 5",
    "nDCG at 5",
)


def calibration_error(truth: Any, p: Any) -> float:
    """The error of one label in ten bins, by NumPy."""
    bins = np.clip(np.ceil(10 * p).astype(int) - 1, 0, 9)
    return float(np.abs(np.bincount(bins, p - truth)).sum() / len(p))


PROBABILITY_METRICS = {
    "macro log loss": skm.log_loss,
    "macro Brier score": skm.brier_score_loss,
    "macro calibration error": calibration_error,
}
"""Each with a function of one label: scikit-learn's, or where it has none, NumPy's."""


def drawn(n: int) -> Iterator[Any]:
    """The rows of each resample."""
    rng = np.random.default_rng(0)
    yield from (rng.integers(n, size=n) for _ in range(RESAMPLES))


def micro_f1_error(y_true: Any, y_pred: Any) -> float:
    """The standard error of micro F1, from three sums of each sample."""
    hits, true, predicted = (y_true & y_pred).sum(axis=1), y_true.sum(axis=1), y_pred.sum(axis=1)
    resampled = ([of[rows].sum() for of in (hits, true, predicted)] for rows in drawn(len(y_true)))
    return float(np.std([2 * tp / (t + p) for tp, t, p in resampled], ddof=1))


def macro_f1_error(y_true: Any, y_pred: Any) -> float:
    """The standard error of macro F1, from sparse products of the times that each sample is drawn."""
    values, (hits, either) = [], map(csr_array, (y_true & y_pred, y_true + y_pred))
    for some in zip(*[drawn(len(y_true))] * 100, strict=True):
        times = np.array([np.bincount(rows, minlength=len(y_true)) for rows in some], dtype=float)
        values.extend((2 * (times @ hits) / np.maximum(times @ either, 1)).mean(axis=1))
    return float(np.std(values, ddof=1))


ERRORS = {"micro F1": micro_f1_error, "macro F1": macro_f1_error}


class Tool(NamedTuple):
    """One tool's way to a number.

    Attributes
    ----------
    function : callable
        Takes truth and prediction, returns a number; its time is measured.
    prepare : callable
        Turns NumPy arrays into the tool's own; its time is not measured.
    tolerance : float
        The largest relative difference from our number.
    """

    function: Callable[[Any, Any], Any]
    prepare: Callable[[Any, Any], Arrays] = lambda *arrays: arrays
    tolerance: float = 1e-6


def contest(metric: str, section: str) -> dict[str, Tool]:
    """Tools that have a metric, ours first; torchmetrics where it is installed, for dense data."""
    ours = metrics()[metric]
    if section == "resampling":
        resampled = functools.partial(uncertainty.interval, ours, n_resamples=RESAMPLES)
        error = Tool(lambda *arrays: resampled(*arrays).standard_error)
        return {OURS: error, NUMPY: Tool(ERRORS[metric])}
    tools = {OURS: Tool(ours)}
    if metric in PROBABILITY_METRICS:
        return tools | {COLUMNS: Tool(functools.partial(_by_column, PROBABILITY_METRICS[metric]))}
    if catalogue.general_name(ours) in TOOLS[SKLEARN].metrics:
        tools[SKLEARN] = _tool(SKLEARN, ours)
    is_dense = section != "sparse" and find_spec("torchmetrics")
    if is_dense and catalogue.general_name(ours) in TOOLS[TORCH].metrics:
        # torchmetrics adds up average precision in single precision, and lets any of tied labels in
        tolerance = 1e-4 if metric in ("average precision", "precision at 5") else 1e-6
        tools[TORCH] = _tool(TORCH, ours)._replace(prepare=_tensors, tolerance=tolerance)
    return tools


def metrics() -> dict[str, Any]:
    """Every metric by name, and those at k with another k."""
    at_5 = (functools.partial(metric, k=5) for metric in (top_k.precision, top_k.ndcg))
    return catalogue.variants() | {catalogue.full_name(metric): metric for metric in at_5}


def _tool(name: str, ours: Any) -> Tool:
    """A tool's metric, as it is called live."""
    call = TOOLS[name].metrics[catalogue.general_name(ours)].call
    required = catalogue.record_of(ours).required
    asked = {
        option: v for option, v in catalogue.resolve_options(ours).items() if option in required
    }
    return Tool(functools.partial(LIVE[name][1], call, **asked))


def _by_column(metric: Callable[[Any, Any], float], y_true: Any, y_prob: Any) -> float:
    return float(np.mean([metric(t, p) for t, p in zip(y_true.T, y_prob.T, strict=True)]))


def _tensors(y_true: Any, y_pred: Any) -> Arrays:
    from torch import from_numpy

    return from_numpy(y_true), from_numpy(y_pred)
