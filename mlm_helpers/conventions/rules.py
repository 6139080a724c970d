"""Rules that compute a tool's number where no option of ours returns it.

A file in ``tools/`` has a rule as two words, a number and a condition, such as ``[0.0, "no cell is
true"]``, which `rule_of` looks up in `NUMBERS` and `CONDITIONS`. The arguments of a rule are our
quantity with the tool's options bound, and the data. A rule returns the tool's number, or an error
as text such as "raises ValueError"; or None if the tool's number on these data is the quantity's.
"""

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from mlm_helpers import catalogue
from mlm_helpers._core import counts
from mlm_helpers._core.inputs.kinds import Array, is_sparse
from mlm_helpers._core.inputs.options import look_up
from mlm_helpers.conventions.cached_data import CachedData, as_two_classes, stored_scores
from mlm_helpers.conventions.quantities import Quantity, has_ties, quantities
from mlm_helpers.conventions.tool import NO_RULE, Number, Rule, is_close

Change = Callable[[Array], Any]


def _has_undefined_value(quantity: Quantity, data: CachedData) -> bool:
    """Whether any of the values that the metric averages is undefined."""
    undefined_is_nan = catalogue.record_of(quantity.function).nan_if_undefined
    return bool(np.isnan(data.values(quantity.function, **undefined_is_nan)).any())


def _has_several_and_one_on_bin_edge(quantity: Quantity, data: CachedData) -> bool:
    """Whether there are several probabilities and one lies on an edge of the bins, as 0 and 1 do.

    A probability times the number of bins is a whole number on an edge.
    """
    in_bins = data.prediction * quantity.function.keywords["bins"]
    return bool(data.prediction.size > 1 and np.isclose(in_bins, in_bins.round()).any())


def _has_near_ties(quantity: Quantity, data: CachedData) -> bool:
    """Whether two scores of a sample differ, but by less than 1e-6."""
    steps = np.diff(np.sort(data.prediction, axis=1), axis=1)
    return bool(((steps > 0) & (steps < 1e-6)).any())


def _through_sigmoid(score: Array) -> Array:
    """Scores as torchmetrics reads them: a sigmoid in single precision if any is outside 0 to 1."""
    if score.min() >= 0 and score.max() <= 1:
        return score
    with np.errstate(over="ignore"):
        return 1 / (1 + np.exp(-score.astype(np.float32)))


def _thresholds_reached(n_thresholds: int, score: Array) -> Array:
    """For each score, how many of torchmetrics' evenly spaced thresholds from 0 to 1 it reaches.

    Scores between the same two thresholds are tied then.
    """
    thresholds = np.linspace(0, 1, n_thresholds, dtype=np.float32)
    return np.searchsorted(thresholds, _through_sigmoid(score), side="right")


def _bins(score: Array) -> Array:
    """The index of each score's bin in keras, whose 200 thresholds are n/199.

    A score equal to a threshold lies in the bin below it; 0 lies in the first bin.
    """
    bins: Array = np.ceil(score.astype(np.float32) * np.float32(199)).astype(int) - 1
    return np.clip(bins, 0, 199)


def _nonzero_scores(score: Array) -> Any:
    """The scores as a CSR array without those of 0, which count as not scored.

    An array without a 0 is returned as it is.
    """
    if isinstance(score, np.ndarray) and score.all():
        return score
    return stored_scores(score)


def _with_first_label_if_empty(predicted: Any) -> Any:
    """The predictions as utiml reads them: a sample without any gets its first label.

    utiml adds the sample's top label, which is the first one where all values are 0.
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

    The items are the labels of a sample, or the samples of a label. The sort is stable for fewer
    than ``min_items``.
    """
    n_samples, n_labels = data.truth.shape
    record = catalogue.record_of(quantity.function)
    n_items = n_labels if record.unit == "sample" else n_samples
    # The first two rules of every metric are extremes: the number is the same if they agree.
    first, second = (quantity.value(data, ties=rule) for rule in record.tie_rules[:2])
    return n_items >= min_items and not is_close(first, second)


