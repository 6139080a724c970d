"""Explorers and exercises on pages without a kernel have the numbers of the package."""

import browser
import pytest
from playwright.sync_api import Locator, expect
from test_explore_page import expected_values

from mlm_course import practice
from mlm_helpers import example_based

pytestmark = browser.needs_chromium

EXPLORERS = "play", "notebooks/00_start_here", "notebooks/04_label_based", "notebooks/05_ranking"
OUTCOMES = {"rightly left out": (0, 0), "false alarm": (0, 1), "miss": (1, 0), "hit": (1, 1)}
CELLS = """(explorer) => [...explorer.querySelectorAll("[role=grid] tbody tr")].map((row) =>
  [...row.querySelectorAll("button")].map((cell) =>
    [cell.ariaLabel, cell.querySelector("small")?.innerText]))"""
NUMBERS = """(explorer) => Object.fromEntries([...explorer.querySelectorAll("[data-metric]")]
  .filter((element) => element.checkVisibility())
  .map((element) => [element.dataset.metric, element.innerText]))"""


def grid(explorer: Locator) -> tuple[list[list[int]], list[list[int]], list[list[float]] | None]:
    """Truth, prediction and scores (None for label sets) that the cells of an explorer show."""
    rows = explorer.evaluate(CELLS)
    # a cell is named “photo 1, sea: hit”
    outcomes = [[OUTCOMES[name.rpartition(": ")[2]] for name, _ in row] for row in rows]
    truth = [[is_true for is_true, _ in row] for row in outcomes]
    prediction = [[is_predicted for _, is_predicted in row] for row in outcomes]
    scores = [[float(score) for _, score in row if score is not None] for row in rows]
    return truth, prediction, scores if any(scores) else None


def check_numbers(explorer: Locator) -> None:
    """Fail unless an explorer shows the package's values for the data of its cells."""
    explorer.evaluate(
        "(explorer) => explorer.querySelectorAll('details').forEach((one) => (one.open = true))"
    )
    numbers = explorer.evaluate(NUMBERS)
    assert len(numbers) >= 20
    assert numbers == expected_values(*grid(explorer), k=1)


@pytest.mark.parametrize("name", EXPLORERS)
def test_the_explorers_numbers_are_the_package_s(name, reader, site):
    with reader.new_page() as page:
        page.goto(f"{site}{name}.html")
        (explorer,) = page.locator(".mlm-explore:has([role=grid])").all()
        check_numbers(explorer)


@pytest.mark.parametrize("width", [390, 1280])
def test_three_numbers_stay_in_view_beside_the_grid(width, visitor, site):
    page = visitor.new_page()
    page.set_viewport_size({"width": width, "height": 800})
    for name in ("play", "notebooks/06_curves"):
        page.goto(f"{site}{name}.html")
        grid = page.locator(".mlm-explore [role=grid]")
        grid.evaluate("grid => scrollBy(0, grid.getBoundingClientRect().bottom - 300)")
        numbers = page.locator(".mlm-view [data-metric]")
        assert numbers.count() == 3
        for number in numbers.all():
            expect(number).to_be_in_viewport(ratio=0.9)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_each_answer_to_the_first_question_is_right(visitor, site):
    page = visitor.new_page()
    for number in ("1/3", "19/36", "7/12"):
        page.goto(site)
        assert not page.locator(".told").is_visible()
        page.get_by_role("button", name=number).focus()
        page.keyboard.press("Enter")
        assert page.get_by_role("status").first.inner_text().startswith(f"{number} is right")
        assert page.locator(".told strong", has_text=number).is_visible()


def test_a_link_brings_back_what_the_explorer_showed(visitor, site):
    page, second_page = visitor.new_page(), visitor.new_page()
    page.goto(f"{site}play.html")
    page.locator("[role=grid] button").nth(1).click()
    second_page.goto(page.url)
    assert grid(second_page.locator(".mlm-explore")) == grid(page.locator(".mlm-explore"))
    for broken in ("%7B", "%7B%22y_true%22%3A%5B%5B2%5D%5D%7D"):
        second_page.goto(f"{site}get.html")
        second_page.goto(f"{site}play.html#data={broken}")
        check_numbers(second_page.locator(".mlm-explore"))


def test_a_section_beside_the_core_path_is_folded_until_a_link_leads_to_it(visitor, site):
    page = visitor.new_page()
    page.goto(f"{site}notebooks/04_label_based.html")
    section = page.locator("details.more > section").first
    assert not section.is_visible()
    page.goto(f"{page.url}#{section.get_attribute('id')}")
    expect(section).to_be_visible()


def test_an_exercise_answers_as_the_package_does_and_is_remembered(visitor, site):
    exercise = practice.sheet(example_based.fbeta, seed=15, beta=2)
    right = str(exercise.solution().value)
    page = visitor.new_page()
    page.goto(f"{site}notebooks/02_example_based.html")
    sheet = page.locator(".mlm-sheet")
    rounded = f"{float(exercise.solution()):.3f}"
    for answer in ("1/2", "0.50", "50 %", "0,5000", rounded, right):
        sheet.get_by_role("textbox").fill(answer)
        sheet.get_by_role("textbox").press("Enter")
        assert sheet.get_by_role("status").inner_text() == exercise.check(answer).says
    page.goto(f"{site}course.html")
    assert page.get_by_text("✓ 1 exercise").is_visible()
    page.get_by_role("button", name="Forget it").click()
    assert not page.get_by_text("✓").count()
