"""Notebook 06, up to "The ranking metrics, on their side": then curves_averages, curves_corners."""

import re
from fractions import Fraction as F
from itertools import pairwise, permutations, product
from statistics import mean

import numpy as np
import places as notebooks
import sklearn.metrics as skm
from pictures import labelled, on_fills

from claims import always, claim
from mlm_helpers import catalogue, curves, ranking
from mlm_helpers.course import figures

COLUMNS = ((3, 1), (4, 1), (2, 2))  # samples, labels


def columns(y_true, y_score):
    """Truth and scores of each label, as lists."""
    return list(zip(np.transpose(y_true).tolist(), np.transpose(y_score).tolist(), strict=True))


def ap(truth, score):
    """The mean of the precisions at the positives; tied samples are there together."""
    found = [s for t, s in zip(truth, score, strict=True) if t]
    shares = [F(sum(f >= s for f in found), sum(o >= s for o in score)) for s in found]
    return mean(shares) if shares else None


def pairs(truth, score):
    """Of each positive with each negative: 1 if it scores higher, half for the same."""
    up, down = ([s for t, s in zip(truth, score, strict=True) if t == kind] for kind in (1, 0))
    return [F(2 * (u > d) + (u == d), 2) for u, d in product(up, down)]


def auroc(truth, score):
    found = pairs(truth, score)
    return mean(found) if found else None


READ = {ap: curves.average_precision, auroc: curves.roc_auc}


def has_both(truth):
    return 0 < sum(truth) < len(truth)


def near(a, b):
    return np.allclose(np.array(a, dtype=float), np.array(b, dtype=float), rtol=0, atol=1e-12)


def from_the_top(truth, score):
    return [t for _, t in sorted(zip(score, truth, strict=True), reverse=True)]


# ---------------------------------------------------------------------------- the question


@claim(
    "Read down a column: the curve metrics",
    "After this notebook you can read AP and AUROC off a label's column by hand, say what the two"
    " curves behind them draw, and tell which “average precision” somebody has printed.",
    "Curve metrics read a label's column in the order of its scores: AP the precision at each"
    " positive, AUROC the pairs in the right order.",
)
def _(text):
    """Both metrics of the family are read so, of each column alone; and the text has all three."""
    family = {m.function for m in catalogue.METRICS if m.family == "curves"}
    named = ("**precision-recall curve**", "**ROC curve**", "### Which “average precision”?")

    def holds(y_true, y_score):
        return all(
            near(
                [-1 if v is None else v for v in (read(*c) for c in columns(y_true, y_score))],
                metric(y_true, y_score, average=None, undefined=-1),
            )
            for read, metric in READ.items()
        )

    in_text = "## Count by hand" in text and all(name in text for name in named)
    return in_text and family == {*READ.values()} and always(holds, COLUMNS)


@claim("You need: macro and micro from 04_label_based, ranks from 05_ranking.")
def _():
    taught = {
        file: "".join(p.text for s in notebooks.sections(file) for p in s.passages)
        for file in ("04_label_based", "05_ranking")
    }
    return all(
        f"**{word}**" in taught["04_label_based"].lower() for word in ("macro", "micro")
    ) and ("**rank**" in taught["05_ranking"])


@claim(
    "You search your photos for “dog”.",
    "A model has given each photo a score for dog, and the photos come in the order of these scores.",
    "Sort the photos by their score for dog, in your head.",
    "Down to the fourth.",
    "Photo 1, which shows the sea, stands second.",
)
def _(labels, photos, dog, dog_score, y_true, y_score):
    order = [photo for _, photo in sorted(zip(dog_score, photos, strict=True), reverse=True)]
    dogs = [photo for photo, is_dog in zip(photos, dog, strict=True) if is_dog]
    down = [order.index(photo) + 1 for photo in dogs]
    first = dict(zip(labels, y_true[photos.index("photo 1")], strict=True))
    its_column = labels.index("dog") == 0 and (y_score[:, 0] == dog_score).all()
    return (
        its_column
        and len(dogs) == 3
        and max(down) == 4
        and order[1] == "photo 1"
        and first == {"dog": 0, "sea": 1}
    )


