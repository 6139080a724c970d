"""What notebook 02 says, beside what makes it true."""

import warnings
from fractions import Fraction
from functools import partial
from math import isclose, isnan, nan

import numpy as np
import places
import sklearn.metrics as skm

from claims import always, claim, on_trust
from claims._sets import (
    always_same,
    each,
    grey,
    is_solved_in_fractions,
    over,
    ratio,
    rows,
    same,
    sizes,
    turned,
)
from mlm_helpers import catalogue, exact_match
from mlm_helpers.conventions import LABEL_WISE, TOOLS
from mlm_helpers.course.documents import PARTIAL_CREDIT as NOTE
from mlm_helpers.course.documents import SKLEARN_GUIDE as GUIDE
from mlm_helpers.disagreement import smallest_disagreement
from mlm_helpers.example_based import accuracy, f1, fbeta, precision, recall
from mlm_helpers.hamming import hamming_loss
from mlm_helpers.label_based import confusion

FOUR = (accuracy, precision, recall, f1)
THEIRS = (skm.jaccard_score, skm.precision_score, skm.recall_score, skm.f1_score)
F_HALF, F1, F2 = (partial(fbeta, beta=beta) for beta in (0.5, 1, 2))


def harmonic(a, b):
    return 2 * a * b / (a + b) if a + b else 0


def rounded(*values, digits=3):
    return [round(float(value), digits) for value in values]


# --- the question, the data


@claim(
    "After this notebook you can compute accuracy, precision, recall, F1 and Fβ of every sample by"
    " hand, average them, and say what happens to a sample that has no labels at all."
)
def _(text):
    family = {r.name for r in catalogue.METRICS if r.id.startswith("example_based")}
    taught = {"accuracy (Jaccard)", "precision", "recall", "F1", "Fβ"}
    return family == taught and r"\text{Fβ} =" in text and "nothing over nothing" in text


@claim("You need: the idea of a label matrix from 00_start_here.")
def _():
    sections = places.sections("00_start_here")
    return any("**label matrix**" in p.text for s in sections for p in s.passages)


@claim("This family says: give each sample the share it got right, then average over the samples.")
def _():
    means = [lambda *data, m=m: each(m, *data).mean() for m in FOUR]
    return all(always_same(metric, mean) for metric, mean in zip(FOUR, means, strict=True))


@claim("Two labels are right and one is missing.", "Exact match says wrong, and gives it nothing.")
def _():
    return exact_match.subset_accuracy([[1, 1, 1]], [[1, 1, 0]]) == 0


@claim("Our data come from the note “多標籤分類的評估指標筆記”: three samples, four labels.")
def _(y_true, y_pred):
    theirs = (y_true, y_pred) == (NOTE.y_true, NOTE.y_pred) and NOTE.title[:2] == "多標"
    return theirs and np.shape(y_true) == np.shape(y_pred) == (3, 4)


@claim("In the first sample one label is a hit and two are misses.")
def _(y_true, y_pred):
    hits, true, said, _ = sizes(y_true, y_pred)[:, 0]
    return (hits, true - hits, said - hits) == (1, 2, 0)


@claim(
    "Some divide by the labels that are true, some by the labels that were predicted, some by all"
    " labels that are one or the other.",
    "All three are sensible, and they are three different metrics: recall, precision and accuracy.",
    "The numerator, the hits, is the same in all of them.",
    "Keep the hits and change what you divide by.",
    "Precision divides by what was predicted: how much of what the model said is true?",
    "Recall divides by what is true: how much of the truth did the model say?",
)
def _(y_true, y_pred):
    return (
        always_same(rows(recall), ratio(lambda hits, true, said, union: (hits, true)))
        and always_same(rows(precision), ratio(lambda hits, true, said, union: (hits, said)))
        and always_same(rows(accuracy), ratio(lambda hits, true, said, union: (hits, union)))
        and len({metric(y_true, y_pred) for metric in (recall, precision, accuracy)}) == 3
    )


@claim(
    "The mean of these three fractions is the document's accuracy:",
    "So the accuracy is 4/9 ≈ 0.444.",
    "The document prints the same, beside three results that we shall come to:",
)
def _(y_true, y_pred, shares):
    printed = {v.of: float(v.printed) for v in NOTE.published}
    return (
        len(shares) == 3 == len(printed) - 1
        and same(list(map(float, shares)), each(accuracy, y_true, y_pred))
        and isclose(printed["accuracy"], sum(shares) / 3)
        and sum(shares) / 3 == Fraction(4, 9)
    )


# --- the formula


