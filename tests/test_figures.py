"""Pictures are read back as data, and compared with what was worked out by hand."""

import io
import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from base64 import b64decode
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from matplotlib.colors import to_hex, to_rgb
from PIL import Image

from mlm_helpers import documents, exact_match, example_based, figures, hamming
from mlm_helpers.disagreement import Disagreement
from mlm_helpers.figures.families import COUNTS
from mlm_helpers.figures.lines import _spread
from mlm_helpers.figures.pen import figure_of
from mlm_helpers.ranking import coverage, one_error

BLUE, ORANGE, PALE, WHITE = "#0072b2", "#e69f00", "#dceffa", "#ffffff"  # hit, false alarm, miss, -
COLOURS = {"✓": BLUE, "✗": ORANGE, "○": PALE, "·": WHITE}
TRUTH, PREDICTION = documents.PARTIAL_CREDIT.y_true, documents.PARTIAL_CREDIT.y_pred
TABLE = {
    "F1": {"tree": 0.8, "Bayes": 0.7, "none": 0.0},
    "Hamming loss": {"tree": 0.2, "Bayes": 0.1, "none": 0.4},
    "recall": {"tree": 0.5, "Bayes": 0.9, "none": 0.5},
}
CURVES = {"plain": (0.5, 0.6, 0.65), "tuned": (0.55, 0.5, 0.7)}
TIMES = {
    "samples F1": {"ours": [1.25, 12.5, 2000], "theirs": [30, 400, None]},
    "coverage": {"ours": [2.5, 30, 300]},
}
GROWTHS = ("samples", "labels", "density")
METRIC = SimpleNamespace(
    name="F1", family="label-based", direction="higher is better", reads="y_pred"
)
LOSS = SimpleNamespace(
    name="ranking loss", family="ranking", direction="lower is better", reads="y_score"
)


# ---------------------------------------------------------------------- reading pictures


def texts(ax, label):
    """The texts of a picture that carry a label, in the order of drawing."""
    return [text.get_text() for text in ax.texts if text.get_label().rpartition("-")[0] == label]


def plain(ax, label):
    return [text.get_text() for text in ax.texts if text.get_label() == label]


def grid(ax):
    """Symbols and fills of a grid by (row, column), read where they were drawn."""
    marks = {t.get_label()[5:]: t for t in ax.texts if t.get_label().startswith("mark-")}
    symbols, fills, corners = {}, {}, {}
    for box in ax.patches:
        if str(box.get_label()).startswith("cell-"):
            name = box.get_label()[5:]
            place = tuple(map(int, name.split("-")))
            x, y = marks[name].get_position()
            assert box.get_x() < x < box.get_x() + box.get_width()
            assert box.get_y() < y < box.get_y() + box.get_height()
            symbols[place] = marks[name].get_text()
            fills[place] = to_hex(box.get_facecolor())
            corners[place] = box.get_x(), box.get_y()
    assert all(corners[i, j] < corners[i, j + 1] for i, j in corners if (i, j + 1) in corners)
    assert all(corners[i, j][1] < corners[i + 1, j][1] for i, j in corners if (i + 1, j) in corners)
    rows = max(i for i, _ in symbols) + 1
    columns = max(j for _, j in symbols) + 1
    return ["".join(symbols[i, j] for j in range(columns)) for i in range(rows)], fills


def frames(ax):
    return {box.get_label(): box for box in ax.patches if str(box.get_label())[:6] == "frame-"}


def inside(frame, ax, columns):
    """The (row, column) of the cells that a frame encloses."""
    found = set()
    for box in ax.patches:
        if str(box.get_label()).startswith("cell-"):
            x, y = box.get_x(), box.get_y()
            right, bottom = x + box.get_width(), y + box.get_height()
            if (
                frame.get_x() < x
                and frame.get_y() < y
                and right < frame.get_x() + frame.get_width()
                and bottom < frame.get_y() + frame.get_height()
            ):
                found.add(tuple(map(int, box.get_label()[5:].split("-"))))
    return found


def lines(ax):
    """The lines of a chart by name, without the markers beside their names."""
    return {line.get_label(): line for line in ax.lines if line.get_label() != "_end"}


# ----------------------------------------------------------------------------- label grids


def test_label_matrix_shows_every_cell():
    ax = figures.label_matrix(TRUTH, labels="ABCD", samples=["x", "y", "z"], title="Truth")
    symbols, fills = grid(ax)
    assert symbols == ["1011", "1100", "1010"]
    assert {fill for place, fill in fills.items() if TRUTH[place[0]][place[1]]} == {"#3a3a3a"}
    assert {fill for place, fill in fills.items() if not TRUTH[place[0]][place[1]]} == {WHITE}
    written = [text.get_text() for text in ax.texts]
    assert written[0] == "Truth"
    assert {*"ABCD", "x", "y", "z"} <= set(written)
    assert figures.alt_text(ax) == (
        "Truth of 3 samples and 4 labels (A, B, C, D). X: A, C, D; y: A, B; z: A, C."
    )


@pytest.mark.parametrize("per", ["sample", "label", "cell"])
def test_label_grid_can_leave_the_answer_to_the_reader(per):
    asked = figures.label_grid(TRUTH, PREDICTION, "F1", per=per, answer=False)
    told = figures.label_grid(TRUTH, PREDICTION, "F1", per=per)
    assert grid(asked) == grid(told)
    assert not texts(asked, "result")
    assert not any(texts(asked, "note"))
    assert not re.search(r"\d/\d|≈|mean", figures.alt_text(asked))
    assert re.search(r"\d/\d", figures.alt_text(told))


def test_label_grid_of_one_sample_has_no_mean():
    assert texts(figures.label_grid([[1, 0]], [[1, 1]], "F1"), "result") == ["in all: 2/3 ≈ 0.667"]


PARTIAL_SYMBOLS = ["✓·○○", "○✓·✗", "✓✗✓·"]