@claim(
    "Where to cut the list is another question, for a threshold.",
    "Here we cut nothing and read the whole list, one label at a time.",
)
def _():
    """Neither metric takes a threshold, and one label's value is its own column's."""
    options = {name for metric in READ.values() for name in catalogue.of(metric).options}

    def holds(y_true, y_score):
        return all(
            near(
                metric(y_true, y_score, average=None, undefined=-1)[:1],
                metric(y_true[:, :1], y_score[:, :1], undefined=-1),
            )
            for metric in READ.values()
        )

    return not {o for o in options if "threshold" in o or "cut" in o} and always(holds, [(2, 2)])


# ---------------------------------------------------------------------------- by hand


@claim(
    "Blue photos, with a ✓, are positive.",
    "Beside each stands the precision there: of all photos down to it, the share that is positive.",
    "The numbers below the lists are what we now count.",
)
def _(y_true, y_score, labels, photos):
    ax = figures.sorted_columns(y_true, y_score, labels=labels, samples=photos)
    on_blue = on_fills(ax)["#0072b2"]
    positive = {photo for photo, row in zip(photos, y_true, strict=True) if any(row)} | {"✓"}
    written = []
    for truth, score in zip(y_true.T, y_score.T, strict=True):
        found = from_the_top(truth, score)
        written += [f"{sum(found[:n])}/{n}" for n, t in enumerate(found, 1) if t]
    below = {text.rstrip("0123456789/=≈. ") for text in labelled(ax, "summary")}
    counted = {"average precision", "AUROC"} == below
    return (
        counted
        and positive == on_blue - {f"{s:g}" for s in y_score.flat}
        and labelled(ax, "share") == written
    )


@claim(
    "The mean is the label's average precision, AP for short: ⅓(1/1+2/3+3/4) = 29/36 for the dog,"
    " ½(1/1+2/5) = 7/10 for the sea."
)
def _(y_true, y_score):
    by_hand = [(F(1) + F(2, 3) + F(3, 4)) / 3, (F(1) + F(2, 5)) / 2]
    read = [ap(*column) for column in columns(y_true, y_score)]
    ours = curves.average_precision(y_true, y_score, average=None)
    return by_hand == [F(29, 36), F(7, 10)] == read and near(ours, read)


# ---------------------------------------------------------------------------- thresholds


def rates(truth, score):
    """At each threshold, the highest first: precision, recall and false positive rate."""
    found = []
    for threshold in sorted({*score}, reverse=True):
        shown = [t for t, s in zip(truth, score, strict=True) if s >= threshold]
        hits, alarms = shown.count(1), shown.count(0)
        found.append((F(hits, len(shown)), F(hits, truth.count(1)), F(alarms, truth.count(0))))
    return found


@claim(
    "Each threshold shows a beginning of the list.",
    "Lower it from one score to the next:",
    "Recall is the share of the three positives that are shown; its other name is true positive rate.",
    "The false positive rate is the share of the two negatives that are shown.",
)
def _(dog, dog_score, rows):
    truth, score = dog.tolist(), dog_score.tolist()
    printed = [tuple(map(F, row[2:])) for row in rows]
    found = rates(truth, score)
    shown = [row[1] for row in rows]
    down = [str(np.array(dog[dog_score >= float(row[0])])) for row in rows]
    return (
        (truth.count(1), truth.count(0)) == (3, 2)
        and printed == found
        and shown == down
        and near(curves.roc(dog, dog_score).true_positive_rate, [recall for _, recall, _ in found])
    )


