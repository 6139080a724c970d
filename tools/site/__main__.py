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
from tools.site import home, prepare, search, sections, take_home
from tools.site.pages import PAGES, api, questions, teachers
from tools.site.pages.markdown import ROOT

SOURCE = ROOT / "build/site-source"
SITE = ROOT / "build/site"


def write_source() -> None:
    """What Sphinx reads, in a fresh folder."""
    shutil.rmtree(SOURCE, ignore_errors=True)
    shutil.copytree(ROOT / "figures", SOURCE / "figures")
    asked = figures.svg(home.picture(), "How accurate is it?")
    (SOURCE / "figures/home.svg").write_text(asked, encoding="utf-8")
    (SOURCE / "static").mkdir()
    (SOURCE / "extra").mkdir()
    if teachers.SLIDES.exists():
        only = shutil.ignore_patterns("live")
        shutil.copytree(teachers.SLIDES, SOURCE / "extra/slides", ignore=only)
    (SOURCE / "static/explorer.js").write_text(SCRIPT, encoding="utf-8")
    (SOURCE / "static/explorer.css").write_text(STYLE, encoding="utf-8")
    (SOURCE / api.FOLDER).mkdir()
    pages = {
        name: page() for name, page in {**PAGES, "index": home.page, "get": take_home.text}.items()
    }
    (SOURCE / "search.js").write_text(search.script(pages), encoding="utf-8")
    for name, page in sections.with_contents(pages).items():
        (SOURCE / f"{name}.md").write_text(prepare.relinked(page), encoding="utf-8")
    (SOURCE / "notebooks").mkdir()
    for path in sorted(notebooks.NOTEBOOKS.glob("*.ipynb")):
        notebook = notebooks.read(path)
        prepare.prepare(notebook, questions.anchors(path.stem))
        notebook.cells.insert(1, take_home.links(path))
        (SOURCE / "notebooks" / path.name).write_bytes(notebooks.to_bytes(notebook))


def main(arguments: Sequence[str] | None = None) -> int:
    argparse.ArgumentParser(description="Build the site, in build/site.").parse_args(arguments)
    write_source()
    shutil.rmtree(SITE, ignore_errors=True)
    sphinx = "-m sphinx -qW --keep-going -c site -d build/doctrees build/site-source build/site"
    code = subprocess.call([sys.executable, *sphinx.split()], cwd=ROOT)
    if code == 0:
        print(
            "The site is build/site/index.html. To look at it with all that moves in it:\n"
            "  python3 -m http.server -d build/site   and open http://localhost:8000"
        )
    return code


if __name__ == "__main__":
    sys.exit(main())
