"""Picture of label confusions: which label was missed where another was predicted falsely."""

from itertools import chain
from textwrap import wrap

import numpy as np
from matplotlib.axes import Axes

from mlm_course.figures.cells import CELL, Layout, draw_cells, write_names
from mlm_course.figures.look import BLUE, FAINT, INK, PALE, PAPER, QUIET, SIZE, Mark
from mlm_course.figures.pen import page, text_width, write, write_small
from mlm_course.figures.phrases import capitalized
from mlm_helpers._core.inputs.data import dense
from mlm_helpers.errors import LabelConfusions
from mlm_helpers.tables import count_phrase

_SHADES = (  # count 0; the four quarters up to the largest count; the diagonal
    Mark("no sample", "", PAPER, FAINT, QUIET, "-"),
    Mark("few", "", PALE, PALE, INK, "-"),
    Mark("some", "", "#8CC4E8", "#8CC4E8", INK, "-"),
    Mark("many", "", BLUE, BLUE, PAPER, "-"),
    Mark("most", "", "#003B5C", "#003B5C", PAPER, "-"),
    Mark("itself", "", "#EFEFEF", "#EFEFEF", QUIET, "-"),
)


def label_confusion_chart(confusions: LabelConfusions, *, most: int = 10) -> Axes:
    """Table of the samples where one label was missed (row) and another predicted falsely (column).

    A sample with several misses and false alarms counts in several cells.

    Parameters
    ----------
    confusions : what `mlm_helpers.errors.label_confusions` returns
    most : maximum number of labels, taken from the pairs with the largest counts

    Examples
    --------
    >>> from mlm_helpers import errors
    >>> confusions = errors.label_confusions([[1, 0]] * 2, [[0, 1]] * 2, labels=["sea", "lake"])
    >>> label_confusion_chart(confusions).get_label()
    'Misses beside false alarms, 2 of 2 labels. Sea missed: lake 2.'
    """
    pairs = confusions.largest(most**2)  # enough pairs for ``most`` labels
    names = list(dict.fromkeys(chain.from_iterable(pair[:2] for pair in pairs)))[:most]
    if not names:
        raise ValueError("confusions has no miss beside a false alarm, so there is nothing to draw")
    indices = [confusions.labels.index(name) for name in names]
    counts = dense(confusions.counts[indices][:, indices])
    texts = np.where(counts, counts.astype(str), "")
    np.fill_diagonal(texts, "–")
    phrases = []
    for name, row in zip(names, counts, strict=True):
        if row.any():
            false_alarms = [f"{names[k]} {row[k]}" for k in np.flatnonzero(row)]
            phrases.append(f"{name} missed: {', '.join(false_alarms)}")
    n_labels = count_phrase(len(confusions.labels), "label")
    title = f"Misses beside false alarms, {len(names)} of {n_labels}"
    column_heads = [wrap(name, 12, break_long_words=False) for name in names]
    left, top = 0.6 + text_width(names), 1.35 + 0.26 * max(map(len, column_heads))
    head_width = text_width(chain(*column_heads), SIZE - 2)
    step = 0.2 + max(0.5, head_width, text_width(texts.flat, 31 * CELL))
    xs = [left + step * i for i in range(len(names))]
    ys = [top + CELL * i for i in range(len(names))]
    grid = Layout(xs, ys, step - 0.05, CELL - 0.05)
    key = "samples in which the row's label was missed and the column's was predicted falsely"
    width = max(grid.right, 0.3 + text_width([key], SIZE - 2)) + 0.4
    ax = page(width, grid.bottom + 0.6, f"{title}. {capitalized('; '.join(phrases))}.", title)
    write_names(ax, grid, samples=names)
    write(ax, left - 0.25, 0.95, "missed", ha="right", color=QUIET)
    write(ax, left, 0.95, "predicted falsely", color=QUIET)
    for x, lines in zip(grid.xs, column_heads, strict=True):
        style = {"ha": "center", "va": "bottom", "fontsize": SIZE - 2}
        write(ax, x + grid.width / 2, top - 0.1, "\n".join(lines), **style)
    shades = np.ceil(4 * counts / counts.max()).astype(int)
    np.fill_diagonal(shades, len(_SHADES) - 1)
    draw_cells(ax, grid, shades, _SHADES, texts=texts)
    write_small(ax, 0.3, grid.bottom + 0.3, key)
    return ax
