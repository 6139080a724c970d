"""The tools, a TOML file each.

A file has the tool's name, version and how it is known; per metric the tool's call, our options that
return its number, and what its settings change of them; and departures in words, with the smallest
input, what the tool gives on it, and the rule in `rules` that computes it.
"""

import functools
import math
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from importlib import resources
from typing import Any

from mlm_helpers import catalogue
from mlm_helpers.conventions import rules
from mlm_helpers.conventions.quantities import DERIVED, quantities
from mlm_helpers.conventions.tool import Departure, Options, Tool, Translation

_FILES = (
    "torchmetrics", "spark", "mulan", "meka", "lamda", "mldr", "utiml", "keras", "torcheval", "ignite",
    "river", "napkinxc", "pyxclib", "xcolumns", "mlgcn", "asl", "query2label", "mmpretrain",
    "pycocotools", "vocdevkit", "annif", "ranx", "libmultilabel", "evaluate", "torch",
)  # fmt: skip
_ZERO_DIVISION: Mapping[str, Options] = {
    f"zero_division={value}": {"zero_division": float(value)} for value in (1, math.nan)
}


def _read(file: str) -> dict[str, Any]:
    text = resources.files(__package__).joinpath(f"{file}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def _departures(table: Mapping[str, Any]) -> dict[str, Departure]:
    """Departures by name; a rule is the name of a function, and what it takes first."""
    found = {}
    for name, row in table.items():
        if "rule" in row:
            rule, *first = row.pop("rule")
            row["number"] = functools.partial(getattr(rules, rule), *first)
        found[name] = Departure(**row)
    return found


_SHARED = _departures(_read("shared")["departures"])


def _tool(file: str) -> Tool:
    """The tool of a file."""
    content = _read(file)
    departures = _SHARED | _departures(content.pop("departures", {}))
    for general, row in content["metrics"].items():
        row["departures"] = tuple(departures[name] for name in row.get("departures", ()))
        for options in (row.get("options", {}), *row.get("settings", {}).values()):
            for name in [name for name in options if options[name] == "none"]:
                options[name] = None  # which TOML does not have
        content["metrics"][general] = Translation(**row)
    content["notes"] = tuple(departures[name] for name in content.get("notes", ()))
    return Tool(**content)


def _scikit_learn() -> Tool:
    """Metrics by the catalogue's records, whose defaults are its answers; and what its file adds."""
    tool = _tool("sklearn")
    metrics = dict(tool.metrics)
    for one in (one for one in quantities().values() if one.name not in DERIVED):
        record = catalogue.record_of(one.function)
        if call := record.sklearn_call(one.function.keywords.get("average")):
            more = metrics.get(one.general_name, Translation(call))
            options = {option: record.defaults[option] for option in one.conventions}
            settings = more.settings or (_ZERO_DIVISION if "zero_division" in options else {})
            metrics[one.general_name] = Translation(call, options, more.departures, settings)
    return replace(tool, metrics=metrics)


TOOLS = {tool.name: tool for tool in (_scikit_learn(), *map(_tool, _FILES))}
"""The tools by name: what each computes, in our options."""
