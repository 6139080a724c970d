"""Which label is predicted instead of which, and labels by precision and recall: what is drawn, named and said."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_rgb
from pictures import grid, labelled
from scipy.sparse import csr_array

from mlm_course import figures
from mlm_course.figures.pen import figure_of
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
    with pytest.raises(ValueError, match="there is no dot to draw"):
        figures.label_dots([[1, 0]], [[0, 1]])


# ------------------------------------------------------------------------------------- dots


def columns(**counts):
    """Truth and prediction with so many hits, false alarms and misses of each label."""
    cells = {
        name: [(1, 1)] * tp + [(0, 1)] * fp + [(1, 0)] * fn + [(0, 0)] * (40 - tp - fp - fn)
        for name, (tp, fp, fn) in counts.items()
    }
    return [pd.DataFrame({name: [cell[i] for cell in column] for name, column in cells.items()}) for i in (0, 1)]  # fmt: skip


DATA = columns(sea=(2, 1, 2), sun=(10, 0, 10), sky=(0, 1, 1), fog=(0, 1, 1), gull=(0, 0, 1))


def test_label_dots():
    """Sky and fog are one dot, of their support together; gull is never predicted.

    Medians 1/2 and 2/3, so distances 0.33 · √20, 0.83 · √2 and 0.
    """
    ax = figures.label_dots(*DATA)
    (dots,) = ax.collections
    assert np.allclose(dots.get_offsets(), [[1 / 2, 2 / 3], [1 / 2, 1], [0, 0]])
    assert np.allclose(dots.get_sizes() / [4, 20, 2], 625 / 20)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("recall", "precision")
    assert labelled(ax, "named") == ["sun", "sky and fog", "sea"]
    assert figures.alt_text(ax) == (
        "Precision over recall of 4 labels. Outliers: sun 1 over 0.5 (support 20); sky and fog 0 over 0"
        " (support 2); sea 0.667 over 0.5 (support 4). Never true or never predicted: gull."
    )


def test_an_unknown_cell_moves_no_dot():
    truth = np.ma.masked_array(np.vstack([DATA[0], np.ones(5)]), [[False] * 5] * 40 + [[True] * 5])
    said = np.vstack([DATA[1], [0, 1, 0, 1, 1]])
    alike = figures.label_dots(truth, said, labels=[*DATA[0]])
    assert figures.alt_text(alike) == figures.alt_text(figures.label_dots(*DATA))


def test_names_stand_beside_their_dots_and_cover_none():
    """A crowd of 40 labels, most of which have no room for a name, and one far off."""
    rng = np.random.default_rng(0)
    y_true = rng.random((400, 41)) < 0.3
    y_pred = y_true ^ (rng.random((400, 41)) < 0.05)
    y_pred[:, 40] = rng.random(400) < 0.02
    ax = figures.label_dots(y_true, y_pred)
    names = labelled(ax, "named")
    assert names[0] == "40" and 5 < len(names) <= 8
    figure_of(ax).canvas.draw()
    dots = ax.transData.transform(ax.collections[0].get_offsets()) / figure_of(ax).dpi
    for text in ax.texts[: len(names)]:
        box = text.get_window_extent().transformed(figure_of(ax).dpi_scale_trans.inverted())
        away = np.hypot(*(np.clip(dots, box.min, box.max) - dots).T)
        assert away.min() > 0 and away[int(text.get_text())] < 0.4
