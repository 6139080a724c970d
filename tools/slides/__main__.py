"""Make the slides of every notebook and lesson: python -m tools.slides.

The metadata of cells decide what is on a slide (see CONTRIBUTING.md); nbconvert writes the HTML.
"""

import base64
import re
from collections.abc import Sequence, Set
from pathlib import Path

import sphinx_revealjs
from math_core import LatexToMathML
from nbconvert.exporters import SlidesExporter
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from nbformat import NotebookNode
from nbformat.v4 import new_notebook
from traitlets.config import Config

from mlm_course.practice.page import SCRIPT, STYLE
from tools.notebooks import NOTEBOOKS, is_more, markdown_cell, read_notebook, sections
from tools.site import explorers
from tools.site.pages.markdown import title_of
from tools.slides.lessons import Lesson, hand_out, lessons

OUT = Path("build/slides")
HERE = Path(__file__).parent
# A slide shows only the output of a cell with this tag.
EXPORT = Config({"TagRemovePreprocessor": {"enabled": True, "remove_input_tags": {"output-only"}}})
LATEX = LatexToMathML()
KEYS = "Space shows the next slide, S the speaker's notes, O all slides, and F fills the screen."


class Renderer(IPythonRenderer):
    """nbconvert's Markdown, with formulas as MathML and links between the decks."""

    def block_math(self, body: str) -> str:
        """A displayed formula."""
        return str(LATEX.convert_with_local_state(body, displaystyle=True))

    def inline_math(self, body: str) -> str:
        """A formula in a line."""
        return str(LATEX.convert_with_local_state(body, displaystyle=False))

    def link(self, text: str, url: str, title: str | None = None) -> str:
        """A link; to a notebook, it leads to its deck."""
        return str(super().link(text, re.sub(r"^(\d\d_\w+)\.ipynb", r"\1.html", url), title))


def markdown_html(source: str) -> str:
    """Markdown as HTML, with formulas as MathML."""
    renderer = Renderer(escape=False, exclude_anchor_links=True)
    return str(MarkdownWithMath(renderer=renderer).render(source))


def deck(path: Path, wanted: Set[str] = frozenset()) -> NotebookNode:
    """A notebook with further cells for slides (headings, pictures, notes), its first cell shorter.

    If sections are wanted, all others are left out; a section beside the core path, unless it is
    wanted.
    """
    notebook = read_notebook(path)
    parts = list(sections(notebook))
    cells, notebook.cells = notebook.cells, []
    cells[0].source = "\n\n".join(cells[0].source.split("\n\n")[:3])

    def add(source: str, slide_type: str, name: str) -> None:
        notebook.cells.append(markdown_cell(name, source, slideshow={"slide_type": slide_type}))

    for cell, headings in parts:
        slideshow = cell.metadata.setdefault("slideshow", {})
        heading = [title_of(cells[0].source), *headings][-1]
        has_heading = cell.cell_type == "markdown" and cell.source.startswith("#")
        if is_more({*headings} - wanted) or (wanted and wanted.isdisjoint(headings)):
            slideshow.clear()
            slideshow["slide_type"] = "skip"
        kind = slideshow.setdefault("slide_type", "-")
        if has_heading and kind == "-" and heading in wanted:
            slideshow["slide_type"] = "subslide"
        if kind == "subslide" and not has_heading:
            add(f"## {heading}", "subslide", f"{cell.id}-heading")
            slideshow["slide_type"] = "-"
        notebook.cells.append(cell)
        for shown_again in (other for other in cells if other.id == slideshow.get("beside")):
            picture = "".join(output.data["text/html"] for output in shown_again.outputs)
            add(picture, "-", f"{cell.id}-beside")
        if notes := slideshow.get("notes"):
            add("\n\n".join(notes), "notes", f"{cell.id}-notes")
    return notebook


