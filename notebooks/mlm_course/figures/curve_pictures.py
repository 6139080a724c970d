"""The two curves of a label as steps, with the areas below them."""

from typing import Any

from matplotlib.axes import Axes

from mlm_course.figures.cells import Layout
from mlm_course.figures.lists import Sorted, in_order
from mlm_course.figures.look import BLUE, INK, PALE, PAPER, QUIET, SIZE
from mlm_course.figures.pen import box, headline, page, small, width_of, write
from mlm_course.figures.phrases import Labels
from mlm_helpers._core import inputs
from mlm_helpers.tables import with_slash
from mlm_helpers.worked.rank_steps import Entry

_TOP, _SIDE = 0.95, 3.4  # inches: where the panels begin; the least width of one
_PAIRS = {
    "above": (">", BLUE, PAPER),
    "tied with": ("=", PALE, INK),
    "below": ("<", PAPER, INK),
}
"""How a positive stands to a negative: the sign of such a pair, its fill and its ink."""


def curve_steps(
    y_true: Any, y_score: Any, *, samples: Labels = None, label: str = "one label"
) -> Axes:
    """A label's precision-recall curve and its ROC curve, as steps with an area below.

    Below the first stands a bar for each positive sample, as high as the precision there. Below the
    second lies a cell for each pair of a positive and a negative sample in which the positive scores
    higher; of a tied pair, half a cell.

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
    'The curves of sea. Precision at each positive: b 1/2; area: average precision 1/2 = 0.5. Pairs: \
b below a, b above c; area: AUROC 1/2 = 0.5.'
    """
    truth, score = inputs.read_one_label(y_true, y_score)
    if truth.all() or not truth.any():
        missing = "negative" if truth.any() else "positive"
        raise ValueError(f"y_true has no {missing} sample: give a label that has both kinds")
    (one,) = in_order(truth[:, None], score[:, None], [label], samples)
    ups, across = (
        [item for item, _ in one.reached if item.relevant is kind] for kind in (True, False)
    )
    bars = [f"{item.name} {with_slash(share)}" for item, share in one.reached if item.relevant]
    pairs = [f"{up.name} {_stands(up, other)} {other.name}" for up in ups for other in across]
    areas = [f"area: {area}" for area in one.areas]
    alt = f"The curves of {label}. Precision at each positive: {', '.join(bars)}; {areas[0]}."
    alt += f" Pairs: {', '.join(pairs)}; {areas[1]}."

    names = width_of(item.name for item, _ in one.reached)
    high, wide = max(2.8, 0.36 * len(ups)), 1.15 * width_of(areas)  # bold is wider
    first = _panel(0.8, names, high, len(ups))
    left = max(first.right + names + 0.5, 0.8 + wide) + 0.4
    second = _panel(left, names, high, len(across), len(ups))
    key = "> the positive scores higher   < lower   = the same: half"
    width = max(second.right, left + wide, left + width_of([key], SIZE - 2)) + 0.3
    ax = page(width, _TOP + high + 1.8, alt)
    _draw_precision(ax, first, one)
    _draw_pairs(ax, second, one, ups, across)
    heads = (
        ("Precision at each positive", "recall: one positive after the other"),
        ("ROC curve", "false positive rate: one negative after the other"),
    )
    for at, (head, below), area in zip((first, second), heads, areas, strict=True):
        headline(ax, head, at.xs[0])
        small(ax, at.xs[0], at.bottom + 0.62, below)
        write(ax, at.xs[0], at.bottom + 1.0, area, fontweight="bold", label="area")
    small(ax, left, second.bottom + 1.4, key)
    return ax


def _panel(left: float, names: float, high: float, columns: int, rows: int = 1) -> Layout:
    """Cells as wide as the names below them, and so high together."""
    wide = max(_SIDE / columns, names + 0.2)
    ys = [_TOP + high / rows * i for i in range(rows)]
    return Layout([left + wide * i for i in range(columns)], ys, wide, high / rows)


def _stands(positive: Entry, negative: Entry) -> str:
    """How a pair stands: a key of `_PAIRS`."""
    if positive.score == negative.score:
        return "tied with"
    return "above" if positive.score > negative.score else "below"


def _draw_precision(ax: Axes, at: Layout, one: Sorted) -> None:
    """A bar for each positive, as high as the precision there; the curve is their upper edge."""
    for level, text in ((at.bottom, "0"), (at.ys[0], "1")):
        write(ax, at.xs[0] - 0.15, level, text, ha="right", color=QUIET)
    edge = []
    found = [(item, share) for item, share in one.reached if item.relevant]
    for k, (x, (item, share)) in enumerate(zip(at.xs, found, strict=True)):
        height, middle = at.height * float(share.numerator / share.denominator), x + at.width / 2
        top, bar = at.bottom - height, {"facecolor": BLUE, "edgecolor": PAPER, "label": "bar"}
        box(ax, x, top, at.width, height, **bar)
        inside = {"ha": "center", "color": PAPER, "label": f"share-{k}"}
        write(ax, middle, top + height / 2, with_slash(share), **inside)
        write(ax, middle, at.bottom + 0.25, item.name, ha="center")
        edge += [(x, top), (x + at.width, top)]
    ax.plot(*zip(*edge, strict=True), color=INK, linewidth=2.6, label="precision-recall")


def _draw_pairs(ax: Axes, at: Layout, one: Sorted, ups: list[Entry], across: list[Entry]) -> None:
    """A cell for each pair; the curve goes up at a positive, right at a negative, askew at a tie."""
    for i, (y, up) in enumerate(zip(reversed(at.ys), ups, strict=True)):
        write(ax, at.xs[0] - 0.15, y + at.height / 2, up.name, ha="right")
        for j, (x, other) in enumerate(zip(at.xs, across, strict=True)):
            sign, fill, ink = _PAIRS[_stands(up, other)]
            edge = {"edgecolor": QUIET, "label": f"pair-{i}-{j}"}
            box(ax, x, y, at.width, at.height, facecolor=fill, **edge)
            patch = {"facecolor": fill, "edgecolor": "none", "pad": 2}  # in front of the curve
            look: Any = {"ha": "center", "color": ink, "label": f"sign-{i}-{j}", "bbox": patch}
            write(ax, x + at.width / 2, y + at.height / 2, sign, **look)
    for x, other in zip(at.xs, across, strict=True):
        write(ax, x + at.width / 2, at.bottom + 0.25, other.name, ha="center")
    hits = [0.0, *(float(share.numerator) for _, share in one.reached)]
    alarms = [0.0, *(float(share.denominator - share.numerator) for _, share in one.reached)]
    xs = [at.xs[0] + alarm * at.width for alarm in alarms]
    ys = [at.bottom - hit * at.height for hit in hits]
    ax.plot(xs, ys, color=INK, linewidth=2.6, label="roc")
