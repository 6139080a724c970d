"""Pictures read back as words, and the data that several tests draw."""

from dataclasses import replace
from unittest import mock

import numpy as np
from matplotlib.colors import to_hex

from mlm_course import documents, figures
from mlm_course.disagreement import Disagreement
from mlm_helpers import exact_match, hamming

TRUTH, PREDICTION = documents.PARTIAL_CREDIT.y_true, documents.PARTIAL_CREDIT.y_pred
TOOLS = {"b": 1.0, "Spark": float("nan"), "a": 0.5, "napkin": "raises ValueError", "c": 0.5000001}
COLOURS = {
    "#0072b2": "blue",  # a hit
    "#e69f00": "orange",  # a false alarm
    "#dceffa": "pale",  # a miss
    "#ffffff": "white",
    "#1a1a1a": "ink",
    "#6b6b6b": "quiet",
    "#dddddd": "faint",  # around what does not count
}


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


def told(ax):
    """A picture as text: its alternative text, what one reads, what frames hold, boxes without text.

    A text in a box has the colours of the box and of its edge beside it; bold text stands in stars.
    """
    filled = [box for box in reversed(ax.patches) if box.get_facecolor()[3]]  # the foremost first
    words = {text: text.get_text().strip() for text in ax.texts if text.get_text().strip()}
    behind = {text: next((box for box in filled if _holds(box, text)), None) for text in words}
    frames = [
        f"{frame.get_label()}: {' '.join(words[text] for text in words if _holds(frame, text))}"
        for frame in ax.patches
        if not frame.get_facecolor()[3]
    ]
    bare = [
        f"{_look(box)}, {box.get_width():.2f} wide"
        for box in sorted({*filled} - {*behind.values()}, key=lambda box: box.get_y())
    ]
    for text, box in behind.items():
        bold = "*" * (text.get_weight() == "bold")
        words[text] = f"{bold}{words[text]}{bold}" + (f" [{_look(box)}]" if box else "")
    return "\n".join([figures.alt_text(ax), "", *_lines(words), *frames, *bare])


def _lines(words):
    """Texts as one reads them: line by line from the top, each from the left."""
    placed = [
        (*text.get_transform().transform(text.get_position()) / text.figure.dpi, word)
        for text, word in words.items()
    ]
    lines, level = [], np.inf
    for x, y, word in sorted(placed, key=lambda one: -one[1]):
        if level - y > 0.05:  # inches
            lines, level = [*lines, []], y
        lines[-1].append((x, word))
    return [" ".join(word for _, word in sorted(line)) for line in lines]


def _holds(box, text):
    x, y = text.get_position()
    across, down = x - box.get_x(), y - box.get_y()
    return 0 <= across <= box.get_width() and 0 <= down <= box.get_height()


def _look(box):
    drawn = [one for one in (box.get_facecolor(), box.get_edgecolor()) if one[3]]
    return " in ".join(COLOURS.get(one, one) for one in dict.fromkeys(map(to_hex, drawn)))


def shown(ax):
    """What a notebook is given when it shows a picture, by kind."""
    with mock.patch("IPython.display.display") as display:
        assert figures.show(ax) is None
    display.assert_called_once_with(mock.ANY, raw=True)
    return display.call_args.args[0]
