"""The page "Questions": what readers ask, each with the cell that answers, from questions.toml."""

import tomllib
from functools import cache
from itertools import groupby
from typing import NamedTuple

from tools.site.pages.markdown import ROOT, filled_template


class Question(NamedTuple):
    """A question of readers and its short answer; the anchor is the cell with the full one."""

    heading: str
    anchor: str
    text: str
    notebook: str
    cell: str
    answer: str


@cache
def questions() -> tuple[Question, ...]:
    """All questions, in the order of questions.toml."""
    table = tomllib.loads((ROOT / "tools/site/questions.toml").read_text(encoding="utf-8"))
    return tuple(
        Question(heading, f"answer-{name}", **entry)
        for heading, entries in table.items()
        for name, entry in entries.items()
    )


def page() -> str:
    """The page in Markdown: a list of questions below each heading."""
    sections = []
    for heading, group in groupby(questions(), lambda question: question.heading):
        lines = [f"* [{question.text}](#{question.anchor}) {question.answer}" for question in group]
        sections += [f"## {heading}", "\n".join(lines)]
    return filled_template("questions", questions="\n\n".join(sections))
