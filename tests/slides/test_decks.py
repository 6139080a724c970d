"""Every slide of every deck, in a real browser at 1280 × 720, from a file and without a network."""

from __future__ import annotations

from pathlib import Path

import axe_playwright_python
import browser
import pytest
from playwright.sync_api import Page

pytestmark = browser.needs_chromium

BUILT = Path(__file__).parents[2] / "build/slides"
NAMES = sorted(path.stem for path in BUILT.glob("[0-9]*.html"))
AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text(encoding="utf-8")
QUESTIONS = Path(__file__).with_name("decks.js").read_text(encoding="utf-8")


def ask(page: Page, question: str) -> list[str]:
    """A question of decks.js."""
    found: list[str] = page.evaluate(f"({QUESTIONS}).{question}")
    return found


def opened(page: Page, name: str) -> list[str]:
    """Open a deck; whatever goes wrong with it, now and later, is added to the list."""
    wrong: list[str] = []
    address = (BUILT / f"{name}.html").as_uri()
    inside = (address, "data:", "blob:")
    page.on("console", lambda message: wrong.append(message.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda r: None if r.url.startswith(inside) else wrong.append(r.url))
    page.goto(address)
    page.wait_for_function("Reveal.isReady()")
    return wrong


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_cut_off_and_nothing_is_asked_of_another_host(name: str, page: Page) -> None:
    wrong = opened(page, name)
    wrong += ask(page, "walk()")
    assert not wrong
    assert page.evaluate("Reveal.isLastSlide() && Reveal.getTotalSlides() > 15")
    assert (BUILT / f"{name}.html").stat().st_size < 1_000_000
    for link in page.eval_on_selector_all(
        "a[href]", "all => all.map((one) => one.getAttribute('href'))"
    ):
        assert link.startswith(("https://", "#")) or (BUILT / link.partition("#")[0]).is_file()


def test_axe_finds_nothing(page: Page) -> None:
    """In a deck as a whole where it opens, and then in each fourth slide."""
    opened(page, "04_label_based")
    page.evaluate(AXE)
    assert ask(page, "axe('html')") == []
    for _ in range(page.evaluate("Reveal.getTotalSlides()") // 4):
        for _ in range(4):
            page.evaluate("Reveal.next()")
        assert ask(page, "axe('section.present > section.present')") == []
    page.goto((BUILT / "index.html").as_uri())
    page.evaluate(AXE)
    assert ask(page, "axe('html')") == []
    page.click("text=Count every cell")
    assert page.locator("h1").first.inner_text() == "Count every cell: Hamming loss"


def test_the_explorer_is_clicked_and_its_arrows_leave_the_slide_alone(page: Page) -> None:
    wrong = opened(page, "00_start_here")
    page.evaluate("""() => { const { h, v } = Reveal.getIndices(document.querySelector(".mlm-start").closest("section"));
        Reveal.slide(h, v); }""")
    here = page.evaluate("Reveal.getIndices()")
    page.get_by_role("button", name="photo 1, sea: false alarm").click()
    assert "rightly left out" in page.locator(".mlm-said").inner_text()
    page.get_by_role("button", name="photo 1, sea").press("ArrowRight")
    assert page.evaluate("Reveal.getIndices()") == here
    assert ask(page, "seen()") == [] and not wrong
    page.keyboard.press("PageDown")  # of a presenter, from within the grid
    assert page.evaluate("Reveal.getIndices()") != here


def test_keys_show_the_question_then_its_answer_and_the_teacher_reads_notes(page: Page) -> None:
    opened(page, "01_exact_match")
    slide = page.locator("section.present section.present")
    while not slide.locator(".celltag_predict").count():
        page.keyboard.press("Space")
    answer = slide.locator("details > p").first
    assert not answer.is_visible()
    with page.expect_popup() as opening:
        page.keyboard.press("s")
    notes = opening.value.locator(".speaker-controls-notes .value")
    notes.get_by_text("Who answers two to the second question").wait_for()
    page.keyboard.press("Space")
    assert answer.is_visible()
