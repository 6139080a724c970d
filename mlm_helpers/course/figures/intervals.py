"""Intervals, one under another, against a line of comparison."""

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.transforms import offset_copy

from mlm_helpers.board.numbers import decimal
from mlm_helpers.course.figures.look import BLUE, INK, PAPER, SIZE, VERMILION
from mlm_helpers.course.figures.pen import chart, figure_of, width_of, write


def interval_bars(
    intervals: Mapping[str, Sequence[float]], *, title: str, line: float | None = None
) -> Axes:
    """A dot for each value and a bar from the low to the high end of its interval.

    Parameters
    ----------
    intervals : mapping of name to (value, low, high, …); what follows is not read
    title : str
    line : a number that an interval may hold or not, such as 0 for differences, optional

    Examples
    --------
    >>> of = {"trees": (0.5, 0.4, 0.6), "linear": (0.45, 0.36, 0.55)}
    >>> interval_bars(of, title="Micro F1").get_label()
    'Micro F1: trees 0.5 (0.4 to 0.6); linear 0.45 (0.36 to 0.55).'
    """
    ends = {name: tuple(map(float, each))[:3] for name, each in intervals.items()}
    texts = {
        name: f"{decimal(value)} ({decimal(low)} to {decimal(high)})"
        for name, (value, low, high) in ends.items()
    }
    listed = "; ".join(f"{name} {text}" for name, text in texts.items())
    beside = "" if line is None else f" The line stands at {decimal(line)}."
    margins = (0.6 + width_of(ends), 0.6, 0.6 + width_of(texts.values()), 0.8)
    width = max(9.2, margins[0] + 4 + margins[2], 0.7 + 1.15 * width_of([title], SIZE + 3))
    ax = chart(width, 1.4 + 0.5 * len(ends), margins, f"{title}: {listed}.{beside}", title)
    ax.set_ylim(len(ends) - 0.5, -0.5)
    ax.set_yticks(range(len(ends)), list(ends))
    ax.tick_params(axis="y", length=0, labelsize=SIZE, pad=12)
    ax.grid(axis="y", visible=False)
    if line is not None:
        ax.axvline(line, color=VERMILION, linewidth=1.6, linestyle=(0, (5, 2)), label="line")
    bar: dict[str, Any] = {"color": BLUE, "linewidth": 4, "solid_capstyle": "butt", "zorder": 3}
    dot: dict[str, Any] = {"color": PAPER, "markeredgecolor": INK, "marker": "o", "zorder": 4}
    edge = offset_copy(ax.get_yaxis_transform(), figure_of(ax), 0.25, units="inches")
    for i, (name, (value, low, high)) in enumerate(ends.items()):
        ax.plot([low, high], [i, i], label=f"bar-{name}", **bar)
        ax.plot([value], [i], markersize=9, linestyle="none", label=f"dot-{name}", **dot)
        write(ax, 1, i, texts[name], transform=edge, clip_on=False, label=f"value-{i}")
    return ax
