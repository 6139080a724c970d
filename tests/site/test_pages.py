"""Every page but most of the API's, in both themes, on a phone, a laptop and a projector."""

from __future__ import annotations

import browser
import pytest
from built import PAGES
from checks import wrong
from playwright.sync_api import BrowserContext

pytestmark = browser.needs_chromium


API = (
    "label_based",
    "conventions",
    "summary",
)  # the largest of those that Sphinx makes of docstrings
OPENED = [name for name in PAGES if "mlm_helpers." not in name or name.split(".")[1] in API]


@pytest.mark.parametrize("name", OPENED)
def test_nothing_is_wrong_with_a_page(name: str, reader: BrowserContext, site: str) -> None:
    with reader.new_page() as page:
        found = wrong(page, site + name)
    assert not found, "\n".join(found)
