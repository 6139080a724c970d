"""Build the site: python -m tools.site.

Notebooks are not run: their outputs are the committed ones.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from collections.abc import Sequence

from mlm_course import figures
from mlm_course.practice.page import SCRIPT, STYLE
from tools import notebooks
from tools.site import prepare, search, sections, take_home
from tools.site.pages import choose, disagreements, home, paste, play, questions, teaching, tools
from tools.site.pages.markdown import DOCS, ROOT, filled, part_of_readme

SOURCE = ROOT / "build/site-source"
SITE = ROOT / "build/site"


def pages() -> dict[str, str]:
    """The Markdown of every page but the notebooks, by the name of its file without ending."""
    written = {path.stem: path.read_text(encoding="utf-8") for path in sorted(DOCS.glob("*.md"))}
    made = {
        "index": home.text(),
        "course": filled("course", notebooks=part_of_readme("notebooks")),
        "get": take_home.text(),
        "look_up": sections.look_up(),
        "teaching": teaching.text(written["teaching"]),
        "questions": questions.text(),
        "play": play.text(),
        "choose": choose.text(),
        "paste": paste.text(),
        "disagreements": disagreements.text(),
        "tools": tools.text(),
    }
    return {name: relinked(page) for name, page in {**written, **made}.items()}


def relinked(page: str) -> str:
    """A page of docs/ with links as the site has them: beside it, and in place of the README the page "Get it"."""
    return page.replace("](../README.md)", "](get.md)").replace("](../", "](")


def write_source() -> None:
    """Write what Sphinx reads into a fresh folder."""
    shutil.rmtree(SOURCE, ignore_errors=True)
    for folder in ("static", "extra", "notebooks"):
        (SOURCE / folder).mkdir(parents=True)
    shutil.copytree(ROOT / "figures", SOURCE / "figures")
    (SOURCE / "figures/home.svg").write_text(figures.svg(home.picture(), home.ASKS), "utf-8")
    (SOURCE / "static/explorer.js").write_text(SCRIPT, encoding="utf-8")
    (SOURCE / "static/explorer.css").write_text(STYLE, encoding="utf-8")
    if teaching.SLIDES.exists():
        only = shutil.ignore_patterns("live")
        shutil.copytree(teaching.SLIDES, SOURCE / "extra/slides", ignore=only)
    take_home.write(SOURCE / "extra" / take_home.NAME)
    texts, contents = pages(), sections.contents()
    (SOURCE / "search.js").write_text(search.script(texts), encoding="utf-8")
    for name, text in texts.items():
        (SOURCE / f"{name}.md").write_text(text + contents.get(name, ""), encoding="utf-8")
    for path in sorted(notebooks.NOTEBOOKS.glob("*.ipynb")):
        notebook = notebooks.read(path)
        prepare.prepare(notebook, questions.anchors(path.stem))
        notebook.cells.insert(1, take_home.links(path))
        (SOURCE / "notebooks" / path.name).write_bytes(notebooks.to_bytes(notebook))


def main(arguments: Sequence[str] | None = None) -> int:
    argparse.ArgumentParser(description="Build the site, in build/site.").parse_args(arguments)
    write_source()
    shutil.rmtree(SITE, ignore_errors=True)
    sphinx = "-m sphinx -qW --keep-going -c docs -d build/doctrees build/site-source build/site"
    code = subprocess.call([sys.executable, *sphinx.split()], cwd=ROOT)
    if code == 0:
        print(
            "The site is build/site/index.html. To look at it with all that moves in it:\n"
            "  python3 -m http.server -d build/site   and open http://localhost:8000"
        )
    return code


if __name__ == "__main__":
    sys.exit(main())
