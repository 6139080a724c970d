"""Trees of labels: where the boxes stand, what is marked, what is said."""

from functools import partial

import pytest

from mlm_course import figures

# label 3 has two parents
PARENTS = [[], [], [0], [0, 1], [1]]
LABELS = ["car", "boat", "taxi", "amphibian", "ferry"]
trees = partial(figures.label_trees, parents=PARENTS, labels=LABELS)


def boxes(ax):
    """Of each tree, the boxes by the label's name."""
    every = [box for box in ax.patches if box.get_label().startswith("box-")]
    named = [(box.get_label().removeprefix("box-"), box) for box in every]
    return [dict(named[i : i + 5]) for i in range(0, len(named), 5)]


def middle(box):
    return box.get_x() + box.get_width() / 2, box.get_y() + box.get_height() / 2


def test_ancestors_are_marked_and_labels_that_were_given_are_bold():
    ax = trees([[0, 0, 0, 1, 0], [0, 0, 1, 0, 0]], [[0, 0, 1, 0, 0], [0, 0, 0, 0, 0]])
    of_labels = [t for t in ax.texts if any(t.get_text().endswith(name) for name in LABELS)]
    assert [text.get_text() for text in of_labels] == [
        "✓ car", "○ boat", "✗ taxi", "○ amphibian", "ferry",
        "○ car", "boat", "○ taxi", "amphibian", "ferry",
    ]  # fmt: skip
    bold = [text.get_text() for text in of_labels if text.get_weight() == "bold"]
    assert bold == ["✗ taxi", "○ amphibian", "○ taxi"]
    fills = [boxes(ax)[0][name].get_facecolor()[:3] for name in ("car", "taxi", "boat")]
    assert fills[0] != fills[1] != fills[2] != fills[0]


def test_parents_stand_above_and_no_two_boxes_overlap():
    ax = trees([[0, 0, 0, 1, 0]] * 2, [[0, 0, 1, 0, 0]] * 2)
    first, second = boxes(ax)
    for tree in (first, second):
        for label, parents in enumerate(PARENTS):
            for parent in parents:
                assert middle(tree[LABELS[parent]])[1] < middle(tree[LABELS[label]])[1]
    every = [*first.values(), *second.values()]
    for i, one in enumerate(every):
        for other in every[:i]:
            across, down = (abs(a - b) for a, b in zip(middle(one), middle(other), strict=True))
            assert across >= one.get_width() or down >= one.get_height()
    ends = [tuple(zip(*line.get_data(), strict=True)) for line in ax.lines[:4]]
    links = [(parent, label) for label, parents in enumerate(PARENTS) for parent in parents]
    for (parent, label), (top, bottom) in zip(links, ends, strict=True):
        assert top == pytest.approx(middle(first[LABELS[parent]]))
        assert bottom == pytest.approx(middle(first[LABELS[label]]))


def test_what_is_said():
    """Truth closed: amphibian, car, boat; prediction: taxi, car. So 2 · 1 / (3 + 2)."""
    ax = trees([[0, 0, 0, 1, 0]], [[0, 0, 1, 0, 0]], samples=["photo"])
    assert figures.alt_text(ax) == (
        "A hierarchy: car above taxi and amphibian; boat above amphibian and ferry. Photo: hit car,"
        " false alarm taxi, miss boat and amphibian; F1 2/5 = 0.4."
    )
