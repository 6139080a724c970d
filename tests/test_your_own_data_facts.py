"""Notebook 14 about data of one's own: its text and cells, computed from the files."""

import csv
import re
from collections import Counter
from io import StringIO
from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from facts import as_table, cell_table, cell_text, cells_by_id, decimal
from plain import at, best_threshold, f1, macro_f1, micro_f1

from mlm_course import emoji
from mlm_helpers import catalogue, data
from mlm_helpers.__main__ import main

NOTEBOOK, TAG_FILES = "14_your_own_data", ("truth", "predicted")


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """The names of pictures and labels in the files, and matrices with a row per picture.

    Unknown marks are -1.
    """
    folder = tmp_path_factory.mktemp("files")
    emoji.save(folder)
    lines = {path.stem: path.read_text("utf-8").splitlines() for path in folder.iterdir()}
    rows = {name: list(csv.reader(lines_of_file)) for name, lines_of_file in lines.items()}
    (_, *labels), *marked_rows = rows["partial"]
    tag_lists = ([tags.lower().split(";") for _, tags in rows[name][1:]] for name in TAG_FILES)
    is_tagged = ([[label in tags for label in labels] for tags in column] for column in tag_lists)
    true, predicted = (np.array(matrix, int) for matrix in is_tagged)
    marks = np.array([[int(mark) for mark in row] for _, *row in marked_rows])
    scores = np.array([[float(score) for score in row] for _, *row in rows["scores"][1:]])
    names = [name for name, *_ in marked_rows]
    matrices = {"true": true, "predicted": predicted, "marks": marks, "scores": scores}
    return SimpleNamespace(labels=labels, names=names, **matrices)


# ---------------------------------------------------------------------------- tags and labels


def test_invented_labels_are_refused_only_if_labels_are_given():
    """With the labels a and b, x is an error.

    Without a list of labels, x is a label like the others.
    """
    tags = [["a"], ["b"]], [["a", "x"], ["b"]]
    with pytest.raises(ValueError, match="'x' at sample 0, which is not in labels"):
        data.from_tags(*tags, labels=["a", "b"])
    assert [*data.from_tags(*tags).labels] == ["a", "b", "x"]


def test_codes_are_text_and_a_list_of_frequent_labels_depends_on_what_is_counted():
    """Of the lines most have "a", of the samples most have "b"."""
    for dtype, codes in ((None, [93.9, 7]), (str, ["93.90", "007"])):
        assert [*pd.read_csv(StringIO("code\n93.90\n007\n"), dtype=dtype).code] == codes
    tags = [["a", "a", "a"], ["b"], ["b"]]
    assert Counter(tag for line in tags for tag in line).most_common(1) == [("a", 3)]
    assert data.from_tags(tags, tags).y_true.sum(axis=0).tolist() == [1, 2]


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
    row_of = {line[0]: line for line in reversed(lines)}  # in the first of two tables
    assert row_of["label"][-1] == "AP"
    for label, row in cell_table(NOTEBOOK, "14-21").items():
        assert row_of[label][1:-1] == [*row.values()]


def test_pairs_of_a_miss_and_a_false_alarm(files):
    """Misses and false alarms of the same picture, the most frequent pairs first."""
    missed, false = files.true > files.predicted, files.predicted > files.true
    counts = missed.T.astype(int) @ false
    largest = np.argsort(-counts, axis=None, kind="stable")[:10]
    lines = []
    for a, b in zip(*np.unravel_index(largest, counts.shape), strict=True):
        shares = counts[a, b] / missed[:, a].sum(), false[:, b].mean()
        lines.append((files.labels[a], files.labels[b], counts[a, b], *shares))
    head = "samples", "where missed", "anywhere"
    assert cell_table(NOTEBOOK, "14-31", names=2) == as_table(head, *lines, names=2)
    assert [line[:2] for line in lines[:2]] == [("woman", "man"), ("man", "woman")]
    man, woman = map(files.labels.index, ("man", "woman"))
    hit = (files.true & files.predicted)[:, woman] > 0
    for words, group in (("missed", missed[:, woman]), ("found", hit)):
        share = f"{false[group, man].sum()} of {group.sum()} pictures"
        assert f"woman {words}: man is false in {share}" in cell_text(NOTEBOOK, "14-100")


