"""Which label is predicted instead of which: what is drawn and said."""

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from pictures import grid
from scipy.sparse import csr_array

from mlm_course import figures
from mlm_helpers.errors import Instead, instead

# Sea is missed in 8 samples with a false lake, in 3 with pond, in one with sky; lake in one with sea; boat never.
COUNTS = np.zeros((5, 5), int)
COUNTS[2, [0, 1, 3]], COUNTS[0, 2] = (8, 3, 1), 1
LABELS = ["lake", "pond", "sea", "sky", "boat"]


def found(counts, labels=LABELS):
    return Instead(labels, counts, counts.sum(axis=1), counts.sum(axis=0), 99)


@pytest.mark.parametrize("kind", [np.array, csr_array])
def test_label_confusions(kind):
    """The labels of the largest pairs first; each quarter of the largest count has its shade."""
    ax = figures.label_confusions(found(kind(COUNTS)))
    rows, fills = grid(ax)
    assert rows == ["–831", "1–", "–", "–"]
    assert fills[0, 3] == fills[1, 0] and fills[0, 0] == fills[3, 3]
    shades = [fills[place] for place in ((2, 1), (0, 3), (0, 2), (0, 1))]  # of 0, 1, 3 and 8
    lightness = [sum(to_rgb(shade)) for shade in shades]
    assert lightness == sorted({*lightness}, reverse=True)
    assert fills[0, 0] not in shades and shades[-1] == "#003b5c"
    assert figures.alt_text(ax) == (
        "Misses beside false alarms, 4 of 5 labels. Sea missed: lake 8, pond 3, sky 1; lake missed: sea 1."
    )


def test_rows_are_missed_and_columns_predicted_falsely():
    ax = figures.label_confusions(found(COUNTS))
    places = {name: [] for name in (*LABELS, "missed", "predicted falsely")}
    for text in ax.texts:
        places.get(text.get_text(), []).append(text.get_position())
    cells = {text.get_label(): text.get_position() for text in ax.texts}
    for i, name in enumerate(["sea", "lake", "pond", "sky"]):
        (_, row), (column, _) = sorted(places[name])
        assert (column, row) == pytest.approx(cells[f"mark-{i}-{i}"])
    ((left, _),), ((right, _),) = places["missed"], places["predicted falsely"]
    assert left < right < cells["mark-0-0"][0] and not places["boat"]


def test_at_most_so_many_labels_are_drawn_and_so_many_if_there_are():
    """The seven largest pairs are those of three labels."""
    ax = figures.label_confusions(found(COUNTS), most=3)
    assert "3 of 5 labels. Sea missed: lake 8, pond 3; lake missed: sea 1." in figures.alt_text(ax)
    few = np.array([[0, 9, 8, 0], [7, 0, 6, 0], [5, 4, 0, 1], [0, 0, 0, 0]])
    ax = figures.label_confusions(found(few, ["a", "b", "c", "d"]), most=4)
    assert figures.alt_text(ax).endswith("c missed: a 5, b 4, d 1.")


def test_where_there_is_nothing_to_draw_a_sentence_says_so():
    with pytest.raises(ValueError, match="no miss beside a false alarm"):
        figures.label_confusions(instead([[1, 0]], [[1, 0]]))
