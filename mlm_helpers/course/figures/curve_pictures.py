"""The two curves of a label as steps, and what lies below them."""

from typing import Any, NamedTuple

from matplotlib.axes import Axes

from mlm_helpers import inputs
from mlm_helpers.board import slashed
from mlm_helpers.course.figures.column_pictures import Sorted, in_order
from mlm_helpers.course.figures.look import BLUE, INK, PALE, PAPER, QUIET, SIZE
from mlm_helpers.course.figures.pen import box, headline, page, width_of, write
from mlm_helpers.course.figures.phrases import Labels
from mlm_helpers.worked.column_steps import Item

_TOP, _SIDE = 0.95, 3.4  # inches: where the panels begin; the least width of one
_PAIRS = {
    "above": (">", BLUE, PAPER),
    "tied with": ("=", PALE, INK),
    "below": ("<", PAPER, INK),
}
"""How a positive stands to a negative: the sign of such a pair, its fill and its ink."""


class _Panel(NamedTuple):
    """Where one lies, in inches: its left edge, its bottom, and the size of a part of it."""

    left: float
    bottom: float
    wide: float
    high: float


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
    truth, score = inputs.one_label(y_true, y_score)
    if truth.all() or not truth.any():
        missing = "negative" if truth.any() else "positive"
        raise ValueError(f"y_true has no {missing} sample: give a label that has both kinds")
    (one,) = in_order(truth[:, None], score[:, None], [label], samples)
    ups, across = ([item for item in one.items if item.positive is kind] for kind in (True, False))
    high = max(2.8, 0.36 * len(ups))
    names = width_of(item.name for item in one.items)
    first = _panel(0.8, high, names, len(ups), 1)
    areas = [f"area: {area}" for area in one.areas]
    wide = 1.15 * width_of(areas)  # bold is wider
    left = first.left + max(first.wide * len(ups) + names + 0.5, wide) + 0.4
    second = _panel(left, high, names, len(across), len(ups))
    key = "> the positive scores higher   < lower   = the same: half"
    width = left + max(second.wide * len(across), wide, width_of([key], SIZE - 2)) + 0.3
    ax = page(width, _TOP + high + 1.8, _sentence(one, ups, across))
    _draw_precision(ax, first, one)
    _draw_pairs(ax, second, one, ups, across)
    heads = "Precision-recall curve", "ROC curve"
    below = (
        "recall: one positive after the other",
        "false positive rate: one negative after the other",
    )
    for panel, *texts in zip((first, second), heads, below, areas, strict=True):
        _name_panel(ax, panel, *texts)
    write(ax, left, second.bottom + 1.4, key, fontsize=SIZE - 2, color=QUIET)
    return ax


def _name_panel(ax: Axes, at: _Panel, head: str, across: str, area: str) -> None:
    """What is drawn, what goes on from left to right, and the area."""
    headline(ax, head, at.left)
    write(ax, at.left, at.bottom + 0.62, across, fontsize=SIZE - 2, color=QUIET)
    write(ax, at.left, at.bottom + 1.0, area, fontweight="bold", label="area")


def _panel(left: float, high: float, names: float, parts: int, rows: int) -> _Panel:
    return _Panel(left, _TOP + high, max(_SIDE / parts, names + 0.2), high / rows)


def _stands(positive: Item, negative: Item) -> str:
    """How a pair stands: a key of `_PAIRS`."""
    if positive.score == negative.score:
        return "tied with"
    return "above" if positive.score > negative.score else "below"


def _sentence(one: Sorted, ups: list[Item], across: list[Item]) -> str:
    bars = [f"{item.name} {slashed(share)}" for item, share in one.reached if item.positive]
    pairs = [f"{up.name} {_stands(up, other)} {other.name}" for up in ups for other in across]
    precision, auroc = one.areas
    return (
        f"The curves of {one.label}. Precision at each positive: {', '.join(bars)}; area: {precision}."
        f" Pairs: {', '.join(pairs)}; area: {auroc}."
    )


def _draw_precision(ax: Axes, at: _Panel, one: Sorted) -> None:
    """A bar for each positive, as high as the precision there; the curve is their upper edge."""
    for level, text in ((at.bottom, "0"), (at.bottom - at.high, "1")):
        write(ax, at.left - 0.15, level, text, ha="right", color=QUIET)
    edge = []
    found = [(item, share) for item, share in one.reached if item.positive]
    for k, (item, share) in enumerate(found):
        x, height = at.left + k * at.wide, at.high * float(share.above / share.below)
        box(
            ax, x, at.bottom - height, at.wide, height, facecolor=BLUE, edgecolor=PAPER, label="bar"
        )
        middle = {"ha": "center", "label": f"share-{k}"}
        write(ax, x + at.wide / 2, at.bottom - height / 2, slashed(share), color=PAPER, **middle)
        write(ax, x + at.wide / 2, at.bottom + 0.25, item.name, ha="center")
        edge += [(x, at.bottom - height), (x + at.wide, at.bottom - height)]
    ax.plot(*zip(*edge, strict=True), color=INK, linewidth=2.6, label="precision-recall")


def _draw_pairs(ax: Axes, at: _Panel, one: Sorted, ups: list[Item], across: list[Item]) -> None:
    """A cell for each pair; the curve goes up at a positive, right at a negative, askew at a tie."""
    for i, up in enumerate(ups):
        y = at.bottom - (i + 1) * at.high
        write(ax, at.left - 0.15, y + at.high / 2, up.name, ha="right")
        for j, other in enumerate(across):
            sign, fill, ink = _PAIRS[_stands(up, other)]
            x = at.left + j * at.wide
            box(ax, x, y, at.wide, at.high, facecolor=fill, edgecolor=QUIET, label=f"pair-{i}-{j}")
            patch = {"facecolor": fill, "edgecolor": "none", "pad": 2}  # in front of the curve
            look: dict[str, Any] = {
                "ha": "center",
                "color": ink,
                "label": f"sign-{i}-{j}",
                "bbox": patch,
            }
            write(ax, x + at.wide / 2, y + at.high / 2, sign, **look)
    for j, other in enumerate(across):
        write(ax, at.left + (j + 0.5) * at.wide, at.bottom + 0.25, other.name, ha="center")
    hits = [0.0, *(float(share.above) for _, share in one.reached)]
    alarms = [0.0, *(float(share.below - share.above) for _, share in one.reached)]
    steps = (
        [at.left + alarm * at.wide for alarm in alarms],
        [at.bottom - hit * at.high for hit in hits],
    )
    ax.plot(*steps, color=INK, linewidth=2.6, label="roc")
