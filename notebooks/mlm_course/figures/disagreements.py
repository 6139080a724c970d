"""Pictures of two metrics that disagree, of all pairs that do, and of the changes that change a metric."""

from collections.abc import Collection, Mapping
from itertools import chain
from string import ascii_uppercase
from textwrap import wrap
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from mlm_course.disagreement import Disagreement
from mlm_course.figures.cells import draw_cells, layout, name_cells, seen, sentence
from mlm_course.figures.look import CODES, MANY, QUIET, SIZE
from mlm_course.figures.pen import cell, headline, page, small, width_of, write
from mlm_course.figures.phrases import capital, named
from mlm_course.invariance import Outcome


def disagreement(found: Disagreement) -> Axes:
    """Two predictions of one truth that two metrics put in opposite order, side by side.

    Predictions are drawn as a grid of hits ✓, false alarms ✗ and misses ○; scores are written into
    the cells, and the cells of relevant labels are filled.

    Parameters
    ----------
    found : what `mlm_course.disagreement.smallest_disagreement` returns
    """
    truth, predictions = np.array(found.y_true), np.array([found.first, found.second])
    scored = not set(np.unique(predictions)) <= {0, 1}
    n_samples, n_labels = truth.shape
    letters = ascii_uppercase[:n_labels] if n_labels <= len(ascii_uppercase) else None
    labels, samples = named(letters, n_labels, "label"), named(None, n_samples, "sample")
    left = layout(labels, samples)
    right = left._replace(xs=[x + left.right + 0.1 for x in left.xs])
    lines, alt = found.verdicts, []
    width = max(right.right + 0.4, 0.6 + width_of(lines, SIZE + 1), 8.2)
    ax = page(width, left.bottom + 0.4 * len(lines) + 0.85, "")
    name_cells(ax, left, samples=samples)
    for which, at, other in zip(("First", "Second"), (left, right), predictions, strict=True):
        headline(ax, f"{which} prediction", at.xs[0])
        name_cells(ax, at, labels)
        if scored:
            texts = np.vectorize("{:g}".format)(other)
            kinds, rows = 3 * truth, _scores(truth, texts, labels, samples)
        else:
            texts, kinds = None, 2 * truth + other.astype(int)
            rows = seen(kinds, labels, samples)
        draw_cells(ax, at, kinds, name=f"{which.lower()}-", texts=texts)
        alt.append(sentence(f"{which} prediction of", labels, samples, rows))
    ax.set_label(" ".join([*alt, *(f"{capital(line)}." for line in lines)]))
    y = left.bottom + 0.5
    for i, line in enumerate(lines):
        write(ax, 0.3, y + 0.4 * i, line, fontsize=SIZE + 1)
    if scored:
        key = "The numbers are scores; a filled cell is a relevant label."
        small(ax, 0.3, y + 0.4 * len(lines), key)
    return ax


def _scores(
    truth: NDArray[Any], texts: NDArray[Any], labels: list[str], samples: list[str]
) -> list[str]:
    """Each row in words: its scores, and which labels are relevant."""
    rows = []
    for sample, relevant, scores in zip(samples, truth, texts, strict=True):
        cells = zip(labels, scores, relevant, strict=True)
        listed = (f"{label} {score}{' relevant' * int(has)}" for label, score, has in cells)
        rows.append(f"{sample}: {', '.join(listed)}")
    return rows


