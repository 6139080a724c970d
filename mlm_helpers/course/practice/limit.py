"""Running somebody's function: for so long and no longer."""

import contextlib
import ctypes
import io
import logging
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any

_PATIENCE = 0.05  # seconds between two looks
_WAITS = 3  # times as long what only waits may take: for a file, or for other work on the machine
_TRIES = 40  # to stop what catches everything


class Stopped(BaseException):
    """Raised inside a function that takes too long; no ``except Exception`` catches it."""


class Clock:
    """How many calls were begun, and what the thread had spent at the first and the present one."""

    def __init__(self) -> None:
        self.calls, self.over = 0, False
        self.cpu: int | None = None  # the clock of the thread's own work, where a system has one

    def start(self) -> None:
        """Be told by the thread which it is."""
        if hasattr(time, "pthread_getcpuclockid"):
            self.cpu = time.pthread_getcpuclockid(threading.get_ident())
        self.began = self.since = self.now()

    def now(self) -> tuple[float, float]:
        """What the thread has spent of its own work, and the time."""
        return self.spent(), time.monotonic()

    def spent(self) -> float:
        """For how long the thread has worked; where nobody knows, ever longer."""
        if self.cpu is None:
            return time.monotonic()
        try:
            return time.clock_gettime(self.cpu)
        except OSError:  # it has ended
            return 0.0

    def tick(self) -> None:
        """Begin a call, unless time is over."""
        if self.over:  # the call before caught what was raised in it
            raise Stopped
        self.since = self.now()
        self.calls += 1


def run(work: Callable[[Clock], None], each: float, together: float) -> tuple[str, int]:
    """Run work that ticks at each call: "" if it ends, "call" or "all" for what took too long.

    With it comes how many calls were begun by then. The work runs in a thread beside, where no
    signal is needed, so a notebook on any system can do it. What cannot be stopped, such as a wait
    inside C, is left behind; but a loop inside C that lets no other thread run holds up this one too.
    """
    clock = Clock()
    thread = threading.Thread(target=_ends_quietly, args=(work, clock), daemon=True)
    thread.start()
    try:
        while thread.is_alive():
            thread.join(_PATIENCE)
            now = clock.now()
            if not clock.calls or not thread.is_alive():
                continue
            if _is_beyond(each, clock.since, now):
                return "call", clock.calls
            if _is_beyond(together, clock.began, now):
                return "all", clock.calls
        return "", clock.calls
    finally:
        clock.over = True
        _stop(thread, clock)


def _is_beyond(seconds: float, then: tuple[float, float], now: tuple[float, float]) -> bool:
    """Whether a thread has worked for so long, or has waited for longer still."""
    worked, passed = (after - before for after, before in zip(now, then, strict=True))
    return worked > seconds or passed > _WAITS * seconds


def _ends_quietly(work: Callable[[Clock], None], clock: Clock) -> None:
    with contextlib.suppress(Stopped):
        clock.start()
        work(clock)


def _stop(thread: threading.Thread, clock: Clock) -> None:
    """Raise `Stopped` in a thread until it ends.

    Not in one that waits: it would not hear, and what is raised and not heard holds up a debugger.
    """
    for _ in range(_TRIES):
        before = clock.spent()
        thread.join(_PATIENCE)
        if not thread.is_alive():
            return
        if clock.spent() > before:
            ident = ctypes.c_ulong(thread.ident or 0)
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ident, ctypes.py_object(Stopped))


class Sink(io.TextIOBase):
    """Where print and the like lead to: nothing is kept but that something came."""

    def __init__(self) -> None:
        self.used = False

    def write(self, text: str) -> int:
        """Take note of a text."""
        self.used = self.used or bool(text)
        return len(text)


@contextlib.contextmanager
def quiet() -> Iterator[Sink]:
    """Neither print, nor what goes to stderr, nor warnings, nor a log show."""
    sink: Any = Sink()
    handlers = logging.root.handlers[:]
    out, err = contextlib.redirect_stdout(sink), contextlib.redirect_stderr(sink)
    with out, err, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        logging.root.handlers[:] = [logging.StreamHandler(sink)]
        try:
            yield sink
        finally:
            logging.root.handlers[:] = handlers
