"""Notebook 08, but for what it says of the emoji: that is in thresholds_emoji."""

from fractions import Fraction
from functools import partial
from itertools import pairwise, product
from math import isclose

import numpy as np
import places as notebooks
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import FixedThresholdClassifier, TunedThresholdClassifierCV
from sklearn.multiclass import OneVsRestClassifier
from sklearn.multioutput import MultiOutputClassifier

from claims import always, claim
from mlm_helpers import exact_match, example_based, hamming, label_based, thresholds
from mlm_helpers.conventions import TOOLS

MICRO = partial(label_based.f1, average="micro")


def said(labels, row):
    return {name for name, is_said in zip(labels, row, strict=True) if is_said}


def at_least(y_score, cut):
    return [[int(score >= cut) for score in row] for row in y_score]


def taught(file):
    return "".join(p.text for section in notebooks.sections(file) for p in section.passages)


def reads(tool, words):
    return any(words in note.says for note in TOOLS[tool].notes)


# ---------------------------------------------------------------------------- the question


@claim("From scores to label sets: 0.5 is a habit")
def _():
    """Of the five metrics none has its best cut at one half, in the tiny data."""
    last = notebooks.variables("08_thresholds")[-1]
    data = last["y_true"], last["y_score"]
    return all(
        judge(data[0], at_least(data[1], 0.5)) != judge(data[0], at_least(data[1], best))
        for judge in (example_based.f1, MICRO, label_based.f1, hamming.hamming_loss)
        for best in [thresholds.tune(judge, *data)]
    )


@claim(
    "After this notebook you can turn scores into label sets by three rules, tune a threshold without"
    " fooling yourself, and say which label set is best under a metric when you know the chances."
)
def _(text):
    heads = {section.heading for section in notebooks.sections("08_thresholds")}
    rules = all(f"**{rule}**" in text for rule in ("cut", "Top k"))
    return (
        rules
        and "A share says" in text
        and {"Tune on one half, pay on the other", "What is best to predict?"} <= heads
    )


@claim("You need: F1 from 02_example_based, macro and micro from 04_label_based.")
def _():
    averages = taught("04_label_based").lower()
    return (
        "**macro**" in averages and "**micro**" in averages and "F1" in taught("02_example_based")
    )


@claim("A model gives each tag of a photo a score, people want a set of tags.")
def _(labels, photos, y_true, y_score):
    shape = np.shape(y_score)
    return shape == np.shape(y_true) == (len(photos), len(labels)) and shape == (4, 3)


@claim("At 0.5, photo two gets a wrong sun and loses its sea, and photo four loses its sun.")
def _(labels, y_true, y_score):
    rows = [said(labels, row) for row in at_least(y_score, 0.5)]
    true = [said(labels, row) for row in y_true]
    return (
        (rows[1] - true[1], true[1] - rows[1]) == ({"sun"}, {"sea"})
        and (rows[3] - true[3], true[3] - rows[3]) == (set(), {"sun"})
        and rows[0] == true[0] and rows[2] == true[2]
    )  # fmt: skip


@claim(
    "At 0.35, every photo has its true tags, but photo two keeps the sun, and photo three, which has"
    " no tag, gets a dog."
)
def _(labels, y_true, y_score):
    rows = [said(labels, row) for row in at_least(y_score, 0.35)]
    true = [said(labels, row) for row in y_true]
    wrong = [row - t for row, t in zip(rows, true, strict=True)]
    return wrong == [set(), {"sun"}, {"dog"}, set()] and all(map(set.issubset, true, rows))


@claim(
    "With one tag for each photo, photo two gets the sun and loses its sea, photo three gets the dog, and"
    " photos one and four lose a tag each."
)
def _(labels, y_true, y_score):
    best = [labels[row.index(max(row))] for row in y_score]
    lost = [said(labels, t) - {b} for t, b in zip(y_true, best, strict=True)]
    return best == ["dog", "sun", "dog", "dog"] and lost == [{"sea"}, {"sea"}, set(), {"sun"}]


@claim("A cut (threshold) says every label whose score reaches it (SCut).")
def _(y_score, rules):
    return all(
        rules[f"cut at {cut}"].tolist() == at_least(y_score, cut) for cut in (0.5, 0.35)
    ) and always(
        lambda y_true, y_score: all(
            thresholds.at(y_score, cut).tolist() == at_least(y_score.tolist(), cut)
            for cut in np.unique(y_score)
        )
    )


