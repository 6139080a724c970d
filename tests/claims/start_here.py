"""What notebook 00 says of its photos, of tags and matrices, and of three metrics with one name."""

from fractions import Fraction

import numpy as np
import places
import worlds
from sklearn.metrics import accuracy_score, jaccard_score, multilabel_confusion_matrix
from sklearn.preprocessing import MultiLabelBinarizer
from sklearn.utils.multiclass import type_of_target

from claims import always, claim, on_trust, sometimes
from mlm_helpers import catalogue, conventions, exact_match, example_based, label_based
from mlm_helpers.course import documents
from mlm_helpers.course.figures.look import MARKS
from mlm_helpers.hamming import hamming_loss
from mlm_helpers.top_k import precision

GUIDE = documents.SKLEARN_GUIDE
PAIRS = [(0, 0), (0, 1), (1, 0), (1, 1)]  # truth and prediction of a cell, in the order of MARKS


def names_of(row):
    return {label for label, has_it in enumerate(row) if has_it}


def rows_right(y_true, y_pred):
    right = [list(t) == list(p) for t, p in zip(y_true, y_pred, strict=True)]
    return Fraction(sum(right), len(right))


def overlap(y_true, y_pred, of_nothing=0):
    """Shared labels out of all that either names, as the mean over samples."""
    each = [
        Fraction(len(t & p), len(t | p)) if t | p else Fraction(of_nothing)
        for t, p in zip(map(names_of, y_true), map(names_of, y_pred), strict=True)
    ]
    return sum(each) / len(each)


def cells_right(y_true, y_pred):
    right = [t == p for t, p in zip(np.ravel(y_true), np.ravel(y_pred), strict=True)]
    return Fraction(sum(right), len(right))


def accuracies(y_true, y_pred):
    return rows_right(y_true, y_pred), overlap(y_true, y_pred), cells_right(y_true, y_pred)


def near(value, exact):
    return abs(value - exact) < 1e-12


def called(metric, place):
    return conventions.names(metric).get(place, "").lower().split()


def calls_label_wise(tool):
    """Whether the tool calls the share of right cells some accuracy."""
    translation = conventions.TOOLS[tool].metrics.get(conventions.LABEL_WISE)
    return translation is not None and translation.call.lower().endswith("accuracy")


@claim(
    "After this notebook you know what a multi-label problem is, can turn tags into a label matrix and read it, and have seen why the question “what is its accuracy?” has three different answers.",
    "Nobody has miscalculated: these are the answers to three questions, and one word is used for all of them.",
    "All of them call it accuracy.",
    "“Accuracy” names at least three metrics.",
    "Ask of every “accuracy” on multi-label data which one it is.",
)
def _():
    named = (
        called(exact_match.subset_accuracy, "scikit-learn") == ["accuracy_score"],
        called(example_based.accuracy, "MULAN")[-1] == "accuracy",
        calls_label_wise("torchmetrics"),
    )
    return all(named) and len(set(accuracies(GUIDE.y_true, GUIDE.y_pred))) == len(named) == 3


@claim(
    "In multi-label classification a model gives each photo a set of names: several, one, or none."
)
def _():
    tags = [("sea", "sun"), ("sun",), ()]
    binarizer = MultiLabelBinarizer()
    matrix = binarizer.fit_transform(tags)
    kept = binarizer.inverse_transform(matrix) == tags
    return kept and type_of_target(matrix) == "multilabel-indicator"


@claim(
    "Its better-known sister, multi-class classification, gives each photo exactly one name.",
)
def _():
    return type_of_target(["sun", "sea", "dog"]) == "multiclass"  # a name each, in one dimension


on_trust(
    "The document “多標籤分類的評估指標筆記” compares the two to a test: multi-class is a question with one right box to tick, multi-label a question where you tick every box that applies.",
    "its first paragraph: 單選題 and 複選題",
)


@claim("When several boxes can be ticked, an answer can be partly right.")
def _():
    def partly(y_true, y_pred):
        return 0 < cells_right(y_true, y_pred) < 1

    return sometimes(partly, [(1, 2)]) and not sometimes(partly, [(1, 1)])


@claim(
    "A metric is a rule that turns the truth and a prediction into one number: each metric of this course is an answer."
)
def _():
    return all(
        isinstance(metric(GUIDE.y_true, GUIDE.y_pred), float)
        for metric in catalogue.variants().values()
    )


