"""Picture of the two curves of a label as steps, with the areas below them."""

from itertools import product
from typing import Any

from matplotlib.axes import Axes

from mlm_course.figures.cells import Layout
from mlm_course.figures.lists import columns_by_score, precision_at
from mlm_course.figures.look import BLUE, INK, PALE, PAPER, QUIET, SIZE
from mlm_course.figures.pen import draw_box, page, text_width, write, write_heading, write_small
from mlm_course.figures.phrases import Names
from mlm_helpers._core.inputs.read import read_one_label
from mlm_helpers.tables import with_slash
from mlm_helpers.worked.rank_steps import Entry

_TOP, _MIN_WIDTH = 0.95, 3.4  # inches: upper edge of the panels, minimum width of a panel
_SIGNS = {"above": (">", BLUE, PAPER), "tied with": ("=", PALE, INK), "below": ("<", PAPER, INK)}
"""Sign, fill and ink of a pair, by how the positive sample stands to the negative one."""


def curve_steps(
    y_true: Any, y_score: Any, *, samples: Names = None, label: str = "one label"
) -> Axes:
    """Picture of a label's precision-recall curve and ROC curve, as steps with the areas below.

    The first area consists of a bar for each positive sample, as high as the precision there. The
    second consists of a cell for each pair in which a positive sample scores higher than a negative
    one, and of half a cell for each tied pair.

    Parameters
    ----------
    y_true : list of 0 and 1, shape (n_samples,), at most 50, with both
        Or one column of a matrix.
    y_score : list of finite numbers, shape (n_samples,)
    samples : names, optional
    label : the label's name, optional

    Examples
    --------
    >>> curve_steps([0, 1, 0], [0.4, 0.3, 0.2], samples="abc", label="sea").get_label()
    'The curves of sea. Precision at each positive: b 1/2; area: average precision 1/2 = 0.5. \
Pairs: b below a, b above c; area: AUROC 1/2 = 0.5.'
    """
    truth, score = read_one_label(y_true, y_score)
    if truth.all() or not truth.any():
        missing = "negative" if truth.any() else "positive"
        raise ValueError(f"y_true has no {missing} sample: give a label that has both kinds")
    (column,) = columns_by_score(truth[:, None], score[:, None], [label], samples)
    positives = [entry for entry in column.entries if entry.relevant]
    negatives = [entry for entry in column.entries if not entry.relevant]
    bars = [f"{entry.name} {with_slash(precision_at(entry))}" for entry in positives]
    pairs = [f"{a.name} {_comparison(a, b)} {b.name}" for a, b in product(positives, negatives)]
    areas = [f"area: {area}" for area in column.areas]
    alt = f"The curves of {label}. Precision at each positive: {', '.join(bars)}; {areas[0]}."
    alt += f" Pairs: {', '.join(pairs)}; {areas[1]}."
    name_width = text_width(entry.name for entry in column.entries)
    height, area_width = max(2.8, 0.36 * len(positives)), 1.15 * text_width(areas)  # bold is wider
    first = _panel(0.8, name_width, height, n_columns=len(positives), n_rows=1)
    left = max(first.right + name_width + 0.5, 0.8 + area_width) + 0.4
    second = _panel(left, name_width, height, n_columns=len(negatives), n_rows=len(positives))
    key = "> the positive scores higher   < lower   = the same: half"
    width = max(second.right, left + area_width, left + text_width([key], SIZE - 2)) + 0.3
    ax = page(width, _TOP + height + 1.8, alt)
    _draw_precision_recall(ax, first, positives)
    _draw_roc(ax, second, column.entries, positives, negatives)
    for panel, area, heading, x_axis in (
        (first, areas[0], "Precision at each positive", "recall: one positive after the other"),
        (second, areas[1], "ROC curve", "false positive rate: one negative after the other"),
    ):
        write_heading(ax, heading, panel.xs[0])
        write_small(ax, panel.xs[0], panel.bottom + 0.62, x_axis)
        write(ax, panel.xs[0], panel.bottom + 1.0, area, fontweight="bold")
    write_small(ax, left, second.bottom + 1.4, key)
    return ax


def _panel(left: float, name_width: float, height: float, *, n_columns: int, n_rows: int) -> Layout:
    """Cells that fill a panel of the given height, each at least as wide as the names below it."""
    cell_width, cell_height = max(_MIN_WIDTH / n_columns, name_width + 0.2), height / n_rows
    xs = [left + cell_width * i for i in range(n_columns)]
    ys = [_TOP + cell_height * i for i in range(n_rows)]
    return Layout(xs, ys, cell_width, cell_height)


def _comparison(positive: Entry, negative: Entry) -> str:
    """Where the positive sample stands by score: "above", "tied with" or "below" the negative."""
    side = "above" if positive.score > negative.score else "below"
    return "tied with" if positive.score == negative.score else side


def _draw_precision_recall(ax: Axes, panel: Layout, positives: list[Entry]) -> None:
    """Draw a bar for each positive, as high as its precision, and the curve along their tops."""
    for y, text in ((panel.bottom, "0"), (panel.ys[0], "1")):
        write(ax, panel.xs[0] - 0.15, y, text, ha="right", color=QUIET)
    curve = []
    for x, positive in zip(panel.xs, positives, strict=True):
        precision, middle = precision_at(positive), x + panel.width / 2
        height = panel.height * float(precision.numerator / precision.denominator)
        top, bar = panel.bottom - height, {"facecolor": BLUE, "edgecolor": PAPER, "label": "bar"}
        draw_box(ax, x, top, panel.width, height, **bar)
        write(ax, middle, top + height / 2, with_slash(precision), ha="center", color=PAPER)
        write(ax, middle, panel.bottom + 0.25, positive.name, ha="center")
        curve += [(x, top), (x + panel.width, top)]
    ax.plot(*zip(*curve, strict=True), color=INK, linewidth=2.6, label="precision-recall")


def _draw_roc(
    ax: Axes, panel: Layout, entries: list[Entry], positives: list[Entry], negatives: list[Entry]
) -> None:
    """Draw a cell for each pair of a positive (row) and a negative (column), and the ROC curve.

    Down the entries, the curve goes up at a positive, right at a negative, diagonally at a tie.
    """
    for i, (y, positive) in enumerate(zip(reversed(panel.ys), positives, strict=True)):
        write(ax, panel.xs[0] - 0.15, y + panel.height / 2, positive.name, ha="right")
        for j, (x, negative) in enumerate(zip(panel.xs, negatives, strict=True)):
            sign, fill, ink = _SIGNS[_comparison(positive, negative)]
            edge = {"edgecolor": QUIET, "label": f"pair-{i}-{j}"}
            draw_box(ax, x, y, panel.width, panel.height, facecolor=fill, **edge)
            style: Any = {"ha": "center", "color": ink}
            style["bbox"] = {"facecolor": fill, "edgecolor": "none", "pad": 2}  # hides the curve
            write(ax, x + panel.width / 2, y + panel.height / 2, sign, **style)
    for x, negative in zip(panel.xs, negatives, strict=True):
        write(ax, x + panel.width / 2, panel.bottom + 0.25, negative.name, ha="center")
    points = [(0, 0), *((int(e.rank), int(e.rank_among_relevant)) for e in entries)]
    xs = [panel.xs[0] + (n_shown - tp) * panel.width for n_shown, tp in points]
    ys = [panel.bottom - tp * panel.height for _, tp in points]
    ax.plot(xs, ys, color=INK, linewidth=2.6, label="roc")
