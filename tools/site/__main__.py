"""Build the site: python -m tools.site.

Notebooks are not run: their outputs are the committed ones.
"""

from __future__ import annotations

import shutil
import subprocess
import sys

from mlm_course import figures
from mlm_course.practice.page import SCRIPT, STYLE
from tools import notebooks
from tools.site import prepare, search, take_home
from tools.site.pages import choose, course, disagreements, home, paste, play, questions, tools
from tools.site.pages.markdown import DOCS, ROOT, filled

SOURCE = ROOT / "build/site-source"
SITE = ROOT / "build/site"


def pages() -> dict[str, str]:
    """The Markdown of every page but the notebooks, by the name of its file without ending."""
    written = {path.stem: path.read_text(encoding="utf-8") for path in sorted(DOCS.glob("*.md"))}
    made = {
        "index": home.text(),
        "course": course.text(),
        "get": take_home.text(),
        "look_up": filled("look_up"),
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
    if take_home.SLIDES.exists():
        shutil.copytree(take_home.SLIDES, SOURCE / "extra/slides")
    take_home.write(SOURCE / "extra" / take_home.NAME)
    texts = pages()
    (SOURCE / "search.js").write_text(search.script(texts), encoding="utf-8")
    for name, text in texts.items():
        (SOURCE / f"{name}.md").write_text(text, encoding="utf-8")
    for path in sorted(notebooks.NOTEBOOKS.glob("*.ipynb")):
        notebook = notebooks.read_notebook(path)
        prepare.prepare(notebook, path)
        (SOURCE / "notebooks" / path.name).write_bytes(notebooks.to_bytes(notebook))


def main() -> int:
    write_source()
    shutil.rmtree(SITE, ignore_errors=True)
    sphinx = "-m sphinx -qW --keep-going -c docs -d build/doctrees build/site-source build/site"
    code = subprocess.call([sys.executable, *sphinx.split()], cwd=ROOT)
    if code == 0:
        print("The site is in build/site. To look at it: python3 -m http.server -d build/site")
    return code


if __name__ == "__main__":
    sys.exit(main())
