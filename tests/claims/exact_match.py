"""What notebook 01 says of exact match and zero-one loss, of their names, and of many labels."""

import contextlib
import inspect
from fractions import Fraction
from math import floor

import numpy as np
import places
import pytest
import sklearn.metrics
from sklearn.metrics import accuracy_score, multilabel_confusion_matrix

from claims import always, claim, on_trust, sometimes
from claims._sets import is_solved_in_fractions
from claims.start_here import GUIDE, called, cells_right, near, overlap, rows_right
from mlm_helpers import catalogue, disagreement, example_based, worked
from mlm_helpers.course import documents
from mlm_helpers.exact_match import subset_accuracy, zero_one_loss
from mlm_helpers.hamming import hamming_loss

Y, Z = np.array(GUIDE.y_true), np.array(GUIDE.y_pred)
PRINTED = {value.printed: value for value in GUIDE.published}


def mistakes(y_true, y_pred):
    """The number of wrong labels of each row."""
    return np.not_equal(y_true, y_pred).sum(axis=1).tolist()


def falls_or_stays(y_true, y_pred):
    """Exact match when the last column joins the others."""
    return subset_accuracy(y_true, y_pred) <= subset_accuracy(y_true[:, :-1], y_pred[:, :-1])


@claim(
    "After this notebook you can compute the exact match ratio and the zero-one loss by hand, say what scikit-learn means by “accuracy”, and explain what happens to that number when labels are added.",
    "scikit-learn calls this metric accuracy_score.",
    "scikit-learn's accuracy_score is this metric.",
)
def _():
    same = always(
        lambda y_true, y_pred: near(accuracy_score(y_true, y_pred), rows_right(y_true, y_pred))
    )
    return same and called(subset_accuracy, "scikit-learn") == ["accuracy_score"]


@claim("You need: the idea of a label matrix from 00_start_here.")
def _():
    passages = [p.text for section in places.sections("00_start_here") for p in section.passages]
    return any("a **label matrix**:" in text for text in passages)


@claim(
    "A shop packs four articles.",
    "Three are right and one is wrong, so the parcel comes back.",
    "Use it where a half right answer has no use.",
    "For such a shop only one question counts: how many parcels are right from the first article to the last?",
)
def _():
    return subset_accuracy([[1] * 4], [[1] * 3 + [0]]) == 0


@claim("That is the strictest question that one can ask of a sample.")
def _():
    """No metric of label sets gives a sample less; two empty sets agree."""
    rows = [m for m in catalogue.METRICS if m.family == "example-based"]
    options = [{"zero_division": "agree"} | m.required for m in rows]

    def strictest(y_true, y_pred):
        others = [m.function(y_true, y_pred, **o) for m, o in zip(rows, options, strict=True)]
        others.append(1 - hamming_loss(y_true, y_pred))
        return subset_accuracy(y_true, y_pred) <= min(others) + 1e-12

    return len(rows) > 1 and always(strictest, [(1, 1), (1, 2), (1, 3)])


@claim(
    "Our data come from the document “sklearn中多标签分类场景下的常见的模型评估指标”: three samples, four labels."
)
def _(y_true, y_pred):
    document = {document.title: document for document in documents.DOCUMENTS}[
        "sklearn中多标签分类场景下的常见的模型评估指标"
    ]
    return (y_true, y_pred) == (document.y_true, document.y_pred) and np.shape(y_true) == (3, 4)


@claim(
    "A row is right when it shows neither.", "Two rows are equal when they agree on every label."
)
def _(y_true, y_pred):
    counts = multilabel_confusion_matrix(y_true, y_pred, samplewise=True)
    neither = [int(c[0, 1] + c[1, 0]) == 0 for c in counts]
    return neither == [t == p for t, p in zip(y_true, y_pred, strict=True)]


@claim("The signs are those of 00: ✗ and ○ are the mistakes.")
def _(y_true, y_pred, printed):
    said = " ".join(printed.split())
    wrong = "false alarm label 3, miss label 4" in said
    return "a row without ✗ and ○ is 1" in said and wrong and mistakes(y_true, y_pred)[0] == 2


@claim(
    "One row is right, the second.", "No row is wrong on every label: even the third has one hit."
)
def _(y_true, y_pred):
    wrong = mistakes(y_true, y_pred)
    hits = np.logical_and(y_true, y_pred).sum(axis=1)
    return (
        [i for i, count in enumerate(wrong, 1) if not count] == [2]
        and max(wrong) < 4
        and hits[2] == 1
    )


