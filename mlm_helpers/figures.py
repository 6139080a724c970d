"""Every picture of the course: data in, Axes out, and a sentence that says what is to be seen.

A drawing function takes data and returns the Matplotlib Axes it drew on. Its alternative text is
computed from the same data and kept as the Axes' label: `alt_text` reads it, `show` prints it beside
the picture in a notebook, and `python -m mlm_helpers.figures` writes it into the SVG files.

Three symbols mean the same everywhere: ✓ a hit, ✗ a false alarm, ○ a miss. Their fills differ in
lightness too, so that they survive colour-blindness and grey printing. Nothing here uses pyplot: no
figure stays open and no global state changes.
"""

from __future__ import annotations

import argparse
import functools
import io
import json
import textwrap
from base64 import b64encode
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from importlib import resources
from itertools import chain, groupby
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias
from xml.sax.saxutils import escape

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.patches import FancyBboxPatch
from matplotlib.textpath import text_to_path
from matplotlib.transforms import offset_copy
from numpy.typing import ArrayLike, NDArray
from PIL import Image

from mlm_helpers import catalogue, conventions, documents, inputs
from mlm_helpers import disagreement as disagreements
from mlm_helpers.disagreement import Disagreement
from mlm_helpers.ranking import ranks as rank_labels

Labels: TypeAlias = Sequence[str] | None
Table: TypeAlias = Mapping[str, Mapping[str, float]]

INK, QUIET, FAINT, PAPER = "#1A1A1A", "#6B6B6B", "#B8B8B8", "#FFFFFF"
BLUE, ORANGE, VERMILION, GREEN, PALE = "#0072B2", "#E69F00", "#D55E00", "#009E73", "#DCEFFA"
SIZE = 14.0  # points; small text is 2 less
DPI = 160
CSS_PIXELS_PER_INCH = 80  # half the resolution: sharp on dense screens and projectors
STYLE: Any = {"font.family": "DejaVu Sans", "svg.fonttype": "path", "svg.hashsalt": "mlm_helpers"}


class Mark(NamedTuple):
    """How one outcome of a cell looks."""

    word: str
    symbol: str
    fill: str
    edge: str
    ink: str
    line: str


# Indexed by 2 * truth + prediction.
MARKS = (
    Mark("rightly left out", "·", PAPER, QUIET, INK, "-"),
    Mark("false alarm", "✗", ORANGE, INK, INK, "-"),
    Mark("miss", "○", PALE, BLUE, "#003B5C", "--"),
    Mark("hit", "✓", BLUE, BLUE, PAPER, "-"),
)
IGNORED = Mark("not counted", "", PAPER, "#DDDDDD", FAINT, "-")


class Ratio(NamedTuple):
    """What a set metric counts, as weights of (rightly left out, false alarm, miss, hit)."""

    title: str
    above: tuple[int, int, int, int]
    below: tuple[int, int, int, int]


RATIOS = {
    "exact match": Ratio("Exact match: a row without ✗ and ○ is 1", (0, 1, 1, 0), (1, 1, 1, 1)),
    "accuracy": Ratio("Accuracy (Jaccard): ✓ ÷ (✓ + ✗ + ○)", (0, 0, 0, 1), (0, 1, 1, 1)),
    "Jaccard": Ratio("Jaccard: ✓ ÷ (✓ + ✗ + ○)", (0, 0, 0, 1), (0, 1, 1, 1)),
    "precision": Ratio("Precision: ✓ ÷ (✓ + ✗)", (0, 0, 0, 1), (0, 1, 0, 1)),
    "recall": Ratio("Recall: ✓ ÷ (✓ + ○)", (0, 0, 0, 1), (0, 0, 1, 1)),
    "F1": Ratio("F1: 2✓ ÷ (2✓ + ✗ + ○)", (0, 0, 0, 2), (0, 1, 1, 2)),
    "Hamming loss": Ratio("Hamming loss: (✗ + ○) ÷ all cells", (0, 1, 1, 0), (1, 1, 1, 1)),
}

# ------------------------------------------------------------------- words and numbers


def alt_text(ax: Axes) -> str:
    """The sentence that says what a picture of this module shows.

    Examples
    --------
    >>> alt_text(label_matrix([[1, 0]], labels=["sea", "sun"]))
    'Label matrix of 1 sample and 2 labels (sea, sun). Sample 1: sea.'
    """
    return str(ax.get_label())


def _number(value: float) -> str:
    """A number to three decimals, without needless zeros."""
    return f"{float(value):.3f}".rstrip("0").rstrip(".")


def _exact(value: Fraction) -> str:
    """A fraction with its decimal: '1/3 ≈ 0.333', '3/4 = 0.75', '1'."""
    if value.denominator == 1:
        return str(value)
    decimal = _number(float(value))
    return f"{value} {'=' if Fraction(decimal) == value else '≈'} {decimal}"


def _ratio(above: int, below: int) -> str:
    """A ratio of counts as counted, then reduced: '4/12 = 1/3 ≈ 0.333'."""
    if below == 0:
        return "0/0, taken as 0"
    reduced = _exact(Fraction(above, below))
    counted = f"{above}/{below}"
    return reduced if reduced.split()[0] == counted else f"{counted} = {reduced}"


