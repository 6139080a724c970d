"""What tools do that no option of ours says, as rules: the files in ``tools/`` name them.

A rule gets our metric with the tool's options bound, the truth, and predictions or scores. It returns
the tool's number, or "raises NameOfError"; and None where the tool does not depart. A function of one
number makes such a rule.
"""

import functools
import math
from fractions import Fraction
from typing import Any

import numpy as np

from mlm_helpers import (
    catalogue,
    curves,
    example_based,
    label_based,
    probability,
    ranking,
    thresholds,
)
from mlm_helpers._core import counts, inputs, ordering
from mlm_helpers._core.blocks import blocks
from mlm_helpers._core.inputs import Data
from mlm_helpers.conventions.quantities import Matrix, any_tie
from mlm_helpers.conventions.tool import NO_RULE, Rule, close

# ---------------------------------------------------------------------------- samples and labels without a value


def spoils(ours: Any, truth: Matrix, other: Matrix) -> float | None:
    """A sample without a value makes the whole mean nan."""
    return math.nan if np.isnan(ours(truth, other, per_sample=True)).any() else None


def nan_of_missing(ours: Any, truth: Matrix, other: Matrix) -> float | None:
    """A label without a value makes the mean over labels nan."""
    missing = np.isnan(functools.partial(ours, average=None, undefined=math.nan)(truth, other))
    return math.nan if missing.any() else None


def of_absent(worth: float | str) -> Rule:
    """It has a value of its own, or raises, where a label has no positives."""
    return lambda ours, truth, other: None if _support(truth).all() else worth


def of_no_support(worth: float) -> Rule:
    """It has a value of its own where no sample has any label."""
    return lambda ours, truth, other: None if truth.sum() else worth


def leaves_full_out(ours: Any, truth: Matrix, other: Matrix) -> float | None:
    """Samples whose labels are all relevant are left out."""
    rest = ~truth.all(axis=1)
    if rest.all():
        return None
    return float(ours(truth[rest], other[rest])) if rest.any() else math.nan


def empty_counts_one(ours: Any, truth: Matrix, other: Matrix) -> float:
    """A sample without relevant labels counts 1."""
    each = ours(truth, other, per_sample=True)
    return float(np.where(truth.sum(axis=1) > 0, each, 1).mean())


def empty_left_out(ours: Any, truth: Matrix, other: Matrix) -> float | None:
    """Samples without relevant labels are left out; of none it is 0."""
    some = truth.sum(axis=1) > 0
    return float(ours(truth[some], other[some])) if some.any() else 0.0


def of_true_labels(ours: Any, truth: Matrix, other: Matrix) -> float:
    """Labels that do not occur in the truth are left out."""
    true = _support(truth) > 0
    return float(ours(truth[:, true], other[:, true])) if true.any() else math.nan


def of_both_classes(ours: Any, truth: Matrix, other: Matrix) -> float | str:
    """Labels that no sample has, or that all have, are left out; of none it raises."""
    both = truth.any(axis=0) & ~truth.all(axis=0)
    return float(ours(truth[:, both], other[:, both])) if both.any() else "raises RuntimeError"


def zero_of_none(ours: Any, truth: Matrix, other: Matrix) -> float | None:
    """It is 0 where nothing is predicted."""
    return None if other.sum() else 0.0


def of_predicted_samples(ours: Any, truth: Matrix, other: Matrix) -> float:
    """Samples without a prediction are left out; of none it is 0."""
    some = np.asarray(other.sum(axis=1)).ravel() > 0
    return float(ours(truth[some], other[some])) if some.any() else 0.0


def silence_is_free(ours: Any, truth: Matrix, other: Matrix) -> float:
    """F1 of the mean precision of samples with a prediction and the mean recall of all."""
    p = float(np.nan_to_num(example_based.precision(truth, other, zero_division=math.nan)))
    r = float(example_based.recall(truth, other))
    return 2 * p * r / (p + r) if p + r else 0.0


def padded(ours: Any, truth: Matrix, score: Matrix) -> float:
    """Five samples are added that have every label and score 1 for each."""
    more = np.ones((5, truth.shape[1]))
    return float(ours(np.vstack([truth, more]).astype(bool), np.vstack([score, more])))


def _support(truth: Matrix) -> Matrix:
    """How many samples have each label, of a sparse matrix, too."""
    return np.asarray(truth.sum(axis=0)).ravel()


