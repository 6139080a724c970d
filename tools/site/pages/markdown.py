"""Pieces of MyST Markdown that several pages are made of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

ROOT = Path(__file__).parents[3]
DOCS = ROOT / "docs"


def plain(text: str) -> str:
    """Text in which no sign is markup."""
    return re.sub(r"([\\`*_{}\[\]<>$|#~])", r"\\\1", text)


def code(text: str) -> str:
    """Text as code, also inside a table."""
    return "`" + text.replace("|", r"\|") + "`"


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of Markdown cells."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def folded(summary: str, content: str, anchor: str, *, group: str = "") -> str:
    """Markdown below a line of plain text that unfolds it; of a group, one is unfolded at a time."""
    place = f'id="{anchor}"' + f' name="{group}"' * bool(group)
    return f"<details {place}>\n<summary>{escape(summary)}</summary>\n\n{content}\n\n</details>"


def slug(*words: str) -> str:
    """An anchor made of words."""
    text = " ".join(words).lower().replace("β", "beta")
    return re.sub(r"[^a-z0-9]+", "-", text).strip("-")


def first_line(text: str) -> str:
    """The title of a page or of a notebook, without marks."""
    return re.sub(r"[#`*]", "", text.lstrip().partition("\n")[0]).strip()


def filled(name: str, **parts: str) -> str:
    """A page of docs/templates/ with parts put in where it has their names in braces."""
    text = (DOCS / f"templates/{name}.md").read_text(encoding="utf-8")
    for part, content in parts.items():
        text = text.replace(f"{{{{ {part} }}}}", content)
    return text


def part_of_readme(name: str) -> str:
    """The README between two markers, such as ``<!-- start:start -->`` and ``<!-- start:end -->``."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    _, _, rest = readme.partition(f"<!-- {name}:start -->")
    return rest.partition(f"<!-- {name}:end -->")[0].strip()
