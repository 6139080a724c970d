"""Every link within the course leads somewhere."""

from __future__ import annotations

import json
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
LINK = re.compile(r"\]\(([^()\s]+)\)")


def markdown(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".ipynb":
        return text
    cells = (cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "markdown")
    return "\n".join("".join(cell["source"]) for cell in cells)


def anchors(path: Path) -> set[str]:
    """Those that GitHub and JupyterLab make of a document's headings."""
    headings = re.findall(r"^#+ +(.*)$", markdown(path), re.M)
    return {
        re.sub(r"[^\w\- ]", "", heading).strip().lower().replace(" ", "-") for heading in headings
    }


def leads_nowhere(path: Path, target: str) -> bool:
    name, _, section = target.partition("#")
    end = path.parent / name if name else path
    return not end.is_file() or bool(section and section not in anchors(end))


def test_local_links_and_pictures_lead_somewhere() -> None:
    lost = [
        (path.name, target)
        for path in [*ROOT.glob("notebooks/*.ipynb"), *ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]
        for target in LINK.findall(markdown(path))
        if not target.startswith("http") and leads_nowhere(path, target)
    ]
    assert lost == []
