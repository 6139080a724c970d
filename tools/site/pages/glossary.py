"""The words of the course in English, Chinese and Japanese, each with an anchor of its own."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from tools.glossary import COLUMNS, Term, ambiguous, terms
from tools.site.pages.markdown import page, plain, slug, table

INTRO = """\
The words of the course, where they are taught. Beside each stand the words of the documents in Chinese
and Japanese ([the sources](SOURCES.md) list them); † marks the field's word where no document has one.
"""
WRITTEN = {"zh-TW": "zh-Hant", "zh-CN": "zh-Hans", "ja": "ja"}
"""The languages, as a browser is told them."""


def text() -> str:
    taught = groupby(terms(), key=lambda term: term.notebook)
    groups = [_group(notebook, list(words)) for notebook, words in taught]
    twice = [
        [plain(word if place == 0 else ""), plain(meaning), plain(", ".join(users))]
        for word, senses in ambiguous().items()
        for place, (meaning, users) in enumerate(senses.items())
    ]
    several = table(["word", "means", "in"], twice)
    return page("Glossary", INTRO, *groups, f"## One word, several meanings\n\n{several}")


def _group(notebook: str, words: list[Term]) -> str:
    number, _, name = notebook.partition("_")
    title = f"## {number}: {name.replace('_', ' ')}"
    place = f"From [{notebook}](notebooks/{notebook}.ipynb)."
    return "\n\n".join([title, place, *map(entry, words)])


def entry(term: Term) -> str:
    """A word, what it means, and what it is called in the three languages."""
    also = f" (also: {', '.join(map(plain, term.also))})" if term.also else ""
    said = "; ".join(_foreign(term))
    called = f" <br>{said}" if said else ""
    return f"({anchor(term)})=\n**{plain(term.name)}**{also}: {plain(term.means)}.{called}"


def anchor(term: Term) -> str:
    return slug("word", term.name)


def _foreign(term: Term) -> Iterator[str]:
    mark = "" if term.called else "†"
    for language, name in COLUMNS.items():
        if words := term.words(language):
            said = f'<span lang="{WRITTEN[language]}">{plain(", ".join(words))}</span>'
            yield f'<span lang="{WRITTEN[language]}">{name}</span> {said}{mark}'
