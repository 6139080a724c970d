"""What a reader does with the site: searches it, opens its menus."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from urllib.parse import quote

import browser
import pytest
from checks import AXE, ask, watched
from playwright.sync_api import BrowserContext, Page, expect

pytestmark = browser.needs_chromium

MACRO_F1 = "04_label_based"
SEARCHES = tomllib.loads(Path(__file__).with_name("searches.toml").read_text(encoding="utf-8"))
FINISHED = re.compile("finished|did not match")


def found(page: Page, site: str, words: str) -> list[str]:
    """The pages that the search finds for some words, in its order."""
    page.goto(f"{site}search.html?q={quote(words)}")
    expect(page.locator(".search-summary")).to_contain_text(FINISHED)
    links = page.locator("#search-results li a").evaluate_all("all => all.map((one) => one.href)")
    return [link.removeprefix(site).partition(".html")[0] for link in links]


def test_of_all_searches_all_but_four_find_their_page_among_the_first_three(
    visitor: BrowserContext, site: str
) -> None:
    page = visitor.new_page()
    first = {words: found(page, site, words)[:3] for words in SEARCHES}
    late = {words: pages for words, pages in first.items() if SEARCHES[words] not in pages}
    assert len(late) <= 4, late


def test_what_nobody_wrote_is_not_found(visitor: BrowserContext, site: str) -> None:
    assert found(visitor.new_page(), site, "xylophone") == []


# --- what opens

MENUS = {
    "search": (1280, "#pst-search-dialog", ".search-button-field:visible"),
    "pages": (390, "#pst-primary-sidebar-modal", ".primary-toggle"),
    "this page": (390, "#pst-secondary-sidebar-modal", ".secondary-toggle"),
}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("menu", MENUS)
def test_nothing_is_wrong_with_a_menu(
    menu: str, scheme: str, visitor: BrowserContext, site: str
) -> None:
    width, dialog, button = MENUS[menu]
    page = visitor.new_page()
    happened = watched(page, site)
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.goto(f"{site}notebooks/{MACRO_F1}.html")
    page.locator(button).click()
    expect(page.locator(dialog)).to_be_visible()
    page.evaluate(AXE)
    assert [*happened, *ask(page, f"axe('{dialog}')")] == []
    page.keyboard.press("Escape")
    expect(page.locator(dialog)).not_to_be_visible()
