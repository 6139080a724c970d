"""The first k labels of each sample, as a screen shows them."""

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from mlm_helpers import catalogue, inputs, top_k
from mlm_helpers.board.numbers import decimal, with_decimal
from mlm_helpers.course.figures.look import INK, MARKS, QUIET, SIZE, Mark
from mlm_helpers.course.figures.pen import box, headline, page, width_of, write
from mlm_helpers.course.figures.phrases import Labels, capital, named
from mlm_helpers.worked import rank_steps as ranks
from mlm_helpers.worked import solve
from mlm_helpers.worked.rank_steps import Label
from mlm_helpers.worked.top_k_steps import discount, logarithm

_TOP, _STEP, _LINE = 1.15, 0.62, 0.36  # inches: to the first label, the next label, the next line
_METRICS: dict[Any, dict[str, float]] = {  # with what makes an undefined value known as one
    top_k.precision: {},
    top_k.recall: {"undefined": math.nan},
    top_k.ndcg: {"undefined": math.nan},
}


def top_window(
    y_true: ArrayLike, y_score: ArrayLike, *, k: int, labels: Labels = None, samples: Labels = None
) -> Axes:
    """Each sample's labels in the order of their scores, the first k of them in a frame.

    In the frame are hits ✓ and false alarms ✗, and beside it what a hit counts there in nDCG; below
    it misses ○ and what is rightly left out. Precision, recall and nDCG follow, and of several
    samples their means. Tied labels stand in the order of their index.

    Parameters
    ----------
    y_true : matrix of 0 and 1, shape (n_samples, n_labels)
    y_score : matrix of finite numbers, shape (n_samples, n_labels)
    k : from 1 to n_labels
    labels, samples : names, optional

    Examples
    --------
    >>> top_window([[1, 0]], [[0.3, 0.4]], k=1, labels=["sea", "sun"]).get_label()
    'The first 1 of 2 labels; a hit counts 1. Sample 1: false alarm sun 0.4; below, miss sea 0.3; \
precision at 1 = 0, recall at 1 = 0, nDCG at 1 = 0.'
    """
    data = inputs.label_scores(y_true, y_score)
    truth, score = data.truth, data.other
    by_hand: Any = partial(solve, y_true=truth, y_pred_or_score=score, k=k, ties="first")
    columns = [by_hand(m, per_sample=True, **options).value for m, options in _METRICS.items()]
    means = _written(k, [by_hand(metric).value for metric in _METRICS])
    mean = f"Mean: {', '.join(means)}" if len(truth) > 1 else ""
    names = named(labels, truth.shape[1], "label")
    windows = [
        _Window(sample, _marked(ranks.ranked(true, scores, "first", names), k), _written(k, values))
        for sample, true, scores, values in zip(
            named(samples, len(truth), "sample"),
            truth,
            score.tolist(),
            zip(*columns, strict=True),
            strict=True,
        )
    ]
    return _drawn(windows, k, mean)


class _Window(NamedTuple):
    """One sample: its labels from the top down, each with its look, and its values in words."""

    sample: str
    labels: list[tuple[Label, Mark]]
    values: list[str]


def _marked(labels: list[Label], k: int) -> list[tuple[Label, Mark]]:
    """Each label with its look: a relevant one is a hit in the window, and a miss below it."""
    return [(label, MARKS[2 * label.relevant + (place < k)]) for place, label in enumerate(labels)]


def _written(k: int, values: Sequence[Fraction | float]) -> list[str]:
    """The metrics with their values: 'precision at 3 = 1/3 ≈ 0.333'."""
    names = [catalogue.describe(partial(metric, k=k)) for metric in _METRICS]
    return [f"{name} {_equals(value)}" for name, value in zip(names, values, strict=True)]


def _equals(value: Fraction | float) -> str:
    if isinstance(value, Fraction):
        return f"= {with_decimal(value)}"
    if math.isnan(value):
        return "undefined, taken as 0"
    return f"{'=' if round(value, 3) == value else '≈'} {decimal(value)}"


def _sentence(windows: list[_Window], k: int, mean: str) -> str:
    """The alternative text."""
    counts = ", ".join(decimal(discount(place)) for place in range(1, k + 1))
    parts = [f"The first {k} of {len(windows[0].labels)} labels; a hit counts {counts}."]
    for window in windows:
        said = [
            f"{'' if mark is MARKS[0] else f'{mark.word} '}{label.name} {label.score:g}"
            for label, mark in window.labels
        ]
        below = [f"below, {', '.join(said[k:])}"] * (len(said) > k)
        shown = "; ".join([", ".join(said[:k]), *below, ", ".join(window.values)])
        parts.append(f"{capital(window.sample)}: {shown}.")
    return " ".join([*parts, *[f"{mean}."] * bool(mean)])


def _drawn(windows: list[_Window], k: int, mean: str) -> Axes:
    """The lists side by side, below each its values, below them all their means and the key."""
    key = "✓ hit   ✗ false alarm   ○ miss     in the frame: what is shown; beside it: what a hit"
    key += " counts in nDCG"
    counts = [f"1/{logarithm(place)} {_equals(discount(place))}" for place in range(1, k + 1)]
    every = [label for window in windows for label, _ in window.labels]
    wide = 0.8 + width_of(j.name for j in every) + width_of(f"{j.score:g}" for j in every)
    values = [value for window in windows for value in window.values]
    column = 0.5 + max(0.6 + wide + width_of(counts), width_of(values))
    lines = _TOP + 0.1 + _STEP * len(windows[0].labels)
    bottom = lines + 0.15 + _LINE * len(_METRICS)
    texts = [width_of([mean]) * 1.15, width_of([key], SIZE - 2)]  # bold is wider
    width = max(column * len(windows), 0.3 + max(texts)) + 0.3
    ax = page(width, bottom + 0.9, _sentence(windows, k, mean))
    for i, window in enumerate(windows):
        left = 0.3 + column * i
        headline(ax, capital(window.sample), left)
        _draw_window(ax, left, wide, window, counts)
        for j, value in enumerate(window.values):
            write(ax, left, lines + _LINE * j, value, label="value")
    write(ax, 0.3, bottom, mean, fontweight="bold", label="mean")
    write(ax, 0.3, bottom + 0.5, key, fontsize=SIZE - 2, color=QUIET)
    return ax


def _draw_window(
    ax: Axes, left: float, width: float, window: _Window, counts: Sequence[str]
) -> None:
    """One sample's list: places, boxes with names and scores, the frame and what counts beside it."""
    x = left + 0.4
    for place, (label, look) in enumerate(window.labels):
        y, symbol = _TOP + _STEP * place, "" if look is MARKS[0] else look.symbol
        ink: dict[str, Any] = {"color": look.ink}
        box(ax, x, y - 0.23, width, 0.46, label=look.word, linewidth=1.4, **look.box)
        write(ax, left, y, str(place + 1), color=QUIET, label="place")
        write(ax, x + 0.12, y, symbol, label="mark", **ink)
        write(ax, x + 0.4, y, label.name, label="name", **ink)
        write(ax, x + width - 0.12, y, f"{label.score:g}", ha="right", label="score", **ink)
    frame: Any = {"facecolor": "none", "edgecolor": INK, "linewidth": 2.4, "label": "frame"}
    box(ax, x - 0.1, _TOP - 0.31, width + 0.2, _STEP * len(counts), **frame)
    for place, text in enumerate(counts):
        write(ax, x + width + 0.2, _TOP + _STEP * place, text, color=QUIET, label="count")
