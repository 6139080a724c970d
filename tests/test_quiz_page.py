"""A question with four recipes on a page, in a real browser: a choice is judged in the package's words."""

from __future__ import annotations

import browser
import mounted

from mlm_course.practice import quiz

pytestmark = browser.needs_chromium
on = mounted.Scripts("""const choices = () => all('.mlm-recipes button').map(nameOf);
    const outcomes = () => all("table.mlm-grid tr").map((row) => [...row.cells].map((cell) => cell.querySelector("[role=img]")?.getAttribute("aria-label") ?? cell.innerText));
    const signs = () => all(".mlm-key li").map((one) => one.innerText);""")
answers, seen = on.fixtures()

SETS = quiz(seed=3).page()  # macro precision of truth and prediction, C
RANKS = quiz(seed=2).page()  # recall at 1 of scores, B


@on(SETS, "mountQuiz(here, given); seen.push(outcomes(), signs());")
def test_the_data_are_a_grid_of_outcomes(seen):
    """True are {1, 3}, {1}, {1, 4}; predicted {2, 3, 4}, {1, 3, 4}, {1, 4}."""
    sets, signs = seen
    hit, alarm, miss, out = "hit", "false alarm", "miss", "rightly left out"
    assert sets == [
        ["", "label 1", "label 2", "label 3", "label 4"],
        ["sample 1", miss, alarm, hit, alarm],
        ["sample 2", hit, out, alarm, alarm],
        ["sample 3", hit, out, out, hit],
    ]
    assert signs == ["· rightly left out", "✗ false alarm", "○ miss", "✓ hit"]


@on(RANKS, "mountQuiz(here, given); seen.push(outcomes(), signs());")
def test_or_a_grid_of_scores(seen):
    ranks, signs = seen
    first = ["sample 1", "irrelevant 0.13", "irrelevant 0.99", "relevant 0.98", "relevant 0.23"]
    assert ranks[1] == first
    assert signs == ["✓ relevant"]


@on(SETS, """const told = []; mountQuiz(here, given, ({ isRight }) => told.push(isRight));
    const now = () => seen.push([choices(), said(), here.querySelector(".mlm-rest").checkVisibility()]);
    seen.push(here.querySelector(".mlm-asked").innerText); now(); press("D:"); now(); key("A:", "c"); now(); seen.push(told);""")  # fmt: skip
def test_a_choice_is_judged(seen):
    title, start, wrong, right, told = seen
    recipes = ["A: macro F1", "B: macro recall", "C: macro precision", "D: samples precision"]
    assert title == "Which number is this: 11/24 ≈ 0.458?"
    assert start == [recipes, "Choose a recipe, or press its letter.", False]
    words = "D, samples precision, gives 0.556, and the number is 11/24 ≈ 0.458."
    assert wrong == [[*recipes[:3], f"{recipes[3]} ✗"], words, True]
    words = "Right: macro precision gives 11/24 ≈ 0.458."
    assert right == [[*recipes[:2], f"{recipes[2]} ✓", f"{recipes[3]} ✗"], words, True]
    assert told == [False, True]