@pytest.mark.parametrize(
    ("ratio", "ignored", "notes", "result"),
    [
        ("accuracy", "·", ["1/3", "1/3", "2/3"], "mean of the rows: 4/9 ≈ 0.444"),
        ("precision", "·○", ["1/1", "1/2", "2/3"], "mean of the rows: 13/18 ≈ 0.722"),
        ("recall", "·✗", ["1/3", "1/2", "2/2"], "mean of the rows: 11/18 ≈ 0.611"),
        ("F1", "·", ["2/4", "2/4", "4/5"], "mean of the rows: 3/5 = 0.6"),
        ("Hamming loss", "", ["2/4", "2/4", "1/4"], "mean of the rows: 5/12 ≈ 0.417"),
        (
            "exact match",
            "",
            ["2 wrong → 0", "2 wrong → 0", "1 wrong → 0"],
            "rows right: 0",
        ),
    ],
)
def test_label_grid_per_sample(ratio, ignored, notes, result):
    ax = figures.label_grid(TRUTH, PREDICTION, ratio)
    symbols, fills = grid(ax)
    assert symbols == PARTIAL_SYMBOLS
    for (i, j), fill in fills.items():
        symbol = PARTIAL_SYMBOLS[i][j]
        assert fill == (WHITE if symbol in ignored else COLOURS[symbol])
    assert texts(ax, "note") == notes
    assert texts(ax, "result") == [result]
    assert texts(ax, "legend") == ["hit: 4", "false alarm: 2", "miss: 3", "rightly left out: 3"]
    assert [inside(frame, ax, 4) for frame in frames(ax).values()] == [
        {(i, j) for j in range(4)} for i in range(3)
    ]


def test_ignored_cells_look_different_from_counted_ones():
    counted = figures.label_grid([[0, 1]], [[0, 1]], "Hamming loss")
    ignored = figures.label_grid([[0, 1]], [[0, 1]], "accuracy")
    edges = [
        to_hex(next(b for b in ax.patches if b.get_label() == "cell-0-0").get_edgecolor())
        for ax in (counted, ignored)
    ]
    assert edges == ["#6b6b6b", "#dddddd"]


def test_label_grid_per_label_shows_macro_and_micro():
    document = documents.MACRO_MICRO
    ax = figures.label_grid(document.y_true, document.y_pred, "F1", per="label")
    assert grid(ax)[0] == ["✓···", "✓✓✗·", "✓✓✓✓"]
    assert texts(ax, "note") == ["6/6", "4/4", "2/3", "2/2"]
    assert texts(ax, "result") == [
        "macro, divide and then average: mean of the columns 11/12 ≈ 0.917",
        "micro, add up and then divide: 14/15 ≈ 0.933",
    ]
    assert [inside(frame, ax, 4) for frame in frames(ax).values()] == [
        {(i, j) for i in range(3)} for j in range(4)
    ]


def test_label_grid_per_cell_pools_everything():
    ax = figures.label_grid(TRUTH, PREDICTION, "recall", per="cell")
    assert texts(ax, "note") == []
    assert texts(ax, "result") == ["all cells together: 4/7 ≈ 0.571"]
    (frame,) = frames(ax).values()
    assert inside(frame, ax, 4) == {(i, j) for i in range(3) for j in range(4)}


def test_nothing_to_divide_by_counts_as_0():
    ax = figures.label_grid([[0, 0], [1, 1]], [[0, 0], [1, 1]], "accuracy")
    assert texts(ax, "note") == ["0/0 → 0", "2/2"]
    assert texts(ax, "result") == ["mean of the rows: 1/2 = 0.5"]
    assert "Sample 1: all rightly left out, 0/0 → 0;" in figures.alt_text(ax)
    ax = figures.label_grid([[0, 0]], [[0, 0]], "accuracy", per="cell")
    assert texts(ax, "result") == ["all cells together: 0/0, taken as 0"]


def test_a_reducible_ratio_is_shown_as_counted():
    ax = figures.label_grid([[1, 1, 0, 0]], [[1, 0, 1, 0]], "Hamming loss", per="cell")
    assert texts(ax, "result") == ["all cells together: 2/4 = 1/2 = 0.5"]


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match="2 names for 4 labels: give 4"):
        figures.label_matrix(TRUTH, labels=["A", "B"])
    with pytest.raises(ValueError, match=r"y_pred holds the score 0\.5"):
        figures.label_grid([[1, 0]], [[0.5, 0]])


# ---------------------------------------------------------------------------- rank lists


def ranking(scores=None, y_true=documents.RANKING.y_true, labels=documents.RANKING.labels):
    return figures.rank_lists(scores or documents.RANKING.scores, y_true, labels)


def test_rank_lists_of_the_two_models():
    ax = ranking()
    assert plain(ax, "name") == [
        *("entertainment", "geography", "sport", "technology", "military"),
        *("entertainment", "geography", "technology", "sport", "military"),
    ]
    assert plain(ax, "score") == ["0.5", "0.4", "0.3", "0.15", "0.1", "0.6", "0.4", "0.35", "0.3", "0.1"]  # fmt: skip
    assert plain(ax, "rank") == ["1", "2", "3", "4", "5"] * 2
    assert plain(ax, "mark") == ["✓", "", "✓", "", "", "✓", "", "", "✓", ""]
    assert sorted(plain(ax, "share")) == ["1/1", "1/1", "2/3", "2/4"]
    assert plain(ax, "summary") == [
        *("one-error 0", "coverage 3", "ranking loss 1/6 ≈ 0.167"),
        "average precision 5/6 ≈ 0.833",
        *("one-error 0", "coverage 4", "ranking loss 2/6 = 1/3 ≈ 0.333"),
        "average precision 3/4 = 0.75",
    ]
    filled = [b.get_label() for b in ax.patches if to_hex(b.get_facecolor()) == BLUE]
    assert filled == ["relevant"] * 4


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
    assert plain(ax, "rank") == ["2", "2", "3"]
    assert sorted(plain(ax, "share")) == ["1/2", "2/3"]
    assert plain(ax, "summary") == [
        *("one-error 1", "coverage 3", "ranking loss 2/2 = 1"),
        "average precision 7/12 ≈ 0.583",
    ]


def test_rank_lists_without_anything_to_find_or_to_misorder():
    assert plain(ranking({"m": [1, 2]}, [0, 0], "AB"), "summary") == [
        "no relevant label: nothing to find"
    ]
    assert plain(ranking({"m": [1, 2]}, [1, 1], "AB"), "summary") == [
        *("one-error 0", "coverage 2", "ranking loss undefined", "average precision 1")
    ]


# -------------------------------------------------------------------------- lines and dots


