"""Every slide of every deck, in a real browser at 1280 × 720, from a file and without a network."""

from __future__ import annotations

import json
import re
from pathlib import Path

import browser
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tools.slides import __main__ as command
from tools.slides import decks
from tools.slides import page as slide

pytestmark = browser.needs_chromium

BUILT = Path(__file__).parents[2] / "build/slides"
NAMES = sorted(decks.choices())
SEEN = Path(__file__).with_name("seen.js").read_text(encoding="utf-8")
AXE_RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]}


def opened(page: Page, name: str) -> list[str]:
    """Open a file; what goes wrong with it, now and later, is added to the list."""
    wrong: list[str] = []
    address = (BUILT / f"{name}.html").as_uri()
    page.on("console", lambda message: wrong.append(message.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda asked: wrong.append(asked.url[:90]) if not asked.url.startswith((address, "data:", "blob:")) else None)  # fmt: skip
    page.goto(address)
    if name != "index":
        page.wait_for_function("Reveal.isReady()")
    return wrong


def go(page: Page, place: int) -> None:
    page.evaluate("place => Reveal.slide(place)", place)


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_cut_off_and_nothing_is_asked_of_another_host(name: str, page: Page) -> None:
    wrong = opened(page, name)
    count = page.evaluate("Reveal.getTotalSlides()")
    assert 15 <= count <= 30
    for place in range(count):
        go(page, place)
        wrong += [f"slide {place + 1}: {words}" for words in page.evaluate(SEEN)]
    assert not wrong


@pytest.mark.parametrize(
    ("planted", "words"),
    [
        ("<p>long</p>" * 30, "beyond the edge"),
        ('<p style="white-space: nowrap">' + "wide " * 60 + "</p>", "holds more than it shows"),
        ('<div style="height: 40px; overflow: auto"><p>long</p><p>long</p></div>', "holds more than it shows"),
        ('<div class="text"><p style="font-size: 20px">small</p></div>', "small text"),
        ('<img alt="" width="300" height="300" src="data:,">', "a picture without words"),
        ('<img alt="words" width="30" height="30" src="data:,">', "a small picture"),
        ('<pre class="code">' + "1\n" * 11 + "</pre>", "more than ten lines"),
        ("<p>$Y_i$</p>", "not understood"),
    ],
)  # fmt: skip
def test_what_is_planted_is_found(planted: str, words: str, page: Page) -> None:
    opened(page, "00_start_here")
    go(page, 1)
    assert page.evaluate(SEEN) == []
    page.evaluate("html => Reveal.getCurrentSlide().insertAdjacentHTML('beforeend', html)", planted)
    assert any(words in found for found in page.evaluate(SEEN))


def test_axe_finds_nothing_on_the_list(page: Page) -> None:
    opened(page, "index")
    assert Axe().run(page, options=AXE_RULES).response["violations"] == []


@pytest.mark.parametrize("name", ["00_start_here", "04_label_based", "05_ranking"])
def test_axe_finds_nothing_on_every_third_slide(name: str, page: Page) -> None:
    opened(page, name)
    for place in range(1, page.evaluate("Reveal.getTotalSlides()"), 3):
        go(page, place)
        found = Axe().run(page, options=AXE_RULES).response["violations"]
        assert [(place + 1, one["id"], one["nodes"][0]["html"][:120]) for one in found] == []


@pytest.mark.parametrize("name", NAMES)
def test_a_deck_is_one_file(name: str) -> None:
    text = (BUILT / f"{name}.html").read_text(encoding="utf-8")
    head, slides = text.split("<main>")
    assert not re.search(r"<link(?! rel=\"icon\" href=\"data:)|@import|@font-face", head)
    assert not re.search(r"url\((?![\"']?data:)", head)
    sources = re.findall(r"""<[^>]+?\ssrc=["']?([^"'\s>]*)""", slides.split("<script>")[0])
    assert all(source.startswith("data:") for source in sources)
    assert len(text.encode()) < 1_000_000


def test_links_lead_to_other_decks(page: Page) -> None:
    for name in ["index", *NAMES]:
        text = (BUILT / f"{name}.html").read_text(encoding="utf-8")
        body = text.partition("<main>")[2].partition("<script>")[0]
        for link in re.findall(r'<a href="([^"]*)"', body):
            assert link.startswith("https://") or (BUILT / link).is_file()
    opened(page, "index")
    assert page.locator("li a").count() == len(NAMES)
    page.click("text=Count every cell")
    assert page.locator("h1").first.inner_text() == "Count every cell: Hamming loss"


def test_the_explorer_is_clicked_and_its_arrows_leave_the_slide_alone(page: Page) -> None:
    wrong = opened(page, "00_start_here")
    here = page.evaluate("[...document.querySelectorAll('.slides > section')].findIndex(one => one.querySelector('#explorer'))")  # fmt: skip
    go(page, here)
    cell = page.get_by_role("button", name="photo 1, sea: false alarm")
    cell.click()
    assert "rightly left out" in page.locator(".mlm-said").inner_text()
    page.get_by_role("button", name="photo 1, sea").press("ArrowRight")
    assert page.evaluate("Reveal.getIndices().h") == here
    assert page.evaluate(SEEN) == [] and not wrong


def test_the_speaker_reads_the_notes_beside_the_question(page: Page) -> None:
    opened(page, "01_exact_match")
    go(page, 3)
    with page.expect_popup() as opening:
        page.keyboard.press("s")
    speaker = opening.value
    notes = speaker.locator(".speaker-controls-notes .value")
    notes.get_by_text("Who answers two to the second question").wait_for()


def test_keys_go_from_slide_to_slide(page: Page) -> None:
    opened(page, "01_exact_match")
    for _ in range(3):
        page.keyboard.press("Space")
    assert page.evaluate("Reveal.getIndices().h") == 3
    assert "Pause" in page.locator("section.present").inner_text()


def test_a_folder_that_cannot_be_made_costs_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    assert command.main(["--out", str(tmp_path / "file" / "slides")]) == 1
    assert re.fullmatch(r".*Not a directory: '.*/file/slides/live'\n", capsys.readouterr().err)


def test_data_cannot_end_their_script_nor_hide_its_end() -> None:
    label = "<!--<script></script>"
    said = slide.explorer({"y_true": [[1]], "labels": [label], "metrics": []})
    data = said.removeprefix('<script id="explorer-data" type="application/json">').partition("<")[
        0
    ]
    assert json.loads(data)["shown"]["labels"] == [label]
