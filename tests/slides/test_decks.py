"""Every slide of every deck, in a real browser at 1280 × 720, from a file and without a network."""

from pathlib import Path

import axe_playwright_python
import browser
import pytest
from playwright.sync_api import Page

pytestmark = browser.needs_chromium

BUILT = Path(__file__).parents[2] / "build/slides"
NAMES = sorted(path.stem for path in BUILT.glob("*[0-9]*") if "hand" not in path.stem)
AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text(encoding="utf-8")
AXE_OPTIONS = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"],
    "resultTypes": ["violations"],
    "preload": False,
}
PROBLEMS_OF_SLIDE = """() => {
  const problems = [], slide = Reveal.getCurrentSlide(), minSizes = { PRE: 17, TABLE: 16 };
  const edge = slide.getBoundingClientRect();
  for (const element of [slide, ...slide.querySelectorAll("*")]) {
    if (element.closest("aside") || !element.checkVisibility()) continue;
    const box = element.getBoundingClientRect(), style = getComputedStyle(element);
    const words = `<${element.localName}> ${element.textContent.trim().slice(0, 40)}`;
    const isBeyond = box.right > edge.right + 1 || box.bottom > edge.bottom + 1
      || box.left < edge.left - 1;
    const isOver = element.scrollWidth > element.clientWidth + 1
      || element.scrollHeight > element.clientHeight + 1;
    if (isBeyond && !element.closest("math")) problems.push(`beyond the edge: ${words}`);
    if (isOver && (element === slide || /hidden|clip|auto|scroll/.test(style.overflow)))
      problems.push(`cut: ${words}`);
    const isText = /^(P|LI|PRE|TABLE)$/.test(element.tagName)
      && !element.closest(".mlm-start, .jp-RenderedHTML p");
    const minSize = minSizes[element.closest("pre, table")?.tagName] ?? 26;
    if (isText && parseFloat(style.fontSize) < minSize) problems.push(`small: ${words}`);
    if (element.matches("img") && (!element.alt.trim() || box.height < 240))
      problems.push(`a picture: ${element.alt.slice(0, 40)}`);
  }
  if (edge.bottom > innerHeight || edge.right > innerWidth) problems.push("larger than the window");
  const raw = slide.cloneNode(true);
  raw.querySelectorAll("pre, code, script, aside").forEach((element) => element.remove());
  if (/\\$|\\\\frac|\\*\\*/.test(raw.textContent))
    problems.push("Markdown or LaTeX that was not understood");
  if (!raw.querySelector("p, li, table, img, .mlm-start") && !slide.querySelector("pre"))
    problems.push("a heading alone");
  return problems;
}"""
PROBLEMS_OF_DECK = f"""async () => {{
  const problemsOfSlide = {PROBLEMS_OF_SLIDE}, problems = [];
  for (let place = 1; place <= Reveal.getTotalSlides(); place++) {{
    await new Promise(requestAnimationFrame);
    problems.push(...problemsOfSlide().map((words) => `slide ${{place}}: ${{words}}`));
    for (let steps = 0; steps < 9 && Reveal.getSlidePastCount() < place; steps++)
      Reveal.next(); // the fragments first
  }}
  return problems;
}}"""


def open_deck(page: Page, name: str) -> list[str]:
    """A list that records the errors and foreign requests of a deck, which is opened."""
    errors: list[str] = []
    address = (BUILT / f"{name}.html").as_uri()
    inside = (address, "data:", "blob:")
    page.on("console", lambda message: errors.append(message.text))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("request", lambda r: None if r.url.startswith(inside) else errors.append(r.url))
    page.goto(address)
    page.wait_for_function("Reveal.isReady()")
    return errors


@pytest.mark.parametrize("name", NAMES)
def test_slides_fit_their_window_and_load_nothing_from_other_hosts(name, page):
    errors = open_deck(page, name)
    assert page.evaluate(PROBLEMS_OF_DECK) == []
    assert errors == []
    assert page.evaluate("Reveal.isLastSlide() && Reveal.getTotalSlides() > 7")
    assert (BUILT / f"{name}.html").stat().st_size < 1_000_000
    addresses = "links => links.map((link) => link.getAttribute('href'))"
    for link in page.eval_on_selector_all("a[href]", addresses):
        assert link.startswith(("https://", "#")) or (BUILT / link.partition("#")[0]).is_file()


def violations(page: Page, selector: str) -> list[str]:
    """The violations that axe finds in a part of a page; the script `AXE` must be on the page."""
    results: list[str] = page.evaluate(
        "async ([selector, options]) => (await axe.run(selector, options)).violations.map("
        "({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 120)}`)",
        [selector, AXE_OPTIONS],
    )
    return results


def test_axe_finds_nothing_in_a_deck_and_in_the_list_of_decks(page):
    """In a deck as it opens, in every fourth slide, and in the list of decks."""
    open_deck(page, "04_label_based")
    page.evaluate(AXE)
    assert violations(page, "html") == []
    for _ in range(page.evaluate("Reveal.getTotalSlides()") // 4):
        for _ in range(4):
            page.evaluate("Reveal.next()")
        assert violations(page, "section.present > section.present") == []
    for name in ("two-lessons-lesson-1-hand-out", "index"):
        page.goto((BUILT / f"{name}.html").as_uri())
        page.evaluate(AXE)
        assert violations(page, "html") == []
    page.click("text=Count every cell")
    assert page.locator("h1").first.inner_text() == "Count every cell: Hamming loss"


@pytest.mark.parametrize("file", sorted(BUILT.glob("*-hand-out.html")), ids=lambda file: file.stem)
def test_the_pictures_of_a_hand_out_keep_their_shape(file, page):
    page.goto(file.as_uri())
    stretched = """() => [...document.images].filter((image) => {
        const shape = image.naturalWidth / image.naturalHeight;
        return !(Math.abs(image.width / image.height / shape - 1) <= 0.02);
        }).map(({ alt }) => alt)"""
    assert page.evaluate(stretched) == []


def test_the_explorer_is_clicked_and_its_arrows_leave_the_slide_alone(page):
    errors = open_deck(page, "00_start_here")
    page.evaluate("""() => {
        const section = document.querySelector(".mlm-start").closest("section");
        const { h, v } = Reveal.getIndices(section);
        Reveal.slide(h, v); }""")
    slide = page.evaluate("Reveal.getIndices()")
    page.get_by_role("button", name="photo 1, sea: false alarm").click()
    assert "rightly left out" in page.locator(".mlm-said").inner_text()
    page.get_by_role("button", name="photo 1, sea").press("ArrowRight")
    assert page.evaluate("Reveal.getIndices()") == slide
    assert page.evaluate(PROBLEMS_OF_SLIDE) == [] and errors == []
    page.keyboard.press("PageDown")  # the key of presenters works inside the grid as well
    assert page.evaluate("Reveal.getIndices()") != slide


def test_keys_show_the_question_then_its_answer_and_the_teacher_reads_notes(page):
    open_deck(page, "01_exact_match")
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
