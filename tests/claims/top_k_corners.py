"""Notebook 07, from "What the formulas leave open" on; rare labels and very many are in top_k_rare."""

import inspect
from itertools import permutations
from math import log2, nan
from statistics import mean

import numpy as np
import places as notebooks
from scipy import sparse
from sklearn.metrics import ndcg_score

from claims import always, claim
from claims.top_k import THREE, by_hand, near, orders
from mlm_helpers import top_k

# What tools gave in November 2026
EMPTY = {"scikit-learn": 0.5, "napkinXC": 0.5, "pyxclib": 0.5, "Annif": 1.0}  # nDCG at 2
TIED = {"napkinXC": (0.0, 1.0), "pyxclib": (1.0, 0.0)}  # at 1; the last is true, then the first
FEW = {"napkinXC": 1 / 3, "pyxclib": 1 / 3, "ranx": 1 / 3, "xCOLUMNs": 1 / 3, "Annif": 0.75}
MADE_DENSE = {"napkinXC": 0.5, "pyxclib": 0.5}


@claim(
    "The first of two photos has no true tag, and the second is perfect.",
    "The first one's recall and nDCG are 0/0.",
)
def _(empty):
    (none, one), (_, score) = empty
    left_out = [m(*empty, k=2, undefined=nan, per_sample=True)[0] for m in THREE[1:]]
    perfect = [m([one], [score], k=2) for m in THREE[1:]]
    return sum(none) == 0 and np.isnan(left_out).all() and perfect == [1, 1]


@claim(
    "scikit-learn counts such an nDCG 0, which is our default; Annif, a program for libraries, counts"
    " it 1; nan leaves the photo out."
)
def _(empty):
    theirs = ndcg_score(*empty, k=2)
    ours = [m(*empty, k=2, undefined=rule) for m in THREE[1:] for rule in (0, 1, nan)]
    by_default = [m(*empty, k=2) for m in THREE[1:]]
    return (
        ours == [0.5, 1, 1] * 2
        and by_default == [0.5, 0.5]
        and theirs == EMPTY["scikit-learn"] == 0.5
        and EMPTY["Annif"] == 1
    )


@claim("P@k needs no rule: no hit in two places is 0.")
def _(empty):
    takes = [("undefined" in inspect.signature(m).parameters) for m in THREE]
    return takes == [False, True, True] and top_k.precision(*empty, k=2, per_sample=True)[0] == 0


# ---------------------------------------------------------------------------- ties


@claim("Three tags have the same score, there is room for one, and the last of them is true.")
def _(tie, printed):
    return tie[0] == [[0, 0, 1]] and len({*tie[1][0]}) == 1 and "P@1" in printed


@claim(
    '"worst" and "best" are the least and the greatest value over all orders of the tied tags,'
    ' "average" the mean over all orders, 1/3: our default, and that of scikit-learn\'s nDCG.'
)
def _(tie):
    def over_orders(y_true, y_score):
        """One sample, all tied: what its orders give is between worst and best."""
        truth = y_true[0].tolist()
        for metric in THREE:
            values = orders(truth, metric, k=1)
            three = [min(values), max(values), mean(values)]
            said = [
                metric(y_true, 0 * y_score, k=1, ties=ties) for ties in ("worst", "best", "average")
            ]
            if not near(said, three):
                return False
        return True

    theirs = ndcg_score(*tie, k=1)
    ours = top_k.precision(*tie, k=1)
    return always(over_orders, [(1, 2), (1, 3)]) and near([theirs, ours], 1 / 3)


@claim(
    "With ignore_ties=True the last column wins here.",
    "In napkinXC the first column wins, in pyxclib the last.",
)
def _(tie):
    """Theirs, and ours under first and last: the last column true, then the first."""
    both = tie, ([tie[0][0][::-1]], tie[1])
    ignored = tuple(ndcg_score(*one, k=1, ignore_ties=True) for one in both)
    first, last = (
        tuple(top_k.precision(*one, k=1, ties=ties) for one in both) for ties in ("first", "last")
    )
    return ignored == last == TIED["pyxclib"] and first == TIED["napkinXC"]


@claim("So a model that gives every label the same score can have 0, 1/3 or 1.")
def _(tie, rules):
    values = {round(float(top_k.precision(*tie, k=1, ties=rule)), 9) for rule in rules}
    return values == {0, round(1 / 3, 9), 1}


# ---------------------------------------------------------------------------- few scores


@claim(
    "Where labels are very many, one stores a few scores per sample, in a sparse matrix.",
    "Here photo one has one score and photo two has two, for three places.",
)
def _(scored):
    many = notebooks.variables("07_top_k")[-1]["many_scores"]
    stored = [np.diff(matrix.indptr) for matrix in (scored, many)]
    return (
        sparse.issparse(many)
        and stored[0].tolist() == [1, 2]
        and stored[1].max() < many.shape[1] / 10_000
    )


