"""Prepare notebooks for the site: links, anchors, interactive explorers and exercises."""

import re
from collections.abc import Sequence
from pathlib import Path

from nbformat import NotebookNode

from tools.notebooks import markdown_cell
from tools.site import explorers, take_home
from tools.site.pages.questions import questions

ANSWER_CELL = re.compile(r'(asked|question)\.check\(""\)')
"""A cell in which a reader answers an exercise; on the site, the exercise itself takes answers."""
NOT_ON_PAGES = re.compile(r" [^.]*Shift \+ Enter[^.]*\.")
SITE_PAGES = {"Tools": "tools", "Which metrics can disagree": "disagreements"}  # by their titles
JUDGE_NOTE = (
    "<p>The judge runs where Python does: <a href='../get.html'>get the notebook</a>, write the"
    " lines, and run the"
    " cell. It says what your function computes.</p>"
)


def prepare(notebook: NotebookNode, path: Path) -> None:
    """Change a notebook, which was read for the site, to its form there.

    A question's anchor stands before the cell that answers. An explorer or an exercise replaces the
    output of its cell.
    """
    sources: list[str] = []
    cells = [cell for cell in notebook.cells if not ANSWER_CELL.match(cell.source)]
    notebook.cells = []
    for cell in cells:
        place = path.stem, cell.id
        anchors = [f"({q.anchor})=" for q in questions() if (q.notebook, q.cell) == place]
        if anchors:
            notebook.cells.append(markdown_cell(f"before-{cell.id}", "\n".join(anchors)))
        notebook.cells.append(cell)
        if cell.cell_type == "markdown":
            cell.source = NOT_ON_PAGES.sub("", cell.source.replace("](../docs/", "](../"))
            for title, page in SITE_PAGES.items():
                cell.source = cell.source.replace(f"*{title}* of", f"[{title}](../{page}.md) of")
            continue
        sources.append(cell.source)
        if "jupyter" in cell.metadata:
            is_hidden = "source_hidden" in cell.metadata["jupyter"]
            cell.metadata = {"tags": ["hide-cell" if is_hidden else "hide-output"]}
        elif len(sources) == 1:  # a picture and a question are the first that a reader sees
            cell.metadata["tags"] = ["hide-input"]
        if html := output_html(cell, sources):
            cell.outputs[0].data["text/html"] = html
    notebook.cells.insert(1, markdown_cell("take-home", take_home.download_links(path)))


def output_html(cell: NotebookNode, sources: Sequence[str]) -> str:
    """HTML that replaces the output of the last cell, if that is interactive; otherwise empty."""
    if explorers.CALL in cell.source:
        metrics = cell.metadata.slideshow.get("metrics", ())[-3:]
        return explorers.explorer_html(explorers.explorer_data(sources, metrics))
    if any(call in cell.source for call in explorers.EXERCISES):
        return explorers.exercise_html(sources, cell.id)
    return JUDGE_NOTE if explorers.JUDGE in cell.source else ""
