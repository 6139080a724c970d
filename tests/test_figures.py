"""The pictures of the course: their texts, their looks, and their files."""

import io
import json
import xml.etree.ElementTree as ET
from base64 import b64decode
from fractions import Fraction
from functools import partial

import numpy as np
import pandas as pd
import pytest
from notebook_rules import image_attributes
from pictures import PREDICTION, TOOLS, TRUTH, as_text, display_data, opposed_metrics
from PIL import Image
from test_figures_curves import curves, sorted_lists
from test_figures_grids import COUNTS, confusions, trees

from mlm_course import documents, figures
from mlm_course.figures.pen import figure_of
from mlm_helpers import errors

SVG = "{http://www.w3.org/2000/svg}"
RANKING = documents.RANKING

# ------------------------------------------------------------------------------ texts

MATRIX = [[1, 0, 1], [1, 1, 0]]
APPROVED = {
    "a matrix": partial(figures.label_matrix, MATRIX, labels="ABC", samples="xy"),
    "annotators": partial(
        figures.annotators, [MATRIX, [[1, 1, 1], [1, 0, 0]], [[1, 0, 0], [1, 1, 0]]],
        [[0, 0, 1], [1, 1, 1]], samples="xy",
    ),
    **{  # rows ✓·○○, ○✓·✗ and ✓✗✓·: together ✓ 4, ✗ 2, ○ 3 and · 3
        f"{ratio} of each sample": partial(figures.label_grid, TRUTH, PREDICTION, ratio)
        for ratio in ("accuracy", "precision", "F1", "Hamming loss", "exact match")
    },
    "recall of each label": partial(figures.label_grid, TRUTH, PREDICTION, "recall", per="label"),
    "recall of all cells": partial(figures.label_grid, TRUTH, PREDICTION, "recall", per="cell"),
    "half of the cells": partial(
        figures.label_grid, [[1, 1, 0, 0]], [[1, 0, 1, 0]], "Hamming loss", per="cell"
    ),
    "nothing to divide by in a row": partial(
        figures.label_grid, [[0, 0], [1, 1]], [[0, 0], [1, 1]]
    ),
    "nothing to divide by": partial(figures.label_grid, [[0, 0]], [[0, 0]], per="cell"),
    "rivals": partial(figures.label_grid, TRUTH, PREDICTION, "F1", answer="units"),
    "a question": partial(figures.label_grid, TRUTH, PREDICTION, "F1", per="label", answer=False),
    "ranks": partial(figures.rank_lists, RANKING.scores, RANKING.y_true, RANKING.labels),
    "ties": partial(figures.rank_lists, {"model": [0.5, 0.5, 0.1]}, [1, 0, 1], "ABC"),
    "nothing to find": partial(figures.rank_lists, {"m": [1, 2]}, [0, 0], "AB"),
    "nothing to misorder": partial(figures.rank_lists, {"m": [1, 2]}, [1, 1], "AB"),
    "windows": partial(
        figures.top_window, [[1, 0, 1], [0, 0, 0]], [[0.5, 0.5, 0.5], [0.1, 0.3, 0.2]],
        k=2, labels="ABC", samples="xy",
    ),
    "columns": sorted_lists,
    "curves": curves,
    "opposed": lambda: figures.disagreement_grids(opposed_metrics()),
    "confusions": lambda: figures.label_confusion_chart(confusions(COUNTS)),
    "three confusions": lambda: figures.label_confusion_chart(confusions(COUNTS), most=3),
    "trees": partial(trees, [[0, 0, 0, 1, 0]] * 2, [[0, 0, 1, 0, 0], [0] * 5]),
    "the map": figures.metric_map,
}  # fmt: skip


@pytest.mark.parametrize("name", APPROVED)
def test_a_picture_has_its_approved_text(name, snapshot):
    assert as_text(APPROVED[name]()) == snapshot


FRAME = pd.DataFrame([[1, 0], [0, 1]], ["x.png", "y.png"], ["sea", "sun"])
ARRAY = FRAME.to_numpy()
MASKED = np.ma.masked_equal([[1, -1], [0, 1]], -1)
WITH_NAMES = {
    "label_matrix": figures.label_matrix,
    "annotators": lambda y, **names: figures.annotators([y, ARRAY], ARRAY[::-1], **names),
    "label_grid": lambda y, **names: figures.label_grid(y, ARRAY[::-1], **names),
    "rank_lists": lambda y, **names: figures.rank_lists({"m": [1, 2]}, y[:1], names.get("labels")),
    "top_window": lambda y, **names: figures.top_window(y, ARRAY, k=1, **names),
    "sorted_columns": lambda y, **names: figures.sorted_columns(y, ARRAY, **names),
    "label_trees": lambda y, **names: figures.label_trees(y, ARRAY, [[], [0]], **names),
}


@pytest.mark.parametrize("name", WITH_NAMES)
def test_names_come_from_a_frame_and_unknown_cells_are_refused(name):
    draw = WITH_NAMES[name]
    text = as_text(draw(ARRAY, labels=["sea", "sun"], samples=["x.png", "y.png"]))
    assert as_text(draw(FRAME)) == text and "sun" in text.lower()
    with pytest.raises((TypeError, ValueError), match=r"^y_true .*masked"):
        draw(MASKED)


