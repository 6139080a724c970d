"""What tools do that no option of ours says, as rules: the files in ``tools/`` name them.

A rule gets our metric with the tool's options bound, and the data. It returns the tool's number, or
"raises NameOfError"; and None where the tool does not depart. What else a rule takes stands before
these two, and in the file behind its name.
"""

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from mlm_helpers import catalogue, curves
from mlm_helpers._core import counts, inputs
from mlm_helpers._core.counts import Counts
from mlm_helpers.conventions.cached_data import CachedData, Matrix, as_two_classes
from mlm_helpers.conventions.quantities import has_ties
from mlm_helpers.conventions.tool import NO_RULE, is_close


def _has_one_on_an_edge(ours: Any, data: CachedData) -> bool:
    """Of several probabilities one lies on the edge of two bins."""
    places = data.prediction * ours.keywords["bins"]
    return bool(data.prediction.size > 1 and np.isclose(places, places.round()).any())


def _nearly_tied(ours: Any, data: CachedData) -> bool:
    """Two scores of a sample differ, but by less than 1e-6."""
    steps = np.diff(np.sort(data.prediction, axis=1), axis=1)
    return bool(((steps > 0) & (steps < 1e-6)).any())


WHERE: dict[str, Callable[[Any, CachedData], Any]] = {
    "always": lambda ours, data: True,
    "a value is undefined": lambda ours, data: data.missing(ours).any(),
    "a label with positives is undefined": lambda ours, data: (
        data.missing(ours) & (data.support > 0)
    ).any(),
    "a label has no positives": lambda ours, data: not np.all(data.support),
    "nothing is true": lambda ours, data: not data.support.any(),
    "of several labels none is true": lambda ours, data: (
        len(data.support) > 1 and not data.support.any()
    ),
    "there is one label": lambda ours, data: len(data.support) == 1,
    "there is no hit": lambda ours, data: not data.labels.tp.any(),
    "one sample has true labels": lambda ours, data: np.count_nonzero(data.truth.sum(axis=1)) == 1,
    "k is the number of labels, all scored": lambda ours, data: (
        isinstance(data.prediction, np.ndarray) and ours.keywords["k"] == len(data.support)
    ),
    "some cells are true, some false": lambda ours, data: 0 < data.support.sum() < data.truth.size,
    "of several probabilities one is on an edge": _has_one_on_an_edge,
    "scores are tied": lambda ours, data: has_ties(data.prediction),
    "scores are nearly tied": _nearly_tied,
}
"""The data on which a tool has an answer of its own."""


def _with_an_epsilon(ours: Any, data: CachedData) -> float:
    """Matthews' coefficient of all cells where it is 0/0: right against wrong, with an epsilon for 0."""
    tp, fp, fn, tn = (each.sum() for each in data.labels)
    right, wrong = int(tp + tn), int(fp + fn)
    n_cells = right + wrong
    return (right - wrong) / math.sqrt(n_cells * (right * wrong or n_cells))


NUMBERS: dict[Any, Callable[[Any, CachedData], float]] = {
    "both classes count": lambda ours, data: as_two_classes(
        data.rows, data.labels, catalogue.record_of(ours).reads_tn
    ).value(ours),
    "macro AP": lambda ours, data: data.value(functools.partial(curves.average_precision)),
    "right against wrong": _with_an_epsilon,
    "wrong labels a sample": lambda ours, data: data.value(ours) * len(data.support),
    "F with β inverted": lambda ours, data: data.value(ours, beta=1 / ours.keywords["beta"]),
    "1 for samples without labels": lambda ours, data: counts.nanmean(
        np.where(data.truth.sum(axis=1) > 0, data.values(ours), 1)
    ),
    "no samples without labels": lambda ours, data: np.nan_to_num(
        counts.nanmean(data.values(ours), data.truth.sum(axis=1) > 0)
    ),
    "no samples with every label": lambda ours, data: counts.nanmean(
        data.values(ours), data.truth.sum(axis=1) < len(data.support)
    ),
    "samples weighed by their labels": lambda ours, data: np.nan_to_num(
        counts.nanmean(data.values(ours), data.truth.sum(axis=1))
    ),
}
"""What tools compute or average instead."""


def answers(answer: float | str, where: str, ours: Any, data: CachedData) -> float | str | None:
    """Where something holds, it gives a certain number or one of `NUMBERS`, or raises."""
    if not WHERE[where](ours, data):
        return None
    return float(NUMBERS[answer](ours, data)) if answer in NUMBERS else answer


