"""What the glossary says a word means: counted in plain Python, on all small worlds.

A sentence that only names a thing stands here a second time, so that neither changes alone.
"""

from __future__ import annotations

from functools import partial
from itertools import product
from math import log2
from statistics import harmonic_mean, mean, pstdev

import numpy as np
import pytest
from claims import Check, always
from sklearn.metrics import auc

from mlm_helpers import (
    curves,
    exact_match,
    example_based,
    hamming,
    label_based,
    ranking,
    records,
    top_k,
    uncertainty,
)  # fmt: skip
from tools import glossary

MEANS: dict[str, Check] = {}


def means(*sentences: str):
    def beside(check: Check) -> Check:
        MEANS.update(dict.fromkeys(sentences, check))
        return check

    return beside


def sets(matrix):
    """The labels of each row; of the transposed matrix, the samples of each label."""
    return [{j for j, cell in enumerate(row) if cell} for row in np.asarray(matrix).tolist()]


def share(part, whole):
    return part / whole if whole else 0.0


def each(y_true, y_pred, value, along=None):
    """A value of each row, or of each column, from the sets of truth and prediction."""
    pairs = zip(sets(y_true), sets(y_pred), strict=True)
    if along == "columns":
        pairs = zip(sets(y_true.T), sets(y_pred.T), strict=True)
    return [value(true, said) for true, said in pairs]


def same(a, b):
    return np.allclose(a, b, rtol=0, atol=1e-12)


def jaccard(true, said):
    return share(len(true & said), len(true | said))


def precision(true, said):
    return share(len(true & said), len(said))


def recall(true, said):
    return share(len(true & said), len(true))


def f1(true, said):
    return share(2 * len(true & said), len(said) + len(true))


def counts(y_true, y_pred):
    """Hits, false alarms, misses and what is rightly left out, cell by cell."""
    cells = list(zip(np.ravel(y_true).tolist(), np.ravel(y_pred).tolist(), strict=True))
    return [cells.count(kind) for kind in [(1, 1), (0, 1), (1, 0), (0, 0)]]


# --- cells


@means("hit: the label applies, and the model says so",
       "false alarm: the model says so, but the label does not apply",
       "miss: the label applies, but the model does not say so",
       "rightly left out: the label does not apply, and the model does not say so")  # fmt: skip
def _(y_true, y_pred):
    found = label_based.confusion(y_true, y_pred)
    sums = [sum(column) for column in (found.tp, found.fp, found.fn, found.tn)]
    return same(sums, counts(y_true, y_pred))


@means("Hamming loss: the share of cells that are wrong")
def _(y_true, y_pred):
    _, alarms, misses, _ = counts(y_true, y_pred)
    return same(hamming.hamming_loss(y_true, y_pred), (alarms + misses) / y_true.size)


@means("label-wise accuracy: the share of cells that are right")
def _(y_true, y_pred):
    hits, _, _, left = counts(y_true, y_pred)
    return same(1 - hamming.hamming_loss(y_true, y_pred), (hits + left) / y_true.size)


@means("label density: the share of ones in the truth")
def _(y_true, y_pred):
    return same(hamming.hamming_loss(y_true, 0 * y_pred), sum(np.ravel(y_true)) / y_true.size)


# --- rows


@means("exact match: the share of samples whose predicted labels are exactly the true ones")
def _(y_true, y_pred):
    right = each(y_true, y_pred, lambda true, said: float(true == said))
    return same(exact_match.subset_accuracy(y_true, y_pred), mean(right))


@means("zero-one loss: the share of samples with at least one mistake")
def _(y_true, y_pred):
    wrong = each(y_true, y_pred, lambda true, said: float(len(true ^ said) >= 1))
    return same(exact_match.zero_one_loss(y_true, y_pred), mean(wrong))


@means("example-based: one value for each sample, then the mean",
       "Jaccard index: the size of the intersection of two sets, over the size of their union",
       "accuracy (Jaccard): the Jaccard index of truth and prediction of each sample, then the mean",
       "intersection: the labels that two sets share",
       "union: all labels that two sets hold together")  # fmt: skip
