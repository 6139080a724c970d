"""Rules that compute a tool's number where no option of ours returns it: the files in ``tools/`` name them.

The last two arguments of a rule are our metric with the tool's options bound, and the data; the
file gives the arguments before them. A rule returns the tool's number, or an error as text such as
"raises ValueError"; or None if the tool's number on these data is the metric's own.
"""

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from mlm_helpers import catalogue, curves
from mlm_helpers._core import counts
from mlm_helpers._core.counts import Counts
from mlm_helpers._core.inputs.kinds import is_sparse
from mlm_helpers._core.inputs.read import stored_scores
from mlm_helpers.conventions.cached_data import CachedData, Matrix, as_two_classes
from mlm_helpers.conventions.quantities import has_ties
from mlm_helpers.conventions.tool import NO_RULE, Number, is_close


def _has_several_and_one_on_bin_edge(metric: Any, data: CachedData) -> bool:
    """Whether there are at least two probabilities, and any lies on an edge of the bins, as 0 and 1 do."""
    in_bins = data.prediction * metric.keywords["bins"]  # a whole number on an edge
    return bool(data.prediction.size > 1 and np.isclose(in_bins, in_bins.round()).any())


def _has_near_ties(metric: Any, data: CachedData) -> bool:
    """Whether two scores of a sample differ, but by less than 1e-6."""
    steps = np.diff(np.sort(data.prediction, axis=1), axis=1)
    return bool(((steps > 0) & (steps < 1e-6)).any())


CONDITIONS: dict[str, Callable[[Any, CachedData], Any]] = {
    "always": lambda metric, data: True,
    "a value is undefined": lambda metric, data: data.is_undefined(metric).any(),
    "a label with positives is undefined": lambda metric, data: (
        data.is_undefined(metric) & (data.support > 0)
    ).any(),
    "a label has no positives": lambda metric, data: not np.all(data.support),
    "no cell is true": lambda metric, data: not data.support.any(),
    "several labels, none true": lambda _, data: len(data.support) > 1 and not any(data.support),
    "there is one label": lambda metric, data: len(data.support) == 1,
    "there is no hit": lambda metric, data: not data.label_counts.tp.any(),
    "one sample has true labels": lambda _, data: np.count_nonzero(data.truth.sum(axis=1)) == 1,
    "k is the number of labels, all scored": lambda metric, data: (
        isinstance(data.prediction, np.ndarray) and metric.keywords["k"] == len(data.support)
    ),
    "some cells are true, some false": lambda _, data: 0 < data.support.sum() < data.truth.size,
    "one of several probabilities is on an edge": _has_several_and_one_on_bin_edge,
    "scores are tied": lambda metric, data: has_ties(data.prediction),
    "scores are nearly tied": _has_near_ties,
}
"""Conditions on the data, by the words for them in the files of the tools."""


def _matthews_with_epsilon(metric: Any, data: CachedData) -> float:
    """Matthews correlation of all cells where it is 0/0, as torchmetrics computes it.

    An epsilon replaces the zeros and cancels. What is left is (right - wrong) / √(cells · right ·
    wrong). If all cells are right or all are wrong, it is 1 or -1, for which `n_cells` replaces the
    product of 0.
    """
    tp, fp, fn, tn = (count.sum() for count in data.label_counts)
    n_right, n_wrong = int(tp + tn), int(fp + fn)
    n_cells = n_right + n_wrong
    return (n_right - n_wrong) / math.sqrt(n_cells * (n_right * n_wrong or n_cells))


NUMBERS: dict[Any, Callable[[Any, CachedData], float]] = {
    "both classes count": lambda metric, data: as_two_classes(
        data, catalogue.record_of(metric).reads_tn
    ).value(metric),
    "macro AP": lambda metric, data: data.value(functools.partial(curves.average_precision)),
    "Matthews correlation with an epsilon": _matthews_with_epsilon,
    "wrong labels per sample": lambda metric, data: data.value(metric) * len(data.support),
    "F with β inverted": lambda metric, data: data.value(metric, beta=1 / metric.keywords["beta"]),
    "1 for samples without labels": lambda metric, data: counts.nanmean(
        np.where(data.truth.sum(axis=1) > 0, data.values(metric), 1)
    ),
    "no samples without labels": lambda metric, data: np.nan_to_num(
        counts.nanmean(data.values(metric), data.truth.sum(axis=1) > 0)
    ),
    "no samples with every label": lambda metric, data: counts.nanmean(
        data.values(metric), data.truth.sum(axis=1) < len(data.support)
    ),
    "samples weighted by their labels": lambda metric, data: np.nan_to_num(
        counts.nanmean(data.values(metric), data.truth.sum(axis=1))
    ),
}
"""What tools compute in place of the metric, by the words for it in their files."""


def special_case(number: Any, condition: str, metric: Any, data: CachedData) -> Number | None:
    """``number``, a constant, error or key of `NUMBERS`, where one of `CONDITIONS` holds; else None."""
    if not CONDITIONS[condition](metric, data):
        return None
    return float(NUMBERS[number](metric, data)) if number in NUMBERS else number


