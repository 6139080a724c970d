"""Two metrics that disagree, and which pairs of metrics do."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from mlm_helpers import catalogue
from mlm_helpers.board.numbers import with_decimal
from mlm_helpers.disagreement import Disagreement
from mlm_helpers.figures.cells import grid_sentence, heading, layout, seen
from mlm_helpers.figures.look import BLUE, FAINT, INK, MARKS, PALE, PAPER, QUIET, SIZE, Mark
from mlm_helpers.figures.pen import cell, headline, page, width_of, write
from mlm_helpers.figures.words import capital, named


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
    names, samples = list("ABCDEFGHIJ"[: truth.shape[1]]), named(None, len(truth), "sample")
    at = layout(names, samples)
    second = at._replace(xs=[x + at.right + 0.1 for x in at.xs])
    lines = [_verdict(*side) for side in _sides(found)]
    width = max(second.right + 0.4, 0.6 + width_of(lines, SIZE + 1), 8.2)
    panels = [_panel(truth, np.array(other)) for other in (found.first, found.second)]
    rows = [_predicted(truth, np.array(other), names) for other in (found.first, found.second)]
    said = [
        grid_sentence(f"{t} of", names, samples, words)
        for t, words in zip(_TITLES, rows, strict=True)
    ]
    alt = " ".join([*said, *(f"{capital(line)}." for line in lines)])
    ax = page(width, at.bottom + 0.4 * len(lines) + 0.85, alt)
    for place, panel, title in zip((at, second), panels, _TITLES, strict=True):
        heading(ax, place, names, samples if place is at else [""] * len(samples), "")
        headline(ax, title, place.xs[0])
        for (i, j), look in panel.items():
            name = f"{title.split()[0].lower()}-{i}-{j}"
            cell(ax, place.xs[j], place.ys[i], at.width, at.height, look, name)
    for i, line in enumerate(lines):
        y = at.bottom + 0.5 + 0.4 * i
        write(ax, 0.3, y, line, fontsize=SIZE + 1, label=f"result-{i}")
    if not _is_binary(np.array(found.first)):
        key = "The numbers are scores; a filled cell is a relevant label."
        y = at.bottom + 0.5 + 0.4 * len(lines)
        write(ax, 0.3, y, key, fontsize=SIZE - 2, color=QUIET, label="key")
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
    size, left = 0.42, 1.1 + width_of(names, SIZE - 2)
    rows = []
    for i, row in enumerate(names):
        codes = [_pair_code(pairs[column, row], (column, row), same_order) for column in names[:i]]
        rows.append(f"{i + 1} {row}: {' '.join(codes)}".removesuffix(": "))
    known = (
        "cells of the smallest data, within 2 samples × 3 labels, on which two metrics disagree;"
        " = never, – none found"
    )
    alt = f"{capital(known)}; each metric against those before it. {'; '.join(rows)}."
    ax = page(left + size * len(names) + 0.3, 1.2 + size * len(names) + 0.6, alt)
    headline(ax, "When two metrics disagree")
    for i, row in enumerate(names):
        y = 0.9 + size * i
        write(ax, left - 0.2, y + size / 2, f"{row}  {i + 1}", ha="right", fontsize=SIZE - 2)
        place = {"ha": "center", "fontsize": SIZE - 3, "color": QUIET, "fontweight": "bold"}
        write(ax, left + size * (i + 0.5), y + size / 2, str(i + 1), label="diagonal", **place)
        for j, column in enumerate(names[:i]):
            code = _pair_code(pairs[column, row], (column, row), same_order)
            x = left + size * j
            cell(ax, x, y, size - 0.05, size - 0.05, _PAIR_LOOKS.get(code, _MANY), f"{j}-{i}")
            write(
                ax,
                x + size / 2 - 0.02,
                y + size / 2 - 0.02,
                code,
                ha="center",
                fontsize=SIZE - 3,
                color=_PAIR_LOOKS.get(code, _MANY).ink,
                label=f"code-{j}-{i}",
            )
    write(ax, 0.3, 1.15 + size * len(names), capital(known), fontsize=SIZE - 2, color=QUIET)
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
    one, two = (with_decimal(Fraction(value).limit_denominator(1000)) for value in values)
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
        rows = [seen(row, labels) for row in 2 * truth + other.astype(int)]
    else:
        rows = [
            ", ".join(
                f"{label} {score:g}{' relevant' * int(has)}"
                for label, score, has in zip(labels, scores, relevant, strict=True)
            )
            for scores, relevant in zip(other, truth, strict=True)
        ]
    return [f"sample {i}: {row}" for i, row in enumerate(rows, start=1)]
