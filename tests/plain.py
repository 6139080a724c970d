"""Counted once more in plain NumPy, for data too large for fractions: F1s, and the best cut by trying all."""

from functools import cache

import numpy as np

from mlm_course import emoji
from mlm_helpers import data

MODELS = "neighbours", "trees", "linear"


def f1(y_true, y_pred, axis=None):
    """Of each row (axis 1), of each label (axis 0) or of all cells; 0/0 is 0."""
    hits = (y_true * y_pred).sum(axis=axis)
    whole = y_true.sum(axis=axis) + y_pred.sum(axis=axis)
    return 2 * hits / np.maximum(whole, 1)


def micro_f1(y_true, y_pred):
    return float(f1(y_true, y_pred))


def macro_f1(y_true, y_pred):
    return float(f1(y_true, y_pred, 0).mean())


def samples_f1(y_true, y_pred):
    return float(f1(y_true, y_pred, 1).mean())


def at(y_score, cut):
    return (y_score >= cut).astype(int)


def best_cut(metric, y_true, y_score):
    """Of all scores, and one above them all, the highest whose value no other exceeds."""
    cuts = [np.inf, *np.unique(y_score)[::-1]]
    values = [metric(y_true, at(y_score, cut)) for cut in cuts]
    return cuts[int(np.argmax(np.round(values, 12)))]


def best_cuts(y_true, y_score):
    """For each label the cut of its best F1."""
    columns = zip(y_true.T, y_score.T, strict=True)
    return np.array([best_cut(micro_f1, truth, score) for truth, score in columns])


def halves(repeat=0):
    """Truth and scores of the half to tune on, and of the half that judges."""
    y, scores = emoji.load().y, emoji.scores(repeat)
    first = data.folds(y, 2, seed=repeat + 1) == 0
    return tuple((y[half], {m: s[half] for m, s in scores.items()}) for half in (first, ~first))


@cache
def split(repeat=0, metric=micro_f1):
    """Truth, scores and sets of the half that judges, at the best cuts on the other half."""
    (y_tune, tune), (y_test, test) = halves(repeat)
    sets = {m: at(test[m], best_cut(metric, y_tune, tune[m])) for m in MODELS}
    sets["frequent"] = np.zeros_like(y_test)
    sets["frequent"][:, y_tune.sum(axis=0).argmax()] = 1
    sets["nothing"] = np.zeros_like(y_test)
    return y_test, {model: test[model] for model in sets}, sets