@claim("Three photos, and four names that may apply to each; such a name is a label.")
def _(PHOTOS, LABELS, y_true):
    return (len(PHOTOS), len(LABELS)) == np.shape(y_true) == (3, 4)


@claim(
    "We write the truth as a label matrix: a row per photo (in general: per sample), a column per label, 1 where the label applies."
)
def _(PHOTOS, LABELS, y_true, printed):
    said = " ".join(printed.lower().split())
    return all(
        f"{photo}: {', '.join(label for label, has_it in zip(LABELS, row, strict=True) if has_it)}"
        in said
        for photo, row in zip(PHOTOS, y_true, strict=True)
    )


@claim(
    "The numbers are those of the document “sklearn中多标签分类场景下的常见的模型评估指标”; the photos are our own, so that there is something to imagine."
)
def _(y_true, LABELS):
    document = {document.title: document for document in documents.DOCUMENTS}[
        "sklearn中多标签分类场景下的常见的模型评估指标"
    ]
    return y_true == document.y_true and not set(LABELS) & set(document.labels)


@claim(
    "The MultiLabelBinarizer of scikit-learn turns them into a matrix and back; classes says which column is which label."
)
def _(tags, LABELS, matrix, binarizer, y_true):
    columns = [[label in photo for photo in tags] for label in LABELS]
    back = [set(photo) for photo in binarizer.inverse_transform(matrix)]
    return (
        matrix.T.tolist() == columns and back == list(map(set, tags)) and matrix.tolist() == y_true
    )


@claim(
    "Each row is the set of its labels: the third photo's tags come back in the order of the columns."
)
def _(tags, LABELS, matrix, binarizer):
    back = list(binarizer.inverse_transform(matrix)[2])
    return back == sorted(tags[2], key=LABELS.index) and back != tags[2]


@claim(
    "Without classes, the columns are the tags that occur, in alphabetical order.",
    "For the first two photos alone they are these:",
    "The dog has no column, and the first column is now people.",
    "Name the classes, and use the same binarizer for truth and prediction.",
)
def _(tags, LABELS, printed):
    truth, said = (
        [["a"], ["a", "b"]],
        [["b"], ["b"]],
    )  # two binarizers give two widths, one gives one
    of_its_own = [MultiLabelBinarizer().fit_transform(sets).shape[1] for sets in (truth, said)]
    shared = MultiLabelBinarizer(classes=["a", "b"]).fit(truth)
    if len(set(of_its_own)) == 1 or shared.transform(truth).shape != shared.transform(said).shape:
        return False
    columns = MultiLabelBinarizer().fit(tags[:2]).classes_.tolist()
    occur = sorted(set(tags[0]) | set(tags[1]))
    moved = "dog" not in columns and columns[0] == "people" != LABELS[0]
    return columns == occur and moved and str(np.array(columns)) in printed


@claim("A model has looked at the photos.", "Its prediction is a matrix of the same shape.")
def _(y_true, y_pred):
    return np.shape(y_true) == np.shape(y_pred)


@claim(
    "We lay the two on top of each other, and each cell is one of four things.",
    "Each cell is a hit ✓, a false alarm ✗, a miss ○ or rightly left out.",
)
def _():
    kinds = {(mark.word, mark.symbol) for mark in MARKS}
    said = {("hit", "✓"), ("false alarm", "✗"), ("miss", "○"), ("rightly left out", "·")}
    return kinds == said and len(MARKS) == len(PAIRS) == 4


@claim(
    "✓ hit (true positive, TP): the label applies, and the model says so.",
    "✗ false alarm (false positive, FP): the model says so, but it does not apply.",
    "○ miss (false negative, FN): it applies, but the model does not say so.",
    "· rightly left out (true negative, TN): it does not apply, and the model does not say so.",
)
def _():
    """Scikit-learn's table is [[TN, FP], [FN, TP]]: rows are the truth, columns the prediction."""
    tables = [multilabel_confusion_matrix([[t, 1]], [[p, 1]])[0].tolist() for t, p in PAIRS]
    tn, fp, fn, tp = ([[1, 0], [0, 0]], [[0, 1], [0, 0]], [[0, 0], [1, 0]], [[0, 0], [0, 1]])
    named = {mark.word: table for mark, table in zip(MARKS, tables, strict=True)}
    return named == {"hit": tp, "false alarm": fp, "miss": fn, "rightly left out": tn}


