"""What the claims about sets of labels have in common: sizes, ratios, equality in all small worlds."""

from fractions import Fraction

import numpy as np

from claims import always
from mlm_helpers import worked
from mlm_helpers.course.figures.grids import RATIOS, looks
from mlm_helpers.course.figures.look import MARKS


def each(metric, *data, **options):
    return metric(*data, per_sample=True, **options)


def sizes(y_true, y_pred):
    """Of each sample: hits, true labels, predicted labels, and those that are one or the other."""
    t, p = np.array(y_true), np.array(y_pred)
    return np.array([(t & p).sum(1), t.sum(1), p.sum(1), (t | p).sum(1)])


def over(part, whole):
    """A value per sample, where 0/0 is 0."""
    return np.divide(part, whole, out=np.zeros(len(part)), where=whole > 0)


def same(*values):
    return all(np.allclose(values[0], other) for other in values[1:])


def always_same(*sides):
    """Whether all sides, made of truth and prediction, are equal in all small worlds."""
    return always(lambda y_true, y_pred: same(*(side(y_true, y_pred) for side in sides)))


def rows(metric, **options):
    return lambda y_true, y_pred: each(metric, y_true, y_pred, **options)


def turned(metric):
    return lambda y_true, y_pred: metric(y_pred, y_true)


def ratio(read):
    """The values of samples, part over whole, where `read` makes the two of their sizes."""
    return lambda y_true, y_pred: over(*read(*sizes(y_true, y_pred)))


def grey(name):
    """The outcomes that do not count in a picture, in words."""
    outcomes = zip(MARKS, looks(RATIOS[name]), strict=True)
    return {mark.word for mark, look in outcomes if look.word == "not counted"}


def is_solved_in_fractions(record):
    """Or else its formula has a logarithm: a true label that is second of two is worth 1/log2(3) there."""
    has_scores = record.reads == "y_score"
    said = [[0.75, 0.25] if has_scores else [1, 0]] * 2
    k = {"k": 2} if "k" in record.required else {}
    found = worked.solve(record.function, [[0, 1], [1, 0]], said, **{**record.required, **k})
    return isinstance(found.value, Fraction) is (r"\log" not in record.latex)
