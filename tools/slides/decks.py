"""A deck: the walkthrough of a notebook, as a notebook whose cells say which slide they are on.

JupyterLab's RISE shows it with a kernel; `page` makes one file of it. Every word on a slide is the
notebook's own. `decks.toml` says what is left out, and what the teacher's notes say beside.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from nbformat import NotebookNode

from tools.notebooks import METADATA, NOTEBOOKS, parse, read
from tools.slides import size, usual

CHOICES = Path(__file__).parent / "decks.toml"
TITLE_PARAGRAPHS = 2  # what you will be able to do; what you need
PREDICT = re.compile(r"Predict(:| before you)|[Bb]efore you (run|go on)")
UNSEEN = "unseen"  # the tag of code that is not on the slide
RISE = {"theme": "white", "transition": "none", "center": False, "scroll": True}
PAUSE = "*Pause: write your answer down, then go on.*"
END_OF_SENTENCE = re.compile(r"(?:(?<=[.?!])|(?<=[.?!][”)*])|(?<=[.?!]\*\*))\s+(?=[A-Z“*`$(\d])")
LEADING = ("Now ", "Let us ")
DETAILS = re.compile(r"<details><summary>(.*?)</summary>\n\n(.*?)\n\n</details>", re.DOTALL)


class DeckError(Exception):
    """A deck that cannot be made; the message is one sentence."""


@dataclass
class Slide:
    """What is on a slide: Markdown and code cells in order; its kind; what the teacher reads beside."""

    heading: str
    kind: str = "plain"  # or "title", "predict", "answer"
    parts: list[str | NotebookNode] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def height(self) -> float:
        return size.heading_height(self.heading) + sum(map(size.height, self.parts))

    @property
    def tags(self) -> list[str]:
        """Its kind, and whether there is room for larger type."""
        is_large = self.height * size.LARGER**2 < size.ROOM and all(map(size.grows, self.parts))
        return [self.kind, *(["large"] if is_large and self.kind != "title" else [])]


def choices() -> dict[str, Any]:
    """What `decks.toml` says, by the notebook's name."""
    return tomllib.loads(CHOICES.read_text(encoding="utf-8"))


def deck(name: str, chosen: Mapping[str, Any]) -> NotebookNode:
    """The deck of a notebook."""
    cells = walkthrough(read(NOTEBOOKS / f"{name}.ipynb").cells)
    check(name, chosen, cells)
    slides = [title(cells[0].source), *body(cells[1:], chosen)]
    annotate(slides, chosen)
    metadata = {**METADATA, "rise": RISE}
    made = {"cells": [*written(slides, cells)], "metadata": metadata, "nbformat": 4}
    return parse(made | {"nbformat_minor": 5})


def walkthrough(cells: list[NotebookNode]) -> list[NotebookNode]:
    """All but the ladder: exercises are for the desk."""
    starts = [cell.source.startswith(("## The ladder", "## To remember")) for cell in cells]
    ladder, remember = (i for i, starts_here in enumerate(starts) if starts_here)
    return cells[:ladder] + cells[remember:]


def check(name: str, chosen: Mapping[str, Any], cells: Iterable[NotebookNode]) -> None:
    """Every phrase of the choices stands in exactly one cell."""
    phrases = [one for key in ("leave", "say", "notes", "usual") for one in chosen.get(key, ())]
    phrases += [chosen["beside"]] if "beside" in chosen else []
    for phrase in phrases:
        found = sum(phrase in cell.source for cell in cells)
        if found != 1:
            raise DeckError(f"{name}: “{phrase}” stands in {found} cells, and must stand in one")


def title(source: str) -> Slide:
    heading, *paragraphs = source.split("\n\n")
    return Slide(heading.removeprefix("# "), "title", list(paragraphs[:TITLE_PARAGRAPHS]))


# ---------------------------------------------------------------------------- what is on the slides


