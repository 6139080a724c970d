"""Execute the notebooks and write them as they are committed, byte for byte.

python tools/notebooks.py [--out DIR] [FILE ...]

Without FILE: every notebook in notebooks/. Without --out: in place.
"""

import argparse
import json
import os
import re
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import matplotlib
import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbconvert.preprocessors.coalescestreams import CoalesceStreamsPreprocessor
from nbformat import NotebookNode
from traitlets.config import Config

NOTEBOOKS = Path(__file__).parent.parent / "notebooks"
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
WIDGET = "application/vnd.jupyter.widget-view+json"  # a number by chance; without a kernel it shows nothing
FOLDED = re.compile(r"<summary>Answer</summary>(?!.*<summary>).*</details>\s*\Z", re.DOTALL)
HIDDEN = {"jupyter": {"outputs_hidden": True}}  # right below a folded answer: it would tell it
# Of a cell's metadata; facts are the names of tests that prove what it says.
KEPT_METADATA = ("tags", "facts", "slideshow")
MERGED: Any = CoalesceStreamsPreprocessor()  # type: ignore[no-untyped-call]
AT_ONCE = 2
TIMEOUT = 300  # seconds for one cell


class NotebookError(Exception):
    """A cell failed; the message is one sentence that names the notebook and the cell."""


def read_notebook(path: Path) -> NotebookNode:
    """Read a notebook; a cell without an id gets its position for one, so that bytes repeat."""
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
        raw["nbformat_minor"] = max(5, raw["nbformat_minor"])
        for position, cell in enumerate(raw["cells"], start=1):
            cell.setdefault("id", f"cell-{position}")
    except (ValueError, KeyError, TypeError) as error:
        raise NotebookError(
            f"{path.name} is no notebook: give an .ipynb file, which holds cells as JSON"
        ) from error
    return as_notebook(raw)


def as_notebook(raw: dict[str, Any]) -> NotebookNode:
    """Make a notebook of what JSON holds."""
    notebook: NotebookNode = nbformat.reads(json.dumps(raw), as_version=4)  # type: ignore[no-untyped-call]
    return notebook


def execute(path: Path) -> NotebookNode:
    """Run a notebook in its own folder, in a fresh kernel, and return it executed and cleaned."""
    notebook = read_notebook(path)
    with tempfile.TemporaryDirectory() as profile:
        client = NotebookClient(
            notebook,
            kernel_name="python3",
            resources={"metadata": {"path": str(path.parent)}},
            extra_arguments=["--log-level=ERROR"],
            record_timing=False,
            timeout=TIMEOUT,
            config=Config(KernelManager=connection_options(f"{profile}/kernel")),
        )
        try:
            client.execute(env=kernel_environment(profile))
        except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
            raise NotebookError(f"{path.name}, {failure_message(notebook, error)}") from error
    clean(notebook)
    return notebook


def kernel_environment(profile: str) -> dict[str, str]:
    """The kernel's environment: nothing of the user's terminal, IPython or Matplotlib settings."""
    fixed = {
        "COLUMNS": "80",
        "IPYTHONDIR": profile,
        "LC_ALL": "C.UTF-8",
        "MATPLOTLIBRC": str(Path(matplotlib.get_data_path()) / "matplotlibrc"),
        "TQDM_DISABLE": "1",
        "NO_COLOR": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",
    }
    theirs = {"CLICOLOR_FORCE", "FORCE_COLOR", "MPLBACKEND", "PYTHONSTARTUP", "PYTHONWARNINGS"}
    return {key: value for key, value in os.environ.items() if key not in theirs} | fixed


def connection_options(path: str) -> dict[str, str]:
    """How a kernel is spoken to: through files of its own, as two that start at once may draw one port."""
    return {} if sys.platform == "win32" else {"transport": "ipc", "ip": path}


def failure_message(notebook: NotebookNode, error: Exception) -> str:
    """Say in which cell a run stopped, and why: "cell 7: NameError: name 'x' is not defined"."""
    for position, cell in enumerate(notebook.cells, start=1):
        for output in cell.get("outputs", []):
            if output.output_type == "error":
                return f"cell {position}: {output.ename}: {output.evalue.split(chr(10))[0]}"
    last = max(
        (n for n, cell in enumerate(notebook.cells, 1) if cell.get("execution_count")), default=0
    )
    return f"after cell {last}: {type(error).__name__}: {str(error).splitlines()[0]}"


def clean(notebook: NotebookNode) -> None:
    """Keep tags, facts, slides and outputs; drop every other trace of the run and of the editor."""
    notebook.metadata = METADATA
    above = ""
    for cell in notebook.cells:
        cell.metadata = {k: v for k, v in cell.metadata.items() if k in KEPT_METADATA and v}
        if cell.cell_type == "code" and FOLDED.search(above):
            cell.metadata |= HIDDEN
        above = cell.source if cell.cell_type == "markdown" else ""
        if cell.cell_type == "code":
            for output in cell.outputs:
                output.get("data", {}).pop(WIDGET, None)
            cell.outputs = [output for output in cell.outputs if output.get("data") != {}]
            MERGED.preprocess_cell(cell, {}, 0)  # where print was cut in two is chance


def clean_before_save(model: dict[str, Any], path: str, contents_manager: Any, **_: object) -> None:
    """Keep a notebook of the course, saved in JupyterLab, as clean as one that is built (a hook).

    `path` is the server's, from its root; every other notebook is its author's business.
    """
    file = Path(contents_manager.root_dir, path.lstrip("/"))
    if model["type"] == "notebook" and file.parent.resolve() == NOTEBOOKS.resolve():
        notebook = as_notebook(model["content"])
        clean(notebook)
        model["content"] = notebook


def to_bytes(notebook: NotebookNode) -> bytes:
    """The notebook as it is committed: sorted keys, indent 1, UTF-8, one newline at the end."""
    text: str = nbformat.writes(notebook)  # type: ignore[no-untyped-call]
    return (text.rstrip("\n") + "\n").encode()


def rebuild(path: Path, folder: Path | None) -> str | None:
    """Execute one notebook and write it; return the sentence of its error, if any."""
    try:
        content = to_bytes(execute(path))
    except NotebookError as error:
        return str(error)
    target = path if folder is None else folder / path.name
    target.write_bytes(content)
    print(f"{target}: {len(content) / 1000:.0f} kB", flush=True)
    return None


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description="Execute notebooks and write them with clean metadata."
    )
    parser.add_argument(
        "files", nargs="*", type=Path, metavar="FILE", help="default: notebooks/*.ipynb"
    )
    parser.add_argument("--out", type=Path, metavar="DIR", help="write here, not in place")
    options = parser.parse_args(arguments)
    files = options.files or sorted(NOTEBOOKS.glob("*.ipynb"))
    for missing in (path for path in files if not path.is_file()):
        parser.error(f"{missing} is not a file")
    if options.out:
        try:
            options.out.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            parser.error(
                f"--out is {options.out}, which cannot be a folder: {error.strerror}. Give another one"
            )
    with ThreadPoolExecutor(AT_ONCE) as pool:
        errors = [
            error for error in pool.map(lambda path: rebuild(path, options.out), files) if error
        ]
    print(*errors, sep="\n", end="\n" if errors else "", file=sys.stderr)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
