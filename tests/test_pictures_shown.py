"""A picture of a notebook has its words where it is read: in JupyterLab and in nbconvert's pages."""

# mypy: allow-untyped-calls
from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import browser
import pytest
from nbconvert import HTMLExporter
from nbformat import sign, v4, write
from nbval.plugin import get_sanitize_patterns
from notebook_rules import pictures
from pictures import shown

from mlm_helpers.course import figures

WORDS = (
    """Of "sea" & 'sun' <b>, $x$, \\(y\\), a|b, [u](v), `c`, *d*, &amp;, 100 %,\n体育 and ✓: 1/2."""
)
STORIES = ("trusted", "untrusted")


def notebook() -> tuple[Any, dict[str, str | None]]:
    """A notebook whose one picture shows what all has to be escaped, and how it should be shown."""
    ax = figures.label_matrix([[1, 0]])
    ax.set_label(WORDS)
    data = shown(ax)
    output = v4.new_output("display_data", data)
    (picture,) = pictures(data["text/html"])
    return v4.new_notebook(cells=[v4.new_code_cell("0", outputs=[output])]), picture


@pytest.mark.parametrize("template", ["lab", "classic"])
def test_nbconvert_gives_the_picture_its_words(template: str) -> None:
    ours, picture = notebook()
    page, _ = HTMLExporter(template_name=template).from_notebook_node(ours)
    assert pictures(page) == [picture]
    assert picture["alt"] == WORDS


def test_nbval_compares_the_words_and_not_the_bytes(request: pytest.FixtureRequest) -> None:
    """Other fonts make other bytes, of a picture that shows the same."""
    file = request.config.rootpath / request.config.option.nbval_sanitize_with
    ((pattern, replacement),) = get_sanitize_patterns(file.read_text(encoding="utf-8"))

    def compared(words: str, ax: Any) -> str:
        ax.set_label(words)
        return re.sub(pattern, replacement, shown(ax)["text/html"])

    small, large = (lambda n=n: figures.label_matrix([[1] * n]) for n in (1, 5))
    assert compared("One.", small()) == compared("One.", large()) != compared("Two.", small())


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a JupyterLab that has the notebook twice and trusts one of the two."""
    folder = tmp_path_factory.mktemp("lab")
    ours, _ = notebook()
    for story in STORIES:
        ours.cells[0].source = story  # or a signature would count for both
        write(ours, folder / f"{story}.ipynb")
        if story == "trusted":
            notary = sign.NotebookNotary(data_dir=str(folder))
            notary.sign(ours)
            notary.store.close()
    places = {f"JUPYTER_{kind}_DIR": str(folder) for kind in ("CONFIG", "DATA", "RUNTIME")}
    command = [sys.executable, "-m", "jupyterlab", "--allow-root", "--no-browser", "--port=0"]
    command += ["--IdentityProvider.token=", f"--ServerApp.root_dir={folder}"]
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(command, env=os.environ | places, stdout=log, stderr=log)
    try:
        yield address(folder, server)
    finally:
        server.terminate()
        server.wait(30)


def address(folder: Path, server: subprocess.Popen[bytes]) -> str:
    """What the server writes down once it is ready."""
    for _ in range(600):
        found = list(folder.glob("jpserver-*.json"))
        if found and (text := found[0].read_text(encoding="utf-8")).endswith("}"):
            return str(json.loads(text)["url"])
        assert server.poll() is None, (folder / "log").read_text(encoding="utf-8")
        time.sleep(0.1)
    raise TimeoutError((folder / "log").read_text(encoding="utf-8"))


@pytest.mark.exhaustive
@browser.needs_chromium
def test_jupyterlab_gives_the_picture_its_words(lab: str, tmp_path: Path) -> None:
    def page(story: str) -> str:
        """The page once the notebook stands in it: where much else runs, that takes its time."""
        place = f"{lab}lab/workspaces/{story}/tree/{story}.ipynb"
        for seconds in (20, 40, 80, 160):
            budget = f"--virtual-time-budget={seconds}000"
            found = browser.opened(place, tmp_path / f"{story}-{seconds}", budget)
            if "data:image/png" in found:
                return found
        raise TimeoutError(found)

    _, picture = notebook()
    with ThreadPoolExecutor() as pool:
        pages = dict(zip(STORIES, pool.map(page, STORIES), strict=True))
    assert [story for story in STORIES if "jp-mod-trusted" in pages[story]] == ["trusted"]
    for found in pages.values():
        assert [each for each in pictures(found) if "alt" in each] == [picture]
        assert found.count("100 %") == 1  # the eye sees no word of it