@claim(
    "One comparison per sample is all there is to do.",
    "One row of three: the exact match ratio, also called subset accuracy, is 1/3 ≈ 0.333.",
)
def _(right, exact_match_ratio, y_true, y_pred):
    named = catalogue.of(subset_accuracy).name == "subset accuracy"
    exact = exact_match_ratio == rows_right(y_true, y_pred) == Fraction(1, 3)
    return named and exact and len(right) == len(y_true) == 3 and right.count(True) == 1


@claim(
    "A helper can write such a calculation on the board for us: worked.solve does it for every metric of this course, in exact fractions unless the metric takes logarithms, on data that are small enough to do by hand."
)
def _():
    large = np.zeros((1, worked.LARGEST + 1), dtype=int)
    with pytest.raises(ValueError, match="that a person can follow"):
        worked.solve(subset_accuracy, large, large)
    return all(is_solved_in_fractions(record) for record in catalogue.METRICS)


@claim(
    "The square bracket is 1 when what stands in it is true, and 0 when it is not.",
    "There is no partial credit anywhere.",
    "With per_sample=True the helper gives the value of each row.",
)
def _():
    def all_or_nothing(y_true, y_pred):
        values = subset_accuracy(y_true, y_pred, per_sample=True).tolist()
        return values == [1.0 if not wrong else 0.0 for wrong in mistakes(y_true, y_pred)]

    return always(all_or_nothing)


@claim(
    "The zero-one loss counts the other samples, and lower is better:",
    "Exact match is the share of samples that are right on every label; zero-one loss is the rest, the samples with at least one mistake.",
)
def _():
    def shares(y_true, y_pred):
        wrong = mistakes(y_true, y_pred)
        share = Fraction(sum(count >= 1 for count in wrong), len(wrong))
        exact, loss = subset_accuracy(y_true, y_pred), zero_one_loss(y_true, y_pred)
        return near(loss, share) and near(exact, Fraction(wrong.count(0), len(wrong)))

    return always(shares) and zero_one_loss(Y, Y) < zero_one_loss(Y, Z)


on_trust(
    "The document “sklearn中多标签分类场景下的常见的模型评估指标” explains zero-one loss as the share of samples that are predicted completely wrong.",
    "its paragraph on 0-1损失",
)


@claim(
    "No sample is completely wrong, and yet the loss is not zero: two samples are not exactly right."
)
def _(y_true, y_pred, wrong_labels):
    wrong = mistakes(y_true, y_pred)
    two = sum(count > 0 for count in wrong) == 2
    return wrong_labels == wrong and max(wrong) < 4 and two and zero_one_loss(y_true, y_pred) > 0


@claim("The document's formula and its number say so too; only its sentence is wrong.")
def _():
    value = PRINTED["0.66666"]
    return value.metric == "exact_match.zero_one_loss" and value.value == 1 - rows_right(Y, Z)


@claim(
    "For exact match and zero-one loss it prints 0.33333333 and 0.66666; the second is cut off, not rounded."
)
def _():
    first, second = PRINTED["0.33333333"], PRINTED["0.66666"]
    named = first.metric.endswith("subset_accuracy") and second.metric.endswith("zero_one_loss")
    cut, rounded = floor(second.value * 10**5) / 10**5, round(float(second.value), 5)
    return named and round(float(first.value), 8) == 0.33333333 and cut == 0.66666 != rounded


@claim(
    "It also asks scikit-learn for the exact match of a model that predicts both labels for two samples, whose true labels are {2} and {1, 2}, and prints 0.5."
)
def _():
    data = GUIDE.examples["all ones"]
    (value,) = (value for value in GUIDE.published if value.data == "all ones")
    sets = [{label for label, has_it in enumerate(row, 1) if has_it} for row in data.y_true]
    named = (value.metric, value.printed) == ("exact_match.subset_accuracy", "0.5")
    score = accuracy_score(data.y_true, data.y_pred)
    return named and data.y_pred == [[1, 1]] * 2 and sets == [{2}, {1, 2}] and score == 0.5


on_trust(
    "In scikit-learn issue #13421 a user takes the number for a bug.",
    "https://github.com/scikit-learn/scikit-learn/issues/13421",
)
on_trust(
    "In issue #16832 another wonders about a classifier's “mean accuracy”.",
    "https://github.com/scikit-learn/scikit-learn/issues/16832",
)
on_trust(
    "Issue #11743 asks which of scikit-learn's scores and losses add up to 1.",
    "https://github.com/scikit-learn/scikit-learn/issues/11743",
)