def _plural(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _names(given: Labels, count: int, prefix: str) -> list[str]:
    """The given names, or numbered ones; a wrong number of names is refused."""
    names = [f"{prefix} {i + 1}" for i in range(count)] if given is None else list(map(str, given))
    if len(names) != count:
        raise ValueError(
            f"{_plural(len(names), 'name')} for {_plural(count, prefix)}: give {count}"
        )
    return names


def _and(names: Sequence[str]) -> str:
    """Names as one reads them: 'A', 'A and B', 'A, B and C'."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


# ------------------------------------------------------------------------ paper and pen


def _page(width: float, height: float, alt: str) -> Axes:
    """A white page measured in inches from its upper left corner."""
    ax = Figure(figsize=(width, height), facecolor=PAPER).add_axes((0, 0, 1, 1))
    ax.set(xlim=(0, width), ylim=(height, 0), label=alt)
    ax.set_axis_off()
    return ax


def _chart(width: float, height: float, margins: Sequence[float], alt: str) -> Axes:
    """Axes for data; margins in inches: left, bottom, right, top."""
    left, bottom, right, top = margins
    inside = (width - left - right) / width, (height - bottom - top) / height
    ax = Figure(figsize=(width, height), facecolor=PAPER).add_axes(
        (left / width, bottom / height, *inside), facecolor=PAPER
    )
    ax.set_label(alt)
    _rule(ax)
    return ax


def _rule(ax: Axes) -> None:
    """Quiet axes and grid."""
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(QUIET)
    ax.tick_params(labelsize=SIZE - 2, color=QUIET, labelcolor=INK)
    ax.grid(axis="y", color="#E4E4E4", linewidth=0.8)
    ax.set_axisbelow(True)


def _figure(ax: Axes) -> Figure:
    assert isinstance(ax.figure, Figure)
    return ax.figure


def _write(ax: Axes, x: float, y: float, text: str, **style: Any) -> None:
    """Text, by default left of x and centred on y; a dollar sign stays a dollar sign."""
    look: dict[str, Any] = {
        "fontsize": SIZE,
        "color": INK,
        "va": "center_baseline",
        "parse_math": False,
    }
    ax.text(x, y, text, **(look | style))


def _width(texts: Iterable[str], size: float = SIZE) -> float:
    """The width in inches of the longest of some texts."""
    return max((_text_width(text, size) for text in texts), default=0.0)


@functools.cache
def _text_width(text: str, size: float) -> float:
    font = FontProperties(family="DejaVu Sans", size=size)
    return float(text_to_path.get_text_width_height_descent(text, font, False)[0]) / 72


def _box(ax: Axes, x: float, y: float, width: float, height: float, **style: Any) -> None:
    """A rectangle with slightly rounded corners."""
    shape = FancyBboxPatch((x, y), width, height, boxstyle="round,pad=0,rounding_size=0.06")
    shape.set(**style)
    ax.add_patch(shape)


def _cell(ax: Axes, x: float, y: float, width: float, height: float, look: Mark, name: str) -> None:
    """One cell of a grid: its box and its symbol, both findable by name."""
    style = {"facecolor": look.fill, "edgecolor": look.edge, "linestyle": look.line}
    _box(ax, x, y, width, height, linewidth=0.6 + 1.3 * height, label=f"cell-{name}", **style)
    center = {"ha": "center", "fontsize": 31 * height, "label": f"mark-{name}"}
    _write(ax, x + width / 2, y + height / 2, look.symbol, color=look.ink, **center)


# ------------------------------------------------------------------------- label grids

_CELL, _TOP = 0.62, 1.25  # inches: the least side of a cell; where the first row begins


class _Layout(NamedTuple):
    """Where the cells of a grid lie: the left edges, the upper edges, and the size of a cell."""

    xs: list[float]
    ys: list[float]
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.xs[-1] + self.width

    @property
    def bottom(self) -> float:
        return self.ys[-1] + self.height


def _layout(labels: list[str], samples: list[str], per: str = "", top: float = _TOP) -> _Layout:
    """Cells wide enough for the label names, apart where a frame goes between them."""
    width = max(_CELL + 0.1, _width(labels, SIZE) + 0.2)
    across, down = (0.28 if per == "label" else 0.08), (0.28 if per == "sample" else 0.08)
    xs = 0.55 + _width(samples) + (width + across) * np.arange(len(labels))
    ys = top + (_CELL + down) * np.arange(len(samples))
    return _Layout(xs.tolist(), ys.tolist(), width, _CELL)


def _head(ax: Axes, at: _Layout, labels: list[str], samples: list[str], title: str) -> None:
    """The title, the names of the labels above and of the samples on the left."""
    _write(ax, 0.3, 0.4, title, fontsize=SIZE + 3, fontweight="bold")
    for x, label in zip(at.xs, labels, strict=True):
        _write(ax, x + at.width / 2, at.ys[0] - 0.28, label, ha="center")
    for y, sample in zip(at.ys, samples, strict=True):
        _write(ax, at.xs[0] - 0.25, y + at.height / 2, sample, ha="right")


def label_matrix(
    y: ArrayLike, *, labels: Labels = None, samples: Labels = None, title: str = "Label matrix"
) -> Axes:
    """A label matrix as a picture: one row per sample, a dark cell where the sample has the label.

    Parameters
    ----------
    y : matrix of 0 and 1, shape (n_samples, n_labels)
    labels, samples : names, optional
    title : str, optional

    Returns
    -------
    Axes

    Examples
    --------
    >>> alt_text(label_matrix([[1, 1], [0, 0]], labels=["sea", "sun"]))
    'Label matrix of 2 samples and 2 labels (sea, sun). Sample 1: sea, sun; sample 2: no label.'
    """
    matrix = inputs.label_sets(y, y)[0].astype(bool)
    n_samples, n_labels = matrix.shape
    labels, samples = _names(labels, n_labels, "label"), _names(samples, n_samples, "sample")
    rows = (
        f"{sample}: {', '.join(np.array(labels)[row]) or 'no label'}"
        for sample, row in zip(samples, matrix, strict=True)
    )
    at = _layout(labels, samples)
    width = max(at.right + 0.4, 0.7 + _width([title], SIZE + 4))
    ax = _page(width, at.bottom + 0.35, _grid_sentence(f"{title} of", labels, samples, rows))
    _head(ax, at, labels, samples, title)
    for (i, j), has in np.ndenumerate(matrix):
        look = Mark("", "1", "#3A3A3A", "#3A3A3A", PAPER, "-")
        look = look if has else Mark("", "0", PAPER, FAINT, QUIET, "-")
        _cell(ax, at.xs[j], at.ys[i], at.width, at.height, look, f"{i}-{j}")
    return ax


def _grid_sentence(title: str, labels: list[str], samples: list[str], parts: Iterable[str]) -> str:
    size = f"{_plural(len(samples), 'sample')} and {_plural(len(labels), 'label')}"
    names = ", ".join(labels)
    return f"{title} {size} ({names}). {_capital('; '.join(parts))}."


def label_grid(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    ratio: str = "accuracy",
    *,
    per: str = "sample",
    labels: Labels = None,
    samples: Labels = None,
    title: str | None = None,
    answer: bool = True,
) -> Axes:
    """Which cells a set metric counts, and how it gets from them to its number.

    Frames show what is counted together (a row, a column, everything); the cells in colour are the
    ones that the ratio counts, the grey ones do not matter to it. A 0/0 is taken as 0.

    Parameters
    ----------
    y_true, y_pred : matrices of 0 and 1, shape (n_samples, n_labels)
    ratio : "exact match", "accuracy", "Jaccard", "precision", "recall", "F1" or "Hamming loss"
    per : "sample", "label" (shows macro and micro) or "cell" (everything at once)
    labels, samples : names, optional
    title : str, optional
        By default the ratio, in symbols.
    answer : bool
        False leaves the fractions and the result to the reader.

    Returns
    -------
    Axes

    Examples
    --------
    >>> alt_text(label_grid([[1, 0, 1]], [[1, 1, 0]], labels=["A", "B", "C"]))
    'Accuracy (Jaccard): ✓ ÷ (✓ + ✗ + ○), per sample, on 1 sample and 3 labels (A, B, C). \
Sample 1: hit A, false alarm B, miss C, 1/3; in all: 1/3 ≈ 0.333.'
    """
    truth, prediction, _ = inputs.label_sets(y_true, y_pred)
    outcome = 2 * truth.astype(int) + prediction.astype(int)
    n_samples, n_labels = outcome.shape
    labels, samples = _names(labels, n_labels, "label"), _names(samples, n_samples, "sample")
    notes, results = _notes(outcome, ratio, per), _results(outcome, ratio, per)
    if not answer:
        notes, results = [""] * len(notes), []
    title = RATIOS[ratio].title if title is None else title
    heading = f"{title}, per {per}, on"
    alt = _outcome_sentence(outcome, per, heading, labels, samples, notes, results)
    at = _layout(labels, samples, per)
    end = at.bottom + (0.75 if per == "label" else 0.25)
    widest = max(at.right + 0.4 + _width(notes), 0.6 + _width(results, SIZE + 1))
    width = max(7.3, widest + 0.3, 0.7 + 1.1 * _width([title], SIZE + 3))
    ax = _page(width, end + 0.4 * len(results) + 0.85, alt)
    _head(ax, at, labels, samples, title)
    _draw_cells(ax, at, outcome, RATIOS[ratio].below)
    _draw_frames(ax, at, per, notes)
    for i, result in enumerate(results):
        _write(ax, 0.3, end + 0.25 + 0.4 * i, result, fontsize=SIZE + 1, label=f"result-{i}")
    _legend(ax, outcome, end + 0.4 * len(results) + 0.5)
    return ax


def _tally(outcome: NDArray[np.int_], axis: int | None) -> NDArray[np.int_]:
    """How often each of the four outcomes occurs: along an axis, or (None) in all cells."""
    return np.stack([(outcome == kind).sum(axis=axis) for kind in range(4)])


def _counts(outcome: NDArray[np.int_], ratio: str, axis: int | None) -> list[tuple[int, int]]:
    """Numerator and denominator of a ratio for each row, each column or all cells at once."""
    tally = _tally(outcome, axis).reshape(4, -1)
    above, below = np.array(RATIOS[ratio].above) @ tally, np.array(RATIOS[ratio].below) @ tally
    if ratio == "exact match":
        above, below = (above == 0).astype(int), np.ones_like(above)
    return list(zip(above.tolist(), below.tolist(), strict=True))


_AXES = {"sample": 1, "label": 0, "cell": None}


def _notes(outcome: NDArray[np.int_], ratio: str, per: str) -> list[str]:
    """What stands beside each row or under each column."""
    if per == "cell":
        return []
    counts = _counts(outcome, ratio, _AXES[per])
    if ratio == "exact match":
        wrong = np.isin(outcome, (1, 2)).sum(axis=_AXES[per])
        return [f"{n} wrong → {a}" for n, (a, _) in zip(wrong, counts, strict=True)]
    return [f"{a}/{b}" if b else "0/0 → 0" for a, b in counts]


def _results(outcome: NDArray[np.int_], ratio: str, per: str) -> list[str]:
    """What the picture adds up to, a line each."""
    pooled = _ratio(*_counts(outcome, ratio, None)[0])
    if per == "cell":
        return [f"all cells together: {pooled}"]
    counts = _counts(outcome, ratio, _AXES[per])
    mean = sum(Fraction(a, b or 1) for a, b in counts) / Fraction(len(counts))
    if per == "sample":
        how = "rows right" if ratio == "exact match" else "mean of the rows"
        return [f"{how if len(counts) > 1 else 'in all'}: {_exact(mean)}"]
    return [
        f"macro, divide and then average: mean of the columns {_exact(mean)}",
        f"micro, add up and then divide: {pooled}",
    ]


def _outcome_sentence(
    outcome: NDArray[np.int_],
    per: str,
    heading: str,
    labels: list[str],
    samples: list[str],
    notes: list[str],
    results: list[str],
) -> str:
    """The alternative text of a label grid; labels not named in a row are rightly left out."""
    rows = [f"{name}: {_seen(row, labels)}" for name, row in zip(samples, outcome, strict=True)]
    if per == "sample":
        rows = [f"{row}, {note}".removesuffix(", ") for row, note in zip(rows, notes, strict=True)]
    if per == "label" and any(notes):
        rows.append(", ".join(f"{j} {note}" for j, note in zip(labels, notes, strict=True)))
    return _grid_sentence(heading, labels, samples, [*rows, *results])


def _seen(row: NDArray[np.int_], labels: list[str]) -> str:
    """What a row of outcomes holds beside what is rightly left out."""
    parts = [
        f"{MARKS[kind].word} {_and(np.array(labels)[row == kind].tolist())}"
        for kind in (3, 1, 2)
        if kind in row
    ]
    return ", ".join(parts) or "all rightly left out"


def _draw_cells(
    ax: Axes, at: _Layout, outcome: NDArray[np.int_], counted: Sequence[int], name: str = ""
) -> None:
    """Every cell: in full colour if it is counted, else grey."""
    for (i, j), kind in np.ndenumerate(outcome):
        look = MARKS[kind]
        if not counted[int(kind)]:
            look = IGNORED._replace(symbol=look.symbol)
        _cell(ax, at.xs[j], at.ys[i], at.width, at.height, look, f"{name}{i}-{j}")


def _draw_frames(ax: Axes, at: _Layout, per: str, notes: list[str], name: str = "") -> None:
    """A frame around what is counted together, and its note beside or below it."""
    pad, left, top = 0.13 * at.height, at.xs[0], at.ys[0]
    wide, high = at.right - left + 2 * pad, at.bottom - top + 2 * pad
    style = {"facecolor": "none", "edgecolor": INK, "linewidth": 0.8 + 1.3 * at.height}
    if per == "cell":
        _box(ax, left - pad, top - pad, wide, high, label=f"frame-{name}0", **style)
    for i, note in enumerate(notes):
        bold: dict[str, Any] = {
            "label": f"note-{name}{i}",
            "fontweight": "bold",
            "fontsize": SIZE + 1,
        }
        if per == "sample":
            y = at.ys[i] - pad
            _box(ax, left - pad, y, wide, at.height + 2 * pad, label=f"frame-{name}{i}", **style)
            _write(ax, at.right + 0.3, at.ys[i] + at.height / 2, note, **bold)
        else:
            x = at.xs[i] - pad
            _box(ax, x, top - pad, at.width + 2 * pad, high, label=f"frame-{name}{i}", **style)
            _write(ax, at.xs[i] + at.width / 2, at.bottom + 0.38, note, ha="center", **bold)


def _legend(ax: Axes, outcome: NDArray[np.int_], y: float) -> None:
    """The symbols, their names and how many of each there are."""
    x = 0.3
    for kind in (3, 1, 2, 0):
        mark, count = MARKS[kind], int((outcome == kind).sum())
        style = {"facecolor": mark.fill, "edgecolor": mark.edge, "linestyle": mark.line}
        _box(ax, x, y - 0.14, 0.28, 0.28, linewidth=1.2, **style)
        _write(ax, x + 0.14, y, mark.symbol, ha="center", color=mark.ink, fontsize=SIZE - 1)
        text = f"{mark.word}: {count}"
        _write(ax, x + 0.38, y, text, fontsize=SIZE - 2, color=QUIET, label=f"legend-{kind}")
        x += 0.38 + _width([text], SIZE - 2) + 0.3


# ----------------------------------------------------------------- batches and their sum

BATCHES = (([[1, 0], [1, 1]], [[1, 0], [0, 1]]), ([[0, 1]], [[1, 1]]))
"""Truth and prediction of two batches, of two samples and of one."""

_LINE, _GAP = 0.36, 0.55  # inches: a line of a scorecard; between two batches


def merging(batches: Iterable[tuple[ArrayLike, ArrayLike]], *, labels: Labels = None) -> Axes:
    """Batches, the scorecard of each and their sum: the counts add up, macro F1 does not.

    A scorecard is drawn as the counts that it keeps of each label. A 0/0 is taken as 0.

    Parameters
    ----------
    batches : truth and prediction of each, matrices of 0 and 1 with the same labels
    labels : names, optional

    Returns
    -------
    Axes

    Examples
    --------
    >>> alt_text(merging([([[1]], [[1]]), ([[0]], [[1]])], labels=["sea"]))
    'Scorecards of batches, and their sum. Batch 1: sample 1: hit sea; counts of sea ✓ 1, ✗ 0, \
○ 0; macro F1 1. Batch 2: sample 2: false alarm sea; counts of sea ✓ 0, ✗ 1, ○ 0; macro F1 0. \
Sum: counts of sea ✓ 1, ✗ 1, ○ 0; macro F1 2/3 ≈ 0.667. Mean of the batches: 1/2 = 0.5.'
    """
    outcomes = [
        2 * truth.astype(int) + prediction
        for truth, prediction, _ in (inputs.label_sets(*batch) for batch in batches)
    ]
    labels = _names(labels, outcomes[0].shape[1], "label")
    numbers = iter(range(1, sum(map(len, outcomes)) + 1))
    samples = [[f"sample {next(numbers)}" for _ in outcome] for outcome in outcomes]
    cards = [*map(_Card.of, outcomes), _Card.of(np.concatenate(outcomes))]
    mean = _exact(sum((card.macro_f1 for card in cards[:-1]), Fraction(0)) / len(outcomes))

    deep = len(labels) * _LINE + 0.2  # a scorecard
    tops, ats = [_TOP], []
    for names in samples:
        ats.append(_layout(labels, names, top=tops[-1]))
        tops.append(max(ats[-1].bottom, tops[-1] + deep) + _GAP)
    left = max(at.right for at in ats) + 0.85
    right = left + _width(line for card in cards for line in card.lines(labels)) + 0.4
    width = right + 0.6 + 1.15 * _width(card.value for card in cards)  # bold is wider
    ax = _page(width, tops[-1] + deep + 1.0, _merging_sentence(outcomes, samples, labels, mean))
    _head(ax, ats[0], labels, samples[0], "The counts add up, the metric does not")
    big: dict[str, Any] = {"fontsize": SIZE + 4, "ha": "center"}
    for i, (at, names, outcome) in enumerate(zip(ats, samples, outcomes, strict=True)):
        for y, sample in zip(at.ys if i else [], names, strict=i > 0):
            _write(ax, at.xs[0] - 0.25, y + at.height / 2, sample, ha="right")
        _draw_cells(ax, at, outcome, (1, 1, 1, 1), f"{i}-")
        _write(ax, left - 0.43, tops[i] + deep / 2, "→", **big)
        sign = "+" if i < len(outcomes) - 1 else "="
        _write(ax, (left + right) / 2, (tops[i] + deep + tops[i + 1]) / 2, sign, **big)
    for i, (card, y) in enumerate(zip(cards, tops, strict=True)):
        fill = PALE if i == len(outcomes) else PAPER
        _box(ax, left, y, right - left, deep, label=f"card-{i}", facecolor=fill, edgecolor=INK)
        for j, line in enumerate(card.lines(labels)):
            _write(ax, left + 0.2, y + 0.1 + (j + 0.5) * _LINE, line, label=f"counts-{i}-{j}")
        value = {"label": f"value-{i}", "fontweight": "bold"}
        _write(ax, right + 0.3, y + deep / 2, card.value, **value)
    _write(ax, left - 0.25, tops[-1] + deep / 2, "Sum", ha="right")
    last = f"Mean of the batches: macro F1 {mean}"
    _write(ax, 0.3, tops[-1] + deep + 0.5, last, fontsize=SIZE - 1, color=QUIET, label="mean")
    return ax


class _Card(NamedTuple):
    """What a scorecard keeps of each label, and what follows."""

    counts: list[list[int]]
    macro_f1: Fraction

    @classmethod
    def of(cls, outcome: NDArray[np.int_]) -> _Card:
        ratios = [Fraction(above, below or 1) for above, below in _counts(outcome, "F1", 0)]
        return cls(_tally(outcome, 0).T.tolist(), sum(ratios, Fraction(0)) / len(ratios))

    def lines(self, labels: list[str]) -> list[str]:
        return [
            f"{label} ✓ {hits}, ✗ {alarms}, ○ {misses}"
            for label, (_, alarms, misses, hits) in zip(labels, self.counts, strict=True)
        ]

    @property
    def value(self) -> str:
        return f"macro F1 {_exact(self.macro_f1)}"


def _merging_sentence(
    outcomes: list[NDArray[np.int_]], samples: list[list[str]], labels: list[str], mean: str
) -> str:
    parts = ["Scorecards of batches, and their sum."]
    for i, (outcome, names) in enumerate(zip(outcomes, samples, strict=True)):
        rows = (f"{name}: {_seen(row, labels)}" for name, row in zip(names, outcome, strict=True))
        parts.append(f"Batch {i + 1}: {'; '.join(rows)}; {_card_words(outcome, labels)}.")
    parts.append(f"Sum: {_card_words(np.concatenate(outcomes), labels)}.")
    return " ".join([*parts, f"Mean of the batches: {mean}."])


def _card_words(outcome: NDArray[np.int_], labels: list[str]) -> str:
    card = _Card.of(outcome)
    return f"counts of {', '.join(card.lines(labels))}; {card.value}"


# -------------------------------------------------------------------------- rank lists

_STEP = 0.62  # inches from one rank to the next


class _Ranking(NamedTuple):
    """One model's list, and what ranking metrics read off it; tied labels share the largest rank."""

    model: str
    names: list[str]
    scores: NDArray[np.floating[Any]]
    relevant: NDArray[np.bool_]

    @property
    def order(self) -> list[int]:
        """The labels from the highest score down."""
        place = rank_labels(self.scores[None, :], ties="first")[0]
        return sorted(range(len(place)), key=lambda j: float(place[j]))

    @property
    def ranks(self) -> NDArray[np.int_]:
        """The rank of each label."""
        ranks: NDArray[np.int_] = rank_labels(self.scores[None, :])[0].astype(int)
        return ranks

    @property
    def shares(self) -> dict[int, tuple[int, int]]:
        """For each relevant label: how many relevant labels down to its rank, and the rank."""
        ranks, of_relevant = self.ranks, self.ranks[self.relevant]
        return {
            int(j): (int((of_relevant <= ranks[j]).sum()), int(ranks[j]))
            for j in np.flatnonzero(self.relevant)
        }

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Every irrelevant label with every relevant one."""
        return [(int(i), j) for j in self.shares for i in np.flatnonzero(~self.relevant)]

    @property
    def misordered(self) -> list[tuple[int, int]]:
        """The pairs whose irrelevant label stands above or level, the closest pairs first."""
        wrong = [(i, j) for i, j in self.pairs if self.ranks[i] <= self.ranks[j]]
        place = {label: at for at, label in enumerate(self.order)}
        return sorted(wrong, key=lambda pair: abs(place[pair[0]] - place[pair[1]]))

    @property
    def summary(self) -> list[str]:
        """The four metrics, in words."""
        if not self.shares:
            return ["no relevant label: nothing to find"]
        top_wrong = any(self.ranks[~self.relevant] == self.ranks.min())
        loss = _ratio(len(self.misordered), len(self.pairs)) if self.pairs else "undefined"
        mean = sum((Fraction(*share) for share in self.shares.values()), Fraction(0))
        return [
            f"one-error {int(top_wrong)}",
            f"coverage {max(rank for _, rank in self.shares.values())}",
            f"ranking loss {loss}",
            f"average precision {_exact(mean / len(self.shares))}",
        ]

    @property
    def sentence(self) -> str:
        """One model's part of the alternative text."""
        rows = []
        for j in self.order:
            share = "({}/{} relevant)".format(*self.shares[j]) if j in self.shares else ""
            rows.append(f"{self.ranks[j]} {self.names[j]} {self.scores[j]:g} {share}".rstrip())
        wrong = [f"{self.names[i]} before {self.names[j]}" for i, j in self.misordered]
        pairs = f"; misordered {_and(wrong)}" if wrong else ""
        return f"{_capital(self.model)}: {', '.join(rows)}{pairs}; {', '.join(self.summary)}."


def rank_lists(
    scores: Mapping[str, Sequence[float]], y_true: ArrayLike, labels: Labels = None
) -> Axes:
    """One sample's labels in the order of each model's scores, and what ranking metrics read off.

    Relevant labels are filled and carry ✓ and the share of relevant labels down to their rank;
    a bracket with ⇅ joins each misordered pair; a dashed line shows how far one has to read.

    Parameters
    ----------
    scores : mapping of model name to one score per label
    y_true : 0 or 1 for each label, as a row or a matrix of one row
    labels : names, optional

    Returns
    -------
    Axes

    Examples
    --------
    >>> alt_text(rank_lists({"model": [0.3, 0.4]}, [1, 0], ["sea", "sun"]))
    'Labels by rank. Model: 1 sun 0.4, 2 sea 0.3 (1/2 relevant); misordered sun before sea; \
one-error 1, coverage 2, ranking loss 1/1 = 1, average precision 1/2 = 0.5.'
    """
    row = np.atleast_2d(np.asarray(y_true))
    names = _names(labels, row.shape[1], "label")
    lists = []
    for model, given in scores.items():
        truth, values, _ = inputs.label_scores(row, np.atleast_2d(np.asarray(given)))
        lists.append(_Ranking(model, names, values[0], truth[0].astype(bool)))
    box = 1.2 + _width(names)
    column = max(1.9 + box + 0.26 * max(len(r.misordered) for r in lists), 4.2)
    bottom = 1.15 + _STEP * len(names) + 0.36 * max(len(r.summary) for r in lists)
    alt = f"Labels by rank. {' '.join(r.sentence for r in lists)}"
    ax = _page(max(column * len(lists), 8.4), bottom + 0.6, alt)
    for i, ranking in enumerate(lists):
        _draw_ranking(ax, 0.3 + column * i, box, ranking)
    key = (
        "✓ relevant, with its share of ✓ so far     ⇅ misordered pair     - - -  read down to here"
    )
    _write(ax, 0.3, bottom + 0.2, key, fontsize=SIZE - 2, color=QUIET)
    return ax


def _draw_ranking(ax: Axes, left: float, width: float, ranking: _Ranking) -> None:
    """One model's list: ranks, boxes with names and scores, brackets, shares, reading depth."""
    x, shares = left + 0.35, ranking.shares
    middle = {j: 1.1 + _STEP * place for place, j in enumerate(ranking.order)}
    lanes = x + width + 0.26 * len(ranking.misordered) + 0.3
    _write(ax, left, 0.4, _capital(ranking.model), fontsize=SIZE + 3, fontweight="bold")
    for j, y in middle.items():
        _write(ax, left, y, str(ranking.ranks[j]), color=QUIET, label="rank")
        _draw_ranked(ax, x, y, width, ranking, j)
    for j, (seen, rank) in shares.items():
        _write(ax, lanes + 0.05, middle[j], f"{seen}/{rank}", fontweight="bold", label="share")
    for lane, (i, j) in enumerate(ranking.misordered):
        _bracket(ax, x + width + 0.05, x + width + 0.26 * (lane + 1), middle[i], middle[j])
    if shares:
        depth = 1.1 + _STEP * (max(rank for _, rank in shares.values()) - 0.5)
        ax.plot([left, lanes + 0.4], [depth, depth], "--", color=INK, linewidth=1.6, label="depth")
    for i, line in enumerate(ranking.summary):
        _write(ax, left, 1.2 + _STEP * len(middle) + 0.36 * i, line, label="summary")


def _draw_ranked(ax: Axes, x: float, y: float, width: float, ranking: _Ranking, j: int) -> None:
    """One label of a list: filled and with ✓ if it is relevant."""
    look = MARKS[3] if ranking.relevant[j] else MARKS[0]._replace(symbol="")
    style = {"facecolor": look.fill, "edgecolor": look.edge, "linewidth": 1.4}
    _box(ax, x, y - 0.23, width, 0.46, label="relevant" if look.symbol else "other", **style)
    _write(ax, x + 0.12, y, look.symbol, color=look.ink, label="mark")
    _write(ax, x + 0.4, y, ranking.names[j], color=look.ink, label="name")
    text = f"{ranking.scores[j]:g}"
    _write(ax, x + width - 0.12, y, text, color=look.ink, ha="right", label="score")


def _bracket(ax: Axes, start: float, lane: float, above: float, below: float) -> None:
    """A bracket that joins a misordered pair, with ⇅ on it."""
    xs, ys = [start, lane, lane, start], [above, above, below, below]
    ax.plot(xs, ys, color=VERMILION, linewidth=2.2, label="misordered")
    patch = {"facecolor": PAPER, "edgecolor": "none", "pad": 0.4}
    _write(ax, lane, (above + below) / 2, "⇅", ha="center", fontsize=SIZE + 1, bbox=patch)


# ----------------------------------------------------------------------- disagreements


def disagreement(found: Disagreement) -> Axes:
    """Two predictions of one truth that two metrics put in opposite order, side by side.

    Predictions are drawn as a grid of hits ✓, false alarms ✗ and misses ○; scores are written into
    the cells, and the cells of relevant labels are filled.

    Parameters
    ----------
    found : what `mlm_helpers.disagreement.smallest_disagreement` returns

    Returns
    -------
    Axes
    """
    truth = np.array(found.y_true)
    names, samples = list("ABCDEFGHIJ"[: truth.shape[1]]), _names(None, len(truth), "sample")
    at = _layout(names, samples)
    second = at._replace(xs=[x + at.right + 0.1 for x in at.xs])
    lines = [_verdict(*side) for side in _sides(found)]
    width = max(second.right + 0.4, 0.6 + _width(lines, SIZE + 1), 8.2)
    panels = [_panel(truth, np.array(other)) for other in (found.first, found.second)]
    rows = [_predicted(truth, np.array(other), names) for other in (found.first, found.second)]
    said = [
        _grid_sentence(f"{t} of", names, samples, words)
        for t, words in zip(_TITLES, rows, strict=True)
    ]
    alt = " ".join([*said, *(f"{_capital(line)}." for line in lines)])
    ax = _page(width, at.bottom + 0.4 * len(lines) + 0.85, alt)
    for place, panel, title in zip((at, second), panels, _TITLES, strict=True):
        _head(ax, place, names, samples if place is at else [""] * len(samples), "")
        _write(ax, place.xs[0], 0.4, title, fontsize=SIZE + 3, fontweight="bold")
        for (i, j), look in panel.items():
            name = f"{title.split()[0].lower()}-{i}-{j}"
            _cell(ax, place.xs[j], place.ys[i], at.width, at.height, look, name)
    for i, line in enumerate(lines):
        y = at.bottom + 0.5 + 0.4 * i
        _write(ax, 0.3, y, line, fontsize=SIZE + 1, label=f"result-{i}")
    if not _is_binary(np.array(found.first)):
        key = "The numbers are scores; a filled cell is a relevant label."
        y = at.bottom + 0.5 + 0.4 * len(lines)
        _write(ax, 0.3, y, key, fontsize=SIZE - 2, color=QUIET, label="key")
    return ax


def pair_table(
    pairs: Mapping[tuple[str, str], Disagreement | None],
    same_order: Collection[tuple[str, str]] = (),
) -> Axes:
    """How many cells the smallest data have on which each pair of metrics disagrees.

    Parameters
    ----------
    pairs : what `mlm_helpers.disagreement.all_pairs` returns
    same_order : the pairs that can never disagree

    Returns
    -------
    Axes
    """
    names = list(dict.fromkeys(name for pair in pairs for name in pair))
    size, left = 0.42, 1.1 + _width(names, SIZE - 2)
    rows = []
    for i, row in enumerate(names):
        codes = [_pair_code(pairs[column, row], (column, row), same_order) for column in names[:i]]
        rows.append(f"{i + 1} {row}: {' '.join(codes)}".removesuffix(": "))
    known = (
        "cells of the smallest data, within 2 samples × 3 labels, on which two metrics disagree;"
        " = never, – none found"
    )
    alt = f"{_capital(known)}; each metric against those before it. {'; '.join(rows)}."
    ax = _page(left + size * len(names) + 0.3, 1.2 + size * len(names) + 0.6, alt)
    _write(ax, 0.3, 0.4, "When two metrics disagree", fontsize=SIZE + 3, fontweight="bold")
    for i, row in enumerate(names):
        y = 0.9 + size * i
        _write(ax, left - 0.2, y + size / 2, f"{row}  {i + 1}", ha="right", fontsize=SIZE - 2)
        place = {"ha": "center", "fontsize": SIZE - 3, "color": QUIET, "fontweight": "bold"}
        _write(ax, left + size * (i + 0.5), y + size / 2, str(i + 1), label="diagonal", **place)
        for j, column in enumerate(names[:i]):
            code = _pair_code(pairs[column, row], (column, row), same_order)
            x = left + size * j
            _cell(ax, x, y, size - 0.05, size - 0.05, _PAIR_LOOKS.get(code, _MANY), f"{j}-{i}")
            _write(
                ax,
                x + size / 2 - 0.02,
                y + size / 2 - 0.02,
                code,
                ha="center",
                fontsize=SIZE - 3,
                color=_PAIR_LOOKS.get(code, _MANY).ink,
                label=f"code-{j}-{i}",
            )
    _write(ax, 0.3, 1.15 + size * len(names), _capital(known), fontsize=SIZE - 2, color=QUIET)
    return ax


_PAIR_LOOKS = {
    "=": Mark("never", "", PAPER, INK, INK, "-"),
    "–": Mark("none found", "", PAPER, FAINT, INK, "--"),
    "2": Mark("2 cells", "", "#003B5C", "#003B5C", PAPER, "-"),
    "3": Mark("3 cells", "", BLUE, BLUE, PAPER, "-"),
    "4": Mark("4 cells", "", "#8CC4E8", "#8CC4E8", INK, "-"),
}
_MANY = Mark("more cells", "", PALE, PALE, INK, "-")


def _pair_code(
    found: Disagreement | None, pair: tuple[str, str], same_order: Collection[tuple[str, str]]
) -> str:
    """The number of cells of a case; "=" for never, "–" where none was found."""
    if found is None:
        return "=" if pair in same_order else "–"
    return str(len(found.y_true) * len(found.y_true[0]))


def _sides(found: Disagreement) -> list[tuple[str, bool, tuple[float, float]]]:
    """Each metric's name, whether higher is better, and its two values."""
    metrics = ((found.metric_a, found.values_a), (found.metric_b, found.values_b))
    return [
        (catalogue.describe(metric), catalogue.of(metric).higher_is_better, values)
        for metric, values in metrics
    ]


def _verdict(name: str, higher_is_better: bool, values: tuple[float, float]) -> str:
    """One metric's two values, and which prediction it finds better."""
    one, two = (_exact(Fraction(value).limit_denominator(1000)) for value in values)
    better = "first" if (values[0] > values[1]) == higher_is_better else "second"
    arrow = "↑" if higher_is_better else "↓"
    return f"{name} {arrow}  first {one}, second {two}: prefers the {better}"


_TITLES = ("First prediction", "Second prediction")


def _is_binary(other: NDArray[Any]) -> bool:
    return set(np.unique(other)) <= {0, 1}


def _panel(truth: NDArray[np.int_], other: NDArray[Any]) -> dict[tuple[int, ...], Mark]:
    """How each cell looks: its outcome, or its score on a fill that says whether it is relevant."""
    if _is_binary(other):
        return {place: MARKS[2 * truth[place] + int(p)] for place, p in np.ndenumerate(other)}
    return {
        place: MARKS[3 if truth[place] else 0]._replace(symbol=f"{score:g}")
        for place, score in np.ndenumerate(other)
    }


def _predicted(truth: NDArray[np.int_], other: NDArray[Any], labels: list[str]) -> list[str]:
    """A prediction row by row in words: its outcomes, or its scores and which are relevant."""
    if _is_binary(other):
        rows = [_seen(row, labels) for row in 2 * truth + other.astype(int)]
    else:
        rows = [
            ", ".join(
                f"{label} {score:g}{' relevant' * int(has)}"
                for label, score, has in zip(labels, scores, relevant, strict=True)
            )
            for scores, relevant in zip(other, truth, strict=True)
        ]
    return [f"sample {i}: {row}" for i, row in enumerate(rows, start=1)]


# ------------------------------------------------------------------------ lines and dots


class Stroke(NamedTuple):
    """How one series is told from the others: never by its colour alone."""

    color: str
    marker: str
    line: Any


STROKES = (
    Stroke("#000000", "o", "-"),
    Stroke(BLUE, "^", (0, (5, 2))),
    Stroke(ORANGE, "*", (0, (1, 1.2))),
    Stroke(VERMILION, "s", (0, (6, 2, 1, 2))),
    Stroke(GREEN, "D", (0, (3, 1, 1, 1, 1, 1))),
    Stroke("#7F7F7F", "v", (0, (9, 2))),
    Stroke("#CC79A7", "P", (0, (2, 3))),
    Stroke("#56B4E9", "X", (0, (7, 2, 2, 2))),
)


def _strokes(names: Collection[str]) -> dict[str, dict[str, Any]]:
    """A look for each series, as keyword arguments of `Axes.plot`."""
    if len(names) > len(STROKES):
        raise ValueError(f"{len(names)} series, which nobody can tell apart: give {len(STROKES)}")
    return {
        name: {
            "color": stroke.color,
            "marker": stroke.marker,
            "markersize": 11 if stroke.marker == "*" else 8,
            "markeredgecolor": INK,
            "markeredgewidth": 0.8,
            "linestyle": stroke.line,
            "linewidth": 2.2,
            "label": name,
        }
        for name, stroke in zip(names, STROKES, strict=False)
    }


def _spread(heights: Sequence[float], gap: float) -> list[float]:
    """Heights pushed apart until no two are closer than gap, their mean unchanged."""
    given = np.asarray(heights, dtype=float)
    placed = np.sort(given)
    for i in range(1, len(placed)):
        placed[i] = max(placed[i], placed[i - 1] + gap)
    placed += given.mean() - placed.mean()
    return placed[np.argsort(np.argsort(given, kind="stable"))].tolist()  # type: ignore[no-any-return]


def _lines(
    x: Sequence[float],
    series: Mapping[str, Sequence[float]],
    *,
    title: str,
    xlabel: str,
    limits: tuple[float, float] | None,
) -> Axes:
    """Lines with their names at their right ends; the sentence lists every point."""
    xs = [float(value) for value in x]
    listed = "; ".join(f"{name} {' '.join(map(_number, ys))}" for name, ys in series.items())
    span = "" if limits is None else f", drawn from {_number(limits[0])} to {_number(limits[1])}"
    alt = f"{title} at {xlabel} {' '.join(map(_number, xs))}{span}: {listed}."
    ax = _chart(9.2, 5.2, (0.85, 0.75, 0.85 + _width(series), 0.75), alt)
    for name, look in _strokes(series).items():
        ax.plot(xs, series[name], clip_on=False, zorder=3, **look)
    ax.set_title(title, loc="left", fontsize=SIZE + 3, fontweight="bold", color=INK, pad=16)
    ax.set_xlabel(xlabel, fontsize=SIZE, color=INK, labelpad=6)
    ax.set_ylim(limits)
    _name_ends(ax, xs[-1], series)
    return ax


def _name_ends(ax: Axes, x: float, series: Mapping[str, Sequence[float]]) -> None:
    """Each line's marker and name beside its end, apart from its neighbours, joined to the end."""
    figure = _figure(ax)
    low, high = ax.get_ylim()
    inches = ax.get_position().height * figure.get_size_inches()[1] / (high - low)
    ends = [ys[-1] for ys in series.values()]
    apart = _spread(ends, 0.3 / inches)
    ax.set_autoscale_on(False)
    for (name, look), end, height in zip(_strokes(series).items(), ends, apart, strict=True):
        up = (height - end) * inches
        beside = offset_copy(ax.transData, figure, 0.42, up, units="inches")
        ax.plot([x], [end], transform=beside, clip_on=False, **(look | {"label": "_end"}))
        rule = {"arrowstyle": "-", "color": FAINT, "shrinkA": 0, "shrinkB": 7}
        ax.annotate(
            "",
            (x, end),
            (0.34 * 72, up * 72),
            textcoords="offset points",
            annotation_clip=False,
            arrowprops=rule,
        )
        ax.annotate(
            name,
            (x, end),
            (0.56 * 72, up * 72),
            textcoords="offset points",
            va="center_baseline",
            fontsize=SIZE - 1,
            color=INK,
            annotation_clip=False,
            parse_math=False,
        )


def training_curves(
    curves: Mapping[str, Sequence[float]],
    epochs: Sequence[int],
    *,
    limits: tuple[float, float] | None = None,
) -> Axes:
    """Micro-F1 over epochs, a line per variant of a model, each named at its end.

    Parameters
    ----------
    curves : mapping of name to one value per epoch
    epochs : the epochs
    limits : (lowest, highest) value on the vertical axis, optional; (0, 1) shows how small the
        differences are, the default shows them large

    Returns
    -------
    Axes

    Examples
    --------
    >>> alt_text(training_curves({"plain": [0.5, 0.6], "tuned": [0.55, 0.7]}, [1, 2]))
    'Micro-F1 score over epochs at epoch 1 2: plain 0.5 0.6; tuned 0.55 0.7.'
    """
    title = "Micro-F1 score over epochs"
    ax = _lines(epochs, curves, title=title, xlabel="epoch", limits=limits)
    ax.set_xticks(list(epochs))
    return ax


def threshold_sweep(
    thresholds: Sequence[float],
    metrics: Mapping[str, Sequence[float]],
    *,
    limits: tuple[float, float] | None = (0.0, 1.0),
) -> Axes:
    """How metrics move when the threshold above which a label is predicted moves.

    Parameters
    ----------
    thresholds : the thresholds, in order
    metrics : mapping of metric name to one value per threshold
    limits : (lowest, highest) value on the vertical axis

    Returns
    -------
    Axes

    Examples
    --------
    >>> alt_text(threshold_sweep([0.3, 0.6], {"precision": [0.5, 0.9], "recall": [0.8, 0.4]}))
    'Metrics by threshold at threshold 0.3 0.6, drawn from 0 to 1: precision 0.5 0.9; recall 0.8 0.4.'
    """
    title = "Metrics by threshold"
    return _lines(thresholds, metrics, title=title, xlabel="threshold", limits=limits)


def value_bars(values: Mapping[str, float | Fraction], *, title: str) -> Axes:
    """A bar from 0 for each named value; a Fraction is written as one, with its decimal.

    Parameters
    ----------
    values : mapping of name to value, 0 or more
    title : str

    Returns
    -------
    Axes

    Examples
    --------
    >>> from fractions import Fraction
    >>> alt_text(value_bars({"accuracy": Fraction(4, 9), "F1": 0.6}, title="Two metrics"))
    'Two metrics: accuracy 4/9 ≈ 0.444; F1 0.6.'
    """
    texts = {k: _exact(v) if isinstance(v, Fraction) else _number(v) for k, v in values.items()}
    alt = f"{title}: {'; '.join(f'{name} {text}' for name, text in texts.items())}."
    margins = (0.55 + _width(values), 0.6, 0.45 + _width(texts.values()), 0.75)
    ax = _chart(8.6, 1.4 + 0.6 * len(values), margins, alt)
    ax.grid(visible=False)
    ax.barh(list(values), [float(v) for v in values.values()], height=0.62, color=BLUE)
    ax.invert_yaxis()
    ax.set_xlim(0, max(1.0, *map(float, values.values())))
    ax.tick_params(axis="y", length=0, labelsize=SIZE, pad=8)
    for i, (value, text) in enumerate(zip(values.values(), texts.values(), strict=True)):
        _write(ax, float(value), i, f"  {text}", clip_on=False, label=f"value-{i}")
    _head_left(ax, title)
    return ax


def _head_left(ax: Axes, title: str) -> None:
    """A title above the left edge of the whole picture."""
    figure = _figure(ax)
    width, height = figure.get_size_inches()
    figure.text(
        0.3 / width, 1 - 0.42 / height, title, fontsize=SIZE + 3, fontweight="bold", color=INK,
        va="center_baseline", parse_math=False,
    )  # fmt: skip


def tool_dots(numbers: Mapping[str, float | str], *, title: str) -> Axes:
    """What tools give for one metric of one input: a row per tool, the smallest number first.

    What has no place on the line (nan, inf, an error) is written to its right.

    Parameters
    ----------
    numbers : mapping of tool to its number, or to what it says instead of one
    title : str

    Returns
    -------
    Axes

    Examples
    --------
    >>> numbers = {"MULAN": 1.0, "scikit-learn": 0.5, "Spark": float("nan"), "river": 0.5}
    >>> alt_text(tool_dots(numbers, title="F1"))
    'F1: 0.5 from scikit-learn and river; 1 from MULAN; nan from Spark.'
    """
    texts = {k: v if isinstance(v, str) else _number(v) for k, v in numbers.items()}
    at = {k: float(v) for k, v in numbers.items() if not isinstance(v, str) and np.isfinite(v)}
    others = [tool for tool in numbers if tool not in at]
    tools = sorted(at, key=lambda k: float(texts[k])) + sorted(others, key=texts.__getitem__)
    groups = groupby(tools, texts.__getitem__)
    listed = "; ".join(f"{text} from {_and(list(group))}" for text, group in groups)
    margins = (0.6 + _width(tools), 0.6, max(1.2, 0.9 + 1.15 * _width(texts.values())), 0.8)
    width = max(9.2, margins[0] + 4 + margins[2], 0.7 + 1.15 * _width([title], SIZE + 3))
    ax = _chart(width, 1.4 + 0.4 * len(tools), margins, f"{title}: {listed}.")
    low, high = min([0.0, *at.values()]), max([1.0, *at.values()])
    ax.set(xlim=(low, high), ylim=(len(tools) - 0.5, -0.5))
    ax.set_yticks(range(len(tools)), tools)
    ax.tick_params(axis="y", length=0, labelsize=SIZE, pad=12)
    dots: dict[str, Any] = {"marker": "o", "markersize": 11, "linestyle": "none", "color": BLUE}
    ax.plot([at[k] for k in tools if k in at], range(len(at)), clip_on=False, zorder=3, **dots)
    for i, tool in enumerate(tools):
        aside = {} if tool in at else {"color": VERMILION, "fontweight": "bold"}
        right = 0.14 if tool in at else 0.5
        beside = offset_copy(ax.transData, _figure(ax), right, units="inches")
        paper = {"facecolor": PAPER, "edgecolor": "none", "pad": 1}
        look: dict[str, Any] = {"transform": beside, "clip_on": False, "bbox": paper} | aside
        _write(ax, at.get(tool, high), i, texts[tool], label=f"value-{i}", **look)
    _head_left(ax, title)
    return ax


def metric_dots(values: Table, *, lower_is_better: Collection[str] = ()) -> Axes:
    """Every model's value of every metric: a row per metric, a marker per model.

    Parameters
    ----------
    values : mapping of metric to mapping of model to value; the same models throughout
    lower_is_better : the metrics to mark with ↓ (the others get ↑)

    Returns
    -------
    Axes

    Examples
    --------
    >>> table = {"F1": {"tree": 0.8, "Bayes": 0.7}, "loss": {"tree": 0.1, "Bayes": 0.2}}
    >>> alt_text(metric_dots(table, lower_is_better=["loss"]))
    'Metrics by model. F1 ↑: tree 0.8, Bayes 0.7; loss ↓: tree 0.1, Bayes 0.2.'
    """
    models = _models(values)
    rows = [f"{metric} {'↓' if metric in lower_is_better else '↑'}" for metric in values]
    listed = "; ".join(
        f"{row}: {', '.join(f'{model} {_number(value)}' for model, value in column.items())}"
        for row, column in zip(rows, values.values(), strict=True)
    )
    height = 1.7 + 0.5 * len(rows)
    ax = _chart(9.2, height, (0.65 + _width(rows), 0.6, 0.35, 0.95), f"Metrics by model. {listed}.")
    offsets = np.linspace(-0.26, 0.26, len(models)) if len(models) > 1 else [0.0]
    for (model, look), offset in zip(_strokes(models).items(), offsets, strict=True):
        heights = np.arange(len(rows)) + offset
        drawn = [column[model] for column in values.values()]
        ax.plot(drawn, heights, clip_on=False, **(look | {"linestyle": "none"}))
    ax.set_yticks(range(len(rows)), rows)
    ax.set_ylim(len(rows) - 0.5, -0.5)
    ax.set_xlim(0, max(1.0, *(float(v) for column in values.values() for v in column.values())))
    ax.grid(axis="y", visible=False)
    ax.hlines(np.arange(1, len(rows)) - 0.5, *ax.get_xlim(), color="#E4E4E4", linewidth=0.8)
    ax.tick_params(axis="y", length=0, labelsize=SIZE, pad=14)
    _key(ax, models)
    return ax


def _models(values: Table) -> list[str]:
    """The models of a table, which must be the same for every metric."""
    models = list(next(iter(values.values())))
    for metric, column in values.items():
        if set(column) != set(models):
            raise ValueError(f"{metric} has other models than the first metric: give all the same")
    return models


def _key(ax: Axes, names: Collection[str]) -> None:
    """What the markers stand for, in one line above the picture."""
    figure = _figure(ax)
    height = figure.get_size_inches()[1]
    figure.legend(
        ncols=len(names), loc="upper center", bbox_to_anchor=(0.5, 1 - 0.15 / height),
        frameon=False, fontsize=SIZE - 1, labelcolor=INK, handletextpad=0.2, columnspacing=1.6,
    )  # fmt: skip


def rank_reversals(values: Table, *, lower_is_better: Collection[str] = ()) -> Axes:
    """The models from best to worst under each metric; where lines cross, two metrics disagree.

    Models with equal values stand under one another in one frame, in the order of the column before.

    Parameters
    ----------
    values : mapping of metric to mapping of model to value; the same models throughout
    lower_is_better : the metrics whose smallest value is best

    Returns
    -------
    Axes

    Examples
    --------
    >>> table = {"F1": {"tree": 0.8, "Bayes": 0.7}, "loss": {"tree": 0.2, "Bayes": 0.1}}
    >>> alt_text(rank_reversals(table, lower_is_better=["loss"]))
    'Models from best to worst. F1 ↑: tree 0.8, Bayes 0.7; loss ↓: Bayes 0.1, tree 0.2.'
    """
    models = _models(values)
    columns = _best_first(values, models, lower_is_better)
    heads = [f"{metric} {'↓' if metric in lower_is_better else '↑'}" for metric in values]
    listed = "; ".join(
        f"{head}: {', '.join(' = '.join(f'{m} {_number(values[k][m])}' for m in g) for g in groups)}"
        for head, (k, groups) in zip(heads, columns.items(), strict=True)
    )
    names = _width(models)
    step = max(0.95, _width((line for head in heads for line in _fold(head)), SIZE - 2) + 0.2)
    left = max(names + 0.75, _width(["best first"], SIZE - 2) + 0.5 + step / 2)
    width = left + step * (len(heads) - 1) + names + 0.75
    lines = max(len(_fold(head)) for head in heads)
    height = 0.5 + 0.26 * lines + 0.72 * len(models)
    ax = _page(width, height, f"Models from best to worst. {listed}.")
    xs = [left + step * i for i in range(len(heads))]
    top = 0.25 + 0.26 * lines + 0.3
    _write(ax, 0.3, 0.26 * lines, "best first", fontsize=SIZE - 2, color=QUIET)
    for x, head in zip(xs, heads, strict=True):
        for i, line in enumerate(reversed(_fold(head))):
            y = 0.26 * (lines - i)
            _write(ax, x, y, line, ha="center", fontsize=SIZE - 2, label="metric")
    _draw_reversals(ax, xs, top, columns, values, models)
    return ax


def _fold(head: str) -> list[str]:
    """A metric's name, a word per line; the arrow stays with the last word."""
    words = head.split()
    return [*words[:-2], " ".join(words[-2:])]


def _best_first(
    values: Table, models: list[str], lower_is_better: Collection[str]
) -> dict[str, list[list[str]]]:
    """For each metric the models from best to worst, in groups of equal value."""
    columns, order = {}, models
    for metric, column in values.items():
        sign = 1 if metric in lower_is_better else -1
        worth = {model: sign * round(float(column[model]), 9) for model in models}
        order = sorted(order, key=worth.__getitem__)
        columns[metric] = [list(group) for _, group in groupby(order, worth.__getitem__)]
    return columns


def _draw_reversals(
    ax: Axes,
    xs: list[float],
    top: float,
    columns: dict[str, list[list[str]]],
    values: Table,
    models: list[str],
) -> None:
    """Lines through the places of each model, values under the markers, frames around ties."""
    step = 0.72
    places = [{m: i for i, m in enumerate(chain(*groups))} for groups in columns.values()]
    for model, look in _strokes(models).items():
        heights = [top + step * place[model] for place in places]
        ax.plot(xs, heights, zorder=3, **(look | {"markersize": look["markersize"] + 3}))
        _write(ax, xs[0] - 0.45, heights[0], model, ha="right", label="first")
        _write(ax, xs[-1] + 0.45, heights[-1], model, label="last")
    for x, (metric, groups), place in zip(xs, columns.items(), places, strict=True):
        for group in groups:
            for model in group:
                _write(
                    ax, x, top + step * place[model] + 0.27, _number(values[metric][model]),
                    ha="center", fontsize=SIZE - 4, color=QUIET, label="value", zorder=4,
                    bbox={"facecolor": PAPER, "edgecolor": "none", "pad": 0.6},
                )  # fmt: skip
            if len(group) > 1:
                y = top + step * place[group[0]] - 0.22
                tall = step * (len(group) - 1) + 0.6
                style = {"facecolor": "#EFEFEF", "edgecolor": QUIET, "linewidth": 1}
                _box(ax, x - 0.33, y, 0.66, tall, zorder=1, label="tie", **style)


# ------------------------------------------------------------------- the map of metrics

# How each family counts: in words, and as the arguments of its little grid.
COUNTS = {
    "exact match": ("each row: all right, or not", "exact match", "sample"),
    "example-based": ("each row: a ratio; then their mean", "accuracy", "sample"),
    "Hamming": ("every cell: right, or wrong", "Hamming loss", "cell"),
    "label-based": ("each column: a ratio; or all pooled", "accuracy", "label"),
    "ranking": ("each row: its labels by score", "", ""),
}
NEEDS = {"y_pred": "label sets", "y_score": "scores"}


def metric_map(metrics: Iterable[Any] | None = None) -> Axes:
    """The families of metrics: what each needs, what it counts together, and which metrics it has.

    Parameters
    ----------
    metrics : records with name, family, direction and reads; by default the catalogue's

    Returns
    -------
    Axes

    Examples
    --------
    >>> from mlm_helpers.catalogue import METRICS
    >>> alt_text(metric_map(METRICS[:2]))
    'Map of 2 metrics, ↑ higher or ↓ lower is better. Exact match, from label sets (each row: all \
right, or not): subset accuracy ↑, zero-one loss ↓.'
    """
    given = catalogue.METRICS if metrics is None else metrics
    records = sorted(given, key=lambda metric: list(COUNTS).index(metric.family))
    bands = {
        (family, NEEDS[reads]): [
            f"{m.name} {'↑' if m.direction == 'higher is better' else '↓'}" for m in members
        ]
        for (family, reads), members in groupby(records, lambda m: (m.family, m.reads))
    }
    parts = [
        f"{family}, from {needs} ({COUNTS[family][0]}): {', '.join(names)}"
        for (family, needs), names in bands.items()
    ]
    head = f"Map of {_plural(len(records), 'metric')}, ↑ higher or ↓ lower is better."
    height = 1.3 + sum(_band_height(names) for names in bands.values())
    ax = _page(9.8, height, f"{head} {_capital('; '.join(parts))}.")
    _write(ax, 0.3, 0.4, "The map of metrics", fontsize=SIZE + 3, fontweight="bold")
    y = 0.8
    for (family, needs), names in bands.items():
        _draw_band(ax, y, family, needs, names)
        y += _band_height(names)
    key = "↑ higher is better     ↓ lower is better"
    _write(ax, 0.3, y + 0.2, key, fontsize=SIZE - 2, color=QUIET)
    return ax


def _band_height(names: list[str]) -> float:
    return max(1.3, 0.5 + 0.34 * ((len(names) + 1) // 2))


def _draw_band(ax: Axes, y: float, family: str, needs: str, names: list[str]) -> None:
    """One family: its little grid, its name, how it counts, what it needs; its metrics by twos."""
    height = _band_height(names) - 0.1
    middle = y + height / 2
    fill = "#EDF3F7" if needs == NEEDS["y_pred"] else "#FBF0D9"
    _box(ax, 0.3, y, 9.2, height, facecolor=fill, edgecolor="none")
    _draw_icon(ax, 0.5, middle, family)
    _write(ax, 1.75, middle - 0.3, _capital(family), fontweight="bold", fontsize=SIZE + 1)
    _write(ax, 1.75, middle, COUNTS[family][0], fontsize=SIZE - 2)
    _write(ax, 1.75, middle + 0.28, f"needs {needs}", fontsize=SIZE - 2, color=QUIET)
    rows = (len(names) + 1) // 2
    for i, name in enumerate(names):
        level = middle + 0.34 * (i // 2 - (rows - 1) / 2)
        _write(ax, 5.1 + 2.25 * (i % 2), level, name, label=f"metric-{i}")


def _draw_icon(ax: Axes, x: float, middle: float, family: str) -> None:
    """A family's way of counting on nine cells; for rankings a falling list of scores."""
    _, ratio, per = COUNTS[family]
    if not per:
        for i, (score, mark) in enumerate(zip((1.0, 0.75, 0.45, 0.2), (3, 0, 3, 0), strict=True)):
            style = {"facecolor": MARKS[mark].fill, "edgecolor": MARKS[mark].edge}
            _box(ax, x, middle - 0.43 + 0.23 * i, score, 0.17, **style)
        return
    apart = {"sample": (0.05, 0.1), "label": (0.1, 0.05), "cell": (0.05, 0.05)}[per]
    xs, ys = (0.23 + np.array(apart))[:, None] * np.arange(3)
    outcome = np.array([[3, 0, 2], [0, 3, 0], [1, 0, 3]])
    top = middle - (ys[-1] + 0.23) / 2
    at = _Layout((x + 0.06 + xs).tolist(), (top + ys).tolist(), 0.23, 0.23)
    _draw_cells(ax, at, outcome, RATIOS[ratio].below, name=f"{family}-")
    _draw_frames(ax, at, per, [""] * 3 if per != "cell" else [], name=f"{family}-")


# ------------------------------------------------------------------- time over size

Times: TypeAlias = Mapping[str, Mapping[str, Sequence[float | None]]]

_ACROSS, _PANEL, _APART = 3, (2.57, 2.0), (0.35, 1.0)  # small pictures: how many, how large, inches
_FIRST = (1.05, 1.45)  # the upper left corner of the first
_GROWS = {
    "samples": "number of samples",
    "labels": "number of labels",
    "density": "share of positive cells",
}


def growth(times: Times, sizes: Sequence[float], *, by: str, data: str, limit: float) -> Axes:
    """How the time of each tool grows, one small picture per metric, all scales logarithmic.

    Parameters
    ----------
    times : mapping of metric to mapping of tool to milliseconds at each size, None where not run
    sizes : what grows, above 0 and rising; a density as a share
    by : "samples", "labels" or "density"
    data : what stays the same, in words
    limit : seconds; what was foreseen to take longer was not run

    Returns
    -------
    Axes
        Of the whole page; those of the metrics are in the same figure, labelled with their names.

    Examples
    --------
    >>> times = {"F1": {"ours": [1.25, 12.5], "theirs": [2000, None]}}
    >>> alt_text(growth(times, [100, 10_000], by="labels", data="5 samples", limit=20))
    'Time by number of labels (5 samples), at 100 and 10,000. F1: ours 1.25 ms, 12.5 ms; theirs 2 s, not run. \
Not run: more than 20 s foreseen.'
    """
    tools = list(dict.fromkeys(tool for series in times.values() for tool in series))
    known = [t for series in times.values() for ts in series.values() for t in ts if t is not None]
    gaps = any(None in ts for series in times.values() for ts in series.values())
    note = f"Not run: more than {limit:g} s foreseen."
    rows = -(-(len(times) + 1) // _ACROSS)  # one place is the key's
    height = _FIRST[1] + rows * (_PANEL[1] + _APART[1]) - 0.35
    ax = _page(9.8, height, _growth_sentence(times, sizes, by, data) + f" {note}" * gaps)
    _write(ax, 0.3, 0.42, f"Time by {_GROWS[by]}", fontsize=SIZE + 3, fontweight="bold")
    _write(ax, 0.3, 0.78, data, fontsize=SIZE - 2, color=QUIET)
    corners = [
        (_FIRST[0] + column * (_PANEL[0] + _APART[0]), _FIRST[1] + row * (_PANEL[1] + _APART[1]))
        for row in range(rows)
        for column in range(_ACROSS)
    ]
    key = corners.pop(min(len(times), _ACROSS - 1))
    for (x, y), (metric, series) in zip(corners, times.items(), strict=False):
        place = (x / 9.8, 1 - (y + _PANEL[1]) / height, _PANEL[0] / 9.8, _PANEL[1] / height)
        part = _figure(ax).add_axes(place, facecolor=PAPER, label=metric)
        for tool, look in _strokes(tools).items():
            if tool in series:
                shown = [float("nan") if t is None else t for t in series[tool]]
                part.plot(sizes, shown, clip_on=False, zorder=3, **look)
        _scale(part, known, sizes, by, numbered=x == _FIRST[0])
        _write(ax, x, y - 0.24, _capital(metric), fontweight="bold", label="metric")
    _growth_key(
        ax, *key, tools, ["a line ends where more than", f"{limit:g} s was foreseen"] * gaps
    )
    return ax


def _growth_sentence(times: Times, sizes: Sequence[float], by: str, data: str) -> str:
    listed = (
        f"{_capital(metric)}: "
        + "; ".join(f"{tool} {', '.join(map(_time, ts))}" for tool, ts in series.items())
        for metric, series in times.items()
    )
    at = [f"{100 * size:g} %" if by == "density" else f"{size:,}" for size in sizes]
    return f"Time by {_GROWS[by]} ({data}), at {_and(at)}. {'. '.join(listed)}."


def _time(milliseconds: float | None) -> str:
    if milliseconds is None:
        return "not run"
    return f"{milliseconds:g} ms" if milliseconds < 1000 else f"{milliseconds / 1000:g} s"


def _power(number: float) -> str:
    """A power of ten as one reads it: 100, 1,000, 10⁴."""
    zeros = len(f"{number:.0f}") - 1
    return (
        f"{number:,.0f}" if zeros < 4 else "10" + "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(i)] for i in str(zeros))
    )


def _scale(
    ax: Axes, known: Sequence[float], sizes: Sequence[float], by: str, *, numbered: bool
) -> None:
    """Logarithmic scales, with a line at each tenfold time, and a number at each size."""
    _rule(ax)
    decades = 10.0 ** np.arange(np.floor(np.log10(min(known))), np.ceil(np.log10(max(known))) + 1)
    ax.set(xscale="log", yscale="log", ylim=(decades[0], decades[-1]))
    ax.set_xlim(sizes[0] / 1.25, sizes[-1] * 1.25)
    ax.set_yticks(decades, [_time(t) for t in decades] if numbered else [""] * len(decades))
    words = [f"{100 * size:g} %" if by == "density" else _power(size) for size in sizes]
    ax.set_xticks(sizes, words)
    ax.minorticks_off()
    ax.tick_params(axis="y", length=0, pad=7)


def _growth_key(ax: Axes, x: float, y: float, tools: Sequence[str], note: Sequence[str]) -> None:
    for i, (tool, look) in enumerate(_strokes(tools).items()):
        level = y + 0.2 + 0.4 * i
        ax.plot([x + 0.15, x + 0.5, x + 0.85], [level] * 3, **(look | {"markevery": [1]}))
        _write(ax, x + 1.05, level, tool, label="tool")
    lines = ["each grid line: ten times as long", *note]
    for i, line in enumerate(lines, start=1):
        level = y + 0.15 + 0.4 * len(tools) + 0.26 * i
        _write(ax, x + 0.15, level, line, fontsize=SIZE - 3, color=QUIET, label="note")


# ------------------------------------------------------------------ pictures of the course


def _document_grid(document: Any, ratio: str, per: str) -> Axes:
    return label_grid(document.y_true, document.y_pred, ratio, per=per, labels=document.labels)


def _perfect_picture() -> Axes:
    (case,) = (record for record in conventions.recorded() if record.name == "perfect+both_empty")
    by_default = {k: v for k, v in case.numbers["samples F1"].items() if k in conventions.TOOLS}
    return tool_dots(by_default, title="A perfect prediction, and its samples F1 in each tool")


def _ranking_picture() -> Axes:
    ranking = documents.RANKING
    return rank_lists(ranking.scores, ranking.y_true, ranking.labels)


def measured() -> dict[str, Any]:
    """What ``make bench`` measured when it last ran.

    Examples
    --------
    >>> list(measured())
    ['environment', 'dense', 'sparse', 'growth', 'scale']
    """
    record = resources.files("mlm_helpers").joinpath("records", "bench.json")
    content: dict[str, Any] = json.loads(record.read_text(encoding="utf-8"))
    return content


def _growth_picture(by: str) -> Axes:
    record = measured()["growth"]
    curves = record[by]
    return growth(
        curves["ms"], curves["sizes"], by=by, data=curves["data"], limit=record["limit_s"]
    )


PICTURES: dict[str, Callable[[], Axes]] = {
    "exact_match": lambda: _document_grid(documents.SKLEARN_GUIDE, "exact match", "sample"),
    "example_based": lambda: _document_grid(documents.PARTIAL_CREDIT, "accuracy", "sample"),
    "hamming": lambda: _document_grid(documents.SKLEARN_GUIDE, "Hamming loss", "cell"),
    "label_based": lambda: _document_grid(documents.MACRO_MICRO, "F1", "label"),
    "ranking": _ranking_picture,
    "training_curves": lambda: training_curves(
        documents.FORMULAS.curves, documents.FORMULAS.epochs
    ),
    "metric_map": metric_map,
    "conventions": _perfect_picture,
    "disagreements": lambda: pair_table(disagreements.all_pairs(), disagreements.SAME_ORDER),
    "at_scale": lambda: merging(BATCHES),
    **{
        f"growth_{by}": functools.partial(_growth_picture, by)
        for by in ("samples", "labels", "density")
    },
}
"""File stem to the function that draws it from the documents' data, the catalogue or the last benchmark."""


# ------------------------------------------------------------------------- files, screens


def png(ax: Axes) -> bytes:
    """The picture as PNG in 64 colours, a few ten kilobytes, the same bytes on every run.

    Examples
    --------
    >>> png(label_matrix([[1, 0]]))[1:4]
    b'PNG'
    """
    picture = Image.open(io.BytesIO(_save(ax, format="png", dpi=DPI))).convert("RGB")
    buffer = io.BytesIO()
    few = picture.quantize(64, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    few.save(buffer, format="png", optimize=True)
    return buffer.getvalue()


def svg(ax: Axes, title: str) -> str:
    """The picture as SVG, the same on every run, with its title and its alternative text.

    Examples
    --------
    >>> "<desc" in svg(label_matrix([[1, 0]]), "One sample")
    True
    """
    alt = alt_text(ax)
    metadata = {"Title": title, "Description": alt, "Date": None, "Creator": None}
    text = _save(ax, format="svg", metadata=metadata).decode()
    stem = "".join(letter if letter.isalnum() else "-" for letter in title.lower())
    first, second = f"{stem}-title", f"{stem}-desc"
    named = (
        f'<title id="{first}">{escape(title)}</title>\n <desc id="{second}">{escape(alt)}</desc>'
    )
    text = text.replace("<svg ", f'<svg role="img" aria-labelledby="{first} {second}" ', 1)
    return text.replace(f"<title>{escape(title)}</title>", named, 1)


def _save(ax: Axes, **options: Any) -> bytes:
    buffer = io.BytesIO()
    with matplotlib.rc_context(STYLE):
        _figure(ax).savefig(buffer, facecolor=PAPER, **options)
    return buffer.getvalue()


def show(ax: Axes) -> None:
    """Display a picture in a notebook with its alternative text, and print that text below it."""
    from IPython.display import display

    alt, width = alt_text(ax), round(_figure(ax).get_size_inches()[0] * CSS_PIXELS_PER_INCH)
    bundle = {"image/png": b64encode(png(ax)).decode(), "text/plain": alt}
    display(  # type: ignore[no-untyped-call]
        bundle, raw=True, metadata={"image/png": {"alt": alt, "width": width}}
    )
    print(textwrap.fill(alt, 92, break_on_hyphens=False))


def main(arguments: Sequence[str] | None = None) -> None:
    """Write every picture of the course as an SVG file."""
    parser = argparse.ArgumentParser(prog="python -m mlm_helpers.figures", description=main.__doc__)
    parser.add_argument("--out", type=Path, default=Path("figures"), help="default: figures")
    folder = parser.parse_args(arguments).out
    folder.mkdir(parents=True, exist_ok=True)
    for stem, draw in PICTURES.items():
        path = folder / f"{stem}.svg"
        title = _capital(stem.replace("_", " "))
        path.write_text(svg(draw(), title), encoding="utf-8", newline="\n")
        print(path)


if __name__ == "__main__":
    main()
