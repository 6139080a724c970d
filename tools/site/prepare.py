"""Notebooks and pages as the site shows them: links, anchors, living explorers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from nbformat import NotebookNode

from tools.site import explorers

PAGES = {
    "README": "index",
    "GLOSSARY": "glossary",
    "BENCHMARK": "benchmark",
    "METRICS": "metrics",
    "RECIPES": "recipes",
    "SOURCES": "sources",
}
PAGE = re.compile(rf"(?<=\]\()((?:\.\./)?)({'|'.join(PAGES)})(?=\.md[#)])")


def relinked(text: str) -> str:
    """Markdown whose links to the repository's pages lead to the site's."""
    return PAGE.sub(lambda found: found[1] + PAGES[found[2]], text)


def prepare(notebook: NotebookNode, anchors: Mapping[str, Sequence[str]]) -> None:
    """Give a copied notebook the site's links, anchors before cells (by id) and explorers."""
    sources: list[str] = []
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = relinked(cell.source)
            continue
        sources.append(cell.source)
        if "jupyter" in cell.metadata:
            cell.metadata = {"tags": ["hide-output"]}
        if explorers.CALL in cell.source:
            (output,) = cell.outputs
            output.data["text/html"] = explorers.living(explorers.shown_by(sources))
    for anchored in [cell for cell in notebook.cells if cell.id in anchors]:
        targets = "\n".join(f"({anchor})=" for anchor in anchors[anchored.id])
        if anchored.cell_type == "markdown":
            anchored.source = f"{targets}\n{anchored.source}"
        else:
            before = {"cell_type": "markdown", "id": f"before-{anchored.id}", "metadata": {}}
            place = notebook.cells.index(anchored)
            notebook.cells.insert(place, type(anchored)(before, source=targets))
