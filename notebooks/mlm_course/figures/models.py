"""A table of models by metrics: a marker for each value, or the models from best to worst."""

from collections.abc import Collection, Iterable, Mapping
from itertools import chain, groupby
from typing import TypeAlias

import numpy as np
from matplotlib.axes import Axes

from mlm_course.figures.look import INK, PAPER, QUIET, SIZE, strokes
from mlm_course.figures.pen import (
    box,
    chart,
    figure_of,
    name_rows,
    page,
    small,
    width_of,
    write,
)
from mlm_helpers.board.numbers import decimal

Values: TypeAlias = Mapping[str, Mapping[str, float]]

_STEP = 0.72  # inches from one place to the next


def metric_dots(values: Values, *, lower_is_better: Collection[str] = ()) -> Axes:
    """Every model's value of every metric: a row per metric, a marker per model.

    Parameters
    ----------
    values : mapping of metric to mapping of model to value; the same models throughout
    lower_is_better : the metrics to mark with ↓ (the others get ↑)

    Examples
    --------
    >>> table = {"F1": {"tree": 0.8, "Bayes": 0.7}, "loss": {"tree": 0.1, "Bayes": 0.2}}
    >>> metric_dots(table, lower_is_better=["loss"]).get_label()
    'Metrics by model. F1 ↑: tree 0.8, Bayes 0.7; loss ↓: tree 0.1, Bayes 0.2.'
    """
    models, rows = _models(values), _with_arrows(values, lower_is_better)
    listed = "; ".join(
        f"{row}: {', '.join(f'{model} {decimal(value)}' for model, value in column.items())}"
        for row, column in zip(rows, values.values(), strict=True)
    )
    height = 1.7 + 0.5 * len(rows)
    margins = (0.65 + width_of(rows), 0.6, 0.35, 0.95)
    ax = chart(9.2, height, margins, f"Metrics by model. {listed}.")
    offsets = np.linspace(-0.26, 0.26, len(models)) if len(models) > 1 else [0.0]
    for (model, look), offset in zip(strokes(models).items(), offsets, strict=True):
        drawn = [column[model] for column in values.values()]
        look["linestyle"] = "none"
        ax.plot(drawn, np.arange(len(rows)) + offset, clip_on=False, **look)
    name_rows(ax, rows, 14)
    ax.set_xlim(0, max(1.0, *(float(v) for column in values.values() for v in column.values())))
    ax.grid(axis="y", visible=False)
    ax.hlines(np.arange(1, len(rows)) - 0.5, *ax.get_xlim(), color="#E4E4E4", linewidth=0.8)
    figure_of(ax).legend(  # in one line above the picture
        ncols=len(models), loc="upper center", bbox_to_anchor=(0.5, 1 - 0.15 / height),
        frameon=False, fontsize=SIZE - 1, labelcolor=INK, handletextpad=0.2, columnspacing=1.6,
    )  # fmt: skip
    return ax


def rank_reversals(values: Values, *, lower_is_better: Collection[str] = ()) -> Axes:
    """The models from best to worst under each metric; where lines cross, two metrics disagree.

    Models with equal values stand under one another in a frame, in the order of the column before.

    Parameters
    ----------
    values : mapping of metric to mapping of model to value; the same models throughout
    lower_is_better : the metrics whose smallest value is best

    Examples
    --------
    >>> table = {"F1": {"tree": 0.8, "Bayes": 0.7}, "loss": {"tree": 0.2, "Bayes": 0.1}}
    >>> rank_reversals(table, lower_is_better=["loss"]).get_label()
    'Models from best to worst. F1 ↑: tree 0.8, Bayes 0.7; loss ↓: Bayes 0.1, tree 0.2.'
    """
    models, heads = _models(values), _with_arrows(values, lower_is_better)
    order, columns, listed = models, [], []
    for (metric, column), head in zip(values.items(), heads, strict=True):
        sign = 1 if metric in lower_is_better else -1
        worth = {model: sign * round(float(column[model]), 9) for model in models}
        order = sorted(order, key=worth.__getitem__)
        groups = [list(group) for _, group in groupby(order, worth.__getitem__)]
        said = (" = ".join(f"{model} {decimal(column[model])}" for model in g) for g in groups)
        listed.append(f"{head}: {', '.join(said)}")
        columns.append(groups)
    folded = [[*words[:-2], " ".join(words[-2:])] for words in map(str.split, heads)]
    names, deep = width_of(models), 0.26 * max(map(len, folded))
    apart = max(0.95, width_of(chain(*folded), SIZE - 2) + 0.2)
    left = max(names + 0.75, width_of(["best first"], SIZE - 2) + 0.5 + apart / 2)
    width = left + apart * (len(heads) - 1) + names + 0.75
    alt = f"Models from best to worst. {'; '.join(listed)}."
    ax = page(width, 0.5 + deep + _STEP * len(models), alt)
    small(ax, 0.3, deep, "best first")
    xs = [left + apart * i for i in range(len(heads))]
    for x, lines in zip(xs, folded, strict=True):
        for i, line in enumerate(reversed(lines)):
            write(ax, x, deep - 0.26 * i, line, ha="center", fontsize=SIZE - 2)
    _draw_reversals(ax, xs, 0.55 + deep, columns, values)
    return ax


def _models(values: Values) -> list[str]:
    """The models of a table, which must be the same for every metric."""
    models = list(next(iter(values.values())))
    for metric, column in values.items():
        if set(column) != set(models):
            raise ValueError(f"{metric} has other models than the first metric: give all the same")
    return models


def _with_arrows(metrics: Iterable[str], lower_is_better: Collection[str]) -> list[str]:
    """Each metric with its direction."""
    return [f"{metric} {'↓' if metric in lower_is_better else '↑'}" for metric in metrics]


def _draw_reversals(
    ax: Axes, xs: list[float], top: float, columns: list[list[list[str]]], values: Values
) -> None:
    """Lines through the places of each model, values under the markers, frames around ties."""
    places = [{model: top + _STEP * i for i, model in enumerate(chain(*g))} for g in columns]
    for model, look in strokes(_models(values)).items():
        heights = [place[model] for place in places]
        look["markersize"] += 3
        ax.plot(xs, heights, zorder=3, **look)
        write(ax, xs[0] - 0.45, heights[0], model, ha="right")
        write(ax, xs[-1] + 0.45, heights[-1], model)
    patch = {"facecolor": PAPER, "edgecolor": "none", "pad": 0.6}
    under = {"ha": "center", "fontsize": SIZE - 4, "color": QUIET, "zorder": 4, "bbox": patch}
    tie = {"facecolor": "#EFEFEF", "edgecolor": QUIET, "linewidth": 1, "label": "tie", "zorder": 1}
    for x, column, groups, place in zip(xs, values.values(), columns, places, strict=True):
        for model, y in place.items():
            write(ax, x, y + 0.27, decimal(column[model]), **under)
        for group in groups:
            if len(group) > 1:
                tall = _STEP * (len(group) - 1) + 0.6
                box(ax, x - 0.33, place[group[0]] - 0.22, 0.66, tall, **tie)
