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
    told = _read(file)
    departures = SHARED | _departures(told.pop("departures", {}))

    def named(names: list[str]) -> tuple[Departure, ...]:
        return tuple(departures[name] for name in names)

    metrics = {
        name: Translation(
            row["call"],
            _options(row.get("options", {})),
            named(row.get("departures", [])),
            {setting: _options(given) for setting, given in row.get("settings", {}).items()},
        )
        for name, row in told.pop("metrics").items()
    }
    settings, notes = tuple(told.pop("settings", ())), named(told.pop("notes", []))
    return Tool(metrics=metrics, settings=settings, notes=notes, **told)


def _read(file: str) -> dict[str, Any]:
    text = resources.files(__package__).joinpath(f"{file}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def _options(given: Mapping[str, Any]) -> Options:
    """Options of ours; TOML has no None."""
    return {option: None if value == "none" else value for option, value in given.items()}


def _departures(told: Mapping[str, Any]) -> dict[str, Departure]:
    """Departures by name; a rule is a name, or a name and the number that makes the rule."""
    found = {}
    for name, row in told.items():
        rule, under = row.pop("rule", None), tuple(row.pop("under", ()))
        if rule is not None:
            made = isinstance(rule, list)
            rule = getattr(rules, rule[0])(rule[1]) if made else getattr(rules, rule)
        found[name] = Departure(**row, number=rule, under=under)
    return found


SHARED = _departures(_read("shared")["departures"])
"""Departures that several tools have."""
