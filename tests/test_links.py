"""Every link within the course leads somewhere."""

import json
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
LINK = re.compile(r"\]\(([^()\s]+)\)")


def markdown(path: Path) -> str:
    """The text of a Markdown file, or of all Markdown cells of a notebook."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".ipynb":
        return text
    cells = (cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "markdown")
    return "\n".join("".join(cell["source"]) for cell in cells)


def anchors(path: Path) -> set[str]:
    """The anchors that GitHub and JupyterLab give to the headings of a document."""
    headings = re.findall(r"^#+ +(.*)$", markdown(path), re.M)
    return {
        re.sub(r"[^\w\- ]", "", heading).strip().lower().replace(" ", "-") for heading in headings
    }


def is_broken(path: Path, link: str) -> bool:
    """Whether a local link of a document leads to a file or a heading that does not exist."""
    name, _, anchor = link.partition("#")
    target = path.parent / name if name else path
    return not target.is_file() or bool(anchor and anchor not in anchors(target))


def test_local_links_and_pictures_lead_somewhere():
    broken = [
        (path.name, link)
        for path in [*ROOT.glob("notebooks/*.ipynb"), *ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]
        for link in LINK.findall(markdown(path))
        if not link.startswith("http") and is_broken(path, link)
    ]
    assert broken == []
