"""Pictures of lists sorted by score: a sample's labels, its first k, and a label's samples."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from mlm_course.figures.look import INK, MARKS, PAPER, QUIET, SIZE, VERMILION, Mark
from mlm_course.figures.pen import draw_box, page, text_width, write, write_heading, write_small
from mlm_course.figures.phrases import Names, and_list, capitalized, display_names, ratio_text
from mlm_course.numbers import with_decimal
from mlm_helpers import curves
from mlm_helpers._core.inputs.options import read_k
from mlm_helpers._core.inputs.read import read_label_scores
from mlm_helpers.tables import Ratio, with_slash
from mlm_helpers.tables.numbers import Number, format_number
from mlm_helpers.worked import rank_steps as ranks
from mlm_helpers.worked.column_steps import column_entries
from mlm_helpers.worked.problem import read_problem
from mlm_helpers.worked.rank_steps import Entry

_LEFT, _TOP = 0.3, 1.1  # inches: left edge of the first list, middle of its first row
_ROW, _LINE = 0.62, 0.36  # inches from row to row, and from line to line below the rows
_INDENT, _LANE = 0.35, 0.26  # inches: left edge of a list to its boxes, bracket to bracket


class _Row(NamedTuple):
    """A row of a list: its rank, a box with symbol, name and score, and a share beside the box."""

    rank: str
    name: str
    score: float
    mark: Mark
    phrase: str  # the row in words
    share: str = ""


class _RankedList(NamedTuple):
    """A heading, rows from the highest score down, lines with metrics, and a gap before shares."""

    heading: str
    rows: list[_Row]
    metric_lines: list[str]
    gap: float = 0.15  # inches

    def sentence(self, *parts: str) -> str:
        """Sentence of the alternative text: heading, the parts that are not empty, the metrics."""
        texts = filter(None, (*parts, ", ".join(self.metric_lines)))
        return f"{capitalized(self.heading)}: {'; '.join(texts)}."


def _phrases(rows: list[_Row]) -> str:
    """The rows in words, with commas between them."""
    return ", ".join(row.phrase for row in rows)


def _draw_lists(lists: list[_RankedList], widths: Sequence[float], alt: str, key: str) -> Axes:
    """Page with lists side by side, and below them a key of the symbols.

    Widths in inches: of a row's box, from one list to the next, of the page at least.
    """
    box_width, list_width, min_width = widths
    metrics_top = _TOP + 0.1 + _ROW * len(lists[0].rows)
    n_lines = max(len(ranked.metric_lines) for ranked in lists)
    bottom = metrics_top + 0.15 + _LINE * n_lines
    ax = page(max(list_width * len(lists), min_width), bottom + 0.4, alt)
    for i, ranked in enumerate(lists):
        left = _LEFT + list_width * i
        write_heading(ax, capitalized(ranked.heading), left)
        for j, row in enumerate(ranked.rows):
            x, y, mark = left + _INDENT, _TOP + _ROW * j, row.mark
            symbol = "" if mark is MARKS[0] else mark.symbol
            write(ax, left, y, row.rank, color=QUIET)
            draw_box(ax, x, y - 0.23, box_width, 0.46, linewidth=1.4, **mark.box_style)
            write(ax, x + 0.12, y, symbol, color=mark.ink)
            write(ax, x + 0.4, y, row.name, color=mark.ink, label="name")
            write(ax, x + box_width - 0.12, y, f"{row.score:g}", ha="right", color=mark.ink)
            write(ax, x + box_width + ranked.gap, y, row.share, fontweight="bold")
        for j, line in enumerate(ranked.metric_lines):
            write(ax, left, metrics_top + _LINE * j, line)
    write_small(ax, _LEFT, bottom, key)
    return ax


def _rows_with_shares(entries: list[Entry], relevant_word: str) -> list[_Row]:
    """A row per entry; relevant ones are filled, with the share of relevant ones down to them."""
    rows = []
    for entry in entries:
        rank, mark, share = format_number(entry.rank), MARKS[0], ""
        phrase = f"{rank} {entry.name} {entry.score:g}"
        if entry.relevant:
            mark, share = MARKS[3], with_slash(precision_at(entry))
            phrase += f" ({share} {relevant_word})"
        rows.append(_Row(rank, entry.name, entry.score, mark, phrase, share))
    return rows


def precision_at(entry: Entry) -> Ratio:
    """Precision where all entries down to this one, and those tied with it, are predicted."""
    return Ratio(entry.rank_among_relevant, entry.rank)


def _value_text(value: Ratio | Number | None) -> str:
    """A ratio as counted with its decimal, another number with its decimal, or "undefined"."""
    if value is None:
        return "undefined"
    return ratio_text(value) if isinstance(value, Ratio) else with_decimal(value)


# ------------------------------------------------------------------------- a sample's labels

_METRIC_STEPS: dict[str, ranks.ListSolver] = {
    "one-error": ranks.one_error_steps,
    "coverage": ranks.coverage_steps,
    "ranking loss": ranks.pair_steps,
    "average precision": ranks.average_precision_steps,
}


def rank_lists(
    scores: Mapping[str, Sequence[float]], y_true: ArrayLike, labels: Names = None
) -> Axes:
    """Picture of one sample's labels sorted by each model's scores, with ranking metrics below.

    Relevant labels are filled, with ✓ and the share of relevant labels down to their rank. A
    bracket with ⇅ joins each pair of an irrelevant label that scores at least as high as a relevant
    one. A dashed line marks the coverage: the rank of the last relevant label.

    Parameters
    ----------
    scores : mapping of model name to one score per label
    y_true : 0 or 1 for each label, as a row or a matrix of one row
    labels : names, optional, by default a DataFrame's

    Examples
    --------
    >>> rank_lists({"model": [0.3, 0.4]}, [1, 0], ["sea", "sun"]).get_label()
    'Labels by rank. Model: 1 sun 0.4, 2 sea 0.3 (1/2 relevant); misordered sun before sea; \
one-error 1, coverage 2, ranking loss 1/1 = 1, average precision 1/2 = 0.5.'
    """
    truth = np.atleast_2d(np.asanyarray(y_true))
    if len(truth) != 1:
        raise ValueError(f"y_true has {len(truth)} samples: give the labels of one")
    names = display_names(labels, truth.shape[1], "label", y_true)
    lists, entries_and_pairs, sentences = [], [], ["Labels by rank."]
    for model, model_scores in scores.items():
        data = read_label_scores(truth, np.atleast_2d(np.asarray(model_scores)))
        entries = _ranked_entries(data.truth[0], data.prediction[0], names, "max")
        pairs = _misordered_pairs(entries)
        metrics = []
        for name, solve_list in _METRIC_STEPS.items():
            _, value = solve_list(entries, {"ties": "max", "start": 1})
            metrics.append(f"{name} {_value_text(value)}")
        gap = _LANE * len(pairs) + 0.35  # for the brackets
        rows = _rows_with_shares(entries, "relevant")
        lists.append(_RankedList(model, rows, metrics, gap))
        texts = [f"{entries[i].name} before {entries[j].name}" for i, j in pairs]
        misordered = f"misordered {and_list(texts)}" if pairs else ""
        sentences.append(lists[-1].sentence(_phrases(rows), misordered))
        entries_and_pairs.append((entries, pairs))
    box_width = 1.2 + text_width(names)
    list_width = max(1.55 + box_width + max(ranked.gap for ranked in lists), 4.2)
    key = "✓ relevant, with its share of ✓ so far     ⇅ misordered pair"
    key += "     - - -  read down to here"
    ax = _draw_lists(lists, (box_width, list_width, 8.4), " ".join(sentences), key)
    for i, (entries, pairs) in enumerate(entries_and_pairs):
        _draw_brackets(ax, _LEFT + list_width * i, box_width, entries, pairs)
    return ax


def _ranked_entries(truth: Any, score: Any, names: list[str], ties: str) -> list[Entry]:
    """A sample's labels with their ranks, from the highest score down."""
    cells = zip(names, map(bool, truth), score.tolist(), range(len(score)), strict=True)
    return ranks.rank_entries([Entry(*cell) for cell in cells], ties)