@claim(
    "Most metrics of this course count these four, in a row, in a column or in the whole matrix."
)
def _():
    counting = [m for m in catalogue.METRICS if m.reads == "y_pred"]
    along = {m.along for m in counting} == {"sample", "label"}
    whole = "micro F1" in catalogue.variants()
    return along and whole and len(counting) > len(catalogue.METRICS) / 2


@claim("The ranking metrics look at the order in which a model puts the labels.")
def _():
    metrics = [m.function for m in catalogue.METRICS if m.family == "ranking"]
    return len(metrics) > 0 and all(map(looks_at_order_alone, metrics))


def looks_at_order_alone(metric):
    """Stretching the scores changes nothing; turning them round does."""
    return always(
        lambda y_true, y_score: near(metric(y_true, y_score), metric(y_true, y_score**3 - 2))
    ) and sometimes(lambda y_true, y_score: metric(y_true, y_score) != metric(y_true, -y_score))


@claim(
    "Some count the photos that are right in every label: one of three.",
    "One photo of three is right in every label.",
)
def _(y_true, y_pred):
    right = [t == p for t, p in zip(y_true, y_pred, strict=True)]
    return right.count(True) == 1 and len(right) == 3


@claim("Some ask how far truth and prediction overlap in each photo, and average.")
def _(y_true, y_pred):
    each = [overlap([t], [p]) for t, p in zip(y_true, y_pred, strict=True)]
    return near(example_based.accuracy(y_true, y_pred), sum(each) / 3) and len(set(each)) > 1


@claim("Some count the cells that are right: seven of twelve.")
def _(y_true, y_pred):
    right = np.equal(y_true, y_pred)
    return right.sum() == 7 and right.size == 12


@claim("Python's Fraction keeps 1/3 exact, and sum counts each True as 1.")
def _():
    third = Fraction(1, 3)
    return (third.numerator, third.denominator) == (1, 3) and sum([True, False, True]) == 2


@claim("This is exact match, and what scikit-learn's accuracy_score computes from label matrices.")
def _(exact, y_true, y_pred):
    def same(y_true, y_pred):
        return near(accuracy_score(y_true, y_pred), rows_right(y_true, y_pred))

    return always(same) and exact == rows_right(y_true, y_pred)


@claim(
    "A row is a way to write down a set of labels.",
    "A multi-label prediction is a set of labels per sample; a matrix of 0 and 1 is a way to write sets down.",
)
def _(label_set, LABELS):
    rows = worlds.rows(4)
    sets = {frozenset(label_set(row)) for row in rows}
    return len(sets) == len(rows) == 2**4 and label_set((0, 1, 0, 1)) == {LABELS[1], LABELS[3]}


@claim("For two sets, & is what they share and | is what they hold together.")
def _(truth, predicted, LABELS):
    return all(
        (label in t & p) == (label in t and label in p)
        and (label in t | p) == (label in t or label in p)
        for t, p in zip(truth, predicted, strict=True)
        for label in LABELS
    )


@claim(
    "For each photo, count the labels that truth and prediction share, out of all that either of them names; then take the mean over the photos."
)
def _(jaccard, y_true, y_pred):
    """From the counts: TP ÷ (TP + FP + FN)."""
    counts = multilabel_confusion_matrix(y_true, y_pred, samplewise=True)
    each = [Fraction(int(c[1, 1]), int(c.sum() - c[0, 0])) for c in counts]
    return jaccard == sum(each) / len(each)


@claim(
    "This is the Jaccard index; it is called accuracy in the document “多標籤分類的評估指標筆記”, in Spark and in MULAN."
)
def _(jaccard, y_true, y_pred):
    index = jaccard_score(y_true, y_pred, average="samples")
    named = all(
        "accuracy" in called(example_based.accuracy, place)
        for place in ("partial_credit", "Spark MLlib", "MULAN")
    )
    titled = documents.PARTIAL_CREDIT.title == "多標籤分類的評估指標筆記"
    return near(index, jaccard) and named and titled


@claim("Every cell is one question; 7/12 of them are answered rightly.")
def _(cells, labelwise, y_true):
    return len(cells) == np.size(y_true) and labelwise == Fraction(
        cells.count(True), 12
    ) == Fraction(7, 12)


@claim(
    "This is accuracy in torchmetrics and Keras, and by the formula of a third document, which has no title."
)
def _():
    tools = calls_label_wise("torchmetrics") and calls_label_wise("keras")
    third = [d.id for d in documents.DOCUMENTS if d.title.startswith("untitled")]
    return tools and third == ["formulas"]  # right labels ÷ all labels, its first formula


