"""The package, room by room, with the docstrings' formulas."""

from __future__ import annotations

import inspect
import pkgutil
import re
from collections.abc import Callable
from functools import cache, partial
from importlib import import_module

import mlm_helpers
from mlm_course import figures
from mlm_helpers import catalogue
from mlm_helpers.catalogue import METRICS, Metric
from tools import notebooks
from tools.site.pages import tools
from tools.site.pages.glossary import terms
from tools.site.pages.markdown import code, formula, link, page, plain, slug, table

FOLDER = "api"
INTRO = """\
What can be imported, room by room: first the metrics, a room for each family, then what is around them.
"""
SUMMARY = """\
```{{eval-rst}}
.. currentmodule:: mlm_helpers.{room}
.. autosummary::
   :nosignatures:

   {names}
```"""
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
    names = [name for name in public(room) if f"{room}.{name}" not in {one.id for one in METRICS}]
    if names:
        head.append(SUMMARY.format(room=room, names="\n   ".join(names)))
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


def public(room: str) -> list[str]:
    """The functions and classes of a room, in its order."""
    module = import_module(f"mlm_helpers.{room}")
    here = {*vars(module)} - {*elsewhere(room)}
    return [
        name
        for name, thing in vars(module).items()
        if name in here and not name.startswith("_") and callable(thing) and thing.__doc__
    ]


def also(name: str) -> list[str]:
    """reStructuredText below the docstring of a public function or class: where the course has more of it."""
    room, _, function = name.removeprefix("mlm_helpers.").partition(".")
    if not function or "." in function:
        return []
    record = next((one for one in METRICS if one.id == f"{room}.{function}"), None)
    see = _see_also(record) if record else []
    used = [f":doc:`{page[10:12]} </{page}>`" for page in uses().get(f"{room}.{function}", ())]
    return [
        *(["", f".. seealso:: {'; '.join(see)}"] if see else []),
        *(["", f"*Used in the notebooks* {', '.join(used)}."] if used else []),
        "",
    ]


def _see_also(metric: Metric) -> list[str]:
    """The notebook, the word of the glossary and the other tools of a metric."""
    see = [f":doc:`/notebooks/{metric.taught}`"] if metric.taught else []
    names = [name for term in terms() for name in term.names]
    see += [f":term:`{name}`" for name in names if name.lower() == metric.name.lower()]
    known = tools.metrics()
    of = [catalogue.general(one) for one in catalogue.variants([metric]).values()]
    there = [f"tools.html#{slug('metric', one)}" for one in of if one in known]
    return see + [f"`what other tools compute <../{place}>`__" for place in there[:1]]


@cache
def uses() -> dict[str, list[str]]:
    """The pages of the notebooks whose code has a public function, by room and function."""
    found: dict[str, list[str]] = {}
    for path in sorted(notebooks.NOTEBOOKS.glob("*.ipynb")):
        cells = notebooks.read(path).cells
        source = "\n".join(cell.source for cell in cells if cell.cell_type == "code")
        for name in sorted(set(re.findall(r"\b[a-z_]+\.[A-Za-z]\w*", source))):
            found.setdefault(name, []).append(f"notebooks/{path.stem}")
    return found


def pages() -> dict[str, Callable[[], str]]:
    """The page of each room, below that of the package."""
    return {f"{FOLDER}/{room}": partial(room_page, room) for room in rooms()}
