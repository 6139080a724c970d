"""The built site without a browser: it has every page and formula, and its links lead somewhere."""

import re

import pytest
from built import BUILT, PAGES
from checks import broken_links, outline, repeated_ids

from tools.notebooks import NOTEBOOKS as FOLDER
from tools.notebooks import read_notebook
from tools.site.__main__ import SOURCE

NOTEBOOKS = {path.stem: read_notebook(path) for path in FOLDER.glob("*.ipynb")}
SUFFIXES = (".md", ".rst", ".ipynb")
FORMULA = re.compile(r"\$\$.+?\$\$|(?<![\\$\w])\$[^\s$](?:[^$`\n]*[^\s$])?\$", re.DOTALL)


def test_the_pages_are_those_of_the_sources():
    sources = [path.relative_to(SOURCE) for path in SOURCE.rglob("*") if path.suffix in SUFFIXES]
    names = ["search.html", *(path.with_suffix(".html").as_posix() for path in sources)]
    assert sorted(names) == PAGES, "run: make site"
    assert {f"notebooks/{name}.html" for name in NOTEBOOKS} < set(PAGES)


@pytest.mark.parametrize("name", sorted(NOTEBOOKS))
def test_every_formula_of_a_notebook_is_mathml(name):
    text = "\n".join(cell.source for cell in NOTEBOOKS[name].cells if cell.cell_type == "markdown")
    assert outline(BUILT / f"notebooks/{name}.html").formulas == len(FORMULA.findall(text))


@pytest.mark.parametrize("name", PAGES)
def test_every_link_leads_somewhere(name):
    assert broken_links(BUILT / name, BUILT) == []


@pytest.mark.parametrize("name", PAGES)
def test_no_id_is_repeated(name):
    assert repeated_ids(BUILT / name) == []
