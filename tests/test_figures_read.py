"""What a reader sees: the texts where they stand, the colours and keys, where the axes begin and end."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex
from pictures import (
    BLUE,
    ORANGE,
    PALE,
    PREDICTION,
    TRUTH,
    WHITE,
    frames,
    on_fills,
    opposed,
    read,
    six_pairs,
)  # fmt: skip

from mlm_course import documents, figures
from mlm_course.figures.pen import figure_of

CURVES = {"falling": (0.7, 0.6, 0.52), "rising": (0.55, 0.5, 0.7), "middle": (0.65, 0.68, 0.6)}
RANKING = documents.RANKING
KEY = "✓ hit: 4 ✗ false alarm: 2 ○ miss: 3 · rightly left out: 3"
MARKED = {BLUE: "✓", ORANGE: "✗", PALE: "○", WHITE: "·"}
PAGES = {  # how it is drawn; its texts, from the top to the bottom; those on each colour
    "label_matrix": (
        lambda: figures.label_matrix([[1, 0, 1], [1, 1, 0]], labels="ABC", samples="xy"),
        "Label matrix | A B C | x 1 0 1 | y 1 1 0",
        {"#3a3a3a": "1", WHITE: "0"},
    ),
    "label_grid": (
        lambda: figures.label_grid(TRUTH, PREDICTION, "recall", per="label", labels="ABCD"),
        "Recall: ✓ ÷ (✓ + ○) | A B C D | sample 1 ✓ · ○ ○ | sample 2 ○ ✓ · ✗ | sample 3 ✓ ✗ ✓ ·"
        " | 2/3 1/1 1/2 0/1 | macro, divide and then average: mean of the columns 13/24 ≈ 0.542"
        f" | micro, add up and then divide: 4/7 ≈ 0.571 | {KEY}",
        MARKED | {WHITE: "·|✗"},  # in the key a false alarm keeps its colour
    ),
    "rank_lists": (
        lambda: figures.rank_lists(RANKING.scores, RANKING.y_true, RANKING.labels),
        "Model one Model two | 1 ✓ entertainment 0.5 1/1 1 ✓ entertainment 0.6 1/1"
        " | 2 geography 0.4 2 geography 0.4 | ⇅ | 3 ✓ sport 0.3 2/3 3 technology 0.35 ⇅ | ⇅"
        " | 4 technology 0.15 4 ✓ sport 0.3 2/4 | 5 military 0.1 5 military 0.1"
        " | one-error 0 one-error 0 | coverage 3 coverage 4"
        " | ranking loss 1/6 ≈ 0.167 ranking loss 2/6 = 1/3 ≈ 0.333"
        " | average precision 5/6 ≈ 0.833 average precision 3/4 = 0.75"
        " | ✓ relevant, with its share of ✓ so far     ⇅ misordered pair     - - -  read down to here",
        {
            BLUE: "✓|entertainment|sport|0.5|0.6|0.3",
            WHITE: "geography|technology|military|0.4|0.35|0.15|0.1",
        },
    ),
    "top_window": (  # one sample with two ties, and one with nothing to find
        lambda: figures.top_window(
            [[1, 0, 1], [0, 0, 0]],
            [[0.5, 0.5, 0.5], [0.1, 0.3, 0.2]],
            k=2,
            labels="ABC",
            samples="xy",
        ),
        "X Y | 1 ✓ A 0.5 1/log2(2) = 1 1 ✗ B 0.3 1/log2(2) = 1"
        " | 2 ✗ B 0.5 1/log2(3) ≈ 0.631 2 ✗ C 0.2 1/log2(3) ≈ 0.631 | 3 ○ C 0.5 3 A 0.1"
        " | precision at 2 = 1/2 = 0.5 precision at 2 = 0"
        " | recall at 2 = 1/2 = 0.5 recall at 2 = 0"
        " | nDCG at 2 ≈ 0.613 nDCG at 2 = 0"
        " | Mean: precision at 2 = 1/4 = 0.25, recall at 2 = 1/4 = 0.25, nDCG at 2 ≈ 0.307"
        " | ✓ hit   ✗ false alarm   ○ miss     in the frame: what is shown; beside it: what a hit counts"
        " in nDCG",
        {BLUE: "✓|A|0.5", ORANGE: "✗|B|C|0.5|0.3|0.2", PALE: "○|C|0.5", WHITE: "A|0.1"},
    ),
    "disagreement": (
        lambda: figures.disagreement(opposed()),
        "First prediction Second prediction | A B C A B C | sample 1 · · · · · ✗"
        " | sample 2 ✗ ✗ ○ · · ○ | subset accuracy ↑  first 1/2 = 0.5, second 0: prefers the first"
        " | Hamming loss ↓  first 1/2 = 0.5, second 1/3 ≈ 0.333: prefers the second",
        {ORANGE: "✗", PALE: "○", WHITE: "·"},
    ),
    "pair_table": (
        lambda: figures.pair_table(six_pairs(), [("a", "d")]),
        "When two metrics disagree | a  1 1 | b  2 2 2 | c  3 6 – 3 | d  4 = 4 3 4"
        " | Cells of the smallest data, within 2 samples × 3 labels, on which two metrics disagree;"
        " = never, – none found",
        {"#003b5c": "2", BLUE: "3", "#8cc4e8": "4", PALE: "6", WHITE: "=|–"},
    ),
}


@pytest.mark.parametrize("name", PAGES)
def test_texts_stand_in_their_order_on_their_colours(name):
    draw, lines, fills = PAGES[name]
    ax = draw()
    assert read(ax) == lines.split(" | ")
    assert on_fills(ax) == {colour: {*texts.split("|")} for colour, texts in fills.items()}


def test_what_surrounds_the_cells_of_the_map():
    ax = figures.metric_map()
    shapes = {}
    for name, box in frames(ax).items():
        wider = np.sign(round(box.get_width() - box.get_height(), 6))
        shapes.setdefault(name[6:-2], []).append({1: "row", -1: "column", 0: "all"}[wider])
    assert shapes == {
        "exact match": ["row"] * 3, "example-based": ["row"] * 3,
        "Hamming": ["all"], "label-based": ["column"] * 3,
    }  # fmt: skip
    edges = {str(box.get_label()): to_hex(box.get_edgecolor()) for box in ax.patches}
    grey = [family for family in shapes if edges[f"cell-{family}-0-1"] == "#dddddd"]
    assert grey == ["example-based", "label-based"]  # what is rightly left out does not count
    shades = {"#edf3f7", "#fbf0d9"}  # of what reads label sets, and scores
    assert {to_hex(one.get_facecolor()) for one in ax.patches} >= shades
    bars = ax.patches[-4:]
    assert [to_hex(bar.get_facecolor()) for bar in bars] == [BLUE, WHITE, BLUE, WHITE]
    assert (np.diff([[bar.get_width(), -bar.get_y()] for bar in bars], axis=0) < 0).all()


# --------------------------------------------------------------------------- axes and series


AXES = {  # the picture, its title, its horizontal and its vertical limits, by hand
    "value_bars": (  # bars of 0.62 at 0 and 1, a twentieth of 1.62 around them
        lambda: figures.value_bars({"b": 0.5, "a": 0.75}, title="T"),
        "T", (0, 1), (1.391, -0.391),
    ),
    "value_bars from 1": (
        lambda: figures.value_bars({"b": 1.25, "a": 1.5}, title="T"),
        "T", (0, 1.5), (1.391, -0.391),
    ),
    "tool_dots": (
        lambda: figures.tool_dots({"b": 0.5, "a": 0.75}, title="T"), "T", (0, 1), (1.5, -0.5),
    ),
    "value_lines": (  # a twentieth of the width on both sides
        lambda: figures.value_lines("F1", "epoch", [2, 3, 6], CURVES), "F1", (1.8, 6.2), (0.49, 0.71),
    ),
    "value_lines in limits": (
        lambda: figures.value_lines("F1", "epoch", [2, 3, 6], CURVES, limits=(0, 1)),
        "F1", (1.8, 6.2), (0, 1),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", AXES)
def test_axes_begin_and_end_where_they_should(name):
    draw, title, across, down = AXES[name]
    ax = draw()
    assert ax.get_title(loc="left") + figure_of(ax).texts[0].get_text() == title
    assert ax.get_xlim() == pytest.approx(across)
    assert ax.get_ylim() == pytest.approx(down)
    assert ax.get_xscale() == ax.get_yscale() == "linear"


def test_each_bar_its_number_and_its_name_stand_in_one_row():
    ax = figures.value_bars({"b": 0.5, "c": 1.5, "a": Fraction(1, 4)}, title="T")
    names = {y: t.get_text() for y, t in zip(ax.get_yticks(), ax.get_yticklabels(), strict=True)}
    assert names == {0: "b", 1: "c", 2: "a"}
    bars = {round(bar.get_y() + bar.get_height() / 2, 6): bar.get_width() for bar in ax.patches}
    assert bars == {0: 0.5, 1: 1.5, 2: 0.25}
    assert {t.get_position(): t.get_text().strip() for t in ax.texts} == {
        (0.5, 0): "0.5", (1.5, 1): "1.5", (0.25, 2): "1/4 = 0.25"
    }  # fmt: skip


FRAME = pd.DataFrame([[1, 0], [0, 1]], ["x.png", "y.png"], ["sea", "sun"])
BY_NAME = {
    "label_matrix": lambda y, named: figures.label_matrix(y, **named),
    "label_grid": lambda y, named: figures.label_grid(y, FRAME[::-1].to_numpy(), **named),
    "rank_lists": lambda y, named: figures.rank_lists({"m": [1, 2]}, y[:1], named.get("labels")),
    "top_window": lambda y, named: figures.top_window(y, FRAME.to_numpy(), k=1, **named),
    "sorted_columns": lambda y, named: figures.sorted_columns(y, FRAME.to_numpy(), **named),
    "label_trees": lambda y, named: figures.label_trees(y, y, [[], [0]], **named),
}


@pytest.mark.parametrize("name", BY_NAME)
def test_a_frame_names_its_labels_and_samples_in_pictures(name):
    given = {"labels": ["sea", "sun"], "samples": ["x.png", "y.png"]}
    by_hand = BY_NAME[name](FRAME.to_numpy(), given)
    ax = BY_NAME[name](FRAME, {})
    assert ax.get_label() == by_hand.get_label() and "sun" in ax.get_label().lower()
    assert read(ax) == read(by_hand)
