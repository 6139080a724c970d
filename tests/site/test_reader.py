"""What a reader does with the site: searches it, copies code, opens its menus."""

from __future__ import annotations

import doctest
import re
import tomllib
from pathlib import Path
from urllib.parse import quote, urlsplit

import browser
import pytest
from checks import AXE, ask, watched
from playwright.sync_api import BrowserContext, Page, expect

from mlm_helpers import example_based

pytestmark = browser.needs_chromium

MACRO_F1 = "04_label_based"
SEARCHES = tomllib.loads(Path(__file__).with_name("searches.toml").read_text(encoding="utf-8"))
FINISHED = re.compile("finished|did not match")
FOREIGN = ("多標籤分類", "多标签分类", "多ラベル分類", "宏观", "汉明损失", "阈值")


# --- the search


def hits(page: Page, address: str, words: str) -> list[str]:
    """The pages that the search finds, in its order."""
    page.goto(address)
    page.keyboard.press("Control+k")
    page.locator("#pst-search-dialog input").fill(words)
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html?q=*")
    expect(page.locator(".search-summary")).to_contain_text(FINISHED)
    links = page.locator("#search-results li a").evaluate_all("all => all.map((one) => one.href)")
    return list(dict.fromkeys(Path(urlsplit(link).path).stem for link in links))


def test_words_are_found_under_all_their_names(reader: BrowserContext, site: str) -> None:
    with reader.new_page() as page:
        found = {one: hits(page, f"{site}glossary.html", one) for one in ("macro-F1", *FOREIGN)}
    assert [one for one, pages in found.items() if "glossary" not in pages] == []
    assert MACRO_F1 in found["macro-F1"]


def test_what_nobody_wrote_is_not_found(visitor: BrowserContext, site: str) -> None:
    assert hits(visitor.new_page(), f"{site}index.html", "xylophone") == []


def test_of_forty_searches_at_least_36_find_their_page_among_the_first_three(
    visitor: BrowserContext, site: str
) -> None:
    page = visitor.new_page()
    late = {}
    for words, wanted in SEARCHES.items():
        page.goto(f"{site}search.html?q={quote(words)}")
        third, end = page.locator("#search-results li").nth(2), page.get_by_text(FINISHED)
        third.or_(end).first.wait_for(state="attached")
        links = page.locator("#search-results li a").evaluate_all("all => all.map((a) => a.href)")
        if not any(link.partition("#")[0] == f"{site}{wanted}.html" for link in links[:3]):
            late[words] = links[:3]
    assert len(late) <= 4, late


# --- the copy button


def test_an_example_is_copied_without_prompts_and_answers(
    visitor: BrowserContext, site: str
) -> None:
    page = visitor.new_page()
    page.goto(f"{site}api/mlm_helpers.example_based.html")
    examples = doctest.DocTestParser().get_examples(example_based.accuracy.__doc__ or "")
    assert any(example.want for example in examples)
    source = "".join(example.source for example in examples)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    code = page.locator(".doctest .highlight").first
    code.hover()
    code.locator(".copybtn").click()
    expect(code.locator(".copybtn")).to_have_class("copybtn o-tooltip--left success")
    assert page.evaluate("navigator.clipboard.readText()").strip() == source.strip()


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
