"""What notebook 04 says, beside what makes it true."""

from functools import cache, partial
from math import isclose

import numpy as np
import pictures
import places
from sklearn.metrics import classification_report

from claims import SHAPES, always, claim
from mlm_helpers import disagreement, example_based, inputs, label_based, worked
from mlm_helpers.course import documents, figures

DOCUMENT = documents.MACRO_MICRO
AVERAGES = ("macro", "micro", "weighted")
SUMMARY = [f"{average} avg" for average in ("micro", "macro", "weighted", "samples")]
same = np.allclose
f1, precision, recall = label_based.f1, label_based.precision, label_based.recall
jaccard = label_based.jaccard
micro_f1, micro_jaccard, micro_precision, micro_recall = (
    partial(metric, average="micro") for metric in (f1, jaccard, precision, recall)
)
each_f1, each_jaccard, each_precision, each_recall = (
    partial(metric, average=None) for metric in (f1, jaccard, precision, recall)
)


def agree(metric, *others, shapes=SHAPES):
    """Whether they are one number, or one array, on all small worlds."""
    return always(
        lambda y_true, y_pred: all(
            same(metric(y_true, y_pred), other(y_true, y_pred)) for other in others
        ),
        shapes,
    )


def over(part, whole):
    """Divided, where 0/0 is worth 0."""
    return np.divide(part, whole, out=np.zeros(np.shape(part)), where=np.array(whole) > 0)


def parts(y_true, y_pred, axis=0):
    """Of F1: twice the hits, and the sizes of both sets."""
    return 2 * (y_true & y_pred).sum(axis), y_true.sum(axis) + y_pred.sum(axis)


def f1_along(axis):
    return lambda y_true, y_pred: over(*parts(y_true, y_pred, axis))


def harmonic(precision, recall):
    return 2 * precision * recall / (precision + recall) if precision + recall else 0


def hits(y_true, y_pred):
    return int((np.array(y_true) & y_pred).sum())


def mistakes(y_true, y_pred):
    """Where truth and prediction differ: sample and label, counted from 1."""
    return (np.argwhere(np.array(y_true) != y_pred) + 1).tolist()


def with_empty(y_true, y_pred, samples=0, labels=0):
    """The same beside samples or labels that are neither true nor predicted."""
    return [np.pad(matrix, ((0, samples), (0, labels))) for matrix in (y_true, y_pred)]


# --- the question


@claim(
    "After this notebook you can compute precision, recall, F1 and Jaccard of every label by hand,"
    " average them in three ways, and read scikit-learn's report row by row."
)
def _(text):
    taught = ("## Count by hand", "## Jaccard", "## scikit-learn's report, row by row")
    return {*AVERAGES, None} == {*inputs.AVERAGES} and all(part in text for part in taught)


@claim("You need: precision, recall and F1 of a set from 02_example_based.")
def _():
    headings = "".join(section.heading for section in places.sections("02_example_based"))
    return "Precision and recall" in headings and "F1: precision and recall of one" in headings


@claim(
    "Our data come from “多ラベル分類の評価指標について”: three pictures, four labels.",
    "The true label sets are {1}, {1,2}, {1,2,3,4}; predicted are {1}, {1,2,3}, {1,2,3,4}.",
)
def _(y_true, y_pred):
    sets = [[{j for j in range(1, 5) if row[j - 1]} for row in m] for m in (y_true, y_pred)]
    return (
        (DOCUMENT.title, y_true) == ("多ラベル分類の評価指標について", DOCUMENT.y_true)
        and np.shape(y_true) == (3, 4)
        and sets == [[{1}, {1, 2}, {1, 2, 3, 4}], [{1}, {1, 2, 3}, {1, 2, 3, 4}]]
    )


@claim("Each frame is one label.")
def _(y_true, y_pred):
    ax = figures.label_grid(y_true, y_pred, "F1", per="label", answer=False)
    framed = [sorted(pictures.inside(box, ax, 4)) for box in pictures.frames(ax).values()]
    return sorted(framed) == [[(i, j) for i in range(3)] for j in range(4)]


@claim("F1 does not look at the dots, the cells rightly left out.")
def _():
    dot = figures.MARKS[0]
    more = agree(each_f1, lambda t, p: each_f1(*with_empty(t, p, samples=2)))
    return more and (dot.symbol, dot.word) == ("·", "rightly left out")


# --- predict, and count by hand


@claim(
    "There is one mistake: sample 2 is given label 3, which it does not have.",
    "Only label 3 has a mistake: one of its two predictions is wrong and nothing is missed, so its"
    " precision is ½ and its recall 1.",
)
def _(y_true, y_pred):
    tp, fp, fn, _ = (count[2] for count in label_based.confusion(y_true, y_pred))
    values = each_precision(y_true, y_pred)[2], each_recall(y_true, y_pred)[2]
    one = mistakes(y_true, y_pred) == [[2, 3]] and y_pred[1][2] == 1
    return one and (tp, fp, fn) == (1, 1, 0) and values == (1 / 2, 1)