@claim(
    "Our helpers give the same three as decimals.",
    "The same model on the same photos: 0.333, 0.528 or 0.583.",
)
def _(accuracies, y_true, y_pred, exact, jaccard, labelwise):
    by_hand = [exact, jaccard, labelwise]
    helpers = [helper for _, _, helper in accuracies]
    same = all(near(helper, value) for helper, value in zip(helpers, by_hand, strict=True))
    return same and [round(float(value), 3) for value in by_hand] == [0.333, 0.528, 0.583]


@claim(
    "Here are all the metrics, in seven families.",
    "Each has a notebook, 01 to 07.",
)
def _(printed):
    shown = all(metric.name in printed for metric in catalogue.METRICS)
    modules = list(dict.fromkeys(metric.id.partition(".")[0] for metric in catalogue.METRICS))
    theirs = [[p[:2] for p in places.PLACES if p[3:].startswith(module)] for module in modules]
    in_order = list(dict.fromkeys(metric.family for metric in catalogue.METRICS))
    numbered = theirs == [["01"], ["02"], ["03"], ["04"], ["05"], ["06"], ["07"]]
    return shown and numbered and in_order == list(catalogue.FAMILIES) and len(in_order) == 7


@claim(
    "02_example_based | How much of each sample is right?",
    "04_label_based | How good is each label, and how do I average over labels?",
    "05_ranking | Does the model put the right labels first, before any threshold?",
    "06_curves | Does the model put a label's samples first, whatever the threshold?",
)
def _():
    read = {
        metric.id.partition(".")[0]: (metric.along, metric.reads) for metric in catalogue.METRICS
    }
    wanted = {"example_based": ("sample", "y_pred"), "label_based": ("label", "y_pred")}
    wanted |= {"ranking": ("sample", "y_score"), "curves": ("label", "y_score")}
    return wanted.items() <= read.items()


@claim("08_thresholds | My model gives scores: where do I cut?")
def _():
    """The scores of its photos make other sets at each cut it tries by hand."""
    there = places.variables("08_thresholds")[-1]
    sets = [np.array(there["y_score"]) >= cut for cut in (0.5, 0.35)]
    return [s.tolist() for s in sets] == [
        there["rules"][f"cut at {cut}"].astype(bool).tolist() for cut in (0.5, 0.35)
    ] and bool((sets[0] != sets[1]).any())


@claim("07_top_k | I can show three tags: are they right?")
def _():
    return precision([[1, 1, 0, 0, 1]], [[5, 4, 3, 2, 1]], k=3) == 2 / 3


@claim(
    "01_exact_match | How many samples are right in every label?",
    "Next: 01_exact_match, the strictest of the three.",
)
def _():
    def strictest(y_true, y_pred):
        exact = exact_match.subset_accuracy(y_true, y_pred)
        others = overlap(y_true, y_pred, of_nothing=1), cells_right(y_true, y_pred)
        return near(exact, rows_right(y_true, y_pred)) and exact <= min(others) + 1e-12

    return always(strictest)


@claim("03_hamming_loss | How many cells of the matrix are wrong?")
def _():
    return always(
        lambda y_true, y_pred: near(hamming_loss(y_true, y_pred), 1 - cells_right(y_true, y_pred))
    )


@claim(
    "Many examples come from five documents in Chinese and Japanese, which we recreate step by step:"
)
def _():
    languages = [document.language[:2] for document in documents.DOCUMENTS]
    return len(languages) == 5 and set(languages) == {"zh", "ja"}


@claim("They are good documents with a few slips.")
def _():
    values = [value for document in documents.DOCUMENTS for value in document.published]
    slips = [value for value in values if value.slip]
    return 0 < len(slips) < len(values) / 20


on_trust(
    "Where a slip can be seen by running code, a notebook runs it.",
    "the slips in 01, 02, 04 and 05; `slip` in mlm_helpers/course/documents.py",
)


@claim(
    "Metrics of label sets differ in which of the four they count, and whether per row, per column or over all cells."
)
def _():
    by_row, by_column = example_based.recall, label_based.recall
    alarm = [[1, 0]], [[1, 1]]
    counted = by_row(*alarm) == 1 > example_based.precision(*alarm)

    def three(y_true, y_pred):
        values = by_row(y_true, y_pred), by_column(y_true, y_pred)
        return len({*values, by_column(y_true, y_pred, average="micro")}) == 3

    return counted and sometimes(three)
