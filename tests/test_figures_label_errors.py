"""Which label is predicted instead of which, and labels by precision and recall: what is drawn, named and said."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_rgb
from pictures import WHITE, grid
from scipy.sparse import csr_array

from mlm_helpers import errors
from mlm_helpers.course import figures
from mlm_helpers.course.figures.pen import figure_of

# Twelve samples miss "sea", of which eight have a false "lake", three "pond", one "sky"; one the other way round.
LABELS = ["lake", "pond", "sea", "sky", "boat"]
TRUTH = np.array([[0, 0, 1, 0, 0]] * 12 + [[1, 0, 0, 0, 0]])
SAID = np.array(
    [[1, 0, 0, 0, 0]] * 8 + [[0, 1, 0, 0, 0]] * 3 + [[0, 0, 0, 1, 0]] + [[0, 0, 1, 0, 0]]
)


@pytest.mark.parametrize("kind", [np.array, csr_array])
def test_label_confusions(kind):
    """The labels of the largest pairs first; a quarter of the largest count to a shade."""
    ax = figures.label_confusions(errors.instead(kind(TRUTH), kind(SAID), labels=LABELS))
    names = ["sea", "lake", "pond", "sky"]
    texts = [text.get_text() for text in ax.texts]
    assert texts.count("boat") == 0 and all(texts.count(name) == 2 for name in names)
    (_, *cells), fills = grid(ax)
    assert ["".join(grid(ax)[0][row]) for row in (0, 1)] == ["831", "1"] and not any(cells[1:])
    shades = [fills[place] for place in ((2, 1), (0, 3), (0, 2), (0, 1))]  # of 0, 1, 3 and 8
    lightness = [sum(to_rgb(shade)) for shade in shades]
    assert shades[0] == WHITE and lightness == sorted(lightness, reverse=True)
    assert (
        len({*shades}) == 4
        and fills[1, 0] == fills[0, 3]
        and fills[0, 0] == fills[2, 2] not in shades
    )
    assert figures.alt_text(ax) == (
        "Misses beside false alarms, 4 of 5 labels. Sea missed: lake 8, pond 3, sky 1; lake missed: sea 1."
    )


def test_rows_are_missed_and_columns_predicted_falsely():
    ax = figures.label_confusions(errors.instead(TRUTH, SAID, labels=LABELS))
    at = {text.get_text(): [] for text in ax.texts}
    for text in ax.texts:
        at[text.get_text()].append(text.get_position())
    cells = {
        text.get_label(): text.get_position()
        for text in ax.texts
        if text.get_label().startswith("mark-")
    }
    for name, place in (("sea", 0), ("lake", 1), ("pond", 2), ("sky", 3)):
        (left, y), (x, top) = sorted(at[name])
        assert left < cells["mark-0-0"][0] and top < cells["mark-0-0"][1]
        assert y == pytest.approx(cells[f"mark-{place}-0"][1])
        assert x == pytest.approx(cells[f"mark-0-{place}"][0])
    assert at["missed"][0][0] < at["predicted falsely"][0][0]


def test_at_most_so_many_labels_are_drawn():
    ax = figures.label_confusions(errors.instead(TRUTH, SAID, labels=LABELS), most=3)
    assert figures.alt_text(ax).endswith(
        "3 of 5 labels. Sea missed: lake 8, pond 3; lake missed: sea 1."
    )


def test_without_a_pair_there_is_nothing_to_draw():
    with pytest.raises(ValueError, match="no miss beside a false alarm"):
        figures.label_confusions(errors.instead(TRUTH, TRUTH))


# ------------------------------------------------------------------------------------- dots


# precision over recall: sea 2/3 over 2/4, sun 1/1 over 1/2, sky and fog 0/1 over 0/1, gull never predicted
DOTS_TRUTH = [[1, 1, 0, 0, 1], [1, 1, 0, 0, 0], [1, 0, 1, 0, 0], [1, 0, 0, 1, 0], [0, 0, 0, 0, 0]]
DOTS_SAID = [[1, 1, 0, 0, 0], [1, 0, 0, 1, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [1, 0, 1, 0, 0]]
NAMES = ["sea", "sun", "sky", "fog", "gull"]


def test_label_dots():
    """Labels of the same precision and recall are one dot, of their support together."""
    ax = figures.label_dots(pd.DataFrame(DOTS_TRUTH, columns=NAMES), DOTS_SAID)
    (dots,) = ax.collections
    assert np.allclose(dots.get_offsets(), [[2 / 4, 2 / 3], [1 / 2, 1], [0, 0]])
    areas = dots.get_sizes()
    assert areas[0] > areas[1] == areas[2]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("recall", "precision")
    assert figures.alt_text(ax) == (  # medians 1/2 and 2/3: distances 0.83 · √2, 0.33 · √2, 0
        "Precision over recall of 4 labels. Outliers: sky and fog 0 over 0 (support 2); sun 1 over 0.5"
        " (support 2); sea 0.667 over 0.5 (support 4). Never true or never predicted: gull."
    )


def test_names_stand_beside_their_dots():
    ax = figures.label_dots(DOTS_TRUTH, DOTS_SAID, labels=NAMES)
    figure_of(ax).canvas.draw()
    places = dict(zip(["sea", "sun", "sky and fog"], ax.collections[0].get_offsets(), strict=True))
    names = {
        text.get_text(): text.get_window_extent()
        for text in ax.texts
        if text.get_label() == "named"
    }
    assert names.keys() == places.keys()
    for name, box in names.items():
        x, y = ax.transData.transform(places[name])
        nearest = np.clip([x, y], box.min, box.max)
        assert 0 < np.hypot(*(nearest - [x, y])) < 0.4 * figure_of(ax).dpi


def test_the_first_names_are_those_of_the_outliers_and_none_covers_a_dot():
    """A cloud of 40 labels and one far off; most of the cloud has no room for a name."""
    rng = np.random.default_rng(0)
    y_true = rng.random((400, 41)) < 0.3
    y_pred = y_true ^ (rng.random((400, 41)) < 0.05)
    y_pred[:, 40] = rng.random(400) < 0.02
    ax = figures.label_dots(y_true, y_pred, named=40)
    named = [text for text in ax.texts if text.get_label() == "named"]
    assert named[0].get_text() == "40" and len(named) < 40
    assert [text.get_text() for text in named] == [
        part.split()[0] for part in figures.alt_text(ax).partition("Outliers: ")[2].split("; ")
    ]
    figure_of(ax).canvas.draw()
    centres = ax.transData.transform(ax.collections[0].get_offsets())
    for text in named:
        box = text.get_window_extent()
        assert not ((centres > box.min) & (centres < box.max)).all(axis=1).any()
    assert (
        len(
            [
                t
                for t in figures.label_dots(y_true, y_pred, named=3).texts
                if t.get_label() == "named"
            ]
        )
        == 3
    )


def test_without_a_label_that_is_true_and_predicted_there_is_no_dot():
    with pytest.raises(ValueError, match="there is no dot to draw"):
        figures.label_dots([[1, 0]], [[0, 1]])
