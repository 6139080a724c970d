"""The essay "One photo, three accuracies": its numbers and pictures, made of the data of notebook 00."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from jinja2 import Environment, FileSystemLoader
from numpy.typing import NDArray

from mlm_course import documents
from mlm_course.figures.cells import seen
from mlm_course.figures.look import MARKS
from mlm_course.figures.phrases import capital, joined
from mlm_helpers import exact_match, example_based, hamming
from mlm_helpers.board.numbers import with_decimal
from mlm_helpers.conventions import TOOLS
from tools.site.pages import choose
from tools.site.pages.markdown import ROOT, filled

TRUTH, MODEL = (
    np.array(y) for y in (documents.SKLEARN_GUIDE.y_true, documents.SKLEARN_GUIDE.y_pred)
)
SHY = np.array([[0, 1, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]])
"""Another model: one tag a photo, and never a wrong one."""
LABELS, PHOTOS = ["dog", "sun", "sea", "people"], ["photo 1", "photo 2", "photo 3"]
MORE = 96  # tags that the album learns, and nobody uses
RECORDS = {
    "all right": "subset accuracy",
    "overlap": "samples accuracy (Jaccard)",
    "cells right": "1 − Hamming loss",
}
"""The three accuracies, and what each is called in the records of the tools."""
SVG = Environment(loader=FileSystemLoader(ROOT / "site"), autoescape=True, trim_blocks=True)

Cells = NDArray[np.int_]
Values = Mapping[str, Fraction]


def text() -> str:
    one, three, shy = values(TRUTH[:1], MODEL[:1]), values(TRUTH, MODEL), values(TRUTH, SHY)
    grown = values(with_more(TRUTH), with_more(MODEL))
    numbers = {
        f"{whose}: {way}": with_decimal(value)
        for whose, some in {"one": one, "three": three, "shy": shy, "grown": grown}.items()
        for way, value in some.items()
    }
    large = {f"{len(LABELS) + more} tags": some for more, some in ((0, three), (MORE, grown))}
    pictures = {
        "photo": photo(),
        "four cells": drawn("Four questions about the first photo", n_photos=1),
        "album": drawn("Three photos"),
        "shy model": drawn("The second model", SHY, known={"first": three, "second": shy}),
        "more tags": drawn("More tags", notes=[f"+ {MORE} ·"] * 3, known=large),
    }
    for way in RECORDS:
        pictures[f"one, {way}"] = read("The first photo", way, one, 1)
        pictures[f"three, {way}"] = read("Three photos", way, three, 3)
    facts = {
        "shares": joined([note("overlap", row) for row in outcomes(MODEL)]),
        "right": str((TRUTH == MODEL).sum()),
        "all": str(TRUTH.size),
        "more": str(MORE),
        "new cells": str(MORE * len(PHOTOS)),
        "sentences": sentences(),
        **tools(),
    }
    return filled("one_photo", **numbers, **pictures, **facts)


def values(y_true: Cells, y_pred: Cells) -> dict[str, Fraction]:
    """The three accuracies of a prediction, in the order in which the essay has them."""
    found = (
        exact_match.subset_accuracy(y_true, y_pred),
        example_based.accuracy(y_true, y_pred),
        1 - hamming.hamming_loss(y_true, y_pred),
    )
    return {
        way: Fraction(float(value)).limit_denominator(1000)
        for way, value in zip(RECORDS, found, strict=True)
    }


def with_more(y: Cells) -> Cells:
    return np.pad(y, ((0, 0), (0, MORE)))


def tools() -> dict[str, str]:
    """For each accuracy the tools that call it so without a further word; a tool with two, at its first."""
    found: dict[str, tuple[str, str]] = {}
    for way, record in RECORDS.items():
        for tool in TOOLS.values():
            call = next(tool.answers(record))[1].call if record in tool.metrics else ""
            if re.search("(?<!subset.)(?<!subset)accuracy", call, re.IGNORECASE):
                found.setdefault(tool.name, (way, call))
    return {
        f"tools: {way}": joined(
            [f"{tool} (`{call}`)" for tool, (of, call) in found.items() if of == way]
        )
        for way in RECORDS
    }


def sentences() -> str:
    """What a paper writes of each."""
    metrics = (exact_match.subset_accuracy, example_based.accuracy, hamming.hamming_loss)
    return "\n>\n".join(f"> {choose.sentence(partial(metric))}" for metric in metrics)


# --------------------------------------------------------------------------- pictures


def outcomes(y_pred: Cells) -> Cells:
    """Which of the four marks each cell has."""
    return 2 * TRUTH + y_pred


def note(way: str, row: Cells) -> str:
    """What an accuracy makes of one photo."""
    hits, wrong, n = (row == 3).sum(), np.isin(row, (1, 2)).sum(), len(row)
    ratios = {
        "all right": f"{int(wrong == 0)}",
        "overlap": f"{hits}/{hits + wrong}",
        "cells right": f"{n - wrong}/{n}",
    }
    return ratios[way]


def read(title: str, way: str, found: Values, n_photos: int) -> str:
    """The photos as one accuracy reads them, beside the accuracies before it."""
    notes = [note(way, row) for row in outcomes(MODEL)]
    before = list(RECORDS)[: list(RECORDS).index(way) + 1]
    known = {"": {one: found[one] for one in before}}
    return drawn(title, way=way, notes=notes, known=known, n_photos=n_photos)


def drawn(
    title: str,
    y_pred: Cells = MODEL,
    *,
    way: str = "",
    notes: Sequence[str] = ("",) * 3,
    known: Mapping[str, Values] | None = None,
    n_photos: int = 3,
) -> str:
    """Photos as rows of cells, with a note to each, and bars of the accuracies known so far."""
    kinds, photos = outcomes(y_pred)[:n_photos], PHOTOS[:n_photos]
    said = [
        ", ".join(filter(None, both))
        for both in zip(seen(kinds, LABELS, photos), notes, strict=False)
    ]
    bars = []
    for one in RECORDS:
        numbers = [(whose, some[one]) for whose, some in (known or {}).items() if one in some]
        bars.append({"name": one, "bold": one == way, "known": numbers})
        if numbers:
            written = (f"{whose} {with_decimal(value)}".strip() for whose, value in numbers)
            said.append(f"{one}: {', '.join(written)}")
    return figure(
        "scene",
        words=f"{title}. {capital('; '.join(said))}.",
        labels=LABELS,
        rows=[
            {"name": name, "kinds": row.tolist(), "note": told}
            for name, row, told in zip(photos, kinds, notes, strict=False)
        ],
        bars=bars,
        marks=MARKS,
        ignored=[0] if way == "overlap" else [],
        framed="all" if way == "cells right" else "row" if way else "",
    )


def photo() -> str:
    """The photo, its tags, and those of the model."""
    first = {"in the album": TRUTH[0], "the model": MODEL[0]}
    lines = [(who, joined(np.array(LABELS)[row == 1].tolist())) for who, row in first.items()]
    said = "; ".join(f"{who}: {tags}" for who, tags in lines)
    words = f"Two people in a field of lavender, the sun above the hills. {capital(said)}."
    return figure("photo", words=words, lines=lines)


def figure(template: str, **given: Any) -> str:
    """A picture in one line, as it may stand in Markdown."""
    drawing = SVG.get_template(f"{template}.svg.j2").render(given)
    return f'<figure class="scene">{"".join(map(str.strip, drawing.splitlines()))}</figure>'
