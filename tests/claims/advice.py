"""What the notebooks advise and where they lead: beside each, why it matters."""

from itertools import pairwise

import numpy as np
import places

from claims import claim, sometimes
from mlm_helpers import conventions, exact_match, example_based, hamming, label_based, ranking
from mlm_helpers.scorecard import Scorecard


def differ(metric, name, values):
    """Whether each option after the first changes the value somewhere."""

    def changes(y_true, y_pred, option):
        return metric(y_true, y_pred, **{name: values[0]}) != metric(
            y_true, y_pred, **{name: option}
        )

    def anywhere(option):
        return sometimes(lambda y_true, y_pred: changes(y_true, y_pred, option))

    return all(map(anywhere, values[1:]))


def quarrel(name, values, metric):
    return any(
        metric(t, s, **{name: a}) != metric(t, s, **{name: b})
        for t, s in (([[1, 0]], [[0.5, 0.5]]), ([[0, 0]], [[0.2, 0.1]]))
        for a in values
        for b in values
        if a != b
    )


@claim("10_how_sure | One model is ahead by a little: is it better, or lucky?")
def _():
    """It says so of both kinds: a difference whose interval leaves out 0, and one that may be luck."""
    differences = places.variables("10_how_sure")[-1]["differences"].values()
    return {one.low <= 0 <= one.high for one in differences} == {True, False}


@claim(
    "09_choosing_a_metric | Real data: which metric do I use on Monday?",
    "11_conventions | Why do two tools print two numbers for the same predictions?",
    "12_at_scale | How do I measure more data than fit in memory?",
)
def _():
    heads = {file: {s.heading for s in places.sections(file)} for file in places.PLACES}
    code = "\n".join(section.code for section in places.sections("09_choosing_a_metric"))
    return (
        "A guide for Monday" in heads["09_choosing_a_metric"]
        and "emoji.load()" in code
        and "conventions.compare(" in "".join(s.code for s in places.sections("11_conventions"))
        and "More than you let into memory" in heads["12_at_scale"]
    )


@claim(
    "Ask which.",
    "Ask for the formula when you meet a Hamming score.",
)
def _():
    y_true, y_pred = [[1, 1, 0, 0]], [[1, 0, 0, 0]]
    three = exact_match.subset_accuracy, example_based.accuracy
    values = {f(y_true, y_pred) for f in three} | {1 - hamming.hamming_loss(y_true, y_pred)}
    return values == {0, 1 / 2, 3 / 4}


@claim("Keep that zero in mind.")
def _(y_true, y_pred):
    wrong = np.array(y_true) != np.array(y_pred)
    return wrong.all(axis=1).sum() == 0 < wrong.any(axis=1).sum()


@claim(
    "Say which rule you use for samples without labels.",
    "Say yours beside your number.",
)
def _():
    return differ(example_based.f1, "zero_division", (0.0, 1.0))


@claim("Say which average, which macro-F1 and which rule for absent labels.")
def _():
    def of_the_means(y_true, y_pred):
        p, r = label_based.precision(y_true, y_pred), label_based.recall(y_true, y_pred)
        return 2 * p * r / (p + r) if p + r else 0.0

    return (
        differ(label_based.f1, "average", ("macro", "micro"))
        and differ(label_based.f1, "average", ("macro", "weighted"))
        and differ(label_based.f1, "zero_division", (0.0, 1.0))
        and sometimes(
            lambda y_true, y_pred: (
                abs(of_the_means(y_true, y_pred) - label_based.f1(y_true, y_pred)) > 0.01
            )
        )
    )


@claim("Look at the values per label with their support before you believe it.")
def _():
    """One macro F1 of a half: two labels half right, or one that is never found, of one sample."""
    even = [[1, 1], [1, 1], [0, 0]], [[1, 1], [0, 0], [1, 1]]
    odd = [[1, 0], [1, 0], [1, 1]], [[1, 0], [1, 0], [1, 0]]
    each = [list(label_based.f1(*data, average=None)) for data in (even, odd)]
    return each == [[1 / 2, 1 / 2], [1, 0]] and label_based.f1(*even) == label_based.f1(*odd)


