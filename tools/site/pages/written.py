"""The pages of the repository that the site takes over."""

from __future__ import annotations

from pathlib import Path

from tools import sources as cited
from tools.site.pages.markdown import boxed

ROOT = Path(__file__).parents[3]


def benchmark() -> str:
    """What `make bench` measured."""
    return boxed((ROOT / "BENCHMARK.md").read_text(encoding="utf-8"))


def sources() -> str:
    """What the course cites."""
    return boxed(cited.page())
