"""The functions that are compared: a metric here, in scikit-learn, in torchmetrics or in NumPy."""

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
"""Truth, and prediction: label sets, scores or probabilities."""

OURS, SKLEARN, TORCH, COLUMNS = "mlm_helpers", "scikit-learn", "torchmetrics", "column by column"
NUMPY, RESAMPLES = "NumPy, SciPy", 1000

SAMPLE_METRICS = ("samples accuracy (Jaccard)", "samples precision", "samples recall", "samples F1")
LABEL_METRICS = ("macro F1", "micro F1", "weighted F1", "macro Jaccard")
SET_METRICS = ("subset accuracy", "Hamming loss", *SAMPLE_METRICS, *LABEL_METRICS)
RATES = ("macro specificity", "macro Matthews correlation", "macro kappa")
RANKING_METRICS = ("coverage", "one-error", "ranking loss", "average precision")
TOP_K_METRICS = ("precision at 5", "nDCG at 5")
SCORE_METRICS = ("macro AP", "micro AP", "macro AUROC", "micro AUROC", *TOP_K_METRICS)


def calibration_error(truth: Any, p: Any) -> float:
    """The calibration error of one label in ten bins, by NumPy."""
    bins = np.clip(np.ceil(10 * p).astype(int) - 1, 0, 9)
    return float(np.abs(np.bincount(bins, p - truth)).sum() / len(p))


PROBABILITY_METRICS = {
    "macro log loss": skm.log_loss,
    "macro Brier score": skm.brier_score_loss,
    "macro calibration error": calibration_error,
}
"""For each metric, a function of one label's column: scikit-learn's if it has one, else NumPy's."""


def resampled_rows(n: int) -> Iterator[Any]:
    """The rows of each of `RESAMPLES` resamples of n samples."""
    rng = np.random.default_rng(0)
    yield from (rng.integers(n, size=n) for _ in range(RESAMPLES))


def micro_f1_error(y_true: Any, y_pred: Any) -> float:
    """The standard error of micro F1, from three sums per sample."""
    tp, n_true, n_predicted = (m.sum(axis=1) for m in (y_true & y_pred, y_true, y_pred))
    resampled = [
        2 * tp[rows].sum() / (n_true[rows].sum() + n_predicted[rows].sum())
        for rows in resampled_rows(len(y_true))
    ]
    return float(np.std(resampled, ddof=1))


def macro_f1_error(y_true: Any, y_pred: Any) -> float:
    """The standard error of macro F1, from products of sparse matrices, 100 resamples at a time."""
    tp, true_plus_predicted = csr_array(y_true & y_pred), csr_array(y_true + y_pred)
    n_samples, resampled = len(y_true), list[float]()
    for batch in zip(*[resampled_rows(n_samples)] * 100, strict=True):  # 100 of one iterator
        # How often each resample draws each sample, shape (100, n_samples).
        draws = np.array([np.bincount(rows, minlength=n_samples) for rows in batch], dtype=float)
        f1 = 2 * (draws @ tp) / np.maximum(draws @ true_plus_predicted, 1)
        resampled.extend(f1.mean(axis=1))
    return float(np.std(resampled, ddof=1))


STANDARD_ERRORS = {"micro F1": micro_f1_error, "macro F1": macro_f1_error}


class Tool(NamedTuple):
    """A tool's function for a metric.

    Attributes
    ----------
    function : callable
        Takes truth and prediction and returns a number; its time is measured.
    prepare : callable
        Converts NumPy arrays to the tool's arrays; its time is not measured.
    tolerance : float
        The largest relative difference from our number.
    """

    function: Callable[[Any, Any], Any]
    prepare: Callable[[Any, Any], Arrays] = lambda *arrays: arrays
    tolerance: float = 1e-6


def tools_with(metric: str, section: str) -> dict[str, Tool]:
    """The tools compared on a metric, ours first; torchmetrics only if installed, and on dense data."""
    ours = metrics_by_name()[metric]
    if section == "resampling":
        interval = functools.partial(uncertainty.interval, ours, n_resamples=RESAMPLES)
        standard_error = Tool(lambda *arrays: interval(*arrays).standard_error)
        return {OURS: standard_error, NUMPY: Tool(STANDARD_ERRORS[metric])}
    tools = {OURS: Tool(ours)}
    if metric in PROBABILITY_METRICS:
        function = functools.partial(_mean_over_columns, PROBABILITY_METRICS[metric])
        return tools | {COLUMNS: Tool(function)}
    if catalogue.general_name(ours) in TOOLS[SKLEARN].metrics:
        tools[SKLEARN] = _live_tool(SKLEARN, ours)
    is_dense = section != "sparse" and find_spec("torchmetrics")
    if is_dense and catalogue.general_name(ours) in TOOLS[TORCH].metrics:
        # torchmetrics sums average precision in float32, and breaks ties of precision at 5 arbitrarily.
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
    options = {k: v for k, v in catalogue.resolve_options(ours).items() if k in required}
    return Tool(functools.partial(LIVE[name][1], call, **options))


def _mean_over_columns(metric: Callable[[Any, Any], float], y_true: Any, y_prob: Any) -> float:
    """The mean over labels of a function of one label's column."""
    return float(np.mean([metric(t, p) for t, p in zip(y_true.T, y_prob.T, strict=True)]))


def _tensors(y_true: Any, y_pred: Any) -> Arrays:
    """NumPy arrays as PyTorch tensors."""
    from torch import from_numpy

    return from_numpy(y_true), from_numpy(y_pred)