# ---------------------------------------------------------------------------- models and groups


def test_the_pictures_with_a_prediction_and_no_hit(files):
    has_no_hit = ~(files.true * files.predicted).any(axis=1)
    assert (has_no_hit & files.predicted.any(axis=1)).sum() == 97


def activities(files):
    """The names of pictures without words for people: pictures of one activity have one name."""
    person = {"man", "woman", "person", "men", "women", "people"}
    words = [name.replace(":", "").split() for name in files.names]
    return [" ".join(word for word in words if word not in person) for words in words]


def interval(cell):
    """The numbers in a cell, such as "0.5 (0.4 to 0.6)": a value and its interval's ends."""
    value, low, high = map(float, re.findall(r"-?[\d.]+", cell))
    return SimpleNamespace(value=value, low=low, high=high)


def test_groups_of_pictures(files):
    words = [name.replace(":", "").split()[0] for name in files.names]
    groups = np.array([word if word in ("man", "woman") else "other" for word in words])
    values = f1(files.true, files.predicted, 1)
    table = cell_table(NOTEBOOK, "14-46")
    assert float(table.pop("all")["samples F1"].split()[0]) == round(values.mean(), 3)
    for group, row in table.items():
        members = groups == group
        value = values[members].mean()
        assert row["samples"] == str(members.sum())
        assert interval(row["samples F1"]).value == round(value, 3)
        assert interval(row["difference"]).value == round(value - values[~members].mean(), 3)
    assert [g for g, row in table.items() if interval(row["difference"]).high < 0] == ["woman"]
    assert [g for g, row in table.items() if interval(row["difference"]).low > 0] == ["other"]


def test_groups_that_are_not_split(files):
    """A group is in one half; if groups are resampled as a whole, the interval is wider."""
    kinds, table = activities(files), cell_table(NOTEBOOK, "14-49")
    for name, groups in (("pictures", None), ("groups", kinds)):
        half = data.folds(files.true, 2, seed=1, groups=groups).tolist()
        n_halves = Counter(kind for kind, _ in {*zip(kinds, half, strict=True)})
        assert table[name]["groups in both halves"] == str([*n_halves.values()].count(2))
    assert table["groups"]["groups in both halves"] == "0"
    assert table["groups"]["low"] < table["pictures"]["low"]
    assert table["groups"]["high"] > table["pictures"]["high"]


@pytest.fixture(scope="module")
def other_half(files):
    """The truth of one half, and each model's sets at the best threshold of the other half."""
    everything = emoji.load()
    chosen = [everything.names.index(name) for name in files.names]
    half = data.folds(files.true, 2, seed=1, groups=activities(files))
    sets = {}
    for model, all_scores in emoji.scores().items():
        score = all_scores[chosen][:, : len(files.labels)]
        sets[model] = at(score[half == 1], best_threshold(files.true[half == 0], score[half == 0]))
    return files.true[half == 1], sets


def test_the_models_on_one_half(other_half):
    true, sets = other_half
    table = cell_table(NOTEBOOK, "14-41")
    for model in ("trees", "neighbours", "linear"):
        assert interval(table["micro F1"][model]).value == round(micro_f1(true, sets[model]), 3)
    undecided = table.pop("Hamming loss ↓")
    assert undecided["neighbours"] < undecided["trees"] and undecided["best"] == "–"
    assert {row["best"] for row in table.values()} == {"trees"}


def test_at_which_labels_the_trees_are_better(files, other_half):
    true, sets = other_half
    table = cell_table(NOTEBOOK, "14-43")
    for label, row in table.items():
        j = files.labels.index(label)
        first, second = (f1(true, sets[model], 0)[j] for model in ("trees", "neighbours"))
        assert [row["first"], row["second"]] == [decimal(first), decimal(second)]
        assert row["difference"].split()[0] == decimal(first - second)
    assert [n for n, row in table.items() if float(row["p"]) < 0.05] == ["animal"]
    assert [n for n, row in table.items() if row["first is"] == "better"] == ["animal"]
    assert sum(interval(row["difference"]).low > 0 for row in table.values()) == 4