def test_training_curves_draw_every_point_with_its_own_marker():
    document = documents.FORMULAS
    ax = figures.training_curves(document.curves, document.epochs)
    drawn = lines(ax)
    assert {name: line.get_marker() for name, line in drawn.items()} == {
        "w/o ATM, w/o APP": "o",
        "w/ ATM, w/o APP": "^",
        "w/o ATM, w/ APP": "*",
        "w/ ATM, w/ APP": "s",
    }
    assert {name: tuple(line.get_ydata()) for name, line in drawn.items()} == dict(document.curves)
    assert all(tuple(line.get_xdata()) == (1, 2, 3, 4, 5, 6, 7, 8) for line in drawn.values())
    assert len({str(line._dash_pattern) for line in drawn.values()}) == 4
    assert len({line.get_color() for line in drawn.values()}) == 4
    assert ax.get_title(loc="left") == "Micro-F1 score over epochs"
    assert ax.get_xlabel() == "epoch"
    low, high = ax.get_ylim()
    assert 0.5 < low < 0.52
    assert 0.66 < high < 0.68


def test_each_line_is_named_at_its_end():
    ax = figures.training_curves(CURVES, [1, 2, 3], limits=(0, 1))
    assert ax.get_ylim() == (0, 1)
    named = {text.get_text(): text for text in ax.texts if text.get_text()}
    assert {name: text.xy for name, text in named.items()} == {
        "plain": (3, 0.65),
        "tuned": (3, 0.7),
    }
    assert (
        named["plain"].get_position()[1] + 14 < named["tuned"].get_position()[1] + 0.05 * 3.7 * 72
    )
    beside = [line for line in ax.lines if line.get_label() == "_end"]
    assert [line.get_marker() for line in beside] == ["o", "^"]
    assert ", drawn from 0 to 1: " in figures.alt_text(ax)


def test_names_at_the_ends_keep_apart():
    apart = _spread([0.5, 0.5, 0.9], 0.1)
    assert apart == pytest.approx([0.5 - 0.1 / 3, 0.6 - 0.1 / 3, 0.9 - 0.1 / 3])


def test_threshold_sweep():
    ax = figures.threshold_sweep([0.2, 0.5, 0.8], CURVES)
    assert {name: tuple(line.get_ydata()) for name, line in lines(ax).items()} == CURVES
    assert all(tuple(line.get_xdata()) == (0.2, 0.5, 0.8) for line in lines(ax).values())
    assert ax.get_ylim() == (0, 1)
    assert ax.get_xlabel() == "threshold"
    assert figures.alt_text(ax) == (
        "Metrics by threshold at threshold 0.2 0.5 0.8, drawn from 0 to 1:"
        " plain 0.5 0.6 0.65; tuned 0.55 0.5 0.7."
    )


def test_value_bars():
    values = {"Jaccard": Fraction(4, 9), "exact match": Fraction(0), "score": 1.25}
    ax = figures.value_bars(values, title="Three numbers")
    assert [bar.get_width() for bar in ax.patches] == [4 / 9, 0, 1.25]
    assert [bar.get_x() for bar in ax.patches] == [0, 0, 0]
    assert [label.get_text() for label in ax.get_yticklabels()] == list(values)
    assert [text.strip() for text in texts(ax, "value")] == ["4/9 ≈ 0.444", "0", "1.25"]
    assert ax.get_xlim() == (0, 1.25)
    assert figure_of(ax).texts[0].get_text() == "Three numbers"
    assert ax.yaxis_inverted()


GIVEN = {"b": 1.0, "Spark": float("nan"), "a": 0.5, "napkin": "raises ValueError", "c": 0.5000001}


def test_tool_dots():
    ax = figures.tool_dots(GIVEN, title="F1")
    (dots,) = ax.lines
    names = [label.get_text() for label in ax.get_yticklabels()]
    assert names == ["a", "c", "b", "Spark", "napkin"]
    assert dots.get_xdata().tolist() == [0.5, 0.5000001, 1.0]
    assert list(dots.get_ydata()) == [0, 1, 2]
    assert list(ax.get_yticks()) == [0, 1, 2, 3, 4]
    assert texts(ax, "value") == ["0.5", "0.5", "1", "nan", "raises ValueError"]
    written = [text for text in ax.texts if text.get_label().startswith("value-")]
    assert [text.get_position()[1] for text in written] == [0, 1, 2, 3, 4]
    assert [text.get_position()[0] for text in written[:3]] == [0.5, 0.5000001, 1.0]
    assert figure_of(ax).texts[0].get_text() == "F1"
    assert ax.yaxis_inverted()
    figure_of(ax).canvas.draw()
    line = ax.get_window_extent().x1
    assert [text.get_window_extent().x0 > line + 20 for text in written[3:]] == [True, True]


def test_a_small_number_is_not_written_as_minus_zero():
    ax = figures.tool_dots({"a": -0.0001, "b": -0.0, "c": 0.00024}, title="F1")
    assert figures.alt_text(ax) == "F1: -0.0001 from a; 0 from b; 0.00024 from c."


def test_tool_dots_leave_the_unit_interval_where_a_number_does():
    assert figures.tool_dots({"a": -1.0, "b": 3.0}, title="coverage").get_xlim() == (-1, 3)
    assert figures.tool_dots({"a": 0.25}, title="F1").get_xlim() == (0, 1)


def test_metric_dots():
    ax = figures.metric_dots(TABLE, lower_is_better=["Hamming loss"])
    models = {line.get_label(): line for line in ax.lines}
    assert {name: tuple(line.get_xdata()) for name, line in models.items()} == {
        "tree": (0.8, 0.2, 0.5),
        "Bayes": (0.7, 0.1, 0.9),
        "none": (0, 0.4, 0.5),
    }
    assert all(np.allclose(line.get_ydata(), [0, 1, 2], atol=0.3) for line in models.values())
    assert len({line.get_marker() for line in models.values()}) == 3
    rows = [label.get_text() for label in ax.get_yticklabels()]
    assert rows == ["F1 ↑", "Hamming loss ↓", "recall ↑"]
    (legend,) = figure_of(ax).legends
    assert [text.get_text() for text in legend.get_texts()] == ["tree", "Bayes", "none"]
    single = figures.metric_dots({"F1": {"tree": 2.5}})
    assert single.get_xlim() == (0, 2.5)


