"""Lists in the order of scores: a sample's labels, what a screen shows of them, and a label's samples."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from mlm_course.figures.look import INK, MARKS, PAPER, QUIET, SIZE, VERMILION, Mark
from mlm_course.figures.pen import box, headline, page, small, width_of, write
from mlm_course.figures.phrases import Labels, capitalized, counted, joined, named
from mlm_course.numbers import with_decimal
from mlm_helpers import catalogue, curves, top_k
from mlm_helpers._core import inputs
from mlm_helpers.tables import Ratio, with_slash
from mlm_helpers.tables.numbers import Number, decimal, format_number
from mlm_helpers.worked import column_steps as columns
from mlm_helpers.worked import rank_steps as ranks
from mlm_helpers.worked import solve
from mlm_helpers.worked.problem import read_problem
from mlm_helpers.worked.rank_steps import Entry, discount, divisor_text

_LEFT, _TOP, _STEP, _LINE = 0.3, 1.1, 0.62, 0.36  # inches: list, entry, next entry, next line
_INDENT = 0.35  # inches from the left of a list to its boxes


class _Entry(NamedTuple):
    """One entry of a list; its share stands beside it."""

    rank: str
    name: str
    score: float
    look: Mark
    share: str = ""


class _List(NamedTuple):
    """Entries from the top down, and what metrics read off them; shares so many inches to the right."""

    head: str
    entries: list[_Entry]
    summary: list[str]
    aside: float = 0.15

    def said(self, word: str, more: str = "") -> str:
        """Its part of the alternative text; a share is of so-called entries."""
        rows = [
            f"{one.rank} {one.name} {one.score:g}" + f" ({one.share} {word})" * bool(one.share)
            for one in self.entries
        ]
        return f"{capitalized(self.head)}: {', '.join(rows)}{more}; {', '.join(self.summary)}."


def _drawn(
    lists: list[_List], wide: float, apart: float, least: float, alt: str, key: str, foot: str = ""
) -> Axes:
    """Lists side by side, their numbers below them, and a foot and a key below all.

    ``wide`` is the width of a box, ``apart`` from one list to the next, ``least`` that of the page.
    """
    below = _TOP + 0.1 + _STEP * len(lists[0].entries)
    bottom = below + 0.15 + _LINE * max(len(one.summary) for one in lists) + 0.5 * bool(foot)
    ax = page(max(apart * len(lists), least), bottom + 0.4, alt)
    for i, one in enumerate(lists):
        left = _LEFT + apart * i
        headline(ax, capitalized(one.head), left)
        for j, entry in enumerate(one.entries):
            x, y, look = left + _INDENT, _TOP + _STEP * j, entry.look
            symbol = "" if look is MARKS[0] else look.symbol
            score = {"ha": "right", "color": look.ink, "label": "score"}
            write(ax, left, y, entry.rank, color=QUIET, label="rank")
            box(ax, x, y - 0.23, wide, 0.46, label=look.word, linewidth=1.4, **look.box)
            write(ax, x + 0.12, y, symbol, color=look.ink, label="mark")
            write(ax, x + 0.4, y, entry.name, color=look.ink, label="name")
            write(ax, x + wide - 0.12, y, f"{entry.score:g}", **score)
            write(ax, x + wide + one.aside, y, entry.share, fontweight="bold", label="share")
        for j, line in enumerate(one.summary):
            write(ax, left, below + _LINE * j, line, label="summary")
    write(ax, _LEFT, bottom - 0.5, foot, fontweight="bold", label="foot")
    small(ax, _LEFT, bottom, key)
    return ax


# ------------------------------------------------------------------------- a sample's labels

_READ: dict[str, ranks.ListSolver] = {
    "one-error": ranks.one_error_steps,
    "coverage": ranks.coverage_steps,
    "ranking loss": ranks.pair_steps,
    "average precision": ranks.average_precision_steps,
}


def rank_lists(
    scores: Mapping[str, Sequence[float]], y_true: ArrayLike, labels: Labels = None
) -> Axes:
    """Picture of one sample's labels in the order of each model's scores, with ranking metrics below.

    Relevant labels are filled and carry ✓ and the share of relevant labels down to their rank;
    a bracket with ⇅ joins each misordered pair; a dashed line shows how far one has to read.

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
    row = np.atleast_2d(np.asanyarray(y_true))
    if len(row) != 1:
        raise ValueError(f"y_true has {len(row)} samples: give the labels of one")
    names = named(labels, row.shape[1], "label", y_true)
    orders, lists, said = [], [], ["Labels by rank."]
    for model, given in scores.items():
        data = inputs.read_label_scores(row, np.atleast_2d(np.asarray(given)))
        truth, score = data.truth[0].tolist(), data.prediction[0].tolist()
        order = _order(truth, score, names, "worst")
        pairs = _misordered(order)
        wrong = joined(
            [f"{order[above].name} before {order[below].name}" for above, below in pairs]
        )
        lists.append(_ranking(model, order, 0.26 * len(pairs) + 0.35))
        said.append(lists[-1].said("relevant", f"; misordered {wrong}" * bool(pairs)))
        orders.append((order, pairs))
    wide = 1.2 + width_of(names)
    apart = max(1.9 + wide + 0.26 * max(len(pairs) for _, pairs in orders), 4.2)
    key = "✓ relevant, with its share of ✓ so far     ⇅ misordered pair"
    key += "     - - -  read down to here"
    ax = _drawn(lists, wide, apart, 8.4, " ".join(said), key)
    for i, (order, pairs) in enumerate(orders):
        _draw_pairs(ax, _LEFT + apart * i, wide, order, pairs)
    return ax


