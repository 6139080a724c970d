"""Headings that say something, beside what makes it true."""

from fractions import Fraction
from functools import partial

import numpy as np
import places

from claims import always, claim, sometimes
from mlm_helpers import (
    catalogue,
    conventions,
    disagreement,
    exact_match,
    example_based,
    hamming,
    label_based,
    ranking,
)  # fmt: skip
from mlm_helpers.records import load


def family(name):
    return {metric.function.__name__ for metric in catalogue.METRICS if metric.family == name}


def code(file):
    return "\n".join(section.code for section in places.sections(file))


@claim(
    "Start here: one word, three numbers",
    "Accuracy, the first: photos that are entirely right",
    "Accuracy, the second: how far the two sets overlap",
    "Accuracy, the third: cells that are right",
    "One word, three metrics, three numbers",
)
def _():
    """By the names of its variables the notebook computes them in this order."""
    names = places.variables("00_start_here")[-1]
    truth, said = np.array(names["y_true"]), np.array(names["y_pred"])
    right = truth == said
    overlap = [(t & s).sum() / (t | s).sum() for t, s in zip(truth, said, strict=True)]
    three = [right.all(axis=1).mean(), np.mean(overlap), right.mean()]
    heads = [section.heading for section in places.sections("00_start_here")]
    order = [heads.index(h) for h in heads if h.startswith("Accuracy, the ")]
    shown = [places.sections("00_start_here")[i].output for i in order]
    return len(set(np.round(three, 6))) == 3 and all(
        str(Fraction(value).limit_denominator(100)) in text
        for value, text in zip(three, shown, strict=True)
    )


@claim(
    "Ask for everything: exact match and zero-one loss",
    "Where it misleads you: almost right equals all wrong",
    "“Not exactly right” is not “completely wrong”",
)
def _():
    truth, almost, wrong = [[1, 1, 0]], [[1, 1, 1]], [[0, 0, 1]]
    return family("exact match") == {"subset_accuracy", "zero_one_loss"} and [
        exact_match.subset_accuracy(truth, said) for said in (truth, almost, wrong)
    ] == [1, 0, 0]


@claim("Where it misleads you: it falls as labels are added")
def _():
    """The share of samples that are right on all labels, with more and more labels."""
    right = np.random.default_rng(0).random((1000, 6)) < 0.9
    shares = [exact_match.subset_accuracy(np.ones((1000, k)), right[:, :k]) for k in range(1, 7)]
    return shares == sorted(shares, reverse=True) and shares[0] > shares[-1]


@claim(
    "Give partial credit: the example-based metrics",
    "Precision and recall: the same hits, another whole",
    "F1: precision and recall of one sample in one number",
    "Fβ: where one kind of mistake costs more",
)
def _():
    truth, said = [[1, 1, 1, 0]], [[1, 0, 0, 1]]  # one hit of three true, of two predicted
    p, r = example_based.precision(truth, said), example_based.recall(truth, said)
    alarm, miss = ([[1, 1, 0]], [[1, 1, 1]]), ([[1, 1, 0]], [[1, 0, 0]])
    return (
        (p, r) == (1 / 2, 1 / 3)
        and abs(example_based.f1(truth, said) - 2 * p * r / (p + r)) < 1e-12
        and {"precision", "recall", "f1", "fbeta"} <= family("example-based")
        and example_based.fbeta(*alarm, beta=2) > example_based.fbeta(*miss, beta=2)
    )


@claim("Where it misleads you: nothing over nothing", "Why is my perfect model 0.5?")
def _():
    perfect = [[1, 0], [0, 0]], [[1, 0], [0, 0]]
    return example_based.f1(*perfect) == 0.5


@claim("Mean of the F1s, or F1 of the means?", "Which macro-F1?")
def _():
    def of_the_means(y_true, y_pred):
        p, r = label_based.precision(y_true, y_pred), label_based.recall(y_true, y_pred)
        return 2 * p * r / (p + r) if p + r else 0.0

    return sometimes(
        lambda y_true, y_pred: of_the_means(y_true, y_pred) > label_based.f1(y_true, y_pred) + 0.01
    )


@claim("Count every cell: Hamming loss", "The other side: label-wise accuracy")
def _():
    return always(
        lambda y_true, y_pred: (
            np.isclose(hamming.hamming_loss(y_true, y_pred), (y_true != y_pred).mean())
            and np.isclose(1 - hamming.hamming_loss(y_true, y_pred), (y_true == y_pred).mean())
        )
    )


@claim("Where it misleads you: saying nothing looks splendid")
def _():
    rare = np.eye(20, dtype=int)
    return np.isclose(hamming.hamming_loss(rare, np.zeros_like(rare)), 1 / 20)


@claim("Never above the zero-one loss")
def _():
    return always(
        lambda y_true, y_pred: (
            hamming.hamming_loss(y_true, y_pred) <= exact_match.zero_one_loss(y_true, y_pred)
        )
    )


@claim(
    "Count along each label: macro, micro and weighted averages",
    "Macro: divide, then average",
    "Micro: add up, then divide",
    "Weighted: macro, with votes",
    "Jaccard: a hit counts once",
)
def _():
    y_true, y_pred = [[1, 1], [1, 0], [1, 0]], [[1, 0], [0, 0], [1, 1]]
    tp, fp, fn, _ = label_based.confusion(y_true, y_pred)
    each = 2 * tp / (2 * tp + fp + fn)
    values = {a: label_based.f1(y_true, y_pred, average=a) for a in ("macro", "micro", "weighted")}
    expected = {
        "macro": each.mean(),
        "micro": 2 * tp.sum() / (2 * tp.sum() + fp.sum() + fn.sum()),
        "weighted": np.average(each, weights=tp + fn),
    }
    jaccard = label_based.jaccard(y_true, y_pred, average=None)
    return (
        len(set(np.round([*values.values()], 9))) == 3
        and all(np.isclose(values[a], expected[a]) for a in values)
        and np.allclose(jaccard, tp / (tp + fp + fn))
    )