@claim(
    "Write $Y_i$ for the true labels of sample $i$, $Z_i$ for the predicted ones, $n$ for the number"
    " of samples, and bars for the number of labels in a set."
)
def _(text):
    """As the formulas have it, which are evaluated elsewhere."""
    over_true, over_said = (r"\frac{|Y_i \cap Z_i|}{|" + sign + "_i|}" for sign in "YZ")
    given = (
        rf"\text{{precision}} = \frac{{1}}{{n}} \sum_i {over_said}",
        rf"\text{{recall}} = \frac{{1}}{{n}} \sum_i {over_true}",
    )
    return all(formula in text for formula in given)


@claim(
    "The fraction inside the sum is the Jaccard index of two sets, and that is the name"
    " scikit-learn gives it."
)
def _(y_true, y_pred):
    theirs = [skm.jaccard_score(t, p) for t, p in zip(y_true, y_pred, strict=True)]
    return same(theirs, each(accuracy, y_true, y_pred))


@claim(
    "In counts it reads TP / (TP + FP + FN): hits over hits, false alarms and misses.",
    "For each sample: how many labels do the two sets share (the intersection, &), and how many do"
    " they hold together (the union, |)?",
)
def _():
    of_counts = ratio(lambda hits, true, said, _: (hits, hits + (said - hits) + (true - hits)))
    return always_same(rows(accuracy), of_counts)


@claim(
    "The letters stand for true positives, false positives and false negatives; later you will also"
    " meet TN, the true negatives that are rightly left out."
)
def _(y_true, y_pred):
    t, p = np.array(y_true, bool), np.array(y_pred, bool)
    found = confusion(y_true, y_pred)
    counted = {"tp": t & p, "fp": ~t & p, "fn": t & ~p, "tn": ~t & ~p}
    return all(same(getattr(found, name), cells.sum(0)) for name, cells in counted.items())


@claim(
    "TN does not appear here, nor anywhere in this family: a sample gets no credit for the hundred"
    " labels that nobody mentioned."
)
def _():
    def wider(metric):
        return lambda *data: metric(*(np.pad(cells, ((0, 0), (0, 100))) for cells in data))

    return all(always_same(metric, wider(metric)) for metric in (*FOUR, F2))


@claim(
    "From now on a helper can write the calculation on the board for us. worked.solve does it for"
    " every metric of this course, in exact fractions unless the metric takes logarithms, on any data that"
    " you could do by hand."
)
def _():
    return all(is_solved_in_fractions(record) for record in catalogue.METRICS)


# --- precision, recall, F1


@claim(
    "The misses have turned grey: precision does not see them.",
    "Count the coloured cells of each row.",
)
def _(printed):
    blind = always_same(precision, lambda y_true, y_pred: precision(y_true & y_pred, y_pred))
    framed = "per sample" in printed  # a frame around each row
    return framed and blind and "miss" in grey("precision") and "miss" not in grey("accuracy")


@claim(
    "The first sample shows why one needs both: all that is predicted for it is true, so its"
    " precision is 1, but only 1/3 of its truth is found."
)
def _(truth, predicted):
    found = Fraction(len(truth[0] & predicted[0]), len(truth[0]))
    return predicted[0] <= truth[0] and found == Fraction(1, 3)


@claim(
    "F1 of a sample is twice the hits over the sizes of both sets added up.",
    "It is the harmonic mean of that sample's precision and recall (twice their product over their"
    " sum): it lies nearer to the smaller of the two, and is 0 as soon as one of them is.",
    "That is true of each sample.",
)
def _():
    def says(y_true, y_pred):
        p, r, f = (each(metric, y_true, y_pred) for metric in (precision, recall, f1))
        low, high = np.minimum(p, r), np.maximum(p, r)
        nearer = (f - low < high - f) | (low == high)
        return same(f, list(map(harmonic, p, r))) and all(nearer) and not any(f[low == 0])

    twice = always_same(rows(f1), ratio(lambda hits, true, said, _: (2 * hits, true + said)))
    return twice and always(says)


@claim("The helper and scikit-learn agree on all three:")
def _(y_true, y_pred, ours, theirs):
    three = (ours, theirs) == (FOUR[1:], THEIRS[1:])
    return three and all(
        isclose(our(y_true, y_pred), their(y_true, y_pred, average="samples"))
        for our, their in zip(ours, theirs, strict=True)
    )


on_trust("The document calls F1 the harmonic mean of precision and recall.", NOTE.title)


