"""Pieces of MyST Markdown that several pages use."""

import re
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

ROOT = Path(__file__).parents[3]
DOCS = ROOT / "docs"


def escaped(text: str) -> str:
    """Text with every sign escaped that Markdown could read as markup."""
    return re.sub(r"([\\`*_{}\[\]<>$|#~])", r"\\\1", text)


def code(text: str) -> str:
    """Text as inline code, which may stand in a table."""
    return "`" + text.replace("|", r"\|") + "`"


def table(header: Sequence[str], rows: Iterable[Sequence[str]], rule: str = "---") -> str:
    """A table of Markdown cells; the rule "--:" aligns all columns but the first to the right."""
    lines = [header, ["---", *[rule] * (len(header) - 1)], *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def details(summary: str, content: str, anchor: str, *, group: str = "") -> str:
    """Markdown folded below a plain summary; of a group, a browser unfolds one at a time."""
    attributes = f'id="{anchor}"' + f' name="{group}"' * bool(group)
    return (
        f"<details {attributes}>\n<summary>{escape(summary)}</summary>\n\n{content}\n\n</details>"
    )


def slug(*words: str) -> str:
    """Words as an anchor: in lower case, joined by hyphens."""
    text = " ".join(words).lower().replace("β", "beta")
    return re.sub(r"[^a-z0-9]+", "-", text).strip("-")


def title_of(text: str) -> str:
    """The first line of a page or of a notebook, without markup."""
    return re.sub(r"[#`*]", "", text.lstrip().partition("\n")[0]).strip()


def filled_template(name: str, **parts: str) -> str:
    """A page of docs/templates/, with each part in place of its name in double braces."""
    text = (DOCS / f"templates/{name}.md").read_text(encoding="utf-8")
    for part, content in parts.items():
        text = text.replace(f"{{{{ {part} }}}}", content)
    return text


def readme_section(name: str) -> str:
    """The part of README.md between two comments, for "start" `start:start` and `start:end`."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    _, _, rest = readme.partition(f"<!-- {name}:start -->")
    return rest.partition(f"<!-- {name}:end -->")[0].strip()