def test_rank_reversals():
    ax = figures.rank_reversals(TABLE, lower_is_better=["Hamming loss"])
    places = {name: line.get_ydata() for name, line in lines(ax).items()}
    first, second, third = sorted({float(y) for heights in places.values() for y in heights})
    assert {name: list(map(float, heights)) for name, heights in places.items()} == {
        "tree": [first, second, second],
        "Bayes": [second, first, first],
        "none": [third, third, third],
    }
    assert plain(ax, "first") == ["tree", "Bayes", "none"]
    heights = {t.get_text(): t.get_position()[1] for t in ax.texts if t.get_label() == "last"}
    assert heights == {"Bayes": first, "tree": second, "none": third}
    assert sorted(plain(ax, "value")) == sorted(
        ["0.8", "0.7", "0", "0.2", "0.1", "0.4", "0.5", "0.9", "0.5"]
    )
    assert sorted(plain(ax, "metric")) == sorted(["F1 ↑", "Hamming", "loss ↓", "recall ↑"])
    (tie,) = [box for box in ax.patches if box.get_label() == "tie"]
    assert tie.get_y() < second < third < tie.get_y() + tie.get_height()
    assert first < tie.get_y()
    assert figures.alt_text(ax) == (
        "Models from best to worst. F1 ↑: tree 0.8, Bayes 0.7, none 0;"
        " Hamming loss ↓: Bayes 0.1, tree 0.2, none 0.4; recall ↑: Bayes 0.9, tree 0.5 = none 0.5."
    )


@pytest.mark.parametrize("draw", [figures.metric_dots, figures.rank_reversals])
def test_tables_must_have_the_same_models_throughout(draw):
    with pytest.raises(ValueError, match="B has other models than the first metric"):
        draw({"A": {"x": 1}, "B": {"y": 1}})


def test_too_many_series_are_refused():
    with pytest.raises(ValueError, match="9 series, which nobody can tell apart: give 8"):
        figures.threshold_sweep([0], {str(i): [0] for i in range(9)})


# -------------------------------------------------------------------- the map of metrics


def test_metric_map_lists_each_metric_once_under_its_family():
    ax = figures.metric_map([LOSS, METRIC, METRIC])
    assert texts(ax, "metric") == ["F1 ↑", "F1 ↑", "ranking loss ↓"]
    written = [text.get_text() for text in ax.texts]
    assert written.index("Label-based") < written.index("Ranking")
    assert [t for t in written if t.startswith("needs")] == ["needs label sets", "needs scores"]
    assert figures.alt_text(ax) == (
        "Map of 3 metrics, ↑ higher or ↓ lower is better. Label-based, from label sets"
        " (each column: a ratio; or all pooled): F1 ↑, F1 ↑; ranking, from scores"
        " (each row: its labels by score): ranking loss ↓."
    )


def test_metric_map_draws_the_whole_catalogue():
    from mlm_helpers.catalogue import FAMILIES, METRICS

    assert tuple(COUNTS) == FAMILIES
    assert [name[:-2] for name in texts(figures.metric_map(), "metric")] == [
        m.name for m in METRICS
    ]


def test_the_little_grids_frame_rows_columns_or_everything():
    ax = figures.metric_map()
    families = [name.rpartition("-")[0] for name in frames(ax)]
    assert {family: families.count(family) for family in families} == {
        "frame-exact match": 3,
        "frame-example-based": 3,
        "frame-Hamming": 1,
        "frame-label-based": 3,
    }


# ---------------------------------------------------------------------- alternative text

ALTERNATIVES = {
    "exact_match": (
        "Exact match: a row without ✗ and ○ is 1, per sample, on 3 samples and 4 labels (label 1,"
        " label 2, label 3, label 4). Sample 1: hit label 2, false alarm label 3, miss label 4,"
        " 2 wrong → 0; sample 2: hit label 2 and label 3, 0 wrong → 1; sample 3: hit label 4, false"
        " alarm label 2, miss label 1 and label 3, 3 wrong → 0; rows right: 1/3 ≈ 0.333."
    ),
    "example_based": (
        "Accuracy (Jaccard): ✓ ÷ (✓ + ✗ + ○), per sample, on 3 samples and 4 labels (label 1,"
        " label 2, label 3, label 4). Sample 1: hit label 1, miss label 3 and label 4, 1/3;"
        " sample 2: hit label 2, false alarm label 4, miss label 1, 1/3; sample 3: hit label 1 and"
        " label 3, false alarm label 2, 2/3; mean of the rows: 4/9 ≈ 0.444."
    ),
    "hamming": (
        "Hamming loss: (✗ + ○) ÷ all cells, per cell, on 3 samples and 4 labels (label 1, label 2,"
        " label 3, label 4). Sample 1: hit label 2, false alarm label 3, miss label 4; sample 2:"
        " hit label 2 and label 3; sample 3: hit label 4, false alarm label 2, miss label 1 and"
        " label 3; all cells together: 5/12 ≈ 0.417."
    ),
    "label_based": (
        "F1: 2✓ ÷ (2✓ + ✗ + ○), per label, on 3 samples and 4 labels (label 1, label 2, label 3,"
        " label 4). Sample 1: hit label 1; sample 2: hit label 1 and label 2, false alarm label 3;"
        " sample 3: hit label 1, label 2, label 3 and label 4; label 1 6/6, label 2 4/4, label 3"
        " 2/3, label 4 2/2; macro, divide and then average: mean of the columns 11/12 ≈ 0.917;"
        " micro, add up and then divide: 14/15 ≈ 0.933."
    ),
    "ranking": (
        "Labels by rank. Model one: 1 entertainment 0.5 (1/1 relevant), 2 geography 0.4, 3 sport"
        " 0.3 (2/3 relevant), 4 technology 0.15, 5 military 0.1; misordered geography before sport;"
        " one-error 0, coverage 3, ranking loss 1/6 ≈ 0.167, average precision 5/6 ≈ 0.833."
        " Model two: 1 entertainment 0.6 (1/1 relevant), 2 geography 0.4, 3 technology 0.35,"
        " 4 sport 0.3 (2/4 relevant), 5 military 0.1; misordered technology before sport and"
        " geography before sport; one-error 0, coverage 4, ranking loss 2/6 = 1/3 ≈ 0.333,"
        " average precision 3/4 = 0.75."
    ),
    "conventions": (
        "A perfect prediction, and its samples F1 in each tool: 0.5 from scikit-learn,"
        " torchmetrics, xCOLUMNs, napkinXC, river and MEKA; 1 from MULAN; nan from Spark MLlib."
    ),
    "training_curves": (
        "Micro-F1 score over epochs at epoch 1 2 3 4 5 6 7 8:"
        " w/o ATM, w/o APP 0.52 0.54 0.56 0.58 0.6 0.61 0.62 0.63;"
        " w/ ATM, w/o APP 0.53 0.55 0.57 0.59 0.61 0.62 0.63 0.64;"
        " w/o ATM, w/ APP 0.54 0.56 0.58 0.59 0.61 0.64 0.63 0.65;"
        " w/ ATM, w/ APP 0.55 0.57 0.58 0.56 0.62 0.63 0.64 0.66."
    ),
}


