"""Notebook 09: which reversals of models hold on five splits, and what ties and empty sets are worth."""

from itertools import combinations

import numpy as np

from claims import always, claim
from claims.choosing_a_metric import EXACT, best, family, hits, mistakes, silent
from mlm_helpers import catalogue, example_based
from mlm_helpers.course import emoji, figures
from mlm_helpers.hamming import hamming_loss
from mlm_helpers.ranking import ranking_loss, ranks

ALWAYS, NEVER = "5 : 0", "0 : 5"

# ---------------------------------------------------------------------------- who reverses whom


@claim(
    "5 : 0 and 0 : 5 in one column are a reversal that holds.",
    "3 : 2 may be luck: whoever has one split sees either.",
)
def _(result, by_split, lower, mixed):
    """Counted again: each metric's difference, turned so that more is better."""
    for (name, a, b), said in result.items():
        sign = -1 if name in lower else 1
        gains = np.sign([sign * (row[name][a] - row[name][b]) for row in by_split])
        if said != f"{(gains > 0).sum()} : {(gains < 0).sum()}":
            return False
        if said == "3 : 2" and set(gains) != {1, -1}:
            return False
    per_pair = {pair: {v for (_, *p), v in result.items() if tuple(p) == pair} for pair in mixed}
    hold = [pair for pair, seen in per_pair.items() if {ALWAYS, NEVER} <= seen]
    return len(hold) == 4 and "3 : 2" in result.values()


@claim("Where lines cross, two metrics put two models in opposite order.")
def _(small, lower, values):
    drawn = figures.rank_reversals(small, lower_is_better=lower & set(small)).lines
    models = list(values["macro F1"])
    heights = {line.get_label(): line.get_ydata() for line in drawn if line.get_label() in models}
    losses = {m: [v[m] * (1 if n in lower else -1) for n, v in small.items()] for m in models}
    return len(heights) == 5 and all(
        ((heights[a] > heights[b]) == np.greater(losses[a], losses[b])).all()
        for a, b in combinations(models, 2)
    )


def told(result, a, b, verdict):
    """The metrics with this verdict on a pair."""
    return {name for (name, *pair), said in result.items() if pair == [a, b] and said == verdict}


@claim(
    "Sixteen metrics always prefer the neighbours: the linear model has more false alarms, which"
    " costs precision, Hamming loss, micro F1.",
    "Six always prefer it: they read the whole order, and most scores of the neighbours are one"
    " large tie at 0.",
    "Micro AP reads the whole order too, yet always prefers the neighbours.",
    "Macro F1 changes sides.",
)
def _(result, splits, metrics):
    """Of one positive among six cells, micro AP hears each place."""
    for_it, against = (told(result, "neighbours", "linear", v) for v in (NEVER, ALWAYS))
    alarms = all(
        mistakes(t, said["linear"])[1] > mistakes(t, said["neighbours"])[1] for t, _, said in splits
    )
    costs = {n for n in metrics if n.endswith("precision") and n != "average precision"}
    whole = family("ranking", metrics) - {"one-error"} | {n for n in metrics if "AUROC" in n}
    tie = all((score["neighbours"] == 0).mean() > 0.9 for _, score, _ in splits)
    changes = result["macro F1", "neighbours", "linear"] == "2 : 3"
    named = costs | {"Hamming loss", "micro F1", "micro AP"} <= against
    at_place = [
        metrics["micro AP"](y.reshape(2, 3), [[6, 5, 4], [3, 2, 1]]) for y in np.eye(6, dtype=int)
    ]
    return named and len(against) == 16 and alarms and for_it == whole and len(whole) == 6 and (
        tie and changes and (np.diff(at_place) < 0).all()
    )  # fmt: skip


@claim(
    "Subset accuracy, zero-one loss and Hamming loss always prefer the fool, the other metrics the"
    " model.",
    "Coverage and ranking loss always prefer the fool.",
)
def _(result, metrics):
    linear, neighbours = (
        [told(result, *pair, v) for v in (NEVER, ALWAYS)]
        for pair in (("linear", "nothing"), ("neighbours", "frequent"))
    )
    return linear == [EXACT, set(metrics) - EXACT] and neighbours[0] == {"coverage", "ranking loss"}


