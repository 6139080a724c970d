"""What notebook 03 says, beside what makes it true."""

import warnings
from fractions import Fraction
from math import isclose

import numpy as np
import places
import sklearn.metrics as skm

from claims import always, claim, on_trust, sometimes
from claims._sets import always_same, each, grey, same, sizes
from mlm_helpers import catalogue, conventions, example_based, label_based, ranking
from mlm_helpers.conventions import LABEL_WISE, TOOLS
from mlm_helpers.course.documents import PARTIAL_CREDIT as NOTE
from mlm_helpers.course.documents import RANKING
from mlm_helpers.course.documents import SKLEARN_GUIDE as GUIDE
from mlm_helpers.disagreement import smallest_disagreement
from mlm_helpers.exact_match import subset_accuracy, zero_one_loss
from mlm_helpers.hamming import hamming_loss

OF_02 = (
    example_based.accuracy, example_based.precision, example_based.recall, example_based.f1,
)  # fmt: skip


def wrong_cells(y_true, y_pred):
    return np.array(y_true) != np.array(y_pred)


def silence(y_true):
    return np.zeros_like(y_true)


def flipped(y_pred, cell):
    changed = np.array(y_pred)
    changed[cell] ^= 1
    return changed


def moves(y_true, y_pred):
    """By how much the loss moves as one cell of the prediction changes, cell by cell."""
    before = hamming_loss(y_true, y_pred)
    cells = np.ndindex(np.shape(y_pred))
    return [hamming_loss(y_true, flipped(y_pred, cell)) - before for cell in cells]


def with_dots(*data):
    """The data and three more labels, which nobody has and nobody predicts."""
    return [np.pad(cells, ((0, 0), (0, 3))) for cells in data]


def blind_to_dots(metric):
    return always_same(metric, lambda *data: metric(*with_dots(*data)))


def is_fraction(value, text):
    return isclose(value, Fraction(text))


# --- the question, the count


@claim(
    "After this notebook you can compute the Hamming loss by hand, ask the right question when"
    " someone says “Hamming score”, and see when a small loss means nothing."
)
def _(text):
    sections = ("by hand", "called “hamming score”", "where it misleads you: saying nothing")
    return all(name in text.lower() for name in sections)


@claim("You need: the idea of a label matrix from 00_start_here; 01 and 02 help.")
def _(text):
    sections = places.sections("00_start_here")
    taught = any("**label matrix**" in p.text for s in sections for p in s.passages)
    return taught and "zero-one loss of 01" in text and "metrics of 02" in text


@claim(
    "Go through the rows and count the cells where truth and prediction differ.",
    "Count the right cells instead of the wrong ones.",
    "Hamming loss is the share of wrong cells.",
    "Its other side is label-wise accuracy.",
)
def _():
    right = always_same(
        lambda *data: 1 - hamming_loss(*data), lambda *data: (~wrong_cells(*data)).mean()
    )
    return right and always_same(hamming_loss, lambda *data: wrong_cells(*data).mean())


@claim("Every cell is one question, and all questions count alike.")
def _():
    moved = np.array(moves(GUIDE.y_true, GUIDE.y_pred))
    return same(abs(moved), 1 / 12) and set(np.sign(moved)) == {1, -1}


@claim(
    "Our data come from the document “sklearn中多标签分类场景下的常见的模型评估指标”: three samples,"
    " four labels, twelve questions."
)
def _(y_true, y_pred):
    theirs = (y_true, y_pred) == (GUIDE.y_true, GUIDE.y_pred) and GUIDE.title[:7] == "sklearn"
    return theirs and np.shape(y_true) == np.shape(y_pred) == (3, 4) and np.size(y_true) == 12


@claim(
    "This is how the accuracy of 02 sees the data: row by row, and blind to the dots, which are"
    " therefore grey.",
    "To the metrics of 02 a dot is nothing.",
)
def _():
    return grey("accuracy") == {"rightly left out"} and all(map(blind_to_dots, OF_02))