@pytest.mark.parametrize("stem", ALTERNATIVES)
def test_alternative_texts_of_the_documents_pictures(stem):
    assert figures.alt_text(figures.PICTURES[stem]()) == ALTERNATIVES[stem]


def test_every_family_has_its_picture():
    names = {"exact_match", "example_based", "hamming", "label_based", "ranking"}
    others = {"training_curves", "metric_map", "disagreements", "conventions", "at_scale"}
    assert set(figures.PICTURES) == names | others | {f"growth_{by}" for by in GROWTHS}


def flipped(matrix):
    """Every matrix that differs from a 0/1 matrix in one cell."""
    for place in np.ndindex(np.shape(matrix)):
        other = np.array(matrix)
        other[place] = 1 - other[place]
        yield other


def moved(table):
    """Every mapping of name to values that differs in one value, or in one name."""
    for name, values in table.items():
        for key in values if isinstance(values, dict) else range(len(values)):
            other = values.copy() if isinstance(values, dict) else list(values)
            other[key] += 0.011
            yield table | {name: other}
        yield {f"{n}!" if n == name else n: v for n, v in table.items()}


def renamed(names):
    for i in range(len(names)):
        yield [f"{name}!" if i == j else name for j, name in enumerate(names)]


def growth(times=None, sizes=(10, 100, 1000), *, by="samples", data="few labels", limit=20):
    return figures.growth(times or TIMES, sizes, by=by, data=data, limit=limit)


def variants(kind):
    """A picture's sentence, then the sentence after each change of a single datum."""
    names, samples, scores = list("ABCD"), list("xyz"), documents.RANKING.scores
    if kind == "matrix":
        yield figures.label_matrix(TRUTH)
        yield from map(figures.label_matrix, flipped(TRUTH))
        yield from (figures.label_matrix(TRUTH, labels=new) for new in [names, *renamed(names)])
        yield from (
            figures.label_matrix(TRUTH, samples=new) for new in [samples, *renamed(samples)]
        )
        yield figures.label_matrix(TRUTH, title="Other")
    elif kind in figures.RATIOS:
        truth, prediction = [row[:3] for row in TRUTH[:2]], [row[:3] for row in PREDICTION[:2]]
        for per in ("sample", "label", "cell"):
            draw = partial(figures.label_grid, ratio=kind, per=per)
            yield draw(truth, prediction)
            yield from (draw(other, prediction) for other in flipped(truth))
            yield from (draw(truth, other) for other in flipped(prediction))
            for new in ["ABC", *renamed("ABC")]:
                yield draw(truth, prediction, labels=new)
            for new in ["xy", *renamed("xy")]:
                yield draw(truth, prediction, samples=new)
    elif kind == "ranks":
        yield ranking()
        yield from (ranking(other) for other in moved(scores))
        yield from (ranking(y_true=other) for other in flipped(documents.RANKING.y_true))
        yield from (ranking(labels=new) for new in renamed(documents.RANKING.labels))
    elif kind == "curves":
        curves, epochs = dict(documents.FORMULAS.curves), documents.FORMULAS.epochs
        yield figures.training_curves(curves, epochs)
        yield from (figures.training_curves(other, epochs) for other in moved(curves))
        yield figures.training_curves(curves, [0, *epochs[1:]])
        yield figures.training_curves(curves, epochs, limits=(0, 1))
        yield figures.training_curves(curves, epochs, limits=(0.1, 1))
    elif kind == "sweep":
        yield figures.threshold_sweep([0.1, 0.2, 0.3], CURVES)
        yield from (figures.threshold_sweep([0.1, 0.2, 0.3], other) for other in moved(CURVES))
        for thresholds in ([0.0, 0.2, 0.3], [0.1, 0.25, 0.3], [0.1, 0.2, 0.4]):
            yield figures.threshold_sweep(thresholds, CURVES)
        yield figures.threshold_sweep([0.1, 0.2, 0.3], CURVES, limits=None)
    elif kind == "bars":
        for values in ({"a": 0.1, "b": Fraction(1, 3)}, {"a": 0.2, "b": Fraction(1, 3)},
                       {"a": 0.1, "b": Fraction(2, 3)}, {"c": 0.1, "b": Fraction(1, 3)}):  # fmt: skip
            yield figures.value_bars(values, title="Two")
        yield figures.value_bars({"a": 0.1, "b": Fraction(1, 3)}, title="Three")
    elif kind == "growth":
        yield growth()
        yield from (growth({metric: one}) for metric, one in TIMES.items())
        for metric, series in TIMES.items():
            for tool, times in series.items():
                for i in range(3):
                    other = [*times[:i], (times[i] or 0) + 1, *times[i + 1 :]]
                    yield growth(TIMES | {metric: series | {tool: other}})
            yield growth(TIMES | {metric: series | {"third": [1, None, None]}})
        yield from (growth(by=by) for by in GROWTHS[1:])
        yield growth(sizes=[10, 100, 2000])
        yield growth(data="few")
        yield growth(limit=30)
    elif kind == "merging":
        one, other = figures.BATCHES
        for batches in ([one, other], [other, one], [one], [one, other, other]):
            yield figures.merging(batches)
        yield figures.merging([one, other], labels="AB")
        for i in (0, 1):
            for truth in flipped(one[i]):
                yield figures.merging([(truth, one[1]) if i == 0 else (one[0], truth), other])
    elif kind == "tools":
        yield figures.tool_dots(GIVEN, title="One")
        yield figures.tool_dots(GIVEN, title="Two")
        for tool in ("a", "b", "c"):
            yield figures.tool_dots(GIVEN | {tool: GIVEN[tool] + 0.011}, title="One")
        yield figures.tool_dots(GIVEN | {"Spark": float("inf")}, title="One")
        yield figures.tool_dots(GIVEN | {"napkin": "raises KeyError"}, title="One")
    elif kind == "map":
        yield figures.metric_map([METRIC, LOSS])
        for change in ({"name": "x"}, {"family": "Hamming"}, {"direction": "lower is better"},
                       {"reads": "y_score"}):  # fmt: skip
            yield figures.metric_map([SimpleNamespace(**(vars(METRIC) | change)), LOSS])
        yield figures.metric_map([METRIC])
    else:
        draw = {"dots": figures.metric_dots, "reversals": figures.rank_reversals}[kind]
        yield draw(TABLE)
        yield from (draw(other) for other in moved(TABLE))
        yield from (draw(TABLE, lower_is_better=[metric]) for metric in TABLE)
        yield draw({k: {f"{m}!": v for m, v in column.items()} for k, column in TABLE.items()})


