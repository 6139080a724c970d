"""Grids of cells, batches, rank lists and disagreements, compared with what is worked out by hand."""

import re

import numpy as np
import pytest
from pictures import (
    BLUE,
    ORANGE,
    PALE,
    PREDICTION,
    TRUTH,
    WHITE,
    frames,
    grid,
    inside,
    labelled,
    opposed,
    read,
    six_pairs,
    texts,
)  # fmt: skip

from mlm_course import documents, figures

COLOURS = {"✓": BLUE, "✗": ORANGE, "○": PALE, "·": WHITE}
KEY = "✓ hit: 4 ✗ false alarm: 2 ○ miss: 3 · rightly left out: 3"
PERS = ("sample", "label", "cell")


# ------------------------------------------------------------------------------- label grids


@pytest.mark.parametrize("per", PERS)
def test_label_grid_can_leave_the_answer_to_the_reader(per):
    asked = figures.label_grid(TRUTH, PREDICTION, "F1", per=per, answer=False)
    told = figures.label_grid(TRUTH, PREDICTION, "F1", per=per)
    assert grid(asked) == grid(told)
    assert not labelled(asked, "result")
    assert not any(texts(asked, "note"))
    assert not re.search(r"\d/\d|≈|mean", figures.alt_text(asked))
    assert re.search(r"\d/\d", figures.alt_text(told))


PARTIAL_SYMBOLS = ["✓·○○", "○✓·✗", "✓✗✓·"]


@pytest.mark.parametrize(
    ("ratio", "title", "ignored", "notes", "result"),
    [
        (
            "accuracy",
            "Accuracy (Jaccard): ✓ ÷ (✓ + ✗ + ○)",
            "·",
            ["1/3", "1/3", "2/3"],
            "mean of the rows: 4/9 ≈ 0.444",
        ),
        (
            "precision",
            "Precision: ✓ ÷ (✓ + ✗)",
            "·○",
            ["1/1", "1/2", "2/3"],
            "mean of the rows: 13/18 ≈ 0.722",
        ),
        (
            "recall",
            "Recall: ✓ ÷ (✓ + ○)",
            "·✗",
            ["1/3", "1/2", "2/2"],
            "mean of the rows: 11/18 ≈ 0.611",
        ),
        ("F1", "F1: 2✓ ÷ (2✓ + ✗ + ○)", "·", ["2/4", "2/4", "4/5"], "mean of the rows: 3/5 = 0.6"),
        (
            "Hamming loss",
            "Hamming loss: (✗ + ○) ÷ all cells",
            "",
            ["2/4", "2/4", "1/4"],
            "mean of the rows: 5/12 ≈ 0.417",
        ),
        (
            "exact match",
            "Exact match: a row without ✗ and ○ is 1",
            "",
            ["2 wrong → 0", "2 wrong → 0", "1 wrong → 0"],
            "rows right: 0",
        ),
    ],
)
def test_label_grid_per_sample(ratio, title, ignored, notes, result):
    ax = figures.label_grid(TRUTH, PREDICTION, ratio)
    assert (read(ax)[0], read(ax)[-1]) == (title, KEY)
    symbols, fills = grid(ax)
    assert symbols == PARTIAL_SYMBOLS
    for (i, j), fill in fills.items():
        symbol = PARTIAL_SYMBOLS[i][j]
        assert fill == (WHITE if symbol in ignored else COLOURS[symbol])
    assert texts(ax, "note") == notes
    assert all(line.endswith(note) for line, note in zip(read(ax)[2:5], notes, strict=True))
    assert labelled(ax, "result") == [result]
    assert [inside(frame, ax, 4) for frame in frames(ax).values()] == [
        {(i, j) for j in range(4)} for i in range(3)
    ]


def test_label_grid_per_label_frames_the_columns():
    ax = figures.label_grid(TRUTH, PREDICTION, "F1", per="label")
    assert [inside(frame, ax, 4) for frame in frames(ax).values()] == [
        {(i, j) for i in range(3)} for j in range(4)
    ]


def test_label_grid_per_cell_pools_everything():
    ax = figures.label_grid(TRUTH, PREDICTION, "recall", per="cell")
    assert texts(ax, "note") == []
    assert labelled(ax, "result") == ["all cells together: 4/7 ≈ 0.571"]
    (frame,) = frames(ax).values()
    assert inside(frame, ax, 4) == {(i, j) for i in range(3) for j in range(4)}


def test_nothing_to_divide_by_counts_as_0():
    ax = figures.label_grid([[0, 0], [1, 1]], [[0, 0], [1, 1]], "accuracy")
    assert texts(ax, "note") == ["0/0 → 0", "2/2"]
    assert labelled(ax, "result") == ["mean of the rows: 1/2 = 0.5"]
    assert "Sample 1: all rightly left out, 0/0 → 0;" in figures.alt_text(ax)
    ax = figures.label_grid([[0, 0]], [[0, 0]], "accuracy", per="cell")
    assert labelled(ax, "result") == ["all cells together: 0/0, taken as 0"]


def test_a_reducible_ratio_is_shown_as_counted():
    ax = figures.label_grid([[1, 1, 0, 0]], [[1, 0, 1, 0]], "Hamming loss", per="cell")
    assert labelled(ax, "result") == ["all cells together: 2/4 = 1/2 = 0.5"]


