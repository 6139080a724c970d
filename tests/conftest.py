"""Settings and fixtures of tests: one core for each process, kernels, a browser, the website."""

from __future__ import annotations

import gc
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import kernels
import nbval.kernel
import pytest
from hypothesis import settings
from jupyter_client.manager import KernelManager

from tools.notebooks import connection_options

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page


os.environ["TQDM_DISABLE"] = "1"  # stored outputs have no progress bars
# Tests run in parallel on all cores: further threads would spin while they wait for a core.
os.environ["OMP_NUM_THREADS"] = "1"
settings.register_profile("no deadline", deadline=None)  # other tests keep the machine busy
settings.load_profile("no deadline")

KERNEL_FILES = tempfile.TemporaryDirectory()
KERNEL_NUMBERS = count()


def kernel_manager(**options: Any) -> KernelManager:
    """A kernel manager for nbval that connects through files, not through ports."""
    path = f"{KERNEL_FILES.name}/{next(KERNEL_NUMBERS)}"
    return KernelManager(**connection_options(path), **options)


nbval.kernel.KernelManager = kernel_manager
kernels.register_forked_kernels(KERNEL_FILES.name)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With `--snapshot-update`, run only the tests that have a snapshot."""
    if config.option.update_snapshots:
        items[:] = [item for item in items if "snapshot" in getattr(item, "fixturenames", ())]


def pytest_collection_finish(session: pytest.Session) -> None:
    """Keep nbval from measuring coverage inside the kernels too, which is slow and can hang."""
    session.config.option.cov_source = []


TIMEOUT = 120_000  # milliseconds for a change on a page, as other tests keep the machine busy


@pytest.fixture(scope="module", autouse=True)
def _collect_garbage() -> Iterator[None]:
    """Collect garbage after each file.

    So a resource left open is an error of the file that opened it.
    """
    gc.freeze()  # objects from before need not be searched again
    yield
    gc.collect()
    gc.unfreeze()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """A browser without a network, for the tests of the website and of the slides."""
    from browser import CHROMIUM  # imported here, as most environments lack playwright
    from playwright.sync_api import sync_playwright

    offline = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"
    with (
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=CHROMIUM, args=[offline]) as browser,
    ):
        yield browser


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """A browser page of the size of a slide."""
    with chromium.new_page(viewport={"width": 1280, "height": 720}) as page:
        page.set_default_timeout(TIMEOUT)
        yield page


@pytest.fixture(scope="session")
def serve() -> Iterator[Callable[[Path], str]]:
    """A function that serves a folder until the end of the tests and returns its address."""
    from served import served_folder

    with ExitStack() as stack:
        yield lambda folder: stack.enter_context(served_folder(folder))


@pytest.fixture(scope="session")
def site(serve: Callable[[Path], str]) -> str:
    """The address of the site, which is a folder of its host, as for the pages of a project."""
    from built import BUILT

    return f"{serve(BUILT.parent)}{BUILT.name}/"


@pytest.fixture(scope="session")
def reader(chromium: Browser) -> Iterator[BrowserContext]:
    """A browser context that is kept for all tests, with a warm cache and without animations."""
    with chromium.new_context(reduced_motion="reduce") as context:
        context.set_default_timeout(TIMEOUT)
        yield context


@pytest.fixture
def visitor(chromium: Browser) -> Iterator[BrowserContext]:
    """A browser context with an empty cache and storage, as on a first visit."""
    with chromium.new_context() as context:
        context.set_default_timeout(TIMEOUT)
        yield context
