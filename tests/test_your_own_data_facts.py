"""What notebook 14 says of files of one's own, and what its cells show, counted from the files."""

import csv
import re
import warnings
from collections import Counter
from types import SimpleNamespace

import numpy as np
import pytest
import sklearn.metrics as skm
from facts import as_table, cell_table, cell_text, cells_by_id, decimal
from plain import at, best_threshold, f1, macro_f1, micro_f1

from mlm_course import emoji
from mlm_helpers import curves, data, probability
from mlm_helpers.__main__ import main

NOTEBOOK = "14_your_own_data"


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """What the files hold of each picture and label; the marks are -1 where nobody looked."""
    folder = tmp_path_factory.mktemp("files")
    emoji.save(folder)
    texts = {path.stem: path.read_text("utf-8").splitlines() for path in folder.iterdir()}
    lines = {name: list(csv.reader(text)) for name, text in texts.items()}
    (_, *labels), *partial = lines["partial"]
    tags = [[tags.lower().split(";") for _, tags in lines[of][1:]] for of in ("truth", "predicted")]
    sets = ([[int(label in own) for label in labels] for own in of] for of in tags)
    true, predicted = map(np.array, sets)
    marks = np.array([[int(mark) for mark in marks] for _, *marks in partial])
    scores = np.array([[float(score) for score in of] for _, *of in lines["scores"][1:]])
    names = [name for name, *_ in partial]
    of = {"true": true, "predicted": predicted, "marks": marks, "scores": scores}
    return SimpleNamespace(labels=labels, names=names, **of)


# ---------------------------------------------------------------------------- tags and labels


def test_invented_labels_are_refused_only_where_labels_are_named():
    """Named, a and b make an error of x; not named, x is a label like the others."""
    two = [["a"], ["b"]], [["a", "x"], ["b"]]
    with pytest.raises(ValueError, match="'x' at sample 0, which is not in labels"):
        data.from_tags(*two, labels=["a", "b"])
    assert [*data.from_tags(*two).labels] == ["a", "b", "x"]


def test_the_counts_of_each_label(files):
    table = cell_table(NOTEBOOK, "14-21")
    for label, true, predicted in zip(files.labels, files.true.T, files.predicted.T, strict=True):
        counts = (true & predicted).sum(), (predicted > true).sum(), (true > predicted).sum()
        assert [int(table[label][name]) for name in ("TP", "FP", "FN")] == [*counts]


def test_a_terminal_prints_the_same_row_for_each_label(tmp_path, monkeypatch, capsys):
    emoji.save(tmp_path)
    monkeypatch.chdir(tmp_path)
    source = "".join(cells_by_id(NOTEBOOK)["14-25"]["source"])
    (line,) = (line for line in source.splitlines() if line.startswith("python -m mlm_helpers "))
    main(line.split()[3:])
    lines = [line.split() for line in capsys.readouterr().out.splitlines() if line]
    printed = {line[0]: line for line in reversed(lines)}  # by label the first of two tables
    assert printed["label"][-1] == "AP"
    for label, row in cell_table(NOTEBOOK, "14-21").items():
        assert printed[label][1:-1] == [*row.values()]


def test_who_is_mixed_up(files):
    """Misses beside false alarms of one picture, the most frequent pairs first."""
    missed, false = files.true > files.predicted, files.predicted > files.true
    together = missed.T.astype(int) @ false
    largest = np.argsort(-together, axis=None, kind="stable")[:10]
    lines = []
    for a, b in zip(*np.unravel_index(largest, together.shape), strict=True):
        shares = together[a, b] / missed[:, a].sum(), false[:, b].mean()
        lines.append((files.labels[a], files.labels[b], together[a, b], *shares))
    head = "samples", "where missed", "anywhere"
    assert cell_table(NOTEBOOK, "14-31", names=2) == as_table(head, *lines, names=2)
    assert [line[:2] for line in lines[:2]] == [("woman", "man"), ("man", "woman")]
    man, woman = map(files.labels.index, ("man", "woman"))
    found = (files.true & files.predicted)[:, woman] > 0
    for words, group in (("missed", missed[:, woman]), ("found", found)):
        counts = f"{false[group, man].sum()} of {group.sum()} pictures"
        assert f"woman {words}: man is false in {counts}" in cell_text(NOTEBOOK, "14-100")


# ---------------------------------------------------------------------------- models and groups


def kinds(files):
    """What remains of each name without the words for people."""
    person = {"man", "woman", "person", "men", "women", "people"}
    words = [name.replace(":", "").split() for name in files.names]
    return [" ".join(word for word in words if word not in person) for words in words]


def ends(cell):
    """The value of a cell and the ends of its interval."""
    return [float(number) for number in re.findall(r"-?[\d.]+", cell)]


def test_groups_of_pictures(files):
    first = [name.replace(":", "").split()[0] for name in files.names]
    of = np.array([one if one in ("man", "woman") else "other" for one in first])
    values = f1(files.true, files.predicted, 1)
    table = cell_table(NOTEBOOK, "14-46")
    assert float(table.pop("all")["samples F1"].split()[0]) == round(values.mean(), 3)
    for group, row in table.items():
        some = of == group
        value = values[some].mean()
        assert row["samples"] == str(some.sum())
        assert ends(row["samples F1"])[0] == round(value, 3)
        assert ends(row["difference"])[0] == round(value - values[~some].mean(), 3)
    assert [g for g, row in table.items() if ends(row["difference"])[2] < 0] == ["woman"]