@claim(
    "Here a label without a score is never shown, its place stays empty, and we divide by k all the"
    " same: 0.333."
)
def _(y_true, scored):
    """A hit of one label, and one of two; true labels without a score are not found, whatever the rule."""
    values = [
        top_k.precision(y_true, scored, k=3, ties=ties) for ties in ("worst", "best", "average")
    ]
    given = [value for tool, value in FEW.items() if tool != "Annif"]
    return near(values, mean([1 / 3, 1 / 3])) and near(given, 1 / 3)


@claim(
    "Made dense, the matrix has zeros for scores, and tied labels that nobody predicted fill the"
    " window: 0.333, 0.444 or 0.5."
)
def _(y_true, scored):
    """All orders of each photo's zeros."""
    dense = scored.toarray().tolist()
    each = []
    for truth, score in zip(y_true, dense, strict=True):
        given = [j for j in sorted(range(5), key=lambda j, s=score: -s[j]) if score[j]]
        zeros = [j for j in range(5) if not score[j]]
        shown = [[*given, *order][:3] for order in permutations(zeros)]
        each.append([sum(truth[j] for j in window) / 3 for window in shown])
    three = [mean(map(how, each)) for how in (min, mean, max)]
    said = [top_k.precision(y_true, dense, k=3, ties=t) for t in ("worst", "average", "best")]
    return (
        near(said, three)
        and np.round(three, 3).tolist() == [0.333, 0.444, 0.5]
        and all(value in three for value in MADE_DENSE.values())
    )


@claim("Annif divides by the labels predicted, 1 of 1 and 1 of 2, and says three quarters.")
def _(y_true, scored):
    sizes = np.diff(scored.indptr).tolist()
    hits = [sum(y_true[i][j] for j in scored[[i]].indices) for i in (0, 1)]
    shares = list(zip(hits, sizes, strict=True))
    return shares == [(1, 1), (1, 2)] and mean([1, 1 / 2]) == FEW["Annif"]


# ---------------------------------------------------------------------------- where it misleads


@claim(
    "P@k does not see the order in the window.",
    "Places 1 and 2, or 2 and 3: P@3 is 2/3 for both.",
    "Only nDCG@3 sees it: 1 against 0.693.",
)
def _(judge):
    ndcg = (1 / log2(3) + 1 / 2) / (1 + 1 / log2(3))
    (*_, one, top), (*_, other, low) = judge((1, 2)), judge((2, 3))
    reordered = [
        {metric([[1, 1, 0, 0]], [[*order, -1]], k=3) for order in permutations((1, 2, 3))}
        for metric in THREE
    ]
    return (
        near([one, other], 2 / 3)
        and near([top, low], [1, ndcg])
        and round(ndcg, 3) == 0.693
        and [len(values) > 1 for values in reordered] == [False, False, True]
    )


@claim(
    "Another k, another winner.",
    "P@1 prefers (1, 4) to (2, 3), P@2 finds them equal, P@3 prefers (2, 3).",
)
def _(judge):
    one, other = judge((1, 4)), judge((2, 3))
    return [np.sign(float(a - b)) for a, b in zip(one[:3], other[:3], strict=True)] == [1, 0, -1]


@claim(
    "P@k divides the hits in the window by k, R@k by what is true; nDCG counts each hit by its place,"
    " and divides by the best order."
)
def _():
    truth, score = [1, 0, 1, 1], [4, 3, 2, 1]
    values = [m([truth], [score], k=3) for m in THREE]
    return near(values, [2 / 3, 2 / 3, 1.5 / (1.5 + 1 / log2(3))]) and near(
        values, [by_hand(m.__name__, truth, score, 3) for m in THREE]
    )


@claim(
    "Beside the number say k, who wins ties, and what an empty sample and a label without a score are"
    " worth."
)
def _(tie, empty, y_true, scored, judge):
    """Each changes a number."""
    by_k = {*map(float, judge((1, 4))[:3])}
    by_ties = {top_k.precision(*tie, k=1, ties=ties) for ties in ("worst", "best")}
    by_rule = {top_k.ndcg(*empty, k=2, undefined=rule) for rule in (0, 1)}
    by_scores = {top_k.precision(y_true, s, k=3) for s in (scored, scored.toarray())}
    return all(len(values) > 1 for values in (by_k, by_ties, by_rule, by_scores))


@claim(
    "P@k and R@k are blind to the order in the window, and another k can make another model win."
)
def _():
    truth, one, other = [[1, 1, 0, 0]], [[4, 1, 3, 2]], [[3, 2, 4, 1]]
    wins = [m(truth, one, k=k) - m(truth, other, k=k) for m in THREE[:2] for k in (1, 3)]
    blind = [
        {m(truth, [[*order, -1]], k=3) for order in permutations((1, 2, 3))} for m in THREE[:2]
    ]
    return np.sign(wins).tolist() == [1, -1] * 2 and all(len(values) == 1 for values in blind)


@claim("Next: 08_thresholds makes label sets of scores.")
def _():
    made = notebooks.variables("08_thresholds")[-1]["rules"]
    return all({*np.unique(sets)} <= {0, 1} for sets in made.values())
