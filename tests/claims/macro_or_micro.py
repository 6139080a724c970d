"""Notebook 04, from "Where these data cannot tell two averages apart" on."""

import warnings
from collections import Counter
from math import isclose, nan

import numpy as np
import worlds
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import f1_score

from claims import always, claim, on_trust, sometimes
from claims.label_based import (
    agree,
    each_f1,
    each_precision,
    each_recall,
    f1,
    harmonic,
    hits,
    micro_f1,
    micro_precision,
    micro_recall,
    mistakes,
    precision,
    recall,
    same,
    with_empty,
)
from mlm_helpers import catalogue, conventions, example_based
from mlm_helpers.exact_match import subset_accuracy

RULES = (0.0, 1.0, nan, "agree")


# --- where these data cannot tell two averages apart


@claim(
    "Three of the five F1s are one number: micro, samples, and the F1 of the mean precision and"
    " recall.",
    "So these data cannot test one against another.",
    "Choose test data on which they differ.",
)
def _(y_true, y_pred, five_f1s):
    values = five_f1s(y_true, y_pred)
    (most, times), *_ = Counter(values.values()).most_common()
    alike = {name for name, value in values.items() if value == most}
    return (len(values), times) == (5, 3) and alike == {"micro", "samples", "of mean P and R"}


@claim("With one sample, samples is micro; with one label, macro is micro.")
def _():
    one_label = agree(f1, micro_f1, shapes=[(1, 1), (2, 1), (3, 1)])
    return one_label and agree(example_based.f1, micro_f1, shapes=[(1, 1), (1, 2), (1, 3)])


@claim(
    "So we need two of each at least.",
    "Let us go through all such data of up to six cells, leaving out those without a hit, and those"
    " with an empty row or column in truth or prediction, where a 0/0 would come in.",
)
def _(five_f1s, printed):
    """By rules of our own, not by the notebook's search."""

    def full(matrix):
        return all(line.any() for line in [*matrix, *matrix.T])

    counted = []
    for shape in ((2, 2), (2, 3), (3, 2)):
        every = [(np.array(t), np.array(p)) for t, p in worlds.worlds(*shape)]
        through = [(t, p) for t, p in every if full(t) and full(p) and hits(t, p)]
        telling = [len(set(five_f1s(t, p).values())) == 5 for t, p in through]
        counted.append(sum(telling))
        if f"{shape} → {counted[-1]} of {len(through)} tell" not in printed:
            return False
    return counted[0] == 0 < min(counted[1:])


# --- which macro-F1?


@claim(
    "One of the five is a rival for the name macro-F1.",
    "The F1 of the means lets each label's strength cover the other's weakness, and says 0.625.",
)
def _(truth, prediction, rival, five_f1s):
    of_means = harmonic(precision(truth, prediction), recall(truth, prediction))
    return (
        len(five_f1s(truth, prediction)) == 5
        and rival == five_f1s(truth, prediction)["of mean P and R"]
        and rival == of_means == 0.625 > max(each_f1(truth, prediction))
    )


@claim(
    "Label 1 has a low recall, label 2 a low precision, and both the F1 0.4, so that is the mean of"
    " the F1s.",
    "Mean precision and mean recall are 0.625 too: a mean of F1s can lie below both.",
)
def _(truth, prediction):
    values = [each(truth, prediction).tolist() for each in (each_precision, each_recall, each_f1)]
    return (
        values == [[1, 0.25], [0.25, 1], [0.4, 0.4]]
        and f1(truth, prediction) == 0.4 < 0.625
        and precision(truth, prediction) == recall(truth, prediction) == 0.625
    )


on_trust(
    "Opitz and Burst, “Macro F1 and Macro F1” (arXiv 1911.03347), study both; users keep asking"
    " scikit-learn (issue 7220, issue 8747).",
    "the abstract of the paper, and the two threads",
)


@claim(
    "Every tool on record in 11 that says macro-F1 takes the mean of the F1s, and so do we.",
)
def _(truth, prediction):
    case = next(case for case in conventions.recorded() if case.name == "macroF1_definition")
    numbers = case.numbers["macro F1"]
    return (
        (case.y_true, case.y_pred) == (truth, prediction)
        and any(tool.startswith("scikit-learn") for tool in numbers)
        and same([*numbers.values(), f1(truth, prediction)], each_f1(truth, prediction).mean())
    )


# --- the note

on_trust(
    "Another document, the “untitled note, zh-CN”, takes the mean of the labels' F1s for macro-F1,"
    " and writes micro-F1 as the harmonic mean of micro precision and micro recall:",
    "the note's formulas of macro and micro F1",
)


@claim(
    "It is, wherever anything is hit.",
)
def _():
    def as_said(t, y_pred):
        p, r = micro_precision(t, y_pred), micro_recall(t, y_pred)
        return not hits(t, y_pred) or isclose(harmonic(p, r), micro_f1(t, y_pred))

    return always(as_said)


# --- when micro-F1 is accuracy

