"""Notebook 12 on top k and curves in a scorecard."""

from functools import partial
from math import isclose

import numpy as np

from claims import claim
from mlm_helpers import catalogue, curves, ranking, top_k
from mlm_helpers.scorecard import Scorecard


@claim(
    "Give y_score too, and the ranking and top-k metrics are there as well: each is a mean over"
    " samples."
)
def _():
    y_true, y_score = np.random.default_rng(0).integers(2, size=(2, 4, 3))
    values = Scorecard.from_batch(y_true, y_score=y_score, k=2).values()
    means = [ranking.coverage, ranking.one_error, ranking.ranking_loss, ranking.average_precision]
    means += [partial(metric, k=2) for metric in (top_k.precision, top_k.recall, top_k.ndcg)]
    return all(
        isclose(f(y_true, y_score, per_sample=True).mean(), values[catalogue.describe(f)])
        for f in means
    )


@claim(
    "AP and AUROC are no means over samples.",
    "They need all scores of a label in one list, so a card leaves them out, and says so.",
    "But between given cuts positives and negatives are counts, and counts add up.",
)
def _():
    """Two columns in which every batch is perfect, and the whole is not."""
    y_true, y_score = [[1], [0], [1], [0]], [[0.9], [0.6], [0.4], [0.1]]
    batches = [(y_true[i : i + 2], y_score[i : i + 2]) for i in (0, 2)]
    card = sum(Scorecard.from_batch(t, y_score=s, cuts=[0.5]) for t, s in batches)
    metrics = {"macro AP": curves.average_precision, "macro AUROC": curves.roc_auc}
    return (
        set(card.left_out()) == set(metrics)
        and all(f"Left out: {name}" in repr(card) for name in metrics)
        and not set(metrics) & set(card.values())
        and all(
            f(*batches[0]) == f(*batches[1]) == 1 > f(y_true, y_score)
            and card.bounds()[name].low <= f(y_true, y_score) <= card.bounds()[name].high < 1
            for name, f in metrics.items()
        )
    )


@claim(
    "From them the card knows the value of scores rounded to bins, and between which two numbers"
    " that of the scores themselves lies:",
    "More bins, closer bounds.",
    "The card's size depends on the number of bins, not of rows.",
)
def _(rows, truth, score, cuts, card):
    of_bins, (_, exact, *_) = rows[:-1], rows[-1]
    rounded = curves.roc_auc(truth, np.searchsorted(cuts, score, side="right"))
    widths = [high - low for _, _, low, high in of_bins]
    once = Scorecard.from_batch(truth[:9], y_score=score[:9], cuts=cuts)
    kept = [
        sum(len(getattr(c.bins, of).ravel()) for of in ("positives", "negatives"))
        for c in (card, once)
    ]
    return (
        isclose(of_bins[-1][1], rounded)
        and isclose(exact, curves.roc_auc(truth, score))
        and all(low <= exact <= high for _, _, low, high in of_bins)
        and widths == sorted(widths, reverse=True)
        and kept == [2 * truth.shape[1] * (len(cuts) + 1)] * 2
    )