def single_row(ours: Any, truth: Matrix, other: Matrix) -> str | None:
    """A matrix of one row becomes a vector in R."""
    return "raises error" if np.count_nonzero(truth.any(axis=1)) == 1 else None


def fills_empty_rows(ours: Any, truth: Matrix, other: Matrix) -> float:
    """A row without predictions gets its first label, as all its zeros are tied."""
    empty = np.flatnonzero(other.sum(axis=1) == 0)
    if isinstance(other, np.ndarray):
        filled = other.astype(bool)
        filled[empty, 0] = True
    else:
        first = np.ones(len(empty), dtype=bool), (empty, np.zeros_like(empty))
        filled = other + type(other)(first, shape=other.shape)
    return float(ours(truth, filled))


# ---------------------------------------------------------------------------- other ratios


def nan_of_no_hit(ours: Any, truth: Matrix, other: Matrix) -> float | None:
    """The harmonic mean of two zeros."""
    return None if label_based.confusion(truth, other).tp.any() else math.nan


def one_more(ours: Any, truth: Matrix, other: Matrix) -> float:
    """Micro precision with one more false alarm for each label that is never predicted."""
    tp, fp, _, _ = label_based.confusion(truth, other)
    return float(tp.sum() / np.maximum(tp + fp, 1).sum())


def f1_of_one_more(ours: Any, truth: Matrix, other: Matrix) -> float:
    """Micro F1 with that precision."""
    tp, fp, fn, _ = label_based.confusion(truth, other)
    return float(2 * tp.sum() / (np.maximum(tp + fp, 1) + tp + fn).sum())


def undivided(ours: Any, truth: Matrix, other: Matrix) -> float:
    """Wrong labels a sample."""
    return float(ours(truth, other) * truth.shape[1])


def of_labels_seen(ours: Any, truth: Matrix, other: Matrix) -> float:
    """Wrong labels over samples times labels that occur in the truth."""
    tp, fp, fn, _ = label_based.confusion(truth, other)
    with np.errstate(divide="ignore", invalid="ignore"):
        return float((fp + fn).sum() / (truth.shape[0] * np.count_nonzero(tp + fn)))


def up_to_the_last_seen(ours: Any, truth: Matrix, other: Matrix) -> float | str:
    """The mean over the labels up to the last one that occurs."""
    tp, fp, fn, _ = label_based.confusion(truth, other)
    if not (tp.any() and fp.any() and fn.any()):
        return "raises ValueError"
    last = np.flatnonzero(tp + fp + fn)[-1]
    return float(ours(truth, other, average=None)[: last + 1].mean())


def refuses_nothing(ours: Any, truth: Matrix, other: Matrix) -> str | None:
    """It divides by 0 where nothing is true and nothing predicted."""
    return None if truth.sum() or other.sum() else "raises ZeroDivisionError"


def with_epsilon(ours: Any, truth: Matrix, other: Matrix) -> float | None:
    """A ratio, with β on the other side; with its default epsilon, if that shows in the fourth place."""
    if "zero_division" not in ours.keywords:  # no ratio
        return None
    record: Any = catalogue.of(ours)
    axis = {"samples": 1, "macro": 0, "micro": None}[ours.keywords.get("average", "samples")]
    swapped = {option: 1 / ours.keywords[option] for option in record.required}
    part, whole = record.parts(counts.count(Data(truth, other), axis=axis), **swapped)
    # This Fβ is ours with both sides of the fraction β² times as large.
    epsilon = 1e-6 * truth.shape[axis or 0] * swapped.get("beta", 1) ** 2
    without, theirs = (float(np.mean(counts.divided(part, whole + e, 0))) for e in (0, epsilon))
    return theirs if abs(theirs - without) > 5e-5 else without


def of_an_empty_margin(ours: Any, truth: Matrix, other: Matrix) -> float | None:
    """Matthews' coefficient of all cells where it is 0/0: right against wrong, with an epsilon for 0."""
    counted = counts.count(Data(truth, other), axis=None)
    _, whole = counts.matthews_correlation(counted)
    right, wrong = int(counted.tp + counted.tn), int(counted.fp + counted.fn)
    if whole > 0:
        return None
    if not (right and wrong):
        return 1.0 if right else -1.0
    return (right - wrong) / math.sqrt((right + wrong) * right * wrong)


# ---------------------------------------------------------------------------- ties and other scores


