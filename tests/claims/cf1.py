"""Notebook 04 on CF1, the F1 of mean precision and mean recall."""

from math import isclose

import numpy as np

from claims import always, claim
from claims.label_based import (
    each_f1,
    f1,
    harmonic,
    micro_f1,
    micro_precision,
    micro_recall,
    precision,
    recall,
    same,
)
from mlm_helpers import conventions


def of_means(truth, prediction):
    return harmonic(precision(truth, prediction), recall(truth, prediction))


@claim(
    "Image tagging reports the rival.",
    "OP, OR and OF1 (O for overall) are micro precision, recall and F1.",
    "CP and CR (C for class) are the macro ones, and CF1 is the F1 of CP and CR.",
)
def _(found, models, cf1, printed):
    """The table of the section, line by line; and of every prediction, CF1 from CP and CR."""
    truth = found[0][0]
    six = {"CP": precision, "CR": recall, "OP": micro_precision, "OR": micro_recall,
           "CF1": cf1, "OF1": micro_f1, "macro-F1": f1}  # fmt: skip
    lines = {words[0]: words[1:] for words in map(str.split, printed.splitlines()) if words}
    return always(lambda t, y_pred: isclose(cf1(t, y_pred), of_means(t, y_pred))) and all(
        list(map(float, lines[name])) == [round(m(truth, p), 3) for p in models]
        for name, m in six.items()
    )


@claim("That is how ML-GCN computes it; ASL prints the mean of the F1s in its place.")
def _():
    """On the smallest data on which the two differ, by the records of both tools."""
    case = next(case for case in conventions.recorded() if case.name == "tagging")
    data, means = (case.y_true, case.y_pred), "F1 of macro precision and macro recall"
    tools = conventions.TOOLS
    return (
        tools["ML-GCN"].metrics[means].call == "CF1"
        and tools["ASL"].metrics["macro F1"].call == "F_C / 100"
        and not {means} & set(tools["ASL"].metrics)
        and case.numbers[means]["ML-GCN"] == harmonic(precision(*data), recall(*data))
        and same([case.numbers["macro F1"]["ASL"]], [each_f1(*data).mean()])
        and case.numbers[means]["ML-GCN"] > case.numbers["macro F1"]["ASL"]
    )


@claim(
    "They do not.",
    "Three samples and two labels are the smallest data: CF1 prefers model one, macro-F1 model two.",
)
def _(reversals, found, models, truth, cf1, printed):
    """With one sample or one label the two are equal; two of each, or two and three, were tried."""
    alone = [(1, 2), (1, 3), (2, 1), (3, 1)]
    tried = [(2, 2), (2, 3), (3, 2)]
    counted = [len(list(reversals(*shape))) for shape in tried]
    said = all(f"{s} → {n} reversals" in printed for s, n in zip(tried, counted, strict=True))
    one, two = (np.array(m) for m in found[0][1:])
    truth = found[0][0]
    return (
        always(lambda t, y_pred: isclose(cf1(t, y_pred), f1(t, y_pred)), shapes=alone)
        and said
        and (counted[0], counted[1], counted[2] > 0) == (0, 0, True)
        and cf1(truth, one) > cf1(truth, two)
        and f1(truth, one) < f1(truth, two)
    )


@claim("CF1 is never below macro-F1.")
def _(cf1):
    return always(lambda t, y_pred: cf1(t, y_pred) >= f1(t, y_pred) - 1e-12)


@claim(
    "Let the data of the table above grow: label 1 is true for all of $n$ samples and found in one,"
    " label 2 is true for one and predicted for all.",
    "By almost one half, and never by more: a model can be useless on every label and have a CF1 of one half.",
)
def _(cf1, truth, prediction, rows):
    """The gap of two labels is greatest where their F1s are 0: there CF1 is at most F1 of ½ and ½."""
    n = len(truth)
    grown = truth.sum(0).tolist(), prediction.sum(0).tolist(), (truth & prediction).sum(0).tolist()
    gaps = [c - m for _, c, m in rows]
    levels = np.linspace(0.02, 1, 50)
    ps, rs = (x.ravel() for x in np.meshgrid(levels, levels))  # of one label
    f1s = 2 * ps * rs / (ps + rs)
    p, r = (np.add.outer(x, x) / 2 for x in (ps, rs))  # of two labels, their means
    two = 2 * p * r / (p + r) - np.add.outer(f1s, f1s) / 2
    return (
        grown == ([n, 1], [1, n], [1, 1])
        and gaps == sorted(gaps)
        and 0.499 < gaps[-1] < 0.5
        and two.max() < 0.5
        and always(lambda t, y_pred: cf1(t, y_pred) - f1(t, y_pred) <= 0.5)
        and max(each_f1(truth, prediction)) < 0.001
        and round(cf1(truth, prediction), 3) == 0.5
    )