def _misordered_pairs(entries: list[Entry]) -> list[tuple[int, int]]:
    """List positions (irrelevant, relevant) of pairs that ranking loss counts, closest first."""
    in_data_order = sorted(range(len(entries)), key=lambda i: entries[i].position)
    pairs = [
        (i, j)
        for j, i in product(in_data_order, in_data_order)
        if entries[j].relevant and not entries[i].relevant and entries[i].score >= entries[j].score
    ]
    return sorted(pairs, key=lambda pair: abs(pair[0] - pair[1]))


def _draw_brackets(
    ax: Axes, left: float, box_width: float, entries: list[Entry], pairs: list[tuple[int, int]]
) -> None:
    """Draw a bracket beside the boxes for each misordered pair, and the dashed line of coverage."""
    boxes_right = left + _INDENT + box_width
    start = boxes_right + 0.05
    for lane, (i, j) in enumerate(pairs, start=1):
        x, top, bottom = boxes_right + _LANE * lane, _TOP + _ROW * i, _TOP + _ROW * j
        corners = [start, x, x, start], [top, top, bottom, bottom]
        ax.plot(*corners, color=VERMILION, linewidth=2.2, label="misordered")
        patch = {"facecolor": PAPER, "edgecolor": "none", "pad": 0.4}
        write(ax, x, (top + bottom) / 2, "⇅", ha="center", fontsize=SIZE + 1, bbox=patch)
    relevant_ranks = [float(entry.rank) for entry in entries if entry.relevant]
    if relevant_ranks:
        xs = [left, boxes_right + _LANE * len(pairs) + 0.7]
        y = _TOP + _ROW * (max(relevant_ranks) - 0.5)  # below that row: ranks count from 1
        ax.plot(xs, [y, y], "--", color=INK, linewidth=1.6, label="depth")


