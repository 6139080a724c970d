"""How to cite the course, and under which licences it is, from CITATION.cff and the README."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from tools.site.pages.markdown import page, part_of_readme, plain

ROOT = Path(__file__).parents[3]
LICENCES = {"BSD-3-Clause": "LICENSE", "CC-BY-4.0": "LICENSE-CC-BY-4.0"}
"""The licences by their names in CITATION.cff, and the files that hold them."""


def text() -> str:
    work = citation()
    return page(
        "How to cite",
        plain(work["message"]),
        f"> {plain(plain_text(work))}",
        f"```bibtex\n{bibtex(work)}\n```",
        "## Licences",
        reuse(),
        *(f"### {name}\n\n```text\n{licence(file)}\n```" for name, file in LICENCES.items()),
    )


def citation() -> dict[str, Any]:
    """What CITATION.cff says."""
    found: dict[str, Any] = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    return found


def plain_text(work: dict[str, Any]) -> str:
    """The work as a line of a list of sources."""
    year = f" ({year_of(work)})" if year_of(work) else ""
    who = authors(work)
    return f"{who[:1].upper()}{who[1:]}{year}. {work['title']}, version {work['version']}.{_end(work, ' ')}"


def bibtex(work: dict[str, Any]) -> str:
    """The work as an entry of a BibTeX file."""
    fields = {
        "author": f"{{{authors(work)}}}",
        "title": f"{{{work['title']}}}",
        "version": work["version"],
        "year": year_of(work),
        "url": _end(work, ""),
        "license": " and ".join(work["license"]),
    }
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
    return "\n".join(["@software{multi_label_metrics_by_hand,", *lines, "}"])


def authors(work: dict[str, Any]) -> str:
    return " and ".join(one["name"] for one in work["authors"])


def year_of(work: dict[str, Any]) -> str:
    return str(work.get("date-released", ""))[:4]


def _end(work: dict[str, Any], before: str) -> str:
    address = work.get("url") or work.get("repository-code") or ""
    return f"{before}{address}" if address else ""


def reuse() -> str:
    """What the README says of the licences, without its links to files."""
    said = part_of_readme("licence")
    for name in ("LICENSE", "LICENSE-CC-BY-4.0"):
        said = said.replace(f"]({name})", f"](#{slugs()[name]})")
    return said


def slugs() -> dict[str, str]:
    """The anchors of the licences, by their files."""
    return {file: name.lower().replace(".", "-") for name, file in LICENCES.items()}


def licence(file: str) -> str:
    return (ROOT / file).read_text(encoding="utf-8").strip()