@claim(
    "How many of the twelve cells are wrong?",
    "Five are wrong: two in the first row, none in the second, three in the third.",
)
def _(y_true, y_pred):
    return np.size(y_true) == 12 and list(wrong_cells(y_true, y_pred).sum(1)) == [2, 0, 3]


@claim(
    "And does a dot, where nothing was true and nothing was said, count as a right answer?",
    "And yes, a dot is a right answer here, as good as a hit.",
    "A label rightly left out counts as much as a hit, and the order of averaging does not matter.",
)
def _():
    def says(y_true, y_pred):
        """All hits become dots, and all dots hits."""
        wrong = wrong_cells(y_true, y_pred)
        others = np.where(wrong, y_true, 1 - y_true), np.where(wrong, y_pred, 1 - y_pred)
        return same(hamming_loss(y_true, y_pred), hamming_loss(*others), wrong.mean(0).mean())

    return always(says)


@claim("One frame around everything, and no grey cell: this metric counts them all.")
def _(y_true, y_pred, code):
    return not grey("Hamming loss") and 'per="cell"' in code and 0 not in moves(y_true, y_pred)


# --- the formula


@claim(
    "The triangle keeps the labels that are in one of the two sets and not in both: the false alarms"
    " and the misses."
)
def _():
    truth, said = {1, 2}, {2, 3}
    return truth ^ said == (said - truth) | (truth - said) == {1, 3}


@claim(
    "Write $Y_i$ for the true labels of sample $i$, $Z_i$ for the predicted ones, $n$ for the number"
    " of samples and $L$ for the number of labels.",
)
def _(text):
    """The formula itself is evaluated elsewhere."""
    return r"\frac{1}{n L} \sum_{i=1}^{n}" in text and r"|Y_i \mathbin{\triangle} Z_i|" in text


@claim("In counts it reads (FP + FN) / (TP + FP + FN + TN).")
def _():
    def of_counts(*data):
        counts = label_based.confusion(*data)
        return (counts.fp + counts.fn).sum() / np.sum(counts)

    return always_same(hamming_loss, of_counts)


@claim("Lower is better, and the best is 0.")
def _():
    zero = always(
        lambda y_true, y_pred: (hamming_loss(y_true, y_pred) == 0) == (y_true == y_pred).all()
    )
    return zero and not catalogue.of(hamming_loss).higher_is_better


@claim("In 02 the mean of the F1s was not the F1 of the means.")
def _():
    data = NOTE.y_true, NOTE.y_pred
    p, r = example_based.precision(*data), example_based.recall(*data)
    return not isclose(example_based.f1(*data), 2 * p * r / (p + r))


@claim(
    "No: 5/12 each time, since every row has as many cells as any other, and so has every column.",
    "The long question of 04, how to average over labels, does not even arise.",
)
def _(y_true, y_pred):
    def says(y_true, y_pred):
        wrong = wrong_cells(y_true, y_pred)
        return same(wrong.mean(), wrong.mean(0).mean(), wrong.mean(1).mean())

    matters = sometimes(lambda y_true, y_pred: not isclose(
        label_based.f1(y_true, y_pred, average="macro"), label_based.f1(y_true, y_pred, average="micro")
    ))  # fmt: skip
    return always(says) and is_fraction(wrong_cells(y_true, y_pred).mean(), "5/12") and matters


# --- the helper


@claim("The document has a second example, in which a model predicts nothing at all:")
def _(zeros, guide):
    return (
        zeros in guide.examples.values()
        and zeros.y_true != guide.y_true
        and not np.any(zeros.y_pred)
    )


@claim("(0.4166 is cut off after four digits: rounded, it ends in a 7.)")
def _(guide):
    (value,) = (v.value for v in guide.published if v.printed == "0.4166")
    return value * 10**4 // 1 == 4166 and round(value * 10**4) == 4167


