"""A time limit for calls of somebody's function."""

import contextlib
import ctypes
import threading
import time
from collections.abc import Callable, Iterable
from typing import Any

_PATIENCE = 0.05  # seconds between two looks
_TRIES = 20  # to stop a call that catches whatever is raised


class Stopped(BaseException):
    """Raised inside a call that takes too long; no ``except Exception`` catches it."""


def results(call: Callable[[Any], Any], every: Iterable[Any], seconds: float) -> list[Any]:
    """Results of the calls in order, up to one that takes longer than its seconds.

    The calls run in a thread beside, which needs no signal and so works in a notebook on any system.
    A wait inside C cannot be stopped, and is left behind.
    """
    found: list[Any] = []
    since = time.monotonic()
    is_over = threading.Event()

    def work() -> None:
        nonlocal since
        with contextlib.suppress(Stopped):
            for one in every:
                if is_over.is_set():
                    return
                since = time.monotonic()
                found.append(call(one))

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    try:
        while thread.is_alive() and time.monotonic() - since <= seconds:
            thread.join(_PATIENCE)
        return found[:]
    finally:  # after an interrupt, too
        is_over.set()
        _stop(thread)


def _stop(thread: threading.Thread) -> None:
    for _ in range(_TRIES):
        if not thread.is_alive():
            return
        ident = ctypes.c_ulong(thread.ident or 0)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ident, ctypes.py_object(Stopped))
        thread.join(_PATIENCE)
