"""Lines, bars, dots, reversals, times and the map of metrics, read back as data."""

from fractions import Fraction
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
from pictures import (
    GROWTHS,
    TABLE,
    TIMES,
    TOOLS,
    all_differ,
    frames,
    growth,
    labelled,
    moved,
    texts,
)  # fmt: skip

from mlm_helpers import catalogue
from mlm_helpers.course import documents, figures
from mlm_helpers.course.figures import look
from mlm_helpers.course.figures.charts import _spread
from mlm_helpers.course.figures.look import STROKES
from mlm_helpers.course.figures.pen import figure_of

CURVES = {"plain": (0.5, 0.6, 0.65), "tuned": (0.55, 0.5, 0.7)}
METRIC = SimpleNamespace(
    name="F1", family="label-based", higher_is_better=True, reads="y_pred", along="label"
)
LOSS = SimpleNamespace(
    name="ranking loss", family="ranking", higher_is_better=False, reads="y_score", along="sample"
)


def lines(ax):
    """The lines of a chart by name, without the markers beside their names."""
    return {line.get_label(): line for line in ax.lines if line.get_label() != "_end"}


# ------------------------------------------------------------------------------------- lines


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
    assert ax.get_xlabel() == "epoch"


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
    assert _spread([0.9, 0.1, 0.5], 0.1) == pytest.approx([0.9, 0.1, 0.5])
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


def test_series_differ_in_more_than_colour():
    assert len({stroke.marker for stroke in STROKES}) == len(STROKES)
    assert len({str(stroke.line) for stroke in STROKES}) == len(STROKES)


def test_no_two_things_have_one_colour():
    """Those of the series, the outcomes' fills, and every colour that has a name."""
    named = [value for value in vars(look).values() if str(value).startswith("#")]
    for colours in ([s.color for s in STROKES], [mark.fill for mark in look.MARKS], named):
        assert len({colour.lower() for colour in colours}) == len(colours)


def test_too_many_series_are_refused():
    with pytest.raises(ValueError, match="9 series, which nobody can tell apart: give 8"):
        figures.threshold_sweep([0], {str(i): [0] for i in range(9)})


def test_changing_any_point_changes_the_sentence():
    curves, epochs = dict(documents.FORMULAS.curves), documents.FORMULAS.epochs
    draw = partial(figures.training_curves, epochs=epochs)
    limits = (None, (0, 1), (0.1, 1))
    drawn = [draw(curves, limits=pair) for pair in limits]
    later = figures.training_curves(curves, [0, *epochs[1:]])
    assert all_differ([*drawn, later, *map(draw, moved(curves))])
    thresholds = ([0.1, 0.2, 0.3], [0.0, 0.2, 0.3], [0.1, 0.25, 0.3], [0.1, 0.2, 0.4])
    drawn = [figures.threshold_sweep(given, CURVES) for given in thresholds]
    drawn += [figures.threshold_sweep(thresholds[0], other) for other in moved(CURVES)]
    assert all_differ([*drawn, figures.threshold_sweep(thresholds[0], CURVES, limits=None)])


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


def test_a_small_number_is_not_written_as_minus_zero():
    ax = figures.tool_dots({"a": -0.0001, "b": -0.0, "c": 0.00024}, title="F1")
    assert figures.alt_text(ax) == "F1: -0.0001 from a; 0 from b; 0.00024 from c."


def test_tool_dots_leave_the_unit_interval_where_a_number_does():
    assert figures.tool_dots({"a": -1.0, "b": 3.0}, title="coverage").get_xlim() == (-1, 3)
    assert figures.tool_dots({"a": 0.25}, title="F1").get_xlim() == (0, 1)


def test_rank_reversals():
    ax = figures.rank_reversals(TABLE, lower_is_better=["Hamming loss"])
    places = {name: line.get_ydata() for name, line in lines(ax).items()}
    first, second, third = sorted({float(y) for heights in places.values() for y in heights})
    assert {name: list(map(float, heights)) for name, heights in places.items()} == {
        "tree": [first, second, second],
        "Bayes": [second, first, first],
        "none": [third, third, third],
    }
    (tie,) = [box for box in ax.patches if box.get_label() == "tie"]
    assert tie.get_y() < second < third < tie.get_y() + tie.get_height()
    assert first < tie.get_y()
    assert figures.alt_text(ax) == (
        "Models from best to worst. F1 ↑: tree 0.8, Bayes 0.7, none 0.1;"
        " Hamming loss ↓: Bayes 0.1, tree 0.2, none 0.4; recall ↑: Bayes 0.9, tree 0.5 = none 0.5."
    )


