"""What glossary.toml says, as GLOSSARY.md and as the line *Words* of each notebook."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from mlm_helpers import conventions
from mlm_helpers.course.documents import DOCUMENTS
from tools import notebooks

TABLE = Path(__file__).with_suffix(".toml")
LINE = re.compile(r"^\*Words\.\*.*$", re.M)
COLUMNS = {"zh-TW": "繁體中文", "zh-CN": "简体中文", "ja": "日本語"}
HEAD = f"""# Glossary

`make readme` makes this page of `tools/glossary.toml`. Under a language stands what the documents
in it say ([SOURCES](SOURCES.md) lists them); † marks the field's word where no document has one.

| word | {" | ".join(COLUMNS.values())} | what it means | taught in |
|---|---|---|---|---|---|
"""
TWICE = """
## One word, several meanings

| word | means | in |
|---|---|---|
"""


class Term(NamedTuple):
    """A word, what it means, and what documents call it, by their ids."""

    name: str
    notebook: str
    means: str
    also: list[str]
    metric: str
    called: dict[str, list[str]]
    field: dict[str, str]

    @property
    def names(self) -> list[str]:
        return [self.name, *self.also]

    def words(self, language: str) -> list[str]:
        """What the documents in a language call it, or the field does."""
        found = [
            word
            for document in DOCUMENTS
            if document.language == language
            for word in self.called.get(document.id, [])
        ]
        known = self.field.get(language)
        return list(dict.fromkeys(found)) or ([known] if known else [])

    @property
    def foreign(self) -> list[str]:
        """Its words in Chinese and Japanese, each once."""
        words = [word for language in COLUMNS for word in self.words(language)]
        return [word for word in dict.fromkeys(words) if not word.isascii()]


@cache
def terms() -> tuple[Term, ...]:
    table = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    return tuple(
        Term(
            name,
            notebook,
            entry["means"],
            entry.get("also", []),
            entry.get("metric", ""),
            {document.id: entry[document.id] for document in DOCUMENTS if document.id in entry},
            dict(zip(COLUMNS, entry.get("field", []), strict=False)),
        )
        for notebook, entries in table.items()
        for name, entry in entries.items()
    )


# --- the page


def page() -> str:
    rows = "".join(_row(*_cells(term)) for term in terms())
    twice = "".join(
        _row(word if place == 0 else "", meaning, ", ".join(users))
        for word, senses in ambiguous().items()
        for place, (meaning, users) in enumerate(senses.items())
    )
    return HEAD + rows + TWICE + twice


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |\n"


def _cells(term: Term) -> Iterator[str]:
    yield f"**{term.name}**" + (f" (also: {', '.join(term.also)})" if term.also else "")
    mark = "" if term.called else "†"
    for language in COLUMNS:
        yield ", ".join(word + mark for word in term.words(language))
    yield term.means
    yield f"[{term.notebook[:2]}](notebooks/{term.notebook}.ipynb)"


def ambiguous() -> dict[str, dict[str, list[str]]]:
    """The words that mean several things: by what each means, who says it so."""
    said: dict[str, dict[str, list[str]]] = {}
    for term in terms():
        for document in DOCUMENTS:
            for word in term.called.get(document.id, []):
                said.setdefault(word, {}).setdefault(term.name, []).append(f"“{document.title}”")
    for word, senses in said.items():
        for term in (term for term in terms() if term.metric and word.isascii()):
            if users := _tools(word, term.metric):
                senses.setdefault(term.name, []).extend(users)
    return {word: senses for word, senses in said.items() if len(senses) > 1}


def _tools(word: str, metric: str) -> list[str]:
    """The tools whose name for a metric has the word in it (subset accuracy says what it is)."""
    calls = {
        name: re.sub(r"[^a-z]", "", tool.metrics[metric].call.lower())
        for name, tool in conventions.TOOLS.items()
        if metric in tool.metrics
    }
    sought = re.sub(r"[^a-z]", "", word.lower())
    return [name for name, call in calls.items() if sought in call and "subset" not in call]


# --- the notebooks


def words(notebook: str, text: str) -> str:
    """The line *Words*: what the notebook's text does not introduce in bold, and its words elsewhere."""
    here = [term for term in terms() if term.notebook == notebook]
    bold = {found.lower() for found in re.findall(r"\*\*(.+?)\*\*", text)}
    new = [term for term in here if not bold.intersection(name.lower() for name in term.names)]
    known = [f"{t.name} {', '.join(t.foreign)}" for t in here if t not in new and t.foreign]
    parts = [
        f"**{term.name[0].upper()}{term.name[1:]}**{_aside(term)}: {term.means}." for term in new
    ]
    parts += [f"In the documents: {'; '.join(known)}."] * bool(known)
    return " ".join(["*Words.*", *parts, "All words: [GLOSSARY](../GLOSSARY.md)."])


def _aside(term: Term) -> str:
    also = [f"also: {', '.join(term.also)}"] * bool(term.also)
    asides = [*also, *[", ".join(term.foreign)] * bool(term.foreign)]
    return f" ({'; '.join(asides)})" if asides else ""


def renewed(path: Path) -> bytes:
    """A notebook with its line *Words* as the glossary has it now."""
    notebook = notebooks.read(path)
    line = words(path.stem, text_of(path))
    notebook.cells[0].source = LINE.sub(lambda _: line, notebook.cells[0].source)
    return notebooks.to_bytes(notebook)


def text_of(path: Path) -> str:
    """What a notebook says in Markdown, but for its line *Words*."""
    cells = [cell.source for cell in notebooks.read(path).cells if cell.cell_type == "markdown"]
    return LINE.sub("", "\n\n".join(cells))
