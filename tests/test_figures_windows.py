"""The first k labels of each sample: where the frame lies, what stands beside it, what is said."""

from functools import partial

import pytest

from mlm_course import figures

TRUE, SCORES = [[1, 0, 0, 0], [0, 1, 1, 0]], [[0.9, 0.8, 0.2, 0.1], [0.1, 0.7, 0.3, 0.4]]
PLACES = ["1/log2(2) = 1", "1/log2(3) ≈ 0.631", "1/log2(4) = 0.5", "1/log2(5) ≈ 0.431"]
window = partial(figures.top_window, labels="ABCD", samples=["one", "two"])


def boxes(ax):
    """Frames, and the boxes of labels from the left to the right and from the top down."""
    every = sorted(ax.patches, key=lambda box: (box.get_x() // 3, box.get_y()))
    frames = [box for box in every if box.get_label() == "frame"]
    return frames, [box for box in every if box.get_label() != "frame"]


def holds(frame, box):
    return (
        frame.get_x() < box.get_x()
        and frame.get_y() < box.get_y()
        and box.get_x() + box.get_width() < frame.get_x() + frame.get_width()
        and box.get_y() + box.get_height() < frame.get_y() + frame.get_height()
    )


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_a_frame_holds_the_first_k_labels_and_beside_it_stands_what_each_counts(k):
    ax = window(TRUE, SCORES, k=k)
    frames, cells = boxes(ax)
    assert len(cells) == 8
    for i, frame in enumerate(frames):
        assert [holds(frame, box) for box in cells] == [4 * i <= j < 4 * i + k for j in range(8)]
        beside = [t for t in ax.texts if t.get_label() == "count"][k * i : k * (i + 1)]
        assert [text.get_text() for text in beside] == PLACES[:k]
        for text, box in zip(beside, cells[4 * i :], strict=False):
            x, y = text.get_position()
            assert x > frame.get_x() + frame.get_width()
            assert y == pytest.approx(box.get_y() + box.get_height() / 2)
