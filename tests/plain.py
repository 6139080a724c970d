"""F1s and best thresholds in plain NumPy, for data too large for fractions."""

from functools import cache, partial

import numpy as np

from mlm_course import emoji
from mlm_helpers import data

MODELS = "neighbours", "trees", "linear"


def f1(y_true, y_pred, axis=None):
    """F1 of each row (axis 1), of each label (axis 0) or of all cells; 0/0 is 0."""
    hits = (y_true * y_pred).sum(axis=axis)
    return f1_of_counts(hits, y_pred.sum(axis=axis), y_true.sum(axis=axis))


def micro_f1(y_true, y_pred):
    return float(f1(y_true, y_pred))


def macro_f1(y_true, y_pred):
    return float(f1(y_true, y_pred, axis=0).mean())


def samples_f1(y_true, y_pred):
    return float(f1(y_true, y_pred, axis=1).mean())


def at(y_score, threshold):
    return (y_score >= threshold).astype(int)


def counts_at_thresholds(y_true, y_score):
    """Thresholds from the highest down, and each label's hits and predicted cells there.

    The counts have the shape (n_thresholds, n_labels).

    The first threshold is infinite, the others are all scores.
    """
    thresholds = np.array([np.inf, *np.unique(y_score)[::-1]])

    def n_reached(scores):
        """How many of the scores reach each threshold."""
        return len(scores) - np.searchsorted(np.sort(scores), thresholds)

    columns = list(zip(y_true.T, y_score.T, strict=True))
    hits = [n_reached(scores[truth == 1]) for truth, scores in columns]
    predicted = [n_reached(scores) for _, scores in columns]
    return thresholds, np.transpose(hits), np.transpose(predicted)


def f1_of_counts(hits, predicted, true):
    """F1s of counts of hits, predicted cells and true cells; 0/0 is 0."""
    return 2 * hits / np.maximum(predicted + true, 1)


def macro(hits, predicted, true):
    """Macro F1 at each threshold, from counts as of `counts_at_thresholds` and supports."""
    return f1_of_counts(hits, predicted, true).mean(axis=1)


def micro(hits, predicted, true):
    """Micro F1 at each threshold, from the same counts."""
    return f1_of_counts(hits.sum(axis=1), predicted.sum(axis=1), true.sum())


def correct_cells_gained(hits, predicted, true):
    """At each threshold, the number of correct cells, less the number if nothing were predicted."""
    return (2 * hits - predicted).sum(axis=1)


def best_threshold(y_true, y_score, value=micro):
    """The threshold with the largest ``value`` of hits, predicted cells and support.

    Of equal ones it is the highest.
    """
    thresholds, hits, predicted = counts_at_thresholds(y_true, y_score)
    values = value(hits, predicted, y_true.sum(axis=0))
    return thresholds[np.argmax(np.round(values, 12), axis=0)]


best_thresholds = partial(best_threshold, value=f1_of_counts)  # one per label


@cache
def halves(repeat=0):
    """Truth and models' scores of the half on which thresholds are tuned, and of the test half."""
    y, scores = emoji.load().y, emoji.scores(repeat)
    is_tuning = data.folds(y, 2, seed=repeat + 1) == 0
    masks = is_tuning, ~is_tuning
    return tuple((y[mask], {m: s[mask] for m, s in scores.items()}) for mask in masks)


@cache
def split(repeat=0, value=micro):
    """Truth, scores and predictions of the test half, at the best thresholds of the other half."""
    (y_tune, tune), (y_test, test) = halves(repeat)
    sets = {m: at(test[m], best_threshold(y_tune, tune[m], value)) for m in MODELS}
    sets["frequent"] = np.zeros_like(y_test)
    sets["frequent"][:, y_tune.sum(axis=0).argmax()] = 1
    sets["nothing"] = np.zeros_like(y_test)
    return y_test, {model: test[model] for model in sets}, sets
