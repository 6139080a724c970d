"""Notebooks as the site shows them: links, anchors, living explorers and exercises."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell

from tools.site import explorers

ANSWER = re.compile(r'(asked|question)\.check\(""\)')
"""A cell for an answer, which the site's exercises do not need."""
JUDGED = (
    "<p>The judge runs where Python does: <a href='../get.html'>get the notebook</a>, write the lines, and run the"
    " cell. It says what your function computes.</p>"
)


def prepare(notebook: NotebookNode, anchors: Mapping[str, Sequence[str]]) -> None:
    """Give a copied notebook the site's links, anchors before cells (by id) and explorers."""
    sources: list[str] = []
    cells = [cell for cell in notebook.cells if not ANSWER.match(cell.source)]
    notebook.cells = []
    for cell in cells:
        if targets := "\n".join(f"({anchor})=" for anchor in anchors.get(cell.id, ())):
            notebook.cells.append(new_markdown_cell(targets, id=f"before-{cell.id}"))
        notebook.cells.append(cell)
        if cell.cell_type == "markdown":
            cell.source = cell.source.replace("](../docs/", "](../")
            continue
        sources.append(cell.source)
        if "jupyter" in cell.metadata:
            cell.metadata = {"tags": ["hide-output"]}
        if html := living(cell, sources):
            cell.outputs[0].data["text/html"] = html


def living(cell: NotebookNode, sources: Sequence[str]) -> str:
    """What stands for the output of an explorer or an exercise; empty for any other cell."""
    if explorers.CALL in cell.source:
        metrics = cell.metadata.slideshow.get("metrics", ())[-3:]
        return explorers.living(explorers.shown_by(sources, metrics))
    if any(call in cell.source for call in explorers.EXERCISES):
        return explorers.asked(sources, cell.id)
    return JUDGED if explorers.JUDGE in cell.source else ""
