"""Notebook 06, from "Ties" on."""

import math
import warnings
from fractions import Fraction as F
from itertools import pairwise, permutations
from statistics import mean

import numpy as np
import places
import pytest
import sklearn.metrics as skm

from claims import always, claim, on_trust
from claims.curves import READ, ap, auroc, columns, has_both, near, pairs, rates
from mlm_helpers import catalogue, curves, top_k
from mlm_helpers.scorecard import Scorecard

# ---------------------------------------------------------------------------- ties


def walked(truth, order):
    """Average precision of a list in this order: what sorting and walking down gives."""
    found = [truth[i] for i in order]
    return mean(F(sum(found[:n]), n) for n, t in enumerate(found, 1) if t)


def as_column(values):
    return [[value] for value in values]


@claim(
    'Under "worst" equal scores are one threshold, and the order of the samples does not matter.',
    "This is the rule of scikit-learn, torchmetrics, torcheval and MEKA.",
)
def _():
    """scikit-learn's here; the others' numbers for the three columns are in test_curves."""

    def holds(y_true, y_score):
        ((truth, score),) = columns(y_true, y_score)
        if not any(truth):
            return True
        found = rates(truth, score) if has_both(truth) else []
        recalls = [F(0), *(recall for _, recall, _ in found)]
        steps = sum(p * (b - a) for (p, _, _), (a, b) in zip(found, pairwise(recalls), strict=True))
        values = {
            round(curves.average_precision(y_true[list(order)], y_score[list(order)]), 12)
            for order in permutations(range(len(truth)))
        }
        theirs = skm.average_precision_score(truth, score)
        return len(values) == 1 and near(theirs, [*values]) and (not found or near(theirs, steps))

    return always(holds, [(3, 1), (4, 1)])


@claim(
    'Others sort and then walk down, so that tied samples keep the order of the input, "first", as in'
    ' ML-GCN and MULAN\'s mAP; or its reverse, "last", as in ASL.',
    "There, shuffling the data can move the number.",
    "Ties",
)
def _(cases):
    """ML-GCN sorts down, ASL sorts up and turns the list round; both as their code is published."""

    def holds(y_true, y_score):
        ((truth, score),) = columns(y_true, y_score)
        if not any(truth):
            return True
        down = sorted(range(len(score)), key=lambda i: -score[i])
        up = sorted(range(len(score)), key=lambda i: score[i])[::-1]
        ours = [curves.average_precision(y_true, y_score, ties=rule) for rule in ("first", "last")]
        return near(ours, [walked(truth, down), walked(truth, up)])

    one, turned, _ = cases.values()
    moved = [
        {curves.average_precision(*case, ties=rule) for case in (one, turned)}
        for rule in ("first", "last")
    ]
    return always(holds, [(3, 1), (4, 1)]) and moved == [{1, 1 / 2}] * 2


@claim("AUROC counts a tied pair as half.")
def _():
    def holds(y_true, y_score):
        ((truth, score),) = columns(y_true, y_score)
        if not has_both(truth):
            return True
        tied = pairs(truth, score).count(F(1, 2))
        lost = pairs(truth, score).count(0)
        value = 1 - (lost + tied * F(1, 2)) / len(pairs(truth, score))
        return near([curves.roc_auc(y_true, y_score), skm.roc_auc_score(truth, score)], [value] * 2)

    return always(holds, [(3, 1), (4, 1)])


# ---------------------------------------------------------------------------- interpolation


@claim(
    "The dog's precision falls at its second positive, and rises at its third.",
    "Interpolation fills such dips: at each recall it reads the largest precision there or further"
    " down.",
    '"all" reads at each positive, 11 and 101 at that many levels of recall, evenly spaced from 0 to 1.',
)
def _(y_true, y_score):
    def largest_at(found, level):
        return max(p for p, recall, _ in found if recall >= level)

    def holds(y_true, y_score):
        for truth, score in columns(y_true, y_score):
            if not has_both(truth):
                continue
            found = rates(truth, score)
            levels = {n: [F(i, n - 1) for i in range(n)] for n in (11, 101)}
            levels["all"] = [F(i, sum(truth)) for i in range(1, sum(truth) + 1)]
            for points, at in levels.items():
                value = mean(largest_at(found, level) for level in at)
                one = as_column(truth), as_column(score)
                if not near(curves.average_precision(*one, interpolation=points), value):
                    return False
        return True

    first, second, third = (F(1), F(2, 3), F(3, 4))
    dog = rates(y_true[:, 0].tolist(), y_score[:, 0].tolist())
    precisions = [
        p for (p, r, _), (_, before, _) in zip(dog, [(0, 0, 0), *dog], strict=False) if r > before
    ]
    return (
        precisions == [first, second, third]
        and first > second < third
        and always(holds, [(3, 1), (4, 1)])
    )


