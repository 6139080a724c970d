"""The tools and what each computes, as `mlm_helpers.conventions` and its records have it."""

from __future__ import annotations

from collections.abc import Iterator

from mlm_course.figures.phrases import plural
from mlm_helpers.conventions import TOOLS, Departure, Tool, last_run
from tools.site.pages.markdown import code, folded, page, plain, slug, table

INTRO = """\
What other tools compute, in the options of this package. A departure is what a tool does and no option of ours says; it stands
with the smallest input that shows it. [Notebook 15](notebooks/15_conventions.ipynb) settles the differences one by one.
"""
HOW = """\
*Run*: `make peers` runs the tool anew. *Recorded run*: it was run once, and its numbers were kept. *Read in source*: its numbers are what its
published rule gives.
"""


def text() -> str:
    names = dict.fromkeys(name for tool in TOOLS.values() for name in tool.metrics)
    notes = [
        f"* **{plain(tool.name)}**: {departure(one)}"
        for tool in TOOLS.values()
        for one in tool.notes
    ]
    return page(
        "The tools, and what each computes",
        INTRO,
        checked(),
        "## By metric",
        *map(metric, names),
        f"## By tool\n\n{HOW}",
        table(["tool", "version", "its numbers", "metrics"], map(row, TOOLS.values())),
        "What concerns all metrics of a tool:",
        "\n".join(notes),
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


def metric(name: str) -> str:
    """A metric, folded: who calls it what, the options of ours that agree, and what no option says."""
    known = [tool for tool in TOOLS.values() if name in tool.metrics]
    parts = [table(["tool", "its name for it", "our options"], answers(name, known))]
    odd = [
        f"* **{plain(tool.name)}**: {departure(one)}"
        for tool in known
        for one in tool.metrics[name].departures
    ]
    if odd:
        parts += ["What no option says:", "\n".join(odd)]
    counts = (
        f"{plural(len(known), 'tool')}, {plural(len(odd), 'departure') if odd else 'no departure'}"
    )
    return folded(f"{name}: {counts}", "\n\n".join(parts), slug("metric", name))


def answers(name: str, known: list[Tool]) -> Iterator[list[str]]:
    """A row for each tool's default, and for each of its settings that asks for other options."""
    for tool in known:
        seen = []
        for setting, translation in tool.answers(name):
            options = ", ".join(
                f"{one}={value!r}" for one, value in translation.asked(setting).items()
            )
            if options not in seen:
                who = f"{tool.name} ({setting})" if setting else tool.name
                yield [plain(who), code(translation.call), code(options) if options else "–"]
            seen.append(options)


def departure(one: Departure) -> str:
    """What a tool does that no option says, with the input that shows it."""
    given = f"truth {code(str(one.y_true))}, given {code(str(one.y_other))}"
    return f"{plain(one.says)}. On {given}: {plain(one.shows)}."


def row(tool: Tool) -> list[str]:
    """A tool: the version that `make peers` ran last, or the recorded one, and what it computes."""
    version = last_run()["versions"].get(tool.name, tool.version)
    return [plain(tool.name), plain(version), tool.known, plain(", ".join(tool.metrics))]
