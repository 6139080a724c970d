"""What the site is made of: links, anchors and explorers of the copied notebooks, its pages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from tools import notebooks
from tools.site import explorers
from tools.site.pages import PAGES
from tools.site.prepare import prepare, relinked

ROOT = Path(__file__).parent.parent
NOTEBOOKS = sorted(notebooks.NOTEBOOKS.glob("*.ipynb"))


# --- links


@pytest.mark.parametrize(
    ("written", "on_the_site"),
    [
        ("[GLOSSARY](../GLOSSARY.md)", "[GLOSSARY](../glossary.md)"),
        ("[times](BENCHMARK.md#dense)", "[times](benchmark.md#dense)"),
        ("[home](../README.md)", "[home](../index.md)"),
        ("[05](05_ranking.ipynb)", "[05](05_ranking.ipynb)"),
        ("`tools.readme` makes GLOSSARY.md", "`tools.readme` makes GLOSSARY.md"),
    ],
)
def test_a_link_leads_to_the_page_of_the_site(written: str, on_the_site: str) -> None:
    assert relinked(written) == on_the_site


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_local_link_of_a_notebook_has_a_page(path: Path) -> None:
    text = relinked("\n".join(cell.source for cell in notebooks.read(path).cells))
    pages = {f"../{name}.md" for name in [*PAGES, "index"]} | {one.name for one in NOTEBOOKS}
    assert set(re.findall(r"\]\(([\w./]+)[#)]", text)) <= pages


# --- anchors


def small() -> NotebookNode:
    return new_notebook(cells=[new_markdown_cell("# One"), new_code_cell("1 + 1")])


def test_an_anchor_stands_before_its_cell() -> None:
    notebook = small()
    prepare(notebook, {0: ["first", "again"], 1: ["sum"]})
    assert [cell.source for cell in notebook.cells] == [
        "(first)=\n(again)=\n# One",
        "(sum)=",
        "1 + 1",
    ]


# --- explorers

LINES = [
    "import math as m\nx = [[1, 0]]\nexit('never run')",
    "y = [row[:] for row in x]\ny[0][1] = 1",
]


def test_an_explorer_starts_with_what_its_notebook_gives_it() -> None:
    """Other lines of the notebook do not run: one of these would end Python."""
    start = explorers.shown_by([*LINES, "print(m)\npractice.explore(x, y, labels=['a', 'b'])"])
    assert start["shown"]["y_true"] == [[1, 0]]
    assert start["shown"]["y_pred"] == [[1, 1]]
    assert start["shown"]["labels"] == ["a", "b"]