KINDS = ["matrix", "ranks", "curves", "sweep", "bars", "growth", "map", "dots", "reversals"]
KINDS += ["merging", "tools"]


@pytest.mark.no_cover
@pytest.mark.parametrize("kind", [*KINDS, *figures.RATIOS])
def test_changing_any_datum_changes_the_sentence(kind):
    sentences = [figures.alt_text(ax) for ax in variants(kind)]
    assert len(sentences) > 4
    assert len(set(sentences)) == len(sentences)
    assert all("\n" not in sentence and sentence.endswith(".") for sentence in sentences)


# -------------------------------------------------------------------------- colours, files


def luminance(color):
    """Relative luminance, as the Web Content Accessibility Guidelines define it."""
    channels = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(color)]
    return 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2]


def contrast(one, other):
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_the_three_symbols_survive_grey_printing():
    marks = [mark for mark in figures.MARKS if mark.symbol != "·"]
    levels = sorted(luminance(mark.fill) for mark in marks)
    assert np.diff(levels).min() > 0.2
    assert len({mark.symbol for mark in marks}) == 3
    assert len({(mark.edge, mark.line) for mark in marks}) == 3
    assert all(contrast(mark.ink, mark.fill) > 4.5 for mark in marks)


def test_series_differ_in_more_than_colour():
    assert len({stroke.marker for stroke in figures.STROKES}) == len(figures.STROKES)
    assert len({str(stroke.line) for stroke in figures.STROKES}) == len(figures.STROKES)


@pytest.mark.no_cover
@pytest.mark.parametrize("stem", figures.PICTURES)
def test_rendering_twice_gives_the_same_bytes(stem):
    draw = figures.PICTURES[stem]
    once = figures.png(draw())
    assert once == figures.png(draw())
    assert figures.svg(draw(), stem) == figures.svg(draw(), stem)
    assert len(once) < 100_000
    assert b"Software" not in once


EXAMPLES = figures.PICTURES | {
    "reversals": partial(figures.rank_reversals, TABLE),
    "dots": partial(figures.metric_dots, TABLE),
    "close ends": partial(figures.threshold_sweep, [0, 1], {key: [0.5, 0.5] for key in "abcdef"}),
    "growth": growth,
    "merging": partial(figures.merging, [([[0, 1, 1]] * 2, [[1, 0, 1]] * 2)] * 3),
    "bars": partial(figures.value_bars, {"a long name": 1, "b": Fraction(1, 3)}, title="A title"),
    "tools": partial(figures.tool_dots, GIVEN, title="A title of more words than the dots need"),
    "matrix": partial(figures.label_matrix, TRUTH, labels=["entertainment", "b", "c", "d"]),
}


def within(value, limits):
    return min(limits) <= value <= max(limits)


@pytest.mark.no_cover
@pytest.mark.parametrize("draw", EXAMPLES.values(), ids=list(EXAMPLES))
def test_texts_neither_leave_the_page_nor_cover_each_other(draw):
    ax = draw()
    figure = figure_of(ax)
    figure.canvas.draw()
    width, height = figure.bbox.size
    ticks = [
        text
        for part in figure.axes
        for i, (texts, limits) in enumerate(
            [(part.get_xticklabels(), part.get_xlim()), (part.get_yticklabels(), part.get_ylim())]
        )
        for text in texts
        if part.axison and within(text.get_position()[i], limits)
    ]
    words = [*(text for part in figure.axes for text in part.texts), *figure.texts, *ticks]
    words = [text for text in words if text.get_text().strip()]
    boxes = [text.get_window_extent().shrunk(0.98, 0.7) for text in words]
    for text, box in zip(words, boxes, strict=True):
        assert box.x0 >= 0, text
        assert box.y0 >= 0, text
        assert box.x1 <= width, text
        assert box.y1 <= height, text
    low, high = (
        np.array([[box[end] for end in ends] for box in (b.extents for b in boxes)])
        for ends in ((0, 1), (2, 3))
    )
    overlap = ((low[:, None] < high) & (low < high[:, None])).all(axis=2)
    pairs = [(words[i].get_text(), words[j].get_text()) for i, j in np.argwhere(overlap) if i < j]
    assert not pairs