def unstable_from(n_labels: int) -> Rule:
    """From so many labels on, an unstable sort breaks ties; where they matter, no rule holds."""

    def number(ours: Any, truth: Matrix, other: Matrix) -> str | None:
        is_dense = isinstance(other, np.ndarray)
        if truth.shape[1] < n_labels or (is_dense and not any_tie(other)):
            return None
        for rows in blocks(other):
            worst, best = (ours(truth[rows], other[rows], ties=t) for t in ("worst", "best"))
            if not close(worst, best):
                return NO_RULE
        return None

    return number


def unstable_down_from(n_samples: int) -> Rule:
    """The same down a column, where a positive and a negative are tied."""

    def number(ours: Any, truth: Matrix, other: Matrix) -> str | None:
        if truth.shape[0] < n_samples:
            return None
        for positive, score in zip(truth.T == 1, other.T, strict=True):
            if np.intersect1d(score[positive], score[~positive]).size:
                return NO_RULE
        return None

    return number


def unstable_squashed_from(n_labels: int) -> Rule:
    """The same of scores that went through a sigmoid."""
    unstable = unstable_from(n_labels)
    return lambda ours, truth, score: unstable(ours, truth, _squashed(score))


def _squashed(score: Matrix) -> Matrix:
    """Scores as torchmetrics sees them: outside 0 to 1 through a sigmoid in single precision."""
    if score.min() >= 0 and score.max() <= 1:
        return score
    with np.errstate(over="ignore"):
        return 1 / (1 + np.exp(-score.astype(np.float32)))


def shuffled(ours: Any, truth: Matrix, score: Matrix) -> str | None:
    """Tied scores are shuffled; where they matter, no rule holds."""
    worst, best = (ours(truth, score, ties=ties) for ties in ("worst", "best"))
    return None if close(worst, best) else NO_RULE


def saturated(ours: Any, truth: Matrix, score: Matrix) -> float | None:
    """Large scores tie after the sigmoid."""
    squashed = _squashed(score)
    return None if squashed is score else float(ours(truth, squashed))


def cut_down(n_thresholds: int) -> Rule:
    """Each score falls to the next lower of so many thresholds from 0 to 1."""

    def number(ours: Any, truth: Matrix, score: Matrix) -> float:
        cuts = np.linspace(0, 1, n_thresholds, dtype=np.float32)
        return float(ours(truth, np.searchsorted(cuts, _squashed(score), side="right")))

    return number


def nearly_tied(ours: Any, truth: Matrix, score: Matrix) -> float | None:
    """From the lowest score on, whatever lies less than 1e-6 above the lowest of a tie joins it."""
    gaps = np.diff(np.sort(score.astype(float), axis=1))
    if not ((gaps > 0) & (gaps < 1e-6)).any():
        return None
    order = np.argsort(score, axis=1)
    ascending = np.take_along_axis(score.astype(float), order, axis=1)
    for below, above in zip(ascending.T[:-1], ascending.T[1:], strict=True):
        np.copyto(above, below, where=above - below < 1e-6)
    tied = np.empty_like(ascending)
    np.put_along_axis(tied, order, ascending, axis=1)
    return float(ours(truth, tied))


def counts_tied_above(ours: Any, truth: Matrix, score: Matrix) -> float | None:
    """Average precision whose tied relevant labels each count all of the tie as above them."""
    ties, undefined = ours.keywords["ties"], ours.keywords["undefined"]
    if ties not in ("best", "average") or not any_tie(score):
        return None
    rank = ranking.ranks(score, ties=ties)
    among_relevant = ranking.ranks(np.where(truth, -rank, -rank.shape[1] - 1))
    shares = np.where(truth, among_relevant / rank, 0).sum(axis=1)
    return counts.mean(counts.divided(shares, truth.sum(axis=1, dtype=float), undefined))


def _bins(score: Matrix) -> Matrix:
    """The one of 200 bins in which keras puts each score, the lower end not included."""
    bins: Matrix = np.ceil(score.astype(np.float32) * np.float32(199)).astype(int) - 1
    return np.clip(bins, 0, 199)


def binned(ours: Any, truth: Matrix, score: Matrix) -> float:
    """The value of the bins."""
    return float(ours(truth, _bins(score)))


def interpolated(ours: Any, truth: Matrix, score: Matrix) -> float:
    """The area under the curve of the bins as Davis and Goadrich (2006) interpolate it."""
    pooled = (-1, 1) if ours.keywords["average"] == "micro" else truth.shape
    columns = zip(truth.reshape(pooled).T, _bins(score).reshape(pooled).T, strict=True)
    return float(np.mean([_davis_goadrich(label, bins) for label, bins in columns]))


