"""What several files of tests share."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@pytest.fixture(scope="module", autouse=True)
def _swept() -> Iterator[None]:
    """Collect what came into being in a file: what it leaves open is an error of its own, not of another."""
    gc.freeze()  # what was there before need not be looked through again
    yield
    gc.collect()
    gc.unfreeze()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """A browser that finds no host but this machine, for the tests of the website and of the slides."""
    from browser import CHROMIUM  # here, as most tests have neither
    from playwright.sync_api import sync_playwright

    blind = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"
    with (
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=CHROMIUM, args=[blind]) as one,
    ):
        yield one


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """A page of the size of a slide."""
    with chromium.new_page(viewport={"width": 1280, "height": 720}) as one:
        yield one
