"""Time over size, one small picture per metric."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from mlm_helpers import inputs
from mlm_helpers.course.figures.look import PAPER, QUIET, SIZE, strokes
from mlm_helpers.course.figures.pen import figure_of, headline, page, rule, write
from mlm_helpers.course.figures.phrases import capital, joined

Times: TypeAlias = Mapping[str, Mapping[str, Sequence[float | None]]]

_ACROSS, _WIDTH = 3, 9.8  # small pictures in a row; inches: the page
_FIRST, _PANEL, _STEP = (1.05, 1.45), (2.57, 2.0), (2.92, 3.0)  # the first, its size, to the next
_GROWS = {
    "samples": "number of samples",
    "labels": "number of labels",
    "density": "share of positive cells",
}


def growth(times: Times, sizes: Sequence[float], *, by: str, data: str, limit: float) -> Axes:
    """How the time of each tool grows, one small picture per metric, all scales logarithmic.

    The Axes are the whole page's; the metrics' are in the same figure, labelled with their names.

    Parameters
    ----------
    times : mapping of metric to mapping of tool to milliseconds at each size, None where not run
    sizes : what grows, above 0 and rising; a density as a share
    by : "samples", "labels" or "density"
    data : what stays the same, in words
    limit : seconds; what was foreseen to take longer was not run

    Examples
    --------
    >>> times = {"F1": {"ours": [1.25, 12.5], "theirs": [2000, None]}}
    >>> growth(times, [100, 10_000], by="labels", data="5 samples", limit=20).get_label()
    'Time by number of labels (5 samples), at 100 and 10,000. F1: ours 1.25 ms, 12.5 ms; theirs 2 s, \
not run. Not run: more than 20 s foreseen.'
    """
    inputs.one_of(by, tuple(_GROWS), "by")
    given = np.array([t for series in times.values() for ts in series.values() for t in ts], float)
    tools = list(dict.fromkeys(tool for series in times.values() for tool in series))
    alt, notes = _sentence(times, sizes, by, data), ["each grid line: ten times as long"]
    if np.isnan(given).any():
        alt += f" Not run: more than {limit:g} s foreseen."
        notes += ["a line ends where more than", f"{limit:g} s was foreseen"]
    rows = -(-(len(times) + 1) // _ACROSS)  # one place is the key's
    height = _FIRST[1] + rows * _STEP[1] - 0.35
    ax = page(_WIDTH, height, alt)
    headline(ax, f"Time by {_GROWS[by]}", y=0.42)
    write(ax, 0.3, 0.78, data, fontsize=SIZE - 2, color=QUIET)
    corners = [
        (_FIRST[0] + _STEP[0] * (i % _ACROSS), _FIRST[1] + _STEP[1] * (i // _ACROSS))
        for i in range(rows * _ACROSS)
    ]
    key = corners.pop(min(len(times), _ACROSS - 1))
    for (x, y), (metric, series) in zip(corners, times.items(), strict=False):
        place = (x / _WIDTH, 1 - (y + _PANEL[1]) / height, _PANEL[0] / _WIDTH, _PANEL[1] / height)
        part = figure_of(ax).add_axes(place, facecolor=PAPER, label=metric)
        for tool, look in strokes(tools).items():
            if tool in series:
                shown = np.array(series[tool], dtype=float)  # nan where not run
                part.plot(sizes, shown, clip_on=False, zorder=3, **look)
        _scale(part, given, sizes, by, numbered=x == _FIRST[0])
        write(ax, x, y - 0.24, capital(metric), fontweight="bold", label="metric")
    _draw_key(ax, *key, tools, notes)
    return ax


def _sentence(times: Times, sizes: Sequence[float], by: str, data: str) -> str:
    listed = (
        f"{capital(metric)}: "
        + "; ".join(f"{tool} {', '.join(map(_time, ts))}" for tool, ts in series.items())
        for metric, series in times.items()
    )
    at = [f"{100 * size:g} %" if by == "density" else f"{size:,}" for size in sizes]
    return f"Time by {_GROWS[by]} ({data}), at {joined(at)}. {'. '.join(listed)}."


def _time(milliseconds: float | None) -> str:
    if milliseconds is None:
        return "not run"
    return f"{milliseconds:g} ms" if milliseconds < 1000 else f"{milliseconds / 1000:g} s"


def _power(number: float) -> str:
    """A power of ten as one reads it: 100, 1,000, 10⁴."""
    zeros = len(f"{number:.0f}") - 1
    raised = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
    return f"{number:,.0f}" if zeros < 4 else "10" + str(zeros).translate(raised)


def _scale(
    ax: Axes, given: NDArray[np.float64], sizes: Sequence[float], by: str, *, numbered: bool
) -> None:
    """Logarithmic scales, with a line at each tenfold time, and a number at each size."""
    rule(ax)
    tens = np.log10([np.nanmin(given), np.nanmax(given)])
    decades = 10.0 ** np.arange(np.floor(tens[0]), np.ceil(tens[1]) + 1)
    ax.set(xscale="log", yscale="log", ylim=(decades[0], decades[-1]))
    ax.set_xlim(sizes[0] / 1.25, sizes[-1] * 1.25)
    ax.set_yticks(decades, [_time(t) for t in decades] if numbered else [""] * len(decades))
    ax.set_xticks(
        sizes, [f"{100 * size:g} %" if by == "density" else _power(size) for size in sizes]
    )
    ax.minorticks_off()
    ax.tick_params(axis="y", length=0, pad=7)


def _draw_key(ax: Axes, x: float, y: float, tools: Sequence[str], notes: Sequence[str]) -> None:
    """The stroke of each tool, and what else is to be known."""
    for i, (tool, look) in enumerate(strokes(tools).items()):
        level = y + 0.2 + 0.4 * i
        ax.plot([x + 0.15, x + 0.5, x + 0.85], [level] * 3, **(look | {"markevery": [1]}))
        write(ax, x + 1.05, level, tool, label="tool")
    for i, note in enumerate(notes, start=1):
        level = y + 0.15 + 0.4 * len(tools) + 0.26 * i
        write(ax, x + 0.15, level, note, fontsize=SIZE - 3, color=QUIET, label="note")
