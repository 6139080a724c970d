"""What the site's search lists first: pages, recipes, questions and terms of the glossary."""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from mlm_helpers.catalogue import taught_records
from tools.site.pages.course import TITLES
from tools.site.pages.markdown import DOCS, ROOT, readme_section, slug, title_of
from tools.site.pages.questions import questions

# A term has lines with its names, then an indented line with its definition, and after an empty
# line one with other languages.
TERM = re.compile(r"^((?:\w.*\n)+)  (.+)\n(?:\n  (.+)\n)?", re.MULTILINE)
WORDS = tomllib.loads((ROOT / "tools/site/words.toml").read_text(encoding="utf-8"))


class Entry(NamedTuple):
    """A result of the search: page, title and one sentence; further words also find it."""

    page: str
    title: str
    summary: str
    words: str = ""
    anchor: str = ""  # of a question or recipe; in the glossary, the term: Sphinx knows its anchor


@cache
def terms() -> list[tuple[list[str], str, str, str]]:
    """The glossary's terms: names, definition, names in other languages, and notebook of each."""
    sections = (DOCS / "glossary.md").read_text(encoding="utf-8").split("\n## ")[1:]
    return [
        (names.splitlines(), definition, others, page)
        for section in sections
        for page in re.findall(r"\(\.\./(notebooks/\w+)\.ipynb\)", section)[:1]
        for names, definition, others in TERM.findall(section.partition("```{glossary}\n")[2])
    ]


def entries(pages: Mapping[str, str]) -> Iterator[Entry]:
    """Entries of notebooks, pages (Markdown by name), recipes, questions and terms."""
    rows = re.findall(r"\((notebooks/\w+)\.ipynb\) \| (.+?) \|", readme_section("notebooks"))
    for page, title in TITLES.items():
        words = [name for names, _, _, taught_in in terms() if taught_in == page for name in names]
        words += [
            f"{metric.name} {metric.sklearn.partition('(')[0]}"
            for metric in taught_records()
            if f"notebooks/{metric.teaching.notebook}" == page
        ]
        yield Entry(page, title, dict(rows)[page], " ".join([*words, WORDS["pages"].get(page, "")]))
    recipes = {f"recipes#{slug(title_of(s))}": s for s in pages["recipes"].split("\n## ")[1:]}
    for name, text in {**pages, **recipes}.items():
        if name not in ("index", "look_up"):
            page, sign, anchor = name.partition("#")
            words = WORDS["pages"].get(name, "")
            yield Entry(page, title_of(text), first_sentence(text), words, sign + anchor)
    for q in questions():
        yield Entry(f"notebooks/{q.notebook}", plain(q.text), plain(q.answer), "", f"#{q.anchor}")
    for names, definition, others, _ in terms():
        yield Entry("glossary", ", ".join(names), plain(definition), others, names[0])


def first_sentence(text: str) -> str:
    """The first sentence of a page's first paragraph, without markup."""
    paragraphs = (part for part in text.split("\n\n")[1:] if re.match(r"[`*]?\w", part))
    return plain(re.split(r"(?<=[.?])\s", next(paragraphs, ""))[0])


def plain(text: str) -> str:
    """Text without Markdown's markup; of a link, its text."""
    return re.sub(r"\[([^]]*)\]\([^)]*\)|[`*]", r"\1", text)


def synonyms() -> dict[str, str]:
    """The course's word for each name that people search for.

    The first name of a term stands for itself.
    """
    same = {word: term for term, words in WORDS["same"].items() for word in words}
    return same | {name.lower(): names[0] for names, *_ in terms() for name in names}


def search_script(pages: Mapping[str, str]) -> str:
    """The script for Sphinx's search: the entries, synonyms, and docs/search.js."""
    first = {"entries": [*entries(pages)], "same": synonyms()}
    data = json.dumps(first, ensure_ascii=False)
    return f"const FIRST = {data};\n{(DOCS / 'search.js').read_text(encoding='utf-8')}"