@claim(
    "Predict: will the harmonic mean of the two averages be 0.6 as well?",
    "It will not: a mean of ratios need not be the ratio of the means.",
    "The document prints 0.6, the mean of the F1s; the harmonic mean of its two averages is 0.662.",
    "Here the averaged F1 is even below both averages, 0.722 and 0.611, where no harmonic mean of"
    " the two can be.",
    'When you report “F1”, say which one; scikit-learn\'s average="samples" is the mean of the F1s.',
)
def _(y_true, y_pred):
    p, r, f = (each(metric, y_true, y_pred).mean() for metric in FOUR[1:])
    (printed,) = (v.printed for v in NOTE.published if v.of == "F1")
    theirs = skm.f1_score(y_true, y_pred, average="samples")
    return same(f, theirs, float(printed)) and rounded(p, r, harmonic(p, r)) == [
        0.722,
        0.611,
        0.662,
    ]


# --- Fβ


@claim("F1 does not know which mistake is which.")
def _():
    return always_same(f1, turned(f1)) and not always_same(F2, turned(F2))


@claim(
    "Fβ does: β says how many times as much recall counts as precision.",
    "F2 counts it twice as much, F½ half as much, and with β = 1 it is F1.",
)
def _():
    def of_two(p, r, beta):
        return (1 + beta**2) * p * r / (beta**2 * p + r)

    def moved_alike(beta):
        """Van Rijsbergen's meaning: where recall is β times precision, both move Fβ alike."""
        p, r, step = 0.2, 0.2 * beta, 1e-6
        moved = of_two(p + step, r, beta), of_two(p, r + step, beta)
        return isclose(*(value - of_two(p, r, beta) for value in moved), rel_tol=1e-3)

    value = fbeta([[1, 1, 1, 0]], [[1, 0, 0, 1]], beta=2)
    ours = isclose(value, of_two(1 / 2, 1 / 3, beta=2))
    return ours and all(map(moved_alike, (0.5, 1, 2, 3))) and always_same(f1, F1)


@claim(
    "The square makes a miss weigh β² times as much as a false alarm: four times in F2, a quarter"
    " in F½."
)
def _():
    def with_a_hit(metric, misses, alarms):
        truth = [1] + [1] * misses + [0] * alarms
        return metric([truth], [[1] + [0] * misses + [1] * alarms])

    two = with_a_hit(F2, misses=1, alarms=0) == with_a_hit(F2, misses=0, alarms=4)
    half = with_a_hit(F_HALF, misses=4, alarms=0) == with_a_hit(F_HALF, misses=0, alarms=1)
    return two and half


@claim(
    "The first prediction is cautious: no false alarm, two misses.",
    "The third is bold: no miss, one false alarm.",
    "F½ finds both worth 5/7.",
    "F2 gives the cautious one 5/13 and the bold one 10/11.",
    "In the second sample precision equals recall, and β changes nothing.",
)
def _(y_true, y_pred):
    hits, true, said, _ = sizes(y_true, y_pred)
    half, two, nine = (each(fbeta, y_true, y_pred, beta=beta) for beta in (0.5, 2, 9))
    return (
        [*(said - hits)[[0, 2]], *(true - hits)[[0, 2]]] == [0, 1, 2, 0]
        and same(half[[0, 2]], 5 / 7)
        and same(two[[0, 2]], [5 / 13, 10 / 11])
        and true[1] == said[1]
        and same(half[1], two[1], nine[1])
    )


@claim(
    "Imagine a doctor's list of findings, where a miss may cost a life and a false alarm a second"
    " look.",
    "Imagine also the tags under a photo, where a false alarm offends and nobody notices a miss.",
    "The doctor needs a β above 1, and the photo a β below 1.",
)
def _():
    truth, both_mistakes = [[1, 1, 0]], [[1, 0, 1]]
    without_miss, without_alarm = [[1, 1, 1]], [[1, 0, 0]]
    doctor, photo = ([f(truth, p) for p in (without_miss, without_alarm)] for f in (F2, F_HALF))
    better = min(*doctor, *photo) > max(F2(truth, both_mistakes), F_HALF(truth, both_mistakes))
    return better and doctor[0] > doctor[1] and photo[0] < photo[1]


@claim("With β = 0 it is precision; for ever larger β it comes as near to recall as you like.")
def _():
    zero, large = rows(fbeta, beta=0), rows(fbeta, beta=1e9)
    return always_same(zero, rows(precision)) and always_same(large, rows(recall))


# --- the second document


