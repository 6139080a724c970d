"""Notebook 07, up to "What the formulas leave open": the rest in top_k_corners."""

import inspect
from itertools import permutations
from statistics import mean

import numpy as np
import places as notebooks
import sklearn.metrics as skm

from claims import always, claim
from mlm_helpers import label_based, ranking, top_k
from mlm_helpers.course import figures

THREE = top_k.precision, top_k.recall, top_k.ndcg
SHAPES = ((1, 2), (1, 3), (2, 2))

# Precision and recall at 3 of the two photos, as tools gave them in November 2026, to 6 digits
GAVE = {
    "precision": dict.fromkeys(
        ("torchmetrics", "keras", "napkinXC", "pyxclib", "ranx", "Annif", "xCOLUMNs"), 0.5
    ),
    "recall": {
        "napkinXC": 0.833333, "pyxclib": 0.833333, "ranx": 0.833333, "torchmetrics": 0.833333,
        "keras": 0.75,
    },
}  # fmt: skip


def near(value, other):
    return bool(np.allclose(value, other, rtol=0, atol=1e-9))


def in_order(truth, score):
    """Whether each label is relevant, from the top down."""
    return [truth[j] for j in sorted(range(len(score)), key=lambda j: -score[j])]


def by_hand(name, truth, score, k):
    """One sample, without ties."""
    hits, n_relevant = in_order(truth, score)[:k], sum(truth)
    if name == "precision":
        return sum(hits) / k
    if not n_relevant:
        return 0.0
    if name == "recall":
        return sum(hits) / n_relevant
    discount = 1 / np.log2(np.arange(2, k + 2))
    return float(np.dot(hits, discount) / sum(discount[:n_relevant]))


def untied(y_score):
    return all(len({*row}) == len(row) for row in np.asarray(y_score).tolist())


def is_as_by_hand(metric):
    def holds(y_true, y_score):
        pairs = list(zip(np.asarray(y_true).tolist(), np.asarray(y_score).tolist(), strict=True))
        return not untied(y_score) or all(
            near(
                metric(y_true, y_score, k=k),
                mean(by_hand(metric.__name__, *pair, k) for pair in pairs),
            )
            for k in range(1, len(pairs[0][0]) + 1)
        )

    return always(holds, SHAPES)


def orders(truth, metric, **options):
    """The value under every order of one sample's labels."""
    return [metric([truth], [order], **options) for order in permutations(range(len(truth)))]


# ---------------------------------------------------------------------------- the question


@claim("Show only the first few: the top-k metrics")
def _():
    """What is relevant in the window, and how much is relevant, is all that they read."""
    seen = {}
    for truth, score in (
        (t, s) for t in permutations((1, 1, 0, 0)) for s in permutations(range(4))
    ):
        shown = tuple(in_order(truth, score)[:2])
        for metric in THREE:
            seen.setdefault((metric, shown), set()).add(metric([truth], [score], k=2))
    return len(seen) == 12 and all(len(values) == 1 for values in seen.values())


@claim(
    "After this notebook you can compute precision, recall and nDCG at k by hand, say what a tie or"
    " an empty sample does to them, and measure half a million labels without a dense matrix."
)
def _(text):
    heads = {section.heading for section in notebooks.sections("07_top_k")}
    last = notebooks.variables("07_top_k")[-1]
    taught = all(f"**{name}**" in text for name in ("Precision at k", "Recall at k", "nDCG"))
    corners = {"A photo without tags", "A tie at the edge of the window"} <= heads
    return taught and corners and last["many_scores"].shape[1] == 500_000


@claim("You need: ranks from 05_ranking.")
def _(text):
    taught = notebooks.sections("05_ranking")
    said = "".join(passage.text for section in taught for passage in section.passages)
    return "A label's **rank** is its place" in said and "(05_ranking.ipynb)" in text


@claim(
    "Coverage, ranking loss and average precision read the whole list.",
    "The metrics of this notebook read only its top k, the window that a user sees.",
    "Here k is 3.",
)
def _():
    """Two lists with the same first three labels, of which one has the last true label higher."""
    truth, one, other = [[1, 0, 0, 0, 1]], [[5, 4, 3, 2, 1]], [[5, 4, 3, 1, 2]]
    k = notebooks.variables("07_top_k")[-1]["k"]
    whole = ranking.coverage, ranking.ranking_loss, ranking.average_precision
    return (
        k == 3
        and all(metric(truth, one) != metric(truth, other) for metric in whole)
        and all(metric(truth, one, k=k) == metric(truth, other, k=k) for metric in THREE)
    )


