"""Pictures read back as text, and the data that several tests draw."""

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


def opposed_metrics(**changes):
    """Subset accuracy prefers the first prediction (one right row), Hamming loss the second."""
    disagreement = Disagreement(
        exact_match.subset_accuracy,
        hamming.hamming_loss,
        y_true=[[0, 0, 0], [0, 0, 1]],
        first=[[0, 0, 0], [1, 1, 0]],
        second=[[0, 0, 1], [0, 0, 0]],
        values_a=(0.5, 0.0),
        values_b=(0.5, 1 / 3),
    )
    return replace(disagreement, **changes)


# ----------------------------------------------------------------------------------- reading


def as_text(ax):
    """A picture as text: alternative text, lines of words, frames, boxes without words.

    A word in a box has the colours of the box and its edge beside it; bold words stand in stars.
    """
    boxes = [box for box in reversed(ax.patches) if box.get_facecolor()[3]]  # filled, front first
    words = {text: text.get_text().strip() for text in ax.texts if text.get_text().strip()}
    box_of = {text: next((box for box in boxes if _contains(box, text)), None) for text in words}
    frames = [
        f"{frame.get_label()}: {' '.join(words[text] for text in words if _contains(frame, text))}"
        for frame in ax.patches
        if not frame.get_facecolor()[3]
    ]
    wordless = [
        f"{_colours(box)}, {box.get_width():.2f} wide"
        for box in sorted({*boxes} - {*box_of.values()}, key=lambda box: box.get_y())
    ]
    for text, box in box_of.items():
        star = "*" * (text.get_weight() == "bold")
        words[text] = f"{star}{words[text]}{star}" + (f" [{_colours(box)}]" if box else "")
    return "\n".join([figures.alt_text(ax), "", *_lines(words), *frames, *wordless])


def _lines(words):
    """Lines of words from the top, each from left to right.

    `words` maps a text's artist to its word.
    """
    placed = [
        (*text.get_transform().transform(text.get_position()) / text.figure.dpi, word)
        for text, word in words.items()
    ]
    lines, line_y = [], np.inf
    for x, y, word in sorted(placed, key=lambda item: -item[1]):
        if line_y - y > 0.05:  # inches
            lines, line_y = [*lines, []], y
        lines[-1].append((x, word))
    return [" ".join(word for _, word in sorted(line)) for line in lines]


def _contains(box, text):
    """Whether the place of a text lies in a box."""
    x, y = text.get_position()
    left, top = box.get_x(), box.get_y()
    return 0 <= x - left <= box.get_width() and 0 <= y - top <= box.get_height()


def _colours(box):
    """Colour of a box, and of its edge if that has another: 'pale in blue'."""
    colours = [to_hex(c) for c in (box.get_facecolor(), box.get_edgecolor()) if c[3]]
    return " in ".join(COLOURS.get(colour, colour) for colour in dict.fromkeys(colours))


def display_data(ax):
    """What `figures.show` hands to a notebook: content by MIME type."""
    with mock.patch("IPython.display.display") as display:
        assert figures.show(ax) is None
    display.assert_called_once_with(mock.ANY, raw=True)
    return display.call_args.args[0]
