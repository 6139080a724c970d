"""Where things stand in grids, lists and trees that their texts do not tell."""

from functools import partial

import numpy as np
import pytest
from pictures import told
from scipy.sparse import csr_array

from mlm_course import documents, figures
from mlm_helpers.errors import LabelConfusions

# -------------------------------------------------------------------------------- rank lists


def test_brackets_join_misordered_pairs_and_the_rule_shows_the_coverage():
    ax = figures.rank_lists(
        documents.RANKING.scores, documents.RANKING.y_true, documents.RANKING.labels
    )
    heights = {}
    for text in ax.texts:
        if text.get_label() == "name":
            x, y = text.get_position()
            heights.setdefault(x, {})[text.get_text()] = y
    one, two = heights.values()
    brackets = [tuple(line.get_ydata()[[0, -1]]) for line in ax.lines if "mis" in line.get_label()]
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


def middle(box):
    return box.get_x() + box.get_width() / 2, box.get_y() + box.get_height() / 2


def test_a_line_goes_from_each_parent_down_to_its_label():
    ax = trees([[0, 0, 0, 1, 0]], [[0, 0, 1, 0, 0]])
    places = [middle(box) for box in ax.patches]
    assert [box.get_label() for box in ax.patches] == [f"box-{name}" for name in LABELS]
    links = [(parent, label) for label, parents in enumerate(PARENTS) for parent in parents]
    for (parent, label), line in zip(links, ax.lines, strict=True):
        top, bottom = line.get_xydata()
        assert tuple(top) == pytest.approx(places[parent]) and top[1] < bottom[1]
        assert tuple(bottom) == pytest.approx(places[label])


# -------------------------------------------------------------------------------- confusions

# Sea is missed in 8 samples with a false lake, in 3 with pond, in one with sky; lake in one with sea; boat never.
COUNTS = np.zeros((5, 5), int)
COUNTS[2, [0, 1, 3]], COUNTS[0, 2] = (8, 3, 1), 1


def found(counts, labels=("lake", "pond", "sea", "sky", "boat")):
    return LabelConfusions(list(labels), counts, counts.sum(axis=1), counts.sum(axis=0), 99)


def test_confusions_may_be_sparse_and_as_many_labels_are_drawn_as_may_be():
    sparse = figures.label_confusion_chart(found(csr_array(COUNTS)))
    assert told(sparse) == told(figures.label_confusion_chart(found(COUNTS)))
    few = np.array([[0, 9, 8, 0], [7, 0, 6, 0], [5, 4, 0, 1], [0, 0, 0, 0]])
    ax = figures.label_confusion_chart(
        found(few, "abcd"), most=4
    )  # d is in the smallest pair alone
    assert figures.alt_text(ax).endswith("c missed: a 5, b 4, d 1.")
