"""Positions in lists, trees and the chart of confusions that the approved texts do not show."""

from functools import partial

import numpy as np
import pytest
from pictures import as_text
from scipy.sparse import csr_array

from mlm_course import documents, figures
from mlm_helpers.errors import LabelConfusions

# -------------------------------------------------------------------------------- rank lists


def test_brackets_join_misordered_pairs_and_a_dashed_line_shows_the_coverage():
    ax = figures.rank_lists(
        documents.RANKING.scores, documents.RANKING.y_true, documents.RANKING.labels
    )
    rows = {}  # left edge of a list → name of a label → y
    for text in ax.texts:
        if text.get_label() == "name":
            x, y = text.get_position()
            rows.setdefault(x, {})[text.get_text()] = y
    one, two = rows.values()
    lines = [line for line in ax.lines if line.get_label() == "misordered"]
    brackets = [tuple(line.get_ydata()[[0, -1]]) for line in lines]
    assert brackets == [
        (one["geography"], one["sport"]),
        (two["technology"], two["sport"]),
        (two["geography"], two["sport"]),
    ]
    depths = [line.get_ydata()[0] for line in ax.lines if line.get_label() == "depth"]
    assert one["sport"] < depths[0] < one["technology"]
    assert two["sport"] < depths[1] < two["military"]


# ------------------------------------------------------------------------------------- trees

# label 3 has two parents
PARENTS = [[], [], [0], [0, 1], [1]]
LABELS = ["car", "boat", "taxi", "amphibian", "ferry"]
trees = partial(figures.label_trees, parents=PARENTS, labels=LABELS)


def center(box):
    return box.get_x() + box.get_width() / 2, box.get_y() + box.get_height() / 2


def test_a_line_goes_from_each_parent_down_to_its_label():
    ax = trees([[0, 0, 0, 1, 0]], [[0, 0, 1, 0, 0]])
    centers = [center(box) for box in ax.patches]
    assert [box.get_label() for box in ax.patches] == [f"box-{name}" for name in LABELS]
    links = [(parent, label) for label, parents in enumerate(PARENTS) for parent in parents]
    for (parent, label), line in zip(links, ax.lines, strict=True):
        top, bottom = line.get_xydata()
        assert tuple(top) == pytest.approx(centers[parent]) and top[1] < bottom[1]
        assert tuple(bottom) == pytest.approx(centers[label])


# -------------------------------------------------------------------------------- confusions

# Rows missed, columns predicted falsely: sea with lake, pond and sky, lake with sea, boat with
# none.
COUNTS = np.zeros((5, 5), int)
COUNTS[2, [0, 1, 3]] = 8, 3, 1
COUNTS[0, 2] = 1


def confusions(counts, labels=("lake", "pond", "sea", "sky", "boat")):
    missed, false_alarms = counts.sum(axis=1), counts.sum(axis=0)
    return LabelConfusions(list(labels), counts, missed, false_alarms, n_samples=99)


def test_counts_may_be_sparse_and_a_label_of_the_smallest_pair_alone_is_drawn():
    sparse = figures.label_confusion_chart(confusions(csr_array(COUNTS)))
    assert as_text(sparse) == as_text(figures.label_confusion_chart(confusions(COUNTS)))
    counts = np.array([[0, 9, 8, 0], [7, 0, 6, 0], [5, 4, 0, 1], [0, 0, 0, 0]])
    ax = figures.label_confusion_chart(confusions(counts, "abcd"), most=4)
    assert figures.alt_text(ax).endswith("c missed: a 5, b 4, d 1.")