# --- the other side


def same_of(name, data, values):
    """Whether what scikit-learn has under a name is a function that gives these values."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return same([float(getattr(skm, name)(*map(np.array, pair))) for pair in data], values)
    except (AttributeError, TypeError, ValueError):
        return False  # none, or not of label matrices


on_trust(
    "The “untitled note, zh-CN” has a formula for Accuracy, right labels over all labels, for"
    " Hamming loss, wrong labels over all labels, and for Subset Accuracy, right samples over all"
    " samples.",
    "the untitled note, zh-CN",
)
on_trust(
    "The note warns that its Accuracy is strict, because every label of a sample must be right.",
    "the untitled note, zh-CN, under its Accuracy",
)


@claim(
    "The Accuracy is 7/12, and with the Hamming loss it makes 1.",
    "So it is a gentle count: it pays for each right cell, also in rows that have mistakes.",
    "If every label of a sample had to be right, only one row would count.",
    "That is Subset Accuracy, 1/3, and the note's warning belongs there.",
)
def _(y_true, y_pred):
    right = ~wrong_cells(y_true, y_pred)
    in_rows_with_mistakes = right[~right.all(1)].sum()
    return (
        is_fraction(right.mean(), "7/12")
        and is_fraction(right.mean() + hamming_loss(y_true, y_pred), "1")
        and in_rows_with_mistakes == 3
        and right.all(1).sum() == 1
        and is_fraction(subset_accuracy(y_true, y_pred), "1/3")
    )


@claim(
    "The name label-wise accuracy avoids the quarrel. scikit-learn has no function for it; 1 -"
    " hamming_loss(y_true, y_pred) is all it takes."
)
def _(y_true, y_pred):
    other = GUIDE.examples["all zeros"]
    data = [(y_true, y_pred), (NOTE.y_true, NOTE.y_pred), (other.y_true, other.y_pred)]
    right = [1 - skm.hamming_loss(*pair) for pair in data]
    found = [name for name in dir(skm) if same_of(name, data, right)]
    return found == [] and isclose(right[0], 7 / 12)


on_trust(
    "In the program of “sklearn中多标签分类场景下的常见的模型评估指标”, a comment calls the right"
    " cells of a row samples predicted right.",
    f"{GUIDE.title}, 海明距离",
)


@claim(
    "They are labels: seven of them, where there are three samples.",
    "Who really counts right samples gets the metric of 01.",
)
def _(y_true, y_pred):
    right = ~wrong_cells(y_true, y_pred)
    of_01 = always_same(subset_accuracy, lambda *data: (~wrong_cells(*data)).all(1).mean())
    return right.sum() == 7 and len(right) == 3 and of_01


# --- two Hamming scores


@claim("In MEKA, a Java toolkit for multi-label learning, Hamming score is 1 − Hamming loss: 7/12.")
def _(y_true, y_pred):
    called = TOOLS["MEKA"].metrics[LABEL_WISE].call
    number = conventions.number("MEKA", LABEL_WISE, y_true, y_pred)
    return called == "Hamming score" and same(number, 1 - hamming_loss(y_true, y_pred), 7 / 12)


@claim(
    "In “sklearn中多标签分类场景下的常见的模型评估指标” it is the accuracy of 02, intersection over"
    " union: 19/36."
)
def _(y_true, y_pred):
    scores = [v for v in GUIDE.published if v.of.startswith("Hamming score")]
    hits, _, _, union = sizes(y_true, y_pred)
    return {v.metric for v in scores} == {"example_based.accuracy"} and same(
        (hits / union).mean(), example_based.accuracy(y_true, y_pred), 19 / 36
    )


on_trust(
    "So it is in the widely copied answer to a question on Stack Overflow, from which the document"
    " has its program.",
    "https://stackoverflow.com/q/32239577, which the document's docstring names",
)


@claim("The first counts the dots and the second ignores them.")
def _(y_true, y_pred):
    seen = hamming_loss(*with_dots(y_true, y_pred)) < hamming_loss(y_true, y_pred)
    return seen and blind_to_dots(example_based.accuracy)


# --- two models


@claim(
    "The document “多标签分类评价指标介绍（一）” (five labels, one text) has two models.",
    "Each gives every label a score; where the score is high enough, the label is predicted.",
)
def _(one, two):
    titled = RANKING.title == "多标签分类评价指标介绍（一）" and len(RANKING.scores) == 2
    return titled and all(
        np.shape(model.y_score) == np.shape(model.y_true) == (1, 5)
        and min(np.array(model.y_score)[np.array(model.y_pred) == 1])
        > max(np.array(model.y_score)[np.array(model.y_pred) == 0])
        for model in (one, two)
    )


@claim(
    "Both have two of five cells wrong, 2/5 as the document says: geography is a false alarm, sport"
    " is a miss.",
    "The scores differ, but Hamming loss sees only what is left after the threshold.",
)
def _(one, two, topics):
    said = {v.value for v in RANKING.published if v.of == "Hamming loss"}
    (true,), (predicted,) = one.y_true, one.y_pred
    wrong = {name: t for name, t, p in zip(topics, true, predicted, strict=True) if t != p}
    return (
        said == {Fraction(2, 5)}
        and wrong == {"geography": 0, "sport": 1}
        and (one.y_true, one.y_pred) == (two.y_true, two.y_pred)
        and one.y_score != two.y_score
    )


@claim("Can another metric tell the models apart?", "05_ranking answers that.")
def _(one, two):
    first, second = (ranking.coverage(model.y_true, model.y_score) for model in (one, two))
    there = "ranking.coverage" in "".join(s.code for s in places.sections("05_ranking"))
    return there and first != second


# --- where it misleads


@claim(
    "One sample, three labels, one of them true.",
    "Here are two answers to it: one says nothing, the other says everything.",
    "The silent answer has one wrong cell and the loud one has two, so silence wins, although only"
    " the loud answer found what was there.",
    "With two labels they would tie.",
    "(The mean under the picture means nothing here: the two rows are rivals.)",
    "It is the silent answer and the loud one again.",
)
def _(sparse_truth, silent_and_loud):
    truth, (silent, loud) = np.array(sparse_truth), np.array(silent_and_loud)
    again = smallest_disagreement(hamming_loss, example_based.f1)
    pair = [[again.y_true, again.first], [again.y_true, again.second]]
    return (
        truth.shape == (2, 3)
        and (truth[0] == truth[1]).all()
        and truth[0].sum() == 1
        and not silent.any()
        and loud.all()
        and [(truth[0] != answer).sum() for answer in (silent, loud)] == [1, 2]
        and same(*(hamming_loss([[1, 0]], [[said, said]]) for said in (0, 1)))
        and [sizes(*data)[:3, 0].tolist() for data in pair] == [[0, 1, 0], [1, 1, 3]]
    )


def model(many, n_predicted):
    """Three true labels first, and as many predicted as asked for."""
    return [[1] * 3 + [0] * (many - 3)], [[1] * n_predicted + [0] * (many - n_predicted)]


@claim(
    "A sample has three true labels.",
    "The silent model predicts none.",
    "The finder predicts all three, and four that are not true.",
    "The silent model wins every time and finds nothing.",
    "With 10,000 labels it is right in 99.97 % of the cells: a figure for a brochure.",
    "And the loss of the finder shrinks tenfold at each step, without one answer getting better.",
    "Where labels are rare, saying nothing scores splendidly.",
)
def _():
    steps = (10, 100, 1000, 10_000)
    silent = [hamming_loss(*model(many, 0)) for many in steps]
    finder = [hamming_loss(*model(many, 7)) for many in steps]
    return (
        all(a < b for a, b in zip(silent, finder, strict=True))
        and isclose(1 - silent[-1], 0.9997)
        and same(finder[:-1], [10 * loss for loss in finder[1:]])
        and {example_based.recall(*model(many, 0)) for many in steps} == {0}
        and all(sizes(*model(many, 7))[:3, 0].tolist() == [3, 3, 3 + 4] for many in steps)
    )


@claim(
    "Report beside your loss that of predicting nothing.",
    "It is simply the share of ones in the truth, the label density.",
    "Report the label density beside the loss.",
)
def _():
    return always(
        lambda y_true, y_pred: isclose(hamming_loss(y_true, silence(y_true)), y_true.mean())
    )


@claim(
    "On the main data the model's loss of 5/12 is better than silence, 7/12.",
    "(It is by chance that the label-wise accuracy was 7/12, too: seven cells are true, and seven"
    " are right.)",
)
def _(y_true, y_pred):
    right = (~wrong_cells(y_true, y_pred)).sum()
    chance = sometimes(lambda y_true, y_pred: y_true.sum() != (y_true == y_pred).sum())
    return (
        np.sum(y_true) == right == 7
        and chance
        and same(
            [hamming_loss(y_true, y_pred), hamming_loss(y_true, silence(y_true))], [5 / 12, 7 / 12]
        )
    )


@claim(
    "And the document's second example is explained: its loss of 3/4 = 0.75 is nothing but the"
    " density of its truth."
)
def _(zeros):
    return same(hamming_loss(zeros.y_true, zeros.y_pred), np.mean(zeros.y_true), 3 / 4)


@claim(
    "Here are the smallest data on which Hamming loss and the F1 per sample prefer different"
    " predictions; a helper has looked at everything smaller."
)
def _(found):
    smaller = [
        smallest_disagreement(hamming_loss, example_based.f1, max_samples=n, max_labels=m)
        for n, m in ((1, 2), (2, 1))
    ]
    return np.shape(found.y_true) == (1, 3) and smaller == [None, None]


# --- never above the zero-one loss


@claim(
    "A row with mistakes costs the zero-one loss of 01 a full point.",
    "It costs the Hamming loss only the share of its cells that is wrong.",
    "So Hamming loss ≤ zero-one loss, always.",
    "Try every truth with every prediction, for two samples and two labels.",
)
def _(worlds):
    def says(y_true, y_pred):
        wrong = wrong_cells(y_true, y_pred)
        rows = each(zero_one_loss, y_true, y_pred), each(hamming_loss, y_true, y_pred)
        below = hamming_loss(y_true, y_pred) <= zero_one_loss(y_true, y_pred)
        return same(rows[0], wrong.any(1)) and same(rows[1], wrong.mean(1)) and below

    return always(says) and np.shape(np.unique(worlds, axis=0)) == (2**4, 2, 2)


@claim(
    "With a single label the two are always equal.",
    "The smallest data on which they part have two cells:",
)
def _():
    def equal(y_true, y_pred):
        return isclose(hamming_loss(y_true, y_pred), zero_one_loss(y_true, y_pred))

    return always(equal, [(1, 1), (2, 1), (3, 1)]) and not always(equal, [(1, 2)])


# --- to remember


@claim("“Accuracy” and “Hamming score” also name other metrics: ask for the formula.")
def _(y_true, y_pred):
    data = y_true, y_pred
    accuracies = subset_accuracy(*data), example_based.accuracy(*data), 1 - hamming_loss(*data)
    scores = {v.metric for v in GUIDE.published if v.of.startswith("Hamming score")}
    return len(set(accuracies)) == 3 and scores == {"example_based.accuracy"}


@claim("Next: 04_label_based reads the same matrix column by column.")
def _(y_true, y_pred):
    columns = zip(np.transpose(y_true), np.transpose(y_pred), strict=True)
    return same(
        label_based.f1(y_true, y_pred, average=None),
        [label_based.f1(np.transpose([t]), np.transpose([p])) for t, p in columns],
    )