def body(cells: list[NotebookNode], chosen: Mapping[str, Any]) -> list[Slide]:
    """The slides after the title."""
    leave, say, slides = chosen.get("leave", ()), chosen.get("say", ()), [Slide("")]
    for heading, parts in groupby(blocks(cells), key=itemgetter(0)):
        slides.append(Slide(heading))
        for _, part in parts:
            source = f"## {heading}\n" + (part if isinstance(part, str) else part.source)
            if isinstance(part, str) and any(phrase in part for phrase in say):
                slides[-1].notes.append(part)
            elif not any(phrase in source for phrase in leave):
                place(slides, part)
    slides = [slide for slide in slides if slide.parts]
    beside(slides, chosen.get("beside"))
    return slides


def beside(slides: list[Slide], phrase: str | None) -> None:
    """Put the last picture or table, or the one of a phrase, beside the question to think about."""
    asking = next((s for s in slides if s.heading.startswith("Predict")), slides[0])
    before = [part for slide in slides[: slides.index(asking)] for part in slide.parts]
    cells = [part for part in before if not isinstance(part, str) and size.html_of(part)]
    for cell in [cell for cell in cells if not phrase or phrase in cell.source][-1:]:
        seen = size.framed(size.html_of(cell))
        if asking.height + size.height(seen) < size.ROOM - size.LINE:
            asking.parts.append(seen)


def blocks(cells: Iterable[NotebookNode]) -> Iterator[tuple[str, str | NotebookNode]]:
    """Every paragraph, formula, list, table, answer and code cell, with the heading above."""
    heading = ""
    for cell in cells:
        if cell.cell_type == "code":
            yield heading, cell
            continue
        folded = DETAILS.sub(lambda found: found[0].replace("\n\n", "\0"), cell.source)
        for block in folded.split("\n\n"):
            if block.startswith("#"):
                heading = block.lstrip("# ")
            else:
                for part in size.tables_that_fit(block.replace("\0", "\n\n")):
                    yield heading, part


def place(slides: list[Slide], part: str | NotebookNode) -> None:
    """Put a part on the slides, if it is for them."""
    if not isinstance(part, str):
        if size.is_shown(part):
            put(slides, part)
        else:
            forget_lead(slides[-1])
    elif not (folded := DETAILS.match(part)):
        place_text(slides, part)
    elif slides[-1].kind == "predict" or folded[1].startswith("Predict"):
        answer(slides, *folded.groups())


def place_text(slides: list[Slide], text: str) -> None:
    """A question is shown whole; of other paragraphs the teacher says the end."""
    asks = PREDICT.search(text)
    shown, rest = (text, "") if asks else shortened(text)
    slide = put(slides, shown)
    slide.notes += [rest] if rest else []
    if asks or slide.heading.startswith("Predict"):
        slide.kind = "predict"


def put(slides: list[Slide], part: str | NotebookNode) -> Slide:
    """Put a part on the last slide, or on a new one if that is full or has asked its question."""
    last = slides[-1]
    if last.kind == "predict" and not last.heading.startswith("Predict"):
        last = begin(slides, last.heading)
    elif last.parts and last.height + size.height(part) > size.ROOM:
        together = along(last.parts, part)
        del last.parts[len(last.parts) - len(together) :]
        last = begin(slides, last.heading)
        last.parts += together
    last.parts.append(part)
    return last


def along(parts: list[str | NotebookNode], part: str | NotebookNode) -> list[str | NotebookNode]:
    """What goes to a new slide with a part: what it speaks of, and what announces that, or the part."""
    is_told = isinstance(part, str) and not leads(part) and not part.startswith("$$")
    explains = is_told and not isinstance(parts[-1], str)
    start = len(parts) - explains
    start -= start > 0 and leads(parts[start - 1])
    stays, goes = (sum(map(size.height, some)) for some in (parts[:start], [*parts[start:], part]))
    is_better = goes <= size.ROOM and (stays > size.height(part) if explains else stays > 0)
    return parts[start:] if is_better else []


def forget_lead(slide: Slide) -> None:
    """Drop the sentence that announces what is not shown."""
    if slide.parts and isinstance(text := slide.parts[-1], str) and text.endswith(":"):
        *before, _ = END_OF_SENTENCE.split(text)
        slide.parts[-1:] = [" ".join(before)] if before else []


