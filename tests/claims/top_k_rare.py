"""Notebook 07: what rare labels count, and half a million labels."""

import inspect
import tracemalloc
from math import log

import numpy as np

from claims import always, claim, on_trust
from claims.top_k import SHAPES, THREE, in_order, near
from mlm_helpers import top_k

# ---------------------------------------------------------------------------- rare labels

on_trust(
    "A label's propensity is the chance that it is written down where it is true.",
    "Jain et al. 2016, section 4",
)


@claim(
    "Jain and others (2016) estimate it from how often the label is seen, $n_j$ times in $N$ training"
    " samples, with two constants A and B, and let a hit count 1 ÷ propensity:"
)
def _(y_train, seen, q):
    """The formula that follows, by hand; and what a hit counts where one label is shown and true."""
    n, c = len(y_train), (log(len(y_train)) - 1) * (1.5 + 1) ** 0.55
    formula = [1 + c * (times + 1.5) ** -0.55 for times in seen]
    counted = [
        top_k.propensity_scored_precision([row], [row], q, k=1, normalize=False)
        for row in np.eye(5)
    ]
    return (
        n == 10 and y_train.sum(axis=0).tolist() == seen and near(formula, q) and near(counted, q)
    )


@claim("The boat, seen once, counts ln 10 = 2.303: with $n_j = 1$, A and B cancel.")
def _(labels, seen, q, y_train):
    boat = labels.index("boat")
    others = [
        top_k.inverse_propensities(y_train, a=a, b=b)[boat]
        for a in (0, 0.3, 0.55, 2)
        for b in (0.4, 1.5, 7)
    ]
    return seen[boat] == 1 and near([*others, q[boat]], log(10)) and round(log(10), 3) == 2.303


@claim(
    "PSP@k, propensity-scored precision, is one ratio of two sums over all photos: what is reached,"
    " over what k labels can reach."
)
def _():
    """For all orders without ties."""
    worth = [1.0, 4.0, 2.0]

    def holds(k, y_true, y_score):
        rows = list(zip(y_true.tolist(), y_score.tolist(), strict=True))
        if any(len({*score}) < len(score) for _, score in rows) or not y_true.any():
            return True
        gains = [[w * t for w, t in zip(worth, truth, strict=False)] for truth, _ in rows]
        reached = sum(
            sum(in_order(gain, score)[:k]) for gain, (_, score) in zip(gains, rows, strict=True)
        )
        reachable = sum(sum(sorted(gain)[::-1][:k]) for gain in gains)
        value = top_k.propensity_scored_precision(y_true, y_score, worth[: y_true.shape[1]], k=k)
        return near(value, reached / reachable)

    return always(lambda y_true, y_score: holds(1, y_true, y_score), SHAPES) and always(
        lambda y_true, y_score: holds(2, y_true, y_score), SHAPES
    )


@claim(
    "If all labels counted alike, it would be 0.75.",
    "But what is missed is rare: 0.698.",
)
def _(y_true, y_score, labels, seen, q, reached, reachable):
    alike = top_k.propensity_scored_precision(y_true, y_score, [1] * 5, k=3)
    missed = [name for name, has in zip(labels, in_order(y_true[1], y_score[1]), strict=True)]
    times = dict(zip(labels, seen, strict=True))
    true = [name for name, any_true in zip(labels, np.any(y_true, axis=0), strict=True) if any_true]
    return (
        alike == 0.75
        and len(missed) == 5
        and min(true, key=times.get) == "boat"
        and round(reached / reachable, 3) == 0.698
        and near(reached / reachable, top_k.propensity_scored_precision(y_true, y_score, q, k=3))
    )


@claim(
    "A and B were fitted to two data sets, Wikipedia and Amazon; the default is half-way between them."
)
def _(fits):
    parameters = inspect.signature(top_k.inverse_propensities).parameters
    defaults = [parameters[name].default for name in "ab"]
    said = " ".join((inspect.getdoc(top_k.inverse_propensities) or "").split())
    return (
        "0.5 and 0.4 for Wikipedia, 0.6 and 2.6 for Amazon" in said
        and [fits["Wikipedia"], fits["Amazon"]] == [(0.5, 0.4), (0.6, 2.6)]
        and near(defaults, fits["default"])
        and near(defaults, np.mean([fits["Wikipedia"], fits["Amazon"]], axis=0))
    )


@claim(
    "The same ten photos, with three pairs of constants:",
    "The rain, never seen, counts 3.437 by the one and 2.583 by the other: on your data it is a guess,"
    " not a measurement.",
)
def _(fits, labels, seen, y_train):
    rain = labels.index("rain")
    counts = [top_k.inverse_propensities(y_train, a=a, b=b)[rain] for a, b in fits.values()]
    two = np.round(counts[:2], 3).tolist()
    return len(y_train) == 10 and len(fits) == 3 and seen[rain] == 0 and two == [3.437, 2.583]


@claim("And who divides by k, not by what can be reached, can get more than 1: here 1.735.")
def _(y_true, y_score, q):
    """At 1 both photos have a hit, dog and sea."""
    hits = [labels[0] for labels in map(in_order, y_true, y_score)]
    value = top_k.propensity_scored_precision(y_true, y_score, q, k=1, normalize=False)
    return hits == [1, 1] and near(value, (q[0] + q[1]) / 2) and round(value, 3) == 1.735


on_trust(
    "Schultheis and others list the flaws; a later paper prefers averages over labels, each counted"
    " within the window.",
    "the abstracts of arXiv 2207.13186 and 2311.05081",
)

# ---------------------------------------------------------------------------- half a million labels

on_trust(
    "Choosing among so many labels is called extreme classification.", "the title of Jain et al."
)


@claim(
    "Two thousand samples have ten scores each, on average, and a label is true as often as its score"
    " says:"
)
def _(many_scores, many_true):
    """By tenths of the scores, of some two thousand each."""
    tenth = np.minimum(10 * many_scores.data, 9).astype(int)
    true = np.bincount(tenth, many_true.data) / np.bincount(tenth)
    same_cells = (many_scores.indices == many_true.indices).all()
    average = many_scores.nnz / many_scores.shape[0]
    close = np.abs(true - np.arange(0.05, 1, 0.1)).max() < 0.04
    return bool(many_scores.shape == (2_000, 500_000) and average == 10 and same_cells and close)


@claim(
    "A dense matrix would have 1,000,000,000 cells, which take 8 GB.",
    "Stored are 20,000 scores, each with its column, and the helper never makes the rest.",
)
def _(many_scores, many_true):
    cells, size = many_scores.shape[0] * many_scores.shape[1], many_scores.dtype.itemsize
    tracemalloc.start()
    for metric in THREE:
        metric(many_true, many_scores, k=5)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return (
        (cells, cells * size) == (10**9, 8 * 10**9)
        and many_scores.nnz == many_scores.indices.size == 20_000
        and most < cells * size / 1000
    )
