"""Charts, read back as data: bars, lines, dots, intervals."""

from fractions import Fraction

import pytest
from pictures import TOOLS

from mlm_course import figures
from mlm_course.figures.look import SERIES_STYLES
from mlm_course.figures.pen import figure_of

CURVES = {"falling": (0.7, 0.6, 0.52), "rising": (0.55, 0.5, 0.7), "middle": (0.65, 0.68, 0.6)}


def row_names(ax):
    """Name of each row, by its y."""
    return {y: t.get_text() for y, t in zip(ax.get_yticks(), ax.get_yticklabels(), strict=True)}


def check_chart(ax, title, xlim, ylim):
    """Check the title and the limits of a chart, and that its axes are linear."""
    assert ax.get_title(loc="left") + figure_of(ax).texts[0].get_text() == title
    assert ax.get_xlim() == pytest.approx(xlim) and ax.get_ylim() == pytest.approx(ylim)
    assert ax.get_xscale() == ax.get_yscale() == "linear"


def test_each_bar_has_its_number_and_its_name_in_its_row():
    ax = figures.value_bars({"b": 0.5, "c": 1.5, "a": Fraction(1, 4)}, title="T")
    assert row_names(ax) == {0: "b", 1: "c", 2: "a"}
    bars = {round(bar.get_y() + bar.get_height() / 2, 6): bar.get_width() for bar in ax.patches}
    assert bars == {0: 0.5, 1: 1.5, 2: 0.25}
    assert {t.get_position(): t.get_text().strip() for t in ax.texts} == {
        (0.5, 0): "0.5", (1.5, 1): "1.5", (0.25, 2): "1/4 = 0.25"
    }  # fmt: skip
    # bars 0.62 high at 0, 1 and 2, with margins of a twentieth of 2.62
    check_chart(ax, "T", (0, 1.5), (2.441, -0.441))
    assert figures.value_bars({"a": 0.5}, title="T").get_xlim() == (0, 1)


# ------------------------------------------------------------------------------------- lines


def style(line):
    """Colour, marker and dashes of a line, or of its handle in a legend."""
    return line.get_color(), line.get_marker(), str(line._dash_pattern)


def test_lines_draw_every_point_and_the_legend_names_them_in_the_order_of_their_ends():
    ax = figures.value_lines("F1", "epoch", [2, 3, 6], CURVES)
    assert {line.get_label(): tuple(line.get_ydata()) for line in ax.lines} == CURVES
    assert all(tuple(line.get_xdata()) == (2, 3, 6) for line in ax.lines)
    assert ax.get_xlabel() == "epoch"
    legend = ax.get_legend()
    names = [text.get_text() for text in legend.get_texts()]
    styles = dict(zip(names, map(style, legend.legend_handles), strict=True))
    assert names == ["rising", "middle", "falling"]
    assert styles == {line.get_label(): style(line) for line in ax.lines}
    check_chart(ax, "F1", (1.8, 6.2), (0.49, 0.71))  # a twentieth of the width on both sides
    assert figures.alt_text(ax) == (
        "F1 at epoch 2 3 6: falling 0.7 0.6 0.52; rising 0.55 0.5 0.7; middle 0.65 0.68 0.6."
    )
    with_limits = figures.value_lines("F1", "epoch", [2, 3, 6], CURVES, limits=(0, 1))
    check_chart(with_limits, "F1", (1.8, 6.2), (0, 1))


def test_series_differ_in_more_than_colour_and_more_series_than_styles_are_refused():
    _, markers, lines = zip(*SERIES_STYLES, strict=True)
    assert len({*markers}) == len({*map(str, lines)}) == len(SERIES_STYLES)
    with pytest.raises(ValueError, match="is shorter"):
        figures.value_lines("F1", "epoch", [0], {str(i): [0] for i in range(9)})


# -------------------------------------------------------------------------------------- dots