CONDITIONS: dict[str, Callable[[Quantity, CachedData], Any]] = {
    "always": lambda _, data: True,
    "a value is undefined": _has_undefined_value,
    # The support of such a label is the number of samples.
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
"""Functions that say whether a condition holds on the data, by its words in files of tools."""


def _on_changed(change: Change, quantity: Quantity, data: CachedData) -> float:
    """The quantity's number after a change that the tool makes to the predictions or scores."""
    return quantity.value(_data_after(change, data))


def _matthews_with_epsilon(quantity: Quantity, data: CachedData) -> float:
    """Matthews correlation of all cells where it is 0/0, as torchmetrics computes it.

    Its formula has an epsilon in place of each 0, which cancels: (right - wrong) / √(cells · right
    · wrong) is left, where right and wrong are numbers of cells. If one of them is 0, the number
    is 1 or -1, which the formula returns with ``n_cells`` in place of their product.
    """
    tp, fp, fn, tn = counts.pool(data.label_counts, "micro")
    n_right = int(tp + tn)
    n_wrong = int(fp + fn)
    n_cells = n_right + n_wrong
    return (n_right - n_wrong) / math.sqrt(n_cells * (n_right * n_wrong or n_cells))


def _with_false_alarm_if_unpredicted(quantity: Quantity, data: CachedData) -> float:
    """The number of ML-GCN, where each label that is never predicted adds a false alarm."""
    label_counts = data.label_counts
    is_unpredicted = label_counts.tp + label_counts.fp == 0
    with_alarms = label_counts._replace(fp=label_counts.fp + is_unpredicted)
    return quantity.value(CachedData.from_counts(data.sample_counts, with_alarms))


def _wrong_cells_over_true_labels(quantity: Quantity, data: CachedData) -> float:
    """Spark's Hamming loss: wrong cells ÷ (samples × labels that occur in the truth)."""
    wrong_per_sample = quantity.value(data) * len(data.support)  # the quantity is the Hamming loss
    n_true_labels = np.count_nonzero(data.support)
    # If no label occurs, Spark divides by 0: the number is inf, or nan if no cell is wrong.
    return wrong_per_sample / n_true_labels if n_true_labels else math.inf * wrong_per_sample


def _mean_up_to_last_label(quantity: Quantity, data: CachedData) -> Number:
    """The mean of napkinXC, over the labels up to the last that is true or predicted anywhere.

    Without any hit, any false alarm or any miss napkinXC raises an error.
    """
    tp, fp, fn, _ = data.label_counts
    if not (tp.any() and fp.any() and fn.any()):
        return "raises ValueError"
    last = np.flatnonzero(tp + fp + fn)[-1]
    return float(data.values(quantity.function)[: last + 1].mean())


def _hits_over_predicted(quantity: Quantity, data: CachedData) -> float:
    """Annif's precision at k: per sample hits ÷ k, or ÷ the predicted labels if these are fewer.

    A label is predicted if its score is not 0. A sample without predicted labels has no hit; its
    0 is divided by 1.
    """
    k = quantity.required["k"]
    n_predicted = (data.prediction != 0).sum(axis=1)
    n_hits = k * _data_after(_nonzero_scores, data).values(quantity.function)  # of precision at k
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
"""Functions that compute a tool's number in place of the quantity's, by its words in files."""


def rule_of(number: Number, condition: str) -> Rule:
    """The rule that returns a number where a condition holds, from their words in a file.

    The number is a float, an error such as "raises ValueError", `NO_RULE`, or a key of `NUMBERS`,
    for a number that depends on the data; the condition is a key of `CONDITIONS`. A ValueError
    names an unknown word.
    """
    is_constant = not isinstance(number, str) or number.startswith("raises ") or number == NO_RULE
    compute = None if is_constant else look_up(NUMBERS, number, "number")
    holds = look_up(CONDITIONS, condition, "condition")

    def rule(quantity: Quantity, data: CachedData) -> Number | None:
        if not holds(quantity, data):
            return None
        return compute(quantity, data) if compute else number

    return rule