def test_merging():
    ax = figures.merging(figures.BATCHES, labels="AB")
    marks = {text.get_label(): text.get_text() for text in ax.texts}
    cells = [f"mark-{place}" for place in ("0-0-0", "0-0-1", "0-1-0", "0-1-1", "1-0-0", "1-0-1")]
    assert [marks[cell] for cell in cells] == list("✓·○✓✗✓")
    assert [texts(ax, f"counts-{i}") for i in range(3)] == [
        ["A ✓ 1, ✗ 0, ○ 1", "B ✓ 1, ✗ 0, ○ 0"],
        ["A ✓ 0, ✗ 1, ○ 0", "B ✓ 1, ✗ 0, ○ 0"],
        ["A ✓ 1, ✗ 1, ○ 1", "B ✓ 2, ✗ 0, ○ 0"],
    ]
    assert texts(ax, "value") == [
        "macro F1 5/6 ≈ 0.833", "macro F1 1/2 = 0.5", "macro F1 3/4 = 0.75"
    ]  # fmt: skip
    assert plain(ax, "mean") == ["Mean of the batches: macro F1 2/3 ≈ 0.667"]
    written = [text.get_text() for text in ax.texts]
    assert [written.count(sign) for sign in "→+="] == [2, 1, 1]
    assert [name for name in written if "sample" in name] == ["sample 1", "sample 2", "sample 3"]
    boxes = [box for box in ax.patches if str(box.get_label()).startswith("card-")]
    assert [to_hex(box.get_facecolor()) for box in boxes] == [WHITE, WHITE, PALE]
    assert figures.alt_text(ax) == (
        "Scorecards of batches, and their sum. Batch 1: sample 1: hit A; sample 2: hit B, miss A;"
        " counts of A ✓ 1, ✗ 0, ○ 1, B ✓ 1, ✗ 0, ○ 0; macro F1 5/6 ≈ 0.833. Batch 2: sample 3: hit"
        " B, false alarm A; counts of A ✓ 0, ✗ 1, ○ 0, B ✓ 1, ✗ 0, ○ 0; macro F1 1/2 = 0.5. Sum:"
        " counts of A ✓ 1, ✗ 1, ○ 1, B ✓ 2, ✗ 0, ○ 0; macro F1 3/4 = 0.75. Mean of the batches:"
        " 2/3 ≈ 0.667."
    )


def test_growth():
    ax = growth()
    parts = {part.get_label(): part for part in figure_of(ax).axes[1:]}
    assert list(parts) == list(TIMES)
    for metric, part in parts.items():
        assert part.get_xscale() == part.get_yscale() == "log"
        assert part.get_ylim() == (1, 10_000)
        drawn = {line.get_label(): line for line in part.lines}
        assert list(drawn) == list(TIMES[metric])
        for tool, line in drawn.items():
            given = [np.nan if t is None else t for t in TIMES[metric][tool]]
            np.testing.assert_array_equal(line.get_xdata(), [10, 100, 1000])
            np.testing.assert_array_equal(line.get_ydata(), given)
    ticks = [[t.get_text() for t in axis.get_ticklabels()] for axis in (part.xaxis, part.yaxis)]
    assert ticks == [["10", "100", "1,000"], [""] * 5]
    labels = [t.get_text() for t in parts["samples F1"].get_yticklabels()]
    assert labels == ["1 ms", "10 ms", "100 ms", "1 s", "10 s"]
    assert plain(ax, "metric") == ["Samples F1", "Coverage"]
    assert plain(ax, "tool") == ["ours", "theirs"]
    looks = {line.get_label(): (line.get_marker(), line.get_linestyle()) for line in ax.lines}
    assert len(set(looks.values())) == 2
    assert plain(ax, "note")[-1] == "20 s was foreseen"
    assert "foreseen" not in " ".join(plain(growth({"F1": {"ours": [1, 2, 3]}}), "note"))
    assert figures.alt_text(ax) == (
        "Time by number of samples (few labels), at 10, 100 and 1,000. Samples F1: ours 1.25 ms,"
        " 12.5 ms, 2 s; theirs 30 ms, 400 ms, not run. Coverage: ours 2.5 ms, 30 ms, 300 ms. Not"
        " run: more than 20 s foreseen."
    )


def test_sizes_as_one_reads_them():
    for by, shown in [("samples", ["100", "1,000", "10⁴"]), ("density", ["1 %", "5 %", "50 %"])]:
        sizes = [0.01, 0.05, 0.5] if by == "density" else [100, 1000, 10_000]
        part = figure_of(growth(sizes=sizes, by=by)).axes[1]
        assert [t.get_text() for t in part.get_xticklabels()] == shown


def test_svg_carries_title_and_description():
    ax = figures.label_matrix([[1, 0]], labels=["<a>", "b & c"])
    root = ET.fromstring(figures.svg(ax, "One & only"))
    space = "{http://www.w3.org/2000/svg}"
    title, description = root.find(f"{space}title"), root.find(f"{space}desc")
    assert title.text == "One & only"
    assert description.text == figures.alt_text(ax)
    assert root.get("role") == "img"
    assert root.get("aria-labelledby").split() == [title.get("id"), description.get("id")]
    assert "<dc:date>" not in figures.svg(ax, "One & only")


def test_main_writes_every_picture(tmp_path, capsys):
    figures.main(["--out", str(tmp_path / "new")])
    stems = list(figures.PICTURES)
    written = capsys.readouterr().out.splitlines()
    assert [Path(line).stem for line in written] == stems
    for stem in stems:
        text = (tmp_path / "new" / f"{stem}.svg").read_text(encoding="utf-8")
        root = ET.fromstring(text)
        description = root.find("{http://www.w3.org/2000/svg}desc").text
        assert description == figures.alt_text(figures.PICTURES[stem]())


def test_a_fresh_process_writes_the_same_files_without_pyplot(tmp_path):
    code = (
        "import sys; from mlm_helpers import figures; figures.main(['--out', sys.argv[1]]);"
        "figures.png(figures.metric_map()); assert 'matplotlib.pyplot' not in sys.modules"
    )
    command = [sys.executable, "-W", "error", "-c", code, str(tmp_path)]
    subprocess.run(command, check=True, capture_output=True)
    for stem, draw in figures.PICTURES.items():
        title = stem.replace("_", " ").capitalize()
        written = (tmp_path / f"{stem}.svg").read_bytes()
        assert written == figures.svg(draw(), title).encode()


def test_show_displays_the_picture_with_its_text(monkeypatch, capsys):
    shown = {}

    def display(bundle, *, raw, metadata):
        shown.update(bundle=bundle, raw=raw, metadata=metadata)

    monkeypatch.setattr("IPython.display.display", display)
    ax = figures.PICTURES["ranking"]()
    assert figures.show(ax) is None
    alt = ALTERNATIVES["ranking"]
    printed = capsys.readouterr().out
    assert printed.replace("\n", " ").strip() == alt
    assert max(map(len, printed.splitlines())) <= 92
    assert shown["raw"] is True
    assert shown["bundle"]["text/plain"] == alt
    picture = Image.open(io.BytesIO(b64decode(shown["bundle"]["image/png"])))
    width = shown["metadata"]["image/png"]["width"]
    assert shown["metadata"] == {"image/png": {"alt": alt, "width": width}}
    assert picture.width == pytest.approx(2 * width, abs=1)
    json.dumps(shown)


