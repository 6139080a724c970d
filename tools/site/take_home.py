"""The course as one archive: notebooks, the pages they link to, the package as a wheel, and a file that starts it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile

from mlm_helpers import __version__
from tools.site.pages.markdown import DOCS, ROOT, filled

SLIDES = ROOT / "build/slides"
COURSE = f"multi-label-metrics-by-hand-{__version__}"
NAME = f"{COURSE}.zip"
WHEEL = f"multi_label_metrics_by_hand-{__version__}-py3-none-any.whl"
TAKEN = ["notebooks", "figures", "docs/*.md", "docs/LICENSE*", "LICENSE", "constraints.txt"]


def write(archive: Path) -> None:
    """Write the archive: one folder, with what git tracks of `TAKEN`, and the wheel."""
    listed = subprocess.check_output(["git", "ls-files", "-z", *TAKEN], cwd=ROOT, text=True)
    files = {name: ROOT / name for name in listed.split("\0") if name}
    with TemporaryDirectory() as place, ZipFile(archive, "w", ZIP_DEFLATED) as course:
        wheel = ["-m", "hatchling", "build", "-t", "wheel", "-d", place]
        subprocess.run([sys.executable, *wheel], cwd=ROOT, check=True, capture_output=True)
        files |= {WHEEL: Path(place, WHEEL), "start.py": DOCS / "take_home/start.py"}
        for name, file in files.items():
            course.write(file, f"{COURSE}/{name}")
        course.writestr(f"{COURSE}/README.md", filled("take_home", wheel=WHEEL))


def text() -> str:
    """The page "Get it"."""
    return filled("get", zip=NAME, wheel=WHEEL)


def links(notebook: Path) -> str:
    """Markdown that says how to take a notebook home, and leads to its slides, if they are built."""
    file = f"{{download}}`This notebook as a file <../../../notebooks/{notebook.name}>`"
    parts = [file, "[the whole course](../get.md)"]
    if (SLIDES / f"{notebook.stem}.html").exists():
        parts.append(f'<a href="../slides/{notebook.stem}.html">its slides</a>')
    return " · ".join(parts)
