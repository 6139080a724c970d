"""The page "Tools": what each tool computes, from the records of `mlm_helpers.conventions`."""

from collections.abc import Iterable, Iterator
from typing import Any

from mlm_helpers import catalogue, thresholds
from mlm_helpers.conventions import TOOLS, Departure, Tool, number
from mlm_helpers.conventions.quantities import quantities
from mlm_helpers.conventions.tool import NO_RULE, is_close
from mlm_helpers.tables import count_phrase
from mlm_helpers.tables.numbers import decimal
from tools.peers import last_run
from tools.site.pages.markdown import code, details, escaped, filled_template, slug, table

TRUTH = [[1, 0, 1, 0], [0, 0, 0, 0], [1, 1, 0, 0]]  # a sample and a label are never true
SCORES = [[0.9, 0.6, 0.6, 0.1], [0.3, 0.2, 0.1, 0.1], [0.8, 0.4, 0.7, 0.2]]
REFERENCE, *OTHERS = (name for name, tool in TOOLS.items() if len(tool.metrics) > 4)  # columns


def page() -> str:
    """The page in Markdown: a matrix of numbers, a section per metric, and a table of the tools."""
    by_tools = dict.fromkeys(name for tool in TOOLS.values() for name in tool.metrics)
    ours = dict.fromkeys(map(catalogue.general_name, catalogue.variants().values()))
    names = [name for name in ours | by_tools if name in by_tools]
    notes = [(tool, note) for tool in TOOLS.values() for note in tool.notes]
    return filled_template(
        "tools",
        checked=last_check(),
        truth=code(str(TRUTH)),
        scores=code(str(SCORES)),
        matrix=table(["metric", REFERENCE, *OTHERS], matrix_rows(names)),
        metrics="\n\n".join(map(metric_section, names)),
        tools=table(["tool", "version", "its numbers", "metrics"], map(tool_row, TOOLS.values())),
        notes=departure_list(notes),
    )


def matrix_rows(names: Iterable[str]) -> Iterator[list[str]]:
    """A row per metric: scikit-learn's number, and of each other tool its number or "the same"."""
    quantity_of = {quantity.general_name: quantity for quantity in reversed(quantities().values())}
    for quantity in (quantity_of[name] for name in names if name in quantity_of):
        name = quantity.general_name
        data = TRUTH, thresholds.at(SCORES) if quantity.reads == "y_pred" else SCORES
        values = {
            tool: number(tool, quantity.name, *data)
            for tool in (REFERENCE, *OTHERS)
            if name in TOOLS[tool].metrics
        }
        expected = values.get(REFERENCE, quantity.function(*data))
        first = as_cell(expected) if REFERENCE in values else f"({as_cell(expected)})"
        others = (as_cell(values.get(tool), expected) for tool in OTHERS)
        anchor = slug("metric", name)
        yield [f'<a href="#{anchor}">{quantity.name}</a>', first, *others]


def as_cell(value: Any, expected: Any = None) -> str:
    """A number with two digits, ✓ if it is the expected one, and nothing if there is none."""
    if value is None or isinstance(value, str):
        return {None: "", NO_RULE: "?"}.get(value, "error")
    return "✓" if expected is not None and is_close(value, expected) else decimal(value, 2)


def last_check() -> str:
    """A sentence on the last comparison of the tools' numbers with their records."""
    run = last_run()
    return (
        f"On {run['date']} {run['answers']:,} answers of tools were compared with this page:"
        f" {len(run['differ']) or 'none'} differed from what it says. {run['departures']:,} of the"
        " answers show a departure."
    )


def metric_section(name: str) -> str:
    """A metric, folded: each tool's name for it, our options of the same number, and departures."""
    tools = [tool for tool in TOOLS.values() if name in tool.metrics]
    departures = [(tool, d) for tool in tools for d in tool.metrics[name].departures]
    parts = [table(["tool", "its name for it", "our options"], setting_rows(name, tools))]
    if departures:
        parts += ["Departures:", departure_list(departures)]
    counts = f"{count_phrase(len(tools), 'tool')}, {count_phrase(len(departures), 'departure')}"
    return details(f"{name}: {counts}", "\n\n".join(parts), slug("metric", name))


def setting_rows(name: str, tools: list[Tool]) -> Iterator[list[str]]:
    """A row per tool, and one for each further setting that needs other options of ours."""
    for tool in tools:
        previous = set()
        for setting, translation in tool.translations_of(name):
            items = translation.options.items()
            options = ", ".join(f"{option}={value!r}" for option, value in items)
            if options not in previous:
                title = f"{tool.name} ({setting})" if setting else tool.name
                yield [escaped(title), code(translation.call), code(options) if options else "–"]
            previous.add(options)


def departure_list(departures: Iterable[tuple[Tool, Departure]]) -> str:
    """A list of what tools compute and none of our options does, each with an example."""
    return "\n".join(
        f"* **{escaped(tool.name)}**: {escaped(departure.says)}. On truth"
        f" {code(str(departure.y_true))}, given"
        f" {code(str(departure.y_pred))}: {escaped(departure.shows)}."
        for tool, departure in departures
    )


def tool_row(tool: Tool) -> list[str]:
    """Cells: a tool's name, version (of the last `make peers`, if it ran), evidence and metrics."""
    version = last_run()["versions"].get(tool.name, tool.version)
    metrics = escaped(", ".join(tool.metrics))
    return [escaped(tool.name), escaped(version), tool.known, metrics]
