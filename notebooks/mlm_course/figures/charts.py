"""Values along one axis: a bar, a dot or an interval for each; a line for each series."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.transforms import offset_copy

from mlm_course.figures.look import BLUE, FAINT, INK, PAPER, SIZE, VERMILION, strokes
from mlm_course.figures.pen import chart, figure_of, name_rows, width_of, write
from mlm_course.figures.phrases import joined
from mlm_course.numbers import with_decimal
from mlm_helpers import probability
from mlm_helpers.tables import count_phrase
from mlm_helpers.tables.numbers import decimal


def value_bars(values: Mapping[str, float | Fraction], *, title: str) -> Axes:
    """A bar from 0 for each named value; a Fraction is written as one, with its decimal.

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
    listed = "; ".join(f"{name} {text}" for name, text in texts.items())
    margins = (0.55 + width_of(values), 0.6, 0.45 + width_of(texts.values()), 0.75)
    ax = chart(8.6, 1.4 + 0.6 * len(values), margins, f"{title}: {listed}.", title)
    ax.grid(visible=False)
    name_rows(ax, list(values), 8)
    ax.barh(range(len(values)), [*map(float, values.values())], height=0.62, color=BLUE)
    ax.autoscale(axis="y")
    ax.set_xlim(0, max(1.0, *map(float, values.values())))
    for i, (value, text) in enumerate(zip(values.values(), texts.values(), strict=True)):
        write(ax, float(value), i, f"  {text}", clip_on=False)
    return ax


def tool_dots(numbers: Mapping[str, float | str], *, title: str) -> Axes:
    """What tools give for one metric of one input: a row per tool, the smallest number first.

    What has no place on the line (nan, inf, an error) is written to its right.

    Parameters
    ----------
    numbers : mapping of tool to its number, or to what it says instead of one

    Examples
    --------
    >>> numbers = {"MULAN": 1.0, "scikit-learn": 0.5, "Spark": float("nan"), "river": 0.5}
    >>> tool_dots(numbers, title="F1").get_label()
    'F1: 0.5 from scikit-learn and river; 1 from MULAN; nan from Spark.'
    """
    texts = {k: v if isinstance(v, str) else decimal(v) for k, v in numbers.items()}
    at = {k: float(v) for k, v in numbers.items() if not isinstance(v, str) and np.isfinite(v)}
    others = [tool for tool in numbers if tool not in at]
    tools = sorted(at, key=lambda k: float(texts[k])) + sorted(others, key=texts.__getitem__)
    groups = groupby(tools, texts.__getitem__)
    listed = "; ".join(f"{text} from {joined(list(group))}" for text, group in groups)
    right = max(1.2, 0.9 + 1.15 * width_of(texts.values()))
    ax = _rows(tools, 0.4, right, f"{title}: {listed}.", title)
    low, high = min([0.0, *at.values()]), max([1.0, *at.values()])
    ax.set_xlim(low, high)
    dots: dict[str, Any] = {"marker": "o", "markersize": 11, "linestyle": "none", "color": BLUE}
    ax.plot([at[k] for k in tools if k in at], range(len(at)), clip_on=False, zorder=3, **dots)
    for i, tool in enumerate(tools):
        gap, aside = (0.14, {}) if tool in at else (0.5, {"color": VERMILION, "fontweight": "bold"})
        beside = offset_copy(ax.transData, figure_of(ax), gap, units="inches")
        paper = {"facecolor": PAPER, "edgecolor": "none", "pad": 1}
        look: dict[str, Any] = {"transform": beside, "clip_on": False, "bbox": paper} | aside
        write(ax, at.get(tool, high), i, texts[tool], label=f"value-{i}", **look)
    return ax


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
    values, lows, highs = zip(
        *(list(map(float, one[:3])) for one in intervals.values()), strict=True
    )
    texts = [_written(*three) for three in zip(values, lows, highs, strict=True)]
    listed = "; ".join(f"{name} {text}" for name, text in zip(intervals, texts, strict=True))
    beside = "" if line is None else f" The line stands at {decimal(line)}."
    ax = _rows(list(intervals), 0.5, 0.6 + width_of(texts), f"{title}: {listed}.{beside}", title)
    ax.grid(axis="y", visible=False)
    if line is not None:
        ax.axvline(line, color=VERMILION, linewidth=1.6, linestyle=(0, (5, 2)), label="line")
    rows = range(len(texts))
    ax.hlines(rows, lows, highs, color=BLUE, linewidth=4, zorder=3)
    dot: dict[str, Any] = {"color": PAPER, "markeredgecolor": INK, "marker": "o", "markersize": 9}
    ax.plot(values, rows, linestyle="none", zorder=4, label="dots", **dot)
    edge = offset_copy(ax.get_yaxis_transform(), figure_of(ax), 0.25, units="inches")
    for i, text in enumerate(texts):
        write(ax, 1, i, text, transform=edge, clip_on=False)
    return ax