def test_a_finite_number_is_a_dot_in_the_row_of_its_tool_and_others_are_texts_beside_the_axis():
    ax = figures.tool_dots(TOOLS, title="F1")
    (dots,) = ax.lines
    assert row_names(ax) == dict(enumerate(["a", "c", "b", "Spark", "napkin"]))
    assert dots.get_xydata().tolist() == [[0.5, 0], [0.5000001, 1], [1, 2]]
    assert {text.get_position(): text.get_text() for text in ax.texts} == {
        (0.5, 0): "0.5", (0.5000001, 1): "0.5", (1, 2): "1", (1, 3): "nan",
        (1, 4): "raises ValueError",
    }  # fmt: skip
    check_chart(ax, "F1", (0, 1), (4.5, -0.5))
    right = ax.get_window_extent().x1
    assert all(text.get_window_extent().x0 > right + 20 for text in ax.texts[3:])
    assert figures.tool_dots({"a": -1.0, "b": 3.0}, title="coverage").get_xlim() == (-1, 3)


# -------------------------------------------------------------------------------- intervals


def test_every_interval_has_a_bar_a_dot_and_its_numbers_in_its_row():
    intervals = {"trees": (0.5, 0.375, 0.6), "linear": (-0.25, -0.5, 0.125)}
    ax = figures.interval_bars(intervals, title="F1", line=0.25)
    line, dots = ax.lines
    (bars,) = ax.collections
    assert {*line.get_xdata()} == {0.25}
    assert dots.get_xydata().tolist() == [[0.5, 0], [-0.25, 1]]
    ends = [[[0.375, 0], [0.6, 0]], [[-0.5, 1], [0.125, 1]]]
    assert [bar.tolist() for bar in bars.get_segments()] == ends
    assert row_names(ax) == {0: "trees", 1: "linear"}
    texts = {text.get_text(): text.get_position()[1] for text in ax.texts}
    assert texts == {"0.5 (0.375 to 0.6)": 0, "-0.25 (-0.5 to 0.125)": 1}
    assert ax.yaxis_inverted()  # the first on top
    assert figures.alt_text(ax) == (
        "F1: trees 0.5 (0.375 to 0.6); linear -0.25 (-0.5 to 0.125). The line stands at 0.25."
    )
    narrow = figures.interval_bars({"trees": (-0.00078, -0.0013, -0.0003)}, title="F1")
    assert len(narrow.lines) == 1 and "-0.0008 (-0.0013 to -0.0003)" in figures.alt_text(narrow)


# ------------------------------------------------------------------------ reliability


def test_reliability_diagram_has_a_point_for_each_bin_of_each_model():
    """Of two bins, the lower one holds 0.1 and 0.5; one of these two samples is positive."""
    models = {"bold": [0.1, 0.5, 0.9, 0.7], "flat": [0.5] * 4}
    ax = figures.reliability_diagram([0, 1, 1, 0], models, label="dog", bins=2)
    points = {line.get_label(): line.get_xydata().round(9).tolist() for line in ax.lines}
    assert points == {
        "_diagonal": [[0, 0], [1, 1]],
        "bold": [[0.3, 0.5], [0.8, 0.5]],
        "flat": [[0.5, 0.5]],
    }
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["bold", "flat"]
    x_label = "mean probability; below, samples in each of 2 bins"
    assert (ax.get_xlabel(), ax.get_ylabel()) == (x_label, "share that is dog")
    bold, *of_bold, flat, of_flat = [(text.get_position()[0], text.get_text()) for text in ax.texts]
    assert (bold[1], *of_bold) == ("bold", (0.25, "2"), (0.75, "2"))
    assert (flat[1], of_flat) == ("flat", (0.25, "4"))
    assert figures.alt_text(ax) == (
        "Share that is dog by mean probability, bin by bin: bold 0.5 at 0.3 (2 samples),"
        " 0.5 at 0.8 (2 samples); flat 0.5 at 0.5 (4 samples)."
    )