@claim("When micro-F1 is accuracy")
def _():
    """One true and one predicted label in each of three samples of three labels: all cases."""
    one = np.eye(3, dtype=int)
    return all(
        np.isclose(
            label_based.f1(one, one[list(said)], average="micro"),
            exact_match.subset_accuracy(one, one[list(said)]),
        )
        for said in np.ndindex(3, 3, 3)
    ) and not always(
        lambda y_true, y_pred: np.isclose(
            label_based.f1(y_true, y_pred, average="micro"),
            exact_match.subset_accuracy(y_true, y_pred),
        )
    )


@claim("Where it misleads you: the rare label")
def _():
    """One label of 100 samples and one of a single sample, which is never found."""
    y_true = np.array([[1, 0]] * 99 + [[1, 1]])
    y_pred = np.array([[1, 0]] * 100)
    return (
        label_based.f1(y_true, y_pred, average="micro")
        > 0.99
        > 0.5
        == label_based.f1(y_true, y_pred)
    )


@claim("Read the order: the ranking metrics")
def _():
    """Scores in the same order have the same values, of all four."""
    y_true, scores = [[1, 0, 1]], np.array([[0.2, 0.5, 0.9]])
    four = [metric.function for metric in catalogue.METRICS if metric.family == "ranking"]
    return len(four) == 4 and all(f(y_true, scores) == f(y_true, scores**3) for f in four)


@claim("A bridge: the area under the curve")
def _():
    """One minus the ranking loss of a sample without ties is the area under its ROC curve."""
    from sklearn.metrics import roc_auc_score

    y_true, scores = [1, 0, 1, 0, 0], [0.5, 0.9, 0.7, 0.1, 0.6]
    return np.isclose(1 - ranking.ranking_loss([y_true], [scores]), roc_auc_score(y_true, scores))


@claim("Ties: who wins?", "Who wins a tie?")
def _():
    rules = ("worst", "best", "average")
    return len({ranking.ranking_loss([[1, 0]], [[0.5, 0.5]], ties=rule) for rule in rules}) == 3


@claim(
    "Choose a metric: real pictures, three models and two fools",
    "The data: emoji and their keywords",
    "Three models and two fools",
)
def _():
    names = places.variables("09_choosing_a_metric")[-1]
    fools = {"nothing", "frequent"}
    return (
        "emoji.load()" in code("09_choosing_a_metric")
        and names["data"].pictures.shape[1:] == (16, 16, 3)
        and fools < set(names["y_score"])
        and len(names["y_score"]) == 3 + len(fools)
    )


@claim("Settle the difference: same predictions, two numbers")
def _():
    empty = [[0, 0]], [[0, 0]]
    tools = ("scikit-learn", "MULAN")
    return {
        example_based.f1(*empty, **conventions.options(t, example_based.f1)) for t in tools
    } == {0, 1}


@claim("Measure at any scale: from 3 rows to 300 million")
def _():
    rows = places.variables("12_at_scale")[3]["everything"][0]
    return len(rows) == 3 and load("bench")["scale"]["files"]["samples"] == 300_000_000


@claim("Why the mean of the batches is wrong")
def _():
    first, second = ([[1, 0], [1, 1]], [[1, 0], [0, 1]]), ([[0, 1]], [[1, 1]])
    both = [one + other for one, other in zip(first, second, strict=True)]
    return label_based.f1(*both) != (label_based.f1(*first) + label_based.f1(*second)) / 2


@claim("Samples without labels, and with all")
def _():
    """On both, and on no other, ranking loss has no value of its own."""
    rows = [[0, 0], [1, 1], [1, 0]]
    each = ranking.ranking_loss(rows, [[0.9, 0.1]] * 3, undefined=np.nan, per_sample=True)
    return np.isnan(each).tolist() == [True, True, False]


@claim("Two models, one loss", "Same labels, same loss")
def _():
    """One false alarm or one miss, and the same Hamming loss."""
    truth, alarm, miss = [[1, 0, 0]], [[1, 1, 0]], [[0, 0, 0]]
    return hamming.hamming_loss(truth, alarm) == hamming.hamming_loss(truth, miss) == 1 / 3


@claim("Where two of them want opposite things", "Where it wants the opposite of what F1 wants")
def _():
    pairs = (
        (example_based.precision, example_based.recall),
        (hamming.hamming_loss, example_based.f1),
    )
    return all(disagreement.smallest_disagreement(*pair) is not None for pair in pairs)


@claim("The absent label", "What is nothing worth?")
def _():
    perfect = [[1, 1, 0], [0, 1, 0]], [[1, 1, 0], [0, 1, 0]]
    values = [label_based.f1(*perfect, zero_division=rule) for rule in (0.0, 1.0, np.nan, "agree")]
    return np.allclose(values, [2 / 3, 1, 1, 1])


@claim("From tags to a matrix")
def _(code):
    return "MultiLabelBinarizer" in code


@claim("The smallest quarrel")
def _():
    """With a label for each sample, four cells: micro prefers the first, macro the second."""
    micro = partial(label_based.f1, average="micro")
    return disagreement.smallest_disagreement(label_based.f1, micro) is not None