@claim(
    "Which suffers more from it: F1 as the mean over four labels (macro-F1), or F1 of one count over"
    " all the cells (micro-F1)?",
    "Macro-F1.",
    "The mistake spoils one label of four, and that label has a single hit to soften it.",
)
def _(y_true, y_pred):
    tp = label_based.confusion(y_true, y_pred).tp
    return (
        f1(y_true, y_pred) < micro_f1(y_true, y_pred) < 1
        and len(tp) == 4
        and tp[each_f1(y_true, y_pred) < 1].tolist() == [1]
        and isclose(micro_f1(y_true, y_pred), 2 * tp.sum() / (2 * tp.sum() + 1))
    )


@claim(
    "Each cell of it is a pair: what is true, what was predicted.",
    "TP are hits, FP false alarms, FN misses, TN cells rightly left out.",
)
def _(y_true, y_pred, count):
    """The words are the pictures', whose marks are indexed by 2 * truth + prediction."""
    outcomes = [mark.word for mark in figures.MARKS]
    columns = [[outcomes[i] for i in column] for column in (2 * np.array(y_true) + y_pred).T]
    words = ("hit", "false alarm", "miss", "rightly left out")
    return all(count(j) == [columns[j].count(word) for word in words] for j in range(4))


@claim(
    "Each label gets its own F1; then comes the mean, in which every label weighs the same.",
    "Macro divides, then averages: every label weighs the same.",
)
def _():
    return agree(each_f1, f1_along(0)) and agree(f1, lambda t, p: f1_along(0)(t, p).mean())


@claim("First add up the counts of all labels, then divide once.")
def _():
    return agree(micro_f1, f1_along(None), lambda t, p: over(*map(np.sum, parts(t, p))))


@claim(
    "It does not matter which label a hit or a mistake belongs to.",
    "Micro adds up, then divides: it does not matter which label a mistake belongs to.",
)
def _():
    def moved(metric):
        """Of the same cells at other labels, in every sample elsewhere."""
        return lambda *world: metric(
            *(np.array([np.roll(row, i) for i, row in enumerate(matrix)]) for matrix in world)
        )

    return agree(micro_f1, moved(micro_f1)) and not agree(f1, moved(f1))


@claim(
    "Each label's F1 gets as many votes as the label has support.",
    "Here worked.solve writes it on the board:",
)
def _(y_true, y_pred, code):
    solved = [float(worked.solve(f1, y_true, y_pred, average=average)) for average in AVERAGES]
    ours = [f1(y_true, y_pred, average=average) for average in AVERAGES]
    votes = agree(
        lambda t, p: f1(t, p, average="weighted") * t.sum(),
        lambda t, p: (each_f1(t, p) * t.sum(axis=0)).sum(),
    )
    return votes and same(solved, ours) and 'y_pred, average="weighted")' in code


@claim(
    "Which axis you count along makes the family: per sample, per label, or over everything.",
)
def _():
    families = {1: partial(example_based.f1, per_sample=True), 0: each_f1, None: micro_f1}
    return all(agree(family, f1_along(axis)) for axis, family in families.items())


@claim("Macro or micro is whether you divide before you average, or after.")
def _():
    after = agree(micro_f1, lambda t, p: over(*(np.mean(part) for part in parts(t, p))))
    return after and agree(f1, lambda t, p: np.mean(over(*parts(t, p))))


# --- the report


def report(y_true, y_pred):
    return classification_report(y_true, y_pred, output_dict=True, zero_division=0)


@cache
def reports():
    """Drawn truths and predictions with a hit, each with scikit-learn's report on it."""
    drawn = np.random.default_rng(4).integers(2, size=(9, 2, 4, 3))
    return [(t, p, report(t, p)) for t, p in drawn if hits(t, p)]


def row(theirs, name):
    return [theirs[name][column] for column in ("precision", "recall", "f1-score")]


def three(family, y_true, y_pred, **options):
    metrics = (family.precision, family.recall, family.f1)
    return np.array([metric(y_true, y_pred, **options) for metric in metrics])


@claim(
    "Our functions give a value per label, its three averages, and the mean over samples:",
    "Row by row they agree.",
)
def _(rows, y_true, y_pred, printed):
    theirs = report(y_true, y_pred)
    names = [*(f"label {j}" for j in range(1, 5)), "micro", "macro", "weighted", "samples"]
    return (
        [ours[0] for ours in rows] == names
        and same([ours[1:] for ours in rows], [row(theirs, name) for name in theirs])
        and classification_report(y_true, y_pred, digits=6) in printed
    )


@claim(
    "The document prints scikit-learn's report, which numbers the labels from 0: our label 3 is its"
    " row 2."
)
def _(y_true, y_pred):
    said = {p.of: [] for p in DOCUMENT.published if p.of.startswith("report")}
    for p in DOCUMENT.published:
        said.get(p.of, []).append(p.printed)
    return said == {
        f"report, {'label ' * name.isdigit()}{name}, {column.removesuffix('-score')}": (
            [f"{value:g}"] * 2 if column == "support" else [f"{value:.2f}", f"{value:.6f}"]
        )
        for name, values in report(y_true, y_pred).items()
        for column, value in values.items()
    }


