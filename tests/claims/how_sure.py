"""Notebook 10, up to two models on the same pictures: the rest in how_sure_limits."""

import inspect
import math
from collections import Counter
from fractions import Fraction
from functools import partial
from itertools import product
from statistics import pvariance

import numpy as np
import places as notebooks
import pytest

from claims import claim, sometimes
from mlm_helpers import example_based, label_based, records, uncertainty

near = partial(np.allclose, rtol=0, atol=1e-9)


def last():
    return notebooks.variables("10_how_sure")[-1]


def holds_zero(interval):
    return interval.low <= 0 <= interval.high


def together(said):
    """How far two models are right on the same pictures."""
    y_true = last()["y_true"]
    each = [
        example_based.accuracy(y_true, said[model], per_sample=True) for model in ("trees", "mix")
    ]
    return np.corrcoef(each)[0, 1]


# ---------------------------------------------------------------------------- the question


@claim("Ask how sure it is: A beats B by 0.005")
def _():
    return round(last()["differences"]["accuracy (Jaccard)"].value, 3) == 0.005


@claim(
    "After this notebook you can put an interval around any metric, compare two models on the same"
    " samples, and say what such an interval does not tell."
)
def _():
    heads = {section.heading for section in notebooks.sections("10_how_sure")}
    code = "\n".join(section.code for section in notebooks.sections("10_how_sure"))
    taught = {
        "An interval for any metric",
        "Two models, the same pictures",
        "Where it misleads you",
    }
    return taught <= heads and "uncertainty.interval(" in code and "uncertainty.compare(" in code


@claim("You need: macro and micro from 04_label_based.")
def _(text):
    taught = "".join(p.text for s in notebooks.sections("04_label_based") for p in s.passages)
    return "**Macro**" in taught and "**micro**" in taught and "(04_label_based.ipynb)" in text


@claim(
    "The course ships pictures of emoji with their keywords as labels, and what models say of them."
)
def _(data, scores):
    shapes = {data.y.shape, *(score.shape for score in scores.values())}
    keywords = {"face", "smile", "happy"} <= set(data.labels)
    return keywords and shapes == {(len(data.characters), len(data.labels))}


@claim("We judge the trees, the neighbours, and the mix: the mean of their scores.")
def _(scores, said, metrics):
    mean = np.mean([scores["trees"], scores["neighbours"]], axis=0)
    return list(said) == ["trees", "neighbours", "mix"] and near(scores["mix"], mean)


@claim("Each gets a cut that is tuned on one half of the pictures; the other half counts.")
def _(data, half, y_tune, y_true, scores, said):
    """No cut has a higher micro F1 on the first half."""

    def f1(truth, sets):
        return 2 * (truth & sets).sum() / (truth.sum() + sets.sum())

    for model, sets in said.items():
        one, other = scores[model][half == 0], scores[model][half == 1]
        cut = other[sets == 1].min()
        best = max(f1(y_tune, one >= c) for c in np.unique(one)[::5])
        at = max(f1(y_tune, one >= c) for c in np.unique(one) if c <= cut and c > cut - 0.02)
        if not (np.array_equal(sets, other >= cut) and at >= best - 1e-3):
            return False
    return len(y_tune) == len(y_true) == len(data.y) / 2


@claim("The trees are ahead of the mix by every metric, in accuracy by 0.005.")
def _(metrics, y_true, said):
    ahead = {n: m(y_true, said["trees"]) - m(y_true, said["mix"]) for n, m in metrics.items()}
    signs = [(gap < 0) == ("↓" in name) and gap != 0 for name, gap in ahead.items()]
    return all(signs) and round(ahead["accuracy (Jaccard)"], 3) == 0.005


@claim("But 786 other pictures would have given other numbers.")
def _(metrics, y_tune, y_true, said, half, scores):
    """The other half has: under the same cut each number differs."""
    cut = scores["trees"][half == 1][said["trees"] == 1].min()
    sets = (scores["trees"][half == 0] >= cut).astype(int)
    gaps = [abs(m(y_tune, sets) - m(y_true, said["trees"])) for m in metrics.values()]
    return len(y_tune) == 786 and min(gaps) > 1e-5


@claim(
    "By how much will the accuracy of the trees differ from ours, as a rule: a thousandth, a"
    " hundredth or a tenth?",
    "By about a hundredth, as we shall see.",
)
def _(y_true, said):
    """Of the three, its standard error is nearest to a hundredth."""
    each = example_based.accuracy(y_true, said["trees"], per_sample=True)
    return round(math.log10(each.std() / len(each) ** 0.5)) == -2


@claim(
    "That does not answer the second question: both models are judged on the same pictures, and"
    " share their luck.",
    "A picture that is hard for the one is hard for the other, and what both share drops out of the"
    " difference. uncertainty.compare draws the same pictures for both: the draws are paired.",
)
def _(said, y_true):
    """Right on the same pictures; and of a model and itself, nothing is left of the difference."""
    apart = uncertainty.compare(label_based.f1, y_true, said["trees"], said["trees"]).difference
    return together(said) > 0.5 and apart[:4] == (0, 0, 0, 0)