@claim("Hamming loss prefers a model to “nothing” just where it has more hits than false alarms.")
def _():
    def just(y_true, y_pred):
        prefers = hamming_loss(y_true, y_pred) < hamming_loss(y_true, 0 * y_true) - 1e-12
        return prefers == (hits(y_true, y_pred) > mistakes(y_true, y_pred)[1])

    return always(just)


@claim(
    "Every metric that does not change sides prefers the trees.",
    "The neighbours' lead on split 0 may be luck, but by Hamming loss and micro precision they lead on"
    " four of five.",
)
def _(result, values, lower, metrics):
    led = {name for name, leader in best(values, lower).items() if leader == "neighbours"}
    verdicts = {name: result[name, "neighbours", "trees"] for name in metrics}
    four = {name for name, said in verdicts.items() if said == "4 : 1"}
    return (
        ALWAYS not in verdicts.values()
        and four == {"Hamming loss", "micro precision"} < led
        and {verdicts[name] for name in led - four} == {"2 : 3"}
    )


@claim("Five of five is no proof: the splits share their pictures.")
def _(data):
    halves = [set(np.flatnonzero(emoji.folds(data.y, 2, seed=r + 1) == 1)) for r in range(5)]
    return all(len(a & b) > 300 for a, b in combinations(halves, 2))


# -------------------------------------------------------------------------- ties and empty sets


@claim(
    "The neighbours tie most labels at 0, “nothing” all of them.",
    'The default, "worst", puts the neighbours behind “frequent”.',
    'Under "average" they lead it, and under "best" “nothing” is perfect.',
)
def _(y_true, y_score, rows):
    zeros = {name: (y_score[name] == 0).mean(axis=1) for name in ("neighbours", "nothing")}
    loss = {rule: dict(zip(y_score, row, strict=True)) for rule, *row in rows}
    default = ranking_loss(y_true, y_score["neighbours"]) == loss["worst"]["neighbours"]
    behind = loss["worst"]["neighbours"] > loss["worst"]["frequent"]
    lead = loss["average"]["neighbours"] < loss["average"]["frequent"]
    first = (ranks(y_score["nothing"], ties="best") == 1).all() and loss["best"]["nothing"] == 0
    return min(zeros["neighbours"]) > 1 / 2 and (zeros["nothing"] == 1).all() and (
        default and behind and lead and first
    )  # fmt: skip


@claim("On a picture without a label F1 is 0, or 0/0 where the model is silent too.")
def _():
    def nan_where_silent(y_true, y_pred):
        at = example_based.f1(y_true, y_pred, zero_division=np.nan, per_sample=True)[silent(y_true)]
        quiet = silent(y_pred)[silent(y_true)]
        return (np.isnan(at) == quiet).all() and not at[~quiet].any()

    return always(nan_where_silent)


@claim(
    "By default silence gains nothing there, and neighbours and linear change sides.",
    "Left out (nan), or worth 1 (agree), the neighbours win always: they are silent on more of these"
    " pictures.",
    "Under agree, “nothing” overtakes “frequent”.",
)
def _(f1_by_rule, splits):
    default = {catalogue.of(example_based.f1).defaults["zero_division"]} == {0}
    ahead = {
        rule: sum(row["neighbours"] > row["linear"] for row in found)
        for rule, found in f1_by_rule.items()
    }
    quiet = all(
        silent(said["neighbours"][silent(t)]).sum() > silent(said["linear"][silent(t)]).sum()
        for t, _, said in splits
    )
    gains = {
        rule: {row["nothing"] > row["frequent"] for row in f1_by_rule[rule]} for rule in f1_by_rule
    }
    counts = ahead == {"0.0": 3, "nan": 5, "agree": 5}
    return default and counts and quiet and gains == {
        "0.0": {False}, "nan": {False}, "agree": {True}
    }  # fmt: skip


@claim("Metrics disagree about real models: each counts something else.")
def _(result, mixed):
    return len(mixed) > 5 and {ALWAYS, NEVER} <= set(result.values())


@claim("What one split shows may be luck: count on several which model wins.")
def _(result):
    return {"3 : 2", "2 : 3"} <= set(result.values())
