"""Small pictures with their labels."""

import textwrap
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from mlm_helpers.course.emoji import Emoji
from mlm_helpers.course.figures.look import INK, QUIET, SIZE
from mlm_helpers.course.figures.pen import page, write
from mlm_helpers.course.figures.phrases import capital

_WIDE, _HIGH, _ACROSS = 4.9, 1.35, 2  # inches of a picture with its words, and how many in a row
_NONE = "no label"


def tagged_pictures(data: Emoji) -> Axes:
    """Some pictures, each with its name and its labels.

    Those with the most labels, the first of each of the three rarest labels, and two without any.

    Parameters
    ----------
    data : Emoji

    Examples
    --------
    >>> from mlm_helpers.course import emoji
    >>> tagged_pictures(emoji.load()).get_label()[:58]
    'Pictures and their labels. Kissing face with smiling eyes:'
    """
    samples = _extremes(data.y)
    tags = [", ".join(np.array(data.labels)[data.y[i] == 1]) or _NONE for i in samples]
    listed = "; ".join(f"{data.names[i]}: {tag}" for i, tag in zip(samples, tags, strict=True))
    title, rows = "Pictures and their labels", -(-len(samples) // _ACROSS)
    width, height = 0.3 + _WIDE * _ACROSS, 0.8 + _HIGH * rows
    ax = page(width, height, f"{title}. {capital(listed)}.", title)
    for n, (i, tag) in enumerate(zip(samples, tags, strict=True)):
        x, y = 0.3 + _WIDE * (n % _ACROSS), 0.8 + _HIGH * (n // _ACROSS)
        place = (x, x + 1.1, y + 1.1, y)
        ax.imshow(data.pictures[i], extent=place, aspect="auto", interpolation="nearest")
        write(ax, x + 1.3, y + 0.18, data.names[i], fontweight="bold", label="name")
        for line, words in enumerate(textwrap.wrap(tag, 36)):
            look = {"color": QUIET if tag == _NONE else INK, "fontsize": SIZE - 2}
            write(ax, x + 1.3, y + 0.46 + 0.24 * line, words, label="tags", **look)
    ax.set(xlim=(0, width), ylim=(height, 0))
    return ax


def _extremes(y: Any) -> list[int]:
    """Samples with many labels, with rare ones and with none, each once."""
    many = np.argsort(-y.sum(axis=1), kind="stable")[:3]
    rare = y[:, -3:].argmax(axis=0)
    none = np.flatnonzero(y.sum(axis=1) == 0)[:2]
    return list(dict.fromkeys(map(int, [*many, *rare, *none])))
