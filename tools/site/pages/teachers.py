"""For teachers: the plans of TEACHING.md, and the slides, if `make slides` has made them."""

from __future__ import annotations

from tools import notebooks
from tools.site.pages.markdown import ROOT

SLIDES = ROOT / "build/slides"


def text() -> str:
    """TEACHING.md, with links to the slides before its first plan."""
    before, heading, after = (ROOT / "TEACHING.md").read_text("utf-8").partition("## Two lessons")
    stems = [path.stem for path in sorted(notebooks.NOTEBOOKS.glob("*.ipynb"))]
    decks = [deck(stem, stem.replace("_", " ")) for stem in stems if has_slides(stem)]
    before += "The commands on this page need [the sources](get.md#the-sources).\n\n"
    shown = f"The slides of each notebook: {' · '.join(decks)}.\n\n" if decks else ""
    return f"{before}{shown}{heading}{after}"


def deck(stem: str, words: str, up: str = "") -> str:
    """A link to the slides of a notebook, which are no page of Sphinx."""
    return f'<a href="{up}slides/{stem}.html">{words}</a>'


def has_slides(stem: str) -> bool:
    return (SLIDES / f"{stem}.html").exists()
