"""The ways into the site that its header shows, and the pages below each of them."""

from __future__ import annotations

from collections.abc import Iterable

from tools import notebooks
from tools.site.pages.markdown import first_line

HEADER = {
    "course": "Course",
    "play": "Play",
    "look_up": "Look up",
    "teachers": "For teachers",
    "get": "Get it",
}
LOOK_UP = {
    "choose": "Four questions lead to a metric, its line of code and the sentence for the paper.",
    "questions": "What readers ask, with the answer in a sentence and the cell that shows it.",
    "glossary": "The words of the course, with their names in Chinese and Japanese.",
    "cheat_sheet": "Every metric in a line, on two sheets of paper.",
    "metrics": "The formula and the function of each metric, and what scikit-learn calls it.",
    "tools": "What other tools compute under the same name, and with which options the numbers agree.",
    "changes": "What a metric does if a label, a sample or a constant is added, or truth and prediction are swapped.",
    "inequalities": "Which metric is never above which, and the smallest data where a plausible rule fails.",
    "recipes": "The metrics in scikit-learn, Hugging Face, PyTorch, polars and Arrow.",
    "api": "The package, function by function.",
    "benchmark": "How fast the package is, beside other tools.",
    "sources": "The papers, threads and pages that the course cites.",
    "cite": "How to cite the course, and its licences.",
}
"""The pages to look something up in, each with what a reader finds there."""
NOTEBOOKS = {
    f"notebooks/{path.stem}": f"{path.stem[:2]} {first_line(notebooks.read(path).cells[0].source)}"
    for path in sorted(notebooks.NOTEBOOKS.glob("*.ipynb"))
}
"""The titles of the notebooks, by their pages."""
BELOW = {
    "course": ["one_photo", *NOTEBOOKS],
    "play": ["paste"],
    "look_up": list(LOOK_UP),
}


def with_contents(pages: dict[str, str]) -> dict[str, str]:
    """The pages and "Look up", with the lists of contents that the header and the sidebar are made of.

    A page that no section names is put below "Look up".
    """
    pages = {**pages, "look_up": look_up(pages)}
    there = {*pages, *NOTEBOOKS}
    trees = {section: some for section, some in BELOW.items() if section in there}
    placed = {"index", *HEADER, *(page for some in trees.values() for page in some)}
    rest = [page for page in pages if page not in placed and "/" not in page]
    trees["look_up"] = [*LOOK_UP, *rest]
    lists = {
        name: toctree(entry(page) for page in some if page in there) for name, some in trees.items()
    }
    lists["index"] = toctree(f"{title} <{page}>" for page, title in HEADER.items() if page in there)
    return {name: text + lists.get(name, "") for name, text in pages.items()}


def entry(page: str) -> str:
    """A line of a list of contents; a notebook's has its number."""
    return f"{NOTEBOOKS[page]} </{page}>" if page in NOTEBOOKS else f"/{page}"


def toctree(lines: Iterable[str]) -> str:
    """A list of contents that only the header and the sidebar show."""
    return "\n```{toctree}\n:hidden:\n\n" + "\n".join(lines) + "\n```\n"


def look_up(pages: dict[str, str]) -> str:
    """Where to look something up."""
    lines = [
        f"* **[{first_line(pages[name])}]({name}.md)** {says}"
        for name, says in LOOK_UP.items()
        if name in pages
    ]
    return "# Look it up\n\n" + "\n".join(lines) + "\n"
