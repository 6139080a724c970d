"""The two renderings of a worked solution: the same steps, and names that are only ever text."""

from __future__ import annotations

import html.parser
import re
from itertools import chain

import pytest

from mlm_helpers import exact_match, label_based, ranking
from mlm_helpers.board import Sentence, Table
from mlm_helpers.worked import solve

NAMES = {  # as given, and as shown: on one line, with invisible characters made visible
    '<script>document.title="pwned"</script>': '<script>document.title="pwned"</script>',
    "<img src=x onerror=\"document.title='pwned'\">": "<img src=x onerror=\"document.title='pwned'\">",
    "$x$": "$x$",
    r"\(y\) \[z\] \begin{w}": r"\(y\) \[z\] \begin{w}",
    "a|b": "a|b",
    "\\": "\\",
    "\\\\": "\\\\",
    "two\nlines\r\n": "two lines",
    "&amp;": "&amp;",
    "*_`~~^#[u](v)!": "*_`~~^#[u](v)!",
    "100 % {of} ~it": "100 % {of} ~it",
    "חדשות": "\u2068חדשות\u2069",
    "رياضة 12": "\u2068رياضة 12\u2069",
    "体育": "体育",
    "zero\u200bwidth": "zero\ufffdwidth",
    "bell\x07 nul\x00 esc\x1b": "bell\ufffd nul\ufffd esc\ufffd",
    "turned\u202earound": "turned\ufffdaround",
    "नि\u200dश": "नि\u200dश",
    "é": "é",
    " ": '""',
}


def named_boards():
    """A board for each kind of table, its labels and samples named by every name there is."""
    n = len(NAMES)
    y_true = [[int(i == j or j == 0) for j in range(n)] for i in range(n)]
    y_pred = [[int(i >= j) for j in range(n)] for i in range(n)]
    names = {"labels": list(NAMES), "samples": list(NAMES)}
    yield solve(exact_match.subset_accuracy, y_true, y_pred, **names)
    yield solve(label_based.f1, y_true, y_pred, sample_weight=[0.1] * n, **names)
    for metric in (ranking.coverage, ranking.one_error, ranking.ranking_loss):
        yield solve(metric, y_true, y_pred, **names)
    yield solve(ranking.average_precision, y_true, y_pred, ties="first", **names)


BOARDS_WITH_NAMES = list(named_boards())
with_names = pytest.mark.parametrize("board", BOARDS_WITH_NAMES, ids=lambda board: board.title)


def tables(board):
    """Header and rows of each table as the plain words that a reader should see."""
    return [
        [step.header, *(tuple(map(written, row)) for row in step.rows)]
        for step in board.steps
        if isinstance(step, Table)
    ]


def written(cell):
    return cell if isinstance(cell, str) else f"{shown(cell.above)}/{shown(cell.below)}"


def shown(number):
    return str(number.numerator) if number.denominator == 1 else f"{float(number):.12g}"


@with_names
def test_the_boards_show_the_names(board):
    cells = [cell for table in tables(board) for row in table for cell in row]
    every = "\n".join(cells)
    assert [name for name in NAMES.values() if name not in every] == []
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e]", every)


MARKUP = {"p", "strong", "span", "table", "thead", "tbody", "tr", "th", "td"}
VOID = {"img", "br", "hr", "meta", "input", "link"}


class Page(html.parser.HTMLParser):
    """Tags with their attributes, the text of each cell, caption and paragraph; tags must balance."""

    def __init__(self, source):
        super().__init__()
        self.open, self.tags, self.texts, self.pieces = [], [], [], [""]
        self.feed(source)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)
        if tag in ("p", "caption", "th", "td"):
            self.texts.append((tag, ""))
        self.pieces.append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag
        self.pieces.append("")

    def handle_data(self, data):
        self.pieces[-1] += data
        if set(self.open) & {"p", "caption", "th", "td"}:
            tag, text = self.texts[-1]
            self.texts[-1] = tag, text + data

    def cells(self):
        return [text for tag, text in self.texts if tag in ("th", "td")]


def flat_cells(board):
    return [cell for table in tables(board) for row in table for cell in row]


@with_names
def test_html_is_sound_and_shows_every_cell(board):
    page = Page(board.to_html())
    assert board._repr_html_() == board.to_html()
    assert page.cells() == flat_cells(board)
    assert {tag for tag, _ in page.tags} <= MARKUP | {"div", "caption"}
    n_tables = len(tables(board))
    assert [sum(t == k for t, _ in page.tags) for k in ("table", "caption")] == [n_tables] * 2
    captions = [step.caption for step in board.steps if isinstance(step, Table)]
    assert [text for tag, text in page.texts if tag == "caption"] == captions
    for tag, attributes in page.tags:
        assert attributes in ([{"scope": "col"}, {"scope": "row"}] if tag == "th" else [{}])
    scopes = [attributes["scope"] for tag, attributes in page.tags if tag == "th"]
    expected = [["col"] * len(table[0]) + ["row"] * (len(table) - 1) for table in tables(board)]
    assert scopes == list(chain.from_iterable(expected))
    texts = [s.text for s in board.steps if isinstance(s, Sentence)]
    said = [text for tag, text in page.texts if tag == "p"]
    assert said[0] == board.title and [text for text in said if text in texts] == texts


def holds_no_delimiter(page):
    """MathJax, which viewers run over a page, reads no formula across two elements."""
    return all(len(piece) == 1 for piece in page.pieces if "$" in piece or "\\" in piece)


@with_names
def test_names_are_no_formulas(board):
    assert holds_no_delimiter(Page(board.to_html()))


@with_names
def test_text_is_plain_and_in_columns(board):
    text = board.to_text()
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", text)
    lines = [line.split() for line in text.splitlines()]
    rows = [" ".join(row).split() for table in tables(board) for row in table]
    assert [line for line in lines if line in rows] == rows