def _order(
    truth: Sequence[float], score: Sequence[float], names: Sequence[str], ties: str
) -> list[Entry]:
    """The labels with their ranks, from the highest score down."""
    cells = zip(names, map(bool, truth), score, range(len(score)), strict=True)
    return ranks.rank_entries([Entry(*cell) for cell in cells], ties)


def _misordered(order: list[Entry]) -> list[tuple[int, int]]:
    """Places of irrelevant labels and of the relevant ones they stand above or level, closest first."""
    places = sorted(range(len(order)), key=lambda i: order[i].position)
    relevant = [i for i in places if order[i].relevant]
    others = [i for i in places if not order[i].relevant]
    pairs = [(b, a) for a in relevant for b in others if ranks.below(order[a], order[b], "worst")]
    return sorted(pairs, key=lambda pair: abs(pair[0] - pair[1]))


def _ranking(model: str, order: list[Entry], aside: float) -> _List:
    """One model's list; tied labels share the largest rank."""
    entries = []
    for one in order:
        share = f"{one.rank_among_relevant}/{one.rank}" * one.relevant
        entries.append(_Entry(str(one.rank), one.name, one.score, MARKS[3 * one.relevant], share))
    values = []
    for name, read_off in _READ.items():
        _, found = read_off(order, {"ties": "worst", "start": 1})
        if isinstance(found, Ratio) and name != "ranking loss":
            found = Fraction(*found)
        values.append(f"{name} {_value(found)}")
    return _List(model, entries, values, aside)


def _value(found: Ratio | Number | None) -> str:
    if found is None:
        return "undefined"
    return counted(found) if isinstance(found, Ratio) else with_decimal(found)


