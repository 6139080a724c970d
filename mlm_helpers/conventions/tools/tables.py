"""Tools as TOML tables.

A file has the tool's name, version and how it is known; per metric the tool's call, our options that
return its number, and what its settings change of them; and departures in words, with the smallest
input, what the tool gives on it, and the rule in `rules` that computes it.
"""

import tomllib
from collections.abc import Mapping
from importlib import resources
from typing import Any

from mlm_helpers.conventions import rules
from mlm_helpers.conventions.tool import Departure, Options, Tool, Translation


def tool(file: str) -> Tool:
    """The tool of a file."""
    content = _read(file)
    departures = SHARED | _departures(content.pop("departures", {}))
    notes = tuple(departures[name] for name in content.pop("notes", ()))
    metrics = {
        name: Translation(
            row.get("call", ""),
            _options(row.get("options", {})),
            tuple(departures[departure] for departure in row.get("departures", ())),
            {setting: _options(given) for setting, given in row.get("settings", {}).items()},
        )
        for name, row in content.pop("metrics").items()
    }
    settings = tuple(content.pop("settings", ()))
    return Tool(metrics=metrics, settings=settings, notes=notes, **content)


def _read(file: str) -> dict[str, Any]:
    text = resources.files(__package__).joinpath(f"{file}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def _options(given: Mapping[str, Any]) -> Options:
    """Options of ours; TOML has no None."""
    return {option: None if value == "none" else value for option, value in given.items()}


def _departures(table: Mapping[str, Any]) -> dict[str, Departure]:
    """Departures by name; a rule is a name, or a name and the number that makes the rule."""
    found = {}
    for name, row in table.items():
        rule, *number = [row["rule"]] if isinstance(row.get("rule"), str) else row.get("rule", [""])
        row["number"] = getattr(rules, rule)(*number) if number else getattr(rules, rule, None)
        found[name] = Departure(**{key: row[key] for key in row if key != "rule"})
    return found


SHARED = _departures(_read("shared")["departures"])
"""Departures that several tools have."""
