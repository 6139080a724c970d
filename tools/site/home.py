"""The first page: what the course is, in one screen."""

from __future__ import annotations

import re
from pathlib import Path

from mlm_helpers.course.practice.page import page as explorer
from tools import notebooks
from tools.site.explorers import living
from tools.site.pages import PAGES
from tools.site.pages.markdown import part_of_readme

ROOT = Path(__file__).parents[2]
TRUTH = [[1, 0, 0, 1], [0, 1, 1, 0]]
SAID = [[1, 0, 1, 0], [0, 1, 1, 0]]
LABELS = ["dog", "sun", "sea", "people"]


def page() -> str:
    """The home page: site/home.md with what the course knows put in."""
    text = (ROOT / "site/home.md").read_text(encoding="utf-8")
    parts = {
        "explorer": living(explorer(TRUTH, SAID, labels=LABELS, samples=["photo 1", "photo 2"])),
        "notebooks": part_of_readme("notebooks"),
        "start": part_of_readme("start"),
        "list of notebooks": "\n".join(
            f"{path.stem[:2]} {title(path)} <notebooks/{path.stem}>"
            for path in sorted(notebooks.NOTEBOOKS.glob("*.ipynb"))
        ),
        "list of pages": "\n".join(name for name in PAGES if "/" not in name),
    }
    for name, part in parts.items():
        text = text.replace(f"{{{{ {name} }}}}", part)
    return text


def title(path: Path) -> str:
    """The first line of a notebook, without marks."""
    return re.sub(r"[#`*]", "", notebooks.read(path).cells[0].source.partition("\n")[0]).strip()