@claim("Top k says the k best labels of each sample (RCut).")
def _():
    def holds(y_true, y_score):
        of_each = [(row, k) for row in y_score for k in range(1, len(row) + 1)]
        return all(
            sum(found) == k and min(row[found == 1]) >= max([*row[found == 0], -np.inf])
            for row, k in of_each
            for found in thresholds.top([row], k)
        )

    return always(holds)


@claim("A share says each label for as many samples as its share of the training data (PCut).")
def _(rules, y_true, y_score):
    highest = [
        {int(i) for i in np.argsort(column)[::-1][:count]}
        for column, count in zip(np.transpose(y_score), np.sum(y_true, axis=0), strict=True)
    ]
    return [{int(i) for i in np.flatnonzero(c)} for c in rules["share"].T] == highest


@claim("Here are all three; the shares are those of the truth: dog and sea half, sun a quarter.")
def _(shares, y_true, rules):
    kinds = {rule.split()[0] for rule in rules}
    return (
        shares.tolist() == [0.5, 0.5, 0.25]
        and kinds == {"cut", "top", "share"}
        and (shares.tolist() == np.mean(y_true, axis=0).tolist())
    )


@claim("One model, four rows: who reports a set metric judges the model and its rule.")
def _(judges, rules, y_true):
    rows = [tuple(judge(y_true, sets) for judge in judges.values()) for sets in rules.values()]
    return len(rows) == len({*rows}) == 4


# ---------------------------------------------------------------------------- > or ≥


@claim("Photo two has the sun at exactly 0.5.", "A yes, here, unless you say otherwise.")
def _(labels, y_score):
    exactly = y_score[1][labels.index("sun")] == 0.5
    yes, no = (thresholds.at([[0.5]], **kind)[0, 0] for kind in ({}, {"inclusive": False}))
    return exactly and yes == 1 and no == 0


@claim(
    "Tools differ: scikit-learn's OneVsRestClassifier, keras, torchmetrics and flair ask for more than"
    " the threshold; torcheval, MEKA, MULAN, spaCy and mmpretrain let it count."
)
def _():
    """scikit-learn is run: two points of one place, one true, have a chance of exactly one half."""
    points, truth = np.zeros((2, 1)), np.array([[1, 0], [0, 1]])
    model = OneVsRestClassifier(LogisticRegression()).fit(points, truth)
    chance, answer = model.predict_proba(points), model.predict(points)
    more, enough = ("the threshold is score > 0.5", "the threshold is score >= 0.5")
    return (
        np.all(chance == 0.5) and not answer.any()
        and all(reads(tool, more) for tool in ("keras", "torchmetrics"))
        and all(reads(tool, enough) for tool in ("torcheval", "MEKA", "MULAN", "mmpretrain"))
    )  # fmt: skip


@claim("11_conventions has the table.")
def _():
    listed = next(s for s in notebooks.sections("11_conventions") if "exactly 0.5" in s.output)
    return all(tool in listed.output for tool in ("keras", "torchmetrics", "torcheval", "MEKA"))


# ---------------------------------------------------------------------------- tools


@claim("Some have a rule of their own.", "Two of them, on paper:")
def _(printed):
    return "torchmetrics" in printed and "keras" in printed


@claim(
    "torchmetrics takes a whole call for logits, and squashes it by a sigmoid, as soon as one score in"
    " it lies outside 0 to 1.",
    "So the same scores in one call or in two give two numbers.",
)
def _(calls, truth, printed):
    """What torchmetrics 1.9.0 gave in November 2026: 0.5 as two updates, 0.6667 as one."""

    def squashed(call):
        call = np.array(call)
        return 1 / (1 + np.exp(-call)) if ((call < 0) | (call > 1)).any() else call

    values = [
        MICRO(truth, (scores > 0.5).astype(int))
        for scores in (np.vstack([squashed(c) for c in calls]), squashed(np.vstack(calls)))
    ]
    note = reads("torchmetrics", "before the threshold, so that every score above 0 is a yes")
    return note and np.allclose(values, [0.5, 2 / 3]) and "0.667" in printed


