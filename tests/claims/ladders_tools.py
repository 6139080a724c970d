"""The ladders of notebooks 11 and 12."""

from fractions import Fraction
from itertools import permutations

import numpy as np

from claims import claim
from mlm_helpers import conventions, label_based, ranking
from mlm_helpers.scorecard import Scorecard

# --- 11


@claim("Which F1?", "A, weighted F1.")
def _(question):
    """Labels 2, 3 and 4 have one, one and three samples; label 1 has none."""
    support, f1s = (1, 1, 3), (Fraction(2, 3), Fraction(2, 3), Fraction(1, 2))
    value = sum(s * f1 for s, f1 in zip(support, f1s, strict=True)) / 5
    others = [n for letter, n in question.numbers.items() if letter != "A"]
    right = question.check("A").right and question.recipes["A"] == "weighted F1"
    return right and value == Fraction(17, 30) and not any(f"{n:.3f}" == "0.567" for n in others)


@claim("Coverage by MULAN's rules.")
def _(asked):
    """It is what MULAN is known to give; scikit-learn's number is a wrong answer."""
    data = asked.y_true, asked.y_score
    theirs, other = (conventions.number(t, "coverage", *data) for t in ("MULAN", "scikit-learn"))
    return asked.check(theirs).right and asked.check(other).right is False


@claim("Our model makes no mistake, and yet it loses.")
def _(truth, ours, printed, code):
    """With the default of one line, and MULAN's rule in the other."""
    said = [float(line.split()[-1]) for line in printed.splitlines() if line.startswith("macro-F1")]
    lines = "f1(truth, ours), 3)", "f1(truth, theirs, **mulan), 3)"
    return ours == truth and said == [0.667, 0.933] and all(line in code for line in lines)


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


# --- 12


@claim(
    "How many bins tell macro AUROC to within 0.01?",
    "256: their bounds are 0.0055 apart, those of 64 bins 0.0216.",
)
def _(rows):
    """Whether that is asked of both bounds, or of the value and each bound."""
    apart = {name: high - low for name, _, low, high in rows[:4]}
    far = {name: max(value - low, high - value) for name, value, low, high in rows[:4]}
    near = [[name for name in apart if each[name] <= 0.01] for each in (apart, far)]
    shown = [f"{apart[name]:.4f}" for name in ("256 bins", "64 bins")]
    return near == [["256 bins"]] * 2 and shown == ["0.0055", "0.0216"]


@claim("Samples 1 and 2 came in one batch, 3 and 4 in another.")
def _(asked):
    """The sum of the two cards is right, the mean of the two batches is wrong."""
    true, said = asked.y_true, asked.y_pred
    batches = [(true[:2], said[:2]), (true[2:], said[2:])]
    merged = sum(Scorecard.from_batch(*batch) for batch in batches).values()["macro recall"]
    mean = np.mean([label_based.recall(*batch) for batch in batches])
    return len(true) == 4 and asked.check(merged).right and asked.check(mean).right is False


@claim("A loader gives four samples at a time.")
def _(batches, truth):
    return {len(true) for true, _ in batches[:-1]} == {4} and len(batches[-1][0]) == len(truth) % 4


@claim(
    "Is a third of the model's answers wrong, as the number says?",
    "No, one of nine.",
    "The last batch has one sample, and np.mean gives it the weight of four.",
    "Samples F1 is 8/9, not 0.667; cards know how many samples they hold.",
)
def _(truth, said, batches, values, total):
    wrong = [(true != found).any() for true, found in zip(truth, said, strict=True)]
    sizes = [len(true) for true, _ in batches]
    return (
        (sum(wrong), len(wrong), wrong[-1], sizes) == (1, 9, True, [4, 4, 1])
        and not said[-1].any()
        and values == [1, 1, 0]
        and f"{np.average(values, weights=[4, 4, 4]):.3f}" == "0.667"
        and np.isclose(np.average(values, weights=sizes), 8 / 9)
        and np.isclose(total.values()["samples F1"], 8 / 9)
        and total.n_samples == 9
    )


@claim("One label, four rows in two batches, and two checkpoints of a model.")
def _(truth, checkpoints, of_batches):
    shapes = {np.shape(rows) for rows in (truth, *checkpoints.values())}
    return shapes == {(4, 1)} and (len(checkpoints), len(of_batches)) == (2, 2)


@claim(
    "The first, by F1 of all rows: 0.8 to 0.667.",
    "It makes one mistake, the second two.",
    "The mean of the batches prefers the second, and would be another if the rows came in another"
    " order.",
)
def _(truth, checkpoints, rows):
    def of_batches(said, order):
        true, found = np.array(truth)[order], np.array(said)[order]
        return np.mean([label_based.f1(true[i : i + 2], found[i : i + 2]) for i in (0, 2)])

    first, second = checkpoints.values()
    orders = [list(order) for order in permutations(range(4))]
    means = [{round(of_batches(said, order), 9) for order in orders} for said in (first, second)]
    plain = [of_batches(said, orders[0]) for said in (first, second)]
    return (
        [f"{label_based.f1(truth, said):.3g}" for said in (first, second)] == ["0.8", "0.667"]
        and [int(np.not_equal(truth, said).sum()) for said in (first, second)] == [1, 2]
        and plain[0] < plain[1]
        and all(len(found) > 1 for found in means)
        and np.allclose([row[1] for row in rows], plain)
    )
