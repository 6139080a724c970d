"""Make the slides of every notebook: python -m tools.slides [--out DIR].

Tags in the notebooks say what is on a slide: see CONTRIBUTING.md. nbconvert makes a file of them for a browser.
"""

import argparse
import base64
import html
import re
import sys
from collections.abc import Sequence
from pathlib import Path

import sphinx_revealjs
from math_core import LatexToMathML
from nbconvert.exporters import SlidesExporter
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from nbformat import NotebookNode, from_dict
from traitlets.config import Config

from mlm_course.practice.page import SCRIPT, STYLE
from tools.notebooks import NOTEBOOKS, read_notebook
from tools.site import explorers
from tools.site.pages.markdown import title_of

OUT = Path("build/slides")
HERE = Path(__file__).parent
# The code of a cell with this tag is not on its slide.
EXPORT = Config({"TagRemovePreprocessor": {"enabled": True, "remove_input_tags": {"output-only"}}})
MATHS = LatexToMathML()
INDEX = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Slides: multi-label metrics by hand</title>
<link rel="icon" href="data:,">
<style>body {{ max-width: 46rem; margin: 2rem auto; padding: 0 1rem; font: 20px/1.6 system-ui, sans-serif; }}</style>
</head>
<body>
<main>
<h1>Multi-label metrics by hand: the slides</h1>
<p>One file for each notebook, which needs no network. Space goes on, S opens the speaker's notes,
O shows all slides, F fills the screen.</p>
<ol start="0">
{rows}
</ol>
</main>
</body>
</html>
"""


class Renderer(IPythonRenderer):
    """nbconvert's Markdown, with formulas that a browser draws by itself, and links between the decks."""

    def block_math(self, body: str) -> str:
        return str(MATHS.convert_with_local_state(body, displaystyle=True))

    def inline_math(self, body: str) -> str:
        return str(MATHS.convert_with_local_state(body, displaystyle=False))

    def link(self, text: str, url: str, title: str | None = None) -> str:
        return str(super().link(text, re.sub(r"^(\d\d_\w+)\.ipynb", r"\1.html", url), title))


def markdown(source: str) -> str:
    """HTML of Markdown, as nbconvert makes it."""
    renderer = Renderer(escape=False, exclude_anchor_links=True)
    return str(MarkdownWithMath(renderer=renderer).render(source))


def deck(path: Path) -> NotebookNode:
    """A notebook with what its slides show or tell besides: headings, pictures again, a teacher's notes."""
    notebook = read_notebook(path)
    cells, notebook.cells, heading = notebook.cells, [], ""
    cells[0].source = "\n\n".join(cells[0].source.split("\n\n")[:3])  # what one needs for it
    for cell in cells:
        slideshow = cell.metadata.setdefault("slideshow", {})
        if found := re.match(r"#+ (.*)", cell.source) if cell.cell_type == "markdown" else None:
            heading = found[1]
        elif slideshow.get("slide_type") == "subslide":
            notebook.cells.append(markdown_cell(f"## {heading}", "subslide", f"{cell.id}-heading"))
            slideshow["slide_type"] = "-"
        notebook.cells.append(cell)
        for shown in (one for one in cells if one.id == slideshow.get("beside")):
            picture = "".join(output.data["text/html"] for output in shown.outputs)
            notebook.cells.append(markdown_cell(picture, "-", f"{cell.id}-beside"))
        if notes := slideshow.get("notes"):
            notebook.cells.append(markdown_cell("\n\n".join(notes), "notes", f"{cell.id}-notes"))
    return notebook


def markdown_cell(source: str, kind: str, name: str) -> NotebookNode:
    metadata = {"slideshow": {"slide_type": kind}}
    cell = {"cell_type": "markdown", "id": name, "metadata": metadata, "source": source}
    made: NotebookNode = from_dict(cell)  # type: ignore[no-untyped-call]
    return made


def page(notebook: NotebookNode) -> str:
    """The file of a deck: reveal.js, pictures, formulas and the explorer inside."""
    sources: list[str] = []
    for cell in (cell for cell in notebook.cells if cell.cell_type == "code"):
        sources.append(cell.source)
        if metrics := cell.metadata.slideshow.get("metrics"):
            cell.outputs[0].data = {"text/html": explorer(sources, metrics)}
    reveal = Path(sphinx_revealjs.__file__).parent / "_static/revealjs"  # without a network
    styles = [reveal / "dist/reset.css", reveal / "dist/reveal.css", HERE / "deck.css"]
    scripts = [reveal / "dist/reveal.js", reveal / "plugin/notes/notes.js"]
    inside = {
        "title": title_of(notebook.cells[0].source),
        "style": "\n".join([STYLE, *map(style, styles)]),
        "reveal": "\n".join(map(script, scripts)),
        "explorer": SCRIPT,
    }
    exporter = SlidesExporter(  # type: ignore[no-untyped-call]
        config=EXPORT,
        template_file=str(HERE / "deck.html.j2"),
        filters={"markdown2html": markdown},
        exclude_input_prompt=True,
        exclude_output_prompt=True,
    )
    text: str
    text, _ = exporter.from_notebook_node(notebook, {"deck": inside})
    return text


def explorer(sources: Sequence[str], metrics: Sequence[str]) -> str:
    """The explorer of a cell, with so many metrics that it fits on a slide."""
    start = explorers.explorer_data(sources, metrics)
    start["metrics"] = [one for one in start["metrics"] if one["key"] in metrics]
    start["challenges"] = []
    return explorers.mount_point(start, "")


def style(file: Path) -> str:
    """A style sheet with its fonts inside, as a file without a network needs them."""

    def within(found: re.Match[str]) -> str:
        font = base64.b64encode((file.parent / found[1]).read_bytes()).decode()
        return f'url("data:font/woff2;base64,{font}")'

    return re.sub(r'url\("(.+\.woff2)"\)', within, file.read_text(encoding="utf-8"))


def script(file: Path) -> str:
    """A script as it may stand within a page."""
    text = re.sub(r"//# sourceMappingURL=.*", "", file.read_text(encoding="utf-8"))
    return text.replace("</script", r"<\/script").replace("<!--", r"<\!--")


def build(out: Path) -> None:
    """Write every deck, and the list of all."""
    out.mkdir(parents=True, exist_ok=True)
    rows = []
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        notebook = deck(path)
        file = out / f"{path.stem}.html"
        file.write_text(page(notebook), encoding="utf-8")
        rows.append(
            f'<li><a href="{file.name}">{html.escape(title_of(notebook.cells[0].source))}</a></li>'
        )
        print(f"{file}: {file.stat().st_size / 1000:.0f} kB")
    (out / "index.html").write_text(INDEX.format(rows="\n".join(rows)), encoding="utf-8")
    print(f"{out / 'index.html'}: the list of all")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Make the slides of every notebook.")
    parser.add_argument("--out", type=Path, default=OUT, metavar="DIR", help=f"default: {OUT}")
    try:
        build(parser.parse_args(arguments).out)
    except OSError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
