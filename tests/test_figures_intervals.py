"""Intervals, read back as data."""

from mlm_helpers.course import figures

OF = {"trees": (0.5, 0.375, 0.6), "linear": (-0.25, -0.5, 0.125)}


def parts(ax):
    return {line.get_label(): line for line in ax.lines}


def test_every_interval_has_its_bar_and_its_dot():
    drawn = parts(figures.interval_bars(OF, title="F1", line=0.25))
    assert {name: list(map(float, line.get_xdata())) for name, line in drawn.items()} == {
        "line": [0.25, 0.25],
        "bar-trees": [0.375, 0.6], "dot-trees": [0.5],
        "bar-linear": [-0.5, 0.125], "dot-linear": [-0.25],
    }  # fmt: skip
    heights = {name: {*line.get_ydata()} for name, line in drawn.items() if name != "line"}
    assert heights == {
        "bar-trees": {0}, "dot-trees": {0}, "bar-linear": {1}, "dot-linear": {1},
    }  # fmt: skip


def test_names_and_numbers_stand_beside_their_bars():
    ax = figures.interval_bars(OF, title="F1")
    assert [tick.get_text() for tick in ax.get_yticklabels()] == ["trees", "linear"]
    written = {text.get_text(): text.get_position()[1] for text in ax.texts}
    assert written == {"0.5 (0.375 to 0.6)": 0, "-0.25 (-0.5 to 0.125)": 1}
    low, high = ax.get_ylim()
    assert low > high  # the first on top
    assert "line" not in parts(ax)


def test_its_sentence_says_all_that_is_drawn():
    base = figures.interval_bars(OF, title="F1", line=0).get_label()
    assert base.endswith("linear -0.25 (-0.5 to 0.125). The line stands at 0.")
    others = [
        figures.interval_bars(OF | {"linear": changed}, title="F1", line=0).get_label()
        for changed in ((-0.2, -0.5, 0.125), (-0.25, -0.4, 0.125), (-0.25, -0.5, 0.2))
    ]
    others += [figures.interval_bars(OF, title="F2", line=0).get_label()]
    others += [figures.interval_bars(OF, title="F1", line=0.5).get_label()]
    assert len({base, *others}) == 6
