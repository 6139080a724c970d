"""For teachers: the plans of docs/teaching.md, and the slides, if `make slides` has made them."""

from __future__ import annotations

from tools import notebooks
from tools.site.pages.markdown import ROOT

SLIDES = ROOT / "build/slides"


def text(plans: str) -> str:
    """The plans, with links to the slides before the first."""
    before, heading, after = plans.partition("## Two lessons")
    stems = [path.stem for path in sorted(notebooks.NOTEBOOKS.glob("*.ipynb"))]
    decks = " · ".join(filter(None, (deck(stem, stem.replace("_", " ")) for stem in stems)))
    shown = f"The slides of each notebook: {decks}.\n\n" if decks else ""
    return f"{before}{shown}{heading}{after}"


def deck(stem: str, words: str, up: str = "") -> str:
    """A link to the slides of a notebook, which are not a page of Sphinx; empty if there are none."""
    there = (SLIDES / f"{stem}.html").exists()
    return f'<a href="{up}slides/{stem}.html">{words}</a>' if there else ""