REFUSED = [
    lambda: figures.label_matrix(TRUTH, labels=["A", "B"]),
    lambda: figures.disagreement_grids(opposed_metrics(first=[[0.5] * 3] * 2)),
    lambda: figures.label_grid(TRUTH, PREDICTION, "f1"),
    lambda: figures.label_grid(TRUTH, PREDICTION, per="row"),
    lambda: figures.rank_lists({"m": TRUTH}, TRUTH),
    lambda: figures.top_window([[1]], [[1]], k=2),
    lambda: figures.curve_steps([0, 0], [0.5, 0.25]),
    lambda: figures.curve_steps([1, 1], [0.5, 0.25]),
    lambda: figures.curve_steps([[1, 0]], [[0.5, 0.25]]),
    lambda: figures.label_trees([[1]], [[1]], [[0]]),
    lambda: figures.label_confusion_chart(errors.label_confusions([[1, 0]], [[1, 0]])),
]


def test_what_cannot_be_drawn_is_refused(snapshot):
    messages = []
    for draw in REFUSED:
        with pytest.raises(ValueError) as error:
            draw()
        messages.append(str(error.value))
    assert messages == snapshot


# ------------------------------------------------------------------------------------- looks


WIDE = {
    "bars": partial(figures.value_bars, {"a long name": 1, "b": Fraction(1, 3)}, title="A title"),
    "tools": partial(figures.tool_dots, TOOLS, title="A title of more words than the dots need"),
    "intervals": partial(
        figures.interval_bars,
        {"a long name": (0.5, -0.25, 0.75), "b": (0, 0, 0)},
        title="A title that is longer than the picture would be without it, by far, or so it seems",
        line=0,
    ),
    "many columns": partial(figures.sorted_columns, [[1, 0, 1]] * 9, [[0.125, 0.25, 9]] * 9),
    "two samples": partial(figures.curve_steps, [0, 1], [0.5, 0.5]),
    "many positives": partial(
        figures.curve_steps, [1] * 12 + [0], range(13), label="entertainment"
    ),
    "many negatives": partial(figures.curve_steps, [0] * 12 + [1], range(13)),
    "one window": partial(
        figures.top_window, [[1, 0]], [[0.1, 0.2]], k=2, labels=["entertainment", "b"]
    ),
    "three windows": partial(
        figures.top_window, np.eye(3), np.eye(3) / 7, k=1, samples=["one", "two", "a third sample"]
    ),
    "a long label": partial(figures.label_matrix, TRUTH, labels=["entertainment", "b", "c", "d"]),
    "large counts": lambda: figures.label_confusion_chart(
        confusions(np.array([[0, 0, 12345]] * 2 + [[0] * 3]), ["a", "arts & entertainment", "c"])
    ),
}


def within(value, limits):
    return min(limits) <= value <= max(limits)


PICTURES = WIDE | figures.PICTURES | {"trees": APPROVED["trees"]}
QUICK = "many positives", "tools", "three windows", "large counts", "label_based", "trees"


@pytest.mark.no_cover
@pytest.mark.parametrize(
    "name",
    [n if n in QUICK else pytest.param(n, marks=pytest.mark.exhaustive) for n in PICTURES],
)
def test_texts_neither_leave_the_page_nor_cover_each_other(name):
    ax = PICTURES[name]()
    figure = figure_of(ax)
    figure.draw_without_rendering()
    ticks = []
    if ax.axison:
        ticks += [t for t in ax.get_xticklabels() if within(t.get_position()[0], ax.get_xlim())]
        ticks += [t for t in ax.get_yticklabels() if within(t.get_position()[1], ax.get_ylim())]
    words = [text for text in (*ax.texts, *figure.texts, *ticks) if text.get_text().strip()]
    boxes = [text.get_window_extent().shrunk(0.98, 0.7).extents for text in words]
    low, high = np.split(np.array(boxes), 2, axis=1)
    assert (low >= 0).all() and (high <= figure.bbox.size).all()
    overlap = ((low[:, None] < high) & (low < high[:, None])).all(axis=2)
    pairs = [(words[i].get_text(), words[j].get_text()) for i, j in np.argwhere(overlap) if i < j]
    assert not pairs


# ------------------------------------------------------------------------------------- files


def test_svg_has_title_and_description_and_no_date():
    ax = figures.label_matrix([[1, 0]], labels=["<a>", "b & c"])
    svg = figures.svg(ax, "One & only")
    root = ET.fromstring(svg)
    title, description = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert title.text == "One & only"
    assert description.text == figures.alt_text(ax)
    assert root.get("role") == "img"
    assert root.get("aria-labelledby").split() == [title.get("id"), description.get("id")]
    assert "<dc:date>" not in svg


def test_show_displays_a_small_picture_with_its_alternative_text(capsys):
    ax = figures.label_matrix(MATRIX)
    data = display_data(ax)
    (picture,) = image_attributes(data["text/html"])
    assert picture["alt"] == data["text/plain"] == figures.alt_text(ax)
    assert "class" not in picture  # pictures of photos have a class
    kind, _, content = picture["src"].partition(",")
    assert kind == "data:image/png;base64"
    assert len(content) < 20_000 and b"Software" not in b64decode(content)
    image = Image.open(io.BytesIO(b64decode(content)))
    assert image.width == pytest.approx(2 * int(picture["width"]), abs=1)
    assert capsys.readouterr().out == ""
    json.dumps(data)
