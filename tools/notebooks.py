"""Execute notebooks and write them as they are committed: the same bytes on every run.

python -m tools.notebooks [FILE ...]

By default every notebook in notebooks/. A file is written only where it changed.
"""

import json
import os
import re
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
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
# has a random id, and shows nothing without a kernel
WIDGET = "application/vnd.jupyter.widget-view+json"
# The last of a cell's folded texts: <details><summary>Answer</summary> … </details>
FOLDED_ANSWER = re.compile(r"<summary>Answer</summary>(?!.*<summary>).*</details>\s*\Z", re.DOTALL)
DOCUMENTS = "More: what the documents print"  # its code is folded, as its text is
# The keys of a cell's metadata that stay; facts are the names of tests that prove the cell's text.
KEPT_METADATA = ("tags", "facts", "slideshow")
HEADING = re.compile(r"^(##+) (.+)", re.MULTILINE)
MORE = "More: "  # begins the heading of a section that the core path leaves out
CORE_PATH = ("00", "01", "02", "03", "04", "05", "06", "07", "08", "10", "11", "12")
WORDS_PER_MINUTE, CODE_LINES_PER_MINUTE, MINUTES_PER_OUTPUT, MINUTES_PER_RUNG = 200, 15, 1 / 6, 2
TIME = re.compile(r"Time: about \d+ minutes(?:, or \d+ with the sections headed “More”)?")
STREAM_MERGER: Any = CoalesceStreamsPreprocessor()
MAX_KERNELS = 2
TIMEOUT_S = 300  # seconds for one cell


class NotebookError(Exception):
    """A notebook could not be read or run; the message is a sentence with its name and the cell."""


def read_notebook(path: Path) -> NotebookNode:
    """The notebook of a file; a cell without an id gets its position, the same on every run."""
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
        raw["nbformat_minor"] = max(5, raw["nbformat_minor"])
        for position, cell in enumerate(raw["cells"], start=1):
            cell.setdefault("id", f"cell-{position}")
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise NotebookError(
            f"{path.name} is not a notebook: give an .ipynb file, which holds cells as JSON"
        ) from error
    notebook: NotebookNode = nbformat.reads(json.dumps(raw), as_version=4)
    return notebook


def markdown_cell(cell_id: str, source: str, **metadata: Any) -> NotebookNode:
    """A Markdown cell with an id."""
    cell = {"cell_type": "markdown", "id": cell_id, "metadata": metadata, "source": source}
    node: NotebookNode = nbformat.from_dict(cell)
    return node


def sections(notebook: NotebookNode) -> Iterator[tuple[NotebookNode, list[str]]]:
    """Each cell with the headings above it: of its section, and of the section within that."""
    headings: list[str] = []
    for cell in notebook.cells:
        for signs, title in HEADING.findall(cell.source) if cell.cell_type == "markdown" else ():
            headings = [*headings[: len(signs) - 2], title]
        yield cell, headings


def is_more(headings: Iterable[str]) -> bool:
    """Whether the core path leaves out a section with these headings above it."""
    return any(heading.startswith(MORE) for heading in headings)


def minutes(notebook: NotebookNode) -> tuple[int, int]:
    """Minutes of a notebook without its sections headed "More", and with them, in steps of 5."""
    core = whole = 0.0
    for cell, headings in sections(notebook):
        source = TIME.sub("", cell.source)
        if cell.cell_type == "code":
            spent = sum(map(bool, source.split("\n"))) / CODE_LINES_PER_MINUTE + MINUTES_PER_OUTPUT
        else:
            is_rung = headings[:1] == ["The ladder"] and "### " in source
            is_open = headings[-1:] == ["An open task"]
            spent = len(source.split()) / WORDS_PER_MINUTE
            spent += MINUTES_PER_RUNG * (is_rung and not is_open)
        whole += spent
        core += 0 if is_more(headings) else spent
    return 5 * max(1, round(core / 5)), 5 * max(1, round(whole / 5))


