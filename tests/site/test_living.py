"""What lives on the pages without a kernel: its numbers are the package's, by mouse and by keys."""

from __future__ import annotations

import browser
import pytest
from playwright.sync_api import BrowserContext, Locator
from test_explore_page import shown

from mlm_helpers.course import practice
from tools import notebooks
from tools.site.explorers import CALL
from tools.site.pages.quiz import SEEDS

pytestmark = browser.needs_chromium

EXPLORERS = {
    "index": 1,
    **{
        f"notebooks/{path.stem}": 1
        for path in sorted(notebooks.NOTEBOOKS.glob("*.ipynb"))
        if CALL in path.read_text(encoding="utf-8")
    },
}
OUTCOMES = {"rightly left out": (0, 0), "false alarm": (0, 1), "miss": (1, 0), "hit": (1, 1)}
CELLS = """(explorer) => [...explorer.querySelectorAll("[role=grid] tbody tr")].map((row) =>
  [...row.querySelectorAll("button")].map((cell) => [cell.ariaLabel, cell.querySelector("small")?.innerText]))"""
NUMBERS = """(explorer) => Object.fromEntries([...explorer.querySelectorAll("[data-metric]")]
  .filter((one) => one.checkVisibility()).map((one) => [one.dataset.metric, one.innerText]))"""


def grid(explorer: Locator) -> tuple[list[list[int]], list[list[int]], list[list[float]] | None]:
    """Truth, prediction and scores as the cells say them."""
    rows = explorer.evaluate(CELLS)
    both = [[OUTCOMES[words.rpartition(": ")[2]] for words, _ in row] for row in rows]
    truth, prediction = ([[cell[i] for cell in row] for row in both] for i in (0, 1))
    has_scores = rows[0][0][1] is not None
    return truth, prediction, [[float(s) for _, s in row] for row in rows] if has_scores else None


def numbers_are_right(explorer: Locator) -> None:
    numbers = explorer.evaluate(NUMBERS)
    assert len(numbers) >= 20
    assert numbers == shown(*grid(explorer), k=1)


@pytest.mark.parametrize("name", EXPLORERS)
def test_the_explorers_numbers_are_the_package_s(
    name: str, visitor: BrowserContext, site: str
) -> None:
    page = visitor.new_page()
    page.goto(f"{site}{name}.html")
    explorers = page.locator(".mlm-explore").all()
    assert len(explorers) == EXPLORERS[name]
    for explorer in explorers:
        truth, prediction, _ = grid(explorer)
        numbers_are_right(explorer)
        first = explorer.locator("[role=grid] button").first
        first.click()
        assert grid(explorer)[:2] == (truth, flipped(prediction, 0))
        numbers_are_right(explorer)
        for key in ("ArrowRight", "t"):  # the truth of the cell beside
            page.keyboard.press(key)
        assert grid(explorer)[:2] == (flipped(truth, 1), flipped(prediction, 0))
        numbers_are_right(explorer)


def flipped(matrix: list[list[int]], label: int) -> list[list[int]]:
    """With a cell of the first sample changed."""
    first = [1 - cell if j == label else cell for j, cell in enumerate(matrix[0])]
    return [first, *matrix[1:]]


# --- the quiz


def test_the_quiz_says_what_the_package_says(visitor: BrowserContext, site: str) -> None:
    page = visitor.new_page()
    page.goto(f"{site}quiz.html")
    quiz = page.locator(".mlm-quiz")
    for question, seed in enumerate(SEEDS, start=1):
        asked = practice.quiz(seed=seed)
        assert quiz.locator(".mlm-asked").inner_text() == asked.title
        recipes = quiz.locator(".mlm-recipes button")
        written = [f"{letter}: {recipe}" for letter, recipe in asked.recipes.items()]
        assert recipes.all_inner_texts() == written
        for letter, recipe in zip(asked.recipes, recipes.all(), strict=True):
            recipe.focus()
            page.keyboard.press("Enter")
            assert quiz.get_by_role("status").inner_text().startswith(asked.check(letter).says)
        quiz.get_by_role(
            "button", name="Next question" if question < len(SEEDS) else "Start again"
        ).click()
    assert quiz.locator(".mlm-asked").inner_text() == practice.quiz(seed=SEEDS[0]).title
