"""The ways into the site that its header shows, and the pages below each of them."""

from __future__ import annotations

from tools import notebooks
from tools.site.pages.markdown import first_line

HEADER = {
    "course": "Course",
    "play": "Play",
    "look_up": "Look up",
    "teaching": "For teachers",
    "get": "Get it",
}
LOOK_UP = {
    "choose": "Four questions lead to a metric, its line of code and the sentence for the paper.",
    "questions": "What readers ask, with the answer in a sentence and the cell that shows it.",
    "glossary": "The words of the course, with their names in Chinese and Japanese.",
    "metrics": "Every metric in a line, on two sheets of paper: formula, function, scikit-learn.",
    "tools": "What other tools compute under the same name, and with which options the numbers agree.",
    "disagreements": "The smallest data on which two metrics disagree, or a change of the data matters.",
    "recipes": "The metrics in scikit-learn, Hugging Face, PyTorch, polars and Arrow.",
    "api": "The package, function by function.",
    "benchmark": "How fast the package is, beside other tools.",
    "sources": "The papers, threads and pages that the course cites.",
}
"""The pages to look something up in, each with what a reader finds there."""
NOTEBOOKS = {
    f"notebooks/{path.stem}": f"{path.stem[:2]} {first_line(notebooks.read(path).cells[0].source)}"
    for path in sorted(notebooks.NOTEBOOKS.glob("*.ipynb"))
}
"""The titles of the notebooks, by their pages."""


def contents() -> dict[str, str]:
    """The lists of contents that header and sidebar are made of, by the page that holds each."""
    lists = {
        "index": [f"{title} <{page}>" for page, title in HEADER.items()],
        "course": [f"{title} <{page}>" for page, title in NOTEBOOKS.items()],
        "play": ["paste"],
        "look_up": [*LOOK_UP],
    }
    return {
        page: "\n```{toctree}\n:hidden:\n\n" + "\n".join(lines) + "\n```\n"
        for page, lines in lists.items()
    }


def look_up() -> str:
    """The page that lists where to look something up."""
    lines = [f"* **[]({name}.md)** {says}" for name, says in LOOK_UP.items()]
    return "# Look it up\n\n" + "\n".join(lines) + "\n"
