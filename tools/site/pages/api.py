"""The package, room by room, with the docstrings' formulas."""

from __future__ import annotations

import inspect
import pkgutil
from collections.abc import Callable
from functools import partial
from importlib import import_module

import mlm_helpers
from mlm_helpers.catalogue import METRICS
from mlm_helpers.course import figures
from tools.site.pages.markdown import code, formula, link, page, plain, table

FOLDER = "api"
INTRO = """\
What can be imported, room by room: first the metrics, a room for each family, then what is around them.
"""
DIRECTIVE = """\
```{{eval-rst}}
.. automodule:: mlm_helpers.{room}
   :exclude-members: {elsewhere}
```"""


def families() -> list[str]:
    """The rooms that hold the metrics, in the order of the course."""
    return list(dict.fromkeys(metric.id.partition(".")[0] for metric in METRICS))


def rooms() -> list[str]:
    """All rooms, the families first."""
    every = [found.name for found in pkgutil.iter_modules(mlm_helpers.__path__)]
    public = [name for name in every if not name.startswith("_")]
    return [*families(), *sorted(set(public) - set(families()))]


def text() -> str:
    pages = "\n".join(f"{FOLDER}/{room}" for room in rooms())
    return page(
        "The package",
        INTRO,
        "## Metrics",
        _list(families()),
        "## Around them",
        _list([room for room in rooms() if room not in families()]),
        f"```{{toctree}}\n:hidden:\n\n{pages}\n```",
    )


def _list(some: list[str]) -> str:
    return "\n".join(f"* [{code(room)}]({FOLDER}/{room}.md): {plain(says(room))}" for room in some)


def says(room: str) -> str:
    """The first sentence of a room's docstring."""
    return (inspect.getdoc(import_module(f"mlm_helpers.{room}")) or "").partition("\n")[0]


def room_page(room: str) -> str:
    """A room: the formulas of its metrics, for one sample or one label, and all that is in it."""
    rows = [
        [link(metric.id, f"mlm_helpers.{metric.id}"), formula(metric)]
        for metric in METRICS
        if metric.id.startswith(f"{room}.")
    ]
    head = [table(["function", "of one sample or one label"], rows)] if rows else []
    if room in figures.PICTURES:
        alt = figures.alt_text(figures.PICTURES[room]())
        head.insert(0, f"![{alt}](../figures/{room}.svg)")
    return page(
        code(room),
        *head,
        DIRECTIVE.format(room=room, elsewhere=", ".join(elsewhere(room))),
    )


def elsewhere(room: str) -> list[str]:
    """What a room lets pass from another one, where it stands."""
    module = import_module(f"mlm_helpers.{room}")
    own = f"mlm_helpers.{room}"
    at = {name: getattr(getattr(module, name), "__module__", own) for name in dir(module)}
    return [name for name, place in at.items() if place != own and not place.startswith(f"{own}.")]


def pages() -> dict[str, Callable[[], str]]:
    """The page of each room, below that of the package."""
    return {f"{FOLDER}/{room}": partial(room_page, room) for room in rooms()}
