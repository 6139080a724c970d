"""Picture of emoji with their labels."""

import math
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from mlm_course.emoji import Emoji
from mlm_course.figures.look import INK, QUIET, SIZE
from mlm_course.figures.pen import page, write
from mlm_course.figures.phrases import capitalized

_WIDTH, _HEIGHT, _COLUMNS = 4.9, 1.35, 2  # inches of a picture with its text; pictures in a row


def tagged_pictures(
    data: Emoji, predicted: Mapping[str, Sequence[Sequence[str]]] | None = None
) -> Axes:
    """Emoji as pictures, each with its name and its labels.

    By default the three emoji with the most labels, the first with each of the three rarest labels,
    and two without labels.

    Parameters
    ----------
    data : Emoji
    predicted : dict, optional
        The true and the predicted labels of the emoji to draw, by the name of the emoji.
    """
    if predicted is None:
        samples, title = _typical_samples(data.y), "Pictures and their labels"
        lines = [[_list_tags(np.array(data.labels)[data.y[i] == 1])] for i in samples]
    else:
        samples, title = [data.names.index(name) for name in predicted], "True and predicted labels"
        tags = [map(_list_tags, label_lists) for label_lists in predicted.values()]
        lines = [[f"true: {true}", f"predicted: {prediction}"] for true, prediction in tags]
    names = [data.names[i] for i in samples]
    phrases = [f"{name}: {', '.join(texts)}" for name, texts in zip(names, lines, strict=True)]
    width, height = 0.3 + _WIDTH * _COLUMNS, 0.8 + _HEIGHT * math.ceil(len(samples) / _COLUMNS)
    ax = page(width, height, f"{title}. {capitalized('; '.join(phrases))}.", title)
    for position, (i, texts) in enumerate(zip(samples, lines, strict=True)):
        row, column = divmod(position, _COLUMNS)
        x, y = 0.3 + _WIDTH * column, 0.8 + _HEIGHT * row
        extent = (x, x + 1.1, y + 1.1, y)
        ax.imshow(data.pictures[i], extent=extent, aspect="auto", interpolation="nearest")
        write(ax, x + 1.3, y + 0.18, data.names[i], fontweight="bold", label="name")
        color = QUIET if texts == [_list_tags([])] else INK  # grey: no label
        wrapped = [part for text in texts for part in textwrap.wrap(text, 36)]
        for k, part in enumerate(wrapped):
            write(ax, x + 1.3, y + 0.46 + 0.24 * k, part, color=color, fontsize=SIZE - 2)
    ax.set(xlim=(0, width), ylim=(height, 0))  # which imshow changes
    return ax


def _list_tags(labels: Sequence[str]) -> str:
    """The labels with commas between them, or "no label"."""
    return ", ".join(labels) or "no label"


def _typical_samples(y: Any) -> list[int]:
    """Indices of samples with many labels, with rare labels (the last columns) and with none."""
    many = np.argsort(-y.sum(axis=1), kind="stable")[:3]
    rare = y[:, -3:].argmax(axis=0)
    unlabelled = np.flatnonzero(y.sum(axis=1) == 0)[:2]
    return list(dict.fromkeys(map(int, [*many, *rare, *unlabelled])))
