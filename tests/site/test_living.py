"""What lives on the pages without a kernel: its numbers are the package's, by mouse and by keys."""

from __future__ import annotations

import json
import re
from pathlib import Path

import browser
import pytest
from playwright.sync_api import BrowserContext, Locator
from test_contents import CONTENTS
from test_explore_page import shown

from mlm_helpers import practice

pytestmark = browser.needs_chromium

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
EXPLORERS = {
    "index": 1,
    **{f"notebooks/{name}": n for name, has in CONTENTS.items() if (n := has.get("practice.explore"))},
}  # fmt: skip
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


def table_of(name: str) -> list[list[str]]:
    """The grid that a notebook keeps of its explorer, in words."""
    cells = json.loads((NOTEBOOKS / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]
    (html,) = (
        "".join(output["data"]["text/html"])
        for cell in cells
        if "practice.explore(" in "".join(cell["source"])
        for output in cell["outputs"]
    )
    table = re.search(r"The grid</caption>.*?<tbody>(.*?)</tbody>", html, re.DOTALL)
    assert table
    rows = re.findall(r"<tr>(.*?)</tr>", table[1], re.DOTALL)
    return [re.findall(r"<td[^>]*>(?:[✗○✓] )?(.*?)</td>", row) for row in rows]


@pytest.mark.parametrize("name", [name for name in EXPLORERS if "/" in name])
def test_an_explorer_starts_as_in_its_notebook(
    name: str, visitor: BrowserContext, site: str
) -> None:
    page = visitor.new_page()
    page.goto(f"{site}{name}.html")
    rows = page.locator(".mlm-explore").first.evaluate(CELLS)
    assert [[words.rpartition(": ")[2] for words, _ in row] for row in rows] == table_of(Path(name).name)


# --- the quiz

SEEDS = range(30)  # the page's questions are of some of these


@pytest.fixture(scope="module")
def quizzes() -> dict[tuple[str, ...], practice.Quiz]:
    """Each quiz by the words of its recipes and its title."""
    asked = [practice.quiz(seed=seed) for seed in SEEDS]
    return {(one.title, *one.recipes.values()): one for one in asked}


def test_the_quiz_says_what_the_package_says(quizzes, visitor: BrowserContext, site: str) -> None:
    page = visitor.new_page()
    page.goto(f"{site}quiz.html")
    quiz = page.locator(".mlm-quiz")
    answered = 0
    while True:
        recipes = quiz.locator(".mlm-recipes button")
        words = [text.partition(": ")[2] for text in recipes.all_inner_texts()]
        asked = quizzes[quiz.locator(".mlm-asked").inner_text(), *words]
        for letter, recipe in zip(asked.recipes, recipes.all(), strict=True):
            recipe.focus()
            page.keyboard.press("Enter")
            assert quiz.get_by_role("status").inner_text().startswith(asked.check(letter).says)
        answered += 1
        again = quiz.locator(".mlm-rest > button")
        if again.inner_text() == "Start again":
            break
        again.click()
    assert answered >= 5
