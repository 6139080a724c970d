"""Notebook 06: "One number for all labels" and "Which “average precision”?"."""

from statistics import mean

import numpy as np
import sklearn.metrics as skm

from claims import always, claim, on_trust
from claims.curves import READ, ap, columns, near
from mlm_helpers import curves, ranking

# ---------------------------------------------------------------------------- averages


@claim(
    "Macro is the mean over labels.",
    "Weighted is that mean with a vote for each positive.",
    "Macro AP is known as mAP, mean average precision.",
)
def _(y_true, y_score):
    """In ML-GCN's and in ASL's words, mAP is the mean of the classes' AP."""
    read = [ap(*column) for column in columns(y_true, y_score)]
    votes = [v for v, column in zip(read, y_true.T, strict=True) for _ in range(column.sum())]
    ours = [curves.average_precision(y_true, y_score, average=a) for a in ("macro", "weighted")]
    return near(ours, [mean(read), mean(votes)]) and ours[0] == curves.average_precision(
        y_true, y_score
    )


@claim(
    "Micro puts all ten cells into one list, so that a score for dog is compared with one for sea."
)
def _(y_true, y_score):
    listed = [y_true.ravel().tolist(), y_score.ravel().tolist()]
    one = [read(*listed) for read in READ]
    apart = [metric(y_true, y_score * [1, 0.1], average="micro") for metric in READ.values()]
    micro = [metric(y_true, y_score, average="micro") for metric in READ.values()]
    return y_true.size == 10 and near(micro, one) and not near(micro, apart)


@claim(
    "In notebook 05 average precision was read along each row.",
    "This is label ranking average precision, LRAP, in scikit-learn.",
    "What mAP is over columns, LRAP is over rows.",
)
def _():
    def holds(y_true, y_score):
        by_row = [ap(*row) for row in zip(y_true.tolist(), y_score.tolist(), strict=True)]
        lrap = mean(1 if value is None else value for value in by_row)
        by_column = [ap(*column) for column in columns(y_true, y_score)]
        m_ap = mean(0 if value is None else value for value in by_column)
        ours = ranking.average_precision(y_true, y_score), curves.average_precision(y_true, y_score)
        theirs = skm.label_ranking_average_precision_score(y_true, y_score)
        return near(ours, (lrap, m_ap)) and near(theirs, lrap)

    said = (skm.label_ranking_average_precision_score.__doc__ or "").lower()
    return "label ranking average precision (lrap)" in said.replace("\n", " ") and always(
        holds, [(2, 2)]
    )


# ---------------------------------------------------------------------------- which one


@claim(
    "In every photo the right label has the higher score, so LRAP is 1.",
    "But photo 4, which shows the sea, has the lowest score of that column, and mAP is 0.753.",
)
def _(y_true, y_score, photos, labels):
    right = [row[t == 1].min() > row[t == 0].max() for t, row in zip(y_true, y_score, strict=True)]
    photo, sea = photos.index("photo 4"), labels.index("sea")
    lowest = y_true[photo, sea] == 1 and y_score[:, sea].argmin() == photo
    values = [mean(ap(*column) for column in columns(*data)) for data in
              ((y_true.T, y_score.T), (y_true, y_score))]  # fmt: skip
    return all(right) and lowest and values[0] == 1 and round(float(values[1]), 3) == 0.753


@claim(
    "LRAP judges the labels that a photo is given, mAP the photos that a label finds.",
    "Say which “average precision” you mean.",
)
def _():
    """Raising a photo's scores leaves the one as it is, raising a label's the other; not otherwise."""
    photo, label = np.array([[4], [0]]), np.array([[4, 0]])

    def stays(metric, by):
        return lambda y_true, y_score: near(metric(y_true, y_score), metric(y_true, y_score + by))

    lrap, m_ap = ranking.average_precision, curves.average_precision
    own = (lrap, photo), (m_ap, label)
    other = (lrap, label), (m_ap, photo)
    return all(always(stays(*one), [(2, 2)]) for one in own) and not any(
        always(stays(*one), [(2, 2)]) for one in other
    )


on_trust(
    "A user told the authors of ML-GCN, a model that tags pictures, that their mAP is wrong, because"
    " it is not taken along the samples.",
    "the thread",
)
on_trust("An author of ImageNet21K calls the same macro mean “(micro) mAP”.", "the thread")
