"""A label's column as a list and its two curves, read back as data."""

from fractions import Fraction as F
from functools import partial

import numpy as np
import pytest
from matplotlib.colors import to_hex
from pictures import BLUE, PALE, WHITE, on_fills, read

from mlm_course import figures
from mlm_course.figures.look import INK

TRUTH, SCORE = [1, 0, 1, 1, 0], [0.9, 0.5, 0.5, 0.4, 0.1]  # b and c are tied
NAMES = list("abcde")
draw = partial(figures.curve_steps, TRUTH, SCORE, samples=NAMES, label="sea")
Y_TRUE, Y_SCORE = [[1, 0], [0, 0], [1, 0]], [[0.3, 1], [0.75, 2], [0.75, 3]]
listed = partial(figures.sorted_columns, Y_TRUE, Y_SCORE, labels=["dog", "sea"], samples="xyz")

# ------------------------------------------------------------------------------------- lists


def test_texts_of_the_lists_stand_in_their_order_on_their_colours():
    """Tied samples share the larger place; no photo shows the sea, so it has neither number."""
    ax = listed()
    assert read(ax) == [
        "Dog Sea",
        "2 y 0.75 1 z 3",
        "2 ✓ z 0.75 1/2 2 y 2",
        "3 ✓ x 0.3 2/3 3 x 1",
        "average precision 7/12 ≈ 0.583 average precision undefined",
        "AUROC 0.5/2 = 1/4 = 0.25 AUROC undefined",
        "✓ positive, with its precision: the share of ✓ so far",
    ]
    assert on_fills(ax) == {
        BLUE: {"✓", "x", "z", "0.3", "0.75"},
        WHITE: {"x", "y", "z", "1", "2", "3", "0.75"},
    }
    assert figures.alt_text(ax) == (
        "Samples by score. Dog: 2 y 0.75, 2 z 0.75 (1/2 positive), 3 x 0.3 (2/3 positive); average"
        " precision 7/12 ≈ 0.583, AUROC 0.5/2 = 1/4 = 0.25. Sea: 1 z 3, 2 y 2, 3 x 1; average"
        " precision undefined, AUROC undefined."
    )


# ------------------------------------------------------------------------------------ curves


def curve(ax, name):
    (line,) = [line for line in ax.lines if line.get_label() == name]
    return np.array(line.get_xydata())


def labelled_like(ax, start):
    return [text for text in ax.texts if str(text.get_label()).startswith(start)]


def test_texts_of_the_curves_stand_in_their_order_on_their_colours():
    ax = draw()
    assert read(ax) == [
        "Precision at each positive ROC curve",
        "1",
        "d < >",
        "1/1 c = >",
        "3/4",
        "2/3",
        "a > >",
        "0",
        "a c d b e",
        "recall: one positive after the other false positive rate: one negative after the other",
        "area: average precision 29/36 ≈ 0.806 area: AUROC 4.5/6 = 3/4 = 0.75",
        "> the positive scores higher   < lower   = the same: half",
    ]
    assert on_fills(ax) == {BLUE: {"1/1", "2/3", "3/4", ">"}, WHITE: {"<"}, PALE: {"="}}


def test_a_bar_is_as_high_as_the_precision_and_the_curve_lies_on_the_bars():
    """From the top: 1 of 1; with the tied b, 2 of 3; 3 of 4."""
    ax = draw()
    assert {to_hex(line.get_color()) for line in ax.lines} == {INK.lower()}
    bars = [p for p in ax.patches if p.get_label() == "bar"]
    bottom = {round(b.get_y() + b.get_height(), 9) for b in bars}
    whole = bars[0].get_height()
    assert len(bottom) == 1
    assert [b.get_height() / whole for b in bars] == pytest.approx([1, 2 / 3, 3 / 4])
    assert [b.get_x() for b in bars[1:]] == pytest.approx(
        [b.get_x() + b.get_width() for b in bars[:2]]
    )
    assert len({round(b.get_width(), 9) for b in bars}) == 1
    corners = [(x, b.get_y()) for b in bars for x in (b.get_x(), b.get_x() + b.get_width())]
    assert curve(ax, "precision-recall") == pytest.approx(np.array(corners))
    ends = {t.get_text(): t.get_position()[1] for t in ax.texts if t.get_text() in ("0", "1")}
    assert ends == pytest.approx({"0": bottom.pop(), "1": bars[0].get_y()})
    for bar, share in zip(bars, labelled_like(ax, "share-"), strict=True):
        x, _ = share.get_position()
        assert x == pytest.approx(bar.get_x() + bar.get_width() / 2)


def test_a_cell_stands_in_the_row_of_its_positive_and_the_column_of_its_negative():
    ax = draw()
    rows, columns = {}, {}
    for text in ax.texts:  # the name of a positive stands twice: below its bar, beside its row
        if text.get_text() in "acd":
            rows[text.get_text()] = text.get_position()[1]
        elif text.get_text() in "be":
            columns[text.get_text()] = text.get_position()[0]
    signs = {text.get_position(): text.get_text() for text in labelled_like(ax, "sign-")}
    found = {
        (up, across): next(
            sign
            for (x, y), sign in signs.items()
            if np.isclose(x, columns[across]) and np.isclose(y, rows[up])
        )
        for up in "acd"
        for across in "be"
    }
    assert len(signs) == 6
    assert found == {
        ("a", "b"): ">", ("a", "e"): ">", ("c", "b"): "=", ("c", "e"): ">", ("d", "b"): "<", ("d", "e"): ">",
    }  # fmt: skip
    assert rows["a"] > rows["c"] > rows["d"] and columns["b"] < columns["e"]  # the first lowest


def test_the_roc_curve_leaves_the_share_of_pairs_below_it():
    """Up at a, askew at the tied b and c, up at d, right at e."""
    ax = draw()
    cells = [p for p in ax.patches if str(p.get_label()).startswith("pair-")]
    left, right = min(c.get_x() for c in cells), max(c.get_x() + c.get_width() for c in cells)
    top, bottom = min(c.get_y() for c in cells), max(c.get_y() + c.get_height() for c in cells)
    x, y = ((curve(ax, "roc") - [left, bottom]) / [right - left, top - bottom]).T
    steps = [(0, 0), (0, 1 / 3), (1 / 2, 2 / 3), (1 / 2, 2 / 3), (1 / 2, 1), (1, 1)]
    assert np.transpose([x, y]) == pytest.approx(np.array(steps))
    area = sum((b - a) * (u + v) / 2 for a, b, u, v in zip(x, x[1:], y, y[1:], strict=False))
    assert area == pytest.approx(F(9, 2) / 6)


def test_a_curve_takes_a_column_and_refuses_what_has_none():
    column = [[t] for t in TRUTH], [[s] for s in SCORE]
    same = figures.curve_steps(*column, samples=NAMES, label="sea")
    assert figures.alt_text(same) == figures.alt_text(draw())
    for truth, missing in (([0, 0], "positive"), ([1, 1], "negative")):
        with pytest.raises(
            ValueError, match=f"^y_true has no {missing} sample: give a label that has both"
        ):
            figures.curve_steps(truth, [0.5, 0.25])
    with pytest.raises(ValueError, match="a curve is of one label"):
        figures.curve_steps([[1, 0]], [[0.5, 0.25]])
