"""The first page: what the course is, in one screen."""

from __future__ import annotations

from pathlib import Path

from mlm_helpers.practice.explore import page as explorer
from tools import notebooks
from tools.site.explorers import living
from tools.site.pages import PAGES

ROOT = Path(__file__).parents[2]
TRUTH = [[1, 0, 0, 1], [0, 1, 1, 0]]
SAID = [[1, 0, 1, 0], [0, 1, 1, 0]]
LABELS = ["dog", "sun", "sea", "people"]


def page() -> str:
    """The home page: site/home.md with what the course knows put in."""
    text = (ROOT / "site/home.md").read_text(encoding="utf-8")
    stems = sorted(path.stem for path in notebooks.NOTEBOOKS.glob("*.ipynb"))
    parts = {
        "explorer": living(explorer(TRUTH, SAID, labels=LABELS, samples=["photo 1", "photo 2"])),
        "notebooks": table_of_notebooks(),
        "list of notebooks": "\n".join(f"notebooks/{stem}" for stem in stems),
        "list of pages": "\n".join(name for name in PAGES if "/" not in name),
    }
    for name, part in parts.items():
        text = text.replace(f"{{{{ {name} }}}}", part)
    return text


def table_of_notebooks() -> str:
    """The README's table: each notebook with the question that it answers, and its minutes."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    part = readme.partition("## The notebooks\n")[2].partition("\n## ")[0]
    return "\n".join(line for line in part.splitlines() if line.startswith("|"))