def _draw_pairs(
    ax: Axes, left: float, wide: float, order: list[Entry], pairs: list[tuple[int, int]]
) -> None:
    """Draw a bracket for each misordered pair, and the depth of coverage."""
    x = left + _INDENT + wide
    for lane, pair in enumerate(pairs, start=1):
        (above, below), end = (_TOP + _STEP * i for i in pair), x + 0.26 * lane
        way = [x + 0.05, end, end, x + 0.05], [above, above, below, below]
        ax.plot(*way, color=VERMILION, linewidth=2.2, label="misordered")
        patch = {"facecolor": PAPER, "edgecolor": "none", "pad": 0.4}
        write(ax, end, (above + below) / 2, "⇅", ha="center", fontsize=SIZE + 1, bbox=patch)
    relevant = [float(label.rank) for label in order if label.relevant]
    if relevant:
        ends, depth = [left, x + 0.26 * len(pairs) + 0.7], _TOP + _STEP * (max(relevant) - 0.5)
        ax.plot(ends, [depth, depth], "--", color=INK, linewidth=1.6, label="depth")


# --------------------------------------------------------------------------- the first k labels

_METRICS = (top_k.precision, top_k.recall, top_k.ndcg)


def top_window(
    y_true: ArrayLike, y_score: ArrayLike, *, k: int, labels: Labels = None, samples: Labels = None
) -> Axes:
    """Each sample's labels in the order of their scores, the first k of them in a frame.

    In the frame are hits ✓ and false alarms ✗, and beside it what a hit counts there in nDCG; below
    it misses ○ and what is rightly left out. Precision, recall and nDCG follow, and of several
    samples their means; a sample without relevant labels counts 0. Tied labels stand in the order of
    their index.

    Parameters
    ----------
    y_true : matrix of 0 and 1, shape (n_samples, n_labels)
    y_score : matrix of finite numbers, shape (n_samples, n_labels)
    k : from 1 to n_labels
    labels, samples : names, optional, by default a DataFrame's

    Examples
    --------
    >>> top_window([[1, 0]], [[0.3, 0.4]], k=1, labels=["sea", "sun"]).get_label()
    'The first 1 of 2 labels; a hit counts 1. Sample 1: false alarm sun 0.4; below, miss sea 0.3; \
precision at 1 = 0, recall at 1 = 0, nDCG at 1 = 0.'
    """
    data = inputs.read_label_scores(y_true, y_score)
    truth, score = data.truth, data.prediction
    by_hand: Any = partial(solve, y_true=truth, y_pred_or_score=score, k=k, ties="first")
    values = [by_hand(metric, per_sample=True).value for metric in _METRICS]
    means = _written(k, [by_hand(metric).value for metric in _METRICS])
    foot = f"Mean: {', '.join(means)}" if len(truth) > 1 else ""
    names = named(labels, truth.shape[1], "label", y_true, y_score)
    lists = []
    for i, sample in enumerate(named(samples, len(truth), "sample", y_true, y_score)):
        order = _order(truth[i].tolist(), score[i].tolist(), names, "first")
        entries = [
            _Entry(str(place + 1), one.name, one.score, MARKS[2 * one.relevant + (place < k)])
            for place, one in enumerate(order)
        ]
        lists.append(_List(sample, entries, _written(k, [each[i] for each in values])))

    key = "✓ hit   ✗ false alarm   ○ miss     in the frame: what is shown; beside it: what a hit"
    key += " counts in nDCG"
    worth = [float(discount(place)) for place in range(1, k + 1)]
    counts = [f"1/{divisor_text(i)} {_equals(count)}" for i, count in enumerate(worth, start=1)]
    said = [f"The first {k} of {len(names)} labels; a hit counts {', '.join(map(decimal, worth))}."]
    said += [_window_said(one, k) for one in lists] + [f"{foot}."] * bool(foot)
    wide = 0.8 + width_of(names) + width_of(f"{s:g}" for s in score.flat)
    lines = [line for one in lists for line in one.summary]
    apart = 0.5 + max(0.6 + wide + width_of(counts), width_of(lines))
    texts = width_of([foot]) * 1.15, width_of([key], SIZE - 2)  # bold is wider
    least = max(apart * len(lists) + _LEFT, _LEFT + max(texts)) + 0.3
    ax = _drawn(lists, wide, apart, least, " ".join(said), key, foot)
    frame: Any = {"facecolor": "none", "edgecolor": INK, "linewidth": 2.4, "label": "frame"}
    for i in range(len(lists)):
        x = _LEFT + apart * i + _INDENT
        box(ax, x - 0.1, _TOP - 0.31, wide + 0.2, _STEP * k, **frame)
        for place, text in enumerate(counts):
            write(ax, x + wide + 0.2, _TOP + _STEP * place, text, color=QUIET, label="count")
    return ax


