"""The tools, each read from a TOML file.

A file has the tool's name, version and how it is known; for each metric a `Translation`; and for
each `Departure` its words, the smallest input that shows it, the tool's number there, and the
function of `rules` that computes this number, with the function's first arguments.
"""

import functools
import math
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from importlib import resources
from typing import Any

from mlm_helpers.conventions import rules
from mlm_helpers.conventions.quantities import quantities
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
    """The content of a TOML file of this folder."""
    text = resources.files(__package__).joinpath(f"{file}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def _departures(table: Mapping[str, Any]) -> dict[str, Departure]:
    """Departures by name; ``rule = ["f", a]`` in a file becomes ``partial(rules.f, a)``."""
    departures = {}
    for name, row in table.items():
        if "rule" in row:
            function, *arguments = row["rule"]
            row["rule"] = functools.partial(getattr(rules, function), *arguments)
        departures[name] = Departure(**row)
    return departures


_SHARED = _departures(_read("shared")["departures"])


def _tool(file: str) -> Tool:
    """The tool that a file describes."""
    content = _read(file)
    departures = _SHARED | _departures(content.pop("departures", {}))
    for general_name, row in content["metrics"].items():
        row["departures"] = tuple(departures[name] for name in row.get("departures", ()))
        for options in (row.get("options", {}), *row.get("settings", {}).values()):
            for option in [option for option, value in options.items() if value == "none"]:
                options[option] = None  # TOML has no None
        content["metrics"][general_name] = Translation(**row)
    content["notes"] = tuple(departures[name] for name in content.get("notes", ()))
    return Tool(**content)


def _scikit_learn() -> Tool:
    """scikit-learn, from the catalogue's records, whose defaults are its options, and from its file."""
    tool = _tool("sklearn")
    metrics = dict(tool.metrics)
    for quantity in quantities().values():
        record, average = quantity.record, quantity.function.keywords.get("average")
        if record and (call := record.sklearn_call(average)):
            entry = metrics.get(quantity.general_name, Translation())
            options = {option: record.defaults[option] for option in quantity.conventions}
            settings = entry.settings or (_ZERO_DIVISION if "zero_division" in options else {})
            metrics[quantity.general_name] = Translation(call, options, entry.departures, settings)
    return replace(tool, metrics=metrics)


TOOLS = {tool.name: tool for tool in (_scikit_learn(), *map(_tool, _FILES))}
