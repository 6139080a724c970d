"""Pictures read back as data, and the data that several tests draw."""

from dataclasses import replace
from unittest import mock

import numpy as np
from matplotlib.colors import to_hex

from mlm_course import documents, figures
from mlm_course.disagreement import Disagreement
from mlm_course.figures.pen import figure_of
from mlm_helpers import exact_match, hamming

BLUE, ORANGE, PALE, WHITE = "#0072b2", "#e69f00", "#dceffa", "#ffffff"  # hit, false alarm, miss, -
TRUTH, PREDICTION = documents.PARTIAL_CREDIT.y_true, documents.PARTIAL_CREDIT.y_pred
TOOLS = {"b": 1.0, "Spark": float("nan"), "a": 0.5, "napkin": "raises ValueError", "c": 0.5000001}


def opposed(**changes):
    """Exact match likes the first (one row right), Hamming loss the second (two wrong, not three)."""
    found = Disagreement(
        exact_match.subset_accuracy,
        hamming.hamming_loss,
        [[0, 0, 0], [0, 0, 1]],
        [[0, 0, 0], [1, 1, 0]],
        [[0, 0, 1], [0, 0, 0]],
        (0.5, 0.0),
        (0.5, 1 / 3),
    )
    return replace(found, **changes)


def six_pairs():
    """Four metrics: 2 cells, 6 cells, never, none found, 4 cells, 3 cells."""
    return {
        ("a", "b"): opposed(y_true=[[0, 0]]),
        ("a", "c"): opposed(),
        ("a", "d"): None,
        ("b", "c"): None,
        ("b", "d"): opposed(y_true=[[0, 0], [0, 0]]),
        ("c", "d"): opposed(y_true=[[0, 0, 1]]),
    }


# ----------------------------------------------------------------------------------- reading


def read(ax):
    """The texts of a picture as one reads them: line by line from the top, each from the left."""
    placed = sorted(
        (-y, x, text.get_text())
        for text in [*ax.texts, *figure_of(ax).texts]
        for x, y in [text.get_transform().transform(text.get_position()) / figure_of(ax).dpi]
        if text.get_text().strip()
    )
    lines, level = [], -np.inf
    for y, x, text in placed:
        if y - level > 0.05:  # inches
            lines, level = [*lines, []], y
        lines[-1].append((x, text))
    return [" ".join(text for _, text in sorted(line)) for line in lines]


def on_fills(ax):
    """By colour of a box, the texts that stand in it; of two boxes the one drawn last counts."""
    found = {}
    boxes = [box for box in reversed(ax.patches) if box.get_facecolor()[3]]
    for text in filter(lambda text: text.get_text(), ax.texts):
        x, y = text.get_position()
        for box in boxes:
            across, down = x - box.get_x(), y - box.get_y()
            if 0 <= across <= box.get_width() and 0 <= down <= box.get_height():
                found.setdefault(to_hex(box.get_facecolor()), set()).add(text.get_text())
                break
    return found


def shown(ax):
    """What a notebook is given when it shows a picture, by kind."""
    with mock.patch("IPython.display.display") as display:
        assert figures.show(ax) is None
    display.assert_called_once_with(mock.ANY, raw=True)
    return display.call_args.args[0]


def look(line):
    """Colour, marker and dashes of a line, or of what stands for it in a key."""
    return line.get_color(), line.get_marker(), str(line._dash_pattern)


def texts(ax, label):
    """The texts of a picture that carry a label, in the order of drawing."""
    return [text.get_text() for text in ax.texts if text.get_label().rpartition("-")[0] == label]


def labelled(ax, label):
    return [text.get_text() for text in ax.texts if text.get_label() == label]


def grid(ax):
    """Symbols and fills of a grid by (row, column), read where they were drawn."""
    marks = {t.get_label()[5:]: t for t in ax.texts if t.get_label().startswith("mark-")}
    symbols, fills, corners = {}, {}, {}
    for box in ax.patches:
        if str(box.get_label()).startswith("cell-"):
            name = box.get_label()[5:]
            place = tuple(map(int, name.split("-")))
            x, y = marks[name].get_position()
            assert box.get_x() < x < box.get_x() + box.get_width()
            assert box.get_y() < y < box.get_y() + box.get_height()
            symbols[place] = marks[name].get_text()
            fills[place] = to_hex(box.get_facecolor())
            corners[place] = box.get_x(), box.get_y()
    assert all(corners[i, j] < corners[i, j + 1] for i, j in corners if (i, j + 1) in corners)
    assert all(corners[i, j][1] < corners[i + 1, j][1] for i, j in corners if (i + 1, j) in corners)
    rows = max(i for i, _ in symbols) + 1
    columns = max(j for _, j in symbols) + 1
    return ["".join(symbols[i, j] for j in range(columns)) for i in range(rows)], fills


def frames(ax):
    return {box.get_label(): box for box in ax.patches if str(box.get_label())[:6] == "frame-"}


def inside(frame, ax, columns):
    """The (row, column) of the cells that a frame encloses."""
    found = set()
    for box in ax.patches:
        if str(box.get_label()).startswith("cell-"):
            x, y = box.get_x(), box.get_y()
            right, bottom = x + box.get_width(), y + box.get_height()
            if (
                frame.get_x() < x
                and frame.get_y() < y
                and right < frame.get_x() + frame.get_width()
                and bottom < frame.get_y() + frame.get_height()
            ):
                found.add(tuple(map(int, box.get_label()[5:].split("-"))))
    return found
