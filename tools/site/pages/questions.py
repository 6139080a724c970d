"""What readers ask, and the cell of a notebook that answers, from questions.toml."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tools.site.pages.markdown import page

TABLE = Path(__file__).parents[1] / "questions.toml"
INTRO = """\
Each question leads to the cell that answers it.
"""


class Question(NamedTuple):
    """A question of a group, the id of the cell that answers, and the answer in short."""

    id: str
    group: str
    asks: str
    notebook: str
    cell: str
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


def anchors(notebook: str) -> dict[str, list[str]]:
    """Anchors of each cell of a notebook that answers a question, by the cell's id."""
    found: dict[str, list[str]] = {}
    for question in questions():
        if question.notebook == notebook:
            found.setdefault(question.cell, []).append(question.anchor)
    return found
