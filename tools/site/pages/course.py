"""The page of the course: its notebooks, by the questions that they answer."""

from __future__ import annotations

from tools import notebooks
from tools.site.pages.markdown import filled, first_line, part_of_readme

TITLES = {
    f"notebooks/{path.stem}": f"{path.stem[:2]} {first_line(notebooks.read_notebook(path).cells[0].source)}"
    for path in sorted(notebooks.NOTEBOOKS.glob("*.ipynb"))
}
"""The titles of the notebooks, by their pages."""


def text() -> str:
    contents = "\n".join(f"{title} <{page}>" for page, title in TITLES.items())
    return filled("course", notebooks=part_of_readme("notebooks"), contents=contents)
