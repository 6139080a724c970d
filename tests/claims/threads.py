"""What notebook 11 answers to threads, beside their numbers, where they print some."""

from itertools import chain
from math import nan

import numpy as np
from sklearn import metrics as sklearn_metrics
from sklearn.neighbors import KNeighborsClassifier

from claims import always, claim, sometimes
from claims.conventions import RECORDS, close, refuses
from mlm_helpers import (
    catalogue,
    conventions,
    exact_match,
    example_based,
    hamming,
    label_based,
    ranking,
)
from mlm_helpers.conventions import TOOLS, number
from mlm_helpers.conventions.quantities import quantities


def one_hot(classes, labels):
    return np.equal.outer(classes, labels).astype(int)


# ---------------------------------------------------------------------------- threads


@claim(
    "scikit-learn #13421, #16832, PR #19874: its accuracy, and a classifier's score, is exact match."
)
def _():
    """The data of #13421, and the pattern of #16832: a wrong answer in each sample."""
    truth = [[1, 0, 1], [0, 0, 1], [1, 0, 0], [1, 0, 1], *[[1, 1, 1]] * 3]
    pred = [[1, 0, 1], [1, 1, 0], [1, 0, 0], [0, 0, 1], *[[1, 1, 1]] * 3]
    wrong = (np.zeros((3, 3), dtype=int), np.eye(3, dtype=int))
    answers = []
    for y_true, y_pred in ((np.array(truth), np.array(pred)), wrong):
        points = np.arange(len(y_true)).reshape(-1, 1)
        model = KNeighborsClassifier(n_neighbors=1).fit(points, y_pred)
        score, accuracy = (
            model.score(points, y_true),
            sklearn_metrics.accuracy_score(y_true, y_pred),
        )
        answers.append((accuracy, score, exact_match.subset_accuracy(y_true, y_pred)))
    return all(close(*one) for one in answers) and close(answers[0][0], 5 / 7) and not answers[1][0]


@claim("torchmetrics #1853, mldr #28, #47: another camp of “accuracy”.")
def _():
    """The 0.5000045 of #1853, where accuracy_score is 0; (TP + TN) / all of #28."""
    rng = np.random.default_rng(42)
    preds, targets = (rng.integers(0, 2, (20000, 200)) for _ in range(2))
    label_wise = quantities()["1 − Hamming loss"]
    same_camp = TOOLS["torchmetrics"].metrics[label_wise.name].call == "MultilabelAccuracy"
    printed = round(label_wise.function(targets, preds), 7) == 0.5000045
    return same_camp and printed and exact_match.subset_accuracy(targets, preds) == 0


@claim('scikit-learn PR #26713: empty equals empty, as in "agree".')
def _():
    empty = [[0, 0, 0, 0]]
    theirs = sklearn_metrics.f1_score(
        [empty[0]] * 2, [empty[0]] * 2, average="samples", zero_division=0
    )
    return theirs == 0 and example_based.f1(empty, empty, zero_division="agree") == 1


@claim("scikit-learn #31052: a false alarm against an empty truth is 0, not 0/0.")
def _():
    data = [one_hot(classes, [0, 1, 2, 3]) for classes in ([0, 1, 0, 3], [0, 1, 2, 2])]
    recall, f1 = (
        m(*data, average=None, zero_division=nan)[2] for m in (label_based.recall, label_based.f1)
    )
    theirs = sklearn_metrics.f1_score(*data, average=None, zero_division=nan)[2]
    return np.isnan(recall) and f1 == theirs == 0


@claim(
    "mldr #45, mlr #2167: two formulas, two rules for 0/0: precision or recall can be 0/0 where F1 is not."
)
def _():
    def undefined(metric, y_true, y_pred):
        return np.isnan(metric(y_true, y_pred, zero_division=nan, per_sample=True)).any()

    return sometimes(
        lambda y_true, y_pred: (
            (
                undefined(example_based.precision, y_true, y_pred)
                or undefined(example_based.recall, y_true, y_pred)
            )
            and not undefined(example_based.f1, y_true, y_pred)
        )
    )


@claim("utiml #17: an absent label's F1 counts 0, and an empty prediction gets a label.")
def _():
    """Its four samples: the first without labels, the third label nobody's; F1 by label 6/7 1 0 1 1."""
    y = [[0, 0, 0, 0, 0], [1, 1, 0, 0, 1], [1, 0, 0, 1, 0], [1, 0, 0, 1, 0]]
    return close(number("utiml", "macro F1", y, y), (6 / 7 + 1 + 0 + 1 + 1) / 5)


@claim("scikit-learn #7220, #8747, PR #19589: the mean of the F1s is not the F1 of the means.")
def _():
    """The data of #8747, and the two numbers that it prints."""
    truth = one_hot([1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 4], [1, 2, 3, 4])
    pred = one_hot([1, 1, 1, 0, 0, 2, 2, 3, 3, 3, 4, 3, 4, 3], [1, 2, 3, 4])
    of_means = conventions.DERIVED["F1 of macro precision and macro recall"](truth, pred)
    return close(label_based.f1(truth, pred), 0.6041666666666666) and close(
        of_means, 0.6361290322580646
    )


@claim("pyxclib #25: a mean of recalls is not a pooled recall.")
def _():
    gold = [[1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 0]]
    top = [[0, 0, 1, 0]] * 3
    pooled = label_based.recall(gold, top, average="micro")
    return close(pooled, 0.4) and close(example_based.recall(gold, top), 0.5)


@claim(
    "scikit-learn #10840: average precision is a mean over samples; weigh each by its number of"
    " labels for one over labels."
)
def _():
    def says(y_true, y_score):
        shares = [
            [(scores[row] >= s).sum() / (scores >= s).sum() for s in scores[row]]
            for row, scores in zip(y_true.astype(bool), y_score, strict=True)
            if row.any()
        ]
        sizes = y_true.sum(axis=1)
        theirs = sklearn_metrics.label_ranking_average_precision_score
        weighted = theirs(y_true, y_score, sample_weight=sizes) if y_true.shape[1] > 1 else 1
        ours = ranking.average_precision(y_true, y_score, undefined=nan)
        of_samples, of_labels = np.mean([np.mean(s) for s in shares]), np.mean(list(chain(*shares)))
        return close(ours, of_samples) and close(weighted, of_labels)

    return always(lambda y_true, y_score: not y_true.any() or says(y_true, y_score))


@claim("torchmetrics #452: samplewise is a value per sample.")
def _():
    said = TOOLS["torchmetrics"].metrics["samples F1"].call
    return "samplewise" in said and all(
        conventions.same(
            case.numbers["samples F1"]["torchmetrics"], example_based.f1(case.y_true, case.y_pred)
        )
        for case in RECORDS.values()
        if "samples F1" in case.numbers
    )


@claim("torchmetrics #1604, #2195, #2329: apply the sigmoid yourself.")
def _(departures):
    squashed = next(d for tool, d in departures if tool == "torchmetrics" and "sigmoid" in d.says)
    given = np.array(squashed.y_other)
    ways_to = (1 / (1 + np.exp(-given)), np.minimum(given, 1))
    losses = [hamming.hamming_loss(squashed.y_true, scores > 0.5) for scores in ways_to]
    return losses == [0.5, 0] and squashed.shows.startswith("Hamming distance 0.5")


@claim("scikit-learn #29514: an unknown label is neither 0 nor 1; we refuse it.")
def _():
    return all(refuses(metric, [[1, nan]], [[1, 0]]) for metric in catalogue.variants().values())