PARTLY = np.ma.masked_equal([[1, -1]], -1)


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda: figures.label_matrix(TRUTH, labels=["A", "B"]), "labels has 2 names for 4 labels"),
        (lambda: figures.label_matrix(TRUTH, samples=["A"] * 3), "'A' at positions 0 and 1"),
        (lambda: figures.label_grid(PARTLY, [[1, 0]]), "y_true has masked cells"),
        (lambda: figures.rank_lists({"m": [1, 2]}, PARTLY), "y_true has masked cells"),
        (lambda: figures.top_window(PARTLY, [[1, 2]], k=1), "y_true has masked cells"),
        (lambda: figures.sorted_columns(PARTLY, [[1, 2]]), "y_true has masked cells"),
        (lambda: figures.label_trees(PARTLY, [[1, 0]], [[], []]), "y_true has masked cells"),
        (lambda: figures.disagreement(opposed(first=[[0.5] * 3] * 2)), "y_pred holds the score"),
        (lambda: figures.label_grid([[1, 0]], [[0.5, 0]]), r"y_pred holds the score 0\.5"),
        (
            lambda: figures.label_grid(TRUTH, PREDICTION, "f1"),
            "ratio is 'f1': choose one of 'exact",
        ),
        (lambda: figures.label_grid(TRUTH, PREDICTION, per="row"), "per is 'row': choose one of"),
        (lambda: figures.rank_lists({"m": TRUTH}, TRUTH), "y_true has 3 samples: give the labels"),
        (lambda: figures.label_trees([[1]], [[1]], [[0]]), "parents has a circle"),
        (lambda: figures.label_trees([[2]], [[1]], [[]]), "y_true holds 2 at row 0"),
        (lambda: figures.top_window([[1]], [[1]], k=2), "k is 2, more than the 1 labels"),
        (lambda: figures.top_window([[2]], [[1]], k=1), "y_true holds 2 at row 0"),
    ],
)
def test_bad_input_is_refused(draw, message):
    with pytest.raises(ValueError, match=message):
        draw()


# -------------------------------------------------------------------------------- rank lists


def ranking(scores=None, y_true=documents.RANKING.y_true, labels=documents.RANKING.labels):
    return figures.rank_lists(scores or documents.RANKING.scores, y_true, labels)


def test_brackets_join_misordered_pairs_and_the_rule_shows_the_coverage():
    ax = ranking()
    heights = {}
    for text in ax.texts:
        if text.get_label() == "name":
            x, y = text.get_position()
            heights.setdefault(x, {})[text.get_text()] = y
    one, two = heights.values()
    brackets = [tuple(line.get_ydata()[[0, -1]]) for line in ax.lines if "mis" in line.get_label()]
    assert brackets == [
        (one["geography"], one["sport"]),
        (two["technology"], two["sport"]),
        (two["geography"], two["sport"]),
    ]
    depths = [line.get_ydata()[0] for line in ax.lines if line.get_label() == "depth"]
    assert one["sport"] < depths[0] < one["technology"]
    assert two["sport"] < depths[1] < two["military"]


def test_tied_labels_share_the_largest_rank():
    ax = ranking({"model": [0.5, 0.5, 0.1]}, [1, 0, 1], "ABC")
    assert labelled(ax, "rank") == ["2", "2", "3"]
    assert labelled(ax, "share") == ["1/2", "", "2/3"]
    assert labelled(ax, "summary") == [
        *("one-error 1", "coverage 3", "ranking loss 2/2 = 1"),
        "average precision 7/12 ≈ 0.583",
    ]


def test_rank_lists_without_anything_to_find_or_to_misorder():
    assert labelled(ranking({"m": [1, 2]}, [0, 0], "AB"), "summary") == [
        *("one-error undefined", "coverage undefined"),
        *("ranking loss undefined", "average precision undefined"),
    ]
    assert labelled(ranking({"m": [1, 2]}, [1, 1], "AB"), "summary") == [
        *("one-error 0", "coverage 2", "ranking loss undefined", "average precision 1")
    ]


# ----------------------------------------------------------------------------- disagreements


def test_disagreement_of_label_sets():
    ax = figures.disagreement(opposed())
    assert figures.alt_text(ax) == (
        "First prediction of 2 samples and 3 labels (A, B, C). Sample 1: all rightly left out;"
        " sample 2: false alarm A and B, miss C. Second prediction of 2 samples and 3 labels"
        " (A, B, C). Sample 1: false alarm C; sample 2: miss C. Subset accuracy ↑  first 1/2 = 0.5,"
        " second 0: prefers the first. Hamming loss ↓  first 1/2 = 0.5, second 1/3 ≈ 0.333: prefers"
        " the second."
    )


def test_pair_table():
    ax = figures.pair_table(six_pairs(), [("a", "d")])
    assert figures.alt_text(ax) == (
        "Cells of the smallest data, within 2 samples × 3 labels, on which two metrics disagree; ="
        " never, – none found; each metric against those before it. 1 a; 2 b: 2; 3 c: 6 –; 4 d: = 4 3."
    )
