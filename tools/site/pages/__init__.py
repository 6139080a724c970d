"""The pages that are made of what the package and its records say.

Each is a function that returns MyST Markdown, under the name of its file without ending. Links are
written as in the repository: `notebooks/04_label_based.ipynb`, `GLOSSARY.md`, `figures/curves.svg`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tools import glossary, sources

ROOT = Path(__file__).parents[3]


def benchmark() -> str:
    """The page that `make bench` renews."""
    return (ROOT / "BENCHMARK.md").read_text(encoding="utf-8")


PAGES: dict[str, Callable[[], str]] = {
    "glossary": glossary.page,
    "benchmark": benchmark,
    "sources": sources.page,
}