def _written(k: int, values: Sequence[Number]) -> list[str]:
    """The metrics with their values: 'precision at 3 = 1/3 ≈ 0.333'."""
    names = [catalogue.full_name(partial(metric, k=k)) for metric in _METRICS]
    return [f"{name} {_equals(value)}" for name, value in zip(names, values, strict=True)]


def _equals(value: Number) -> str:
    if isinstance(value, Fraction):
        return f"= {with_decimal(value)}"
    return f"{'=' if round(value, 3) == value else '≈'} {decimal(value)}"


def _window_said(one: _List, k: int) -> str:
    """One sample's part of the alternative text."""
    said = [
        f"{entry.look.word} {entry.name} {entry.score:g}".removeprefix("rightly left out ")
        for entry in one.entries
    ]
    below = [f"below, {', '.join(said[k:])}"] * (len(said) > k)
    shown = "; ".join([", ".join(said[:k]), *below, ", ".join(one.summary)])
    return f"{capitalized(one.head)}: {shown}."


# -------------------------------------------------------------------------- a label's samples


class Sorted(NamedTuple):
    """A label's samples from the top down, each with the share of positives down to it."""

    label: str
    reached: list[tuple[Entry, Ratio]]

    @property
    def areas(self) -> list[str]:
        """Its average precision and its AUROC in words, tied samples as one threshold."""
        items = [item for item, _ in self.reached]
        _, precision = ranks.average_precision_steps(items, {"ties": "worst"})
        if isinstance(precision, Fraction):
            precision = Ratio(*map(Fraction, precision.as_integer_ratio()))
        _, pairs = ranks.pair_steps(items, {}, is_won=True)
        return [f"average precision {_value(precision)}", f"AUROC {_value(pairs)}"]


def in_order(
    y_true: Any, y_score: Any, labels: Labels = None, samples: Labels = None
) -> list[Sorted]:
    """Each label's samples by score."""
    given = y_true, y_score
    problem = read_problem(curves.average_precision, *given, None, None, {})
    problem = problem._replace(samples=named(samples, len(problem.samples), "sample", *given))
    lists = []
    for j, name in enumerate(named(labels, len(problem.labels), "label", *given)):
        order = ranks.rank_entries(columns.column_entries(problem, [j]), "worst")
        reached = [(item, Ratio(item.rank_among_relevant, item.rank)) for item in order]
        lists.append(Sorted(name, reached))
    return lists


def sorted_columns(
    y_true: Any, y_score: Any, *, labels: Labels = None, samples: Labels = None
) -> Axes:
    """Picture of each label's samples in the order of their scores, with curve metrics below.

    Positive samples are filled and carry ✓ and their precision: the share of positives down to them.

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
    lists = []
    for one in in_order(y_true, y_score, labels, samples):
        entries = []
        for item, share in one.reached:
            look, beside = MARKS[3 * item.relevant], with_slash(share) * item.relevant
            entries.append(
                _Entry(format_number(share.denominator), item.name, item.score, look, beside)
            )
        lists.append(_List(one.label, entries, one.areas))
    alt = " ".join(["Samples by score.", *(one.said("positive") for one in lists)])
    wide = 1.2 + width_of(entry.name for entry in lists[0].entries)
    apart = 0.4 + max(1.1 + wide, width_of(line for one in lists for line in one.summary))
    least = max(_LEFT + apart * len(lists), 7.4)
    key = "✓ positive, with its precision: the share of ✓ so far"
    return _drawn(lists, wide, apart, least, alt, key)
