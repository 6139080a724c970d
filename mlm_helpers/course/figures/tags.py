"""Small pictures with their labels, and how many of them have each label."""

import textwrap
from collections.abc import Sequence
from itertools import groupby
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from mlm_helpers.course.emoji import Emoji
from mlm_helpers.course.figures.look import BLUE, INK, QUIET, SIZE
from mlm_helpers.course.figures.pen import chart, page, write
from mlm_helpers.course.figures.phrases import Labels, capital, named, plural
from mlm_helpers.inputs import labels as read

_WIDE, _HIGH, _ACROSS = 4.9, 1.35, 2  # inches of a picture with its words, and how many in a row
_NONE = "no label"


def tagged_pictures(data: Emoji, chosen: Sequence[int] | None = None) -> Axes:
    """Some pictures, each with its name and its labels.

    Parameters
    ----------
    data : Emoji
    chosen : which samples, optional; by default three with the most labels, the first of each of the
        three rarest labels, and the first two without any

    Examples
    --------
    >>> from mlm_helpers import emoji
    >>> tagged_pictures(emoji.load(), [0]).get_label()
    'Pictures and their labels. Grinning face: face, smile, smiling, happy.'
    """
    samples = _extremes(data.y) if chosen is None else list(chosen)
    tags = [
        ", ".join(label for label, has in zip(data.labels, data.y[i], strict=True) if has) or _NONE
        for i in samples
    ]
    listed = "; ".join(
        f"{capital(data.names[i]) if not n else data.names[i]}: {tag}"
        for n, (i, tag) in enumerate(zip(samples, tags, strict=True))
    )
    rows = -(-len(samples) // _ACROSS)
    height = 0.8 + _HIGH * rows
    ax = page(0.3 + _WIDE * _ACROSS, height, f"Pictures and their labels. {listed}.")
    write(ax, 0.3, 0.4, "Pictures and their labels", fontsize=SIZE + 3, fontweight="bold")
    for n, (i, tag) in enumerate(zip(samples, tags, strict=True)):
        x, y = 0.3 + _WIDE * (n % _ACROSS), 0.8 + _HIGH * (n // _ACROSS)
        place = (x, x + 1.1, y + 1.1, y)
        ax.imshow(data.pictures[i], extent=place, aspect="auto", interpolation="nearest")
        write(ax, x + 1.3, y + 0.18, data.names[i], fontweight="bold", label="name")
        for line, words in enumerate(textwrap.wrap(tag, 36)):
            look = {"color": QUIET if tag == _NONE else INK, "fontsize": SIZE - 2}
            write(ax, x + 1.3, y + 0.46 + 0.24 * line, words, label="tags", **look)
    ax.set(xlim=(0, 0.3 + _WIDE * _ACROSS), ylim=(height, 0))
    return ax


def _extremes(y: Any) -> list[int]:
    """Samples with many labels, with rare ones and with none, each once."""
    many = np.argsort(-y.sum(axis=1), kind="stable")[:3]
    rare = y[:, -3:].argmax(axis=0)
    none = np.flatnonzero(y.sum(axis=1) == 0)[:2]
    return list(dict.fromkeys(map(int, [*many, *rare, *none])))


def label_tail(y_true: Any, *, labels: Labels = None) -> Axes:
    """How many samples have each label: a bar per label, the most frequent first.

    Parameters
    ----------
    y_true : matrix of 0 and 1, shape (n_samples, n_labels)
    labels : names, optional

    Examples
    --------
    >>> label_tail([[1, 0, 1], [1, 0, 0]], labels=["sea", "sun", "sky"]).get_label()
    'Samples with each of 3 labels, of 2 samples: 2 sea; 1 sky; 0 sun.'
    """
    y = read(y_true, "y_true")
    names = named(labels, y.shape[1], "label")
    count = [int(n) for n in y.sum(axis=0)]
    order = sorted(range(len(names)), key=lambda j: -count[j])
    listed = "; ".join(
        f"{n} {', '.join(names[j] for j in group)}"
        for n, group in groupby(order, count.__getitem__)
    )
    of = f"Samples with each of {plural(len(names), 'label')}, of {plural(y.shape[0], 'sample')}"
    title = "How many samples have each label"
    ax = chart(9.2, 4.4, (0.85, 0.75, 0.6, 0.8), f"{of}: {listed}.", title)
    ax.bar(range(1, len(order) + 1), [count[j] for j in order], width=0.8, color=BLUE)
    ax.set_xlabel("labels, the most frequent first", fontsize=SIZE, color=INK)
    ax.set_xlim(0.4, len(order) + 0.6)
    for place in sorted({0, len(order) // 2, len(order) - 1}):
        j, last = order[place], place == len(order) - 1
        text, right = f"{names[j]} {count[j]}", "right" if last and place else "left"
        write(ax, place + 1, count[j] + 0.05 * max(1, *count), text, ha=right, label="named")
    return ax