def _(y_true, y_pred):
    values = each(y_true, y_pred, jaccard)
    one = example_based.accuracy(y_true, y_pred, per_sample=True)
    return same(one, values) and same(example_based.accuracy(y_true, y_pred), mean(values))


@means("precision: of all that is predicted, the share that is true")
def _(y_true, y_pred):
    return same(example_based.precision(y_true, y_pred), mean(each(y_true, y_pred, precision)))


@means("recall: of all that is true, the share that is predicted")
def _(y_true, y_pred):
    return same(example_based.recall(y_true, y_pred), mean(each(y_true, y_pred, recall)))


@means("F1: twice the hits, over all that is predicted plus all that is true")
def _(y_true, y_pred):
    return same(example_based.f1(y_true, y_pred), mean(each(y_true, y_pred, f1)))


@means("Fβ: F1 in which recall counts β times as much as precision")
def _(y_true, y_pred):
    """So van Rijsbergen's weights of a harmonic mean are 1 for precision and β² for recall."""

    def f2(true, said):
        p, r = precision(true, said), recall(true, said)
        return 5 / (1 / p + 4 / r) if p and r else 0.0

    return same(example_based.fbeta(y_true, y_pred, beta=2), mean(each(y_true, y_pred, f2)))


@means("harmonic mean: twice the product of two numbers, over their sum")
def _(y_true, y_pred):
    pairs = each(y_true, y_pred, lambda *two: (precision(*two), recall(*two)))
    return all(same(harmonic_mean(two), share(2 * two[0] * two[1], sum(two))) for two in pairs)


@means("partial credit: a sample that is right in part counts in part")
def _(y_true, y_pred):
    values = example_based.accuracy(y_true, y_pred, per_sample=True)
    inside = each(y_true, y_pred, lambda true, said: bool(true & said) and true != said)
    return all(0 < value < 1 for value, part in zip(values, inside, strict=True) if part)


# --- columns


@means("label-based: one value for each label, counted down its column",
       "macro: divide for each label, then take the mean, so that every label weighs the same")  # fmt: skip
def _(y_true, y_pred):
    values = each(y_true, y_pred, precision, "columns")
    return same(label_based.precision(y_true, y_pred, average=None), values) and same(
        label_based.precision(y_true, y_pred, average="macro"), mean(values)
    )


@means("macro-F1: the mean of the labels' F1")
def _(y_true, y_pred):
    return same(label_based.f1(y_true, y_pred), mean(each(y_true, y_pred, f1, "columns")))


@means("CF1: the F1 of macro precision and macro recall")
def _(y_true, y_pred):
    """It is 0.75 of the data below; and of all data as the harmonic mean has it."""

    def cf1(truth, said):
        p, r = (
            mean(each(np.array(truth), np.array(said), of, "columns")) for of in (precision, recall)
        )
        return share(2 * p * r, p + r)

    ours = [ratio(y_true, y_pred) for ratio in (label_based.precision, label_based.recall)]
    known = cf1([[1, 0], [1, 1]], [[1, 1], [0, 1]])  # ML-GCN's AveragePrecisionMeter
    return known == 0.75 and same(cf1(y_true, y_pred), harmonic_mean(ours) if all(ours) else 0)


@means("micro: add up the counts of all labels, then divide once, so that it does not matter which label"
       " a hit or a mistake belongs to")  # fmt: skip
def _(y_true, y_pred):
    hits, alarms, _, _ = counts(y_true, y_pred)
    return same(label_based.precision(y_true, y_pred, average="micro"), share(hits, hits + alarms))


@means("micro-F1: F1 of the counts of all labels, added up")
def _(y_true, y_pred):
    hits, alarms, misses, _ = counts(y_true, y_pred)
    pooled = share(2 * hits, 2 * hits + alarms + misses)
    return same(label_based.f1(y_true, y_pred, average="micro"), pooled)


@means("weighted: a mean over labels, in which each label has as many votes as it has support",
       "support: the number of samples that truly have a label")  # fmt: skip
