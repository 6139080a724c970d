"""The tools and what each computes, as `mlm_helpers.conventions` and its records have it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mlm_helpers import catalogue
from mlm_helpers.conventions import TOOLS, Departure, Tool, last_run
from mlm_helpers.tables import count_phrase
from tools.site.pages.markdown import code, filled, folded, plain, slug, table


def text() -> str:
    theirs = dict.fromkeys(name for tool in TOOLS.values() for name in tool.metrics)
    order = dict.fromkeys(catalogue.general_name(one) for one in catalogue.variants().values())
    names = [name for name in order | theirs if name in theirs]
    notes = [(tool, one) for tool in TOOLS.values() for one in tool.notes]
    return filled(
        "tools",
        checked=checked(),
        metrics="\n\n".join(map(metric, names)),
        tools=table(["tool", "version", "its numbers", "metrics"], map(row, TOOLS.values())),
        notes=listed(notes),
    )


def checked() -> str:
    """What the last run of the tools found."""
    run = last_run()
    counts = run["counts"].values()
    departures = sum(found["not expressible by an option"] for found in counts)
    return (
        f"On {run['date']} {sum(sum(found.values()) for found in counts):,} answers of tools were held against this table:"
        f" {len(run['differ']) or 'none'} differed from it, and {departures:,} were departures."
    )


def metric(name: str) -> str:
    """A metric, folded: who calls it what, the options of ours that agree, and what no option says."""
    known = [tool for tool in TOOLS.values() if name in tool.metrics]
    parts = [table(["tool", "its name for it", "our options"], answers(name, known))]
    odd = [(tool, one) for tool in known for one in tool.metrics[name].departures]
    if odd:
        parts += ["What no option says:", listed(odd)]
    counted = f"{name}: {count_phrase(len(known), 'tool')}, {count_phrase(len(odd), 'departure')}"
    return folded(counted, "\n\n".join(parts), slug("metric", name))


def answers(name: str, known: list[Tool]) -> Iterator[list[str]]:
    """A row for each tool's default, and for each of its settings that asks for other options."""
    for tool in known:
        seen = []
        for setting, translation in tool.translations_of(name):
            options = ", ".join(
                f"{one}={value!r}" for one, value in translation.options_under(setting).items()
            )
            if options not in seen:
                who = f"{tool.name} ({setting})" if setting else tool.name
                yield [plain(who), code(translation.call), code(options) if options else "–"]
            seen.append(options)


def listed(departures: Iterable[tuple[Tool, Departure]]) -> str:
    """What tools do that no option says, each with the input that shows it."""
    return "\n".join(
        f"* **{plain(tool.name)}**: {plain(one.says)}. On truth {code(str(one.y_true))}, given"
        f" {code(str(one.y_pred))}: {plain(one.shows)}."
        for tool, one in departures
    )


def row(tool: Tool) -> list[str]:
    """A tool: the version that `make peers` ran last, or the recorded one, and what it computes."""
    version = last_run()["versions"].get(tool.name, tool.version)
    return [plain(tool.name), plain(version), tool.known, plain(", ".join(tool.metrics))]
