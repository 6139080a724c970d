"""The samples of a label in the order of their scores."""

from typing import Any, NamedTuple

from matplotlib.axes import Axes

from mlm_helpers import curves
from mlm_helpers.board import Ratio, slashed
from mlm_helpers.board.numbers import plain
from mlm_helpers.course.figures.look import QUIET, SIZE
from mlm_helpers.course.figures.pen import headline, page, width_of, write
from mlm_helpers.course.figures.phrases import Labels, capital, counted, named
from mlm_helpers.course.figures.rank_pictures import STEP, draw_ranked
from mlm_helpers.worked import column_steps as columns
from mlm_helpers.worked.column_steps import Item
from mlm_helpers.worked.problem import read

PHOTOS = (
    [[0, 1], [1, 0], [1, 0], [0, 1], [1, 0]],
    [[0.71, 0.88], [0.92, 0.77], [0.48, 0.31], [0.15, 0.22], [0.64, 0.53]],
)
"""Truth and scores of five photos and two labels, dog and sea."""


class Sorted(NamedTuple):
    """A label's samples from the top down, each with the share of positives down to it."""

    label: str
    reached: list[tuple[Item, Ratio]]

    @property
    def items(self) -> list[Item]:
        """The samples alone."""
        return [item for item, _ in self.reached]

    @property
    def areas(self) -> list[str]:
        """Its average precision and its AUROC in words, tied samples as one threshold."""
        settings = {"ties": "worst", "interpolation": None}
        _, precision = columns.read_average_precision(self.items, settings)
        _, pairs = columns.read_pairs_won(self.items, settings)
        named_areas = ("average precision", precision), ("AUROC", pairs)
        return [
            f"{name} {'undefined' if isinstance(found, str) else counted(found)}"
            for name, found in named_areas
        ]


def in_order(
    y_true: Any, y_score: Any, labels: Labels = None, samples: Labels = None
) -> list[Sorted]:
    """Sort each column by score."""
    problem = read(curves.average_precision, y_true, y_score, None, None, {})
    problem = problem._replace(samples=named(samples, len(problem.samples), "sample"))
    names = named(labels, len(problem.labels), "label")
    lists = [columns.column(problem, [j]) for j in range(len(names))]
    return [
        Sorted(name, [(item, columns.reach(item, items, "worst").share) for item in items])
        for name, items in zip(names, lists, strict=True)
    ]


def sorted_columns(
    y_true: Any, y_score: Any, *, labels: Labels = None, samples: Labels = None
) -> Axes:
    """Each label's samples in the order of their scores, and what curve metrics read off.

    Positive samples are filled and carry ✓ and their precision: the share of positives down to them.

    Parameters
    ----------
    y_true : matrix of 0 and 1, shape (n_samples, n_labels), at most 50 of each
    y_score : matrix of finite numbers of the same shape
    labels, samples : names, optional

    Examples
    --------
    >>> sorted_columns([[0], [1]], [[0.4], [0.3]], labels=["sea"]).get_label()
    'Samples by score. Sea: 1 sample 1 0.4, 2 sample 2 0.3 (1/2 positive); average precision \
1/2 = 0.5, AUROC 0/1 = 0.'
    """
    lists = in_order(y_true, y_score, labels, samples)
    alt = " ".join(["Samples by score.", *map(_sentence, lists)])
    wide = 1.2 + width_of(item.name for item in lists[0].items)
    across = 0.4 + max(1.1 + wide, width_of(area for one in lists for area in one.areas))
    bottom = 1.2 + STEP * len(lists[0].items)
    ax = page(max(0.3 + across * len(lists), 7.4), bottom + 1.3, alt)
    for i, one in enumerate(lists):
        _draw_list(ax, 0.3 + across * i, wide, one)
        for line, area in enumerate(one.areas):
            write(ax, 0.3 + across * i, bottom + 0.36 * line, area, label="summary")
    key = "✓ positive, with its precision: the share of ✓ so far"
    write(ax, 0.3, bottom + 0.9, key, fontsize=SIZE - 2, color=QUIET)
    return ax


def _sentence(one: Sorted) -> str:
    """One label's part of the alternative text."""
    rows = [
        f"{plain(share.below)} {item.name} {item.score:g}"
        + f" ({slashed(share)} positive)" * item.positive
        for item, share in one.reached
    ]
    return f"{capital(one.label)}: {', '.join(rows)}; {', '.join(one.areas)}."


def _draw_list(ax: Axes, left: float, width: float, one: Sorted) -> None:
    """One label's list: places, boxes with names and scores, precision at the positives."""
    headline(ax, capital(one.label), left)
    for i, (item, share) in enumerate(one.reached):
        y = 1.1 + STEP * i
        write(ax, left, y, plain(share.below), color=QUIET, label="rank")
        draw_ranked(ax, left + 0.35, y, width, (item.name, item.score, item.positive))
        if item.positive:
            beside = left + 0.5 + width
            write(ax, beside, y, slashed(share), fontweight="bold", label="share")
