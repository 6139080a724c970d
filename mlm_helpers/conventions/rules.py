"""What tools do that no option of ours says, as rules: the files in ``tools/`` name them.

A rule gets our metric with the tool's options bound, the truth, and predictions or scores. It returns
the tool's number, or "raises NameOfError"; and None where the tool does not depart. What else a rule
takes stands before these three, and in the file behind its name.
"""

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from mlm_helpers import catalogue, label_based
from mlm_helpers._core import counts, inputs
from mlm_helpers._core.inputs import Data
from mlm_helpers.conventions.quantities import Matrix, any_tie
from mlm_helpers.conventions.tool import NO_RULE, close


def _tied_down(ours: Any, truth: Matrix, score: Matrix) -> bool:
    """Of four samples or more a positive and a negative of a label are tied."""
    columns = zip(truth.T == 1, score.T, strict=True)
    tied = any(np.intersect1d(column[true], column[~true]).size for true, column in columns)
    return len(truth) >= 4 and tied


def _has_one_on_an_edge(ours: Any, truth: Matrix, other: Matrix) -> bool:
    """Of several probabilities one lies on the edge of two bins."""
    places = other * ours.keywords["bins"]
    return bool(other.size > 1 and np.isclose(places, places.round()).any())


WHERE: dict[str, Callable[[Any, Matrix, Matrix], Any]] = {
    "always": lambda ours, truth, other: True,
    "a value is undefined": lambda *given: catalogue.without_value(*given).any(),
    "a label with positives is undefined": lambda ours, truth, other: (
        catalogue.without_value(ours, truth, other) & truth.any(axis=0)
    ).any(),
    "a label has no positives": lambda ours, truth, other: not np.all(truth.sum(axis=0)),
    "nothing is true": lambda ours, truth, other: not truth.sum(),
    "of several labels none is true": lambda _, truth, __: truth.shape[1] > 1 and not truth.any(),
    "nothing is true or predicted": lambda ours, truth, other: not truth.sum() + other.sum(),
    "there is no hit": lambda ours, *given: not label_based.confusion(*given).tp.any(),
    "one sample has true labels": lambda ours, truth, other: truth.any(axis=1).sum() == 1,
    "k is the number of labels, all scored": lambda ours, truth, other: (
        isinstance(other, np.ndarray) and ours.keywords["k"] == truth.shape[1]
    ),
    "some cells are true, some false": lambda ours, truth, other: 0 < truth.mean() < 1,
    "of several probabilities one is on an edge": _has_one_on_an_edge,
    "four samples or more are tied": _tied_down,
    "scores are tied": lambda ours, truth, other: any_tie(other),
    "scores are nearly tied": lambda ours, truth, other: any(
        (np.diff(np.unique(row)) < 1e-6).any() for row in other
    ),
}
"""The data on which a tool has an answer of its own."""


def answers(
    answer: float | str, where: str, ours: Any, truth: Matrix, other: Matrix
) -> float | str | None:
    """It gives a certain number, or raises, where something holds."""
    return answer if WHERE[where](ours, truth, other) else None


def leaves_out(kind: str, of_none: float, ours: Any, truth: Matrix, other: Matrix) -> float:
    """Samples whose labels are all relevant, or of which none is, are left out."""
    n_relevant = truth.sum(axis=1)
    rest = n_relevant < truth.shape[1] if kind == "full" else n_relevant > 0
    return float(ours(truth[rest], other[rest])) if rest.any() else of_none


def empty_counts_one(ours: Any, truth: Matrix, other: Matrix) -> float:
    """A sample without relevant labels counts 1."""
    each = ours(truth, other, per_sample=True)
    return float(np.where(truth.sum(axis=1) > 0, each, 1).mean())


def one_more(ours: Any, truth: Matrix, other: Matrix) -> float:
    """The ratio over all cells with one more false alarm for each label that is never predicted."""
    tp, fp, fn, tn = label_based.confusion(truth, other)
    more = counts.Counts(*(one.sum() for one in (tp, np.maximum(fp, 1 - tp), fn, tn)))
    part, whole = catalogue.of(ours).formula({})(more)
    return float(part / whole)


def undivided(ours: Any, truth: Matrix, other: Matrix) -> float:
    """Wrong labels a sample."""
    return float(ours(truth, other) * truth.shape[1])


def of_labels_seen(ours: Any, truth: Matrix, other: Matrix) -> float:
    """Wrong labels over samples times labels that occur in the truth."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(np.divide(undivided(ours, truth, other), np.count_nonzero(truth.sum(axis=0))))


def up_to_the_last_seen(ours: Any, truth: Matrix, other: Matrix) -> float | str:
    """The mean over the labels up to the last one that occurs."""
    tp, fp, fn, _ = label_based.confusion(truth, other)
    if not (tp.any() and fp.any() and fn.any()):
        return "raises ValueError"
    last = np.flatnonzero(tp + fp + fn)[-1]
    return float(ours(truth, other, average=None)[: last + 1].mean())


def beta_inverted(ours: Any, truth: Matrix, other: Matrix) -> float:
    """Fβ with β on the other side."""
    return float(functools.partial(ours, beta=1 / ours.keywords["beta"])(truth, other))


def of_an_empty_margin(ours: Any, truth: Matrix, other: Matrix) -> float | None:
    """Matthews' coefficient of all cells where it is 0/0: right against wrong, with an epsilon for 0."""
    if not catalogue.without_value(ours, truth, other):
        return None
    tp, fp, fn, tn = counts.count(Data(truth, other), axis=None)
    right, wrong = int(tp + tn), int(fp + fn)
    n_cells = right + wrong
    return (right - wrong) / math.sqrt(n_cells * (right * wrong or n_cells))


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


def _filled(predicted: Any) -> Any:
    """Rows without predictions get their first label, as all their zeros are tied."""
    filled = predicted.copy() if isinstance(predicted, np.ndarray) else predicted.tolil()
    filled[np.flatnonzero(predicted.sum(axis=1) == 0), 0] = True
    return filled


CHANGES: dict[str, Callable[[Matrix], Any]] = {
    "nothing": lambda score: score,
    "a sigmoid": _squashed,
    "5 thresholds": functools.partial(_cut_down, 5),
    "200 thresholds": functools.partial(_cut_down, 200),
    "200 bins": _bins,
    "no score of 0": inputs.stored_scores,
    "no empty row": _filled,
}
"""What tools make of predictions or scores before they compute."""


def after(change: str, ours: Any, truth: Matrix, other: Matrix) -> float:
    """Our number of what the tool makes of the predictions or scores."""
    return float(ours(truth, CHANGES[change](other)))


def unstable_from(
    n_labels: int, change: str, ours: Any, truth: Matrix, other: Matrix
) -> str | None:
    """From so many labels on, an unstable sort breaks ties; where they matter, no rule holds."""
    worst, best = (ours(truth, CHANGES[change](other), ties=ties) for ties in ("worst", "best"))
    return NO_RULE if truth.shape[1] >= n_labels and not close(worst, best) else None


def pooled(ours: Any, truth: Matrix, score: Matrix) -> float:
    """Hits and relevant labels of all samples, added up before they are divided."""
    return float(ours(truth, score, sample_weight=truth.sum(axis=1))) if truth.sum() else 0.0


def of_predicted(ours: Any, truth: Matrix, score: Matrix) -> float:
    """Hits over k, or over the labels predicted where these are fewer."""
    stored, k = inputs.stored_scores(score), ours.keywords["k"]
    each = ours(truth, stored, per_sample=True)
    return float(np.mean(each * k / np.clip(np.diff(stored.indptr), 1, k)))