def _(y_true, y_pred):
    supports = [len(true) for true in sets(y_true.T)]
    values = each(y_true, y_pred, f1, "columns")
    votes = [v for v, times in zip(values, supports, strict=True) for _ in range(times)]
    return not votes or same(label_based.f1(y_true, y_pred, average="weighted"), mean(votes))


# --- order


def lists(y_true, y_score):
    """Of each sample: its relevant labels and all labels, best first; None if not all is defined."""
    found = []
    for true, scores in zip(sets(y_true), np.asarray(y_score).tolist(), strict=True):
        if len(set(scores)) < len(scores) or len(true) in (0, len(scores)):
            return None
        found.append((true, sorted(range(len(scores)), key=lambda j, s=scores: -s[j])))
    return found


def averages(y_true, y_score, metric, value):
    known = lists(y_true, y_score)
    return known is None or same(metric(y_true, y_score), mean(value(*one) for one in known))


@means("rank: the place of a label when the scores are sorted, highest first")
def _(y_true, y_score):
    known = lists(y_true, y_score) or []
    return not known or same(
        ranking.ranks(y_score), [[1 + best.index(j) for j in range(len(best))] for _, best in known]
    )


@means("coverage: the largest rank of a relevant label, for each sample; then the mean")
def _(y_true, y_score):
    def largest(true, best):
        return max(1 + best.index(j) for j in true)

    return averages(y_true, y_score, ranking.coverage, largest)


@means("one-error: the share of samples whose top label is not relevant")
def _(y_true, y_score):
    return averages(y_true, y_score, ranking.one_error, lambda true, best: best[0] not in true)


@means("ranking loss: of all pairs of a relevant and an irrelevant label, the share in the wrong order,"
       " for each sample; then the mean")  # fmt: skip
def _(y_true, y_score):
    def wrong(true, best):
        pairs = [(j, k) for j in true for k in best if k not in true]
        return mean(float(best.index(k) < best.index(j)) for j, k in pairs)

    return averages(y_true, y_score, ranking.ranking_loss, wrong)


@means("average precision: the rank among the relevant labels over the rank among all, a mean over the"
       " relevant labels of each sample; then the mean")  # fmt: skip
def _(y_true, y_score):
    def value(true, best):
        relevant = [j for j in best if j in true]
        return mean((1 + relevant.index(j)) / (1 + best.index(j)) for j in true)

    return averages(y_true, y_score, ranking.average_precision, value)


# --- columns of scores


def columns(y_true, y_score):
    """Truth and scores of each label, as lists."""
    return [
        (truth.tolist(), score.tolist()) for truth, score in zip(y_true.T, y_score.T, strict=True)
    ]


def held(y_true, y_score, value, metric):
    """A metric is this value of every label that has one, on columns without ties and with them."""
    found = [value(*column) for column in columns(y_true, y_score)]
    return same(metric(y_true, y_score, average=None, undefined=-1), found)


def down_to(truth, score):
    """At each positive of a list, how many positives score at least so much, and how many samples."""
    reached = [s for t, s in zip(truth, score, strict=True) if t]
    return [(sum(r >= s for r in reached), sum(o >= s for o in score)) for s in reached]


@means("AP: the share of positives down to each positive of a label, when its samples are sorted by score;"
       " a mean over them")  # fmt: skip
def _(y_true, y_score):
    def value(truth, score):
        shares = [hits / all_of_them for hits, all_of_them in down_to(truth, score)]
        return mean(shares) if shares else -1

    return held(y_true, y_score, value, curves.average_precision)


@means("mAP: the mean of the labels' AP")
def _(y_true, y_score):
    each_label = curves.average_precision(y_true, y_score, average=None)
    return same(curves.average_precision(y_true, y_score), mean(each_label))


@means("interpolation: reads at each recall the largest precision there or at any greater recall")
def _(y_true, y_score):
    def value(truth, score):
        reached = [(hits, hits / of) for hits, of in down_to(truth, score)]
        best = [max(p for further, p in reached if further >= hits) for hits, _ in reached]
        return mean(best) if best else -1

    metric = partial(curves.average_precision, interpolation="all")
    return held(y_true, y_score, value, metric)