@claim("Squash them yourself.")
def _(calls, sigmoid):
    """Squashed once, they lie within 0 and 1, so that no call is squashed again."""
    once = sigmoid(np.vstack(calls))
    return bool(((once > 0) & (once < 1)).all())


@claim(
    'keras #5335, #3098: "accuracy" becomes the accuracy of one label per sample; name a metric instead.'
)
def _(tags, scores, same):
    """Its number would be the same if only the first true label of each sample were true."""
    first = np.eye(3, dtype=int)[np.argmax(tags, axis=1)]
    one_each = exact_match.subset_accuracy(first, thresholds.top(scores, 1))
    return one_each == same.mean() != exact_match.subset_accuracy(tags, thresholds.at(scores))


@claim(
    "Threads that ask about it:",
    "flair #2274, scikit-learn PR #26120: a threshold can be tuned, for each label too.",
)
def _():
    """Of a label each, the tuned classifier leaves one half."""
    points, truth = np.arange(40)[:, None], np.arange(40) % 5 == 0
    tuned = TunedThresholdClassifierCV(LogisticRegression(), scoring="f1").fit(points, truth)
    each = thresholds.tune(
        label_based.f1, [[1, 0], [0, 1]], [[0.2, 0.9], [0.1, 0.8]], per_label=True
    )
    return tuned.best_threshold_ < 0.5 and len(each) == 2


@claim(
    "scikit-learn PR #30050: OneVsRestClassifier ignores thresholds that were tuned inside it,"
    " MultiOutputClassifier does not."
)
def _():
    points, truth = np.arange(10)[:, None], np.arange(10)[:, None] > [4, 7]
    high = FixedThresholdClassifier(LogisticRegression(), threshold=0.999)
    plain, one, multi = (
        model.fit(points, truth.astype(int)).predict(points).tolist()
        for model in (
            OneVsRestClassifier(LogisticRegression()),
            OneVsRestClassifier(high),
            MultiOutputClassifier(high),
        )
    )
    return one == plain and np.sum(plain) > 0 and np.sum(multi) == 0


# ---------------------------------------------------------------------------- every cut


@claim(
    "Between two neighbouring scores all cuts make the same sets.",
    "So it is enough to try the scores that occur, and one cut above them all, which says nothing:",
)
def _(cuts, y_score):
    def holds(y_true, y_score):
        steps = np.unique(y_score)
        between = [(low + high) / 2 for low, high in pairwise(steps)]
        return all(
            (thresholds.at(y_score, cut) == thresholds.at(y_score, high)).all()
            for cut, high in zip(between, steps[1:], strict=True)
        )

    nothing = not np.any(thresholds.at(y_score, 1.0))
    return always(holds) and nothing and cuts == [1.0, *sorted(np.unique(y_score).tolist())[::-1]]


@claim(
    "thresholds.tune tries them all, at once.",
    "At 0.35 all five metrics are at their best.",
    "For Hamming loss and subset accuracy a higher cut is as good, and of equals it takes the highest.",
)
def _(judges, y_true, y_score, cuts):
    best = {}
    for name, judge in judges.items():
        sign = -1 if "↓" in name else 1
        value = {cut: round(sign * judge(y_true, at_least(y_score, cut)), 9) for cut in cuts}
        best[name] = [cut for cut in cuts if value[cut] == max(value.values())]
    higher = {name for name, found in best.items() if found[0] > 0.35}
    tuned = {name: thresholds.tune(judge, y_true, y_score) for name, judge in judges.items()}
    return (
        all(0.35 in found for found in best.values()) and len(best) == 5
        and higher == {"Hamming loss ↓", "subset accuracy"}
        and tuned == {name: found[0] for name, found in best.items()}
    )  # fmt: skip


@claim("And these values flatter: we tuned on the photos on which we report.")
def _(code):
    return "thresholds.tune(judge, y_true, y_score)" in code and "judge(y_true," in code


# ---------------------------------------------------------------------------- half the F1


