"""Small pictures with their labels."""

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from mlm_course.emoji import Emoji
from mlm_course.figures.look import INK, QUIET, SIZE
from mlm_course.figures.pen import page, write
from mlm_course.figures.phrases import capitalized

_WIDE, _HIGH, _ACROSS = 4.9, 1.35, 2  # inches of a picture with its words, and how many in a row
_NONE = "no label"


def tagged_pictures(
    data: Emoji, predicted: Mapping[str, Sequence[Sequence[str]]] | None = None
) -> Axes:
    """Some pictures, each with its name and its labels.

    Those with the most labels, the first of each of the three rarest labels, and two without any.

    Parameters
    ----------
    data : Emoji
    predicted : dict, optional
        Which pictures instead, by their names: the true labels and the predicted labels of each.

    Examples
    --------
    >>> from mlm_course import emoji
    >>> tagged_pictures(emoji.load()).get_label()[:58]
    'Pictures and their labels. Kissing face with smiling eyes:'
    """
    if predicted is None:
        samples, title = _extremes(data.y), "Pictures and their labels"
        tags = [[_named(np.array(data.labels)[data.y[i] == 1])] for i in samples]
    else:
        samples, title = [data.names.index(name) for name in predicted], "True and predicted labels"
        tags = [[f"true: {_named(t)}", f"predicted: {_named(p)}"] for t, p in predicted.values()]
    listed = "; ".join(
        f"{data.names[i]}: {', '.join(t)}" for i, t in zip(samples, tags, strict=True)
    )
    rows = -(-len(samples) // _ACROSS)
    width, height = 0.3 + _WIDE * _ACROSS, 0.8 + _HIGH * rows
    ax = page(width, height, f"{title}. {capitalized(listed)}.", title)
    for n, (i, tag) in enumerate(zip(samples, tags, strict=True)):
        x, y = 0.3 + _WIDE * (n % _ACROSS), 0.8 + _HIGH * (n // _ACROSS)
        place = (x, x + 1.1, y + 1.1, y)
        ax.imshow(data.pictures[i], extent=place, aspect="auto", interpolation="nearest")
        write(ax, x + 1.3, y + 0.18, data.names[i], fontweight="bold", label="name")
        for line, words in enumerate(part for each in tag for part in textwrap.wrap(each, 36)):
            look = {"color": QUIET if tag == [_NONE] else INK, "fontsize": SIZE - 2}
            write(ax, x + 1.3, y + 0.46 + 0.24 * line, words, label="tags", **look)
    ax.set(xlim=(0, width), ylim=(height, 0))
    return ax


def _named(labels: Sequence[str]) -> str:
    return ", ".join(labels) or _NONE


def _extremes(y: Any) -> list[int]:
    """Samples with many labels, with rare ones and with none, each once."""
    many = np.argsort(-y.sum(axis=1), kind="stable")[:3]
    rare = y[:, -3:].argmax(axis=0)
    none = np.flatnonzero(y.sum(axis=1) == 0)[:2]
    return list(dict.fromkeys(map(int, [*many, *rare, *none])))
