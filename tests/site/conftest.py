"""The built site, served to this machine alone, and who reads it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from built import BUILT
from playwright.sync_api import Browser, BrowserContext


class Quiet(SimpleHTTPRequestHandler):
    """A handler that keeps what it did to itself."""

    protocol_version = "HTTP/1.1"  # a page asks for all its files through one connection

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of a folder's server."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder)) as server:
        server.daemon_threads = True
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture(scope="session")
def serve() -> Iterator[Callable[[Path], str]]:
    """Serve a folder until the end."""
    with ExitStack() as stack:
        yield lambda folder: stack.enter_context(served(folder))


@pytest.fixture(scope="session")
def site(serve: Callable[[Path], str]) -> str:
    """The address of the site: not the root of its host, as on a page of a project."""
    return f"{serve(BUILT.parent)}{BUILT.name}/"


@pytest.fixture(scope="session")
def reader(chromium: Browser) -> Iterator[BrowserContext]:
    """Somebody who reads page after page; what was loaded once stays loaded."""
    with chromium.new_context(reduced_motion="reduce") as context:
        yield context


@pytest.fixture
def visitor(chromium: Browser) -> Iterator[BrowserContext]:
    """Somebody who is here for the first time."""
    with chromium.new_context() as context:
        yield context