@pytest.mark.parametrize("draw", [figures.metric_dots, figures.rank_reversals])
def test_tables_must_have_the_same_models_throughout(draw):
    with pytest.raises(ValueError, match="B has other models than the first metric"):
        draw({"A": {"x": 1}, "B": {"y": 1}})


def test_changing_any_bar_or_dot_changes_the_sentence():
    third = Fraction(1, 3)
    values = ({"a": 0.1, "b": third}, {"a": 0.2, "b": third}, {"a": 0.1, "b": 2 * third})
    bars = [figures.value_bars(given, title="Two") for given in (*values, {"c": 0.1, "b": third})]
    assert all_differ([*bars, figures.value_bars(values[0], title="Three")])
    changes = [{tool: TOOLS[tool] + 0.011} for tool in "abc"]
    changes += [{}, {"Spark": float("inf")}, {"napkin": "raises KeyError"}]
    dots = [figures.tool_dots(TOOLS | change, title="One") for change in changes]
    assert all_differ([*dots, figures.tool_dots(TOOLS, title="Two")])


@pytest.mark.parametrize("draw", [figures.metric_dots, figures.rank_reversals])
def test_changing_any_value_of_a_table_changes_the_sentence(draw):
    renamed = {k: {f"{m}!": v for m, v in column.items()} for k, column in TABLE.items()}
    lower = (draw(TABLE, lower_is_better=[metric]) for metric in TABLE)
    assert all_differ([draw(TABLE), *map(draw, moved(TABLE)), *lower, draw(renamed)])


# ------------------------------------------------------------------------------------- times


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
    assert labelled(ax, "metric") == ["Samples F1", "Coverage"]
    assert labelled(ax, "tool") == ["ours", "theirs"]
    assert "foreseen" not in " ".join(labelled(growth({"F1": {"ours": [1, 2, 3]}}), "note"))
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


def test_time_over_something_else_is_refused():
    with pytest.raises(ValueError, match="by is 'size': choose one of 'samples', 'labels'"):
        growth(by="size")


def test_changing_any_time_changes_the_sentence():
    times = [TIMES, *({metric: one} for metric, one in TIMES.items())]
    for metric, series in TIMES.items():
        for tool, given in series.items():
            for i in range(3):
                other = [*given[:i], (given[i] or 0) + 1, *given[i + 1 :]]
                times.append(TIMES | {metric: series | {tool: other}})
        times.append(TIMES | {metric: series | {"third": [1, None, None]}})
    others = [{"by": by} for by in GROWTHS[1:]]
    others += [{"sizes": [10, 100, 2000]}, {"data": "few"}, {"limit": 30}]
    assert all_differ([*map(growth, times), *(growth(**other) for other in others)])


# ------------------------------------------------------------------------ the map of metrics


def test_metric_map_lists_each_metric_once_under_its_family():
    ax = figures.metric_map([LOSS, METRIC, METRIC])
    assert figures.alt_text(ax) == (
        "Map of 3 metrics, ↑ higher or ↓ lower is better. Label-based, from label sets"
        " (each column: a ratio; or all pooled): F1 ↑, F1 ↑; ranking, from scores"
        " (each row: its labels by score): ranking loss ↓."
    )


def test_metric_map_draws_the_whole_catalogue():
    assert [name[:-2] for name in texts(figures.metric_map(), "metric")] == [
        m.name for m in catalogue.METRICS
    ]


def test_metric_map_draws_a_family_that_it_has_never_seen(monkeypatch):
    monkeypatch.setitem(catalogue.FAMILIES, "new", "each row: something else")
    new = {"name": "odd loss", "family": "new", "higher_is_better": False}
    ax = figures.metric_map([METRIC, SimpleNamespace(**(vars(METRIC) | new | {"along": "sample"}))])
    assert figures.alt_text(ax).endswith(
        "; new, from label sets (each row: something else): odd loss ↓."
    )
    assert len([name for name in frames(ax) if name.startswith("frame-new-")]) == 3


def test_metric_map_has_a_band_for_each_need_of_a_family():
    by_score = SimpleNamespace(**(vars(METRIC) | {"reads": "y_score", "name": "other"}))
    ax = figures.metric_map([METRIC, by_score, METRIC])
    assert texts(ax, "metric") == ["F1 ↑", "F1 ↑", "other ↑"]


def test_changing_any_record_changes_the_map():
    changes = ({}, {"name": "x"}, {"family": "Hamming"}, {"higher_is_better": False})
    changes += ({"reads": "y_score"},)
    maps = [figures.metric_map([SimpleNamespace(**(vars(METRIC) | c)), LOSS]) for c in changes]
    assert all_differ([*maps, figures.metric_map([METRIC])])
