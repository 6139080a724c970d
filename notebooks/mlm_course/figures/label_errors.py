"""Labels by their errors: which is predicted instead of which."""

from itertools import chain
from textwrap import wrap

import numpy as np
from matplotlib.axes import Axes

from mlm_course.figures.cells import CELL, Layout, draw_cells, name_cells
from mlm_course.figures.look import CODES, FAINT, MANY, PAPER, QUIET, SIZE, Mark
from mlm_course.figures.pen import page, small, width_of, write
from mlm_course.figures.phrases import capitalized
from mlm_helpers._core import inputs
from mlm_helpers.errors import LabelConfusions
from mlm_helpers.tables import count_phrase

_SHADES = (  # no sample, then a quarter of the largest count each, then the label itself
    Mark("no sample", "", PAPER, FAINT, QUIET, "-"), MANY, CODES["4"], CODES["3"], CODES["2"],
    Mark("itself", "", "#EFEFEF", "#EFEFEF", QUIET, "-"),
)  # fmt: skip


def label_confusion_chart(found: LabelConfusions, *, most: int = 10) -> Axes:
    """In how many samples one label was missed (rows) and another predicted falsely (columns).

    Parameters
    ----------
    found : what `mlm_helpers.errors.label_confusions` returns
    most : at most so many labels, those of the largest pairs

    Examples
    --------
    >>> from mlm_helpers import errors
    >>> found = errors.label_confusions([[1, 0], [1, 0]], [[0, 1], [0, 1]], labels=["sea", "lake"])
    >>> label_confusion_chart(found).get_label()
    'Misses beside false alarms, 2 of 2 labels. Sea missed: lake 2.'
    """
    pairs = found.largest(most**2)  # so many pairs have so many labels, if there are
    names = list(dict.fromkeys(chain.from_iterable(pair[:2] for pair in pairs)))[:most]
    if not names:
        raise ValueError("found has no miss beside a false alarm, so there is nothing to draw")
    places = [found.labels.index(name) for name in names]
    counts = inputs.dense(found.counts[places][:, places])
    texts = np.where(counts, counts.astype(str), "")
    np.fill_diagonal(texts, "–")
    said = "; ".join(
        f"{name} missed: {', '.join(f'{names[k]} {row[k]}' for k in np.flatnonzero(row))}"
        for name, row in zip(names, counts, strict=True)
        if row.any()
    )
    title = (
        f"Misses beside false alarms, {len(names)} of {count_phrase(len(found.labels), 'label')}"
    )
    heads = [wrap(name, 12, break_long_words=False) for name in names]
    left, top = 0.6 + width_of(names), 1.35 + 0.26 * max(map(len, heads))
    wide = 0.2 + max(0.5, width_of(chain(*heads), SIZE - 2), width_of(texts.flat, 31 * CELL))
    xs, ys = (
        [start + step * i for i in range(len(names))] for start, step in ((left, wide), (top, CELL))
    )
    at = Layout(xs, ys, wide - 0.05, CELL - 0.05)
    key = "samples in which the row's label was missed and the column's was predicted falsely"
    width = max(at.right, 0.3 + width_of([key], SIZE - 2)) + 0.4
    ax = page(width, at.bottom + 0.6, f"{title}. {capitalized(said)}.", title)
    name_cells(ax, at, samples=names)
    write(ax, left - 0.25, 0.95, "missed", ha="right", color=QUIET)
    write(ax, left, 0.95, "predicted falsely", color=QUIET)
    for x, lines in zip(at.xs, heads, strict=True):
        above = {"ha": "center", "va": "bottom", "fontsize": SIZE - 2}
        write(ax, x + at.width / 2, top - 0.1, "\n".join(lines), **above)
    kinds = np.ceil(4 * counts / counts.max()).astype(int)
    np.fill_diagonal(kinds, len(_SHADES) - 1)
    draw_cells(ax, at, kinds, _SHADES, texts=texts)
    small(ax, 0.3, at.bottom + 0.3, key)
    return ax
