"""What notebook 14 says of files of one's own, and what its cells show, counted from the files."""

import csv
from collections import Counter
from fractions import Fraction as F
from itertools import product

import numpy as np
import pytest
from facts import decimal, rows, said, shown

from mlm_helpers import data, label_based
from mlm_helpers.course import emoji

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


def test_an_invented_label_dropped_or_added():
    """Dropped, both labels are right; added, a third one is never right."""
    lines = [("drop", "a, b", 1.0, 1.0), ("add", "a, b, x", (1 + 1 + 0) / 3, 2 * 2 / (2 * 2 + 1))]
    assert shown(NOTEBOOK, "14-11") == rows(("labels", "macro F1", "micro F1"), *lines)


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
    assert {largest[0], largest[1]} == {("woman", "man"), ("man", "woman")}
    assert "Woman missed: man 29, person 16, animal 3; man missed: woman 26" in said(NOTEBOOK, "14-04")  # fmt: skip


def test_the_worst_pictures(sets):
    _, pairs = sets
    worst = shown(NOTEBOOK, "14-37")
    lines = [(name, t, p) for name, (t, p) in pairs.items() if (p - {"emoji"}) and not t & p][:6]
    assert list(worst) == [name for name, _, _ in lines]
    for name, true, _ in lines:
        assert {*worst[name]["true"].split(";")} == true
        assert worst[name]["F1"] == "0"


def test_six_matrices_on_screen():
    """By a pencil: one of two cells of the row of sea, or all of it."""
    names = "sea → sea, sun", "sea, sun → sea, sun", "sea, sun → sea"
    counted = ("co_occurrence", 0.5, 0.5, 1.0), ("physionet", 0.5, 0.5, 1.0)
    paired = ("mlcm", 0.5, 1.0, 1.0), ("krstinic", 0.5, 1.0, 1.0), ("of_recall", 1.0, 1.0, 1.0)
    assert shown(NOTEBOOK, "14-35") == rows(names, *counted, *paired, ("fastai", 0.5, 1.0, 1.0))


# ---------------------------------------------------------------------------- models and groups


def test_an_interval_says_what_was_drawn():
    """The values are those of the table above and of the files; each lies in its interval."""
    table = shown(NOTEBOOK, "14-44")
    judged = shown(NOTEBOOK, "14-41")["micro F1"]["trees"].split()[0]
    assert {decimal(row["micro F1"]) for row in list(table.values())[:2]} == {judged}
    alone = table["all pictures, threshold 0.2"]
    assert decimal(alone["micro F1"]) == shown(NOTEBOOK, "14-21")["micro"]["F1"]
    everything, values = emoji.load(), []
    chosen = everything.y[:, :12].any(axis=1)
    for repeat in range(5):
        score = emoji.scores(repeat)["trees"][chosen, :12]
        values.append(_micro(everything.y[chosen, :12], score >= 0.2))
    assert table["five times trained"]["micro F1"] == decimal(sum(values) / 5, 4)
    for row in table.values():
        value, low, high, _ = map(float, row.values())
        assert low < value < high


def test_groups_of_pictures(sets):
    labels, pairs = sets
    known = {name: (t, p & {*labels}) for name, (t, p) in pairs.items()}
    groups = {"man": [], "other": [], "woman": [], "all": []}
    for name, pair in known.items():
        first = name.split()[0]
        groups[first if first in ("man", "woman") else "other"].append(pair)
        groups["all"].append(pair)
    table = shown(NOTEBOOK, "14-46")
    for group, some in groups.items():
        assert table[group]["samples"] == str(len(some))
        value, low, _, high = table[group]["samples F1"].replace("(", "").rstrip(")").split()
        assert float(value) == round(samples_f1(some), 3)
        assert float(low) < float(value) < float(high)
    assert [group for group, row in table.items() if row["worst"]] == ["woman"]


def test_groups_that_are_not_divided():
    """A group is in one fold; drawn whole, it makes the standard error larger."""
    divided = {name: int(*row.values()) for name, row in shown(NOTEBOOK, "14-49").items()}
    assert divided["groups"] == 0 < divided["pictures"]
    errors = {name: float(row["standard error"]) for name, row in shown(NOTEBOOK, "14-50").items()}
    assert errors["groups"] > errors["pictures"]


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
    half = data.folds(y_true, 2, seed=1)
    table = shown(NOTEBOOK, "14-41")
    for model in ("trees", "neighbours", "linear"):
        score = emoji.scores()[model][chosen][:, : len(labels)]
        halves = [(y_true[half == i], score[half == i]) for i in (0, 1)]
        cuts = np.unique(halves[0][1])
        best = max(cuts, key=lambda cut: _micro(halves[0][0], halves[0][1] >= cut))
        value = _micro(halves[1][0], halves[1][1] >= best)
        assert float(table["micro F1"][model].split()[0]) == round(value, 3)
    assert {row["best"] for row in table.values()} == {"trees"}


def _micro(truth, predicted):
    return 2 * (truth * predicted).sum() / (truth.sum() + predicted.sum())
