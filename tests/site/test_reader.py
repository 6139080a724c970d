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


IN_ONE_PAGE = """(asked) => {
  DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false; // would load each page that is found
  window.setTimeout = (next, wait) => wait < 100 && next(); // Sphinx shows one after the other
  return asked.map((words) => {
    document.querySelector("#search-results").replaceChildren();
    Search.performSearch(words);
    return [...document.querySelectorAll("#search-results li a")].slice(0, 3).map((one) => one.href);
  });
}"""


def names(links: list[str], site: str) -> list[str]:
    return [link.removeprefix(site).partition(".html")[0] for link in links]


def found(page: Page, site: str, words: str) -> list[str]:
    """The pages that the search finds for some words, in its order."""
    page.goto(f"{site}search.html?q={quote(words)}")
    expect(page.locator(".search-summary")).to_contain_text(FINISHED)
    links = page.locator("#search-results li a").evaluate_all("all => all.map((one) => one.href)")
    return names(links, site)


def test_of_all_searches_all_but_four_find_their_page_among_the_first_three(
    visitor: BrowserContext, site: str
) -> None:
    page = visitor.new_page()
    assert found(page, site, "xylophone") == []  # nobody wrote it
    one, *_ = SEARCHES
    typed = found(page, site, one)[:3]
    first = [names(links, site) for links in page.evaluate(IN_ONE_PAGE, [*SEARCHES])]
    assert first[0] == typed
    wanted = zip(SEARCHES.items(), first, strict=True)
    late = {words: pages for (words, best), pages in wanted if best not in pages}
    assert len(late) <= 4, late


# --- what opens

MENUS = {
    "search": (1280, "#pst-search-dialog", ".search-button-field:visible"),
    "pages": (390, "#pst-primary-sidebar-modal", ".primary-toggle"),
    "this page": (390, "#pst-secondary-sidebar-modal", ".secondary-toggle"),
}


@pytest.mark.parametrize("menu", MENUS)
def test_nothing_is_wrong_with_a_menu(menu: str, visitor: BrowserContext, site: str) -> None:
    width, dialog, button = MENUS[menu]
    page = visitor.new_page()
    happened = watched(page, site)
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"{site}notebooks/{MACRO_F1}.html")
    page.locator(button).click()
    expect(page.locator(dialog)).to_be_visible()
    page.evaluate(AXE)
    for theme, question in (("light", "axe"), ("dark", "contrast")):
        page.evaluate("(theme) => (document.documentElement.dataset.theme = theme)", theme)
        assert [*happened, *ask(page, f"{question}('{dialog}')")] == []
    page.keyboard.press("Escape")
    expect(page.locator(dialog)).not_to_be_visible()
