"""What notebook 14 says of files of one's own, and what its cells show, counted from the files."""

import csv
import os
import warnings
from collections import Counter
from fractions import Fraction as F
from functools import partial
from itertools import product

import numpy as np
import pytest
import sklearn.metrics as skm
from facts import cells, rows, said, shown
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, train_test_split
from sklearn.multiclass import OneVsRestClassifier

from mlm_course import emoji
from mlm_helpers import curves, data, label_based, probability
from mlm_helpers.__main__ import main

NOTEBOOK = "14_your_own_data"


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Of each file a dict from the picture to its cells."""
    folder = tmp_path_factory.mktemp("files")
    emoji.save(folder)
    found = {}
    for path in folder.iterdir():
        lines = list(csv.reader(path.read_text("utf-8").splitlines()))
        found[path.stem] = {name: cells for name, *cells in lines}
    return found


@pytest.fixture(scope="module")
def sets(files):
    """The labels, and of each picture its true tags, and those that are predicted in lower case."""
    labels = files["partial"]["picture"]
    pairs = {}
    for name, (tags,) in files["truth"].items():
        if name != "picture":
            predicted = {tag.lower() for tag in files["said"][name][0].split(";")}
            pairs[name] = {*tags.split(";")}, predicted - {""}
    return labels, pairs


def counted(pairs, labels):
    """Hits, false alarms and misses of the labels, all samples together."""
    tp = sum(len(true & predicted & {*labels}) for true, predicted in pairs)
    fp = sum(len((predicted - true) & {*labels}) for true, predicted in pairs)
    fn = sum(len((true - predicted) & {*labels}) for true, predicted in pairs)
    return tp, fp, fn


def ratio(part, whole):
    return float(F(part, whole))


def f1(pairs, labels):
    tp, fp, fn = counted(pairs, labels)
    return ratio(2 * tp, 2 * tp + fp + fn)


def macro(pairs, labels):
    return sum(f1(pairs, [label]) for label in labels) / len(labels)


def samples_f1(pairs):
    """A picture always has a label here, so nothing is 0/0."""
    return sum(2 * len(t & p) / (len(t) + len(p)) for t, p in pairs) / len(pairs)


# ---------------------------------------------------------------------------- tags


def test_the_two_files(files):
    lines = [
        (name, *files["truth"][name], *files["said"][name])
        for name in list(files["truth"])[1:][:11]
        if name in shown(NOTEBOOK, "14-07")
    ]
    assert len(lines) == 4
    assert shown(NOTEBOOK, "14-07") == rows(("truth.csv", "said.csv"), *lines)
    for name in ("orange heart", "pizza", "cat face", "grinning face"):
        true, predicted = files["truth"][name][0].split(";"), files["said"][name][0].split(";")
        words = f"{name}: true: {', '.join(true)}, predicted: {', '.join(predicted) or 'no label'}"
        assert words.lower() in said(NOTEBOOK, "14-03").lower()


def test_an_invented_label_dropped_or_added():
    """Dropped, both labels are right; added, a third one is never right, however often it is predicted."""
    values = {"drop": (1, 1), "add": (F(1 + 1 + 0, 3), F(2 * 2, 2 * 2 + 1))}
    for others, (macro_f1, micro_f1) in values.items():
        t = data.from_tags([["a"], ["b"]], [["a", "x"], ["b"]], labels=["a", "b"], others=others)
        assert label_based.f1(t.y_true, t.y_pred) == pytest.approx(macro_f1)
        assert label_based.f1(t.y_true, t.y_pred, average="micro") == pytest.approx(micro_f1)
    twice = [["a", "x"], ["b", "x"]]
    t = data.from_tags([["a"], ["b"]], twice, labels=["a", "b"], others="add")
    assert label_based.f1(t.y_true, t.y_pred) == pytest.approx(2 / 3)


def test_invented_labels_are_refused_only_where_labels_are_named():
    """Named, a and b make an error of x; not named, x is a label like the others."""
    two = [["a"], ["b"]], [["a", "x"], ["b"]]
    with pytest.raises(ValueError, match="'x' at sample 0, which is not in labels"):
        data.from_tags(*two, labels=["a", "b"])
    assert [*data.from_tags(*two).labels] == ["a", "b", "x"]


def test_the_invented_label_of_the_files(sets):
    labels, pairs = sets
    head = "labels", "predicted tags", "macro F1", "micro F1"
    lines = []
    for name, some in (("drop", labels), ("add", [*labels, "emoji"])):
        tp, fp, _ = counted(pairs.values(), some)
        both = macro(pairs.values(), some), f1(pairs.values(), some)
        lines.append((name, len(some), tp + fp, *both))
    assert shown(NOTEBOOK, "14-13") == rows(head, *lines)


def test_the_truth_by_itself(sets):
    labels, pairs = sets
    words = said(NOTEBOOK, "14-16")
    cardinality = sum(len(true) for true, _ in pairs.values()) / len(pairs)
    for number in (len(pairs), len(labels), round(cardinality, 3), 161, 34):
        assert str(number) in words
    times = Counter(frozenset(true) for true, _ in pairs.values())
    assert f"different label sets                        {len(times)}" in words
    assert min(times.values()) == 1


# ---------------------------------------------------------------------------- labels


def test_a_row_for_each_label(sets):
    labels, pairs = sets
    head = "support", "TP", "FP", "FN", "precision", "recall", "F1"
    lines, each = [], []
    for label in labels:
        tp, fp, fn = counted(pairs.values(), [label])
        rates = ratio(tp, tp + fp), ratio(tp, tp + fn), ratio(2 * tp, 2 * tp + fp + fn)
        each.append(rates)
        lines.append((label, tp + fn, tp, fp, fn, *rates))
    lines.append(
        ("macro", *4 * "–", *(sum(rates) / len(labels) for rates in zip(*each, strict=True)))
    )
    tp, fp, fn = counted(pairs.values(), labels)
    rates = ratio(tp, tp + fp), ratio(tp, tp + fn), ratio(2 * tp, 2 * tp + fp + fn)
    lines.append(("micro", tp + fn, tp, fp, fn, *rates))
    assert shown(NOTEBOOK, "14-21") == rows(head, *lines)


def test_a_terminal_prints_the_same_row_for_each_label(tmp_path, monkeypatch, capsys):
    emoji.save(tmp_path)
    monkeypatch.chdir(tmp_path)
    source = "".join(cells(NOTEBOOK)["14-25"]["source"])
    (line,) = (line for line in source.splitlines() if line.startswith("python -m mlm_helpers "))
    main(line.split()[3:])
    printed = [line.split() for line in capsys.readouterr().out.splitlines()]
    table = shown(NOTEBOOK, "14-21")
    (first,) = (i for i, line in enumerate(printed) if line[:1] == ["label"])
    rows = {line[0]: line[1:-1] for line in printed[first + 1 : first + 1 + len(table)]}
    assert rows == {label: [*row.values()] for label, row in table.items()}
    assert [*rows] == [*table] and printed[first][-1] == "AP"


def test_who_is_mixed_up(sets):
    """Misses beside false alarms of one picture, the most frequent pairs first."""
    labels, pairs = sets
    missed = {x: [n for n, (t, p) in pairs.items() if x in t - p] for x in labels}
    false = {x: {n for n, (t, p) in pairs.items() if x in p - t} for x in labels}
    together = {
        (a, b): sum(name in false[b] for name in missed[a]) for a, b in product(labels, labels)
    }
    largest = sorted(together, key=lambda pair: -together[pair])[:10]
    lines = [
        (a, b, together[a, b], together[a, b] / len(missed[a]), len(false[b]) / len(pairs))
        for a, b in largest
    ]
    head = "samples", "where missed", "anywhere"
    assert shown(NOTEBOOK, "14-31", names=2) == rows(head, *lines, names=2)
    assert said(NOTEBOOK, "14-73") == "17\n"  # person missed, woman predicted falsely
    assert {largest[0], largest[1]} == {("woman", "man"), ("man", "woman")}
    assert "Woman missed: man 29, person 16, animal 3; man missed: woman 26" in said(NOTEBOOK, "14-04")  # fmt: skip
    found = [n for n, (true, predicted) in pairs.items() if "woman" in true & predicted]
    counts = [(sum(n in false["man"] for n in of), len(of)) for of in (missed["woman"], found)]
    assert counts == [(29, 49), (12, 31)]
    for each in counts:
        assert "man is false in {} of {} pictures".format(*each) in said(NOTEBOOK, "14-100")


def test_the_worst_pictures(sets):
    _, pairs = sets
    worst = shown(NOTEBOOK, "14-37")
    lines = [(name, t, p) for name, (t, p) in pairs.items() if (p - {"emoji"}) and not t & p][:6]
    assert list(worst) == [name for name, _, _ in lines]
    for name, true, _ in lines:
        assert {*worst[name]["true"].split(";")} == true
        assert worst[name]["F1"] == "0"


def test_together_counts_a_perfect_prediction_off_the_diagonal():
    """One sample with both labels: each of the four pairs occurs once."""
    lines = [(f"{label} true", 1, 1, 1 / 2) for label in ("sea", "sun")]
    head = "sea predicted", "sun predicted", "diagonal ÷ row"
    assert shown(NOTEBOOK, "14-35") == rows(head, *lines)


# ---------------------------------------------------------------------------- models and groups


def test_groups_of_pictures(sets):
    labels, pairs = sets
    known = {name: (t, p & {*labels}) for name, (t, p) in pairs.items()}
    groups = {"man": [], "other": [], "woman": [], "all": []}
    for name, pair in known.items():
        first = name.replace(":", "").split()[0]
        groups[first if first in ("man", "woman") else "other"].append(pair)
        groups["all"].append(pair)
    table = shown(NOTEBOOK, "14-46")
    for group, some in groups.items():
        assert table[group]["samples"] == str(len(some))
        value, low, _, high = table[group]["samples F1"].replace("(", "").rstrip(")").split()
        assert float(value) == round(samples_f1(some), 3)
        assert float(low) < float(value) < float(high)
    assert [group for group, row in table.items() if row["worst"]] == ["woman"]


def kinds(pairs):
    """What remains of each name without the words for people."""
    person = {"man", "woman", "person", "men", "women", "people"}
    names = [name.replace(":", "").split() for name in pairs]
    return [" ".join(word for word in words if word not in person) for words in names]


def test_groups_that_are_not_divided(sets):
    """A group is in one fold; drawn whole, it makes the standard error larger."""
    _, pairs = sets
    everything, fold_of = emoji.load(), {}
    y_true = everything.y[everything.y[:, :12].any(axis=1), :12]
    fold_of["groups, two halves"] = data.folds(y_true, 2, seed=1, groups=kinds(pairs))
    fold_of["pictures, two halves"] = data.folds(y_true, 2, seed=1)
    learned = dict(zip(everything.names, data.folds(everything.y, 3, seed=0), strict=True))
    fold_of["pictures, three folds, as the model learned"] = [learned[name] for name in pairs]
    divided = {name: int(*row.values()) for name, row in shown(NOTEBOOK, "14-49").items()}
    for name, fold in fold_of.items():
        places = {*zip(kinds(pairs), map(int, fold), strict=True)}
        times = Counter(kind for kind, _ in places)
        assert divided[name] == sum(n > 1 for n in times.values())
    assert divided["groups, two halves"] == 0 < min(n for n in divided.values() if n)
    table = shown(NOTEBOOK, "14-50")
    assert all(row["low"] < row["micro F1"] < row["high"] for row in table.values())
    errors = {name: float(row["standard error"]) for name, row in table.items()}
    assert errors["groups"] > errors["pictures"]


# ---------------------------------------------------------------------------- scikit-learn's messages

TRUE = np.array([[1, 0, 1], [0, 1, 0], [1, 1, 0]])
SETS = np.array([[1, 0, 0], [0, 1, 1], [1, 0, 0]])
SCORES = np.array([[0.9, 0.2, 0.6], [0.1, 0.8, 0.7], [0.3, 0.4, 0.6]])
X, COUNTS, NEVER = (np.array(rows) for rows in ([[0], [1], [2]], [[2, 0], [0, 1]], [[1, 0], [1, 0], [0, 0]]))  # fmt: skip
MINUS = np.where(TRUE + TRUE[0] == 0, -1, TRUE)
ONE, SKF = LogisticRegression(), StratifiedKFold(2)
MIX = "Classification metrics can't handle a mix of"
macro_f1 = partial(skm.f1_score, average="macro")
auc, ap = skm.roc_auc_score, skm.average_precision_score

SAYS = [  # what scikit-learn is asked, its words, and a remedy that it, or ours, takes
    (lambda: macro_f1(TRUE, SCORES), f"{MIX} multilabel-indicator and continuous-multioutput targets", lambda: macro_f1(TRUE, SCORES >= 0.7)),
    (lambda: macro_f1(TRUE, SCORES[:, 0]), f"{MIX} multilabel-indicator and continuous targets", lambda: macro_f1(TRUE, SCORES >= 0.7)),
    (lambda: macro_f1(TRUE, SCORES.argmax(1)), f"{MIX} multilabel-indicator and multiclass targets", lambda: macro_f1(TRUE, SCORES >= 0.7)),
    (lambda: macro_f1(TRUE, SETS[:2]), "Found input variables with inconsistent numbers of samples: [3, 2]", lambda: macro_f1(TRUE, SETS)),
    (lambda: macro_f1(TRUE, SETS[:, :2]), "Multi-label binary indicator input with different numbers of labels", lambda: macro_f1(TRUE, SETS)),
    (lambda: auc(TRUE, [SCORES] * 3), "Found array with dim 3, while dim <= 2 is required.", lambda: auc(TRUE, SCORES)),
    (lambda: macro_f1([["a"], ["a", "b"]], [["a"], ["a", "b"]]), "You appear to be using a legacy multi-label data representation.",
     lambda: macro_f1(*data.from_tags([["a"], ["a", "b"]], [["a"], ["a", "b"]])[:2])),
    (lambda: macro_f1(COUNTS, COUNTS), "multiclass-multioutput is not supported", lambda: macro_f1(COUNTS > 0, COUNTS > 0)),
    (lambda: macro_f1(MINUS, SETS), f"{MIX} multiclass-multioutput and multilabel-indicator targets", lambda: label_based.f1(data.unknown(MINUS, -1), SETS)),
    (lambda: macro_f1(np.where(MINUS < 0, np.nan, MINUS), SETS), "Input y_true contains NaN.",
     lambda: label_based.f1(data.unknown(np.where(MINUS < 0, np.nan, MINUS), np.nan), SETS)),
    (lambda: skm.f1_score(TRUE, SETS), "Target is multilabel-indicator but average='binary'.", lambda: skm.f1_score(TRUE, SETS, average="micro")),
    (lambda: skm.confusion_matrix(TRUE, SETS), "multilabel-indicator is not supported", lambda: skm.multilabel_confusion_matrix(TRUE, SETS)),
    (lambda: skm.roc_curve(TRUE, SCORES), "multilabel-indicator format is not supported", lambda: skm.roc_curve(TRUE[:, 0], SCORES[:, 0])),
    (lambda: ONE.fit(X, TRUE), "y should be a 1d array, got an array of shape (3, 3) instead.", lambda: OneVsRestClassifier(ONE).fit(X, TRUE)),
    (lambda: next(SKF.split(X, TRUE)), "Got 'multilabel-indicator' instead.", lambda: data.folds(TRUE, 2)),
    (lambda: train_test_split(X, stratify=TRUE), "in y have only 1 member, which is too few.", lambda: data.folds(TRUE, 2)),
    (lambda: macro_f1(NEVER, NEVER), "F-score is ill-defined and being set to 0.0 in labels with no true nor predicted samples.",
     lambda: macro_f1(NEVER, NEVER, zero_division=1)),
    (lambda: auc(NEVER, SCORES[:, :2]), "Only one class is present in y_true.", lambda: curves.roc_auc(NEVER, SCORES[:, :2])),
    (lambda: ap(NEVER, SCORES[:, :2]), "No positive class found in y_true", lambda: curves.average_precision(NEVER, SCORES[:, :2], undefined=np.nan)),
    (lambda: skm.log_loss(TRUE, SCORES), "The y_prob values do not sum to one.", lambda: probability.log_loss(TRUE, SCORES)),
]  # fmt: skip


@pytest.mark.skipif("OTHER_VERSIONS" in os.environ, reason="another release has other words")
def test_scikit_learn_still_says_so_and_the_remedy_helps():
    tables = [shown(NOTEBOOK, cell) for cell in ("14-91-2", "14-94", "14-96", "14-98")]
    seen = [row["scikit-learn says"] for table in tables for row in table.values()]
    for text, (ask, words, remedy) in zip(seen, SAYS, strict=True):
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            try:
                ask()
                told = warned[-1].message
            except ValueError as error:
                told = error
        assert words in str(told) and words in text and text.startswith(f"{type(told).__name__}: ")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            remedy()
    assert np.isnan(_quietly(lambda: auc(NEVER, SCORES[:, :2])))
    ranked = [ap(NEVER[:, 0], SCORES[:, 0]), 0]  # the label that nobody has counts 0
    assert _quietly(lambda: ap(NEVER, SCORES[:, :2])) == pytest.approx(sum(ranked) / 2)
    assert curves.average_precision(NEVER, SCORES[:, :2], undefined=np.nan) == ranked[0]
    assert curves.roc_auc(NEVER, SCORES[:, :2]) == auc(NEVER[:, 0], SCORES[:, 0])
    each = [skm.log_loss(TRUE[:, j], SCORES[:, j]) for j in range(3)]
    assert probability.log_loss(TRUE, SCORES) == pytest.approx(np.mean(each))
    assert _quietly(lambda: skm.log_loss(TRUE, SCORES)) != pytest.approx(np.mean(each), abs=0.01)


def _quietly(call):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return call()


# ---------------------------------------------------------------------------- unknown cells


def cells_of(files, sets):
    """What is known, true and predicted of each cell."""
    labels, pairs = sets
    for name, marks in files["partial"].items():
        if name != "picture":
            for label, mark in zip(labels, marks, strict=True):
                yield mark, label in pairs[name][0], label in pairs[name][1]


def f1_of(cells):
    cells = list(cells)
    hits = sum(true and predicted for true, predicted in cells)
    return 2 * hits / sum(true + predicted for true, predicted in cells)


def test_unknown_cells_left_out_or_taken_as_zeros(files, sets):
    cells = list(cells_of(files, sets))
    values = {
        "all annotated": f1_of((true, predicted) for _, true, predicted in cells),
        "unknown left out": f1_of((mark == "1", p) for mark, _, p in cells if mark != "-1"),
        "unknown taken as 0": f1_of((mark == "1", p) for mark, _, p in cells),
        "unknown taken as 1": f1_of((mark != "0", p) for mark, _, p in cells),
    }
    assert shown(NOTEBOOK, "14-56") == rows(("micro F1",), *values.items())


def test_bounds_hold_the_fully_annotated_value(files, sets):
    """Highest where every unknown cell is as predicted, lowest where none is."""
    cells = list(cells_of(files, sets))
    highest = f1_of((p if mark == "-1" else mark == "1", p) for mark, _, p in cells)
    lowest = f1_of((not p if mark == "-1" else mark == "1", p) for mark, _, p in cells)
    line = ("micro F1", lowest, highest)
    assert shown(NOTEBOOK, "14-58") == rows(("lowest", "highest"), line)
    assert lowest < f1_of((true, predicted) for _, true, predicted in cells) < highest


def test_14_the_ladder():
    """Bug: one hit, one miss; as zeros, two false alarms. Choose: A has 4 of 4 tags and invents 4."""
    looked, predicted = [[1, -1], [0, 1], [-1, 0]], [[1, 1], [0, 0], [1, 0]]
    micro = {"average": "micro"}
    assert label_based.f1(data.unknown(looked), predicted, **micro) == pytest.approx(2 / 3)
    assert said(NOTEBOOK, "14-78").split()[-1] == str(2 / (2 + 2 + 1))
    assert said(NOTEBOOK, "14-80").split()[-1] == "0.667"
    lines = [
        ("A, drop", 1.0, 1.0),
        ("B, drop", 2 * 4 / (5 + 4), (2 * 2 / (3 + 2) + 1) / 2),
        ("A, add", 2 * 5 / (5 + 9), (1 + 1 + 4 * 0) / 6),
        ("B, add", 2 * 4 / (5 + 4), (2 * 2 / (3 + 2) + 1) / 2),
    ]
    assert shown(NOTEBOOK, "14-82") == rows(("micro F1", "macro F1"), *lines)


def test_the_models_on_one_half(sets):
    """Each value, from label sets of its own scores at the threshold that is best on the other half."""
    labels, pairs = sets
    everything = emoji.load()
    chosen = [everything.names.index(name) for name in pairs]
    y_true = everything.y[chosen][:, : len(labels)]
    half = data.folds(y_true, 2, seed=1, groups=kinds(pairs))
    table = shown(NOTEBOOK, "14-41")
    for model in ("trees", "neighbours", "linear"):
        score = emoji.scores()[model][chosen][:, : len(labels)]
        halves = [(y_true[half == i], score[half == i]) for i in (0, 1)]
        cuts = np.unique(halves[0][1])
        best = max(cuts, key=lambda cut: _micro(halves[0][0], halves[0][1] >= cut))
        value = _micro(halves[1][0], halves[1][1] >= best)
        assert float(table["micro F1"][model].split()[0]) == round(value, 3)
    undecided = table.pop("Hamming loss ↓")
    assert undecided["neighbours"] < undecided["trees"] and undecided["best"] == "–"
    assert {row["best"] for row in table.values()} == {"trees"}
    told = " ".join(said(NOTEBOOK, "14-61").split()).partition("micro F1 = ")[2].split("): ")[0]
    told = [f"{float(number):.3f}" for number in told.replace("(", "").replace("to ", "").split()]
    assert "{} ({} to {})".format(*told) == table["micro F1"]["trees"]


def _micro(truth, predicted):
    return 2 * (truth * predicted).sum() / (truth.sum() + predicted.sum())
