"""What the ladders of notebooks 00 to 03 say, beside what makes it true."""

from itertools import combinations

import numpy as np
from sklearn.metrics import accuracy_score
from sklearn.preprocessing import MultiLabelBinarizer

from claims import claim
from claims._sets import each, same, sizes
from mlm_helpers.board import Table
from mlm_helpers.course import practice
from mlm_helpers.exact_match import subset_accuracy, zero_one_loss
from mlm_helpers.example_based import accuracy, f1, fbeta, precision, recall
from mlm_helpers.hamming import hamming_loss

# --- in several


@claim("A wrong answer is told what it is.")
def _(asked):
    """Of every number that another metric or a usual slip makes of the sheet."""
    data = np.array(asked.y_true), np.array(asked.y_pred)
    usual = [one for one in asked._confusions if one.is_usual]
    told = [asked.check(number) for one in usual for _, number in one.numbers(*data)]
    unknown = [one for one in told if one.right is not False or "no usual slip" in one.says]
    return len(told) > 3 and not unknown and asked.check(asked.solution().value).right


@claim("The judge calls your function with arrays, on all small data.")
def _():
    given = []

    def noted(y_true, y_pred):
        given.append((type(y_true), type(y_pred)))
        return f1(y_true, y_pred)

    verdict = practice.judge(f1, noted)
    all_of_them = f"all {len(given):,} small data" in verdict.says
    return bool(verdict.right) and all_of_them and set(given) == {(np.ndarray, np.ndarray)}


# --- 00


@claim(
    "Four ✓, two ✗, three ○ and three dots.",
    "Only the third accuracy follows: ✓ and dots are right, together seven of twelve.",
    "For the other two you must know the rows.",
)
def _(y_true, y_pred):
    def counted(y_true, y_pred):
        pairs = list(zip(np.ravel(y_true), np.ravel(y_pred), strict=True))
        return [pairs.count(pair) for pair in ((1, 1), (0, 1), (1, 0), (0, 0))]

    hits, _, _, left_out = counted(y_true, y_pred)
    spread = np.array([[1, 1], [0, 0]]), np.array([[1, 0], [1, 0]])  # a sign in each cell
    turned = [np.ravel(m)[[0, 3, 1, 2]].reshape(2, 2) for m in spread]  # and in other rows
    alike = [
        [counted(*data), *(m(*data) for m in (subset_accuracy, accuracy, hamming_loss))]
        for data in (spread, turned)
    ]
    differ = [one != other for one, other in zip(*alike, strict=True)]
    follows = same(1 - hamming_loss(y_true, y_pred), (hits + left_out) / 12, 7 / 12)
    return (
        counted(y_true, y_pred) == [4, 2, 3, 3] and follows and differ == [False, True, True, False]
    )


@claim("An answer that is one of the other two is told what it is.")
def _(asked):
    data = asked.y_true, asked.y_pred
    exact, cells = asked.check(subset_accuracy(*data)), asked.check(1 - hamming_loss(*data))
    named = "subset accuracy" in exact.says and "rightly left out counts as a hit" in cells.says
    return named and exact.right is cells.right is False


@claim("If you are stuck, asked.hint() counts for you, and asked.solution() shows every step.")
def _(asked):
    (counts,) = (step for step in asked.hint().steps if isinstance(step, Table))
    value = float(asked.solution().value)
    return (
        "✓ hits" in counts.header
        and len(counts.rows) == 3
        and same(value, accuracy(asked.y_true, asked.y_pred))
    )


@claim("The sea was taken for a dog, and yet this script finds every photo right.")
def _(sea_and_sun, dog_and_sun, printed):
    taken = sea_and_sun[0] == ["sea"] and dog_and_sun[0] == ["dog"]
    return taken and sea_and_sun[1] == dog_and_sun[1] and "accuracy: 1.0" in printed


@claim(
    "It fits two binarizers.",
    "In the truth the first column is the sea, in the prediction the dog, and the two matrices are"
    " equal.",
    "With one binarizer for both, one photo of two is right.",
)
def _(sea_and_sun, dog_and_sun, true, said, code):
    fitted = [MultiLabelBinarizer().fit(tags) for tags in (sea_and_sun, dog_and_sun)]
    firsts = [one.classes_[0] for one in fitted]
    pairs = zip(fitted, (sea_and_sun, dog_and_sun), strict=True)
    matrices = [one.transform(tags) for one, tags in pairs]
    two = code.count("MultiLabelBinarizer().fit_transform") == 2
    equal = np.array_equal(*matrices) and two and firsts == ["sea", "dog"]
    return equal and subset_accuracy(true, said) == 1 / 2


