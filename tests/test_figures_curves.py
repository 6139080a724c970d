"""The two curves of a label, read back as data."""

from fractions import Fraction as F
from functools import partial

import numpy as np
import pytest
from matplotlib.colors import to_hex

from mlm_course import figures
from mlm_course.figures.look import INK

TRUE, SCORES = [1, 0, 1, 1, 0], [0.9, 0.5, 0.5, 0.4, 0.1]  # b and c are tied
curves = partial(figures.curve_steps, TRUE, SCORES, samples="abcde", label="sea")
# tied samples have the larger rank; no photo shows the sea, so its AP and AUROC are undefined
sorted_lists = partial(
    figures.sorted_columns, [[1, 0], [0, 0], [1, 0]], [[0.3, 1], [0.75, 2], [0.75, 3]],
    labels=["dog", "sea"], samples="xyz",
)  # fmt: skip


def curve(ax, name):
    (line,) = [line for line in ax.lines if line.get_label() == name]
    assert to_hex(line.get_color()) == INK.lower()
    return np.array(line.get_xydata())


def corners(boxes):
    """Left, right, top and bottom edge of the rectangle around boxes."""
    left, right = min(b.get_x() for b in boxes), max(b.get_x() + b.get_width() for b in boxes)
    top, bottom = min(b.get_y() for b in boxes), max(b.get_y() + b.get_height() for b in boxes)
    return left, right, top, bottom


def test_a_bar_is_as_high_as_the_precision_and_the_curve_lies_on_the_bars():
    """Precision at a: 1/1; at c, with the tied b: 2/3; at d: 3/4."""
    ax = curves()
    bars = [p for p in ax.patches if p.get_label() == "bar"]
    left, right, top, bottom = corners(bars)
    assert [(b.get_height() + b.get_y()) for b in bars] == pytest.approx([bottom] * 3)
    x, y = ((curve(ax, "precision-recall") - [left, bottom]) / [right - left, top - bottom]).T
    assert x * 3 == pytest.approx([0, 1, 1, 2, 2, 3])
    assert y == pytest.approx([1, 1, 2 / 3, 2 / 3, 3 / 4, 3 / 4])
    assert [(b.get_x() - left) / (right - left) for b in bars] == pytest.approx([0, 1 / 3, 2 / 3])
    assert [b.get_height() / bars[0].get_height() for b in bars] == pytest.approx(y[::2])
    positions = {text.get_text(): text.get_position() for text in ax.texts}
    assert [positions["1"][1], positions["0"][1]] == pytest.approx([top, bottom])
    for bar, precision in zip(bars, ("1/1", "2/3", "3/4"), strict=True):
        assert positions[precision][0] == pytest.approx(bar.get_x() + bar.get_width() / 2)


def test_the_area_below_the_roc_curve_is_the_share_of_pairs():
    """From the origin up at a, diagonally at the tied b and c, up at d, right at e."""
    ax = figures.curve_steps([[t] for t in TRUE], [[s] for s in SCORES])
    cells = [p for p in ax.patches if str(p.get_label()).startswith("pair-")]
    left, right, top, bottom = corners(cells)
    x, y = ((curve(ax, "roc") - [left, bottom]) / [right - left, top - bottom]).T
    steps = [(0, 0), (0, 1 / 3), (1 / 2, 2 / 3), (1 / 2, 2 / 3), (1 / 2, 1), (1, 1)]
    assert np.transpose([x, y]) == pytest.approx(np.array(steps))
    area = (np.diff(x) * (y[1:] + y[:-1]) / 2).sum()
    assert area == pytest.approx(F(9, 2) / 6)


def test_a_plot_has_the_points_and_steps_that_go_back_to_the_point_before():
    ax = figures.curve_plot([0.5, 1], [1, 0.75], "recall", "precision", steps=True)
    steps, lines = ax.lines
    assert lines.get_xydata().tolist() == [[0.5, 1], [1, 0.75]]
    assert steps.get_xydata().tolist() == [[0, 1], [0.5, 1], [1, 0.75]]
    assert steps.get_drawstyle() == "steps-pre"  # from 0.5 to 1 as high as the point at 1
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("recall", "precision")
    assert figures.alt_text(ax) == "Precision by recall, with steps: 1 at 0.5, 0.75 at 1."
