"""Values side by side: a bar, a dot or a marker each."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from fractions import Fraction
from itertools import groupby
from typing import Any, TypeAlias

import numpy as np
from matplotlib.axes import Axes
from matplotlib.transforms import offset_copy

from mlm_helpers.board.numbers import decimal, with_decimal
from mlm_helpers.figures.look import BLUE, INK, PAPER, SIZE, VERMILION, strokes
from mlm_helpers.figures.pen import chart, figure_of, width_of, write
from mlm_helpers.figures.words import joined

Values: TypeAlias = Mapping[str, Mapping[str, float]]


def value_bars(values: Mapping[str, float | Fraction], *, title: str) -> Axes:
    """A bar from 0 for each named value; a Fraction is written as one, with its decimal.

    Parameters
    ----------
    values : mapping of name to value, 0 or more
    title : str

    Returns
    -------
    Axes

    Examples
    --------
    >>> from mlm_helpers.figures import alt_text
    >>> from fractions import Fraction
    >>> alt_text(value_bars({"accuracy": Fraction(4, 9), "F1": 0.6}, title="Two metrics"))
    'Two metrics: accuracy 4/9 ≈ 0.444; F1 0.6.'
    """
    texts = {
        k: with_decimal(v) if isinstance(v, Fraction) else decimal(v) for k, v in values.items()
    }
    alt = f"{title}: {'; '.join(f'{name} {text}' for name, text in texts.items())}."
    margins = (0.55 + width_of(values), 0.6, 0.45 + width_of(texts.values()), 0.75)
    ax = chart(8.6, 1.4 + 0.6 * len(values), margins, alt)
    ax.grid(visible=False)
    ax.barh(list(values), [float(v) for v in values.values()], height=0.62, color=BLUE)
    ax.invert_yaxis()
    ax.set_xlim(0, max(1.0, *map(float, values.values())))
    ax.tick_params(axis="y", length=0, labelsize=SIZE, pad=8)
    for i, (value, text) in enumerate(zip(values.values(), texts.values(), strict=True)):
        write(ax, float(value), i, f"  {text}", clip_on=False, label=f"value-{i}")
    _head_left(ax, title)
    return ax


def _head_left(ax: Axes, title: str) -> None:
    """A title above the left edge of the whole picture."""
    figure = figure_of(ax)
    width, height = figure.get_size_inches()
    figure.text(
        0.3 / width, 1 - 0.42 / height, title, fontsize=SIZE + 3, fontweight="bold", color=INK,
        va="center_baseline", parse_math=False,
    )  # fmt: skip


def tool_dots(numbers: Mapping[str, float | str], *, title: str) -> Axes:
    """What tools give for one metric of one input: a row per tool, the smallest number first.

    What has no place on the line (nan, inf, an error) is written to its right.

    Parameters
    ----------
    numbers : mapping of tool to its number, or to what it says instead of one
    title : str

    Returns
    -------
    Axes

    Examples
    --------
    >>> from mlm_helpers.figures import alt_text
    >>> numbers = {"MULAN": 1.0, "scikit-learn": 0.5, "Spark": float("nan"), "river": 0.5}
    >>> alt_text(tool_dots(numbers, title="F1"))
    'F1: 0.5 from scikit-learn and river; 1 from MULAN; nan from Spark.'
    """
    texts = {k: v if isinstance(v, str) else decimal(v) for k, v in numbers.items()}
    at = {k: float(v) for k, v in numbers.items() if not isinstance(v, str) and np.isfinite(v)}
    others = [tool for tool in numbers if tool not in at]
    tools = sorted(at, key=lambda k: float(texts[k])) + sorted(others, key=texts.__getitem__)
    groups = groupby(tools, texts.__getitem__)
    listed = "; ".join(f"{text} from {joined(list(group))}" for text, group in groups)
    margins = (0.6 + width_of(tools), 0.6, max(1.2, 0.9 + 1.15 * width_of(texts.values())), 0.8)
    width = max(9.2, margins[0] + 4 + margins[2], 0.7 + 1.15 * width_of([title], SIZE + 3))
    ax = chart(width, 1.4 + 0.4 * len(tools), margins, f"{title}: {listed}.")
    low, high = min([0.0, *at.values()]), max([1.0, *at.values()])
    ax.set(xlim=(low, high), ylim=(len(tools) - 0.5, -0.5))
    ax.set_yticks(range(len(tools)), tools)
    ax.tick_params(axis="y", length=0, labelsize=SIZE, pad=12)
    dots: dict[str, Any] = {"marker": "o", "markersize": 11, "linestyle": "none", "color": BLUE}
    ax.plot([at[k] for k in tools if k in at], range(len(at)), clip_on=False, zorder=3, **dots)
    for i, tool in enumerate(tools):
        aside = {} if tool in at else {"color": VERMILION, "fontweight": "bold"}
        right = 0.14 if tool in at else 0.5
        beside = offset_copy(ax.transData, figure_of(ax), right, units="inches")
        paper = {"facecolor": PAPER, "edgecolor": "none", "pad": 1}
        look: dict[str, Any] = {"transform": beside, "clip_on": False, "bbox": paper} | aside
        write(ax, at.get(tool, high), i, texts[tool], label=f"value-{i}", **look)
    _head_left(ax, title)
    return ax


def metric_dots(values: Values, *, lower_is_better: Collection[str] = ()) -> Axes:
    """Every model's value of every metric: a row per metric, a marker per model.

    Parameters
    ----------
    values : mapping of metric to mapping of model to value; the same models throughout
    lower_is_better : the metrics to mark with ↓ (the others get ↑)

    Returns
    -------
    Axes

    Examples
    --------
    >>> from mlm_helpers.figures import alt_text
    >>> table = {"F1": {"tree": 0.8, "Bayes": 0.7}, "loss": {"tree": 0.1, "Bayes": 0.2}}
    >>> alt_text(metric_dots(table, lower_is_better=["loss"]))
    'Metrics by model. F1 ↑: tree 0.8, Bayes 0.7; loss ↓: tree 0.1, Bayes 0.2.'
    """
    models = models_of(values)
    rows = with_arrows(values, lower_is_better)
    listed = "; ".join(
        f"{row}: {', '.join(f'{model} {decimal(value)}' for model, value in column.items())}"
        for row, column in zip(rows, values.values(), strict=True)
    )
    height = 1.7 + 0.5 * len(rows)
    ax = chart(
        9.2, height, (0.65 + width_of(rows), 0.6, 0.35, 0.95), f"Metrics by model. {listed}."
    )
    offsets = np.linspace(-0.26, 0.26, len(models)) if len(models) > 1 else [0.0]
    for (model, look), offset in zip(strokes(models).items(), offsets, strict=True):
        heights = np.arange(len(rows)) + offset
        drawn = [column[model] for column in values.values()]
        ax.plot(drawn, heights, clip_on=False, **(look | {"linestyle": "none"}))
    ax.set_yticks(range(len(rows)), rows)
    ax.set_ylim(len(rows) - 0.5, -0.5)
    ax.set_xlim(0, max(1.0, *(float(v) for column in values.values() for v in column.values())))
    ax.grid(axis="y", visible=False)
    ax.hlines(np.arange(1, len(rows)) - 0.5, *ax.get_xlim(), color="#E4E4E4", linewidth=0.8)
    ax.tick_params(axis="y", length=0, labelsize=SIZE, pad=14)
    _key(ax, models)
    return ax


def models_of(values: Values) -> list[str]:
    """The models of a table, which must be the same for every metric."""
    models = list(next(iter(values.values())))
    for metric, column in values.items():
        if set(column) != set(models):
            raise ValueError(f"{metric} has other models than the first metric: give all the same")
    return models


def with_arrows(metrics: Iterable[str], lower_is_better: Collection[str]) -> list[str]:
    """Each metric with its direction."""
    return [f"{metric} {'↓' if metric in lower_is_better else '↑'}" for metric in metrics]


def _key(ax: Axes, names: Collection[str]) -> None:
    """What the markers stand for, in one line above the picture."""
    figure = figure_of(ax)
    height = figure.get_size_inches()[1]
    figure.legend(
        ncols=len(names), loc="upper center", bbox_to_anchor=(0.5, 1 - 0.15 / height),
        frameon=False, fontsize=SIZE - 1, labelcolor=INK, handletextpad=0.2, columnspacing=1.6,
    )  # fmt: skip