def execute(path: Path) -> NotebookNode:
    """The notebook of a file after a run in its folder, in a new kernel, with clean metadata."""
    notebook = read_notebook(path)
    with tempfile.TemporaryDirectory() as profile:
        client = NotebookClient(
            notebook,
            kernel_name="python3",
            resources={"metadata": {"path": str(path.parent)}},
            extra_arguments=["--log-level=ERROR"],
            record_timing=False,
            timeout=TIMEOUT_S,
            config=Config(KernelManager=connection_options(f"{profile}/kernel")),
        )
        try:
            client.execute(env=kernel_environment(profile))
        except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
            raise NotebookError(f"{path.name}, {failure_message(notebook, error)}") from error
    clean(notebook)
    return notebook


def kernel_environment(profile: str) -> dict[str, str]:
    """The kernel's environment variables, without settings of the user's terminal and tools."""
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
    removed = {"CLICOLOR_FORCE", "FORCE_COLOR", "MPLBACKEND", "PYTHONSTARTUP", "PYTHONWARNINGS"}
    return {key: value for key, value in os.environ.items() if key not in removed} | fixed


def connection_options(path: str) -> dict[str, str]:
    """Options by which a kernel is reached through files: two kernels could choose one port."""
    return {} if sys.platform == "win32" else {"transport": "ipc", "ip": path}


def failure_message(notebook: NotebookNode, error: Exception) -> str:
    """The cell in which a run stopped, and why: "cell 7: NameError: name 'x' is not defined"."""
    for position, cell in enumerate(notebook.cells, start=1):
        for output in cell.get("outputs", []):
            if output.output_type == "error":
                return f"cell {position}: {output.ename}: {output.evalue.split(chr(10))[0]}"
    executed = [n for n, cell in enumerate(notebook.cells, 1) if cell.get("execution_count")]
    reason = str(error).splitlines()[0]
    return f"after cell {max(executed, default=0)}: {type(error).__name__}: {reason}"


def clean(notebook: NotebookNode) -> None:
    """Write the minutes of a notebook; remove other metadata, and widgets from its outputs."""
    notebook.metadata = METADATA
    core, whole = minutes(notebook)
    or_whole = f", or {whole} with the sections headed “More”" if whole > core else ""
    text_above = ""
    for cell, headings in sections(notebook):
        if cell is notebook.cells[0]:
            cell.source = TIME.sub(f"Time: about {core} minutes{or_whole}", cell.source)
        cell.metadata = {k: v for k, v in cell.metadata.items() if k in KEPT_METADATA and v}
        if cell.cell_type == "code" and FOLDED_ANSWER.search(text_above):
            cell.metadata |= {"jupyter": {"outputs_hidden": True}}
        elif cell.cell_type == "code" and headings[:1] == [DOCUMENTS]:
            cell.metadata |= {"jupyter": {"outputs_hidden": True, "source_hidden": True}}
        text_above = cell.source if cell.cell_type == "markdown" else ""
        if cell.cell_type == "code":
            for output in cell.outputs:
                output.get("data", {}).pop(WIDGET, None)
            cell.outputs = [output for output in cell.outputs if output.get("data") != {}]
            # A kernel splits printed text at random places.
            STREAM_MERGER.preprocess_cell(cell, {}, 0)


def to_bytes(notebook: NotebookNode) -> bytes:
    """The file of a notebook: JSON with sorted keys and indent 1, in UTF-8, with a last newline."""
    text: str = nbformat.writes(notebook)
    return (text.rstrip("\n") + "\n").encode()


def rebuild(path: Path, target: Path) -> str | None:
    """Execute a notebook and write it where it changed; return the message of its error, if any."""
    try:
        content = to_bytes(execute(path))
    except NotebookError as error:
        return str(error)
    if not target.exists() or target.read_bytes() != content:
        target.write_bytes(content)
        print(f"{target.name}: {len(content) / 1000:.0f} kB", flush=True)
    return None


def main(names: Sequence[str]) -> int:
    """Rebuild notebooks, by default all; return 1 if one failed, else 0."""
    paths = [*map(Path, names)] or sorted(NOTEBOOKS.glob("*.ipynb"))
    with ThreadPoolExecutor(MAX_KERNELS) as pool:
        errors = [error for error in pool.map(rebuild, paths, paths) if error]
    print(*errors, sep="\n", end="\n" if errors else "", file=sys.stderr)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