# ---------------------------------------------------------------------------- unknown cells


def test_unknown_cells_left_out_or_taken_as_zeros(files):
    """A cell that is left out is neither true nor predicted, and ranks last in its row."""
    columns, values_of_rows = [], []
    for known in (files.marks > -2, files.marks > -1):
        sets = true, predicted = files.true * known, files.predicted * known
        score = np.where(known, files.scores, -1)
        first = score == score.max(axis=1, keepdims=True)
        share = (first * true).sum(axis=1) / first.sum(axis=1)
        per_row = (true == predicted).all(axis=1), f1(*sets, 1), share < 1, share
        columns.append([micro_f1(*sets), macro_f1(*sets), *(values.mean() for values in per_row)])
        values_of_rows.append(per_row)
    names = "micro F1", "macro F1", "subset accuracy", "samples F1", "one-error", "precision at 1"
    heads = "all annotated", "unknown left out"
    assert cell_table(NOTEBOOK, "14-56") == as_table(heads, *zip(names, *columns, strict=True))
    assert (files.marks > -1).all(axis=1).sum() == 36
    # Samples F1 falls, and one-error rises, by the samples of which no true label is known.
    lost = ~(files.true * (files.marks > -1)).any(axis=1)
    (_, f1s, errors, _), (_, f1s_known, errors_known, _) = values_of_rows
    assert not f1s_known[lost].any() and errors_known[lost].all()
    assert abs(f1s_known[~lost].mean() - f1s[~lost].mean()) < 0.001
    assert errors_known[~lost].mean() < errors[~lost].mean()


def test_bounds_hold_the_fully_annotated_value(files):
    """The value is highest if every unknown cell is as predicted, lowest if none is."""
    predicted = files.predicted
    values = [
        micro_f1(np.where(files.marks < 0, filling, files.marks), predicted)
        for filling in (1 - predicted, 1, 0, predicted)
    ]
    heads = "lowest", "unknown taken as 1", "unknown taken as 0", "highest"
    assert cell_table(NOTEBOOK, "14-58") == as_table(heads, ("micro F1", *values))
    lowest, *_, highest = values
    assert lowest < micro_f1(files.true, predicted) < highest


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5])
@pytest.mark.parametrize(("n", "density"), [(5, 0.3), (10, 0.1), (20, 0.08), (8, 0.5)])
def test_random_unknown_cells_move_metrics_of_whole_rows_and_hardly_those_of_cells(
    n, density, share
):
    """The mean over ten maskings; each label has about forty positives or more."""
    rng = np.random.default_rng(n)
    true = (rng.random((600, n)) < density * rng.uniform(0.7, 1.3, n)).astype(int)
    score = true + 0.6 * rng.normal(size=true.shape)
    truths = [np.ma.MaskedArray(true, rng.random(true.shape) < share) for _ in range(10)]

    def shift(name):
        metric = catalogue.variants()[name]
        prediction = score > 0.6 if catalogue.record_of(metric).reads == "y_pred" else score
        return np.mean([metric(t, prediction) for t in truths]) - metric(true, prediction)

    assert max(abs(shift(name)) for name in ("micro F1", "macro F1", "Hamming loss")) < 0.015
    assert abs(shift("macro AP")) < 0.03
    assert shift("subset accuracy") > 0.01 and shift("one-error") > 0 > shift("samples F1")
    for truth in truths:  # where no true label is known
        lost = ~(truth.filled(0) == 1).any(axis=1)
        assert catalogue.variants()["one-error"](truth[lost], score[lost]) == 1
        assert catalogue.variants()["samples F1"](truth[lost], score[lost] > 0.6) == 0


def test_if_positives_are_marked_at_random_recall_is_right_and_precision_times_their_share():
    """The mean over all ways to mark three of the six true cells of each of five data sets."""
    true = np.arange(20) < 6
    for predicted in np.random.default_rng(0).random((5, 20)) < 0.4:
        hits = np.mean([predicted[[*marked]].sum() for marked in combinations(range(6), 3)])
        assert hits / 3 == pytest.approx((true & predicted).sum() / 6)
        precision = (true & predicted).sum() / predicted.sum()
        assert hits / predicted.sum() == pytest.approx(precision * 3 / 6)
