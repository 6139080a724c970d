"""A web server for a folder, on this machine only."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread


class QuietHandler(SimpleHTTPRequestHandler):
    """A request handler that logs nothing."""

    protocol_version = "HTTP/1.1"  # a browser loads all files of a page through one connection

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def served_folder(folder: Path) -> Iterator[str]:
    """The address of a server for a folder."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(QuietHandler, directory=folder)) as server:
        server.daemon_threads = True
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
