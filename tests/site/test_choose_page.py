"""The chooser in a browser.

It shows one question at a time, keeps the answers in the address, and has a way back.
"""

import browser
from playwright.sync_api import expect

pytestmark = browser.needs_chromium


def test_answers_lead_to_a_metric_and_are_in_the_address(visitor, site):
    page = visitor.new_page()
    page.goto(f"{site}choose.html")
    choices, code = (page.locator(f".mlm-choose {tag}:visible") for tag in ("summary", "pre"))
    expect(choices).to_have_count(3)
    for answer, n_visible in (("labels, each", 6), ("the set of labels", 4), ("only if", 3)):
        choices.filter(has_text=answer).focus()
        page.keyboard.press("Enter")
        expect(choices).to_have_count(n_visible)
    expect(page).to_have_url(f"{site}choose.html#labels-set-entirely")
    expect(code).to_contain_text("accuracy_score(y_true, y_pred)")
    page.get_by_role("button", name="Back").click()
    expect(choices).to_have_count(4)
    page.go_back()  # to the previous address
    expect(code).to_have_count(1)
    choices.first.click()  # undoes the first answer and those below it
    expect(choices).to_have_count(3)
    expect(page).to_have_url(f"{site}choose.html")
    page.goto(f"{site}choose.html#scores-list-row-yes")
    expect(code).to_contain_text("ndcg_score(y_true, y_score, k=3)")
