"""The rows of docs/metrics.md: what is known of every metric, a line each."""

from __future__ import annotations

import functools
from itertools import groupby

from mlm_course import invariance
from mlm_course.figures.phrases import capitalized
from mlm_helpers import catalogue
from mlm_helpers.catalogue import FAMILIES, Metric
from tools.site.pages.markdown import code, plain, table

CHANGES = "append an unused label", "append an empty sample", "swap truth and prediction"


def family_tables() -> str:
    """The metrics of the course as tables, one for each family."""
    tables = []
    for family, metrics in groupby(catalogue.taught_records(), lambda metric: metric.family):
        tables += [
            f"## {capitalized(family)}\n\n{capitalized(FAMILIES[family])}.",
            table(["metric", "formula", "what to know"], map(metric_row, metrics)),
        ]
    return "\n\n".join(tables)


def metric_row(metric: Metric) -> list[str]:
    """A metric as cells of Markdown."""
    facts = {
        "values": f"{range_of(metric)}, {direction(metric)}",
        "by default": plain(undefined_rule(metric)),
        "ties": code(metric.defaults["ties"]) if "ties" in metric.defaults else "",
        "scikit-learn": code(metric.sklearn_call()) if metric.sklearn else "none",
        "unchanged, if you": ", ".join(unchanged_by(metric)),
    }
    said = " <br>".join(f"{name}: {fact}." for name, fact in facts.items() if fact)
    arrow = "↑" if metric.higher_is_better else "↓"
    latex = metric.latex.replace("|", r"\vert ")  # a bar ends the cell of a table
    return [f"**{metric.name}** {arrow} <br>{code(metric.id)}", rf"$\displaystyle {latex}$", said]


def direction(metric: Metric) -> str:
    """Which values are better, in words."""
    return "higher is better" if metric.higher_is_better else "lower is better"


def range_of(metric: Metric) -> str:
    """From the lowest value to the highest: what has no value may count less than all that has."""
    low, high = metric.range
    return f"{min(low, metric.defaults.get('undefined', low)):g}–{high}"


def undefined_rule(metric: Metric) -> str:
    """What the default makes of a value that does not exist, and where there is none."""
    if not metric.undefined_where:
        return "no 0/0"
    default = metric.defaults.get("zero_division", metric.defaults.get("undefined"))
    if default != default:
        return f"left out where {metric.undefined_where}"
    return f"{default:g} where {metric.undefined_where}"


def unchanged_by(metric: Metric) -> list[str]:
    """The changes that keep the metric (of labels, its macro mean) on all small data."""
    bound = functools.partial(metric.function, **metric.required)
    if "average" in metric.defaults:
        bound = functools.partial(bound, average="macro")
    some = [how for how in CHANGES if invariance.TRANSFORMATIONS[how].applies(bound)]
    return [how for how in some if invariance.smallest_change(bound, how) is None]
