"""What the search puts first: pages, questions and the words of the glossary, each with a sentence."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from mlm_helpers.catalogue import taught_records
from tools.site.pages.course import TITLES
from tools.site.pages.markdown import DOCS, ROOT, first_line, part_of_readme
from tools.site.pages.questions import questions

TERM = re.compile(r"^((?:\w.*\n)+)  (.+)\n", re.MULTILINE)
WORDS = tomllib.loads((ROOT / "tools/site/words.toml").read_text(encoding="utf-8"))


class Entry(NamedTuple):
    """What may be found: where it is, its title, a sentence, and words by which it is found besides."""

    page: str
    title: str
    says: str
    words: str = ""
    anchor: str = ""  # in the glossary, the term whose anchor Sphinx knows


@cache
def terms() -> list[tuple[list[str], str, str]]:
    """The words of the glossary: all names of each, what it is, and the notebook that teaches it."""
    sections = (DOCS / "glossary.md").read_text(encoding="utf-8").split("\n## ")[1:]
    return [
        (names.splitlines(), says, page)
        for section in sections
        for page in re.findall(r"\(\.\./(notebooks/\w+)\.ipynb\)", section)[:1]
        for names, says in TERM.findall(section.partition("```{glossary}\n")[2])
    ]


def entries(pages: Mapping[str, str]) -> Iterator[Entry]:
    """Everything that a search may put first, of the pages of the site by their names."""
    asked = dict(re.findall(r"\((notebooks/\w+)\.ipynb\) \| (.+?) \|", part_of_readme("notebooks")))
    for page, title in TITLES.items():
        names = [name for names, _, taught_in in terms() if taught_in == page for name in names]
        metrics = [metric for metric in taught_records() if f"notebooks/{metric.taught}" == page]
        names += [f"{one.name} {one.sklearn.partition('(')[0]}" for one in metrics]
        yield Entry(page, title, asked[page], " ".join([*names, WORDS["pages"].get(page, "")]))
    for page, text in pages.items():
        if page not in ("index", "look_up"):
            yield Entry(page, first_line(text), sentence(text), WORDS["pages"].get(page, ""))
    for one in questions():
        place = f"notebooks/{one.notebook}"
        yield Entry(place, unmarked(one.text), unmarked(one.answer), anchor=f"#{one.anchor}")
    for names, says, _ in terms():
        yield Entry("glossary", ", ".join(names), unmarked(says), anchor=names[0])


def sentence(text: str) -> str:
    """The first sentence of a page below its title."""
    paragraphs = (part for part in text.split("\n\n")[1:] if re.match(r"[A-Z]", part))
    return unmarked(re.split(r"(?<=[.?])\s", next(paragraphs, ""))[0])


def unmarked(text: str) -> str:
    """Text without the marks of Markdown, its links as words."""
    return re.sub(r"\[([^]]*)\]\([^)]*\)|[`*]", r"\1", text)


def script(pages: Mapping[str, str]) -> str:
    """The file that Sphinx puts into its search: the entries, other words for the same, docs/search.js."""
    same = {word: course for course, words in WORDS["same"].items() for word in words}
    same |= {other.lower(): first for (first, *others), _, _ in terms() for other in others}
    data = json.dumps({"entries": [*entries(pages)], "same": same}, ensure_ascii=False)
    return f"const FIRST = {data};\n{(DOCS / 'search.js').read_text(encoding='utf-8')}"
