"""Labels by their errors: which is predicted instead of which, and each one's precision and recall."""

from itertools import chain
from textwrap import wrap
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.transforms import Bbox
from numpy.typing import NDArray

from mlm_course.figures.cells import CELL, Layout, draw_cells, name_cells
from mlm_course.figures.look import BLUE, CODES, FAINT, INK, MANY, PAPER, QUIET, SIZE, Mark
from mlm_course.figures.pen import chart, page, small, width_of, write
from mlm_course.figures.phrases import Labels, capital, joined, plural
from mlm_helpers import label_based
from mlm_helpers._core import inputs
from mlm_helpers.board.numbers import decimal
from mlm_helpers.errors import Instead

_SHADES = (  # no sample, then a quarter of the largest count each, then the label itself
    Mark("no sample", "", PAPER, FAINT, QUIET, "-"), MANY, CODES["4"], CODES["3"], CODES["2"],
    Mark("itself", "", "#EFEFEF", "#EFEFEF", QUIET, "-"),
)  # fmt: skip
_SIDE = 6.4  # inches of the square of precision and recall
_EDGE = 0.06  # how far it goes beyond 0 and 1
_NAMED = 8  # at most so many dots have names


def label_confusions(found: Instead, *, most: int = 10) -> Axes:
    """In how many samples one label was missed (rows) and another predicted falsely (columns).

    Parameters
    ----------
    found : what `mlm_helpers.errors.instead` returns
    most : at most so many labels, those of the largest pairs

    Examples
    --------
    >>> from mlm_helpers import errors
    >>> found = errors.instead([[1, 0], [1, 0]], [[0, 1], [0, 1]], labels=["sea", "lake"])
    >>> label_confusions(found).get_label()
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
    title = f"Misses beside false alarms, {len(names)} of {plural(len(found.labels), 'label')}"
    heads = [wrap(name, 12, break_long_words=False) for name in names]
    left, top = 0.6 + width_of(names), 1.35 + 0.26 * max(map(len, heads))
    wide = 0.2 + max(0.5, width_of(chain(*heads), SIZE - 2), width_of(texts.flat, 31 * CELL))
    xs, ys = (
        [start + step * i for i in range(len(names))] for start, step in ((left, wide), (top, CELL))
    )
    at = Layout(xs, ys, wide - 0.05, CELL - 0.05)
    key = "samples in which the row's label was missed and the column's was predicted falsely"
    width = max(at.right, 0.3 + width_of([key], SIZE - 2)) + 0.4
    ax = page(width, at.bottom + 0.6, f"{title}. {capital(said)}.", title)
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


def label_dots(y_true: Any, y_pred: Any, *, labels: Labels = None) -> Axes:
    """Precision over recall, a dot for each label, or for all labels that share both; outliers have names.

    At most eight dots have names, where there is room: first those of the greatest distance from the
    medians times the root of their support.

    Parameters
    ----------
    y_true, y_pred : matrix of 0 and 1, shape (n_samples, n_labels)
    labels : names, optional

    Examples
    --------
    >>> y_true, y_pred = [[1, 1, 1], [1, 0, 0]], [[1, 1, 0], [0, 1, 0]]
    >>> label_dots(y_true, y_pred, labels=["sea", "sun", "sky"]).get_label()
    'Precision over recall of 2 labels. Outliers: sea 1 over 0.5 (support 2); sun 0.5 over 1 \
(support 1). Never true or never predicted: sky.'
    """
    tp, fp, fn, _ = label_based.confusion(y_true, y_pred)
    names = inputs.label_names(labels, len(tp), y_true, y_pred)
    has = (tp + fp > 0) & (tp + fn > 0)
    if not has.any():
        raise ValueError("no label is both true and predicted somewhere: there is no dot to draw")
    at: dict[tuple[float, float], list[int]] = {}
    for j in np.flatnonzero(has).tolist():
        at.setdefault((tp[j] / (tp[j] + fn[j]), tp[j] / (tp[j] + fp[j])), []).append(j)
    texts = [
        joined([names[j] for j in of]) if len(of) < 3 else plural(len(of), "label")
        for of in at.values()
    ]
    dots, support = np.array([*at]), np.array([(tp + fn)[of].sum() for of in at.values()])
    areas = 625 * support / support.max()  # square points
    far = np.hypot(*(dots - np.median(dots, axis=0)).T) * np.sqrt(support)
    inches = (dots + _EDGE) / (1 + 2 * _EDGE) * _SIDE
    radii, order = np.sqrt(areas / np.pi) / 72, np.argsort(-far, kind="stable")
    places = _room(inches, radii, texts, order)
    said = "; ".join(
        f"{texts[i]} {decimal(dots[i, 1])} over {decimal(dots[i, 0])} (support {support[i]})"
        for i in places
    )
    title = f"Precision over recall of {plural(has.sum(), 'label')}"
    never = ", ".join(name for name, one in zip(names, has, strict=True) if not one)
    alt = f"{title}. Outliers: {said}." + f" Never true or never predicted: {never}." * bool(never)
    ax = chart(_SIDE + 1.3, _SIDE + 2.0, (0.9, 1.2, 0.4, 0.8), alt, title)
    ax.grid(axis="x", color="#E4E4E4", linewidth=0.8)
    ax.scatter(dots[:, 0], dots[:, 1], areas, color=BLUE, alpha=0.5, edgecolor=INK, zorder=3)
    ax.set(xlim=(-_EDGE, 1 + _EDGE), ylim=(-_EDGE, 1 + _EDGE))
    ax.set_xlabel("recall", fontsize=SIZE, color=INK)
    ax.set_ylabel("precision", fontsize=SIZE, color=INK)
    for i, (x, y) in places.items():
        style = {"transform": ax.transAxes, "ha": "center", "fontsize": SIZE - 2, "zorder": 4}
        write(ax, x / _SIDE, y / _SIDE, texts[i], label="named", **style)
    key = f"area of a dot: the support of its labels together, {support.min()} to {support.max()}"
    small(ax, -_EDGE, -0.95 / _SIDE * (1 + 2 * _EDGE) - _EDGE, key)
    return ax


def _room(
    dots: NDArray[Any], radii: NDArray[Any], texts: list[str], order: Any
) -> dict[int, tuple[float, float]]:
    """The middle of a text beside its dot, in inches, for the first that cover no dot and no other text."""
    taken = [Bbox([dot - r, dot + r]) for dot, r in zip(dots, radii, strict=True)]
    found: dict[int, tuple[float, float]] = {}
    for i in order:
        wide = width_of([texts[i]], SIZE - 2)
        for right, up in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            x = dots[i, 0] + right * (radii[i] + wide / 2 + 0.05)
            y = dots[i, 1] + up * (radii[i] + 0.15)
            box = Bbox([[x - wide / 2, y - 0.1], [x + wide / 2, y + 0.1]])
            is_inside = min(box.min) >= 0 and max(box.max) <= _SIDE
            if len(found) < _NAMED and is_inside and not box.count_overlaps(taken):
                found[int(i)] = x, y
                taken.append(box)
                break
    return found
