"""What several files of tests share: one core for each process, kernels, a browser."""

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
from jupyter_client.manager import KernelManager

from tools.notebooks import connection_options

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page


os.environ["TQDM_DISABLE"] = "1"  # nobody watches, so notebooks show no progress
# Other tests have the other cores: threads that wait for one would spin.
os.environ["OMP_NUM_THREADS"] = "1"

KERNELS = tempfile.TemporaryDirectory()
NUMBERS = count()


def kernel_manager(**options: Any) -> KernelManager:
    """Make a kernel that nbval speaks to, not through a port."""
    return KernelManager(**connection_options(f"{KERNELS.name}/{next(NUMBERS)}"), **options)


nbval.kernel.KernelManager = kernel_manager
kernels.fork_all()


def pytest_collection_finish(session: pytest.Session) -> None:
    """Keep nbval from measuring coverage inside the kernels too, which is slow and can hang."""
    session.config.option.cov_source = []


PATIENCE = 120_000  # milliseconds that something on a page may take where much else is going on


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
        one.set_default_timeout(PATIENCE)
        yield one


# --- of the website


@pytest.fixture(scope="session")
def serve() -> Iterator[Callable[[Path], str]]:
    """Serve a folder until the end."""
    from served import served

    with ExitStack() as stack:
        yield lambda folder: stack.enter_context(served(folder))


@pytest.fixture(scope="session")
def site(serve: Callable[[Path], str]) -> str:
    """The address of the site: not the root of its host, as on a page of a project."""
    from built import BUILT

    return f"{serve(BUILT.parent)}{BUILT.name}/"


@pytest.fixture(scope="session")
def reader(chromium: Browser) -> Iterator[BrowserContext]:
    """Somebody who reads page after page; what was loaded once stays loaded."""
    with chromium.new_context(reduced_motion="reduce") as context:
        context.set_default_timeout(PATIENCE)
        yield context


@pytest.fixture
def visitor(chromium: Browser) -> Iterator[BrowserContext]:
    """Somebody who is here for the first time."""
    with chromium.new_context() as context:
        context.set_default_timeout(PATIENCE)
        yield context
