"""Two metrics that disagree, which pairs of metrics do, and what changes which metric."""

from collections.abc import Collection, Mapping
from itertools import chain
from string import ascii_uppercase
from textwrap import wrap
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from mlm_helpers.course.figures.cells import layout, name_cells, seen, sentence
from mlm_helpers.course.figures.look import (
    BLUE,
    FAINT,
    INK,
    MARKS,
    PALE,
    PAPER,
    QUIET,
    SIZE,
    VERMILION,
    Mark,
)
from mlm_helpers.course.figures.pen import cell, headline, page, width_of, write
from mlm_helpers.course.figures.phrases import capital, named
from mlm_helpers.disagreement import Disagreement
from mlm_helpers.invariance import Outcome


def disagreement(found: Disagreement) -> Axes:
    """Two predictions of one truth that two metrics put in opposite order, side by side.

    Predictions are drawn as a grid of hits ✓, false alarms ✗ and misses ○; scores are written into
    the cells, and the cells of relevant labels are filled.

    Parameters
    ----------
    found : what `mlm_helpers.disagreement.smallest_disagreement` returns
    """
    truth, predictions = np.array(found.y_true), np.array([found.first, found.second])
    scored = not set(np.unique(predictions)) <= {0, 1}
    n_samples, n_labels = truth.shape
    letters = ascii_uppercase[:n_labels] if n_labels <= len(ascii_uppercase) else None
    labels, samples = named(letters, n_labels, "label"), named(None, n_samples, "sample")
    left = layout(labels, samples)
    right = left._replace(xs=[x + left.right + 0.1 for x in left.xs])
    sides = tuple(zip(("First", "Second"), (left, right), predictions, strict=True))
    rows = {which: _rows(truth, other, labels, samples, scored) for which, _, other in sides}
    said = [sentence(f"{which} prediction of", labels, samples, rows[which]) for which in rows]
    lines = found.verdicts
    alt = " ".join([*said, *(f"{capital(line)}." for line in lines)])
    width = max(right.right + 0.4, 0.6 + width_of(lines, SIZE + 1), 8.2)
    ax = page(width, left.bottom + 0.4 * len(lines) + 0.85, alt)
    name_cells(ax, left, samples=samples)
    for which, at, other in sides:
        headline(ax, f"{which} prediction", at.xs[0])
        name_cells(ax, at, labels)
        for (i, j), has in np.ndenumerate(truth):
            if scored:  # on a fill that says whether the label is relevant
                look = MARKS[3 * has]._replace(symbol=f"{other[i, j]:g}")
            else:
                look = MARKS[2 * has + int(other[i, j])]
            name = f"{which.lower()}-{i}-{j}"
            cell(ax, at.xs[j], at.ys[i], at.width, at.height, look, name)
    for i, line in enumerate(lines):
        write(ax, 0.3, left.bottom + 0.5 + 0.4 * i, line, fontsize=SIZE + 1, label=f"result-{i}")
    if scored:
        key = "The numbers are scores; a filled cell is a relevant label."
        y = left.bottom + 0.5 + 0.4 * len(lines)
        write(ax, 0.3, y, key, fontsize=SIZE - 2, color=QUIET, label="key")
    return ax


def _rows(
    truth: NDArray[Any], other: NDArray[Any], labels: list[str], samples: list[str], scored: bool
) -> list[str]:
    """A prediction row by row in words: its outcomes, or its scores and which are relevant."""
    if not scored:
        return seen(2 * truth + other.astype(int), labels, samples)
    rows = []
    for sample, relevant, scores in zip(samples, truth, other, strict=True):
        cells = zip(labels, scores, relevant, strict=True)
        listed = (f"{label} {score:g}{' relevant' * int(has)}" for label, score, has in cells)
        rows.append(f"{sample}: {', '.join(listed)}")
    return rows


_LOOKS = {
    "=": Mark("never", "", PAPER, INK, INK, "-"),
    "–": Mark("no case", "", PAPER, FAINT, INK, "--"),
    "?": Mark("not known", "", PAPER, VERMILION, INK, "--"),
    "1": Mark("1 cell", "", INK, INK, PAPER, "-"),
    "2": Mark("2 cells", "", "#003B5C", "#003B5C", PAPER, "-"),
    "3": Mark("3 cells", "", BLUE, BLUE, PAPER, "-"),
    "4": Mark("4 cells", "", "#8CC4E8", "#8CC4E8", INK, "-"),
}
_MANY = Mark("more cells", "", PALE, PALE, INK, "-")


