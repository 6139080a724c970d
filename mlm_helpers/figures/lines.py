"""Values over epochs or thresholds, a line per series."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.transforms import offset_copy

from mlm_helpers.board.numbers import decimal
from mlm_helpers.figures.look import FAINT, INK, SIZE, strokes
from mlm_helpers.figures.pen import chart, figure_of, width_of


def training_curves(
    curves: Mapping[str, Sequence[float]],
    epochs: Sequence[int],
    *,
    limits: tuple[float, float] | None = None,
) -> Axes:
    """Micro-F1 over epochs, a line per variant of a model, each named at its end.

    Parameters
    ----------
    curves : mapping of name to one value per epoch
    epochs : the epochs
    limits : (lowest, highest) value on the vertical axis, optional; (0, 1) shows how small the
        differences are, the default shows them large

    Returns
    -------
    Axes

    Examples
    --------
    >>> from mlm_helpers.figures import alt_text
    >>> alt_text(training_curves({"plain": [0.5, 0.6], "tuned": [0.55, 0.7]}, [1, 2]))
    'Micro-F1 score over epochs at epoch 1 2: plain 0.5 0.6; tuned 0.55 0.7.'
    """
    ax = _lines("Micro-F1 score over epochs", "epoch", epochs, curves, limits)
    ax.set_xticks(list(epochs))
    return ax


def threshold_sweep(
    thresholds: Sequence[float],
    metrics: Mapping[str, Sequence[float]],
    *,
    limits: tuple[float, float] | None = (0.0, 1.0),
) -> Axes:
    """How metrics move when the threshold above which a label is predicted moves.

    Parameters
    ----------
    thresholds : the thresholds, in order
    metrics : mapping of metric name to one value per threshold
    limits : (lowest, highest) value on the vertical axis

    Returns
    -------
    Axes

    Examples
    --------
    >>> from mlm_helpers.figures import alt_text
    >>> alt_text(threshold_sweep([0.3, 0.6], {"precision": [0.5, 0.9], "recall": [0.8, 0.4]}))
    'Metrics by threshold at threshold 0.3 0.6, drawn from 0 to 1: precision 0.5 0.9; recall 0.8 0.4.'
    """
    return _lines("Metrics by threshold", "threshold", thresholds, metrics, limits)


def _lines(
    title: str,
    xlabel: str,
    x: Sequence[float],
    series: Mapping[str, Sequence[float]],
    limits: tuple[float, float] | None,
) -> Axes:
    """Lines with their names at their right ends; the sentence lists every point."""
    xs = [float(value) for value in x]
    listed = "; ".join(f"{name} {' '.join(map(decimal, ys))}" for name, ys in series.items())
    span = "" if limits is None else f", drawn from {decimal(limits[0])} to {decimal(limits[1])}"
    alt = f"{title} at {xlabel} {' '.join(map(decimal, xs))}{span}: {listed}."
    ax = chart(9.2, 5.2, (0.85, 0.75, 0.85 + width_of(series), 0.75), alt)
    for name, look in strokes(series).items():
        ax.plot(xs, series[name], clip_on=False, zorder=3, **look)
    ax.set_title(title, loc="left", fontsize=SIZE + 3, fontweight="bold", color=INK, pad=16)
    ax.set_xlabel(xlabel, fontsize=SIZE, color=INK, labelpad=6)
    ax.set_ylim(limits)
    _name_ends(ax, xs[-1], series)
    return ax


def _name_ends(ax: Axes, x: float, series: Mapping[str, Sequence[float]]) -> None:
    """Each line's marker and name beside its end, apart from its neighbours, joined to the end."""
    figure = figure_of(ax)
    low, high = ax.get_ylim()
    inches = ax.get_position().height * figure.get_size_inches()[1] / (high - low)
    ends = [ys[-1] for ys in series.values()]
    apart = _spread(ends, 0.3 / inches)
    ax.set_autoscale_on(False)
    for (name, look), end, height in zip(strokes(series).items(), ends, apart, strict=True):
        up = (height - end) * inches
        beside = offset_copy(ax.transData, figure, 0.42, up, units="inches")
        ax.plot([x], [end], transform=beside, clip_on=False, **(look | {"label": "_end"}))
        beside_end: dict[str, Any] = {"textcoords": "offset points", "annotation_clip": False}
        rule = {"arrowstyle": "-", "color": FAINT, "shrinkA": 0, "shrinkB": 7}
        ax.annotate("", (x, end), (0.34 * 72, up * 72), arrowprops=rule, **beside_end)
        look = {"va": "center_baseline", "fontsize": SIZE - 1, "color": INK, "parse_math": False}
        ax.annotate(name, (x, end), (0.56 * 72, up * 72), **beside_end, **look)


def _spread(heights: Sequence[float], gap: float) -> list[float]:
    """Heights pushed apart until no two are closer than gap, their mean unchanged."""
    given = np.asarray(heights, dtype=float)
    placed = np.sort(given)
    for i in range(1, len(placed)):
        placed[i] = max(placed[i], placed[i - 1] + gap)
    placed += given.mean() - placed.mean()
    return list(map(float, placed[np.argsort(np.argsort(given, kind="stable"))]))
