"""The tools, each read from a TOML file of this folder.

A file has the tool's name, its version, how its numbers are known, and a row for each metric, with
the arguments of a `Translation`. Each `Departure` in it has a name, the words that describe it, the
smallest input that shows it, the tool's number there, and the rule that computes this number, in
the words of `rules`. The row of a metric names its departures: those of the file, or those in
``shared.toml``, which several tools have.
"""

import math
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from mlm_helpers._core.inputs.options import check_choice, look_up
from mlm_helpers.conventions.quantities import quantities
from mlm_helpers.conventions.rules import rule_of
from mlm_helpers.conventions.tool import EVIDENCE, Departure, Tool, Translation

# Settings of scikit-learn: its metrics with other values of ``zero_division`` than the default.
_ZERO_DIVISION = {
    f"zero_division={value}": {"zero_division": float(value)} for value in (1, math.nan)
}


def _departures(rows: dict[str, Any]) -> dict[str, Departure]:
    """Departures by name, from their rows in a file.

    In a row a rule is the two words that `rule_of` looks up; a row without one has no rule.
    """
    for row in rows.values():
        if "rule" in row:
            row["rule"] = rule_of(*row["rule"])
    return {name: Departure(**row) for name, row in rows.items()}


_FOLDER = Path(__file__).parent
_METRICS = sorted({quantity.general_name for quantity in quantities().values()})
_SHARED_FILE = _FOLDER / "shared.toml"
_SHARED = _departures(tomllib.loads(_SHARED_FILE.read_text(encoding="utf-8"))["departures"])


def _tool(path: Path) -> Tool:
    """The tool that a file describes; an error names an unknown word in it, and the file."""
    content = tomllib.loads(path.read_text(encoding="utf-8"))
    try:
        departures = _SHARED | _departures(content.pop("departures", {}))
        check_choice(content.get("known"), EVIDENCE, "known")
        for name, row in content["metrics"].items():
            check_choice(name, _METRICS, "metric")
            content["metrics"][name] = _translation(row, departures)
        content["notes"] = tuple(
            look_up(departures, name, "note") for name in content.get("notes", ())
        )
        return Tool(**content)
    except (TypeError, ValueError) as error:
        error.add_note(f"This is in {path.name}.")
        raise


def _translation(row: dict[str, Any], departures: Mapping[str, Departure]) -> Translation:
    """What a tool computes for a metric, from its row in a file and the departures it can name."""
    names = row.get("departures", ())
    row["departures"] = tuple(look_up(departures, name, "departure") for name in names)
    for option, value in row.get("options", {}).items():
        if value == "none":
            row["options"][option] = None  # TOML has no None
    return Translation(**row)


def _scikit_learn() -> Tool:
    """scikit-learn, from its file and from the catalogue.

    A record of the catalogue names scikit-learn's function, whose options are our defaults. The
    file adds departures and settings, and metrics for which no record names a function.
    """
    tool = _tool(_FOLDER / "sklearn.toml")
    metrics = dict(tool.metrics)
    for quantity in quantities().values():
        record = quantity.record
        average = quantity.function.keywords.get("average")
        if record and (call := record.sklearn_call(average)):
            entry = metrics.get(quantity.general_name, Translation())
            options = {option: record.defaults[option] for option in quantity.conventions}
            settings = entry.settings or (_ZERO_DIVISION if "zero_division" in options else {})
            metrics[quantity.general_name] = Translation(call, options, entry.departures, settings)
    return replace(tool, metrics=metrics)


def _tools() -> dict[str, Tool]:
    """All tools by name: scikit-learn, then the others in the order of `EVIDENCE`, each by name."""
    paths = {*_FOLDER.glob("*.toml")} - {_SHARED_FILE, _FOLDER / "sklearn.toml"}
    others = sorted(map(_tool, paths), key=lambda t: (EVIDENCE.index(t.known), t.name.lower()))
    return {tool.name: tool for tool in (_scikit_learn(), *others)}


TOOLS = _tools()