@claim("On the way down both rates can only rise, while precision falls and rises.")
def _(dog, dog_score):
    def holds(y_true, y_score):
        (column,) = columns(y_true, y_score)
        found = rates(*column) if has_both(column[0]) else []
        return all(a <= b for x, y in pairwise(found) for a, b in zip(x[1:], y[1:], strict=True))

    moves = np.sign(np.diff([float(p) for p, _, _ in rates(dog.tolist(), dog_score.tolist())]))
    return always(holds, [(3, 1), (4, 1)]) and {-1, 1} <= {*moves}


@claim(
    "The precision-recall curve draws precision over recall, the ROC curve true positive rate over"
    " false positive rate."
)
def _():
    """scikit-learn's curves of these names give the two that they draw."""

    def holds(y_true, y_score):
        ((truth, score),) = columns(y_true, y_score)
        if not has_both(truth):
            return True
        found = rates(truth, score)
        precision, recall, _ = skm.precision_recall_curve(truth, score)
        false, true, _ = skm.roc_curve(truth, score, drop_intermediate=False)
        one = [*((p, r) for p, r, _ in found[::-1]), (1, 0)]
        other = [(0, 0), *((f, r) for _, r, f in found)]
        return near(list(zip(precision, recall, strict=True)), one) and near(
            list(zip(false, true, strict=True)), other
        )

    return always(holds, [(3, 1), (4, 1)])


def drawn(dog, dog_score, photos):
    """The bars, the cells by their signs, and the ROC curve of the notebook's picture."""
    ax = figures.curve_steps(dog, dog_score, samples=photos, label="dog")
    parts = {str(p.get_label()): p for p in ax.patches if str(p.get_label()).startswith("pair-")}
    signs = {t.get_label()[5:]: t.get_text() for t in ax.texts if t.get_label().startswith("sign-")}
    cells = [(parts[f"pair-{place}"], sign) for place, sign in signs.items()]
    (curve,) = [line for line in ax.lines if line.get_label() == "roc"]
    return [p for p in ax.patches if p.get_label() == "bar"], cells, curve.get_xydata()


@claim(
    "On the left, each positive is a step: as wide as the others, as high as the precision there.",
    "So the area under the steps is AP.",
)
def _(dog, dog_score, photos):
    bars, _, _ = drawn(dog, dog_score, photos)
    found = from_the_top(dog, dog_score)
    precisions = [F(sum(found[:n]), n) for n, t in enumerate(found, 1) if t]
    heights = [bar.get_height() / max(b.get_height() for b in bars) for bar in bars]
    alike = len({round(bar.get_width(), 9) for bar in bars}) == 1  # so the area is the mean height
    return alike and near(heights, precisions) and near(mean(heights), F(29, 36))


@claim(
    "On the right, the curve goes up at a positive and to the right at a negative.",
    "Each cell is a pair of one positive and one negative; below the curve lie the pairs in the right"
    " order.",
    "Their share is the area, AUROC (area under the ROC curve).",
    "Every pair, once",
)
def _(dog, dog_score, photos):
    _, cells, curve = drawn(dog, dog_score, photos)
    moves = [(round(x, 9) != 0, round(y, 9) != 0) for x, y in np.diff(curve, axis=0)]
    ways = [(not t, bool(t)) for t in from_the_top(dog, dog_score)]  # right, or up
    below = set()
    for cell, sign in cells:
        x, y = cell.get_x() + cell.get_width() / 2, cell.get_y() + cell.get_height() / 2
        above = min(
            b for (a, b), (c, _) in pairwise(curve.tolist()) if a - 1e-9 <= x <= c + 1e-9 and a < c
        )
        below.add((sign, bool(y > above)))  # inches from the top
    right = [sign for _, sign in cells].count(">")
    return (
        moves == ways
        and len(cells) == dog.sum() * (dog == 0).sum()
        and below == {(">", True), ("<", False)}
        and F(right, len(cells)) == auroc(dog.tolist(), dog_score.tolist())
    )