@means("true positive rate: the share of a label's positives that a threshold predicts, which is its recall",
       "false positive rate: the share of a label's negatives that a threshold predicts",
       "precision-recall curve: precision over recall of a label, at each threshold",
       "ROC curve: true positive rate over false positive rate of a label, at each threshold")  # fmt: skip
def _(y_true, y_score):
    for truth, score in columns(y_true, y_score):
        precisions, recalls, cuts = curves.precision_recall(truth, score)
        false, true, same_cuts = curves.roc(truth, score)
        if not 0 < sum(truth) < len(truth):
            continue
        predicted = [[t for t, s in zip(truth, score, strict=True) if s >= cut] for cut in cuts]
        hits = [sum(some) for some in predicted]
        alarms = [some.count(0) / truth.count(0) for some in predicted]
        precise = same(precisions, np.divide(hits, list(map(len, predicted))))
        if not (precise and {*cuts} == {*same_cuts} == {*score}):
            return False
        if not same((recalls, true, false), (true, np.divide(hits, sum(truth)), alarms)):
            return False
    return True


@means("AUROC: the area under the ROC curve, which is the share of pairs of a positive and a negative in the"
       " right order; a tie is half a pair")  # fmt: skip
def _(y_true, y_score):
    def pairs(truth, score):
        both = [
            (s > o) + (s == o) / 2
            for t, s in zip(truth, score, strict=True) if t
            for u, o in zip(truth, score, strict=True) if not u
        ]  # fmt: skip
        return mean(both) if both else -1

    def area(truth, score):
        if not 0 < sum(truth) < len(truth):
            return -1
        false, true, _ = curves.roc(truth, score)
        return auc([0, *false], [0, *true])

    return all(held(y_true, y_score, value, curves.roc_auc) for value in (pairs, area))


# --- the first k labels


@means("precision at k: the hits in the window, divided by k, for each sample; then the mean",
       "window: the top k, as a user sees them",
       "top k: the k labels of a sample with the highest scores")  # fmt: skip
def _(y_true, y_score):
    def value(true, best):
        return len(true.intersection(best[:2])) / 2

    return y_true.shape[1] < 2 or averages(y_true, y_score, partial(top_k.precision, k=2), value)


@means("recall at k: the hits in the window, divided by the number of relevant labels, for each sample;"
       " then the mean")  # fmt: skip
def _(y_true, y_score):
    def value(true, best):
        return len(true.intersection(best[:2])) / len(true)

    return y_true.shape[1] < 2 or averages(y_true, y_score, partial(top_k.recall, k=2), value)


@means("discount: what a hit counts at place r, which is 1 ÷ log2(r + 1)",
       "nDCG: the discounts of the hits in the window, added up, over the same for the best order, for"
       " each sample; then the mean")  # fmt: skip
def _(y_true, y_score):
    def gain(order, true):
        return sum(1 / log2(r + 1) for r, j in enumerate(order[:2], start=1) if j in true)

    def value(true, best):
        return gain(best, true) / gain([*true], true)

    return y_true.shape[1] < 2 or averages(y_true, y_score, partial(top_k.ndcg, k=2), value)


@means("propensity-scored: a hit counts 1 over the propensity of its label")
def _(y_true, y_score):
    chance = [0.5, 0.25, 1.0][: y_true.shape[1]]

    def metric(y_true, y_score):
        worth = 1 / np.array(chance)
        return top_k.propensity_scored_precision(y_true, y_score, worth, k=1, normalize=False)

    def value(true, best):
        return 1 / chance[best[0]] if best[0] in true else 0.0

    return averages(y_true, y_score, metric, value)


# --- how sure a number is


@means("resample: as many samples as there are, each drawn from all of them, so that one may come twice"
       " and another never",
       "bootstrap: the metric of many resamples shows how much it varies",
       "standard error: the standard deviation of a metric over all data sets that might have been drawn")  # fmt: skip
