"""Picture of labels in a hierarchy: a tree per sample, with hits, false alarms and misses."""

from itertools import count
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from mlm_course.figures.cells import outcome_phrases
from mlm_course.figures.look import MARKS, QUIET, SIZE
from mlm_course.figures.pen import draw_box, page, text_width, write, write_small
from mlm_course.figures.phrases import Names, and_list, capitalized, display_names
from mlm_course.numbers import with_decimal
from mlm_helpers import hierarchy
from mlm_helpers._core.inputs.ancestry import child_parent_pairs, read_parents
from mlm_helpers._core.inputs.read import read_label_sets
from mlm_helpers.worked import solve

Parents = list[list[int]]  # indices of the parents of each label
_BOX_HEIGHT, _LEVEL, _TOP = 0.42, 0.85, 0.95  # inches: box; level to level; middle of the first


def label_trees(
    y_true: Any, y_pred: Any, parents: Any, *, labels: Names = None, samples: Names = None
) -> Axes:
    """For each sample the tree of the labels, marked after ancestors are added to both label sets.

    ✓ a hit, ✗ a false alarm, ○ a miss; bold: true or predicted before ancestors were added. The
    hierarchical F1, hF, stands beside the name of the sample.

    Parameters
    ----------
    y_true, y_pred : matrix of 0 and 1, shape (n_samples, n_labels)
    parents : for each label the indices of its parents
    labels, samples : names, optional, by default a DataFrame's

    Examples
    --------
    >>> labels = ["animal", "cat", "dog"]
    >>> label_trees([[0, 1, 0]], [[0, 0, 1]], [[], [0], [0]], labels=labels).get_label()
    'A hierarchy: animal above cat and dog. Sample 1: hit animal, false alarm dog, miss cat; \
hF 1/2 = 0.5.'
    """
    data = read_label_sets(y_true, y_pred).dense()
    parents = read_parents(parents, data.shape[1])
    names = display_names(labels, data.shape[1], "label", y_true, y_pred)
    sample_names = display_names(samples, data.shape[0], "sample", y_true, y_pred)
    is_bold = (data.truth != 0) | (data.prediction != 0)
    truth = hierarchy.closure(data.truth, parents).astype(int)
    prediction = hierarchy.closure(data.prediction, parents).astype(int)
    outcomes = 2 * truth + prediction
    sentences, headings = [f"A hierarchy: {_children_phrase(parents, names)}."], []
    for i, phrase in enumerate(outcome_phrases(outcomes, names, sample_names)):
        f1: Any = solve(hierarchy.f1, truth[[i]], prediction[[i]], parents=parents).value
        sentences.append(capitalized(f"{phrase}; hF {with_decimal(f1)}."))
        headings.append(f"{sample_names[i]}: hF {with_decimal(f1)}")
    box_width = text_width(f"✓ {name}" for name in names) * 1.15 + 0.3  # bold is wider
    columns, levels = _tree_layout(parents)
    height = _TOP + _LEVEL * max(levels) + 0.6
    key = "✓ hit   ✗ false alarm   ○ miss     bold: true or predicted itself"
    width = max(0.6 + (box_width + 0.2) * (max(columns) + 1), text_width([key], SIZE - 2) + 0.6)
    ax = page(width, height * len(headings) + 0.5, " ".join(sentences))
    xs = 0.3 + (box_width + 0.2) * np.array(columns) + box_width / 2
    for i, heading in enumerate(headings):
        write(ax, 0.3, height * i + 0.4, heading, fontweight="bold")
        ys = height * i + _TOP + _LEVEL * np.array(levels)
        for label, label_parents in enumerate(parents):
            for parent in label_parents:
                pair = [parent, label]
                ax.plot(xs[pair], ys[pair], color=QUIET, linewidth=1.4, zorder=0)
        for label, name in enumerate(names):
            x, y, mark = xs[label], ys[label], MARKS[outcomes[i, label]]
            line_width, weight = (2.2, "bold") if is_bold[i, label] else (1.0, "normal")
            place = x - box_width / 2, y - _BOX_HEIGHT / 2, box_width, _BOX_HEIGHT
            draw_box(ax, *place, linewidth=line_width, label=f"box-{name}", **mark.box_style)
            text = f"{mark.symbol} {name}".removeprefix("· ")
            write(ax, x, y, text, ha="center", fontweight=weight, color=mark.ink)
    write_small(ax, 0.3, height * len(headings) + 0.15, key)
    return ax


def _tree_layout(parents: Parents) -> tuple[list[float], list[int]]:
    """Column and level of each label: leaves side by side, a parent above its children's middle.

    A label with several parents lies below the first of them, one level below the deepest.
    """
    columns, levels = [0.0] * len(parents), [0] * len(parents)
    for label, parent in reversed(child_parent_pairs(parents)):  # parents before children
        levels[label] = max(levels[label], levels[parent] + 1)
    leaf_columns = count()  # 0, 1, 2, …

    def set_columns(label: int) -> float:
        """Set the columns of a label and of all whose first parent it is; return the label's."""
        children = [j for j, label_parents in enumerate(parents) if label_parents[:1] == [label]]
        child_columns = [set_columns(child) for child in children]
        columns[label] = float(np.mean(child_columns) if children else next(leaf_columns))
        return columns[label]

    for label, label_parents in enumerate(parents):
        if not label_parents:
            set_columns(label)
    return columns, levels


def _children_phrase(parents: Parents, names: list[str]) -> str:
    """'animal above cat and dog; vehicle above car': each label that has children, with these."""
    phrases = []
    for label, name in enumerate(names):
        children = [names[child] for child, above in enumerate(parents) if label in above]
        if children:
            phrases.append(f"{name} above {and_list(children)}")
    return "; ".join(phrases)
