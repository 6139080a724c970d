"""Lines, bars, dots and the map of metrics, read back as data."""

import re

import pytest
from pictures import TOOLS, look, texts

from mlm_course import figures
from mlm_course.figures.look import STROKES
from mlm_course.figures.pen import figure_of
from mlm_helpers.catalogue import taught

INTERVALS = {"trees": (0.5, 0.375, 0.6), "linear": (-0.25, -0.5, 0.125)}


# ------------------------------------------------------------------------------------- lines


def test_lines_draw_every_point_in_the_look_that_the_key_names_from_the_top_down():
    curves = {"plain": (0.5, 0.6, 0.65), "tuned": (0.55, 0.5, 0.7)}
    ax = figures.value_lines("F1", "epoch", [2, 3, 6], curves)
    assert {line.get_label(): tuple(line.get_ydata()) for line in ax.lines} == curves
    assert all(tuple(line.get_xdata()) == (2, 3, 6) for line in ax.lines)
    assert ax.get_xlabel() == "epoch"
    named = [text.get_text() for text in ax.get_legend().get_texts()]
    looks = dict(zip(named, map(look, ax.get_legend().legend_handles), strict=True))
    assert named == ["tuned", "plain"] and looks == {
        line.get_label(): look(line) for line in ax.lines
    }
    assert figures.alt_text(ax) == "F1 at epoch 2 3 6: plain 0.5 0.6 0.65; tuned 0.55 0.5 0.7."


def test_series_differ_in_more_than_colour():
    _, markers, lines = zip(*STROKES, strict=True)
    assert len({*markers}) == len({*map(str, lines)}) == len(STROKES)


def test_too_many_series_are_refused():
    with pytest.raises(ValueError, match="is shorter"):
        figures.value_lines("F1", "epoch", [0], {str(i): [0] for i in range(9)})


# -------------------------------------------------------------------------------------- dots


def test_tool_dots():
    ax = figures.tool_dots(TOOLS, title="F1")
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


def test_tool_dots_leave_the_unit_interval_where_a_number_does():
    assert figures.tool_dots({"a": -1.0, "b": 3.0}, title="coverage").get_xlim() == (-1, 3)
    assert figures.tool_dots({"a": 0.25}, title="F1").get_xlim() == (0, 1)


# -------------------------------------------------------------------------------- intervals


def test_every_interval_has_its_bar_its_dot_and_its_numbers_in_its_row():
    ax = figures.interval_bars(INTERVALS, title="F1", line=0.25)
    line, dots = ax.lines
    (bars,) = ax.collections
    assert {*line.get_xdata()} == {0.25}
    assert dots.get_xydata().tolist() == [[0.5, 0], [-0.25, 1]]
    assert [bar.tolist() for bar in bars.get_segments()] == [
        [[0.375, 0], [0.6, 0]],
        [[-0.5, 1], [0.125, 1]],
    ]
    assert [tick.get_text() for tick in ax.get_yticklabels()] == ["trees", "linear"]
    written = {text.get_text(): text.get_position()[1] for text in ax.texts}
    assert written == {"0.5 (0.375 to 0.6)": 0, "-0.25 (-0.5 to 0.125)": 1}
    assert ax.yaxis_inverted()  # the first on top
    assert figures.alt_text(ax) == (
        "F1: trees 0.5 (0.375 to 0.6); linear -0.25 (-0.5 to 0.125). The line stands at 0.25."
    )
    narrow = figures.interval_bars({"trees": (-0.00078, -0.0013, -0.0003)}, title="F1")
    assert len(narrow.lines) == 1 and "-0.0008 (-0.0013 to -0.0003)" in figures.alt_text(narrow)


# ------------------------------------------------------------------------ reliability


def test_reliability_diagram_has_a_point_for_each_bin_of_each_model():
    """Two bins; 1/2 is in the lower one, with one of two samples positive."""
    models = {"bold": [0.1, 0.5, 0.9, 0.7], "flat": [0.25] * 4}
    ax = figures.reliability_diagram([0, 1, 1, 0], models, label="dog", bins=2)
    drawn = {line.get_label(): line.get_xydata().round(9).tolist() for line in ax.lines}
    assert drawn == {
        "_diagonal": [[0, 0], [1, 1]],
        "bold": [[0.3, 0.5], [0.8, 0.5]],
        "flat": [[0.25, 0.5]],
    }
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["bold", "flat"]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("mean probability", "share that is dog")
    assert figures.alt_text(ax) == (
        "Share that is dog by mean probability, bin by bin: bold 0.5 at 0.3 (2 samples),"
        " 0.5 at 0.8 (2 samples); flat 0.5 at 0.25 (4 samples)."
    )


# ------------------------------------------------------------------------ the map of metrics


def test_metric_map_lists_each_metric_once_under_its_family():
    alt = figures.alt_text(figures.metric_map())
    assert alt.startswith(f"Map of {len(taught())} metrics, ↑ higher or ↓ lower is better. ")
    drawn = [name for band in alt.split("): ")[1:] for name in re.findall(r"[^;,.]+ [↑↓]", band)]
    arrows = [f"{one.name} {'↑' if one.higher_is_better else '↓'}" for one in taught()]
    assert [name.strip() for name in drawn] == arrows
