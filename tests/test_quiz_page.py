"""The quiz on a page, in a real browser: what is chosen is judged in the package's words."""

from __future__ import annotations

import browser
import mounted
import pytest

from mlm_helpers.course.practice.explore import page as explorer_page
from mlm_helpers.course.practice.quizzes import page

pytestmark = browser.needs_chromium

SETS = 3  # macro precision of truth and prediction, C
RANKS = 2  # recall at 1 of scores, B
GIVEN = page([SETS, RANKS])
START = "mountQuiz(here, given); const choices = () => all('.mlm-recipes button').map(nameOf);"
START += "const isOver = () => here.querySelector('.mlm-rest').checkVisibility(); const title = () => here.querySelector('.mlm-asked');"


@pytest.fixture
def seen(tmp_path):
    """What a script sees on the page of two questions."""
    return lambda act: mounted.seen(tmp_path, GIVEN, START + act)


def test_it_asks_for_a_number_and_shows_four_recipes(seen):
    title, choices, said, rest = seen("seen.push(title().innerText, choices(), said(), isOver());")
    assert title == "Which number is this: 5/12 ≈ 0.417?"
    assert choices == [
        "A: macro F1", "B: samples precision", "C: macro precision", "D: micro precision"
    ]  # fmt: skip
    assert (said, rest) == ("Choose a recipe.", False)


def test_the_data_are_a_grid_of_outcomes_or_of_scores(seen):
    """True are {2, 3, 4}, {1, 2}, {2, 4}; predicted {4}, {3, 4}, {1, 2, 4}. Of the scores, see `quiz`."""
    act = """const outcomes = () => all("table.mlm-grid tr").map((row) => [...row.cells].map((cell) => cell.querySelector("[role=img]")?.getAttribute("aria-label") ?? cell.innerText));
    const signs = () => all(".mlm-key li").map((one) => one.innerText);
    seen.push(outcomes(), signs()); press("A:"); press("Next question"); seen.push(outcomes(), signs());"""
    sets, signs, ranks, ranks_signs = seen(act)
    hit, alarm, miss, out = "hit", "false alarm", "miss", "rightly left out"
    assert sets == [
        ["", "label 1", "label 2", "label 3", "label 4"],
        ["sample 1", out, miss, miss, hit],
        ["sample 2", miss, miss, alarm, alarm],
        ["sample 3", alarm, hit, out, hit],
    ]
    assert signs == ["· rightly left out", "✗ false alarm", "○ miss", "✓ hit"]
    assert ranks[1] == [
        "sample 1", "irrelevant 0.13", "irrelevant 0.99", "relevant 0.98", "relevant 0.23"
    ]  # fmt: skip
    assert ranks_signs == ["✓ relevant"]


def test_a_choice_is_judged_and_the_first_counts(seen):
    act = """press("D:"); seen.push(said(), choices(), isOver()); press("C:"); seen.push(said(), choices()); press("C:"); seen.push(choices());
    press("Next question"); seen.push(said(), isOver(), document.activeElement === title(), title().innerText);
    press("B:"); seen.push(said()); press("A:"); seen.push(said());
    press("Start again"); press("C:"); seen.push(said());"""
    wrong, marked, rest, right, both, again, fresh, hidden, focused, title, second, third, anew = (
        seen(act)
    )
    assert wrong == (
        "D, micro precision, gives 0.500, and the number is 5/12 ≈ 0.417. Right at once: 0 of 1."
    )
    assert marked[2:] == ["C: macro precision", "D: micro precision ✗"]
    assert rest
    assert right == "Right: macro precision gives 5/12 ≈ 0.417. Right at once: 0 of 1."
    assert both[2:] == again[2:] == ["C: macro precision ✓", "D: micro precision ✗"]
    assert (fresh, hidden, focused) == ("Choose a recipe.", False, True)
    assert title == "Which number is this: 1/6 ≈ 0.167?"
    assert second == "Right: recall at 1 gives 1/6 ≈ 0.167. Right at once: 1 of 2."
    assert third.endswith("Right at once: 1 of 2.")
    assert anew.endswith("Right at once: 1 of 1.")


def test_what_is_said_is_the_package_s_word_for_every_letter(seen):
    act = """for (const question of given.questions) {
      for (const letter of "ABCD") { press(`${letter}:`); seen.push(said().split(" Right at once")[0]); }
      here.querySelector(".mlm-rest > button").click();
    }"""
    assert seen(act) == [
        choice["says"] for question in GIVEN["questions"] for choice in question["choices"]
    ]


def test_every_step_is_folded_and_then_that_of_the_solution(seen):
    act = """press("A:"); const steps = here.querySelector("details"); seen.push(steps.open);
    steps.querySelector("summary").click(); seen.push(steps.innerText); press("Next question"); press("A:"); seen.push(steps.open, steps.textContent);"""
    folded, shown, folded_again, second = seen(act)
    assert (folded, folded_again) == (False, False)
    assert shown.startswith("Show every step")
    assert "precision: label_based.precision" in shown
    assert "= 5/12 ≈ 0.417" in shown
    assert "= 1/6 ≈ 0.167" in second and "5/12" not in second


def test_keys_reach_all_of_it(seen):
    """Each part that acts is a button or a summary, which Tab, Enter and the space bar serve."""
    act = """press("A:"); seen.push([...new Set(all("button, summary, [tabindex]").filter((one) => one.tabIndex >= 0 && one.checkVisibility()).map((one) => one.tagName))]);
    seen.push(all("[onclick]").length, here.querySelector("[role=status]") !== null);"""
    assert seen(act) == [["DIV", "BUTTON", "SUMMARY"], 0, True]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(
    "act",
    [
        "",
        "press('A:'); press('C:'); find('summary', 'Show').click();",
        "press('A:'); press('Next');",
    ],
    ids=["asked", "answered", "scores"],
)
def test_nothing_is_wider_than_a_phone_and_all_is_legible(tmp_path, theme, act):
    assert mounted.is_legible(tmp_path, GIVEN, START + act, theme, least=12)


def test_it_stands_beside_the_explorer(tmp_path):
    act = "mount(here, { ...given.explorer }); const other = here.appendChild(document.createElement('div')); mountQuiz(other, given); seen.push(all('.mlm-explore').length);"
    given = {**GIVEN, "explorer": explorer_page([[1, 0]], [[1, 1]])}
    assert mounted.seen(tmp_path, given, act) == [2]


@pytest.mark.parametrize(
    ("style", "passes"),
    [("color: #767676", True), ("color: #777777", False), ("width: 500px", False)],
)  # of grey on white, the contrasts are 4.54 and 4.48
def test_what_is_pale_or_wide_is_found(tmp_path, style, passes):
    act = f'{START}here.querySelector(".mlm-asked").style = "{style}";'
    assert mounted.is_legible(tmp_path, GIVEN, act, "light", least=12) is passes
