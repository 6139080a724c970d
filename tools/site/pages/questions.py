"""What readers ask, and the cell of a notebook that answers, from questions.toml."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tools.site.pages.markdown import filled

TABLE = Path(__file__).parents[1] / "questions.toml"


class Question(NamedTuple):
    """A question, the notebook and the id of the cell that answers, and the answer in short."""

    anchor: str
    asks: str
    notebook: str
    cell: str
    says: str


@cache
def groups() -> dict[str, list[Question]]:
    """The questions by the headings under which they stand."""
    table = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    return {
        heading: [Question(f"answer-{name}", **entry) for name, entry in entries.items()]
        for heading, entries in table.items()
    }


def questions() -> list[Question]:
    return [question for group in groups().values() for question in group]


def text() -> str:
    parts = []
    for heading, group in groups().items():
        lines = [f"* [{one.asks}](#{one.anchor}) {one.says}" for one in group]
        parts += [f"## {heading}", "\n".join(lines)]
    return filled("questions", questions="\n\n".join(parts))
