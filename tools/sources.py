"""What sources.toml says, as SOURCES.md: what the course cites, what for, and where."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from mlm_helpers import records
from mlm_helpers.conventions import TOOLS, Tool
from mlm_helpers.course.documents import DOCUMENTS
from tools import glossary, notebooks

ROOT = Path(__file__).parent.parent
MADE = {"GLOSSARY.md", "SOURCES.md"}
TABLE: dict[str, Any] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
)
HEAD = """# Sources

What the course cites, what for, and where. `make readme` makes this page of `tools/sources.toml`,
the records of the tools, and the text itself.
"""


def page() -> str:
    documents = [
        (
            f"“{d.title}”, {glossary.COLUMNS[d.language]}",
            TABLE["documents"][d.id],
            where(d.title, d.id.upper()),
        )
        for d in DOCUMENTS
    ]
    works = [(f"{reference(title)}", what, where(title)) for title, what in TABLE["works"].items()]
    addresses = [
        (f"[{named(url)}]({url})", entry["for"], where(url))
        for url, entry in TABLE["addresses"].items()
    ]
    tools = [(tool.name, version(tool), how(tool)) for tool in TOOLS.values()]
    cited = ("source", "cited for", "in")
    return "\n".join([
        HEAD,
        *_table("The five documents", ("document", "teaches", "in"), documents),
        *_table("Papers and books", cited, works),
        *_table("Threads and pages", cited, addresses),
        *_table("Tools, for the numbers of notebook 11", ("tool", "version", "its numbers"), tools),
    ])  # fmt: skip


def _table(title: str, head: Iterable[str], rows: Iterable[Iterable[str]]) -> list[str]:
    lines = [head, ("---",) * 3, *rows]
    return [f"## {title}\n", *(f"| {' | '.join(cells)} |" for cells in lines), ""]


# --- where


@cache
def texts() -> dict[str, str]:
    """All that may cite, on one line each: notebooks, pages and the package, by a link or a name."""
    found = {}
    for path in sorted(notebooks.NOTEBOOKS.glob("*.ipynb")):
        cells = notebooks.read(path).cells
        found[f"[{path.stem[:2]}](notebooks/{path.name})"] = "\n".join(c.source for c in cells)
    for path in (path for path in sorted(ROOT.glob("*.md")) if path.name not in MADE):
        found[f"[{path.stem}]({path.name})"] = path.read_text(encoding="utf-8")
    for path in sorted((ROOT / "mlm_helpers").rglob("*.py")):
        found[f"`{path.relative_to(ROOT / 'mlm_helpers')}`"] = path.read_text(encoding="utf-8")
    return {place: " ".join(text.split()) for place, text in found.items()}


def where(*names: str) -> str:
    """The places that have one of the names, as words of their own."""
    sought = re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in names))
    return ", ".join(place for place, text in texts().items() if sought.search(text))


# --- what


def reference(title: str) -> str:
    """A work as the package's docstrings cite it at length: authors, title, year."""
    cited = re.compile(rf'([A-Z][\w.& ]+), "{re.escape(title)}",(?: [\w ]+,)? (\d{{4}})')
    found = (cited.search(text) for text in texts().values())
    authors, year = next(match.groups() for match in found if match)
    return f"{authors.removeprefix('and ')}, “{title}”, {year}"


def named(url: str) -> str:
    """An address in words: a thread as scikit-learn #7220, any other without its protocol."""
    thread = re.fullmatch(r"https://github\.com/[^/]+/([^/]+)/(issues|pull)/(\d+)", url)
    if not thread:
        return url.removeprefix("https://")
    project, kind, number = thread.groups()
    return f"{project} {'PR ' * (kind == 'pull')}#{number}"


def version(tool: Tool) -> str:
    """The version that was measured, from its record where there is one."""
    measured: str = records.load("peers")["versions"].get(tool.name, tool.version)
    return measured


def how(tool: Tool) -> str:
    """How its numbers were got: run by `make peers`, recorded once, or read in source."""
    if tool.known == "run":
        return f"`make peers` ran it on {records.load('peers')['date']}"
    return tool.known
