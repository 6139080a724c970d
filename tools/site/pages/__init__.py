"""The pages that are made of what the package and its records say.

Each is a function that returns MyST Markdown, under the name of its file without ending. Links are
written as in the repository: `notebooks/04_label_based.ipynb`, `GLOSSARY.md`, `figures/curves.svg`.
"""

from __future__ import annotations

from collections.abc import Callable

from tools import sources
from tools.site.pages import (
    api,
    benchmark,
    changes,
    cheat_sheet,
    cite,
    glossary,
    inequalities,
    questions,
    quiz,
    tools,
)

PAGES: dict[str, Callable[[], str]] = {
    "questions": questions.text,
    "quiz": quiz.text,
    "cheat_sheet": cheat_sheet.text,
    "changes": changes.text,
    "inequalities": inequalities.text,
    "tools": tools.text,
    "glossary": glossary.text,
    "api": api.text,
    "benchmark": benchmark.text,
    "sources": sources.page,
    "cite": cite.text,
    **api.pages(),
}
"""The pages in the order of the site; what stands in a folder is reached from the page of its name."""