on_trust(
    "The contests named beside them each call theirs AP.",
    "VOC: the development kits of 2007 and 2010; COCO: its page on evaluation, and pycocotools",
)


@claim(
    "The last row is skm.auc of a precision-recall curve, which joins its points by straight lines:"
    " 0.764 for the dog, and no AP at all.",
    "Between two points precision does not move along a straight line.",
)
def _(under_straight_lines, y_true, y_score, each_label):
    dog = y_true[:, 0].tolist(), y_score[:, 0].tolist()
    points = [(F(0), F(1)), *((r, p) for p, r, _ in rates(*dog))]
    lines = sum((b - a) * (p + q) / 2 for (a, p), (b, q) in pairwise(points))
    read = [each_label(interpolation=p)[0] for p in (None, "all", 11, 101)]
    ties = [
        curves.average_precision(*map(as_column, dog), ties=t) for t in ("best", "first", "last")
    ]
    value = under_straight_lines(*dog)
    # half-way between two points, by hits and alarms that are half-way: 1 of 1, then 1.5 of 2.5
    bent = F(3, 2) / F(5, 2) != (F(1) + F(2, 4)) / 2
    return (
        near(value, lines)
        and round(value, 3) == 0.764
        and not any(near(value, v) for v in read + ties)
        and bent
    )


# ---------------------------------------------------------------------------- an absent label


@claim("Cat is an absent label: no photo shows one.", "What is its share of mAP?")
def _(with_cat, y_true):
    return with_cat[0].shape == (5, 3) and with_cat[0].sum(axis=0).tolist() == [
        *y_true.sum(axis=0),
        0,
    ]


@claim("Without a positive there is no precision to average, and no pair.")
def _(with_cat):
    cat = columns(*with_cat)[-1]
    values = [metric(*with_cat, average=None, undefined=math.nan)[-1] for metric in READ.values()]
    return ap(*cat) is None is auroc(*cat) and np.isnan(values).all()


