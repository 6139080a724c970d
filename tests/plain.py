"""Counted once more in plain NumPy, for data too large for fractions: F1s, and the best cut of all there are."""

from functools import cache, partial

import numpy as np

from mlm_course import emoji
from mlm_helpers import data

MODELS = "neighbours", "trees", "linear"


def f1(y_true, y_pred, axis=None):
    """Of each row (axis 1), of each label (axis 0) or of all cells; 0/0 is 0."""
    hits = (y_true * y_pred).sum(axis=axis)
    return f1_of_counts(hits, y_pred.sum(axis=axis), y_true.sum(axis=axis))


def micro_f1(y_true, y_pred):
    return float(f1(y_true, y_pred))


def macro_f1(y_true, y_pred):
    return float(f1(y_true, y_pred, 0).mean())


def samples_f1(y_true, y_pred):
    return float(f1(y_true, y_pred, 1).mean())


def at(y_score, cut):
    return (y_score >= cut).astype(int)


# ---------------------------------------------------------------------------- every cut


def counts_at_thresholds(y_true, y_score):
    """Cuts, from one above all scores down to the lowest; and of each label the hits and predicted cells at each."""
    scores, place = np.unique(-y_score, return_inverse=True)
    n_cuts, n_labels = len(scores) + 1, y_true.shape[1]
    cells = ((place.reshape(y_score.shape) + 1) * n_labels + np.arange(n_labels)).ravel()
    hits, predicted = (
        np.bincount(cells, weights, n_cuts * n_labels).reshape(n_cuts, n_labels).cumsum(axis=0)
        for weights in (y_true.ravel(), None)
    )
    return np.array([np.inf, *-scores]), hits, predicted


def f1_of_counts(hits, predicted, true):
    """F1s of counts."""
    return 2 * hits / np.maximum(predicted + true, 1)


def macro(hits, predicted, true):
    return f1_of_counts(hits, predicted, true).mean(axis=1)


def micro(hits, predicted, true):
    return f1_of_counts(hits.sum(axis=1), predicted.sum(axis=1), true.sum())


def correct_cells_gained(hits, predicted, true):
    """How many more cells are right than if nothing were predicted."""
    return (2 * hits - predicted).sum(axis=1)


def best_threshold(y_true, y_score, value=micro):
    """The highest cut whose value no other exceeds."""
    cuts, hits, predicted = counts_at_thresholds(y_true, y_score)
    values = value(hits, predicted, y_true.sum(axis=0))
    return cuts[np.argmax(np.round(values, 12), axis=0)]


best_thresholds = partial(best_threshold, value=f1_of_counts)  # of each label


# ---------------------------------------------------------------------------- the emoji


@cache
def halves(repeat=0):
    """Truth and scores of the half to tune on, and of the half that judges."""
    y, scores = emoji.load().y, emoji.scores(repeat)
    first = data.folds(y, 2, seed=repeat + 1) == 0
    return tuple((y[half], {m: s[half] for m, s in scores.items()}) for half in (first, ~first))


@cache
def split(repeat=0, value=micro):
    """Truth, scores and sets of the half that judges, at the best cuts on the other half."""
    (y_tune, tune), (y_test, test) = halves(repeat)
    sets = {m: at(test[m], best_threshold(y_tune, tune[m], value)) for m in MODELS}
    sets["frequent"] = np.zeros_like(y_test)
    sets["frequent"][:, y_tune.sum(axis=0).argmax()] = 1
    sets["nothing"] = np.zeros_like(y_test)
    return y_test, {model: test[model] for model in sets}, sets