def lesson_deck(lesson: Lesson) -> NotebookNode:
    """The deck of a lesson: its title, then the sections of its notebooks."""
    text = f"# {lesson.title}\n\n{' · '.join(dict(lesson.parts))}"
    title = markdown_cell("title", text, slideshow={"slide_type": "slide"})
    joined: NotebookNode = new_notebook(cells=[title])
    for i, (name, wanted) in enumerate(lesson.parts):
        first, *cells = deck(NOTEBOOKS / f"{name}.ipynb", wanted).cells
        kinds = (cell.metadata["slideshow"]["slide_type"] for cell in cells)
        if next((kind for kind in kinds if kind != "skip"), "") == "-":  # a picture below the title
            heading = f"## {title_of(first.source)}"
            cells.insert(0, markdown_cell(first.id, heading, **first.metadata))
        for cell in cells:
            cell.id = f"{i}-{cell.id}"  # a lesson may return to a notebook
        joined.cells += cells
    return joined


def deck_html(notebook: NotebookNode) -> str:
    """The HTML file of a deck, which contains reveal.js, pictures and the explorer."""
    sources: list[str] = []
    for cell in (cell for cell in notebook.cells if cell.cell_type == "code"):
        sources.append(cell.source)
        if metrics := cell.metadata.slideshow.get("metrics"):
            cell.outputs[0].data = {"text/html": explorer_html(sources, metrics)}
    reveal = Path(sphinx_revealjs.__file__).parent / "_static/revealjs"
    styles = [reveal / "dist/reset.css", reveal / "dist/reveal.css", HERE / "deck.css"]
    scripts = [reveal / "dist/reveal.js", reveal / "plugin/notes/notes.js"]
    embedded = {
        "title": title_of(notebook.cells[0].source),
        "style": "\n".join([STYLE, *map(inlined_style, styles)]),
        "reveal": "\n".join(map(inlined_script, scripts)),
        "explorer": SCRIPT,
    }
    exporter = SlidesExporter(
        config=EXPORT,
        template_file=str(HERE / "deck.html.j2"),
        filters={"markdown2html": markdown_html},
        exclude_input_prompt=True,
        exclude_output_prompt=True,
    )
    text: str
    text, _ = exporter.from_notebook_node(notebook, {"deck": embedded})
    return text


def explorer_html(sources: Sequence[str], metrics: Sequence[str]) -> str:
    """HTML of the explorer of the last of these cells, with few metrics, to fit on a slide."""
    start = explorers.explorer_data(sources, metrics)
    start["metrics"] = [metric for metric in start["metrics"] if metric["key"] in metrics]
    return explorers.mount_point(start, "")


def inlined_style(file: Path) -> str:
    """A style sheet with its fonts embedded, so that a deck needs no network."""

    def data_url(match: re.Match[str]) -> str:
        font = base64.b64encode((file.parent / match[1]).read_bytes()).decode()
        return f'url("data:font/woff2;base64,{font}")'

    return re.sub(r'url\("(.+\.woff2)"\)', data_url, file.read_text(encoding="utf-8"))


def inlined_script(file: Path) -> str:
    """A script made safe within an HTML element, without the address of its source map."""
    text = re.sub(r"//# sourceMappingURL=.*", "", file.read_text(encoding="utf-8"))
    return text.replace("</script", r"<\/script").replace("<!--", r"<\!--")


def write(name: str, text: str) -> None:
    """Write an HTML file, and tell its size."""
    (OUT / f"{name}.html").write_text(text, encoding="utf-8")
    print(f"{OUT / name}.html: {len(text) / 1000:.0f} kB")


def build() -> None:
    """Write the decks of notebooks and lessons, the hand-outs, and a page of links to decks."""
    OUT.mkdir(parents=True, exist_ok=True)
    page = (HERE / "page.html").read_text(encoding="utf-8")
    decks = {path.stem: deck(path) for path in sorted(NOTEBOOKS.glob("*.ipynb"))}
    decks |= {lesson.name: lesson_deck(lesson) for lesson in lessons()}
    titles = {name: title_of(notebook.cells[0].source) for name, notebook in decks.items()}
    links = "\n".join(f"* [{title}]({name}.html)" for name, title in titles.items())
    texts = {"index": f"# Slides\n\n{KEYS}\n\n{links}"}
    texts |= {f"{lesson.name}-hand-out": hand_out(lesson) for lesson in lessons()}
    for name, notebook in decks.items():
        write(name, deck_html(notebook))
    for name, text in texts.items():
        write(name, page.replace("{{ body }}", markdown_html(text)))


if __name__ == "__main__":
    build()