def pair_table(
    pairs: Mapping[tuple[str, str], Disagreement | None],
    same_order: Collection[tuple[str, str]] = (),
) -> Axes:
    """How many cells the smallest data have on which each pair of metrics disagrees.

    Parameters
    ----------
    pairs : what `mlm_course.disagreement.all_pairs` returns
    same_order : the pairs that can never disagree
    """
    names = list(dict.fromkeys(name for pair in pairs for name in pair))
    signs = {
        pair: str(np.size(found.y_true)) if found else "=" if pair in same_order else "–"
        for pair, found in pairs.items()
    }
    codes = [[signs[column, row] for column in names[:i]] for i, row in enumerate(names)]
    known = (
        "cells of the smallest data, within 2 samples × 3 labels, on which two metrics disagree;"
        " = never, – none found"
    )
    rows = (
        " ".join([f"{i} {name}:", *row]).removesuffix(":")
        for i, (name, row) in enumerate(zip(names, codes, strict=True), 1)
    )
    alt = f"{capital(known)}; each metric against those before it. {'; '.join(rows)}."
    size, left, top = 0.31, 1.1 + width_of(names, SIZE - 2), 0.9
    width, below = left + size * len(names) + 0.3, top + size * len(names)
    ax = page(width, below + 0.9, alt, "When two metrics disagree")
    for i, name in enumerate(names):
        x, y = left + size * (i + 0.5), top + size * (i + 0.5)
        look = {"ha": "center", "fontsize": SIZE - 3, "color": QUIET, "fontweight": "bold"}
        write(ax, left - 0.2, y, f"{name}  {i + 1}", ha="right", fontsize=SIZE - 2)
        write(ax, x, y, str(i + 1), **look)
    _draw_codes(ax, (left, top), (size, size), 0.03, codes)
    small(ax, 0.3, below + 0.25, capital(known))
    return ax


def change_table(changes: Mapping[tuple[str, str], Outcome]) -> Axes:
    """How many cells the smallest data have on which each change of the data changes each metric.

    Parameters
    ----------
    changes : what `mlm_course.invariance.all_changes` returns
    """
    metrics, names = (list(dict.fromkeys(pair[i] for pair in changes)) for i in (0, 1))
    codes = [[changes[metric, name].sign for name in names] for metric in metrics]
    known = (
        "cells of the smallest data on which a change of the data changes the metric, under the"
        " default conventions; = never, – does not apply"
    )
    rows = (f"{metric}: {' '.join(row)}" for metric, row in zip(metrics, codes, strict=True))
    alt = f"{capital(known)}; the changes are {', '.join(names)}. {'; '.join(rows)}."
    heads = [wrap(name, 10, break_long_words=False) for name in names]
    broad, high = 0.3 + width_of(chain(*heads), SIZE - 2), 0.31
    left, top = 0.5 + width_of(metrics, SIZE - 2), 0.9 + 0.26 * max(map(len, heads))
    key = wrap(capital(known), 76)
    width = max(left + broad * len(names), width_of(key, SIZE - 2)) + 0.6
    ax = page(
        width, top + high * len(metrics) + 0.7 + 0.3 * len(key), alt, "What changes which metric"
    )
    for j, lines in enumerate(heads):
        for i, line in enumerate(reversed(lines)):
            middle = {"ha": "center", "fontsize": SIZE - 2}
            write(ax, left + broad * (j + 0.5), top - 0.2 - 0.26 * i, line, **middle)
    for i, metric in enumerate(metrics):
        y = top + high * (i + 0.5) - 0.03
        write(ax, left - 0.15, y, metric, ha="right", fontsize=SIZE - 2)
    _draw_codes(ax, (left, top), (broad, high), 0.06, codes)
    for i, line in enumerate(key):
        small(ax, 0.3, top + high * len(metrics) + 0.3 + 0.3 * i, line)
    return ax


def _draw_codes(
    ax: Axes,
    corner: tuple[float, float],
    size: tuple[float, float],
    gap: float,
    codes: list[list[str]],
) -> None:
    """Rows of cells from their upper left corner, each with its code in the colour of that code."""
    (left, top), (wide, high) = corner, size
    for i, row in enumerate(codes):
        for j, code in enumerate(row):
            x, y, look = left + wide * j, top + high * i, CODES.get(code, MANY)
            cell(ax, x, y, wide - gap, high - gap, look, f"{i}-{j}")
            written = {"ha": "center", "fontsize": SIZE - 2, "color": look.ink}
            write(ax, x + (wide - gap) / 2, y + (high - gap) / 2, code, **written)
