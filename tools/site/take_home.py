"""The archive of the course: notebooks, the pages they link to, the wheel and `start.py`."""

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile

from mlm_helpers import __version__
from tools.site.pages.markdown import DOCS, ROOT, filled_template

SLIDES = ROOT / "build/slides"
COURSE = f"multi-label-metrics-by-hand-{__version__}"
NAME = f"{COURSE}.zip"
WHEEL = f"multi_label_metrics_by_hand-{__version__}-py3-none-any.whl"
CONTENTS = ["notebooks", "figures", ":(glob)docs/*.md", ":!*api.md", "*LICENSE*", "constraints.txt"]


def write(archive: Path) -> None:
    """Write the archive: a folder of what git tracks of `CONTENTS`, wheel, start.py, README."""
    tracked = subprocess.check_output(["git", "ls-files", "-z", *CONTENTS], cwd=ROOT, text=True)
    files = {name: ROOT / name for name in tracked.split("\0") if name}
    with TemporaryDirectory() as build, ZipFile(archive, "w", ZIP_DEFLATED) as zip_file:
        build_wheel = ["-m", "hatchling", "build", "-t", "wheel", "-d", build]
        subprocess.run([sys.executable, *build_wheel], cwd=ROOT, check=True, capture_output=True)
        files |= {WHEEL: Path(build, WHEEL), "start.py": DOCS / "take_home/start.py"}
        for name, file in files.items():
            zip_file.write(file, f"{COURSE}/{name}")
        zip_file.writestr(f"{COURSE}/README.md", filled_template("take_home", wheel=WHEEL))


def page() -> str:
    """The page "Get it" in Markdown."""
    return filled_template("get", zip=NAME, wheel=WHEEL)


def download_links(notebook: Path) -> str:
    """Links below the title of a notebook: its file, the archive, and its slides if built."""
    file = f"{{download}}`This notebook as a file <../../../notebooks/{notebook.name}>`"
    parts = [file, "[the whole course](../get.md)"]
    if (SLIDES / f"{notebook.stem}.html").exists():
        parts.append(f'<a href="../slides/{notebook.stem}.html">its slides</a>')
    return " · ".join(parts)
