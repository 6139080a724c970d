"""The chooser in a browser: a question at a time, an address that holds the answers, and a way back."""

from __future__ import annotations

import browser
from playwright.sync_api import BrowserContext, expect

pytestmark = browser.needs_chromium


def test_answers_lead_to_a_metric_and_the_address_holds_them(
    visitor: BrowserContext, site: str
) -> None:
    page = visitor.new_page()
    page.goto(f"{site}choose.html")
    choices, code = (page.locator(f".mlm-choose {one}:visible") for one in ("summary", "pre"))
    expect(choices).to_have_count(2)
    for says, shown in (("labels, each", 6), ("the set of labels", 4), ("only if", 3)):
        choices.filter(has_text=says).focus()
        page.keyboard.press("Enter")
        expect(choices).to_have_count(shown)
    expect(page).to_have_url(f"{site}choose.html#labels-set-entirely")
    expect(code).to_contain_text("exact_match.subset_accuracy(y_true, y_pred)")
    page.get_by_role("button", name="Back").click()
    expect(choices).to_have_count(4)
    page.go_back()  # to the address before
    expect(code).to_have_count(1)
    choices.first.click()  # the first answer is taken back, and what was chosen below it
    expect(choices).to_have_count(2)
    expect(page).to_have_url(f"{site}choose.html")
    page.goto(f"{site}choose.html#scores-list-row-yes")
    expect(code).to_contain_text("top_k.ndcg(y_true, y_score, k=3)")
