"""What changes a metric, and what never does: all that `mlm_course.invariance` finds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mlm_course import small_data
from mlm_course.figures.phrases import capital, plural
from mlm_course.invariance import TRANSFORMATIONS, Change, Outcome, all_changes
from mlm_helpers import catalogue
from tools.site.pages.markdown import folded, link, page, plain, slug, table

INTRO = """\
Change the data, and look at the metric. Nine changes and every metric with its averages, under the
default conventions. Each sign of the table leads to its reason or its data.
[Notebook 11](notebooks/11_choosing_a_metric.ipynb) reads the table.

**=** never matters, at any size. **A number** counts the cells (samples × labels) of the smallest data
on which the change matters. **–** does not apply.
"""
SHORT = {
    "swap truth and prediction": "swap",
    "append an unused label": "unused label",
    "append an empty sample": "empty sample",
    "repeat every sample": "repeat",
    "reorder labels": "labels' order",
    "reorder samples": "samples' order",
    "rescale scores monotonically": "rescale",
    "shift a sample's scores": "shift",
    "flip all cells": "flip",
}
"""The changes, as they stand above a column."""
Found = dict[tuple[str, str], Outcome]


def text() -> str:
    found = all_changes()
    sections = [section(how, found) for how in TRANSFORMATIONS]
    return page(
        "What changes if …",
        INTRO,
        overview(found),
        *sections,
    )


def overview(found: Found) -> str:
    rows = [
        [plain(name), *(_sign(found[name, how], name, how) for how in TRANSFORMATIONS)]
        for name in _metrics(found)
    ]
    return table(["metric", *(link(SHORT[how], slug(how)) for how in TRANSFORMATIONS)], rows)


def _metrics(found: Found) -> Iterable[str]:
    return dict.fromkeys(name for name, _ in found)


def _sign(outcome: Outcome, name: str, how: str) -> str:
    if outcome.change or outcome.reason:
        return link(outcome.sign, slug(how, outcome.reason or name))
    return outcome.sign


def section(how: str, found: Found) -> str:
    """One change: what it does, whom it never matters to and why, and whom it does."""
    never: dict[str, list[str]] = {}
    examples = []
    for name in _metrics(found):
        outcome = found[name, how]
        if outcome.change:
            examples.append(example(name, how, outcome.change))
        elif outcome.reason:
            never.setdefault(outcome.reason, []).append(name)
    parts = [f"## {capital(how)}", TRANSFORMATIONS[how].says, *_reasons(how, never)]
    return "\n\n".join([*parts, *(["It can change:", *examples] if examples else [])])


def _reasons(how: str, never: dict[str, list[str]]) -> Iterator[str]:
    for why, names in never.items():
        said = f"never changes: {plural(len(names), 'metric')}, for {why}"
        yield folded(said, f"{plain(', '.join(names))}.", slug(how, why))


def example(name: str, how: str, change: Change) -> str:
    """The smallest data on which a metric changes, before and after."""
    before, after = (small_data.shown(value) for value in change.values)
    reads = "scores" if catalogue.of(change.metric).reads == "y_score" else "prediction"
    cells = len(change.y_true) * len(change.y_true[0])
    summary = f"{name}: {plural(cells, 'cell')}, {before} → {after}"
    first = _rows("before", change.y_true, change.y_other)
    second = _rows("after", change.changed_true, change.changed_other)
    data = table(["data", "sample", "truth", reads], [*first, *second])
    return folded(summary, data, slug(how, name))


def _rows(when: str, *matrices: list[list[int]] | list[list[float]]) -> Iterator[list[str]]:
    for place, row in enumerate(small_data.written(*matrices)):
        yield [when if place == 0 else "", *row]
