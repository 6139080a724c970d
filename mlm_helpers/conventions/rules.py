"""Rules that compute a tool's number where no option of ours returns it.

A file in ``tools/`` has a rule as two words, a number and a condition, such as ``[0.0, "no cell is
true"]``, which `rule_of` looks up. The arguments of a rule are our quantity with the tool's options
bound, and the data. A rule returns the tool's number, or an error as text such as "raises
ValueError"; or None if the tool's number on these data is the quantity's own.
"""

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from mlm_helpers import catalogue
from mlm_helpers._core import counts
from mlm_helpers._core.inputs.kinds import is_sparse
from mlm_helpers._core.inputs.options import look_up
from mlm_helpers.conventions.cached_data import CachedData, Matrix, as_two_classes, stored_scores
from mlm_helpers.conventions.quantities import Quantity, has_ties, quantities
from mlm_helpers.conventions.tool import NO_RULE, Number, Rule, is_close

Change = Callable[[Matrix], Any]


def _has_several_and_one_on_bin_edge(quantity: Quantity, data: CachedData) -> bool:
    """Whether any of several probabilities lies on an edge of the bins, as 0 and 1 do."""
    in_bins = data.prediction * quantity.function.keywords["bins"]  # a whole number on an edge
    return bool(data.prediction.size > 1 and np.isclose(in_bins, in_bins.round()).any())


def _has_near_ties(quantity: Quantity, data: CachedData) -> bool:
    """Whether two scores of a sample differ, but by less than 1e-6."""
    steps = np.diff(np.sort(data.prediction, axis=1), axis=1)
    return bool(((steps > 0) & (steps < 1e-6)).any())


def _through_sigmoid(score: Matrix) -> Matrix:
    """Scores as torchmetrics reads them: a sigmoid in single precision if any is outside 0 to 1."""
    if score.min() >= 0 and score.max() <= 1:
        return score
    with np.errstate(over="ignore"):
        return 1 / (1 + np.exp(-score.astype(np.float32)))


def _thresholds_reached(n_thresholds: int, score: Matrix) -> Matrix:
    """For each score, how many of torchmetrics' even thresholds from 0 to 1 it reaches."""
    thresholds = np.linspace(0, 1, n_thresholds, dtype=np.float32)
    return np.searchsorted(thresholds, _through_sigmoid(score), side="right")


def _bins(score: Matrix) -> Matrix:
    """The index of each score's bin among the 200 of keras, without the bin's lower end."""
    bins: Matrix = np.ceil(score.astype(np.float32) * np.float32(199)).astype(int) - 1
    return np.clip(bins, 0, 199)


def _nonzero_scores(score: Matrix) -> Any:
    """The scores as a CSR array without those of 0, which count as not scored."""
    has_all = isinstance(score, np.ndarray) and score.all()
    return score if has_all else stored_scores(score)


def _with_first_label_if_empty(predicted: Any) -> Any:
    """The predictions of utiml, where a sample without any gets its first label.

    All its zeros are tied.
    """
    filled = predicted.tolil() if is_sparse(predicted) else predicted.copy()
    filled[np.flatnonzero(predicted.sum(axis=1) == 0), 0] = True
    return filled.tocsr() if is_sparse(predicted) else filled


def _data_after(change: Change, data: CachedData) -> CachedData:
    """The data after a change of the prediction; the same object if nothing changes."""
    prediction = change(data.prediction)
    return data if prediction is data.prediction else CachedData(data.truth, prediction)


def _ties_decide(min_items: int, quantity: Quantity, data: CachedData) -> bool:
    """Whether the number depends on how a sort that is not stable orders tied items.

    The items are the labels of a sample, or the samples of a label; fewer than ``min_items`` are
    sorted stably.
    """
    n_samples, n_labels = data.truth.shape
    record = catalogue.record_of(quantity.function)
    n_items = n_labels if record.unit == "sample" else n_samples
    extremes = (quantity.value(data, ties=rule) for rule in record.tie_rules[:2])
    return n_items >= min_items and not is_close(*extremes)


CONDITIONS: dict[str, Callable[[Quantity, CachedData], Any]] = {
    "always": lambda _, data: True,
    "a value is undefined": lambda quantity, data: data.is_undefined(quantity.function).any(),
    "a label has only positives": lambda _, data: data.truth.shape[0] in data.support,
    "a label has no positives": lambda _, data: not np.all(data.support),
    "no cell is true": lambda _, data: not data.support.any(),
    "several labels, none true": lambda _, data: len(data.support) > 1 and not any(data.support),
    "there is one label": lambda _, data: len(data.support) == 1,
    "there is no hit": lambda _, data: not data.label_counts.tp.any(),
    "one sample has true labels": lambda _, data: np.count_nonzero(data.cardinality) == 1,
    "k is the number of labels, all scored": lambda quantity, data: (
        isinstance(data.prediction, np.ndarray) and quantity.required["k"] == len(data.support)
    ),
    "some cells are true, some false": lambda _, data: 0 < data.support.sum() < data.truth.size,
    "one of several probabilities is on an edge": _has_several_and_one_on_bin_edge,
    "scores are tied": lambda quantity, data: has_ties(data.prediction),
    "scores are nearly tied": _has_near_ties,
    **{f"ties of {n} items decide": partial(_ties_decide, n) for n in (2, 3, 4)},
    "ties of 17 items decide, after a sigmoid": lambda quantity, data: _ties_decide(
        17, quantity, _data_after(_through_sigmoid, data)
    ),
}
"""Conditions on the data, by the words for them in the files of the tools."""