on_trust(
    "You may have read that micro-F1 is accuracy; a user took this for a bug (scikit-learn issue"
    " 9609).",
    "the first post of the thread",
)


@claim(
    "If each sample has exactly one true and one predicted label, it is so: each wrong answer is"
    " one false alarm and one miss."
)
def _():
    def as_said(t, y_pred):
        if {*t.sum(axis=1), *y_pred.sum(axis=1)} != {1}:
            return True
        wrong = ((t & y_pred).sum(axis=1) == 0).astype(int)
        slips = (y_pred > t).sum(axis=1), (t > y_pred).sum(axis=1)
        return same(slips, wrong) and isclose(micro_f1(t, y_pred), subset_accuracy(t, y_pred))

    return always(as_said, [(2, 2), (1, 3), (3, 2), (2, 3)])


# --- the rare label

on_trust(
    "Micro takes imbalance into account, our document has heard.",
    "what 多ラベル分類の評価指標について says of micro-F1, with “らしい”",
)


@claim("Four samples have label 1, one of them also label 2, and the model never predicts label 2.")
def _(rare_truth, rare_prediction):
    sums = [np.sum(matrix, axis=0).tolist() for matrix in (rare_truth, rare_prediction)]
    return sums == [[4, 1], [4, 0]]


def rare(metric, n):
    """Where label 2 has one sample of n: the metric if it is missed, and if it is found."""
    truth, missed = [[1, 1]] + [[1, 0]] * (n - 1), [[1, 0]] * n
    return [metric(truth, said) for said in (missed, truth)]


@claim(
    "Micro does not correct the imbalance, it follows it: with 100 samples it says 0.995 of a model"
    " that never finds label 2.",
    "Macro says 0.5.",
    "But macro has its own folly: a single sample decides between 0.5 and 1, however many others"
    " there are.",
)
def _(truth, prediction):
    missed = [rare(micro_f1, n)[0] for n in (2, 4, 10, 100)]
    return (
        np.sum([truth, prediction], axis=1).tolist() == [[100, 1], [100, 0]]
        and round(micro_f1(truth, prediction), 3) == 0.995
        and missed == sorted(set(missed))
        and f1(truth, prediction) == 0.5
        and all(rare(f1, n) == [0.5, 1] for n in (2, 4, 100, 1000))
    )


@claim("Let every label have a sample; then no F1 is 0/0, and the quarrel hangs on no convention.")
def _(found):
    return all(
        truth.any(axis=0).all() and len({f1(truth, said, zero_division=rule) for rule in RULES}) < 2
        for truth, *both in found
        for said in both
    )


@claim(
    "Four cells are enough.",
    "The first prediction makes one mistake, and loses label 1 by it.",
    "The second makes two, and loses no label.",
    "Micro prefers the first, macro the second.",
)
def _(truth, one, other, found):
    return (
        all(map(np.array_equal, found[0], (truth, one, other)))
        and truth.size == 4
        and [len(mistakes(truth, said)) for said in (one, other)] == [1, 2]
        and each_f1(truth, one).tolist() == [0, 1]
        and each_f1(truth, other).all()
        and micro_f1(truth, one) > micro_f1(truth, other)
        and f1(truth, one) < f1(truth, other)
    )


# --- the absent label


@claim("Three labels, of which nobody has the third.", "The prediction is perfect.")
def _(perfect, code):
    read = code.count("(perfect, perfect, ")
    return np.sum(perfect, axis=0).tolist() == [1, 1, 0] and read == code.count("(perfect, ") == 2


@claim(
    "By default (0.0, also in scikit-learn, which adds a warning) a perfect prediction scores 0.667,"
    " because the 0/0 of the absent label counts as 0.",
    "Under the other three rules it scores 1.",
)
def _(perfect, rules):
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        theirs = f1_score(perfect, perfect, average="macro")
    by_rule = [f1(perfect, perfect, zero_division=rule) for rule in rules]
    return (
        str(rules) == str(RULES)
        and same([theirs, f1(perfect, perfect)], 2 / 3)
        and same(by_rule, [2 / 3, 1, 1, 1])
        and [warning.category for warning in heard] == [UndefinedMetricWarning]
        and each_f1(perfect, perfect).tolist() == [1, 1, 0]
    )


@claim("If a macro-F1 looks low, count the absent labels first.")
def _():
    return agree(lambda t, p: f1(*with_empty(t, p, labels=len(t[0]))), lambda t, p: f1(t, p) / 2)


# --- to remember


@claim("A mean hides labels.")
def _():
    one_lost = sometimes(lambda t, y_pred: same(each_f1(t, y_pred), [0, 1]))
    both_half = sometimes(lambda t, y_pred: same(each_f1(t, y_pred), [1 / 2, 1 / 2]), [(3, 2)])
    return one_lost and both_half and np.mean([0, 1]) == np.mean([1 / 2, 1 / 2])


@claim("Next: 05_ranking looks at the scores before any threshold makes labels of them.")
def _():
    ranked = [record for record in catalogue.METRICS if record.family == "ranking"]
    return bool(ranked) and all(record.reads == "y_score" for record in ranked)
