"""The ladders of notebooks 11 and 12."""

import numpy as np

from claims import claim
from mlm_helpers import conventions, label_based, ranking

# --- 11


@claim("“F1: 0.567”, says a paper.", "Which F1?")
def _(riddle):
    """One recipe gives it, and every recipe is an F1."""
    shown = {letter: f"{number:.3f}" for letter, number in riddle.numbers.items()}
    (letter,) = (letter for letter, number in shown.items() if number == "0.567")
    return riddle.check(letter).right and all("F1" in said for said in riddle.recipes.values())


@claim("Coverage by MULAN's rules.")
def _(asked):
    """It is what MULAN is known to give; scikit-learn's number is a wrong answer."""
    data = asked.y_true, asked.y_score
    theirs, other = (conventions.number(t, "coverage", *data) for t in ("MULAN", "scikit-learn"))
    return asked.check(theirs).right and asked.check(other).right is False


@claim("Our model makes no mistake, and yet it loses.")
def _(truth, ours, printed):
    said = [float(line.split()[-1]) for line in printed.splitlines() if line.startswith("macro-F1")]
    return ours == truth and said == [0.667, 0.933]


@claim(
    "Two rules: label 3 occurs nowhere, and its F1, 0/0, counts 0 for us and 1 for them.",
    "By one rule we win, 0.667 to 0.6 or 1 to 0.933.",
)
def _(truth, ours, theirs, mulan, rows):
    nowhere = [not np.any(y, axis=0)[2] for y in (truth, ours, theirs)]
    first, second = (label_based.f1(truth, y, average=None) for y in (ours, theirs))
    them = label_based.f1(truth, theirs, average=None, **mulan)
    absent = conventions.number("MULAN", "macro F1", [[1, 0]], [[1, 0]])
    shown = [(rule, *(f"{value:.3g}" for value in values)) for rule, *values in rows]
    return (
        all(nowhere)
        and np.allclose(first, [1, 1, 0])
        and np.allclose(second, [1, 4 / 5, 0])
        and np.allclose(them, [1, 4 / 5, 1])
        and absent == 1
        and shown == [(0, "0.667", "0.6"), ("agree", "1", "0.933")]
    )


@claim("One model gives all labels the same score.")
def _(models):
    flat = [len({score for row in scores for score in row}) == 1 for scores in models.values()]
    return flat == [True, False]


@claim(
    "The other: 0.333 with every tool.",
    "The flat one has 0 with MEKA, where the first label wins a tie, and 1 with MULAN, where the last"
    " does: that judges the order of the columns.",
)
def _(truth, models, asked_of):
    flat, other = models.values()
    held = conventions.TOOLS.values()
    every = [tool.name for tool in held if "one-error" in tool.metrics]
    others = {f"{conventions.number(tool, 'one-error', truth, other):.3f}" for tool in every}
    ties = [conventions.options(tool, ranking.one_error)["ties"] for tool in ("MEKA", "MULAN")]
    exchanged = np.fliplr(truth)
    judged = [
        [conventions.number(tool, "one-error", true, flat) for tool in ("MEKA", "MULAN")]
        for true in (truth, exchanged)
    ]
    return (
        others == {"0.333"} and {*asked_of} <= {*every} and ties == ["first", "last"]
        and judged == [[0, 1], [1, 0]]
    )  # fmt: skip
