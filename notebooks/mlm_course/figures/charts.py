"""Charts: a bar, a dot or an interval per name, and lines over a common axis."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.transforms import offset_copy

from mlm_course.figures.look import BLUE, FAINT, INK, ORANGE, PAPER, SIZE, VERMILION, series_styles
from mlm_course.figures.pen import chart, figure_of, name_rows, text_width, write
from mlm_course.figures.phrases import and_list, capitalized
from mlm_course.numbers import with_decimal
from mlm_helpers import probability
from mlm_helpers.tables import count_phrase
from mlm_helpers.tables.numbers import decimal

_AXIS_NAME: Any = {"fontsize": SIZE, "color": INK, "labelpad": 6}
_LEGEND: Any = {"frameon": False, "fontsize": SIZE - 1, "labelcolor": INK}


def value_bars(values: Mapping[str, float | Fraction], *, title: str) -> Axes:
    """Chart with a bar from 0 for each name, and its value as text: '4/9 ≈ 0.444' for a Fraction.

    Parameters
    ----------
    values : mapping of name to value, 0 or more

    Examples
    --------
    >>> from fractions import Fraction
    >>> value_bars({"accuracy": Fraction(4, 9), "F1": 0.6}, title="Two metrics").get_label()
    'Two metrics: accuracy 4/9 ≈ 0.444; F1 0.6.'
    """
    texts = {name: with_decimal(value) for name, value in values.items()}
    listing = "; ".join(f"{name} {text}" for name, text in texts.items())
    left, right = 0.55 + text_width(values), 0.45 + text_width(texts.values())
    margins = left, 0.6, right, 0.75  # left, bottom, right, top
    height, alt = 1.4 + 0.6 * len(values), f"{title}: {listing}."
    ax = chart(width=8.6, height=height, margins=margins, alt=alt, title=title)
    ax.grid(visible=False)
    name_rows(ax, list(values), pad=8)
    ax.barh(range(len(values)), [*map(float, values.values())], height=0.62, color=BLUE)
    ax.autoscale(axis="y")
    ax.set_xlim(0, max(1.0, *map(float, values.values())))
    for i, (value, text) in enumerate(zip(values.values(), texts.values(), strict=True)):
        write(ax, float(value), i, f"  {text}", clip_on=False)
    return ax


def tool_dots(numbers: Mapping[str, float | str], *, title: str) -> Axes:
    """Chart of the numbers that tools return for one metric: a row per tool, the smallest first.

    A finite number is a dot on the axis; nan, inf and errors are written to the right of the axis.

    Parameters
    ----------
    numbers : mapping of tool to its number, or to the text of its error

    Examples
    --------
    >>> numbers = {"MULAN": 1.0, "scikit-learn": 0.5, "Spark": float("nan"), "river": 0.5}
    >>> tool_dots(numbers, title="F1").get_label()
    'F1: 0.5 from scikit-learn and river; 1 from MULAN; nan from Spark.'
    """
    texts = {tool: n if isinstance(n, str) else decimal(n) for tool, n in numbers.items()}
    finite = {k: float(v) for k, v in numbers.items() if not isinstance(v, str) and np.isfinite(v)}
    dot_tools = sorted(finite, key=lambda tool: float(texts[tool]))
    text_tools = sorted((tool for tool in numbers if tool not in finite), key=texts.__getitem__)
    tools = dot_tools + text_tools
    groups = groupby(tools, texts.__getitem__)
    listing = "; ".join(f"{text} from {and_list(list(group))}" for text, group in groups)
    right = max(1.2, 0.9 + 1.15 * text_width(texts.values()))
    ax = _row_chart(tools, row_height=0.4, right=right, alt=f"{title}: {listing}.", title=title)
    low, high = min([0.0, *finite.values()]), max([1.0, *finite.values()])
    ax.set_xlim(low, high)
    dots: dict[str, Any] = {"marker": "o", "markersize": 11, "linestyle": "none", "color": BLUE}
    xs = [finite[tool] for tool in dot_tools]
    ax.plot(xs, range(len(xs)), clip_on=False, zorder=3, **dots)
    patch = {"facecolor": PAPER, "edgecolor": "none", "pad": 1}
    for i, tool in enumerate(tools):
        gap, style = 0.14, {}
        if tool not in finite:
            gap, style = 0.5, {"color": VERMILION, "fontweight": "bold"}
        beside: Any = offset_copy(ax.transData, figure_of(ax), gap, units="inches")
        x, text = finite.get(tool, high), texts[tool]
        write(ax, x, i, text, transform=beside, clip_on=False, bbox=patch, **style)
    return ax


def interval_bars(
    intervals: Mapping[str, Sequence[float]], *, title: str, line: float | None = None
) -> Axes:
    """Chart with a dot for each value and a bar from the low to the high end of its interval.

    Parameters
    ----------
    intervals : mapping of name to (value, low, high, …), of which the first three are drawn
    title : str
    line : a number to compare the intervals with, such as 0 for differences, optional
    """
    triples = [tuple(map(float, interval[:3])) for interval in intervals.values()]
    values, lows, highs = zip(*triples, strict=True)
    texts = [_interval_text(*triple) for triple in triples]
    listing = "; ".join(f"{name} {text}" for name, text in zip(intervals, texts, strict=True))
    alt = f"{title}: {listing}."
    if line is not None:
        alt += f" The line stands at {decimal(line)}."
    right = 0.6 + text_width(texts)
    ax = _row_chart(list(intervals), row_height=0.5, right=right, alt=alt, title=title)
    ax.grid(axis="y", visible=False)
    if line is not None:
        ax.axvline(line, color=VERMILION, linewidth=1.6, linestyle=(0, (5, 2)))
    rows = range(len(texts))
    ax.hlines(rows, lows, highs, color=BLUE, linewidth=4, zorder=3)
    dot: dict[str, Any] = {"color": PAPER, "markeredgecolor": INK, "marker": "o", "markersize": 9}
    ax.plot(values, rows, linestyle="none", zorder=4, **dot)
    edge = offset_copy(ax.get_yaxis_transform(), figure_of(ax), 0.25, units="inches")
    for i, text in enumerate(texts):
        write(ax, 1, i, text, transform=edge, clip_on=False)
    return ax


def _interval_text(value: float, low: float, high: float) -> str:
    """'value (low to high)' with 3 to 5 decimals: the fewest at which they differ, else 3."""
    rounded = [[decimal(number, n) for number in (value, low, high)] for n in (3, 4, 5)]
    texts = next((texts for texts in rounded if len(set(texts)) == 3), rounded[0])
    return "{} ({} to {})".format(*texts)


def _row_chart(names: list[str], *, row_height: float, right: float, alt: str, title: str) -> Axes:
    """An empty chart with a row for each name; row height and right margin in inches."""
    left = 0.6 + text_width(names)
    width = max(9.2, left + 4 + right, 0.7 + 1.15 * text_width([title], SIZE + 3))
    height = 1.4 + row_height * len(names)
    margins = left, 0.6, right, 0.8  # left, bottom, right, top
    ax = chart(width=width, height=height, margins=margins, alt=alt, title=title)
    name_rows(ax, names, pad=12)
    return ax


def curve_plot(xs: Any, ys: Any, across: str, up: str, *, steps: bool = False) -> Axes:
    """Chart of a curve's points on named axes, with straight lines and, if asked, AP's steps."""
    points = ", ".join(f"{decimal(y)} at {decimal(x)}" for x, y in zip(xs, ys, strict=True))
    alt = f"{capitalized(up)} by {across}{', with steps' * steps}: {points}."
    margins = 0.85, 0.75, 0.3, 0.3  # left, bottom, right, top
    ax = chart(width=6.4, height=4.2, margins=margins, alt=alt, title="")
    if steps:
        ax.step([0, *xs], [ys[0], *ys], color=ORANGE, linewidth=4, label="steps")
    ax.plot(xs, ys, "o--", color=INK, linewidth=2, label="straight lines", clip_on=False)
    ax.set(xlim=(0, 1), ylim=(0, 1.02))
    ax.set_xlabel(across, **_AXIS_NAME)
    ax.set_ylabel(up, **_AXIS_NAME)
    ax.legend(loc="lower right", **_LEGEND)
    return ax


def value_lines(
    title: str,
    across: str,
    x: Sequence[float],
    series: Mapping[str, Sequence[float]],
    *,
    limits: Any = None,
) -> Axes:
    """Chart with a line for each series; the legend lists the highest last value first.

    Parameters
    ----------
    title : str
    across : name of the horizontal axis, such as "epoch" or "threshold"
    x : positions on it, in ascending order
    series : mapping of name to one value for each of x
    limits : (lowest, highest) value on the vertical axis, optional; (0, 1) shows how small
        differences are, the default shows them large

    Examples
    --------
    >>> micro_f1 = {"plain": [0.5, 0.6], "tuned": [0.55, 0.7]}
    >>> value_lines("Micro-F1", "epoch", [1, 2], micro_f1, limits=(0, 1)).get_label()
    'Micro-F1 at epoch 1 2, drawn from 0 to 1: plain 0.5 0.6; tuned 0.55 0.7.'
    """
    xs = [float(value) for value in x]
    listing = "; ".join(f"{name} {' '.join(map(decimal, ys))}" for name, ys in series.items())
    span = "" if limits is None else f", drawn from {decimal(limits[0])} to {decimal(limits[1])}"
    alt = f"{title} at {across} {' '.join(map(decimal, xs))}{span}: {listing}."
    margins = 0.85, 0.75, 1.1 + text_width(series), 0.75  # left, bottom, right, top
    ax = chart(width=9.2, height=5.2, margins=margins, alt=alt, title=title)
    for name, style in series_styles(series).items():
        ax.plot(xs, series[name], clip_on=False, zorder=3, **style)
    ax.set_xlabel(across, **_AXIS_NAME)
    ax.set_ylim(limits)
    from_the_top = sorted(ax.lines, key=lambda line: -series[str(line.get_label())][-1])
    ax.legend(
        handles=from_the_top, loc="center left", bbox_to_anchor=(1.01, 0.5), handlelength=3,
        labelspacing=0.8, **_LEGEND,
    )  # fmt: skip
    return ax


def reliability_diagram(
    y_true: Any, models: Mapping[str, Any], *, label: str, bins: int = 10
) -> Axes:
    """Chart of the share of positives against the mean probability in each bin, a line per model.

    On the diagonal the probabilities are calibrated; below it they are too high. Below the axis
    stands the number of samples in each bin, a row per model.

    Parameters
    ----------
    y_true : list of 0 and 1, shape (n_samples,)
    models : mapping of name to the probabilities of the samples
    label : the label's name
    bins : number of intervals of equal width
    """
    curves = {name: probability.reliability(y_true, p, bins=bins) for name, p in models.items()}
    phrases = []
    for name, curve in curves.items():
        points = [
            f"{decimal(share)} at {decimal(mean)} ({count_phrase(int(n), 'sample')})"
            for mean, share, n in zip(*curve, strict=True)
        ]
        phrases.append(f"{name} {', '.join(points)}")
    alt = f"Share that is {label} by mean probability, bin by bin: {'; '.join(phrases)}."
    rows_height = 0.3 * len(models)
    left = max(0.85, 0.3 + text_width(models))
    margins = left, 0.85 + rows_height, 0.35, 0.35  # left, bottom, right, top
    ax = chart(width=6.35 + left, height=5.7 + rows_height, margins=margins, alt=alt, title="")
    ax.plot([0, 1], [0, 1], color=FAINT, linewidth=1.5, label="_diagonal")
    for row, (name, style) in enumerate(series_styles(curves).items()):
        curve = curves[name]
        ax.plot(curve.mean_probability, curve.share, clip_on=False, zorder=3, **style)
        y = -(0.88 + 0.3 * row) / 4.5
        write(ax, -0.01, y, name, ha="right", clip_on=False)
        for mean, n in zip(curve.mean_probability, curve.samples, strict=True):
            middle = (max(np.ceil(mean * bins), 1) - 0.5) / bins
            write(ax, middle, y, f"{n:.0f}", ha="center", clip_on=False)
    ax.set(xlim=(0, 1), ylim=(0, 1))
    x_label = f"mean probability; below, samples in each of {bins} bins"
    ax.set_xlabel(x_label, **_AXIS_NAME)
    ax.set_ylabel(f"share that is {label}", **_AXIS_NAME)
    ax.legend(loc="upper left", **_LEGEND)
    return ax