@claim(
    "Suppose that scores are calibrated: of the cells with score s, a share of s are true.",
    "F1 is twice the hits, divided by what is said plus what is true.",
    "Say one cell more: the part grows by 2s, on average, the whole by 1.",
    "That helps as long as 2s > F1.",
    "So the best cut for micro F1 lies where s is half the F1 that is reached, at most one half.",
)
def _():
    """In expected counts, of every few calibrated cells: the best sets are those above half of it."""
    for chances in product(
        (Fraction(1, 10), Fraction(3, 10), Fraction(6, 10), Fraction(9, 10)), repeat=4
    ):
        falling, true = sorted(chances, reverse=True), sum(chances)
        f1 = [2 * sum(falling[:n]) / (n + true) for n in range(5)]
        best = max(f1)
        n = f1.index(best)
        if (
            best > 1
            or any(2 * s <= best for s in falling[:n])
            or any(2 * s > best for s in falling[n:])
        ):
            return False
        for n, s in enumerate(falling):  # one cell more
            if (f1[n + 1] > f1[n]) != (2 * s > f1[n]):
                return False
    return always(
        lambda y_true, y_pred: isclose(
            MICRO(y_true, y_pred) * (y_true.sum() + y_pred.sum()),
            2 * (y_true & y_pred).sum(),
            abs_tol=1e-12,
        )
    )


# ---------------------------------------------------------------------------- what is best


def best_sets(metric, worlds, sets, lower):
    values = {}
    for name, chosen in sets.items():
        value = sum(float(p) * metric([truth], [chosen]) for truth, p in worlds.items())
        values[name] = -value if lower else value
    most = max(values.values())
    return {name for name, value in values.items() if isclose(value, most)}


SETS = {"nothing": (0, 0), "one": (1, 0), "both": (1, 1)}


@claim("The metrics want different sets, of the same chances.")
def _(two, metrics):
    wanted = [frozenset(best_sets(m, two, SETS, "↓" in name)) for name, m in metrics.items()]
    return len({*wanted}) == 2 and isclose(sum(map(float, two.values())), 1)


@claim(
    "F1 says both tags, though each is more likely false than true; Hamming loss and subset accuracy"
    " say nothing."
)
def _(two, metrics, chances):
    wanted = {name: best_sets(m, two, SETS, "↓" in name) for name, m in metrics.items()}
    f1s = {name for name in wanted if "F1" in name}
    return all(p < 1 / 2 for p in chances) and all(
        sets == ({"both"} if name in f1s else {"nothing"}) for name, sets in wanted.items()
    )


@claim(
    "Of three tags of which exactly one is true, Hamming loss says none, subset accuracy one, and F1"
    " all three."
)
def _(three, metrics, sets):
    wanted = {name: best_sets(m, three, sets, "↓" in name) for name, m in metrics.items()}
    one_true = all(sum(truth) == 1 for truth in three) and len(three) == 3
    return one_true and [*wanted.values()] == [{"all"}, {"all"}, {"nothing"}, {"one"}]


@claim(
    "So nobody can say what is best to predict before a metric is chosen.",
    "What is best to predict depends on the metric.",
)
def _():
    last = notebooks.variables("08_thresholds")[-1]
    worlds, sets = last["three"], last["sets"]
    best = [best_sets(m, worlds, sets, "↓" in name) for name, m in last["metrics"].items()]
    return len({frozenset(each) for each in best}) == 3


@claim("A set metric judges the rule, too: write down the cut, and how it was chosen.")
def _():
    last = notebooks.variables("08_thresholds")[-1]
    values = {exact_match.subset_accuracy(last["y_true"], sets) for sets in last["rules"].values()}
    return len(values) > 1


@claim(
    "For micro F1 the best cut is half the best value, never above one half, if scores are calibrated."
)
def _():
    """In expected counts: cells of nine scores, in drawn numbers, of which as many are true as scored."""
    scores = np.arange(9, 0, -1) / 10
    for cells in np.random.default_rng(0).integers(1, 9, size=(200, 9)):
        said, hits = np.cumsum(cells), np.cumsum(cells * scores)
        f1 = 2 * hits / (said + hits[-1])
        best = int(f1.argmax())
        below = scores[best + 1] if best < 8 else 0
        if not below - 1e-9 <= f1[best] / 2 <= scores[best] + 1e-9 or f1[best] > 1:
            return False
    return bool(f1[best] / 2 <= 1 / 2)


@claim("Move the cut yourself, where widgets run, and watch the metrics.")
def _(code):
    return "practice.explore(y_true, y_score=y_score" in code
