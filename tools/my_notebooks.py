"""Copy the notebooks into my_notebooks/, a folder of the reader's own, which git ignores.

python -m tools.my_notebooks

A copy stays as it is, with its answers, until the course changes the notebook. Then a copy in which
the reader has written gets another name, and the changed notebook takes its place.
"""

import json
from itertools import count
from pathlib import Path
from shutil import copyfile

ROOT = Path(__file__).parent.parent


def written(notebook: Path) -> object:
    """What somebody wrote into a notebook: the text of its cells, without outputs and metadata."""
    try:
        return ["".join(cell["source"]) for cell in json.loads(notebook.read_bytes())["cells"]]
    except (ValueError, LookupError):
        return None


def free_name(copy: Path) -> Path:
    """A name beside a copy that no file has: 05_ranking_old_1.ipynb."""
    names = (copy.with_stem(f"{copy.stem}_old_{number}") for number in count(1))
    return next(name for name in names if not name.exists())


def update(course: Path = ROOT) -> None:
    """Copy each notebook that has no copy yet, or that the course has changed since."""
    originals = course / "my_notebooks/.originals"  # each notebook as it was when it was copied
    originals.mkdir(parents=True, exist_ok=True)
    for notebook in sorted(course.glob("notebooks/*.ipynb")):
        original, copy = originals / notebook.name, originals.parent / notebook.name
        if copy.exists():
            if original.exists() and original.read_bytes() == notebook.read_bytes():
                continue
            if not original.exists() or written(copy) != written(original):
                old = copy.rename(free_name(copy))
                print(f"The course has a new {copy.name}; yours is now my_notebooks/{old.name}")
        copyfile(notebook, copy)
        copyfile(notebook, original)


if __name__ == "__main__":
    update()