# --------------------------------------------------------------------------- the first k labels


def top_window(
    y_true: ArrayLike, y_score: ArrayLike, *, k: int, labels: Names = None, samples: Names = None
) -> Axes:
    """Picture of each sample's labels in the order of their scores, the first k of them in a frame.

    In the frame are hits ✓ and false alarms ✗; below are misses ○ and irrelevant labels. Ties are
    broken by index.

    Parameters
    ----------
    y_true : matrix of 0 and 1, shape (n_samples, n_labels)
    y_score : matrix of finite numbers, shape (n_samples, n_labels)
    k : from 1 to n_labels
    labels, samples : names, optional, by default a DataFrame's

    Examples
    --------
    >>> top_window([[1, 0]], [[0.3, 0.4]], k=1, labels=["sea", "sun"]).get_label()
    'The first 1 of 2 labels. Sample 1: false alarm sun 0.4; below, miss sea 0.3.'
    """
    data = read_label_scores(y_true, y_score)
    truth, score = data.truth, data.prediction
    names = display_names(labels, truth.shape[1], "label", y_true, y_score)
    read_k(k, len(names))
    lists, sentences = [], [f"The first {k} of {len(names)} labels."]
    for i, sample in enumerate(display_names(samples, len(truth), "sample", y_true, y_score)):
        rows = _rows_with_outcomes(_ranked_entries(truth[i], score[i], names, "first"), k)
        lists.append(_RankedList(sample, rows, []))
        below = f"below, {_phrases(rows[k:])}" if rows[k:] else ""
        sentences.append(lists[-1].sentence(_phrases(rows[:k]), below))
    key = "✓ hit   ✗ false alarm   ○ miss     in the frame: what is shown"
    box_width = 0.8 + text_width(names) + text_width(f"{number:g}" for number in score.flat)
    list_width = 1.3 + box_width
    widths = box_width, list_width, _LEFT + text_width([key], SIZE - 2) + 0.3
    ax = _draw_lists(lists, widths, " ".join(sentences), key)
    frame: Any = {"facecolor": "none", "edgecolor": INK, "linewidth": 2.4, "label": "frame"}
    for i in range(len(lists)):
        x = _LEFT + list_width * i + _INDENT
        draw_box(ax, x - 0.1, _TOP - 0.31, box_width + 0.2, _ROW * k, **frame)
    return ax