@claim(
    "Say who wins ties, where ranks start, and what an empty sample is worth.",
    "Ask for the rule before you compare.",
)
def _():
    return (
        quarrel("ties", ("worst", "best"), ranking.average_precision)
        and quarrel("start", (0, 1), ranking.coverage)
        and quarrel("undefined", (0.0, 1.0), ranking.average_precision)
    )


@claim(
    "Add up the bill if you know the prices.",
    "Choose it by what the mistakes cost, before you see the results.",
    "Suppose a missed illness costs more than a false alarm.",
)
def _():
    """A false alarm and a miss cost F1 the same, and Fβ not."""
    y_true, alarm, miss = [[1, 1, 0]], [[1, 1, 1]], [[1, 0, 0]]
    f2 = [example_based.fbeta(y_true, said, beta=2) for said in (alarm, miss)]
    return f2[0] > f2[1] and f2[0] - f2[1] > (
        example_based.f1(y_true, alarm) - example_based.f1(y_true, miss)
    )


@claim(
    "Put two fools beside every model.",
)
def _(text):
    """The fools of the notebook, and its five splits."""
    names = places.variables("09_choosing_a_metric")[-1]
    return len(names["splits"]) == 5 and "“nothing”" in text and "“frequent”" in text


@claim("Compare only numbers of the same average, rule for empty sets, threshold and tie rule.")
def _():
    scores = np.array([[0.6, 0.4], [0.7, 0.2]])
    cuts = {example_based.f1([[1, 1], [1, 0]], scores >= cut) for cut in (0.3, 0.5)}
    return (
        differ(label_based.f1, "average", ("macro", "micro"))
        and differ(example_based.f1, "zero_division", (0.0, 1.0))
        and len(cuts) == 2
        and quarrel("ties", ("worst", "best"), ranking.average_precision)
    )


@claim(
    "Next: 12_at_scale, on data that come in batches.",
)
def _():
    """Each stands at the end of the notebook before, and each leads where it says."""
    files = sorted(places.PLACES)
    last = {file: places.sections(file)[-1].passages[-1].text for file in files if file != "README"}
    return all(
        f"Next: [{after}]({after}.ipynb)" in last[before]
        for before, after in pairwise(files)
        if after.startswith("12")
    ) and "two batches" in "".join(
        p.text for s in places.sections("12_at_scale") for p in s.passages
    )


@claim("Next: 10_how_sure asks how sure a number is.")
def _():
    code = "\n".join(section.code for section in places.sections("10_how_sure"))
    return "uncertainty.interval(" in code


@claim("00_start_here has the map.", "Back to 00_start_here for the map.")
def _():
    heads = [section for section in places.sections("00_start_here") if "map" in section.heading]
    return len(heads) == 1 and "metric_map" in heads[0].code


@claim("Find out which before you compare; compare, options and identify help.")
def _(code):
    scores = [[0.9, 0.1]]
    table = conventions.compare("samples F1", "both_empty")
    options = conventions.options("MULAN", example_based.f1)
    found = conventions.identify(1.0, [[1, 0]], [[1, 0]], scores)
    return bool(str(table)) and options == {"zero_division": "agree"} and len(found.matches) > 0


@claim("Write the convention beside the number, and how often it was needed.")
def _():
    card = Scorecard.from_batch([[1, 0], [0, 0]], [[1, 0], [0, 0]])
    return card.undefined()["samples F1"] == 1 and differ(
        example_based.f1, "zero_division", (0.0, 1.0)
    )


@claim("Add first, divide last.")
def _():
    one, other = ([[1, 0], [1, 1]], [[1, 0], [0, 1]]), ([[0, 1]], [[1, 1]])
    both = [first + second for first, second in zip(one, other, strict=True)]
    added = Scorecard.from_batch(*one) + Scorecard.from_batch(*other)
    divided = (label_based.f1(*one) + label_based.f1(*other)) / 2
    return added.values()["macro F1"] == label_based.f1(*both) != divided


@claim("Memory is set by the size of a chunk.")
def _(ROWS, LABELS):
    """A worker reads one chunk at a time; the card it keeps does not grow with the rows."""
    kept = [len(Scorecard.from_batch(*np.ones((2, n, 3))).to_json()) for n in (10, 1000)]
    return kept[1] <= kept[0] + 60 and ROWS * LABELS > 0


@claim("In PowerShell:")
def _(text):
    return "```powershell" in text and ".venv\\Scripts\\python" in text