@claim("“sklearn中多标签分类场景下的常见的模型评估指标” has other data and the same four metrics.")
def _(guide, y_true, y_pred):
    other = guide is GUIDE and guide.y_true != y_true and guide.y_pred != y_pred
    return other and all(
        {f"example_based.{m.__name__}" for m in FOUR} <= {v.metric for v in document.published}
        for document in (NOTE, guide)
    )


@claim(
    "So precision is ⅓(½+2/2+½) = 2/3, recall ⅓(½+2/2+⅓) = 11/18, F1 ⅔(¼+½+⅕) = 19/30 (each 2 is"
    " taken out in front) and accuracy ⅓(⅓+2/2+¼) = 19/36."
)
def _(guide):
    def printed(metric, value, text):
        name = f"example_based.{metric.__name__}"
        at_work = isclose(metric(guide.y_true, guide.y_pred), Fraction(value))
        return at_work and text in {v.printed for v in guide.published if v.metric == name}

    return (
        printed(precision, "2/3", "⅓(½+2/2+½)")
        and printed(recall, "11/18", "⅓(½+2/2+⅓)")
        and printed(f1, "19/30", "⅔(¼+½+⅕)")
        and printed(accuracy, "19/36", "⅓(⅓+2/2+¼)")
        and same(each(f1, guide.y_true, guide.y_pred), [2 / 4, 2 / 2, 2 / 5])
    )


@claim(
    "The document calls this accuracy Hamming score; elsewhere that word means something else, as"
    " 03_hamming_loss shows."
)
def _(guide):
    here = {v.metric for v in guide.published if v.of.startswith("Hamming score")}
    elsewhere = TOOLS["MEKA"].metrics[LABEL_WISE].call
    return here == {"example_based.accuracy"} and elsewhere == "Hamming score"


