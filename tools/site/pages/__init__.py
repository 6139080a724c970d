"""The pages that are made of what the package and its records say.

Each is a function that returns MyST Markdown, under the name of its file without ending. Links are
written as in the repository: `notebooks/04_label_based.ipynb`, `GLOSSARY.md`, `figures/curves.svg`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from tools.site.pages import (
    api,
    changes,
    cheat_sheet,
    choose,
    cite,
    inequalities,
    one_photo,
    paste,
    play,
    questions,
    teachers,
    tools,
)
from tools.site.pages.markdown import ROOT, filled, part_of_readme


def written(name: str) -> str:
    """A page that stands in the repository as it is."""
    return (ROOT / name).read_text(encoding="utf-8")


PAGES: dict[str, Callable[[], str]] = {
    "course": partial(filled, "course", notebooks=part_of_readme("notebooks")),
    "one_photo": one_photo.text,
    "teachers": teachers.text,
    "questions": questions.text,
    "play": play.text,
    "choose": choose.text,
    "paste": paste.text,
    "cheat_sheet": cheat_sheet.text,
    "metrics": partial(written, "METRICS.md"),
    "recipes": partial(written, "RECIPES.md"),
    "changes": changes.text,
    "inequalities": inequalities.text,
    "tools": tools.text,
    "glossary": partial(written, "GLOSSARY.md"),
    "api": api.text,
    "benchmark": partial(written, "BENCHMARK.md"),
    "sources": partial(written, "SOURCES.md"),
    "cite": cite.text,
    **api.pages(),
}
"""The pages in the order of the site; what stands in a folder is reached from the page of its name."""