# ---------------------------------------------------------------------------- by hand


@claim("We have no other pictures.")
def _(data, y_tune, y_true):
    return len(y_tune) + len(y_true) == len(data.y)


@claim(
    "So let ours stand for all: draw as many as there are, each time from all of them, so that one"
    " may come twice and another never.",
    "That is a resample; the bootstrap takes many.",
)
def _():
    """The helper's values are those of resamples that a pencil lists, and of nearly all of them."""
    y_true, y_pred = [[1, 0, 1], [0, 1, 1], [1, 1, 0]], [[1, 0, 0], [0, 1, 1], [0, 1, 1]]
    listed = {
        label_based.f1([y_true[i] for i in rows], [y_pred[i] for i in rows])
        for rows in product(range(3), repeat=3)
    }
    (drawn,) = uncertainty.drawn(label_based.f1, y_true, {"y_other": y_pred}, 500, 1)
    found = {min(listed, key=lambda value: abs(value - one)) for one in drawn.resampled}
    return found == listed and all(
        min(abs(one - v) for v in listed) < 1e-6 for one in drawn.resampled
    )


@claim(
    "Three photos, with accuracies 1, a half and 0, have 27 resamples.", "Here are all their means:"
)
def _(photos, means, times):
    """Counted in halves: 0, 1 and 2."""
    sums = Counter(a + b + c for a in range(3) for b in range(3) for c in range(3))
    return (
        list(photos) == [1, Fraction(1, 2), 0]
        and len(means) == 27
        and times == {Fraction(total, 6): number for total, number in sums.items()}
    )


@claim("The variance of the means is that of the photos, 1/6, divided by their number: 1/18.")
def _(photos, means):
    return (pvariance(photos), pvariance(means)) == (Fraction(1, 6), Fraction(1, 18))


@claim("Its root is the standard error of the mean.")
def _(accuracies, y_true, said):
    exact = pvariance(accuracies.tolist()) ** 0.5 / len(accuracies) ** 0.5
    found = uncertainty.interval(example_based.accuracy, y_true, said["trees"]).standard_error
    return found == pytest.approx(exact, rel=0.05)


@claim("Nobody can list all resamples of 786 pictures, but some drawn at random will do:")
def _(accuracies):
    """There are more than atoms in the universe; a thousand are right to a few hundredths."""
    exact = accuracies.std() / len(accuracies) ** 0.5
    drawn = np.random.default_rng(7).choice(accuracies, size=(1000, len(accuracies)))
    return 786**786 > 10**82 and drawn.mean(axis=1).std() == pytest.approx(exact, rel=0.05)


# ---------------------------------------------------------------------------- any metric


@claim(
    "The simplest rule for an interval takes the thousand means, and leaves out the 25 lowest and the"
    " 25 highest:"
)
def _(means, printed):
    low, high = means[25], means[-26]
    ends = f"{low:.4f}".rstrip("0") in printed and f"{high:.4f}".rstrip("0") in printed
    return ends and len(means) == 1000 and ((means < low).sum(), (means > high).sum()) == (25, 25)


@claim("Macro F1 is no mean over pictures, so no such root gives its error.")
def _():
    def mean(y_true, y_pred):
        return np.mean([label_based.f1([t], [p]) for t, p in zip(y_true, y_pred, strict=True)])

    return sometimes(
        lambda y_true, y_pred: not near(mean(y_true, y_pred), label_based.f1(y_true, y_pred))
    )


@claim(
    "But it can be computed anew from each resample. uncertainty.interval does so, a thousand times,"
    " and moves the two ends a little, for reasons that follow below."
)
def _(found, means, y_true, said):
    """The same thousand draws by themselves have other ends."""
    default = inspect.signature(uncertainty.interval).parameters["n_resamples"].default
    metric, other = label_based.f1, {"y_other": said["trees"]}
    (drawn,) = uncertainty.drawn(metric, y_true, other, 1000, 0)
    plain = np.sort(drawn.resampled)[[25, -26]]
    if not 0 < np.abs(plain - found["macro F1"][1:3]).min() < 0.03:
        return False
    return (
        default == 1000 and found["macro F1"].low < found["macro F1"].value < found["macro F1"].high
    )


@claim(
    "They are made to hold the value of all pictures, of which ours were drawn, for 95 of 100 data sets."
)
def _():
    """It is the default; and simulated, so it is nearly."""
    level = inspect.signature(uncertainty.interval).parameters["level"].default
    row = next(r for r in records.load("coverage")["rows"] if r["name"] == "micro F1")
    return level == 0.95 and abs(sum(map(len, row["ours"].values())) - 50) < 10


@claim("Bind options with partial, and bring a function of your own if you like.")
def _(y_true, said, labels_said):
    bound = partial(label_based.fbeta, beta=2, average="weighted")
    return all(
        uncertainty.interval(m, y_true, said["trees"], n_resamples=50).value
        == pytest.approx(m(y_true, said["trees"]), abs=1e-6)
        for m in (bound, labels_said)
    )