def _on_changed(change: Change, quantity: Quantity, data: CachedData) -> float:
    """The number on the predictions or scores as the tool changes them."""
    return quantity.value(_data_after(change, data))


def _matthews_with_epsilon(quantity: Quantity, data: CachedData) -> float:
    """Matthews correlation of all cells where it is 0/0, as torchmetrics computes it.

    An epsilon replaces the zeros and cancels. What is left is (right - wrong) / √(cells · right ·
    wrong). If all cells are right or all are wrong, it is 1 or -1, for which `n_cells` replaces the
    product of 0.
    """
    tp, fp, fn, tn = (count.sum() for count in data.label_counts)
    n_right, n_wrong = int(tp + tn), int(fp + fn)
    n_cells = n_right + n_wrong
    return (n_right - n_wrong) / math.sqrt(n_cells * (n_right * n_wrong or n_cells))


def _with_false_alarm_if_unpredicted(quantity: Quantity, data: CachedData) -> float:
    """The micro average if each label that is never predicted adds a false alarm (ML-GCN)."""
    label_counts = data.label_counts
    is_unpredicted = label_counts.tp + label_counts.fp == 0
    with_alarms = label_counts._replace(fp=label_counts.fp + is_unpredicted)
    return quantity.value(CachedData.from_counts(data.sample_counts, with_alarms))


def _wrong_cells_over_true_labels(quantity: Quantity, data: CachedData) -> float:
    """Wrong cells ÷ (samples × labels that occur in the truth): Spark's, where x/0 is inf."""
    wrong_per_sample = quantity.value(data) * len(data.support)  # the quantity is the Hamming loss
    n_true_labels = np.count_nonzero(data.support)
    return wrong_per_sample / n_true_labels if n_true_labels else math.inf * wrong_per_sample


def _mean_up_to_last_label(quantity: Quantity, data: CachedData) -> Number:
    """The mean over the labels up to the last one that is true or predicted anywhere (napkinXC)."""
    tp, fp, fn, _ = data.label_counts
    if not (tp.any() and fp.any() and fn.any()):  # on these napkinXC fails
        return "raises ValueError"
    last = np.flatnonzero(tp + fp + fn)[-1]
    return float(data.values(quantity.function)[: last + 1].mean())


def _hits_over_predicted(quantity: Quantity, data: CachedData) -> float:
    """Annif's precision at k: per sample hits ÷ k, or ÷ the predicted labels if these are fewer.

    A label is predicted if its score is not 0.
    """
    k, n_predicted = quantity.required["k"], np.asarray((data.prediction != 0).sum(axis=1))
    n_hits = k * _data_after(_nonzero_scores, data).values(quantity.function)
    return float(np.mean(n_hits / np.clip(n_predicted, 1, k)))


NUMBERS: dict[str, Rule] = {
    "both classes count": lambda quantity, data: quantity.value(
        as_two_classes(data, catalogue.record_of(quantity.function).reads_tn)
    ),
    "macro AP": lambda _, data: quantities()["macro AP"].value(data),
    "Matthews correlation with an epsilon": _matthews_with_epsilon,
    "wrong labels per sample": lambda quantity, data: quantity.value(data) * len(data.support),
    "F with β inverted": lambda quantity, data: quantity.value(
        data, beta=1 / quantity.required["beta"]
    ),
    "1 for samples without labels": lambda quantity, data: counts.nanmean(
        np.where(data.cardinality > 0, data.values(quantity.function), 1)
    ),
    "no samples without labels": lambda quantity, data: np.nan_to_num(
        counts.nanmean(data.values(quantity.function), data.cardinality > 0)
    ),
    "no samples with every label": lambda quantity, data: counts.nanmean(
        data.values(quantity.function), data.cardinality < len(data.support)
    ),
    "samples weighted by their labels": lambda quantity, data: np.nan_to_num(
        counts.nanmean(data.values(quantity.function), data.cardinality)
    ),
    "each label never predicted is a false alarm": _with_false_alarm_if_unpredicted,
    "wrong cells over true labels": _wrong_cells_over_true_labels,
    "mean up to the last label": _mean_up_to_last_label,
    "hits over predicted labels": _hits_over_predicted,
    "on a sigmoid": partial(_on_changed, _through_sigmoid),
    "on 5 thresholds": partial(_on_changed, partial(_thresholds_reached, 5)),
    "on 200 thresholds": partial(_on_changed, partial(_thresholds_reached, 200)),
    "on 200 bins": partial(_on_changed, _bins),
    "without scores of 0": partial(_on_changed, _nonzero_scores),
    "with a label in each empty row": partial(_on_changed, _with_first_label_if_empty),
}
"""What tools compute in place of the quantity, by the words for it in their files."""


def rule_of(number: Number, condition: str) -> Rule:
    """The rule that returns a number where a condition holds, from their words in a file.

    The number is a constant, an error such as "raises ValueError", `NO_RULE`, or a key of
    `NUMBERS`; the condition is a key of `CONDITIONS`. A ValueError names an unknown word.
    """
    is_constant = not isinstance(number, str) or number.startswith("raises ") or number == NO_RULE
    compute = (lambda quantity, data: number) if is_constant else look_up(NUMBERS, number, "number")
    holds = look_up(CONDITIONS, condition, "condition")
    return lambda quantity, data: compute(quantity, data) if holds(quantity, data) else None