def one_more(ours: Any, data: CachedData) -> float:
    """The ratio over all cells with one more false alarm for each label that is never predicted."""
    tp, fp, fn, tn = data.labels
    more = Counts(*(one.sum() for one in (tp, np.maximum(fp, 1 - tp), fn, tn)))
    part, whole = catalogue.record_of(ours).formula({})(more)
    return float(part / whole)


def of_labels_seen(ours: Any, data: CachedData) -> float:
    """Wrong labels over samples times labels that occur in the truth."""
    wrong, n_seen = data.value(ours) * len(data.support), np.count_nonzero(data.support)
    return wrong / n_seen if n_seen else math.inf * wrong


def up_to_the_last_seen(ours: Any, data: CachedData) -> float | str:
    """The mean over the labels up to the last one that occurs."""
    tp, fp, fn, _ = data.labels
    if not (tp.any() and fp.any() and fn.any()):
        return "raises ValueError"
    last = np.flatnonzero(tp + fp + fn)[-1]
    return float(data.values(ours)[: last + 1].mean())


def _squashed(score: Matrix) -> Matrix:
    """Scores as torchmetrics sees them: outside 0 to 1 through a sigmoid in single precision."""
    if score.min() >= 0 and score.max() <= 1:
        return score
    with np.errstate(over="ignore"):
        return 1 / (1 + np.exp(-score.astype(np.float32)))


def _cut_down(n_thresholds: int, score: Matrix) -> Matrix:
    """Each score as the number of thresholds, of so many from 0 to 1, that it reaches."""
    thresholds = np.linspace(0, 1, n_thresholds, dtype=np.float32)
    return np.searchsorted(thresholds, _squashed(score), side="right")


def _bins(score: Matrix) -> Matrix:
    """The one of 200 bins in which keras puts each score, the lower end not included."""
    bins: Matrix = np.ceil(score.astype(np.float32) * np.float32(199)).astype(int) - 1
    return np.clip(bins, 0, 199)


def _without_zeros(score: Matrix) -> Any:
    """Scores of 0 are none."""
    has_all = isinstance(score, np.ndarray) and score.all()
    return score if has_all else inputs.stored_scores(score)


def _filled(predicted: Any) -> Any:
    """Rows without predictions get their first label, as all their zeros are tied."""
    is_sparse = inputs.is_sparse(predicted)
    filled = predicted.tolil() if is_sparse else predicted.copy()
    filled[np.flatnonzero(predicted.sum(axis=1) == 0), 0] = True
    return filled.tocsr() if is_sparse else filled


CHANGES: dict[str, Callable[[Matrix], Any]] = {
    "nothing": lambda score: score,
    "a sigmoid": _squashed,
    "5 thresholds": functools.partial(_cut_down, 5),
    "200 thresholds": functools.partial(_cut_down, 200),
    "200 bins": _bins,
    "no score of 0": _without_zeros,
    "no empty row": _filled,
}
"""What tools make of predictions or scores before they compute."""


def _changed(change: str, data: CachedData) -> CachedData:
    """The data as the tool makes them."""
    other = data.once(change, lambda: CHANGES[change](data.prediction))
    made: CachedData = data.once(("made", change), lambda: CachedData(data.truth, other))
    return data if other is data.prediction else made


def after(change: str, ours: Any, data: CachedData) -> float:
    """Our number of what the tool makes of the predictions or scores."""
    return _changed(change, data).value(ours)


def unstable_from(least: int, change: str, ours: Any, data: CachedData) -> str | None:
    """From so many labels or samples on, an unstable sort breaks ties; where they matter, no rule holds."""
    n_sorted = data.truth.shape[catalogue.record_of(ours).unit == "sample"]
    worst, best = (_changed(change, data).value(ours, ties=ties) for ties in ("worst", "best"))
    return NO_RULE if n_sorted >= least and not is_close(worst, best) else None


def of_predicted(ours: Any, data: CachedData) -> float:
    """Hits over k, or over the labels predicted where these are fewer."""
    predicted, k = _changed("no score of 0", data), ours.keywords["k"]
    n_predicted = np.asarray((predicted.prediction != 0).sum(axis=1))
    return float(np.mean(predicted.values(ours) * k / np.clip(n_predicted, 1, k)))