def _written(value: float, low: float, high: float) -> str:
    """A value and its interval, to so many places, from three on, that the three differ."""
    three = value, low, high
    places = next((n for n in (3, 4, 5) if len({decimal(one, n) for one in three}) == 3), 3)
    return "{} ({} to {})".format(*(decimal(one, places) for one in three))


def _rows(names: list[str], high: float, right: float, alt: str, title: str) -> Axes:
    """A chart with a row for each name, so many inches high, and a margin for numbers on the right."""
    left = 0.6 + width_of(names)
    width = max(9.2, left + 4 + right, 0.7 + 1.15 * width_of([title], SIZE + 3))
    ax = chart(width, 1.4 + high * len(names), (left, 0.6, right, 0.8), alt, title)
    name_rows(ax, names, 12)
    return ax


def value_lines(
    title: str,
    across: str,
    x: Sequence[float],
    series: Mapping[str, Sequence[float]],
    *,
    limits: Any = None,
) -> Axes:
    """How values move along an axis: a line for each series, named beside it from the top down.

    Parameters
    ----------
    title : str
    across : what moves, such as "epoch" or "threshold"
    x : its values, in order
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
    listed = "; ".join(f"{name} {' '.join(map(decimal, ys))}" for name, ys in series.items())
    span = "" if limits is None else f", drawn from {decimal(limits[0])} to {decimal(limits[1])}"
    alt = f"{title} at {across} {' '.join(map(decimal, xs))}{span}: {listed}."
    ax = chart(9.2, 5.2, (0.85, 0.75, 1.1 + width_of(series), 0.75), alt, title)
    for name, look in strokes(series).items():
        ax.plot(xs, series[name], clip_on=False, zorder=3, **look)
    ax.set_xlabel(across, fontsize=SIZE, color=INK, labelpad=6)
    ax.set_ylim(limits)
    from_the_top = sorted(ax.lines, key=lambda line: -series[str(line.get_label())][-1])
    ax.legend(
        handles=from_the_top, loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False,
        fontsize=SIZE - 1, labelcolor=INK, handlelength=3, labelspacing=0.8,
    )  # fmt: skip
    return ax


def reliability_diagram(
    y_true: Any, models: Mapping[str, Any], *, label: str, bins: int = 10
) -> Axes:
    """Share of positives over mean probability in each bin of a label, a line per model.

    On the diagonal a probability is a chance; below it the model says too much.

    Parameters
    ----------
    y_true : list of 0 and 1, shape (n_samples,)
    models : mapping of name to the probabilities of the samples
    label : the label's name
    bins : int

    Examples
    --------
    >>> reliability_diagram([0, 1, 1], {"bold": [0.1, 0.1, 0.9]}, label="dog").get_label()
    'Share that is dog by mean probability, bin by bin: bold 0.5 at 0.1 (2 samples), \
1 at 0.9 (1 sample).'
    """
    found = {name: probability.reliability(y_true, p, bins=bins) for name, p in models.items()}
    listed = {
        name: ", ".join(
            f"{decimal(share)} at {decimal(mean)} ({count_phrase(int(n), 'sample')})"
            for mean, share, n in zip(*points, strict=True)
        )
        for name, points in found.items()
    }
    said = "; ".join(f"{name} {points}" for name, points in listed.items())
    alt = f"Share that is {label} by mean probability, bin by bin: {said}."
    ax = chart(7.2, 5.6, (0.85, 0.75, 0.35, 0.35), alt)
    ax.plot([0, 1], [0, 1], color=FAINT, linewidth=1.5, label="_diagonal")
    for name, look in strokes(found).items():
        ax.plot(found[name].mean_probability, found[name].share, clip_on=False, zorder=3, **look)
    ax.set(xlim=(0, 1), ylim=(0, 1))
    ax.set_xlabel("mean probability", fontsize=SIZE, color=INK, labelpad=6)
    ax.set_ylabel(f"share that is {label}", fontsize=SIZE, color=INK, labelpad=6)
    ax.legend(loc="upper left", frameon=False, fontsize=SIZE - 1, labelcolor=INK)
    return ax
