"""The quiz on a page, in a real browser: what is chosen is judged in the package's words."""

from __future__ import annotations

import browser
import mounted

from mlm_course.practice.quizzes import page

pytestmark = browser.needs_chromium
on = mounted.Scripts("const choices = () => all('.mlm-recipes button').map(nameOf);")
answers, seen = on.fixtures()

SETS = 3  # macro precision of truth and prediction, C
RANKS = 2  # recall at 1 of scores, B
GIVEN = page([SETS, RANKS])


@on(GIVEN, """mountQuiz(here, given);
    const outcomes = () => all("table.mlm-grid tr").map((row) => [...row.cells].map((cell) => cell.querySelector("[role=img]")?.getAttribute("aria-label") ?? cell.innerText));
    const signs = () => all(".mlm-key li").map((one) => one.innerText);
    seen.push(outcomes(), signs()); press("A:"); press("Next question"); seen.push(outcomes(), signs());""")  # fmt: skip
def test_the_data_are_a_grid_of_outcomes_or_of_scores(seen):
    """True are {2, 3, 4}, {1, 2}, {2, 4}; predicted {4}, {3, 4}, {1, 2, 4}. Of the scores, see `quiz`."""
    sets, signs, ranks, ranks_signs = seen
    hit, alarm, miss, out = "hit", "false alarm", "miss", "rightly left out"
    assert sets == [
        ["", "label 1", "label 2", "label 3", "label 4"],
        ["sample 1", out, miss, miss, hit],
        ["sample 2", miss, miss, alarm, alarm],
        ["sample 3", alarm, hit, out, hit],
    ]
    assert signs == ["· rightly left out", "✗ false alarm", "○ miss", "✓ hit"]
    first = ["sample 1", "irrelevant 0.13", "irrelevant 0.99", "relevant 0.98", "relevant 0.23"]
    assert ranks[1] == first
    assert ranks_signs == ["✓ relevant"]


@on(GIVEN, """mountQuiz(here, given); const title = () => here.querySelector(".mlm-asked");
    const now = () => seen.push([title().innerText, choices(), said(), here.querySelector(".mlm-rest").checkVisibility()]);
    now(); press("D:"); now(); press("C:"); now();
    press("Next question"); now(); seen.push(document.activeElement === title());
    press("B:"); now(); press("A:"); now(); press("Start again"); press("C:"); now();""")  # fmt: skip
def test_a_choice_is_judged_and_the_first_counts(seen):
    start, wrong, right, fresh, is_focused, second, third, anew = seen
    recipes = ["A: macro F1", "B: samples precision", "C: macro precision", "D: micro precision"]
    first = "Which number is this: 5/12 ≈ 0.417?"
    assert start == [first, recipes, "Choose a recipe, or press its letter.", False]
    told = "D, micro precision, gives 0.500, and the number is 5/12 ≈ 0.417. Right at once: 0 of 1."
    assert wrong == [first, [*recipes[:3], f"{recipes[3]} ✗"], told, True]
    told = "Right: macro precision gives 5/12 ≈ 0.417. Right at once: 0 of 1."
    assert right == [first, [*recipes[:2], f"{recipes[2]} ✓", f"{recipes[3]} ✗"], told, True]
    assert [fresh[0], *fresh[2:]] == [
        "Which number is this: 1/6 ≈ 0.167?", "Choose a recipe, or press its letter.", False
    ]  # fmt: skip
    assert is_focused
    assert second[2] == "Right: recall at 1 gives 1/6 ≈ 0.167. Right at once: 1 of 2."
    assert third[2].endswith("Right at once: 1 of 2.")
    assert anew[2].endswith("Right at once: 1 of 1.")
