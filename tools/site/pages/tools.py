"""The tools and what each computes, as `mlm_helpers.conventions` and its records have it."""

from __future__ import annotations

from collections.abc import Iterator

from mlm_course.figures.phrases import capital, plural
from mlm_helpers.board.values import written
from mlm_helpers.conventions import TOOLS, Departure, Tool, last_run, number, recorded
from mlm_helpers.conventions.identify import brief, way
from mlm_helpers.conventions.quantities import quantities, quantity_of
from mlm_helpers.conventions.tool import Recorded
from tools.site.pages.markdown import code, folded, link, page, plain, slug, table

INTRO = """\
What other tools compute, said in the options of this package. *Run* says that `make peers` runs a tool
anew; *recorded run*, that it was run once and its numbers were kept; *read in source*, that its numbers
are what its published rule gives. What a tool does and no option of ours says is a departure, and stands
with the smallest input that shows it. [Notebook 15](notebooks/15_conventions.ipynb) settles the
differences one by one.
"""


def text() -> str:
    return page(
        "The tools, and what each computes",
        INTRO,
        checked(),
        "## By metric",
        *map(metric_entry, metrics()),
        "## By tool",
        *map(tool_entry, TOOLS.values()),
    )


def checked() -> str:
    """What the last run of the tools found."""
    run = last_run()
    answers = sum(sum(found.values()) for found in run["counts"].values())
    departures = sum(found["not expressible by an option"] for found in run["counts"].values())
    return (
        f"The last run, on {run['date']}, held {answers:,} answers of tools, numbers and refusals, against"
        f" this table; {len(run['differ']) or 'none'} of them differed from it. No option gives"
        f" {departures:,} of them: those are departures."
    )


def departure(one: Departure) -> str:
    """What a tool does that no option says, with the input that shows it."""
    given = f"truth {code(str(one.y_true))}, given {code(str(one.y_other))}"
    return f"{plain(one.says)}. On {given}: {plain(one.shows)}."


# ---------------------------------------------------------------------------- by metric


def metrics() -> list[str]:
    """The metrics that a tool has, in the order of the catalogue."""
    order = dict.fromkeys(quantity.general for quantity in quantities().values())
    return [name for name in order if having(name)]


def having(name: str) -> list[Tool]:
    """The tools that have a metric."""
    return [tool for tool in TOOLS.values() if name in tool.metrics]


def metric_entry(name: str) -> str:
    """A metric, folded: where tools differ, who calls it what, and the options of ours that agree."""
    known = having(name)
    parted = telling(name)
    rows = [row for tool in known for row in _answers(tool, name)]
    odd = list(_departures(known, name))
    parts = [apart(*parted)] if parted else []
    parts.append(table(["tool", "its name for it", "our options"], rows))
    if odd:
        parts += ["What no option says:", "\n".join(odd)]
    counts = [plural(len(known), "tool"), plural(len(odd), "departure")]
    if parted:
        counts.insert(1, f"{len(numbers(*parted))} numbers for one input")
    said = ", ".join(counts[: len(counts) - (not odd)])
    return folded(f"{name}: {said}", "\n\n".join(parts), slug("metric", name))


def _answers(tool: Tool, name: str) -> Iterator[list[str]]:
    """A row for the default, and for each setting under which other options are asked for."""
    seen: list[tuple[str, ...]] = []
    for setting, found in tool.answers(name):
        options = way(found.asked(setting))
        if options not in seen:
            asked = code(", ".join(options)) if options else "–"
            yield [plain(brief(tool.key(setting))), code(found.call), asked]
        seen.append(options)


def _departures(known: list[Tool], name: str) -> Iterator[str]:
    for tool in known:
        for one in tool.metrics[name].departures:
            yield f"* **{plain(tool.name)}**: {departure(one)}"


def telling(name: str) -> tuple[str, Recorded] | None:
    """The quantity of a metric, and the recorded input, that tell most tools apart; the smallest."""
    found = [
        (-len(set(numbers)), len(case.y_true) * len(case.y_true[0]), quantity.name, case)
        for quantity in quantities().values()
        if quantity.general == name
        for case in recorded()
        if len(set(numbers := _defaults(quantity.name, case))) > 1
    ]
    best = min(found, key=lambda one: one[:2], default=None)
    return best and best[2:]


def _defaults(name: str, case: Recorded) -> list[str]:
    numbers = case.numbers.get(name, {})
    return [written(number, 6) for tool, number in numbers.items() if tool in TOOLS]


def numbers(name: str, case: Recorded) -> dict[str, list[str]]:
    """The numbers of the tools on a recorded input, each with the tools that give it."""
    found: dict[str, list[str]] = {}
    for tool in having(quantity_of(name).general):
        kept = case.numbers.get(name, {}).get(tool.name)  # of what was only read, its rule says it
        theirs = number(tool.name, name, case.y_true, case.other(name)) if kept is None else kept
        found.setdefault(written(theirs, 6), []).append(tool.name)
    return found


def apart(name: str, case: Recorded) -> str:
    """The numbers of the tools on a recorded input, as a table."""
    rows = [[plain(value), plain(", ".join(tools))] for value, tools in numbers(name, case).items()]
    reads = quantity_of(name).reads
    kind = {"y_pred": "prediction", "y_score": "scores", "y_prob": "probabilities"}[reads]
    other = f"{kind} {code(str(case.y_pred if reads == 'y_pred' else case.y_score))}"
    said = f"{plain(capital(name))} of truth {code(str(case.y_true))} and {other}:"
    return f"{said}\n\n{table(['number', 'tools'], rows)}"


# ---------------------------------------------------------------------------- by tool


def tool_entry(tool: Tool) -> str:
    """A tool: its version, how its numbers are known, what it computes and what concerns it all."""
    named = [link(name, slug("metric", name)) for name in tool.metrics]
    known = f"Version: {plain(version(tool))}. Its numbers: {how(tool)}."
    parts = [known, f"It has {', '.join(named)}."]
    if tool.notes:
        parts.append("\n".join(f"* {departure(note)}" for note in tool.notes))
    summary = f"{tool.name}: {plural(len(named), 'metric')}, {tool.known}"
    return folded(summary, "\n\n".join(parts), slug("tool", tool.name))


def version(tool: Tool) -> str:
    """The version that `make peers` ran last, or else the recorded one."""
    ran: str = last_run()["versions"].get(tool.name, tool.version)
    return ran


def how(tool: Tool) -> str:
    """Where a tool's numbers come from: `make peers`, one recorded run, or its source."""
    return f"`make peers` ran it on {last_run()['date']}" if tool.known == "run" else tool.known