def with_false_alarm_if_unpredicted(metric: Any, data: CachedData) -> float:
    """The micro average, if each label that is never predicted adds a false alarm (ML-GCN)."""
    tp, fp, fn, tn = data.label_counts
    total = Counts(*(count.sum() for count in (tp, fp + (tp + fp == 0), fn, tn)))
    numerator, denominator = catalogue.record_of(metric).bound_formula({})(total)
    return float(numerator / denominator)


def wrong_cells_over_true_labels(metric: Any, data: CachedData) -> float:
    """Wrong cells ÷ (samples × labels that occur in the truth), where x/0 is inf and 0/0 nan (Spark)."""
    wrong_per_sample = data.value(metric) * len(data.support)  # the metric is the Hamming loss
    n_true_labels = np.count_nonzero(data.support)
    return wrong_per_sample / n_true_labels if n_true_labels else math.inf * wrong_per_sample


def mean_up_to_last_label(metric: Any, data: CachedData) -> Number:
    """The mean over the labels up to the last one that is true or predicted anywhere (napkinXC)."""
    tp, fp, fn, _ = data.label_counts
    if not (tp.any() and fp.any() and fn.any()):  # on these napkinXC fails
        return "raises ValueError"
    last = np.flatnonzero(tp + fp + fn)[-1]
    return float(data.values(metric)[: last + 1].mean())


def _through_sigmoid(score: Matrix) -> Matrix:
    """Scores as torchmetrics reads them: a sigmoid in single precision if any is outside 0 to 1."""
    if score.min() >= 0 and score.max() <= 1:
        return score
    with np.errstate(over="ignore"):
        return 1 / (1 + np.exp(-score.astype(np.float32)))


def _thresholds_reached(n_thresholds: int, score: Matrix) -> Matrix:
    """For each score, how many of the thresholds spaced evenly from 0 to 1 it reaches (torchmetrics)."""
    thresholds = np.linspace(0, 1, n_thresholds, dtype=np.float32)
    return np.searchsorted(thresholds, _through_sigmoid(score), side="right")


def _bins(score: Matrix) -> Matrix:
    """The index of each score's bin among the 200 of keras; a bin does not include its lower end."""
    bins: Matrix = np.ceil(score.astype(np.float32) * np.float32(199)).astype(int) - 1
    return np.clip(bins, 0, 199)


def _nonzero_scores(score: Matrix) -> Any:
    """The scores as a CSR array without those of 0, which count as not scored."""
    has_all = isinstance(score, np.ndarray) and score.all()
    return score if has_all else stored_scores(score)


def _with_first_label_if_empty(predicted: Any) -> Any:
    """The predictions of utiml: a sample without any gets its first label, since all its zeros are tied."""
    filled = predicted.tolil() if is_sparse(predicted) else predicted.copy()
    filled[np.flatnonzero(predicted.sum(axis=1) == 0), 0] = True
    return filled.tocsr() if is_sparse(predicted) else filled


CHANGES: dict[str, Callable[[Matrix], Any]] = {
    "nothing": lambda score: score,
    "a sigmoid": _through_sigmoid,
    "5 thresholds": functools.partial(_thresholds_reached, 5),
    "200 thresholds": functools.partial(_thresholds_reached, 200),
    "200 bins": _bins,
    "no score of 0": _nonzero_scores,
    "no empty row": _with_first_label_if_empty,
}
"""What tools do to predictions or scores first, by the words for it in their files."""


def _data_after(change: str, data: CachedData) -> CachedData:
    """The data with the prediction changed by one of `CHANGES`; the same object if nothing changes."""
    changed: CachedData = data.cached(
        change, lambda: CachedData(data.truth, CHANGES[change](data.prediction))
    )
    return data if changed.prediction is data.prediction else changed


def on_changed(change: str, metric: Any, data: CachedData) -> float:
    """Our metric's number on the predictions or scores as the tool changes them."""
    return _data_after(change, data).value(metric)


def unstable_sort(min_items: int, change: str, metric: Any, data: CachedData) -> str | None:
    """`NO_RULE` where the number depends on how the tool's sort orders tied items; else None.

    The items are the labels of a sample, or the samples of a label; fewer than ``min_items`` are
    sorted stably.
    """
    n_samples, n_labels = data.truth.shape
    n_items = n_labels if catalogue.record_of(metric).unit == "sample" else n_samples
    worst, best = (_data_after(change, data).value(metric, ties=ties) for ties in ("worst", "best"))
    return NO_RULE if n_items >= min_items and not is_close(worst, best) else None


def hits_over_predicted(metric: Any, data: CachedData) -> float:
    """Annif's precision at k: per sample hits ÷ k, or ÷ the predicted labels if these are fewer.

    A label is predicted if its score is not 0.
    """
    changed, k = _data_after("no score of 0", data), metric.keywords["k"]
    n_predicted = np.asarray((changed.prediction != 0).sum(axis=1))
    return float(np.mean(changed.values(metric) * k / np.clip(n_predicted, 1, k)))  # hits ÷ labels