@claim(
    "For the calendar the first, by the first accuracy: it has one photo right, the second none.",
    "For the teacher the second, by the third accuracy: nine points instead of seven.",
)
def _(y_true, y_pred, second):
    right = [np.equal(y_true, said) for said in (y_pred, second)]
    photos, points = [one.all(axis=1).sum() for one in right], [one.sum() for one in right]
    return photos == [1, 0] and points == [7, 9]


# --- 01


@claim(
    "Two: the last two cells of the first row.",
    "How few cells of the prediction must change so that the exact match doubles?",
    "One is not enough, since the wrong rows have two and three mistakes.",
)
def _(y_true, y_pred):
    """Every change of one cell, and of two."""

    def doubling(n_changed):
        for cells in combinations(np.ndindex(3, 4), n_changed):
            changed = np.array(y_pred)
            changed[tuple(zip(*cells, strict=True))] ^= 1
            if subset_accuracy(y_true, changed) == 2 * subset_accuracy(y_true, y_pred):
                yield cells

    two = list(doubling(2)) == [((0, 2), (0, 3))]
    return (
        two
        and not list(doubling(1))
        and sorted(np.not_equal(y_true, y_pred).sum(axis=1)) == [0, 2, 3]
    )


@claim("The judge shows the smallest data on which your function is wrong.")
def _():
    """Of a function that is wrong on one sample alone: that it has two right labels, found both."""

    def wrong_once(y_true, y_pred):
        return (
            0 if np.all(y_true) and np.shape(y_true) == (1, 2) else subset_accuracy(y_true, y_pred)
        )

    shown = repr(practice.judge(subset_accuracy, wrong_once))
    return "The smallest data" in shown and "1       {1, 2}       {1, 2}" in shown


@claim("Now it is the loss that is asked for.")
def _(asked):
    lost = zero_one_loss(asked.y_true, asked.y_pred)
    return asked.metric is zero_one_loss and asked.check(lost).right


@claim("This script asks accuracy_score too, and gets another number.")
def _(flat_true, flat_pred, y_true, y_pred, code):
    ours, flat = accuracy_score(y_true, y_pred), accuracy_score(flat_true, flat_pred)
    return "accuracy_score(flat_true, flat_pred)" in code and not same(ours, flat)


@claim(
    "How many cells are right: 7/12 ≈ 0.583.",
    "Its first two lines make twelve samples of one label each.",
    "Row against row, the exact match is 1/3.",
)
def _(flat_true, flat_pred, y_true, y_pred, code):
    flat = np.array(flat_true), np.array(flat_pred)
    made = [line.split()[0] for line in code.splitlines()[:2]] == ["flat_true", "flat_pred"]
    cells = same(
        1 - hamming_loss(y_true, y_pred), subset_accuracy(*(c[:, None] for c in flat)), 7 / 12
    )
    twelve = all(one.shape == (12,) for one in flat)
    return made and twelve and cells and same(subset_accuracy(y_true, y_pred), 1 / 3)


@claim(
    "Neither number decides, for the second counts twice as many labels.",
    "Ask for the exact match on A and B: there model two has 0.8, so take it.",
)
def _(truth, one, two):
    """The same two numbers, whichever is better on A and B."""

    def on_both(two):
        return [
            subset_accuracy(np.array(truth)[:, :2], np.array(said)[:, :2]) for said in (one, two)
        ]

    spoiled = np.array(two)
    spoiled[2:, :2] ^= 1  # its wrong rows, now wrong on A and B too
    reported = [subset_accuracy(truth, said) for said in (two, spoiled)]
    ours, other = on_both(two), on_both(spoiled)
    return (
        same(reported, 0.4)
        and same(ours, [0.6, 0.8])
        and other[0] > other[1]
        and np.shape(two)[1] == 2 * np.shape(one)[1]
    )


# --- 02


