"""Labels in a hierarchy: a tree a sample, with hits, false alarms and misses after ancestors were added."""

from itertools import count
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from mlm_course.figures.cells import seen
from mlm_course.figures.look import INK, MARKS, QUIET, SIZE
from mlm_course.figures.pen import box, page, small, width_of, write
from mlm_course.figures.phrases import Labels, capitalized, joined, named
from mlm_course.numbers import with_decimal
from mlm_helpers import hierarchy
from mlm_helpers._core import inputs
from mlm_helpers.worked import solve

Parents = list[list[int]]  # of each label
_HIGH, _DOWN, _TOP = 0.42, 0.85, 0.95  # inches: a box, from level to level, where the first is


def label_trees(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    parents: Any,
    *,
    labels: Labels = None,
    samples: Labels = None,
) -> Axes:
    """Each sample's labels below those above them, marked once all ancestors are added.

    ✓ a hit, ✗ a false alarm, ○ a miss; in bold what was true or predicted before. Beside the name of
    the sample stands its hierarchical F1.

    Parameters
    ----------
    y_true, y_pred : matrix of 0 and 1, shape (n_samples, n_labels)
    parents : for each label the indices of its parents
    labels, samples : names, optional, by default a DataFrame's

    Examples
    --------
    >>> label_trees([[0, 1, 0]], [[0, 0, 1]], [[], [0], [0]], labels=["animal", "cat", "dog"]).get_label()
    'A hierarchy: animal above cat and dog. Sample 1: hit animal, false alarm dog, miss cat; F1 1/2 = 0.5.'
    """
    data = inputs.read_label_sets(y_true, y_pred).dense()
    above = inputs.read_parents(parents, data.shape[1])
    names = named(labels, len(above), "label", y_true, y_pred)
    rows = named(samples, len(data.truth), "sample", y_true, y_pred)
    given = (data.truth != 0) | (data.prediction != 0)
    truth, other = (hierarchy.closure(m, above).astype(int) for m in (data.truth, data.prediction))
    outcome = 2 * truth + other
    by_hand: Any = [
        solve(hierarchy.f1, *row, parents=above).value
        for row in zip(truth[:, None], other[:, None], strict=True)
    ]
    values = list(map(with_decimal, by_hand))
    parts = [f"{one}; F1 {f1}" for one, f1 in zip(seen(outcome, names, rows), values, strict=True)]
    alt = f"A hierarchy: {_below(above, names)}. {capitalized('. '.join(map(capitalized, parts)))}."
    wide = width_of(f"✓ {name}" for name in names) * 1.15 + 0.3  # bold is wider
    xs, levels = _places(above)
    high = _TOP + _DOWN * max(levels) + 0.6
    key = "✓ hit   ✗ false alarm   ○ miss     bold: true or predicted itself"
    across = 0.6 + (wide + 0.2) * (max(xs) + 1)
    ax = page(max(across, width_of([key], SIZE - 2) + 0.6), high * len(rows) + 0.5, alt)
    for i, (row, f1) in enumerate(zip(rows, values, strict=True)):
        write(ax, 0.3, high * i + 0.4, f"{row}: F1 {f1}", fontweight="bold", label="sample")
        at = np.array([[0.3 + (wide + 0.2) * x + wide / 2 for x in xs], [high * i + _TOP + _DOWN * y for y in levels]])  # fmt: skip
        _draw(ax, at, wide, above, names, outcome[i], given[i])
    small(ax, 0.3, high * len(rows) + 0.15, key)
    return ax


def _draw(
    ax: Axes, at: Any, wide: float, above: Parents, names: list[str], outcome: Any, given: Any
) -> None:
    """One tree: a line to each parent, then a box for each label."""
    for label, parents in enumerate(above):
        for parent in parents:
            ax.plot(*at[:, [parent, label]], color=QUIET, linewidth=1.4, zorder=0, label="parent")
    for label, (x, y) in enumerate(at.T):
        mark = MARKS[outcome[label]]
        look = {"linewidth": 2.2 if given[label] else 1.0, "label": f"box-{names[label]}"}
        box(ax, x - wide / 2, y - _HIGH / 2, wide, _HIGH, **mark.box | look)
        weight = "bold" if given[label] else "normal"
        text = f"{mark.symbol} {names[label]}".removeprefix("· ")
        color = mark.ink if outcome[label] else INK
        write(ax, x, y, text, ha="center", fontweight=weight, color=color)


def _places(above: Parents) -> tuple[list[float], list[int]]:
    """Across, the leaves side by side and parents over the middle of theirs; down, the level."""
    first = [parents[0] if parents else None for parents in above]  # where there are several
    xs, levels = [0.0] * len(above), [0] * len(above)
    for label, parent in reversed(inputs.child_parent_pairs(above)):
        levels[label] = max(levels[label], levels[parent] + 1)
    leaves = count()

    def place(label: int) -> float:
        below = [child for child, parent in enumerate(first) if parent == label]
        xs[label] = float(np.mean([place(child) for child in below]) if below else next(leaves))
        return xs[label]

    for label, parents in enumerate(above):
        if not parents:
            place(label)
    return xs, levels


def _below(above: Parents, names: list[str]) -> str:
    """Who stands above whom."""
    children = {
        name: [names[k] for k, parents in enumerate(above) if j in parents]
        for j, name in enumerate(names)
    }
    return "; ".join(f"{name} above {joined(some)}" for name, some in children.items() if some)
