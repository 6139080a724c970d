"""Notebooks as the site shows them: links, anchors, living explorers and exercises."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from nbformat import NotebookNode, from_dict

from tools.site import explorers, take_home
from tools.site.pages.questions import questions

ANSWER = re.compile(r'(asked|question)\.check\(""\)')
"""A cell for an answer, which the site's exercises do not need."""
JUDGED = (
    "<p>The judge runs where Python does: <a href='../get.html'>get the notebook</a>, write the lines, and run the"
    " cell. It says what your function computes.</p>"
)


def prepare(notebook: NotebookNode, path: Path) -> None:
    """Give a copied notebook the site's links, anchors before answers, explorers and exercises."""
    answers = [question for question in questions() if question.notebook == path.stem]
    sources: list[str] = []
    cells = [cell for cell in notebook.cells if not ANSWER.match(cell.source)]
    notebook.cells = []
    for cell in cells:
        targets = [f"({question.anchor})=" for question in answers if question.cell == cell.id]
        if targets:
            notebook.cells.append(markdown_cell(f"before-{cell.id}", "\n".join(targets)))
        notebook.cells.append(cell)
        if cell.cell_type == "markdown":
            cell.source = cell.source.replace("](../docs/", "](../")
            continue
        sources.append(cell.source)
        if "jupyter" in cell.metadata:
            cell.metadata = {"tags": ["hide-output"]}
        if html := living(cell, sources):
            cell.outputs[0].data["text/html"] = html
    notebook.cells.insert(1, markdown_cell("take-home", take_home.links(path)))


def markdown_cell(name: str, source: str) -> NotebookNode:
    cell = {"cell_type": "markdown", "id": name, "metadata": {}, "source": source}
    made: NotebookNode = from_dict(cell)  # type: ignore[no-untyped-call]
    return made


def living(cell: NotebookNode, sources: Sequence[str]) -> str:
    """What stands for the output of an explorer or an exercise; empty for any other cell."""
    if explorers.CALL in cell.source:
        metrics = cell.metadata.slideshow.get("metrics", ())[-3:]
        return explorers.explorer_html(explorers.explorer_data(sources, metrics))
    if any(call in cell.source for call in explorers.EXERCISES):
        return explorers.exercise_html(sources, cell.id)
    return JUDGED if explorers.JUDGE in cell.source else ""