def _rows_with_outcomes(entries: list[Entry], k: int) -> list[_Row]:
    """A row per entry, marked as hit, false alarm, miss or neither if the first k are predicted."""
    rows = []
    for place, entry in enumerate(entries, start=1):
        mark = MARKS[2 * entry.relevant + (place <= k)]
        phrase = f"{mark.word} {entry.name} {entry.score:g}".removeprefix("rightly left out ")
        rows.append(_Row(str(place), entry.name, entry.score, mark, phrase))
    return rows


# -------------------------------------------------------------------------- a label's samples


class SortedColumn(NamedTuple):
    """A label's samples from the highest score down, with their ranks."""

    label: str
    entries: list[Entry]

    @property
    def areas(self) -> list[str]:
        """Average precision and AUROC as text; tied samples share one threshold."""
        _, area = ranks.average_precision_steps(self.entries, {"ties": "max"})
        if isinstance(area, Fraction):
            area = Ratio(*map(Fraction, area.as_integer_ratio()))  # so that 1 is written 1/1
        _, pairs = ranks.pair_steps(self.entries, {}, is_auc=True)
        return [f"average precision {_value_text(area)}", f"AUROC {_value_text(pairs)}"]


def columns_by_score(
    y_true: Any, y_score: Any, labels: Names = None, samples: Names = None
) -> list[SortedColumn]:
    """A `SortedColumn` for each label."""
    problem = read_problem(curves.average_precision, y_true, y_score, None, None, {})
    sample_names = display_names(samples, len(problem.samples), "sample", y_true, y_score)
    problem = problem._replace(samples=sample_names)
    names = display_names(labels, len(problem.labels), "label", y_true, y_score)
    columns = [ranks.rank_entries(column_entries(problem, [j]), "max") for j in range(len(names))]
    return list(map(SortedColumn, names, columns))


def sorted_columns(
    y_true: Any, y_score: Any, *, labels: Names = None, samples: Names = None
) -> Axes:
    """Picture of each label's samples in the order of their scores, with curve metrics below.

    Positive samples are filled, with ✓ and their precision: the share of positives down to them.

    Parameters
    ----------
    y_true : matrix of 0 and 1, shape (n_samples, n_labels), at most 50 of each
    y_score : matrix of finite numbers of the same shape
    labels, samples : names, optional, by default a DataFrame's

    Examples
    --------
    >>> sorted_columns([[0], [1]], [[0.4], [0.3]], labels=["sea"]).get_label()
    'Samples by score. Sea: 1 sample 1 0.4, 2 sample 2 0.3 (1/2 positive); average precision \
1/2 = 0.5, AUROC 0/1 = 0.'
    """
    lists = [
        _RankedList(column.label, _rows_with_shares(column.entries, "positive"), column.areas)
        for column in columns_by_score(y_true, y_score, labels, samples)
    ]
    sentences = [ranked.sentence(_phrases(ranked.rows)) for ranked in lists]
    box_width = 1.2 + text_width(row.name for row in lists[0].rows)
    lines_width = text_width(line for ranked in lists for line in ranked.metric_lines)
    list_width = 0.4 + max(1.1 + box_width, lines_width)
    widths = box_width, list_width, max(_LEFT + list_width * len(lists), 7.4)
    key = "✓ positive, with its precision: the share of ✓ so far"
    return _draw_lists(lists, widths, " ".join(["Samples by score.", *sentences]), key)
