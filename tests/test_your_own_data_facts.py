"""Notebook 14 about data of one's own: what its text says and its cells show, computed from the files."""

import csv
import re
from collections import Counter
from functools import partial
from io import StringIO
from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from facts import as_table, cell_table, cell_text, cells_by_id, decimal
from plain import at, best_threshold, f1, macro_f1, micro_f1

from mlm_course import emoji
from mlm_helpers import (
    curves,
    data,
    exact_match,
    example_based,
    hamming,
    label_based,
    ranking,
    top_k,
)
from mlm_helpers.__main__ import main

NOTEBOOK, TAG_FILES = "14_your_own_data", ("truth", "predicted")


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """The names of pictures and labels in the files, and matrices with a row per picture; unknown marks are -1."""
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
    """With the labels a and b, x is an error; without a list of labels, x is a label like the others."""
    tags = [["a"], ["b"]], [["a", "x"], ["b"]]
    with pytest.raises(ValueError, match="'x' at sample 0, which is not in labels"):
        data.from_tags(*tags, labels=["a", "b"])
    assert [*data.from_tags(*tags).labels] == ["a", "b", "x"]


def test_codes_are_text_and_a_list_of_frequent_labels_depends_on_what_is_counted():
    """Read as numbers, codes lose zeros; "a" is in three lines of one sample, "b" in one line of two samples."""
    codes = pd.read_csv(StringIO("code\n93.90\n007\n")).code, ["93.9", "7.0"]
    text = pd.read_csv(StringIO("code\n93.90\n007\n"), dtype=str).code, ["93.90", "007"]
    assert all([*map(str, column)] == expected for column, expected in (codes, text))
    lines = [(1, "a"), (1, "a"), (1, "a"), (2, "b"), (3, "b")]
    assert Counter(code for _, code in lines).most_common(1) == [("a", 3)]
    assert Counter(code for _, code in {*lines}).most_common(1) == [("b", 2)]
    tags = [["a", "a", "a"], ["b"], ["b"]]
    assert data.from_tags(tags, tags).y_true.sum(axis=0).tolist() == [1, 2]


def test_the_counts_of_each_label(files):
    table = cell_table(NOTEBOOK, "14-21")
    for label, true, predicted in zip(files.labels, files.true.T, files.predicted.T, strict=True):
        counts = (true & predicted).sum(), (predicted > true).sum(), (true > predicted).sum()
        assert [int(table[label][name]) for name in ("TP", "FP", "FN")] == [*counts]


@pytest.mark.parametrize("seed", range(5))
def test_a_lower_threshold_never_lowers_recall_and_may_raise_precision(seed):
    rng = np.random.default_rng(seed)
    true = rng.random(60) < 0.3
    score = true * rng.uniform(0, 2) + rng.normal(size=60)
    predicted = np.sort(score)[::-1, None] <= score  # a row for each threshold, the highest first
    hits = (predicted & true).sum(axis=1)
    assert (np.diff(hits) >= 0).all()  # the recall is hits ÷ a constant
    assert {*np.sign(np.diff(hits / predicted.sum(axis=1)))} >= {-1, 1}


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


def activities(files):
    """The names of the pictures without the words for people, so that pictures of one activity have one name."""
    person = {"man", "woman", "person", "men", "women", "people"}
    words = [name.replace(":", "").split() for name in files.names]
    return [" ".join(word for word in words if word not in person) for words in words]


def interval(cell):
    """The numbers in a cell, such as "0.5 (0.4 to 0.6)": a value and the two ends of its interval."""
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


def test_groups_that_are_not_split(files):
    """A group is in one half; if groups are resampled as a whole, the interval is wider."""
    kinds = activities(files)
    table = cell_table(NOTEBOOK, "14-49")
    for name, groups in (("pictures", None), ("groups", kinds)):
        half = data.folds(files.true, 2, seed=1, groups=groups)
        n_halves = Counter(kind for kind, _ in {*zip(kinds, map(int, half), strict=True)})
        row = {name: float(number) for name, number in table[name].items()}
        assert row["groups in both halves"] == sum(n > 1 for n in n_halves.values())
        assert row["low"] < row["micro F1"] < row["high"]
        table[name] = row
    assert (
        table["groups"]["groups in both halves"] == 0 < table["pictures"]["groups in both halves"]
    )
    assert table["groups"]["low"] < table["pictures"]["low"]
    assert table["groups"]["high"] > table["pictures"]["high"]


@pytest.fixture(scope="module")
def other_half(files):
    """The truth of one half, and each model's label sets at the threshold that is best on the other half."""
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
    """A cell that is left out is neither true nor predicted, and ranks below all others of its row."""
    columns = []
    for known in (files.marks > -2, files.marks > -1):
        sets = true, predicted = files.true * known, files.predicted * known
        score = np.where(known, files.scores, -1)
        first = score == score.max(axis=1, keepdims=True)
        share = (first * true).sum(axis=1) / first.sum(axis=1)
        per_row = (true == predicted).all(axis=1), f1(*sets, 1), share < 1, share
        columns.append([micro_f1(*sets), macro_f1(*sets), *(values.mean() for values in per_row)])
    names = "micro F1", "macro F1", "subset accuracy", "samples F1", "one-error", "precision at 1"
    heads = "all annotated", "unknown left out"
    assert cell_table(NOTEBOOK, "14-56") == as_table(heads, *zip(names, *columns, strict=True))


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
@pytest.mark.parametrize(("n_labels", "density"), [(5, 0.3), (10, 0.1), (20, 0.08), (8, 0.5)])
def test_random_unknown_cells_move_metrics_of_whole_rows_and_hardly_those_of_cells(
    n_labels, density, share
):
    """The mean over ten maskings; each label has about forty positives or more."""
    rng = np.random.default_rng(n_labels)
    true = (rng.random((600, n_labels)) < density * rng.uniform(0.7, 1.3, n_labels)).astype(int)
    score = true + 0.6 * rng.normal(size=true.shape)
    predicted = score > 0.6
    masks = rng.random((10, *true.shape)) < share

    def shift(metric, prediction):
        values = [metric(np.ma.MaskedArray(true, mask), prediction) for mask in masks]
        return np.mean(values) - metric(true, prediction)

    pooled = partial(label_based.f1, average="micro")
    for metric in (pooled, label_based.f1, hamming.hamming_loss):
        assert abs(shift(metric, predicted)) < 0.015
    assert abs(shift(curves.average_precision, score)) < 0.03
    assert shift(exact_match.subset_accuracy, predicted) > 0.01
    assert shift(example_based.f1, predicted) < 0
    assert shift(ranking.one_error, score) > 0 > shift(partial(top_k.precision, k=1), score)


@pytest.mark.parametrize("seed", range(5))
def test_if_positives_are_marked_at_random_recall_is_right_and_precision_is_multiplied_by_their_share(
    seed,
):
    """The means over all ways to mark three of six true cells."""
    predicted = np.random.default_rng(seed).random(20) < 0.4
    true = np.arange(20) < 6
    recalls, precisions = [], []
    for marked in combinations(range(6), 3):
        hits = predicted[[*marked]].sum()
        recalls.append(hits / 3)
        precisions.append(hits / predicted.sum())
    hits = (true & predicted).sum()
    assert np.mean(recalls) == pytest.approx(hits / 6)
    assert np.mean(precisions) == pytest.approx(hits / predicted.sum() * 3 / 6)
