"""The two renderings of a worked solution: the same steps, and names that are only ever text."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from mlm_helpers import exact_match, label_based, ranking
from mlm_helpers.tables import Sentence, Table
from mlm_helpers.worked import solve

NAMES = {  # as given, and as shown: on one line, with invisible characters made visible
    "<img src=x onerror=\"document.title='pwned'\">": "<img src=x onerror=\"document.title='pwned'\">",
    r"\(y\) \[z\] \begin{w} $x$": r"\(y\) \[z\] \begin{w} $x$",
    "a|b": "a|b",
    "\\": "\\",
    "two\nlines\r\n": "two lines",
    "&amp;": "&amp;",
    "*_`~~^#[u](v)!": "*_`~~^#[u](v)!",
    "رياضة 12": "\u2068رياضة 12\u2069",
    "体育": "体育",
    "zero\u200bwidth": "zero\ufffdwidth",
    "bell\x07 nul\x00 esc\x1b": "bell\ufffd nul\ufffd esc\ufffd",
    "turned\u202earound": "turned\ufffdaround",
    "नि\u200dश": "नि\u200dश",
    " ": '""',
}
N = len(NAMES)
Y_TRUE = [[int(i == j or j == 0) for j in range(N)] for i in range(N)]
Y_PRED = [[int(i >= j) for j in range(N)] for i in range(N)]
KINDS = {
    exact_match.subset_accuracy: {},
    label_based.f1: {"sample_weight": [0.1] * N},
    ranking.ranking_loss: {},
    ranking.average_precision: {"ties": "first"},
}


@pytest.fixture(scope="module", params=KINDS, ids=lambda metric: metric.__name__)
def board(request):
    """A board of each kind, its labels and samples named by every name there is."""
    metric, names = request.param, {"labels": list(NAMES), "samples": list(NAMES)}
    return solve(metric, Y_TRUE, Y_PRED, **KINDS[metric], **names)


TAGS = {
    *["main", "div", "p", "strong", "span", "table", "caption", "thead", "tbody", "tr", "th", "td"]
}


def tables(board):
    """Header and rows of each table as the plain words that a reader should see."""
    return [
        [step.header, *(tuple(map(written, row)) for row in step.rows)]
        for step in board.steps
        if isinstance(step, Table)
    ]


def written(cell):
    return cell if isinstance(cell, str) else f"{shown(cell.numerator)}/{shown(cell.denominator)}"


def shown(number):
    return str(number.numerator) if number.denominator == 1 else f"{float(number):.12g}"


def flat_cells(board):
    return [cell for table in tables(board) for row in table for cell in row]


def test_html_is_sound_and_shows_every_cell(board):
    assert board._repr_html_() == board.to_html()
    page = ElementTree.fromstring(f"<main>{board.to_html()}</main>")  # tags balance
    assert {one.tag for one in page.iter()} <= TAGS

    def texts(*tags):
        return ["".join(one.itertext()) for one in page.iter() if one.tag in tags]

    assert texts("th", "td") == flat_cells(board)
    assert texts("caption") == [step.caption for step in board.steps if isinstance(step, Table)]
    for table, rows in zip(page.iter("table"), tables(board), strict=True):
        scopes = [one.attrib for one in table.iter("th")]
        assert scopes == [{"scope": "col"}] * len(rows[0]) + [{"scope": "row"}] * (len(rows) - 1)
    assert not any(one.attrib for one in page.iter() if one.tag != "th")
    said = [step.text for step in board.steps if isinstance(step, Sentence)]
    assert texts("p")[0] == board.title and [text for text in texts("p") if text in said] == said
    # MathJax, which viewers run over a page, reads no formula across two elements
    assert all(len(piece) == 1 for piece in page.itertext() if "$" in piece or "\\" in piece)


def test_text_is_plain_and_in_columns(board):
    text = board.to_text()
    assert [name for name in NAMES.values() if name not in text] == []
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e]", text)
    lines = [line.split() for line in text.splitlines()]
    rows = [" ".join(row).split() for table in tables(board) for row in table]
    assert [line for line in lines if line in rows] == rows
