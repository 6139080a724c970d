"""Build the site, with the committed outputs of the notebooks: python -m tools.site."""

import shutil
import subprocess
import sys

from mlm_course import figures
from mlm_course.practice.page import SCRIPT, STYLE
from tools import notebooks
from tools.site import prepare, search, take_home
from tools.site.pages import choose, course, disagreements, home, paste, questions, tools
from tools.site.pages.markdown import DOCS, ROOT, filled_template
from tools.slides.lessons import lessons

SOURCE = ROOT / "build/site-source"
SITE = ROOT / "build/site"


def pages() -> dict[str, str]:
    """The Markdown of every page that is not a notebook, by the name of its file without suffix."""
    committed = {path.stem: path.read_text(encoding="utf-8") for path in sorted(DOCS.glob("*.md"))}
    generated = {
        "index": home.page(),
        "course": course.page(),
        "get": take_home.page(),
        "look_up": filled_template("look_up"),
        "questions": questions.page(),
        "play": paste.play(),
        "choose": choose.page(),
        "paste": paste.page(),
        "disagreements": disagreements.page(),
        "tools": tools.page(),
    }
    return {name: with_site_links(page) for name, page in {**committed, **generated}.items()}


def with_site_links(page: str) -> str:
    """A page of docs/ with its links adapted to the site, where "Get it" replaces the README."""
    page = page.replace("](../README.md)", "](get.md)").replace("](../", "](")
    for lesson in lessons() if take_home.SLIDES.exists() else ():
        deck = f"slides/{lesson.name}"
        links = f'<a href="{deck}.html">Slides</a> · <a href="{deck}-hand-out.html">hand-out</a>'
        page = page.replace(f"### {lesson.title}\n", f"### {lesson.title}\n\n{links}\n")
    return page


def write_source() -> None:
    """Write the source that Sphinx reads, in a new folder."""
    shutil.rmtree(SOURCE, ignore_errors=True)
    for folder in ("static", "extra", "notebooks"):
        (SOURCE / folder).mkdir(parents=True)
    shutil.copytree(ROOT / "figures", SOURCE / "figures")
    if take_home.SLIDES.exists():
        shutil.copytree(take_home.SLIDES, SOURCE / "extra/slides")
    take_home.write(SOURCE / "extra" / take_home.NAME)
    texts = pages()
    files = {
        "figures/home.svg": figures.svg(home.picture(), home.QUESTION),
        "static/explorer.js": SCRIPT,
        "static/explorer.css": STYLE,
        "search.js": search.search_script(texts),
    }
    for name, text in (files | {f"{name}.md": page for name, page in texts.items()}).items():
        (SOURCE / name).write_text(text, encoding="utf-8")
    for path in sorted(notebooks.NOTEBOOKS.glob("*.ipynb")):
        notebook = notebooks.read_notebook(path)
        prepare.prepare(notebook, path)
        (SOURCE / "notebooks" / path.name).write_bytes(notebooks.to_bytes(notebook))


def main() -> int:
    """Build the site, and return Sphinx's exit code."""
    write_source()
    shutil.rmtree(SITE, ignore_errors=True)
    sphinx = "-m sphinx -qW --keep-going -c docs -d build/doctrees build/site-source build/site"
    code = subprocess.call([sys.executable, *sphinx.split()], cwd=ROOT)
    if code == 0:
        print("The site is in build/site. To look at it: python3 -m http.server -d build/site")
    return code


if __name__ == "__main__":
    sys.exit(main())
