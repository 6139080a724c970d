"""Notebooks and pages as the site shows them: links, anchors, living explorers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from nbformat import NotebookNode

from tools.site import explorers

PAGES = {"README": "index", "GLOSSARY": "glossary", "BENCHMARK": "benchmark", "SOURCES": "sources"}
PAGE = re.compile(rf"(?<=\]\()((?:\.\./)?)({'|'.join(PAGES)})(?=\.md[#)])")


def relinked(text: str) -> str:
    """Markdown whose links to the repository's pages lead to the site's."""
    return PAGE.sub(lambda found: found[1] + PAGES[found[2]], text)


def prepare(notebook: NotebookNode, anchors: Mapping[int, Sequence[str]]) -> None:
    """Give a copied notebook the site's links, anchors before cells (by position) and explorers."""
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
    for position in sorted(anchors, reverse=True):
        targets = "\n".join(f"({anchor})=" for anchor in anchors[position])
        cell = notebook.cells[position]
        if cell.cell_type == "markdown":
            cell.source = f"{targets}\n{cell.source}"
        else:
            before = {"cell_type": "markdown", "id": f"anchor-{position}", "metadata": {}}
            notebook.cells.insert(position, type(cell)(before, source=targets))
