"""A deck as one HTML file: reveal.js, pictures, mathematics and the explorer inside, no network."""

from __future__ import annotations

import html
import importlib.util
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from math_core import LatexToMathML
from nbformat import NotebookNode
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from mlm_helpers.course.practice.page import SCRIPT, STYLE
from mlm_helpers.course.practice.page import page as explored
from tools.site.explorers import as_json
from tools.slides import size
from tools.slides.decks import UNSEEN

HERE = Path(__file__).parent
MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable("table")
MATHS = LatexToMathML()
FORMULA = re.compile(r"\$\$(.+?)\$\$|\$(.+?)\$", re.DOTALL)
LINK = re.compile(r'href="(\d\d_\w+)\.ipynb')
PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="icon" href="data:,">
<style>
{style}
</style>
</head>
<body>
<main><div class="reveal"><div class="slides">
{slides}
</div></div></main>
<script>
{reveal}
{notes}
Reveal.initialize({{
  width: 1280, height: 720, margin: 0, center: false, display: "flex", hash: true, slideNumber: true,
  transition: "none", controlsTutorial: false, plugins: [RevealNotes],
}});
</script>
{explorer}
</body>
</html>
"""
EXPLORER = """<script id="explorer-data" type="application/json">{data}</script>
<script type="module">
{script}
const here = document.getElementById("explorer");
mount(here, JSON.parse(document.getElementById("explorer-data").textContent));
here.addEventListener("keydown", (event) => event.stopPropagation()); // arrows are the grid's there
</script>"""


def page(deck: NotebookNode, data: Mapping[str, Any]) -> str:
    """The file of a deck; `data` are those of its explorer."""
    slides = list(slides_of(deck.cells))
    reveal = reveal_folder()
    style = "\n".join(
        [
            *((reveal / "dist" / name).read_text("utf-8") for name in ("reset.css", "reveal.css")),
            STYLE,
            (HERE / "deck.css").read_text(encoding="utf-8"),
        ]
    )
    body = "\n".join(map(section, slides))
    has_explorer = 'id="explorer"' in body
    return PAGE.format(
        title=html.escape(deck.cells[0].source.removeprefix("# ")),
        style=style,
        slides=body,
        reveal=script(reveal / "dist" / "reveal.js"),
        notes=script(reveal / "plugin" / "notes" / "notes.js"),
        explorer=explorer(data) if has_explorer else "",
    )


def reveal_folder() -> Path:
    """Where reveal.js lies, which a package of the extra `slides` brings along."""
    spec = importlib.util.find_spec("sphinx_revealjs")
    assert spec and spec.origin
    return Path(spec.origin).parent / "_static" / "revealjs"


def script(file: Path) -> str:
    """A script as it may stand within a page."""
    text = re.sub(r"//# sourceMappingURL=.*", "", file.read_text(encoding="utf-8"))
    return text.replace("</script", r"<\/script").replace("<!--", r"<\!--")


def explorer(data: Mapping[str, Any]) -> str:
    """The explorer, with so many metrics that it fits on a slide."""
    shown = explored(**{name: data[name] for name in data if name != "metrics"})
    shown["metrics"] = [one for one in shown["metrics"] if one["key"] in data["metrics"]]
    shown["challenges"] = []
    return EXPLORER.format(data=as_json(shown), script=SCRIPT)


# ---------------------------------------------------------------------------- slides


def slides_of(cells: Iterable[NotebookNode]) -> Iterator[list[NotebookNode]]:
    """The cells of each slide."""
    some: list[NotebookNode] = []
    for cell in (cell for cell in cells if UNSEEN not in cell.metadata.get("tags", [])):
        if cell.metadata.slideshow.slide_type == "slide" and some:
            yield some
            some = []
        some.append(cell)
    yield some


def section(cells: list[NotebookNode]) -> str:
    kind = " ".join(cells[0].metadata.tags)
    return f'<section class="{kind}">\n' + "\n".join(map(written, cells)) + "\n</section>"


def written(cell: NotebookNode) -> str:
    if cell.cell_type == "code":
        return code(cell)
    if cell.source.startswith("<div"):
        return str(cell.source)
    text = markdown(cell.source)
    notes = cell.metadata.slideshow.slide_type == "notes"
    return f'<aside class="notes">{text}</aside>' if notes else f'<div class="text">{text}</div>'


def markdown(source: str) -> str:
    text = str(MARKDOWN.render(FORMULA.sub(mathml, source)))
    return LINK.sub(r'href="\1.html', text)


def mathml(found: re.Match[str]) -> str:
    tex = found[1] or found[2]
    return str(MATHS.convert_with_local_state(tex, displaystyle=bool(found[1]))).replace("\n", "")


def code(cell: NotebookNode) -> str:
    if size.is_explorer(cell):
        return '<div id="explorer" class="fill"></div>'
    parts = []
    if size.shows_code(cell):
        lines = highlight(cell.source, PythonLexer(), HtmlFormatter(nowrap=True))
        parts.append(pre("code", cell.source, f"<code>{lines.rstrip()}</code>"))
    if printed := size.printed_by(cell):
        parts.append(pre("said", printed, html.escape(printed.rstrip())))
    if drawn := size.html_of(cell):
        parts.append(size.framed(drawn))
    return "\n".join(parts)


def pre(kind: str, text: str, shown: str) -> str:
    return f'<pre class="{kind}" style="font-size: {size.code_size(text)}px">{shown}</pre>'