# ---------------------------------------------------------------------------- never cells


@claim("A matrix of 786 × 104 has many more cells than rows.")
def _(y_true):
    return y_true.shape == (786, 104) and y_true.size > 100 * len(y_true)


@claim("To draw cells is to draw their four counts:")
def _():
    """All draws of four cells, of which two are hits, one an alarm, one rightly left out."""
    drawn = Counter(tuple(map(cells.count, "HAR")) for cells in product("HHAR", repeat=4))
    shares = (1 / 2, 1 / 4, 1 / 4)
    return all(
        near(
            number / 4**4,
            math.factorial(4)
            * math.prod(p**n / math.factorial(n) for p, n in zip(shares, counts, strict=True)),
        )
        for counts, number in drawn.items()
    )


@claim(
    "In the first row, cells promise an error that is too small by more than a fifth, 0.013 in place"
    " of 0.0167."
)
def _(y_true, said, error_by_cells):
    """Cells drawn one by one say so too."""
    truth, sets = y_true.ravel(), said["trees"].ravel()
    rng, values = np.random.default_rng(3), []
    for _ in range(300):
        i = rng.integers(truth.size, size=truth.size)
        values.append(2 * (truth[i] & sets[i]).sum() / (truth[i].sum() + sets[i].sum()))
    by_pictures = uncertainty.interval(last()["micro_f1"], y_true, said["trees"]).standard_error
    by_cells = error_by_cells(y_true, said["trees"])
    return (
        (round(by_cells, 3), round(by_pictures, 4)) == (0.013, 0.0167)
        and by_cells < 0.8 * by_pictures
        and np.std(values) == pytest.approx(by_cells, rel=0.1)
    )


@claim("The cells of a row depend on each other: who takes a cat for a dog is wrong twice.")
def _(y_true, said):
    """Wrong cells come together in rows more than they would if they were independent."""
    wrong = y_true != said["trees"]
    share = wrong.mean(axis=0)
    independent = (share * (1 - share)).sum()
    return wrong.sum(axis=1).var() > 1.2 * independent and np.not_equal([1, 0], [0, 1]).sum() == 2


@claim(
    "The other rows show it at its worst.",
    "Write each label twice, and nothing new is known; pictures know that, cells do not.",
)
def _(y_true, said, error_by_cells, micro_f1):
    once = y_true, said["trees"]
    twice = [np.repeat(matrix, 2, axis=1) for matrix in once]
    same = uncertainty.interval(micro_f1, *once) == uncertainty.interval(micro_f1, *twice)
    return same and error_by_cells(*twice) == pytest.approx(
        error_by_cells(*once) / 2**0.5, rel=0.03
    )


@claim(
    "So do not use McNemar's test on cells either.",
    "It counts the cells in which only one of two models is right.",
    "Its p is the chance that two equally good models share so many cells at least as unevenly:",
    "Below one in twenty, p is usually called significant: so it is here.",
)
def _(y_true, said, trees_only, neighbours_only):
    """Its p is that of a fair coin; under one in twenty, and less if labels are written again."""
    cells = zip(
        *(m.ravel().tolist() for m in (y_true, said["trees"], said["neighbours"])), strict=True
    )
    sides = Counter((t == a) - (t == b) for t, a, b in cells)

    def p(k):
        n, few = k * (sides[1] + sides[-1]), k * min(sides[1], sides[-1])
        return Fraction(2 * sum(math.comb(n, i) for i in range(few + 1)), 2**n)

    counted = (sides[1], sides[-1]) == (trees_only, neighbours_only)
    return counted and 0.05 > p(1) > 9 * p(2) > 9 * 9 * p(4)


@claim("By pictures the difference may be 0, however often labels are written.")
def _(one, y_true, said, metrics):
    twice = [np.repeat(m, 2, axis=1) for m in (y_true, said["trees"], said["neighbours"])]
    again = uncertainty.compare(metrics["Hamming loss ↓"], *twice).difference
    return holds_zero(one.difference) and near(one.difference, again)


# ---------------------------------------------------------------------------- two models


@claim("The intervals overlap.")
def _(both):
    return both["mix"].value < both["trees"].value and both["trees"].low < both["mix"].high


@claim("In micro F1 the interval of the difference leaves out 0, though the two intervals overlap.")
def _(both, differences):
    return not holds_zero(differences["micro F1"]) and both["trees"].low < both["mix"].high


@claim(
    "Only accuracy, samples F1 and subset accuracy leave open who is better: the 0.0052 may be luck."
)
def _(differences):
    left = {name for name, one in differences.items() if holds_zero(one)}
    return left == {"accuracy (Jaccard)", "samples F1", "subset accuracy"} and (
        round(differences["accuracy (Jaccard)"].value, 4) == 0.0052
    )


@claim("“May be luck” is not “is luck”: no interval shows that two models are equal.")
def _(differences):
    """Each holds differences other than 0, and on both sides where it holds 0."""
    held = [one for one in differences.values() if holds_zero(one)]
    return all(one.low < 0 < one.high for one in held) and len(held) == 3