@claim(
    "Here is the pattern of that question, in zeros and ones: three samples, three answers each, one of them wrong.",
    "The user expected 6/9 ≈ 0.667 and got 0.",
    "Neither is a mistake: the two numbers answer two questions.",
    "The other question belongs to 03_hamming_loss.",
)
def _(three_true, three_pred):
    pattern = np.shape(three_true) == (3, 3) and mistakes(three_true, three_pred) == [1, 1, 1]
    rows, cells = rows_right(three_true, three_pred), cells_right(three_true, three_pred)
    other = near(1 - hamming_loss(three_true, three_pred), cells)
    return pattern and other and rows == 0 and cells == Fraction(6, 9)


@claim(
    "Jaccard is the second accuracy of 00, the overlap of the two sets; Hamming loss is the share of wrong cells."
)
def _(jaccard, y_true, y_pred):
    def wrong_cells(y_true, y_pred):
        return near(hamming_loss(y_true, y_pred), 1 - cells_right(y_true, y_pred))

    return near(jaccard, overlap(y_true, y_pred)) and always(wrong_cells)


@claim("Only exact match and zero-one loss add up to 1.")
def _(sums, y_true, y_pred):
    ones = [[near(total, 1) for total in totals] for _, *totals in sums]
    first = rows_right(y_true, y_pred) + Fraction(sum(c > 0 for c in mistakes(y_true, y_pred)), 3)
    return (
        [name for name, *_ in sums] == ["exact match", "Jaccard"]
        and first == 1
        and ones == [[True, False], [False, False]]
    )


def scikit_learn_numbers(y_true, y_pred):
    """Every number that a metric function of scikit-learn makes of label matrices, with its name."""
    for name, function in inspect.getmembers(sklearn.metrics, inspect.isfunction):
        for options in ({}, {"average": "samples"}, {"average": "macro"}, {"average": "micro"}):
            with contextlib.suppress(TypeError, ValueError, Warning):
                value = function(y_true, y_pred, **options)
                if isinstance(value, float):
                    yield name, value


@claim(
    "Jaccard and Hamming loss have a partner each, 1 minus itself, but scikit-learn's classification metrics hold neither."
)
def _():
    data = np.random.default_rng(0).integers(2, size=(2, 30, 4))  # too many cells for chance
    numbers = list(scikit_learn_numbers(*data))
    both = {"jaccard_score": overlap(*data), "hamming_loss": 1 - cells_right(*data)}
    held = all(any(n == name and near(v, both[name]) for n, v in numbers) for name in both)
    partners = [(n, v) for n, v in numbers if any(near(v, 1 - one) for one in both.values())]
    return held and not partners


@claim("The smallest case has one sample and two labels.")
def _():
    def almost(y_true, y_pred):
        return subset_accuracy(y_true, y_pred) == 0 < mistakes(y_true, y_pred)[0] < y_true.size

    return sometimes(almost, [(1, 2)]) and not sometimes(almost, [(1, 1)])


@claim(
    "Now one sample with ten labels: one model is right nine times, the other is wrong ten times.",
    "Both rows are worth 0.",
    "Almost right and all wrong are both worth nothing to it.",
)
def _(same_truth, almost, opposite):
    truth, models = [same_truth] * 2, [almost, opposite]
    values = subset_accuracy(truth, models, per_sample=True).tolist()
    return len(same_truth) == 10 and mistakes(truth, models) == [1, 10] and values == [0, 0]


@claim("While you improve a model, its exact match can stand still for a long time, and then jump.")
def _(same_truth, opposite):
    better = [same_truth[:mended] + opposite[mended:] for mended in range(11)]
    return [subset_accuracy([same_truth], [row]) for row in better] == [0] * 10 + [1]


@claim(
    "So exact match and the share of wrong cells, the Hamming loss of 03_hamming_loss, can prefer different predictions.",
    "The first prediction gets one row right and every cell of the other wrong; the second makes one small mistake in each row.",
)
def _(found):
    first, second = (mistakes(found.y_true, other) for other in (found.first, found.second))
    exact = [rows_right(found.y_true, other) for other in (found.first, found.second)]
    wrong = [1 - cells_right(found.y_true, other) for other in (found.first, found.second)]
    return first == [0, 3] and second == [1, 1] and exact[0] > exact[1] and wrong[0] > wrong[1]


@claim("Nothing smaller exists.")
def _(found):
    """One row, one column and 2×2 are all the shapes below its 2×3 cells."""
    smaller = [(1, 5), (5, 1), (2, 2)]
    searched = [
        disagreement.smallest_disagreement(
            subset_accuracy, hamming_loss, max_samples=n_samples, max_labels=n_labels
        )
        for n_samples, n_labels in smaller
    ]
    return np.shape(found.y_true) == (2, 3) and not any(searched)


