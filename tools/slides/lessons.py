"""The lessons of docs/teaching.md: a deck of the sections that its table names, and a hand-out."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from tools.notebooks import NOTEBOOKS, read_notebook, sections
from tools.site.pages.markdown import DOCS, slug

PLAN, LESSON = re.compile(r"^## (.+ lessons)$", re.M), re.compile(r"^### (Lesson \d+): (.+)$", re.M)
ROW = re.compile(r"^\| \d+ \| \[(\w+)\]\(.*?\) \| (.*) \|$", re.M)  # a notebook, and what of it
SECTION = re.compile(r"\*([^*]+)\*(?! of \d\d_)")  # in italics, and not of another notebook
SPACE = '<div class="answer"></div>'


class Lesson(NamedTuple):
    """A lesson of a plan; its parts are notebooks with their sections, none for all of it."""

    name: str
    title: str
    parts: list[tuple[str, set[str]]]


def lessons() -> Iterator[Lesson]:
    """The lessons of both plans, such as "two-lessons-lesson-1"."""
    _, *plans = PLAN.split((DOCS / "teaching.md").read_text(encoding="utf-8"))
    for plan, text in zip(plans[::2], plans[1::2], strict=True):
        _, *texts = LESSON.split(text.partition("\n## ")[0])
        for number, title, table in zip(texts[::3], texts[1::3], texts[2::3], strict=True):
            parts = [(name, set(SECTION.findall(what))) for name, what in ROW.findall(table)]
            yield Lesson(slug(plan, number), f"{number}: {title}", parts)


def hand_out(lesson: Lesson) -> str:
    """The questions to answer on paper (predict, compute), each with its picture or table."""
    texts = [f"# {lesson.title}"]
    for name, wanted in lesson.parts:
        shown = ""  # the last picture or table
        for cell, headings in sections(read_notebook(NOTEBOOKS / f"{name}.ipynb")):
            for output in cell.get("outputs", []):
                html = output.get("data", {}).get("text/html", "")
                shown = html if re.search("<img|<table", html) and "<details" not in html else shown
            if wanted and not wanted & {*headings}:
                continue
            if "predict" in cell.metadata.get("tags", []) and cell.source.startswith("#"):
                heading, _, text = cell.source.partition("<details")[0].partition("\n")
                texts += [heading, shown, text, SPACE]
            elif wanted and "practice.sheet(" in cell.source:
                texts += ["## Compute one", shown, SPACE]
    return "\n\n".join(texts)