def pair_table(
    pairs: Mapping[tuple[str, str], Disagreement | None],
    same_order: Collection[tuple[str, str]] = (),
) -> Axes:
    """How many cells the smallest data have on which each pair of metrics disagrees.

    Parameters
    ----------
    pairs : what `mlm_helpers.disagreement.all_pairs` returns
    same_order : the pairs that can never disagree
    """
    names = list(dict.fromkeys(name for pair in pairs for name in pair))
    codes = [
        [_code(pairs[column, row], (column, row) in same_order) for column in names[:i]]
        for i, row in enumerate(names)
    ]
    known = (
        "cells of the smallest data, within 2 samples × 3 labels, on which two metrics disagree;"
        " = never, – none found"
    )
    rows = (
        " ".join([f"{i} {name}:", *row]).removesuffix(":")
        for i, (name, row) in enumerate(zip(names, codes, strict=True), 1)
    )
    alt = f"{capital(known)}; each metric against those before it. {'; '.join(rows)}."
    size, left = 0.42, 1.1 + width_of(names, SIZE - 2)
    width, height = left + size * len(names) + 0.3, 1.2 + size * len(names) + 0.6
    ax = page(width, height, alt, "When two metrics disagree")
    middle = {"ha": "center", "fontsize": SIZE - 3}
    for i, name in enumerate(names):
        y = 0.9 + size * i
        write(ax, left - 0.2, y + size / 2, f"{name}  {i + 1}", ha="right", fontsize=SIZE - 2)
        place = middle | {"color": QUIET, "fontweight": "bold", "label": "diagonal"}
        write(ax, left + size * (i + 0.5), y + size / 2, str(i + 1), **place)
        for j, code in enumerate(codes[i]):
            x, look = left + size * j, _LOOKS.get(code, _MANY)
            cell(ax, x, y, size - 0.05, size - 0.05, look, f"{j}-{i}")
            written = middle | {"color": look.ink, "label": f"code-{j}-{i}"}
            write(ax, x + size / 2 - 0.02, y + size / 2 - 0.02, code, **written)
    write(ax, 0.3, 1.15 + size * len(names), capital(known), fontsize=SIZE - 2, color=QUIET)
    return ax


def _code(found: Disagreement | None, never: bool) -> str:
    """The number of cells of a case; "=" for never, "–" where none was found."""
    if found is None:
        return "=" if never else "–"
    return str(np.size(found.y_true))


def change_table(changes: Mapping[tuple[str, str], Outcome]) -> Axes:
    """How many cells the smallest data have on which each change of the data changes each metric.

    Parameters
    ----------
    changes : what `mlm_helpers.invariance.all_changes` returns
    """
    metrics, names = (list(dict.fromkeys(pair[i] for pair in changes)) for i in (0, 1))
    codes = [[changes[metric, name].sign for name in names] for metric in metrics]
    known = (
        "cells of the smallest data on which a change of the data changes the metric, under the"
        " default conventions; = never, – does not apply"
    )
    rows = (f"{metric}: {' '.join(row)}" for metric, row in zip(metrics, codes, strict=True))
    alt = f"{capital(known)}; the changes are {', '.join(names)}. {'; '.join(rows)}."
    heads = [wrap(name, 16) for name in names]
    broad, high = 0.3 + width_of(chain(*heads), SIZE - 3), 0.36
    left, top = 0.5 + width_of(metrics, SIZE - 2), 0.9 + 0.26 * max(map(len, heads))
    width = max(left + broad * len(names), width_of([known], SIZE - 2)) + 0.6
    ax = page(width, top + high * len(metrics) + 0.7, alt, "What changes which metric")
    middle = {"ha": "center", "fontsize": SIZE - 3}
    for j, lines in enumerate(heads):
        for i, line in enumerate(lines):
            y = top - 0.2 - 0.26 * (len(lines) - 1 - i)
            write(ax, left + broad * (j + 0.5), y, line, **middle | {"label": f"head-{j}"})
    for i, metric in enumerate(metrics):
        y = top + high * i
        write(ax, left - 0.15, y + high / 2, metric, ha="right", fontsize=SIZE - 2)
        for j, code in enumerate(codes[i]):
            x, look = left + broad * j, _LOOKS.get(code, _MANY)
            cell(ax, x, y, broad - 0.06, high - 0.05, look, f"{i}-{j}")
            written = middle | {"color": look.ink, "label": f"code-{i}-{j}"}
            write(ax, x + broad / 2 - 0.03, y + high / 2 - 0.02, code, **written)
    below = {"fontsize": SIZE - 2, "color": QUIET}
    write(ax, 0.3, top + high * len(metrics) + 0.3, capital(known), **below)
    return ax
