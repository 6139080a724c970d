"""The ladder of notebook 08."""

from fractions import Fraction

import numpy as np

from claims import claim
from mlm_helpers import thresholds
from mlm_helpers.course import emoji, practice


@claim("At 0.2: 0.459, where 0.5 gives 0.352.", "Run the next cell to see both.")
def _(micro, best, printed):
    found = {cut: f"{value:.3f}" for cut, value in micro.items()}
    highest = best == 0.2 == max(micro, key=micro.get)
    return highest and (found[0.2], found[0.5]) == ("0.459", "0.352") and "0.459" in printed


@claim(
    "If these predictions were cut at the best place of calibrated scores, that place is half of this number.",
    "A wrong answer is told what it is; .hint() and .solution() help.",
)
def _(asked, micro_f1):
    """The number is micro F1, whose half the section before names; macro F1 is told by its name."""
    value = micro_f1(asked.y_true, asked.y_pred)
    again = practice.sheet(micro_f1, seed=8).solution().value == asked.solution().value
    other = asked.check(float(macro(asked)))
    helps = bool(repr(asked.hint())) and bool(repr(asked.solution()))
    return again and asked.check(value).right and "macro F1" in other.says and helps


def macro(asked):
    """Macro F1 in plain Python."""
    columns = zip(zip(*asked.y_true, strict=True), zip(*asked.y_pred, strict=True), strict=True)
    f1s = []
    for true, said in columns:
        whole = sum(true) + sum(said)
        f1s.append(Fraction(2 * sum(map(min, true, said)), whole) if whole else Fraction(0))
    return sum(f1s) / len(f1s)


@claim(
    "A network gives logits; these have the scores of the four photos as their sigmoids.",
    "A logit of 0.5 is a score of 0.622.",
    "Cut logits at 0, or take their sigmoid first: then it is 0.667, as in the table.",
)
def _(logits, sigmoid, y_score, y_true, micro_f1, rules):
    of_table = micro_f1(y_true, rules["cut at 0.5"])
    right = [
        micro_f1(y_true, (x >= c).astype(int)) for x, c in ((logits, 0), (sigmoid(logits), 0.5))
    ]
    return (
        np.allclose(sigmoid(logits), y_score) and f"{sigmoid(0.5):.3f}" == "0.622"
        and np.allclose(right, of_table) and f"{of_table:.3f}" == "0.667"
        and micro_f1(y_true, thresholds.at(logits, 0.5)) < of_table
    )  # fmt: skip


@claim("Run the next cell.")
def _(code):
    return "sigmoid(0.5)" in code and "micro_f1(y_true, thresholds.at(logits, 0))" in code


@claim("Two models, judged on the test half.")
def _(rows, test_on, y_test, data):
    return [row[0] for row in rows] == ["neighbours", "trees"] and len(y_test) == test_on.sum() == (
        len(data.y) // 2
    )


@claim(
    "The trees, with their own cut: 0.462 to 0.374.",
    "At 0.5 the neighbours lead, 0.374 to 0.352: that compares two habits, not two models.",
)
def _(scores, y_test, test_on, micro_f1):
    half, values = emoji.folds(emoji.load().y, 2, seed=1), {}
    for model in ("neighbours", "trees"):
        cut = thresholds.tune(micro_f1, emoji.load().y[half == 0], scores[model][half == 0])
        for name, c in (("own", cut), ("habit", 0.5)):
            said = (scores[model][test_on] >= c).astype(int)
            values[model, name] = f"{micro_f1(y_test, said):.3f}"
    return values == {
        ("neighbours", "own"): "0.374", ("trees", "own"): "0.462",
        ("neighbours", "habit"): "0.374", ("trees", "habit"): "0.352",
    }  # fmt: skip


@claim("A hint: if a tenth of the cells are true, its micro F1 is 2/11.")
def _(true, value, printed):
    tenth = Fraction(1, 10)
    return (
        np.mean(true) == 0.1
        and value == 2 * tenth / (1 + tenth) == Fraction(2, 11)
        and ("2/11" in printed)
    )
