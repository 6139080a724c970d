"""The course as one archive: notebooks, the pages they link to, the package as a wheel, and a file that starts it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell

from mlm_helpers import __version__
from tools.site.pages import teaching
from tools.site.pages.markdown import DOCS, ROOT, filled

COURSE = f"multi-label-metrics-by-hand-{__version__}"
NAME = f"{COURSE}.zip"
WHEEL = f"multi_label_metrics_by_hand-{__version__}-py3-none-any.whl"
TAKEN = ["notebooks", "figures", "docs/*.md", "docs/LICENSE*", "LICENSE", "constraints.txt"]
"""What is taken of all that git tracks."""


def write(archive: Path) -> None:
    """Write the archive, in which everything lies in one folder."""
    listed = subprocess.check_output(["git", "ls-files", "-z", *TAKEN], cwd=ROOT, text=True)
    with TemporaryDirectory() as place:
        folder = Path(place) / COURSE
        for name in listed.split("\0")[:-1]:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
        wheel = ["-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
        subprocess.run([sys.executable, *wheel], cwd=ROOT, check=True, capture_output=True)
        shutil.copy(DOCS / "take_home/start.py", folder)
        (folder / "README.md").write_text(filled("take_home", wheel=WHEEL), encoding="utf-8")
        shutil.make_archive(str(archive.with_suffix("")), "zip", place, COURSE)


def text() -> str:
    """The page "Get it"."""
    return filled("get", zip=NAME, wheel=WHEEL)


def links(notebook: Path) -> NotebookNode:
    """A cell that says how to take a notebook home, and leads to its slides, if they are built."""
    file = f"{{download}}`This notebook as a file <../../../notebooks/{notebook.name}>`"
    slides = teaching.deck(notebook.stem, "its slides", up="../")
    parts = filter(None, (file, "[the whole course](../get.md)", slides))
    return new_markdown_cell(" · ".join(parts), id="take-home")
