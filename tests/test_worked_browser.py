"""A worked solution in a real browser: a table with the right cells, and no script runs."""

from __future__ import annotations

import html
import json
import re

import browser
import pytest
from test_worked_rendering import BOARDS_WITH_NAMES, tables

pytestmark = browser.needs_chromium

PAGE = """<!doctype html><meta charset="utf-8"><title>untouched</title>
<main>{boards}</main><pre id="seen"></pre>
<script>
addEventListener("load", () => {{
  const all = (root, query) => [...root.querySelectorAll(query)];
  const seen = all(document, "main > div").map(board => ({{
    tables: all(board, "table").map(table => ({{
      caption: table.caption.innerText,
      head: all(table.tHead, "th[scope=col]").map(cell => cell.innerText),
      rows: [...table.tBodies[0].rows].map(row => [...row.cells].map(cell => cell.innerText)),
      named: [...table.tBodies[0].rows].every(row => row.cells[0].matches("th[scope=row]")),
      visible: table.getBoundingClientRect().height > 0,
    }})),
    foreign: all(board, "script, style, img, a, [class], [style], [onerror]").length,
  }}));
  document.getElementById("seen").textContent = JSON.stringify({{seen, title: document.title}});
}});
</script>"""


def opened(page, folder):
    file = folder / "page.html"
    file.write_text(page, encoding="utf-8")
    return browser.opened(file.as_uri(), folder / "profile")


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    """What the browser shows of all boards, on one page."""
    boards = "\n".join(board.to_html() for board in BOARDS_WITH_NAMES)
    page = opened(PAGE.format(boards=boards), tmp_path_factory.mktemp("boards"))
    return json.loads(html.unescape(re.search('<pre id="seen">(.*?)</pre>', page, re.DOTALL)[1]))


def test_no_script_ran(seen):
    assert seen["title"] == "untouched"
    assert [board["foreign"] for board in seen["seen"]] == [0] * len(BOARDS_WITH_NAMES)


def test_every_table_shows_its_cells(seen):
    for board, shown in zip(BOARDS_WITH_NAMES, seen["seen"], strict=True):
        expected = [[list(row) for row in table] for table in tables(board)]
        assert [[table["head"], *table["rows"]] for table in shown["tables"]] == expected
        assert all(table["named"] and table["visible"] for table in shown["tables"])
        captions = [step.caption for step in board.steps if hasattr(step, "caption")]
        assert [table["caption"] for table in shown["tables"]] == captions
