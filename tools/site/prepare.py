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
    "TEACHING": "teachers",
}
ANSWER = re.compile(r'(asked|question)\.check\(""\)')
"""A cell for an answer, of which the site's exercises have no need."""
JUDGED = (
    "<p>The judge runs where Python does: <a href='../get.html'>get the notebook</a>, write the lines, and run the"
    " cell. It says what your function computes.</p>"
)
PAGE = re.compile(rf"(?<=\]\()((?:\.\./)?)({'|'.join(PAGES)})(?=\.md[#)])")


def relinked(text: str) -> str:
    """Markdown whose links to the repository's pages lead to the site's."""
    return PAGE.sub(lambda found: found[1] + PAGES[found[2]], text)


def prepare(notebook: NotebookNode, anchors: Mapping[str, Sequence[str]]) -> None:
    """Give a copied notebook the site's links, anchors before cells (by id) and explorers."""
    sources: list[str] = []
    notebook.cells = [cell for cell in notebook.cells if not ANSWER.match(cell.source)]
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = relinked(cell.source)
            continue
        sources.append(cell.source)
        if "jupyter" in cell.metadata:
            cell.metadata = {"tags": ["hide-output"]}
        if explorers.CALL in cell.source:
            (output,) = cell.outputs
            output.data["text/html"] = explorers.living(
                explorers.shown_by(sources, cell.metadata.slideshow.get("metrics", ())[-3:])
            )
        elif any(call in cell.source for call in explorers.EXERCISES):
            cell.outputs[0].data["text/html"] = explorers.asked(sources, cell.id)
        elif explorers.JUDGE in cell.source:
            cell.outputs[0].data["text/html"] = JUDGED
    for anchored in [cell for cell in notebook.cells if cell.id in anchors]:
        targets = "\n".join(f"({anchor})=" for anchor in anchors[anchored.id])
        if anchored.cell_type == "markdown":
            anchored.source = f"{targets}\n{anchored.source}"
        else:
            before = {"cell_type": "markdown", "id": f"before-{anchored.id}", "metadata": {}}
            place = notebook.cells.index(anchored)
            notebook.cells.insert(place, type(anchored)(before, source=targets))