def opposed(**changes):
    """Exact match likes the first (one row right), Hamming loss the second (two wrong, not three)."""
    found = Disagreement(
        exact_match.subset_accuracy,
        hamming.hamming_loss,
        [[0, 0, 0], [0, 0, 1]],
        [[0, 0, 0], [1, 1, 0]],
        [[0, 0, 1], [0, 0, 0]],
        (0.5, 0.0),
        (0.5, 1 / 3),
    )
    return replace(found, **changes)


def test_disagreement_of_label_sets():
    ax = figures.disagreement(opposed())
    marks = {text.get_label(): text.get_text() for text in ax.texts}
    cells = {place: marks[f"mark-first-{place}"] for place in ("0-0", "1-0", "1-1", "1-2")}
    assert cells == {"0-0": "·", "1-0": "✗", "1-1": "✗", "1-2": "○"}
    cells = {place: marks[f"mark-second-{place}"] for place in ("0-1", "0-2", "1-2")}
    assert cells == {"0-1": "·", "0-2": "✗", "1-2": "○"}
    assert texts(ax, "result") == [
        "subset accuracy ↑  first 1/2 = 0.5, second 0: prefers the first",
        "Hamming loss ↓  first 1/2 = 0.5, second 1/3 ≈ 0.333: prefers the second",
    ]
    assert not plain(ax, "key")
    assert figures.alt_text(ax) == (
        "First prediction of 2 samples and 3 labels (A, B, C). Sample 1: all rightly left out;"
        " sample 2: false alarm A and B, miss C. Second prediction of 2 samples and 3 labels"
        " (A, B, C). Sample 1: false alarm C; sample 2: miss C. Subset accuracy ↑  first 1/2 = 0.5,"
        " second 0: prefers the first. Hamming loss ↓  first 1/2 = 0.5, second 1/3 ≈ 0.333: prefers"
        " the second."
    )


def test_disagreement_of_scores():
    found = opposed(
        metric_a=partial(one_error, ties="best"),
        metric_b=coverage,
        y_true=[[1, 0, 1]],
        first=[[0.3, 0.2, 0.1]],
        second=[[0.2, 0.3, 0.2]],
        values_a=(0.0, 1.0),
        values_b=(3.0, 2.5),
    )
    ax = figures.disagreement(found)
    marks = {text.get_label(): text.get_text() for text in ax.texts}
    assert [marks[f"mark-first-0-{j}"] for j in range(3)] == ["0.3", "0.2", "0.1"]
    fills = {box.get_label(): to_hex(box.get_facecolor()) for box in ax.patches}
    assert [fills[f"cell-second-0-{j}"] for j in range(3)] == [BLUE, WHITE, BLUE]
    assert plain(ax, "key") == ["The numbers are scores; a filled cell is a relevant label."]
    assert figures.alt_text(ax) == (
        "First prediction of 1 sample and 3 labels (A, B, C). Sample 1: A 0.3 relevant, B 0.2, C"
        " 0.1 relevant. Second prediction of 1 sample and 3 labels (A, B, C). Sample 1: A 0.2"
        " relevant, B 0.3, C 0.2 relevant."
        " One-error, ties='best' ↓  first 0, second 1: prefers the first."
        " Coverage ↓  first 3, second 5/2 = 2.5: prefers the second."
    )


@pytest.mark.parametrize(
    "changes",
    [
        {"y_true": [[0, 0, 1], [0, 0, 1]]},
        {"first": [[0, 0, 0], [1, 0, 0]]},
        {"second": [[0, 0, 1], [0, 1, 0]]},
        {"values_a": (0.5, 0.25)},
        {"values_b": (0.25, 1 / 3)},
        {"metric_a": example_based.f1},
        {"first": [[0.0, 0.2, 0.1], [0.5, 0.6, 0.1]], "second": [[0.5, 0.6, 0.1], [0.1, 0.2, 0.3]]},
    ],
)
def test_changing_a_disagreement_changes_its_sentence(changes):
    before, after = (
        figures.alt_text(figures.disagreement(f)) for f in (opposed(), opposed(**changes))
    )
    assert before != after


@pytest.mark.parametrize(("count", "last"), [(11, "K"), (26, "Z"), (27, "label 27")])
def test_disagreement_names_every_label(count, last):
    other = [[1] + [0] * (count - 1)]
    ax = figures.disagreement(opposed(y_true=other, first=other, second=[[1] * count]))
    assert f", {last}). Sample 1: hit" in figures.alt_text(ax)


def six_pairs():
    """Four metrics: 2 cells, 6 cells, never, none found, 4 cells, 3 cells."""
    return {
        ("a", "b"): opposed(y_true=[[0, 0]]),
        ("a", "c"): opposed(),
        ("a", "d"): None,
        ("b", "c"): None,
        ("b", "d"): opposed(y_true=[[0, 0], [0, 0]]),
        ("c", "d"): opposed(y_true=[[0, 0, 1]]),
    }


def test_pair_table():
    ax = figures.pair_table(six_pairs(), [("a", "d")])
    codes = {t.get_label(): t.get_text() for t in ax.texts if t.get_label().startswith("code")}
    assert codes == {
        "code-0-1": "2", "code-0-2": "6", "code-1-2": "–",
        "code-0-3": "=", "code-1-3": "4", "code-2-3": "3",
    }  # fmt: skip
    fills = {box.get_label(): to_hex(box.get_facecolor()) for box in ax.patches}
    assert fills["cell-0-1"] == "#003b5c"
    assert fills["cell-0-2"] == PALE
    assert fills["cell-0-3"] == fills["cell-1-2"] == WHITE
    assert figures.alt_text(ax) == (
        "Cells of the smallest data, within 2 samples × 3 labels, on which two metrics disagree; ="
        " never, – none found; each metric against those before it. 1 a; 2 b: 2; 3 c: 6 –; 4 d: = 4 3."
    )


@pytest.mark.parametrize("pair", six_pairs())
def test_changing_a_pair_changes_the_sentence(pair):
    before = figures.alt_text(figures.pair_table(six_pairs(), [("a", "d")]))
    other = opposed(y_true=[[0] * 5])
    changed = figures.pair_table(six_pairs() | {pair: other}, [("a", "d")])
    assert figures.alt_text(changed) != before
    assert figures.alt_text(figures.pair_table(six_pairs())) != before