@claim(
    "Tools disagree:",
    "mAP: scikit-learn (with a warning), torchmetrics and ASL count the label as 0; MULAN and"
    " pycocotools leave it out; Query2Label and MEKA return nan; ML-GCN stops with a division by zero.",
    "Macro AUROC: scikit-learn returns nan, torchmetrics counts 0.",
)
def _(with_cat, printed):
    """scikit-learn's here; of the others, the numbers of such a label are in test_curves."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = skm.roc_auc_score(*with_cat)
    with pytest.warns(UserWarning, match="No positive class"):
        counted = skm.average_precision_score(*with_cat)
    return (
        math.isnan(theirs)
        and f"{counted:.3f}" in printed
        and near(counted, (F(29, 36) + F(7, 10)) / 3)
    )


@claim(
    "Our defaults count 0 in AP and leave the label out of AUROC.",
    "A weighted mean gives it no vote.",
)
def _(with_cat, y_true, y_score):
    defaults = {read: catalogue.of(metric).defaults["undefined"] for read, metric in READ.items()}
    values = [metric(*with_cat) for metric in READ.values()]
    weighted = [metric(*with_cat, average="weighted", undefined=0.0) for metric in READ.values()]
    without = [metric(y_true, y_score, average="weighted") for metric in READ.values()]
    return (
        defaults[ap] == 0
        and math.isnan(defaults[auroc])
        and near(values, [(F(29, 36) + F(7, 10)) / 3, F(7, 12)])
        and near(weighted, without)
    )


# ---------------------------------------------------------------------------- where it misleads


@claim(
    "One photo shows a dog, and it stands at place 10 of the list.",
    "Let the list grow below it.",
    "Nine wrong photos come first, every time.",
    "AP stays 0.1; AUROC rises to 0.991, for each negative below, which nobody looks at, is one more"
    " pair in the right order.",
    "Where positives are rare, look at AP.",
)
def _(rows):
    found = {}
    for n in (20, 100, 1000):
        truth = [int(place == 10) for place in range(1, n + 1)]
        score = [-place for place in range(1, n + 1)]
        found[n] = (
            len(truth),
            truth.index(1),
            pairs(truth, score).count(1),
            ap(truth, score),
            auroc(truth, score),
        )
    ours = {row[0]: row[1:] for row in rows}
    areas = [value[-1] for value in found.values()]
    return (
        all((size, first, won) == (n, 9, n - 10) for n, (size, first, won, _, _) in found.items())
        and {value[3] for value in found.values()} == {F(1, 10)}
        and all(near(ours[n], value[:2:-1]) for n, value in found.items())
        and areas == sorted(areas)
        and round(float(areas[-1]), 3) == 0.991
    )


@claim("For a rare label, AUROC alone flatters.")
def _():
    """Each new negative at the bottom raises the one, and not the other."""
    grown = [([1, 0] + [0] * n, [1, 2] + [0] * n) for n in range(1, 6)]
    areas, precisions = ([read(*one) for one in grown] for read in (auroc, ap))
    return areas == sorted({*areas}) and {*precisions} == {F(1, 2)}


@claim(
    "Photos of different batches are never compared: the mean of the two is 0.917, and AP is 0.806.",
)
def _(dog, dog_score, batches):
    parts = [slice(3), slice(3, 5)]
    values = [ap(dog[part].tolist(), dog_score[part].tolist()) for part in parts]
    both = ap(dog.tolist(), dog_score.tolist())
    shown = [*batches.values()][:2] == parts
    # the scores of a batch may all rise, and its AP stays
    raised = ap(dog[:3].tolist(), (dog_score[:3] + 9).tolist()) == values[0]
    return shown and raised and (mean(values), both) == (F(11, 12), F(29, 36)) and (
        round(11 / 12, 3), round(29 / 36, 3)
    ) == (0.917, 0.806)  # fmt: skip


@claim(
    "Keep all scores; or keep counts between fixed cuts, Scorecard.from_batch(…, cuts=…), which add up"
    " and bound the value, as 12_at_scale shows."
)
def _(y_true, y_score):
    cards = [
        Scorecard.from_batch(y_true[part], None, y_score[part], cuts=[0.3, 0.6])
        for part in (slice(3), slice(3, 5))
    ]
    found = sum(cards[1:], cards[0]).bounds()
    shown = "cuts=" in "".join(section.code for section in places.sections("12_at_scale"))
    values = {"macro AP": F(271, 360), "macro AUROC": F(7, 12)}
    return (
        shown
        and all(found[name].low <= value <= found[name].high for name, value in values.items())
        and (found["macro AP"].low < found["macro AP"].high)
    )


@claim(
    "Say who wins ties, whether precision is interpolated, and what a label without positives is worth."
)
def _():
    """Each changes a value."""
    options = [{"ties": "first"}, {"interpolation": "all"}, {"undefined": 1.0}]
    data = [[0, 1], [1, 0], [1, 0]], [[0.9, 0.5], [0.5, 0.5], [0.4, 0.2]]
    absent = [[0, 0], [1, 0], [1, 0]], data[1]
    usual = (
        curves.average_precision(*data),
        curves.average_precision(*data),
        curves.average_precision(*absent),
    )
    other = [
        curves.average_precision(*d, **o)
        for d, o in zip((data, data, absent), options, strict=True)
    ]
    return not any(near(a, b) for a, b in zip(usual, other, strict=True))


@claim("Next: 07_top_k reads the rows again, and only their first few places.")
def _():
    """Of every three in the first two places, order below and other rows make no difference."""
    read = {record.along for record in catalogue.METRICS if record.family == "top k"}
    one, other = [[0.9, 0.8, 0.2, 0.1]], [[0.9, 0.8, 0.1, 0.2]]
    return read == {"sample"} and all(
        metric([row], one, k=2) == metric([row], other, k=2)
        for metric in (top_k.precision, top_k.recall, top_k.ndcg)
        for row in ([1, 0, 1, 0], [0, 1, 0, 1], [1, 1, 1, 0])
    )