def _(y_true, y_pred):
    """Of exact match, where what might be drawn can be listed; a hundred draws are near to all."""
    right = each(y_true, y_pred, lambda true, said: float(true == said))
    listed = [mean(rows) for rows in product(right, repeat=len(right))]
    if len(right) < 2:
        return True
    metric, other = exact_match.subset_accuracy, {"y_other": y_pred}
    (drawn,) = uncertainty.drawn(metric, y_true, other, n_resamples=100, seed=0)
    error = uncertainty.between(drawn, 0.95).standard_error
    known = np.isclose(drawn.resampled[:, None], listed, rtol=0, atol=1e-9).any(axis=1)
    return known.all() and abs(error - pstdev(listed)) < 0.05


@means("interval: two ends, by a rule whose ends hold the true value in as many of 100 data sets as the"
       " level says")  # fmt: skip
def _(y_true, y_pred):
    """For 93 to 97 of 100 where 95 is said, but for labels with few positives; and never upside down."""
    record = records.load("coverage")
    missed = [sum(map(len, row["ours"].values())) for row in record["rows"] if row["rarest"] > 0.02]
    held = [1 - number / record["data_sets"] for number in missed]
    sure = record["level"] == 0.95 and min(held) >= 0.93 and max(held) <= 0.97
    if len(y_true) < 2:
        return sure
    metric = hamming.hamming_loss
    found = uncertainty.interval(metric, y_true, y_pred, n_resamples=50)
    return sure and found.low <= found.high


@means("paired: each resample is drawn once for both models")
def _(y_true, y_pred):
    """Nothing is left of the difference between a model and itself."""
    if len(y_true) < 2:
        return True
    both = y_pred, y_pred.copy()
    found = uncertainty.compare(hamming.hamming_loss, y_true, *both, n_resamples=50)
    return found.difference[:4] == (0, 0, 0, 0)


# --- what only names a thing

NAMED = """
multi-label classification: each sample may have one label, several or none
multi-class classification: each sample has exactly one label
metric: a rule that turns the truth and a prediction into one number
sample: one thing to be labelled, such as a photo; a row of the label matrix
label: a name that may apply to a sample; a column of the label matrix
label matrix: a row per sample, a column per label, 1 where the label applies and 0 where it does not
truth: the labels that apply
prediction: the labels that a model says apply
imbalance: some labels are far more frequent than others
absent label: a label that no sample truly has
empty sample: a sample that truly has no label
score: a number that a model gives to a label, the higher the surer
logit: a raw output of a network, before a score is made of it
sigmoid: makes a score of one label's logit alone
softmax: makes scores of the logits of all labels, which add up to 1
threshold: the score from which on a label is predicted
relevant: true for the sample
tie: labels of a sample with the same score
positive: of a label, a sample that has it
negative: of a label, a sample that does not have it
propensity: the chance that a label is written down where it is true
extreme classification: choosing labels among so many that no dense matrix holds them
to tune: to choose the threshold whose predictions are best under a metric
validation data: samples to tune on, kept apart from those of the report
calibrated: of the cells with a score, as large a share is true as the score says
baseline: a rule so simple that a model must beat it
convention: a choice that a formula leaves open, such as what 0/0 is worth
departure: what a tool does and no option of ours says
recorded run: a tool was run once, and its numbers kept
read in source: a tool was not run; its number is what its published rule gives
batch: some of the rows
chunk: a batch that lies in files of its own
merge: make one result of two
scorecard: what adds up over batches, which is sums over samples and four counts for each label
worker: a process that computes for others, here or on another machine
scheduler: the process that tells the workers what to do
"""


def test_every_meaning_has_a_check_or_only_names_a_thing() -> None:
    said = {f"{term.name}: {term.means}" for term in glossary.terms()}
    assert said == {*MEANS, *NAMED.strip().splitlines()}


@pytest.mark.parametrize("sentence", MEANS)
def test_it_means_that(sentence: str) -> None:
    assert always(MEANS[sentence])