def begin(slides: list[Slide], heading: str, kind: str = "plain") -> Slide:
    slides.append(Slide(heading, kind))
    return slides[-1]


def leads(part: str | NotebookNode) -> bool:
    """Whether a part announces the next one."""
    return isinstance(part, str) and (part.endswith((":", "?")) or part.startswith(LEADING))


def shortened(text: str) -> tuple[str, str]:
    """The first sentences of a long paragraph, and the others, which the teacher says."""
    is_other = text.startswith(("*", "1.", "|", "$$", ">")) and not text.startswith("**")
    if is_other or text.endswith(":"):
        return text, ""
    shown, *others = END_OF_SENTENCE.split(text)
    while others and len(size.seen(shown + others[0])) < size.LONG:
        shown += " " + others.pop(0)
    return shown, " ".join(others)


def answer(slides: list[Slide], summary: str, text: str) -> None:
    """The slide after a question: what stands folded below it."""
    if summary.startswith("Predict"):
        slides[-1].parts.append(f"**{summary}**")
        slides[-1].kind = "predict"
    slides[-1].notes.append(text)
    heading = slides[-1].heading if summary.startswith("Predict") else summary
    begin(slides, heading, "answer").parts += text.split("\n\n")
    begin(slides, heading)


# ---------------------------------------------------------------------------- notes, and the notebook


def annotate(slides: list[Slide], chosen: Mapping[str, Any]) -> None:
    """Put each note beside the slide that has its phrase, or that is the first below its heading."""
    data = chosen.get("data", {})
    notes = dict(chosen.get("notes", {}))
    for phrase, asked in chosen.get("usual", {}).items():
        notes[phrase] = usual.answers(asked, data)
    for phrase, note in notes.items():
        places = [slide for slide in slides if phrase in text_of(slide)]
        if not places:
            raise DeckError(f"no slide shows “{phrase}”, which a note is for")
        places[0].notes.insert(0, note)


def text_of(slide: Slide) -> str:
    sources = (part if isinstance(part, str) else part.source for part in slide.parts)
    return "\n".join((f"## {slide.heading}", *sources))


def written(slides: list[Slide], cells: Iterable[NotebookNode]) -> Iterator[dict[str, Any]]:
    """The cells of the deck: what is on the slides, and all other code too, so that a kernel can run."""
    code = iter([cell for cell in cells if cell.cell_type == "code"])
    for number, slide in enumerate(slides):
        mark = "#" if slide.kind == "title" else "##"
        yield markdown(f"{mark} {slide.heading}", "slide", f"{number}", slide.tags)
        for place, part in enumerate(slide.parts):
            if isinstance(part, str):
                yield markdown(part, "-", f"{number}-{place}")
                continue
            for cell in code:
                yield on_slide(cell, cell is part)
                if cell is part:
                    break
        if slide.kind == "predict":
            yield markdown(PAUSE, "-", f"{number}-pause")
        if slide.notes:
            yield markdown("\n\n".join(slide.notes), "notes", f"{number}-notes")
    yield from (on_slide(cell, False) for cell in code)


def markdown(source: str, kind: str, identity: str, tags: Sequence[str] = ()) -> dict[str, Any]:
    metadata = {"slideshow": {"slide_type": kind}, "tags": [*tags]}
    identity = f"slide-{identity}"
    return {"cell_type": "markdown", "id": identity, "metadata": metadata, "source": source}


def on_slide(cell: NotebookNode, is_shown: bool) -> dict[str, Any]:
    """A code cell; one that is not shown is folded, and runs with the others."""
    hidden = {"source_hidden": not (is_shown and size.shows_code(cell)), "outputs_hidden": not is_shown}  # fmt: skip
    tags = [] if is_shown else [UNSEEN]
    metadata = {"slideshow": {"slide_type": "-"}, "jupyter": hidden, "tags": tags}
    return {**cell, "execution_count": None, "metadata": metadata}
