"""What readers ask, and the cell of a notebook that answers, from questions.toml."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple

from nbformat import NotebookNode

from tools import notebooks
from tools.site.pages.markdown import page

TABLE = Path(__file__).parents[1] / "questions.toml"
INTRO = """\
Each question leads to the cell that answers it.
"""


class Question(NamedTuple):
    """A question of a group, the cell that answers by a phrase in it, and the answer in short."""

    id: str
    group: str
    asks: str
    notebook: str
    phrase: str
    says: str

    @property
    def anchor(self) -> str:
        return f"answer-{self.id}"


@cache
def questions() -> tuple[Question, ...]:
    table = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    return tuple(
        Question(name, group, **entry)
        for group, entries in table.items()
        for name, entry in entries.items()
    )


def text() -> str:
    groups = dict.fromkeys(question.group for question in questions())
    return page("Questions", INTRO, *map(_group, groups))


def _group(group: str) -> str:
    asked = [question for question in questions() if question.group == group]
    lines = [f"* [{one.asks}](#{one.anchor}) {one.says}" for one in asked]
    return f"## {group}\n\n" + "\n".join(lines)


def anchors(notebook: str) -> dict[int, list[str]]:
    """Of a notebook, the anchors of each cell that answers, by its position."""
    found: dict[int, list[str]] = {}
    for question in questions():
        if question.notebook == notebook:
            (position,) = places(question)
            found.setdefault(position, []).append(question.anchor)
    return found


def places(question: Question) -> list[int]:
    """The positions of the cells in which the phrase of a question stands."""
    texts = map(cell_text, _cells(question.notebook))
    return [position for position, said in enumerate(texts) if question.phrase in said]


def cell_text(cell: NotebookNode) -> str:
    """What a cell says: its source, and what it printed."""
    shown = [
        output.get("text", "") or output.get("data", {}).get("text/plain", "")
        for output in cell.get("outputs", [])
    ]
    return "\n".join([cell.source, *shown])


@cache
def _cells(notebook: str) -> list[NotebookNode]:
    cells: list[NotebookNode] = notebooks.read(notebooks.NOTEBOOKS / f"{notebook}.ipynb").cells
    return cells