# ---------------------------------------------------------------------------- predict


@claim(
    "Under photo one dog, sea and sun: one of three is right.",
    "Under photo two sea, rain and sun: two of three are right.",
)
def _(y_true, y_score, labels):
    shown = [sorted(zip(row, labels, strict=True))[:-4:-1] for row in y_score]
    names = [{name for _, name in three} for three in shown]
    hits = [sum(in_order(*pair)[:3]) for pair in zip(y_true, y_score, strict=True)]
    return names == [{"dog", "sea", "sun"}, {"sea", "rain", "sun"}] and hits == [1, 2]


@claim("No model can do better, for the photo has only one true tag.")
def _(y_true):
    return sum(y_true[0]) == 1 and near(max(orders(y_true[0], top_k.precision, k=3)), 1 / 3)


@claim("The frame is the window.", "Nobody sees the boat ○: it is true, and stands below.")
def _(y_true, y_score, labels, photos, printed):
    ax = figures.top_window(y_true, y_score, k=3, labels=labels, samples=photos)
    frames = [box for box in ax.patches if box.get_label() == "frame"]
    within = [
        [
            frame.get_y() < box.get_y() < frame.get_y() + frame.get_height()
            for box in ax.patches
            if frame.get_x() < box.get_x() < frame.get_x() + frame.get_width()
        ]
        for frame in frames
    ]
    committed = figures.alt_text(figures.PICTURES["top_k"]())
    boat = labels.index("boat")
    return (
        within == [[True] * 3 + [False] * 2] * 2
        and y_true[1][boat] == 1
        and sorted(y_score[1])[::-1].index(y_score[1][boat]) == 3
        and committed == figures.alt_text(ax)
        and "; below, miss boat" in printed
    )


# ---------------------------------------------------------------------------- precision


@claim(
    "Precision: how much of the window is right?",
    "Precision at k, P@k for short, is the number of hits in the window, divided by k.",
    "With $Y_i$ for the true labels of sample $i$, $T_i$ for its first k and $n$ samples:",
)
def _():
    return is_as_by_hand(top_k.precision)


@claim("P@3 is ½(1/3 + 2/3) = 1/2.")
def _(y_true, y_score):
    each = [by_hand("precision", *pair, 3) for pair in zip(y_true, y_score, strict=True)]
    return near(each, [1 / 3, 2 / 3]) and top_k.precision(y_true, y_score, k=3) == 1 / 2


@claim("Let the truth itself be the scores, so that every true tag is on top:")
def _(y_true, best):
    tops = [in_order(row, row)[: sum(row)] for row in y_true]
    return all(all(top) for top in tops) and near(
        best, [by_hand("precision", row, row, 3) for row in y_true]
    )


@claim(
    "P@3 cannot reach 1 here, only 0.667: photo one has fewer true tags than the window has places."
)
def _(y_true, best):
    most = [max(orders(row, top_k.precision, k=3)) for row in y_true]
    return (
        near(most, best) and round(mean(most), 3) == 0.667 and sum(y_true[0]) < 3 == sum(y_true[1])
    )


@claim(
    "None of the tools that we ran divides by the smaller of k and the number of true labels instead."
)
def _(y_true, hits, k):
    otherwise = mean(h / min(k, sum(row)) for h, row in zip(hits, y_true, strict=True))
    given = GAVE["precision"].values()
    return not any(near(value, otherwise) for value in given) and near([*given], 1 / 2)


@claim("Without ties, P@1 is 1 − one-error, the metric of notebook 05.")
def _():
    return always(
        lambda y_true, y_score: (
            not untied(y_score)
            or near(top_k.precision(y_true, y_score, k=1), 1 - ranking.one_error(y_true, y_score))
        ),
        SHAPES,
    )


# ---------------------------------------------------------------------------- recall


@claim(
    "Recall: how much of the truth is in the window?",
    "Recall at k, R@k, divides the same hits by the number of true labels.",
)
def _():
    return is_as_by_hand(top_k.recall)


@claim("It cannot reach 1 where that is more than k.")
def _():
    def holds(y_true, y_score):
        each = top_k.recall(y_true, y_score, k=1, per_sample=True)
        return bool((each[np.sum(y_true, axis=1) > 1] < 1).all())

    return always(holds, SHAPES) and top_k.recall([[1, 0]], [[2, 1]], k=1) == 1


