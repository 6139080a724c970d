"""Models from best to worst under each metric."""

from __future__ import annotations

from collections.abc import Collection
from itertools import chain, groupby

from matplotlib.axes import Axes

from mlm_helpers.board.numbers import decimal
from mlm_helpers.figures.dots import Values, models_of, with_arrows
from mlm_helpers.figures.look import PAPER, QUIET, SIZE, strokes
from mlm_helpers.figures.pen import box, page, width_of, write


def rank_reversals(values: Values, *, lower_is_better: Collection[str] = ()) -> Axes:
    """The models from best to worst under each metric; where lines cross, two metrics disagree.

    Models with equal values stand under one another in one frame, in the order of the column before.

    Parameters
    ----------
    values : mapping of metric to mapping of model to value; the same models throughout
    lower_is_better : the metrics whose smallest value is best

    Returns
    -------
    Axes

    Examples
    --------
    >>> from mlm_helpers.figures import alt_text
    >>> table = {"F1": {"tree": 0.8, "Bayes": 0.7}, "loss": {"tree": 0.2, "Bayes": 0.1}}
    >>> alt_text(rank_reversals(table, lower_is_better=["loss"]))
    'Models from best to worst. F1 ↑: tree 0.8, Bayes 0.7; loss ↓: Bayes 0.1, tree 0.2.'
    """
    models = models_of(values)
    columns = _best_first(values, models, lower_is_better)
    heads = with_arrows(values, lower_is_better)
    listed = "; ".join(
        f"{head}: {', '.join(' = '.join(f'{m} {decimal(values[k][m])}' for m in g) for g in groups)}"
        for head, (k, groups) in zip(heads, columns.items(), strict=True)
    )
    names = width_of(models)
    step = max(0.95, width_of((line for head in heads for line in _fold(head)), SIZE - 2) + 0.2)
    left = max(names + 0.75, width_of(["best first"], SIZE - 2) + 0.5 + step / 2)
    width = left + step * (len(heads) - 1) + names + 0.75
    lines = max(len(_fold(head)) for head in heads)
    height = 0.5 + 0.26 * lines + 0.72 * len(models)
    ax = page(width, height, f"Models from best to worst. {listed}.")
    xs = [left + step * i for i in range(len(heads))]
    top = 0.25 + 0.26 * lines + 0.3
    write(ax, 0.3, 0.26 * lines, "best first", fontsize=SIZE - 2, color=QUIET)
    for x, head in zip(xs, heads, strict=True):
        for i, line in enumerate(reversed(_fold(head))):
            y = 0.26 * (lines - i)
            write(ax, x, y, line, ha="center", fontsize=SIZE - 2, label="metric")
    _draw_reversals(ax, xs, top, columns, values, models)
    return ax


def _fold(head: str) -> list[str]:
    """A metric's name, a word per line; the arrow stays with the last word."""
    words = head.split()
    return [*words[:-2], " ".join(words[-2:])]


def _best_first(
    values: Values, models: list[str], lower_is_better: Collection[str]
) -> dict[str, list[list[str]]]:
    """For each metric the models from best to worst, in groups of equal value."""
    columns, order = {}, models
    for metric, column in values.items():
        sign = 1 if metric in lower_is_better else -1
        worth = {model: sign * round(float(column[model]), 9) for model in models}
        order = sorted(order, key=worth.__getitem__)
        columns[metric] = [list(group) for _, group in groupby(order, worth.__getitem__)]
    return columns


def _draw_reversals(
    ax: Axes,
    xs: list[float],
    top: float,
    columns: dict[str, list[list[str]]],
    values: Values,
    models: list[str],
) -> None:
    """Lines through the places of each model, values under the markers, frames around ties."""
    step = 0.72
    places = [{m: i for i, m in enumerate(chain(*groups))} for groups in columns.values()]
    for model, look in strokes(models).items():
        heights = [top + step * place[model] for place in places]
        ax.plot(xs, heights, zorder=3, **(look | {"markersize": look["markersize"] + 3}))
        write(ax, xs[0] - 0.45, heights[0], model, ha="right", label="first")
        write(ax, xs[-1] + 0.45, heights[-1], model, label="last")
    for x, (metric, groups), place in zip(xs, columns.items(), places, strict=True):
        for group in groups:
            for model in group:
                write(
                    ax, x, top + step * place[model] + 0.27, decimal(values[metric][model]),
                    ha="center", fontsize=SIZE - 4, color=QUIET, label="value", zorder=4,
                    bbox={"facecolor": PAPER, "edgecolor": "none", "pad": 0.6},
                )  # fmt: skip
            if len(group) > 1:
                y = top + step * place[group[0]] - 0.22
                tall = step * (len(group) - 1) + 0.6
                style = {"facecolor": "#EFEFEF", "edgecolor": QUIET, "linewidth": 1}
                box(ax, x - 0.33, y, 0.66, tall, zorder=1, label="tie", **style)
