"""The pictures of the course as files and on the screen: their sentences, their looks, their bytes."""

import io
import json
import xml.etree.ElementTree as ET
from base64 import b64decode
from fractions import Fraction
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from notebook_rules import pictures
from pictures import TOOLS, TRUTH, shown
from PIL import Image

from mlm_course import figures
from mlm_course.figures import files
from mlm_course.figures.pen import figure_of
from mlm_helpers import catalogue, errors

FIGURES = Path(__file__).parent.parent / "figures"
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def drawn():
    """Every picture of the course, drawn once."""
    return {stem: draw() for stem, draw in figures.PICTURES.items()}


# -------------------------------------------------------------------------- alternative text


@pytest.mark.parametrize("stem", figures.PICTURES)
def test_a_committed_picture_tells_in_words_what_is_drawn(stem, drawn):
    committed = ET.parse(FIGURES / f"{stem}.svg")
    assert committed.findtext(f"{SVG}desc") == figures.alt_text(drawn[stem])


# ------------------------------------------------------------------------------------- looks


def luminance(color):
    """Relative luminance, as the Web Content Accessibility Guidelines define it."""
    channels = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(color)]
    return 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2]


def contrast(one, other):
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_the_three_symbols_survive_grey_printing():
    marks = [mark for mark in figures.MARKS if mark.symbol != "·"]
    levels = sorted(luminance(mark.fill) for mark in marks)
    assert np.diff(levels).min() > 0.2
    assert len({mark.symbol for mark in marks}) == 3
    assert len({(mark.edge, mark.line) for mark in marks}) == 3
    assert all(contrast(mark.ink, mark.fill) > 4.5 for mark in marks)


LONGEST = sorted(catalogue.variants(), key=len)[-4:]
EXAMPLES = {
    "bars": partial(figures.value_bars, {"a long name": 1, "b": Fraction(1, 3)}, title="A title"),
    "tools": partial(figures.tool_dots, TOOLS, title="A title of more words than the dots need"),
    "intervals": partial(
        figures.interval_bars,
        {"a long name": (0.5, -0.25, 0.75), "b": (0, 0, 0)},
        title="A title that is longer than the picture would be without it, by far, or so it seems",
        line=0,
    ),
    "columns": partial(figures.sorted_columns, [[1, 0], [0, 0]], [[0.25, 0.5]] * 2),
    "many columns": partial(figures.sorted_columns, [[1, 0, 1]] * 9, [[0.125, 0.25, 9]] * 9),
    "two samples": partial(figures.curve_steps, [0, 1], [0.5, 0.5]),
    "many positives": partial(
        figures.curve_steps, [1] * 12 + [0], range(13), label="entertainment"
    ),
    "many negatives": partial(figures.curve_steps, [0] * 12 + [1], range(13)),
    "one window": partial(
        figures.top_window, [[1, 0]], [[0.1, 0.2]], k=2, labels=["entertainment", "b"]
    ),
    "windows": partial(
        figures.top_window, np.eye(3), np.eye(3) / 7, k=1, samples=["one", "two", "a third sample"]
    ),
    "matrix": partial(figures.label_matrix, TRUTH, labels=["entertainment", "b", "c", "d"]),
    "confusions": lambda: figures.label_confusions(
        errors.instead(
            [[1, 1, 0]] * 12345, [[0, 0, 1]] * 12345, labels=["a", "arts & entertainment", "c"]
        )
    ),
}


def within(value, limits):
    return min(limits) <= value <= max(limits)


@pytest.mark.no_cover
@pytest.mark.parametrize("name", [*figures.PICTURES, *EXAMPLES])
def test_texts_neither_leave_the_page_nor_cover_each_other(name, drawn):
    ax = EXAMPLES[name]() if name in EXAMPLES else drawn[name]
    figure = figure_of(ax)
    figure.draw_without_rendering()
    width, height = figure.bbox.size
    ticks = [
        text
        for part in figure.axes
        for i, (texts, limits) in enumerate(
            [(part.get_xticklabels(), part.get_xlim()), (part.get_yticklabels(), part.get_ylim())]
        )
        for text in texts
        if part.axison and within(text.get_position()[i], limits)
    ]
    words = [*(text for part in figure.axes for text in part.texts), *figure.texts, *ticks]
    words = [text for text in words if text.get_text().strip()]
    boxes = [text.get_window_extent().shrunk(0.98, 0.7) for text in words]
    for text, box in zip(words, boxes, strict=True):
        assert box.x0 >= 0, text
        assert box.y0 >= 0, text
        assert box.x1 <= width, text
        assert box.y1 <= height, text
    low, high = (
        np.array([[box[end] for end in ends] for box in (b.extents for b in boxes)])
        for ends in ((0, 1), (2, 3))
    )
    overlap = ((low[:, None] < high) & (low < high[:, None])).all(axis=2)
    pairs = [(words[i].get_text(), words[j].get_text()) for i, j in np.argwhere(overlap) if i < j]
    assert not pairs


# ------------------------------------------------------------------------------------- files


def test_svg_carries_title_and_description():
    ax = figures.label_matrix([[1, 0]], labels=["<a>", "b & c"])
    root = ET.fromstring(figures.svg(ax, "One & only"))
    title, description = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert title.text == "One & only"
    assert description.text == figures.alt_text(ax)
    assert root.get("role") == "img"
    assert root.get("aria-labelledby").split() == [title.get("id"), description.get("id")]
    assert "<dc:date>" not in figures.svg(ax, "One & only")


@pytest.mark.no_cover
def test_a_screen_gets_a_small_picture_of_the_same_bytes_each_time(drawn):
    picture = files.png(drawn["label_based"])
    assert len(picture) < 150_000
    assert b"Software" not in picture
    assert picture == files.png(figures.PICTURES["label_based"]())


def test_show_displays_the_picture_with_its_text(capsys, drawn):
    data = shown(drawn["ranking"])
    (picture,) = pictures(data["text/html"])
    assert picture["alt"] == data["text/plain"] == figures.alt_text(drawn["ranking"])
    kind, _, content = picture["src"].partition(",")
    assert kind == "data:image/png;base64"
    image = Image.open(io.BytesIO(b64decode(content)))
    assert image.width == pytest.approx(2 * int(picture["width"]), abs=1)
    assert capsys.readouterr().out == ""  # the picture is all that the eye sees
    json.dumps(data)
