"""What `make bench` measured, as BENCHMARK.md has it."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[3]


def text() -> str:
    return (ROOT / "BENCHMARK.md").read_text(encoding="utf-8")
