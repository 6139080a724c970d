"""The course as a zip: notebooks, the package as a wheel, versions, and one file that starts it."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

from nbformat import NotebookNode, from_dict

from mlm_helpers import __version__
from tools.site.pages import teachers
from tools.site.pages.markdown import ROOT, filled

NAME = f"multi-label-metrics-by-hand-{__version__}"
ZIP = ROOT / f"build/take-home/{NAME}.zip"
FILES = [
    *("constraints.txt", "CITATION.cff", "LICENSE", "LICENSE-CC-BY-4.0"),
    *("BENCHMARK.md", "GLOSSARY.md", "METRICS.md", "RECIPES.md", "SOURCES.md", "TEACHING.md"),
]
SOURCES = """\
## The sources

{{download}}`{name} <{path}>` ({size}) holds all of the course. With make, in its folder:

```sh
make lab      # open the course in your browser
make slides   # slides of each notebook
make class    # assignments for a class
make test     # check numbers, notebooks and pictures
```
"""
CLONE = """\

Or take them with their history: `git clone {address} course`
"""


def build(archive: Path = ZIP) -> str:
    """Write the zip; return the name of the wheel in it."""
    folder = archive.with_suffix("") / NAME
    shutil.rmtree(folder.parent, ignore_errors=True)
    only = shutil.ignore_patterns(".*", "__pycache__")
    for part in ("notebooks", "figures"):
        shutil.copytree(ROOT / part, folder / part, ignore=only)
    for name in FILES:
        shutil.copy(ROOT / name, folder)
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    shutil.copy(ROOT / "site/take_home/start.py", folder)
    readme = filled("take_home/README", wheel=wheel.name)
    (folder / "README.md").write_text(readme, encoding="utf-8")
    shutil.make_archive(str(archive.with_suffix("")), "zip", folder.parent, NAME)
    return wheel.name


def sources(address: str | None) -> str:
    """What the page says of the sources, in an archive of the last commit; nothing where there is no git."""
    archive = ZIP.with_name(f"{NAME}-sources.zip")
    command = ["git", "archive", f"--prefix={NAME}/", "-o", str(archive), "HEAD"]
    if not (ROOT / ".git").exists() or subprocess.run(command, cwd=ROOT, check=False).returncode:
        return ""
    told = SOURCES.format(name=archive.name, **stored(archive))
    return told + (CLONE.format(address=address) if address else "")


def stored(archive: Path) -> dict[str, str]:
    """Where a page finds an archive, and its size."""
    size = f"{archive.stat().st_size / 1e6:.1f} MB"
    return {"path": f"../{archive.relative_to(ROOT / 'build')}", "size": size}


def text() -> str:
    """The page "Get it"; it shows how to clone the course where pyproject.toml says from where."""
    wheel = build()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    address = project.get("urls", {}).get("Repository")
    return filled(
        "get",
        zip=ZIP.name,
        **stored(ZIP),
        wheel=wheel,
        sources=sources(address),
    )


def links(notebook: Path) -> NotebookNode:
    """What a page of a notebook says of how to take it home; of its slides, if they are built."""
    file = f"{{download}}`This notebook as a file <../../../notebooks/{notebook.name}>`"
    parts = [file, "[the whole course](../get.md)"]
    if teachers.has_slides(notebook.stem):
        parts.append(teachers.deck(notebook.stem, "its slides", up="../"))
    cell = {"cell_type": "markdown", "id": "take-home", "metadata": {}, "source": " · ".join(parts)}
    made: NotebookNode = from_dict(cell)  # type: ignore[no-untyped-call]
    return made