@claim(
    "B, precision: ⅓(½+0+⅓) = 5/18.", "In the third sample one of three predicted labels is true."
)
def _(question):
    data = question.y_true, question.y_pred
    hits, _, said, _ = sizes(*data)[:, 2]
    values = each(precision, *data)
    right = question.check("B").right and question.recipes["B"] == "samples precision"
    mean = same(values, [1 / 2, 0, 1 / 3]) and same(values.mean(), 5 / 18)
    return right and mean and (hits, said) == (1, 3)


@claim(
    "The last: it takes F1 of the means and prints 0.6.",
    "Each sample's F1 is 2/6, and so is their mean.",
)
def _(true, said, code, printed):
    p, r = precision(true, said), recall(true, said)
    of_the_means = same(2 * p * r / (p + r), 0.6) and "F1 per sample: 0.6\n" in printed
    script = code[: code.index("for t, p in")].strip().splitlines()
    last = "2 * p * r / (p + r)" in script[-1] and "average" not in script[-1]
    return of_the_means and last and same(each(f1, true, said), f1(true, said), 2 / 6)


@claim(
    "Many, by F2, 5/6 against 5/9: only its mistakes are mended, for it misses nothing.",
    "F1 gives both 2/3.",
)
def _(true, models):
    """A clerk who deletes false alarms leaves what recall sees."""
    few, many = models["few"], models["many"]
    mended = [recall(true, np.array(true) & np.array(said)) for said in (few, many)]
    one, two = ([fbeta(true, said, beta=b) for said in (few, many)] for b in (1, 2))
    nothing_missed = not np.any(np.array(true) > np.array(many))
    values = same(two, [5 / 9, 5 / 6]) and same(one, 2 / 3)
    return values and nothing_missed and mended[1] == 1 > mended[0]


# --- 03


@claim("On the sparse data alone: only their density is below one half.")
def _(y_true, zeros, sparse_truth):
    """Predicting nothing has a loss of the density, on each of the data of the table."""
    silent = [hamming_loss(t, np.zeros_like(t)) for t in (y_true, zeros.y_true, sparse_truth)]
    return [loss < 1 / 2 for loss in silent] == [False, False, True] and silent == [
        np.mean(t) for t in (y_true, zeros.y_true, sparse_truth)
    ]


@claim("The judge wants the loss, so a perfect prediction gets 0.", "One line is enough.")
def _():
    def one_line(y_true, y_pred):
        return (y_true != y_pred).mean()

    right = practice.judge(hamming_loss, one_line).right
    score = practice.judge(hamming_loss, lambda y_true, y_pred: (y_true == y_pred).mean())
    return right and score.right is False and hamming_loss([[1, 0]], [[1, 0]]) == 0


@claim(
    "Here the document's data are sets of labels.",
    "The three dots: named counts what truth or prediction names, nine cells, and a set can't show"
    " what it leaves out.",
    "Over all twelve cells the loss is 5/12.",
)
def _(true, said, named, y_true, y_pred, code):
    def sets(rows):
        return [{label for label, has_it in enumerate(row, start=1) if has_it} for row in rows]

    theirs = [true, said] == [sets(y_true), sets(y_pred)]
    dots = sum(not t and not p for t, p in zip(np.ravel(y_true), np.ravel(y_pred), strict=True))
    wider = sets([[*row, 0] for row in y_true]) == sets(y_true)  # a label more, and the same sets
    counts = (named, dots) == (9, 3) and "Fraction(differ, named)" in code
    return theirs and counts and wider and same(hamming_loss(y_true, y_pred), 5 / 12)


@claim(
    "Model shy ticks one box, and rightly; bold ticks six, the three among them.",
    "Shy, by Hamming loss: here the loss is the bill, two minutes a form instead of three.",
    "F1 prefers bold, which saves the clerk nothing, for an empty form costs three minutes as well.",
)
def _(first, rows):
    truth, shy, bold, empty = (np.array(first(count, 10)) for count in (3, 1, 6, 0))
    minutes = [int((truth != ticked).sum()) for ticked in (shy, bold, empty)]
    ticked = [(int(s.sum()), int((s & truth).sum())) for s in (shy, bold)]
    losses = [hamming_loss(truth, s) for s in (shy, bold, empty)]
    bill = minutes == [2, 3, 3] == [row[-1] for row in rows] and same(
        losses, np.array(minutes) / 10
    )
    return ticked == [(1, 1), (6, 3)] and bill and f1(truth, bold) > f1(truth, shy)