@claim(
    "Number the samples with as many digits as there are labels; label $k$ is wrong where digit $k$ is a 0.",
    "The truth is that no label applies, so every wrong cell is a false alarm.",
)
def _(numbers, n_labels, nothing_true, alarm_at_zero):
    digits = (
        all(len(number) == n_labels for number in numbers) and len(set(numbers)) == 10**n_labels
    )
    wrong = np.not_equal(nothing_true, alarm_at_zero)
    return digits and not np.any(nothing_true) and (wrong == (np.array(numbers) == 0)).all()


@claim("With two labels the samples are 00 to 99, and number 40 is wrong on its second label.")
def _(product):
    numbers = list(product(range(10), repeat=2))
    wrong = [digit == 0 for digit in numbers[40]]
    ends = numbers[0] == (0, 0) and numbers[-1] == (9, 9)
    return ends and len(numbers) == 100 and wrong == [False, True]


@claim(
    "Each new label keeps 9/10 of what was left: 9/10, then 81/100, then 729/1000.",
    "In general, with $L$ labels:",
)
def _(rows):
    values = [exact for _, exact, _ in rows]
    powers = [Fraction(9, 10) ** n_labels for n_labels, *_ in rows]
    said = [Fraction(9, 10), Fraction(81, 100), Fraction(729, 1000)]
    return values == powers and values[:3] == said


@claim(
    "With seven labels fewer than half of the samples are right on all labels, with twenty about an eighth, with fifty almost none.",
    "Compare the exact match of data sets only where their numbers of labels agree.",
    "Guess, before you run on: with how many labels does it fall below one half?",
)
def _():
    seven, twenty, fifty = (0.9**n for n in (7, 20, 50))
    return seven < 0.5 <= 0.9**6 and abs(twenty - 1 / 8) < 0.005 and 0 < fifty < 0.01


@claim(
    "Yet the model is as good as ever: 9/10 on each label.",
    "Take a model that is right on 9/10 of the samples for every label, with mistakes that are independent of each other.",
)
def _(nothing_true, alarm_at_zero):
    return np.allclose(np.equal(nothing_true, alarm_at_zero).mean(axis=0), 0.9)


@claim(
    "If they all fall on the same samples, nothing more is lost:",
    "Twenty labels, each right on 9/10 of the samples, and the exact match is 0.9 as well.",
)
def _(one_bad_sample):
    each = np.equal(one_bad_sample, 0).mean(axis=0)
    exact = rows_right(np.zeros_like(one_bad_sample), one_bad_sample)
    return len(each) == 20 and np.allclose(each, 0.9) and exact == Fraction(9, 10)


TOGETHER, APART = [[1, 1], [0, 0]], [[1, 0], [0, 1]]  # of no true label, each wrong once per label


@claim(
    "Mistakes need not be independent.",
    "So exact match also measures whether mistakes come together.",
    "With more labels it falls, even if the model is as good on each, unless its mistakes come together.",
)
def _():
    truth = np.zeros((2, 2), dtype=int)
    one_label = subset_accuracy(truth[:, :1], truth[:, :1] ^ [[1], [0]])
    each = [np.mean(wrong, axis=0).tolist() for wrong in (TOGETHER, APART)]
    together, apart = subset_accuracy(truth, TOGETHER), subset_accuracy(truth, APART)
    alike = each == [[0.5, 0.5]] * 2
    return alike and together == one_label > apart and always(falls_or_stays, [(2, 2), (1, 3)])


@claim("Some metrics stumble over a sample without labels, because they divide 0 by 0.")
def _():
    empty = [[0, 0]]
    values = {example_based.f1(empty, empty, zero_division=worth) for worth in (0.0, 1.0)}
    return len(values) == 2


@claim(
    "To exact match, two empty sets are simply equal.",
    "Exact match always has a value, so the helper needs no rule for 0/0.",
)
def _():
    def has_a_value(y_true, y_pred):
        return 0 <= subset_accuracy(y_true, y_pred) <= 1

    no_rule = "zero_division" not in catalogue.of(subset_accuracy).options
    return no_rule and always(has_a_value) and subset_accuracy([[0, 0]], [[0, 0]]) == 1


@claim(
    "The F1 of the next notebook, left at its default, gives the same perfect prediction one half."
)
def _(perfect):
    return example_based.f1(perfect, perfect) == 0.5 and "example_based.f1" in story(
        "02_example_based"
    )


def story(file):
    return "\n".join(section.code for section in places.sections(file))


@claim("Next: 02_example_based gives credit for the part that is right.")
def _():
    return example_based.accuracy([[1, 1]], [[1, 0]]) > subset_accuracy([[1, 1]], [[1, 0]])
