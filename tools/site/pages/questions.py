"""What readers ask, and the cell of a notebook that answers, from questions.toml."""

from __future__ import annotations

import tomllib
from functools import cache
from itertools import groupby
from typing import NamedTuple

from tools.site.pages.markdown import ROOT, filled


class Question(NamedTuple):
    """A question under its heading, the notebook and the id of the cell that answers, the answer in short."""

    heading: str
    anchor: str
    text: str
    notebook: str
    cell: str
    answer: str


@cache
def questions() -> tuple[Question, ...]:
    table = tomllib.loads((ROOT / "tools/site/questions.toml").read_text(encoding="utf-8"))
    return tuple(
        Question(heading, f"answer-{name}", **entry)
        for heading, entries in table.items()
        for name, entry in entries.items()
    )


def text() -> str:
    parts = []
    for heading, group in groupby(questions(), lambda question: question.heading):
        lines = [f"* [{one.text}](#{one.anchor}) {one.answer}" for one in group]
        parts += [f"## {heading}", "\n".join(lines)]
    return filled("questions", questions="\n\n".join(parts))
