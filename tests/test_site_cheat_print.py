"""The cheat sheet on paper: one page that holds all its words, none upon another."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.transforms import Bbox

from mlm_helpers.catalogue import METRICS
from tools.site import cheat_print
from tools.site.cheat_print import HEIGHT, MARGIN, WIDTH, wrap
from tools.site.pages.cheat_sheet import LEGEND, lines

MIDDLE, TRIANGLE = r"\mathbin{\triangle}", r"\triangle"  # Matplotlib knows the second alone
EDGE = 14  # points that a printer may leave white


def boxes(figure: Figure) -> dict[str, Bbox]:
    """Where each piece of text stands, in points; the same words may stand in several places."""
    renderer = FigureCanvasAgg(figure).get_renderer()
    scale = 72 / figure.dpi
    found = {}
    for number, text in enumerate(figure.texts):
        box = text.get_window_extent(renderer)
        found[f"{number} {text.get_text()}"] = Bbox(box.get_points() * scale)
    return found


@pytest.fixture(scope="module")
def sheet() -> Figure:
    return cheat_print.draw()


@pytest.fixture(scope="module")
def pdf(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("sheet") / "sheet.pdf"
    cheat_print.write(path)
    return path.read_bytes()


def outside(found: dict[str, Bbox]) -> list[str]:
    page = Bbox([[EDGE, EDGE], [WIDTH - EDGE, HEIGHT - EDGE]])
    return [
        words
        for words, box in found.items()
        if not (
            page.containsx(box.x0)
            and page.containsx(box.x1)
            and page.containsy(box.y0)
            and page.containsy(box.y1)
        )
    ]


def upon_each_other(found: dict[str, Bbox]) -> list[tuple[str, str]]:
    """Pairs that share more than a hair's breadth, half a point each way."""
    smaller = {words: Bbox([box.p0 + 0.5, box.p1 - 0.5]) for words, box in found.items()}
    return [
        pair
        for pair in combinations(found, 2)
        if Bbox.intersection(*(smaller[words] for words in pair)) is not None
    ]


def test_nothing_is_clipped_or_hidden(sheet: Figure) -> None:
    found = boxes(sheet)
    assert outside(found) == [] and upon_each_other(found) == []


def test_what_is_clipped_or_hidden_is_found() -> None:
    figure = cheat_print.draw()
    figure.text(0.99, 0.5, "over the edge")
    figure.text((MARGIN + 10) / WIDTH, (HEIGHT - MARGIN - 8) / HEIGHT, "upon the title")
    found = boxes(figure)
    assert any("over the edge" in words for words in outside(found))
    assert any("upon the title" in words for pair in upon_each_other(found) for words in pair)


def test_every_metric_is_on_the_page(sheet: Figure) -> None:
    said = [text.get_text() for text in sheet.texts]
    for metric in METRICS:
        assert metric.id in said and any(metric.name in words for words in said)
        formula = next(words for words in said[said.index(metric.id) :] if words.startswith("$"))
        assert formula == f"${metric.latex.replace(MIDDLE, TRIANGLE)}$"
    assert not any("http" in words for words in said)


def test_what_a_line_says_of_its_metric_is_drawn(sheet: Figure) -> None:
    """Each has an arrow; what it has not, no call and no advice, is a dash; and the signs are told."""
    said = [text.get_text() for text in sheet.texts]
    assert "the default conventions; ↑ higher, ↓ lower is better" in said
    ends = Counter(words.split()[-1] for words in said)
    higher = sum(metric.higher_is_better for metric in METRICS)
    assert (ends["↑"], ends["↓"]) == (higher, len(METRICS) - higher)
    lacks = [
        (line.ties, *line.changes, line.metric.sklearn or "–", line.use or "–") for line in lines()
    ]
    assert said.count("–") == sum(cells.count("–") for cells in lacks)
    assert {f"{sign}  {says}" for sign, says in LEGEND} <= set(said)


def test_it_is_one_page_of_a4_landscape_with_its_letters(pdf: bytes) -> None:
    assert len(re.findall(rb"/Type /Page\b(?!s)", pdf)) == 1
    (box,) = re.findall(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", pdf)
    assert [round(float(side)) for side in box] == [842, 595]
    fonts = re.findall(rb"/Type /FontDescriptor\b", pdf)
    assert fonts and len(re.findall(rb"/FontFile2 ", pdf)) == len(fonts)


def test_it_has_a_title_and_no_date(pdf: bytes) -> None:
    assert b"/Title (Multi-label metrics by hand: the cheat sheet)" in pdf
    assert b"/CreationDate" not in pdf and b"Matplotlib" not in pdf


def test_it_is_the_same_twice(pdf: bytes, tmp_path: Path) -> None:
    cheat_print.write(tmp_path / "again.pdf")
    assert (tmp_path / "again.pdf").read_bytes() == pdf


def test_a_text_is_cut_between_words_and_a_name_after_its_signs() -> None:
    assert list(wrap("one two three", 40)) == ["one two", "three"]
    assert list(wrap("label_ranking_loss", 40)) == ["label_", "ranking_loss"]
    assert list(wrap("tags (on a photo)", 35)) == ["tags (on a", "photo)"]
    assert list(wrap("indivisible", 5)) == ["indivisible"]
