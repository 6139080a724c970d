"""A worked solution as HTML and as text: both have all steps, and no name is read as markup."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from mlm_helpers import exact_match, label_based, ranking
from mlm_helpers.tables import Sentence, Table
from mlm_helpers.worked import solve

NAMES = {  # a name, and its text in a display: on one line, without invisible characters
    "<img src=x onerror=\"document.title='x'\">": "<img src=x onerror=\"document.title='x'\">",
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
Y_TRUE, Y_PRED = np.eye(N, dtype=int), np.tri(N, dtype=int)
Y_TRUE[:, 0] = 1
OPTIONS = {  # of a metric of each kind
    exact_match.subset_accuracy: {},
    label_based.f1: {"sample_weight": [0.1] * N},
    ranking.ranking_loss: {},
    ranking.average_precision: {"ties": "first"},
}


@pytest.fixture(scope="module", params=OPTIONS, ids=lambda metric: metric.__name__)
def solution(request):
    """A solution of each kind, in which labels and samples have all the names."""
    metric, names = request.param, {"labels": list(NAMES), "samples": list(NAMES)}
    return solve(metric, Y_TRUE, Y_PRED, **OPTIONS[metric], **names)


TAGS = {
    *["main", "div", "p", "strong", "span", "table", "caption", "thead", "tbody", "tr", "th", "td"]
}


def tables(solution):
    """Header and rows of each table as text."""
    texts = []
    for step in solution.steps:
        if isinstance(step, Table):
            texts.append([step.header, *(tuple(map(cell_text, row)) for row in step.rows)])
    return texts


def cell_text(cell):
    return cell if isinstance(cell, str) else "/".join(map(number_text, cell))


def number_text(number):
    return str(number.numerator) if number.denominator == 1 else f"{float(number):.12g}"


def test_html_is_valid_and_has_all_cells(solution):
    assert solution._repr_html_() == solution.to_html()
    page = ElementTree.fromstring(f"<main>{solution.to_html()}</main>")  # tags balance
    assert {element.tag for element in page.iter()} <= TAGS

    def texts(*tags):
        return ["".join(element.itertext()) for element in page.iter() if element.tag in tags]

    steps = solution.steps
    assert texts("th", "td") == [
        cell for table in tables(solution) for row in table for cell in row
    ]
    assert texts("caption") == [step.caption for step in steps if isinstance(step, Table)]
    for table, rows in zip(page.iter("table"), tables(solution), strict=True):
        scopes = [element.attrib["scope"] for element in table.iter("th")]
        assert scopes == ["col"] * len(rows[0]) + ["row"] * (len(rows) - 1)
    assert {name for element in page.iter() for name in element.attrib} <= {"scope", "style"}
    sentences = [step.text for step in steps if isinstance(step, Sentence)]
    assert texts("p")[0] == solution.title
    assert [text for text in texts("p") if text in sentences] == sentences
    # MathJax, which viewers run over a page, finds no formula across two elements
    assert all(len(text) == 1 for text in page.itertext() if "$" in text or "\\" in text)


def test_text_is_plain_and_in_columns(solution):
    text = solution.to_text()
    assert [name for name in NAMES.values() if name not in text] == []
    # control characters, zero-width space, changes of direction
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e]", text)
    lines = [line.split() for line in text.splitlines()]
    rows = [" ".join(row).split() for table in tables(solution) for row in table]
    assert [line for line in lines if line in rows] == rows
