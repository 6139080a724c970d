"""What docs/glossary.md explains, term by term."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from tools.site.pages.markdown import DOCS

TERMS = re.compile(r"^((?:\w.*\n)+)  (.+)\n", re.MULTILINE)


class Term(NamedTuple):
    """A term under all its names, what it is, and the page of the notebook that teaches it."""

    names: list[str]
    says: str
    notebook: str


@cache
def terms() -> list[Term]:
    sections = (DOCS / "glossary.md").read_text(encoding="utf-8").split("\n## ")[1:]
    return [
        Term(names.splitlines(), says, notebook)
        for section in sections
        for notebook in re.findall(r"\(\.\./(notebooks/\w+)\.ipynb\)", section)[:1]
        for names, says in TERMS.findall(section.partition("```{glossary}\n")[2])
    ]