@claim("It cuts some numbers off and rounds others; 19/36 it prints both ways, 0.5278 and 0.5277.")
def _(guide):
    decimals = [
        (v.printed, v.value, len(v.printed) - 2) for v in guide.published if v.printed[:2] == "0."
    ]
    is_rounded = {
        text for text, value, digits in decimals if round(value, digits) == Fraction(text)
    }
    is_cut = {t for t, value, digits in decimals if value * 10**digits // 1 == int(t[2:])}
    return (
        {text for text, value, _ in decimals if value == Fraction(19, 36)} == {"0.5278", "0.5277"}
        and "0.5278" in is_rounded - is_cut
        and {"0.5277", "0.6666"} <= is_cut - is_rounded
    )


on_trust("It describes recall as “the average precision of all samples”.", f"{GUIDE.title}, 召回率")


@claim("The numbers beside it are recall's.")
def _(guide):
    (value,) = {v.value for v in guide.published if v.of.startswith("recall")}
    data = guide.y_true, guide.y_pred
    return isclose(value, recall(*data)) and not isclose(value, precision(*data))


on_trust(
    "The name is misspelt, and the function that was meant left scikit-learn in version 0.23.",
    "the release notes of scikit-learn 0.23; the cell above says what is there today",
)


@claim(
    "It names a function jaccrd_similarity_score.",
    'Today jaccard_score with average="samples" gives the number.',
)
def _(guide):
    return not hasattr(skm, "jaccrd_similarity_score") and isclose(
        skm.jaccard_score(guide.y_true, guide.y_pred, average="samples"), 19 / 36
    )


on_trust(
    "Its Hamming score accepts sample weights and a normalize switch, and reads neither.",
    f"{GUIDE.title}, Hamming Score",
)


@claim("With all the weight on the first sample, 0.5278 should become 0.3333.")
def _(guide):
    weighted = (accuracy(guide.y_true, guide.y_pred, sample_weight=w) for w in (None, [1, 0, 0]))
    return rounded(*weighted, digits=4) == [0.5278, 0.3333]


# --- nothing over nothing

EMPTY, ONE = [[0, 0, 0]], [[1, 0, 0]]


@claim(
    "Say a sample has no label at all, and the model rightly predicts none.",
    "A perfect model scores 0.5 under the first rule, which is the default of scikit-learn and ours.",
)
def _(perfect_truth):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scikit-learn warns of the 0/0
        theirs = skm.f1_score(perfect_truth, perfect_truth, average="samples")
    ours = f1(perfect_truth, perfect_truth), f1(perfect_truth, perfect_truth, zero_division=0.0)
    return not any(perfect_truth[1]) and same(0.5, theirs, *ours)


@claim(
    "0.0: a sample with 0/0 is worth 0.",
    "1.0: it is worth 1.",
    "Careful: then predicting nothing has precision 1.",
    "nan (“not a number”): it is left out of the mean.",
    '"agree": it is worth 1 if truth and prediction are both empty, otherwise 0.',
)
def _(perfect_truth):
    def of_empty(rule, *metrics):
        return [each(m, perfect_truth, perfect_truth, zero_division=rule)[1] for m in metrics]

    unlike = (precision(ONE, EMPTY, zero_division=rule) for rule in (1.0, "agree"))
    return (
        [of_empty(rule, *FOUR) for rule in (0.0, 1.0, "agree")] == [[0] * 4, [1] * 4, [1] * 4]
        and tuple(unlike) == (1, 0)
        and f1([*ONE, *EMPTY], [[1, 1, 0], *EMPTY], zero_division=nan) == f1(ONE, [[1, 1, 0]])
    )


@claim(
    "Precision, recall and F1 of both add nothing for it and still divide by all samples: our rule"
    " 0.0.",
    "The accuracy of the first divides 0 by 0, and the whole mean becomes nan.",
    'The Hamming score of the second adds 1: our rule "agree".',
    "Three rules for one case give the same prediction three values.",
)
def _(perfect_truth):
    data = perfect_truth, perfect_truth
    hits, _, _, union = sizes(*data)
    with np.errstate(invalid="ignore"):
        becomes_nan = isnan(np.mean(hits / union))
    zero = same((1 + 0) / 2, *(metric(*data, zero_division=0.0) for metric in FOUR[1:]))
    return becomes_nan and zero and accuracy(*data, zero_division="agree") == (1 + 1) / 2


# --- opposite things


@claim("Precision and recall can want opposite things.")
def _():
    return smallest_disagreement(precision, recall) is not None


@claim(
    "So can accuracy and F1, but never on one sample: whatever raises one raises the other, since"
    " there",
    "Here is the smallest case there is, with two samples:",
)
def _(found):
    def smaller(n_samples, n_labels):
        return smallest_disagreement(accuracy, f1, max_samples=n_samples, max_labels=n_labels)

    jaccards = sorted(
        {Fraction(part, whole) for whole in range(1, 30) for part in range(whole + 1)}
    )
    f1s = [2 * j / (1 + j) for j in jaccards]
    none = not any(smaller(*shape) for shape in ((1, 6), (2, 2), (5, 1)))
    return f1s == sorted(set(f1s)) and none and np.shape(found.y_true) == (2, 3)


@claim(
    "A sample's F1 is never below its accuracy, and it is above it where the sample is partly right."
)
def _():
    def says(y_true, y_pred):
        j, f = each(accuracy, y_true, y_pred), each(f1, y_true, y_pred)
        return all(f >= j) and all((f > j) == ((j > 0) & (j < 1)))

    return always(says)


@claim(
    "So here F1 prefers two partly right samples, and accuracy one that is perfect and one that is"
    " lost."
)
def _(found):
    lost, partly = (each(accuracy, found.y_true, p) for p in (found.first, found.second))
    kinder = f1(found.y_true, found.second) > f1(found.y_true, found.first)
    whole = sorted(lost) == [0, 1] and lost.mean() > partly.mean()
    return kinder and whole and 0 < min(partly) <= max(partly) < 1


# --- to remember


@claim(
    "One value per sample, then the mean; the numerator is always the hits.",
    "Accuracy divides by the union, precision by what was predicted, recall by what is true; F1 is"
    " each sample's own balance of the two, and β tips it: above 1 towards recall, below 1 towards"
    " precision.",
)
def _():
    def says(y_true, y_pred):
        hits, true, said, union = sizes(y_true, y_pred)
        wholes = (union, said, true, (true + said) / 2)
        p, r = (each(metric, y_true, y_pred) for metric in (precision, recall))
        half, one, two = (each(metric, y_true, y_pred) for metric in (F_HALF, f1, F2))
        return (
            same([m(y_true, y_pred) for m in FOUR], [over(hits, w).mean() for w in wholes])
            and all(abs(two - r) <= abs(one - r))
            and all(abs(half - p) <= abs(one - p))
        )

    return always(says)


@claim("A perfect model can score one half.")
def _(perfect_truth):
    return f1(perfect_truth, perfect_truth) == 1 / 2


@claim("Next: 03_hamming_loss counts every cell alike, the empty ones too.")
def _(y_true, y_pred):
    def moved(*cell):
        changed = np.array(y_pred)
        changed[cell] ^= 1
        return abs(hamming_loss(y_true, changed) - hamming_loss(y_true, y_pred))

    return same([moved(*cell) for cell in np.ndindex(3, 4)], 1 / 12)