def _davis_goadrich(truth: Matrix, bins: Matrix) -> float:
    """The area between each threshold and the next higher one, added up."""
    hits, predicted = (
        np.bincount(chosen, minlength=201)[::-1].cumsum()[::-1]
        for chosen in (bins[truth > 0], bins)
    )
    more_hits, more = hits[:-1] - hits[1:], predicted[:-1] - predicted[1:]
    with np.errstate(divide="ignore", invalid="ignore"):
        slope = np.where(more > 0, more_hits / more, 0)
        ratio = np.where(predicted[1:] > 0, predicted[:-1] / predicted[1:], 1)
    offset = hits[1:] - slope * predicted[1:]
    area = (slope * (more_hits + offset * np.log(ratio))).sum()
    return float(area / hits[0]) if hits[0] else 0.0


def upper_edges(ours: Any, truth: Matrix, other: Matrix) -> float:
    """Calibration error of all cells, whose bins have their lower edge; 1 has a bin of its own."""
    n = ours.keywords["bins"]
    low = [i * (1 / n) for i in range(n // 2 + 1)]  # as torch.linspace has them, to the last bit
    edges = low + [float(1 - i * Fraction(1 / n)) for i in reversed(range(n - n // 2))]
    which = np.searchsorted(edges, other.ravel(), side="right") - 1
    held = np.bincount(which, minlength=n + 1)
    apart = np.abs(np.bincount(which, (truth - other).ravel(), n + 1))
    share, gap = held / held.sum(), apart / np.maximum(held, 1)
    return float(probability.NORMS[ours.keywords["norm"]](share[None], gap[None])[0])


def capped(axis: int) -> Rule:
    """What is true has a probability of at least 1 ÷ the number of samples (0) or of labels (1)."""

    def number(ours: Any, truth: Matrix, other: Matrix) -> float:
        least = 1 / truth.shape[axis]
        return float(-np.log(np.maximum(np.abs(truth - 1.0 + other), least)).mean())

    return number


def pooled(ours: Any, truth: Matrix, score: Matrix) -> float:
    """Hits and relevant labels of all samples, added up before they are divided."""
    return float(ours(truth, score, sample_weight=truth.sum(axis=1))) if truth.sum() else 0.0


def of_own_ranks(ours: Any, truth: Matrix, score: Matrix) -> float:
    """Each sample's gain is divided by the discounts of as many ranks as it has relevant labels, up to k."""
    k = ours.keywords["k"]
    ranks = np.clip(np.asarray(truth.sum(axis=1)).ravel().astype(int), 1, k)
    each = ordering.discounts(k).cumsum()[ranks - 1]
    return float(ours(truth, score, sample_weight=1 / each))


def only_positive_scores(ours: Any, truth: Matrix, score: Matrix) -> float | None:
    """R-precision in which what scores 0 or less is no hit."""
    if (score[truth > 0] > 0).all():
        return None
    n_relevant = truth.sum(axis=1)
    first = ranking.ranks(score, ties=ours.keywords["ties"]) <= n_relevant[:, None]
    hits = (first & (truth > 0) & (score > 0)).sum(axis=1)
    return float(np.mean(hits / np.maximum(n_relevant, 1)))


def first_20(ours: Any, truth: Matrix, score: Matrix) -> float | None:
    """Only the first 20 labels of each sample are in the list, but every positive counts."""
    if truth.shape[1] <= 20 or not truth.any():
        return None
    inside = thresholds.top(score, 20, ties="last") > 0
    of_list = curves.average_precision(truth[inside][:, None], score[inside][:, None])
    return float(of_list * truth[inside].sum() / truth.sum())


def fewer_than_all(ours: Any, truth: Matrix, score: Matrix) -> str | None:
    """It refuses the number of labels as k."""
    all_are_first = isinstance(score, np.ndarray) and ours.keywords["k"] >= truth.shape[1]
    return "raises ValueError" if all_are_first else None


def zero_is_none(ours: Any, truth: Matrix, score: Matrix) -> float:
    """A label that scores 0 is not predicted."""
    return float(ours(truth, inputs.stored_scores(score)))


def of_predicted(ours: Any, truth: Matrix, score: Matrix) -> float:
    """Hits over k, or over the labels predicted where these are fewer."""
    stored, k = inputs.stored_scores(score), ours.keywords["k"]
    each = ours(truth, stored, per_sample=True)
    return float(np.mean(each * k / np.clip(np.diff(stored.indptr), 1, k)))