def test_groups_that_are_not_divided(files):
    """A group is in one fold; drawn whole, it makes the standard error larger."""
    everything = emoji.load()
    learned = dict(zip(everything.names, data.folds(everything.y, 3, seed=0), strict=True))
    fold_of = {
        "pictures, three folds, as the model learned": [learned[name] for name in files.names],
        "pictures, two halves": data.folds(files.true, 2, seed=1),
        "groups, two halves": data.folds(files.true, 2, seed=1, groups=kinds(files)),
    }
    lines = []
    for name, fold in fold_of.items():
        times = Counter(kind for kind, _ in {*zip(kinds(files), map(int, fold), strict=True)})
        lines.append((name, sum(n > 1 for n in times.values())))
    assert cell_table(NOTEBOOK, "14-49") == as_table(("groups that are divided",), *lines)
    assert [count > 0 for _, count in lines] == [True, True, False]
    table = cell_table(NOTEBOOK, "14-50")
    assert all(row["low"] < row["micro F1"] < row["high"] for row in table.values())
    assert float(table["groups"]["standard error"]) > float(table["pictures"]["standard error"])


@pytest.fixture(scope="module")
def judged(files):
    """The truth of one half, and each model's label sets at the threshold that is best on the other."""
    everything = emoji.load()
    chosen = [everything.names.index(name) for name in files.names]
    half = data.folds(files.true, 2, seed=1, groups=kinds(files))
    sets = {}
    for model, score in emoji.scores().items():
        score = score[chosen][:, : len(files.labels)]
        sets[model] = at(score[half == 1], best_threshold(files.true[half == 0], score[half == 0]))
    return files.true[half == 1], sets


def test_the_models_on_one_half(judged):
    true, sets = judged
    table = cell_table(NOTEBOOK, "14-41")
    for model in ("trees", "neighbours", "linear"):
        assert ends(table["micro F1"][model])[0] == round(micro_f1(true, sets[model]), 3)
    undecided = table.pop("Hamming loss ↓")
    assert undecided["neighbours"] < undecided["trees"] and undecided["best"] == "–"
    assert {row["best"] for row in table.values()} == {"trees"}


def test_at_which_labels_the_trees_are_better(files, judged):
    true, sets = judged
    table = cell_table(NOTEBOOK, "14-43")
    for label, row in table.items():
        j = files.labels.index(label)
        first, second = (f1(true, sets[model], 0)[j] for model in ("trees", "neighbours"))
        assert [row["first"], row["second"]] == [decimal(first), decimal(second)]
        assert row["difference"].split()[0] == decimal(first - second)
    assert [n for n, row in table.items() if float(row["p"]) < 0.05] == ["animal"]
    assert [n for n, row in table.items() if row["first is"] == "better"] == ["animal"]
    assert sum(ends(row["difference"])[1] > 0 for row in table.values()) == 4


# ---------------------------------------------------------------------------- unknown cells


def test_unknown_cells_left_out_or_taken_as_zeros(files):
    """A cell that is left out is neither true nor predicted, and stands behind all others of its row."""
    columns = []
    for known in (files.marks > -2, files.marks > -1):
        sets = true, predicted = files.true * known, files.predicted * known
        score = np.where(known, files.scores, -1)
        first = score == score.max(axis=1, keepdims=True)
        share = (first * true).sum(axis=1) / first.sum(axis=1)
        of_rows = (true == predicted).all(axis=1), f1(*sets, 1), share < 1, share
        columns.append([micro_f1(*sets), macro_f1(*sets), *(values.mean() for values in of_rows)])
    names = "micro F1", "macro F1", "subset accuracy", "samples F1", "one-error", "precision at 1"
    heads = "all annotated", "unknown left out"
    assert cell_table(NOTEBOOK, "14-56") == as_table(heads, *zip(names, *columns, strict=True))


def test_bounds_hold_the_fully_annotated_value(files):
    """Highest where every unknown cell is as predicted, lowest where none is."""
    predicted = files.predicted
    values = [
        micro_f1(np.where(files.marks < 0, filled, files.marks), predicted)
        for filled in (1 - predicted, 1, 0, predicted)
    ]
    heads = "lowest", "unknown taken as 1", "unknown taken as 0", "highest"
    assert cell_table(NOTEBOOK, "14-58") == as_table(heads, ("micro F1", *values))
    lowest, *_, highest = values
    assert lowest < micro_f1(files.true, predicted) < highest


# ---------------------------------------------------------------------------- what scikit-learn only warns of


def test_what_scikit_learn_warns_of_has_another_number_and_ours_is_that_of_the_labels():
    """Nobody has the last label; and three labels of a sample are no classes of which one is true."""
    true = np.array([[1, 0, 1], [0, 1, 0], [1, 1, 0]])
    never, scores = true * [1, 0, 0], np.array([[0.9, 0.2, 0.6], [0.1, 0.8, 0.7], [0.3, 0.4, 0.6]])
    aps = [skm.average_precision_score(true[:, 0], scores[:, 0]), 0, 0]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert np.isnan(skm.roc_auc_score(never, scores))
        assert skm.average_precision_score(never, scores) == pytest.approx(np.mean(aps))
        of_classes = skm.log_loss(true, scores)
    assert curves.average_precision(never, scores, undefined=np.nan) == aps[0]
    assert curves.roc_auc(never, scores) == skm.roc_auc_score(true[:, 0], scores[:, 0])
    of_labels = np.mean([skm.log_loss(true[:, j], scores[:, j]) for j in range(3)])
    assert probability.log_loss(true, scores) == pytest.approx(of_labels)
    assert of_classes != pytest.approx(of_labels, abs=0.01)