@claim(
    "Three dogs and two other photos make six pairs; photo 1 spoils two of them.",
    "The dog's AUROC is 2/3.",
    "The sea's is 1/2, the mean over all orders of a list: no better than chance.",
)
def _(y_true, y_score, photos):
    dog, sea = columns(y_true, y_score)
    first = photos.index("photo 1")
    spoilt = sum(t and s < dog[1][first] for t, s in zip(*dog, strict=True))
    orders = mean(auroc(sea[0], order) for order in permutations(range(5)))
    return (
        (sum(dog[0]), len(pairs(*dog)), pairs(*dog).count(0)) == (3, 6, 2)
        and spoilt == 2
        and (auroc(*dog), auroc(*sea), orders) == (F(2, 3), F(1, 2), F(1, 2))
    )


# ---------------------------------------------------------------------------- formulas


@claim(
    "For one label with positives $Y$ among $n$ samples, with $r(i)$ the rank of sample $i$ among all"
    " and $r_Y(i)$ its rank among the positives:"
)
def _(text):
    """The two formulas, as they are printed, on every column without ties."""

    def holds(y_true, y_score):
        ((truth, score),) = columns(y_true, y_score)
        if not has_both(truth) or len({*score}) < len(score):
            return True
        positives = [s for t, s in zip(truth, score, strict=True) if t]
        r = [1 + sum(o > s for o in score) for s in positives]
        r_y = [1 + sum(o > s for o in positives) for s in positives]
        n, size = len(truth), len(positives)
        first = sum(F(b, a) for a, b in zip(r, r_y, strict=True)) / size
        second = 1 - F(sum(r) - sum(r_y), size * (n - size))
        return near(
            [first, second], [metric([[t] for t in truth], y_score) for metric in READ.values()]
        )

    latex = {m.name: m.latex for m in catalogue.METRICS if m.family == "curves"}
    squeezed = re.sub(r"\\left|\\right|\\,|\s", "", text)
    shown = all(re.sub(r"\\,|\s", "", latex[name]) in squeezed for name in ("AP", "AUROC"))
    return shown and always(holds, [(3, 1), (4, 1)])


@claim("Both agree with what we counted.", "Here are the steps for the dog:")
def _(y_true, y_score, ours, theirs, column):
    by_hand = [[read(*c) for c in columns(y_true, y_score)] for read in READ]
    both = [[m(y_true, y_score, average=None) for m in who.values()] for who in (ours, theirs)]
    return near(both, [by_hand] * 2) and (column[0] == y_true[:, :1]).all()


@claim("Of both more is better.")
def _():
    best, worst = ([[3], [2], [1]], [[1], [2], [3]])
    values = [[metric([[1], [0], [0]], s) for s in (best, worst)] for metric in READ.values()]
    return all(first == 1 > last for first, last in values)


@claim(
    "The ranking metrics, on their side",
    "Swap rows and columns, and let the ranking metrics read the result.",
    "They are, and so are the numbers.",
    "A curve metric is a ranking metric of the transposed matrix: there the labels of a sample stand"
    " in line, here the samples of a label.",
)
def _(sideways, y_true, y_score, precisions, losses):
    def holds(y_true, y_score):
        turned = y_true.T, y_score.T
        options = {"per_sample": True, "undefined": -1}
        by_rank = ranking.average_precision(*turned, **options)
        loss = ranking.ranking_loss(*turned, ties="average", per_sample=True, undefined=2)
        return near(
            curves.average_precision(y_true, y_score, average=None, undefined=-1), by_rank
        ) and near(curves.roc_auc(y_true, y_score, average=None, undefined=-1), 1 - loss)

    here = near(precisions, [F(29, 36), F(7, 10)]) and near(1 - losses, [F(2, 3), F(1, 2)])
    turned = (sideways[0] == y_true.T).all() and (sideways[1] == y_score.T).all()
    return here and turned and always(holds, COLUMNS)