@claim(
    "The document prints scikit-learn's report, which numbers the labels from 0: our label 3 is its"
    " row 2.",
    "The last column is support: how many samples truly have the label.",
    "The four summary rows print its sum, 7.",
)
def _(y_true, y_pred, printed):
    theirs = report(y_true, y_pred)
    support = [theirs[name]["support"] for name in theirs]
    return (
        [*theirs] == [*"0123", *SUMMARY]
        and same(row(theirs, "2"), three(label_based, y_true, y_pred, average=None)[:, 3 - 1])
        and "f1-score   support\n" in printed
        and support == [*np.sum(y_true, axis=0), 7, 7, 7, 7]
        and sum(support[:4]) == 7
    )


@claim(
    "0 to 3 | one column | nothing | average=None",
    'micro avg | all cells at once | nothing | average="micro"',
)
def _():
    return all(
        same(np.transpose(columns), three(label_based, t, p, average=None))
        and same(columns[0], three(label_based, t[:, :1], p[:, :1]))
        and same(row(theirs, "micro avg"), three(label_based, t, p, average="micro"))
        and same(row(theirs, "micro avg"), three(example_based, t.reshape(1, -1), p.reshape(1, -1)))
        for t, p, theirs in reports()
        for columns in [[row(theirs, name) for name in "012"]]
    )


@claim(
    'macro avg | each column | the labels, all weighing the same | average="macro"',
    'weighted avg | each column | the labels, each weighing its support | average="weighted"',
    "samples avg | each row of the data | the samples, all weighing the same | example_based",
)
def _():
    return all(
        same(row(theirs, f"{average} avg"), three(label_based, t, p, average=average))
        and same(row(theirs, f"{average} avg"), np.average(columns, axis=1, weights=weights))
        and same(row(theirs, "samples avg"), three(example_based, t, p))
        and same(three(example_based, t, p), three(label_based, t.T, p.T))
        for t, p, theirs in reports()
        for columns in [three(label_based, t, p, average=None)]
        for average, weights in (("macro", None), ("weighted", t.sum(axis=0)))
    )


@claim(
    "In a label's row and in micro avg, F1 is the harmonic mean of the row's precision and recall.",
    "In the other rows it is a mean of F1s.",
)
def _():
    def is_harmonic(name):
        rows = [row(theirs, name) for _, _, theirs in reports()]
        return all(isclose(harmonic(p, r), value, abs_tol=1e-9) for p, r, value in rows)

    return [name for name in reports()[0][2] if is_harmonic(name)] == [*"012", "micro avg"]


# --- Jaccard


@claim(
    "Of the samples that have a label or are given it, how many are hits?",
    "This is the label's Jaccard index, intersection over union down a column.",
    "(02 takes it along the rows, and calls it accuracy.)",
)
def _():
    sizes = agree(each_jaccard, lambda t, p: over((t & p).sum(axis=0), (t | p).sum(axis=0)))
    along_rows = partial(example_based.accuracy, per_sample=True)
    return sizes and agree(along_rows, lambda t, p: each_jaccard(t.T, p.T))


@claim("F1 counts a hit twice, Jaccard once, so a label's Jaccard is never above its F1.")
def _():
    def times(k):
        """A ratio that counts a hit so many times."""
        return lambda t, p: over(k * (t & p).sum(axis=0), k * (t & p).sum(axis=0) + (t ^ p).sum(0))

    never_above = always(lambda t, y_pred: (each_jaccard(t, y_pred) <= each_f1(t, y_pred)).all())
    return never_above and agree(each_f1, times(2)) and agree(each_jaccard, times(1))


@claim(
    "As F1 = 2J / (1 + J), the two rank all predictions of one label alike, and so do their micro"
    " averages.",
)
def _():
    quarrel = disagreement.smallest_disagreement
    return (
        agree(each_f1, lambda t, p: 2 * each_jaccard(t, p) / (1 + each_jaccard(t, p)))
        and agree(micro_f1, lambda t, p: 2 * micro_jaccard(t, p) / (1 + micro_jaccard(t, p)))
        and quarrel(f1, jaccard, max_samples=4, max_labels=1) is None
        and quarrel(micro_f1, micro_jaccard) is None
    )


@claim("Their macro averages can part:")
def _(found):
    (f1_first, f1_second), (jaccard_first, jaccard_second) = found.values_a, found.values_b
    return (found.metric_a, found.metric_b) == (f1, jaccard) and (f1_first - f1_second) * (
        jaccard_first - jaccard_second
    ) < 0


# --- the document, proofread


@claim("Five numbers of the document carry a slip:")
def _(slips, printed):
    carry = [p for p in DOCUMENT.published if p.slip]
    return len(carry) == 5 and slips == carry and all(p.of in printed for p in carry)