@claim("The mean of the photos is 5/6; so say our top_k.recall and most tools.")
def _(y_true, y_score):
    each = [by_hand("recall", *pair, 3) for pair in zip(y_true, y_score, strict=True)]
    alike = [value == round(5 / 6, 6) for value in GAVE["recall"].values()]
    return near([mean(each), top_k.recall(y_true, y_score, k=3)], 5 / 6) and sum(alike) > 2


@claim(
    "Keras adds up first and divides once, 3/4: photo two has three of the four true tags, and so most"
    " of the weight."
)
def _(y_true, hits, pooled):
    sizes = [sum(row) for row in y_true]
    return sizes == [1, 3] and sum(hits) / sum(sizes) == pooled == GAVE["recall"]["keras"] == 3 / 4


@claim(
    "One name, two numbers; the difference is that of macro and micro in 04_label_based, here over"
    " samples."
)
def _(y_true, y_score, mean, pooled):
    """Turned by a quarter, so that samples take the place of labels."""
    shown = (np.array(y_score) >= np.sort(y_score, axis=1)[:, 2:3]).astype(int)
    turned = np.transpose(y_true), shown.T
    two = [label_based.recall(*turned, average=average) for average in ("macro", "micro")]
    return shown.sum(axis=1).tolist() == [3, 3] and near(two, [float(mean), float(pooled)])


# ---------------------------------------------------------------------------- nDCG


@claim(
    "nDCG: a hit counts less further down",
    "To precision and recall at k it does not matter where in the window a hit stands.",
    "To nDCG, the normalized discounted cumulative gain, it does.",
)
def _():
    """One true label of four, at places 1, 2 and 3 of a window of three."""
    scores = [[[score, 3, 2, 1]] for score in (4, 2.5, 1.5)]
    one, two, falls = ([m([[1, 0, 0, 0]], score, k=3) for score in scores] for m in THREE)
    return one == [1 / 3] * 3 and two == [1] * 3 and falls[0] > falls[1] > falls[2] > 0


@claim(
    "A hit at place r counts 1 ÷ log2(r + 1), its discount.",
    "The sum over the hits is DCG; nDCG divides it by the DCG of the best order.",
)
def _(discount):
    return is_as_by_hand(top_k.ndcg) and near(discount, [1, 1 / np.log2(3), 1 / 2])


@claim(
    "Photo two has hits at places 1 and 3.",
    "In the best order, all three places are hits.",
    "The best order of photo one has a single hit, at place 1.",
)
def _(y_true, y_score, dcg, best):
    found = in_order(y_true[1], y_score[1])[:3]
    ideal = [in_order(row, row)[:3] for row in y_true]
    return (
        found == [1, 0, 1]
        and ideal == [[1, 0, 0], [1, 1, 1]]
        and near([dcg, best], [1 + 1 / 2, 1 + 1 / np.log2(3) + 1 / 2])
    )


@claim(
    "So there nDCG is 1, where precision was one third: every sample that has a true label can reach 1."
)
def _(y_true, y_score):
    one = [metric(y_true[:1], y_score[:1], k=3) for metric in (top_k.ndcg, top_k.precision)]

    def reaches(y_true, y_score):
        each = top_k.ndcg(y_true, y_true, k=2, per_sample=True)
        return bool((each[np.any(y_true, axis=1)] == 1).all())

    return near(one, [1, 1 / 3]) and always(reaches, SHAPES)


@claim("Of the three, scikit-learn has only nDCG.")
def _(printed):
    named = {name for name in dir(skm) if "at_k" in name or "top_k" in name or "dcg_score" in name}
    alike = inspect.signature(skm.precision_score), inspect.signature(skm.recall_score)
    return (
        named == {"dcg_score", "ndcg_score", "top_k_accuracy_score"}
        and not any("k" in signature.parameters for signature in alike)
        and "–" in printed
    )


@claim("Its top_k_accuracy_score takes one label per sample.")
def _(y_true, y_score):
    try:
        skm.top_k_accuracy_score(y_true, y_score, k=3)
    except ValueError as error:
        one = skm.top_k_accuracy_score([0, 1], y_score, k=3, labels=range(5))
        return "1d array" in str(error) and one == 1
    return False
